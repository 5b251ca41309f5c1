"""Servers that are killed, and patrons who never take no answer for an answer.

Each server is a process of its own, `cutcard serve`. While one runs the venue another
stands by on the same database, so that a killed one is followed at once. Patrons send
every command under a key until it is answered, to whichever server answers.
"""

import asyncio
import atexit
import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import msgspec

from cutcard import cage, wire
from cutcard.chain.signing import public_key
from cutcard.client.client import WAYS
from cutcard.client.refused import PASSING
from cutcard.ledger import stack, wallet
from cutcard.round.events import BetPlaced, RoundSettled
from cutcard.server.audit import Audit, verify
from cutcard.server.config import Config, MoneySettings
from cutcard.server.keys import load_keys, read_keys
from cutcard.server.manual import effective
from cutcard.server.signin import SignIn
from cutcard.store import open_store
from cutcard.wire import api
from tests.engines import Raw
from tests.patience import PATIENCE, until
from tests.server.house import BLITZ, CHEAP, PASSWORD, configuration, has_seats

TABLES = ("rws-commission", "online-baccarat")
LEASE_MS = 60_000
"""Longer than a busy machine delays a renewal: a lease runs out when the test says so."""

PACE = replace(BLITZ, betting_ms=80, result_ms=60, card_ms=2)


def clock() -> int:
    return time.time_ns() // 1_000_000


