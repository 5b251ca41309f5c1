"""Corrections: what becomes of cards, roads, choices and money when a record turns out wrong."""

import pytest

from cutcard import cage as till
from cutcard.round.events import SettlementCorrected
from cutcard.rules.cards import Card, parse_cards
from cutcard.rules.coup import Coup
from cutcard.rules.rulebook import Role
from cutcard.table.incident import Step
from tests.cases import every
from tests.table.scene import BANKER_WINS, Scene, check_in_step, check_replay
from tests.table.test_remedies import lying_otherwise

EVERYBODY = "ann", "bob", "cho"


def dealt(cards: str, book: str = "rws-commission", **choices: object) -> Scene:
    """Ann has 100 on Player, bob 200 on Banker, cho 40 on Banker; these cards are out."""
    scene = Scene(book, **choices).staff("sam", Role.SHIFT_MANAGER)
    scene.fund(ann=1_000, bob=1_000, cho=1_000)
    for box, patron in enumerate(EVERYBODY, 1):
        scene.seat(patron, box)
    scene.shoe().open().bet("ann", 1, "player", 100)
    scene.bet("bob", 2, "banker", 200).bet("cho", 3, "banker", 40)
    return scene.close().deal(cards)


def stacks(scene: Scene) -> tuple[int, ...]:
    check_in_step(scene.table, scene.ledger)
    return tuple(scene.stack(patron) for patron in EVERYBODY)


def winners(scene: Scene) -> str:
    return "".join(result.winner.value[0] for result in scene.table.results)


def card(text: str) -> Card:
    return Card.parse(text)


PLAYER_WINS = "9h 8c Kh Kd"


def test_who_took_the_bets_back_after_settlement_is_not_settled_again_with_the_next() -> None:
    scene = dealt(PLAYER_WINS).call().settle()
    assert stacks(scene) == (1_100, 800, 960)
    lying_otherwise(scene, "9h Kd / 8c Kh")

    assert stacks(scene.option("bob", False)) == (1_100, 1_000, 960)
    assert stacks(scene.option("cho", False)) == (1_100, 1_000, 1_000)
    assert scene.option("ann", True).bets == {("ann", "player"): 100}


def test_a_later_correction_leaves_out_who_took_the_bets_back() -> None:
    """Bob is out; then the Player's nine turns out to be a seven, and Banker has won."""
    scene = lying_otherwise(dealt(PLAYER_WINS).call().settle(), "9h Kd / 8c Kh")
    scene.option("bob", False).option("ann", True).option("cho", True)
    scene.report("misread card")

    scene.resolve(Step.CORRECT, reason="seen", coup=Coup.parse("7h Kh / 8c Kd"))
    assert stacks(scene) == (900, 1_000, 1_038)


def test_a_round_corrected_after_the_shoe_was_changed_is_not_on_the_new_roads() -> None:
    scene = dealt(PLAYER_WINS).call().settle().end_shoe().shoe("shoe 2")
    new = scene.table.shoe
    scene.report("misread card")

    scene.resolve(Step.CORRECT, reason="seen", coup=Coup.parse("7h Kh / 8c Kd"))
    assert (stacks(scene), winners(scene)) == ((900, 1_190, 1_038), "")
    assert scene.table.shoe == new
    check_replay(scene.table, scene.log)


def test_a_card_of_the_old_shoe_is_corrected_without_the_new_one() -> None:
    """The second card, a three, was misread as a two before the shoe was replaced."""
    scene = dealt("Ah 2c").report("simultaneous cards", drawn=parse_cards("2d 3s"))
    scene.resolve(Step.ORDER, order=parse_cards("2d 3s"), replace_shoe=True).options_over()
    scene.shoe("shoe 2").deal("9s").report("misread card")
    left = scene.table.shoe.left if scene.table.shoe else 0

    scene.resolve(Step.CORRECT, reason="seen", coup=Coup.parse("Ah 2d 9s / 3c 3s"))
    assert scene.table.shoe is not None
    assert scene.table.shoe.left == left
    assert scene.table.shoe.seen == {card("Ah"): 1, card("9s"): 1}


def test_a_misread_card_lies_as_it_lay_though_another_like_it_lies_otherwise() -> None:
    """The first card was a king of clubs, like the last one; only the first lies open."""
    scene = dealt("Kh 3c 9h Kc", face_down=True).report("card face up", exposed=0)
    scene.resolve(Step.CONTINUE).options_over().report("misread card")

    scene.resolve(Step.CORRECT, reason="seen", coup=Coup.parse("Kc 9h / 3c Kc"))
    assert scene.table.face_up == {0}


def test_hands_that_stay_as_they_lie_are_seen_whole() -> None:
    scene = dealt("5h 8c 2d").report("card to the wrong side", lying=Coup.parse("5h 8c 2d /"))
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")

    seen = scene.seen_by()
    assert (seen.player, seen.banker) == (parse_cards("5h 8c 2d"), ())


def test_what_hands_as_they_lie_establish_is_told_from_where_they_lie() -> None:
    """Five of hearts and eight of clubs on Player are no pair; the Banker has no card yet."""
    scene = dealt("5h 8c").report("card to the wrong side", lying=Coup.parse("5h 8c /"))
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order").options_over()
    scene.report("other dealing error")

    assert scene.advice().established == ("player_pair",)


def test_after_settlement_no_hand_that_lacks_a_card_is_played_on() -> None:
    scene = dealt(PLAYER_WINS).call().settle()
    scene.report("card to the wrong side", lying=Coup.parse("9h Kh Kd / 8c"))

    assert [path.step for path in scene.advice().paths] == [Step.RECONSTRUCT, Step.RETRACT]


