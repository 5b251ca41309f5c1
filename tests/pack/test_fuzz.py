"""Whatever a file holds, there is a verdict and never a traceback; whatever is changed is found."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutcard.chain.signing import public_key
from cutcard.pack import Verdict, examine
from cutcard.pack.export import NAME
from cutcard.pack.reading import LARGEST, LARGEST_BOOK, MOST_BOOKS, Unreadable, read_pack
from tests.cases import every
from tests.golden.packs.make import FOLDER, KEY
from tests.pack.tampering import copied, encoded, resealed

GOOD: dict[str, Any] = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in sorted(FOLDER.glob("*.json"))
    if not path.stem.startswith("tamperings")
}
LOGS = [name for name, pack in GOOD.items() if "records" in pack]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)

OTHERS: tuple[Any, ...] = (
    None,
    True,
    0,
    1,
    -1,
    10**18,
    2**63,
    "",
    "x",
    "9h",
    "\ud800",
    [],
    {},
    [[]],
    {"is": "X"},
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value within a value."""
    below: Any = ()
    if isinstance(value, dict):
        below = value.items()
    elif isinstance(value, list):
        below = enumerate(value)
    return [path, *(one for key, inner in below for one in paths(inner, (*path, key)))][
        0 if path else 1 :
    ]


PATHS = {name: paths(pack) for name, pack in GOOD.items()}


def put(pack: Any, path: tuple[Any, ...], value: Any) -> Any:
    copy = copied(pack)
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return copy


def at(pack: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        pack = pack[key]
    return pack


def written(pack: Any) -> bytes:
    return json.dumps(pack).encode()


def judged(text: bytes) -> Verdict:
    verdict = examine(text, keys=[public_key(KEY)])
    for one in verdict.findings:
        assert str(one)
        assert one.code.count("/") == 1
        assert one.code != "pack/failed", one
        json.dumps(one.document())
    return verdict


# --- whatever is changed is found


REMARKS = {name: examine(encoded(pack), [public_key(KEY)]).remarks for name, pack in GOOD.items()}


def told(verdict: Verdict, name: str) -> bool:
    """Whether something is wrong, or, at an end that nobody signed yet, something else is said."""
    return bool(verdict.findings) or verdict.remarks != REMARKS[name]


def unbound(path: tuple[Any, ...], pack: Any) -> bool:
    """When a seal came, in a pack that is no log: nothing but the log binds that."""
    if path[-1] != "at" or path[0] == "records":
        return False
    return at(pack, path[:-1]).get("step") in ("SeedSealed", "SeedsClosed")


@every("name", GOOD)
def test_any_value_that_is_changed_is_found(name: str) -> None:
    @settings(max_examples=15, deadline=None)
    @given(st.sampled_from(PATHS[name]), st.sampled_from(OTHERS) | JSON)
    def changed(path: tuple[Any, ...], value: Any) -> None:
        before = at(GOOD[name], path)
        if type(before) is type(value) and before == value:
            return
        pack = put(GOOD[name], path, value)
        assert told(judged(written(pack)), name) or unbound(path, pack)

    changed()


@every("name", GOOD)
def test_any_value_taken_out_is_found(name: str) -> None:
    # A later head binds all that an earlier one does; a document's name that nothing in the
    # pack cites binds nothing.
    whole = [
        path
        for path in PATHS[name]
        if (path[0] != "heads" or len(path) != 2) and "documents" not in path[2:3]
    ]

    @settings(max_examples=15, deadline=None)
    @given(st.sampled_from(whole))
    def removed(path: tuple[Any, ...]) -> None:
        pack = copied(GOOD[name])
        del at(pack, path[:-1])[path[-1]]
        assert told(judged(written(pack)), name)

    removed()


@every("name", LOGS)
def test_the_house_may_write_anything_into_a_log_and_there_is_a_verdict(name: str) -> None:
    """The tracks are covered, so the rules alone must cope with whatever stands there."""
    inside = [path for path in PATHS[name] if path[0] == "records" and "record" in path[:3]]
    inside = [path for path in inside if len(path) > 3]
    values = st.sampled_from(sorted({repr(at(GOOD[name], path)) for path in inside}))

    @settings(max_examples=15, deadline=None)
    @given(st.sampled_from(inside), st.sampled_from(OTHERS) | values.map(eval) | JSON)
    def forged(path: tuple[Any, ...], value: Any) -> None:
        try:
            pack = resealed(put(GOOD[name], path, value), KEY)
        except Exception:
            return  # no chain can be made of that
        judged(written(pack))

    forged()


@every("name", LOGS)
def test_records_in_any_order(name: str) -> None:
    @settings(max_examples=15, deadline=None)
    @given(st.data())
    def shuffled(data: st.DataObject) -> None:
        pack = copied(GOOD[name])
        records = pack["records"]
        for _ in range(data.draw(st.integers(1, 4))):
            one = data.draw(st.integers(0, len(records) - 1))
            other = data.draw(st.integers(0, len(records) - 1))
            records[one], records[other] = records[other], records[one]
        pack["records"] = records[: data.draw(st.integers(0, len(records)))]
        pack["heads"] = []
        judged(encoded(resealed(pack, KEY)))

    shuffled()


# --- whatever a file holds


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_junk(text: bytes) -> None:
    assert [one.code.partition("/")[0] for one in judged(text).findings] == ["pack"]


@settings(max_examples=100, deadline=None)
@given(JSON)
def test_json_that_is_no_pack(value: Any) -> None:
    assert [one.code.partition("/")[0] for one in judged(json.dumps(value).encode()).findings] == [
        "pack"
    ]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["card", "shoe", "round", "table"]), st.data())
