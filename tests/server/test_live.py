"""The live connection: what is told adds up, also for whoever was away."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from cutcard.client import Client, RefusedError
from cutcard.client.live import Live
from cutcard.round.state import Phase
from cutcard.server import live as server_live
from cutcard.server.socket import SIGNED_OUT
from cutcard.wire import answers, api
from tests.patience import PATIENCE, until
from tests.server.house import BLITZ, MONEY, House, configuration, house, websocket

pytestmark = pytest.mark.anyio

ETG = "rws-non-commission-etg"


@pytest.fixture
async def dealt(tmp_path: Path) -> AsyncIterator[House]:
    """A table that deals whether anybody bets or not."""
    pace = replace(BLITZ, betting_ms=150, result_ms=100, free_rounds=True)
    async with house(configuration(pace=pace), f"sqlite:{tmp_path / 'dealt.db'}") as found:
        yield found


def opened(found: House, client: Client | None = None) -> Any:
    url = found.url.replace("http", "ws") + "/api/v1/live"
    return websocket(url, additional_headers=client._headers if client else {}, max_size=2**22)


async def told(socket: ClientConnection) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        found: dict[str, Any] = json.loads(await socket.recv())
    return found


async def watch(socket: ClientConnection, since: int | None = None) -> None:
    await socket.send(json.dumps({"is": "watch", "table": ETG, "since": since}))


class Folded:
    """A table as somebody makes it up from what is told."""

    def __init__(self) -> None:
        self.seq = -1
        self.shown: dict[str, Any] = {}
        self.own: dict[str, Any] = {}
        self.states: dict[int, dict[str, Any]] = {}
        self.kinds: list[str] = []

    def hear(self, message: dict[str, Any]) -> None:
        self.kinds.append(message["is"])
        # Every message is of a described type, and tells the time.
        assert msgspec.convert(message, answers.Told, strict=True).now > 0
        match message["is"]:
            case "snapshot":
                self.seq, self.shown = message["seq"], dict(message["shown"])
            case "change":
                assert message["was"] == self.seq, "frames follow one another"
                self.seq = message["seq"]
                self.shown = {**self.shown, **message["changes"]}
            case "own":
                self.own = message["own"]
        if self.seq >= 0:
            self.states[self.seq] = self.shown

    async def listen(self, socket: ClientConnection, enough: Callable[[], bool]) -> None:
        while not enough():
            message = await told(socket)
            if message["is"] != "time":
                self.hear(message)


async def seated(found: House) -> Client:
    """ann at the table, with money."""
    ann = await found.client("ann")
    await ann.do(api.BuyIn(table=ETG, amount=100_000))
    return ann


async def played(found: House, rounds: int) -> None:
    """Close the bets, and wait until the round is over, which is so many-th of its shoe."""
    await found.close_bets(ETG)
    await until(lambda: found.phase(ETG) is Phase.SETTLED)
    assert found.server.desk.shown.table(ETG).rounds == rounds


async def test_what_is_told_live_adds_up_to_what_is_asked(dealt: House) -> None:
    """At every sequence number that both have seen."""
    ann = await dealt.client("ann")
    folded, asked = Folded(), dict[int, dict[str, Any]]()

    async def ask() -> None:
        while True:
            found = await ann.get(f"/tables/{ETG}")
            asked[found["seq"]] = found["shown"]
            await asyncio.sleep(0.001)

    async with opened(dealt) as socket:
        await watch(socket)
        asking = asyncio.ensure_future(ask())
        await folded.listen(socket, lambda: len(asked.keys() & folded.states.keys()) > 9)
        asking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asking

    for seq in asked.keys() & folded.states.keys():
        one, other = dict(asked[seq]), dict(folded.states[seq])
        # A countdown may begin between two records.
        one.pop("until"), other.pop("until")
        assert one == other, seq


async def test_ones_own_adds_up_too_on_every_screen(etg: House) -> None:
    ann = await seated(etg)
    first, second = Folded(), Folded()
    async with opened(etg, ann) as one, opened(etg, ann) as other:
        await watch(one)
        await watch(other)
        for number in range(3):
            if number:
                await etg.next_round(ETG)
            await until(lambda: etg.phase(ETG) is Phase.BETTING)
            await ann.do(api.PlaceBet(table=ETG, spot="banker", stake=1_000))
            asked = (await ann.get(f"/tables/{ETG}"))["own"]
            for folded, socket in ((first, one), (second, other)):
                await folded.listen(socket, lambda: folded.own == asked)  # noqa: B023
            assert (asked["box"], len(asked["bets"])) == (None, 1)
            await played(etg, number + 1)


async def test_frames_that_were_missed_follow_from_where_one_was(etg: House) -> None:
    ann, folded = await seated(etg), Folded()
    await until(lambda: etg.phase(ETG) is Phase.BETTING)
    async with opened(etg) as socket:
        await watch(socket)
        await folded.listen(socket, lambda: folded.shown.get("phase") == "betting")
    await ann.do(api.PlaceBet(table=ETG, spot="banker", stake=1_000))
    await played(etg, 1)
    before = len(folded.kinds)
    async with opened(etg) as socket:
        await watch(socket, folded.seq)
        await folded.listen(socket, lambda: folded.shown["phase"] == "settled")

    assert "snapshot" not in folded.kinds[before:]
    assert "change" in folded.kinds[before:]


@pytest.mark.parametrize("since", [0, 10**9, -5])
async def test_whoever_was_away_too_long_is_told_whole(dealt: House, since: int) -> None:
    dealt.server.live.channel(ETG).frames.clear()
    async with opened(dealt) as socket:
        await watch(socket, since)
        folded = Folded()
        await folded.listen(socket, lambda: len(folded.kinds) > 5)

    assert folded.kinds[:2] == ["welcome", "snapshot"]


async def test_every_snapshot_has_the_time_at_which_it_is_told(etg: House) -> None:
    """Also that of a table at which nothing has changed since somebody else came."""
    times = []
    for _ in range(2):
        async with opened(etg) as socket:
            await told(socket)
            before = etg.server.desk.now()
            await watch(socket)
            snapshot = await told(socket)
            times.append(snapshot["now"])
            assert before <= snapshot["now"] <= etg.server.desk.now()
        etg.server.desk.not_before(etg.server.desk.now() + 60_000)
        await etg.server._lease()

    assert times[1] >= times[0] + 60_000


async def test_no_more_frames_are_kept_than_there_is_room_for(dealt: House) -> None:
    folded = Folded()
    async with opened(dealt) as socket:
        await watch(socket)
        await folded.listen(socket, lambda: "change" in folded.kinds)

    assert dealt.server.live.channel(ETG).frames.maxlen == server_live.KEPT


async def test_a_round_that_ran_meanwhile_is_seen_afterwards(etg: House) -> None:
    """The table has moved on, and what became of the bet is in one's history."""
    ann, folded = await seated(etg), Folded()
    async with opened(etg, ann) as socket:
        await watch(socket)
        await folded.listen(socket, lambda: folded.shown.get("phase") == "betting")
        await ann.do(api.PlaceBet(table=ETG, spot="banker", stake=1_000))
    await played(etg, 1)
    (past,) = (await ann.get("/me/rounds"))["rounds"]
    was = folded.shown["rounds"]
    await etg.next_round(ETG)
    async with opened(etg, ann) as socket:
        await watch(socket, folded.seq)
        await folded.listen(socket, lambda: folded.shown["rounds"] > was)

    assert [one["spot"] for one in past["bets"]] == ["banker"]
    assert folded.kinds.count("snapshot") == 1


