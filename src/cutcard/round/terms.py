"""Terms: what a round is played under, frozen in its first event.

Limits, boxes and policies may change while a round is open; the round does not
notice. The rulebook is pinned by its hash, so a log replays under the very book
it was written under.
"""

from dataclasses import dataclass
from enum import Enum

from cutcard.rules.limits import Limit


class Entry(Enum):
    """What becomes of a bet outside the limits."""

    REFUSE = "refuse"
    """A terminal refuses it when it is placed."""

    WARN = "warn"
    """Chips lie where they lie: the dealer is warned, and what nobody saw is apportioned."""


class Apportioning(Enum):
    """Who is cut when the excess was not seen (CB4 5.1.1)."""

    ALL = "all"
    SEATED_FIRST = "seated first"


NO_BOX = 0
"""The box of every bet at an open table, which has none."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Everything that decides a round beside its cards and bets."""

    book: str
    book_hash: str
    limits: tuple[Limit, ...]
    boxes: int
    """How many betting boxes there are; 0 at an open table."""

    entry: Entry = Entry.REFUSE
    apportioning: Apportioning = Apportioning.ALL
    decision_ms: int = 10_000
    """How long a second-stage decision may take."""

    open_cards: int = 0
    """How many cards lie face up also at a face-down table."""
