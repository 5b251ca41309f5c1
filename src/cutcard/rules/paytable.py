"""Pay tables: what each bet pays, as lines that are tried in order.

The first line whose `when` fits the facts decides. Losses are lines too, with
their clause, so nothing is ever lost by default. Settlement, exact odds and the
pay table that patrons read all look at these same lines.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from cutcard.rules.facts import Hand, Value, facts_of


@dataclass(frozen=True)
class Line:
    """One row of a pay table.

    `odds` is what the row wins per unit staked, before commission: positive for a
    win, zero for a push, negative for a loss (which may exceed the stake).
    """

    when: Mapping[str, tuple[Value, ...]]
    odds: Fraction
    commission: Fraction
    clause: str

    def fits(self, facts: Mapping[str, Value]) -> bool:
        return all(facts[name] in values for name, values in self.when.items())

    @property
    def withheld(self) -> Fraction:
        """Commission per unit staked."""
        return self.odds * self.commission

    @cached_property
    def net(self) -> Fraction:
        """What a unit staked gains or loses when this line decides."""
        return self.odds - self.withheld

    @cached_property
    def wins(self) -> bool | None:
        """Whether this line wins; None for a push."""
        return None if self.net == 0 else self.net > 0


@dataclass(frozen=True)
class PayTable:
    """All the lines of one spot, in the order in which they are tried."""

    lines: tuple[Line, ...]

    def line(self, facts: Mapping[str, Value]) -> Line:
        """The line that decides. Loading proved that there is one for every coup."""
        return next(line for line in self.lines if line.fits(facts))

    def line_of(self, player: Hand, banker: Hand) -> Line:
        """The line that decides between two hands. Every kind of coup is looked up once."""
        found = self._known.get((player, banker))
        if found is None:
            found = self._known[player, banker] = self.line(facts_of(player, banker))
        return found

    @cached_property
    def _known(self) -> dict[tuple[Hand, Hand], Line]:
        return {}

    @cached_property
    def step(self) -> int:
        """Stakes that are multiples of this are won, lost and taxed in whole units."""
        shares = (share for line in self.lines for share in (line.odds, line.withheld))
        return lcm(*(share.denominator for share in shares))

    @cached_property
    def reserve(self) -> int:
        """The most a unit staked can lose, itself included: what a patron must hold for it."""
        return max(1, *(int(-line.net) for line in self.lines))

    @cached_property
    def facts(self) -> tuple[str, ...]:
        """The facts that these lines look at."""
        return tuple(sorted({name for line in self.lines for name in line.when}))
