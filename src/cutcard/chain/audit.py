"""The audit of a log: what was changed in it, and at which record.

The chain alone shows careless changes. Whoever rewrites every later hash as well,
or cuts the end off, is found by what has already left the house: signed heads
and anchors. After the last of those nothing is certain, and no audit can say so.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from cutcard.chain.anchor import Anchor
from cutcard.chain.log import Entry, Head, link, start
from cutcard.refusals import Refusal


class Fault(Enum):
    """What can be wrong with a log."""

    NUMBER = "a record is missing, was put in, or has moved"
    RECORD = "the record does not follow from those before it"
    VALUE = "the record is no plain value"
    HEAD = "a signed head speaks of another log: this record or one before it was changed"
    ANCHOR = "an anchor speaks of another log: this record or one before it was changed"
    SHORT = "the log ends here, and a signed head or anchor speaks of more records"
    TABLE = "a signed head or anchor belongs to another table"
    SIGNATURE = "a head's signature does not hold"
    KEY = "a head is signed by a key that is not the house's"


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, and at which record; for a head or anchor, the last it speaks of."""

    record: int
    fault: Fault

    def __str__(self) -> str:
        return f"record {self.record}: {self.fault.value}"


class Signed(Protocol):
    """A signed head, as far as an audit looks at it."""

    @property
    def head(self) -> Head: ...
    @property
    def key(self) -> bytes: ...
    @property
    def holds(self) -> bool: ...


def audit(
    table: str,
    entries: Sequence[Entry],
    *,
    heads: Iterable[Signed] = (),
    keys: Container[bytes] = (),
    anchors: Iterable[Anchor] = (),
    before: Head | None = None,
) -> list[Finding]:
    """Everything that is wrong in a table's log; `keys` are the house's public keys.

    A piece from the middle of a log is audited from the head `before` it, which must be believed
    unless a signed head or an anchor after it agrees.
    """
    findings, hashes = _follow(start(table) if before is None else before, entries)
    last = max(hashes)
    for signed in heads:
        head = signed.head
        if not signed.holds:
            findings.append(Finding(head.count, Fault.SIGNATURE))
        elif signed.key not in keys:
            findings.append(Finding(head.count, Fault.KEY))
        else:
            agrees = hashes.get(head.count) == head.hash
            findings += _compared(table, last, head, agrees, Fault.HEAD)
    for one in anchors:
        agrees = one.matches(hashes.get(one.count, b""))
        findings += _compared(table, last, one, agrees, Fault.ANCHOR)
    return findings


def _follow(begin: Head, entries: Iterable[Entry]) -> tuple[list[Finding], dict[int, bytes]]:
    """What the chain itself shows, and the hash kept with every record."""
    findings, hashes = [], {begin.count: begin.hash}
    number, before = begin.count, begin.hash
    for entry in entries:
        fault = _fault(entry, number + 1, before)
        if fault is not None:
            findings.append(Finding(entry.number, fault))
        # Going on from what is kept here, one change is one finding and not a thousand.
        number, before = entry.number, entry.hash
        hashes[number] = before
    return findings, hashes


def _fault(entry: Entry, number: int, before: bytes) -> Fault | None:
    if entry.number != number:
        return Fault.NUMBER
    try:
        return None if link(before, entry.record) == entry.hash else Fault.RECORD
    except Refusal:
        return Fault.VALUE


def _compared(
    table: str, last: int, told: Head | Anchor, agrees: bool, fault: Fault
) -> list[Finding]:
    """What a head or an anchor shows."""
    if told.table != table:
        return [Finding(told.count, Fault.TABLE)]
    if told.count > last:
        return [Finding(last, Fault.SHORT)]
    return [] if agrees else [Finding(told.count, fault)]
