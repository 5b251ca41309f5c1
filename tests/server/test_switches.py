"""Every switch of a table: the configuration has it, the set-up says it, the server acts by it."""

from dataclasses import fields, replace
from typing import Any

import pytest

from cutcard.client import RefusedError
from cutcard.refusals import Refusal
from cutcard.rulebooks import rulebooks
from cutcard.server.audit import verify
from cutcard.server.config import SWITCHES, Config, OtherBook, TableSettings, parse, setup_of
from cutcard.server.shapes import Pace
from cutcard.table.setup import Setup
from cutcard.wire import api
from cutcard.wire import house as ask
from tests.cases import every
from tests.server.house import PAUSED, Deals, configuration
from tests.server.house import house as open_house
from tests.server.staffing import Crew

pytestmark = pytest.mark.anyio

CB4, KO2 = "rws-commission", "rws-knockout"

FILE = """
venue.helpline = "1800 1"
[pace.slow]
option_ms = 45_000
decision_ms = 20_000
[[table]]
name = "t1"
book = "skycity-commission"
pace = "slow"
decks = 6
continuous = true
scanner = false
sentinel = 7
open_boxes = true
reserve_second = true
apportioning = "seated first"
only_placed = true
bound = true
"""
OTHER = """
[[table.other]]
book = "rws-knockout"
open_boxes = true
"""


def of(config: Config, name: str = "t1") -> Setup:
    return setup_of(config, config.table(name))


def settings(book: str, **table: Any) -> Config:
    """A table that people deal; `option_ms` belongs to the pace."""
    option_ms = table.pop("option_ms", PAUSED.option_ms)
    pace = replace(PAUSED, option_ms=option_ms)
    return configuration((book,), pace, deals=Deals.STAFF, face_down=False, **table)


async def refused(crew: Crew, who: str, command: Any) -> tuple[str, str | None]:
    with pytest.raises(RefusedError) as caught:
        await crew.do(who, command)
    return caught.value.code, caught.value.clause


# --- the configuration ----------------------------------------------------------------------------


def test_what_the_file_says_is_in_the_set_up() -> None:
    found = of(parse(FILE))

    assert {name: getattr(found, name) for name in (*SWITCHES, "option_ms", "decision_ms")} == {
        "continuous": True,
        "scanner": False,
        "sentinel": 7,
        "open_boxes": True,
        "reserve_second": True,
        "apportioning": found.apportioning,
        "only_placed": True,
        "bound": True,
        "option_ms": 45_000,
        "decision_ms": 20_000,
    }
    assert found.apportioning.value == "seated first"


def test_without_a_word_every_switch_is_as_the_house_policy_has_it() -> None:
    """So a venue's set-ups are the same as before the keys were there."""
    text = 'venue.helpline = "1"\n[[table]]\nname = "t1"\nbook = "skycity-commission"\n'
    found, plain = of(parse(text)), Setup("t1", "", "", "", 1, 8, (), "1")

    assert [getattr(found, one) for one in SWITCHES] == [getattr(plain, one) for one in SWITCHES]
    assert (found.option_ms, found.demonstration) == (plain.option_ms, None)


def test_every_field_of_a_set_up_is_configured() -> None:
    """What a table may have, an operator can say: nothing is left to those who write programs.

    The edition of the house's own rules is none of it: a new table keeps the latest.
    """
    keys = {one.name for one in (*fields(TableSettings), *fields(Pace))}
    elsewhere = {
        "table": "name",
        "book_hash": "book",
        "entry": "chips",
        "machine": "deals",
        "demonstration": "venue.demonstration",
        "seat_ms": "seat_minutes",
    }

    assert {one.name for one in fields(Setup)} - keys == {*elsewhere, "edition"}


