"""A running venue: store, desk, clockwork and everybody connected, started and stopped as one."""

import asyncio
import contextlib
import os
import secrets
from collections import Counter as Count
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from argon2 import PasswordHasher

from cutcard import cage, patron
from cutcard.chain import canonical
from cutcard.fairness.shoe import FINISHED
from cutcard.pack.export import book_document
from cutcard.pack.reading import book_of
from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Rulebook
from cutcard.server import boot, notable
from cutcard.server.bookmarks import Bookmarks
from cutcard.server.clockwork import CHOSEN, SWITCHED, Arranged, Clockwork
from cutcard.server.config import Config, Deals, TableSettings, setup_of
from cutcard.server.counter import DAY, Counter, Rules
from cutcard.server.dealer import Pace
from cutcard.server.desk import LOGS, Desk, Wanted
from cutcard.server.keys import Keys
from cutcard.server.live import Live
from cutcard.server.operations import Operations
from cutcard.server.signin import Signed, SignIn
from cutcard.server.staff import RECALLED
from cutcard.server.stafflive import StaffLive
from cutcard.server.studied import Studied
from cutcard.store import Book, Person, Significant, Store
from cutcard.store.copying import RESTORED
from cutcard.table.commands import FreeSeat, LeaveSeat
from cutcard.table.incident import SYSTEM
from cutcard.table.seats import overdue
from cutcard.venue import At, Of, stack_of

RENEWALS = 5
"""So often a lease is renewed in the time that it lasts."""

STANDBY = 0.5
"""Seconds between two looks of a server that stands by, at most."""

HOUSEKEEPING = 60.0
SEATS_EVERY = 1.0
"""Seconds between two looks for seats that come free."""

PATIENCE = 60.0
"""Seconds that a stop waits for rounds under way; what is left then is concluded or voided
by the book when the server starts again."""

MACHINE = "machine"
MOST_NOTES = 100_000
"""So many significant events are looked through when the server starts, of each purpose."""

STARTED = "server started"
"""The significant event that says so, and what money is counted in from then on."""

GUEST_MONEY = 10_000_00
"""What a guest of a demonstration finds in the wallet, in minor units."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a server is given from outside: a store, keys, a clock."""

    store: Store
    keys: Keys
    clock: Callable[[], int]
    hasher: PasswordHasher | None = None
    """A cheap one in tests."""

    entropy: Callable[[int], bytes] = os.urandom


