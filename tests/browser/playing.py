"""A patron at a terminal in a real browser, as tests and pictures move one."""

from collections.abc import Callable
from typing import Any, TypeVar

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.floor import Floor
from tests.patience import PATIENCE_MS, wait_until

expect.set_options(timeout=PATIENCE_MS)

LANGUAGES = ("en", "zh-Hans", "zh-Hant")

STILL = {
    "betting": 600_000,
    "card": 1,
    "result": 600_000,
    "asking": 600_000,
    "squeeze": 600_000,
    "free_rounds": False,
}
"""A pace at which nothing happens by itself but cards: whoever plays says when to go on."""


UNHURRIED = """(() => {
  const later = setTimeout;
  globalThis.setTimeout = (work, ms = 0, ...more) => later(work, ms < 5000 ? ms : 20 * ms, ...more);
  if (location.protocol !== "http:") return;
  localStorage.setItem("cutcard.hold", "60000");
  localStorage.setItem("cutcard.slack", "20");
})()"""
"""A window for a slow machine: a late answer is no lost connection, a notice stays until it is
read, and a finger is not taken to linger because the machine does."""


def opened(browser: Browser, *, hurried: bool = False, **options: Any) -> BrowserContext:
    """A window of its own, with the patience that a busy machine needs.

    A test of what a page does by the clock wants it hurried, and moves its clock (`page.clock`).
    Nothing moves that need not: drawing takes the most time of all.
    """
    context = browser.new_context(**{"reduced_motion": "reduce", **options})
    context.set_default_timeout(PATIENCE_MS)
    if not hurried:
        context.add_init_script(UNHURRIED)
    return context


def stop_clock(page: Page) -> None:
    """From now on a page's clock moves only by `page.clock.run_for`; it must be installed."""
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)


def run_clock(page: Page, holds: Callable[[], object], what: str) -> None:
    """Move a page's clock on until something holds.

    By a second at a time: news that is still under way may come while the clock runs, and then the
    page counts from there.
    """
    wait_until(holds, what, lambda: page.clock.run_for(1_000))


T = TypeVar("T")


def comes_to(page: Page, found: Callable[[], T], wanted: T) -> None:
    """What is found comes to be what is wanted."""
    wait_until(lambda: found() == wanted, repr(wanted), lambda: page.wait_for_timeout(20))


def wait(page: Page, condition: str) -> None:
    """Until something holds in the page."""
    # Asked from outside: the page's own policy lets nothing be evaluated within it.
    asked = f"Boolean({condition})"
    wait_until(lambda: page.evaluate(asked), condition, lambda: page.wait_for_timeout(20))


RESTS = """new Promise((rests) => {
  const size = () => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return `${scrollWidth} ${scrollHeight}`;
  };
  let before = size(), same = 0;
  const look = () => {
    same = size() === before ? same + 1 : 0;
    before = size();
    if (same === 3) rests(); else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""
"""Until a page has had the same size for three frames: some parts are drawn after others."""


def resize(page: Page, width: int, height: int) -> None:
    """Give a page another size, and wait until the page has come to rest in it."""
    page.set_viewport_size({"width": width, "height": height})
    wait(page, f"matchMedia('(width: {width}px) and (height: {height}px)').matches")
    page.evaluate(RESTS)


def troubles(page: Page, within: str = "html", *, colours: bool = True) -> list[str]:
    """What axe finds to better in a page, or in a part of it; its colours take the longest.

    Another language changes the words, so that only rules about names and language are run in it.
    """
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(
        """([within, enabled]) => axe.run(within, {
          resultTypes: ["violations"],
          ...(document.documentElement.lang === "en"
            ? { rules: { "color-contrast": { enabled } } }
            : { runOnly: ["cat.aria", "cat.forms", "cat.language", "cat.name-role-value",
                "cat.text-alternatives"] }),
        }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`)))""",
        [within, colours],
    )
    return [str(one) for one in found]


def speak(page: Page, language: str) -> None:
    """Whoever looks at a page speaks another language."""
    page.evaluate("(code) => import('/lib/language.js').then(({speak}) => speak(code))", language)


class Terminal:
    """One page at one table."""

    def __init__(self, floor: Floor, page: Page, table: str, language: str = "en") -> None:
        self.floor, self.page, self.table = floor, page, table
        page.goto(f"{floor.url}/table.html?table={table}&language={language}")
        self.wait(
            "document.body.dataset.ready && document.querySelector('.clock').classList.length > 1"
        )

    def wait(self, condition: str) -> None:
        wait(self.page, condition)

    def phase(self, *names: str) -> None:
        self.wait(" || ".join(f"document.querySelector('.clock.{name}')" for name in names))

    def spot(self, name: str) -> Locator:
        return self.page.locator(f"[data-spot={name}]:visible")

    def chip(self, place: int) -> None:
        self.page.locator(".chip").nth(place).click()

    def rack(self, words: str) -> Locator:
        return self.page.locator(".rack > button", has_text=words).first

    def bet_total(self) -> str:
        return self.page.locator(".purse .staked").inner_text()

    def stack(self) -> str:
        return self.page.locator(".purse .gold").inner_text()

    # --- playing ----------------------------------------------------------------------------------

    def guest(self) -> None:
        """Sit down as somebody new."""
        self.page.evaluate("fetch('/api/v1/guests', {method: 'POST'}).then((one) => one.json())")
        self.page.reload()
        self.signed_in()

    def signed_in(self) -> None:
        self.wait("document.body.dataset.ready && document.querySelector('.session, .cash')")

    def next_round(self) -> None:
        """A round that takes bets, for as long as it takes."""
        self.floor.pace(self.table, **{**STILL, "result": 0})
        self.phase("betting")
        self.floor.pace(self.table, **STILL)

    def buy_in(self) -> None:
        self.page.locator("dialog .buttons .go").first.click()
        self.wait("!document.querySelector('dialog[open]')")

    def bet(self, bets: dict[str, int], chip: int = 1) -> None:
        """Tap spots so many times each; the first tap asks for money."""
        self.chip(chip)
        for name, times in bets.items():
            for _ in range(times):
                self.spot(name).click()
                self.wait(
                    "document.querySelector('dialog[open]')"
                    f" || document.querySelector('[data-spot={name}].laid')"
                )
                if self.page.locator("dialog[open]").count():
                    self.buy_in()
        # Every spot is drawn twice, as a sector and as a button, and one of them is shown.
        self.wait(
            f"document.querySelectorAll('.pile').length === {2 * len(bets)}"
            " && !document.querySelector('.pile.coming')"
        )

    def close(self, **pace: Any) -> None:
        """Bets are closed now, and none that was pressed before comes late."""
        self.wait("!document.querySelector('.pile.coming')")
        self.floor.pace(self.table, betting=0, **pace)

    def result(self) -> None:
        """Everything happens that leads to the result."""
        self.close(asking=0, squeeze=0)
        self.wait("document.querySelector('.paid')")
