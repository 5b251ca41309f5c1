"""The player's terminal, played in a real Chromium against a whole house."""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from cutcard.odds import odds
from cutcard.rulebooks import ids, load
from cutcard.server.config import demonstration
from cutcard.table.commands import LeaveSeat, TakeSeat
from cutcard.wire.house import AnswerAttendant, LockTerminal, UnlockTerminal
from tests.browser.floor import Floor, floor
from tests.browser.playing import (
    LANGUAGES,
    STILL,
    Terminal,
    comes_to,
    opened,
    resize,
    run_clock,
    speak,
    stop_clock,
    troubles,
    wait,
)
from tests.browser.serving import WEB
from tests.patience import PATIENCE_MS
from tests.server.house import PASSWORD, PAUSED, configuration

COMMISSION, KNOCKOUT, COW_COW = "rws-commission", "rws-knockout", "online-cow-cow"
ELECTRONIC, ONLINE = "rws-non-commission-etg", "online-baccarat"
SKY = "skycity-commission"
MOST_SCRIPT = 60_000
CARD = re.compile(r'"[2-9TJQKA][shdc]"')

Enter = Callable[..., Terminal]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """A house with a table of every book, at which nothing happens until it is told to."""
    config = configuration(ids(), replace(PAUSED, least_round_ms=0, result_ms=0))
    address = f"sqlite:{tmp_path_factory.mktemp('floor') / 'floor.db'}"
    with floor(config, address) as open_house:
        for name in ids():
            open_house.pace(name, **STILL)
        yield open_house


@pytest.fixture(scope="module")
def rooms(house: Floor, browser: Browser) -> Iterator[Callable[[str | None], BrowserContext]]:
    """A window for each person, in which scripts are fetched and passwords told once."""
    known: dict[str | None, BrowserContext] = {}

    def room(who: str | None) -> BrowserContext:
        if who in known and who is not None:
            return known[who]
        context = known[who or f"nobody {len(known)}"] = opened(browser)
        if who is not None:
            house.do(house.house.person(who))
            told = {"name": who, "password": PASSWORD}
            assert context.request.post(
                f"{house.url}/api/v1/sign-in", data=told, timeout=PATIENCE_MS
            ).ok
        return context

    yield room
    for context in known.values():
        context.close()


@pytest.fixture
def enter(house: Floor, rooms: Callable[[str | None], BrowserContext]) -> Iterator[Enter]:
    """Terminals, each a page of its own; nothing may have gone wrong in any of them unseen."""
    pages: list[Page] = []
    found: list[str] = []

    def enter(
        table: str,
        who: str | None = "ann",
        language: str = "en",
        size: tuple[int, int] = (1280, 800),
    ) -> Terminal:
        page = rooms(who).new_page()
        pages.append(page)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.on("pageerror", lambda error: found.append(str(error)))
        page.on("console", lambda said: found.append(said.text) if wrong(said) else None)
        terminal = Terminal(house, page, table, language)
        if who is not None:
            terminal.signed_in()
            terminal.next_round()
        return terminal

    yield enter
    for page in pages:
        # What somebody chose is kept in the window, and would be found by the next test.
        page.context.set_offline(False)
        page.evaluate("localStorage.clear()")
        page.close()
    assert found == []


def wrong(said: Any) -> bool:
    # A lost connection and a refusal are meant in some tests, and Chromium remarks on them.
    meant = r"ERR_INTERNET_DISCONNECTED|status of 40[14]"
    return said.type in ("error", "warning") and not re.search(meant, said.text)


def frames(page: Page) -> list[str]:
    """Everything that a page hears from now on, after its next connection."""
    heard: list[str] = []

    def listen(socket: Any) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    page.on("websocket", listen)
    return heard


def plain_spot(book: str) -> str:
    spots = load(book).spots
    return next(name for name, one in spots.items() if one.stage is None)


def figure(text: str) -> int:
    """An amount as it is written, in minor units."""
    return round(float(text.replace(",", "").replace("−", "-").replace("+", "")) * 100)


# --- playing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", ids())
def test_a_round_of_every_book(enter: Enter, book: str) -> None:
    """From a tap on a spot to the new balance, and the account agrees to the cent."""
    ann = enter(book, size=(390, 844))
    spot = plain_spot(book)
    ann.bet({spot: 2})
    before = figure(ann.stack())
    reserve = load(book).spots[spot].table.reserve if book == COW_COW else 1
    staked = figure(ann.bet_total())
    if book == COW_COW:
        assert reserve == 9
        lose = ann.page.locator(".pile em:visible").inner_text()
        assert lose == f"You can lose {staked * reserve // 100:,}"
        expect(ann.spot(spot)).to_have_attribute("aria-label", re.compile(f", {lose}$"))
        assert figure(ann.page.locator(".reserve dd").inner_text()) == staked * (reserve - 1)
        at_size(ann.page, PHONES[0])
        expect(ann.page.locator(".bar .menu")).to_be_in_viewport(ratio=1)
        badge, session = ann.page.evaluate(
            """['.badge', '.session'].map((one) => document.querySelector(one))
            .map((one) => one.getBoundingClientRect()).map(({left, right}) => [left, right])"""
        )
        assert badge[1] <= session[0]

    ann.result()

    expect(ann.page.locator(".reserve")).to_have_count(0)
    told = ann.page.locator(".paid .new b").inner_text()
    played = ann.page.evaluate("fetch('/api/v1/me/rounds?most=1').then((one) => one.json())")
    (last,) = played["rounds"]
    assert (last["table"], last["staked"]) == (book, staked)
    assert figure(told) == before + staked * reserve + last["net"]
    won = ann.page.locator(".paid.win").count() == 1
    assert won == (last["net"] > 0)
    shown = ann.page.locator(".hands playing-card[up]").evaluate_all(
        "(cards) => cards.map((card) => card.getAttribute('code'))"
    )
    assert shown == last["player"] + last["banker"]


