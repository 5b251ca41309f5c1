"""The store in PostgreSQL.

One connection writes and a pool reads. A batch is written by one call of a function of the
schema's, a statement a table, and the schema's triggers check each statement as a whole.
"""

import asyncio
import os
import re
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from functools import cache
from typing import Any, TypeVar

import asyncpg  # type: ignore[import-untyped]

from cutcard.chain import Head
from cutcard.refusals import Refusal
from cutcard.store import rows
from cutcard.store.kept import Batch, Book, Books, Lease
from cutcard.store.migrations import REMEMBERED, migrations, missing, new_kinds
from cutcard.store.rows import LogRow, Promised, Row
from cutcard.store.sql import PROMISES, SqlStore, insert
from cutcard.store.violations import away, unstorable, violated

T = TypeVar("T")

READERS = 4
"""Connections that read at once."""

PATIENCE = 5.0
"""Seconds until a server that cannot be reached counts as away."""

HANGS = 10.0
"""Seconds until one that was reached and does not answer does: nothing written takes so long."""

SLOWEST = 60.0
"""The same for questions, of which some are about everything there is."""

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

_WRITE = "SELECT write_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
_BOOK = f"{insert('book', rows.BOOK)} ON CONFLICT (hash) DO NOTHING"

_LOGS = """SELECT log, count, hash, owner, epoch, until FROM log
    WHERE log = ANY($1) ORDER BY log FOR UPDATE"""
_NEW_LOGS = """INSERT INTO log (log, start, hash)
    SELECT log, start, start FROM unnest($1::text[], $2::bytea[]) AS given (log, start)
    ORDER BY log ON CONFLICT (log) DO NOTHING"""


