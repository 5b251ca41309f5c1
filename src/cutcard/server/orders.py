"""What staff ask for, as the table knows it."""

from collections.abc import Iterable
from dataclasses import replace

from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Role
from cutcard.server.checks import CLAUSE
from cutcard.table import commands as ask
from cutcard.table.incident import Step
from cutcard.wire import house

CLAUSE_STAFF = "CB4 1.11"

LONGEST_ACTING_MS = 24 * 60 * 60_000
"""Nobody acts in another's role for longer without being asked again."""


def resolving(command: house.Resolve, by: str, now: int, second: str | None = None) -> ask.Resolve:
    """A step as the table takes it, and whoever confirmed it."""
    known = {one.value: one for one in Step}
    if command.step not in known:
        raise Refusal("staff/no-step", {"step": command.step}, CLAUSE_STAFF)
    return ask.Resolve(
        step=known[command.step],
        by=by,
        at=now,
        reason=command.reason,
        order=tuple(map(Card.parse, command.order)),
        coup=None if command.coup is None else Coup.parse(command.coup),
        replace_shoe=command.replace_shoe,
        facts=command.facts,
        confirmed_by=second,
    )


def in_round(command: house.StaffCommand, now: int) -> rounds.Command | None:
    match command:
        case house.OpenRound():
            return rounds.OpenRound(0, None, now)
        case house.RejectExcess(box=box):
            return rounds.RejectExcess(box, "", now)
        case house.CloseBets():
            return rounds.CloseBets(now)
        case house.EndDecisions():
            return rounds.EndDecisions(now)
        case house.CallResult():
            return rounds.CallResult(now)
        case house.SettleRound():
            return rounds.SettleRound(now)
        case _:
            return None


def plainly(command: house.StaffCommand, by: str, now: int) -> ask.Command:
    """Commands that the table has under the same name."""
    match command:
        case house.ActAs(person=person, role=role, until=until):
            if until - now > LONGEST_ACTING_MS:
                hours = LONGEST_ACTING_MS // 3_600_000
                raise Refusal("staff/acting-too-long", {"hours": hours}, CLAUSE_STAFF)
            return ask.ActAs(person, Role(role), until, by, now)
        case house.BurnCard(card=card):
            return ask.BurnCard(None if card is None else Card.parse(card), by, now)
        case house.ShowCutCard():
            return ask.ShowCutCard(by, now)
        case house.TurnCards():
            return ask.OpenCards(by, now)
        case house.EndOptions():
            return ask.EndOptions(by, now)
        case house.AnswerSqueeze(patron=who, granted=granted):
            return ask.AnswerSqueeze(who, granted, by, now)
        case house.FreeSeat(box=box):
            return ask.FreeSeat(box, by, now)
        case house.AddTerminal(terminal=terminal, number=number):
            return ask.AddTerminal(terminal, number, by, now)
        case house.RemoveTerminal(terminal=terminal):
            return ask.RemoveTerminal(terminal, by, now)
        case house.LockTerminal(terminal=terminal, reason=reason):
            return ask.LockTerminal(terminal, reason, by, now)
        case house.UnlockTerminal(terminal=terminal):
            return ask.UnlockTerminal(terminal, by, now)
        case house.AnswerAttendant(terminal=terminal):
            return ask.AnswerAttendant(terminal, by, now)
        case house.ChooseFor(patron=who, continues=continues):
            return ask.ChooseOption(who, continues, by, now)
        case house.Report():
            return ask.Report(
                kind=command.kind,
                by=by,
                at=now,
                drawn=tuple(map(Card.parse, command.drawn)),
                lying=None if command.lying is None else Coup.parse(command.lying),
                exposed=command.exposed,
                round=command.round,
                note=command.note,
                also_exposed=command.also_exposed,
                shoe=command.shoe,
            )
        case _:
            raise AssertionError(f"nobody carries out {command!r}")


def merged(limits: tuple[Limit, ...], given: Iterable[house.LimitGiven]) -> tuple[Limit, ...]:
    """The limits as they will be: whatever is not named stays as it is."""
    for new in map(_limit, given):
        limits = (*(left for one in limits if (left := _beside(one, new))), new)
    _check_together(limits)
    return limits


def _limit(given: house.LimitGiven) -> Limit:
    spots = tuple(dict.fromkeys(given.spots))
    return Limit(Kind(given.kind), Scope(given.scope), spots, given.amount, CLAUSE)


def _beside(one: Limit, new: Limit) -> Limit | None:
    """What is left of a limit beside a new one; of a differential all or nothing."""
    if (one.kind, one.scope) != (new.kind, new.scope):
        return one
    if one.kind is Kind.DIFFERENTIAL:
        return None if set(one.spots) == set(new.spots) else one
    spots = tuple(spot for spot in one.spots if spot not in new.spots)
    return replace(one, spots=spots) if spots else None


def _check_together(limits: Iterable[Limit]) -> None:
    """Refuse limits under which nobody could bet on a spot at all."""
    least: dict[str, int] = {}
    most: dict[str, int] = {}
    for one in limits:
        for spot in one.spots:
            if one.kind is Kind.MINIMUM:
                least[spot] = max(one.amount, least.get(spot, 0))
            else:
                most[spot] = min(one.amount, most.get(spot, one.amount))
    for spot in least.keys() & most.keys():
        if least[spot] > most[spot]:
            raise Refusal(
                "limit/contradictory",
                {"spot": spot, "least": least[spot], "most": most[spot]},
                CLAUSE,
            )
