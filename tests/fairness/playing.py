"""A shoe from commitment to opening, for the tests that look at one."""

from dataclasses import dataclass, replace

from cutcard.fairness import (
    Commitment,
    Secret,
    SeedGiven,
    SeedsClosed,
    SeedSealed,
    Source,
    Step,
    VerifiableShoe,
    advance,
    begin,
    opening,
    prepare,
    seal,
    show,
    take,
)
from cutcard.fairness.drbg import HmacDrbg
from cutcard.rules.shoe import burn_count

UNTIL = 1_000_000
SEEDS = {"ann": b"a" * 32, "bob": b"b" * 32}


def seeded(seed: int) -> Source:
    """A source for tests: the same on every run."""
    drbg = HmacDrbg(seed.to_bytes(32, "big"), b"", b"tests of fairness")
    return Source(drbg.generate)


@dataclass(frozen=True)
class Played:
    """A shoe, what the house knows of it, and every step since the commitment."""

    commitment: Commitment
    secret: Secret
    shoe: VerifiableShoe
    steps: tuple[Step, ...] = ()

    def then(self, *steps: Step) -> "Played":
        shoe = self.shoe
        for step in steps:
            shoe = advance(shoe, step)
        return replace(self, shoe=shoe, steps=(*self.steps, *steps))


def committed(*, seed: int = 7, number: int = 1, decks: int = 1) -> Played:
    commitment, secret = prepare(
        seeded(seed),
        table="t7",
        number=number,
        book="c0ffee",
        decks=decks,
        behind_cut=14,
        seeds_until=UNTIL,
    )
    return Played(commitment, secret, begin(commitment))


def sealed(played: Played) -> Played:
    return played.then(
        *(
            SeedSealed(giver, seal(played.commitment, giver, seed), UNTIL - 1)
            for giver, seed in SEEDS.items()
        )
    )


def closed(played: Played) -> Played:
    return sealed(played).then(SeedsClosed(UNTIL))


def ready(played: Played) -> Played:
    """All seeds given: the cards may be dealt."""
    return closed(played).then(*(SeedGiven(giver, seed) for giver, seed in SEEDS.items()))


def burned(played: Played) -> Played:
    """The first card exposed, and as many burned as it counts."""
    first = show(played.shoe, played.secret)
    played = played.then(first)
    for _ in range(burn_count(first.card)):
        played = played.then(take(played.shoe))
    return played


def dealt(played: Played) -> Played:
    """Dealt until just after the cut card."""
    played = burned(ready(played))
    while played.shoe.left <= played.commitment.cards - played.commitment.behind_cut:
        played = played.then(show(played.shoe, played.secret))
    return played


def finished(played: Played) -> Played:
    return dealt(played).then(opening(played.secret))
