"""The readable truth: the same figures as `cutcard.odds`, by walking every card.

Nothing here is clever, and nothing here knows `cutcard.odds`. The tableau's three
questions, one loop for each card of a coup, and whole numbers.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import perm

from cutcard.rulebooks import load
from cutcard.rules.cards import Card, Rank
from cutcard.rules.coup import Coup
from cutcard.rules.facts import Hand, Value
from cutcard.rules.paytable import Line, PayTable
from cutcard.rules.rulebook import Rulebook, Spot
from cutcard.rules.tableau import banker_draws, is_natural, player_draws

Kind = tuple[Hand, Hand]

POINTS = {rank: rank.points for rank in Rank}


def count_kinds_naively(ranks: Mapping[Rank, int]) -> dict[Kind, int]:
    """How many orders of six cards give each kind of coup, rank by rank, suits unseen."""
    left = {rank: number for rank, number in ranks.items() if number}
    total, counts = sum(left.values()), Counter[Kind]()
    for p1, b1, p2, b2 in product(left, repeat=4):
        ways = 1
        for rank in (p1, b1, p2, b2):
            ways *= left[rank]
            left[rank] -= 1
        if ways:
            player, banker = (POINTS[p1] + POINTS[p2]) % 10, (POINTS[b1] + POINTS[b2]) % 10
            for p3, b3, more in third_cards(player, banker, left):
                kind = hand(player, p3, p1 is p2), hand(banker, b3, b1 is b2)
                used = kind[0].cards + kind[1].cards
                counts[kind] += ways * more * perm(total - used, 6 - used)
        for rank in (p1, b1, p2, b2):
            left[rank] += 1
    return dict(+counts)


def third_cards(
    player: int, banker: int, left: dict[Rank, int]
) -> Iterator[tuple[int | None, int | None, int]]:
    """The points of the third cards that follow two-card points, and in how many ways."""
    if is_natural(player) or is_natural(banker):
        yield None, None, 1
    elif not player_draws(player):
        for b3, ways in drawn(banker_draws(banker, None), left):
            yield None, b3, ways
    else:
        for rank, number in left.items():
            left_then = {**left, rank: number - 1}
            for b3, ways in drawn(banker_draws(banker, POINTS[rank]), left_then):
                yield POINTS[rank], b3, number * ways


def drawn(draws: bool, left: dict[Rank, int]) -> list[tuple[int | None, int]]:
    """One card of what is left, or none."""
    return [(POINTS[rank], number) for rank, number in left.items()] if draws else [(None, 1)]


@cache
def hand(two_cards: int, third: int | None, pair: bool) -> Hand:
    return Hand(
        points=(two_cards + (third or 0)) % 10,
        cards=2 if third is None else 3,
        natural=is_natural(two_cards),
        pair=pair,
        suited_pair=False,
    )


def deal_every_order(left: Iterable[Card], begun: Coup | None = None) -> Iterator[Coup]:
    """Every coup that a few cards can give, one for each order of six in all."""
    on_table = (begun or Coup()).dealt
    for more in permutations(left, 6 - len(on_table)):
        yield Coup.deal((*on_table, *more))


def count_every_order(left: Iterable[Card], begun: Coup | None = None) -> dict[Kind, int]:
    """The kinds of those coups."""
    coups = deal_every_order(left, begun)
    return dict(Counter((Hand.of(coup.player), Hand.of(coup.banker)) for coup in coups))


def without_suits(counts: Mapping[Kind, int]) -> dict[Kind, int]:
    """The same kinds with no pair counted as suited."""
    gathered = Counter[Kind]()
    for (player, banker), orders in counts.items():
        plain = player._replace(suited_pair=False), banker._replace(suited_pair=False)
        gathered[plain] += orders
    return dict(gathered)


# Books that pay otherwise


def pays(odds: str, **when: Value | tuple[Value, ...]) -> Line:
    """A pay line as somebody else might read it: `pays("20", winner="banker")`."""
    listed = {name: value if isinstance(value, tuple) else (value,) for name, value in when.items()}
    return Line(listed, Fraction(odds), Fraction(0), "misread")


def with_spot(book: Rulebook, spot: Spot) -> Rulebook:
    return replace(book, spots={**book.spots, spot.id: spot})


def with_lines(book: Rulebook, spot: str, *lines: Line) -> Rulebook:
    """The book with one bet paying by other lines."""
    return with_spot(book, replace(book.spots[spot], table=PayTable(lines)))


def with_each_line(book: Rulebook, spot: str, change: Callable[[Line], Line]) -> Rulebook:
    """The book with every line of a bet changed."""
    return with_lines(book, spot, *map(change, book.spots[spot].table.lines))


def losing_tie(line: Line) -> Line:
    """The line, but that a tie loses instead of pushing."""
    return replace(line, odds=Fraction(-1)) if line.when.get("winner") == ("tie",) else line


def hard_knockout() -> Rulebook:
    """Knockout whose winning Banker Wager only comes back, so that some Antes are best declined."""
    return with_each_line(
        load("rws-knockout"),
        "wager_banker",
        lambda line: replace(line, odds=min(line.odds, Fraction(0))),
    )
