"""Evidence that shoes are shuffled evenly: five tests on many shoes at the 99 % level.

What can be proven is proven elsewhere, by counting (tests/fairness). These tests
run the real code on real entropy and find gross faults: a wrong bound, a stuck
word, a shoe dealt twice. They cannot show that an order is unpredictable: a shoe
whose order a cheat knows passes every one of them.

Mean and variance of each figure are exact for cards drawn without replacement;
only the last step, from figure to chance, is an approximation.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from cutcard.fairness.gamma import chi_square_p, normal_p, poisson_p
from cutcard.fairness.order import applied, entropy_needed, house_order, patrons_order
from cutcard.fairness.source import Source
from cutcard.rules.cards import DECK, Card, Suit
from cutcard.rules.shoe import full_shoe

LEVEL = 0.01
"""A sound shuffle fails at least one of the tests with this chance, and no greater one."""

LAGS = range(1, 7)
"""Cards so far apart are compared: those of one coup."""


@dataclass(frozen=True, slots=True)
class Result:
    """One test: its figure, and the chance of one as strange from a sound shuffle."""

    name: str
    figure: float
    p: float


Results = tuple[Result, ...]


def least(tests: int) -> float:
    """The least p that passes: the level holds for all tests together, each has its part of it."""
    return LEVEL / tests


def examine(shoes: Iterable[Sequence[Card]], decks: int) -> Results:
    """Test shoes of so many decks, all of them whole."""
    counts = _Counts(decks)
    for shoe in shoes:
        counts.add([_PLACE[card] for card in shoe])
    return (
        counts.position(),
        *(counts.serial(lag) for lag in LAGS),
        counts.runs(),
        counts.matches(),
        counts.duplicates(),
    )


_PLACE = {card: place for place, card in enumerate(DECK)}
_POINTS = [card.points for card in DECK]
_RED = [card.suit in (Suit.DIAMONDS, Suit.HEARTS) for card in DECK]


class _Counts:
    """What is remembered of many shoes. Cards are numbers from 0 to 51 here."""

    def __init__(self, decks: int) -> None:
        self.decks, self.cards = decks, 52 * decks
        self.shoes = 0
        self._seen = [[0] * 52 for _ in range(self.cards)]
        self._products = dict.fromkeys(LAGS, 0)
        self._runs = 0
        self._matches = 0
        self._last: list[int] = []
        self._openings: list[tuple[int, ...]] = []

    def add(self, shoe: list[int]) -> None:
        for row, card in zip(self._seen, shoe, strict=True):
            row[card] += 1
        points = [_POINTS[card] for card in shoe]
        for lag in LAGS:
            # In a circle: the last cards are followed by the first.
            turned = points[lag:] + points[:lag]
            self._products[lag] += sum(map(int.__mul__, points, turned))
        red = [_RED[card] for card in shoe]
        self._runs += 1 + sum(map(bool.__ne__, red, red[1:]))
        self._matches += sum(map(int.__eq__, shoe, self._last))
        self._last = shoe
        self._openings.append(tuple(shoe[:8]))
        self.shoes += 1

    def position(self) -> Result:
        """Whether every card comes at every place equally often: chi-square of the whole table."""
        expected = Fraction(self.shoes, 52)
        squares = sum(seen * seen for row in self._seen for seen in row)
        # Σ (seen - expected)² / expected, where Σ seen is known.
        statistic = squares / expected - self.shoes * self.cards
        # Each shoe has every place once and every card as often as there are decks, so a table of
        # shoes spreads a little wider than one of free draws.
        statistic *= Fraction(self.cards - 1, self.cards)
        freedom = (self.cards - 1) * 51
        p = chi_square_p(float(statistic), freedom)
        # A table that is too even is as strange as one that is too uneven.
        return Result("position and card", float(statistic), 2 * min(p, 1 - p))

    def serial(self, lag: int) -> Result:
        """Whether points say anything about the points so many cards later."""
        mean, variance = product_moments(_POINTS * self.decks)
        return self._normal(f"serial, {lag} apart", self._products[lag], mean, variance, self.shoes)

    def runs(self) -> Result:
        """Whether the colour changes as often as it should."""
        half = self.cards // 2
        mean, variance = runs_moments(half, half)
        return self._normal("runs of colour", self._runs, mean, variance, self.shoes)

    def matches(self) -> Result:
        """Whether a shoe repeats cards of the one before at their places."""
        mean, variance = match_moments(self.decks)
        times = self.shoes - 1
        return self._normal("matches, shoe before", self._matches, mean, variance, times)

    def duplicates(self) -> Result:
        """Whether more shoes begin alike than chance makes them."""
        size = 1
        pairs = Fraction(self.shoes * (self.shoes - 1), 2)
        # So long an opening that some twenty pairs at most are expected to share it.
        while size < 8 and pairs * alike(self.decks, size) > 20:
            size += 1
        counted = Counter(opening[:size] for opening in self._openings)
        found = sum(times * (times - 1) // 2 for times in counted.values())
        p = poisson_p(found, float(pairs * alike(self.decks, size)))
        return Result(f"same first {size} cards", found, p)

    def _normal(
        self, name: str, found: int, mean: Fraction, variance: Fraction, times: int
    ) -> Result:
        deviations = float(found - times * mean) / sqrt(times * variance) if times else 0.0
        return Result(name, deviations, normal_p(deviations))


def product_moments(values: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Mean and variance of Σ x_i x_(i+lag) in a circle, over all orders of the values.

    Wald and Wolfowitz, 1943. It holds for every lag that joins no two places twice.
    """
    n = len(values)
    s1, s2, s3, s4 = (sum(value**power for value in values) for power in (1, 2, 3, 4))
    mean = Fraction(s1**2 - s2, n - 1)
    crossed = s1**4 - 4 * s1**2 * s2 + 4 * s1 * s3 + s2**2 - 2 * s4
    square = Fraction(s2**2 - s4, n - 1) + Fraction(crossed, (n - 1) * (n - 2))
    return mean, square - mean**2


