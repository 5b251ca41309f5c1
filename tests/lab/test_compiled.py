"""The compiler without a folder to keep anything in."""

from collections.abc import Callable
from typing import Any

import pytest

from cutcard.lab.compiled import compiled


def test_without_a_folder_to_write_to_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def njit(**how: Any) -> Callable[[Any], Any]:
        asked.append("cache" in how)
        if "cache" in how:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: function

    monkeypatch.setattr("cutcard.lab.compiled.njit", njit)

    assert compiled(len) is len
    assert asked == [True, False]
