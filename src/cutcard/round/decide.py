"""Deciding: which events a command causes, or why it is refused.

Every rule of a round is here or in what it calls. `decide` changes nothing.
"""

from collections.abc import Iterable

from cutcard.frozen import replace
from cutcard.refusals import Refusal
from cutcard.round.commands import (
    CallResult,
    ChooseAlways,
    ChooseSecondStage,
    CloseBets,
    Command,
    CorrectCoup,
    DrawCard,
    EndDecisions,
    OpenRound,
    PlaceBet,
    RejectExcess,
    ReportRemoved,
    ReturnBets,
    SettleRound,
    VoidRound,
    WithdrawBet,
)
from cutcard.round.events import (
    SEATED_FIRST,
    WITHDRAWN,
    AlwaysChosen,
    BetPlaced,
    BetsClosed,
    BetsReturned,
    BetWithdrawn,
    CardDealt,
    ChipsRemoved,
    CoupCorrected,
    DecisionsClosed,
    DecisionsOpened,
    Effective,
    Event,
    Laid,
    ResultCalled,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    SecondStageDeclined,
    SecondStagePlaced,
    Settled,
    SettlementCorrected,
)
from cutcard.round.excess import (
    clause_of,
    cut_at_close,
    giving_way,
    rejected,
    standing_behind,
    too_much,
)
from cutcard.round.settling import settle
from cutcard.round.state import FINISHED, Key, Phase, Round, evolve, fold
from cutcard.round.terms import NO_BOX, Entry, Terms
from cutcard.rules.coup import next_side
from cutcard.rules.limits import Bet, Limit, Scope, check_minimum, check_withdrawal, over
from cutcard.rules.rulebook import Rulebook, Spot, Stage
from cutcard.rules.settlement import check_offered, check_step

OPEN_TABLE = "HOUSE open table"
"""The rule of the house for tables without boxes and seats."""


def decide(state: Round, command: Command, book: Rulebook) -> list[Event]:
    """The events that a command causes in a round played by a book."""
    match command:
        case OpenRound():
            return _open(state, command, book)
        case PlaceBet():
            return _place(state, command, book)
        case WithdrawBet():
            return _withdraw(state, command, book)
        case RejectExcess():
            return _reject(state, command, book)
        case CloseBets():
            return _close(state, command, book)
        case DrawCard():
            return _draw(state, command, book)
        case ChooseSecondStage():
            return _choose(state, command, book)
        case ChooseAlways():
            return _always(state, command)
        case EndDecisions():
            return _time_is_up(state, command, book)
        case ReportRemoved():
            return _removed(state, command, book)
        case CallResult():
            return _result(state, command, book)
        case SettleRound():
            return _settle(state, command, book)
        case VoidRound():
            return _void(state, command)
        case CorrectCoup():
            return _correct(state, command, book)
        case ReturnBets():
            return _return(state, command, book)


def terms_of(state: Round) -> Terms:
    assert state.terms is not None, "a round that is under way has terms"
    return state.terms


# --- opening and betting --------------------------------------------------------------------------


def _open(state: Round, command: OpenRound, book: Rulebook) -> list[Event]:
    if state.phase not in FINISHED:
        raise Refusal(
            "round/not-finished", {"round": state.number}, book.announcements["open"].clause
        )
    if command.terms is None or command.terms.book_hash != book.hash:
        raise Refusal("round/other-book", {"book": book.name})
    return [RoundOpened(command.number, command.terms, command.at, command.by)]


def _betting(state: Round, book: Rulebook, late: str) -> None:
    """Refuse whatever may only be done while bets are open."""
    if state.phase in FINISHED:
        raise Refusal("bet/not-open", clause=book.announcements["open"].clause)
    if state.phase is not Phase.BETTING:
        raise Refusal("bet/closed", clause=clause_of(book, late))


