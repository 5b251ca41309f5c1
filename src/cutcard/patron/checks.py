"""Questions that others ask before they let a patron play: answered by silence or a refusal.

The order is the order of weight: who has excluded themselves is told that, and
not that a reality check is due.
"""

from dataclasses import dataclass

from cutcard.patron.limits import DEPOSITS, HOUR, MINUTE, MOST, WINDOW, Kind
from cutcard.patron.patron import Patron
from cutcard.refusals import Refusal


@dataclass(frozen=True, slots=True)
class RealityCheck:
    """How long the patron has played and at what price; shown always, to be seen when due."""

    elapsed: int
    net: int
    due: bool
    next_at: int


def reality_check(patron: Patron, at: int) -> RealityCheck | None:
    """The session so far; None where the patron is in no session."""
    check_clock(at)
    session = patron.session
    if session is None:
        return None
    ends_at = session.checked_at + patron.interval(at)
    # A longer interval that holds by the time this one ends puts the check off.
    next_at = session.checked_at + patron.interval(max(at, ends_at))
    return RealityCheck(at - session.started_at, session.net, at >= next_at, next_at)


def check_admitted(patron: Patron, at: int) -> None:
    """Refuse play of any kind to who is excluded or takes a time-out."""
    check_clock(at)
    if at < patron.excluded_until:
        raise Refusal("patron/excluded")
    if at < patron.time_out_until:
        # Part of an hour is an hour still to wait.
        raise Refusal("patron/time-out", {"hours": _whole(patron.time_out_until - at, HOUR)})


def check_time_left(patron: Patron, at: int) -> None:
    """Refuse play beyond the patron's own time limit."""
    limit = patron.limit(Kind.TIME_DAY, at)
    if limit is not None and patron.played(at) >= limit:
        wait = _whole(_time_again(patron, limit, at) - at, MINUTE)
        raise Refusal("patron/time-limit", {"minutes": limit // MINUTE, "wait": wait})


def _time_again(patron: Patron, limit: int, at: int) -> int:
    """When there is time to play again for one who pauses from now on."""
    too_long = patron.played(at) - limit
    for start, end in patron.spells(at):
        if end - start > too_long:
            # From here on the window holds one millisecond less than the limit.
            return start + too_long + 1 + WINDOW[Kind.TIME_DAY]
        too_long -= end - start
    raise AssertionError("a time limit leaves some time")


def _whole(length: int, unit: int) -> int:
    """A length in units; part of a unit is a unit still to wait."""
    return -(-length // unit)


def check_deposit(patron: Patron, amount: int, at: int) -> None:
    """Refuse a deposit that exclusion or a deposit limit does not allow; the lowest applies."""
    check_amount(amount)
    check_admitted(patron, at)
    rooms = [
        (limit - patron.deposited(kind, at), limit, kind)
        for kind in DEPOSITS
        if (limit := patron.limit(kind, at)) is not None
    ]
    if not rooms:
        return
    room, limit, kind = min(rooms, key=lambda one: one[0])
    if amount > room:
        raise Refusal(
            "patron/deposit-limit",
            {
                "amount": amount,
                "limit": limit,
                "hours": WINDOW[kind] // HOUR,
                "room": max(0, room),
            },
        )


def check_buy_in(patron: Patron, at: int) -> None:
    """Refuse to bring money to a table while the patron is excluded or takes a time-out."""
    check_admitted(patron, at)


def check_bet(patron: Patron, stake: int, at: int, in_play: int = 0) -> None:
    """Refuse a new bet that the patron's own protection does not allow.

    `in_play` is what the patron may already lose on bets not yet settled, at
    every table. A second stage completes a bet and is no new one: count it when
    its first stage is placed (stake = Ante + Wager) and do not ask again, or a
    reality check would forfeit the Ante.
    """
    check_amount(stake)
    check_amount(in_play, least=0)
    check_admitted(patron, at)
    seen = reality_check(patron, at)
    if seen is None:
        raise Refusal("patron/no-session")
    check_time_left(patron, at)
    if seen.due:
        raise Refusal("patron/reality-check", {"minutes": seen.elapsed // MINUTE})
    limit = patron.limit(Kind.LOSS_DAY, at)
    if limit is not None and stake > (room := limit - patron.lost(at) - in_play):
        raise Refusal("patron/loss-limit", {"stake": stake, "limit": limit, "room": max(0, room)})


def check_withdrawal(patron: Patron, amount: int, at: int) -> None:  # noqa: ARG001
    """Refuse only what is no amount: exclusion, time-out and limits never keep money in."""
    check_amount(amount)
    check_clock(at)


def check_amount(amount: int, least: int = 1) -> None:
    """Refuse what is no amount of money: only whole units are."""
    # In Python True is a one; where money is counted it is a mistake.
    if type(amount) is not int or not least <= amount <= MOST:
        raise Refusal("patron/amount", {"amount": amount, "least": least, "most": MOST})


def check_clock(at: int) -> None:
    """Refuse what no clock of UTC milliseconds can show."""
    if type(at) is not int or not 0 <= at <= MOST:
        raise Refusal("patron/clock", {"at": at, "most": MOST})
