"""The auditor's own terminals: it agrees with what may be, and finds what may not."""

from typing import Any

from cutcard.floor.auditor import Auditor
from cutcard.floor.auditor.rules import BOOKS, ELECTRONIC
from cutcard.floor.auditor.table import TableAudit
from cutcard.rulebooks import rulebooks
from tests.cases import every

Record = dict[str, Any]

ETG, OTHER, LIVE = "etg-1", "etg-2", "live"
PIT, DEALER = "pia", "dan"
DEVICE, SECOND = "one", "two"


def electronic() -> TableAudit:
    """An open electronic table, where bets are open."""
    table = TableAudit()
    table.setup = {"book": "rws-non-commission-etg", "entry": "refuse", "reserve_second": False}
    table.setup |= {"machine": "machine", "boxes": 0, "open_boxes": True}
    table.book, table.open, table.phase = BOOKS[table.setup["book"]], True, "betting"
    table.staff = {PIT: ("pit supervisor", None, 0), DEALER: ("dealer", None, 0)}
    return table


def happened(kind: str, **what: Any) -> Record:
    return {"event": kind, "at": 0, **what}


def add(terminal: str = DEVICE, number: int = 1, by: str = PIT) -> Record:
    return happened("TerminalAdded", terminal=terminal, number=number, by=by)


def remove(terminal: str = DEVICE, by: str = PIT) -> Record:
    return happened("TerminalRemoved", terminal=terminal, by=by)


def lock(terminal: str = DEVICE, by: str = PIT, reason: str = "noise") -> Record:
    return happened("TerminalLocked", terminal=terminal, reason=reason, by=by)


def unlock(terminal: str = DEVICE, by: str = PIT) -> Record:
    return happened("TerminalUnlocked", terminal=terminal, by=by)


def call(terminal: str = DEVICE) -> Record:
    return happened("AttendantCalled", terminal=terminal)


def come(terminal: str = DEVICE, by: str = DEALER) -> Record:
    return happened("AttendantCame", terminal=terminal, by=by)


def fill(patron: str = DEVICE, amount: int = 500) -> Record:
    return happened("StackFilled", patron=patron, amount=amount)


def empty(patron: str = DEVICE, amount: int = 500) -> Record:
    return happened("StackEmptied", patron=patron, amount=amount)


def laid(stake: int, patron: str = DEVICE) -> Record:
    where = {"box": 0, "spot": "banker", "seated": True, "order": 0, "placed_by": None}
    return {"patron": patron, "stake": stake, "reserve": 0, **where}


def bet(stake: int = 100, patron: str = DEVICE) -> Record:
    return happened("BetPlaced", bet=laid(stake, patron), before=None)


def back(stake: int = 100, cause: str = "withdrawn") -> Record:
    return happened("BetWithdrawn", bet=laid(stake), left=None, cause=cause, clause=None)


def found(table: TableAudit, *events: Record) -> list[str]:
    """What is wrong with the last of some events; the others are right."""
    for one in events[:-1]:
        assert table.read(one) == [], one
    return table.read(events[-1])


def test_it_knows_which_books_have_terminals() -> None:
    assert {
        book.id for book in rulebooks() for layout in book.layouts if layout.terminals
    } == ELECTRONIC


@every(
    "events",
    [
        (add(), add(SECOND, 7), remove(), add(number=1)),
        (add(), add("ann", 1, "ann"), fill("ann"), add("bob", 2, "bob"), fill("bob")),
        (add(), fill(), empty(), remove(), add(), fill(), bet(500)),
        (add(), fill(), bet(), lock(), fill(), unlock(), back(), empty()),
        (add(), lock(), remove(), add(), unlock()),
        (add(), call(), come(by=PIT), call(), remove(), add(), call()),
        # A voucher that was void gives its money back to wherever the device was.
        (add(), remove(), fill(), empty()),
        (add(), fill(), bet(), lock(), back(cause="needs another bet")),
    ],
    ids=lambda events: " ".join(one["event"] for one in events),
)
def test_what_may_be(events: tuple[Record, ...]) -> None:
    assert found(electronic(), *events) == []


