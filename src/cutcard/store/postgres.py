"""The store in PostgreSQL.

One connection writes and a pool reads. A batch goes in as arrays, one statement a table, and
the schema's triggers check the whole statement at once.
"""

import asyncio
import os
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from functools import cache
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from cutcard.refusals import Refusal
from cutcard.store import rows
from cutcard.store.kept import Batch, Book, Books, Lease
from cutcard.store.migrations import REMEMBERED, migrations, missing, new_kinds
from cutcard.store.rows import LogRow, Promised, Row
from cutcard.store.sql import PROMISES, SqlStore, insert
from cutcard.store.violations import away, unstorable, violated

READERS = 4
"""Connections that read at once."""

PATIENCE = 5.0
"""Seconds until a server that does not answer counts as away."""

_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)
"""What is raised when a connection is no more."""

_OPENING = 0x63757463617264
"""The lock under which one process at a time brings the schema up to date."""

_TYPES = {
    "record": "text bigint bytea bytea bytea bigint text",
    "account": "text text text bigint bigint",
    "entry": "text text bigint bigint text text text bigint bigint text text text bigint",
    "answer": "text text bytea bytea bigint",
    "signed_head": "text text text bigint bytea bigint bytea bytea",
    "secret_shoe": "text text bigint bytea bigint",
    "played": "text text text bigint bigint bigint bigint text",
    "significant": "bigint text text text text text text",
    "book": "text text bytea",
}


def _arrays(table: str, columns: tuple[str, ...], anyway: str = "") -> str:
    """An insert of any number of rows, given as one array a column, in their order."""
    types = _TYPES[table].split()
    names = [f"c{place}" for place, _ in enumerate(types, 1)]
    values = ", ".join(f"${place}::{type}[]" for place, type in enumerate(types, 1))
    return f"""INSERT INTO {table} ({", ".join(columns)})
        SELECT {", ".join(names)} FROM unnest({values}) WITH ORDINALITY
        AS given ({", ".join(names)}, place) ORDER BY place {anyway}"""


_RECORD = _arrays("record", rows.RECORD)
_ACCOUNT = _arrays("account", rows.ACCOUNT, "ON CONFLICT (id) DO NOTHING")
_ENTRY = _arrays("entry", rows.ENTRY)
_ANSWER = _arrays("answer", rows.ANSWER)
_SIGNED_HEAD = _arrays("signed_head", rows.SIGNED_HEAD)
_SECRET_SHOE = _arrays("secret_shoe", rows.SECRET_SHOE)
_PLAYED = _arrays("played", rows.PLAYED)
_SIGNIFICANT = _arrays("significant", rows.SIGNIFICANT)
_BOOK = _arrays("book", rows.BOOK, "ON CONFLICT (hash) DO NOTHING")
_PAPER = f"""{insert("paper", rows.PAPER)} ON CONFLICT (number) DO UPDATE SET
    amount = excluded.amount, state = excluded.state, patron = excluded.patron,
    expires_at = excluded.expires_at, at = excluded.at"""

# Whoever takes over a log waits here for a commit that is under way, and the other way round.
_LOGS = """SELECT log, count, hash, owner, epoch, until FROM log
    WHERE log = ANY($1) ORDER BY log FOR UPDATE"""
_NEW_LOGS = """INSERT INTO log (log, start, hash)
    SELECT log, start, start FROM unnest($1::text[], $2::bytea[]) AS given (log, start)
    ORDER BY log ON CONFLICT (log) DO NOTHING"""
# Entries are numbered after their accounts are locked, so of two entries that meet on an
# account the one that came first has the lower number; and nobody waits in a circle.
_LOCKED = "SELECT id FROM account WHERE id = ANY($1) ORDER BY id FOR UPDATE"


