"""A rulebook: everything one rule set says, as values.

Nothing here knows any particular game. What a bet pays, which decks are used,
who decides an irregularity: all of it is read from the rule set's document
(see `reading`) and frozen, with the clause beside every rule.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from cutcard.refusals import Refusal
from cutcard.rules.limits import Limit
from cutcard.rules.moment import milliseconds
from cutcard.rules.paytable import PayTable
from cutcard.rules.shoe import Dice


@dataclass(frozen=True, slots=True)
class Decks:
    """How many decks the book allows, and how many are usual."""

    least: int
    most: int
    usual: int
    clause: str

    @property
    def allowed(self) -> str:
        """`4–8`, or `8` where the book leaves no choice."""
        return str(self.most) if self.least == self.most else f"{self.least}–{self.most}"


@dataclass(frozen=True, slots=True)
class Cut:
    """How many cards may stand behind the cut card; the place is drawn evenly between."""

    least: int
    most: int
    clause: str

    def drawn(self, dice: Dice) -> int:
        """So many cards stand behind the cut card of a new shoe."""
        return self.least + dice.below(self.most - self.least + 1)

    def within(self, behind: int | None) -> tuple[int, int]:
        """Where it may stand: just there, or anywhere that the book allows."""
        return (self.least, self.most) if behind is None else (behind, behind)


@dataclass(frozen=True, slots=True)
class Needs:
    """A bet that may only be placed beside one of some other bets."""

    any_of: tuple[str, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class Stage:
    """A second-stage bet: placed after a card has been seen, on top of a first bet.

    Declining it loses the first bet at once, under `declined_clause`.
    """

    follows: str
    after_card: int
    multiple: int
    clause: str
    declined_clause: str
    funds_together: bool = False
    """Whether a table that reserves it counts it for all open first bets of a patron together."""


class SpotName(str):
    """A spot's id. A refusal in which no catalogue knows the spot shows its label instead."""

    __slots__ = ("label",)
    label: str

    def __new__(cls, id: str, label: str) -> "SpotName":
        name = super().__new__(cls, id)
        name.label = label
        return name


@dataclass(frozen=True)
class Spot:
    """One bet area: its printed label, what it pays, and what it depends on."""

    id: str
    label: str
    table: PayTable
    needs: Needs | None
    stage: Stage | None

    @property
    def name(self) -> "SpotName":
        """The id, which also knows how the book prints it."""
        return SpotName(self.id, self.label)

    @property
    def step(self) -> int:
        return self.table.step

    @property
    def reserve(self) -> int:
        return self.table.reserve


@dataclass(frozen=True, slots=True)
class Layout:
    """A table layout of the book.

    `boxes` is None where the book leaves their number to the operator, and 0 for an open
    table: it has neither boxes nor seats, and any number of patrons bets there directly.
    `labels` holds what the drawing prints instead of a spot's own label, and `areas` what
    lies on the felt beside the spots.
    """

    id: str
    name: str
    boxes: int | None
    labels: Mapping[str, str]
    areas: tuple[str, ...]
    clause: str
    terminals: str | None = None
    """The clause by which all credit lies on player terminals; None where it does not."""

    @property
    def is_open(self) -> bool:
        return self.boxes == 0


@dataclass(frozen=True, slots=True)
class BackBets:
    """Whether a patron may bet in the box of another patron's seat, and by which clause."""

    allowed: bool
    clause: str


STANDING_PATRONS = BackBets(True, "CB4 1.18")
"""For a book that does not mention back bets: books of earlier logs do not."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words of the book, quoted or paraphrased, and where they stand."""

    words: str
    clause: str


class Role(Enum):
    """Who may decide, from the least authority to the greatest."""

    DEALER = "dealer"
    PIT_SUPERVISOR = "pit supervisor"
    PIT_MANAGER = "pit manager"
    SHIFT_MANAGER = "shift manager"


class Remedy(Enum):
    """What a book orders when something went wrong."""

    VOID = "void"
    CONCLUDE = "conclude"
    CONCLUDE_OR_VOID = "conclude or void"
    RECONSTRUCT = "reconstruct"
    RECONSTRUCT_OR_VOID = "reconstruct or void"
    CONTINUE = "continue"
    ORDER_CARDS = "order cards"
    RESCAN = "rescan"
    RESCAN_OR_ENTER = "rescan or enter"
    CORRECT = "correct"
    STANDS = "stands"
    REFUSE = "refuse"
    AS_PLACED = "as placed"
    PRO_RATA = "pro rata"
    RULING = "ruling"


