"""cutcard runs any baccarat table straight from its rulebook."""

from cutcard.refusals import Refusal
from cutcard.rules import Card, Coup, Rulebook, Side, Winner, deal, facts, next_side, settle

__version__ = "0.1.0"

__all__ = [
    "Card",
    "Coup",
    "Refusal",
    "Rulebook",
    "Side",
    "Winner",
    "deal",
    "facts",
    "next_side",
    "settle",
]
