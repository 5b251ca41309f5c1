"""Many commands at once on one live connection: each is done once, and answered in order."""

import asyncio
from typing import Any

import msgspec
import pytest

from cutcard.client import Client
from cutcard.wire import api
from tests.patience import PATIENCE
from tests.server.house import MONEY, House, websocket

pytestmark = pytest.mark.anyio

ETG = "rws-non-commission-etg"


def said(key: str, command: api.Command) -> str:
    return msgspec.json.encode(api.Do(key=key, command=command)).decode()


async def answers(url: str, client: Client, messages: list[str]) -> list[dict[str, Any]]:
    """What a connection is answered that says all of this before it listens."""
    headers = {"authorization": f"Bearer {client.token}"}
    address = url.replace("http", "ws", 1) + "/api/v1/live"
    async with websocket(address, additional_headers=headers, compression=None) as socket:
        for message in messages:
            await socket.send(message)
        heard: list[dict[str, Any]] = []
        while len(heard) < len(messages):
            async with asyncio.timeout(PATIENCE):
                told = msgspec.json.decode(await socket.recv())
            if told["is"] in ("done", "refused"):
                heard.append(told)
        return heard


async def test_one_key_sent_many_times_at_once_is_done_once(etg: House) -> None:
    ann = await etg.client("ann")
    message = said("sent-again-and-again", api.BuyIn(table=ETG, amount=5_000))
    heard = await answers(etg.url, ann, [message] * 5)

    assert [one["stack"] for one in heard] == [5_000] * 5
    assert len({str(one) for one in heard}) == 1
    assert (await ann.get("/me/wallet"))["wallet"] == MONEY - 5_000


async def test_one_key_for_two_commands_at_once_is_refused(etg: House) -> None:
    ann = await etg.client("ann")
    heard = await answers(
        etg.url,
        ann,
        [said("one-key-for-two", api.BuyIn(table=ETG, amount=amount)) for amount in (5, 6)],
    )

    assert sorted(one.get("code", one["is"]) for one in heard) == ["done", "server/key-reused"]
    assert (await ann.get("/me/wallet"))["wallet"] == MONEY - 5


async def test_answers_come_in_the_order_of_the_commands(etg: House) -> None:
    ann = await etg.client("ann")
    messages = [said(f"in-order-{n:02}", api.BuyIn(table=ETG, amount=100)) for n in range(40)]
    heard = await answers(etg.url, ann, messages)

    assert [one["key"] for one in heard] == [f"in-order-{number:02}" for number in range(40)]
    assert [one["stack"] for one in heard] == [100 * (number + 1) for number in range(40)]


async def test_a_connection_may_have_only_so_many_commands_under_way(etg: House) -> None:
    ann = await etg.client("ann")
    messages = [said(f"too-many-{n:03}", api.BuyIn(table=ETG, amount=1)) for n in range(300)]
    heard = await answers(etg.url, ann, messages)
    done = sum(one["is"] == "done" for one in heard)

    assert {one.get("code") for one in heard} <= {None, "server/busy"}
    assert (await ann.get("/me/wallet"))["wallet"] == MONEY - done
