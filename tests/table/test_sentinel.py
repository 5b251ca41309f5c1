"""The sentinel: which cards follow each other, and how often a shuffled shoe looks unshuffled."""

from fractions import Fraction
from itertools import permutations
from math import factorial, perm

from cutcard.rules.cards import DECK, Card, parse_cards
from cutcard.table.sentinel import RUN, false_alarms, longer
from tests.cases import every


def run_of(cards: str) -> str:
    """The run that the last of these cards ends."""
    run: tuple[Card, ...] = ()
    for card in parse_cards(cards):
        run = longer(run, card)
    return " ".join(map(str, run))


@every(
    ("cards", "run"),
    [
        ("", ""),
        ("5h", "5h"),
        ("5h 6h 7h", "5h 6h 7h"),
        ("Kh Qh Jh Th 9h", "Kh Qh Jh Th 9h"),
        ("5h 6h 5h", "6h 5h"),
        ("5h 6h 7h 6h", "7h 6h"),
        ("5h 6s", "6s"),
        ("5h 7h", "7h"),
        ("5h 5h", "5h"),
        ("Kh Ah", "Ah"),
        ("Ah Kh", "Kh"),
        ("9h 8h 9h Th Jh", "8h 9h Th Jh"),
    ],
)
def test_a_run_is_of_one_suit_in_one_direction_without_a_gap(cards: str, run: str) -> None:
    """A new deck ends with its king and begins with its ace, so the two are no neighbours."""
    assert run_of(cards) == run


def test_of_eight_decks_one_shoe_in_12512_raises_the_alarm_though_it_was_shuffled() -> None:
    alarms = false_alarms(8)

    assert RUN == 5
    assert alarms == Fraction(412 * 72 * 8**5, perm(416, 5))
    assert round(1 / alarms) == 12_512


def test_with_six_in_a_row_it_would_be_one_in_724885() -> None:
    alarms = false_alarms(8, 6)

    assert alarms == Fraction(411 * 64 * 8**6, perm(416, 6))
    assert round(1 / alarms) == 724_885


def alarms_of(order: tuple[Card, ...], length: int) -> int:
    """At how many cards of a shoe dealt in this order a run is long enough."""
    run: tuple[Card, ...] = ()
    found = 0
    for card in order:
        run = longer(run, card)
        found += len(run) >= length
    return found


def expected(ranks: int, suits: int, copies: int, length: int) -> Fraction:
    """What the formula says of a deck made by hand: places, times starts, times copies."""
    cards = ranks * suits * copies
    starts = 2 * suits * (ranks - length + 1)
    return (cards - length + 1) * Fraction(starts * copies**length, perm(cards, length))


@every(
    ("deck", "shape", "length"),
    [
        ("Ah 2h 3h 4h 5h 6h 7h", (7, 1, 1), 3),
        ("Ah 2h 3h 4h As 2s 3s 4s", (4, 2, 1), 3),
        ("Ah 2h 3h 4h Ah 2h 3h 4h", (4, 1, 2), 3),
        ("Ah 2h 3h 4h Ah 2h 3h 4h", (4, 1, 2), 4),
    ],
)
def test_every_order_of_a_small_deck_agrees_with_the_formula(
    deck: str, shape: tuple[int, int, int], length: int
) -> None:
    cards = parse_cards(deck)

    counted = sum(alarms_of(order, length) for order in permutations(cards))

    assert Fraction(counted, factorial(len(cards))) == expected(*shape, length)


@every("decks", range(1, 9))
@every("length", [3, 5, 6, 13])
def test_the_formula_is_the_one_for_whole_decks(decks: int, length: int) -> None:
    assert false_alarms(decks, length) == expected(13, 4, decks, length)


def test_two_neighbours_in_a_whole_deck_counted_one_by_one() -> None:
    pairs = sum(alarms_of(pair, 2) for pair in permutations(DECK, 2))

    assert false_alarms(1, 2) == 51 * Fraction(pairs, perm(52, 2)) == Fraction(24, 13)
