"""A Merkle tree: many leaves, one root, and a short path from any leaf to it.

The shape and the marks are those of RFC 6962 (Certificate Transparency): leaves
and nodes are hashed with different first bytes, so neither can pass for the
other, and a node without a neighbour moves up as it is. Doubling it instead, as
some trees do, would give two different lists of leaves the same root.
"""

from collections.abc import Sequence
from hashlib import sha256

Tree = tuple[tuple[bytes, ...], ...]
"""All levels, from the leaves to the root."""


def leaf(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash of two neighbours."""
    return sha256(b"\x01" + left + right).digest()


def grow(leaves: Sequence[bytes]) -> Tree:
    """The tree over these hashes of leaves, of which there is at least one."""
    levels = [tuple(leaves)]
    while len(below := levels[-1]) > 1:
        pairs = [node(*below[place : place + 2]) for place in range(0, len(below) - 1, 2)]
        levels.append((*pairs, *below[len(pairs) * 2 :]))
    return tuple(levels)


def root(tree: Tree) -> bytes:
    """The one hash that stands for all leaves and their places."""
    return tree[-1][0]


def path(tree: Tree, position: int) -> tuple[bytes, ...]:
    """The neighbours met on the way from a leaf to the root."""
    found = []
    for level in tree[:-1]:
        neighbour = position ^ 1
        if neighbour < len(level):
            found.append(level[neighbour])
        position //= 2
    return tuple(found)


def climb(leaf: bytes, position: int, leaves: int, path: Sequence[bytes]) -> bytes | None:
    """The root that a leaf at this position of so many leads to; None if the path does not fit."""
    here, neighbours = leaf, iter(path)
    while leaves > 1:
        if position ^ 1 < leaves:
            neighbour = next(neighbours, None)
            if neighbour is None:
                return None
            here = node(neighbour, here) if position % 2 else node(here, neighbour)
        position, leaves = position // 2, (leaves + 1) // 2
    return here if next(neighbours, None) is None else None
