"""Seats of a running house come free, and a patron who is there keeps the own."""

import asyncio
from typing import Any

import httpx
import pytest

from cutcard.client.refused import RefusedError
from cutcard.ledger import wallet
from cutcard.rules.rulebook import Role
from cutcard.server.config import Config
from cutcard.table.events import SeatLeft
from cutcard.table.incident import SYSTEM
from cutcard.wire import api
from cutcard.wire import house as staff
from tests.patience import until
from tests.server.house import MONEY, Clock, House, configuration, house

pytestmark = [pytest.mark.anyio, pytest.mark.clause("HOUSE seats")]

TABLE = "skycity-commission"
MINUTES = 5
KEPT = MINUTES * 60_000


def venue(boxes: int | None = None) -> Config:
    return configuration((TABLE,), seat_minutes=MINUTES, boxes=boxes)


def seats(found: House) -> dict[int, str]:
    return dict(found.server.desk.shown.table(TABLE).seats)


async def seated(found: House, name: str, box: int = 1) -> Any:
    """A patron with a stack and a seat, while bets are open."""
    client = await found.client(name)
    await client.do(api.BuyIn(table=TABLE, amount=100_000))
    await client.do(api.TakeSeat(table=TABLE, box=box))
    await until(lambda: found.server.desk.shown.table(TABLE).play_from is not None, "a round")
    return client


def freed(found: House) -> list[SeatLeft]:
    """Hears from now on of every seat that comes free."""
    heard: list[SeatLeft] = []

    def hear(published: Any) -> None:
        heard.extend(event for _, event in published.caused if isinstance(event, SeatLeft))

    found.server.desk.listeners.append(hear)
    return heard


async def test_signing_out_frees_the_seat_and_leaves_the_stack(address: str) -> None:
    async with house(venue(), address) as found:
        ann = await seated(found, "ann")
        who = (await found.person("ann")).id
        await ann.post("/sign-out", {})

        assert seats(found) == {}
        assert found.server.desk.shown.table(TABLE).stacks[who] == 100_000


async def test_a_patron_who_signs_out_on_one_screen_keeps_the_seat_on_the_other(
    address: str,
) -> None:
    async with house(venue(), address) as found:
        ann = await seated(found, "ann")
        other = await found.client("ann")
        await other.get("/me")
        await ann.post("/sign-out", {})
        assert len(seats(found)) == 1

        await other.post("/sign-out", {})
        assert seats(found) == {}


async def test_after_a_restart_too_the_seat_is_kept_on_the_other_screen(address: str) -> None:
    """The new server knows the other sign-in from the store only, until it is used."""
    async with house(venue(), address) as found:
        first = await seated(found, "ann")
        second = await found.client("ann")
        tokens = [one._headers["authorization"] for one in (first, second)]
    async with house(venue(), address) as found:
        (person,) = [one for one in await found.store.people() if one.name == "ann"]
        for token, left in zip(tokens, (1, 0), strict=True):
            async with httpx.AsyncClient(headers={"authorization": token}) as http:
                told = await http.post(f"{found.url}/api/v1/sign-out", json={})
            assert told.is_success
            await found.server.desk.settled()
            assert list(seats(found).values()) == [person.id] * left


async def test_a_time_out_frees_the_seat(address: str) -> None:
    async with house(venue(), address) as found:
        ann = await seated(found, "ann")
        await ann.do(api.TakeTimeOut(length=24 * 3_600_000))

        assert seats(found) == {}


