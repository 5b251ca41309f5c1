"""How tests wait: for what must come, for as long as it takes on a busy machine.

A patience can only fail a test. No test passes because some time went by.
"""

import asyncio
import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which a test gives up waiting."""

PATIENCE_MS = 120_000

LONGEST = 600
"""Seconds after which a whole test counts as one that never ends."""


class NeverEnds(BaseException):
    """A test has not ended after the longest time; nothing that it tries may swallow this."""


async def until(holds: Callable[[], object], what: str = "") -> None:
    """Wait until something holds."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError(f"waited {PATIENCE:.0f} s for {what or 'what never came'}") from None


def wait_until(holds: Callable[[], object], what: str, pause: Callable[[], object]) -> None:
    """The same without asyncio; between two looks the caller's pause."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"waited {PATIENCE:.0f} s for {what}")
        pause()


ALLOWED = {
    ("server/killing.py", "asyncio.sleep(chance.uniform(0, 0.05))"): (
        "the kill falls anywhere in a commit; whenever it falls, nothing may be lost"
    ),
    ("server/killing.py", "time.monotonic()"): "bench/kill.py reports how long a take-over took",
    ("server/killing.py", "time.time_ns()"): "servers are processes, and share the machine's clock",
    ("browser/playing.py", "Date.now()"): "a page's clock is stopped where it stands",
    ("server/house.py", "patience: float"): (
        "the server's own patience, as it stops, with rounds that nobody will finish"
    ),
    ("server/test_leaks.py", "asyncio.get_running_loop().time()"): (
        "half of the time is left to the tables, however fast the machine is"
    ),
    ("server/test_leaks.py", "asyncio.sleep(asyncio.get_running_loop().time() - began)"): (
        "half of the time is left to the tables, however fast the machine is"
    ),
    ("server/test_hostile.py", "monkeypatch.setattr(door, 'PATIENCE', 0.3)"): (
        "the server's own patience with a request that never comes"
    ),
    ("server/test_recovery.py", "monkeypatch.setattr('cutcard.server.server.PATIENCE', 0.1)"): (
        "the server's own patience with a database that is away for good"
    ),
    ("server/test_live.py", "live._patience = 0.3"): "the answer it waits for never comes",
    ("server/test_live.py", "patience=0.1"): "nobody listens at that address",
    ("lab/test_work.py", "monkeypatch.setattr('cutcard.lab.work.PATIENCE', '0.2s')"): (
        "nobody listens at that address"
    ),
}
"""Where a test may wait for some time or read a clock, and why that decides nothing."""
