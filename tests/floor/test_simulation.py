"""Whole floors: a few seeds, some hundred rounds, nothing lost.

`cutcard floor --seed N --rounds M` runs longer ones.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from cutcard import table
from cutcard.floor import floor as floors
from cutcard.floor.simulation import Report, simulate
from cutcard.refusals import Refusal
from cutcard.rulebooks import load, rulebooks
from cutcard.rules.rulebook import Rulebook
from cutcard.table import Table
from cutcard.table.incident import SYSTEM, Step
from cutcard.venue import Logged, Venue, decide, replay

ROUNDS = 120
SEEDS = (2, 24)
KNOCKOUT_SEED = 13
ELECTRONIC_SEED = 4
REFUSED_SEED, REFUSED_ROUNDS = 5, 150

# `python -m tests.floor.find_nights` finds these seeds.

Nights = tuple[list[Report], Counter[str]]


def run(seed: int, rounds: int = ROUNDS, **choices: Any) -> Report:
    report = simulate(seed, rounds, rulebooks(), **choices)
    assert report.agreed, f"seed {seed}: {report.failure or report.findings[0]}"
    return report


class Occurrences:
    """How often each event came, and some of them for a reason or at a moment."""

    def __init__(self) -> None:
        self.events: Counter[str] = Counter()
        self._cards: Counter[str] = Counter()
        self._wrong: dict[tuple[str, int], str] = {}
        self._last: dict[str, str] = {}
        self._terminals = Terminals()

    def keep(self, record: dict[str, Any]) -> None:
        event, source = record["event"], record["source"]
        self.events[event] += 1
        for told in ("by_system", "placed_by"):
            self.events[f"{event} {told}"] += bool(record.get(told))
        if event == "RoundOpened":
            self._cards[source] = 0
        elif event == "CardDealt":
            self._cards[source] += 1
        elif event == "SeatLeft":
            whose = {None: "the patron", SYSTEM: "the system"}
            self.events[f"{event} by {whose.get(record.get('by'), 'staff')}"] += 1
        elif event == "BetWithdrawn":
            self.events[f"{event} {record['cause']}"] += 1
        elif event == "SqueezeAnswered" and record["granted"]:
            self.events[f"{event} after {min(self._cards[source], 4)}"] += 1
        elif event == "IncidentReported":
            self._wrong[source, record["incident"]["number"]] = record["incident"]["kind"]
        elif event == "IncidentResolved":
            kind = self._wrong[source, record["number"]]
            self.events[f"{kind}: {record['step']}"] += 1
            self.events[f"{kind}: {self._last[source]}"] += 1
        self._last[source] = event
        for what in self._terminals.told(record):
            self.events[what] += 1


class Terminals:
    """What happens at terminals, by where they stand and whether bets lie there."""

    def __init__(self) -> None:
        self._devices: dict[str, str] = {}
        self._locked: set[tuple[str, str]] = set()
        self._playing: dict[str, set[str]] = {}

    def told(self, record: dict[str, Any]) -> Iterator[str]:
        event, source = record["event"], record["source"]
        terminal = record.get("terminal", "")
        if event == "RoundOpened":
            self._playing[source] = set()
        elif event == "BetPlaced":
            self._playing[source].add(record["bet"]["patron"])
            if record["bet"]["patron"] in self._devices:
                yield "BetPlaced at a device"
        elif event == "RoundSettled":
            if any((source, who) in self._locked for who in self._playing[source]):
                yield "RoundSettled at a locked terminal"
        elif event == "TerminalAdded":
            before = self._devices.get(terminal)
            if record["by"] == terminal:
                yield "TerminalAdded with money"
            elif before is not None:
                yield f"TerminalAdded again, {'back' if before == source else 'elsewhere'}"
                self._devices[terminal] = source
            else:
                self._devices[terminal] = source
        elif event == "TerminalLocked":
            self._locked.add((source, terminal))
            if terminal in self._playing.get(source, ()):
                yield "TerminalLocked under a bet"
        elif event == "TerminalUnlocked":
            self._locked.discard((source, terminal))
        elif event in ("TerminalLoaded", "TerminalUnloaded"):
            yield f"{event} {'in cash' if record['patron'] is None else 'and a wallet'}"
        elif event in ("VoucherIssued", "VoucherRedeemed"):
            account = record.get("paid_by") or record["paid_to"]
            if account.rpartition(":")[2] in self._devices:
                yield f"{event} at a device"


@pytest.fixture(scope="module")
def nights() -> Nights:
    """Some floors, and how often each event came on all of them."""
    found = Occurrences()
    return [run(seed, keep=found.keep) for seed in SEEDS], found.events


def test_a_floor_loses_nothing(nights: Nights) -> None:
    for report in nights[0]:
        assert report.rounds == ROUNDS
        assert report.crashes >= 1
        assert all(tally.rounds and tally.bets for tally in report.tables.values())


def test_everything_goes_wrong_and_every_step_is_taken(nights: Nights) -> None:
    """Every kind of irregularity of the books, and whatever the books order about it."""
    tallies = [tally for report in nights[0] for tally in report.tables.values()]
    wrong = sum((tally.incidents for tally in tallies), Counter[str]())
    steps = sum((tally.steps for tally in tallies), Counter[str]())

    assert set(wrong) == {kind for book in rulebooks() for kind in book.irregularities}
    assert set(steps) == {step.value for step in Step}


CONSEQUENCES = [
    "CardsKept",
    "KeptCardsBurned",
    "ShoeRemoved",
    "CoupCorrected",
    "RoundVoided",
    "SettlementCorrected",
    "OptionsOffered",
    "OptionsClosed",
    "BetsReturned",
    "OptionChosen by_system",
    "OptionChosen placed_by",
]


def test_every_consequence_comes_about(nights: Nights) -> None:
    assert [event for event in CONSEQUENCES if not nights[1][event]] == []


RARER = [
    "BetWithdrawn seated patrons first",
    "BetWithdrawn needs another bet",
    "SqueezeAnswered after 0",
    "SqueezeAnswered after 2",
    "SqueezeAnswered after 4",
    "excess or exposed card: void the round",
    "shortage or excess in the shoe: ShoeRemoved",
    "SeatLeft by the patron",
    "SeatLeft by staff",
    "SeatLeft by the system",
    "TerminalAdded with money",
    "TerminalAdded again, back",
    "TerminalRemoved",
    "TerminalLocked under a bet",
    "TerminalUnlocked",
    "TerminalLoaded in cash",
    "TerminalLoaded and a wallet",
    "TerminalUnloaded in cash",
    "TerminalUnloaded and a wallet",
    "VoucherIssued at a device",
    "VoucherRedeemed at a device",
    "BetPlaced at a device",
    "RoundSettled at a locked terminal",
    "AttendantCalled",
    "AttendantCame",
]


@pytest.mark.parametrize("what", RARER)
def test_the_rarer_rules_are_played_too(nights: Nights, what: str) -> None:
    """Seats before standing bets, squeezes of later cards, voids for a card too many, and so on."""
    assert nights[1][what] > 0


def test_advice_on_money_is_held_against_what_comes_of_it(nights: Nights) -> None:
    assert sum(report.foreseen for report in nights[0]) >= 1


def test_many_tables_of_one_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """Knockout alone, so that Antes are decided on in every way, and refused for want of money."""
    events: Counter[str] = Counter()
    short: Counter[bool] = Counter()

    def keep(record: dict[str, object]) -> None:
        events[f"{record['event']} {record.get('by_system', '')}".strip()] += 1

    def tried(venue: Venue, command: Any, books: dict[str, Rulebook]) -> list[Logged]:
        try:
            return decide(venue, command, books)
        except Refusal as refusal:
            if refusal.clause == "KO2 3.4 funds":
                short[command.command.command.spot.startswith("ante")] += 1
            raise

    monkeypatch.setattr(floors, "decide", tried)
    report = simulate(KNOCKOUT_SEED, ROUNDS, [load("rws-knockout")], 2, keep)

    assert report.agreed, f"seed {KNOCKOUT_SEED}: {report.failure or report.findings[0]}"
    assert short[True], "no Ante was refused because its Wager could not be paid"
    assert short[False], "no other bet was refused because a Wager could not be paid"
    for stage in ("SecondStagePlaced", "SecondStageDeclined"):
        assert events[f"{stage} True"], f"nobody's silence led to {stage}"
        assert events[f"{stage} False"], f"nobody's choice led to {stage}"


ELSEWHERE = "TerminalAdded again, elsewhere"


def test_devices_go_from_one_electronic_table_to_another() -> None:
    found = Occurrences()
    report = simulate(ELECTRONIC_SEED, 16, [load("rws-non-commission-etg")], 2, found.keep)

    assert report.agreed, f"seed {ELECTRONIC_SEED}: {report.failure or report.findings[0]}"
    assert found.events[ELSEWHERE]


def test_the_same_seed_runs_the_same_floor() -> None:
    """Record for record: what goes wrong once can be looked at again."""
    journals: list[list[object]] = [[], []]
    for journal in journals:
        run(5, 40, keep=journal.append)

    assert journals[0] == journals[1]


REFUSALS = frozenset(
    [
        "bet/closed",
        "bet/needs-main-bet",
        "bet/no-boxes",
        "bet/no-such-box",
        "bet/nobody-seated",
        "bet/not-offered",
        "bet/not-your-box",
        "seat/open-table",
        "bet/not-there",
        "bet/off-step",
        "bet/stake",
        "bet/too-early",
        "cage/bets-in-play",
        "cage/wallet-short",
        "decision/not-now",
        "limit/differential",
        "limit/maximum",
        "incident/needed",
        "incident/not-lawful",
        "incident/waiting",
        "limit/minimum",
        "patron/reality-check",
        "option/none",
        "option/too-late",
        "round/not-finished",
        "seat/empty",
        "seat/full",
        "seat/kept",
        "seat/playing",
        "seat/taken",
        "squeeze/face-up",
        "squeeze/too-late",
        "bet/no-chips",
        "stack/short",
        "staff/no-dealer",
        "staff/not-signed-on",
        "staff/role",
        "table/needs-dealer",
        "terminal/account",
        "terminal/called",
        "terminal/credit",
        "terminal/elsewhere",
        "terminal/no-wallet",
        "terminal/own",
        "terminal/exists",
        "terminal/locked",
        "terminal/no-reason",
        "terminal/none-here",
        "terminal/not-called",
        "terminal/not-locked",
        "terminal/number",
        "terminal/unknown",
    ]
)


def test_the_wishes_meet_many_refusals() -> None:
    """The floor would prove little if everybody behaved."""
    report = run(REFUSED_SEED, REFUSED_ROUNDS)
    codes = set(report.elsewhere).union(*(one.refusals for one in report.tables.values()))

    assert codes >= REFUSALS


def test_a_table_that_forgets_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay that gives another table ends the run, and the report says so."""
    monkeypatch.setattr(table, "fold", lambda events: Table(seq=len(list(events))))

    report = simulate(1, 60, rulebooks())

    assert not report.agreed
    assert "is not the same after a restart" in str(report.failure)


def test_a_ledger_that_forgets_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(log: list[Any]) -> Venue:
        return Venue(tables=replay(log).tables)

    monkeypatch.setattr(floors, "replay", forgetful)

    report = simulate(1, 20, rulebooks())

    assert "not the same after a crash" in str(report.failure)
