"""The store in one SQLite file.

One thread writes and one reads, each with a connection of its own, so that the event loop
never waits for a disk and readers never wait for the writer. Other processes may use the
same file: leases and transactions hold between processes as they do within one.
"""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, TypeVar, cast

from cutcard.chain import Head
from cutcard.chain.signing import SignedHead
from cutcard.refusals import Refusal
from cutcard.store import rows
from cutcard.store.kept import (
    Answered,
    Batch,
    Book,
    Books,
    Kept,
    Lease,
    Paper,
    Person,
    Played,
    SecretShoe,
    Session,
    Significant,
)
from cutcard.store.migrations import REMEMBERED, KindRow, migrations, missing, new_kinds
from cutcard.store.rows import LogRow, Promised, Row
from cutcard.store.violations import away, unstorable, violated

T = TypeVar("T")

PAGE = 1000
"""Records that `every_record` holds at once."""

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    # What a commit returned from survives the loss of power.
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA busy_timeout = 5000",
    # A REPLACE has to face the triggers that forbid a DELETE.
    "PRAGMA recursive_triggers = ON",
    "PRAGMA cache_size = -65536",
)


def _insert(table: str, columns: Iterable[str]) -> str:
    names = tuple(columns)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"


_RECORD = _insert("record", rows.RECORD)
_ENTRY = _insert("entry", rows.ENTRY)
_ANSWER = _insert("answer", rows.ANSWER)
_SIGNED_HEAD = _insert("signed_head", rows.SIGNED_HEAD)
_SECRET_SHOE = _insert("secret_shoe", rows.SECRET_SHOE)
_PAPER = _insert("paper", rows.PAPER)
_PLAYED = _insert("played", rows.PLAYED)
_SIGNIFICANT = _insert("significant", rows.SIGNIFICANT)
_PERSON = _insert("person", rows.PERSON)
_SESSION = _insert("session", rows.SESSION)

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
_KEPT = f"SELECT {', '.join(rows.KEPT)} FROM record"


