"""How tests wait: for what must come, for as long as it takes on a busy machine.

A patience can only fail a test. No test passes because some time went by.
"""

import asyncio
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which a test gives up waiting."""

PATIENCE_MS = 120_000

LONGEST = 600
"""Seconds after which a whole test counts as one that never ends."""


async def until(holds: Callable[[], object], what: str = "") -> None:
    """Wait until something holds."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError(f"waited {PATIENCE:.0f} s for {what or 'what never came'}") from None
