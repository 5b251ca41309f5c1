"""Staff over the API: dealing by scanner, what goes wrong, roles, locks, four eyes, and the log."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from cutcard.client import RefusedError
from cutcard.ledger import commission, house, wallet
from cutcard.refusals import Refusal
from cutcard.round.state import Phase
from cutcard.rulebooks import FOLDER, clauses, load
from cutcard.rules.limits import Kind
from cutcard.rules.rulebook import Role
from cutcard.server.audit import verify
from cutcard.server.config import OtherBook
from cutcard.server.orders import LONGEST_ACTING_MS
from cutcard.server.server import Parts, Server
from cutcard.server.shoes import Shoes
from cutcard.server.staff import LATE_WITHIN_MS, LOCK_MS
from cutcard.store import Person, Significant, open_store
from cutcard.wire import api
from cutcard.wire import house as ask
from tests.patience import until
from tests.server.house import (
    BLITZ,
    HOUR,
    KEYS,
    MONEY,
    PASSWORD,
    PAUSED,
    Clock,
    Deals,
    House,
    configuration,
)
from tests.server.house import house as open_house
from tests.server.staffing import Crew

pytestmark = pytest.mark.anyio

TABLE = "rws-commission"
DEALT = (
    "rws-commission",
    "rws-knockout",
    "online-baccarat",
    "online-no-commission",
    "online-cow-cow",
    "skycity-commission",
    "skycity-non-commission",
)
"""The rule sets that people deal."""

BANKER_WINS = "Kh Kd 7s 8c"
"""Player 7, Banker 8: nobody draws."""

NATURAL = "9c 3d Kh 4s"
UNDECIDED = "2h 6c"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def found(address: str, clock: Clock) -> AsyncIterator[House]:
    config = configuration((TABLE,), deals=Deals.STAFF, face_down=False)
    # A test that lets an hour pass must not lose its lease by it.
    config = replace(config, server=replace(config.server, lease_ms=10**9))
    async with open_house(config, address, now=clock) as one:
        yield one


@pytest.fixture
async def crew(found: House) -> Crew:
    return await Crew(found, TABLE).hire()


async def refused(crew: Crew, who: str, command: Any) -> str:
    with pytest.raises(RefusedError) as caught:
        await crew.do(who, command)
    return str(caught.value.code)


async def denied(crew: Crew, who: str, path: str) -> str | None:
    """Why somebody may not look at something, if so."""
    try:
        await crew.people[who].get(path)
    except RefusedError as caught:
        return caught.code
    return None


async def log(crew: Crew, kind: str) -> list[dict[str, Any]]:
    told = await crew.people["shi"].get("/significant-events", most=1000)
    return [one for one in told if one["kind"] == kind]


async def add_reader(crew: Crew) -> None:
    await crew.house.server.signin.add_person("reader 3", PASSWORD, "staff", "reader")
    crew.people["reader"] = await crew.people["dana"].sign_in(crew.house.url, "reader 3", PASSWORD)
    crew.house._clients.append(crew.people["reader"])


def ids(crew: Crew) -> dict[str, str]:
    return {name: one.id for name, one in crew.people.items()}


# --- dealing --------------------------------------------------------------------------------------


async def test_a_dealer_deals_a_whole_round_of_every_book_by_scanner(address: str) -> None:
    """The console is told one thing at a time, and doing just that deals the round."""
    config = configuration(DEALT, deals=Deals.STAFF, face_down=False)
    async with open_house(config, address) as found:
        for book in DEALT:
            crew = await Crew(found, book).hire()
            await crew.patrons("ann", money=500_000)
            spot = next(one.id for one in load(book).spots.values() if one.stage is None)
            cards = iter(BANKER_WINS.split())
            await crew.dealer(ask.SignOn)
            acts: list[str] = []
            while (act := await crew.next()) not in acts or act in ("scan-card", "burn-card"):
                acts.append(act)
                await _do(crew, act, cards, spot)
            assert acts == [
                "register-shoe",
                "expose-card",
                "burn-card",
                "open-round",
                "close-bets",
                *["scan-card"] * 4,
                "call-result",
                "settle-round",
            ], book
            assert str(crew.state.round.coup) == "Kh 7s / Kd 8c"
        assert (await verify(address)).holds


async def _do(crew: Crew, act: str, cards: Any, spot: str) -> None:
    match act:
        case "register-shoe":
            named = f"shoe of {crew.table}"
            await crew.dealer(ask.RegisterShoe, shoe=named, shuffle_record="by hand")
        case "expose-card":
            await crew.scan("Ah")
        case "close-bets":
            await crew.do("ann", api.PlaceBet(table=crew.table, spot=spot, stake=40_000))
            await crew.dealer(ask.CloseBets)
        case "scan-card":
            await crew.scan([next(cards)])
        case _:
            kinds = {one.__struct_config__.tag: one for one in ask.StaffCommand.__args__}
            await crew.dealer(kinds[act])


async def test_the_pay_list_says_what_each_box_wins_and_what_is_withheld(crew: Crew) -> None:
    await crew.patrons("ann", "ben")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}, "ben": {"player": 50_000}})
    await crew.scan(BANKER_WINS)
    await crew.dealer(ask.CallResult)

    pay = (await crew.felt())["pay"]
    assert [(one["name"], one["box"], one["net"], one["commission"]) for one in pay] == [
        ("ann", 1, 95_000, 5_000),
        ("ben", 2, -50_000, 0),
    ]
    assert await refused(crew, "dana", ask.CallResult(table=TABLE)) == "round/called"
    await crew.dealer(ask.SettleRound)
    assert await refused(crew, "dana", ask.SettleRound(table=TABLE)) == "round/settled"
    assert crew.state.stacks[ids(crew)["ann"]] == 2_095_000


@pytest.mark.parametrize(
    ("cards", "late", "kind"),
    [(NATURAL, "6h", "excess or exposed card"), ("", "6h", "excess or exposed card")],
)
async def test_a_card_that_the_tableau_does_not_want_is_an_irregularity(
    crew: Crew, cards: str, late: str, kind: str
) -> None:
    """After a natural, or while bets are open: it is no card of the coup, and the table waits."""
    await crew.patrons("ann")
    await crew.shoe()
    if cards:
        await crew.bets({"ann": {"banker": 100_000}})
        await crew.scan(cards)
    else:
        await crew.dealer(ask.OpenRound)
    await crew.scan(late)

    assert (crew.state.incident.kind, list(map(str, crew.state.incident.drawn))) == (kind, [late])
    assert late not in str(crew.state.round.coup)
    assert (await crew.next()) == "resolve"
    assert await refused(crew, "dana", ask.ScanCard(table=TABLE, card="5h")) == "incident/waiting"


async def test_a_reader_scans_for_the_dealer_who_is_there(crew: Crew, clock: Clock) -> None:
    await add_reader(crew)
    card = ask.ScanCard(table=TABLE, card="9h")
    assert await refused(crew, "reader", card) == "staff/nobody-deals"
    assert await refused(crew, "reader", ask.OpenRound(table=TABLE)) == "staff/role"
    await crew.dealer(ask.SignOn)
    await crew.dealer(ask.RegisterShoe, shoe="1", shuffle_record="by hand")
    await crew.do("reader", card)

    assert crew.state.shoe.to_burn == 9
    clock.skip(LOCK_MS)
    assert await refused(crew, "reader", card) == "staff/nobody-deals"


async def test_a_card_nobody_can_read_is_entered_with_a_supervisor(crew: Crew) -> None:
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.scan(UNDECIDED)
    await crew.dealer(ask.Report, kind="unread card")
    await crew.dealer(ask.EnterCard, card="9s")
    proposal = (await crew.felt("sam"))["proposal"]
    assert (proposal["what"], proposal["card"], proposal["name"]) == ("enter-card", "9s", "dana")
    assert await refused(crew, "dirk", ask.Confirm(table=TABLE, proposal=1)) == "staff/role"
    assert str(crew.state.round.coup) == "2h / 6c"

    await crew.do("sam", ask.Confirm(table=TABLE, proposal=proposal["number"]))
    assert str(crew.state.round.coup) == "2h 9s / 6c"
    assert (await crew.felt())["by_hand"]
    shown = await crew.people["ann"].get(f"/tables/{TABLE}")
    assert shown["shown"]["by_hand"], "patrons are told"


async def test_a_book_that_forbids_typing_takes_no_typed_card(address: str) -> None:
    config = configuration(("online-baccarat",), deals=Deals.STAFF)
    async with open_house(config, address) as found:
        crew = await Crew(found, "online-baccarat").hire()
        await crew.shoe()
        wanted = ask.EnterCard(table="online-baccarat", card="9s")
        assert await refused(crew, "dana", wanted) == "card/no-typing"


# --- people ---------------------------------------------------------------------------------------


async def test_another_dealer_takes_over_in_the_middle_of_a_round(crew: Crew) -> None:
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.scan(UNDECIDED)
    await crew.do("dirk", ask.SignOn(table=TABLE))
    noted = (await log(crew, "staff sign-on"))[0]
    assert f"{ids(crew)['dana']} is dealer" in noted["before"]
    assert f"{ids(crew)['dirk']} is dealer" in noted["after"]
    told = [(one["name"], one["role"]) for one in (await crew.felt())["staff"]]
    assert ("dirk", "dealer") in told
    assert ("dana", "dealer") not in told
    late = ask.ScanCard(table=TABLE, card="Kh")
    assert await refused(crew, "dana", late) == "staff/not-signed-on"

    await crew.scan("Kh 4s", who="dirk")
    assert str(crew.state.round.coup) == "2h Kh / 6c 4s"


async def test_a_dealer_is_at_one_table_and_taken_off_it_by_a_supervisor(address: str) -> None:
    tables = (TABLE, "skycity-commission")
    async with open_house(configuration(tables, deals=Deals.STAFF), address) as found:
        crew = await Crew(found, TABLE).hire()
        dana = crew.people["dana"].id
        for table in (TABLE, "skycity-commission", TABLE):
            await crew.do("dana", ask.SignOn(table=table))
            there = {one for one in tables if dana in found.server.desk.shown.table(one).staff}
            assert there == {table}
        # sam has not been at the table before.
        await crew.do("sam", ask.SignOff(table=TABLE, person=dana))
        assert dana not in crew.state.staff


@pytest.mark.clause("CB4 1.4")
async def test_the_console_says_that_a_round_waits_for_a_dealer(crew: Crew) -> None:
    """A supervisor who stays at the table alone is told so, and why the round is refused."""
    await crew.shoe()
    await crew.do("sam", ask.SignOn(table=TABLE))
    await crew.dealer(ask.SignOff)
    due = (await crew.felt("sam"))["next"]
    assert (due["act"], due["role"]) == ("await-dealer", "dealer")
    opened = ask.OpenRound(table=TABLE)
    with pytest.raises(RefusedError) as caught:
        await crew.do("sam", opened)
    assert (caught.value.code, caught.value.clause) == ("staff/no-dealer", "CB4 1.4")

    await crew.do("dirk", ask.SignOn(table=TABLE))
    assert (await crew.felt("sam"))["next"]["act"] == "open-round"
    await crew.do("sam", opened)
    assert crew.state.round.phase is Phase.BETTING


@pytest.mark.clause("CB4 1.4", "KO2 3.1", "HOUSE demonstration")
async def test_no_automatic_dealer_deals_by_such_a_book_outside_a_demonstration(
    address: str,
) -> None:
    """Neither switched on there, nor still on from another book that the table was played by."""
    config = configuration(("skycity-commission",), deals=Deals.STAFF)
    other = replace(config.tables[0], others=(OtherBook(book=KNOCKOUT),))
    venue = replace(config.venue, demonstration=False)
    name = other.name
    async with open_house(replace(config, venue=venue, tables=(other,)), address) as found:
        crew = await Crew(found, name).hire()
        on = ask.SwitchDealer(table=name, on=True)
        await crew.do("sam", on)
        assert "automatic dealer" in crew.state.staff
        await crew.do("mia", ask.ChooseBook(table=name, book=KNOCKOUT, reason="a quiet night"))
        found.pace(name, free_rounds=True, least_round=0, betting=0)
        await until(lambda: crew.state.setup.book == KNOCKOUT)
        assert "automatic dealer" not in crew.state.staff
        assert (found.server.clockwork.on[name], crew.state.setup.demonstration) == (False, None)
        assert await refused(crew, "sam", on) == "table/needs-dealer"
    assert (await verify(address)).holds


async def test_a_dealers_console_locks_after_five_minutes(crew: Crew, clock: Clock) -> None:
    await crew.shoe()
    clock.skip(LOCK_MS - 60_000)
    await crew.do("dana", ask.StayAwake())
    clock.skip(LOCK_MS - 60_000)
    assert not (await crew.felt())["locked"]
    clock.skip(60_001)
    assert (await crew.felt())["locked"]
    opened = ask.OpenRound(table=TABLE)
    assert await refused(crew, "dana", opened) == "staff/locked"
    assert await refused(crew, "dana", ask.StayAwake()) == "staff/locked"
    with pytest.raises(RefusedError):
        await crew.people["dana"].post("/unlock", {"password": "not this one"})

    await crew.people["dana"].post("/unlock", {"password": PASSWORD})
    await crew.do("dana", opened)
    assert crew.state.round.phase.value == "betting"


async def test_the_console_of_a_supervisor_who_deals_locks_too(crew: Crew, clock: Clock) -> None:
    await crew.do("sam", ask.RegisterShoe(table=TABLE, shoe="1", shuffle_record="by hand"))
    clock.skip(LOCK_MS)
    assert (await crew.felt("sam"))["locked"]
    card = ask.ScanCard(table=TABLE, card="9h")
    assert await refused(crew, "sam", card) == "staff/locked"
    # Nothing but the password opens it; what is done in the pit is done beside it.
    assert await refused(crew, "sam", ask.StayAwake()) == "staff/locked"
    await crew.do("sam", ask.AnnounceClosing(table=TABLE, rounds=5))
    assert await refused(crew, "sam", card) == "staff/locked"
    await crew.people["sam"].post("/unlock", {"password": PASSWORD})
    await crew.do("sam", card)
    assert crew.state.shoe.to_burn == 9


async def test_a_role_acted_in_ends_by_itself(crew: Crew, clock: Clock) -> None:
    """A dealer acts as supervisor for an hour; whoever only acts cannot hand it on."""
    await crew.shoe()
    now = crew.house.server.desk.now()
    wanted = ask.AnnounceClosing(table=TABLE, rounds=5)
    acting = ask.ActAs(
        table=TABLE,
        person=ids(crew)["dana"],
        role="pit supervisor",
        until=now + 200_000,
        reason="sam at lunch",
    )
    assert await refused(crew, "dana", wanted) == "staff/role"
    long = structs.replace(acting, until=now + LONGEST_ACTING_MS + 60_000)
    assert await refused(crew, "sam", long) == "staff/acting-too-long"
    assert await refused(crew, "sam", structs.replace(acting, reason="  ")) == "staff/no-reason"
    looks = ("/pit", "/incidents", f"/tables/{TABLE}/figures", "/staff/people", "/patrons")
    assert [await denied(crew, "dana", path) for path in looks] == ["server/auditors-only"] * 5
    await crew.do("sam", acting)
    # Who is there already is there: the role that was lent stays.
    await crew.dealer(ask.SignOn)
    await crew.do("dana", wanted)
    assert await refused(crew, "dana", acting) == "staff/role"
    me = await crew.people["dana"].get("/me")
    assert (me["role"], me["acting"]) == ("dealer", "pit supervisor")
    assert me["acting_until"] == now + 200_000
    assert [await denied(crew, "dana", path) for path in looks] == [None] * 5
    clock.skip(200_000)
    assert await refused(crew, "dana", wanted) == "staff/role"
    assert [await denied(crew, "dana", path) for path in looks] == ["server/auditors-only"] * 5
    assert (await crew.people["dana"].get("/me"))["acting"] is None
    (closing,) = await log(crew, "staff announce-closing")
    assert closing["before"] == "open, 0 rounds"
    assert closing["after"] == "open, 0 rounds, closes after 5"
    (one,) = await log(crew, "staff act-as")
    assert one["before"] == f"{ids(crew)['dana']} is dealer"
    assert (one["who"], one["why"]) == (ids(crew)["sam"], "sam at lunch")
    assert one["after"].startswith(f"{ids(crew)['dana']} acts as pit supervisor until")


async def test_a_supervisor_is_called_and_comes(crew: Crew) -> None:
    await crew.dealer(ask.SignOn)
    await crew.dealer(ask.CallSupervisor, note="a question on box 3")
    wall = await crew.people["sam"].get("/pit")
    assert wall["tables"][0]["alarms"] == [{"alarm": "call", "what": "a question on box 3"}]
    await crew.do("sam", ask.AnswerCall(table=TABLE))
    call = (await crew.felt())["call"]
    assert (call["by"], call["answered_by"]) == ("dana", "sam")
    assert (await crew.people["sam"].get("/pit"))["tables"][0]["alarms"] == []


async def test_people_are_taken_on_given_a_role_and_barred(crew: Crew) -> None:
    shi = crew.people["shi"]
    body = {"name": "olga", "password": "long enough", "role": "operator", "reason": "hired"}
    made = await shi.post("/staff/people", body)
    listed = {one["name"]: one for one in await shi.get("/staff/people")}
    assert listed["olga"]["role"] == "operator"
    await shi.post(f"/staff/people/{made['person']}", {"role": "auditor", "reason": "moved"})
    await shi.post(f"/staff/people/{made['person']}", {"barred": True, "reason": "left"})
    told = [(one["before"], one["after"], one["why"]) for one in await log(crew, "staff changed")]
    assert told == [
        ("auditor", "auditor barred", "left"),
        ("operator", "auditor", "moved"),
        ("", "operator", "hired"),
    ]
    with pytest.raises(RefusedError) as caught:
        await shi.post(f"/staff/people/{shi.id}", {"barred": True, "reason": "tired"})
    assert caught.value.code == "staff/oneself"


async def test_a_role_that_was_taken_away_counts_at_no_table(crew: Crew) -> None:
    """Sue was a supervisor at the table; from the moment she is a dealer she is one there too."""
    wanted = ask.AnnounceClosing(table=TABLE, rounds=5)
    await crew.do("sue", wanted)
    sue = ids(crew)["sue"]
    assert sue in crew.state.staff
    body = {"role": "dealer", "reason": "moved"}
    await crew.people["shi"].post(f"/staff/people/{sue}", body)
    assert sue not in crew.state.staff
    again = await crew.people["sue"].sign_in(crew.house.url, "sue", PASSWORD)
    crew.people["sue"] = again
    crew.house._clients.append(again)
    assert await refused(crew, "sue", wanted) == "staff/role"
    await crew.do("sue", ask.SignOn(table=TABLE))
    assert crew.state.staff[sue].role is Role.DEALER
    assert await refused(crew, "sue", wanted) == "staff/role"


async def test_a_barred_dealer_is_off_the_table_and_so_is_an_acting_role(crew: Crew) -> None:
    dana, shi = ids(crew)["dana"], crew.people["shi"]
    await add_reader(crew)
    await crew.dealer(ask.SignOn)
    await crew.dealer(ask.RegisterShoe, shoe="1", shuffle_record="by hand")
    until = crew.house.server.desk.now() + 200_000
    acting = ask.ActAs(table=TABLE, person=dana, role="pit supervisor", until=until, reason="lunch")
    await crew.do("sam", acting)
    await shi.post(f"/staff/people/{dana}", {"barred": True, "reason": "left"})
    card = ask.ScanCard(table=TABLE, card="9h")
    assert await refused(crew, "reader", card) == "staff/nobody-deals"

    await shi.post(f"/staff/people/{dana}", {"barred": False, "reason": "back"})
    crew.people["dana"] = await shi.sign_in(crew.house.url, "dana", PASSWORD)
    crew.house._clients.append(crew.people["dana"])
    await crew.dealer(ask.SignOn)
    assert crew.state.staff[dana].acting is None


# --- what goes wrong ------------------------------------------------------------------------------


async def test_the_co_pilot_says_what_the_book_orders_and_what_it_costs(crew: Crew) -> None:
    """An excess card after a natural: put the cards in order, no options, the exact money."""
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"player": 100_000}})
    await crew.scan(f"{NATURAL} 6h")
    advice = await crew.people["sam"].get(f"/tables/{TABLE}/advice")

    assert (advice["kind"], advice["clause"]) == ("excess or exposed card", "CB4 5.7")
    assert "player" in advice["established"]
    first = advice["paths"][0]
    assert (first["step"], first["role"]) == ("put the cards in order", "pit supervisor")
    assert (first["player"], first["banker"], first["kept"]) == (
        ["9c", "Kh"],
        ["3d", "4s"],
        ["6h"],
    )
    assert first["offered"] == []
    assert first["money"] == {ids(crew)["ann"]: ["100000", "100000", "100000"]}
    assert first["house"] == ["-100000", "-100000", "-100000"]
    assert Fraction(first["edges"]["player"]) > 0, "a six seen first favours Player"
    wanted = ask.Resolve(table=TABLE, step=first["step"])
    assert await refused(crew, "dana", wanted) == "staff/role"
    await crew.do("sam", wanted)
    await crew.finish()
    assert crew.state.stacks[ids(crew)["ann"]] == 2_100_000
    assert list(map(str, crew.state.kept)) == ["6h"]


async def test_whatever_can_be_reported_shows_the_words_of_its_clause(address: str) -> None:
    """The house's own policy for a book cites other books' clauses."""
    config = configuration(DEALT, deals=Deals.STAFF, face_down=False)
    async with open_house(config, address) as found:
        sam = await found.client("sam", Role.PIT_SUPERVISOR)
        for book in DEALT:
            kinds = await sam.get(f"/tables/{book}/kinds")
            assert [one["clause"] for one in kinds if not one["text"]] == [], book


async def test_options_are_offered_to_everybody_and_tracked(crew: Crew) -> None:
    """Two patrons choose, one by the dealer's hand; the third does not, and has the bets back."""
    await crew.patrons("ann", "ben", "cho")
    await crew.shoe()
    await crew.bets({one: {"banker": 100_000} for one in ("ann", "ben", "cho")})
    await crew.scan(UNDECIDED)
    await crew.dealer(ask.Report, kind="simultaneous cards", drawn=("4h", "9s"))
    orders = [
        one["order"]
        for one in (await crew.people["sam"].get(f"/tables/{TABLE}/advice"))["paths"]
        if one["order"]
    ]
    assert orders == [["4h", "9s"], ["9s", "4h"]]
    step = "decide which card came first"
    await crew.do("sam", ask.Resolve(table=TABLE, step=step, order=("9s", "4h")))
    who = ids(crew)
    await crew.do("ann", api.ChooseOption(table=TABLE, continues=True))
    await crew.dealer(ask.ChooseFor, patron=who["ben"], continues=False)
    felt = await crew.felt()
    assert {one["name"]: one["continues"] for one in felt["options"]} == {
        "ann": True,
        "ben": False,
        "cho": None,
    }
    assert felt["next"]["act"] == "await-options"
    assert await refused(crew, "dana", ask.EndOptions(table=TABLE)) == "option/time-left"


