"""Posting: what each entry does to each account, to the unit."""

from dataclasses import dataclass
from typing import Any

import pytest

from cutcard.ledger import (
    MOST,
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
    transfer_id,
    vouchers,
    wallet,
)
from cutcard.ledger.posting import Account, check_amount
from cutcard.refusals import Refusal
from tests.cases import every

ANN, BOB = wallet("ann"), wallet("bob")
STACK, LAYOUT, HOUSE = stack("t7", "ann"), layout("t7"), house("t7")


def tid(number: int, source: str = "t7") -> TransferId:
    return transfer_id(source, number)


def move(number: int, debit: AccountId, credit: AccountId, amount: int) -> Transfer:
    return Transfer(tid(number), debit, credit, amount, "test")


def hold(number: int, debit: AccountId, credit: AccountId, amount: int) -> Transfer:
    return Transfer(tid(number), debit, credit, amount, "test", pending=True)


def state(ledger: Ledger, account: AccountId) -> tuple[int, int, int]:
    return ledger.balance(account), ledger.held(account), ledger.available(account)


def refusal(ledger: Ledger, *entries: Entry) -> Refusal:
    """The refusal that a batch meets; the ledger it meets it on is as it was."""
    before = (dict(ledger.accounts), dict(ledger.pending), dict(ledger.last))
    with pytest.raises(Refusal) as refused:
        post(ledger, entries)
    assert (dict(ledger.accounts), dict(ledger.pending), dict(ledger.last)) == before
    return refused.value


ANN_HAS_1000 = post(Ledger(), [Transfer(tid(1, "cage"), cage(), STACK, 1_000, "buy-in")])
STAKED_300 = post(ANN_HAS_1000, [hold(1, STACK, LAYOUT, 300)])


# --- transfers


def test_a_new_ledger_is_empty() -> None:
    assert state(Ledger(), ANN) == (0, 0, 0)
    assert Ledger().total() == 0
    assert post(Ledger(), []) == Ledger()


def test_a_transfer_takes_from_one_what_it_gives_to_the_other() -> None:
    after = post(ANN_HAS_1000, [move(1, STACK, LAYOUT, 400)])

    assert dict(after.accounts) == {
        cage(): Account(-1_000),
        STACK: Account(600),
        LAYOUT: Account(400),
    }
    assert after.total() == 0


def test_the_total_is_the_sum_of_all_balances() -> None:
    """It is counted, not assumed: a ledger that was tampered with shows it."""
    assert Ledger(accounts=STAKED_300.accounts.placed(ANN, Account(5))).total() == 5


def test_posting_leaves_the_ledger_it_was_given_as_it_was() -> None:
    post(ANN_HAS_1000, [move(1, STACK, LAYOUT, 400)])

    assert state(ANN_HAS_1000, STACK) == (1_000, 0, 1_000)


@every("account", [ANN, STACK, LAYOUT, commission("t7"), vouchers()])
def test_an_account_with_a_floor_pays_its_last_unit_and_no_more(account: AccountId) -> None:
    ledger = post(Ledger(), [move(1, cage(), account, 50)])

    assert post(ledger, [move(2, account, HOUSE, 50)]).balance(account) == 0
    assert refusal(ledger, move(2, account, HOUSE, 51)) == Refusal(
        "ledger/short", {"account": account, "amount": 51, "room": 50}
    )


@every("account", [HOUSE, cage(), debt("ann")])
def test_house_cage_and_debt_go_below_zero(account: AccountId) -> None:
    assert post(Ledger(), [move(1, account, LAYOUT, 50)]).balance(account) == -50


def test_no_account_falls_below_the_least_balance() -> None:
    ledger = post(Ledger(), [move(1, HOUSE, LAYOUT, MOST)])

    assert ledger.balance(HOUSE) == -MOST
    assert refusal(ledger, move(2, HOUSE, ANN, 1)) == Refusal(
        "ledger/short", {"account": HOUSE, "amount": 1, "room": 0}
    )


def test_no_account_rises_above_the_greatest_balance() -> None:
    ledger = post(Ledger(), [move(1, HOUSE, LAYOUT, MOST)])

    assert refusal(ledger, move(2, cage(), LAYOUT, 1)) == Refusal(
        "ledger/full", {"account": LAYOUT, "most": MOST}
    )


