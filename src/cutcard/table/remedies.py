"""Remedies: reporting what went wrong, and taking one of the lawful steps about it.

Which steps are lawful is the advice's business (`advice.lawful`); what each of
them does is here. Earlier rounds stand, always.
"""

from collections.abc import Iterable

from cutcard.frozen import replace
from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round.decide import decide as decide_round
from cutcard.round.decide import deciding
from cutcard.round.events import SettlementCorrected
from cutcard.round.state import FINISHED, Phase
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, check_dealt, in_order, next_side
from cutcard.rules.rulebook import Irregularity, Remedy, Role, Rulebook
from cutcard.table.advice import RETURNED, Path, asked, current, entry_of, lawful
from cutcard.table.checks import check_role_or_machine
from cutcard.table.commands import ChooseOption, EndOptions, Report, Resolve, Undoing
from cutcard.table.dealing import deal_drawn, fold_on
from cutcard.table.events import (
    CardsKept,
    Event,
    IncidentReported,
    IncidentResolved,
    KeptCardsBurned,
    OptionChosen,
    OptionsClosed,
    OptionsOffered,
    ShoeRemoved,
)
from cutcard.table.incident import (
    FACE_UP,
    FOREIGN,
    FOUR_EYES,
    INTERRUPTION,
    LATE,
    RULINGS,
    SYSTEM,
    TOGETHER,
    TOO_FEW,
    UNSHUFFLED,
    VOIDING,
    WRONG_NUMBER,
    Incident,
    Step,
)
from cutcard.table.staff import check_role
from cutcard.table.state import Table, evolve, struck_off

# --- reporting ------------------------------------------------------------------------------------


def report(table: Table, command: Report, book: Rulebook) -> list[Event]:
    """Somebody says that something is wrong."""
    entry = entry_of(book, command.kind)
    if command.by != SYSTEM or command.kind != INTERRUPTION:
        check_role_or_machine(table, command.by, Role.DEALER, command.at, entry.clause)
    if command.shoe == last_shoe(table):
        command = replace(command, shoe=None)
    late = _is_late(table, command, entry)
    if is_waiting(table) and (late or not can_wait(table, command)):
        raise Refusal("incident/open", {}, entry.clause)
    if late:
        # Whatever it was, a later round has begun: it is written down, and changes nothing.
        bare = replace(command, drawn=(), lying=None, exposed=None, also_exposed=())
        command = replace(bare, kind=LATE)
    else:
        _check_cards(table, command, entry)
    return _found(table, command, book)


def _is_late(table: Table, command: Report, entry: Irregularity) -> bool:
    """Whether a later round has begun since, in this shoe or in another."""
    present, shoe = last_round(table), command.shoe
    if shoe is None:
        number = present if command.round is None else command.round
        known = number == present or 1 <= number < present
    else:
        number = command.round or 0
        known = number >= 1 and 1 <= shoe < last_shoe(table)
    if not known:
        raise Refusal("incident/round", {"round": number}, entry.clause)
    return shoe is not None or number < present


def can_wait(table: Table, command: Report) -> bool:
    """Whether something may be reported while something else is put right.

    Only that everything was interrupted, once, and only where that can change anything: the
    round is judged by it afterwards, or patrons have their time to choose again.
    """
    known = any(one.kind == INTERRUPTION for one in (table.incident, *table.behind) if one)
    turned = command.exposed is not None or bool(command.also_exposed)
    cards = command.drawn or command.lying is not None or turned
    matters = table.round.phase not in FINISHED or table.options is not None
    return command.kind == INTERRUPTION and matters and not known and not cards


def last_round(table: Table) -> int:
    """The number of the latest round; a shoe that has had none follows on one that had."""
    return table.rounds or table.round.number


def last_shoe(table: Table) -> int:
    """The number of the shoe that the latest round was dealt from."""
    return table.shoes if table.rounds else max(1, table.shoes - 1)


def _incident(table: Table, command: Report) -> Incident:
    return Incident(
        number=table.incidents + 1,
        kind=command.kind,
        round=last_round(table) if command.round is None else command.round,
        by=command.by,
        drawn=command.drawn,
        lying=command.lying,
        exposed=command.exposed,
        note=command.note,
        also_exposed=command.also_exposed or None,
        shoe=command.shoe,
    )


def _found(table: Table, command: Report, book: Rulebook) -> list[Event]:
    """What is written down, and the alarm where its cards end a run in the order of a new deck."""
    incident = _incident(table, command)
    found = IncidentReported(incident, entry_of(book, incident.kind).clause, command.at)
    after = evolve(table, found)
    if incident.drawn and incident.kind != FOREIGN and alarms(after):
        return [found, *find(after, UNSHUFFLED, command.at, book)]
    return [found]


