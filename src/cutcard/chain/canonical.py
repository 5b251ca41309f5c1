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

import json
from collections.abc import Mapping

from cutcard.refusals import Refusal

MOST = 2**63 - 1
DEEPEST = 64
"""Lists and objects within one another; a record that is deeper is an attack."""


def canonical(value: object) -> bytes:
    """The bytes of a plain value.

    >>> canonical({"b": [1, True, None], "a": "庄"}).decode()
    '{"a":"庄","b":[1,true,null]}'
    """
    _check(value, 0)
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Refusal("chain/text") from None


def _check(value: object, depth: int) -> None:
    if value is None or isinstance(value, str | bool):
        return
    if isinstance(value, int):
        if not -MOST - 1 <= value <= MOST:
            raise Refusal("chain/number", {"most": MOST})
    elif not isinstance(value, list | dict):
        raise Refusal("chain/value", {"kind": type(value).__name__})
    elif depth == DEEPEST:
        raise Refusal("chain/deep", {"most": DEEPEST})
    else:
        if isinstance(value, dict):
            _check_keys(value)
        for one in value.values() if isinstance(value, dict) else value:
            _check(one, depth + 1)


def _check_keys(value: Mapping[object, object]) -> None:
    for key in value:
        # In JSON 1 and "1" would be the same key.
        if not isinstance(key, str):
            raise Refusal("chain/key", {"kind": type(key).__name__})