def test_a_debt_is_paid_off_and_never_overpaid() -> None:
    owes_50 = post(Ledger(), [move(1, debt("ann"), HOUSE, 50), move(2, cage(), ANN, 100)])

    assert post(owes_50, [move(3, ANN, debt("ann"), 50)]).balance(debt("ann")) == 0
    assert refusal(owes_50, move(3, ANN, debt("ann"), 51)) == Refusal(
        "ledger/full", {"account": debt("ann"), "most": 0}
    )


@every("amount", [0, -1, MOST + 1, True, False, 1.0, "1", None])
def test_what_is_no_amount_is_refused(amount: Any) -> None:
    expected = Refusal("ledger/amount", {"amount": amount, "most": MOST})

    assert refusal(Ledger(), move(1, cage(), ANN, amount)) == expected
    with pytest.raises(Refusal) as refused:
        check_amount(amount)
    assert refused.value == expected


@pytest.mark.parametrize("amount", [1, MOST])
def test_the_least_and_the_greatest_amount(amount: int) -> None:
    assert post(Ledger(), [move(1, cage(), ANN, amount)]).balance(ANN) == amount


def test_an_account_does_not_pay_itself() -> None:
    assert refusal(ANN_HAS_1000, move(1, STACK, STACK, 1)) == Refusal(
        "ledger/same-account", {"account": STACK}
    )


@every("made_up", ["purse:ann", "wallet", "wallet:a:b"])
def test_there_are_no_other_accounts(made_up: str) -> None:
    unknown = Refusal("ledger/account", {"account": made_up})

    assert refusal(Ledger(), move(1, cage(), AccountId(made_up), 1)) == unknown
    assert refusal(Ledger(), move(1, AccountId(made_up), cage(), 1)) == unknown


@every(
    ("debit", "credit"),
    [
        (ANN, BOB),
        (ANN, stack("t7", "bob")),
        (STACK, BOB),
        (STACK, stack("t7", "bob")),
        (debt("ann"), BOB),
        (ANN, debt("bob")),
    ],
)
def test_no_money_passes_between_patrons(debit: AccountId, credit: AccountId) -> None:
    ledger = post(
        Ledger(),
        [move(1, cage(), ANN, 9), move(2, cage(), STACK, 9), move(3, debt("bob"), HOUSE, 9)],
    )
    forbidden = Refusal("ledger/between-patrons", {"debit": debit, "credit": credit})

    assert refusal(ledger, move(4, debit, credit, 1)) == forbidden
    assert refusal(ledger, hold(4, debit, credit, 1)) == forbidden


@pytest.mark.parametrize("credit", [stack("t8", "ann"), ANN])
def test_a_patrons_own_accounts_may_pay_each_other(credit: AccountId) -> None:
    assert post(ANN_HAS_1000, [move(1, STACK, credit, 7)]).balance(credit) == 7


@every("reason", ["", " ", "\n"])
def test_a_transfer_says_why(reason: str) -> None:
    silent = Transfer(tid(2), STACK, LAYOUT, 1, reason)

    assert refusal(ANN_HAS_1000, silent) == Refusal("ledger/no-reason", {"id": "t7:2.0"})


# --- ids


def test_an_id_is_used_once_for_ever() -> None:
    once = move(5, STACK, LAYOUT, 1)
    ledger = post(ANN_HAS_1000, [once])

    assert refusal(ledger, once) == Refusal("ledger/duplicate", {"id": "t7:5.0", "last": "t7:5.0"})
    assert refusal(post(ledger, [move(9, STACK, LAYOUT, 1)]), once) == Refusal(
        "ledger/duplicate", {"id": "t7:5.0", "last": "t7:9.0"}
    )


def test_an_id_is_used_once_within_a_batch() -> None:
    once = move(5, STACK, LAYOUT, 1)

    assert refusal(ANN_HAS_1000, once, once).code == "ledger/duplicate"


def test_a_source_counts_upwards_by_event_and_then_by_place() -> None:
    ids = [TransferId(f"t7:{order}") for order in ("2.9", "2.10", "10.0", "10.1")]
    entries = [Transfer(one, STACK, LAYOUT, 1, "test") for one in ids]

    assert post(ANN_HAS_1000, entries).balance(LAYOUT) == 4
    for first in range(4):
        for second in range(first + 1):
            batch = (entries[first], entries[second])
            assert refusal(ANN_HAS_1000, *batch).code == "ledger/duplicate"


