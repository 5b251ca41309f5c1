"""What is shown of a table beside its view."""

from cutcard.roads import roads
from cutcard.roads.result import Result
from cutcard.rules.coup import Winner
from cutcard.wire.shown import pairs_shown


def test_pairs_are_told_in_order_of_play_whoever_won() -> None:
    found = roads(
        [
            Result(Winner.TIE, banker_pair=True),
            Result(Winner.PLAYER, player_pair=True),
            Result(Winner.BANKER),
            Result(Winner.BANKER, player_pair=True, banker_pair=True),
        ]
    )

    assert pairs_shown(found) == "BP.2"
