"""Figures of a table: meters, shift report, control chart. All of it is a fold of its log.

Nothing is counted beside the log, so nothing can be reset and nothing can disagree with
it. Money is read from the ledger's entries by the accounts that they move it between.
"""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt

from cutcard import wire
from cutcard.ledger import SEPARATOR, Entry, Post, Transfer
from cutcard.odds.moments import Moments
from cutcard.round import events as in_round
from cutcard.store import Kept, Store
from cutcard.table import events as at_table
from cutcard.table.incident import SYSTEM, UNREAD

HOUR = 3_600_000
SHIFT_MS = 8 * HOUR
LOOK_BACK = HOUR
"""Bets are followed from before a shift, so that one that began earlier is known."""

POINTS = 240
"""Rounds of the control chart that are kept."""

SIGMAS = 3
"""Beyond so many standard deviations from the exact expectation somebody should look."""

LEAST_ROUNDS = 50
"""So often a bet must have been decided before its hold says anything."""


@dataclass(slots=True)
class Meters:
    """What a table took and gave, in minor units."""

    wagered: int = 0
    paid: int = 0
    commission: int = 0
    won: int = 0
    """What the house won, commission not counted; below zero where patrons won."""

    owed: int = 0
    drop: int = 0
    cashed: int = 0
    pending: dict[str, Transfer] = field(default_factory=dict)

    def enter(self, entries: Iterable[Entry], counts: bool = True) -> None:
        """Follow the ledger's entries of one event."""
        for entry in entries:
            if isinstance(entry, Transfer):
                if entry.pending:
                    self.pending[entry.id] = entry
                elif counts:
                    self._move(entry.debit, entry.credit, entry.amount)
                continue
            before = self.pending.pop(entry.pending, None)
            if isinstance(entry, Post) and before is not None and counts:
                self._move(before.debit, before.credit, before.amount)

    def _move(self, debit: str, credit: str, amount: int) -> None:
        sides = (_kind(debit), _kind(credit))
        match sides:
            case ("stack", "layout"):
                self.wagered += amount
            case ("layout" | "house", "stack"):
                self.paid += amount
            case ("stack", "commission" | "house"):
                self.paid -= amount
            case _:
                pass
        self.owed += amount if sides[0] == "debt" else 0
        self.won += amount * ((sides[1] == "house") - (sides[0] == "house"))
        self.commission += amount * ((sides[1] == "commission") - (sides[0] == "commission"))


def _kind(account: str) -> str:
    return account.partition(SEPARATOR)[0]


@dataclass(frozen=True, slots=True)
class Point:
    """One round on the control chart: how far the house is from expectation, and one sigma."""

    round: str
    off: Fraction
    variance: Fraction


@dataclass(slots=True)
class Hold:
    """What the house won of one bet, against what it should have."""

    rounds: int = 0
    staked: int = 0
    off: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    @property
    def unusual(self) -> bool:
        """Whether it is further off than chance would have it, exactly, after enough rounds."""
        return self.rounds >= LEAST_ROUNDS and self.off**2 > SIGMAS**2 * self.variance

    def document(self) -> dict[str, object]:
        return {
            "rounds": self.rounds,
            "staked": self.staked,
            "off": str(self.off),
            "sigma": sigma(self.variance),
            "unusual": self.unusual,
        }


@dataclass(slots=True)
class Chart:
    """What the house won against what it should have, round by round."""

    actual: int = 0
    expected: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    left_out: int = 0
    """Staked on bets that somebody decides on, which have no expectation of their own."""

    points: list[Point] = field(default_factory=list)
    holds: dict[str, Hold] = field(default_factory=dict)
    """By bet."""

    def settle(self, round: str, bets: Iterable[in_round.Settled], known: Moments) -> None:
        self._enter(bets, known, 1)
        if known.means:
            self.points.append(Point(round, self.actual - self.expected, self.variance))
            del self.points[:-POINTS]

    def undo(self, bets: Iterable[in_round.Settled], known: Moments) -> None:
        """The last round is void or settled anew: as it was settled it leaves nothing."""
        self._enter(bets, known, -1)
        if known.means:
            del self.points[-1]

    def _enter(self, bets: Iterable[in_round.Settled], known: Moments, sign: int) -> None:
        stakes: dict[str, int] = {}
        nets: dict[str, int] = {}
        for one in bets:
            spot = one.bet.spot
            if spot in known.means:
                stakes[spot] = stakes.get(spot, 0) + one.effective
                nets[spot] = nets.get(spot, 0) + one.net
            else:
                self.left_out += sign * one.effective
        for spot, staked in stakes.items():
            mean, variance = known.of({spot: staked})
            hold = self.holds.setdefault(spot, Hold())
            hold.rounds += sign
            hold.staked += sign * staked
            hold.off += sign * (mean - nets[spot])
            hold.variance += sign * variance
            if not hold.rounds:
                del self.holds[spot]
        mean, variance = known.of(stakes)
        self.actual -= sign * sum(nets.values())
        self.expected -= sign * mean
        self.variance += sign * variance

    @property
    def drifts(self) -> bool:
        """Whether results are further off than chance would have them, exactly."""
        return (self.actual - self.expected) ** 2 > SIGMAS**2 * self.variance

    @property
    def unusual(self) -> list[str]:
        """The bets of which the house holds more or less than chance would have it."""
        return [spot for spot, hold in self.holds.items() if hold.unusual]

    def document(self) -> dict[str, object]:
        return {
            "actual": self.actual,
            "expected": str(self.expected),
            "variance": str(self.variance),
            "sigma": sigma(self.variance),
            "drifts": self.drifts,
            "left_out": self.left_out,
            "holds": {spot: hold.document() for spot, hold in self.holds.items()},
            "points": [
                {"round": one.round, "off": round(one.off), "sigma": sigma(one.variance)}
                for one in self.points
            ],
        }


