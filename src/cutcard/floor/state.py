"""Everything on the floor, and how one event of one source changes it.

The floor has one log of (source, event); whoever folds it from the start has the
floor again as it was. A crash in the simulator is just that.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from cutcard import cage, ledger, patron, table
from cutcard.cage import Cage
from cutcard.ledger import Entry, Ledger
from cutcard.patron import Patron
from cutcard.table import Table
from cutcard.table.events import Event as TableEvent

EMPTY, NEWCOMER = Table(), Patron()
CAGE = "cage"
PATRON = "patron:"

Event = TableEvent | cage.Event | patron.Event
Logged = tuple[str, Event]


@dataclass
class State:
    """Tables and patrons by name, the cage, and the ledger that follows them all."""

    tables: dict[str, Table] = field(default_factory=dict)
    patrons: dict[str, Patron] = field(default_factory=dict)
    cage: Cage = field(default_factory=Cage)
    ledger: Ledger = field(default_factory=Ledger)


def happen(state: State, source: str, event: Event) -> list[Entry]:
    """Let an event happen; the entries that it made in the ledger."""
    entries: list[Entry] = []
    if source.startswith(PATRON):
        name = source.removeprefix(PATRON)
        before = state.patrons.get(name, NEWCOMER)
        state.patrons[name] = patron.evolve(before, event)  # type: ignore[arg-type]
    elif source == CAGE:
        entries = cage.transfers(event)  # type: ignore[arg-type]
        state.cage = cage.evolve(state.cage, event)  # type: ignore[arg-type]
    else:
        at = state.tables.get(source, EMPTY)
        entries = table.transfers(at, event)  # type: ignore[arg-type]
        state.tables[source] = table.evolve(at, event)  # type: ignore[arg-type]
    if entries:
        state.ledger = ledger.post(state.ledger, entries)
    return entries


def replay(log: Iterable[Logged]) -> State:
    """The floor as its log tells it, from nothing."""
    state = State()
    for source, event in log:
        happen(state, source, event)
    return state
