"""What the API answers to questions, as typed messages."""

from typing import Any

from msgspec import Struct

from cutcard.wire.api import VoucherShown
from cutcard.wire.shown import (
    InterruptedShown,
    LimitShown,
    OwnShown,
    ResultShown,
    TableShown,
    TerminalShown,
)
from cutcard.wire.staffed import StaffShown


class You(Struct, frozen=True):
    """Who is signed in."""

    id: str
    name: str
    kind: str
    role: str
    language: str
    csrf: str
    """To be sent as X-CSRF-Token by pages, whose cookie comes by itself."""

    acting: str | None = None
    """The higher role in which somebody acts at a table, for a while."""

    acting_until: int | None = None
    table: str | None = None
    """Of a terminal: the table at which it stands."""

    number: int | None = None
    """Of a terminal: its number there."""


class TerminalAccount(Struct, frozen=True):
    """The patron's account that is signed in at a terminal."""

    patron: str
    name: str
    wallet: int
    until: int
    """It is signed out then, unless credit was moved before."""


class DeviceShown(Struct, frozen=True):
    """A device of the house, and where it stands."""

    terminal: str
    name: str
    barred: bool
    table: str | None
    number: int | None


class TerminalAtTable(Struct, frozen=True):
    """A terminal as staff see it."""

    terminal: str
    name: str
    state: str
    """removed, locked, needs attendant, in play or idle."""

    usable: int
    """Credit that is not in play."""

    shown: TerminalShown


class SignedIn(Struct, frozen=True):
    """A sign-in; the token is for programs, browsers keep theirs in a cookie."""

    you: You
    csrf: str
    token: str


class LobbyTable(Struct, frozen=True):
    """One table in the lobby."""

    table: str
    title: str
    book: str
    book_name: str
    deals: str
    face_down: bool
    """Whether cards are dealt face down, to be squeezed."""

    dealing: bool
    """Whether it deals by itself at present."""

    open: bool
    phase: str
    until: int | None
    shoe: int
    round: int
    layout: str
    """Its id among the layouts of the book."""

    boxes: int
    taken_boxes: list[int]
    patrons: int
    limits: list[LimitShown]
    winners: str
    """The shoe so far, a letter a round: B, P, T."""

    decks: int
    continuous: bool
    """Whether a continuous shuffler takes the cards of every round back: no shoe ends."""


class Lobby(Struct, frozen=True):
    venue: str
    currency: str
    digits: int
    helpline: str
    address: str
    telephone: str
    site: str
    language: str
    theme: str
    """The colour of the felt."""

    self_service: bool
    now: int
    tables: list[LobbyTable]


class TableState(Struct, frozen=True):
    """A table now; `own` for a patron who is signed in."""

    seq: int
    now: int
    shown: TableShown
    own: OwnShown | None


class StackShown(Struct, frozen=True):
    table: str
    stack: int
    in_play: int


class WalletShown(Struct, frozen=True):
    """A patron's money, wherever it is."""

    wallet: int
    debt: int
    stacks: list[StackShown]
    play_money: int
    """What one may add oneself at a time, where the venue plays for nothing; else 0."""


class OwnLimit(Struct, frozen=True):
    kind: str
    amount: int | None
    wished: int | None
    """A looser one that is waited for."""

    wished_from: int | None


class Protection(Struct, frozen=True):
    """A patron's own limits, and how the session stands."""

    limits: list[OwnLimit]
    time_out_until: int | None
    excluded_until: int | None
    """Nothing for whoever is excluded for good."""

    excluded_for_good: bool
    elapsed: int | None
    net: int | None
    check_due: bool
    next_check: int | None
    time_left: int | None
    helpline: str


class PlayedRound(Struct, frozen=True):
    """A round in which one had bets."""

    table: str
    round: str
    at: int
    ended: str
    staked: int
    net: int
    commission: int
    player: list[str]
    banker: list[str]
    winner: str | None
    bets: list[ResultShown]
    decided_by_system: list[str]
    """Spots on which nobody decided in time."""

    reason: str | None = None
    """Why it was void, and under which clause."""

    clause: str | None = None
    interrupted: InterruptedShown | None = None
    """What the book ordered if the house went away in the middle of it."""


class History(Struct, frozen=True):
    """A recall of rounds, the latest first; it is not live."""

    replay: bool
    rounds: list[PlayedRound]


class RoundShown(Struct, frozen=True):
    """A round as everybody saw it."""

    table: str
    round: str
    at: int
    ended: str | None
    player: list[str]
    banker: list[str]
    winner: str | None
    reason: str | None
    clause: str | None
    interrupted: InterruptedShown | None = None


class Rounds(Struct, frozen=True):
    rounds: list[RoundShown]


class Vouchers(Struct, frozen=True):
    vouchers: list[VoucherShown]


class ShoeShown(Struct, frozen=True):
    """The committed shoe in use: how far it is, and what everybody may check."""

    shoe: str
    number: int
    phase: str
    commitment: dict[str, Any]
    seeds_until: int
    seals: int
    left: int


class HeadShown(Struct, frozen=True):
    """Where a table's log stands: photograph the anchor, and nobody can rewrite what is before."""

    table: str
    count: int
    hash: str
    anchor: str
    key: str


class Health(Struct, frozen=True):
    status: str
    now: int


class SignificantShown(Struct, frozen=True):
    at: int
    kind: str
    who: str
    where: str
    why: str
    before: str
    after: str
    name: str
    """What whoever did it is called."""


# --- live -----------------------------------------------------------------------------------------


class _Told(Struct, frozen=True, tag_field="is", forbid_unknown_fields=True):
    """What the live connection tells by itself; answers to commands are Done and Refused."""

    now: int
    """The server's time."""


class Who(Struct, frozen=True):
    id: str
    name: str
    kind: str


class Welcome(_Told, tag="welcome", frozen=True):
    """The first message, with whoever is signed in."""

    version: int
    started: int
    """When the server was started: whoever knew an earlier time has seen it restart."""

    you: Who | None


class Snapshot(_Told, tag="snapshot", frozen=True):
    """A table whole."""

    table: str
    seq: int
    shown: TableShown


class Change(_Told, tag="change", frozen=True):
    """What differs at a table since the message with the sequence number `was`."""

    table: str
    was: int
    seq: int
    changes: dict[str, Any]
    """Fields of TableShown."""


class Own(_Told, tag="own", frozen=True):
    """A patron's own at a table."""

    seq: int
    own: OwnShown


class Felt(_Told, tag="staff", frozen=True):
    """A table as its staff see it, to a member of staff alone."""

    seq: int
    staff: StaffShown


class Time(_Told, tag="time", frozen=True):
    """The answer to a ping."""

    sent: int


Told = Welcome | Snapshot | Change | Own | Felt | Time
