"""Takes pictures of every screen.

    python docs/make_pictures.py                      the pictures of the README, in docs/pictures
    python docs/make_pictures.py FOLDER [SCENE…]      every screen, or some, at three sizes

A house plays in this process, and a real Chromium looks at it. Every state is reached by
playing to it, so a picture shows what a patron sees and nothing else.
"""

import asyncio
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cutcard.rulebooks import ids
from cutcard.rules.rulebook import Role
from cutcard.server.config import Pace
from cutcard.wire import api
from cutcard.wire import house as ask
from tests.browser.conftest import launched
from tests.browser.floor import Floor, floor
from tests.browser.playing import STILL, Terminal, wait
from tests.server.house import PASSWORD, configuration

PICTURES = Path(__file__).with_name("pictures")
SIZES = {"phone": (360, 780), "desktop": (1280, 800), "wall": (3840, 2160)}
COMMISSION, KNOCKOUT, COW = "rws-commission", "rws-knockout", "online-cow-cow"
ELECTRONIC, ONLINE = "rws-non-commission-etg", "online-baccarat"
SKY, SKY_FREE = "skycity-commission", "skycity-non-commission"
ROUNDS = 40
"""Played before anybody looks, so that roads have something to show."""

BRISK = Pace(
    betting_ms=1,
    card_ms=0,
    result_ms=0,
    least_round_ms=0,
    seeds_ms=1,
    asking_ms=0,
    squeeze_ms=0,
    free_rounds=True,
    test=True,
)
SECONDS = {"betting": 20_000, "asking": 4_000, "squeeze": 8_000}
"""What the clock shows, where somebody looks at it."""

ENDING = {**STILL, "betting": 0, "asking": 0, "squeeze": 0}
"""A pace at which the round under way is finished, and no other begins."""

Scene = Callable[[Terminal], None]
SCENES: dict[str, tuple[str, str, Scene]] = {}


def scene(name: str, table: str, language: str = "en") -> Callable[[Scene], Scene]:
    """A picture's name, its table and its language."""

    def keep(made: Scene) -> Scene:
        SCENES[name] = (table, language, made)
        return made

    return keep


def playing(at: Terminal, bets: dict[str, int], chip: int = 3) -> None:
    """A guest with bets in a round that still takes more."""
    at.guest()
    at.next_round()
    at.floor.pace(at.table, **SECONDS)
    at.bet(bets, chip)
    at.page.mouse.move(5, 5)


def paid(at: Terminal, bets: dict[str, int], chip: int = 3) -> None:
    playing(at, bets, chip)
    at.result()
    at.page.wait_for_timeout(900)


def from_menu(at: Terminal, place: int) -> None:
    at.page.locator(".bar .menu").click()
    at.page.locator("dialog .menu button").nth(place).click()


# --- scenes ---------------------------------------------------------------------------------------


@scene("watching", ONLINE)
def _watching(at: Terminal) -> None:
    at.next_round()


@scene("betting", ELECTRONIC)
def _betting(at: Terminal) -> None:
    playing(at, {"banker": 3, "tie": 1, "player_pair": 2})


@scene("result", ONLINE)
def _result(at: Terminal) -> None:
    paid(at, {"banker": 3, "player": 1, "tie": 1, "lucky_six": 1}, 2)


@scene("win", SKY, "zh-Hans")
def _win(at: Terminal) -> None:
    """Played until it is won."""
    paid(at, {"player": 2, "banker": 3})
    while not at.page.locator(".paid.win").count():
        at.next_round()
        at.bet({"player": 2, "banker": 3}, 3)
        at.result()
        at.page.wait_for_timeout(900)


@scene("knockout", KNOCKOUT)
def _knockout(at: Terminal) -> None:
    playing(at, {"player": 1, "ante_player": 2, "winning_total_7": 1, "banker_pair": 1}, 1)
    at.close()
    at.wait("document.querySelector('.decide')")
    at.page.wait_for_timeout(900)


