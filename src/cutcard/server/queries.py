"""Questions over REST: lobby, tables, one's own money and rounds, odds, proofs, health."""

import asyncio
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter

from cutcard import patron
from cutcard.chain import anchor, start
from cutcard.chain.signing import public_key
from cutcard.fairness import record as steps
from cutcard.ledger import debt, stack, wallet
from cutcard.odds import Composition, odds
from cutcard.refusals import Refusal
from cutcard.roads.result import LETTERS
from cutcard.rulebooks import MORE, clauses, printed, rulebooks
from cutcard.rules.rulebook import Rulebook
from cutcard.server.commands import TABLE, refusals
from cutcard.server.consoles import INSPECTORS
from cutcard.server.headers import clear_cookie, cookie_name, set_cookie
from cutcard.server.limits import network
from cutcard.server.memory import Memory
from cutcard.server.priced import (
    Priced,
    certificate_page,
    made_up,
    odds_document,
    removal_document,
    variant,
)
from cutcard.server.staffview import acting
from cutcard.venue import in_play
from cutcard.wire import answers
from cutcard.wire.shown import limits_shown

if TYPE_CHECKING:
    from cutcard.server.app import App
    from cutcard.server.signin import Signed

Anybody = Request[Any, Any, Any]
Table = Annotated[str, TABLE]
ROUND = PathParameter(ge=1, le=100_000)
GUESTS_A_MINUTE = 20
RECALLED = 10
"""The last round and nine before it."""


class SignInBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    password: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


def query_routes(app: "App") -> list[HTTPRouteHandler]:
    return [
        *_people(app),
        *_tables(app),
        *_own(app),
        *_proofs(app),
        *_house(app),
        *_books(app),
    ]


# --- signing in -----------------------------------------------------------------------------------


