"""Prospects: what everybody stands to gain or lose when a round goes on, exactly.

Every way in which the hands can still end is counted by the rules that price
bets, from the cards that lie open.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from cutcard.frozen import replace
from cutcard.odds.bets import outlook
from cutcard.odds.completions import completions
from cutcard.odds.kinds import count_kinds
from cutcard.round.events import Laid, Settled
from cutcard.round.settling import settle
from cutcard.round.state import Round
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, in_order, next_side
from cutcard.rules.rulebook import Rulebook
from cutcard.table.established import lies_so, open_cards, unseen
from cutcard.table.state import Table


@dataclass(frozen=True, slots=True)
class Prospect:
    """What somebody gains or loses in the round: at least, on average, at most."""

    least: Fraction
    mean: Fraction
    most: Fraction


Prospects = tuple[dict[str, Prospect], Prospect]
"""Of every patron, and of the house."""


def prospects(table: Table, coup: Coup, book: Rulebook) -> Prospects | None:
    """What everybody gains or loses when the round goes on from these hands."""
    weights = _nets_by_kind(table, coup, book)
    if weights is None:
        return None
    patrons = dict.fromkeys(bet.patron for bet in table.round.bets)
    return (
        {who: _prospect([(nets[who], ways) for nets, ways in weights]) for who in patrons},
        _prospect([(-sum(nets.values()), ways) for nets, ways in weights]),
    )


def _prospect(cases: list[tuple[int, int]]) -> Prospect:
    every = sum(ways for _, ways in cases)
    amounts = [net for net, _ in cases]
    mean = Fraction(sum(net * ways for net, ways in cases), every)
    return Prospect(Fraction(min(amounts)), mean, Fraction(max(amounts)))


def _nets_by_kind(
    table: Table, coup: Coup, book: Rulebook
) -> list[tuple[dict[str, int], int]] | None:
    """By every way the coup can end: what each patron nets, and how often."""
    seen = open_cards(table, coup)
    if None not in seen and next_side(coup) is None:
        settled = settle(replace(table.round, coup=coup), book)
        return [(_sums(settled), 1)]
    if not in_order(coup):
        return None
    known = [card for card in seen if card is not None]
    left = unseen(table, known)
    # Before any card is seen every order is possible, and counting them is much quicker.
    kinds = completions(left, seen) if known else count_kinds(left)
    # Thousands of endings pay in a few dozen ways, and thousands of patrons may have bet.
    paid: Counter[tuple[Fraction, ...]] = Counter()
    spots = tuple(table.round.by_spot)
    for kind, ways in kinds.items():
        if lies_so(kind, coup):
            paid[tuple(book.spots[spot].table.line_of(*kind).net for spot in spots)] += ways
    return [
        (_nets(table.round, dict(zip(spots, per_unit, strict=True))), ways)
        for per_unit, ways in paid.items()
    ]


def _nets(round: Round, per_unit: Mapping[str, Fraction]) -> dict[str, int]:
    nets: dict[str, int] = {}
    for bet in round.bets:
        nets[bet.patron] = nets.get(bet.patron, 0) + _net(round, bet, per_unit[bet.spot])
    return nets


def _net(round: Round, bet: Laid, per_unit: Fraction) -> int:
    effective = round.effective.get(bet.key, bet.stake)
    return -effective if bet.key in round.declined else int(effective * per_unit)


def _sums(settled: Iterable[Settled]) -> dict[str, int]:
    nets: dict[str, int] = {}
    for one in settled:
        nets[one.bet.patron] = nets.get(one.bet.patron, 0) + one.net
    return nets


def edges(table: Table, kept: tuple[Card, ...], book: Rulebook) -> dict[str, Fraction]:
    """What a card that everybody has seen makes of the bets of its round (HOUSE exposed card)."""
    if not kept or table.shoe is None:
        return {}
    prices = outlook(book, unseen(table, kept), Coup(kept[:1]))
    return {spot: price.ev for spot, price in prices.items()}
