"""Excess: boxes beyond their differential at a table where chips lie as they lie.

Seen before the close, the excess is warned about and may be rejected (CB4 5.1);
unseen, it is apportioned when bets close (5.1.1). A bet below the minimum is
warned about too, and stands if nobody saw it (5.2, 5.2.1).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

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
    clause: str | None


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


def heavy_sides(bets: Iterable[Laid], limits: Iterable[Limit]) -> Iterator[Heavy]:
    """Every box, patron or table whose differential is exceeded."""
    lying = list(bets)
    for limit in limits:
        if limit.kind is not Kind.DIFFERENTIAL:
            continue
        for group in _groups(lying, limit.scope):
            sums = _sums(group, limit)
            heavy = max(sums, key=lambda spot: sums[spot])
            target = sums[limit.other(heavy)] + limit.amount
            if sums[heavy] > target:
                yield Heavy(limit, heavy, tuple(bet for bet in group if bet.spot == heavy), target)


def _sums(bets: Iterable[Laid], limit: Limit) -> dict[str, int]:
    sums = dict.fromkeys(limit.spots, 0)
    for bet in bets:
        if bet.spot in sums:
            sums[bet.spot] += bet.stake
    return sums


def _groups(bets: Iterable[Laid], scope: Scope) -> list[list[Laid]]:
    """The bets that a limit of some scope counts together."""
    groups: dict[object, list[Laid]] = {}
    for bet in bets:
        whose = {
            Scope.TABLE: None,
            Scope.BOX: bet.box,
            Scope.PATRON: bet.patron,
            Scope.BET: (bet.patron, bet.box),
        }[scope]
        groups.setdefault(whose, []).append(bet)
    return list(groups.values())


def minimum(terms: Terms, spot: str) -> int:
    """The least that may be bet on a spot; nothing where no limit says so."""
    least = (one.amount for one in terms.limits if one.kind is Kind.MINIMUM and spot in one.spots)
    return max(least, default=0)


def cut_at_close(state: Round, terms: Terms, book: Rulebook) -> dict[Laid, int]:
    """The bets that count for less than was placed, because nobody saw the excess."""
    if terms.entry is Entry.REFUSE:
        return {}
    share = apportion if terms.apportioning is Apportioning.ALL else seated_first
    counting = {bet.key: bet for bet in state.bets}
    # Boxes come before the whole table. One cut may leave another side heavy; stakes only fall,
    # so this comes to an end: when nothing is heavy, or only minimums are left.
    limits = sorted(terms.limits, key=lambda limit: limit.scope is Scope.TABLE)
    cutting = True
    while cutting:
        cutting = False
        for side in heavy_sides(counting.values(), limits):
            shares = {_share(bet): bet for bet in side.bets}
            least, unit = minimum(terms, side.spot), book.spots[side.spot].step
            for one, stake in share(list(shares), side.target, least, unit).items():
                if stake < one.stake:
                    counting[shares[one].key] = replace(shares[one], stake=stake)
                    cutting = True
            if cutting:
                break
    return {
        bet: counting[bet.key].stake for bet in state.bets if counting[bet.key].stake < bet.stake
    }


def rejected(state: Round, terms: Terms, box: int, book: Rulebook) -> dict[Laid, int]:
    """What is left of each bet of a box when its excess is rejected; only bets that change."""
    changed: dict[Laid, int] = {}
    for side in heavy_sides(state.bets, terms.limits):
        if side.limit.scope is Scope.BOX and side.bets[0].box == box:
            shares = {_share(bet): bet for bet in side.bets}
            kept = reject(list(shares), side.target, book.spots[side.spot].step)
            changed |= {shares[one]: stake for one, stake in kept.items() if stake < one.stake}
    return changed


def _share(bet: Laid) -> Share:
    return Share((bet.patron, bet.box, bet.spot), bet.stake, bet.seated, bet.order)


def warnings(state: Round, terms: Terms, book: Rulebook) -> list[Warning]:
    """What the dealer should see before closing."""
    if terms.entry is Entry.REFUSE:
        return []
    over, under = clause_of(book, "excess bets"), clause_of(book, "bet below minimum")
    found = [
        Warning("warning/excess", side.bets[0].box, None, side.spot, side.excess, over)
        for side in heavy_sides(state.bets, terms.limits)
    ]
    found += _above_maximum(state, terms)
    found += [
        Warning("warning/below-minimum", bet.box, bet.patron, bet.spot, least - bet.stake, under)
        for bet in state.bets
        if bet.stake < (least := minimum(terms, bet.spot))
    ]
    return sorted(found, key=lambda warning: warning.box)


def _above_maximum(state: Round, terms: Terms) -> Iterator[Warning]:
    for limit in terms.limits:
        if limit.kind is not Kind.MAXIMUM:
            continue
        for group in _groups(state.bets, limit.scope):
            own = limit.scope in (Scope.BET, Scope.PATRON)
            patron = group[0].patron if own else None
            for spot, staked in _sums(group, limit).items():
                if staked > limit.amount:
                    beyond = staked - limit.amount
                    yield Warning(
                        "warning/above-maximum", group[0].box, patron, spot, beyond, limit.clause
                    )


def clause_of(book: Rulebook, irregularity: str) -> str | None:
    """Where a book speaks of an irregularity; None where it says nothing."""
    found = book.irregularities.get(irregularity)
    return None if found is None else found.clause
