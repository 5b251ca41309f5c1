"""A shoe's steps as plain values and back: what goes into the log and leaves in a file.

Bytes are written in hexadecimal and cards in their notation. Reading refuses
whatever writing would not have written, so a record has one form only.
"""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, cast

from cutcard.fairness.steps import (
    CardShown,
    CardTaken,
    Commitment,
    SeedGiven,
    SeedsClosed,
    SeedSealed,
    ShoeAborted,
    ShoeOpened,
    Step,
)
from cutcard.refusals import Refusal
from cutcard.rules.cards import Card, format_cards, parse_cards

Plain = dict[str, object]

KINDS: dict[str, type[Any]] = {
    "Commitment": Commitment,
    "SeedSealed": SeedSealed,
    "SeedsClosed": SeedsClosed,
    "SeedGiven": SeedGiven,
    "CardShown": CardShown,
    "CardTaken": CardTaken,
    "ShoeOpened": ShoeOpened,
    "ShoeAborted": ShoeAborted,
}
"""By which name each step stands in a log, for ever."""

_NAMES = {kind: name for name, kind in KINDS.items()}


def plain(step: Commitment | Step) -> Plain:
    """A step in strings, numbers and lists."""
    written = {one.name: _write(getattr(step, one.name)) for one in fields(step)}
    return {"step": _NAMES[type(step)], **written}


def parse(record: object) -> Commitment | Step:
    """A step from plain values."""
    try:
        given = dict(cast(Plain, record))
        kind = KINDS[cast(str, given.pop("step"))]
        readers = {one.name: _READERS[one.type] for one in fields(kind)}
        read = {name: readers[name](value) for name, value in given.items()}
        step: Commitment | Step = kind(**read)
    except (Refusal, AttributeError, LookupError, TypeError, ValueError):
        raise Refusal("fairness/record") from None
    # Capitals, blanks and the like are read, but would never have been written.
    if plain(step) != record:
        raise Refusal("fairness/record")
    return step


def _write(value: object) -> object:
    match value:
        case bytes():
            return value.hex()
        case Card():
            return str(value)
        case (Card(), *_):
            return format_cards(cast(tuple[Card, ...], value))
        case tuple():
            return [one.hex() for one in value]
    return value


def _whole(value: object) -> int:
    # In Python True equals 1; in a record it is another value.
    if type(value) is not int:
        raise TypeError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


_READERS: dict[object, Callable[[Any], object]] = {
    int: _whole,
    str: _text,
    bytes: bytes.fromhex,
    Card: Card.parse,
    tuple[Card, ...]: parse_cards,
    tuple[bytes, ...]: lambda hashes: tuple(map(bytes.fromhex, hashes)),
}
