"""The shoe: read by rank or by card, less what has left it, and refused when it cannot be."""

import pytest

from cutcard.odds import Composition, odds
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.cards import Card, Rank, parse_cards
from tests.cases import every


def refusal_of(text: str, decks: int = 8) -> tuple[str, str | None]:
    with pytest.raises(Refusal) as refusal:
        Composition.parse(text).check(decks, "CB4 2.2.1")
    return refusal.value.code, refusal.value.clause


@every("decks", [1, 4, 6, 8])
def test_a_fresh_shoe_holds_every_card_as_often_as_there_are_decks(decks: int) -> None:
    shoe = Composition.of_decks(decks)

    assert set(shoe.ranks.values()) == {4 * decks}
    assert shoe.cards is not None
    assert list(shoe.cards.values()) == [decks] * 52
    assert shoe.values == (16 * decks, *[4 * decks] * 9)
    assert (shoe.total, shoe.decks) == (52 * decks, decks)
    assert shoe.document() == {"decks": decks}


def test_a_shoe_by_rank() -> None:
    shoe = Composition.parse("A=31,2=32,9=7,T=5,J=6,Q=0,K=8")

    assert shoe.ranks[Rank.ACE] == 31
    assert shoe.ranks[Rank.THREE] == 0
    assert shoe.values == (19, 31, 32, 0, 0, 0, 0, 0, 0, 7)
    assert (shoe.total, shoe.cards, shoe.decks) == (89, None, None)
    assert list(shoe.ranks) == list(Rank)


@every("text", ["A=3 10=4", "a=3,t=4", "A=3, T=4", "\tT=4\nA=3,", "A=03,T=004"])
def test_a_shoe_is_read_as_people_write_it(text: str) -> None:
    assert Composition.parse(text).ranks == Composition.parse("A=3,T=4").ranks


def test_a_shoe_by_card_knows_both() -> None:
    shoe = Composition.parse("9h=8,9s=7,10d=2,K♣=1")

    assert shoe.cards == dict(zip(parse_cards("9h 9s Td Kc"), (8, 7, 2, 1), strict=True))
    assert (shoe.ranks[Rank.NINE], shoe.ranks[Rank.TEN], shoe.ranks[Rank.ACE]) == (15, 2, 0)
    assert shoe.document() == {"shoe": {"9h": 8, "9s": 7, "Td": 2, "Kc": 1}}


def test_a_shoe_by_rank_is_written_by_rank() -> None:
    written = Composition.parse("A=3,T=4").document()["shoe"]

    assert isinstance(written, dict)
    assert list(written) == list("A23456789TJQK")
    assert {rank: number for rank, number in written.items() if number} == {"A": 3, "T": 4}


def test_ranks_that_are_not_named_are_not_in_the_shoe() -> None:
    shoe = Composition({Rank("A"): 10, Rank("9"): 10})

    assert shoe == Composition.parse("A=10,9=10")
    assert odds(load("skycity-commission"), shoe).bets["tie"].win > 0


def test_suits_can_be_forgotten() -> None:
    shoe = Composition.of_decks(8)

    assert shoe.by_rank == Composition(shoe.ranks, None, 8)


def test_cards_leave_the_shoe() -> None:
    shoe = Composition.of_decks(8).without(parse_cards("9h 9h Ks"))

    assert shoe.cards is not None
    assert (shoe.cards[Card.parse("9h")], shoe.cards[Card.parse("9s")]) == (6, 8)
    assert (shoe.ranks[Rank.NINE], shoe.ranks[Rank.KING]) == (30, 31)
    assert (shoe.total, shoe.decks) == (413, None), "it is no fresh shoe any more"


def test_cards_leave_a_shoe_of_ranks_whatever_their_suit() -> None:
    shoe = Composition.parse("9=2,A=9").without(parse_cards("9h 9h Ad"))

    assert (shoe.ranks[Rank.NINE], shoe.ranks[Rank.ACE], shoe.cards) == (0, 8, None)


def test_a_rank_leaves_the_shoe_unseen() -> None:
    shoe = Composition.of_decks(8).without_rank(Rank.NINE)

    assert (shoe.ranks[Rank.NINE], shoe.total, shoe.cards, shoe.decks) == (31, 415, None, None)


