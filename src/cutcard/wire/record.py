"""Records: what a log holds, one plain value for each thing that happened.

    {"format": 1, "event": {"is": "CardDealt", …}, "entries": [{"is": "Transfer", …}, …]}
    {"format": 1, "step": {"step": "CardShown", …}}
    {"format": 1, "standing": {…}}

An event carries the entries that it made in the ledger, a step is a verifiable
shoe's, and a standing comes before every round. A reader that meets another format
number must not guess.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cutcard import cage, patron, venue
from cutcard.fairness import Commitment, Step, VerifiableShoe
from cutcard.fairness import record as steps
from cutcard.ledger import Entry
from cutcard.refusals import Refusal
from cutcard.round import events as in_round
from cutcard.table import Table, transfers
from cutcard.table import events as at_table
from cutcard.wire.codec import Plain, kinds_of, parse, parse_tagged, plain, tagged
from cutcard.wire.standing import Standing, standing

FORMAT = 1

TABLE_EVENTS = kinds_of(at_table.OwnEvent, in_round.Event)
EVENTS = kinds_of(at_table.OwnEvent, in_round.Event, cage.Event, patron.Event)
ENTRIES = kinds_of(Entry)


@dataclass(frozen=True, slots=True)
class Happened:
    """An event, and the entries that it made in the ledger."""

    event: venue.Event
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Stepped:
    """A step of a verifiable shoe."""

    step: Commitment | Step


Record = Happened | Stepped | Standing


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


def read(given: object) -> Record:
    """A record from a plain value; refuses whatever `write` would not have written."""
    if not isinstance(given, dict) or type(given.get("format")) is not int:
        raise Refusal("wire/record", {"place": "format"})
    if given["format"] != FORMAT:
        raise Refusal("wire/format", {"number": given["format"], "known": FORMAT})
    match sorted(set(given) - {"format"}):
        case ["entries", "event"]:
            return Happened(parse_tagged(EVENTS, given["event"]), _entries(given["entries"]))
        case ["step"]:
            return Stepped(steps.parse(given["step"]))
        case ["standing"]:
            stood: Standing = parse(Standing, given["standing"])
            return stood
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
