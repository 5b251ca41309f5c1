"""Simulation: whole shoes by a book's own procedure, and what every bet came to.

Shoes are dealt in blocks of 64 (see `lanes`), or card by card where a bet looks at suits. All
that any bet can tell of a round is counted: points, cards and pairs of both sides together. The
counts are then priced by the lines that settle bets, just as exact odds are.

Rounds of one shoe are not independent, shoes are. So the standard error of a bet comes from
parts of the run, each of many whole shoes, and not from single rounds.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from cutcard.lab.lanes import CELLS, LANES, deal_blocks
from cutcard.lab.shoes import SUITED_CELLS, deal_shoes
from cutcard.lab.ways import Bet, bets, exact_prices, kinds, looks_at_suits
from cutcard.lab.work import answers, key_of, somebody
from cutcard.odds import Price
from cutcard.odds.kinds import Counts, Kind
from cutcard.refusals import Refusal
from cutcard.rules.facts import Hand
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.shoe import FULL_BURN, FULL_COUP, check_cut

PARTS = 256
"""Into so many parts a long run is divided, to see how much they differ."""

LEAST_PARTS = 20
"""Fewer parts differ too little or too much by chance to tell an error from them."""

MOST_BLOCKS = 1024
"""Blocks in one task: some five million rounds, a few hundredths of a second."""

MOST_ROUNDS = 10**13


@dataclass(frozen=True)
class Plan:
    """What is to be dealt; the same plan always comes to the same counts."""

    seed: int | str
    decks: int
    least: int
    most: int
    fixed: int
    by_card: bool
    blocks: int

    @property
    def per_task(self) -> int:
        return min(MOST_BLOCKS, max(1, self.blocks // PARTS))

    @property
    def tasks(self) -> int:
        return ceil(self.blocks / self.per_task)

    def document(self) -> dict[str, object]:
        how: dict[str, object] = {"rounds_per_shoe": self.fixed}
        if not self.fixed:
            how = {"cut": self.least if self.least == self.most else [self.least, self.most]}
        return {"seed": self.seed, "decks": self.decks, **how}


def plan(
    book: Rulebook,
    rounds: int,
    seed: int | str = 1,
    decks: int | None = None,
    cut: int | None = None,
    rounds_per_shoe: int | None = None,
) -> Plan:
    """Shoes for about so many rounds, and not fewer: of the book's decks and cut card."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refusal("lab/rounds", {"rounds": rounds, "most": MOST_ROUNDS})
    number = book.decks_for(decks)
    cards = 52 * number
    least, most = book.cut.within(cut)
    check_cut(cards, least)
    if rounds_per_shoe is not None:
        longest = (cards - FULL_BURN) // FULL_COUP
        if cut is not None:
            raise Refusal("lab/cut-or-rounds")
        if not 1 <= rounds_per_shoe <= longest:
            raise Refusal(
                "lab/rounds-per-shoe",
                {"rounds": rounds_per_shoe, "most": longest, "decks": number},
            )
    shoe = rounds_per_shoe or mean_rounds(number, Fraction(least + most, 2))
    return Plan(
        seed=seed,
        decks=number,
        least=least,
        most=most,
        fixed=rounds_per_shoe or 0,
        by_card=looks_at_suits(book),
        blocks=ceil(rounds / (LANES * shoe)),
    )


@cache
def mean_rounds(decks: int, behind_cut: Fraction) -> Fraction:
    """Rounds of a shoe up to the cut card, reckoned a little low, so that no run falls short."""
    # The exposed card and on average 85/13 more are gone; a coup takes hardly less than five.
    dealt = 52 * decks - 1 - Fraction(85, 13) - behind_cut
    return dealt / Fraction(496, 100)


Histogram = NDArray[np.int64]


def deal_task(order: tuple[Plan, int]) -> tuple[Histogram, int, int]:
    """One task of a plan: its histogram, its rounds, its shoes."""
    plan, number = order
    start = number * plan.per_task
    stop = min(plan.blocks, start + plan.per_task)
    shoes = (stop - start) * LANES
    how = (plan.decks, plan.least, plan.most, plan.fixed)
    if not plan.by_card:
        counted, rounds = deal_blocks(np.uint64(key_of(plan.seed)), start, stop, *how)
        return np.asarray(counted), int(rounds), shoes
    histogram = np.zeros(SUITED_CELLS, np.int64)
    for block in range(start, stop):
        dealt = deal_shoes(key_of(plan.seed), block * LANES, (block + 1) * LANES, *how)
        inside = np.arange(dealt.cells.shape[1]) < dealt.rounds[:, None]
        histogram += np.bincount(dealt.cells[inside], minlength=SUITED_CELLS)
    return histogram, int(histogram.sum()), shoes


def warm_up() -> None:
    """Compile what deals, or fetch it from the cache."""
    deal_task((Plan(0, 1, FULL_COUP, FULL_COUP, 0, False, 1), 0))


@cache
def kind_of_cell() -> Mapping[int, int]:
    """Which kind of coup a cell of the histogram counts."""
    places = {kind: number for number, kind in enumerate(kinds())}
    found = {}
    for cell in range(SUITED_CELLS):
        flags, player, banker = cell >> 8, cell >> 4 & 15, cell & 15
        kind = (
            _hand(player, flags & 1, flags >> 2 & 1, flags >> 4 & 1),
            _hand(banker, flags >> 1 & 1, flags >> 3 & 1, flags >> 5 & 1),
        )
        if kind in places:
            found[cell] = places[kind]
    return found


