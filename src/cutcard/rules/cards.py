"""Cards: a rank and a suit, written in one short line of text.

`9h`, `Ks`, `Td` is the notation everywhere: tests, logs, command line, API.
`10d` and suit symbols are read too, because people write them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import total_ordering

from cutcard.refusals import Refusal


@total_ordering
class Rank(Enum):
    """Thirteen ranks and what each counts; ten, jack, queen and king are four ranks of value 0."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    @property
    def points(self) -> int:
        # Ace to nine count their place; ten and pictures are not found, and count nothing.
        return "A23456789".find(self.value) + 1

    def __lt__(self, other: "Rank") -> bool:
        return _ORDER.index(self.value) < _ORDER.index(other.value)

    # Members are singletons, so identity hashing is right, and much faster than Enum's own.
    __hash__ = object.__hash__


@total_ordering
class Suit(Enum):
    """Four suits. No seed rulebook looks at them; some side bets elsewhere do."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"

    @property
    def symbol(self) -> str:
        return _SYMBOLS[self]

    def __lt__(self, other: "Suit") -> bool:
        return self.value < other.value

    __hash__ = object.__hash__


_ORDER = "A23456789TJQK"
_SYMBOLS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card of a 52-card deck. Eight decks hold eight equal cards of each kind.

    >>> Card.parse("10d"), Card.parse("Td").points
    (Card('Td'), 0)
    """

    rank: Rank
    suit: Suit
    # Asked for in every inner loop, so it is looked up once, when the card is made.
    points: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", self.rank.points)

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read `9h`, `Td`, `10d` or `9♥`."""
        card = _BY_TEXT.get(text.strip().upper())
        if card is None:
            raise Refusal("card/unreadable", {"text": text})
        return card

    def __str__(self) -> str:
        return f"{self.rank.value}{self.suit.value}"

    def __repr__(self) -> str:
        return f"Card('{self}')"


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards, suit by suit from ace to king: the order of a new deck."""

_BY_TEXT = {
    name + mark: card
    for card in DECK
    for name in {card.rank.value, "10" if card.rank is Rank.TEN else card.rank.value}
    for mark in (card.suit.value.upper(), card.suit.symbol)
}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks or commas: `9h Ks, 10d`."""
    return tuple(Card.parse(word) for word in text.replace(",", " ").split())


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards in one line, blanks between them."""
    return " ".join(map(str, cards))


def points(cards: Iterable[Card]) -> int:
    """The points of a hand: the last digit of the total."""
    total = 0
    for card in cards:
        total += card.points
    return total % 10
