"""The application: REST by Litestar, the live connection beside it, headers around both."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Container, Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any

import msgspec
from litestar import HttpMethod, Litestar, MediaType, Request, Response, route
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from cutcard import __version__
from cutcard.refusals import LANGUAGES, Refusal
from cutcard.server.counter import BETTING, Told, refused
from cutcard.server.figures import Shift
from cutcard.server.headers import (
    NO_STORE,
    SAFE_METHODS,
    address_of,
    cookie_name,
    origin_allowed,
    scheme_of,
    security_headers,
)
from cutcard.server.limits import Rate, network
from cutcard.server.openapi import described
from cutcard.server.pages import Pages
from cutcard.server.routes import routes
from cutcard.server.routes.asking import misread
from cutcard.server.routes.people import GUESTS_A_MINUTE
from cutcard.server.server import Server
from cutcard.server.signin import Signed
from cutcard.server.socket import talk
from cutcard.server.staffview import acting
from cutcard.store import Person
from cutcard.wire import api
from cutcard.wire.house import OpenRound
from cutcard.wire.staffed import AdviceShown

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

WEB = Path(__file__).parent.parent / "web"
LIVE = "/api/v1/live"
LARGEST_BODY = 64 * 1024
COMMANDS_A_MINUTE = 1_200
"""Of one person, by whatever way they come."""

DONE = b'{"is":"done"'

STATUS = {
    "signin/needed": 401,
    "signin/wrong": 401,
    "signin/barred": 403,
    "signin/csrf": 403,
    "signin/too-many": 429,
    "signin/busy": 503,
    "server/origin": 403,
    "server/staff-only": 403,
    "server/patrons-only": 403,
    "server/auditors-only": 403,
    "server/too-fast": 429,
    "server/too-often": 429,
    "server/connections": 429,
    "server/not-found": 404,
    "server/busy": 503,
    "server/stopped": 503,
    "server/not-ready": 503,
    "server/message": 400,
    "server/characters": 400,
    "server/no-round": 404,
    "server/no-shoe": 404,
    "staff/role": 403,
    "staff/locked": 403,
    "staff/no-patron": 404,
    "store/away": 503,
    "store/fenced": 503,
    "table/unknown": 404,
    "terminal/only-there": 403,
    "terminal/not-there": 403,
    "terminal/no-device": 404,
    "rulebook/unknown": 404,
    "lab/study": 404,
    "lab/too-long": 503,
}
"""Refusals by rule are 409; these say something of the request itself."""


class _Described(JsonRenderPlugin):
    """Serves the description as `described` makes it whole."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:  # noqa: ARG002
        return msgspec.json.encode(described(openapi_schema))


@route("/api/{rest:path}", http_method=list(HttpMethod), include_in_schema=False, status_code=200)
async def _nothing() -> None:
    """Whatever else is asked of the API; pages that are not there are told in HTML."""
    raise Refusal("server/not-found")