class PostgresStore(SqlStore):
    """A venue on a server."""

    name = "postgresql"

    def __init__(self, url: str) -> None:
        self.url = url
        self._readers: Any = None
        self._writer: Any = None
        self._writing = asyncio.Lock()
        # Accounts that are known to have a row.
        self._accounts: set[str] = set()

    # --- life -------------------------------------------------------------------------------------

    async def open(self) -> None:
        try:
            with _translated():
                self._readers = await asyncpg.create_pool(
                    self.url, min_size=1, max_size=READERS, timeout=PATIENCE
                )
            async with self._transaction() as db:
                await migrate(db)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        writer, readers = self._writer, self._readers
        self._writer = self._readers = None
        with _translated():
            if writer is not None:
                await writer.close()
            if readers is not None:
                await readers.close()

    # --- writing ----------------------------------------------------------------------------------

    async def lease(self, logs: Iterable[str], owner: str, now: int, until: int) -> list[Lease]:
        names = sorted(set(logs))
        async with self._transaction() as db:
            await db.execute(_NEW_LOGS, names, [rows.first_hash(log) for log in names])
            found = await _logs(db, names)
            leases = [
                Lease(log, owner, rows.next_epoch(found[log], owner, now), until) for log in names
            ]
            await db.execute(
                """UPDATE log SET owner = $1, until = $2, epoch = given.epoch
                FROM unnest($3::text[], $4::bigint[]) AS given (log, epoch)
                WHERE log.log = given.log""",
                owner,
                until,
                names,
                [lease.epoch for lease in leases],
            )
        return leases

    async def commit(self, batch: Batch, epochs: Mapping[str, int], now: int) -> None:
        opened: set[str] = set()
        async with self._transaction() as db:
            names = rows.fenced(batch, epochs)
            logs = await _logs(db, names) if names else {}
            rows.check_fence(names, logs, epochs, now)
            await _many(db, _RECORD, rows.record_rows(batch.records, logs))
            if batch.money:
                entries = rows.entry_rows(batch.money, await _promised(db, batch))
                touched = rows.accounts_named(entries)
                opened = touched - self._accounts
                await _many(db, _ACCOUNT, rows.account_rows(opened))
                await db.execute(_LOCKED, list(touched))
                await _many(db, _ENTRY, entries)
            await _many(db, _ANSWER, rows.answer_rows(batch.answers))
            await _many(db, _SIGNED_HEAD, rows.head_rows(batch.heads))
            await _many(db, _SECRET_SHOE, rows.shoe_rows(batch.shoes))
            if batch.papers:
                # One by one: a batch may move a voucher twice.
                await db.executemany(_dollars(_PAPER), rows.paper_rows(batch.papers))
            await _many(db, _PLAYED, rows.played_rows(batch.played))
            await _many(db, _SIGNIFICANT, rows.significant_rows(batch.significant))
        self._accounts |= opened

    async def archive(self, books: Iterable[Book]) -> None:
        async with self._transaction() as db:
            await _many(db, _BOOK, rows.book_rows(books))

    # --- reading ----------------------------------------------------------------------------------

    async def books(self) -> Books:
        async with self._snapshot() as db:
            return rows.books_of(
                await db.fetch("SELECT id, posted, held FROM account WHERE entry > 0"),
                await db.fetch(PROMISES),
                await db.fetch("SELECT source, event, place FROM source"),
            )

    async def _all(self, sql: str, *values: object) -> list[Row]:
        with _translated():
            found: list[Row] = await self._pool().fetch(_dollars(sql), *values)
        return found

    async def _change(self, table: str, sql: str, *values: object) -> int:
        async with self._transaction(table) as db:
            # The server says what it did as "UPDATE 3".
            done: str = await db.execute(_dollars(sql), *values)
        return int(done.rpartition(" ")[2])

    # --- copies -----------------------------------------------------------------------------------

    async def backup(self, to: str) -> None:
        from cutcard.store import copying

        if os.path.exists(to):
            raise Refusal("store/exists", {"file": to})
        part = f"{to}.part"
        try:
            with closing(await asyncio.to_thread(copying.begin_copy, part)) as copy:
                async with self._snapshot() as db:
                    for table in copying.COPIED:
                        cursor = await db.cursor(table.select)
                        while page := await cursor.fetch(copying.PAGE):
                            await asyncio.to_thread(copying.put, copy, (table, page))
                await asyncio.to_thread(copy.execute, "COMMIT")
            os.replace(part, to)
        except (sqlite3.Error, OSError) as error:
            raise Refusal("store/copy", {"file": to, "why": str(error)}) from error

    async def fill(self, pages: Iterator[Any], check: Callable[[list[list[Any]]], None]) -> None:
        from cutcard.store.copying import COPIED, FOLLOWING

        async with self._transaction() as db:
            for table in COPIED:
                if await db.fetchval(f"SELECT 1 FROM {table.name} LIMIT 1"):
                    raise Refusal("store/not-empty")
            # A thread reads the copy, so that a long one stops nobody else.
            while page := await asyncio.to_thread(next, pages, None):
                table, values = page
                columns = [column.strip('"') for column in table.columns]
                await db.copy_records_to_table(table.name, records=values, columns=columns)
            check([await db.fetch(question) for question in FOLLOWING])

    # --- connections ------------------------------------------------------------------------------

    def _pool(self) -> Any:
        if self._readers is None:
            raise away("the store is not open")
        return self._readers

    @asynccontextmanager
    async def _snapshot(self) -> AsyncIterator[Any]:
        """A connection on which every query sees the same moment."""
        with _translated():
            async with (
                self._pool().acquire() as db,
                db.transaction(isolation="repeatable_read", readonly=True),
            ):
                yield db

    @asynccontextmanager
    async def _transaction(self, table: str = "") -> AsyncIterator[Any]:
        """The one connection that writes, in a transaction that is kept whole or not at all."""
        self._pool()
        async with self._writing:
            with _translated(table):
                if self._writer is None or self._writer.is_closed():
                    self._writer = await asyncpg.connect(self.url, timeout=PATIENCE)
                try:
                    async with self._writer.transaction():
                        yield self._writer
                except _LOST:
                    # What is left of it could not even be rolled back; the server has done that.
                    self._writer.terminate()
                    self._writer = None
                    raise


