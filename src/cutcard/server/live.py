"""Live: everybody who watches hears of every commit, once it is on disk.

A frame is encoded once for each table and audience and written to every watcher's
socket as it is. Nobody is waited for: whoever reads too slowly is passed over, and gets
the table whole as soon as there is room again.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec

from cutcard.refusals import Refusal
from cutcard.round.events import BetPlaced, BetWithdrawn, CardDealt, ResultCalled
from cutcard.server.clockwork import Clockwork
from cutcard.server.counter import Told, refused
from cutcard.server.dealer import is_committed
from cutcard.server.desk import Desk, Published
from cutcard.server.limits import Rate
from cutcard.server.routes.asking import misread
from cutcard.store import Person
from cutcard.table.events import CardBurned, CardExposed, CutCardShown
from cutcard.table.state import Table
from cutcard.table.view import PUBLIC, Audience, Viewer, view
from cutcard.venue import Event, Venue
from cutcard.wire import api
from cutcard.wire.shown import InterruptedShown, OwnShown, TableShown, own_shown, table_shown

KEPT = 256
"""Frames of a table that a returning client can catch up on."""

MOST_BUFFERED = 256 * 1024
"""Bytes that may wait for a slow client before it is passed over."""

MOST_WATCHED = 16
"""Tables that one connection may watch."""

REMEMBERED_MS = 60_000
"""For so long the frames of a table are kept up that nobody watches: somebody may come back."""

GATHERED = 0.1
"""Seconds within which bets are told together; whatever else happens is told at once."""

PATIENCE = 0.2
"""Seconds after which a patron's own bets are shown to the patron's other screens."""

encode = msgspec.json.Encoder().encode


class Socket:
    """One connection; `write` sends a whole WebSocket message without waiting."""

    __slots__ = ("_buffered", "_end", "_write", "behind", "own", "person", "tables", "token")

    def __init__(
        self,
        person: Person | None,
        write: Callable[[bytes], None],
        buffered: Callable[[], int],
        token: str = "",
        end: Callable[[], None] = lambda: None,
    ) -> None:
        self.person, self._write, self._buffered = person, write, buffered
        self.token, self._end = token, end
        self.tables: set[str] = set()
        self.own: dict[str, bytes] = {}
        """What was told last of the patron's own at each table."""

        self.behind: set[str] = set()
        """Tables of which it has missed something because it was too slow."""

    @property
    def has_room(self) -> bool:
        return self._buffered() < MOST_BUFFERED

    def send(self, frame: bytes) -> None:
        """A frame from `framed`."""
        self._write(frame)

    def tell(self, message: object) -> None:
        self._write(framed(encode(message)))

    def end(self) -> None:
        """Say nothing more, and hang up."""
        self._write = _unsaid
        self._end()


def _unsaid(frame: bytes) -> None:
    """Whoever is signed out hears nothing more."""


def framed(payload: bytes) -> bytes:
    """A text message as it goes over the wire from a server (RFC 6455, unmasked)."""
    size = len(payload)
    if size < 126:
        return b"\x81" + bytes((size,)) + payload
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + payload
    return b"\x81\x7f" + size.to_bytes(8, "big") + payload


@dataclass(frozen=True, slots=True)
class Frame:
    """What changed at a table between two sequence numbers, ready to be sent."""

    was: int
    seq: int
    bytes: bytes


@dataclass(slots=True)
class Channel:
    """One table's public frames and watchers."""

    seq: int
    shown: TableShown
    frames: deque[Frame] = field(default_factory=lambda: deque(maxlen=KEPT))
    sockets: set[Socket] = field(default_factory=set)
    left_at: int = 0
    """When the last of them left."""

    snapshot: bytes | None = None
    own: set[str] = field(default_factory=set)
    """Patrons who watch."""

    dirty: set[str] = field(default_factory=set)
    """Patrons whose own may have changed since."""

    told_at: float = 0.0
    """When watchers heard of the table last, by the loop's clock."""

    gathering: bool = False
    """Whether they will hear of more bets in a moment."""


