"""The shapes of a configuration: every key with its kind, its default and its meaning."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from types import MappingProxyType

from cutcard.refusals import LANGUAGES
from cutcard.round.terms import Apportioning
from cutcard.rulebooks import load as load_book
from cutcard.rules.limits import Kind, Scope
from cutcard.rules.rulebook import Rulebook
from cutcard.server.settings import (
    Flag,
    Member,
    Named,
    Section,
    Sections,
    Text,
    Texts,
    Whole,
    Word,
    told,
)
from cutcard.table.sentinel import RUN

THEMES = ("green", "burgundy", "midnight")

USUAL = "usual"
"""The pace that is there without being written down."""

MOST_MONEY = 10**12
LONGEST_MS = 600_000
NAME = Text(r"[a-z0-9-]{1,32}", "table-1")


class Deals(Enum):
    """Who deals at a table."""

    MACHINE = "machine"
    AUTOMATIC = "automatic"
    STAFF = "staff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Currency:
    """What money is counted in."""

    code: str = field(
        default="XTS",
        metadata=told(
            Text("[A-Z]{3}", "SGD"),
            "The currency's ISO 4217 code. XTS is the code for testing: play money.",
        ),
    )
    digits: int = field(
        default=2,
        metadata=told(
            Whole(0, 3), "Digits after the point: amounts are kept in whole units of the last one."
        ),
    )

    def __str__(self) -> str:
        return f"{self.code}/{self.digits}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VenueSettings:
    """Who runs the tables, and whom a patron can turn to."""

    name: str = field(default="cutcard", metadata=told(Text(), "The venue's name."))
    language: str = field(
        default="en",
        metadata=told(Word(LANGUAGES), "What is spoken unless somebody chose otherwise."),
    )
    theme: str = field(
        default="green",
        metadata=told(Word(THEMES), "The colour of the felt on every screen."),
    )
    helpline: str = field(
        metadata=told(
            Text(),
            "Required. The gambling helpline of the place; every table shows it, and no table "
            "opens without one.",
        )
    )
    address: str = field(
        default="", metadata=told(Text(empty=True), "Where the venue is.", example="1 Harbour Road")
    )
    telephone: str = field(
        default="",
        metadata=told(Text(empty=True), "The venue's telephone.", example="+65 0000 0000"),
    )
    site: str = field(
        default="",
        metadata=told(Text(empty=True), "The venue's own page.", example="www.example.org"),
    )
    demonstration: bool = field(
        default=False,
        metadata=told(
            Flag(),
            "Whether this is a demonstration: a floor that plays for nothing. Only there may a "
            "machine or the automatic dealer deal at a table whose rulebook wants a dealer (CB4 "
            "1.4, KO2 3.1).",
        ),
    )
    currency: Currency = field(
        default=Currency(), metadata=told(Section(Currency), "What money is counted in.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Where the server listens and what it keeps where."""

    host: str = field(
        default="127.0.0.1",
        metadata=told(Text(), "The address to listen on; 127.0.0.1 is this machine alone."),
    )
    port: int = field(
        default=8080, metadata=told(Whole(0, 65_535), "The port; 0 takes any that is free.")
    )
    database: str = field(
        default="sqlite:cutcard.db",
        metadata=told(
            Text(r"sqlite:.+|postgresql://.+", "sqlite:cutcard.db"),
            "Where everything is kept: sqlite: and a file's path, or a postgresql:// address. "
            "Paths in this file are seen from the folder in which the server is started.",
        ),
    )
    keys: str = field(
        default="cutcard.keys",
        metadata=told(
            Text(),
            "The file with the key that signs logs and the key that encrypts undealt shoes. "
            "It is made if it is missing, and refused if anybody else may read it.",
        ),
    )
    lease_ms: int = field(
        default=5_000,
        metadata=told(
            Whole(500, 60_000),
            "How long a server owns the tables after its last sign of life. Another one on the "
            "same database stands by and takes over then.",
        ),
    )
    tls_cert: str | None = field(
        default=None,
        metadata=told(
            Text(),
            "The certificate, and with it its key: both or none. Without them other machines "
            "need a proxy that has them.",
            example="cert.pem",
        ),
    )
    tls_key: str | None = field(
        default=None, metadata=told(Text(), "The certificate's key.", example="key.pem")
    )
    origins: tuple[str, ...] = field(
        default=(),
        metadata=told(
            Texts(Text(r"https?://[a-z0-9.\[\]:-]+", "https://play.example")),
            "Pages of other origins that may speak to this server, besides its own.",
        ),
    )
    trusted_proxy: bool = field(
        default=False,
        metadata=told(
            Flag(),
            "Whether a proxy stands before the server, whose X-Forwarded-For and "
            "X-Forwarded-Proto are believed. Say true only if nobody can come past it.",
        ),
    )
    plain_cookies: bool = field(
        default=False,
        metadata=told(
            Flag(),
            "Whether people may sign in from other machines without TLS. Whoever listens on "
            "the network can then act in their name.",
        ),
    )
    anonymous_requests: int = field(
        default=3_000,
        metadata=told(
            Whole(1, 1_000_000),
            "Requests a minute from one address by whoever is not signed in; a whole hall may "
            "share one.",
        ),
    )
    anonymous_sockets: int = field(
        default=1_000,
        metadata=told(
            Whole(0, 100_000),
            "Live connections from one address of whoever is not signed in, such as displays.",
        ),
    )

    @property
    def tls(self) -> bool:
        return self.tls_cert is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInSettings:
    """How long a sign-in lasts, and how many may be tried."""

    idle_minutes: int = field(
        default=30,
        metadata=told(Whole(1, 1_440), "After so long without activity one signs in again."),
    )
    longest_hours: int = field(
        default=12, metadata=told(Whole(1, 168), "No sign-in lasts longer, however active.")
    )
    attempts_account: int = field(
        default=10,
        metadata=told(Whole(1, 1_000), "Failed sign-ins to one account within the window."),
    )
    attempts_address: int = field(
        default=50,
        metadata=told(
            Whole(1, 100_000),
            "Failed sign-ins from one address within the window; a whole hall may share one.",
        ),
    )
    window_minutes: int = field(
        default=15, metadata=told(Whole(1, 1_440), "The window in which failures are counted.")
    )
    pool: int = field(
        default=2,
        metadata=told(
            Whole(1, 4), "How many passwords are checked at a time; each takes 46 MiB and a core."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneySettings:
    """Money in and out, and from which amounts on it is noted."""

    self_service: bool = field(
        default=False,
        metadata=told(
            Flag(),
            "Whether patrons give themselves play money and take it back: for demonstrations only. "
            "Elsewhere cashiers take cash and hand it out.",
        ),
    )
    voucher_days: int = field(
        default=90, metadata=told(Whole(1, 3_650), "How long a voucher can be redeemed.")
    )
    hand_pay: int = field(
        default=0,
        metadata=told(
            Whole(0, MOST_MONEY),
            "From this amount on a terminal prints no voucher and the cage pays by hand, in minor "
            "units; 0 is never.",
        ),
    )
    large_win: int = field(
        default=1_000_000,
        metadata=told(
            Whole(1, MOST_MONEY), "A win of a round from which on it is noted, in minor units."
        ),
    )
    large_bet: int = field(
        default=1_000_000,
        metadata=told(Whole(1, MOST_MONEY), "A bet from which on it is noted, in minor units."),
    )


LEAST_ROUND_MS = 5_000
"""A round may not follow the last one faster, except in tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a table plays, in milliseconds."""

    betting_ms: int = field(
        default=20_000, metadata=told(Whole(0, LONGEST_MS), "How long bets are taken.")
    )
    decision_ms: int = field(
        default=10_000,
        metadata=told(Whole(1, LONGEST_MS), "How long a second-stage bet can be decided."),
    )
    option_ms: int = field(
        default=30_000,
        metadata=told(
            Whole(1, LONGEST_MS),
            "How long patrons may choose after a dealing error: to go on, or to have their bets "
            "returned.",
        ),
    )
    card_ms: int = field(
        default=1_200, metadata=told(Whole(0, LONGEST_MS), "Between one card and the next.")
    )
    result_ms: int = field(
        default=5_000, metadata=told(Whole(0, LONGEST_MS), "How long the result stays.")
    )
    least_round_ms: int = field(
        default=LEAST_ROUND_MS,
        metadata=told(
            Whole(0, LONGEST_MS),
            "The least time from the start of a round to the start of the next, 5000 or more "
            "unless test = true.",
        ),
    )
    seeds_ms: int = field(
        default=10_000,
        metadata=told(
            Whole(0, LONGEST_MS), "How long patrons' seeds for a new shoe are taken, in each step."
        ),
    )
    asking_ms: int = field(
        default=4_000,
        metadata=told(
            Whole(0, LONGEST_MS),
            "How long patrons may ask to squeeze where cards are dealt face down.",
        ),
    )
    squeeze_ms: int = field(
        default=8_000,
        metadata=told(Whole(0, LONGEST_MS), "How long whoever was granted the squeeze has for it."),
    )
    free_rounds: bool = field(
        default=False,
        metadata=told(
            Flag(),
            "Whether a round in which nobody has bet is dealt all the same. Otherwise the time "
            "to bet begins to run with the first bet.",
        ),
    )
    test: bool = field(
        default=False,
        metadata=told(Flag(), "Lifts the least time of a round: never where people play."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSettings:
    """A limit of the table, instead of the book's on the same spots."""

    kind: Kind = field(metadata=told(Member(Kind), "minimum, maximum or differential."))
    scope: Scope = field(
        default=Scope.BET,
        metadata=told(Member(Scope), "Counted over a bet, box, patron or the table."),
    )
    spots: tuple[str, ...] = field(
        default=(),
        metadata=told(
            Texts(Text()), "Which spots; none named means all, of a differential player and banker."
        ),
    )
    amount: int = field(metadata=told(Whole(1, MOST_MONEY), "In minor units."))


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalSettings:
    """The record that the regulator has approved the book, signed by two people."""

    reference: str = field(metadata=told(Text(), "The regulator's letter or number."))
    first: str = field(metadata=told(Text(), "Who signed."))
    second: str = field(metadata=told(Text(), "Who signed too: somebody else."))
    hash: str | None = field(
        default=None,
        metadata=told(
            Text("[0-9a-f]{64}", "64 digits from 0 to f"),
            "The book's hash as it was approved; a book that has changed since is refused.",
        ),
    )


BOOK = told(Text(), "Required. The rule set: an id of the eight, or a file's path.")
LAYOUT = told(
    Text(), "The layout, by its id in the book; the book's first if left out.", example="screen"
)
BOXES = told(
    Whole(0, 14),
    "How many betting boxes, where the layout leaves it to the operator; 12 if left out. An open "
    "table (online, electronic) has none and takes any number of patrons.",
    example=0,
)
DECKS = told(Whole(1, 8), "How many decks; the book's usual number if left out.", example=8)
FACE_DOWN = told(Flag(), "Whether cards are dealt face down, for patrons to squeeze.")
OPEN_BOXES = told(
    Flag(),
    "Whether patrons may bet in a box whose seat has no bet of its own (HOUSE back bets).",
)
RESERVE_SECOND = told(
    Flag(),
    "Whether a first-stage bet, such as an Ante, is refused to a patron whose stack could not pay "
    "for its second stage (KO2 3.4 funds).",
)
APPORTIONING = told(
    Member(Apportioning),
    "How bets beyond a differential are cut that nobody saw before the close. all: every bet in "
    "proportion. seated first: bets of standing patrons before those of the seated one (HOUSE "
    "seated share).",
)
ONLY_PLACED = told(
    Flag(),
    "Whether an outcome is established only by bets that were placed, instead of by any bet that "
    "the table offers (HOUSE available).",
)
BOUND = told(
    Flag(),
    "Whether a patron who went on after a dealing error has no choice after the next one of the "
    "same round (HOUSE second error).",
)
MOST_RUN = 13
"""A suit has so many cards."""

APPROVAL = told(
    Section(ApprovalSettings),
    "Required where a regulator approves the book: its reference, two people who signed that it "
    "was given, and the book's hash if a changed one is to be refused.",
    example=ApprovalSettings(reference="letter 7", first="A. Lim", second="B. Tan"),
)
LIMITS = told(
    Sections(LimitSettings),
    "Limits of the table instead of the book's on the same spots: kind, scope, spots and amount "
    "as in a rulebook.",
    key="limit",
    example=(LimitSettings(kind=Kind.MAXIMUM, spots=("tie",), amount=50_000),),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherBook:
    """Another rule set that the pit may choose for a table, with what the table needs for it."""

    book: str = field(metadata=BOOK)
    layout: str | None = field(default=None, metadata=LAYOUT)
    boxes: int | None = field(default=None, metadata=BOXES)
    decks: int | None = field(default=None, metadata=DECKS)
    face_down: bool = field(default=False, metadata=FACE_DOWN)
    open_boxes: bool = field(default=False, metadata=OPEN_BOXES)
    reserve_second: bool = field(default=False, metadata=RESERVE_SECOND)
    apportioning: Apportioning = field(default=Apportioning.ALL, metadata=APPORTIONING)
    only_placed: bool = field(default=False, metadata=ONLY_PLACED)
    bound: bool = field(default=False, metadata=BOUND)
    approval: ApprovalSettings | None = field(default=None, metadata=APPROVAL)
    limits: tuple[LimitSettings, ...] = field(default=(), metadata=LIMITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """One table."""

    name: str = field(
        metadata=told(NAME, "Required. Its id, by which logs and addresses know it, for ever.")
    )
    title: str | None = field(
        default=None,
        metadata=told(
            Text(), "What people read; the book's name if it is left out.", example="Table 1"
        ),
    )
    book: str = field(metadata=BOOK)
    pace: str = field(
        default=USUAL, metadata=told(Text(), "One of the paces above; usual is always there.")
    )
    deals: Deals = field(
        default=Deals.STAFF,
        metadata=told(
            Member(Deals),
            "machine: an electronic table that deals to itself from a proven shoe. automatic: "
            "played like a table with staff, by the server. staff: people deal, as they must "
            "where the rulebook wants a dealer.",
        ),
    )
    layout: str | None = field(default=None, metadata=LAYOUT)
    boxes: int | None = field(default=None, metadata=BOXES)
    decks: int | None = field(default=None, metadata=DECKS)
    face_down: bool = field(default=False, metadata=FACE_DOWN)
    seat_minutes: int = field(
        default=5,
        metadata=told(
            Whole(0, 24 * 60),
            "For how many minutes of play a seat is kept for a patron who does not bet; 0 keeps "
            "it for ever. No time counts between rounds or while something is put right (HOUSE "
            "seats).",
        ),
    )
    chips: bool = field(
        default=False,
        metadata=told(
            Flag(),
            "Whether bets are chips on the layout: the dealer is then warned of bets outside "
            "the limits, which a terminal would refuse.",
        ),
    )
    continuous: bool = field(
        default=False,
        metadata=told(
            Flag(),
            "Whether a continuous shuffler takes the cards of every round back at once: every "
            "round is dealt from the full shoe, and there is no cut card (CB4 1.6, HOUSE "
            "shuffler). Only where people deal.",
        ),
    )
    scanner: bool = field(
        default=True,
        metadata=told(
            Flag(),
            "Whether the shoe has a card reader. Without one cards are entered by hand and a "
            "second member of staff confirms each (CB4 1.3). Only where people deal, and not by a "
            "book that lets nobody type a card in (ONL E3).",
        ),
    )
    sentinel: int = field(
        default=RUN,
        metadata=told(
            Whole(0, MOST_RUN),
            "So many cards in the order of a new deck, 3 or more, raise the alarm that the shoe "
            "was not shuffled (CB4 5.5.5); 0 for none.",
        ),
    )
    open_boxes: bool = field(default=False, metadata=OPEN_BOXES)
    reserve_second: bool = field(default=False, metadata=RESERVE_SECOND)
    apportioning: Apportioning = field(default=Apportioning.ALL, metadata=APPORTIONING)
    only_placed: bool = field(default=False, metadata=ONLY_PLACED)
    bound: bool = field(default=False, metadata=BOUND)
    open: bool = field(
        default=True, metadata=told(Flag(), "Whether it opens when the server starts.")
    )
    helpline: str | None = field(
        default=None,
        metadata=told(
            Text(),
            "The helpline of this table, where it is not the venue's.",
            example="1800 000 000",
        ),
    )
    approval: ApprovalSettings | None = field(default=None, metadata=APPROVAL)
    limits: tuple[LimitSettings, ...] = field(default=(), metadata=LIMITS)
    others: tuple[OtherBook, ...] = field(
        default=(),
        metadata=told(
            Sections(OtherBook),
            "Other rule sets that the pit may choose for the table, with notice and between two "
            "rounds: each with its book, and layout, boxes, decks, face_down, open_boxes, "
            "reserve_second, apportioning, only_placed, bound, approval and limit as above.",
            key="other",
            example=(OtherBook(book="online-no-commission"),),
        ),
    )

    @property
    def rulebook(self) -> Rulebook:
        return load_book(self.book)

    def by(self, other: OtherBook) -> "TableSettings":
        """The same table by another of its books."""
        return replace(
            self, others=(), **{one.name: getattr(other, one.name) for one in fields(other)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The whole configuration."""

    venue: VenueSettings = field(
        metadata=told(Section(VenueSettings), "Who runs the tables, and whom a patron can turn to.")
    )
    server: ServerSettings = field(
        default=ServerSettings(),
        metadata=told(Section(ServerSettings), "Where the server listens and what it keeps where."),
    )
    signin: SignInSettings = field(
        default=SignInSettings(),
        metadata=told(
            Section(SignInSettings), "How long a sign-in lasts, and how many may be tried."
        ),
    )
    money: MoneySettings = field(
        default=MoneySettings(),
        metadata=told(
            Section(MoneySettings), "Money in and out, and from which amounts on it is noted."
        ),
    )
    paces: Mapping[str, Pace] = field(
        default_factory=lambda: MappingProxyType({USUAL: Pace()}),
        metadata=told(
            Named(Pace, NAME), "How fast tables play, each pace under a name.", key="pace"
        ),
    )
    tables: tuple[TableSettings, ...] = field(
        metadata=told(Sections(TableSettings), "The tables, one or more.", key="table")
    )

    def table(self, name: str) -> TableSettings:
        """The table of that name, which must be there."""
        return next(one for one in self.tables if one.name == name)

    def pace(self, table: TableSettings) -> Pace:
        return self.paces[table.pace]

    def helpline(self, table: TableSettings) -> str:
        return table.helpline or self.venue.helpline
