"""The auditor: recomputes outcomes and money from the journal by its own rules.

It imports nothing of the engine; a test proves it. Its answer is a list of
findings, each with the number of the record where it was found. An empty list
means that it agrees with everything.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cutcard.floor.auditor.memory import nets
from cutcard.floor.auditor.money import Books, Change, expected
from cutcard.floor.auditor.people import People, Person, Vouchers
from cutcard.floor.auditor.table import TableAudit

MOST_FINDINGS = 1000
"""Beyond so many findings there is nothing more to learn."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, and in which record of the journal."""

    record: int
    source: str
    text: str

    def __str__(self) -> str:
        return f"record {self.record}, {self.source}: {self.text}"


def audit(journal: Iterable[dict[str, Any]]) -> list[Finding]:
    """Everything that is wrong in a journal."""
    auditor = Auditor()
    for record in journal:
        auditor.read(record)
    return auditor.findings


class Auditor:
    """Reads a journal record by record."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.books = Books()
        self.tables: defaultdict[str, TableAudit] = defaultdict(TableAudit)
        self.people: People = defaultdict(Person)
        self.vouchers = Vouchers()
        self.records = 0
        self._owed: dict[str, dict[str, list[int]]] = {}
        """By table and patron: results that are to be booked, the first one first."""

    def read(self, record: dict[str, Any]) -> None:
        """Check one record, and remember what it says."""
        try:
            found = self._read(record)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            found = [f"{record.get('event')} makes no sense: {error!r}"]
        number, source = record.get("n", -1), str(record.get("source"))
        room = MOST_FINDINGS - len(self.findings)
        self.findings += [Finding(number, source, text) for text in found[:room]]

    def _read(self, record: dict[str, Any]) -> list[str]:
        found = []
        if record["n"] != self.records:
            found.append(f"record {self.records} is missing")
        self.records = record["n"] + 1
        kind, _, name = record["source"].partition(":")
        entries = record.get("entries", [])
        found += self.books.enter(entries, self._expected(record))
        found += self._wallets(entries)
        if kind == "floor":
            return found + self._statement(record)
        if kind == "patron":
            return found + self._patron(name, record)
        if kind == "cage":
            return found + self._cage(record)
        return found + self._table(kind, record)

    def _expected(self, record: dict[str, Any]) -> Change:
        """What an event should do to the accounts; only a correction asks what was before."""
        if record["event"] != "SettlementCorrected":
            return expected(record)
        table = self.tables[record["source"]]
        debts = {who: -self.books.posted[f"debt:{who}"] for who in table.owed}
        return table.moves(record["source"], record, debts)

    def _table(self, name: str, record: dict[str, Any]) -> list[str]:
        table, at = self.tables[name], record["at"]
        before = nets(table.settled or []) if record["event"] != "RoundSettled" else {}
        found = table.read(record)
        if record["event"] == "RoundOpened":
            seated = (who for who in table.seats.values() if self.people[who].barred("", at))
            found += [f"{who} has a seat while excluded or in a time-out" for who in seated]
        if record["event"] == "TerminalAdded":
            found += self._device(name, record["terminal"])
        if record["event"] == "BetPlaced" and not table.is_device(record["bet"]["patron"]):
            patron = record["bet"]["patron"]
            risk = sum(one.at_risk(patron) for one in self.tables.values())
            found += [f"{patron} {text}" for text in self.people[patron].bets(risk, at)]
        elif record["event"] in ("RoundSettled", "SettlementCorrected"):
            after, anew = nets(record["bets"]), record["event"] == "SettlementCorrected"
            for patron in {**before, **after}:
                net = after.get(patron, 0) - before.get(patron, 0)
                if (net or not anew) and not table.is_device(patron):
                    self._owed.setdefault(name, {}).setdefault(patron, []).append(net)
        return found

    def _patron(self, name: str, record: dict[str, Any]) -> list[str]:
        found = [f"{name} {text}" for text in self.people[name].read(record)]
        if record["event"] == "ResultBooked":
            owed = [one[name].pop(0) for one in self._owed.values() if one.get(name)]
            if owed != [record["net"]]:
                found.append(f"{name} booked {record['net']}, should be {owed}")
        return found

    def _cage(self, record: dict[str, Any]) -> list[str]:
        event, at = record["event"], record["at"]
        if event.startswith("Voucher"):
            return [*self.vouchers.read(record), *self._brought(record)]
        if event in ("TerminalLoaded", "TerminalUnloaded"):
            return self._credit(record)
        if event not in ("BoughtIn", "Deposited"):
            return []
        who = record["patron"]
        entry = self._entry(record["table"], who) if event == "BoughtIn" else []
        return [*entry, *self.people[who].barred(f"{who}: {event}", at)]

    def _brought(self, record: dict[str, Any]) -> list[str]:
        """What is wrong with a voucher that was paid to a table."""
        kind, *names = record.get("paid_to", "").split(":")
        paid = record["event"] == "VoucherRedeemed" and kind == "stack"
        return self._entry(*names) if paid else []

    def _entry(self, table: str, patron: str) -> list[str]:
        """What is wrong with new money for somebody at a table."""
        full = not self.tables[table].has_room(patron)
        found = [f"{patron} brings money to {table}, which is full"] if full else []
        return [*found, *self.tables[table].takes_money(patron)]

    # --- terminals --------------------------------------------------------------------------------

    def _credit(self, record: dict[str, Any]) -> list[str]:
        """What is wrong with credit that comes onto a terminal or leaves it."""
        event, terminal, patron = record["event"], record["terminal"], record["patron"]
        ends = [(one["debit"], one["credit"]) for one in record["entries"]]
        found = [] if all("cage" in one for one in ends) else [f"{event} past the cage"]
        table = self.tables[record["table"]]
        if terminal not in table.terminals:
            return [*found, f"{event} of {terminal}, which is no terminal of {record['table']}"]
        if event == "TerminalUnloaded":
            return found
        people = (patron,) if table.is_device(terminal) else (patron, terminal)
        for who in dict.fromkeys(people):
            if who is not None:
                found += self.people[who].barred(f"{who}: {event}", record["at"])
        return [*found, *self._entry(record["table"], terminal)]

    def _device(self, name: str, device: str) -> list[str]:
        """What is wrong with a device that comes to a table, beyond what the table knows."""
        if not self.tables[name].is_device(device):
            return []
        found = [f"{device} is a device and an account"] if device in self.people else []
        others = [one for one in self.tables if one != name and self.tables[one].stands(device)]
        return [*found, *(f"{device} stands at {other} too" for other in others)]

    def _wallets(self, entries: list[dict[str, Any]]) -> list[str]:
        """Wallets that belong to nobody, because a device has their name."""
        ends = (one.get(end, "") for one in entries for end in ("debit", "credit"))
        names = (one.removeprefix("wallet:") for one in ends if one.startswith("wallet:"))
        return [
            f"device {name} has a wallet"
            for name in names
            if any(table.is_device(name) for table in self.tables.values())
        ]

    def _statement(self, record: dict[str, Any]) -> list[str]:
        """What the floor says of itself: after a round of a table, or at the end."""
        found = []
        if record["event"] == "RoundOver":
            found += self.tables[record["table"]].check(record)
            layout = f"layout:{record['table']}"
            if self.books.posted[layout]:
                found.append(f"{layout} is not empty after the round")
            found += self._stacks(record["table"])
            for patron, owed in self._owed.pop(record["table"], {}).items():
                found += [f"nobody booked {net} for {patron}" for net in owed]
        else:
            for account, balance in self.books.posted.items():
                if balance and account not in record["accounts"]:
                    found.append(f"{account} is missing from the ledger")
            if self.books.posted["vouchers"] != self.vouchers.worth():
                found.append("vouchers outstanding are worth something else")
        for account, (posted, held) in record["accounts"].items():
            mine = self.books.posted[account], self.books.held[account]
            if mine != (posted, held):
                found.append(f"{account} stands at {posted} (held {held}), should be {mine}")
        if self.books.total():
            found.append(f"all balances together are {self.books.total()}")
        return found

    def _stacks(self, table: str) -> list[str]:
        """Stacks on the table that are not what the ledger has free for them."""
        found = []
        for patron, stack in self.tables[table].stacks.items():
            account = f"stack:{table}:{patron}"
            free = self.books.posted[account] - self.books.held[account]
            if stack != free:
                found.append(f"{patron} has {stack} on the table and {free} in the ledger")
        return found