class SqliteStore:
    """A venue in a file."""

    name = "sqlite"

    def __init__(self, path: str) -> None:
        self.path = path
        self._writer = _Desk("cutcard-writer")
        self._reader = _Desk("cutcard-reader")
        # Accounts that are known to have a row; only the writer's thread looks at it.
        self._accounts: set[str] = set()

    # --- life -------------------------------------------------------------------------------------

    async def open(self) -> None:
        try:
            await self._writer.open(partial(connect, self.path))
            await self._writer.run(migrate)
            await self._reader.open(partial(_connect_reader, self.path))
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        # The last connection to close tidies the log files away, and only a writer can.
        await self._reader.close()
        await self._writer.close()

    async def ping(self) -> None:
        await self._reader.run(lambda db: _all(db, "SELECT count(*) FROM migration"))

    # --- writing ----------------------------------------------------------------------------------

    async def lease(self, logs: Iterable[str], owner: str, now: int, until: int) -> list[Lease]:
        return await self._writer.run(_lease, sorted(set(logs)), owner, now, until)

    async def release(self, owner: str) -> None:
        await self._change("log", "UPDATE log SET owner = '', until = 0 WHERE owner = ?", owner)

    async def commit(self, batch: Batch, epochs: Mapping[str, int], now: int) -> None:
        await self._writer.run(self._commit, batch, epochs, now)

    def _commit(
        self, db: sqlite3.Connection, batch: Batch, epochs: Mapping[str, int], now: int
    ) -> None:
        opened: set[str] = set()
        with _transaction(db):
            logs = written_logs(db, batch, epochs, now)
            _many(db, "record", _RECORD, rows.record_rows(batch.records, logs))
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

    # --- logs -------------------------------------------------------------------------------------

    async def logs(self) -> dict[str, Head]:
        found = await self._all("SELECT log, count, hash FROM log ORDER BY log")
        return {row[0]: rows.head_of(row) for row in found}

    async def records(self, log: str, after: int = 0, most: int | None = None) -> list[Kept]:
        sql = f"{_KEPT} WHERE log = ? AND number > ? ORDER BY number LIMIT ?"
        found = await self._all(sql, log, after, -1 if most is None else most)
        return [Kept(*row) for row in found]

    async def every_record(self, log: str, after: int = 0) -> AsyncIterator[Kept]:
        while page := await self.records(log, after, PAGE):
            for one in page:
                yield one
            after = page[-1].number

    async def last_marked(self, log: str, prefix: str, most: int = 1) -> list[Kept]:
        sql = f"""{_KEPT} WHERE log = ?1 AND mark <> '' AND substr(mark, 1, length(?2)) = ?2
            ORDER BY number DESC LIMIT ?3"""
        return [Kept(*row) for row in await self._all(sql, log, prefix, most)]

    async def marked(self, log: str, mark: str) -> Kept | None:
        sql = f"{_KEPT} WHERE log = ? AND mark = ? AND mark <> '' ORDER BY number LIMIT 1"
        return await self._one(Kept, sql, log, mark)

    async def heads(self, log: str, since: int = 0) -> list[SignedHead]:
        sql = f"""SELECT {", ".join(rows.SIGNED_HEAD)} FROM signed_head
            WHERE log = ? AND count > ? ORDER BY count, at, occasion, name"""
        return [rows.signed_head(row) for row in await self._all(sql, log, since)]

    # --- money ------------------------------------------------------------------------------------

    async def books(self) -> Books:
        return await self._reader.run(_books)

    async def papers(self, patron: str | None = None) -> list[Paper]:
        sql = f"""SELECT {", ".join(rows.PAPER)} FROM paper
            WHERE ?1 IS NULL OR patron = ?1 ORDER BY at DESC, number DESC"""
        return [Paper(*row) for row in await self._all(sql, patron)]

    # --- commands already answered ----------------------------------------------------------------

    async def answered(self, actor: str, key: str) -> Answered | None:
        sql = f"SELECT {', '.join(rows.ANSWER)} FROM answer WHERE actor = ? AND key = ?"
        return await self._one(Answered, sql, actor, key)

    async def answered_since(self, at: int) -> list[tuple[str, str]]:
        sql = "SELECT actor, key FROM answer WHERE at >= ? ORDER BY at, actor, key"
        return [(actor, key) for actor, key in await self._all(sql, at)]

    async def forget_answers(self, before: int) -> int:
        return await self._change("answer", "DELETE FROM answer WHERE at < ?", before)

    # --- shoes, rounds, what happened -------------------------------------------------------------

    async def secret_shoe(self, shoe: str) -> SecretShoe | None:
        sql = f"SELECT {', '.join(rows.SECRET_SHOE)} FROM secret_shoe WHERE shoe = ?"
        return await self._one(SecretShoe, sql, shoe)

    async def played(
        self, patron: str, most: int, since: int = 0, until: int | None = None
    ) -> list[Played]:
        sql = f"""SELECT {", ".join(rows.PLAYED)} FROM played AS one
            WHERE patron = ?1 AND at >= ?2 AND (?3 IS NULL OR at < ?3) AND NOT EXISTS (
                SELECT 1 FROM played AS later WHERE later.patron = one.patron
                AND later.log = one.log AND later.round = one.round AND later.number > one.number
            ) ORDER BY at DESC, log DESC, number DESC LIMIT ?4"""
        return [Played(*row) for row in await self._all(sql, patron, since, until, most)]

    async def significant(self, most: int, since: int = 0) -> list[Significant]:
        sql = f"""SELECT {", ".join(rows.SIGNIFICANT)} FROM significant
            WHERE at >= ? ORDER BY at DESC, seq DESC LIMIT ?"""
        return [Significant(*row) for row in await self._all(sql, since, most)]

    # --- people -----------------------------------------------------------------------------------

    async def add_person(self, person: Person) -> None:
        try:
            await self._change("person", _PERSON, *rows.person_row(person))
        except Refusal as refusal:
            raise rows.taken(refusal, person) from None

    async def person(self, id: str) -> Person | None:
        return await self._person("id", id)

    async def person_named(self, name: str) -> Person | None:
        return await self._person("name", name)

    async def _person(self, column: str, value: str) -> Person | None:
        sql = f"SELECT {', '.join(rows.PERSON)} FROM person WHERE {column} = ?"
        found = await self._all(sql, value)
        return rows.person_of(found[0]) if found else None

    async def people(self) -> list[Person]:
        sql = f"SELECT {', '.join(rows.PERSON)} FROM person ORDER BY id"
        return [rows.person_of(row) for row in await self._all(sql)]

    async def change_person(self, person: Person) -> None:
        sql = """UPDATE person SET name = ?2, kind = ?3, role = ?4, password = ?5, language = ?6,
            barred = ?7 WHERE id = ?1"""
        try:
            changed = await self._change("person", sql, *rows.person_row(person))
        except Refusal as refusal:
            raise rows.taken(refusal, person) from None
        if not changed:
            raise Refusal("store/nobody", {"person": person.id})

    async def add_session(self, session: Session) -> None:
        await self._change("session", _SESSION, *rows.session_row(session))

    async def session(self, token_hash: bytes) -> Session | None:
        sql = f"SELECT {', '.join(rows.SESSION)} FROM session WHERE token_hash = ?"
        return await self._one(Session, sql, token_hash)

    async def touch_session(self, token_hash: bytes, seen: int) -> None:
        sql = "UPDATE session SET seen = ? WHERE token_hash = ?"
        await self._change("session", sql, seen, token_hash)

    async def end_sessions(self, *, token_hash: bytes | None = None, person: str = "") -> int:
        sql = "DELETE FROM session WHERE token_hash = ? OR (? <> '' AND person = ?)"
        return await self._change("session", sql, token_hash, person, person)

    # --- rulebooks --------------------------------------------------------------------------------

    async def archive(self, books: Iterable[Book]) -> None:
        await self._writer.run(_archive, list(books))

    async def archived(self) -> list[Book]:
        found = await self._all("SELECT hash, id, document FROM book ORDER BY id, hash")
        return [Book(*row) for row in found]

    # --- copies -----------------------------------------------------------------------------------

    async def backup(self, to: str) -> None:
        # A thread and a connection of its own: a long copy keeps no reader waiting.
        await asyncio.to_thread(_copy, self.path, to)

    # --- short ways -------------------------------------------------------------------------------

    async def _all(self, sql: str, *values: object) -> list[Row]:
        return await self._reader.run(_all, sql, *values)

    async def _one(self, maker: Callable[..., T], sql: str, *values: object) -> T | None:
        found = await self._reader.run(_all, sql, *values)
        return maker(*found[0]) if found else None

    async def _change(self, table: str, sql: str, *values: object) -> int:
        return await self._writer.run(_change, table, sql, *values)


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
        # Transactions are begun and ended by hand, never by the driver's guess.
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise away(f"{path}: {error}") from error
    try:
        for pragma in _PRAGMAS:
            db.execute(pragma).fetchall()
    except sqlite3.Error as error:
        db.close()
        raise away(f"{path}: {error}") from error
    return db


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
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
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
    with _transaction(db):
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
        with _transaction(db):
            return db.execute(sql, values).rowcount
    except sqlite3.IntegrityError as error:
        raise violated(table, str(error)) from error


