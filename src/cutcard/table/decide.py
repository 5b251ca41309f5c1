"""Deciding at the table: who may do what, when, and with which money."""

from typing import get_args

from cutcard.frozen import replace
from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round.decide import OPEN_TABLE, second_stage_cost, undecided
from cutcard.round.decide import decide as decide_round
from cutcard.round.state import FINISHED, Key, Phase
from cutcard.round.terms import Entry
from cutcard.rules.cards import Card
from cutcard.rules.coup import next_side
from cutcard.rules.limits import Limit, Scope, check_limits
from cutcard.rules.moment import written
from cutcard.rules.rulebook import Remedy, Role, Rulebook
from cutcard.rules.settlement import MOST_STAKE
from cutcard.rules.shoe import burn_count
from cutcard.table import terminals
from cutcard.table.advice import current, entry_of
from cutcard.table.checks import check_box, check_name, check_role_or_machine, opened
from cutcard.table.commands import (
    ActAs,
    AddTerminal,
    AnnounceClosing,
    AnswerAttendant,
    AnswerSqueeze,
    BurnCard,
    CallAttendant,
    ChangeLimits,
    ChooseOption,
    CloseTable,
    Command,
    EmptyStack,
    EndOptions,
    EndShoe,
    FillStack,
    FreeSeat,
    InRound,
    LeaveSeat,
    LockTerminal,
    OpenCards,
    OpenTable,
    RegisterShoe,
    RemoveTerminal,
    Report,
    RequestSqueeze,
    Resolve,
    ShowCutCard,
    SignOff,
    SignOn,
    TakeSeat,
    Undoing,
    UnlockTerminal,
)
from cutcard.table.dealing import fold_on
from cutcard.table.events import (
    Acting,
    CardBurned,
    CardExposed,
    CardsOpened,
    ClosingAnnounced,
    CutCardShown,
    Event,
    LimitsScheduled,
    ShoeEnded,
    ShoeRegistered,
    SignedOff,
    SignedOn,
    StackEmptied,
    StackFilled,
    TableClosed,
    TableOpened,
)
from cutcard.table.incident import EXCESS, FOREIGN, MISCOUNT, TOO_FEW, UNREAD, UNSHUFFLED
from cutcard.table.remedies import (
    alarms,
    choose,
    end_options,
    find,
    report,
    resolve,
)
from cutcard.table.seats import free_seat, leave_seat, take_seat
from cutcard.table.setup import EDITION, Setup
from cutcard.table.squeezing import answer_squeeze, request_squeeze
from cutcard.table.staff import RANK, check_own_role, check_role, has_dealer
from cutcard.table.state import Shoe, Table, evolve
from cutcard.table.typed import check_types

STAFF_COMMANDS = (
    rounds.OpenRound,
    rounds.RejectExcess,
    rounds.CloseBets,
    rounds.DrawCard,
    rounds.EndDecisions,
    rounds.ReportRemoved,
    rounds.CallResult,
    rounds.SettleRound,
)
"""What only the dealer, or somebody above, may do in a round."""


PATRONS_OWN = (rounds.PlaceBet, rounds.WithdrawBet, rounds.ChooseSecondStage, rounds.ChooseAlways)
"""What a patron does with the patron's own money."""


THROUGH_INCIDENTS = (rounds.VoidRound, rounds.CorrectCoup, rounds.ReturnBets)
"""What nobody may do but by a lawful step about something that went wrong."""

COMMANDS = get_args(Command)

PAUSED = (
    OpenTable,
    InRound,
    RegisterShoe,
    BurnCard,
    ShowCutCard,
    EndShoe,
    OpenCards,
    AnswerSqueeze,
    RequestSqueeze,
    CloseTable,
)
"""What waits while something is wrong."""


ADOPTED = {
    "CB4 1.3": "HOUSE unread card",
    "CB4 1.11": "HOUSE roles",
    "CB4 1.12": "HOUSE irregularities",
    "CB4 3.9": "HOUSE squeeze",
    "SKY RG2": "HOUSE helpline",
}
"""Under which clause the house takes a rule of one document for all books."""


def decide(table: Table, command: Command, book: Rulebook) -> list[Event]:
    """The events that a command causes at a table that plays by a book."""
    try:
        return _decide(table, command, book)
    except Refusal as refusal:
        document = (refusal.clause or "").partition(" ")[0]
        if refusal.clause not in ADOPTED or document == book.document:
            raise
        clause = ADOPTED[refusal.clause]
        raise Refusal(refusal.code, refusal.params, clause) from None


