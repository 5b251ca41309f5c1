"""Editions of the house's own rules: a table keeps those of its set-up, and a log from before none.

Each rule of the first edition is tried with it, and at a table that was opened before it.
"""

import pytest

from cutcard.rules.coup import Side
from cutcard.table.setup import EDITION
from cutcard.table.squeezing import squeezes_to_answer
from tests.table.scene import BANKER_WINS, Scene, denied
from tests.table.test_view import STAFF

ETG = "rws-non-commission-etg"
STANDS, DRAWS = "6h 5c Kc Kd", "6h Ks 2c Kd"
"""Four cards after which Player stands on 6 and Banker draws to 5, and with 8 nobody draws."""


def closed(edition: int | None = EDITION) -> Scene:
    """Ann in box 1 has the highest bet; bets are closed, and no card has left the shoe."""
    scene = Scene(face_down=True, edition=edition).fund(ann=10_000).seat("ann", 1)
    return scene.shoe().open().bet("ann", 1, "banker", 5_000).close()


def test_a_new_table_keeps_the_latest_edition() -> None:
    assert (Scene().setup.edition, EDITION) == (1, 1)
    assert [Scene(edition=n).setup.keeps(1) for n in (None, 0, 1, 2)] == [False, False, True, True]


@pytest.mark.clause("CB4 3.9")
def test_no_squeeze_is_asked_for_a_side_that_stands() -> None:
    scene = closed().deal(STANDS)

    refused = denied(scene.ask, "ann", Side.PLAYER)
    assert (refused.code, refused.clause) == ("squeeze/too-late", "CB4 3.9")
    scene.ask("ann", Side.BANKER)
    assert squeezes_to_answer(scene.table) == {"ann": Side.BANKER}

    before = closed(edition=None).deal(STANDS).ask("ann", Side.PLAYER)
    assert before.table.squeeze_asked == {"ann": Side.PLAYER}


@pytest.mark.clause("CB4 3.9")
def test_a_request_lapses_once_its_card_cannot_come() -> None:
    """Ann asks before the first card, nobody answers, and Player stands on its first two."""
    scene = closed().ask("ann", Side.PLAYER)
    scene.deal("6h 5c Kc")
    assert scene.seen_by(STAFF).squeeze_asked == {"ann": Side.PLAYER}
    scene.deal("Kd")

    assert squeezes_to_answer(scene.table) == {} == scene.seen_by(STAFF).squeeze_asked
    assert denied(scene.answer, "ann").code == "squeeze/too-late"
    scene.answer("ann", granted=False)
    assert scene.table.squeeze == {}

    before = closed(edition=None).ask("ann", Side.PLAYER).deal(STANDS)
    assert before.answer("ann").table.squeeze == {Side.PLAYER: "ann"}


def dealt(edition: int | None = EDITION) -> Scene:
    """One round of four cards out of a shuffler of four decks; one card is burned."""
    scene = Scene(continuous=True, decks=4, edition=edition).shoe()
    return scene.open().play(BANKER_WINS)


@pytest.mark.clause("HOUSE shuffler")
def test_a_continuous_shuffler_is_counted_with_every_card_back_in_it() -> None:
    assert dealt().end_shoe(left=208).table.incident is None
    assert dealt().end_shoe(left=207).table.incident is not None

    assert dealt(edition=None).end_shoe(left=208 - 1 - 4).table.incident is None


@pytest.mark.clause("HOUSE open table")
def test_no_chips_are_taken_off_a_table_where_none_lie() -> None:
    scene = Scene(ETG).fund(ann=1_000).shoe().open().bet("ann", 0, "banker", 200).close()

    refused = denied(scene.removed, "ann", 0, "banker")
    assert (refused.code, refused.clause) == ("bet/no-chips", "HOUSE open table")

    before = Scene(ETG, edition=None).fund(ann=1_000).shoe().open()
    before.bet("ann", 0, "banker", 200).close().removed("ann", 0, "banker")
    assert before.table.round.removed == {(0, "ann", "banker")}
