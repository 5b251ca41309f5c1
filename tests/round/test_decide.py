"""Deciding: every command in every phase, what it causes exactly, and why it is refused."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from cutcard.round import Entry, Phase, Round, decide
from cutcard.round.commands import OpenRound
from cutcard.round.decide import less, second_stage_cost, terms_of
from cutcard.round.events import (
    AlwaysChosen,
    BetPlaced,
    BetsClosed,
    BetWithdrawn,
    CardDealt,
    ChipsRemoved,
    DecisionsClosed,
    DecisionsOpened,
    Laid,
    ResultCalled,
    RoundOpened,
    RoundVoided,
    SecondStageDeclined,
    SecondStagePlaced,
)
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards
from cutcard.rules.coup import Side, Winner
from cutcard.rules.limits import Scope
from cutcard.rules.settlement import MOST_STAKE
from tests.cases import every
from tests.round.scene import (
    BANKER_WINS,
    PLAYER_WINS,
    TIE,
    Scene,
    box_five,
    denied,
    gap,
    least,
    most,
    why,
)

KNOCKOUT = "rws-knockout"
UNDER_WAY = [phase for phase in Phase if phase not in (Phase.IDLE, Phase.SETTLED, Phase.VOID)]
AFTER_CLOSE = [phase for phase in UNDER_WAY if phase is not Phase.BETTING]
FINISHED = [Phase.IDLE, Phase.SETTLED, Phase.VOID]


def in_phase(phase: Phase) -> Scene:
    """A round of Knockout in some phase: Ann has 100 on Player and an Ante of 50, in box 1."""
    return Scene(KNOCKOUT).reach(phase)


def antes(*patrons: str) -> Scene:
    """Everybody has an Ante of 50 on Player in a box of their own, and the first card is shown."""
    scene = Scene(KNOCKOUT).open()
    for box, patron in enumerate(patrons, 1):
        scene.bet(patron, box, "ante_player", 50)
    return scene.close().deal("Kh")


# --- opening --------------------------------------------------------------------------------------


@every("phase", FINISHED)
def test_a_round_opens_when_the_last_one_is_finished(phase: Phase) -> None:
    scene = in_phase(phase).open(12)

    assert scene.last == [RoundOpened(12, scene.terms, scene.now)]
    assert scene.state.phase is Phase.BETTING


@every("phase", UNDER_WAY)
def test_no_round_opens_inside_another(phase: Phase) -> None:
    refusal = denied(in_phase(phase).open, 2)

    assert why(refusal) == ("round/not-finished", "KO2 3.1")
    assert refusal.params == {"round": 1}


def test_a_round_is_not_played_under_another_version_of_the_book() -> None:
    scene = Scene()
    scene.terms = replace(scene.terms, book_hash="an older one")

    refusal = denied(scene.open)

    assert refusal.code == "round/other-book"
    assert refusal.params == {"book": "RWS Commission Baccarat"}


def test_a_round_keeps_the_terms_it_opened_with() -> None:
    """A limit changed while bets are open holds from the next round on."""
    scene = Scene(limits=[most(500, "player")]).open().bet("ann", 1, "player", 400)
    scene.terms = replace(scene.terms, limits=(most(100, "player"),))

    scene.bet("ann", 1, "player", 100).play(TIE).open(2)

    assert denied(scene.bet, "ann", 1, "player", 101).params["amount"] == 100


def test_the_terms_of_a_round_under_way_are_known() -> None:
    scene = Scene().open()

    assert terms_of(scene.state) is scene.terms


def test_a_round_that_never_opened_has_no_terms() -> None:
    with pytest.raises(AssertionError, match=r"^a round that is under way has terms$"):
        terms_of(Round())


# --- placing --------------------------------------------------------------------------------------


def test_a_bet_lies_as_it_was_placed() -> None:
    scene = Scene().open().bet("ann", 4, "banker", 500)

    assert scene.last == [
        BetPlaced(Laid("ann", 4, "banker", 500, True, 0, 1, 0, None), None, scene.now)
    ]


def test_a_standing_bet_and_a_bet_on_behalf_say_so() -> None:
    scene = Scene().open().bet("ann", 4, "banker", 500, standing=True, by="dan")

    assert scene.laid("ann", 4, "banker") == Laid(
        "ann", 4, "banker", 500, seated=False, order=0, revision=1, reserve=0, placed_by="dan"
    )


def test_an_increase_keeps_its_place_in_time() -> None:
    scene = Scene().open().bet("ann", 1, "banker", 100).bet("bob", 1, "banker", 60)
    before = scene.laid("ann", 1, "banker")
    scene.bet("ann", 1, "banker", 40)
    now = scene.laid("ann", 1, "banker")

    assert scene.last == [BetPlaced(now, before, scene.now)]
    assert (now.stake, now.order, now.revision) == (140, 0, 2)
    assert scene.laid("bob", 1, "banker").order == 1


def test_a_later_bet_comes_after_every_earlier_one_and_its_increases() -> None:
    scene = Scene().open().bet("ann", 1, "banker", 100).bet("ann", 1, "banker", 40)
    scene.bet("bob", 1, "banker", 60)

    assert scene.laid("bob", 1, "banker").order == 2


def test_a_bet_placed_again_goes_to_the_back() -> None:
    scene = Scene().open().bet("ann", 1, "banker", 100).bet("bob", 1, "banker", 60)
    scene.take_back("ann", 1, "banker").bet("ann", 1, "banker", 100)

    assert (scene.laid("ann", 1, "banker").order, scene.laid("ann", 1, "banker").revision) == (2, 1)


def test_the_same_patron_and_spot_in_two_boxes_are_two_bets() -> None:
    scene = Scene().open().bet("ann", 1, "tie", 10).bet("ann", 2, "tie", 20)

    assert [(bet.box, bet.stake) for bet in scene.state.bets] == [(1, 10), (2, 20)]
    assert scene.state.by_patron == {"ann": {"tie": 30}}


def test_cow_cow_holds_eight_more_stakes_beside_each_bet_on_a_side() -> None:
    scene = Scene("online-cow-cow").open().bet("ann", 1, "player", 100)
    scene.bet("ann", 1, "player", 20).bet("ann", 1, "tie", 10)

    assert scene.laid("ann", 1, "player").reserve == 960
    assert scene.laid("ann", 1, "tie").reserve == 0


@every("phase", FINISHED)
def test_no_bet_before_the_announcement(phase: Phase) -> None:
    scene = in_phase(phase)

    assert why(denied(scene.bet, "ann", 1, "tie", 10)) == ("bet/not-open", "KO2 3.1")
    assert why(denied(scene.take_back, "ann", 1, "player")) == ("bet/not-open", "KO2 3.1")
    assert why(denied(scene.reject, 1)) == ("bet/not-open", "KO2 3.1")
    assert why(denied(scene.close)) == ("bet/not-open", "KO2 3.1")


@every("phase", AFTER_CLOSE)
def test_no_bet_after_the_close(phase: Phase) -> None:
    """A new bet, an increase, a new Ante: all late."""
    scene = in_phase(phase)

    assert why(denied(scene.bet, "bob", 2, "tie", 10)) == ("bet/closed", "KO2 5.2")
    assert why(denied(scene.bet, "ann", 1, "player", 10)) == ("bet/closed", "KO2 5.2")
    assert why(denied(scene.bet, "ann", 1, "ante_banker", 10)) == ("bet/closed", "KO2 5.2")
    assert why(denied(scene.bet, "ann", 1, "wager_player", 100)) == ("bet/closed", "KO2 5.2")
    assert why(denied(scene.reject, 1)) == ("bet/closed", "KO2 5.2")
    assert why(denied(scene.close)) == ("bet/closed", "KO2 5.2")


@every("phase", AFTER_CLOSE)
def test_nothing_is_taken_back_after_the_close(phase: Phase) -> None:
    scene = in_phase(phase)

    assert why(denied(scene.take_back, "ann", 1, "player")) == ("bet/closed", "KO2 5.3")
    assert why(denied(scene.take_back, "bob", 7, "tie")) == ("bet/closed", "KO2 5.3")


def test_each_book_refuses_late_bets_under_its_own_clause() -> None:
    scene = Scene().open().bet("ann", 1, "player", 100).close()

    assert why(denied(scene.bet, "ann", 1, "player", 50)) == ("bet/closed", "CB4 5.6")
    assert why(denied(scene.take_back, "ann", 1, "player")) == ("bet/closed", "CB4 5.6")


@every("box", [0, -1, 10])
def test_a_bet_lies_in_a_box_of_the_layout(box: int) -> None:
    scene = Scene().open()
    refusal = denied(scene.bet, "ann", box, "player", 100)

    assert why(refusal) == ("bet/no-such-box", "CB4 App A")
    assert refusal.params == {"box": box, "boxes": 9}


@every(("boxes", "clause"), [(12, "CB4 App D"), (7, "CB4 App B"), (3, "CB4 App A")])
def test_a_round_cites_the_layout_that_has_its_boxes(boxes: int, clause: str) -> None:
    """A table knows its layout by name; a round by itself only how many boxes it has."""
    scene = Scene()
    scene.terms = replace(scene.terms, boxes=boxes)

    refusal = denied(scene.open().bet, "ann", boxes + 1, "player", 100)
    assert why(refusal) == ("bet/no-such-box", clause)


@pytest.mark.parametrize("box", [1, 9])
def test_the_first_and_the_last_box_are_on_the_layout(box: int) -> None:
    assert Scene().open().bet("ann", box, "player", 100).bets == {("ann", "player"): 100}


def test_a_bet_that_the_book_does_not_offer() -> None:
    assert denied(Scene("online-cow-cow").open().bet, "ann", 1, "player_pair", 10).code == (
        "bet/not-offered"
    )


@every("stake", [0, -100, MOST_STAKE + 1])
def test_a_stake_is_a_possible_amount(stake: int) -> None:
    assert why(denied(Scene().open().bet, "ann", 1, "player", stake)) == (
        "bet/stake",
        "HOUSE stake",
    )


def test_increases_together_are_a_possible_amount_too() -> None:
    scene = Scene().open().bet("ann", 1, "player", MOST_STAKE)

    assert why(denied(scene.bet, "ann", 1, "player", 1)) == ("bet/stake", "HOUSE stake")


def test_a_stake_lies_on_its_step() -> None:
    refusal = denied(Scene().open().bet, "ann", 1, "banker", 110)

    assert why(refusal) == ("bet/off-step", "HOUSE step")
    assert refusal.params["step"] == 20


@pytest.mark.parametrize("spot", ["wager_player", "wager_banker"])
def test_a_wager_waits_for_its_card(spot: str) -> None:
    scene = Scene(KNOCKOUT).open().bet("ann", 1, "ante_player", 50).bet("ann", 1, "ante_banker", 50)
    refusal = denied(scene.bet, "ann", 1, spot, 100)

    assert why(refusal) == ("bet/too-early", "KO2 3.4.2")
    assert refusal.params == {"spot": spot}


# --- what needs another bet -----------------------------------------------------------------------


def test_a_winning_total_alone_is_refused() -> None:
    refusal = denied(Scene(KNOCKOUT).open().bet, "ann", 1, "winning_total_9", 10)

    assert why(refusal) == ("bet/needs-main-bet", "KO2 1 Winning Total")
    assert refusal.params == {"spot": "winning_total_9", "others": ("player", "banker")}


@every("spot", ["tie", "player_pair", "ante_player"])
def test_no_other_bet_carries_a_winning_total(spot: str) -> None:
    scene = Scene(KNOCKOUT).open().bet("ann", 1, spot, 10)

    assert denied(scene.bet, "ann", 1, "winning_total_9", 10).code == "bet/needs-main-bet"


def test_nobody_elses_bet_carries_a_winning_total() -> None:
    scene = Scene(KNOCKOUT).open().bet("bob", 1, "player", 10)

    assert denied(scene.bet, "ann", 1, "winning_total_9", 10).code == "bet/needs-main-bet"


@every(("spot", "box"), [("player", 1), ("banker", 1), ("player", 2)])
def test_either_side_carries_it_in_any_box_of_the_patron(spot: str, box: int) -> None:
    scene = Scene(KNOCKOUT).open().bet("ann", box, spot, 10).bet("ann", 1, "winning_total_9", 10)

    assert scene.bets[("ann", "winning_total_9")] == 10


def test_a_main_bet_taken_back_no_longer_carries() -> None:
    scene = Scene(KNOCKOUT).open().bet("ann", 1, "player", 10).take_back("ann", 1, "player")

    assert denied(scene.bet, "ann", 1, "winning_total_9", 10).code == "bet/needs-main-bet"


def test_taking_back_the_main_bet_takes_its_dependents_along() -> None:
    """Player 10 and Winning Total 8 for 5: undoing Player gives 15 back."""
    scene = Scene(KNOCKOUT).open().bet("ann", 1, "player", 10).bet("ann", 1, "winning_total_8", 5)
    scene.bet("ann", 2, "winning_total_9", 7).bet("ann", 1, "tie", 3)
    scene.bet("bob", 1, "player", 10).bet("bob", 1, "winning_total_8", 5)
    player, eight = scene.laid("ann", 1, "player"), scene.laid("ann", 1, "winning_total_8")
    nine = scene.laid("ann", 2, "winning_total_9")
    scene.take_back("ann", 1, "player")

    assert scene.last == [
        BetWithdrawn(player, None, "withdrawn", None, scene.now),
        BetWithdrawn(eight, None, "needs another bet", "KO2 1 Winning Total", scene.now),
        BetWithdrawn(nine, None, "needs another bet", "KO2 1 Winning Total", scene.now),
    ]
    assert scene.bets == {("ann", "tie"): 3, ("bob", "player"): 10, ("bob", "winning_total_8"): 5}


@pytest.mark.parametrize("stake", [None, 4])
def test_what_still_has_a_main_bet_stays(stake: int | None) -> None:
    """All of Player goes while Banker lies there, or only a part of it goes."""
    scene = Scene(KNOCKOUT).open().bet("ann", 1, "player", 10).bet("ann", 1, "winning_total_8", 5)
    if stake is None:
        scene.bet("ann", 2, "banker", 10)
    scene.take_back("ann", 1, "player", stake)

    assert len(scene.last) == 1
    assert scene.bets[("ann", "winning_total_8")] == 5


# --- limits at entry ------------------------------------------------------------------------------


def test_a_terminal_takes_exactly_what_the_limits_leave() -> None:
    scene = Scene(limits=[least(20, "tie"), most(100, "tie")]).open()

    assert denied(scene.bet, "ann", 1, "tie", 19).params == {
        "spot": "tie",
        "stake": 19,
        "amount": 20,
    }
    refusal = denied(scene.bet, "ann", 1, "tie", 101)
    assert why(refusal) == ("limit/maximum", "HOUSE limits")
    assert refusal.params == {
        "spot": "tie",
        "stake": 101,
        "amount": 100,
        "scope": "bet",
        "room": 100,
    }
    assert scene.bet("ann", 1, "tie", 20).bet("ann", 1, "tie", 80).bets == {("ann", "tie"): 100}
    assert denied(scene.bet, "ann", 1, "tie", 1).params["room"] == 0


def test_an_increase_below_the_minimum_may_follow_a_bet_above_it() -> None:
    scene = Scene(limits=[least(20, "tie")]).open().bet("ann", 1, "tie", 20)

    assert scene.bet("ann", 1, "tie", 1).bets == {("ann", "tie"): 21}
    assert denied(scene.bet, "ann", 2, "tie", 1).code == "limit/minimum"


def test_the_tightest_of_several_limits_is_named() -> None:
    scene = Scene(limits=[most(100, "tie"), most(60, "tie", scope=Scope.TABLE), gap(10)]).open()
    refusal = denied(scene.bet, "ann", 1, "tie", 150)

    assert (refusal.params["amount"], refusal.params["scope"]) == (60, "table")
    assert refusal.params["room"] == 60


@every(
    ("scope", "room"), [(Scope.BET, 100), (Scope.BOX, 70), (Scope.PATRON, 60), (Scope.TABLE, 15)]
)
def test_each_scope_counts_its_own(scope: Scope, room: int) -> None:
    """Bob has 30 in box 1 and 15 in box 3, Ann 40 in box 2; now Ann comes to box 1."""
    scene = Scene(limits=[most(100, "tie", scope=scope)]).open().bet("bob", 1, "tie", 30)
    scene.bet("ann", 2, "tie", 40).bet("bob", 3, "tie", 15)

    assert denied(scene.bet, "ann", 1, "tie", room + 1).params["room"] == room
    assert scene.bet("ann", 1, "tie", room).laid("ann", 1, "tie").stake == room


def test_a_table_with_chips_refuses_nothing_that_lies_on_its_step() -> None:
    scene = Scene(entry=Entry.WARN, limits=[least(20, "tie"), most(100, "tie"), gap(10)]).open()
    scene.bet("ann", 1, "tie", 5).bet("bob", 1, "tie", 500).bet("ann", 1, "banker", 400)

    assert scene.bets == {("ann", "tie"): 5, ("bob", "tie"): 500, ("ann", "banker"): 400}
    assert denied(scene.bet, "ann", 1, "banker", 30).code == "bet/off-step"


@pytest.mark.clause("ONL NC3")
def test_a_limit_of_the_whole_table_says_what_remains() -> None:
    """Tie at most 1,000 for all: Ann's 700 leave 300, and Bob's 400 are too many."""
    scene = Scene("online-no-commission", limits=[most(1_000, "tie", scope=Scope.TABLE)]).open()
    scene.bet("ann", 1, "tie", 700)
    refusal = denied(scene.bet, "bob", 2, "tie", 400)

    assert (refusal.code, refusal.params["room"]) == ("limit/maximum", 300)
    assert "300 remains" in str(refusal)
    assert scene.bet("bob", 2, "tie", 300).bets == {("ann", "tie"): 700, ("bob", "tie"): 300}
    assert scene.take_back("ann", 1, "tie", 250).bet("bob", 2, "tie", 250).bets == {
        ("ann", "tie"): 450,
        ("bob", "tie"): 550,
    }


@pytest.mark.clause("ONL S1")
@pytest.mark.parametrize(("one", "other"), [("player", "banker"), ("banker", "player")])
def test_each_unit_on_one_side_enlarges_the_limit_of_the_other(one: str, other: str) -> None:
    """Limit 1,000: with 600 on one side, 1,600 may lie on the other and no more."""
    scene = Scene("online-no-commission", limits=[gap(1_000, Scope.PATRON)]).open()
    assert denied(scene.bet, "ann", 1, one, 1_002).params["room"] == 1_000
    scene.bet("ann", 1, one, 600)
    refusal = denied(scene.bet, "ann", 2, other, 1_602)

    assert (refusal.code, refusal.params["room"]) == ("limit/differential", 1_600)
    assert scene.bet("ann", 2, other, 1_600).bets == {("ann", one): 600, ("ann", other): 1_600}
    assert denied(scene.bet, "bob", 1, other, 1_002).params["room"] == 1_000


@pytest.mark.parametrize(("one", "other"), [("player", "banker"), ("banker", "player")])
def test_what_carries_the_other_side_is_not_taken_back(one: str, other: str) -> None:
    scene = Scene("online-no-commission", limits=[gap(1_000, Scope.PATRON)]).open()
    scene.bet("ann", 1, one, 600).bet("ann", 2, other, 1_200)
    refusal = denied(scene.take_back, "ann", 1, one)

    assert why(refusal) == ("limit/withdrawal", "CB4 5.1")
    assert refusal.params == {"spot": one, "other": other, "amount": 1_000, "room": 400}
    assert denied(scene.take_back, "ann", 1, one, 402).code == "limit/withdrawal"
    assert scene.take_back("ann", 1, one, 400).bets == {("ann", one): 200, ("ann", other): 1_200}
    assert scene.take_back("ann", 2, other).bets == {("ann", one): 200}


def test_a_standing_patron_leans_on_the_box() -> None:
    """Bob's Banker bet stands on Ann's Player bet in the same box, so she may not take it all."""
    scene = Scene(limits=[gap(100)]).open().bet("ann", 1, "player", 60)
    scene.bet("bob", 1, "banker", 140, standing=True)

    assert denied(scene.take_back, "ann", 1, "player").params["room"] == 20
    assert scene.take_back("ann", 1, "player", 20).bets[("ann", "player")] == 40


def test_at_a_table_with_chips_anything_may_be_taken_back_while_bets_are_open() -> None:
    scene = Scene(entry=Entry.WARN, limits=[gap(100), least(50, "player")]).open()
    scene.bet("ann", 1, "player", 60).bet("bob", 1, "banker", 140)

    assert scene.take_back("ann", 1, "player", 59).bets[("ann", "player")] == 1
    assert scene.take_back("ann", 1, "player").bets == {("bob", "banker"): 140}


# --- taking back ----------------------------------------------------------------------------------


def test_a_bet_is_taken_back_whole_or_in_part() -> None:
    scene = Scene("online-cow-cow").open().bet("ann", 1, "player", 100)
    whole = scene.laid("ann", 1, "player")
    scene.take_back("ann", 1, "player", 40)
    left = replace(whole, stake=60, reserve=480, revision=2)

    assert scene.last == [BetWithdrawn(whole, left, "withdrawn", None, scene.now)]
    assert scene.take_back("ann", 1, "player").last == [
        BetWithdrawn(left, None, "withdrawn", None, scene.now)
    ]
    assert scene.bets == {}


def test_a_bet_taken_back_on_behalf_says_so_and_what_goes_with_it_does_not() -> None:
    """Dan takes Player off for Ann; the Winning Total falls by itself."""
    scene = Scene(KNOCKOUT).open().bet("ann", 1, "player", 10).bet("ann", 1, "winning_total_8", 5)
    player, eight = scene.laid("ann", 1, "player"), scene.laid("ann", 1, "winning_total_8")
    scene.take_back("ann", 1, "player", by="dan")

    assert scene.last == [
        BetWithdrawn(player, None, "withdrawn", None, scene.now, "dan"),
        BetWithdrawn(eight, None, "needs another bet", "KO2 1 Winning Total", scene.now),
    ]


def test_taking_back_exactly_everything_is_taking_back_the_bet() -> None:
    scene = Scene().open().bet("ann", 1, "player", 100).take_back("ann", 1, "player", 100)

    assert scene.bets == {}
    assert scene.state.bet((1, "ann", "player")) is None


@every("stake", [0, -1, 101])
def test_only_what_lies_there_is_taken_back(stake: int) -> None:
    scene = Scene().open().bet("ann", 1, "player", 100)
    refusal = denied(scene.take_back, "ann", 1, "player", stake)

    assert refusal.code == "bet/not-there"
    assert refusal.params == {"spot": "player", "stake": stake}


def test_a_single_unit_may_be_taken_back() -> None:
    scene = Scene().open().bet("ann", 1, "player", 100).take_back("ann", 1, "player", 1)

    assert scene.bets == {("ann", "player"): 99}


@pytest.mark.parametrize("stake", [None, 30])
def test_nobody_takes_back_a_bet_that_is_not_there(stake: int | None) -> None:
    scene = Scene().open().bet("ann", 1, "player", 100)

    for patron, box, spot in (("bob", 1, "player"), ("ann", 2, "player"), ("ann", 1, "tie")):
        refusal = denied(scene.take_back, patron, box, spot, stake)
        assert refusal.code == "bet/none-there"
        assert refusal.params == {"spot": spot}


def test_what_is_left_lies_on_its_step() -> None:
    scene = Scene().open().bet("ann", 1, "banker", 100)

    refusal = denied(scene.take_back, "ann", 1, "banker", 10)

    assert why(refusal) == ("bet/off-step", "HOUSE step")
    assert refusal.params == {"spot": "banker", "stake": 90, "step": 20}
    assert scene.take_back("ann", 1, "banker", 20).bets == {("ann", "banker"): 80}


def test_what_is_left_at_a_terminal_is_not_below_the_minimum() -> None:
    scene = Scene(limits=[least(50, "player")]).open().bet("ann", 1, "player", 100)
    scene.bet("ann", 2, "player", 100).bet("bob", 1, "player", 100)

    assert denied(scene.take_back, "ann", 1, "player", 51).code == "limit/minimum"
    assert scene.take_back("ann", 1, "player", 50).laid("ann", 1, "player").stake == 50
    assert scene.take_back("ann", 1, "player").state.bet((1, "ann", "player")) is None


def test_a_bet_cut_to_nothing_is_gone() -> None:
    bet = Laid("ann", 1, "player", 100, True, 3, 1)
    book = load("rws-commission")

    assert less(bet, 0, "because", "CB4 5.1", 9, book) == BetWithdrawn(
        bet, None, "because", "CB4 5.1", 9
    )
    assert less(bet, 1, "because", None, 9, book).left == replace(bet, stake=1, revision=2)


# --- closing and dealing --------------------------------------------------------------------------


def test_betting_closes_once() -> None:
    scene = Scene().open().bet("ann", 1, "player", 100).close()

    assert scene.last == [BetsClosed((), scene.now)]
    assert scene.state.phase is Phase.CLOSED


@every("phase", [*FINISHED, Phase.BETTING])
def test_no_card_leaves_the_shoe_before_the_close(phase: Phase) -> None:
    refusal = denied(in_phase(phase).deal, "9h")

    assert why(refusal) == ("card/bets-open", "KO2 3.2")
    assert refusal.params == {"card": "9h"}


def test_cards_fall_where_the_tableau_wants_them() -> None:
    scene = Scene().open().close().deal("2h 3s 2d Kc 9c")
    deuce, king, nine = parse_cards("2d Kc 9c")

    assert str(scene.state.coup) == "2h 2d 9c / 3s Kc"
    assert [one for one in scene.log if isinstance(one, CardDealt)][2:] == [
        CardDealt(Side.PLAYER, deuce, 5),
        CardDealt(Side.BANKER, king, 6),
        CardDealt(Side.PLAYER, nine, 7),
    ]
    assert scene.state.phase is Phase.DEALING


def test_a_card_too_many_belongs_to_neither_side() -> None:
    scene = Scene().open().close().deal("Kh Kd 9s 8c")
    refusal = denied(scene.deal, "6h")

    assert why(refusal) == ("card/not-allowed", "CB4 3.12")
    assert refusal.params == {"card": "6h"}
    assert why(denied(scene.call().deal, "6h")) == ("card/not-allowed", "CB4 3.12")


def test_no_card_falls_between_the_result_and_the_settlement() -> None:
    refusal = denied(in_phase(Phase.RESULT).deal, "6h")

    assert (refusal.code, refusal.params) == ("card/not-allowed", {"card": "6h"})


# --- the second stage -----------------------------------------------------------------------------


def test_the_first_card_opens_the_decisions() -> None:
    scene = Scene(KNOCKOUT).open().bet("ann", 1, "ante_player", 50).close().deal("9s")
    (nine,) = parse_cards("9s")

    assert scene.last == [
        CardDealt(Side.PLAYER, nine, scene.now),
        DecisionsOpened(scene.now + 10_000, scene.now),
    ]
    assert (scene.state.phase, scene.state.decide_until) == (Phase.DECIDING, scene.now + 10_000)


def test_the_table_sets_how_long_a_decision_may_take() -> None:
    scene = Scene(KNOCKOUT)
    scene.terms = replace(scene.terms, decision_ms=2_500)
    scene.open().bet("ann", 1, "ante_player", 50).close().deal("9s")

    assert scene.state.decide_until == scene.now + 2_500


def test_without_an_ante_the_deal_goes_on() -> None:
    scene = Scene(KNOCKOUT).open().bet("ann", 1, "player", 100).close().deal("Kh Kd")

    assert scene.state.phase is Phase.DEALING
    assert len(scene.last) == 1


def test_decisions_open_once() -> None:
    scene = antes("ann").go_on("ann", 1, "ante_player").deal("Kd 9s 8c")

    assert sum(isinstance(event, DecisionsOpened) for event in scene.log) == 1


def test_no_card_falls_while_somebody_decides() -> None:
    scene = antes("ann", "bob").go_on("ann", 1, "ante_player")
    refusal = denied(scene.deal, "Kd")

    assert why(refusal) == ("card/decisions-open", "KO2 3.4.2")
    assert refusal.params == {"card": "Kd"}


def test_going_on_lays_twice_the_ante_on_its_side() -> None:
    scene = Scene(KNOCKOUT).open().bet("bob", 2, "tie", 5)
    scene.bet("ann", 1, "ante_player", 50, standing=True, by="dan").close().deal("Kh")
    scene.go_on("ann", 1, "ante_player")
    wager = Laid("ann", 1, "wager_player", 100, seated=False, order=2, revision=1)

    assert scene.last == [
        SecondStagePlaced(wager, "ante_player", False, scene.now),
        DecisionsClosed(scene.now),
    ]
    assert scene.laid("ann", 1, "wager_player") == wager
    assert (scene.state.phase, scene.state.decide_until) == (Phase.DEALING, None)


def test_a_raised_ante_wants_twice_the_whole_and_starts_a_new_bet() -> None:
    scene = Scene(KNOCKOUT).open().bet("ann", 1, "ante_player", 50).bet("ann", 1, "ante_player", 25)
    scene.close().deal("Kh").go_on("ann", 1, "ante_player")
    wager = scene.laid("ann", 1, "wager_player")

    assert (wager.stake, wager.revision, wager.order) == (150, 1, 2)


def test_a_decision_on_behalf_says_so() -> None:
    scene = antes("ann", "bob").go_on("ann", 1, "ante_player", by="dan")
    wager = Laid("ann", 1, "wager_player", 100, True, 2, 1, placed_by="dan")
    assert scene.last == [SecondStagePlaced(wager, "ante_player", False, scene.now)]
    scene.decline("bob", 2, "ante_player", by="dan")

    assert scene.last == [
        SecondStageDeclined("bob", 2, "ante_player", False, "KO2 3.4.1", scene.now, "dan"),
        DecisionsClosed(scene.now),
    ]


def test_a_second_stage_that_can_lose_more_than_itself_holds_the_rest_beside_it() -> None:
    """A book of one's own: its Wager pays and takes as Player of Cow Cow does, up to nine times."""
    scene = Scene(KNOCKOUT)
    nine_times = replace(
        scene.book.spots["wager_player"], table=load("online-cow-cow").spots["player"].table
    )
    scene.book = replace(scene.book, spots={**scene.book.spots, "wager_player": nine_times})
    scene.open().bet("ann", 1, "ante_player", 50).close().deal("Kh").go_on("ann", 1, "ante_player")

    assert scene.laid("ann", 1, "wager_player") == Laid(
        "ann", 1, "wager_player", 100, True, 1, 1, reserve=800
    )
    assert second_stage_cost(50, nine_times) == 900