@every(
    ("events", "said"),
    [
        ((add(number=0),), "one is number 0"),
        ((add(), add(SECOND)), "two is number 1, as one is"),
        ((add(), remove(), add(SECOND)), "two is number 1, as one is"),
        ((add(), remove(), add(number=2)), "one came back as 2, was 1"),
        ((add(), add()), "one stands here already"),
        ((add("ann", 1, "ann"), fill("ann"), add("ann")), "ann stands here already"),
        ((add(), add("ann", 2, "ann")), "the terminal of ann is 2, not 1"),
        ((add("ann", 1, "ann"), fill("ann"), add("ann", 2, "ann")), "ann gets another terminal"),
        ((add("ann", 1, "ann"), fill("bob")), "bob has credit and no terminal"),
        ((add(), add("ann", 1, "ann"), fill()), "ann has a terminal and brought nothing"),
        ((add("ann", 1, "ann"), bet(patron="ann")), "BetPlaced where StackFilled should have come"),
        ((fill("ann"),), "ann has credit and no terminal"),
        ((add(by=DEALER),), "TerminalAdded by dan, who is no pit supervisor"),
        ((add(), fill(), remove()), "one was taken away with 500"),
        ((add(), fill(), bet(500), remove()), "one was taken away with 500"),
        ((add(), remove(by=DEVICE)), "TerminalRemoved by one, who is no pit supervisor"),
        ((add(), remove(), remove()), "TerminalRemoved of one, which does not stand here"),
        ((remove(),), "TerminalRemoved of one, which does not stand here"),
        ((come(),), "AttendantCame of one, which does not stand here"),
        ((add(), remove(), lock()), "TerminalLocked of one, which does not stand here"),
        ((add(), remove(), call()), "AttendantCalled of one, which does not stand here"),
        ((add(), remove(), fill(), bet()), "BetPlaced at one, which does not stand here"),
        ((add(), lock(), lock()), "one was locked twice"),
        ((add(), lock(reason=" ")), "one was locked without a reason"),
        ((add(), lock(by=DEALER)), "TerminalLocked by dan, who is no pit supervisor"),
        ((add(), unlock()), "one was unlocked and not locked"),
        ((add(), lock(), unlock(by=DEALER)), "TerminalUnlocked by dan, who is no pit supervisor"),
        ((add(), lock(), remove(), add(), lock()), "one was locked twice"),
        (
            (add("ann", 1, "ann"), fill("ann"), empty("ann"), remove("ann")),
            "the account ann was taken away",
        ),
        ((add(), fill(), lock(), bet()), "BetPlaced at one, which is locked"),
        ((add(), fill(), bet(), lock(), back()), "BetWithdrawn at one, which is locked"),
        ((add(), fill(), lock(), empty()), "StackEmptied at one, which is locked"),
        ((add(), call(), call()), "one called an attendant twice"),
        ((add(), come()), "one had called no attendant"),
        ((add(), call(), come(), come()), "one had called no attendant"),
        ((add(), call(), come(by="ann")), "AttendantCame by ann, who is no dealer"),
        ((add(), call(), come(by="machine")), "AttendantCame by machine, who is no dealer"),
    ],
    ids=lambda said: said if isinstance(said, str) else "",
)
def test_what_may_not_be(events: tuple[Record, ...], said: str) -> None:
    assert said in found(electronic(), *events)


def test_terminals_stand_at_open_tables_of_some_books() -> None:
    table = electronic()
    table.open = False
    assert found(table, add()) == ["one added at a closed table"]
    table.setup["book"] = "online-baccarat"
    assert "terminal two at a table of online-baccarat" in found(table, add(SECOND, 2))


