"""Resuming: what a table must do that was cut off in the middle of whatever it did.

The log is the truth; it is folded, and the book's policy on interruptions says
whether the round goes on or is void. `report` and `resolve` as the system then
do just that, and what they do is in the log like everything else.

Where something else was wrong already, that is put right first, and then the round
is judged by the same policy. Whoever was choosing has the whole time again.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cutcard.rules.rulebook import Rulebook
from cutcard.table.advice import current, entry_of, lawful
from cutcard.table.commands import Command, Report, Resolve
from cutcard.table.events import Event
from cutcard.table.incident import INTERRUPTION, SYSTEM, Incident, Step
from cutcard.table.remedies import can_wait
from cutcard.table.state import Table, fold


@dataclass(frozen=True, slots=True)
class Resumption:
    """What to do, under which clause: go on, void the round, or nothing at all."""

    step: Step
    clause: str
    waits: bool
    """Whether something was wrong before the cut, and must be put right first."""


def resume(log: Iterable[Event], book: Rulebook) -> Resumption:
    """What a table with this log must do after a restart."""
    return resumption(fold(log), book)


def resumption(table: Table, book: Rulebook) -> Resumption:
    incident = Incident(table.incidents + 1, INTERRUPTION, table.rounds, SYSTEM)
    if table.incident is not None and not _begun(table):
        # Whoever was to decide still is; nothing that was asked is lost.
        return Resumption(Step.CONTINUE, entry_of(book, INTERRUPTION).clause, True)
    path = lawful(table, table.incident or incident, book).paths[0]
    step = Step.RECORD if current(table) is None else path.step
    return Resumption(step, path.clause, False)


def _begun(table: Table) -> bool:
    """Whether an earlier restart was itself cut off before it had done what the book orders."""
    incident = table.incident
    return incident is not None and (incident.kind, incident.by) == (INTERRUPTION, SYSTEM)


def commands(table: Table, at: int, book: Rulebook) -> list[Command]:
    """The commands by which a restarted table does what `resume` says; none if there is nothing."""
    found = resumption(table, book)
    report = Report(INTERRUPTION, SYSTEM, at, note="restarted")
    resolve = Resolve(found.step, SYSTEM, at, "restarted")
    if found.waits:
        return [report] if can_wait(table, report) else []
    if _begun(table):
        return [resolve]
    nothing = found.step is Step.RECORD and table.options is None
    return [] if nothing else [report, resolve]
