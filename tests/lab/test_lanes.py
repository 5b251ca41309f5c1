"""64 shoes in lockstep are the shoes that plain code deals, one by one."""

from collections import Counter
from itertools import product

import numpy as np

from cutcard.lab.lanes import NOWHERE, deal_blocks
from cutcard.lab.simulation import kind_of_cell
from cutcard.lab.ways import kinds
from cutcard.odds.kinds import Kind
from tests.cases import every
from tests.lab.slow import deal_block, two_draws

KEY = 0x243F6A8885A308D3


def lanes(number: int, *how: int, key: int = KEY) -> Counter[Kind]:
    histogram, rounds = deal_blocks(np.uint64(key), number, number + 1, *how)
    assert histogram.sum() == rounds
    cells = np.flatnonzero(histogram)
    assert NOWHERE not in cells
    return Counter({kinds()[kind_of_cell()[int(cell)]]: int(histogram[cell]) for cell in cells})


@every(
    ("block", "how"),
    [
        (0, (8, 14, 14, 0)),
        (1, (8, 14, 52, 0)),
        (2, (4, 6, 20, 0)),
        (3, (1, 6, 6, 0)),
        (4, (1, 6, 40, 0)),
        (5, (8, 14, 14, 3)),
    ],
)
def test_lanes_deal_what_plain_code_deals(block: int, how: tuple[int, int, int, int]) -> None:
    """Decks, cut card from and to, a fixed number of rounds: every coup is the same."""
    assert lanes(block, *how) == deal_block(KEY, block, *how)[0]


def test_unfair_words_are_drawn_again() -> None:
    """About one word in 25,000 is unfair to some card; block 2 meets one in twenty rounds."""
    counted, rejected = deal_block(KEY, 2, 8, 14, 14, 20)

    assert rejected == 1
    assert lanes(2, 8, 14, 14, 20) == counted


@every(("first", "second"), [(13, 12), (52, 51), (20, 7), (16, 16), (1, 9)])
def test_every_two_draws_are_equally_likely(first: int, second: int) -> None:
    """Every word of sixteen bits, drawn as words of thirty-two are."""
    drawn = Counter(two_draws(word, first, second, 2**16) for word in range(2**16))
    unfair = drawn.pop(None, 0)

    assert unfair == 2**16 % (first * second)
    assert set(drawn) == set(product(range(first), range(second)))
    assert set(drawn.values()) == {2**16 // (first * second)}


def test_blocks_share_no_shoes() -> None:
    assert lanes(0, 8, 14, 14, 0) != lanes(1, 8, 14, 14, 0)
