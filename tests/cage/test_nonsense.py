"""Whatever is asked in whatever types: an event or a refusal with its sentence, never an error."""

from dataclasses import fields, replace
from itertools import product
from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from cutcard.cage import (
    BuyIn,
    Cage,
    CashOut,
    ClaimVoucher,
    Command,
    Deposit,
    ExpireVoucher,
    IssueVoucher,
    LoadTerminal,
    PayDebt,
    RedeemVoucher,
    ReleaseVoucher,
    ReprintVoucher,
    UnloadTerminal,
    VoidVoucher,
    VoucherNumber,
    Withdraw,
    decide,
    evolve,
    transfers,
)
from cutcard.ledger import Ledger, Transfer, debt, house, post, transfer_id
from cutcard.refusals import LANGUAGES, Refusal
from tests.cases import every

NEW, ISSUED, CLAIMED = (VoucherNumber(digit * 18) for digit in "123")


def issue(number: VoucherNumber, table: str | None) -> IssueVoucher:
    return IssueVoucher(number, "ann", table, 5, False, "T-1", expires_at=9, at=1)


GOOD: list[Command] = [
    Deposit("ann", 5, at=1),
    Withdraw("ann", 5, at=1),
    BuyIn("ann", "t7", 5, at=1),
    CashOut("ann", "t7", 5, bets_in_play=False, at=1),
    LoadTerminal("t7", "t-1", "ann", 5, at=1),
    LoadTerminal("t7", "t-1", None, 5, at=1),
    UnloadTerminal("t7", "t-1", "ann", 5, bets_in_play=False, at=1),
    UnloadTerminal("t7", "t-1", None, 5, bets_in_play=False, at=1),
    PayDebt("ann", 5, at=1),
    issue(NEW, "t7"),
    issue(NEW, None),
    ClaimVoucher(ISSUED, "T-1", at=1),
    ReleaseVoucher(CLAIMED, "T-1", at=1),
    RedeemVoucher(CLAIMED, "T-1", "ann", "t7", at=1),
    RedeemVoucher(CLAIMED, "T-1", "ann", None, at=1),
    VoidVoucher(ISSUED, "T-1", "paper jam", at=1),
    ExpireVoucher(ISSUED, at=9),
    ReprintVoucher(ISSUED, "T-1", at=1),
]
MAY_BE_NONE = {
    (IssueVoucher, "table"),
    (RedeemVoucher, "patron"),
    (RedeemVoucher, "table"),
    (LoadTerminal, "patron"),
    (UnloadTerminal, "patron"),
}


def opened() -> tuple[Cage, Ledger]:
    """A cage where every good command is done."""
    owed = Transfer(transfer_id("t7", 1), debt("ann"), house("t7"), 5, "round corrected")
    cage, ledger = Cage(), post(Ledger(), [owed])
    for command in (
        Deposit("ann", 100, at=1),
        BuyIn("ann", "t7", 50, at=1),
        LoadTerminal("t7", "t-1", None, 5, at=1),
        issue(ISSUED, "t7"),
        issue(CLAIMED, None),
        ClaimVoucher(CLAIMED, "T-1", at=1),
    ):
        for event in decide(cage, command, ledger):
            cage, ledger = evolve(cage, event), post(ledger, transfers(event))
    return cage, ledger


CAGE, LEDGER = opened()

WRONG: list[Any] = [None, 0.0, 1.5, float("nan"), float("inf"), 1j, b"", b"ann", [], [1], object()]
junk = st.one_of(
    st.sampled_from(WRONG),
    st.floats(),
    st.complex_numbers(),
    st.booleans(),
    st.integers(),
    st.text(max_size=5),
    st.sampled_from([10**15, 10**15 + 1, 10**18, 10**18 + 1, 10**30, ISSUED, CLAIMED]),
)


def answer(command: Command) -> Refusal | None:
    """The refusal, which has its sentence everywhere; what is not refused also happens."""
    try:
        for event in decide(CAGE, command, LEDGER):
            evolve(CAGE, event)
            post(LEDGER, transfers(event))
    except Refusal as refusal:
        for language in LANGUAGES:
            refusal.message(language)
        return refusal
    return None


def test_every_command_is_tried() -> None:
    assert {type(command) for command in GOOD} == set(get_args(Command))
    assert [answer(command) for command in GOOD] == [None] * len(GOOD)


@given(st.sampled_from(GOOD), st.data())
def test_nothing_but_a_refusal_is_ever_raised(command: Command, data: st.DataObject) -> None:
    names = [field.name for field in fields(command)]
    changed = data.draw(st.sets(st.sampled_from(names), min_size=1))
    values: Any = {name: data.draw(junk) for name in sorted(changed)}

    answer(replace(command, **values))


@every("command", GOOD, ids=lambda command: type(command).__name__)
def test_a_wrong_type_is_refused(command: Command) -> None:
    for field, value in product(fields(command), WRONG):
        if value is None and (type(command), field.name) in MAY_BE_NONE:
            continue
        changed = replace(command, **{field.name: value})
        assert answer(changed) is not None, changed
