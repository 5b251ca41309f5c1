"""Rows: a batch as both engines write it, and kept things as both engines read them.

Everything that needs no database is worked out and checked here, so that the engines hold
SQL and little else.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cutcard.chain import Head
from cutcard.chain.log import linked, start
from cutcard.chain.signing import Occasion, SignedHead
from cutcard.ledger import Account, AccountId, Post, Transfer, TransferId
from cutcard.ledger.accounts import SEPARATOR, kind, owner
from cutcard.ledger.entries import parse_id
from cutcard.ledger.posting import check_amount
from cutcard.refusals import Refusal
from cutcard.store.kept import (
    Answered,
    Batch,
    Book,
    Books,
    Kept,
    Money,
    Paper,
    Person,
    Played,
    SecretShoe,
    Session,
    Significant,
)

Row = Sequence[Any]
"""What a database driver gives for a row; only the readers below look inside."""

RECORD = ("log", "number", "previous", "hash", "record", "at", "mark")
ACCOUNT = ("id", "kind", "patron", "floor", "ceiling")
ENTRY = (
    "id", "source", "event", "place", "kind", "debit", "credit",
    "moved", "held", "completes", "reason", "log", "number",
)  # fmt: skip
ANSWER = ("actor", "key", "body", "answer", "at")
SIGNED_HEAD = ("log", "occasion", "name", "count", "hash", "at", "key", "signature")
SECRET_SHOE = ("shoe", '"table"', "number", "sealed", "at")
PAPER = ("number", "amount", "state", "patron", "expires_at", "at")
PLAYED = ("patron", "log", "round", "number", "at", "staked", "net", "ended")
SIGNIFICANT = ("at", "kind", "who", '"where"', "why", '"before"', '"after"')
PERSON = ("id", "name", "kind", "role", "password", "language", "barred")
SESSION = ("token_hash", "person", "csrf", "began", "seen", "ends")
BOOK = ("hash", "id", "document")
BOOKMARK = ("log", "number", "hash", "sealed")


# --- logs and their leases ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LogRow:
    """A log as the database has it."""

    log: str
    count: int
    hash: bytes
    owner: str
    epoch: int
    until: int


def first_hash(log: str) -> bytes:
    """The hash on which a log's first record follows."""
    return start(log).hash


def written(batch: Batch) -> list[str]:
    """The logs that a batch writes to, in the one order in which everybody locks them."""
    logs = {one.log for one in batch.records}
    logs.update(one.log for one in batch.money)
    logs.update(one.log for one in batch.played)
    logs.update(one.head.table for one in batch.heads)
    return sorted(logs)


def fenced(batch: Batch, epochs: Mapping[str, int]) -> list[str]:
    """The logs that a writer must hold: those written to, and one of its own in any case.

    An answer that no log tells of must not come from a server that another one has followed.
    """
    return written(batch) or sorted(epochs)[:1]


def check_fence(
    logs: Iterable[str], rows: Mapping[str, LogRow], epochs: Mapping[str, int], now: int
) -> None:
    """Refuse a writer who has lost a log, or never had it."""
    for log in logs:
        row = rows.get(log)
        if row is None or epochs.get(log) != row.epoch or row.until <= now:
            raise Refusal("store/fenced", {"log": log})


def next_epoch(row: LogRow, owner: str, now: int) -> int:
    """The epoch under which an owner may have a log; refuses while somebody else has it."""
    if row.owner == owner:
        return row.epoch
    if row.until > now:
        raise Refusal("store/owned", {"log": row.log, "owner": row.owner})
    return row.epoch + 1


RecordRow = tuple[str, int, bytes, bytes, bytes, int, str]


def record_rows(records: Iterable[Kept], heads: Mapping[str, Head]) -> list[RecordRow]:
    """Records with the hash each follows on; refuses one that does not follow."""
    ends: dict[str, tuple[int, bytes]] = {}
    rows = []
    for one in records:
        if one.log not in ends:
            if one.log not in heads:
                raise Refusal("store/fenced", {"log": one.log})
            ends[one.log] = heads[one.log].count, heads[one.log].hash
        count, previous = ends[one.log]
        hash = linked(previous, one.record)
        if one.number != count + 1 or one.hash != hash:
            raise Refusal("store/chain", {"log": one.log, "number": one.number})
        ends[one.log] = one.number, hash
        rows.append((one.log, one.number, previous, hash, one.record, one.at, one.mark))
    return rows


def ends(records: Iterable[RecordRow]) -> dict[str, Head]:
    """Where logs stand after some records."""
    return {log: Head(log, number, hash) for log, number, _, hash, *_ in records}


# --- money ----------------------------------------------------------------------------------------


class Promised(NamedTuple):
    """A pending transfer, as far as completing it needs to know."""

    debit: str
    credit: str
    amount: int


AccountRow = tuple[str, str, str | None, int, int]
EntryRow = tuple[
    str, str, int, int, str, str, str, int, int, str | None, str, str, int
]  # fmt: skip


def completed(money: Iterable[Money]) -> list[str]:
    """The pending transfers that a batch completes and did not begin."""
    begun: set[str] = set()
    asked: list[str] = []
    for one in money:
        if isinstance(one.entry, Transfer):
            begun.add(one.entry.id)
        elif one.entry.pending not in begun:
            asked.append(one.entry.pending)
    return asked


def keep_promises(promised: dict[str, Promised], entries: Iterable[EntryRow]) -> None:
    """Bring what is promised up to date after some entries."""
    for id, _, _, _, word, debit, credit, _, held, completes, *_ in entries:
        if word == "pending":
            promised[id] = Promised(debit, credit, held)
        elif completes is not None:
            promised.pop(completes, None)


