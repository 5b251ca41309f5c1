"""Reports: irregularities, a round event by event, the audit, the cage."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter

from cutcard.cage import VoucherNumber, outstanding, standing
from cutcard.chain.signing import public_key
from cutcard.refusals import Refusal
from cutcard.round.state import FINISHED
from cutcard.server import window
from cutcard.server.audit import verify
from cutcard.server.figures import SHIFT_MS, figures_of
from cutcard.server.replaying import book_hash, steps, told_of
from cutcard.server.routes.asking import AT_CAGE, OVERSEE, Anybody, Moment, Table, staff_refusals
from cutcard.wire.api import VoucherShown

if TYPE_CHECKING:
    from cutcard.server.app import App

MOST_MOVES, MOST_SHOWN = 100_000, 200
"""Movements of cash that are summed up, and those that are listed."""


def report_routes(app: "App") -> list[HTTPRouteHandler]:
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
        responses=staff_refusals(),
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
        responses=staff_refusals(404, 409),
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
        responses=staff_refusals(),
    )
    async def integrity(request: Anybody) -> dict[str, Any]:
        await app.staff(request, {"auditor", "operator", "shift manager"})
        async with app.auditing:
            found = await verify(server.store.url, [public_key(server.keys.signing)])
        return found.document()

    @get(
        "/api/v1/cage",
        tags=["staff"],
        summary="Staff: vouchers that are outstanding, and what cashiers took and handed out.",
        responses=staff_refusals(),
    )
    async def at_cage(request: Anybody, since: Moment = 0) -> dict[str, Any]:
        signed = await app.staff(request, AT_CAGE)
        start = since or max(0, server.desk.now() - SHIFT_MS)
        notes = await server.store.significant(MOST_MOVES, start, window.PAID)
        moves = window.movements(
            one for one in notes if signed.role != "cashier" or one.who == signed.id
        )
        vouchers = outstanding(server.desk.shown.cage)
        return {
            "since": start,
            "liability": sum(one.amount for one in vouchers),
            "vouchers": [
                {
                    "number": window.hidden(one.number),
                    "amount": one.amount,
                    "issued_at": one.issued_at,
                    "expires_at": one.expires_at,
                    "reprints": one.reprints,
                }
                for one in vouchers
            ],
            "tills": window.tills(moves),
            "moves": moves[:MOST_SHOWN],
            "names": {
                one: server.staff.name(one)
                for one in sorted({name for move in moves for name in _whom(move)})
            },
        }

    @get(
        "/api/v1/vouchers/{number:str}",
        tags=["staff"],
        summary="Cage: what a voucher is worth that can still be paid.",
        responses=staff_refusals(404, 409),
    )
    async def voucher(
        request: Anybody,
        number: Annotated[str, PathParameter(max_length=18)],
    ) -> VoucherShown:
        await app.staff(request, window.ROLES, "cashier")
        standing(server.desk.shown.cage, VoucherNumber(number))
        return server.counter.voucher(number, app.language(request))

    return [incidents, replay, integrity, at_cage, voucher]


def _whom(move: dict[str, Any]) -> Iterator[str]:
    """The people whom a movement of cash names."""
    yield move["cashier"]
    if move["what"] != "pay-voucher":
        yield move["about"]


def _named(server: Any, steps: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The names of everybody whom some events name."""
    text = json.dumps(steps)
    return [(id, name) for id, name in server.staff.names.items() if f'"{id}"' in text]