@scene("cow-cow", COW, "zh-Hant")
def _cow_cow(at: Terminal) -> None:
    playing(at, {"banker": 1, "player": 2}, 1)


@scene("squeeze-ask", COMMISSION)
def _squeeze_ask(at: Terminal) -> None:
    playing(at, {"banker": 4, "banker_pair": 1}, 1)
    at.close()
    at.wait("document.querySelector('.panel .go.banker')")


@scene("squeeze", COMMISSION)
def _squeeze(at: Terminal) -> None:
    _squeeze_ask(at)
    at.page.locator(".panel .go.banker").click()
    at.wait("document.querySelectorAll('.squeeze playing-card').length === 2")
    cards = at.page.locator(".squeeze playing-card")
    cards.nth(0).press("4")
    at.page.wait_for_timeout(500)
    box = cards.nth(1).bounding_box()
    assert box is not None
    at.page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.97)
    at.page.mouse.down()
    at.page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.45, steps=6)


@scene("confirm", SKY_FREE)
def _confirm(at: Terminal) -> None:
    at.page.evaluate("localStorage.setItem('cutcard.confirm', 'yes')")
    at.guest()
    at.next_round()
    at.bet({"player": 1, "tie": 1}, 2)


@scene("late", "online-no-commission")
def _late(at: Terminal) -> None:
    playing(at, {"player": 2})
    at.close(card=600_000)
    at.phase("closed", "dealing")
    at.spot("banker").click()


@scene("offline", ELECTRONIC)
def _offline(at: Terminal) -> None:
    playing(at, {"banker": 1})
    at.page.context.set_offline(True)
    at.wait("document.querySelector('.banner')")


@scene("back", ELECTRONIC)
def _back(at: Terminal) -> None:
    _offline(at)
    at.close()
    at.floor.wait_for(ELECTRONIC, "settled")
    at.page.context.set_offline(False)
    at.wait("document.querySelector('.notices .back')")
    at.page.wait_for_timeout(900)


@scene("menu", ELECTRONIC)
def _menu(at: Terminal) -> None:
    playing(at, {"banker": 1})
    at.page.locator(".bar .menu").click()


@scene("rules", ONLINE)
def _rules(at: Terminal) -> None:
    playing(at, {"banker": 2, "tie": 1})
    at.page.locator(".bar .know").click()
    at.wait("document.querySelector('dialog table')")


@scene("seats", COMMISSION)
def _seats(at: Terminal) -> None:
    playing(at, {"player": 2}, 1)
    from_menu(at, 5)
    at.wait("document.querySelector('dialog .box.mine')")


@scene("option", COMMISSION, "zh-Hant")
def _option(at: Terminal) -> None:
    playing(at, {"player": 2}, 1)
    at.close(asking=0, card=600_000)
    at.wait("document.querySelector('.hands playing-card')")
    at.floor.goes_wrong(COMMISSION, "other dealing error")
    at.wait("document.querySelector('.panel.option')")


@scene("history", ONLINE)
def _history(at: Terminal) -> None:
    _result(at)
    from_menu(at, 1)
    at.wait("document.querySelector('dialog .rounds li')")


@scene("replay", ONLINE)
def _replay(at: Terminal) -> None:
    _history(at)
    at.page.locator("dialog .rounds button").first.click()
    at.page.wait_for_timeout(6500)


@scene("meter", ONLINE)
def _meter(at: Terminal) -> None:
    _result(at)
    from_menu(at, 2)
    at.wait("document.querySelector('dialog .meter')")


@scene("money", ELECTRONIC, "zh-Hant")
def _money(at: Terminal) -> None:
    at.guest()
    from_menu(at, 0)
    at.page.locator("dialog .buttons button").nth(2).click()
    at.wait("document.querySelector('.voucher')")


@scene("limits", ELECTRONIC)
def _limits(at: Terminal) -> None:
    at.guest()
    from_menu(at, 3)
    at.wait("document.querySelector('dialog .limits li')")


