"""Corrections: other hands than those recorded, bets returned, a round void after it was paid."""

from dataclasses import replace

import pytest

from cutcard.round import Entry, Phase, evolve
from cutcard.round.events import (
    BetsReturned,
    CoupCorrected,
    DecisionsClosed,
    DecisionsOpened,
    RoundSettled,
    RoundVoided,
    Settled,
    SettlementCorrected,
)
from cutcard.rules.coup import Coup, Winner
from tests.cases import every
from tests.round.scene import (
    BANKER_WINS,
    PLAYER_WINS,
    TIE,
    Scene,
    denied,
    gap,
    replayed,
    why,
)

KNOCKOUT = "rws-knockout"
DEALT = [Phase.CLOSED, Phase.DECIDING, Phase.DEALING, Phase.RESULT]
"""Phases in which other hands may lie there, and dealing goes on from them."""


def in_phase(phase: Phase) -> Scene:
    """A round of Knockout in some phase: Ann has 100 on Player and an Ante of 50, in box 1."""
    return Scene(KNOCKOUT).reach(phase)


def paid(coup: str = PLAYER_WINS) -> Scene:
    """A settled round: Ann has 100 on Player and 10 on Tie, Bob 40 on Player, Eve 200 on Banker."""
    scene = Scene().open().bet("ann", 1, "player", 100).bet("bob", 2, "player", 40)
    return scene.bet("eve", 3, "banker", 200).bet("ann", 1, "tie", 10).play(coup)


# --- other hands before the settlement ------------------------------------------------------------


@pytest.mark.parametrize("phase", [Phase.DEALING, Phase.RESULT])
def test_before_the_settlement_dealing_goes_on_from_the_corrected_hands(phase: Phase) -> None:
    scene = in_phase(phase).correct("2h / 3s", "KO2 5.1.1")

    assert scene.last == [CoupCorrected(Coup.parse("2h / 3s"), "KO2 5.1.1", "pia", scene.now)]
    assert scene.state.coup == Coup.parse("2h / 3s")
    assert (scene.state.phase, scene.state.winner) == (Phase.DEALING, None)
    assert str(scene.deal("2d Kc 9c").state.coup) == "2h 2d 9c / 3s Kc"


def test_hands_may_lie_there_that_no_card_was_recorded_of() -> None:
    scene = Scene().open().bet("ann", 1, "player", 100).close().correct("2h / 3s")

    assert scene.last == [CoupCorrected(Coup.parse("2h / 3s"), "HOUSE misread card", "pia", 4)]
    assert scene.state.phase is Phase.DEALING
    assert str(scene.deal("2d Kc 9c").state.coup) == "2h 2d 9c / 3s Kc"


@every("coup", ["2h /", "2h / 3s", "2h 2d / 3s Kc", BANKER_WINS])
@every("phase", [Phase.CLOSED, Phase.DECIDING])
def test_an_ante_is_decided_on_with_the_whole_time_however_many_cards_lie_there(
    phase: Phase, coup: str
) -> None:
    scene = in_phase(phase).wait(5_000).correct(coup)

    assert scene.last == [
        CoupCorrected(Coup.parse(coup), "HOUSE misread card", "pia", scene.now),
        DecisionsOpened(scene.now + 10_000, scene.now),
    ]
    assert (scene.state.phase, scene.state.decide_until) == (Phase.DECIDING, scene.now + 10_000)
    assert scene.go_on("ann", 1, "ante_player").state.phase is Phase.DEALING


@pytest.mark.parametrize("phase", [Phase.DEALING, Phase.RESULT])
def test_a_corrected_first_card_is_not_decided_on_twice(phase: Phase) -> None:
    scene = in_phase(phase).correct("2h /")

    assert scene.last == [CoupCorrected(Coup.parse("2h /"), "HOUSE misread card", "pia", scene.now)]
    assert scene.state.phase is Phase.DEALING
    assert scene.bets[("ann", "wager_player")] == 100