def test_going_on_with_an_ante_costs_twice_the_ante() -> None:
    assert second_stage_cost(50, load(KNOCKOUT).spots["wager_banker"]) == 100


def test_only_a_second_stage_has_its_cost() -> None:
    with pytest.raises(AssertionError, match=r"^only a second stage is decided on$"):
        second_stage_cost(50, load(KNOCKOUT).spots["player"])


def test_declining_loses_the_ante_under_its_clause() -> None:
    scene = antes("ann").decline("ann", 1, "ante_player")

    assert scene.last == [
        SecondStageDeclined("ann", 1, "ante_player", False, "KO2 3.4.1", scene.now),
        DecisionsClosed(scene.now),
    ]
    assert scene.bets == {("ann", "ante_player"): 50}


@every("stake", [0, 50, 99, 101, 150])
def test_a_wager_is_exactly_twice_its_ante(stake: int) -> None:
    scene = antes("ann")
    refusal = denied(scene.go_on, "ann", 1, "ante_player", stake)

    assert why(refusal) == ("bet/wrong-multiple", "KO2 3.4.2")
    assert refusal.params == {
        "spot": "wager_player",
        "stake": stake,
        "other": "ante_player",
        "multiple": 2,
        "must": 100,
    }
    assert scene.go_on("ann", 1, "ante_player", 100).bets[("ann", "wager_player")] == 100


