"""Hostile input: everything that somebody could send is refused in words, and costs little."""

import asyncio
import contextlib
import json
import logging
import socket as sockets
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cutcard.client import RefusedError
from cutcard.client.client import new_key
from cutcard.server import door
from cutcard.server.headers import cookie_name
from cutcard.server.live import MOST_BUFFERED, Conversation
from cutcard.wire import api
from tests.patience import PATIENCE, until
from tests.server.crashing import Clock as StoppedClock
from tests.server.house import BLITZ, MONEY, PASSWORD, House, configuration, house, websocket

pytestmark = pytest.mark.anyio

ETG = "rws-non-commission-etg"
DEEP = 100_000


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Any:
    """Nothing that anybody sends may leave a traceback behind."""
    yield
    told = [one for one in caplog.get_records("call") if one.levelno >= logging.ERROR]
    # The web server notes text that is none, with its own traceback; the caller hears nothing.
    assert [one for one in told if "Invalid UTF-8" not in one.getMessage()] == []


@pytest.fixture
async def one_moment(address: str) -> AsyncIterator[House]:
    """A house in which no time passes, so that what a limit allows does not come back."""
    async with house(configuration(), address, now=StoppedClock()) as found:
        yield found


def live(found: House) -> str:
    return found.url.replace("http", "ws") + "/api/v1/live"


async def heard(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        async with asyncio.timeout(PATIENCE):
            told: dict[str, Any] = json.loads(await socket.recv())
        if told["is"] == kind:
            return told


# --- REST -----------------------------------------------------------------------------------------

BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "another kind": b"[]",
    "a word": b'"amount"',
    "null": b"null",
    "deep": b"[" * DEEP,
    "deep and closed": b'{"amount":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "deep in an unknown field": b'{"x":' + b"[" * 30_000 + b"]" * 30_000 + b',"amount":5}',
    "no UTF-8": b'{"amount":"\xff\xfe"}',
    "half a surrogate": b'{"amount":"\\ud800"}',
    "a zero byte": b'{"amount":5}\x00',
    "huge": b'{"amount":' + b"9" * 5_000 + b"}",
    "a fraction": b'{"amount":1e400}',
    "not a number": b'{"amount":NaN}',
    "negative": b'{"amount":-5}',
    "a flag": b'{"amount":true}',
    "a number in words": b'{"amount":"5"}',
    "half": b'{"amount":5.5}',
    "unknown": b'{"amount":5,"more":1}',
    "too much": b'{"amount":1000000000000001}',
}


@pytest.mark.parametrize("body", BODIES)
async def test_a_body_that_is_none_is_refused(etg: House, body: str) -> None:
    ann = await etg.client("ann")
    answer = await ann._http.post(
        f"{etg.url}/api/v1/me/withdrawals",
        content=BODIES[body],
        headers={
            **ann._headers,
            "content-type": "application/json",
            "idempotency-key": new_key(),
        },
    )

    # What is too large is refused as such.
    expected = 413 if len(BODIES[body]) > 64 * 1024 else 400
    assert answer.status_code == expected, answer.text
    assert answer.json()["is"] == "refused"
    assert "Traceback" not in answer.text
    assert (await ann.get("/me/wallet"))["wallet"] == MONEY


async def test_the_last_of_two_fields_of_one_name_counts_everywhere(etg: House) -> None:
    """The answer, the key and the money speak of the same amount."""
    ann = await etg.client("ann")
    answer = await ann._http.post(
        f"{etg.url}/api/v1/me/withdrawals",
        content=b'{"amount":5,"amount":7}',
        headers={
            **ann._headers,
            "content-type": "application/json",
            "idempotency-key": "twice-amount",
        },
    )

    assert answer.json()["wallet"] == MONEY - 7
    again = await ann.do(api.Withdraw(amount=7), key="twice-amount")
    assert again.wallet == MONEY - 7


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "a/b", ""])
async def test_a_form_is_no_message(etg: House, kind: str) -> None:
    ann = await etg.client("ann")
    answer = await ann._http.post(
        f"{etg.url}/api/v1/me/withdrawals",
        content=b"amount=5",
        headers={**ann._headers, "content-type": kind, "idempotency-key": new_key()},
    )

    assert 400 <= answer.status_code < 500