@contextmanager
def _translated(table: str = "") -> Iterator[None]:
    """What the driver says is said in our words."""
    try:
        yield
    except asyncpg.IntegrityConstraintViolationError as error:
        raise violated(error.table_name or table, str(error)) from error
    except (asyncpg.DataError, ValueError, OverflowError) as error:
        # The driver's own complaint about a value is a ValueError too.
        raise unstorable(error) from error
    except (asyncpg.PostgresError, asyncpg.InterfaceError, *_LOST) as error:
        raise away(error) from error


async def migrate(db: Any) -> None:
    """Bring the schema up to date."""
    await db.execute("SELECT pg_advisory_xact_lock($1)", _OPENING)
    await db.execute(REMEMBERED)
    applied = {row[0]: row[1] for row in await db.fetch("SELECT number, hash FROM migration")}
    for step in missing(migrations("postgresql"), applied):
        await db.execute(step.sql)
        await db.execute("INSERT INTO migration VALUES ($1, $2)", step.number, step.hash)
    kinds = await db.fetch("SELECT kind, parts, floor, ceiling, personal FROM account_kind")
    new = new_kinds({row[0]: tuple(row) for row in kinds})
    await db.executemany("INSERT INTO account_kind VALUES ($1, $2, $3, $4, $5)", new)


@cache
def _dollars(sql: str) -> str:
    """Values as PostgreSQL counts them."""
    return re.sub(r"\?(\d)", r"$\1", sql)


async def _many(db: Any, sql: str, values: list[Any]) -> None:
    if values:
        await db.execute(sql, *zip(*values, strict=True))


async def _logs(db: Any, names: list[str]) -> dict[str, LogRow]:
    return {row[0]: LogRow(*row) for row in await db.fetch(_LOGS, names)}


async def _promised(db: Any, batch: Batch) -> dict[str, Promised]:
    asked = rows.completed(batch.money)
    if not asked:
        return {}
    sql = "SELECT id, debit, credit, amount FROM promise WHERE id = ANY($1)"
    return {row[0]: Promised(*row[1:]) for row in await db.fetch(sql, asked)}
