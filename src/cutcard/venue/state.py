"""A venue, and how one event of one source changes it.

There is one log of (source, event); whoever folds it from the start has the venue
again as it was.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from cutcard import cage, ledger, patron, table
from cutcard.cage import Cage
from cutcard.frozen import replace
from cutcard.ledger import Entry, Ledger
from cutcard.ledger.shelf import Shelf
from cutcard.patron import Patron
from cutcard.table import Table
from cutcard.table.events import Event as TableEvent

CAGE = "cage"
PATRON = "patron:"
"""A source is `cage`, `patron:` with a name, or a table's name."""

Event = TableEvent | cage.Event | patron.Event
Logged = tuple[str, Event]

_EMPTY, _NEWCOMER = Table(), Patron()


@dataclass(frozen=True)
class Venue:
    """Tables and patrons by name, the cage, and the ledger that follows them all."""

    tables: Shelf[str, Table] = field(default_factory=Shelf)
    patrons: Shelf[str, Patron] = field(default_factory=Shelf)
    cage: Cage = field(default_factory=Cage)
    ledger: Ledger = field(default_factory=Ledger)

    def table(self, name: str) -> Table:
        """A table; one that nobody has heard of is empty and closed."""
        return self.tables.get(name, _EMPTY)

    def patron(self, name: str) -> Patron:
        return self.patrons.get(name, _NEWCOMER)


def happen(venue: Venue, source: str, event: Event) -> tuple[Venue, list[Entry]]:
    """The venue after an event, and the entries that the event made in the ledger."""
    if source.startswith(PATRON):
        name = source.removeprefix(PATRON)
        person = patron.evolve(venue.patron(name), event)  # type: ignore[arg-type]
        return replace(venue, patrons=venue.patrons.placed(name, person)), []
    if source == CAGE:
        entries = cage.transfers(event)  # type: ignore[arg-type]
        after = cage.evolve(venue.cage, event)  # type: ignore[arg-type]
        return replace(venue, cage=after, ledger=ledger.post(venue.ledger, entries)), entries
    before = venue.table(source)
    entries = table.transfers(before, event)  # type: ignore[arg-type]
    tables = venue.tables.placed(source, table.evolve(before, event))  # type: ignore[arg-type]
    return replace(venue, tables=tables, ledger=ledger.post(venue.ledger, entries)), entries


def replay(log: Iterable[Logged]) -> Venue:
    """The venue as its log tells it, from nothing."""
    venue = Venue()
    for source, event in log:
        venue, _ = happen(venue, source, event)
    return venue
