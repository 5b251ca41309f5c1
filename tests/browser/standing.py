"""A whole house in a thread of its own, and a line to it that can be cut.

A browser keeps the line's address while the house behind it stops and another one opens, as a
display on a wall does over a night.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from cutcard.server.config import Config, Pace, demonstration
from tests.patience import PATIENCE
from tests.server.house import House, house

QUICK = Pace(
    betting_ms=500,
    decision_ms=100,
    card_ms=30,
    result_ms=900,
    least_round_ms=0,
    seeds_ms=10,
    squeeze_ms=20,
    free_rounds=True,
    test=True,
)
"""Rounds one after another, whether anybody bets or not."""


def floor(*books: str, pace: Pace = QUICK) -> Config:
    """The demonstration's tables, or only some of them."""
    known = demonstration()
    tables = tuple(one for one in known.tables if not books or one.name in books)
    return replace(
        known,
        tables=tables,
        paces=MappingProxyType({"usual": pace}),
        server=replace(known.server, port=0),
    )


class Line:
    """Carries bytes between browsers and a house, as long as it is not cut."""

    def __init__(self, config: Config, address: str) -> None:
        self._config, self._address = config, address
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._stand()))
        self._loop: asyncio.AbstractEventLoop
        self._over: asyncio.Event
        self._port: int | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self.house: House
        self.url = ""

    def __enter__(self) -> "Line":
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(PATIENCE)

    def run(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """Do something in the house's own thread."""
        return asyncio.run_coroutine_threadsafe(work(), self._loop).result(PATIENCE)

    def stop(self) -> None:
        """Close the house."""
        self.run(self._stop)

    def start(self) -> None:
        """Open it again, with the same store, behind the same address."""
        self.run(self._start)

    async def _stand(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        relay = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{relay.sockets[0].getsockname()[1]}"
        await self._start()
        self._ready.set()
        await self._over.wait()
        await self._stop()
        relay.close()

    async def _start(self) -> None:
        self._stack = contextlib.AsyncExitStack()
        self.house = await self._stack.enter_async_context(house(self._config, self._address))
        self._port = int(self.house.url.rpartition(":")[2])

    async def _stop(self) -> None:
        if self._port is None:
            return
        self._port = None
        for writer in tuple(self._open):
            writer.transport.abort()
        await self._stack.aclose()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._port is None:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        ends = {writer, far_writer}
        self._open |= ends

        async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError, asyncio.CancelledError):
                while block := await source.read(65536):
                    target.write(block)
                    await target.drain()
            target.close()

        await asyncio.gather(pass_on(reader, far_writer), pass_on(far_reader, writer))
        self._open -= ends


@contextmanager
def standing(config: Config, address: str) -> Iterator[Line]:
    with Line(config, address) as line:
        yield line
