"""Bookmarks: how far a log was read once, and what stood there.

The cage and the patrons have logs of years, and a server that starts needs only where they
end. So now and then that is kept beside them. A bookmark is nothing but time saved: one that
this house did not seal, that another release wrote or that does not fit the log is passed
over, and the log read from its start. An audit reads every log whole and looks at none.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any, TypeVar

from cutcard import __version__
from cutcard.chain import Head, canonical
from cutcard.refusals import Refusal
from cutcard.server.keys import Keys
from cutcard.store import Bookmark, Store

EVERY = 10_000
"""So many records after the last bookmark it is time for the next."""

T = TypeVar("T")


class Bookmarks:
    """Those of one store, under one house's keys."""

    def __init__(self, store: Store, keys: Keys) -> None:
        self._store, self._keys = store, keys
        self._latest: dict[str, int] = {}

    async def open(self, log: str, read: Callable[[Any], T], empty: T) -> tuple[int, T]:
        """After which record a log must be read, and what stood there."""
        try:
            mark = await self._store.bookmark(log)
            if mark is None:
                return 0, empty
            there = await self._store.records(log, mark.number - 1, 1)
            if [one.hash for one in there] != [mark.hash]:
                return 0, empty
            # A thread reads it: of many patrons that takes longer than a lease lasts.
            stood = await asyncio.to_thread(self._opened, mark, read)
        except Refusal:
            return 0, empty
        self._latest[log] = mark.number
        return mark.number, stood

    def _opened(self, mark: Bookmark, read: Callable[[Any], T]) -> T:
        head = Head(mark.log, mark.number, mark.hash)
        return read(json.loads(self._keys.unseal(_name(head), mark.sealed)))

    async def keep(self, head: Head, tell: Callable[[], object]) -> None:
        """Keep what stands at a head, if that is far enough from the last bookmark."""
        if head.count - self._latest.get(head.table, 0) < EVERY:
            return
        # A thread tells it: of many patrons that takes a while, in which tables must go on.
        sealed = await asyncio.to_thread(lambda: self._keys.seal(_name(head), canonical(tell())))
        await self._store.put_bookmark(Bookmark(head.table, head.count, head.hash, sealed))
        self._latest[head.table] = head.count


def _name(head: Head) -> str:
    """What a seal opens under: this log, this record, this release."""
    return f"bookmark {head.table} {head.count} {head.hash.hex()} {__version__}"
