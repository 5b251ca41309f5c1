"""Dice of the simulator: a seed in, the same wishes out on every machine.

SplitMix64: a counter and a few shifts. A floor throws a hundred times a round,
and nobody here has to be kept from guessing.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1


class FloorDice:
    """Seeded dice with the few throws that a simulator needs."""

    def __init__(self, seed: int) -> None:
        self._counter = seed * 0xD1342543DE82EF95 & _MASK

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1; the bounds here are far too small for the bias to show."""
        self._counter = self._counter + 0x9E3779B97F4A7C15 & _MASK
        word = self._counter
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        word = (word ^ word >> 27) * 0x94D049BB133111EB & _MASK
        return (word ^ word >> 31) * bound >> 64

    def one_in(self, number: int) -> bool:
        """Whether something happens that happens once in so many times."""
        return self.below(number) == 0

    def between(self, least: int, most: int) -> int:
        return least + self.below(most - least + 1)

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]
