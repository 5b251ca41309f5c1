"""The words of the screens: three languages, the same keys, and every key that is used."""

import re
from collections import Counter
from pathlib import Path

from cutcard.pack.causes import REJECTED
from cutcard.patron import Kind
from cutcard.round.events import SEATED_FIRST
from cutcard.rulebooks import rulebooks
from cutcard.school import Topic
from cutcard.server.duties import COMMANDS
from cutcard.server.prompting import Next
from cutcard.server.signin import ROLES
from cutcard.server.staff import RECALLED
from cutcard.server.window import PAID, TRANSFER
from cutcard.table.terminals import State
from tests.browser.serving import WEB
from tests.cases import every

LANGUAGES = ("en", "zh-Hans", "zh-Hant")
PAGES = (
    *("table.js", "spots.js", "hands.js", "signin.js", "money.js", "asked.js", "squeezing.js"),
    *("bet_notices.js",),
    *("pauses.js", "proof.js", "device.js"),
    *("menu.js", "recall.js", "seats.js", "lib/dialog.js", "lib/refused.js", "lib/telling.js"),
    *("lobby.js", "display.js", "odds.js", "studies.js", "lib/page.js"),
    *(
        "dealer.js",
        "pit.js",
        "cage.js",
        "audit.js",
        "duty.js",
        "wrong.js",
        "reader.js",
        "copilot.js",
    ),
    *("rerun.js", "drift.js", "people.js", "training.js"),
    *("terminals.js", "terminal_panel.js", "devices.js", "cage_terminal.js"),
)
FILES = ("screens", "menu", "pages", "consoles", "terminal")
MORE = {
    **dict.fromkeys(("pauses.js", "menu.js", "recall.js", "seats.js"), ("menu",)),
    "device.js": ("menu", "terminal"),
    "lobby.js": ("menu", "pages"),
    **dict.fromkeys(("display.js", "odds.js", "studies.js", "lib/page.js"), ("pages",)),
    **dict.fromkeys(PAGES[PAGES.index("dealer.js") :], ("menu", "consoles")),
}
"""Whose words a page has beside those of the screens."""
LINE = re.compile(r'^  "([^"]+)": "(.*)",$', re.MULTILINE)


def lines(language: str, files: tuple[str, ...] = FILES) -> list[tuple[str, str]]:
    """Every key with its words, file by file."""
    texts = (Path(WEB / "texts" / f"{file}.{language}.js") for file in files)
    return [line for text in texts for line in LINE.findall(text.read_text(encoding="utf-8"))]


def words(language: str) -> dict[str, str]:
    return dict(lines(language))


@every("language", LANGUAGES)
def test_every_language_has_every_word(language: str) -> None:
    keys = [key for key, _ in lines(language)]
    # A terminal calls a stack its credit, and so do all panels that open on one.
    assert [key for key, times in Counter(keys).items() if times > 1] == ["stack"]
    # English calls an irregularity as the books do, so it needs no word for one.
    kinds = {f"reason.{kind}" for book in rulebooks() for kind in book.irregularities}
    assert set(keys) == set(words("en")) | (kinds if language != "en" else set())
    assert all(words(language).values())


@every("language", LANGUAGES)
def test_figures_stand_in_the_same_braces(language: str) -> None:
    braces = re.compile(r"\{(\w+)\}")
    for key, text in words(language).items():
        assert set(braces.findall(text)) == set(braces.findall(words("en").get(key, ""))), key


@every("page", PAGES)
def test_every_key_on_a_page_is_a_word(page: str) -> None:
    text = Path(WEB / page).read_text(encoding="utf-8")
    used = set(re.findall(r'\bt\(\s*"([^"]+)"', text))
    used |= set(re.findall(r'\bt\([^"()]*\? "([^"]+)"', text))
    used |= set(re.findall(r'\bt\([^"()]*\? "[^"]+" : "([^"]+)"', text))
    known = {key for key, _ in lines("en", ("screens", *MORE.get(page, ())))}
    assert used <= known, used - known


def test_every_spot_and_every_fact_of_every_book_has_a_word() -> None:
    known = set(words("en"))
    for book in rulebooks():
        for spot in book.spots.values():
            assert spot.id in known
            for line in spot.table.lines:
                assert {f"fact.{fact}" for fact in line.when} <= known


def test_whatever_staff_do_and_whatever_limits_a_patron_has_a_word() -> None:
    """The keys that a page puts together from a name."""
    known = {key for key, _ in lines("en", ("screens", "menu", "consoles"))}
    tags = {kind.__struct_config__.tag for kind in COMMANDS} - {"stay-awake", "switch-dealer"}
    notes = {f"staff {tag}" for tag in tags} | (RECALLED - {*tags})
    assert {f"note.{note}" for note in notes | {TRANSFER}} <= known
    assert {f"cage.{paid.removeprefix('staff ')}" for paid in PAID} <= known
    assert {f"terminal.state.{state.value}" for state in State} <= known
    assert {f"limit.{kind.value}" for kind in Kind} <= known
    assert {f"train.asks.{topic.value}" for topic in Topic} <= known
    assert {f"role.{role}" for role in ROLES} <= known
    assert {f"do.{act.value}" for act in Next} - {"do.resolve"} <= known


def test_whatever_the_house_gives_back_has_a_word_for_its_cause() -> None:
    """The causes of a bet's return that its patron did not ask for, as the engine writes them."""
    causes = {*REJECTED, SEATED_FIRST, "needs another bet"}
    assert {f"given_back.{cause}" for cause in causes} <= set(words("en"))
    for language in LANGUAGES:
        text = Path(WEB / "texts" / f"{language}.js").read_text(encoding="utf-8")
        assert [cause for cause in causes if f'"{cause}": ' not in text] == []


def test_chinese_is_not_the_same_twice() -> None:
    """Simplified and traditional differ wherever a character does."""
    simple, traditional = (" ".join(words(one).values()) for one in ("zh-Hans", "zh-Hant"))
    assert not re.search("[闲庄对赢输筹码确认]", traditional)
    assert not re.search("[閒莊對贏輸籌碼確認]", simple)
