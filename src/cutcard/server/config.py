"""The configuration of a venue: one TOML file, read into values that cannot be changed.

The file says only what differs from the defaults. The helpline has no default, because
no table may open without one. `manual.document()` prints every key with its meaning.
"""

import tomllib
from pathlib import Path
from types import MappingProxyType

from cutcard.refusals import Refusal
from cutcard.round.terms import Entry
from cutcard.rulebooks import rulebooks
from cutcard.rules.rulebook import Rulebook
from cutcard.server.checks import checked, layout_of, limits_of
from cutcard.server.settings import Place, read_section
from cutcard.server.shapes import (
    USUAL,
    ApprovalSettings,
    Config,
    Currency,
    Deals,
    LimitSettings,
    MoneySettings,
    OtherBook,
    Pace,
    ServerSettings,
    SignInSettings,
    TableSettings,
    VenueSettings,
)
from cutcard.table.setup import Approval, Setup, boxes_of, setup

__all__ = [
    "ApprovalSettings",
    "Config",
    "Currency",
    "Deals",
    "LimitSettings",
    "MoneySettings",
    "OtherBook",
    "Pace",
    "ServerSettings",
    "SignInSettings",
    "TableSettings",
    "VenueSettings",
    "demonstration",
    "limits_of",
    "load",
    "parse",
    "setup_of",
]

ELECTRONIC = "rws-non-commission-etg"
SQUEEZED = "rws-commission"
"""Dealt face down, since its rulebook tells who may squeeze (CB4 3.9)."""

KNOCKOUT = "rws-knockout"
"""The other rule set of the same house, which the pit may choose for its table."""

SWITCHES = (
    "continuous",
    "scanner",
    "sentinel",
    "open_boxes",
    "reserve_second",
    "apportioning",
    "only_placed",
    "bound",
)
"""Keys of a table that stand in its set-up under the same name."""

MINUTE = 60_000

HELPLINE = "A demonstration with play money. A venue names its gambling helpline here."


def load(path: str | Path) -> Config:
    """The configuration in a file."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Refusal("config/unreadable", {"file": str(path), "why": why}) from None
    return parse(text, str(path))


def parse(text: str, file: str = "cutcard.toml") -> Config:
    """The configuration in a text; `file` is what refusals call it."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refusal("config/unreadable", {"file": file, "why": str(error)}) from None
    return checked(read_section(Config, document, Place(file)), Place(file))


def demonstration() -> Config:
    """One table of each of the eight rule sets, with play money, on this machine alone."""
    return Config(
        venue=VenueSettings(name="cutcard demonstration", helpline=HELPLINE, demonstration=True),
        money=MoneySettings(self_service=True),
        paces=MappingProxyType({USUAL: Pace()}),
        tables=tuple(_demonstrated(book) for book in rulebooks()),
    )


def _demonstrated(book: Rulebook) -> TableSettings:
    printed = next((text.words for text in book.texts if "helpline" in text.words), None)
    approval = ApprovalSettings(
        reference="demonstration, nothing is approved",
        first="nobody",
        second="nobody else",
        hash=book.hash,
    )
    return TableSettings(
        name=book.id,
        book=book.id,
        deals=Deals.MACHINE if book.id == ELECTRONIC else Deals.AUTOMATIC,
        face_down=book.id == SQUEEZED,
        helpline=printed,
        approval=approval if book.approval is not None else None,
        others=(OtherBook(book=KNOCKOUT),) if book.id == SQUEEZED else (),
    )


def setup_of(config: Config, table: TableSettings, **choices: object) -> Setup:
    """The table's set-up as the configuration has it, but for what is chosen besides."""
    book, given = table.rulebook, table.approval
    layout = layout_of(table, book)
    assert layout is not None, "a configuration names a layout of its book"
    configured: dict[str, object] = {
        "layout": layout.id,
        "boxes": boxes_of(layout, table.boxes),
        "decks": table.decks or book.decks.usual,
        "limits": limits_of(table, book),
        "helpline": config.helpline(table),
        "face_down": table.face_down,
        "entry": Entry.WARN if table.chips else Entry.REFUSE,
        "decision_ms": config.pace(table).decision_ms,
        "option_ms": config.pace(table).option_ms,
        "seat_ms": None if layout.is_open else table.seat_minutes * MINUTE or None,
        **{name: getattr(table, name) for name in SWITCHES},
        "approval": given and Approval(given.reference, given.first, given.second),
        # None elsewhere, as in the log of a venue that is older than the key.
        "demonstration": config.venue.demonstration or None,
    }
    return setup(book, table.name, **{**configured, **choices})
