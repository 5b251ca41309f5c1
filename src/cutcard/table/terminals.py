"""Terminals: the devices of an electronic table (ETG4 1 Player Terminal).

A terminal bets as a patron does at other tables, under a name of its own. Its credit is the
stack of that name: the credit lies on the terminal, whoever plays there. The pit adds devices,
locks terminals and sends attendants. A patron who brings money to such a table in a browser
of their own gets a terminal with the money; it has the name of the patron's account.
"""

from enum import Enum

from cutcard.refusals import Refusal
from cutcard.round.state import FINISHED
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table.checks import check_name, opened
from cutcard.table.commands import (
    AddTerminal,
    AnswerAttendant,
    CallAttendant,
    LockTerminal,
    RemoveTerminal,
    UnlockTerminal,
)
from cutcard.table.events import (
    AttendantCalled,
    AttendantCame,
    Event,
    TerminalAdded,
    TerminalLocked,
    TerminalRemoved,
    TerminalUnlocked,
)
from cutcard.table.meters import Terminal, Terminals
from cutcard.table.setup import Setup
from cutcard.table.staff import check_role
from cutcard.table.state import Table, has_bets

MOST_NUMBER = 1_000_000
TERMINAL = "ETG4 1 Player Terminal"
TERMINALS = "HOUSE terminals"

Command = (
    AddTerminal | RemoveTerminal | LockTerminal | UnlockTerminal | CallAttendant | AnswerAttendant
)


class State(Enum):
    """The state of a terminal; where several hold, the first of them."""

    REMOVED = "removed"
    LOCKED = "locked"
    ATTENDANT = "needs attendant"
    PLAYING = "in play"
    IDLE = "idle"


def state_of(table: Table, name: str) -> State:
    """The state of a terminal that stands, or once stood, at the table."""
    one = _known(table, name)
    if one.removed:
        return State.REMOVED
    if one.locked is not None:
        return State.LOCKED
    if one.calling:
        return State.ATTENDANT
    return State.PLAYING if _has_credit(table, name) else State.IDLE


def has_terminals(table: Table, book: Rulebook) -> bool:
    """Whether all credit at the table lies on terminals, as its book says of the layout."""
    layout = None if table.setup is None else book.layout(table.setup.layout)
    return layout is not None and layout.terminals is not None


def terminal(table: Table, name: str) -> Terminal:
    """A terminal that stands at the table; refuses any other name."""
    one = _known(table, name)
    if one.removed:
        raise Refusal("terminal/unknown", {"terminal": name}, TERMINAL)
    return one


def device(table: Table, name: str) -> Terminal:
    """A device of the house that stands at the table; refuses any other name."""
    one = terminal(table, name)
    if one.own:
        raise Refusal("terminal/own", {"terminal": name}, TERMINALS)
    return one


def is_device(table: Table, name: str) -> bool:
    """Whether a name at the table is the name of a device of the house, and of no account."""
    one = table.terminals.get(name)
    return one is not None and not one.own


def check_in_place(table: Table, name: str, book: Rulebook) -> None:
    """Refuse bets at a terminal that was taken away or is locked, and where there are none."""
    check_not_device(table, name, book)
    if name in table.terminals.by_name:
        terminal(table, name)
        check_unlocked(table, name)


def check_not_device(table: Table, name: str, book: Rulebook) -> None:
    """Refuse a device of the house where the table is played by a book without terminals.

    It has its credit from a time when the table was electronic, and gives it back.
    """
    keeps = table.setup is not None and table.setup.keeps(1)
    if keeps and is_device(table, name) and not has_terminals(table, book):
        raise Refusal("terminal/none-here", {"book": book.name}, TERMINAL)


def check_unlocked(table: Table, name: str) -> None:
    """Refuse money onto a locked terminal, or off it."""
    one = table.terminals.get(name)
    if one is not None and one.locked is not None:
        raise _locked(one)


def with_money(table: Table, name: str, at: int, book: Rulebook) -> list[Event]:
    """The terminal that an account gets with its first money at an electronic table."""
    # A table that is closed may come by another book; it is still the table of its last one.
    by_its_book = table.setup is not None and table.setup.book_hash == book.hash
    known = table.terminals.get(name) is not None
    if known or not by_its_book or not has_terminals(table, book):
        return []
    return [TerminalAdded(name, table.terminals.own + 1, name, at)]