def _lease(
    db: sqlite3.Connection, logs: list[str], owner: str, now: int, until: int
) -> list[Lease]:
    leases = []
    with _transaction(db):
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
) -> dict[str, LogRow]:
    """The logs that a batch writes to; refuses a writer who does not hold them."""
    names = rows.written(batch)
    found = (db.execute(_LOG_ROW, (log,)).fetchone() for log in names)
    logs = {row[0]: LogRow(*row) for row in found if row is not None}
    rows.check_fence(names, logs, epochs, now)
    return logs


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


def _books(db: sqlite3.Connection) -> Books:
    # One transaction, so that balances and promises are of the same moment.
    db.execute("BEGIN")
    try:
        return rows.books_of(
            _all(db, "SELECT id, posted, held FROM account WHERE entry > 0"),
            _all(
                db,
                """SELECT promise.id, promise.debit, promise.credit, amount, reason
                FROM promise JOIN entry ON entry.id = promise.id""",
            ),
            _all(db, "SELECT source, event, place FROM source"),
        )
    finally:
        db.execute("COMMIT")


def _archive(db: sqlite3.Connection, books: list[Book]) -> None:
    with _transaction(db):
        _many(db, "book", _BOOK, rows.book_rows(books))


def _copy(path: str, to: str) -> None:
    """Copy a database that is in use. The copy has its name only once it is whole."""
    if os.path.exists(to):
        raise Refusal("store/exists", {"file": to})
    part = f"{to}.part"
    try:
        with closing(connect(path)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
            # One file, without a log beside it.
            target.execute("PRAGMA journal_mode = DELETE").fetchall()
        os.replace(part, to)
    except (sqlite3.Error, OSError) as error:
        raise Refusal("store/copy", {"file": to, "why": str(error)}) from error
