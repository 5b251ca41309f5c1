"""Ways: how each bet of a book can end, as numbers that compiled code can follow.

The pay lines themselves say which way a kind of coup takes; nothing about a bet is written here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import ceil, lcm

import numpy as np
from numpy.typing import NDArray

from cutcard.odds import Composition, Price, odds
from cutcard.odds.decision import continuing
from cutcard.odds.kinds import Kind, outlines, paired
from cutcard.odds.pricing import Cases, Outcome, price
from cutcard.rules.facts import VOCABULARY
from cutcard.rules.rulebook import Rulebook, Spot

PAIRS = 9
"""An outline has nine kinds: no pair, a pair or a suited pair of the Player, and of the Banker."""


@cache
def kinds() -> tuple[Kind, ...]:
    """Every kind of coup, nine for each outline; a kind's number is its place here."""
    return tuple(
        (paired(player, p), paired(banker, b))
        for player, banker in outlines()
        for p in range(3)
        for b in range(3)
    )


@dataclass(frozen=True)
class Bet:
    """One bet: how it can end, and which of these ways each kind of coup takes.

    A bet with a second stage is one that always continues.
    """

    spot: Spot
    outcomes: tuple[Outcome, ...]
    way_of: NDArray[np.int16]
    facts: tuple[str, ...]

    def price(self, orders: Mapping[int, int] | NDArray[np.int64]) -> Price:
        """What the bet is worth, when each way has so many orders."""
        return Price(
            tuple(
                replace(outcome, orders=int(orders[way]))
                for way, outcome in enumerate(self.outcomes)
            )
        )

    @property
    def step(self) -> int:
        """A stake with which every way nets a whole number."""
        return lcm(*(outcome.net.denominator for outcome in self.outcomes))

    @property
    def nets(self) -> NDArray[np.int64]:
        """What a stake of one step nets, by way."""
        return np.array([int(outcome.net * self.step) for outcome in self.outcomes], np.int64)

    @property
    def reserve(self) -> int:
        """The most a unit staked can lose, later stages included."""
        return max(1, *(ceil(-outcome.net) for outcome in self.outcomes))

    @property
    def looks_at_pairs(self) -> bool:
        return any("pair" in fact for fact in self.facts)

    @property
    def looks_at_suits(self) -> bool:
        return any("suited" in fact for fact in self.facts)


@cache
def bets(book: Rulebook) -> Mapping[str, Bet]:
    """Every bet of a book but second stages, which belong to their first."""
    return {spot.id: _bet(book, spot) for spot in book.spots.values() if spot.stage is None}


def _bet(book: Rulebook, spot: Spot) -> Bet:
    second = book.stage_of(spot.id)
    tables = [spot.table] if second is None else [spot.table, second.table]
    facts = tuple(sorted({fact for table in tables for fact in table.facts}))
    once = Cases(dict.fromkeys(kinds(), 1))
    outcomes = (
        price(spot.table, once).outcomes
        if second is None
        else tuple(continuing(spot, second, once))
    )
    ways = {tuple(map(id, outcome.lines)): way for way, outcome in enumerate(outcomes)}
    known: dict[tuple[object, ...], int] = {}
    way_of = []
    for kind in kinds():
        case = tuple(VOCABULARY[fact].of(*kind) for fact in facts)
        if case not in known:
            truth = dict(zip(facts, case, strict=True))
            known[case] = ways[tuple(id(table.line(truth)) for table in tables)]
        way_of.append(known[case])
    return Bet(spot, outcomes, np.array(way_of, np.int16), facts)


def exact_prices(book: Rulebook, decks: int) -> Mapping[str, Price]:
    """What every bet is worth, when a bet with a second stage always continues."""
    found = odds(book, Composition.of_decks(decks))
    return {
        spot: found.decisions[spot].always if spot in found.decisions else price
        for spot, price in found.bets.items()
    }


def looks_at_suits(book: Rulebook) -> bool:
    """Does a bet of this book tell suited pairs from others?"""
    return any(bet.looks_at_suits for bet in bets(book).values())