@pytest.mark.parametrize("sized", [True, False])
async def test_a_body_without_end_is_cut_off(etg: House, sized: bool) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(200):
            yield b" " * 1024

    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        with contextlib.suppress(httpx.TransportError):
            answer = await http.post(
                f"{etg.url}/api/v1/sign-in",
                content=b" " * 200 * 1024 if sized else endless(),
                headers={"content-type": "application/json"},
            )
            assert answer.status_code == 413


@pytest.mark.parametrize(
    "path",
    [
        "/%ff%fe",
        "/../../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/server/keys.py",
        "//evil.example/",
        "/api/v1/tables/%00",
        "/api/v1/tables/" + "a" * 5_000,
        "/api/v1/tables/nowhere/rounds/1/99999999999999999999",
        "/api/v1/tables/x/shoes/-1",
        "/api/v1/me/rounds?most=1e9",
        "/api/v1/significant-events?since=" + "9" * 500,
        "/\N{SNOWMAN}",
    ],
)
async def test_a_path_that_leads_nowhere(etg: House, path: str) -> None:
    ann = await etg.client("ann")
    answer = await ann._http.get(etg.url + path, headers=ann._headers)

    assert 400 <= answer.status_code < 500
    assert "Traceback" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer " + "x" * 5_000},
        {"authorization": "Bearer \u00ff"},
        {"cookie": "__Host-cutcard=\u00ff; ;;=;"},
        {"cookie": 'a="' * 500},
        {"accept-language": "," * 5_000},
        {"x-forwarded-for": "'; DROP TABLE session"},
    ],
)
async def test_headers_that_mean_nothing(etg: House, headers: dict[str, str]) -> None:
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        answer = await http.get(f"{etg.url}/api/v1/me", headers=raw)

    assert (answer.status_code, answer.json()["code"]) == (401, "signin/needed")


# --- the live connection --------------------------------------------------------------------------

SAID: dict[str, str | bytes] = {
    "nothing": "",
    "no JSON": "{",
    "another kind": "[]",
    "deep": "[" * 60_000,
    "deep before the tag": '{"table":' + "[" * 30_000 + "]" * 30_000 + ',"is":"watch"}',
    "an unknown tag": '{"is":"steal"}',
    "no tag": '{"table":"x"}',
    "an unknown field": '{"is":"ping","more":1}',
    "an unknown command": '{"is":"do","key":"12345678","command":{"is":"steal"}}',
    "a huge number": '{"is":"watch","table":"x","since":' + "9" * 5_000 + "}",
    "a fraction": '{"is":"watch","table":"x","since":1e999}',
    "half a surrogate": '{"is":"watch","table":"\\ud800"}',
    "a table that is none": '{"is":"watch","table":"nowhere"}',
    "a long table": '{"is":"watch","table":"' + "x" * 40_000 + '"}',
    "a short key": '{"is":"do","key":"x","command":{"is":"deposit","amount":5}}',
    "bytes": b"\x00\x01\xff\xfe",
    "bytes without UTF-8": b'{"is":"watch","table":"\xff\xfe"}',
}


async def test_a_message_that_is_none_is_refused_and_the_connection_goes_on(etg: House) -> None:
    async with websocket(live(etg)) as socket:
        await heard(socket, "welcome")
        for name, said in SAID.items():
            await socket.send(said)
            told = await heard(socket, "refused")
            assert told["code"] in (
                "server/message",
                "server/characters",
                "table/unknown",
            ), name
            assert len(told["sentence"]) < 500, name
        await socket.send('{"is":"ping","sent":7}')
        assert (await heard(socket, "time"))["sent"] == 7


async def test_a_command_that_cannot_be_read_is_refused_under_its_key(etg: House) -> None:
    async with websocket(live(etg)) as socket:
        await heard(socket, "welcome")
        for command in ({"is": "zzz"}, {"is": "deposit", "amount": "5"}, 7):
            await socket.send(json.dumps({"is": "do", "key": "abcdefgh", "command": command}))
            told = await heard(socket, "refused")
            assert (told["code"], told["key"]) == ("server/message", "abcdefgh")


async def test_a_message_as_bytes_is_read_like_text(etg: House) -> None:
    async with websocket(live(etg)) as socket:
        await socket.send(b'{"is":"ping","sent":1}')
        assert (await heard(socket, "time"))["sent"] == 1