def test_the_deal_waits_for_the_last_decision() -> None:
    scene = antes("ann", "bob", "eve").go_on("bob", 2, "ante_player")
    assert (scene.state.phase, len(scene.last)) == (Phase.DECIDING, 1)
    scene.decline("ann", 1, "ante_player")
    assert (scene.state.phase, len(scene.last)) == (Phase.DECIDING, 1)
    scene.go_on("eve", 3, "ante_player")

    assert scene.last[-1] == DecisionsClosed(scene.now)
    assert scene.state.phase is Phase.DEALING


def test_both_antes_are_decided_apart() -> None:
    """Player is declined, Banker goes on: Banker wins 8 to 7."""
    scene = Scene(KNOCKOUT).open().bet("ann", 1, "ante_player", 50).bet("ann", 1, "ante_banker", 50)
    scene.close().deal("Kh").decline("ann", 1, "ante_player")
    assert scene.state.phase is Phase.DECIDING
    scene.go_on("ann", 1, "ante_banker", 100).finish(BANKER_WINS)

    assert scene.nets == {
        ("ann", "ante_player"): -50,
        ("ann", "ante_banker"): 50,
        ("ann", "wager_banker"): 200,
    }


@every(
    ("patron", "box", "spot"),
    [
        ("bob", 1, "ante_player"),
        ("ann", 2, "ante_player"),
        ("ann", 1, "ante_banker"),
        ("ann", 1, "wager_player"),
        ("eve", 3, "player"),
    ],
)
def test_only_the_holder_of_an_ante_decides_on_it(patron: str, box: int, spot: str) -> None:
    """An Ante on Player is no ground for a Wager on Banker."""
    scene = Scene(KNOCKOUT).open().bet("ann", 1, "ante_player", 50).bet("eve", 3, "player", 50)
    scene.close().deal("Kh")

    for word in (scene.go_on, scene.decline):
        refusal = denied(word, patron, box, spot)
        assert why(refusal) == ("decision/nothing-to-decide", "KO2 3.4.2")
        assert refusal.params == {"spot": spot}