def alarms(table: Table) -> bool:
    """Whether the latest cards came in the order of a new deck, as many as raise the alarm."""
    enough = 0 if table.setup is None else table.setup.sentinel
    return bool(enough) and table.shoe is not None and len(table.shoe.run) >= enough


def find(
    table: Table, kind: str, at: int, book: Rulebook, drawn: tuple[Card, ...] = ()
) -> list[Event]:
    """What the table notices by itself."""
    return _found(table, Report(kind, SYSTEM, at, drawn), book)


def _check_cards(table: Table, command: Report, entry: Irregularity) -> None:
    """Refuse a report whose cards cannot be what it says."""
    clause = entry.clause
    coup = table.round.coup
    if command.kind == TOGETHER and not 2 <= len(command.drawn) <= MOST_TOGETHER:
        raise Refusal("incident/together", {"most": MOST_TOGETHER}, clause)
    if command.drawn and entry.remedy in WITHOUT_CARDS:
        raise Refusal("incident/no-cards", {"kind": command.kind}, entry.clause)
    if command.drawn and command.kind != FOREIGN:
        check_in_shoe(table, command.drawn, clause)
    if command.exposed is not None or command.also_exposed or command.kind == FACE_UP:
        places = (command.exposed, *command.also_exposed)
        hidden = set(range(len(coup.dealt))) - table.face_up
        twice = len(set(places)) < len(places)
        if current(table) is None or twice or not set(places) <= hidden:
            raise Refusal("incident/not-hidden", {}, clause)
    if command.lying is not None:
        lying, dealt = command.lying, sorted(map(str, coup.dealt))
        if current(table) is None or not dealt or sorted(map(str, lying.dealt)) != dealt:
            raise Refusal("incident/other-cards", {"coup": str(lying), "dealt": str(coup)}, clause)
        if max(len(lying.player), len(lying.banker)) > 3:
            raise Refusal("incident/other-cards", {"coup": str(lying), "dealt": str(coup)}, clause)
    _check_believable(table, command, clause)


def _check_believable(table: Table, command: Report, clause: str) -> None:
    """Refuse what the cards on the table and in the shoe belie."""
    round = current(table)
    coup = Coup() if round is None else round.coup
    if command.kind == TOO_FEW:
        left = len(table.kept) + (table.shoe.left if table.shoe else 0)
        needed = max(LEAST_COUP - len(coup.dealt), int(next_side(coup) is not None))
        if left >= needed:
            # How many there should be is nobody's to know before the shoe is counted.
            raise Refusal("incident/cards-enough", {"cards": needed}, clause)
    hands = command.lying or coup
    whole = not hands.dealt or next_side(hands) is None
    silent = command.kind == WRONG_NUMBER and not command.drawn
    if silent and round is not None and whole and in_order(hands):
        raise Refusal("incident/right-number", {}, clause)


LEAST_COUP = 4
"""No coup ends with fewer cards."""

WITHOUT_CARDS = (
    Remedy.CORRECT,
    Remedy.RESCAN,
    Remedy.RESCAN_OR_ENTER,
    Remedy.STANDS,
    Remedy.REFUSE,
    Remedy.AS_PLACED,
    Remedy.PRO_RATA,
)
"""No card leaves the shoe with what these put right."""

MOST_TOGETHER = 3
"""More cards than this do not come out of a shoe at once."""


def check_in_shoe(table: Table, cards: Iterable[Card], clause: str) -> None:
    """Refuse cards that cannot have come out of this shoe."""
    if table.shoe is None:
        raise Refusal("shoe/none", {}, clause)
    seen = table.shoe.seen.copy()
    for card in cards:
        if seen[card] >= table.shoe.manifest.get(card, 0):
            raise Refusal("card/foreign", {"card": str(card)}, clause)
        seen[card] += 1


# --- resolving ------------------------------------------------------------------------------------


