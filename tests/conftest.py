"""One profile for every property: reproducible in CI, and never slow enough to be skipped."""

import asyncio
import os
from collections.abc import Generator

import pytest
from hypothesis import settings

from cutcard.rulebooks import clauses
from tests.engines import files, postgresql

__all__ = ["files", "postgresql"]

settings.register_profile("cutcard", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("cutcard")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test may only claim to prove a clause that exists."""
    known = {clause.citation for clause in clauses()}
    for item in items:
        for mark in item.iter_markers("clause"):
            assert set(mark.args) <= known, f"{item.nodeid} names a clause that no document has"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """The browser's loop stands still between its tests: others may run loops of their own."""
    standing = asyncio._get_running_loop()
    if standing is None or "browser" in item.path.parts:
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        if not standing.is_closed():
            asyncio._set_running_loop(standing)
