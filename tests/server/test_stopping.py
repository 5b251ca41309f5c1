"""Stopping and coming back: rounds under way are finished first, and a copy is no crystal ball."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from cutcard.client import RefusedError
from cutcard.client.client import new_key
from cutcard.refusals import Refusal
from cutcard.round.state import Phase
from cutcard.server.audit import verify
from cutcard.store import open_store
from cutcard.store.copying import RESTORED, restore
from cutcard.table import Table
from cutcard.wire import api
from cutcard.wire import house as ask
from tests.patience import PATIENCE, until
from tests.server.house import BLITZ, Deals, configuration
from tests.server.house import house as open_house
from tests.server.staffing import Crew

pytestmark = pytest.mark.anyio

KNOCKOUT = "rws-knockout"
COMMISSION = "rws-commission"
ETG = "rws-non-commission-etg"


def page_of(path: Path, table: str) -> int:
    """Where in a file the first page of a table begins."""
    with closing(sqlite3.connect(path)) as db:
        ((size,),) = db.execute("PRAGMA page_size").fetchall()
        sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        ((root,),) = db.execute(sql, [table]).fetchall()
    return int((root - 1) * size)


async def test_whoever_has_to_decide_decides_while_the_server_stops(address: str) -> None:
    """Otherwise their time would run out by the house's doing, and the Ante with it."""
    async with open_house(configuration((KNOCKOUT,)), address) as found:
        ann = await found.client("ann")
        await ann.do(api.BuyIn(table=KNOCKOUT, amount=1_000_000))
        await ann.do(api.TakeSeat(table=KNOCKOUT, box=1))

        def table() -> Table:
            return found.server.desk.venue.table(KNOCKOUT)

        await until(lambda: table().round.phase is Phase.BETTING)
        await ann.do(api.PlaceBet(table=KNOCKOUT, spot="ante_player", stake=30_000))
        await found.close_bets(KNOCKOUT)
        await until(lambda: table().round.phase is Phase.DECIDING)
        stopping = asyncio.ensure_future(found.server.stop(PATIENCE))
        await until(lambda: found.server.clockwork.stopping)

        assert not found.server.ready
        await ann.do(api.Decide(table=KNOCKOUT, spot="ante_player", continues=True))

        await stopping
        settled = table().round.settled
        assert settled is not None
        assert sum(one.bet.stake for one in settled.bets) == 30_000 + 60_000
        with pytest.raises(RefusedError) as caught:
            await ann.post(f"/tables/{KNOCKOUT}/bets", {"spot": "tie", "stake": 1}, new_key())
        assert caught.value.code == "server/not-ready"


async def test_people_finish_their_round_while_the_server_stops(address: str) -> None:
    """And nobody begins another."""
    config = configuration((COMMISSION, KNOCKOUT), deals=Deals.STAFF, face_down=False)
    async with open_house(config, address) as found:
        crew = await Crew(found, COMMISSION).hire()
        await crew.patrons("ann")
        await crew.shoe()
        await crew.bets({"ann": {"banker": 100_000}})
        stopping = asyncio.ensure_future(found.server.stop(PATIENCE))
        await until(lambda: found.server.clockwork.stopping)

        with pytest.raises(RefusedError) as caught:
            await crew.people["dana"].post(f"/tables/{KNOCKOUT}/staff/open-round", {}, new_key())
        assert caught.value.code == "server/not-ready"
        await crew.scan("Kh Kd 7s 8c")
        await crew.dealer(ask.CallResult)
        await crew.dealer(ask.SettleRound)
        await stopping

    assert crew.state.round.phase is Phase.SETTLED


async def test_a_void_round_is_not_waited_for(address: str) -> None:
    config = configuration((COMMISSION,), deals=Deals.STAFF, face_down=False)
    async with open_house(config, address) as found:
        crew = await Crew(found, COMMISSION).hire()
        await crew.patrons("ann")
        await crew.shoe()
        await crew.bets({"ann": {"banker": 100_000}})
        await crew.dealer(ask.Report, kind="foreign card")
        void = ask.Resolve(table=COMMISSION, step="void the round", reason="a joker")
        await crew.do("sam", void)
        assert crew.state.round.phase is Phase.VOID

        assert await found.server.clockwork.finish(0) == []


