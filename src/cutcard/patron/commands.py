"""What a patron asks for, and what the house reports about a patron.

`at` is the time in UTC milliseconds; lengths are milliseconds too.
"""

from dataclasses import dataclass

from cutcard.patron.limits import Kind


@dataclass(frozen=True, slots=True)
class SetLimit:
    """Wish for a limit; None wishes it gone.

    Limits of time and the interval of reality checks are lengths, the rest are money.
    """

    kind: Kind
    amount: int | None
    at: int


@dataclass(frozen=True, slots=True)
class CancelLoosening:
    """Think better of a looser limit before it holds."""

    kind: Kind
    at: int


@dataclass(frozen=True, slots=True)
class StartSession:
    at: int


@dataclass(frozen=True, slots=True)
class AcknowledgeRealityCheck:
    """The patron has seen how long and at what price."""

    at: int


@dataclass(frozen=True, slots=True)
class EndSession:
    at: int


@dataclass(frozen=True, slots=True)
class TakeTimeOut:
    """No play for a day to six weeks."""

    length: int
    at: int


@dataclass(frozen=True, slots=True)
class SelfExclude:
    """No play for six months or longer; None is for ever. `by` names staff who decided it."""

    length: int | None
    at: int
    by: str | None = None


@dataclass(frozen=True, slots=True)
class RecordDeposit:
    """Money is to be paid in."""

    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class BookResult:
    """A round was settled: what the patron won (above zero) or lost (below) in it."""

    net: int
    at: int


Command = (
    SetLimit
    | CancelLoosening
    | StartSession
    | AcknowledgeRealityCheck
    | EndSession
    | TakeTimeOut
    | SelfExclude
    | RecordDeposit
    | BookResult
)
