"""Dealer, pit and auditor at work in a real Chromium, beside patrons at their terminals."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from cutcard.ledger import house as house_account
from cutcard.rulebooks import load
from cutcard.server.audit import verify
from cutcard.server.config import OtherBook
from cutcard.wire import api
from cutcard.wire import house as ask
from tests.browser.consoles import Dealer, Duty, Pit, on_duty, wait_for
from tests.browser.floor import Floor, floor
from tests.browser.playing import Terminal, resize, troubles, wait
from tests.server.house import BLITZ, PASSWORD, Deals, configuration

COMMISSION, KNOCKOUT, SKY = "rws-commission", "rws-knockout", "skycity-commission"
DEALT = (
    "rws-commission",
    "rws-knockout",
    "online-baccarat",
    "online-no-commission",
    "online-cow-cow",
    "skycity-non-commission",
    "skycity-commission",
)
"""The rule sets that people deal; the last one's table is where the tests after it begin."""

ETG = "rws-non-commission-etg"
"""An electronic table, with terminals; here nobody deals at it."""

PLASTIC = "plastic"
"""A table with a continuous shuffler and without a scanner."""

STAKE = 100_000
NATURAL = ("9c", "3d", "Kh", "4s")
"""Player 9, Banker 7: nobody draws, and every bet is decided."""

UNDECIDED = ("2h", "6c")
WAITING = ("2h", "6c", "3s", "Kd")
"""Player 5 must draw; Banker 6."""

TYPED = """([keys, where]) => [...keys, "Enter"].map((key) => new KeyboardEvent("keydown",
    { key, bubbles: true, cancelable: true })).map((one) => document.querySelector(where)
    .dispatchEvent(one)).at(-1)"""
"""Keys as fast as from a reader; whether the last of them presses what has the focus."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:{tmp_path_factory.mktemp('consoles') / 'floor.db'}"


@pytest.fixture(scope="module")
def house(address: str) -> Iterator[Floor]:
    pace = replace(BLITZ, decision_ms=60_000)
    config = configuration((ETG, *DEALT), pace, deals=Deals.STAFF, face_down=False)
    others = {COMMISSION: (OtherBook(book="rws-knockout"),)}
    tables = tuple(
        replace(one, face_down=one.name == SKY, others=others.get(one.name, ()))
        for one in config.tables
    )
    by_hand = replace(tables[-1], name=PLASTIC, face_down=False, scanner=False, continuous=True)
    with floor(replace(config, tables=(*tables, by_hand)), address) as found:
        yield found


@pytest.fixture(scope="module")
def hired(house: Floor, browser: Browser) -> Iterator[Duty]:
    with on_duty(house, browser) as duty:
        duty.seat(COMMISSION, "ann", "ben")
        duty.seat(KNOCKOUT, "ann")
        duty.seat(SKY, "ann")
        yield duty


@pytest.fixture
def duty(hired: Duty) -> Iterator[Duty]:
    """The house and its windows; nothing may have gone wrong in any of them unseen."""
    hired.troubles.clear()
    hired.clear_notices()
    yield hired
    hired.only("dana", "sam", "sue")
    assert hired.troubles == []


@pytest.fixture
def dealer(duty: Duty) -> Dealer:
    """dana at the table, with a shoe that is ready, whatever the test before has left."""
    return Dealer(duty, COMMISSION).ready()


def stack(duty: Duty, name: str) -> int:
    who = duty.clients[name].id
    return int(duty.state(COMMISSION).stacks.get(who, 0))


# --- dealing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", DEALT)
def test_a_dealer_deals_a_whole_round_by_scanner(duty: Duty, book: str) -> None:
    """The lit button is the only thing to press from the shoe to the last chip paid."""
    found = Dealer(duty, book).ready()
    spot = next(one.id for one in load(book).spots.values() if one.stage is None)
    if book not in (COMMISSION, KNOCKOUT, SKY):
        duty.seat(book, "ann")
    found.close_with({"ann": {spot: 40_000}})
    for number, card in enumerate(("Kh", "Kd", "7s", "8c"), start=1):
        side = ("Player", "Banker")[(number - 1) % 2]
        expect(found.lit).to_contain_text(f"Deal card {number} to {side}")
        found.scan(card)
    if duty.state(book).setup.face_down:
        assert found.page.locator(".hands playing-card[up]").count() == 0
        found.click("turn-cards")
    found.click("call-result")
    found.expect("settle-round")
    paid = found.page.locator(".pay li")
    expect(paid).to_have_count(1)
    settled = "Pay" if "Pay " in paid.inner_text() else "Take"
    found.click("settle-round")
    found.expect("open-round")
    (one,) = duty.state(book).round.settled.bets
    assert settled == ("Pay" if one.net > 0 else "Take")
    assert str(duty.state(book).round.coup) == "Kh 7s / Kd 8c"


def test_the_wall_tells_how_far_a_shoe_is_that_people_deal(duty: Duty) -> None:
    """By its rounds alone, which anybody counts: how many cards are left is nobody's to know."""
    Dealer(duty, KNOCKOUT).ready()
    table, cut = duty.state(KNOCKOUT), load(KNOCKOUT).cut
    dealt = 98 / 13 + 4.94 * table.rounds
    more = round((416 - dealt - (cut.least + cut.most) / 2) / 4.94)
    wall = duty.window(
        f"display.html?table={KNOCKOUT}&languages=en", "mia", "document.querySelector('.progress')"
    )
    told = f"Round {table.round.number} of this shoe, about {more} more"
    expect(wall.locator(".progress")).to_contain_text(told)


@pytest.mark.clause("HOUSE blind count")
def test_a_shoe_is_counted_without_a_number_on_the_screen(duty: Duty) -> None:
    """The field is empty and must be filled; what was expected is shown after the count."""
    found = Dealer(duty, KNOCKOUT).ready()
    shoe = duty.state(KNOCKOUT).shoe
    expect(found.page.locator(".about")).to_contain_text(shoe.id)
    found.page.locator(".tools .wrong").click()
    found.page.locator('[data-kind="shoe"]').click()
    field = found.page.locator("dialog input[name=left]")
    expect(field).to_have_value("")
    assert str(shoe.left) not in found.page.locator("body").inner_text()
    found.page.locator("dialog .go").click()
    assert field.evaluate("(one) => one.validity.valueMissing")
    field.fill(str(shoe.left))
    found.page.locator("dialog .go").click()
    told = f"Count of {shoe.id} Expected {shoe.left} Counted {shoe.left} Difference none"
    expect(found.page.locator(".count")).to_have_text(re.compile(told.replace(" ", r"\s*")))
    found.expect("register-shoe")


