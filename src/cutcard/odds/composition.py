"""Composition: which cards are in the shoe, by rank or by card.

Odds by rank are enough for every bet but those that look at suits. A shoe given
by card knows both.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from re import fullmatch

from cutcard.refusals import Refusal
from cutcard.rules.cards import Card, Rank, Suit
from cutcard.rules.shoe import FULL_COUP, composition, full_shoe


@dataclass(frozen=True)
class Composition:
    """How many cards of each rank a shoe holds, and of each card where that is known.

    `decks` says that it is a fresh shoe of so many decks.
    """

    ranks: Mapping[Rank, int]
    cards: Mapping[Card, int] | None = None
    decks: int | None = None

    def __post_init__(self) -> None:
        # What is not named is not in the shoe.
        object.__setattr__(self, "ranks", {**dict.fromkeys(Rank, 0), **self.ranks})
        for name, number in (*self.ranks.items(), *(self.cards or {}).items()):
            if number < 0:
                text = name.value if isinstance(name, Rank) else str(name)
                raise Refusal("odds/shoe-unreadable", {"text": f"{text}={number}"})

    def __hash__(self) -> int:
        # Equal shoes have equal counts by rank, and these are always in the order of the ranks.
        return hash(tuple(self.ranks.values()))

    @classmethod
    def of_cards(cls, cards: Mapping[Card, int]) -> "Composition":
        ranks = {rank: sum(cards.get(Card(rank, suit), 0) for suit in Suit) for rank in Rank}
        return cls(ranks, cards)

    @classmethod
    def of_decks(cls, decks: int) -> "Composition":
        return replace(cls.of_cards(composition(full_shoe(decks))), decks=decks)

    @property
    def by_rank(self) -> "Composition":
        """The same shoe with its suits forgotten."""
        return replace(self, cards=None)

    @classmethod
    def parse(cls, text: str) -> "Composition":
        """Read `A=31,2=32,…` or `9h=8,…`; what is not named is not in the shoe."""
        entries = [entry.partition("=") for entry in text.replace(",", " ").split()]
        by_rank = all(len(name) == 1 or name == "10" for name, _, _ in entries)
        ranks: dict[Rank, int] = {}
        cards: dict[Card, int] = {}
        for name, _, number in entries:
            if not fullmatch("[0-9]{1,9}", number):
                raise Refusal("odds/shoe-unreadable", {"text": f"{name}={number}"})
            if _rank(name) in ranks if by_rank else Card.parse(name) in cards:
                raise Refusal("odds/named-twice", {"text": name})
            if by_rank:
                ranks[_rank(name)] = int(number)
            else:
                cards[Card.parse(name)] = int(number)
        return cls({rank: ranks.get(rank, 0) for rank in Rank}) if by_rank else cls.of_cards(cards)

    def document(self) -> dict[str, object]:
        """`decks` for a fresh shoe, else what is in it, by card where that is known."""
        if self.decks is not None:
            return {"decks": self.decks}
        by_card = {str(card): number for card, number in (self.cards or {}).items()}
        return {"shoe": by_card or {rank.value: number for rank, number in self.ranks.items()}}

    @cached_property
    def values(self) -> tuple[int, ...]:
        """How many cards count 0, 1, … 9."""
        return tuple(
            sum(number for rank, number in self.ranks.items() if rank.points == value)
            for value in range(10)
        )

    @property
    def total(self) -> int:
        return sum(self.ranks.values())

    def without(self, cards: Iterable[Card]) -> "Composition":
        """The shoe after some cards have left it."""
        ranks, known = dict(self.ranks), None if self.cards is None else dict(self.cards)
        for card in cards:
            left = ranks[card.rank] if known is None else known.get(card, 0)
            if left == 0:
                raise Refusal("odds/not-in-shoe", {"card": str(card)})
            ranks[card.rank] -= 1
            if known is not None:
                known[card] -= 1
        return Composition(ranks, known)

    def without_rank(self, rank: Rank) -> "Composition":
        """The shoe after one card of a rank has left it, its suit unseen."""
        return Composition({**self.ranks, rank: self.ranks[rank] - 1})

    def check(self, decks: int, clause: str) -> None:
        """Refuse a shoe that so many decks cannot hold, or that cannot finish a coup."""
        check_enough(self.total)
        self.check_decks(decks, clause)

    def check_decks(self, decks: int, clause: str) -> None:
        """Refuse a shoe that so many decks cannot hold."""
        counts = {rank.value: (number, 4 * decks) for rank, number in self.ranks.items()}
        counts |= {str(card): (number, decks) for card, number in (self.cards or {}).items()}
        for name, (number, most) in counts.items():
            if number > most:
                raise Refusal(
                    "odds/too-many-cards",
                    {"card": name, "number": number, "decks": decks, "most": most},
                    clause,
                )


def check_enough(cards: int) -> None:
    """Refuse to price a coup that the cards may not be enough to finish."""
    if cards < FULL_COUP:
        raise Refusal("odds/too-few-cards", {"cards": cards, "least": FULL_COUP})


def _rank(name: str) -> Rank:
    try:
        return Rank("T" if name == "10" else name.upper())
    except ValueError:
        raise Refusal("odds/shoe-unreadable", {"text": name}) from None
