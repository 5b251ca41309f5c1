"""The store: logs, ledger and papers on disk. One interface, SQLite and PostgreSQL.

Events are opaque bytes here. What the tables' constraints make impossible need not be
trusted to anybody's care: an unbalanced, doubled or negative entry cannot be written.
"""

from cutcard.store.kept import (
    Answered,
    Batch,
    Book,
    Bookmark,
    Books,
    Kept,
    Lease,
    Money,
    Paper,
    Person,
    Played,
    SecretShoe,
    Session,
    Significant,
)
from cutcard.store.opening import open_store
from cutcard.store.snapshot import Snapshot, open_snapshot
from cutcard.store.store import Store

__all__ = [
    "Answered",
    "Batch",
    "Book",
    "Bookmark",
    "Books",
    "Kept",
    "Lease",
    "Money",
    "Paper",
    "Person",
    "Played",
    "SecretShoe",
    "Session",
    "Significant",
    "Snapshot",
    "Store",
    "open_snapshot",
    "open_store",
]
