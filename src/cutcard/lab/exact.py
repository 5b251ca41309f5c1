"""Exact counts of many shoes: how many orders of each settle every bet by each of its lines.

The same numbers as `cutcard.odds.kinds`, in machine integers and in closed form. Third cards
are taken out of the shoe first; what remains then decides both hands of two cards at once. With
v[a] cards of value a there are

    T[i] = Σ_a v[a] (v[i-a] - [2a = i])

ordered hands of two cards with i points, and the ways to have i and j points on both sides are
all T[i] T[j], less those in which one card would lie on both sides:

    A[i, j] = T[i] T[j] - 4 Σ_a v[a] w[i, a] w[j, a] + 2 [i = j] T[i]

with w[i, a] = v[i-a] - [2a = i]. A side with a pair has its two cards taken out before the
third cards are. Whether third cards are drawn, and what kind of coup that makes, is read from
the tableau's own endings. Totals stay below 2^53 for eight decks, so nothing overflows.
"""

from functools import cache
from typing import Any

import numpy as np

from cutcard.lab.compiled import compiled, inlined
from cutcard.lab.ways import PAIRS
from cutcard.odds.kinds import endings_of, outlines
from cutcard.rules.cards import Rank

Array = Any


@cache
def endings() -> tuple[Any, ...]:
    """Which outline follows from points and third cards; -1 where the tableau has no such end.

    Four tables, by the points of both sides: nobody draws; the Player draws x; the Banker
    draws y; both draw.
    """
    none = np.full((10, 10), -1, np.int16)
    player = np.full((10, 10, 10), -1, np.int16)
    banker = np.full((10, 10, 10), -1, np.int16)
    both = np.full((10, 10, 10, 10), -1, np.int16)
    for (i, j), ends in endings_of().items():
        for thirds, outline in ends:
            if len(thirds) == 2:
                both[i, j, thirds[0], thirds[1]] = outline
            elif not thirds:
                none[i, j] = outline
            elif outlines()[outline][0].cards == 3:
                player[i, j, thirds[0]] = outline
            else:
                banker[i, j, thirds[0]] = outline
    return none, player, banker, both


VALUE_OF = np.array([rank.points for rank in Rank], np.int64)


@compiled
def count_lines(
    ranks: Array,
    suited: Array,
    twice_suited: Array,
    values: Array,
    none: Array,
    player: Array,
    banker: Array,
    both: Array,
    line_of: Array,
    looks_at_pairs: Array,
    lines: int,
) -> Array:
    """For each shoe the orders that each line settles.

    `ranks` counts cards, `suited` the ordered suited pairs, and `twice_suited` two such pairs,
    of each rank.
    """
    shoes, outline_count = len(ranks), line_of.shape[1]
    found = np.zeros((shoes, lines), np.int64)
    table = np.empty((outline_count, PAIRS), np.int64)
    # Values go round: the eleventh is the first again.
    v = np.empty(20, np.int64)
    weights = np.empty((10, 2), np.int64)
    twice = np.empty((10, 10, 4), np.int64)
    for shoe in range(shoes):
        for value in range(20):
            v[value] = 0
        for rank in range(13):
            add(v, values[rank], ranks[shoe, rank])
        for outline in range(outline_count):
            for column in range(PAIRS):
                table[outline, column] = 0
        count_any(v, none, player, banker, both, table)
        weigh_pairs(ranks[shoe], suited[shoe], twice_suited[shoe], values, weights, twice)
        count_one_pair(v, weights, none, player, banker, both, table)
        count_two_pairs(v, twice, none, player, banker, both, table)
        for bet in range(len(line_of)):
            if looks_at_pairs[bet]:
                for outline in range(outline_count):
                    add_kinds(table[outline], line_of[bet, outline], found[shoe])
            else:
                for outline in range(outline_count):
                    found[shoe, line_of[bet, outline, 0]] += table[outline, 0]
    return found


@inlined
def add(v: Array, value: int, cards: int) -> None:
    v[value] += cards
    v[value + 10] += cards


