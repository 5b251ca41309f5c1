"""The evidence: exact moments by counting, sound shuffles pass, faulty ones are found."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, groupby, pairwise, permutations
from math import sqrt

import pytest

from cutcard.fairness import Source
from cutcard.fairness.drbg import HmacDrbg
from cutcard.fairness.evidence import (
    LAGS,
    LEVEL,
    Results,
    alike,
    examine,
    house_shoes,
    least,
    match_moments,
    patrons_shoes,
    product_moments,
    runs_moments,
)
from cutcard.fairness.gamma import chi_square_p, normal_p, poisson_p
from cutcard.rules.cards import DECK, Card
from cutcard.rules.shoe import SeededDice, full_shoe, shuffled
from tests.cases import every

DECKS, SHOES = 8, 60
NAMES = (
    "position and card",
    *(f"serial, {lag} apart" for lag in LAGS),
    "runs of colour",
    "matches, shoe before",
    "same first 2 cards",
)


def source(seed: int) -> Source:
    return Source(HmacDrbg(seed.to_bytes(32, "big"), b"", b"tests of the evidence").generate)


def failed(results: Results) -> set[str]:
    return {result.name for result in results if result.p < least(len(results))}


def moments(figures: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Mean and variance by counting."""
    mean = Fraction(sum(figures), len(figures))
    return mean, Fraction(sum(one * one for one in figures), len(figures)) - mean**2


# --- exact moments


@every("values", [(0, 1, 2, 5, 9), (3, 3, 0, 0, 7), (1, 2, 2, 4, 4, 9)])
@every("lag", [1, 2])
def test_the_moments_of_products_over_all_orders(values: tuple[int, ...], lag: int) -> None:
    figures = [
        sum(order[place] * order[place - lag] for place in range(len(order)))
        for order in permutations(values)
    ]

    assert product_moments(values) == moments(figures)


@every(("kinds", "decks"), [(4, 1), (2, 3), (3, 2)])
def test_the_moments_of_matches_over_all_orders(kinds: int, decks: int) -> None:
    new = tuple(range(kinds)) * decks
    figures = [
        sum(one == other for one, other in zip(order, new, strict=True))
        for order in permutations(new)
    ]

    assert match_moments(decks, kinds) == moments(figures)


@every(("kinds", "decks"), [(4, 1), (2, 3), (3, 2)])
@every("size", [1, 2, 3])
def test_the_chance_of_a_like_opening_over_all_pairs_of_orders(
    kinds: int, decks: int, size: int
) -> None:
    orders = list(permutations(tuple(range(kinds)) * decks))
    counted = Counter(order[:size] for order in orders)
    pairs = sum(times * times for times in counted.values())

    assert alike(decks, size, kinds) == Fraction(pairs, len(orders) ** 2)


@every(("red", "black"), [(2, 2), (3, 4), (1, 5)])
def test_the_moments_of_runs_over_all_orders(red: int, black: int) -> None:
    figures = [
        1 + sum(one != other for one, other in pairwise(order))
        for order in permutations("r" * red + "b" * black)
    ]

    assert runs_moments(red, black) == moments(figures)


# --- the figures, by their definitions


def test_every_figure_is_what_its_name_says() -> None:
    """Three shoes of one deck, counted a second time and in the plainest way."""
    shoes = [shuffled(full_shoe(1), SeededDice(seed)) for seed in (1, 2)]
    shoes.append((*shoes[1][:2], *sorted(shoes[1][2:])))
    found = {result.name: result for result in examine(shoes, 1)}

    even = Fraction(3, 52)
    table = Counter((place, card) for shoe in shoes for place, card in enumerate(shoe))
    square = sum((table[place, card] - even) ** 2 / even for place in range(52) for card in DECK)
    position = found["position and card"]
    assert position.figure == pytest.approx(float(square * 51 / 52))
    p = chi_square_p(position.figure, 51 * 51)
    assert position.p == pytest.approx(2 * min(p, 1 - p))

    def deviations(figures: list[int], mean: Fraction, variance: Fraction) -> float:
        return float(sum(figures) - len(figures) * mean) / sqrt(len(figures) * variance)

    for lag in LAGS:
        products = [
            sum(shoe[place].points * shoe[place - lag].points for place in range(52))
            for shoe in shoes
        ]
        serial = found[f"serial, {lag} apart"]
        assert serial.figure == pytest.approx(
            deviations(products, *product_moments([card.points for card in DECK]))
        )
        assert serial.p == normal_p(serial.figure)

    runs = [len(list(groupby(card.suit.value in "dh" for card in shoe))) for shoe in shoes]
    assert found["runs of colour"].figure == pytest.approx(deviations(runs, *runs_moments(26, 26)))

    matches = [
        sum(one == other for one, other in zip(*pair, strict=True)) for pair in pairwise(shoes)
    ]
    assert found["matches, shoe before"].figure == pytest.approx(
        deviations(matches, *match_moments(1))
    )

    same = found["same first 1 cards"]
    assert same.figure == sum(one[0] == other[0] for one, other in combinations(shoes, 2)) == 1
    assert same.p == pytest.approx(poisson_p(1, 3 / 52))


