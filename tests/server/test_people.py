"""Accounts and passwords: who opens them, and who changes them."""

from typing import Any

import httpx
import pytest

from cutcard.rules.rulebook import Role
from tests.patience import PATIENCE
from tests.server.house import PASSWORD, House

pytestmark = pytest.mark.anyio

NEW = "another password of tests"


class Asking:
    """Somebody who is signed in, over REST."""

    def __init__(self, house: House, http: httpx.AsyncClient) -> None:
        self.house, self.http = house, http

    async def sign_in(self, name: str, password: str = PASSWORD) -> dict[str, str]:
        told = await self._post("/sign-in", {}, {"name": name, "password": password})
        return {"authorization": f"Bearer {told['token']}"} if "token" in told else told

    async def post(self, name: str, path: str, body: dict[str, Any]) -> Any:
        return await self._post(path, await self.sign_in(name), body)

    async def _post(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Any:
        url = f"{self.house.url}/api/v1{path}"
        return (await self.http.post(url, json=body, headers=headers)).json()

    async def noted(self, kind: str) -> list[tuple[str, str]]:
        people = {one.id: one.name for one in await self.house.store.people()}
        found = await self.house.store.significant(9, kinds=[kind])
        return [(people[one.who], people[one.where]) for one in found]


@pytest.fixture
async def asking(etg: House) -> Any:
    await etg.person("ann")
    await etg.person("dan", Role.DEALER)
    await etg.server.signin.add_person("cleo", PASSWORD, "staff", "cashier")
    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        yield Asking(etg, http)


async def test_a_cashier_opens_an_account(asking: Asking) -> None:
    made = await asking.post(
        "cleo", "/patrons", {"name": "  Zoë ", "password": NEW, "language": "zh-Hans"}
    )

    assert made["name"] == "zoë"
    person = await asking.house.store.person(made["patron"])
    assert person is not None
    assert (person.kind, person.role, person.language) == ("patron", "", "zh-Hans")
    assert "authorization" in await asking.sign_in("Zoë", NEW)
    assert await asking.noted("person added") == [("cleo", "zoë")]
    paid = {"patron": made["patron"], "amount": 5}
    headers = {**await asking.sign_in("cleo"), "idempotency-key": "first-money"}
    assert (await asking._post("/staff/pay-in", headers, paid))["is"] == "done"


async def test_a_name_is_taken_once_and_a_password_is_long_enough(asking: Asking) -> None:
    taken = await asking.post("cleo", "/patrons", {"name": "Ann", "password": NEW})
    short = await asking.post("cleo", "/patrons", {"name": "eve", "password": "short"})

    assert (taken["code"], short["code"]) == ("store/person", "signin/password")


@pytest.mark.parametrize("who", ["ann", "dan"])
async def test_nobody_else_opens_accounts_or_gives_passwords(asking: Asking, who: str) -> None:
    ann = await asking.house.person("ann")
    code = "staff/role" if who == "dan" else "server/staff-only"

    opened = await asking.post(who, "/patrons", {"name": "eve", "password": NEW})
    given = await asking.post(
        who, f"/patrons/{ann.id}/password", {"password": NEW, "reason": "asked"}
    )

    assert (opened["code"], given["code"]) == (code, code)
    assert "authorization" in await asking.sign_in("ann")


async def test_whoever_forgot_a_password_has_a_new_one(asking: Asking) -> None:
    ann, before = await asking.house.person("ann"), await asking.sign_in("ann")
    await asking.post(
        "cleo", f"/patrons/{ann.id}/password", {"password": NEW, "reason": "passport seen"}
    )

    me = await asking.http.get(f"{asking.house.url}/api/v1/me", headers=before)
    assert me.status_code == 401
    assert (await asking.sign_in("ann"))["code"] == "signin/wrong"
    assert "authorization" in await asking.sign_in("ann", NEW)
    assert await asking.noted("password changed") == [("cleo", "ann")]
    nobody = await asking.post("cleo", "/patrons/p-x/password", {"password": NEW, "reason": "r"})
    assert nobody["code"] == "staff/no-patron"


async def test_one_changes_ones_own_password(asking: Asking) -> None:
    wrong = await asking.post("ann", "/me/password", {"old": "not this one", "new": NEW})
    short = await asking.post("ann", "/me/password", {"old": PASSWORD, "new": "short"})
    assert (wrong["code"], short["code"]) == ("signin/wrong", "signin/password")

    assert await asking.post("ann", "/me/password", {"old": PASSWORD, "new": NEW}) == {"done": True}

    assert (await asking.sign_in("ann"))["code"] == "signin/wrong"
    assert "authorization" in await asking.sign_in("ann", NEW)
    assert await asking.noted("password changed") == [("ann", "ann")]


async def test_the_longest_password_signs_in(asking: Asking) -> None:
    longest = "x" * 256
    await asking.post("ann", "/me/password", {"old": PASSWORD, "new": longest})

    assert "authorization" in await asking.sign_in("ann", longest)
