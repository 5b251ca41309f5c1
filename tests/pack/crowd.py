"""A table with as many patrons as a test wants."""

from cutcard.pack.croupier import Croupier
from cutcard.rulebooks import load
from cutcard.table import commands as ask


def crowd(number: int) -> Croupier:
    table = Croupier(load("rws-commission"), 3)
    table.open({"ann": 10**6})
    table.do(*(ask.FillStack(f"p{one}", 1_000, table.tick()) for one in range(number)))
    return table
