"""The bead plate: every round in its order, ties too, six to a column.

It is the only road on which no round is folded into another one's cell, and
so the only one that shows the pairs of a tied round.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cutcard.roads.grid import ROWS, Cell, Column, Row
from cutcard.roads.result import Result


@dataclass(frozen=True, slots=True)
class Bead:
    """One round on the plate."""

    cell: Cell
    result: Result


def bead_plate(results: Iterable[Result]) -> tuple[Bead, ...]:
    """One bead for each round, down the columns from left to right."""
    return tuple(
        Bead(Cell(Column(index // ROWS), Row(index % ROWS)), result)
        for index, result in enumerate(results)
    )
