"""Dealing a whole shoe for demonstration: a seed in, a transcript out."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.shoe import DealtCoup, SeededDice, Shoe, deal_shoe, full_shoe, shuffled


@dataclass(frozen=True, slots=True)
class Transcript:
    """A shoe as it was dealt; the same seed gives the same transcript everywhere."""

    book: str
    seed: int
    decks: int
    shoe: Shoe
    coups: tuple[DealtCoup, ...]

    def document(self) -> dict[str, object]:
        return {
            "book": self.book,
            "seed": self.seed,
            "decks": self.decks,
            "cards": len(self.shoe.cards),
            "exposed": str(self.shoe.exposed),
            "burned": len(self.shoe.burned),
            "cut_card": self.shoe.cut_position + 1,
            "rounds": [
                {
                    "round": dealt.number,
                    "coup": str(dealt.coup),
                    "player": dealt.coup.player_points,
                    "banker": dealt.coup.banker_points,
                    "winner": dealt.coup.winner.value,
                    "cut_card": dealt.cut_card,
                }
                for dealt in self.coups
            ],
            "left": self.left,
        }

    @property
    def left(self) -> int:
        """Cards still in the shoe when the transcript ends."""
        last = self.coups[-1]
        return len(self.shoe.cards) - last.start - len(last.coup.dealt)


def demonstration_shoe(book: Rulebook, seed: int, decks: int | None = None) -> Shoe:
    """A shuffled shoe of the book, its cut card at a random place the book allows."""
    number = book.decks_for(decks)
    dice = SeededDice(seed)
    cards = shuffled(full_shoe(number), dice)
    return Shoe(cards, book.cut.drawn(dice))


def check_rounds(rounds: int | None) -> None:
    """Refuse to deal no round at all."""
    if rounds is not None and rounds < 1:
        raise Refusal("shoe/rounds", {"rounds": rounds})


def first_rounds(shoe: Shoe, rounds: int | None) -> Iterator[DealtCoup]:
    """The first coups of a shoe, or all of them."""
    # A shoe cannot hold more coups than cards, however many were asked for.
    return islice(deal_shoe(shoe), None if rounds is None else min(rounds, len(shoe.cards)))


def deal(
    book: Rulebook, seed: int, decks: int | None = None, rounds: int | None = None
) -> Transcript:
    """Deal a demonstration shoe to its cut card, or its first rounds only."""
    check_rounds(rounds)
    shoe = demonstration_shoe(book, seed, decks)
    coups = tuple(first_rounds(shoe, rounds))
    return Transcript(book.id, seed, len(shoe.cards) // 52, shoe, coups)