def runs_moments(red: int, black: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of the number of runs, over all orders of so many red and black cards."""
    n, pairs = red + black, 2 * red * black
    return 1 + Fraction(pairs, n), Fraction(pairs * (pairs - n), n * n * (n - 1))


def match_moments(decks: int, kinds: int = 52) -> tuple[Fraction, Fraction]:
    """Mean and variance of the places at which two shoes hold the same card."""
    n = kinds * decks
    alike = kinds * decks * (decks - 1)
    # Two places with cards alike, two with cards unlike: the chance that both match.
    both = Fraction(alike * decks * (decks - 1) + (n * (n - 1) - alike) * decks**2, n * (n - 1))
    mean = Fraction(decks)
    return mean, mean + both - mean**2


def alike(decks: int, size: int, kinds: int = 52) -> Fraction:
    """The chance that two shoes begin with the same so many cards."""
    # By how often the cards so far were used: the sum of squared chances of all such openings.
    openings: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    for left in range(kinds * decks, kinds * decks - size, -1):
        following: dict[tuple[int, ...], Fraction] = {}
        for used, weight in openings.items():
            ways = [((*used, 1), (kinds - len(used)) * decks**2)]
            for place, times in enumerate(used):
                more = (*used[:place], times + 1, *used[place + 1 :])
                ways.append((more, (decks - times) ** 2))
            for after, ways_squared in ways:
                key = tuple(sorted(after))
                following[key] = following.get(key, Fraction(0)) + weight * Fraction(
                    ways_squared, left**2
                )
        openings = following
    return sum(openings.values(), Fraction(0))


def house_shoes(source: Source, decks: int, shoes: int) -> Iterator[tuple[Card, ...]]:
    """Orders of the house, as they would be committed."""
    for _ in range(shoes):
        yield house_order(decks, source.take(entropy_needed(decks)))[0]


def patrons_shoes(source: Source, decks: int, shoes: int) -> Iterator[tuple[Card, ...]]:
    """Orders that seeds give, applied to new decks.

    They are looked at by themselves: applied to an even order, a faulty one would not show.
    """
    new = full_shoe(decks)
    for _ in range(shoes):
        commitment, seed = source.take(32), source.take(32)
        yield applied(patrons_order(commitment, {"patron": seed}, len(new)), new)
