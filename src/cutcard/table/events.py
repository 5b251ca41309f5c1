"""Events of a table beside those of its round."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cutcard.frozen import LATER
from cutcard.round import events as round_events
from cutcard.rules.cards import Card
from cutcard.rules.coup import Side
from cutcard.rules.limits import Limit
from cutcard.rules.rulebook import Role
from cutcard.table.incident import Incident, Step
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
    by: str | None = field(default=None, metadata=LATER)
    """Who did it for the person, where somebody did."""


@dataclass(frozen=True, slots=True)
class SignedOff:
    person: str
    at: int
    by: str | None = field(default=None, metadata=LATER)
    """Who did it for the person, where somebody did."""


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
    by: str | None = field(default=None, metadata=LATER)
    """Who freed the seat, where the patron did not leave it: staff, or the system."""


@dataclass(frozen=True, slots=True)
class TerminalAdded:
    """A terminal stands at the table. An account's own terminal is added by the account itself."""

    terminal: str
    number: int
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class TerminalRemoved:
    terminal: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class TerminalLocked:
    terminal: str
    reason: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class TerminalUnlocked:
    terminal: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class AttendantCalled:
    terminal: str
    at: int


@dataclass(frozen=True, slots=True)
class AttendantCame:
    terminal: str
    by: str
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

    @property
    def expected(self) -> int:
        """How many cards should have been in it."""
        return self.left + self.missing


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


@dataclass(frozen=True, slots=True)
class IncidentReported:
    """Something is wrong; the table waits until it is resolved."""

    incident: Incident
    clause: str
    at: int


@dataclass(frozen=True, slots=True)
class IncidentResolved:
    """A lawful step was taken, by whom, in which role, and why."""

    number: int
    step: Step
    reason: str
    facts: str
    clause: str
    by: str
    role: Role | None
    at: int
    confirmed_by: str | None = field(default=None, metadata=LATER)
    """The second pair of eyes, where there were four."""


@dataclass(frozen=True, slots=True)
class CardsKept:
    """Cards that are out of the shoe and will be dealt first when dealing goes on."""

    cards: tuple[Card, ...]
    at: int


@dataclass(frozen=True, slots=True)
class KeptCardsBurned:
    """Kept cards are not dealt after all, by a ruling."""

    cards: tuple[Card, ...]
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class ShoeRemoved:
    """The shoe was taken away before its end, sealed, and is to be counted elsewhere."""

    shoe: str
    clause: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class OptionsOffered:
    """These patrons may go on or have their bets returned; who says nothing has them returned."""

    patrons: tuple[str, ...]
    until: int
    clause: str
    at: int


@dataclass(frozen=True, slots=True)
class OptionChosen:
    patron: str
    continues: bool
    by_system: bool
    at: int
    placed_by: str | None = None


@dataclass(frozen=True, slots=True)
class OptionsClosed:
    at: int
    by: str | None = field(default=None, metadata=LATER)


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
    | TerminalAdded
    | TerminalRemoved
    | TerminalLocked
    | TerminalUnlocked
    | AttendantCalled
    | AttendantCame
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
    | IncidentReported
    | IncidentResolved
    | CardsKept
    | KeptCardsBurned
    | ShoeRemoved
    | OptionsOffered
    | OptionChosen
    | OptionsClosed
)

Event = OwnEvent | round_events.Event
"""Everything in a table's log: its own events and those of its rounds."""