@every(("shoes", "size"), [(46, 1), (47, 2), (326, 2), (327, 3)])
def test_openings_are_so_long_that_twenty_at_most_are_expected_alike(shoes: int, size: int) -> None:
    """46 shoes make 1,035 pairs, and one in 52 begins with the same card: 19.9."""
    results = examine([full_shoe(1)] * shoes, 1)

    assert results[-1].name == f"same first {size} cards"
    assert results[-1].figure == shoes * (shoes - 1) // 2
    before, here = (shoes * (shoes - 1) * alike(1, one) / 2 for one in (size - 1, size))
    assert here <= 20 < before


# --- sound shuffles


@pytest.mark.parametrize("shoes", [house_shoes, patrons_shoes])
def test_a_sound_shuffle_passes(
    shoes: Callable[[Source, int, int], Iterator[tuple[Card, ...]]],
) -> None:
    results = examine(shoes(source(5), DECKS, SHOES), DECKS)

    assert tuple(result.name for result in results) == NAMES
    assert failed(results) == set()


def test_the_two_orders_are_whole_shoes_and_differ_every_time() -> None:
    for shoes in (house_shoes, patrons_shoes):
        dealt = list(shoes(source(6), 1, 20))
        assert len(set(dealt)) == 20
        assert {tuple(sorted(shoe)) for shoe in dealt} == {tuple(sorted(full_shoe(1)))}


def test_the_level_is_shared_by_all_tests() -> None:
    assert LEVEL == 0.01
    assert least(20) == 0.0005


def test_one_shoe_proves_nothing_and_fails_nothing() -> None:
    results = examine(house_shoes(source(7), DECKS, 1), DECKS)

    assert failed(results) == set()
    assert results[-2].p == 1


# --- faulty shuffles: every test can fail


def faulty(shuffle: Callable[[SeededDice], Sequence[Card]]) -> set[str]:
    dice = SeededDice("faulty")
    return failed(examine((shuffle(dice) for _ in range(SHOES)), DECKS))


def cut(dice: SeededDice) -> tuple[Card, ...]:
    """New decks that are only cut."""
    place = dice.below(416)
    return full_shoe(DECKS)[place:] + full_shoe(DECKS)[:place]


def half(dice: SeededDice) -> tuple[Card, ...]:
    """A shuffle that forgets the second half."""
    new = full_shoe(DECKS)
    return (*shuffled(new[:208], dice), *new[208:])


def riffled(dice: SeededDice) -> tuple[Card, ...]:
    """Three riffles of a sound shoe that was sorted by colour."""
    cards = sorted(full_shoe(DECKS), key=lambda card: card.suit.value in "dh")
    for _ in range(3):
        left, right = cards[:208], cards[208:]
        cards = []
        while left or right:
            pile = left if dice.below(len(left) + len(right)) < len(left) else right
            cards.append(pile.pop(0))
    return tuple(cards)


def few_orders(dice: SeededDice) -> tuple[Card, ...]:
    """A generator with a seed of four bits."""
    return shuffled(full_shoe(DECKS), SeededDice(dice.below(16)))


@every(
    ("shuffle", "found"),
    [
        (cut, {"serial, 1 apart", "runs of colour"}),
        (half, {"position and card", "matches, shoe before"}),
        (riffled, {"position and card"}),
        (few_orders, {"position and card", "same first 2 cards", "matches, shoe before"}),
    ],
)
def test_a_faulty_shuffle_is_found(
    shuffle: Callable[[SeededDice], Sequence[Card]], found: set[str]
) -> None:
    assert found <= faulty(shuffle)


def test_a_table_that_is_too_even_is_found() -> None:
    """Every card at every place exactly once: no sound shuffle does that."""
    new = full_shoe(1)
    turned = [new[place:] + new[:place] for place in range(52)]

    assert "position and card" in failed(examine(turned, 1))


def test_a_known_order_passes_so_these_tests_prove_no_secrecy() -> None:
    """Demonstration dice, whose seed anybody may know, look perfectly even."""
    assert faulty(lambda dice: shuffled(full_shoe(DECKS), dice)) == set()
