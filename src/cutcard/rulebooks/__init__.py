"""The rulebooks: eight rule sets as TOML, the clauses of their documents beside them.

A rule set is found by its id (`rws-commission`), or by the path of a file of
one's own. Where a book says nothing about some irregularity and names a
`house_policy`, it takes that book's remedies, under that book's clauses.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from os.path import isfile
from pathlib import Path

from cutcard.refusals import Refusal
from cutcard.rulebooks.clause import Clause, read_clauses, read_toml
from cutcard.rules.moment import milliseconds
from cutcard.rules.node import Node
from cutcard.rules.reading import read
from cutcard.rules.rulebook import Rulebook

FOLDER = Path(str(files("cutcard.rulebooks")))
MORE = FOLDER / "more"
"""Games that come with no document of their own: data only, to prove the format."""

HOUSE = "HOUSE "

__all__ = ["MORE", "Clause", "clauses", "in_force", "load", "rulebooks"]


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
    # Unlike Path.is_file, this says no to names that no file can have.
    if path.suffix != ".toml" and not isfile(path):
        raise Refusal("rulebook/unknown", {"book": str(name), "known": (*ids(), *ids(MORE))})
    return read_book(path)


@cache
def _load(path: Path) -> Rulebook:
    return read_book(path)


def in_force(versions: Iterable[Rulebook], at: int) -> Rulebook | None:
    """Of a book's versions, the one to open a round under at a moment; None before the first."""
    since = {book: milliseconds(book.effective_from or "1970-01-01") for book in versions}
    begun = [book for book, start in since.items() if start <= at]
    return max(begun, key=lambda book: since[book], default=None)


def read_book(path: Path) -> Rulebook:
    """Read, complete and validate the rule set in a file."""
    document = with_house_policy(read_toml(path))
    known = {
        name: frozenset(clause.id for clause in listed)
        for name, listed in documents(path.parent).items()
    }
    return replace(read(document, path.name, known), source=str(path))


def with_house_policy(root: Node) -> Mapping[str, object]:
    """The document, with the remedies that it leaves to the book it names as house policy."""
    document = {name: root.value(name) for name in root.names}
    if not root.has("house_policy"):
        return document
    policy = root.one_of("house_policy", ids())
    house = read_toml(FOLDER / f"{policy}.toml")
    completed = {
        "interruption": _cited(
            house.table("interruption"), house.text("document"), "concludes", "voids"
        ),
        **document,
    }
    own = document.get("irregularity", [])
    if not isinstance(own, list) or not all(isinstance(entry, dict) for entry in own):
        # Nothing can be added to this; the reader will refuse it, and say where it stands.
        return completed
    settled = {str(entry.get("id")) for entry in own}
    taken = [
        _cited(node, house.text("document"), "clause")
        for node in house.tables("irregularity")
        if node.text("id") not in settled
    ]
    return {**completed, "irregularity": [*own, *taken]}


def _cited(node: Node, document: str, *keys: str) -> dict[str, object]:
    """A table of another book, its clauses written with that book's name."""
    # The house's own clauses carry their name already.
    cited = {
        key: clause if (clause := node.text(key)).startswith(HOUSE) else f"{document} {clause}"
        for key in keys
    }
    return {name: node.value(name) for name in node.names} | cited


@cache
def _documents() -> Mapping[str, tuple[Clause, ...]]:
    paths = [path for folder in (FOLDER, MORE) for path in sorted(folder.glob("clauses/*.toml"))]
    return {path.stem: read_clauses(path) for path in paths}


def documents(folder: Path = FOLDER) -> Mapping[str, tuple[Clause, ...]]:
    """The clause lists at hand for books in a folder: cutcard's own, then those beside the book."""
    if folder in (FOLDER, MORE):
        return _documents()
    beside = {path.stem: read_clauses(path) for path in sorted(folder.glob("clauses/*.toml"))}
    for name in beside:
        if name in _documents():
            # Nobody's list may stand in for one of ours without a word.
            raise Refusal(
                "rulebook/twice",
                {"file": f"clauses/{name}.toml", "place": "document", "word": name},
            )
    return {**_documents(), **beside}


def clauses(book: Rulebook | None = None) -> tuple[Clause, ...]:
    """The clauses that concern a rule set, those of a list beside its file included, or all."""
    folder = FOLDER if book is None else Path(book.source).parent
    return tuple(
        clause
        for listed in documents(folder).values()
        for clause in listed
        if book is None or book.id in clause.books
    )
