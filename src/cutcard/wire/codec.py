"""The codec: values of the engine as plain values, and back by their type hints.

Writing looks at the value, reading at what the dataclass says of its fields. Reading
refuses whatever writing would not have written, so a value has one form only:

- texts, whole numbers, true, false and null stand as they are, an enum as its value;
- a card is `"9h"`, a result `"B 4 7 bp"`;
- a tuple is a list, a mapping an object, a dataclass an object of all its fields, but that
  one marked `LATER` is left out where it is None, as in records older than the field;
- where one of several kinds may stand, its name (`wire.kinds`) comes first, under `is`. No field
  of a dataclass can be called that, because Python keeps the word for itself.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, NewType, Union, cast, get_args, get_origin, get_type_hints

from cutcard.chain import canonical
from cutcard.refusals import Refusal
from cutcard.roads.result import LETTERS, WINNERS, Result
from cutcard.rules.cards import Card

Plain = dict[str, object]

MARKS = ("pp", "bp", "pn", "bn")
"""Player pair, Banker pair, Player natural, Banker natural."""


_AS_THEY_ARE = frozenset((str, int, bool, NoneType))


def plain(value: object) -> object:
    """Any value of the engine in texts, numbers, lists and objects."""
    kind: Any = type(value)
    return value if kind in _AS_THEY_ARE else _writer(kind)(value)


def parse(hint: Any, given: object) -> Any:
    """The value of a type that was written so."""
    try:
        value = _reader(hint)(given)
        same = canonical(plain(value)) == canonical(given)
    except Refusal as refusal:
        raise refusal if refusal.code.startswith("wire/") else _refuse("") from None
    # Capitals, blanks and the like are read, but would never have been written.
    if not same:
        raise _refuse("")
    return value


@cache
def names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def later(kind: type) -> frozenset[str]:
    """The fields that older records do not have."""
    return frozenset(field.name for field in fields(kind) if "later" in field.metadata)


# --- writing --------------------------------------------------------------------------------------


@cache
def _writer(kind: type) -> Callable[[Any], object]:
    """How values of a kind are written."""
    if issubclass(kind, str | int):
        return lambda value: value
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, Card):
        return str
    if issubclass(kind, Result):
        return _result
    if issubclass(kind, tuple | list):
        return lambda value: [plain(one) for one in value]
    if issubclass(kind, Mapping):
        return lambda value: {str(plain(key)): plain(one) for key, one in value.items()}
    assert is_dataclass(kind), f"the wire has no words for {kind!r}"
    return _fields_writer(kind)


def _fields_writer(kind: type) -> Callable[[Any], object]:
    """How a dataclass is written: all fields at once, then those that do not stand as they are."""
    every, missing = names(kind), later(kind)
    if len(every) < 2:
        return lambda value: {name: plain(getattr(value, name)) for name in every}
    values = attrgetter(*every)

    def write(value: Any) -> Plain:
        written = dict(zip(every, values(value), strict=True))
        for name, one in written.items():
            if type(one) not in _AS_THEY_ARE:
                written[name] = plain(one)
        for name in missing:
            if written[name] is None:
                del written[name]
        return written

    return write


# --- reading --------------------------------------------------------------------------------------


def _refuse(place: str) -> Refusal:
    return Refusal("wire/record", {"place": place or "here"})


def _below(place: str, refusal: Refusal) -> Refusal:
    """The same refusal, seen from one level higher."""
    inner = str(refusal.params.get("place", ""))
    return _refuse(place if inner in ("", "here") else f"{place}.{inner}")


@cache
def _reader(hint: Any) -> Callable[[Any], Any]:
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if isinstance(hint, NewType):
        return _reader(hint.__supertype__)
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (other,) = (one for one in inside if one is not NoneType)
        read = _reader(other)
        return lambda given: None if given is None else read(given)
    if origin is tuple:
        return _many(_reader(inside[0]))
    if origin is Counter:
        counted = _mapping(_key(inside[0]), _reader(int))
        return lambda given: Counter(counted(given))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(_key(inside[0]), _reader(inside[1]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _member(hint)
    assert is_dataclass(hint), f"the wire has no words for {hint!r}"
    return _object(cast(type, hint))


def _object(kind: type) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    readers = {name: _reader(hints[name]) for name in names(kind)}
    missing = later(kind)

    def read(given: Any) -> Any:
        if not isinstance(given, dict):
            raise _refuse("")
        for name in (*readers, *given):
            if not (name in readers and (name in given or name in missing)):
                raise _refuse(str(name))
        there = ((name, one) for name, one in readers.items() if name in given)
        return kind(**{name: _at(name, one, given[name]) for name, one in there})

    return read


def _at(place: str, read: Callable[[Any], Any], given: object) -> Any:
    try:
        return read(given)
    except Refusal as refusal:
        raise _below(place, refusal) from None


def _many(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def each(given: Any) -> Any:
        if not isinstance(given, list):
            raise _refuse("")
        return tuple(_at(str(place), read, one) for place, one in enumerate(given))

    return each


def _mapping(
    key: Callable[[str], Any], read: Callable[[Any], Any]
) -> Callable[[Any], dict[Any, Any]]:
    def each(given: Any) -> dict[Any, Any]:
        if not isinstance(given, dict):
            raise _refuse("")
        return {_at(name, key, name): _at(name, read, one) for name, one in given.items()}

    return each


def _member(kind: type[Enum]) -> Callable[[Any], Any]:
    members = {member.value: member for member in kind}

    def read(given: Any) -> Any:
        if not isinstance(given, str) or given not in members:
            raise _refuse("")
        return members[given]

    return read


def _key(hint: Any) -> Callable[[str], Any]:
    return _number if hint is int else _reader(hint)


def _number(text: str) -> int:
    """A number that is a key, and so a text."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise _refuse("")
    return int(text)


def _exactly(*kinds: type) -> Callable[[Any], Any]:
    def read(given: Any) -> Any:
        # In Python True equals 1; in a record it is another value.
        if type(given) not in kinds:
            raise _refuse("")
        return given

    return read


def _text(read: Callable[[str], Any]) -> Callable[[Any], Any]:
    def from_text(given: Any) -> Any:
        if not isinstance(given, str):
            raise _refuse("")
        return read(given)

    return from_text


# --- results --------------------------------------------------------------------------------------


def _result(one: Result) -> str:
    """`B 4 7 bp`: Banker wins by 7 to 4, with a Banker pair."""
    marked = (one.player_pair, one.banker_pair, one.player_natural, one.banker_natural)
    marks = (mark for mark, there in zip(MARKS, marked, strict=True) if there)
    return " ".join((LETTERS[one.winner], str(one.player_points), str(one.banker_points), *marks))


def _read_result(text: str) -> Result:
    letter, player, banker, *marks = (*text.split(" "), "", "")
    if letter not in WINNERS or not (player.isdigit() and banker.isdigit()):
        raise _refuse("")
    player_pair, banker_pair, player_natural, banker_natural = (mark in marks for mark in MARKS)
    return Result(
        WINNERS[letter],
        player_pair,
        banker_pair,
        player_natural,
        banker_natural,
        _number(player),
        _number(banker),
    )


_SIMPLE: dict[Any, Callable[[Any], Any]] = {
    str: _exactly(str),
    int: _exactly(int),
    bool: _exactly(bool),
    NoneType: _exactly(NoneType),
    Card: _text(Card.parse),
    Result: _text(_read_result),
}
