"""The door: connections that take too long to say what they want are closed.

The web server below waits for ever for the rest of a request, takes headers of any
length, and answers a ping even if nobody reads the answer. Here all three have an end, so
that whoever says nothing, slowly, takes up nothing.
"""

import asyncio
import socket
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

PATIENCE = 10.0
"""Seconds in which a request must have arrived whole."""

LARGEST_HEAD = 32 * 1024
"""Bytes of a request line with all its headers."""

MOST_UNREAD = 1024 * 1024
"""Bytes that may wait for a client which sends pings and reads no answers."""

MOST_PIECES = 256
"""Pieces in which one message may come."""


class Request(HttpToolsProtocol):
    """An HTTP connection."""

    _late: asyncio.TimerHandle | None = None
    _head: int | None = 0
    """How much has come of a head that is not whole yet; None once it is."""

    _ended = False
    """Whether a request has come to its end with what has just arrived."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        # Not every loop does so, and an answer in two parts then waits 40 ms for its second.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._late = self.loop.call_later(PATIENCE, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        # While a request is not whole, everything that arrives belongs to its head or its body.
        if self._late is None:
            self._late = self.loop.call_later(PATIENCE, self.transport.abort)
        self._ended = False
        super().data_received(data)
        if self._head is not None and not self._ended:
            self._head += len(data)
            if self._head > LARGEST_HEAD:
                self.transport.abort()

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._head, self._ended = 0, True
        self._in_time()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._in_time()
        super().handle_websocket_upgrade()

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class Talk(WebSocketsSansIOProtocol):
    """A WebSocket."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        # A log that tells everything would tell tokens: they are among the headers.
        self.conn.debug = False

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            # Whoever was turned away in words has been answered: that is no fault to be logged.
            self.handshake_complete = True

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()

    def handle_cont(self, event: Any) -> None:
        super().handle_cont(event)
        if len(self.frames) > MOST_PIECES:
            self.transport.abort()
