"""Cover: what a patron must pay, taken from what there is; the rest becomes a debt.

A result corrected after it was paid may ask for more than the patron still has.
No balance goes below zero for it: what cannot be taken is owed, on an account
that exists for this and shows it to everyone who may see it.
"""

from collections.abc import Iterable, Iterator

from cutcard.ledger.accounts import AccountId, debt, owner
from cutcard.ledger.entries import Transfer, TransferId
from cutcard.ledger.posting import Ledger, check_amount
from cutcard.refusals import Refusal


def cover(
    ledger: Ledger,
    *,
    patron: str,
    payers: Iterable[AccountId],
    credit: AccountId,
    amount: int,
    reason: str,
    ids: Iterator[TransferId],
) -> list[Transfer]:
    """Transfers that pay the whole amount: from the payers in their order, then as debt.

    What is held for pending transfers is not taken. Every payer must be the
    patron's own account.
    """
    check_amount(amount)
    entries, rest = [], amount
    # A payer named twice can still pay only once.
    for payer in dict.fromkeys(payers):
        if owner(payer) != patron:
            raise Refusal("ledger/not-theirs", {"account": payer, "patron": patron})
        part = min(rest, max(0, ledger.available(payer)))
        if part:
            entries.append(Transfer(next(ids), payer, credit, part, reason))
            rest -= part
    if rest:
        entries.append(Transfer(next(ids), debt(patron), credit, rest, reason))
    return entries