def _decide(table: Table, command: Command, book: Rulebook) -> list[Event]:
    check_types(command, COMMANDS)
    by_the_book = table.open or isinstance(command, Report | Undoing)
    if table.setup is not None and by_the_book and not isinstance(command, OpenTable):
        # At a closed one nothing is played: staff sign on and patrons cash out by any book.
        _check_book(table.setup, book)
    if isinstance(command, PAUSED):
        _check_going(table, book)
    match command:
        case InRound():
            return _in_round(table, command, book)
        case OpenTable():
            return _open(table, command, book)
        case AnnounceClosing():
            opened(table)
            _role(table, command.by, Role.PIT_SUPERVISOR, command.at)
            over = table.rounds if table.round.phase in FINISHED else table.rounds - 1
            if command.last_round <= over:
                raise Refusal("table/round-over", {"round": command.last_round})
            return [ClosingAnnounced(command.last_round, command.by, command.at)]
        case CloseTable():
            return _close(table, command)
        case SignOn():
            check_name(command.person)
            plays = command.person in table.stacks or command.person in table.terminals.by_name
            if plays or _is_machine(table, command.person):
                raise Refusal("staff/patron", {}, "CB4 1.11")
            by = _for_another(table, command)
            return [SignedOn(command.person, command.role, command.at, by)]
        case SignOff():
            if command.person not in table.staff:
                raise Refusal("staff/not-signed-on", {"role": Role.DEALER.value})
            return [SignedOff(command.person, command.at, _for_another(table, command))]
        case ActAs():
            return _act(table, command)
        case ChangeLimits():
            opened(table)
            _role(table, command.by, Role.PIT_SUPERVISOR, command.at)
            check_limits(command.limits, book.spots)
            _check_no_box_limits(opened(table), command.limits)
            return [LimitsScheduled(command.limits, command.by, command.at)]
        case TakeSeat():
            return take_seat(table, command, book)
        case LeaveSeat():
            return leave_seat(table, command)
        case FreeSeat():
            return free_seat(table, command)
        case (
            AddTerminal()
            | RemoveTerminal()
            | LockTerminal()
            | UnlockTerminal()
            | CallAttendant()
            | AnswerAttendant()
        ):
            return terminals.decide(table, command, book)
        case FillStack():
            # Money may come back to a closed table, say from a voucher that was not printed.
            if table.setup is None:
                raise Refusal("table/closed", {})
            check_name(command.patron)
            _amount(command.amount)
            if command.patron in table.staff or _is_machine(table, command.patron):
                raise Refusal("staff/patron", {}, "CB4 1.11")
            added = terminals.with_money(table, command.patron, command.at, book)
            return [*added, StackFilled(command.patron, command.amount, command.at)]
        case EmptyStack():
            return _empty(table, command)
        case RegisterShoe():
            return _register(table, command, book)
        case BurnCard():
            return _burn(table, command, book)
        case ShowCutCard():
            opened(table)
            _role(table, command.by, Role.DEALER, command.at)
            if table.setup is not None and table.setup.continuous:
                raise Refusal("shoe/continuous", {}, "HOUSE shuffler")
            if _shoe(table).cut_card:
                raise Refusal("shoe/cut-card-shown", {}, book.cut.clause)
            return [CutCardShown(command.by, command.at)]
        case EndShoe():
            return _end_shoe(table, command, book)
        case RequestSqueeze():
            return request_squeeze(table, command)
        case AnswerSqueeze():
            return answer_squeeze(table, command)
        case OpenCards():
            opened(table)
            _role(table, command.by, Role.DEALER, command.at)
            return [CardsOpened(command.by, command.at)]
        case Report():
            if current(table) is None:
                # Until another round opens the last one can be put right, also at a closed table.
                opened(table)
            return report(table, command, book)
        case Resolve():
            return resolve(table, command, book)
        case ChooseOption():
            return choose(table, command, book)
        case EndOptions():
            return end_options(table, command, book)


def _check_book(setup: Setup, book: Rulebook) -> None:
    """A table plays by the book that it opened with, whatever book somebody holds."""
    if book.hash != setup.book_hash:
        raise Refusal("round/other-book", {"book": book.name})


def _check_going(table: Table, book: Rulebook) -> None:
    """Refuse to go on while the table waits, and say for what."""
    if table.incident is not None:
        raise Refusal("incident/waiting", {}, book.irregularities[table.incident.kind].clause)
    if table.options is not None:
        raise Refusal(
            "option/choosing", {"until": written(table.options_until)}, table.options_clause
        )


