"""The desk: the one place where a venue changes.

Commands are decided at once, against the venue as it will be when everything decided
before is on disk; their records are gathered and written together, many commands to a
commit. Nobody hears of anything before its commit has returned: `shown` is the venue as
the disk has it, and the only one that views are made from.

The venue is a value, so being ahead of the disk costs nothing, and a command that is
refused half-way has changed nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from cutcard import chain, wire
from cutcard.chain import Head, canonical
from cutcard.fairness import Commitment, Step, VerifiableShoe, advance, begin, succeed
from cutcard.pack.logbook import ENDS, round_name
from cutcard.refusals import Refusal
from cutcard.round import events as in_round
from cutcard.rules.rulebook import Rulebook
from cutcard.server import notable
from cutcard.store import Answered, Batch, Kept, Lease, Money, SecretShoe, Significant, Store
from cutcard.table import Table
from cutcard.table.events import IncidentResolved
from cutcard.table.incident import INTERRUPTION, SYSTEM
from cutcard.venue import CAGE, PATRON, Command, Event, Venue, decide, happen

if TYPE_CHECKING:
    from cutcard.chain.signing import SignedHead

T = TypeVar("T")

AWAY, FENCED = "store/away", "store/fenced"
PATRONS = "patrons"
"""The log of all patrons' own protection."""

SLOWEST = 2.0
"""Seconds between two tries, at most, while the database does not answer."""

MOST_WAITING = 4096
"""So many records may wait for the disk; then new commands are refused until it catches up."""


@dataclass(frozen=True, slots=True)
class Stepped:
    """A step of a table's committed shoe, done in the same breath as the commands around it."""

    table: str
    step: Commitment | Step
    secret: SecretShoe | None = None
    """With a commitment: the order that it commits to, encrypted."""


Wanted = Command | Stepped


@dataclass(frozen=True, slots=True)
class Interrupted:
    """What the book ordered about a round that a restart interrupted."""

    round: str
    step: str
    clause: str


