"""Questions about the house: time, health, figures, what an inspector would ask about."""

from typing import TYPE_CHECKING, Annotated, Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from cutcard.refusals import Refusal
from cutcard.server.memory import Memory
from cutcard.server.routes.asking import INSPECTORS, Anybody, Table, refusals
from cutcard.wire import answers

if TYPE_CHECKING:
    from cutcard.server.app import App


def house_routes(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    @get("/api/v1/time", tags=["house"], summary="The server's time.", responses=refusals())
    async def time() -> dict[str, int]:
        return {"now": server.desk.now()}

    @get("/health", tags=["house"], summary="Whether the server runs.", responses=refusals())
    async def health() -> Response[answers.Health]:
        return Response(answers.Health("ok", server.desk.now()))

    async def check_ready() -> None:
        if not server.ready or server.lapsed or server.desk.stopped is not None:
            raise Refusal("server/not-ready")
        await server.store.ping()

    async def is_ready() -> bool:
        try:
            await check_ready()
        except Refusal:
            return False
        return True

    @get("/ready", tags=["house"], summary="Whether commands are taken.", responses=refusals())
    async def ready() -> Response[answers.Health]:
        await check_ready()
        return Response(answers.Health("ready", server.desk.now()))

    @get("/metrics", include_in_schema=False)
    async def metrics() -> Response[bytes]:
        figures = server.operations
        figures.commits.set(server.desk.commits)
        figures.waiting.set(server.desk.waiting)
        figures.sockets.set(len(server.live.sockets))
        figures.passed_over.set(server.live.passed_over)
        figures.tables.set(sum(server.desk.shown.table(name).open for name in server.arranged))
        figures.ready.set(await is_ready())
        return Response(figures.figures(), media_type="text/plain; version=0.0.4")

    @get(
        "/api/v1/significant-events",
        tags=["staff"],
        summary="Staff: what an inspector would ask about, the latest first.",
        responses=refusals(401, 403),
    )
    async def significant(
        request: Anybody,
        most: Annotated[int, QueryParameter(ge=1, le=1000)] = 100,
        since: Annotated[int, QueryParameter(ge=0, le=10**15)] = 0,
    ) -> list[answers.SignificantShown]:
        await app.staff(request, INSPECTORS)
        return [
            answers.SignificantShown(
                one.at,
                one.kind,
                one.who,
                one.where,
                one.why,
                one.before,
                one.after,
                server.staff.name(one.who),
            )
            for one in await server.store.significant(most, since)
        ]

    @get(
        "/api/v1/tables/{table:str}/pack",
        tags=["staff"],
        summary="Staff: the dispute pack of a table, or of one round (2/17).",
        responses=refusals(401, 403, 404, 409),
    )
    async def pack(
        request: Anybody,
        table: Table,
        round: Annotated[
            str | None, QueryParameter(pattern=r"^[0-9]+/[0-9]+$", max_length=24)
        ] = None,
    ) -> dict[str, Any]:
        await app.staff(request, INSPECTORS)
        app.check_table(table)
        async with app.packing:
            return await Memory(server.desk).pack(table, round)

    return [time, health, ready, metrics, significant, pack]
