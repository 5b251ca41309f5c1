"""The journal: everything that happened on the floor, in primitive values.

One dict for each event, with the entries that it made in the ledger. The auditor
reads nothing else, so it can share no type and no code with the engine, and a
journal can be written to a file as JSON lines as it is.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum

from cutcard.ledger import Entry
from cutcard.rules.cards import Card

Record = dict[str, object]


def record(number: int, source: str, event: object, entries: list[Entry]) -> Record:
    """One event of one source as plain values."""
    return {
        "n": number,
        "source": source,
        "event": type(event).__name__,
        **{name: plain(getattr(event, name)) for name in _names(type(event))},
        "entries": [{"entry": type(one).__name__, **_of(one)} for one in entries],
    }


def plain(value: object) -> object:
    """Any value of the engine in strings, numbers, lists and dicts."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(one) for key, one in value.items()}
    assert is_dataclass(value), f"the journal has no words for {value!r}"
    return _of(value)


def _of(value: object) -> Record:
    return {name: plain(getattr(value, name)) for name in _names(type(value))}


_NAMES: dict[type, tuple[str, ...]] = {}


def _names(kind: type) -> tuple[str, ...]:
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in fields(kind))
    return _NAMES[kind]