class Options(Enum):
    """When patrons may choose to continue or have their bets returned."""

    NEVER = "never"
    ALWAYS = "always"
    UNLESS_ESTABLISHED = "unless established"
    UNLESS_ESTABLISHED_AND_RECONSTRUCTABLE = "unless established and reconstructable"
    WHO_DECIDED = "who decided on it"


class ShoeAfter(Enum):
    """What becomes of the shoe once the round is void."""

    LEAVES = "leaves"
    STAYS = "stays"


@dataclass(frozen=True, slots=True)
class Irregularity:
    """A departure from procedure that the book foresees, its remedy, and who decides it."""

    id: str
    remedy: Remedy
    decides: Role
    options: Options
    clause: str
    shoe: ShoeAfter | None = None
    """None where the book does not say, as no older one does."""


class Interruption(Enum):
    """What becomes of a round that a fault interrupts."""

    ESTABLISHED = "conclude if an outcome is established, else void"
    FIRST_CARD = "conclude once the first card is drawn, else cancel"


@dataclass(frozen=True)
class Rulebook:
    """One rule set, complete and validated. `hash` pins every word that decides how it plays."""

    id: str
    name: str
    document: str
    operator: str
    version: str
    effective_from: str | None
    approval: str | None
    house_policy: str | None
    hash: str
    decks: Decks
    cut: Cut
    burn_clause: str
    spots: Mapping[str, Spot]
    limits: tuple[Limit, ...]
    layouts: tuple[Layout, ...]
    back_bets: BackBets
    announcements: Mapping[str, Text]
    interruption: Interruption
    concludes_clause: str
    """Under which an interrupted round is played to its end."""

    voids_clause: str
    """Under which it is void."""

    irregularities: Mapping[str, Irregularity]
    texts: tuple[Text, ...]
    cites: Mapping[str, str]
    dealer_clause: str | None = None
    """Under which no round opens unless a dealer is signed on; None where no clause says so."""

    source: str = field(default="", compare=False)
    """The file it was read from; a list of clauses may stand beside it."""

    written: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    """The document that was read: with it, anybody can read the same book again."""

    cited: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The documents whose clauses it cites, its own among them."""

    def __hash__(self) -> int:
        return hash(self.hash)

    @property
    def open_cards(self) -> int:
        """How many cards of a coup lie face up at any table, because bets are decided on them."""
        stages = (spot.stage.after_card for spot in self.spots.values() if spot.stage)
        return max(stages, default=0)

    def check_in_force(self, at: int) -> None:
        """Refuse to begin anything under a book before its time."""
        if self.effective_from is not None and at < milliseconds(self.effective_from):
            raise Refusal(
                "round/not-in-force",
                {"book": self.name, "version": self.version, "from": self.effective_from},
                f"{self.document} title (b)",
            )

    def layout(self, id: str) -> Layout | None:
        """The layout of that id, if the book has it."""
        return next((one for one in self.layouts if one.id == id), None)

    def spot(self, id: str) -> Spot:
        """The spot of that id, or a refusal: this book does not offer the bet."""
        try:
            return self.spots[id]
        except KeyError:
            raise Refusal(
                "bet/not-offered",
                {
                    "spot": id,
                    "book": self.name,
                    "offered": tuple(self.spots),
                },
                self.cites["bets"],
            ) from None

    def decks_for(self, wanted: int | None) -> int:
        """So many decks as are wanted, if the book allows them, or as many as are usual."""
        number = self.decks.usual if wanted is None else wanted
        self.check_decks(number)
        return number

    def check_decks(self, decks: int) -> None:
        """Refuse a number of decks that the book does not allow."""
        if not self.decks.least <= decks <= self.decks.most:
            raise Refusal(
                "shoe/decks",
                {"decks": decks, "allowed": self.decks.allowed},
                self.decks.clause,
            )

    def stage_of(self, first: str) -> Spot | None:
        """The second-stage bet that follows a first bet, if there is one."""
        return self._second_stages.get(first)

    @cached_property
    def _second_stages(self) -> Mapping[str, Spot]:
        return {
            spot.stage.follows: spot
            for spot in reversed(list(self.spots.values()))
            if spot.stage is not None
        }
