"""The command for a full house: bots that play in people's names."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from cutcard.cli.app import Json, app, terminal, write
from cutcard.cli.people import MOST_PEOPLE, PREFIX, Password

if TYPE_CHECKING:
    from cutcard.client.bots import Tally

SHOWN = 20


@app.command()
def bots(
    url: Annotated[str, typer.Argument(help="Where the server is.")],
    password: Password,
    patrons: Annotated[int, typer.Option("--patrons", min=1, max=MOST_PEOPLE)] = 10,
    seconds: Annotated[float, typer.Option("--seconds", min=1, max=86_400)] = 60,
    tables: Annotated[
        list[str] | None,
        typer.Option("--tables", help="Which tables; all that deal by themselves."),
    ] = None,
    prefix: Annotated[str, typer.Option("--prefix", help="Names are this and a number.")] = PREFIX,
    seed: Annotated[int, typer.Option("--seed", help="The same seed has the same habits.")] = 1,
    as_json: Json = False,
) -> None:
    """Let patrons of simple habits play, and check that their money is what they were told."""
    import httpx

    from cutcard.client import RefusedError
    from cutcard.client.bots import run

    names = [f"{prefix}{number}" for number in range(1, patrons + 1)]
    try:
        tally = asyncio.run(run(url, names, password, seconds, tables or (), seed))
    except RefusedError as refused:
        raise typer.BadParameter(f"{refused.sentence} [{refused.code}]") from None
    except (httpx.TransportError, httpx.InvalidURL, OSError) as error:
        why = str(error) or type(error).__name__
        raise typer.BadParameter(f"{url} does not answer: {why}") from None
    if as_json:
        write(document(tally))
    else:
        show(tally)
    if tally.findings:
        raise typer.Exit(1)


def document(tally: "Tally") -> dict[str, object]:
    """What the bots saw, for programs."""
    return {
        "bets": tally.bets,
        "rounds": tally.rounds,
        "seconds": round(tally.seconds, 3),
        "bets_per_second": round(tally.bets / tally.seconds, 1) if tally.seconds else 0.0,
        "acknowledged_ms": {
            "p50": round(tally.within(0.5) * 1000, 1),
            "p99": round(tally.within(0.99) * 1000, 1),
        },
        "refused": dict(tally.refused.most_common()),
        "reconnects": tally.reconnects,
        "findings": tally.findings,
    }


def show(tally: "Tally") -> None:
    console = terminal()
    rate = tally.bets / tally.seconds if tally.seconds else 0.0
    console.print(f"{tally.bets:,} bets in {tally.seconds:.1f} s, {rate:,.1f} a second")
    console.print(
        f"acknowledged: half within {tally.within(0.5) * 1000:.0f} ms, "
        f"99 of 100 within {tally.within(0.99) * 1000:.0f} ms"
    )
    console.print(f"{tally.rounds:,} results told, {tally.reconnects} attempts to connect again")
    for code, count in tally.refused.most_common():
        console.print(f"  refused {count:,} × {code}")
    for one in tally.findings[:SHOWN]:
        console.print(one, style="red")
    if not tally.findings:
        console.print("Everybody's money is what they were told.")
