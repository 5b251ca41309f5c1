"""Takes pictures of the player's terminal: `python docs/make_pictures.py FOLDER [SCENE…]`.

A house plays in this process, and a real Chromium looks at it at three sizes. Every state
is reached by playing to it, so a picture shows what a patron sees and nothing else.
"""

import asyncio
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cutcard.rulebooks import ids
from cutcard.server.config import Pace
from tests.browser.conftest import launched
from tests.browser.floor import Floor, floor
from tests.browser.playing import STILL, Terminal
from tests.server.house import configuration

SIZES = {"phone": (390, 844), "laptop": (1280, 800), "desktop": (1440, 980)}
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
    at.page.locator(".bar .quiet").click()
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
    at.floor.cut_off()
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
    at.page.locator(".bar .quiet").click()


@scene("rules", KNOCKOUT)
def _rules(at: Terminal) -> None:
    from_menu(at, 1)
    at.wait("document.querySelector('dialog table')", 60)


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
    at.wait("document.querySelector('dialog .meter')", 60)


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
    at.page.wait_for_timeout(1500)
    at.page.locator(".badge").click()


# --- taking ---------------------------------------------------------------------------------------


def take(browser: Browser, house: Floor, name: str, folder: Path) -> None:
    table, language, play = SCENES[name]
    for size, (width, height) in SIZES.items():
        phone: dict[str, Any] = {"device_scale_factor": 2, "has_touch": True} if width < 600 else {}
        context = browser.new_context(viewport={"width": width, "height": height}, **phone)
        at = Terminal(house, context.new_page(), table, language)
        play(at)
        at.page.wait_for_timeout(300)
        at.page.screenshot(path=folder / f"{name}-{size}.png")
        context.close()
        print(name, size, flush=True)
        house.pace(table, **{**STILL, "betting": 0, "asking": 0, "squeeze": 0, "result": 0})


def main(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    wanted = names or list(SCENES)
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        browser = launched(playwright)
        config = configuration(ids(), BRISK)
        with floor(config, f"sqlite:{Path(kept) / 'pictures.db'}") as house:
            for table in sorted({SCENES[name][0] for name in wanted}):
                while house.house.server.desk.shown.table(table).rounds < ROUNDS:
                    house.do(asyncio.sleep(0.05))
                house.pace(table, **STILL)
            for name in wanted:
                take(browser, house, name, folder)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
