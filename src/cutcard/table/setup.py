"""A table's set-up: what the operator decides before it opens."""

from dataclasses import dataclass, field

from cutcard.frozen import LATER
from cutcard.round.terms import Apportioning, Entry, Terms
from cutcard.rules.limits import Limit, Scope
from cutcard.rules.rulebook import Layout, Rulebook
from cutcard.table.sentinel import RUN

BOXES = 12
"""How many betting boxes there are where neither book nor operator says."""


EDITION = 2
"""The edition of the house's own rules by which tables are opened now.

A log is verified by the rules that it was written under, so a rule that forbids more, or decides
otherwise, holds for tables of its edition and later ones.
`docs/decisions/0023-rules-of-the-house-have-editions.md` says what each edition has brought.
"""


@dataclass(frozen=True, slots=True)
class Approval:
    """The operator's record that the regulator has approved a book, signed by two people."""

    reference: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything about a table that does not change while it is open."""

    table: str
    book: str
    book_hash: str
    layout: str
    boxes: int
    """How many betting boxes, each with a seat; 0 at an open table, which has neither."""

    decks: int
    limits: tuple[Limit, ...]
    helpline: str
    entry: Entry = Entry.REFUSE
    face_down: bool = False
    open_boxes: bool = False
    """Whether patrons may bet in a box whose seat has no bet of its own."""

    machine: str | None = None
    """Who deals where no dealer does: the name under which a table that deals by itself acts."""

    continuous: bool = False
    """Whether a shuffling machine takes the cards of every round back at once."""

    scanner: bool = True
    """Without one, cards are entered by hand and a second member of staff confirms each."""

    reserve_second: bool = False
    """Whether a bet is refused to a patron who could then not pay for a second stage (KO2 3.4)."""

    approval: Approval | None = None
    sentinel: int = RUN
    """So many cards in the order of a new deck raise an alarm; 0 for none."""

    only_placed: bool = False
    """Whether only bets that somebody placed can establish an outcome (HOUSE available)."""

    bound: bool = False
    """Whether whoever went on after one error gets no choice at the next (HOUSE second error)."""

    option_ms: int = 30_000
    """How long patrons may choose after an error."""

    apportioning: Apportioning = Apportioning.ALL
    decision_ms: int = 10_000
    demonstration: bool | None = field(default=None, metadata=LATER)
    """Whether the floor plays for nothing: a machine may then deal where a book wants a dealer."""

    seat_ms: int | None = field(default=None, metadata=LATER)
    """For how long of play a seat is kept for a patron who does not bet; None for ever."""

    edition: int | None = field(default=None, metadata=LATER)
    """The edition of the house's own rules that the table keeps; None in logs before the first."""

    def keeps(self, edition: int) -> bool:
        """Whether the table keeps what an edition of the house's own rules has brought."""
        return (self.edition or 0) >= edition

    @property
    def is_open(self) -> bool:
        """Whether it is an open table: no boxes, no seats, any number of patrons."""
        return self.boxes == 0

    def terms(self, limits: tuple[Limit, ...], book: Rulebook) -> Terms:
        """The terms of a round under these limits."""
        return Terms(
            book=self.book,
            book_hash=self.book_hash,
            limits=table_last(limits) if self.keeps(2) else limits,
            boxes=self.boxes,
            entry=self.entry,
            apportioning=self.apportioning,
            decision_ms=self.decision_ms,
            open_cards=book.open_cards,
        )


def table_last(limits: tuple[Limit, ...]) -> tuple[Limit, ...]:
    """Excess is rejected in this order: in boxes first, whatever order they were bet on in."""
    return tuple(sorted(limits, key=lambda limit: limit.scope is Scope.TABLE))


def boxes_of(layout: Layout, chosen: int | None = None) -> int:
    """How many boxes a layout has: as many as the book says, else as the operator chooses."""
    return (chosen or BOXES) if layout.boxes is None else layout.boxes


def setup(book: Rulebook, table: str, **choices: object) -> Setup:
    """A set-up by the book: first layout, usual decks, own limits, but for what is chosen."""
    layout = book.layouts[0]
    usual: dict[str, object] = {
        "table": table,
        "book": book.id,
        "book_hash": book.hash,
        "layout": layout.id,
        "boxes": boxes_of(layout),
        "decks": book.decks.usual,
        "limits": book.limits,
        "edition": EDITION,
        "helpline": next((text.words for text in book.texts if "helpline" in text.words), ""),
    }
    return Setup(**{**usual, **choices})  # type: ignore[arg-type]
