"""The auditor's own books: every account, recomputed from the entries in the journal.

Beside them stands what each event should have done, worked out from the event
alone; where the two differ, an entry was lost, doubled or altered.
"""

from collections import defaultdict
from typing import Any

Change = dict[str, list[int]]
"""By account: how its balance changes, and how what is held of it changes."""


class Books:
    """Balances, what is held, and transfers still pending."""

    def __init__(self) -> None:
        self.posted: dict[str, int] = defaultdict(int)
        self.held: dict[str, int] = defaultdict(int)
        self.pending: dict[str, dict[str, Any]] = {}
        self.last: dict[str, tuple[int, int]] = {}

    def enter(self, entries: list[dict[str, Any]], expected: Change) -> list[str]:
        """Enter an event's entries; say what is wrong with them."""
        change: Change = defaultdict(lambda: [0, 0])
        found = [text for entry in entries for text in self._enter(entry, change)]
        for account in {**change, **expected}:
            should, did = expected.get(account, [0, 0]), change.get(account, [0, 0])
            if should != did:
                found.append(
                    f"{account} changed by {did[0]} (held {did[1]}), "
                    f"should be {should[0]} (held {should[1]})"
                )
        for account, (posted, held) in change.items():
            self.posted[account] += posted
            self.held[account] += held
            found += self._unsound(account)
        return found

    def _enter(self, entry: dict[str, Any], change: Change) -> list[str]:
        found = self._counted(entry["id"])
        if entry["entry"] == "Transfer":
            if entry["amount"] <= 0:
                found.append(f"transfer {entry['id']} of {entry['amount']}")
            if entry["pending"]:
                self.pending[entry["id"]] = entry
                change[entry["debit"]][1] += entry["amount"]
            else:
                _move(entry, entry["amount"], change)
            return found
        promised = self.pending.pop(entry["pending"], None)
        if promised is None:
            return [*found, f"{entry['id']}: {entry['pending']} is not pending"]
        change[promised["debit"]][1] -= promised["amount"]
        if entry["entry"] == "Post":
            part = entry["amount"]
            _move(promised, promised["amount"] if part is None else part, change)
        return found

    def _counted(self, id: str) -> list[str]:
        source, _, place = id.rpartition(":")
        event, _, number = place.partition(".")
        order = int(event), int(number)
        if source in self.last and order <= self.last[source]:
            return [f"entry {id} comes twice or out of order"]
        self.last[source] = order
        return []

    def _unsound(self, account: str) -> list[str]:
        free, kind = self.posted[account] - self.held[account], account.partition(":")[0]
        if kind in ("wallet", "stack", "layout", "commission", "vouchers") and free < 0:
            return [f"{account} is {-free} below zero"]
        if kind == "debt" and free > 0:
            return [f"{account} is {free} above zero"]
        return []

    def total(self) -> int:
        return sum(self.posted.values())


def _move(transfer: dict[str, Any], amount: int, change: Change) -> None:
    change[transfer["debit"]][0] -= amount
    change[transfer["credit"]][0] += amount


# --- what each event should do --------------------------------------------------------------------


def moved(debit: str, credit: str, amount: int) -> Change:
    return {debit: [-amount, 0], credit: [amount, 0]}


def expected(record: dict[str, Any]) -> Change:
    """What an event should do to the accounts."""
    change: Change = defaultdict(lambda: [0, 0])
    table, event = record["source"], record["event"]
    if event in ("BetPlaced", "SecondStagePlaced"):
        _hold(change, table, record["bet"], 1)
        _hold(change, table, record.get("before"), -1)
    elif event == "BetWithdrawn":
        _hold(change, table, record["bet"], -1)
        _hold(change, table, record["left"], 1)
    elif event == "ChipsRemoved":
        _hold(change, table, record["bet"], -1)
    elif event in ("RoundVoided", "BetsReturned"):
        for bet in record["returned"]:
            _hold(change, table, bet, -1)
    elif event == "RoundSettled":
        for one in record["bets"]:
            _settle(change, table, one)
    else:
        return _cage(record)
    return {account: both for account, both in change.items() if both != [0, 0]}


def _hold(change: Change, table: str, bet: dict[str, Any] | None, sign: int) -> None:
    if bet is not None:
        stack = f"stack:{table}:{bet['patron']}"
        change[stack][1] += sign * (bet["stake"] + bet["reserve"])


def _settle(change: Change, table: str, one: dict[str, Any]) -> None:
    bet, net, commission = one["bet"], one["net"], one["commission"]
    stack = f"stack:{table}:{bet['patron']}"
    payer = stack
    if not one["removed"]:
        _hold(change, table, bet, -1)
    elif net < 0:
        # The chips are gone: what they lost is owed.
        payer = f"debt:{bet['patron']}"
    change[payer][0] += net
    change[f"commission:{table}"][0] += commission
    change[f"house:{table}"][0] -= net + commission


def _cage(record: dict[str, Any]) -> Change:
    event, amount = record["event"], record.get("amount", 0)
    if record["source"] != "cage":
        return {}
    patron, table = record.get("patron"), record.get("table")
    # Credit of a terminal comes from somebody's wallet, or for cash, and goes the same ways.
    credit = f"stack:{table}:{record.get('terminal')}"
    other = "cage" if patron is None else f"wallet:{patron}"
    legs = {
        "Deposited": ("cage", f"wallet:{patron}"),
        "Withdrawn": (f"wallet:{patron}", "cage"),
        "BoughtIn": (f"wallet:{patron}", f"stack:{table}:{patron}"),
        "CashedOut": (f"stack:{table}:{patron}", f"wallet:{patron}"),
        "TerminalLoaded": (other, credit),
        "TerminalUnloaded": (credit, other),
        "DebtPaid": (f"wallet:{patron}", f"debt:{patron}"),
        "VoucherIssued": (record.get("paid_by", ""), "vouchers"),
        "VoucherRedeemed": ("vouchers", record.get("paid_to", "")),
        "VoucherVoided": ("vouchers", record.get("paid_to", "")),
        "VoucherExpired": ("vouchers", "house:cage"),
    }.get(event)
    return {} if legs is None else moved(*legs, amount)
