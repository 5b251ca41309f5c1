"""The simulated floor through the real desk and a real store: the same seed, the same money."""

from dataclasses import replace

import pytest

from cutcard.floor.dice import FloorDice
from cutcard.floor.floor import Floor
from cutcard.floor.simulation import _run
from cutcard.floor.staff import books_for
from cutcard.refusals import Refusal
from cutcard.rulebooks import rulebooks
from cutcard.server import bookmarks, boot
from cutcard.server.bookmarks import Bookmarks
from cutcard.server.desk import LOGS, Desk
from cutcard.store import Store, open_store
from cutcard.table import Table
from cutcard.venue import Command, Venue, decide
from tests.server.house import KEYS

pytestmark = pytest.mark.anyio

ROUNDS = 120
FOREVER = 10**15


class Recording(Floor):
    """A floor that remembers every command, and whether it was refused."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self.commands: list[tuple[Command, str | None]] = []

    def _try(self, refusals: object, command: Command) -> bool:
        try:
            decide(self.venue, command, self.books)
            code = None
        except Refusal as refusal:
            code = refusal.code
        self.commands.append((command, code))
        return super()._try(refusals, command)  # type: ignore[arg-type]


async def working(store: Store, floor: Floor, epoch: int) -> Desk:
    """A desk on a store, as after a start."""
    desk = Desk(store, floor.books, lambda: floor.at, KEYS.signing)
    owner = f"desk {epoch}"
    desk.hold(await store.lease((*LOGS, *floor.books), owner, epoch, FOREVER + epoch))
    stood = {name: await boot.table_of(store, name) for name in floor.books}
    await boot.load(desk, Bookmarks(store, KEYS), stood)
    return desk


async def test_the_same_seed_gives_the_same_money(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = Recording(books_for(list(rulebooks()), 8), None)
    _run(floor, FloorDice(7), ROUNDS)
    assert floor.rounds >= ROUNDS

    store = open_store(address)
    await store.open()
    desk = await working(store, floor, 1)
    monkeypatch.setattr(bookmarks, "EVERY", 40)
    marks = Bookmarks(store, KEYS)
    crashes = 0
    for number, (command, code) in enumerate(floor.commands, start=1):
        found = None
        try:
            desk.act(command)
        except Refusal as refusal:
            found = refusal.code
        assert found == code, command
        if number % 100 == 0:
            await desk._commit()
            await boot.keep_bookmarks(desk, marks)
        if number % 2_500 == 0:
            # Everything in memory is lost, and comes back from the disk.
            await desk._commit()
            before = desk.venue
            await store.release(f"desk {crashes + 1}")
            crashes += 1
            desk = await working(store, floor, crashes + 1)
            same(desk.venue, before)
    await desk._commit()

    assert crashes > 0
    for log in LOGS:
        mark = await store.bookmark(log)
        assert mark is not None, f"a crash never met a bookmark of {log}"
    same(desk.venue, floor.venue)
    books = await store.books()
    assert {name: one for name, one in books.accounts.items() if one != (0, 0)} == {
        name: one for name, one in floor.venue.ledger.accounts.items() if one != (0, 0)
    }
    assert sum(one.posted for one in books.accounts.values()) == 0
    await store.close()


def same(one: Venue, other: Venue) -> None:
    """Two venues in which whatever happens next happens alike."""
    assert one.cage == other.cage
    assert dict(one.patrons) == dict(other.patrons)
    assert dict(one.ledger.accounts) == dict(other.ledger.accounts)
    assert dict(one.ledger.pending) == dict(other.ledger.pending)
    for name in {*one.tables, *other.tables}:
        assert plain(one.table(name)) == plain(other.table(name)), name


def plain(table: Table) -> Table:
    """Without what is left of a choice that nobody has any more."""
    return table if table.options else replace(table, options_until=0, options_clause="")
