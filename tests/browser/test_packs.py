"""Dispute packs: two verifiers, one verdict, to the record.

What the browser leaves out, and says so, is whether a book allows the step by which a
mistake was put right; there alone may it find less.
"""

import json
import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest

from cutcard.chain import parse_anchor
from cutcard.pack import examine
from cutcard.pack.replay import CATEGORIES
from cutcard.refusals import Refusal
from cutcard.rulebooks import MORE, load, rulebooks
from cutcard.rules.moment import milliseconds
from cutcard.rules.reading import content_hash, tableau
from cutcard.wire import ENTRIES, TABLE_EVENTS, Standing
from tests.browser.conftest import Ask
from tests.cases import every
from tests.golden.packs.make import committed_packs, committed_tamperings, kept_packs
from tests.pack.tampering import applied, resealed
from tests.pack.test_heads import cases, signed
from tests.wire.format import Notation

PACKS: dict[str, Any] = {
    name: json.loads(path.read_text(encoding="utf-8")) for name, path in committed_packs().items()
}
KEPT: dict[str, Any] = {
    name: json.loads(path.read_text(encoding="utf-8")) for name, path in kept_packs().items()
}
TAMPERINGS: list[dict[str, Any]] = committed_tamperings()
KNOWN = ("keys", "anchors", "commitments", "seeds", "books")
Found = list[list[Any]]


def python_says(text: bytes, known: Mapping[str, list[str]] | None = None) -> Found:
    given = known or {}
    verdict = examine(
        text,
        [bytes.fromhex(key) for key in given.get("keys", [])],
        [parse_anchor(line) for line in given.get("anchors", [])],
        *([bytes.fromhex(hash) for hash in given.get(name, [])] for name in KNOWN[2:]),
    )
    return [[one.code, one.record] for one in verdict.findings]


def question(pack: object, known: Mapping[str, list[str]] | None = None) -> dict[str, object]:
    return {"text": json.dumps(pack), **(known or {})}


def is_judged(found: Found) -> bool:
    """Whether Python's verdict needs no judgement of remedies."""
    return not any(code.startswith("remedy/") for code, _ in found)


# --- good packs


@every("name", [*PACKS, *KEPT])
def test_a_good_pack_holds(ask: Ask, name: str) -> None:
    pack = {**PACKS, **KEPT}[name]
    (answer,) = ask("pack", [question(pack)])

    assert isinstance(answer, dict)
    assert answer["findings"] == python_says(json.dumps(pack).encode()) == []
    assert answer["checked"]


def test_a_pack_with_a_mistake_put_right_says_what_was_not_judged(ask: Ask) -> None:
    answers = ask("pack", [question(PACKS["commission-table"]), question(PACKS["cow-cow-table"])])

    assert ["remedies" in answer["remarks"] for answer in answers] == [True, False]  # type: ignore[index]


# --- tampered packs


def test_every_tampering(ask: Ask) -> None:
    questions, expected = [], []
    for one in TAMPERINGS:
        pack = applied(PACKS[one["pack"]], one)
        known = {name: one[name] for name in KNOWN if name in one}
        questions.append(question(pack, known))
        expected.append(python_says(json.dumps(pack).encode(), known))

    answers = ask("pack", questions)

    same = 0
    for one, answer, should in zip(TAMPERINGS, answers, expected, strict=True):
        found = answer["findings"]  # type: ignore[index]
        told = f"{one['who']} {one['does']}"
        if is_judged(should):
            assert found == should, told
        if one["level"] == 1:
            assert one["finds"] in [code for code, _ in found], told
        same += found == should
    # Only remedies are judged by Python alone.
    assert same >= len(TAMPERINGS) - 6


BROKEN = {
    "nothing": b"",
    "no JSON": b"{",
    "no UTF-8": b'{"format": "\xff"}',
    "a list": b"[]",
    "a fraction": b'{"format": "cutcard dispute pack", "version": 1.0}',
    "no number": b'{"format": NaN}',
    "a key twice": b'{"format": "cutcard dispute pack", "format": "cutcard dispute pack"}',
    "another version": b'{"format": "cutcard dispute pack", "version": 2}',
    "true for one": b'{"format": "cutcard dispute pack", "version": true, "kind": "card"}',
    "another kind": b'{"format": "cutcard dispute pack", "version": 1, "kind": "hand"}',
    "an odd kind": b'{"format": "cutcard dispute pack", "version": 1, "kind": "toString"}',
    "no members": b'{"format": "cutcard dispute pack", "version": 1, "kind": "card"}',
    "a byte order mark": b'\xef\xbb\xbf{"format": "cutcard dispute pack", "version": 1}',
}


def test_files_that_are_no_packs(ask: Ask) -> None:
    answers = ask("pack", [{"bytes": text.hex(), "text": ""} for text in BROKEN.values()])

    for name, answer in zip(BROKEN, answers, strict=True):
        assert answer["findings"] == python_says(BROKEN[name]), name  # type: ignore[index]


@pytest.mark.parametrize("seed", range(2))
def test_anything_changed_anywhere(ask: Ask, seed: int) -> None:
    """Values changed at random, half of them with every hash and signature made anew."""
    chance = random.Random(seed)
    packs = [mutant(chance) for _ in range(40)]
    expected = [python_says(json.dumps(pack).encode()) for pack in packs]

    answers = ask("pack", [question(pack) for pack in packs])

    judged = 0
    for pack, answer, should in zip(packs, answers, expected, strict=True):
        if is_judged(should):
            judged += 1
            assert answer["findings"] == should, changed_at(pack)  # type: ignore[index]
    assert judged > 30


