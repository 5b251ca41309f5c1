"""The big road: streaks of Banker and Player wins, with ties folded in.

The logical columns, here called streaks, come first and the drawing second:
a streak of nine has depth nine, however its dragon tail is drawn. The derived
roads read the streaks and never the drawing.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from cutcard.roads.grid import ORIGIN, Cell, place
from cutcard.roads.result import Result
from cutcard.rules.coup import Winner


@dataclass(frozen=True, slots=True)
class Streak:
    """One logical column: wins of one side in a row, ties ignored."""

    winner: Winner
    depth: int


@dataclass(frozen=True, slots=True)
class Ring:
    """One cell of the big road; the winner is None while it holds only ties.

    The pairs are those of the round that took the cell. A tied round's pairs
    show on the bead plate alone.
    """

    cell: Cell
    winner: Winner | None
    ties: int
    player_pair: bool = False
    banker_pair: bool = False


def streaks(results: Iterable[Result]) -> tuple[Streak, ...]:
    """The logical columns: ties neither start nor end one."""
    winners = (result.winner for result in results if result.winner is not Winner.TIE)
    return tuple(Streak(winner, len(list(wins))) for winner, wins in groupby(winners))


def big_road(results: Sequence[Result]) -> tuple[Ring, ...]:
    """One ring for each Banker or Player win, in order of play."""
    wins = [result for result in results if result.winner is not Winner.TIE]
    ties = _ties(results)
    if ties and not wins:
        return (Ring(ORIGIN, None, ties[0]),)
    return tuple(
        Ring(cell, win.winner, ties[index], win.player_pair, win.banker_pair)
        for index, (cell, win) in enumerate(zip(place(w.winner for w in wins), wins, strict=True))
    )


def _ties(results: Iterable[Result]) -> Counter[int]:
    """How many ties each ring carries, by its index in order of play."""
    ties: Counter[int] = Counter()
    rings = 0
    for result in results:
        if result.winner is not Winner.TIE:
            rings += 1
        else:
            # Ties before the first win wait in its cell and stay with it.
            ties[max(0, rings - 1)] += 1
    return ties
