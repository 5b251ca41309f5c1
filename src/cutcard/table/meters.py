"""Terminals as a table knows them: numbers, locks and meters that only grow.

Meters follow from the events that move credit. No command sets a meter, so none can be
reset: a terminal that is taken away keeps its meters and has them again when it comes back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cutcard.frozen import replace
from cutcard.ledger.shelf import Shelf
from cutcard.round.events import Settled
from cutcard.table.events import TerminalAdded


@dataclass(frozen=True, slots=True)
class Terminal:
    """A player terminal. Its credit is the stack of its name, whoever plays there."""

    number: int
    own: bool = False
    """Whether it belongs to an account, whose name it has: a patron's own browser."""

    removed: bool = False
    locked: str | None = None
    """Why no bet and no money is taken here; None while the terminal is not locked."""

    calling: bool = False
    """Whether an attendant is asked to come."""

    paid_in: int = 0
    paid_out: int = 0
    staked: int = 0
    won: int = 0
    """What bets have won, and corrections have added."""

    lost: int = 0
    """What bets have lost, and corrections have taken."""

    rounds: int = 0
    """Settled rounds in which a bet lay here."""

    @property
    def credit(self) -> int:
        """The credit by the meters: the stack and the bets in play come to the same."""
        return self.paid_in - self.paid_out + self.won - self.lost


@dataclass(frozen=True, slots=True)
class Terminals:
    """Every terminal that ever stood at a table, by its name."""

    by_name: Shelf[str, Terminal] = field(default_factory=Shelf)
    by_number: Shelf[str, str] = field(default_factory=Shelf)
    """Names of the house's devices by their number as text. Numbers are never given twice."""

    highest: int = 0
    """The highest number of a device."""

    own: int = 0
    """How many terminals belong to accounts. They are counted apart from the devices."""

    def get(self, name: str) -> Terminal | None:
        return self.by_name.get(name)

    def placed(self, name: str, terminal: Terminal) -> "Terminals":
        """These terminals with a changed one, or with one more."""
        by_name = self.by_name.placed(name, terminal)
        if name in self.by_name:
            return replace(self, by_name=by_name)
        if terminal.own:
            return replace(self, by_name=by_name, own=self.own + 1)
        return replace(
            self,
            by_name=by_name,
            by_number=self.by_number.placed(str(terminal.number), name),
            highest=max(self.highest, terminal.number),
        )


def terminals_of(by_name: Mapping[str, Terminal]) -> Terminals:
    """Terminals put together again from the terminals by name."""
    found = Terminals()
    for name, terminal in by_name.items():
        found = found.placed(name, terminal)
    return found


def added(terminals: Terminals, event: TerminalAdded, credit: int) -> Terminals:
    """A terminal stands at the table; one that comes back has its meters again.

    An account may have had credit before the table had terminals: that counts as paid in.
    """
    before = terminals.get(event.terminal)
    new = Terminal(event.number, own=event.by == event.terminal, paid_in=credit)
    one = new if before is None else replace(before, removed=False)
    return terminals.placed(event.terminal, one)


def paid_in(terminals: Terminals, name: str, amount: int) -> Terminals:
    """Credit came onto a terminal."""
    one = terminals.get(name)
    if one is None:
        return terminals
    return terminals.placed(name, replace(one, paid_in=one.paid_in + amount))


def paid_out(terminals: Terminals, name: str, amount: int) -> Terminals:
    """Credit left a terminal."""
    one = terminals.get(name)
    if one is None:
        return terminals
    return terminals.placed(name, replace(one, paid_out=one.paid_out + amount))


def settled(terminals: Terminals, bets: Iterable[Settled]) -> Terminals:
    """A round with these bets is settled."""
    if not terminals.by_name:
        return terminals
    played: dict[str, Terminal] = {}
    for bet in bets:
        name = bet.bet.patron
        before = played.get(name)
        one = before or terminals.get(name)
        if one is None:
            continue
        # The loss of chips that were taken away is owed, so it takes no credit.
        lost = 0 if bet.removed else max(0, -bet.net)
        played[name] = replace(
            one,
            staked=one.staked + bet.effective,
            won=one.won + max(0, bet.net),
            lost=one.lost + lost,
            rounds=one.rounds + (before is None),
        )
    for name, one in played.items():
        terminals = terminals.placed(name, one)
    return terminals


def corrected(terminals: Terminals, name: str, change: int) -> Terminals:
    """A corrected settlement gave a terminal more, or, below zero, took from it."""
    one = terminals.get(name)
    if one is None:
        return terminals
    if change > 0:
        return terminals.placed(name, replace(one, won=one.won + change))
    return terminals.placed(name, replace(one, lost=one.lost - change))
