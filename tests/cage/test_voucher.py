"""Vouchers: their numbers, and what is printed on the paper."""

from typing import Any

import pytest

from cutcard.cage import Slip, State, Voucher, VoucherNumber, slip
from cutcard.cage.voucher import check_number
from cutcard.ledger import stack
from cutcard.refusals import Refusal
from tests.cases import every

NUMBER = VoucherNumber("012345678901234567")


def voucher(state: State = State.ISSUED, reprints: int = 0) -> Voucher:
    return Voucher(
        number=NUMBER,
        amount=12_345,
        paid_by=stack("t7", "ann"),
        terminal="T-3",
        issued_at=1_000,
        expires_at=9_000,
        state=state,
        reprints=reprints,
    )


def test_a_slip_holds_figures_words_times_and_the_number_in_groups() -> None:
    assert slip(voucher(), "dollar", "cent") == Slip(
        number="01-2345-6789-0123-4567",
        amount=12_345,
        words="one hundred twenty-three dollars and forty-five cents",
        issued_at=1_000,
        expires_at=9_000,
        terminal="T-3",
        reprint=0,
    )


def test_a_reprint_is_marked_and_counted() -> None:
    assert slip(voucher(reprints=2), "dollar", "cent").reprint == 2


@every("number", ["0" * 18, "9" * 18, NUMBER])
def test_eighteen_digits_are_a_number(number: str) -> None:
    check_number(VoucherNumber(number))


@every(
    "number",
    [
        "",
        "1" * 17,
        "1" * 19,
        "1" * 17 + "x",
        "1" * 18 + "\n",
        " " + "1" * 17,
        "٣" * 18,
        10**17,
        None,
    ],
)
def test_anything_else_is_not(number: Any) -> None:
    with pytest.raises(Refusal) as refused:
        check_number(number)

    assert refused.value == Refusal("cage/voucher-number", {"number": number})


@every(
    ("state", "outstanding"),
    [
        (State.ISSUED, True),
        (State.PENDING, True),
        (State.REDEEMED, False),
        (State.VOIDED, False),
        (State.EXPIRED, False),
    ],
)
def test_a_voucher_is_owed_until_it_is_paid_voided_or_expired(
    state: State, outstanding: bool
) -> None:
    assert voucher(state).outstanding is outstanding
