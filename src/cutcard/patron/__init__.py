"""A person's own limits, time-out, self-exclusion and reality checks.

Everything a patron asks for that makes play tighter holds at once; everything
that makes it looser waits a day. Nothing here ever stands between patrons and
their own money: withdrawals are always possible.
"""

from cutcard.patron.checks import (
    RealityCheck,
    check_admitted,
    check_bet,
    check_buy_in,
    check_deposit,
    check_withdrawal,
    reality_check,
)
from cutcard.patron.commands import (
    AcknowledgeRealityCheck,
    BookResult,
    CancelLoosening,
    Command,
    EndSession,
    RecordDeposit,
    SelfExclude,
    SetLimit,
    StartSession,
    TakeTimeOut,
)
from cutcard.patron.deciding import decide
from cutcard.patron.events import (
    DepositRecorded,
    Event,
    LimitTightened,
    LooseningCancelled,
    LooseningRequested,
    RealityCheckAcknowledged,
    ResultBooked,
    SelfExcluded,
    SessionEnded,
    SessionStarted,
    TimeOutTaken,
)
from cutcard.patron.patron import (
    DAY,
    FOREVER,
    HOUR,
    MINUTE,
    Kind,
    Loosening,
    Patron,
    Session,
    evolve,
)

__all__ = [
    "DAY",
    "FOREVER",
    "HOUR",
    "MINUTE",
    "AcknowledgeRealityCheck",
    "BookResult",
    "CancelLoosening",
    "Command",
    "DepositRecorded",
    "EndSession",
    "Event",
    "Kind",
    "LimitTightened",
    "Loosening",
    "LooseningCancelled",
    "LooseningRequested",
    "Patron",
    "RealityCheck",
    "RealityCheckAcknowledged",
    "RecordDeposit",
    "ResultBooked",
    "SelfExclude",
    "SelfExcluded",
    "Session",
    "SessionEnded",
    "SessionStarted",
    "SetLimit",
    "StartSession",
    "TakeTimeOut",
    "TimeOutTaken",
    "check_admitted",
    "check_bet",
    "check_buy_in",
    "check_deposit",
    "check_withdrawal",
    "decide",
    "evolve",
    "reality_check",
]