def test_meters_follow_from_the_journal_alone() -> None:
    """A Banker's nine wins 100, and 20 on the tie are lost; a bet that goes astray is noticed."""
    table = electronic()
    tie = {**laid(20), "spot": "tie", "order": 1}
    assert found(table, add(), fill(), bet(), happened("BetPlaced", bet=tie, before=None)) == []
    table.phase, table.player, table.banker = "result", ["2c", "Kc"], ["9d", "Kd"]
    paid = {"commission": 0, "removed": False}
    bets = [
        {"bet": laid(100), "effective": 100, "net": 100, **paid},
        {"bet": tie, "effective": 20, "net": -20, **paid},
    ]
    assert found(table, happened("RoundSettled", bets=bets), empty(amount=80)) == []

    said = {"number": 1, "own": False, "removed": False, "locked": None, "calling": False}
    said |= {"paid_in": 500, "paid_out": 80, "staked": 120, "won": 100, "lost": 20, "rounds": 1}
    states = {"stacks": {DEVICE: 500}, "results": "B"}
    assert table.check({**states, "terminals": {DEVICE: said}}) == []
    for name, figure in {"paid_in": 499, "rounds": 2, "locked": "noise", "number": 2}.items():
        wrong = {DEVICE: {**said, name: figure}}
        assert table.check({**states, "terminals": wrong}) == [
            f"terminal one is {wrong[DEVICE]}, should be {said}"
        ]
    assert table.check({**states, "terminals": {}}) == [f"terminal one is None, should be {said}"]
    assert len(table.check({**states, "terminals": {DEVICE: said, SECOND: said}})) == 1
    table.stacks[DEVICE] -= 1
    assert found(table, call()) == ["the meters of one come to 500, and 499 is there"]


# --- the cage and other tables --------------------------------------------------------------------

WALLET, CREDIT = "wallet:ann", f"stack:{ETG}:{DEVICE}"


class Night:
    """Two electronic tables, the first with a device, and one of another book; ann has 1,000."""

    def __init__(self) -> None:
        self.auditor = Auditor()
        for name in (ETG, OTHER, LIVE):
            self.auditor.tables[name] = electronic()
        self.auditor.tables[LIVE].setup["book"] = "online-baccarat"
        assert self.tell(ETG, add()) == []
        assert self.tell("cage", deposit(), ("cage", WALLET)) == []

    def tell(self, source: str, one: Record, *moves: tuple[str, str]) -> list[str]:
        """What is wrong with an event that moves its amount from accounts to others."""
        before, number = len(self.auditor.findings), self.auditor.records
        entries = [
            {"entry": "Transfer", "id": f"{source}:{number}.{place}", "pending": False}
            | {"debit": debit, "credit": credit, "amount": one["amount"]}
            for place, (debit, credit) in enumerate(moves)
        ]
        self.auditor.read({"n": number, "source": source, "entries": entries, **one})
        return [finding.text for finding in self.auditor.findings[before:]]


def deposit(patron: str = "ann") -> Record:
    return happened("Deposited", patron=patron, amount=1000)


def load(patron: str | None = None, terminal: str = DEVICE, table: str = ETG) -> Record:
    return happened("TerminalLoaded", table=table, terminal=terminal, patron=patron, amount=500)


def unload(patron: str | None = None) -> Record:
    return {**load(patron), "event": "TerminalUnloaded"}


def excluded(patron: str) -> tuple[str, Record]:
    return f"patron:{patron}", happened("SelfExcluded", until=1)


def test_credit_by_way_of_the_cage() -> None:
    night = Night()
    assert night.tell("cage", load("ann"), (WALLET, "cage"), ("cage", CREDIT)) == []
    assert night.tell(ETG, fill()) == []
    assert night.tell("cage", load(), ("cage", CREDIT)) == []
    assert night.tell(ETG, fill()) == []
    assert night.tell(ETG, empty(amount=1000)) == []
    assert night.tell("cage", unload("ann"), (CREDIT, "cage"), ("cage", WALLET)) == []
    assert night.tell("cage", unload(), (CREDIT, "cage")) == []


