"""Pricing: from counted kinds to what a bet is worth.

The lines that settle a bet price it. Every figure is a Fraction made from whole
numbers of orders; nothing is simulated and nothing is rounded.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from cutcard.odds.kinds import Counts
from cutcard.rules.facts import VOCABULARY, Value
from cutcard.rules.paytable import Line, PayTable


def decimal(value: Fraction, places: int, comma: str = "") -> str:
    """An exact value to so many places, rounded to the nearest; a half goes to the even digit.

    >>> decimal(Fraction(796, 5395) * 100, 6), decimal(Fraction(4021, 4), 2, ",")
    ('14.754402', '1,005.25')
    """
    scaled = round(value * 10**places)
    whole, part = divmod(abs(scaled), 10**places)
    return f"{'-' if scaled < 0 else ''}{whole:{comma}}.{part:0{places}d}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way a bet can end, per unit staked: what it nets, what was in action, how often."""

    lines: tuple[Line, ...]
    net: Fraction
    action: Fraction
    orders: int


@dataclass(frozen=True)
class Price:
    """What a bet is worth per unit staked, exactly."""

    outcomes: tuple[Outcome, ...]

    @property
    def orders(self) -> int:
        return sum(outcome.orders for outcome in self.outcomes)

    def _mean(self, values: Iterable[Fraction]) -> Fraction:
        weighted = zip(values, self.outcomes, strict=True)
        return sum((value * one.orders for value, one in weighted), Fraction(0)) / self.orders

    def _share(self, wanted: Iterable[bool]) -> Fraction:
        return self._mean(Fraction(one) for one in wanted)

    @property
    def win(self) -> Fraction:
        return self._share(one.net > 0 for one in self.outcomes)

    @property
    def push(self) -> Fraction:
        return self._share(one.net == 0 for one in self.outcomes)

    @property
    def lose(self) -> Fraction:
        return self._share(one.net < 0 for one in self.outcomes)

    @property
    def ev(self) -> Fraction:
        """Expected net result."""
        return self._mean(one.net for one in self.outcomes)

    @property
    def edge(self) -> Fraction:
        """The house's expected share."""
        return -self.ev

    @property
    def rtp(self) -> Fraction:
        return 1 + self.ev

    @property
    def variance(self) -> Fraction:
        return self._mean(one.net**2 for one in self.outcomes) - self.ev**2

    @property
    def action(self) -> Fraction:
        """Mean units in action: 1 for most bets, more where a stake can grow or lose manifold."""
        return self._mean(one.action for one in self.outcomes)

    @property
    def edge_of_action(self) -> Fraction:
        # Where every coup pushes, nothing is ever in action, and nothing is lost.
        return self.edge / self.action if self.action else Fraction(0)

    def document(self) -> dict[str, object]:
        """Every figure: fractions as strings, percentages to six places."""
        names = "win", "push", "lose", "ev", "edge", "rtp", "variance", "action", "edge_of_action"
        figures: dict[str, object] = {name: str(getattr(self, name)) for name in names}
        figures["edge_percent"] = decimal(self.edge * 100, 6)
        figures["edge_of_action_percent"] = decimal(self.edge_of_action * 100, 6)
        figures["orders"] = self.orders
        return figures


def price(table: PayTable, cases: "Cases") -> Price:
    """What a bet with this pay table is worth."""
    orders: Counter[int] = Counter()
    for case, number in cases.of(table.facts).items():
        line = table.line(dict(zip(table.facts, case, strict=True)))
        orders[table.lines.index(line)] += number
    manifold = table.reserve > 1
    return Price(
        tuple(
            Outcome((line,), line.net, abs(line.odds) if manifold else Fraction(1), orders[place])
            for place, line in enumerate(table.lines)
        )
    )


class Cases:
    """Counted kinds, gathered by whichever facts a pay table looks at."""

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        self._known: dict[tuple[str, ...], Mapping[tuple[Value, ...], int]] = {}

    def of(self, names: tuple[str, ...]) -> Mapping[tuple[Value, ...], int]:
        """How many orders give each combination of these facts."""
        if names not in self._known:
            questions = [VOCABULARY[name].of for name in names]
            gathered: Counter[tuple[Value, ...]] = Counter()
            for (player, banker), orders in self.counts.items():
                gathered[tuple(of(player, banker) for of in questions)] += orders
            self._known[names] = gathered
        return self._known[names]
