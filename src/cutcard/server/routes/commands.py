"""Commands over REST: one route for each, made from the message's own type."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from litestar import Request, Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, JSONBody

from cutcard.refusals import Refusal
from cutcard.server.routes.asking import REFUSED, TABLE, misread
from cutcard.wire import api, house

if TYPE_CHECKING:
    from cutcard.server.app import App

KEY = HeaderParameter(
    name="Idempotency-Key",
    min_length=8,
    max_length=64,
    pattern=r"^[A-Za-z0-9_.:-]+$",
    description="Made up by the caller, new for each command: the same key is answered the "
    "same and never done twice.",
)


@dataclass(frozen=True, slots=True)
class Way:
    """A command and its address below /api/v1."""

    kind: type[Any]
    path: str
    tag: str

    @property
    def at_table(self) -> bool:
        return "{table:str}" in self.path


AT = "/tables/{table:str}"


def staff_path(tag: str, at_table: bool) -> str:
    """Where a command of staff goes."""
    return f"{AT if at_table else ''}/staff/{tag}"


WAYS: Sequence[Way] = (
    Way(api.Deposit, "/me/deposits", "money"),
    Way(api.Withdraw, "/me/withdrawals", "money"),
    Way(api.PayDebt, "/me/debt/payments", "money"),
    Way(api.IssueVoucher, "/me/vouchers", "money"),
    Way(api.RedeemVoucher, "/me/vouchers/redeemed", "money"),
    Way(api.BuyIn, f"{AT}/buy-in", "money"),
    Way(api.CashOut, f"{AT}/cash-out", "money"),
    Way(api.LoadCredit, f"{AT}/credit", "money"),
    Way(api.UnloadCredit, f"{AT}/credit/off", "money"),
    Way(api.TakeSeat, f"{AT}/seat", "table"),
    Way(api.LeaveSeat, f"{AT}/seat/leave", "table"),
    Way(api.PlaceBet, f"{AT}/bets", "bets"),
    Way(api.PlaceBets, f"{AT}/bets/several", "bets"),
    Way(api.ChangeBet, f"{AT}/bets/change", "bets"),
    Way(api.WithdrawBet, f"{AT}/bets/withdraw", "bets"),
    Way(api.Rebet, f"{AT}/bets/rebet", "bets"),
    Way(api.Decide, f"{AT}/decision", "bets"),
    Way(api.AlwaysContinue, f"{AT}/always-continue", "bets"),
    Way(api.ChooseOption, f"{AT}/option", "bets"),
    Way(api.RequestSqueeze, f"{AT}/squeeze", "table"),
    Way(api.OpenNow, f"{AT}/squeeze/open", "table"),
    Way(api.CallStaff, f"{AT}/call-staff", "table"),
    Way(api.SealSeed, f"{AT}/seeds/sealed", "proof"),
    Way(api.GiveSeed, f"{AT}/seeds/given", "proof"),
    Way(api.SetLimit, "/me/limits", "protection"),
    Way(api.CancelLoosening, "/me/limits/kept", "protection"),
    Way(api.TakeTimeOut, "/me/time-out", "protection"),
    Way(api.SelfExclude, "/me/exclusion", "protection"),
    Way(api.AcknowledgeRealityCheck, "/me/reality-check", "protection"),
    Way(house.SwitchDealer, f"{AT}/automatic-dealer", "staff"),
    *(
        Way(
            kind, staff_path(kind.__struct_config__.tag, "table" in kind.__struct_fields__), "staff"
        )
        for kind in house.StaffCommand.__args__
        if kind is not house.SwitchDealer
    ),
)


def command_routes(app: "App") -> list[HTTPRouteHandler]:
    return [_route(app, way) for way in WAYS]


@cache
def body_of(way: Way) -> type[msgspec.Struct]:
    """What is sent: the message's fields, without its name and what the address says."""
    told = msgspec.structs.fields(way.kind)
    fields: list[Any] = []
    for one in told:
        if way.at_table and one.name == "table":
            continue
        required = one.default is msgspec.NODEFAULT
        fields.append((one.name, one.type) if required else (one.name, one.type, one.default))
    return msgspec.defstruct(
        f"{way.kind.__name__}Body", fields, kw_only=True, frozen=True, forbid_unknown_fields=True
    )


def exactly(body: type[msgspec.Struct], media: str, sent: bytes) -> msgspec.Struct:
    """What was sent, as it is described: the framework takes "5" for 5."""
    if media != "application/json":
        raise Refusal("server/message", {"reason": "Content-Type: application/json"})
    try:
        return msgspec.convert(_whole(msgspec.json.decode(sent)), body)
    except msgspec.DecodeError as error:
        raise misread(str(error)) from None


def _whole(told: Any) -> Any:
    """JSON knows numbers only, and its schemas count 5.0 among the integers."""
    if isinstance(told, dict):
        return {name: _whole(one) for name, one in told.items()}
    if isinstance(told, list):
        return [_whole(one) for one in told]
    return int(told) if isinstance(told, float) and told.is_integer() else told


def _route(app: "App", way: Way) -> HTTPRouteHandler:
    body = body_of(way)

    async def perform(request: Request[Any, Any, Any], key: str, **address: str) -> Response[Any]:
        from cutcard.server.app import answered

        try:
            signed = await app.who(request)
            sent = exactly(body, request.content_type[0], await request.body())
            command = way.kind(**address, **msgspec.structs.asdict(sent))
            who = replace(signed.person, language=app.language(request, signed))
            answer = await app.do(who, key, command, api.encode(command))
        except Refusal as refusal:
            return app.refusal(refusal, app.language(request), key)
        if answer.startswith(b'{"is":"refused"'):
            return answered(answer, app.status_of(answer))
        return answered(answer)

    async def at_table(
        request: Request[Any, Any, Any],
        table: Annotated[str, TABLE],
        data: JSONBody[body],  # type: ignore[valid-type]  # noqa: ARG001
        key: Annotated[str, KEY],
    ) -> Response[Any]:
        return await perform(request, key, table=table)

    async def anywhere(
        request: Request[Any, Any, Any],
        data: JSONBody[body],  # type: ignore[valid-type]  # noqa: ARG001
        key: Annotated[str, KEY],
    ) -> Response[Any]:
        return await perform(request, key)

    handler = at_table if way.at_table else anywhere
    handler.__name__ = way.kind.__name__
    about = (way.kind.__doc__ or way.kind.__name__).strip()
    return post(
        f"/api/v1{way.path}",
        name=way.kind.__struct_config__.tag,
        operation_id=way.kind.__struct_config__.tag,
        summary=about.splitlines()[0],
        tags=[way.tag],
        status_code=200,
        responses={200: ResponseSpec(api.Done, description="Done, and on disk."), **REFUSED},
        signature_types=[],
    )(handler)