@every(
    ("one", "moves", "said"),
    [
        (load("ann"), [(WALLET, CREDIT)], "TerminalLoaded past the cage"),
        (load("ann"), [("cage", CREDIT)], "wallet:ann changed by 0 (held 0), should be -500"),
        (load(), [(WALLET, "cage"), ("cage", CREDIT)], "wallet:ann changed by -500 (held 0)"),
        (load("ann"), [(WALLET, "cage")], f"{CREDIT} changed by 0 (held 0), should be 500"),
        (unload("ann"), [(CREDIT, WALLET)], "TerminalUnloaded past the cage"),
        (unload(), [(CREDIT, "cage"), ("cage", WALLET)], "wallet:ann changed by 500 (held 0)"),
        (load(table=OTHER), [], "TerminalLoaded of one, which is no terminal of etg-2"),
        (load(terminal="ann"), [], "TerminalLoaded of ann, which is no terminal of etg-1"),
        (load(DEVICE), [("wallet:one", "cage"), ("cage", CREDIT)], "device one has a wallet"),
        (deposit(DEVICE), [("cage", "wallet:one")], "device one has a wallet"),
    ],
)
def test_credit_that_went_astray(one: Record, moves: list[tuple[str, str]], said: str) -> None:
    assert any(text.startswith(said) for text in Night().tell("cage", one, *moves))


@every(
    ("before", "said"),
    [
        ((ETG, lock()), "one is loaded while locked"),
        ((ETG, remove()), "one is loaded where it does not stand"),
        (excluded("ann"), "ann: TerminalLoaded while excluded or in a time-out"),
    ],
)
def test_credit_for_which_nobody_may_pay(before: tuple[str, Record], said: str) -> None:
    night = Night()
    assert night.tell(*before) == []
    assert night.tell("cage", load("ann"), (WALLET, "cage"), ("cage", CREDIT)) == [said]


@every("event", ["BoughtIn", "VoucherRedeemed"])
def test_no_money_for_a_locked_account(event: str) -> None:
    night = Night()
    for one in (add("ann", 1, "ann"), fill("ann"), lock("ann")):
        assert night.tell(ETG, one) == []
    paid = happened(event, patron="ann", table=ETG, paid_to=f"stack:{ETG}:ann", amount=500)

    told = night.tell("cage", {**paid, "number": "7", "terminal": "kiosk"})
    assert "ann is loaded while locked" in told


def test_nobody_else_loads_the_terminal_of_an_excluded_patron() -> None:
    night = Night()
    night.tell(ETG, add("bob", 1, "bob"))
    night.tell(ETG, fill("bob"))
    night.tell(*excluded("bob"))

    credit = f"stack:{ETG}:bob"
    told = night.tell("cage", load("ann", "bob"), (WALLET, "cage"), ("cage", credit))
    assert told == ["bob: TerminalLoaded while excluded or in a time-out"]


def test_a_device_stands_at_one_table() -> None:
    night = Night()
    assert night.tell(OTHER, add()) == ["one stands at etg-1 too"]
    night = Night()
    assert night.tell(ETG, remove()) == []
    assert night.tell(OTHER, add(number=4)) == []
    assert night.tell(ETG, add()) == ["one stands at etg-2 too"]


def test_an_account_may_have_terminals_at_many_tables() -> None:
    night = Night()
    for name in (ETG, OTHER):
        assert night.tell(name, add("ann", 1, "ann")) == []
        assert night.tell(name, fill("ann")) == []
    assert night.tell(OTHER, add("ann", 2)) != []


def test_a_device_is_no_account() -> None:
    night = Night()
    assert night.tell(ETG, add("ann", 2)) == ["ann is a device and an account"]
    told = night.tell("patron:one", happened("ResultBooked", net=100))
    assert told == ["one booked 100, should be []"]


def test_who_plays_at_a_device_is_not_asked() -> None:
    """A bet of an account wants a session; at a device there is none."""
    night = Night()
    for one in (fill(), add("ann", 1, "ann"), fill("ann")):
        assert night.tell(ETG, one) == []
    assert "one bets in no session" not in night.tell(ETG, bet())
    assert "ann bets in no session" in night.tell(ETG, bet(patron="ann"))
