"""Counting: how many orders of the shoe give each kind of coup, exactly.

A kind is all that any bet can tell of a coup (see `rules.facts`). There are
10^15 orders of six cards and 1,417 kinds, so orders are never walked. Three
ideas make the count short:

*   Order does not matter to a count, so both third cards may be taken out of
    the shoe before the hands are.
*   The tableau looks at points only. One side's two cards are walked by value;
    how often the other side then has each total is a convolution.
*   Pairs come by inclusion and exclusion, from hands of any two cards, hands
    that are a pair, and hands that are a suited pair.

Everything is an integer, and the sum over all kinds is the number of orders.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from math import perm
from operator import add, mul

from cutcard.odds.composition import Composition
from cutcard.rules.cards import Card, Rank, Suit, points
from cutcard.rules.coup import Side
from cutcard.rules.facts import Hand, coups_by_value, unpaired
from cutcard.rules.shoe import FULL_COUP

VALUES = range(10)

Kind = tuple[Hand, Hand]
"""All that a bet can tell of a coup; an outline is a kind with both pairs left out."""

Counts = dict[Kind, int]
Thirds = tuple[int, ...]
"""Values of the third cards that were drawn: none, one or two."""


@cache
def outlines() -> tuple[Kind, ...]:
    """Every kind there is but for pairs; counting goes by their places in this list."""
    found = {(unpaired(coup.player), unpaired(coup.banker)): None for coup in coups_by_value()}
    return tuple(found)


@cache
def endings_of() -> Mapping[tuple[int, int], tuple[tuple[Thirds, int], ...]]:
    """How coups end: by the two-card points of both sides, the third cards and the outline."""
    place = {outline: number for number, outline in enumerate(outlines())}
    found: dict[tuple[int, int], list[tuple[Thirds, int]]] = defaultdict(list)
    for coup in coups_by_value():
        thirds = tuple(card.points for card in (*coup.player[2:], *coup.banker[2:]))
        outline = place[unpaired(coup.player), unpaired(coup.banker)]
        found[points(coup.player[:2]), points(coup.banker[:2])].append((thirds, outline))
    return {totals: tuple(ends) for totals, ends in found.items()}


@cache
def endings(walked: Side) -> Mapping[int, Mapping[Thirds, tuple[tuple[int, int], ...]]]:
    """The same by the walked side's points and the third cards: the other's points, the outline."""
    found: dict[int, dict[Thirds, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for totals, ends in endings_of().items():
        own, other = totals if walked is Side.PLAYER else totals[::-1]
        for thirds, outline in ends:
            found[own][thirds].append((other, outline))
    return {
        own: {thirds: tuple(ends) for thirds, ends in by_thirds.items()}
        for own, by_thirds in found.items()
    }


def count_kinds(shoe: Composition) -> Counts:
    """How many orders of six cards give each kind of coup.

    Without suits no pair is counted as suited.
    """
    walk = Walk(shoe.values)
    # For each outline nine counts: by the Player's hand (any, pair, suited), then the Banker's.
    table = [[orders, *[0] * 8] for orders in walk.hands(Side.PLAYER, any_hands(shoe.values))]
    for value, (pairs, suited) in enumerate(pair_weights(shoe)):
        for side, stride in ((Side.PLAYER, 3), (Side.BANKER, 1)):
            counted = walk.hands(side, [((value, value), 1)])
            for cells, orders in zip(table, counted, strict=True):
                cells[stride] += pairs * orders
                cells[2 * stride] += suited * orders
    for (player, banker), weights in both_pairs(shoe).items():
        for outline, orders in walk.two_pairs(player, banker):
            for place, weight in zip((4, 5, 7, 8), weights, strict=True):
                table[outline][place] += weight * orders
    return {
        (paired(player, p), paired(banker, b)): orders
        for (player, banker), cells in zip(outlines(), table, strict=True)
        for (p, b), orders in _exactly(cells)
        if orders
    }


def count_by_first_card(shoe: Composition) -> dict[int, Counts]:
    """The same by the value of the first card, with pairs left out."""
    walk = Walk(shoe.values)
    by_first: dict[int, Counts] = {}
    for first in VALUES:
        hands = [hand for hand in ordered_hands(shoe.values) if hand[0][0] == first]
        counted = zip(outlines(), walk.hands(Side.PLAYER, hands), strict=True)
        by_first[first] = {outline: orders for outline, orders in counted if orders}
    return by_first


Hands = Iterable[tuple[tuple[int, int], int]]
"""Two-card hands by the values of their cards, and in how many ways each can be had."""


def any_hands(values: tuple[int, ...]) -> Hands:
    """Every hand of two cards, in either order."""
    for (one, other), ways in ordered_hands(values):
        if one <= other:
            yield (one, other), ways if one == other else 2 * ways


def ordered_hands(values: tuple[int, ...]) -> Hands:
    """Every hand of two cards, first card first."""
    for one, other in product(VALUES, VALUES):
        yield (one, other), values[one] * (values[other] - (one == other))


class Walk:
    """Walks one side's two cards through a shoe, and counts what becomes of the coup."""

    def __init__(self, values: tuple[int, ...]) -> None:
        self.values = values
        total = sum(values)
        # A coup of four or five cards can be followed by any others, to make six.
        self._unused = [perm(total - used, FULL_COUP - used) for used in (4, 5, 6)]
        self._totals: dict[tuple[int, ...], list[int]] = {}

    def hands(self, side: Side, hands: Hands) -> list[int]:
        """Orders by outline, when a side has one of these hands and the other any."""
        counts = [0] * len(outlines())
        for hand, weight in hands:
            if weight == 0:
                continue
            rest = self.without(hand)
            for thirds, ends in endings(side)[sum(hand) % 10].items():
                ways, left = self.draw(rest, thirds)
                if ways:
                    totals, orders = self.totals(left), weight * ways
                    for other, outline in ends:
                        counts[outline] += orders * totals[other]
        return counts

    def two_pairs(self, player: int, banker: int) -> Iterator[tuple[int, int]]:
        """Outlines and orders, when both sides have a given pair of these values."""
        rest = self.without((player, player, banker, banker))
        for thirds, outline in endings_of()[2 * player % 10, 2 * banker % 10]:
            yield outline, self.draw(rest, thirds)[0]

    def without(self, hands: tuple[int, ...]) -> list[int]:
        """The shoe without these cards."""
        left = list(self.values)
        for value in hands:
            left[value] -= 1
        return left

    def draw(self, rest: list[int], thirds: Thirds) -> tuple[int, tuple[int, ...]]:
        """In how many ways the third cards, and what a coup leaves of six, can follow."""
        left, ways = rest.copy(), self._unused[len(thirds)]
        for value in thirds:
            ways *= left[value]
            left[value] -= 1
        return ways, tuple(left)

    def totals(self, left: tuple[int, ...]) -> list[int]:
        """How many ordered two-card hands of what is left have each total, 0 to 9."""
        known = self._totals.get(left)
        if known is None:
            mirrored = left[::-1] * 2
            known = [sum(map(mul, left, mirrored[9 - t : 19 - t])) for t in VALUES]
            for value, number in enumerate(left):
                # One card cannot be drawn twice.
                known[2 * value % 10] -= number
            self._totals[left] = known
        return known


