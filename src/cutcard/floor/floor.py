"""The floor: tables, cage, patrons and ledger in step, one log for all of them.

Every wish goes through `decide`. A refusal is counted by its code; anything else
that is raised is a bug, and `simulation` says with which seed it came.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from cutcard import cage, ledger, patron, table
from cutcard.floor.auditor import Auditor
from cutcard.floor.journal import Record, record
from cutcard.floor.state import CAGE, EMPTY, NEWCOMER, PATRON, Event, State, happen, replay
from cutcard.patron import Patron
from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round.events import BetPlaced, RoundSettled, RoundVoided
from cutcard.round.state import FINISHED
from cutcard.rules.rulebook import Rulebook, Spot
from cutcard.table import Table
from cutcard.table.commands import Command as TableCommand
from cutcard.table.commands import EmptyStack, FillStack, InRound


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
    refusals: Counter[str] = field(default_factory=Counter)


class Floor:
    """A running floor."""

    def __init__(self, books: dict[str, Rulebook], keep: Callable[[Record], None] | None) -> None:
        self.books = books
        self.state = State()
        self.log: list[tuple[str, Event]] = []
        self.auditor = Auditor()
        self.tallies = {name: Tally(book.id) for name, book in books.items()}
        self.elsewhere: Counter[str] = Counter()
        """Refusals at the cage and of patrons' own wishes."""

        self.crashes = 0
        self.rounds = 0
        self.at = 1_700_000_000_000
        self._keep = keep
        self._records = 0

    # --- commands ---------------------------------------------------------------------------------

    def at_table(self, name: str, command: TableCommand) -> bool:
        """Give a command at a table; whether it was done."""
        return self._try(self.tallies[name].refusals, lambda: [(name, self._table(name, command))])

    def at_cage(self, command: cage.Command) -> bool:
        return self._try(self.elsewhere, lambda: [(CAGE, self._cage(command))])

    def of_patron(self, name: str, command: patron.Command) -> bool:
        return self._try(self.elsewhere, lambda: [self._patron(name, command)])

    def deposit(self, name: str, amount: int) -> bool:
        """Cash into a wallet, within the patron's own limits."""
        return self._try(
            self.elsewhere,
            lambda: [
                self._patron(name, patron.RecordDeposit(amount, self.at)),
                (CAGE, self._cage(cage.Deposit(name, amount, self.at))),
            ],
        )

    def buy_in(self, name: str, who: str, amount: int) -> bool:
        """From the wallet to the stack: the cage and the table do it together or not at all."""

        def events() -> list[tuple[str, list[Event]]]:
            patron.check_buy_in(self.person(who), self.at)
            bought = self._cage(cage.BuyIn(who, name, amount, self.at))
            return [(CAGE, bought), (name, self._table(name, FillStack(who, amount, self.at)))]

        return self._try(self.tallies[name].refusals, events)

    def cash_out(self, name: str, who: str, amount: int) -> bool:
        """From the stack back to the wallet."""

        def events() -> list[tuple[str, list[Event]]]:
            playing = self.playing(name, who)
            paid = self._cage(cage.CashOut(who, name, amount, playing, self.at))
            return [(name, self._table(name, EmptyStack(who, amount, self.at))), (CAGE, paid)]

        return self._try(self.tallies[name].refusals, events)

    def issue(self, command: cage.IssueVoucher) -> bool:
        """A voucher from a stack or a wallet."""
        if command.table is None:
            return self.at_cage(command)
        name, empty = command.table, EmptyStack(command.patron, command.amount, self.at)
        return self._try(
            self.tallies[name].refusals,
            lambda: [(name, self._table(name, empty)), (CAGE, self._cage(command))],
        )

    def redeem(self, command: cage.RedeemVoucher) -> bool:
        """A voucher into a stack or a wallet."""
        if command.table is None:
            return self.at_cage(command)
        name = command.table

        def events() -> list[tuple[str, list[Event]]]:
            patron.check_buy_in(self.person(command.patron), self.at)
            paid = self._cage(command)
            worth = self.state.cage.vouchers[command.number].amount
            fill = FillStack(command.patron, worth, self.at)
            return [(CAGE, paid), (name, self._table(name, fill))]

        return self._try(self.tallies[name].refusals, events)

    def void(self, command: cage.VoidVoucher) -> bool:
        """A voucher's money goes back where it came from; a table must hear of it too."""
        voucher = self.state.cage.vouchers.get(command.number)
        kind, _, place = (voucher.paid_by if voucher else "").partition(":")
        if voucher is None or kind != "stack":
            return self.at_cage(command)
        name, _, who = place.partition(":")
        fill = FillStack(who, voucher.amount, self.at)
        return self._try(
            self.tallies[name].refusals,
            lambda: [(CAGE, self._cage(command)), (name, self._table(name, fill))],
        )

    def bet(self, name: str, wanted: rounds.PlaceBet, by: str) -> bool:
        """A bet, if the table's rules and the patron's own limits allow it."""

        def events() -> list[tuple[str, list[Event]]]:
            placed = self._table(name, InRound(wanted, by))
            book, who = self.books[name], self.person(wanted.patron)
            risk = wanted.stake * worst(book, book.spots[wanted.spot])
            playing = sum(self._in_play(one, wanted.patron) for one in self.books)
            patron.check_bet(who, risk, self.at, playing)
            return [(name, placed)]

        return self._try(self.tallies[name].refusals, events)

    def table(self, name: str) -> Table:
        return self.state.tables.get(name, EMPTY)

    def person(self, name: str) -> Patron:
        return self.state.patrons.get(name, NEWCOMER)

    def playing(self, name: str, who: str) -> bool:
        """Whether a patron has bets at a table that are not settled."""
        return self._in_play(name, who) > 0

    def _in_play(self, name: str, who: str) -> int:
        """The most that a patron may still lose at a table."""
        round, book = self.table(name).round, self.books[name]
        if round.phase in FINISHED:
            return 0
        stakes = round.by_patron.get(who, {})
        return sum(stake * worst(book, book.spots[spot]) for spot, stake in stakes.items())

    # --- events -----------------------------------------------------------------------------------

    def _table(self, name: str, command: TableCommand) -> list[Event]:
        return [*table.decide(self.table(name), command, self.books[name])]

    def _cage(self, command: cage.Command) -> list[Event]:
        return [*cage.decide(self.state.cage, command, self.state.ledger)]

    def _patron(self, name: str, command: patron.Command) -> tuple[str, list[Event]]:
        return PATRON + name, [*patron.decide(self.person(name), command)]

    def _try(
        self, refusals: Counter[str], decided: Callable[[], list[tuple[str, list[Event]]]]
    ) -> bool:
        try:
            happening = decided()
        except Refusal as refusal:
            # Whoever is refused is told why, so there must be a sentence.
            refusal.message()
            refusals[refusal.code] += 1
            return False
        for source, events in happening:
            for event in events:
                self._happen(source, event)
        return True

    def _happen(self, source: str, event: Event) -> None:
        entries = happen(self.state, source, event)
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
            case RoundSettled():
                nets: Counter[str] = Counter()
                for one in event.bets:
                    nets[one.bet.patron] += one.net
                for who, net in nets.items():
                    self.of_patron(who, patron.BookResult(net, self.at))
                self._round_over(source)
            case RoundVoided():
                self.tallies[source].voids += 1
                self._round_over(source)
            case cage.BoughtIn():
                self.tallies[event.table].bought_in += event.amount
            case cage.CashedOut():
                self.tallies[event.table].cashed_out += event.amount

    # --- checks -----------------------------------------------------------------------------------

    def _round_over(self, name: str) -> None:
        self.rounds += 1
        self.tallies[name].rounds += 1
        at, books = self.table(name), self.state.ledger
        accounts = [ledger.layout(name), ledger.house(name), ledger.commission(name)]
        if books.total() != 0:
            raise Broken(f"the ledger's total is {books.total()}")
        for who, stack in at.stacks.items():
            account = ledger.stack(name, who)
            accounts.append(account)
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
            debts=dict(at.debts),
            results=winners,
        )

    def close(self) -> None:
        """State every balance at the end."""
        self._state("FloorClosed", [*self.state.ledger.accounts])

    def _state(self, event: str, accounts: list[ledger.AccountId], **more: object) -> None:
        books = self.state.ledger
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
        self.state.tables[name] = back

    def crash(self) -> None:
        """Lose everything but the log, and come back from it."""
        self.crashes += 1
        back = replay(self.log)
        for name, at in self.state.tables.items():
            if back.tables[name] != at:
                raise Broken(f"{name} is not the same after a crash")
        if back != self.state:
            raise Broken("cage, patrons or ledger are not the same after a crash")
        self.state = back


def worst(book: Rulebook, spot: Spot) -> int:
    """What a bet may lose per unit staked; a second stage is counted with its first."""
    if spot.stage is not None:
        return 0
    second = book.stage_of(spot.id)
    return spot.reserve + (second.stage.multiple if second and second.stage else 0)