def test_nobody_decides_on_a_bet_that_the_book_does_not_have() -> None:
    assert denied(antes("ann").go_on, "ann", 1, "ante_tie").code == "bet/not-offered"


@pytest.mark.parametrize("first", ["go_on", "decline"])
def test_a_decision_stands(first: str) -> None:
    scene = antes("ann", "bob")
    words: dict[str, Callable[[str, int, str], Scene]] = {
        "go_on": scene.go_on,
        "decline": scene.decline,
    }
    words[first]("ann", 1, "ante_player")

    for word in words.values():
        assert denied(word, "ann", 1, "ante_player").code == "decision/nothing-to-decide"


@every("phase", [phase for phase in Phase if phase is not Phase.DECIDING])
def test_decisions_have_their_moment(phase: Phase) -> None:
    scene = in_phase(phase).wait(60_000)

    assert why(denied(scene.go_on, "ann", 1, "ante_player")) == ("decision/not-now", "KO2 3.4.2")
    assert why(denied(scene.time_is_up)) == ("decision/not-now", "KO2 3.4.2")


def test_a_book_without_second_stages_has_no_decisions() -> None:
    scene = Scene().open().bet("ann", 1, "player", 100).close().deal("Kh")

    assert why(denied(scene.go_on, "ann", 1, "player")) == ("decision/not-now", None)


