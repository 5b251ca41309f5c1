"""The ask roads: which marks the derived roads would get if a side won next.

The question is answered by really adding that win to a copy of the results,
so an answer cannot differ from the mark that the win would then bring.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cutcard.roads.big import streaks
from cutcard.roads.derived import Derived, Mark, mark
from cutcard.roads.result import Result
from cutcard.rules.coup import Winner


@dataclass(frozen=True, slots=True)
class Answer:
    """The next mark of each derived road; None where it would get none."""

    big_eye: Mark | None
    small: Mark | None
    cockroach: Mark | None


@dataclass(frozen=True, slots=True)
class Ask:
    """The answers for a Banker win and for a Player win."""

    banker: Answer
    player: Answer


def ask(results: Sequence[Result]) -> Ask:
    """What either side's win would bring; the results themselves are left alone."""
    return Ask(banker=_answer(results, Winner.BANKER), player=_answer(results, Winner.PLAYER))


def _answer(results: Sequence[Result], winner: Winner) -> Answer:
    *left, depth = (streak.depth for streak in streaks([*results, Result(winner)]))
    return Answer(
        big_eye=mark(left, depth, Derived.BIG_EYE),
        small=mark(left, depth, Derived.SMALL),
        cockroach=mark(left, depth, Derived.COCKROACH),
    )
