"""The derived roads: how regular the big road is, in red and blue.

Big Eye Boy, Small Road and Cockroach Pig are one rule that looks 1, 2 or 3
columns back, so there is one function and the road is its argument. Red means
regular and blue irregular; neither means Banker or Player.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from cutcard.roads.big import Streak
from cutcard.roads.grid import Cell, Grid, draw, place


class Derived(Enum):
    """The derived roads, each by the number of columns it looks back."""

    BIG_EYE = 1
    SMALL = 2
    COCKROACH = 3


class Mark(Enum):
    """One entry of a derived road."""

    RED = "R"
    BLUE = "B"


@dataclass(frozen=True, slots=True)
class DerivedRoad:
    """The marks in order of play, and the cell in which each is drawn."""

    marks: tuple[Mark, ...]
    cells: tuple[Cell, ...]

    @property
    def text(self) -> str:
        """The marks as one line, such as `RBB`."""
        return "".join(mark.value for mark in self.marks)

    @property
    def grid(self) -> Grid:
        return draw(zip(self.cells, self.text, strict=True))


def mark(left: Sequence[int], depth: int, road: Derived) -> Mark | None:
    """The mark for a win that brings its own column to `depth`, if there is one.

    `left` holds the depths of the columns to the left of that column.
    """
    back = road.value
    if depth == 1:
        # A new column: were the one just ended and the one compared equally deep?
        if len(left) < back + 1:
            return None
        return Mark.RED if left[-1] == left[-1 - back] else Mark.BLUE
    if len(left) < back:
        return None
    # Going one deeper than the compared column breaks the pattern; going on does not.
    return Mark.BLUE if depth == left[-back] + 1 else Mark.RED


def derived_road(columns: Sequence[Streak], road: Derived) -> DerivedRoad:
    """One derived road of a big road's logical columns."""
    depths = [streak.depth for streak in columns]
    earned = (
        mark(depths[:index], depth, road)
        for index, deepest in enumerate(depths)
        for depth in range(1, deepest + 1)
    )
    marks = tuple(one for one in earned if one is not None)
    return DerivedRoad(marks, place(marks))