def test_the_tour_of_two_minutes(enter: Enter) -> None:
    """As the README tells it: a round, a squeeze, the price of the bet, and the shoe's proof.

    The first tap asks who one is and for money; the last card opened ends the wait.
    """
    guest = enter(COMMISSION, who=None)
    guest.next_round()
    guest.spot("banker").click()
    guest.page.locator("dialog").get_by_role("button", name="Take a demonstration seat").click()
    guest.buy_in()
    guest.wait("document.querySelector('.pile') && !document.querySelector('.pile.coming')")
    guest.spot("banker").hover()
    expect(guest.page.locator(".limit")).to_contain_text("House edge 1.06%: 5.29 of 500")

    guest.close()
    guest.page.locator(".panel .go.banker").click()
    expect(guest.page.locator(".squeeze playing-card")).to_have_count(2)
    # Nobody asks for the other side's third card, if there is one.
    guest.close(asking=0)
    guest.page.get_by_role("button", name="Open now").click()
    expect(guest.page.locator(".hands playing-card[up]").nth(3)).to_be_visible()
    last = guest.page.locator(".squeeze .go, .paid")
    while "Open now" in last.first.inner_text():
        last.first.click()
        expect(guest.page.locator(".squeeze")).to_have_count(0)
    expect(guest.page.locator(".paid")).to_be_visible()

    guest.page.get_by_role("button", name="Rules and odds").click()
    expect(guest.page.locator("dialog tr.mine :is(th, td)")).to_have_text(
        ["Banker Bet 500", "45.86%", "1.058%", "52.90"]
    )
    guest.page.keyboard.press("Escape")
    expect(guest.page.locator(".badge")).to_contain_text(re.compile(r"✓ Cards checked: \d+"))
    guest.page.locator(".badge").click()
    expect(guest.page.locator("dialog .verdict.good")).to_be_visible()
    with guest.page.expect_download() as coming:
        guest.page.get_by_role("link", name="shoe.json").click()
    guest.page.get_by_role("link", name="Check a shoe").click()
    expect(guest.page.locator("#awake")).to_be_visible()
    guest.page.set_input_files("#file", coming.value.path())
    expect(guest.page.locator("#verdict")).to_contain_text("Everything holds")


def test_a_card_that_was_not_committed_is_noticed(enter: Enter) -> None:
    """The badge's check is no ornament: it tells a card that is another than in the shoe."""
    ann = enter(ELECTRONIC)

    def changed(route: Route) -> None:
        pack = (answer := route.fetch()).json()
        last = [one for one in pack["steps"] if one["step"] == "CardShown"][-1]
        last["card"] = "2c" if last["card"] != "2c" else "3c"
        route.fulfill(response=answer, json=pack)

    ann.page.route("**/shoes/*", changed)
    ann.bet({"banker": 1})
    ann.result()
    expect(ann.page.locator(".badge")).to_contain_text("✗ A card does not match the commitment!")
    ann.page.locator(".badge").click()
    expect(ann.page.locator("dialog .verdict.bad")).to_be_visible()
    expect(ann.page.locator("dialog code")).to_have_text("fairness/not-committed")


def test_chips_go_down_and_come_back(enter: Enter) -> None:
    """Tap, tap again, long press, right click, double, clear, undo: by mouse and by keys."""
    ann = enter(ELECTRONIC)
    ann.bet({"banker": 2}, chip=2)
    assert ann.bet_total() == "50"
    ann.spot("banker").click(button="right")
    expect(ann.page.locator(".pile b:visible")).to_have_text("25")
    ann.page.evaluate("localStorage.setItem('cutcard.hold', '200')")
    ann.spot("banker").click(delay=700)
    ann.page.evaluate("localStorage.setItem('cutcard.hold', '60000')")
    expect(ann.page.locator(".pile:visible")).to_have_count(0)
    ann.page.keyboard.press("u")
    expect(ann.page.locator(".pile b:visible")).to_have_text("25")
    ann.rack("Double").click()
    expect(ann.page.locator(".pile b:visible")).to_have_text("50")
    ann.rack("Clear").click()
    expect(ann.page.locator(".pile:visible")).to_have_count(0)
    ann.rack("Undo").click()
    expect(ann.page.locator(".pile b:visible")).to_have_text("50")
    ann.spot("banker").press("Delete")
    expect(ann.page.locator(".pile b:visible")).to_have_text("25")
    ann.page.keyboard.press("2")
    ann.spot("tie").press("Enter")
    expect(ann.page.locator(".pile b:visible")).to_have_count(2)

    ann.result()
    ann.next_round()
    ann.rack("Rebet ×2").click()
    expect(ann.page.locator(".pile b:visible")).to_have_count(2)
    assert ann.bet_total() == "70"
    ann.rack("Undo").click()
    expect(ann.page.locator(".pile:visible")).to_have_count(0)
    assert ann.bet_total() == "0"


