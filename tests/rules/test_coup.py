"""The coup: notation, dealing order, winner, and cards that do not belong."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.refusals import Refusal
from cutcard.rules.cards import DECK, Card, parse_cards
from cutcard.rules.coup import Coup, Side, Winner, check_dealt, next_side
from tests.cases import every

CARDS = st.sampled_from(DECK)
SIX_CARDS = st.lists(CARDS, min_size=6, max_size=6)
LETTERS = "KA23456789"


def in_words(player: list[int], banker: list[int]) -> Side | None:
    """The dealing procedure told a second time, on card values: who has the next card."""
    if len(player) < 2 or len(banker) < 2:
        return Side.PLAYER if len(player) == len(banker) else Side.BANKER
    p, b = sum(player[:2]) % 10, sum(banker[:2]) % 10
    if p >= 8 or b >= 8 or len(banker) == 3:
        return None
    if len(player) == 2:
        if p <= 5:
            return Side.PLAYER
        return Side.BANKER if b <= 5 else None
    third = player[2]
    draws = (
        b <= 2
        or (b == 3 and third != 8)
        or (b == 4 and 2 <= third <= 7)
        or (b == 5 and 4 <= third <= 7)
        or (b == 6 and 6 <= third <= 7)
    )
    return Side.BANKER if draws else None


def every_deal() -> Iterator[tuple[Card, ...]]:
    """Six cards in dealing order for every pair of two-card points and both third cards."""
    cards = parse_cards(" ".join(f"{letter}h" for letter in LETTERS))
    ten = parse_cards("Qs")
    for first, second, third, fourth in product(cards, repeat=4):
        yield (*ten, *ten, first, second, third, fourth)


def test_every_prefix_of_every_deal_is_dealt_by_the_words_of_the_rule() -> None:
    """10,000 deals, each asked again before every card and once more at its end."""
    lengths = {4: 0, 5: 0, 6: 0}
    for deal in every_deal():
        coup, player, banker = Coup(), list[int](), list[int]()
        supply = iter(deal)
        while (side := next_side(coup)) is not None:
            assert side is in_words(player, banker), str(coup)
            card = next(supply)
            (player if side is Side.PLAYER else banker).append(card.points)
            coup = coup.with_card(side, card)
        assert in_words(player, banker) is None, str(coup)
        assert coup == Coup.deal(deal)
        assert coup.dealt == deal[: len(coup.dealt)]
        lengths[len(coup.dealt)] += 1

    # By hand, of a hundred starts: 36 hold a natural and in 4 both sides stand on 6 or 7. In 12
    # only Player stands. In 48 Player draws, and Banker stands on 29 of the 80 cells: none in
    # the rows 0 to 2, then 1, 4, 6, 8 and 10.
    assert lengths == {4: 40 * 100, 5: 12 * 100 + 6 * 29 * 10, 6: 6 * 51 * 10}


@given(SIX_CARDS)
def test_any_six_cards_are_dealt_by_the_words_of_the_rule(cards: list[Card]) -> None:
    coup = Coup.deal(cards)

    for laid in range(len(coup.dealt) + 1):
        prefix = Coup.deal(cards[:laid])
        player = [card.points for card in prefix.player]
        banker = [card.points for card in prefix.banker]
        assert len(prefix.dealt) == laid
        assert next_side(prefix) is in_words(player, banker)


def test_the_first_four_cards_alternate() -> None:
    coup = Coup.deal(parse_cards("2h 3s 4d 4c"))

    assert str(coup) == "2h 4d / 3s 4c"


def test_dealing_leaves_the_rest_in_the_iterator() -> None:
    """A natural takes four cards; the fifth is still there for the next coup."""
    supply = iter(parse_cards("9h 2s Kd 3c 7d 8d"))
    coup = Coup.deal(supply)

    assert str(coup) == "9h Kd / 2s 3c"
    assert list(supply) == list(parse_cards("7d 8d"))


def test_dealing_too_few_cards_leaves_the_coup_unfinished() -> None:
    coup = Coup.deal(parse_cards("2h 3s 3d"))

    assert str(coup) == "2h 3d / 3s"
    assert next_side(coup) is Side.BANKER
    assert Coup.deal(()) == Coup()


@every(
    ("text", "player", "banker", "winner"),
    [
        ("Ah 3s 5d / Jc 2h Ad", 9, 3, Winner.PLAYER),  # ONL: P(A,3,5) = 9 wins B(J,2,A) = 3
        ("Ah 2s 5d / Jc 2h Ad", 8, 3, Winner.PLAYER),  # ONL, Cow Cow, example 1
        ("2h 3s 9c / 5d Kc", 4, 5, Winner.BANKER),
        ("9h Ks / 8d Kc", 9, 8, Winner.PLAYER),
        ("8h Ks / 9d Kc", 8, 9, Winner.BANKER),
        ("7h 9s / Td 6c", 6, 6, Winner.TIE),
        ("Kh Qs Jd / Tc Jh Ks", 0, 0, Winner.TIE),
    ],
)
def test_the_side_with_more_points_wins(
    text: str, player: int, banker: int, winner: Winner
) -> None:
    coup = Coup.parse(text)

    assert (coup.player_points, coup.banker_points, coup.winner) == (player, banker, winner)
    check_dealt(coup)


@given(SIX_CARDS)
def test_a_coup_reads_back_as_it_is_written(cards: list[Card]) -> None:
    for laid in range(7):
        coup = Coup.deal(cards[:laid])
        assert Coup.parse(str(coup)) == coup


def test_a_coup_is_written_player_first() -> None:
    assert str(Coup(parse_cards("2h 3s 9c"), parse_cards("5d Kc"))) == "2h 3s 9c / 5d Kc"
    assert str(Coup()) == "/"
    assert str(Coup(parse_cards("2h"))) == "2h /"
    assert Coup.parse("10h,Ks/9d  8c") == Coup(parse_cards("Th Ks"), parse_cards("9d 8c"))


@every("text", ["", "2h 3s 5d Kc", "2h 3s / 5d Kc / 9c"])
def test_a_coup_needs_two_hands(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        Coup.parse(text)

    assert caught.value == Refusal("coup/unreadable", {"text": text})


def test_a_coup_with_a_word_that_is_no_card_says_which() -> None:
    with pytest.raises(Refusal) as caught:
        Coup.parse("2h 3s / 5d 11c")

    assert caught.value == Refusal("card/unreadable", {"text": "11c"})


def test_a_card_is_laid_to_its_side_and_nowhere_else() -> None:
    coup = Coup.parse("2h / 5d")

    assert coup.with_card(Side.PLAYER, Card.parse("Kc")) == Coup.parse("2h Kc / 5d")
    assert coup.with_card(Side.BANKER, Card.parse("Kc")) == Coup.parse("2h / 5d Kc")
    assert coup == Coup.parse("2h / 5d")


@every(
    ("text", "order"),
    [
        ("2h 3s 9c / 5d Kc", "2h 5d 3s Kc 9c"),
        ("6h Ks / 2d 3c 9s", "6h 2d Ks 3c 9s"),
        ("2h 2s 6c / 3d Kc 9h", "2h 3d 2s Kc 6c 9h"),
        ("9h Ks / 8d Kc", "9h 8d Ks Kc"),
        ("9h /", "9h"),
    ],
)
def test_cards_are_listed_in_dealing_order(text: str, order: str) -> None:
    assert Coup.parse(text).dealt == parse_cards(order)


@every(
    "text", ["2h 2s 6c / 3d Kc 9h", "6h Ks / 2d 3c 9s", "2h 3h 4h /", "/ 2h 3h", "2h 3h 4h / 5h"]
)
def test_each_side_knows_its_places_in_the_dealing_order(text: str) -> None:
    """Also where hands stay as they were misdealt."""
    coup = Coup.parse(text)

    for side, hand in ((Side.PLAYER, coup.player), (Side.BANKER, coup.banker)):
        places = [coup.place(side, number) for number in range(len(hand))]
        assert [coup.dealt[place] for place in places] == [*hand]


@every(
    ("text", "side"),
    [
        ("/", "player"),
        ("2h /", "banker"),
        ("2h / 5d", "player"),
        ("2h 3s / 5d", "banker"),
        ("2h 3s / 5d Kc", "player"),
        ("6h Ks / 5d Kc", "banker"),
        ("2h 3s 7c / 6d Kc", "banker"),
        ("2h / 5d Kc 3s", "player"),
    ],
)
def test_an_unfinished_coup_says_who_must_have_another_card(text: str, side: str) -> None:
    with pytest.raises(Refusal) as caught:
        check_dealt(Coup.parse(text), "CB4 3.12")

    assert caught.value == Refusal("coup/card-missing", {"coup": text, "side": side}, "CB4 3.12")


@every(
    ("text", "side", "card"),
    [
        ("9h Ks 2c / 5d Kc", "player", "2c"),
        ("2h 3s / 9d Kc 2c", "banker", "2c"),
        ("6h Ks 4c / 7d Kc", "player", "4c"),
        ("2h 3s 8c / 3d Kc 4s", "banker", "4s"),
        ("2h 3s 8c 9c / 3d Kc", "player", "9c"),
        ("2h 3s 7c / 3d Kc 2s 4s", "banker", "4s"),
        ("9h Ks 2c / 8d Kc 3c", "player", "2c"),
    ],
)
def test_a_card_that_nobody_asked_for_is_named(text: str, side: str, card: str) -> None:
    with pytest.raises(Refusal) as caught:
        check_dealt(Coup.parse(text), "CB4 3.12")

    params = {"coup": text, "side": side, "card": card}
    assert caught.value == Refusal("coup/card-too-many", params, "CB4 3.12")


def test_without_a_book_no_clause_is_cited() -> None:
    for text in ("2h / 5d", "9h Ks 2c / 5d Kc"):
        with pytest.raises(Refusal) as caught:
            check_dealt(Coup.parse(text))
        assert caught.value.clause is None


@given(SIX_CARDS, CARDS)
def test_a_lawful_coup_passes_and_neither_one_card_less_nor_one_more(
    cards: list[Card], extra: Card
) -> None:
    coup = Coup.deal(cards)
    check_dealt(coup)

    with pytest.raises(Refusal, match="not finished"):
        check_dealt(Coup.deal(cards[: len(coup.dealt) - 1]))
    for side in Side:
        with pytest.raises(Refusal, match="a card too many"):
            check_dealt(coup.with_card(side, extra))


@given(SIX_CARDS)
def test_an_unfinished_coup_may_be_lawful_so_far(cards: list[Card]) -> None:
    coup = Coup.deal(cards)

    for laid in range(len(coup.dealt) + 1):
        check_dealt(Coup.deal(cards[:laid]), finished=False)


@every(
    ("text", "side", "card"),
    [
        ("/ 5d", "banker", "5d"),
        ("2h 3s /", "player", "3s"),
        ("2h / 5d Kc", "banker", "Kc"),
        ("2h 3s / 5d Kc 4s", "banker", "4s"),
        ("9h Ks 2c / 5d Kc", "player", "2c"),
    ],
)
def test_an_unfinished_coup_holds_no_card_before_its_turn(text: str, side: str, card: str) -> None:
    with pytest.raises(Refusal) as caught:
        check_dealt(Coup.parse(text), "CB4 3.12", finished=False)

    params = {"coup": text, "side": side, "card": card}
    assert caught.value == Refusal("coup/card-too-many", params, "CB4 3.12")


@given(SIX_CARDS)
def test_where_both_sides_stand_the_hands_may_change_places(cards: list[Card]) -> None:
    """The tableau favours neither side until somebody draws."""
    coup = Coup.deal(cards)
    mirrored = Coup(coup.banker, coup.player)
    other = {Winner.PLAYER: Winner.BANKER, Winner.BANKER: Winner.PLAYER, Winner.TIE: Winner.TIE}

    assert mirrored.winner is other[coup.winner]
    if len(coup.dealt) == 4:
        check_dealt(mirrored)
