"""What all routes share: how they are asked, by whom, and how they may refuse."""

from re import search
from typing import Annotated, Any

from litestar import Request
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter

from cutcard.refusals import Refusal
from cutcard.server import window
from cutcard.server.staffview import SEE
from cutcard.wire import api

Anybody = Request[Any, Any, Any]
Moment = Annotated[int, QueryParameter(ge=0, le=10**15)]
ROUND = PathParameter(ge=1, le=100_000)
TABLE = PathParameter(pattern=r"^[a-z0-9-]+$", max_length=32, description="The table's name.")

Table = Annotated[str, TABLE]

PIT = frozenset({"pit supervisor", "pit manager", "shift manager"})
INSPECTORS = PIT | {"auditor"}
"""Who may ask what everybody has done."""

OVERSEE = INSPECTORS | {"operator"}
ARRANGE = frozenset({"operator", "shift manager"})
"""Who takes people on, gives them a role, and bars them."""

EVERYBODY = SEE | {"cashier"}
AT_CAGE = OVERSEE | window.ROLES
"""Who may know what is in the tills, and find the patron who stands at the window."""

ADMIT = ARRANGE | window.ROLES
"""Who opens accounts for patrons."""

REFUSED = {
    400: ResponseSpec(api.Refused, description="The message cannot be read."),
    401: ResponseSpec(api.Refused, description="Nobody is signed in."),
    403: ResponseSpec(api.Refused, description="Not for this person, or not from this page."),
    404: ResponseSpec(api.Refused, description="There is no such table."),
    405: ResponseSpec(api.Refused, description="Not by this method."),
    409: ResponseSpec(api.Refused, description="A rule refuses it; nothing has changed."),
    413: ResponseSpec(api.Refused, description="Too large."),
    429: ResponseSpec(api.Refused, description="Too many at once."),
    503: ResponseSpec(api.Refused, description="Not now; the same key may be tried again."),
}


def refusals(*codes: int) -> dict[int, Any]:
    """How a question may be refused: as every one may be, and in so many ways more."""
    return {code: REFUSED[code] for code in (400, 405, 503, *codes)}


def staff_refusals(*codes: int) -> dict[int, Any]:
    """The same where only members of staff are answered."""
    return refusals(401, 403, *codes)


def misread(reason: str) -> Refusal:
    """The refusal of a message, from what its reader says; nobody is shown a pattern."""
    found = search(r"matching regex .* - at `[$.]*([^`]*)`", reason)
    if found is not None:
        return Refusal("server/characters", {"field": found[1].rpartition(".")[2]})
    return Refusal("server/message", {"reason": reason[:300]})
