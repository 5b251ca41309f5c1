"""The studies' page shows what the lab works out, on a phone and on a wall."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from cutcard.lab import distribution, per_hour
from cutcard.odds.certificate import percent
from cutcard.odds.pricing import decimal
from cutcard.rulebooks import load
from tests.browser.playing import opened
from tests.browser.standing import Line, floor, standing
from tests.patience import PATIENCE_MS

Open = Callable[..., Page]
BOOK = load("rws-commission")


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    address = f"sqlite:{tmp_path_factory.mktemp('studies') / 'house.db'}"
    with standing(floor("skycity-commission"), address) as found:
        yield found


@pytest.fixture
def open_page(browser: Browser, line: Line) -> Iterator[Open]:
    troubles: list[str] = []
    contexts = []

    def open_page(query: str, width: int = 1280, refused: bool = False) -> Page:
        context = opened(browser, viewport={"width": width, "height": 900}, locale="en-GB")
        contexts.append(context)
        page = context.new_page()
        if not refused:  # Chromium itself writes down every refusal.
            page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(f"{line.url}/studies.html?{query}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


def shown(page: Page, study: str) -> None:
    page.wait_for_selector(f"body[data-ready={study}]", timeout=PATIENCE_MS)
    expect(page.locator(".chart svg").first).to_be_visible()


def test_costs_an_hour_are_the_labs(open_page: Open) -> None:
    page = open_page("book=rws-commission&stake=200&rounds=60")
    shown(page, "per-hour")
    rows = page.locator(".bets tbody tr")

    for place, hour in enumerate(per_hour(BOOK, 200, 60).hours):
        cells = rows.nth(place).locator("td").all_inner_texts()
        assert cells[:2] == [percent(hour.price.edge), decimal(hour.cost, 2, ",")]


def test_another_study_is_a_press_away(open_page: Open) -> None:
    page = open_page("book=rws-commission", 360)
    shown(page, "per-hour")
    page.locator("[data-study=distribution]").click()
    shown(page, "distribution")
    study = distribution(BOOK, "banker", 500)

    facts = page.locator(".facts dd").all_inner_texts()
    assert facts[0] == decimal(study.mean, 2).replace("-", "−")
    assert page.locator(".chart rect").count() == len(study.columns[1])
    assert "study=distribution" in page.url
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360


def test_ruin_has_a_panel_for_every_system(open_page: Open) -> None:
    page = open_page("book=rws-commission&study=ruin&rounds=40&bankroll=2000")
    shown(page, "ruin")

    assert page.locator(".chart .middle").count() == 6
    assert page.locator(".chart .head").last.text_content() == "1-3-2-6"
    assert "1.0579 %" in page.locator(".explained").inner_text()
    assert page.locator(".bets tbody tr").count() == 6


def test_what_is_refused_is_said(open_page: Open) -> None:
    page = open_page("book=rws-commission&study=ruin&stake=110", refused=True)
    expect(page.locator(".trouble")).to_contain_text("multiple")
    page.locator("[name=stake]").fill("100")
    page.locator(".asked .go").click()
    shown(page, "ruin")
    expect(page.locator(".trouble")).to_have_count(0)
