"""The words of the screens: three languages, the same keys, and every key that is used."""

import re
from pathlib import Path

import pytest

from cutcard.rulebooks import rulebooks
from tests.browser.serving import WEB

LANGUAGES = ("en", "zh-Hans", "zh-Hant")
PAGES = (
    *("table.js", "spots.js", "hands.js", "panels.js", "recall.js", "proof.js", "lib/dialog.js"),
    *("dealer.js", "pit.js", "audit.js", "duty.js", "wrong.js", "reader.js", "copilot.js"),
    *("rerun.js", "drift.js", "people.js", "training.js"),
)
FILES = ("screens", "consoles")
LINE = re.compile(r'^  "([^"]+)": "(.*)",$', re.MULTILINE)


def lines(language: str) -> list[tuple[str, str]]:
    """Every key with its words, those of the consoles after those of the screens."""
    texts = (Path(WEB / "texts" / f"{file}.{language}.js") for file in FILES)
    return [line for text in texts for line in LINE.findall(text.read_text(encoding="utf-8"))]


def words(language: str) -> dict[str, str]:
    return dict(lines(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_word(language: str) -> None:
    keys = [key for key, _ in lines(language)]
    assert len(keys) == len(set(keys)), "a key is there twice"
    assert set(keys) == set(words("en"))
    assert all(words(language).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_stand_in_the_same_braces(language: str) -> None:
    braces = re.compile(r"\{(\w+)\}")
    for key, text in words(language).items():
        assert set(braces.findall(text)) == set(braces.findall(words("en")[key])), key


@pytest.mark.parametrize("page", PAGES)
def test_every_key_on_a_page_is_a_word(page: str) -> None:
    text = Path(WEB / page).read_text(encoding="utf-8")
    used = set(re.findall(r'\bt\(\s*"([^"]+)"', text))
    used |= set(re.findall(r'\bt\([^"()]*\? "([^"]+)"', text))
    used |= set(re.findall(r'\bt\([^"()]*\? "[^"]+" : "([^"]+)"', text))
    assert used <= set(words("en")), used - set(words("en"))


def test_every_spot_and_every_fact_of_every_book_has_a_word() -> None:
    known = set(words("en"))
    for book in rulebooks():
        for spot in book.spots.values():
            assert spot.id in known
            for line in spot.table.lines:
                assert {f"fact.{fact}" for fact in line.when} <= known


def test_chinese_is_not_the_same_twice() -> None:
    """Simplified and traditional differ wherever a character does."""
    # An RWS table is labelled in both ways at once.
    simple, traditional = (
        " ".join(text for key, text in words(one).items() if key != "theme.rws")
        for one in ("zh-Hans", "zh-Hant")
    )
    assert not re.search("[闲庄对赢输筹码确认]", traditional)
    assert not re.search("[閒莊對贏輸籌碼確認]", simple)