def _is_machine(table: Table, name: str) -> bool:
    return table.setup is not None and table.setup.machine == name


def _role(table: Table, person: str, needed: Role, at: int) -> None:
    check_role_or_machine(table, person, needed, at, "CB4 1.11")


CAGE = "cage"
"""Whose entries in the ledger are the cage's own; no table may be called so."""


def _amount(amount: int) -> None:
    if type(amount) is not int or not 0 < amount <= MOST_STAKE:
        raise Refusal("table/amount", {"amount": amount})


# --- the table and its people ---------------------------------------------------------------------


def _open(table: Table, command: OpenTable, book: Rulebook) -> list[Event]:
    setup = command.setup
    if table.open:
        raise Refusal("table/open", {})
    check_role(table.staff.get(command.by), Role.PIT_SUPERVISOR, command.at, "CB4 1.11")
    if setup.book_hash != book.hash:
        raise Refusal("round/other-book", {"book": book.name})
    check_name(setup.table)
    if setup.table == CAGE:
        raise Refusal("table/name", {"name": setup.table})
    check_limits(setup.limits, book.spots)
    _check_no_box_limits(setup, setup.limits)
    if table.setup is not None and setup.table != table.setup.table:
        # Its money is booked under the name it has.
        raise Refusal("table/other-name", {"table": table.setup.table})
    if table.shoe is not None and table.setup and setup.decks != table.setup.decks:
        raise Refusal("shoe/in-use", {"shoe": table.shoe.id}, book.decks.clause)
    if not setup.helpline.strip():
        raise Refusal("table/no-helpline", {}, "SKY RG2")
    book.check_decks(setup.decks)
    _check_layout(setup, book)
    for name in ("decision_ms", "option_ms", "seat_ms", "edition"):
        value = getattr(setup, name)
        if value is not None and (value < 1 or (name == "edition" and value > EDITION)):
            raise Refusal("table/setup", {"name": name, "value": value})
    if setup.machine is not None:
        _check_machine(table, setup, setup.machine, book)
    _check_approval(setup, book)
    if not setup.scanner:
        _check_typing(book)
    opened = TableOpened(setup, command.by, command.at)
    return [opened, *terminals.at_opening(table, setup, command.at, book)]


def _check_no_box_limits(setup: Setup, limits: tuple[Limit, ...]) -> None:
    """Refuse a limit per box where there are no boxes: all patrons would share it."""
    if setup.is_open and setup.keeps(1) and any(one.scope is Scope.BOX for one in limits):
        raise Refusal("limit/no-boxes", {}, OPEN_TABLE)


def _check_layout(setup: Setup, book: Rulebook) -> None:
    """Refuse a layout that the book does not have, and boxes that it does not draw."""
    layout = book.layout(setup.layout)
    if layout is None:
        known = ", ".join(one.id for one in book.layouts)
        raise Refusal(
            "table/layout", {"layout": setup.layout, "known": known}, book.layouts[0].clause
        )
    if setup.boxes < (0 if layout.is_open else 1):
        raise Refusal("table/setup", {"name": "boxes", "value": setup.boxes})
    if layout.boxes is not None and setup.boxes != layout.boxes:
        raise Refusal("table/boxes", {"boxes": setup.boxes, "must": layout.boxes}, layout.clause)
    if layout.is_open and setup.entry is Entry.WARN:
        raise Refusal("table/open-chips", {}, OPEN_TABLE)


def _check_machine(table: Table, setup: Setup, machine: str, book: Rulebook) -> None:
    """A machine has a name of its own, and deals only where the book wants no dealer (CB4 1.4)."""
    if book.dealer_clause is not None and not setup.demonstration:
        raise Refusal("table/needs-dealer", {"book": book.name}, book.dealer_clause)
    check_name(machine)
    plays = machine in table.stacks or machine in table.terminals.by_name
    if plays or machine in table.staff:
        raise Refusal("staff/patron", {}, "CB4 1.11")


def _check_approval(setup: Setup, book: Rulebook) -> None:
    """Where a regulator approves the book, two people have signed that it did (CB4 pre)."""
    if book.approval is None:
        return
    given = setup.approval
    if given is None or not given.reference.strip():
        raise Refusal("table/not-approved", {"book": book.name}, "CB4 pre")
    if not given.first.strip() or not given.second.strip() or given.first == given.second:
        raise Refusal("table/one-signature", {"book": book.name}, "CB4 pre")


