"""The hash chain: every record of a table's log bound to all before it.

    h_0 = SHA-256("cutcard chain 1 start" LF canonical(table))
    h_n = SHA-256("cutcard chain 1 record" LF h_(n-1) canonical(record_n))

The start is bound to the table, so one table's log cannot stand in for another's.
"""

from dataclasses import dataclass
from hashlib import sha256

from cutcard.chain.canonical import canonical


@dataclass(frozen=True, slots=True)
class Head:
    """How many records a table's log holds, and the hash that stands for all of them."""

    table: str
    count: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """A record as it is kept: its number from 1, and the chain's hash after it."""

    number: int
    record: object
    hash: bytes


def start(table: str) -> Head:
    """The head of a log that holds nothing yet."""
    return Head(table, 0, sha256(b"cutcard chain 1 start\n" + canonical(table)).digest())


def link(before: bytes, record: object) -> bytes:
    """The chain's hash after a record."""
    return link_bytes(before, canonical(record))


def link_bytes(before: bytes, record: bytes) -> bytes:
    """The same for a record that is canonical bytes already."""
    return sha256(b"cutcard chain 1 record\n" + before + record).digest()


def append(head: Head, record: object) -> tuple[Head, Entry]:
    """Put a plain value at the end of a log."""
    hash, number = link(head.hash, record), head.count + 1
    return Head(head.table, number, hash), Entry(number, record, hash)
