"""A voucher: paper that is worth money, once.

    issued → pending → redeemed
       ↑________|  ↘ voided
                     expired

A terminal first claims a voucher and then pays it, so that two terminals which
read the same paper at the same time cannot both pay. A claim left over by a
crash is released, and the voucher is as good as before. Voiding and expiry may
also follow on issued at once.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import NewType

from cutcard.cage.words import in_words
from cutcard.ledger import SEPARATOR, AccountId
from cutcard.refusals import Refusal

VoucherNumber = NewType("VoucherNumber", str)

_NUMBER = re.compile("[0-9]{18}")


class State(Enum):
    ISSUED = "issued"
    PENDING = "pending"
    REDEEMED = "redeemed"
    VOIDED = "voided"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Voucher:
    """One voucher; `paid_by` is where its money came from, `claimed_by` a terminal."""

    number: VoucherNumber
    amount: int
    paid_by: AccountId
    terminal: str
    issued_at: int
    expires_at: int
    state: State = State.ISSUED
    claimed_by: str | None = None
    reprints: int = 0

    @property
    def outstanding(self) -> bool:
        """Whether someone may still be paid for it."""
        return self.state in (State.ISSUED, State.PENDING)

    @property
    def patron(self) -> str:
        """From whose money it was made."""
        return self.paid_by.rpartition(SEPARATOR)[2]


@dataclass(frozen=True, slots=True)
class Slip:
    """What is printed on the paper; times are left to the printer's own calendar."""

    number: str
    amount: int
    words: str
    issued_at: int
    expires_at: int
    terminal: str
    reprint: int


def slip(voucher: Voucher, major: str, minor: str, language: str = "en", digits: int = 2) -> Slip:
    """The voucher as it is printed: number in groups, amount in figures and words."""
    number = voucher.number
    return Slip(
        number="-".join((number[:2], *(number[at : at + 4] for at in range(2, 18, 4)))),
        amount=voucher.amount,
        words=in_words(voucher.amount, major, minor, language, digits),
        issued_at=voucher.issued_at,
        expires_at=voucher.expires_at,
        terminal=voucher.terminal,
        reprint=voucher.reprints,
    )


def check_number(number: VoucherNumber) -> None:
    """Refuse what is no validation number."""
    if not isinstance(number, str) or not _NUMBER.fullmatch(number):
        raise Refusal("cage/voucher-number", {"number": number})