def test_undo_leaves_what_another_window_laid_down(enter: Enter) -> None:
    """Two windows of one patron: each takes back what was done in it, and nothing else."""
    here, there = enter(ELECTRONIC), enter(ELECTRONIC)
    here.bet({"banker": 1}, chip=2)
    there.wait("document.querySelector('[data-spot=banker].laid')")
    there.chip(1)
    there.spot("banker").click()
    there.spot("tie").click()
    expect(here.page.locator(".pile b:visible")).to_have_text(["10", "35"])

    here.rack("Undo").click()
    expect(there.page.locator(".pile b:visible")).to_have_text(["10", "10"])
    there.rack("Undo").click()
    expect(here.page.locator(".pile b:visible")).to_have_text(["10"])
    expect(here.rack("Undo")).to_be_disabled()
    there.rack("Clear").click()
    expect(here.page.locator(".pile:visible")).to_have_count(0)


def test_a_chip_of_ones_own_amount(enter: Enter) -> None:
    """It lies beside the others, is reached by its key, and is there the next time."""
    ann = enter(SKY, size=(360, 780))
    ann.page.get_by_role("button", name="Menu").click()
    own = ann.page.get_by_label("A chip of your own amount")
    own.fill("140")
    own.press("Tab")
    ann.page.keyboard.press("Escape")
    ann.page.reload()
    ann.signed_in()
    assert ann.page.evaluate("document.documentElement.scrollWidth") == 360
    expect(ann.page.get_by_role("radio", name="Chip of 140")).to_be_visible()
    ann.bet({"tie": 1}, chip=6)
    assert ann.bet_total() == "140"


def test_what_is_not_confirmed_is_no_bet(enter: Enter) -> None:
    ann = enter(ELECTRONIC)
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_label("Confirm bets before they count").check()
    ann.page.get_by_role("button", name="Close").click()
    ann.chip(1)
    ann.spot("banker").click()
    ann.wait("document.querySelector('dialog[open], .pile.planned')")
    if ann.page.locator("dialog[open]").count():
        ann.buy_in()
    expect(ann.page.locator(".pile.planned:visible")).to_have_count(1)
    assert ann.bet_total() == "0"
    ann.page.get_by_role("button", name="Confirm 10").click()
    expect(ann.page.locator(".pile.planned")).to_have_count(0)
    assert ann.bet_total() == "10"

    ann.spot("tie").click()
    ann.close()
    expect(ann.page.locator(".notices")).to_contain_text("10 was not bet")
    ann.wait("document.querySelector('.paid')")
    expect(ann.page.locator(".paid li")).to_have_count(1)


def test_a_late_tap_is_explained_with_its_clause(enter: Enter) -> None:
    ann = enter(ONLINE)
    ann.bet({"player": 1})
    ann.floor.by_hand(ONLINE)
    ann.close(card=600_000)
    ann.phase("closed", "dealing")
    expect(ann.page.locator(".state small")).to_contain_text("entered by hand")
    ann.spot("banker").click()

    expect(ann.page.locator(".notices p").last).to_contain_text("Too late")
    assert ann.page.locator(".notices p small").last.inner_text()
    house = ann.floor
    house.pace(ONLINE, **STILL)


def test_limits_say_why_they_moved(enter: Enter) -> None:
    ann = enter(ONLINE)
    ann.bet({"player": 2})
    ann.spot("banker").hover()

    words = r"Banker maximum is now [\d,]+ because of your 50 on Player"
    expect(ann.page.locator(".limit")).to_have_text(re.compile(words))


def test_a_knockout_decision_and_its_time_out(enter: Enter) -> None:
    """Continued with twice the Ante; another time nobody decides, and the Ante is lost."""
    ann = enter(KNOCKOUT)
    ann.bet({"ante_player": 1}, chip=0)
    ann.close()
    ann.page.locator(".decide .go").click()
    ann.wait("document.querySelector('.paid')")
    expect(ann.page.locator(".paid li")).to_have_count(2)

    ann.next_round()
    ann.bet({"ante_player": 1}, chip=0)
    ann.close()
    expect(ann.page.locator(".decide")).to_contain_text("Without a decision the Ante is lost")
    ann.floor.end_decisions(KNOCKOUT)
    ann.wait("document.querySelector('.paid')")
    expect(ann.page.locator(".paid h2")).to_have_text("You lose 25")
    played = ann.page.evaluate("fetch('/api/v1/me/rounds?most=1').then((one) => one.json())")
    assert played["rounds"][0]["decided_by_system"] == ["ante_player"]


