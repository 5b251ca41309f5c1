"""The command that tests the shuffle: `cutcard rng test`."""

import os
from dataclasses import dataclass
from hashlib import sha256
from re import fullmatch
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from cutcard.cli.app import Json, app, terminal, write
from cutcard.cli.draw.style import amount, grid
from cutcard.fairness import Source
from cutcard.fairness.drbg import HmacDrbg
from cutcard.fairness.evidence import (
    LEVEL,
    Result,
    Results,
    examine,
    house_shoes,
    least,
    patrons_shoes,
)

DECKS = 8
MOST_SHOES = 1_000_000

rng = typer.Typer(help="The shuffle: evidence that it is even.")
app.add_typer(rng, name="rng")


@rng.callback()
def group() -> None:
    """The shuffle: evidence that it is even."""


@rng.command("test")
def examine_shuffle(
    shoes: Annotated[
        int, typer.Option("--shoes", min=2, max=MOST_SHOES, help="Shoes of either order.")
    ] = 500,
    seed: Annotated[
        str | None,
        typer.Option("--seed", help="Hexadecimal; else entropy of this machine is tested."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Test many shoes for evenness: positions, serial, runs, matches, duplicates, at 99 %."""
    source = source_of(seed)
    report = Report(
        seed,
        shoes,
        examine(house_shoes(source, DECKS, shoes), DECKS),
        examine(patrons_shoes(source, DECKS, shoes), DECKS),
    )
    if as_json:
        write(document(report))
    else:
        terminal().print(drawn(report))
    if not report.all_passed:
        raise typer.Exit(1)


@dataclass(frozen=True)
class Report:
    """What the tests found in either order; the seed runs them again."""

    seed: str | None
    shoes: int
    house: Results
    patrons: Results

    def passed(self, result: Result) -> bool:
        return result.p >= least(len(self.house) + len(self.patrons))

    @property
    def all_passed(self) -> bool:
        return all(map(self.passed, (*self.house, *self.patrons)))


def source_of(seed: str | None) -> Source:
    """Entropy of the operating system, or what a seed makes of itself, the same every time."""
    if seed is None:
        return Source(os.urandom)
    if not fullmatch(r"([0-9a-fA-F]{2}){1,64}", seed):
        raise typer.BadParameter("write 1 to 64 bytes in hexadecimal", param_hint="--seed")
    drbg = HmacDrbg(sha256(bytes.fromhex(seed)).digest(), b"", b"cutcard rng test 1")
    return Source(drbg.generate)


def document(report: Report) -> dict[str, object]:
    """The report for programs; chances are texts, because they are no exact numbers."""
    return {
        "seed": report.seed,
        "decks": DECKS,
        "shoes": report.shoes,
        "level": str(LEVEL),
        "passed": report.all_passed,
        "orders": {
            name: [
                {
                    "test": result.name,
                    "figure": f"{result.figure:.4f}",
                    "p": f"{result.p:.4g}",
                    "passed": report.passed(result),
                }
                for result in results
            ]
            for name, results in (("house", report.house), ("patrons", report.patrons))
        },
    }


def drawn(report: Report) -> RenderableType:
    """The report for people; what it does not show stands last."""
    source = "this machine's entropy" if report.seed is None else f"seed {report.seed}"
    title = f"{amount(report.shoes)} shoes of {DECKS} decks from {source}"
    table = grid("Test", "House's order", "p", "Patrons' order", "p", title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    for house, patrons in zip(report.house, report.patrons, strict=True):
        table.add_row(house.name, *_cells(report, house), *_cells(report, patrons))
    return Group(table, *_verdict(report))


def _cells(report: Report, result: Result) -> tuple[str, str | Text]:
    p = f"{result.p:.4f}"
    return f"{result.figure:,.2f}", p if report.passed(result) else Text(f"{p} FAILED", "red")


def _verdict(report: Report) -> list[Text]:
    tests = len(report.house) + len(report.patrons)
    told = (
        f"{tests} tests, together at the 99 % level: a sound shuffle fails one time in a hundred. "
        "They find gross faults. That nobody can know or choose an order, they cannot show: see "
        "docs/fairness.md."
    )
    if report.all_passed:
        return [Text("No test found the shuffle uneven."), Text(told)]
    again = "Run it again" if report.seed is None else "Look for the fault"
    return [Text(f"FAILED. {again}: a fault fails every time.", style="red"), Text(told)]
