"""What a verifiable shoe costs: committing, proving every card, verifying all of it.

    python bench/fairness.py

Eight decks. The reference is `random.shuffle` of 416 cards, in the same run.
"""

import os
import random
import statistics
import sys
import time
from collections.abc import Callable

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
    is_committed,
    opening,
    prepare,
    seal,
    show,
    take,
    verify,
)
from cutcard.fairness.steps import CardShown
from cutcard.rules.shoe import full_shoe

RUNS = 15
CARDS = 416
SEED = bytes(32)


def commit(source: Source) -> tuple[Commitment, Secret]:
    terms = {"number": 1, "decks": 8, "behind_cut": 14, "seeds_until": 1}
    return prepare(source, table="bench", book="bench", **terms)


def seeded(commitment: Commitment) -> tuple[VerifiableShoe, list[Step]]:
    """A shoe with one patron's seed, and the steps that led there."""
    steps: list[Step] = [
        SeedSealed("patron", seal(commitment, "patron", SEED), 0),
        SeedsClosed(1),
        SeedGiven("patron", SEED),
    ]
    shoe = begin(commitment)
    for step in steps:
        shoe = advance(shoe, step)
    return shoe, steps


def deal(shoe: VerifiableShoe, secret: Secret) -> list[Step]:
    """Prove every card but the burned ones, each checked by the house before it goes out."""
    steps: list[Step] = []
    for _ in range(CARDS):
        step = take(shoe) if shoe.to_burn else show(shoe, secret)
        shoe = advance(shoe, step)
        steps.append(step)
    return [*steps, opening(secret)]


def timed(work: Callable[[], object]) -> float:
    """Median processor seconds."""
    runs = []
    for _ in range(RUNS):
        began = time.process_time()
        work()
        runs.append(time.process_time() - began)
    return statistics.median(runs)


def main() -> int:
    source = Source(os.urandom)
    commitment, secret = commit(source)
    shoe, seeds = seeded(commitment)
    dealt = deal(shoe, secret)
    shown = [step for step in dealt if isinstance(step, CardShown)]
    steps = [*seeds, *dealt]
    assert verify(commitment, steps).wrong is None

    new = list(full_shoe(8))
    reference = timed(lambda: [random.shuffle(new) for _ in range(20)]) / 20
    costs = {
        "shuffle and commit": timed(lambda: commit(source)),
        "patrons' order": timed(lambda: seeded(commitment)),
        "prove every card": timed(lambda: deal(shoe, secret)),
        "a patron checks every card": timed(lambda: [is_committed(commitment, s) for s in shown]),
        "verify the whole shoe": timed(lambda: verify(commitment, steps)),
    }
    print("416 cards                       ms   µs a card   × random.shuffle")
    for name, cost in [("random.shuffle", reference), *costs.items()]:
        each = cost / CARDS
        print(f"{name:<27} {cost * 1e3:7.2f} {each * 1e6:11.2f} {cost / reference:18.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
