"""Commands of a table beside those of its round. `by` is the person who gives it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cutcard.round import commands as round_commands
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, Side
from cutcard.rules.limits import Limit
from cutcard.rules.rulebook import Role
from cutcard.table.incident import Step
from cutcard.table.setup import Setup


@dataclass(frozen=True, slots=True)
class OpenTable:
    setup: Setup
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class AnnounceClosing:
    """Tell patrons which round will be the last."""

    last_round: int
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class CloseTable:
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class SignOn:
    """Somebody is at the table in a role. Who has which role, whoever runs the table must know."""

    person: str
    role: Role
    at: int
    by: str | None = None
    """A supervisor, where the person does not do it."""


@dataclass(frozen=True, slots=True)
class SignOff:
    person: str
    at: int
    by: str | None = None
    """A supervisor, where the person does not do it."""


@dataclass(frozen=True, slots=True)
class ActAs:
    """Somebody of at least that role lets a person act in it until a set time."""

    person: str
    role: Role
    until: int
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class ChangeLimits:
    """New limits, from the next round on."""

    limits: tuple[Limit, ...]
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class TakeSeat:
    patron: str
    box: int
    at: int


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    patron: str
    at: int


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """Take a seat from a patron who is not there: by staff, or by the house when it is time."""

    box: int
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class AddTerminal:
    """A device stands at the table from now on.

    Without a number it gets the next one, or the number that it had here before.
    """

    terminal: str
    number: int | None
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class RemoveTerminal:
    """A terminal without credit is taken away."""

    terminal: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class LockTerminal:
    """No bet and no money at a terminal until it is unlocked; bets that lie there stand."""

    terminal: str
    reason: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class UnlockTerminal:
    terminal: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class CallAttendant:
    """The patron at a terminal asks for an attendant."""

    terminal: str
    at: int


@dataclass(frozen=True, slots=True)
class AnswerAttendant:
    """An attendant has come to a terminal."""

    terminal: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class FillStack:
    """Money that the cage moved from a wallet to the patron's stack here."""

    patron: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class EmptyStack:
    """The patron cashes out what is free."""

    patron: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class RegisterShoe:
    """A new shoe stands ready: its id, what is in it, and who shuffled it."""

    shoe: str
    manifest: Mapping[Card, int]
    shuffle_record: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class BurnCard:
    """One card leaves the shoe unseen; the first of a shoe is exposed instead."""

    card: Card | None
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class ShowCutCard:
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class EndShoe:
    """The shoe is taken away; `left` is how many cards were counted in it."""

    left: int
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class RequestSqueeze:
    patron: str
    side: Side
    at: int


@dataclass(frozen=True, slots=True)
class AnswerSqueeze:
    patron: str
    granted: bool
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class OpenCards:
    """Turn over whatever lies face down."""

    by: str
    at: int


@dataclass(frozen=True, slots=True)
class InRound:
    """A command of the round, given at the table by a patron or a member of staff."""

    command: round_commands.Command
    by: str


@dataclass(frozen=True, slots=True)
class Report:
    """Something is wrong: what kind of thing, in which round, with which cards."""

    kind: str
    by: str
    at: int
    drawn: tuple[Card, ...] = ()
    """Cards that left the shoe with it and belong to no hand yet."""

    lying: Coup | None = None
    """The hands as they lie, where that is not the order in which they were dealt."""

    exposed: int | None = None
    """Which card of the coup, counted from 0, was turned up."""

    round: int | None = None
    """The round it happened in, if not the present one."""

    note: str = ""
    also_exposed: tuple[int, ...] = ()
    """Further cards that were turned up at the same time."""

    shoe: int | None = None
    """The shoe of this table, counted from 1, that the round was dealt from, if another one."""


@dataclass(frozen=True, slots=True)
class Resolve:
    """Take one of the lawful steps about the incident that is open."""

    step: Step
    by: str
    at: int
    reason: str = ""
    order: tuple[Card, ...] = ()
    """The cards drawn together, the first one first (CB4 5.10)."""

    coup: Coup | None = None
    """The hands as they truly are, where the record is corrected."""

    replace_shoe: bool = False
    facts: str = ""
    """What happened, in the words of whoever rules on it (CB4 5.17)."""

    confirmed_by: str | None = None
    """The second pair of eyes, where the house wants four."""

    owing: Mapping[str, int] = field(default_factory=dict)
    """What patrons owe by the ledger, which no table sees; the venue says it."""


@dataclass(frozen=True, slots=True)
class ChooseOption:
    """Go on with the round after an error, or have every bet in it returned (CB4 5.12)."""

    patron: str
    continues: bool
    by: str
    at: int
    owing: Mapping[str, int] = field(default_factory=dict)
    """As in `Resolve`: whoever takes bets back after the settlement may owe something for them."""


@dataclass(frozen=True, slots=True)
class EndOptions:
    """The time to choose is over; whoever has not chosen has the bets returned."""

    by: str
    at: int
    owing: Mapping[str, int] = field(default_factory=dict)


Undoing = Resolve | ChooseOption | EndOptions
"""Commands by which a settlement may be made anew."""

Command = (
    OpenTable
    | AnnounceClosing
    | CloseTable
    | SignOn
    | SignOff
    | ActAs
    | ChangeLimits
    | TakeSeat
    | LeaveSeat
    | FreeSeat
    | AddTerminal
    | RemoveTerminal
    | LockTerminal
    | UnlockTerminal
    | CallAttendant
    | AnswerAttendant
    | FillStack
    | EmptyStack
    | RegisterShoe
    | BurnCard
    | ShowCutCard
    | EndShoe
    | RequestSqueeze
    | AnswerSqueeze
    | OpenCards
    | Report
    | Resolve
    | ChooseOption
    | EndOptions
    | InRound
)
