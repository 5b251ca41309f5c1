"""Finds nights with everything in them: `python -m tests.floor.find_nights [SEEDS]`.

The tests of the floor play a few seeds, and everything that is rare must happen in one of them.
After a change to the floor or to a rule the same seeds play other nights. This prints the seeds to
write into `test_simulation.py` and `test_auditor.py`, and what no choice of nights has.
"""

import json
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations

from cutcard.floor.simulation import Report
from cutcard.rulebooks import rulebooks
from cutcard.table.incident import Step
from tests.floor import test_auditor as auditor
from tests.floor import test_simulation as simulation

Found = Mapping[str, set[str]]


def happened(seed: int) -> dict[str, set[str]]:
    """What of all that is wanted came in the nights of one seed, for each test that plays them."""
    seen = simulation.Occurrences()
    night = simulation.run(seed, keep=seen.keep)
    return {
        "simulation": {*(+seen.events), *_irregular(night)},
        "auditor": {one.__name__ for one in auditor.TAMPERINGS if _can(one, auditor.written(seed))},
        "refusals": _refused(simulation.run(seed, simulation.REFUSED_ROUNDS)),
        "terminals": _at_terminals(seed),
    }


def _at_terminals(seed: int) -> set[str]:
    """What happens in a night at electronic tables alone, and what can be tampered with there."""
    seen, written = simulation.Occurrences(), auditor.written_at_terminals(seed)
    for record in json.loads(written):
        seen.keep(record)
    return {*(+seen.events), *(one.__name__ for one in auditor.AT_TERMINALS if _can(one, written))}


def _irregular(night: Report) -> set[str]:
    tables = night.tables.values()
    return {what for one in tables for what in (*(+one.incidents), *(+one.steps))}


def _refused(night: Report) -> set[str]:
    return set(night.elsewhere).union(*(one.refusals for one in night.tables.values()))


def _can(tamper: auditor.Tampering, written: str) -> bool:
    try:
        tamper(json.loads(written))
    except StopIteration:
        return False
    return True


def wanted() -> dict[str, set[str]]:
    kinds = {kind for book in rulebooks() for kind in book.irregularities}
    steps = {step.value for step in Step}
    return {
        "simulation": {*simulation.RARER, *simulation.CONSEQUENCES, *kinds, *steps},
        "auditor": {one.__name__ for one in auditor.TAMPERINGS},
        "refusals": {*simulation.REFUSALS},
        "terminals": {simulation.ELSEWHERE, *(one.__name__ for one in auditor.AT_TERMINALS)},
    }


def best(nights: Mapping[int, Found], test: str, count: int) -> tuple[tuple[int, ...], set[str]]:
    """The nights with the most of what a test wants, and what they lack."""
    everything = wanted()[test]
    lacking = {
        chosen: everything.difference(*(nights[seed][test] for seed in chosen))
        for chosen in combinations(nights, count)
    }
    return min(lacking.items(), key=lambda item: (len(item[1]), sum(item[0])))


def main(most: int) -> None:
    with ProcessPoolExecutor() as pool:
        seeds = range(1, most + 1)
        nights = dict(zip(seeds, pool.map(happened, seeds), strict=True))
    for test, count in (("simulation", 2), ("auditor", 2), ("refusals", 1), ("terminals", 1)):
        chosen, lacking = best(nights, test, count)
        print(test, *chosen, f"(lacks {', '.join(sorted(lacking))})" if lacking else "")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
