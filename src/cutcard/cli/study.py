"""The studies of the lab: `cutcard study`, each a table for people, JSON, and a picture."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Protocol

import typer
from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, Progress, TimeRemainingColumn
from rich.text import Text

from cutcard.cli.app import Book, Decks, Json, app, spot_typed, terminal, write
from cutcard.cli.draw.style import Figures
from cutcard.cli.lab import COMPILING, SOON, Cut, Dask, Seed, Threads, hands, lab_is_there
from cutcard.rulebooks import load
from cutcard.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from cutcard.lab.sheet import Sheet
    from cutcard.lab.work import Told

Picture = Annotated[Path | None, typer.Option("-o", "--output", help="Where to draw it: x.svg.")]
Bet = Annotated[str, typer.Option("--bet", help="The spot that is bet on.")]

study = typer.Typer(help="Studies: what betting comes to, by formula or by simulation.")
app.add_typer(study, name="study")


class Study(Protocol):
    """What every study can do."""

    def document(self) -> dict[str, object]: ...

    def sheet(self) -> "Sheet": ...


@study.callback()
def group() -> None:
    """Studies: what betting comes to, by formula or by simulation."""


@study.command("per-hour")
def per_hour(
    book: Book,
    stake: Annotated[int, typer.Option("--stake", help="What is bet each round.")] = 100,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds an hour.")] = 70,
    decks: Decks = None,
    output: Picture = None,
    as_json: Json = False,
) -> None:
    """What a patron pays an hour, bet by bet: exactly."""
    found = checked(book, output)
    from cutcard.lab import per_hour as work_out

    tell(work_out(found, stake, rounds, decks), output, as_json)


@study.command()
def distribution(
    book: Book,
    bet: Bet = "banker",
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds that are played.")] = 100,
    decks: Decks = None,
    output: Picture = None,
    as_json: Json = False,
) -> None:
    """How likely each result of flat betting is after so many rounds: exactly."""
    found = checked(book, output)
    from cutcard.lab import distribution as work_out

    tell(work_out(found, spot_typed(found, bet), rounds, decks), output, as_json)


@study.command()
def ruin(
    book: Book,
    bet: Bet = "banker",
    system: Annotated[
        list[str] | None, typer.Option("--system", help="A betting system, repeatable.")
    ] = None,
    bankroll: Annotated[int, typer.Option("--bankroll", help="What the patron brings.")] = 10_000,
    unit: Annotated[int, typer.Option("--unit", help="One unit of the system.")] = 100,
    minimum: Annotated[int, typer.Option("--minimum", help="The table's least bet.")] = 100,
    maximum: Annotated[int, typer.Option("--maximum", help="The table's highest bet.")] = 10_000,
    goal: Annotated[int, typer.Option("--goal", help="Leaves with so much; 0: never.")] = 0,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds of a session.")] = 500,
    sessions: Annotated[int, typer.Option("--sessions", help="Sessions of each system.")] = 10_000,
    seed: Seed = 1,
    decks: Decks = None,
    threads: Threads = None,
    dask: Dask = None,
    output: Picture = None,
    as_json: Json = False,
) -> None:
    """Bankroll and ruin by betting system, under a table's limits: simulated, flat also exact."""
    found = checked(book, output)
    from cutcard.lab import Limits
    from cutcard.lab import ruin as work_out
    from cutcard.lab.systems import SYSTEMS

    with hands(dask) as executor, watched(as_json) as told:
        made = work_out(
            found,
            spot_typed(found, bet),
            Limits(bankroll, unit, minimum, maximum, goal),
            rounds,
            system or tuple(SYSTEMS),
            sessions,
            seed,
            decks,
            executor,
            threads,
            told,
        )
    tell(made, output, as_json)


Shoes = Annotated[int, typer.Option("--shoes", help="Shoes that are looked through.")]


@study.command()
def counting(
    book: Book,
    bet: Annotated[str | None, typer.Option("--bet", help="The bet of the picture.")] = None,
    shoes: Shoes = 500,
    seed: Seed = 1,
    decks: Decks = None,
    cut: Cut = None,
    threads: Threads = None,
    dask: Dask = None,
    output: Picture = None,
    as_json: Json = False,
) -> None:
    """How often and how much a perfect counter gains, bet by bet: exact values, real shoes."""
    found = checked(book, output)
    from cutcard.lab import counting as work_out

    spot = None if bet is None else spot_typed(found, bet)
    with hands(dask) as executor, watched(as_json) as told:
        made = work_out(found, shoes, seed, spot, decks, cut, executor, threads, told)
    tell(made, output, as_json)


@study.command("cut-card")
def cut_card(
    book: Book,
    shoes: Shoes = 5_000,
    seed: Seed = 1,
    decks: Decks = None,
    cut: Cut = None,
    threads: Threads = None,
    dask: Dask = None,
    output: Picture = None,
    as_json: Json = False,
) -> None:
    """How odds averaged up to a cut card differ from a fresh shoe's."""
    found = checked(book, output)
    from cutcard.lab import cut_card_effect as work_out

    with hands(dask) as executor, watched(as_json) as told:
        made = work_out(found, shoes, seed, decks, cut, executor, threads, told)
    tell(made, output, as_json)


def checked(book: str, output: Path | None) -> Rulebook:
    """The book, if its study can be made and its picture drawn."""
    if output is not None and output.suffix.lower() != ".svg":
        raise typer.BadParameter("a picture is written as .svg", param_hint="-o")
    found = load(book)
    lab_is_there()
    return found


@contextmanager
def watched(quiet: bool) -> Iterator["Told"]:
    """A bar while somebody watches, who is told why it does not move at first."""
    shown = Console(stderr=True, highlight=False)
    patience = Timer(SOON, lambda: shown.print(COMPILING))
    patience.start()
    bar = Progress(
        BarColumn(),
        TimeRemainingColumn(),
        console=shown,
        transient=True,
        disable=quiet or not shown.is_terminal,
    )
    task = bar.add_task("", total=1.0)

    def told(share: float) -> None:
        patience.cancel()
        bar.update(task, completed=share)

    try:
        with bar:
            yield told
    finally:
        patience.cancel()


def tell(made: Study, output: Path | None, as_json: bool) -> None:
    """Write a study, and draw its picture if it is wanted."""
    sheet = made.sheet()
    if output is not None:
        from cutcard.lab.pictures import standalone

        try:
            output.write_text(standalone(sheet.picture), encoding="utf-8")
        except OSError as error:
            raise typer.BadParameter(f"{output}: {error.strerror}", param_hint="-o") from None
    if as_json:
        picture = {} if output is None else {"picture": str(output)}
        write({**made.document(), **picture})
    else:
        terminal().print(drawn(sheet))
        if output is not None:
            terminal().print(f"Drawn in {output}.")


def drawn(sheet: "Sheet") -> RenderableType:
    """A study for people."""
    parts: list[RenderableType] = [Text(sheet.title, style="bold")]
    for table in sheet.grids:
        parts.append(Figures(table.headers, table.rows, names=table.figures))
    return Group(*parts, *(Text(note) for note in sheet.notes))