@dataclass(slots=True)
class _Written:
    """What one act adds: written down only when nothing of it was refused."""

    venue: Venue
    shoes: dict[str, VerifiableShoe]
    heads: dict[str, Head]
    rounds: dict[str, str]
    interrupted: dict[str, Interrupted] = field(default_factory=dict)
    batch: Batch = field(default_factory=Batch)
    caused: list[tuple[str, Event]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Published:
    """What a commit has made known: the venue before and after, and which tables changed."""

    before: Venue
    after: Venue
    tables: frozenset[str]
    caused: tuple[tuple[str, Event], ...]


Listener = Callable[[Published], None]
Told = Callable[[Refusal | None], None]
"""Hears that something is on disk, or why it never will be."""


class Desk:
    """Decides, writes and tells. One desk writes to a venue at any time; the leases see to it."""

    def __init__(
        self,
        store: Store,
        books: Mapping[str, Rulebook],
        clock: Callable[[], int],
        private: bytes | None = None,
        notable_amounts: notable.Amounts = notable.NONE,
    ) -> None:
        self.store, self.books = store, books
        self.venue = self.shown = Venue()
        self.shoes: dict[str, VerifiableShoe] = {}
        self.shown_shoes: dict[str, VerifiableShoe] = {}
        self.heads: dict[str, Head] = {}
        self.shown_heads: dict[str, Head] = {}
        self.rounds: dict[str, str] = {}
        """The name of the latest round of each table, such as 2/17."""

        self.shown_rounds: dict[str, str] = {}
        self.interrupted: dict[str, Interrupted] = {}
        """What a restart did to the latest round of a table."""

        self.epochs: dict[str, int] = {}
        self.until = 0
        """When the leases run out, unless they are renewed."""

        self.listeners: list[Listener] = []
        self.deciding: list[Callable[[Iterable[tuple[str, Event]]], None]] = []
        """Hear of what is decided at once: what is decided next may hang on it."""

        self.noted: Callable[[Iterable[Significant]], None] = lambda notes: None
        """Hears of significant events that are on disk."""

        self.away: Callable[[Refusal | None], None] = lambda refusal: None
        """Hears that the database did not answer, and with nothing that it does again."""

        self.renew: Callable[[], Awaitable[None]] = _nothing
        """Makes sure of the leases; refuses if somebody else has had a log in between."""

        self.stopped: Refusal | None = None
        self.commits = 0
        self._clock, self._private, self._amounts = clock, private, notable_amounts
        self._latest = 0
        self._batch, self._caused = Batch(), []  # type: ignore[var-annotated]
        self._waiting: list[Told] = []
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    # --- time -------------------------------------------------------------------------------------

    def now(self) -> int:
        """The time, which never goes back: a clock set back makes it stand still."""
        self._latest = max(self._latest, self._clock())
        return self._latest

    def not_before(self, at: int) -> None:
        """Time goes on from here at the earliest: the log has come as far already."""
        self._latest = max(self._latest, at)

    # --- deciding ---------------------------------------------------------------------------------

    def act(self, *wanted: Wanted) -> list[tuple[str, Event]]:
        """Decide commands and steps, all or none; their records wait for the next commit."""
        self.check_working()
        written = self._decided(wanted)
        self._enter(written)
        return written.caused

    def check(self, *wanted: Wanted) -> None:
        """Refuse what `act` would refuse, and do nothing."""
        self._decided(wanted)

    def check_working(self) -> None:
        """Refuse while nothing can be written."""
        if self.stopped is not None:
            raise Refusal("server/stopped")
        if len(self._batch.records) > MOST_WAITING:
            raise Refusal("server/busy")

    def answer(self, answered: Answered) -> None:
        """Keep what a command was answered, in the same commit as what it did."""
        self._batch.answers.append(answered)
        self._stir()

    def note(self, *notes: Significant) -> None:
        """Keep significant events that no record tells."""
        self._batch.significant += notes
        self._stir()

    def sign_day(self, day: str) -> None:
        """Sign every log's head as it is at the end of a day."""
        self._batch.heads += [
            signed
            for log, head in self.heads.items()
            if log in self.epochs and (signed := self._signed(head, "day", day))
        ]
        self._stir()

    @property
    def waiting(self) -> int:
        """Records that wait for the disk."""
        return len(self._batch.records)

    async def settled(self) -> None:
        """Wait until everything decided so far is on disk; refuse if it never will be."""
        self.check_alive()
        if not self._batch and self._idle.is_set():
            return
        done = asyncio.get_running_loop().create_future()

        def told(refusal: Refusal | None) -> None:
            if not done.done():
                done.set_result(refusal)

        self.when_settled(told)
        refusal = await done
        if refusal is not None:
            raise refusal

    async def keep_up(self) -> None:
        """Where much waits for the disk, wait until it is there."""
        if self.waiting > MOST_WAITING // 2:
            await self.settled()

    def when_settled(self, told: Told) -> None:
        """Tell when everything decided so far is on disk. Who waits so costs no task."""
        self._waiting.append(told)
        self._stir()

    def check_alive(self) -> None:
        if self.stopped is not None:
            raise Refusal("server/stopped")

    def _decided(self, wanted: Iterable[Wanted]) -> _Written:
        written = _Written(self.venue, {}, {}, {})
        for want in wanted:
            if isinstance(want, Stepped):
                self._step(written, want)
                continue
            for source, event in decide(written.venue, want, self.books):
                self._happen(written, source, event)
        return written

    def _step(self, written: _Written, want: Stepped) -> None:
        before = written.shoes.get(want.table, self.shoes.get(want.table))
        mark = ""
        if not isinstance(want.step, Commitment):
            if before is None:
                raise Refusal("shoe/none", {})
            after = advance(before, want.step)
        else:
            after = begin(want.step) if before is None else succeed(before, want.step)
            mark = f"shoe {want.step.number}"
        written.shoes[want.table] = after
        self._write(written, want.table, wire.Stepped(want.step), self.now(), mark)
        if want.secret is not None:
            written.batch.shoes.append(want.secret)

    def _happen(self, written: _Written, source: str, event: Event) -> None:
        before = written.venue
        written.venue, entries = happen(before, source, event)
        log, record, mark = source, wire.Happened(event, tuple(entries)), ""
        if source.startswith(PATRON):
            log = PATRONS
            record = wire.Concerning(source.removeprefix(PATRON), event)  # type: ignore[assignment, arg-type]
        elif isinstance(event, in_round.RoundOpened):
            table = before.table(source)
            shoe = written.shoes.get(source, self.shoes.get(source))
            name = round_name(written.venue.table(source))
            written.rounds[source] = name
            self._write(written, log, wire.standing(table, shoe), event.at, f"round {name}")
        number = self._write(written, log, record, event.at, mark)
        written.batch.money += [Money(log, number, entry) for entry in entries]
        written.caused.append((source, event))
        round = written.rounds.get(source, self.rounds.get(source, ""))
        if (cut := interrupted(before.tables.get(source), event, round)) is not None:
            written.interrupted[source] = cut
        notable.gather(
            written.batch, before, written.venue, source, event, number, round, self._amounts
        )
        if isinstance(event, ENDS) and (
            signed := self._signed(written.heads[log], "round", round, event.at)
        ):
            written.batch.heads.append(signed)

    def _write(self, written: _Written, log: str, record: wire.Record, at: int, mark: str) -> int:
        head = written.heads.get(log) or self.heads.get(log) or chain.start(log)
        bytes_ = canonical(wire.write(record))
        number, hash = head.count + 1, chain.linked(head.hash, bytes_)
        written.heads[log] = Head(log, number, hash)
        written.batch.records.append(Kept(log, number, bytes_, hash, at, mark))
        return number

    def _signed(
        self, head: Head, occasion: str, name: str, at: int | None = None
    ) -> "SignedHead | None":
        if self._private is None:
            return None
        from cutcard.chain.signing import Occasion, sign

        return sign(head, Occasion(occasion), name, self.now() if at is None else at, self._private)

    def _enter(self, written: _Written) -> None:
        """Nothing was refused: this is the venue now, and its records wait for the disk."""
        self.venue = written.venue
        self.shoes.update(written.shoes)
        self.heads.update(written.heads)
        self.rounds.update(written.rounds)
        self.interrupted.update(written.interrupted)
        mine, theirs = self._batch, written.batch
        mine.records += theirs.records
        mine.money += theirs.money
        mine.heads += theirs.heads
        mine.shoes += theirs.shoes
        mine.papers += theirs.papers
        mine.played += theirs.played
        mine.significant += theirs.significant
        self._caused += written.caused
        for hear in self.deciding:
            hear(written.caused)
        self._stir()

    def _stir(self) -> None:
        self._idle.clear()
        self._wake.set()

    # --- writing ----------------------------------------------------------------------------------

    async def write_forever(self) -> None:
        """Commit whatever waits, one batch after another, until something cannot be undone."""
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                await self._commit()
                if not self._batch:
                    self._idle.set()
        except BaseException as error:
            self._stop(error)
            raise

    async def _commit(self) -> None:
        batch, waiting, caused = self._batch, self._waiting, self._caused
        venue, shoes, heads = self.venue, dict(self.shoes), dict(self.heads)
        rounds = dict(self.rounds)
        self._batch, self._waiting, self._caused = Batch(), [], []
        try:
            if batch:
                await self._written(batch)
        except BaseException as error:
            self._stop(error, waiting)
            raise
        self.commits += bool(batch)
        before, self.shown = self.shown, venue
        self.shown_shoes, self.shown_heads, self.shown_rounds = shoes, heads, rounds
        for told in waiting:
            told(None)
        if not batch:
            return
        self.noted(batch.significant)
        tables = frozenset(record.log for record in batch.records if record.log in self.books)
        published = Published(before, venue, tables, tuple(caused))
        for listener in self.listeners:
            listener(published)

    async def _written(self, batch: Batch) -> None:
        """Commit, however long it takes, as long as nobody else holds the logs.

        Where the database went away in the middle, find out first whether it was done.
        """
        cut_off = renewed = False
        pauses = _pauses()
        while True:
            at = self.now()
            try:
                await self.store.commit(batch, self.epochs, at)
                break
            except Refusal as refusal:
                if refusal.code == AWAY:
                    cut_off = True
                    self.away(refusal)
                    # It may answer questions and still write nothing, as with a full disk.
                    await asyncio.sleep(next(pauses))
                elif refusal.code == FENCED and not (renewed and at < self.until):
                    # Late, as on a busy machine or when a clock was put forward. That does no
                    # harm unless somebody else has come, and then the lease is not renewed.
                    renewed = True
                elif cut_off and await self._patiently(lambda: self._has(batch)):
                    # What was cut off has gone on without us, and is there only now.
                    break
                else:
                    raise
            if cut_off and await self._patiently(lambda: self._has(batch)):
                break
            await self._patiently(self.renew)
        if cut_off:
            self.away(None)

    async def _patiently(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask until the database answers."""
        pauses = _pauses()
        while True:
            try:
                return await ask()
            except Refusal as refusal:
                if refusal.code != AWAY:
                    raise
                self.away(refusal)
            await asyncio.sleep(next(pauses))

    async def _has(self, batch: Batch) -> bool:
        """Whether the store has a batch: by its last record, answer or head, for it is whole."""
        if batch.records:
            last = batch.records[-1]
            found = await self.store.records(last.log, last.number - 1, 1)
            # By its hash: whoever took the log over in the meantime has written others.
            return [one.hash for one in found] == [last.hash]
        if batch.answers:
            one = batch.answers[-1]
            kept = await self.store.answered(one.actor, one.key)
            return kept is not None and (kept.at, kept.answer) == (one.at, one.answer)
        if batch.heads:
            signed = batch.heads[-1]
            return signed in await self.store.heads(signed.head.table, signed.head.count - 1)
        if batch.significant:
            notes = await self.store.significant(MOST_WAITING, batch.significant[0].at)
            return all(one in notes for one in batch.significant)
        return False

    def stop(self, error: BaseException) -> None:
        """Decide nothing more: whatever runs this desk has failed."""
        if self.stopped is None:
            self._stop(error)

    def _stop(self, error: BaseException, waiting: Iterable[Told] = ()) -> None:
        """Memory is ahead of the disk and must not be believed: nothing more is decided here."""
        self.stopped = error if isinstance(error, Refusal) else Refusal("server/stopped")
        waiting, self._waiting = (*waiting, *self._waiting), []
        for told in waiting:
            told(Refusal("server/stopped"))

    # --- ownership --------------------------------------------------------------------------------

    def hold(self, leases: Iterable[Lease]) -> None:
        """Write under these leases, and under no later ones.

        A new epoch means that the lease had run out and somebody may have written since: what is
        remembered here is then worth nothing.
        """
        for lease in leases:
            if self.epochs.setdefault(lease.log, lease.epoch) != lease.epoch:
                raise Refusal("store/fenced", {"log": lease.log})
            self.until = lease.until


def interrupted(table: Table | None, event: object, round: str) -> Interrupted | None:
    """What an event says of a restart in the middle of a round, given the table before it."""
    if not isinstance(event, IncidentResolved) or table is None or table.incident is None:
        return None
    if table.incident.kind != INTERRUPTION or table.incident.by != SYSTEM:
        return None
    return Interrupted(round, event.step.value, event.clause)


def _pauses() -> Iterator[float]:
    """Seconds between one try and the next, for ever."""
    yield from (0.1, 0.2, 0.5, 1.0)
    while True:
        yield SLOWEST


async def _nothing() -> None:
    """Nobody else writes."""


LOGS = (CAGE, PATRONS)
"""The logs that a venue has beside those of its tables."""
