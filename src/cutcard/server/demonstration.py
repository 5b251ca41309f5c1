"""The demonstration floor: people to sign in as, and a little money to play with."""

from dataclasses import dataclass

from cutcard import cage
from cutcard.server.server import Server

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
    await server.desk.settled()
    return [
        *(SignIn(name, "patron", PASSWORD) for name in PATRONS),
        *(SignIn(name, role, PASSWORD) for name, role in STAFF.items()),
    ]
