"""The counts beside the roads: how often each thing happened in this shoe.

Whole numbers only. A share is for the screen to work out, next to the fixed
theoretical one, so that a patron sees noise for what it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cutcard.roads.big import Streak, streaks
from cutcard.roads.result import Result
from cutcard.rules.coup import Winner


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of rounds; `naturals` counts a round once, even if both sides had one."""

    rounds: int
    banker: int
    player: int
    tie: int
    banker_pairs: int
    player_pairs: int
    banker_naturals: int
    player_naturals: int
    naturals: int
    streak: Streak | None  # the current one; a tie does not end it


def count(results: Sequence[Result]) -> Counts:
    """Count one shoe's results."""
    winners = [result.winner for result in results]
    columns = streaks(results)
    return Counts(
        rounds=len(results),
        banker=winners.count(Winner.BANKER),
        player=winners.count(Winner.PLAYER),
        tie=winners.count(Winner.TIE),
        banker_pairs=sum(result.banker_pair for result in results),
        player_pairs=sum(result.player_pair for result in results),
        banker_naturals=sum(result.banker_natural for result in results),
        player_naturals=sum(result.player_natural for result in results),
        naturals=sum(result.banker_natural or result.player_natural for result in results),
        streak=columns[-1] if columns else None,
    )
