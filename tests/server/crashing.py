"""A house that dies at a chosen commit, and comes to life again on the same database.

Time is a number that the test moves, and the automatic dealer does one thing when it is
told to, so a crash happens exactly where the test wants it.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from cutcard import cage
from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Rulebook
from cutcard.server.boot import table_of
from cutcard.server.config import Config
from cutcard.server.dealer import Due, due
from cutcard.server.keys import Keys
from cutcard.server.server import Parts, Server
from cutcard.store import Batch, Person, Store, open_store
from cutcard.table.resume import Resumption, resumption
from cutcard.table.state import Table
from cutcard.wire import api
from tests.server.house import BLITZ, CHEAP, KEYS, MONEY, configuration, dice, has_seats

BEFORE, AFTER = "before the commit", "after the commit"


class CrashError(Exception):
    """The power is gone."""


class Faulty:
    """A store that loses the power at a commit: just before it, or before anybody is told."""

    def __init__(self, store: Store, at: int | None = None, when: str = BEFORE) -> None:
        self._store, self._at, self._when = store, at, when
        self.commits = 0

    def arm(self, after: int, when: str) -> None:
        """Crash at the so many-th commit from now on."""
        self._at, self._when = self.commits + after, when

    def disarm(self) -> None:
        self._at = None

    async def commit(self, batch: Batch, epochs: Mapping[str, int], now: int) -> None:
        self.commits += 1
        if self._at is not None and self.commits >= self._at:
            if self._when == AFTER and self.commits == self._at:
                await self._store.commit(batch, epochs, now)
            raise CrashError
        await self._store.commit(batch, epochs, now)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@dataclass
class Clock:
    """Milliseconds that pass only when somebody says so."""

    now: int = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


@dataclass
class Wish:
    """A command under its key, and how it was answered."""

    who: str
    key: str
    command: api.Command
    answer: bytes | None = None

    @property
    def done(self) -> api.Done | None:
        if self.answer is None or not self.answer.startswith(b'{"is":"done"'):
            return None
        return msgspec.json.decode(self.answer, type=api.Done)


async def _idle(name: str) -> None:  # noqa: ARG001
    await asyncio.Event().wait()


@dataclass
class Phoenix:
    """One table on one database, however often its server dies."""

    address: str
    config: Config
    clock: Clock = field(default_factory=Clock)
    entropy: Callable[[int], bytes] = field(default_factory=dice)
    keys: Keys = KEYS
    wishes: list[Wish] = field(default_factory=list)
    crashes: int = 0
    server: Server = field(init=False)
    faulty: Faulty = field(init=False)

    @property
    def name(self) -> str:
        return self.config.tables[0].name

    @property
    def book(self) -> Rulebook:
        return self.server.desk.books[self.name]

    @property
    def table(self) -> Table:
        return self.server.desk.shown.table(self.name)

    # --- life and death ---------------------------------------------------------------------------

    async def live(self, crash: int | None = None, when: str = BEFORE) -> None:
        """Start a server on the database; with `crash`, it dies at that commit of its own."""
        self.faulty = Faulty(open_store(self.address), crash, when)
        self.server = Server(
            self.config,
            Parts(self.faulty, self.keys, self.clock, CHEAP, self.entropy),
        )
        # Nothing is dealt but by the test.
        self.server.clockwork.run = _idle  # type: ignore[method-assign]
        await self.server.start(wait=0)

    async def die(self) -> None:
        """Nothing is put in order: the lease runs on and only time ends it."""
        for task in self.server._tasks:
            task.cancel()
        for task in self.server._tasks:
            with contextlib.suppress(BaseException):
                await task
        self.server.signin.close()
        await self.faulty._store.close()
        self.clock.now += self.config.server.lease_ms + 1
        self.crashes += 1

    async def stood(self) -> tuple[Table, Resumption]:
        """The table as the disk has it between two lives, and what its book then orders."""
        table = (await table_of(self.faulty._store, self.name)).table
        return table, resumption(table, self.book)

    async def rise(self, *, stumbling: str | None = None) -> tuple[Table, Resumption]:
        """Die, and start again; if stumbling, the next server dies as it starts, too."""
        before, found = await self.stood()
        await self.die()
        if stumbling is not None:
            with contextlib.suppress(CrashError, Refusal):
                await self.live(1, stumbling)
                raise AssertionError("it should have died")
            await self.die()
        await self.live()
        return before, found

    # --- people -----------------------------------------------------------------------------------

    async def people(self, *names: str) -> None:
        """Patrons with money at the table and a seat."""
        for box, name in enumerate(names, start=1):
            person = Person(name, name, "patron", "", "")
            await self.server.store.add_person(person)
            self.server.desk.act(cage.Deposit(name, MONEY, self.clock()))
            self.server.begin_session(person)
            await self.do(name, api.BuyIn(table=self.name, amount=MONEY // 2))
            if has_seats(self.name):
                await self.do(name, api.TakeSeat(table=self.name, box=box))

    async def do(self, who: str, command: api.Command) -> Wish:
        """A new command; it may never be answered."""
        wish = Wish(who, f"key-{len(self.wishes)}", command)
        self.wishes.append(wish)
        await self.ask(wish)
        return wish

    async def ask(self, wish: Wish) -> bytes:
        """The same command under the same key, again or for the first time."""
        person = Person(wish.who, wish.who, "patron", "", "")
        body = api.encode(wish.command)
        answer = await self.server.counter.do(person, wish.key, wish.command, body)
        if wish.answer is not None:
            assert answer == wish.answer, "one key, one answer"
        wish.answer = answer
        return answer

    async def ask_again(self) -> None:
        """Everybody tries again what was not answered, and once more what was."""
        for wish in self.wishes[-6:]:
            await self.ask(wish)

    # --- dealing ----------------------------------------------------------------------------------

    def next(self) -> Due | None:
        clockwork = self.server.clockwork
        desk = self.server.desk
        table, shoe = desk.venue.table(self.name), desk.shoes.get(self.name)
        return due(table, shoe, clockwork.tables[self.name].pace, clockwork.since[self.name])

    async def deal(self) -> Due:
        """Whatever is next, as soon as it is time."""
        found = self.next()
        assert found is not None, "the dealer has something to do"
        self.clock.now = max(self.clock.now, found.at)
        await self.server._lease()
        await self.server.clockwork.perform(self.name, found.act)
        return found


def phoenix(address: str, book: str, **table: object) -> Phoenix:
    pace = replace(BLITZ, betting_ms=20, result_ms=5)
    return Phoenix(address, configuration((book,), pace, address, **table))
