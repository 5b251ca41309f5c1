"""The state of a round, and how each event changes it.

`evolve` holds every assignment and never refuses. Bets are kept box by box and
the sums a limit needs are kept beside them, so that placing the thousandth bet
costs no more than placing the first.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from cutcard.frozen import replace
from cutcard.round.events import (
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
    boxes: Mapping[int, Mapping[Key, Laid]] = field(default_factory=dict)
    by_patron: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Stakes of each patron by spot, over all boxes."""

    by_spot: Mapping[str, int] = field(default_factory=dict)
    """Stakes of the whole table by spot."""

    placed: int = 0
    """How many bets have been placed or increased: the next bet's order."""

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
        """Every bet on the layout, box by box."""
        return (bet for box in self.boxes.values() for bet in box.values())

    def bet(self, key: Key) -> Laid | None:
        return self.boxes.get(key[0], {}).get(key)

    def stakes_of(self, patron: str, box: int) -> dict[str, int]:
        """One patron's stakes in one box by spot."""
        laid = self.boxes.get(box, {}).values()
        return {bet.spot: bet.stake for bet in laid if bet.patron == patron}

    def together(self, scope: Scope, patron: str, box: int) -> list[Bet]:
        """The stakes that a limit of some scope counts together, as few sums as will do."""
        if scope is Scope.TABLE:
            sums: Mapping[str, int] = self.by_spot
        elif scope is Scope.PATRON:
            sums = self.by_patron.get(patron, {})
        elif scope is Scope.BET:
            sums = self.stakes_of(patron, box)
        else:
            laid = self.boxes.get(box, {}).values()
            return [Bet(patron, box, bet.spot, bet.stake) for bet in laid]
        return [Bet(patron, box, spot, stake) for spot, stake in sums.items()]


def evolve(state: Round, event: Event) -> Round:
    """The state after an event."""
    match event:
        case RoundOpened():
            # Who always continues said so for good, not for one round.
            return Round(event.number, Phase.BETTING, event.terms, always=state.always)
        case BetPlaced():
            placed = _lay(state, event.bet, event.before)
            return replace(placed, placed=state.placed + 1)
        case BetWithdrawn():
            if event.left is None:
                return _lift(state, event.bet)
            return _lay(state, event.left, event.bet)
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
            return replace(_lay(state, event.bet, None), placed=state.placed + 1)
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
    anew = RoundSettled(event.bets, event.at)
    return replace(state, coup=event.coup, winner=event.coup.winner, settled=anew)


def _lay(state: Round, bet: Laid, before: Laid | None) -> Round:
    added = bet.stake - (before.stake if before else 0)
    box = {**state.boxes.get(bet.box, {}), bet.key: bet}
    return _summed(replace(state, boxes={**state.boxes, bet.box: box}), bet, added)


def _lift(state: Round, bet: Laid) -> Round:
    box = {key: laid for key, laid in state.boxes[bet.box].items() if key != bet.key}
    return _summed(replace(state, boxes={**state.boxes, bet.box: box}), bet, -bet.stake)


def _summed(state: Round, bet: Laid, added: int) -> Round:
    own = state.by_patron.get(bet.patron, {})
    own = {**own, bet.spot: own.get(bet.spot, 0) + added}
    return replace(
        state,
        by_patron={**state.by_patron, bet.patron: own},
        by_spot={**state.by_spot, bet.spot: state.by_spot.get(bet.spot, 0) + added},
    )


def fold(events: Iterable[Event], state: Round | None = None) -> Round:
    """The state after many events."""
    after = Round() if state is None else state
    for event in events:
        after = evolve(after, event)
    return after