def test_another_book_of_the_table_has_its_own_switches() -> None:
    """What belongs to the book is said again for each; shuffler and scanner are the table's."""
    text = FILE.replace("only_placed = true\n", "") + OTHER
    config = parse(text)
    table = config.table("t1")
    other = setup_of(config, table.by(table.others[0]))

    assert (other.open_boxes, other.reserve_second, other.bound) == (True, False, False)
    assert other.apportioning.value == "all"
    assert (other.continuous, other.scanner, other.sentinel) == (True, False, 7)
    own = {one.name for one in fields(OtherBook)} & set(SWITCHES)
    assert set(SWITCHES) - own == {"continuous", "scanner", "sentinel"}


@pytest.mark.clause("CB4 1.3", "CB4 1.6", "HOUSE shuffler")
@every("deals", ["machine", "automatic"])
@every(
    ("key", "code", "clause"),
    [
        ("continuous = true", "config/continuous", "HOUSE shuffler"),
        ("scanner = false", "config/no-scanner", "CB4 1.3"),
    ],
)
def test_the_server_deals_from_no_shuffler_and_types_no_card(
    deals: str, key: str, code: str, clause: str
) -> None:
    text = f'venue.helpline = "1"\n[[table]]\nname = "t1"\nbook = "skycity-commission"\n{key}\n'
    with pytest.raises(Refusal) as caught:
        parse(text + f'deals = "{deals}"')
    assert (caught.value.code, caught.value.clause) == (code, clause)
    assert "table t1" in caught.value.message("en")

    assert parse(text + 'deals = "staff"').table("t1").deals is Deals.STAFF


@every("book", [one.id for one in rulebooks() if one.document == "ONL"])
def test_a_book_that_forbids_typing_needs_a_scanner(book: str) -> None:
    text = f'venue.helpline = "1"\n[[table]]\nname = "t1"\nbook = "{book}"\nscanner = false\n'
    with pytest.raises(Refusal) as caught:
        parse(text)

    assert (caught.value.code, caught.value.clause) == ("config/no-typing", "ONL E3")


@every(("key", "place"), [
    ("sentinel = 1", "table[1].sentinel"),
    ("sentinel = 2", "table[1].sentinel"),
    ("sentinel = 14", "table[1].sentinel"),
    ("sentinel = -1", "table[1].sentinel"),
    ('apportioning = "standing first"', "table[1].apportioning"),
    ("bound = 1", "table[1].bound"),
])  # fmt: skip
def test_what_no_table_can_have_is_refused(key: str, place: str) -> None:
    text = f'venue.helpline = "1"\n[[table]]\nname = "t1"\nbook = "skycity-commission"\n{key}\n'
    with pytest.raises(Refusal) as caught:
        parse(text)

    assert caught.value.params["place"] == place


# --- the running server ---------------------------------------------------------------------------


@pytest.mark.clause("CB4 1.6", "HOUSE shuffler")
async def test_a_continuous_shuffler_deals_on_and_nobody_asks_for_a_cut_card(address: str) -> None:
    """Four decks, and a fifth round with the same cards: no card is foreign, no shoe ends."""
    async with open_house(settings(CB4, continuous=True, decks=4), address) as found:
        crew = await Crew(found, CB4).hire()
        await crew.shoe()
        assert (await crew.felt())["continuous"]
        for number in range(1, 7):
            assert await crew.next() == "open-round"
            await crew.bets({})
            assert crew.state.shoe.left == 4 * 52 - 1, "only the burned card is out for good"
            await crew.scan("9s 2d Kh 3d")
            await crew.finish()
            assert (crew.state.rounds, crew.state.incident) == (number, None)
            assert crew.state.shoe.left == 4 * 52 - 1 - 4
        cut = ask.ShowCutCard(table=CB4)
        assert await refused(crew, "dana", cut) == ("shoe/continuous", "HOUSE shuffler")
        (listed,) = (await crew.people["dana"].get("/tables"))["tables"]
        assert (listed["continuous"], listed["decks"]) == (True, 4)
        on = ask.SwitchDealer(table=CB4, on=True)
        assert await refused(crew, "sam", on) == ("server/only-people", "HOUSE shuffler")
    assert (await verify(address)).holds