@pytest.mark.clause("HOUSE open table")
def test_chips_are_reported_removed_only_where_there_are_boxes(duty: Duty) -> None:
    for table, offered in ((ETG, 0), (KNOCKOUT, 1)):
        page = duty.window(f"dealer.html?table={table}", "dana")
        page.locator(".tools .wrong").click()
        expect(page.locator('[data-kind="shoe"]')).to_be_visible()
        assert page.locator('[data-kind="removed"]').count() == offered, table
        page.keyboard.press("Escape")


@pytest.mark.clause("KO2 3.1")
def test_a_supervisor_alone_at_a_table_waits_for_a_dealer(duty: Duty) -> None:
    Dealer(duty, KNOCKOUT).ready()
    alone = Dealer(duty, KNOCKOUT, "sam")
    wait(alone.page, "document.querySelector('.lit').dataset.act")
    if alone.lit.get_attribute("data-act") == "sign-on":
        alone.press("sign-on")
    duty.do("dana", ask.SignOff(table=KNOCKOUT))
    alone.expect("await-dealer")
    expect(alone.lit).to_have_attribute("aria-disabled", "true")
    expect(alone.lit).to_contain_text("Waiting for a dealer")
    expect(alone.lit).to_contain_text("No dealer is signed on, and without one no round opens")
    expect(alone.lit).to_contain_text("KO2 3.1")


@pytest.mark.clause("CB4 1.3")
def test_without_a_scanner_the_dealer_types_and_a_supervisor_confirms(duty: Duty) -> None:
    page = duty.window(f"dealer.html?table={PLASTIC}", "dana")
    lit = page.locator(".lit")

    def press(act: str, **given: str) -> None:
        expect(lit).to_have_attribute("data-act", act)
        expect(lit).to_have_attribute("aria-busy", "false")
        lit.click()
        for name, value in given.items():
            page.locator(f"dialog [name={name}]").fill(value)
        if given:
            page.locator("dialog .go").click()
            wait(page, "!document.querySelector('dialog[open]')")

    press("sign-on")
    press("register-shoe", shoe="plastic 1", shuffle_record="shuffler 2")
    press("expose-card", card="Ah")
    press("burn-card")
    expect(page.locator(".tools button", has_text="Cut card")).to_be_disabled()
    page.locator(".tools .wrong").click()
    page.locator('[data-kind="shoe"]').click()
    expect(page.locator("dialog[open]")).to_contain_text("Put every card back into the shuffler")
    page.keyboard.press("Escape")
    press("open-round")
    press("close-bets")
    assert page.locator(".reader").count() == 0
    expect(lit).to_contain_text("Enter card 1 for Player")
    press("enter-card", card="10s")
    expect(lit).to_contain_text("Waiting for a second person")
    proposed = duty.floor.house.server.staff.proposals.at(PLASTIC)
    assert proposed is not None
    duty.do("sam", ask.Confirm(table=PLASTIC, proposal=proposed.number))
    expect(lit).to_contain_text("Enter card 2 for Banker")
    assert str(duty.state(PLASTIC).round.coup) == "Ts /"


def test_a_squeeze_is_asked_for_and_granted(duty: Duty) -> None:
    table = SKY
    found = Dealer(duty, table).ready()
    found.close_with({"ann": {"banker": 40_000}})
    duty.do("ann", api.RequestSqueeze(table=table, side="banker"))
    expect(found.lit).to_contain_text("Let ann squeeze Banker")
    found.press("answer-squeeze")
    found.scan("Kh", "Kd", "7s", "8c")
    own = duty.floor.do(duty.clients["ann"].get(f"/tables/{table}"))["own"]
    assert own["squeeze"] == {"player": [None, None], "banker": ["Kd", "8c"]}
    assert found.page.locator(".hands playing-card[code]").count() == 0
    found.press("turn-cards")
    found.finish()


def test_a_terminal_offers_the_squeeze_before_the_first_card_and_before_each_third(
    duty: Duty,
) -> None:
    """Player draws a seven to 5, so Banker 6 draws too; ann asks for Player's card."""
    found = Dealer(duty, SKY).ready()
    found.close_with({"ann": {"banker": 40_000}})
    ann = terminal(duty, "ann", SKY).page
    offers = ann.locator(".panel:not(.squeeze) .go")
    expect(offers).to_have_text(["Player", "Banker"])
    found.scan(*WAITING)
    expect(offers).to_have_count(0)
    found.press("turn-cards")

    expect(offers).to_have_text(["Player"])
    offers.click()
    expect(found.lit).to_contain_text("Let ann squeeze Player")
    found.press("answer-squeeze")
    found.scan("7d")
    expect(ann.locator(".squeeze playing-card")).to_have_count(1)
    found.press("turn-cards")
    expect(offers).to_have_text(["Banker"])
    found.scan("4h")
    expect(offers).to_have_count(0)
    found.press("turn-cards")
    found.finish()


@pytest.mark.clause("CB4 5.1 priority")
def test_a_terminal_tells_of_a_bet_that_gave_way_to_the_seated_patrons(
    duty: Duty, dealer: Dealer
) -> None:
    """Ben stands behind ann's seat with what is left of the box; then ann bets more herself."""
    duty.do("ben", api.BuyIn(table=COMMISSION, amount=1_000_000))
    dealer.press("open-round")
    dealer.expect("close-bets")
    page = terminal(duty, "ben").page
    before = stack(duty, "ben")
    duty.do("ann", api.PlaceBet(table=COMMISSION, spot="banker", stake=30_000))
    duty.do("ben", api.PlaceBet(table=COMMISSION, spot="banker", stake=970_000, box=1))
    expect(page.locator(".purse .staked")).to_have_text("9,700")
    duty.do("ann", api.PlaceBet(table=COMMISSION, spot="banker", stake=100_000))

    expect(page.locator(".notices p")).to_have_text(
        "1,000 of your bet on Banker was given back: the seated patron’s bet comes first in the "
        "box.CB4 5.1"
    )
    expect(page.locator(".purse .staked")).to_have_text("8,700")
    assert before - stack(duty, "ben") == 870_000
    dealer.press("close-bets")
    dealer.scan(*NATURAL)
    dealer.finish()


@pytest.mark.clause("KO2 3.4 funds")
def test_a_terminal_warns_of_an_ante_that_cannot_be_continued(duty: Duty) -> None:
    found = Dealer(duty, KNOCKOUT).ready()
    who = duty.clients["ann"].id
    duty.do("ann", api.CashOut(table=KNOCKOUT))
    duty.do("ann", api.BuyIn(table=KNOCKOUT, amount=74_999))
    found.press("open-round")
    found.expect("close-bets")
    page = terminal(duty, "ann", KNOCKOUT).page
    duty.do("ann", api.PlaceBet(table=KNOCKOUT, spot="ante_player", stake=25_000))

    expect(page.locator(".notices p")).to_have_text(
        "Your stack cannot pay for continuing Ante Player. Buy in, or the Ante can only be "
        "declined.KO2 3.4"
    )
    assert duty.state(KNOCKOUT).stacks[who] == 49_999
    duty.do("ann", api.WithdrawBet(table=KNOCKOUT, spot="ante_player"))
    duty.do("ann", api.BuyIn(table=KNOCKOUT, amount=900_000))
    found.press("close-bets")
    found.scan(*NATURAL)
    found.finish()


