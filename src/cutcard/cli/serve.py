"""The commands that run a venue: serve, and what belongs to it."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.table import Table as Grid

from cutcard.cli.app import app, terminal, write

if TYPE_CHECKING:
    from cutcard.server.config import Config
    from cutcard.server.running import Running

DEMONSTRATION = "cutcard-demo"
"""The folder in which a demonstration keeps its database and keys."""

Database = Annotated[str | None, typer.Option("--database", help="sqlite:PATH or postgresql://…")]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", help="The configuration; without it a demonstration.")
]


@app.command()
def serve(
    database: Database = None,
    config: ConfigFile = None,
    host: Annotated[str | None, typer.Option("--host", help="Where to listen.")] = None,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535)] = None,
    tls_cert: Annotated[Path | None, typer.Option("--tls-cert", help="A certificate.")] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", help="Its key.")] = None,
    logs: Annotated[
        Literal["debug", "info", "warning", "error"],
        typer.Option("--logs", help="What is told at the least."),
    ] = "info",
) -> None:
    """Run a floor: tables, terminals, money, proofs. Without a configuration, a demonstration."""
    from cutcard.server.running import serve as run

    if config is None:
        # Whatever the database is, a demonstration keeps its keys there.
        Path(DEMONSTRATION).mkdir(exist_ok=True)
    chosen = configured(database, config, host, port, tls_cert, tls_key, new=True)
    told = _demonstrated if config is None else _announced
    run(chosen, told, logs=logs)


@app.command()
def openapi() -> None:
    """Print the description of the API (OpenAPI 3.1), for programs that speak to a server."""
    from cutcard.server.description import document

    write(asyncio.run(document()))


def configured(
    database: str | None,
    config: Path | None,
    host: str | None = None,
    port: int | None = None,
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    *,
    new: bool = False,
) -> "Config":
    """The configuration in a file, or the demonstration's, with what the command line says.

    Only who may make a new venue may name a database that is not there.
    """
    from cutcard.server.config import demonstration, load
    from cutcard.store.opening import check_there

    if config is not None:
        found = load(config)
    else:
        folder = Path(DEMONSTRATION)
        if new and database is None:
            folder.mkdir(exist_ok=True)
        found = demonstration()
        kept = replace(
            found.server,
            database=f"sqlite:{folder / 'cutcard.db'}",
            keys=str(folder / "cutcard.keys"),
        )
        found = replace(found, server=kept)
    given = {
        "database": database,
        "host": host,
        "port": port,
        "tls_cert": None if tls_cert is None else str(tls_cert),
        "tls_key": None if tls_key is None else str(tls_key),
    }
    changes = {name: value for name, value in given.items() if value is not None}
    if ("tls_cert" in changes) != ("tls_key" in changes):
        raise typer.BadParameter("--tls-cert and --tls-key belong together")
    chosen = replace(found, server=replace(found.server, **changes))  # type: ignore[arg-type]
    if not new:
        check_there(chosen.server.database)
    return chosen


def _announced(running: "Running") -> None:
    from cutcard.server.cautions import cautions

    console = terminal()
    for caution in cautions(running.server.config):
        console.print(caution.message(running.server.config.venue.language), style="yellow")
    console.print(f"{running.server.config.venue.name} is open at {running.url}")


async def _people(running: "Running") -> None:
    from cutcard.server.demonstration import people

    grid = Grid("sign in as", "password", "who", box=None, pad_edge=False)
    for one in await people(running.server):
        grid.add_row(one.name, one.password, one.role)
    terminal().print(grid)
    terminal().print("Stop with Ctrl-C: rounds under way are finished first.")


def _demonstrated(running: "Running") -> None:
    _announced(running)
    running.server.keep(_people(running))


@app.command()
def backup(
    to: Annotated[Path, typer.Argument(help="A file that does not exist yet.")],
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Write a whole copy of a venue's database into one file, also while it runs."""
    asyncio.run(_backup(configured(database, config).server.database, to))
    terminal().print(f"{to} holds the whole venue. The key file is not in it: keep it elsewhere.")


async def _backup(address: str, to: Path) -> None:
    from cutcard.store import open_store

    store = open_store(address)
    # A copy made before an upgrade must not be the upgrade.
    await store.open(as_it_is=True)
    try:
        await store.ping()
        await store.backup(str(to))
    finally:
        await store.close()


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Put a backup into an empty database of either engine."""
    address = configured(database, config, new=True).server.database
    asyncio.run(_restore(file, address))
    terminal().print("Everything is back. Check it: cutcard audit verify --database …")


async def _restore(file: Path, address: str) -> None:
    from cutcard.store import open_store
    from cutcard.store.copying import restore as put_back

    store = open_store(address)
    try:
        await put_back(str(file), store, opens=True)
    finally:
        await store.close()
