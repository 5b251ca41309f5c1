"""The automatic dealer: what a table must do next, and when.

Pure: a table, its shoe and a pace in; one action and its time out. So a table that was
cut off anywhere goes on from what it is, without anybody remembering what it was doing.
"""

from dataclasses import dataclass, replace
from enum import Enum

from cutcard.fairness import Phase as ShoePhase
from cutcard.fairness import VerifiableShoe
from cutcard.round.state import FINISHED, Phase
from cutcard.rules.coup import Side, next_side
from cutcard.rules.shoe import FULL_COUP
from cutcard.table.squeezing import highest_bettor, squeezes_to_answer
from cutcard.table.state import Table

FIRST_FOUR = 4


class Act(Enum):
    """What the automatic dealer can do."""

    COMMIT = "commit to a new shoe"
    CLOSE_SEEDS = "take no more seeds"
    ABORT = "open a shoe whose seeds were not given, or that was taken away"
    REGISTER = "put the shoe in use"
    BURN = "expose or burn a card"
    OPEN = "open a round"
    CLOSE = "close the bets"
    DRAW = "draw a card"
    TURN = "turn over what lies face down"
    END_DECISIONS = "end the time to decide"
    END_OPTIONS = "end the time to choose"
    CALL = "call the result"
    SETTLE = "settle"
    END_SHOE = "take the shoe away"
    GRANT = "answer whoever asked to squeeze"
    CLOSE_TABLE = "close the table"
    LEAVE = "leave the table to people"


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take, in milliseconds."""

    betting: int
    card: int
    result: int
    least_round: int
    """From the start of a round to the start of the next, at least."""

    seeds: int
    """How long sealed seeds are taken, and after that how long they may be given."""

    asking: int = 4_000
    """How long patrons may ask to squeeze before the first card, and before a side's third."""

    squeeze: int = 8_000
    """How long whoever was granted the squeeze has for it."""

    free_rounds: bool = False
    """Whether a round in which nobody has bet is dealt all the same."""


@dataclass(frozen=True, slots=True)
class Due:
    """An action and its time; `shown` where patrons see a countdown to it."""

    act: Act
    at: int
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Since:
    """When the dealer last did something, and when the round began."""

    last: int = 0
    opened: int = 0
    countdown: int | None = None
    """When the time to bet began to run; without bets it does not, unless rounds are free."""

    opened_by: frozenset[str] = frozenset()
    """Who has squeezed the cards that lie there, and wants them waited for no longer."""


def heard(since: Since, table: Table, pace: Pace, now: int) -> Since:
    """The same after something happened at the table."""
    if table.round.phase is not Phase.BETTING:
        return replace(since, countdown=None)
    if not pace.free_rounds and not any(table.round.by_spot.values()):
        return replace(since, countdown=None)
    return since if since.countdown is not None else replace(since, countdown=now)


def is_committed(table: Table, shoe: VerifiableShoe | None) -> bool:
    """Whether the shoe on the table is the one that the server has committed to."""
    return table.shoe is not None and shoe is not None and table.shoe.id == shoe.commitment.shoe


def due(
    table: Table,
    shoe: VerifiableShoe | None,
    pace: Pace,
    since: Since,
    *,
    stopping: bool = False,
    spent: bool = False,
) -> Due | None:
    """What comes next at a table; None where nothing does until somebody else acts.

    A shoe that is spent must not be dealt from any more, however many cards are left in it.
    """
    if table.incident is not None:
        return None
    if table.options is not None:
        chosen = all(one is not None for one in table.options.values())
        return Due(Act.END_OPTIONS, since.last if chosen else table.options_until, shown=True)
    if table.setup is None or not table.open:
        return None
    if table.round.phase in FINISHED:
        return None if stopping else _between_rounds(table, shoe, pace, since, spent)
    return _in_round(table, pace, since)


def _in_round(table: Table, pace: Pace, since: Since) -> Due | None:
    phase = table.round.phase
    if phase is Phase.BETTING:
        if since.countdown is None:
            return None
        return Due(Act.CLOSE, since.countdown + pace.betting, shown=True)
    if phase is Phase.DECIDING:
        assert table.round.decide_until is not None, "decisions have an end"
        return Due(Act.END_DECISIONS, table.round.decide_until, shown=True)
    if phase is Phase.RESULT:
        return Due(Act.SETTLE, since.last + pace.card)
    if squeezes_to_answer(table):
        return Due(Act.GRANT, since.last)
    dealt = len(table.round.coup.dealt)
    if dealt == 0 and table.setup is not None and table.setup.face_down and not table.squeeze:
        return Due(Act.DRAW, since.last + pace.asking, shown=True)
    # Two cards to each side are turned over before anybody draws a third.
    if dealt >= FIRST_FOUR and len(table.face_up) < dealt:
        if squeezing(table) - since.opened_by:
            return Due(Act.TURN, since.last + pace.squeeze, shown=True)
        return Due(Act.TURN, since.last + pace.card)
    side = next_side(table.round.coup)
    if side is None:
        return Due(Act.CALL, since.last + pace.card)
    if dealt >= FIRST_FOUR and _may_be_asked_for(table, side):
        return Due(Act.DRAW, since.last + pace.asking, shown=True)
    return Due(Act.DRAW, since.last + pace.card)


def _may_be_asked_for(table: Table, side: Side) -> bool:
    """Whether somebody could still ask to squeeze the next card of a side."""
    hidden = table.setup is not None and table.setup.face_down
    return hidden and side not in table.squeeze and highest_bettor(table) is not None


def squeezing(table: Table) -> frozenset[str]:
    """Who holds cards that nobody else has seen."""
    coup = table.round.coup
    return frozenset(
        patron
        for side, patron in table.squeeze.items()
        for number in range(table.squeeze_from[side], len(coup.hand(side)))
        if coup.place(side, number) not in table.face_up
    )


def _between_rounds(
    table: Table, shoe: VerifiableShoe | None, pace: Pace, since: Since, spent: bool
) -> Due | None:
    if table.last_round is not None and table.rounds >= table.last_round:
        return Due(Act.CLOSE_TABLE, since.last + pace.result)
    if table.shoe is None:
        return Due(Act.ABORT, since.last) if spent else _between_shoes(shoe, pace, since)
    if shoe is None or not is_committed(table, shoe):
        # Somebody else's cards are on the table.
        return None
    if not table.shoe.ready:
        return Due(Act.BURN, since.last)
    if spent or table.shoe.cut_card or shoe.commitment.cards - shoe.left < FULL_COUP:
        return Due(Act.END_SHOE, since.last + pace.result)
    return Due(Act.OPEN, max(since.last + pace.result, since.opened + pace.least_round))


def _between_shoes(shoe: VerifiableShoe | None, pace: Pace, since: Since) -> Due:
    if shoe is None or shoe.phase in (ShoePhase.OPENED, ShoePhase.ABORTED):
        return Due(Act.COMMIT, since.last)
    if shoe.phase is ShoePhase.SEALING:
        return Due(Act.CLOSE_SEEDS, shoe.commitment.seeds_until, shown=True)
    if shoe.phase is ShoePhase.GIVING:
        # Counted from a restart as well: nobody could give a seed while the house was away.
        return Due(Act.ABORT, max(shoe.commitment.seeds_until, since.last) + pace.seeds)
    # A shoe that the pit took away is opened, and never dealt from again.
    return Due(Act.ABORT if shoe.left else Act.REGISTER, since.last)
