"""The cage: money in and out, and vouchers that pay once."""

from dataclasses import fields, replace
from functools import reduce
from typing import Any, get_args

import pytest

from cutcard.cage import (
    BREAKAGE,
    BoughtIn,
    BuyIn,
    Cage,
    CashedOut,
    CashOut,
    ClaimVoucher,
    Command,
    DebtPaid,
    Deposit,
    Deposited,
    Event,
    ExpireVoucher,
    IssueVoucher,
    PayDebt,
    RedeemVoucher,
    ReleaseVoucher,
    ReprintVoucher,
    State,
    VoidVoucher,
    Voucher,
    VoucherClaimed,
    VoucherExpired,
    VoucherIssued,
    VoucherNumber,
    VoucherRedeemed,
    VoucherReleased,
    VoucherReprinted,
    VoucherVoided,
    Withdraw,
    Withdrawn,
    decide,
    evolve,
    liability,
    outstanding,
    transfers,
)
from cutcard.ledger import (
    MOST_MOVED,
    AccountId,
    Ledger,
    Transfer,
    cage,
    debt,
    house,
    post,
    stack,
    transfer_id,
    vouchers,
    wallet,
)
from cutcard.refusals import Refusal
from cutcard.rules.settlement import MOST_STAKE
from tests.cases import every

ONE, TWO = VoucherNumber("1" * 18), VoucherNumber("2" * 18)
WALLET, STACK = wallet("ann"), stack("t7", "ann")
OWED = Transfer(transfer_id("t7", 1), debt("ann"), house("t7"), 250, "round corrected")


class Floor:
    """A cage with its ledger: commands in, balances out."""

    def __init__(self) -> None:
        self.cage, self.ledger = Cage(), Ledger()
        self.log: list[Event] = []

    def does(self, *commands: Command) -> "Floor":
        for command in commands:
            for event in decide(self.cage, command, self.ledger):
                self.ledger = post(self.ledger, transfers(event))
                self.cage = evolve(self.cage, event)
                self.log.append(event)
        return self

    def refuses(self, command: Command) -> Refusal:
        before = (self.cage, self.ledger)
        with pytest.raises(Refusal) as refused:
            self.does(command)
        assert (self.cage, self.ledger) == before
        return refused.value

    def balances(self) -> dict[AccountId, int]:
        return {account: one.posted for account, one in self.ledger.accounts.items() if one.posted}

    def voucher(self, number: VoucherNumber = ONE) -> Voucher:
        return self.cage.vouchers[number]


def issue(
    number: VoucherNumber = ONE,
    amount: int = 300,
    table: str | None = "t7",
    bets_in_play: bool = False,
) -> IssueVoucher:
    return IssueVoucher(number, "ann", table, amount, bets_in_play, "T-1", expires_at=1_000, at=10)


def redeem(terminal: str = "T-2", table: str | None = None, at: int = 30) -> RedeemVoucher:
    return RedeemVoucher(ONE, terminal, "bob", table, at)


CLAIM = ClaimVoucher(ONE, "T-2", at=20)
RELEASE = ReleaseVoucher(ONE, "T-2", at=25)
VOID = VoidVoucher(ONE, "T-1", "paper jam", at=40)
EXPIRE = ExpireVoucher(ONE, at=1_000)
REPRINT = ReprintVoucher(ONE, "T-1", at=15)


def at_the_table() -> Floor:
    """Ann has paid in 1,000 and taken 600 of it to table 7."""
    return Floor().does(Deposit("ann", 1_000, at=1), BuyIn("ann", "t7", 600, at=2))


def with_voucher() -> Floor:
    """Ann has taken 300 of her stack away as a voucher."""
    return at_the_table().does(issue())


# --- cash, wallet and stack


def test_cash_comes_in_goes_to_the_table_comes_back_and_goes_out() -> None:
    floor = at_the_table()
    assert floor.balances() == {cage(): -1_000, WALLET: 400, STACK: 600}

    floor.does(CashOut("ann", "t7", 600, bets_in_play=False, at=3))
    assert floor.balances() == {cage(): -1_000, WALLET: 1_000}

    floor.does(Withdraw("ann", 1_000, at=4))
    assert floor.balances() == {}


