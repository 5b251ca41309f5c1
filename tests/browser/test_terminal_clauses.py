"""What the rulebooks ask of a terminal, clause by clause, in a real Chromium."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cutcard.rulebooks import load
from cutcard.server.config import Config
from tests.browser.floor import Floor, floor
from tests.browser.playing import STILL, Terminal, opened
from tests.patience import PATIENCE_MS
from tests.server.house import BLITZ, PASSWORD, configuration

ELECTRONIC, ONLINE, COW_COW = "rws-non-commission-etg", "online-no-commission", "online-cow-cow"
COMMISSION, SKY = "rws-commission", "skycity-commission"
BOOKS = (ELECTRONIC, ONLINE, COW_COW, COMMISSION, SKY)


def venue() -> Config:
    found = configuration(BOOKS, replace(BLITZ, result_ms=0))
    house = replace(
        found.venue,
        name="The Corner",
        address="1 Harbour Road",
        telephone="+65 0000 0000",
        site="www.corner.example",
    )
    return replace(found, venue=house)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    address = f"sqlite:{tmp_path_factory.mktemp('clauses') / 'floor.db'}"
    with floor(venue(), address) as found:
        for name in BOOKS:
            found.pace(name, **STILL)
        yield found


@pytest.fixture(scope="module")
def page(house: Floor, browser: Browser) -> Iterator[Page]:
    """Ann's one window, at the size of a terminal."""
    house.do(house.house.person("ann"))
    context = opened(browser, viewport={"width": 1280, "height": 800})
    body = {"name": "ann", "password": PASSWORD}
    context.request.post(f"{house.url}/api/v1/sign-in", data=body, timeout=PATIENCE_MS)
    yield context.new_page()
    context.close()


def at(house: Floor, page: Page, table: str) -> Terminal:
    found = Terminal(house, page, table)
    found.wait("document.querySelector('.session')")
    found.next_round()
    return found


@pytest.mark.clause("ETG4 1 Player Terminal (b)")
def test_a_terminal_serves_one_table_at_a_time(house: Floor, page: Page) -> None:
    said: list[Any] = []

    def listen(socket: Any) -> None:
        socket.on("framesent", lambda frame: said.append(json.loads(str(frame))))

    page.on("websocket", listen)
    at(house, page, ELECTRONIC)
    at(house, page, ONLINE)
    page.remove_listener("websocket", listen)

    tables = [one["table"] for one in said if one["is"] == "watch"]
    assert list(dict.fromkeys(tables)) == [ELECTRONIC, ONLINE]
    assert page.evaluate("new URLSearchParams(location.search).getAll('table').length") == 1


@pytest.mark.clause("ETG4 2.1.1")
def test_the_whole_layout_is_in_sight(house: Floor, page: Page) -> None:
    """Every spot, limits, credits and the time left, at 1280 by 800 without scrolling."""
    ann = at(house, page, ELECTRONIC)
    for spot in load(ELECTRONIC).spots:
        box = ann.spot(spot).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800
    for place in (".purse", ".clock", ".about", ".limit"):
        expect(page.locator(place).first).to_be_in_viewport()
    expect(page.locator(".about")).to_contain_text("Limits")


@pytest.mark.clause("ETG4 3.1 (c)", "ETG4 3.2 (c)")
def test_every_terminal_shows_when_bets_open_and_close(
    house: Floor, page: Page, browser: Browser
) -> None:
    ann = at(house, page, ELECTRONIC)
    other = opened(browser).new_page()
    second = Terminal(house, other, ELECTRONIC)
    words = load(ELECTRONIC).announcements
    for one in (ann, second):
        expect(one.page.locator(".state").first).to_contain_text(words["open"].words)
    ann.bet({"banker": 1})
    ann.close(card=600_000)
    for one in (ann, second):
        expect(one.page.locator(".state").first).to_contain_text(words["close"].words)
    other.context.close()
    house.pace(ELECTRONIC, **STILL)


