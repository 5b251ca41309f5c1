"""Remedies: what is reported, what is done about it, and what each step does to the money."""

from cutcard.rules.coup import Coup
from cutcard.table.incident import Step
from tests.table.scene import Scene, check_in_step, check_replay
from tests.table.test_irregularities import dealt

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
