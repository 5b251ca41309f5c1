"""Terminals of a running house: devices that sign in, credit on them, and the pit's view."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from cutcard.client import Client, Live
from cutcard.client.refused import RefusedError
from cutcard.ledger import cage, stack, wallet
from cutcard.rules.rulebook import Role
from cutcard.server.audit import verify
from cutcard.server.config import Config, MoneySettings
from cutcard.server.terminals import SIGNED_IN_MS
from cutcard.wire import api
from cutcard.wire import house as staff
from tests.patience import until
from tests.server.house import MONEY, PASSWORD, Clock, House, configuration, house

pytestmark = [pytest.mark.anyio, pytest.mark.clause("ETG4 1 Player Terminal")]

ETG = "rws-non-commission-etg"
OPEN = "online-baccarat"
ACCOUNT = {"name": "ann", "password": PASSWORD}


class Hall:
    """A house with a device, number 12 at its electronic table, ann's account and a cashier."""

    def __init__(self, house: House, device: Client, clock: Clock) -> None:
        self.house, self.device, self.clock = house, device, clock
        self.id = device.id

    def credit(self) -> tuple[int, int]:
        """What lies on the device by its table, and by the ledger."""
        venue = self.house.server.desk.shown
        held = venue.table(ETG).stacks.get(self.id, 0)
        return held, venue.ledger.available(stack(ETG, self.id))

    async def wallet(self, name: str = "ann") -> int:
        who = await self.house.person(name)
        return self.house.server.desk.shown.ledger.balance(wallet(who.id))

    async def at(self, name: str, role: Role | None = None) -> Client:
        return await self.house.client(name, role)

    async def listed(self) -> dict[str, Any]:
        """The device as the pit sees it."""
        sam = await self.at("sam", Role.PIT_SUPERVISOR)
        (found,) = [
            one for one in await sam.get(f"/tables/{ETG}/terminals") if not one["shown"]["own"]
        ]
        return dict(found)


async def refused(client: Client, command: api.Command) -> str:
    with pytest.raises(RefusedError) as found:
        await client.do(command)
    return found.value.code


def venue() -> Config:
    return replace(configuration((ETG, OPEN)), money=MoneySettings(hand_pay=100_000))


@pytest.fixture
async def hall(address: str) -> AsyncIterator[Hall]:
    clock = Clock()
    async with house(venue(), address, now=clock) as found:
        made = Hall(found, await found.device("hall 12", ETG, 12), clock)
        await found.client("ann")
        await found.server.signin.add_person("carl", PASSWORD, "staff", "cashier")
        yield made


async def test_a_device_is_told_where_it_stands(hall: Hall) -> None:
    you = await hall.device.get("/me")

    assert (you["kind"], you["table"], you["number"]) == ("terminal", ETG, 12)


async def test_cash_a_bet_and_cash_again(hall: Hall) -> None:
    """A cashier takes 5,000 for credit; the device bets; what is left is handed out."""
    carl, before = await hall.at("carl"), hall.house.server.desk.shown.ledger.balance(cage())
    await carl.do(staff.LoadTerminal(table=ETG, terminal=hall.id, amount=5_000))
    assert hall.credit() == (5_000, 5_000)
    done = await hall.device.do(api.PlaceBet(table=ETG, spot="tie", stake=1_000))
    assert (done.stack, done.wallet) == (4_000, None)

    with pytest.raises(RefusedError, match="bets"):
        await carl.do(staff.UnloadTerminal(table=ETG, terminal=hall.id))
    await hall.device.do(api.WithdrawBet(table=ETG, spot="tie"))
    await carl.do(staff.UnloadTerminal(table=ETG, terminal=hall.id, amount=1_200))
    await carl.do(staff.UnloadTerminal(table=ETG, terminal=hall.id))

    assert hall.credit() == (0, 0)
    assert hall.house.server.desk.shown.ledger.balance(cage()) == before
    told = await carl.get("/cage")
    (till,) = told["tills"]
    assert (till["in"], till["out"]) == (5_000, 5_000)
    moves = {(one["what"], one["about"], one["amount"]) for one in told["moves"]}
    assert ("load-terminal", f"{ETG} terminal 12", 5_000) in moves


async def test_a_patron_signs_in_at_a_device_to_move_credit(hall: Hall) -> None:
    assert await refused(hall.device, api.LoadCredit(table=ETG, amount=5)) == "terminal/no-account"
    told = await hall.device.post("/terminal/account", ACCOUNT)
    assert (told["name"], told["wallet"]) == ("ann", MONEY)

    done = await hall.device.do(api.LoadCredit(table=ETG, amount=700))
    assert (done.stack, done.wallet, hall.credit()) == (700, MONEY - 700, (700, 700))
    await hall.device.do(api.UnloadCredit(table=ETG, amount=200))
    done = await hall.device.do(api.UnloadCredit(table=ETG))
    assert (done.wallet, hall.credit()) == (MONEY, (0, 0))
    assert await refused(hall.device, api.UnloadCredit(table=ETG)) == "cage/nothing-there"

    await hall.device.post("/terminal/account/leave", {})
    assert await refused(hall.device, api.LoadCredit(table=ETG, amount=5)) == "terminal/no-account"


