"""Typing a command and hearing what it says, for the tests of the command line."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple


class Said(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The JSON; money and odds are exact, so no number in it has a point."""
        assert (self.code, self.err) == (0, "")
        return json.loads(self.out, parse_float=_no_float, parse_constant=_no_float)

    @property
    def page(self) -> str:
        assert (self.code, self.err) == (0, "")
        return self.out


def _no_float(text: str) -> None:
    raise AssertionError(f"{text} is no exact number")


Ask = Callable[..., Said]