@every(
    ("command", "needed", "available"),
    [
        (Withdraw("ann", 401, at=3), 401, 400),
        (BuyIn("ann", "t7", 401, at=3), 401, 400),
        (Withdraw("bob", 1, at=3), 1, 0),
        (issue(amount=401, table=None), 401, 400),
    ],
)
def test_nobody_takes_more_than_is_in_the_wallet(
    command: Command, needed: int, available: int
) -> None:
    assert at_the_table().refuses(command) == Refusal(
        "cage/wallet-short", {"needed": needed, "available": available}
    )


@every(
    ("command", "needed", "available", "table"),
    [
        (CashOut("ann", "t7", 601, bets_in_play=False, at=3), 601, 600, "t7"),
        (CashOut("ann", "t8", 1, bets_in_play=False, at=3), 1, 0, "t8"),
        (issue(amount=601), 601, 600, "t7"),
    ],
)
def test_nobody_takes_more_than_is_on_the_stack(
    command: Command, needed: int, available: int, table: str
) -> None:
    assert at_the_table().refuses(command) == Refusal(
        "cage/stack-short", {"needed": needed, "available": available, "table": table}
    )


def test_all_of_it_may_be_taken() -> None:
    floor = at_the_table().does(issue(amount=600), Withdraw("ann", 400, at=3))

    assert floor.balances() == {cage(): -600, vouchers(): 600}


def test_the_sentences_are_for_people() -> None:
    floor = at_the_table()
    floor.ledger = post(floor.ledger, [OWED])
    told = [
        str(floor.refuses(command))
        for command in (
            Withdraw("ann", 1_401, at=3),
            CashOut("ann", "t7", 601, bets_in_play=False, at=3),
            PayDebt("ann", 251, at=3),
        )
    ]

    assert told == [
        "That needs 1,401, and 400 is in the wallet.",
        "That needs 601, and 600 is free on the stack at table t7.",
        "251 is more than is owed: the debt is 250.",
    ]


@every("amount", [0, -5, True, 10**15 + 1, 10**16, 1.0, "5", None])
def test_only_amounts_move(amount: Any) -> None:
    for command in (
        Deposit("ann", amount, at=3),
        Withdraw("ann", amount, at=3),
        BuyIn("ann", "t7", amount, at=3),
        CashOut("ann", "t7", amount, bets_in_play=False, at=3),
        PayDebt("ann", amount, at=3),
        issue(amount=amount),
    ):
        assert at_the_table().refuses(command) == Refusal(
            "cage/amount", {"amount": amount, "most": 10**15}
        )


def test_a_table_and_the_cage_move_the_same_at_once() -> None:
    assert MOST_MOVED == MOST_STAKE == 10**15

    floor = Floor().does(Deposit("ann", MOST_MOVED, at=1), BuyIn("ann", "t7", MOST_MOVED, at=2))
    assert floor.balances() == {cage(): -(10**15), STACK: 10**15}


def test_no_cash_out_while_bets_are_in_play() -> None:
    in_play = CashOut("ann", "t7", 1, bets_in_play=True, at=3)

    assert at_the_table().refuses(in_play) == Refusal("cage/bets-in-play", {"table": "t7"})


def test_a_stake_held_on_the_stack_cannot_be_cashed_out_either() -> None:
    floor = at_the_table()
    stake = Transfer(transfer_id("t7", 1), STACK, AccountId("layout:t7"), 500, "stake", True)
    floor.ledger = post(floor.ledger, [stake])

    refusal = floor.refuses(CashOut("ann", "t7", 101, bets_in_play=False, at=3))

    assert (refusal.code, refusal.params["available"]) == ("cage/stack-short", 100)


