"""Makes the studies that numbers.md shows: `python docs/make_studies.py [NAME…]`, minutes of work.

Each is written as a table and a picture into docs/studies, from a fixed seed, so that anybody can
make the same files again. Afterwards `python docs/make_numbers.py` puts them on the page.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from cutcard.lab import (
    Limits,
    counting,
    cut_card_effect,
    distribution,
    per_hour,
    ruin,
    simulate,
)
from cutcard.lab.pictures import standalone
from cutcard.lab.sheet import Sheet
from cutcard.odds.certificate import Grid, percent
from cutcard.odds.sheets import table
from cutcard.rulebooks import load

FOLDER = Path(__file__).with_name("studies")
ROUNDS = 1_000_000_000


class Study(Protocol):
    def sheet(self) -> Sheet: ...


STUDIES: dict[str, Callable[[], Study]] = {
    "per-hour": lambda: per_hour(load("online-baccarat"), 100, 70),
    "distribution": lambda: distribution(load("rws-commission"), "banker", 600),
    "ruin": lambda: ruin(
        load("rws-commission"), "banker", Limits(10_000, 100, 100, 10_000), 500, sessions=20_000
    ),
    "counting": lambda: counting(load("online-baccarat"), 1_000, 1),
    "cut-card": lambda: cut_card_effect(load("rws-knockout"), 40_000, 1, cut=14),
}


def written(sheet: Sheet, name: str) -> str:
    """A study as the page shows it."""
    tables = [table(grid) for grid in sheet.grids]
    picture = f"![{sheet.title}](studies/{name}.svg)"
    return "\n\n".join([f"**{sheet.title}.**", *tables, *sheet.notes, picture]) + "\n"


def simulated() -> str:
    """A long run, with the cut card and without, beside the exact odds."""
    book = load("rws-knockout")
    fixed = simulate(book, ROUNDS, 1, rounds_per_shoe=60)
    whole = simulate(book, ROUNDS, 1, cut=14)
    rows = tuple(
        (
            book.spots[spot].label,
            percent(one.exact.edge, 4),
            percent(one.simulated.edge, 4),
            f"{-(one.errors or 0):+.2f}",
            percent(whole.results[spot].simulated.edge, 4),
            f"{-(whole.results[spot].errors or 0):+.2f}",
        )
        for spot, one in fixed.results.items()
    )
    headers = (
        "Bet", "Exact edge %", "60 rounds a shoe %", "in std errors", "To the cut card %",
        "in std errors",
    )  # fmt: skip
    told = (
        f"{fixed.rounds:,} rounds from {fixed.shoes:,} shoes of 60 rounds each, and "
        f"{whole.rounds:,} rounds from {whole.shoes:,} shoes dealt to a cut card 14 from the end "
        f"({whole.rounds / whole.shoes:.2f} a shoe); {book.name}, eight decks, seed 1. Standard "
        "errors are taken over whole shoes. Antes always continue."
    )
    return f"{told}\n\n{table(Grid(headers, rows, 1))}\n"


def main(names: list[str]) -> None:
    for name in names or [*STUDIES, "simulation"]:
        if name == "simulation":
            text = simulated()
        else:
            sheet = STUDIES[name]().sheet()
            text = written(sheet, name)
            (FOLDER / f"{name}.svg").write_text(standalone(sheet.picture), encoding="utf-8")
        (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
