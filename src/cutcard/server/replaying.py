"""A round event by event, with the clause behind each, as its log has it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from cutcard import wire
from cutcard.round import events as in_round
from cutcard.round.state import Round, evolve
from cutcard.rules.coup import Coup
from cutcard.rules.rulebook import Rulebook
from cutcard.school.reasons import dealing
from cutcard.server.staffview import clause_texts
from cutcard.store import Kept, Store

Told = tuple[Kept, wire.Happened]


async def told_of(store: Store, table: str, opened: int) -> list[Told]:
    """Whatever happened at a table from the opening of a round to that of the next."""
    found: list[Told] = []
    async for kept in store.every_record(table, opened):
        if kept.mark.startswith("round "):
            break
        record = wire.read(json.loads(kept.record))
        if isinstance(record, wire.Happened):
            found.append((kept, record))
    return found


def book_hash(told: Iterable[Told]) -> str:
    """The book that a round was played by, whatever its table is played by now."""
    opened = (one.event for _, one in told if isinstance(one.event, in_round.RoundOpened))
    return next(opened).terms.book_hash


def steps(told: Iterable[Told], book: Rulebook) -> list[dict[str, Any]]:
    """Each event with its clauses and what they say, and the money that it moved."""
    texts, round = clause_texts(book), Round()
    found: list[dict[str, Any]] = []
    for kept, record in told:
        event = json.loads(kept.record)["event"]
        cited = _cited(event, record.event, round.coup, book)
        if isinstance(record.event, in_round.Event):
            round = evolve(round, record.event)
        found.append(
            {
                "number": kept.number,
                "at": kept.at,
                "event": event,
                "clause": ", ".join(cited) or None,
                "text": " ".join(texts.get(one, "") for one in cited),
                "moved": sum(getattr(one, "amount", None) or 0 for one in record.entries),
            }
        )
    return found


def _cited(
    written: Mapping[str, Any], event: object, coup: Coup, book: Rulebook
) -> tuple[str, ...]:
    """The clauses behind an event; a card is dealt by the rule that asked for it."""
    if isinstance(event, in_round.CardDealt):
        return dealing(book, coup)
    clause = written.get("clause")
    return (clause,) if clause else ()