def _place(state: Round, command: PlaceBet, book: Rulebook) -> list[Event]:
    _betting(state, book, "late bet")
    terms, spot = terms_of(state), book.spot(command.spot)
    check_box(command.box, terms.boxes, _boxes_clause(terms, book))
    check_offered(book, command.spot, command.stake)
    if spot.stage is not None:
        raise Refusal("bet/too-early", {"spot": spot.name}, spot.stage.clause)
    _check_needs(state, command, spot, book)
    check_step(book, command.spot, command.stake)
    gives_way = _check_limits(state, terms, command, book) if terms.entry is Entry.REFUSE else {}
    before = state.bet((command.box, command.patron, command.spot))
    stake = command.stake + (before.stake if before else 0)
    check_offered(book, command.spot, stake)
    bet = Laid(
        patron=command.patron,
        box=command.box,
        spot=command.spot,
        stake=stake,
        seated=command.seated,
        order=before.order if before else state.placed,
        revision=before.revision + 1 if before else 1,
        reserve=stake * (spot.reserve - 1),
        placed_by=command.placed_by,
    )
    events: list[Event] = [BetPlaced(bet, before, command.at)]
    if gives_way:
        events += _given_back(fold(events, state), gives_way, command.at, book)
        if next(too_much(fold(events, state).bets, terms.limits), None) is not None:
            # What is given back would break a limit of another scope, which gives no priority.
            refusal = _beyond(state, terms, _asked(command))
            assert refusal is not None, "nothing gives way to a bet that fits"
            raise refusal
    return events


def _given_back(state: Round, gives_way: dict[Laid, int], at: int, book: Rulebook) -> list[Event]:
    """The standing bets that a seated one takes the room of: the last in line first."""
    clause = clause_of(book, "excess bets")
    line = sorted(gives_way, key=lambda bet: bet.order, reverse=True)
    events: list[Event] = [
        less(bet, gives_way[bet], SEATED_FIRST, clause, at, book) for bet in line
    ]
    after = fold(events, state)
    patrons = dict.fromkeys(bet.patron for bet in line)
    return events + [one for patron in patrons for one in _dependents(after, patron, book, at)]


def _boxes_clause(terms: Terms, book: Rulebook) -> str:
    """Where the book says how many boxes there are; the terms of a round name no layout."""
    drawn = (one.clause for one in book.layouts if one.boxes == terms.boxes)
    return OPEN_TABLE if terms.boxes == 0 else next(drawn, book.layouts[0].clause)


def check_box(box: int, boxes: int, clause: str | None) -> None:
    """Refuse a bet in a box that is not there; at an open table no bet is in a box."""
    if boxes == 0 and box != NO_BOX:
        raise Refusal("bet/no-boxes", {"box": box}, clause)
    if boxes > 0 and not 1 <= box <= boxes:
        raise Refusal("bet/no-such-box", {"box": box, "boxes": boxes}, clause)


def _check_needs(state: Round, command: PlaceBet, spot: Spot, book: Rulebook) -> None:
    if spot.needs is None:
        return
    own = state.by_patron.get(command.patron, {})
    if not any(own.get(other) for other in spot.needs.any_of):
        others = tuple(book.spots[other].name for other in spot.needs.any_of)
        raise Refusal(
            "bet/needs-main-bet", {"spot": spot.name, "others": others}, spot.needs.clause
        )


def _check_limits(state: Round, terms: Terms, command: PlaceBet, book: Rulebook) -> dict[Laid, int]:
    """Refuse a bet outside the limits; what is left of the bets that give way to it."""
    new = _asked(command)
    refusal, gives_way = _beyond(state, terms, new), dict[Laid, int]()
    by_box = any(limit.scope is Scope.BOX for limit in terms.limits)
    if refusal is not None and command.seated and by_box:
        behind = standing_behind(state, new)
        refusal = _beyond(state, terms, new, sum(bet.stake for bet in behind))
        gives_way = giving_way(behind, state, terms, new, book) if refusal is None else {}
    if refusal is not None:
        raise refusal
    placed = state.bet((new.box, new.patron, new.spot))
    check_minimum(terms.limits, new.spot, new.stake + (placed.stake if placed else 0))
    return gives_way


def _asked(command: PlaceBet) -> Bet:
    return Bet(command.patron, command.box, command.spot, command.stake)


def _beyond(state: Round, terms: Terms, new: Bet, behind: int = 0) -> Refusal | None:
    """The refusal of a bet for which there is no room, also once so much gives way in its box."""
    tightest: tuple[int, Limit] | None = None
    for limit in terms.limits:
        room = limit.room_beside(state.sums(limit.scope, new.patron, new.box), new.spot)
        if room is None:
            continue
        room = max(0, room + behind if limit.scope is Scope.BOX else room)
        if tightest is None or room < tightest[0]:
            tightest = room, limit
    if tightest is None or new.stake <= tightest[0]:
        return None
    return over(tightest[1], tightest[0], new)


