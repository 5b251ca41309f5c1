"""Dealing cards that are out of the shoe already, in their order."""

from collections.abc import Iterable

from cutcard.round import commands as rounds
from cutcard.round.decide import decide as decide_round
from cutcard.round.state import Phase
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.rulebook import Rulebook
from cutcard.table.events import CardsKept, Event
from cutcard.table.state import Table, evolve


def deal_drawn(
    table: Table, drawn: tuple[Card, ...], by: str, at: int, book: Rulebook
) -> list[Event]:
    """Deal what was drawn to the hands, as far as the tableau takes it; the rest is kept."""
    if not drawn:
        return []
    events: list[Event] = [CardsKept(drawn, at)]
    after = evolve(table, events[0])
    while after.kept and _takes_a_card(after):
        wanted = rounds.DrawCard(after.kept[0], at, by)
        dealt = decide_round(after.round, wanted, book)
        events += dealt
        after = fold_on(after, dealt)
    return events


def _takes_a_card(table: Table) -> bool:
    dealing = table.round.phase in (Phase.CLOSED, Phase.DEALING)
    return dealing and next_side(table.round.coup) is not None


def fold_on(table: Table, events: Iterable[Event]) -> Table:
    """A table after some more events."""
    for event in events:
        table = evolve(table, event)
    return table


def put_in_order(
    table: Table, drawn: tuple[Card, ...], book: Rulebook
) -> tuple[Coup, tuple[Card, ...]]:
    """The hands when the cards drawn are dealt in their order, and the cards left over."""
    after = fold_on(table, deal_drawn(table, drawn, "", 0, book))
    return after.round.coup, after.kept


def dealt_on(coup: Coup, kept: tuple[Card, ...]) -> tuple[Coup, tuple[Card, ...]]:
    """Hands with the kept cards that they still take, and the cards left for the next round."""
    while kept and (side := next_side(coup)) is not None:
        coup, kept = coup.with_card(side, kept[0]), kept[1:]
    return coup, kept
