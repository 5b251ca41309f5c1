"""A verifiable shoe as the public sees it: which step may follow which.

The house goes through the same door as everybody who checks it. `advance`
refuses every step that is out of order or does not fit the commitment, so
verifying a shoe is nothing but going its steps once more.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from re import fullmatch
from typing import assert_never

from cutcard.fairness import merkle
from cutcard.fairness.order import applied, check_decks, patrons_order
from cutcard.fairness.steps import (
    NONCE,
    SEED,
    CardShown,
    CardTaken,
    Commitment,
    SeedGiven,
    SeedsClosed,
    SeedSealed,
    ShoeAborted,
    ShoeOpened,
    Step,
    is_committed,
    leaves,
    seal,
)
from cutcard.frozen import replace
from cutcard.refusals import Refusal
from cutcard.rules.cards import Card
from cutcard.rules.shoe import FULL_COUP, burn_count, check_copies, check_cut


class Phase(Enum):
    """How far a shoe has come."""

    SEALING = "sealing"
    GIVING = "giving"
    DEALING = "dealing"
    OPENED = "opened"
    ABORTED = "aborted"


FINISHED = frozenset({Phase.OPENED, Phase.ABORTED})

MOST_GIVERS = 256
"""Seeds of one shoe at most: one honest giver is enough, and checking must have an end."""

LONGEST_GIVER = 64
GIVER = f"[ -~]{{1,{LONGEST_GIVER}}}"
"""Printable ASCII, because what else can be printed depends on whose Unicode is asked."""

MOST_MISSING = 100


@dataclass(frozen=True, slots=True)
class VerifiableShoe:
    """All that is publicly known of one shoe."""

    commitment: Commitment
    phase: Phase = Phase.SEALING
    seals: Mapping[str, bytes] = field(default_factory=dict)
    seeds: Mapping[str, bytes] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    """The committed position of each place of dealing, once all seeds are given."""

    left: int = 0
    """So many cards have left the shoe."""

    face_down: frozenset[int] = frozenset()
    """Places whose card lies unseen on the layout; burned cards are not among them."""

    shown: Mapping[int, Card] = field(default_factory=dict)
    """Cards turned up, by place."""

    opened: tuple[Card, ...] = ()
    """Every card by position, once the shoe is finished."""

    reason: str = ""
    """Why it was aborted."""

    @property
    def dealing_order(self) -> tuple[Card, ...]:
        """Every card by place; nothing until the shoe is opened or without the seeds."""
        return applied(self.order, self.opened) if self.opened else ()

    @property
    def to_burn(self) -> int:
        """So many cards must still be burned before the first coup."""
        return max(0, 1 + burn_count(self.shown[0]) - self.left) if 0 in self.shown else 0

    def is_next(self, place: int) -> bool:
        """Whether the card at this place is the next to leave the shoe."""
        return place == self.left < self.commitment.cards


def begin(commitment: Commitment) -> VerifiableShoe:
    """A shoe at its start."""
    if commitment.number < 1:
        raise Refusal("fairness/number", {"shoe": commitment.shoe, "must": 1})
    check_decks(commitment.decks)
    check_cut(commitment.cards, commitment.behind_cut)
    return VerifiableShoe(commitment)


def succeed(before: VerifiableShoe, commitment: Commitment) -> VerifiableShoe:
    """The next shoe of a table. The one before must be finished, which means open to all."""
    if commitment.table != before.commitment.table:
        raise Refusal("fairness/other-table", {"shoe": commitment.shoe})
    must = before.commitment.number + 1
    if commitment.number != must:
        raise Refusal("fairness/number", {"shoe": commitment.shoe, "must": must})
    if before.phase not in FINISHED:
        raise Refusal("fairness/unfinished", {"shoe": before.commitment.shoe})
    return begin(commitment)


def advance(shoe: VerifiableShoe, step: Step) -> VerifiableShoe:
    """The shoe after a step, if it may follow and is what was committed."""
    _check_phase(shoe, step)
    match step:
        case SeedSealed():
            return _sealed(shoe, step)
        case SeedsClosed():
            return _closed(shoe, step)
        case SeedGiven():
            return _given(shoe, step)
        case CardShown():
            return _shown(shoe, step)
        case CardTaken():
            return _taken(shoe, step)
        case ShoeOpened():
            _check_dealt(shoe)
            return replace(shoe, phase=Phase.OPENED, opened=_opened(shoe, step))
        case ShoeAborted():
            if not step.reason.strip():
                raise Refusal("fairness/no-reason")
            opened = _opened(shoe, step)
            return replace(shoe, phase=Phase.ABORTED, opened=opened, reason=step.reason)
        case _:  # pragma: no cover
            assert_never(step)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a shoe's steps hold; `wrong` is the first that does not, counted from 0."""

    shoe: VerifiableShoe | None
    wrong: int | None = None
    refusal: Refusal | None = None


