"""Resuming: what a table must do that was cut off in the middle of whatever it did.

The log is the truth; it is folded, and the book's policy on interruptions says
whether the round goes on or is void. `report` and `resolve` as the system then
do just that, and what they do is in the log like everything else.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cutcard.rules.rulebook import Rulebook
from cutcard.table.advice import current, entry_of, lawful
from cutcard.table.commands import Command, Report, Resolve
from cutcard.table.events import Event
from cutcard.table.incident import INTERRUPTION, SYSTEM, Incident, Step
from cutcard.table.state import Table, fold


@dataclass(frozen=True, slots=True)
class Resumption:
    """What to do, under which clause: go on, void the round, or nothing at all."""

    step: Step
    clause: str
    waits: bool
    """Whether something was wrong before the cut, and must be put right first as if there was none.
    """


def resume(log: Iterable[Event], book: Rulebook) -> Resumption:
    """What a table with this log must do after a restart."""
    return resumption(fold(log), book)


def resumption(table: Table, book: Rulebook) -> Resumption:
    incident = Incident(table.incidents + 1, INTERRUPTION, table.rounds, SYSTEM)
    if table.incident is not None or table.options is not None:
        # Whoever was to decide still is; nothing that was asked is lost.
        return Resumption(Step.CONTINUE, entry_of(book, INTERRUPTION).clause, True)
    path = lawful(table, incident, book).paths[0]
    if current(table) is None:
        return Resumption(Step.RECORD, path.clause, False)
    return Resumption(path.step, path.clause, False)


def commands(table: Table, at: int, book: Rulebook) -> list[Command]:
    """The commands by which a restarted table does what `resume` says; none if there is nothing."""
    found = resumption(table, book)
    if found.waits or found.step is Step.RECORD:
        return []
    return [
        Report(INTERRUPTION, SYSTEM, at, note="restarted"),
        Resolve(found.step, SYSTEM, at, "restarted"),
    ]