def test_a_squeeze_by_hand_and_by_keys(
    enter: Enter, in_every_language: Callable[[Terminal, str], None]
) -> None:
    """Whoever squeezes sees one hand, and nobody the other: neither on the felt nor on the wire."""
    watcher = enter(COMMISSION, who=None)
    others = frames(watcher.page)
    watcher.page.reload()
    watcher.wait(
        "document.body.dataset.ready && document.querySelector('.clock').classList.length > 1"
    )
    ann = enter(COMMISSION)
    mine = frames(ann.page)
    ann.page.reload()
    ann.wait("document.body.dataset.ready && document.querySelector('.session')")
    ann.bet({"banker": 2})
    others.clear()
    mine.clear()
    ann.close()
    in_every_language(ann, ".panel")
    ann.page.locator(".panel .go.banker").click()
    cards = ann.page.locator(".squeeze playing-card")
    expect(cards).to_have_count(2)
    in_every_language(ann, ".squeeze")
    watcher.wait("document.querySelectorAll('.hands playing-card').length === 4")

    # Until the dealer opens them, the watcher has four backs, and the squeezer two.
    assert not [frame for frame in others if CARD.search(frame)]
    assert watcher.page.locator("playing-card[code]").count() == 0
    own = [json.loads(frame)["own"] for frame in mine if '"is":"own"' in frame]
    assert own[-1]["squeeze"]["player"] == [None, None]
    assert all(own[-1]["squeeze"]["banker"])
    assert ann.page.locator(".hands playing-card[code]").count() == 0

    first, second = cards.nth(0), cards.nth(1)
    ann.page.get_by_role("button", name="Turn").click()
    expect(first).to_have_attribute("turned", "")
    ann.page.get_by_role("button", name="Turn").click()
    for key in "123":
        first.press(key)
        expect(first).to_have_attribute("peel", re.compile(r"0\.\d+"))
    first.press("4")
    expect(first).to_have_attribute("up", "")
    box = second.bounding_box()
    assert box is not None
    ann.page.mouse.move(box["x"] + 5, box["y"] + 5)
    ann.page.mouse.down()
    ann.page.mouse.move(box["x"] + 40, box["y"] + 40, steps=3)
    expect(second).to_have_attribute("peel", re.compile(r"0\.\d+"))
    expect(second.locator(".flap")).to_be_visible()
    ann.page.mouse.move(box["x"] + box["width"], box["y"] + box["height"], steps=3)
    ann.page.mouse.up()
    expect(second).to_have_attribute("up", "")

    ann.result()
    # Somebody else's window may hear of it later than one's own.
    comes_to(watcher.page, lambda: any(CARD.search(frame) for frame in others), True)
    expect(watcher.page.locator(".hands playing-card:not([code])")).to_have_count(0)


def test_after_an_error_one_chooses_to_go_on_or_to_have_the_bets_back(
    enter: Enter, in_every_language: Callable[[Terminal, str], None]
) -> None:
    ann = enter(COMMISSION)
    ann.bet({"banker": 1})
    staked, before = figure(ann.bet_total()), figure(ann.stack())
    ann.close(asking=0, card=600_000)
    expect(ann.page.locator(".hands playing-card")).to_have_count(1)
    ann.floor.goes_wrong(COMMISSION, "other dealing error")

    expect(ann.page.locator(".panel.option")).to_contain_text("Something went wrong")
    in_every_language(ann, ".panel.option")
    ann.page.get_by_role("button", name="Return my bets").click()
    expect(ann.page.locator(".panel.option")).to_have_count(0)
    expect(ann.page.locator(".pile:visible")).to_have_count(0)
    assert figure(ann.stack()) == before + staked
    ann.floor.pace(COMMISSION, **STILL)


def test_a_connection_that_breaks_in_the_middle_of_a_round(enter: Enter) -> None:
    ann = enter(ELECTRONIC)
    ann.bet({"banker": 1})
    # A window before this one may have left the rules in the browser's memory.
    ann.page.route("**/recall.js*", lambda asked: asked.abort("internetdisconnected"))
    ann.page.context.set_offline(True)
    # The browser says so itself, long before the silence would tell.
    expect(ann.page.locator(".banner")).to_contain_text("No connection")
    # Whatever is pressed meanwhile says why nothing happens; the bar stays within reach.
    told = ann.page.locator(".notices p", has_text="No connection: nothing was done")
    for press in (ann.spot("tie"), ann.rack("Undo"), ann.page.locator(".bar .know")):
        # The banner moves the layout as it comes, and a press may then meet nothing.
        press.dispatch_event("click")
        expect(told).to_have_count(1)
        told.evaluate("(one) => one.remove()")
    expect(ann.page.locator(".pile:visible")).to_have_count(1)
    ann.close()
    ann.floor.wait_for(ELECTRONIC, "settled")
    ann.page.context.set_offline(False)

    ann.wait("document.querySelector('.paid')")
    expect(ann.page.locator(".notices .back")).to_contain_text(
        re.compile(r"Round 1/\d+ · .* · Net")
    )
    expect(ann.page.locator(".banner")).to_have_count(0)
    # What could not be fetched without a line is fetched with one.
    ann.page.unroute("**/recall.js*")
    ann.page.locator(".bar .know").click()
    expect(ann.page.locator("dialog table")).to_be_visible()


def test_a_dead_line_is_left_for_another(house: Floor, browser: Browser) -> None:
    """Nobody says goodbye on one, and a browser would wait for that for half a minute."""
    context = opened(browser, hurried=True)
    page = context.new_page()
    lines: list[object] = []
    page.on("websocket", lambda socket: lines.append(socket))
    page.clock.install()
    nobody = Terminal(house, page, ELECTRONIC)
    # The line is there: one that is opened after the silence would not be silent.
    expect(page.locator(".banner")).to_have_count(0)
    stop_clock(page)
    house.silence()
    run_clock(page, page.locator(".banner").count, "a banner")
    expect(page.locator(".banner")).to_contain_text("Waiting for news")
    assert len(lines) == 1
    run_clock(page, lambda: len(lines) > 1, "another line")
    expect(page.locator(".banner")).to_have_count(0)
    assert len(lines) == 2
    nobody.wait("document.querySelector('.clock').classList.length > 1")
    context.close()


