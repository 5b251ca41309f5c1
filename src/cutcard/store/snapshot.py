"""A snapshot: everything a database holds at one moment, to read and never to write.

For whoever audits: the database may be in use, a copy, or tampered with, so nothing is
migrated, nothing is repaired and no trigger is trusted. Rows come as they are, in order,
however many there are.
"""

import re
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from cutcard.refusals import Refusal
from cutcard.store.rows import Row
from cutcard.store.violations import away

PAGE = 1000


class Snapshot(Protocol):
    """One moment of a database."""

    engine: str
    guards: str
    """Asks for whatever keeps false rows out, by name, as it is in force."""

    whole: str
    """Asks the engine whether all of it can be read; it answers "ok", or what is wrong."""

    def rows(self, sql: str, *values: object) -> AsyncIterator[Row]:
        """The rows of a query; values are written ?1, ?2, …"""

    async def close(self) -> None: ...


async def open_snapshot(url: str) -> Snapshot:
    """The database at an address as it is now."""
    if url.startswith(("postgresql://", "postgres://")):
        return await _postgres(url)
    return _sqlite(url.removeprefix("sqlite:"))


# --- SQLite ---------------------------------------------------------------------------------------


class _Sqlite:
    engine = "sqlite"
    guards = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    whole = "PRAGMA integrity_check(10)"

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    async def rows(self, sql: str, *values: object) -> AsyncIterator[Row]:
        try:
            found = self._db.execute(sql, values)
            while page := found.fetchmany(PAGE):
                for row in page:
                    yield row
        except sqlite3.Error as error:
            raise away(error) from error

    async def close(self) -> None:
        self._db.close()


def _sqlite(path: str) -> Snapshot:
    if not Path(path).is_file():
        raise away(f"{path}: there is no such file")
    last = None
    # A copy on a medium that nobody can write to has no place for the files beside it.
    for mode in ("mode=ro", "mode=ro&immutable=1"):
        try:
            db = sqlite3.connect(f"file:{quote(path)}?{mode}", uri=True, isolation_level=None)
            try:
                # A transaction sees one moment from its first read on.
                db.execute("BEGIN").fetchall()
                db.execute("SELECT count(*) FROM log").fetchall()
            except BaseException:
                db.close()
                raise
            return _Sqlite(db)
        except sqlite3.Error as error:
            last = error
    raise away(f"{path}: {last}") from last


# --- PostgreSQL -----------------------------------------------------------------------------------


class _Postgres:
    engine = "postgresql"
    guards = """
        SELECT tgname::text, proname::text FROM pg_trigger
        JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
        WHERE relnamespace = current_schema()::regnamespace
            AND tgenabled = 'O' AND NOT tgisinternal
        UNION ALL
        SELECT proname || '(', prosrc FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace
    """
    # What cannot be read is refused by the engine itself when it comes to it.
    whole = "SELECT 'ok'"

    def __init__(self, db: Any, transaction: Any) -> None:
        self._db, self._transaction = db, transaction

    async def rows(self, sql: str, *values: object) -> AsyncIterator[Row]:
        async for row in self._db.cursor(re.sub(r"\?(\d+)", r"$\1", sql), *values, prefetch=PAGE):
            yield tuple(row)

    async def close(self) -> None:
        await self._transaction.rollback()
        await self._db.close()


async def _postgres(url: str) -> Snapshot:
    import asyncpg  # type: ignore[import-untyped]

    try:
        db = await asyncpg.connect(url)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise away(error) from error
    try:
        transaction = db.transaction(isolation="repeatable_read", readonly=True)
        await transaction.start()
        await db.fetch("SELECT count(*) FROM log")
    except asyncpg.PostgresError as error:
        await db.close()
        raise Refusal("store/away", {"why": str(error)}) from error
    return _Postgres(db, transaction)