def _close(table: Table, command: CloseTable) -> list[Event]:
    opened(table)
    _role(table, command.by, Role.PIT_SUPERVISOR, command.at)
    if table.round.phase not in FINISHED:
        raise Refusal("round/not-finished", {"round": table.round.number})
    if table.last_round is None or table.rounds < table.last_round:
        raise Refusal("table/no-notice", {})
    return [TableClosed(command.by, command.at)]


def _for_another(table: Table, command: SignOn | SignOff) -> str | None:
    """Who signs somebody else on or off: a supervisor, and the log says who.

    Nobody takes a person of higher rank off the table, nor down to another role.
    """
    if command.by is None or command.by == command.person:
        return None
    there = table.staff.get(command.person)
    held = Role.PIT_SUPERVISOR if there is None else there.role_at(command.at)
    needed = max(Role.PIT_SUPERVISOR, held, key=lambda role: RANK[role])
    check_role(table.staff.get(command.by), needed, command.at, "CB4 1.11")
    return command.by


def _act(table: Table, command: ActAs) -> list[Event]:
    # Whoever only acts in a role cannot hand it on, not even to themselves.
    check_own_role(table.staff.get(command.by), command.role, "CB4 1.11")
    if command.person not in table.staff:
        raise Refusal("staff/not-signed-on", {"role": command.role.value}, "CB4 1.11")
    if command.until <= command.at:
        raise Refusal("staff/acting-over", {}, "CB4 1.11")
    return [Acting(command.person, command.role, command.until, command.by, command.at)]


def _empty(table: Table, command: EmptyStack) -> list[Event]:
    _amount(command.amount)
    terminals.check_unlocked(table, command.patron)
    under_way = table.round.phase not in FINISHED
    if under_way and any(table.round.by_patron.get(command.patron, {}).values()):
        raise Refusal("stack/bets-in-play", {})
    if command.amount > table.stacks.get(command.patron, 0):
        have = table.stacks.get(command.patron, 0)
        raise Refusal("stack/short", {"needed": command.amount, "available": have})
    return [StackEmptied(command.patron, command.amount, command.at)]


# --- the shoe -------------------------------------------------------------------------------------


def _shoe(table: Table) -> Shoe:
    if table.shoe is None:
        raise Refusal("shoe/none", {})
    return table.shoe


def _register(table: Table, command: RegisterShoe, book: Rulebook) -> list[Event]:
    setup = opened(table)
    _role(table, command.by, Role.DEALER, command.at)
    check_name(command.shoe)
    if table.shoe is not None:
        raise Refusal("shoe/in-use", {"shoe": table.shoe.id})
    if not command.shuffle_record.strip():
        raise Refusal("shoe/unshuffled", {}, book.irregularities["unshuffled cards"].clause)
    wrong = [card for card, number in command.manifest.items() if number != setup.decks]
    if wrong or len(command.manifest) != 52:
        card = str(wrong[0]) if wrong else "?"
        clause = book.irregularities["shortage or excess in the shoe"].clause
        raise Refusal("shoe/manifest", {"card": card, "decks": setup.decks}, clause)
    return [
        ShoeRegistered(
            command.shoe, dict(command.manifest), command.shuffle_record, command.by, command.at
        )
    ]


def _burn(table: Table, command: BurnCard, book: Rulebook) -> list[Event]:
    _role(table, command.by, Role.DEALER, command.at)
    shoe = _shoe(table)
    if shoe.to_burn is None:
        if command.card is None:
            raise Refusal("shoe/expose-first", {}, book.burn_clause)
        count = burn_count(command.card)
        return [CardExposed(command.card, count, command.by, command.at)]
    if shoe.to_burn == 0:
        raise Refusal("shoe/burn-done", {}, book.burn_clause)
    return [CardBurned(shoe.to_burn - 1, command.by, command.at)]


def _end_shoe(table: Table, command: EndShoe, book: Rulebook) -> list[Event]:
    _role(table, command.by, Role.DEALER, command.at)
    shoe = _shoe(table)
    if table.round.phase not in FINISHED:
        raise Refusal("round/not-finished", {"round": table.round.number}, book.cut.clause)
    if type(command.left) is not int or command.left < 0:
        raise Refusal("shoe/count", {"left": command.left}, book.cut.clause)
    setup = table.setup
    whole = setup is not None and setup.continuous and setup.keeps(1)
    # A continuous shuffler is counted with every card back in it (HOUSE shuffler).
    expected = sum(shoe.manifest.values()) if whole else shoe.left
    missing = expected - command.left
    ended = ShoeEnded(shoe.id, command.left, missing, command.by, command.at)
    if missing == 0:
        return [ended]
    return [ended, *find(evolve(table, ended), MISCOUNT, command.at, book)]