class Server:
    """One venue. `start` owns it or waits for it, `stop` leaves it in order."""

    def __init__(self, config: Config, parts: Parts) -> None:
        self.config, self.store, self.keys = config, parts.store, parts.keys
        self.owner = secrets.token_hex(8)
        self.arranged = {one.name: arranged(config, one) for one in config.tables}
        self.operations = Operations()
        self.desk = Desk(
            parts.store,
            {name: one.book for name, one in self.arranged.items()},
            parts.clock,
            parts.keys.signing,
            notable.Amounts(config.money.large_bet, config.money.large_win),
        )
        self.marks = Bookmarks(parts.store, parts.keys)
        self.desk.noted, self.desk.away = self.operations.noted, self.operations.store_away
        self.desk.renew = self._lease
        self.clockwork = Clockwork(
            self.desk,
            self.arranged,
            parts.keys,
            parts.entropy,
            report=self.operations.table_refused,
        )
        self.counter = Counter(
            self.desk,
            self.clockwork,
            Rules(
                config.money.self_service,
                config.money.voucher_days * DAY,
                config.money.hand_pay,
                config.venue.currency.digits,
            ),
        )
        self.staff = self.counter.staff
        self.live = Live(self.desk, self.clockwork, config.venue.currency.digits)
        self.live.by_hand = self.staff.by_hand
        self.felt = StaffLive(self.live, self.staff)
        self.studied = Studied()
        self.signin = SignIn(
            parts.store,
            config,
            self.desk.now,
            hasher=parts.hasher,
            report=self.desk.note,
            ended=self._signed_out,
            gone=self._gone,
            expelled=self.counter.accounts.sign_out_everywhere,
        )
        self.ready = False
        self.taking = False
        """Whether commands are taken: by a server that stops too, until its rounds are over."""

        self.started = False
        """Whether the venue is loaded; from then on it can be asked about."""

        self._renewal = config.server.lease_ms / 1000 / RENEWALS
        self.failed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._day = ""

    @property
    def lapsed(self) -> bool:
        """Whether the lease has run out: somebody else may know better what stands here."""
        return self.desk.now() >= self.desk.until

    # --- starting ---------------------------------------------------------------------------------

    async def start(self, wait: float | None = None) -> None:
        """Open the store, own the venue as soon as nobody else does, and let the tables run."""
        try:
            await self._start(wait)
        except (asyncio.CancelledError, Refusal):
            # Told to stop before it began, or not to begin; whatever is ours is given up.
            with contextlib.suppress(Refusal):
                await self._leave(release=True)
            raise
        self.operations.log.info("started", tables=len(self.arranged))

    async def _start(self, wait: float | None) -> None:
        await self.store.open()
        await self._own(wait)
        # From now on: a venue with years of logs takes longer to load than a lease lasts.
        self._run(self._renew())
        stood = {name: await boot.table_of(self.store, name) for name in self.arranged}
        self.clockwork.recall(await self._told(frozenset({CHOSEN, SWITCHED, RESTORED})))
        await self._archive(stood)
        await boot.load(self.desk, self.marks, stood)
        self._check_tables()
        # Once more: the log may have come further in time than this machine's clock.
        await self._lease()
        await self.counter.load()
        await self._check_keys()
        await self._check_currency()
        self._run(self.desk.write_forever())
        self.desk.note(
            Significant(self.desk.now(), STARTED, "system", after=str(self.config.venue.currency))
        )
        await self._meet()
        await self.clockwork.begin()
        for name in self.arranged:
            await self.clockwork.recover(name)
        await self.desk.settled()
        for name in self.arranged:
            self._run(self.clockwork.run(name))
        self._run(self.felt.run())
        self._run(self._keep_house())
        self._run(self._free_seats())
        self.ready = self.taking = self.started = True

    def _check_tables(self) -> None:
        """Refuse to forget a table at which patrons have money."""
        left: Count[str] = Count()
        for id, account in self.desk.venue.ledger.accounts.items():
            found = stack_of(id)
            if found is not None and found[0] not in self.arranged:
                left[found[0]] += account.posted
        for name, amount in sorted(left.items()):
            if amount:
                raise Refusal("server/table-left-out", {"table": name, "amount": amount})

    async def _check_currency(self) -> None:
        """Refuse another currency, or other digits, as long as anybody has money in the old one."""
        now, accounts = str(self.config.venue.currency), self.desk.venue.ledger.accounts.values()
        for one in await self.store.significant(1, kinds={STARTED}):
            if one.after not in ("", now) and any(held.posted or held.held for held in accounts):
                raise Refusal("server/currency", {"before": one.after, "now": now})

    async def _check_keys(self) -> None:
        """Refuse keys that open no shoe in use; a single one that is lost stops its table only."""
        shoes = [name for name, shoe in self.desk.shoes.items() if shoe.phase not in FINISHED]
        shut: dict[str, Refusal] = {}
        for name in shoes:
            try:
                await self.clockwork.recover(name)
            except Refusal as refusal:
                shut[name] = refusal
        if shut and len(shut) == len(shoes):
            raise Refusal("server/keys-other", {"file": self.config.server.keys})
        for name, why in shut.items():
            self.operations.table_refused(name, why)

    async def _meet(self) -> None:
        """Know everybody's name and every shoe, before anything happens to one."""
        self.staff.names = {one.id: one.name for one in await self.store.people()}
        self.staff.recall(await self._told(RECALLED))

    async def _told(self, kinds: frozenset[str]) -> list[Significant]:
        """Significant events of these kinds, the first one first."""
        return [*reversed(await self.store.significant(MOST_NOTES, kinds=kinds))]

    async def _own(self, wait: float | None) -> None:
        """Take the leases; where another server holds them, stand by until it lets go or dies."""
        loop = asyncio.get_running_loop()
        end = None if wait is None else loop.time() + wait
        owner = ""
        while True:
            try:
                await self._lease()
                return
            except Refusal as refusal:
                if refusal.code != "store/owned" or (end is not None and loop.time() > end):
                    raise
                if owner != (owner := str(refusal.params["owner"])):
                    self.operations.log.info("standing by", owner=owner)
            await asyncio.sleep(min(self._renewal / 2, STANDBY))

    async def _lease(self) -> None:
        now = self.desk.now()
        logs = (*LOGS, *self.arranged)
        until = now + self.config.server.lease_ms
        self.desk.hold(await self.store.lease(logs, self.owner, now, until))

    async def _archive(self, stood: Mapping[str, boot.Stood]) -> None:
        """Keep every book in use, and play on by the book that an open table opened with."""
        every = (one for choices in self.clockwork.choices.values() for one in choices)
        books = {one.book.hash: one.book for one in every}
        await self.store.archive(
            Book(hash, book.id, canonical(book_document(book))) for hash, book in books.items()
        )
        in_use: dict[str, Rulebook] = {}
        for name, one in self.arranged.items():
            table = stood[name].table
            hash = table.setup.book_hash if table.setup and table.open else one.book.hash
            in_use[name] = await self.book(hash)
        self.desk.books = in_use

    async def book(self, hash: str) -> Rulebook:
        """A book by its hash: one that some table may be played by, or one out of the archive."""
        for choices in self.clockwork.choices.values():
            for one in choices:
                if one.book.hash == hash:
                    return one.book
        kept = {one.hash: one.document for one in await self.store.archived()}
        return book_of(hash, kept[hash])

    def called(self, name: str) -> str:
        """What a table is called whatever book it is played by."""
        return self.config.table(name).title or name

    def titles(self) -> dict[str, str]:
        """What people call each table: its own title or its book's name, told apart by its own."""
        books = self.desk.books
        first = {one.name: one.title or books[one.name].name for one in self.config.tables}
        often = Count(first.values())
        return {
            name: f"{title} · {name}" if often[title] > 1 else title
            for name, title in first.items()
        }

    def keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside the tables; the server fails if it does."""
        self._run(work)

    def _run(self, forever: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(forever)
        task.add_done_callback(self._ended)
        self._tasks.append(task)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Nothing that runs for ever may end by itself: then the server is not to be trusted."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self.operations.log.error("a part has failed", error=repr(error))
            self.ready = self.taking = False
            self.desk.stop(error)
            self.failed.set()

    # --- running ----------------------------------------------------------------------------------

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._renewal)
            try:
                await self._lease()
            except Refusal as refusal:
                # Away for a moment is no reason to stop: the lease itself sets the limit.
                if refusal.code != "store/away":
                    raise
                self.operations.store_away(refusal)
            else:
                self.operations.store_away(None)

    async def _keep_house(self) -> None:
        while True:
            try:
                self._housekeeping()
                await self.counter.forget(self.desk.now() - 2 * DAY)
                await boot.keep_bookmarks(self.desk, self.marks)
            except Refusal as refusal:
                # A database that is away or behind for a moment is tidied the next time.
                if refusal.code not in ("store/away", "server/busy"):
                    raise
            await self._look_round()
            await asyncio.sleep(HOUSEKEEPING)

    async def _free_seats(self) -> None:
        """Free the seats of patrons who have not bet for as long as their table keeps a seat."""
        while True:
            await asyncio.sleep(SEATS_EVERY)
            wanted = self._overdue_seats()
            try:
                if wanted:
                    self.desk.act(*wanted)
            except Refusal as refusal:
                # A server that stops, or that waits for its database, frees none for now.
                if refusal.code not in ("server/stopped", "server/busy"):
                    raise

    def _overdue_seats(self) -> list[At]:
        now = self.desk.now()
        # Nobody could bet while the house was away: after a start the whole time runs again.
        counted = now - self.clockwork.started
        tables = ((name, self.desk.venue.table(name)) for name in self.arranged)
        return [
            At(name, FreeSeat(box, SYSTEM, now))
            for name, table in tables
            for box in overdue(table, now)
            if table.setup and counted >= (table.setup.seat_ms or 0)
        ]

    def _housekeeping(self) -> None:
        """Sign the day that is over, and let vouchers expire."""
        now = self.desk.now()
        day = datetime.fromtimestamp(now / 1000, UTC).date().isoformat()
        if self._day and day != self._day:
            self.desk.sign_day(self._day)
        self._day = day
        for voucher in cage.outstanding(self.desk.venue.cage):
            if voucher.expires_at <= now and voucher.claimed_by is None:
                self.desk.act(cage.ExpireVoucher(voucher.number, now))

    async def _look_round(self) -> None:
        """Hang up on whoever is signed in no more: idle too long, or ended by another server.

        A patron whose account was barred or has another password is signed out at every device.
        """
        for known in self.counter.accounts.patrons():
            latest = await self.store.person(known.id)
            if latest is None or latest.barred or latest.password != known.password:
                self.counter.accounts.sign_out_everywhere(known.id)
        for token in {socket.token for socket in self.live.sockets if socket.token}:
            try:
                await self.signin.who(token, active=False)
            except Refusal as refusal:
                if refusal.code == "signin/needed":
                    self.live.dismiss(token)

    def _signed_out(self, signed: Signed) -> None:
        """Nothing more is said to whoever signed out."""
        self.live.dismiss(signed.token)

    def _gone(self, person: Person) -> None:
        """A patron who is signed in nowhere any more plays no longer."""
        if self.desk.stopped is None:
            self.end_session(person)

    def begin_session(self, person: Person) -> None:
        """A patron who signs in begins to play, unless the patron's own wishes forbid it."""
        self.staff.names[person.id] = person.name
        if person.kind != "patron" or self.desk.venue.patron(person.id).session is not None:
            return
        try:
            self.desk.act(Of(person.id, patron.StartSession(self.desk.now())))
        except Refusal as refusal:
            # Excluded patrons may still look after their money.
            if not refusal.code.startswith("patron/"):
                raise

    async def guest(self) -> Signed:
        """Somebody new with a little play money, where the venue plays for nothing."""
        if not self.config.money.self_service:
            raise Refusal("server/no-self-service")
        name = f"guest {secrets.token_hex(4)}"
        person = await self.signin.add_person(name, secrets.token_urlsafe(16), "patron")
        self.desk.act(cage.Deposit(person.id, GUEST_MONEY, self.desk.now()))
        self.begin_session(person)
        await self.desk.settled()
        return await self.signin.admit(person)

    def end_session(self, person: Person) -> None:
        """A patron who signs out plays no longer, and leaves every seat."""
        if person.kind != "patron":
            return
        who, now, venue = person.id, self.desk.now(), self.desk.venue
        wanted: list[Wanted] = [
            At(name, LeaveSeat(who, now))
            for name in self.arranged
            if venue.table(name).box_of(who) is not None
        ]
        if venue.patron(who).session is not None:
            wanted.append(Of(who, patron.EndSession(now)))
        self.desk.act(*wanted)

    # --- stopping ---------------------------------------------------------------------------------

    async def stop(self, patience: float = PATIENCE) -> None:
        """Finish the rounds under way, write everything, and let go."""
        self.ready = False
        in_order = self.desk.stopped is None
        if in_order:
            unfinished = await self.clockwork.finish(patience)
            self.taking = False
            for name in unfinished:
                self.operations.log.warning("a round is not finished", table=name)
            self.desk.note(Significant(self.desk.now(), "server stopped", "system"))
            in_order = await self._all_written()
        # Not if the leases were lost: what is another's by now is not ours to give up.
        await self._leave(release=in_order)
        self.operations.log.info("stopped", in_order=in_order)

    async def _all_written(self) -> bool:
        """Whether everything is on disk, for which a stop waits no longer than for rounds."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self.desk.settled()
        except TimeoutError:
            # Nobody was told of it; whoever asked asks again under the same key.
            self.operations.log.error("the database does not answer: stopped without it")
            return False
        return True

    async def _leave(self, *, release: bool) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.signin.close()
        self.studied.close()
        if release:
            await self.store.release(self.owner)
        await self.store.close()


def arranged(config: Config, table: TableSettings) -> Arranged:
    """A table as the clockwork wants it, from the configuration."""
    chosen = config.pace(table)
    return Arranged(
        setup=setup_of(config, table, machine=MACHINE if table.deals is Deals.MACHINE else None),
        book=table.rulebook,
        source=table.book,
        pace=Pace(
            betting=chosen.betting_ms,
            card=chosen.card_ms,
            result=chosen.result_ms,
            least_round=chosen.least_round_ms,
            seeds=chosen.seeds_ms,
            asking=chosen.asking_ms,
            squeeze=chosen.squeeze_ms,
            free_rounds=chosen.free_rounds,
        ),
        deals=table.deals is not Deals.STAFF,
        open=table.open,
        others=tuple(arranged(config, table.by(other)) for other in table.others),
    )