@pytest.mark.clause("HOUSE four eyes")
async def test_what_was_paid_is_undone_by_two_people_only(crew: Crew) -> None:
    """The foreign card is noticed after the settlement: one supervisor proposes, another confirms.

    The dealer may not, the same person may not, and nothing moves before.
    """
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.scan(BANKER_WINS)
    await crew.finish()
    assert crew.state.stacks[ids(crew)["ann"]] == 2_095_000
    await crew.dealer(ask.Report, kind="foreign card", note="a card of another deck")
    void = ask.Resolve(table=TABLE, step="void the round", reason="a foreign card")
    await crew.do("sam", void)
    number = (await crew.felt("sue"))["proposal"]["number"]
    # Whoever was paid cannot make it lapse by coming and going.
    await crew.do("ann", api.LeaveSeat(table=TABLE))
    await crew.do("ann", api.TakeSeat(table=TABLE, box=2))
    assert crew.state.stacks[ids(crew)["ann"]] == 2_095_000, "nothing has moved"
    confirm = ask.Confirm(table=TABLE, proposal=number)
    assert await refused(crew, "sam", confirm) == "staff/same-eyes"
    assert await refused(crew, "dana", confirm) == "staff/role"

    await crew.do("sue", confirm)
    assert crew.state.stacks[ids(crew)["ann"]] == 2_000_000
    assert crew.house.server.desk.shown.ledger.balance(house(TABLE)) == 0
    assert await refused(crew, "sue", confirm) == "staff/no-proposal"
    (told,) = await log(crew, "incident resolved")
    (incident,) = await crew.people["shi"].get("/incidents")
    assert incident["confirmed_by"] == ids(crew)["sue"]
    assert {incident["names"][incident[one]] for one in ("by", "resolved_by", "confirmed_by")} == {
        "dana",
        "sam",
        "sue",
    }
    assert (told["who"], told["why"]) == (ids(crew)["sam"], "a foreign card")
    assert told["after"] == f"void the round, confirmed by {ids(crew)['sue']}"
    (second,) = await log(crew, "staff confirm")
    assert (second["who"], second["why"]) == (ids(crew)["sue"], "a foreign card")
    assert second["before"] == "1/1 settled, Kh 7s / Kd 8c, house -95000, foreign card"
    assert second["after"].startswith(f"confirmed 1 of {ids(crew)['sam']}: void the round; ")
    (moved,) = await log(crew, "correction")
    assert moved["before"] == "1/1 Kh 7s / Kd 8c, house -95000"
    assert moved["after"] == "1/1 void, house 0"
    assert [one["state"] for one in await crew.people["mia"].get("/shoes")] == ["quarantine"]