def test_sources_count_apart() -> None:
    ledger = post(ANN_HAS_1000, [move(5, STACK, LAYOUT, 1)])
    other = Transfer(tid(5, "t8"), STACK, LAYOUT, 1, "test")

    assert dict(post(ledger, [other]).last) == {"cage": (1, 0), "t7": (5, 0), "t8": (5, 0)}


@every(
    "entry",
    [
        Transfer(TransferId("x"), STACK, LAYOUT, 1, "test"),
        Post(TransferId("x"), tid(1)),
        Void(TransferId("x"), tid(1)),
    ],
)
def test_an_entry_without_a_proper_id_is_refused(entry: Entry) -> None:
    assert refusal(STAKED_300, entry) == Refusal("ledger/id", {"id": "x"})


@pytest.mark.parametrize("entry", [Post(tid(1), tid(1)), Void(tid(1), tid(1))])
def test_posts_and_voids_need_ids_of_their_own(entry: Entry) -> None:
    assert refusal(STAKED_300, entry).code == "ledger/duplicate"


# --- pending, post, void


def test_a_pending_transfer_holds_the_debit_side_at_once_and_moves_nothing() -> None:
    assert state(STAKED_300, STACK) == (1_000, 300, 700)
    assert state(STAKED_300, LAYOUT) == (0, 0, 0)


def test_what_is_held_cannot_be_spent_again() -> None:
    for entry in (move(2, STACK, LAYOUT, 701), hold(2, STACK, LAYOUT, 701)):
        assert refusal(STAKED_300, entry) == Refusal(
            "ledger/short", {"account": STACK, "amount": 701, "room": 700}
        )
    assert state(post(STAKED_300, [move(2, STACK, LAYOUT, 700)]), STACK) == (300, 300, 0)
    assert state(post(STAKED_300, [hold(2, STACK, LAYOUT, 700)]), STACK) == (1_000, 1_000, 0)


def test_posting_moves_all_that_was_held() -> None:
    after = post(STAKED_300, [Post(tid(2), tid(1))])

    assert state(after, STACK) == (700, 0, 700)
    assert state(after, LAYOUT) == (300, 0, 300)
    assert len(after.pending) == 0


def test_posting_a_part_releases_the_rest() -> None:
    after = post(STAKED_300, [Post(tid(2), tid(1), amount=100)])

    assert state(after, STACK) == (900, 0, 900)
    assert state(after, LAYOUT) == (100, 0, 100)
    assert refusal(after, Post(tid(3), tid(1), amount=200)).code == "ledger/not-pending"


def test_no_more_is_posted_than_was_promised() -> None:
    assert post(STAKED_300, [Post(tid(2), tid(1), amount=300)]).balance(LAYOUT) == 300
    assert refusal(STAKED_300, Post(tid(2), tid(1), amount=301)) == Refusal(
        "ledger/too-much", {"amount": 301, "promised": 300, "id": "t7:1.0"}
    )


@every("amount", [0, -1, True, MOST + 1])
def test_a_part_is_an_amount_too(amount: int) -> None:
    assert refusal(STAKED_300, Post(tid(2), tid(1), amount=amount)).code == "ledger/amount"


def test_voiding_releases_everything() -> None:
    after = post(STAKED_300, [Void(tid(2), tid(1))])

    assert state(after, STACK) == (1_000, 0, 1_000)
    assert state(after, LAYOUT) == (0, 0, 0)
    assert len(after.pending) == 0


@every("first", [Post(tid(2), tid(1)), Void(tid(2), tid(1)), Post(tid(2), tid(1), 1)])
@every("second", [Post(tid(3), tid(1)), Void(tid(3), tid(1))])
def test_a_pending_transfer_is_completed_exactly_once(first: Entry, second: Entry) -> None:
    gone = Refusal("ledger/not-pending", {"id": "t7:1.0"})

    assert refusal(post(STAKED_300, [first]), second) == gone
    assert refusal(STAKED_300, first, second) == gone


