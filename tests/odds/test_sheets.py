"""Sheets: every book's certificate as one file that needs nothing, and as plain Markdown."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from html import unescape
from html.parser import HTMLParser
from math import perm
from xml.etree.ElementTree import fromstring

import pytest

from cutcard.odds import Composition, Price, odds
from cutcard.odds.certificate import (
    Certificate,
    Grid,
    Heading,
    Paragraph,
    Plot,
    certificate,
    percent,
)
from cutcard.odds.sheets import html, markdown
from cutcard.rulebooks import MORE, load, rulebooks
from cutcard.rules.rulebook import Rulebook
from tests.cases import every
from tests.patience import PATIENCE

BOOKS = (*rulebooks(), *rulebooks(MORE))
every_book = every("book", BOOKS, ids=lambda book: book.id)

VOID = {"meta", "br", "hr", "link", "img", "input"}


@cache
def sheet(book: str) -> Certificate:
    return certificate(load(book))


@cache
def prices(book: str) -> dict[str, Price]:
    return dict(odds(load(book)).bets)


class Reader(HTMLParser):
    """Reads a page and remembers what it is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a Markdown page, as rows of cells."""
    blocks = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    return [
        [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]
        for rows in blocks
    ]


# HTML


@every_book
def test_every_tag_is_closed(book: Rulebook) -> None:
    read = Reader(html(sheet(book.id)))

    assert read.open == []
    assert read.tags[:2] == ["html", "head"]
    assert {"main", "table", "svg", "dl", "h1"} <= set(read.tags)


@every_book
def test_the_plots_are_well_formed(book: Rulebook) -> None:
    plots = re.findall(r"<svg .*?</svg>", html(sheet(book.id)), re.DOTALL)

    assert len(plots) == sum(isinstance(block, Plot) for block in sheet(book.id).blocks)
    for plot in plots:
        assert fromstring(plot).tag == "svg"


@every_book
def test_the_page_loads_nothing(book: Rulebook) -> None:
    page = html(sheet(book.id))
    read = Reader(page)

    for outside in ("http", "src=", "url(", "<script", "@import", "<link", "<iframe", "href="):
        assert outside not in page.lower()
    assert not {name for name, _ in read.attributes} & {"src", "href", "srcset", "onload", "style"}


@every_book
def test_the_page_tells_all_there_is(book: Rulebook) -> None:
    page = unescape(html(sheet(book.id)))

    assert book.hash in page
    assert f"{perm(416, 6):,}" in page
    for spot in book.spots.values():
        assert spot.label in page or spot.stage is not None
        for line in spot.table.lines:
            assert line.clause in page
    for price in prices(book.id).values():
        assert percent(price.edge, 6) in page
        assert str(price.ev) in page
        assert str(price.variance) in page


# Markdown


@every_book
def test_every_row_has_as_many_cells_as_its_table(book: Rulebook) -> None:
    found = tables(markdown(sheet(book.id)))
    grids = [block for block in sheet(book.id).blocks if isinstance(block, Grid)]

    assert len(found) == len(grids)
    for rows, grid in zip(found, grids, strict=True):
        assert {len(row) for row in rows} == {len(grid.headers)}
        assert rows[0] == list(grid.headers)
        assert all(re.fullmatch(r"---:?", cell) for cell in rows[1])
        assert [tuple(row) for row in rows[2:]] == list(grid.rows)


@every_book
def test_the_markdown_tells_the_same(book: Rulebook) -> None:
    page = markdown(sheet(book.id))

    assert page.startswith(f"# Certificate of exact odds: {book.name}\n")
    assert book.hash in page
    assert "<" not in page
    for spot in book.spots.values():
        for line in spot.table.lines:
            assert line.clause in page
    for price in prices(book.id).values():
        assert percent(price.edge, 6) in page


@every_book
def test_both_end_with_one_line_break(book: Rulebook) -> None:
    for page in (html(sheet(book.id)), markdown(sheet(book.id))):
        assert page.endswith("\n")
        assert not page.endswith("\n\n")
        assert "\r" not in page


# The same bytes

PROGRAM = """
import sys
from cutcard.odds.certificate import certificate
from cutcard.odds.sheets import html, markdown
from cutcard.rulebooks import load
sheet = certificate(load("rws-knockout"))
sys.stdout.buffer.write((html(sheet) + markdown(sheet)).encode())
"""


@pytest.mark.parametrize("seed", ["1", "4711"])
def test_another_run_gives_the_same_bytes(seed: str) -> None:
    """In another process, whose sets and strings are hashed otherwise."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
        timeout=PATIENCE,
        check=True,
    )

    here = sheet("rws-knockout")
    assert done.stdout == (html(here) + markdown(here)).encode()


def test_the_same_run_gives_the_same_bytes() -> None:
    again = certificate(load("online-cow-cow"))

    assert html(again) == html(sheet("online-cow-cow"))
    assert markdown(again) == markdown(sheet("online-cow-cow"))


# Words of an operator's own


def small(text: str) -> Certificate:
    """A certificate with one block of each sort, all saying the same."""
    return Certificate(
        text,
        ((text, text),),
        (
            Heading(text),
            Paragraph(text),
            Grid((text, "n"), ((text, "1"),), 1),
            Plot(text, "<svg/>"),
        ),
    )


@every("text", ["<b>&\"'", "<script>alert(1)</script>", "A & B", "</td>"])
def test_words_are_text_and_never_markup(text: str) -> None:
    read = Reader(html(small(text)))

    assert read.open == []
    assert {"b", "script"} & set(read.tags) == set()
    assert read.words.count(text) == 8


@every("text", ["A | B", "|", "A\nB", "| --- |"])
def test_words_do_not_break_a_markdown_table(text: str) -> None:
    grid = Grid((text, "n"), ((text, "1"),), 1)
    page = markdown(Certificate("Own", (), (grid,)))
    (rows,) = tables(page[page.index("|") :])

    assert [len(row) for row in rows] == [2, 2, 2]


def test_stars_make_words_strong() -> None:
    page = html(small("**Tie**, in steps"))

    assert "<p><strong>Tie</strong>, in steps</p>" in page


def test_a_label_with_a_pipe_keeps_its_row() -> None:
    book = load("skycity-commission")
    tie = replace(book.spots["tie"], label="Tie | 和")
    own = replace(book, spots={**book.spots, "tie": tie})
    page = markdown(certificate(own, Composition.parse("A=8,5=8,9=8,K=8")))

    for rows in tables(page):
        assert len({len(row) for row in rows}) == 1


def test_numbers_stand_to_the_right() -> None:
    found = small("Bet")

    assert '<td>Bet</td><td class="n">1</td>' in html(found)
    assert "| Bet | n |\n| --- | ---: |\n| Bet | 1 |" in markdown(found)


def test_plots_are_left_out_of_markdown() -> None:
    assert "<svg" not in markdown(small("Bet"))