@pytest.mark.clause("HOUSE four eyes")
async def test_a_correction_of_the_record_needs_two_people(crew: Crew, address: str) -> None:
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.scan(BANKER_WINS)
    await crew.finish()
    await crew.dealer(ask.Report, kind="misread card")
    correct = ask.Resolve(
        table=TABLE, step="correct the record", reason="the 8 is a 6", coup="Kh 7s / Kd 6c"
    )
    await crew.do("sam", correct)
    proposal = (await crew.felt("mia"))["proposal"]
    assert proposal["coup"] == "Kh 7s / Kd 6c"
    await crew.do("mia", ask.Confirm(table=TABLE, proposal=proposal["number"]))

    assert crew.state.round.winner.value == "player"
    assert crew.state.stacks[ids(crew)["ann"]] == 1_900_000
    (confirmed,) = await log(crew, "staff confirm")
    assert confirmed["before"] == "1/1 settled, Kh 7s / Kd 8c, house -95000, misread card"
    assert confirmed["after"].endswith("; 1/1 settled, Kh 7s / Kd 6c, house 100000")
    assert (await verify(address)).holds


async def test_a_large_win_is_told_by_what_was_won(address: str) -> None:
    """Also where a correction makes it large; what was told of a bet is not told again."""
    config = configuration((TABLE,), deals=Deals.STAFF, face_down=False)
    config = replace(config, money=replace(config.money, large_win=200_000))
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        await crew.patrons("ann", "ben")
        await crew.shoe()
        await crew.bets({"ann": {"tie": 50_000}, "ben": {"banker": 300_000, "banker_pair": 30_000}})
        await crew.scan("Kh 4d 7s 4c")
        await crew.finish()
        await crew.dealer(ask.Report, kind="misread card")
        coup = "Kh 8s / 4d 4c"
        correct = ask.Resolve(table=TABLE, step="correct the record", reason="an 8", coup=coup)
        await crew.do("sam", correct)
        await crew.do("mia", ask.Confirm(table=TABLE, proposal=1))
        told = [(one["who"], one["why"], one["after"]) for one in await log(crew, "large win")]
        who = ids(crew)
        assert sorted(told) == sorted(
            [
                (who["ben"], "banker", "285000"),
                (who["ben"], "banker_pair", "330000"),
                (who["ann"], "tie", "400000"),
            ]
        )


