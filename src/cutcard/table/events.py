"""Events of a table beside those of its round."""

from collections.abc import Mapping
from dataclasses import dataclass

from cutcard.round import events as round_events
from cutcard.rules.cards import Card
from cutcard.rules.coup import Side
from cutcard.rules.limits import Limit
from cutcard.rules.rulebook import Role
from cutcard.table.setup import Setup


@dataclass(frozen=True, slots=True)
class TableOpened:
    setup: Setup
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class ClosingAnnounced:
    last_round: int
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class TableClosed:
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class SignedOn:
    person: str
    role: Role
    at: int


@dataclass(frozen=True, slots=True)
class SignedOff:
    person: str
    at: int


@dataclass(frozen=True, slots=True)
class Acting:
    person: str
    role: Role
    until: int
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class LimitsScheduled:
    limits: tuple[Limit, ...]
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    patron: str
    box: int
    at: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    patron: str
    box: int
    at: int


@dataclass(frozen=True, slots=True)
class StackFilled:
    patron: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class StackEmptied:
    patron: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class ShoeRegistered:
    shoe: str
    manifest: Mapping[Card, int]
    shuffle_record: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class CardExposed:
    """The first card of a new shoe, which says how many are burned."""

    card: Card
    to_burn: int
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A card left the shoe unseen. Who it was is kept elsewhere until the shoe ends."""

    left_to_burn: int
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class CutCardShown:
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class ShoeEnded:
    """The shoe is over; `missing` is what the count found too few (or, below zero, too many)."""

    shoe: str
    left: int
    missing: int
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class SqueezeRequested:
    patron: str
    side: Side
    at: int


@dataclass(frozen=True, slots=True)
class SqueezeAnswered:
    patron: str
    side: Side
    granted: bool
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class CardsOpened:
    by: str
    at: int


OwnEvent = (
    TableOpened
    | ClosingAnnounced
    | TableClosed
    | SignedOn
    | SignedOff
    | Acting
    | LimitsScheduled
    | SeatTaken
    | SeatLeft
    | StackFilled
    | StackEmptied
    | ShoeRegistered
    | CardExposed
    | CardBurned
    | CutCardShown
    | ShoeEnded
    | SqueezeRequested
    | SqueezeAnswered
    | CardsOpened
)

Event = OwnEvent | round_events.Event
"""Everything in a table's log: its own events and those of its rounds."""