@pytest.mark.parametrize("established", [False, True])
def test_rows_7_and_8_a_card_face_up_on_a_face_down_table(duty: Duty, established: bool) -> None:
    """The dealer goes on alone; there is a choice only while nothing is established.

    SkyCity has no pairs: one open card decides nothing, and the fifth of this coup everything.
    """
    found = Dealer(duty, SKY).ready()
    found.close_with({"ann": {"banker": 40_000}})
    if established:
        found.scan(*WAITING)
        found.press("turn-cards")
        found.scan("Kh")
    else:
        found.scan("9h", "3d")
    found.wrong("card face up", exposed="4" if established else "0")
    expect(found.lit).to_contain_text("Go on")
    found.press("resolve")
    if established:
        assert found.page.locator(".options li").count() == 0
    else:
        expect(found.page.locator(".options li")).to_contain_text("ann: has not chosen")
        found.page.locator(".options button").first.click()
        found.expect("scan-card")
        found.scan("Kh", "4s")
        found.press("turn-cards")
    found.finish()


def test_the_pay_list_tells_chips_and_commission(dealer: Dealer) -> None:
    dealer.close_with({"ann": {"banker": STAKE}})
    dealer.scan("Kh", "Kd", "7s", "8c")
    dealer.press("call-result")
    line = dealer.page.locator(".pay li")
    expect(line).to_contain_text("Pay 950")
    expect(line).to_contain_text("1 × 500 + 1 × 250 + 2 × 100")
    expect(line).to_contain_text("commission 50")
    dealer.press("settle-round")


def test_a_finger_that_slips_and_a_switch_that_bounces_press_once(
    duty: Duty, dealer: Dealer
) -> None:
    page = dealer.page
    page.evaluate("localStorage.setItem('cutcard.settle', '600000')")
    before = duty.state(COMMISSION).seq
    dealer.lit.click()
    page.keyboard.press("F9")
    assert duty.state(COMMISSION).seq == before, "it has not been looked at yet"
    page.evaluate("localStorage.setItem('cutcard.settle', '0')")
    dealer.lit.focus()
    # Whoever leans on a key, or on the switch, has pressed it once.
    for key, then in (("Enter", "close-bets"), ("F9", "scan-card")):
        page.keyboard.down(key)
        dealer.pressable(then)
        page.keyboard.down(key)
        page.keyboard.up(key)
    dealer.page.locator("input[name=card]").fill("eleven")
    dealer.page.locator(".reader form button").first.click()
    expect(dealer.page.locator(".notices p")).to_have_text(
        ["No card is called eleven. A card is written as 9h, 10s or Kd."]
    )
    box = page.locator(".reader input[type=checkbox]")
    box.uncheck()
    dealer.lit.click()
    expect(page.locator(".notices p").last).to_have_text(
        "Scan the card, or switch the simulated reader on."
    )
    assert page.evaluate(TYPED, ["xx", ".lit"]) is False
    expect(page.locator(".notices p").last).to_contain_text("No card is called xx.")
    page.locator(".tools .wrong").click()
    assert page.evaluate(TYPED, ["8d", "dialog header button"]) is False
    expect(page.locator("dialog .notices p").last).to_contain_text(
        "8 of diamonds was read and not taken"
    )
    page.get_by_role("button", name="Close", exact=True).click()
    assert duty.state(COMMISSION).round.coup.dealt == ()
    before = duty.state(COMMISSION).seq
    assert page.evaluate(TYPED, ["KH", ".reader input"]) is False
    dealer.after(before)
    box.check()
    before = duty.state(COMMISSION).seq
    page.locator("input[name=card]").fill("Kd")
    page.locator(".reader form button").first.click()
    dealer.after(before)
    dealer.scan("7s", "8c")
    dealer.lit.evaluate("(one) => { one.click(); one.click(); one.click(); }")
    dealer.press("settle-round")


def test_a_press_counts_when_the_last_one_is_answered(duty: Duty, dealer: Dealer) -> None:
    """A table's news may come before the answer to the command that made it."""
    held: list[Callable[[], None]] = []
    holding = False

    def between(browser: WebSocketRoute) -> None:
        def told(message: str | bytes) -> None:
            if holding and json.loads(message)["is"] == "done":
                held.append(lambda: browser.send(message))
            else:
                browser.send(message)

        browser.connect_to_server().on_message(told)

    duty.opened("dirk").route_web_socket("**/api/v1/live*", between)
    other = Dealer(duty, COMMISSION, "dirk")
    other.press("sign-on")
    other.pressable("open-round")
    holding = True
    before = duty.state(COMMISSION).seq
    other.lit.click()
    other.after(before)
    other.expect("close-bets")
    expect(other.lit).to_have_attribute("aria-busy", "true")
    before = duty.state(COMMISSION).seq
    other.lit.click()
    other.page.keyboard.press("F9")
    holding = False
    for answer in held:
        answer()
    other.pressable("close-bets")
    assert duty.state(COMMISSION).seq == before, "no press counted in between"
    other.press("close-bets")
    other.play_out()
    dealer.press("sign-on")


def test_a_dealer_bets_for_a_patron_who_sees_it(duty: Duty, dealer: Dealer) -> None:
    dealer.press("open-round")
    dealer.page.locator('[data-box="1"]').get_by_role("button", name="Bet for").click()
    dealer.page.locator("dialog select").select_option("banker")
    dealer.page.locator("dialog input[name=stake]").fill("500")
    dealer.page.locator("dialog .go").click()
    expect(dealer.page.locator('[data-box="1"] li')).to_contain_text("by dana")
    own = duty.floor.do(duty.clients["ann"].get(f"/tables/{COMMISSION}"))["own"]
    assert own["bets"] == [{"box": 1, "spot": "banker", "stake": 50_000, "placed_by_staff": True}]
    dealer.page.locator('[data-box="1"]').get_by_role("button", name="Take back").click()
    dealer.page.locator("dialog .go").click()
    expect(dealer.page.locator('[data-box="1"] li')).to_have_count(0)
    assert list(duty.state(COMMISSION).round.bets) == []
    # Whoever stands at the table and has not bet is there, too, behind whoever has.
    duty.do("ben", api.PlaceBet(table=COMMISSION, spot="player", stake=40_000))
    duty.do("cat", api.BuyIn(table=COMMISSION, amount=200_000))
    dealer.page.locator("[data-patron=cat] button").click()
    dealer.page.locator("dialog select[name=spot]").select_option("tie")
    dealer.page.locator("dialog input[name=stake]").fill("500")
    dealer.page.locator("dialog .go").click()
    expect(dealer.page.locator('[data-box="2"] li').last).to_contain_text("cat")
    dealer.press("close-bets")
    dealer.scan("Kh", "Kd", "7s", "8c")
    dealer.finish()


