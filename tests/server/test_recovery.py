"""What must survive a restart beside rounds: keys, windows, incidents, time, books, leases."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cutcard import wire
from cutcard.cage import Deposited
from cutcard.refusals import Refusal
from cutcard.round.state import FINISHED, Phase
from cutcard.rulebooks import ids
from cutcard.rules.rulebook import Role
from cutcard.server.audit import verify
from cutcard.server.clockwork import DEALER, HOUSE, OPERATOR
from cutcard.server.config import demonstration
from cutcard.server.dealer import Act
from cutcard.server.desk import LOGS
from cutcard.store import Batch, Significant, open_store
from cutcard.table import commands as ask
from cutcard.table.incident import INTERRUPTION, Step
from cutcard.venue import At
from cutcard.wire import api
from tests.engines import ENGINES, fresh
from tests.server.crashing import AFTER, Clock, Faulty, Phoenix, phoenix
from tests.server.house import configuration

pytestmark = pytest.mark.anyio

TABLE = "rws-commission"


@pytest.fixture(params=ENGINES)
async def house(request: pytest.FixtureRequest) -> Phoenix:
    found = phoenix(await fresh(request.param, request), TABLE)
    await found.live()
    await found.people("ann", "ben")
    return found


async def betting(house: Phoenix) -> None:
    while house.table.round.phase is not Phase.BETTING:
        await house.deal()


async def deposits(house: Phoenix, amount: int) -> int:
    """How often an amount was paid in."""
    return sum(
        isinstance(record, wire.Happened)
        and isinstance(record.event, Deposited)
        and record.event.amount == amount
        for kept in await house.server.store.records("cage")
        if (record := wire.read(json.loads(kept.record)))
    )


# --- keys -----------------------------------------------------------------------------------------


async def test_whoever_hangs_up_before_the_answer_is_answered_the_same_later(
    house: Phoenix,
) -> None:
    """The first try was under way when its caller left; it is done, and done once."""
    wish = asyncio.ensure_future(house.do("ann", api.Deposit(amount=777)))
    while not house.server.desk.waiting:
        await asyncio.sleep(0)
    wish.cancel()
    with pytest.raises(asyncio.CancelledError):
        await wish
    answer = await house.ask(house.wishes[-1])

    assert json.loads(answer)["is"] == "done"
    assert await deposits(house, 777) == 1
    await house.rise()
    assert await house.ask(house.wishes[-1]) == answer
    assert await deposits(house, 777) == 1
    await house.die()


async def test_a_key_is_known_all_the_while_that_old_ones_are_forgotten(house: Phoenix) -> None:
    old = await house.do("ann", api.Deposit(amount=111))
    house.clock.now += 1_000
    limit = house.clock.now
    await house.server._lease()
    new = await house.do("ann", api.Deposit(amount=222))
    forgetting = asyncio.ensure_future(house.server.counter.forget(limit))
    while not forgetting.done():
        await house.ask(new)
        await asyncio.sleep(0)

    assert await forgetting >= 1
    assert await deposits(house, 222) == 1
    assert await house.server.store.answered("ann", old.key) is None
    assert house.server.desk.stopped is None
    await house.die()


class Cut(Faulty):
    """A connection that breaks after the database has committed, and once before."""

    def __init__(self, faulty: Faulty, when: str) -> None:
        super().__init__(faulty._store)
        self._cut = when

    async def commit(self, batch: Batch, epochs: Mapping[str, int], now: int) -> None:
        when, self._cut = self._cut, ""
        if when != AFTER and when:
            raise Refusal("store/away", {"why": "cut off"})
        await self._store.commit(batch, epochs, now)
        if when:
            raise Refusal("store/away", {"why": "cut off"})


@pytest.mark.parametrize("when", ["before", AFTER])
async def test_a_connection_that_breaks_at_a_commit(house: Phoenix, when: str) -> None:
    """The desk finds out whether it was done, and does it once."""
    house.server.desk.store = Cut(house.faulty, when)
    wish = await house.do("ann", api.Deposit(amount=333))
    house.server.desk.store = Cut(house.faulty, when)
    refused = await house.do("ann", api.Withdraw(amount=10**12))

    assert wish.done is not None
    assert refused.done is None
    assert await deposits(house, 333) == 1
    await house.die()
    assert (await verify(house.address)).holds


# --- who writes -----------------------------------------------------------------------------------


class Gone(Faulty):
    """A database that is away from some moment on."""

    gone = False

    async def commit(self, batch: Batch, epochs: Mapping[str, int], now: int) -> None:
        if self.gone:
            raise Refusal("store/away", {"why": "gone"})
        await super().commit(batch, epochs, now)


async def test_a_server_that_is_told_to_stop_stops_without_its_database(
    house: Phoenix, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waited was told nobody, and the next server finds everything in order."""
    store = house.server.desk.store = Gone(house.faulty._store)
    store.gone = True
    monkeypatch.setattr("cutcard.server.server.PATIENCE", 0.1)
    unanswered = asyncio.ensure_future(house.do("ann", api.Deposit(amount=555)))
    await asyncio.sleep(0)
    await house.server.stop(0)
    with pytest.raises(Refusal) as caught:
        await unanswered
    assert caught.value.code == "server/stopped"
    house.clock.now += house.config.server.lease_ms + 1

    await house.live()
    assert await deposits(house, 555) == 0
    await house.die()
    assert (await verify(house.address)).holds


