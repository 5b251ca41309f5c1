"""The journal: everything that happened on the floor, in primitive values.

One dict for each event, with the entries that it made in the ledger. The auditor
reads nothing else, so it can share no type and no code with the engine, and a
journal can be written to a file as JSON lines as it is.
"""

from cutcard.ledger import Entry
from cutcard.wire import plain, tagged

Record = dict[str, object]


def record(number: int, source: str, event: object, entries: list[Entry]) -> Record:
    """One event of one source as plain values."""
    told, moved = tagged(event), [tagged(one) for one in entries]
    return {
        "n": number,
        "source": source,
        "event": told.pop("is"),
        **told,
        "entries": [{"entry": one.pop("is"), **one} for one in moved],
    }


__all__ = ["Record", "plain", "record"]
