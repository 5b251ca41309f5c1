"""What may stand in a configuration: each key's kind, its meaning, and how it is read.

A key is declared once, as a field of a frozen dataclass that carries its kind and its
sentence. Reading, refusing and the printed manual all come from that declaration, so a
key without an explanation cannot exist.
"""

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from enum import Enum
from typing import Any, Protocol, TypeVar

from cutcard.refusals import Refusal
from cutcard.rules.node import nearest

LONGEST_TEXT = 500
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Place:
    """A file and the path of a key in it, as refusals name them."""

    file: str
    path: str = ""

    def below(self, key: str) -> "Place":
        return Place(self.file, f"{self.path}.{key}" if self.path else key)


class Kind(Protocol):
    """What a key's value must be."""

    def read(self, value: object, place: Place) -> object:
        """The value as the configuration holds it, or a refusal that names the place."""


def told(kind: Kind, meaning: str, *, example: object = None, key: str = "") -> Mapping[str, Any]:
    """The metadata of a field: its kind, its meaning, its name in the file if that differs.

    A key that may be left out altogether has an example for the manual to show.
    """
    return {"kind": kind, "meaning": meaning, "example": example, "key": key}


def key_of(field: Field[Any]) -> str:
    return field.metadata["key"] or field.name


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; where a pattern is given, all of it must fit."""

    pattern: str = ""
    like: str = ""
    """What a text that fits looks like, for whoever wrote one that does not."""

    empty: bool = False
    """Whether there may be none."""

    def read(self, value: object, place: Place) -> str:
        if self.empty and value == "":
            return ""
        good = isinstance(value, str) and value.strip() and len(value) <= LONGEST_TEXT
        if not isinstance(value, str) or not good or CONTROL.search(value):
            raise Refusal(
                "config/not-text", {"file": place.file, "place": place.path, "most": LONGEST_TEXT}
            )
        if self.pattern and not re.fullmatch(self.pattern, value):
            raise Refusal(
                "config/not-like",
                {"file": place.file, "place": place.path, "word": value, "like": self.like},
            )
        return value


@dataclass(frozen=True, slots=True)
class Texts:
    """A list of texts of one kind; it may be empty."""

    each: Text

    def read(self, value: object, place: Place) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise Refusal("config/not-texts", {"file": place.file, "place": place.path})
        return tuple(self.each.read(one, place) for one in value)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number between two others, both included."""

    least: int
    most: int

    def read(self, value: object, place: Place) -> int:
        # True is an int in Python, and no number in a configuration.
        if type(value) is not int or not self.least <= value <= self.most:
            raise not_whole(place, self.least, self.most)
        return value


def not_whole(place: Place, least: int, most: int) -> Refusal:
    return Refusal(
        "config/not-whole",
        {"file": place.file, "place": place.path, "least": least, "most": most},
    )


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    def read(self, value: object, place: Place) -> bool:
        if not isinstance(value, bool):
            raise Refusal("config/not-flag", {"file": place.file, "place": place.path})
        return value


@dataclass(frozen=True, slots=True)
class Word:
    """One of some known words."""

    known: tuple[str, ...]

    def read(self, value: object, place: Place) -> str:
        if value not in self.known:
            raise unknown_word(place, str(value), self.known)
        return str(value)


def unknown_word(place: Place, word: str, known: tuple[str, ...]) -> Refusal:
    return Refusal(
        "config/unknown-word",
        {"file": place.file, "place": place.path, "word": word, "known": nearest(word, known)},
    )


@dataclass(frozen=True, slots=True)
class Member:
    """One of the members of an enumeration, written as its value."""

    kind: type[Enum]

    def read(self, value: object, place: Place) -> Enum:
        return self.kind(Word(tuple(str(one.value) for one in self.kind)).read(value, place))


@dataclass(frozen=True, slots=True)
class Section:
    """A table of its own keys."""

    shape: type[Any]

    def read(self, value: object, place: Place) -> object:
        return read_section(self.shape, value, place)


@dataclass(frozen=True, slots=True)
class Sections:
    """An array of tables of one shape; it may be empty."""

    shape: type[Any]

    def read(self, value: object, place: Place) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise Refusal("config/not-tables", {"file": place.file, "place": place.path})
        return tuple(
            read_section(self.shape, entry, Place(place.file, f"{place.path}[{number}]"))
            for number, entry in enumerate(value, start=1)
        )


@dataclass(frozen=True, slots=True)
class Named:
    """Tables of one shape, each under a name."""

    shape: type[Any]
    name: Text

    def read(self, value: object, place: Place) -> dict[str, object]:
        found: dict[str, object] = {}
        for name, entry in table_of(value, place).items():
            below = place.below(name)
            found[self.name.read(name, below)] = read_section(self.shape, entry, below)
        return found


def table_of(value: object, place: Place) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise Refusal("config/not-table", {"file": place.file, "place": place.path})
    return value


def read_section(shape: type[Read], value: object, place: Place) -> Read:
    """A dataclass from a table of the file: every key known, and of its kind."""
    table = table_of(value, place)
    known: dict[str, Field[Any]] = {key_of(one): one for one in fields(shape)}  # type: ignore[arg-type]
    # A misspelt key is named before the key that it leaves missing.
    for key in table:
        if key not in known:
            raise Refusal(
                "config/unknown-key",
                {
                    "file": place.file,
                    "place": place.path,
                    "key": key,
                    "known": nearest(key, known),
                },
            )
    given = {
        one.name: one.metadata["kind"].read(table[key], place.below(key))
        for key, one in known.items()
        if key in table
    }
    for key, one in known.items():
        if key not in table and one.default is MISSING and one.default_factory is MISSING:
            raise Refusal("config/missing", {"file": place.file, "place": place.path, "key": key})
    return shape(**given)
