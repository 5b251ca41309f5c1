"""Rejection sampling, proven by counting every word and every shuffle there is."""

from collections import Counter
from itertools import permutations, product
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.fairness.uniform import WORD, StreamDice, number
from cutcard.refusals import Refusal
from cutcard.rules.shoe import shuffled
from tests.cases import every


class Words:
    """Dice that read listed words of a few bits; none is left for a word thrown away."""

    def __init__(self, words: tuple[int, ...], bits: int) -> None:
        self._words, self._bits = iter(words), bits

    def below(self, bound: int) -> int:
        found = number(next(self._words), self._bits, bound)
        if found is None:
            raise LookupError
        return found


def stream(*words: int) -> bytes:
    return b"".join(word.to_bytes(WORD, "big") for word in words)


@every("bits", [3, 8, 10])
def test_every_number_stands_for_equally_many_words(bits: int) -> None:
    words = 1 << bits
    for bound in range(1, words + 1):
        counted = Counter(number(word, bits, bound) for word in range(words))
        thrown_away = counted.pop(None, 0)

        assert counted == dict.fromkeys(range(bound), words // bound)
        assert thrown_away == words % bound


@every(("cards", "bits"), [(2, 1), (3, 3), (4, 3), (5, 3), (4, 4), (5, 4)])
def test_every_order_of_a_small_deck_comes_from_equally_many_words(cards: int, bits: int) -> None:
    """All words there are go through the sampler and the shuffle that deal every shoe."""
    counted: Counter[tuple[int, ...]] = Counter()
    for words in product(range(1 << bits), repeat=cards - 1):
        try:
            counted[shuffled(range(cards), Words(words, bits))] += 1
        except LookupError:
            # This list holds a word that is thrown away; with the next in its place it is listed.
            continue

    each, rest = divmod(counted.total(), factorial(cards))
    assert rest == 0
    assert counted == dict.fromkeys(permutations(range(cards)), each)


def test_a_plain_remainder_would_favour_some_orders() -> None:
    """The counting above can fail: without rejection the orders are uneven."""
    counted = Counter(word % 3 for word in range(8))

    assert counted == {0: 3, 1: 3, 2: 2}


@given(bound=st.integers(1, 832))
def test_at_64_bits_only_the_last_words_are_thrown_away(bound: int) -> None:
    fair = 2**64 // bound * bound

    assert number(0, 64, bound) == 0
    assert number(fair - 1, 64, bound) == bound - 1
    if fair < 2**64:
        assert number(fair, 64, bound) is None
        assert number(2**64 - 1, 64, bound) is None


def test_a_word_thrown_away_is_replaced_by_the_next() -> None:
    assert StreamDice(stream(2**64 - 1, 2**64 - 1, 5)).below(3) == 2


def test_words_are_read_in_their_order() -> None:
    dice = StreamDice(stream(7, 2**56, 416))

    assert [dice.below(416), dice.below(2**57), dice.below(416)] == [7, 2**56, 0]


@every("bytes_", [b"", bytes(WORD - 1), stream(2**64 - 1)])
def test_a_stream_that_ends_is_refused_and_never_stretched(bytes_: bytes) -> None:
    with pytest.raises(Refusal) as refused:
        StreamDice(bytes_).below(3)

    assert refused.value == Refusal("fairness/entropy-used-up")
