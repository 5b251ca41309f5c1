"""Counting cards: what every bet is worth, exactly, before each round of a shoe.

Shoes are dealt, and whoever counts knows every card that was shown: the exposed one and those of
all rounds. Burned cards nobody has seen, so to a counter they are still in the shoe. What is left
is then priced exactly, round by round. Nothing but the shoes themselves is left to chance.

Two studies come out of it. A counter who bets only when a bet is worth more than nought gains
exactly that much. And the cut-card effect is what the rounds that are not certain to be dealt are
worth beside those of a fresh shoe: rounds that are certain have its odds to the last digit, so
leaving them out takes their chance away, and nothing else.

Expected values are summed in whole millionths of a millionth, so that sums do not depend on
their order, and the result not on who works it out.
"""

from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutcard.lab.batch import Lines, lines_of
from cutcard.lab.compiled import compiled
from cutcard.lab.pictures import Bands, Measured, bands, whiskers
from cutcard.lab.sheet import Sheet, percent
from cutcard.lab.shoes import deal_shoes
from cutcard.lab.ways import bets, exact_prices, looks_at_suits
from cutcard.lab.work import Told, in_order, key_of
from cutcard.odds.certificate import Grid
from cutcard.odds.certificate import percent as exact_percent
from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.shoe import FULL_BURN, FULL_COUP, check_cut

SCALE = 10**12
TASK = 50
"""Shoes in one task."""

MOST_SHOES = 10_000_000


@dataclass(frozen=True)
class Order:
    """Shoes to be looked through, in numbers alone, so that others can be asked to do it."""

    lines: Lines
    key: int
    decks: int
    least: int
    most: int
    by_card: bool
    first: int
    start: int
    stop: int


