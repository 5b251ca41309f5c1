"""Houses for the tests that need a whole server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.house import House, configuration, house


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:{tmp_path / 'house.db'}"


@pytest.fixture
async def etg(address: str) -> AsyncIterator[House]:
    """A house with one electronic table."""
    async with house(configuration(), address) as open_house:
        yield open_house
