"""Exact probabilities and edges of every bet, for any shoe, in integers and Fractions."""

from cutcard.odds.bets import Odds, effect_of_removal, odds, outlook
from cutcard.odds.composition import Composition
from cutcard.odds.pricing import Price

__all__ = ["Composition", "Odds", "Price", "effect_of_removal", "odds", "outlook"]