@every("entry", [Post(tid(2), tid(9)), Void(tid(2), tid(9)), Void(tid(2), tid(2))])
def test_what_was_never_promised_cannot_be_completed(entry: Entry) -> None:
    assert refusal(STAKED_300, entry).code == "ledger/not-pending"


def test_a_transfer_already_moved_is_not_pending() -> None:
    ledger = post(ANN_HAS_1000, [move(1, STACK, LAYOUT, 5)])

    assert refusal(ledger, Void(tid(2), tid(1))).code == "ledger/not-pending"


def test_a_batch_may_complete_what_it_began() -> None:
    after = post(ANN_HAS_1000, [hold(1, STACK, LAYOUT, 300), Post(tid(2), tid(1), amount=30)])

    assert state(after, STACK) == (970, 0, 970)
    assert len(after.pending) == 0


def test_two_stakes_are_held_and_completed_apart() -> None:
    both = post(STAKED_300, [hold(2, STACK, LAYOUT, 200)])
    after = post(both, [Void(tid(3), tid(1))])

    assert state(both, STACK) == (1_000, 500, 500)
    assert state(after, STACK) == (1_000, 200, 800)
    assert dict(after.pending) == {tid(2): hold(2, STACK, LAYOUT, 200)}


def test_the_house_may_promise_what_it_has_not() -> None:
    ledger = post(Ledger(), [hold(1, HOUSE, STACK, 80)])

    assert state(ledger, HOUSE) == (0, 80, -80)
    assert state(post(ledger, [Post(tid(2), tid(1))]), HOUSE) == (-80, 0, -80)


# --- batches


def test_money_that_comes_in_may_go_out_within_a_batch() -> None:
    after = post(Ledger(), [move(1, cage(), STACK, 10), move(2, STACK, LAYOUT, 10)])

    assert (after.balance(STACK), after.balance(LAYOUT)) == (0, 10)


def test_order_matters_within_a_batch() -> None:
    assert refusal(Ledger(), move(1, STACK, LAYOUT, 10), move(2, cage(), STACK, 10)) == Refusal(
        "ledger/short", {"account": STACK, "amount": 10, "room": 0}
    )


def test_a_batch_goes_in_whole_or_not_at_all() -> None:
    good = (move(2, STACK, LAYOUT, 10), Void(tid(3), tid(1)), hold(4, STACK, LAYOUT, 5))

    assert refusal(STAKED_300, *good, move(5, LAYOUT, HOUSE, 11)).code == "ledger/short"
    assert state(post(STAKED_300, good), STACK) == (990, 5, 985)


def test_a_round_from_stake_to_settlement() -> None:
    """Ann bets 300 on Banker and wins 285; 15 go to commission, apart from the house's loss."""
    after = post(
        STAKED_300,
        [
            Post(tid(2), tid(1)),
            move(3, LAYOUT, STACK, 300),
            move(4, HOUSE, STACK, 300),
            move(5, STACK, commission("t7"), 15),
        ],
    )

    assert {account: after.balance(account) for account in after.accounts} == {
        cage(): -1_000,
        STACK: 1_285,
        LAYOUT: 0,
        HOUSE: -300,
        commission("t7"): 15,
    }
    assert after.total() == 0


def test_what_is_no_entry_is_not_passed_over() -> None:
    """Nobody can hand this in by the rules of typing, and nothing is swallowed."""
    stranger: Any = Stranger(tid(1))

    with pytest.raises(AssertionError, match="got: Stranger"):
        post(Ledger(), [stranger])


@dataclass(frozen=True)
class Stranger:
    id: TransferId


def test_the_cost_of_a_batch_does_not_grow_with_the_ledger() -> None:
    """A small batch on a ledger of 5,000 accounts makes a handful of new nodes."""
    many = [move(place, cage(), wallet(f"p{place}"), 1) for place in range(5_000)]
    ledger = post(Ledger(), many)
    after = post(ledger, [move(5_000, cage(), wallet("p7"), 1)])

    assert len(_nodes(after.accounts._root) - _nodes(ledger.accounts._root)) <= 12
    assert len(after.last) == 1


def _nodes(node: object) -> set[int]:
    found = {id(node)}
    if isinstance(node, tuple):
        for child in node:
            found |= _nodes(child)
    return found