@pytest.mark.parametrize(
    ("said", "code"), [(b"\xff\xfe", 1007), (b" " * 70_000, 1009)], ids=["no text", "too long"]
)
async def test_what_is_no_message_at_all_ends_the_connection(
    etg: House, said: bytes, code: int
) -> None:
    async with websocket(live(etg)) as socket:
        await socket.send(said, text=True)
        with pytest.raises(ConnectionClosed) as caught:
            await heard(socket, "nothing more")
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == code


async def test_a_message_in_endless_pieces_ends_the_connection(etg: House) -> None:
    async def pieces() -> AsyncIterator[str]:
        for _ in range(5_000):
            yield ""

    async with websocket(live(etg)) as socket:
        with contextlib.suppress(ConnectionClosed):
            await socket.send(pieces())
        with pytest.raises(ConnectionClosed):
            await heard(socket, "nothing more")


@pytest.mark.parametrize("path", ["/", "/api/v1/lives", "/api/v1/live/", "/api/v1/me", "/%ff"])
async def test_there_is_one_address_for_a_socket(etg: House, path: str) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await websocket(etg.url.replace("http", "ws") + path)

    assert caught.value.response.status_code == 404
    assert caught.value.response.headers["x-frame-options"] == "DENY"


async def test_a_token_that_is_none_opens_no_socket(etg: House) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await websocket(live(etg), additional_headers={"authorization": "Bearer made-up"})

    assert caught.value.response.status_code == 401


async def test_the_cookie_of_a_sign_in_that_is_over_opens_a_spectators_socket(etg: House) -> None:
    """A browser keeps it, and the page goes on watching as somebody who is not signed in."""
    ann = await etg.client("ann")
    host = etg.url.removeprefix("http://")
    cookie = f"{cookie_name('http', host, etg.server.config)}={ann.token}"
    headers = {"origin": etg.url, "cookie": cookie}
    async with websocket(live(etg), additional_headers=headers) as socket:
        assert (await heard(socket, "welcome"))["you"]["id"] == ann.id
    await ann.post("/sign-out", {})
    async with websocket(live(etg), additional_headers=headers) as socket:
        assert (await heard(socket, "welcome"))["you"] is None