def test_whoever_has_to_decide_may_tell_the_dealer(duty: Duty) -> None:
    found = Dealer(duty, KNOCKOUT).ready()
    found.close_with({"ann": {"ante_player": 40_000}})
    found.scan("2h")
    found.page.get_by_role("button", name="Continue: 800 more").click()
    found.expect("scan-card")
    staked = {one.spot: one.stake for one in duty.state(KNOCKOUT).round.bets}
    assert staked == {"ante_player": 40_000, "wager_player": 80_000}
    found.play_out()


def test_another_dealer_takes_over_and_the_first_comes_back_after_a_lost_connection(
    duty: Duty, dealer: Dealer
) -> None:
    """Neither loses the round: the next card is lit for whoever is there."""
    dealer.close_with({"ann": {"banker": STAKE}})
    dealer.scan(*UNDECIDED)
    other = Dealer(duty, COMMISSION, "dirk")
    expect(other.lit).to_contain_text("Take over this table")
    other.press("sign-on")
    expect(other.lit).to_contain_text("Deal card 3 to Player")
    expect(dealer.lit).to_contain_text("Take over this table")
    other.page.context.set_offline(True)
    expect(other.page.locator(".banner")).to_contain_text("No connection")
    other.page.context.set_offline(False)
    expect(other.page.locator(".banner")).to_have_count(0)
    other.scan("Kh", "4s")
    dealer.press("sign-on")
    dealer.play_out()
    dealt = [one["who"] for one in significant(duty, "staff scan-card")[:6]]
    assert len(set(dealt)) == 2


def significant(duty: Duty, kind: str) -> list[dict[str, Any]]:
    told = duty.floor.do(_shi(duty).get("/significant-events", most=1000))
    return [one for one in told if one["kind"] == kind]


def _shi(duty: Duty) -> Any:
    duty.do("shi", ask.StayAwake())
    return duty.clients["shi"]


def test_the_console_locks_and_the_password_opens_it(duty: Duty, dealer: Dealer) -> None:
    staff = duty.floor.house.server.staff
    who = next(id for id, name in staff.names.items() if name == "dana")
    staff._seen[who] -= 6 * 60_000
    locked = dealer.page.locator("dialog")
    expect(locked).to_contain_text("dana, give your password")
    locked.locator("input").fill("wrong")
    locked.locator(".go").click()
    expect(dealer.page.locator(".notices")).to_contain_text("wrong")
    locked.locator("input").fill(PASSWORD)
    locked.locator(".go").click()
    expect(locked).to_have_count(0)
    dealer.expect("open-round")


def test_training_asks_marks_and_explains(dealer: Dealer) -> None:
    with dealer.page.expect_response("**/school/**") as asked:
        dealer.page.get_by_role("button", name="Train").click()
    stakes = [f"{bet['stake']:,}" for bet in asked.value.json()["table"]["bets"]]
    expect(dealer.page.locator(".lesson .bets li")).to_contain_text(stakes)
    dealer.page.locator(".lesson .choices button").first.click()
    expect(dealer.page.locator(".because")).to_contain_text(re.compile(r"(Right|No)\."))
    expect(dealer.page.locator(".lesson .right")).to_have_count(1)
    dealer.page.get_by_role("button", name="Close", exact=True).click()


# --- irregularities, one by one: clauses §7.2 -----------------------------------------------------


WIDE = """(width) => document.documentElement.scrollWidth <= width ? []
    : [...document.querySelectorAll('body *')]
      .filter((one) => one.getBoundingClientRect().right > width && !one.closest('svg, .scroll'))
      .map((one) => `${one.tagName}.${one.className}`)"""
"""Whatever reaches beyond the page."""


class Case:
    """One row of the table of irregularities, from the dealer's mark to the ledger."""

    def __init__(
        self,
        cards: tuple[str, ...],
        kind: str,
        step: str,
        *,
        options: bool,
        given: dict[str, str] | None = None,
        scanned: str = "",
        words: dict[str, str] | None = None,
        void: bool = False,
        shoe_goes: bool = False,
        terminals: bool = False,
    ) -> None:
        self.cards, self.kind, self.step, self.options = cards, kind, step, options
        self.terminals = terminals
        self.given, self.scanned, self.words = given or {}, scanned, words or {}
        self.void, self.shoe_goes = void, shoe_goes


