"""Results: what the roads know of each concluded round.

A result is far less than a coup. The roads need the winner and a few marks to
show in a cell, so they can also be read from a line of letters such as
`TBBPPP`, the form in which shoes are written in tests and on the command line.
"""

from dataclasses import dataclass

from cutcard.refusals import Refusal
from cutcard.rules.coup import Coup, Winner
from cutcard.rules.facts import Hand

LETTERS = {Winner.BANKER: "B", Winner.PLAYER: "P", Winner.TIE: "T"}
WINNERS = {letter: winner for winner, letter in LETTERS.items()}


@dataclass(frozen=True, slots=True)
class Result:
    """One concluded round; everything but the winner may be left unsaid."""

    winner: Winner
    player_pair: bool = False
    banker_pair: bool = False
    player_natural: bool = False
    banker_natural: bool = False
    player_points: int | None = None
    banker_points: int | None = None

    @classmethod
    def of(cls, coup: Coup) -> "Result":
        """What the roads show of a finished coup."""
        player, banker = Hand.of(coup.player), Hand.of(coup.banker)
        return cls(
            winner=coup.winner,
            player_pair=player.pair,
            banker_pair=banker.pair,
            player_natural=player.natural,
            banker_natural=banker.natural,
            player_points=player.points,
            banker_points=banker.points,
        )


def parse(text: str) -> tuple[Result, ...]:
    """Read winners from letters in either case; spaces and commas only separate.

    A refusal is read by a person, so its position counts characters from 1.
    """
    found = []
    for position, character in enumerate(text, start=1):
        if character.isspace() or character == ",":
            continue
        winner = WINNERS.get(character.upper())
        if winner is None:
            raise Refusal("roads/unreadable", {"text": character, "position": position})
        found.append(Result(winner))
    return tuple(found)
