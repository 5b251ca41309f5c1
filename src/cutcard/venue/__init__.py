"""One venue: its tables, cage, patrons and ledger in step, with one log for all of them.

Whatever touches more than one of them is decided here, whole or not at all: a
buy-in is the cage's and the table's, a bet is the table's and the patron's own.
"""

from cutcard.venue.decide import At, Command, Of, decide, in_play, stack_of
from cutcard.venue.state import CAGE, PATRON, Event, Logged, Venue, happen, replay

__all__ = [
    "CAGE",
    "PATRON",
    "At",
    "Command",
    "Event",
    "Logged",
    "Of",
    "Venue",
    "decide",
    "happen",
    "in_play",
    "replay",
    "stack_of",
]