@pytest.mark.clause("CB4 1.3")
async def test_without_a_scanner_cards_are_entered_and_confirmed(address: str) -> None:
    async with open_house(settings(CB4, scanner=False), address) as found:
        crew = await Crew(found, CB4).hire()
        await crew.shoe()
        assert (await crew.felt())["scanner"] is False
        await crew.bets({})
        assert await crew.next() == "enter-card"
        scanned = ask.ScanCard(table=CB4, card="9s")
        assert await refused(crew, "dana", scanned) == ("card/by-hand", "CB4 1.3")
        await crew.dealer(ask.EnterCard, card="9s")
        assert str(crew.state.round.coup) == "/", "it counts once it is confirmed"
        number = (await crew.felt("sam"))["proposal"]["number"]
        await crew.do("sam", ask.Confirm(table=CB4, proposal=number))
        assert str(crew.state.round.coup) == "9s /"
        on = ask.SwitchDealer(table=CB4, on=True)
        assert await refused(crew, "sam", on) == ("server/only-people", "CB4 1.3")


@pytest.mark.clause("HOUSE back bets")
@pytest.mark.parametrize("open_boxes", [False, True])
async def test_boxes_whose_seat_has_no_bet(address: str, open_boxes: bool) -> None:
    async with open_house(settings(CB4, open_boxes=open_boxes), address) as found:
        crew = await Crew(found, CB4).hire()
        await crew.patrons("ann")
        await crew.shoe()
        await crew.dealer(ask.OpenRound)
        bet = api.PlaceBet(table=CB4, spot="banker", stake=100_000, box=3)
        if not open_boxes:
            assert await refused(crew, "ann", bet) == ("bet/nobody-seated", "CB4 1.18")
            return
        await crew.do("ann", bet)
        assert [(one.box, one.stake) for one in crew.state.round.bets] == [(3, 100_000)]


@pytest.mark.clause("KO2 3.4 funds")
@pytest.mark.parametrize("reserve_second", [False, True])
async def test_an_ante_whose_wager_could_not_be_paid(address: str, reserve_second: bool) -> None:
    """A stack of 70 and an Ante of 25: the Wager would take 50 more, and 45 are left."""
    async with open_house(settings(KO2, reserve_second=reserve_second), address) as found:
        crew = await Crew(found, KO2).hire()
        await crew.patrons("ann", money=70_00)
        await crew.shoe()
        await crew.dealer(ask.OpenRound)
        bet = api.PlaceBet(table=KO2, spot="ante_player", stake=25_00)
        if reserve_second:
            assert await refused(crew, "ann", bet) == ("stack/short", "KO2 3.4 funds")
            return
        await crew.do("ann", bet)
        own = (await crew.people["ann"].get(f"/tables/{KO2}"))["own"]
        assert own["cannot_continue"] == ["ante_player"]


WORKED = {"ann": 800_000, "ben": 600_000, "cho": 35_000, "eve": 20_000}
"""The example of CB4 5.1.1: 8,000, 6,000, 350 and 200 on Banker, against 1,000 on Player."""


@pytest.mark.clause("HOUSE seated share")
@pytest.mark.parametrize(
    ("apportioning", "counts"),
    [
        ("all", {"ann": 600_000, "ben": 450_000, "cho": 30_000}),
        ("seated first", {"ben": 250_000, "cho": 30_000}),
    ],
)
async def test_bets_beyond_the_differential(
    address: str, apportioning: str, counts: dict[str, int]
) -> None:
    text = f'[[table]]\nname = "t"\nbook = "{CB4}"\nopen = false\napportioning = "{apportioning}"'
    chosen = parse(f'venue.helpline = "1"\n{text}').tables[0].apportioning
    async with open_house(settings(CB4, chips=True, apportioning=chosen), address) as found:
        crew = await Crew(found, CB4).hire()
        await crew.patrons(*WORKED, "dan")
        await crew.shoe()
        await crew.dealer(ask.OpenRound)
        for who, stake in WORKED.items():
            bet = api.PlaceBet(table=CB4, spot="banker", stake=stake, box=1)
            await crew.do(who, bet)
        await crew.do("dan", api.PlaceBet(table=CB4, spot="player", stake=100_000, box=1))
        await crew.dealer(ask.CloseBets)
        cut = {one["name"]: one["counts_for"] for one in (await crew.felt())["bets"]}
        assert {who: amount for who, amount in cut.items() if amount is not None} == counts


