"""The commands of the lab: simulation.

numpy and Numba are imported only when one of these commands runs.
"""

import time
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from re import fullmatch
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from cutcard.cli.app import Book, Decks, Json, app, terminal, write
from cutcard.cli.draw.style import Figures, amount
from cutcard.odds.certificate import percent
from cutcard.refusals import Refusal
from cutcard.rulebooks import load

if TYPE_CHECKING:
    from cutcard.lab import Simulation

SOON = 2.0
"""Seconds after which somebody who waits is told what for."""

COMPILING = "One moment: code for this processor is fetched, or compiled at first use."

Seed = Annotated[int, typer.Option("--seed", help="The same seed deals the same shoes.")]
Cut = Annotated[int | None, typer.Option("--cut", help="Cards behind the cut card.")]
Threads = Annotated[int | None, typer.Option("--threads", help="One a processor if unsaid.")]
Dask = Annotated[
    str | None, typer.Option("--dask", help="A Dask cluster's scheduler: tcp://HOST:8786.")
]


@app.command()
def simulate(
    book: Book,
    rounds: Annotated[str, typer.Option("--rounds", help="How many, such as 1e9.")],
    seed: Seed = 1,
    threads: Threads = None,
    decks: Decks = None,
    cut: Cut = None,
    rounds_per_shoe: Annotated[
        int | None, typer.Option("--rounds-per-shoe", help="A fixed number, without a cut card.")
    ] = None,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Deal whole shoes at random, and set every bet beside its exact odds."""
    found, number = load(book), parse_rounds(rounds)
    # What is wrong with the wishes is said before anything is compiled.
    lab_is_there()
    from cutcard.lab import simulate as deal_many
    from cutcard.lab.simulation import plan

    wishes = {"decks": decks, "cut": cut, "rounds_per_shoe": rounds_per_shoe}
    plan(found, number, seed, **wishes)
    shown = Console(stderr=True, highlight=False, markup=False)
    with hands(dask) as executor:
        if executor is None:
            compile_first(shown)
        with running(shown, quiet=as_json) as bar:
            began = time.monotonic()
            run = deal_many(
                found, number, seed, threads=threads, executor=executor, told=bar, **wishes
            )
            seconds = time.monotonic() - began
    if as_json:
        write({**run.document(), "seconds": f"{seconds:.3f}"})
    else:
        terminal().print(drawn(run, seconds))


def parse_rounds(text: str) -> int:
    """A whole number: 1000000, 1,000,000, 1e6 or 2.5e9."""
    grouped = fullmatch(r"[0-9]{1,3}(?:[,_][0-9]{3})+", text)
    plain = text.replace(",", "").replace("_", "") if grouped else text
    written = fullmatch(r"([0-9]{1,15})(?:\.([0-9]{1,15}))?(?:[eE]\+?([0-9]{1,2}))?", plain)
    if written is not None:
        whole, part, power = written[1], written[2] or "", int(written[3] or 0)
        if len(part.rstrip("0")) <= power:
            return int(whole + part.ljust(power, "0")[:power])
    raise Refusal("lab/number", {"text": text})


def lab_is_there() -> None:
    """Refuse where the lab's packages are not installed."""
    if find_spec("numba") is None or find_spec("numpy") is None:
        raise Refusal("lab/not-installed")


@contextmanager
def hands(dask: str | None) -> Iterator[Executor | None]:
    """A cluster's workers if one is named; None stands for threads of this machine."""
    if dask is None:
        yield None
        return
    from cutcard.lab import cluster

    with cluster(dask) as executor:
        yield executor


def compile_first(shown: Console) -> None:
    """Compile what deals, or fetch it from the cache; who has to wait is told why."""
    from cutcard.lab.simulation import warm_up

    with ThreadPoolExecutor(1) as pool:
        ready = pool.submit(warm_up)
        if wait([ready], timeout=SOON).not_done:
            shown.print(COMPILING)
        ready.result()


def speed(rounds: int, seconds: float) -> str:
    """Rounds a second: in millions where there are some."""
    found = rounds / max(seconds, 1e-9)
    return f"{found / 1e6:,.0f} million" if found >= 1e6 else amount(round(found))


class Bar:
    """A bar with rounds a second and the time left."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=1.0, speed="")
        self._began = time.monotonic()

    def __call__(self, rounds: int, share: float) -> None:
        fast = speed(rounds, time.monotonic() - self._began)
        told = f"{amount(rounds)} rounds, {fast} a second"
        self._progress.update(self._task, completed=share, speed=told)


@contextmanager
def running(shown: Console, quiet: bool) -> Iterator[Bar | None]:
    """The bar while somebody watches; nothing where the output is for programs."""
    if quiet or not shown.is_terminal:
        with nullcontext():
            yield None
        return
    columns = (BarColumn(), TextColumn("{task.fields[speed]}"), TimeRemainingColumn())
    with Progress(*columns, console=shown, transient=True) as progress:
        yield Bar(progress)


def drawn(run: "Simulation", seconds: float) -> RenderableType:
    """The run for people."""
    shoe = run.plan
    procedure = (
        f"{shoe.fixed} rounds a shoe"
        if shoe.fixed
        else f"cut card {shoe.least if shoe.least == shoe.most else f'{shoe.least}–{shoe.most}'}"
        " from the end"
    )
    title = f"{run.book.name}, {shoe.decks} decks, {procedure}, seed {shoe.seed}: in per cent"
    headers = ("Bet", "Edge", "Std error", "Exact edge", "Difference", "In errors")
    rows = [
        (
            run.book.spots[spot].label,
            percent(result.simulated.edge),
            "–" if result.error is None else f"{result.error * 100:.4f}",
            percent(result.exact.edge),
            percent(-result.difference),
            "–" if result.errors is None else f"{-result.errors:+.2f}".replace("-", "−"),
        )
        for spot, result in run.results.items()
    ]
    told = (
        f"{amount(run.rounds)} rounds from {amount(run.shoes)} shoes, "
        f"{run.rounds / run.shoes:.2f} a shoe, in {seconds:.1f} s: "
        f"{speed(run.rounds, seconds)} rounds a second."
    )
    notes = [Text(told)]
    if all(result.error is None for result in run.results.values()):
        notes.append(Text("Too few shoes to tell a standard error: deal 100,000 rounds or more."))
    if run.stopped:
        notes.append(Text("Stopped early: this is the result so far.", style="yellow"))
    if not shoe.fixed:
        notes.append(
            Text(
                "Standard errors are taken over whole shoes. Up to a cut card the odds differ a "
                "little from those of a fresh shoe: see cutcard study cut-card."
            )
        )
    if any(run.book.stage_of(spot) for spot in run.results):
        notes.append(Text("A bet with a second stage always continues here."))
    return Group(Figures(headers, rows, title), *notes)