async def test_money_keeps_its_currency(address: str) -> None:
    config = configuration()
    async with open_house(config, address) as found:
        pass
    yen = replace(config.venue.currency, code="JPY", digits=0)
    other = replace(config, venue=replace(config.venue, currency=yen))
    async with open_house(other, address) as found:
        # Nobody had any.
        await found.client("ann")
    with pytest.raises(Refusal) as caught:
        async with open_house(config, address):
            pass
    assert caught.value.code == "server/currency"
    assert caught.value.params == {"before": "JPY/0", "now": str(config.venue.currency)}
    async with open_house(other, address):
        pass


async def test_a_shoe_that_was_in_use_when_a_copy_was_made_is_opened(
    address: str, tmp_path: Path
) -> None:
    """Else whoever wrote down what came after the copy would know what comes next."""
    pace = replace(BLITZ, free_rounds=True)
    config = replace(configuration(), paces=MappingProxyType({"usual": pace}))
    copy, again = str(tmp_path / "copy.db"), f"sqlite:{tmp_path / 'again.db'}"
    async with open_house(config, address) as found:
        await until(lambda: found.server.desk.shown.table(ETG).rounds >= 2)
        await found.store.backup(copy)
    store = open_store(again)
    await restore(copy, store, opens=True)
    await store.close()
    rounds = 0
    for _ in range(2):
        async with open_house(config, again) as found:
            desk = found.server.desk
            await until(lambda: desk.shown.table(ETG).rounds > rounds + 2)  # noqa: B023
            rounds = desk.shown.table(ETG).rounds
            # A start after that finds nothing to put away.
            assert desk.shown_shoes[ETG].commitment.number == 2
            assert desk.shown.table(ETG).shoes == 2
            (note,) = await found.store.significant(9, kinds={RESTORED})
            assert note.why == "copy.db"
    assert (await verify(again)).holds


async def test_a_damaged_file_is_no_good_copy(address: str, tmp_path: Path) -> None:
    async with open_house(configuration(), address) as found:
        await until(lambda: found.server.desk.shown.table(ETG).round.phase is Phase.BETTING)
    path = Path(address.removeprefix("sqlite:"))
    assert (await verify(address)).holds
    store = open_store(address)
    await store.open()
    await store.backup(str(tmp_path / "whole.db"))
    await store.close()
    bytes_ = bytearray(path.read_bytes())
    root = page_of(path, "secret_shoe")
    bytes_[root + 200 : root + 3_900] = b"x" * 3_700
    path.write_bytes(bytes_)

    audit = await verify(address)
    assert "store/damaged" in [one.code for one in audit.findings]
    store = open_store(address)
    await store.open()
    with pytest.raises(Refusal) as caught:
        await store.backup(str(tmp_path / "copy.db"))
    await store.close()
    assert caught.value.code == "store/copy"
    assert not (tmp_path / "copy.db").exists()


async def test_a_table_that_people_dealt_becomes_a_machine_once_it_has_closed(address: str) -> None:
    """Cards lie on the table: they are played to the end by those who can."""
    config = configuration((COMMISSION,), deals=Deals.STAFF, face_down=False)
    async with open_house(config, address) as found:
        crew = await Crew(found, COMMISSION).hire()
        await crew.patrons("ann")
        await crew.shoe()
    config = configuration((COMMISSION,), deals=Deals.MACHINE, face_down=False)
    async with open_house(config, address) as found:
        crew = await Crew(found, COMMISSION).hire()
        crew.people["ann"] = await found.client("ann")
        await crew.bets({"ann": {"banker": 100_000}})
        await crew.scan("Kh Kd 7s 8c")
        await crew.dealer(ask.CallResult)
        await crew.dealer(ask.SettleRound)
        await crew.dealer(ask.EndShoe, left=crew.state.shoe.left)
        await crew.do("sam", ask.CloseTable(table=COMMISSION))
        await crew.do("sam", ask.OpenTable(table=COMMISSION))
        await until(lambda: crew.state.round.phase is Phase.BETTING)
        assert crew.state.setup.machine is not None
    config = configuration((COMMISSION,), deals=Deals.STAFF, face_down=False)
    async with open_house(config, address) as found:
        crew = await Crew(found, COMMISSION).hire()
        ann = await found.client("ann")
        await until(lambda: crew.state.round.phase is Phase.BETTING)
        await ann.do(api.PlaceBet(table=COMMISSION, spot="banker", stake=100_000))
        await found.close_bets(COMMISSION)
        await until(lambda: crew.state.setup.machine is None)
        assert not found.server.clockwork.on[COMMISSION]
    assert (await verify(address)).holds