def resolve(table: Table, command: Resolve, book: Rulebook) -> list[Event]:
    """Take a lawful step about the incident that is open."""
    incident = table.incident
    if incident is None:
        raise Refusal("incident/none", {})
    path = _chosen(table, incident, command, book)
    # After a fault the book leaves no choice, so a restart may do what it orders.
    by_itself = command.by == SYSTEM and incident.kind == INTERRUPTION
    if not by_itself:
        check_role_or_machine(table, command.by, path.role, command.at, path.clause)
    _check_second(table, command, None if by_itself else path.role)
    _check_words(command, path)
    events = _taken(table, incident, command, path, book)
    after = fold_on(table, events)
    resolved = IncidentResolved(
        number=incident.number,
        step=command.step,
        reason=command.reason,
        facts=command.facts,
        clause=path.clause,
        by=command.by,
        role=None if by_itself else path.role,
        at=command.at,
        confirmed_by=command.confirmed_by,
    )
    events.append(resolved)
    after = evolve(after, resolved)
    if after.options is not None:
        return [*events, *_choosing_again(after, command)]
    offered = asked(table, path, command.coup, book)
    if offered:
        assert table.setup is not None, "bets are placed at an open table"
        until = command.at + table.setup.option_ms
        return [*events, OptionsOffered(offered, until, path.clause, command.at)]
    return [*events, *_decisions(after, command.at, book)]


def _check_second(table: Table, command: Resolve, role: Role | None) -> None:
    """A second pair of eyes is somebody else's, of the same standing."""
    second = command.confirmed_by
    if second is None:
        return
    if second == command.by or role is None:
        raise Refusal("staff/same-eyes", {}, FOUR_EYES)
    check_role_or_machine(table, second, role, command.at, FOUR_EYES)


def _choosing_again(table: Table, command: Resolve) -> list[Event]:
    """Whoever was choosing when something else went wrong has the time again, or no choice."""
    assert table.options is not None, "patrons were choosing"
    assert table.setup is not None, "bets are placed at an open table"
    if table.round.phase is Phase.VOID:
        return [OptionsClosed(command.at, command.by)]
    waiting = tuple(patron for patron, chosen in table.options.items() if chosen is None)
    until = command.at + table.setup.option_ms
    return [OptionsOffered(waiting, until, table.options_clause, command.at)]


def _chosen(table: Table, incident: Incident, command: Resolve, book: Rulebook) -> Path:
    """The lawful path that a command means."""
    advice = lawful(table, incident, book, command.at)
    for path in advice.paths:
        if path.step is command.step and path.order == command.order:
            if command.replace_shoe and not (path.may_replace_shoe or path.shoe_goes):
                raise Refusal("incident/shoe-stays", {}, path.clause)
            return path
    steps = tuple(dict.fromkeys(path.step.value for path in advice.paths))
    raise Refusal(
        "incident/not-lawful", {"step": command.step.value, "lawful": steps}, advice.clause
    )


def _check_words(command: Resolve, path: Path) -> None:
    if path.needs_reason and not command.reason.strip():
        raise Refusal("incident/no-reason", {"step": command.step.value}, path.clause)
    if command.step in RULINGS and not (command.reason.strip() and command.facts.strip()):
        raise Refusal("incident/no-ruling", {}, path.clause)


def _taken(
    table: Table, incident: Incident, command: Resolve, path: Path, book: Rulebook
) -> list[Event]:
    """The events of a step."""
    events: list[Event] = []
    drawn = command.order or incident.drawn
    reason = command.reason or incident.note or incident.kind
    if command.step in VOIDING:
        void = rounds.VoidRound(reason, path.clause, command.by, command.at)
        events += _undone(table, void, command, book)
    elif command.step in (Step.RECONSTRUCT, Step.ORDER):
        events += deal_drawn(table, drawn, command.by, command.at, book)
        drawn = ()
    elif command.step is Step.PLAY_ON and incident.lying is not None:
        events += _set(table, incident.lying, reason, command, path, book)
    elif command.step is Step.CORRECT:
        events += _corrected(table, reason, command, path, book)
        drawn = _left_over(table, command.coup)
    if drawn and incident.kind != FOREIGN:
        events.append(CardsKept(drawn, command.at))
    if command.step is Step.RULE_BURN:
        burned = (*table.kept, *drawn)
        events.append(KeptCardsBurned(burned, command.by, command.at))
    if table.shoe is not None and (path.shoe_goes or command.replace_shoe):
        events.append(ShoeRemoved(table.shoe.id, path.clause, command.by, command.at))
    return events


def _set(
    table: Table, coup: Coup, reason: str, command: Resolve, path: Path, book: Rulebook
) -> list[Event]:
    wanted = rounds.CorrectCoup(coup, reason, path.clause, command.by, command.at)
    return _undone(table, wanted, command, book)


def _undone(
    table: Table,
    wanted: rounds.VoidRound | rounds.CorrectCoup | rounds.ReturnBets,
    command: Undoing,
    book: Rulebook,
) -> list[Event]:
    """What the round says to it; where it is settled anew, its own debts are struck off first."""
    return [
        replace(event, struck=struck_off(table, event, command.owing) or None)
        if isinstance(event, SettlementCorrected)
        else event
        for event in decide_round(table.round, wanted, book)
    ]


