"""Records: what a log holds, one plain value for each thing that happened.

    {"format": 1, "event": {"is": "CardDealt", …}, "entries": [{"is": "Transfer", …}, …]}
    {"format": 1, "step": {"step": "CardShown", …}}
    {"format": 1, "standing": {…}}
    {"format": 1, "patron": "p-…", "event": {"is": "SessionStarted", …}}

An event carries the entries that it made in the ledger, a step is a verifiable
shoe's, and a standing comes before every round; the log of all patrons' own protection says
of each event whose it is. What was written in an older format is read for ever
(`wire.upcast`); a reader that meets a newer one must not guess.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cutcard import venue
from cutcard.fairness import Commitment, Step, VerifiableShoe
from cutcard.fairness import record as steps
from cutcard.ledger import Entry
from cutcard.patron import Event as PatronEvent
from cutcard.refusals import Refusal
from cutcard.round import events as in_round
from cutcard.table import Table, transfers
from cutcard.table import events as at_table
from cutcard.wire.codec import Plain, parse, plain
from cutcard.wire.kinds import ENTRIES, EVENTS, PATRON_EVENTS, parse_tagged, tagged
from cutcard.wire.standing import Standing, standing
from cutcard.wire.upcast import upcast

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Happened:
    """An event, and the entries that it made in the ledger."""

    event: venue.Event
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Stepped:
    """A step of a verifiable shoe."""

    step: Commitment | Step


@dataclass(frozen=True, slots=True)
class Concerning:
    """An event of a patron's own protection, and whose it is."""

    patron: str
    event: PatronEvent


Record = Happened | Stepped | Standing | Concerning


def write(record: Record) -> Plain:
    """A record as a plain value."""
    match record:
        case Happened(event, entries):
            moved = [tagged(entry) for entry in entries]
            return {"format": FORMAT, "event": tagged(event), "entries": moved}
        case Stepped(step):
            return {"format": FORMAT, "step": steps.plain(step)}
        case Standing():
            return {"format": FORMAT, "standing": plain(record)}
        case Concerning(who, happened):
            return {"format": FORMAT, "patron": who, "event": tagged(happened)}


def read(given: object) -> Record:
    """A record from a plain value; refuses whatever `write` would not have written."""
    if not isinstance(given, dict) or type(given.get("format")) is not int:
        raise Refusal("wire/record", {"place": "format"})
    given = upcast(given, FORMAT)
    match sorted(set(given) - {"format"}):
        case ["entries", "event"]:
            return Happened(parse_tagged(EVENTS, given["event"]), _entries(given["entries"]))
        case ["step"]:
            return Stepped(steps.parse(given["step"]))
        case ["standing"]:
            stood: Standing = parse(Standing, given["standing"])
            return stood
        case ["event", "patron"] if isinstance(given["patron"], str):
            return Concerning(given["patron"], parse_tagged(PATRON_EVENTS, given["event"]))
    raise Refusal("wire/record", {"place": "event"})


def _entries(given: object) -> tuple[Entry, ...]:
    if not isinstance(given, list):
        raise Refusal("wire/record", {"place": "entries"})
    return tuple(parse_tagged(ENTRIES, one) for one in given)


def records(
    table: Table, event: at_table.Event, shoe: VerifiableShoe | None = None
) -> Iterable[Record]:
    """What an event of a table adds to its log, given the table just before it."""
    if isinstance(event, in_round.RoundOpened):
        yield standing(table, shoe)
    yield Happened(event, tuple(transfers(table, event)))
