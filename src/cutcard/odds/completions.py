"""Completions: what can still become of a half-dealt coup.

The missing ones of the first four cards are walked as a dealer would draw them,
rank by rank (card by card in a shoe given so, which takes longer). Starts that
no ending can tell apart are then counted together, and each is ended in every
way the tableau knows.
"""

from collections import Counter
from collections.abc import Iterator
from math import perm

from cutcard.odds.composition import Composition
from cutcard.odds.kinds import Counts, Kind, endings_of, outlines
from cutcard.rules.cards import Card, Suit
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.facts import Hand
from cutcard.rules.shoe import FULL_COUP

START = 4
"""Every coup begins with four cards; only then does the tableau speak."""


def completions(shoe: Composition, coup: Coup) -> Counts:
    """Orders of the cards still to come, up to six in all, by the kind of coup they make.

    `shoe` is what is left, without the cards on the table.
    """
    begun, drawn = coup.dealt[:START], tuple(card.points for card in coup.dealt[START:])
    suited = shoe.cards is not None
    starts: Counter[tuple[tuple[int, ...], Hand, Hand]] = Counter()
    for start, ways in _starts(shoe, Coup(coup.player[:2], coup.banker[:2])):
        taken = tuple(sorted(card.points for card in start.dealt[len(begun) :]))
        starts[taken, _hand(start.player, suited), _hand(start.banker, suited)] += ways
    counts: Counter[Kind] = Counter()
    for (taken, player, banker), ways in starts.items():
        left = list(shoe.values)
        for value in taken:
            left[value] -= 1
        for kind, more in _ends(left, player, banker, drawn):
            counts[kind] += ways * more
    return +counts


def _hand(cards: tuple[Card, ...], suited: bool) -> Hand:
    hand = Hand.of(cards)
    return hand if suited else hand._replace(suited_pair=False)


def _starts(shoe: Composition, coup: Coup) -> Iterator[tuple[Coup, int]]:
    """Every way to lay the first four cards, and how many orders it stands for."""
    if shoe.cards is not None:
        left = dict(shoe.cards)
    else:
        # Any card stands for its rank.
        left = {Card(rank, Suit.SPADES): number for rank, number in shoe.ranks.items()}

    def lay(coup: Coup, ways: int) -> Iterator[tuple[Coup, int]]:
        side = next_side(coup) if len(coup.dealt) < START else None
        if side is None:
            yield coup, ways
            return
        for card, number in left.items():
            if number:
                left[card] -= 1
                yield from lay(coup.with_card(side, card), ways * number)
                left[card] += 1

    return lay(coup, 1)


def _ends(
    left: list[int], player: Hand, banker: Hand, drawn: tuple[int, ...]
) -> Iterator[tuple[Kind, int]]:
    """Every way the tableau ends a start, third cards already drawn being what they are."""
    for thirds, outline in endings_of()[player.points, banker.points]:
        if thirds[: len(drawn)] == drawn:
            rest, ways = left.copy(), 1
            for value in thirds[len(drawn) :]:
                ways *= rest[value]
                rest[value] -= 1
            unused = FULL_COUP - START - len(thirds)
            last_player, last_banker = outlines()[outline]
            kind = (
                last_player._replace(pair=player.pair, suited_pair=player.suited_pair),
                last_banker._replace(pair=banker.pair, suited_pair=banker.suited_pair),
            )
            yield kind, ways * perm(sum(rest), unused)
