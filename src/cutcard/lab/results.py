"""Results of flat betting: what a bet comes to after so many rounds, and what it costs an hour.

Both are worked out, not simulated. Every round is taken to be the first of a fresh shoe, as at a
table with a continuous shuffler; through real shoes rounds hang together so little that no digit
shown here would change (the study of ruin sets the two side by side).
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, gcd, sqrt

import numpy as np
from numpy.typing import NDArray

from cutcard.lab.pictures import shape
from cutcard.lab.sheet import Sheet
from cutcard.odds import Composition, Price, odds, plots
from cutcard.odds.certificate import Grid
from cutcard.odds.certificate import percent as exact_percent
from cutcard.odds.pricing import decimal
from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.settlement import MOST_STAKE

MOST_ROUNDS = 100_000
MOST_RESULTS = 2**22
"""So many different results can be told apart."""

COLUMNS = 61


def check_rounds(rounds: int, most: int = MOST_ROUNDS) -> None:
    if not 1 <= rounds <= most:
        raise Refusal("lab/rounds", {"rounds": rounds, "most": most})


@dataclass(frozen=True)
class Distribution:
    """How likely each net result is, in stakes, after so many rounds of one bet."""

    book: Rulebook
    decks: int
    spot: str
    rounds: int
    price: Price
    nets: NDArray[np.float64]
    chances: NDArray[np.float64]

    @property
    def mean(self) -> Fraction:
        return self.rounds * self.price.ev

    @property
    def deviation(self) -> float:
        return sqrt(self.rounds * self.price.variance)

    @property
    def ahead(self) -> float:
        return float(self.chances[self.nets > TINY].sum())

    @property
    def even(self) -> float:
        return float(self.chances[np.abs(self.nets) <= TINY].sum())

    @property
    def behind(self) -> float:
        return float(self.chances[self.nets < -TINY].sum())

    def quantile(self, share: float) -> float:
        """The result that so large a share of patrons do not exceed."""
        place = int(np.searchsorted(np.cumsum(self.chances), share))
        return float(self.nets[min(place, len(self.nets) - 1)])

    @cached_property
    def columns(self) -> tuple[list[float], list[float]]:
        """Edges and shares of columns that hold all but the unlikeliest results."""
        low, high = self.quantile(0.0005), self.quantile(0.9995)
        reach = max(abs(low), abs(high), 1.0)
        # One column stands around nought, so that none holds gains and losses.
        width = float(ceil(2 * reach / COLUMNS))
        number = int(reach / width) + 1
        edges = [(place - 0.5) * width for place in range(-number, number + 2)]
        shares, _ = np.histogram(self.nets, bins=edges, weights=self.chances)
        return edges, [float(share) for share in shares]

    def document(self) -> dict[str, object]:
        edges, shares = self.columns
        return {
            "study": "distribution",
            "book": self.book.id,
            "decks": self.decks,
            "bet": self.spot,
            "rounds": self.rounds,
            "mean": str(self.mean),
            "deviation": f"{self.deviation:.6f}",
            "ahead": f"{self.ahead:.9f}",
            "even": f"{self.even:.9f}",
            "behind": f"{self.behind:.9f}",
            "quantiles": {f"{share:g}": f"{self.quantile(share):.2f}" for share in QUANTILES},
            "edges": [f"{edge:.6g}" for edge in edges],
            "shares": [f"{share:.9f}" for share in shares],
        }

    def sheet(self) -> Sheet:
        label = self.book.spots[self.spot].label
        title = f"{self.book.name}: {label} after {self.rounds:,} rounds, in stakes"
        rows = [
            ("Mean", decimal(self.mean, 4)),
            ("Standard deviation", f"{self.deviation:.4f}"),
            ("Ahead, %", f"{self.ahead * 100:.4f}"),
            ("Even, %", f"{self.even * 100:.4f}"),
            ("Behind, %", f"{self.behind * 100:.4f}"),
        ]
        rows += [
            (f"{share * 100:g}% do not exceed", f"{self.quantile(share):+.2f}")
            for share in QUANTILES
        ]
        marks = f"behind {self.behind * 100:.1f}%, ahead {self.ahead * 100:.1f}%"
        return Sheet(
            title,
            (Grid(("After so many rounds", "Result"), tuple(rows), 1),),
            (
                "Worked out, not simulated; each round is the first of a fresh shoe, and a bet "
                "with a second stage is played by its best decision.",
            ),
            shape(title, *self.columns, marks),
        )


QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
TINY = 1e-9


def distribution(book: Rulebook, spot: str, rounds: int, decks: int | None = None) -> Distribution:
    """The results of flat betting one unit, each with its chance."""
    check_rounds(rounds)
    number, price = _priced(book, spot, decks)
    return Distribution(book, number, spot, rounds, price, *_chances(price, rounds))


def _priced(book: Rulebook, spot: str, decks: int | None) -> tuple[int, Price]:
    number = book.decks_for(decks)
    chosen = book.spot(spot)
    if chosen.stage is not None:
        raise Refusal(
            "lab/second-stage",
            {"spot": chosen.name, "other": book.spots[chosen.stage.follows].name},
        )
    return number, odds(book, Composition.of_decks(number)).bets[spot]


def _chances(price: Price, rounds: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The distribution of a sum: a power of one round's, taken between two transforms."""
    common = np.lcm.reduce([one.net.denominator for one in price.outcomes])
    nets = [int(one.net * int(common)) for one in price.outcomes]
    low = min(nets)
    grain = gcd(*(net - low for net in nets)) or 1
    one = np.zeros((max(nets) - low) // grain + 1)
    for net, outcome in zip(nets, price.outcomes, strict=True):
        one[(net - low) // grain] += outcome.orders / price.orders
    size = rounds * (len(one) - 1) + 1
    if size > MOST_RESULTS:
        raise Refusal("lab/rounds", {"rounds": rounds, "most": MOST_RESULTS // (len(one) - 1)})
    length = 1 << size.bit_length()
    chances = np.fft.irfft(np.fft.rfft(one, length) ** rounds, length)[:size]
    # What is left of a chance that is nought is less than the transforms can tell.
    chances = np.where(chances < 1e-15, 0.0, chances)
    results = (rounds * low + grain * np.arange(size)) / int(common)
    return results, chances / chances.sum()


@dataclass(frozen=True)
class Hour:
    """What one bet does to a patron in an hour, in the currency of the stake."""

    spot: str
    price: Price
    cost: Fraction
    deviation: float
    ahead: float


@dataclass(frozen=True)
class PerHour:
    """What a patron pays an hour for each bet, on average and give or take."""

    book: Rulebook
    decks: int
    stake: int
    rounds: int
    hours: tuple[Hour, ...]

    def document(self) -> dict[str, object]:
        return {
            "study": "per-hour",
            "book": self.book.id,
            "decks": self.decks,
            "stake": self.stake,
            "rounds": self.rounds,
            "bets": {
                one.spot: {
                    "cost": str(one.cost),
                    "edge": str(one.price.edge),
                    "deviation": f"{one.deviation:.2f}",
                    "ahead": f"{one.ahead:.6f}",
                }
                for one in self.hours
            },
        }

    def sheet(self) -> Sheet:
        title = f"{self.book.name}: what {self.rounds} rounds an hour cost, {self.stake:,} on each"
        rows = tuple(
            (
                self.book.spots[one.spot].label,
                exact_percent(one.price.edge),
                decimal(one.cost, 2, ","),
                f"{one.deviation:,.0f}",
                f"{one.ahead * 100:.2f}",
            )
            for one in self.hours
        )
        bars = [
            plots.Bar(self.book.spots[one.spot].label, one.cost, decimal(one.cost, 2, ","))
            for one in self.hours
        ]
        headers = ("Bet", "House edge %", "Paid an hour", "Give or take", "Ahead after it %")
        return Sheet(
            title,
            (Grid(headers, rows, 1),),
            (
                "Paid on average: edge × stake × rounds, exactly. Two patrons in three end within "
                "“give or take” of it (one standard deviation).",
            ),
            plots.bars(title, bars),
        )


def per_hour(
    book: Rulebook, stake: int = 100, rounds: int = 70, decks: int | None = None
) -> PerHour:
    """What a patron pays an hour by bet."""
    check_rounds(rounds, 1_000)
    if not 1 <= stake <= MOST_STAKE:
        raise Refusal("lab/stake", {"stake": stake, "most": MOST_STAKE})
    number = book.decks_for(decks)
    hours = []
    for spot, price in odds(book, Composition.of_decks(number)).bets.items():
        nets, chances = _chances(price, rounds)
        hours.append(
            Hour(
                spot=spot,
                price=price,
                cost=price.edge * stake * rounds,
                deviation=stake * sqrt(rounds * price.variance),
                ahead=float(chances[nets > TINY].sum()),
            )
        )
    return PerHour(book, number, stake, rounds, tuple(hours))
