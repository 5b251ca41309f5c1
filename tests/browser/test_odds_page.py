"""The odds lab prints what cutcard.odds counts, to the last digit."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from cutcard.odds import Composition, effect_of_removal, odds
from cutcard.odds.certificate import deviation, percent
from cutcard.odds.pricing import decimal
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards
from tests.browser.conftest import Ask
from tests.browser.playing import comes_to, opened, troubles
from tests.browser.standing import Line, floor, standing
from tests.patience import PATIENCE

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    address = f"sqlite:{tmp_path_factory.mktemp('odds') / 'house.db'}"
    with standing(floor("skycity-commission"), address) as found:
        yield found


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """In which scripts are fetched once."""
    context = opened(browser, locale="en-GB")
    yield context
    context.close()


@pytest.fixture
def open_page(window: BrowserContext, line: Line) -> Iterator[Open]:
    found: list[str] = []
    pages = []

    def open_page(query: str, width: int = 1440) -> Page:
        page = window.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.on("console", lambda message: found.append(message.text))
        page.on("pageerror", lambda error: found.append(str(error)))
        page.goto(f"{line.url}/odds.html?{query}")
        expect(page.locator(".bets tbody tr").first).to_be_visible()
        return page

    yield open_page
    for page in pages:
        page.evaluate("localStorage.clear()")
        page.close()
    assert found == []


def printed(page: Page) -> dict[str, list[str]]:
    rows = page.locator(".bets tbody tr")
    return {
        str(rows.nth(place).get_attribute("data-spot")): rows.nth(place)
        .locator("td")
        .all_inner_texts()
        for place in range(rows.count())
    }


def expected(book: str, shoe: Composition) -> dict[str, list[str]]:
    return {
        spot: [
            percent(price.win),
            percent(price.push),
            percent(price.lose),
            percent(price.edge, 6),
            percent(price.rtp),
            deviation(price),
        ]
        for spot, price in odds(load(book), shoe).bets.items()
    }


def test_a_fresh_shoe_as_counted(open_page: Open) -> None:
    page = open_page("book=rws-commission&decks=8")

    comes_to(page, lambda: printed(page), expected("rws-commission", Composition.of_decks(8)))
    assert page.locator("[data-spot=banker] .edge").inner_text() == "1.057906"


def test_cards_taken_out_by_hand(open_page: Open) -> None:
    page = open_page("book=rws-knockout&decks=6")
    six, nine = page.locator("[data-card='6h']"), page.locator("[data-card='9s']")
    for _ in range(3):
        six.click()
    six.click(modifiers=["Shift"])
    nine.press("Enter")
    nine.press("Enter")
    nine.press("Delete")

    expect(page.locator(".total")).to_have_text("309 cards in the shoe")
    expect(six).to_have_accessible_name("6 of hearts: 4 of 6 left")
    shoe = Composition.of_decks(6).without(parse_cards("6h 6h 9s"))
    comes_to(page, lambda: printed(page), expected("rws-knockout", shoe))
    assert "remove=6h%206h%209s" in page.url
    page.get_by_role("button", name="Fresh shoe").click()
    expect(page.locator(".total")).to_have_text("312 cards in the shoe")


def test_charts_carry_the_same_figures(open_page: Open) -> None:
    """Edges, the distribution of a bet, and the effect of removal, each as text in its chart."""
    page = open_page("book=skycity-commission&decks=1")
    book, shoe = load("skycity-commission"), Composition.of_decks(1)
    found = odds(book, shoe)

    edges = page.locator(".edges svg .figure").all_text_contents()
    assert edges == [f"{percent(price.edge)}%" for price in found.bets.values()]
    page.get_by_role("button", name="Tie").click()
    ways = page.locator(".distribution svg .figure").all_text_contents()
    tie = found.bets["tie"]
    assert sorted(ways) == sorted((f"{percent(tie.win, 2)}%", f"{percent(tie.lose, 2)}%"))
    expect(page.locator(".removal svg")).to_be_visible()
    changes = effect_of_removal(book, shoe)["tie"]
    drawn = page.locator(".removal svg .figure").all_text_contents()
    assert [one.replace("−", "-") for one in drawn] == [percent(one, 3) for one in changes.values()]


def test_a_shoe_that_the_book_cannot_be_dealt_from(line: Line) -> None:
    told = httpx.get(
        f"{line.url}/api/v1/books/rws-commission/odds?decks=1&remove=9h 9h", timeout=PATIENCE
    ).json()

    assert told["code"] == "odds/not-in-shoe"
    for name in ("nobody", "cutcard.toml", "..%2Frws-commission"):
        assert httpx.get(f"{line.url}/api/v1/books/{name}/odds", timeout=PATIENCE).status_code in (
            400,
            404,
        )


def test_the_certificate_is_a_file_to_keep(open_page: Open) -> None:
    page = open_page("book=skycity-commission&decks=1")
    with page.expect_download() as coming:
        page.get_by_role("link", name="certificate").click()

    assert coming.value.suggested_filename == "skycity-commission-odds.html"
    text = coming.value.path().read_text(encoding="utf-8")
    assert (
        percent(odds(load("skycity-commission"), Composition.of_decks(1)).bets["tie"].edge, 6)
        in text
    )


def test_it_fits_a_phone_in_every_language(open_page: Open) -> None:
    page = open_page("book=rws-knockout&decks=4", width=360)
    for name in ("简体中文", "繁體中文", "English"):
        page.get_by_role("button", name=name).click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert troubles(page) == []


@pytest.mark.parametrize("places", [1, 4, 6])
def test_fractions_are_rounded_as_python_rounds_them(ask: Ask, places: int) -> None:
    values = [Fraction(over, under) for over in range(-9, 10) for under in (1, 2, 3, 8, 16, 2000)]
    values += [Fraction(1, 2 * 10**places), Fraction(-3, 2 * 10**places)]

    found = ask("decimal", [[str(value), places] for value in values])

    assert found == [decimal(value, places) for value in values]
