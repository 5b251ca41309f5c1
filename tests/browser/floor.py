"""A whole house in a thread of its own, so that a browser can be driven beside it."""

import asyncio
import contextlib
import gc
import threading
from collections.abc import Coroutine, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from cutcard.server.clockwork import DEALER, OPERATOR
from cutcard.server.config import Config
from cutcard.table.commands import ChooseOption, LeaveSeat, Report, Resolve, TakeSeat
from cutcard.table.incident import Step
from cutcard.venue import At
from tests.patience import PATIENCE, until
from tests.server.house import House, house

T = TypeVar("T")


class Floor:
    """A house that runs, and ways to have a word with it from outside."""

    def __init__(self, open_house: House, loop: asyncio.AbstractEventLoop) -> None:
        self.house, self.url, self._loop = open_house, open_house.url, loop

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Have something done in the house's own thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def pace(self, table: str, **changes: object) -> None:
        """Make a table faster or slower from now on."""

        async def change() -> None:
            self.house.pace(table, **changes)

        self.do(change())

    def end_decisions(self, table: str) -> None:
        """The time to decide is over."""

        async def end() -> None:
            self.house.end_decisions(table)

        self.do(end())

    def wait_for(self, table: str, phase: str) -> None:
        """Until a table has come to a phase."""
        live = self.house.server.live
        self.do(until(lambda: live.table(table).phase == phase, f"{phase} at {table}"))

    def goes_wrong(self, table: str, kind: str) -> None:
        """A dealer reports something, and the supervisor lets the round go on."""

        async def report() -> None:
            desk = self.house.server.desk
            desk.act(At(table, Report(kind, DEALER, desk.now())))
            desk.act(At(table, Resolve(Step.CONTINUE, OPERATOR, desk.now())))
            await desk.settled()

        self.do(report())

    def go_on(self, table: str) -> None:
        """Whoever was asked after an error and has not chosen goes on."""

        async def choose() -> None:
            desk = self.house.server.desk
            for patron, chosen in (desk.venue.table(table).options or {}).items():
                if chosen is None:
                    desk.act(At(table, ChooseOption(patron, True, patron, desk.now())))
            await desk.settled()

        self.do(choose())

    def by_hand(self, table: str) -> None:
        """A card of the round under way was entered by two people."""

        async def enter() -> None:
            server = self.house.server
            server.staff.by_hand[table] = server.desk.rounds[table]

        self.do(enter())

    def act(self, table: str, *commands: TakeSeat | LeaveSeat) -> None:
        """Have patrons take and leave seats at a table, each at the present moment of the house."""

        async def give() -> None:
            desk = self.house.server.desk
            desk.act(*(At(table, replace(one, at=desk.now())) for one in commands))
            await desk.settled()

        self.do(give())

    def silence(self) -> None:
        """Let nothing through any more on the live connections there are, as a dead line does."""

        async def mute() -> None:
            for one in gc.get_objects():
                # By its type: whatever stands in for another object may have outlived it.
                if not issubclass(type(one), WebSocketsSansIOProtocol):
                    continue
                if not one.transport.is_closing():
                    one.transport.pause_reading()
                    for way in ("write", "writelines"):
                        setattr(one.transport, way, lambda data: None)

        self.do(mute())


@contextlib.contextmanager
def floor(config: Config, address: str) -> Iterator[Floor]:
    """A house of this configuration, until it is left."""
    opened: list[Floor] = []
    ready, leave = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def stay() -> None:
        loops.append(asyncio.get_running_loop())
        async with house(config, address) as open_house:
            opened.append(Floor(open_house, loops[0]))
            ready.set()
            await leave.wait()

    def run() -> None:
        try:
            asyncio.run(stay())
        finally:
            ready.set()

    thread = threading.Thread(target=run, name="floor")
    thread.start()
    ready.wait(PATIENCE)
    try:
        yield opened[0]
    finally:
        if loops and loops[0].is_running():
            loops[0].call_soon_threadsafe(leave.set)
        thread.join(PATIENCE)