# --- the round ------------------------------------------------------------------------------------


def _in_round(table: Table, command: InRound, book: Rulebook) -> list[Event]:
    setup, wanted = opened(table), command.command
    if isinstance(wanted, STAFF_COMMANDS):
        _role(table, command.by, Role.DEALER, wanted.at)
    if isinstance(wanted, THROUGH_INCIDENTS):
        # Whatever undoes something needs an incident that allows it, and its step.
        raise Refusal("incident/needed", {}, "CB4 5.17")
    if isinstance(wanted, PATRONS_OWN):
        terminals.check_in_place(table, wanted.patron, book)
        in_person = command.by == wanted.patron
        if not in_person:
            # Staff may act for a patron who asks, and the log says who did (CB4 5.16).
            check_role(table.staff.get(command.by), Role.DEALER, wanted.at, "CB4 5.16")
        wanted = replace(wanted, placed_by=None if in_person else command.by)
    if isinstance(wanted, rounds.ReportRemoved) and setup.is_open and setup.keeps(1):
        raise Refusal("bet/no-chips", {}, OPEN_TABLE)
    match wanted:
        case rounds.OpenRound():
            return [*_open_round(table, setup, replace(wanted, by=command.by), book)]
        case rounds.PlaceBet():
            return _place(table, setup, wanted, book)
        case rounds.DrawCard():
            return _draw(table, setup, replace(wanted, by=command.by), book)
        case rounds.ChooseSecondStage():
            return _choose(table, wanted, book)
        case rounds.EndDecisions():
            wanted = replace(wanted, short=_short(table, book))
        case rounds.ChooseAlways() | rounds.WithdrawBet():
            pass
        case _:
            # The log names whoever gave the command.
            wanted = replace(wanted, by=command.by)
    return [*decide_round(table.round, wanted, book)]


def _open_round(
    table: Table, setup: Setup, wanted: rounds.OpenRound, book: Rulebook
) -> list[Event]:
    if needs_dealer(table, book, wanted.at):
        raise Refusal("staff/no-dealer", {"book": book.name}, book.dealer_clause)
    shoe = _shoe(table)
    if not shoe.ready:
        raise Refusal("shoe/burn-first", {"left": shoe.to_burn or 0}, book.burn_clause)
    if shoe.cut_card:
        raise Refusal("shoe/last-round", {}, book.cut.clause)
    if table.last_round is not None and table.rounds >= table.last_round:
        raise Refusal("table/closing", {"round": table.last_round})
    book.check_in_force(wanted.at)
    terms = setup.terms(table.limits, book)
    numbered = rounds.OpenRound(table.rounds + 1, terms, wanted.at, wanted.by)
    return [*decide_round(table.round, numbered, book)]


def needs_dealer(table: Table, book: Rulebook, at: int) -> bool:
    """Whether no round can open because the book wants a dealer and none is signed on (CB4 1.4).

    A machine deals at such a table only in a demonstration, which needs no dealer then.
    """
    by_machine = table.setup is not None and table.setup.machine is not None
    return book.dealer_clause is not None and not by_machine and not has_dealer(table.staff, at)


def _place(table: Table, setup: Setup, wanted: rounds.PlaceBet, book: Rulebook) -> list[Event]:
    check_box(setup, wanted.box, book)
    seated = table.is_seated(wanted.patron, wanted.box)
    if not seated and not setup.open_boxes:
        _check_back_bet(table, wanted.box, book)
    events = decide_round(table.round, replace(wanted, seated=seated), book)
    spot = book.spots[wanted.spot]
    needed = wanted.stake * spot.reserve
    _check_funds(table, wanted.patron, needed, None if spot.reserve == 1 else "ONL CC2")
    if setup.reserve_second:
        needed += _second_stages(table, wanted, book)
        _check_funds(table, wanted.patron, needed, "KO2 3.4 funds")
    return [*events]


def _second_stages(table: Table, wanted: rounds.PlaceBet, book: Rulebook) -> int:
    """What the second stage of a new bet takes, and those of the patron's open first bets.

    Older books count each first bet by itself when it is placed.
    """
    second = book.stage_of(wanted.spot)
    own = 0 if second is None else second_stage_cost(wanted.stake, second)
    open_bets = ((bet, book.stage_of(bet.spot)) for bet in table.round.bets_of(wanted.patron))
    return own + sum(
        second_stage_cost(bet.stake, one)
        for bet, one in open_bets
        if one is not None and one.stage is not None and one.stage.funds_together
    )


