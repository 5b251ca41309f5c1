"""Running a server: from a configuration to a socket that listens, until it is told to stop."""

import asyncio
import contextlib
import gc
import signal
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from cutcard.refusals import Refusal
from cutcard.server.app import App
from cutcard.server.config import Config
from cutcard.server.door import Request, Talk
from cutcard.server.keys import Keys, load_keys
from cutcard.server.operations import set_up_logs
from cutcard.server.server import Parts, Server
from cutcard.store import open_store


def clock() -> int:
    """UTC milliseconds."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers, and where."""

    server: Server
    app: App
    url: str


def serve(
    config: Config, ready: Callable[[Running], object] = lambda running: None, *, logs: str = "info"
) -> None:
    """Run a server to its end, on the quickest event loop there is."""
    with asyncio.Runner(loop_factory=_event_loop()) as runner:
        runner.run(run(config, ready, logs=logs))


def _event_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        # There is none for this system; Python's own does the same, more slowly.
        return None
    return uvloop.new_event_loop


async def run(
    config: Config,
    ready: Callable[[Running], object] = lambda running: None,
    *,
    logs: str = "info",
    patience: float = 60.0,
) -> None:
    """Serve until SIGINT or SIGTERM; then finish the rounds under way and stop."""
    set_up_logs(logs)
    keys = await _keys(config)
    server = Server(config, Parts(open_store(config.server.database), keys, clock))
    listening = _listening(config)
    # Before the venue is ours: it takes a while, in which no lease could be renewed.
    app = App(server)
    _collect_rarely()
    served = uvicorn.Server(_settings(app, config))
    _load(served.config)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        # Windows has no such handlers; there Ctrl-C ends the process.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(sign, stopping.set)
    # Answered from now on: whoever watches over a server that stands by must see that it lives.
    serving = asyncio.ensure_future(served._serve([listening]))
    asked = asyncio.ensure_future(stopping.wait())
    try:
        while not served.started and not serving.done():
            await asyncio.sleep(0.005)
        if await _started(server, asked, serving):
            ready(Running(server, app, _url(config, listening)))
            failed = asyncio.ensure_future(server.failed.wait())
            await asyncio.wait({failed, asked, serving}, return_when=asyncio.FIRST_COMPLETED)
            crashed = failed.done()
            await server.stop(0 if crashed else patience)
            if crashed:
                raise Refusal("server/stopped")
    finally:
        asked.cancel()
        served.should_exit = True
        await serving
        listening.close()


async def _started(server: Server, asked: "asyncio.Future[Any]", *others: Any) -> bool:
    """Start a server, which may wait for another to end; False if it was told to stop before."""
    starting = asyncio.ensure_future(server.start())
    await asyncio.wait({starting, asked, *others}, return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        return False
    starting.result()
    return True


async def _keys(config: Config) -> Keys:
    """The house's keys; new ones only for a venue that is new as well."""
    path = Path(config.server.keys)
    if not path.exists() and await _in_use(config.server.database):
        raise Refusal("server/keys-missing", {"file": str(path)})
    return load_keys(path)


async def _in_use(address: str) -> bool:
    store = open_store(address)
    await store.open()
    try:
        return bool(await store.logs())
    finally:
        await store.close()


def _load(settings: uvicorn.Config) -> None:
    """Read what the web server needs; refuses a certificate that it cannot use."""
    for file in (settings.ssl_certfile, settings.ssl_keyfile):
        if file is not None:
            try:
                Path(file).read_bytes()
            except OSError as error:
                raise Refusal("server/tls", {"file": str(file), "why": error.strerror}) from None
    try:
        settings.load()
    except ssl.SSLError as error:
        files = f"{settings.ssl_certfile}, {settings.ssl_keyfile}"
        why = error.reason or "not in PEM form"
        raise Refusal("server/tls", {"file": files, "why": why}) from None


def _collect_rarely() -> None:
    """States are values without cycles, so the collector looks through many and finds nothing.

    What is there now stays; the rest is looked through a hundred times less often than usual.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(70_000, 10, 10)


def _listening(config: Config) -> socket.socket:
    """The socket, taken before anything else, so that a port in use is told at once."""
    host, port = config.server.host, config.server.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(2048)
    except OSError as error:
        found.close()
        why = error.strerror or str(error)
        raise Refusal("server/port", {"host": host, "port": str(port), "why": why}) from None
    found.setblocking(False)
    return found


def _url(config: Config, listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    named = {"0.0.0.0": "localhost", "127.0.0.1": "localhost", "::1": "localhost"}.get(host, host)
    return f"{'https' if config.server.tls else 'http'}://{named}:{port}"


def _settings(app: App, config: Config) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=Request,
        ws=Talk,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        log_config=None,
        # Not a line for each connection.
        log_level="warning",
        access_log=False,
        server_header=False,
        # Whether a proxy is believed is the configuration's affair, and looked at in one place.
        proxy_headers=False,
        timeout_graceful_shutdown=2,
        ssl_certfile=config.server.tls_cert,
        ssl_keyfile=config.server.tls_key,
        lifespan="off",
    )