def test_members_of_any_kind(kind: str, data: st.DataObject) -> None:
    pack = copied(next(one for one in GOOD.values() if one["kind"] == kind))
    for name in data.draw(st.lists(st.sampled_from([*pack]), max_size=3)):
        pack[name] = data.draw(JSON)

    judged(written(pack))


@every("name", GOOD)
def test_bytes_that_flip(name: str) -> None:
    text = encoded(GOOD[name])

    @settings(max_examples=40, deadline=None)
    @given(st.integers(0, len(text) - 1), st.integers(1, 255))
    def flipped(place: int, bits: int) -> None:
        changed = bytearray(text)
        changed[place] ^= bits
        judged(bytes(changed))

    flipped()


@every(
    ("text", "code"),
    [
        (b"", "pack/json"),
        (b"\xff\xfe", "pack/json"),
        (b"[" * 200_000, "pack/json"),
        (b'{"a":' * 100_000, "pack/json"),
        (b"1" * 10_000, "pack/json"),
        (b"1e5", "pack/json"),
        (b"NaN", "pack/json"),
        (b'{"format": 1, "format": 1}', "pack/json"),
        (b"null", "pack/format"),
        (b"{}", "pack/format"),
        (json.dumps({"format": NAME}).encode(), "pack/version"),
        (json.dumps({"format": NAME, "version": True}).encode(), "pack/version"),
        (json.dumps({"format": NAME, "version": 1}).encode(), "pack/kind"),
        (json.dumps({"format": NAME, "version": 1, "kind": []}).encode(), "pack/kind"),
        (json.dumps({"format": NAME, "version": 1, "kind": "card"}).encode(), "pack/shape"),
        (b" " * (LARGEST + 1), "pack/size"),
    ],
    ids=lambda one: one if isinstance(one, str) else f"{len(one)} bytes",
)
def test_files_that_are_no_packs(text: bytes, code: str) -> None:
    assert [one.code for one in judged(text).findings] == [code]


def test_a_byte_order_mark_does_no_harm() -> None:
    assert read_pack(b"\xef\xbb\xbf" + encoded(GOOD["card"])) == GOOD["card"]


def test_deep_members_are_refused_before_anything_is_made_of_them() -> None:
    deep: Any = []
    for _ in range(500):
        deep = [deep]

    with pytest.raises(Unreadable, match="within one another"):
        read_pack(written({**GOOD["card"], "seeds": deep}))
    pack = put(GOOD["commission-table"], ("records", 3, "record", "event", "at"), deep)
    assert {"chain/value", "record/unread"} <= {one.code for one in judged(written(pack)).findings}


def test_books_are_bounded() -> None:
    pack = GOOD["commission-round"]
    hash = next(iter(pack["books"]))
    large = put(pack, ("books", hash, "document", "name"), "x" * LARGEST_BOOK)
    many = put(pack, ("books",), {str(key): {} for key in range(MOST_BOOKS + 1)})

    assert "pack/size" in {one.code for one in judged(written(many)).findings}
    assert {"pack/size", "book/hash"} & {one.code for one in judged(written(large)).findings}