ORDER, PLAY_ON = "put the cards in order", "play on with the cards as they lie"
CASES = {
    "1 excess card, nothing established": Case(
        ("2h",),
        "excess or exposed card",
        ORDER,
        options=True,
        given={"drawn": "6h"},
        terminals=True,
    ),
    "3 wrong side, not established, in order": Case(
        UNDECIDED, "card to the wrong side", ORDER, options=True, given={"lying": "6C/2h"}
    ),
    "4 wrong side, not established, as they lie": Case(
        UNDECIDED,
        "card to the wrong side",
        PLAY_ON,
        options=True,
        given={"lying": "6c / 2h"},
        words={"reason": "nobody saw the order"},
    ),
    "6 wrong side, established, as they lie": Case(
        WAITING,
        "card to the wrong side",
        PLAY_ON,
        options=True,
        given={"lying": "6c 3s / 2h Kd"},
        words={"reason": "nobody saw the order"},
    ),
    "9 two cards together": Case(
        WAITING,
        "simultaneous cards",
        "decide which card came first",
        options=True,
        given={"drawn": "4h 9s"},
        words={"reason": "the four lay below"},
    ),
    "10 another dealing error": Case(
        UNDECIDED, "other dealing error", "go on", options=True, given={"note": "burned\ntwice"}
    ),
    "2 excess card, established": Case(
        NATURAL, "excess or exposed card", ORDER, options=False, scanned="6h"
    ),
    "5 wrong side, established, in order": Case(
        WAITING,
        "card to the wrong side",
        ORDER,
        options=False,
        given={"lying": "6c 3s / 2h Kd"},
    ),
    "11 foreign card": Case(
        UNDECIDED,
        "foreign card",
        "void the round",
        options=False,
        void=True,
        shoe_goes=True,
    ),
    "11 wrong number of cards": Case(
        WAITING,
        "wrong number of cards",
        "void the round",
        options=False,
        void=True,
        words={"reason": "the cards are swept together"},
    ),
    "12 interruption, established": Case(
        WAITING, "technical interruption", "conclude the round", options=False
    ),
    "12 interruption, nothing established": Case(
        UNDECIDED, "technical interruption", "void the round", options=False, void=True
    ),
    "ruling": Case(
        UNDECIDED,
        "anything else",
        "rule that the round is void",
        options=False,
        void=True,
        words={"facts": "the lights\nwent out", "reason": "void"},
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_irregularity_from_the_mark_to_the_ledger(
    duty: Duty, dealer: Dealer, case: Case
) -> None:
    """The dealer marks it, the pit decides by the book, two patrons choose, the money is right.

    A terminal asks the same question after every error: the first case sees to it.
    """
    before = {who: stack(duty, who) for who in ("ann", "ben")}
    house_before = balance(duty)
    dealer.close_with({"ann": {"banker": STAKE}, "ben": {"player": STAKE}})
    if not case.terminals:
        duty.only("dana", "sam")
    dealer.scan(*case.cards)
    if case.scanned:
        dealer.scan(case.scanned)
    else:
        dealer.wrong(case.kind, **case.given)
    entry = load(COMMISSION).irregularities[case.kind]
    expect(dealer.lit).to_contain_text(entry.clause)
    pit = Pit(duty, COMMISSION, "shi" if case.kind == "anything else" else "sam")
    # Everybody's money is worked out first, for every way in which the round can end.
    expect(pit.one.locator(".copilot > blockquote b")).to_have_text(entry.clause)
    terminals = {who: terminal(duty, who).page for who in ("ann", "ben") if case.terminals}
    pit.take(case.step, **case.words)

    if case.options:
        for page in terminals.values():
            expect(page.locator(".panel.option")).to_be_visible()
        for who, words in (("ann", "Return my bets"), ("ben", "Go on")):
            tracked = pit.one.locator(f".tracker [data-patron={who}]")
            expect(tracked).to_have_count(1)
            if case.terminals:
                terminals[who].get_by_role("button", name=words).click()
            else:
                duty.do(who, api.ChooseOption(table=COMMISSION, continues=who == "ben"))
            if who == "ann":
                expect(tracked).to_contain_text("has the bets back")
        expect(pit.one.locator(".tracker")).to_have_count(0)
        assert stack(duty, "ann") == before["ann"]
    expect(pit.one.locator(".copilot")).to_have_count(0)
    if case.void:
        dealer.expect("register-shoe" if case.shoe_goes else "open-round")
        assert {who: stack(duty, who) for who in before} == before
        assert balance(duty) == house_before
    else:
        dealer.play_out()
        net = {who: stack(duty, who) - amount for who, amount in before.items()}
        settled = duty.state(COMMISSION).round.settled
        told = {one.bet.patron: one.net for one in settled.bets}
        expected = {who: told.get(duty.clients[who].id, 0) for who in before}
        assert net == expected
        if case.options:
            assert net["ann"] == 0
        kept = sum(one.commission for one in settled.bets)
        assert balance(duty) - house_before == -sum(net.values()) - kept
    (last,) = significant(duty, "incident resolved")[:1]
    assert last["where"] == COMMISSION


def balance(duty: Duty) -> int:
    return int(duty.floor.house.server.desk.shown.ledger.balance(house_account(COMMISSION)))


def terminal(duty: Duty, who: str, table: str = COMMISSION) -> Terminal:
    page = duty.window(f"table.html?table={table}", who)
    found = Terminal.__new__(Terminal)
    found.floor, found.page, found.table = duty.floor, page, table
    return found


def test_row_13_noticed_a_round_late_changes_nothing(duty: Duty, dealer: Dealer) -> None:
    duty.only("dana", "sam")
    dealer.close_with({"ann": {"banker": STAKE}})
    dealer.scan("Kh", "Kd", "7s", "8c")
    dealer.finish()
    number = duty.state(COMMISSION).rounds
    before = stack(duty, "ann")
    dealer.press("open-round")
    dealer.wrong("noticed a round late", round=str(number))
    pit = Pit(duty, COMMISSION)
    pit.take("write it down; nothing changes")
    dealer.expect("close-bets")
    assert stack(duty, "ann") == before
    dealer.press("close-bets")
    dealer.scan("Kh", "Kd", "7s", "8c")
    dealer.finish()


def test_a_void_after_settlement_takes_two_windows(duty: Duty, dealer: Dealer) -> None:
    before = stack(duty, "ann")
    dealer.close_with({"ann": {"banker": STAKE}})
    dealer.scan("Kh", "Kd", "7s", "8c")
    dealer.finish()
    assert stack(duty, "ann") == before + 95_000
    dealer.wrong("foreign card", note="a joker")
    sam, sue = Pit(duty, COMMISSION, "sam"), Pit(duty, COMMISSION, "sue")
    sam.take("void the round", reason="a joker in the shoe")
    expect(dealer.lit).to_contain_text("Waiting for a second person")
    expect(sam.one.locator(".proposal .go")).to_be_disabled()
    sue.one.locator(".proposal .go").click()
    expect(sue.one.locator(".proposal")).to_have_count(0)
    dealer.expect("register-shoe")
    assert stack(duty, "ann") == before


def test_the_record_is_corrected_in_the_editor(duty: Duty, dealer: Dealer) -> None:
    before = stack(duty, "ann")
    dealer.close_with({"ann": {"banker": STAKE}})
    dealer.scan("Kh", "Kd", "7s", "8c")
    dealer.finish()
    dealer.wrong("misread card", note="the 8 is a 6")
    sam, sue = Pit(duty, COMMISSION, "sam"), Pit(duty, COMMISSION, "sue")
    sam.path("correct the record").locator(".go").click()
    sam.page.locator("dialog input[name=banker]").fill("Kd 6c")
    sam.page.locator("dialog input[name=banker]").blur()
    sam.page.locator("dialog textarea").fill("the 8 is a 6")
    sam.page.locator("dialog .go").click()
    expect(sue.one.locator(".proposal code")).to_have_text("Kh 7s / Kd 6c")
    sue.one.locator(".proposal .go").click()
    dealer.expect("open-round")
    assert stack(duty, "ann") == before - STAKE


def test_a_card_nobody_can_read_is_entered_with_the_pit(duty: Duty, dealer: Dealer) -> None:
    dealer.close_with({"ann": {"banker": STAKE}})
    dealer.scan(*UNDECIDED)
    dealer.page.locator(".tools .wrong").click()
    dealer.page.locator("[data-kind=enter]").click()
    dealer.page.locator("dialog input[name=card]").fill("9s")
    dealer.page.locator("dialog .go").click()
    expect(dealer.lit).to_contain_text("Waiting for a second person")
    pit = Pit(duty, COMMISSION)
    pit.one.locator(".proposal .go").click()
    expect(dealer.lit).to_contain_text("Deal card 4 to Banker")
    dealer.scan("8h")
    dealer.play_out()


# --- the pit and the auditor ----------------------------------------------------------------------


def test_the_wall_shows_alarms_and_a_call_is_answered(duty: Duty, dealer: Dealer) -> None:
    dealer.page.get_by_role("button", name="Call the supervisor").click()
    pit = Pit(duty, COMMISSION)
    expect(pit.page.locator(f".tile[data-table={COMMISSION}] .alarms")).to_contain_text("Call")
    pit.one.get_by_role("button", name="I am coming").click()
    expect(dealer.page.locator("p.call")).to_have_text("sam is on the way.")


def test_limits_another_book_closing_and_opening(duty: Duty) -> None:
    """The pit announces it, patrons read of it, and after the last round the other book is open."""
    table = COMMISSION
    pit = Pit(duty, table, "shi")
    pit.one.get_by_role("button", name="Change limits").click()
    pit.page.locator("dialog input[name=limit-0]").fill("200")
    pit.page.locator("dialog textarea").fill("a busy night")
    pit.page.locator("dialog .go").click()
    wait_for(pit.page, lambda: duty.state(table).limits[0].amount == 20_000, "the new limit")
    pit.one.get_by_role("button", name="Change the rule set").click()
    pit.page.locator("dialog select").select_option("rws-knockout")
    pit.page.locator("dialog input[name=rounds]").fill("1")
    pit.page.locator("dialog textarea").fill("a quiet night")
    pit.page.locator("dialog .go").click()
    knockout = load("rws-knockout")
    expect(pit.one.locator(".next-book")).to_have_text(f"Opens next by: {knockout.name}")
    found = Dealer(duty, table).ready()
    found.press("open-round")
    found.press("close-bets")
    found.scan("Kh", "Kd", "7s", "8c")
    found.finish()
    expect(found.lit).to_contain_text("The pit closes this table")
    pit.one.get_by_role("button", name="Close now").click()
    expect(found.lit).to_contain_text("The pit opens this table")
    pit.one.get_by_role("button", name="Open the table").click()
    # The console has read the other book by now, which is another table's too.
    expect(found.page.locator("h1.title")).to_have_text(f"{knockout.name} · {table}")
    found.expect("open-round")
    assert duty.state(table).setup.book_hash == knockout.hash


def test_reports_shoes_patrons_and_people(duty: Duty) -> None:
    pit = Pit(duty, COMMISSION, "shi")
    page = pit.page
    page.get_by_role("button", name="Shift report").click()
    page.locator("select").select_option(COMMISSION)
    figures = duty.floor.do(_shi(duty).get(f"/tables/{COMMISSION}/figures"))
    expect(page.locator("[data-meter=rounds] dd")).to_have_text(str(figures["rounds"]))
    expect(page.locator(".drift svg")).to_be_visible()
    page.get_by_role("button", name="Irregularities").click()
    expect(page.locator("tbody")).to_contain_text("foreign card")
    past = f"{COMMISSION} · {load(COMMISSION).name} "
    expect(page.locator("tbody tr", has_text=past).first).to_be_visible()
    page.get_by_role("button", name="Shoes", exact=True).click()
    held = page.locator("tr.quarantine")
    expect(held.first).to_be_visible()
    number = held.count()
    held.first.get_by_role("button").click()
    page.locator("dialog textarea").fill("counted twice")
    page.locator("dialog .go").click()
    expect(held).to_have_count(number - 1)
    page.get_by_role("button", name="Patrons").click()
    page.locator("input[name=name]").fill("an")
    page.get_by_role("button", name="Find").click()
    page.locator(".people").get_by_role("button", name="ann").click()
    expect(page.locator(".patron h3")).to_have_text("ann")
    weekly = page.locator("[data-limit=deposit_week]")
    weekly.get_by_role("button").click()
    page.locator("dialog input[name=amount]").fill("5000")
    page.locator("dialog textarea").fill("asked for it")
    page.locator("dialog .go").click()
    expect(weekly).to_contain_text("5,000")
    page.get_by_role("button", name="Staff", exact=True).click()
    page.get_by_role("button", name="Add a person").click()
    page.locator("dialog input[name=name]").fill("nina")
    page.locator("dialog input[name=password]").fill(PASSWORD)
    page.locator("dialog select").select_option("dealer")
    page.locator("dialog textarea").fill("begins today")
    page.locator("dialog .go").click()
    nina = page.locator("[data-person=nina]")
    nina.get_by_role("button", name="Change role").click()
    page.locator("dialog select").select_option("pit supervisor")
    page.locator("dialog textarea").fill("has passed")
    page.locator("dialog .go").click()
    expect(nina).to_contain_text("pit supervisor")
    nina.get_by_role("button", name="Disable").click()
    page.locator("dialog textarea").fill("has left")
    page.locator("dialog .go").click()
    expect(nina).to_contain_text("disabled")
    told = [(one["why"], one["after"]) for one in significant(duty, "staff changed")]
    assert told == [
        ("has left", "pit supervisor barred"),
        ("has passed", "pit supervisor"),
        ("begins today", "dealer"),
    ]
    page.locator("[data-person=dana]").get_by_role("button", name="Acting role").first.click()
    page.locator("dialog textarea").fill("sam is at lunch")
    page.locator("dialog .go").click()
    expect(page.locator("[data-person=dana]")).to_contain_text("pit supervisor · until")
    acting = duty.window("pit.html", "dana")
    expect(acting.locator(".bar .who")).to_contain_text("dealer → pit supervisor")
    expect(acting.locator(".tile")).to_have_count(len(DEALT) + 2)


def test_the_auditor_checks_everything_and_replays_a_round(duty: Duty, address: str) -> None:
    add = duty.floor.house.server.signin.add_person
    duty.floor.do(add("audrey", PASSWORD, "staff", "auditor"))
    page = duty.window("audit.html", "audrey")
    assert duty.floor.do(verify(address)).findings == []
    page.get_by_role("button", name="Check everything now").click()
    expect(page.locator(".verdict")).to_have_attribute("data-holds", "true")
    page.locator("input[type=search]").fill("Correction")
    moved = re.compile(r"\d/\d+ \w\w .+ / .+, house [−+][\d,]+")
    expect(page.locator(".sheet.wide tbody tr").first).to_contain_text(moved)
    page.locator("select").select_option(COMMISSION)
    expect(page.locator("select")).to_have_value(COMMISSION)
    page.locator(".rounds button").first.click()
    expect(page.locator(".rerun ol li").first).to_contain_text("Bets open")
    page.get_by_role("button", name="To the start").click()
    expect(page.locator(".rerun .later").first).to_be_visible()
    assert page.locator("main").get_by_role("button", name="Confirm").count() == 0
    pit = Pit(duty, COMMISSION, "audrey")
    tools = pit.one.locator(".tools button")
    expect(tools).to_have_text(["Replay a round"])
    tools.click()
    pit.page.locator("dialog input").fill("1/1")
    pit.page.locator("dialog .go").click()
    expect(pit.page.locator("dialog .rerun ol li").first).to_contain_text("Bets open")
    pit.page.get_by_role("button", name="Close", exact=True).click()


def test_an_operator_is_told_what_is_not_for_operators(duty: Duty) -> None:
    add = duty.floor.house.server.signin.add_person
    duty.floor.do(add("olga", PASSWORD, "staff", "operator"))
    page = duty.window("audit.html", "olga")
    expect(page.locator(".sheet.wide")).to_contain_text("an operator does not")
    assert page.get_by_role("button", name="The table's whole log").count() == 0
    pit = Pit(duty, COMMISSION, "olga")
    expect(pit.one.locator(".tools button")).to_have_text(["Replay a round"])
    expect(pit.page.locator(".tabs button")).to_have_count(5)


def test_a_cashier_takes_cash_hands_it_out_and_pays_a_voucher(duty: Duty) -> None:
    add = duty.floor.house.server.signin.add_person
    duty.floor.do(add("cleo", PASSWORD, "staff", "cashier"))
    # Whoever came before may have been limited or excluded.
    duty.floor.do(duty.floor.house.person("gus"))
    voucher = duty.do("gus", api.IssueVoucher(amount=400_00)).voucher
    duty.do("gus", api.BuyIn(table=KNOCKOUT, amount=70_00))
    page = duty.window("cage.html", "cleo")
    page.get_by_label("Name", exact=True).fill("gu")
    page.get_by_role("button", name="Find").first.click()
    card = page.locator("[data-patron=gus]")
    wallet = card.locator("dd").first
    # He has gone home, and left something at a table.
    expect(wallet).to_have_text("99,530")
    card.get_by_role("button", name="Fetch from RWS Non-Commission Knockout Baccarat").click()
    expect(page.locator("dialog")).to_contain_text("70 of gus lie at RWS Non-Commission")
    page.locator("dialog [name=reason]").fill("he has left the house")
    page.locator("dialog .go").click()
    expect(wallet).to_have_text("99,600")
    expect(card.get_by_role("button", name="Fetch")).to_have_count(0)
    for way, amount, sign in (("Take cash in", "1250.50", 1), ("Hand cash out", "50", -1)):
        before = wallet.inner_text()
        card.get_by_role("button", name=way).click()
        page.locator("dialog [name=amount]").fill(amount)
        page.locator("dialog .go").click()
        expect(wallet).not_to_have_text(before)
        told = [float(one.replace(",", "")) for one in (before, wallet.inner_text())]
        assert round(told[1] - told[0], 2) == sign * float(amount)
    expect(page.locator(".vouchers th[scope=row]").first).to_have_text(f"…{voucher.number[-4:]}")

    page.get_by_label("Voucher number").fill("12")
    page.get_by_role("button", name="Pay the voucher").click()
    expect(page.locator(".notices .refused")).to_contain_text("18 digits")
    page.get_by_label("Voucher number").fill(voucher.number)
    page.get_by_role("button", name="Pay the voucher").click()
    expect(page.locator("dialog .voucher")).to_contain_text("400 four hundred")
    page.locator("dialog .go").click()
    expect(page.locator(".notices .good").last).to_have_text("The voucher is paid. Hand 400 over.")
    expect(page.locator(".vouchers")).to_have_count(0)
    page.get_by_label("Voucher number").fill(voucher.number)
    page.get_by_role("button", name="Pay the voucher").click()
    expect(page.locator(".notices .refused").last).to_contain_text(voucher.number)
    assert page.locator("dialog").count() == 0
    expect(page.locator("[data-cashier=cleo] dd")).to_have_text(["1,250.50", "450", "+800.50"])
    expect(page.locator(".moves tbody tr")).to_have_count(3)
    page.get_by_role("button", name="Count from now").click()
    page.locator("dialog .go").click()
    expect(page.locator(".moves")).to_have_count(0)
    expect(page.locator("[data-cashier=cleo]")).to_have_count(0)

    page.get_by_role("button", name="New patron").click()
    page.locator("dialog [name=name]").fill("Zoe")
    page.locator("dialog [name=password]").fill("short")
    page.locator("dialog .go").click()
    # What is refused stays to be put right.
    expect(page.locator("dialog .notices .refused").last).to_contain_text("8 to 256")
    expect(page.locator("dialog [name=name]")).to_have_value("Zoe")
    page.locator("dialog [name=password]").fill(PASSWORD)
    page.locator("dialog .go").click()
    expect(page.locator("[data-patron=zoe] dd").first).to_have_text("0")


# --- terminals ------------------------------------------------------------------------------------


def device(duty: Duty) -> str:
    """A device of the house, number 12 at the electronic table."""
    if "hall 12" not in duty.clients:
        duty.clients["hall 12"] = duty.floor.do(duty.floor.house.device("hall 12", ETG, 12))
    return "hall 12"


def say(page: Page, does: str, **words: str) -> None:
    """Fill in the latest dialog and do what it is for."""
    asked = page.locator("dialog").last
    for name, value in words.items():
        asked.locator(f"[name={name}]").fill(value)
    asked.get_by_role("button", name=does, exact=True).click()
    expect(asked.locator("form")).to_have_count(0)


def fits(page: Page, within: str) -> None:
    """Nothing is wrong with a part of the page, and a telephone shows all of its width."""
    assert troubles(page, within) == []
    resize(page, 360, 800)
    assert page.evaluate(WIDE, 360) == []
    inside = "(one) => [one.scrollWidth, one.clientWidth]"
    wide, room = page.locator(within).evaluate(inside)
    assert wide <= room
    resize(page, 1280, 900)


@pytest.mark.clause("ETG4 1 Player Terminal")
def test_the_pit_attends_to_terminals_locks_them_and_unlocks_them(duty: Duty) -> None:
    name = device(duty)
    duty.do(name, api.CallStaff(table=ETG))
    pit = Pit(duty, ETG)
    wall = pit.page.locator(f".tile[data-table={ETG}] .alarms")
    expect(wall).to_have_text("Attendant to terminal 12")
    calling = pit.one.locator("[data-calling]")
    expect(calling).to_contain_text("Terminal 12 waiting")
    fits(pit.page, ".etg")
    calling.get_by_role("button", name="Attended").click()
    expect(calling).to_have_count(0)

    pit.one.get_by_role("button", name="All terminals").click()
    row = pit.page.locator(f'[data-terminal="{name}"]')
    expect(row.locator("[data-state]")).to_have_text("idle")
    row.get_by_role("button", name="Lock").click()
    say(pit.page, "Lock", reason="a dispute")
    expect(row.locator(".state")).to_have_text("locked a dispute")
    assert duty.state(ETG).terminals.get(duty.clients[name].id).locked == "a dispute"
    expect(pit.one.locator(".etg header p")).to_contain_text("1 locked")
    states = pit.page.locator(".states")
    states.get_by_role("button", name="idle 0").click()
    expect(row).to_have_count(0)
    states.get_by_role("button", name="locked 1").click()
    fits(pit.page, "dialog")
    row.get_by_role("button", name="Unlock").click()
    states.get_by_role("button", name="All").click()
    expect(row.locator(".state")).to_have_text("idle")
    # Whatever others do is seen while the panel is open.
    duty.do(name, api.CallStaff(table=ETG))
    expect(row.locator(".state")).to_have_text("needs attendant")
    row.get_by_role("button", name="Attended").click()
    expect(row.locator(".state")).to_have_text("idle")
    pit.page.get_by_role("button", name="Close", exact=True).click()


@pytest.mark.clause("ETG4 1 Player Terminal")
def test_a_device_is_given_an_account_and_stands_at_a_table(duty: Duty) -> None:
    device(duty)
    pit = Pit(duty, ETG, "shi")
    page = pit.page
    page.get_by_role("button", name="Staff", exact=True).click()
    page.get_by_role("button", name="New device").click()
    say(page, "OK", name="Hall 13", password=PASSWORD, reason="delivered today")
    new = page.locator('[data-device="hall 13"]')
    expect(new.locator("td").first).to_have_text("–")
    expect(page.locator('[data-device="hall 12"]')).to_contain_text("· 12")
    new.get_by_role("button", name="Disable").click()
    say(page, "OK", reason="not set up yet")
    expect(new).to_contain_text("disabled")
    new.get_by_role("button", name="Enable").click()
    say(page, "OK", reason="set up")
    expect(new).not_to_contain_text("disabled")
    fits(page, ".devices")

    page.get_by_role("button", name="Tables", exact=True).click()
    pit.one.get_by_role("button", name="All terminals").click()
    page.get_by_role("button", name="Add a device").click()
    say(page, "Add a device", number="40")
    row = page.locator('[data-terminal="hall 13"]')
    expect(row.locator("th")).to_have_text("40")
    row.get_by_role("button", name="Remove").click()
    say(page, "Remove")
    expect(row).to_have_count(0)
    expect(page.locator(".states").get_by_role("button", name="removed 1")).to_be_visible()
    page.get_by_role("button", name="Close", exact=True).click()


@pytest.mark.clause("ETG4 1 Player Terminal")
def test_a_cashier_moves_credit_onto_a_terminal_and_off_it(duty: Duty) -> None:
    terminal = duty.clients[device(duty)].id
    duty.floor.do(duty.floor.house.person("hal"))
    add = duty.floor.house.server.signin.add_person
    duty.floor.do(add("carl", PASSWORD, "staff", "cashier"))
    page = duty.window("cage.html", "carl")
    page.get_by_label("Name", exact=True).fill("hal")
    page.get_by_role("button", name="Find").first.click()
    hal = page.locator("[data-patron=hal] dd").first
    desk = page.locator(".at-terminal")
    desk.get_by_label("Number or name").fill("12")
    desk.get_by_role("button", name="Find").click()
    expect(desk.locator("h3")).to_have_text("Terminal 12")
    figures = desk.locator("dd")
    moves = (
        ("Take cash for credit", "70.50", "70.50", "100,000"),
        ("From wallet of hal", "30", "100.50", "99,970"),
        ("To wallet of hal", "10.50", "90", "99,980.50"),
    )
    for does, amount, credit, wallet in moves:
        desk.get_by_role("button", name=does).click()
        say(page, does, amount=amount)
        expect(figures).to_have_text([credit, "0", credit])
        expect(hal).to_have_text(wallet)
    fits(page, ".at-terminal")

    # What is refused stays to be tried again.
    duty.do("sam", ask.LockTerminal(table=ETG, terminal=terminal, reason="a dispute"))
    desk.get_by_role("button", name="Pay credit out").click()
    page.locator("dialog .go").click()
    expect(page.locator("dialog .refused")).to_contain_text("Terminal 12 is locked: a dispute.")
    duty.do("sam", ask.UnlockTerminal(table=ETG, terminal=terminal))
    say(page, "Pay credit out")
    expect(figures).to_have_text(["0", "0", "0"])
    told = page.locator(".notices .good").last
    expect(told).to_have_text("90 is off Terminal 12. Hand it over.")
    till = page.locator("[data-cashier=carl] dd")
    expect(till).to_have_text(["70.50", "90", "−19.50"])
    expect(page.locator(".moves tbody tr").first).to_contain_text("Terminal 12")


def test_a_console_is_for_its_roles(duty: Duty) -> None:
    """Whoever may not be there is shown a way to sign in, and nothing else."""
    for who, path in (
        ("dirk", "pit.html"),
        ("dirk", "audit.html"),
        ("dirk", "cage.html"),
        ("ann", f"dealer.html?table={COMMISSION}"),
        ("ann", "pit.html"),
    ):
        page = duty.window(path, who, ready="document.querySelector('main')")
        expect(page.locator("main.gate")).to_have_count(1)
        assert page.locator("main button").count() == 1


@pytest.mark.parametrize(
    ("path", "who"),
    [
        (f"dealer.html?table={COMMISSION}", "dana"),
        (f"pit.html?table={COMMISSION}", "sam"),
        ("audit.html", "shi"),
        ("cage.html", "shi"),
    ],
)
def test_accessible_in_every_language_and_size(duty: Duty, path: str, who: str) -> None:
    page = duty.window(path, who)
    if path == "audit.html":
        # A few of the log's rows are drawn as all of them are.
        page.locator("input[type=search]").fill("quarantine")
    for place, language in enumerate(("zh-Hans", "zh-Hant", "en")):
        page.locator(f".tongues [lang={language}]").click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        text = page.locator("body").inner_text()
        assert not re.search(r"\b(do|tab|role|alarm|meter|page)\.[a-z]", text), path
        for width in (360, 1280):
            resize(page, width, 900)
            wide = page.evaluate(WIDE, width)
            assert wide == [], f"{path} at {width} in {language}"
        if place:
            continue
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
