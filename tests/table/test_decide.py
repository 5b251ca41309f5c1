"""Deciding at the table: who may do what, when, and with which money."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from cutcard.refusals import Refusal
from cutcard.round import Entry, Phase
from cutcard.round import commands as rounds
from cutcard.round import events as in_round
from cutcard.rulebooks import load
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, Side, Winner
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Role
from cutcard.rules.settlement import MOST_STAKE
from cutcard.rules.shoe import composition, full_shoe
from cutcard.table import Table, decide, evolve, setup
from cutcard.table.commands import (
    ActAs,
    BurnCard,
    ChangeLimits,
    EmptyStack,
    FillStack,
    InRound,
    OpenCards,
    OpenTable,
    RegisterShoe,
    ShowCutCard,
    SignOff,
    SignOn,
)
from cutcard.table.decide import STAFF_COMMANDS
from cutcard.table.events import (
    Acting,
    CardBurned,
    CardExposed,
    CardsOpened,
    ClosingAnnounced,
    CutCardShown,
    IncidentReported,
    IncidentResolved,
    LimitsScheduled,
    SeatLeft,
    SeatTaken,
    ShoeEnded,
    ShoeRegistered,
    SignedOff,
    SignedOn,
    SqueezeAnswered,
    SqueezeRequested,
    StackEmptied,
    StackFilled,
    TableClosed,
    TableOpened,
)
from cutcard.table.incident import SYSTEM, Incident, Step
from cutcard.table.squeezing import highest_bettor
from cutcard.table.view import Audience, Viewer
from tests.cases import every
from tests.table.scene import (
    APPROVAL,
    BANKER_WINS,
    DEALER,
    HELPLINE,
    MACHINE,
    PLAYER_WINS,
    SUPERVISOR,
    TIE,
    Scene,
    check_in_step,
    denied,
    why,
)

CB4 = load("rws-commission")
STAFF = Viewer(Audience.STAFF, DEALER, Role.DEALER)


def ready(book: str = "rws-commission", **choices: object) -> Scene:
    """A table with a shoe; ann sits in box 1, bob in box 2, cho stands; 1,000 each."""
    scene = Scene(book, **choices).fund(ann=1_000, bob=1_000, cho=1_000)
    return scene.seat("ann", 1).seat("bob", 2).shoe()


def staffed() -> Table:
    table = Table()
    for person, role in ((SUPERVISOR, Role.PIT_SUPERVISOR), (DEALER, Role.DEALER)):
        table = evolve(table, decide(table, SignOn(person, role, 0), CB4)[0])
    return table


def opening(by: str = SUPERVISOR, **choices: object) -> Refusal | None:
    """What opening a table with this set-up meets."""
    wanted = setup(CB4, "t1", **{"helpline": HELPLINE, "approval": APPROVAL, **choices})
    try:
        assert decide(staffed(), OpenTable(wanted, by, 1), CB4) == [TableOpened(wanted, by, 1)]
    except Refusal as refusal:
        return refusal
    return None


# --- opening and closing --------------------------------------------------------------------------


@every(("layout", "boxes"), [("bean-9", 9), ("bean-7", 7), ("mini-7", 7), ("big-12", 12)])
def test_a_table_opens_on_any_layout_of_its_book_with_all_its_boxes(
    layout: str, boxes: int
) -> None:
    assert opening(layout=layout, boxes=boxes) is None


def test_a_layout_with_other_boxes_than_printed_is_refused() -> None:
    refused = opening(layout="bean-7", boxes=9)

    assert refused == Refusal("table/boxes", {"boxes": 9, "must": 7}, "CB4 App B")


def test_a_layout_of_another_book_is_refused() -> None:
    refused = opening(layout="screen")

    assert refused == Refusal(
        "table/layout",
        {"layout": "screen", "known": "bean-9, bean-7, mini-7, big-12"},
        "CB4 App A",
    )


def test_a_layout_that_leaves_its_boxes_to_the_operator_takes_any_number() -> None:
    assert Scene("skycity-commission", boxes=200).table.open
    assert Scene("skycity-commission", boxes=1).table.open
    with pytest.raises(Refusal, check=lambda refusal: refusal.code == "table/setup"):
        Scene("skycity-commission", boxes=0)


@pytest.mark.parametrize("helpline", ["", "  \n"])
def test_no_helpline_no_table(helpline: str) -> None:
    refused = opening(helpline=helpline)

    assert refused == Refusal("table/no-helpline", {}, "HOUSE helpline")


@every(("decks", "opens"), [(3, False), (4, True), (8, True), (9, False)])
def test_a_table_has_as_many_decks_as_its_book_allows(decks: int, opens: bool) -> None:
    refused = opening(decks=decks)

    assert (refused is None) == opens
    assert opens or refused == Refusal(
        "shoe/decks", {"decks": decks, "allowed": "4–8"}, "CB4 2.2.1"
    )


def test_a_set_up_made_for_another_version_of_the_book_is_refused() -> None:
    refused = opening(book_hash="0" * 64)

    assert refused == Refusal("round/other-book", {"book": "RWS Commission Baccarat"})


def test_a_dealer_opens_no_table_and_neither_does_a_stranger() -> None:
    dealer, stranger = opening(by=DEALER), opening(by="zed")

    assert dealer is not None
    assert stranger is not None
    assert why(dealer) == ("staff/role", "CB4 1.11")
    assert why(stranger) == ("staff/not-signed-on", "CB4 1.11")


def test_a_table_that_deals_by_itself_is_still_opened_by_a_supervisor() -> None:
    refused = opening(by=DEALER, machine=MACHINE)

    assert refused is not None
    assert refused.code == "staff/role"


def test_an_open_table_is_not_opened_again() -> None:
    scene = Scene()

    refused = denied(scene.do, OpenTable(scene.setup, SUPERVISOR, 9))
    assert why(refused) == ("table/open", None)


def test_nothing_is_played_at_a_table_that_has_not_opened() -> None:
    table = staffed()
    for command in (
        FillStack("ann", 100, 1),
        RegisterShoe("shoe 1", composition(full_shoe(8)), "by hand", DEALER, 1),
        InRound(rounds.CloseBets(1), DEALER),
    ):
        with pytest.raises(Refusal) as refused:
            decide(table, command, CB4)
        assert refused.value.code == "table/closed"


def test_a_table_closes_after_the_round_announced_as_its_last() -> None:
    scene = ready().open()
    scene.announce(2)
    announced = scene.last
    assert denied(scene.close_table).code == "round/not-finished"
    scene.play(BANKER_WINS)
    assert why(denied(scene.close_table)) == ("table/no-notice", None)

    scene.open().play(TIE)

    refused = denied(scene.open)
    assert (refused.code, dict(refused.params)) == ("table/closing", {"round": 2})
    scene.close_table()
    assert announced == [ClosingAnnounced(2, SUPERVISOR, announced[0].at)]
    assert scene.last == [TableClosed(SUPERVISOR, scene.now)]
    assert not scene.table.open
    assert denied(scene.open).code == "table/closed"


def test_without_notice_no_table_closes() -> None:
    scene = ready().open().play(BANKER_WINS)

    assert why(denied(scene.close_table)) == ("table/no-notice", None)


def test_a_round_that_is_over_cannot_be_announced_as_the_last() -> None:
    scene = ready().open().play(BANKER_WINS).open().play(TIE)

    refused = denied(scene.announce, 1)
    assert (refused.code, dict(refused.params)) == ("table/round-over", {"round": 1})


def test_the_round_just_settled_is_over_and_cannot_be_announced_either() -> None:
    """Notice comes before the last round, not after it (product B9)."""
    scene = ready().open().play(BANKER_WINS)

    assert denied(scene.announce, 1).code == "table/round-over"


def test_the_round_in_play_may_be_announced_as_the_last() -> None:
    scene = ready().open().announce(1).play(BANKER_WINS).close_table()

    assert not scene.table.open


def test_a_new_shoe_does_not_put_the_announced_closing_off() -> None:
    """The next round was announced as the last; changing the shoe first wins no further round."""
    scene = ready().open().play(BANKER_WINS).open().play(TIE).announce(3)
    scene.end_shoe().shoe("shoe 2")

    scene.open().play(PLAYER_WINS)

    assert denied(scene.open).code == "table/closing"
    assert not scene.close_table().table.open


def test_closing_needs_a_supervisor_as_announcing_it_does() -> None:
    scene = ready().open()

    assert denied(scene.announce, 1, by=DEALER).code == "staff/role"
    scene.announce(1).play(BANKER_WINS)
    assert denied(scene.close_table, by=DEALER).code == "staff/role"


def test_a_patron_cashes_out_of_a_closed_table() -> None:
    scene = ready().open().announce(1).play(BANKER_WINS).close_table()

    assert scene.cash_out("ann", 1_000).stack("ann") == 0


def test_a_closed_table_opens_again_with_another_set_up() -> None:
    scene = ready().open().announce(1).play(BANKER_WINS).close_table()
    wanted = replace(scene.setup, helpline="999")

    scene.do(OpenTable(wanted, SUPERVISOR, scene.at()))

    assert scene.table.open
    assert scene.table.setup == wanted
    assert scene.table.last_round is None
    assert scene.open().table.round.phase is Phase.BETTING


# --- staff ----------------------------------------------------------------------------------------


def test_staff_sign_on_and_off() -> None:
    scene = Scene().staff("max", Role.PIT_MANAGER)
    assert scene.last == [SignedOn("max", Role.PIT_MANAGER, scene.now)]

    scene.do(SignOff("max", 99))

    assert scene.last == [SignedOff("max", 99)]
    assert denied(scene.do, SignOff("max", 100)).code == "staff/not-signed-on"


@pytest.mark.clause("CB4 1.11")
def test_a_supervisor_signs_others_on_and_off_and_is_named_for_it() -> None:
    """Whoever does it in person is not named twice."""
    scene = Scene().do(SignOn("max", Role.DEALER, 98, SUPERVISOR))
    assert scene.last == [SignedOn("max", Role.DEALER, 98, SUPERVISOR)]
    scene.do(SignOff("max", 99, SUPERVISOR))
    assert scene.last == [SignedOff("max", 99, SUPERVISOR)]
    scene.do(SignOn("eve", Role.DEALER, 98, "eve"))
    assert scene.last == [SignedOn("eve", Role.DEALER, 98)]

    refused = denied(scene.do, SignOff(DEALER, 100, "eve"))
    assert why(refused) == ("staff/role", "CB4 1.11")
    assert refused.params == {"role": "pit supervisor", "own": "dealer"}
    nobody = denied(scene.do, SignOn("max", Role.DEALER, 100, "zoe"))
    assert why(nobody) == ("staff/not-signed-on", "CB4 1.11")
    scene.acting("eve", Role.PIT_SUPERVISOR, 102).do(SignOff(DEALER, 101, "eve"))
    assert scene.last == [SignedOff(DEALER, 101, "eve")]


@pytest.mark.clause("CB4 1.11")
@pytest.mark.clause("CB4 5.17")
def test_nobody_signs_off_or_takes_down_a_person_of_higher_rank() -> None:
    """So no supervisor sends the shift manager away and voids for want of a ruling."""
    scene = Scene().staff("sam", Role.SHIFT_MANAGER).staff("max", Role.PIT_MANAGER)

    for command in (
        SignOff("sam", 98, SUPERVISOR),
        SignOff("sam", 98, "max"),
        SignOn("sam", Role.DEALER, 98, SUPERVISOR),
    ):
        refused = denied(scene.do, command)
        assert why(refused) == ("staff/role", "CB4 1.11")
        assert refused.params["role"] == "shift manager"
    scene.do(SignOff("max", 99, "sam"))
    assert scene.last == [SignedOff("max", 99, "sam")]
    # Whoever acts in a role has its rank for as long.
    scene.acting(SUPERVISOR, Role.SHIFT_MANAGER, 110, "sam").staff("ida", Role.PIT_SUPERVISOR)
    assert denied(scene.do, SignOff(SUPERVISOR, 109, "ida")).params["role"] == "shift manager"
    scene.do(SignOff(SUPERVISOR, 110, "ida"))
    assert scene.last == [SignedOff(SUPERVISOR, 110, "ida")]


@pytest.mark.clause("CB4 1.4")
def test_the_log_names_who_opened_closed_called_and_settled_a_round() -> None:
    """One after another takes over; whatever the command itself says counts for nothing."""
    scene = ready().staff("eve", Role.DEALER).open("eve")
    terms = scene.setup.terms((), scene.book)
    assert scene.last == [in_round.RoundOpened(1, terms, scene.now, "eve")]
    scene.in_round(rounds.CloseBets(scene.at(), "zoe"))
    assert scene.last == [in_round.BetsClosed((), scene.now, DEALER)]
    scene.deal("Kh Kd 9s 8c").in_round(rounds.CallResult(scene.at(), "zoe"), "eve")
    assert scene.last == [in_round.ResultCalled(Winner.PLAYER, 9, 8, scene.now, "eve")]
    scene.in_round(rounds.SettleRound(scene.at(), "zoe"), SUPERVISOR)
    assert scene.last == [in_round.RoundSettled((), scene.now, SUPERVISOR)]


def test_a_dealer_who_has_signed_off_deals_no_more() -> None:
    scene = ready().do(SignOff(DEALER, 99))

    assert why(denied(scene.open)) == ("staff/not-signed-on", "CB4 1.11")


def test_a_new_dealer_takes_over_in_the_middle_of_a_round() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).close().deal("Kh")
    scene.do(SignOff(DEALER, 98)).staff("eve", Role.DEALER)

    assert denied(scene.deal, "Kd").code == "staff/not-signed-on"
    assert scene.deal("Kd 9s 8c", by="eve").table.round.phase is Phase.DEALING


def test_a_supervisor_lets_a_dealer_act_until_an_hour() -> None:
    scene = ready().open()
    assert why(denied(scene.wet().void, by=DEALER)) == ("staff/role", "HOUSE no ruling")

    scene.acting(DEALER, Role.PIT_SUPERVISOR, until=scene.now + 100)

    assert scene.last == [
        Acting(DEALER, Role.PIT_SUPERVISOR, scene.now + 99, SUPERVISOR, scene.now)
    ]
    assert scene.void(by=DEALER).table.round.phase is Phase.VOID
    scene.open().wait(200)
    assert denied(scene.wet().void, by=DEALER).code == "staff/role"


def test_nobody_gives_a_role_above_the_own() -> None:
    scene = Scene()

    refused = denied(scene.acting, DEALER, Role.PIT_MANAGER, until=1_000)
    assert (refused.code, refused.params["role"]) == ("staff/role", "pit manager")


def test_only_somebody_signed_on_acts_and_only_in_time_to_come() -> None:
    scene = Scene()

    stranger = denied(scene.do, ActAs("zed", Role.DEALER, 1_000, SUPERVISOR, 50))
    late = denied(scene.do, ActAs(DEALER, Role.PIT_SUPERVISOR, 50, SUPERVISOR, 50))
    assert why(stranger) == ("staff/not-signed-on", "CB4 1.11")
    assert why(late) == ("staff/acting-over", "CB4 1.11")


@every(
    "command",
    [
        rounds.CloseBets(50),
        rounds.DrawCard(Card.parse("Kh"), 50),
        rounds.EndDecisions(50),
        rounds.RejectExcess(1, DEALER, 50),
        rounds.ReportRemoved("ann", 1, "player", DEALER, 50),
        rounds.CallResult(50),
        rounds.SettleRound(50),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_patron_does_not_do_the_dealers_work(command: rounds.Command) -> None:
    scene = ready().open()

    assert isinstance(command, STAFF_COMMANDS)
    assert why(denied(scene.in_round, command, "ann")) == ("staff/not-signed-on", "CB4 1.11")


def test_a_patron_neither_opens_nor_voids_a_round() -> None:
    scene = ready()

    assert denied(scene.open, by="ann").code == "staff/not-signed-on"
    scene.open()
    assert denied(scene.wet().void, by="ann").code == "staff/not-signed-on"


def test_the_shoe_is_the_dealers_business_too() -> None:
    scene = ready()
    for command in (
        RegisterShoe("shoe 2", {}, "by hand", "ann", 50),
        BurnCard(None, "ann", 50),
        ShowCutCard("ann", 50),
        OpenCards("ann", 50),
    ):
        assert denied(scene.do, command).code == "staff/not-signed-on"


def test_a_table_that_deals_by_itself_needs_no_dealer_but_still_a_supervisor() -> None:
    scene = ready("rws-non-commission-etg", machine=MACHINE).do(SignOff(DEALER, 50))

    assert denied(scene.open, by=DEALER).code == "staff/not-signed-on"
    scene.open(by=MACHINE).bet("ann", 1, "player", 100).close(by=MACHINE)
    scene.deal("Kh Kd 9s 8c", by=MACHINE)
    scene.in_round(rounds.CallResult(60), by=MACHINE).in_round(rounds.SettleRound(61), by=MACHINE)

    assert scene.stack("ann") == 1_100
    assert denied(scene.open(by=MACHINE).wet(MACHINE).void, by=DEALER).code == "staff/not-signed-on"
    assert denied(scene.announce, 9, by="ann").code == "staff/not-signed-on"


# --- limits, effective next round -----------------------------------------------------------------


def most(amount: int) -> tuple[Limit, ...]:
    return (Limit(Kind.MAXIMUM, Scope.BET, ("player",), amount, "HOUSE limits"),)


def test_new_limits_count_from_the_next_round_on() -> None:
    scene = ready(limits=most(100)).open()
    scene.do(ChangeLimits(most(200), SUPERVISOR, scene.at()))
    assert scene.last == [LimitsScheduled(most(200), SUPERVISOR, scene.now)]

    assert why(denied(scene.bet, "ann", 1, "player", 101)) == ("limit/maximum", "HOUSE limits")
    scene.play(BANKER_WINS).open()

    assert scene.bet("ann", 1, "player", 200).stack("ann") == 800
    assert denied(scene.bet, "ann", 1, "player", 1).code == "limit/maximum"


def test_a_dealer_changes_no_limits() -> None:
    scene = ready()

    assert denied(scene.do, ChangeLimits((), DEALER, 50)).code == "staff/role"


# --- seats ----------------------------------------------------------------------------------------


def test_a_patron_takes_a_seat_and_leaves_it() -> None:
    scene = Scene().seat("ann", 3)
    assert scene.last == [SeatTaken("ann", 3, scene.now)]

    scene.leave("ann")

    assert scene.last == [SeatLeft("ann", 3, scene.now)]
    assert denied(scene.leave, "ann").code == "seat/none"


@every("box", [0, -1, 10])
def test_there_is_no_seat_beyond_the_layout(box: int) -> None:
    refused = denied(Scene().seat, "ann", box)

    assert (refused.code, dict(refused.params)) == ("bet/no-such-box", {"box": box, "boxes": 9})


@pytest.mark.parametrize("box", [1, 9])
def test_the_first_and_the_last_box_have_seats(box: int) -> None:
    assert Scene().seat("ann", box).table.seats == {box: "ann"}


def test_a_taken_seat_is_taken_even_for_its_holder() -> None:
    scene = Scene().seat("ann", 3)

    assert denied(scene.seat, "bob", 3).params == {"box": 3}
    assert denied(scene.seat, "ann", 3).code == "seat/taken"


def test_whoever_moves_leaves_the_old_seat() -> None:
    scene = Scene().seat("ann", 3).seat("ann", 4)

    assert scene.last == [SeatLeft("ann", 3, scene.now), SeatTaken("ann", 4, scene.now)]
    assert scene.table.seats == {4: "ann"}


# --- money at the table ---------------------------------------------------------------------------


@every("amount", [0, -1, MOST_STAKE + 1])
def test_only_whole_amounts_above_nothing_are_money(amount: int) -> None:
    scene = ready()

    assert denied(scene.do, FillStack("ann", amount, 50)).code == "table/amount"
    assert denied(scene.do, EmptyStack("ann", amount, 50)).code == "table/amount"


def test_a_stack_is_filled_and_emptied() -> None:
    scene = Scene().fund(ann=500)
    assert scene.last == [StackFilled("ann", 500, scene.now)]

    scene.do(EmptyStack("ann", 500, 77))

    assert scene.last == [StackEmptied("ann", 500, 77)]
    assert scene.stack("ann") == 0


def test_nobody_cashes_out_more_than_is_there() -> None:
    scene = Scene().fund(ann=500)

    refused = denied(scene.cash_out, "ann", 501)
    assert refused == Refusal("stack/short", {"needed": 501, "available": 500})
    assert denied(scene.cash_out, "zed", 1).params["available"] == 0


def test_nobody_cashes_out_while_bets_are_in_play() -> None:
    scene = ready().open().bet("ann", 1, "player", 100)

    assert denied(scene.cash_out, "ann", 1).code == "stack/bets-in-play"
    assert scene.cash_out("bob", 1_000).stack("bob") == 0
    scene.close().deal("Kh Kd 9s 8c").call()
    assert denied(scene.cash_out, "ann", 1).code == "stack/bets-in-play"
    assert scene.settle().cash_out("ann", 1_100).stack("ann") == 0


def test_a_bet_taken_back_is_not_in_play() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).take_back("ann", 1, "player")

    assert scene.cash_out("ann", 1_000).stack("ann") == 0


def test_a_stake_leaves_the_stack_at_once_and_returns_when_taken_back() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).bet("ann", 1, "player", 50)
    assert (scene.stack("ann"), scene.held("ann")) == (850, 150)

    scene.take_back("ann", 1, "player", 30)
    assert (scene.stack("ann"), scene.held("ann")) == (880, 120)

    scene.take_back("ann", 1, "player")
    assert (scene.stack("ann"), scene.held("ann")) == (1_000, 0)


def test_nobody_stakes_more_than_the_stack() -> None:
    scene = ready().open().bet("ann", 1, "player", 600)

    refused = denied(scene.bet, "ann", 1, "tie", 401)
    assert refused == Refusal("stack/short", {"needed": 401, "available": 400})
    assert scene.bet("ann", 1, "tie", 400).stack("ann") == 0


def test_somebody_without_a_stack_bets_nothing() -> None:
    scene = ready().seat("zed", 3).open()

    assert denied(scene.bet, "zed", 3, "player", 1).params["available"] == 0


def test_a_stake_is_not_debited_when_the_round_refuses_the_bet() -> None:
    scene = ready().open().close()

    assert denied(scene.bet, "ann", 1, "player", 100).code == "bet/closed"
    assert scene.stack("ann") == 1_000


# --- whose bet it is ------------------------------------------------------------------------------


def test_a_seated_bet_says_so_and_a_standing_one_too() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).bet("cho", 1, "player", 100)

    assert scene.laid("ann", 1, "player").seated
    assert not scene.laid("cho", 1, "player").seated


def test_a_seat_elsewhere_makes_nobody_seated_here() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).bet("bob", 1, "player", 100)

    assert not scene.laid("bob", 1, "player").seated


def test_nobody_bets_behind_an_empty_seat_or_one_without_a_bet() -> None:
    scene = ready().open()

    refused = denied(scene.bet, "cho", 1, "player", 100)
    assert refused == Refusal("bet/nobody-seated", {"box": 1}, "CB4 1.18")
    assert denied(scene.bet, "cho", 9, "player", 100).code == "bet/nobody-seated"
    scene.bet("ann", 1, "tie", 10)
    assert scene.bet("cho", 1, "player", 100).bets["cho", "player"] == 100


def test_a_bet_taken_back_leaves_nothing_to_bet_behind() -> None:
    scene = ready().open().bet("ann", 1, "tie", 10).take_back("ann", 1, "tie")

    assert denied(scene.bet, "cho", 1, "player", 100).code == "bet/nobody-seated"


def test_the_bet_of_another_patron_in_the_box_does_not_make_its_seat_bet() -> None:
    scene = ready().open().bet("ann", 1, "player", 10).bet("bob", 1, "player", 10)
    scene.take_back("ann", 1, "player")

    assert denied(scene.bet, "cho", 1, "player", 100).code == "bet/nobody-seated"


def test_an_operator_may_open_such_boxes() -> None:
    scene = ready(open_boxes=True).open()

    scene.bet("cho", 1, "player", 100).bet("cho", 9, "banker", 100)

    assert scene.stack("cho") == 800
    assert denied(scene.bet, "cho", 10, "player", 100).code == "bet/no-such-box"


def test_a_dealer_bets_for_a_patron_who_asks() -> None:
    scene = ready().open().bet("ann", 1, "player", 100, by=DEALER)

    assert scene.laid("ann", 1, "player").placed_by == DEALER
    assert scene.laid("ann", 1, "player").seated
    assert scene.stack("ann") == 900


def test_a_bet_of_ones_own_names_nobody_else() -> None:
    assert ready().open().bet("ann", 1, "player", 1).laid("ann", 1, "player").placed_by is None


def test_no_patron_bets_with_anothers_stack() -> None:
    scene = ready().open()

    refused = denied(scene.bet, "ann", 1, "player", 100, by="bob")
    assert why(refused) == ("staff/not-signed-on", "CB4 5.16")


def test_a_table_that_deals_by_itself_lets_no_patron_bet_for_another() -> None:
    scene = ready("rws-non-commission-etg", machine=MACHINE).open()

    assert denied(scene.bet, "ann", 1, "player", 100, by="bob").code == "staff/not-signed-on"


def test_no_patron_takes_anothers_bet_back() -> None:
    scene = ready().open().bet("ann", 1, "player", 100)

    refused = denied(scene.take_back, "ann", 1, "player", by="bob")
    assert refused.code == "staff/not-signed-on"


def test_a_dealer_takes_a_bet_back_for_a_patron_who_asks() -> None:
    scene = ready().open().bet("ann", 1, "player", 100)

    assert scene.take_back("ann", 1, "player", by=DEALER).stack("ann") == 1_000


def test_no_patron_decides_on_anothers_ante() -> None:
    """Declining loses the Ante; continuing stakes twice as much again."""
    scene = ready("rws-knockout").open().bet("ann", 1, "ante_player", 100).close().deal("9s")

    for continues in (True, False):
        refused = denied(scene.choose, "ann", 1, "ante_player", continues, by="bob")
        assert refused.code == "staff/not-signed-on"


def test_no_patron_chooses_always_for_another() -> None:
    scene = ready("rws-knockout")

    assert denied(scene.always, "ann", by="bob").code == "staff/not-signed-on"


def test_the_log_names_who_gave_the_command_and_nobody_else() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).void()

    voided, resolved = scene.last
    assert isinstance(voided, in_round.RoundVoided)
    assert isinstance(resolved, IncidentResolved)
    assert (voided.by, resolved.by) == (SUPERVISOR, SUPERVISOR)


def test_nobody_voids_or_corrects_a_round_but_by_a_lawful_step() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).close().deal("9h")
    for command in (
        rounds.VoidRound("water", "CB4 5.15", SUPERVISOR, 99),
        rounds.CorrectCoup(Coup.parse("8h /"), "x", "CB4 5.15", SUPERVISOR, 99),
        rounds.ReturnBets("ann", "CB4 5.12", SUPERVISOR, 99),
    ):
        assert why(denied(scene.in_round, command, SUPERVISOR)) == ("incident/needed", "CB4 5.17")


# --- reserves and second stages -------------------------------------------------------------------


def test_cow_cow_needs_nine_times_the_stake() -> None:
    scene = Scene("online-cow-cow").fund(ann=899).seat("ann", 1).shoe().open()

    refused = denied(scene.bet, "ann", 1, "banker", 100)
    assert refused == Refusal("stack/short", {"needed": 900, "available": 899}, "ONL CC2")
    scene.fund(ann=1).bet("ann", 1, "banker", 100)
    assert (scene.stack("ann"), scene.held("ann")) == (0, 900)
    assert scene.laid("ann", 1, "banker").reserve == 800


def test_a_cow_cow_tie_needs_itself_only() -> None:
    scene = Scene("online-cow-cow").fund(ann=10).seat("ann", 1).shoe().open()

    assert scene.bet("ann", 1, "tie", 10).stack("ann") == 0
    refused = denied(scene.bet, "ann", 1, "tie", 1)
    assert refused == Refusal("stack/short", {"needed": 1, "available": 0})


def ante(stack: int, *, sides: tuple[str, ...] = ("ante_player",), always: bool = False) -> Scene:
    """Knockout with Antes of 100 and so much in the stack afterwards, at the first card."""
    scene = Scene("rws-knockout").fund(ann=stack + 100 * len(sides)).seat("ann", 1).shoe()
    if always:
        scene.always("ann")
    scene.open()
    for side in sides:
        scene.bet("ann", 1, side, 100)
    return scene.close().deal("9s")


def test_a_wager_must_be_in_the_stack() -> None:
    short, enough = ante(199), ante(200)

    refused = denied(short.choose, "ann", 1, "ante_player")
    assert refused == Refusal("stack/short", {"needed": 200, "available": 199})
    assert enough.choose("ann", 1, "ante_player").stack("ann") == 0


def test_declining_costs_no_more_than_the_ante() -> None:
    scene = ante(0).choose("ann", 1, "ante_player", continues=False)

    assert scene.stack("ann") == 0
    assert scene.finish("9s Ks / Kd 8c").house == 100


def test_always_continues_when_the_stack_can_pay() -> None:
    scene = ante(200, always=True).time_is_up()

    assert scene.bets["ann", "wager_player"] == 200
    assert scene.stack("ann") == 0


def test_always_does_not_continue_on_credit() -> None:
    scene = ante(199, always=True).time_is_up()

    assert ("ann", "wager_player") not in scene.bets
    assert scene.stack("ann") == 199
    assert scene.finish("9s Ks / Kd 8c").house == 100


def test_whoever_cannot_pay_for_all_antes_continues_with_the_earlier() -> None:
    scene = ante(399, sides=("ante_player", "ante_banker"), always=True).time_is_up()

    assert sorted(spot for _, spot in scene.bets) == ["ante_banker", "ante_player", "wager_player"]
    assert scene.stack("ann") == 199


def test_an_ante_already_declined_is_not_owed_again_when_time_is_up() -> None:
    """Of two Antes ann declines one; the stack pays for the other, and she always continues."""
    scene = ante(200, sides=("ante_player", "ante_banker"), always=True)

    scene.choose("ann", 1, "ante_player", continues=False).time_is_up()

    assert scene.bets.get(("ann", "wager_banker")) == 200


def test_an_ante_already_continued_is_not_owed_again_when_time_is_up() -> None:
    """400 paid for both Wagers; after the first 200 are left, and they pay for the second."""
    scene = ante(400, sides=("ante_player", "ante_banker"), always=True)

    scene.choose("ann", 1, "ante_player").time_is_up()

    assert scene.bets.get(("ann", "wager_banker")) == 200
    assert scene.stack("ann") == 0


# --- the shoe -------------------------------------------------------------------------------------


def test_a_shoe_is_registered_with_its_manifest_and_its_shuffle() -> None:
    scene = Scene().register()

    manifest = composition(full_shoe(8))
    record = "shuffled by hand, dan"
    assert scene.last == [ShoeRegistered("shoe 1", manifest, record, DEALER, scene.now)]
    assert denied(scene.register, "shoe 2").params == {"shoe": "shoe 1"}


def test_a_shoe_without_a_shuffle_is_refused() -> None:
    assert why(denied(Scene().register, record=" ")) == ("shoe/unshuffled", "CB4 5.5.5")


def test_a_shoe_must_hold_every_card_as_often_as_it_has_decks() -> None:
    scene = Scene()
    full = composition(full_shoe(8))
    king = Card.parse("Ks")

    def registered(manifest: dict[Card, int]) -> Refusal:
        return denied(scene.do, RegisterShoe("shoe 1", manifest, "by hand", DEALER, 9))

    short = registered({**full, king: 7})
    assert short == Refusal("shoe/manifest", {"card": "Ks", "decks": 8}, "CB4 5.5.2")
    assert registered({**full, king: 9}).params["card"] == "Ks"
    assert registered({card: 8 for card in full if card != king}).code == "shoe/manifest"
    assert registered({}).code == "shoe/manifest"


@every(("exposed", "burned"), [("7c", 7), ("Ah", 1), ("Td", 10), ("Ks", 10)])
def test_the_exposed_card_says_how_many_are_burned(exposed: str, burned: int) -> None:
    scene = Scene().register()
    assert why(denied(scene.burn)) == ("shoe/expose-first", scene.book.burn_clause)
    scene.burn(exposed)
    assert scene.last == [CardExposed(Card.parse(exposed), burned, DEALER, scene.now)]

    for left in range(burned, 0, -1):
        refused = denied(scene.open)
        assert (refused.code, refused.params["left"]) == ("shoe/burn-first", left)
        scene.burn()
        assert scene.last == [CardBurned(left - 1, DEALER, scene.now)]

    assert why(denied(scene.burn)) == ("shoe/burn-done", scene.book.burn_clause)
    assert scene.open().table.round.phase is Phase.BETTING


def test_no_round_opens_without_a_shoe_or_before_its_first_card() -> None:
    scene = Scene()
    assert denied(scene.open).code == "shoe/none"

    scene.register()

    assert denied(scene.open).params["left"] == 0
    assert denied(scene.open).code == "shoe/burn-first"


def test_without_a_shoe_there_is_no_card_to_burn_to_cut_or_to_count() -> None:
    scene = Scene()

    assert [denied(word).code for word in (scene.burn, scene.cut_card, scene.end_shoe)] == [
        "shoe/none"
    ] * 3


def test_the_cut_card_makes_the_round_in_play_the_last() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).close().deal("Kh").cut_card()
    assert scene.last == [CutCardShown(DEALER, scene.now)]
    assert why(denied(scene.cut_card)) == ("shoe/cut-card-shown", "HOUSE cut")
    assert denied(scene.end_shoe).code == "round/not-finished"

    scene.deal("Kd 9s 8c").call().settle()

    assert why(denied(scene.open)) == ("shoe/last-round", "HOUSE cut")
    assert scene.stack("ann") == 1_100


def test_the_shoe_is_counted_at_its_end() -> None:
    scene = ready().open().play(BANKER_WINS)

    right, short, over = (
        ready().open().play(BANKER_WINS).end_shoe(left) for left in (410, 409, 411)
    )

    assert scene.table.shoe is not None
    assert scene.table.shoe.left == 416 - 2 - 4
    assert right.last == [ShoeEnded("shoe 1", 410, 0, DEALER, right.now)]
    assert [one.last[0].missing for one in (short, over)] == [1, -1]  # type: ignore[union-attr]


def test_a_shoe_does_not_end_in_the_middle_of_a_round() -> None:
    scene = ready().open()

    assert why(denied(scene.end_shoe)) == ("round/not-finished", "HOUSE cut")
    assert scene.void().end_shoe().table.shoe is None


def test_a_card_that_the_shoe_cannot_hold_is_found_to_be_foreign() -> None:
    scene = Scene(decks=4).shoe(exposed="Kh").open().close()
    scene.deal("Kh Kh Kh")

    scene.deal("Kh")
    found = Incident(1, "foreign card", 1, SYSTEM, (Card.parse("Kh"),))
    assert scene.last == [IncidentReported(found, "CB4 5.5.1", scene.now)]
    assert scene.table.round.coup == Coup.parse("Kh Kh / Kh")


def test_cards_seen_in_earlier_rounds_are_gone_too() -> None:
    scene = Scene(decks=4).shoe()
    for _ in range(4):
        scene.open().play(BANKER_WINS)

    assert scene.open().close().deal("8c").seen_by(STAFF).wrong == "foreign card"


# --- rounds at the table --------------------------------------------------------------------------


def test_the_table_numbers_its_rounds_and_sets_their_terms() -> None:
    scene = ready(limits=most(100), entry=Entry.WARN).open()
    first = scene.last
    scene.play(TIE).open()

    terms = scene.setup.terms(most(100), scene.book)
    assert first == [in_round.RoundOpened(1, terms, first[0].at, DEALER)]
    assert scene.table.round.number == 2


def test_a_round_does_not_open_over_another() -> None:
    assert denied(ready().open().open).code == "round/not-finished"


# --- squeezing ------------------------------------------------------------------------------------


def face_down() -> Scene:
    return ready(face_down=True).open().bet("ann", 1, "banker", 400).bet("bob", 2, "banker", 500)


def test_the_seated_patron_with_the_highest_bet_may_ask() -> None:
    scene = face_down().bet("cho", 1, "banker", 900).close()

    assert why(denied(scene.ask, "ann", Side.BANKER)) == ("squeeze/not-highest", "CB4 3.9")
    assert why(denied(scene.ask, "cho", Side.BANKER)) == ("squeeze/not-highest", "CB4 3.9")
    scene.ask("bob", Side.BANKER)
    assert scene.last == [SqueezeRequested("bob", Side.BANKER, scene.now)]
    scene.answer("bob")
    assert scene.last == [SqueezeAnswered("bob", Side.BANKER, True, DEALER, scene.now)]


def test_asking_is_for_the_time_between_the_close_and_the_last_card() -> None:
    scene = face_down()
    assert why(denied(scene.ask, "bob", Side.BANKER)) == ("squeeze/too-late", "CB4 3.9")

    scene.close().deal("Kh 8c Kd").ask("bob", Side.BANKER)
    assert scene.last == [SqueezeRequested("bob", Side.BANKER, scene.now)]
    scene.deal("Ks")

    assert why(denied(scene.ask, "bob", Side.BANKER)) == ("squeeze/too-late", "CB4 3.9")
    scene.call()
    assert why(denied(scene.ask, "bob", Side.BANKER)) == ("squeeze/too-late", "CB4 3.9")


def test_where_cards_lie_face_up_there_is_nothing_to_squeeze() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).close()

    assert why(denied(scene.ask, "ann", Side.PLAYER)) == ("squeeze/face-up", "CB4 3.9")


def test_only_who_asked_is_answered_and_only_by_staff() -> None:
    scene = face_down().close()
    assert why(denied(scene.answer, "bob")) == ("squeeze/not-asked", "CB4 3.9")

    scene.ask("bob", Side.BANKER)

    assert denied(scene.answer, "bob", by="bob").code == "staff/not-signed-on"
    scene.answer("bob", granted=False)
    assert scene.last == [SqueezeAnswered("bob", Side.BANKER, False, DEALER, scene.now)]
    assert denied(scene.answer, "bob").code == "squeeze/not-asked"


def test_of_equal_bets_the_earlier_counts() -> None:
    scene = ready().open().bet("bob", 2, "player", 300).bet("ann", 1, "banker", 300)

    assert highest_bettor(scene.table) == "bob"


def test_a_bet_in_anothers_box_gives_no_right_to_squeeze() -> None:
    scene = ready().open().bet("ann", 1, "tie", 10).bet("bob", 1, "banker", 500)

    assert highest_bettor(scene.table) == "ann"


def test_without_a_seated_bet_nobody_has_the_highest() -> None:
    assert highest_bettor(ready().open().table) is None
    assert highest_bettor(Table()) is None


def test_the_dealer_turns_over_what_lies_face_down() -> None:
    scene = face_down().close().deal("Kh Kd").turn_over()

    assert scene.last == [CardsOpened(DEALER, scene.now)]
    assert scene.table.face_up == {0, 1}


# --- a whole story --------------------------------------------------------------------------------


def test_an_evening_at_one_table_leaves_ledger_and_table_in_step() -> None:
    scene = ready(entry=Entry.WARN, face_down=True)
    scene.open().bet("ann", 1, "banker", 200).bet("cho", 1, "player", 100).play(BANKER_WINS)
    scene.open().bet("ann", 1, "player", 200, by=DEALER).void()
    scene.leave("ann").seat("cho", 1)
    scene.open().bet("cho", 1, "tie", 50).close().removed("cho", 1, "tie").finish(PLAYER_WINS)
    scene.cut_card().end_shoe().shoe("shoe 2")

    check_in_step(scene.table, scene.ledger)
    assert [scene.stack(who) for who in ("ann", "bob", "cho")] == [1_190, 1_000, 900]
    assert scene.owes("cho") == 50
    assert (scene.house, scene.commission) == (-200 + 100 + 50, 10)


# --- what would book money or cards wrongly ------------------------------------------------------


def test_a_table_opens_again_under_its_own_name_only() -> None:
    scene = ready().open().announce(1).play(BANKER_WINS).close_table()
    other = replace(setup(scene.book, "another", helpline="1800"), boxes=9)

    assert denied(scene.do, OpenTable(other, SUPERVISOR, 99)).code == "table/other-name"


def test_a_shoe_in_use_keeps_its_decks() -> None:
    scene = ready().open().announce(1).play(BANKER_WINS).close_table()
    assert scene.table.setup is not None
    fewer = replace(scene.table.setup, decks=6)

    assert denied(scene.do, OpenTable(fewer, SUPERVISOR, 99)).code == "shoe/in-use"


def test_a_count_of_cards_is_not_below_nothing() -> None:
    assert denied(ready().end_shoe, -1).code == "shoe/count"


def test_only_staff_lets_anybody_act_in_a_role() -> None:
    scene = ready("rws-non-commission-etg", machine=MACHINE)

    refused = denied(scene.do, ActAs(DEALER, Role.DEALER, 99, "nobody", 50))
    assert refused.code == "staff/not-signed-on"


# --- names, roles and limits that would trip the ledger or the deal later -----------------------


@every("name", ["", " ", "a:b", "cage"])
def test_a_table_needs_a_name_that_the_ledger_can_write(name: str) -> None:
    book = load("skycity-commission")
    table = evolve(Table(), SignedOn(SUPERVISOR, Role.PIT_SUPERVISOR, 0))

    with pytest.raises(Refusal) as caught:
        decide(table, OpenTable(setup(book, name), SUPERVISOR, 1), book)

    assert caught.value.code == "table/name"


def test_nobody_works_where_they_play() -> None:
    assert denied(ready().do, SignOn("ann", Role.SHIFT_MANAGER, 50)).code == "staff/patron"


def test_an_acting_role_is_not_handed_on() -> None:
    scene = ready().acting(DEALER, Role.PIT_SUPERVISOR, until=1_000)

    refused = denied(scene.do, ActAs(DEALER, Role.PIT_SUPERVISOR, 10**15, DEALER, 50))
    assert refused.code == "staff/role"


def test_limits_that_no_bet_can_be_checked_against_are_refused() -> None:
    odd = Limit(Kind.DIFFERENTIAL, Scope.BOX, ("player",), 100, "CB4 5.1")

    refused = denied(ready().do, ChangeLimits((odd,), SUPERVISOR, 50))
    assert refused.code == "limit/impossible"


def test_who_is_late_cannot_choose_always_instead() -> None:
    """Or the first card would have been seen before the Wager was wished for."""
    scene = ready("rws-knockout").open().bet("ann", 1, "ante_player", 100).close().deal("9h")
    late = rounds.ChooseAlways("ann", True, 10**9)

    assert denied(scene.in_round, late, "ann").code == "decision/too-late"


# --- staff acting for a patron is always in the log ----------------------------------------------


def test_whatever_staff_does_for_a_patron_names_them() -> None:
    scene = ready("rws-knockout").open()
    scene.bet("ann", 1, "ante_player", 100).bet("ann", 1, "ante_banker", 100)
    scene.bet("ann", 1, "tie", 50).take_back("ann", 1, "tie", by=DEALER)
    scene.in_round(rounds.ChooseAlways("ann", False, scene.at()), DEALER)
    scene.close().deal("9h")
    scene.choose("ann", 1, "ante_player", True, by=DEALER)
    scene.choose("ann", 1, "ante_banker", False, by=DEALER)

    acted = [
        event.bet.placed_by if isinstance(event, in_round.SecondStagePlaced) else event.placed_by
        for event in scene.log
        if isinstance(
            event,
            in_round.BetWithdrawn
            | in_round.AlwaysChosen
            | in_round.SecondStagePlaced
            | in_round.SecondStageDeclined,
        )
    ]
    assert acted == [DEALER] * 4


def test_a_patron_cannot_name_somebody_else_as_the_one_who_acted() -> None:
    wish = rounds.PlaceBet("ann", 1, "player", 100, 50, placed_by=DEALER)
    scene = ready().open().in_round(wish, "ann")

    assert [bet.placed_by for bet in scene.table.round.bets] == [None]


# --- who acts, exactly ----------------------------------------------------------------------------


def test_whoever_acts_in_a_role_does_everything_that_it_allows_until_the_time_is_over() -> None:
    """Dan deals, and is pit supervisor for a while."""
    scene = Scene().fund(ann=1_000).seat("ann", 1)
    scene.acting(DEALER, Role.PIT_SUPERVISOR, 1_000).shoe().open().cut_card()
    scene.bet("ann", 1, "player", 100, by=DEALER).close().deal("Kh Kd 9s 8c").turn_over()
    scene.call().settle().end_shoe().announce(2, DEALER)
    assert scene.last == [ClosingAnnounced(2, DEALER, scene.now)]
    scene.do(ChangeLimits((), DEALER, scene.at()))
    assert scene.last == [LimitsScheduled((), DEALER, scene.now)]

    late = denied(scene.wait(1_000).announce, 2, DEALER)
    assert why(late) == ("staff/role", "CB4 1.11")
    assert late.params == {"role": "pit supervisor", "own": "dealer"}


def test_a_closing_is_announced_for_this_round_or_a_later_one() -> None:
    scene = Scene().shoe().open().play(TIE).open()

    over = denied(scene.announce, 1)
    assert (why(over), over.params) == (("table/round-over", None), {"round": 1})
    assert scene.announce(2).table.last_round == 2


def test_nobody_is_staff_and_patron_at_one_table() -> None:
    scene = Scene().fund(ann=1_000)

    for refused in (
        denied(scene.staff, "ann", Role.DEALER),
        denied(scene.do, FillStack(DEALER, 5, 99)),
    ):
        assert (why(refused), refused.params) == (("staff/patron", "CB4 1.11"), {})


def test_only_whoever_is_signed_on_signs_off() -> None:
    refused = denied(Scene().sign_off, "eve")

    assert (why(refused), refused.params) == (("staff/not-signed-on", None), {"role": "dealer"})


# --- what a refusal says --------------------------------------------------------------------------


def again(**changes: object) -> Refusal:
    """A closed table that is to open again with another set-up."""
    scene = Scene().fund(ann=1_000).announce(1)
    scene.table = replace(scene.table, open=False)
    return denied(scene.do, OpenTable(replace(scene.setup, **changes), SUPERVISOR, 99))  # type: ignore[arg-type]


def asked(*cards: str) -> Scene:
    scene = Scene(face_down=True).fund(ann=1_000, bob=1_000).seat("ann", 1).seat("bob", 2).shoe()
    scene.open().bet("ann", 1, "player", 100).bet("bob", 2, "banker", 200).close()
    return scene.deal(" ".join(cards))


TOLD: dict[str, tuple[Callable[[], Refusal], str, dict[str, object], str | None]] = {
    "a name of nothing": (
        lambda: denied(Scene().do, FillStack("", 5, 99)),
        "table/name",
        {"name": ""},
        None,
    ),
    "the system's name": (
        lambda: denied(Scene().do, SignOn(SYSTEM, Role.DEALER, 99)),
        "table/name",
        {"name": "system"},
        None,
    ),
    "no money": (
        lambda: denied(Scene().do, FillStack("ann", 0, 99)),
        "table/amount",
        {"amount": 0},
        None,
    ),
    "too much money": (
        lambda: denied(Scene().do, FillStack("ann", MOST_STAKE + 1, 99)),
        "table/amount",
        {"amount": MOST_STAKE + 1},
        None,
    ),
    "an open table": (
        lambda: denied(Scene().do, OpenTable(Scene().setup, SUPERVISOR, 99)),
        "table/open",
        {},
        None,
    ),
    "another book": (
        lambda: again(book_hash="of another book"),
        "round/other-book",
        {"book": CB4.name},
        None,
    ),
    "the cage's name": (lambda: again(table="cage"), "table/name", {"name": "cage"}, None),
    "another name": (lambda: again(table="t2"), "table/other-name", {"table": "t1"}, None),
    "no helpline": (lambda: again(helpline=" "), "table/no-helpline", {}, "HOUSE helpline"),
    "no boxes": (lambda: again(boxes=0), "table/setup", {"name": "boxes", "value": 0}, None),
    "fewer boxes than printed": (
        lambda: again(boxes=7),
        "table/boxes",
        {"boxes": 7, "must": 9},
        CB4.layouts[0].clause,
    ),
    "no time to choose": (
        lambda: again(option_ms=0),
        "table/setup",
        {"name": "option_ms", "value": 0},
        None,
    ),
    "no time to decide": (
        lambda: again(decision_ms=0),
        "table/setup",
        {"name": "decision_ms", "value": 0},
        None,
    ),
    "a patron's name for the machine": (
        lambda: again(machine="ann", demonstration=True),
        "staff/patron",
        {},
        "CB4 1.11",
    ),
    "a machine where the book wants a dealer": (
        lambda: again(machine=MACHINE),
        "table/needs-dealer",
        {"book": CB4.name},
        "CB4 1.4",
    ),
    "a machine that is no demonstration's": (
        lambda: again(machine=MACHINE, demonstration=False),
        "table/needs-dealer",
        {"book": CB4.name},
        "CB4 1.4",
    ),
    "no approval": (
        lambda: again(approval=None),
        "table/not-approved",
        {"book": CB4.name},
        "CB4 pre",
    ),
    "one signature": (
        lambda: again(approval=replace(APPROVAL, second=APPROVAL.first)),
        "table/one-signature",
        {"book": CB4.name},
        "CB4 pre",
    ),
    "closing in a round": (
        lambda: denied(Scene().shoe().open().close_table),
        "round/not-finished",
        {"round": 1},
        None,
    ),
    "closing without notice": (lambda: denied(Scene().close_table), "table/no-notice", {}, None),
    "acting for nobody": (
        lambda: denied(Scene().acting, "eve", Role.DEALER, 999),
        "staff/not-signed-on",
        {"role": "dealer"},
        "CB4 1.11",
    ),
    "acting until now": (
        lambda: denied(Scene().do, ActAs(DEALER, Role.DEALER, 99, SUPERVISOR, 99)),
        "staff/acting-over",
        {},
        "CB4 1.11",
    ),
    "no such seat": (
        lambda: denied(Scene().seat, "ann", 10),
        "bet/no-such-box",
        {"box": 10, "boxes": 9},
        "CB4 App A",
    ),
    "a dealer's seat": (lambda: denied(Scene().seat, DEALER, 1), "staff/patron", {}, "CB4 1.11"),
    "a taken seat": (
        lambda: denied(Scene().seat("ann", 1).seat, "bob", 1),
        "seat/taken",
        {"box": 1},
        None,
    ),
    "no seat": (lambda: denied(Scene().leave, "ann"), "seat/none", {}, None),
    "a stack with bets": (
        lambda: denied(asked().do, EmptyStack("ann", 1, 99)),
        "stack/bets-in-play",
        {},
        None,
    ),
    "a short stack": (
        lambda: denied(Scene().fund(ann=5).do, EmptyStack("ann", 6, 99)),
        "stack/short",
        {"needed": 6, "available": 5},
        None,
    ),
    "a stranger's stack": (
        lambda: denied(Scene().do, EmptyStack("eve", 6, 99)),
        "stack/short",
        {"needed": 6, "available": 0},
        None,
    ),
    "no shoe": (lambda: denied(Scene().open), "shoe/none", {}, None),
    "a second shoe": (
        lambda: denied(Scene().shoe().register, "shoe 2"),
        "shoe/in-use",
        {"shoe": "shoe 1"},
        None,
    ),
    "an unshuffled shoe": (
        lambda: denied(Scene().register, record=" "),
        "shoe/unshuffled",
        {},
        "CB4 5.5.5",
    ),
    "burning unseen": (
        lambda: denied(Scene().register().burn),
        "shoe/expose-first",
        {},
        CB4.burn_clause,
    ),
    "burning on": (lambda: denied(Scene().shoe().burn), "shoe/burn-done", {}, CB4.burn_clause),
    "opening before the burn": (
        lambda: denied(Scene().register().burn("7c").open),
        "shoe/burn-first",
        {"left": 7},
        CB4.burn_clause,
    ),
    "a shoe with cards less than none": (
        lambda: denied(Scene().shoe().end_shoe, -1),
        "shoe/count",
        {"left": -1},
        CB4.cut.clause,
    ),
    "a shoe in a round": (
        lambda: denied(Scene().shoe().open().end_shoe),
        "round/not-finished",
        {"round": 1},
        CB4.cut.clause,
    ),
    "a cut card shown twice": (
        lambda: denied(Scene().shoe().cut_card().cut_card),
        "shoe/cut-card-shown",
        {},
        CB4.cut.clause,
    ),
    "a round after the cut card": (
        lambda: denied(Scene().shoe().cut_card().open),
        "shoe/last-round",
        {},
        CB4.cut.clause,
    ),
    "squeezing open cards": (
        lambda: denied(Scene().ask, "ann", Side.PLAYER),
        "squeeze/face-up",
        {},
        "CB4 3.9",
    ),
    "squeezing late": (
        lambda: denied(asked("9h 8c Kh Kd").ask, "bob", Side.PLAYER),
        "squeeze/too-late",
        {},
        "CB4 3.9",
    ),
    "squeezing with a smaller bet": (
        lambda: denied(asked().ask, "ann", Side.PLAYER),
        "squeeze/not-highest",
        {},
        "CB4 3.9",
    ),
    "a squeeze that nobody asked for": (
        lambda: denied(asked().answer, "bob"),
        "squeeze/not-asked",
        {},
        "CB4 3.9",
    ),
    "a squeeze between rounds": (
        lambda: denied(Scene(face_down=True).answer, "bob"),
        "squeeze/too-late",
        {},
        "CB4 3.9",
    ),
    "a bet in no box": (
        lambda: denied(asked().bet, "ann", 99, "player", 100),
        "bet/no-such-box",
        {"box": 99, "boxes": asked().setup.boxes},
        "CB4 App A",
    ),
    "a bet behind nobody": (
        lambda: denied(Scene().fund(ann=100).shoe().open().bet, "ann", 3, "player", 100),
        "bet/nobody-seated",
        {"box": 3},
        "CB4 1.18",
    ),
    "a bet without money": (
        lambda: denied(
            Scene().fund(ann=99).seat("ann", 1).shoe().open().bet, "ann", 1, "player", 100
        ),
        "stack/short",
        {"needed": 100, "available": 99},
        None,
    ),
}


@every("case", TOLD)
def test_it_tells_the_figures_and_the_clause(case: str) -> None:
    refused, code, params, clause = TOLD[case][0](), *TOLD[case][1:]

    assert (why(refused), refused.params) == ((code, clause), params)


def test_a_table_opens_again_with_other_decks_only_without_a_shoe() -> None:
    scene = Scene().shoe()
    scene.table = replace(scene.table, open=False)

    wanted = OpenTable(replace(scene.setup, decks=6), SUPERVISOR, 99)
    refused = denied(scene.do, wanted)
    assert why(refused) == ("shoe/in-use", CB4.decks.clause)
    assert refused.params == {"shoe": "shoe 1"}


def test_a_millisecond_is_time_enough() -> None:
    assert Scene(option_ms=1, decision_ms=1).table.open


def test_the_most_money_there_is_may_be_filled_in() -> None:
    scene = Scene().do(FillStack("ann", MOST_STAKE, 99))

    assert scene.stack("ann") == MOST_STAKE


def test_a_table_plays_by_the_book_that_it_opened_with() -> None:
    scene, other = Scene(), load("rws-knockout")

    with pytest.raises(Refusal) as refused:
        decide(scene.table, SignOff(DEALER, 99), other)
    assert (why(refused.value), refused.value.params) == (
        ("round/other-book", None),
        {"book": other.name},
    )


@pytest.mark.parametrize("blank", ["first", "second"])
def test_an_approval_needs_both_names(blank: str) -> None:
    assert again(approval=replace(APPROVAL, **{blank: " "})).code == "table/one-signature"


def test_whoever_acts_as_supervisor_opens_and_closes_the_table() -> None:
    scene = Scene().acting(DEALER, Role.PIT_SUPERVISOR, 1_000).announce(1).shoe().open()
    scene.play(TIE).close_table(DEALER)

    assert scene.do(OpenTable(scene.setup, DEALER, scene.at())).table.open


def test_nobody_hands_on_a_role_above_the_own() -> None:
    refused = denied(Scene().acting, DEALER, Role.SHIFT_MANAGER, 999)

    assert why(refused) == ("staff/role", "CB4 1.11")


# --- exact figures of refusals and findings -------------------------------------------------------


def test_a_closed_table_lets_staff_and_money_go_by_any_book() -> None:
    """Nothing is played at it; it may open again with another book."""
    scene = ready().announce(1).open().play(TIE).close_table()
    other = load("rws-knockout")

    signed = decide(scene.table, SignOn("max", Role.DEALER, 99), other)
    assert signed == [SignedOn("max", Role.DEALER, 99)]
    cashed = decide(scene.table, EmptyStack("ann", 1_000, 99), other)
    assert cashed == [StackEmptied("ann", 1_000, 99)]
    wanted = setup(other, scene.setup.table, helpline=HELPLINE, approval=APPROVAL)
    opened = decide(scene.table, OpenTable(wanted, SUPERVISOR, 99), other)
    assert opened == [TableOpened(wanted, SUPERVISOR, 99)]


def test_a_manifest_that_lacks_a_card_names_none() -> None:
    scene = Scene()
    manifest = {card: 8 for card in composition(full_shoe(8)) if str(card) != "Ks"}

    refused = denied(scene.do, RegisterShoe("shoe 1", manifest, "by hand", DEALER, 99))
    assert refused == Refusal("shoe/manifest", {"card": "?", "decks": 8}, "CB4 5.5.2")


@pytest.mark.clause("CB4 5.5.2")
def test_a_shoe_may_end_with_no_card_left_and_what_is_missing_is_found_at_once() -> None:
    """An ace was exposed and one card burned; 414 should be there."""
    scene = ready().end_shoe(0)

    ended, found = scene.last
    assert ended == ShoeEnded("shoe 1", 0, 414, DEALER, scene.now)
    assert isinstance(found, IncidentReported)
    assert (found.incident.kind, found.at) == ("shortage or excess in the shoe", scene.now)
    refused = denied(ready().end_shoe, -1)
    assert refused == Refusal("shoe/count", {"left": -1}, "HOUSE cut")


def test_who_acts_as_supervisor_answers_a_squeeze_and_confirms_a_card() -> None:
    scene = ready(face_down=True).open().bet("ann", 1, "player", 100).close()
    scene.ask("ann", Side.PLAYER).acting(DEALER, Role.PIT_SUPERVISOR, scene.now + 99)
    scene.answer("ann")
    assert scene.last == [SqueezeAnswered("ann", Side.PLAYER, True, DEALER, scene.now)]

    typed = ready(scanner=False).staff("eve", Role.DEALER).open().close()
    typed.acting("eve", Role.PIT_SUPERVISOR, typed.now + 99)
    typed.in_round(rounds.DrawCard(Card.parse("9h"), typed.at(), seen_by="eve"))
    assert typed.last == [
        in_round.CardDealt(Side.PLAYER, Card.parse("9h"), typed.now, DEALER, "eve")
    ]


@pytest.mark.clause("CB4 1.3")
def test_nobody_confirms_the_own_card() -> None:
    scene = ready(scanner=False).open().close()
    nine = Card.parse("9h")

    alone = rounds.DrawCard(nine, scene.at(), seen_by=DEALER)
    refused = denied(scene.in_round, alone)
    assert refused == Refusal("card/one-person", {"card": "9h"}, "CB4 1.3")
    for second in (None, "zoe"):
        nobody = denied(scene.in_round, replace(alone, seen_by=second))
        assert nobody == Refusal("staff/not-signed-on", {"role": "dealer"}, "CB4 1.3")


@pytest.mark.clause("KO2 5.3")
def test_whoever_saw_the_chips_go_is_named_whatever_the_command_says() -> None:
    scene = ready("rws-knockout", boxes=6).open().bet("ann", 1, "player", 100).close()
    scene.in_round(rounds.ReportRemoved("ann", 1, "player", "zoe", scene.at()))

    (removed,) = scene.last
    assert isinstance(removed, in_round.ChipsRemoved)
    assert removed.by == DEALER


@pytest.mark.clause("HOUSE exposed card")
def test_a_kept_card_comes_first_whatever_leaves_the_shoe_before_it() -> None:
    scene = ready().open().close().deal("9h 8c Kh Kd").deal("4d").resolve(Step.RECONSTRUCT)
    scene.call().settle().open().close()

    scene.deal("2c")
    drawn = (Card.parse("2c"),)
    assert scene.table.incident == Incident(2, "excess or exposed card", 2, SYSTEM, drawn)
    scene.resolve(Step.RECONSTRUCT)
    assert (scene.table.round.coup, scene.table.kept) == (Coup.parse("4d / 2c"), ())


@pytest.mark.clause("CB4 5.10.2")
def test_from_a_shoe_that_replaces_another_no_card_comes_before_the_burn() -> None:
    pair = (Card.parse("2d"), Card.parse("3s"))
    scene = ready().open().close().deal("Ah 2c").report("simultaneous cards", drawn=pair)
    scene.resolve(Step.ORDER, order=pair, replace_shoe=True).register("shoe 2")

    refused = denied(scene.deal, "9s")
    assert refused == Refusal("shoe/burn-first", {"left": 0}, "HOUSE burn")
    refused = denied(scene.burn("3h").deal, "9s")
    assert refused == Refusal("shoe/burn-first", {"left": 3}, "HOUSE burn")


def with_cards_left(scene: Scene, number: int) -> Scene:
    """All but so many cards are burned, which no cut card would allow."""
    shoe = scene.table.shoe
    assert shoe is not None, "there is a shoe"
    burned = shoe.burned + shoe.left - number
    scene.table = replace(scene.table, shoe=replace(shoe, burned=burned))
    return scene


@pytest.mark.clause("CB4 5.5.4")
def test_no_card_comes_out_of_an_empty_shoe() -> None:
    scene = with_cards_left(ready().open().close(), 0)

    refused = denied(scene.deal, "9s")
    assert refused == Refusal("card/none-left", {"card": "9s"}, "CB4 5.5.4")


@pytest.mark.clause("CB4 5.5.4")
def test_a_shoe_that_ends_before_the_coup_is_found_with_its_last_card() -> None:
    scene = with_cards_left(ready().open().close(), 1).deal("9s")

    dealt, found = scene.last
    assert dealt == in_round.CardDealt(Side.PLAYER, Card.parse("9s"), scene.now, DEALER)
    assert isinstance(found, IncidentReported)
    assert (found.incident.kind, found.at) == ("insufficient cards", scene.now)


@pytest.mark.clause("CB4 5.5.5")
def test_a_run_in_the_order_of_a_new_deck_is_found_with_its_last_card() -> None:
    scene = ready(sentinel=3).open().close().deal("2s 3s 4s")

    _, found = scene.last
    assert isinstance(found, IncidentReported)
    assert (found.incident.kind, found.incident.by, found.at) == (
        "unshuffled cards",
        SYSTEM,
        scene.now,
    )
