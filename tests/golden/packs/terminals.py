"""Packs and forgeries about terminals: devices, locks, meters, attendants."""

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from cutcard.pack import export_table
from cutcard.pack.croupier import DEALER, SUPERVISOR, Croupier
from cutcard.round import commands as rounds
from cutcard.rulebooks import load
from cutcard.rules.reading import read
from cutcard.rules.rulebook import Rulebook
from cutcard.table import commands as ask
from cutcard.table import setup
from cutcard.table.incident import Step
from tests.golden.packs.by_hand import SEED, ByHand
from tests.pack.tampering import place_of

if TYPE_CHECKING:
    from tests.golden.packs.make import Tampering

Pack = dict[str, Any]

BOOK = "rws-non-commission-etg"
ONE, TWO = "t-one", "t-two"


def played() -> Croupier:
    """ETG4, first by a book that says nothing of terminals: ann and eve have money from that time.
    Then two devices, and the terminals of accounts: a lock while bets lie, attendants, a settled
    round that is void, and a device that is taken away and comes back."""
    table = ByHand(former(load(BOOK)), SEED, "etg-8")
    tick, do, place = table.tick, table.do, table.place
    table.open({"ann": 50_000, "eve": 50_000})
    table.new_shoe("white 1")
    do(ask.AnnounceClosing(1, SUPERVISOR, tick()))
    table.bet({"ann": {"banker": 2_000}})
    table.deal_cards("9s 2c Qd 3c")
    table.settle()
    do(ask.CloseTable(SUPERVISOR, tick()))
    table.book = load(BOOK)
    arranged = setup(table.book, table.log.name, edition=None, helpline="1800 858 858")
    do(ask.OpenTable(arranged, SUPERVISOR, tick()))

    do(ask.AddTerminal(ONE, None, SUPERVISOR, tick()))
    do(ask.AddTerminal(TWO, 7, SUPERVISOR, tick()))
    for name in (ONE, TWO, "ben"):
        do(ask.FillStack(name, 20_000, tick()))
    table.in_round(rounds.OpenRound(0, None, tick(20)))
    place("ann", 0, "player", 5_000)
    # Her bet lies already: stack and bet count as paid in.
    do(ask.FillStack("ann", 1_000, tick()))
    place(ONE, 0, "banker", 4_000)
    place(ONE, 0, "tie", 1_000)
    place(TWO, 0, "player", 3_000)
    place("eve", 0, "banker", 2_000)
    do(ask.LockTerminal(ONE, "spilled coffee", SUPERVISOR, tick()))
    table.in_round(rounds.CloseBets(tick(5)))
    table.deal_cards("2h 8c Td 7d")
    table.deal_cards("Jc")
    table.settle()
    do(
        ask.Report("foreign card", DEALER, tick(), note="a joker"),
        ask.UnlockTerminal(ONE, SUPERVISOR, tick()),
        ask.CallAttendant(TWO, tick()),
        ask.Resolve(Step.VOID, SUPERVISOR, tick()),
        # Her bet is in play no more, and what it had won went back.
        ask.FillStack("eve", 1_000, tick()),
        ask.EmptyStack(ONE, 20_000, tick()),
        ask.RemoveTerminal(ONE, SUPERVISOR, tick()),
        ask.LockTerminal(TWO, "the screen is black", SUPERVISOR, tick()),
    )

    table.new_shoe("white 2")
    table.in_round(rounds.OpenRound(0, None, tick(20)))
    place("ben", 0, "banker", 2_000)
    place("ann", 0, "banker", 3_000)
    do(
        ask.AnswerAttendant(TWO, DEALER, tick()),
        ask.UnlockTerminal(TWO, SUPERVISOR, tick()),
        ask.AddTerminal(ONE, None, SUPERVISOR, tick()),
        ask.FillStack(ONE, 10_000, tick()),
        ask.FillStack("cho", 30_000, tick()),
        ask.FillStack("ben", 1_000, tick()),
        ask.CallAttendant("cho", tick()),
    )
    place(ONE, 0, "player", 10_000)
    place("cho", 0, "banker", 6_000)
    do(ask.LockTerminal("cho", "asked to wait", SUPERVISOR, tick()))
    table.in_round(rounds.CloseBets(tick(5)))
    # What a bet loses that is not there any more is owed, and no terminal pays it.
    table.in_round(rounds.ReportRemoved("ann", 0, "banker", DEALER, tick()))
    table.deal_cards("9s 2c Qd 3c")
    do(ask.AnnounceClosing(1, SUPERVISOR, tick()))
    table.settle()
    do(
        ask.CloseTable(SUPERVISOR, tick()),
        ask.UnlockTerminal("cho", SUPERVISOR, tick()),
        ask.EmptyStack("cho", 24_000, tick()),
        ask.OpenTable(arranged, SUPERVISOR, tick()),
    )
    table.in_round(rounds.OpenRound(0, None, tick(20)))
    return table