@every("phase", DEALT)
def test_hands_without_a_card_leave_the_bets_closed(phase: Phase) -> None:
    scene = in_phase(phase).correct("/")

    assert scene.last == [CoupCorrected(Coup(), "HOUSE misread card", "pia", scene.now)]
    assert (scene.state.phase, scene.state.coup) == (Phase.CLOSED, Coup())
    assert (scene.state.winner, scene.state.decide_until) == (None, None)


def test_corrected_hands_are_called_and_settled_as_they_lie() -> None:
    """Player's 9 was a 7: the result is called again, and Banker is paid."""
    scene = Scene().open().bet("ann", 1, "player", 100).bet("bob", 1, "banker", 100)
    scene.close().deal("Kh Kd 9s 8c").call().correct(BANKER_WINS).call()
    assert scene.state.winner is Winner.BANKER

    assert scene.settle().nets == {("ann", "player"): -100, ("bob", "banker"): 95}


def test_no_result_while_the_corrected_hands_want_a_card() -> None:
    scene = Scene().open().close().deal("Kh Kd 9s 8c").call().correct("Kh 5s / Kd 4c")

    assert denied(scene.call).params == {"coup": "Kh 5s / Kd 4c"}
    assert scene.deal("2h Kd").call().state.winner is Winner.PLAYER


@every("phase", [Phase.IDLE, Phase.BETTING, Phase.VOID])
def test_there_is_nothing_to_correct_before_the_close_and_in_a_void_round(phase: Phase) -> None:
    refusal = denied(in_phase(phase).correct, BANKER_WINS, "KO2 5.1.1")

    assert why(refusal) == ("round/no-cards", "KO2 5.1.1")
    assert refusal.params == {"round": 0 if phase is Phase.IDLE else 1}


# --- other hands after the settlement -------------------------------------------------------------


def test_after_the_settlement_every_bet_is_settled_anew() -> None:
    """Player's 9 was a 7: what was won is lost, and the Ante and its Wager with it."""
    scene = in_phase(Phase.SETTLED).correct(BANKER_WINS, "KO2 5.1.1")
    bets = (
        Settled(scene.laid("ann", 1, "player"), 100, -100, 0, "KO2 3.8"),
        Settled(scene.laid("ann", 1, "ante_player"), 50, -50, 0, "KO2 4.1.3 lose"),
        Settled(scene.laid("ann", 1, "wager_player"), 100, -100, 0, "KO2 4.1.3 lose"),
    )

    assert scene.last == [
        SettlementCorrected(Coup.parse(BANKER_WINS), bets, "misread", "KO2 5.1.1", "pia", scene.now)
    ]
    assert scene.state.settled == RoundSettled(bets, scene.now, "pia")
    assert scene.state.coup == Coup.parse(BANKER_WINS)
    assert (scene.state.phase, scene.state.winner) == (Phase.SETTLED, Winner.BANKER)


def test_a_settlement_may_be_corrected_again() -> None:
    scene = paid(BANKER_WINS)
    assert scene.nets["eve", "banker"] == 190
    assert scene.correct(PLAYER_WINS).nets["eve", "banker"] == -200

    assert scene.correct(TIE).nets == {
        ("ann", "player"): 0,
        ("ann", "tie"): 80,
        ("bob", "player"): 0,
        ("eve", "banker"): 0,
    }
    assert scene.state.winner is Winner.TIE


def test_a_corrected_settlement_keeps_what_bets_count_for_and_who_declined() -> None:
    scene = Scene(KNOCKOUT, entry=Entry.WARN, limits=[gap(100)]).open()
    scene.bet("ann", 1, "player", 400).bet("ann", 1, "ante_player", 50).close().deal("Kh")
    scene.decline("ann", 1, "ante_player").finish(BANKER_WINS).correct(PLAYER_WINS)

    assert scene.nets == {("ann", "player"): 100, ("ann", "ante_player"): -50}


