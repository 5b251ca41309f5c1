"""The live connection: a WebSocket that speaks the API's commands and hears every change.

It stands beside the web framework, on the bare connection: a frame that was encoded once
is written to the transport as it is. Where the connection below is of an unknown kind,
messages go the usual way, one `send` each.
"""

import asyncio
from collections.abc import Callable, MutableMapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from cutcard.refusals import LANGUAGES, Refusal
from cutcard.server.counter import Told
from cutcard.server.headers import origin_allowed
from cutcard.server.limits import network
from cutcard.server.live import Conversation, Socket
from cutcard.store import Person
from cutcard.wire import api

if TYPE_CHECKING:
    from cutcard.server.app import App, Receive, Scope, Send

PATH = "/api/v1/live"
MOST_SOCKETS = 20_000
MOST_OF_A_PERSON = 64
"""Connections of one person at a time."""

CONFIRMED_MS = 10_000
"""For so long a person who acts need not be looked up again; a sign-out hangs up at once."""

SIGNED_OUT = 4401
"""The code with which a connection ends whose person is signed in no more."""

PATIENCE = 2.0
"""Seconds in which a client takes its leave; then the connection is cut."""


async def talk(app: "App", scope: "Scope", receive: "Receive", send: "Send") -> None:
    """One connection from its first message to its last."""
    await receive()
    try:
        token, person = await _admitted(app, scope)
        address = network(app.address(scope))
        _check_room(app, person, address)
    except Refusal as refusal:
        await app.turn_away(scope, send, refusal)
        return
    await send({"type": "websocket.accept"})
    live = app.server.live
    write, buffered, usual = _writer(send)
    leaving: list[asyncio.Task[None]] = []
    asking: set[asyncio.Task[None]] = set()
    socket = Socket(
        person,
        write,
        buffered,
        token,
        lambda: leaving.append(asyncio.ensure_future(_hang_up(send))),
    )

    confirmed = 0

    def begin(who: Person, key: str, command: api.Command, told: Told) -> None:
        """At once, if it was asked not long ago whether the person is still signed in."""
        if app.server.desk.now() - confirmed < CONFIRMED_MS:
            if who.language != conversation.language:
                who = replace(who, language=conversation.language)
            app.begin(who, key, command, told)
        else:
            task = asyncio.ensure_future(confirm(key, command, told))
            asking.add(task)
            task.add_done_callback(asking.discard)

    async def confirm(key: str, command: api.Command, told: Told) -> None:
        nonlocal confirmed
        try:
            signed = await app.server.signin.who(token)
            confirmed = app.server.desk.now()
            who = replace(signed.person, language=conversation.language)
            app.begin(who, key, command, told)
        except Refusal as refusal:
            told(refusal)

    language = _language(scope) or (person.language if person else app.server.config.venue.language)
    conversation = Conversation(live, socket, begin, language)
    app.server.operations.sockets.inc()
    if person is None:
        app.strangers[address] += 1
    live.welcome(socket)
    try:
        await _listen(receive, conversation)
    finally:
        live.gone(socket)
        app.server.operations.sockets.dec()
        if person is None:
            app.strangers[address] -= 1
            if not app.strangers[address]:
                del app.strangers[address]
        if usual is not None:
            usual.cancel()
        await asyncio.gather(*leaving)


async def _admitted(app: "App", scope: "Scope") -> tuple[str, Person | None]:
    """Whoever is signed in, or a spectator. A cookie counts only from our own pages."""
    if scope["path"] != PATH:
        raise Refusal("server/not-found")
    app.check_pace(scope)
    app.check_started(scope)
    token, by_itself = app.token(scope)
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")
    host = headers.get(b"host", b"").decode("latin-1")
    if origin is not None and not origin_allowed(origin.decode("latin-1"), host, app.server.config):
        raise Refusal("server/origin", {"origin": origin.decode("latin-1")[:100]})
    if not token or (by_itself and origin is None):
        return "", None
    try:
        return token, (await app.server.signin.who(token)).person
    except Refusal as refusal:
        # A browser keeps the cookie of a sign-in that is over, and its page may go on watching.
        if by_itself and refusal.code == "signin/needed":
            return "", None
        raise


def _language(scope: "Scope") -> str:
    """What the page speaks, which need not be what the browser or the person does."""
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("language", [""])[0]
    return asked if asked in LANGUAGES else ""


def _check_room(app: "App", person: Person | None, address: str) -> None:
    """Refuse one connection too many: of all, of a person, of an address without a name."""
    live, server = app.server.live, app.server.config.server
    if len(live.sockets) >= MOST_SOCKETS:
        raise Refusal("server/busy")
    if person is None:
        if app.strangers[address] >= server.anonymous_sockets:
            raise Refusal("server/connections", {"most": server.anonymous_sockets})
    elif live.count(person.id) >= MOST_OF_A_PERSON:
        raise Refusal("server/connections", {"most": MOST_OF_A_PERSON})


async def _listen(receive: "Receive", conversation: Conversation) -> None:
    while True:
        message = await receive()
        if message["type"] != "websocket.receive" or not await conversation.room():
            return
        said = message.get("text")
        conversation.hear(said if said is not None else message.get("bytes") or b"")


async def _hang_up(send: "Send") -> None:
    """Say why, and cut the connection of whoever does not listen."""
    try:
        async with asyncio.timeout(PATIENCE):
            await send({"type": "websocket.close", "code": SIGNED_OUT})
    except (TimeoutError, RuntimeError, OSError):
        transport = getattr(getattr(send, "__self__", None), "transport", None)
        if transport is not None:
            transport.abort()


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
