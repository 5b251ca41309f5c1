"""What has happened at the cage. Every event carries its place in the cage's log.

An event holds all that its transfers need, so the ledger can be made from the
log alone.
"""

from dataclasses import dataclass

from cutcard.cage.voucher import VoucherNumber
from cutcard.ledger import AccountId


@dataclass(frozen=True, slots=True)
class Deposited:
    seq: int
    patron: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
    seq: int
    patron: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class BoughtIn:
    seq: int
    patron: str
    table: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class CashedOut:
    seq: int
    patron: str
    table: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class TerminalLoaded:
    """Credit came onto a terminal: from a patron's wallet, or for cash where there is none."""

    seq: int
    table: str
    terminal: str
    patron: str | None
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class TerminalUnloaded:
    """Credit left a terminal: to a patron's wallet, or as cash where there is none."""

    seq: int
    table: str
    terminal: str
    patron: str | None
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class DebtPaid:
    seq: int
    patron: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class VoucherIssued:
    seq: int
    number: VoucherNumber
    paid_by: AccountId
    amount: int
    terminal: str
    expires_at: int
    at: int


@dataclass(frozen=True, slots=True)
class VoucherClaimed:
    seq: int
    number: VoucherNumber
    terminal: str
    at: int


@dataclass(frozen=True, slots=True)
class VoucherReleased:
    seq: int
    number: VoucherNumber
    terminal: str
    at: int


@dataclass(frozen=True, slots=True)
class VoucherRedeemed:
    seq: int
    number: VoucherNumber
    paid_to: AccountId
    amount: int
    terminal: str
    at: int


@dataclass(frozen=True, slots=True)
class VoucherVoided:
    seq: int
    number: VoucherNumber
    paid_to: AccountId
    amount: int
    terminal: str
    reason: str
    at: int


@dataclass(frozen=True, slots=True)
class VoucherExpired:
    seq: int
    number: VoucherNumber
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class VoucherReprinted:
    seq: int
    number: VoucherNumber
    terminal: str
    at: int


Event = (
    Deposited
    | Withdrawn
    | BoughtIn
    | CashedOut
    | TerminalLoaded
    | TerminalUnloaded
    | DebtPaid
    | VoucherIssued
    | VoucherClaimed
    | VoucherReleased
    | VoucherRedeemed
    | VoucherVoided
    | VoucherExpired
    | VoucherReprinted
)
