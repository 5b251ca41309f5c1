"""Running a server: from a configuration to a socket that listens, until it is told to stop."""

import asyncio
import contextlib
import gc
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass

import uvicorn

from cutcard.refusals import Refusal
from cutcard.server.app import App
from cutcard.server.config import Config
from cutcard.server.door import Request, Talk
from cutcard.server.keys import load_keys
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
    store = open_store(config.server.database)
    server = Server(config, Parts(store, load_keys(config.server.keys), clock))
    listening = _listening(config)
    try:
        # Before the venue is ours: it takes a while, in which no lease could be renewed.
        app = App(server)
        _collect_rarely()
        served = uvicorn.Server(_settings(app, config))
        served.config.load()
        await server.start()
        stopping = asyncio.Event()
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(sign, stopping.set)
        serving = asyncio.ensure_future(served._serve([listening]))
        while not served.started and not serving.done():
            await asyncio.sleep(0.005)
        ready(Running(server, app, _url(config, listening)))
        failed = asyncio.ensure_future(server.failed.wait())
        asked = asyncio.ensure_future(stopping.wait())
        await asyncio.wait({failed, asked, serving}, return_when=asyncio.FIRST_COMPLETED)
        crashed = failed.done()
        await server.stop(0 if crashed else patience)
        served.should_exit = True
        await serving
        if crashed:
            raise Refusal("server/stopped")
    finally:
        listening.close()


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