def test_time_is_up_at_its_millisecond_and_not_before() -> None:
    scene = antes("ann")
    refusal = denied(scene.wait(9_998).time_is_up)

    assert why(refusal) == ("decision/time-left", "HOUSE timeout")
    assert refusal.params == {"ms": 1}
    assert scene.time_is_up().last == [
        SecondStageDeclined("ann", 1, "ante_player", True, "HOUSE timeout", scene.now),
        DecisionsClosed(scene.now),
    ]


def test_a_decision_in_the_last_millisecond_stands() -> None:
    """The card was shown at 4 and there are ten seconds: 10,003 is in time."""
    scene = antes("ann").wait(9_998).go_on("ann", 1, "ante_player")

    assert (scene.now, scene.bets["ann", "wager_player"]) == (10_003, 100)


def test_a_decision_at_the_end_of_the_time_is_too_late_though_nobody_called_it() -> None:
    scene = antes("ann").wait(9_999)
    refusal = denied(scene.go_on, "ann", 1, "ante_player")

    assert scene.now == scene.state.decide_until == 10_004
    assert why(refusal) == ("decision/too-late", "HOUSE timeout")
    assert refusal.params == {}
    assert denied(scene.decline, "ann", 1, "ante_player").code == "decision/too-late"


def test_always_chosen_at_the_end_of_the_time_is_too_late() -> None:
    """It would decide after all."""
    scene = antes("ann").wait(9_999)
    refusal = denied(scene.always, "ann")

    assert scene.now == scene.state.decide_until
    assert why(refusal) == ("decision/too-late", "HOUSE timeout")
    assert refusal.params == {}
    assert scene.time_is_up().state.declined == {(1, "ann", "ante_player"): "HOUSE timeout"}


