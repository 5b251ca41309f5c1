"""A table over time: seats, boxes, stacks, shoe, rounds; its events as ledger entries."""

from cutcard.table.decide import decide
from cutcard.table.setup import Setup, setup
from cutcard.table.state import Table, evolve, fold
from cutcard.table.transfers import transfers

__all__ = ["Setup", "Table", "decide", "evolve", "fold", "setup", "transfers"]
