"""Which store an address means."""

import os

from cutcard.refusals import Refusal
from cutcard.store.store import Store
from cutcard.store.violations import away


def open_store(url: str) -> Store:
    """The store at an address, not opened yet: `sqlite:PATH`, a plain path, `postgresql://…`.

    >>> open_store("sqlite:/var/lib/cutcard/venue.db").name
    'sqlite'
    """
    scheme, colon, rest = url.partition(":")
    if scheme in ("postgresql", "postgres") and rest.startswith("//"):
        from cutcard.store.postgres import PostgresStore

        return PostgresStore(url)
    path = rest if colon and scheme == "sqlite" else url
    if path in ("", ":memory:"):
        # Two connections would see two memories, and neither would survive the night.
        raise Refusal("store/memory", {"address": url})
    if "://" in url:
        raise Refusal("store/address", {"address": url})
    from cutcard.store.sqlite import SqliteStore

    return SqliteStore(path)


def check_there(url: str) -> None:
    """Refuse a file that is not there, where a mistyped name must not become a new venue."""
    store = open_store(url)
    path = store.url.removeprefix("sqlite:")
    if store.name == "sqlite" and not os.path.isfile(path):
        raise away(f"{path}: there is no such file")