def test_who_is_signed_out_elsewhere_is_asked_to_sign_in(enter: Enter) -> None:
    una = enter(ELECTRONIC, who="una")
    una.page.locator(".bar .menu").click()
    una.page.context.clear_cookies()
    una.page.get_by_role("button", name="Money").click()
    expect(una.page.locator(".notices")).to_contain_text("Please sign in.")


def test_whoever_signs_out_in_one_window_has_no_money_in_another(enter: Enter) -> None:
    uta = enter(ELECTRONIC, who="uta")
    uta.bet({"banker": 1})
    other = uta.page.context.new_page()
    other.goto(uta.page.url)
    expect(other.locator(".staked")).not_to_have_text("0")
    uta.page.locator(".bar .menu").click()
    uta.page.get_by_role("button", name="Sign out").click()
    for page in (uta.page, other):
        expect(page.get_by_role("button", name="Take a demonstration seat")).to_be_visible()
        expect(page.locator(".purse .gold")).to_have_text("0")
    other.close()


def test_whoever_takes_a_time_out_reads_how_long(enter: Enter) -> None:
    tim = enter(ELECTRONIC, who="tim")
    tim.page.locator(".bar .menu").click()
    tim.page.get_by_role("button", name="Play limits").click()
    tim.page.get_by_role("button", name="One week").click()
    sure = tim.page.locator("dialog").last
    expect(sure.get_by_role("heading")).to_have_text("Time-out: One week")
    sure.get_by_role("button", name="Yes").click()
    expect(tim.page.locator(".notices .good")).to_contain_text("Time-out until")
    expect(tim.page.locator("dialog .warning")).to_contain_text("Time-out until")


def test_a_table_that_is_not_there(enter: Enter, house: Floor) -> None:
    page = enter(ELECTRONIC, who=None).page
    page.goto(f"{house.url}/table.html?table=nope&language=en")
    expect(page.locator("h1")).to_have_text("There is no table called nope.")
    assert troubles(page) == []
    page.get_by_role("link", name="Lobby").click()
    expect(page.locator(".card").first).to_be_visible()


BAD = ("1e9", "-5", "ten", "", "0.001", "9" * 20)


def test_amounts_that_are_none_are_told_in_a_persons_words(enter: Enter) -> None:
    ann = enter(ONLINE, who="vera")
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Money").click()
    amount, told = ann.page.get_by_label("Amount"), ann.page.locator("dialog .notices p")
    for times, text in enumerate(BAD, 1):
        amount.fill(text)
        ann.page.get_by_role("button", name="Buy in").click()
        expect(told).to_have_count(times)
    words = "“{}” is no amount. Write a number such as 250 or 12.50."
    assert told.all_inner_texts() == [words.format(text) for text in BAD]
    amount.fill("100,000.50")
    ann.page.get_by_role("button", name="Buy in").click()
    expect(told.last).to_have_text("That needs 100,000.50, and 100,000 is in the wallet.")
    ann.page.get_by_label("Voucher number").fill("1234")
    ann.page.get_by_role("button", name="Redeem a voucher").click()
    expect(told.last).to_have_text("A voucher number has 18 digits.")


def test_whoever_has_lost_everything_in_a_demonstration_takes_more_play_money(
    enter: Enter,
) -> None:
    ann = enter(ONLINE, who="paula")
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Money").click()
    amount = ann.page.get_by_label("Amount")
    amount.fill("100000")
    ann.page.get_by_role("button", name="Print a voucher").click()
    wallet = ann.page.locator("dialog .facts dd").first
    expect(wallet).to_have_text("0")
    ann.page.get_by_role("button", name="Play money: 10,000 more").click()
    expect(wallet).to_have_text("10,000")
    expect(amount).to_have_value("1000")


def test_a_voucher_out_and_in(enter: Enter) -> None:
    ann = enter(ONLINE, who="vera")
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Money").click()
    amount = ann.page.get_by_label("Amount")
    amount.fill("250")
    ann.page.get_by_role("button", name="Print a voucher").click()
    number = ann.page.locator(".voucher b").inner_text()
    assert re.fullmatch(r"\d{18}", number)
    expect(ann.page.locator(".voucher")).to_contain_text("two hundred fifty dollars and no cents")
    wallet = ann.page.locator("dialog .facts dd")
    expect(wallet.first).to_have_text("99,750")

    ann.page.get_by_label("Voucher number").fill(number)
    ann.page.get_by_role("button", name="Redeem a voucher").click()
    expect(wallet.last).to_have_text("250")


def test_a_round_is_replayed_and_its_price_told(enter: Enter) -> None:
    ann = enter(ONLINE, who="rita")
    ann.bet({"player": 1})
    ann.result()
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="History").click()
    ann.page.get_by_role("button", name="Replay").click()
    expect(ann.page.locator(".replay")).to_have_attribute("data-mark", "REPLAY")
    for _ in range(6):
        ann.page.get_by_role("button", name="Next card").click()
    cards = "(all) => all.map((card) => card.getAttribute('code'))"
    played = ann.page.evaluate("fetch('/api/v1/me/rounds?most=1').then((one) => one.json())")
    (last,) = played["rounds"]
    shown = ann.page.locator(".replay playing-card").evaluate_all(cards)
    assert shown == last["player"] + last["banker"]

    # The luck meter: what such a bet costs on average, what it did, and how many had less.
    price = odds(load(ONLINE)).bets["player"]
    expected, spread = -price.edge * last["staked"], float(price.variance) ** 0.5 * last["staked"]
    share = NormalDist().cdf(float(last["net"] - expected) / spread)
    for _ in range(2):
        ann.page.keyboard.press("Escape")
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Expected cost").click()
    ann.wait("document.querySelector('dialog .meter')")
    told = ann.page.locator("dialog .facts dd").all_inner_texts()
    wanted = [100, last["staked"], round(expected), last["net"]]
    assert [figure(one) for one in told] == wanted
    expect(ann.page.locator("dialog")).to_contain_text(f"About {share:.0%} of patrons")


