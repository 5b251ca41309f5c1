"""What a patron's wishes lead to: tighter at once, looser after a day, shorter never."""

from typing import assert_never

from cutcard.patron.checks import check_admitted, check_clock, check_deposit, check_time_left
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
from cutcard.patron.limits import (
    COOLING_OFF,
    DAY,
    HOUR,
    LONGEST,
    MINUTE,
    MOST,
    USUAL,
    Kind,
    looser,
)
from cutcard.patron.patron import FOREVER, Patron
from cutcard.refusals import Refusal

SHORTEST_TIME_OUT = DAY
LONGEST_TIME_OUT = 42 * DAY

SHORTEST_EXCLUSION = 184 * DAY
"""No six months of any calendar are longer, so none are cut short."""


def decide(patron: Patron, command: Command) -> list[Event]:
    """What a command leads to; refuses what may not be."""
    check_clock(command.at)
    match command:
        case SetLimit():
            return [_set_limit(patron, command)]
        case CancelLoosening(kind, at):
            _check_kind(kind)
            if patron.loosening(kind, at) is None:
                raise Refusal("patron/no-loosening")
            return [LooseningCancelled(kind, at)]
        case StartSession() | EndSession() | AcknowledgeRealityCheck():
            return [_session(patron, command)]
        case TakeTimeOut():
            return [_time_out(patron, command)]
        case SelfExclude():
            return [_exclude(patron, command)]
        case RecordDeposit(amount, at):
            check_deposit(patron, amount, at)
            return [DepositRecorded(amount, at)]
        case BookResult(net, at):
            # A fact about a round that is over: nothing is refused but what is no sum.
            if type(net) is not int or abs(net) > MOST:
                raise Refusal("patron/net", {"net": net, "most": MOST})
            return [ResultBooked(net, at)]
        case _:  # pragma: no cover
            assert_never(command)


def _set_limit(patron: Patron, command: SetLimit) -> Event:
    kind, amount, at = command.kind, command.amount, command.at
    _check_kind(kind)
    _check_limit(kind, amount)
    held = patron.limit(kind, at)
    if looser(amount, held):
        return LooseningRequested(kind, amount, at + COOLING_OFF, at)
    if amount is None:
        raise Refusal("patron/no-limit")
    # The same limit again is a tightening too: it takes back the wish for a looser one.
    return LimitTightened(kind, amount, at)


def _check_kind(kind: Kind) -> None:
    if not isinstance(kind, Kind):
        raise Refusal("patron/kind")


def _check_limit(kind: Kind, amount: int | None) -> None:
    if amount is None and kind not in USUAL:
        return
    longest = LONGEST.get(kind)
    if longest is None:
        if type(amount) is not int or not 0 <= amount <= MOST:
            raise Refusal("patron/limit", {"amount": amount, "most": MOST})
    elif type(amount) is not int or amount % MINUTE or not MINUTE <= amount <= longest:
        raise Refusal("patron/length", {"most": longest // MINUTE})


def _session(patron: Patron, command: StartSession | EndSession | AcknowledgeRealityCheck) -> Event:
    if isinstance(command, StartSession):
        if patron.session is not None:
            raise Refusal("patron/session-open")
        check_admitted(patron, command.at)
        check_time_left(patron, command.at)
        return SessionStarted(command.at)
    if patron.session is None:
        raise Refusal("patron/no-session")
    if isinstance(command, EndSession):
        return SessionEnded(command.at)
    return RealityCheckAcknowledged(command.at)


def _time_out(patron: Patron, command: TakeTimeOut) -> Event:
    length = command.length
    if type(length) is not int or not SHORTEST_TIME_OUT <= length <= LONGEST_TIME_OUT:
        raise Refusal(
            "patron/time-out-length",
            {"least": SHORTEST_TIME_OUT // HOUR, "most": LONGEST_TIME_OUT // DAY},
        )
    until = command.at + length
    _check_not_shorter(until, patron.time_out_until)
    return TimeOutTaken(until, command.at)


def _exclude(patron: Patron, command: SelfExclude) -> Event:
    length = FOREVER if command.length is None else command.length
    if type(length) is not int or length < SHORTEST_EXCLUSION:
        raise Refusal("patron/exclusion-length", {"least": SHORTEST_EXCLUSION // DAY})
    if command.by is not None and type(command.by) is not str:
        raise Refusal("table/name", {"name": command.by})
    until = min(FOREVER, command.at + length)
    _check_not_shorter(until, patron.excluded_until)
    return SelfExcluded(until, command.at, command.by)


def _check_not_shorter(until: int, present: int) -> None:
    if until < present:
        raise Refusal("patron/exclusion-stands")
