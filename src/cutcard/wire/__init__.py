"""Versioned plain forms of everything that leaves a process: events, entries, shoes' steps.

Pure. Whatever is read back is checked to be exactly what would have been written.
"""

from cutcard.wire.codec import Plain, parse, parse_tagged, plain, tagged
from cutcard.wire.record import (
    ENTRIES,
    EVENTS,
    FORMAT,
    TABLE_EVENTS,
    Concerning,
    Happened,
    Record,
    Stepped,
    read,
    records,
    write,
)
from cutcard.wire.standing import Standing, standing, table_at

__all__ = [
    "ENTRIES",
    "EVENTS",
    "FORMAT",
    "TABLE_EVENTS",
    "Concerning",
    "Happened",
    "Plain",
    "Record",
    "Standing",
    "Stepped",
    "parse",
    "parse_tagged",
    "plain",
    "read",
    "records",
    "standing",
    "table_at",
    "tagged",
    "write",
]