async def test_an_account_is_signed_out_by_itself(hall: Hall) -> None:
    await hall.device.post("/terminal/account", ACCOUNT)
    hall.clock.skip(SIGNED_IN_MS - 30_000)
    await hall.device.do(api.LoadCredit(table=ETG, amount=700))
    hall.clock.skip(SIGNED_IN_MS - 30_000)
    await hall.device.do(api.LoadCredit(table=ETG, amount=100))
    hall.clock.skip(SIGNED_IN_MS)

    assert await refused(hall.device, api.UnloadCredit(table=ETG)) == "terminal/no-account"
    assert hall.credit() == (800, 800)


@pytest.mark.parametrize("how", ["own password", "reset", "bar", "another process"])
async def test_an_account_that_changes_is_signed_out_at_devices(hall: Hall, how: str) -> None:
    """A password given away is worth nothing at a device once it is changed or barred."""
    ann, server = await hall.at("ann"), hall.house.server
    await hall.device.post("/terminal/account", ACCOUNT)
    await hall.device.do(api.LoadCredit(table=ETG, amount=700))
    person = await hall.house.person("ann")
    if how == "own password":
        await ann.post("/me/password", {"old": PASSWORD, "new": "another password"})
    elif how == "reset":
        carl = await hall.at("carl")
        reset = {"password": "another password", "reason": "forgotten"}
        await carl.post(f"/patrons/{person.id}/password", reset)
    elif how == "bar":
        await server.signin.change_person(replace(person, barred=True))
    else:
        await server.store.change_person(replace(person, barred=True))
        await server._look_round()

    for command in (api.LoadCredit(table=ETG, amount=5), api.UnloadCredit(table=ETG)):
        assert await refused(hall.device, command) == "terminal/no-account"
    assert hall.credit() == (700, 700)


async def test_who_signs_in_at_a_device(hall: Hall) -> None:
    """A patron with the right password; staff and strangers do not."""
    wrong = {
        "signin/wrong": {**ACCOUNT, "password": "not the password"},
        "server/patrons-only": {"name": "sam", "password": PASSWORD},
    }
    for code, body in wrong.items():
        with pytest.raises(RefusedError) as found:
            await hall.device.post("/terminal/account", body)
        assert found.value.code == code
    ann = await hall.at("ann")
    with pytest.raises(RefusedError) as found:
        await ann.post("/terminal/account", ACCOUNT)
    assert found.value.code == "terminal/only-there"
    assert await refused(ann, api.LoadCredit(table=ETG, amount=5)) == "terminal/only-there"


async def test_a_voucher_in_and_a_voucher_out(hall: Hall) -> None:
    """Ann brings a voucher to the device, and whoever plays there takes one away."""
    ann = await hall.at("ann")
    brought = (await ann.do(api.IssueVoucher(amount=600))).voucher
    assert brought is not None
    await hall.device.do(api.RedeemVoucher(table=ETG, number=brought.number))
    assert hall.credit() == (600, 600)

    taken = (await hall.device.do(api.IssueVoucher(table=ETG, amount=600))).voucher
    assert taken is not None
    assert hall.credit() == (0, 0)
    papers = hall.house.server.desk.shown.cage.vouchers
    assert papers[taken.number].terminal == f"{ETG} terminal 12"  # type: ignore[index]
    ben = await hall.at("ben")
    await ben.do(api.RedeemVoucher(number=taken.number))
    assert await hall.wallet("ben") == MONEY + 600


async def test_a_device_prints_no_voucher_that_must_be_paid_by_hand(hall: Hall) -> None:
    carl = await hall.at("carl")
    await carl.do(staff.LoadTerminal(table=ETG, terminal=hall.id, amount=100_000))

    assert (
        await refused(hall.device, api.IssueVoucher(table=ETG, amount=100_000)) == "cage/hand-pay"
    )


