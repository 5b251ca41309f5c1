"""The sentinel: cards in the order of a new deck, seen as they come.

A shuffled shoe shows five cards of one suit in unbroken order, up or down, once
in about 12,500 shoes of eight decks; an unshuffled one does so within two rounds.
An alarm is no proof, so the pit may set it aside, and says why.
"""

from fractions import Fraction
from math import prod

from cutcard.rules.cards import Card, Rank

RUN = 5
"""So many cards in order raise the alarm."""

_PLACE = {rank: place for place, rank in enumerate(Rank)}


def longer(run: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The run that the latest card ends: the one so far and the card, or what is left of it."""
    step = _step(run[-1], card) if run else 0
    if step == 0:
        return (card,)
    if len(run) > 1 and _step(run[-2], run[-1]) != step:
        return (run[-1], card)
    return (*run, card)


def _step(one: Card, other: Card) -> int:
    """1 or -1 where a card follows another in its suit, up or down; else 0."""
    step = _PLACE[other.rank] - _PLACE[one.rank]
    return step if one.suit is other.suit and abs(step) == 1 else 0


def false_alarms(decks: int, run: int = RUN) -> Fraction:
    """How many runs of so many cards a well shuffled shoe shows on average, if all are dealt."""
    cards = 52 * decks
    # Up and down, from every place of a suit that leaves room for the run.
    starts = 2 * 4 * (len(Rank) - run + 1)
    ways = starts * decks**run
    return Fraction((cards - run + 1) * ways, prod(range(cards - run + 1, cards + 1)))
