"""Questions about oneself: money, vouchers, rounds, limits."""

from typing import TYPE_CHECKING, Annotated, Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from cutcard import patron
from cutcard.ledger import debt, stack, wallet
from cutcard.refusals import Refusal
from cutcard.server.memory import RECALLED, Memory
from cutcard.server.routes.asking import Anybody, refusals
from cutcard.server.server import GUEST_MONEY
from cutcard.venue import in_play
from cutcard.wire import answers

if TYPE_CHECKING:
    from cutcard.server.app import App


def own_routes(app: "App") -> list[HTTPRouteHandler]:
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
            venue.ledger.available(wallet(who)),
            -venue.ledger.balance(debt(who)),
            stacks,
            play_money=GUEST_MONEY if server.config.money.self_service else 0,
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
        # A device recalls the last rounds that were played there, as an inspector wants it to.
        signed = await app.who(request)
        if not signed.person.plays:
            raise Refusal("server/patrons-only")
        who = signed.person.id
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
            **stays_away(own, now),
            elapsed=check.elapsed if check else None,
            net=check.net if check else None,
            check_due=check.due if check else False,
            next_check=check.next_at if check else None,
            time_left=own.time_left(now),
            helpline=server.config.venue.helpline,
        )

    return [money, vouchers, history, protection]


def stays_away(own: patron.Patron, now: int) -> dict[str, Any]:
    """How long somebody does not play, by their own wish or the house's."""
    excluded = own.excluded_until
    return {
        "time_out_until": own.time_out_until if own.time_out_until > now else None,
        "excluded_until": excluded if now < excluded < patron.FOREVER else None,
        "excluded_for_good": excluded == patron.FOREVER,
    }


def _limit(own: patron.Patron, kind: patron.Kind, now: int) -> answers.OwnLimit:
    waited = own.loosening(kind, now)
    return answers.OwnLimit(
        kind.value,
        own.limit(kind, now),
        waited.amount if waited else None,
        waited.effective_at if waited else None,
    )
