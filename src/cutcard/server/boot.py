"""Booting: the venue as its logs tell it, after a stop of any kind.

Accounts come from the ledger's own rows. No log of years is read whole: before every round
of a table a standing says where it stood, and cage and patrons have bookmarks; what came
after the last one is all that is folded.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cutcard import cage, patron, wire
from cutcard.cage import Cage, Voucher
from cutcard.fairness import Commitment, VerifiableShoe, advance, begin
from cutcard.ledger import Ledger
from cutcard.ledger.shelf import Shelf
from cutcard.pack.logbook import round_name
from cutcard.patron import Patron
from cutcard.round.events import RoundOpened
from cutcard.server.bookmarks import Bookmarks
from cutcard.server.desk import PATRONS, Desk, Interrupted, interrupted
from cutcard.store import Kept, Store
from cutcard.table import Table
from cutcard.table import evolve as evolve_table
from cutcard.venue import CAGE, Venue


@dataclass(frozen=True, slots=True)
class Stood:
    """A table as its log tells it."""

    table: Table
    shoe: VerifiableShoe | None
    round: str
    interrupted: Interrupted | None = None
    """What a restart did to that round."""


async def load(desk: Desk, marks: Bookmarks, stood: Mapping[str, Stood]) -> None:
    """Give a desk the venue that a store holds."""
    store = desk.store
    venue = Venue(
        tables=Shelf({name: one.table for name, one in stood.items()}),
        patrons=Shelf(await patrons_of(store, marks)),
        cage=await cage_of(store, marks),
        ledger=await ledger_of(store),
    )
    desk.venue = desk.shown = venue
    desk.shoes = {name: one.shoe for name, one in stood.items() if one.shoe is not None}
    desk.shown_shoes = dict(desk.shoes)
    desk.rounds = {name: one.round for name, one in stood.items()}
    desk.shown_rounds = dict(desk.rounds)
    desk.interrupted = {name: one.interrupted for name, one in stood.items() if one.interrupted}
    desk.heads = await store.logs()
    desk.shown_heads = dict(desk.heads)
    # A clock that was set back during the stop must not turn the time of logs and notes back.
    for head in desk.heads.values():
        for last in await store.records(head.table, max(0, head.count - 1), 1):
            desk.not_before(last.at)
    for note in await store.significant(1):
        desk.not_before(note.at)


async def table_of(store: Store, name: str) -> Stood:
    """A table from its last standing on, with the shoe that is in use."""
    rounds = await store.last_marked(name, "round ")
    shoes = await store.last_marked(name, "shoe ")
    marked = [one.number for one in (*rounds, *shoes)] if rounds else []
    after = min(marked) - 1 if marked else 0
    stands = rounds[0].number if rounds else 0
    return fold([one async for one in store.every_record(name, after)], stands)


def fold(records: Iterable[Kept], stands: int = 0) -> Stood:
    """A table from records that begin at its start, or not after its last standing.

    Before the standing with the number `stands` only the steps of the shoe are looked at.
    """
    table: Table | None = None
    shoe: VerifiableShoe | None = None
    round, cut = "", None
    for kept in records:
        plain = json.loads(kept.record)
        if kept.number < stands and "step" not in plain:
            continue
        record = wire.read(plain)
        if kept.number == 1 and not stands:
            table = Table()
        match record:
            case wire.Standing():
                table = wire.table_at(record) if table is None else table
            case wire.Happened(event):
                if table is not None:
                    cut = interrupted(table, event, round) or cut
                    table = evolve_table(table, event)  # type: ignore[arg-type]
                    round = round_name(table) if isinstance(event, RoundOpened) else round
            case wire.Stepped(Commitment() as step):
                shoe = begin(step)
            case wire.Stepped(step):
                # Steps of a shoe before the one in use do not matter any more.
                shoe = None if shoe is None else advance(shoe, step)  # type: ignore[arg-type]
            case _:
                raise AssertionError("a table's log holds what tables do")
    return Stood(table or Table(), shoe, round, cut if cut and cut.round == round else None)


async def keep_bookmarks(desk: Desk, marks: Bookmarks) -> None:
    """Keep where cage and patrons stand on disk, if it is time."""
    heads, venue = desk.shown_heads, desk.shown
    if CAGE in heads:
        await marks.keep(heads[CAGE], lambda: wire.plain(venue.cage))
    if PATRONS in heads:
        await marks.keep(heads[PATRONS], lambda: wire.plain(venue.patrons))


async def cage_of(store: Store, marks: Bookmarks) -> Cage:
    after, state = await marks.open(CAGE, _cage, Cage())
    async for kept in store.every_record(CAGE, after):
        record = wire.read(json.loads(kept.record))
        assert isinstance(record, wire.Happened), "the cage's log holds events"
        state = cage.evolve(state, record.event)  # type: ignore[arg-type]
    return state


def _cage(told: dict[str, Any]) -> Cage:
    vouchers = {number: wire.parse(Voucher, one) for number, one in told["vouchers"].items()}
    return Cage(told["seq"], Shelf(vouchers))


async def patrons_of(store: Store, marks: Bookmarks) -> dict[str, Patron]:
    nobody: dict[str, Patron] = {}
    after, people = await marks.open(PATRONS, _patrons, nobody)
    async for kept in store.every_record(PATRONS, after):
        record = wire.read(json.loads(kept.record))
        assert isinstance(record, wire.Concerning), "the patrons' log says whose each event is"
        before = people.get(record.patron, Patron())
        people[record.patron] = patron.evolve(before, record.event)
    return people


def _patrons(told: dict[str, Any]) -> dict[str, Patron]:
    return {name: wire.parse(Patron, one) for name, one in told.items()}


async def ledger_of(store: Store) -> Ledger:
    books = await store.books()
    pending = {one.id: one for one in books.pending.values()}
    return Ledger(Shelf(books.accounts), Shelf(pending), Shelf(books.last))
