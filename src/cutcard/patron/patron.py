"""A patron as far as their own protection goes, and how events change that.

Nothing happens by itself: a looser limit that has waited its day, a time-out
that has run out, are read off the clock by whoever asks, and the clock is a
number in the question.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import assert_never

from cutcard.frozen import replace
from cutcard.patron.events import (
    DepositRecorded,
    Event,
    LimitTightened,
    LooseningCancelled,
    LooseningRequested,
    RealityCheckAcknowledged,
    ResultBooked,
    SelfExcluded,
    SessionEnded,
    SessionStarted,
    TimeOutTaken,
)
from cutcard.patron.limits import DAY, DEPOSITS, HOUR, MINUTE, USUAL, WINDOW, Kind, Loosening

__all__ = ["DAY", "FOREVER", "HOUR", "MINUTE", "Kind", "Loosening", "Patron", "Session", "evolve"]

FOREVER = 2**63 - 1
"""The end of an exclusion that has none."""

_LOOKS_BACK = max(WINDOW[kind] for kind in DEPOSITS)


@dataclass(frozen=True, slots=True)
class Session:
    """Play without a break: since when, the last reality check seen, won or lost so far."""

    started_at: int
    checked_at: int
    net: int = 0


Movement = tuple[int, int]
"""When, and how much."""

Spell = tuple[int, int]
"""A time of play: from when, to when."""


@dataclass(frozen=True)
class Patron:
    """A patron's own limits and what counts against them."""

    limits: Mapping[Kind, int] = field(default_factory=lambda: MappingProxyType({}))
    loosenings: Mapping[Kind, Loosening] = field(default_factory=lambda: MappingProxyType({}))
    session: Session | None = None
    sessions: tuple[Spell, ...] = ()
    """Those that are over, as far as the time limit still looks back to them."""

    time_out_until: int = 0
    excluded_until: int = 0
    deposits: tuple[Movement, ...] = ()
    results: tuple[Movement, ...] = ()

    def limit(self, kind: Kind, at: int) -> int | None:
        """The limit that holds at a time; None where there is none."""
        loosening = self.loosenings.get(kind)
        if loosening is not None and at >= loosening.effective_at:
            return loosening.amount
        return self.limits.get(kind, USUAL.get(kind))

    def interval(self, at: int) -> int:
        """How long the patron plays between reality checks."""
        held = self.limit(Kind.REALITY_CHECK, at)
        assert held is not None, "reality checks are never wished away"
        return held

    def loosening(self, kind: Kind, at: int) -> Loosening | None:
        """A looser limit that is still waited for at a time."""
        found = self.loosenings.get(kind)
        return found if found is not None and at < found.effective_at else None

    def deposited(self, kind: Kind, at: int) -> int:
        """What was paid in within the window of a deposit limit."""
        return _within(self.deposits, WINDOW[kind], at)

    def lost(self, at: int) -> int:
        """What was lost, less what was won, within the window of the loss limit."""
        return max(0, -_within(self.results, WINDOW[Kind.LOSS_DAY], at))

    def spells(self, at: int) -> tuple[Spell, ...]:
        """When there was play within the window of the time limit, this session included."""
        all = self.sessions
        if self.session is not None:
            all = (*all, (self.session.started_at, at))
        since = at - WINDOW[Kind.TIME_DAY]
        return tuple((max(start, since), end) for start, end in all if end > max(start, since))

    def played(self, at: int) -> int:
        """How long the patron has played within the window of the time limit."""
        return sum(end - start for start, end in self.spells(at))

    def time_left(self, at: int) -> int | None:
        """How much longer the patron's own limit lets them play; None where there is none."""
        limit = self.limit(Kind.TIME_DAY, at)
        return None if limit is None else max(0, limit - self.played(at))


def evolve(patron: Patron, event: Event) -> Patron:
    """The patron after an event."""
    match event:
        case LimitTightened() | LooseningRequested() | LooseningCancelled():
            return _limited(patron, event)
        case SessionStarted(at=at):
            return replace(patron, session=Session(started_at=at, checked_at=at))
        case RealityCheckAcknowledged(at=at):
            assert patron.session is not None, "only a session has reality checks"
            return replace(patron, session=replace(patron.session, checked_at=at))
        case SessionEnded(at=at):
            return replace(patron, session=None, sessions=patron.spells(at))
        case TimeOutTaken(until=until):
            return replace(patron, time_out_until=until)
        case SelfExcluded(until=until):
            return replace(patron, excluded_until=until)
        case DepositRecorded(amount=amount, at=at):
            return replace(patron, deposits=_added(patron.deposits, at, amount, _LOOKS_BACK))
        case ResultBooked(net=net, at=at):
            results = _added(patron.results, at, net, WINDOW[Kind.LOSS_DAY])
            session = patron.session
            # The last bet of a patron who has walked away belongs to no session.
            if session is not None:
                session = replace(session, net=session.net + net)
            return replace(patron, results=results, session=session)
        case _:  # pragma: no cover
            assert_never(event)


def _limited(
    patron: Patron, event: LimitTightened | LooseningRequested | LooseningCancelled
) -> Patron:
    kind = event.kind
    # A looser limit that already holds is no longer a wish: it becomes the limit first.
    held = patron.limit(kind, event.at)
    limit = event.amount if isinstance(event, LimitTightened) else held
    limits = {**patron.limits, kind: limit}
    loosenings = {one: waits for one, waits in patron.loosenings.items() if one is not kind}
    if isinstance(event, LooseningRequested):
        loosenings[kind] = Loosening(event.amount, event.effective_at)
    return replace(
        patron,
        limits=MappingProxyType({one: most for one, most in limits.items() if most is not None}),
        loosenings=MappingProxyType(loosenings),
    )


def _within(movements: tuple[Movement, ...], window: int, at: int) -> int:
    return sum(amount for when, amount in movements if at - when < window)


def _added(
    movements: tuple[Movement, ...], at: int, amount: int, window: int
) -> tuple[Movement, ...]:
    """The movements with one more, less those that no window reaches any longer."""
    return (*(one for one in movements if at - one[0] < window), (at, amount))
