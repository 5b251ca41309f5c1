"""REST: every address, a file for each kind of question."""

from typing import TYPE_CHECKING

from litestar.handlers import HTTPRouteHandler

from cutcard.server.routes.books import book_routes
from cutcard.server.routes.commands import command_routes
from cutcard.server.routes.consoles import console_routes
from cutcard.server.routes.house import house_routes
from cutcard.server.routes.own import own_routes
from cutcard.server.routes.people import people_routes, sign_in_routes
from cutcard.server.routes.pit import pit_routes
from cutcard.server.routes.proofs import proof_routes
from cutcard.server.routes.reports import report_routes
from cutcard.server.routes.tables import table_routes
from cutcard.server.routes.terminals import terminal_routes

if TYPE_CHECKING:
    from cutcard.server.app import App

KINDS = (
    command_routes,
    sign_in_routes,
    table_routes,
    own_routes,
    proof_routes,
    house_routes,
    book_routes,
    console_routes,
    pit_routes,
    people_routes,
    report_routes,
    terminal_routes,
)


def routes(app: "App") -> list[HTTPRouteHandler]:
    return [one for kind in KINDS for one in kind(app)]
