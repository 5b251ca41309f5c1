"""What baccarat is: cards, shoe, tableau, coup, facts, pay tables, limits, rulebook."""

from cutcard.rules.cards import Card, Rank, Suit
from cutcard.rules.coup import Coup, Side, Winner, next_side
from cutcard.rules.dealing import deal
from cutcard.rules.facts import facts
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.settlement import settle

__all__ = [
    "Card",
    "Coup",
    "Rank",
    "Rulebook",
    "Side",
    "Suit",
    "Winner",
    "deal",
    "facts",
    "next_side",
    "settle",
]
