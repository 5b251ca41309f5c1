"""Cover: nobody's balance goes below zero; what is missing is owed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.ledger import (
    AccountId,
    Ledger,
    Transfer,
    cage,
    cover,
    debt,
    house,
    layout,
    numbered,
    post,
    stack,
    transfer_id,
    wallet,
)
from cutcard.refusals import Refusal
from tests.cases import every

STACK, WALLET, DEBT, HOUSE = stack("t7", "ann"), wallet("ann"), debt("ann"), house("t7")


def holding(stack: int, wallet: int, held: int = 0) -> Ledger:
    """Ann with so much at the table (part of it held) and so much in the wallet."""
    parts = [(STACK, stack), (WALLET, wallet)]
    entries = [
        Transfer(transfer_id("cage", place), cage(), account, amount, "test")
        for place, (account, amount) in enumerate(parts)
        if amount
    ]
    if held:
        promise = transfer_id("t7", 0)
        entries.append(Transfer(promise, STACK, layout("t7"), held, "stake", pending=True))
    return post(Ledger(), entries)


def correction(
    ledger: Ledger, amount: int, payers: tuple[AccountId, ...] = (STACK, WALLET)
) -> list[Transfer]:
    return cover(
        ledger,
        patron="ann",
        payers=payers,
        credit=HOUSE,
        amount=amount,
        reason="round 12 corrected",
        ids=numbered("t7", 12),
    )


def paid(entries: list[Transfer]) -> dict[AccountId, int]:
    return {entry.debit: entry.amount for entry in entries}


@every(
    ("stack", "wallet", "held", "amount", "parts"),
    [
        (100, 100, 0, 1, {STACK: 1}),
        (100, 100, 0, 100, {STACK: 100}),
        (100, 100, 0, 101, {STACK: 100, WALLET: 1}),
        (100, 100, 0, 200, {STACK: 100, WALLET: 100}),
        (100, 100, 0, 201, {STACK: 100, WALLET: 100, DEBT: 1}),
        (100, 0, 0, 150, {STACK: 100, DEBT: 50}),
        (0, 100, 0, 150, {WALLET: 100, DEBT: 50}),
        (0, 0, 0, 150, {DEBT: 150}),
        (100, 10, 60, 100, {STACK: 40, WALLET: 10, DEBT: 50}),
        (100, 10, 100, 10, {WALLET: 10}),
    ],
)
def test_the_stack_pays_first_then_the_wallet_and_the_rest_is_owed(
    stack: int, wallet: int, held: int, amount: int, parts: dict[AccountId, int]
) -> None:
    assert paid(correction(holding(stack, wallet, held), amount)) == parts


def test_every_part_says_why_and_has_its_own_id() -> None:
    assert correction(holding(100, 20), 150) == [
        Transfer(transfer_id("t7", 12, 0), STACK, HOUSE, 100, "round 12 corrected"),
        Transfer(transfer_id("t7", 12, 1), WALLET, HOUSE, 20, "round 12 corrected"),
        Transfer(transfer_id("t7", 12, 2), DEBT, HOUSE, 30, "round 12 corrected"),
    ]


def test_only_the_payers_named_pay() -> None:
    assert paid(correction(holding(100, 100), 150, payers=(STACK,))) == {STACK: 100, DEBT: 50}
    assert paid(correction(holding(100, 100), 150, payers=())) == {DEBT: 150}


def test_a_payer_named_twice_pays_once() -> None:
    parts = correction(holding(100, 0), 150, payers=(STACK, STACK))

    assert paid(parts) == {STACK: 100, DEBT: 50}


def test_an_old_debt_pays_nothing() -> None:
    ledger = post(
        holding(10, 0), [Transfer(transfer_id("t7", 1), DEBT, HOUSE, 500, "earlier debt")]
    )

    assert paid(correction(ledger, 30, payers=(DEBT, STACK))) == {STACK: 10, DEBT: 20}


@every("payer", [wallet("bob"), stack("t7", "bob"), HOUSE, cage()])
def test_nobody_pays_for_ann(payer: AccountId) -> None:
    with pytest.raises(Refusal) as refused:
        correction(holding(100, 100), 10, payers=(payer,))

    assert refused.value == Refusal("ledger/not-theirs", {"account": payer, "patron": "ann"})


@every("amount", [0, -1, True])
def test_only_an_amount_can_be_covered(amount: int) -> None:
    with pytest.raises(Refusal, match="is no amount"):
        correction(holding(100, 100), amount)


@given(
    stack=st.integers(0, 500),
    wallet=st.integers(0, 500),
    share=st.integers(0, 500),
    amount=st.integers(1, 2_000),
)
def test_what_is_covered_can_always_be_posted(
    stack: int, wallet: int, share: int, amount: int
) -> None:
    ledger = holding(stack, wallet, held=min(stack, share))
    after = post(ledger, correction(ledger, amount))

    assert after.balance(HOUSE) == amount
    assert after.available(STACK) >= 0
    assert after.available(WALLET) >= 0
    assert after.balance(DEBT) == min(0, stack - min(stack, share) + wallet - amount)
    assert after.total() == 0