@scene("proof", ELECTRONIC)
def _proof(at: Terminal) -> None:
    paid(at, {"banker": 2})
    at.page.wait_for_timeout(1500)
    at.page.locator(".badge").click()


# --- pages around the tables ---------------------------------------------------------------------

PAGES = {
    "lobby": ("", "en", "document.querySelectorAll('.card road-map path.B').length > 4"),
    "lobby-four": (
        f"?watch={ELECTRONIC},{KNOCKOUT},{ONLINE},{COW}",
        "zh-Hans",
        "document.querySelectorAll('.window playing-card[up]').length > 12",
    ),
    "display": (
        f"display.html?table={ONLINE}&languages=en",
        "en",
        "document.querySelectorAll('playing-card[up]').length > 3",
    ),
    "display-chinese": (
        f"display.html?table={KNOCKOUT}&languages=zh-Hant",
        "zh-Hant",
        "document.querySelectorAll('playing-card[up]').length > 3",
    ),
    "odds": (
        f"odds.html?book={COMMISSION}&decks=8",
        "en",
        "document.querySelector('.removal svg')",
    ),
    "odds-chinese": (
        f"odds.html?book={KNOCKOUT}&decks=6",
        "zh-Hans",
        "document.querySelector('.distribution svg')",
    ),
    "verify": ("verify.html", "en", "document.querySelector('#awake:not([hidden])')"),
}
"""A name, an address, a language, and when there is something to be seen."""


# --- devices of the house, and the screens of the staff -------------------------------------------

Look = Callable[[Page], None]
STAFF = {"dana": Role.DEALER, "sam": Role.PIT_SUPERVISOR, "shi": Role.SHIFT_MANAGER}
DEVICES = 12
"""How many devices stand at the electronic table; number 7 is the one that is looked at."""


def credit(page: Page) -> None:
    size = page.viewport_size
    if size and size["width"] < SIZES["desktop"][0]:
        # A telephone has it in the menu.
        page.locator("button.menu").click()
        page.locator("dialog").get_by_role("button", name="Credit").click()
    else:
        page.locator(".rack .cash").click()
    wait(page, "document.querySelector('dialog[open] .credit')")


def playing_at_it(page: Page) -> None:
    wait(page, "document.querySelector('.about')")


def all_terminals(page: Page) -> None:
    page.locator(f".one[data-table={ELECTRONIC}]").get_by_text("All terminals").click()
    wait(page, "document.querySelector('dialog[open] [data-terminal]')")


def at_the_cage(page: Page) -> None:
    desk = page.locator(".at-terminal")
    desk.get_by_label("Number or name").fill("7")
    desk.get_by_role("button", name="Find").click()
    wait(page, "document.querySelector('.at-terminal h3')")
    desk.scroll_into_view_if_needed()


CONSOLES: dict[str, tuple[str, str, Look | None]] = {
    "device": ("hall 7", f"table.html?table={ELECTRONIC}", playing_at_it),
    "device-credit": ("hall 7", f"table.html?table={ELECTRONIC}", credit),
    "device-locked": ("hall 3", f"table.html?table={ELECTRONIC}", playing_at_it),
    "dealer": ("dana", f"dealer.html?table={COMMISSION}", None),
    "pit": ("sam", f"pit.html?table={COMMISSION}", None),
    "pit-electronic": ("sam", f"pit.html?table={ELECTRONIC}", None),
    "pit-terminals": ("sam", f"pit.html?table={ELECTRONIC}", all_terminals),
    "cage": ("carl", "cage.html", at_the_cage),
    "audit": ("shi", "audit.html", None),
}
"""A name, who looks, an address, and what is done before the picture is taken."""