class Live:
    """All channels."""

    def __init__(self, desk: Desk, clockwork: Clockwork, digits: int) -> None:
        self.desk, self.clockwork, self.digits = desk, clockwork, digits
        self.sockets: set[Socket] = set()
        self.channels: dict[str, Channel] = {}
        self.passed_over = 0
        self.by_hand: dict[str, str] = {}
        """The latest round of a table in which a card was entered by hand."""

        self.watched: list[Callable[[Socket, str], None]] = []
        """Hear of everybody who begins to watch a table."""

        self._of: dict[str, int] = {}
        self._looking: asyncio.TimerHandle | None = None
        desk.listeners.append(self.publish)

    # --- what is shown ----------------------------------------------------------------------------

    def table(self, name: str, venue: Venue | None = None) -> TableShown:
        """A table as anybody may see it."""
        found = (venue or self.desk.shown).table(name)
        committed = is_committed(found, self.desk.shown_shoes.get(name))
        seen = view(found, PUBLIC, self.desk.books[name], committed=committed)
        round = self.desk.shown_rounds.get(name, "")
        cut = self.desk.interrupted.get(name)
        shown = table_shown(
            seen,
            round,
            self.clockwork.until(name),
            InterruptedShown(cut.step, cut.clause) if cut and cut.round == round else None,
        )
        if round and self.by_hand.get(name) == round:
            shown = msgspec.structs.replace(shown, by_hand=True)
        if found.setup is None:
            return msgspec.structs.replace(shown, table=name)
        return msgspec.structs.replace(shown, book=found.setup.book_hash)

    def own(self, name: str, patron: str) -> OwnShown:
        """What a patron sees of the patron's own at a table."""
        viewer = Viewer(Audience.PATRON, patron)
        found = self.desk.shown.table(name)
        own = own_shown(view(found, viewer, self.desk.books[name]))
        keep = found.setup.seat_ms if found.setup else None
        if own.seat_until is None or keep is None:
            return own
        # After a start the server keeps every seat for the whole time.
        until = max(own.seat_until, self.clockwork.started + keep)
        return msgspec.structs.replace(own, seat_until=until)

    def channel(self, name: str) -> Channel:
        found = self.channels.get(name)
        if found is None:
            found = Channel(self.desk.shown.table(name).seq, self.table(name))
            self.channels[name] = found
        return found

    # --- publishing -------------------------------------------------------------------------------

    def publish(self, told: Published) -> None:
        """Tell every watcher of the tables that a commit has changed."""
        events: dict[str, list[Event]] = {}
        for name in told.tables:
            if name in self.channels:
                events[name] = []
        if not events:
            return
        for name, event in told.caused:
            if name in events:
                events[name].append(event)
        for name, happened in events.items():
            channel = self.channels[name]
            if not channel.sockets and self.desk.now() - channel.left_at > REMEMBERED_MS:
                # Nobody looks any more: whoever comes back is told the table whole.
                del self.channels[name]
                continue
            if all(isinstance(event, BETS) for event in happened):
                self._publish_soon(name, channel)
            else:
                self._publish(name, channel)
            self._publish_own(name, channel, happened)

    def _publish_soon(self, name: str, channel: Channel) -> None:
        """Bets come in by the hundred: watchers hear of them together, a few times a second."""
        if channel.gathering:
            return
        loop = asyncio.get_running_loop()
        wait = channel.told_at + GATHERED - loop.time()
        if wait <= 0:
            self._publish(name, channel)
        else:
            channel.gathering = True
            loop.call_later(wait, self._publish, name, channel)

    def _publish(self, name: str, channel: Channel) -> None:
        channel.gathering, channel.told_at = False, asyncio.get_running_loop().time()
        shown, seq = self.table(name), self.desk.shown.table(name).seq
        changes = changed(channel.shown, shown)
        if not changes:
            return
        told = {
            "is": "change",
            "table": name,
            "was": channel.seq,
            "seq": seq,
            "now": self.desk.now(),
            "changes": changes,
        }
        frame = Frame(channel.seq, seq, framed(encode(told)))
        channel.frames.append(frame)
        channel.shown, channel.seq, channel.snapshot = shown, seq, None
        self._fan_out(channel, name, frame.bytes)

    def _fan_out(self, channel: Channel, name: str, frame: bytes) -> None:
        for socket in channel.sockets:
            if name in socket.behind:
                if not socket.has_room:
                    continue
                self._catch_up(name, channel, socket)
            elif socket.has_room:
                socket.send(frame)
            else:
                self._pass_over(name, socket)

    def _pass_over(self, name: str, socket: Socket) -> None:
        socket.behind.add(name)
        self.passed_over += 1
        self._look_again()

    def _look_again(self) -> None:
        """Soon see whether whoever was passed over has room: the table itself may be quiet."""
        if self._looking is None:
            loop = asyncio.get_running_loop()
            self._looking = loop.call_later(PATIENCE, self._catch_up_all)

    def _catch_up_all(self) -> None:
        self._looking = None
        for socket in [one for one in self.sockets if one.behind]:
            for name in tuple(socket.behind):
                if socket.has_room:
                    self._catch_up(name, self.channel(name), socket)
            if socket.behind:
                self._look_again()

    def _catch_up(self, name: str, channel: Channel, socket: Socket) -> None:
        """There is room again: send the table whole."""
        socket.behind.discard(name)
        socket.send(self._snapshot(name, channel))
        if socket.person is not None and socket.person.id in channel.own:
            self._tell_own(name, channel, socket, socket.person.id, anyway=True)

    def _publish_own(self, name: str, channel: Channel, events: Iterable[Event]) -> None:
        """Each patron who watches hears of what is the patron's own, if it has changed."""
        if not channel.own:
            return
        concerned = whom(self.desk.shown.table(name), events)
        if concerned is None:
            channel.dirty.update(channel.own)
            self._flush(name, channel)
        elif concerned:
            # Bets are answered one by one anyway; what else a patron sees of them may wait.
            if not channel.dirty:
                asyncio.get_running_loop().call_later(PATIENCE, self._flush, name, channel)
            channel.dirty.update(concerned)

    def _flush(self, name: str, channel: Channel) -> None:
        dirty, channel.dirty = channel.dirty, set()
        for socket in channel.sockets:
            person = socket.person
            if person is not None and person.id in dirty and person.id in channel.own:
                if socket.has_room:
                    self._tell_own(name, channel, socket, person.id)
                else:
                    self._pass_over(name, socket)

    def _tell_own(
        self, name: str, channel: Channel, socket: Socket, patron: str, *, anyway: bool = False
    ) -> None:
        own = encode(self.own(name, patron))
        # Each screen of a patron's is told by itself.
        if anyway or socket.own.get(name) != own:
            socket.own[name] = own
            channel.own.add(patron)
            now = self.desk.now()
            told = b'{"is":"own","seq":%d,"now":%d,"own":%b}' % (channel.seq, now, own)
            socket.send(framed(told))

    def _snapshot(self, name: str, channel: Channel) -> bytes:
        """The whole table, encoded once for all who need it; only the time is each one's own."""
        if channel.snapshot is None:
            channel.snapshot = encode(channel.shown)
        head = encode({"is": "snapshot", "table": name, "seq": channel.seq, "now": self.desk.now()})
        return framed(b'%b,"shown":%b}' % (head[:-1], channel.snapshot))

    # --- connections ------------------------------------------------------------------------------

    def welcome(self, socket: Socket) -> None:
        self.sockets.add(socket)
        if socket.person is not None:
            self._of[socket.person.id] = self.count(socket.person.id) + 1
        you = (
            None
            if socket.person is None
            else {"id": socket.person.id, "name": socket.person.name, "kind": socket.person.kind}
        )
        socket.tell(
            {
                "is": "welcome",
                "version": api.VERSION,
                "now": self.desk.now(),
                "started": self.clockwork.started,
                "you": you,
            }
        )

    def gone(self, socket: Socket) -> None:
        if socket not in self.sockets:
            return
        self.sockets.remove(socket)
        if socket.person is not None:
            left = self._of.pop(socket.person.id) - 1
            if left:
                self._of[socket.person.id] = left
        for name in tuple(socket.tables):
            self.leave(socket, name)

    def count(self, person: str) -> int:
        """The connections of one person."""
        return self._of.get(person, 0)

    def dismiss(self, token: str) -> None:
        """Hang up on everybody who came with a token that is good no more."""
        for socket in [one for one in self.sockets if one.token == token]:
            self.gone(socket)
            socket.end()

    def watch(self, socket: Socket, name: str, since: int | None) -> None:
        """Send what was missed since a sequence number, or the whole table, and then all news."""
        if name not in self.desk.books:
            raise Refusal("table/unknown", {"table": name})
        if len(socket.tables) >= MOST_WATCHED and name not in socket.tables:
            raise Refusal("server/watching", {"most": MOST_WATCHED})
        channel = self.channel(name)
        missed = _missed(channel, since)
        if missed is None:
            socket.send(self._snapshot(name, channel))
        else:
            for frame in missed:
                socket.send(frame.bytes)
        channel.sockets.add(socket)
        socket.tables.add(name)
        socket.behind.discard(name)
        if socket.person is not None and socket.person.plays:
            self._tell_own(name, channel, socket, socket.person.id, anyway=True)
        for hear in self.watched:
            hear(socket, name)

    def leave(self, socket: Socket, name: str) -> None:
        socket.tables.discard(name)
        socket.behind.discard(name)
        socket.own.pop(name, None)
        channel = self.channels.get(name)
        if channel is not None:
            channel.sockets.discard(socket)
            channel.left_at = self.desk.now()
            if socket.person is not None and not any(
                one.person is not None and one.person.id == socket.person.id
                for one in channel.sockets
            ):
                channel.own.discard(socket.person.id)


