"""The dispute pack: a card, a shoe, a round or a table's log in one file that proves itself.

What a pack is, byte for byte: docs/pack.md. What it shows and what it does not:
docs/security.md.
"""

from cutcard.pack.export import (
    Pack,
    export_card,
    export_round,
    export_shoe,
    export_table,
    rounds_of,
)
from cutcard.pack.finding import Finding, Verdict
from cutcard.pack.logbook import Logbook, round_name
from cutcard.pack.proof import COMMITTED
from cutcard.pack.verify import examine, verify

__all__ = [
    "COMMITTED",
    "Finding",
    "Logbook",
    "Pack",
    "Verdict",
    "examine",
    "export_card",
    "export_round",
    "export_shoe",
    "export_table",
    "round_name",
    "rounds_of",
    "verify",
]