class Slow(Faulty):
    """A disk so slow that a lease has run out whenever it has written something."""

    clock: Clock
    lease_ms: int

    async def commit(self, batch: Batch, epochs: Mapping[str, int], now: int) -> None:
        await super().commit(batch, epochs, now)
        self.clock.now += self.lease_ms + 1


async def test_a_busy_machine_stops_no_venue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many tables open, every commit takes longer than the lease lasts, and nobody else comes."""
    found = phoenix(f"sqlite:{tmp_path / 'venue.db'}", TABLE)
    found.config = replace(found.config, tables=configuration(ids()).tables)
    monkeypatch.setattr(Slow, "clock", found.clock, raising=False)
    monkeypatch.setattr(Slow, "lease_ms", found.config.server.lease_ms, raising=False)
    monkeypatch.setattr("tests.server.crashing.Faulty", Slow)
    await found.live()
    await found.people("ann")
    for _ in range(5):
        await found.do("ann", api.Deposit(amount=100))

    assert found.server.desk.stopped is None
    assert all(found.server.desk.shown.table(book).open for book in ids())
    assert [wish.done is not None for wish in found.wishes] == [True] * 6
    await found.die()
    assert (await verify(found.address)).holds


async def test_an_old_owner_can_write_nothing_not_even_a_refusal(house: Phoenix) -> None:
    """Its records, answers and notes are refused; and it does not take another's for its own."""
    old = house.server
    house.clock.now += house.config.server.lease_ms + 1
    await house.live()
    new, house.server = house.server, old
    for command in (api.Deposit(amount=444), api.Withdraw(amount=10**12)):
        with pytest.raises(Refusal) as caught:
            await house.do("ann", command)
        assert caught.value.code == "server/stopped"
    assert old.desk.stopped is not None
    house.server = new
    assert await deposits(house, 444) == 0
    for wish in house.wishes[-2:]:
        await house.ask(wish)
    assert await deposits(house, 444) == 1
    await house.die()
    house.server = old
    for task in old._tasks:
        task.cancel()
    await asyncio.gather(*old._tasks, return_exceptions=True)
    old.signin.close()
    await old.store.close()
    assert (await verify(house.address)).holds


async def test_whoever_slept_while_another_ran_stops(house: Phoenix) -> None:
    """The other is gone and the lease is free: what is remembered here is old all the same."""
    server, other = house.server, open_store(house.address)
    await other.open()
    house.clock.now += server.config.server.lease_ms + 1
    now = house.clock.now
    await other.lease((*LOGS, *server.arranged), "another", now, now + 1_000)
    await other.release("another")
    await other.close()

    with pytest.raises(Refusal) as caught:
        await server._lease()

    assert caught.value.code == "store/fenced"
    await house.die()


async def test_a_table_with_money_is_not_left_out(house: Phoenix) -> None:
    await house.do("ann", api.BuyIn(table=TABLE, amount=5_000))
    await house.die()
    house.config = phoenix(house.address, "online-baccarat").config

    with pytest.raises(Refusal) as caught:
        await house.live()

    assert caught.value == Refusal("server/table-left-out", {"table": TABLE, "amount": 10_005_000})
    await house.die()


async def test_a_stop_in_good_order_needs_no_waiting(house: Phoenix) -> None:
    await house.server.stop(0)
    await house.live()

    assert house.server.ready
    await house.die()


async def test_time_does_not_go_back_with_the_clock(house: Phoenix) -> None:
    """Neither in the logs nor in the significant events, the latest of which may be a note."""
    await betting(house)
    house.clock.now += 60_000
    desk = house.server.desk
    latest = desk.now()
    desk.note(Significant(latest, "a note", "sam"))
    await desk.settled()
    await house.server.stop(0)
    house.clock.now -= 3_600_000
    await house.live()

    assert house.server.desk.now() >= latest
    await house.server.stop(0)
    assert (await verify(house.address)).holds


# --- windows --------------------------------------------------------------------------------------


