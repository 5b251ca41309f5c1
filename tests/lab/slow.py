"""The readable truth: what the lab's compiled code does, in plain Python with real cards.

The numbers are drawn as the compiled code draws them, so the shoes are the same; everything
after that is the business of `cutcard.rules`, which deals them.
"""

from collections import Counter

import numpy as np

from cutcard.lab import Limits, counting, odds_of_many, ruin
from cutcard.lab.lanes import GENERATORS, LANES
from cutcard.lab.shoes import deal_shoes
from cutcard.lab.simulation import warm_up
from cutcard.odds import Composition
from cutcard.odds.kinds import Kind
from cutcard.rulebooks import load
from cutcard.rules.cards import Card, Rank, Suit
from cutcard.rules.coup import Coup, Side, next_side
from cutcard.rules.facts import Hand
from cutcard.rules.shoe import burn_count

WORD = (1 << 64) - 1
RANKS = [Rank(text) for text in "TJQKA23456789"]
"""The order in which lanes keep them."""


def compile_all() -> None:
    """Everything that these tests call."""
    warm_up()
    deal_shoes(1, 0, 1, 1, 6, 6)
    book = load("rws-commission")
    odds_of_many(book, [Composition.of_decks(1)])
    ruin(book, "player", Limits(100, 100, 100, 100), 1, sessions=2)
    counting(book, 2, cut=400)


def mixed(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def rotated(word: int, by: int) -> int:
    return (word << by | word >> (64 - by)) & WORD


class Generator:
    """xoshiro256++ by Blackman and Vigna."""

    def __init__(self, words: list[int]) -> None:
        self.a, self.b, self.c, self.d = words

    def next(self) -> int:
        word = (rotated((self.a + self.d) & WORD, 23) + self.a) & WORD
        shifted = self.b << 17 & WORD
        self.c ^= self.a
        self.d ^= self.b
        self.b ^= self.c
        self.a ^= self.d
        self.c ^= shifted
        self.d = rotated(self.d, 45)
        return word


def two_draws(word: int, first: int, second: int, size: int = 2**32) -> tuple[int, int] | None:
    """Two draws from a word below `size`; None if the word would make some results likelier."""
    one, rest = divmod(word * first, size)
    other, rest = divmod(rest * second, size)
    return (one, other) if rest >= size % (first * second) else None


class Block:
    """The generators of one block of shoes."""

    def __init__(self, key: int, number: int) -> None:
        count = 4 * GENERATORS
        words = [
            mixed((key + (number * count + place + 1) * 0x9E3779B97F4A7C15) & WORD)
            for place in range(count)
        ]
        self.generators = [Generator(words[one::GENERATORS]) for one in range(GENERATORS)]
        self.rejected = 0

    def words(self) -> list[int]:
        """A word of 32 bits for every lane: one half from the first generators, one from others."""
        halves = np.array([one.next() for one in self.generators], np.uint64).view(np.uint16)
        return [int(halves[lane]) << 16 | int(halves[LANES + lane]) for lane in range(LANES)]

    def fair(self, lane: int, word: int, first: int, second: int) -> tuple[int, int]:
        """Two even draws from a word, or from the next one that is fair to every result."""
        while (draws := two_draws(word, first, second)) is None:
            self.rejected += 1
            word = self.generators[lane % GENERATORS].next() >> 32
        return draws


class Lane:
    """One shoe: how many cards of each rank are left."""

    def __init__(self, decks: int) -> None:
        self.left = dict.fromkeys(RANKS, 4 * decks)
        self.stop = 0

    @property
    def total(self) -> int:
        return sum(self.left.values())

    def take(self, draw: int) -> Card:
        for rank, number in self.left.items():
            if draw < number:
                self.left[rank] -= 1
                return Card(rank, Suit.SPADES)
            draw -= number
        raise AssertionError("a draw is below the number of cards")


def deal_block(
    key: int, number: int, decks: int, least: int, most: int, fixed: int
) -> tuple[Counter[Kind], int]:
    """Kinds of coups, suits unseen, of one block; and how many draws were unfair."""
    block = Block(key, number)
    lanes = [Lane(decks) for _ in range(LANES)]
    for place, (lane, word) in enumerate(zip(lanes, block.words(), strict=True)):
        exposed, cut = block.fair(place, word, lane.total, most - least + 1)
        lane.stop = least + cut + burn_count(lane.take(exposed))
    counted: Counter[Kind] = Counter()
    playing, rounds = set(range(LANES)), 0
    while playing and (not fixed or rounds < fixed):
        # Every lane draws, also one whose shoe is over: two lanes share a generator.
        begun: list[list[Card]] = [[] for _ in lanes]
        for _ in range(2):
            for place, (lane, word) in enumerate(zip(lanes, block.words(), strict=True)):
                draws = block.fair(place, word, lane.total, lane.total - 1)
                begun[place] += [lane.take(draw) for draw in draws]
        for place, (lane, word) in enumerate(zip(lanes, block.words(), strict=True)):
            coup = Coup.deal(begun[place])
            drawing = next_side(coup) is Side.PLAYER
            draws = block.fair(place, word, lane.total, lane.total - drawing)
            if next_side(coup) is Side.PLAYER:
                coup = coup.with_card(Side.PLAYER, lane.take(draws[0]))
            if next_side(coup) is Side.BANKER:
                coup = coup.with_card(Side.BANKER, lane.take(draws[1]))
            if place in playing:
                counted[_plain(coup.player), _plain(coup.banker)] += 1
        rounds += 1
        for place, lane in enumerate(lanes):
            if not fixed and lane.total < lane.stop:
                playing.discard(place)
                lanes[place] = Lane(decks)
                lanes[place].stop = lane.stop
    return counted, block.rejected


def _plain(cards: tuple[Card, ...]) -> Hand:
    """A hand whose suits nobody looks at."""
    return Hand.of(cards)._replace(suited_pair=False)