def entry_rows(money: Iterable[Money], promised: Mapping[str, Promised]) -> list[EntryRow]:
    """Entries as rows that say in full what each does; refuses what is no entry at all."""
    promises, rows = dict(promised), []
    try:
        for one in money:
            rows.append(_entry_row(one, promises))
    except Refusal as refusal:
        raise Refusal("store/money", {"why": refusal.message()}) from refusal
    return rows


def _entry_row(money: Money, promises: dict[str, Promised]) -> EntryRow:
    entry = money.entry
    source, (event, place) = parse_id(entry.id)
    if isinstance(entry, Transfer):
        check_amount(entry.amount)
        if not entry.reason.strip():
            raise Refusal("ledger/no-reason", {"id": entry.id})
        word, moved, held = "transfer", entry.amount, 0
        if entry.pending:
            word, moved, held = "pending", 0, entry.amount
            promises[entry.id] = Promised(entry.debit, entry.credit, entry.amount)
        return (
            entry.id, source, event, place, word, entry.debit, entry.credit,
            moved, held, None, entry.reason, money.log, money.number,
        )  # fmt: skip
    promise = promises.pop(entry.pending, None)
    if promise is None:
        raise Refusal("ledger/not-pending", {"id": entry.pending})
    word, moved = "void", 0
    if isinstance(entry, Post):
        word, moved = "post", promise.amount if entry.amount is None else entry.amount
        check_amount(moved)
    return (
        entry.id, source, event, place, word, promise.debit, promise.credit,
        moved, -promise.amount, entry.pending, "", money.log, money.number,
    )  # fmt: skip


def account_rows(ids: Iterable[str]) -> list[AccountRow]:
    """Accounts as they open; refuses an id that no account can have."""
    try:
        return [_account_row(AccountId(id)) for id in sorted(ids)]
    except Refusal as refusal:
        raise Refusal("store/money", {"why": refusal.message()}) from refusal


def _account_row(id: AccountId) -> AccountRow:
    limits = kind(id)
    return id, id.partition(SEPARATOR)[0], owner(id), limits.floor, limits.ceiling


def accounts_named(rows: Iterable[EntryRow]) -> set[str]:
    """Every account that entries touch."""
    return {account for row in rows for account in (row[5], row[6])}


# --- everything else that a batch writes ----------------------------------------------------------


def answer_rows(answers: Iterable[Answered]) -> list[tuple[str, str, bytes, bytes, int]]:
    return [(one.actor, one.key, one.body, one.answer, one.at) for one in answers]


def head_rows(
    heads: Iterable[SignedHead],
) -> list[tuple[str, str, str, int, bytes, int, bytes, bytes]]:
    return [
        (
            one.head.table, one.occasion.value, one.name, one.head.count, one.head.hash,
            one.at, one.key, one.signature,
        )
        for one in heads
    ]  # fmt: skip


def shoe_rows(shoes: Iterable[SecretShoe]) -> list[tuple[str, str, int, bytes, int]]:
    return [(one.shoe, one.table, one.number, one.sealed, one.at) for one in shoes]


def paper_rows(papers: Iterable[Paper]) -> list[tuple[str, int, str, str, int, int]]:
    return [
        (one.number, one.amount, one.state, one.patron, one.expires_at, one.at) for one in papers
    ]


def played_rows(
    played: Iterable[Played],
) -> list[tuple[str, str, str, int, int, int, int, str]]:
    return [
        (one.patron, one.log, one.round, one.number, one.at, one.staked, one.net, one.ended)
        for one in played
    ]


def significant_rows(
    significant: Iterable[Significant],
) -> list[tuple[int, str, str, str, str, str, str]]:
    return [
        (one.at, one.kind, one.who, one.where, one.why, one.before, one.after)
        for one in significant
    ]


def person_row(person: Person) -> tuple[str, str, str, str, str, str, int]:
    return (
        person.id, person.name, person.kind, person.role, person.password, person.language,
        int(person.barred),
    )  # fmt: skip


def session_row(session: Session) -> tuple[bytes, str, str, int, int, int]:
    return (
        session.token_hash, session.person, session.csrf, session.began, session.seen,
        session.ends,
    )  # fmt: skip


def book_rows(books: Iterable[Book]) -> list[tuple[str, str, bytes]]:
    return [(one.hash, one.id, one.document) for one in books]


# --- reading --------------------------------------------------------------------------------------

KEPT = ("log", "number", "record", "hash", "at", "mark")
"""The columns of a record that a reader gets, in the order of `Kept`."""


def head_of(row: Row) -> Head:
    return Head(*row)


def signed_head(row: Row) -> SignedHead:
    log, occasion, name, count, hash, at, key, signature = row
    return SignedHead(Head(log, count, hash), Occasion(occasion), name, at, key, signature)


def person_of(row: Row) -> Person:
    id, name, kind, role, password, language, barred = row
    return Person(id, name, kind, role, password, language, bool(barred))


def books_of(accounts: Iterable[Row], pending: Iterable[Row], last: Iterable[Row]) -> Books:
    return Books(
        accounts={AccountId(id): Account(posted, held) for id, posted, held in accounts},
        pending={
            id: Transfer(
                TransferId(id), AccountId(debit), AccountId(credit), amount, reason, pending=True
            )
            for id, debit, credit, amount, reason in pending
        },
        last={source: (event, place) for source, event, place in last},
    )


def taken(refusal: Refusal, person: Person) -> Refusal:
    """What a person's table refuses is a name or an id that somebody has already."""
    if refusal.code == "store/constraint":
        return Refusal("store/person", {"name": person.name, "person": person.id})
    return refusal