class App:
    """One server's ASGI application."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.begin_anew()
        self._pages = Pages(WEB)
        self._litestar = Litestar(
            route_handlers=[
                *routes(self),
                _nothing,
            ],
            openapi_config=OpenAPIConfig(
                title="cutcard",
                version=__version__,
                description="Tables, bets and money of one venue. Every command carries an "
                "`Idempotency-Key`; every refusal a code, a sentence and its clause.",
                # Whatever lies below this is the framework's, which answers in HTML.
                path="/api/v1/openapi.json",
                render_plugins=[_Described(path="/openapi.json", media_type=MediaType.JSON)],
            ),
            exception_handlers={
                Refusal: self._refused,
                HTTPException: self._http,
                UnicodeDecodeError: self._garbled,
                RecursionError: self._garbled,
                Exception: self._failed,
            },
            compression_config=CompressionConfig(backend="gzip", minimum_size=2_000),
            request_max_body_size=LARGEST_BODY,
            logging_config=None,
        )

    def begin_anew(self) -> None:
        """Nobody has asked for anything yet."""
        self.pace = Rate(COMMANDS_A_MINUTE, 60_000)
        self.guests = Rate(GUESTS_A_MINUTE, 60_000)
        self.requests = Rate(self.server.config.server.anonymous_requests, 60_000)
        self.strangers: Counter[str] = Counter()
        """Live connections of nobody in particular, by address."""

        self.shift = Shift(self.server.store)
        self.advised: dict[tuple[str, int, str | None, str], AdviceShown | None] = {}
        """What a book orders, by table, its events so far, what is wrong there and the language."""

        # Work that takes seconds is done one at a time. A lock belongs to the event loop that first
        # waits for it, so each server has its own.
        self.pricing, self.expecting = asyncio.Lock(), asyncio.Lock()
        self.advising, self.packing, self.auditing = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()
        self._slow: set[asyncio.Task[None]] = set()

    @property
    def openapi(self) -> dict[str, Any]:
        return described(self._litestar.openapi_schema.to_schema())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await talk(self, scope, receive, send)
        elif scope["type"] == "http":
            if scope["method"] == "HEAD":
                # Whoever wants the head only is answered as by GET; the web server keeps the body.
                scope = {**scope, "method": "GET"}
            send = self._with_headers(scope, send)
            try:
                self.check_pace(scope)
                self.check_started(scope)
            except Refusal as refusal:
                await self.turn_away(scope, send, refusal)
                return
            if not await self._pages.answer(scope, send):
                await self._litestar(scope, receive, send)  # type: ignore[arg-type]
        else:
            await self._lifespan(receive, send)

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        headers = dict(scope["headers"])
        forwarded = headers.get(b"x-forwarded-proto", b"").decode("latin-1")
        scheme = scheme_of(scope["scheme"], forwarded, self.server.config)
        added = security_headers(scheme)
        if scope["path"].startswith("/api/"):
            added = {**added, **NO_STORE}
        extra = [(name.encode(), value.encode()) for name, value in added.items()]

        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"].endswith("http.response.start"):
                message["headers"] = [*message.get("headers", []), *extra]
            await send(message)

        return sending

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        """Start and stop belong to whoever runs the server; the web server only asks."""
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            else:
                await send({"type": "lifespan.shutdown.complete"})
                return

    def check_pace(self, scope: Scope) -> None:
        """Refuse whoever asks too often without being known. A made-up token makes nobody known."""
        token, _ = self.token(scope)
        if token and self.server.signin.holds(token):
            return
        if wait := self.requests.take(network(self.address(scope)), self.server.desk.now()):
            raise Refusal("server/too-often", {"seconds": -(-wait // 1000)})

    def check_started(self, scope: Scope) -> None:
        """Refuse whatever is about the venue unless it is here. Pages and health are not."""
        here = self.server.started and not self.server.lapsed
        if not here and scope["path"].startswith("/api/"):
            raise Refusal("server/not-ready")

    async def turn_away(self, scope: Scope, send: Send, refusal: Refusal) -> None:
        """Answer a connection that goes no further."""
        language = self.server.config.venue.language
        body = msgspec.json.encode(self.told(refusal, language))
        kind = "http.response"
        headers = [(b"content-type", b"application/json")]
        if scope["type"] == "websocket":
            kind = "websocket.http.response"
            send = self._with_headers(scope, send)
        status = STATUS.get(refusal.code, 409)
        await send({"type": f"{kind}.start", "status": status, "headers": headers})
        await send({"type": f"{kind}.body", "body": body})

    # --- who asks ---------------------------------------------------------------------------------

    def address(self, scope: Scope) -> str:
        headers = dict(scope["headers"])
        peer = scope["client"][0] if scope.get("client") else "local"
        forwarded = headers.get(b"x-forwarded-for", b"").decode("latin-1")
        return address_of(peer, forwarded, self.server.config)

    def scheme(self, scope: Scope) -> str:
        forwarded = dict(scope["headers"]).get(b"x-forwarded-proto", b"").decode("latin-1")
        return scheme_of(scope["scheme"], forwarded, self.server.config)

    def token(self, scope: Scope) -> tuple[str, bool]:
        """The token of a request, and whether it came by itself, as cookies do."""
        headers = dict(scope["headers"])
        bearer = headers.get(b"authorization", b"").decode("latin-1")
        if bearer.lower().startswith("bearer "):
            return bearer[7:].strip(), False
        host = headers.get(b"host", b"").decode("latin-1")
        try:
            name = cookie_name(self.scheme(scope), host, self.server.config)
            found = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1")).get(name)
        except (Refusal, CookieError):
            found = None
        return (found.value if found else ""), True

    async def who(self, request: Request[Any, Any, Any]) -> Signed:
        """Whoever is signed in; refuses what a page of somebody else's could have sent."""
        token, by_itself = self.token(request.scope)  # type: ignore[arg-type]
        if not token:
            raise Refusal("signin/needed")
        signed = await self.server.signin.who(token)
        if by_itself and request.method not in SAFE_METHODS:
            self.check_origin(request)
            self.server.signin.check_csrf(signed, request.headers.get("x-csrf-token", ""))
        return signed

    async def staff(
        self, request: Request[Any, Any, Any], roles: Container[str], needed: str | None = None
    ) -> Person:
        """The member of staff who asks; refuses everybody else, and names the role it needs.

        Whoever acts in a role at a table looks at what it may look at. What needs a role is more
        than a look, and not a table's: there one's own role counts.
        """
        person = (await self.who(request)).person
        if person.kind != "staff":
            raise Refusal("server/staff-only")
        if person.role in roles:
            return person
        if needed is not None:
            raise Refusal("staff/role", {"role": needed, "own": person.role})
        acts = acting(self.server.staff, person)
        if acts is None or acts[0].value not in roles:
            raise Refusal("server/auditors-only")
        return person

    def check_table(self, name: str) -> None:
        if name not in self.server.arranged:
            raise Refusal("table/unknown", {"table": name})

    def check_origin(self, request: Request[Any, Any, Any]) -> None:
        origin, host = request.headers.get("origin"), request.headers.get("host", "")
        if origin is not None and not origin_allowed(origin, host, self.server.config):
            raise Refusal("server/origin", {"origin": origin[:100]})

    async def maybe(self, request: Request[Any, Any, Any]) -> Signed | None:
        """Whoever is signed in, if anybody is."""
        token, _ = self.token(request.scope)  # type: ignore[arg-type]
        if not token:
            return None
        try:
            return await self.server.signin.who(token)
        except Refusal:
            return None

    def language(self, request: Request[Any, Any, Any], signed: Signed | None = None) -> str:
        """What the request asks for, else what the person chose, else the venue's."""
        asked = request.headers.get("accept-language", "")
        for part in asked.split(","):
            wanted = part.partition(";")[0].strip()
            for known in LANGUAGES:
                if wanted.lower() == known.lower():
                    return known
        return signed.person.language if signed else self.server.config.venue.language

    # --- commands ---------------------------------------------------------------------------------

    async def do(self, who: Person, key: str, command: api.Command, body: bytes) -> bytes:
        """Carry a command out, for REST."""
        began = self._admit(who, command)
        answer = await self.server.counter.do(who, key, command, body)
        self._count(command, answer, began)
        return answer

    def begin(self, who: Person, key: str, command: api.Command, told: Told) -> None:
        """The same for the live connection, where nothing waits: the answer is told."""
        began, body = self._admit(who, command), api.encode(command)

        def answered(answer: bytes | Refusal) -> None:
            if not isinstance(answer, Refusal):
                self._count(command, answer, began)
            told(answer)

        if not self.server.counter.take(who, key, command, body, answered):
            task = asyncio.ensure_future(self._slowly(who, key, command, body, answered))
            self._slow.add(task)
            task.add_done_callback(self._slow.discard)

    async def _slowly(
        self, who: Person, key: str, command: api.Command, body: bytes, told: Told
    ) -> None:
        try:
            told(await self.server.counter.do(who, key, command, body))
        except Refusal as refusal:
            told(refusal)

    def _admit(self, who: Person, command: api.Command) -> float:
        """The time at which a command came, if it may be carried out."""
        late = self.server.clockwork.stopping and isinstance(command, OpenRound)
        if not self.server.taking or self.server.lapsed or late:
            raise Refusal("server/not-ready")
        if self.pace.take(who.id, self.server.desk.now()):
            raise Refusal("server/too-fast", {"most": COMMANDS_A_MINUTE})
        if isinstance(command, BETTING):
            self.server.begin_session(who)
        return time.perf_counter()

    def _count(self, command: api.Command, answer: bytes, began: float) -> None:
        self.server.operations.answered(
            type(command), answer.startswith(DONE), time.perf_counter() - began
        )

    # --- what went wrong --------------------------------------------------------------------------

    def _refused(self, request: Request[Any, Any, Any], refusal: Exception) -> Response[Any]:
        assert isinstance(refusal, Refusal), "only refusals are handled here"
        return self.refusal(refusal, self.language(request))

    def refusal(self, refusal: Refusal, language: str, key: str | None = None) -> Response[Any]:
        body = self.told(refusal, language, key)
        return answered(msgspec.json.encode(body), STATUS.get(refusal.code, 409))

    def told(self, refusal: Refusal, language: str, key: str | None = None) -> api.Refused:
        return refused(refusal, language, self.server.config.venue.currency.digits, key)

    def status_of(self, answer: bytes) -> int:
        """The status of a refusal that was kept."""
        return STATUS.get(msgspec.json.decode(answer, type=api.Refused).code, 409)

    def _http(self, request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
        assert isinstance(error, HTTPException), "only these are handled here"
        if error.status_code >= 500:
            return self._failed(request, error)
        body = self.told(_unread(error), self.language(request))
        return answered(msgspec.json.encode(body), error.status_code, error.headers)

    def _garbled(self, request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
        """No text, or brackets without end: the framework knows only JSON that is nearly right."""
        refusal = Refusal("server/message", {"reason": type(error).__name__})
        return self.refusal(refusal, self.language(request))

    def _failed(self, request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
        """What nobody foresaw: the log has it whole, the caller a sentence."""
        self.server.operations.log.error(
            "a request failed", path=request.url.path, error=repr(error), exc_info=error
        )
        body = self.told(Refusal("server/failed"), self.language(request))
        return answered(msgspec.json.encode(body), 500)


def _unread(error: HTTPException) -> Refusal:
    """What the framework could make nothing of."""
    match error.status_code:
        case 404:
            return Refusal("server/not-found")
        case 405:
            return Refusal("server/method")
        case 413:
            return Refusal("server/too-large")
    reason = error.detail
    if isinstance(error, ValidationException) and error.extra:
        reason = "; ".join(map(_reason, error.extra))
    return misread(reason)


def _reason(one: object) -> str:
    """What the framework says of one field, and of which."""
    if not isinstance(one, dict):
        return str(one)
    told, where = str(one.get("message", one)), one.get("key")
    return f"{told} - at `$.{where}`" if where and " - at " not in told else told


def answered(
    body: bytes, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response[Any]:
    return Response(body, status_code=status, media_type="application/json", headers=headers)