@every("coup", ["/", "Kh 9s / Kd", "Kh 5s / Kd 4c", "2h 2d / 3s Kc"])
def test_a_settled_round_is_settled_anew_only_by_finished_hands(coup: str) -> None:
    refusal = denied(in_phase(Phase.SETTLED).correct, coup, "KO2 5.1.1")

    assert why(refusal) == ("round/cards-missing", "KO2 3.7")
    assert refusal.params == {"coup": coup}


# --- bets returned --------------------------------------------------------------------------------


@every("phase", [Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.RESULT])
def test_before_the_settlement_a_patron_takes_every_bet_back(phase: Phase) -> None:
    scene = in_phase(phase)
    lying = tuple(scene.state.bets)
    scene.give_back("ann", "KO2 5.1.1")

    assert scene.last == [BetsReturned("ann", lying, (), "KO2 5.1.1", scene.now, "pia")]
    assert scene.bets == {}
    assert scene.state.phase is phase


def test_nobody_elses_bets_are_returned() -> None:
    scene = Scene().open().bet("ann", 1, "player", 100).bet("bob", 1, "player", 40)
    scene.bet("ann", 2, "tie", 10).close()
    ann = scene.laid("ann", 1, "player"), scene.laid("ann", 2, "tie")
    scene.give_back("ann")

    assert scene.last == [BetsReturned("ann", ann, (), "CB4 5.12.3", scene.now, "pia")]
    assert scene.bets == {("bob", "player"): 40}
    assert scene.state.by_spot == {"player": 40, "tie": 0}
    assert scene.finish(PLAYER_WINS).nets == {("bob", "player"): 40}


def test_bets_whose_chips_were_taken_away_are_named_apart() -> None:
    scene = Scene().open().bet("ann", 1, "player", 100).bet("ann", 1, "tie", 10).close()
    player, tie = scene.laid("ann", 1, "player"), scene.laid("ann", 1, "tie")
    scene.removed("ann", 1, "tie").give_back("ann")

    assert scene.last == [BetsReturned("ann", (player,), (tie,), "CB4 5.12.3", scene.now, "pia")]
    assert scene.bets == {}


def test_the_last_ante_returned_ends_the_decisions() -> None:
    scene = in_phase(Phase.DECIDING)
    lying = tuple(scene.state.bets)
    scene.give_back("ann")

    assert scene.last == [
        BetsReturned("ann", lying, (), "CB4 5.12.3", scene.now, "pia"),
        DecisionsClosed(scene.now),
    ]
    assert (scene.state.phase, scene.state.decide_until) == (Phase.DEALING, None)


def test_the_decisions_wait_for_the_other_antes() -> None:
    scene = Scene(KNOCKOUT).open().bet("ann", 1, "ante_player", 50).bet("bob", 2, "ante_player", 30)
    scene.close().deal("Kh")
    until, ante = scene.state.decide_until, scene.laid("ann", 1, "ante_player")
    scene.give_back("ann")

    assert scene.last == [BetsReturned("ann", (ante,), (), "CB4 5.12.3", scene.now, "pia")]
    assert (scene.state.phase, scene.state.decide_until) == (Phase.DECIDING, until)
    assert denied(scene.go_on, "ann", 1, "ante_player").code == "decision/nothing-to-decide"
    assert scene.go_on("bob", 2, "ante_player").state.phase is Phase.DEALING


def test_after_the_settlement_the_others_are_settled_anew_without_the_returned_bets() -> None:
    scene = paid().give_back("ann")

    assert scene.last == [
        SettlementCorrected(
            Coup.parse(PLAYER_WINS),
            (
                Settled(scene.laid("bob", 2, "player"), 40, 40, 0, "CB4 4.1.2"),
                Settled(scene.laid("eve", 3, "banker"), 200, -200, 0, "CB4 3.13"),
            ),
            "bets returned",
            "CB4 5.12.3",
            "pia",
            scene.now,
        )
    ]
    assert scene.nets == {("bob", "player"): 40, ("eve", "banker"): -200}
    assert (scene.state.phase, scene.state.winner) == (Phase.SETTLED, Winner.PLAYER)
    assert scene.state.coup == Coup.parse(PLAYER_WINS)


