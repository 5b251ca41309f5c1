"""Accounts: whose money it is, written into the account's own id.

An id is a kind and its parts, `stack:table-7:ann`, made by the functions below
and by nothing else. What an account may hold follows from its kind alone, so no
account has to be opened, and none can be opened wrongly.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NewType

from cutcard.refusals import Refusal

AccountId = NewType("AccountId", str)

SEPARATOR = ":"

MOST = 10**18
"""The greatest amount and the greatest balance, either way: every sum fits 64 bits."""

REMEMBERED = 2**16
"""How many accounts' names are taken apart and put together only once."""

MOST_MOVED = 10**15
"""The most that moves in one go between the world, the cage and a table; no stake is higher."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What accounts of one kind have in common; `personal` ones name their patron last."""

    parts: int
    floor: int
    ceiling: int
    personal: bool = False


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "wallet": Kind(parts=1, floor=0, ceiling=MOST, personal=True),
        "stack": Kind(parts=2, floor=0, ceiling=MOST, personal=True),
        "debt": Kind(parts=1, floor=-MOST, ceiling=0, personal=True),
        "layout": Kind(parts=1, floor=0, ceiling=MOST),
        "commission": Kind(parts=1, floor=0, ceiling=MOST),
        "vouchers": Kind(parts=0, floor=0, ceiling=MOST),
        "house": Kind(parts=1, floor=-MOST, ceiling=MOST),
        "cage": Kind(parts=0, floor=-MOST, ceiling=MOST),
    }
)


def wallet(patron: str) -> AccountId:
    """A patron's money that is at no table."""
    return _account("wallet", patron)


def stack(table: str, patron: str) -> AccountId:
    """A patron's money at one table."""
    return _account("stack", table, patron)


def layout(table: str) -> AccountId:
    """The stakes in play at a table."""
    return _account("layout", table)


def house(table: str) -> AccountId:
    """What the operator has won at a table; below zero where patrons have won more."""
    return _account("house", table)


def commission(table: str) -> AccountId:
    """What was withheld from wins at a table, apart from what was won."""
    return _account("commission", table)


def debt(patron: str) -> AccountId:
    """What a patron owes, as a balance below zero."""
    return _account("debt", patron)


def cage() -> AccountId:
    """The world outside: cash that came in stands here below zero."""
    return _account("cage")


def vouchers() -> AccountId:
    """What outstanding vouchers are worth."""
    return _account("vouchers")


@lru_cache(REMEMBERED)
def kind(account: AccountId) -> Kind:
    """What an account may hold; refuses an id that the functions above cannot have made."""
    name, *parts = account.split(SEPARATOR)
    known = KINDS.get(name)
    if known is None or len(parts) != known.parts or not all(map(is_part, parts)):
        raise Refusal("ledger/account", {"account": account})
    return known


@lru_cache(REMEMBERED)
def owner(account: AccountId) -> str | None:
    """The patron whose money it is; None where it is nobody's in person."""
    return account.rpartition(SEPARATOR)[2] if kind(account).personal else None


def is_part(text: str) -> bool:
    """Whether a text can stand between separators and still be read by a person."""
    return text != "" and SEPARATOR not in text and text.isprintable()


@lru_cache(REMEMBERED)
def _account(name: str, *parts: str) -> AccountId:
    for part in parts:
        if not is_part(part):
            raise Refusal("ledger/name", {"text": part})
    return AccountId(SEPARATOR.join((name, *parts)))
