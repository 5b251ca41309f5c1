"""What may stand in a command at all: values of the types that its fields name.

Commands come from outside, and Python lets anything stand anywhere. Whatever is
of another type is refused here, so that no log ever holds it.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
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
    for name, hint in _hints(type(command)).items():
        value = getattr(command, name)
        if not fits(value, hint) or (name == "at" and not 0 <= value <= LATEST):
            return name
    return None


def fits(value: object, hint: Any) -> bool:
    """Whether a value is of a type, as deep as the type goes."""
    # In Python True is a one; where something is counted it is a mistake.
    if hint is int or hint is str or hint is bool:
        return type(value) is hint or (hint is str and isinstance(value, str))
    if hint is None or hint is type(None):
        return value is None
    origin, inner = _parts(hint)
    if origin is Union:
        # Mostly it is just one of the kinds named; only that one need be looked into.
        kind = type(value)
        return fits(value, kind) if kind in inner else any(fits(value, one) for one in inner)
    if origin is tuple:
        return isinstance(value, tuple) and all(fits(one, inner[0]) for one in value)
    if origin is frozenset:
        return isinstance(value, frozenset)
    if origin is Mapping:
        return isinstance(value, Mapping) and all(
            fits(key, inner[0]) and fits(one, inner[1]) for key, one in value.items()
        )
    if not isinstance(value, hint):
        return False
    return not is_dataclass(value) or all(
        fits(getattr(value, name), kind) for name, kind in _hints(type(value)).items()
    )


_PARTS: dict[Any, tuple[Any, tuple[Any, ...]]] = {}


def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a type is made of; taken apart once."""
    if hint not in _PARTS:
        origin = get_origin(hint)
        _PARTS[hint] = Union if origin is UnionType else origin, get_args(hint)
    return _PARTS[hint]


_HINTS: dict[type, dict[str, Any]] = {}


def _hints(kind: Any) -> dict[str, Any]:
    if kind not in _HINTS:
        hints = get_type_hints(kind)
        _HINTS[kind] = {field.name: hints[field.name] for field in fields(kind)}
    return _HINTS[kind]
