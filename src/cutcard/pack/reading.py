"""Reading a pack: any bytes at all go in; a plain value or one finding comes out.

A pack comes from somebody who may wish us ill. Its size and depth are bounded, every
key may stand once, and there are no fractions. Whatever is not there, or of another
kind than it should be, is found before anything is worked out from it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cutcard.chain import Entry, Head, canonical
from cutcard.ledger.accounts import is_part
from cutcard.pack.export import NAME, VERSION, Pack
from cutcard.pack.money import CAGE
from cutcard.refusals import Refusal
from cutcard.rules.reading import content_hash, tableau
from cutcard.rules.reading import read as read_book
from cutcard.rules.rulebook import Rulebook

LARGEST = 64 * 2**20
"""Bytes of a pack at most."""

LARGEST_BOOK = 256 * 2**10
MOST_BOOKS = 8
"""A book is proven when it is read, case by case, which takes a while for a large one."""

HASH = 32
LONGEST_NAME = 200

MEMBERS: dict[str, dict[str, type]] = {
    "card": {"commitment": dict, "seeds": list, "card": dict},
    "shoe": {"commitment": dict, "steps": list},
}
_LOG: dict[str, type] = {
    "table": str,
    "books": dict,
    "before": dict,
    "records": list,
    "heads": list,
    "anchors": list,
    "opening": dict,
    "closing": dict,
}
MEMBERS["table"] = _LOG
MEMBERS["round"] = {**_LOG, "round": dict, "shoe": object}


class Unreadable(Exception):
    """A pack that cannot be read far enough to be verified."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def read_pack(text: bytes) -> Pack:
    """The pack in a file."""
    if len(text) > LARGEST:
        raise Unreadable("pack/size", f"The file is larger than {LARGEST:,} bytes.")
    try:
        given = json.loads(
            text.decode("utf-8-sig"),
            object_pairs_hook=_once,
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
        )
    except (ValueError, RecursionError) as error:
        told = error if isinstance(error, _NotPlain) else "it is no JSON that can be read"
        raise Unreadable("pack/json", f"This is no pack: {told}.") from None
    return check_shape(given)


class _NotPlain(ValueError):
    """JSON that a pack does not use."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _NotPlain("a key stands twice in one object")
    return found


def _no_fraction(_: str) -> None:
    raise _NotPlain("it holds a number that is not whole")


def check_shape(given: object) -> Pack:
    """A pack of a known kind with all its members, or the reason why it is none."""
    if not isinstance(given, dict) or given.get("format") != NAME:
        raise Unreadable("pack/format", f'This is no pack: "format" is not "{NAME}".')
    if type(given.get("version")) is not int or given["version"] != VERSION:
        raise Unreadable("pack/version", f"Only packs of version {VERSION} are known here.")
    kind = given.get("kind")
    members = MEMBERS.get(kind) if isinstance(kind, str) else None
    if members is None:
        raise Unreadable("pack/kind", f"A pack is one of: {', '.join(sorted(MEMBERS))}.")
    for name in {**members, **given}:
        if name not in members and name not in ("format", "version", "kind"):
            raise Unreadable("pack/shape", f'A pack of kind "{kind}" has no member {name!r:.60}.')
        if name in members and not (name in given and isinstance(given[name], members[name])):
            raise Unreadable(
                "pack/shape", f'The member "{name}" is missing, or is no {kind} pack\'s.'
            )
    try:
        canonical(_shallow(given))
    except Refusal as refusal:
        raise Unreadable("pack/json", f"This is no pack: {refusal}") from None
    return given


def _shallow(given: Pack) -> list[object]:
    """Everything but the records, which are measured one by one like the log's."""
    return [one for name, one in given.items() if name != "records"]


# --- members --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Links:
    """The chained records of a pack, and the head before them."""

    before: Head
    entries: list[Entry]


def links(pack: Pack) -> Links:
    table, before = str(pack["table"]), fields(pack["before"], {"number": int, "hash": str})
    if not is_part(table) or not table.strip() or table == CAGE or len(table) > LONGEST_NAME:
        raise Unreadable("pack/shape", f"No table can be called {table!r:.70}.")
    if before["number"] < 0:
        raise Unreadable("pack/shape", "Less than no records cannot come before.")
    entries = []
    for given in listed(pack["records"]):
        one = fields(given, {"number": int, "hash": str, "record": object})
        entries.append(Entry(one["number"], one["record"], unhex(one["hash"], HASH)))
    return Links(Head(table, before["number"], unhex(before["hash"], HASH)), entries)


def books(pack: Pack) -> dict[str, Rulebook | Unreadable]:
    """The rulebooks of a pack by the hash they are given under, or why one cannot be read."""
    given = pack["books"]
    assert isinstance(given, dict), "its shape was checked"
    found: dict[str, Rulebook | Unreadable] = {}
    if len(given) > MOST_BOOKS:
        raise Unreadable("pack/size", f"A pack holds at most {MOST_BOOKS} rulebooks.")
    for hash, one in given.items():
        try:
            found[hash] = _book(hash, one)
        except Unreadable as problem:
            found[hash] = problem
    return found


def _book(hash: str, given: object) -> Rulebook:
    one = fields(given, {"document": dict, "tableau": list, "documents": list})
    if one["tableau"] != tableau():
        raise Unreadable("book/tableau", "The tableau in the pack is not baccarat's.")
    if not all(isinstance(name, str) for name in one["documents"]):
        raise Unreadable("book/unread", "The names of documents are texts.")
    if content_hash(one["document"]) != hash:
        raise Unreadable(
            "book/hash",
            f'The rulebook given as "{hash:.64}" has another hash: its words were changed.',
        )
    if len(canonical(one["document"])) > LARGEST_BOOK:
        raise Unreadable("pack/size", f"A rulebook has at most {LARGEST_BOOK:,} bytes.")
    try:
        book = read_book(one["document"], "the pack", dict.fromkeys(one["documents"]))
    except Refusal as refusal:
        raise Unreadable("book/unread", f"The rulebook cannot be read. {refusal}") from None
    if [*book.cited] != one["documents"]:
        raise Unreadable("book/unread", "The documents named are not those that the book cites.")
    return book


def book_of(hash: str, document: bytes) -> Rulebook:
    """A book as it was archived, by its hash; refuses what is not that book."""
    try:
        return _book(hash, json.loads(document))
    except Unreadable as problem:
        raise Refusal("rulebook/archived", {"hash": hash[:16], "why": str(problem)}) from None


def listed(given: object) -> list[Any]:
    """A list, or the finding that none stands there."""
    if not isinstance(given, list):
        raise Unreadable("pack/shape", "A list should stand here.")
    return given


def fields(given: object, wanted: Mapping[str, type]) -> dict[str, Any]:
    """The members of an object: just these, each of its kind."""
    if not isinstance(given, dict) or set(given) != set(wanted):
        raise Unreadable("pack/shape", f"An object should have the members {', '.join(wanted)}.")
    for name, kind in wanted.items():
        # In Python True is a number; in a pack it is not.
        if not isinstance(given[name], kind) or (kind is int and type(given[name]) is not int):
            raise Unreadable("pack/shape", f'The member "{name}" is of another kind.')
    return given


def unhex(text: str, size: int) -> bytes:
    """Bytes in small hexadecimal, so many and no others."""
    if not re.fullmatch(f"[0-9a-f]{{{2 * size}}}", text):
        raise Unreadable("pack/shape", f'"{text:.140}" is no hexadecimal of {size} bytes.')
    return bytes.fromhex(text)
