"""What all pages share: one table style, three colours, signs on every gain and loss.

Colour never carries a meaning alone: a letter, a sign or a shape says it too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

RED, BLUE, GREEN = "bold red", "bold blue", "bold green"
WINNER = {"banker": RED, "player": BLUE, "tie": GREEN}


def grid(*columns: str, title: str | None = None) -> Table:
    """The one table style of the command line."""
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    table.header_style = "dim"
    for column in columns:
        # A word too long for its column goes on in the next line; nothing is cut off.
        table.add_column(column, overflow="fold")
    return table


@dataclass(frozen=True)
class Figures:
    """Names and figures. Headers and names are broken between words, figures nowhere.

    Columns for which there is no room stand below, beside the names again.
    """

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str | None = None
    names: int = 1

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        title, start, end = self.title, self.names, len(self.headers)
        while start < end:
            stop = end
            while stop > start + 1 and self._missing(start, stop, options.max_width) > 0:
                stop -= 1
            yield self._part(start, stop, options.max_width, title)
            title, start = None, stop

    def _places(self, start: int, stop: int) -> list[int]:
        return [*range(self.names), *range(start, stop)]

    def _missing(self, start: int, stop: int, room: int) -> int:
        """How much too wide the columns are, broken wherever they can be."""
        return _together([self._widths(place)[0] for place in self._places(start, stop)]) - room

    def _widths(self, place: int) -> tuple[int, int]:
        """The longest word of a column, and its longest cell."""
        cells = [self.headers[place], *(row[place] for row in self.rows)]
        words = (word for cell in cells for word in cell.split())
        return max(map(cell_len, words), default=0), max(map(cell_len, cells))

    def _part(self, start: int, stop: int, room: int, title: str | None) -> Table:
        places = self._places(start, stop)
        table = grid(*(self.headers[place] for place in places), title=title)
        widths = [self._widths(place) for place in places]
        over = _together([whole for _, whole in widths]) - room
        # Where not even the words fit, everything is folded.
        fits = self._missing(start, stop, room) <= 0
        for column, (least, whole) in reversed(list(zip(table.columns, widths, strict=True))):
            spared = min(max(over, 0), whole - least)
            over -= spared
            column.width = whole - spared if fits else None
        for column in table.columns[self.names :]:
            column.justify = "right"
        for row in self.rows:
            first, *others = (row[place] for place in places)
            table.add_row(Text(first, style="bold"), *others)
        return table


def _together(widths: Sequence[int]) -> int:
    """The width of a table: a blank at both sides of each cell and between cells."""
    return sum(widths) + 3 * len(widths) + 1


def amount(value: int, signed: bool = False) -> str:
    return f"{value:+,}".replace("-", "−") if signed else f"{value:,}"


def gain(value: int) -> Text:
    """A net result; the sign says what the colour says."""
    return Text(amount(value, signed=True), style="green" if value > 0 else "red" if value else "")
