"""Accounts: their names, their floors, and whose they are."""

from collections.abc import Callable

import pytest

from cutcard.ledger import (
    MOST,
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
from cutcard.ledger.accounts import KINDS, Kind, kind, owner
from cutcard.refusals import Refusal
from tests.cases import every

EVERY_KIND = {
    "wallet:ann": wallet("ann"),
    "stack:t7:ann": stack("t7", "ann"),
    "layout:t7": layout("t7"),
    "house:t7": house("t7"),
    "commission:t7": commission("t7"),
    "debt:ann": debt("ann"),
    "cage": cage(),
    "vouchers": vouchers(),
}


@every(("written", "made"), EVERY_KIND.items())
def test_an_account_says_what_it_is(written: str, made: AccountId) -> None:
    assert made == written


def test_every_kind_has_a_maker() -> None:
    assert {name.split(":")[0] for name in EVERY_KIND} == set(KINDS)


@every(
    ("account", "floor", "ceiling"),
    [
        (wallet("ann"), 0, 10**18),
        (stack("t7", "ann"), 0, 10**18),
        (layout("t7"), 0, 10**18),
        (commission("t7"), 0, 10**18),
        (vouchers(), 0, 10**18),
        (house("t7"), -(10**18), 10**18),
        (cage(), -(10**18), 10**18),
        (debt("ann"), -(10**18), 0),
    ],
)
def test_what_an_account_may_hold(account: AccountId, floor: int, ceiling: int) -> None:
    assert (kind(account).floor, kind(account).ceiling) == (floor, ceiling)


def test_the_greatest_balance_fits_64_bits_with_room_to_spare() -> None:
    assert MOST == 10**18
    assert 2 * MOST < 2**63


@every(
    ("account", "patron"),
    [
        (wallet("ann"), "ann"),
        (stack("t7", "bob"), "bob"),
        (debt("cid"), "cid"),
        (layout("t7"), None),
        (house("t7"), None),
        (commission("t7"), None),
        (cage(), None),
        (vouchers(), None),
    ],
)
def test_whose_money_it_is(account: AccountId, patron: str | None) -> None:
    assert owner(account) == patron


@every("part", ["", ":", "a:b", ":a", "a:", "a\nb", "\x00", "\ud800"])
@every(
    "maker",
    [
        wallet,
        layout,
        house,
        commission,
        debt,
        lambda part: stack(part, "ann"),
        lambda part: stack("t7", part),
    ],
)
def test_a_part_that_would_make_another_account_is_refused(
    maker: Callable[[str], AccountId], part: str
) -> None:
    with pytest.raises(Refusal) as refused:
        maker(part)

    assert refused.value == Refusal("ledger/name", {"text": part})


@every(
    "made_up",
    [
        "",
        "purse:ann",
        "Wallet:ann",
        "wallet",
        "wallet:",
        "wallet:ann:bob",
        "stack:t7",
        "stack:t7:",
        "stack::ann",
        "stack:t7:ann:bob",
        "cage:",
        "cage:ann",
        "vouchers:1",
        "layout:a\tb",
    ],
)
def test_an_account_that_no_maker_makes_is_refused(made_up: str) -> None:
    with pytest.raises(Refusal) as refused:
        kind(AccountId(made_up))

    assert refused.value == Refusal("ledger/account", {"account": made_up})


def test_names_may_be_in_any_script_and_hold_spaces_and_dots() -> None:
    account = stack("Salon Privé 7.b", "陳大文")

    assert kind(account) == Kind(parts=2, floor=0, ceiling=MOST, personal=True)
    assert owner(account) == "陳大文"
