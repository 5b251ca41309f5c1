"""A crowd at a table of every book, through the API, to the unit.

`python bench/crowd.py` plays it with a thousand patrons at each online table, with five
thousand at one of them, and with five hundred devices at the electronic one.
"""

from collections.abc import AsyncIterator

import pytest

from cutcard.rulebooks import ids
from cutcard.server.audit import verify
from tests.server.crowd import crowd, size
from tests.server.house import House, configuration, house

pytestmark = pytest.mark.anyio

PATRONS, DEVICES, ROUNDS = 24, 16, 2


@pytest.fixture(scope="module")
async def venue(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    address = f"sqlite:{tmp_path_factory.mktemp('crowd') / 'house.db'}"
    async with house(configuration(ids()), address) as found:
        yield found
    audited = await verify(address)
    assert audited.findings == []
    assert audited.rounds >= ROUNDS * len(ids())


@pytest.mark.parametrize("book", ids())
async def test_a_crowd_plays_to_the_unit(venue: House, book: str) -> None:
    async with crowd(venue, book, size(book, PATRONS, DEVICES)) as found:
        for _ in range(ROUNDS):
            assert await found.bet() > len(found.patrons)
            await found.settle()
