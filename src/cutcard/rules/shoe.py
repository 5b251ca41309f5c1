"""The shoe: which cards there are, in which order, and when the last round comes.

A new shoe is shuffled, its first card exposed and as many further cards burned
as that card counts, and a cut card stands some way before the end: the round in
which it comes out is the last one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol, TypeVar

from cutcard.refusals import Refusal
from cutcard.rules.cards import DECK, Card
from cutcard.rules.coup import Coup

T = TypeVar("T")

FULL_COUP = 6
"""A coup takes at most six cards, so as many must stand behind the cut card."""

FULL_BURN = 11
"""The exposed card and at most ten more leave a new shoe before the first round."""


class Dice(Protocol):
    """Whatever draws numbers: a seed here, entropy of the operating system in the server."""

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely."""
        ...


class SeededDice:
    """Dice for demonstrations: the same seed throws the same numbers on every machine.

    SHA-256 in counter mode. Anyone who knows the seed knows the shoe, so these
    dice never deal for money.
    """

    def __init__(self, seed: int | str) -> None:
        self._key = sha256(f"cutcard demonstration {seed}".encode()).digest()
        self._counter = 0

    def below(self, bound: int) -> int:
        # Words above the last whole multiple of the bound would favour small numbers.
        fair = (1 << 64) - (1 << 64) % bound
        while (word := self._word()) >= fair:
            pass
        return word % bound

    def _word(self) -> int:
        block = sha256(self._key + self._counter.to_bytes(8, "big")).digest()
        self._counter += 1
        return int.from_bytes(block[:8], "big")


def shuffled(things: Iterable[T], dice: Dice) -> tuple[T, ...]:
    """Cards, or whatever it may be, in random order, each equally likely (Fisher–Yates)."""
    order = list(things)
    for place in range(len(order) - 1, 0, -1):
        other = dice.below(place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def full_shoe(decks: int) -> tuple[Card, ...]:
    """Every card of so many decks, in the order of new decks."""
    return DECK * decks


def composition(cards: Iterable[Card]) -> Counter[Card]:
    """How many of each card there are."""
    return Counter(cards)


def check_copies(cards: Iterable[Card], decks: int, clause: str | None = None) -> None:
    """Refuse cards that so many decks cannot hold."""
    card, copies = max(composition(cards).items(), key=lambda entry: entry[1], default=(None, 0))
    if copies > decks:
        raise Refusal(
            "shoe/too-many-copies", {"card": str(card), "copies": copies, "decks": decks}, clause
        )


def burn_count(exposed: Card) -> int:
    """How many further cards are burned after the exposed one: its value, ten for ten and court."""
    return exposed.points or 10


def check_cut(cards: int, behind_cut: int) -> None:
    """Refuse a cut card so near either end of a shoe that no coup could be dealt."""
    most = cards - FULL_BURN - 1
    if not FULL_COUP <= behind_cut <= most:
        raise Refusal(
            "shoe/cut-out-of-range",
            {"cut": behind_cut, "least": FULL_COUP, "most": most},
            "HOUSE short shoe" if behind_cut < FULL_COUP else "HOUSE cut",
        )


@dataclass(frozen=True, slots=True)
class Shoe:
    """Cards in dealing order, and how many of them stand behind the cut card."""

    cards: tuple[Card, ...]
    behind_cut: int

    def __post_init__(self) -> None:
        check_cut(len(self.cards), self.behind_cut)

    @property
    def exposed(self) -> Card:
        return self.cards[0]

    @property
    def burned(self) -> tuple[Card, ...]:
        return self.cards[1 : 1 + burn_count(self.exposed)]

    @property
    def cut_position(self) -> int:
        """The cut card comes out just before the card at this place (counted from 0)."""
        return len(self.cards) - self.behind_cut


@dataclass(frozen=True, slots=True)
class DealtCoup:
    """One coup of a shoe: its number, where it began, and whether the cut card came out."""

    number: int
    start: int
    coup: Coup
    cut_card: bool


def deal_shoe(shoe: Shoe) -> Iterator[DealtCoup]:
    """Deal a shoe coup by coup; the one in which the cut card comes out is the last."""
    start, number, cut_card = 1 + len(shoe.burned), 0, False
    while not cut_card:
        coup = Coup.deal(shoe.cards[start : start + FULL_COUP])
        end = start + len(coup.dealt)
        cut_card = end > shoe.cut_position
        number += 1
        yield DealtCoup(number, start, coup, cut_card)
        start = end
