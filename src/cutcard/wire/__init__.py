"""Versioned plain forms of everything that leaves a process: events, entries, shoes' steps.

Pure. Whatever is read back is checked to be exactly what would have been written.
"""

from cutcard.wire.codec import Plain, parse, plain
from cutcard.wire.kinds import ENTRIES, EVENTS, TABLE_EVENTS, name_of, parse_tagged, tagged
from cutcard.wire.record import (
    FORMAT,
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
    "name_of",
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
