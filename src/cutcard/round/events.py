"""Events: what happened in a round. They are the only truth, and are never refused.

Every event that moves money names the bets it moves, whole; with the table's own
state just before it, that is all that transfers need.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cutcard.frozen import LATER
from cutcard.round.terms import Terms
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, Side, Winner


@dataclass(frozen=True, slots=True)
class Laid:
    """One patron's bet on one spot of one box, as it lies.

    `order` is its place in time among the round's bets, kept when it is raised;
    `revision` counts how often its amount has changed.
    """

    patron: str
    box: int
    spot: str
    stake: int
    seated: bool
    order: int
    revision: int
    reserve: int = 0
    """What is held beside the stake, where a bet can lose more than itself."""

    placed_by: str | None = None

    @property
    def key(self) -> tuple[int, str, str]:
        return self.box, self.patron, self.spot


@dataclass(frozen=True, slots=True)
class RoundOpened:
    number: int
    terms: Terms
    at: int
    by: str | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class BetPlaced:
    """A bet was placed or increased; `before` is what lay there until now."""

    bet: Laid
    before: Laid | None
    at: int


WITHDRAWN = "withdrawn"
"""The cause of a withdrawal that the patron asked for; for every other one the house has a rule."""

SEATED_FIRST = "seated patrons first"
"""The cause of a standing bet's return that made room for the seated patron's (CB4 5.1)."""


@dataclass(frozen=True, slots=True)
class BetWithdrawn:
    """A bet was taken back or cut; `left` is what still lies there."""

    bet: Laid
    left: Laid | None
    cause: str
    clause: str | None
    at: int
    placed_by: str | None = None
    """Who did it for the patron, where staff did."""


@dataclass(frozen=True, slots=True)
class Effective:
    """What a bet counts for after the close, where that is less than what was placed."""

    box: int
    patron: str
    spot: str
    stake: int


@dataclass(frozen=True, slots=True)
class BetsClosed:
    """No more bets; `cut` are the bets apportioned because the excess was not seen."""

    cut: tuple[Effective, ...]
    at: int
    by: str | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class CardDealt:
    side: Side
    card: Card
    at: int
    by: str = ""
    seen_by: str | None = None


@dataclass(frozen=True, slots=True)
class DecisionsOpened:
    """A card was shown on which first-stage bets must be decided."""

    until: int
    at: int


@dataclass(frozen=True, slots=True)
class DecisionsClosed:
    """Every first-stage bet is decided; the deal goes on."""

    at: int


@dataclass(frozen=True, slots=True)
class AlwaysChosen:
    patron: str
    always: bool
    at: int
    placed_by: str | None = None


@dataclass(frozen=True, slots=True)
class SecondStagePlaced:
    """A first-stage bet continues; `by_system` where nobody decided in time."""

    bet: Laid
    first: str
    by_system: bool
    at: int


@dataclass(frozen=True, slots=True)
class SecondStageDeclined:
    """A first-stage bet is lost, whatever the cards say."""

    patron: str
    box: int
    spot: str
    by_system: bool
    clause: str
    at: int
    placed_by: str | None = None


@dataclass(frozen=True, slots=True)
class ChipsRemoved:
    """Chips were taken off a closed spot; the bet wins or loses all the same."""

    bet: Laid
    by: str
    clause: str | None
    at: int


@dataclass(frozen=True, slots=True)
class ResultCalled:
    winner: Winner
    player_points: int
    banker_points: int
    at: int
    by: str | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of one bet.

    `effective` is what it counted for (`bet.stake` less what apportioning gave
    back), `net` what it gained or lost after `commission`, which was withheld of a win,
    `removed` that its chips were no longer there.
    """

    bet: Laid
    effective: int
    net: int
    commission: int
    clause: str
    removed: bool = False


@dataclass(frozen=True, slots=True)
class RoundSettled:
    bets: tuple[Settled, ...]
    at: int
    by: str | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round has no result; `returned` are the bets given back, `removed` those taken away."""

    reason: str
    clause: str
    by: str
    returned: tuple[Laid, ...]
    removed: tuple[Laid, ...]
    at: int


@dataclass(frozen=True, slots=True)
class CoupCorrected:
    """The hands are these and no others; dealing goes on from here."""

    coup: Coup
    clause: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class BetsReturned:
    """A patron takes all bets of the round back; `removed` are those whose chips were gone."""

    patron: str
    returned: tuple[Laid, ...]
    removed: tuple[Laid, ...]
    clause: str
    at: int
    by: str | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class SettlementCorrected:
    """A settled round is settled anew: by these hands and for these bets, or, without hands, void.

    What patrons have too much or too little since the first settlement changes hands now.
    """

    coup: Coup | None
    bets: tuple[Settled, ...]
    reason: str
    clause: str
    by: str
    at: int
    struck: Mapping[str, int] | None = field(default=None, metadata=LATER)
    """By patron, how much of a debt that this very round made is owed no more."""


Event = (
    RoundOpened
    | BetPlaced
    | BetWithdrawn
    | BetsClosed
    | CardDealt
    | DecisionsOpened
    | DecisionsClosed
    | AlwaysChosen
    | SecondStagePlaced
    | SecondStageDeclined
    | ChipsRemoved
    | ResultCalled
    | RoundSettled
    | RoundVoided
    | CoupCorrected
    | BetsReturned
    | SettlementCorrected
)
