"""Staff at a table over the API, for tests: who they are, and a shoe whose cards are known."""

from collections.abc import Iterable
from typing import Any

from cutcard.client import Client
from cutcard.rules.rulebook import Role
from cutcard.wire import api
from cutcard.wire import house as ask
from tests.server.house import House, has_seats


class Crew:
    """A dealer, a supervisor and two above at one table, and patrons with seats."""

    def __init__(self, house: House, table: str) -> None:
        self.house, self.table = house, table
        self.people: dict[str, Client] = {}

    @property
    def state(self) -> Any:
        return self.house.server.desk.shown.table(self.table)

    async def hire(self) -> "Crew":
        for name, role in (
            ("dana", Role.DEALER),
            ("dirk", Role.DEALER),
            ("sam", Role.PIT_SUPERVISOR),
            ("sue", Role.PIT_SUPERVISOR),
            ("mia", Role.PIT_MANAGER),
            ("shi", Role.SHIFT_MANAGER),
        ):
            self.people[name] = await self.house.client(name, role)
        return self

    async def do(self, who: str, command: Any) -> api.Done:
        return await self.people[who].do(command)

    async def dealer(self, kind: type[Any], /, **more: Any) -> api.Done:
        return await self.do("dana", kind(table=self.table, **more))

    async def patrons(self, *names: str, money: int = 2_000_000) -> None:
        for box, name in enumerate(names, start=1):
            self.people[name] = await self.house.client(name)
            await self.do(name, api.BuyIn(table=self.table, amount=money))
            if has_seats(self.table):
                await self.do(name, api.TakeSeat(table=self.table, box=box))

    async def shoe(self, name: str = "shoe 7", first: str = "Ah") -> None:
        """A dealer with a shoe that is burned."""
        await self.dealer(ask.SignOn)
        await self.dealer(ask.RegisterShoe, shoe=name, shuffle_record="machine 3, twice")
        await self.dealer(ask.ScanCard, card=first)
        while self.state.shoe.to_burn:
            await self.dealer(ask.BurnCard)

    async def bets(self, bets: dict[str, dict[str, int]]) -> None:
        """A round with bets, closed."""
        await self.dealer(ask.OpenRound)
        for name, stakes in bets.items():
            for spot, stake in stakes.items():
                await self.do(name, api.PlaceBet(table=self.table, spot=spot, stake=stake))
        await self.dealer(ask.CloseBets)

    async def scan(self, cards: str | Iterable[str], who: str = "dana") -> None:
        for card in cards.split() if isinstance(cards, str) else cards:
            await self.do(who, ask.ScanCard(table=self.table, card=card))

    async def finish(self) -> None:
        await self.dealer(ask.CallResult)
        await self.dealer(ask.SettleRound)

    async def felt(self, who: str = "dana") -> Any:
        return await self.people[who].get(f"/tables/{self.table}/staff")

    async def next(self) -> str:
        return str((await self.felt())["next"]["act"])