def whom(table: Table, events: Iterable[Event]) -> set[str] | None:
    """The patrons whose own may have changed by events; None where anybody's may have."""
    concerned: set[str] = set()
    for event in events:
        if isinstance(event, CARDS):
            concerned.update(table.squeeze.values())
        elif isinstance(event, BETS):
            concerned.add(event.bet.patron)
        elif (
            one := getattr(event, "patron", None) or getattr(event, "terminal", None)
        ) is not None:
            concerned.add(one)
        else:
            return None
    return concerned


BETS = BetPlaced | BetWithdrawn

CARDS = CardDealt | CardBurned | CardExposed | ResultCalled | CutCardShown
"""What changes nothing of a patron's own, unless the patron squeezes."""


def changed(before: TableShown, after: TableShown) -> dict[str, Any]:
    """The fields that differ."""
    return {
        name: now
        for name in TableShown.__struct_fields__
        if (now := getattr(after, name)) != getattr(before, name)
    }


def _missed(channel: Channel, since: int | None) -> Iterable[Frame] | None:
    """The frames after a sequence number, if there is none missing; else None."""
    if since is None:
        return None
    if since == channel.seq:
        return ()
    frames = list(channel.frames)
    for place, frame in enumerate(frames):
        if frame.was == since:
            return frames[place:]
    return None


UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What a message can be that is none: no JSON, no text, no end of brackets."""

Begin = Callable[[Person, str, api.Command, Told], None]
"""Has a command carried out, and tells its answer later."""


class Conversation:
    """What one connection says, and what it is answered."""

    MOST_UNDER_WAY = 64
    """Commands of one connection that may wait for the disk at the same time."""

    MESSAGES_A_MINUTE = 6_000
    SLOWEST = 30.0
    """Seconds in which a client must have read what it asked for, before it may ask for more."""

    def __init__(self, live: Live, socket: Socket, begin: Begin, language: str) -> None:
        self.live, self.socket, self._begin, self.language = live, socket, begin, language
        self._under_way = 0
        self._pace = Rate(self.MESSAGES_A_MINUTE, 60_000, keys=1)

    async def room(self) -> bool:
        """Wait until the client has read enough to be answered; False if it does not read."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.SLOWEST
        while not self.socket.has_room:
            if loop.time() > end:
                return False
            await asyncio.sleep(PATIENCE / 4)
        return True

    def hear(self, text: str | bytes) -> None:
        """One message of the client's."""
        if self._pace.take("", self.live.desk.now()):
            self._refuse(Refusal("server/too-fast", {"most": self.MESSAGES_A_MINUTE}))
            return
        try:
            said = api.decode_said(text)
        except UNREADABLE as error:
            self._refuse(misread(str(error)), api.key_of(text))
            return
        try:
            self._obey(said)
        except Refusal as refusal:
            self._refuse(refusal, said.key if isinstance(said, api.Do) else None)

    def _obey(self, said: api.Said) -> None:
        match said:
            case api.Do(key=key, command=command):
                if self.socket.person is None:
                    raise Refusal("signin/needed")
                if self._under_way >= self.MOST_UNDER_WAY:
                    raise Refusal("server/busy")
                self._begin(self.socket.person, key, command, partial(self._answered, key))
                self._under_way += 1
            case api.Watch(table=table, since=since):
                self.live.watch(self.socket, table, since)
            case api.Leave(table=table):
                self.live.leave(self.socket, table)
            case api.Ping(sent=sent):
                self.socket.tell({"is": "time", "now": self.live.desk.now(), "sent": sent})
            case api.Speak(language=language):
                self.language = language

    def _answered(self, key: str, answer: bytes | Refusal) -> None:
        self._under_way -= 1
        if isinstance(answer, Refusal):
            self._refuse(answer, key)
        else:
            self.socket.send(framed(answer))

    def _refuse(self, refusal: Refusal, key: str | None = None) -> None:
        self.socket.tell(refused(refusal, self.language, self.live.digits, key))
