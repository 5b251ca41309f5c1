"""A whole house for tests: a real store, a real socket, the real clock, rounds that wait."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any, cast

import uvicorn
from argon2 import PasswordHasher
from websockets.asyncio.client import connect

from cutcard import cage
from cutcard.client import Client
from cutcard.round.state import Phase
from cutcard.rulebooks import load
from cutcard.rules.rulebook import Role
from cutcard.server.app import App
from cutcard.server.config import Config, Deals, Pace, TableSettings, demonstration
from cutcard.server.dealer import Act
from cutcard.server.keys import Keys
from cutcard.server.running import _settings, clock
from cutcard.server.server import Parts, Server
from cutcard.store import Person, Store, open_store
from cutcard.wire import house as staff
from tests.patience import PATIENCE, until

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
KEYS = Keys(bytes(range(32)), bytes(range(32, 64)))
PASSWORD = "a password of tests"
MONEY = 10_000_000
HOUR = 3_600_000
PAUSED = Pace(
    betting_ms=HOUR,
    decision_ms=300_000,
    card_ms=1,
    result_ms=1,
    least_round_ms=HOUR,
    seeds_ms=10,
    asking_ms=1,
    squeeze_ms=HOUR,
    test=True,
)
"""A pace at which the test decides when bets close, when decisions end and when a round follows."""

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
"""Rounds in a blink, for tests that do not depend on catching any of them."""


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
    pace: Pace = PAUSED,
    database: str = "sqlite:unused.db",
    **table: object,
) -> Config:
    """One table a book, named after it; its rounds wait for the test unless a pace is given."""
    known = demonstration()
    # However long a test takes on a busy machine, its patrons keep their seats.
    chosen = {"seat_minutes": 0, **table}
    tables = tuple(replace(known.table(book), **chosen) for book in books)  # type: ignore[arg-type]
    return replace(
        known,
        paces=MappingProxyType({"usual": pace}),
        tables=tables,
        server=replace(known.server, database=database, port=0),
    )


class House:
    """A running server, its address, and people to be."""

    def __init__(self, server: Server, app: App, url: str, now: Callable[[], int]) -> None:
        self.server, self.app, self.url, self._now = server, app, url, now
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

    async def device(self, name: str, table: str, number: int | None = None) -> Client:
        """A device of the house that stands at a table, signed in; sam is its pit supervisor."""
        made = await self.server.signin.add_person(name, PASSWORD, "terminal")
        self.server.staff.names[made.id] = name
        sam = await self.client("sam", Role.PIT_SUPERVISOR)
        await sam.do(staff.AddTerminal(table=table, terminal=made.id, number=number))
        return await self.client(name)

    async def client(self, name: str, role: Role | None = None) -> Client:
        """The same, signed in."""
        await self.person(name, role)
        client = await Client.sign_in(self.url, name, PASSWORD)
        self._clients.append(client)
        return client

    # --- the dealer, at a pace that waits for the test --------------------------------------------

    async def hurry(self, table: str, act: Act) -> None:
        """The automatic dealer does now what it would do in an hour."""
        await until(lambda: self._due(table) is act, f"{act} at {table}")
        await self.server.clockwork.perform(table, act)

    async def close_bets(self, table: str) -> None:
        await self.hurry(table, Act.CLOSE)

    def end_decisions(self, table: str) -> None:
        """The time to decide is over, by the house's clock too."""
        found = self.server.clockwork.next(table)
        assert found is not None
        assert found.act is Act.END_DECISIONS
        assert isinstance(self._now, Clock)
        self._now.skip(found.at - self._now())
        self.server.clockwork.poke(table)

    async def next_round(self, table: str) -> None:
        """After a round has ended: the next one, which takes bets."""
        await self.hurry(table, Act.OPEN)

    def pace(self, table: str, **changes: object) -> None:
        """Make a table faster or slower from now on."""
        clockwork = self.server.clockwork
        found = clockwork.tables[table]
        pace = replace(found.pace, **changes)  # type: ignore[arg-type]
        clockwork.tables[table] = replace(found, pace=pace)
        clockwork.poke(table)

    def phase(self, table: str) -> Phase:
        """Where the table's round is, as everybody is told."""
        return self.server.desk.shown.table(table).round.phase

    def _due(self, table: str) -> Act | None:
        found = self.server.clockwork.next(table)
        return found.act if found is not None else None

    # --- the end ----------------------------------------------------------------------------------

    async def close(self) -> None:
        for client in self._clients:
            await client.__aexit__(None, None, None)


def websocket(url: str, **options: Any) -> connect:
    """A bare live connection that waits for a busy machine.

    However much a test leaves unread, the answer to its closing is still read.
    """
    return connect(url, open_timeout=PATIENCE, ping_interval=None, max_queue=None, **options)


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


def has_seats(table: str) -> bool:
    """Whether a table that is called after its book has seats; an open table has none."""
    return not load(table).layouts[0].is_open


def dice() -> Callable[[int], bytes]:
    """Dice that fall the same in every run."""
    return Random(7).randbytes


@contextlib.asynccontextmanager
async def house(
    config: Config,
    address: str,
    *,
    patience: float = 0.0,
    now: Callable[[], int] | None = None,
) -> AsyncIterator[House]:
    """A server on a free port; stopped at the end, without waiting for rounds.

    Its dice are the same every time, and yet no shoe comes twice: the order of the cards follows
    from the commitment, in which the time stands. A test must pass with any shoe.
    """
    # A busy machine may be late with a renewal; tests of leases run servers of their own.
    config = replace(config, server=replace(config.server, lease_ms=24 * HOUR))
    now = now or Clock()
    server = Server(config, Parts(open_store(address), KEYS, now, CHEAP, dice()))
    await server.start(wait=PATIENCE)
    with application(server) as app:
        async with serving(server, app, config, patience, now) as open_house:
            yield open_house


class Prompt(uvicorn.Server):
    """Uvicorn that closes at once: its own two waits of 0.1 s add up over hundreds of houses."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.leave = asyncio.Event()

    async def main_loop(self) -> None:
        await self.on_tick(0)
        await self.leave.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for listening in (*self.servers, *(sockets or ())):
            listening.close()
        open_now = self.server_state
        for connection in list(open_now.connections):
            connection.shutdown()
        await until(lambda: not (open_now.connections or open_now.tasks), "the last connection")
        for server in self.servers:
            await server.wait_closed()
        await self.lifespan.shutdown()


@contextlib.asynccontextmanager
async def serving(
    server: Server, app: App, config: Config, patience: float, now: Callable[[], int]
) -> AsyncIterator[House]:
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    listening.setblocking(False)
    settings = _settings(app, config)
    # A client that is kept waiting by a busy machine must find its connection still open.
    settings.timeout_keep_alive = 3600
    served = Prompt(settings)
    serving = asyncio.ensure_future(served._serve([listening]))
    await until(lambda: served.started, "the server to listen")
    open_house = House(server, app, f"http://127.0.0.1:{listening.getsockname()[1]}", now)
    try:
        yield open_house
    finally:
        await open_house.close()
        with contextlib.suppress(Exception):
            await server.stop(patience)
        served.leave.set()
        await serving


__all__ = ["BLITZ", "Deals", "House", "TableSettings", "configuration", "house", "load"]