async def test_a_proposal_lapses_with_whatever_happens_since(crew: Crew) -> None:
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.scan(UNDECIDED)
    await crew.dealer(ask.EnterCard, card="9s")
    number = (await crew.felt())["proposal"]["number"]
    await crew.scan("8s")
    confirm = ask.Confirm(table=TABLE, proposal=number)
    assert await refused(crew, "sam", confirm) == "staff/no-proposal"
    lapsed = (await crew.felt())["lapsed"]
    assert (lapsed["number"], lapsed["card"], lapsed["name"]) == (number, "9s", "dana")
    (told,) = await log(crew, "proposal lapsed")
    assert (told["who"], told["before"]) == (ids(crew)["dana"], f"proposal {number}: enter 9s")
    await crew.dealer(ask.EnterCard, card="9s")
    number = (await crew.felt())["proposal"]["number"]
    assert (await crew.felt())["lapsed"] is None
    await crew.do("sam", ask.Decline(table=TABLE, proposal=number))
    assert (await crew.felt())["proposal"] is None


async def test_a_step_is_about_one_irregularity(crew: Crew) -> None:
    """Whoever still looks at the first one when the second is open decides nothing."""
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.dealer(ask.Report, kind="other dealing error")
    number = crew.state.incident.number
    back = ask.Resolve(table=TABLE, step="take the report back", reason="a mistake")
    await crew.do("sue", structs.replace(back, incident=number))
    assert await refused(crew, "sam", structs.replace(back, incident=number)) == "staff/stale"
    await crew.dealer(ask.Report, kind="foreign card")
    assert await refused(crew, "sam", structs.replace(back, incident=number)) == "staff/stale"
    await crew.do("sam", structs.replace(back, incident=number + 1))
    assert crew.state.incident is None


async def test_whoever_was_given_a_role_does_not_confirm_for_the_giver(crew: Crew) -> None:
    """Neither somebody taken on by whoever proposes, nor a dealer to whom they lent a role."""
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.scan(BANKER_WINS)
    await crew.finish()
    shi, now = crew.people["shi"], crew.house.server.desk.now()
    role = {"role": "shift manager", "reason": "promoted"}
    await shi.post(f"/staff/people/{ids(crew)['sue']}", role)
    lent = ask.ActAs(
        table=TABLE,
        person=ids(crew)["dana"],
        role="pit supervisor",
        until=now + 200_000,
        reason="at lunch",
    )
    await crew.do("shi", lent)
    await crew.dealer(ask.Report, kind="foreign card")
    await crew.do("shi", ask.Resolve(table=TABLE, step="void the round", reason="it was foreign"))
    confirm = ask.Confirm(table=TABLE, proposal=1)
    sue = await crew.house.client("sue", Role.SHIFT_MANAGER)
    for who, client in (("sue", sue), ("dana", crew.people["dana"])):
        with pytest.raises(RefusedError) as caught:
            await client.do(confirm)
        assert caught.value.code == "staff/own-eyes", who
    await crew.do("sam", confirm)
    assert crew.state.stacks[ids(crew)["ann"]] == 2_000_000


async def test_only_who_could_confirm_declines(crew: Crew) -> None:
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.scan(BANKER_WINS)
    await crew.finish()
    await crew.dealer(ask.Report, kind="anything else", note="a quarrel")
    ruling = "rule that the round is void"
    await crew.do(
        "shi", ask.Resolve(table=TABLE, step=ruling, reason="so be it", facts="a quarrel")
    )
    decline = ask.Decline(table=TABLE, proposal=1)
    assert await refused(crew, "sam", decline) == "staff/role"
    await crew.do("shi", decline)
    assert (await crew.felt("sam"))["proposal"] is None


