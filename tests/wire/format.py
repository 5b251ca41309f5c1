"""The format of records as the types of the engine have it, and what may become of it.

`python -m tests.wire.format` writes it down: into format.toml of cutcard.wire, and beside the
golden packs as what was promised. It refuses to take back anything that was promised before.
"""

import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

import cutcard.wire
from cutcard.fairness.record import KINDS as STEPS
from cutcard.roads.result import Result
from cutcard.rules.cards import Card
from cutcard.wire import Standing
from cutcard.wire.codec import later, names
from cutcard.wire.kinds import CAGE_EVENTS, ENTRIES, PATRON_EVENTS, TABLE_EVENTS
from cutcard.wire.record import FORMAT

WRITTEN = Path(cutcard.wire.__file__).with_name("format.toml")
PROMISED = Path(__file__).parents[1] / "golden" / "format.toml"

Sections = dict[str, dict[str, str]]

HEADER = """\
# What the records of a log are made of (format {format}), name by name. A test holds every line
# to the types of the engine, and lets the whole only grow: what is new in a kind that was there
# before has a `?` after its name, which says that older records do not have it.
#
# After the colon: `?` may be null, `*` is a list, `→` an object from keys to values. A name with
# a capital is one of [parts] or, with the words that may stand there, one of [words]. A section
# in brackets is one of its kinds, whose name stands in the record too: under `step` that of a
# step, under `is` any other. In a step bytes are hexadecimal, and `cards` are one text.
"""

RECORDS = {
    "what happened at a table or in the cage": "event:[table]|[cage] entries:[entries]*",
    "a step of a verifiable shoe": "step:[steps]",
    "how a table stands before a round": "standing:Standing",
    "what happened to a patron's own protection": "patron:text event:[patron]",
}

SIMPLE: Mapping[Any, str] = {
    str: "text",
    int: "whole",
    bool: "flag",
    Card: "card",
    Result: "result",
}
IN_STEPS: Mapping[Any, str] = {
    **SIMPLE,
    bytes: "bytes",
    tuple[bytes, ...]: "bytes*",
    tuple[Card, ...]: "cards",
}


class Notation:
    """Writes types down; whatever they are made of is written down after them."""

    def __init__(self) -> None:
        self.words: dict[str, str] = {}
        self.parts: dict[str, str] = {}
        self._named: dict[str, type] = {}

    def kinds(self, kinds: Mapping[str, type]) -> dict[str, str]:
        return {name: self.kind(kind) for name, kind in kinds.items()}

    def kind(self, kind: type) -> str:
        hints = get_type_hints(kind)
        optional = {one: "?" if one in later(kind) else "" for one in names(kind)}
        return " ".join(
            f"{one}{mark}:{self.hint(hints[one]).removesuffix(mark)}"
            for one, mark in optional.items()
        )

    def hint(self, hint: Any) -> str:
        if isinstance(hint, NewType):
            return self.hint(hint.__supertype__)
        if hint in SIMPLE:
            return SIMPLE[hint]
        origin, inside = get_origin(hint), get_args(hint)
        if origin in (Union, UnionType):
            (some,) = (one for one in inside if one is not NoneType)
            return f"{self.hint(some)}?"
        if origin is tuple:
            return f"{self.hint(inside[0])}*"
        if origin is not None and issubclass(origin, Mapping):
            return f"{self.hint(inside[0])}→{self.hint((*inside, int)[1])}"
        name = self.name(hint)
        if issubclass(hint, Enum):
            self.words[name] = " | ".join(member.value for member in hint)
        elif name not in self.parts:
            assert is_dataclass(hint), f"the wire has no words for {hint!r}"
            self.parts[name] = ""
            self.parts[name] = self.kind(hint)  # type: ignore[arg-type]
        return name

    def name(self, kind: type) -> str:
        """Its own name; the second of that name is told apart by its room."""
        name = kind.__name__
        if self._named.setdefault(name, kind) is not kind:
            name = f"{kind.__module__.split('.')[1].capitalize()}{name}"
            assert self._named.setdefault(name, kind) is kind, f"two kinds {name}"
        return name


def of_the_engine() -> Sections:
    """The whole format, by section."""
    notation = Notation()
    found = {
        "records": RECORDS,
        "table": notation.kinds(TABLE_EVENTS),
        "cage": notation.kinds(CAGE_EVENTS),
        "patron": notation.kinds(PATRON_EVENTS),
        "entries": notation.kinds(ENTRIES),
        "steps": {
            name: " ".join(f"{one.name}:{IN_STEPS[one.type]}" for one in fields(kind))
            for name, kind in STEPS.items()
        },
    }
    notation.hint(Standing)
    return {**found, "parts": notation.parts, "words": notation.words}


def read(path: Path) -> Sections:
    found: Sections = tomllib.loads(path.read_text(encoding="utf-8"))
    return found


def places(sections: Sections, made_of: str, at: str = "") -> Iterator[str]:
    """Every place in a kind with what may stand there, whatever its parts are called.

    >>> sections = {"parts": {"Coup": "player:card*"}, "words": {"Side": "player | banker"}}
    >>> [*places(sections, "coup:Coup? side:Side at?:whole")]
    ['coup.player:card*', 'side:player', 'side:banker', 'at?:whole']
    """
    for field in made_of.split(" "):
        name, stands = field.split(":")
        last = stands.rpartition("→")[2].rstrip("?*")
        if last in sections["parts"]:
            yield from places(sections, sections["parts"][last], f"{at}{name}.")
        elif last in sections["words"]:
            yield from (f"{at}{name}:{one}" for one in sections["words"][last].split(" | "))
        else:
            yield f"{at}{name}:{stands}"


def taken_back(promised: Sections, now: Sections) -> Iterator[str]:
    """What was promised and holds no longer."""
    for section, kinds in promised.items():
        if section in ("parts", "words"):
            continue  # They are called as anybody likes; what stands in them is looked at below.
        for name, before in kinds.items():
            after = now.get(section, {}).get(name)
            if after is None:
                yield f"{name} is gone"
                continue
            old, new = [*places(promised, before)], [*places(now, after)]
            yield from (f"{name}: {one} is gone" for one in old if one not in new)
            known = {one.partition(":")[0] for one in old}
            yield from (
                f"{name}: {one} is new, and older records do not have it"
                for one in new
                if one.partition(":")[0] not in known and "?" not in one.partition(":")[0]
            )


def lines(sections: Sections) -> Iterator[str]:
    yield HEADER.format(format=FORMAT)
    for section, kinds in sections.items():
        yield f"\n[{section}]\n"
        for name, made_of in kinds.items():
            key = name if name.isalnum() else f'"{name}"'
            yield f'{key} = "{made_of}"\n'


def main() -> int:
    now = of_the_engine()
    broken = [*taken_back(read(PROMISED), now)] if PROMISED.exists() else []
    for one in broken:
        print(one)
    if not broken:
        for path in (WRITTEN, PROMISED):
            path.write_text("".join(lines(now)), encoding="utf-8")
    return len(broken)


def names_of(sections: Iterable[dict[str, str]]) -> list[str]:
    return [name for kinds in sections for name in kinds]


if __name__ == "__main__":
    sys.exit(main())
