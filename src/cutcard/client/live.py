"""A live connection that comes back by itself, and loses nothing.

Tables are kept as they were last told. After a break the connection asks for what it
has missed since the sequence number it has; commands that were under way are sent again
under their own keys, which the server answers once.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from cutcard.client.refused import PASSING, RefusedError
from cutcard.wire import api

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode

PAUSE = 0.1

PATIENCE = 120.0
"""Seconds in which something is told of any round, however long its phases are."""


@dataclass(slots=True)
class Watched:
    """A table as it was told last."""

    seq: int = -1
    shown: dict[str, Any] = field(default_factory=dict)
    own: dict[str, Any] = field(default_factory=dict)


class Live:
    """One connection and whatever it watches."""

    def __init__(self, url: str, token: str = "", patience: float = 60.0) -> None:
        self._url = url.replace("http", "ws", 1) + "/api/v1/live"
        self._headers = {"authorization": f"Bearer {token}"} if token else {}
        self._patience = patience
        self.tables: dict[str, Watched] = {}
        self.you: dict[str, Any] | None = None
        self.reconnects = 0
        self._socket: ClientConnection | None = None
        self._open = asyncio.Event()
        self._under_way: dict[str, tuple[bytes, asyncio.Future[api.Done]]] = {}
        self._told = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._failure: BaseException | None = None

    async def __aenter__(self) -> "Live":
        self._task = asyncio.ensure_future(self._stay())
        try:
            async with asyncio.timeout(self._patience):
                await self._open.wait()
        except TimeoutError:
            await self.__aexit__(None, None, None)
            raise TimeoutError(f"No answer from {self._url} for {self._patience:g} s.") from None
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionClosed, OSError):
                await self._task
        if self._socket is not None:
            await self._socket.close()

    # --- asking -----------------------------------------------------------------------------------

    async def watch(self, table: str) -> Watched:
        """Follow a table; returns once it has been told whole."""
        found = self.tables.setdefault(table, Watched())
        await self._say(api.Watch(table=table, since=found.seq if found.seq >= 0 else None))
        await self.until(lambda: found.seq >= 0, self._patience, f'table "{table}" to be told')
        return found

    async def leave(self, table: str) -> None:
        self.tables.pop(table, None)
        await self._say(api.Leave(table=table))

    async def do(self, command: api.Command, key: str | None = None) -> api.Done:
        """Have a command carried out, once, whatever becomes of the connection."""
        key = key or secrets.token_hex(12)
        said = encode(api.Do(key=key, command=command))
        done: asyncio.Future[api.Done] = asyncio.get_running_loop().create_future()
        self._under_way[key] = (said, done)
        try:
            with contextlib.suppress(ConnectionClosed):
                if self._socket is not None and self._open.is_set():
                    await self._socket.send(said, text=True)
            async with asyncio.timeout(self._patience):
                return await done
        except TimeoutError:
            raise TimeoutError(
                f"No answer for {self._patience:g} s. Whether it was done is not known: give the "
                f"same command again with key={key!r}, and it is done once."
            ) from None
        finally:
            del self._under_way[key]

    async def until(
        self, wanted: Any, patience: float = PATIENCE, what: str = "a condition to come true"
    ) -> None:
        """Wait until something told makes a condition true; `what` names it, should it not."""
        try:
            async with self._told, asyncio.timeout(patience):
                await self._told.wait_for(lambda: self._failure is not None or wanted())
        except TimeoutError:
            phases = [f"{name} is {one.shown.get('phase')}" for name, one in self.tables.items()]
            raise TimeoutError(
                f"Waited {patience:g} s for {what}; last told: {', '.join(phases) or 'nothing'}. "
                "Nothing was taken back: what was done before still stands."
            ) from None
        if self._failure is not None:
            raise self._failure

    async def changes(self) -> AsyncIterator[None]:
        """Once for everything that is told."""
        while True:
            async with self._told:
                await self._told.wait()
            yield

    # --- the connection ---------------------------------------------------------------------------

    async def _say(self, said: object) -> None:
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(encode(said), text=True)

    async def _stay(self) -> None:
        """Connect, listen, and after a break connect again."""
        while True:
            try:
                async with connect(
                    self._url,
                    additional_headers=self._headers,
                    compression=None,
                    max_size=4 * 2**20,
                    ping_interval=None,
                ) as socket:
                    self._socket = socket
                    await self._resume(socket)
                    self._open.set()
                    async for message in socket:
                        await self._hear(decode(message))
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                pass
            self._open.clear()
            self.reconnects += 1
            await asyncio.sleep(PAUSE)

    async def _resume(self, socket: ClientConnection) -> None:
        for table, found in self.tables.items():
            since = found.seq if found.seq >= 0 else None
            await socket.send(encode(api.Watch(table=table, since=since)), text=True)
        for said, _ in list(self._under_way.values()):
            await socket.send(said, text=True)

    async def _hear(self, told: dict[str, Any]) -> None:
        match told["is"]:
            case "done":
                self._answered(told["key"], told)
            case "refused":
                self._answered(told.get("key"), told)
            case "snapshot":
                found = self.tables.setdefault(told["table"], Watched())
                found.seq, found.shown = told["seq"], told["shown"]
            case "change":
                found = self.tables.setdefault(told["table"], Watched())
                if found.seq == told["was"]:
                    found.seq = told["seq"]
                    found.shown.update(told["changes"])
                elif found.seq < told["was"]:
                    # Something is missing: ask for the table whole.
                    await self._say(api.Watch(table=told["table"]))
            case "own":
                self.tables.setdefault(told["own"]["table"], Watched()).own = told["own"]
            case "welcome":
                self.you = told["you"]
        async with self._told:
            self._told.notify_all()

    def _answered(self, key: str | None, told: dict[str, Any]) -> None:
        found = self._under_way.get(key or "")
        if found is None or found[1].done():
            return
        if told["is"] == "done":
            found[1].set_result(msgspec.convert(told, api.Done))
        elif told["code"] in PASSING:
            asyncio.get_running_loop().call_later(PAUSE, self._again, key or "")
        else:
            found[1].set_exception(RefusedError(msgspec.convert(told, api.Refused)))

    def _again(self, key: str) -> None:
        found = self._under_way.get(key)
        if found is not None and not found[1].done() and self._socket is not None:
            task = asyncio.ensure_future(self._socket.send(found[0], text=True))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