async def test_a_seat_is_freed_after_five_minutes_without_a_bet(address: str) -> None:
    """Ben has a bet in play and keeps the seat; ann has none, and can take one again."""
    clock = Clock()
    async with house(venue(), address, now=clock) as found:
        ann, ben = await seated(found, "ann"), await seated(found, "ben", 2)
        heard = freed(found)
        await ben.do(api.PlaceBet(table=TABLE, spot="player", stake=30_000))
        shown = await ann.get(f"/tables/{TABLE}")
        assert shown["own"]["seat_until"] > clock()
        clock.skip(KEPT)
        await until(lambda: heard, "the seat to come free")

        assert [(one.box, one.by) for one in heard] == [(1, SYSTEM)]
        shown = await ann.get(f"/tables/{TABLE}")
        assert (shown["own"]["box"], shown["own"]["stack"]) == (None, 100_000)
        assert shown["shown"]["taken_boxes"] == [2]
        await ann.do(api.TakeSeat(table=TABLE, box=1))
        assert sorted(seats(found)) == [1, 2]


async def test_a_seat_survives_a_loss_of_connection(address: str) -> None:
    clock = Clock()
    async with house(venue(), address, now=clock) as found:
        await seated(found, "ann")
        assert found.server.live.sockets == set()
        clock.skip(KEPT // 2)
        for _ in range(3):
            assert found.server._overdue_seats() == []
            await asyncio.sleep(0)

        assert len(seats(found)) == 1


async def test_a_seat_survives_a_restart_and_is_kept_for_the_whole_time_after_it(
    address: str,
) -> None:
    clock = Clock()
    async with house(venue(), address, now=clock) as found:
        await seated(found, "ann")
        clock.skip(KEPT - 60_000)
    clock.skip(24 * 3_600_000)
    async with house(venue(), address, now=clock) as found:
        await until(lambda: found.server.desk.shown.table(TABLE).play_from is not None, "a round")
        assert len(seats(found)) == 1
        (who,) = seats(found).values()
        # What the patron is told is what the server does.
        assert found.server.live.own(TABLE, who).seat_until == found.server.clockwork.started + KEPT
        heard = freed(found)
        clock.skip(KEPT // 2)
        assert found.server._overdue_seats() == []
        clock.skip(KEPT)
        await until(lambda: heard, "the seat to come free")

        assert [one.by for one in heard] == [SYSTEM]


async def test_staff_free_a_seat_and_the_events_say_who(address: str) -> None:
    async with house(venue(), address) as found:
        await seated(found, "ann")
        who = (await found.person("ann")).id
        heard = freed(found)
        dana = await found.client("dana", Role.DEALER)
        sam = await found.client("sam", Role.PIT_SUPERVISOR)
        with pytest.raises(RefusedError) as stranger:
            await dana.do(staff.FreeSeat(table=TABLE, box=1))
        await sam.do(staff.FreeSeat(table=TABLE, box=1))

        assert stranger.value.code == "staff/not-signed-on"
        assert [(one.patron, one.by) for one in heard] == [(who, (await found.person("sam")).id)]
        (note,) = await found.store.significant(1, kinds={"staff free-seat"})
        assert (note.before, note.after) == (f"box 1: {who}", "box 1: free")


async def test_a_full_table_says_so_before_any_money_moves(address: str) -> None:
    async with house(venue(boxes=1), address) as found:
        await seated(found, "ann")
        ben = await found.client("ben")
        who = (await found.person("ben")).id
        with pytest.raises(RefusedError) as full:
            await ben.do(api.BuyIn(table=TABLE, amount=5_000))
        assert (full.value.code, full.value.clause) == ("seat/full", "HOUSE seats")
        slip = (await ben.do(api.IssueVoucher(amount=5_000))).voucher
        assert slip is not None
        with pytest.raises(RefusedError) as on_paper:
            await ben.do(api.RedeemVoucher(number=slip.number, table=TABLE))
        assert on_paper.value.code == "seat/full"
        await ben.do(api.RedeemVoucher(number=slip.number))
        venue_now = found.server.desk.shown
        assert venue_now.ledger.balance(wallet(who)) == MONEY
        assert who not in venue_now.table(TABLE).stacks
        (listed,) = (await ben.get("/tables"))["tables"]
        assert (listed["boxes"], listed["taken_boxes"]) == (1, [1])
