"""Staff who watch a table hear of it as staff: bets with names, warnings, what to do next.

There are few of them, so each is told the whole view whenever something changed.
"""

import asyncio

from cutcard.refusals import Refusal
from cutcard.server.desk import Published
from cutcard.server.live import Live, Socket, encode, framed
from cutcard.server.staff import Staff
from cutcard.server.staffview import SEE, shown
from cutcard.store import Person

TICK = 1.0
"""Seconds between looks at the clock: time to choose runs out, and consoles lock."""


class StaffLive:
    """Tells staff what patrons are not told."""

    def __init__(self, live: Live, staff: Staff) -> None:
        self.live, self.staff = live, staff
        self._told: dict[tuple[Socket, str], bytes] = {}
        live.watched.append(self._begin)
        live.desk.listeners.append(self._publish)
        staff.changed.append(self.tell)

    def _begin(self, socket: Socket, name: str) -> None:
        if self._is_staff(socket.person):
            self._told.pop((socket, name), None)
            # After the table itself, which a snapshot or a change has just told.
            self._tell(socket, name)

    def _publish(self, told: Published) -> None:
        for name in told.tables:
            self.tell(name)

    def tell(self, name: str) -> None:
        """Something at a table is not as it was, or may not be."""
        channel = self.live.channels.get(name)
        for socket in channel.sockets if channel else ():
            if self._is_staff(socket.person) and socket.has_room:
                self._tell(socket, name)

    def _is_staff(self, person: Person | None) -> bool:
        return person is not None and person.kind == "staff" and person.role in SEE

    def _tell(self, socket: Socket, name: str) -> None:
        assert socket.person is not None, "only staff are told"
        view = encode(shown(self.staff, name, socket.person))
        if self._told.get((socket, name)) == view:
            return
        self._told[socket, name] = view
        desk = self.live.desk
        told = b'{"is":"staff","seq":%d,"now":%d,"staff":%b}'
        socket.send(framed(told % (desk.shown.table(name).seq, desk.now(), view)))

    async def run(self) -> None:
        """Time passes: tell whoever it concerns."""
        while True:
            await asyncio.sleep(TICK)
            gone = [one for one in self._told if one[0] not in self.live.sockets]
            for one in gone:
                del self._told[one]
            for name in {name for _, name in self._told}:
                try:
                    self.tell(name)
                except Refusal:
                    self.live.desk.check_alive()
