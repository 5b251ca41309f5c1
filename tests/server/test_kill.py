"""kill -9 under load, on each engine: nothing that anybody was told is lost or done twice."""

from pathlib import Path

import pytest

from tests.engines import ENGINES, fresh
from tests.server.killing import killed, reckoned, venue

pytestmark = pytest.mark.anyio

KILLS = 5


@pytest.mark.parametrize("engine", ENGINES)
async def test_five_kills(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    async with venue(await fresh(engine, request), tmp_path / "house") as house:
        await killed(house, KILLS)
        found = await reckoned(house)

    assert (found.lost, found.doubled, found.unknown) == ([], [], [])
    assert (found.wrong, found.findings, found.total) == ([], [], 0)
    assert found.acknowledged - found.refused > 2 * KILLS
