"""Staff at consoles in a real browser: a dealer with a reader, a pit, patrons at terminals."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from cutcard.rules.rulebook import Role
from cutcard.wire import api
from cutcard.wire import house as ask
from tests.browser.floor import Floor
from tests.browser.playing import opened, wait
from tests.patience import PATIENCE_MS, wait_until
from tests.server.house import PASSWORD, has_seats

STAFF = {
    "dana": Role.DEALER,
    "dirk": Role.DEALER,
    "sam": Role.PIT_SUPERVISOR,
    "sue": Role.PIT_SUPERVISOR,
    "mia": Role.PIT_MANAGER,
    "shi": Role.SHIFT_MANAGER,
}


MOST_SEEN = 4
"""Tests deal the same cards again and again, and a shoe has eight of each."""


SCANNED = """(card) => {
  const field = document.querySelector("input[name=card]");
  field.value = card;
  field.form.requestSubmit();
}"""
"""The form of the simulated reader, without the time that a mouse takes to find its button."""

PRESSED = """(act) => {
  const lit = document.querySelector(".lit");
  if (lit?.dataset.act !== act) return false;
  if (lit.ariaDisabled === "true" || lit.ariaBusy === "true") return false;
  lit.click();
  return true;
}"""
"""The lit button, if this is what it does and a press counts."""


class Duty:
    """A house and windows into it; nothing may go wrong in any of them unseen."""

    def __init__(self, floor: Floor, browser: Browser) -> None:
        self.floor, self.browser = floor, browser
        self.windows: dict[str, tuple[str, Page]] = {}
        """Everybody's window, and what it shows. Whoever is not there draws nothing."""

        self.troubles: list[str] = []
        self.clients: dict[str, Any] = {}

    def hire(self) -> None:
        for name, role in STAFF.items():
            self.floor.do(self.floor.house.person(name, role))

    def window(self, path: str, who: str, ready: str = "document.body.dataset.ready") -> Page:
        """Somebody's window on a page; it stays there for whoever comes next."""
        shown, page = self.windows.get(who) or ("", self.opened(who))
        if shown != path:
            sign = "&" if "?" in path else "?"
            page.goto(f"{self.floor.url}/{path}{sign}language=en")
            wait(page, ready)
            self.windows[who] = (path, page)
        page.bring_to_front()
        return page

    def opened(self, who: str) -> Page:
        """Somebody's window, with nothing in it yet."""
        context = opened(self.browser, viewport={"width": 1280, "height": 900})
        # Nobody's finger slips here: what is lit is pressed as soon as it is.
        context.add_init_script(
            "if (location.protocol === 'http:') localStorage.setItem('cutcard.settle', '0')"
        )
        page = context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on(
            "console",
            lambda said: self.troubles.append(said.text) if _wrong(said) else None,
        )
        self.sign_in(context, who)
        self.windows[who] = ("", page)
        return page

    def only(self, *names: str) -> None:
        """Close the windows of everybody else: whatever is open goes on drawing."""
        for who in [*self.windows.keys() - {*names}]:
            _, page = self.windows.pop(who)
            page.context.close()

    def clear_notices(self) -> None:
        """Notices stay until they are read: whoever comes next has read them."""
        for _, page in self.windows.values():
            page.locator(".notices p").evaluate_all("(all) => all.forEach((one) => one.remove())")

    def sign_in(self, context: BrowserContext, who: str) -> None:
        """A window's cookies are its requests' too."""
        body = {"name": who, "password": PASSWORD}
        context.request.post(f"{self.floor.url}/api/v1/sign-in", data=body, timeout=PATIENCE_MS)

    # --- patrons, over the API --------------------------------------------------------------------

    def do(self, who: str, command: Any) -> Any:
        client = self.clients.get(who)
        if client is None:
            role = STAFF.get(who)
            client = self.clients[who] = self.floor.do(self.floor.house.client(who, role))
        return self.floor.do(client.do(command))

    def seat(self, table: str, *names: str) -> None:
        for box, name in enumerate(names, start=1):
            self.do(name, api.BuyIn(table=table, amount=1_000_000))
            if has_seats(table):
                self.do(name, api.TakeSeat(table=table, box=box))

    def state(self, table: str) -> Any:
        return self.floor.house.server.desk.shown.table(table)


def _wrong(said: Any) -> bool:
    # Refusals are answers too, and Chromium remarks on them; so it does on a lost connection.
    known = ("409 (Conflict)", "ERR_INTERNET_DISCONNECTED", "401 (Unauthorized)")
    return said.type in ("error", "warning") and not any(one in said.text for one in known)


