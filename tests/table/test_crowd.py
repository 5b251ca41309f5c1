"""An open table has no cap on its patrons: five thousand bet in one round."""

import pytest

from cutcard.rulebooks import load
from tests.table.scene import BANKER_WINS, Scene

PATRONS = 5_000
STAKE = 1_000


@pytest.mark.clause("HOUSE open table")
def test_five_thousand_patrons_bet_in_one_round() -> None:
    """Half on Player, half on Banker, one in fifty on the tie besides; Banker wins.

    The limits are the book's own: 5,000 between Player and Banker for each patron, and side
    bets of the whole table by their sum.
    """
    scene = Scene("online-baccarat", limits=load("online-baccarat").limits)
    names = [f"patron-{number}" for number in range(PATRONS)]
    scene.fund(**dict.fromkeys(names, 10_000)).shoe().open()
    for number, name in enumerate(names):
        scene.bet(name, 1, ("player", "banker")[number % 2], STAKE)
        if number % 50 == 0:
            scene.bet(name, 1, "tie", STAKE)

    scene.play(BANKER_WINS)

    won, lost, tie = STAKE * 95 // 100, -STAKE, -STAKE
    for number, name in enumerate(names):
        net = (won if number % 2 else lost) + (tie if number % 50 == 0 else 0)
        assert scene.stack(name) == 10_000 + net, name
    # What the losers of one side lose, the winners of the other win: the tie bets remain.
    assert scene.house == PATRONS // 50 * STAKE
    assert scene.commission == PATRONS // 2 * STAKE // 20
    assert scene.ledger.total() == 0
