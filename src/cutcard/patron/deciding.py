"""What a patron's wishes lead to: tighter at once, looser after a day, shorter never."""

from typing import assert_never

from cutcard.patron.checks import check_admitted, check_deposit
from cutcard.patron.commands import (
    AcknowledgeRealityCheck,
    BookResult,
    CancelLoosening,
    Command,
    EndSession,
    RecordDeposit,
    SelfExclude,
    SetLimit,
    SetRealityCheck,
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
    RealityCheckSet,
    ResultBooked,
    SelfExcluded,
    SessionEnded,
    SessionStarted,
    TimeOutTaken,
)
from cutcard.patron.limits import COOLING_OFF, DAY, HOUR, MINUTE, MOST_LIMIT, looser
from cutcard.patron.patron import FOREVER, Patron
from cutcard.refusals import Refusal

SHORTEST_TIME_OUT = DAY
LONGEST_TIME_OUT = 42 * DAY

SHORTEST_EXCLUSION = 184 * DAY
"""No six months of any calendar are longer, so none are cut short."""

LONGEST_INTERVAL = 60
"""Minutes between reality checks; a check that never comes would be none."""


def decide(patron: Patron, command: Command) -> list[Event]:
    """What a command leads to; refuses what may not be."""
    match command:
        case SetLimit():
            return [_set_limit(patron, command)]
        case CancelLoosening(kind, at):
            if patron.loosening(kind, at) is None:
                raise Refusal("patron/no-loosening")
            return [LooseningCancelled(kind, at)]
        case SetRealityCheck(minutes, at):
            if not 1 <= minutes <= LONGEST_INTERVAL:
                raise Refusal("patron/interval", {"minutes": minutes, "most": LONGEST_INTERVAL})
            return [RealityCheckSet(minutes * MINUTE, at)]
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
            # A fact about a round that is over: there is nothing to refuse.
            return [ResultBooked(net, at)]
        case _:  # pragma: no cover
            assert_never(command)


def _set_limit(patron: Patron, command: SetLimit) -> Event:
    kind, amount, at = command.kind, command.amount, command.at
    if isinstance(amount, bool) or not (amount is None or 0 <= amount <= MOST_LIMIT):
        raise Refusal("patron/limit", {"amount": amount, "most": MOST_LIMIT})
    held = patron.limit(kind, at)
    if looser(amount, held):
        return LooseningRequested(kind, amount, at + COOLING_OFF, at)
    if amount is None:
        raise Refusal("patron/no-limit")
    # The same limit again is a tightening too: it takes back the wish for a looser one.
    return LimitTightened(kind, amount, at)


def _session(patron: Patron, command: StartSession | EndSession | AcknowledgeRealityCheck) -> Event:
    if isinstance(command, StartSession):
        if patron.session is not None:
            raise Refusal("patron/session-open")
        check_admitted(patron, command.at)
        return SessionStarted(command.at)
    if patron.session is None:
        raise Refusal("patron/no-session")
    if isinstance(command, EndSession):
        return SessionEnded(command.at)
    return RealityCheckAcknowledged(command.at)


def _time_out(patron: Patron, command: TakeTimeOut) -> Event:
    if not SHORTEST_TIME_OUT <= command.length <= LONGEST_TIME_OUT:
        raise Refusal(
            "patron/time-out-length",
            {"least": SHORTEST_TIME_OUT // HOUR, "most": LONGEST_TIME_OUT // DAY},
        )
    until = command.at + command.length
    _check_not_shorter(until, patron.time_out_until)
    return TimeOutTaken(until, command.at)


def _exclude(patron: Patron, command: SelfExclude) -> Event:
    if command.length is not None and command.length < SHORTEST_EXCLUSION:
        raise Refusal("patron/exclusion-length", {"least": SHORTEST_EXCLUSION // DAY})
    until = FOREVER if command.length is None else min(FOREVER, command.at + command.length)
    _check_not_shorter(until, patron.excluded_until)
    return SelfExcluded(until, command.at)


def _check_not_shorter(until: int, present: int) -> None:
    if until < present:
        raise Refusal("patron/exclusion-stands")
