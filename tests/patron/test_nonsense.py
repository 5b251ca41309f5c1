"""Whatever is asked in whatever types: an answer or a refusal with its sentence, never an error."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from functools import reduce
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.patron import (
    DAY,
    MINUTE,
    AcknowledgeRealityCheck,
    BookResult,
    CancelLoosening,
    Command,
    EndSession,
    Kind,
    Patron,
    RecordDeposit,
    SelfExclude,
    SetLimit,
    StartSession,
    TakeTimeOut,
    check_bet,
    check_buy_in,
    check_deposit,
    check_withdrawal,
    decide,
    evolve,
    reality_check,
)
from cutcard.refusals import LANGUAGES, Refusal
from tests.cases import every

NOON = 1_800_000_000_000

GOOD: list[Command] = [
    SetLimit(Kind.DEPOSIT_DAY, 500, NOON),
    SetLimit(Kind.REALITY_CHECK, MINUTE, NOON),
    CancelLoosening(Kind.LOSS_DAY, NOON),
    StartSession(NOON),
    AcknowledgeRealityCheck(NOON),
    EndSession(NOON),
    TakeTimeOut(DAY, NOON),
    SelfExclude(200 * DAY, NOON),
    RecordDeposit(5, NOON),
    BookResult(-5, NOON),
]


def after(*commands: Command) -> Patron:
    patron = Patron()
    for command in commands:
        patron = reduce(evolve, decide(patron, command), patron)
    return patron


WAITING = after(SetLimit(Kind.LOSS_DAY, 5, NOON), SetLimit(Kind.LOSS_DAY, 6, NOON))
PLAYING = after(
    SetLimit(Kind.LOSS_DAY, 5, NOON), SetLimit(Kind.LOSS_DAY, 6, NOON), StartSession(NOON)
)

MAY_BE_NONE = {(SetLimit, "amount"), (SelfExclude, "length"), (SelfExclude, "by")}

WRONG: list[Any] = [None, True, 0.0, 1.5, "", "5", "ann", b"", b"ann", [], [1], object()]
HUGE = [10**18, 10**18 + 1, 2**63, 10**30]
junk = st.sampled_from([*WRONG, *HUGE]) | st.floats() | st.text(max_size=5) | st.integers()


def answer(patron: Patron, command: Command) -> Refusal | None:
    """The refusal, which has its sentence everywhere; what is not refused also happens."""
    try:
        reduce(evolve, decide(patron, command), patron)
    except Refusal as refusal:
        for language in LANGUAGES:
            refusal.message(language)
        return refusal
    return None


def test_every_command_is_tried() -> None:
    assert {type(command) for command in GOOD} == set(get_args(Command))
    for command in GOOD:
        patron = Patron() if isinstance(command, StartSession) else PLAYING
        assert answer(patron, command) is None


@given(st.sampled_from(GOOD), st.sampled_from([Patron(), WAITING, PLAYING]), st.data())
def test_nothing_but_a_refusal_is_ever_raised(
    command: Command, patron: Patron, data: st.DataObject
) -> None:
    names = [field.name for field in fields(command)]
    changed = data.draw(st.sets(st.sampled_from(names), min_size=1))

    values: Any = {name: data.draw(junk) for name in sorted(changed)}

    answer(patron, replace(command, **values))


@every("command", GOOD, ids=lambda command: type(command).__name__)
def test_a_wrong_type_is_refused(command: Command) -> None:
    for field, value in product(fields(command), WRONG):
        if value is None and (type(command), field.name) in MAY_BE_NONE:
            continue
        if field.name == "by" and isinstance(value, str):
            continue
        changed = replace(command, **{field.name: value})
        assert answer(PLAYING, changed) is not None, changed


@every("at", [-1, 10**18 + 1, None, True, 1.0, "5"])
@every("command", GOOD, ids=lambda command: type(command).__name__)
def test_time_is_a_count_of_milliseconds(command: Command, at: Any) -> None:
    assert answer(PLAYING, replace(command, at=at)) == Refusal(
        "patron/clock", {"at": at, "most": 10**18}
    )


@pytest.mark.parametrize("at", [0, 10**18])
def test_the_first_and_the_last_millisecond(at: int) -> None:
    assert answer(Patron(), StartSession(at)) is None


CHECKS: list[Callable[[Patron, Any], object]] = [
    lambda patron, at: check_bet(patron, 1, at),
    lambda patron, at: check_deposit(patron, 1, at),
    lambda patron, at: check_withdrawal(patron, 1, at),
    check_buy_in,
    reality_check,
]


@every("at", [-1, 10**18 + 1, None, True, 1.0, "5"])
@every("check", CHECKS)
def test_questions_are_asked_at_a_time(check: Callable[[Patron, Any], object], at: Any) -> None:
    for patron in (Patron(), PLAYING):
        with pytest.raises(Refusal) as refused:
            check(patron, at)
        assert refused.value == Refusal("patron/clock", {"at": at, "most": 10**18})


@given(st.sampled_from([check_bet, check_deposit, check_withdrawal]), junk, junk)
def test_questions_are_answered_or_refused(
    check: Callable[..., None], amount: Any, at: Any
) -> None:
    with suppress(Refusal):
        check(PLAYING, amount, at)
    with suppress(Refusal):
        check_bet(PLAYING, 1, NOON, amount)
