"""One suite for both engines: every test that asks for a `store` runs twice."""

from collections.abc import AsyncIterator

import pytest

from cutcard.store import Store, open_store
from tests.engines import ENGINES, Raw, fresh, memory

__all__ = ["ENGINES", "Raw", "fresh", "memory"]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def address(engine: str, request: pytest.FixtureRequest) -> str:
    return await fresh(engine, request)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    store = open_store(address)
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def raw(store: Store, address: str) -> Raw:
    assert store
    return Raw(address)
