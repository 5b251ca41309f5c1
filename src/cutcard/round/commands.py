"""Commands: what somebody wants done in a round. Each may be refused.

Times are integer UTC milliseconds and people are opaque ids; both come from
outside, so that the same commands always give the same events. Who gave a command the
table fills in (`by`).
"""

from dataclasses import dataclass

from cutcard.round.terms import Terms
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup


@dataclass(frozen=True, slots=True)
class OpenRound:
    """Announce that bets may be placed. At a table, number and terms are the table's to fill in."""

    number: int
    terms: Terms | None
    at: int
    by: str | None = None


@dataclass(frozen=True, slots=True)
class PlaceBet:
    """Put a stake on a spot, or add to the one already there."""

    patron: str
    box: int
    spot: str
    stake: int
    at: int
    seated: bool = True
    placed_by: str | None = None
    """The member of staff who placed it at the patron's request (CB4 5.16)."""


@dataclass(frozen=True, slots=True)
class WithdrawBet:
    """Take a stake back, all of it unless told otherwise."""

    patron: str
    box: int
    spot: str
    at: int
    stake: int | None = None
    placed_by: str | None = None
    """The member of staff who did it at the patron's request."""


@dataclass(frozen=True, slots=True)
class RejectExcess:
    """The dealer saw bets beyond a limit and rejects the excess (CB4 5.1).

    In one box, or, where the box is None, everywhere: what boxes have too much together
    is found only so.
    """

    box: int | None
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class CloseBets:
    """Announce that no more bets are taken."""

    at: int
    by: str | None = None


@dataclass(frozen=True, slots=True)
class DrawCard:
    """A card left the shoe. The tableau says whose it is."""

    card: Card
    at: int
    by: str = ""
    """Who dealt it; the table fills this in."""

    seen_by: str | None = None
    """Who confirmed it, where cards are entered by hand (CB4 1.3)."""


@dataclass(frozen=True, slots=True)
class ChooseSecondStage:
    """Continue a first-stage bet with its second stage, or decline and lose it."""

    patron: str
    box: int
    spot: str
    continues: bool
    at: int
    stake: int | None = None
    """What the patron put down; exactly the book's multiple, or refused."""

    placed_by: str | None = None


@dataclass(frozen=True, slots=True)
class ChooseAlways:
    """Decide beforehand that every first-stage bet continues, or take that back."""

    patron: str
    always: bool
    at: int
    placed_by: str | None = None


@dataclass(frozen=True, slots=True)
class EndDecisions:
    """The time for second-stage decisions is over."""

    at: int
    short: frozenset[tuple[int, str, str]] = frozenset()
    """Bets whose second stage the stack cannot pay, whatever was chosen beforehand."""


@dataclass(frozen=True, slots=True)
class ReportRemoved:
    """Staff saw chips taken off a closed spot (KO2 5.3)."""

    patron: str
    box: int
    spot: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class CallResult:
    """The dealer announces the result."""

    at: int
    by: str | None = None


@dataclass(frozen=True, slots=True)
class SettleRound:
    """Pay and take every bet."""

    at: int
    by: str | None = None


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Cancel the round and return everything, also after it was settled."""

    reason: str
    clause: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class CorrectCoup:
    """The hands are not what was recorded, or stay where they lie against the order of dealing."""

    coup: Coup
    reason: str
    clause: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class ReturnBets:
    """A patron who may choose takes every bet of the round back (CB4 5.12.3)."""

    patron: str
    clause: str
    by: str
    at: int


Command = (
    OpenRound
    | PlaceBet
    | WithdrawBet
    | RejectExcess
    | CloseBets
    | DrawCard
    | ChooseSecondStage
    | ChooseAlways
    | EndDecisions
    | ReportRemoved
    | CallResult
    | SettleRound
    | VoidRound
    | CorrectCoup
    | ReturnBets
)
