"""The lobby: every table, live, and cheap however many there are."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.playing import opened, resize, troubles
from tests.browser.sixty import FABRICATED, floor_of_sixty, lobby_of_sixty
from tests.browser.standing import Line, floor, standing


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    config = floor()
    config = replace(config, venue=replace(config.venue, name="Salon", theme="burgundy"))
    address = f"sqlite:{tmp_path_factory.mktemp('lobby') / 'house.db'}"
    with standing(config, address) as found:
        yield found


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """In which scripts are fetched once."""
    context = opened(browser, viewport={"width": 1280, "height": 900}, locale="en-GB")
    yield context
    context.close()


@pytest.fixture
def page(window: BrowserContext, line: Line) -> Iterator[Page]:
    """The lobby on a desk; at the end, nothing may have gone wrong unseen."""
    found: list[str] = []
    page = window.new_page()
    page.on("console", lambda message: found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    page.goto(line.url)
    expect(page.locator("body")).to_have_attribute("data-ready", "yes")
    yield page
    page.evaluate("localStorage.clear()")
    page.close()
    assert found == []


def test_eight_tables_and_a_round_goes_by(page: Page) -> None:
    cards = page.locator(".card")
    expect(cards).to_have_count(8)
    first = page.locator(".card[data-table=online-baccarat]")
    expect(first.locator(".variant")).to_have_text("Commission")
    expect(first).to_contain_text("from 10")
    expect(first).to_contain_text("Open table")
    expect(first).to_contain_text("0 patrons playing")
    expect(page.locator(".card[data-table=skycity-commission]")).to_contain_text("0 of 12 seats")

    expect(first.locator(".state")).to_contain_text("Place your bets")
    expect(first.locator(".state")).to_contain_text(re.compile("wins|Tie"))
    expect(first.locator("road-map path.B, road-map path.P").first).to_be_attached()
    results = re.compile(r"Banker (\d+)\s*Player (\d+)\s*Tie (\d+)")

    def played() -> int:
        found = results.search(first.locator(".tally").inner_text().replace("\n", " "))
        assert found is not None
        return sum(map(int, found.groups()))

    before = played()
    page.wait_for_function(
        """(before) => {
          const tally = document.querySelector(".card .tally").textContent;
          const counts = [...tally.matchAll(/(?:Banker|Player|Tie) (\\d+)/g)];
          return counts.reduce((sum, one) => sum + Number(one[1]), 0) > before;
        }""",
        arg=before,
    )


def test_filters_by_game_and_minimum(page: Page) -> None:
    page.get_by_role("button", name="Knockout").click()
    expect(page.locator(".card h2")).to_have_text(["RWS Non-Commission Knockout Baccarat"])
    page.get_by_role("button", name="All").click()
    page.get_by_label("Minimum").select_option("1000")
    expect(page.locator(".card")).to_have_count(6)
    assert "limit=1000" in page.url


def test_four_tables_at_once_and_no_more(page: Page) -> None:
    for place in range(5):
        page.locator(".card").nth(place).locator(".acts .quiet").click()

    expect(page.locator(".window")).to_have_count(4)
    expect(page.locator(".notices")).to_contain_text("At most 4")
    expect(page.locator(".window").first.locator(".state")).to_contain_text(
        re.compile("bets|Dealing|wins|Tie|draws")
    )
    assert page.url.count(",") == 3
    page.reload()
    expect(page.locator(".window")).to_have_count(4)
    assert troubles(page, colours=False) == []
    page.locator(".window").first.get_by_role("button").click()
    expect(page.locator(".window")).to_have_count(3)


def test_a_guest_comes_in(page: Page) -> None:
    page.get_by_role("button", name="guest").click()
    page.get_by_role("button", name="demonstration seat").click()

    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="guest")).to_be_visible()


def test_three_languages_on_the_spot(page: Page) -> None:
    """Nothing is left unnamed, and axe finds nothing to better, with a table watched as well."""
    page.locator(".card").first.locator(".acts .quiet").click()
    expect(page.locator(".window")).to_have_count(1)
    for name, code, banker in (
        ("繁體中文", "zh-Hant", "莊"),
        ("简体中文", "zh-Hans", "庄"),
        ("English", "en", "Banker"),
    ):
        page.get_by_role("button", name=name).click()
        expect(page.locator(".card").first.locator(".tally")).to_contain_text(banker)
        assert page.get_attribute("html", "lang") == code
        assert re.findall(r"\b[a-z_]+\.[a-z_.]+\b", page.locator("main").inner_text()) == []
        assert troubles(page) == []


def test_the_venue_gives_its_name_and_the_colour_of_its_felt(page: Page) -> None:
    expect(page.locator(".brand")).to_contain_text("Salon")
    assert page.get_attribute("html", "data-theme") == "burgundy"
    felt = "getComputedStyle(document.documentElement).getPropertyValue('--felt')"
    assert page.evaluate(felt) == "#5f1c2c"


def test_whoever_chose_no_language_is_spoken_to_in_the_venues(page: Page) -> None:
    """A browser that has another one is told in it as soon as somebody asks for it."""

    def elsewhere(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "language": "zh-Hant"})

    page.route("**/api/v1/tables", elsewhere)
    page.reload()
    expect(page.locator("h1")).to_have_text("賭枱")
    page.get_by_role("button", name="English").click()
    expect(page.locator("h1")).to_have_text("Tables")
    page.reload()
    expect(page.locator(".card").first).to_contain_text("Banker")
    expect(page.locator("h1")).to_have_text("Tables")


def test_one_is_not_many(page: Page) -> None:
    said = page.evaluate(
        """import("/lib/language.js").then(({ t }) => [
          ["lobby.now", { open: 2, tables: 8, seated: 1 }],
          ["lobby.now", { open: 2, tables: 8, seated: 2 }],
          ["points", { side: "Banker", points: 1 }],
          ["lab.cards", { cards: 1 }]].map(([word, figures]) => t(word, figures)))"""
    )
    assert said == [
        "2 of 8 tables open · 1 seat taken",
        "2 of 8 tables open · 2 seats taken",
        "Banker, 1 point",
        "1 card in the shoe",
    ]


def test_nothing_is_wider_than_the_screen_and_targets_are_large(page: Page) -> None:
    for width in (360, 768, 1280, 2560):
        resize(page, width, 800)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    resize(page, 360, 800)
    small = page.evaluate(
        """() => [...document.querySelectorAll(":is(main, header) :is(a, button, select)")]
          .filter((one) => one.checkVisibility() && one.offsetHeight > 0 && one.offsetHeight < 40)
          .map((one) => one.textContent)"""
    )
    assert small == []


SIXTY = """async (versions) => {
  const { show } = await import("/lobby.js");
  const { flush } = await import("/lib/reactive.js");
  const touched = new Set();
  const note = (all) => all.forEach(({ target }) => touched.add(
    (target.closest ? target : target.parentElement).closest("[data-table]")?.dataset.table));
  const watching = new MutationObserver(note);
  watching.observe(document.querySelector(".tables"),
    { subtree: true, childList: true, attributes: true, characterData: true });
  const found = [];
  for (const version of versions) {
    show(JSON.parse(version));
    flush();
    note(watching.takeRecords());
    found.push([...touched]);
    touched.clear();
  }
  watching.disconnect();
  return found;
}"""
"""The tables whose cards are touched by each of some updates."""


def test_an_update_touches_only_the_tables_that_have_changed(browser: Browser, line: Line) -> None:
    """Of sixty; what it costs is measured by `bench/lobby.py`."""
    # As high as it takes to see all of them: what is out of sight is not drawn.
    context = opened(browser, viewport={"width": 1440, "height": 9_000})
    page = lobby_of_sixty(context, line.url)
    one, other = floor_of_sixty(1), floor_of_sixty(1)
    other["tables"][7]["round"] += 1
    all_of_them, again, single = page.evaluate(
        SIXTY, [json.dumps(version) for version in (one, one, other)]
    )
    context.close()

    assert {*all_of_them} - {None} == {f"t{number}" for number in range(FABRICATED)}
    assert again == []
    assert single == ["t7"]
