"""Every kind of key: what it takes, and the sentence for what it does not."""

from dataclasses import dataclass, field
from enum import Enum

import pytest

from cutcard.refusals import Refusal
from cutcard.server.settings import (
    Flag,
    Kind,
    Member,
    Named,
    Place,
    Section,
    Sections,
    Text,
    Texts,
    Whole,
    Word,
    read_section,
    told,
)
from tests.cases import every

HERE = Place("my.toml", "server.port")


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    colour: Colour = field(metadata=told(Member(Colour), "Its colour."))
    size: int = field(default=3, metadata=told(Whole(1, 9), "Its size.", key="how_big"))


@every(
    ("kind", "value", "read"),
    [
        (Text(), "Marina Bay", "Marina Bay"),
        (Text("[a-z]+", "abc"), "abc", "abc"),
        (Texts(Text()), [], ()),
        (Texts(Text()), ["a", "b"], ("a", "b")),
        (Whole(0, 9), 0, 0),
        (Whole(0, 9), 9, 9),
        (Flag(), True, True),
        (Word(("en", "fr")), "fr", "fr"),
        (Member(Colour), "red", Colour.RED),
        (Section(Box), {"colour": "red"}, Box(colour=Colour.RED)),
        (Sections(Box), [], ()),
        (Sections(Box), [{"colour": "blue", "how_big": 9}], (Box(colour=Colour.BLUE, size=9),)),
        (Named(Box, Text("[a-z]+", "a")), {"a": {"colour": "red"}}, {"a": Box(colour=Colour.RED)}),
    ],
)
def test_what_a_kind_takes(kind: Kind, value: object, read: object) -> None:
    assert kind.read(value, HERE) == read


@every(
    ("kind", "value", "code"),
    [
        (Text(), "", "not-text"),
        (Text(), "  ", "not-text"),
        (Text(), 7, "not-text"),
        (Text(), "two\nlines", "not-text"),
        (Text(), "a\u2028b", "not-text"),
        (Text(), "x" * 501, "not-text"),
        (Text("[a-z]+", "abc"), "abc\n", "not-text"),
        (Text("[a-z]+", "abc"), "ABC", "not-like"),
        (Texts(Text()), "a", "not-texts"),
        (Texts(Text()), ["a", 1], "not-text"),
        (Whole(1, 9), 0, "not-whole"),
        (Whole(1, 9), 10, "not-whole"),
        (Whole(0, 9), True, "not-whole"),
        (Whole(0, 9), 1.0, "not-whole"),
        (Whole(0, 9), "1", "not-whole"),
        (Flag(), 1, "not-flag"),
        (Flag(), "true", "not-flag"),
        (Word(("en",)), "EN", "unknown-word"),
        (Word(("en",)), ["en"], "unknown-word"),
        (Member(Colour), "green", "unknown-word"),
        (Section(Box), [], "not-table"),
        (Section(Box), {}, "missing"),
        (Section(Box), {"colour": "red", "size": 3}, "unknown-key"),
        (Sections(Box), {}, "not-tables"),
        (Sections(Box), [7], "not-table"),
        (Named(Box, Text("[a-z]+", "a")), {"A": {"colour": "red"}}, "not-like"),
        (Named(Box, Text("[a-z]+", "a")), [], "not-table"),
    ],
)
def test_what_a_kind_refuses(kind: Kind, value: object, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        kind.read(value, HERE)

    assert refused.value.code == f"config/{code}"
    assert refused.value.params["file"] == "my.toml"
    assert str(refused.value.params["place"]).startswith("server.port")


def test_a_refusal_names_the_path_of_the_key_in_the_file() -> None:
    with pytest.raises(Refusal) as refused:
        Sections(Box).read([{"colour": "red"}, {"colour": "red", "how_big": 0}], Place("f", "box"))

    assert str(refused.value) == "f, box[2].how_big: must be a whole number from 1 to 9."


def test_a_misspelt_key_is_named_before_the_one_that_is_missing() -> None:
    with pytest.raises(Refusal, match='top level: "color" means nothing here'):
        read_section(Box, {"color": "red"}, Place("f"))
