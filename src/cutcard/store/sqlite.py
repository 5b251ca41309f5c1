"""The store in one SQLite file.

One thread writes and one reads, each with a connection of its own, so that the event loop
never waits for a disk and readers never wait for the writer. Other processes may use the
same file: leases and transactions hold between processes as they do within one.
"""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import Any, TypeVar, cast

from cutcard.chain import Head
from cutcard.refusals import Refusal
from cutcard.store import rows
from cutcard.store.kept import (
    Batch,
    Book,
    Books,
    Lease,
    Paper,
)
from cutcard.store.migrations import REMEMBERED, KindRow, migrations, missing, new_kinds
from cutcard.store.rows import LogRow, Promised, Row
from cutcard.store.sql import PROMISES, SqlStore, insert
from cutcard.store.violations import away, unstorable, violated

T = TypeVar("T")

PATIENCE = 5.0
"""Seconds until a file that somebody else has locked counts as away."""

_PRAGMAS = (
    f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}",
    # What a commit returned from survives the loss of power.
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    # A REPLACE has to face the triggers that forbid a DELETE.
    "PRAGMA recursive_triggers = ON",
    "PRAGMA cache_size = -65536",
)


_RECORD = insert("record", rows.RECORD)
_ENTRY = insert("entry", rows.ENTRY)
_ANSWER = insert("answer", rows.ANSWER)
_SIGNED_HEAD = insert("signed_head", rows.SIGNED_HEAD)
_SECRET_SHOE = insert("secret_shoe", rows.SECRET_SHOE)
_PAPER = insert("paper", rows.PAPER)
_PLAYED = insert("played", rows.PLAYED)
_SIGNIFICANT = insert("significant", rows.SIGNIFICANT)

# An account opens when it is first needed; in a trigger OR IGNORE would not be kept to.
_ACCOUNT = f"""
    INSERT INTO account ({", ".join(rows.ACCOUNT)}) SELECT ?1, ?2, ?3, ?4, ?5
    WHERE NOT EXISTS (SELECT 1 FROM account WHERE id = ?1)
"""
_BOOK = """
    INSERT INTO book (hash, id, document) SELECT ?1, ?2, ?3
    WHERE NOT EXISTS (SELECT 1 FROM book WHERE hash = ?1)
"""
_LOG = """
    INSERT INTO log (log, start, hash) SELECT ?1, ?2, ?2
    WHERE NOT EXISTS (SELECT 1 FROM log WHERE log = ?1)
"""
_LOG_ROW = "SELECT log, count, hash, owner, epoch, until FROM log WHERE log = ?"
_MOVED_PAPER = """
    UPDATE paper SET amount = ?2, state = ?3, patron = ?4, expires_at = ?5, at = ?6
    WHERE number = ?1
"""


