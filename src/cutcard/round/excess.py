"""Excess: bets beyond their limits at a table where chips lie as they lie.

Seen before the close, the excess is warned about and may be rejected (CB4 5.1);
unseen, a differential is apportioned when bets close (5.1.1), and a bet above a
maximum stands (HOUSE unseen maximum). A bet below the minimum is warned about
too, and stands if nobody saw it (5.2, 5.2.1).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cutcard.frozen import replace
from cutcard.round.apportion import Share, apportion, reject, seated_first
from cutcard.round.events import Laid
from cutcard.round.state import Round
from cutcard.round.terms import Apportioning, Entry, Terms
from cutcard.rules.limits import Bet, Kind, Limit, Scope
from cutcard.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Notice:
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
    counting = {bet.key: bet for bet in state.bets}
    # Boxes come before the whole table. One cut may leave another side heavy; stakes only fall,
    # so this comes to an end: when nothing is heavy, or only minimums are left.
    limits = sorted(terms.limits, key=lambda limit: limit.scope is Scope.TABLE)
    while cut := next(filter(None, _cuts(counting.values(), limits, terms, book)), None):
        counting |= {bet.key: replace(bet, stake=stake) for bet, stake in cut.items()}
    return {
        bet: counting[bet.key].stake for bet in state.bets if counting[bet.key].stake < bet.stake
    }


def _cuts(
    bets: Iterable[Laid], limits: Iterable[Limit], terms: Terms, book: Rulebook
) -> Iterator[dict[Laid, int]]:
    """What is left of each bet that is cut, for every heavy side; nothing where minimums forbid."""
    share = apportion if terms.apportioning is Apportioning.ALL else seated_first
    for side in heavy_sides(bets, limits):
        shares = {_share(bet): bet for bet in side.bets}
        least, unit = minimum(terms, side.spot), book.spots[side.spot].step
        counted = share(list(shares), side.target, least, unit)
        yield {shares[one]: stake for one, stake in counted.items() if stake < one.stake}


def rejected(state: Round, terms: Terms, box: int | None, book: Rulebook) -> dict[Laid, int]:
    """What is left of each bet when the excess is rejected; only bets that change.

    In a box, whatever is too much there by itself; without one, on the whole table.
    """
    counting = {bet.key: bet for bet in state.bets if box is None or bet.box == box}
    limits = [one for one in terms.limits if box is None or one.scope in (Scope.BOX, Scope.BET)]
    # One cut may leave another side heavy; stakes only fall, so this comes to an end.
    while side := next(too_much(counting.values(), limits), None):
        shares = {_share(bet): bet for bet in side.bets}
        for one, stake in reject(list(shares), side.target, book.spots[side.spot].step).items():
            counting[shares[one].key] = replace(shares[one], stake=stake)
    return {
        bet: counting[bet.key].stake
        for bet in state.bets
        if bet.key in counting and counting[bet.key].stake < bet.stake
    }


def standing_behind(state: Round, new: Bet) -> list[Laid]:
    """The standing bets of others on the spot and in the box of a seated patron's bet."""
    return [
        bet
        for bet in state.bets
        if (bet.box, bet.spot) == (new.box, new.spot)
        and not bet.seated
        and bet.patron != new.patron
    ]


def giving_way(
    behind: list[Laid], state: Round, terms: Terms, new: Bet, book: Rulebook
) -> dict[Laid, int]:
    """What is left of standing bets that give way to a seated one; only bets that change (CB4 5.1).

    The excess comes off the back of the line; less than the minimum is left to nobody.
    """
    sums = state.sums(Scope.BOX, new.patron, new.box)
    rooms = (
        limit.room_beside(sums, new.spot) for limit in terms.limits if limit.scope is Scope.BOX
    )
    excess = max(new.stake - room for room in rooms if room is not None)
    target = sum(bet.stake for bet in behind) - excess
    shares, least = {_share(bet): bet for bet in behind}, minimum(terms, new.spot)
    kept = reject(list(shares), target, book.spots[new.spot].step)
    return {
        shares[one]: stake if stake >= least else 0
        for one, stake in kept.items()
        if stake < one.stake
    }


def too_much(bets: Iterable[Laid], limits: Iterable[Limit]) -> Iterator[Heavy]:
    """Whatever lies beyond a differential or a maximum."""
    lying, among = list(bets), list(limits)
    yield from heavy_sides(lying, among)
    yield from above_maximum(lying, among)


def _share(bet: Laid) -> Share:
    return Share((bet.patron, bet.box, bet.spot), bet.stake, bet.seated, bet.order)


def warnings(state: Round, terms: Terms, book: Rulebook) -> list[Notice]:
    """What the dealer should see before closing."""
    if terms.entry is Entry.REFUSE:
        return []
    over, under = clause_of(book, "excess bets"), clause_of(book, "bet below minimum")
    found = [
        Notice("warning/excess", side.bets[0].box, None, side.spot, side.excess, over)
        for side in heavy_sides(state.bets, terms.limits)
    ]
    found += [
        Notice(
            "warning/above-maximum",
            side.bets[0].box,
            side.bets[0].patron if side.limit.scope in (Scope.BET, Scope.PATRON) else None,
            side.spot,
            side.excess,
            side.limit.clause,
        )
        for side in above_maximum(state.bets, terms.limits)
    ]
    found += [
        Notice("warning/below-minimum", bet.box, bet.patron, bet.spot, least - bet.stake, under)
        for bet in state.bets
        if bet.stake < (least := minimum(terms, bet.spot))
    ]
    return sorted(found, key=lambda warning: warning.box)


def above_maximum(bets: Iterable[Laid], limits: Iterable[Limit]) -> Iterator[Heavy]:
    """Every bet, box, patron or table whose maximum is exceeded."""
    lying = list(bets)
    for limit in limits:
        if limit.kind is not Kind.MAXIMUM:
            continue
        for group in _groups(lying, limit.scope):
            for spot, staked in _sums(group, limit).items():
                if staked > limit.amount:
                    yield Heavy(
                        limit, spot, tuple(b for b in group if b.spot == spot), limit.amount
                    )


def clause_of(book: Rulebook, irregularity: str) -> str | None:
    """Where a book speaks of an irregularity; None where it says nothing."""
    found = book.irregularities.get(irregularity)
    return None if found is None else found.clause
