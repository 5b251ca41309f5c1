"""Two servers on one database: one runs the venue, the other takes over when it must."""

import asyncio
import contextlib
import json
import signal
from pathlib import Path

import httpx
import pytest

from cutcard import wire
from cutcard.round.events import RoundOpened, RoundSettled, RoundVoided
from cutcard.store import open_store
from cutcard.wire import api
from tests.engines import ENGINES, Raw, fresh
from tests.patience import PATIENCE
from tests.server.killing import TABLES, Patron, reckoned, venue

pytestmark = pytest.mark.anyio


@pytest.fixture(params=ENGINES)
async def address(request: pytest.FixtureRequest) -> str:
    return await fresh(request.param, request)


async def test_the_second_stands_by_and_takes_over_from_one_killed_or_paused(
    address: str, tmp_path: Path
) -> None:
    async with venue(address, tmp_path / "house") as house:
        first = house.spawn()
        assert await house.answers() is first
        ann = Patron(house, "ann", 1, seed=1)
        await ann.sign_in()
        assert (await ann.do(api.Deposit(amount=1_000))).done

        second = house.spawn()
        assert await _status(ann, f"{second.url}/health") == 200, "it stands by, and lives"
        assert await _status(ann, f"{second.url}/ready") == 503
        assert await _status(ann, f"{second.url}/api/v1/tables") == 503
        first.kill()
        house.processes.remove(first)
        await house.run_out()
        assert await house.answers() is second
        assert (await ann.do(api.Deposit(amount=2_000))).done

        second.send(signal.SIGSTOP)
        third = house.spawn()
        house.processes.remove(second)
        await house.run_out()
        assert await house.answers() is third
        assert (await ann.do(api.Deposit(amount=4_000))).done
        # It wakes up and believes for a moment that the venue is its own.
        second.send(signal.SIGCONT)
        with pytest.raises((httpx.TransportError, AssertionError)):
            await _told_nothing(ann, second.url)
        await second.ended()
        assert (await ann.do(api.Deposit(amount=8_000))).done
        wallet = await _wallet(ann, third.url)
        await ann.http.aclose()
        house.end()
        found = await reckoned(house)

    assert wallet == 15_000
    assert (found.lost, found.doubled, found.unknown, found.findings) == ([], [], [], [])


async def _told_nothing(patron: Patron, url: str) -> None:
    """Ask a server that is no longer the owner; it must not say that anything was done."""
    headers = {"authorization": f"Bearer {patron.token}", "idempotency-key": "to-the-old-owner"}
    found = await patron.http.post(
        f"{url}/api/v1/me/deposits", json={"amount": 99_999}, headers=headers
    )
    assert found.json()["is"] == "done", found.json()


async def _status(patron: Patron, url: str) -> int:
    """What a server answers, as soon as it does."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with contextlib.suppress(httpx.TransportError):
                return (await patron.http.get(url)).status_code
            await asyncio.sleep(0.05)


async def _wallet(patron: Patron, url: str) -> int:
    headers = {"authorization": f"Bearer {patron.token}"}
    found = await patron.http.get(f"{url}/api/v1/me/wallet", headers=headers)
    return int(found.json()["wallet"])


async def test_sigterm_finishes_the_round_under_way(address: str, tmp_path: Path) -> None:
    """Nothing is left for the next server, which need not wait for a lease."""
    async with venue(address, tmp_path / "house") as house:
        first = house.spawn()
        await house.answers()
        ann = Patron(house, "ann", 1, seed=1)
        await ann.sign_in()
        table = TABLES[0]
        await ann.do(api.Deposit(amount=1_000_000))
        await ann.do(api.BuyIn(table=table, amount=500_000))
        await ann.do(api.TakeSeat(table=table, box=1))
        bet = api.PlaceBet(table=table, spot="banker", stake=50_000)
        while not (await ann.do(bet)).done:
            await asyncio.sleep(0.01)
        first.send(signal.SIGTERM)
        await first.ended()
        house.processes.clear()

        ends = await _ends(address, table)
        assert ends[-1] == "RoundSettled", "the round with the bet was played to its end"
        owners = await Raw(address).run("SELECT DISTINCT owner FROM log")
        assert owners == [("",)], "the lease was given back"
        house.spawn()
        await house.answers()
        await ann.http.aclose()
        house.end()
        found = await house.audit()
    assert [str(one) for one in found.findings] == []


async def _ends(address: str, table: str) -> list[str]:
    """How the rounds of a table have ended; one without bets may be left open."""
    store = open_store(address)
    await store.open()
    kinds = RoundOpened | RoundSettled | RoundVoided
    found = [
        type(event).__name__
        async for kept in store.every_record(table)
        if isinstance(event := getattr(wire.read(json.loads(kept.record)), "event", None), kinds)
    ]
    await store.close()
    return found
