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

MOST_LIMIT = 10**18
"""Beyond any sum of money or time; numbers up to here fit 64 bits."""


class Kind(Enum):
    """What is limited, and over which length of time.

    Deposits are counted gross: a withdrawal makes no room for a new deposit.
    """

    DEPOSIT_DAY = "deposit_day"
    DEPOSIT_WEEK = "deposit_week"
    DEPOSIT_MONTH = "deposit_month"
    LOSS_DAY = "loss_day"
    SESSION = "session"


WINDOW = {
    Kind.DEPOSIT_DAY: 24 * HOUR,
    Kind.DEPOSIT_WEEK: 7 * DAY,
    Kind.DEPOSIT_MONTH: 30 * DAY,
    Kind.LOSS_DAY: 24 * HOUR,
}
"""How far each kind looks back; what lies exactly that far back no longer counts."""

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
