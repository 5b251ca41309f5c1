"""Causes: which command must have caused the events that a log shows.

Every event says enough to ask for it again. The table is then asked, by the same
`decide` that ran it, what comes of the command; what it refuses was not lawful, and
what it answers is what the log should hold. Where the log does not say who gave a
command, anybody who was at the table may have.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from cutcard.round import commands as rounds
from cutcard.round import events as in_round
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup
from cutcard.table import Table
from cutcard.table import commands as ask
from cutcard.table import events as at_table
from cutcard.table.commands import Command, InRound
from cutcard.table.events import Event
from cutcard.table.incident import INTERRUPTION, SYSTEM, Step

TAKEN = (
    at_table.CardsKept,
    at_table.KeptCardsBurned,
    at_table.ShoeRemoved,
    at_table.IncidentResolved,
    in_round.CardDealt,
    in_round.CoupCorrected,
    in_round.RoundVoided,
    in_round.SettlementCorrected,
)
"""While something is wrong, these come of a step about it and of nothing else."""


def causes(table: Table, events: Sequence[Event]) -> Iterator[Command]:
    """The commands that may have caused the first of these events."""
    event = events[0]
    if table.incident is not None and isinstance(event, TAKEN):
        yield from _resolving(events)
    elif isinstance(event, at_table.OptionChosen):
        yield from _choosing(table, event, events)
    elif isinstance(event, at_table.TerminalAdded) and event.by == event.terminal:
        yield from _with_money(event, events[1:2])
    elif isinstance(event, at_table.OwnEvent):
        yield from _at_table(table, event)
    else:
        yield from _in_round(table, event)


def _anybody(table: Table, by: str | None = None) -> tuple[str, ...]:
    """Whoever the log names, else all who may have given what any member of staff may give."""
    if by is not None:
        return (by,)
    machine = None if table.setup is None else table.setup.machine
    # An empty name stands for nobody: the table then says whom it would have needed.
    return (*((machine,) if machine else ()), *islice(table.staff, 1), "")


# --- the table's own ------------------------------------------------------------------------------


def _at_table(table: Table, event: at_table.OwnEvent) -> Iterator[Command]:
    match event:
        case at_table.TableOpened():
            yield ask.OpenTable(event.setup, event.by, event.at)
        case at_table.ClosingAnnounced():
            yield ask.AnnounceClosing(event.last_round, event.by, event.at)
        case at_table.TableClosed():
            yield ask.CloseTable(event.by, event.at)
        case at_table.SignedOn():
            yield ask.SignOn(event.person, event.role, event.at, event.by)
        case at_table.SignedOff():
            yield ask.SignOff(event.person, event.at, event.by)
        case at_table.Acting():
            yield ask.ActAs(event.person, event.role, event.until, event.by, event.at)
        case at_table.LimitsScheduled():
            yield ask.ChangeLimits(event.limits, event.by, event.at)
        case at_table.SeatTaken():
            yield ask.TakeSeat(event.patron, event.box, event.at)
        case at_table.SeatLeft():
            if event.by is None:
                yield ask.LeaveSeat(event.patron, event.at)
            else:
                yield ask.FreeSeat(event.box, event.by, event.at)
        case at_table.TerminalAdded():
            yield ask.AddTerminal(event.terminal, event.number, event.by, event.at)
        case at_table.TerminalRemoved():
            yield ask.RemoveTerminal(event.terminal, event.by, event.at)
        case at_table.TerminalLocked():
            yield ask.LockTerminal(event.terminal, event.reason, event.by, event.at)
        case at_table.TerminalUnlocked():
            yield ask.UnlockTerminal(event.terminal, event.by, event.at)
        case at_table.AttendantCalled():
            yield ask.CallAttendant(event.terminal, event.at)
        case at_table.AttendantCame():
            yield ask.AnswerAttendant(event.terminal, event.by, event.at)
        case at_table.StackFilled():
            yield ask.FillStack(event.patron, event.amount, event.at)
        case at_table.StackEmptied():
            yield ask.EmptyStack(event.patron, event.amount, event.at)
        case at_table.ShoeRegistered():
            yield ask.RegisterShoe(
                event.shoe, event.manifest, event.shuffle_record, event.by, event.at
            )
        case at_table.CardExposed():
            yield ask.BurnCard(event.card, event.by, event.at)
        case at_table.CardBurned():
            yield ask.BurnCard(None, event.by, event.at)
        case at_table.CutCardShown():
            yield ask.ShowCutCard(event.by, event.at)
        case at_table.ShoeEnded():
            yield ask.EndShoe(event.left, event.by, event.at)
        case at_table.SqueezeRequested():
            yield ask.RequestSqueeze(event.patron, event.side, event.at)
        case at_table.SqueezeAnswered():
            yield ask.AnswerSqueeze(event.patron, event.granted, event.by, event.at)
        case at_table.CardsOpened():
            yield ask.OpenCards(event.by, event.at)
        case at_table.IncidentReported():
            yield from _reporting(table, event)
        case _:
            # What is left follows from something else, and never comes first.
            return


def _with_money(event: at_table.TerminalAdded, events: Sequence[Event]) -> Iterator[ask.FillStack]:
    """An account gets its terminal with its first money."""
    for filled in events:
        if isinstance(filled, at_table.StackFilled):
            yield ask.FillStack(event.terminal, filled.amount, event.at)


def _reporting(table: Table, event: at_table.IncidentReported) -> Iterator[Command]:
    incident = event.incident
    if incident.by != SYSTEM or incident.kind == INTERRUPTION:
        yield ask.Report(
            kind=incident.kind,
            by=incident.by,
            at=event.at,
            drawn=incident.drawn,
            lying=incident.lying,
            exposed=incident.exposed,
            round=incident.round,
            note=incident.note,
            also_exposed=incident.also_exposed or (),
            shoe=incident.shoe,
        )
    # The table finds by itself that a card should not have come.
    for card in incident.drawn[:1]:
        for by in _anybody(table):
            for seen_by in (None, *islice(table.staff, 2)):
                yield InRound(rounds.DrawCard(card, event.at, by, seen_by), by)


def _choosing(
    table: Table, event: at_table.OptionChosen, events: Sequence[Event]
) -> Iterator[Command]:
    """A patron's own choice, or the end of the time for it."""
    if not event.by_system:
        by = event.placed_by or event.patron
        yield ask.ChooseOption(event.patron, event.continues, by, event.at, _owing(events[1:2]))
        return
    # Whoever ended it is named by what came of it; in older logs only where money moved.
    named = (one.by for one in events if isinstance(one, ENDED) and one.by is not None)
    last = takewhile(lambda one: not isinstance(one, at_table.OptionsClosed), events)
    owing = _owing([*last])
    yield from (ask.EndOptions(by, event.at, owing) for by in _anybody(table, next(named, None)))