@compiled
def left_before(cards: Any, starts: Any, rounds: Any, decks: int, first: int, left: Any) -> None:
    """What a counter believes to be in the shoe before each round from `first` on, by card."""
    row = 0
    known = np.empty(52, np.int64)
    for shoe in range(len(cards)):
        for card in range(52):
            known[card] = decks
        known[cards[shoe, 0]] -= 1
        for number in range(rounds[shoe]):
            if number >= first:
                # A new deck goes suit by suit; the shoe is wanted rank by rank.
                for card in range(52):
                    left[row, card % 13, card // 13] = known[card]
                row += 1
            for place in range(starts[shoe, number], starts[shoe, number + 1]):
                known[cards[shoe, place]] -= 1


def look_through(order: Order) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rounds of each shoe, and the value of every bet before each of them, in `SCALE`ths."""
    how = (order.decks, order.least, order.most)
    dealt = deal_shoes(order.key, order.start, order.stop, *how)
    seen = np.maximum(dealt.rounds.astype(np.int64) - order.first, 0)
    left = np.empty((int(seen.sum()), 13, 4), np.int64)
    left_before(dealt.cards, dealt.starts, dealt.rounds, order.decks, order.first, left)
    cards = left if order.by_card else left.sum(axis=2)
    evs = order.lines.evs(order.lines.count(cards))
    return dealt.rounds.astype(np.int64), np.rint(evs * SCALE).astype(np.int64)


def sum_through(order: Order) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Rounds of each shoe, how many were looked at, and the sum of every bet's values in them."""
    rounds, values = look_through(order)
    seen = np.maximum(rounds - order.first, 0)
    ends = np.cumsum(seen)
    running = np.vstack([np.zeros(values.shape[1], np.int64), np.cumsum(values, axis=0)])
    return rounds, seen, running[ends] - running[ends - seen]


def orders_for(
    book: Rulebook, shoes: int, seed: int | str, decks: int, cut: tuple[int, int], first: int
) -> list[Order]:
    if not 2 <= shoes <= MOST_SHOES:
        raise Refusal("lab/shoes", {"shoes": shoes, "most": MOST_SHOES})
    for behind in cut:
        check_cut(52 * decks, behind)
    lines, suits = lines_of(book), looks_at_suits(book)
    return [
        Order(lines, key_of(seed), decks, *cut, suits, first, start, min(start + TASK, shoes))
        for start in range(0, shoes, TASK)
    ]


def whole(parts: list[tuple[NDArray[np.int64], ...]]) -> list[NDArray[np.int64]]:
    """The answers of all orders, joined kind by kind."""
    return [np.concatenate(kind) for kind in zip(*parts, strict=True)]


# --- a counter ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gain:
    """What one bet offers to a counter."""

    spot: str
    positive: int
    value: int
    best: int
    error: float

    def share(self, rounds: int) -> Fraction:
        return Fraction(self.positive, rounds)

    @property
    def mean(self) -> Fraction:
        """Expected value of a unit, when it is bet at all."""
        return Fraction(self.value, self.positive * SCALE) if self.positive else Fraction(0)

    def a_hundred(self, rounds: int) -> Fraction:
        """Units gained in a hundred rounds, betting one whenever it is worth it."""
        return Fraction(100 * self.value, rounds * SCALE)


@dataclass(frozen=True)
class Counting:
    """What counting cards is worth, bet by bet."""

    book: Rulebook
    decks: int
    cut: tuple[int, int]
    seed: int | str
    shoes: int
    rounds: int
    gains: tuple[Gain, ...]
    spot: str
    bands: NDArray[np.float64]
    positive_by_round: NDArray[np.float64]

    def document(self) -> dict[str, object]:
        return {
            "study": "counting",
            "book": self.book.id,
            "decks": self.decks,
            "cut": list(self.cut),
            "seed": self.seed,
            "shoes": self.shoes,
            "rounds": self.rounds,
            "bets": {
                one.spot: {
                    "positive": one.positive,
                    "share": f"{float(one.share(self.rounds)):.9f}",
                    "mean": f"{float(one.mean):.9f}",
                    "a_hundred_rounds": f"{float(one.a_hundred(self.rounds)):.9f}",
                    "error": f"{one.error:.9f}",
                    "best": f"{one.best / SCALE:.9f}",
                }
                for one in self.gains
            },
            "bet": self.spot,
            "bands": {
                f"{share:g}": [f"{value:.6f}" for value in row]
                for share, row in zip(SHARES, self.bands, strict=True)
            },
            "positive_by_round": [f"{share:.6f}" for share in self.positive_by_round],
        }

    def sheet(self) -> Sheet:
        title = f"{self.book.name}, {self.decks} decks: what counting every card is worth"
        rows = tuple(
            (
                self.book.spots[one.spot].label,
                exact_percent(one.share(self.rounds)),
                exact_percent(one.mean, 3) if one.positive else "–",
                percent(one.best / SCALE, 2),
                f"{float(one.a_hundred(self.rounds)):.5f}",
                f"{one.error:.5f}",
            )
            for one in self.gains
        )
        headers = (
            "Bet", "Worth betting, % of rounds", "Then worth %", "Best seen %",
            "Units gained in 100 rounds", "± std error",
        )  # fmt: skip
        notes = (
            f"{self.shoes:,} shoes, {self.rounds:,} rounds, seed {self.seed}; every value exact, "
            "from all cards but the burned ones. The counter bets one unit whenever a bet is "
            "worth more than nought, and nothing else.",
        )
        return Sheet(title, (Grid(headers, rows, 1),), notes, self._picture())

    def _picture(self) -> str:
        label = self.book.spots[self.spot].label
        rows = [[float(value) * 100 for value in row] for row in self.bands]
        at = [float(place) for place in range(len(rows[0]))]
        pairs = [(rows[0], rows[-1]), (rows[1], rows[-2]), (rows[2], rows[-3])]
        title = f"{self.book.name}: what {label} is worth, round by round"
        note = "bands hold 98, 90 and 50 per cent of shoes; above the dashed line it gains"
        panel = Bands(f"{self.shoes:,} shoes", note, at, pairs, rows[3], 0.0)
        return bands(title, [panel], 1, "%", "rounds already dealt")


SHARES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def counting(
    book: Rulebook,
    shoes: int = 1_000,
    seed: int | str = 1,
    spot: str | None = None,
    decks: int | None = None,
    cut: int | None = None,
    executor: Executor | None = None,
    threads: int | None = None,
    told: Told | None = None,
) -> Counting:
    """How often and how much a perfect counter gains; the picture shows one bet."""
    number, place = book.decks_for(decks), book.cut.within(cut)
    known = list(bets(book))
    shown = known.index(_first_stage(book, spot)) if spot is not None else None
    orders = orders_for(book, shoes, seed, number, place, 0)
    rounds, values = whole(in_order(executor, threads, look_through, orders, told))
    total, ends = int(rounds.sum()), np.cumsum(rounds)
    gains = []
    for column, name in enumerate(known):
        won = np.maximum(values[:, column], 0)
        by_shoe = [int(one) for one in np.add.reduceat(won, ends - rounds)]
        gains.append(
            Gain(
                spot=name,
                positive=int((won > 0).sum()),
                value=sum(by_shoe),
                best=int(values[:, column].max()),
                error=100 * ratio_error(by_shoe, rounds) / SCALE,
            )
        )
    if shown is None:
        shown = max(range(len(known)), key=lambda column: gains[column].value)
    return Counting(
        book, number, place, seed, shoes, total, tuple(gains), known[shown],
        *_by_round(values[:, shown], rounds),
    )  # fmt: skip


def _first_stage(book: Rulebook, spot: str) -> str:
    chosen = book.spot(spot)
    if chosen.stage is not None:
        other = book.spots[chosen.stage.follows].name
        raise Refusal("lab/second-stage", {"spot": chosen.name, "other": other})
    return spot


def _by_round(
    values: NDArray[np.int64], rounds: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Percentiles of a bet's value before each round that most shoes have."""
    starts = np.cumsum(rounds) - rounds
    usual = int(np.percentile(rounds, 25))
    columns = [values[starts[rounds > number] + number] for number in range(usual)]
    points = [share * 100 for share in SHARES]
    found = np.array([np.percentile(column, points) for column in columns]).T / SCALE
    return found, np.array([float((column > 0).mean()) for column in columns])


def ratio_error(sums: list[int], rounds: NDArray[np.int64]) -> float:
    """The standard error of a ratio, sum to rounds, by how whole shoes differ."""
    total, number = int(rounds.sum()), len(sums)
    mean = sum(sums) / total
    squares = sum((one - mean * int(some)) ** 2 for one, some in zip(sums, rounds, strict=True))
    return sqrt(squares * number / (number - 1)) / total


# --- the cut card -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Effect:
    """How much more, or less, a bet is worth on average up to the cut card."""

    spot: str
    change: Fraction
    error: float


@dataclass(frozen=True)
class CutCard:
    """The cut-card effect of every bet."""

    book: Rulebook
    decks: int
    cut: tuple[int, int]
    seed: int | str
    shoes: int
    rounds: int
    certain: int
    effects: tuple[Effect, ...]

    def document(self) -> dict[str, object]:
        return {
            "study": "cut-card",
            "book": self.book.id,
            "decks": self.decks,
            "cut": list(self.cut),
            "seed": self.seed,
            "shoes": self.shoes,
            "rounds": self.rounds,
            "certain": self.certain,
            "bets": {
                one.spot: {
                    "change": f"{float(one.change):.12f}",
                    "error": f"{one.error:.12f}",
                }
                for one in self.effects
            },
        }

    def sheet(self) -> Sheet:
        where = str(self.cut[0]) if self.cut[0] == self.cut[1] else f"{self.cut[0]}–{self.cut[1]}"
        title = f"{self.book.name}, {self.decks} decks, cut card {where} from the end: its effect"
        rows = tuple(
            (
                self.book.spots[one.spot].label,
                f"{float(one.change) * 100:+.6f}",
                f"{one.error * 100:.6f}",
                f"{float(one.change) / one.error:+.1f}" if one.error else "–",
            )
            for one in self.effects
        )
        headers = ("Bet", "Change of value, % points", "± std error", "In errors")
        notes = (
            f"{self.shoes:,} shoes, {self.rounds / self.shoes:.2f} rounds a shoe, seed "
            f"{self.seed}. The first {self.certain} rounds are certain to be dealt and have "
            "exactly the odds of a fresh shoe; the others come from shoes whose early rounds took "
            "few cards. Plus is to the patron's good.",
        )
        measured = [
            Measured(
                self.book.spots[one.spot].label,
                float(one.change) * 100,
                one.error * 100,
                f"{float(one.change) * 100:+.5f} ± {one.error * 100:.5f}",
            )
            for one in self.effects
        ]
        note = "percentage points of the stake; lines are two standard errors either way"
        return Sheet(title, (Grid(headers, rows, 1),), notes, whiskers(title, measured, note))


def cut_card_effect(
    book: Rulebook,
    shoes: int = 2_000,
    seed: int | str = 1,
    decks: int | None = None,
    cut: int | None = None,
    executor: Executor | None = None,
    threads: int | None = None,
    told: Told | None = None,
) -> CutCard:
    """How the odds averaged over all rounds up to a cut card differ from a fresh shoe's."""
    number, place = book.decks_for(decks), book.cut.within(cut)
    certain = certain_rounds(number, place[1])
    orders = orders_for(book, shoes, seed, number, place, certain)
    rounds, seen, sums = whole(in_order(executor, threads, sum_through, orders, told))
    total = int(rounds.sum())
    fresh = exact_prices(book, number)
    effects = []
    for column, spot in enumerate(bets(book)):
        # What the optional rounds were worth, less as many rounds of a fresh shoe.
        start = round(fresh[spot].ev * SCALE)
        by_shoe = [
            int(worth) - start * int(some)
            for worth, some in zip(sums[:, column], seen, strict=True)
        ]
        change = Fraction(sum(by_shoe), total * SCALE)
        effects.append(Effect(spot, change, ratio_error(by_shoe, rounds) / SCALE))
    return CutCard(book, number, place, seed, shoes, total, certain, tuple(effects))


def certain_rounds(decks: int, behind_cut: int) -> int:
    """Rounds that every shoe has, whatever cards it holds."""
    # All but the last end before the cut card even if each takes six cards and eleven are burned.
    return max(0, (52 * decks - FULL_BURN - behind_cut) // FULL_COUP) + 1
