"""Dealing card by card: every card and every round of a shoe is kept.

Slower than lanes (see `lanes`) and as plain as it gets: a shoe is shuffled as far as it is
dealt, by Fisher and Yates, with exactly even draws. For bets that look at suits, for whoever
bets through a shoe round by round, and for whoever counts cards. Every shoe has a generator of
its own, seeded by the run's key and its number.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from cutcard.lab.compiled import compiled, inlined
from cutcard.lab.lanes import mixed, rotated
from cutcard.rules.tableau import banker_draws, is_natural, player_draws

SUITED_CELLS = 4 * 4096
"""As in lanes, with two more bits for suited pairs."""

STOOD = 10
PLAYER_DRAWS = np.array([player_draws(points) for points in range(10)])
BANKER_DRAWS = np.array(
    [[banker_draws(b, None if x == STOOD else x) for x in range(11)] for b in range(10)]
)
NATURAL = np.array([is_natural(points) for points in range(10)])


class Dealt(NamedTuple):
    """Shoes as they were dealt.

    `cards` holds each shoe's cards in dealing order, as places in a new deck; `starts` the place
    of each round's first card, and of the card after the last round; `cells` each round's cell;
    `rounds` how many there were.
    """

    cards: NDArray[np.uint8]
    starts: NDArray[np.int16]
    cells: NDArray[np.uint16]
    rounds: NDArray[np.int16]


@inlined
def next_word(state: Any) -> Any:
    """64 bits (xoshiro256++)."""
    word = rotated(state[0] + state[3], 23) + state[0]
    shifted = state[1] << uint64(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotated(state[3], 45)
    return word


@inlined
def below(state: Any, bound: int) -> Any:
    """A number below the bound, each equally likely (Lemire)."""
    limit = uint64(bound)
    product = (next_word(state) >> uint64(32)) * limit
    if (product & uint64(0xFFFFFFFF)) < limit:
        unfair = (uint64(1) << uint64(32)) % limit
        while (product & uint64(0xFFFFFFFF)) < unfair:
            product = (next_word(state) >> uint64(32)) * limit
    return np.int64(product >> uint64(32))


@inlined
def draw(state: Any, shoe: Any, at: int) -> Any:
    """Bring a card that is still in the shoe to a place."""
    other = at + below(state, len(shoe) - at)
    card = shoe[other]
    shoe[other] = shoe[at]
    shoe[at] = card
    return card


@inlined
def points_of(card: Any) -> Any:
    rank = card % 13
    return rank + 1 if rank < 9 else 0


@compiled
def deal_numbered(
    key: Any, start: int, stop: int, decks: int, least: int, most: int, fixed: int,
    cards: Any, starts: Any, cells: Any, rounds: Any, player_table: Any, banker_table: Any,
    natural: Any,
) -> None:  # fmt: skip
    """Deal the shoes from `start` up to `stop` into arrays; the rest is as in lanes."""
    state = np.empty(4, np.uint64)
    total = 52 * decks
    for number in range(start, stop):
        for place in range(4):
            word = uint64(number) * uint64(4) + uint64(place) + uint64(1)
            state[place] = mixed(key + word * uint64(0x9E3779B97F4A7C15))
        shoe = cards[number - start]
        for place in range(total):
            shoe[place] = place % 52
        cut = total - least - below(state, most - least + 1)
        burned = points_of(draw(state, shoe, 0))
        at = 1 + (burned if burned else 10)
        for place in range(1, at):
            draw(state, shoe, place)
        dealt = 0
        while dealt < fixed if fixed else at <= cut:
            starts[number - start, dealt] = at
            for place in range(at, at + 4):
                draw(state, shoe, place)
            p1, b1, p2, b2 = shoe[at], shoe[at + 1], shoe[at + 2], shoe[at + 3]
            at += 4
            player = (points_of(p1) + points_of(p2)) % 10
            banker = (points_of(b1) + points_of(b2)) % 10
            drawn = 0
            if not natural[player] and not natural[banker]:
                third = STOOD
                if player_table[player]:
                    third = points_of(draw(state, shoe, at))
                    player = (player + third) % 10
                    at += 1
                    drawn = 1
                if banker_table[banker, third]:
                    banker = (banker + points_of(draw(state, shoe, at))) % 10
                    at += 1
                    drawn |= 2
            pairs = (p1 % 13 == p2 % 13) << 2 | (b1 % 13 == b2 % 13) << 3
            suited = (p1 == p2) << 4 | (b1 == b2) << 5
            cells[number - start, dealt] = (suited | pairs | drawn) << 8 | player << 4 | banker
            dealt += 1
        starts[number - start, dealt] = at
        rounds[number - start] = dealt


def deal_shoes(
    key: int, start: int, stop: int, decks: int, least: int, most: int, fixed: int = 0
) -> Dealt:
    """Deal the shoes from `start` up to `stop`, by card."""
    shoes, longest = stop - start, 52 * decks // 4
    dealt = Dealt(
        np.empty((shoes, 52 * decks), np.uint8),
        np.zeros((shoes, longest + 1), np.int16),
        np.zeros((shoes, longest), np.uint16),
        np.zeros(shoes, np.int16),
    )
    # fmt: off
    deal_numbered(
        uint64(key), start, stop, decks, least, most, fixed,
        *dealt, PLAYER_DRAWS, BANKER_DRAWS, NATURAL,
    )
    # fmt: on
    return dealt
