"""The money of one table, followed from its log alone.

What a stack held before, and what the cage brought or took, stands against the
cage's account here. Everything else comes from the entries of the table's own
events, so the sum of all accounts is zero, always.
"""

from collections.abc import Iterable, Mapping

from cutcard.ledger import (
    AccountId,
    Entry,
    Ledger,
    Transfer,
    cage,
    post,
    stack,
    transfer_id,
)
from cutcard.table.events import Event, StackEmptied, StackFilled

Accounts = dict[str, list[int]]

CAGE = "cage"
"""Whose entries these are; no table may be called so."""


class Money:
    """A ledger that knows one table."""

    def __init__(self, table: str, stacks: Mapping[str, int] | None = None) -> None:
        self.table = table
        self.ledger = Ledger()
        self._brought = 0
        for patron, amount in sorted((stacks or {}).items()):
            if amount:
                self._bring(cage(), stack(table, patron), amount)

    def happen(self, event: Event, entries: Iterable[Entry]) -> None:
        """Follow an event and what it moved."""
        match event:
            case StackFilled():
                self._bring(cage(), stack(self.table, event.patron), event.amount)
            case StackEmptied():
                self._bring(stack(self.table, event.patron), cage(), event.amount)
            case _:
                self.ledger = post(self.ledger, entries)

    def accounts(self) -> Accounts:
        """What stands on every account, and how much of it is held."""
        found = self.ledger.accounts.items()
        return {name: [one.posted, one.held] for name, one in sorted(found)}

    def _bring(self, debit: AccountId, credit: AccountId, amount: int) -> None:
        self._brought += 1
        moved = Transfer(transfer_id(CAGE, self._brought), debit, credit, amount, "brought")
        self.ledger = post(self.ledger, [moved])
