"""The auditor's own terminals: which stand, which are locked, and meters beside their credit."""

from collections import Counter
from dataclasses import dataclass

from cutcard.floor.auditor import rules
from cutcard.floor.auditor.memory import Memory, Record

OWN_BETS = ("BetPlaced", "BetWithdrawn", "AlwaysChosen")


@dataclass
class Terminal:
    """A terminal, its meters among the rest."""

    number: int
    own: bool
    """Whether it belongs to an account, and is no device of the house."""

    removed: bool = False
    locked: str | None = None
    calling: bool = False
    paid_in: int = 0
    paid_out: int = 0
    staked: int = 0
    won: int = 0
    lost: int = 0
    rounds: int = 0

    @property
    def credit(self) -> int:
        """What the meters come to."""
        return self.paid_in - self.paid_out + self.won - self.lost


class Terminals(Memory):
    """From the day that a terminal is added, through locks and attendants, to its removal."""

    def __init__(self) -> None:
        super().__init__()
        self.terminals: dict[str, Terminal] = {}
        self.opening: list[str] = []
        """The accounts that get a terminal as their table becomes electronic, in order."""

    # --- asking -----------------------------------------------------------------------------------

    def is_device(self, name: str) -> bool:
        return name in self.terminals and not self.terminals[name].own

    def misplaced(self, name: str) -> bool:
        """Whether a device of the house is where its table is electronic no more."""
        electronic = self.setup["book"] in rules.ELECTRONIC
        return self.edition >= 1 and self.is_device(name) and not electronic

    def stands(self, name: str) -> bool:
        return name in self.terminals and not self.terminals[name].removed

    def takes_money(self, name: str) -> list[str]:
        """What is wrong with new money for a terminal; an account gets one with its first."""
        one = self.terminals.get(name)
        if one is None:
            return []
        found = [f"{name} is loaded while locked"] if one.locked is not None else []
        return [*found, *([f"{name} is loaded where it does not stand"] if one.removed else [])]

    def _standing(self, record: Record) -> Terminal:
        """The terminal that an event is about, which must stand at the table."""
        name, event = record["terminal"], record["event"]
        self._must(self.stands(name), f"{event} of {name}, which does not stand here")
        return self.terminals.get(name) or Terminal(number=0, own=False)

    # --- what the pit does ------------------------------------------------------------------------

    def _terminal_added(self, record: Record) -> None:
        name, number, book = record["terminal"], record["number"], self.setup["book"]
        self._must(book in rules.ELECTRONIC, f"terminal {name} at a table of {book}")
        before = self.terminals.get(name)
        if record["by"] == name:
            should = 1 + sum(one.own for one in self.terminals.values())
            self._must(before is None, f"{name} gets another terminal")
            self._must(number == should, f"the terminal of {name} is {number}, not {should}")
            self.terminals[name] = Terminal(number, own=True, paid_in=self.stacks[name])
            if self.opening:
                self._must(name == self.opening.pop(0), f"the terminal of {name} out of order")
            else:
                # It comes with the account's first money.
                self.due.append("StackFilled")
            return
        self._role(record, "pit supervisor")
        self._must(self.open, f"{name} added at a closed table")
        taken = {one.number: other for other, one in self.terminals.items() if not one.own}
        owner = taken.get(number, name)
        self._must(number >= 1, f"{name} is number {number}")
        self._must(owner == name, f"{name} is number {number}, as {owner} is")
        if before is None:
            self.terminals[name] = Terminal(number, own=False)
            return
        self._must(before.removed and not before.own, f"{name} stands here already")
        self._must(number == before.number, f"{name} came back as {number}, was {before.number}")
        before.removed = False

    def _terminals_due(self) -> None:
        """A table opened: where it is electronic, credit that lies there gets terminals."""
        if self.edition >= 1 and self.setup["book"] in rules.ELECTRONIC:
            credit = [name for name, stack in self.stacks.items() if stack]
            self.opening = sorted(name for name in credit if name not in self.terminals)
            self.due += ["TerminalAdded"] * len(self.opening)

    def _terminal_removed(self, record: Record) -> None:
        one, name = self._standing(record), record["terminal"]
        self._role(record, "pit supervisor")
        credit = self.stacks[name] + self._in_play()[name]
        self._must(credit == 0, f"{name} was taken away with {credit}")
        self._must(not one.own, f"the account {name} was taken away")
        one.removed, one.calling = True, False

    def _terminal_locked(self, record: Record) -> None:
        one, name = self._standing(record), record["terminal"]
        self._role(record, "pit supervisor")
        self._must(one.locked is None, f"{name} was locked twice")
        self._must(bool(record["reason"].strip()), f"{name} was locked without a reason")
        one.locked = record["reason"]

    def _terminal_unlocked(self, record: Record) -> None:
        # A lock holds also where the terminal was taken away, and so does its end.
        one = self.terminals.get(record["terminal"]) or self._standing(record)
        self._role(record, "pit supervisor")
        self._must(one.locked is not None, f"{record['terminal']} was unlocked and not locked")
        one.locked = None

    def _attendant_called(self, record: Record) -> None:
        one = self._standing(record)
        self._must(not one.calling, f"{record['terminal']} called an attendant twice")
        one.calling = True

    def _attendant_came(self, record: Record) -> None:
        one = self._standing(record)
        self._role(record, "dealer")
        self._must(one.calling, f"{record['terminal']} had called no attendant")
        one.calling = False

    # --- what is done there -----------------------------------------------------------------------

    def _check_use(self, record: Record) -> None:
        """Whether somebody could bet, take back a bet or take money at a terminal just now."""
        event = record["event"]
        if event not in (*OWN_BETS, "StackEmptied"):
            return
        name = record["bet"]["patron"] if "bet" in record else record["patron"]
        one = self.terminals.get(name)
        asked = record.get("cause", "withdrawn") == "withdrawn"
        if one is None or not asked:
            return
        self._must(one.locked is None, f"{event} at {name}, which is locked")
        if event in OWN_BETS:
            self._must(not self.misplaced(name), f"{event} at {name}, and there are no terminals")
            self._must(not one.removed, f"{event} at {name}, which does not stand here")

    # --- meters -----------------------------------------------------------------------------------

    def _paid_in(self, name: str, amount: int) -> None:
        if name in self.terminals:
            self.terminals[name].paid_in += amount
        else:
            lawful = self.setup["book"] not in rules.ELECTRONIC
            self._must(lawful, f"{name} has credit and no terminal")
        for other, one in self.terminals.items():
            if one.own and one.paid_in == 0:
                self._say(f"{other} has a terminal and brought nothing")

    def _paid_out(self, name: str, amount: int) -> None:
        if name in self.terminals:
            self.terminals[name].paid_out += amount

    def _played(self, bets: list[Record]) -> None:
        """A round is settled."""
        if not self.terminals:
            return
        for one in bets:
            terminal = self.terminals.get(one["bet"]["patron"])
            if terminal is not None:
                terminal.staked += one["effective"]
                terminal.won += max(0, one["net"])
                terminal.lost += 0 if one["removed"] else max(0, -one["net"])
        for name in {one["bet"]["patron"] for one in bets} & {*self.terminals}:
            self.terminals[name].rounds += 1

    def _paid_anew(self, name: str, change: int) -> None:
        """A settlement was corrected."""
        if name in self.terminals:
            self.terminals[name].won += max(0, change)
            self.terminals[name].lost += max(0, -change)

    def _in_play(self) -> Counter[str]:
        """By patron, what lies in bets of the round under way."""
        found: Counter[str] = Counter()
        if self.under_way:
            for key, bet in self.bets.items():
                found[bet.patron] += 0 if key in self.removed else bet.held
        return found

    def _check_credit(self) -> None:
        """Whether every terminal has what its meters come to, in credit and bets."""
        if not self.terminals:
            return
        playing = self._in_play()
        for name, one in self.terminals.items():
            there = self.stacks[name] + playing[name]
            if one.credit != there:
                self._say(f"the meters of {name} come to {one.credit}, and {there} is there")

    def _check_terminals(self, said: dict[str, Record]) -> None:
        """What the table says of its terminals after a round."""
        for name in {**self.terminals, **said}:
            mine = vars(self.terminals[name]) if name in self.terminals else None
            if said.get(name) != mine:
                self._say(f"terminal {name} is {said.get(name)}, should be {mine}")
