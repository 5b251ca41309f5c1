"""A shelf: a mapping that never changes, whose changed copy costs a few small nodes.

The ledger's past states stay true while new ones are made from them, and a dict
copied for every batch would cost as much as all accounts there are. Here a copy
shares everything but the path to what changed: a tree that branches sixteenfold
on the bits of a key's checksum, with small dicts as leaves. The checksum, unlike
`hash`, is the same in every process, so a shelf may travel between them.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeVar, overload
from zlib import crc32

K = TypeVar("K", bound=str)
V = TypeVar("V")
D = TypeVar("D")

_BITS = 4
_FULL = 1 << _BITS
_DEEPEST = 32 // _BITS
"""Below this level the checksum has no bits left, so a leaf may grow beyond its size."""

_Leaf = dict[K, V]
_Node = _Leaf[K, V] | tuple["_Node[K, V]", ...]


class Shelf(Mapping[K, V]):
    """An immutable mapping from texts; `placed` and `without` give changed copies."""

    __slots__ = ("_root", "_size")

    def __init__(self, items: Mapping[K, V] | None = None) -> None:
        self._root: _Node[K, V] = {}
        self._size = 0
        for key, value in (items or {}).items():
            grown = self.placed(key, value)
            self._root, self._size = grown._root, grown._size

    def placed(self, key: K, value: V) -> "Shelf[K, V]":
        """This shelf with a key's value set."""
        path, leaf = _path(self._root, _code(key))
        size = self._size + (key not in leaf)
        changed: _Node[K, V] = {**leaf, key: value}
        if len(changed) > _FULL and len(path) < _DEEPEST:
            changed = _split({**leaf, key: value}, len(path))
        return self._copy(_grown(path, changed), size)

    def without(self, key: K) -> "Shelf[K, V]":
        """This shelf less a key that is on it."""
        path, leaf = _path(self._root, _code(key))
        changed = dict(leaf)
        del changed[key]
        return self._copy(_grown(path, changed), self._size - 1)

    def _copy(self, root: "_Node[K, V]", size: int) -> "Shelf[K, V]":
        copy: Shelf[K, V] = object.__new__(Shelf)
        copy._root, copy._size = root, size
        return copy

    def __getitem__(self, key: K) -> V:
        return _leaf(self._root, _code(key))[key]

    # A mapping asks these two by way of an exception, which costs more than the answer.

    @overload
    def get(self, key: K) -> V | None: ...
    @overload
    def get(self, key: K, default: V | D) -> V | D: ...
    def get(self, key: K, default: object = None) -> object:
        return _leaf(self._root, _code(key)).get(key, default)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key in _leaf(self._root, _code(key))

    def __iter__(self) -> Iterator[K]:
        nodes = [self._root]
        while nodes:
            node = nodes.pop()
            if isinstance(node, tuple):
                nodes.extend(reversed(node))
            else:
                yield from node

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"Shelf({dict(self)!r})"


@lru_cache(maxsize=2**16)
def _code(key: str) -> int:
    return crc32(key.encode(errors="surrogatepass"))


# Going down a level uses up the lowest bits of the code.


def _leaf(node: "_Node[K, V]", code: int) -> "_Leaf[K, V]":
    while type(node) is tuple:
        node, code = node[code % _FULL], code >> _BITS
    return node  # type: ignore[return-value]


def _path(
    node: "_Node[K, V]", code: int
) -> "tuple[list[tuple[tuple[_Node[K, V], ...], int]], _Leaf[K, V]]":
    """The way down to a key's leaf: each branch with the place at which it goes on."""
    path = []
    while type(node) is tuple:
        place = code % _FULL
        path.append((node, place))
        node, code = node[place], code >> _BITS
    return path, node  # type: ignore[return-value]


def _grown(path: "list[tuple[tuple[_Node[K, V], ...], int]]", node: "_Node[K, V]") -> "_Node[K, V]":
    """The root of a copy that has this node at the end of a path."""
    for branch, place in reversed(path):
        copy = list(branch)
        copy[place] = node
        node = tuple(copy)
    return node


def _split(leaf: "_Leaf[K, V]", level: int) -> "_Node[K, V]":
    leaves: list[_Leaf[K, V]] = [{} for _ in range(_FULL)]
    for key, value in leaf.items():
        leaves[(_code(key) >> (level * _BITS)) % _FULL][key] = value
    branches: tuple[_Node[K, V], ...] = tuple(leaves)
    return branches
