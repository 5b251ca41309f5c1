"""Completions: what can still become of a half-dealt coup.

The missing ones of the first four cards are walked as a dealer would draw them,
rank by rank (card by card in a shoe given so, which takes longer). Starts that
no ending can tell apart are then counted together, and each is ended in every
way the tableau knows.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import perm

from cutcard.odds.composition import Composition
from cutcard.odds.kinds import Counts, Kind, endings_of, outlines
from cutcard.rules.cards import Card, Suit
from cutcard.rules.coup import Coup, Side, next_side
from cutcard.rules.facts import Hand
from cutcard.rules.shoe import FULL_COUP

START = 4
"""Every coup begins with four cards; only then does the tableau speak."""


Seen = Sequence[Card | None]
"""Cards in dealing order; None stands for one that nobody has seen."""


def completions(shoe: Composition, seen: Seen) -> Counts:
    """Orders of the cards not seen, up to six in all, by the kind of coup they make.

    `shoe` is what is left, without the cards seen.
    """
    drawn = _parts(seen)[1]
    starts: Counter[Start] = Counter()
    for start, ways in _told_apart(shoe, seen):
        starts[start] += ways
    counts: Counter[Kind] = Counter()
    for (taken, player, banker), ways in starts.items():
        for kind, more in _ends(_without(shoe, taken), player, banker, drawn):
            counts[kind] += ways * more
    return +counts


def possible(shoe: Composition, seen: Seen) -> Iterator[Kind]:
    """Every kind of coup that can still come, one after another and some more than once.

    Whoever looks for two kinds that differ need not wait for all of them.
    """
    drawn = _parts(seen)[1]
    ended: set[Start] = set()
    for start, _ in _told_apart(shoe, seen):
        if start not in ended:
            ended.add(start)
            taken, player, banker = start
            ends = _ends(_without(shoe, taken), player, banker, drawn)
            yield from (kind for kind, ways in ends if ways)


Start = tuple[tuple[int, ...], Hand, Hand]
"""All that an ending can tell of the first four cards: what left the shoe, and both hands."""


def _told_apart(shoe: Composition, seen: Seen) -> Iterator[tuple[Start, int]]:
    begun, suited = _parts(seen)[0], shoe.cards is not None
    hidden = [place for place, known in enumerate(begun) if known is None]
    for cards, ways in _starts(shoe, begun):
        taken = tuple(sorted([cards[place].points for place in hidden]))
        yield (taken, _hand(cards[::2], suited), _hand(cards[1::2], suited)), ways


def possible_as_they_lie(shoe: Composition, coup: Coup, seen: Seen) -> Iterator[Kind]:
    """The same for hands that were misdealt and stay: they lie as they lie, and go on in turn."""
    left = Counter(shoe.ranks)

    def lay(laid: Coup) -> Iterator[Kind]:
        row, other = len(laid.player), len(laid.banker)
        if row < len(coup.player):
            side, known = Side.PLAYER, seen[coup.place(Side.PLAYER, row)]
        elif other < len(coup.banker):
            side, known = Side.BANKER, seen[coup.place(Side.BANKER, other)]
        else:
            going_on, known = next_side(laid), None
            if going_on is None:
                yield _hand(laid.player, False), _hand(laid.banker, False)
                return
            side = going_on
        if known is not None:
            yield from lay(laid.with_card(side, known))
            return
        for rank in [rank for rank, number in left.items() if number > 0]:
            left[rank] -= 1
            yield from lay(laid.with_card(side, Card(rank, Suit.SPADES)))
            left[rank] += 1

    return lay(Coup())


def _parts(seen: Seen) -> tuple[list[Card | None], tuple[int | None, ...]]:
    """The first four cards, and the values of those drawn after them."""
    begun = [*seen[:START], *[None] * (START - len(seen))]
    return begun, tuple(None if card is None else card.points for card in seen[START:])


def _without(shoe: Composition, values: Iterable[int]) -> list[int]:
    left = list(shoe.values)
    for value in values:
        left[value] -= 1
    return left


@cache
def _hand(cards: tuple[Card, ...], suited: bool) -> Hand:
    hand = Hand.of(cards)
    return hand if suited else hand._replace(suited_pair=False)


def _starts(shoe: Composition, begun: Seen) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every way to draw the first four cards, and how many orders it stands for."""
    if shoe.cards is not None:
        left = dict(shoe.cards)
    else:
        # Any card stands for its rank.
        left = {Card(rank, Suit.SPADES): number for rank, number in shoe.ranks.items()}

    def lay(cards: tuple[Card, ...], ways: int) -> Iterator[tuple[tuple[Card, ...], int]]:
        if len(cards) == START:
            yield cards, ways
            return
        known = begun[len(cards)]
        if known is not None:
            yield from lay((*cards, known), ways)
            return
        for card, number in left.items():
            if number:
                left[card] -= 1
                yield from lay((*cards, card), ways * number)
                left[card] += 1

    return lay((), 1)


def _ends(
    left: list[int], player: Hand, banker: Hand, drawn: tuple[int | None, ...]
) -> Iterator[tuple[Kind, int]]:
    """Every way the tableau ends a start, third cards already drawn being what they are."""
    total = sum(left)
    pairs = player.pair, player.suited_pair, banker.pair, banker.suited_pair
    for coming, unused, outline in _endings(player.points, banker.points, drawn):
        ways = perm(total - len(coming), unused)
        if coming:
            ways *= left[coming[0]]
        if len(coming) == 2:
            ways *= left[coming[1]] - (coming[0] == coming[1])
        yield _kind(outline, pairs), ways


@cache
def _endings(
    player: int, banker: int, drawn: tuple[int | None, ...]
) -> tuple[tuple[tuple[int, ...], int, int], ...]:
    """Endings by the points of both sides: third cards to come, cards then unused, the outline."""
    found = []
    for thirds, outline in endings_of()[player, banker]:
        known = [*drawn, *[None] * (len(thirds) - len(drawn))]
        # A card that was seen must be drawn; one that was not may be of any value.
        if len(drawn) <= len(thirds) and all(
            one in (None, value) for one, value in zip(known, thirds, strict=True)
        ):
            coming = tuple(value for one, value in zip(known, thirds, strict=True) if one is None)
            found.append((coming, FULL_COUP - START - len(thirds), outline))
    return tuple(found)


@cache
def _kind(outline: int, pairs: tuple[bool, bool, bool, bool]) -> Kind:
    player, banker = outlines()[outline]
    return (
        player._replace(pair=pairs[0], suited_pair=pairs[1]),
        banker._replace(pair=pairs[2], suited_pair=pairs[3]),
    )
