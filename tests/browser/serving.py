"""Serves the browser's files on this machine alone, and remembers what was asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import cutcard

WEB = Path(cutcard.__file__).with_name("web")
HERE = Path(__file__).parent


class Handler(SimpleHTTPRequestHandler):
    disable_nagle_algorithm = True
    # A machine's own list of types may know nothing of modules.
    extensions_map = {  # noqa: RUF012
        ".css": "text/css",
        ".html": "text/html",
        ".js": "text/javascript",
        ".json": "application/json",
    }

    def translate_path(self, path: str) -> str:
        # What only the tests need lies beside the tests.
        if path.startswith("/tests/"):
            return str(HERE / Path(path).name)
        return super().translate_path(path)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[str]:
    """The address, while it lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(WEB)))
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
