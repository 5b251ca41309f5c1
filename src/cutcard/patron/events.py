"""What has happened to a patron's limits, sessions and money."""

from dataclasses import dataclass, field

from cutcard.frozen import LATER
from cutcard.patron.limits import Kind


@dataclass(frozen=True, slots=True)
class LimitTightened:
    """Holds at once, and ends any wish for a looser limit of its kind."""

    kind: Kind
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class LooseningRequested:
    """Will hold from `effective_at` on."""

    kind: Kind
    amount: int | None
    effective_at: int
    at: int


@dataclass(frozen=True, slots=True)
class LooseningCancelled:
    kind: Kind
    at: int


@dataclass(frozen=True, slots=True)
class SessionStarted:
    at: int


@dataclass(frozen=True, slots=True)
class RealityCheckAcknowledged:
    at: int


@dataclass(frozen=True, slots=True)
class SessionEnded:
    at: int


@dataclass(frozen=True, slots=True)
class TimeOutTaken:
    until: int
    at: int


@dataclass(frozen=True, slots=True)
class SelfExcluded:
    """No play until then; `by` names staff where it was not the patron's own wish."""

    until: int
    at: int
    by: str | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class DepositRecorded:
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class ResultBooked:
    net: int
    at: int


Event = (
    LimitTightened
    | LooseningRequested
    | LooseningCancelled
    | SessionStarted
    | RealityCheckAcknowledged
    | SessionEnded
    | TimeOutTaken
    | SelfExcluded
    | DepositRecorded
    | ResultBooked
)
