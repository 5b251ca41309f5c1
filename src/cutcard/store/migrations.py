"""Migrations: numbered SQL files, applied in order, never changed afterwards, never undone.

The database remembers the hash of each file it was made with, so a file that was edited
later is noticed instead of being believed.
"""

import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from cutcard.ledger.accounts import KINDS
from cutcard.refusals import Refusal


class Migration(NamedTuple):
    """One step of the schema."""

    number: int
    sql: str
    hash: str


REMEMBERED = """
    CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, hash TEXT NOT NULL)
"""
"""The one table that no migration makes; both engines read this alike."""

KindRow = tuple[str, int, int, int, int]


@cache
def migrations(engine: str) -> tuple[Migration, ...]:
    """The steps of an engine's schema, in order."""
    folder = files("cutcard.store").joinpath("schema", engine)
    steps = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        # A checkout that writes its lines differently has not changed the migration.
        sql = file.read_text(encoding="utf-8").replace("\r\n", "\n")
        number = int(file.name.removesuffix(".sql"))
        steps.append(Migration(number, sql, sha256(sql.encode()).hexdigest()))
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    return tuple(steps)


_GUARDS = {
    "sqlite": (r"^(?P<text>CREATE TRIGGER (?P<name>\w+)\b.*?\bEND);$",),
    "postgresql": (
        r"^CREATE TRIGGER (?P<name>\w+)\b[^;]*?\sEXECUTE FUNCTION (?P<text>\w+)\(\);$",
        r"^CREATE (?:OR REPLACE )?(?:FUNCTION|PROCEDURE) (?P<name>\w+\()"
        r".*? AS \$\$(?P<text>.*?)\$\$;$",
    ),
}


def guards(engine: str, upto: int) -> dict[str, str]:
    """What a schema of so many steps leans on, by name and as it is written there.

    In SQLite these are whole triggers; in PostgreSQL triggers with their functions, and the
    functions with what they do.
    """
    return {
        one["name"]: one["text"]
        for step in migrations(engine)[:upto]
        for pattern in _GUARDS[engine]
        for one in re.finditer(pattern, step.sql, re.M | re.S)
    }


def missing(known: tuple[Migration, ...], applied: Mapping[int, str]) -> tuple[Migration, ...]:
    """The steps still to be taken; refuses a database that is newer, or made otherwise."""
    if max(applied, default=0) > len(known):
        raise Refusal("store/newer", {"found": max(applied), "known": len(known)})
    for number, hash in applied.items():
        if known[number - 1].hash != hash:
            raise Refusal("store/changed", {"number": number})
    return tuple(step for step in known if step.number not in applied)


def kind_rows() -> list[KindRow]:
    """What the ledger says of each kind of account, as the database keeps it."""
    return [
        (name, kind.parts, kind.floor, kind.ceiling, int(kind.personal))
        for name, kind in KINDS.items()
    ]


def new_kinds(kept: Mapping[str, KindRow]) -> list[KindRow]:
    """Kinds that the database has not heard of; refuses one that it knows otherwise."""
    new = []
    for row in kind_rows():
        if row[0] not in kept:
            new.append(row)
        elif kept[row[0]] != row:
            raise Refusal("store/kinds", {"kind": row[0]})
    return new
