"""Canonical bytes: one record, one spelling.

The encoding is JSON in UTF-8 with nothing left to taste:

- values are null, true, false, whole numbers of 64 bits, texts, lists, and
  objects whose keys are texts; there are no fractions;
- no blanks; keys in the order of their code points, each once;
- texts as they are, unnormalised; only the quote, the backslash and the control
  characters below U+0020 are escaped: \\" \\\\ \\b \\f \\n \\r \\t, else \\u00xx;
- numbers in decimal, no plus sign, no leading nought.

So equal records have equal bytes on every machine, and different ones never do.
"""

from collections.abc import Iterable
from types import NoneType

import msgspec

from cutcard.refusals import Refusal

MOST = 2**63 - 1
DEEPEST = 64
"""Lists and objects within one another; a record that is deeper is an attack."""


def canonical(value: object) -> bytes:
    """The bytes of a plain value.

    >>> canonical({"b": [1, True, None], "a": "庄"}).decode()
    '{"a":"庄","b":[1,true,null]}'
    """
    _check((value,), 0)
    try:
        return _write(value)
    except UnicodeEncodeError:
        raise Refusal("chain/text") from None


def _bare(value: object) -> object:
    """What is derived from a text, a number, a list or an object counts as just that."""
    match value:
        case str():
            return str.__str__(value)
        case int():
            return int.__int__(value)
        case list():
            return list(value)
        case dict():
            return dict(value)
    raise AssertionError("only checked values are written")


_write = msgspec.json.Encoder(order="sorted", enc_hook=_bare).encode


_LEAST, _SIMPLE = -MOST - 1, {str, bool, NoneType}


def _check(values: Iterable[object], depth: int) -> None:
    for value in values:
        # Nearly every value is exactly of one of these types, and few are derived from one.
        kind = type(value)
        if kind in _SIMPLE or (kind is int and _LEAST <= value <= MOST):  # type: ignore[operator]
            continue
        if isinstance(value, dict):
            _check_keys(value)
            _check_inside(value.values(), depth)
        elif isinstance(value, list):
            _check_inside(value, depth)
        elif isinstance(value, int):
            if not _LEAST <= value <= MOST:
                raise Refusal("chain/number", {"most": MOST})
        elif not isinstance(value, str):
            raise Refusal("chain/value", {"kind": kind.__name__})


def _check_inside(values: Iterable[object], depth: int) -> None:
    if depth == DEEPEST:
        raise Refusal("chain/deep", {"most": DEEPEST})
    _check(values, depth + 1)


def _check_keys(value: dict[object, object]) -> None:
    for key in value:
        # In JSON 1 and "1" would be the same key.
        if not isinstance(key, str):
            raise Refusal("chain/key", {"kind": type(key).__name__})
