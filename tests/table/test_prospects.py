"""Prospects: what everybody stands to gain or lose, in exact numbers."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from cutcard.odds import Composition
from cutcard.odds.bets import outlook
from cutcard.round import Entry
from cutcard.rules.coup import Coup
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.table.prospects import Prospect, Prospects, edges, prospects
from tests.cases import every
from tests.table.scene import Scene
from tests.table.test_irregularities import card, dealt


def sure(amount: int) -> Prospect:
    """An amount that can be neither less nor more."""
    return Prospect(Fraction(amount), Fraction(amount), Fraction(amount))


def of(scene: Scene) -> Prospects:
    found = prospects(scene.table, scene.table.round.coup, scene.book)
    assert found is not None
    return found


@every(
    ("cards", "ann", "bob", "house"),
    [
        ("9h 8c Kh Kd", 100, -200, 100),
        # Banker wins 200 less five per cent.
        ("8h 9c Kh Kd", -100, 190, -90),
        ("9h 9c Kh Kd", 0, 0, 0),
    ],
)
def test_a_coup_that_is_over_leaves_nothing_open(
    cards: str, ann: int, bob: int, house: int
) -> None:
    assert of(dealt(cards)) == ({"ann": sure(ann), "bob": sure(bob)}, sure(house))


def test_all_bets_of_a_patron_count_together() -> None:
    """Tie and Player: on a tie one is won and the other returned, whichever was placed first."""
    scene = Scene().fund(ann=1_000, bob=1_000).shoe().seat("ann", 1).seat("bob", 2).open()
    scene.bet("ann", 1, "player", 100).bet("ann", 1, "tie", 10).bet("bob", 2, "player", 40)
    scene.close().deal("9h 8c Kh")

    # The ace that was exposed and three cards are known, so 31 aces of 412 cards make it a tie.
    tie = Fraction(31, 412)
    patrons, house = of(scene)
    assert patrons == {
        "ann": Prospect(Fraction(80), 90 - 10 * tie, Fraction(90)),
        "bob": Prospect(Fraction(0), 40 - 40 * tie, Fraction(40)),
    }
    assert house == Prospect(Fraction(-130), -130 + 50 * tie, Fraction(-80))

    scene.deal("Kd")
    assert of(scene) == ({"ann": sure(90), "bob": sure(40)}, sure(-130))


def test_before_any_card_a_bet_is_worth_its_price() -> None:
    scene = dealt("")
    price = outlook(scene.book, Composition.of_decks(8).without(card("Ah")).by_rank, Coup())

    patrons, house = of(scene)
    assert patrons["ann"] == Prospect(Fraction(-100), 100 * price["player"].ev, Fraction(100))
    assert patrons["bob"] == Prospect(Fraction(-200), 200 * price["banker"].ev, Fraction(190))
    assert house.mean == -patrons["ann"].mean - patrons["bob"].mean


def test_a_declined_ante_is_lost_in_every_ending() -> None:
    scene = Scene("rws-knockout").fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "ante_player", 100).close().deal("9h")
    scene.choose("ann", 1, "ante_player", False).deal("2c")

    assert of(scene) == ({"ann": sure(-100)}, sure(100))


def test_a_bet_that_was_apportioned_is_worth_what_it_counts_for() -> None:
    """Of 300 only 200 count; 31 aces of 412 cards would make it a tie."""
    gap = Limit(Kind.DIFFERENTIAL, Scope.BOX, ("player", "banker"), 200, "CB4 5.1")
    scene = Scene(entry=Entry.WARN, limits=(gap,)).fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "player", 300).close().deal("9h 8c Kh")

    patrons, _ = of(scene)
    assert patrons["ann"] == Prospect(Fraction(0), Fraction(200 * 381, 412), Fraction(200))


def test_hands_that_follow_no_rule_have_no_prospects_until_they_are_over() -> None:
    scene = dealt("5h 8c 2d Qs")

    assert prospects(scene.table, Coup.parse("5h 8c 2d / Qs"), scene.book) is None
    over = prospects(scene.table, Coup.parse("8c Qs / 5h 2d"), scene.book)
    assert over == ({"ann": sure(100), "bob": sure(-200)}, sure(100))


def test_a_card_kept_for_the_next_round_is_worth_what_the_odds_say_and_only_the_first() -> None:
    scene = dealt("")
    price = outlook(
        scene.book, Composition.of_decks(8).without(card("Ah")).by_rank, Coup(card("9h"))
    )

    found = edges(scene.table, card("9h 2c"), scene.book)
    assert found == {spot: one.ev for spot, one in price.items()}
    assert edges(scene.table, (), scene.book) == {}
    assert edges(replace(scene.table, shoe=None), card("9h"), scene.book) == {}


@pytest.mark.clause("HOUSE known")
def test_of_a_shoe_with_too_few_cards_any_but_the_kept_ones_may_come() -> None:
    scene = dealt("")
    shoe = scene.table.shoe
    assert shoe is not None
    nearly_all = Counter(shoe.manifest) - Counter(card("7s 8s"))
    found = edges(replace(scene.table, shoe=replace(shoe, seen=nearly_all)), card("6s"), scene.book)

    price = outlook(
        scene.book, Composition.of_decks(8).without(card("6s")).by_rank, Coup(card("6s"))
    )
    assert found == {spot: one.ev for spot, one in price.items()}


def test_cards_that_lie_face_down_are_worth_what_anything_could_be_there() -> None:
    """The coup is over, and nobody has seen a card of it."""
    scene = dealt("9h 8c Kh Kd", face_down=True)

    assert of(scene) == of(dealt("", face_down=True))
    assert of(scene)[0]["ann"].least == Fraction(-100)


def test_where_the_third_cards_lie_is_counted_with_the_card_that_lies_open() -> None:
    """Only a king lies open. The Banker drew and the Player did not: counted here rank by rank."""
    scene = dealt("Kh 4d 7d Kc 7c", face_down=True).report("card face up", exposed=0)
    values = {rank: min(rank, 10) % 10 for rank in range(1, 14)}
    left = dict.fromkeys(values, 32) | {1: 31, 13: 31}

    every = won = 0
    for player, one, two in product((6, 7), values, values):
        if (values[one] + values[two]) % 10 > 5:
            continue
        for third in values:
            ways, gone = 1, Counter[int]()
            for rank in (player, one, two, third):
                ways *= left[rank] - gone[rank]
                gone[rank] += 1
            banker = (values[one] + values[two] + values[third]) % 10
            every += ways
            won += ways * ((player > banker) - (player < banker))
    patrons, _ = of(scene)
    assert patrons["ann"] == Prospect(Fraction(-100), Fraction(100 * won, every), Fraction(100))
