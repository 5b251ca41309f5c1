"""Copies: one SQLite file, whichever engine it was made from, restored into either.

Only what was once written is copied, in the order in which it was written. Heads, balances and
promises follow from it: the triggers of the new store work them out again, and they must come
to the same. So a copy that was tampered with is refused when it is restored.
"""

import asyncio
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from cutcard.chain.log import linked
from cutcard.refusals import Refusal
from cutcard.store import rows
from cutcard.store.kept import Significant
from cutcard.store.sql import SqlStore
from cutcard.store.sqlite import copy_file, migrate, new_file, transaction
from cutcard.store.store import Store

RESTORED = "database restored"
"""The significant event that says so: what came after the copy was made may be known to many."""

PAGE = 2000
"""Rows that are held in memory at once."""


class Table(NamedTuple):
    """A table that is copied: what is read, which columns that becomes, in which order."""

    name: str
    columns: tuple[str, ...]
    order: str
    read: tuple[str, ...] = ()

    @property
    def select(self) -> str:
        read = ", ".join(self.read or self.columns)
        return f"SELECT {read} FROM {self.name} ORDER BY {self.order}"

    @property
    def insert(self) -> str:
        places = ", ".join("?" * len(self.columns))
        return f"INSERT INTO {self.name} ({', '.join(self.columns)}) VALUES ({places})"


SIGNIFICANT = Table("significant", rows.SIGNIFICANT, "seq")
# A log starts empty, and nobody holds it; its epoch goes on, so that old owners stay fenced.
LOG = Table("log", ("log", "start", "hash", "epoch"), "log", ("log", "start", "start", "epoch"))

COPIED = (
    LOG,
    Table("record", rows.RECORD, "log, number"),
    Table("signed_head", rows.SIGNED_HEAD, "log, count, at, occasion, name"),
    Table("account", rows.ACCOUNT, "id"),
    Table("entry", rows.ENTRY, "seq"),
    Table("paper", rows.PAPER, "number"),
    Table("answer", rows.ANSWER, "actor, key"),
    Table("secret_shoe", rows.SECRET_SHOE, "shoe"),
    Table("played", rows.PLAYED, "patron, log, round, number"),
    SIGNIFICANT,
    Table("person", rows.PERSON, "id"),
    Table("session", rows.SESSION, "token_hash"),
    Table("book", rows.BOOK, "hash"),
)
"""Every table that does not follow from others, each after those that it leans on."""

FOLLOWING = (
    "SELECT id, posted, held FROM account WHERE entry > 0 ORDER BY id",
    "SELECT id, debit, credit, amount FROM promise ORDER BY id",
    "SELECT source, event, place FROM source ORDER BY source",
    "SELECT log, count, hash FROM log ORDER BY log",
)
"""What the triggers work out."""

Page = tuple[Table, list[Any]]
Check = Callable[[list[list[Any]]], None]
"""Refuses what does not come to the same, given the rows of every question above."""


def pages(db: sqlite3.Connection) -> Iterator[Page]:
    """All that a copy holds, a page at a time."""
    for table in COPIED:
        cursor = db.execute(table.select)
        while page := cursor.fetchmany(PAGE):
            if table.name == "record":
                _check_hashes(page)
            yield table, page


def _check_hashes(records: list[Any]) -> None:
    """Refuse a record that is not the one its hash was made of."""
    for log, number, previous, hash, record, _, _ in records:
        if linked(previous, record) != hash:
            raise Refusal("store/chain", {"log": log, "number": number})


def begin_copy(path: str) -> sqlite3.Connection:
    """A new SQLite file with the schema and nothing in it, in one transaction until closed."""
    new_file(path)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    migrate(db)
    db.execute("BEGIN")
    return db


def put(db: sqlite3.Connection, page: Page) -> None:
    table, values = page
    db.executemany(table.insert, [tuple(row) for row in values])


async def restore(from_file: str, store: Store, *, opens: bool = False) -> None:
    """Fill an empty store from a copy; refuses a copy that does not come to the same.

    A store that is opened here is opened, and made if need be, once the copy has been read.
    """
    assert isinstance(store, SqlStore)
    if not os.path.isfile(from_file):
        raise Refusal("store/copy", {"file": from_file, "why": "there is no such file"})
    with tempfile.TemporaryDirectory() as folder:
        # A copy of an older schema is brought up to date first, and the file itself left alone.
        beside = str(Path(folder) / "copy.db")
        try:
            await asyncio.to_thread(copy_file, from_file, beside)
        except Refusal as refusal:
            why = str(refusal.params.get("why", "")).replace(beside, from_file)
            raise Refusal("store/copy", {"file": from_file, "why": why}) from refusal
        with closing(sqlite3.connect(beside, isolation_level=None, check_same_thread=False)) as db:
            try:
                # What never was a venue must not become an empty one.
                db.execute("SELECT count(*) FROM migration").fetchall()
                await asyncio.to_thread(migrate, db)
                expected = followed(db)

                def check(found: list[list[Any]]) -> None:
                    if [[tuple(row) for row in rows] for rows in found] != expected:
                        why = "its balances do not follow"
                        raise Refusal("store/copy", {"file": from_file, "why": why})

                if opens:
                    await store.open()
                now = time.time_ns() // 1_000_000
                note = Significant(now, RESTORED, "system", why=Path(from_file).name)
                noted = SIGNIFICANT, [*rows.significant_rows([note])]
                await store.fill(chain(pages(db), [noted]), check)
            except sqlite3.Error as error:
                raise Refusal("store/copy", {"file": from_file, "why": str(error)}) from error


def followed(db: sqlite3.Connection) -> list[list[Any]]:
    """What a database has worked out."""
    return [db.execute(question).fetchall() for question in FOLLOWING]


def fill_sqlite(db: sqlite3.Connection, given: Iterator[Page], check: Check) -> None:
    """Put everything into an empty database, or nothing."""
    with transaction(db):
        if any(db.execute(f"SELECT 1 FROM {table.name} LIMIT 1").fetchone() for table in COPIED):
            raise Refusal("store/not-empty")
        for page in given:
            put(db, page)
        check(followed(db))
