"""Kills a server under load, many times: `python bench/kill.py --kills 1000 --engine sqlite`.

Two patrons play at two tables without a pause and send every command again, under its key,
until it is answered. At the end everything that they were told is looked for in the
database, and the database is audited. Exit code 1 if anything is lost, doubled or wrong.
"""

import argparse
import asyncio
import contextlib
import logging
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.engines import ENGINES, running_postgresql
from tests.server.killing import killed, reckoned, report, venue

MOST = 100_000
LEASE_MS = 1_000
"""How long the next server waits for a dead one."""


async def main(kills: int, address: str, folder: Path, seed: int) -> bool:
    began = time.monotonic()
    async with venue(address, folder, lease_ms=LEASE_MS) as house:
        await killed(house, kills, seed, hurried=False)
        found = await reckoned(house)
    print(report(house, found, time.monotonic() - began))
    for sentence in (*found.lost, *found.doubled, *found.unknown, *found.wrong, *found.findings):
        print(f"✗ {sentence}")
    return found.holds


if __name__ == "__main__":
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--kills", type=int, default=1000)
    words.add_argument("--engine", choices=ENGINES, default="sqlite")
    words.add_argument("--seed", type=int, default=7, help="When to kill, and what to play.")
    given = words.parse_args()
    logging.disable(logging.INFO)
    with contextlib.ExitStack() as stack:
        here = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cutcard-kill-")))
        where = f"sqlite:{here / 'venue.db'}"
        if given.engine == "postgresql":
            where = stack.enter_context(running_postgresql())
        kills = min(given.kills, MOST)
        sys.exit(0 if asyncio.run(main(kills, where, here / "house", given.seed)) else 1)
