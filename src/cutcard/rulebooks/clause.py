"""Clauses: what each document says, in our words, and who keeps it.

`engine` clauses are kept by this software and proven by a test marked with
their number; one that `awaits` a room will be, once that room is built.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cutcard.refusals import Refusal
from cutcard.rules.node import Node


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a document. `id` is its number, or a name where none is printed."""

    document: str
    id: str
    text: str
    kept: str
    awaits: str | None
    books: tuple[str, ...]

    @property
    def citation(self) -> str:
        return f"{self.document} {self.id}"

    @property
    def state(self) -> str:
        """`engine`, `awaiting`, `procedure` or `out of scope`."""
        if self.awaits is not None:
            return "awaiting"
        return self.kept.partition(":")[0]


KEPT = ("engine", "procedure", "out of scope")
"""Who keeps a clause; what is out of scope says why, after a colon."""


def read_clauses(path: Path) -> tuple[Clause, ...]:
    """Every clause in a file, in the document's order."""
    root = read_toml(path)
    document, title, books = root.text("document"), root.text("title"), root.texts("books")
    assert title, "Node.text refuses an empty one"
    if document != path.stem:
        raise root.refuse("unknown-word", key="document", word=document, known=path.stem)
    listed = tuple(_clause(node, document, books) for node in root.tables("clause"))
    root.finish()
    for number, clause in enumerate(listed):
        if any(clause.id == other.id for other in listed[:number]):
            raise root.refuse("twice", word=clause.id)
    return listed


def read_toml(path: Path) -> Node:
    """The document in a TOML file, or a refusal that says what is wrong with the file."""
    return Node(path.name, "", toml_document(path))


def toml_document(path: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise Refusal("rulebook/not-utf-8", {"file": str(path)}) from None
    except (OSError, ValueError, RecursionError) as error:
        # Not there, no TOML, a name no file can have, or nested without end.
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Refusal("rulebook/unreadable", {"file": str(path), "why": why}) from None


def _clause(node: Node, document: str, books: tuple[str, ...]) -> Clause:
    kept = node.text("kept")
    keeper, _, why = kept.partition(":")
    if keeper not in KEPT or (keeper == "out of scope") != bool(why.strip()):
        raise node.refuse("unknown-word", key="kept", word=kept, known=", ".join(KEPT))
    clause = Clause(
        document=document,
        id=node.text("id"),
        text=node.text("text"),
        kept=kept,
        awaits=node.text_or_none("awaits"),
        books=node.texts("books") if node.has("books") else books,
    )
    node.finish()
    return clause
