"""What is established: which bets are won or lost however the round ends."""

from collections import Counter
from dataclasses import replace

import pytest

from cutcard.rules.coup import Coup
from cutcard.table import Table
from cutcard.table.established import open_cards, unseen
from cutcard.table.incident import Step
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