def hire(house: Floor) -> None:
    """Staff, and devices: with credit, in play, locked, and one that wants an attendant."""
    for name, role in STAFF.items():
        house.do(house.house.person(name, role))
    house.do(house.house.server.signin.add_person("carl", PASSWORD, "staff", "cashier"))
    sam, carl = (house.do(house.house.client(name, STAFF.get(name))) for name in ("sam", "carl"))
    devices = []
    for number in range(1, DEVICES + 1):
        device = house.do(house.house.device(f"hall {number}", ELECTRONIC, number))
        loaded = ask.LoadTerminal(table=ELECTRONIC, terminal=device.id, amount=25_000 * number)
        house.do(carl.do(loaded))
        devices.append(device)
    house.do(devices[4].do(api.CallStaff(table=ELECTRONIC)))
    reason = "the card reader is stuck"
    house.do(sam.do(ask.LockTerminal(table=ELECTRONIC, terminal=devices[2].id, reason=reason)))


# --- taking ---------------------------------------------------------------------------------------


def opened(browser: Browser, size: str, language: str = "en") -> Page:
    """A window of some size, and the first page in it."""
    width, height = SIZES[size]
    phone: dict[str, Any] = {"device_scale_factor": 2, "has_touch": True} if width < 600 else {}
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale=language, **phone
    )
    return context.new_page()


def shot(page: Page, path: Path) -> None:
    """A picture of what is to be seen now; small enough for a page where it is not exact."""
    page.wait_for_timeout(400)
    kind: dict[str, Any] = {"type": "jpeg", "quality": 86} if path.suffix == ".jpg" else {}
    page.screenshot(path=path, **kind)
    page.context.close()
    print(path.name, flush=True)


def at_table(browser: Browser, house: Floor, name: str, size: str, path: Path) -> None:
    table, language, play = SCENES[name]
    at = Terminal(house, opened(browser, size), table, language)
    play(at)
    shot(at.page, path)
    house.pace(table, **{**ENDING, "card": 1})
    house.go_on(table)


def around(browser: Browser, house: Floor, name: str, size: str, path: Path) -> None:
    address, language, there = PAGES[name]
    page = opened(browser, size, language)
    join = "&" if "?" in address else "?"
    page.goto(f"{house.url}/{address}{join}language={language}")
    wait(page, there)
    page.wait_for_timeout(1200)
    shot(page, path)


def at_console(browser: Browser, house: Floor, name: str, size: str, path: Path) -> None:
    who, address, look = CONSOLES[name]
    page = opened(browser, size)
    body = {"name": who, "password": PASSWORD}
    page.context.request.post(f"{house.url}/api/v1/sign-in", data=body)
    page.goto(f"{house.url}/{address}{'&' if '?' in address else '?'}language=en")
    wait(page, "document.body.dataset.ready")
    if look is not None:
        look(page)
    shot(page, path)


README = {
    "lobby": ("lobby", "desktop"),
    "table": ("result", "desktop"),
    "squeeze": ("squeeze", "desktop"),
    "odds": ("rules", "desktop"),
    "proof": ("proof", "desktop"),
    "knockout": ("knockout", "desktop"),
    "phone": ("betting", "phone"),
    "chinese": ("win", "phone"),
    "display": ("display", "desktop"),
    "lab": ("odds", "desktop"),
}
"""The pictures of the README, by scene and size."""


def main(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    wanted = names or [*SCENES, *PAGES, *CONSOLES]
    shots = [(name, size, folder / f"{name}-{size}.png") for name in wanted for size in SIZES]
    if folder == PICTURES:
        shots = [(name, size, folder / f"{file}.jpg") for file, (name, size) in README.items()]
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        browser = launched(playwright)
        config = configuration(ids(), BRISK)
        with floor(config, f"sqlite:{Path(kept) / 'pictures.db'}") as house:
            for table in ids():
                while house.house.server.desk.shown.table(table).rounds < ROUNDS:
                    house.do(asyncio.sleep(0.05))
                house.pace(table, **ENDING)
            hire(house)
            for name, size, path in shots:
                take = at_table if name in SCENES else around if name in PAGES else at_console
                take(browser, house, name, size, path)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else PICTURES, sys.argv[2:])
