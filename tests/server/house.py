"""A whole house for tests: a real store, a real socket, the real clock at a quick pace."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, cast

import uvicorn
from argon2 import PasswordHasher

from cutcard import cage
from cutcard.client import Client
from cutcard.rulebooks import load
from cutcard.rules.rulebook import Role
from cutcard.server.app import App
from cutcard.server.config import Config, Deals, Pace, TableSettings, demonstration
from cutcard.server.keys import Keys
from cutcard.server.running import _settings, clock
from cutcard.server.server import Parts, Server
from cutcard.store import Person, Store, open_store

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
KEYS = Keys(bytes(range(32)), bytes(range(32, 64)))
PASSWORD = "a password of tests"
MONEY = 10_000_000
PATIENCE = 300.0
"""Seconds after which a test gives up. It only ever fails a test; no test passes by it."""

HOUR = 3_600_000
BLITZ = Pace(
    betting_ms=60,
    decision_ms=400,
    card_ms=1,
    result_ms=400,
    least_round_ms=0,
    seeds_ms=10,
    asking_ms=20,
    squeeze_ms=20,
    test=True,
)
"""A round in a blink."""


class Clock:
    """The real time, and as much more as a test wants; some passes between any two looks at it."""

    def __init__(self) -> None:
        self._skipped = self._latest = 0

    def __call__(self) -> int:
        self._latest = max(self._latest + 1, clock() + self._skipped)
        return self._latest

    def skip(self, ms: int) -> None:
        self._skipped = self() + ms - clock()


def configuration(
    books: Sequence[str] = ("rws-non-commission-etg",),
    pace: Pace = BLITZ,
    database: str = "sqlite:unused.db",
    **table: object,
) -> Config:
    """One table a book, named after it, at a quick pace."""
    known = demonstration()
    tables = tuple(replace(known.table(book), **table) for book in books)  # type: ignore[arg-type]
    return replace(
        known,
        paces=MappingProxyType({"usual": pace}),
        tables=tables,
        server=replace(known.server, database=database, port=0),
    )


class House:
    """A running server, its address, and people to be."""

    def __init__(self, server: Server, app: App, url: str) -> None:
        self.server, self.app, self.url = server, app, url
        self._clients: list[Client] = []

    @property
    def store(self) -> Store:
        return self.server.store

    async def person(self, name: str, role: Role | None = None) -> Person:
        """Somebody who may sign in; patrons have money in the wallet."""
        found = await self.store.person_named(name)
        if found is not None:
            return found
        kind = "patron" if role is None else "staff"
        person = await self.server.signin.add_person(
            name, PASSWORD, kind, role.value if role else ""
        )
        if role is None:
            self.server.desk.act(cage.Deposit(person.id, MONEY, self.server.desk.now()))
            await self.server.desk.settled()
        return person

    async def client(self, name: str, role: Role | None = None) -> Client:
        """The same, signed in."""
        await self.person(name, role)
        client = await Client.sign_in(self.url, name, PASSWORD)
        self._clients.append(client)
        return client

    async def close(self) -> None:
        for client in self._clients:
            await client.__aexit__(None, None, None)


class Present:
    """Whichever server stands now: routes take ten times as long to make as a server to start."""

    def __init__(self) -> None:
        self.now: Server | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.now, name)


IDLE: list[tuple[Present, App]] = []
"""Applications of houses that were closed, for those that open next."""


@contextlib.contextmanager
def application(server: Server) -> Iterator[App]:
    """A server's application; its routes are those of one that is no longer needed."""
    present, app = IDLE.pop() if IDLE else (Present(), None)
    present.now = server
    if app is None:
        app = App(cast(Server, present))
    app.begin_anew()
    yield app
    IDLE.append((present, app))


@contextlib.asynccontextmanager
async def house(
    config: Config,
    address: str,
    *,
    patience: float = 0.0,
    now: Callable[[], int] | None = None,
) -> AsyncIterator[House]:
    """A server on a free port; stopped at the end, without waiting for rounds."""
    # A busy machine may be late with a renewal; tests of leases run servers of their own.
    config = replace(config, server=replace(config.server, lease_ms=HOUR))
    server = Server(config, Parts(open_store(address), KEYS, now or Clock(), CHEAP))
    await server.start(wait=10)
    with application(server) as app:
        async with serving(server, app, config, patience) as open_house:
            yield open_house


@contextlib.asynccontextmanager
async def serving(
    server: Server, app: App, config: Config, patience: float
) -> AsyncIterator[House]:
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    listening.setblocking(False)
    settings = _settings(app, config)
    # A client that is kept waiting by a busy machine must find its connection still open.
    settings.timeout_keep_alive = 3600
    served = uvicorn.Server(settings)
    serving = asyncio.ensure_future(served._serve([listening]))
    while not served.started:
        await asyncio.sleep(0.001)
    open_house = House(server, app, f"http://127.0.0.1:{listening.getsockname()[1]}")
    try:
        yield open_house
    finally:
        await open_house.close()
        with contextlib.suppress(Exception):
            await server.stop(patience)
        served.should_exit = True
        await serving
        listening.close()


__all__ = ["BLITZ", "Deals", "House", "TableSettings", "configuration", "house", "load"]