class SqliteStore(SqlStore):
    """A venue in a file."""

    name = "sqlite"

    def __init__(self, path: str) -> None:
        self.path, self.url = path, f"sqlite:{path}"
        self._writer = _Desk("cutcard-writer")
        self._reader = _Desk("cutcard-reader")
        # Accounts that are known to have a row; only the writer's thread looks at it.
        self._accounts: set[str] = set()

    # --- life -------------------------------------------------------------------------------------

    async def open(self, *, as_it_is: bool = False) -> None:
        try:
            await self._writer.open(partial(connect, self.path))
            if not as_it_is:
                await self._writer.run(migrate)
            await self._reader.open(partial(_connect_reader, self.path))
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        # The last connection to close tidies the log files away, and only a writer can.
        await self._reader.close()
        await self._writer.close()

    # --- writing ----------------------------------------------------------------------------------

    async def lease(self, logs: Iterable[str], owner: str, now: int, until: int) -> list[Lease]:
        return await self._writer.run(_lease, sorted(set(logs)), owner, now, until)

    async def commit(self, batch: Batch, epochs: Mapping[str, int], now: int) -> None:
        await self._writer.run(self._commit, batch, epochs, now)

    def _commit(
        self, db: sqlite3.Connection, batch: Batch, epochs: Mapping[str, int], now: int
    ) -> None:
        opened: set[str] = set()
        with transaction(db):
            heads = written_logs(db, batch, epochs, now)
            _many(db, "record", _RECORD, rows.record_rows(batch.records, heads))
            if batch.money:
                entries = rows.entry_rows(batch.money, _promised(db, batch))
                opened = rows.accounts_named(entries) - self._accounts
                _many(db, "account", _ACCOUNT, rows.account_rows(opened))
                _many(db, "entry", _ENTRY, entries)
            _many(db, "answer", _ANSWER, rows.answer_rows(batch.answers))
            _many(db, "signed_head", _SIGNED_HEAD, rows.head_rows(batch.heads))
            _many(db, "secret_shoe", _SECRET_SHOE, rows.shoe_rows(batch.shoes))
            _put_papers(db, batch.papers)
            _many(db, "played", _PLAYED, rows.played_rows(batch.played))
            _many(db, "significant", _SIGNIFICANT, rows.significant_rows(batch.significant))
        self._accounts |= opened

    async def archive(self, books: Iterable[Book]) -> None:
        await self._writer.run(_archive, list(books))

    # --- reading ----------------------------------------------------------------------------------

    async def books(self) -> Books:
        return await self._reader.run(books_in)

    async def _all(self, sql: str, *values: object) -> list[Row]:
        return await self._reader.run(_all, sql, *values)

    async def _change(self, table: str, sql: str, *values: object) -> int:
        return await self._writer.run(_change, table, sql, *values)

    # --- copies -----------------------------------------------------------------------------------

    async def backup(self, to: str) -> None:
        # A thread and a connection of its own: a long copy keeps no reader waiting.
        await asyncio.to_thread(copy_file, self.path, to)

    async def fill(self, pages: Iterator[Any], check: Callable[[list[list[Any]]], None]) -> None:
        from cutcard.store.copying import fill_sqlite

        await self._writer.run(fill_sqlite, pages, check)


# --- threads and connections ----------------------------------------------------------------------


class _Desk:
    """A thread with a connection that nobody else touches."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: ThreadPoolExecutor | None = None
        self._db: sqlite3.Connection | None = None

    async def open(self, connecting: Callable[[], sqlite3.Connection]) -> None:
        assert self._thread is None, "opened twice"
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=self._name)
        self._db = await asyncio.get_running_loop().run_in_executor(self._thread, connecting)

    async def run(self, work: Callable[..., T], *values: Any) -> T:
        if self._thread is None or self._db is None:
            raise away("the store is not open")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, _translated, work, self._db, *values)

    async def close(self) -> None:
        thread, db, self._thread, self._db = self._thread, self._db, None, None
        if thread is not None:
            if db is not None:
                await asyncio.get_running_loop().run_in_executor(thread, db.close)
            thread.shutdown()


def connect(path: str) -> sqlite3.Connection:
    """A connection that may write, set up as every connection must be."""
    try:
        if not os.path.exists(path):
            # What patrons play and owe is read by the server alone, its log beside it included.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        # Transactions are begun and ended by hand, never by the driver's guess.
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except (sqlite3.Error, OSError) as error:
        raise away(f"{path}: {error}") from error
    try:
        for pragma in _PRAGMAS:
            db.execute(pragma).fetchall()
        _log_ahead(db)
    except sqlite3.Error as error:
        db.close()
        raise away(f"{path}: {error}") from error
    return db


def _log_ahead(db: sqlite3.Connection) -> None:
    """Write ahead from now on. Of several who switch a new file at once SQLite lets none wait."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL").fetchall()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.02)


def _connect_reader(path: str) -> sqlite3.Connection:
    db = connect(path)
    db.execute("PRAGMA query_only = ON")
    return db


def _translated(work: Callable[..., T], db: sqlite3.Connection, *values: Any) -> T:
    """Do a piece of work; what the driver says is said in our words."""
    try:
        return work(db, *values)
    except (OverflowError, UnicodeError, sqlite3.DataError) as error:
        raise unstorable(error) from error
    except sqlite3.Error as error:
        raise away(error) from error


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing. The right to write is taken at once, so no read in it can be stale."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def migrate(db: sqlite3.Connection) -> None:
    """Bring the schema up to date."""
    with transaction(db):
        db.execute(REMEMBERED)
        applied = {row[0]: row[1] for row in _all(db, "SELECT number, hash FROM migration")}
        for step in missing(migrations("sqlite"), applied):
            for statement in _statements(step.sql):
                db.execute(statement)
            db.execute("INSERT INTO migration VALUES (?, ?)", (step.number, step.hash))
        kinds = _all(db, "SELECT kind, parts, floor, ceiling, personal FROM account_kind")
        new = new_kinds({row[0]: cast(KindRow, row) for row in kinds})
        db.executemany("INSERT INTO account_kind VALUES (?, ?, ?, ?, ?)", new)