@inlined
def copied(v: Array, to: Array) -> int:
    """Copy a shoe, and say how many cards it holds."""
    total = 0
    for value in range(20):
        to[value] = v[value]
    for value in range(10):
        total += v[value]
    return total


@inlined
def add_kinds(cells: Array, line_of: Array, found: Array) -> None:
    """From hands counted as any, pair, suited to hands that hold no, a plain, a suited pair."""
    for p in range(3):
        for b in range(3):
            orders = cells[3 * p + b]
            if b < 2:
                orders -= cells[3 * p + b + 1]
            if p < 2:
                orders -= cells[3 * p + 3 + b]
            if p < 2 and b < 2:
                orders += cells[3 * p + 3 + b + 1]
            found[line_of[3 * p + b]] += orders


@compiled
def count_totals(v: Array, totals: Array) -> None:
    """T: how many ordered hands of two cards have each total."""
    for i in range(10):
        ways = 0
        for a in range(10):
            ways += v[a] * v[i + 10 - a]
        totals[i] = ways
    for a in range(10):
        # One card cannot be drawn twice.
        totals[2 * a % 10] -= v[a]


@inlined
def take_from_totals(v: Array, totals: Array, card: int, without: Array) -> None:
    """T for a shoe that has lost one card of a value; `v` is the shoe before."""
    for i in range(10):
        without[i] = totals[i] - 2 * v[i + 10 - card]
    without[2 * card % 10] += 2


@compiled
def count_hands(v: Array, others: Array, hands: Array, most: int, most_other: int) -> None:
    """A: the ways in which both sides have each two totals, up to some totals."""
    for i in range(10):
        for a in range(10):
            others[i, a] = v[i + 10 - a]
    for a in range(10):
        others[2 * a % 10, a] -= 1
    for i in range(most_other + 1):
        total = 0
        for a in range(10):
            total += v[a] * others[i, a]
        hands[i, 10] = total
    for i in range(most + 1):
        for j in range(i, most_other + 1):
            shared = 0
            for a in range(10):
                shared += v[a] * others[i, a] * others[j, a]
            hands[i, j] = hands[i, 10] * hands[j, 10] - 4 * shared
        hands[i, i] += 2 * hands[i, 10]
        for j in range(i + 1, most + 1):
            hands[j, i] = hands[i, j]


@compiled
def count_any(
    v: Array, none: Array, player: Array, banker: Array, both: Array, table: Array
) -> None:
    """Orders by outline, whatever the hands are."""
    left = np.empty(20, np.int64)
    total = copied(v, left)
    others = np.empty((10, 10), np.int64)
    # The eleventh column holds the totals of one hand.
    hands = np.zeros((10, 11), np.int64)
    count_hands(left, others, hands, 9, 9)
    after = (total - 4) * (total - 5)
    for i in range(10):
        for j in range(10):
            if none[i, j] >= 0:
                table[none[i, j], 0] += after * hands[i, j]
    for x in range(10):
        if v[x] <= 0:
            continue
        add(left, x, -1)
        count_hands(left, others, hands, 7, 7)
        ways = v[x] * (total - 5)
        for i in range(8):
            for j in range(8):
                if player[i, j, x] >= 0:
                    table[player[i, j, x], 0] += ways * hands[i, j]
                if banker[i, j, x] >= 0:
                    table[banker[i, j, x], 0] += ways * hands[i, j]
        # Both orders of two third cards leave the same shoe behind.
        for y in range(x, 10):
            ways = v[x] * left[y]
            if ways <= 0:
                continue
            add(left, y, -1)
            count_hands(left, others, hands, 5, 6)
            add(left, y, 1)
            for i in range(6):
                for j in range(7):
                    orders = ways * hands[i, j]
                    if both[i, j, x, y] >= 0:
                        table[both[i, j, x, y], 0] += orders
                    if x != y and both[i, j, y, x] >= 0:
                        table[both[i, j, y, x], 0] += orders
        add(left, x, 1)


