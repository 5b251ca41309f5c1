"""What all pages share: one table style, three colours, signs on every gain and loss.

Colour never carries a meaning alone: a letter, a sign or a shape says it too.
"""

from rich import box
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


def amount(value: int, signed: bool = False) -> str:
    return f"{value:+,}".replace("-", "−") if signed else f"{value:,}"


def gain(value: int) -> Text:
    """A net result; the sign says what the colour says."""
    return Text(amount(value, signed=True), style="green" if value > 0 else "red" if value else "")
