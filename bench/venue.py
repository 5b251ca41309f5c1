"""A durable bet's cost: decided, happened, written and chained; and what it costs to look.

    python bench/venue.py

So many patrons play at one table of a venue and each places one bet a round. The reference is
JSON and SHA-256 of the same records, which no log of this kind can do without, measured in the
same run.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from hashlib import sha256

from cutcard import chain, wire
from cutcard.cage import BuyIn, Deposit
from cutcard.patron import StartSession
from cutcard.round import commands as rounds
from cutcard.round.terms import NO_BOX
from cutcard.rulebooks import load
from cutcard.rules.coup import next_side
from cutcard.rules.dealing import demonstration_shoe
from cutcard.rules.rulebook import Role
from cutcard.rules.shoe import composition
from cutcard.table import setup
from cutcard.table.commands import BurnCard, InRound, OpenTable, RegisterShoe, SignOn
from cutcard.table.setup import Approval
from cutcard.table.view import PUBLIC, Audience, Viewer, view
from cutcard.venue import At, Command, Of, Venue, decide, happen

BOOK = load("rws-non-commission-etg")
NOW = 1_700_000_000_000
"""A moment at which the book is in force."""
SIZES = (10, 100, 1000, 5000)
ROUNDS = 5


class Bench:
    """A venue with one table, and the table's log."""

    def __init__(self, patrons: int) -> None:
        self.patrons = [f"patron-{number}" for number in range(patrons)]
        self.venue, self.head = Venue(), chain.start("t")
        self.records: list[object] = []
        shoe = demonstration_shoe(BOOK, 7)
        self.cards = iter(shoe.cards)
        approval = Approval("bench", "one", "other")
        opening = setup(BOOK, "t", helpline="1", approval=approval)
        self.do(At("t", SignOn("pit", Role.PIT_SUPERVISOR, NOW)))
        self.do(At("t", OpenTable(opening, "pit", NOW)))
        for patron in self.patrons:
            self.do(Of(patron, StartSession(NOW)))
            self.do(Deposit(patron, 10**9, NOW))
            self.do(BuyIn(patron, "t", 10**8, NOW))
        self.do(At("t", RegisterShoe("s", composition(shoe.cards), "bench", "pit", NOW)))
        self.do(At("t", BurnCard(next(self.cards), "pit", NOW)))
        while (used := self.venue.table("t").shoe) and used.to_burn:
            next(self.cards)
            self.do(At("t", BurnCard(None, "pit", NOW)))

    def do(self, command: Command) -> None:
        for source, event in decide(self.venue, command, {"t": BOOK}):
            self.venue, entries = happen(self.venue, source, event)
            if source == "t":
                record = wire.write(wire.Happened(event, tuple(entries)))
                self.head, _ = chain.append(self.head, record)
                self.records.append(record)

    def in_round(self, command: rounds.Command, by: str = "pit") -> None:
        self.do(At("t", InRound(command, by)))

    def bet(self) -> None:
        for patron in self.patrons:
            self.in_round(rounds.PlaceBet(patron, NO_BOX, "banker", 1000, NOW), patron)

    def deal(self) -> None:
        self.in_round(rounds.CloseBets(NOW))
        while next_side(self.venue.table("t").round.coup) is not None:
            self.in_round(rounds.DrawCard(next(self.cards), NOW))
        self.in_round(rounds.CallResult(NOW))
        self.in_round(rounds.SettleRound(NOW))

    def reference(self) -> None:
        for record in self.records:
            sha256(json.dumps(record).encode()).digest()

    def look(self) -> None:
        for patron in self.patrons:
            view(self.venue.table("t"), Viewer(Audience.PATRON, patron), BOOK)

    def play(self) -> tuple[float, ...]:
        """One round: processor seconds of bets, reference, own views, the rest, one view."""
        self.in_round(rounds.OpenRound(0, None, NOW))
        self.records.clear()
        bets, plain = timed(self.bet), timed(self.reference)
        look = timed(self.look)
        public = timed(lambda: view(self.venue.table("t"), PUBLIC, BOOK))
        return bets, plain, look, timed(self.deal), public


def timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> int:
    print("patrons   µs a bet   × JSON and SHA-256   settling   own view   public view")
    for size in SIZES:
        bench = Bench(size)
        runs = [bench.play() for _ in range(ROUNDS)]
        bet, plain, look, rest = (
            statistics.median(run[part] for run in runs) / size * 1e6 for part in range(4)
        )
        public = statistics.median(run[4] for run in runs) * 1e6
        ratio = bet / plain
        print(f"{size:7,} {bet:10.1f} {ratio:20.1f} {rest:10.1f} {look:10.1f} {public:13.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