# --- taking back ----------------------------------------------------------------------------------


def _withdraw(state: Round, command: WithdrawBet, book: Rulebook) -> list[Event]:
    _betting(state, book, "late withdrawal")
    terms = terms_of(state)
    bet = state.bet((command.box, command.patron, command.spot))
    if bet is None:
        raise Refusal("bet/none-there", {"spot": book.spot(command.spot).name})
    gone = bet.stake if command.stake is None else command.stake
    if type(gone) is not int or not 0 < gone <= bet.stake:
        raise Refusal("bet/not-there", {"spot": command.spot, "stake": gone})
    if terms.entry is Entry.REFUSE:
        for limit in terms.limits:
            counted = state.together(limit.scope, bet.patron, bet.box)
            check_withdrawal([limit], counted, Bet(bet.patron, bet.box, bet.spot, gone))
    check_step(book, bet.spot, bet.stake - gone)
    taken = less(bet, bet.stake - gone, WITHDRAWN, None, command.at, book)
    taken = replace(taken, placed_by=command.placed_by)
    return [taken, *_dependents(evolve(state, taken), bet.patron, book, command.at)]


def less(
    bet: Laid, stake: int, cause: str, clause: str | None, at: int, book: Rulebook
) -> BetWithdrawn:
    """A bet cut down to a smaller stake, or taken away."""
    if stake == 0:
        return BetWithdrawn(bet, None, cause, clause, at)
    reserve = stake * (book.spots[bet.spot].reserve - 1)
    left = replace(bet, stake=stake, reserve=reserve, revision=bet.revision + 1)
    return BetWithdrawn(bet, left, cause, clause, at)


def _dependents(state: Round, patron: str, book: Rulebook, at: int) -> list[Event]:
    """Bets of a patron that cannot stand any more, because what they need is gone."""
    own = state.by_patron[patron]
    gone: list[Event] = []
    for bet in state.bets_of(patron):
        needs = book.spots[bet.spot].needs
        if needs and not any(own.get(other) for other in needs.any_of):
            gone.append(BetWithdrawn(bet, None, "needs another bet", needs.clause, at))
    return gone


def _reject(state: Round, command: RejectExcess, book: Rulebook) -> list[Event]:
    _betting(state, book, "late bet")
    kept = rejected(state, terms_of(state), command.box, book)
    if not kept:
        raise Refusal("bet/no-excess", clause=clause_of(book, "excess bets"))
    clause = clause_of(book, "excess bets")
    cause = "excess rejected" if command.box is not None else "excess of the table rejected"
    events: list[Event] = []
    for bet, stake in kept.items():
        events.append(less(bet, stake, cause, clause, command.at, book))
    after = state
    for event in events:
        after = evolve(after, event)
    patrons = dict.fromkeys(bet.patron for bet in kept)
    return events + [
        one for patron in patrons for one in _dependents(after, patron, book, command.at)
    ]


def _close(state: Round, command: CloseBets, book: Rulebook) -> list[Event]:
    _betting(state, book, "late bet")
    cut = cut_at_close(state, terms_of(state), book)
    return [
        BetsClosed(
            tuple(Effective(bet.box, bet.patron, bet.spot, stake) for bet, stake in cut.items()),
            command.at,
            command.by,
        )
    ]


# --- cards and decisions --------------------------------------------------------------------------


def _draw(state: Round, command: DrawCard, book: Rulebook) -> list[Event]:
    if state.phase in FINISHED or state.phase is Phase.BETTING:
        raise Refusal(
            "card/bets-open", {"card": str(command.card)}, book.announcements["close"].clause
        )
    if state.phase is Phase.DECIDING:
        raise Refusal("card/decisions-open", {"card": str(command.card)}, _stage_clause(book))
    side = next_side(state.coup)
    if side is None or state.phase is Phase.RESULT:
        raise Refusal("card/not-allowed", {"card": str(command.card)}, book.cites["tableau"])
    dealt = CardDealt(side, command.card, command.at, command.by, command.seen_by)
    return [dealt, *deciding(evolve(state, dealt), command.at, book)]


def _stage_clause(book: Rulebook) -> str | None:
    return next((spot.stage.clause for spot in book.spots.values() if spot.stage), None)


