"""What the pit asks: the wall, a table in figures, shoes."""

import asyncio
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from litestar import get
from litestar.handlers import HTTPRouteHandler

from cutcard.fairness import VerifiableShoe
from cutcard.odds.moments import Moments, moments
from cutcard.round.events import Laid
from cutcard.round.state import Phase, Round
from cutcard.rules.limits import Kind, Scope
from cutcard.rules.rulebook import Rulebook
from cutcard.server.clockwork import DEALER
from cutcard.server.dealer import is_committed
from cutcard.server.figures import SHIFT_MS, Figures, Known, figures_of
from cutcard.server.routes.asking import OVERSEE, Anybody, Moment, Table, staff_refusals
from cutcard.server.staffview import calling
from cutcard.table.incident import FOREIGN, MISCOUNT, SYSTEM, TOO_FEW, UNSHUFFLED
from cutcard.table.state import Table as TableState

if TYPE_CHECKING:
    from cutcard.server.app import App

SENTINEL = frozenset({FOREIGN, MISCOUNT, TOO_FEW, UNSHUFFLED})
"""What the table finds out about a shoe by itself."""

LARGE = ("large bet", "large win")


@lru_cache(maxsize=64)
def _moments(book: Rulebook, decks: int) -> Moments:
    return moments(book, decks)


def pit_routes(app: "App") -> list[HTTPRouteHandler]:
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
            "is_open": table.setup is not None and table.setup.is_open,
            "boxes": [{"box": box, "staked": amount} for box, amount in boxes],
            "differential": _differential(table),
            "per_hour": found.per_hour,
            "rounds": found.rounds,
            "drop": found.meters.drop,
            "won": found.meters.won + found.meters.commission,
            "cards_left": _cards_left(table, server.desk.shown_shoes.get(name)),
            "last_round": table.shoe is not None and table.shoe.cut_card,
            "wrong": table.incident and table.incident.kind,
            "choosing": sum(one is None for one in (table.options or {}).values()),
            "proposal": server.staff.proposals.at(name) is not None,
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
        alarms += [
            {"alarm": "attendant", "what": one.name if one.own else str(one.number)}
            for one in calling(server.staff, table.terminals.by_name)
        ]
        if server.staff.proposals.at(name) is not None:
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
        responses=staff_refusals(),
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
        responses=staff_refusals(404),
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
        responses=staff_refusals(),
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


def _cards_left(table: TableState, committed: VerifiableShoe | None) -> int | None:
    """Cards in the server's own shoe; people count theirs without knowing the number."""
    return table.shoe.left if table.shoe and is_committed(table, committed) else None


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
