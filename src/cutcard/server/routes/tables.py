"""Questions about a table: the lobby, what one shows, its book, its odds, its rounds."""

import asyncio
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from cutcard.odds import Composition, odds
from cutcard.roads.result import LETTERS
from cutcard.rulebooks import clauses, printed
from cutcard.rules.rulebook import Rulebook
from cutcard.server.memory import RECALLED, Memory
from cutcard.server.routes.asking import ROUND, Anybody, Table, refusals
from cutcard.wire import answers
from cutcard.wire.shown import limits_shown

if TYPE_CHECKING:
    from cutcard.server.app import App


def table_routes(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    def in_lobby(name: str, title: str) -> answers.LobbyTable:
        table = server.desk.shown.table(name)
        settings = server.config.table(name)
        shown = server.live.table(name)
        setup = (table.setup if table.open else None) or server.arranged[name].setup
        return answers.LobbyTable(
            table=name,
            title=title,
            book=server.desk.books[name].id,
            book_name=server.desk.books[name].name,
            deals=settings.deals.value,
            face_down=setup.face_down,
            dealing=server.clockwork.on[name],
            open=shown.open,
            phase=shown.phase,
            until=shown.until,
            shoe=shown.shoe,
            round=shown.round,
            layout=setup.layout,
            boxes=setup.boxes,
            taken_boxes=shown.taken_boxes,
            patrons=shown.patrons,
            limits=limits_shown(table.limits or setup.limits),
            winners="".join(LETTERS[one.winner] for one in table.results),
            decks=setup.decks,
            continuous=setup.continuous,
        )

    @get("/api/v1/tables", tags=["table"], summary="The lobby.", responses=refusals())
    async def lobby() -> answers.Lobby:
        venue = server.config.venue
        return answers.Lobby(
            venue=venue.name,
            currency=venue.currency.code,
            digits=venue.currency.digits,
            helpline=venue.helpline,
            address=venue.address,
            telephone=venue.telephone,
            site=venue.site,
            language=venue.language,
            theme=venue.theme,
            self_service=server.config.money.self_service,
            now=server.desk.now(),
            tables=[in_lobby(name, title) for name, title in server.titles().items()],
        )

    @get(
        "/api/v1/tables/{table:str}",
        tags=["table"],
        summary="A table now, with one's own bets there.",
        responses=refusals(404),
    )
    async def state(request: Anybody, table: Table) -> answers.TableState:
        app.check_table(table)
        signed = await app.maybe(request)
        own = None
        if signed is not None and signed.person.plays:
            own = server.live.own(table, signed.person.id)
        seq = server.desk.shown.table(table).seq
        return answers.TableState(seq, server.desk.now(), server.live.table(table), own)

    @get(
        "/api/v1/tables/{table:str}/book",
        tags=["table"],
        summary="The rulebook that the table plays by: bets, pay table, limits, clauses.",
        responses=refusals(404),
    )
    async def book(table: Table) -> dict[str, Any]:
        app.check_table(table)
        return printed.book_document(server.desk.books[table], clauses(server.desk.books[table]))

    @get(
        "/api/v1/tables/{table:str}/odds",
        tags=["table"],
        summary="The exact odds and house edge of every bet, for a fresh shoe.",
        responses=refusals(404),
    )
    async def exact(table: Table) -> dict[str, Any]:
        app.check_table(table)
        setup = server.desk.shown.table(table).setup or server.arranged[table].setup
        decks = setup.decks
        loop = asyncio.get_running_loop()
        # One at a time: the first takes seconds, and everybody after it nothing.
        async with app.pricing:
            return await loop.run_in_executor(None, _odds, server.desk.books[table], decks)

    @get(
        "/api/v1/tables/{table:str}/rounds",
        tags=["table"],
        summary="The table's last rounds.",
        responses=refusals(404),
    )
    async def rounds(
        table: Table, most: Annotated[int, QueryParameter(ge=1, le=100)] = RECALLED
    ) -> answers.Rounds:
        app.check_table(table)
        return answers.Rounds(await Memory(server.desk).latest(table, most))

    @get(
        "/api/v1/tables/{table:str}/rounds/{shoe:int}/{number:int}",
        tags=["table"],
        summary="One round that is over.",
        responses=refusals(404, 409),
    )
    async def one_round(
        table: Table, shoe: Annotated[int, ROUND], number: Annotated[int, ROUND]
    ) -> answers.RoundShown:
        app.check_table(table)
        return await Memory(server.desk).shown(table, f"{shoe}/{number}")

    return [lobby, state, book, exact, rounds, one_round]


@lru_cache(maxsize=64)
def _odds(book: Rulebook, decks: int) -> dict[str, Any]:
    return odds(book, Composition.of_decks(decks)).document()
