"""Counting: the fast count is the enumeration, to the last order."""

from collections import Counter
from fractions import Fraction
from math import perm

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cutcard.odds import Composition
from cutcard.odds.kinds import count_by_first_card, count_kinds
from cutcard.odds.pricing import Cases, decimal
from cutcard.rules.cards import Card, Rank, parse_cards
from cutcard.rules.facts import kinds
from tests.cases import every
from tests.odds.naive import count_every_order, count_kinds_naively, without_suits

EIGHT_DECKS = Composition.of_decks(8)

TINY_SHOES = [
    "9h 8s 7d 6c 5h 4s",
    "4h 4h 4h 4h 4h 4h",
    "4h 4h 4h 4h 9d 9d Kc",
    "4h 4h 4s 4s 9d 9d Kc Kc",
    "4h 4h 4s 4d 4c Kc Kc",
    "Th Jh Qh Kh Tc Kh Kh",
    "Ah Ah 2s 2s 3d 3d 4c 4c",
    "Kh Kh Ks Ks Kd Jd 2c 2c",
    "2h 2h 3s 5s 6d 6d 7c Kc",
    "Ah 3h 5s 6s 8d Tc Kc Kc",
    "Qh Qh Qh Js Js 3c 3c 3d 5s",
]
"""Six to nine cards, with twins, two suited pairs of one rank, and four equal cards."""


def by_card(text: str) -> Composition:
    return Composition.of_cards(Counter(parse_cards(text)))


# Against the enumeration over ranks


def test_the_full_eight_deck_shoe() -> None:
    assert count_kinds(EIGHT_DECKS.by_rank) == count_kinds_naively(EIGHT_DECKS.ranks)


def test_four_decks_less_some_cards() -> None:
    gone = parse_cards("9h 9s 8d 8c Ah Ah Ah 4s 4d 4c Kh Ks Qd Tc 6h 6s 2d 3c 7h 5s 5s")
    shoe = Composition.of_decks(4).without(gone)

    assert count_kinds(shoe.by_rank) == count_kinds_naively(shoe.ranks)


@st.composite
def few_ranks(draw: st.DrawFn) -> Composition:
    """Three to six ranks, each a few times or often."""
    present = draw(st.lists(st.sampled_from(list(Rank)), min_size=3, max_size=6, unique=True))
    held = {rank: draw(st.integers(0, 5) | st.integers(0, 32)) for rank in present}
    assume(sum(held.values()) >= 6)
    return Composition({rank: held.get(rank, 0) for rank in Rank})


@settings(max_examples=50)
@given(few_ranks())
def test_any_few_ranks(shoe: Composition) -> None:
    counts = count_kinds(shoe)

    assert counts == count_kinds_naively(shoe.ranks)
    assert sum(counts.values()) == perm(shoe.total, 6)


@every("rank", list(Rank), ids=lambda rank: rank.value)
def test_a_shoe_of_one_rank(rank: Rank) -> None:
    shoe = Composition({one: 32 * (one is rank) for one in Rank})
    counts = count_kinds(shoe)

    assert counts == count_kinds_naively(shoe.ranks)
    assert all(player.pair and banker.pair for player, banker in counts)
    assert sum(counts.values()) == perm(32, 6)


# Against every order of a few cards


@every("text", TINY_SHOES)
def test_a_tiny_shoe_card_by_card(text: str) -> None:
    dealt = count_every_order(parse_cards(text))

    assert count_kinds(by_card(text)) == dealt
    assert count_kinds(by_card(text).by_rank) == without_suits(dealt)


@settings(max_examples=15)
@given(st.lists(st.sampled_from(parse_cards("4h 4s 9d 9c Kc Tc Ah")), min_size=6, max_size=7))
def test_any_tiny_shoe_card_by_card(cards: list[Card]) -> None:
    assert count_kinds(Composition.of_cards(Counter(cards))) == count_every_order(cards)


def test_four_equal_cards_are_two_suited_pairs() -> None:
    counts = count_kinds(by_card("4h 4h 4h 4h 4h 4h"))
    ((player, banker),) = counts

    assert (player.suited_pair, banker.suited_pair) == (True, True)
    assert sum(counts.values()) == 720


# Laws


@every("decks", [1, 4, 5, 6, 7, 8])
def test_every_order_is_counted_once(decks: int) -> None:
    shoe = Composition.of_decks(decks)

    assert sum(count_kinds(shoe).values()) == perm(52 * decks, 6)
    assert sum(count_kinds(shoe.by_rank).values()) == perm(52 * decks, 6)


def test_suits_only_part_the_pairs() -> None:
    assert without_suits(count_kinds(EIGHT_DECKS)) == count_kinds(EIGHT_DECKS.by_rank)


def test_a_fresh_shoe_can_give_every_kind_and_no_other() -> None:
    counts = count_kinds(EIGHT_DECKS)

    assert counts.keys() == kinds()
    assert len(counts) == 1417
    assert all(orders > 0 for orders in counts.values())


@pytest.mark.parametrize("shoe", [EIGHT_DECKS, by_card(TINY_SHOES[8])], ids=["8 decks", "tiny"])
def test_counts_by_first_card_add_up(shoe: Composition) -> None:
    plain: Counter[object] = Counter()
    for (player, banker), orders in count_kinds(shoe.by_rank).items():
        plain[player._replace(pair=False), banker._replace(pair=False)] += orders
    added: Counter[object] = Counter()
    for counts in count_by_first_card(shoe).values():
        added.update(counts)

    assert +added == +plain


@pytest.mark.parametrize("shoe", [EIGHT_DECKS, by_card(TINY_SHOES[8])], ids=["8 decks", "tiny"])
def test_a_first_card_comes_as_often_as_the_shoe_holds_it(shoe: Composition) -> None:
    found = count_by_first_card(shoe)

    assert list(found) == list(range(10))
    for value, counts in found.items():
        assert sum(counts.values()) == shoe.values[value] * perm(shoe.total - 1, 5)


# The golden counts of the eight-deck shoe


def test_golden_counts() -> None:
    cases = Cases(count_kinds(EIGHT_DECKS.by_rank))

    assert sum(cases.counts.values()) == 4_998_398_275_503_360
    assert cases.of(("winner",)) == {
        ("banker",): 2_292_252_566_437_888,
        ("player",): 2_230_518_282_592_256,
        ("tie",): 475_627_426_473_216,
    }


def test_golden_numbers_of_cards() -> None:
    cases = Cases(count_kinds(EIGHT_DECKS.by_rank))
    orders = perm(416, 6)
    share = {number: Fraction(cases.of(("cards",))[number,], orders) for number in (4, 5, 6)}

    assert [decimal(one, 6) for one in share.values()] == ["0.378868", "0.303444", "0.317687"]
    assert decimal(sum((n * one for n, one in share.items()), Fraction(0)), 4) == "4.9388"


def test_both_sides_have_a_natural_in_so_many_rounds() -> None:
    cases = Cases(count_kinds(EIGHT_DECKS.by_rank))
    both = cases.of(("banker_natural", "player_natural"))[True, True]

    assert decimal(Fraction(both, perm(416, 6)) * 100, 3) == "3.582"


def test_a_two_card_banker_six_wins_only_over_a_player_who_drew() -> None:
    """So the literal reading of Lucky Six, nobody drawing, would never pay its 12 to 1."""
    cases = Cases(count_kinds(EIGHT_DECKS.by_rank))
    facts = ("winner", "banker_points", "cards")

    assert ("banker", 6, 4) not in cases.of(facts)
    assert ("banker", 6, 5) in cases.of(facts)
