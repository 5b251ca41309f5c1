"""Canonical bytes, the chain, anchors and signed heads: Python and the browser say one thing."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from hmac import digest
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cutcard.chain import Anchor, Entry, Head, anchor, audit, canonical, parse_anchor, start
from cutcard.chain.canonical import MOST
from cutcard.chain.log import link
from cutcard.chain.signing import Occasion, SignedHead, public_key, sign
from cutcard.refusals import Refusal
from tests.browser.conftest import Ask
from tests.chain.writing import RECORDS, written

SCALARS = st.none() | st.booleans() | st.integers(-MOST - 3, MOST + 3) | st.text()
PLAIN = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12
)


def refusal_or(function: Any, *values: Any) -> object:
    """What a function says, a refusal in the words of asking.js."""
    try:
        return function(*values)
    except Refusal as refusal:
        return {"refused": refusal.code, "params": dict(refusal.params)}


def hexed(value: object) -> object:
    """The canonical bytes in hexadecimal, or the refusal."""
    return refusal_or(lambda: canonical(value).hex())


# --- hashes


def test_hashes_of_every_size_up_to_five_blocks(ask: Ask) -> None:
    chance = random.Random(416)
    texts = [chance.randbytes(size) for size in (*range(321), 1_000, 65_537)]

    assert ask("sha256", [text.hex() for text in texts]) == [
        sha256(text).hexdigest() for text in texts
    ]
    assert ask("agrees", [text.hex() for text in texts]) == [True] * len(texts)


def test_keyed_hashes_with_short_and_long_keys(ask: Ask) -> None:
    chance = random.Random(417)
    pairs = [(chance.randbytes(size), chance.randbytes(size)) for size in range(0, 140, 7)]

    assert ask("hmac", [[key.hex(), text.hex()] for key, text in pairs]) == [
        digest(key, text, "sha256").hex() for key, text in pairs
    ]


# --- canonical bytes


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
@given(values=st.lists(PLAIN, max_size=8))
def test_canonical_bytes_of_any_value(ask: Ask, values: list[object]) -> None:
    assert ask("canonical", values) == [hexed(value) for value in values]


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        MOST,
        -MOST - 1,
        MOST + 1,
        -MOST - 2,
        2**53 + 1,
        10**40,
        -0,
        0.5,
        1.0,
        1e300,
        [{"a": [0.5]}],
        "Salon Privé 庄 🂡",
        '"\\/\b\f\n\r\t\x00\x1f\x7f\u2028',
        {"b": 1, "a": 2, "B": 3, "": 4, "__proto__": 5, "10": 6, "9": 7},
        {"\U0001f0a1": 1, "\uff21": 2, "\ue000": 3, "\U0010ffff": 4, "\ud7ff": 5},
        "\ud800",
        {"\udfff": 1},
        nested(64),
        nested(65),
    ],
    ids=repr,
)
def test_canonical_bytes_at_the_edges(ask: Ask, value: object) -> None:
    assert ask("canonical", [value]) == [hexed(value)]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1,]", '{"a":1,"a":2}', "01", "+1", "1.", ".5", "nul", '"\n"', '"\\x"', "1 2"],
)
def test_what_is_no_json_is_never_taken_for_any(ask: Ask, text: str) -> None:
    (answer,) = ask("read", [text])

    assert isinstance(answer, dict)
    assert list(answer) == ["unreadable"]


@pytest.mark.parametrize("text", [' { "b" : [ 1 , -0 ] ,\n"a":"\\u5e84\\/" } ', "-0", "[ ]", "{ }"])
def test_json_may_be_written_in_any_way(ask: Ask, text: str) -> None:
    assert ask("read", [text]) == [canonical(json.loads(text)).hex()]


# --- the chain


def test_starts_and_links(ask: Ask) -> None:
    tables = ["t7", "", "Salon Privé", "貴賓廳"]
    before = start("t7").hash

    assert ask("start", tables) == [start(table).hash.hex() for table in tables]
    assert ask("link", [[before.hex(), record] for record in RECORDS]) == [
        link(before, record).hex() for record in RECORDS
    ]


PRIVATE, OTHER = bytes([7]) * 32, bytes([8]) * 32
HOUSE = public_key(PRIVATE)
ENTRIES, HEADS = written(RECORDS)
SIGNED = [
    sign(HEADS[4], Occasion.ROUND, "1", 0, PRIVATE),
    sign(HEADS[7], Occasion.ROUND, "2", 1, PRIVATE),
    sign(HEADS[7], Occasion.DAY, "2026-11-15", 2, PRIVATE),
]
ANCHORS = [anchor(head) for head in HEADS]


def plain_head(head: Head) -> dict[str, object]:
    return {"table": head.table, "count": head.count, "hash": head.hash.hex()}


def plain_signed(signed: SignedHead) -> dict[str, object]:
    return {
        "head": plain_head(signed.head),
        "occasion": signed.occasion.value,
        "name": signed.name,
        "at": signed.at,
        "key": signed.key.hex(),
        "signature": signed.signature.hex(),
    }


def case(
    entries: Sequence[Entry],
    heads: Sequence[SignedHead] = SIGNED,
    anchors: Sequence[Anchor] = ANCHORS,
    table: str = "t7",
) -> tuple[dict[str, object], list[dict[str, object]]]:
    """A log for the browser, and what Python finds in it."""
    findings = audit(table, entries, heads=heads, keys={HOUSE}, anchors=anchors)
    question: dict[str, object] = {
        "table": table,
        "entries": [
            {"number": one.number, "record": one.record, "hash": one.hash.hex()} for one in entries
        ],
        "heads": [plain_signed(one) for one in heads],
        "keys": [HOUSE.hex()],
        "anchors": [str(one) for one in anchors],
    }
    return question, [{"record": one.record, "fault": one.fault.name.lower()} for one in findings]


def edited(place: int, **changes: Any) -> list[Entry]:
    return [*ENTRIES[:place], replace(ENTRIES[place], **changes), *ENTRIES[place + 1 :]]


def logs() -> dict[str, tuple[dict[str, object], list[dict[str, object]]]]:
    """Sound logs, and every way to change one."""
    swapped = [ENTRIES[0], ENTRIES[2], ENTRIES[1], *ENTRIES[3:]]
    rewritten = {
        "rewritten": [*RECORDS[:1], {"event": "BetPlaced", "stake": 900}, *RECORDS[2:]],
        "rewritten with one more": [*RECORDS[:3], {"event": "BetPlaced"}, *RECORDS[3:]],
        "rewritten with one less": [*RECORDS[:2], *RECORDS[3:]],
    }
    others, other_heads = written(RECORDS, "t8")
    return {
        "sound": case(ENTRIES),
        "empty": case([], [], ANCHORS[:1]),
        "edited record": case(edited(1, record={"event": "BetPlaced", "stake": 900})),
        "edited number": case(edited(1, number=9)),
        "number beyond 2^53": case(edited(6, number=2**60)),
        "number below nought": case(edited(1, number=-1)),
        "edited hash": case(edited(3, hash=bytes(32))),
        "short hash": case(edited(3, hash=bytes(31))),
        "no hash": case(edited(1, hash=b"")),
        "no plain value": case(edited(1, record={"odds": 0.95})),
        "number of 65 bits": case(edited(1, record={"stake": 2**64})),
        "text that is none": case(edited(1, record={"name": "\ud800"})),
        "deleted": case([*ENTRIES[:2], *ENTRIES[3:]]),
        "doubled": case([*ENTRIES[:3], *ENTRIES[2:]]),
        "swapped": case(swapped),
        **{name: case(written(records)[0]) for name, records in rewritten.items()},
        **{f"cut to {left}": case(ENTRIES[:left]) for left in range(7)},
        "another table's log": case(others),
        "another table's heads": case(
            ENTRIES,
            [sign(other_heads[4], Occasion.ROUND, "1", 0, PRIVATE)],
            [anchor(other_heads[5])],
        ),
        "changed head": case(ENTRIES, [replace(SIGNED[0], name="2")]),
        "changed time": case(ENTRIES, [replace(SIGNED[0], at=5)]),
        "head of another key": case(ENTRIES, [sign(HEADS[4], Occasion.ROUND, "1", 0, OTHER)]),
        "head of no key": case(ENTRIES, [replace(SIGNED[0], key=bytes(31))]),
        "head of no signature": case(ENTRIES, [replace(SIGNED[0], signature=b"")]),
    }


LOGS = logs()


def test_the_audit_of_every_log(ask: Ask) -> None:
    questions = [question for question, _ in LOGS.values()]

    answers = dict(zip(LOGS, ask("audit", questions), strict=True))

    assert answers == {name: findings for name, (_, findings) in LOGS.items()}
    assert {str(one["fault"]) for _, found in LOGS.values() for one in found} == {
        "number", "record", "value", "head", "anchor", "short", "table", "signature", "key",
    }  # fmt: skip


# --- anchors

LINE = str(anchor(start("t9")))


@pytest.mark.parametrize(
    "text",
    [
        LINE,
        LINE.lower(),
        LINE.replace("-", ""),
        LINE.replace("-", " - "),
        f"\x1c {LINE}\n",
        LINE.replace(":", " : ", 1),
        LINE.replace("1", "l"),
        "",
        "t9:0:",
        LINE[:-1],
        LINE + "0",
        LINE.replace("t9:0", "t9:x"),
        LINE.replace("t9:0", "t9:00"),
        LINE.replace("t9:0", ":0"),
        LINE[:-1] + "U",
        LINE.replace("t9", "t8"),
        LINE.replace("t9", "\ud800"),
        str(anchor(replace(start("a:b"), count=10**17 + 1))),
        str(anchor(start("貴賓廳 7"))),
    ],
)
def test_anchors_as_people_type_them(ask: Ask, text: str) -> None:
    def read() -> object:
        found = parse_anchor(text)
        return {"table": found.table, "count": found.count, "code": found.code}

    assert ask("parseAnchor", [text]) == [refusal_or(read)]


def test_anchors_of_heads(ask: Ask) -> None:
    assert ask("anchor", [plain_head(head) for head in HEADS]) == [str(one) for one in ANCHORS]