async def test_credit_between_an_account_and_a_device_at_the_cage(hall: Hall) -> None:
    """No cash moves, so no till changes."""
    carl, ann = await hall.at("carl"), (await hall.house.person("ann")).id
    await carl.get("/patrons", name="ann")
    await carl.do(staff.LoadTerminal(table=ETG, terminal=hall.id, amount=300, patron=ann))
    assert (await hall.wallet(), hall.credit()) == (MONEY - 300, (300, 300))
    done = await carl.do(staff.UnloadTerminal(table=ETG, terminal=hall.id, patron=ann))
    assert (done.wallet, await hall.wallet(), hall.credit()) == (MONEY, MONEY, (0, 0))

    assert (await carl.get("/cage"))["tills"] == []
    (last, _) = await hall.house.store.significant(2, kinds=["staff terminal-transfer"])
    assert last.after == f"{ETG} terminal 12 {ann} 300 -> 0"
    load = staff.LoadTerminal(table=ETG, terminal=hall.id, amount=300, patron="p-nobody")
    assert await refused(carl, load) == "staff/no-patron"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (api.Deposit(amount=5), "terminal/not-there"),
        (api.BuyIn(table=ETG, amount=5), "terminal/not-there"),
        (api.CashOut(table=ETG), "terminal/not-there"),
        (api.IssueVoucher(amount=5), "terminal/not-there"),
        (api.RedeemVoucher(number="1" * 18), "terminal/not-there"),
        (api.RedeemVoucher(number="1" * 18, table=OPEN), "terminal/unknown"),
        (api.PlaceBet(table=OPEN, spot="tie", stake=5), "terminal/unknown"),
        (api.SelfExclude(length=None), "terminal/not-there"),
        (api.SetLimit(kind="loss_day", amount=5), "terminal/not-there"),
    ],
)
async def test_what_a_device_does_not_do(hall: Hall, command: api.Command, code: str) -> None:
    assert await refused(hall.device, command) == code


async def test_a_device_is_at_one_table(hall: Hall) -> None:
    sam = await hall.at("sam", Role.PIT_SUPERVISOR)

    elsewhere = staff.AddTerminal(table=OPEN, terminal=hall.id)
    assert await refused(sam, elsewhere) == "terminal/elsewhere"
    again = staff.AddTerminal(table=ETG, terminal=hall.id)
    assert await refused(sam, again) == "terminal/exists"
    patron = (await hall.house.person("ann")).id
    stranger = staff.AddTerminal(table=ETG, terminal=patron)
    assert await refused(sam, stranger) == "terminal/no-device"


async def test_the_pit_locks_a_device_and_a_patrons_own_terminal(hall: Hall) -> None:
    sam, ann = await hall.at("sam", Role.PIT_SUPERVISOR), await hall.at("ann")
    await ann.do(api.BuyIn(table=ETG, amount=1_000))
    for client, number in ((hall.device, 12), (ann, 1)):
        lock = staff.LockTerminal(table=ETG, terminal=client.id, reason="a dispute")
        await sam.do(lock)
        with pytest.raises(RefusedError) as found:
            await client.do(api.PlaceBet(table=ETG, spot="tie", stake=100))
        assert found.value.code == "terminal/locked"
        assert found.value.sentence == f"Terminal {number} is locked: a dispute."
    assert await refused(ann, api.CashOut(table=ETG)) == "terminal/locked"
    own = (await ann.get(f"/tables/{ETG}"))["own"]["terminal"]
    assert (own["locked"], own["own"], own["credit"]) == ("a dispute", True, 1_000)

    await sam.do(staff.UnlockTerminal(table=ETG, terminal=ann.id))
    await ann.do(api.CashOut(table=ETG))
    assert (await hall.listed())["state"] == "locked"
    notes = await hall.house.store.significant(9, kinds=["staff lock-terminal"])
    assert notes[-1].why == "a dispute"
    assert notes[-1].before == f"terminal 12 ({hall.id}) idle, 0 credit"
    assert notes[-1].after == f"terminal 12 ({hall.id}) locked, 0 credit"


async def test_an_attendant_is_called_from_a_device(hall: Hall) -> None:
    sam = await hall.at("sam", Role.PIT_SUPERVISOR)
    await hall.device.do(api.CallStaff(table=ETG))
    assert (await hall.listed())["state"] == "needs attendant"
    assert await refused(hall.device, api.CallStaff(table=ETG)) == "terminal/called"
    (wall,) = [one for one in (await sam.get("/pit"))["tables"] if one["table"] == ETG]
    assert {"alarm": "attendant", "what": "12"} in wall["alarms"]
    seen = (await sam.get(f"/tables/{ETG}/staff"))["terminals"]
    assert (seen["devices"], seen["own"], seen["locked"]) == (1, 0, 0)
    assert [(one["terminal"], one["number"]) for one in seen["calling"]] == [(hall.id, 12)]

    await sam.do(staff.AnswerAttendant(table=ETG, terminal=hall.id))
    assert (await hall.listed())["state"] == "idle"
    # A patron without a terminal there asks for somebody at the table, as elsewhere.
    await (await hall.at("ben")).do(api.CallStaff(table=ETG))
    assert (await sam.get(f"/tables/{ETG}/staff"))["call"]["by"] == "ben"


