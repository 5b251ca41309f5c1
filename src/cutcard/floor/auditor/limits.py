"""The auditor's own limits: what there was room for, and how excess is cut.

Apportionment follows the worked example of CB4 5.1.1 in whole numbers: shares
are compared as cross products, and no fraction is ever made.
"""

from collections.abc import Iterable
from dataclasses import dataclass

Key = tuple[int, str, str]
"""Box, patron, spot."""


@dataclass
class Lying:
    """One bet on the layout."""

    box: int
    patron: str
    spot: str
    stake: int
    reserve: int
    seated: bool
    order: int

    @property
    def key(self) -> Key:
        return self.box, self.patron, self.spot

    @property
    def held(self) -> int:
        return self.stake + self.reserve


@dataclass(frozen=True)
class Limit:
    kind: str
    scope: str
    spots: tuple[str, ...]
    amount: int

    def counts(self, bet: Lying, patron: str, box: int) -> bool:
        """Whether a bet is counted together with those of a patron in a box."""
        if self.scope == "table":
            return True
        if self.scope == "box":
            return bet.box == box
        if self.scope == "patron":
            return bet.patron == patron
        return bet.patron == patron and bet.box == box


def broken(limits: Iterable[Limit], bets: list[Lying], patron: str, box: int) -> list[str]:
    """Every limit that the bets counted with a patron's in a box now break."""
    found = []
    for limit in limits:
        mine = [bet for bet in bets if limit.counts(bet, patron, box)]
        if limit.kind == "differential":
            one, other = (_sum(mine, spot) for spot in limit.spots)
            if abs(one - other) > limit.amount:
                found.append(f"{limit.scope} differential {abs(one - other)} > {limit.amount}")
        elif limit.kind == "maximum":
            found += [
                f"{limit.scope} maximum on {spot}: {_sum(mine, spot)} > {limit.amount}"
                for spot in limit.spots
                if _sum(mine, spot) > limit.amount
            ]
    return found


def least(limits: Iterable[Limit], spot: str) -> int:
    amounts = [one.amount for one in limits if one.kind == "minimum" and spot in one.spots]
    return max(amounts, default=0)


def _sum(bets: Iterable[Lying], spot: str) -> int:
    return sum(bet.stake for bet in bets if bet.spot == spot)


@dataclass(frozen=True)
class Heavy:
    """The heavier side of one group of bets, and what it may come to."""

    scope: str
    spot: str
    bets: list[Lying]
    target: int


def above(limits: Iterable[Limit], bets: list[Lying]) -> list[Heavy]:
    """Every group whose maximum is exceeded."""
    found = []
    for limit in limits:
        if limit.kind != "maximum":
            continue
        groups: dict[object, list[Lying]] = {}
        for bet in bets:
            groups.setdefault(_group(limit.scope, bet), []).append(bet)
        for group in groups.values():
            for spot in limit.spots:
                on = [bet for bet in group if bet.spot == spot]
                if _sum(on, spot) > limit.amount:
                    found.append(Heavy(limit.scope, spot, on, limit.amount))
    return found


def reject_all(limits: list[Limit], bets: list[Lying], steps: dict[str, int]) -> None:
    """Cut bets down until nothing more can be rejected, one group after another."""
    cut = True
    while cut:
        cut = False
        for side in (*heavy(limits, bets), *above(limits, bets)):
            kept = rejected(side.bets, side.target, steps[side.spot])
            lower = [bet for bet in side.bets if kept[bet.key] < bet.stake]
            if lower:
                for bet in lower:
                    bet.stake = kept[bet.key]
                cut = True
                break


def heavy(limits: Iterable[Limit], bets: list[Lying]) -> list[Heavy]:
    """Every group whose differential is exceeded."""
    found = []
    for limit in limits:
        if limit.kind != "differential":
            continue
        groups: dict[object, list[Lying]] = {}
        for bet in bets:
            groups.setdefault(_group(limit.scope, bet), []).append(bet)
        for group in groups.values():
            sums = {spot: _sum(group, spot) for spot in limit.spots}
            for spot, other in (limit.spots, limit.spots[::-1]):
                if sums[spot] > sums[other] + limit.amount:
                    side = [bet for bet in group if bet.spot == spot]
                    found.append(Heavy(limit.scope, spot, side, sums[other] + limit.amount))
    return found