def sigma(variance: Fraction) -> int:
    """The square root, to the minor unit below."""
    return isqrt(variance.numerator // variance.denominator)


UNKNOWN = Moments({}, {})


@dataclass(frozen=True, slots=True)
class Known:
    """What is expected of the bets of one book."""

    book: str
    """Its hash: rounds by another book are left out of the chart."""

    moments: Moments


@dataclass(slots=True)
class Figures:
    """Everything told of a table between two times."""

    since: int
    until: int | None = None
    rounds: int = 0
    void: int = 0
    corrected: int = 0
    incidents: list[dict[str, object]] = field(default_factory=list)
    scans: int = 0
    by_hand: int = 0
    unread: int = 0
    shoes: int = 0
    first: int | None = None
    last: int | None = None
    staff: dict[str, int] = field(default_factory=dict)
    """Since when each member of staff is at the table."""

    meters: Meters = field(default_factory=Meters)
    chart: Chart = field(default_factory=Chart)
    spots: dict[str, list[int]] = field(default_factory=dict)
    round: str = ""
    book: str = ""
    """The hash of the book that the round is played by."""

    number: int = 0
    """The last record of the log that was read."""

    _last: tuple[in_round.Settled, ...] | None = None
    """The bets of the last round as they were settled, which a correction undoes."""

    _expected: Moments = UNKNOWN
    """What is expected of those bets; of another book's rounds nothing is known."""

    _wagered: int = 0
    """What the last round's settlement moved from stacks to the layout."""

    def read(self, kept: Kept, known: Known | None) -> None:
        """The next record of the log."""
        record, self.number = wire.read(json.loads(kept.record)), kept.number
        if isinstance(record, wire.Standing):
            self.round = f"{record.shoes}/{record.rounds + 1}"
        if not isinstance(record, wire.Happened):
            return
        counts = kept.at >= self.since and (self.until is None or kept.at < self.until)
        wagered = self.meters.wagered
        self.meters.enter(record.entries, counts)
        if isinstance(record.event, in_round.RoundSettled):
            self._wagered = self.meters.wagered - wagered
        if isinstance(record.event, in_round.RoundOpened):
            self._last = None
            self.book = record.event.terms.book_hash
        elif isinstance(record.event, at_table.SignedOn):
            self.staff[record.event.person] = kept.at
        elif isinstance(record.event, at_table.SignedOff):
            self.staff.pop(record.event.person, None)
        if counts:
            self._count(record.event, kept.at, known)

    def _count(self, event: object, at: int, known: Known | None) -> None:
        self.first = at if self.first is None else self.first
        self.last = at
        match event:
            case in_round.RoundOpened():
                self.rounds += 1
            case in_round.RoundVoided():
                self.void += 1
            case in_round.CardDealt():
                self.scans += 1
                self.by_hand += event.seen_by is not None
            case in_round.RoundSettled():
                ours = known is not None and known.book == self.book
                self._expected = known.moments if known and ours else UNKNOWN
                self._settled(event.bets)
                self._last = event.bets
                self.chart.settle(self.round, event.bets, self._expected)
            case in_round.SettlementCorrected():
                self._correct(event)
            case at_table.StackFilled():
                self.meters.drop += event.amount
            case at_table.StackEmptied():
                self.meters.cashed += event.amount
            case at_table.ShoeRegistered():
                self.shoes += 1
            case at_table.IncidentReported():
                self._reported(event, at)
            case at_table.IncidentResolved():
                if self.incidents:
                    self.incidents[-1] |= {
                        "step": event.step.value,
                        "resolved_by": event.by,
                        "confirmed_by": event.confirmed_by,
                        "role": event.role.value if event.role else None,
                        "reason": event.reason,
                        "facts": event.facts,
                        "resolved_clause": event.clause,
                        "resolved_at": at,
                    }
            case at_table.OptionChosen():
                if self.incidents:
                    chosen = self.incidents[-1].setdefault("options", {})
                    assert isinstance(chosen, dict), "options are kept by patron"
                    chosen[event.patron] = "continue" if event.continues else "return"

    def _correct(self, event: in_round.SettlementCorrected) -> None:
        """The last round was settled anew, or is void and leaves nothing wagered."""
        void = event.coup is None
        self.void += void
        self.corrected += not void
        if self._last is None:
            # It was settled before the time that is told of.
            return
        self._settled(self._last, -1)
        self._settled(event.bets)
        self.chart.undo(self._last, self._expected)
        self._last = event.bets
        if void:
            # Stakes came back when it was settled, and what was won or lost does now.
            self.meters.wagered -= self._wagered
            self.meters.paid -= self._wagered
        else:
            self.chart.settle(self.round, event.bets, self._expected)

    def _settled(self, bets: Iterable[in_round.Settled], sign: int = 1) -> None:
        for one in bets:
            staked = self.spots.setdefault(one.bet.spot, [0, 0])
            staked[0] += sign * one.effective
            staked[1] -= sign * one.net

    def _reported(self, event: at_table.IncidentReported, at: int) -> None:
        found = event.incident
        self.unread += found.kind == UNREAD
        self.incidents.append(
            {
                "number": found.number,
                "kind": found.kind,
                "round": self.round,
                "book": self.book,
                "by": found.by,
                "by_system": found.by == SYSTEM,
                "drawn": [str(card) for card in found.drawn],
                "note": found.note,
                "clause": event.clause,
                "at": at,
            }
        )

    @property
    def per_hour(self) -> int:
        """Rounds an hour, over the time in which there were any."""
        if self.first is None or self.last is None or self.last - self.first < 1000:
            return 0
        return round(self.rounds * HOUR / (self.last - self.first))

    def document(self) -> dict[str, object]:
        meters = self.meters
        return {
            "since": self.since,
            "until": self.until,
            "rounds": self.rounds,
            "void": self.void,
            "corrected": self.corrected,
            "per_hour": self.per_hour,
            "scans": self.scans,
            "by_hand": self.by_hand,
            "unread": self.unread,
            "shoes": self.shoes,
            "meters": {
                "wagered": meters.wagered,
                "paid": meters.paid,
                "won": meters.won,
                "commission": meters.commission,
                "owed": meters.owed,
                "drop": meters.drop,
                "cashed": meters.cashed,
            },
            "spots": {spot: {"staked": one[0], "won": one[1]} for spot, one in self.spots.items()},
            "chart": self.chart.document(),
            "incidents": self.incidents,
        }


async def first_since(store: Store, log: str, at: int) -> int:
    """The number before the first record that is not older than a time."""
    heads = await store.logs()
    low, high = 0, heads[log].count if log in heads else 0
    while low < high:
        middle = (low + high) // 2
        (kept,) = await store.records(log, middle, 1)
        low, high = (middle + 1, high) if kept.at < at else (low, middle)
    return low


async def figures_of(
    store: Store, log: str, since: int, until: int | None, known: Known | None
) -> Figures:
    """The figures of a table between two times, from its log."""
    found = Figures(since, until, number=await first_since(store, log, since - LOOK_BACK))
    await catch_up(store, log, found, known)
    return found


async def catch_up(store: Store, log: str, found: Figures, known: Known | None) -> None:
    """Read what has been written since."""
    async for kept in store.every_record(log, found.number):
        if found.until is not None and kept.at >= found.until:
            break
        found.read(kept, known)


class Shift:
    """The figures of the shift under way, read on from where they were read last."""

    def __init__(self, store: Store) -> None:
        self._store, self._reading = store, asyncio.Lock()
        self._found: dict[str, Figures] = {}

    async def of(self, log: str, now: int, known: Known | None) -> Figures:
        async with self._reading:
            found = self._found.get(log)
            if found is None or now - found.since > 2 * SHIFT_MS:
                since = max(0, now - SHIFT_MS)
                found = await figures_of(self._store, log, since, None, known)
                self._found[log] = found
            else:
                await catch_up(self._store, log, found, known)
            return found
