"""The rulebooks: eight rule sets as TOML, the clauses of their documents beside them.

A rule set is found by its id (`rws-commission`), or by the path of a file of
one's own. Where a book says nothing about some irregularity and names a
`house_policy`, it takes that book's remedies, under that book's clauses.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from cutcard.refusals import Refusal
from cutcard.rulebooks.clause import Clause, read_clauses, toml_document
from cutcard.rules.reading import read
from cutcard.rules.rulebook import Rulebook

FOLDER = Path(str(files("cutcard.rulebooks")))
MORE = FOLDER / "more"
"""Games that come with no document of their own: data only, to prove the format."""

__all__ = ["MORE", "Clause", "clauses", "load", "rulebooks"]


@cache
def ids(folder: Path = FOLDER) -> tuple[str, ...]:
    """The ids of the rule sets in a folder: the eight of the five documents, or `MORE`."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


@cache
def rulebooks(folder: Path = FOLDER) -> tuple[Rulebook, ...]:
    """Every rule set in a folder: the eight of the five documents, or `MORE`."""
    return tuple(load(id) for id in ids(folder))


def load(name: str | Path) -> Rulebook:
    """The rule set of that id, or the one in the file at that path."""
    for folder in (FOLDER, MORE):
        if name in ids(folder):
            return _load(folder / f"{name}.toml")
    path = Path(name)
    if path.suffix != ".toml" and not path.is_file():
        raise Refusal("rulebook/unknown", {"book": str(name), "known": (*ids(), *ids(MORE))})
    return read_book(path)


@cache
def _load(path: Path) -> Rulebook:
    return read_book(path)


def read_book(path: Path) -> Rulebook:
    """Read, complete and validate the rule set in a file."""
    document = with_house_policy(toml_document(path))
    known = {
        name: frozenset(clause.id for clause in listed)
        for name, listed in documents(path.parent).items()
    }
    return read(document, path.name, known)


def with_house_policy(document: Mapping[str, object]) -> Mapping[str, object]:
    """The document, with the remedies that it leaves to the book it names as house policy."""
    policy = document.get("house_policy")
    if policy is None:
        return document
    if policy not in ids():
        raise Refusal("rulebook/unknown", {"book": str(policy), "known": ids()})
    house = toml_document(FOLDER / f"{policy}.toml")
    own = _list(document, "irregularity")
    settled = {entry.get("id") for entry in own}
    taken = [
        _cited(entry, house) for entry in _list(house, "irregularity") if entry["id"] not in settled
    ]
    interruption = house["interruption"]
    assert isinstance(interruption, dict), "a validated book has one"
    return {
        "interruption": _cited(interruption, house),
        **document,
        "irregularity": [*own, *taken],
    }


def _list(document: Mapping[str, object], key: str) -> list[dict[str, object]]:
    entries = document.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        # The reader will say so, with the place; here there is simply nothing to add to.
        return []
    return entries


def _cited(entry: Mapping[str, object], house: Mapping[str, object]) -> dict[str, object]:
    """An entry of another book, its clause written with that book's name."""
    return {**entry, "clause": f"{house['document']} {entry['clause']}"}


@cache
def documents(folder: Path = FOLDER) -> Mapping[str, tuple[Clause, ...]]:
    """The clause lists at hand for books in a folder: cutcard's own, then those beside the book."""
    paths = [*sorted(FOLDER.glob("clauses/*.toml")), *sorted(folder.glob("clauses/*.toml"))]
    return {path.stem: read_clauses(path) for path in paths}


def clauses(book: Rulebook | None = None) -> tuple[Clause, ...]:
    """The clauses that concern a rule set, or all there are."""
    return tuple(
        clause
        for listed in documents().values()
        for clause in listed
        if book is None or book.id in clause.books
    )
