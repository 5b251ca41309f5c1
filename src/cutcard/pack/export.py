"""Exports: a table's log, one round of it, a shoe or a single card in one file.

An export is made from what is kept anyway (chained records, signed heads, the book)
and says nothing that a verifier could not work out again.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cutcard.chain import Anchor, Entry, Head, start
from cutcard.fairness import (
    CardShown,
    Commitment,
    SeedGiven,
    SeedsClosed,
    SeedSealed,
    Step,
)
from cutcard.fairness import record as steps
from cutcard.pack.money import Money
from cutcard.refusals import Refusal
from cutcard.roads import roads
from cutcard.round.events import RoundOpened
from cutcard.rules.reading import tableau
from cutcard.rules.rulebook import Rulebook
from cutcard.table import Table, evolve
from cutcard.table.events import Event
from cutcard.wire import Happened, Plain, Record, Standing, read, table_at

if TYPE_CHECKING:
    from cutcard.chain.signing import SignedHead

NAME = "cutcard dispute pack"
VERSION = 1

Pack = Plain


def export_card(commitment: Commitment, seeds: Iterable[Step], card: CardShown) -> Pack:
    """One card with its proof, and the seeds that gave it its place."""
    return {
        **_begin("card"),
        "commitment": steps.plain(commitment),
        "seeds": [steps.plain(step) for step in seeds if isinstance(step, SEEDING)],
        "card": steps.plain(card),
    }


def export_shoe(commitment: Commitment, all_steps: Iterable[Step]) -> Pack:
    """A whole shoe, as far as it has gone."""
    return {
        **_begin("shoe"),
        "commitment": steps.plain(commitment),
        "steps": [steps.plain(step) for step in all_steps],
    }


def export_table(
    table: str,
    entries: Sequence[Entry],
    heads: Iterable["SignedHead"],
    books: Iterable[Rulebook],
    anchors: Iterable[Anchor] = (),
) -> Pack:
    """A table's log from its first record on."""
    return {
        **_begin("table"),
        **_log(table, start(table), entries, heads, books, anchors),
    }


def export_round(
    table: str,
    entries: Sequence[Entry],
    heads: Iterable["SignedHead"],
    books: Iterable[Rulebook],
    *,
    shoe: int,
    number: int,
    anchors: Iterable[Anchor] = (),
) -> Pack:
    """One round of a table's log: from the standing before it to the last record before the next.

    `shoe` counts the table's shoes from 1.
    """
    first, end = _round(entries, shoe, number)
    before = Head(table, first, entries[first - 1].hash) if first else start(table)
    return {
        **_begin("round"),
        "round": {"shoe": shoe, "number": number},
        "shoe": _shoe_before(entries[:first], _standing(entries[first].record)),
        **_log(table, before, entries[first:end], heads, books, anchors),
    }


SEEDING = SeedSealed | SeedsClosed | SeedGiven
"""The steps by which the order of dealing is fixed."""


def _begin(kind: str) -> Pack:
    return {"format": NAME, "version": VERSION, "kind": kind}


def _log(
    table: str,
    before: Head,
    entries: Sequence[Entry],
    heads: Iterable["SignedHead"],
    books: Iterable[Rulebook],
    anchors: Iterable[Anchor],
) -> Pack:
    last = before.count + len(entries)
    within = range(before.count + 1, last + 1)
    opening, closing = _told(table, [read(entry.record) for entry in entries])
    return {
        "table": table,
        "books": {book.hash: book_document(book) for book in books},
        "before": {"number": before.count, "hash": before.hash.hex()},
        "records": [
            {"number": one.number, "hash": one.hash.hex(), "record": one.record} for one in entries
        ],
        "heads": [head_document(one) for one in heads if one.head.count in within],
        "anchors": [str(one) for one in anchors if one.count in within],
        "opening": opening,
        "closing": closing,
    }


def book_document(book: Rulebook) -> Pack:
    """A rulebook as data: with it, the same book is read again, and its hash made again."""
    return {"document": dict(book.written), "tableau": tableau(), "documents": [*book.cited]}


def head_document(signed: "SignedHead") -> Pack:
    head = signed.head
    return {
        "table": head.table,
        "count": head.count,
        "hash": head.hash.hex(),
        "occasion": signed.occasion.value,
        "name": signed.name,
        "at": signed.at,
        "key": signed.key.hex(),
        "signature": signed.signature.hex(),
    }


def closing_of(table: Table, money: Money) -> Pack:
    """Where everything stands at the end of a pack."""
    return {
        "stacks": dict(sorted(table.stacks.items())),
        "accounts": money.accounts(),
        "roads": roads(table.results).document(),
    }


def _told(name: str, records: Iterable[Record]) -> tuple[Pack, Pack]:
    """Stacks before and after, accounts and roads, by folding a log that is believed."""
    table, money, opening = Table(), Money(name), {}
    for place, record in enumerate(records):
        if isinstance(record, Standing) and place == 0:
            table, money = table_at(record), Money(name, record.stacks)
            opening = dict(sorted(record.stacks.items()))
        elif isinstance(record, Happened):
            event: Event = record.event  # type: ignore[assignment]
            money.happen(event, record.entries)
            table = evolve(table, event)
    return {"stacks": opening}, closing_of(table, money)


def _round(entries: Sequence[Entry], shoe: int, number: int) -> tuple[int, int]:
    """Where a round begins and ends among the records, counted from 0."""
    begin = None
    for place, entry in enumerate(entries):
        stood = _standing(entry.record)
        if stood is None:
            continue
        if begin is not None:
            return begin, place
        if (stood.get("shoes"), stood.get("rounds")) == (shoe, number - 1):
            begin = place
    if begin is None:
        raise Refusal("pack/no-round", {"shoe": shoe, "round": number})
    return begin, len(entries)


def _standing(record: object) -> Mapping[str, object] | None:
    found = record.get("standing") if isinstance(record, dict) else None
    return found if isinstance(found, dict) else None


def _shoe_before(entries: Sequence[Entry], stood: Mapping[str, object] | None) -> Pack | None:
    """The commitment in force and its seeds, if the shoe in use can be verified."""
    if stood is None or stood.get("commitment") is None:
        return None
    found: list[Commitment | Step] = []
    for entry in entries:
        if not (isinstance(entry.record, dict) and "step" in entry.record):
            continue
        step = steps.parse(entry.record["step"])
        if isinstance(step, Commitment):
            found = []
        if isinstance(step, Commitment | SEEDING):
            found.append(step)
    if not found:
        return None
    commitment, *seeds = (steps.plain(one) for one in found)
    return {"commitment": commitment, "seeds": seeds}


def rounds_of(entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """Every round in a log: the shoe's number and its own."""
    shoes, found = 0, []
    for entry in entries:
        record = read(entry.record)
        if isinstance(record, Standing):
            shoes = record.shoes
        elif isinstance(record, Happened) and isinstance(record.event, RoundOpened):
            found.append((shoes, record.event.number))
    return found


__all__ = [
    "NAME",
    "VERSION",
    "Pack",
    "export_card",
    "export_round",
    "export_shoe",
    "export_table",
    "rounds_of",
]