def _check_back_bet(table: Table, box: int, book: Rulebook) -> None:
    """Refuse a bet behind a seat: of any patron, or, where the book has them, behind no bet."""
    clause = book.back_bets.clause
    if not book.back_bets.allowed:
        raise Refusal("bet/not-your-box", {"box": box}, clause)
    holder = table.seats.get(box)
    if holder is None or not any(table.round.stakes_of(holder, box).values()):
        raise Refusal("bet/nobody-seated", {"box": box}, clause)


def _check_funds(table: Table, patron: str, needed: int, clause: str | None) -> None:
    available = table.stacks.get(patron, 0)
    if needed > available:
        raise Refusal("stack/short", {"needed": needed, "available": available}, clause)


def _choose(table: Table, wanted: rounds.ChooseSecondStage, book: Rulebook) -> list[Event]:
    events = decide_round(table.round, wanted, book)
    bet = table.round.bet((wanted.box, wanted.patron, wanted.spot))
    second = book.stage_of(wanted.spot)
    if wanted.continues and bet is not None and second is not None:
        _check_funds(table, wanted.patron, second_stage_cost(bet.stake, second), None)
    return [*events]


def _check_typing(book: Rulebook) -> None:
    """Some books let nobody type a card in (ONL E3)."""
    unread = entry_of(book, UNREAD)
    if unread.remedy is Remedy.RESCAN:
        raise Refusal("card/no-typing", {}, unread.clause)


def _short(table: Table, book: Rulebook) -> frozenset[Key]:
    """Bets whose second stage their patron's stack cannot pay, the earlier bets paid first."""
    left, short = dict(table.stacks), set()
    for bet, second in sorted(undecided(table.round, book), key=lambda one: one[0].order):
        cost = second_stage_cost(bet.stake, second)
        if cost > left[bet.patron]:
            short.add(bet.key)
        else:
            left[bet.patron] -= cost
    return frozenset(short)


def _check_entry(table: Table, setup: Setup, wanted: rounds.DrawCard, book: Rulebook) -> None:
    """A card entered by hand is confirmed by a second member of staff (CB4 1.3)."""
    if setup.scanner and wanted.seen_by is None:
        return
    _check_typing(book)
    second = None if wanted.seen_by is None else table.staff.get(wanted.seen_by)
    check_role(second, Role.DEALER, wanted.at, "CB4 1.3")
    if wanted.seen_by == wanted.by:
        raise Refusal("card/one-person", {"card": str(wanted.card)}, "CB4 1.3")


def _draw(table: Table, setup: Setup, wanted: rounds.DrawCard, book: Rulebook) -> list[Event]:
    """A card: the one that the tableau wants, or the table finds what is wrong with it."""
    _check_entry(table, setup, wanted, book)
    card, shoe = wanted.card, _shoe(table)
    kept = table.kept[:1] == (card,)
    if not kept:
        if not shoe.ready:
            raise Refusal("shoe/burn-first", {"left": shoe.to_burn or 0}, book.burn_clause)
        if shoe.left <= 0:
            raise Refusal("card/none-left", {"card": str(card)}, entry_of(book, TOO_FEW).clause)
        wrong = _out_of_turn(table, shoe, card)
        if wrong is not None:
            return find(table, wrong, wanted.at, book, (card,))
    events: list[Event] = [*decide_round(table.round, wanted, book)]
    after = fold_on(table, events)
    assert after.shoe is not None, "the card came out of it"
    if not kept and alarms(after):
        return [*events, *find(after, UNSHUFFLED, wanted.at, book)]
    none_left = after.shoe.left <= 0 and not after.kept
    if none_left and next_side(after.round.coup) is not None:
        return [*events, *find(after, TOO_FEW, wanted.at, book)]
    return events


def _out_of_turn(table: Table, shoe: Shoe, card: Card) -> str | None:
    """What is wrong with a card that has left the shoe; None where it is the one to come.

    It is out, whatever the round was waiting for: bets, decisions, the next round, or a card
    kept from before, which is dealt first.
    """
    round = table.round
    if shoe.seen[card] >= shoe.manifest[card]:
        return FOREIGN
    due = round.phase in (Phase.CLOSED, Phase.DEALING) and next_side(round.coup) is not None
    return None if due and not table.kept else EXCESS
