"""Traceability: what is claimed to be kept by the engine, and what is proven, are the same."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cutcard.rulebooks import MORE, clauses, rulebooks
from cutcard.rules.rulebook import Rulebook
from tests.cases import every

TESTS = Path(__file__).parents[1]

ROOMS: set[str] = set()
"""The rooms that are still to be built: none, so no clause awaits one."""

DOCUMENTS = {
    "rws-commission": "CB4",
    "rws-non-commission-etg": "ETG4",
    "rws-knockout": "KO2",
    "online-baccarat": "ONL",
    "online-no-commission": "ONL",
    "online-cow-cow": "ONL",
    "skycity-commission": "SKY",
    "skycity-non-commission": "SKY",
}


def proven() -> Iterator[str]:
    """Every citation in a `pytest.mark.clause(…)`, as decorator or as mark of a parameter."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
                yield from map(ast.literal_eval, node.args)


def test_the_clauses_kept_by_the_engine_are_exactly_those_with_a_test() -> None:
    kept = {one.citation for one in clauses() if one.kept == "engine" and one.awaits is None}
    tested = set(proven())

    assert sorted(kept - tested) == [], "kept by the engine, but no test proves it"
    assert sorted(tested - kept) == [], "a test proves it, but it is not marked as kept"


def test_a_clause_is_kept_by_somebody_and_says_so() -> None:
    for one in clauses():
        keeper, colon, reason = one.kept.partition(": ")

        assert keeper in {"engine", "procedure", "out of scope"}, one.citation
        assert bool(colon) == (keeper == "out of scope"), one.citation
        assert bool(reason.strip()) == (keeper == "out of scope"), one.citation


def test_only_what_the_engine_will_keep_awaits_a_room_that_will_be() -> None:
    for one in clauses():
        if one.awaits is not None:
            assert one.kept == "engine", one.citation
            assert one.awaits in ROOMS, one.citation


def test_no_clause_is_listed_twice() -> None:
    counted = Counter(one.citation for one in clauses())

    assert [citation for citation, times in counted.items() if times > 1] == []


def test_every_clause_belongs_to_a_book_that_exists() -> None:
    ids = {book.id for book in (*rulebooks(), *rulebooks(MORE))}

    assert [one.citation for one in clauses() if not one.books or set(one.books) - ids] == []


@every("book", rulebooks(), ids=lambda book: book.id)
def test_every_book_has_clauses_of_its_document_and_of_the_house(book: Rulebook) -> None:
    concerned = {one.document for one in clauses(book)}

    assert book.document == DOCUMENTS[book.id]
    assert concerned == {book.document, "HOUSE"}


def test_every_document_is_listed() -> None:
    assert {one.document for one in clauses()} == {*DOCUMENTS.values(), "HOUSE", "GAMES"}