# --- whose connection it is -----------------------------------------------------------------------


async def closed(socket: ClientConnection) -> int:
    """The code with which the connection ends."""
    with pytest.raises(ConnectionClosed) as caught:
        await _listen(socket)
    assert caught.value.rcvd is not None
    return caught.value.rcvd.code


async def _listen(socket: ClientConnection) -> None:
    while True:
        await told(socket)


async def test_whoever_signs_out_hears_nothing_more(etg: House) -> None:
    ann, ben = await etg.client("ann"), await etg.client("ben")
    async with opened(etg, ann) as one, opened(etg, ann) as two, opened(etg, ben) as other:
        await watch(one)
        await told(other)
        await ann.post("/sign-out", {})
        assert [await closed(one), await closed(two)] == [SIGNED_OUT] * 2
        await other.send('{"is":"ping"}')
        assert (await told(other))["is"] == "time"
    with pytest.raises(RefusedError) as caught:
        await ann.get("/me")
    assert caught.value.code == "signin/needed"


async def test_a_sign_out_on_one_screen_leaves_the_other(etg: House) -> None:
    """And the other can still play."""
    await etg.person("ann")
    here, there = await etg.client("ann"), await etg.client("ann")
    await here.do(api.BuyIn(table=ETG, amount=100_000))
    async with opened(etg, there) as socket:
        await told(socket)
        await here.post("/sign-out", {})
        await socket.send('{"is":"ping"}')
        assert (await told(socket))["is"] == "time"
    while (await there.get(f"/tables/{ETG}"))["shown"]["phase"] != "betting":
        await asyncio.sleep(0.01)
    done = await there.do(api.PlaceBet(table=ETG, spot="banker", stake=1_000))
    assert done.stake == 1_000


