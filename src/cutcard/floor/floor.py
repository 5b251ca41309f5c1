"""The floor: tables, cage, patrons and ledger in step, one log for all of them.

Every wish goes through `decide`. A refusal is counted by its code; anything else
that is raised is a bug, and `simulation` says with which seed it came.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cutcard import cage, ledger, patron, table
from cutcard.floor.auditor import Auditor
from cutcard.floor.journal import Record, plain, record
from cutcard.refusals import Refusal
from cutcard.round.events import BetPlaced, RoundSettled, RoundVoided, SettlementCorrected
from cutcard.rules.rulebook import Rulebook
from cutcard.table import Table
from cutcard.table.commands import Command as TableCommand
from cutcard.table.events import IncidentReported, IncidentResolved
from cutcard.table.resume import commands as resuming
from cutcard.venue import At, Command, Event, Logged, Of, Venue, decide, happen, replay


class Broken(Exception):
    """Something that must never be: the floor is not what it should be."""


@dataclass
class Tally:
    """What is counted of one table."""

    book: str
    rounds: int = 0
    voids: int = 0
    bets: int = 0
    staked: int = 0
    bought_in: int = 0
    cashed_out: int = 0
    corrections: int = 0
    """Settlements that were made anew, voids among them."""

    incidents: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)


class Floor:
    """A running floor."""

    def __init__(self, books: dict[str, Rulebook], keep: Callable[[Record], None] | None) -> None:
        self.books = books
        self.venue = Venue()
        self.log: list[tuple[str, Event]] = []
        self.auditor = Auditor()
        self.tallies = {name: Tally(book.id) for name, book in books.items()}
        self.elsewhere: Counter[str] = Counter()
        """Refusals at the cage and of patrons' own wishes."""

        self.crashes = 0
        self.foreseen = 0
        """How often what advice had said of the money could be compared with what came of it."""

        self.reports = 0
        """How many things were reported in turn, so that each kind comes as often as any other."""

        self.rounds = 0
        self.at = 1_700_000_000_000
        self._keep = keep
        self._records = 0

    # --- commands ---------------------------------------------------------------------------------

    def at_table(self, name: str, command: TableCommand) -> bool:
        """Give a command at a table; whether it was done."""
        return self._try(self.tallies[name].refusals, At(name, command))

    def at_cage(self, command: cage.Command) -> bool:
        """Money in or out; what a table refuses is counted there."""
        name = getattr(command, "table", None)
        return self._try(self.tallies[name].refusals if name else self.elsewhere, command)

    def of_patron(self, name: str, command: patron.Command) -> bool:
        return self._try(self.elsewhere, Of(name, command))

    def table(self, name: str) -> Table:
        return self.venue.table(name)

    # --- events -----------------------------------------------------------------------------------

    def _try(self, refusals: Counter[str], command: Command) -> bool:
        try:
            happening = decide(self.venue, command, self.books)
        except Refusal as refusal:
            # Whoever is refused is told why, so there must be a sentence.
            refusal.message()
            refusals[refusal.code] += 1
            return False
        for source, event in happening:
            self._happen(source, event)
        self._round_over(happening)
        return True

    def _happen(self, source: str, event: Event) -> None:
        self.venue, entries = happen(self.venue, source, event)
        self.log.append((source, event))
        self._write(record(self._records, source, event, entries))
        self._count(source, event)

    def _write(self, one: Record) -> None:
        self._records += 1
        self.auditor.read(one)
        if self._keep is not None:
            self._keep(one)

    def _count(self, source: str, event: Event) -> None:
        match event:
            case BetPlaced():
                tally = self.tallies[source]
                tally.bets += 1
                tally.staked += event.bet.stake - (event.before.stake if event.before else 0)
            case RoundVoided():
                self.tallies[source].voids += 1
            case SettlementCorrected():
                self.tallies[source].voids += event.coup is None
                self.tallies[source].corrections += 1
            case IncidentReported():
                self.tallies[source].incidents[event.incident.kind] += 1
            case IncidentResolved():
                self.tallies[source].steps[event.step.value] += 1
            case cage.BoughtIn() | cage.TerminalLoaded():
                self.tallies[event.table].bought_in += event.amount
            case cage.CashedOut() | cage.TerminalUnloaded():
                self.tallies[event.table].cashed_out += event.amount

    # --- checks -----------------------------------------------------------------------------------

    def _round_over(self, happened: list[Logged]) -> None:
        for source, event in happened:
            if isinstance(event, RoundSettled | RoundVoided):
                self.rounds += 1
                self.tallies[source].rounds += 1
                self._check_round(source)
        if any(isinstance(event, SettlementCorrected) for _, event in happened):
            self._check_round(happened[0][0])

    def _check_round(self, name: str) -> None:
        at, books = self.table(name), self.venue.ledger
        accounts = [ledger.layout(name), ledger.house(name), ledger.commission(name)]
        if books.total() != 0:
            raise Broken(f"the ledger's total is {books.total()}")
        for who, stack in at.stacks.items():
            account = ledger.stack(name, who)
            accounts += [account, ledger.debt(who)]
            if books.available(account) != stack or books.held(account) != 0:
                raise Broken(f"{account}: {stack} on the table, {books.available(account)} free")
        if books.balance(ledger.layout(name)) != 0:
            raise Broken(f"money is left on the layout of {name}")
        winners = "".join(one.winner.value[0].upper() for one in at.results)
        self._state(
            "RoundOver",
            [*accounts],
            table=name,
            stacks=dict(at.stacks),
            results=winners,
            terminals={who: plain(one) for who, one in at.terminals.by_name.items()},
        )

    def close(self) -> None:
        """State every balance at the end."""
        self._state("FloorClosed", [*self.venue.ledger.accounts])

    def _state(self, event: str, accounts: list[ledger.AccountId], **more: object) -> None:
        books = self.venue.ledger
        stand = {one: [books.balance(one), books.held(one)] for one in accounts}
        said = {"n": self._records, "source": "floor", "event": event, "accounts": stand, **more}
        self._write(said)

    def restart(self, name: str) -> None:
        """Lose one table, and fold it again from its own events."""
        self.crashes += 1
        own = (event for source, event in self.log if source == name)
        back = table.fold(own)  # type: ignore[arg-type]
        if back != self.table(name):
            raise Broken(f"{name} is not the same after a restart")
        self.venue = replace(self.venue, tables=self.venue.tables.placed(name, back))

    def crash(self) -> None:
        """Lose everything but the log, and come back from it."""
        self.crashes += 1
        back = replay(self.log)
        for name, at in self.venue.tables.items():
            if back.table(name) != at:
                raise Broken(f"{name} is not the same after a crash")
        if back != self.venue:
            raise Broken("cage, patrons or ledger are not the same after a crash")
        self.venue = back

    def resume(self, name: str) -> None:
        """What a table does by itself after it was cut off."""
        for command in resuming(self.table(name), self.at, self.books[name]):
            if not self.at_table(name, command):
                raise Broken(f"{name} cannot go on after a restart: {command}")
