"""A logbook: one table's log as it is written.

Events and steps of the shoe go in; chained records and signed heads come out. A
server keeps the same in its store; demonstrations and tests keep it here.
"""

from typing import TYPE_CHECKING

from cutcard import chain, wire
from cutcard.chain import Entry, Head
from cutcard.fairness import Commitment, Step, VerifiableShoe, advance, begin, succeed
from cutcard.round.events import RoundOpened, RoundSettled, RoundVoided, SettlementCorrected
from cutcard.table import Table, evolve
from cutcard.table.events import Event

if TYPE_CHECKING:
    from cutcard.chain.signing import SignedHead

ENDS = (RoundSettled, RoundVoided, SettlementCorrected)
"""Events after which a round's head is signed."""


class Logbook:
    """The log of a table from its first record on; with a private key, it signs every round."""

    def __init__(self, table: str, private: bytes | None = None) -> None:
        self.name = table
        self.table = Table()
        self.shoe: VerifiableShoe | None = None
        self.head: Head = chain.start(table)
        self.entries: list[Entry] = []
        self.heads: list[SignedHead] = []
        self._private = private
        self._round = ""

    def happen(self, *events: Event) -> None:
        """Write down what happened at the table."""
        for event in events:
            for record in wire.records(self.table, event, self.shoe):
                self._write(record)
            self.table = evolve(self.table, event)
            if isinstance(event, RoundOpened):
                self._round = round_name(self.table)
            if isinstance(event, ENDS):
                self.sign("round", self._round, event.at)

    def step(self, *steps: Commitment | Step) -> None:
        """Write down what happened to a shoe that can be verified."""
        for step in steps:
            if not isinstance(step, Commitment):
                assert self.shoe is not None, "a shoe begins with its commitment"
                self.shoe = advance(self.shoe, step)
            elif self.shoe is None:
                self.shoe = begin(step)
            else:
                self.shoe = succeed(self.shoe, step)
            self._write(wire.Stepped(step))

    def sign(self, occasion: str, name: str, at: int) -> None:
        """Sign the head as it is now, if there is a key."""
        if self._private is not None:
            from cutcard.chain.signing import Occasion, sign

            self.heads.append(sign(self.head, Occasion(occasion), name, at, self._private))

    def _write(self, record: wire.Record) -> None:
        self.head, entry = chain.append(self.head, wire.write(record))
        self.entries.append(entry)


def round_name(table: Table) -> str:
    """How a head names the round just opened: `2/17` is round 17 of the table's second shoe."""
    return f"{table.shoes}/{table.rounds}"