def _group(scope: str, bet: Lying) -> object:
    groups = {"box": bet.box, "patron": bet.patron, "table": None}
    return groups.get(scope, (bet.box, bet.patron))


def apportioned(bets: list[Lying], target: int, minimum: int, step: int) -> dict[Key, int]:
    """What each bet of a heavier side counts for when nobody saw the excess."""
    floor = (minimum + step - 1) // step * step
    counts = {bet.key: bet.stake for bet in bets if bet.stake < minimum}
    sharing = [bet for bet in bets if bet.key not in counts]
    while sharing:
        budget, whole = target - sum(counts.values()), sum(bet.stake for bet in sharing)
        low = [bet for bet in sharing if bet.stake * max(budget, 0) < floor * whole]
        if not low:
            return counts | _shares(sharing, budget, whole, step)
        counts |= {bet.key: min(floor, bet.stake) for bet in low}
        sharing = [bet for bet in sharing if bet.key not in counts]
    return counts


def _shares(bets: list[Lying], budget: int, whole: int, step: int) -> dict[Key, int]:
    units = {bet.key: bet.stake * budget // (whole * step) for bet in bets}
    lost = {bet.key: bet.stake * budget % (whole * step) for bet in bets}
    spare = budget // step - sum(units.values())
    line = sorted(bets, key=lambda bet: (-lost[bet.key], not bet.seated, bet.order))
    for bet in line[:spare]:
        units[bet.key] += 1
    return {key: number * step for key, number in units.items()}


def seated_first(bets: list[Lying], target: int, minimum: int, step: int) -> dict[Key, int]:
    """The other reading: seats come first, as far as the minimums of those standing allow."""
    floor = (minimum + step - 1) // step * step
    seated = [bet for bet in bets if bet.seated]
    standing = [bet for bet in bets if not bet.seated]
    lowest = {bet.key: min(bet.stake, floor) for bet in standing}
    mine, left = sum(bet.stake for bet in seated), target - sum(lowest.values())
    if mine > left:
        return lowest | apportioned(seated, left, minimum, step)
    full = {bet.key: bet.stake for bet in seated}
    return full | apportioned(standing, target - mine, minimum, step)


def gives_way(
    limits: Iterable[Limit], bets: list[Lying], placed: Lying, step: int
) -> dict[Key, int]:
    """By bet, what standing patrons keep where a seated bet that was just placed needs the room.

    Taken off the last in line first; whoever would keep less than the minimum keeps nothing.
    """
    rules = list(limits)
    box = [bet for bet in bets if bet.box == placed.box]
    there = _sum(box, placed.spot)
    need = 0
    for limit in rules:
        if limit.scope != "box" or limit.kind == "minimum" or placed.spot not in limit.spots:
            continue
        others = [spot for spot in limit.spots if spot != placed.spot]
        beside = _sum(box, others[0]) if limit.kind == "differential" else 0
        need = max(need, there - beside - limit.amount)
    kept: dict[Key, int] = {}
    standing = [bet for bet in box if not bet.seated and bet.spot == placed.spot]
    for bet in sorted(standing, key=lambda bet: -bet.order):
        if need <= 0:
            break
        left = bet.stake - min(bet.stake, -(-need // step) * step)
        kept[bet.key] = left if left >= least(rules, placed.spot) else 0
        need -= bet.stake - kept[bet.key]
    return kept


def rejected(bets: list[Lying], target: int, step: int) -> dict[Key, int]:
    """What stays of each bet when the dealer rejects the excess, from the back of the line."""
    kept = {}
    for bet in sorted(bets, key=lambda bet: (not bet.seated, bet.order)):
        kept[bet.key] = max(0, min(bet.stake, target // step * step))
        target -= kept[bet.key]
    return kept
