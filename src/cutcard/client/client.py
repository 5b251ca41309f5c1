"""Questions and commands over REST."""

import asyncio
import secrets
import ssl
from functools import cache
from types import TracebackType
from typing import Any

import httpx
import msgspec

from cutcard.client.live import Live
from cutcard.client.refused import RefusedError, check
from cutcard.wire import api, house

WAYS: dict[str, str] = {
    "deposit": "/me/deposits",
    "withdraw": "/me/withdrawals",
    "pay-debt": "/me/debt/payments",
    "issue-voucher": "/me/vouchers",
    "redeem-voucher": "/me/vouchers/redeemed",
    "buy-in": "/tables/{table}/buy-in",
    "cash-out": "/tables/{table}/cash-out",
    "load-credit": "/tables/{table}/credit",
    "unload-credit": "/tables/{table}/credit/off",
    "take-seat": "/tables/{table}/seat",
    "leave-seat": "/tables/{table}/seat/leave",
    "place-bet": "/tables/{table}/bets",
    "place-bets": "/tables/{table}/bets/several",
    "change-bet": "/tables/{table}/bets/change",
    "withdraw-bet": "/tables/{table}/bets/withdraw",
    "rebet": "/tables/{table}/bets/rebet",
    "decide": "/tables/{table}/decision",
    "always-continue": "/tables/{table}/always-continue",
    "choose-option": "/tables/{table}/option",
    "request-squeeze": "/tables/{table}/squeeze",
    "open-now": "/tables/{table}/squeeze/open",
    "call-staff": "/tables/{table}/call-staff",
    "seal-seed": "/tables/{table}/seeds/sealed",
    "give-seed": "/tables/{table}/seeds/given",
    "set-limit": "/me/limits",
    "cancel-loosening": "/me/limits/kept",
    "take-time-out": "/me/time-out",
    "self-exclude": "/me/exclusion",
    "acknowledge-reality-check": "/me/reality-check",
    **{
        kind.__struct_config__.tag: ("/tables/{table}" if "table" in kind.__struct_fields__ else "")
        + f"/staff/{kind.__struct_config__.tag}"
        for kind in house.StaffCommand.__args__
    },
    "switch-dealer": "/tables/{table}/automatic-dealer",
}
"""Where each command goes, below /api/v1."""

TRIES = 40
PAUSE = 0.25


@cache
def _trusted() -> ssl.SSLContext:
    """Whom this machine trusts, read once: that takes longer than many questions."""
    return httpx.create_ssl_context()


class Client:
    """Somebody who is signed in, or nobody."""

    def __init__(self, url: str, token: str = "", http: httpx.AsyncClient | None = None) -> None:
        self.url, self.token = url.rstrip("/"), token
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self._http = http or httpx.AsyncClient(timeout=60, verify=_trusted())
        self._headers = headers
        self.id = ""

    @classmethod
    async def sign_in(
        cls, url: str, name: str, password: str, http: httpx.AsyncClient | None = None
    ) -> "Client":
        client = cls(url, http=http)
        told = await client.post("/sign-in", {"name": name, "password": password})
        signed = cls(url, told["token"], client._http)
        signed.id = told["you"]["id"]
        return signed

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    async def get(self, path: str, **params: Any) -> Any:
        """The answer to a question."""
        found = await self._http.get(
            f"{self.url}/api/v1{path}", params=params, headers=self._headers
        )
        return check(found.content)

    async def post(self, path: str, body: Any, key: str | None = None) -> Any:
        headers = {**self._headers, "content-type": "application/json"}
        if key is not None:
            headers["idempotency-key"] = key
        found = await self._http.post(
            f"{self.url}/api/v1{path}", content=msgspec.json.encode(body), headers=headers
        )
        return check(found.content)

    async def do(self, command: api.Command, key: str | None = None) -> api.Done:
        """Have a command carried out, once: tried again with the same key if need be."""
        key = key or new_key()
        told = msgspec.to_builtins(command)
        path = WAYS[told.pop("is")]
        if "{table}" in path:
            path = path.format(table=told.pop("table"))
        for attempt in range(TRIES):
            try:
                return msgspec.convert(await self.post(path, told, key), api.Done)
            except httpx.TransportError:
                if attempt == TRIES - 1:
                    raise
            except RefusedError as refused:
                if not refused.passing or attempt == TRIES - 1:
                    raise
            await asyncio.sleep(PAUSE)
        raise AssertionError("the last attempt returns or raises")

    def live(self) -> Live:
        """A live connection in the same name."""
        return Live(self.url, self.token)


def new_key() -> str:
    return secrets.token_hex(12)
