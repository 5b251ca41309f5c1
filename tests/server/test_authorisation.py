"""Who may do what: every command and every question, asked by everybody."""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from cutcard.client import Live, RefusedError
from cutcard.client.client import new_key
from cutcard.rules.rulebook import Role
from cutcard.server.headers import SECURE_COOKIE
from cutcard.server.routes.commands import WAYS
from cutcard.wire import api
from cutcard.wire import house as house_api
from tests.patience import PATIENCE
from tests.server.house import MONEY, PASSWORD, House, configuration, house, websocket

pytestmark = pytest.mark.anyio

ETG = "rws-non-commission-etg"
DEALT = "rws-commission"
MINUTE = 60_000

NOBODY = ("nobody", "barred", "signed out", "expired")
"""Whoever shows no token, or one that is good no more."""

PATRONS = ("patron", "another patron")
TABLES = ("dealer", "supervisor", "manager", "shift manager")
STAFF = (*TABLES, "cashier", "auditor", "operator", "reader")
DEVICE = "terminal"
EVERYBODY = (*NOBODY, *PATRONS, DEVICE, *STAFF)

COMMANDS: dict[str, tuple[str, dict[str, Any]]] = {
    "deposit": ("patrons", {"amount": 5}),
    "withdraw": ("patrons", {"amount": 5}),
    "pay-debt": ("patrons", {"amount": 5}),
    "load-credit": ("devices", {"amount": 5}),
    "unload-credit": ("devices", {}),
    # A device has no wallet; it takes and prints vouchers at its table.
    "issue-voucher": ("patrons", {"amount": 5}),
    "redeem-voucher": ("patrons", {"number": "1" * 18}),
    "buy-in": ("patrons", {"amount": 5}),
    "cash-out": ("patrons", {}),
    "take-seat": ("patrons", {"box": 1}),
    "leave-seat": ("patrons", {}),
    "place-bet": ("players", {"spot": "banker", "stake": 5}),
    "place-bets": ("players", {"bets": [{"spot": "player", "stake": 1_000}]}),
    "change-bet": ("players", {"spot": "banker", "stake": 5}),
    "withdraw-bet": ("players", {"spot": "banker"}),
    "rebet": ("players", {}),
    "decide": ("players", {"spot": "banker", "continues": True}),
    "always-continue": ("players", {"always": True}),
    "choose-option": ("players", {"continues": True}),
    "request-squeeze": ("players", {"side": "player"}),
    "open-now": ("players", {}),
    "call-staff": ("players", {}),
    "seal-seed": ("players", {"giver": "somebody", "seal": "0" * 64}),
    "give-seed": ("players", {"giver": "somebody", "seed": "0" * 64}),
    "set-limit": ("patrons", {"kind": "loss_day", "amount": 10**9}),
    "cancel-loosening": ("patrons", {"kind": "loss_day"}),
    "take-time-out": ("patrons", {"length": 1}),
    "self-exclude": ("patrons", {"length": 1}),
    "acknowledge-reality-check": ("patrons", {}),
    "switch-dealer": ("supervisors", {"on": True}),
    "sign-on": ("tables", {}),
    "sign-off": ("tables", {}),
    "act-as": ("supervisors", {"person": "s-1", "role": "dealer", "until": 1, "reason": "r"}),
    "stay-awake": ("tables", {}),
    "call-supervisor": ("tables", {}),
    "answer-call": ("supervisors", {}),
    "register-shoe": ("tables", {"shoe": "7", "shuffle_record": "machine 3"}),
    "burn-card": ("tables", {}),
    "show-cut-card": ("tables", {}),
    "end-shoe": ("tables", {}),
    "release-shoe": ("managers", {"shoe": "7", "reason": "counted"}),
    "open-round": ("tables", {}),
    "reject-excess": ("tables", {}),
    "close-bets": ("tables", {}),
    "scan-card": ("readers", {"card": "9h"}),
    "enter-card": ("tables", {"card": "9h"}),
    "turn-cards": ("tables", {}),
    "end-decisions": ("tables", {}),
    "end-options": ("tables", {}),
    "call-result": ("tables", {}),
    "settle-round": ("tables", {}),
    "answer-squeeze": ("tables", {"patron": "p-1", "granted": True}),
    "free-seat": ("tables", {"box": 1}),
    "add-terminal": ("supervisors", {"terminal": "t-1"}),
    "remove-terminal": ("supervisors", {"terminal": "t-1"}),
    "lock-terminal": ("supervisors", {"terminal": "t-1", "reason": "r"}),
    "unlock-terminal": ("supervisors", {"terminal": "t-1"}),
    "answer-attendant": ("tables", {"terminal": "t-1"}),
    "bet-for": ("tables", {"patron": "p-1", "spot": "banker", "stake": 5}),
    "withdraw-for": ("tables", {"patron": "p-1", "spot": "banker"}),
    "decide-for": ("tables", {"patron": "p-1", "spot": "banker", "continues": True}),
    "choose-for": ("tables", {"patron": "p-1", "continues": True}),
    "report-removed": ("tables", {"patron": "p-1", "spot": "banker"}),
    "report": ("tables", {"kind": "nothing of the kind"}),
    "resolve": ("tables", {"step": "void the round"}),
    "confirm": ("supervisors", {"proposal": 1}),
    "decline": ("supervisors", {"proposal": 1}),
    "change-limits": (
        "supervisors",
        {
            "limits": [{"kind": "maximum", "scope": "bet", "spots": ["tie"], "amount": 9}],
            "reason": "r",
        },
    ),
    "announce-closing": ("supervisors", {"rounds": 100}),
    "close-table": ("supervisors", {}),
    "open-table": ("supervisors", {}),
    "choose-book": ("managers", {"book": "nothing of the kind", "reason": "r"}),
    "limit-patron": ("managers", {"patron": "p-1", "kind": "loss_day", "amount": 5, "reason": "r"}),
    "exclude-patron": ("managers", {"patron": "p-1", "length": None, "reason": "r"}),
    "pay-in": ("cashiers", {"patron": "p-1", "amount": 5}),
    "pay-out": ("cashiers", {"patron": "p-1", "amount": 5}),
    "fetch-stack": ("cashiers", {"patron": "p-1", "reason": "r"}),
    "load-terminal": ("cashiers", {"terminal": "t-1", "amount": 5}),
    "unload-terminal": ("cashiers", {"terminal": "t-1"}),
    "pay-voucher": ("cashiers", {"number": "0" * 18}),
    "void-voucher": ("cashiers", {"number": "0" * 18, "reason": "r"}),
    "reprint-voucher": ("cashiers", {"number": "0" * 18, "reason": "r"}),
}
QUESTIONS: dict[str, str] = {
    "/api/v1/me": "people",
    "/api/v1/me/wallet": "patrons",
    "/api/v1/me/vouchers": "patrons",
    "/api/v1/me/rounds": "players",
    "/api/v1/me/protection": "patrons",
    "/api/v1/tables": "everybody",
    "/api/v1/tables/{table}": "everybody",
    "/api/v1/tables/{table}/book": "everybody",
    "/api/v1/tables/{table}/odds": "everybody",
    "/api/v1/tables/{table}/rounds": "everybody",
    "/api/v1/tables/{table}/rounds/{shoe}/{number}": "everybody",
    "/api/v1/tables/{table}/shoe": "everybody",
    "/api/v1/tables/{table}/shoes/{number}": "everybody",
    "/api/v1/tables/{table}/shoes/{number}/cards/{place}": "everybody",
    "/api/v1/tables/{table}/head": "everybody",
    "/api/v1/tables/{table}/pack": "inspectors",
    "/api/v1/significant-events": "inspectors",
    "/api/v1/tables/{table}/staff": "seers",
    "/api/v1/tables/{table}/kinds": "seers",
    "/api/v1/tables/{table}/advice": "seers",
    "/api/v1/tables/{table}/figures": "overseers",
    "/api/v1/tables/{table}/replay/{shoe}/{number}": "overseers",
    "/api/v1/pit": "overseers",
    "/api/v1/shoes": "overseers",
    "/api/v1/incidents": "overseers",
    "/api/v1/cage": "tellers",
    "/api/v1/vouchers/{number}": "cashiers",
    "/api/v1/tables/{table}/terminals": "learners",
    "/api/v1/terminals": "overseers",
    "/api/v1/staff/people": "overseers",
    "/api/v1/staff/words": "learners",
    "/api/v1/patrons": "finders",
    "/api/v1/patrons/{who}": "finders",
    "/api/v1/school/{book}": "learners",
    "/api/v1/integrity": "auditors",
    "/api/v1/books": "everybody",
    "/api/v1/books/{book}": "everybody",
    "/api/v1/books/{book}/odds": "everybody",
    "/api/v1/books/{book}/removal": "everybody",
    "/api/v1/books/{book}/certificate": "everybody",
    "/api/v1/books/{book}/studies/{study}": "everybody",
    "/api/v1/time": "everybody",
    "/health": "everybody",
    "/ready": "everybody",
}
MAY: dict[str, Sequence[str]] = {
    "everybody": EVERYBODY,
    "people": (*PATRONS, DEVICE, *STAFF),
    "patrons": PATRONS,
    "players": (*PATRONS, DEVICE),
    "devices": (DEVICE,),
    "tables": TABLES,
    "readers": (*TABLES, "reader"),
    "supervisors": TABLES[1:],
    "managers": TABLES[2:],
    "inspectors": (*TABLES[1:], "auditor"),
    "overseers": (*TABLES[1:], "auditor", "operator"),
    "seers": (*TABLES, "auditor", "operator"),
    "learners": (*TABLES, "auditor", "operator", "cashier"),
    "auditors": ("shift manager", "auditor", "operator"),
    "arrangers": ("shift manager", "operator"),
    "cashiers": ("shift manager", "cashier"),
    "tellers": (*TABLES[1:], "auditor", "operator", "cashier"),
    "finders": (*TABLES[1:], "auditor", "cashier"),
}