PRIVATE = bytes(range(32))


def mutant(chance: random.Random) -> Any:
    name = chance.choice([*PACKS])
    pack = deepcopy(PACKS[name])
    places = [*leaves(pack)]
    # Books and proofs are long and alike; what happened is short and matters most.
    events = [path for path in places if "event" in path or "standing" in path or "step" in path]
    path = chance.choice(events if events and chance.random() < 0.8 else places)
    holder = pack
    for key in path[:-1]:
        holder = holder[key]
    if "records" in pack and chance.random() < 0.25:
        moved(pack["records"], chance)
    elif chance.random() < 0.12 and isinstance(holder, dict):
        del holder[path[-1]]
    else:
        holder[path[-1]] = other(holder[path[-1]], chance)
    if "records" in pack and chance.random() < 0.6:
        # Some changes no house could cover up, because they have no canonical bytes.
        with suppress(Refusal, LookupError, TypeError, ValueError):
            return resealed(pack, PRIVATE)
    return pack


def moved(records: list[Any], chance: random.Random) -> None:
    """A record less, a record more, or two that have changed places."""
    place = chance.randrange(len(records) - 1)
    match chance.randrange(3):
        case 0:
            del records[place]
        case 1:
            records.insert(place, deepcopy(chance.choice(records)))
        case 2:
            records[place : place + 2] = records[place + 1], records[place]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, one in inside:
        yield from leaves(one, (*path, key))
    if path and not isinstance(value, dict | list):
        yield path


def other(value: Any, chance: random.Random) -> Any:
    if chance.random() < 0.08:
        return chance.choice([None, True, "", [], {}, -1, 2**63, "\ud800", 7])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([-100, -5, -1, 1, 5, 100, 10**6, 2**40])
    if value is None:
        return chance.choice(["d1", "dealer", 1])
    if len(value) == 2:
        return chance.choice(["9h", "8h", "Ts", "As", "10s"])
    if len(value) >= 64:
        at = chance.randrange(len(value))
        return value[:at] + ("0" if value[at] != "0" else "1") + value[at + 1 :]
    swaps = ["player", "banker", "tie", "ann", "bob", value + "x", value[:-1]]
    return chance.choice(swaps)


def changed_at(pack: Any) -> str:
    """Where a mutant differs from the pack it was made of, for whoever reads the failure."""
    for name, good in PACKS.items():
        if pack.get("kind") == good["kind"] and pack.get("table") == good.get("table"):
            paths = {path: at(good, path) for path in leaves(good)}
            found = [
                f"{path}: {value!r} → {at(pack, path)!r}"
                for path, value in paths.items()
                if at(pack, path) != value and path[-1] not in ("hash", "signature", "key")
            ]
            return f"{name}: " + "; ".join(found[:4])
    return json.dumps(pack)[:300]


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        try:
            value = value[key]
        except (LookupError, TypeError):
            return "gone"
    return value


def test_days_of_heads(ask: Ask) -> None:
    """Calendars differ between languages; verdicts must not."""
    packs = [signed(name, at) for name, at, _ in cases()]

    answers = ask("pack", [question(pack) for pack in packs])

    for (name, _, _), pack, answer in zip(cases(), packs, answers, strict=True):
        assert answer["findings"] == python_says(json.dumps(pack).encode()), name  # type: ignore[index]


# --- what both are made of


def test_the_schema_is_that_of_the_engine(ask: Ask) -> None:
    (schema,) = ask("schema", [None])
    notation = Notation()
    kinds = notation.kinds({**TABLE_EVENTS, **ENTRIES})
    notation.hint(Standing)

    assert schema == {
        "kinds": {**kinds, **notation.parts},
        "words": {name: words.split(" | ") for name, words in notation.words.items()},
        "entries": [*ENTRIES],
        "categories": dict(CATEGORIES),
    }


def test_every_rulebook_is_read_alike(ask: Ask) -> None:
    books = [*rulebooks(), *rulebooks(MORE)]

    assert ask("book", [[dict(book.written), list(book.cited)] for book in books]) == [
        {
            "hash": book.hash,
            "from": None if book.effective_from is None else milliseconds(book.effective_from),
            "openCards": book.open_cards,
            "spots": [
                {
                    "id": spot.id,
                    "step": spot.step,
                    "reserve": spot.reserve,
                    "clauses": [line.clause for line in spot.table.lines],
                }
                for spot in book.spots.values()
            ],
        }
        for book in books
    ]


@every(
    ("change", "found"),
    [
        ({}, []),
        ({"terminals": "KO2 3.4"}, []),
        ({"boxes": 4}, [["book/unread", None]]),
        ({"boxes": None}, [["book/unread", None]]),
        ({"terminals": " "}, [["book/unread", None]]),
        ({"terminals": None}, [["book/unread", None]]),
        ({"terminals": True}, [["book/unread", None]]),
    ],
)
def test_what_a_book_says_of_terminals(ask: Ask, change: dict[str, Any], found: Found) -> None:
    """A book more in a pack; its clause of terminals alone may cite another document."""
    pack = deepcopy(PACKS["terminals-round"])
    document = deepcopy(dict(load("rws-non-commission-etg").written))
    document["layout"][0].update(change)  # type: ignore[index]
    documents = [*load("rws-non-commission-etg").cited]
    if "KO2" in str(change):
        documents = sorted([*documents, "KO2"])
    told = {"document": document, "tableau": tableau(), "documents": documents}
    pack["books"][content_hash(document)] = told
    (answer,) = ask("pack", [question(pack)])

    assert answer["findings"] == python_says(json.dumps(pack).encode()) == found  # type: ignore[index]
