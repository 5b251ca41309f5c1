"""The browser's types are those of the messages."""

import re

from cutcard.server.types import PLACE, document
from cutcard.wire import api


def test_they_are_up_to_date() -> None:
    """`python -m cutcard.server.types` renews them."""
    assert PLACE.read_text(encoding="utf-8") == document()


def test_every_command_has_its_type() -> None:
    text = document()
    for one in api.Command.__args__:
        assert f"export interface {one.__name__} {{" in text
        assert f'is: "{one.__struct_config__.tag}";' in text


def test_every_type_that_is_named_is_there() -> None:
    text = document()
    named = set(re.findall(r"[:|<(] ?([A-Z]\w+)", re.sub(r"/\*\*.*?\*/|//.*", "", text)))

    assert {one for one in named if f"{one} {{" not in text and f"type {one}" not in text} <= {
        "Partial",
        "Record",
    }


def test_a_field_that_may_be_missing_says_so() -> None:
    text = document()

    assert "  stake: number;\n  box?: number | null;\n" in text
    assert "changes: Partial<TableShown>;" in text
