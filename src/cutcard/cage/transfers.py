"""What each event of the cage does to the ledger: the only place that says so."""

from typing import assert_never

from cutcard import ledger
from cutcard.cage.events import (
    BoughtIn,
    CashedOut,
    DebtPaid,
    Deposited,
    Event,
    VoucherClaimed,
    VoucherExpired,
    VoucherIssued,
    VoucherRedeemed,
    VoucherReleased,
    VoucherReprinted,
    VoucherVoided,
    Withdrawn,
)
from cutcard.ledger import AccountId, Entry, Transfer, stack, transfer_id, vouchers, wallet

SOURCE = "cage"
"""Who writes the cage's entries, in their ids."""

BREAKAGE = ledger.house("cage")
"""Where the money of expired vouchers goes: to the house, and to no table's result."""


def transfers(event: Event) -> list[Entry]:
    """The event's entries in the ledger; none where no money moves."""
    legs = _legs(event)
    if legs is None:
        return []
    debit, credit, amount, reason = legs
    return [Transfer(transfer_id(SOURCE, event.seq), debit, credit, amount, reason)]


def _legs(event: Event) -> tuple[AccountId, AccountId, int, str] | None:
    match event:
        case Deposited(patron=patron, amount=amount):
            return ledger.cage(), wallet(patron), amount, "deposit"
        case Withdrawn(patron=patron, amount=amount):
            return wallet(patron), ledger.cage(), amount, "withdrawal"
        case BoughtIn(patron=patron, table=table, amount=amount):
            return wallet(patron), stack(table, patron), amount, "buy-in"
        case CashedOut(patron=patron, table=table, amount=amount):
            return stack(table, patron), wallet(patron), amount, "cash-out"
        case DebtPaid(patron=patron, amount=amount):
            return wallet(patron), ledger.debt(patron), amount, "debt paid"
        case VoucherIssued():
            return event.paid_by, vouchers(), event.amount, f"voucher {event.number} issued"
        case VoucherRedeemed():
            return vouchers(), event.paid_to, event.amount, f"voucher {event.number} redeemed"
        case VoucherVoided():
            reason = f"voucher {event.number} voided: {event.reason}"
            return vouchers(), event.paid_to, event.amount, reason
        case VoucherExpired():
            return vouchers(), BREAKAGE, event.amount, f"voucher {event.number} expired"
        case VoucherClaimed() | VoucherReleased() | VoucherReprinted():
            return None
        case _:  # pragma: no cover
            assert_never(event)
