"""Questions about proof: the committed shoe, its cards, where a log stands."""

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter

from cutcard.chain import anchor, start
from cutcard.chain.signing import public_key
from cutcard.fairness import record as steps
from cutcard.fairness.shoe import FINISHED
from cutcard.server.memory import Memory
from cutcard.server.routes.asking import ROUND, Table, refusals
from cutcard.wire import answers

if TYPE_CHECKING:
    from cutcard.server.app import App


def proof_routes(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    @get(
        "/api/v1/tables/{table:str}/shoe",
        tags=["proof"],
        summary="The committed shoe in use, before and while it is dealt; null where it is cards.",
        responses=refusals(404),
    )
    async def shoe(table: Table) -> Response[answers.ShoeShown | None]:
        app.check_table(table)
        found = server.desk.shown_shoes.get(table)
        dealt = server.desk.shown.table(table).shoe
        if found is None or (
            dealt and found.phase in FINISHED and dealt.id != found.commitment.shoe
        ):
            return Response(None)
        return Response(
            answers.ShoeShown(
                shoe=found.commitment.shoe,
                number=found.commitment.number,
                phase=found.phase.value,
                commitment=steps.plain(found.commitment),
                seeds_until=found.commitment.seeds_until,
                seals=len(found.seals),
                left=found.left,
            )
        )

    @get(
        "/api/v1/tables/{table:str}/shoes/{number:int}",
        tags=["proof"],
        summary="A shoe's proof in one file, for `cutcard verify` and the page /verify.html.",
        responses=refusals(404),
    )
    async def shoe_pack(table: Table, number: Annotated[int, ROUND]) -> dict[str, Any]:
        app.check_table(table)
        return await Memory(server.desk).shoe(table, number)

    @get(
        "/api/v1/tables/{table:str}/shoes/{number:int}/cards/{place:int}",
        tags=["proof"],
        summary="The proof of one card, by its place of dealing from 0.",
        responses=refusals(404, 409),
    )
    async def card_pack(
        table: Table,
        number: Annotated[int, ROUND],
        place: Annotated[int, PathParameter(ge=0, le=415)],
    ) -> dict[str, Any]:
        app.check_table(table)
        return await Memory(server.desk).card(table, number, place)

    @get(
        "/api/v1/tables/{table:str}/head",
        tags=["proof"],
        summary="Where the table's log stands, as a line to photograph.",
        responses=refusals(404),
    )
    async def head(table: Table) -> answers.HeadShown:
        app.check_table(table)
        found = server.desk.shown_heads.get(table) or start(table)
        return answers.HeadShown(
            table, found.count, found.hash.hex(), str(anchor(found)), _key(server.keys.signing)
        )

    return [shoe, shoe_pack, card_pack, head]


@lru_cache(maxsize=4)
def _key(private: bytes) -> str:
    return public_key(private).hex()
