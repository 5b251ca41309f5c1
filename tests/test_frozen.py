"""Frozen values: a changed copy is what the standard library would make, and answers are kept."""

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property

import pytest

from cutcard.frozen import once, replace
from tests.cases import every


@dataclass(frozen=True)
class Plain:
    one: int
    two: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Slotted:
    one: int
    two: str = ""


@dataclass(frozen=True)
class Checked:
    one: int
    double: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", 2 * self.one)


@dataclass(frozen=True)
class Remembering:
    one: int

    @cached_property
    def double(self) -> int:
        return 2 * self.one


@every("value", [Plain(1, {"a": 2}), Slotted(1, "b"), Checked(1), Remembering(1)])
def test_a_copy_is_the_one_the_standard_library_makes(
    value: Plain | Slotted | Checked | Remembering,
) -> None:
    copy = replace(value, one=5)

    assert copy == dataclasses.replace(value, one=5)
    assert repr(copy) == repr(dataclasses.replace(value, one=5))
    assert value.one == 1


def test_what_is_not_changed_is_shared() -> None:
    value = Plain(1, {"a": 2})

    assert replace(value, one=5).two is value.two


def test_a_copy_is_as_frozen_as_the_value() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(Plain(1), one=2).one = 3  # type: ignore[misc]


@every("value", [Plain(1), Slotted(1), Checked(1), Remembering(1)])
def test_a_field_that_is_not_there_cannot_be_changed(value: object) -> None:
    with pytest.raises(TypeError, match="three"):
        replace(value, three=3)  # type: ignore[type-var]


def test_a_copy_does_not_answer_with_what_was_true_of_the_value() -> None:
    value = Remembering(1)
    assert value.double == 2

    assert replace(value, one=5).double == 10


def test_the_same_value_is_asked_once_and_an_equal_one_again() -> None:
    asked: list[dict[str, int]] = []

    @once(2)
    def size(value: dict[str, int]) -> int:
        """How many there are."""
        asked.append(value)
        return len(value)

    value, equal = {"a": 1}, {"a": 1}

    assert [size(value), size(value), size(equal), size(value)] == [1, 1, 1, 1]
    assert len(asked) == 2
    assert size.__doc__ == "How many there are."


def test_what_was_asked_long_ago_is_asked_again() -> None:
    asked: list[int] = []

    @once(1)
    def note(value: list[int]) -> None:
        asked.append(len(value))

    first, second = [1], [1, 2]

    for value in (first, second, first):
        note(value)

    assert asked == [1, 2, 1]
