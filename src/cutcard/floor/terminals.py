"""What the pit of an electronic table does with the terminals there, lawfully or not.

Devices come and go; terminals are locked, also under bets, and unlocked; attendants come.
What patrons do at terminals is among their other wishes.
"""

from typing import TYPE_CHECKING

from cutcard.cage import UnloadTerminal
from cutcard.table import Table
from cutcard.table.commands import (
    AddTerminal,
    AnswerAttendant,
    LockTerminal,
    RemoveTerminal,
    UnlockTerminal,
)

if TYPE_CHECKING:
    from cutcard.floor.staff import Crew

DEVICES = tuple(f"device-{number}" for number in range(1, 6))
"""The devices of a whole floor: its electronic tables take them from one another."""

REASONS = ("spilled coffee", "paper jam", "a dispute", " ")


def standing(table: Table) -> list[str]:
    """The devices that stand at a table."""
    terminals = table.terminals.by_name.items()
    return [name for name, one in terminals if not one.own and not one.removed]


class Terminals:
    """The terminals of one electronic table, as its pit looks after them."""

    def __init__(self, crew: "Crew") -> None:
        self.crew, self.dice = crew, crew.dice

    @property
    def table(self) -> Table:
        return self.crew.floor.table(self.crew.name)

    @property
    def at(self) -> int:
        return self.crew.floor.at

    def look_after(self) -> None:
        """Do what somebody waits for, or something else."""
        terminals, wish = self.table.terminals.by_name, self.dice.below(12)
        locked = [name for name, one in terminals.items() if one.locked is not None]
        calling = [name for name, one in terminals.items() if one.calling]
        if not standing(self.table) or wish < 3:
            self._add()
        elif wish < 5:
            self._take_away()
        elif wish < 7:
            self._lock()
        elif wish < 9 and calling:
            by = self.crew.anybody() if self.dice.one_in(3) else self.crew.dealers[0]
            self.crew.do(AnswerAttendant(self.dice.pick(calling), by, self.at))
        elif wish < 11 and locked:
            self.crew.do(UnlockTerminal(self.dice.pick(locked), self._by(), self.at))
        else:
            self._any_terminal()

    def _add(self) -> None:
        """A device, wherever it stands: under a number or without one, here or at another table."""
        device, name, by = self.dice.pick(DEVICES), self.crew.name, self._by()
        before = self.table.terminals.get(device)
        old = None if before is None else before.number
        number = self.dice.pick((None, None, old, self.dice.below(12)))
        if self.dice.one_in(4):
            name = self.dice.pick(tuple(self.crew.floor.books))
            by = f"{name}-supervisor"
        if self.dice.one_in(6):
            # A name that somebody has already: whoever adds it, or a patron.
            device = by if self.dice.one_in(2) else f"patron-{self.dice.between(1, 30)}"
        self.crew.floor.at_table(name, AddTerminal(device, number, by, self.at))

    def _take_away(self) -> None:
        """A device, mostly paid out first."""
        devices = standing(self.table)
        if self.dice.one_in(5):
            terminals = self.table.terminals.by_name.items()
            devices = [name for name, one in terminals if not one.removed]
        # Where nobody plays, nobody has to be asked.
        idle = [name for name in devices if not self.table.stacks.get(name, 0)]
        device = self.dice.pick(idle if idle and self.dice.one_in(2) else devices)
        credit = self.table.stacks.get(device, 0)
        if credit and not self.dice.one_in(4):
            paid = UnloadTerminal(self.crew.name, device, None, credit, False, self.at)
            self.crew.floor.at_cage(paid)
        self.crew.do(RemoveTerminal(device, self._by(), self.at))

    def _lock(self) -> None:
        """Mostly a terminal at which bets lie."""
        playing = [bet.patron for bet in self.table.round.bets]
        if not playing or self.dice.one_in(3):
            playing = list(self.table.terminals.by_name)
        terminal = self.dice.pick(playing)
        self.crew.do(LockTerminal(terminal, self.dice.pick(REASONS), self._by(), self.at))

    def _any_terminal(self) -> None:
        """Something that nobody asked for, at any terminal that ever stood here."""
        terminal, by = self.dice.pick(list(self.table.terminals.by_name)), self._by()
        self.crew.do(
            self.dice.pick(
                (
                    UnlockTerminal(terminal, by, self.at),
                    AnswerAttendant(terminal, by, self.at),
                    AddTerminal(terminal, None, by, self.at),
                )
            )
        )

    def _by(self) -> str:
        """Mostly somebody who may."""
        return self.crew.anybody() if self.dice.one_in(6) else self.crew.supervisor