def undecided(
    state: Round, book: Rulebook, among: Iterable[Laid] | None = None
) -> list[tuple[Laid, Spot]]:
    """First-stage bets that must be decided on now, each with its second stage."""
    dealt = len(state.coup.dealt)
    seconds = {
        spot.stage.follows: spot
        for spot in book.spots.values()
        # A correction may find more cards on the table than that one.
        if spot.stage is not None and spot.stage.after_card <= dealt
    }
    if not seconds:
        return []
    return [
        (bet, seconds[bet.spot])
        for bet in (state.bets if among is None else among)
        if bet.spot in seconds
        and bet.key not in state.declined
        and state.bet((bet.box, bet.patron, seconds[bet.spot].id)) is None
    ]


def second_stage_cost(first: int, second: Spot) -> int:
    """What continuing a first-stage bet takes from the stack."""
    return first * _stage(second).multiple * second.reserve


def _stage(second: Spot) -> Stage:
    assert second.stage is not None, "only a second stage is decided on"
    return second.stage


def _choose(state: Round, command: ChooseSecondStage, book: Rulebook) -> list[Event]:
    if state.decide_until is None:
        raise Refusal("decision/not-now", clause=_stage_clause(book))
    if command.at >= state.decide_until:
        # The clock decides, not who asked first: the time-out is only not announced yet.
        raise Refusal("decision/too-late", clause="HOUSE timeout")
    key: Key = (command.box, command.patron, command.spot)
    open_now = {bet.key: (bet, second) for bet, second in undecided(state, book)}
    if key not in open_now:
        name = book.spot(command.spot).name
        raise Refusal("decision/nothing-to-decide", {"spot": name}, _stage_clause(book))
    bet, second = open_now[key]
    if command.continues and command.stake is not None:
        _check_multiple(bet, second, command.stake, book)
    events = _decided(
        bet, second, command.continues, state.placed, False, command.at, command.placed_by
    )
    # The last decision ends the pause; the deal goes on.
    return events if len(open_now) > 1 else [*events, DecisionsClosed(command.at)]


def _always(state: Round, command: ChooseAlways) -> list[Event]:
    if state.decide_until is not None and command.at >= state.decide_until:
        # The time to decide is over, and this would decide after all.
        raise Refusal("decision/too-late", clause="HOUSE timeout")
    return [AlwaysChosen(command.patron, command.always, command.at, command.placed_by)]


def _check_multiple(bet: Laid, second: Spot, stake: int, book: Rulebook) -> None:
    stage = _stage(second)
    must = bet.stake * stage.multiple
    if stake != must:
        raise Refusal(
            "bet/wrong-multiple",
            {
                "spot": second.name,
                "stake": stake,
                "other": book.spots[bet.spot].name,
                "multiple": stage.multiple,
                "must": must,
            },
            stage.clause,
        )


def _decided(
    bet: Laid,
    second: Spot,
    continues: bool,
    order: int,
    by_system: bool,
    at: int,
    placed_by: str | None = None,
) -> list[Event]:
    stage = _stage(second)
    if not continues:
        clause = "HOUSE timeout" if by_system else stage.declined_clause
        return [
            SecondStageDeclined(bet.patron, bet.box, bet.spot, by_system, clause, at, placed_by)
        ]
    stake = bet.stake * stage.multiple
    laid = replace(bet, spot=second.id, stake=stake, order=order, revision=1, placed_by=placed_by)
    laid = replace(laid, reserve=stake * (second.reserve - 1))
    return [SecondStagePlaced(laid, bet.spot, by_system, at)]


def _time_is_up(state: Round, command: EndDecisions, book: Rulebook) -> list[Event]:
    """Whoever has not decided forfeits, unless they chose beforehand to continue always."""
    if state.decide_until is None:
        raise Refusal("decision/not-now", clause=_stage_clause(book))
    if command.at < state.decide_until:
        raise Refusal(
            "decision/time-left", {"ms": state.decide_until - command.at}, "HOUSE timeout"
        )
    events: list[Event] = []
    for bet, second in undecided(state, book):
        always = bet.patron in state.always and bet.key not in command.short
        events += _decided(bet, second, always, state.placed + len(events), True, command.at)
    return [*events, DecisionsClosed(command.at)]


# --- result, settlement, void ---------------------------------------------------------------------


