"""Which store an address means."""

from cutcard.refusals import Refusal
from cutcard.store.store import Store


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