def test_a_reality_check_must_be_seen(
    enter: Enter, in_every_language: Callable[[Terminal, str], None]
) -> None:
    """Between two rounds: how long, at what price, and a way to stop."""
    rex = enter(ONLINE, who="rex")
    rex.bet({"player": 1})

    def half_an_hour_later(route: Route) -> None:
        answer = route.fetch()
        due = {**answer.json(), "check_due": True, "elapsed": 31 * 60_000}
        route.fulfill(response=answer, json=due)

    rex.page.route("**/me/protection", half_an_hour_later)
    rex.result()
    asked = rex.page.locator("dialog")
    expect(asked).to_contain_text(re.compile(r"You have played for 31 min and are at [−+]?\d"))
    rex.page.keyboard.press("Escape")
    expect(asked).to_be_visible()
    in_every_language(rex, "dialog")
    rex.page.get_by_role("button", name="Play on").click()
    expect(asked).to_have_count(0)


def test_refusals_are_told_in_the_language_of_the_page(enter: Enter) -> None:
    """However much is in the wallet, a table has limits; and the words are the page's own."""
    ann = enter(SKY, language="zh-Hant")
    ann.bet({"tie": 1}, chip=5)
    ann.spot("tie").click()
    ann.spot("tie").click()
    told = ann.page.locator(".notices p").first
    limit = r"和的注額 250 超出限額：每注上限 500，還可投注 \d{1,3}。"
    expect(told).to_contain_text(re.compile(limit))
    expect(told.locator("small")).to_contain_text("HOUSE limits")


# --- languages, sizes, access ---------------------------------------------------------------------


def test_every_language_end_to_end(enter: Enter) -> None:
    """A round in each language; nothing is left unnamed, and axe finds nothing to better."""
    for language in LANGUAGES:
        ann = enter(ONLINE, who="lang", language=language)
        assert ann.page.evaluate("document.documentElement.lang") == language
        ann.bet({"banker": 1, "tie": 1})
        assert troubles(ann.page) == []
        ann.result()
        assert troubles(ann.page) == []
        words = ann.page.locator("body").inner_text()
        if language != "en":
            # What stays is the venue's own name, its helpline, the book's name and its clauses.
            left = set(re.findall(r"[A-Za-z]{3,}", ann.page.locator(".felt").inner_text()))
            assert left <= {"ONL", "ONLINE", "BACCARAT"}, left
        assert not re.search(r"\b(state|road|limit|meter|fact|scope|reason)\.[a-z_]+", words)
        told = "import('/lib/telling.js').then(({ why }) => ['restarted', 'a ruling'].map(why))"
        system, ruling = ann.page.evaluate(told)
        assert ruling == "a ruling"
        assert bool(re.search("[a-z]", system)) == (language == "en"), system
        ann.page.locator(".bar .menu").click()
        ann.page.locator("dialog").get_by_role("button", name="庄 BANKER").click()
        assert ann.page.locator(".hand header b").all_inner_texts() == ["閒 PLAYER", "庄 BANKER"]
        ann.page.evaluate("localStorage.clear()")


@pytest.fixture
def in_every_language() -> Callable[[Terminal, str], None]:
    """Whatever is open is looked at by axe in three languages; its colours are the same in all."""

    def look(at: Terminal, within: str) -> None:
        at.wait(f"document.querySelector({within!r})")
        for language in (*LANGUAGES[1:], LANGUAGES[0]):
            speak(at.page, language)
            found = troubles(at.page, within)
            assert found == [], (within, language)

    return look


def test_every_dialog_in_every_language(
    enter: Enter, in_every_language: Callable[[Terminal, str], None]
) -> None:
    nobody = enter(ONLINE, who=None)
    nobody.page.get_by_role("button", name="Take a demonstration seat").click()
    in_every_language(nobody, "dialog")
    ann = enter(ONLINE, who="lang")
    ann.bet({"player": 1})
    ann.result()
    for name in ("Money", "History", "Expected cost", "Play limits", "Rules and odds"):
        ann.page.get_by_role("button", name="Menu").click()
        if name == "Money":
            in_every_language(ann, "dialog")
        ann.page.locator("dialog").get_by_role("button", name=name).click()
        in_every_language(ann, "dialog:not(:has(.menu))")
        if name == "History":
            ann.page.get_by_role("button", name="Replay").first.click()
            in_every_language(ann, "dialog:has(.replay)")
            ann.page.keyboard.press("Escape")
        if name == "Money":
            ann.page.get_by_label("Amount").fill("50")
            ann.page.get_by_role("button", name="Print a voucher").click()
            in_every_language(ann, ".voucher")
        if name == "Play limits":
            ann.page.get_by_role("button", name="For ever").click()
            in_every_language(ann, "dialog:not(:has(.limits))")
            ann.page.get_by_role("button", name="No").click()
        ann.page.keyboard.press("Escape")
        expect(ann.page.locator("dialog")).to_have_count(0)
    ann.page.get_by_role("button", name="Menu").click()
    # Nobody sits at an open table.
    expect(ann.page.locator("dialog .menu")).to_contain_text("Rules and odds")
    expect(ann.page.locator("dialog .menu")).not_to_contain_text("Seats")
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("dialog")).to_have_count(0)
    ann.page.locator(".badge").click()
    in_every_language(ann, "dialog:has(.verdict)")