def _removed(state: Round, command: ReportRemoved, book: Rulebook) -> list[Event]:
    """Chips taken off after the close change nothing but where the money is (KO2 5.3)."""
    if state.phase in FINISHED or state.phase is Phase.BETTING:
        raise Refusal("bet/not-closed", clause=book.announcements["close"].clause)
    bet = state.bet((command.box, command.patron, command.spot))
    if bet is None or bet.key in state.removed:
        raise Refusal("bet/none-there", {"spot": book.spot(command.spot).name})
    clause = clause_of(book, "late withdrawal")
    return [ChipsRemoved(bet, command.by, clause, command.at)]


def _result(state: Round, command: CallResult, book: Rulebook) -> list[Event]:
    coup = state.coup
    if state.phase is not Phase.DEALING or next_side(coup) is not None:
        raise Refusal("round/cards-missing", {"coup": str(coup)}, book.cites["tableau"])
    points = coup.player_points, coup.banker_points
    return [ResultCalled(coup.winner, *points, command.at, command.by)]


def _settle(state: Round, command: SettleRound, book: Rulebook) -> list[Event]:
    if state.phase is not Phase.RESULT:
        raise Refusal("round/no-result", {"round": state.number}, book.cites["winner"])
    return [RoundSettled(tuple(settle(state, book)), command.at, command.by)]


def _void(state: Round, command: VoidRound) -> list[Event]:
    if state.phase in (Phase.IDLE, Phase.VOID):
        raise Refusal("round/nothing-to-void", {"round": state.number}, command.clause)
    if not command.reason.strip() or not command.clause.strip():
        raise Refusal("round/no-reason")
    reason, clause, by, at = command.reason, command.clause, command.by, command.at
    if state.phase is Phase.SETTLED:
        return [SettlementCorrected(None, (), reason, clause, by, at)]
    lying, removed = _apart(state, state.bets)
    return [RoundVoided(reason, clause, by, lying, removed, at)]


def _apart(state: Round, bets: Iterable[Laid]) -> tuple[tuple[Laid, ...], tuple[Laid, ...]]:
    """Bets whose chips lie there, and bets whose chips were taken away."""
    every = list(bets)
    return (
        tuple(bet for bet in every if bet.key not in state.removed),
        tuple(bet for bet in every if bet.key in state.removed),
    )


# --- corrections ----------------------------------------------------------------------------------


def _correct(state: Round, command: CorrectCoup, book: Rulebook) -> list[Event]:
    """Other hands than those recorded: before the result dealing goes on, after it, money moves."""
    if state.phase in (Phase.IDLE, Phase.VOID, Phase.BETTING):
        raise Refusal("round/no-cards", {"round": state.number}, command.clause)
    if state.phase is not Phase.SETTLED:
        corrected = CoupCorrected(command.coup, command.clause, command.by, command.at)
        return [corrected, *deciding(evolve(state, corrected), command.at, book)]
    if next_side(command.coup) is not None:
        raise Refusal("round/cards-missing", {"coup": str(command.coup)}, book.cites["tableau"])
    bets = tuple(settle(replace(state, coup=command.coup), book))
    return [_settled_anew(command, bets)]


def _settled_anew(command: CorrectCoup, bets: tuple[Settled, ...]) -> SettlementCorrected:
    return SettlementCorrected(
        command.coup, bets, command.reason, command.clause, command.by, command.at
    )


def _return(state: Round, command: ReturnBets, book: Rulebook) -> list[Event]:
    own = state.bets_of(command.patron)
    if not own or state.phase in (Phase.IDLE, Phase.VOID):
        raise Refusal("option/no-bets", clause="CB4 1.12")
    lying, removed = _apart(state, own)
    returned = BetsReturned(command.patron, lying, removed, command.clause, command.at, command.by)
    after = evolve(state, returned)
    if state.phase is Phase.SETTLED:
        again = CorrectCoup(state.coup, "bets returned", command.clause, command.by, command.at)
        return [_settled_anew(again, tuple(settle(after, book)))]
    if state.phase is Phase.DECIDING and not undecided(after, book):
        return [returned, DecisionsClosed(command.at)]
    return [returned]


def deciding(state: Round, at: int, book: Rulebook) -> list[Event]:
    """Open the time to decide on first-stage bets, where there is something to decide on."""
    if not undecided(state, book):
        return []
    return [DecisionsOpened(at + terms_of(state).decision_ms, at)]
