"""Remedies: what is reported, what is done about it, and what each step does to the money."""

from cutcard.rules.cards import parse_cards
from cutcard.rules.coup import Coup
from cutcard.table.incident import Step
from tests.table.scene import Scene, check_in_step, check_replay, denied, why
from tests.table.test_irregularities import dealt, steps

# --- after the settlement -------------------------------------------------------------------------


def returned_late(*patrons: str) -> Scene:
    """Player has won; some take their bets back after an error that is seen only now."""
    scene = dealt("9h 8c Kh Kd").call().settle().report("other dealing error")
    scene.resolve(Step.CONTINUE)
    for patron in ("ann", "bob"):
        scene.option(patron, patron not in patrons)
    return scene


def test_two_patrons_who_take_back_settled_bets_each_have_their_own() -> None:
    scene = returned_late("ann", "bob")

    assert (scene.stack("ann"), scene.stack("bob"), scene.house) == (1_000, 1_000, 0)
    assert scene.bets == {}
    check_in_step(scene.table, scene.ledger)
    check_replay(scene.table, scene.log)


def test_a_bet_taken_back_stays_out_when_the_round_is_corrected_afterwards() -> None:
    """Banker had nine and not eight: bob wins, and ann, who took hers back, loses nothing."""
    scene = returned_late("ann").report("misread card")

    scene.resolve(Step.CORRECT, reason="a nine", coup=Coup.parse("8h Kh / 9c Kd"))
    assert (scene.stack("ann"), scene.stack("bob")) == (1_000, 1_190)
    assert scene.bets == {("bob", "banker"): 200}


def test_whoever_took_the_bets_back_is_not_asked_again() -> None:
    scene = returned_late("ann").report("other dealing error").resolve(Step.CONTINUE)

    assert scene.table.options == {"bob": None}


def test_hands_that_want_another_card_are_not_played_on_with_after_the_settlement() -> None:
    """As the cards lie Player has 3 and must draw, and every bet is paid already."""
    scene = dealt("5h 8c 2d Qs").call().settle()
    scene.report("card to the wrong side", lying=Coup.parse("5h 8c / 2d Qs"))

    assert steps(scene) == [Step.RECONSTRUCT, Step.RETRACT]
    assert denied(scene.resolve, Step.PLAY_ON, reason="x").code == "incident/not-lawful"


def test_hands_that_are_complete_as_they_lie_settle_the_round_anew() -> None:
    """By the order of dealing Banker wins 8 to 7; as the cards lie Player has 8 and Banker 7."""
    scene = dealt("5h 2c 2d 6s").call().settle()
    assert (scene.stack("ann"), scene.stack("bob")) == (900, 1_190)
    scene.report("card to the wrong person", lying=Coup.parse("5h 2d 2c / 6s"))
    assert steps(scene) == [Step.RECONSTRUCT, Step.RETRACT]

    scene.resolve(Step.RETRACT, reason="a slip").report(
        "card to the wrong person", lying=Coup.parse("2c 6s / 5h 2d")
    )
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    assert (scene.stack("ann"), scene.stack("bob"), scene.commission) == (1_100, 800, 0)


def test_there_are_no_hands_to_lie_wrongly_before_a_card_is_dealt() -> None:
    scene = dealt("")

    refused = denied(scene.report, "card to the wrong side", lying=Coup())
    assert why(refused) == ("incident/other-cards", "CB4 5.8.1")


def test_the_last_round_of_a_shoe_is_corrected_after_the_next_shoe_stands_there() -> None:
    """Money moves; the roads and the cards of the new shoe stay as they are."""
    scene = dealt("9h 8c Kh Kd").call().settle().end_shoe().shoe("shoe 2")
    before = scene.table.shoe
    scene.report("misread card").resolve(
        Step.CORRECT, reason="a seven", coup=Coup.parse("7h Kh / 8c Kd")
    )

    assert (scene.stack("ann"), scene.stack("bob")) == (900, 1_190)
    assert (scene.table.results, scene.table.shoe) == ((), before)


def test_cards_that_a_correction_leaves_over_are_reported_as_drawn_in_excess() -> None:
    """Player's second card was an eight and not a five, so the third cards were never due."""
    scene = dealt("Kh 3c 5h Kd 6h 2c").call().settle().report("misread card")
    scene.resolve(Step.CORRECT, reason="an eight", coup=Coup.parse("Kh 8h / 3c Kd"))

    scene.report("excess or exposed card", drawn=parse_cards("6h 2c")).resolve(Step.RECONSTRUCT)
    assert scene.table.kept == parse_cards("6h 2c")
    assert scene.table.shoe is not None
    assert scene.table.shoe.left == 416 - scene.cards