async def test_ten_thousand_messages_at_once(
    one_moment: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute's worth is answered, the rest refused; others hear nothing of it."""
    monkeypatch.setattr(Conversation, "MESSAGES_A_MINUTE", 1_000)
    url = live(one_moment)
    async with websocket(url) as socket, websocket(url) as other:
        said = json.dumps({"is": "watch", "table": ETG, "since": 0})

        async def flood() -> None:
            for _ in range(10_000):
                await socket.send(said)

        answers: dict[str, int] = {}

        async def count() -> None:
            while sum(answers.get(one, 0) for one in ("snapshot", "refused")) < 10_000:
                told = json.loads(await socket.recv())
                answers[told["is"]] = answers.get(told["is"], 0) + 1

        flooding = asyncio.gather(flood(), count())
        await other.send('{"is":"ping"}')
        assert await heard(other, "time")
        async with asyncio.timeout(PATIENCE):
            await flooding
        assert (answers["snapshot"], answers["refused"]) == (1_000, 9_000)


# --- whoever does not read ------------------------------------------------------------------------


class Deaf:
    """A client on the bare connection, which reads only when it is told to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    @contextlib.asynccontextmanager
    async def connected(cls, found: House) -> AsyncIterator["Deaf"]:
        host, port = found.url.removeprefix("http://").split(":")
        bare = sockets.socket()
        bare.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        bare.setblocking(False)
        await asyncio.get_running_loop().sock_connect(bare, (host, int(port)))
        reader, writer = await asyncio.open_connection(sock=bare, limit=4096)
        writer.write(
            b"GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        try:
            await reader.readuntil(b"\r\n\r\n")
            yield cls(reader, writer)
        finally:
            writer.transport.abort()

    def say(self, text: bytes, opcode: int = 1) -> None:
        size = len(text)
        assert size < 126
        self.writer.write(bytes((0x80 | opcode, 0x80 | size)) + b"\x00" * 4 + text)

    async def read(self) -> bytes:
        """The next message."""
        head = await self.reader.readexactly(2)
        size = head[1]
        if size == 126:
            size = int.from_bytes(await self.reader.readexactly(2), "big")
        elif size == 127:
            size = int.from_bytes(await self.reader.readexactly(8), "big")
        return await self.reader.readexactly(size)


async def test_whoever_reads_too_slowly_is_passed_over_and_then_told_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Little waits for them, whatever happens at the table; then comes a snapshot."""
    monkeypatch.setattr(Conversation, "SLOWEST", 3600)
    pace = replace(BLITZ, free_rounds=True, result_ms=20, betting_ms=20)
    address = f"sqlite:{tmp_path / 'slow.db'}"
    async with house(configuration(pace=pace), address) as found, Deaf.connected(found) as deaf:
        server = found.server.live
        await until(lambda: server.sockets)
        (socket,) = server.sockets
        watch = json.dumps({"is": "watch", "table": ETG}).encode()
        most = 0
        while socket.has_room:
            deaf.say(watch)
            await asyncio.sleep(0)
            most = max(most, socket._buffered())
        for _ in range(500):
            deaf.say(watch)
        # The first frame that is passed over may have been so already, and is the only one counted
        # until there is room again.
        await until(lambda: socket.behind, "a frame that is passed over")
        most = max(most, socket._buffered())
        assert socket.behind == {ETG}
        assert server.passed_over > 0
        assert most < MOST_BUFFERED + 64 * 1024

        missed = server.channel(ETG).seq
        while True:
            async with asyncio.timeout(PATIENCE):
                told = json.loads(await deaf.read())
            if told["is"] == "snapshot" and told["seq"] >= missed:
                break
        assert told["table"] == ETG


async def test_somebody_behind_is_told_whole_even_if_the_table_is_quiet(etg: House) -> None:
    async with websocket(live(etg)) as client:
        await client.send(json.dumps({"is": "watch", "table": ETG}))
        await heard(client, "snapshot")
        (socket,) = etg.server.live.sockets
        room, looks = socket._buffered, 0

        def full() -> int:
            nonlocal looks
            looks += 1
            return MOST_BUFFERED

        socket._buffered = full
        etg.server.live._pass_over(ETG, socket)
        await until(lambda: looks > 2, "the server to look again whether there is room")
        assert socket.behind == {ETG}
        socket._buffered = room
        assert await heard(client, "snapshot")
        assert socket.behind == set()


async def test_pings_whose_answers_nobody_reads_end_the_connection(
    etg: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "MOST_UNREAD", 50_000)
    async with Deaf.connected(etg) as deaf:

        async def flood() -> None:
            for _ in range(500_000):
                deaf.say(b"x" * 120, opcode=9)
                await deaf.writer.drain()

        with pytest.raises(ConnectionError):
            await flood()


async def test_whoever_asks_and_never_reads_is_hung_up_on(
    etg: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Conversation, "SLOWEST", 0.2)
    async with Deaf.connected(etg) as deaf:
        await until(lambda: etg.server.live.sockets)
        (socket,) = etg.server.live.sockets
        socket._buffered = lambda: MOST_BUFFERED
        deaf.say(b'{"is":"ping"}')
        await until(lambda: not etg.server.live.sockets, "the end of the connection")


# --- whoever does not finish ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "part",
    [
        b"",
        b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        b"POST /api/v1/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{",
        b"GET /api/v1/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgr",
    ],
    ids=["nothing", "half a head", "half a body", "half a handshake"],
)
async def test_a_request_must_arrive_in_time(
    etg: House, monkeypatch: pytest.MonkeyPatch, part: bytes
) -> None:
    monkeypatch.setattr(door, "PATIENCE", 0.3)
    host, port = etg.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(part)
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(PATIENCE):
            assert await reader.read() == b""
    writer.transport.abort()


async def test_a_head_without_end_is_cut_off(etg: House) -> None:
    host, port = etg.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")

    async def flood() -> None:
        for _ in range(10_000):
            writer.write(b"x" * 1024)
            await writer.drain()
            await asyncio.sleep(0)

    with pytest.raises(ConnectionError):
        await flood()
    writer.transport.abort()
    del reader