@dataclass
class Cast:
    """One house, and a token for everybody in it."""

    house: House
    tokens: dict[str, str]
    http: httpx.AsyncClient

    async def sign_in(self, name: str) -> None:
        told = await self.http.post("/api/v1/sign-in", json={"name": name, "password": PASSWORD})
        self.http.cookies.clear()
        self.tokens[name] = told.json()["token"]

    def headers(self, who: str) -> dict[str, str]:
        token = self.tokens[who]
        return {"authorization": f"Bearer {token}"} if token else {}

    async def get(self, who: str, path: str) -> httpx.Response:
        return await self.http.get(path, headers=self.headers(who))

    async def do(self, who: str, command: str, **changes: Any) -> httpx.Response:
        way = next(one for one in WAYS if one.kind.__struct_config__.tag == command)
        path = "/api/v1" + way.path.replace("{table:str}", DEALT)
        headers = {**self.headers(who), "idempotency-key": new_key()}
        body = {**COMMANDS[command][1], **changes}
        return await self.http.post(path, json=body, headers=headers)


@pytest.fixture(scope="module")
async def cast(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cast]:
    config = configuration((ETG, DEALT))
    async with (
        house(config, f"sqlite:{tmp_path_factory.mktemp('cast') / 'house.db'}") as found,
        httpx.AsyncClient(base_url=found.url, timeout=PATIENCE) as http,
    ):
        cast = Cast(found, {"nobody": ""}, http)
        add = found.server.signin.add_person
        for name in (*PATRONS, "barred", "signed out", "expired"):
            await found.person(name)
        await found.person("dealer", Role.DEALER)
        await found.person("supervisor", Role.PIT_SUPERVISOR)
        await found.person("manager", Role.PIT_MANAGER)
        await found.person("shift manager", Role.SHIFT_MANAGER)
        for role in ("cashier", "auditor", "operator", "reader"):
            await add(role, PASSWORD, "staff", role)
        await add(DEVICE, PASSWORD, DEVICE)
        for name in EVERYBODY[1:]:
            await cast.sign_in(name)
        barred = await found.store.person_named("barred")
        assert barred is not None
        await found.server.signin.change_person(replace(barred, barred=True))
        await http.post("/api/v1/sign-out", headers=cast.headers("signed out"))
        await _expire(found, cast.tokens["expired"])
        yield cast