def test_a_debt_is_paid_from_the_wallet_and_never_overpaid() -> None:
    floor = at_the_table()
    floor.ledger = post(floor.ledger, [OWED])

    assert floor.refuses(PayDebt("ann", 251, at=3)) == Refusal(
        "cage/debt-smaller", {"amount": 251, "owed": 250}
    )
    assert floor.does(PayDebt("ann", 250, at=3)).balances()[WALLET] == 150
    assert floor.log[-1] == DebtPaid(3, "ann", 250, at=3)
    assert floor.ledger.balance(debt("ann")) == 0


def test_a_debt_is_paid_with_what_is_in_the_wallet() -> None:
    floor = Floor().does(Deposit("ann", 100, at=1))
    floor.ledger = post(floor.ledger, [OWED])

    assert floor.refuses(PayDebt("ann", 101, at=3)) == Refusal(
        "cage/wallet-short", {"needed": 101, "available": 100}
    )
    assert floor.does(PayDebt("ann", 100, at=3)).ledger.balance(debt("ann")) == -150


def test_whoever_owes_nothing_is_told_so() -> None:
    assert at_the_table().refuses(PayDebt("ann", 401, at=3)) == Refusal(
        "cage/debt-smaller", {"amount": 401, "owed": 0}
    )


def test_no_command_names_two_patrons() -> None:
    """A transfer between patrons is not refused: there is no way to ask for one."""
    for command in get_args(Command):
        names = [field.name for field in fields(command) if field.type is str]
        assert names.count("patron") <= 1
        assert set(names) <= {"patron", "table", "terminal", "reason"}


# --- vouchers: issued


def test_a_voucher_takes_its_money_from_the_stack() -> None:
    floor = with_voucher()

    assert floor.balances() == {cage(): -1_000, WALLET: 400, STACK: 300, vouchers(): 300}
    assert floor.voucher() == Voucher(
        number=ONE,
        amount=300,
        paid_by=STACK,
        terminal="T-1",
        issued_at=10,
        expires_at=1_000,
        state=State.ISSUED,
        claimed_by=None,
        reprints=0,
    )


def test_away_from_tables_a_voucher_takes_its_money_from_the_wallet() -> None:
    floor = at_the_table().does(issue(table=None))

    assert floor.balances() == {cage(): -1_000, WALLET: 100, STACK: 600, vouchers(): 300}


def test_a_voucher_from_the_stack_is_a_cash_out_and_waits_for_the_bets() -> None:
    floor = at_the_table()

    assert floor.refuses(issue(bets_in_play=True)) == Refusal("cage/bets-in-play", {"table": "t7"})
    assert floor.does(issue(table=None, bets_in_play=True)).ledger.balance(vouchers()) == 300


def test_a_number_is_used_once_for_ever() -> None:
    used = Refusal("cage/voucher-exists", {"number": ONE})

    assert with_voucher().refuses(issue()) == used
    assert with_voucher().does(CLAIM, redeem()).refuses(issue()) == used
    assert with_voucher().does(VOID).refuses(issue()) == used
    assert with_voucher().does(issue(number=TWO)).ledger.balance(vouchers()) == 600


@every("number", ["1" * 17, "", 10**17, None, []])
def test_a_number_has_eighteen_digits(number: Any) -> None:
    refused = Refusal("cage/voucher-number", {"number": number})

    for command in (issue(), CLAIM, redeem(), RELEASE, VOID, EXPIRE, REPRINT):
        assert with_voucher().refuses(replace(command, number=number)) == refused


@every("expires_at", [0, 9, 10])
def test_a_voucher_outlives_its_issue(expires_at: int) -> None:
    lifeless = replace(issue(), expires_at=expires_at)

    assert at_the_table().refuses(lifeless) == Refusal("cage/voucher-lifeless", {"number": ONE})


def test_a_voucher_may_live_for_a_millisecond() -> None:
    assert at_the_table().does(replace(issue(), expires_at=11)).voucher().expires_at == 11


# --- vouchers: claimed, released, redeemed