def test_a_seat_is_chosen_on_the_layout(
    enter: Enter, in_every_language: Callable[[Terminal, str], None]
) -> None:
    """The boxes of the appendix around the table; one's own is left for another with a tap."""
    ann = enter(COMMISSION)
    layout = load(COMMISSION).layouts[0]
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Seats").click()
    expect(ann.page.locator("dialog .box")).to_have_count(layout.boxes or 0)
    expect(ann.page.locator("dialog")).to_contain_text(f"{layout.name} {layout.clause}")
    in_every_language(ann, "dialog:not(:has(.menu))")
    ann.page.get_by_role("button", name="Seat 8: Take seat 8").click()
    expect(ann.page.locator("dialog .box.mine")).to_contain_text("8")
    ann.page.get_by_role("button", name="Seat 7: Take seat 7").click()
    expect(ann.page.locator("dialog .box.mine")).to_contain_text("7")
    ann.page.get_by_role("button", name="Seat 7: Leave seat").click()
    expect(ann.page.locator("dialog .box.mine")).to_have_count(0)


PHONES = ((360, 800), (390, 844), (430, 932))
SCREENS = ((1280, 800), (1440, 980), (1920, 1080), (3840, 2160))


def at_size(page: Page, size: tuple[int, int]) -> None:
    resize(page, *size)
    wait(page, "document.querySelector('road-map svg')")


@pytest.mark.parametrize("book", [ELECTRONIC, ONLINE, KNOCKOUT])
def test_a_phone(enter: Enter, book: str) -> None:
    """Nothing overflows, everything can be tapped, and only roads need scrolling."""
    page = enter(book, who=None, size=PHONES[0]).page
    for size in PHONES:
        at_size(page, size)
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]
        assert size != PHONES[0] or troubles(page, colours=False) == []
        small = page.locator("button:visible, a:visible").evaluate_all(
            """(all) => all.filter((one) => one.getBoundingClientRect().width < 43.9
            || one.getBoundingClientRect().height < 43.9).map((one) => one.outerHTML)"""
        )
        assert small == []
        if size[0] >= 390:
            bottom = "document.querySelector('.rack').getBoundingClientRect().bottom"
            assert page.evaluate(bottom) <= size[1]


@pytest.mark.parametrize("book", [ELECTRONIC, ONLINE, KNOCKOUT])
def test_a_laptop_a_desk_and_a_wall(enter: Enter, book: str) -> None:
    """The table and all five roads are seen at once, and no spot lies under a card."""
    page = enter(book, who=None, size=SCREENS[0]).page
    for size in SCREENS:
        at_size(page, size)
        wait(page, "!document.querySelector('.banner')")
        whole = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        assert page.evaluate(whole) == list(size)
        assert page.locator("road-map svg:visible").count() == 5
        # The lines find their place a moment after the window has its size.
        wait(
            page,
            "document.querySelector('.lines path').getBoundingClientRect().top"
            " >= document.querySelector('.hands').getBoundingClientRect().bottom - 2",
        )


@pytest.mark.parametrize("table", [ONLINE, COMMISSION, KNOCKOUT])
def test_scripts_are_few(enter: Enter, table: str) -> None:
    """A round is played, with all that is asked in it, and the badge has checked its cards:
    60 kB at most in the longest language, each file compressed by itself."""
    ann = enter(table, language="zh-Hant", size=(390, 844))
    # Whoever sits down with nothing is asked for money.
    ann.page.evaluate("import('/money.js').then(() => null)")
    ann.bet({"ante_player" if table == KNOCKOUT else "player": 1})
    if table != ONLINE:
        ann.close()
        asked = {COMMISSION: ".panel .go.player", KNOCKOUT: ".decide .go"}
        ann.page.locator(asked[table]).click()
    if table == COMMISSION:
        expect(ann.page.locator(".squeeze")).to_be_visible()
    ann.result()
    expect(ann.page.locator(".badge")).to_contain_text(re.compile(r"✓ \d+"))
    scripts = ann.page.evaluate(
        """performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)
        .filter((path) => path.endsWith('.js'))"""
    )
    also = {COMMISSION: "/lib/squeezed.js", KNOCKOUT: "/asked.js"}
    assert {"/lib/shoe.js", "/money.js", also.get(table, "/table.js")} <= set(scripts)
    sizes = {path: len(gzip.compress((WEB / path[1:]).read_bytes())) for path in scripts}
    assert sum(sizes.values()) < MOST_SCRIPT, sizes


def test_the_demonstration_has_a_table_to_squeeze_at() -> None:
    assert [one.name for one in demonstration().tables if one.face_down] == [COMMISSION]


# --- seats ----------------------------------------------------------------------------------------


