"""What a console asks at a table: the felt, advice, words, a lesson."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter

from cutcard.refusals import Refusal
from cutcard.refusals.catalogue import catalogue
from cutcard.rulebooks import load
from cutcard.school import lesson
from cutcard.server.routes.asking import EVERYBODY, Anybody, Table, staff_refusals
from cutcard.server.staffview import SEE, advice_shown, kinds_shown, shown
from cutcard.store import Significant
from cutcard.wire.bodies import UnlockBody
from cutcard.wire.staffed import AdviceShown, KindShown, StaffShown

if TYPE_CHECKING:
    from cutcard.server.app import App


def console_routes(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    @get(
        "/api/v1/tables/{table:str}/staff",
        tags=["staff"],
        summary="Staff: a table with every bet, and the one thing to do next.",
        responses=staff_refusals(404),
    )
    async def felt(request: Anybody, table: Table) -> StaffShown:
        person = await app.staff(request, SEE)
        app.check_table(table)
        return shown(server.staff, table, person)

    @get(
        "/api/v1/tables/{table:str}/kinds",
        tags=["staff"],
        summary="Staff: everything that can go wrong at a table, by its book.",
        responses=staff_refusals(404),
    )
    async def kinds(request: Anybody, table: Table) -> list[KindShown]:
        await app.staff(request, SEE)
        app.check_table(table)
        return kinds_shown(server.desk.books[table], app.language(request))

    @get(
        "/api/v1/tables/{table:str}/advice",
        tags=["staff"],
        summary="Staff: what the book orders about what is wrong, and what each step would cost.",
        responses=staff_refusals(404, 409),
    )
    async def advice(
        request: Anybody,
        table: Table,
        kind: Annotated[str | None, QueryParameter(max_length=64)] = None,
    ) -> Response[AdviceShown | None]:
        await app.staff(request, SEE)
        app.check_table(table)
        book, language = server.desk.books[table], app.language(request)
        asked = (table, server.desk.shown.table(table).seq, kind, language)
        # Every way a round can end is counted, which takes a moment: once for everybody.
        async with app.advising:
            if asked not in app.advised:
                app.advised.clear()
                app.advised[asked] = await asyncio.to_thread(
                    advice_shown, server.staff, table, book, kind, language
                )
        return Response(app.advised.get(asked))

    @get(
        "/api/v1/staff/words",
        tags=["staff"],
        summary="Staff: what irregularities and steps are called, in one's language.",
        responses=staff_refusals(),
    )
    async def trade(request: Anybody) -> dict[str, dict[str, str]]:
        await app.staff(request, EVERYBODY)
        known = catalogue(app.language(request))
        return {kind: dict(known[kind]) for kind in ("kind", "step")}

    @post(
        "/api/v1/unlock",
        tags=["staff"],
        summary="Staff: unlock one's console with the password.",
        status_code=200,
        responses=staff_refusals(409, 429),
    )
    async def unlock(request: Anybody, data: JSONBody[UnlockBody]) -> dict[str, bool]:
        signed = await app.who(request)
        if signed.person.kind != "staff":
            raise Refusal("server/staff-only")
        scope: Any = request.scope
        await server.signin.confirm(signed, data.password, app.address(scope))
        server.staff.greet(signed.person)
        server.desk.note(Significant(server.desk.now(), "console unlocked", signed.person.id))
        await server.desk.settled()
        for name in server.arranged:
            server.felt.tell(name)
        return {"unlocked": True}

    @get(
        "/api/v1/school/{book:str}",
        tags=["staff"],
        summary="Staff: a lesson for dealers, with its questions and why each answer is right.",
        responses=staff_refusals(404, 409),
    )
    async def school(
        request: Anybody,
        book: Annotated[str, PathParameter(pattern=r"^[a-z0-9-]+$", max_length=64)],
        seed: Annotated[int, QueryParameter(ge=0, le=10**6)] = 0,
        kind: Annotated[str | None, QueryParameter(max_length=64)] = None,
    ) -> dict[str, Any]:
        await app.staff(request, EVERYBODY)
        found = next((one for one in server.desk.books.values() if one.id == book), None)
        made = await asyncio.to_thread(lesson, found or load(book), seed, kind)
        return made.document()

    return [felt, kinds, advice, trade, unlock, school]
