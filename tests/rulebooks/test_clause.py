"""Clause lists: what is read from a file, and what is refused in one."""

from pathlib import Path

import pytest

from cutcard.refusals import Refusal
from cutcard.rulebooks.clause import Clause, read_clauses, read_toml, toml_document

LIST = """
document = "OWN"
title = "A book of our own"
books = ["mine", "yours"]

[[clause]]
id = "3.2"
text = "No more bets."
kept = "engine"

[[clause]]
id = "1 House"
text = "The house stands against every bet."
kept = "engine"
awaits = "ledger"
books = ["mine"]

[[clause]]
id = "2.1"
text = "The felt is green."
kept = "out of scope: colour of the felt"
"""


def listed(folder: Path, text: str) -> tuple[Clause, ...]:
    path = folder / "OWN.toml"
    path.write_text(text, encoding="utf-8")
    return read_clauses(path)


def refused(folder: Path, text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        listed(folder, text)
    return caught.value


def test_clauses_are_read_in_the_documents_order(tmp_path: Path) -> None:
    assert listed(tmp_path, LIST) == (
        Clause("OWN", "3.2", "No more bets.", "engine", None, ("mine", "yours")),
        Clause(
            "OWN", "1 House", "The house stands against every bet.", "engine", "ledger", ("mine",)
        ),
        Clause(
            "OWN",
            "2.1",
            "The felt is green.",
            "out of scope: colour of the felt",
            None,
            ("mine", "yours"),
        ),
    )


def test_a_citation_is_the_document_and_the_number(tmp_path: Path) -> None:
    assert [clause.citation for clause in listed(tmp_path, LIST)] == [
        "OWN 3.2",
        "OWN 1 House",
        "OWN 2.1",
    ]


def test_the_state_says_who_keeps_a_clause(tmp_path: Path) -> None:
    assert [clause.state for clause in listed(tmp_path, LIST)] == [
        "engine",
        "awaiting",
        "out of scope",
    ]


@pytest.mark.parametrize(
    ("old", "new", "code", "place"),
    [
        ('kept = "engine"', 'kept = "somebody"', "rulebook/unknown-word", "clause[1]"),
        ('kept = "engine"', "", "rulebook/missing", "clause[1]"),
        ('kept = "engine"', "kept = 7", "rulebook/not-text", "clause[1]"),
        ('id = "3.2"', "", "rulebook/missing", "clause[1]"),
        ('id = "3.2"', 'id = " "', "rulebook/not-text", "clause[1]"),
        ('awaits = "ledger"', 'awaits = ""', "rulebook/not-text", "clause[2]"),
        ('awaits = "ledger"', 'awaist = "ledger"', "rulebook/unknown-key", "clause[2]"),
        ('title = "A book of our own"', "", "rulebook/missing", ""),
        ('document = "OWN"', "", "rulebook/missing", ""),
        ('books = ["mine", "yours"]', 'books = "mine"', "rulebook/not-texts", ""),
        ('books = ["mine", "yours"]', 'books = ["mine"]\nx = 1', "rulebook/unknown-key", ""),
    ],
)
def test_a_mistake_in_a_list_is_found_where_it_stands(
    tmp_path: Path, old: str, new: str, code: str, place: str
) -> None:
    refusal = refused(tmp_path, LIST.replace(old, new, 1))

    assert refusal.code == code
    assert refusal.params["file"] == "OWN.toml"
    assert refusal.params["place"] == place


def test_a_list_without_clauses_is_refused(tmp_path: Path) -> None:
    """The cure is a [[clause]] table; `clause = "…"`, the cure of a pay line, would not help."""
    refusal = refused(tmp_path, LIST.partition("[[clause]]")[0])

    assert refusal.code in {"rulebook/missing", "rulebook/not-tables"}


def test_an_unknown_keeper_is_told_who_there_is(tmp_path: Path) -> None:
    text = LIST.replace('kept = "engine"', 'kept = "engines"', 1)

    assert str(refused(tmp_path, text)) == (
        'OWN.toml, clause[1]: kept cannot be "engines". '
        "Use one of: engine, procedure, out of scope."
    )


# --- files that cannot be read


def unreadable(path: Path) -> str:
    with pytest.raises(Refusal) as caught:
        toml_document(path)
    assert caught.value.code == "rulebook/unreadable"
    assert caught.value.params["file"] == str(path)
    return str(caught.value.params["why"])


def test_a_missing_file_is_unreadable(tmp_path: Path) -> None:
    assert unreadable(tmp_path / "nothing.toml") == "No such file or directory"


def test_a_folder_is_unreadable(tmp_path: Path) -> None:
    assert unreadable(tmp_path)


@pytest.mark.parametrize(
    "content",
    [b"id = ", b"[[[", b'id = "a"\nid = "b"', b"\x00"],
    ids=["cut off", "brackets", "twice", "NUL"],
)
def test_what_is_no_toml_is_unreadable(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(content)

    why = unreadable(path)

    assert why
    assert "\n" not in why


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", "名".encode("gbk")], ids=["bytes", "GBK"])
def test_what_is_no_utf_8_is_told_so(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(content)

    with pytest.raises(Refusal) as caught:
        toml_document(path)

    assert str(caught.value) == f"{path} is not written in UTF-8. Save it as UTF-8."


def test_a_syntax_error_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "mine"\nname = \n', encoding="utf-8")

    assert "line 2" in unreadable(path)


def test_a_node_knows_its_file_by_name(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "mine"\n', encoding="utf-8")

    assert (read_toml(path).file, read_toml(path).text("id")) == ("own.toml", "mine")


def test_a_list_that_was_corrected_is_read_again(tmp_path: Path) -> None:
    """The refusal says "add it there"; whoever does so must not be refused again."""
    before = listed(tmp_path, LIST)
    added = LIST + '\n[[clause]]\nid = "9"\ntext = "One more."\nkept = "procedure"\n'

    assert len(listed(tmp_path, added)) == len(before) + 1
