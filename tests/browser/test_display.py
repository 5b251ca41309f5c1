"""The display on a wall: what it shows, and how it looks after itself."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from cutcard.roads import parse, roads
from cutcard.wire.shown import counts_shown
from tests.browser.playing import opened, resize, run_clock, stop_clock, troubles
from tests.browser.standing import Line, floor, standing
from tests.patience import PATIENCE

TABLE = "rws-commission"
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    address = f"sqlite:{tmp_path_factory.mktemp('display') / 'house.db'}"
    with standing(floor(TABLE), address) as found:
        yield found


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """In which scripts are fetched once."""
    context = opened(browser)
    yield context
    context.close()


@pytest.fixture
def open_page(window: BrowserContext, line: Line) -> Iterator[Open]:
    pages = []

    def open_page(query: str = f"table={TABLE}", width: int = 1920, height: int = 1080) -> Page:
        page = window.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{line.url}/display.html?{query}")
        expect(page.locator("body")).to_have_attribute("data-ready", "yes")
        return page

    yield open_page
    for page in pages:
        page.evaluate("localStorage.clear()")
        page.close()


@pytest.mark.clause("CB4 3.4")
def test_everything_that_a_wall_must_show(open_page: Open) -> None:
    page = open_page(f"table={TABLE}&languages=en")

    expect(page.locator("h1")).to_have_text("RWS Commission Baccarat")
    expect(page.locator(".limits")).to_contain_text("Min")
    expect(page.locator(".limits")).to_contain_text("10,000")
    expect(page.locator("figure road-map svg")).to_have_count(5)
    expect(page.locator(".state")).to_contain_text(re.compile("wins|Tie"))
    expect(page.locator("playing-card[up]").first).to_be_visible()
    expect(page.locator(".progress")).to_contain_text(re.compile(r"Round \d+ of this shoe, about"))
    expect(page.locator(".help")).to_contain_text("helpline")
    assert page.locator("button, input, select, a").count() == 0


@pytest.mark.clause("CB4 5.14")
def test_it_only_informs(open_page: Open) -> None:
    """The words and the clause behind them stand on the display itself (CB4 5.14)."""
    page = open_page(f"table={TABLE}&languages=en")

    expect(page.locator(".only")).to_contain_text("For information only")
    expect(page.locator(".only")).to_contain_text("CB4 5.14")


@pytest.mark.clause("CB4 5.14", "HOUSE roads")
def test_a_correction_redraws_every_road(browser: Browser, line: Line) -> None:
    """The last of five results was wrong: what the display had drawn of it is gone at once."""
    shown = httpx.get(f"{line.url}/api/v1/tables/{TABLE}", timeout=PATIENCE).json()["shown"]
    told: list[WebSocketRoute] = []

    def drawn(results: str) -> dict[str, Any]:
        found = roads(parse(results))
        pairs = "B.2.P"[: len(found.bead)]
        return {"roads": found.document(), "counts": counts_shown(found), "pairs": pairs}

    def hear(socket: WebSocketRoute, message: str | bytes) -> None:
        if json.loads(message)["is"] != "watch":
            return
        told.append(socket)
        whole = {**shown, **drawn("B B P P B"), "by_hand": True}
        socket.send(json.dumps({"is": "snapshot", "table": TABLE, "seq": 1, "shown": whole}))

    page = opened(browser).new_page()
    page.route_web_socket(
        "**/api/v1/live*",
        lambda socket: socket.on_message(lambda message: hear(socket, message)),
    )
    page.goto(f"{line.url}/display.html?table={TABLE}&languages=en")
    banker, rings = page.locator(".counts .banker dd").first, page.locator(".big path.B:not(.pair)")
    expect(banker).to_have_text("3")
    expect(page.locator(".clock")).to_contain_text("A card could not be read")
    expect(page.locator("figure.bead text")).to_have_text([*"BBPPB"])
    before = rings.get_attribute("d") or ""
    # Every round of this shoe was won, so both roads have the dots of its pairs: two on each side.
    for dots in ("figure.bead path.pair", "figure.big path.pair"):
        drawn_dots = [page.locator(f"{dots}.{side}").get_attribute("d") or "" for side in "BP"]
        assert [one.count("M") for one in drawn_dots] == [2, 2]
    labels = [one.get_attribute("aria-label") for one in page.locator(".whatif").all()]
    assert labels == [
        "Ask Banker: Big Eye Boy regular, Small Road regular",
        "Ask Player: Big Eye Boy irregular, Small Road irregular",
    ]

    right = {"is": "change", "table": TABLE, "was": 1, "seq": 2, "changes": drawn("B B P P P")}
    told[0].send(json.dumps(right))
    expect(banker).to_have_text("2")
    expect(page.locator("figure.bead text")).to_have_text([*"BBPPP"])
    assert before.startswith(rings.get_attribute("d") or "-")
    page.context.close()


def test_the_anchor_is_renewed_every_round(open_page: Open) -> None:
    page = open_page()
    anchor = page.locator(".anchor code")
    expect(anchor).to_have_text(re.compile(rf"{TABLE}:\d+:"))
    before = anchor.inner_text()

    expect(anchor).not_to_have_text(before)


def test_languages_take_turns(browser: Browser, line: Line) -> None:
    page = opened(browser, hurried=True).new_page()
    # The clock is moved by more than a line may be silent.
    page.add_init_script("localStorage.setItem('cutcard.slack', '20')")
    lines: list[object] = []
    page.on("websocket", lambda socket: lines.append(socket))
    page.clock.install()
    page.goto(f"{line.url}/display.html?table={TABLE}")
    title = page.locator(".hand.banker b")
    expect(title).to_have_text("Banker")
    for words in ("庄", "莊", "Banker"):
        page.clock.run_for(15_100)
        expect(title).to_have_text(words)
        assert troubles(page) == []
    assert len(lines) == 1, "another language needs no other connection"
    page.context.close()


def test_it_says_when_it_is_out_of_date_and_comes_back_by_itself(
    browser: Browser, line: Line
) -> None:
    page = opened(browser, hurried=True).new_page()
    page.clock.install()
    page.goto(f"{line.url}/display.html?table={TABLE}&languages=en")
    expect(page.locator(".pulse")).to_have_text("Live")
    expect(page.locator(".stale")).to_have_count(0)

    line.stop()
    page.clock.run_for(4_000)
    expect(page.locator(".stale")).to_contain_text(re.compile(r"Connection lost \d+ s ago"))
    assert "old" in (page.get_attribute("body", "class") or "")

    line.start()
    expect(page.locator(".stale")).to_have_count(0)
    expect(page.locator(".pulse")).to_have_text("Live")
    before = page.locator(".progress").inner_text()
    expect(page.locator(".progress")).not_to_have_text(before)
    page.context.close()


def test_a_line_that_is_open_but_silent_is_noticed_too(browser: Browser, line: Line) -> None:
    """No frame for three seconds is no news, whatever the socket says."""
    page = opened(browser, hurried=True).new_page()
    page.route_web_socket("**/api/v1/live*", lambda socket: None)
    page.clock.install()
    page.goto(f"{line.url}/display.html?table={TABLE}&languages=en")
    expect(page.locator("body")).to_have_attribute("data-ready", "yes")
    stop_clock(page)
    run_clock(page, page.locator(".stale").count, "a warning")

    expect(page.locator(".stale")).to_contain_text(re.compile(r"No news for \d+ s"))
    page.context.close()


def test_it_fits_every_screen(open_page: Open) -> None:
    page = open_page()
    for width, height in ((1920, 1080), (3840, 2160)):
        resize(page, width, height)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), height
        least = page.evaluate(
            """() => Math.min(...[...document.querySelectorAll("h1, dt, dd, p, b, figcaption")]
              .filter((one) => one.textContent.trim())
              .map((one) => parseFloat(getComputedStyle(one).fontSize))) / innerHeight"""
        )
        # 17 px of 1080 is a letter a centimetre high on a screen of 55 inches.
        assert least >= 17 / 1080
    resize(page, 360, 740)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_a_table_one_is_chosen(open_page: Open) -> None:
    page = open_page("table=nowhere")

    page.locator(".choice a").click()
    expect(page.locator("h1")).to_have_text("RWS Commission Baccarat")
