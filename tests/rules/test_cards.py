"""Cards: their values, their one-line notation, their order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.refusals import Refusal
from cutcard.rules.cards import DECK, Card, Rank, Suit, format_cards, parse_cards, points
from tests.cases import every

CARDS = st.sampled_from(DECK)


@every(
    ("letter", "value"),
    [
        ("A", 1),
        ("2", 2),
        ("3", 3),
        ("4", 4),
        ("5", 5),
        ("6", 6),
        ("7", 7),
        ("8", 8),
        ("9", 9),
        ("T", 0),
        ("J", 0),
        ("Q", 0),
        ("K", 0),
    ],
)
@every("suit", Suit)
def test_what_each_card_counts_in_every_suit(letter: str, value: int, suit: Suit) -> None:
    assert Rank(letter).points == value
    assert Card(Rank(letter), suit).points == value


def test_a_new_deck_runs_suit_by_suit_from_ace_to_king() -> None:
    assert format_cards(DECK) == (
        "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc "
        "Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd "
        "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh "
        "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"
    )


@every(
    "text", ["9h", "9H", "9♥", " 9h ", "9h\n"], ids=["short", "capital", "symbol", "blanks", "line"]
)
def test_nine_of_hearts_may_be_written_in_many_ways(text: str) -> None:
    assert Card.parse(text) == Card(Rank.NINE, Suit.HEARTS)


@every("text", ["Td", "td", "TD", "10d", "10D", "T♦", "10♦"])
def test_ten_of_diamonds_has_a_letter_and_a_number(text: str) -> None:
    assert Card.parse(text) == Card(Rank.TEN, Suit.DIAMONDS)


@every(
    "text",
    ["", " ", "9", "h", "1h", "0d", "11h", "9x", "9hh", "9 h", "hh", "Th Kd", "10", "1d", "Xh"],
)
def test_anything_else_is_no_card_and_is_quoted_as_written(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        Card.parse(text)

    assert caught.value == Refusal("card/unreadable", {"text": text})


def test_each_suit_has_its_symbol() -> None:
    assert [suit.symbol for suit in Suit] == ["♣", "♦", "♥", "♠"]


@given(CARDS)
def test_every_card_reads_back_as_it_is_written(card: Card) -> None:
    symbol = f"{card.rank.value}{card.suit.symbol}"

    assert Card.parse(str(card)) == card
    assert Card.parse(str(card).upper()) == card
    assert Card.parse(symbol) == card
    assert repr(card) == f"Card('{card}')"


def test_ranks_stand_from_ace_to_king() -> None:
    """The order is the deck's, not the alphabet's, and ten stands before jack."""
    assert "".join(rank.value for rank in sorted(Rank, reverse=True)) == "KQJT98765432A"
    assert Rank.ACE < Rank.TWO <= Rank.TWO
    assert Rank.KING > Rank.QUEEN >= Rank.QUEEN
    assert not Rank.TEN < Rank.TEN


def test_suits_stand_in_the_order_of_the_alphabet() -> None:
    shuffled = [Suit.HEARTS, Suit.SPADES, Suit.CLUBS, Suit.DIAMONDS]

    assert sorted(shuffled) == [Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES]
    assert Suit.SPADES > Suit.HEARTS >= Suit.HEARTS
    assert not Suit.CLUBS < Suit.CLUBS


def test_cards_sort_by_rank_and_then_by_suit() -> None:
    assert sorted(parse_cards("Ks 2d Ac 2c Td")) == list(parse_cards("Ac 2c 2d Td Ks"))


def test_equal_cards_of_two_decks_are_one_card() -> None:
    assert {Card.parse("Ks"), Card.parse("K♠")} == {Card(Rank.KING, Suit.SPADES)}
    assert len(set(DECK * 8)) == 52


def test_cards_are_separated_by_blanks_or_commas() -> None:
    assert parse_cards("9h Ks, 10d,2c") == tuple(map(Card.parse, ("9h", "Ks", "Td", "2c")))
    assert parse_cards("") == ()
    assert format_cards(parse_cards("9h Ks, 10d,2c")) == "9h Ks Td 2c"
    assert format_cards(()) == ""


@every(
    ("hand", "total"),
    [
        ("8c 7d", 5),  # ONL: 8 and 7 are 15, the score is 5
        ("9c 6d", 5),  # SKY: 9 + 6 = 15, which in Baccarat is 5
        ("Jc Qd Kh", 0),  # three pictures
        ("Ac 3d 5h", 9),
        ("Jc 2d Ah", 3),
        ("Tc Td", 0),
        ("5c 5d", 0),
        ("9c 9d 9h", 7),
        ("", 0),
    ],
)
def test_points_are_the_last_digit_of_the_total(hand: str, total: int) -> None:
    assert points(parse_cards(hand)) == total


@given(st.lists(CARDS, max_size=3), CARDS)
def test_each_card_turns_the_points_on_by_its_value(hand: list[Card], card: Card) -> None:
    assert points([*hand, card]) == points([card, *hand]) == (points(hand) + card.points) % 10