class PostgresStore(SqlStore):
    """A venue on a server."""

    name = "postgresql"

    def __init__(self, url: str) -> None:
        self.url = url
        self._readers: Any = None
        self._writer: Any = None
        self._writing = asyncio.Lock()
        # What is known without asking: accounts that have a row, where logs stand, and what is
        # promised. The database checks it all the same.
        self._accounts: set[str] = set()
        self._heads: dict[str, Head] = {}
        self._promised: dict[str, Promised] = {}

    # --- life -------------------------------------------------------------------------------------

    async def open(self, *, as_it_is: bool = False) -> None:
        try:
            with _translated():
                try:
                    # None is kept for its own sake: the driver would complain while it cannot.
                    self._readers = await asyncpg.create_pool(
                        self.url, min_size=0, max_size=READERS, timeout=PATIENCE
                    )
                    await self._readers.fetchval("SELECT 1")
                except ValueError as error:
                    # It is no address at all.
                    raise away(error) from error
            if not as_it_is:
                async with self._alone() as db:
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
        if any(lease.epoch != found[lease.log].epoch for lease in leases):
            # Somebody else may have written since.
            self._forget()
        return leases

    async def commit(self, batch: Batch, epochs: Mapping[str, int], now: int) -> None:
        names = rows.fenced(batch, epochs)
        try:
            records = rows.record_rows(batch.records, await self._heads_of(batch))
            entries = rows.entry_rows(batch.money, await self._promised_to(batch))
            opened = rows.accounts_named(entries) - self._accounts
            async with self._connection() as db:
                await db.execute(
                    _WRITE,
                    names,
                    [epochs.get(name) for name in names],
                    now,
                    records,
                    rows.account_rows(opened),
                    entries,
                    rows.answer_rows(batch.answers),
                    rows.head_rows(batch.heads),
                    rows.shoe_rows(batch.shoes),
                    rows.paper_rows(batch.papers),
                    rows.played_rows(batch.played),
                    rows.significant_rows(batch.significant),
                )
        except BaseException:
            # Whatever became of it, the database knows better now.
            self._forget()
            raise
        self._accounts |= opened
        self._heads |= rows.ends(records)
        rows.keep_promises(self._promised, entries)

    async def _heads_of(self, batch: Batch) -> Mapping[str, Head]:
        """Where the logs stand that a batch writes to."""
        unknown = {one.log for one in batch.records} - self._heads.keys()
        if unknown:
            sql = "SELECT log, count, hash FROM log WHERE log = ANY($1)"
            self._heads |= {row[0]: Head(*row) for row in await self._all(sql, list(unknown))}
        return self._heads

    async def _promised_to(self, batch: Batch) -> dict[str, Promised]:
        """The pending transfers that a batch completes and did not begin."""
        asked = rows.completed(batch.money)
        unknown = [id for id in asked if id not in self._promised]
        if unknown:
            sql = "SELECT id, debit, credit, amount FROM promise WHERE id = ANY($1)"
            self._promised |= {row[0]: Promised(*row[1:]) for row in await self._all(sql, unknown)}
        return {id: self._promised[id] for id in asked if id in self._promised}

    def _forget(self) -> None:
        self._accounts, self._heads, self._promised = set(), {}, {}

    async def archive(self, books: Iterable[Book]) -> None:
        async with self._transaction() as db:
            await db.executemany(_dollars(_BOOK), rows.book_rows(books))

    # --- reading ----------------------------------------------------------------------------------

    async def books(self) -> Books:
        return await self._read(self._books)

    async def _books(self) -> Books:
        async with self._snapshot() as db:
            return rows.books_of(
                await db.fetch("SELECT id, posted, held FROM account WHERE entry > 0"),
                await db.fetch(PROMISES),
                await db.fetch("SELECT source, event, place FROM source"),
            )

    async def _all(self, sql: str, *values: object) -> list[Row]:
        return await self._read(lambda: self._pool().fetch(_dollars(sql), *values, timeout=SLOWEST))

    async def _read(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask, and ask again where the connection was lost.

        One that broke while nobody used it is noticed by whoever uses it next, leaves the pool by
        that, and a new one takes its place. Asking twice does no harm; writing might.
        """
        with _translated():
            for _ in range(READERS):
                try:
                    return await ask()
                except TimeoutError:
                    raise
                except _LOST:
                    continue
            return await ask()

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
                with _translated():
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

        async with self._alone() as db:
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
        async with (
            self._pool().acquire() as db,
            db.transaction(isolation="repeatable_read", readonly=True),
        ):
            yield db

    @asynccontextmanager
    async def _connection(self, table: str = "") -> AsyncIterator[Any]:
        """The one connection that writes; one statement is kept whole or not at all."""
        self._pool()
        async with self._writing:
            with _translated(table):
                if self._writer is None or self._writer.is_closed():
                    self._writer = await asyncpg.connect(
                        self.url, timeout=PATIENCE, command_timeout=HANGS
                    )
                try:
                    yield self._writer
                except _LOST:
                    # What is left of it could not even be rolled back; the server has done that.
                    self._writer.terminate()
                    self._writer = None
                    raise

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[Any]:
        """A transaction on a connection of its own, for what may take as long as it takes."""
        with _translated():
            db = await asyncpg.connect(self.url, timeout=PATIENCE)
            try:
                async with db.transaction():
                    yield db
            finally:
                await db.close()

    @asynccontextmanager
    async def _transaction(self, table: str = "") -> AsyncIterator[Any]:
        """The same for several statements."""
        async with self._connection(table) as db, db.transaction():
            yield db


@contextmanager
def _translated(table: str = "") -> Iterator[None]:
    """What the driver says is said in our words."""
    try:
        yield
    except asyncpg.ObjectNotInPrerequisiteStateError as error:
        if error.table_name != "log":
            raise away(error) from error
        raise Refusal("store/fenced", {"log": error.detail}) from error
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


async def _logs(db: Any, names: list[str]) -> dict[str, LogRow]:
    return {row[0]: LogRow(*row) for row in await db.fetch(_LOGS, names)}
