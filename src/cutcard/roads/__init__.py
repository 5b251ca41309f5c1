"""The roads: how a table shows the results of its shoe so far.

Every road is a pure function of the whole list of results. Nothing is kept
from one round to the next, so a corrected result redraws every road and no
drawing can drift from the rounds behind it. Void rounds are not results, and
a new shoe is an empty list. Roads are history: they predict nothing.
"""

from cutcard.roads.ask import Answer, Ask
from cutcard.roads.bead import Bead, bead_plate
from cutcard.roads.big import Ring, Streak, big_road, streaks
from cutcard.roads.counts import Counts, count
from cutcard.roads.derived import Derived, DerivedRoad, Mark, derived_road
from cutcard.roads.grid import ROWS, Cell, Column, Grid, Row, breadth, draw, offset, place, window
from cutcard.roads.result import Result, parse
from cutcard.roads.scoreboard import Roads, roads

__all__ = [
    "ROWS",
    "Answer",
    "Ask",
    "Bead",
    "Cell",
    "Column",
    "Counts",
    "Derived",
    "DerivedRoad",
    "Grid",
    "Mark",
    "Result",
    "Ring",
    "Roads",
    "Row",
    "Streak",
    "bead_plate",
    "big_road",
    "breadth",
    "count",
    "derived_road",
    "draw",
    "offset",
    "parse",
    "place",
    "roads",
    "streaks",
    "window",
]