@inlined
def weigh_pairs(
    ranks: Array, suited: Array, twice_suited: Array, values: Array, weights: Array, twice: Array
) -> None:
    """In how many ways two cards of a value are a pair, and a suited one; and both sides' cards."""
    for value in range(10):
        weights[value, 0] = 0
        weights[value, 1] = 0
        for other in range(10):
            for place in range(4):
                twice[value, other, place] = 0
    for one in range(13):
        n = ranks[one]
        weights[values[one], 0] += n * (n - 1)
        weights[values[one], 1] += suited[one]
    for one in range(13):
        for other in range(13):
            cells = twice[values[one], values[other]]
            n, m = ranks[one], ranks[other]
            if one != other:
                cells[0] += n * (n - 1) * m * (m - 1)
                cells[1] += n * (n - 1) * suited[other]
                cells[2] += suited[one] * m * (m - 1)
                cells[3] += suited[one] * suited[other]
            else:
                cells[0] += n * (n - 1) * (n - 2) * (n - 3)
                cells[1] += suited[one] * (n - 2) * (n - 3)
                cells[2] += suited[one] * (n - 2) * (n - 3)
                cells[3] += twice_suited[one]


@inlined
def add_pair(table: Array, outline: int, column: int, orders: int, weights: Array) -> None:
    if outline >= 0:
        table[outline, column] += weights[0] * orders
        table[outline, 2 * column] += weights[1] * orders


@compiled
def count_one_pair(
    v: Array, weights: Array, none: Array, player: Array, banker: Array, both: Array, table: Array
) -> None:
    """Orders in which the Player has a pair (column 3), or the Banker (column 1)."""
    left = np.empty(20, np.int64)
    total = copied(v, left)
    totals = np.empty(10, np.int64)
    then = np.empty(10, np.int64)
    last = np.empty(10, np.int64)
    for a in range(10):
        ways = weights[a]
        if ways[0] == 0:
            continue
        add(left, a, -2)
        pair = 2 * a % 10
        count_totals(left, totals)
        for j in range(10):
            orders = (total - 4) * (total - 5) * totals[j]
            add_pair(table, none[pair, j], 3, orders, ways)
            add_pair(table, none[j, pair], 1, orders, ways)
        for x in range(10):
            if pair > 7 or left[x] <= 0:
                continue
            take_from_totals(left, totals, x, then)
            for j in range(8):
                orders = left[x] * (total - 5) * then[j]
                add_pair(table, player[pair, j, x], 3, orders, ways)
                add_pair(table, banker[pair, j, x], 3, orders, ways)
                add_pair(table, player[j, pair, x], 1, orders, ways)
                add_pair(table, banker[j, pair, x], 1, orders, ways)
            number = left[x]
            add(left, x, -1)
            for y in range(10):
                take_from_totals(left, then, y, last)
                for j in range(7):
                    orders = number * left[y] * last[j]
                    add_pair(table, both[pair, j, x, y], 3, orders, ways)
                    add_pair(table, both[j, pair, x, y], 1, orders, ways)
            add(left, x, 1)
        add(left, a, 2)


@inlined
def add_pairs(table: Array, outline: int, orders: int, weights: Array) -> None:
    if outline >= 0:
        table[outline, 4] += weights[0] * orders
        table[outline, 5] += weights[1] * orders
        table[outline, 7] += weights[2] * orders
        table[outline, 8] += weights[3] * orders


@compiled
def count_two_pairs(
    v: Array, twice: Array, none: Array, player: Array, banker: Array, both: Array, table: Array
) -> None:
    """Orders in which both sides have a pair."""
    left = np.empty(20, np.int64)
    total = copied(v, left)
    for a in range(10):
        for c in range(10):
            ways = twice[a, c]
            if ways[0] == 0:
                continue
            i, j = 2 * a % 10, 2 * c % 10
            add(left, a, -2)
            add(left, c, -2)
            add_pairs(table, none[i, j], (total - 4) * (total - 5), ways)
            for x in range(10):
                add_pairs(table, player[i, j, x], left[x] * (total - 5), ways)
                add_pairs(table, banker[i, j, x], left[x] * (total - 5), ways)
                number = left[x]
                add(left, x, -1)
                for y in range(10):
                    add_pairs(table, both[i, j, x, y], number * left[y], ways)
                add(left, x, 1)
            add(left, a, 2)
            add(left, c, 2)
