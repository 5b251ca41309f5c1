"""Set-up: what a table is before it opens."""

from dataclasses import FrozenInstanceError

import pytest

from cutcard.round import Apportioning, Entry
from cutcard.rulebooks import load, rulebooks
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Rulebook
from cutcard.table import setup
from tests.cases import every


@every("book", rulebooks(), ids=lambda book: book.id)
def test_a_set_up_by_the_book_takes_its_first_layout_usual_decks_and_limits(book: Rulebook) -> None:
    table = setup(book, "t1")

    assert (table.table, table.book, table.book_hash) == ("t1", book.id, book.hash)
    assert table.layout == book.layouts[0].id
    boxes = book.layouts[0].boxes
    assert table.boxes == (12 if boxes is None else boxes)
    assert table.is_open == book.id.startswith(("online-", "rws-non-commission-etg"))
    assert (table.decks, table.limits) == (book.decks.usual, book.limits)


def test_a_table_is_run_by_a_dealer_face_up_and_refuses_what_is_beyond_limits() -> None:
    table = setup(load("rws-commission"), "t1")

    assert (table.entry, table.apportioning) == (Entry.REFUSE, Apportioning.ALL)
    assert (table.face_down, table.open_boxes, table.machine) == (False, False, None)
    assert table.decision_ms == 10_000


@every(
    ("book", "helpline"),
    [
        ("skycity-commission", "Gambling counselling helpline 1800 629 683, www.amity.org.au"),
        ("skycity-non-commission", "Gambling counselling helpline 1800 629 683, www.amity.org.au"),
        ("rws-commission", ""),
        ("online-baccarat", ""),
    ],
)
def test_the_helpline_is_the_books_own_where_it_prints_one(book: str, helpline: str) -> None:
    assert setup(load(book), "t1").helpline == helpline


def test_whatever_is_chosen_goes_first() -> None:
    table = setup(load("rws-commission"), "t9", layout="big-12", boxes=12, decks=6, helpline="999")

    assert (table.layout, table.boxes, table.decks, table.helpline) == ("big-12", 12, 6, "999")


def test_a_choice_that_a_set_up_does_not_know_is_no_choice() -> None:
    with pytest.raises(TypeError):
        setup(load("rws-commission"), "t1", colour="green")


def test_a_set_up_does_not_change_while_the_table_is_open() -> None:
    table = setup(load("rws-commission"), "t1")

    with pytest.raises(FrozenInstanceError):
        table.boxes = 12  # type: ignore[misc]


def test_a_round_is_played_under_the_set_up_and_the_limits_of_the_moment() -> None:
    book = load("rws-commission")
    limits = (Limit(Kind.MAXIMUM, Scope.BET, ("player",), 700, "HOUSE limits"),)
    table = setup(
        book, "t1", entry=Entry.WARN, apportioning=Apportioning.SEATED_FIRST, decision_ms=7_000
    )

    terms = table.terms(limits, book)

    assert (terms.book, terms.book_hash, terms.limits) == (book.id, book.hash, limits)
    assert (terms.boxes, terms.entry) == (9, Entry.WARN)
    assert (terms.apportioning, terms.decision_ms) == (Apportioning.SEATED_FIRST, 7_000)
