"""Dealing in lanes: 64 shoes in lockstep, so that one instruction deals to many of them.

A lane is a shoe without a deck. It holds the thirteen ranks as cumulative counts: with u drawn
below the number of cards left, the rank is the number of counts that are not above u, and every
count above u goes down by one. There is no branch and no look-up in that, so the compiler works
on all lanes at once. Four ideas make it short:

*   The ranks stand in the order 10 J Q K A 2 … 9, so that a card's points are its place less
    three, but never below nought.
*   Counts are kept in two halves, six ranks and seven, so that each fits into a byte.
*   Two draws come out of one 32-bit word: the first is the high part of word × n, the second the
    high part of what remains × m. Whatever would make one result likelier than another is drawn
    again, so every draw is exactly even.
*   Burned cards are as unknown as those that stay in the shoe, so nothing is burned: the cut
    card just comes so many cards earlier.

Every block of 64 shoes has generators of its own, seeded by the run's key and the block's
number. So the result does not depend on who deals which block, or in what order.
"""

from typing import Any

import numpy as np
from numpy import uint8, uint16, uint32, uint64

from cutcard.lab.compiled import compiled, inlined

LANES = 64
GENERATORS = LANES // 2
"""Each gives 64 bits at a time: a word of 32 for each of two lanes."""

CELLS = 4096
"""Cells of a histogram: drawn and pairs (4 bits), Player's points (4), Banker's points (4)."""

NOWHERE = CELLS - 1
"""No coup has this cell; lanes whose shoe is over are counted here."""

Array = Any
"""Arrays inside compiled code; their types are written where they are made."""

# Rows of the bytes: eleven counts, then what a round needs to know.
(
    LOW,  # counts up to each of the first five ranks
    HIGH,  # counts above the middle up to each of the next six
    FIRST_LOW,
    FIRST_HIGH,
    SECOND_LOW,
    SECOND_HIGH,
    PLAYER_1,
    BANKER_1,
    PLAYER_2,
    BANKER_2,
    PLAYER_3,
    BANKER_3,
    PLAYER,
    BANKER,
    OPEN,
    PLAYER_DRAWS,
    BANKER_DRAWS,
    COUNTED,
    ROWS,
) = (LANES * row for row in (0, 5, *range(11, 28)))

# Rows of the 16-bit numbers.
LEFT, THEN, MIDDLE, DRAWN, DRAWN_THEN, STOP, CELL, WIDE_ROWS = (LANES * row for row in range(8))

NO_CARD = 0x7FFF
"""A draw above every count: it takes nothing out of the shoe."""


@inlined
def rotated(word: Any, by: int) -> Any:
    return (word << uint64(by)) | (word >> uint64(64 - by))


@inlined
def mixed(word: Any) -> Any:
    """A number spread over all 64 bits (the finish of splitmix64)."""
    word = (word ^ (word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> uint64(27))) * uint64(0x94D049BB133111EB)
    return word ^ (word >> uint64(31))


@inlined
def seed(states: Array, key: Any, block: int) -> None:
    """Give the generators of a block their states: no two blocks have a word in common."""
    words = 4 * GENERATORS
    for place in range(words):
        number = uint64(block) * uint64(words) + uint64(place) + uint64(1)
        states[place] = mixed(key + number * uint64(0x9E3779B97F4A7C15))


