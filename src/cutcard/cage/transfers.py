"""What each event of the cage does to the ledger: the only place that says so."""

from typing import assert_never

from cutcard import ledger
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
from cutcard.ledger import AccountId, Entry, Transfer, numbered, stack, vouchers, wallet

SOURCE = "cage"
"""Who writes the cage's entries, in their ids."""

BREAKAGE = ledger.house("cage")
"""Where the money of expired vouchers goes: to the house, and to no table's result."""


Leg = tuple[AccountId, AccountId, int, str]
"""Debit, credit, amount and reason."""


def transfers(event: Event) -> list[Entry]:
    """The event's entries in the ledger; none where no money moves."""
    ids = numbered(SOURCE, event.seq)
    return [Transfer(next(ids), *leg) for leg in _legs(event)]


def _legs(event: Event) -> list[Leg]:
    match event:
        case Deposited(patron=patron, amount=amount):
            return [(ledger.cage(), wallet(patron), amount, "deposit")]
        case Withdrawn(patron=patron, amount=amount):
            return [(wallet(patron), ledger.cage(), amount, "withdrawal")]
        case BoughtIn(patron=patron, table=table, amount=amount):
            return [(wallet(patron), stack(table, patron), amount, "buy-in")]
        case CashedOut(patron=patron, table=table, amount=amount):
            return [(stack(table, patron), wallet(patron), amount, "cash-out")]
        case TerminalLoaded(table=table, terminal=terminal, patron=payer, amount=amount):
            # By way of the cage, as cash would go: no transfer takes from one account and gives
            # to the account of another.
            loaded = (ledger.cage(), stack(table, terminal), amount, "terminal loaded")
            if payer is None:
                return [loaded]
            return [(wallet(payer), ledger.cage(), amount, "to a terminal"), loaded]
        case TerminalUnloaded(table=table, terminal=terminal, patron=payee, amount=amount):
            unloaded = (stack(table, terminal), ledger.cage(), amount, "terminal unloaded")
            if payee is None:
                return [unloaded]
            return [unloaded, (ledger.cage(), wallet(payee), amount, "from a terminal")]
        case DebtPaid(patron=patron, amount=amount):
            return [(wallet(patron), ledger.debt(patron), amount, "debt paid")]
        case VoucherIssued():
            reason = f"voucher {event.number} issued"
            return [(event.paid_by, vouchers(), event.amount, reason)]
        case VoucherRedeemed():
            reason = f"voucher {event.number} redeemed"
            return [(vouchers(), event.paid_to, event.amount, reason)]
        case VoucherVoided():
            reason = f"voucher {event.number} voided: {event.reason}"
            return [(vouchers(), event.paid_to, event.amount, reason)]
        case VoucherExpired():
            return [(vouchers(), BREAKAGE, event.amount, f"voucher {event.number} expired")]
        case VoucherClaimed() | VoucherReleased() | VoucherReprinted():
            return []
        case _:  # pragma: no cover
            assert_never(event)