@pytest.mark.clause("HOUSE available")
@pytest.mark.parametrize("only_placed", [False, True])
async def test_an_outcome_that_nobody_has_bet_on(address: str, only_placed: bool) -> None:
    """Three cards decide the Player Pair; ann has bet on Banker only."""
    async with open_house(settings(CB4, only_placed=only_placed), address) as found:
        crew = await Crew(found, CB4).hire()
        await crew.patrons("ann")
        await crew.shoe()
        await crew.bets({"ann": {"banker": 100_000}})
        await crew.scan("2h 6c 3s")
        await crew.dealer(ask.Report, kind="technical interruption")
        advice = await crew.people["sam"].get(f"/tables/{CB4}/advice")
        assert advice["established"] == ([] if only_placed else ["player_pair"])
        step = "void the round" if only_placed else "conclude the round"
        assert advice["paths"][0]["step"] == step


@pytest.mark.clause("HOUSE second error")
@pytest.mark.parametrize("bound", [False, True])
async def test_a_second_error_in_one_round(address: str, bound: bool) -> None:
    async with open_house(settings(CB4, bound=bound), address) as found:
        crew = await Crew(found, CB4).hire()
        await crew.patrons("ann", "ben")
        await crew.shoe()
        await crew.bets({who: {"banker": 100_000} for who in ("ann", "ben")})
        offered = []
        for _ in range(2):
            await crew.dealer(ask.Report, kind="other dealing error", note="burned twice")
            await crew.do("sam", ask.Resolve(table=CB4, step="go on"))
            options = (await crew.felt())["options"]
            offered.append([one["name"] for one in options])
            for one in options:
                await crew.do(one["name"], api.ChooseOption(table=CB4, continues=True))
        assert offered == [["ann", "ben"], [] if bound else ["ann", "ben"]]


@pytest.mark.clause("CB4 5.5.5")
@pytest.mark.parametrize(("sentinel", "cards"), [(3, 3), (0, 4)])
async def test_cards_in_the_order_of_a_new_deck(address: str, sentinel: int, cards: int) -> None:
    async with open_house(settings(CB4, sentinel=sentinel), address) as found:
        crew = await Crew(found, CB4).hire()
        await crew.shoe()
        await crew.bets({})
        await crew.scan(["4s", "5s", "6s", "7s"][:cards])
        wrong = crew.state.incident and crew.state.incident.kind
        assert wrong == ("unshuffled cards" if sentinel else None)
        assert len(crew.state.round.coup.dealt) == cards


@pytest.mark.clause("HOUSE options default")
async def test_the_time_to_choose_is_the_paces(address: str) -> None:
    async with open_house(settings(CB4, option_ms=7_000), address) as found:
        crew = await Crew(found, CB4).hire()
        await crew.patrons("ann")
        await crew.shoe()
        await crew.bets({"ann": {"banker": 100_000}})
        await crew.dealer(ask.Report, kind="other dealing error", note="burned twice")
        advice = await crew.people["sam"].get(f"/tables/{CB4}/advice")
        assert advice["option_ms"] == 7_000
        await crew.do("sam", ask.Resolve(table=CB4, step="go on"))
        assert crew.state.setup.option_ms == 7_000
        (told,) = [
            one
            for one in await crew.people["shi"].get("/significant-events", most=1000)
            if one["kind"] == "incident resolved"
        ]
        assert (await crew.felt())["options_until"] == told["at"] + 7_000