def former(book: Rulebook) -> Rulebook:
    """The book as it was before it said anything of terminals."""
    document = deepcopy(dict(book.written))
    layouts: Any = document["layout"]
    for one in layouts:
        one.pop("terminals", None)
    return read(document, book.source, dict.fromkeys(book.cited))


def packs() -> dict[str, Pack]:
    table = played()
    log, books = table.log, [former(table.book), table.book]
    return {
        "terminals-table": export_table(log.name, log.entries, log.heads, books),
        "terminals-round": table.round_pack(2, 1),
    }


# --- forgeries ------------------------------------------------------------------------------------


def forgeries(to: "Tampering") -> None:
    """Terminals against the rules; the house has its key."""
    _with_devices(to)
    _with_accounts(to)
    _with_locks(to)
    _with_attendants(to)
    _with_standings(to)


class Forger:
    """Changes one of the packs, and has it sealed again."""

    def __init__(self, to: "Tampering", pack: str) -> None:
        self.to, self.pack, self.good = to, pack, to.good[pack]

    def forge(self, does: str, changed: list[Any], finds: str) -> None:
        self.to.add("house", does, self.pack, changed, finds, forged=True)

    def place(self, kind: str, which: int = 0) -> int:
        return place_of(self.good, kind, which)

    def at(self, kind: str, *path: Any, which: int = 0) -> list[Any]:
        return self.to.at(self.pack, kind, "event", *path, which=which)

    def gone(self, kind: str, which: int = 0) -> list[Any]:
        return ["remove", ["records", self.place(kind, which)]]

    def twice(self, kind: str, which: int = 0) -> list[list[Any]]:
        place = self.place(kind, which)
        return [["insert", ["records", place], self.good["records"][place]]]

    def before(self, place: int, kind: str, **fields: Any) -> list[list[Any]]:
        """An event more, at the time of the one before it."""
        at = self.good["records"][place - 1]["record"]["event"]["at"]
        event = {"is": kind, **fields, "at": at}
        record = {"format": 1, "event": event, "entries": []}
        return [["insert", ["records", place], {"number": 0, "hash": "", "record": record}]]


def _with_devices(to: "Tampering") -> None:
    table, round = Forger(to, "terminals-table"), Forger(to, "terminals-round")
    same = [["set", table.at("TerminalAdded", "number", which=1), 1]]
    table.forge("gives two devices the same number", same, "terminal/refused")
    account = [["set", table.at("TerminalAdded", "terminal", which=1), "ann"]]
    table.forge("calls an account with money a device", account, "terminal/refused")
    early = table.before(table.place("TableClosed"), "TerminalAdded", **_added(ONE, 1))
    table.forge("adds a device where the book has none", early, "terminal/refused")
    alone = [table.gone("StackEmptied")]
    table.forge("takes a device away with its credit", alone, "terminal/refused")
    kept = [table.gone("TerminalRemoved")]
    table.forge("keeps a device and says that it is gone", kept, "standing/differs")

    added = round.at("TerminalAdded")
    for does, path, value in (
        ("brings a device back under a new number", "number", 8),
        ("brings a device back under the number of another", "number", 7),
        ("gives another device the number of one that was taken away", "terminal", "t-three"),
        ("lets the dealer add a device", "by", DEALER),
        ("adds a device that stands there", "terminal", TWO),
    ):
        round.forge(does, [["set", [*added, path], value]], "terminal/refused")
    itself = [["set", [*added, "by"], ONE]]
    round.forge("says that a device added itself", itself, "terminal/differs")
    for does, name, number in (
        ("numbers a device 0", "t-nil", 0),
        ("adds a device whose name no account can have", "t:six", 6),
    ):
        more = round.before(round.place("TerminalAdded"), "TerminalAdded", **_added(name, number))
        round.forge(does, more, "terminal/refused")
    closed = table.before(table.place("TableOpened", 2), "TerminalAdded", **_added("t-six", 6))
    table.forge("adds a device to a closed table", closed, "terminal/refused")
    played, funded = round.place("ResultCalled"), round.place("StackFilled")
    for does, name in (("adds the dealer as a device", DEALER), ("adds herself", SUPERVISOR)):
        staff = round.before(funded, "TerminalAdded", **_added(name, 6))
        round.forge(does, staff, "terminal/refused")
    signs = round.before(funded, "SignedOn", person=TWO, role="dealer")
    round.forge("signs a device on as a dealer", signs, "staff/refused")
    bets = [round.gone("TerminalAdded")]
    round.forge("takes a bet at a device that was taken away", bets, "bet/refused")
    last = table.place("TableOpened", 2)
    account = table.before(last, "TerminalRemoved", terminal="cho", by=SUPERVISOR)
    table.forge("takes the terminal of an account away", account, "terminal/refused")
    for does, place, terminal, by in (
        ("takes a device away under its bet", played, ONE, SUPERVISOR),
        ("lets the dealer take a device away", funded, ONE, DEALER),
        ("takes a device away that was never there", played, "t-six", SUPERVISOR),
    ):
        removed = round.before(place, "TerminalRemoved", terminal=terminal, by=by)
        round.forge(does, removed, "terminal/refused")


