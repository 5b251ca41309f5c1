"""The rooms of a venue as an audit sees them: what each log's records come to.

A table is replayed by its book, the cage and the patrons are folded; each says what else
must be in the database if its records are true.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from cutcard import cage, patron, wire
from cutcard.cage import Cage
from cutcard.fairness import Commitment
from cutcard.ledger import Entry, Transfer, stack
from cutcard.ledger.entries import parse_id
from cutcard.ledger.shelf import Shelf
from cutcard.pack.finding import Verdict
from cutcard.pack.logbook import ENDS, round_name
from cutcard.pack.proof import Proof
from cutcard.pack.reading import book_of
from cutcard.pack.replay import BROKEN, Numbered, Replay
from cutcard.patron import Patron
from cutcard.refusals import Refusal
from cutcard.round.events import RoundOpened, RoundSettled, SettlementCorrected
from cutcard.rules.rulebook import Rulebook
from cutcard.server import notable
from cutcard.store import Batch, Money, Paper, Played
from cutcard.store.rows import Promised, Row, entry_rows
from cutcard.table import Table, evolve
from cutcard.table.state import nets
from cutcard.table.terminals import is_device
from cutcard.venue import Venue

MOST = 200
"""So many findings are told; whoever tampers with more has been found out already."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, in which log and at which record. The code is for programs."""

    code: str
    log: str
    number: int | None
    sentence: str

    def __str__(self) -> str:
        where = self.log if self.number is None else f"{self.log} {self.number}"
        return f"{where}{': ' if where else ''}{self.sentence} [{self.code}]"

    def document(self) -> dict[str, object]:
        return {
            "code": self.code,
            "log": self.log,
            "number": self.number,
            "sentence": self.sentence,
        }


@dataclass(slots=True)
class Audit:
    """What was looked at, and everything that does not hold."""

    findings: list[Finding] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    logs: int = 0
    records: int = 0
    rounds: int = 0
    entries: int = 0
    accounts: int = 0
    heads: int = 0
    total: int = 0
    """The sum of all balances: nothing."""

    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        return not self.findings

    def find(self, code: str, log: str, number: int | None, sentence: str) -> None:
        if len(self.findings) < MOST:
            self.findings.append(Finding(code, log, number, sentence))

    def document(self) -> dict[str, object]:
        """The audit for programs."""
        return {
            "holds": self.holds,
            "findings": [one.document() for one in self.findings],
            "remarks": self.remarks,
            "logs": self.logs,
            "records": self.records,
            "rounds": self.rounds,
            "entries": self.entries,
            "accounts": self.accounts,
            "heads": self.heads,
            "sum_of_balances": self.total,
            "seconds": round(self.seconds, 3),
            "records_per_second": round(self.records / self.seconds) if self.seconds else None,
        }


class Library(Mapping[str, Rulebook]):
    """The archived books, each read when it is first needed."""

    def __init__(self, documents: Mapping[str, bytes], audit: Audit) -> None:
        self._documents, self._audit = documents, audit
        self._read: dict[str, Rulebook | None] = {}

    def __getitem__(self, hash: str) -> Rulebook:
        if hash not in self._read:
            document = self._documents[hash]
            try:
                self._read[hash] = book_of(hash, document)
            except (Refusal, ValueError) as error:
                self._audit.find("book/unread", "", None, str(error))
                self._read[hash] = None
        found = self._read[hash]
        if found is None:
            raise KeyError(hash)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents)

    def __len__(self) -> int:
        return len(self._documents)


class Sums:
    """The ledger by addition: what every account holds, and what is still promised."""

    def __init__(self) -> None:
        self.posted: dict[str, int] = defaultdict(int)
        self.held: dict[str, int] = defaultdict(int)
        self.pending: dict[str, Transfer] = {}
        self.last: dict[str, tuple[int, int]] = {}

    def enter(self, log: str, number: int, entries: Iterable[Entry]) -> list[Row]:
        """Add a record's entries; the rows in which the store must have them."""
        rows: list[Row] = []
        for entry in entries:
            source, order = parse_id(entry.id)
            if order <= self.last.get(source, (-1, -1)):
                raise Refusal("ledger/duplicate", {"id": entry.id, "last": source})
            self.last[source] = order
            promised: dict[str, Promised] = {}
            if not isinstance(entry, Transfer):
                before = self.pending.pop(entry.pending, None)
                if before is None:
                    raise Refusal("ledger/not-pending", {"id": entry.pending})
                promised[before.id] = Promised(before.debit, before.credit, before.amount)
            elif entry.pending:
                self.pending[entry.id] = entry
            (row,) = entry_rows([Money(log, number, entry)], promised)
            debit, credit, moved, held = row[5:9]
            self.posted[debit] -= moved
            self.posted[credit] += moved
            self.held[debit] += held
            rows.append(row)
        return rows

    def available(self, account: str) -> int:
        return self.posted.get(account, 0) - self.held.get(account, 0)


class Known:
    """What the rooms of a venue have told so far, to be compared with one another."""

    def __init__(self, audit: Audit, library: Library) -> None:
        self.audit, self.library, self.sums = audit, library, Sums()
        self.papers: dict[str, Paper] = {}
        self.won: dict[str, int] = defaultdict(int)
        self.booked: dict[str, int] = defaultdict(int)
        self.deposited: dict[str, int] = defaultdict(int)
        self.recorded: dict[str, int] = defaultdict(int)
        self.ended: list[tuple[str, int, str]] = []
        """Rounds that have ended and wait for their signed head: log, record, name."""

    def book(self, before: Mapping[str, int], after: Mapping[str, int]) -> None:
        """A settlement, or a corrected one in its place."""
        for who in {**before, **after}:
            self.won[who] += after.get(who, 0) - before.get(who, 0)


