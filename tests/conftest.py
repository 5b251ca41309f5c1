"""One profile for every property: reproducible in CI, and never slow enough to be skipped."""

import os

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
