"""What people ask of the cage. Each command names one patron at most.

`at` is the time in UTC milliseconds. `bets_in_play` is a fact that the table
gives: whether the patron has bets there that are not settled.
"""

from dataclasses import dataclass

from cutcard.cage.voucher import VoucherNumber


@dataclass(frozen=True, slots=True)
class Deposit:
    """Cash into the patron's wallet."""

    patron: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Cash out of the patron's wallet."""

    patron: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class BuyIn:
    """From the patron's wallet to the patron's stack at a table."""

    patron: str
    table: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class CashOut:
    """From the patron's stack at a table to the patron's wallet."""

    patron: str
    table: str
    amount: int
    bets_in_play: bool
    at: int


@dataclass(frozen=True, slots=True)
class LoadTerminal:
    """Credit onto a terminal: from the patron's wallet, or for cash where no patron is named."""

    table: str
    terminal: str
    patron: str | None
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class UnloadTerminal:
    """Credit off a terminal: to the patron's wallet, or as cash where no patron is named."""

    table: str
    terminal: str
    patron: str | None
    amount: int
    bets_in_play: bool
    at: int


@dataclass(frozen=True, slots=True)
class PayDebt:
    """From the patron's wallet against what the patron owes."""

    patron: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class IssueVoucher:
    """A voucher for money from the patron's stack at a table, or from the wallet if none."""

    number: VoucherNumber
    patron: str
    table: str | None
    amount: int
    bets_in_play: bool
    terminal: str
    expires_at: int
    at: int


@dataclass(frozen=True, slots=True)
class ClaimVoucher:
    """A terminal has read a voucher and wants it for itself."""

    number: VoucherNumber
    terminal: str
    at: int


@dataclass(frozen=True, slots=True)
class ReleaseVoucher:
    """A terminal gives its claim up, or someone does so for a terminal that has crashed."""

    number: VoucherNumber
    terminal: str
    at: int


@dataclass(frozen=True, slots=True)
class RedeemVoucher:
    """The claiming terminal pays, to the stack at a table or to the wallet if none.

    A voucher is paper and belongs to its bearer: where no patron is named, it is paid in cash.
    """

    number: VoucherNumber
    terminal: str
    patron: str | None
    table: str | None
    at: int


@dataclass(frozen=True, slots=True)
class VoidVoucher:
    """The voucher was not printed or is spoilt; its money goes back where it came from."""

    number: VoucherNumber
    terminal: str
    reason: str
    at: int


@dataclass(frozen=True, slots=True)
class ExpireVoucher:
    """The voucher's time is over."""

    number: VoucherNumber
    at: int


@dataclass(frozen=True, slots=True)
class ReprintVoucher:
    """Print once more, marked as a reprint."""

    number: VoucherNumber
    terminal: str
    at: int


Command = (
    Deposit
    | Withdraw
    | BuyIn
    | CashOut
    | LoadTerminal
    | UnloadTerminal
    | PayDebt
    | IssueVoucher
    | ClaimVoucher
    | ReleaseVoucher
    | RedeemVoucher
    | VoidVoucher
    | ExpireVoucher
    | ReprintVoucher
)
