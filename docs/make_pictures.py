"""Takes the pictures of the player's terminal: `python docs/make_pictures.py FOLDER [NAME…]`.

A house plays in this process, and a real Chromium looks at it at three sizes. Every state
is reached by playing to it, so a picture shows what a patron sees and nothing else.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cutcard.rulebooks import ids
from tests.browser.finding import find_chromium
from tests.browser.floor import Floor, floor
from tests.server.house import PASSWORD, configuration
from cutcard.server.config import Pace

SIZES = {"phone": (390, 844), "laptop": (1280, 800), "desktop": (1440, 980)}
COMMISSION, KNOCKOUT, COW = "rws-commission", "rws-knockout", "online-cow-cow"
ELECTRONIC, ONLINE = "rws-non-commission-etg", "online-baccarat"
ROUNDS = 40
BRISK = Pace(betting_ms=1, card_ms=0, result_ms=0, least_round_ms=0, seeds_ms=1, asking_ms=0,
             squeeze_ms=0, free_rounds=True, test=True)
CALM = {"betting": 20_000, "card": 500, "result": 600_000, "asking": 600_000, "squeeze": 600_000,
        "free_rounds": False}

Scene = Callable[[Floor, Page], None]
SCENES: dict[str, tuple[str, str, Scene]] = {}


def scene(name: str, table: str, language: str = "en") -> Callable[[Scene], Scene]:
    def keep(made: Scene) -> Scene:
        SCENES[name] = (table, language, made)
        return made

    return keep


# --- playing ----------------------------------------------------------------------------------------


def spot(page: Page, name: str) -> Any:
    return page.locator(f"[data-spot={name}]:visible")


def chip(page: Page, place: int) -> None:
    page.locator(".chip").nth(place).click()


def wait(page: Page, condition: str, seconds: float = 20) -> None:
    # Polled from outside: the page's own policy allows nothing to be evaluated within it.
    end = time.monotonic() + seconds
    while not page.evaluate(f"Boolean({condition})"):
        if time.monotonic() > end:
            raise TimeoutError(condition)
        page.wait_for_timeout(30)


def phase(page: Page, *names: str) -> None:
    wait(page, "|| ".join(f"document.querySelector('.clock.{name}')" for name in names))


def seat(floor: Floor, page: Page, table: str) -> None:
    """Somebody with money at the table, in a round that takes bets."""
    page.evaluate("fetch('/api/v1/guests', {method: 'POST'}).then((one) => one.json())")
    page.reload()
    wait(page, "document.body.dataset.ready")
    floor.pace(table, result=0)
    phase(page, "betting")
    floor.pace(table, **CALM)


def buy_in(page: Page) -> None:
    page.locator("dialog .go").first.click()
    wait(page, "!document.querySelector('dialog[open]')")


def bet(floor: Floor, page: Page, table: str, bets: dict[str, int], which: int = 3) -> None:
    seat(floor, page, table)
    chip(page, which)
    first = True
    for name, times in bets.items():
        for _ in range(times):
            spot(page, name).click()
            if first:
                buy_in(page)
                first = False
    wait(page, f"document.querySelectorAll('.pile:not(.coming)').length >= {2 * len(bets)}")
    page.mouse.move(5, 5)


def result(floor: Floor, page: Page, table: str) -> None:
    floor.pace(table, betting=0, asking=0, squeeze=0)
    wait(page, "document.querySelector('.paid')", 40)
    page.wait_for_timeout(900)


# --- scenes -----------------------------------------------------------------------------------------


@scene("watching", ONLINE)
def watching(floor: Floor, page: Page) -> None:
    floor.pace(ONLINE, result=0)
    phase(page, "betting")


@scene("betting", ELECTRONIC)
def betting(floor: Floor, page: Page) -> None:
    bet(floor, page, ELECTRONIC, {"banker": 3, "tie": 1, "player_pair": 2})


@scene("result", ONLINE)
def paid(floor: Floor, page: Page) -> None:
    bet(floor, page, ONLINE, {"banker": 3, "player": 1, "tie": 1, "lucky_six": 1})
    result(floor, page, ONLINE)


@scene("result-zh", "skycity-commission", "zh-Hans")
def paid_hans(floor: Floor, page: Page) -> None:
    bet(floor, page, "skycity-commission", {"player": 2, "banker": 1, "tie": 1})
    result(floor, page, "skycity-commission")


@scene("knockout", KNOCKOUT)
def knockout(floor: Floor, page: Page) -> None:
    bet(floor, page, KNOCKOUT, {"player": 1, "ante_player": 2, "winning_total_7": 1, "banker_pair": 1}, 1)
    floor.pace(KNOCKOUT, betting=0)
    wait(page, "document.querySelector('.decide')")
    page.wait_for_timeout(900)


@scene("cow-cow", COW, "zh-Hant")
def cow(floor: Floor, page: Page) -> None:
    bet(floor, page, COW, {"banker": 1, "player": 2}, 1)


@scene("squeeze-ask", COMMISSION)
def asking(floor: Floor, page: Page) -> None:
    bet(floor, page, COMMISSION, {"banker": 4, "banker_pair": 1}, 1)
    floor.pace(COMMISSION, betting=0)
    wait(page, "document.querySelector('.panel .go.banker')")


@scene("squeeze", COMMISSION)
def squeeze(floor: Floor, page: Page) -> None:
    asking(floor, page)
    page.locator(".panel .go.banker").click()
    wait(page, "document.querySelectorAll('.squeeze playing-card').length === 2")
    page.wait_for_timeout(600)
    cards = page.locator(".squeeze playing-card")
    cards.nth(0).press("4")
    box = cards.nth(1).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.95, box["y"] + box["height"] * 0.97)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.45, box["y"] + box["height"] * 0.6, steps=6)
    page.wait_for_timeout(500)


@scene("confirm", "skycity-non-commission")
def confirm(floor: Floor, page: Page) -> None:
    page.evaluate("localStorage.setItem('cutcard.confirm', 'yes')")
    seat(floor, page, "skycity-non-commission")
    chip(page, 2)
    spot(page, "player").click()
    buy_in(page)
    spot(page, "tie").click()
    page.wait_for_timeout(300)


@scene("late", "online-no-commission")
def late(floor: Floor, page: Page) -> None:
    bet(floor, page, "online-no-commission", {"player": 2})
    floor.pace("online-no-commission", betting=0, card=600_000)
    phase(page, "closed", "dealing")
    spot(page, "banker").click()
    page.wait_for_timeout(300)


@scene("menu", ELECTRONIC)
def menu(floor: Floor, page: Page) -> None:
    bet(floor, page, ELECTRONIC, {"banker": 1})
    page.locator(".bar .quiet").click()


@scene("rules", KNOCKOUT)
def rules(floor: Floor, page: Page) -> None:
    page.locator(".bar .quiet").click()
    page.locator("dialog .menu button").last.click()
    wait(page, "document.querySelector('dialog table')", 60)


@scene("history", ONLINE)
def history(floor: Floor, page: Page) -> None:
    paid(floor, page)
    page.locator(".bar .quiet").click()
    page.locator("dialog .menu button").nth(1).click()
    wait(page, "document.querySelector('dialog .rounds li')")


@scene("replay", ONLINE)
def replay(floor: Floor, page: Page) -> None:
    history(floor, page)
    page.locator("dialog .rounds button").first.click()
    page.wait_for_timeout(6500)


@scene("meter", ONLINE)
def meter(floor: Floor, page: Page) -> None:
    paid(floor, page)
    page.locator(".bar .quiet").click()
    page.locator("dialog .menu button").nth(2).click()
    wait(page, "document.querySelector('dialog .facts')", 60)


@scene("money", ELECTRONIC, "zh-Hant")
def money(floor: Floor, page: Page) -> None:
    seat(floor, page, ELECTRONIC)
    page.locator(".bar .quiet").click()
    page.locator("dialog .menu button").first.click()
    page.locator("dialog .buttons button").nth(2).click()
    wait(page, "document.querySelector('.voucher')")


@scene("limits", ELECTRONIC)
def limits(floor: Floor, page: Page) -> None:
    seat(floor, page, ELECTRONIC)
    page.locator(".bar .quiet").click()
    page.locator("dialog .menu button").nth(3).click()
    wait(page, "document.querySelector('dialog .limits li')")


@scene("proof", ELECTRONIC)
def proof(floor: Floor, page: Page) -> None:
    page.wait_for_timeout(1500)
    page.locator(".badge").click()


# --- taking -----------------------------------------------------------------------------------------


@contextmanager
def looking() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
        yield browser
        browser.close()


def main(folder: Path, wanted: list[str], sizes: dict[str, tuple[int, int]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    chosen = {name: SCENES[name] for name in wanted} if wanted else SCENES
    with tempfile.TemporaryDirectory() as kept, looking() as browser:
        config = configuration(ids(), BRISK)
        with floor(config, f"sqlite:{Path(kept) / 'pictures.db'}") as house:
            for table in {table for table, _, _ in chosen.values()}:
                while house.house.server.desk.shown.table(table).rounds < ROUNDS:
                    house.do(asyncio.sleep(0.1))
                house.pace(table, **CALM)
            for name, (table, language, play) in chosen.items():
                for size, (width, height) in sizes.items():
                    context = browser.new_context(
                        viewport={"width": width, "height": height},
                        device_scale_factor=2 if width < 600 else 1,
                        has_touch=width < 600,
                    )
                    page = context.new_page()
                    page.on("pageerror", lambda error: print("ERROR", error))
                    page.on("console", lambda said: print("said", said.text) if said.type == "error" else None)
                    page.goto(f"{house.url}/table.html?table={table}&language={language}")
                    wait(page, "document.body.dataset.ready")
                    try:
                        play(house, page)
                    except Exception as error:  # noqa: BLE001
                        print("FAILED", name, size, str(error)[:300])
                    page.screenshot(path=folder / f"{name}-{size}.png")
                    print(name, size, flush=True)
                    house.pace(table, result=0, betting=0, asking=0, squeeze=0, card=1)
                    context.close()


if __name__ == "__main__":
    chosen_sizes = os.environ.get("SIZES", "").split(",") if os.environ.get("SIZES") else list(SIZES)
    main(Path(sys.argv[1]), sys.argv[2:], {one: SIZES[one] for one in chosen_sizes})