def test_a_report_on_an_earlier_round_turns_no_card_of_this_one() -> None:
    scene = dealt(PLAYER_WINS, face_down=True).turn_over().call().settle().open().close()
    scene.deal("2h 6c 3s").report("card face up", round=1, exposed=2)

    assert scene.table.incident is not None
    assert (scene.table.incident.exposed, scene.table.face_up) == (None, frozenset())


@pytest.mark.parametrize("coup", ["4h /", "4h / 9c"])
def test_an_ante_is_decided_on_also_where_a_correction_finds_more_cards(coup: str) -> None:
    """The first card was misread, and a second one was on the table when that was seen."""
    scene = Scene("rws-knockout").fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "ante_player", 100).close().deal("5h").report("misread card")

    scene.resolve(Step.CORRECT, reason="seen", coup=Coup.parse(coup))
    assert scene.choose("ann", 1, "ante_player").bets == {
        ("ann", "ante_player"): 100,
        ("ann", "wager_player"): 200,
    }


# --- debts that the round itself made -------------------------------------------------------------


def in_debt() -> Scene:
    """Ann won 100 and has left with everything; then the nine turns out to have been a seven."""
    scene = dealt(PLAYER_WINS).call().settle().cash_out("ann", 1_100)
    scene.report("misread card")
    scene.resolve(Step.CORRECT, reason="seen", coup=Coup.parse("7h Kh / 8c Kd"))
    assert (scene.stack("ann"), scene.owes("ann"), scene.table.owed["ann"]) == (0, 200, 200)
    return scene


def ruled_void(scene: Scene) -> Scene:
    return scene.wet().resolve(Step.RULE_VOID, "sam", reason="void", facts="water")


@pytest.mark.clause("CB4 5.15")
def test_a_void_strikes_off_what_the_round_made_a_patron_owe() -> None:
    """Ann took 1,100 with her and had 1,000: of the 100 that come back the debt has the first."""
    scene = ruled_void(in_debt())

    assert (scene.stack("ann"), scene.owes("ann"), scene.house) == (0, 100, 0)
    anew = scene.last[0]
    assert isinstance(anew, SettlementCorrected)
    assert anew.struck == {"ann": 100}
    check_in_step(scene.table, scene.ledger)
    check_replay(scene.table, scene.log)


@every(("paid", "owes", "stack"), [(40, 60, 0), (150, 0, 50), (200, 0, 100)])
def test_what_was_paid_of_such_a_debt_comes_back_to_the_stack(
    paid: int, owes: int, stack: int
) -> None:
    scene = in_debt()
    ruled_void(scene.at_cage(till.PayDebt("ann", paid, scene.at())))

    assert (scene.owes("ann"), scene.stack("ann"), scene.house) == (owes, stack, 0)
    check_in_step(scene.table, scene.ledger)


def test_a_debt_of_an_earlier_round_is_no_business_of_a_void() -> None:
    scene = in_debt().at_cage(till.Deposit("ann", 500, 9)).buy_in("ann", 500)
    ruled_void(scene.open().bet("ann", 1, "player", 100).play(BANKER_WINS))

    assert (scene.owes("ann"), scene.stack("ann")) == (200, 500)


@pytest.mark.clause("KO2 5.3")
def test_the_loss_of_chips_that_were_taken_away_is_owed_no_more_after_a_void() -> None:
    scene = dealt("Kh Kd 7s", "rws-knockout").removed("ann", 1, "player").deal("8c")
    scene.call().settle()
    assert (scene.stack("ann"), scene.owes("ann")) == (1_000, 100)

    ruled_void(scene)
    assert (scene.stack("ann"), scene.owes("ann"), scene.house) == (1_000, 0, 0)


@pytest.mark.clause("KO2 5.3")
def test_what_the_stack_won_beside_such_a_debt_goes_back() -> None:
    """Ann lost 100 whose chips were gone and won 100 beside: nothing in sum, and two accounts."""
    scene = Scene("rws-knockout").staff("sam", Role.SHIFT_MANAGER).fund(ann=1_000).seat("ann", 1)
    scene.shoe().open().bet("ann", 1, "player", 100).bet("ann", 1, "banker", 100).close()
    scene.removed("ann", 1, "player").deal("Kh Kd 7s 8c").call().settle()
    assert (scene.stack("ann"), scene.owes("ann")) == (1_100, 100)

    ruled_void(scene)
    assert (scene.stack("ann"), scene.owes("ann"), scene.house) == (1_000, 0, 0)


def test_a_second_correction_strikes_off_before_it_pays() -> None:
    """Player has won after all: of the 200 that ann gets, the whole debt is the first part."""
    scene = in_debt().report("misread card")
    scene.resolve(Step.CORRECT, reason="seen again", coup=Coup.parse("9h Kh / 8c Kd"))

    assert (scene.stack("ann"), scene.owes("ann"), scene.table.owed["ann"]) == (0, 0, 0)


def test_bets_taken_back_after_the_settlement_strike_off_too() -> None:
    """Ann owes what she took away; nobody says anything, so all bets are returned."""
    scene = dealt("9h 8c Kh 8d").call().settle()
    scene.cash_out("ann", 1_100).report("card to the wrong side", lying=Coup.parse("8c 8d / 9h Kh"))
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    assert (scene.stack("ann"), scene.owes("ann")) == (0, 200)

    scene.options_over()
    assert (scene.stack("ann"), scene.owes("ann"), scene.house) == (0, 100, 0)
    check_in_step(scene.table, scene.ledger)
    check_replay(scene.table, scene.log)