def _added(terminal: str, number: int, by: str = SUPERVISOR) -> dict[str, Any]:
    return {"terminal": terminal, "number": number, "by": by}


def _with_accounts(to: "Tampering") -> None:
    table, round = Forger(to, "terminals-table"), Forger(to, "terminals-round")
    first = table.before(table.place("StackFilled"), "TerminalAdded", **_added("ann", 1, "ann"))
    does = "gives an account a terminal where the book has none"
    table.forge(does, first, "terminal/differs")

    own = round.place("TerminalAdded", 1)
    number = ["records", own, "record", "event", "number"]
    other = "says that an account got another number"
    round.forge(other, [["set", number, 5]], "terminal/differs")
    none = [["remove", ["records", own]]]
    round.forge("gives an account no terminal with its first money", none, "seat/differs")
    called = round.place("AttendantCalled")
    poor = round.before(called, "TerminalAdded", **_added("dan", 5, "dan"))
    round.forge("gives an account a terminal without money", poor, "terminal/refused")
    named = [
        ["set", ["records", own, "record", "event", name], "dan"] for name in ("terminal", "by")
    ]
    round.forge("gives one account's money to the terminal of another", named, "seat/differs")
    second = round.before(round.place("StackFilled", 2), "TerminalAdded", **_added("ben", 5, "ben"))
    round.forge("gives an account a second terminal", second, "terminal/differs")


def _with_locks(to: "Tampering") -> None:
    table, round = Forger(to, "terminals-table"), Forger(to, "terminals-round")
    reason = table.at("TerminalLocked", "reason", which=1)
    table.forge("tells another reason later", [["set", reason, "noise"]], "standing/differs")
    table.forge("forgets a lock", [table.gone("TerminalLocked", 1)], "standing/differs")
    locked = [table.gone("TerminalUnlocked")]
    table.forge("pays out at a locked terminal", locked, "seat/refused")

    unlock, lock = round.at("TerminalUnlocked"), round.at("TerminalLocked")
    for does, path, value in (
        ("lets the dealer unlock a terminal", [*unlock, "by"], DEALER),
        ("lets the dealer lock a terminal", [*lock, "by"], DEALER),
        ("lets a terminal lock itself", [*lock, "by"], "cho"),
        ("locks a terminal and says not why", [*lock, "reason"], " "),
        ("unlocks a terminal that is not locked", [*unlock, "terminal"], "ben"),
        ("locks a terminal that is not there", [*lock, "terminal"], "zoe"),
    ):
        round.forge(does, [["set", path, value]], "terminal/refused")
    round.forge("locks a terminal twice", round.twice("TerminalLocked"), "terminal/refused")
    open_ = round.twice("TerminalUnlocked")
    round.forge("unlocks a terminal twice", open_, "terminal/refused")
    bet = round.place("BetPlaced", 3)
    words = {"terminal": "cho", "reason": "a quarrel", "by": SUPERVISOR}
    early = [*round.before(bet, "TerminalLocked", **words), _without(round, "TerminalLocked", 1)]
    round.forge("takes a bet at a locked terminal", early, "bet/refused")
    close = round.place("BetsClosed")
    laid = round.good["records"][bet]["record"]["event"]["bet"]
    said = {"cause": "withdrawn", "clause": None, "placed_by": None}
    back = round.before(close, "BetWithdrawn", bet=laid, left=None, **said)
    entries = [{"is": "Void", "id": f"etg-8:{_seq(round, close)}.0", "pending": _held(round, bet)}]
    back[0][2]["record"]["entries"] = entries
    round.forge("gives a bet back at a locked terminal", back, "bet/refused")
    always = {"patron": "cho", "always": True, "placed_by": DEALER}
    chosen = round.before(close, "AlwaysChosen", **always)
    round.forge("lets the dealer choose at a locked terminal", chosen, "decision/refused")


