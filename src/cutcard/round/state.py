"""The state of a round, and how each event changes it.

`evolve` holds every assignment and never refuses. Bets are kept patron by patron and
the sums a limit needs are kept beside them, so that placing the thousandth bet
costs no more than placing the first.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from cutcard.frozen import once, replace
from cutcard.ledger.shelf import Shelf
from cutcard.round.events import (
    WITHDRAWN,
    AlwaysChosen,
    BetPlaced,
    BetsClosed,
    BetsReturned,
    BetWithdrawn,
    CardDealt,
    ChipsRemoved,
    CoupCorrected,
    DecisionsClosed,
    DecisionsOpened,
    Event,
    Laid,
    ResultCalled,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    SecondStageDeclined,
    SecondStagePlaced,
    SettlementCorrected,
)
from cutcard.round.terms import Terms
from cutcard.rules.coup import Coup, Winner
from cutcard.rules.limits import Bet, Scope

Key = tuple[int, str, str]
"""Box, patron, spot."""


class Phase(Enum):
    IDLE = "idle"
    BETTING = "betting"
    CLOSED = "closed"
    DECIDING = "deciding"
    DEALING = "dealing"
    RESULT = "result"
    SETTLED = "settled"
    VOID = "void"


FINISHED = (Phase.IDLE, Phase.SETTLED, Phase.VOID)


@dataclass(frozen=True)
class Round:
    """Where a round stands. A round that has not opened yet is idle."""

    number: int = 0
    phase: Phase = Phase.IDLE
    terms: Terms | None = None
    coup: Coup = field(default_factory=Coup)
    own: Shelf[str, Mapping[Key, Laid]] = field(default_factory=Shelf)
    """The bets of each patron who has any."""

    by_box: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    """Stakes of each box by spot, the boxes in the order of their first bets."""

    by_patron: Shelf[str, Mapping[str, int]] = field(default_factory=Shelf)
    """Stakes of each patron by spot, over all boxes."""

    by_spot: Mapping[str, int] = field(default_factory=dict)
    """Stakes of the whole table by spot."""

    placed: int = 0
    """How many bets have been placed or increased: the next bet's order."""

    given_back: tuple[BetWithdrawn, ...] = ()
    """Bets that were cut or returned without their patron's asking, whom that must be told."""

    effective: Mapping[Key, int] = field(default_factory=dict)
    declined: Mapping[Key, str] = field(default_factory=dict)
    """First-stage bets that were declined, and under which clause."""

    always: frozenset[str] = frozenset()
    removed: frozenset[Key] = frozenset()
    decide_until: int | None = None
    winner: Winner | None = None
    settled: RoundSettled | None = None
    void_reason: str = ""
    void_clause: str = ""

    @property
    def bets(self) -> Iterator[Laid]:
        """Every bet on the layout, box by box in the order of time."""
        return iter(_in_line(self))

    def bets_of(self, patron: str) -> list[Laid]:
        """One patron's bets in the same order."""
        return self._lined_up(self.own.get(patron, {}).values())

    def _lined_up(self, bets: Iterable[Laid]) -> list[Laid]:
        places = {box: place for place, box in enumerate(self.by_box)}
        return sorted(bets, key=lambda bet: (places[bet.box], bet.order))

    def bet(self, key: Key) -> Laid | None:
        return self.own.get(key[1], {}).get(key)

    def stakes_of(self, patron: str, box: int) -> dict[str, int]:
        """One patron's stakes in one box by spot."""
        own = self.own.get(patron, {}).values()
        return {bet.spot: bet.stake for bet in own if bet.box == box}

    def together(self, scope: Scope, patron: str, box: int) -> list[Bet]:
        """The stakes that a limit of some scope counts together, as few sums as will do."""
        sums = self.sums(scope, patron, box)
        return [Bet(patron, box, spot, stake) for spot, stake in sums.items()]

    def sums(self, scope: Scope, patron: str, box: int) -> Mapping[str, int]:
        """The same, by spot."""
        if scope is Scope.TABLE:
            return self.by_spot
        if scope is Scope.PATRON:
            return self.by_patron.get(patron, {})
        if scope is Scope.BET:
            return self.stakes_of(patron, box)
        return self.by_box.get(box, {})


@once(most=16)
def _in_line(state: Round) -> list[Laid]:
    return state._lined_up(bet for own in state.own.values() for bet in own.values())


