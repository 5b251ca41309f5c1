"""Corrections: what becomes of cards, roads, choices and money when a record turns out wrong."""

import pytest

from cutcard.rules.cards import Card, parse_cards
from cutcard.rules.coup import Coup
from cutcard.rules.rulebook import Role
from cutcard.table.incident import Step
from tests.table.scene import Scene, check_in_step, check_replay
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
