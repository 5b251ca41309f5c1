"""What consoles ask over REST: the staff's view of a table, advice, the wall, reports, people."""

import asyncio
import json
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter

from cutcard import patron
from cutcard.chain.signing import public_key
from cutcard.ledger import debt, wallet
from cutcard.odds.moments import Moments, moments
from cutcard.refusals import Refusal
from cutcard.refusals.catalogue import catalogue
from cutcard.round.events import Laid
from cutcard.round.state import FINISHED, Phase, Round
from cutcard.rulebooks import load
from cutcard.rules.limits import Kind, Scope
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.school import lesson
from cutcard.server.audit import verify
from cutcard.server.clockwork import DEALER, OPERATOR
from cutcard.server.commands import TABLE, refusals
from cutcard.server.figures import Figures, Known, catch_up, figures_of
from cutcard.server.replaying import book_hash, steps, told_of
from cutcard.server.signin import plain
from cutcard.server.staff import check_reason
from cutcard.server.staffview import SEE, advice_shown, kinds_shown, shown
from cutcard.store import Person, Significant, Store
from cutcard.table.incident import FOREIGN, MISCOUNT, SYSTEM, TOO_FEW, UNSHUFFLED
from cutcard.wire.staffed import AdviceShown, KindShown, StaffShown

if TYPE_CHECKING:
    from cutcard.server.app import App

Anybody = Request[Any, Any, Any]
Table = Annotated[str, TABLE]
Moment = Annotated[int, QueryParameter(ge=0, le=10**15)]
PIT = frozenset({"pit supervisor", "pit manager", "shift manager"})
INSPECTORS = PIT | {"auditor"}
"""Who may ask what everybody has done."""

OVERSEE = INSPECTORS | {"operator"}
ARRANGE = frozenset({"operator", "shift manager"})
"""Who takes people on, gives them a role, and bars them."""

EVERYBODY = SEE | {"cashier"}
SENTINEL = frozenset({FOREIGN, MISCOUNT, TOO_FEW, UNSHUFFLED})
"""What the table finds out about a shoe by itself."""

LARGE = ("large bet", "large win")
SHIFT_MS = 8 * 3_600_000
MOST_PATRONS = 50


class UnlockBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password once more."""

    password: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class NewPersonBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who begins to work here."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    password: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    role: Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class PersonBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What changes about somebody who works here."""

    role: Annotated[str, msgspec.Meta(min_length=1, max_length=32)] | None = None
    barred: bool | None = None
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


def console_routes(app: "App") -> list[HTTPRouteHandler]:
    return [*_at_tables(app), *_pit(app), *_people(app), *_reports(app)]


def _refusals(*codes: int) -> dict[int, Any]:
    """Only members of staff are answered here."""
    return refusals(401, 403, *codes)


# --- one table ------------------------------------------------------------------------------------


