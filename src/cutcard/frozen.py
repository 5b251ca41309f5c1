"""Values that never change: how to get a changed copy, and how to ask them only once.

Every state here is a frozen dataclass, and every event makes a new one. The standard
library's `replace` runs the constructor again, which for a table of thirty fields is most
of what a bet costs; the one below copies the fields at once, where that is the same, and
nothing where nothing changes.
"""

import dataclasses
from collections.abc import Callable
from functools import cache, cached_property, lru_cache, wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")

LATER = MappingProxyType({"later": True})
"""Marks a field that older records do not have. Where it is None it is not written either."""

if TYPE_CHECKING:
    # Under this name the type checker knows which fields there are to change.
    from dataclasses import replace as replace
else:

    def replace(value: V, /, **changes: object) -> V:
        """A copy of a frozen dataclass with some fields changed."""
        return _copier(type(value))(value, changes)


@cache
def _copier(kind: type) -> Callable[[Any, dict[str, Any]], Any]:
    """How values of a kind are copied."""
    fields, new, put = dataclasses.fields(kind), object.__new__, object.__setattr__
    if hasattr(kind, "__slots__") or hasattr(kind, "__post_init__") or _remembers(kind):
        return _constructed
    assert all(field.init for field in fields), "what no constructor sets, __post_init__ does"

    def copy(value: Any, changes: dict[str, Any]) -> Any:
        all = value.__dict__ | changes
        if len(all) > len(fields):
            raise TypeError(f"{kind.__name__} has not all of the fields {', '.join(changes)}")
        copied: Any = new(kind)
        put(copied, "__dict__", all)
        return copied

    return copy


def _constructed(value: Any, changes: dict[str, Any]) -> Any:
    for name, one in changes.items():
        if getattr(value, name, changes) is not one:
            return dataclasses.replace(value, **changes)
    return value


def _remembers(kind: type) -> bool:
    """Whether values keep more than their fields: a copy must not answer with what was true."""
    return any(
        isinstance(one, cached_property) for base in kind.__mro__ for one in vars(base).values()
    )


class _Same:
    """Stands for a value and is equal only to what stands for the very same one."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value


def once(most: int) -> Callable[[Callable[[K], V]], Callable[[K], V]]:
    """Remember what a function says of so many values, each known by being the same object.

    For pure functions of values that never change but are too large to be compared.
    """

    def remembering(ask: Callable[[K], V]) -> Callable[[K], V]:
        asked = lru_cache(maxsize=most)(lambda same: ask(same.value))
        return wraps(ask)(lambda value: asked(_Same(value)))

    return remembering
