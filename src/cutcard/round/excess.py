"""Excess: boxes beyond their differential at a table where chips lie as they lie.

Seen before the close, the excess is warned about and may be rejected (CB4 5.1);
unseen, it is apportioned when bets close (5.1.1). A bet below the minimum is
warned about too, and stands if nobody saw it (5.2, 5.2.1).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cutcard.round.apportion import Share, apportion, reject, seated_first
from cutcard.round.events import Laid
from cutcard.round.state import Round
from cutcard.round.terms import Apportioning, Entry, Terms
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Warning:
    """Something on the layout that the dealer should see before closing."""

    code: str
    box: int
    patron: str | None
    spot: str
    amount: int
    clause: str


@dataclass(frozen=True)
class Heavy:
    """The heavier side of a box whose differential is exceeded, and what it may hold."""

    limit: Limit
    spot: str
    bets: tuple[Laid, ...]
    target: int

    @property
    def excess(self) -> int:
        return sum(bet.stake for bet in self.bets) - self.target


def heavy_sides(state: Round, limits: Iterable[Limit]) -> Iterator[Heavy]:
    """Every box, patron or table whose differential is exceeded."""
    for limit in limits:
        if limit.kind is not Kind.DIFFERENTIAL:
            continue
        for group in _groups(state, limit.scope):
            one, other = limit.spots
            sums = {
                spot: sum(bet.stake for bet in group if bet.spot == spot) for spot in (one, other)
            }
            heavy = one if sums[one] > sums[other] else other
            target = sums[limit.other(heavy)] + limit.amount
            if sums[heavy] > target:
                bets = tuple(bet for bet in group if bet.spot == heavy)
                yield Heavy(limit, heavy, bets, target)


def _groups(state: Round, scope: Scope) -> Iterator[list[Laid]]:
    if scope is Scope.BOX:
        yield from (list(box.values()) for box in state.boxes.values())
    elif scope is Scope.TABLE:
        yield list(state.bets)
    else:
        by_patron: dict[object, list[Laid]] = {}
        for bet in state.bets:
            whose = bet.patron if scope is Scope.PATRON else (bet.patron, bet.box)
            by_patron.setdefault(whose, []).append(bet)
        yield from by_patron.values()


def minimum(terms: Terms, spot: str) -> int:
    """The least that may be bet on a spot; nothing where no limit says so."""
    least = (one.amount for one in terms.limits if one.kind is Kind.MINIMUM and spot in one.spots)
    return max(least, default=0)


def cut_at_close(state: Round, terms: Terms, book: Rulebook) -> dict[Laid, int]:
    """The bets that count for less than was placed, because nobody saw the excess."""
    if terms.entry is Entry.REFUSE:
        return {}
    share = apportion if terms.apportioning is Apportioning.ALL else seated_first
    cut: dict[Laid, int] = {}
    for side in heavy_sides(state, terms.limits):
        shares = {_share(bet): bet for bet in side.bets}
        least, unit = minimum(terms, side.spot), book.spots[side.spot].step
        for one, stake in share(list(shares), side.target, least, unit).items():
            if stake < shares[one].stake:
                cut[shares[one]] = stake
    return cut


def rejected(state: Round, terms: Terms, box: int, book: Rulebook) -> dict[Laid, int]:
    """What is left of each bet of a box when its excess is rejected; only bets that change."""
    changed: dict[Laid, int] = {}
    for side in heavy_sides(state, terms.limits):
        if side.limit.scope is Scope.BOX and side.bets[0].box == box:
            shares = {_share(bet): bet for bet in side.bets}
            kept = reject(list(shares), side.target, book.spots[side.spot].step)
            changed |= {shares[one]: stake for one, stake in kept.items() if stake < one.stake}
    return changed


def _share(bet: Laid) -> Share:
    return Share((bet.patron, bet.box, bet.spot), bet.stake, bet.seated, bet.order)


def warnings(state: Round, terms: Terms, book: Rulebook) -> list[Warning]:
    """What the dealer should see before closing, in the order of the layout."""
    if terms.entry is Entry.REFUSE:
        return []
    over = book.irregularities["excess bets"].clause
    found = [
        Warning("warning/excess", side.bets[0].box, None, side.spot, side.excess, over)
        for side in heavy_sides(state, terms.limits)
    ]
    under = book.irregularities["bet below minimum"].clause
    found += [
        Warning("warning/below-minimum", bet.box, bet.patron, bet.spot, least - bet.stake, under)
        for bet in state.bets
        if bet.stake < (least := minimum(terms, bet.spot))
    ]
    return found