@every("phase", list(Phase))
def test_nothing_is_returned_to_somebody_without_a_bet(phase: Phase) -> None:
    refusal = denied(in_phase(phase).give_back, "bob")

    assert why(refusal) == ("option/no-bets", "CB4 1.12")
    assert refusal.params == {}


def test_nothing_is_returned_from_a_void_round() -> None:
    """The void has returned it already."""
    assert why(denied(in_phase(Phase.VOID).give_back, "ann")) == ("option/no-bets", "CB4 1.12")
    assert denied(paid().void().give_back, "ann").code == "option/no-bets"


def test_returned_bets_stay_returned_whatever_is_corrected_later() -> None:
    scene = paid().give_back("ann").give_back("bob")
    assert scene.nets == {("eve", "banker"): -200}
    assert scene.bets == {("eve", "banker"): 200}
    assert scene.state.by_spot == {"player": 0, "banker": 200, "tie": 0}

    assert scene.correct(BANKER_WINS).nets == {("eve", "banker"): 190}
    assert denied(scene.give_back, "ann").code == "option/no-bets"


def test_bets_are_returned_once() -> None:
    scene = in_phase(Phase.CLOSED).give_back("ann")

    assert denied(scene.give_back, "ann").code == "option/no-bets"


# --- void after the settlement --------------------------------------------------------------------


def test_a_settled_round_may_be_voided() -> None:
    """Nothing counts any more: there are no hands and no settled bets."""
    scene = in_phase(Phase.SETTLED).void("KO2 5.1.1")

    assert scene.last == [
        SettlementCorrected(None, (), "cards on the floor", "KO2 5.1.1", "pia", scene.now)
    ]
    assert (scene.state.phase, scene.state.winner) == (Phase.VOID, None)
    assert scene.state.settled is None


def test_a_round_voided_after_the_settlement_is_not_voided_or_corrected_again() -> None:
    scene = paid().void()

    assert denied(scene.void).code == "round/nothing-to-void"
    assert denied(scene.correct, BANKER_WINS).code == "round/no-cards"
    assert scene.open(2).state.phase is Phase.BETTING


@every(("reason", "clause"), [("", "CB4 5.15"), (" ", "CB4 5.15"), ("lights out", ""), ("", " ")])
@every("phase", [Phase.BETTING, Phase.RESULT, Phase.SETTLED])
def test_no_round_is_void_without_a_reason_and_a_clause(
    phase: Phase, reason: str, clause: str
) -> None:
    refusal = denied(in_phase(phase).void, clause, reason)

    assert why(refusal) == ("round/no-reason", None)
    assert refusal.params == {}


# --- what the events leave ------------------------------------------------------------------------


def test_a_corrected_coup_changes_nothing_but_the_hands() -> None:
    before = in_phase(Phase.RESULT).state
    corrected = CoupCorrected(Coup.parse("2h / 3s"), "HOUSE misread card", "pia", 99)

    assert evolve(before, corrected) == replace(
        before, coup=corrected.coup, phase=Phase.DEALING, winner=None
    )


def test_a_void_ends_the_decisions() -> None:
    scene = in_phase(Phase.DECIDING).void()

    assert isinstance(scene.last[0], RoundVoided)
    assert scene.state.decide_until is None
    assert why(denied(scene.go_on, "ann", 1, "ante_player")) == ("decision/not-now", "KO2 3.4.2")
    assert denied(scene.wait(60_000).time_is_up).code == "decision/not-now"
    assert scene.always("ann").state.always == {"ann"}


@every("phase", [Phase.CLOSED, Phase.DECIDING, Phase.RESULT, Phase.SETTLED])
def test_the_log_alone_tells_of_corrections(phase: Phase) -> None:
    scene = in_phase(phase).correct(BANKER_WINS).give_back("ann")

    assert replayed(scene) == scene.state