async def test_an_incident_and_the_choice_after_it_survive(house: Phoenix) -> None:
    """Whoever was to decide still is, and by the book the round is judged for each cut: a pair is
    lost by the third card, so it goes on, and whoever chooses has the whole time again."""
    await betting(house)
    for who in ("ann", "ben"):
        await house.do(who, api.PlaceBet(table=TABLE, spot="tie", stake=40_000))
    while len(house.table.face_up) < 3:
        await house.deal()
    desk = house.server.desk
    desk.act(At(TABLE, ask.Report("other dealing error", DEALER, house.clock())))
    await desk.settled()
    incident = house.table.incident
    assert incident is not None

    await house.rise()
    assert house.table.incident == incident
    assert [one.kind for one in house.table.behind] == [INTERRUPTION]
    for step in (Step.CONTINUE, Step.CONCLUDE):
        assert house.next() is None, "nothing goes on before it is put right"
        house.server.desk.act(At(TABLE, ask.Resolve(step, OPERATOR, house.clock())))
        await house.server.desk.settled()
    offered, until = house.table.options, house.table.options_until
    assert offered is not None

    house.clock.now += 5_000
    await house.rise()
    finished = house.table.round.phase in FINISHED
    assert (house.table.options, finished) == (offered, False)
    assert house.table.options_until >= until + 5_000
    await house.deal()
    assert house.table.options is None, "whoever has not chosen has the bets back"
    await house.die()
    assert (await verify(house.address)).holds


async def test_a_patron_seals_one_seed_a_shoe_under_whatever_name(house: Phoenix) -> None:
    """Several would be as many chances to withhold the one that does not suit."""
    await house.deal()

    async def answer(who: str, giver: str) -> dict[str, Any]:
        sealed = api.SealSeed(table=TABLE, giver=giver, seal="ab" * 32)
        found: dict[str, Any] = json.loads((await house.do(who, sealed)).answer or b"{}")
        return found

    assert (await answer("ann", "ann"))["is"] == "done"
    again = await answer("ann", "ann by another name")
    assert (again["is"], again["code"]) == ("refused", "fairness/seal-twice")
    assert (await answer("ben", "ben"))["is"] == "done"
    assert set(house.server.desk.shoes[TABLE].seals) == {HOUSE, "ann", "ben"}
    await house.die()


async def test_whoever_sealed_a_seed_has_time_to_give_it_after_a_restart(house: Phoenix) -> None:
    """The house's own seed was given; a patron's is waited for as long as ever."""
    await house.deal()
    pace = house.server.clockwork.tables[TABLE].pace
    sealed = api.SealSeed(table=TABLE, giver="ann", seal="ab" * 32)
    assert (await house.do("ann", sealed)).done is not None
    assert (await house.deal()).act is Act.CLOSE_SEEDS

    await house.rise()
    following = house.next()
    assert following is not None
    assert following.act is Act.ABORT
    assert following.at == house.server.clockwork.started + pace.seeds
    assert (await house.deal()).act is Act.ABORT
    assert (await house.deal()).act is Act.COMMIT
    await house.die()
    assert (await verify(house.address)).holds


# --- books ----------------------------------------------------------------------------------------


async def test_a_table_changes_its_book_after_one_more_round(house: Phoenix) -> None:
    """An open table plays on by the book it opened with, closes, and opens with the new one."""
    await betting(house)
    await house.die()
    other = replace(demonstration().table("skycity-commission"), name=TABLE)
    house.config = replace(house.config, tables=(other,))
    await house.live()

    assert house.book.id == TABLE
    acts = []
    while Act.CLOSE_TABLE not in acts:
        if house.table.round.phase is Phase.BETTING:
            await house.do("ann", api.PlaceBet(table=TABLE, spot="banker", stake=40_000))
        acts.append((await house.deal()).act)
    assert acts.count(Act.SETTLE) == 1
    assert house.book.id == "skycity-commission"
    assert house.table.open
    await betting(house)
    assert (
        await house.do("ben", api.PlaceBet(table=TABLE, spot="banker", stake=40_000))
    ).done is not None
    await house.die()
    found = await verify(house.address)
    assert [str(one) for one in found.findings] == []


@pytest.mark.clause("CB4 5.5.1", "CB4 5.5.2")
@pytest.mark.parametrize("kind", ["foreign card", "shortage or excess in the shoe"])
async def test_a_committed_shoe_that_the_pit_takes_away_is_opened_and_never_comes_back(
    house: Phoenix, kind: str
) -> None:
    """It leaves play after the void; the next round is dealt from a new one, and the log holds."""
    await betting(house)
    assert house.table.shoe is not None
    first = house.table.shoe.id
    assert (await house.do("ann", api.PlaceBet(table=TABLE, spot="banker", stake=30_000))).done
    while len(house.table.round.coup.dealt) < 2:
        await house.deal()
    desk = house.server.desk
    desk.act(
        At(TABLE, ask.SignOn(OPERATOR, Role.PIT_SUPERVISOR, desk.now())),
        At(TABLE, ask.Report(kind, OPERATOR, desk.now(), note="seen")),
        At(TABLE, ask.Resolve(Step.VOID, OPERATOR, desk.now(), "seen")),
    )
    await desk.settled()
    after = desk.shown.table(TABLE)
    assert (after.round.phase, after.shoe) == (Phase.VOID, None)

    assert (await house.deal()).act is Act.ABORT
    assert (await house.deal()).act is Act.COMMIT
    await betting(house)
    assert house.table.shoe is not None
    assert house.table.shoe.id != first
    await house.die()
    assert (await verify(house.address)).holds
