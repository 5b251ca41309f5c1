"""What is established: which bets are won or lost however the round ends."""

from collections import Counter
from dataclasses import replace

import pytest

from cutcard.rules.coup import Coup
from cutcard.rules.facts import Hand
from cutcard.table import Table
from cutcard.table.established import lies_so, open_cards, unseen
from cutcard.table.incident import Step
from tests.cases import every
from tests.table.test_irregularities import card, dealt

AS_THEY_LIE = Coup.parse("5h 8c 2d / Qs")


@pytest.mark.clause("HOUSE known")
def test_a_card_drawn_in_excess_counts_where_it_belongs() -> None:
    """After 2h 6c the next card is Player's: with the three there is no pair any more."""
    scene = dealt("2h 6c").report("excess or exposed card", drawn=card("3s"))

    assert scene.advice().established == ("player_pair",)


@pytest.mark.parametrize(
    ("kind", "drawn"), [("simultaneous cards", "3s 3c"), ("foreign card", "3s")]
)
def test_cards_in_no_order_and_cards_of_no_shoe_decide_nothing(kind: str, drawn: str) -> None:
    scene = dealt("2h 6c").report(kind, drawn=card(drawn))

    assert scene.advice().established == ()


def test_hands_that_stay_where_they_lie_are_looked_at_as_they_lie() -> None:
    """Three cards are Player's and one is Banker's. In their order they were a Banker natural."""
    scene = dealt("5h 8c 2d Qs").report("card to the wrong side", lying=AS_THEY_LIE)
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    scene.option("ann", True).option("bob", True).report("technical interruption")

    assert scene.table.round.coup == AS_THEY_LIE
    assert scene.advice().established == ("player_pair",)


def test_a_player_without_cards_still_gets_two_where_the_banker_has_three() -> None:
    """All cards lie at Banker's: a nine, which Player can still match, and no pair."""
    scene = dealt("4c 5c Kd").report("card to the wrong side", lying=Coup.parse(" / 4c 5c Kd"))
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    scene.option("ann", True).option("bob", True).report("technical interruption")

    assert scene.advice().established == ("banker_pair",)


@pytest.mark.clause("HOUSE known")
def test_only_cards_that_lie_open_decide_anything() -> None:
    scene = dealt("2h 6c 3s Kd", face_down=True).report("technical interruption")
    assert open_cards(scene.table, scene.table.round.coup) == [None] * 4
    assert scene.advice().established == ()

    turned = dealt("2h 6c 3s Kd", face_down=True).report("card face up", exposed=2)
    assert open_cards(turned.table, turned.table.round.coup) == [None, None, *card("3s"), None]


def test_cards_that_move_to_the_other_side_stay_hidden_or_open_as_they_were() -> None:
    """Only the eight was turned over. Moved from one hand to the other it is still the one seen."""
    scene = dealt("5h 8c 2d Qs", face_down=True).report("card face up", exposed=1)

    assert open_cards(scene.table, AS_THEY_LIE) == [None, None, *card("8c"), None]
    assert AS_THEY_LIE.dealt == card("5h Qs 8c 2d")


def test_all_cards_may_still_come_but_those_that_lie_open() -> None:
    """Of eight decks: the exposed ace of the burn and two cards of the coup are known."""
    scene = dealt("2h 6c")
    left = unseen(scene.table, card("2h 6c"))
    assert left.total == 416 - 3

    hidden = dealt("2h 6c", face_down=True)
    assert unseen(hidden.table, ()).total == 416 - 1


def test_where_the_shoe_cannot_end_a_coup_any_cards_of_it_may_have_come() -> None:
    """Five cards are left, too few for every coup, so the whole shoe is looked at again."""
    scene = dealt("2h 6c")
    shoe = scene.table.shoe
    assert shoe is not None
    few = Counter(dict(shoe.manifest))
    few.subtract(card("Ah 2h 3h 4h 5h"))
    table = replace(scene.table, shoe=replace(shoe, seen=few))

    assert unseen(table, card("2h 6c")).total == 416 - 2
    six = few - Counter(card("6h"))
    assert unseen(replace(table, shoe=replace(shoe, seen=six)), card("2h 6c")).total == 6


def test_without_a_shoe_the_decks_of_the_table_are_looked_at() -> None:
    scene = dealt("2h 6c", decks=6)
    table = replace(scene.table, shoe=None)

    assert unseen(table, card("2h 6c")).total == 312 - 2
    assert unseen(Table(), card("2h 6c")).total == 416 - 2


def test_of_equal_cards_as_many_stay_hidden_as_were() -> None:
    """Three eights of clubs, of which the last was turned over."""
    scene = dealt("8c 8c 8c Qs", face_down=True).report("card face up", exposed=2)

    moved = Coup.parse("8c 8c 8c / Qs")
    assert moved.dealt == card("8c Qs 8c 8c")
    assert open_cards(scene.table, moved) == [None, None, None, *card("8c")]


def test_a_coup_that_is_over_decides_every_bet() -> None:
    scene = dealt("9h 8c Kh Kd").report("technical interruption")

    assert scene.advice().established == tuple(scene.book.spots)


def test_a_bet_is_decided_when_no_card_is_left_that_could_turn_it() -> None:
    """Nine against eight: only an ace could make it a tie, and all of them have been seen."""
    scene = dealt("9h 8c Kh").report("technical interruption")
    assert scene.advice().established == ("player_pair",)

    shoe = scene.table.shoe
    assert shoe is not None
    gone = shoe.seen | Counter(dict.fromkeys(card("Ah Ad As Ac"), 8))
    scene.table = replace(scene.table, shoe=replace(shoe, seen=gone))
    assert scene.advice().established == ("player", "banker", "tie", "player_pair")


@pytest.mark.clause("HOUSE known")
def test_where_third_cards_lie_tells_what_was_stood_on() -> None:
    """Only a king lies open. The Banker drew and the Player did not, so beside the king lies a six
    or a seven, and no second king.
    """
    scene = dealt("Kh 4d 7d Kc 7c", face_down=True).report("card face up", exposed=0)

    assert scene.advice().established == ("player_pair",)


@every(
    ("lies", "ends", "can"),
    [
        ("2h / 6c", "2h 3s 4d / 6c Kd", True),
        ("2h 3s / 6c Kd", "9h Ks / 6c Kd", True),
        # The Player drew: no coup of two Player cards can have been this one.
        ("2h 3s 4d / 6c Kd", "2h 3s 4d / 6c Kd", True),
        ("2h 3s 4d / 6c Kd", "2h 3s 4d / 2c 3d 9h", True),
        ("2h 3s 4d / 6c Kd", "9h Ks / 6c Kd", False),
        ("2h 3s 4d / 2c 3d 9h", "2h 3s 4d / 6c Kd", False),
        ("2h 3s 4d / 2c 3d 9h", "2h 4s / 2c 3d 9h", False),
        # The Banker drew, and the Player stands for good.
        ("6h Ks / 2c 3d 9h", "6h Ks / 2c 3d 9h", True),
        ("6h Ks / 2c 3d 9h", "2h 3s 4d / 2c 3d 9h", False),
        ("6h Ks / 2c 3d 9h", "6h Ks / 6c Kd", False),
    ],
)
def test_an_ending_must_have_its_third_cards_where_they_lie(
    lies: str, ends: str, can: bool
) -> None:
    coup = Coup.parse(ends)

    assert lies_so((Hand.of(coup.player), Hand.of(coup.banker)), Coup.parse(lies)) is can