def _people(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    def you(signed: "Signed") -> answers.You:
        who = signed.person
        acts = acting(server.staff, who) if who.kind == "staff" else None
        role, until = (acts[0].value, acts[1]) if acts else (None, None)
        return answers.You(
            who.id, who.name, who.kind, who.role, who.language, signed.csrf, role, until
        )

    @post(
        "/api/v1/sign-in",
        tags=["people"],
        summary="Sign in.",
        status_code=200,
        responses=refusals(401, 403, 409, 413, 429),
    )
    async def sign_in(request: Anybody, data: JSONBody[SignInBody]) -> Response[answers.SignedIn]:
        app.check_origin(request)
        scope: Any = request.scope
        name = cookie_name(app.scheme(scope), request.headers.get("host", ""), server.config)
        signed = await server.signin.sign_in(data.name, data.password, app.address(scope))
        server.staff.greet(signed.person)
        server.begin_session(signed.person)
        await server.desk.settled()
        body = answers.SignedIn(you(signed), signed.csrf, signed.token)
        cookie = set_cookie(name, signed.token, server.config)
        return Response(body, headers={"set-cookie": cookie})

    @post(
        "/api/v1/guests",
        tags=["people"],
        summary="A seat for somebody new, where the venue plays for nothing.",
        status_code=200,
        responses=refusals(403, 409, 429),
    )
    async def guest(request: Anybody) -> Response[answers.SignedIn]:
        app.check_origin(request)
        scope: Any = request.scope
        name = cookie_name(app.scheme(scope), request.headers.get("host", ""), server.config)
        if app.guests.take(app.address(scope), server.desk.now()):
            raise Refusal("server/too-fast", {"most": GUESTS_A_MINUTE})
        signed = await server.guest()
        body = answers.SignedIn(you(signed), signed.csrf, signed.token)
        cookie = set_cookie(name, signed.token, server.config)
        return Response(body, headers={"set-cookie": cookie})

    @post(
        "/api/v1/sign-out",
        tags=["people"],
        summary="Sign out.",
        status_code=200,
        responses=refusals(401, 403),
    )
    async def sign_out(request: Anybody) -> Response[dict[str, bool]]:
        signed = await app.who(request)
        await server.signin.sign_out(signed.token)
        await server.desk.settled()
        scope: Any = request.scope
        name = cookie_name(app.scheme(scope), request.headers.get("host", ""), server.config)
        return Response({"signed_out": True}, headers={"set-cookie": clear_cookie(name)})

    @get("/api/v1/me", tags=["people"], summary="Who is signed in.", responses=refusals(401))
    async def me(request: Anybody) -> answers.You:
        return you(await app.who(request))

    return [sign_in, guest, sign_out, me]


# --- tables ---------------------------------------------------------------------------------------


def _tables(app: "App") -> list[HTTPRouteHandler]:
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
        if signed is not None and signed.person.kind == "patron":
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


# --- one's own ------------------------------------------------------------------------------------


def _own(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    async def patron_of(request: Anybody) -> str:
        signed = await app.who(request)
        if signed.person.kind != "patron":
            raise Refusal("server/patrons-only")
        return signed.person.id

    @get(
        "/api/v1/me/wallet",
        tags=["money"],
        summary="One's money: wallet, stacks, debt.",
        responses=refusals(401, 403),
    )
    async def money(request: Anybody) -> answers.WalletShown:
        who = await patron_of(request)
        venue, books = server.desk.shown, server.desk.books
        stacks = [
            answers.StackShown(name, venue.table(name).stacks.get(who, 0), held)
            for name in server.arranged
            if (held := venue.ledger.held(stack(name, who)))
            or venue.table(name).stacks.get(who)
            or in_play(venue, name, who, books)
        ]
        return answers.WalletShown(
            venue.ledger.available(wallet(who)), -venue.ledger.balance(debt(who)), stacks
        )

    @get(
        "/api/v1/me/vouchers",
        tags=["money"],
        summary="Vouchers that one had issued.",
        responses=refusals(401, 403),
    )
    async def vouchers(request: Anybody) -> answers.Vouchers:
        who = await patron_of(request)
        found = await server.store.papers(who)
        told, language = server.counter.voucher, app.language(request, await app.who(request))
        return answers.Vouchers([told(one.number, language) for one in found])

    @get(
        "/api/v1/me/rounds",
        tags=["history"],
        summary="The last ten rounds that one had bets in, or those between two times.",
        responses=refusals(401, 403),
    )
    async def history(
        request: Anybody,
        most: Annotated[int, QueryParameter(ge=1, le=200)] = RECALLED,
        since: Annotated[int, QueryParameter(ge=0, le=10**15)] = 0,
        until: Annotated[int | None, QueryParameter(ge=0, le=10**15)] = None,
    ) -> answers.History:
        who = await patron_of(request)
        return answers.History(True, await Memory(server.desk).history(who, most, since, until))

    @get(
        "/api/v1/me/protection",
        tags=["protection"],
        summary="One's own limits, and how long and at what price one has played.",
        responses=refusals(401, 403),
    )
    async def protection(request: Anybody) -> answers.Protection:
        who = await patron_of(request)
        now, own = server.desk.now(), server.desk.shown.patron(who)
        check = patron.reality_check(own, now)
        return answers.Protection(
            limits=[_limit(own, kind, now) for kind in patron.Kind],
            time_out_until=own.time_out_until if own.time_out_until > now else None,
            excluded_until=own.excluded_until
            if now < own.excluded_until < patron.FOREVER
            else None,
            excluded_for_good=own.excluded_until == patron.FOREVER,
            elapsed=check.elapsed if check else None,
            net=check.net if check else None,
            check_due=check.due if check else False,
            next_check=check.next_at if check else None,
            time_left=own.time_left(now),
            helpline=server.config.venue.helpline,
        )

    return [money, vouchers, history, protection]


def _limit(own: patron.Patron, kind: patron.Kind, now: int) -> answers.OwnLimit:
    waited = own.loosening(kind, now)
    return answers.OwnLimit(
        kind.value,
        own.limit(kind, now),
        waited.amount if waited else None,
        waited.effective_at if waited else None,
    )


# --- proof ----------------------------------------------------------------------------------------


def _proofs(app: "App") -> list[HTTPRouteHandler]:
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
        if found is None:
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


# --- the house ------------------------------------------------------------------------------------


def _house(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    @get("/api/v1/time", tags=["house"], summary="The server's time.", responses=refusals())
    async def time() -> dict[str, int]:
        return {"now": server.desk.now()}

    @get("/health", tags=["house"], summary="Whether the server runs.", responses=refusals())
    async def health() -> Response[answers.Health]:
        return Response(answers.Health("ok", server.desk.now()))

    @get("/ready", tags=["house"], summary="Whether commands are taken.", responses=refusals())
    async def ready() -> Response[answers.Health]:
        if not server.ready or server.desk.stopped is not None:
            raise Refusal("server/not-ready")
        await server.store.ping()
        return Response(answers.Health("ready", server.desk.now()))

    @get("/metrics", include_in_schema=False)
    async def metrics() -> Response[bytes]:
        figures = server.operations
        figures.commits.set(server.desk.commits)
        figures.waiting.set(server.desk.waiting)
        figures.sockets.set(len(server.live.sockets))
        figures.passed_over.set(server.live.passed_over)
        figures.tables.set(sum(server.desk.shown.table(name).open for name in server.arranged))
        figures.ready.set(server.ready)
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


# --- books ----------------------------------------------------------------------------------------

BOOK = PathParameter(pattern=r"^[a-z0-9-]+$", max_length=64, description="The rule set's id.")
DECKS = QueryParameter(ge=1, le=8, description="Decks of the shoe; as usual unless told.")
STUDY = PathParameter(pattern=r"^[a-z-]+$", max_length=32, description="Which study.")
BET = QueryParameter(max_length=64, description="The spot that is bet on.")
ROUNDS = QueryParameter(ge=1, le=2_000, description="Rounds that are played, or an hour has.")
STAKE = QueryParameter(ge=1, le=10**9, description="In minor units.")
SEED = QueryParameter(ge=1, le=10**9, description="The same seed deals the same shoes.")
REMOVE = QueryParameter(max_length=1300, description="Cards that have left it: `9h 9s`.")


def _books(app: "App") -> list[HTTPRouteHandler]:
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