async def test_nobody_displaces_what_somebody_else_proposed(crew: Crew) -> None:
    """What waits is confirmed or declined; whoever proposed it may propose something better."""
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.scan(UNDECIDED)
    await crew.dealer(ask.EnterCard, card="9s")
    other = ask.EnterCard(table=TABLE, card="8s")
    assert await refused(crew, "sam", other) == "staff/proposal-waits"
    await crew.do("dana", other)
    (told,) = await log(crew, "proposal lapsed")
    assert told["before"] == "proposal 1: enter 9s"
    await crew.do("sam", ask.Confirm(table=TABLE, proposal=2))
    assert str(crew.state.round.coup) == "2h 8s / 6c"


async def test_a_card_is_entered_only_where_one_is_due(crew: Crew) -> None:
    await crew.patrons("ann")
    await crew.shoe()
    await crew.dealer(ask.OpenRound)
    wanted = ask.EnterCard(table=TABLE, card="9s")
    assert await refused(crew, "dana", wanted) == "card/none-due"
    await crew.dealer(ask.CloseBets)
    assert await refused(crew, "dirk", wanted) == "staff/not-signed-on"
    await crew.dealer(ask.Report, kind="foreign card")
    assert await refused(crew, "dana", wanted) == "card/none-due"


async def test_calls_and_proposals_are_there_after_a_restart(address: str) -> None:
    """Nobody has to remember what was asked for; what the restart itself changed is told."""
    config = configuration((TABLE,), deals=Deals.STAFF, face_down=False)
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        await crew.patrons("ann")
        await crew.shoe()
        await crew.bets({"ann": {"banker": 100_000}})
        await crew.scan(BANKER_WINS)
        await crew.finish()
        await crew.dealer(ask.Report, kind="foreign card")
        await crew.dealer(ask.CallSupervisor, note="a joker")
        void = ask.Resolve(table=TABLE, step="void the round", reason="a joker")
        await crew.do("sam", void)
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        felt = await crew.felt("sue")
        assert (felt["call"]["by"], felt["call"]["note"]) == ("dana", "a joker")
        assert (felt["proposal"]["name"], felt["proposal"]["what"]) == ("sam", "void the round")
        await crew.do("sue", ask.AnswerCall(table=TABLE))
        await crew.do("sue", ask.Confirm(table=TABLE, proposal=felt["proposal"]["number"]))
        assert crew.state.round.phase.value == "void"
        await crew.shoe("shoe 8")
        await crew.bets({})
        await crew.scan(UNDECIDED)
        await crew.dealer(ask.EnterCard, card="9s")
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        felt = await crew.felt("sue")
        assert (felt["call"], felt["proposal"]) == (None, None)
        assert felt["lapsed"]["number"] == 2, "the restart has concluded or voided the round"
        (told,) = await log(crew, "proposal lapsed")
        assert told["who"] == ids(crew)["dana"]
    assert (await verify(address)).holds


# --- the pit --------------------------------------------------------------------------------------


async def test_a_shoe_in_quarantine_stays_there_until_a_manager_releases_it(crew: Crew) -> None:
    await crew.patrons("ann")
    await crew.shoe("shoe 7")
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.scan(UNDECIDED)
    await crew.dealer(ask.Report, kind="foreign card", drawn=("5h",))
    await crew.do("sam", ask.Resolve(table=TABLE, step="void the round"))
    assert crew.state.shoe is None
    again = ask.RegisterShoe(table=TABLE, shoe="shoe 7", shuffle_record="again")
    assert await refused(crew, "dana", again) == "shoe/quarantine"
    odd = ask.RegisterShoe(table=TABLE, shoe="shoe #7", shuffle_record="again")
    with pytest.raises(RefusedError) as caught:
        await crew.do("dana", odd)
    assert (caught.value.code, "regex" in str(caught.value)) == ("server/characters", False)
    spaced = ask.RegisterShoe(table=TABLE, shoe=" Shoe  7 ", shuffle_record="again")
    assert await refused(crew, "dana", spaced) == "shoe/quarantine"
    release = ask.ReleaseShoe(shoe="shoe 7", reason="counted twice")
    assert await refused(crew, "sam", release) == "staff/role"
    await crew.do("mia", release)
    (shoe,) = await crew.people["mia"].get("/shoes")
    assert (shoe["state"], shoe["by"], shoe["why"]) == ("released", "mia", "counted twice")
    await crew.do("dana", spaced)
    assert (await crew.felt())["shoe"] == "Shoe 7"
    (told,) = await log(crew, "staff release-shoe")
    assert (told["why"], told["after"]) == ("counted twice", "shoe 7")


async def test_a_shoe_whose_count_fails_goes_into_quarantine(crew: Crew) -> None:
    await crew.shoe("shoe 7")
    await crew.dealer(ask.EndShoe, left=413)
    (told,) = await log(crew, "staff end-shoe")
    assert (told["before"], told["after"]) == ("shoe 7", "no shoe, 414 expected, 413 counted")
    (shoe,) = await crew.people["mia"].get("/shoes")
    assert (shoe["state"], shoe["why"]) == ("quarantine", "1 missing")


async def shown_everywhere(crew: Crew) -> list[Any]:
    """What patrons and staff of every rank are shown of the table, and what the log tells."""
    found: list[Any] = []
    for who in ("ann", "dana", "sam", "mia", "shi"):
        found.append(await crew.people[who].get("/tables"))
        found.append(await crew.people[who].get(f"/tables/{TABLE}"))
    found += [await crew.felt(who) for who in ("dana", "sam", "mia", "shi")]
    found += [await crew.people[who].get("/pit") for who in ("sam", "mia", "shi")]
    found.append(await crew.people["shi"].get("/significant-events", most=1000))
    found.append(await crew.people["shi"].get(f"/tables/{TABLE}/figures"))
    return found


@pytest.mark.clause("HOUSE blind count")
async def test_a_shoe_is_counted_by_people_who_do_not_know_what_comes_out(crew: Crew) -> None:
    """In no view, no refusal and no significant event before the count; in all of them after."""
    await crew.patrons("ann")
    await crew.shoe("shoe 7")
    await crew.bets({})
    await crew.scan("9c 3d Kh")
    assert crew.state.shoe.left == 411
    with pytest.raises(RefusedError) as caught:
        await crew.dealer(ask.Report, kind="insufficient cards")
    assert (caught.value.code, caught.value.params) == ("incident/cards-enough", {"cards": 1})
    told = [*await shown_everywhere(crew), str(caught.value)]
    assert [one for one in told if re.search(r"\b41[0-4]\b", repr(one))] == []
    assert (await crew.people["ann"].get(f"/tables/{TABLE}"))["shown"]["left"] is None
    assert (await crew.felt("shi"))["cards_left"] is None
    await crew.scan("4s")
    await crew.finish()

    with pytest.raises(RefusedError) as caught:
        await crew.dealer(ask.EndShoe)
    assert (caught.value.code, caught.value.clause) == ("shoe/count-first", "HOUSE blind count")
    assert "410" not in str(caught.value)
    assert (await crew.felt())["counted"] is None
    await crew.dealer(ask.EndShoe, left=412)
    for who in ("dana", "sam"):
        assert (await crew.felt(who))["counted"] == {
            "shoe": "shoe 7",
            "expected": 410,
            "counted": 412,
            "missing": -2,
        }
    assert crew.state.incident.kind == "shortage or excess in the shoe"


@pytest.mark.clause("HOUSE blind count")
async def test_what_a_count_came_to_is_there_until_the_next_shoe(address: str) -> None:
    """Also after a restart; a shoe that is taken away uncounted tells of no count."""
    config = configuration((TABLE,), deals=Deals.STAFF, face_down=False)
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        await crew.shoe("shoe 7")
        await crew.dealer(ask.EndShoe, left=414)
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        counted = (await crew.felt())["counted"]
        assert (counted["shoe"], counted["expected"], counted["missing"]) == ("shoe 7", 414, 0)
        await crew.shoe("shoe 8")
        assert (await crew.felt())["counted"] is None
        await crew.bets({})
        await crew.scan(UNDECIDED)
        await crew.dealer(ask.Report, kind="foreign card", drawn=("5h",))
        await crew.do("sam", ask.Resolve(table=TABLE, step="void the round"))
        assert crew.state.shoe is None
        assert (await crew.felt())["counted"] is None