ENDED = in_round.BetsReturned | in_round.SettlementCorrected | at_table.OptionsClosed


def _resolving(events: Sequence[Event]) -> Iterator[Command]:
    """The step about an incident: its own record comes after what it did."""
    taken: list[Event] = []
    for event in events:
        if isinstance(event, at_table.IncidentResolved):
            for replace_shoe in _replaced(taken):
                yield ask.Resolve(
                    step=event.step,
                    by=event.by,
                    at=event.at,
                    reason=event.reason,
                    order=_order(taken) if event.step is Step.ORDER else (),
                    coup=_hands(taken) if event.step is Step.CORRECT else None,
                    replace_shoe=replace_shoe,
                    facts=event.facts,
                    confirmed_by=event.confirmed_by,
                    owing=_owing(taken),
                )
            return
        if not isinstance(event, (*TAKEN, in_round.DecisionsOpened)):
            return
        taken.append(event)


def _owing(events: Sequence[Event]) -> dict[str, int]:
    """What patrons owed: nobody else's log tells, but no less than was struck off."""
    anew = [one for one in events if isinstance(one, in_round.SettlementCorrected)]
    return {who: amount for one in anew for who, amount in (one.struck or {}).items()}


def _replaced(taken: Sequence[Event]) -> tuple[bool, ...]:
    """A shoe may have been taken away because it must be, or because somebody wished it."""
    gone = any(isinstance(event, at_table.ShoeRemoved) for event in taken)
    return (False, True) if gone else (False,)


def _order(taken: Sequence[Event]) -> tuple[Card, ...]:
    return next((one.cards for one in taken if isinstance(one, at_table.CardsKept)), ())


def _hands(taken: Sequence[Event]) -> Coup | None:
    kinds = in_round.CoupCorrected | in_round.SettlementCorrected
    return next((one.coup for one in taken if isinstance(one, kinds)), None)


# --- the round's ----------------------------------------------------------------------------------


def _in_round(table: Table, event: in_round.Event) -> Iterator[Command]:
    wanted: rounds.Command
    by = getattr(event, "by", None)
    match event:
        case in_round.RoundOpened():
            wanted = rounds.OpenRound(event.number, event.terms, event.at)
        case in_round.BetsClosed():
            wanted = rounds.CloseBets(event.at)
        case in_round.ResultCalled():
            wanted = rounds.CallResult(event.at)
        case in_round.RoundSettled():
            wanted = rounds.SettleRound(event.at)
        case in_round.BetWithdrawn() if event.cause in REJECTED:
            box = event.bet.box if event.cause == REJECTED[0] else None
            wanted = rounds.RejectExcess(box, "", event.at)
        case (
            in_round.SecondStagePlaced(by_system=True)
            | in_round.SecondStageDeclined(by_system=True)
        ):
            wanted = rounds.EndDecisions(event.at)
        case _:
            yield from _by_name(event)
            return
    yield from (InRound(wanted, one) for one in _anybody(table, by))


REJECTED = ("excess rejected", "excess of the table rejected")


def _by_name(event: in_round.Event) -> Iterator[Command]:
    """Where the log says who gave the command."""
    match event:
        case in_round.BetPlaced(bet, before, at):
            added = bet.stake - (before.stake if before else 0)
            wanted = rounds.PlaceBet(bet.patron, bet.box, bet.spot, added, at)
            yield InRound(wanted, bet.placed_by or bet.patron)
        case in_round.BetWithdrawn(bet, left, at=at):
            gone = bet.stake - (left.stake if left else 0)
            yield InRound(
                rounds.WithdrawBet(bet.patron, bet.box, bet.spot, at, gone),
                event.placed_by or bet.patron,
            )
        case in_round.CardDealt():
            drawn = rounds.DrawCard(event.card, event.at, event.by, event.seen_by)
            yield InRound(drawn, event.by)
        case in_round.SecondStagePlaced(bet, first, at=at):
            chosen = rounds.ChooseSecondStage(bet.patron, bet.box, first, True, at)
            yield InRound(chosen, bet.placed_by or bet.patron)
        case in_round.SecondStageDeclined():
            declined = rounds.ChooseSecondStage(
                event.patron, event.box, event.spot, False, event.at
            )
            yield InRound(declined, event.placed_by or event.patron)
        case in_round.AlwaysChosen():
            always = rounds.ChooseAlways(event.patron, event.always, event.at)
            yield InRound(always, event.placed_by or event.patron)
        case in_round.ChipsRemoved(bet, by, _, at):
            yield InRound(rounds.ReportRemoved(bet.patron, bet.box, bet.spot, by, at), by)
        case _:
            return