def _at_tables(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    @get(
        "/api/v1/tables/{table:str}/staff",
        tags=["staff"],
        summary="Staff: a table with every bet, and the one thing to do next.",
        responses=_refusals(404),
    )
    async def felt(request: Anybody, table: Table) -> StaffShown:
        person = await app.staff(request, SEE)
        app.check_table(table)
        return shown(server.staff, table, person)

    @get(
        "/api/v1/tables/{table:str}/kinds",
        tags=["staff"],
        summary="Staff: everything that can go wrong at a table, by its book.",
        responses=_refusals(404),
    )
    async def kinds(request: Anybody, table: Table) -> list[KindShown]:
        await app.staff(request, SEE)
        app.check_table(table)
        return kinds_shown(server.desk.books[table], app.language(request))

    @get(
        "/api/v1/tables/{table:str}/advice",
        tags=["staff"],
        summary="Staff: what the book orders about what is wrong, and what each step would cost.",
        responses=_refusals(404, 409),
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
        responses=_refusals(),
    )
    async def trade(request: Anybody) -> dict[str, dict[str, str]]:
        await app.staff(request, SEE)
        known = catalogue(app.language(request))
        return {kind: dict(known[kind]) for kind in ("kind", "step")}

    @post(
        "/api/v1/unlock",
        tags=["staff"],
        summary="Staff: unlock one's console with the password.",
        status_code=200,
        responses=_refusals(409, 429),
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
        responses=_refusals(404, 409),
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


# --- the pit --------------------------------------------------------------------------------------


class Shift:
    """The figures of the shift under way, read on from where they were read last."""

    def __init__(self, store: Store) -> None:
        self._store, self._reading = store, asyncio.Lock()
        self._found: dict[str, Figures] = {}

    async def of(self, log: str, now: int, known: Known | None) -> Figures:
        async with self._reading:
            found = self._found.get(log)
            if found is None or now - found.since > 2 * SHIFT_MS:
                since = max(0, now - SHIFT_MS)
                found = await figures_of(self._store, log, since, None, known)
                self._found[log] = found
            else:
                await catch_up(self._store, log, found, known)
            return found


@lru_cache(maxsize=64)
def _moments(book: Rulebook, decks: int) -> Moments:
    return moments(book, decks)


def _pit(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    async def expected(name: str) -> Known:
        book = server.desk.books[name]
        setup = server.desk.shown.table(name).setup or server.arranged[name].setup
        async with app.expecting:
            return Known(book.hash, await asyncio.to_thread(_moments, book, setup.decks))

    def on_wall(name: str, title: str, found: Figures) -> dict[str, Any]:
        table, call = server.desk.shown.table(name), server.staff.calls.get(name)
        now, choices = server.desk.now(), server.clockwork.choices[name]
        dealer = next(
            (
                one
                for one in table.staff.values()
                if one.role.value == "dealer" and one.person != DEALER
            ),
            None,
        )
        staked: dict[int, int] = {}
        for bet, stake in _counting(table.round):
            staked[bet.box] = staked.get(bet.box, 0) + stake
        boxes = sorted(staked.items(), key=lambda one: -one[1])[:3]
        return {
            "table": name,
            "title": title,
            "book": server.desk.books[name].id,
            "books": [{"book": one.setup.book, "name": one.book.name} for one in choices],
            "next_book": server.clockwork.tables[name].setup.book,
            "open": table.open,
            "closing_after": table.last_round,
            "phase": table.round.phase.value if table.open else "closed",
            "round": server.desk.shown_rounds.get(name, ""),
            "automatic": server.clockwork.on[name],
            "dealer": dealer and server.staff.name(dealer.person),
            "dealer_since": dealer and found.staff.get(dealer.person),
            "locked": dealer is not None and server.staff.locked(dealer.person, dealer.role),
            "patrons": len(table.round.own),
            "seated": len(table.seats),
            "boxes": [{"box": box, "staked": amount} for box, amount in boxes],
            "differential": _differential(table),
            "per_hour": found.per_hour,
            "rounds": found.rounds,
            "drop": found.meters.drop,
            "won": found.meters.won + found.meters.commission,
            "cards_left": table.shoe.left if table.shoe else None,
            "last_round": table.shoe is not None and table.shoe.cut_card,
            "wrong": table.incident and table.incident.kind,
            "choosing": sum(one is None for one in (table.options or {}).values()),
            "proposal": server.staff.proposed(name) is not None,
            "alarms": _alarms(name, table, found, call is not None and not call.answered_by),
            "now": now,
        }

    def _alarms(name: str, table: Any, found: Figures, called: bool) -> list[dict[str, Any]]:
        alarms: list[dict[str, Any]] = []
        if table.incident is not None:
            by_system = table.incident.kind in SENTINEL and table.incident.by == SYSTEM
            alarms.append(
                {"alarm": "sentinel" if by_system else "incident", "what": table.incident.kind}
            )
        if called:
            alarms.append({"alarm": "call", "what": server.staff.calls[name].note})
        if server.staff.proposed(name) is not None:
            alarms.append({"alarm": "second", "what": ""})
        if found.chart.drifts:
            alarms.append({"alarm": "drift", "what": ""})
        alarms += [{"alarm": "hold", "what": spot} for spot in found.chart.unusual]
        alarms += [
            {"alarm": "late", "what": server.staff.name(who)}
            for who in server.staff.often_late(name)
        ]
        if found.scans and found.unread * 100 > found.scans:
            alarms.append({"alarm": "scanner", "what": f"{found.unread}/{found.scans}"})
        return alarms

    @get(
        "/api/v1/pit",
        tags=["staff"],
        summary="Staff: the wall. Every table, how it goes, and its alarms.",
        responses=_refusals(),
    )
    async def wall(request: Anybody) -> dict[str, Any]:
        await app.staff(request, OVERSEE)
        now = server.desk.now()
        tables = []
        for name, title in server.titles().items():
            found = await app.shift.of(name, now, await expected(name))
            tables.append(on_wall(name, title, found))
        large = [
            {
                "at": one.at,
                "kind": one.kind,
                "who": server.staff.name(one.who),
                "table": one.where,
                "spot": one.why,
                "amount": int(one.after or 0),
            }
            for one in await server.store.significant(20, max(0, now - SHIFT_MS), LARGE)
        ]
        return {"now": now, "tables": tables, "large": large}

    @get(
        "/api/v1/tables/{table:str}/figures",
        tags=["staff"],
        summary="Staff: meters, incidents and the control chart of a table between two times.",
        responses=_refusals(404),
    )
    async def figures(
        request: Anybody, table: Table, since: Moment = 0, until: Moment = 0
    ) -> dict[str, Any]:
        await app.staff(request, OVERSEE)
        app.check_table(table)
        start = since or max(0, server.desk.now() - SHIFT_MS)
        known = await expected(table)
        found = await figures_of(server.store, table, start, until or None, known)
        return {"table": table, **found.document()}

    @get(
        "/api/v1/shoes",
        tags=["staff"],
        summary="Staff: every shoe, where it is, and which are in quarantine.",
        responses=_refusals(),
    )
    async def shoes(request: Anybody) -> list[dict[str, Any]]:
        await app.staff(request, OVERSEE)
        found = server.staff.shoes.all()
        await server.desk.settled()
        return [
            {
                "shoe": one.shoe,
                "table": one.table,
                "state": one.state,
                "at": one.at,
                "by": server.staff.name(one.by),
                "why": one.why,
            }
            for one in found
        ]

    return [wall, figures, shoes]


def _counting(round: Round) -> Iterator[tuple[Laid, int]]:
    """The bets of a round and what each counts for; those of a void round went back."""
    if round.phase is not Phase.VOID:
        for bet in round.bets:
            yield bet, round.effective.get(bet.key, bet.stake)


def _differential(table: Any) -> dict[str, int] | None:
    """The greatest gap of any box, and how much it may be."""
    limit = next((one for one in table.limits if one.kind is Kind.DIFFERENTIAL), None)
    if limit is None:
        return None
    sums: dict[Any, dict[str, int]] = {}
    for bet, stake in _counting(table.round):
        key = {Scope.BOX: bet.box, Scope.PATRON: bet.patron}.get(limit.scope)
        if bet.spot in limit.spots:
            one = sums.setdefault(key, dict.fromkeys(limit.spots, 0))
            one[bet.spot] += stake
    gap = max((abs(a - b) for a, b in (one.values() for one in sums.values())), default=0)
    return {"gap": gap, "most": limit.amount}


# --- people ---------------------------------------------------------------------------------------


def _people(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    @get(
        "/api/v1/patrons",
        tags=["staff"],
        summary="Staff: patrons by the beginning of a name.",
        responses=_refusals(),
    )
    async def patrons(
        request: Anybody, name: Annotated[str, QueryParameter(max_length=64)] = ""
    ) -> list[dict[str, Any]]:
        await app.staff(request, INSPECTORS)
        wanted = plain(name)
        found = [
            one
            for one in await server.store.people()
            if one.kind == "patron" and one.name.startswith(wanted)
        ]
        return [
            {"patron": one.id, "name": one.name, "barred": one.barred}
            for one in sorted(found, key=lambda one: one.name)[:MOST_PATRONS]
        ]

    @get(
        "/api/v1/patrons/{who:str}",
        tags=["staff"],
        summary="Staff: one patron's money, limits and exclusion.",
        responses=_refusals(404),
    )
    async def one_patron(
        request: Anybody,
        who: Annotated[str, PathParameter(pattern=r"^p-[a-z0-9]+$", max_length=64)],
    ) -> dict[str, Any]:
        await app.staff(request, INSPECTORS)
        person = await server.store.person(who)
        if person is None:
            raise Refusal("staff/no-patron", {"patron": who})
        now, own, venue = server.desk.now(), server.desk.shown.patron(who), server.desk.shown
        return {
            "patron": who,
            "name": person.name,
            "wallet": venue.ledger.available(wallet(who)),
            "debt": -venue.ledger.balance(debt(who)),
            "stacks": {
                name: stack
                for name in server.arranged
                if (stack := venue.table(name).stacks.get(who, 0))
            },
            "limits": {kind.value: own.limit(kind, now) for kind in patron.Kind},
            "time_out_until": own.time_out_until if own.time_out_until > now else None,
            "excluded_until": own.excluded_until
            if now < own.excluded_until < patron.FOREVER
            else None,
            "excluded_for_good": own.excluded_until == patron.FOREVER,
            "rounds": [
                {
                    "table": one.log,
                    "round": one.round,
                    "at": one.at,
                    "staked": one.staked,
                    "net": one.net,
                    "ended": one.ended,
                }
                for one in await server.store.played(who, 20)
            ],
        }

    @get(
        "/api/v1/staff/people",
        tags=["staff"],
        summary="Staff: everybody who works here, and where they are.",
        responses=_refusals(),
    )
    async def people(request: Anybody) -> list[dict[str, Any]]:
        await app.staff(request, OVERSEE)
        now, venue = server.desk.now(), server.desk.shown
        at = {
            (name, one.person): one
            for name in server.arranged
            for one in venue.table(name).staff.values()
            if one.person not in (OPERATOR, DEALER)
        }
        return [
            {
                "person": one.id,
                "name": one.name,
                "role": one.role,
                "barred": one.barred,
                "at": [
                    {
                        "table": table,
                        "role": member.role_at(now).value,
                        "until": member.acting_until
                        if member.role_at(now) is not member.role
                        else None,
                    }
                    for (table, who), member in at.items()
                    if who == one.id
                ],
            }
            for one in sorted(await server.store.people(), key=lambda one: one.name)
            if one.kind == "staff"
        ]

    @post(
        "/api/v1/staff/people",
        tags=["staff"],
        summary="Operator: somebody begins to work here.",
        status_code=200,
        responses=_refusals(409),
    )
    async def add(request: Anybody, data: JSONBody[NewPersonBody]) -> dict[str, str]:
        by = await app.staff(request, ARRANGE, Role.SHIFT_MANAGER.value)
        check_reason(data.reason)
        person = await server.signin.add_person(data.name, data.password, "staff", data.role)
        server.staff.names[person.id] = person.name
        await arranged(by, person, data.reason, "", person.role)
        return {"person": person.id}

    @post(
        "/api/v1/staff/people/{who:str}",
        tags=["staff"],
        summary="Operator: another role for somebody, or none any more.",
        status_code=200,
        responses=_refusals(404, 409),
    )
    async def change(
        request: Anybody,
        who: Annotated[str, PathParameter(pattern=r"^s-[a-z0-9]+$", max_length=64)],
        data: JSONBody[PersonBody],
    ) -> dict[str, str]:
        by = await app.staff(request, ARRANGE, Role.SHIFT_MANAGER.value)
        check_reason(data.reason)
        person = await server.store.person(who)
        if person is None or person.kind != "staff":
            raise Refusal("staff/no-person", {"person": who})
        if person.id == by.id:
            raise Refusal("staff/oneself")
        after = await server.signin.change_staff(person, data.role, data.barred)
        if after.barred or after.role != person.role:
            server.staff.leave(who)
        told = tuple(f"{one.role}{' barred' if one.barred else ''}" for one in (person, after))
        await arranged(by, person, data.reason, *told)
        return {"person": who}

    async def arranged(by: Person, person: Person, why: str, before: str, after: str) -> None:
        note = Significant(server.desk.now(), "staff changed", by.id, person.id, why, before, after)
        server.desk.note(note)
        server.staff.hear(note)
        await server.desk.settled()

    return [patrons, one_patron, people, add, change]


# --- reports --------------------------------------------------------------------------------------


def _reports(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    books = {"": ""}

    async def played_by(hash: str) -> str:
        """The name of a book; of a round that began before the log was read there is none."""
        if hash not in books:
            books[hash] = (await server.book(hash)).name
        return books[hash]

    def named(incident: dict[str, Any]) -> dict[str, str]:
        """Everybody whom an incident names by id, and what they are called."""
        who = [incident.get(one) for one in ("by", "resolved_by", "confirmed_by")]
        people = {one for one in (*who, *incident.get("options", ())) if one}
        return {one: server.staff.name(one) for one in sorted(people)}

    @get(
        "/api/v1/incidents",
        tags=["staff"],
        summary="Staff: every irregularity between two times, and what was done about it.",
        responses=_refusals(),
    )
    async def incidents(
        request: Anybody, since: Moment = 0, until: Moment = 0
    ) -> list[dict[str, Any]]:
        await app.staff(request, OVERSEE)
        start = since or max(0, server.desk.now() - SHIFT_MS)
        found: list[dict[str, Any]] = []
        for name in server.arranged:
            figures = await figures_of(server.store, name, start, until or None, None)
            for one in figures.incidents:
                told = {"title": server.called(name), "book": await played_by(str(one["book"]))}
                found.append({"table": name, **one, **told, "names": named(one)})
        return sorted(found, key=lambda one: -one["at"])

    @get(
        "/api/v1/tables/{table:str}/replay/{shoe:int}/{number:int}",
        tags=["staff"],
        summary="Staff: a round event by event, with the clause behind each.",
        responses=_refusals(404, 409),
    )
    async def replay(
        request: Anybody,
        table: Table,
        shoe: Annotated[int, PathParameter(ge=1, le=100_000)],
        number: Annotated[int, PathParameter(ge=1, le=100_000)],
    ) -> dict[str, Any]:
        await app.staff(request, OVERSEE)
        app.check_table(table)
        name = f"{shoe}/{number}"
        stands = server.desk.shown.table(table)
        present = name == server.desk.shown_rounds.get(table)
        hidden = stands.setup is not None and stands.setup.face_down
        if present and hidden and stands.round.phase not in FINISHED:
            # The log knows what lies face down before anybody has seen it.
            raise Refusal("server/round-open", {"round": name})
        opened = await server.store.marked(table, f"round {name}")
        if opened is None:
            raise Refusal("server/no-round", {"table": table, "round": name})
        told = await told_of(server.store, table, opened.number)
        book = await server.book(book_hash(told))
        found = steps(told, book)
        return {
            "table": table,
            "title": server.called(table),
            "book": book.name,
            "round": name,
            "names": dict(_named(server, found)),
            "steps": found,
        }

    @get(
        "/api/v1/integrity",
        tags=["staff"],
        summary="Auditor: everything the database says, worked out again from its logs.",
        responses=_refusals(),
    )
    async def integrity(request: Anybody) -> dict[str, Any]:
        await app.staff(request, {"auditor", "operator", "shift manager"})
        address = getattr(server.store, "url", None) or f"sqlite:{server.store.path}"  # type: ignore[attr-defined]
        async with app.auditing:
            found = await verify(address, [public_key(server.keys.signing)])
        return found.document()

    return [incidents, replay, integrity]


def _named(server: Any, steps: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The names of everybody whom some events name."""
    text = json.dumps(steps)
    return [(id, name) for id, name in server.staff.names.items() if f'"{id}"' in text]
