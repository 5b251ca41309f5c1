"""The ledger under random lawful and unlawful entries, beside a plain one kept by hand."""

from contextlib import suppress

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from cutcard.ledger import (
    AccountId,
    Entry,
    Ledger,
    Post,
    Transfer,
    TransferId,
    Void,
    cage,
    commission,
    debt,
    house,
    layout,
    post,
    stack,
    vouchers,
    wallet,
)
from cutcard.refusals import Refusal

PATRON = {wallet("ann"): "ann", stack("t", "ann"): "ann", debt("ann"): "ann", wallet("bob"): "bob"}
FLOORED = [
    wallet("ann"),
    wallet("bob"),
    stack("t", "ann"),
    layout("t"),
    commission("t"),
    vouchers(),
]
ACCOUNTS = [*FLOORED, house("t"), cage(), debt("ann")]

accounts = st.sampled_from(ACCOUNTS)
amounts = st.integers(1, 60) | st.sampled_from([0, -1, 10**18, 10**18 + 1])
steps = st.sampled_from([1, 1, 1, 1, 1, 2, 0, -1])


class Unlawful(Exception):
    """The plain ledger says no."""


class Plain:
    """Double entry as one would keep it in an exercise book."""

    def __init__(self) -> None:
        self.posted = dict.fromkeys(ACCOUNTS, 0)
        self.promised: dict[str, Transfer] = {}
        self.used: set[str] = set()

    def copy(self) -> "Plain":
        other = Plain()
        other.posted, other.promised = dict(self.posted), dict(self.promised)
        other.used = set(self.used)
        return other

    def held(self, account: AccountId) -> int:
        return sum(one.amount for one in self.promised.values() if one.debit == account)

    def enter(self, entry: Entry) -> None:
        self.require(entry.id not in self.used)
        # The last id used is also the highest: numbers below it are spent.
        self.require(all(_number(entry.id) > _number(old) for old in self.used))
        self.used.add(entry.id)
        if isinstance(entry, Transfer):
            self.require(0 < entry.amount <= 10**18 and entry.debit != entry.credit)
            patrons = {PATRON.get(entry.debit), PATRON.get(entry.credit)} - {None}
            self.require(len(patrons) < 2)
            if entry.pending:
                self.promised[entry.id] = entry
            else:
                self.move(entry, entry.amount)
        else:
            self.require(entry.pending in self.promised)
            promise = self.promised.pop(entry.pending)
            if isinstance(entry, Post):
                amount = promise.amount if entry.amount is None else entry.amount
                self.require(0 < amount <= promise.amount)
                self.move(promise, amount)
        self.check()

    def move(self, transfer: Transfer, amount: int) -> None:
        self.posted[transfer.debit] -= amount
        self.posted[transfer.credit] += amount

    def check(self) -> None:
        for account, posted in self.posted.items():
            floor = 0 if account in FLOORED else -(10**18)
            self.require(posted - self.held(account) >= floor)
            self.require(posted <= (0 if account == debt("ann") else 10**18))

    def require(self, lawful: bool) -> None:
        if not lawful:
            raise Unlawful


def _number(id: str) -> int:
    return int(id.removeprefix("m:").removesuffix(".0"))


class LedgerMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger()
        self.plain = Plain()
        self.log: list[Entry] = []
        self.batch: list[Entry] = []
        self.number = 0

    def next_id(self, step: int) -> TransferId:
        self.number = max(0, self.number + step)
        return TransferId(f"m:{self.number}.0")

    @rule(amount=st.integers(1, 100), account=st.sampled_from(FLOORED))
    def money_comes_in(self, amount: int, account: AccountId) -> None:
        self.batch.append(Transfer(self.next_id(1), cage(), account, amount, "in"))
        self.close_the_batch()

    @rule(step=steps, debit=accounts, credit=accounts, amount=amounts, pending=st.booleans())
    def transfer(
        self, step: int, debit: AccountId, credit: AccountId, amount: int, pending: bool
    ) -> None:
        self.batch.append(
            Transfer(self.next_id(step), debit, credit, amount, "random", pending=pending)
        )

    @precondition(lambda self: self.plain.promised or self.batch)
    @rule(
        step=steps,
        choice=st.integers(0, 99),
        amount=st.none() | st.integers(0, 70),
        void=st.booleans(),
    )
    def complete(self, step: int, choice: int, amount: int | None, void: bool) -> None:
        known = [*self.plain.promised, *(entry.id for entry in self.batch)]
        chosen = TransferId(known[choice % len(known)])
        id = self.next_id(step)
        self.batch.append(Void(id, chosen) if void else Post(id, chosen, amount))

    @rule()
    def close_the_batch(self) -> None:
        batch, self.batch = self.batch, []
        wanted, lawful = self.plain.copy(), False
        with suppress(Unlawful):
            for entry in batch:
                wanted.enter(entry)
            lawful = True
        before, accepted = self.ledger, False
        snapshot = (dict(before.accounts), dict(before.pending), dict(before.last))
        with suppress(Refusal):
            self.ledger = post(before, batch)
            accepted = True
        assert accepted == lawful
        if accepted:
            self.plain = wanted
            self.log += batch
        assert (dict(before.accounts), dict(before.pending), dict(before.last)) == snapshot
        self.number = max((_number(id) for id in self.plain.used), default=0)

    @invariant()
    def the_sum_of_all_balances_is_zero(self) -> None:
        assert self.ledger.total() == 0

    @invariant()
    def no_floor_is_broken_and_no_more_is_held_than_there_is(self) -> None:
        for account in FLOORED:
            assert 0 <= self.ledger.held(account) <= self.ledger.balance(account)
            assert self.ledger.available(account) >= 0
        assert self.ledger.balance(debt("ann")) <= 0

    @invariant()
    def it_agrees_with_the_exercise_book(self) -> None:
        for account in ACCOUNTS:
            assert self.ledger.balance(account) == self.plain.posted[account]
            assert self.ledger.held(account) == self.plain.held(account)
        assert dict(self.ledger.pending) == self.plain.promised

    def teardown(self) -> None:
        """The log alone gives the same ledger again."""
        assert post(Ledger(), self.log) == self.ledger


TestLedger = LedgerMachine.TestCase
TestLedger.settings = settings(max_examples=75, stateful_step_count=40, deadline=None)
