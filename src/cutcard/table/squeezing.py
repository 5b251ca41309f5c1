"""Squeezing: who may ask to see a card first, until when, and what the dealer answers (CB4 3.9).

The seated patron with the highest bet may ask for the next cards of a side, for its first two and
for its third alike, until that card is dealt.
"""

from cutcard.refusals import Refusal
from cutcard.round.state import FINISHED, Phase
from cutcard.rules.coup import Side, may_draw, next_side
from cutcard.rules.rulebook import Role
from cutcard.table.checks import check_role_or_machine, opened
from cutcard.table.commands import AnswerSqueeze, RequestSqueeze
from cutcard.table.events import Event, SqueezeAnswered, SqueezeRequested
from cutcard.table.state import Table

CLAUSE = "CB4 3.9"


def request_squeeze(table: Table, command: RequestSqueeze) -> list[Event]:
    """Ask the dealer for the squeeze of a side whose card is still to come."""
    setup = opened(table)
    if not setup.face_down:
        raise Refusal("squeeze/face-up", {}, CLAUSE)
    dealing, coup = table.round.phase in (Phase.CLOSED, Phase.DEALING), table.round.coup
    to_come = may_draw(coup, command.side) if setup.keeps(1) else next_side(coup) is not None
    if not dealing or not to_come:
        raise Refusal("squeeze/too-late", {}, CLAUSE)
    if highest_bettor(table) != command.patron:
        raise Refusal("squeeze/not-highest", {}, CLAUSE)
    return [SqueezeRequested(command.patron, command.side, command.at)]


def answer_squeeze(table: Table, command: AnswerSqueeze) -> list[Event]:
    """The dealer grants or refuses a squeeze; it is granted only while the card may still come."""
    check_role_or_machine(table, command.by, Role.DEALER, command.at, "CB4 1.11")
    if table.round.phase in FINISHED:
        raise Refusal("squeeze/too-late", {}, CLAUSE)
    asked = [side for patron, side in table.squeeze_asked if patron == command.patron]
    if not asked:
        raise Refusal("squeeze/not-asked", {}, CLAUSE)
    side = squeezes_to_answer(table).get(command.patron)
    if side is None and command.granted and table.setup is not None and table.setup.keeps(1):
        raise Refusal("squeeze/too-late", {}, CLAUSE)
    side = asked[0] if side is None else side
    return [SqueezeAnswered(command.patron, side, command.granted, command.by, command.at)]


def squeezes_to_answer(table: Table) -> dict[str, Side]:
    """The squeezes that the dealer has to answer next, one for each patron who asked.

    Who asked for both sides is answered for the one asked first, then for the other. A request
    lapses without an answer when the card can no longer come.
    """
    coup, found = table.round.coup, dict[str, Side]()
    for patron, side in table.squeeze_asked:
        if may_draw(coup, side):
            found.setdefault(patron, side)
    return found


def highest_bettor(table: Table) -> str | None:
    """The seated patron with the highest bet on the table; of equal bets the earlier counts."""
    seated = [bet for bet in table.round.bets if table.is_seated(bet.patron, bet.box)]
    best = min(seated, key=lambda bet: (-bet.stake, bet.order), default=None)
    return None if best is None else best.patron
