"""Questions that others ask before they let a patron play: answered by silence or a refusal.

The order is the order of weight: who has excluded themselves is told that, and
not that a reality check is due.
"""

from dataclasses import dataclass

from cutcard.patron.limits import DEPOSITS, HOUR, MINUTE, MOST_LIMIT, WINDOW, Kind
from cutcard.patron.patron import Patron, Session
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
    session = patron.session
    if session is None:
        return None
    next_at = session.checked_at + patron.interval
    return RealityCheck(at - session.started_at, session.net, at >= next_at, next_at)


def check_admitted(patron: Patron, at: int) -> None:
    """Refuse play of any kind to who is excluded or takes a time-out."""
    if at < patron.excluded_until:
        raise Refusal("patron/excluded")
    if at < patron.time_out_until:
        # Part of an hour is an hour still to wait.
        hours = -((at - patron.time_out_until) // HOUR)
        raise Refusal("patron/time-out", {"hours": hours})


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
    check_admitted(patron, at)
    if patron.session is None:
        raise Refusal("patron/no-session")
    _check_time(patron, patron.session, at)
    limit = patron.limit(Kind.LOSS_DAY, at)
    if limit is not None and stake > (room := limit - patron.lost(at) - in_play):
        raise Refusal("patron/loss-limit", {"stake": stake, "limit": limit, "room": max(0, room)})


def check_withdrawal(patron: Patron, amount: int, at: int) -> None:  # noqa: ARG001
    """Refuse only what is no amount: exclusion, time-out and limits never keep money in."""
    check_amount(amount)


def check_amount(amount: int) -> None:
    """Refuse what is no amount of money: only whole units from one upwards are."""
    if not isinstance(amount, int) or isinstance(amount, bool) or not 0 < amount <= MOST_LIMIT:
        raise Refusal("patron/amount", {"amount": amount, "most": MOST_LIMIT})


def _check_time(patron: Patron, session: Session, at: int) -> None:
    longest = patron.limit(Kind.SESSION, at)
    if longest is not None and at - session.started_at >= longest:
        raise Refusal("patron/session-limit", {"minutes": longest // MINUTE})
    if at >= session.checked_at + patron.interval:
        raise Refusal("patron/reality-check", {"minutes": (at - session.started_at) // MINUTE})