@pytest.mark.clause("HOUSE blind count")
async def test_of_the_servers_own_shoe_everybody_sees_the_cards_left(address: str) -> None:
    async with open_house(configuration((TABLE,), face_down=False), address) as found:
        crew = await Crew(found, TABLE).hire()
        await until(lambda: crew.state.round.phase is Phase.BETTING)
        left = crew.state.shoe.left
        shown = (await crew.people["dana"].get(f"/tables/{TABLE}"))["shown"]
        (tile,) = (await crew.people["sam"].get("/pit"))["tables"]
        assert [shown["left"], (await crew.felt())["cards_left"], tile["cards_left"]] == [left] * 3


async def test_one_shoe_is_at_one_table_however_quickly_both_ask(address: str) -> None:
    """Before anything is on disk the inventory knows what was decided a moment ago."""
    config = configuration((TABLE, KNOCKOUT), deals=Deals.STAFF, face_down=False)
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        staff = found.server.staff
        dana, dirk, sue = [await found.person(one) for one in ("dana", "dirk", "sue")]

        def register(who: Person, table: str, shoe: str) -> str:
            command = ask.RegisterShoe(table=table, shoe=shoe, shuffle_record="by hand")
            try:
                staff.carry_out(who, command)
            except Refusal as refusal:
                return refusal.code
            return "done"

        await crew.dealer(ask.SignOn)
        await crew.do("dirk", ask.SignOn(table=KNOCKOUT))
        assert register(dana, TABLE, "B2") == "done"
        assert register(dirk, KNOCKOUT, "B2") == "shoe/in-use"

        await crew.scan("Ah")
        await crew.dealer(ask.BurnCard)
        await crew.bets({})
        await crew.scan(BANKER_WINS)
        await crew.finish()
        await crew.dealer(ask.Report, kind="foreign card", drawn=("5h",))
        void = ask.Resolve(table=TABLE, step="void the round", reason="a foreign card")
        await crew.do("sam", void)
        staff.carry_out(sue, ask.Confirm(table=TABLE, proposal=1))
        assert register(dana, TABLE, "b2") == "shoe/quarantine"
        assert register(dirk, KNOCKOUT, "b2") == "shoe/quarantine"
        (shoe,) = await crew.people["mia"].get("/shoes")
        assert (shoe["state"], shoe["table"]) == ("quarantine", TABLE)


def test_only_a_release_ends_a_quarantine() -> None:
    """Whatever else an old log tells of the same shoe at another table."""
    told = [Significant(1, "shoe removed", "sam", "t1", after="B2")]
    told += [
        Significant(2, kind, "dirk", "t2", after="B2") for kind in ("shoe registered", "shoe ended")
    ]
    shoes = Shoes()
    shoes.hear(told)
    (kept,) = shoes.all()
    assert (kept.state, kept.table) == ("quarantine", "t1")
    shoes.hear([Significant(3, "staff release-shoe", "mia", why="counted", after="b2")])
    shoes.check_free("B2", "t2")


async def test_limits_change_with_the_next_round_and_the_log_has_both(crew: Crew) -> None:
    await crew.patrons("ann")
    await crew.shoe()
    await crew.dealer(ask.OpenRound)
    limit = ask.LimitGiven(kind="maximum", scope="bet", spots=["tie", "tie"], amount=40_000)
    await crew.do("sam", ask.ChangeLimits(table=TABLE, limits=[limit], reason="a quiet night"))
    await crew.do("ann", api.PlaceBet(table=TABLE, spot="tie", stake=50_000))
    await crew.dealer(ask.CloseBets)
    await crew.scan(BANKER_WINS)
    await crew.finish()
    await crew.dealer(ask.OpenRound)
    large = api.PlaceBet(table=TABLE, spot="tie", stake=50_000)
    assert await refused(crew, "ann", large) == "limit/maximum"
    (told,) = await log(crew, "limits")
    assert told["after"].endswith("maximum tie 40000")
    assert "minimum" in told["before"]


async def test_limits_that_are_not_named_stay_and_none_contradict_another(crew: Crew) -> None:
    await crew.patrons("ann")
    before = {(one.kind, spot): one.amount for one in crew.state.limits for spot in one.spots}
    limit = ask.LimitGiven(kind="minimum", scope="bet", spots=["tie"], amount=9_000)
    await crew.do("sam", ask.ChangeLimits(table=TABLE, limits=[limit], reason="a busy night"))
    after = {(one.kind, spot): one.amount for one in crew.state.limits for spot in one.spots}
    assert after == {**before, (Kind.MINIMUM, "tie"): 9_000}
    (told,) = await log(crew, "staff change-limits")
    assert told["before"] != told["after"]
    assert "minimum tie 9000" in told["after"]

    low = ask.LimitGiven(kind="maximum", scope="bet", spots=["tie"], amount=1_000)
    wanted = ask.ChangeLimits(table=TABLE, limits=[low], reason="a mistake")
    assert await refused(crew, "sam", wanted) == "limit/contradictory"


async def test_a_table_closes_with_notice_and_opens_again_also_after_a_restart(
    address: str,
) -> None:
    config = configuration((TABLE,), deals=Deals.STAFF, face_down=False)
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        await crew.shoe()
        closing = ask.CloseTable(table=TABLE)
        assert await refused(crew, "sam", closing) == "table/no-notice"
        await crew.do("sam", ask.AnnounceClosing(table=TABLE, rounds=1, reason="end of the night"))
        assert await refused(crew, "sam", closing) == "table/no-notice"
        await crew.dealer(ask.OpenRound)
        await crew.dealer(ask.CloseBets)
        await crew.scan(BANKER_WINS)
        await crew.finish()
        assert await crew.next() == "close-table"
        await crew.do("sam", closing)
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        assert not crew.state.open, "the pit closed it, so the pit opens it"
        assert await refused(crew, "dana", ask.OpenTable(table=TABLE)) == "staff/role"
        await crew.do("sam", ask.OpenTable(table=TABLE))
        assert crew.state.open


async def test_only_an_approved_book_opens(address: str) -> None:
    config = configuration((TABLE,), deals=Deals.STAFF, open=False, approval=None)
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        assert await refused(crew, "sam", ask.OpenTable(table=TABLE)) == "table/not-approved"


KNOCKOUT = "rws-knockout"


def by_either(**table: Any) -> Any:
    """A table that the pit may play by either book of its house."""
    return configuration((TABLE,), others=(OtherBook(book=KNOCKOUT),), **table)


@pytest.mark.clause("CB4 pre")
async def test_the_pit_chooses_another_approved_book(address: str) -> None:
    """With notice: the round under way is played by the book it was opened by."""
    config = by_either(deals=Deals.STAFF, face_down=False)
    choose = ask.ChooseBook(table=TABLE, book=KNOCKOUT, reason="a quiet night", rounds=1)
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        await crew.shoe()
        await crew.dealer(ask.OpenRound)
        assert await refused(crew, "sam", choose) == "staff/role"
        unknown = ask.ChooseBook(table=TABLE, book="online-baccarat", reason="why not")
        assert await refused(crew, "mia", unknown) == "table/book-unlisted"
        assert not crew.state.last_round
        await crew.do("mia", choose)
        assert crew.state.last_round == 1
        felt = await crew.felt()
        assert felt["next_book"] == load(KNOCKOUT).name
        await crew.dealer(ask.CloseBets)
        await crew.scan(BANKER_WINS)
        await crew.finish()
        assert crew.state.round.terms.book == TABLE
        await crew.do("sam", ask.CloseTable(table=TABLE))
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        assert (crew.state.open, crew.state.setup.book) == (True, KNOCKOUT)
        (lobby,) = (await crew.people["sam"].get("/tables"))["tables"]
        assert (lobby["book"], lobby["title"]) == (KNOCKOUT, load(KNOCKOUT).name)
        await crew.dealer(ask.SignOn)
        await crew.bets({})
        await crew.scan(BANKER_WINS)
        await crew.finish()
        assert crew.state.round.terms.book == KNOCKOUT
        sam = crew.people["sam"]
        for number, (book, clause) in enumerate(((TABLE, "CB4 3.10"), (KNOCKOUT, "KO2 3.5")), 1):
            past = await sam.get(f"/tables/{TABLE}/replay/1/{number}")
            assert (past["title"], past["book"]) == (TABLE, load(book).name)
            cited = {one["clause"] for one in past["steps"] if one["event"]["is"] == "CardDealt"}
            assert cited == {clause}, "each round is told by its own book"
        (told,) = await log(crew, "staff choose-book")
        assert (told["who"], told["why"]) == (ids(crew)["mia"], "a quiet night")
        assert (told["before"], told["after"]) == (TABLE, KNOCKOUT)
    assert (await verify(address)).holds


