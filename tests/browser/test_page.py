"""The page on which anybody checks a dispute pack: what it shows, and what it never does."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cutcard.pack.replay import CATEGORIES
from cutcard.refusals.catalogue import LANGUAGES, catalogue
from cutcard.rulebooks import load
from tests.browser.make_texts import FOLDER, written
from tests.browser.playing import opened, resize, troubles
from tests.browser.test_packs import PACKS, TAMPERINGS
from tests.cases import every
from tests.golden.packs.make import FOLDER as PACKS_FOLDER
from tests.pack.tampering import applied

Open = Callable[[int], Page]


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Open]:
    """The page at some width; at the end, nothing may have gone wrong unseen."""
    found: list[str] = []
    contexts = []

    def open_page(width: int = 1280) -> Page:
        context = opened(browser, viewport={"width": width, "height": 844})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: found.append(message.text))
        page.on("pageerror", lambda error: found.append(str(error)))
        page.goto(f"{address}/verify.html")
        expect(page.locator("#awake")).to_be_visible()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert found == []


def choose(page: Page, pack: object, name: str = "pack.json") -> None:
    text = pack if isinstance(pack, bytes) else json.dumps(pack).encode()
    page.set_input_files("#file", {"name": name, "mimeType": "application/json", "buffer": text})
    expect(page.locator("#verdict")).to_be_focused()


def tampering(code: str) -> object:
    one = next(one for one in TAMPERINGS if one["finds"] == code and "keys" not in one)
    return applied(PACKS[one["pack"]], one)


def test_good_packs_one_after_the_other(open_page: Open) -> None:
    page = open_page(1280)
    for name, pack in PACKS.items():
        choose(page, pack, f"{name}.json")

        expect(page.locator(".file")).to_contain_text(f"{name}.json")
        expect(page.locator("#verdict")).to_have_text("Everything holds")
        expect(page.locator("tr.bad, tr.skipped, .finding, .doubt")).to_have_count(0)
        lines = [*pack.get("records", []), *pack.get("seeds", []), *pack.get("steps", [])]
        alone = sum(name in pack for name in ("commitment", "card"))
        expect(page.locator("tbody tr")).to_have_count(len(lines) + alone)


def test_what_is_wrong_is_told_with_its_record(open_page: Open) -> None:
    page = open_page(1280)

    choose(page, tampering("settlement/differs"))

    expect(page.locator("#verdict")).to_have_text(re.compile("wrong"))
    finding = page.locator(".wrong .finding", has_text="settlement/differs").first
    expect(finding).to_contain_text("is not what the cards and the rulebook give")
    expect(finding).to_contain_text("Should be")
    finding.locator("a").click()
    number = page.url.rpartition("-")[2]
    expect(page.locator(f"#record-{number}")).to_be_in_viewport()
    page.locator(f"#record-{number} summary").click()
    settled = re.compile('"(RoundSettled|SettlementCorrected)"')
    expect(page.locator(f"#record-{number} pre")).to_contain_text(settled)
    page.get_by_label("Only lines that are wrong").check()
    expect(page.locator("tbody tr:visible:not(.bad)")).to_have_count(0)


def test_no_finding_is_left_without_words(open_page: Open) -> None:
    """Every code of docs/pack.md has a sentence, and so has every record and every note."""
    page = open_page(1280)
    texts = page.evaluate("import('/texts/en.js').then(({ texts: { catalogue, ...own } }) => own)")
    manual = (PACKS_FOLDER.parents[2] / "docs" / "pack.md").read_text(encoding="utf-8")
    table = manual.partition("| codes |")[2].partition("\n\n")[0]
    codes, room = [], ""
    for code in re.findall(r"`([a-z]*/[a-z-]+)`", table):
        # In a row of the manual `/number` is short for the room named before it.
        room = code.partition("/")[0] or room
        codes.append(f"{room}/{code.partition('/')[2]}")
    codes += [f"{category}/differs" for category in set(CATEGORIES.values())]
    told = {code.partition(".")[0] for code in texts["findings"]}

    assert len(codes) > 40
    assert {code for code in codes if code not in told} == set()
    assert set(CATEGORIES) <= set(texts["records"])


def test_the_page_speaks_three_languages(open_page: Open) -> None:
    """The same names in every file; what is shown is told anew, and axe finds nothing to better."""
    page = open_page(390)
    choose(page, tampering("settlement/differs"))
    said: dict[str, list[str]] = {}
    titles = {"zh-Hans": "核验证据包", "zh-Hant": "核驗證據包", "en": "Check a dispute pack"}
    for code, title in titles.items():
        page.locator(f".tongues [lang={code}]").click()
        expect(page).to_have_title(f"{title} · cutcard")
        expect(page.locator("html")).to_have_attribute("lang", code)
        said[code] = [page.title(), *page.locator("h1, h2, .told, summary").all_inner_texts()]
        assert troubles(page) == []
        names = page.evaluate(
            """(code) => import(`/texts/${code}.js`).then(({ texts }) => {
              const paths = [], figures = /\\{[a-z_.]+(?:\\+1)?\\}/gi;
              const walk = (one, path) => typeof one === "object"
                ? Object.keys(one).forEach((name) => walk(one[name], `${path}.${name}`))
                : paths.push([path, [...new Set(one.match(figures))].sort().join()]);
              const { catalogue, language, comma, ...own } = texts;
              walk(own, "");
              return paths.sort();
            })""",
            code,
        )
        said[f"names {code}"] = names
    assert said["names zh-Hans"] == said["names zh-Hant"] == said["names en"]
    for code in LANGUAGES[1:]:
        # Cards, names, money and ids are the same in any language.
        unsaid = [text for text in said[code] if text in said["en"] and re.search("[a-z]{4}", text)]
        assert unsaid == []
        assert len(said[code]) == len(said["en"])


def test_no_pack_at_all(open_page: Open) -> None:
    page = open_page(390)

    choose(page, b"not a pack", "holiday.jpg")

    expect(page.locator("#verdict")).to_have_text("This is no pack that can be read")
    expect(page.locator(".finding")).to_contain_text("pack/json")


def test_an_anchor_taken_home(open_page: Open) -> None:
    """The pack holds by itself; against a photographed anchor of another log it does not."""
    page = open_page(1280)
    choose(page, PACKS["commission-table"])
    expect(page.locator("#verdict")).to_have_text("Everything holds")

    page.get_by_text("What you know from elsewhere").click()
    page.get_by_label("Anchors, one a line").fill("nonsense")
    page.get_by_label("Public keys of the house").focus()
    expect(page.locator("#unread")).to_contain_text("nonsense")
    page.get_by_label("Anchors, one a line").fill("")
    page.get_by_label("Public keys of the house").fill("ab" * 32)
    page.get_by_label("Anchors, one a line").focus()

    expect(page.locator("#verdict")).to_have_text(re.compile("wrong"))
    expect(page.locator(".wrong")).to_contain_text("head/key")


def test_a_file_dropped_anywhere(open_page: Open) -> None:
    page = open_page(1280)
    page.evaluate(
        """(text) => {
          const given = new DataTransfer();
          given.items.add(new File([text], "card.json"));
          const drop = { dataTransfer: given, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new DragEvent("drop", drop));
        }""",
        json.dumps(PACKS["card"]),
    )

    expect(page.locator("#verdict")).to_have_text("Everything holds")


def test_nothing_is_wider_than_the_screen(open_page: Open) -> None:
    page = open_page(1280)
    for pack in (PACKS["cow-cow-table"], tampering("settlement/differs")):
        choose(page, pack, "a-very-long-name-that-has-no-blanks-anywhere-at-all-in-it.json")
        for width in (320, 390, 1024, 1920):
            resize(page, width, 844)

            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


def test_the_keyboard_reaches_everything(open_page: Open) -> None:
    page = open_page(1280)
    for place in (".mark a", *(f".tongues [lang={code}]" for code in LANGUAGES), "#file"):
        page.keyboard.press("Tab")
        expect(page.locator(place)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".known summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#anchors")).to_be_visible()

    choose(page, PACKS["commission-round"])
    page.keyboard.press("Tab")
    expect(page.locator(".group summary").first).to_be_focused()


def test_every_field_and_table_has_a_name(open_page: Open) -> None:
    page = open_page(1280)
    choose(page, PACKS["commission-table"])

    nameless = page.evaluate(
        """() => [...document.querySelectorAll("input, textarea, table")].filter(
          (one) => !(one.labels?.[0]?.textContent || one.caption?.textContent)).length"""
    )
    assert nameless == 0
    assert page.locator("h1").count() == 1
    assert page.get_attribute("html", "lang") == "en"
    assert page.locator("[role=status]").count() == 1


def test_the_page_asks_nobody_for_anything(open_page: Open, address: str) -> None:
    page = open_page(1280)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    expect(page.locator("#awake")).to_be_visible()
    assert all(url.startswith(address) for url in asked)
    asked.clear()

    choose(page, PACKS["knockout-round"])

    assert asked == []
    policy = page.get_attribute("meta[http-equiv=Content-Security-Policy]", "content") or ""
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy


def test_a_pack_may_hold_whatever_it_likes(open_page: Open) -> None:
    """Names that are markup stay names."""
    pack = json.loads(json.dumps(PACKS["commission-table"]).replace('"ann"', '"<img src=x>"'))
    page = open_page(1280)

    choose(page, pack)

    expect(page.locator("tbody img")).to_have_count(0)
    expect(page.locator("tbody", has_text="<img src=x>").first).to_be_attached()


def test_a_pack_cannot_speak_for_the_page(open_page: Open) -> None:
    """Lines, unseen characters and those that turn the direction of writing are spelled out."""
    pack = json.loads(json.dumps(PACKS["commission-table"]).replace('"ann"', '"a\\u202e\\nnn"'))
    page = open_page(1280)

    choose(page, pack)

    text = page.locator("#result").inner_text()
    assert "\u202e" not in text
    assert "a\\u{202e}\\u{a}nn" in text
    page.locator("tr summary", has_text="a\\u{202e}").first.click()
    expect(page.locator("tr pre:visible").first).to_contain_text("\\u202e")


def test_one_is_not_many(open_page: Open) -> None:
    page = open_page(1280)

    pack = PACKS["knockout-round"]
    choose(page, pack)

    words = f"{len(pack['records'])} records, 1 signed head and 0 anchors"
    expect(page.locator(".checked")).to_contain_text(words)
    expect(page.locator(".checked")).to_contain_text(f"of hash {load('rws-knockout').hash}")


def test_a_seed_and_a_book_from_elsewhere(open_page: Open) -> None:
    page = open_page(1280)
    choose(page, PACKS["card"])
    page.get_by_text("What you know from elsewhere").click()

    page.get_by_label("Your seeds or their seals").fill("00" * 32)
    page.get_by_label("Rulebooks by hash").fill("00" * 32)
    page.get_by_label("Anchors, one a line").focus()

    expect(page.locator(".wrong")).to_contain_text("shoe/seed")
    expect(page.locator(".wrong")).to_contain_text("book/other")


def test_signatures_that_cannot_be_checked_here(browser: Browser, address: str) -> None:
    """Off this machine and without TLS a browser has no crypto.subtle; all else still works."""
    page = opened(browser).new_page()
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined });")
    page.goto(f"{address}/verify.html")
    expect(page.locator("#awake")).to_be_visible()
    choose(page, PACKS["commission-table"])

    expect(page.locator("#verdict")).to_have_text("Everything holds")
    expect(page.locator(".remarks")).to_contain_text("Signature not checked here")
    page.context.close()


# --- what the page is made of


@every("language", LANGUAGES)
def test_the_catalogue_beside_the_page_is_the_catalogue(language: str) -> None:
    """If this fails: python -m tests.browser.make_texts"""
    beside = (FOLDER / f"catalogue.{language}.js").read_text(encoding="utf-8")
    assert beside == written(language)
    assert catalogue(language)["refusal"]


def test_the_wheel_carries_the_page() -> None:
    from hatchling.builders.wheel import WheelBuilder

    root = Path(__file__).parents[2]
    packed = {one.distribution_path for one in WheelBuilder(str(root)).recurse_included_files()}
    web = [path for path in (root / "src" / "cutcard" / "web").rglob("*") if path.is_file()]

    assert len(web) > 30
    assert {str(path.relative_to(root / "src")) for path in web} <= packed