def _without(round: Forger, kind: str, more: int) -> list[Any]:
    """Takes an event out that has moved on by so many places."""
    return ["remove", ["records", round.place(kind) + more]]


def _seq(round: Forger, place: int) -> int:
    """How many events the table has had before a place of the pack."""
    standing = round.good["records"][0]["record"]["standing"]
    return int(standing["seq"]) + place - 1


def _held(round: Forger, place: int) -> str:
    """The transfer that holds the stake of a bet."""
    found: str = round.good["records"][place]["record"]["entries"][-1]["id"]
    return found


def _with_attendants(to: "Tampering") -> None:
    table, round = Forger(to, "terminals-table"), Forger(to, "terminals-round")
    table.forge("forgets that somebody called", [table.gone("AttendantCalled")], "standing/differs")
    twice = table.twice("AttendantCalled")
    table.forge("lets a terminal call twice", twice, "terminal/refused")

    came, called = round.at("AttendantCame"), round.at("AttendantCalled")
    again = round.twice("AttendantCame")
    round.forge("lets an attendant come twice", again, "terminal/refused")
    for does, path, value in (
        ("lets a patron come as the attendant", [*came, "by"], "ben"),
        ("sends an attendant to another terminal", [*came, "terminal"], "ben"),
        ("lets somebody call from no terminal", [*called, "terminal"], "zoe"),
    ):
        round.forge(does, [["set", path, value]], "terminal/refused")
    gone = round.before(round.place("TerminalAdded"), "AttendantCalled", terminal=ONE)
    round.forge("lets a terminal call that was taken away", gone, "terminal/refused")


def _with_standings(to: "Tampering") -> None:
    table = Forger(to, "terminals-table")

    def terminals(which: int, *path: Any) -> list[Any]:
        standing = to.at(table.pack, "Standing", "standing", "terminals", which=which)
        return [*standing, *path]

    for does, which, path, value in (
        ("has a terminal win more", 3, (ONE, "won"), 10_000),
        ("has a terminal lose less", 2, (TWO, "lost"), 0),
        ("forgets what was staked at a terminal", 3, (ONE, "staked"), 0),
        ("counts a round less", 3, (ONE, "rounds"), 1),
        ("says that more was paid in", 3, (ONE, "paid_in"), 40_000),
        ("says that more was paid out", 3, (ONE, "paid_out"), 30_000),
        ("forgets the money that ann had before", 2, ("ann", "paid_in"), 1_000),
        ("counts a bet that is settled as paid in", 2, ("eve", "paid_in"), 53_000),
        ("has a terminal lose what is owed", 3, ("ann", "lost"), 8_000),
        ("numbers a device anew", 3, (TWO, "number"), 2),
        ("calls an account a device", 3, ("ben", "own"), False),
        ("says that a device came back", 2, (ONE, "removed"), False),
        ("opens a lock between two rounds", 2, (TWO, "locked"), None),
        ("locks a terminal between two rounds", 3, (ONE, "locked"), ""),
        ("lets an attendant come between two rounds", 2, (TWO, "calling"), False),
    ):
        table.forge(does, [["set", terminals(which, *path), value]], "standing/differs")
    begins = to.at("terminals-round", "Standing", "standing", "terminals", TWO, "number")
    same, does = [["set", begins, 1]], "begins a round with two devices of one number"
    Forger(to, "terminals-round").forge(does, same, "standing/impossible")
    dropped = [["remove", terminals(3, ONE)]]
    table.forge("drops a terminal between two rounds", dropped, "standing/differs")
    table.forge("drops all terminals", [["remove", terminals(3)]], "standing/differs")
    one = dict(table.to.value(table.pack, terminals(3, ONE)))
    more = [["set", terminals(3, "t-six"), {**one, "number": 6}]]
    table.forge("has a terminal that was never added", more, "standing/differs")
    # Before there were any, nothing is said of terminals.
    table.forge("says that there are none", [["set", terminals(0), {}]], "standing/differs")
    table.forge("says nothing where they stand", [["set", terminals(3), None]], "record/unread")
    net = [["set", terminals(3, ONE, "net"), 0]]
    table.forge("has a meter that no terminal has", net, "record/unread")
