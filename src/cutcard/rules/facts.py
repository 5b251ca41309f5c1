"""Facts: the closed vocabulary in which rulebooks speak about a finished coup.

A fact can only depend on what `Hand` holds of each side, so the few thousand
pairs of hands that the tableau can produce (`kinds`) are all the coups there
are as far as any bet can tell. A rulebook is checked against every one of them
when it is loaded, and exact odds need only count them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from cutcard.rules.cards import DECK, Card, points
from cutcard.rules.coup import Coup, check_dealt, next_side
from cutcard.rules.tableau import is_natural

Value = str | int | bool | None
"""What a fact can be. None says that the question does not arise (a tie has no winning points)."""


class Hand(NamedTuple):
    """All that any bet may know of one side's hand."""

    points: int
    cards: int
    natural: bool
    pair: bool
    suited_pair: bool

    @classmethod
    def of(cls, cards: tuple[Card, ...]) -> "Hand":
        # Pairs and naturals look at the first two cards even after a third has been drawn.
        first, second = cards[:2]
        return cls(
            points=points(cards),
            cards=len(cards),
            natural=is_natural(points(cards[:2])),
            pair=first.rank is second.rank,
            suited_pair=first == second,
        )


@dataclass(frozen=True, slots=True)
class Fact:
    """One word of the vocabulary: its name, its meaning, the values it can take."""

    name: str
    meaning: str
    values: tuple[Value, ...]
    of: Callable[[Hand, Hand], Value]


def _winner(player: Hand, banker: Hand) -> str:
    if player.points == banker.points:
        return "tie"
    return "player" if player.points > banker.points else "banker"


def _unless_tie(value: Callable[[int, int], int]) -> Callable[[Hand, Hand], int | None]:
    def of(player: Hand, banker: Hand) -> int | None:
        tied = player.points == banker.points
        return None if tied else value(player.points, banker.points)

    return of


_POINTS = tuple(range(10))
_YES_NO = (True, False)

VOCABULARY: dict[str, Fact] = {
    fact.name: fact
    for fact in (
        Fact("winner", "the side with more points", ("player", "banker", "tie"), _winner),
        Fact("player_points", "points of the Player hand", _POINTS, lambda p, b: p.points),
        Fact("banker_points", "points of the Banker hand", _POINTS, lambda p, b: b.points),
        Fact("winning_points", "points of the winning hand", _POINTS[1:], _unless_tie(max)),
        Fact("losing_points", "points of the losing hand", _POINTS[:9], _unless_tie(min)),
        Fact("margin", "difference of the points", _POINTS, lambda p, b: abs(p.points - b.points)),
        Fact("player_cards", "cards of the Player hand", (2, 3), lambda p, b: p.cards),
        Fact("banker_cards", "cards of the Banker hand", (2, 3), lambda p, b: b.cards),
        Fact("cards", "cards of both hands", (4, 5, 6), lambda p, b: p.cards + b.cards),
        Fact("player_natural", "Player has 8 or 9 on two cards", _YES_NO, lambda p, b: p.natural),
        Fact("banker_natural", "Banker has 8 or 9 on two cards", _YES_NO, lambda p, b: b.natural),
        Fact("player_pair", "Player's first two are of one rank", _YES_NO, lambda p, b: p.pair),
        Fact("banker_pair", "Banker's first two are of one rank", _YES_NO, lambda p, b: b.pair),
        Fact(
            "player_suited_pair",
            "Player's first two are the same card, rank and suit",
            _YES_NO,
            lambda p, b: p.suited_pair,
        ),
        Fact(
            "banker_suited_pair",
            "Banker's first two are the same card, rank and suit",
            _YES_NO,
            lambda p, b: b.suited_pair,
        ),
    )
}


def facts(coup: Coup) -> Mapping[str, Value]:
    """Every fact of a finished coup; any other is refused."""
    check_dealt(coup)
    return facts_of(Hand.of(coup.player), Hand.of(coup.banker))


@cache
def facts_of(player: Hand, banker: Hand) -> Mapping[str, Value]:
    """Every fact of two hands, of which there are not many kinds."""
    return MappingProxyType({name: fact.of(player, banker) for name, fact in VOCABULARY.items()})


@cache
def coups_by_value() -> tuple[Coup, ...]:
    """Every finished coup, as far as the tableau and points can tell them apart."""
    one_of_each = [next(card for card in DECK if card.points == value) for value in _POINTS]
    two_cards = [(one_of_each[0], card) for card in one_of_each]

    def finished(coup: Coup) -> Iterator[Coup]:
        side = next_side(coup)
        if side is None:
            yield coup
        else:
            for card in one_of_each:
                yield from finished(coup.with_card(side, card))

    starts = (Coup(player, banker) for player, banker in product(two_cards, repeat=2))
    return tuple(coup for start in starts for coup in finished(start))


@cache
def kinds() -> frozenset[tuple[Hand, Hand]]:
    """Every pair of hands that the tableau can produce."""
    outlines = {(_outline(coup.player), _outline(coup.banker)) for coup in coups_by_value()}
    return frozenset(
        kind
        for player, banker in outlines
        for kind in product(_by_pair(*player), _by_pair(*banker))
    )


@cache
def _outline(cards: tuple[Card, ...]) -> tuple[Hand, bool]:
    """A hand but for its pair, and whether two equal cards could begin it."""
    # Two cards of one rank always have an even total.
    return unpaired(cards), points(cards[:2]) % 2 == 0


@cache
def unpaired(cards: tuple[Card, ...]) -> Hand:
    """A hand of these points and this many cards that holds no pair."""
    return Hand.of(cards)._replace(pair=False, suited_pair=False)


def _by_pair(hand: Hand, even: bool) -> Iterator[Hand]:
    yield hand
    if even:
        yield hand._replace(pair=True)
        yield hand._replace(pair=True, suited_pair=True)


@cache
def possible(names: tuple[str, ...]) -> frozenset[tuple[Value, ...]]:
    """Every combination that these facts can take together."""
    questions = [VOCABULARY[name].of for name in names]
    return frozenset(tuple(of(player, banker) for of in questions) for player, banker in kinds())
