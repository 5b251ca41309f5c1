"""The grid: six rows of cells on which every road is drawn.

All roads but the bead plate draw streaks in the same way, so `place` is the
one function that knows about dragon tails. It sees symbols only, and does not
care whether they are winners or marks. Columns and rows are counted from 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NewType

ROWS = 6

# Two types, so that a column can never be passed where a row is meant.
Column = NewType("Column", int)
Row = NewType("Row", int)

# Six strings of equal length, row by row, with "." for an empty cell.
Grid = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One place on a grid."""

    col: Column
    row: Row

    @property
    def right(self) -> "Cell":
        return Cell(Column(self.col + 1), self.row)

    @property
    def below(self) -> "Cell":
        return Cell(self.col, Row(self.row + 1))


ORIGIN = Cell(Column(0), Row(0))


def place(symbols: Iterable[object]) -> tuple[Cell, ...]:
    """The cell of each symbol: a streak runs down, then right as a dragon tail.

    A streak starts at the first free top cell to the right of the previous
    streak's start, which may be above a running tail.
    """
    taken: dict[Cell, None] = {}  # a dict, because it keeps the order of play
    top = ORIGIN
    for _, streak in groupby(symbols):
        while top in taken:
            top = top.right
        cell, turned = top, False
        for _ in streak:
            # An older tail that reached this cell would have stopped the streak before it.
            assert cell not in taken
            taken[cell] = None
            # Once turned, a streak keeps to its row, even past the end of the tail below it.
            turned = turned or cell.row + 1 == ROWS or cell.below in taken
            cell = cell.right if turned else cell.below
    return tuple(taken)


def breadth(cells: Iterable[Cell]) -> int:
    """How many columns these cells are drawn over."""
    return max((cell.col + 1 for cell in cells), default=0)


def draw(letters: Iterable[tuple[Cell, str]]) -> Grid:
    """The grid with one letter in each given cell."""
    drawn = dict(letters)
    columns = range(breadth(drawn))
    return tuple(
        "".join(drawn.get(Cell(Column(col), Row(row)), ".") for col in columns)
        for row in range(ROWS)
    )


def offset(columns: int, width: int) -> Column:
    """The first column shown when the last `width` of so many columns are.

    Whole columns leave on the left, so a result never changes its row.
    """
    return Column(max(0, columns - width))


def window(grid: Grid, width: int) -> Grid:
    """The last `width` columns of a grid; a narrower grid is shown as it is."""
    return tuple(row[offset(len(row), width) :] for row in grid)