def test_always_chosen_in_the_last_millisecond_holds() -> None:
    scene = antes("ann").wait(9_998).always("ann").time_is_up()

    assert scene.bets["ann", "wager_player"] == 100


def test_always_chosen_on_behalf_says_so() -> None:
    scene = Scene(KNOCKOUT).always("ann", by="dan")

    assert scene.last == [AlwaysChosen("ann", True, scene.now, "dan")]


def test_whoever_chose_always_goes_on_when_time_is_up() -> None:
    """Ann and Eve chose beforehand, Bob did not, Cat has decided herself."""
    scene = Scene(KNOCKOUT).open().always("ann").always("eve")
    for box, patron in enumerate(("ann", "bob", "eve", "cat"), 1):
        scene.bet(patron, box, "ante_player", 50)
    scene.close().deal("Kh").go_on("cat", 4, "ante_player").wait(10_000).time_is_up()
    ann, eve = scene.laid("ann", 1, "wager_player"), scene.laid("eve", 3, "wager_player")

    assert scene.last == [
        SecondStagePlaced(ann, "ante_player", True, scene.now),
        SecondStageDeclined("bob", 2, "ante_player", True, "HOUSE timeout", scene.now),
        SecondStagePlaced(eve, "ante_player", True, scene.now),
        DecisionsClosed(scene.now),
    ]
    assert ann == Laid("ann", 1, "wager_player", 100, True, 5, 1)
    assert eve.stake == 100
    assert eve.order > ann.order
    assert scene.state.declined == {(2, "bob", "ante_player"): "HOUSE timeout"}


