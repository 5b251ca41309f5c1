"""One round: commands in, events out."""

from cutcard.round.decide import decide
from cutcard.round.excess import warnings
from cutcard.round.state import Phase, Round, evolve, fold
from cutcard.round.terms import Apportioning, Entry, Terms

__all__ = [
    "Apportioning",
    "Entry",
    "Phase",
    "Round",
    "Terms",
    "decide",
    "evolve",
    "fold",
    "warnings",
]
