"""Apportionment: bets beyond the differential that nobody rejected, cut pro rata (CB4 5.1.1).

Only the heavier side of a box is cut, down to the lighter side plus the limit. A
bet below the minimum is not cut at all (5.1.2), and nobody is cut below the
minimum (5.1.1): such bets are held there and the rest share what remains. If the
held bets alone exceed the limit, the house carries the difference.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Share:
    """One bet on the heavier side: what was placed, and its place in line."""

    key: tuple[str, int, str]
    stake: int
    seated: bool
    order: int


def apportion(bets: Sequence[Share], target: int, minimum: int, unit: int) -> dict[Share, int]:
    """What each bet on the heavier side counts for, on multiples of the spot's step.

    >>> a = Share(("A", 5, "banker"), 8000, True, 1)
    >>> b = Share(("B", 5, "banker"), 6000, False, 2)
    >>> sorted(apportion([a, b], 11000, 300, 5).values())
    [4715, 6285]
    """
    least = on_unit(minimum, unit)
    held: dict[Share, int] = {}
    active = list(bets)
    while active:
        budget = target - sum(held.values())
        factor = Fraction(max(budget, 0), sum(bet.stake for bet in active))
        low = [bet for bet in active if bet.stake * factor < least]
        if not low:
            return {**held, **_rounded(active, factor, budget, unit)}
        # A bet below the minimum has a share below it too, and stays whole.
        held |= {bet: min(bet.stake, least) for bet in low}
        active = [bet for bet in active if bet not in held]
    return held


def _rounded(bets: Sequence[Share], factor: Fraction, budget: int, unit: int) -> dict[Share, int]:
    """Shares rounded down to the unit, what is left handed out by the largest remainder."""
    exact = {bet: bet.stake * factor for bet in bets}
    shares = {bet: share // unit * unit for bet, share in exact.items()}
    spare = (budget - sum(shares.values())) // unit
    line = sorted(bets, key=lambda bet: (shares[bet] - exact[bet], not bet.seated, bet.order))
    for bet in line[:spare]:
        shares[bet] += unit
    return shares


def seated_first(bets: Sequence[Share], target: int, minimum: int, unit: int) -> dict[Share, int]:
    """The other reading: seated bets count first, and standing ones share what they leave.

    Nobody falls below the minimum here either, so seats give way to the standing minimums.
    """
    seated = [bet for bet in bets if bet.seated]
    standing = [bet for bet in bets if not bet.seated]
    floors = {bet: min(bet.stake, on_unit(minimum, unit)) for bet in standing}
    for_seats = target - sum(floors.values())
    if total(seated) > for_seats:
        return {**floors, **apportion(seated, for_seats, minimum, unit)}
    cut = apportion(standing, target - total(seated), minimum, unit)
    return {**{bet: bet.stake for bet in seated}, **cut}


def on_unit(amount: int, unit: int) -> int:
    """The least multiple of a unit that is no less than an amount."""
    return -(-amount // unit) * unit


def total(bets: Iterable[Share]) -> int:
    return sum(bet.stake for bet in bets)


def reject(bets: Sequence[Share], target: int, unit: int) -> dict[Share, int]:
    """What stays of each bet when the excess is rejected before the close (CB4 5.1).

    Seated bets count first, then standing ones in their order; the excess comes off the back.
    """
    room, kept = target, {}
    for bet in sorted(bets, key=lambda bet: (not bet.seated, bet.order)):
        kept[bet] = min(bet.stake, max(0, room) // unit * unit)
        room -= kept[bet]
    return kept
