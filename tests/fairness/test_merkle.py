"""The tree: RFC 6962's roots, every path of every size, and no two lists with one root."""

from collections.abc import Sequence
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from cutcard.fairness import merkle
from tests.cases import every

LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""The roots of the first one to eight leaves, as Certificate Transparency's own tests have them."""


def defined(leaves: Sequence[bytes]) -> bytes:
    """The root as RFC 6962 (2.1) defines it: split at the greatest power of two below."""
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\x01" + defined(leaves[:split]) + defined(leaves[split:])).digest()


def hashed(size: int) -> list[bytes]:
    return [merkle.leaf(place.to_bytes(4, "big")) for place in range(size)]


@every("size", range(1, 9))
def test_the_published_roots(size: int) -> None:
    tree = merkle.grow([merkle.leaf(one) for one in LEAVES[:size]])

    assert merkle.root(tree).hex() == ROOTS[size - 1]


@every("size", [*range(1, 40), 208, 416, 832])
def test_the_root_is_the_one_of_the_definition(size: int) -> None:
    assert merkle.root(merkle.grow(hashed(size))) == defined(hashed(size))


@every("size", [*range(1, 34), 416])
def test_every_path_leads_to_the_root(size: int) -> None:
    leaves = hashed(size)
    tree = merkle.grow(leaves)

    for place, one in enumerate(leaves):
        path = merkle.path(tree, place)
        assert merkle.climb(one, place, size, path) == merkle.root(tree)
        assert len(path) <= (size - 1).bit_length()


@given(size=st.integers(2, 60), pick=st.data())
def test_a_leaf_cannot_be_proven_elsewhere(size: int, pick: st.DataObject) -> None:
    """The position is part of what the path proves, even without one inside the leaf."""
    place = pick.draw(st.integers(0, size - 1))
    other = pick.draw(st.integers(0, size - 1).filter(lambda one: one != place))
    leaves = hashed(size)
    tree = merkle.grow(leaves)

    assert merkle.climb(leaves[place], other, size, merkle.path(tree, place)) != merkle.root(tree)


@given(size=st.integers(2, 60), pick=st.data())
def test_a_path_of_another_length_proves_nothing(size: int, pick: st.DataObject) -> None:
    place = pick.draw(st.integers(0, size - 1))
    leaves = hashed(size)
    path = merkle.path(merkle.grow(leaves), place)

    assert merkle.climb(leaves[place], place, size, path[:-1]) is None
    assert merkle.climb(leaves[place], place, size, (*path, leaves[0])) is None


def test_a_node_cannot_pass_for_a_leaf() -> None:
    """Without the marks, a list of two hashes would have the root of four leaves."""
    four = hashed(4)
    nodes = [one + other for one, other in (four[:2], four[2:])]

    assert merkle.root(merkle.grow([merkle.leaf(one) for one in nodes])) != merkle.root(
        merkle.grow(four)
    )


@every("size", range(1, 40))
def test_a_last_leaf_named_twice_gives_another_root(size: int) -> None:
    """Trees that double the odd node give both lists one root; that was a real attack once."""
    leaves = hashed(size)

    assert merkle.root(merkle.grow(leaves)) != merkle.root(merkle.grow([*leaves, leaves[-1]]))
