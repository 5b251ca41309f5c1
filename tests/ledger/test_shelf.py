"""A shelf is a dict that never changes: every history against a plain dict."""

import pickle
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.ledger.shelf import Shelf

KEYS = [f"key-{number}" for number in range(60)]
STEPS = st.lists(st.tuples(st.sampled_from(KEYS), st.none() | st.integers(0, 9)), max_size=120)


@given(STEPS)
def test_a_shelf_tells_what_a_dict_tells(steps: list[tuple[str, int | None]]) -> None:
    shelf: Shelf[str, int] = Shelf()
    plain: dict[str, int] = {}
    for key, value in steps:
        if value is not None:
            shelf, plain = shelf.placed(key, value), {**plain, key: value}
        elif key in plain:
            shelf = shelf.without(key)
            del plain[key]

        assert len(shelf) == len(plain)
        assert dict(shelf) == plain
        assert {key: shelf.get(key) for key in KEYS} == {key: plain.get(key) for key in KEYS}


@given(STEPS)
def test_what_was_on_a_shelf_stays_there(steps: list[tuple[str, int | None]]) -> None:
    shelf = Shelf(dict.fromkeys(KEYS[:40], -1))
    for key, value in steps:
        shelf.placed(key, 0 if value is None else value)
        if key in shelf:
            shelf.without(key)

    assert dict(shelf) == dict.fromkeys(KEYS[:40], -1)


def test_a_large_shelf_holds_everything_once() -> None:
    plain = {f"stack:t{number % 97}:patron-{number}": number for number in range(20_000)}
    shelf = Shelf(plain)

    assert len(shelf) == 20_000
    assert dict(shelf) == plain
    assert len(list(shelf)) == 20_000


def test_things_placed_one_by_one_are_found_and_taken_away_one_by_one() -> None:
    shelf: Shelf[str, int] = Shelf()
    for number in range(3_000):
        shelf = shelf.placed(f"key-{number}", number)
    assert dict(shelf) == {f"key-{number}": number for number in range(3_000)}
    assert all(shelf[f"key-{number}"] == number for number in range(3_000))

    for number in range(0, 3_000, 2):
        shelf = shelf.without(f"key-{number}")
    assert dict(shelf) == {f"key-{number}": number for number in range(1, 3_000, 2)}
    assert len(shelf) == 1_500


def test_a_leaf_is_split_when_it_holds_more_than_sixteen() -> None:
    assert isinstance(Shelf(dict.fromkeys(KEYS[:16], 0))._root, dict)
    assert isinstance(Shelf(dict.fromkeys(KEYS[:17], 0))._root, tuple)


def test_a_changed_copy_shares_all_but_one_path() -> None:
    """A copy that cost as much as the shelf would make a long night quadratic."""
    shelf = Shelf({f"key-{number}": number for number in range(20_000)})
    copy = shelf.placed("key-7", -7)

    shared, new = _nodes(shelf._root), _nodes(copy._root)

    assert len(new - shared) <= 6
    assert len(new) > 1_000


def _nodes(node: object) -> set[int]:
    found = {id(node)}
    if isinstance(node, tuple):
        for child in node:
            found |= _nodes(child)
    return found


def test_no_leaf_grows_large() -> None:
    shelf = Shelf({f"key-{number}": number for number in range(20_000)})

    assert _largest_leaf(shelf._root) <= 16


def _largest_leaf(node: object) -> int:
    if isinstance(node, tuple):
        assert len(node) == 16
        return max(map(_largest_leaf, node))
    assert isinstance(node, dict)
    return len(node)


def _namesakes(number: int) -> list[str]:
    """Different texts with one checksum."""
    return [_with_code(f"{salt:02d}".encode(), 0) for salt in range(number)]


def _with_code(head: bytes, code: int) -> str:
    """A text that begins with `head` and has a given checksum.

    A checksum is linear: each flipped bit of the text changes it in its own way
    whatever the others do, so the bits to flip solve a system over two elements.
    """
    tail = bytes(40 * b"@")
    start = crc32(head + tail)
    basis: dict[int, tuple[int, int]] = {}
    for place in range(len(tail)):
        flipped = tail[:place] + b"A" + tail[place + 1 :]
        change, flips = crc32(head + flipped) ^ start, 1 << place
        while change and change.bit_length() in basis:
            known, used = basis[change.bit_length()]
            change, flips = change ^ known, flips ^ used
        if change:
            basis[change.bit_length()] = (change, flips)
    wanted, chosen = start ^ code, 0
    while wanted:
        change, flips = basis[wanted.bit_length()]
        wanted, chosen = wanted ^ change, chosen ^ flips
    letters = "".join("A" if chosen >> place & 1 else "@" for place in range(len(tail)))
    return head.decode() + letters


def test_texts_with_one_checksum_are_kept_apart() -> None:
    texts = _namesakes(40)
    assert len({crc32(text.encode()) for text in texts}) == 1
    assert len(set(texts)) == 40

    shelf = Shelf({text: number for number, text in enumerate(texts)})
    less = shelf.without(texts[3])

    assert dict(shelf) == {text: number for number, text in enumerate(texts)}
    assert texts[3] not in less
    assert len(less) == 39


def test_what_is_not_there_is_not_found() -> None:
    shelf = Shelf({"a": 1})

    assert "b" not in shelf
    assert shelf.get("b") is None
    with pytest.raises(KeyError):
        shelf["b"]
    with pytest.raises(KeyError):
        shelf.without("b")


def test_shelves_with_the_same_things_are_equal_whatever_their_history() -> None:
    there = Shelf(dict.fromkeys(KEYS, 0))
    for key in KEYS[5:]:
        there = there.without(key)

    assert there == Shelf(dict.fromkeys(KEYS[:5], 0))
    assert there != Shelf(dict.fromkeys(KEYS[:4], 0))
    assert there != Shelf(dict.fromkeys(KEYS[:5], 1))


def test_a_shelf_travels_between_processes() -> None:
    shelf = Shelf(dict.fromkeys(KEYS, 1))

    assert pickle.loads(pickle.dumps(shelf)) == shelf


def test_a_shelf_shows_what_it_holds() -> None:
    assert repr(Shelf({"a": 1})) == "Shelf({'a': 1})"


def test_a_lone_surrogate_is_a_text_too() -> None:
    assert Shelf({"\ud800": 1})["\ud800"] == 1