async def test_tables_of_one_title_are_told_apart_by_their_names(address: str) -> None:
    config = configuration((TABLE, KNOCKOUT))
    commission, knockout = (replace(one, title="") for one in config.tables)
    tables = (commission, knockout, replace(knockout, name="k-2"))
    server = Server(replace(config, tables=tables), Parts(open_store(address), KEYS, Clock()))

    one, other = load(TABLE).name, load(KNOCKOUT).name
    assert server.titles() == {
        TABLE: one,
        KNOCKOUT: f"{other} · {KNOCKOUT}",
        "k-2": f"{other} · k-2",
    }


async def test_a_table_that_deals_by_itself_changes_its_book_and_its_shoe(address: str) -> None:
    """The house has committed itself to a shoe of one book: it is opened, and another begun."""
    free = replace(BLITZ, free_rounds=True)
    config = replace(by_either(), paces={"usual": free})
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        choose = ask.ChooseBook(table=TABLE, book=KNOCKOUT, reason="a quiet night")
        await crew.do("mia", choose)
        await until(lambda: (crew.state.round.terms and crew.state.round.terms.book) == KNOCKOUT)
    assert (await verify(address)).holds


@pytest.mark.clause("CB4 pre")
async def test_a_book_that_has_changed_is_not_played(address: str, tmp_path: Path) -> None:
    printed = FOLDER / f"{KNOCKOUT}.toml"
    own = tmp_path / f"{KNOCKOUT}.toml"
    own.write_text(printed.read_text(encoding="utf-8"), encoding="utf-8")
    config = by_either(deals=Deals.STAFF, face_down=False)
    other = replace(config.tables[0].others[0], book=str(own))
    config = replace(config, tables=(replace(config.tables[0], others=(other,)),))
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        text = own.read_text(encoding="utf-8")
        own.write_text(text.replace('name = "', 'name = "Not ', 1), encoding="utf-8")
        choose = ask.ChooseBook(table=TABLE, book=KNOCKOUT, reason="a quiet night")
        assert await refused(crew, "mia", choose) == "table/book-changed"
        assert crew.state.last_round is None
        assert (await crew.felt())["next_book"] is None


async def test_who_keeps_betting_after_the_close_is_on_the_wall(crew: Crew, clock: Clock) -> None:
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({})
    late = api.PlaceBet(table=TABLE, spot="banker", stake=100_000)
    for alarms in ([], [], [{"alarm": "late", "what": "ann"}]):
        assert await refused(crew, "ann", late) == "bet/closed"
        (tile,) = (await crew.people["sam"].get("/pit"))["tables"]
        assert tile["alarms"] == alarms
    (told,) = await log(crew, "late bets")
    assert (told["who"], told["where"]) == (ids(crew)["ann"], TABLE)
    clock.skip(LATE_WITHIN_MS)
    assert crew.house.server.staff.often_late(TABLE) == []


async def test_the_automatic_dealer_is_left_as_it_was_over_a_restart(address: str) -> None:
    config = configuration((TABLE,))
    for on in (False, True):
        async with open_house(config, address) as found:
            crew = await Crew(found, TABLE).hire()
            assert found.server.clockwork.on[TABLE] is not on
            await crew.do("sam", ask.SwitchDealer(table=TABLE, on=on))
        async with open_house(config, address) as found:
            await until(lambda: found.server.clockwork.on[TABLE] is on)  # noqa: B023
    assert (await verify(address)).holds


async def test_from_the_automatic_dealer_to_a_person_and_back(address: str) -> None:
    """The server's shoe is taken away and opened; people deal from another; then it goes on."""
    pace = replace(PAUSED, card_ms=HOUR)
    async with open_house(configuration((TABLE,), pace, face_down=False), address) as found:
        crew = await Crew(found, TABLE).hire()
        await crew.dealer(ask.SignOn)
        assert await refused(crew, "dana", ask.OpenRound(table=TABLE)) == "staff/automatic"
        await until(lambda: crew.state.round.phase is Phase.BETTING)
        await crew.do("sam", ask.SwitchDealer(table=TABLE, on=False))
        # Nobody has bet: it deals the round to its end, and goes.
        assert await refused(crew, "dana", ask.CloseBets(table=TABLE)) == "staff/automatic"
        assert (await crew.people["dana"].get(f"/tables/{TABLE}/staff"))["leaving"]
        found.pace(TABLE, card=1)
        await until(lambda: not found.server.clockwork.on[TABLE])
        assert crew.state.round.phase.value == "settled"
        assert await refused(crew, "dana", ask.OpenRound(table=TABLE)) == "shoe/virtual"
        await crew.dealer(ask.EndShoe)
        assert crew.state.shoe is None
        assert (await crew.felt())["counted"] is None
        await crew.shoe("shoe 1")
        await crew.bets({})
        await crew.scan(BANKER_WINS)
        await crew.finish()
        on = ask.SwitchDealer(table=TABLE, on=True)
        assert await refused(crew, "sam", on) == "shoe/in-use"
        await crew.dealer(ask.EndShoe, left=410)
        await crew.do("sam", on)
    assert (await verify(address)).holds


async def test_an_automatic_dealer_that_leaves_waits_for_what_is_put_right(address: str) -> None:
    async with open_house(configuration((TABLE,), face_down=False), address) as found:
        crew = await Crew(found, TABLE).hire()
        await crew.dealer(ask.SignOn)
        await until(lambda: crew.state.round.phase is Phase.BETTING)
        await crew.dealer(ask.Report, kind="technical interruption")
        await crew.do("sam", ask.SwitchDealer(table=TABLE, on=False))
        assert found.server.clockwork.next(TABLE) is None
        await crew.do("sam", ask.Resolve(table=TABLE, step="void the round"))
        await until(lambda: not found.server.clockwork.on[TABLE])
        assert crew.state.round.phase.value == "void"


async def test_a_patron_is_looked_up_limited_and_excluded(crew: Crew) -> None:
    await crew.patrons("ann")
    mia, ann = crew.people["mia"], ids(crew)["ann"]
    assert await mia.get("/patrons", name="an") == [{"patron": ann, "name": "ann", "barred": False}]
    limit = ask.LimitPatron(patron=ann, kind="loss_day", amount=100_000, reason="asked for it")
    await crew.do("mia", limit)
    looser = ask.LimitPatron(patron=ann, kind="loss_day", amount=200_000, reason="a mistake")
    assert await refused(crew, "mia", looser) == "staff/only-tighter"
    tighter: list[tuple[Any, int]] = [("deposit_week", 900_000), ("time_day", 3_600_000)]
    for kind, amount in tighter:
        more = ask.LimitPatron(patron=ann, kind=kind, amount=amount, reason=f"{kind} it is")
        await crew.do("mia", more)
        noted = (await log(crew, "staff limit-patron"))[0]
        assert (noted["why"], noted["after"]) == (f"{kind} it is", f"{ann} {kind} None -> {amount}")
    wished = api.SetLimit(kind="deposit_week", amount=None)
    assert await refused(crew, "ann", wished) == "patron/house-limit"
    await crew.do("ann", api.SetLimit(kind="deposit_week", amount=800_000))
    gone = ask.ExcludePatron(patron=ann, length=None, reason="the family asked")
    await crew.do("mia", gone)
    told = await mia.get(f"/patrons/{ann}")
    assert (told["wallet"], told["stacks"]) == (MONEY - 2_000_000, {TABLE: 2_000_000})
    assert told["limits"]["loss_day"] == 100_000
    assert (told["excluded_until"], told["excluded_for_good"]) == (None, True)
    (noted,) = await log(crew, "staff exclude-patron")
    assert (noted["who"], noted["why"]) == (ids(crew)["mia"], "the family asked")
    assert noted["after"] == f"{ann} excluded for good"
    assert await log(crew, "exclusion") == [], "it was not the patron's own wish"
    assert crew.state.box_of(ann) is None, "the seat is free"
    sits = api.TakeSeat(table=TABLE, box=1)
    assert await refused(crew, "ann", sits) == "patron/excluded"


