"""What both engines read and change in the same words.

The SQL here is what SQLite and PostgreSQL both understand; values are written ?1, ?2, …
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator
from typing import Any, TypeVar

from cutcard.chain import Head
from cutcard.chain.signing import SignedHead
from cutcard.refusals import Refusal
from cutcard.store import rows
from cutcard.store.kept import (
    Answered,
    Book,
    Bookmark,
    Books,
    Kept,
    Paper,
    Person,
    Played,
    SecretShoe,
    Session,
    Significant,
)
from cutcard.store.rows import Row

T = TypeVar("T")

PAGE = 1000
"""Records that `every_record` holds at once."""

EVERY = 2**62
"""More rows than there are; the engines spell "no limit" differently."""

PROMISES = """
    SELECT promise.id, promise.debit, promise.credit, amount, reason
    FROM promise JOIN entry ON entry.id = promise.id
"""


def insert(table: str, columns: Iterable[str]) -> str:
    """One row of these columns."""
    names = tuple(columns)
    places = ", ".join(f"?{place}" for place, _ in enumerate(names, 1))
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})"


_KEPT = f"SELECT {', '.join(rows.KEPT)} FROM record"
_BOOKMARK = f"""{insert("bookmark", rows.BOOKMARK)} ON CONFLICT (log) DO UPDATE
    SET number = excluded.number, hash = excluded.hash, sealed = excluded.sealed"""
_PERSON = insert("person", rows.PERSON)
_SESSION = insert("session", rows.SESSION)


class SqlStore(ABC):
    """The part of a store that needs no more than three ways to the database."""

    @abstractmethod
    async def _all(self, sql: str, *values: object) -> list[Row]:
        """Every row of a query."""

    @abstractmethod
    async def _change(self, table: str, sql: str, *values: object) -> int:
        """Do one statement durably; how many rows it changed."""

    @abstractmethod
    async def books(self) -> Books:
        """The ledger as it stands."""

    @abstractmethod
    async def fill(self, pages: Iterator[Any], check: Callable[[list[list[Any]]], None]) -> None:
        """Put everything from a copy into this store while it is empty, or nothing."""

    async def _one(self, maker: Callable[..., T], sql: str, *values: object) -> T | None:
        found = await self._all(sql, *values)
        return maker(*found[0]) if found else None

    async def ping(self) -> None:
        await self._all("SELECT count(*) FROM migration")

    async def release(self, owner: str) -> None:
        await self._change("log", "UPDATE log SET owner = '', until = 0 WHERE owner = ?1", owner)

    # --- logs -------------------------------------------------------------------------------------

    async def logs(self) -> dict[str, Head]:
        found = await self._all("SELECT log, count, hash FROM log ORDER BY log")
        return {row[0]: rows.head_of(row) for row in found}

    async def records(self, log: str, after: int = 0, most: int | None = None) -> list[Kept]:
        sql = f"{_KEPT} WHERE log = ?1 AND number > ?2 ORDER BY number LIMIT ?3"
        found = await self._all(sql, log, after, EVERY if most is None else most)
        return [Kept(*row) for row in found]

    async def every_record(self, log: str, after: int = 0) -> AsyncIterator[Kept]:
        while page := await self.records(log, after, PAGE):
            for one in page:
                yield one
            after = page[-1].number

    async def last_marked(self, log: str, prefix: str, most: int = 1) -> list[Kept]:
        sql = f"""{_KEPT} WHERE log = ?1 AND mark <> ''
            AND substr(mark, 1, length(CAST(?2 AS TEXT))) = ?2 ORDER BY number DESC LIMIT ?3"""
        return [Kept(*row) for row in await self._all(sql, log, prefix, most)]

    async def marked(self, log: str, mark: str) -> Kept | None:
        sql = f"{_KEPT} WHERE log = ?1 AND mark = ?2 AND mark <> '' ORDER BY number LIMIT 1"
        return await self._one(Kept, sql, log, mark)

    async def heads(self, log: str, since: int = 0) -> list[SignedHead]:
        sql = f"""SELECT {", ".join(rows.SIGNED_HEAD)} FROM signed_head
            WHERE log = ?1 AND count > ?2 ORDER BY count, at, occasion, name"""
        return [rows.signed_head(row) for row in await self._all(sql, log, since)]

    async def bookmark(self, log: str) -> Bookmark | None:
        sql = f"SELECT {', '.join(rows.BOOKMARK)} FROM bookmark WHERE log = ?1"
        return await self._one(Bookmark, sql, log)

    async def put_bookmark(self, mark: Bookmark) -> None:
        values = (mark.log, mark.number, mark.hash, mark.sealed)
        await self._change("bookmark", _BOOKMARK, *values)

    # --- money ------------------------------------------------------------------------------------

    async def papers(self, patron: str | None = None) -> list[Paper]:
        sql = f"""SELECT {", ".join(rows.PAPER)} FROM paper
            WHERE CAST(?1 AS TEXT) IS NULL OR patron = ?1 ORDER BY at DESC, number DESC"""
        return [Paper(*row) for row in await self._all(sql, patron)]

    # --- commands already answered ----------------------------------------------------------------

    async def answered(self, actor: str, key: str) -> Answered | None:
        sql = f"SELECT {', '.join(rows.ANSWER)} FROM answer WHERE actor = ?1 AND key = ?2"
        return await self._one(Answered, sql, actor, key)

    async def answered_since(self, at: int) -> list[tuple[str, str]]:
        sql = "SELECT actor, key FROM answer WHERE at >= ?1 ORDER BY at, actor, key"
        return [(actor, key) for actor, key in await self._all(sql, at)]

    async def forget_answers(self, before: int) -> int:
        return await self._change("answer", "DELETE FROM answer WHERE at < ?1", before)

    # --- shoes, rounds, what happened -------------------------------------------------------------

    async def secret_shoe(self, shoe: str) -> SecretShoe | None:
        sql = f"SELECT {', '.join(rows.SECRET_SHOE)} FROM secret_shoe WHERE shoe = ?1"
        return await self._one(SecretShoe, sql, shoe)

    async def played(
        self, patron: str, most: int, since: int = 0, until: int | None = None
    ) -> list[Played]:
        before = EVERY if until is None else until
        sql = f"""SELECT {", ".join(rows.PLAYED)} FROM played AS one
            WHERE patron = ?1 AND at >= ?2 AND at < ?3 AND NOT EXISTS (
                SELECT 1 FROM played AS later WHERE later.patron = one.patron
                AND later.log = one.log AND later.round = one.round AND later.number > one.number
            ) ORDER BY at DESC, log DESC, number DESC LIMIT ?4"""
        return [Played(*row) for row in await self._all(sql, patron, since, before, most)]

    async def significant(
        self, most: int, since: int = 0, kinds: Collection[str] = ()
    ) -> list[Significant]:
        places = ", ".join(f"?{place}" for place, _ in enumerate(kinds, 3))
        wanted = f"AND kind IN ({places})" if kinds else ""
        sql = f"""SELECT {", ".join(rows.SIGNIFICANT)} FROM significant
            WHERE at >= ?1 {wanted} ORDER BY at DESC, seq DESC LIMIT ?2"""
        return [Significant(*row) for row in await self._all(sql, since, most, *kinds)]

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
        sql = f"SELECT {', '.join(rows.PERSON)} FROM person WHERE {column} = ?1"
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
        sql = f"SELECT {', '.join(rows.SESSION)} FROM session WHERE token_hash = ?1"
        return await self._one(Session, sql, token_hash)

    async def sessions_of(self, person: str) -> list[Session]:
        sql = f"SELECT {', '.join(rows.SESSION)} FROM session WHERE person = ?1"
        return [Session(*row) for row in await self._all(sql, person)]

    async def touch_session(self, token_hash: bytes, seen: int) -> None:
        sql = "UPDATE session SET seen = ?1 WHERE token_hash = ?2"
        await self._change("session", sql, seen, token_hash)

    async def end_sessions(self, *, token_hash: bytes | None = None, person: str = "") -> int:
        sql = "DELETE FROM session WHERE token_hash = ?1 OR (person <> '' AND person = ?2)"
        return await self._change("session", sql, token_hash, person)

    # --- rulebooks --------------------------------------------------------------------------------

    async def archived(self) -> list[Book]:
        found = await self._all("SELECT hash, id, document FROM book ORDER BY id, hash")
        return [Book(*row) for row in found]