def test_a_claim_marks_the_voucher_and_moves_nothing() -> None:
    floor = with_voucher()
    before = floor.balances()
    floor.does(CLAIM)

    assert (floor.voucher().state, floor.voucher().claimed_by) == (State.PENDING, "T-2")
    assert floor.balances() == before


@pytest.mark.parametrize(("table", "account"), [(None, wallet("bob")), ("t8", stack("t8", "bob"))])
def test_a_claimed_voucher_pays_whoever_brings_it(table: str | None, account: AccountId) -> None:
    floor = with_voucher().does(CLAIM, redeem(table=table))

    assert floor.voucher().state is State.REDEEMED
    assert floor.ledger.balance(account) == 300
    assert floor.ledger.balance(vouchers()) == 0


@pytest.mark.parametrize("terminal", ["T-2", "T-3"])
def test_of_two_concurrent_claims_one_is_refused(terminal: str) -> None:
    refusal = with_voucher().does(CLAIM).refuses(ClaimVoucher(ONE, terminal, at=20))

    assert refusal == Refusal("cage/voucher-claimed", {"number": ONE, "terminal": "T-2"})


@every("again", [CLAIM, redeem(), RELEASE, VOID, EXPIRE, REPRINT])
def test_a_paid_voucher_is_worth_nothing(again: Command) -> None:
    refusal = with_voucher().does(CLAIM, redeem()).refuses(again)

    assert refusal == Refusal("cage/voucher-redeemed", {"number": ONE})


@pytest.mark.parametrize("command", [redeem("T-3"), ReleaseVoucher(ONE, "T-3", at=25)])
def test_only_the_claiming_terminal_pays_or_lets_go(command: Command) -> None:
    refusal = with_voucher().does(CLAIM).refuses(command)

    assert refusal == Refusal("cage/voucher-not-claimed", {"number": ONE, "terminal": "T-3"})


@pytest.mark.parametrize("command", [redeem(), RELEASE])
def test_what_was_not_claimed_is_neither_paid_nor_released(command: Command) -> None:
    refusal = with_voucher().refuses(command)

    assert refusal == Refusal("cage/voucher-not-claimed", {"number": ONE, "terminal": "T-2"})


def test_after_a_crash_the_claim_is_released_and_another_terminal_pays() -> None:
    floor = with_voucher().does(CLAIM, RELEASE)
    assert (floor.voucher().state, floor.voucher().claimed_by) == (State.ISSUED, None)

    # The crashed terminal comes back and knows nothing of its release.
    assert floor.refuses(redeem()).code == "cage/voucher-not-claimed"

    floor.does(ClaimVoucher(ONE, "T-3", at=30))
    assert floor.refuses(redeem()).code == "cage/voucher-not-claimed"
    assert floor.does(redeem("T-3")).ledger.balance(wallet("bob")) == 300


@every("command", [CLAIM, redeem(), RELEASE, VOID, EXPIRE, REPRINT])
def test_a_voucher_that_was_never_issued(command: Command) -> None:
    assert at_the_table().refuses(command) == Refusal("cage/voucher-unknown", {"number": ONE})


# --- vouchers: voided, expired, reprinted


@pytest.mark.parametrize("table", ["t7", None])
def test_a_voided_voucher_gives_its_money_back_where_it_came_from(table: str | None) -> None:
    floor = at_the_table()
    before = floor.balances()
    floor.does(issue(table=table))
    assert floor.balances() != before

    floor.does(VOID)

    assert floor.voucher().state is State.VOIDED
    assert floor.balances() == before


def test_a_claimed_voucher_is_voided_by_its_own_terminal_only() -> None:
    floor = with_voucher().does(CLAIM)

    assert floor.refuses(VOID) == Refusal(
        "cage/voucher-not-claimed", {"number": ONE, "terminal": "T-1"}
    )
    assert floor.does(replace(VOID, terminal="T-2")).voucher().state is State.VOIDED