class Dealer:
    """The dealer's console at one table."""

    def __init__(self, duty: Duty, table: str, who: str = "dana") -> None:
        self.duty, self.table = duty, table
        self.page = duty.window(f"dealer.html?table={table}", who)
        self.lit: Locator = self.page.locator(".lit")
        box = self.page.locator(".reader input[type=checkbox]")
        if not box.is_checked():
            box.check()

    def expect(self, act: str) -> None:
        expect(self.lit).to_have_attribute("data-act", act)

    def press(self, act: str) -> None:
        """Do the one lit thing, which must be this, and wait until it is done."""
        before = 0

        def pressed() -> bool:
            nonlocal before
            before = self.duty.state(self.table).seq
            return bool(self.page.evaluate(PRESSED, act))

        wait_for(self.page, pressed, f"{act} to be lit")
        self.after(before)

    def click(self, act: str) -> None:
        """The same with the mouse, which finds the button where it is drawn."""
        self.pressable(act)
        before = self.duty.state(self.table).seq
        self.lit.click()
        self.after(before)

    def pressable(self, act: str) -> None:
        """This is lit, and a press counts: the answer to the last one has come.

        A table's news may come before the answer to the command that made it.
        """
        self.expect(act)
        expect(self.lit).to_have_attribute("aria-disabled", "false")
        expect(self.lit).to_have_attribute("aria-busy", "false")

    def after(self, seq: int) -> None:
        """The page knows what came next at the table."""
        wait(self.page, f"Number(document.body.dataset.seq) > {seq}")

    def scan(self, *cards: str) -> None:
        """Cards by the simulated reader, each waited for."""
        for card in cards:
            before = self.duty.state(self.table).seq
            self.page.evaluate(SCANNED, card)
            self.after(before)

    def shoe(self, name: str) -> None:
        self.pressable("register-shoe")
        self.lit.click()
        self.page.locator("dialog input[name=shoe]").fill(name)
        self.page.locator("dialog input[name=shuffle_record]").fill("machine 3, twice")
        self.page.locator("dialog .go").click()
        # The table may know of it before the dialog is gone.
        wait(self.page, "!document.querySelector('dialog[open]')")
        self.expect("expose-card")
        self.scan("Ah")
        self.press("burn-card")
        self.expect("open-round")

    def ready(self) -> "Dealer":
        """At the table with a shoe, whatever was there before."""
        wait(self.page, "document.querySelector('.lit').dataset.act")
        if self.lit.get_attribute("data-act") == "sign-on":
            self.press("sign-on")
        wait(self.page, "!['', 'sign-on'].includes(document.querySelector('.lit').dataset.act)")
        shoe = self.duty.state(self.table).shoe
        if shoe is not None and max(shoe.seen.values(), default=0) > MOST_SEEN:
            self.duty.do("dana", ask.EndShoe(table=self.table, left=shoe.left))
            self.expect("register-shoe")
        if self.lit.get_attribute("data-act") == "register-shoe":
            self.shoe(f"shoe {self.duty.state(self.table).shoes + 1} of {self.table}")
        self.expect("open-round")
        if self.duty.state(self.table).kept:
            # A card that was kept is dealt first; a round without bets takes it.
            self.press("open-round")
            self.press("close-bets")
            self.play_out()
        return self

    def play_out(self) -> None:
        """Deal whatever is still wanted, and settle."""
        cards = iter(("5h", "5d", "5s", "5c", "6s", "6d"))
        # The pit may know sooner than the dealer what was decided.
        self.after(self.duty.state(self.table).seq - 1)
        while (act := self.lit.get_attribute("data-act")) != "open-round":
            if act == "scan-card":
                self.scan(next(cards))
            else:
                assert act in ("deal-kept-card", "call-result", "settle-round"), act
                self.press(act)

    def close_with(self, bets: dict[str, dict[str, int]]) -> None:
        """A round with bets, closed."""
        self.press("open-round")
        self.expect("close-bets")
        for who, stakes in bets.items():
            for spot, stake in stakes.items():
                self.duty.do(who, api.PlaceBet(table=self.table, spot=spot, stake=stake))
        self.press("close-bets")
        self.expect("scan-card")

    def wrong(self, kind: str, **given: str) -> None:
        """Mark what happened."""
        self.page.locator(".tools .wrong").click()
        self.page.locator(f'[data-kind="{kind}"]').click()
        for name, value in given.items():
            field = self.page.locator(f"dialog [name={name}]")
            if field.evaluate("(one) => one.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.page.locator("dialog .go").click()
        wait(self.page, "!document.querySelector('dialog[open]')")

    def finish(self) -> None:
        self.press("call-result")
        self.press("settle-round")


class Pit:
    """The pit's console, looking at one table."""

    def __init__(self, duty: Duty, table: str, who: str = "sam") -> None:
        self.page = duty.window(f"pit.html?table={table}", who)
        self.page.locator(".tabs button").first.click()
        self.one = self.page.locator(f".one[data-table={table}]")

    def path(self, step: str) -> Locator:
        return self.one.locator(f'.paths [data-step="{step}"]')

    def take(self, step: str, **words: str) -> None:
        """Take a lawful step, with whatever words it wants."""
        self.path(step).first.locator(".go").click()
        for name, value in words.items():
            self.page.locator(f"dialog [name={name}]").fill(value)
        if self.page.locator("dialog[open]").count() or words:
            self.page.locator("dialog .go").click()


def wait_for(page: Page, holds: Callable[[], bool], what: str) -> None:
    """Until something holds in the house."""
    wait_until(holds, what, lambda: page.wait_for_timeout(20))


@contextmanager
def on_duty(floor: Floor, browser: Browser) -> Iterator[Duty]:
    duty = Duty(floor, browser)
    duty.hire()
    try:
        yield duty
    finally:
        duty.only()


__all__ = ["Dealer", "Duty", "Pit", "ask", "on_duty"]