def pair_weights(shoe: Composition) -> list[tuple[int, int]]:
    """For each value, in how many ways two cards of it are a pair, and a suited pair."""
    return [
        (
            sum(perm(shoe.ranks[rank], 2) for rank in ranks),
            sum(_suited(shoe, rank) for rank in ranks),
        )
        for ranks in _RANKS_OF
    ]


def both_pairs(shoe: Composition) -> dict[tuple[int, int], list[int]]:
    """For each two values, in how many ways both sides have a pair of them.

    Four numbers: pair and pair, pair and suited, suited and pair, both suited.
    """
    found = {(player, banker): [0] * 4 for player, banker in product(VALUES, VALUES)}
    single = {rank: (perm(shoe.ranks[rank], 2), _suited(shoe, rank)) for rank in Rank}
    for one, other in product(Rank, repeat=2):
        if one is other:
            ways = _same_rank_twice(shoe, one)
        else:
            ways = [player * banker for player in single[one] for banker in single[other]]
        cells = found[one.points, other.points]
        cells[:] = map(add, cells, ways)
    return found


def _same_rank_twice(shoe: Composition, rank: Rank) -> list[int]:
    n, suited = shoe.ranks[rank], _suited(shoe, rank)
    with_other = suited * (n - 2) * (n - 3)
    # Two suited pairs of one rank: of two suits, or four equal cards.
    both = sum(perm(c, 2) * (suited - perm(c, 2)) + perm(c, 4) for c in _copies(shoe, rank))
    return [perm(n, 4), with_other, with_other, both]


def _suited(shoe: Composition, rank: Rank) -> int:
    return sum(perm(copies, 2) for copies in _copies(shoe, rank))


def _copies(shoe: Composition, rank: Rank) -> list[int]:
    """How many cards of each suit a rank has; none are known in a shoe given by rank."""
    return [shoe.cards.get(Card(rank, suit), 0) for suit in Suit] if shoe.cards else []


_RANKS_OF = [[rank for rank in Rank if rank.points == value] for value in VALUES]


def _exactly(cells: list[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """From hands counted as any, pair, suited to hands that hold no, a plain, a suited pair."""
    rows = [_no_more(*cells[start : start + 3]) for start in (0, 3, 6)]
    for b in range(3):
        for p, orders in enumerate(_no_more(rows[0][b], rows[1][b], rows[2][b])):
            yield (p, b), orders


def _no_more(any_hand: int, pair: int, suited: int) -> tuple[int, int, int]:
    return any_hand - pair, pair - suited, suited


def paired(hand: Hand, pair: int) -> Hand:
    """A hand that holds no pair (0), a plain one (1) or a suited one (2)."""
    return hand if pair == 0 else hand._replace(pair=True, suited_pair=pair == 2)
