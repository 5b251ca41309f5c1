"""Many at once: money is paid once, a key is done once, whichever way it comes."""

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import Any

import pytest

from cutcard.client import Client, RefusedError
from cutcard.wire import api
from tests.engines import ENGINES, fresh
from tests.server.house import MONEY, House

pytestmark = pytest.mark.anyio

DAY = 24 * 3600 * 1000
ETG = "rws-non-commission-etg"


@pytest.fixture(params=ENGINES)
async def address(request: pytest.FixtureRequest) -> str:
    """On either engine: who is first is not always decided in memory."""
    return await fresh(request.param, request)


async def code(doing: Awaitable[api.Done]) -> str:
    """What became of it."""
    try:
        await doing
    except RefusedError as refused:
        return refused.code
    return "done"


async def wallet(client: Client) -> int:
    found: int = (await client.get("/me/wallet"))["wallet"]
    return found


async def test_a_voucher_is_paid_once_however_many_redeem_it(etg: House) -> None:
    """Two patrons, twelve tries at the same moment, over REST and live."""
    ann, ben = await etg.client("ann"), await etg.client("ben")
    async with ann.live() as by_ann, ben.live() as by_ben:
        for _ in range(5):
            before = await wallet(ann) + await wallet(ben)
            issued = await ann.do(api.IssueVoucher(amount=5_000))
            assert issued.voucher is not None
            redeem = api.RedeemVoucher(number=issued.voucher.number)
            ways: list[Any] = [ann.do, ben.do, by_ann.do, by_ben.do] * 3
            codes = await asyncio.gather(*(code(way(redeem)) for way in ways))

            assert codes.count("done") == 1
            assert {one for one in codes if one != "done"} == {"cage/voucher-redeemed"}
            assert await wallet(ann) + await wallet(ben) == before


async def test_one_key_many_times_at_once_is_one_effect_and_one_answer(etg: House) -> None:
    """Ten times over REST, and once over each of ten live connections."""
    ann = await etg.client("ann")
    async with contextlib.AsyncExitStack() as stack:
        lives = [await stack.enter_async_context(ann.live()) for _ in range(10)]
        ways: list[Any] = [*(one.do for one in lives), *([ann.do] * 10)]
        for number in range(3):
            before = await wallet(ann)
            key, bought = f"the-same-key-{number}", api.BuyIn(table=ETG, amount=700)
            answers = await asyncio.gather(*(way(bought, key) for way in ways))
            assert len(answers) == 20
            assert all(one == answers[0] for one in answers)
            assert await wallet(ann) == before - 700


async def test_one_key_with_many_bodies_at_once_is_done_for_one_of_them(etg: House) -> None:
    ann = await etg.client("ann")
    codes = await asyncio.gather(
        *(code(ann.do(api.BuyIn(table=ETG, amount=700 + n), "one-key-only")) for n in range(20))
    )

    assert codes.count("done") == 1
    assert set(codes) == {"done", "server/key-reused"}
    assert MONEY - 719 <= await wallet(ann) <= MONEY - 700


async def test_a_key_belongs_to_its_owner(etg: House) -> None:
    """Another's key is no answer to mine."""
    ann, ben = await etg.client("ann"), await etg.client("ben")
    one = await ann.do(api.Withdraw(amount=5), "a-shared-key")
    other = await ben.do(api.Withdraw(amount=7), "a-shared-key")

    assert (one.wallet, other.wallet) == (MONEY - 5, MONEY - 7)


async def test_a_key_is_not_forgotten_while_old_ones_are(
    etg: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Housekeeping takes its time; what was answered a moment ago stays answered."""
    ann = await etg.client("ann")
    store, slowly = etg.store, etg.store.answered_since

    async def forget(_: int) -> int:
        return 1

    looked, go = asyncio.Event(), asyncio.Event()

    async def since(at: int) -> list[tuple[str, str]]:
        found = await slowly(at)
        looked.set()
        await go.wait()
        return found

    monkeypatch.setattr(store, "forget_answers", forget)
    monkeypatch.setattr(store, "answered_since", since)
    await ann.do(api.Withdraw(amount=100), "kept-through-the-night")
    forgetting = asyncio.ensure_future(etg.server.counter.forget(etg.server.desk.now() - DAY))
    await looked.wait()
    during = await ann.do(api.Withdraw(amount=100), "kept-through-the-night")
    meanwhile = await ann.do(api.Withdraw(amount=10), "made-in-the-night")
    go.set()
    await forgetting
    after = await ann.do(api.Withdraw(amount=100), "kept-through-the-night")
    again = await ann.do(api.Withdraw(amount=10), "made-in-the-night")

    assert during == after
    assert meanwhile == again
    assert await wallet(ann) == MONEY - 110


async def test_two_withdrawals_of_everything(etg: House) -> None:
    ann = await etg.client("ann")
    codes = await asyncio.gather(*(code(ann.do(api.Withdraw(amount=MONEY))) for _ in range(5)))

    assert sorted(codes) == ["cage/wallet-short"] * 4 + ["done"]
    assert await wallet(ann) == 0
