"""A night at the cage: random wishes, two terminals, crashes; every voucher pays once."""

from contextlib import suppress
from functools import reduce

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from cutcard.cage import (
    BuyIn,
    Cage,
    CashOut,
    ClaimVoucher,
    Command,
    Deposit,
    Event,
    ExpireVoucher,
    IssueVoucher,
    PayDebt,
    RedeemVoucher,
    ReleaseVoucher,
    ReprintVoucher,
    VoidVoucher,
    VoucherExpired,
    VoucherNumber,
    VoucherRedeemed,
    VoucherVoided,
    Withdraw,
    decide,
    evolve,
    liability,
    transfers,
)
from cutcard.ledger import Ledger, cage, post, vouchers, wallet
from cutcard.refusals import Refusal

patrons = st.sampled_from(["ann", "bob"])
tables = st.sampled_from(["t1", "t2"])
terminals = st.sampled_from(["T-1", "T-2"])
amounts = st.integers(0, 300)
numbers = st.integers(0, 12).map(lambda number: VoucherNumber(f"{number:018d}"))


class CageMachine(RuleBasedStateMachine):
    known = Bundle("known")

    def __init__(self) -> None:
        super().__init__()
        self.cage, self.ledger = Cage(), Ledger()
        self.log: list[Event] = []
        self.now = 0

    def ask(self, command: Command) -> bool:
        before, ledger = self.cage, self.ledger
        seen = (dict(before.vouchers), dict(ledger.accounts))
        accepted = False
        with suppress(Refusal):
            for event in decide(self.cage, command, self.ledger):
                # What was decided can always be posted: a refusal here is an error.
                self.apply(event)
            accepted = True
        assert (dict(before.vouchers), dict(ledger.accounts)) == seen
        if not accepted:
            assert (self.cage, self.ledger) == (before, ledger)
        return accepted

    def apply(self, event: Event) -> None:
        try:
            self.ledger = post(self.ledger, transfers(event))
        except Refusal as refusal:  # pragma: no cover
            raise AssertionError("decided, yet not posted") from refusal
        self.cage = evolve(self.cage, event)
        self.log.append(event)

    @rule(patron=patrons, amount=st.integers(1, 500))
    def deposit(self, patron: str, amount: int) -> None:
        assert self.ask(Deposit(patron, amount, self.now))

    @rule(patron=patrons, amount=amounts)
    def withdraw(self, patron: str, amount: int) -> None:
        rich = 0 < amount <= self.ledger.available(wallet(patron))
        assert self.ask(Withdraw(patron, amount, self.now)) == rich

    @rule(patron=patrons, amount=amounts)
    def pay_a_debt_that_is_not_there(self, patron: str, amount: int) -> None:
        assert not self.ask(PayDebt(patron, amount, self.now))

    @rule(patron=patrons, table=tables, amount=amounts)
    def buy_in(self, patron: str, table: str, amount: int) -> None:
        self.ask(BuyIn(patron, table, amount, self.now))

    @rule(patron=patrons, table=tables, amount=amounts, bets=st.booleans())
    def cash_out(self, patron: str, table: str, amount: int, bets: bool) -> None:
        assert not (self.ask(CashOut(patron, table, amount, bets, self.now)) and bets)

    @rule(
        target=known,
        number=numbers,
        patron=patrons,
        table=st.none() | tables,
        amount=st.integers(0, 120),
        life=st.integers(0, 20),
    )
    def issue(
        self, number: VoucherNumber, patron: str, table: str | None, amount: int, life: int
    ) -> VoucherNumber:
        expires = self.now + life
        self.ask(IssueVoucher(number, patron, table, amount, False, "T-1", expires, self.now))
        return number

    @rule(number=known, terminal=terminals)
    def claim(self, number: VoucherNumber, terminal: str) -> None:
        self.ask(ClaimVoucher(number, terminal, self.now))

    @rule(number=known, patron=patrons, table=st.none() | tables)
    def two_terminals_read_the_same_paper(
        self, number: VoucherNumber, patron: str, table: str | None
    ) -> None:
        claims = [self.ask(ClaimVoucher(number, one, self.now)) for one in ("T-1", "T-2")]
        paid = [
            self.ask(RedeemVoucher(number, one, patron, table, self.now)) for one in ("T-1", "T-2")
        ]
        assert sum(claims) <= 1
        assert sum(paid) <= 1

    @rule(number=known, terminal=terminals)
    def release_after_a_crash(self, number: VoucherNumber, terminal: str) -> None:
        self.ask(ReleaseVoucher(number, terminal, self.now))

    @rule(number=known, terminal=terminals, patron=patrons, table=st.none() | tables)
    def redeem(self, number: VoucherNumber, terminal: str, patron: str, table: str | None) -> None:
        self.ask(RedeemVoucher(number, terminal, patron, table, self.now))

    @rule(number=known, terminal=terminals)
    def void(self, number: VoucherNumber, terminal: str) -> None:
        self.ask(VoidVoucher(number, terminal, "spoilt", self.now))

    @rule(number=known)
    def expire(self, number: VoucherNumber) -> None:
        self.ask(ExpireVoucher(number, self.now))

    @rule(number=known)
    def reprint(self, number: VoucherNumber) -> None:
        self.ask(ReprintVoucher(number, "T-1", self.now))

    @rule(passes=st.integers(1, 15))
    def time_passes(self, passes: int) -> None:
        self.now += passes

    @rule()
    def the_server_crashes_and_replays_its_log(self) -> None:
        entries = [entry for event in self.log for entry in transfers(event)]
        again = (reduce(evolve, self.log, Cage()), post(Ledger(), entries))
        assert again == (self.cage, self.ledger)
        self.cage, self.ledger = again

    @invariant()
    def nothing_is_made_or_lost(self) -> None:
        assert self.ledger.total() == 0
        assert all(
            account.available >= 0
            for id, account in self.ledger.accounts.items()
            if id not in (cage(), "house:cage")
        )

    @invariant()
    def the_liability_is_the_balance(self) -> None:
        assert liability(self.cage) == self.ledger.balance(vouchers())

    @invariant()
    def every_voucher_ends_once(self) -> None:
        endings = VoucherRedeemed | VoucherVoided | VoucherExpired
        ended = [event.number for event in self.log if isinstance(event, endings)]
        assert len(ended) == len(set(ended))


TestCage = CageMachine.TestCase
TestCage.settings = settings(max_examples=50, stateful_step_count=50, deadline=None)