def verify(commitment: Commitment, steps: Iterable[Step]) -> Verdict:
    """Go the steps of a shoe once more. The commitment is number 0."""
    shoe, number = None, 0
    try:
        shoe = begin(commitment)
        for number, step in enumerate(steps, start=1):  # noqa: B007 (told when a step is refused)
            shoe = advance(shoe, step)
    except Refusal as refusal:
        return Verdict(shoe, number, refusal)
    return Verdict(shoe)


@dataclass(frozen=True, slots=True)
class Tally:
    """How the shoes of a table have ended, for everybody to read."""

    opened: int
    aborted: int
    unfinished: int
    missing: tuple[int, ...]
    """Numbers of shoes that nobody has seen; the first hundred of them."""


def tally(shoes: Iterable[VerifiableShoe]) -> Tally:
    """Count a table's shoes. Aborted and missing ones are a question to the house."""
    ended = {shoe.commitment.number: shoe.phase for shoe in shoes}
    phases = list(ended.values())
    opened, aborted = phases.count(Phase.OPENED), phases.count(Phase.ABORTED)
    # A number is whatever somebody wrote: the gap before it may have no end.
    gaps = (number for number in range(1, max(ended, default=0)) if number not in ended)
    missing = tuple(islice(gaps, MOST_MISSING))
    return Tally(opened, aborted, len(phases) - opened - aborted, missing)


_WHEN: dict[type[Step], frozenset[Phase]] = {
    SeedSealed: frozenset({Phase.SEALING}),
    SeedsClosed: frozenset({Phase.SEALING}),
    SeedGiven: frozenset({Phase.GIVING}),
    CardShown: frozenset({Phase.DEALING}),
    CardTaken: frozenset({Phase.DEALING}),
    ShoeOpened: frozenset({Phase.DEALING}),
    ShoeAborted: frozenset(Phase) - FINISHED,
}


def _check_phase(shoe: VerifiableShoe, step: Step) -> None:
    if shoe.phase not in _WHEN[type(step)]:
        raise Refusal("fairness/not-now", {"phase": shoe.phase.value})


def _sealed(shoe: VerifiableShoe, step: SeedSealed) -> VerifiableShoe:
    if step.at >= shoe.commitment.seeds_until:
        raise Refusal("fairness/seal-late")
    if not fullmatch(GIVER, step.giver) or not step.giver.strip():
        raise Refusal("fairness/giver", {"giver": step.giver[:LONGEST_GIVER]})
    if step.giver in shoe.seals:
        raise Refusal("fairness/seal-twice", {"giver": step.giver})
    if len(shoe.seals) == MOST_GIVERS:
        raise Refusal("fairness/givers", {"most": MOST_GIVERS})
    _check_size(step.seal)
    return replace(shoe, seals={**shoe.seals, step.giver: step.seal})


def _closed(shoe: VerifiableShoe, step: SeedsClosed) -> VerifiableShoe:
    if step.at < shoe.commitment.seeds_until:
        raise Refusal("fairness/close-early", {"ms": shoe.commitment.seeds_until - step.at})
    # Without a seed the order would be the house's alone.
    if not shoe.seals:
        raise Refusal("fairness/no-seeds")
    return replace(shoe, phase=Phase.GIVING)


