"""The API's description without a server that runs."""

from typing import Any

from cutcard.server.app import App
from cutcard.server.config import demonstration
from cutcard.server.keys import Keys
from cutcard.server.server import Parts, Server
from cutcard.store import open_store


async def document() -> dict[str, Any]:
    """OpenAPI 3.1 as a server would serve it; nothing is opened, dealt or written."""
    store = open_store("sqlite:never-opened.db")
    server = Server(demonstration(), Parts(store, Keys(bytes(32), bytes(32)), lambda: 0))
    try:
        return App(server).openapi
    finally:
        server.signin.close()