def at_opening(table: Table, setup: Setup, at: int, book: Rulebook) -> list[Event]:
    """The terminals that accounts get whose credit lies at a table that becomes electronic."""
    layout = book.layout(setup.layout)
    if not setup.keeps(1) or layout is None or layout.terminals is None:
        return []
    without = [
        name for name in table.stacks if table.stacks[name] and name not in table.terminals.by_name
    ]
    return [
        TerminalAdded(name, table.terminals.own + place, name, at)
        for place, name in enumerate(sorted(without), start=1)
    ]


def decide(table: Table, command: Command, book: Rulebook) -> list[Event]:
    """The events that a command about a terminal causes."""
    name, at = command.terminal, command.at
    if isinstance(command, AddTerminal):
        return _add(table, command, book)
    # A lock holds also where the terminal was taken away, and so does its end.
    unlocks = isinstance(command, UnlockTerminal)
    one = _known(table, name) if unlocks else terminal(table, name)
    match command:
        case RemoveTerminal(by=by):
            _check_staff(table, by, at)
            if one.own:
                raise Refusal("terminal/account", {"terminal": name}, TERMINALS)
            if _has_credit(table, name):
                raise Refusal("terminal/credit", {"number": one.number}, TERMINAL)
            return [TerminalRemoved(name, by, at)]
        case LockTerminal(reason=reason, by=by):
            _check_staff(table, by, at)
            if not reason.strip():
                raise Refusal("terminal/no-reason", {"number": one.number}, TERMINALS)
            if one.locked is not None:
                raise _locked(one)
            return [TerminalLocked(name, reason, by, at)]
        case UnlockTerminal(by=by):
            _check_staff(table, by, at)
            if one.locked is None:
                raise Refusal("terminal/not-locked", {"number": one.number}, TERMINALS)
            return [TerminalUnlocked(name, by, at)]
        case CallAttendant():
            if one.calling:
                raise Refusal("terminal/called", {"number": one.number}, TERMINALS)
            return [AttendantCalled(name, at)]
        case AnswerAttendant(by=by):
            check_role(table.staff.get(by), Role.DEALER, at, TERMINALS)
            if not one.calling:
                raise Refusal("terminal/not-called", {"number": one.number}, TERMINALS)
            return [AttendantCame(name, by, at)]


def _add(table: Table, command: AddTerminal, book: Rulebook) -> list[Event]:
    """A device stands at the table, under a number that no other device ever had there."""
    opened(table)
    name, there = command.terminal, table.terminals
    check_name(name)
    if name in table.staff or (table.setup is not None and table.setup.machine == name):
        raise Refusal("staff/patron", {}, "CB4 1.11")
    if not has_terminals(table, book):
        raise Refusal("terminal/none-here", {"book": book.name}, TERMINAL)
    _check_staff(table, command.by, command.at)
    before = there.get(name)
    if before is not None and not before.removed:
        raise Refusal("terminal/exists", {"number": before.number}, TERMINAL)
    if name in table.stacks and before is None:
        raise Refusal("terminal/account", {"terminal": name}, TERMINAL)
    number = command.number
    if number is None:
        number = _next_number(there) if before is None else before.number
    # A device that comes back has its old number, which its meters are known by.
    owner = there.by_number.get(str(number), name if before is None else "")
    if not 1 <= number <= MOST_NUMBER or owner != name:
        raise Refusal("terminal/number", {"number": number}, TERMINAL)
    return [TerminalAdded(name, number, command.by, command.at)]


def _next_number(there: Terminals) -> int:
    """One more than the highest number; where that is the last one, the first that is free."""
    if there.highest < MOST_NUMBER:
        return there.highest + 1
    return next(
        (one for one in range(1, MOST_NUMBER) if str(one) not in there.by_number), MOST_NUMBER + 1
    )


def _known(table: Table, name: str) -> Terminal:
    one = table.terminals.get(name)
    if one is None:
        raise Refusal("terminal/unknown", {"terminal": name}, TERMINAL)
    return one


def _locked(one: Terminal) -> Refusal:
    return Refusal("terminal/locked", {"number": one.number, "reason": one.locked}, TERMINALS)


def _check_staff(table: Table, by: str, at: int) -> None:
    check_role(table.staff.get(by), Role.PIT_SUPERVISOR, at, TERMINALS)


def _has_credit(table: Table, name: str) -> bool:
    under_way = table.round.phase not in FINISHED
    return table.stacks.get(name, 0) > 0 or (under_way and has_bets(table, name))