async def test_meters_are_a_fold_of_the_ledger(crew: Crew) -> None:
    """What the log's entries come to is what the ledger holds, to the last unit."""
    await crew.patrons("ann", "ben")
    await crew.shoe()
    for cards in (BANKER_WINS, "Kd Kh 9s 2c", "8h 8d Kh Ks"):
        await crew.bets({"ann": {"banker": 100_000}, "ben": {"player": 60_000, "tie": 50_000}})
        await crew.scan(cards)
        while await crew.next() == "scan-card":
            await crew.scan("5h")
        await crew.finish()
    told = await crew.people["sam"].get(f"/tables/{TABLE}/figures")
    meters, ledger = told["meters"], crew.house.server.desk.shown.ledger

    assert meters["won"] == ledger.balance(house(TABLE))
    assert meters["commission"] == ledger.balance(commission(TABLE))
    assert meters["wagered"] == 3 * 210_000
    assert meters["wagered"] - meters["paid"] == meters["won"] + meters["commission"]
    assert (meters["drop"], told["rounds"], told["void"]) == (4_000_000, 3, 0)
    who = ids(crew)
    assert sum(crew.state.stacks[who[one]] for one in ("ann", "ben")) == 4_000_000 - (
        meters["won"] + meters["commission"]
    )
    chart = told["chart"]
    assert chart["actual"] == meters["won"] + meters["commission"]
    assert Fraction(chart["expected"]) > 0
    assert chart["drifts"] is False
    assert ledger.balance(wallet(who["ann"])) == MONEY - 2_000_000


async def test_a_round_is_replayed_event_by_event_with_its_clauses(crew: Crew) -> None:
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.scan(f"{NATURAL} 6h")
    await crew.do("sam", ask.Resolve(table=TABLE, step="put the cards in order"))
    await crew.finish()
    told = await crew.people["sam"].get(f"/tables/{TABLE}/replay/1/1")

    dealt = [one for one in told["steps"] if one["event"]["is"] == "CardDealt"]
    assert [one["clause"] for one in dealt] == ["CB4 3.10"] * 4
    assert dealt[0]["text"] == next(one.text for one in clauses() if one.citation == "CB4 3.10")
    assert {one["text"] for one in told["steps"] if one["clause"] is None} == {""}
    reported = next(one for one in told["steps"] if one["event"]["is"] == "IncidentReported")
    assert reported["clause"] == "CB4 5.7"
    assert reported["text"]
    assert told["names"][ids(crew)["ann"]] == "ann"
    (incident,) = await crew.people["sam"].get("/incidents")
    assert (incident["kind"], incident["step"], incident["table"], incident["round"]) == (
        "excess or exposed card",
        "put the cards in order",
        TABLE,
        "1/1",
    )
    assert (incident["title"], incident["book"]) == (TABLE, load(TABLE).name)


async def test_the_integrity_report_holds(crew: Crew) -> None:
    await crew.shoe()
    report = await crew.people["shi"].get("/integrity")

    assert (report["holds"], report["findings"]) == (True, [])
    assert report["records"] > 0


async def test_a_dealer_bets_for_a_patron_who_reads_it_back(crew: Crew) -> None:
    await crew.patrons("ann")
    await crew.shoe()
    await crew.dealer(ask.OpenRound)
    ann = ids(crew)["ann"]
    await crew.dealer(ask.BetFor, patron=ann, spot="banker", stake=50_000)
    (told,) = await log(crew, "staff bet-for")
    assert told["before"] == f"1/1 betting: {ann} no bets"
    assert told["after"] == f"1/1 betting: {ann} banker 50000 in box 1"
    own = (await crew.people["ann"].get(f"/tables/{TABLE}"))["own"]
    assert own["bets"] == [{"box": 1, "spot": "banker", "stake": 50_000, "placed_by_staff": True}]
    await crew.do("ann", api.WithdrawBet(table=TABLE, spot="banker"))
    assert crew.state.round.bets == () or not list(crew.state.round.bets)


async def test_warnings_come_before_the_close_where_chips_lie(address: str) -> None:
    config = configuration((TABLE,), deals=Deals.STAFF, face_down=False, chips=True)
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        await crew.patrons("ann")
        await crew.shoe()
        await crew.dealer(ask.OpenRound)
        await crew.do("ann", api.PlaceBet(table=TABLE, spot="banker", stake=100))
        (warning,) = (await crew.felt())["warnings"]
        assert (warning["code"], warning["box"], warning["clause"]) == (
            "warning/below-minimum",
            1,
            "CB4 5.2",
        )


async def test_the_wall_counts_what_counts(address: str) -> None:
    """Beyond the differential a bet counts for less from the close on; a void round's go back."""
    config = configuration((TABLE,), deals=Deals.STAFF, face_down=False, chips=True)
    async with open_house(config, address) as found:
        crew = await Crew(found, TABLE).hire()
        most = next(one.amount for one in crew.state.limits if one.kind is Kind.DIFFERENTIAL)

        async def wall() -> tuple[list[int], int]:
            (tile,) = (await crew.people["sam"].get("/pit"))["tables"]
            return [one["staked"] for one in tile["boxes"]], tile["differential"]["gap"]

        await crew.patrons("ann", money=2 * most)
        await crew.shoe()
        await crew.dealer(ask.OpenRound)
        more = most + 20_000
        await crew.do("ann", api.PlaceBet(table=TABLE, spot="banker", stake=more))
        assert await wall() == ([more], more)
        await crew.dealer(ask.CloseBets)
        assert await wall() == ([most], most)
        await crew.dealer(ask.Report, kind="foreign card", drawn=("5h",))
        await crew.do("sam", ask.Resolve(table=TABLE, step="void the round"))
        assert await wall() == ([], 0)


async def test_everything_that_staff_do_is_in_the_log(crew: Crew) -> None:
    """Who, why, before, after: for every command that was carried out."""
    await crew.patrons("ann")
    await crew.shoe()
    await crew.bets({"ann": {"banker": 100_000}})
    await crew.scan(BANKER_WINS)
    await crew.finish()
    told = await crew.people["shi"].get("/significant-events", most=1000)
    mine = [one for one in reversed(told) if one["kind"].startswith("staff ")]

    assert [one["kind"].removeprefix("staff ") for one in mine] == [
        "sign-on",
        "register-shoe",
        "scan-card",
        "burn-card",
        "open-round",
        "close-bets",
        *["scan-card"] * 4,
        "call-result",
        "settle-round",
    ]
    assert {one["who"] for one in mine} == {ids(crew)["dana"]}
    assert (mine[-1]["before"], mine[-1]["after"]) == (
        "1/1 result, 4 cards",
        "1/1 settled, Kh 7s / Kd 8c, house -95000",
    )
    assert mine[1]["why"] == "machine 3, twice"
    assert (mine[2]["before"], mine[2]["after"]) == (
        "idle, no card exposed",
        "idle, 0 burned, 1 to burn",
    )
    assert mine[3]["after"] == "idle, 1 burned, 0 to burn"


async def test_lessons_are_for_staff(crew: Crew) -> None:
    told = await crew.people["dana"].get(f"/school/{TABLE}", seed=4, kind="foreign card")

    assert (told["kind"], told["seed"]) == ("foreign card", 4)
    assert told["questions"][0]["choices"]


def test_roles_rank_as_the_book_has_them() -> None:
    assert [role.value for role in Role] == [
        "dealer",
        "pit supervisor",
        "pit manager",
        "shift manager",
    ]
