"""Entries: the only three things that can be written into the ledger.

An id says who wrote the entry and where in the writer's own log it comes from:
`table-7:17.2` is the third entry of event 17 of table 7. Every writer counts
upwards, so "each id once, for ever" needs one remembered number a writer and
not a set of all ids there ever were; gaps do no harm.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import NewType

from cutcard.ledger.accounts import AccountId, is_part
from cutcard.refusals import Refusal

TransferId = NewType("TransferId", str)

_MOST = 10**18
_NUMBER = "(0|[1-9][0-9]{0,17})"
# Numbers have one spelling only, so no entry can come twice under two ids.
_ID = re.compile(rf"([^:]+):{_NUMBER}\.{_NUMBER}")


def transfer_id(source: str, event: int, place: int = 0) -> TransferId:
    """The id of one entry of a source's event.

    >>> transfer_id("table-7", 17, 2)
    'table-7:17.2'
    """
    id = TransferId(f"{source}:{event}.{place}")
    if not (_is_source(source) and 0 <= event < _MOST and 0 <= place < _MOST):
        raise Refusal("ledger/id", {"id": id})
    return id


@lru_cache(maxsize=2**12)
def _is_source(text: str) -> bool:
    return is_part(text)


def numbered(source: str, event: int) -> Iterator[TransferId]:
    """The ids of an event's entries, one after another."""
    yield transfer_id(source, event)
    # What is right in the first is right in all of them.
    for place in count(1):
        yield TransferId(f"{source}:{event}.{place}")


@lru_cache(maxsize=2**12)
def parse_id(id: TransferId) -> tuple[str, tuple[int, int]]:
    """The source of an id, and its place in the source's order."""
    found = _ID.fullmatch(id)
    if found is None or not _is_source(found[1]):
        raise Refusal("ledger/id", {"id": id})
    source, event, place = found.groups()
    return source, (int(event), int(place))


@dataclass(frozen=True, slots=True)
class Transfer:
    """Takes an amount from the debit account and gives it to the credit account.

    A pending one holds the amount on the debit side at once and moves nothing
    until it is posted or voided.
    """

    id: TransferId
    debit: AccountId
    credit: AccountId
    amount: int
    reason: str
    pending: bool = False


@dataclass(frozen=True, slots=True)
class Post:
    """Completes a pending transfer, wholly or in part; the rest is released."""

    id: TransferId
    pending: TransferId
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class Void:
    """Cancels a pending transfer; all of it is released."""

    id: TransferId
    pending: TransferId


Entry = Transfer | Post | Void
