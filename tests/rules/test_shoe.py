"""The shoe: dice, shuffle, burn and cut card."""

from collections import Counter
from hashlib import sha256
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.refusals import Refusal
from cutcard.rules.cards import DECK, Card, Rank, Suit, format_cards, parse_cards
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.shoe import (
    FULL_BURN,
    FULL_COUP,
    DealtCoup,
    SeededDice,
    Shoe,
    burn_count,
    check_copies,
    composition,
    deal_shoe,
    full_shoe,
    shuffled,
)
from tests.cases import every

SEED_7_BELOW_52 = [29, 24, 42, 5, 40, 20, 42, 2, 17, 24, 32, 48]


class Thrown:
    """Dice that fall as they are told, and remember what was asked of them."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = iter(numbers)
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        self.bounds.append(bound)
        return next(self._numbers)


def with_words(monkeypatch: pytest.MonkeyPatch, *words: int) -> SeededDice:
    """Seeded dice whose 64-bit words are these."""
    dice, given_words = SeededDice(0), iter(words)
    monkeypatch.setattr(dice, "_word", lambda: next(given_words))
    return dice


# Dice


def test_seed_7_throws_these_numbers_for_ever() -> None:
    dice = SeededDice(7)

    assert [dice.below(52) for _ in range(12)] == SEED_7_BELOW_52


def test_the_words_are_sha_256_in_counter_mode() -> None:
    """Anyone can check the dice with a hash function and this page."""
    dice = SeededDice("table 4")
    key = sha256(b"cutcard demonstration table 4").digest()

    for counter in range(300):
        block = sha256(key + counter.to_bytes(8, "big")).digest()
        assert dice.below(1 << 64) == int.from_bytes(block[:8], "big")


def test_the_same_seed_throws_the_same_and_another_does_not() -> None:
    first, again, other = SeededDice(1), SeededDice(1), SeededDice(2)
    thrown = [first.below(10**6) for _ in range(20)]

    assert [again.below(10**6) for _ in range(20)] == thrown
    assert [other.below(10**6) for _ in range(20)] != thrown


@pytest.mark.parametrize("bound", [3, 10, 52, 416, (1 << 63) + 1])
def test_a_word_beyond_the_last_whole_multiple_is_thrown_again(
    monkeypatch: pytest.MonkeyPatch, bound: int
) -> None:
    """Both sides of the boundary: the last fair word counts, the next one does not."""
    fair = (1 << 64) // bound * bound

    assert fair < 1 << 64
    assert with_words(monkeypatch, fair - 1).below(bound) == bound - 1
    assert with_words(monkeypatch, fair, 5).below(bound) == 5 % bound
    assert with_words(monkeypatch, (1 << 64) - 1, fair, 0).below(bound) == 0


@pytest.mark.parametrize("bound", [1, 2, 64, 1 << 64])
def test_a_bound_that_divides_the_words_throws_none_again(
    monkeypatch: pytest.MonkeyPatch, bound: int
) -> None:
    assert with_words(monkeypatch, (1 << 64) - 1).below(bound) == bound - 1


@given(st.integers(1, 500), st.integers())
def test_dice_stay_below_their_bound(bound: int, seed: int) -> None:
    dice = SeededDice(seed)

    assert all(0 <= dice.below(bound) < bound for _ in range(5))


# Shuffle


def test_every_order_of_four_cards_comes_from_exactly_one_throw() -> None:
    """4 × 3 × 2 throws and 24 orders: exact uniformity, by looking at all of them."""
    cards = parse_cards("Ac 2d 3h 4s")
    orders = Counter(
        shuffled(cards, Thrown(*throws)) for throws in product(range(4), range(3), range(2))
    )

    assert len(orders) == 24
    assert set(orders.values()) == {1}


def test_the_shuffle_asks_from_the_last_place_to_the_second() -> None:
    """The order of questions belongs to the pinned shoe: 4 cards, then 3, then 2."""
    dice = Thrown(0, 1, 0)

    # 4s and Ac change places, then 3h and 2d, then 4s and 3h.
    assert format_cards(shuffled(parse_cards("Ac 2d 3h 4s"), dice)) == "3h 4s 2d Ac"
    assert dice.bounds == [4, 3, 2]


@pytest.mark.parametrize("cards", ["", "Ac"])
def test_no_card_and_one_card_need_no_dice(cards: str) -> None:
    assert shuffled(parse_cards(cards), Thrown()) == parse_cards(cards)


@given(st.lists(st.sampled_from(DECK), max_size=60), st.integers())
def test_a_shuffle_loses_and_invents_no_card(cards: list[Card], seed: int) -> None:
    before = tuple(cards)
    order = shuffled(cards, SeededDice(seed))

    assert Counter(order) == Counter(cards)
    assert tuple(cards) == before


# Composition


@every("decks", [1, 4, 6, 8])
def test_a_full_shoe_holds_every_card_once_per_deck(decks: int) -> None:
    cards = full_shoe(decks)

    assert len(cards) == 52 * decks
    assert composition(cards) == dict.fromkeys(DECK, decks)
    assert cards[:52] == DECK


def test_eight_decks_hold_a_card_eight_times_and_not_nine() -> None:
    check_copies(parse_cards("9h " * 8 + "Ks"), 8, "ONL B2")

    with pytest.raises(Refusal) as caught:
        check_copies(parse_cards("Ks " + "9h " * 9), 8, "ONL B2")
    params = {"card": "9h", "copies": 9, "decks": 8}
    assert caught.value == Refusal("shoe/too-many-copies", params, "ONL B2")


def test_the_card_that_is_there_most_often_is_named() -> None:
    with pytest.raises(Refusal) as caught:
        check_copies(parse_cards("2c 2c 3d 3d 3d 4h 4h"), 1)

    params = {"card": "3d", "copies": 3, "decks": 1}
    assert caught.value == Refusal("shoe/too-many-copies", params, None)


def test_no_cards_are_never_too_many() -> None:
    check_copies((), 0)


# Burn


@every(
    ("letter", "burned"),
    [*((str(value), value) for value in range(2, 10)), ("A", 1), *((face, 10) for face in "TJQK")],
)
@every("suit", Suit)
def test_the_exposed_card_burns_its_value_and_ten_for_ten_and_court(
    letter: str, burned: int, suit: Suit
) -> None:
    exposed = Card(Rank(letter), suit)
    cards = (exposed, *(card for card in DECK if card != exposed))
    shoe = Shoe(cards, behind_cut=14)

    assert burn_count(exposed) == burned
    assert shoe.exposed == exposed
    assert shoe.burned == cards[1 : 1 + burned]
    assert next(deal_shoe(shoe)).start == 1 + burned


def test_a_burn_takes_at_most_eleven_cards_and_a_coup_six() -> None:
    assert 1 + max(burn_count(card) for card in DECK) == FULL_BURN
    assert FULL_COUP == 6


# Cut card


@every("behind", [6, 7, 39, 40])
def test_the_cut_card_stands_after_any_burn_and_before_a_full_coup(behind: int) -> None:
    """One deck: 6 cards are a coup, 40 leave one card before the cut after the fullest burn."""
    assert Shoe(DECK, behind).cut_position == 52 - behind


@every(
    ("behind", "clause"),
    [
        (-1, "HOUSE short shoe"),
        (0, "HOUSE short shoe"),
        (5, "HOUSE short shoe"),
        (41, "HOUSE cut"),
        (52, "HOUSE cut"),
        (60, "HOUSE cut"),
    ],
)
def test_a_cut_card_anywhere_else_is_refused(behind: int, clause: str) -> None:
    with pytest.raises(Refusal) as caught:
        Shoe(DECK, behind)

    params = {"cut": behind, "least": 6, "most": 40}
    assert caught.value == Refusal("shoe/cut-out-of-range", params, clause)


def test_a_shoe_too_small_for_any_cut_card_says_so() -> None:
    """Seventeen cards: eleven may be burned and six are a coup, so nothing is left between."""
    with pytest.raises(Refusal) as caught:
        Shoe(DECK[:17], 6)

    params = {"cut": 6, "least": 6, "most": 5}
    assert caught.value == Refusal("shoe/cut-out-of-range", params, "HOUSE cut")
    assert Shoe(DECK[:18], 6).cut_position == 12


NATURALS = parse_cards("Ac Kd " + "9h 2s Kd 3c " * 10)
"""An ace burns one card; then ten coups of four cards each, from place 2 on."""


@every(
    ("behind", "last"),
    [
        (28, 4),  # at place 14, before the first card of the fourth coup
        (27, 4),  # before its second card
        (26, 4),
        (25, 4),  # before its last card
        (24, 5),  # at place 18, before the first card of the fifth coup
        (23, 5),
        (29, 3),  # before the last card of the third coup
    ],
)
def test_the_coup_in_which_the_cut_card_comes_out_is_the_last(behind: int, last: int) -> None:
    """Before the first card or the fourth: the coup is finished, and no other follows."""
    coups = list(deal_shoe(Shoe(NATURALS, behind)))

    assert [dealt.number for dealt in coups] == list(range(1, last + 1))
    assert [dealt.start for dealt in coups] == [2 + 4 * n for n in range(last)]
    assert [dealt.cut_card for dealt in coups] == [False] * (last - 1) + [True]
    assert {str(dealt.coup) for dealt in coups} == {"9h Kd / 2s 3c"}


def test_the_earliest_cut_card_makes_the_first_coup_the_last() -> None:
    """A king burns ten; the cut card stands one card later, inside the first coup."""
    cards = parse_cards("Kh" + " 2c" * 10 + " 9h 2s Kd 3c 7d 8d 9d")
    shoe = Shoe(cards, len(cards) - 12)

    assert list(deal_shoe(shoe)) == [
        DealtCoup(number=1, start=11, coup=Coup.parse("9h Kd / 2s 3c"), cut_card=True)
    ]


def test_six_cards_behind_the_cut_are_just_enough() -> None:
    """The cut card comes out before the first of six cards, and all six are needed."""
    cards = parse_cards("Ac Kd " + "9h 2s Kd 3c " * 3 + "2h 3s Kd Kc Kh Ks")
    coups = list(deal_shoe(Shoe(cards, 6)))

    assert [len(dealt.coup.dealt) for dealt in coups] == [4, 4, 4, 6]
    assert coups[-1].start + 6 == len(cards)
    assert coups[-1].cut_card


@given(st.integers(), st.integers(1, 8), st.data())
def test_no_shoe_ever_runs_out(seed: int, decks: int, data: st.DataObject) -> None:
    """Every coup is finished, no card is dealt twice or skipped, only the last saw the cut."""
    behind = data.draw(st.integers(FULL_COUP, 52 * decks - FULL_BURN - 1), "cards behind the cut")
    shoe = Shoe(shuffled(full_shoe(decks), SeededDice(seed)), behind)
    coups = list(deal_shoe(shoe))

    assert all(next_side(dealt.coup) is None for dealt in coups)
    place = 1 + len(shoe.burned)
    for dealt in coups:
        assert dealt.start == place
        place += len(dealt.coup.dealt)
        assert dealt.coup.dealt == shoe.cards[dealt.start : place]
        assert dealt.cut_card is (dealt is coups[-1])
    assert coups[-1].start <= shoe.cut_position < place
