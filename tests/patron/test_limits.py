"""Lengths of time, and which of two limits is the looser."""

from cutcard.patron.limits import (
    COOLING_OFF,
    DAY,
    DEPOSITS,
    HOUR,
    LONGEST,
    MINUTE,
    USUAL,
    WINDOW,
    Kind,
    looser,
)
from tests.cases import every


def test_lengths_are_milliseconds() -> None:
    assert (MINUTE, HOUR, DAY) == (60_000, 3_600_000, 86_400_000)
    assert COOLING_OFF == 86_400_000


def test_how_far_each_limit_looks_back() -> None:
    assert {kind: window // 3_600_000 for kind, window in WINDOW.items()} == {
        Kind.DEPOSIT_DAY: 24,
        Kind.DEPOSIT_WEEK: 168,
        Kind.DEPOSIT_MONTH: 720,
        Kind.LOSS_DAY: 24,
        Kind.TIME_DAY: 24,
    }
    assert set(DEPOSITS) == {Kind.DEPOSIT_DAY, Kind.DEPOSIT_WEEK, Kind.DEPOSIT_MONTH}


def test_which_limits_are_lengths_and_which_one_nobody_is_without() -> None:
    assert {kind: longest // MINUTE for kind, longest in LONGEST.items()} == {
        Kind.TIME_DAY: 1_440,
        Kind.REALITY_CHECK: 60,
    }
    assert {kind: usual // MINUTE for kind, usual in USUAL.items()} == {Kind.REALITY_CHECK: 30}


@every(
    ("new", "old", "answer"),
    [
        (100, 99, True),
        (100, 100, False),
        (100, 101, False),
        (None, 0, True),
        (None, None, False),
        (0, None, False),
        (10**18, None, False),
    ],
)
def test_which_limit_is_looser(new: int | None, old: int | None, answer: bool) -> None:
    assert looser(new, old) is answer
