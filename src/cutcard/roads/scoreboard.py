"""The scoreboard: all roads of one shoe together, and their JSON form.

`roads` is the one entry point for the table and the command line. The
document is plain lists, strings and numbers, so that it can be sent, stored
and compared without knowing any type of this room.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cutcard.roads.ask import Answer, Ask, ask
from cutcard.roads.bead import Bead, bead_plate
from cutcard.roads.big import Ring, big_road, streaks
from cutcard.roads.counts import Counts, count
from cutcard.roads.derived import Derived, DerivedRoad, Mark, derived_road
from cutcard.roads.grid import draw
from cutcard.roads.result import LETTERS, Result


@dataclass(frozen=True, slots=True)
class Roads:
    """Everything the display shows about the results of one shoe."""

    bead: tuple[Bead, ...]
    big: tuple[Ring, ...]
    big_eye: DerivedRoad
    small: DerivedRoad
    cockroach: DerivedRoad
    ask: Ask
    counts: Counts

    def document(self) -> dict[str, object]:
        """The roads as JSON; a grid is six strings, row by row, "." where empty."""
        beads = ((bead.cell, LETTERS[bead.result.winner]) for bead in self.bead)
        return {
            "bead": list(draw(beads)),
            "big": [_ring(ring) for ring in self.big],
            "big_eye": _derived(self.big_eye),
            "small": _derived(self.small),
            "cockroach": _derived(self.cockroach),
            "ask": {"banker": _answer(self.ask.banker), "player": _answer(self.ask.player)},
        }


def roads(results: Sequence[Result]) -> Roads:
    """All roads of one shoe, from its results in order of play."""
    columns = streaks(results)
    return Roads(
        bead=bead_plate(results),
        big=big_road(results),
        big_eye=derived_road(columns, Derived.BIG_EYE),
        small=derived_road(columns, Derived.SMALL),
        cockroach=derived_road(columns, Derived.COCKROACH),
        ask=ask(results),
        counts=count(results),
    )


def _ring(ring: Ring) -> dict[str, object]:
    return {
        "col": ring.cell.col,
        "row": ring.cell.row,
        "winner": None if ring.winner is None else LETTERS[ring.winner],
        "ties": ring.ties,
    }


def _derived(road: DerivedRoad) -> dict[str, object]:
    return {"marks": road.text, "grid": list(road.grid)}


def _answer(answer: Answer) -> dict[str, object]:
    return {
        "big_eye": _letter(answer.big_eye),
        "small": _letter(answer.small),
        "cockroach": _letter(answer.cockroach),
    }


def _letter(mark: Mark | None) -> str | None:
    return None if mark is None else mark.value