def _statements(sql: str) -> Iterator[str]:
    """The statements of a script; `executescript` would end our transaction."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


# --- what runs on a thread ------------------------------------------------------------------------


def _all(db: sqlite3.Connection, sql: str, *values: object) -> list[Row]:
    return db.execute(sql, values).fetchall()


def _many(db: sqlite3.Connection, table: str, sql: str, values: list[Any]) -> None:
    if values:
        try:
            db.executemany(sql, values)
        except sqlite3.IntegrityError as error:
            raise violated(table, str(error)) from error


def _change(db: sqlite3.Connection, table: str, sql: str, *values: object) -> int:
    try:
        with transaction(db):
            return db.execute(sql, values).rowcount
    except sqlite3.IntegrityError as error:
        raise violated(table, str(error)) from error


def _lease(
    db: sqlite3.Connection, logs: list[str], owner: str, now: int, until: int
) -> list[Lease]:
    leases = []
    with transaction(db):
        for log in logs:
            db.execute(_LOG, (log, rows.first_hash(log)))
            row = LogRow(*db.execute(_LOG_ROW, (log,)).fetchone())
            epoch = rows.next_epoch(row, owner, now)
            sql = "UPDATE log SET owner = ?, epoch = ?, until = ? WHERE log = ?"
            db.execute(sql, (owner, epoch, until, log))
            leases.append(Lease(log, owner, epoch, until))
    return leases


def written_logs(
    db: sqlite3.Connection, batch: Batch, epochs: Mapping[str, int], now: int
) -> dict[str, Head]:
    """Where the logs stand that a batch writes to; refuses a writer who does not hold them."""
    names = rows.fenced(batch, epochs)
    found = (db.execute(_LOG_ROW, (log,)).fetchone() for log in names)
    logs = {row[0]: LogRow(*row) for row in found if row is not None}
    rows.check_fence(names, logs, epochs, now)
    return {log: Head(log, row.count, row.hash) for log, row in logs.items()}


def _promised(db: sqlite3.Connection, batch: Batch) -> dict[str, Promised]:
    promised = {}
    for id in rows.completed(batch.money):
        sql = "SELECT debit, credit, amount FROM promise WHERE id = ?"
        if (row := db.execute(sql, (id,)).fetchone()) is not None:
            promised[id] = Promised(*row)
    return promised


def _put_papers(db: sqlite3.Connection, papers: Iterable[Paper]) -> None:
    try:
        for row in rows.paper_rows(papers):
            if db.execute(_MOVED_PAPER, row).rowcount == 0:
                db.execute(_PAPER, row)
    except sqlite3.IntegrityError as error:
        raise violated("paper", str(error)) from error


def books_in(db: sqlite3.Connection) -> Books:
    """The ledger as a database has it."""
    # One transaction, so that balances and promises are of the same moment.
    db.execute("BEGIN")
    try:
        return rows.books_of(
            _all(db, "SELECT id, posted, held FROM account WHERE entry > 0"),
            _all(db, PROMISES),
            _all(db, "SELECT source, event, place FROM source"),
        )
    finally:
        db.execute("COMMIT")


def _archive(db: sqlite3.Connection, books: list[Book]) -> None:
    with transaction(db):
        _many(db, "book", _BOOK, rows.book_rows(books))


def new_file(path: str) -> None:
    """An empty file that nobody else may read, in place of whatever is there."""
    with suppress(FileNotFoundError):
        os.unlink(path)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def copy_file(path: str, to: str) -> None:
    """Copy a database that is in use. The copy has its name only once it is whole."""
    if os.path.exists(to):
        raise Refusal("store/exists", {"file": to})
    part = f"{to}.part"
    try:
        new_file(part)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
            # One file, without a log beside it.
            target.execute("PRAGMA journal_mode = DELETE").fetchall()
            for (told,) in target.execute("PRAGMA integrity_check(1)").fetchall():
                if told != "ok":
                    raise sqlite3.DatabaseError(f"the database is damaged: {told}")
        os.replace(part, to)
    except (sqlite3.Error, OSError) as error:
        raise Refusal("store/copy", {"file": to, "why": str(error)}) from error