async def _expire(found: House, token: str) -> None:
    """Let one sign-in have been idle for longer than is allowed."""
    signed = await found.server.signin.who(token)
    held = found.server.signin._held[signed.session.token_hash]
    held.seen -= 31 * MINUTE


def allowed(answer: httpx.Response) -> bool:
    """Whether the person was let through: what a rule refuses then is another matter."""
    assert answer.status_code < 500, answer.text
    return answer.status_code not in (401, 403)


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_command_is_for_whom_it_is_for(cast: Cast, command: str) -> None:
    may = MAY[COMMANDS[command][0]]
    found = {who: allowed(await cast.do(who, command)) for who in EVERYBODY}

    assert found == {who: who in may for who in EVERYBODY}


async def test_a_question_is_for_whom_it_is_for(cast: Cast) -> None:
    for path, whose in QUESTIONS.items():
        path_names = {"table": ETG, "book": ETG, "study": "per-hour", "who": "p-1"}
        asked = path.format(**path_names, shoe=1, number=1, place=0)
        # What nobody in particular may ask, everybody may.
        askers = NOBODY if whose == "everybody" else EVERYBODY
        found = {who: allowed(await cast.get(who, asked)) for who in askers}

        assert found == {who: who in MAY[whose] for who in askers}, path


async def test_no_route_is_missing_here(cast: Cast) -> None:
    described = cast.house.app.openapi["paths"]
    gets = {path for path, item in described.items() if "get" in item}
    posts = {item["post"]["operationId"] for item in described.values() if "post" in item}
    routes = {route.path for route in cast.house.app._litestar.routes}

    assert gets == set(QUESTIONS)
    signing = (
        *("ApiV1Sign", "ApiV1Guests", "ApiV1Unlock"),
        *("ApiV1StaffPeople", "ApiV1Patrons", "ApiV1MePassword", "ApiV1Terminal"),
    )
    assert {one for one in posts if not one.startswith(signing)} == set(COMMANDS)
    assert {way.kind.__struct_config__.tag for way in WAYS} == set(COMMANDS)
    # What is in no description: figures without names, and what is not there.
    assert {one for one in routes if not one.startswith("/api/v1")} == {
        "/api/{rest:path}",
        "/health",
        "/metrics",
        "/ready",
    }


