"""A configuration written out: as a manual with every key explained, or as it is in effect."""

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from typing import Any

from cutcard.server.config import demonstration
from cutcard.server.settings import key_of
from cutcard.server.shapes import Config

WIDTH = 96

HEAD = """\
# The configuration of a cutcard venue. What stands here is the built-in demonstration; leave out
# whatever you do not change. Only venue.helpline and the tables have to be there."""


def document() -> str:
    """Every key with its meaning, around the values of the demonstration."""
    return "\n".join([HEAD, *_sections(demonstration(), explained=True)]) + "\n"


def effective(config: Config) -> str:
    """The configuration as it is in effect, defaults included, secrets left out."""
    return "\n".join(_sections(config, explained=False)).lstrip("\n") + "\n"


def without_secrets(address: str) -> str:
    """A database's address without its password.

    >>> without_secrets("postgresql://cutcard:hush@db/cutcard?password=hush")
    'postgresql://cutcard:…@db/cutcard?password=…'
    """
    hidden = re.sub(r"(?<=//)([^/?#]*?):([^/?#]*)@", r"\1:…@", address)
    return re.sub(r"(?i)([?&](?:\w*password|sslkey)=)[^&#]*", r"\1…", hidden)


def _sections(config: Config, *, explained: bool) -> Iterator[str]:
    for one in fields(config):
        value, name = getattr(config, one.name), key_of(one)
        yield ""
        if explained:
            yield from _comment(one.metadata["meaning"])
        if isinstance(value, Mapping):
            for number, (key, entry) in enumerate(value.items()):
                yield from _section(
                    f"[{name}.{key}]", entry, name, explained and not number, number
                )
        elif isinstance(value, tuple):
            for number, entry in enumerate(value):
                # The first one explains the keys for all.
                yield from _section(f"[[{name}]]", entry, name, explained and not number, number)
        else:
            yield from _section(f"[{name}]", value, name, explained)


def _section(
    head: str, entry: object, path: str, explained: bool, number: int = 0
) -> Iterator[str]:
    assert is_dataclass(entry)
    if number:
        yield ""
    yield head
    below = []
    for one in fields(entry):
        value = getattr(entry, one.name)
        # A table of TOML ends where the next begins, so nested ones come last.
        if is_dataclass(value) and not _inline(one):
            below.append((one, value))
        else:
            yield from _key(one, value, explained)
    for one, value in below:
        yield ""
        if explained:
            yield from _comment(one.metadata["meaning"])
        yield from _section(f"[{path}.{key_of(one)}]", value, path, explained)


def _inline(one: Field[Any]) -> bool:
    """Whether a nested table may be left out; these are short, and written on one line."""
    return one.default is None or one.default == ()


def _key(one: Field[Any], value: object, explained: bool) -> Iterator[str]:
    absent = value is None or (value == () and one.metadata["example"] is not None)
    if explained:
        yield from _comment(one.metadata["meaning"])
    elif absent:
        return
    shown = one.metadata["example"] if absent else value
    if one.name == "database":
        shown = without_secrets(str(shown))
    yield f"{'# ' if absent else ''}{key_of(one)} = {toml(shown)}"


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")


def toml(value: object) -> str:
    """A value on one line of TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Enum):
        return toml(value.value)
    if isinstance(value, tuple):
        return f"[{', '.join(toml(one) for one in value)}]"
    if is_dataclass(value):
        pairs = ((key_of(one), getattr(value, one.name)) for one in fields(value))
        given = ", ".join(f"{key} = {toml(one)}" for key, one in pairs if one not in (None, ()))
        return f"{{ {given} }}"
    return json.dumps(value, ensure_ascii=False)
