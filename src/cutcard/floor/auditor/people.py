"""The auditor's own memory of patrons' limits and of vouchers."""

from collections import defaultdict
from typing import Any

MINUTE = 60_000
HOUR = 3_600_000
DAY = 24 * HOUR
WINDOWS = {"deposit_day": DAY, "deposit_week": 7 * DAY, "deposit_month": 30 * DAY, "loss_day": DAY}
LENGTHS = {"time_day": DAY, "reality_check": HOUR}


class Person:
    """One patron's protection: what they asked for, and what counts against it."""

    def __init__(self) -> None:
        self.limits: dict[str, int | None] = {"reality_check": 30 * MINUTE}
        self.waiting: dict[str, tuple[int | None, int]] = {}
        self.barred_until = 0
        self.session: int | None = None
        self.seen = 0
        self.spells: list[tuple[int, int]] = []
        self.deposits: list[tuple[int, int]] = []
        self.results: list[tuple[int, int]] = []

    def limit(self, kind: str, at: int) -> int | None:
        if kind in self.waiting and at >= self.waiting[kind][1]:
            self.limits[kind] = self.waiting.pop(kind)[0]
        return self.limits.get(kind)

    def read(self, record: dict[str, Any]) -> list[str]:
        """An event of the patron's own log."""
        event, at = record["event"], record["at"]
        found: list[str] = []
        if "kind" in record:
            found += self._lawful(record)
        if event == "LimitTightened":
            held = self.limit(record["kind"], at)
            if held is not None and record["amount"] > held:
                found.append(f"{record['kind']} became looser at once")
            self.limits[record["kind"]] = record["amount"]
            self.waiting.pop(record["kind"], None)
        elif event == "LooseningRequested":
            self.limit(record["kind"], at)
            if record["effective_at"] < at + DAY:
                found.append(f"{record['kind']} becomes looser within a day")
            self.waiting[record["kind"]] = record["amount"], record["effective_at"]
        elif event == "LooseningCancelled":
            self.waiting.pop(record["kind"], None)
        elif event in ("TimeOutTaken", "SelfExcluded"):
            self.barred_until = max(self.barred_until, record["until"])
        elif event == "SessionStarted":
            found += self.barred("starts a session", at)
            if self.out_of_time(at):
                found.append("starts a session with no time left")
            self.session = self.seen = at
        elif event == "SessionEnded":
            if self.session is not None:
                self.spells.append((self.session, at))
            self.session = None
            while self.spells and self.spells[0][1] <= at - DAY:
                del self.spells[0]
        elif event == "RealityCheckAcknowledged":
            self.seen = at
        elif event == "DepositRecorded":
            found += self._deposit(record["amount"], at)
        elif event == "ResultBooked":
            self.results.append((at, record["net"]))
            while at - self.results[0][0] >= DAY:
                del self.results[0]
        return found

    def _lawful(self, record: dict[str, Any]) -> list[str]:
        """What is wrong with the size of a limit that somebody wished for."""
        kind, amount = record["kind"], record.get("amount")
        if amount is None:
            gone = record["event"] == "LooseningRequested" and kind == "reality_check"
            return ["wishes reality checks away"] if gone else []
        if kind in LENGTHS:
            lawful = amount % MINUTE == 0 and MINUTE <= amount <= LENGTHS[kind]
        else:
            lawful = 0 <= amount <= 10**18
        return [] if lawful else [f"{kind} cannot be {amount}"]

    def barred(self, what: str, at: int) -> list[str]:
        return [f"{what} while excluded or in a time-out"] if at < self.barred_until else []

    def out_of_time(self, at: int) -> bool:
        """Whether the patron's own time limit is used up by all play of the last day."""
        limit = self.limit("time_day", at)
        if limit is None:
            return False
        played = sum(end - start for start, end in self.spells if start > at - DAY)
        played += sum(end - at + DAY for start, end in self.spells if start <= at - DAY < end)
        if self.session is not None:
            played += min(DAY, at - self.session)
        return played >= limit

    def _deposit(self, amount: int, at: int) -> list[str]:
        found = self.barred("deposits", at)
        self.deposits.append((at, amount))
        for kind in ("deposit_day", "deposit_week", "deposit_month"):
            limit = self.limit(kind, at)
            paid = sum(much for when, much in self.deposits if at - when < WINDOWS[kind])
            if limit is not None and paid > limit:
                found.append(f"deposits {paid} beyond the {kind} limit of {limit}")
        return found

    def bets(self, at_risk: int, at: int) -> list[str]:
        """What is wrong with a new bet after which so much is at risk."""
        found = self.barred("bets", at)
        if self.session is None:
            return [*found, "bets in no session"]
        if at - self.seen >= (self.limit("reality_check", at) or 0):
            found.append("bets without having seen a reality check")
        if self.out_of_time(at):
            found.append("bets with no time left")
        limit = self.limit("loss_day", at)
        if limit is None:
            return found
        lost = max(0, -sum(net for when, net in self.results if at - when < DAY))
        if lost + at_risk > limit:
            found.append(f"risks {at_risk} after losing {lost}, beyond the limit of {limit}")
        return found


class Vouchers:
    """Every voucher, each paid once at most."""

    def __init__(self) -> None:
        self.state: dict[str, str] = {}
        self.amount: dict[str, int] = {}
        self.ends: dict[str, int] = {}
        self.claimed: dict[str, str] = {}

    def read(self, record: dict[str, Any]) -> list[str]:
        number, event, found = record["number"], record["event"], []
        before = self.state.get(number, "none")
        lawful = {
            "VoucherIssued": ("none",),
            "VoucherClaimed": ("issued",),
            "VoucherReleased": ("claimed",),
            "VoucherRedeemed": ("claimed",),
            "VoucherVoided": ("issued", "claimed"),
            "VoucherExpired": ("issued",),
            "VoucherReprinted": ("issued",),
        }[event]
        if before not in lawful:
            found.append(f"{event} of voucher {number}, which is {before}")
        if event == "VoucherIssued":
            self.amount[number], self.ends[number] = record["amount"], record["expires_at"]
        elif "amount" in record and record["amount"] != self.amount.get(number):
            found.append(f"voucher {number} of {self.amount.get(number)} paid {record['amount']}")
        if event == "VoucherClaimed":
            self.claimed[number] = record["terminal"]
            if record["at"] >= self.ends.get(number, 0):
                found.append(f"voucher {number} claimed after its time")
        elif event == "VoucherRedeemed" and self.claimed.get(number) != record["terminal"]:
            found.append(f"voucher {number} redeemed by a terminal that had not claimed it")
        elif event == "VoucherExpired" and record["at"] < self.ends.get(number, 0):
            found.append(f"voucher {number} expired before its time")
        after = {"Issued": "issued", "Claimed": "claimed", "Released": "issued"}
        what = event.removeprefix("Voucher")
        self.state[number] = before if what == "Reprinted" else after.get(what, what.lower())
        return found

    def worth(self) -> int:
        """What outstanding vouchers are worth."""
        return sum(
            self.amount.get(number, 0)
            for number, state in self.state.items()
            if state in ("issued", "claimed")
        )


People = defaultdict[str, Person]
