"""Dice of the simulator: a seed in, the same wishes out on every machine."""

from collections.abc import Sequence
from typing import TypeVar

from cutcard.rules.shoe import SeededDice

T = TypeVar("T")


class FloorDice(SeededDice):
    """Seeded dice with the few throws that a simulator needs."""

    def one_in(self, number: int) -> bool:
        """Whether something happens that happens once in so many times."""
        return self.below(number) == 0

    def between(self, least: int, most: int) -> int:
        return least + self.below(most - least + 1)

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]