@inlined
def next_word(states: Array, one: int) -> Any:
    """64 bits of one generator (xoshiro256++)."""
    a = states[one]
    b = states[GENERATORS + one]
    c = states[2 * GENERATORS + one]
    d = states[3 * GENERATORS + one]
    word = rotated(a + d, 23) + a
    shifted = b << uint64(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    states[one] = a
    states[GENERATORS + one] = b
    states[2 * GENERATORS + one] = c ^ shifted
    states[3 * GENERATORS + one] = rotated(d, 45)
    return word


@inlined
def draw_two(states: Array, words: Array, halves: Array, wide: Array) -> None:
    """For every lane a number below LEFT and one below THEN, from one word of 32 bits."""
    for one in range(GENERATORS):
        words[one] = next_word(states, one)
    doubtful = uint16(0)
    for lane in range(LANES):
        high, low = halves[lane], halves[LANES + lane]
        left, then = wide[LEFT + lane], wide[THEN + lane]
        # high:low × left, of which the part above 32 bits is the draw.
        above = uint16(uint32(uint32(high) * uint32(left)) >> uint32(16))
        carried = uint16(uint32(uint32(low) * uint32(left)) >> uint32(16))
        rest_high = uint16(uint16(high * left) + carried)
        rest_low = uint16(low * left)
        wide[DRAWN + lane] = uint16(above + uint16(rest_high < carried))
        # The same with what remains.
        above = uint16(uint32(uint32(rest_high) * uint32(then)) >> uint32(16))
        carried = uint16(uint32(uint32(rest_low) * uint32(then)) >> uint32(16))
        rest = uint16(uint16(rest_high * then) + carried)
        wide[DRAWN_THEN + lane] = uint16(above + uint16(rest < carried))
        # Fewer than 3 × 2^16 remainders can be unfair, because 416 × 416 is less.
        doubtful = uint16(doubtful | uint16(rest < uint16(3)))
    if doubtful:
        draw_again(states, halves, wide)


@compiled
def draw_again(states: Array, halves: Array, wide: Array) -> None:
    """Look at every lane's word closely, and replace those that are unfair."""
    for lane in range(LANES):
        left, then = uint64(wide[LEFT + lane]), uint64(wide[THEN + lane])
        unfair = (uint64(1) << uint64(32)) % (left * then)
        word = uint64(halves[lane]) << uint64(16) | uint64(halves[LANES + lane])
        while True:
            product = word * left
            rest = (product & uint64(0xFFFFFFFF)) * then
            if (rest & uint64(0xFFFFFFFF)) >= unfair:
                break
            word = next_word(states, lane % GENERATORS) >> uint64(32)
        wide[DRAWN + lane] = uint16(product >> uint64(32))
        wide[DRAWN_THEN + lane] = uint16(rest >> uint64(32))


@inlined
def passed(small: Array, count: int, at: Any, rank: Any) -> Any:
    """Lower a count that is above the draw, and the rank with it."""
    taken = uint8(small[count] > at)
    small[count] = uint8(small[count] - taken)
    return uint8(rank - taken)


@inlined
def take(wide: Array, small: Array, drawn: int, to: int) -> None:
    """Take one card drawn out of every shoe: its rank goes to a row."""
    for lane in range(LANES):
        u, middle = wide[drawn + lane], wide[MIDDLE + lane]
        small[FIRST_LOW + lane] = uint8(min(u, uint16(255)))
        small[FIRST_HIGH + lane] = uint8(min(uint16(u - middle), uint16(255)))
        wide[MIDDLE + lane] = uint16(middle - uint16(middle > u))
    for lane in range(LANES):
        low, high = small[FIRST_LOW + lane], small[FIRST_HIGH + lane]
        rank = uint8(12) if high != uint8(255) else uint8(5)
        rank = passed(small, LOW + lane, low, rank)
        rank = passed(small, LOW + LANES + lane, low, rank)
        rank = passed(small, LOW + 2 * LANES + lane, low, rank)
        rank = passed(small, LOW + 3 * LANES + lane, low, rank)
        rank = passed(small, LOW + 4 * LANES + lane, low, rank)
        rank = passed(small, HIGH + lane, high, rank)
        rank = passed(small, HIGH + LANES + lane, high, rank)
        rank = passed(small, HIGH + 2 * LANES + lane, high, rank)
        rank = passed(small, HIGH + 3 * LANES + lane, high, rank)
        rank = passed(small, HIGH + 4 * LANES + lane, high, rank)
        rank = passed(small, HIGH + 5 * LANES + lane, high, rank)
        small[to + lane] = rank


@inlined
def worth(rank: Any) -> Any:
    """A card's points: ten and pictures come first among the ranks and count nought."""
    return uint8(max(rank, uint8(3)) - uint8(3))


@inlined
def last_digit(total: Any) -> Any:
    # Below ten, ten less is a huge number of eight bits.
    return min(total, uint8(total - uint8(10)))


@inlined
def fill(wide: Array, small: Array, lane: int, decks: int) -> None:
    """A fresh shoe in one lane."""
    wide[LEFT + lane] = 52 * decks
    wide[MIDDLE + lane] = 6 * 4 * decks
    for row in range(5):
        small[LOW + row * LANES + lane] = (row + 1) * 4 * decks
    for row in range(6):
        small[HIGH + row * LANES + lane] = (row + 1) * 4 * decks


@compiled
def end_shoes(wide: Array, small: Array, decks: int) -> int:
    """End the shoes whose cut card has come; says how many of them were counted still."""
    ended = 0
    for lane in range(LANES):
        if wide[LEFT + lane] < wide[STOP + lane]:
            # The lane goes on with a shoe that is not counted, until all are over.
            fill(wide, small, lane, decks)
            ended += small[COUNTED + lane]
            small[COUNTED + lane] = 0
    return ended


@compiled
def deal_blocks(
    key: Any, start: int, stop: int, decks: int, least: int, most: int, fixed: int
) -> tuple[Array, int]:
    """Deal the blocks of shoes from `start` up to `stop`: a histogram, and the rounds.

    The cut card stands `least` to `most` cards before the end. If `fixed` is not nought, every
    shoe has so many rounds instead.
    """
    states = np.empty(4 * GENERATORS, np.uint64)
    words = np.empty(GENERATORS, np.uint64)
    halves = words.view(np.uint16)
    small = np.zeros(ROWS, np.uint8)
    wide = np.zeros(WIDE_ROWS, np.uint16)
    # Two tables, because one that is written to twice in a row has to wait.
    counts = np.zeros(2 * CELLS, np.uint32)
    certain = (52 * decks - 11 - most) // 6
    rounds = 0
    for block in range(start, stop):
        seed(states, key, block)
        for lane in range(LANES):
            fill(wide, small, lane, decks)
            wide[THEN + lane] = most - least + 1
            small[COUNTED + lane] = 1
        # The exposed card, and where the cut card goes.
        draw_two(states, words, halves, wide)
        for lane in range(LANES):
            wide[STOP + lane] = least + wide[DRAWN_THEN + lane]
        take(wide, small, DRAWN, PLAYER_1)
        for lane in range(LANES):
            points = worth(small[PLAYER_1 + lane])
            wide[STOP + lane] += points if points else 10
            wide[LEFT + lane] -= 1
        dealing, number = LANES, 0
        while dealing:
            deal_round(states, words, halves, wide, small)
            if dealing < LANES:
                for lane in range(LANES):
                    counted = small[COUNTED + lane]
                    wide[CELL + lane] = wide[CELL + lane] if counted else uint16(NOWHERE)
            for lane in range(0, LANES, 2):
                counts[wide[CELL + lane]] += uint32(1)
                counts[CELLS + wide[CELL + lane + 1]] += uint32(1)
            number += 1
            rounds += dealing
            if number == fixed:
                break
            if number > certain and not fixed:
                over = uint16(0)
                for lane in range(LANES):
                    over = uint16(over | uint16(wide[LEFT + lane] < wide[STOP + lane]))
                if over:
                    dealing -= end_shoes(wide, small, decks)
    histogram = np.zeros(CELLS, np.int64)
    for cell in range(CELLS):
        histogram[cell] = np.int64(counts[cell]) + np.int64(counts[CELLS + cell])
    histogram[NOWHERE] = 0
    return histogram, rounds


@inlined
def deal_round(states: Array, words: Array, halves: Array, wide: Array, small: Array) -> None:
    """One round in every lane; its cell of the histogram goes to CELL."""
    for lane in range(LANES):
        wide[THEN + lane] = uint16(wide[LEFT + lane] - uint16(1))
    draw_two(states, words, halves, wide)
    take(wide, small, DRAWN, PLAYER_1)
    take(wide, small, DRAWN_THEN, BANKER_1)
    for lane in range(LANES):
        wide[LEFT + lane] = uint16(wide[LEFT + lane] - uint16(2))
        wide[THEN + lane] = uint16(wide[LEFT + lane] - uint16(1))
    draw_two(states, words, halves, wide)
    take(wide, small, DRAWN, PLAYER_2)
    take(wide, small, DRAWN_THEN, BANKER_2)
    for lane in range(LANES):
        p1, p2 = small[PLAYER_1 + lane], small[PLAYER_2 + lane]
        b1, b2 = small[BANKER_1 + lane], small[BANKER_2 + lane]
        player = last_digit(uint8(worth(p1) + worth(p2)))
        banker = last_digit(uint8(worth(b1) + worth(b2)))
        natural = uint8(max(player, banker) >= uint8(8))
        small[OPEN + lane] = uint8(uint8(1) - natural)
        small[PLAYER_DRAWS + lane] = uint8(uint8(player <= uint8(5)) & uint8(uint8(1) - natural))
        small[PLAYER + lane] = player
        small[BANKER + lane] = banker
    for lane in range(LANES):
        draws = uint16(small[PLAYER_DRAWS + lane])
        wide[LEFT + lane] = uint16(wide[LEFT + lane] - uint16(2))
        wide[THEN + lane] = uint16(wide[LEFT + lane] - draws)
    draw_two(states, words, halves, wide)
    for lane in range(LANES):
        draws = small[PLAYER_DRAWS + lane]
        wide[DRAWN + lane] = wide[DRAWN + lane] if draws else uint16(NO_CARD)
    # The Player's third card decides whether the Banker draws, so they are taken one by one.
    take(wide, small, DRAWN, PLAYER_3)
    for lane in range(LANES):
        draws = small[PLAYER_DRAWS + lane]
        third = worth(small[PLAYER_3 + lane]) if draws else uint8(0)
        # Twice the points at which the Banker draws at most, by the Player's third card.
        most = uint8(third + uint8(6))
        most = uint8(third - uint8(3)) if third >= uint8(8) else most
        most = most if draws else uint8(10)
        banker = small[BANKER + lane]
        small[BANKER_DRAWS + lane] = uint8(
            small[OPEN + lane] & uint8(uint8(banker + banker) <= most)
        )
        small[PLAYER + lane] = last_digit(uint8(small[PLAYER + lane] + third))
    for lane in range(LANES):
        draws = small[BANKER_DRAWS + lane]
        wide[LEFT + lane] = uint16(wide[THEN + lane] - uint16(draws))
        wide[DRAWN_THEN + lane] = wide[DRAWN_THEN + lane] if draws else uint16(NO_CARD)
    take(wide, small, DRAWN_THEN, BANKER_3)
    for lane in range(LANES):
        third = worth(small[BANKER_3 + lane]) if small[BANKER_DRAWS + lane] else uint8(0)
        banker = last_digit(uint8(small[BANKER + lane] + third))
        drawn = uint8(small[PLAYER_DRAWS + lane] | uint8(small[BANKER_DRAWS + lane] << uint8(1)))
        pair = uint8(small[PLAYER_1 + lane] == small[PLAYER_2 + lane])
        other = uint8(small[BANKER_1 + lane] == small[BANKER_2 + lane])
        upper = uint16(drawn | uint8(pair << uint8(2)) | uint8(other << uint8(3)))
        lower = uint16(uint8(small[PLAYER + lane] << uint8(4)) | banker)
        wide[CELL + lane] = uint16(upper << uint16(8)) | lower