@pytest.mark.parametrize(
    "raw",
    [
        b"\x00\x01\x02\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    ],
)
async def test_what_is_no_request_is_told_so(etg: House, raw: bytes) -> None:
    host, port = etg.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(raw)
    async with asyncio.timeout(PATIENCE):
        head = await reader.readline()
    assert head.split()[1] in (b"400", b"405", b"200")
    writer.transport.abort()


# --- too many -------------------------------------------------------------------------------------


async def test_commands_are_counted_by_person_whichever_way_they_come(one_moment: House) -> None:
    ann, ben = await one_moment.client("ann"), await one_moment.client("ben")
    one_moment.app.pace.most = 30
    refused = 0
    async with ann.live() as socket:
        for number in range(40):
            way = ann.do if number % 2 else socket.do
            try:
                await way(api.SetLimit(kind="loss_day", amount=10**9))
            except RefusedError as error:
                refused += error.code == "server/too-fast"
    assert refused == 10
    assert (await ben.do(api.Deposit(amount=5))).wallet == MONEY + 5


async def test_strangers_are_counted_by_address(tmp_path: Path) -> None:
    """A made-up token makes nobody known, and whoever is signed in is not counted."""
    config = configuration()
    config = replace(
        config, server=replace(config.server, trusted_proxy=True, anonymous_requests=20)
    )
    async with house(config, f"sqlite:{tmp_path / 'many.db'}", now=StoppedClock()) as found:
        await found.person("ann")
        async with httpx.AsyncClient(base_url=found.url, timeout=PATIENCE) as http:
            here, there = {"x-forwarded-for": "203.0.113.7"}, {"x-forwarded-for": "203.0.113.8"}
            made_up = {**here, "authorization": "Bearer made-up"}
            signed = await http.post(
                "/api/v1/sign-in", json={"name": "ann", "password": PASSWORD}, headers=here
            )
            token = {**here, "authorization": f"Bearer {signed.json()['token']}"}
            http.cookies.clear()
            found_out = [
                (await http.get("/health", headers=made_up if n % 2 else here)).status_code
                for n in range(30)
            ]
            assert found_out == [200] * 19 + [429] * 11, "the sign-in was the first of twenty"
            assert (await http.get("/api/v1/me", headers=token)).status_code == 200
            assert (await http.get("/health", headers=there)).status_code == 200
            late = await http.get("/health", headers=here)
            assert late.json()["code"] == "server/too-often"
            assert late.headers["x-frame-options"] == "DENY"


async def test_nobody_makes_up_an_address_where_no_proxy_is_trusted(tmp_path: Path) -> None:
    config = configuration()
    config = replace(config, server=replace(config.server, anonymous_requests=5))
    async with (
        house(config, f"sqlite:{tmp_path / 'made-up.db'}", now=StoppedClock()) as found,
        httpx.AsyncClient(base_url=found.url, timeout=PATIENCE) as http,
    ):
        made_up = [{"x-forwarded-for": f"203.0.113.{n}"} for n in range(20)]
        found_out = [(await http.get("/health", headers=one)).status_code for one in made_up]
        assert found_out == [200] * 5 + [429] * 15


async def test_sockets_of_strangers_are_counted_by_address(tmp_path: Path) -> None:
    config = configuration()
    config = replace(config, server=replace(config.server, trusted_proxy=True, anonymous_sockets=3))
    async with house(config, f"sqlite:{tmp_path / 'many.db'}") as found:
        ann = await found.client("ann")
        here = {"x-forwarded-for": "203.0.113.7"}
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(3):
                await stack.enter_async_context(websocket(live(found), additional_headers=here))
            with pytest.raises(InvalidStatus) as caught:
                await websocket(live(found), additional_headers=here)
            assert caught.value.response.status_code == 429
            known = {**here, **ann._headers}
            await stack.enter_async_context(websocket(live(found), additional_headers=known))
            other = {"x-forwarded-for": "203.0.113.8"}
            await stack.enter_async_context(websocket(live(found), additional_headers=other))
        await until(lambda: not found.app.strangers, "closed connections to be forgotten")
        async with websocket(live(found), additional_headers=here):
            pass


async def test_guesses_from_one_address_are_counted(tmp_path: Path) -> None:
    config = configuration()
    config = replace(config, signin=replace(config.signin, attempts_address=5))
    async with (
        house(config, f"sqlite:{tmp_path / 'guesses.db'}", now=StoppedClock()) as found,
        httpx.AsyncClient(base_url=found.url, timeout=PATIENCE) as http,
    ):
        found_out = [
            (
                await http.post("/api/v1/sign-in", json={"name": f"n{n}", "password": "x" * 9})
            ).status_code
            for n in range(8)
        ]
        assert found_out == [401] * 5 + [429] * 3
