"""The command that runs a floor and lets the auditor judge it."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from cutcard.cli.app import Json, app, terminal, write
from cutcard.cli.draw.style import amount, gain, grid
from cutcard.floor.floor import Tally
from cutcard.floor.simulation import Report, simulate
from cutcard.rulebooks import rulebooks

MOST_TABLES = 200
SHOWN = 20
"""So many findings are shown; the first says most."""


@app.command()
def floor(
    seed: Annotated[int, typer.Option("--seed", help="The same seed runs the same floor.")],
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds over all tables.")],
    tables: Annotated[
        int | None, typer.Option("--tables", min=1, max=MOST_TABLES, help="One a book if unsaid.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run a floor of random patrons, staff and crashes, and audit every event of it."""
    report = simulate(seed, rounds, rulebooks(), tables)
    if as_json:
        write(document(report))
    else:
        terminal().print(drawn(report))
    if not report.agreed:
        raise typer.Exit(1)


def document(report: Report) -> dict[str, object]:
    """The report for programs."""
    return {
        "seed": report.seed,
        "rounds": report.rounds,
        "events": report.events,
        "crashes": report.crashes,
        "foreseen": report.foreseen,
        "agreed": report.agreed,
        "findings": [str(one) for one in report.findings],
        "failure": report.failure,
        "tables": {
            name: {
                "book": tally.book,
                "rounds": tally.rounds,
                "voids": tally.voids,
                "bets": tally.bets,
                "corrections": tally.corrections,
                "incidents": dict(tally.incidents.most_common()),
                "steps": dict(tally.steps.most_common()),
                "staked": tally.staked,
                "bought_in": tally.bought_in,
                "cashed_out": tally.cashed_out,
                "house": report.won[name],
                "refusals": dict(tally.refusals.most_common()),
            }
            for name, tally in report.tables.items()
        },
        "elsewhere": report.elsewhere,
    }


def drawn(report: Report) -> RenderableType:
    """The report for people: the verdict stands last, where the eye ends."""
    return Group(_by_book(report), _wrong(report), _refusals(report), _verdict(report))


def _by_book(report: Report) -> RenderableType:
    title = f"A floor of {len(report.tables)} tables, seed {report.seed}"
    play = grid("Book", "Rounds", "Void", "Bets", "Refused", title=title)
    money = grid("Book", "Staked", "Bought in", "Cashed out", "House", title="Money")
    for column in (*play.columns[1:], *money.columns[1:]):
        column.justify = "right"
    for book in dict.fromkeys(tally.book for tally in report.tables.values()):
        names = [name for name, tally in report.tables.items() if tally.book == book]
        tallies = [report.tables[name] for name in names]
        play.add_row(
            Text(book, style="bold"),
            *(_sum(tallies, figure) for figure in ("rounds", "voids", "bets")),
            amount(refused(tallies).total()),
        )
        money.add_row(
            Text(book, style="bold"),
            *(_sum(tallies, figure) for figure in ("staked", "bought_in", "cashed_out")),
            gain(sum(report.won[name] for name in names)),
        )
    return Group(play, money)


def _sum(tallies: Iterable[Tally], figure: str) -> str:
    return amount(sum(getattr(one, figure) for one in tallies))


def _wrong(report: Report) -> RenderableType:
    incidents = together(one.incidents for one in report.tables.values())
    steps = together(one.steps for one in report.tables.values())
    wrong = _counted("Went wrong", incidents, "What went wrong, by kind")
    return Group(wrong, _counted("Step", steps, "How it was put right"))


def _refusals(report: Report) -> RenderableType:
    counted = refused(report.tables.values()) + Counter(report.elsewhere)
    return _counted("Refused", counted, "Refusals by code")


def _counted(heading: str, counted: Counter[str], title: str) -> RenderableType:
    """What was counted, the most frequent first, in two columns."""
    table = grid(heading, "Times", heading, "Times", title=title)
    rows = sorted(counted.items(), key=lambda one: (-one[1], one[0]))
    half = (len(rows) + 1) // 2
    for place in range(half):
        right = rows[half + place] if half + place < len(rows) else ("", 0)
        left = rows[place]
        table.add_row(left[0], amount(left[1]), right[0], amount(right[1]) if right[0] else "")
    return table


def refused(tallies: Iterable[Tally]) -> Counter[str]:
    """Refusals of many tables together."""
    return together(one.refusals for one in tallies)


def together(counted: Iterable[Counter[str]]) -> Counter[str]:
    return sum(counted, Counter())


def _verdict(report: Report) -> RenderableType:
    bets = sum(tally.bets for tally in report.tables.values())
    wrong = together(one.incidents for one in report.tables.values()).total()
    lines = [
        f"{amount(report.rounds)} rounds, {amount(bets)} bets, {amount(report.events)} events, "
        f"{amount(wrong)} incidents, {report.crashes} crashes survived."
    ]
    if report.agreed:
        lines.append("The auditor agrees with every event and every balance.")
        return Text("\n".join(lines))
    lines += [str(one) for one in report.findings[:SHOWN]]
    more = len(report.findings) - SHOWN
    lines += [f"… and {more} more."] if more > 0 else []
    lines += [report.failure] if report.failure else []
    again = f"cutcard floor --seed {report.seed} --rounds {report.asked}"
    again += f" --tables {len(report.tables)}"
    lines.append(f"FAILED with seed {report.seed}. Again: {again}")
    return Text("\n".join(lines), style="red")
