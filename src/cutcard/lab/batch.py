"""Batches: exact odds of thousands of shoes at once, to the integer those of `cutcard.odds`."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cutcard.lab.exact import VALUE_OF, count_lines, endings
from cutcard.lab.ways import PAIRS, bets, looks_at_suits
from cutcard.odds import Composition, Price
from cutcard.odds.bets import fresh
from cutcard.refusals import Refusal
from cutcard.rules.cards import Card, Rank, Suit
from cutcard.rules.rulebook import Rulebook

TASK = 2_000
"""Shoes that are counted in one go, where others are asked to do it."""

Cards = NDArray[np.int64]
"""Shoes by rank, or by rank and suit, in the order in which `Rank` and `Suit` name them."""


@dataclass(frozen=True)
class Lines:
    """A book's bets as numbers alone, so that they can be sent to other machines."""

    way_of: NDArray[np.int16]
    looks_at_pairs: NDArray[np.bool_]
    sizes: tuple[int, ...]
    nets: NDArray[np.float64]

    def count(self, cards: Cards) -> NDArray[np.int64]:
        """Orders of each shoe by way, all bets in a row."""
        by_rank = np.ascontiguousarray(cards if cards.ndim == 2 else cards.sum(axis=2))
        suited, twice = np.zeros_like(by_rank), np.zeros_like(by_rank)
        if cards.ndim == 3:
            pairs = cards * (cards - 1)
            suited = pairs.sum(axis=2)
            # Two suited pairs of one rank: of two suits, or four equal cards.
            four = pairs * (cards - 2) * (cards - 3)
            twice = (pairs * (suited[:, :, None] - pairs) + four).sum(axis=2)
        none, player, banker, both = endings()
        # fmt: off
        return np.asarray(count_lines(
            by_rank, suited, twice, VALUE_OF, none, player, banker, both,
            self.way_of, self.looks_at_pairs, sum(self.sizes),
        ))
        # fmt: on

    def evs(self, counted: NDArray[np.int64]) -> NDArray[np.float64]:
        """Expected values per unit staked, shoe by bet, as near as a float comes."""
        # Orders of eight decks are whole numbers below 2^53, which floats hold exactly.
        ends = np.cumsum(self.sizes)
        orders = counted[:, : ends[0]].sum(axis=1)
        won = np.add.reduceat(counted * self.nets, [0, *ends[:-1]], axis=1)
        return np.asarray(won / orders[:, None], np.float64)


@cache
def lines_of(book: Rulebook) -> Lines:
    """A book's bets as numbers."""
    known = list(bets(book).values())
    starts = np.cumsum([0, *(len(bet.outcomes) for bet in known)])
    return Lines(
        way_of=np.stack(
            [
                bet.way_of.reshape(-1, PAIRS) + np.int16(start)
                for bet, start in zip(known, starts[:-1], strict=True)
            ]
        ),
        looks_at_pairs=np.array([bet.looks_at_pairs for bet in known]),
        sizes=tuple(len(bet.outcomes) for bet in known),
        nets=np.array([float(one.net) for bet in known for one in bet.outcomes]),
    )


@dataclass(frozen=True)
class Batch:
    """Every bet of a book for many shoes: how many orders take each way."""

    book: Rulebook
    counted: NDArray[np.int64]

    @property
    def orders(self) -> Mapping[str, NDArray[np.int64]]:
        """By bet: a row for each shoe, a column for each way the bet can end."""
        places = np.cumsum(lines_of(self.book).sizes)[:-1]
        return dict(zip(bets(self.book), np.split(self.counted, places, axis=1), strict=True))

    def price(self, shoe: int, spot: str) -> Price:
        """One bet of one shoe, exactly; a bet with a second stage always continues."""
        return bets(self.book)[spot].price(self.orders[spot][shoe])

    def evs(self, spot: str) -> NDArray[np.float64]:
        """Expected values per unit staked, shoe by shoe, as near as a float comes."""
        place = list(bets(self.book)).index(self.book.spot(spot).id)
        return np.asarray(lines_of(self.book).evs(self.counted)[:, place])


def odds_of_many(
    book: Rulebook, shoes: Sequence[Composition], executor: Executor | None = None
) -> Batch:
    """Exact odds of every bet for many shoes."""
    if not shoes:
        raise Refusal("lab/no-shoes")
    lines = lines_of(book)
    cards = as_cards(book, shoes)
    if executor is None:
        return Batch(book, lines.count(cards))
    parts = [cards[at : at + TASK] for at in range(0, len(cards), TASK)]
    return Batch(book, np.concatenate(list(executor.map(lines.count, parts))))


def as_cards(book: Rulebook, shoes: Sequence[Composition]) -> Cards:
    """Shoes as numbers, each checked as if its odds were asked for alone."""
    checked = [fresh(book, shoe) for shoe in shoes]
    if not looks_at_suits(book):
        return np.array([[shoe.ranks[rank] for rank in Rank] for shoe in checked], np.int64)
    return np.array(
        [
            [[(shoe.cards or {}).get(Card(rank, suit), 0) for suit in Suit] for rank in Rank]
            for shoe in checked
        ],
        np.int64,
    )
