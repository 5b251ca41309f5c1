"""The commands that audit a venue's database."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from cutcard.cli.app import Json, app, terminal, write
from cutcard.cli.serve import Database

if TYPE_CHECKING:
    from cutcard.server.audit import Audit

audit = typer.Typer(help="Work a venue's whole database out again.", no_args_is_help=True)
app.add_typer(audit, name="audit")


@audit.command()
def verify(
    database: Database = None,
    config: Annotated[
        Path | None, typer.Option("--config", help="The venue's configuration, and its keys.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Read every log, balance and voucher, in use or a copy, and say exactly what is wrong."""
    from cutcard.server.audit import verify as audited

    address, keys = database, None
    if config is not None:
        from cutcard.chain.signing import public_key
        from cutcard.server.config import load
        from cutcard.server.keys import read_keys

        settings = load(config).server
        address = database or settings.database
        keys = [public_key(read_keys(settings.keys).signing)]
    if address is None:
        raise typer.BadParameter("name a database or a configuration", param_hint="--database")
    found = asyncio.run(audited(address, keys))
    if as_json:
        write(found.document())
    else:
        terminal().print(drawn(found))
    if not found.holds:
        raise typer.Exit(1)


def drawn(found: "Audit") -> Text:
    """The audit for people: what was found stands first, what it comes to stands last."""
    page = Text()
    for finding in found.findings:
        page.append(f"✗ {finding}\n", style="red")
    page.append(
        f"{'✓' if found.holds else '·'} {found.logs} logs with {found.records:,} records, "
        f"{found.rounds:,} rounds, {found.heads:,} signed heads.\n"
        f"{'✓' if found.holds else '·'} {found.entries:,} entries on {found.accounts:,} accounts, "
        f"which add up to {found.total}.\n"
    )
    for sentence in found.remarks:
        page.append(f"! {sentence}\n", style="yellow")
    speed = found.records / found.seconds if found.seconds else 0
    page.append(f"{found.seconds:.1f} seconds, {speed:,.0f} records a second.\n")
    if found.holds:
        page.append("Everything in this database holds.", style="bold green")
    else:
        number = len(found.findings)
        what = "1 thing is" if number == 1 else f"{number} things are"
        page.append(f"This database does not hold: {what} wrong.", style="bold red")
    return page
