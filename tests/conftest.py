"""One profile for every property: reproducible in CI, and never slow enough to be skipped."""

import asyncio
import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import settings

from cutcard.rulebooks import clauses
from tests.engines import files, postgresql

__all__ = ["files", "postgresql"]

# The same examples for everybody in CI, where more of them would show nothing new.
IN_CI = bool(os.environ.get("CI"))
settings.register_profile(
    "cutcard", deadline=None, derandomize=IN_CI, max_examples=50 if IN_CI else 100
)
settings.load_profile("cutcard")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clause", help="only the tests of this clause and its parts, say 'CB4 5.7'")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test may only claim to prove a clause that exists; one clause's may be asked for."""
    known = {clause.citation for clause in clauses()}
    wanted = config.getoption("--clause")
    if wanted is not None and not any(_is_part(one, wanted) for one in known):
        raise pytest.UsageError(f"no document has a clause {wanted}")
    chosen = []
    for item in items:
        proves = {one for mark in item.iter_markers("clause") for one in mark.args}
        assert proves <= known, f"{item.nodeid} names a clause that no document has"
        if wanted is None or any(_is_part(one, wanted) for one in proves):
            chosen.append(item)
    items[:] = chosen


def _is_part(citation: str, clause: str) -> bool:
    """Whether a clause is the one named or a part: 5.7.1 is one of 5.7, 5.10 is none of 5.1."""
    return citation == clause or citation.startswith((f"{clause}.", f"{clause} "))


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


def pytest_collection_finish() -> None:
    """What was collected stays to the end, and need not be looked through again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
