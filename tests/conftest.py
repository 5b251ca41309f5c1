"""One profile for every property: reproducible in CI, and never slow enough to be skipped."""

import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from cutcard.rulebooks import clauses
from run import PARTS
from tests.engines import files, postgresql
from tests.patience import LONGEST, NeverEnds

__all__ = ["files", "postgresql"]

# The same examples each time in CI, and others each time elsewhere.
IN_CI = bool(os.environ.get("CI"))
settings.register_profile("cutcard", deadline=None, derandomize=IN_CI, max_examples=50)
settings.load_profile("cutcard")


def pytest_configure(config: pytest.Config) -> None:
    """A machine of CI may lack a browser: it is fetched while the first tests run."""
    if IN_CI and not hasattr(config, "workerinput"):
        fetching = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.finding"],
            cwd=config.rootpath,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if config.option.collectonly:
            return  # Others come and wait for it.

        def fetched() -> None:
            fetching.wait()

        config.add_cleanup(fetched)


def part_of(nodeid: str) -> str:
    """Which part of the tests a test belongs to (run.py)."""
    room = nodeid.split("/")[1] if nodeid.startswith("tests/") else ""
    return next((part for part, rooms in PARTS.items() if room in rooms), "pure rooms")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell run.py how much of the workers' time each part took."""
    wanted = os.environ.get("CUTCARD_PARTS")
    if wanted is None:
        return
    workers = terminalreporter.config.getoption("numprocesses", None) or 1
    spent: dict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for one in reports:
            if isinstance(one, pytest.TestReport):
                spent[part_of(one.nodeid)] += one.duration
    told = {part: seconds / workers for part, seconds in spent.items()}
    Path(wanted).write_text(json.dumps(told), encoding="utf-8")


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
    # Long files first: no worker is left alone with one at the end.
    order = [*PARTS]
    items[:] = sorted(chosen, key=lambda item: order.index(part_of(item.nodeid)))


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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A test that waits for what never comes fails, and the others have their turn."""

    def stop(*_: object) -> None:
        raise NeverEnds(f"{item.nodeid} has not ended after {LONGEST} s")

    if not hasattr(signal, "SIGALRM"):
        return (yield)
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def pytest_collection_finish() -> None:
    """What was collected stays to the end, and need not be looked through again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