def _hand(points: int, drew: int, pair: int, suited: int) -> Hand:
    natural = not drew and points >= 8
    return Hand(points, 2 + drew, natural, bool(pair), bool(suited))


@dataclass(frozen=True)
class Result:
    """What a bet came to, beside what it is worth exactly.

    `error` is the standard error of its expected value, None where there was too little to tell;
    `difference` is simulated less exact.
    """

    simulated: Price
    exact: Price
    error: float | None

    @property
    def difference(self) -> Fraction:
        return self.simulated.ev - self.exact.ev

    @property
    def errors(self) -> float | None:
        """The difference in standard errors."""
        return float(self.difference) / self.error if self.error else None


@dataclass(frozen=True)
class Simulation:
    """The counts of a run, part by part, and what they say of every bet."""

    book: Rulebook
    plan: Plan
    parts: Histogram
    rounds: int
    shoes: int
    stopped: bool = False

    @cached_property
    def counts(self) -> Counts:
        """How often each kind of coup came."""
        found: Counter[Kind] = Counter()
        histogram = self.parts.sum(axis=0)
        for cell in np.flatnonzero(histogram):
            found[kinds()[kind_of_cell()[int(cell)]]] += int(histogram[cell])
        return dict(found)

    @cached_property
    def results(self) -> Mapping[str, Result]:
        """Every bet; one with a second stage always continues."""
        exact = exact_prices(self.book, self.plan.decks)
        by_kind = self._by_kind()
        found = {}
        for spot, bet in bets(self.book).items():
            found[spot] = Result(
                simulated=bet.price(self._orders(bet, by_kind.sum(axis=0))),
                exact=exact[spot],
                error=self._error(bet, by_kind),
            )
        return found

    def _by_kind(self) -> Histogram:
        by_kind = np.zeros((len(self.parts), len(kinds())), np.int64)
        for cell, kind in kind_of_cell().items():
            if cell < self.parts.shape[1]:
                by_kind[:, kind] += self.parts[:, cell]
        return by_kind

    @staticmethod
    def _orders(bet: Bet, by_kind: Histogram) -> Histogram:
        orders = np.zeros(len(bet.outcomes), np.int64)
        np.add.at(orders, bet.way_of, by_kind)
        return orders

    @staticmethod
    def _error(bet: Bet, by_kind: Histogram) -> float | None:
        """Of a ratio, net result to rounds, by how the parts of the run differ."""
        dealt = by_kind[by_kind.sum(axis=1) > 0]
        nets = [int(n) for n in dealt @ bet.nets[bet.way_of]]
        rounds = [int(n) for n in dealt.sum(axis=1)]
        number, total = len(rounds), sum(rounds)
        if number < LEAST_PARTS:
            return None
        mean = Fraction(sum(nets), total)
        squares = sum((net - mean * some) ** 2 for net, some in zip(nets, rounds, strict=True))
        return sqrt(squares * number / (number - 1)) / total / bet.step

    def document(self) -> dict[str, object]:
        """The run as the command line writes it for programs."""
        return {
            "book": self.book.id,
            **self.plan.document(),
            "rounds": self.rounds,
            "shoes": self.shoes,
            "stopped": self.stopped,
            "bets": {spot: self._told(result) for spot, result in self.results.items()},
        }

    @staticmethod
    def _told(result: Result) -> dict[str, object]:
        return {
            **result.simulated.document(),
            "exact_ev": str(result.exact.ev),
            "difference": str(result.difference),
            "standard_error": None if result.error is None else f"{result.error:.9f}",
            "standard_errors": None if result.errors is None else f"{result.errors:.2f}",
        }


Told = Callable[[int, float], None]
"""Is told how many rounds were dealt so far, and which share of the work is done."""


def simulate(
    book: Rulebook,
    rounds: int,
    seed: int | str = 1,
    *,
    decks: int | None = None,
    cut: int | None = None,
    rounds_per_shoe: int | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    told: Told | None = None,
) -> Simulation:
    """Deal about so many rounds, and settle every bet of the book on them.

    An interrupt (Ctrl-C) ends the run, and what was dealt until then is the result.
    """
    planned = plan(book, rounds, seed, decks, cut, rounds_per_shoe)
    width = SUITED_CELLS if planned.by_card else CELLS
    parts = np.zeros((min(PARTS, planned.tasks), width), np.int64)
    dealt = shoes = done = 0
    stopped = False
    orders = [(planned, number) for number in range(planned.tasks)]
    try:
        with somebody(executor, threads) as workers:
            for number, (histogram, some, of_shoes) in answers(workers, deal_task, orders):
                parts[number % PARTS] += histogram
                dealt, shoes, done = dealt + some, shoes + of_shoes, done + 1
                if told is not None:
                    told(dealt, done / planned.tasks)
    except KeyboardInterrupt:
        stopped = True
        if not dealt:
            raise
    return Simulation(book, planned, parts, dealt, shoes, stopped)
