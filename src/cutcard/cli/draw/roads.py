"""The roads, side by side as far as the terminal is wide."""

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from cutcard.cli.draw.style import BLUE, GREEN, RED
from cutcard.roads import ROWS, Answer, Ask, Counts, Ring, Roads, breadth, draw, offset, window
from cutcard.roads.result import LETTERS

LETTER = {"B": RED, "P": BLUE, "T": GREEN}

# Shapes differ as well as colours, so that the roads can be read without them.
MARKS = {"big_eye": "○◎", "small": "●◆", "cockroach": "╱╲"}

CELL = 2
FRAME = 4
"""Characters of a cell, and of a panel's frame."""


def roads(board: Roads, width: int) -> RenderableType:
    """All roads, side by side as far as the terminal is wide; the newest columns are kept."""
    shown = (width - FRAME) // CELL
    bead = draw((one.cell, LETTERS[one.result.winner]) for one in board.bead)
    panels = [
        _framed("Bead plate", [[_letter(one) for one in row] for row in window(bead, shown)]),
        _framed("Big road, digits are ties", _rings(board.big, shown)),
    ]
    panels += [
        _framed(name, [[_mark(one, road) for one in row] for row in window(drawn.grid, shown)])
        for name, road, drawn in (
            ("Big eye boy", "big_eye", board.big_eye),
            ("Small road", "small", board.small),
            ("Cockroach pig", "cockroach", board.cockroach),
        )
    ]
    return Group(Columns(panels), _asked(board.ask), _tally(board.counts), "")


def _framed(title: str, rows: Sequence[Sequence[Text]]) -> RenderableType:
    lines = [Text().join(row) for row in rows]
    width = max(len(title) + 2, lines[0].cell_len)
    for line in lines:
        line.pad_right(width - line.cell_len)
    return Panel(Group(*lines), title=title, title_align="left", border_style="dim", expand=False)


def _letter(letter: str) -> Text:
    return Text(letter.replace(".", "·").ljust(CELL), style=LETTER.get(letter, "dim"))


def _mark(letter: str, road: str) -> Text:
    shapes = MARKS[road]
    shape, style = {"R": (shapes[0], RED), "B": (shapes[1], BLUE)}.get(letter, ("·", "dim"))
    return Text(shape.ljust(CELL), style=style)


def _rings(rings: Sequence[Ring], shown: int) -> list[list[Text]]:
    columns = breadth(ring.cell for ring in rings)
    first = offset(columns, shown)
    drawn = [[_letter(".") for _ in range(first, columns)] for _ in range(ROWS)]
    for ring in rings:
        if ring.cell.col >= first:
            letter = "·" if ring.winner is None else LETTERS[ring.winner]
            drawn[ring.cell.row][ring.cell.col - first] = Text.assemble(
                (letter, LETTER.get(letter, "dim")), (_ties(ring.ties), GREEN)
            )
    return drawn


def _ties(number: int) -> str:
    """One character: none, a digit, or a plus for ten and more."""
    return " " if number == 0 else str(number) if number < 10 else "+"


def _asked(ask: Ask) -> Text:
    """What each lower road would receive if Banker or Player came next."""

    def answers(answer: Answer) -> list[Text]:
        roads = (
            ("big_eye", answer.big_eye),
            ("small", answer.small),
            ("cockroach", answer.cockroach),
        )
        return [_mark(mark.value if mark else ".", road) for road, mark in roads]

    return Text.assemble(
        ("If Banker comes next: ", RED),
        *answers(ask.banker),
        ("  if Player: ", BLUE),
        *answers(ask.player),
    )


def _tally(counts: Counts) -> Text:
    red, blue = ("/".join(marks[place] for marks in MARKS.values()) for place in (0, 1))
    return Text.assemble(
        ("Banker ", RED),
        f"{counts.banker}  ",
        ("Player ", BLUE),
        f"{counts.player}  ",
        ("Tie ", GREEN),
        f"{counts.tie}   ",
        (f"{red} red, {blue} blue; history, no forecast", "dim"),
    )
