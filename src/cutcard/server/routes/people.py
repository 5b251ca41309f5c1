"""Who somebody is, and whom the house knows: signing in, patrons, staff."""

from typing import TYPE_CHECKING, Annotated, Any

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter

from cutcard import patron
from cutcard.ledger import debt, wallet
from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Role
from cutcard.server import window
from cutcard.server.clockwork import DEALER, OPERATOR
from cutcard.server.headers import clear_cookie, cookie_name, set_cookie
from cutcard.server.routes.asking import (
    ADMIT,
    ARRANGE,
    INSPECTORS,
    OVERSEE,
    Anybody,
    refusals,
    staff_refusals,
)
from cutcard.server.routes.own import stays_away
from cutcard.server.signin import plain
from cutcard.server.staff import check_reason
from cutcard.server.staffview import acting
from cutcard.server.terminals import place_of
from cutcard.store import Person, Significant
from cutcard.wire import answers
from cutcard.wire.bodies import (
    NewPatronBody,
    NewPersonBody,
    PasswordBody,
    PersonBody,
    RenewBody,
    SignInBody,
)

if TYPE_CHECKING:
    from cutcard.server.app import App
    from cutcard.server.signin import Signed

PATRON = PathParameter(pattern=r"^p-[a-z0-9]+$", max_length=64)
MOST_PATRONS = 50
GUESTS_A_MINUTE = 20


def sign_in_routes(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    def you(signed: "Signed") -> answers.You:
        who = signed.person
        acts = acting(server.staff, who) if who.kind == "staff" else None
        role, until = (acts[0].value, acts[1]) if acts else (None, None)
        place = place_of(server.desk.shown, who.id) if who.kind == "terminal" else None
        return answers.You(
            who.id,
            who.name,
            who.kind,
            who.role,
            who.language,
            signed.csrf,
            role,
            until,
            *(place or ()),
        )

    def cookie_of(request: Anybody) -> str:
        """The name of the cookie; refuses where one could not be kept safe."""
        scope: Any = request.scope
        return cookie_name(app.scheme(scope), request.headers.get("host", ""), server.config)

    def welcomed(name: str, signed: "Signed") -> Response[answers.SignedIn]:
        body = answers.SignedIn(you(signed), signed.csrf, signed.token)
        cookie = set_cookie(name, signed.token, server.config)
        return Response(body, headers={"set-cookie": cookie})

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
        name = cookie_of(request)
        signed = await server.signin.sign_in(data.name, data.password, app.address(scope))
        server.staff.greet(signed.person)
        server.begin_session(signed.person)
        await server.desk.settled()
        return welcomed(name, signed)

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
        name = cookie_of(request)
        if app.guests.take(app.address(scope), server.desk.now()):
            raise Refusal("server/too-fast", {"most": GUESTS_A_MINUTE})
        signed = await server.guest()
        return welcomed(name, signed)

    @post(
        "/api/v1/me/password",
        tags=["people"],
        summary="Another password of one's own; one signs in again with it everywhere.",
        status_code=200,
        responses=refusals(401, 403, 409, 413, 429),
    )
    async def renew(request: Anybody, data: JSONBody[RenewBody]) -> dict[str, bool]:
        signed = await app.who(request)
        scope: Any = request.scope
        await server.signin.confirm(signed, data.old, app.address(scope))
        await server.signin.set_password(signed.person, data.new)
        now, who = server.desk.now(), signed.person.id
        server.desk.note(Significant(now, "password changed", who, who))
        await server.desk.settled()
        return {"done": True}

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
        server.counter.accounts.sign_out(signed.person.id)
        await server.desk.settled()
        cookie = clear_cookie(cookie_of(request))
        return Response({"signed_out": True}, headers={"set-cookie": cookie})

    @get("/api/v1/me", tags=["people"], summary="Who is signed in.", responses=refusals(401))
    async def me(request: Anybody) -> answers.You:
        return you(await app.who(request))

    return [sign_in, guest, renew, sign_out, me]


def people_routes(app: "App") -> list[HTTPRouteHandler]:
    server = app.server

    @get(
        "/api/v1/patrons",
        tags=["staff"],
        summary="Staff: patrons by the beginning of a name.",
        responses=staff_refusals(),
    )
    async def patrons(
        request: Anybody, name: Annotated[str, QueryParameter(max_length=64)] = ""
    ) -> list[dict[str, Any]]:
        await app.staff(request, INSPECTORS | window.ROLES)
        wanted = plain(name)
        found = [
            one
            for one in await server.store.people()
            if one.kind == "patron" and one.name.startswith(wanted)
        ]
        # Whoever was added while the server runs is known from here on.
        server.staff.names |= {one.id: one.name for one in found}
        return [
            {"patron": one.id, "name": one.name, "barred": one.barred}
            for one in sorted(found, key=lambda one: one.name)[:MOST_PATRONS]
        ]

    @get(
        "/api/v1/patrons/{who:str}",
        tags=["staff"],
        summary="Staff: one patron's money, limits and exclusion.",
        responses=staff_refusals(404),
    )
    async def one_patron(
        request: Anybody,
        who: Annotated[str, PATRON],
    ) -> dict[str, Any]:
        signed = await app.staff(request, INSPECTORS | window.ROLES)
        person = await server.store.person(who)
        if person is None:
            raise Refusal("staff/no-patron", {"patron": who})
        server.staff.names[who] = person.name
        now, own, venue = server.desk.now(), server.desk.shown.patron(who), server.desk.shown
        # How somebody plays is none of the cage's business.
        rounds = [] if signed.role == "cashier" else await server.store.played(who, 20)
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
            **stays_away(own, now),
            "rounds": [
                {
                    "table": one.log,
                    "round": one.round,
                    "at": one.at,
                    "staked": one.staked,
                    "net": one.net,
                    "ended": one.ended,
                }
                for one in rounds
            ],
        }

    @post(
        "/api/v1/patrons",
        tags=["staff"],
        summary="Cage: an account for somebody new.",
        status_code=200,
        responses=staff_refusals(409),
    )
    async def admit(request: Anybody, data: JSONBody[NewPatronBody]) -> dict[str, str]:
        by = await app.staff(request, ADMIT, "cashier")
        made = await server.signin.add_person(
            data.name, data.password, "patron", language=data.language
        )
        server.staff.names[made.id] = made.name
        server.desk.note(Significant(server.desk.now(), "person added", by.id, made.id))
        await server.desk.settled()
        return {"patron": made.id, "name": made.name}

    @post(
        "/api/v1/patrons/{who:str}/password",
        tags=["staff"],
        summary="Cage: a new password for a patron who has forgotten it.",
        status_code=200,
        responses=staff_refusals(404, 409),
    )
    async def renew(
        request: Anybody, who: Annotated[str, PATRON], data: JSONBody[PasswordBody]
    ) -> dict[str, str]:
        by = await app.staff(request, ADMIT, "cashier")
        check_reason(data.reason)
        person = await server.store.person(who)
        if person is None:
            raise Refusal("staff/no-patron", {"patron": who})
        await server.signin.set_password(person, data.password)
        note = Significant(server.desk.now(), "password changed", by.id, who, data.reason)
        server.desk.note(note)
        await server.desk.settled()
        return {"patron": who}

    @get(
        "/api/v1/staff/people",
        tags=["staff"],
        summary="Staff: everybody who works here, and where they are.",
        responses=staff_refusals(),
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
        responses=staff_refusals(409),
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
        responses=staff_refusals(404, 409),
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

    return [patrons, one_patron, admit, renew, people, add, change]