def test_always_goes_on_with_both_antes() -> None:
    scene = Scene(KNOCKOUT).always("ann").open().bet("ann", 1, "ante_player", 50)
    scene.bet("ann", 1, "ante_banker", 30).close().deal("Kh").wait(10_000).time_is_up()

    assert scene.bets == {
        ("ann", "ante_player"): 50,
        ("ann", "ante_banker"): 30,
        ("ann", "wager_player"): 100,
        ("ann", "wager_banker"): 60,
    }


def test_whoever_cannot_pay_forfeits_whatever_they_chose_beforehand() -> None:
    scene = (
        antes("ann", "bob")
        .always("ann")
        .always("bob")
        .wait(10_000)
        .time_is_up((1, "ann", "ante_player"))
    )

    assert scene.bets == {
        ("ann", "ante_player"): 50,
        ("bob", "ante_player"): 50,
        ("bob", "wager_player"): 100,
    }
    assert scene.state.declined == {(1, "ann", "ante_player"): "HOUSE timeout"}


def test_always_may_be_declined_for_once_and_taken_back() -> None:
    scene = antes("ann", "bob").always("ann").always("bob").always("bob", False)
    scene.decline("ann", 1, "ante_player").wait(10_000).time_is_up()

    assert scene.state.declined == {
        (1, "ann", "ante_player"): "KO2 3.4.1",
        (2, "bob", "ante_player"): "HOUSE timeout",
    }


@every("phase", list(Phase))
def test_always_may_be_chosen_at_any_moment(phase: Phase) -> None:
    scene = in_phase(phase).always("bob")

    assert scene.last == [AlwaysChosen("bob", True, scene.now)]
    assert scene.always("bob", False).last == [AlwaysChosen("bob", False, scene.now)]
    assert scene.state.phase is phase


def test_always_lasts_into_the_next_round() -> None:
    scene = Scene(KNOCKOUT).open().always("ann").play(TIE).open(2)
    scene.bet("ann", 1, "ante_banker", 50).close().deal("Kh").wait(10_000).time_is_up()

    assert scene.bets[("ann", "wager_banker")] == 100