def _corrected(
    table: Table, reason: str, command: Resolve, path: Path, book: Rulebook
) -> list[Event]:
    """The hands as they truly are: cards that the shoe can hold, where the tableau puts them."""
    coup = command.coup
    if coup is None or coup == table.round.coup or not coup.dealt:
        raise Refusal("incident/nothing-to-correct", {"coup": str(table.round.coup)}, path.clause)
    check_dealt(coup, path.clause, finished=table.round.phase is Phase.SETTLED)
    if table.shoe is not None:
        first, seen = table.shoe.earlier, table.shoe.seen.copy()
        seen.subtract(table.round.coup.dealt[first:])
        without = replace(table, shoe=replace(table.shoe, seen=seen))
        true = *coup.dealt[first:], *_left_over(table, coup)
        check_in_shoe(without, true, path.clause)
    return _set(table, coup, reason, command, path, book)


def _left_over(table: Table, coup: Coup | None) -> tuple[Card, ...]:
    """Cards of the shoe that were dealt to hands which had enough; they are kept (CB4 5.7).

    Where the true hands still want a card, what the record had beyond them never came.
    """
    if table.shoe is None or coup is None or next_side(coup) is not None:
        return ()
    return table.round.coup.dealt[max(len(coup.dealt), table.shoe.earlier) :]


def _decisions(table: Table, at: int, book: Rulebook) -> list[Event]:
    """Whoever was deciding on an Ante when something went wrong has the whole time again."""
    if table.round.phase is not Phase.DECIDING:
        return []
    return [*deciding(table.round, at, book)]


# --- options --------------------------------------------------------------------------------------


def choose(table: Table, command: ChooseOption, book: Rulebook) -> list[Event]:
    """A patron goes on, or has every bet of the round returned (CB4 5.12)."""
    _check_undisturbed(table, book)
    options = table.options
    if options is None or command.patron not in options:
        raise Refusal("option/none", {}, "CB4 5.12")
    in_person = command.by == command.patron
    if not in_person:
        check_role(table.staff.get(command.by), Role.DEALER, command.at, "CB4 5.16")
    if options[command.patron] is not None:
        raise Refusal("option/chosen", {}, "CB4 5.12")
    if command.at >= table.options_until:
        raise Refusal("option/too-late", {}, "HOUSE options default")
    placed_by = None if in_person else command.by
    chosen = OptionChosen(command.patron, command.continues, False, command.at, placed_by)
    events: list[Event] = [
        chosen,
        *_returned(table, command.patron, command.continues, command, book),
    ]
    after = fold_on(table, events)
    if any(one is None for one in (after.options or {}).values()):
        return events
    return [*events, *_closed(after, command, book)]


def end_options(table: Table, command: EndOptions, book: Rulebook) -> list[Event]:
    """Whoever has not chosen has the bets returned, and was told so beforehand."""
    check_role_or_machine(table, command.by, Role.DEALER, command.at, "HOUSE options default")
    _check_undisturbed(table, book)
    if table.options is None:
        raise Refusal("option/none", {}, "CB4 5.12")
    if command.at < table.options_until:
        left = table.options_until - command.at
        raise Refusal("option/time-left", {"ms": left}, "HOUSE options default")
    events: list[Event] = []
    after = table
    for patron, chosen in table.options.items():
        if chosen is None:
            new: list[Event] = [OptionChosen(patron, False, True, command.at)]
            new += _returned(after, patron, False, command, book)
            after = fold_on(after, new)
            events += new
    return [*events, *_closed(after, command, book)]


def _check_undisturbed(table: Table, book: Rulebook) -> None:
    """Nobody chooses while something else is wrong; the time for it begins again afterwards."""
    if table.incident is not None and table.options is not None:
        raise Refusal("incident/waiting", {}, entry_of(book, table.incident.kind).clause)


def _returned(
    table: Table, patron: str, continues: bool, command: ChooseOption | EndOptions, book: Rulebook
) -> list[Event]:
    if continues:
        return []
    wanted = rounds.ReturnBets(patron, RETURNED, command.by, command.at)
    return _undone(table, wanted, command, book)


def _closed(table: Table, command: ChooseOption | EndOptions, book: Rulebook) -> list[Event]:
    closed = OptionsClosed(command.at, command.by)
    return [closed, *_decisions(table, command.at, book)]


def is_waiting(table: Table) -> bool:
    """Whether the table waits for a remedy or for patrons to choose."""
    return table.incident is not None or table.options is not None
