"""Bots: patrons with simple habits, who play by the API like anybody else.

Each buys in, takes a seat or stands behind one where the table has seats, bets what its table's
book and limits allow, decides and chooses when asked, and cashes out at the end. A bot keeps its
own account of every result it was told; at the end its money must be what that account says.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from cutcard.client.client import Client
from cutcard.client.live import Live, Watched
from cutcard.client.refused import RefusedError
from cutcard.wire import api

AT_ONCE = 8
"""Bots that sign in at the same time: the house checks few passwords at once."""

UNITS = 100
"""A bot buys in for so many of the table's smallest bets."""

MOST_TIMES = 4
"""The highest stake, in smallest bets."""

OVER = frozenset({"idle", "settled", "void"})


@dataclass
class Tally:
    """What all bots together have seen."""

    bets: int = 0
    rounds: int = 0
    times: list[float] = field(default_factory=list)
    """How long each bet took to be acknowledged, in seconds."""

    refused: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0
    reconnects: int = 0

    def within(self, share: float) -> float:
        """The time within which a share of all bets was acknowledged."""
        ordered = sorted(self.times)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


@dataclass(frozen=True)
class Place:
    """A table as a bot needs to know it."""

    table: str
    boxes: int
    bets: dict[str, dict[str, Any]]
    limits: list[dict[str, Any]]

    def spots(self) -> list[str]:
        """The bets that stand by themselves."""
        return [name for name, one in self.bets.items() if not one["stage"] and not one["needs"]]

    def least(self, spot: str) -> int:
        """The smallest stake: no less than the minimum, and on the bet's step."""
        step = int(self.bets[spot]["step"])
        lowest = max([step, *self._amounts("minimum", spot)])
        return -(-lowest // step) * step

    def stake(self, spot: str, times: int) -> int:
        """So many times the smallest stake, or as many as are allowed."""
        least = self.least(spot)
        most = min(self._amounts("maximum", spot), default=times * least)
        return max(1, min(times, most // least)) * least

    @property
    def unit(self) -> int:
        """What the dearest of the smallest bets needs."""
        return max(self.least(spot) * int(self.bets[spot]["reserve"]) for spot in self.spots())

    def _amounts(self, kind: str, spot: str) -> list[int]:
        return [
            int(one["amount"])
            for one in self.limits
            if one["kind"] == kind and (not one["spots"] or spot in one["spots"])
        ]


class Bot:
    """One patron at one table."""

    def __init__(self, client: Client, live: Live, place: Place, tally: Tally, seed: int) -> None:
        self.client, self.live, self.place, self.tally = client, live, place, tally
        self.dice = random.Random(seed)
        self.habit = place.spots()[seed % len(place.spots())]
        self.brought = 0
        """Wallet and stacks at the beginning, and every deposit since."""

        self.nets: dict[str, int | None] = {}
        """What each round with a bet has brought, as it was told; None until it is."""

        self.box: int | None = None
        self._round = ""
        self._answered = ("", False)
        self._told: list[Any] = []

    @property
    def seen(self) -> Watched:
        return self.live.tables[self.place.table]

    # --- from beginning to end --------------------------------------------------------------------

    async def play(self, until: float, enough: Callable[[], bool]) -> None:
        """Play until a time of the loop's clock, or until it is enough, and settle up."""
        self.brought = await self.money()
        await self.live.watch(self.place.table)
        listening = asyncio.ensure_future(self._listen())
        try:
            await self._buy_in()
            await self._sit()
            while asyncio.get_running_loop().time() < until and not enough():
                await self._turn(until)
            await self._finish()
        finally:
            listening.cancel()
        self.tally.reconnects += self.live.reconnects

    async def _finish(self) -> None:
        """Wait for the last result, cash out, and compare."""
        table = self.place.table
        try:
            await self.live.until(self._is_over)
        except TimeoutError:
            self.tally.findings.append(f"{self.client.id}: the last round did not end")
            return
        if self.seen.own["stack"]:
            await self._do(api.CashOut(table=table))
        if self.seen.own["box"] is not None:
            await self._do(api.LeaveSeat(table=table))
        has, expected = await self.money(), self.brought + await self._won()
        if has != expected:
            self.tally.findings.append(f"{self.client.id}: has {has}, expected {expected}")

    async def money(self) -> int:
        """Everything that is the patron's: wallet and stacks, bets in play among them."""
        found = await self.client.get("/me/wallet")
        return int(found["wallet"] + sum(one["stack"] + one["in_play"] for one in found["stacks"]))

    async def _won(self) -> int:
        """The sum of all results; rounds that ended while nobody listened are looked up."""
        told = await self.client.get("/me/rounds", most=200)
        for one in told["rounds"]:
            name, net = one["round"], one["net"]
            if name not in self.nets or one["table"] != self.place.table:
                continue
            heard = self.nets[name]
            if heard is not None and heard != net:
                self.tally.findings.append(f"{self.client.id}: {name} told as {heard} and {net}")
            self.nets[name] = net
        return sum(net or 0 for net in self.nets.values())

    # --- a turn -----------------------------------------------------------------------------------

    async def _listen(self) -> None:
        """Note results as they are told, and answer whatever is asked."""
        async for _ in self.live.changes():
            own, shown = self.seen.own, self.seen.shown
            if own.get("results") and own["results"] is not self._told:
                self._told = own["results"]
                if shown["name"] in self.nets:
                    self.nets[shown["name"]] = sum(one["net"] for one in own["results"])
                    self.tally.rounds += 1

    async def _turn(self, until: float) -> None:
        """Bet once in the next round, and answer whatever is asked meanwhile."""
        left = until - asyncio.get_running_loop().time()
        try:
            await self.live.until(self._is_asked, max(0.01, left))
        except TimeoutError:
            return
        own, table = self.seen.own, self.place.table
        if own.get("option"):
            await self._do(api.ChooseOption(table=table, continues=self.dice.random() < 0.5))
            self._answered = self._asked()
        elif own.get("undecided"):
            for one in own["undecided"]:
                spot, box = one["spot"], one["box"]
                continues = self.dice.random() < 0.7 and spot not in own["cannot_continue"]
                await self._do(api.Decide(table=table, spot=spot, box=box, continues=continues))
            self._answered = self._asked()
        else:
            await self._bet()

    def _is_asked(self) -> bool:
        own, shown = self.seen.own, self.seen.shown
        if own.get("option") or own.get("undecided"):
            return self._asked() != self._answered
        return bool(shown["phase"] == "betting" and shown["name"] != self._round)

    def _asked(self) -> tuple[str, bool]:
        """In which round, and whether it is a choice after an error: each is answered once."""
        return self.seen.shown["name"], bool(self.seen.own.get("option"))

    def _is_over(self) -> bool:
        mine = self.seen.shown["name"] == self._round and self._round in self.nets
        return not mine or self.seen.shown["phase"] in OVER

    async def _bet(self) -> None:
        """One to three bets, the usual one first."""
        self._round = self.seen.shown["name"]
        # Nobody bets in the first instant, and not all in the same.
        await asyncio.sleep(self.dice.random())
        if self.seen.own["stack"] < 5 * self.place.unit:
            await self._buy_in()
        others = [spot for spot in self.place.spots() if spot != self.habit]
        wanted = [self.habit, *self.dice.sample(others, min(len(others), self.dice.randrange(3)))]
        for spot in wanted:
            stake = self.place.stake(spot, self.dice.randint(1, MOST_TIMES))
            if await self._placed(spot, stake):
                self.nets.setdefault(self._round, None)

    async def _placed(self, spot: str, stake: int) -> bool:
        began = time.perf_counter()
        bet = api.PlaceBet(
            table=self.place.table, spot=spot, stake=stake, box=self.box, round=self._round
        )
        if await self._do(bet) is None:
            return False
        self.tally.bets += 1
        self.tally.times.append(time.perf_counter() - began)
        return True

    # --- seat and money ---------------------------------------------------------------------------

    async def _buy_in(self) -> None:
        """Enough for a while; where the house gives play money, from there."""
        amount = UNITS * self.place.unit
        wallet = (await self.client.get("/me/wallet"))["wallet"]
        if wallet < amount and await self._do(api.Deposit(amount=amount)) is not None:
            self.brought += amount
            wallet += amount
        if wallet:
            await self._do(api.BuyIn(table=self.place.table, amount=min(amount, wallet)))

    async def _sit(self) -> None:
        """A free seat, or a place behind one; an open table has neither."""
        boxes = list(range(1, self.place.boxes + 1))
        if not boxes:
            return
        for box in self.dice.sample(boxes, len(boxes)):
            # Others sit down meanwhile, and the table tells.
            if box in self.seen.shown["taken_boxes"]:
                continue
            if await self._do(api.TakeSeat(table=self.place.table, box=box)):
                return
        self.box = self.dice.randint(1, self.place.boxes)

    async def _do(self, command: api.Command) -> api.Done | None:
        """What a command was answered; None where it was refused, which is counted."""
        try:
            return await self.live.do(command)
        except RefusedError as refused:
            self.tally.refused[refused.code] += 1
            if refused.code == "patron/reality-check":
                await self.live.do(api.AcknowledgeRealityCheck())
            return None


# --- many -----------------------------------------------------------------------------------------


async def run(
    url: str,
    names: Sequence[str],
    password: str,
    seconds: float,
    tables: Sequence[str] = (),
    seed: int = 1,
    enough: Callable[[Tally], bool] = lambda tally: False,
) -> Tally:
    """Let patrons of these names play for some seconds, or until it is enough.

    They are spread over the tables.
    """
    tally = Tally()
    async with httpx.AsyncClient(timeout=60) as http:
        places = await _places(Client(url, http=http), tables)
        gate = asyncio.Semaphore(AT_ONCE)
        clients = await asyncio.gather(
            *(_signed_in(gate, url, name, password, http) for name in names)
        )
        loop = asyncio.get_running_loop()
        began, until = loop.time(), loop.time() + seconds

        async def one(number: int, client: Client) -> None:
            place = places[number % len(places)]
            async with client.live() as live:
                bot = Bot(client, live, place, tally, seed + number)
                await bot.play(until, lambda: enough(tally))

        await asyncio.gather(*(one(number, client) for number, client in enumerate(clients)))
        tally.seconds = loop.time() - began
    return tally


async def _signed_in(
    gate: asyncio.Semaphore, url: str, name: str, password: str, http: httpx.AsyncClient
) -> Client:
    async with gate:
        while True:
            try:
                return await Client.sign_in(url, name, password, http)
            except RefusedError as refused:
                if refused.code != "signin/busy":
                    raise
                await asyncio.sleep(0.5)


async def _places(client: Client, wanted: Sequence[str]) -> list[Place]:
    lobby = await client.get("/tables")
    known = {one["table"]: one for one in lobby["tables"] if one["open"]}
    names = list(wanted) or [name for name, one in known.items() if one["dealing"]]
    return [
        Place(
            name,
            known[name]["boxes"],
            (await client.get(f"/tables/{name}/book"))["bets"],
            known[name]["limits"],
        )
        for name in names
    ]
