"""Incidents: what went wrong at a table, and the steps by which it can be put right.

The kinds are those of the rulebook (`book.irregularities`), each with its remedy,
the role that decides and the clause. An incident is one occurrence of a kind.
"""

from dataclasses import dataclass, field
from enum import Enum

from cutcard.frozen import LATER
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup

FOUR_EYES = "HOUSE four eyes"
"""Under which rule of the house a second person confirms what somebody has decided."""

SYSTEM = "system"
"""Who finds what the table notices by itself, and who goes on after a restart."""

LATE = "noticed a round late"
UNREAD = "unread card"
UNSHUFFLED = "unshuffled cards"
FOREIGN = "foreign card"
MISCOUNT = "shortage or excess in the shoe"
TOO_FEW = "insufficient cards"
EXCESS = "excess or exposed card"
FACE_UP = "card face up"
TOGETHER = "simultaneous cards"
INTERRUPTION = "technical interruption"
WRONG_NUMBER = "wrong number of cards"


class Step(Enum):
    """What somebody with the right role may do about an incident."""

    VOID = "void the round"
    CONCLUDE = "conclude the round"
    RECONSTRUCT = "put the cards in order"
    PLAY_ON = "play on with the cards as they lie"
    CONTINUE = "go on"
    ORDER = "decide which card came first"
    RESCAN = "scan the card again"
    CORRECT = "correct the record"
    RECORD = "write it down; nothing changes"
    DISMISS = "set the alarm aside"
    RETRACT = "take the report back"
    RULE_VOID = "rule that the round is void"
    RULE_CONTINUE = "rule that the round goes on"
    RULE_BURN = "rule that the kept cards are burned"
    NO_RULING = "void the round for want of a ruling"


VOIDING = (Step.VOID, Step.RULE_VOID, Step.NO_RULING)

NEEDS_REASON = (Step.PLAY_ON, Step.DISMISS, Step.RETRACT, Step.CORRECT, Step.NO_RULING)
"""Steps by which somebody departs from what the table would do, and says why."""

RULINGS = (Step.RULE_VOID, Step.RULE_CONTINUE, Step.RULE_BURN)
"""Steps that need the facts and the decision in words, and a signature (CB4 5.17)."""


@dataclass(frozen=True, slots=True)
class Incident:
    """One thing that went wrong.

    `drawn` are cards that left the shoe with it and belong to no hand yet, in the
    order in which they came if that is known; `lying` are the hands as they lie on
    the layout, where that is not the order in which they were dealt.
    """

    number: int
    kind: str
    round: int
    by: str
    drawn: tuple[Card, ...] = ()
    lying: Coup | None = None
    exposed: int | None = None
    """Which card of the coup, counted from 0, was turned up against the rules of the table."""

    note: str = ""
    also_exposed: tuple[int, ...] | None = field(default=None, metadata=LATER)
    """Further cards that were turned up at the same time."""

    shoe: int | None = field(default=None, metadata=LATER)
    """The shoe of this table, counted from 1, in which it happened; None for the latest round's."""
