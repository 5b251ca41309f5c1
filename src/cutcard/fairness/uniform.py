"""Numbers below a bound from random words, none of them favoured.

A word is split evenly among the numbers as far as it goes; the few words left
over at the top belong to nobody and are thrown away (rejection sampling). A
remainder taken without that would favour small numbers.
"""

from cutcard.refusals import Refusal

WORD = 8
"""Bytes of a word. At this size a shoe of eight decks throws one away in 10^14 shoes."""


def number(word: int, bits: int, bound: int) -> int | None:
    """The number from 0 to bound - 1 that a word of so many bits stands for, if it does.

    >>> [number(word, 3, 3) for word in range(8)]
    [0, 1, 2, 0, 1, 2, None, None]
    """
    words = 1 << bits
    return word % bound if word < words - words % bound else None


class StreamDice:
    """Dice that read their words from a stream of random bytes and stop where it ends."""

    def __init__(self, stream: bytes) -> None:
        self._words = (
            int.from_bytes(stream[place : place + WORD], "big")
            for place in range(0, len(stream) - WORD + 1, WORD)
        )

    def below(self, bound: int) -> int:
        for word in self._words:
            found = number(word, 8 * WORD, bound)
            if found is not None:
                return found
        raise Refusal("fairness/entropy-used-up")
