"""A table's cost: commands per second through decide, evolve and transfers.

    python bench/table.py

Each round has so many bets by as many patrons. The cost of a bet should not grow with their
number; the reference is a plain dict that counts the same stakes, measured in the same run.
"""

import statistics
import sys
import time
from collections.abc import Callable

from cutcard import ledger
from cutcard.round import commands as rounds
from cutcard.round.terms import NO_BOX
from cutcard.rulebooks import load
from cutcard.rules.coup import next_side
from cutcard.rules.dealing import demonstration_shoe
from cutcard.rules.rulebook import Role
from cutcard.rules.shoe import composition
from cutcard.table import Table, decide, evolve, setup, transfers
from cutcard.table.commands import (
    BurnCard,
    Command,
    FillStack,
    InRound,
    OpenTable,
    RegisterShoe,
    SignOn,
)

BOOK = load("rws-non-commission-etg")
NOW = 1_700_000_000_000
"""A moment at which the book is in force."""
SIZES = (10, 100, 1000, 5000)
ROUNDS = 3


class Bench:
    """A table and a ledger in step."""

    def __init__(self, patrons: int) -> None:
        self.patrons = [f"patron-{number}" for number in range(patrons)]
        self.table, self.ledger, self.commands = Table(), ledger.Ledger(), 0
        shoe = demonstration_shoe(BOOK, 7)
        self.cards = iter(shoe.cards)
        self.do(SignOn("pit", Role.PIT_SUPERVISOR, 0))
        self.do(OpenTable(setup(BOOK, "t", helpline="1"), "pit", 0))
        amount = 10**9
        for number, patron in enumerate(self.patrons, start=1):
            source = ledger.transfer_id("cage", number)
            entry = ledger.Transfer(
                source, ledger.cage(), ledger.stack("t", patron), amount, "buy-in"
            )
            self.ledger = ledger.post(self.ledger, [entry])
            self.do(FillStack(patron, amount, 0))
        self.do(RegisterShoe("s", composition(shoe.cards), "bench", "pit", 0))
        self.do(BurnCard(next(self.cards), "pit", 0))
        while self.table.shoe and self.table.shoe.to_burn:
            next(self.cards)
            self.do(BurnCard(None, "pit", 0))

    def do(self, command: Command) -> None:
        self.commands += 1
        for event in decide(self.table, command, BOOK):
            entries = transfers(self.table, event)
            if entries:
                self.ledger = ledger.post(self.ledger, entries)
            self.table = evolve(self.table, event)

    def bet(self) -> None:
        for patron in self.patrons:
            self.do(InRound(rounds.PlaceBet(patron, NO_BOX, "banker", 1000, 0), patron))

    def play(self) -> tuple[float, float]:
        """One round: processor seconds of its bets, and of the rest."""
        terms = setup(BOOK, "t").terms(BOOK.limits, BOOK)
        self.do(InRound(rounds.OpenRound(0, terms, NOW), "pit"))
        betting = timed(self.bet)
        rest = timed(self.deal)
        return betting, rest

    def deal(self) -> None:
        self.do(InRound(rounds.CloseBets(0), "pit"))
        while next_side(self.table.round.coup) is not None:
            self.do(InRound(rounds.DrawCard(next(self.cards), 0), "pit"))
        self.do(InRound(rounds.CallResult(0), "pit"))
        self.do(InRound(rounds.SettleRound(0), "pit"))


def timed(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def reference(patrons: int) -> float:
    """The same stakes, counted in a plain dict."""
    names = [f"patron-{number}" for number in range(patrons)]

    def work() -> None:
        for _ in range(100):
            stakes: dict[tuple[str, int, str], int] = {}
            for name in names:
                stakes[name, NO_BOX, "banker"] = stakes.get((name, NO_BOX, "banker"), 0) + 1000

    return timed(work) / 100


def main() -> int:
    print("bets a round    µs a bet   bets/s   settling µs a bet   × a plain dict")
    costs = {}
    for size in SIZES:
        bench = Bench(size)
        runs = [bench.play() for _ in range(ROUNDS)]
        bet = statistics.median(run[0] for run in runs) / size
        rest = statistics.median(run[1] for run in runs) / size
        costs[size] = bet
        ratio = bet * size / reference(size)
        print(f"{size:12,} {bet * 1e6:11.1f} {1 / bet:8,.0f} {rest * 1e6:19.1f} {ratio:16.0f}")
    growth = costs[SIZES[-1]] / costs[SIZES[0]]
    print(f"A bet among {SIZES[-1]:,} costs {growth:.2f} × a bet among {SIZES[0]}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
