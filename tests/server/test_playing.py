"""Playing by API alone: every book from buy-in to cash-out."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cutcard.client import Client, RefusedError
from cutcard.rulebooks import ids
from cutcard.server.dealer import Act
from cutcard.wire import api
from tests.patience import PATIENCE
from tests.server.crashing import phoenix
from tests.server.house import MONEY, House, configuration, has_seats, house

pytestmark = pytest.mark.anyio

ETG = "rws-non-commission-etg"
SKYCITY = "skycity-commission"


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[House]:
    async with house(configuration(ids()), f"sqlite:{tmp_path / 'floor.db'}") as open_house:
        yield open_house


async def seen(
    client: Client, table: str, wanted: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """The table as soon as it is as wanted."""
    async with asyncio.timeout(PATIENCE):
        while not wanted(found := await client.get(f"/tables/{table}")):
            await asyncio.sleep(0.005)
    return dict(found)


def betting(found: dict[str, Any]) -> bool:
    return bool(found["shown"]["phase"] == "betting")


def over(found: dict[str, Any]) -> bool:
    return bool(found["own"]["results"])


@pytest.mark.parametrize("book", ids())
async def test_a_round_from_buy_in_to_cash_out(floor: House, book: str) -> None:
    ann = await floor.client("ann")
    await ann.do(api.BuyIn(table=book, amount=1_000_000))
    if has_seats(book):
        await ann.do(api.TakeSeat(table=book, box=1))
    await seen(ann, book, betting)

    spots = (await ann.get(f"/tables/{book}/book"))["bets"]
    spot = next(name for name, one in spots.items() if not one["needs"] and not one["stage"])
    bet = await ann.do(api.PlaceBet(table=book, spot=spot, stake=30_000))
    reserve = spots[spot]["reserve"]
    assert (bet.stake, bet.stack) == (30_000, 1_000_000 - 30_000 * reserve)
    await floor.close_bets(book)

    ended = await seen(ann, book, over)
    net = sum(one["net"] for one in ended["own"]["results"])
    assert ended["own"]["stack"] == 1_000_000 + net
    out = await ann.do(api.CashOut(table=book))
    assert (out.stack, out.wallet) == (0, MONEY + net)
    (played,) = (await ann.get("/me/rounds"))["rounds"]
    assert (played["table"], played["net"], played["ended"]) == (book, net, "settled")
    assert played["bets"] == ended["own"]["results"]


async def test_a_knockout_decision(floor: House) -> None:
    """An Ante is continued with twice its stake, or forfeited where nobody decides."""
    table = "rws-knockout"
    ann, ben = await floor.client("ann"), await floor.client("ben")
    for box, patron in enumerate((ann, ben), start=1):
        await patron.do(api.BuyIn(table=table, amount=1_000_000))
        if has_seats(table):
            await patron.do(api.TakeSeat(table=table, box=box))
    await seen(ann, table, betting)
    await asyncio.gather(
        *(one.do(api.PlaceBet(table=table, spot="ante_player", stake=10_000)) for one in (ann, ben))
    )
    await floor.close_bets(table)

    asked = await seen(ann, table, lambda found: bool(found["own"]["undecided"]))
    assert asked["shown"]["until"] is not None
    done = await ann.do(api.Decide(table=table, spot="ante_player", continues=True))
    assert done.stack == 1_000_000 - 10_000 - 20_000
    floor.end_decisions(table)

    mine, theirs = await seen(ann, table, over), await seen(ben, table, over)
    assert {one["spot"] for one in mine["own"]["results"]} == {"ante_player", "wager_player"}
    assert [(one["net"], one["clause"]) for one in theirs["own"]["results"]] == [
        (-10_000, "HOUSE timeout")
    ]
    (played,) = (await ben.get("/me/rounds"))["rounds"]
    assert played["decided_by_system"] == ["ante_player"]


async def test_a_refusal_has_code_sentence_and_clause_in_the_callers_language(
    etg: House,
) -> None:
    ann = await etg.client("ann")
    with pytest.raises(RefusedError) as caught:
        await ann.do(api.PlaceBet(table=ETG, spot="banker", stake=1_000, box=1))

    assert (caught.value.code, caught.value.clause) == ("bet/no-boxes", "HOUSE open table")
    ann._headers["accept-language"] = "zh-Hant"
    with pytest.raises(RefusedError) as caught:
        await ann.do(api.BuyIn(table="nowhere", amount=5))
    assert caught.value.code == "table/unknown"
    with pytest.raises(RefusedError, match="投注格"):
        await ann.do(api.PlaceBet(table=ETG, spot="banker", stake=1_000, box=1))


async def test_the_same_key_is_answered_the_same_and_done_once(etg: House) -> None:
    ann = await etg.client("ann")
    first = await ann.do(api.BuyIn(table=ETG, amount=5_000), key="the-same-key")
    again = await ann.do(api.BuyIn(table=ETG, amount=5_000), key="the-same-key")

    assert first == again
    assert (await ann.get("/me/wallet"))["wallet"] == MONEY - 5_000
    with pytest.raises(RefusedError) as caught:
        await ann.do(api.BuyIn(table=ETG, amount=5_001), key="the-same-key")
    assert (caught.value.code, caught.value.key) == ("server/key-reused", "the-same-key")


async def test_a_refusal_is_kept_under_its_key_too(etg: House) -> None:
    ann = await etg.client("ann")
    for _ in range(2):
        with pytest.raises(RefusedError) as caught:
            await ann.do(api.Withdraw(amount=MONEY + 1), key="too-much-money")
        assert caught.value.code == "cage/wallet-short"
    assert (await ann.get("/me/wallet"))["wallet"] == MONEY


async def test_a_bet_meant_for_another_round_is_refused(etg: House) -> None:
    ann = await etg.client("ann")
    await ann.do(api.BuyIn(table=ETG, amount=100_000))
    await seen(ann, ETG, betting)
    with pytest.raises(RefusedError) as caught:
        await ann.do(api.PlaceBet(table=ETG, spot="banker", stake=1_000, round="9/9"))

    assert caught.value.code == "bet/other-round"


async def test_the_bets_of_the_last_round_again(etg: House) -> None:
    ann = await etg.client("ann")
    await ann.do(api.BuyIn(table=ETG, amount=1_000_000))
    await seen(ann, ETG, betting)
    await asyncio.gather(
        ann.do(api.PlaceBet(table=ETG, spot="banker", stake=2_000)),
        ann.do(api.PlaceBet(table=ETG, spot="tie", stake=1_000)),
    )
    await etg.close_bets(ETG)
    await seen(ann, ETG, over)
    await etg.next_round(ETG)
    await seen(ann, ETG, betting)
    done = await ann.do(api.Rebet(table=ETG, times=2))
    now = await ann.get(f"/tables/{ETG}")

    assert done.stack is not None
    assert {(one["spot"], one["stake"]) for one in now["own"]["bets"]} == {
        ("banker", 4_000),
        ("tie", 2_000),
    }
    with pytest.raises(RefusedError) as caught:
        await ann.do(api.Rebet(table=ETG))
    assert caught.value.code == "bet/rebet-placed"


@pytest.mark.clause("ONL B4 (c)")
async def test_the_cut_card_of_a_new_shoe_is_placed_at_random(tmp_path: Path) -> None:
    places = []
    for seed in range(4):
        found = phoenix(f"sqlite:{tmp_path / str(seed)}.db", "online-baccarat")
        found.entropy = Random(seed).randbytes
        await found.live()
        assert (await found.deal()).act is Act.COMMIT
        places.append(found.server.desk.shoes[found.name].commitment.behind_cut)
        await found.die()

    assert places == [27, 26, 42, 24]


async def test_a_bet_is_taken_back_also_by_whoever_has_left_the_seat(address: str) -> None:
    async with house(configuration((SKYCITY,)), address) as found:
        ann = await found.client("ann")
        await ann.do(api.BuyIn(table=SKYCITY, amount=30_000))
        await ann.do(api.TakeSeat(table=SKYCITY, box=1))
        await seen(ann, SKYCITY, betting)
        await ann.do(api.PlaceBet(table=SKYCITY, spot="player", stake=30_000))
        with pytest.raises(RefusedError) as playing:
            await ann.do(api.CashOut(table=SKYCITY))
        await ann.do(api.LeaveSeat(table=SKYCITY))

        assert playing.value.code == "cage/bets-in-play"
        back = await ann.do(api.WithdrawBet(table=SKYCITY, spot="player"))
        assert back.stack == 30_000
        await ann.do(api.CashOut(table=SKYCITY))
        with pytest.raises(RefusedError) as empty:
            await ann.do(api.CashOut(table=SKYCITY))
        assert empty.value.code == "cage/nothing-there"
