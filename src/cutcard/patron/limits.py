"""A patron's own limits: their kinds, and when a looser one begins to hold.

Times are UTC milliseconds and every window is a length, not a place in the
calendar: "30 days" means the same in every month and every time zone.
"""

from dataclasses import dataclass
from enum import Enum

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR

COOLING_OFF = 24 * HOUR
"""How long a wish for a looser limit waits: time to think better of it."""

MOST = 10**18
"""Beyond any sum of money or time; numbers up to here fit 64 bits."""


class Kind(Enum):
    """What is limited: money within a length of time, or time itself.

    Deposits are counted gross: a withdrawal makes no room for a new deposit. Time
    played is counted over all sessions: a new one makes no room either. Reality
    checks are a limit on how long a patron plays without one.
    """

    DEPOSIT_DAY = "deposit_day"
    DEPOSIT_WEEK = "deposit_week"
    DEPOSIT_MONTH = "deposit_month"
    LOSS_DAY = "loss_day"
    TIME_DAY = "time_day"
    REALITY_CHECK = "reality_check"

    # Every bet looks up several kinds, and an enum's own hash is that of its name, in Python.
    __hash__ = object.__hash__


WINDOW = {
    Kind.DEPOSIT_DAY: 24 * HOUR,
    Kind.DEPOSIT_WEEK: 7 * DAY,
    Kind.DEPOSIT_MONTH: 30 * DAY,
    Kind.LOSS_DAY: 24 * HOUR,
    Kind.TIME_DAY: 24 * HOUR,
}
"""How far each kind looks back; what lies exactly that far back no longer counts."""

LONGEST = {Kind.TIME_DAY: WINDOW[Kind.TIME_DAY], Kind.REALITY_CHECK: HOUR}
"""The limits that are lengths, in whole minutes from one up to this; the others are money."""

USUAL = {Kind.REALITY_CHECK: 30 * MINUTE}
"""What holds until the patron wishes otherwise. It can be changed and never removed."""

DEPOSITS = (Kind.DEPOSIT_DAY, Kind.DEPOSIT_WEEK, Kind.DEPOSIT_MONTH)


@dataclass(frozen=True, slots=True)
class Loosening:
    """A higher limit, or none (amount None), that a patron has asked for and must wait for."""

    amount: int | None
    effective_at: int


def looser(new: int | None, old: int | None) -> bool:
    """Whether one limit leaves more room than another; None is no limit at all."""
    if old is None:
        return False
    return new is None or new > old