async def test_every_command_of_the_api_has_a_way_and_a_row() -> None:
    kinds = {one.__struct_config__.tag for one in api.Command.__args__}

    assert kinds == set(COMMANDS)


async def test_over_a_socket_as_over_rest(cast: Cast) -> None:
    """Staff do not play, strangers do nothing, whichever way they come."""
    for who, code in (
        ("nobody", "signin/needed"),
        ("dealer", "server/patrons-only"),
        ("auditor", "server/patrons-only"),
    ):
        async with Live(cast.house.url, cast.tokens[who]) as live:
            with pytest.raises(RefusedError) as caught:
                await live.do(api.Deposit(amount=5))
            assert caught.value.code == code


# --- another's ------------------------------------------------------------------------------------


async def test_nobody_acts_on_anothers_money_bets_or_vouchers(cast: Cast) -> None:
    """There is no field for another's name, so everything is one's own."""
    one, other = "ann", "ben"
    for name in (one, other):
        await cast.house.person(name)
        await cast.sign_in(name)
    issued = (await cast.do(one, "issue-voucher", amount=1_000)).json()
    await cast.do(one, "buy-in", amount=50_000)
    await cast.do(one, "take-seat", box=1)
    taken = await cast.do(other, "take-seat", box=1)
    mine = (await cast.get(one, "/api/v1/me/wallet")).json()
    theirs = (await cast.get(other, "/api/v1/me/wallet")).json()

    assert taken.status_code == 409
    assert mine["wallet"] == MONEY - 51_000
    assert (theirs["wallet"], theirs["stacks"]) == (MONEY, [])
    assert (await cast.do(other, "cash-out", amount=1)).status_code == 409
    assert (await cast.get(other, "/api/v1/me/vouchers")).json() == {"vouchers": []}
    (listed,) = (await cast.get(one, "/api/v1/me/vouchers")).json()["vouchers"]
    assert listed["number"] == issued["voucher"]["number"]
    assert (await cast.get(other, "/api/v1/me/rounds")).json()["rounds"] == []


async def test_only_the_operator_and_the_shift_manager_arrange_people(cast: Cast) -> None:
    new = {"name": "a new one", "password": "long enough", "role": "dealer", "reason": "hired"}
    asked = {
        "/api/v1/staff/people": new,
        "/api/v1/staff/people/s-1": {"barred": True, "reason": "left"},
    }
    for path, body in asked.items():
        found = {}
        for who in EVERYBODY:
            told = await cast.http.post(path, json=body, headers=cast.headers(who))
            found[who] = allowed(told)
        assert found == {who: who in MAY["arrangers"] for who in EVERYBODY}, path


