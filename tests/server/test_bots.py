"""Bots play every book by the API, and their money is what they were told."""

from pathlib import Path

import pytest

from cutcard.client import bots
from cutcard.rulebooks import ids
from tests.patience import PATIENCE
from tests.server.house import BLITZ, PASSWORD, configuration, house

pytestmark = pytest.mark.anyio


async def test_bots_at_every_book_end_with_what_they_were_told(tmp_path: Path) -> None:
    """Two at each table: one sits, one may stand; both have their own account of every round."""
    config = configuration(ids(), BLITZ)

    def enough(tally: bots.Tally) -> bool:
        return tally.bets >= 2 * len(names) and tally.rounds >= len(names)

    async with house(config, f"sqlite:{tmp_path / 'floor.db'}") as floor:
        names = [f"bot{number}" for number in range(1, 2 * len(ids()) + 1)]
        for name in names:
            await floor.person(name)
        tally = await bots.run(floor.url, names, PASSWORD, PATIENCE, enough=enough)

    assert tally.findings == []
    assert enough(tally)


def test_a_stake_is_on_the_step_and_within_the_limits() -> None:
    limits = [
        {"kind": "minimum", "spots": [], "amount": 30},
        {"kind": "maximum", "spots": ["banker"], "amount": 100},
    ]
    banker = {"step": 20, "reserve": 1, "needs": None, "stage": None}
    place = bots.Place("t", 12, {"banker": banker}, limits)

    assert place.least("banker") == 40
    assert [place.stake("banker", times) for times in (1, 2, 4)] == [40, 80, 80]
