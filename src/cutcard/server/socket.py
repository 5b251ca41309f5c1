"""The live connection: a WebSocket that speaks the API's commands and hears every change.

It stands beside the web framework, on the bare connection: a frame that was encoded once
is written to the transport as it is. Where the connection below is of an unknown kind,
messages go the usual way, one `send` each.
"""

import asyncio
from collections.abc import Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from cutcard.refusals import Refusal
from cutcard.server.headers import origin_allowed
from cutcard.server.live import Conversation, Socket
from cutcard.store import Person

if TYPE_CHECKING:
    from cutcard.server.app import App, Receive, Scope, Send

PATH = "/api/v1/live"
MOST_SOCKETS = 20_000
MESSAGES_A_MINUTE = 6_000
GOING_AWAY, POLICY, TOO_MANY = 1001, 1008, 1013


async def talk(app: "App", scope: "Scope", receive: "Receive", send: "Send") -> None:
    """One connection from its first message to its last."""
    await receive()
    try:
        person = await _admitted(app, scope)
    except Refusal:
        await send({"type": "websocket.close", "code": POLICY})
        return
    if scope["path"] != PATH or len(app.server.live.sockets) >= MOST_SOCKETS:
        await send({"type": "websocket.close", "code": TOO_MANY})
        return
    await send({"type": "websocket.accept"})
    live = app.server.live
    write, buffered, usual = _writer(send)
    socket = Socket(person, write, buffered)
    language = person.language if person else app.server.config.venue.language
    conversation = Conversation(live, socket, app.begin, language)
    app.server.operations.sockets.inc()
    live.welcome(socket)
    try:
        await _listen(receive, conversation)
    finally:
        live.gone(socket)
        app.server.operations.sockets.dec()
        if usual is not None:
            usual.cancel()


async def _admitted(app: "App", scope: "Scope") -> Person | None:
    """Whoever is signed in, or a spectator. A cookie counts only from our own pages."""
    token, by_itself = app.token(scope)
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")
    host = headers.get(b"host", b"").decode("latin-1")
    if origin is not None and not origin_allowed(origin.decode("latin-1"), host, app.server.config):
        raise Refusal("server/origin", {"origin": origin.decode("latin-1")[:100]})
    if not token or (by_itself and origin is None):
        return None
    return (await app.server.signin.who(token)).person


async def _listen(receive: "Receive", conversation: Conversation) -> None:
    while True:
        message = await receive()
        if message["type"] != "websocket.receive":
            return
        said = message.get("text")
        conversation.hear(said if said is not None else message.get("bytes") or b"")


def _writer(
    send: "Send",
) -> tuple[Callable[[bytes], None], Callable[[], int], "asyncio.Task[None] | None"]:
    """How whole frames are written, how much waits, and what does it where a task must."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is not None and hasattr(transport, "get_write_buffer_size"):

        def straight(frame: bytes) -> None:
            if not transport.is_closing():
                transport.write(frame)

        return straight, transport.get_write_buffer_size, None
    waiting: asyncio.Queue[bytes] = asyncio.Queue()
    sizes = [0]

    def queued(frame: bytes) -> None:
        sizes[0] += len(frame)
        waiting.put_nowait(frame)

    async def forward() -> None:
        while True:
            frame = await waiting.get()
            message: MutableMapping[str, Any] = {
                "type": "websocket.send",
                "text": payload(frame).decode(),
            }
            await send(message)
            sizes[0] -= len(frame)

    return queued, lambda: sizes[0], asyncio.ensure_future(forward())


def payload(frame: bytes) -> bytes:
    """The message within a frame from `live.framed`."""
    return frame[{126: 4, 127: 10}.get(frame[1], 2) :]
