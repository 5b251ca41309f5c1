"""Whatever fails among many cases is told, and none is left out."""

import inspect

import pytest

from tests.cases import every
from tests.patience import NeverEnds


def test_all_are_tried_and_fixtures_are_handed_on() -> None:
    seen = []

    @every("suit", "sh")
    @every("rank, points", [("9", 9), ("K", 0)])
    def test(rank: str, points: int, suit: str, fixture: str) -> None:
        seen.append((rank, points, suit, fixture))

    assert [*inspect.signature(test).parameters] == ["fixture"]
    test(fixture="house")  # type: ignore[call-arg]
    assert seen == [
        ("9", 9, "s", "house"),
        ("K", 0, "s", "house"),
        ("9", 9, "h", "house"),
        ("K", 0, "h", "house"),
    ]


def test_one_that_fails_is_named() -> None:
    @every("rank, points", [("9", 9), ("K", 10), ("A", 1)])
    def test(rank: str, points: int) -> None:
        assert points < 10, rank

    with pytest.raises(AssertionError) as failed:
        test()  # type: ignore[call-arg]
    assert failed.value.__notes__ == ["The case: rank = 'K', points = 10"]


def test_several_that_fail_are_all_named() -> None:
    @every("points", [1, 2, 3], ids=["one", "two", "three"])
    def test(points: int) -> None:
        with pytest.raises(ValueError, match="invalid literal"):
            int("two" if points == 2 else points)

    with pytest.raises(BaseExceptionGroup, match="2 of 3 cases") as failed:
        test()  # type: ignore[call-arg]
    assert [one.__notes__ for one in failed.value.exceptions] == [
        ["The case: one"],
        ["The case: three"],
    ]


def test_a_title_is_made_of_each_value() -> None:
    @every("points", [4, 5], ids=lambda points: f"{points} points")
    def test(points: int) -> None:
        assert points == 4

    with pytest.raises(AssertionError) as failed:
        test()  # type: ignore[call-arg]
    assert failed.value.__notes__ == ["The case: 5 points"]


def test_no_case_is_skipped_and_nothing_is_returned() -> None:
    @every("points", [1, 2])
    def skipping(points: int) -> None:
        assert points == 2
        pytest.skip("no reason is good enough")

    @every("points", [1])
    def returning(points: int) -> bool:
        return points == 2

    with pytest.raises(AssertionError, match="skipped"):
        skipping()  # type: ignore[call-arg]
    with pytest.raises(AssertionError, match="what it returns is lost"):
        returning()  # type: ignore[call-arg]


def test_a_case_that_never_ends_is_the_last() -> None:
    @every("points", [1, 2])
    def test(points: int) -> None:
        raise NeverEnds(points)

    with pytest.raises(NeverEnds, match="1"):
        test()  # type: ignore[call-arg]


def test_what_is_no_case_is_refused() -> None:
    with pytest.raises(AssertionError, match="without a case"):
        every("points", [])
    with pytest.raises(AssertionError, match="no case of 2 values"):
        every("rank, points", [("9",)])
    with pytest.raises(AssertionError, match="for parametrize"):
        every("rank, points, suit", [pytest.param("9", 9, "h")])
    with pytest.raises(AssertionError, match="takes no rank"):
        every("rank", "9K")(lambda points: None)