def evolve(state: Round, event: Event) -> Round:
    """The state after an event."""
    match event:
        case RoundOpened():
            # Who always continues said so for good, not for one round.
            return Round(event.number, Phase.BETTING, event.terms, always=state.always)
        case BetPlaced():
            return _lay(state, event.bet, event.before, placed=state.placed + 1)
        case BetWithdrawn():
            if event.cause != WITHDRAWN:
                state = replace(state, given_back=(*state.given_back, event))
            if event.left is None:
                return _lift(state, event.bet)
            return _lay(state, event.left, event.bet, placed=state.placed)
        case BetsClosed():
            cut = {(one.box, one.patron, one.spot): one.stake for one in event.cut}
            return replace(state, phase=Phase.CLOSED, effective=cut)
        case CardDealt():
            coup = state.coup.with_card(event.side, event.card)
            return replace(state, phase=Phase.DEALING, coup=coup)
        case DecisionsOpened():
            return replace(state, phase=Phase.DECIDING, decide_until=event.until)
        case DecisionsClosed():
            return replace(state, phase=Phase.DEALING, decide_until=None)
        case AlwaysChosen():
            chosen = {event.patron}
            always = state.always | chosen if event.always else state.always - chosen
            return replace(state, always=always)
        case SecondStagePlaced():
            return _lay(state, event.bet, None, placed=state.placed + 1)
        case SecondStageDeclined():
            key = (event.box, event.patron, event.spot)
            return replace(state, declined={**state.declined, key: event.clause})
        case ChipsRemoved():
            return replace(state, removed=state.removed | {event.bet.key})
        case ResultCalled():
            return replace(state, phase=Phase.RESULT, winner=event.winner)
        case RoundSettled():
            return replace(state, phase=Phase.SETTLED, settled=event)
        case RoundVoided():
            return replace(_void(state, event), decide_until=None)
        case CoupCorrected():
            phase = Phase.DEALING if event.coup.dealt else Phase.CLOSED
            return replace(state, coup=event.coup, phase=phase, winner=None, decide_until=None)
        case BetsReturned():
            for bet in (*event.returned, *event.removed):
                state = _lift(state, bet)
            return state
        case SettlementCorrected():
            return _settled_anew(state, event)


def _void(state: Round, event: RoundVoided | SettlementCorrected) -> Round:
    void = replace(state, phase=Phase.VOID, winner=None)
    return replace(void, void_reason=event.reason, void_clause=event.clause)


def _settled_anew(state: Round, event: SettlementCorrected) -> Round:
    if event.coup is None:
        return replace(_void(state, event), settled=None)
    # Bets that a patron took back after the settlement are not part of the round any more.
    still = {one.bet.key for one in event.bets}
    for bet in [bet for bet in state.bets if bet.key not in still]:
        state = _lift(state, bet)
    anew = RoundSettled(event.bets, event.at, event.by)
    return replace(state, coup=event.coup, winner=event.coup.winner, settled=anew)


def _lay(state: Round, bet: Laid, before: Laid | None, placed: int) -> Round:
    added = bet.stake - (before.stake if before else 0)
    own = {**state.own.get(bet.patron, {}), bet.key: bet}
    return replace(
        state,
        own=state.own.placed(bet.patron, own),
        by_box=_by_box(state, bet, added),
        by_patron=_by_patron(state, bet, added),
        by_spot=_plus(state.by_spot, bet, added),
        placed=placed,
    )


def _lift(state: Round, bet: Laid) -> Round:
    own = {key: laid for key, laid in state.own[bet.patron].items() if key != bet.key}
    return replace(
        state,
        own=state.own.placed(bet.patron, own) if own else state.own.without(bet.patron),
        by_box=_by_box(state, bet, -bet.stake),
        by_patron=_by_patron(state, bet, -bet.stake),
        by_spot=_plus(state.by_spot, bet, -bet.stake),
    )


def _by_box(state: Round, bet: Laid, added: int) -> Mapping[int, Mapping[str, int]]:
    sums = _plus(state.by_box.get(bet.box, {}), bet, added)
    return {**state.by_box, bet.box: sums}


def _by_patron(state: Round, bet: Laid, added: int) -> Shelf[str, Mapping[str, int]]:
    own = _plus(state.by_patron.get(bet.patron, {}), bet, added)
    return state.by_patron.placed(bet.patron, own)


def _plus(sums: Mapping[str, int], bet: Laid, added: int) -> Mapping[str, int]:
    return {**sums, bet.spot: sums.get(bet.spot, 0) + added}


def fold(events: Iterable[Event], state: Round | None = None) -> Round:
    """The state after many events."""
    after = Round() if state is None else state
    for event in events:
        after = evolve(after, event)
    return after