def _given(shoe: VerifiableShoe, step: SeedGiven) -> VerifiableShoe:
    if step.giver not in shoe.seals:
        raise Refusal("fairness/not-sealed", {"giver": step.giver})
    if step.giver in shoe.seeds:
        raise Refusal("fairness/seed-twice", {"giver": step.giver})
    _check_size(step.seed)
    if seal(shoe.commitment, step.giver, step.seed) != shoe.seals[step.giver]:
        raise Refusal("fairness/seed-differs", {"giver": step.giver})
    seeds = {**shoe.seeds, step.giver: step.seed}
    if len(seeds) < len(shoe.seals):
        return replace(shoe, seeds=seeds)
    order = patrons_order(shoe.commitment.hash, seeds, shoe.commitment.cards)
    return replace(shoe, seeds=seeds, order=order, phase=Phase.DEALING)


def _taken(shoe: VerifiableShoe, step: CardTaken) -> VerifiableShoe:
    if not shoe.is_next(step.place):
        raise Refusal("fairness/place", {"number": step.place + 1})
    if step.place == 0:
        raise Refusal("shoe/expose-first")
    if shoe.to_burn:
        return replace(shoe, left=shoe.left + 1)
    # The house knows what comes. A card that it lays aside must not stay unseen, or it could
    # burn whatever does not suit it.
    if len(shoe.face_down) == FULL_COUP:
        raise Refusal("fairness/face-down", {"most": FULL_COUP})
    return replace(shoe, left=shoe.left + 1, face_down=shoe.face_down | {step.place})


def _check_dealt(shoe: VerifiableShoe) -> None:
    """Whether a shoe has come to its end; else an abort could pass for one, and not be counted."""
    cut = shoe.commitment.cards - shoe.commitment.behind_cut
    if shoe.left <= cut:
        raise Refusal("fairness/too-early", {"left": shoe.left, "cut": cut})
    if shoe.face_down:
        raise Refusal("fairness/not-shown", {"cards": len(shoe.face_down)})


def _shown(shoe: VerifiableShoe, step: CardShown) -> VerifiableShoe:
    following = shoe.is_next(step.place)
    if not following and step.place not in shoe.face_down:
        raise Refusal("fairness/place", {"number": step.place + 1})
    if shoe.to_burn:
        raise Refusal("shoe/burn-first", {"left": shoe.to_burn})
    if step.position != shoe.order[step.place]:
        raise Refusal("fairness/position", {"number": step.place + 1, "card": str(step.card)})
    if not is_committed(shoe.commitment, step):
        raise Refusal("fairness/not-committed", {"number": step.place + 1, "card": str(step.card)})
    return replace(
        shoe,
        left=shoe.left + following,
        face_down=shoe.face_down - {step.place},
        shown={**shoe.shown, step.place: step.card},
    )


def _opened(shoe: VerifiableShoe, step: ShoeOpened | ShoeAborted) -> tuple[Card, ...]:
    commitment = shoe.commitment
    sizes = (len(step.cards), len(step.nonces))
    if sizes != (commitment.cards, commitment.cards):
        raise Refusal("fairness/opening", {"shoe": commitment.shoe})
    # A nonce that is short, or that other cards have too, hides nothing: whoever knows it can
    # read cards that were not shown yet.
    if {*map(len, step.nonces)} != {NONCE} or len({*step.nonces}) < len(step.nonces):
        raise Refusal("fairness/nonces", {"shoe": commitment.shoe, "must": NONCE})
    if merkle.root(merkle.grow(leaves(step.cards, step.nonces))) != commitment.root:
        raise Refusal("fairness/opening", {"shoe": commitment.shoe})
    # So many cards with no card too often are exactly so many decks.
    check_copies(step.cards, commitment.decks)
    return step.cards


def _check_size(given: bytes) -> None:
    if len(given) != SEED:
        raise Refusal("fairness/size", {"bytes": len(given), "must": SEED})
