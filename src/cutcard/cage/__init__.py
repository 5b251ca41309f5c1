"""Money in and out: deposits and withdrawals, buy-in and cash-out, vouchers, debts.

Follow a voucher: a command (`commands`) is decided upon (`cage.decide`), what
happened is an event (`events`), and `transfers` says what it does to the ledger.
There is no command that moves money from one patron to another.
"""

from cutcard.cage.cage import Cage, decide, evolve, liability, outstanding, standing
from cutcard.cage.commands import (
    BuyIn,
    CashOut,
    ClaimVoucher,
    Command,
    Deposit,
    ExpireVoucher,
    IssueVoucher,
    LoadTerminal,
    PayDebt,
    RedeemVoucher,
    ReleaseVoucher,
    ReprintVoucher,
    UnloadTerminal,
    VoidVoucher,
    Withdraw,
)
from cutcard.cage.events import (
    BoughtIn,
    CashedOut,
    DebtPaid,
    Deposited,
    Event,
    TerminalLoaded,
    TerminalUnloaded,
    VoucherClaimed,
    VoucherExpired,
    VoucherIssued,
    VoucherRedeemed,
    VoucherReleased,
    VoucherReprinted,
    VoucherVoided,
    Withdrawn,
)
from cutcard.cage.transfers import BREAKAGE, transfers
from cutcard.cage.voucher import Slip, State, Voucher, VoucherNumber, slip
from cutcard.cage.words import in_words

__all__ = [
    "BREAKAGE",
    "BoughtIn",
    "BuyIn",
    "Cage",
    "CashOut",
    "CashedOut",
    "ClaimVoucher",
    "Command",
    "DebtPaid",
    "Deposit",
    "Deposited",
    "Event",
    "ExpireVoucher",
    "IssueVoucher",
    "LoadTerminal",
    "PayDebt",
    "RedeemVoucher",
    "ReleaseVoucher",
    "ReprintVoucher",
    "Slip",
    "State",
    "TerminalLoaded",
    "TerminalUnloaded",
    "UnloadTerminal",
    "VoidVoucher",
    "Voucher",
    "VoucherClaimed",
    "VoucherExpired",
    "VoucherIssued",
    "VoucherNumber",
    "VoucherRedeemed",
    "VoucherReleased",
    "VoucherReprinted",
    "VoucherVoided",
    "Withdraw",
    "Withdrawn",
    "decide",
    "evolve",
    "in_words",
    "liability",
    "outstanding",
    "slip",
    "standing",
    "transfers",
]
