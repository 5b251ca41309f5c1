"""The tableau: when each side draws a third card.

The rule is kept exactly as rulebooks print it, so that a reader can lay the
page beside the screen and compare them cell by cell. D draws, S stands, N is a
natural, on which neither side draws. The Banker's columns are the points of the
Player's third card (ten and pictures are 0); the last column, -, is the
Banker's rule when the Player stands on 6 or 7.
"""

from functools import cache

PLAYER_TABLE = """
    P   0 1 2 3 4 5 6 7 8 9
    -   D D D D D D S S N N
"""

BANKER_TABLE = """
    B   0 1 2 3 4 5 6 7 8 9 -
    0   D D D D D D D D D D D
    1   D D D D D D D D D D D
    2   D D D D D D D D D D D
    3   D D D D D D D D S D D
    4   S S D D D D D D S S D
    5   S S S S D D D D S S D
    6   S S S S S S D D S S S
    7   S S S S S S S S S S S
    8   N N N N N N N N N N N
    9   N N N N N N N N N N N
"""


def parse(table: str) -> dict[tuple[str, str], str]:
    """Read a printed table into its cells: (row, column) → letter."""
    header, *rows = (line.split() for line in table.strip().splitlines())
    return {
        (row[0], column): letter
        for row in rows
        for column, letter in zip(header[1:], row[1:], strict=True)
    }


_PLAYER = parse(PLAYER_TABLE)
_BANKER = parse(BANKER_TABLE)


@cache
def is_natural(points: int) -> bool:
    """Do these two-card points end the deal for both sides?"""
    return _PLAYER["-", str(points)] == "N"


@cache
def player_draws(points: int) -> bool:
    """Does a Player hand of these two-card points draw, nobody having a natural?"""
    return _PLAYER["-", str(points)] == "D"


@cache
def banker_draws(points: int, player_third: int | None) -> bool:
    """Does a Banker hand draw, given the points of the Player's third card (None: stood)?"""
    column = "-" if player_third is None else str(player_third)
    return _BANKER[str(points), column] == "D"