@cache
def _zygote() -> "subprocess.Popen[str]":
    """One for the whole run: loading everything takes longer than running it."""
    made = subprocess.Popen(
        [sys.executable, "-m", "tests.server.zygote"],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def end() -> None:
        made.communicate()

    atexit.register(end)
    return made


def _born(output: Path, words: list[str]) -> int:
    zygote = _zygote()
    assert zygote.stdin is not None
    assert zygote.stdout is not None
    zygote.stdin.write(json.dumps([str(output), *words]) + "\n")
    zygote.stdin.flush()
    return int(zygote.stdout.readline())


@dataclass
class Process:
    """One server, and where it would answer."""

    pid: int
    url: str

    @property
    def alive(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def send(self, sign: signal.Signals) -> None:
        os.kill(self.pid, sign)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.send(signal.SIGKILL)
        while self.alive:
            time.sleep(0.002)

    async def ended(self) -> None:
        """Wait until it ends by itself."""
        await until(lambda: not self.alive, "the end of a server")


@dataclass
class Acknowledged:
    """A command and what its patron was told of it."""

    patron: str
    key: str
    command: api.Command
    answer: dict[str, Any]

    @property
    def done(self) -> bool:
        return bool(self.answer["is"] == "done")


@dataclass
class Venue:
    """A database, its servers and everything that anybody was told."""

    address: str
    folder: Path
    config: Config
    processes: list[Process] = field(default_factory=list)
    told: list[Acknowledged] = field(default_factory=list)
    kills: int = 0
    fell: int = 0
    """Servers that stopped by themselves because they had lost their lease."""

    retries: int = 0
    waits: list[float] = field(default_factory=list)
    """Seconds from each kill to the next server's first answer."""

    @property
    def done(self) -> int:
        """Commands that were carried out, as their patrons were told."""
        return sum(one.done for one in self.told)

    @property
    def keys(self) -> Path:
        return self.folder / "cutcard.keys"

    def spawn(self) -> Process:
        """Start another server; it stands by while there is one."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = ["serve", "--config", str(self.folder / "cutcard.toml"), "--port", str(port)]
        words += ["--database", self.address, "--logs", "info"]
        made = Process(_born(self.folder / "servers.log", words), f"http://127.0.0.1:{port}")
        self.processes.append(made)
        return made

    async def run_out(self) -> None:
        """The owner's lease runs out now."""
        await Raw(self.address).run("UPDATE log SET until = 0")

    async def answers(self) -> Process:
        """The server that runs the venue, as soon as one does."""
        async with httpx.AsyncClient(timeout=PATIENCE) as http:
            try:
                async with asyncio.timeout(PATIENCE):
                    while (found := await self._ready(http)) is None:
                        await asyncio.sleep(0.02)
            except TimeoutError:
                raise AssertionError(f"no server took over: {self.said()}") from None
        return found

    async def _ready(self, http: httpx.AsyncClient) -> Process | None:
        for process in [*self.processes]:
            if not process.alive:
                # Too slow to renew its lease, on a machine that has other things to do.
                self.processes.remove(process)
                self.fell += 1
                self.spawn()
                continue
            with contextlib.suppress(httpx.TransportError):
                if (await http.get(f"{process.url}/ready")).status_code == 200:
                    return process
        return None

    def said(self) -> str:
        file = self.folder / "servers.log"
        return file.read_text(errors="replace")[-2000:] if file.exists() else "nothing"

    def end(self) -> None:
        for process in self.processes:
            process.kill()
        self.processes.clear()

    async def audit(self) -> Audit:
        return await verify(self.address, [public_key(read_keys(self.keys).signing)])


@contextlib.asynccontextmanager
async def venue(address: str, folder: Path, **server: Any) -> AsyncIterator[Venue]:
    """A venue with two patrons who can sign in, and no server yet."""
    config = configuration(TABLES, PACE, address)
    chosen = replace(
        config,
        money=MoneySettings(self_service=True),
        server=replace(
            config.server,
            **{"keys": str(folder / "cutcard.keys"), "lease_ms": LEASE_MS, **server},
        ),
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cutcard.toml").write_text(effective(chosen))
    load_keys(folder / "cutcard.keys")
    store = open_store(address)
    await store.open()
    signin = SignIn(store, chosen, clock, hasher=CHEAP)
    for name in ("ann", "ben"):
        await signin.add_person(name, PASSWORD, "patron")
    signin.close()
    await store.close()
    made = Venue(address, folder, chosen)
    try:
        yield made
    finally:
        made.end()


@dataclass
class Patron:
    """Somebody who plays without a pause and writes down every answer."""

    venue: Venue
    name: str
    box: int
    seed: int
    http: httpx.AsyncClient = field(default_factory=lambda: httpx.AsyncClient(timeout=PATIENCE))
    token: str = ""
    id: str = ""
    count: int = 0
    stopping: bool = False

    async def sign_in(self) -> None:
        told = await self._post("/sign-in", {"name": self.name, "password": PASSWORD})
        self.token, self.id = told["token"], told["you"]["id"]

    async def play(self) -> None:
        """Money in, bets, money out, for as long as nobody says stop."""
        chance = random.Random(self.seed)
        for table in TABLES:
            await self.do(api.Deposit(amount=5_000_000 + self.unique()))
            await self.do(api.BuyIn(table=table, amount=2_000_000 + self.unique()))
            if has_seats(table):
                await self.do(api.TakeSeat(table=table, box=self.box))
        while not self.stopping:
            table = chance.choice(TABLES)
            match chance.randrange(10):
                case 0:
                    await self.do(api.Deposit(amount=10_000 + self.unique()))
                case 1:
                    await self.do(api.BuyIn(table=table, amount=10_000 + self.unique()))
                case 2:
                    await self.do(api.Withdraw(amount=1_000 + self.unique()))
                case 3:
                    await self.do(api.CashOut(table=table, amount=1_000 + self.unique()))
                case _:
                    spot = chance.choice(("player", "banker"))
                    stake = 30_000 + self.unique()
                    await self.do(api.PlaceBet(table=table, spot=spot, stake=stake))

    def unique(self) -> int:
        """No two amounts of a patron are the same, so that each can be found again."""
        self.count += 1
        return self.count

    async def do(self, command: api.Command) -> Acknowledged:
        key = f"{self.name}-{self.seed}-{self.count}-{len(self.venue.told)}"
        told = msgspec.to_builtins(command)
        path = WAYS[told.pop("is")]
        if "{table}" in path:
            path = path.format(table=told.pop("table"))
        answer = await self._post(path, told, key)
        found = Acknowledged(self.id, key, command, answer)
        self.venue.told.append(found)
        return found

    async def _post(self, path: str, body: Any, key: str | None = None) -> dict[str, Any]:
        """Ask one server after another until one of them answers."""
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        if key is not None:
            headers["idempotency-key"] = key
        content = msgspec.json.encode(body)
        while True:
            for process in [*self.venue.processes]:
                if not process.alive:
                    continue
                try:
                    found = await self.http.post(
                        f"{process.url}/api/v1{path}", content=content, headers=headers
                    )
                    told: dict[str, Any] = found.json()
                except (httpx.TransportError, ValueError):
                    self.venue.retries += 1
                    continue
                if told.get("is") == "refused" and told["code"] in {*PASSING, "server/too-fast"}:
                    self.venue.retries += 1
                    continue
                return told
            await asyncio.sleep(0.02)


async def killed(house: Venue, kills: int, seed: int = 7, *, hurried: bool = True) -> None:
    """Kill the server that runs the venue so many times, while two patrons play.

    Where it is hurried, nobody waits for the leases of the dead.
    """
    chance = random.Random(seed)
    house.spawn()
    await house.answers()
    patrons = [Patron(house, name, box, seed) for box, name in ((1, "ann"), (2, "ben"))]
    for patron in patrons:
        await patron.sign_in()
    playing = [asyncio.ensure_future(patron.play()) for patron in patrons]
    house.spawn()
    while house.kills < kills:
        active = await house.answers()
        enough = house.done + chance.randint(3, 12)
        await until(lambda: house.done >= enough or any(one.done() for one in playing))  # noqa: B023
        for one in playing:
            if one.done():
                one.result()
        await asyncio.sleep(chance.uniform(0, 0.05))
        active.kill()
        began = time.monotonic()
        house.kills += 1
        house.processes.remove(active)
        house.spawn()
        if hurried:
            await house.run_out()
        await house.answers()
        house.waits.append(time.monotonic() - began)
    for patron in patrons:
        patron.stopping = True
    await asyncio.gather(*playing)
    for patron in patrons:
        await patron.http.aclose()
    house.end()


@dataclass(frozen=True)
class Reckoning:
    """What became of everything that anybody was told."""

    acknowledged: int
    refused: int
    lost: list[str]
    doubled: list[str]
    unknown: list[str]
    """Done, and nobody was told."""

    wrong: list[str]
    """Accounts that do not hold what they must."""

    total: int
    findings: list[str]
    records: int

    @property
    def holds(self) -> bool:
        return not any((self.lost, self.doubled, self.unknown, self.wrong, self.findings))


async def reckoned(house: Venue) -> Reckoning:
    """Compare what patrons were told with what the database has."""
    store = open_store(house.address)
    await store.open()
    try:
        happened: Counter[tuple[str, str, str, int]] = Counter()
        money: Counter[str] = Counter()
        for log in ("cage", *TABLES):
            async for kept in store.every_record(log):
                event = getattr(wire.read(json.loads(kept.record)), "event", None)
                if (name := _named(log, event)) is not None:
                    happened[name] += 1
                if isinstance(event, RoundSettled):
                    for bet in event.bets:
                        money[stack(log, bet.bet.patron)] += bet.net
        told = Counter(_asked(one) for one in house.told if one.done and _asked(one))
        for one in house.told:
            if one.done:
                _effect(money, one)
        for one in house.told:
            kept_answer = await store.answered(one.patron, one.key)
            assert kept_answer is not None, f"no answer is kept under {one.key}"
            assert json.loads(kept_answer.answer) == one.answer
        accounts = (await store.books()).accounts
        wrong = [
            f"{account}: {accounts[account].posted}, and {amount} by what was told"  # type: ignore[index]
            for account, amount in money.items()
            if accounts[account].posted != amount  # type: ignore[index]
        ]
    finally:
        await store.close()
    found = await house.audit()
    return Reckoning(
        acknowledged=len(house.told),
        refused=sum(not one.done for one in house.told),
        lost=[str(one) for one in told if not happened[one]],  # type: ignore[index]
        doubled=[str(one) for one, count in happened.items() if count > 1],
        unknown=[str(one) for one in happened if one not in told],
        wrong=wrong,
        total=found.total,
        findings=[str(one) for one in found.findings],
        records=found.records,
    )


def _named(log: str, event: object) -> tuple[str, str, str, int] | None:
    """What a patron could recognise an event by."""
    match event:
        case cage.Deposited() | cage.Withdrawn():
            return type(event).__name__, "", event.patron, event.amount
        case cage.BoughtIn() | cage.CashedOut():
            return type(event).__name__, event.table, event.patron, event.amount
        case BetPlaced(bet, before):
            added = bet.stake - (before.stake if before else 0)
            return "BetPlaced", log, bet.patron, added
    return None


def _asked(one: Acknowledged) -> tuple[str, str, str, int] | None:
    """The same of a command that was carried out."""
    match one.command:
        case api.Deposit(amount=amount):
            return "Deposited", "", one.patron, amount
        case api.Withdraw(amount=amount):
            return "Withdrawn", "", one.patron, amount
        case api.BuyIn(table=table, amount=amount):
            return "BoughtIn", table, one.patron, amount
        case api.CashOut(table=table, amount=amount) if amount is not None:
            return "CashedOut", table, one.patron, amount
        case api.PlaceBet(table=table, stake=stake):
            return "BetPlaced", table, one.patron, stake
    return None


def _effect(money: Counter[str], one: Acknowledged) -> None:
    match one.command:
        case api.Deposit(amount=amount):
            money[wallet(one.patron)] += amount
        case api.Withdraw(amount=amount):
            money[wallet(one.patron)] -= amount
        case api.BuyIn(table=table, amount=amount):
            money[wallet(one.patron)] -= amount
            money[stack(table, one.patron)] += amount
        case api.CashOut(table=table, amount=amount) if amount is not None:
            money[wallet(one.patron)] += amount
            money[stack(table, one.patron)] -= amount


def report(house: Venue, found: Reckoning, seconds: float) -> str:
    """One paragraph of figures."""
    waits = sorted(house.waits) or [0.0]
    return (
        f"{house.kills} kills in {seconds:.0f} s ({house.fell} more lost their lease): "
        f"{found.acknowledged} commands acknowledged "
        f"({found.refused} refused by rule), {house.retries} tries in vain, "
        f"{len(found.lost)} lost, {len(found.doubled)} doubled, {len(found.unknown)} untold, "
        f"{len(found.wrong)} accounts wrong, sum of balances {found.total}, "
        f"{len(found.findings)} findings in {found.records} records; "
        f"the next server answered after {waits[len(waits) // 2]:.2f} s (median), "
        f"{waits[-1]:.2f} s (longest)"
    )