async def test_meters_and_state_as_the_pit_sees_them(hall: Hall) -> None:
    carl = await hall.at("carl")
    await carl.do(staff.LoadTerminal(table=ETG, terminal=hall.id, amount=10_000))
    await hall.device.do(api.PlaceBet(table=ETG, spot="tie", stake=4_000))

    found = await hall.listed()
    assert (found["name"], found["state"], found["usable"]) == ("hall 12", "in play", 6_000)
    assert found["shown"] == {
        "number": 12,
        "own": False,
        "locked": None,
        "calling": False,
        "credit": 10_000,
        "paid_in": 10_000,
        "paid_out": 0,
        "staked": 0,
        "won": 0,
        "lost": 0,
        "rounds": 0,
    }


async def test_a_device_hears_of_its_own_lock(hall: Hall) -> None:
    sam = await hall.at("sam", Role.PIT_SUPERVISOR)
    async with hall.device.live() as live:
        await live.watch(ETG)
        await sam.do(staff.LockTerminal(table=ETG, terminal=hall.id, reason="a dispute"))
        await until(lambda: _locked(live), "the lock")


def _locked(live: Live) -> bool:
    own = live.tables[ETG].own if ETG in live.tables else {}
    return bool(own) and own["terminal"]["locked"] == "a dispute"


async def test_a_device_stays_signed_in(hall: Hall) -> None:
    """Beyond the hours after which a patron or a member of staff signs in again."""
    hall.clock.skip(20 * 3_600_000)

    assert (await hall.device.get("/me"))["id"] == hall.id


async def test_the_accounts_of_devices(hall: Hall) -> None:
    shi = await hall.at("shi", Role.SHIFT_MANAGER)
    body = {"name": "Hall 13", "password": PASSWORD, "reason": "a new device"}
    made = await shi.post("/terminals", body)
    assert (made["name"], made["table"], made["number"]) == ("hall 13", None, None)
    listed = await shi.get("/terminals")
    assert [(one["name"], one["table"], one["number"]) for one in listed] == [
        ("hall 12", ETG, 12),
        ("hall 13", None, None),
    ]
    device = await hall.at("hall 13")
    bet = api.PlaceBet(table=ETG, spot="tie", stake=5)
    assert await refused(device, bet) == "terminal/unknown"

    change = {"barred": True, "reason": "stolen"}
    assert (await shi.post(f"/terminals/{made['terminal']}", change))["barred"]
    with pytest.raises(RefusedError) as found:
        await device.get("/me")
    assert found.value.code == "signin/needed"
    for by, code in (("sam", "staff/role"), ("carl", "staff/role")):
        with pytest.raises(RefusedError) as found:
            await (await hall.at(by)).post("/terminals", {**body, "name": "x"})
        assert found.value.code == code


async def test_a_device_tells_nobody_the_numbers_of_its_vouchers(hall: Hall) -> None:
    with pytest.raises(RefusedError) as found:
        await hall.device.get("/me/vouchers")
    assert found.value.code == "server/patrons-only"


async def test_everything_is_there_after_a_restart(address: str) -> None:
    async with house(venue(), address) as found:
        device = await found.device("hall 12", ETG, 12)
        await found.server.signin.add_person("carl", PASSWORD, "staff", "cashier")
        carl, sam = await found.client("carl"), await found.client("sam")
        await carl.do(staff.LoadTerminal(table=ETG, terminal=device.id, amount=10_000))
        await device.do(api.PlaceBet(table=ETG, spot="player", stake=2_000))
        await sam.do(staff.LockTerminal(table=ETG, terminal=device.id, reason="a dispute"))
        (before,) = await sam.get(f"/tables/{ETG}/terminals")

    async with house(venue(), address) as found:
        sam = await found.client("sam")
        (after,) = await sam.get(f"/tables/{ETG}/terminals")
        # The interrupted round is void by the book, so the bet lies on the terminal again.
        assert after == {**before, "usable": 10_000}
        assert after["state"] == "locked"
    assert (await verify(address)).findings == []


async def test_many_devices_at_one_table(hall: Hall) -> None:
    """Fifty here; `bench/crowd.py` plays five hundred."""
    sam = await hall.at("sam", Role.PIT_SUPERVISOR)
    signin = hall.house.server.signin
    made = [await signin.add_person(f"row {one}", PASSWORD, "terminal") for one in range(49)]
    hall.house.server.staff.names |= {one.id: one.name for one in made}
    await asyncio.gather(*(sam.do(staff.AddTerminal(table=ETG, terminal=one.id)) for one in made))

    listed = await sam.get(f"/tables/{ETG}/terminals")
    assert [one["shown"]["number"] for one in listed] == [*range(12, 62)]