async def test_whoever_is_barred_is_hung_up_on(etg: House) -> None:
    ann = await etg.client("ann")
    async with opened(etg, ann) as socket:
        await told(socket)
        person = await etg.person("ann")
        await etg.server.signin.change_person(replace(person, barred=True))
        assert await closed(socket) == SIGNED_OUT


async def test_whoever_was_idle_too_long_is_hung_up_on(etg: House) -> None:
    """Listening keeps nobody signed in."""
    ann = await etg.client("ann")
    async with opened(etg, ann) as socket:
        await told(socket)
        (held,) = etg.server.signin._held.values()
        held.seen -= 31 * 60_000
        await etg.server._look_round()
        assert await closed(socket) == SIGNED_OUT


async def test_a_command_of_a_sign_in_that_is_over_is_refused(etg: House) -> None:
    ann = await etg.client("ann")
    async with opened(etg, ann) as socket:
        await told(socket)
        (held,) = etg.server.signin._held.values()
        held.seen -= 31 * 60_000
        command = {"is": "withdraw", "amount": 5}
        await socket.send(json.dumps({"is": "do", "key": "too-late-now", "command": command}))
        assert await closed(socket) == SIGNED_OUT
    assert (await (await etg.client("ann")).get("/me/wallet"))["wallet"] == MONEY


async def test_whoever_excludes_themselves_may_look_after_the_money(etg: House) -> None:
    """Play is refused at once; the table can be watched, and everything paid out."""
    ann = await etg.client("ann")
    await ann.do(api.BuyIn(table=ETG, amount=100_000))
    async with ann.live() as live:
        await live.watch(ETG)
        await ann.do(api.SelfExclude(length=None))
        for play in (
            api.BuyIn(table=ETG, amount=5),
            api.PlaceBet(table=ETG, spot="banker", stake=1_000),
            api.Deposit(amount=5),
        ):
            for way in (ann.do, live.do):
                with pytest.raises(RefusedError) as caught:
                    await way(play)
                assert caught.value.code in ("patron/excluded", "bet/not-open"), play
        done = await live.do(api.CashOut(table=ETG))
        assert done.wallet == MONEY
        assert (await ann.do(api.Withdraw(amount=MONEY))).wallet == 0
        told = await ann.get("/me/protection")
        assert (told["excluded_until"], told["excluded_for_good"]) == (None, True)


async def test_a_refusal_comes_in_the_language_spoken_last(etg: House) -> None:
    """Without another connection."""
    async with opened(etg, await etg.client("ann")) as socket:
        await told(socket)
        for language, words in (("zh-Hant", "沒有"), ("en", "There is no table")):
            await socket.send(json.dumps({"is": "speak", "language": language}))
            await socket.send('{"is":"watch","table":"nowhere"}')
            assert words in (await told(socket))["sentence"]


async def test_who_waits_in_vain_is_told_for_what(dealt: House) -> None:
    async with Live(dealt.url) as live:
        await live.watch(ETG)

        with pytest.raises(TimeoutError, match=r"Waited 0.1 s for snow; .*still stands\.$"):
            await live.until(lambda: False, 0.1, "snow")


async def test_a_command_without_an_answer_is_given_again_by_the_key_that_is_named(
    dealt: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is slow: nobody is answered before what was decided is on it."""
    ann = await dealt.client("ann")
    commit, free = dealt.store.commit, asyncio.Event()

    async def slowly(*given: Any) -> Any:
        await free.wait()
        return await commit(*given)

    async with Live(dealt.url, ann.token, PATIENCE) as live:
        live._patience = 0.3
        monkeypatch.setattr(dealt.store, "commit", slowly)
        buy = api.BuyIn(table=ETG, amount=500_000)
        with pytest.raises(TimeoutError, match=r"^No answer for 0\.3 s\.") as caught:
            await live.do(buy)
        free.set()
        live._patience = PATIENCE
        await live.do(buy, str(caught.value).split("'")[1])
    assert (await ann.get("/me/wallet"))["wallet"] == MONEY - 500_000


async def test_who_does_not_answer_is_named() -> None:
    async def ignore(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(ignore, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{silent.sockets[0].getsockname()[1]}"
    before = asyncio.all_tasks()
    with pytest.raises(TimeoutError, match=rf"^No answer from ws{url[4:]}/api/v1/live for 0\.1 s"):
        async with Live(url, patience=0.1):
            pass
    silent.close()
    await silent.wait_closed()
    ours = [one for one in asyncio.all_tasks() - before if "_stay" in repr(one)]
    assert ours == []