@every("reason", ["", "  ", None, 5])
def test_a_void_says_why(reason: Any) -> None:
    refusal = with_voucher().refuses(replace(VOID, reason=reason))

    assert refusal == Refusal("cage/no-reason")


@every("again", [CLAIM, redeem(), RELEASE, VOID, EXPIRE, REPRINT])
def test_a_voided_voucher_is_worth_nothing(again: Command) -> None:
    assert with_voucher().does(VOID).refuses(again) == Refusal(
        "cage/voucher-voided", {"number": ONE}
    )


@pytest.mark.parametrize("at", [1_000, 1_001])
def test_from_its_expiry_on_a_voucher_is_not_claimed(at: int) -> None:
    assert with_voucher().refuses(replace(CLAIM, at=at)) == Refusal(
        "cage/voucher-late", {"number": ONE}
    )


def test_a_voucher_is_good_until_the_last_millisecond() -> None:
    assert with_voucher().does(replace(CLAIM, at=999)).voucher().state is State.PENDING


def test_a_voucher_claimed_in_time_is_paid_even_if_its_time_runs_out() -> None:
    floor = with_voucher().does(replace(CLAIM, at=999))
    assert floor.refuses(EXPIRE).code == "cage/voucher-claimed"

    assert floor.does(redeem(at=1_500)).ledger.balance(wallet("bob")) == 300


def test_an_expired_voucher_goes_to_the_house() -> None:
    floor = with_voucher()
    assert floor.refuses(replace(EXPIRE, at=999)) == Refusal("cage/voucher-early", {"number": ONE})

    floor.does(EXPIRE)

    assert floor.voucher().state is State.EXPIRED
    assert floor.ledger.balance(vouchers()) == 0
    assert floor.ledger.balance(BREAKAGE) == 300
    assert house("cage") == BREAKAGE


@every("again", [CLAIM, redeem(), RELEASE, VOID, EXPIRE, REPRINT])
def test_an_expired_voucher_is_worth_nothing(again: Command) -> None:
    assert with_voucher().does(EXPIRE).refuses(again) == Refusal(
        "cage/voucher-expired", {"number": ONE}
    )


def test_a_released_voucher_past_its_time_expires() -> None:
    floor = with_voucher().does(CLAIM, replace(RELEASE, at=2_000))

    assert floor.refuses(replace(CLAIM, at=2_000)).code == "cage/voucher-late"
    assert floor.does(replace(EXPIRE, at=2_000)).ledger.balance(BREAKAGE) == 300


def test_reprints_are_counted_and_pay_no_second_time() -> None:
    floor = with_voucher().does(REPRINT, REPRINT)
    assert (floor.voucher().reprints, floor.voucher().state) == (2, State.ISSUED)

    floor.does(CLAIM, redeem())
    assert floor.ledger.balance(wallet("bob")) == 300


def test_a_claimed_voucher_is_not_reprinted() -> None:
    assert with_voucher().does(CLAIM).refuses(REPRINT).code == "cage/voucher-claimed"


# --- liability and log


def test_the_liability_is_what_outstanding_vouchers_are_worth() -> None:
    floor = with_voucher().does(issue(number=TWO, amount=50))
    assert liability(floor.cage) == 350 == floor.ledger.balance(vouchers())

    floor.does(CLAIM)
    assert liability(floor.cage) == 350
    assert [one.number for one in outstanding(floor.cage)] == [ONE, TWO]

    floor.does(redeem())
    assert liability(floor.cage) == 50 == floor.ledger.balance(vouchers())
    assert [one.number for one in outstanding(floor.cage)] == [TWO]


def test_outstanding_vouchers_are_listed_by_number() -> None:
    floor = at_the_table().does(issue(number=TWO, amount=1), issue(number=ONE, amount=1))

    assert [one.number for one in outstanding(floor.cage)] == [ONE, TWO]


def test_events_are_counted_from_one() -> None:
    floor = with_voucher().does(CLAIM, redeem())

    assert [event.seq for event in floor.log] == [1, 2, 3, 4, 5]
    assert floor.cage.seq == 5


