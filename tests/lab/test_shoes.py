"""Shoes that were dealt card by card are what the rules deal from the same cards."""

from collections import Counter

import numpy as np

from cutcard.lab.shoes import deal_shoes
from cutcard.lab.simulation import kind_of_cell
from cutcard.lab.ways import kinds
from cutcard.rules.cards import DECK
from cutcard.rules.facts import Hand
from cutcard.rules.shoe import Shoe, composition, deal_shoe, full_shoe
from tests.cases import every
from tests.lab.slow import WORD, Generator, mixed

KEY = 0x13198A2E03707344


@every(("decks", "cut"), [(8, 14), (4, 52), (1, 6)])
def test_the_rules_deal_the_same_rounds_from_the_same_cards(decks: int, cut: int) -> None:
    dealt = deal_shoes(KEY, 0, 20, decks, cut, cut)

    for shoe in range(20):
        order = tuple(DECK[card] for card in dealt.cards[shoe])
        assert composition(order) == composition(full_shoe(decks))
        coups = list(deal_shoe(Shoe(order, cut)))
        assert len(coups) == dealt.rounds[shoe]
        for number, coup in enumerate(coups):
            assert coup.start == dealt.starts[shoe, number]
            kind = kinds()[kind_of_cell()[int(dealt.cells[shoe, number])]]
            assert kind == (Hand.of(coup.coup.player), Hand.of(coup.coup.banker))


def test_a_fixed_number_of_rounds() -> None:
    dealt = deal_shoes(KEY, 0, 5, 8, 14, 14, 60)

    assert dealt.rounds.tolist() == [60] * 5


def test_the_cut_card_stands_anywhere_between() -> None:
    """The round in which it comes out is the last: what is left tells about where it stood."""
    dealt = deal_shoes(KEY, 0, 2_000, 8, 14, 52)
    left = [416 - int(row[rounds]) for row, rounds in zip(dealt.starts, dealt.rounds, strict=True)]

    # At least one card came out behind the cut card, at most six.
    assert (min(left), max(left)) == (8, 51)


def test_a_shoe_is_the_same_whoever_deals_it() -> None:
    several, alone = deal_shoes(KEY, 3, 7, 8, 14, 52), deal_shoes(KEY, 5, 6, 8, 14, 52)

    assert (several.cards[2] == alone.cards[0]).all()
    assert (several.cells[2] == alone.cells[0]).all()


def test_the_shuffle_is_fisher_and_yates_s() -> None:
    """The third shoe of a key, shuffled as far as it was dealt by plain code."""
    number = 2
    words = [
        mixed((KEY + (4 * number + place + 1) * 0x9E3779B97F4A7C15) & WORD) for place in range(4)
    ]
    generator = Generator(words)

    def below(bound: int) -> int:
        while (product := (generator.next() >> 32) * bound) % 2**32 < 2**32 % bound:
            pass
        return product >> 32

    cut = 14 + below(39)
    shoe = [*range(52)] * 8
    dealt = deal_shoes(KEY, number, number + 1, 8, 14, 52)
    end = int(dealt.starts[0, dealt.rounds[0]])
    for place in range(end):
        other = place + below(416 - place)
        shoe[place], shoe[other] = shoe[other], shoe[place]

    assert dealt.cards[0, :end].tolist() == shoe[:end]
    assert 416 - end < cut <= 416 - int(dealt.starts[0, dealt.rounds[0] - 1])


def test_every_place_of_a_shoe_holds_every_card_equally_often() -> None:
    """Chi-square of 52 cards in the first twelve places of 20,000 shoes: fixed, so it is exact."""
    cards = deal_shoes(KEY, 0, 20_000, 1, 6, 6).cards[:, :12]
    expected = 20_000 / 52
    for place in range(12):
        counts = Counter(cards[:, place].tolist())
        figure = sum((counts[card] - expected) ** 2 / expected for card in range(52))
        # One in ten thousand sound shuffles exceeds 95 with 51 degrees of freedom.
        assert figure < 95, (place, figure)
    assert np.bincount(cards[:, 0], minlength=52).sum() == 20_000
