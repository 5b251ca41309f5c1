"""Load for the bench of the server, by way of the bare WebSocket, as cheaply as Python can.

    python bench/load.py bets FOLDER SECONDS LEVELS [watch]
    python bench/load.py watch URL PATH SOCKETS SECONDS [FOLDER]
    python bench/load.py bare FOLDER SIZE

`bets` lets the patrons of FOLDER/venue.json in turn keep so many bets under way, one to a
message, at each of the LEVELS (such as 60,120); `watch` opens so many connections and times
every message that comes by the server's own clock in it; `bare` is the server beside which
ours is measured. When all is connected a line is printed, and one is waited for; in the end
what was measured is printed as one line of JSON.
"""

import asyncio
import base64
import json
import os
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve

SPOTS = ("player", "banker", "tie", "player_pair", "banker_pair")
STAKE = 1_000
DONE = b'{"is":"done","key":"'
KEY = len(DONE)
KEY_SIZE = 17
RUN = os.urandom(2).hex().encode()
"""In every key, or the bets of a second run would be answered like those of the first."""

WARMING, BEAT = 0.5, 0.1
AT_ONCE = 100
"""Connections that are opened at the same time."""

NOW = b'"now":'


class Connection(asyncio.Protocol):
    """A WebSocket of which only whole, unfragmented messages are understood."""

    def __init__(self, host: str, path: str, token: str = "") -> None:
        self._hello = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
            "Sec-WebSocket-Version: 13\r\n"
            + (f"Authorization: Bearer {token}\r\n" if token else "")
            + "\r\n"
        ).encode()
        self._rest = b""
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport) or hasattr(transport, "write")
        self.transport = transport  # type: ignore[assignment]
        self.transport.write(self._hello)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(error or ConnectionError("the server hung up"))

    def data_received(self, data: bytes) -> None:
        rest = self._rest + data if self._rest else data
        if not self.opened.done():
            head, found, rest = rest.partition(b"\r\n\r\n")
            if not found:
                self._rest = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self.opened.set_result(None)
        at, end = 0, len(rest)
        while end - at >= 2:
            size, start = rest[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(rest[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(rest[at + 2 : at + 10], "big"), at + 10
            if start + size > end:
                break
            self.heard(rest[start : start + size])
            at = start + size
        self._rest = rest[at:]

    def heard(self, message: bytes) -> None:
        """One message of the server's."""

    def say(self, message: bytes) -> None:
        self.transport.write(masked(message))


def masked(message: bytes) -> bytes:
    """A client's frame. A mask of noughts leaves the message as it is, and costs nothing."""
    size = len(message)
    if size < 126:
        return bytes((0x81, 0x80 | size)) + b"\0\0\0\0" + message
    return b"\x81\xfe" + size.to_bytes(2, "big") + b"\0\0\0\0" + message


async def opened(url: str, connections: list[Connection]) -> None:
    """Connect them all, some at a time."""
    loop, parts = asyncio.get_running_loop(), urlsplit(url)
    for start in range(0, len(connections), AT_ONCE):
        some = connections[start : start + AT_ONCE]
        await asyncio.gather(
            *(loop.create_connection(lambda one=one: one, "127.0.0.1", parts.port) for one in some)  # type: ignore[misc, arg-type]
        )
        await asyncio.gather(*(one.opened for one in some))


# --- bets -----------------------------------------------------------------------------------------


class Patron(Connection):
    """Bets on one spot after another when told to."""

    def __init__(self, host: str, number: int, place: dict[str, Any], load: "Load") -> None:
        super().__init__(host, "/api/v1/live", place["token"])
        self.place, self.load, self.number = place, load, number
        self.bets = 0
        self._frames = [self._template(spot) for spot in SPOTS]

    def _template(self, spot: str) -> bytes:
        said = {
            "is": "do",
            "key": "K" * KEY_SIZE,
            "command": {
                "is": "place-bet",
                "table": self.place["table"],
                "spot": spot,
                "stake": STAKE,
            },
        }
        frame = masked(json.dumps(said, separators=(",", ":")).encode())
        return frame.replace(b"%", b"%%").replace(b"K" * KEY_SIZE, b"%b")

    def bet(self) -> None:
        key = b"%b.%05d.%06d" % (RUN, self.number, self.bets)
        self.transport.write(self._frames[self.bets % len(SPOTS)] % key)
        self.bets += 1
        self.load.under_way[key] = time.perf_counter()

    def heard(self, message: bytes) -> None:
        if message.startswith(DONE):
            self.load.done(message[KEY : KEY + KEY_SIZE])
        elif message.startswith(b'{"is":"refused"'):
            self.load.refuse(json.loads(message))
        else:
            self.load.others += 1


class Load:
    """So many bets under way at any time, by all patrons in turn."""

    def __init__(self) -> None:
        self.patrons: list[Patron] = []
        self.under_way: dict[bytes, float] = {}
        self.wanted = self.acknowledged = 0
        self.times: list[float] = []
        self.refused: Counter[str] = Counter()
        self.others = 0
        self._next = 0

    def done(self, key: bytes) -> None:
        self.times.append(time.perf_counter() - self.under_way.pop(key))
        self.acknowledged += 1
        self.go_on()

    def refuse(self, told: dict[str, Any]) -> None:
        self.refused[told["code"]] += 1
        if self.under_way.pop((told["key"] or "").encode(), None) is not None:
            self.go_on()

    def go_on(self) -> None:
        while len(self.under_way) < self.wanted:
            self.patrons[self._next].bet()
            self._next = (self._next + 1) % len(self.patrons)

    async def measure(self, wanted: int, seconds: float) -> dict[str, Any]:
        """Bets for some seconds, of which the first is not counted."""
        self.wanted, before = wanted, self.acknowledged
        self.go_on()
        await asyncio.sleep(WARMING)
        self.times, self.others = [], 0
        began, used = time.perf_counter(), time.process_time()
        await asyncio.sleep(seconds)
        took, times = time.perf_counter() - began, sorted(self.times)
        used = time.process_time() - used
        self.wanted = 0
        while self.under_way:
            await asyncio.sleep(0.01)
        return {
            "under_way": wanted,
            "all": self.acknowledged - before,
            "bets": len(times),
            "rate": len(times) / took,
            "p50": part(times, 0.5),
            "p99": part(times, 0.99),
            "others": self.others,
            "cpu": used / took,
        }


async def bets(folder: str, seconds: str, levels: str, watch: str = "") -> dict[str, Any]:
    """Bets with so many under way, level after level."""
    venue, load = json.loads((Path(folder) / "venue.json").read_text()), Load()
    host = urlsplit(venue["url"]).netloc
    places = enumerate(venue["patrons"])
    load.patrons = [Patron(host, number, one, load) for number, one in places]
    await opened(venue["url"], [*load.patrons])
    if watch:
        for patron in load.patrons:
            patron.say(b'{"is":"watch","table":"%b"}' % patron.place["table"].encode())
    await connected()
    runs = [await load.measure(int(level), float(seconds)) for level in levels.split(",")]
    return {"runs": runs, "refused": dict(load.refused)}


# --- watching -------------------------------------------------------------------------------------


class Watcher(Connection):
    """Notes how old every message is when it comes."""

    def __init__(self, host: str, path: str, ages: list[float]) -> None:
        super().__init__(host, path)
        self.ages = ages

    def heard(self, message: bytes) -> None:
        at = message.find(NOW)
        if at >= 0:
            told = message[at + len(NOW) : at + len(NOW) + 13]
            self.ages.append(time.time() - int(told) / 1000)


async def watch(
    url: str, path: str, sockets: str, seconds: str, folder: str = ""
) -> dict[str, Any]:
    """Messages to so many connections; of a venue's table, where one of its patrons bets."""
    ages: list[float] = []
    host = urlsplit(url).netloc
    watchers = [Watcher(host, path, ages) for _ in range(int(sockets))]
    await opened(url, [*watchers])
    betting = None
    if folder:
        for one in watchers:
            one.say(b'{"is":"watch","table":"t1"}')
        betting = asyncio.ensure_future(bet_slowly(url, folder))
    await asyncio.sleep(WARMING)
    await connected()
    ages.clear()
    await asyncio.sleep(float(seconds))
    got = sorted(ages)
    if betting is not None:
        betting.cancel()
    return {"frames": len(got), "p50": part(got, 0.5), "p99": part(got, 0.99)}


async def bet_slowly(url: str, folder: str) -> None:
    """One bet after another, ten in a second."""
    venue, load = json.loads((Path(folder) / "venue.json").read_text()), Load()
    patron = Patron(urlsplit(url).netloc, 0, venue["patrons"][0], load)
    load.patrons = [patron]
    await opened(url, [patron])
    while True:
        patron.bet()
        await asyncio.sleep(BEAT)


async def bare(folder: str, size: str) -> dict[str, Any]:
    """The reference: a server that only broadcasts, by `websockets`, ten times in a second."""
    everybody: set[ServerConnection] = set()

    async def join(socket: ServerConnection) -> None:
        everybody.add(socket)
        try:
            await socket.wait_closed()
        finally:
            everybody.discard(socket)

    async with serve(join, "127.0.0.1", 0, compression=None, ping_interval=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        told = Path(folder) / "venue.json"
        told.with_suffix(".part").write_text(json.dumps({"url": f"http://127.0.0.1:{port}"}))
        told.with_suffix(".part").rename(told)
        while True:
            message = f'{{"now":{time.time_ns() // 1_000_000},"pad":"'
            broadcast(everybody, message + "x" * (int(size) - len(message) - 2) + '"}')
            await asyncio.sleep(BEAT)


async def connected() -> None:
    """Whoever started this process reads the server's own figures now, and says so."""
    print("{}", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)


def part(ordered: list[float], share: float) -> float:
    """The value below which a share of an ordered list lies."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


WAYS = {"bets": bets, "watch": watch, "bare": bare}


def main(way: str, *words: str) -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(json.dumps(uvloop.run(WAYS[way](*words))), flush=True)  # type: ignore[operator]


if __name__ == "__main__":
    main(*sys.argv[1:])