class Room(ABC):
    """What a log's records are taken for, once they are known to be the log's."""

    def __init__(self, known: Known, log: str) -> None:
        self.known, self.audit, self.log = known, known.audit, log

    @abstractmethod
    def record(self, number: int, record: wire.Record) -> tuple[list[Played], str]:
        """Follow a record: the rounds that it ended for patrons, and its mark."""

    def end(self) -> None:  # noqa: B027
        """The log is over; not every room has something left to compare."""

    def find(self, code: str, number: int | None, sentence: str) -> None:
        self.audit.find(code, self.log, number, sentence)

    def strange(self, number: int) -> tuple[list[Played], str]:
        self.find("record/strange", number, "No such record belongs into this log.")
        return [], ""


class TableRoom(Room):
    """A table: its log by the rules, as a pack's is verified."""

    def __init__(self, known: Known, log: str) -> None:
        super().__init__(known, log)
        self.verdict = Verdict()
        self.replay = Replay(log, known.library, Proof(log, self.verdict, whole=True), self.verdict)
        self.table: Table | None = Table()
        self.round = ""
        self._waiting: list[Numbered] = []

    def record(self, number: int, record: wire.Record) -> tuple[list[Played], str]:
        if isinstance(record, wire.Standing):
            # What comes of one command never reaches over the standing before a round.
            self._flush()
        self._waiting.append(Numbered(number, record))
        match record:
            case wire.Standing():
                if self.table is None:
                    self.table = wire.table_at(record)
                return [], f"round {record.shoes}/{record.rounds + 1}"
            case wire.Stepped(Commitment() as step):
                return [], f"shoe {step.number}"
            case wire.Stepped():
                return [], ""
            case wire.Happened():
                return self._happened(number, record), ""
            case _:
                self._waiting.pop()
                return self.strange(number)

    def _happened(self, number: int, record: wire.Happened) -> list[Played]:
        event, before = record.event, self.table
        if before is None:
            return []
        batch = Batch()
        try:
            if isinstance(event, RoundSettled | SettlementCorrected):
                self.known.book(
                    _of_patrons(before, before.round.settled), _of_patrons(before, event)
                )
            self.table = evolve(before, event)  # type: ignore[arg-type]
            if isinstance(event, RoundOpened):
                self.round = round_name(self.table)
                self.audit.rounds += 1
            if isinstance(event, ENDS):
                venue = Venue(tables=Shelf({self.log: before}))
                notable.gather(
                    batch, venue, venue, self.log, event, number, self.round, notable.NONE
                )
                self.known.ended.append((self.log, number, self.round))
        except (Refusal, *BROKEN) as error:
            self.find("event/impossible", number, f"{wire.name_of(event)} cannot follow: {error}.")
            self.table = None
        return batch.played

    def _flush(self) -> None:
        self.replay.run(self._waiting)
        self._waiting = []

    def end(self) -> None:
        self._flush()
        for one in self.verdict.findings:
            self.find(one.code, one.record, one.sentence)
        if self.table is None:
            return
        sums = self.known.sums
        for who, amount in self.table.stacks.items():
            free = sums.available(stack(self.log, who))
            if free != amount:
                told = f"The stack of {who} is {amount} at the table, and {free} in the ledger."
                self.find("table/stack", None, told)


class CageRoom(Room):
    """The cage: vouchers and money in and out."""

    def __init__(self, known: Known, log: str) -> None:
        super().__init__(known, log)
        self.cage = Cage()

    def record(self, number: int, record: wire.Record) -> tuple[list[Played], str]:
        if not isinstance(record, wire.Happened) or not isinstance(record.event, cage.Event):
            return self.strange(number)
        event = record.event
        if event.seq != self.cage.seq + 1:
            told = f"The cage's event {self.cage.seq + 1} should stand here, and {event.seq} does."
            self.find("cage/sequence", number, told)
        if [*record.entries] != cage.transfers(event):
            self.find("entries/differs", number, "The entries are not what the event moves.")
        if isinstance(event, cage.Deposited):
            self.known.deposited[event.patron] += event.amount
        try:
            self.cage = cage.evolve(self.cage, event)
        except BROKEN as error:
            told = f"{wire.name_of(event)} cannot follow: {type(error).__name__}."
            self.find("event/impossible", number, told)
            return [], ""
        if isinstance(event, notable.VOUCHERS):
            paper = notable.paper(self.cage.vouchers[event.number], event.at)
            self.known.papers[paper.number] = paper
        return [], ""


class PatronsRoom(Room):
    """Patrons' own protection."""

    def __init__(self, known: Known, log: str) -> None:
        super().__init__(known, log)
        self.people: dict[str, Patron] = {}

    def record(self, number: int, record: wire.Record) -> tuple[list[Played], str]:
        if not isinstance(record, wire.Concerning):
            return self.strange(number)
        who, event = record.patron, record.event
        try:
            self.people[who] = patron.evolve(self.people.get(who, Patron()), event)
        except BROKEN as error:
            told = f"{wire.name_of(event)} cannot follow: {type(error).__name__}."
            self.find("event/impossible", number, told)
        if isinstance(event, patron.ResultBooked):
            self.known.booked[who] += event.net
        if isinstance(event, patron.DepositRecorded):
            self.known.recorded[who] += event.amount
        return [], ""


def _of_patrons(table: Table, settled: RoundSettled | SettlementCorrected | None) -> dict[str, int]:
    """What a settlement brought each patron; a device of the house has no log of its own."""
    bets = settled.bets if settled is not None else ()
    return {who: net for who, (net, _) in nets(bets).items() if not is_device(table, who)}