# --- chips removed after the close ----------------------------------------------------------------


@every("phase", AFTER_CLOSE)
def test_chips_taken_off_after_the_close_are_reported(phase: Phase) -> None:
    scene = in_phase(phase)
    bet = scene.laid("ann", 1, "player")
    scene.removed("ann", 1, "player", by="dan")

    assert scene.last == [ChipsRemoved(bet, "dan", "KO2 5.3", scene.now)]
    assert scene.bets[("ann", "player")] == 100
    assert scene.state.phase is phase


@every("phase", [*FINISHED, Phase.BETTING])
def test_nothing_is_reported_removed_while_it_may_be_taken_back(phase: Phase) -> None:
    assert why(denied(in_phase(phase).removed, "ann", 1, "player")) == (
        "bet/not-closed",
        "KO2 3.2",
    )


def test_chips_are_removed_once_and_only_where_they_lay() -> None:
    scene = Scene().open().bet("ann", 1, "player", 100).close().removed("ann", 1, "player")

    for patron, box, spot in (("ann", 1, "player"), ("bob", 1, "player"), ("ann", 1, "tie")):
        refusal = denied(scene.removed, patron, box, spot)
        assert (refusal.code, refusal.params) == ("bet/none-there", {"spot": spot})


# --- result, settlement, void ---------------------------------------------------------------------


@every(
    ("coup", "winner", "points"),
    [
        (BANKER_WINS, Winner.BANKER, (7, 8)),
        (PLAYER_WINS, Winner.PLAYER, (9, 8)),
        (TIE, Winner.TIE, (8, 8)),
    ],
)
def test_the_result_is_what_the_cards_say(
    coup: str, winner: Winner, points: tuple[int, int]
) -> None:
    scene = Scene().open().play(coup)

    assert scene.log[-2] == ResultCalled(winner, *points, scene.now - 1)
    assert scene.state.winner is winner


def test_no_result_while_a_card_is_missing() -> None:
    scene = Scene().open().close()
    assert why(denied(scene.call)) == ("round/cards-missing", "CB4 3.12")
    scene.deal("2h 3s 2d Kc")

    assert denied(scene.call).params == {"coup": "2h 2d / 3s Kc"}
    assert scene.deal("9c 6s").call().state.phase is Phase.RESULT


@every("phase", [phase for phase in Phase if phase is not Phase.DEALING])
def test_a_result_is_called_once_all_cards_lie(phase: Phase) -> None:
    assert why(denied(in_phase(phase).call)) == ("round/cards-missing", "KO2 3.7")


@every("phase", [phase for phase in Phase if phase is not Phase.RESULT])
def test_nothing_is_settled_without_a_called_result(phase: Phase) -> None:
    refusal = denied(in_phase(phase).settle)

    assert why(refusal) == ("round/no-result", "KO2 3.8")
    assert refusal.params == {"round": 0 if phase is Phase.IDLE else 1}


@every("phase", UNDER_WAY)
def test_a_round_under_way_may_be_voided(phase: Phase) -> None:
    scene = in_phase(phase)
    lying = tuple(scene.state.bets)
    scene.void("KO2 5.1.1")

    assert scene.last == [
        RoundVoided("cards on the floor", "KO2 5.1.1", "pia", lying, (), scene.now)
    ]
    assert (scene.state.phase, scene.state.winner) == (Phase.VOID, None)


@pytest.mark.parametrize("phase", [Phase.IDLE, Phase.VOID])
def test_a_round_that_is_not_under_way_cannot_be_voided(phase: Phase) -> None:
    refusal = denied(in_phase(phase).void, "KO2 5.1.1")

    assert why(refusal) == ("round/nothing-to-void", "KO2 5.1.1")
    assert refusal.params == {"round": 0 if phase is Phase.IDLE else 1}


def test_a_void_returns_declined_antes_wagers_and_what_was_cut() -> None:
    scene = Scene(KNOCKOUT, entry=Entry.WARN, limits=[gap(100)]).open()
    scene.bet("ann", 1, "player", 400).bet("ann", 1, "ante_player", 50)
    scene.bet("ann", 1, "ante_banker", 50).bet("ann", 1, "winning_total_9", 10).close().deal("Kh")
    scene.decline("ann", 1, "ante_player").go_on("ann", 1, "ante_banker").void()
    (void,) = scene.last
    assert isinstance(void, RoundVoided)

    assert {bet.spot: bet.stake for bet in void.returned} == {
        "player": 400,
        "ante_player": 50,
        "ante_banker": 50,
        "winning_total_9": 10,
        "wager_banker": 100,
    }
    assert void.removed == ()


def test_a_void_names_apart_what_was_already_taken_away() -> None:
    scene = Scene().open().bet("ann", 1, "player", 100).bet("bob", 1, "banker", 60)
    scene.close().removed("ann", 1, "player").void()
    (void,) = scene.last
    assert isinstance(void, RoundVoided)

    assert void.returned == (scene.laid("bob", 1, "banker"),)
    assert void.removed == (scene.laid("ann", 1, "player"),)


def test_a_book_that_is_silent_on_late_bets_still_refuses_them() -> None:
    """A book of one's own may name no house policy and no such irregularity."""
    scene = Scene().open().bet("ann", 1, "player", 100).close()
    scene.book = replace(scene.book, irregularities={})

    assert denied(scene.bet, "ann", 1, "player", 10).code == "bet/closed"
    assert denied(scene.take_back, "ann", 1, "player").code == "bet/closed"


# --- purity ---------------------------------------------------------------------------------------


def test_deciding_changes_nothing() -> None:
    scene = box_five()
    before, shown = scene.state, repr(scene.state)
    command = OpenRound(2, scene.terms, 99)
    scene.play(TIE)

    assert decide(scene.state, command, scene.book) == decide(scene.state, command, scene.book)
    assert repr(before) == shown
