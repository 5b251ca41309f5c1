"""A table over time: seats, boxes, stacks, shoe, rounds; its events as ledger entries."""

from cutcard.table.advice import advise
from cutcard.table.decide import decide
from cutcard.table.resume import resume
from cutcard.table.setup import Setup, setup
from cutcard.table.state import Table, evolve, fold
from cutcard.table.transfers import transfers

__all__ = ["Setup", "Table", "advise", "decide", "evolve", "fold", "resume", "setup", "transfers"]
