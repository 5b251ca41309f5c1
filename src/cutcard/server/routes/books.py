"""Questions about rule sets and their exact odds."""

from typing import TYPE_CHECKING, Annotated, Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter, QueryParameter

from cutcard.refusals import Refusal
from cutcard.rulebooks import MORE, clauses, printed, rulebooks
from cutcard.rules.rulebook import Rulebook
from cutcard.server.limits import network
from cutcard.server.priced import (
    Priced,
    certificate_page,
    made_up,
    odds_document,
    removal_document,
    variant,
)
from cutcard.server.routes.asking import Anybody, refusals

if TYPE_CHECKING:
    from cutcard.server.app import App

BOOK = PathParameter(pattern=r"^[a-z0-9-]+$", max_length=64, description="The rule set's id.")
DECKS = QueryParameter(ge=1, le=8, description="Decks of the shoe; as usual unless told.")
STUDY = PathParameter(pattern=r"^[a-z-]+$", max_length=32, description="Which study.")
BET = QueryParameter(max_length=64, description="The spot that is bet on.")
ROUNDS = QueryParameter(ge=1, le=2_000, description="Rounds that are played, or an hour has.")
STAKE = QueryParameter(ge=1, le=10**9, description="In minor units.")
SEED = QueryParameter(ge=1, le=10**9, description="The same seed deals the same shoes.")
REMOVE = QueryParameter(max_length=1300, description="Cards that have left it: `9h 9s`.")


def book_routes(app: "App") -> list[HTTPRouteHandler]:
    """Rule sets and their exact odds, for any shoe but one that is being dealt from."""
    server, priced = app.server, Priced()

    def known() -> dict[str, Rulebook]:
        # A file's name is no book here: only what cutcard ships and what the venue plays.
        listed = (*rulebooks(), *rulebooks(MORE), *server.desk.books.values())
        return {book.id: book for book in listed}

    def named(id: str) -> Rulebook:
        found = known()
        if id not in found:
            raise Refusal("rulebook/unknown", {"book": id, "known": tuple(found)})
        return found[id]

    async def count(
        request: Anybody, work: Any, book: str, decks: int | None, remove: str
    ) -> tuple[Rulebook, Any]:
        found = named(book)
        scope: Any = request.scope
        shoe = made_up(found, decks, remove)
        address = network(app.address(scope))
        return found, await priced.ask(work, found, shoe, address, server.desk.now())

    @get("/api/v1/books", tags=["books"], summary="Every rule set.", responses=refusals())
    async def books() -> list[dict[str, Any]]:
        return [
            {**printed.book_summary(book), "variant": variant(book)} for book in known().values()
        ]

    @get(
        "/api/v1/books/{book:str}",
        tags=["books"],
        summary="A rule set in full: bets, pay table, limits, clauses.",
        responses=refusals(404),
    )
    async def one_book(book: Annotated[str, BOOK]) -> dict[str, Any]:
        found = named(book)
        return {**printed.book_document(found, clauses(found)), "variant": variant(found)}

    @get(
        "/api/v1/books/{book:str}/odds",
        tags=["books"],
        summary="Exact odds of every bet for a shoe of one's own making.",
        responses=refusals(404, 409, 429),
    )
    async def book_odds(
        request: Anybody,
        book: Annotated[str, BOOK],
        decks: Annotated[int | None, DECKS] = None,
        remove: Annotated[str, REMOVE] = "",
    ) -> dict[str, Any]:
        return (await count(request, odds_document, book, decks, remove))[1]  # type: ignore[no-any-return]

    @get(
        "/api/v1/books/{book:str}/removal",
        tags=["books"],
        summary="How each bet changes when one card of a rank leaves that shoe.",
        responses=refusals(404, 409, 429),
    )
    async def removal(
        request: Anybody,
        book: Annotated[str, BOOK],
        decks: Annotated[int | None, DECKS] = None,
        remove: Annotated[str, REMOVE] = "",
    ) -> dict[str, Any]:
        return (await count(request, removal_document, book, decks, remove))[1]  # type: ignore[no-any-return]

    @get(
        "/api/v1/books/{book:str}/certificate",
        tags=["books"],
        summary="The certificate of exact odds, one HTML file to keep.",
        media_type="text/html",
        responses=refusals(404, 409, 429),
    )
    async def sheet(
        request: Anybody,
        book: Annotated[str, BOOK],
        decks: Annotated[int | None, DECKS] = None,
        remove: Annotated[str, REMOVE] = "",
    ) -> Response[str]:
        found, page = await count(request, certificate_page, book, decks, remove)
        name = f'attachment; filename="{found.id}-odds.html"'
        return Response(page, media_type="text/html", headers={"content-disposition": name})

    @get(
        "/api/v1/books/{book:str}/studies/{study:str}",
        tags=["books"],
        summary="A study: what betting by this rule set comes to, by formula or by simulation.",
        responses=refusals(404, 409, 429, 503),
    )
    async def study(
        request: Anybody,
        book: Annotated[str, BOOK],
        study: Annotated[str, STUDY],
        bet: Annotated[str, BET] = "",
        decks: Annotated[int | None, DECKS] = None,
        rounds: Annotated[int | None, ROUNDS] = None,
        stake: Annotated[int | None, STAKE] = None,
        bankroll: Annotated[int | None, STAKE] = None,
        maximum: Annotated[int | None, STAKE] = None,
        goal: Annotated[int | None, STAKE] = None,
        seed: Annotated[int, SEED] = 1,
    ) -> dict[str, Any]:
        given = {
            "bet": bet,
            "decks": decks,
            "rounds": rounds,
            "stake": stake,
            "bankroll": bankroll,
            "maximum": maximum,
            "goal": goal,
            "seed": seed,
        }
        wishes = {name: value for name, value in given.items() if value not in (None, "")}
        scope: Any = request.scope
        address, now = network(app.address(scope)), server.desk.now()
        return await server.studied.ask(study, named(book), wishes, address, now)

    return [books, one_book, book_odds, removal, sheet, study]
