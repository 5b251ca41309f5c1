"""Double entry: accounts, transfers, pending → post or void. Has never heard of cards.

Money is never made, lost or edited here: a transfer takes from one account what
it gives to another, so the sum of all balances is zero, always. A mistake is
put right by a further transfer that says why.
"""

from cutcard.ledger.accounts import (
    MOST,
    MOST_MOVED,
    SEPARATOR,
    AccountId,
    cage,
    commission,
    debt,
    house,
    layout,
    stack,
    vouchers,
    wallet,
)
from cutcard.ledger.cover import cover
from cutcard.ledger.entries import Entry, Post, Transfer, TransferId, Void, numbered, transfer_id
from cutcard.ledger.posting import Account, Ledger, post

__all__ = [
    "MOST",
    "MOST_MOVED",
    "SEPARATOR",
    "Account",
    "AccountId",
    "Entry",
    "Ledger",
    "Post",
    "Transfer",
    "TransferId",
    "Void",
    "cage",
    "commission",
    "cover",
    "debt",
    "house",
    "layout",
    "numbered",
    "post",
    "stack",
    "transfer_id",
    "vouchers",
    "wallet",
]
