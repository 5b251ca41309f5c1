"""Betting systems: how the next stake follows from the last result, as data.

A system is a row of multiples of a unit and a place in it. A win and a loss each move the place;
a push leaves it. No system changes what a bet is worth: each only decides how much is staked, so
that every one of them loses the house edge of all that it stakes.
"""

from dataclasses import dataclass

from cutcard.refusals import Refusal

BACK = -1000
"""A move to the beginning."""


@dataclass(frozen=True)
class System:
    """Multiples of the unit, how far a win and a loss move, and what follows the last place.

    `wraps` says that the beginning follows; else the last place is kept.
    """

    id: str
    name: str
    meaning: str
    stakes: tuple[int, ...]
    win: int
    loss: int
    wraps: bool = False


def _fibonacci(number: int) -> tuple[int, ...]:
    row = [1, 1]
    while len(row) < number:
        row.append(row[-1] + row[-2])
    return tuple(row)


SYSTEMS = {
    system.id: system
    for system in (
        System("flat", "Flat betting", "always one unit", (1,), 0, 0),
        System(
            "martingale",
            "Martingale",
            "double after a loss, one unit after a win",
            tuple(2**place for place in range(40)),
            BACK,
            +1,
        ),
        System(
            "fibonacci",
            "Fibonacci",
            "1 1 2 3 5 8 …: one on after a loss, two back after a win",
            _fibonacci(60),
            -2,
            +1,
        ),
        System(
            "dalembert",
            "D'Alembert",
            "one unit more after a loss, one less after a win",
            tuple(range(1, 2001)),
            -1,
            +1,
        ),
        System(
            "paroli",
            "Paroli",
            "double after a win, three times at most; one unit after a loss",
            (1, 2, 4),
            +1,
            BACK,
            wraps=True,
        ),
        System(
            "1-3-2-6",
            "1-3-2-6",
            "1, 3, 2, 6 units as long as it wins; one unit after a loss",
            (1, 3, 2, 6),
            +1,
            BACK,
            wraps=True,
        ),
    )
}


def system(id: str) -> System:
    try:
        return SYSTEMS[id]
    except KeyError:
        raise Refusal("lab/system", {"text": id, "others": tuple(SYSTEMS)}) from None
