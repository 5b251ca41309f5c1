"""What staff are shown of a table, beside what everybody sees."""

from msgspec import Struct

from cutcard.wire.shown import LimitShown


class NextShown(Struct, frozen=True, kw_only=True):
    """The one lawful thing to do next, and who does it."""

    act: str
    role: str
    side: str | None = None
    number: int = 0
    card: str | None = None
    until: int | None = None


class LaidShown(Struct, frozen=True, kw_only=True):
    """A bet with its patron."""

    box: int
    patron: str
    name: str
    spot: str
    stake: int
    reserve: int
    counts_for: int | None
    seated: bool
    placed_by: str | None


class SeatShown(Struct, frozen=True, kw_only=True):
    box: int
    patron: str
    name: str
    stack: int


class PaidShown(Struct, frozen=True, kw_only=True):
    """A line of the pay list: what a bet wins or loses, and the commission kept of it."""

    box: int
    patron: str
    name: str
    spot: str
    stake: int
    net: int
    commission: int
    clause: str
    collect: bool
    """Whether the chips were taken away and the loss must be collected."""


class WarningShown(Struct, frozen=True, kw_only=True):
    code: str
    box: int
    spot: str
    amount: int
    clause: str | None


class MemberShown(Struct, frozen=True, kw_only=True):
    """Somebody at the table."""

    person: str
    name: str
    role: str
    acting: str | None
    until: int | None
    locked: bool


class IncidentShown(Struct, frozen=True, kw_only=True):
    number: int
    kind: str
    round: int
    by: str
    drawn: list[str]
    lying: str | None
    exposed: int | None
    note: str
    clause: str
    decides: str


class OptionShown(Struct, frozen=True, kw_only=True):
    """A patron who may choose; null has not chosen."""

    patron: str
    name: str
    continues: bool | None


class ProposalShown(Struct, frozen=True, kw_only=True):
    """What waits for a second pair of eyes."""

    number: int
    by: str
    name: str
    at: int
    what: str
    reason: str
    coup: str | None
    card: str | None


class CallShown(Struct, frozen=True, kw_only=True):
    by: str
    at: int
    note: str
    answered_by: str | None


class CountShown(Struct, frozen=True, kw_only=True):
    """The count of a shoe that people dealt from."""

    shoe: str
    expected: int
    counted: int
    missing: int
    """Expected less counted: below zero there were too many."""


class CallingShown(Struct, frozen=True, kw_only=True):
    """A terminal at which an attendant is wanted."""

    terminal: str
    name: str
    number: int
    own: bool


class TerminalsShown(Struct, frozen=True, kw_only=True):
    """The terminals of an electronic table, in sum."""

    devices: int
    """Devices of the house that stand there."""

    own: int
    """Terminals that belong to accounts."""

    locked: int
    calling: list[CallingShown]
    """The first that called and wait, by number."""


class StaffShown(Struct, frozen=True, kw_only=True):
    """A table as its staff see it."""

    table: str
    seq: int
    """How many events the table has had."""

    you: str
    """The role in which one acts here now."""

    here: bool
    locked: bool
    automatic: bool
    leaving: bool
    """Whether the automatic dealer was switched off and finishes its round."""

    virtual: bool
    """Whether the shoe is the server's own."""

    next: NextShown
    bets: list[LaidShown]
    seats: list[SeatShown]
    standing: list[SeatShown]
    """Patrons with money at the table and no seat."""

    unlisted: int
    """How many bets of an open table are not listed, because they are smaller."""

    warnings: list[WarningShown]
    pay: list[PaidShown]
    squeeze_asked: dict[str, str]
    names: dict[str, str]
    staff: list[MemberShown]
    incident: IncidentShown | None
    options: list[OptionShown]
    options_until: int | None
    proposal: ProposalShown | None
    lapsed: ProposalShown | None
    """What was proposed in this round and lapsed, because something happened at the table."""

    next_book: str | None
    """The rule set that the table opens with next, where it is another one."""

    call: CallShown | None
    shoe: str | None
    cards_left: int | None
    """Null where people deal from the shoe: they count it without knowing the number."""

    to_burn: int | None
    decks: int
    face_up: list[int]
    next_limits: list[LimitShown]
    by_hand: bool
    continuous: bool
    """Whether a continuous shuffler takes the cards of every round back: there is no cut card."""

    scanner: bool
    """Whether a reader sees the cards; without one they are entered and confirmed by hand."""

    counted: CountShown | None
    """The count of the latest shoe, until another one is registered."""

    terminals: TerminalsShown | None = None
    """At an electronic table."""


class PathShown(Struct, frozen=True, kw_only=True):
    """A lawful step: who takes it, under which clause, and what comes of it."""

    step: str
    title: str
    role: str
    clause: str
    text: str
    player: list[str | None] | None
    banker: list[str | None] | None
    kept: list[str]
    order: list[str]
    offered: list[str]
    shoe_goes: bool
    may_replace_shoe: bool
    four_eyes: bool
    needs_reason: bool
    ruling: bool
    money: dict[str, list[str]] | None
    """By patron: at least, on average, at most, as exact fractions of minor units."""

    house: list[str] | None
    edges: dict[str, str]


class AdviceShown(Struct, frozen=True, kw_only=True):
    """What the book orders about what went wrong."""

    kind: str
    title: str
    clause: str
    text: str
    established: list[str]
    reconstructed: list[list[str | None]] | None
    default: str
    option_ms: int
    paths: list[PathShown]
    names: dict[str, str]


class KindShown(Struct, frozen=True, kw_only=True):
    """Something that can go wrong: what the dealer may report."""

    kind: str
    title: str
    remedy: str
    decides: str
    clause: str
    text: str
