"""Serves the browser's files on this machine alone, and remembers what was asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import cutcard

WEB = Path(cutcard.__file__).with_name("web")
HERE = Path(__file__).parent


class Server(ThreadingHTTPServer):
    """The files, and the values that a page is to be asked about."""

    values = b"[]"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(SimpleHTTPRequestHandler):
    disable_nagle_algorithm = True
    server: Server
    # A machine's own list of types may know nothing of modules.
    extensions_map = {  # noqa: RUF012
        ".css": "text/css",
        ".html": "text/html",
        ".js": "text/javascript",
        ".json": "application/json",
    }

    def do_GET(self) -> None:
        if self.path == "/tests/values":
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "application/json")
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(self.server.values)
        else:
            super().do_GET()

    def translate_path(self, path: str) -> str:
        # What only the tests need lies beside the tests.
        if path.startswith("/tests/"):
            return str(HERE / Path(path).name)
        return super().translate_path(path)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[Server]:
    """The server, while it lasts."""
    server = Server(("127.0.0.1", 0), partial(Handler, directory=str(WEB)))
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
