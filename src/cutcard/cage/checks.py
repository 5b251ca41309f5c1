"""What may stand in a command at all, whatever the command asks for.

Each field is checked by its name, so no command can come without its checks.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from cutcard.cage.commands import Command
from cutcard.cage.voucher import check_number
from cutcard.ledger import MOST_MOVED
from cutcard.ledger.accounts import is_part
from cutcard.refusals import Refusal

LATEST = 10**18
"""Beyond any time there will be; numbers up to here fit 64 bits."""


def check(command: Command) -> None:
    """Refuse a command that holds what is no name, number, amount or time."""
    for field in fields(command):
        value = getattr(command, field.name)
        if value is not None or field.type != str | None:
            CHECKS[field.name](value)


def _check_name(text: str) -> None:
    if not isinstance(text, str) or not is_part(text) or not text.strip():
        raise Refusal("cage/name", {"text": text})


def _check_amount(amount: int) -> None:
    # In Python True is a one; where money is counted it is a mistake.
    if type(amount) is not int or not 0 < amount <= MOST_MOVED:
        raise Refusal("cage/amount", {"amount": amount, "most": MOST_MOVED})


def _check_clock(at: int) -> None:
    if type(at) is not int or not 0 <= at <= LATEST:
        raise Refusal("cage/clock", {"at": at, "most": LATEST})


def _check_fact(fact: bool) -> None:
    if type(fact) is not bool:
        raise Refusal("cage/bets-unknown")


def _check_reason(reason: str) -> None:
    if not isinstance(reason, str) or not reason.strip():
        raise Refusal("cage/no-reason")


CHECKS: Mapping[str, Callable[[Any], None]] = MappingProxyType(
    {
        "patron": _check_name,
        "table": _check_name,
        "terminal": _check_name,
        "number": check_number,
        "amount": _check_amount,
        "at": _check_clock,
        "expires_at": _check_clock,
        "bets_in_play": _check_fact,
        "reason": _check_reason,
    }
)
