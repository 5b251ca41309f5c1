"""The verifiable shoe: commit, shuffle, prove, verify. Why it is fair: docs/fairness.md.

The house shuffles from fresh entropy and commits to every card before it takes
the patrons' seeds; the seeds then give the order in which the committed cards
are dealt. Each card can be checked as it falls, and everything at the end.
"""

from cutcard.fairness.house import Secret, abort, opening, prepare, show, take
from cutcard.fairness.order import entropy_needed
from cutcard.fairness.shoe import (
    Phase,
    Tally,
    Verdict,
    VerifiableShoe,
    advance,
    begin,
    succeed,
    tally,
    verify,
)
from cutcard.fairness.source import Source
from cutcard.fairness.steps import (
    CardShown,
    CardTaken,
    Commitment,
    SeedGiven,
    SeedsClosed,
    SeedSealed,
    ShoeAborted,
    ShoeOpened,
    Step,
    is_committed,
    seal,
)

__all__ = [
    "CardShown",
    "CardTaken",
    "Commitment",
    "Phase",
    "Secret",
    "SeedGiven",
    "SeedSealed",
    "SeedsClosed",
    "ShoeAborted",
    "ShoeOpened",
    "Source",
    "Step",
    "Tally",
    "Verdict",
    "VerifiableShoe",
    "abort",
    "advance",
    "begin",
    "entropy_needed",
    "is_committed",
    "opening",
    "prepare",
    "seal",
    "show",
    "succeed",
    "take",
    "tally",
    "verify",
]