@pytest.mark.parametrize("field", ["patron", "to"])
async def test_a_command_names_nobody(cast: Cast, field: str) -> None:
    """So there is no transfer from patron to patron either."""
    other = await cast.house.person("another patron")
    for command in COMMANDS:
        answer = await cast.do("patron", command, **{field: other.id})
        assert answer.status_code in (400, 403), (command, answer.text)


async def test_no_command_moves_money_from_patron_to_patron() -> None:
    """Of all fields of all commands none can hold a person."""
    staff = set(house_api.StaffCommand.__args__)
    patrons = set(api.Command.__args__) - staff
    fields = {name for one in patrons for name in one.__struct_fields__}
    # Staff act for one patron at a time, and there is nobody whom they could act towards.
    named = [{"patron", "person"} & set(one.__struct_fields__) for one in staff]
    assert max(map(len, named)) == 1

    assert fields == {
        "always",
        "amount",
        "bets",
        "box",
        "continues",
        "giver",
        "kind",
        "length",
        "number",
        "round",
        "seal",
        "seed",
        "side",
        "spot",
        "stake",
        "table",
        "times",
    }


# --- browsers -------------------------------------------------------------------------------------


async def signed_by_cookie(cast: Cast) -> tuple[dict[str, str], str]:
    told = await cast.http.post("/api/v1/sign-in", json={"name": "patron", "password": PASSWORD})
    cast.http.cookies.clear()
    signed = told.json()
    return {"cookie": f"{SECURE_COOKIE}={signed['token']}"}, signed["csrf"]


@pytest.mark.parametrize(
    ("extra", "status"),
    [
        ({}, 403),
        ({"x-csrf-token": "wrong"}, 403),
        ({"x-csrf-token": "{csrf}"}, 200),
        ({"x-csrf-token": "{csrf}", "origin": "{own}"}, 200),
        ({"x-csrf-token": "{csrf}", "origin": "https://evil.example"}, 403),
        ({"x-csrf-token": "{csrf}", "origin": "null"}, 403),
        ({"x-csrf-token": "", "origin": "{own}"}, 403),
    ],
)
async def test_a_cookie_alone_changes_nothing(
    cast: Cast, extra: dict[str, str], status: int
) -> None:
    cookie, csrf = await signed_by_cookie(cast)
    told = {
        name: value.format(csrf=csrf, own=cast.house.url) if "{" in value else value
        for name, value in extra.items()
    }
    answer = await cast.http.post(
        "/api/v1/me/deposits",
        json={"amount": 5},
        headers={**cookie, **told, "idempotency-key": new_key()},
    )

    assert answer.status_code == status, answer.text


async def test_a_cookie_of_a_plain_name_is_not_looked_at(cast: Cast) -> None:
    answer = await cast.http.get(
        "/api/v1/me", headers={"cookie": f"cutcard={cast.tokens['patron']}"}
    )

    assert answer.status_code == 401


async def test_a_bearer_needs_neither_origin_nor_csrf(cast: Cast) -> None:
    assert (await cast.do("patron", "deposit")).status_code == 200


async def test_signing_in_from_a_foreign_page_is_refused(cast: Cast) -> None:
    answer = await cast.http.post(
        "/api/v1/sign-in",
        json={"name": "patron", "password": PASSWORD},
        headers={"origin": "https://evil.example"},
    )

    assert (answer.status_code, answer.json()["code"]) == (403, "server/origin")


@pytest.mark.parametrize(
    ("origin", "who"),
    [("{own}", "patron"), (None, None), ("https://evil.example", 403), ("null", 403)],
)
async def test_a_socket_with_a_cookie(
    cast: Cast, origin: str | None, who: str | int | None
) -> None:
    """From our own page it is somebody; from none it is anybody; from another's it is refused."""
    cookie, _ = await signed_by_cookie(cast)
    headers = {**cookie, **({"origin": origin.format(own=cast.house.url)} if origin else {})}
    url = cast.house.url.replace("http", "ws") + "/api/v1/live"
    if who == 403:
        with pytest.raises(InvalidStatus) as caught:
            await websocket(url, additional_headers=headers)
        assert caught.value.response.status_code == 403
        return
    async with websocket(url, additional_headers=headers) as socket:
        you = json.loads(await socket.recv())["you"]
    assert (you["name"] if you else None) == who