@pytest.mark.clause("ETG4 4.1.1")
def test_the_pay_table_shown_is_the_one_that_settles(house: Floor, page: Page) -> None:
    at(house, page, ELECTRONIC)
    told = page.evaluate(f"fetch('/api/v1/tables/{ELECTRONIC}/book').then((one) => one.json())")
    for spot in load(ELECTRONIC).spots.values():
        lines = [(str(line.net), line.clause) for line in spot.table.lines]
        assert [(one["net"], one["clause"]) for one in told["bets"][spot.id]["lines"]] == lines
    page.locator("button.know").click()
    shown = page.locator("dialog")
    expect(shown.locator("details")).to_have_count(len(load(ELECTRONIC).spots))
    for spot in load(ELECTRONIC).spots.values():
        for line in spot.table.lines:
            assert line.clause in (shown.text_content() or "")
    shown.get_by_role("button", name="Close").click()


@pytest.mark.clause("HOUSE labels")
def test_labels_come_from_language_packs(house: Floor, page: Page) -> None:
    """Simplified, traditional, and both at once as CB4 prints them."""
    for language, label in (("zh-Hans", "庄"), ("zh-Hant", "莊")):
        Terminal(house, page, ELECTRONIC, language)
        expect(page.locator(".hands")).to_contain_text(label)
    page.evaluate("localStorage.setItem('cutcard.labels', 'rws')")
    Terminal(house, page, COMMISSION, "en")
    for label in ("庄 BANKER", "閒 PLAYER"):
        expect(page.locator(".hands")).to_contain_text(label)
    page.evaluate("localStorage.removeItem('cutcard.labels')")


@pytest.mark.clause("ONL NC4")
def test_the_limit_of_a_bet_and_what_remains_can_be_read(house: Floor, page: Page) -> None:
    ann = at(house, page, ONLINE)
    ann.bet({"player": 1})
    ann.spot("tie").hover()
    ann.spot("tie").focus()
    expect(page.locator(".limit")).to_contain_text(re.compile(r"[\d,]+"))
    ann.spot("tie").click()
    expect(page.locator(".limit")).to_contain_text("Tie: Max 500 per patron · 475 remains")
    ann.rack("Clear").click()


@pytest.mark.clause("ONL CC9")
def test_the_most_a_bet_can_lose_is_shown_before_it_is_confirmed(house: Floor, page: Page) -> None:
    at(house, page, COW_COW)
    page.evaluate("localStorage.setItem('cutcard.confirm', 'yes')")
    ann = at(house, page, COW_COW)
    spot = next(iter(load(COW_COW).spots))
    ann.chip(1)
    ann.spot(spot).click()
    ann.wait("document.querySelector('dialog[open]') || document.querySelector('.pile.planned')")
    if page.locator("dialog[open]").count():
        ann.buy_in()
    planned = page.locator(".pile.planned:visible")
    expect(planned).to_have_count(1)
    expect(planned).to_contain_text("You can lose")
    page.evaluate("localStorage.removeItem('cutcard.confirm')")


@pytest.mark.clause("CB4 3.1", "SKY RG1 (b)", "SKY golden (b)", "SKY RG2 (b)")
def test_rules_statement_helpline_and_staff_are_one_touch_away(house: Floor, page: Page) -> None:
    at(house, page, COMMISSION)
    page.locator("button.know").click()
    expect(page.locator("dialog .sayings")).to_contain_text("as close to 9 points as possible")
    page.locator("dialog").get_by_role("button", name="Close").click()

    at(house, page, SKY)
    statement = "Gambling is a form of entertainment, not a strategy for financial success."
    foot = page.locator(".past")
    expect(foot).to_contain_text(statement)
    expect(foot).to_contain_text("1800 629 683, www.amity.org.au")
    page.locator("button.know").click()
    expect(page.locator("dialog .sayings")).to_contain_text(statement)
    page.locator("dialog").get_by_role("button", name="Close").click()
    foot.get_by_role("button", name="Call staff").click()
    expect(page.locator(".notices")).to_contain_text("Somebody is coming to your table.")
    assert house.house.server.staff.calls[SKY].by.startswith("p-")


@pytest.mark.clause("SKY brand")
def test_the_venue_is_a_setting_and_not_part_of_the_program(house: Floor, page: Page) -> None:
    page.goto(f"{house.url}/?language=en")
    foot = page.locator(".foot .venue")
    expect(foot).to_have_text("The Corner · 1 Harbour Road · +65 0000 0000 · www.corner.example")
