"""What may stand in a command at all: values of the types that its fields name.

Commands come from outside, and Python lets anything stand anywhere. Whatever is
of another type is refused here, so that no log ever holds it.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from cutcard.refusals import Refusal

LATEST = 10**18
"""Beyond any time there will be; numbers up to here fit 64 bits."""


def check_types(command: object, kinds: tuple[type, ...]) -> None:
    """Refuse what is no command of these kinds, and one that holds a value of a wrong type."""
    if not isinstance(command, kinds):
        raise Refusal("command/unknown", {"word": type(command).__name__})
    wrong = _wrong(command)
    if wrong is not None:
        raise Refusal("command/type", {"key": wrong, "word": type(command).__name__})


def _wrong(command: object) -> str | None:
    """The first field of a command that does not hold what it should."""
    kind: Any = type(command)
    for name, fits in _fields(kind):
        value = getattr(command, name)
        if not fits(value) or (name == "at" and not 0 <= value <= LATEST):
            return name
    return None


Fits = Callable[[Any], bool]
"""Whether a value is of a type, as deep as the type goes."""


@cache
def _fields(kind: Any) -> tuple[tuple[str, Fits], ...]:
    """The fields of a dataclass, each with the question that its value must answer."""
    hints = get_type_hints(kind)
    return tuple((field.name, _fits(hints[field.name])) for field in fields(kind))


@cache
def _fits(hint: Any) -> Fits:
    if hint is int or hint is bool:
        # In Python True is a one; where something is counted it is a mistake.
        return lambda value: type(value) is hint
    if hint is None or hint is NoneType:
        return lambda value: value is None
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _one_of(inner)
    if origin is tuple:
        each = _fits(inner[0])
        return lambda value: isinstance(value, tuple) and all(map(each, value))
    if origin is frozenset:
        return lambda value: isinstance(value, frozenset)
    if origin is Mapping:
        keys, values = map(_fits, inner)
        return lambda value: (
            isinstance(value, Mapping)
            and all(map(keys, value.keys()))
            and all(map(values, value.values()))
        )
    return _whole(hint) if is_dataclass(hint) else lambda value: isinstance(value, hint)


def _whole(kind: Any) -> Fits:
    def fits(value: Any) -> bool:
        own: Any = type(value)
        return isinstance(value, kind) and all(
            fits(getattr(value, name)) for name, fits in _fields(own)
        )

    return fits


def _one_of(kinds: tuple[Any, ...]) -> Fits:
    every = {kind: _fits(kind) for kind in kinds}

    def fits(value: Any) -> bool:
        # Mostly it is just one of the kinds named; only that one need be looked into.
        kind: Any = type(value)
        own = every.get(kind)
        return own(value) if own else any(one(value) for one in every.values())

    return fits
