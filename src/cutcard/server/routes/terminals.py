"""Devices of the house: their accounts, what the pit sees of them, and accounts signed in there."""

from typing import TYPE_CHECKING, Annotated

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter

from cutcard.ledger import wallet
from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Role
from cutcard.server.routes.asking import (
    ARRANGE,
    EVERYBODY,
    OVERSEE,
    Anybody,
    Table,
    refusals,
    staff_refusals,
)
from cutcard.server.staff import check_reason
from cutcard.server.terminals import place_of
from cutcard.store import Person, Significant
from cutcard.table.terminals import state_of
from cutcard.wire import answers
from cutcard.wire.bodies import NewTerminalBody, SignInBody, TerminalBody
from cutcard.wire.shown import terminal_shown

if TYPE_CHECKING:
    from cutcard.server.app import App

DEVICE = PathParameter(pattern=r"^t-[a-z0-9]+$", max_length=64)


def terminal_routes(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    def shown(one: Person) -> answers.DeviceShown:
        table, number = place_of(server.desk.shown, one.id) or (None, None)
        return answers.DeviceShown(one.id, one.name, one.barred, table, number)

    async def device_of(request: Anybody) -> Person:
        person = (await app.who(request)).person
        if person.kind != "terminal":
            raise Refusal("terminal/only-there")
        return person

    @get(
        "/api/v1/tables/{table:str}/terminals",
        tags=["staff"],
        summary="Staff: the terminals of an electronic table, with state, credit and meters.",
        responses=staff_refusals(404),
    )
    async def at_table(request: Anybody, table: Table) -> list[answers.TerminalAtTable]:
        await app.staff(request, EVERYBODY)
        app.check_table(table)
        found = server.desk.shown.table(table)
        in_order = sorted(
            found.terminals.by_name.items(), key=lambda both: (both[1].own, both[1].number)
        )
        return [
            answers.TerminalAtTable(
                terminal=id,
                name=server.staff.name(id),
                state=state_of(found, id).value,
                usable=found.stacks.get(id, 0),
                shown=terminal_shown(one),
            )
            for id, one in in_order
        ]

    @get(
        "/api/v1/terminals",
        tags=["staff"],
        summary="Staff: every device of the house, and where it stands.",
        responses=staff_refusals(),
    )
    async def devices(request: Anybody) -> list[answers.DeviceShown]:
        await app.staff(request, OVERSEE)
        people = [one for one in await server.store.people() if one.kind == "terminal"]
        # A device that was added while the server runs is known from here on.
        server.staff.names |= {one.id: one.name for one in people}
        return [shown(one) for one in sorted(people, key=lambda one: one.name)]

    @post(
        "/api/v1/terminals",
        tags=["staff"],
        summary="Operator: an account under which a device of the house signs in.",
        status_code=200,
        responses=staff_refusals(409),
    )
    async def add(request: Anybody, data: JSONBody[NewTerminalBody]) -> answers.DeviceShown:
        by = await app.staff(request, ARRANGE, Role.SHIFT_MANAGER.value)
        check_reason(data.reason)
        language = server.config.venue.language
        made = await server.signin.add_person(
            data.name, data.password, "terminal", language=language
        )
        server.staff.names[made.id] = made.name
        await note("person added", by, made, data.reason, "", made.kind)
        return shown(made)

    @post(
        "/api/v1/terminals/{who:str}",
        tags=["staff"],
        summary="Operator: a new password for a device, or no sign-in any more.",
        status_code=200,
        responses=staff_refusals(404, 409),
    )
    async def change(
        request: Anybody, who: Annotated[str, DEVICE], data: JSONBody[TerminalBody]
    ) -> answers.DeviceShown:
        by = await app.staff(request, ARRANGE, Role.SHIFT_MANAGER.value)
        check_reason(data.reason)
        person = await server.store.person(who)
        if person is None:
            raise Refusal("terminal/no-device", {"terminal": who})
        if data.password is not None:
            await server.signin.set_password(person, data.password)
            await note("password changed", by, person, data.reason)
        if data.barred is not None:
            latest = await server.store.person(who) or person
            after = await server.signin.change_staff(latest, None, data.barred)
            kind = "person barred" if after.barred else "person admitted"
            await note(kind, by, person, data.reason)
        server.counter.accounts.sign_out(who)
        return shown(await server.store.person(who) or person)

    async def note(
        kind: str, by: Person, device: Person, why: str, before: str = "", after: str = ""
    ) -> None:
        now = server.desk.now()
        server.desk.note(Significant(now, kind, by.id, device.id, why, before, after))
        await server.desk.settled()

    @post(
        "/api/v1/terminal/account",
        tags=["money"],
        summary="At a terminal: a patron signs in with an account, to move credit.",
        status_code=200,
        responses=refusals(401, 403, 409, 413, 429),
    )
    async def sign_in(request: Anybody, data: JSONBody[SignInBody]) -> answers.TerminalAccount:
        device = await device_of(request)
        patron = await server.signin.proven(
            data.name,
            data.password,
            app.address(request.scope),  # type: ignore[arg-type]
        )
        if patron.kind != "patron":
            raise Refusal("server/patrons-only")
        until = server.counter.accounts.sign_in(device.id, patron)
        server.staff.names[patron.id] = patron.name
        held = server.desk.shown.ledger.available(wallet(patron.id))
        return answers.TerminalAccount(patron.id, patron.name, held, until)

    @post(
        "/api/v1/terminal/account/leave",
        tags=["money"],
        summary="At a terminal: the account that is signed in there is signed out.",
        status_code=200,
        responses=refusals(401, 403),
    )
    async def leave(request: Anybody) -> dict[str, bool]:
        server.counter.accounts.sign_out((await device_of(request)).id)
        return {"signed_out": True}

    return [at_table, devices, add, change, sign_in, leave]
