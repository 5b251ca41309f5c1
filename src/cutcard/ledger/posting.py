"""The ledger, and posting to it: a batch of entries goes in whole or not at all.

Entries are tried one after another on slips of paper beside the books; only
when all of them stand are the slips entered. A refusal throws the slips away,
so the ledger it was raised on is as it was. The cost is that of the entries,
however many accounts and transfers there are.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, assert_never

from cutcard.ledger.accounts import MOST, AccountId, kind, owner
from cutcard.ledger.entries import Entry, Post, Transfer, TransferId, Void, parse_id
from cutcard.ledger.shelf import Shelf
from cutcard.refusals import Refusal


class Account(NamedTuple):
    """What an account holds, and how much of it is promised to pending transfers."""

    posted: int = 0
    held: int = 0

    @property
    def available(self) -> int:
        return self.posted - self.held


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every account, every transfer still pending, and the last id of every source."""

    accounts: Shelf[AccountId, Account] = field(default_factory=Shelf)
    pending: Shelf[TransferId, Transfer] = field(default_factory=Shelf)
    last: Shelf[str, tuple[int, int]] = field(default_factory=Shelf)

    def balance(self, account: AccountId) -> int:
        """What is posted to an account, held or not."""
        return self.accounts.get(account, Account()).posted

    def held(self, account: AccountId) -> int:
        """What pending transfers may still take from an account."""
        return self.accounts.get(account, Account()).held

    def available(self, account: AccountId) -> int:
        """What an account can still promise or pay."""
        return self.accounts.get(account, Account()).available

    def total(self) -> int:
        """The sum of all balances: zero, always."""
        return sum(account.posted for account in self.accounts.values())


def post(ledger: Ledger, entries: Iterable[Entry]) -> Ledger:
    """The ledger with all these entries, in their order; refuses all if it refuses one."""
    slips = _Slips(ledger)
    for entry in entries:
        slips.enter(entry)
    return slips.entered()


class _Slips:
    """What a batch has changed so far."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.accounts: dict[AccountId, Account] = {}
        self.pending: dict[TransferId, Transfer | None] = {}
        self.last: dict[str, tuple[int, int]] = {}

    def enter(self, entry: Entry) -> None:
        self._count(entry.id)
        match entry:
            case Transfer():
                _check_transfer(entry)
                if entry.pending:
                    self._hold(entry)
                else:
                    self._move(entry, entry.amount)
            case Post():
                promised = self._release(entry.pending)
                self._move(promised, _part(promised, entry.amount))
            case Void():
                self._release(entry.pending)
            case _:
                assert_never(entry)

    def entered(self) -> Ledger:
        if not self.last:
            return self.ledger
        accounts, pending, last = self.ledger.accounts, self.ledger.pending, self.ledger.last
        for account, holds in self.accounts.items():
            accounts = accounts.placed(account, holds)
        for id, transfer in self.pending.items():
            if transfer is not None:
                pending = pending.placed(id, transfer)
            elif id in pending:
                pending = pending.without(id)
        for source, order in self.last.items():
            last = last.placed(source, order)
        return Ledger(accounts, pending, last)

    def _count(self, id: TransferId) -> None:
        source, order = parse_id(id)
        last = self.last.get(source) or self.ledger.last.get(source)
        if last is not None and order <= last:
            raise Refusal("ledger/duplicate", {"id": id, "last": "{}:{}.{}".format(source, *last)})
        self.last[source] = order

    def _hold(self, transfer: Transfer) -> None:
        debit = self._able(transfer.debit, transfer.amount)
        self.accounts[transfer.debit] = Account(debit.posted, debit.held + transfer.amount)
        self.pending[transfer.id] = transfer

    def _release(self, id: TransferId) -> Transfer:
        # On a slip, None marks a transfer that this very batch has completed.
        transfer = self.pending.get(id, self.ledger.pending.get(id))
        if transfer is None:
            raise Refusal("ledger/not-pending", {"id": id})
        debit = self._account(transfer.debit)
        self.accounts[transfer.debit] = Account(debit.posted, debit.held - transfer.amount)
        self.pending[id] = None
        return transfer

    def _move(self, transfer: Transfer, amount: int) -> None:
        debit = self._able(transfer.debit, amount)
        self.accounts[transfer.debit] = Account(debit.posted - amount, debit.held)
        credit, most = self._account(transfer.credit), kind(transfer.credit).ceiling
        if credit.posted + amount > most:
            raise Refusal("ledger/full", {"account": transfer.credit, "most": most})
        self.accounts[transfer.credit] = Account(credit.posted + amount, credit.held)

    def _able(self, id: AccountId, amount: int) -> Account:
        account = self._account(id)
        room = account.available - kind(id).floor
        if amount > room:
            raise Refusal("ledger/short", {"account": id, "amount": amount, "room": room})
        return account

    def _account(self, id: AccountId) -> Account:
        return self.accounts.get(id) or self.ledger.accounts.get(id) or Account()


def check_amount(amount: int) -> None:
    """Refuse what is no amount of money: only whole units from one upwards are."""
    # In Python True is a one; in a ledger it is a mistake.
    if not isinstance(amount, int) or isinstance(amount, bool) or not 0 < amount <= MOST:
        raise Refusal("ledger/amount", {"amount": amount, "most": MOST})


def _check_transfer(transfer: Transfer) -> None:
    check_amount(transfer.amount)
    if transfer.debit == transfer.credit:
        raise Refusal("ledger/same-account", {"account": transfer.debit})
    payer, payee = owner(transfer.debit), owner(transfer.credit)
    # Money goes from patron to patron by no road at all (GLI-19 2.5.6f).
    if payer is not None and payee is not None and payer != payee:
        raise Refusal(
            "ledger/between-patrons", {"debit": transfer.debit, "credit": transfer.credit}
        )
    if not transfer.reason.strip():
        raise Refusal("ledger/no-reason", {"id": transfer.id})


def _part(promised: Transfer, amount: int | None) -> int:
    if amount is None:
        return promised.amount
    check_amount(amount)
    if amount > promised.amount:
        raise Refusal(
            "ledger/too-much",
            {"amount": amount, "promised": promised.amount, "id": promised.id},
        )
    return amount
