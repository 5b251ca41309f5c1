"""The cage's window: cash in, cash out, paper, and what is in each till."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from cutcard.client.refused import RefusedError
from cutcard.ledger import cage, stack, vouchers, wallet
from cutcard.server.config import Config, MoneySettings
from cutcard.wire import api
from cutcard.wire import house as ask
from tests.patience import PATIENCE
from tests.server.house import MONEY, PASSWORD, House, configuration, house

pytestmark = pytest.mark.anyio

ETG = "rws-non-commission-etg"


def in_earnest() -> Config:
    """A venue where nobody gives himself money."""
    return replace(configuration(), money=MoneySettings(hand_pay=5_000))


class Cage:
    """A house with a cashier, and what it holds."""

    def __init__(self, house: House, http: httpx.AsyncClient) -> None:
        self.house, self.http = house, http
        self.ann = ""

    def money(self, account: Any) -> int:
        return self.house.server.desk.shown.ledger.balance(account)

    async def told(self, who: str, path: str = "/cage") -> Any:
        client = await self.house.client(who)
        headers = {"authorization": f"Bearer {client.token}"}
        answer = await self.http.get(f"{self.house.url}/api/v1{path}", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def do(self, who: str, command: api.Command) -> api.Done:
        return await (await self.house.client(who)).do(command)

    async def refused(self, who: str, command: api.Command) -> RefusedError:
        with pytest.raises(RefusedError) as found:
            await self.do(who, command)
        return found.value

    async def voucher(self, amount: int) -> str:
        """Ann has one printed."""
        told = await self.do("ann", api.IssueVoucher(amount=amount))
        assert told.voucher is not None
        return told.voucher.number


@pytest.fixture
async def window(address: str) -> AsyncIterator[Cage]:
    async with house(in_earnest(), address) as found, httpx.AsyncClient(timeout=PATIENCE) as http:
        made = Cage(found, http)
        made.ann = (await found.person("ann")).id
        for name in ("carl", "cleo"):
            await found.server.signin.add_person(name, PASSWORD, "staff", "cashier")
        # They find the patron who stands before them.
        await made.told("carl", "/patrons?name=ann")
        yield made


async def test_cash_comes_in_and_goes_out_by_way_of_the_cage(window: Cage) -> None:
    before = window.money(cage())
    await window.do("carl", ask.PayIn(patron=window.ann, amount=700, note="receipt 12"))
    await window.do("carl", ask.PayOut(patron=window.ann, amount=200))

    assert window.money(wallet(window.ann)) == MONEY + 500
    assert window.money(cage()) == before - 500
    told = await window.told("carl")
    (till,) = told["tills"]
    assert (till["in"], till["out"]) == (700, 200)
    assert [(one["what"], one["amount"], one["note"]) for one in told["moves"]] == [
        ("pay-out", -200, ""),
        ("pay-in", 700, "receipt 12"),
    ]
    assert told["names"][window.ann] == "ann"
    assert told["names"][till["cashier"]] == "carl"


async def test_a_stack_is_fetched_for_a_patron_who_cannot_come(window: Cage) -> None:
    """Barred for good, or never seen again: the money can be got out all the same."""
    await window.do("ann", api.BuyIn(table=ETG, amount=3_000))
    fetch = ask.FetchStack(table=ETG, patron=window.ann, reason="barred")
    done = await window.do("carl", fetch)

    assert done.wallet == window.money(wallet(window.ann)) == MONEY
    assert window.money(stack(ETG, window.ann)) == 0
    assert (await window.refused("carl", fetch)).code == "cage/nothing-there"
    elsewhere = ask.FetchStack(table="nowhere", patron=window.ann, reason="barred")
    assert (await window.refused("carl", elsewhere)).code == "table/unknown"
    (note,) = await window.house.store.significant(9, kinds={"staff fetch-stack"})
    assert (note.where, note.why) == (ETG, "barred")
    assert note.after == f"{window.ann} {ETG} 3000 -> 0"
    assert (await window.told("carl"))["tills"] == []


async def test_more_than_is_there_is_not_handed_out(window: Cage) -> None:
    refused = await window.refused("carl", ask.PayOut(patron=window.ann, amount=MONEY + 1))

    assert refused.code == "cage/wallet-short"
    assert window.money(wallet(window.ann)) == MONEY
    assert (await window.told("carl"))["moves"] == []


async def test_nobody_is_nobody(window: Cage) -> None:
    refused = await window.refused("carl", ask.PayIn(patron="p-nobody", amount=5))

    assert refused.code == "staff/no-patron"


async def test_patrons_do_not_help_themselves(window: Cage) -> None:
    for command in (api.Deposit(amount=5), api.Withdraw(amount=5)):
        assert (await window.refused("ann", command)).code == "server/no-self-service"
    assert window.money(wallet(window.ann)) == MONEY


async def test_a_limit_of_the_patrons_own_holds_at_the_cage(window: Cage) -> None:
    await window.do("ann", api.SetLimit(kind="deposit_day", amount=MONEY + 100))

    refused = await window.refused("carl", ask.PayIn(patron=window.ann, amount=101))

    assert refused.code == "patron/deposit-limit"
    await window.do("carl", ask.PayIn(patron=window.ann, amount=100))


async def test_a_voucher_is_paid_once_to_whoever_brings_it(window: Cage) -> None:
    number = await window.voucher(400)
    assert (await window.told("carl"))["liability"] == 400
    held = window.money(cage())
    shown = await window.told("carl", f"/vouchers/{number}")
    assert (shown["amount"], shown["state"], shown["reprints"]) == (400, "issued", 0)

    await window.do("carl", ask.PayVoucher(number=number))

    assert window.money(vouchers()) == 0
    assert window.money(cage()) == held + 400
    assert window.money(wallet(window.ann)) == MONEY - 400
    told = await window.told("carl")
    assert (told["liability"], told["vouchers"]) == (0, [])
    assert [(one["about"], one["amount"]) for one in told["moves"]] == [(f"…{number[-4:]}", -400)]
    again = await window.refused("cleo", ask.PayVoucher(number=number))
    assert again.code == "cage/voucher-redeemed"
    with pytest.raises(RefusedError, match="cage/voucher-redeemed"):
        await (await window.house.client("cleo")).get(f"/vouchers/{number}")
    unknown = await window.refused("cleo", ask.PayVoucher(number="0" * 18))
    assert unknown.code == "cage/voucher-unknown"


async def test_nobody_is_told_a_vouchers_number(window: Cage) -> None:
    number = await window.voucher(400)

    (told,) = (await window.told("carl"))["vouchers"]

    assert told["number"] == f"…{number[-4:]}"
    assert told["amount"] == 400


async def test_a_spoilt_voucher_goes_back_and_a_reprint_says_so(window: Cage) -> None:
    number = await window.voucher(400)
    told = await window.do("carl", ask.ReprintVoucher(number=number, reason="jammed"))
    assert told.voucher is not None
    assert (told.voucher.number, told.voucher.reprints) == (number, 1)
    assert (await window.told("carl"))["vouchers"][0]["reprints"] == 1

    await window.do("carl", ask.VoidVoucher(number=number, reason="torn"))

    assert window.money(wallet(window.ann)) == MONEY
    assert (await window.told("carl"))["liability"] == 0


async def test_large_amounts_are_paid_by_hand(window: Cage) -> None:
    refused = await window.refused("ann", api.IssueVoucher(amount=5_000))
    assert refused.code == "cage/hand-pay"
    assert "from 50 on" in refused.sentence

    await window.voucher(4_999)


async def test_a_cashier_sees_one_till_and_an_auditor_all(window: Cage) -> None:
    await window.house.server.signin.add_person("ada", PASSWORD, "staff", "auditor")
    await window.do("carl", ask.PayIn(patron=window.ann, amount=700))
    await window.do("cleo", ask.PayIn(patron=window.ann, amount=30))

    assert [one["in"] for one in (await window.told("cleo"))["tills"]] == [30]
    assert sorted(one["in"] for one in (await window.told("ada"))["tills"]) == [30, 700]


async def test_how_somebody_plays_is_no_business_of_the_cage(window: Cage) -> None:
    (found,) = await window.told("carl", "/patrons?name=an")
    told = await window.told("carl", f"/patrons/{found['patron']}")

    assert told["wallet"] == MONEY
    assert told["rounds"] == []


async def test_all_of_it_is_written_down(window: Cage) -> None:
    await window.do("carl", ask.PayIn(patron=window.ann, amount=700, note="receipt 12"))

    (found,) = await window.house.store.significant(5, kinds=["staff pay-in"])
    carl = await window.house.store.person_named("carl")

    assert carl is not None
    assert (found.who, found.why) == (carl.id, "receipt 12")
    assert found.after == f"{window.ann} {MONEY} -> {MONEY + 700}"