def test_the_shoe_that_cards_leave_is_not_changed() -> None:
    shoe = Composition.of_decks(8)
    shoe.without(parse_cards("9h"))

    assert shoe == Composition.of_decks(8)


@every(
    ("shoe", "gone", "named"),
    [
        ("9=1,A=9", "9h 9s", "9s"),
        ("9h=1,9s=1,A=9", "9d", "9d"),
        ("9h=1,9s=1", "9h 9h", "9h"),
        ("9=9", "Kd", "Kd"),
    ],
)
def test_what_is_not_there_cannot_leave(shoe: str, gone: str, named: str) -> None:
    # The second shoe is by card, its aces too.
    read = Composition.parse(shoe.replace("A=9", "Ah=9") if "h=" in shoe else shoe)
    with pytest.raises(Refusal) as refusal:
        read.without(parse_cards(gone))

    assert (refusal.value.code, refusal.value.params["card"]) == ("odds/not-in-shoe", named)


@every(
    "text",
    [
        "A=-1",
        "A=1.5",
        "A=many",
        "A=",
        "A",
        "A=1=2",
        "X=5",
        "1=5",
        "=5",
        "A = 5",
        "A=²",
        "A=+5",
        "A=1_0",
    ],
)
def test_what_is_no_shoe_is_refused(text: str) -> None:
    code, _ = refusal_of(text)

    assert code in {"odds/shoe-unreadable", "card/unreadable"}


@every(
    "text", ["A=1,A=2", "9h=1,9h=1", "A=9,a=9", "T=9,10=9", "9h=7,9H=7", "9h=7,9♥=7", "Td=7,10d=7"]
)
def test_a_rank_or_card_named_twice_in_other_letters_is_refused(text: str) -> None:
    """Or the first count would silently be lost."""
    code, _ = refusal_of(text)

    assert code == "odds/named-twice"


def test_a_count_below_zero_is_refused_in_the_library_too() -> None:
    with pytest.raises(Refusal) as caught:
        Composition({**dict.fromkeys(Rank, 8), Rank.ACE: -3})

    assert caught.value == Refusal("odds/shoe-unreadable", {"text": "A=-3"})


def test_ranks_and_cards_are_not_mixed() -> None:
    assert refusal_of("A=31,9h=8")[0] == "card/unreadable"


def test_a_number_too_long_to_be_read_is_refused() -> None:
    """Python itself reads no number of more than 4,300 digits."""
    code, _ = refusal_of("A=" + "9" * 5000)

    assert code in {"odds/shoe-unreadable", "odds/too-many-cards"}


@every(("text", "cards"), [("", 0), ("A=5", 5), ("Ah=2,9s=3", 5), ("A=0,2=0", 0)])
def test_fewer_than_six_cards_are_refused(text: str, cards: int) -> None:
    with pytest.raises(Refusal) as refusal:
        Composition.parse(text).check(8, "CB4 2.2.1")

    assert refusal.value.code == "odds/too-few-cards"
    assert refusal.value.params == {"cards": cards, "least": 6}


@every(
    ("text", "decks", "card", "most"),
    [
        ("A=33", 8, "A", 32),
        ("A=32,K=17", 4, "A", 16),
        ("9h=9", 8, "9h", 8),
        ("9h=8,9s=8,9d=8,9c=8,Kh=5", 4, "9", 16),
        ("9h=5,Ks=4", 4, "9h", 4),
    ],
)
def test_more_cards_than_the_decks_hold_are_refused(
    text: str, decks: int, card: str, most: int
) -> None:
    with pytest.raises(Refusal) as refusal:
        Composition.parse(text).check(decks, "CB4 2.2.1")

    assert (refusal.value.code, refusal.value.clause) == ("odds/too-many-cards", "CB4 2.2.1")
    assert (refusal.value.params["card"], refusal.value.params["most"]) == (card, most)


def test_all_that_the_decks_hold_is_no_card_too_many() -> None:
    Composition.of_decks(8).check(8, "CB4 2.2.1")
    Composition.parse("A=6").check(8, "CB4 2.2.1")
