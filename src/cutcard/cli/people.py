"""The commands about people: who may sign in, and as what.

A venue begins with nobody in it. Whoever has the database adds the first person here; the
rest is done at the consoles. A password is never typed where others can read it: it is asked
for, or read from a pipe.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from cutcard.cli.app import Json, app, terminal, write
from cutcard.cli.serve import ConfigFile, Database, configured
from cutcard.refusals import LANGUAGES, Refusal

if TYPE_CHECKING:
    from pathlib import Path

    from cutcard.server.signin import SignIn
    from cutcard.store import Person, Store

T = TypeVar("T")

people = typer.Typer(help="People who may sign in.", no_args_is_help=True)
app.add_typer(people, name="people")

BY = "command line"
"""Whom the significant events name: whoever has the database."""

DEVICE = "terminal"
"""The role that makes an account for a device of the house."""

MOST_PEOPLE = 10_000
PREFIX = "bot"
"""Bots are called bot1, bot2 and so on."""

Name = Annotated[str, typer.Argument(help="What they sign in with.")]
Password = Annotated[str, typer.Option("--password", help="Everybody's.")]


@people.command("add")
def add(
    name: Name,
    role: Annotated[
        str,
        typer.Option(
            "--role",
            help="For staff, such as 'shift manager'; 'terminal' for a device of an electronic "
            "table; a patron has none.",
        ),
    ] = "",
    spoken: Annotated[
        str, typer.Option("--speaks", help=f"Their language: {', '.join(LANGUAGES)}.")
    ] = "en",
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Add a patron, a member of staff or a terminal. The password is asked for, or read from
    a pipe."""
    password = _password()

    async def work(store: "Store", signin: "SignIn") -> "Person":
        kind = role if role == DEVICE else "staff" if role else "patron"
        staff_role = role if kind == "staff" else ""
        person = await signin.add_person(name, password, kind, staff_role, spoken)
        await _note(store, "person added", person, after=person.role or person.kind)
        return person

    made = _done(database, config, work, new=True)
    terminal().print(f"{made.name} may sign in as {made.role or made.kind}.")


@people.command("list")
def list_(database: Database = None, config: ConfigFile = None, as_json: Json = False) -> None:
    """List everybody who may sign in, and as what."""

    async def work(store: "Store", _: "SignIn") -> "list[Person]":
        return await store.people()

    found = sorted(_done(database, config, work), key=lambda one: (one.kind, one.role, one.name))
    told = [
        {"name": one.name, "id": one.id, "role": one.role or one.kind, "barred": one.barred}
        for one in found
    ]
    if as_json:
        write({"people": told})
        return
    for one in told:
        barred = "  barred" if one["barred"] else ""
        terminal().print(f"{one['name']:24} {one['role']:16} {one['id']}{barred}")
    if not told:
        terminal().print("Nobody yet: cutcard people add NAME --role 'shift manager'")


@people.command("password")
def password(name: Name, database: Database = None, config: ConfigFile = None) -> None:
    """Give somebody a new password; whoever is signed in under the old one is signed
    out within a minute."""
    chosen = _password()

    async def work(store: "Store", signin: "SignIn") -> None:
        person = await _known(store, name)
        await signin.set_password(person, chosen)
        await _note(store, "password changed", person)

    _done(database, config, work)
    terminal().print(f"{name} has a new password.")


@people.command("bar")
def bar(name: Name, database: Database = None, config: ConfigFile = None) -> None:
    """Let somebody sign in no more; whoever is signed in is signed out within a minute."""
    _bar(name, True, database, config)
    terminal().print(f"{name} may sign in no more.")


@people.command("unbar")
def unbar(name: Name, database: Database = None, config: ConfigFile = None) -> None:
    """Let somebody sign in again."""
    _bar(name, False, database, config)
    terminal().print(f"{name} may sign in again.")


def _bar(name: str, barred: bool, database: str | None, config: "Path | None") -> None:
    async def work(store: "Store", signin: "SignIn") -> None:
        person = await _known(store, name)
        await signin.change_person(replace(person, barred=barred))
        await _note(store, "person barred" if barred else "person admitted", person)

    _done(database, config, work)


@people.command("bots")
def make_bots(
    password: Password,
    count: Annotated[int, typer.Option("--count", min=1, max=MOST_PEOPLE)] = 1,
    prefix: Annotated[str, typer.Option("--prefix", help="Names are this and a number.")] = PREFIX,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Add patrons prefix1, prefix2 … with one password: for tests, never where money is real."""

    async def work(store: "Store", signin: "SignIn") -> int:
        gate, added = asyncio.Semaphore(4), 0

        async def add_one(name: str) -> None:
            nonlocal added
            async with gate:
                if await store.person_named(name) is not None:
                    return
                await signin.add_person(name, password, "patron")
                added += 1

        await asyncio.gather(*(add_one(f"{prefix}{number}") for number in range(1, count + 1)))
        return added

    added = _done(database, config, work)
    terminal().print(f"{added} added, {count - added} were there already.")


# --- inside ---------------------------------------------------------------------------------------


def _password() -> str:
    if sys.stdin.isatty():
        asked: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        return asked
    return sys.stdin.readline().rstrip("\r\n")


def _done(
    database: str | None,
    config: "Path | None",
    work: "Callable[[Store, SignIn], Awaitable[T]]",
    *,
    new: bool = False,
) -> T:
    """Do something with a venue's people."""
    chosen = configured(database, config, new=new)

    async def run() -> T:
        from cutcard.server.running import clock
        from cutcard.server.signin import SignIn
        from cutcard.store import open_store

        store = open_store(chosen.server.database)
        await store.open()
        signin = SignIn(store, chosen, clock)
        try:
            return await work(store, signin)
        finally:
            signin.close()
            await store.close()

    return asyncio.run(run())


async def _known(store: "Store", name: str) -> "Person":
    from cutcard.server.signin import plain

    person = await store.person_named(plain(name))
    if person is None:
        raise Refusal("store/nobody", {"person": name})
    return person


async def _note(store: "Store", kind: str, person: "Person", after: str = "") -> None:
    """Write down what was done to somebody; no log, and so no lease, is needed for it."""
    from cutcard.server.running import clock
    from cutcard.store import Batch, Significant

    note = Significant(clock(), kind, BY, person.id, after=after)
    await store.commit(Batch(significant=[note]), {}, clock())
