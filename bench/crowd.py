"""A round of a crowd through the API, to the unit: what it takes, and whether a bet costs more.

    python bench/crowd.py [--online 1000] [--most 5000] [--devices 500]

All eight rule sets are played on one server: the online ones by so many patrons each, the
electronic one by so many devices, the others by as many patrons as sit there. Then so many
patrons as `--most` says play at one online table. The reference is a bet among ten patrons at
the same table, in the same run; every stack is compared with what the cards say it must be,
and the whole log is audited at the end. Loopback only; it ends by itself.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from cutcard.rulebooks import ids
from cutcard.server.audit import verify
from cutcard.server.operations import set_up_logs
from tests.server.crowd import Crowd, crowd, size
from tests.server.house import House, configuration, house

ONLINE = "online-baccarat"
FEW, REPEATED = 10, 30
"""The reference: so few patrons, and so many rounds of them."""

ROW = "{:26} {:>8} {:>8} {:>10} {:>10}"


def processor() -> float:
    """Seconds of this process: server and clients together."""
    times = os.times()
    return times.user + times.system


async def bets(found: Crowd, rounds: int = 1) -> tuple[int, float, float]:
    """Bets placed, and seconds of the clock and of the processor that they took."""
    count = clock = worked = 0.0
    for _ in range(rounds):
        began, work = time.perf_counter(), processor()
        count += await found.bet()
        clock, worked = clock + time.perf_counter() - began, worked + processor() - work
        await found.settle()
    return int(count), clock, worked


async def play(venue: House, book: str, many: int, rounds: int = 1) -> float:
    """Play a book, print a row, and answer the processor's milliseconds for a bet."""
    async with crowd(venue, book, many) as found:
        count, clock, worked = await bets(found, rounds)
    each = 1000 * worked / count
    print(ROW.format(book, many, count, f"{clock:.2f} s", f"{each:.3f} ms"))
    return each


async def main(online: int, most: int, devices: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:{Path(folder) / 'crowd.db'}"
        async with house(configuration(ids()), address) as venue:
            print(ROW.format("book", "players", "bets", "bets took", "cpu a bet"))
            few = await play(venue, ONLINE, FEW, REPEATED)
            for book in ids():
                await play(venue, book, size(book, online, devices))
            many = await play(venue, ONLINE, most)
        result = await verify(address)
    assert result.holds, result.findings
    print(f"every stack to the unit; {result.records} records audited: they hold")
    print(f"a bet among {most} costs {many / few:.2f} times one among {FEW}")


if __name__ == "__main__":
    set_up_logs("warning")
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--online", type=int, default=1000)
    given.add_argument("--most", type=int, default=5000)
    given.add_argument("--devices", type=int, default=500)
    asyncio.run(main(**vars(given.parse_args())))
