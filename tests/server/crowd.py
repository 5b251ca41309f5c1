"""A round played by a crowd through the API, settled again by arithmetic of its own.

Nothing here asks the engine what a bet wins: the cards come from the API, and what they are
worth is worked out below, book by book.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import httpx

from cutcard import cage
from cutcard.client import Client
from cutcard.round.state import FINISHED, Phase
from cutcard.rules.rulebook import Role
from cutcard.store import Person
from cutcard.wire import api
from cutcard.wire import house as staff
from tests.patience import PATIENCE, until
from tests.server.house import PASSWORD, House

T = TypeVar("T")

COW_COW, ELECTRONIC = "online-cow-cow", "rws-non-commission-etg"
WITH_COMMISSION = ("rws-commission", "online-baccarat", "skycity-commission")
HIGH = "rws-commission"
"""Where the least bet is 300; elsewhere it is 25 or less."""

MONEY = 1_000_000
EVERY = 25
"""One in so many bets on the tie as well; the side bets of 5,000 patrons are what a table takes."""

AT_ONCE = 24
DEPOSITS = 500
"""So many are written together: the server refuses to have more waiting for the disk."""

SEATS = 6


@dataclass
class Patron:
    """Somebody of the crowd: a patron, or a device of the house, with bets and credit before."""

    client: Client
    bets: dict[str, int] = field(default_factory=dict)
    before: int = 0


@dataclass
class Crowd:
    """All who play at one table, which is called after its book."""

    house: House
    table: str
    patrons: list[Patron]

    async def bet(self) -> int:
        """Everybody bets, each in one command; how many bets that are."""
        if self.house.phase(self.table) in FINISHED:
            await self.house.next_round(self.table)
        await until(lambda: self.house.phase(self.table) is Phase.BETTING, "bets to be taken")
        for number, one in enumerate(self.patrons):
            stake = 100_000 if self.table == HIGH else 4_000
            one.bets = {("player", "banker")[number % 2]: stake}
            if number % EVERY == 0:
                one.bets["tie"] = 30_000 if self.table == HIGH else 2_500
        await _together(one.client.do(self._bets(one)) for one in self.patrons)
        return sum(len(one.bets) for one in self.patrons)

    def _bets(self, one: Patron) -> api.Command:
        stakes = [api.Stake(spot=spot, stake=stake) for spot, stake in one.bets.items()]
        return api.PlaceBets(table=self.table, bets=stakes)

    async def settle(self) -> None:
        """The round is dealt to its end; every patron's credit is right to the unit."""
        await self.house.close_bets(self.table)
        name = self.house.server.desk.rounds[self.table]
        shown = self.house.server.live.table
        await until(lambda: shown(self.table).phase == "settled", f"{name} settled")
        states = await _together(one.client.get(f"/tables/{self.table}") for one in self.patrons)
        for one, state in zip(self.patrons, states, strict=True):
            cards = state["shown"]["player"], state["shown"]["banker"]
            nets = {spot: net(self.table, *cards, spot, bet) for spot, bet in one.bets.items()}
            assert {bet["spot"]: bet["net"] for bet in state["own"]["results"]} == nets
            assert state["own"]["stack"] == one.before + sum(nets.values())
            one.before = state["own"]["stack"]
        assert self.house.server.desk.shown.ledger.total() == 0


@asynccontextmanager
async def crowd(house: House, table: str, many: int) -> AsyncIterator[Crowd]:
    """So many with money at a table: devices where it is electronic, else patrons."""
    limits = httpx.Limits(max_connections=AT_ONCE)
    async with httpx.AsyncClient(timeout=PATIENCE, limits=limits) as http:
        kind = "terminal" if table == ELECTRONIC else "patron"
        made = [
            await _signed_in(house, f"{kind} {number} of {many} at {table}", kind, http)
            for number in range(many)
        ]
        if kind == "terminal":
            await _stand(house, table, made)
        else:
            await _sit(house, table, made)
        yield Crowd(house, table, [Patron(one, before=MONEY) for one in made])


async def _signed_in(house: House, name: str, kind: str, http: httpx.AsyncClient) -> Client:
    """An account with a session; nobody's password is worth the time it takes here."""
    person = Person(f"{kind[0]}-{name.replace(' ', '')}", name, kind, "", "none")
    await house.store.add_person(person)
    house.server.staff.names[person.id] = name
    house.server.begin_session(person)
    signed = await house.server.signin.admit(person)
    client = Client(house.url, signed.token, http)
    client.id = person.id
    return client


async def _stand(house: House, table: str, devices: Sequence[Client]) -> None:
    """The pit adds the devices, and a cashier takes cash for credit on each."""
    sam = await house.client("sam", Role.PIT_SUPERVISOR)
    if await house.store.person_named("carl") is None:
        await house.server.signin.add_person("carl", PASSWORD, "staff", "cashier")
    carl = await house.client("carl")
    for one in devices:
        await sam.do(staff.AddTerminal(table=table, terminal=one.id))
        await carl.do(staff.LoadTerminal(table=table, terminal=one.id, amount=MONEY))


async def _sit(house: House, table: str, patrons: Sequence[Client]) -> None:
    """Each has money in the wallet and buys in; where there are seats, each takes one."""
    desk = house.server.desk
    for number, one in enumerate(patrons, start=1):
        desk.act(cage.Deposit(one.id, MONEY, desk.now()))
        if number % DEPOSITS == 0:
            await desk.settled()
    await desk.settled()
    await _together(one.do(api.BuyIn(table=table, amount=MONEY)) for one in patrons)
    setup = desk.shown.table(table).setup
    assert setup is not None
    if not setup.is_open:
        for box, one in enumerate(patrons, start=1):
            await one.do(api.TakeSeat(table=table, box=box))


async def _together(work: Iterable[Awaitable[T]]) -> list[T]:
    """Some at a time, as many as a machine sends at once."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(awaited: Awaitable[T]) -> T:
        async with gate:
            return await awaited

    return await asyncio.gather(*map(one, work))


# --- what a bet wins ------------------------------------------------------------------------------


def points(cards: Sequence[str]) -> int:
    """The last digit of what the cards count."""
    return sum("A23456789".find(card[0]) + 1 for card in cards) % 10


def net(book: str, player: Sequence[str], banker: Sequence[str], spot: str, stake: int) -> int:
    """What a bet on Player, Banker or Tie wins or, below zero, loses.

    >>> net("rws-commission", ["Kh", "7s"], ["Kd", "8c"], "banker", 100)
    95
    >>> net("online-cow-cow", ["2h", "7s"], ["Kd", "4c", "Ks"], "player", 100)
    855
    """
    own, other = points(player), points(banker)
    if spot == "tie":
        return 8 * stake if own == other else -stake
    if own == other:
        return 0
    won = (own > other) == (spot == "player")
    times = max(own, other) if book == COW_COW else 1
    if not won:
        return -times * stake
    if book == COW_COW:
        return times * stake if times < 9 else 855 * stake // 100
    if spot == "player":
        return stake
    if book in WITH_COMMISSION:
        return 95 * stake // 100
    return stake // 2 if other == 6 else stake


def size(book: str, online: int, devices: int) -> int:
    """How many play by a book: a crowd at open tables, as many as sit elsewhere."""
    if book.startswith("online"):
        return online
    return devices if book == ELECTRONIC else SEATS