def test_events_tell_what_was_asked() -> None:
    floor = at_the_table().does(
        CashOut("ann", "t7", 5, bets_in_play=False, at=7), Withdraw("ann", 5, at=8), issue()
    )

    assert floor.log == [
        Deposited(1, "ann", 1_000, at=1),
        BoughtIn(2, "ann", "t7", 600, at=2),
        CashedOut(3, "ann", "t7", 5, at=7),
        Withdrawn(4, "ann", 5, at=8),
        VoucherIssued(5, ONE, STACK, 300, "T-1", expires_at=1_000, at=10),
    ]


@every(
    ("before", "command", "event"),
    [
        ((), REPRINT, VoucherReprinted(4, ONE, "T-1", at=15)),
        ((), CLAIM, VoucherClaimed(4, ONE, "T-2", at=20)),
        ((CLAIM,), RELEASE, VoucherReleased(5, ONE, "T-2", at=25)),
        ((CLAIM,), redeem(), VoucherRedeemed(5, ONE, wallet("bob"), 300, "T-2", at=30)),
        ((), VOID, VoucherVoided(4, ONE, STACK, 300, "T-1", "paper jam", at=40)),
        ((), EXPIRE, VoucherExpired(4, ONE, 300, at=1_000)),
    ],
)
def test_what_happens_to_a_voucher_is_told(
    before: tuple[Command, ...], command: Command, event: Event
) -> None:
    floor = with_voucher().does(*before)

    assert decide(floor.cage, command, floor.ledger) == [event]


def test_the_log_alone_gives_cage_and_ledger_again() -> None:
    floor = with_voucher().does(REPRINT, CLAIM, RELEASE, VOID, issue(number=TWO))

    assert reduce(evolve, floor.log, Cage()) == floor.cage
    entries = [entry for event in floor.log for entry in transfers(event)]
    assert post(Ledger(), entries) == floor.ledger


@every("name", ["", "  ", "a:b", "a\n", 7, b"t7", ["t7"]])
def test_patrons_tables_and_terminals_have_names(name: Any) -> None:
    refused = Refusal("cage/name", {"text": name})

    for command in (
        Deposit(name, 1, at=3),
        BuyIn("ann", name, 1, at=3),
        issue(table=name),
        replace(issue(), patron=name),
        replace(issue(), terminal=name),
        ClaimVoucher(ONE, name, at=20),
        redeem(terminal=name),
        redeem(table=name),
    ):
        assert with_voucher().refuses(command) == refused


def test_money_goes_to_no_table_only_where_that_is_meant() -> None:
    nowhere: Any = None

    assert at_the_table().refuses(BuyIn("ann", nowhere, 1, at=3)) == Refusal(
        "cage/name", {"text": None}
    )
    assert at_the_table().refuses(CashOut("ann", nowhere, 1, False, at=3)) == Refusal(
        "cage/name", {"text": None}
    )


@every("at", [-1, 10**18 + 1, 1.0, True, "5", None])
def test_time_is_a_count_of_milliseconds(at: Any) -> None:
    refused = Refusal("cage/clock", {"at": at, "most": 10**18})

    assert at_the_table().refuses(Deposit("ann", 1, at)) == refused
    assert with_voucher().refuses(replace(CLAIM, at=at)) == refused
    assert at_the_table().refuses(replace(issue(), expires_at=at)) == refused


def test_the_first_and_the_last_millisecond() -> None:
    floor = Floor().does(Deposit("ann", 1, at=0), Deposit("ann", 1, at=10**18))

    assert [event.at for event in floor.log] == [0, 10**18]


@every("bets_in_play", [None, 0, 1, "no"])
def test_somebody_must_have_looked_for_bets_in_play(bets_in_play: Any) -> None:
    for command in (issue(), issue(table=None), CashOut("ann", "t7", 1, False, at=3)):
        unknown = replace(command, bets_in_play=bets_in_play)
        assert at_the_table().refuses(unknown) == Refusal("cage/bets-unknown")