@pytest.mark.clause("HOUSE seats")
def test_a_full_table_says_so_before_it_asks_for_money(
    enter: Enter, house: Floor, rooms: Callable[[str | None], BrowserContext]
) -> None:
    """Here and in the lobby; once a seat is free, the first tap takes it and asks for money."""
    taken = house.house.server.desk.shown.table(SKY)
    assert taken.setup is not None
    free = [box for box in range(1, taken.setup.boxes + 1) if box not in taken.seats]
    house.act(SKY, *(TakeSeat(f"somebody-{box}", box, 0) for box in free))
    terminal = enter(SKY, "zoe")
    terminal.spot("player").click()
    told = terminal.page.locator(".notices", has_text=f"All {taken.setup.boxes} seats are taken")
    expect(told).to_contain_text("HOUSE seats")
    expect(terminal.page.locator("dialog[open]")).to_have_count(0)

    lobby = rooms("zoe").new_page()
    lobby.goto(f"{house.url}/")
    expect(lobby.locator(f"[data-table={SKY}] .full")).to_have_text("Full")
    house.act(SKY, *(LeaveSeat(f"somebody-{box}", 0) for box in free))
    expect(lobby.locator(f"[data-table={SKY}] .full")).to_have_count(0)
    lobby.close()
    terminal.spot("player").click()
    terminal.wait("document.querySelector('dialog[open]')")
    assert len(house.house.server.desk.shown.table(SKY).seats) == len(taken.seats) + 1
    terminal.page.keyboard.press("Escape")
    comes_to(
        terminal.page, lambda: len(house.house.server.desk.shown.table(SKY).seats), len(taken.seats)
    )


@pytest.mark.clause("HOUSE seats")
def test_a_patron_hears_of_a_seat_that_was_freed(enter: Enter, house: Floor) -> None:
    terminal = enter(SKY, "yan")
    terminal.bet({"player": 1})
    terminal.rack("Clear").click()
    terminal.wait("!document.querySelector('.pile')")
    who = house.do(house.house.person("yan")).id
    box = house.house.server.desk.shown.table(SKY).box_of(who)
    house.act(SKY, LeaveSeat(who, 0))

    expect(terminal.page.locator(".notices", has_text=f"Seat {box} was given up")).to_be_visible()


# --- terminals ------------------------------------------------------------------------------------


@pytest.mark.clause("ETG4 1 Player Terminal (b)")
def test_a_device_of_the_house(
    enter: Enter, house: Floor, rooms: Callable[[str | None], BrowserContext]
) -> None:
    """It finds its table, takes credit from ann's account, bets, is locked, calls an attendant,
    gives the credit back and prints a voucher for the rest."""
    device = house.do(house.house.device("hall 7", ELECTRONIC, 7))
    house.do(house.house.person("ann"))
    sam = house.do(house.house.client("sam"))
    start = rooms("hall 7").new_page()
    start.goto(f"{house.url}/")
    start.wait_for_url(f"**/table.html?table={ELECTRONIC}")
    start.close()

    terminal = enter(ELECTRONIC, "hall 7")
    page, panel = terminal.page, terminal.page.locator("dialog[open]")
    expect(page.locator(".about")).to_contain_text(re.compile("Terminal\\s*7", re.IGNORECASE))
    # What is a patron's stack elsewhere is this terminal's credit.
    expect(page.locator(".purse")).to_contain_text("Credit")
    # A bet without credit asks for it, as it asks a patron for money.
    terminal.spot("tie").click()
    expect(panel.locator(".credit")).to_contain_text("Terminal 7")
    panel.locator("input[name=name]").fill("ann")
    panel.locator("input[name=password]").fill(PASSWORD)
    panel.get_by_role("button", name="Sign in").click()
    panel.get_by_label("Amount").fill("500")
    panel.get_by_role("button", name="Onto the terminal").click()
    expect(panel.locator(".credit b")).to_have_text("500")
    assert troubles(page, "dialog") == []
    panel.get_by_role("button", name="Close").click()

    terminal.spot("tie").click()
    expect(page.locator(".purse .gold")).to_have_text("490")
    lock = LockTerminal(table=ELECTRONIC, terminal=device.id, reason="a dispute")
    house.do(sam.do(lock))
    expect(page.locator(".banner.locked")).to_have_text("Terminal 7 is locked: a dispute")
    terminal.spot("tie").click()
    expect(page.locator(".notices")).to_contain_text("Terminal 7 is locked: a dispute.")
    house.do(sam.do(UnlockTerminal(table=ELECTRONIC, terminal=device.id)))
    expect(page.locator(".banner")).to_have_count(0)
    terminal.rack("Clear").click()
    expect(page.locator(".purse .gold")).to_have_text("500")

    page.locator(".rack .cash").click()
    panel.get_by_role("button", name="Call an attendant").click()
    expect(page.locator(".banner")).to_have_text("An attendant is on the way.")
    house.do(sam.do(AnswerAttendant(table=ELECTRONIC, terminal=device.id)))
    expect(page.locator(".banner")).to_have_count(0)
    # Closing the panel has signed ann out.
    panel.locator("input[name=name]").fill("ann")
    panel.locator("input[name=password]").fill(PASSWORD)
    panel.get_by_role("button", name="Sign in").click()
    panel.get_by_label("Amount").fill("200")
    panel.get_by_role("button", name="To my account").click()
    expect(panel.locator(".credit b")).to_have_text("300")
    panel.get_by_role("button", name="Cash out 300").click()
    expect(panel.locator(".slip")).to_contain_text(f"{ELECTRONIC} terminal 7")
    expect(panel.locator(".slip")).to_contain_text("three hundred dollars")
    panel.get_by_role("button", name="I have it").click()
    expect(panel.locator(".slip")).to_have_count(0)
    panel.get_by_role("button", name="Close").click()
    page.locator("button.menu").click()
    expect(panel.get_by_role("button", name="Sign out")).to_have_count(0)
