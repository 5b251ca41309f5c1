"""The demonstration floor: people to sign in as, and a little money to play with."""

from dataclasses import dataclass

from cutcard import cage
from cutcard.server.clockwork import OPERATOR
from cutcard.server.server import Server
from cutcard.table.commands import AddTerminal
from cutcard.venue import At

PASSWORD = "cutcard-demo"
"""Everybody's, and printed at the start: this floor plays for nothing."""

PATRONS = ("ann", "ben", "cho", "dev")
STAFF = {
    "dana": "dealer",
    "sam": "pit supervisor",
    "mia": "pit manager",
    "shi": "shift manager",
    "kim": "cashier",
}
TERMINALS = ("terminal-1", "terminal-2")
"""Devices of the electronic table, with credit for cash that nobody paid."""

MONEY = 10_000_00
"""What each patron finds in the wallet on the first day, in minor units."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """A name to sign in with, and what it may do."""

    name: str
    role: str
    password: str


async def people(server: Server) -> list[SignIn]:
    """The people of the demonstration, made where they are missing."""
    for name in PATRONS:
        if await server.store.person_named(name) is None:
            person = await server.signin.add_person(name, PASSWORD, "patron")
            server.desk.act(cage.Deposit(person.id, MONEY, server.desk.now()))
    for name, role in STAFF.items():
        if await server.store.person_named(name) is None:
            await server.signin.add_person(name, PASSWORD, "staff", role)
    await _terminals(server)
    await server.desk.settled()
    return [
        *(SignIn(name, "patron", PASSWORD) for name in PATRONS),
        *(SignIn(name, role, PASSWORD) for name, role in STAFF.items()),
        *(SignIn(name, "device of the electronic table", PASSWORD) for name in TERMINALS),
    ]


async def _terminals(server: Server) -> None:
    """The devices stand at the first electronic table, where they are missing."""
    tables = [
        name
        for name, book in server.desk.books.items()
        if any(layout.terminals for layout in book.layouts)
    ]
    for name in TERMINALS:
        if not tables or await server.store.person_named(name) is not None:
            continue
        device, table = await server.signin.add_person(name, PASSWORD, "terminal"), tables[0]
        server.staff.names[device.id] = device.name
        now = server.desk.now()
        server.desk.act(
            At(table, AddTerminal(device.id, None, OPERATOR, now)),
            cage.LoadTerminal(table, device.id, None, MONEY, now),
        )
