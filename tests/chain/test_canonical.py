"""Canonical bytes: one spelling for a record, another for every other record."""

import json
from enum import IntEnum, StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.chain import canonical
from cutcard.chain.canonical import DEEPEST, MOST
from cutcard.refusals import Refusal
from tests.cases import every

SCALARS = st.none() | st.booleans() | st.integers(-MOST - 1, MOST) | st.text()
PLAIN = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12
)


class Colour(StrEnum):
    RED = "red"


class Size(IntEnum):
    LARGE = 3


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@every(
    ("value", "written"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-5, "-5"),
        (MOST, "9223372036854775807"),
        (-MOST - 1, "-9223372036854775808"),
        ("", '""'),
        ("Salon Privé 庄 🂡", '"Salon Privé 庄 🂡"'),
        ('"\\/', '"\\"\\\\/"'),
        ("\b\f\n\r\t", '"\\b\\f\\n\\r\\t"'),
        ("\x00\x1f\x7f\u2028", '"\\u0000\\u001f\x7f\u2028"'),
        ([], "[]"),
        ([1, "a", None, [True]], '[1,"a",null,[true]]'),
        ({}, "{}"),
        ({"b": 1, "a": 2, "B": 3, "": 4}, '{"":4,"B":3,"a":2,"b":1}'),
    ],
)
def test_how_a_value_is_written(value: object, written: str) -> None:
    assert canonical(value) == written.encode()


def test_keys_stand_in_the_order_of_code_points() -> None:
    """Not in the order of UTF-16 units, in which the card would come before the full width A."""
    assert canonical({"\U0001f0a1": 1, "\uff21": 2}) == '{"\uff21":2,"\U0001f0a1":1}'.encode()


def test_texts_are_not_normalised() -> None:
    assert canonical("\u00e9") != canonical("e\u0301")


def test_a_text_or_number_with_a_name_is_written_as_what_it_is() -> None:
    assert canonical([Colour.RED, Size.LARGE]) == b'["red",3]'


@given(PLAIN)
def test_what_was_written_is_read_back(value: object) -> None:
    assert json.loads(canonical(value)) == value


@given(PLAIN, PLAIN)
def test_different_values_have_different_bytes(one: object, other: object) -> None:
    # In Python True equals 1, in a log it does not; so the readings are compared as written.
    assert (canonical(one) == canonical(other)) == (repr_of(one) == repr_of(other))


def repr_of(value: object) -> str:
    """A second way to tell values apart."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {repr_of(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(repr_of, value)) + "]"
    return repr(value)


@given(st.dictionaries(st.text(), st.integers(0, 9)), st.randoms(use_true_random=False))
def test_the_order_in_which_keys_were_put_in_does_not_matter(
    value: dict[str, int], chance: object
) -> None:
    keys = sorted(value, key=lambda key: hash((key, repr(chance))))

    assert canonical({key: value[key] for key in keys}) == canonical(value)


@every(
    ("value", "refusal"),
    [
        (1.0, Refusal("chain/value", {"kind": "float"})),
        (float("nan"), Refusal("chain/value", {"kind": "float"})),
        (b"", Refusal("chain/value", {"kind": "bytes"})),
        ((1,), Refusal("chain/value", {"kind": "tuple"})),
        ({1}, Refusal("chain/value", {"kind": "set"})),
        ([{"a": [0.5]}], Refusal("chain/value", {"kind": "float"})),
        ({1: 2}, Refusal("chain/key", {"kind": "int"})),
        ({None: 2}, Refusal("chain/key", {"kind": "NoneType"})),
        ({"a": 1, 2: 3}, Refusal("chain/key", {"kind": "int"})),
        (MOST + 1, Refusal("chain/number", {"most": MOST})),
        (-MOST - 2, Refusal("chain/number", {"most": MOST})),
        (10**4000, Refusal("chain/number", {"most": MOST})),
        ("\ud800", Refusal("chain/text")),
        ({"\udfff": 1}, Refusal("chain/text")),
        (nested(DEEPEST + 1), Refusal("chain/deep", {"most": DEEPEST})),
        (nested(5000), Refusal("chain/deep", {"most": DEEPEST})),
    ],
)
def test_what_has_no_place_in_the_log(value: object, refusal: Refusal) -> None:
    with pytest.raises(Refusal) as refused:
        canonical(value)

    assert refused.value == refusal


def test_the_deepest_record() -> None:
    assert canonical(nested(DEEPEST)) == b"[" * DEEPEST + b"1" + b"]" * DEEPEST
