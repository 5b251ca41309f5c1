"""The clockwork: lets tables deal by themselves, one loop a table.

Cards come out of the committed shoe only here, one by one; the table hears of each as
it falls, with its proof in the same commit.
"""

import asyncio
import contextlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from cutcard.chain import canonical
from cutcard.fairness import (
    Secret,
    SeedGiven,
    SeedsClosed,
    SeedSealed,
    Source,
    VerifiableShoe,
    abort,
    opening,
    prepare,
    seal,
    show,
    take,
)
from cutcard.fairness.house import seal_cards
from cutcard.fairness.shoe import FINISHED as OVER
from cutcard.fairness.steps import SEED
from cutcard.fairness.uniform import WORD, StreamDice
from cutcard.pack.proof import COMMITTED
from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round.state import FINISHED, Phase
from cutcard.rulebooks import load
from cutcard.rules.cards import DECK, Card
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.server.checks import SCANNER, SHUFFLER
from cutcard.server.dealer import Act, Due, Pace, Since, due, heard, is_committed, squeezing
from cutcard.server.desk import Desk, Published, Stepped, Wanted
from cutcard.store import SecretShoe, Significant
from cutcard.store.copying import RESTORED
from cutcard.table import commands as ask
from cutcard.table.commands import InRound
from cutcard.table.remedies import is_waiting
from cutcard.table.resume import commands as resumed
from cutcard.table.setup import Setup
from cutcard.table.squeezing import squeezes_to_answer
from cutcard.table.state import Table
from cutcard.venue import At

HOUSE = "house"
"""The giver of the seed that the house adds, so that a shoe never waits for a patron's."""

OPERATOR = "operator"
"""Who opens tables when the server starts; the log says so."""

DEALER = "automatic dealer"
"""Under whose name a dealer-run table is dealt while its automatic dealer is on."""

CUT = 4 * WORD
"""Bytes from which the place of a cut card is drawn; all four words unfit come once in 10^70."""

CHOSEN = "staff choose-book"
"""The significant event by which the pit's choice is known after a restart."""

SWITCHED = "automatic dealer"
"""The significant event of switching it on or off."""

UNGIVEN = "a sealed seed was not given"
TAKEN_AWAY = "the shoe was taken away early"

CAUTION = 1.0
LONGEST = 60.0
"""Seconds to wait after a refusal, at first and at most, so that a fault does not spin."""


class Sealer(Protocol):
    """Encrypts what must not be read at rest."""

    def seal(self, name: str, secret: bytes) -> bytes: ...

    def unseal(self, name: str, sealed: bytes) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Arranged:
    """A table as the configuration wants it."""

    setup: Setup
    book: Rulebook
    pace: Pace
    deals: bool = True
    """Whether it deals by itself: always where a machine deals, else until switched off."""

    open: bool = True
    source: str = ""
    """Where the book is from: its id, or a file's path."""

    others: tuple["Arranged", ...] = ()
    """The same table by other books, of which the pit may choose one."""


@dataclass(frozen=True, slots=True)
class Held:
    """What the house alone knows of a shoe."""

    shoe: str
    secret: Secret
    seed: bytes


class Clockwork:
    """All tables that deal by themselves."""

    def __init__(
        self,
        desk: Desk,
        tables: dict[str, Arranged],
        sealer: Sealer,
        entropy: Callable[[int], bytes] = os.urandom,
        report: Callable[[str, Refusal], None] = lambda table, refusal: None,
    ) -> None:
        self.desk, self.tables = desk, tables
        self.choices = {name: (one, *one.others) for name, one in tables.items()}
        """Every book that a table may be played by, as it would be arranged then."""

        self.on = {name: one.deals for name, one in tables.items()}
        self._restored = 0
        """When the database was put back from a copy, the last time that it was."""

        self._spent: set[str] = set()
        """Tables whose shoe is older than that: its cards may have been dealt to everybody."""

        self.leaving: set[str] = set()
        """Where it was switched off in the middle of a round, which it finishes first."""

        self.since: dict[str, Since] = {}
        self.stopping = False
        self.started = 0
        """When the tables began to run: a client that has seen another time knows of a restart."""

        self._sealer, self._entropy, self._report = sealer, entropy, report
        self._source = Source(entropy)
        self._held: dict[str, Held] = {}
        self._changed = {name: asyncio.Event() for name in tables}
        self._awaited: dict[str, Due | None] = {}
        desk.listeners.append(self._listen)

    # --- beginning --------------------------------------------------------------------------------

    async def begin(self) -> None:
        """Conclude or void what was cut off, and open whatever is to be open."""
        self.started = self.desk.now()
        for name, arranged in self.tables.items():
            await self.desk.keep_up()
            now, book = self.desk.now(), self.desk.books[name]
            for command in resumed(self.desk.venue.table(name), now, book):
                self.desk.act(At(name, command))
            # What was counted down to begins anew: nobody could act while the house was away.
            self.since[name] = heard(Since(now), self.desk.venue.table(name), arranged.pace, now)
            self._arrange(name, arranged)
            self._see_who_deals(name)
            if not self.on[name]:
                self.leaving.discard(name)

    def _arrange(self, name: str, arranged: Arranged) -> None:
        table, now = self.desk.venue.table(name), self.desk.now()
        if not table.open:
            by_pit = table.setup is not None and OPERATOR not in table.staff
            # While its last round is put right nobody opens it; then the pit does.
            by_pit = by_pit or is_waiting(table)
            if arranged.open and not self.stopping and not by_pit:
                # An open table keeps the book it opened with; only now may another take over.
                self.desk.books = {**self.desk.books, name: arranged.book}
                self.desk.act(*self._opening(name, arranged, table, now))
                self._see_who_deals(name)
        elif (table.setup != arranged.setup or not arranged.open) and table.last_round is None:
            # Patrons are told before a table closes; one more round is played as before.
            last = table.rounds + 1
            self.desk.act(At(name, ask.AnnounceClosing(last, OPERATOR, now)))

    def _see_who_deals(self, name: str) -> None:
        """Whether a table deals by itself, as its log has it.

        A machine does, and so does an automatic dealer who is signed on. A table that the
        configuration has otherwise by now is dealt to its end as it was opened.
        """
        table = self.desk.venue.table(name)
        if table.setup is not None:
            self.on[name] = table.setup.machine is not None or DEALER in table.staff

    def _opening(self, name: str, arranged: Arranged, table: Table, now: int) -> list[Wanted]:
        wanted: list[Wanted] = [At(name, ask.SignOn(OPERATOR, Role.PIT_SUPERVISOR, now))]
        first = table.setup is None and arranged.deals
        if arranged.setup.machine is None and first:
            wanted.append(At(name, ask.SignOn(DEALER, Role.DEALER, now)))
        wanted += self._relieved(name, arranged, now)
        return [*wanted, At(name, ask.OpenTable(arranged.setup, OPERATOR, now))]

    def _relieved(self, name: str, arranged: Arranged, now: int) -> list[Wanted]:
        """The automatic dealer leaves before a table opens at which only people may deal."""
        there = DEALER in self.desk.venue.table(name).staff
        if not there or only_people(arranged.setup, arranged.book) is None:
            return []
        return [At(name, ask.SignOff(DEALER, now))]

    # --- the book ---------------------------------------------------------------------------------

    def recall(self, told: Iterable[Significant]) -> None:
        """The pit's choices in the order of time: books that are still offered, and who deals."""
        for one in told:
            if one.kind == RESTORED:
                self._restored = one.at
            if one.kind == SWITCHED and one.where in self.tables:
                (self.leaving.discard if one.after == "on" else self.leaving.add)(one.where)
            for choice in self.choices.get(one.where, ()):
                if one.kind == CHOSEN and choice.setup.book == one.after:
                    self.tables[one.where] = choice

    def choose(self, name: str, book: str) -> Arranged:
        """Play a table by another of its books from its next opening on."""
        found = {one.setup.book: one for one in self.choices[name]}
        if book not in found:
            raise Refusal("table/book-unlisted", {"book": book, "known": tuple(found)}, "CB4 pre")
        _check_unchanged(found[book])
        self.tables[name] = found[book]
        return found[book]

    def reopen(self, name: str, by: str, role: Role) -> None:
        """The pit opens a table again, as the configuration has it and by the book approved."""
        arranged, now, books = self.tables[name], self.desk.now(), self.desk.books
        _check_unchanged(arranged)
        if not self.desk.venue.table(name).open:
            self.desk.books = {**books, name: arranged.book}
        try:
            self.desk.act(
                At(name, ask.SignOn(OPERATOR, Role.PIT_SUPERVISOR, now)),
                At(name, ask.SignOn(by, role, now)),
                *self._relieved(name, arranged, now),
                At(name, ask.OpenTable(arranged.setup, by, now)),
            )
        except Refusal:
            self.desk.books = books
            raise
        self._see_who_deals(name)

    def clearing(self, name: str, by: str, now: int) -> list[Wanted]:
        """What must be done before a table closes to be opened by another book or other decks.

        The house commits itself to a shoe and to the book that it is played by.
        """
        table, after = self.desk.venue.table(name), self.tables[name].setup
        shoe = self.desk.shoes.get(name)
        before = table.setup
        if before is None or (before.book_hash, before.decks) == (after.book_hash, after.decks):
            return []
        if shoe is not None and shoe.phase not in OVER:
            if is_committed(table, shoe):
                return self.end_shoe(name, by, now)
            return [Stepped(name, abort(self._held[name].secret, "the table changes its book"))]
        if table.shoe is not None and before.decks != after.decks:
            raise Refusal(
                "shoe/in-use", {"shoe": table.shoe.id}, self.desk.books[name].decks.clause
            )
        return []

    # --- running ----------------------------------------------------------------------------------

    def next(self, name: str, table: Table | None = None) -> Due | None:
        """What a table does next by itself."""
        if not self.on[name]:
            return None
        table = self.desk.venue.table(name) if table is None else table
        shoe, pace = self.desk.shoes.get(name), self.tables[name].pace
        if name in self.leaving and table.incident is None and table.options is None:
            if table.round.phase in FINISHED:
                return Due(Act.LEAVE, self.since[name].last)
            if table.round.phase is Phase.BETTING and not _has_bets(table):
                return Due(Act.CLOSE, self.since[name].last)
        since, spent = self.since[name], name in self._spent
        return due(table, shoe, pace, since, stopping=self.stopping, spent=spent)

    def until(self, name: str) -> int | None:
        """The time to which patrons see a countdown."""
        table = self.desk.shown.table(name)
        if not self.on[name]:
            # People deal, but patrons are still waited for until a set time.
            if table.incident is not None:
                return None
            waiting = table.options is not None
            return table.options_until if waiting else table.round.decide_until
        found = self.next(name, table)
        return found.at if found is not None and found.shown else None

    async def run(self, name: str) -> None:
        """Deal at one table for ever."""
        changed, caution = self._changed[name], CAUTION
        while True:
            changed.clear()
            found = self._awaited[name] = self.next(name)
            wait = None if found is None else (found.at - self.desk.now()) / 1000
            if found is None or (wait is not None and wait > 0):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await changed.wait()
                continue
            try:
                await self.perform(name, found.act)
                caution = CAUTION
            except Refusal as refusal:
                self.desk.check_alive()
                self._report(name, refusal)
                await asyncio.sleep(caution)
                caution = min(2 * caution, LONGEST)

    async def perform(self, name: str, act: Act) -> None:
        """Do one thing at a table, and wait until it is on disk."""
        await self.recover(name)
        self.desk.act(*self._wanted(name, act))
        now = self.desk.now()
        began = now if act is Act.OPEN else self.since[name].opened
        since = replace(self.since[name], last=now, opened=began, opened_by=frozenset())
        table = self.desk.venue.table(name)
        self.since[name] = heard(since, table, self.tables[name].pace, now)
        if act in (Act.END_SHOE, Act.ABORT):
            self._spent.discard(name)
        if act is Act.CLOSE_TABLE:
            self._arrange(name, self.tables[name])
        if act is Act.LEAVE:
            self.on[name] = False
            self.leaving.discard(name)
        await self.desk.settled()

    def switch(self, name: str, on: bool, by: str) -> None:
        """Switch a dealer-run table's automatic dealer on or off; it ends the round it began."""
        if self.tables[name].setup.machine is not None:
            raise Refusal("server/machine", {"table": name})
        now, was = self.desk.now(), self.on[name]
        self.leaving.discard(name)
        if was and not on and self.desk.venue.table(name).round.phase not in FINISHED:
            self.leaving.add(name)
        elif on != was:
            # It signs on and off as people do, so a restart finds it as it was left.
            change = ask.SignOn(DEALER, Role.DEALER, now) if on else ask.SignOff(DEALER, now)
            self.desk.act(At(name, change))
            self.on[name] = on
        self.since[name] = replace(self.since[name], last=now)
        words = {True: "on", False: "off"}
        self.desk.note(
            Significant(self.desk.now(), SWITCHED, by, name, before=words[was], after=words[on])
        )
        self.poke(name)

    def check_automatic(self, name: str) -> None:
        """Refuse the automatic dealer at a table at which only people may deal."""
        table, arranged = self.desk.venue.table(name), self.tables[name]
        setup, book = arranged.setup, arranged.book
        if table.open and table.setup is not None:
            setup, book = table.setup, self.desk.books[name]
        refusal = only_people(setup, book)
        if refusal is not None:
            raise refusal

    def open_now(self, name: str, patron: str) -> None:
        """Whoever squeezes has seen enough: the dealer waits for them no longer."""
        if patron not in squeezing(self.desk.venue.table(name)):
            raise Refusal("squeeze/nothing-held", {}, "CB4 3.9")
        since = self.since[name]
        self.since[name] = replace(since, opened_by=since.opened_by | {patron})
        self.poke(name)

    def poke(self, name: str) -> None:
        """Something may have changed: look again."""
        self._changed[name].set()

    async def finish(self, patience: float) -> list[str]:
        """Stop after the rounds under way; the tables that were not done in time."""
        self.stopping = True
        for name in self.tables:
            self.poke(name)
        loop = asyncio.get_running_loop()
        end = loop.time() + patience
        while (busy := self._busy()) and loop.time() < end:
            await asyncio.sleep(0.05)
        return busy

    def _busy(self) -> list[str]:
        venue = self.desk.venue
        return [name for name in self.tables if _has_bets(venue.table(name))]

    def _listen(self, told: Published) -> None:
        for name in told.tables:
            if name not in self.since:
                continue
            table, pace = self.desk.venue.table(name), self.tables[name].pace
            self.since[name] = heard(self.since[name], table, pace, self.desk.now())
            # Most of what happens are bets, and leave the table waiting for the same moment.
            if self.next(name, table) != self._awaited.get(name):
                self.poke(name)

    # --- actions ----------------------------------------------------------------------------------

    def _wanted(self, name: str, act: Act) -> list[Wanted]:
        now, table = self.desk.now(), self.desk.venue.table(name)
        by = self._name(name)
        match act:
            case Act.COMMIT:
                return self._commitment(name, now)
            case Act.CLOSE_SEEDS:
                given = SeedGiven(HOUSE, self._held[name].seed)
                return [Stepped(name, SeedsClosed(now)), Stepped(name, given)]
            case Act.ABORT:
                return self._aborted(name)
            case Act.REGISTER:
                commitment = self._shoe(name).commitment
                manifest = dict.fromkeys(DECK, commitment.decks)
                record = COMMITTED + commitment.hash.hex()
                register = ask.RegisterShoe(commitment.shoe, manifest, record, by, now)
                return [At(name, register)]
            case Act.BURN:
                return self._burn(name, table, by, now)
            case Act.OPEN:
                return [
                    *self._shows(name),
                    At(name, InRound(rounds.OpenRound(0, None, now), by)),
                ]
            case Act.CLOSE:
                return [At(name, InRound(rounds.CloseBets(now), by))]
            case Act.GRANT:
                asked = next(iter(squeezes_to_answer(table)))
                return [At(name, ask.AnswerSqueeze(asked, True, by, now))]
            case Act.DRAW:
                return self._draw(name, table, by, now)
            case Act.TURN:
                return [*self._shows(name), At(name, ask.OpenCards(by, now))]
            case Act.END_DECISIONS:
                return [At(name, InRound(rounds.EndDecisions(now), by))]
            case Act.END_OPTIONS:
                return [At(name, ask.EndOptions(by, now))]
            case Act.CALL:
                return [At(name, InRound(rounds.CallResult(now), by))]
            case Act.SETTLE:
                return [At(name, InRound(rounds.SettleRound(now), by))]
            case Act.END_SHOE:
                return self.end_shoe(name, by, now)
            case Act.LEAVE:
                return [At(name, ask.SignOff(DEALER, now))]
            case Act.CLOSE_TABLE:
                cleared = self.clearing(name, by, now)
                close: Wanted = At(name, ask.CloseTable(OPERATOR, now))
                if OPERATOR in table.staff:
                    return [*cleared, close]
                # The pit has announced it, and the table stays closed until the pit opens it.
                here = At(name, ask.SignOn(OPERATOR, Role.PIT_SUPERVISOR, now))
                return [*cleared, here, close, At(name, ask.SignOff(OPERATOR, now))]

    def _name(self, name: str) -> str:
        setup = self.desk.venue.table(name).setup
        return (setup.machine if setup else None) or DEALER

    def _shoe(self, name: str) -> VerifiableShoe:
        return self.desk.shoes[name]

    def _commitment(self, name: str, now: int) -> list[Wanted]:
        arranged, before = self.tables[name], self.desk.shoes.get(name)
        setup = self.desk.venue.table(name).setup
        assert setup is not None, "an open table is set up"
        commitment, secret = prepare(
            self._source,
            table=name,
            number=1 + (before.commitment.number if before else 0),
            book=self.desk.books[name].hash,
            decks=setup.decks,
            behind_cut=self.desk.books[name].cut.drawn(StreamDice(self._source.take(CUT))),
            # The house seals its own seed now, and must not be too late for it.
            seeds_until=now + max(arranged.pace.seeds, 1),
        )
        seed = self._source.take(SEED)
        held = self._held[name] = Held(commitment.shoe, secret, seed)
        kept = SecretShoe(
            held.shoe, name, commitment.number, self._sealer.seal(held.shoe, _plain(held)), now
        )
        sealed = SeedSealed(HOUSE, seal(commitment, HOUSE, seed), now)
        return [Stepped(name, commitment, kept), Stepped(name, sealed)]

    def _burn(self, name: str, table: Table, by: str, now: int) -> list[Wanted]:
        shoe = self._shoe(name)
        if table.shoe is not None and table.shoe.to_burn is None:
            shown = show(shoe, self._held[name].secret)
            return [Stepped(name, shown), At(name, ask.BurnCard(shown.card, by, now))]
        return [Stepped(name, take(shoe)), At(name, ask.BurnCard(None, by, now))]

    def _draw(self, name: str, table: Table, by: str, now: int) -> list[Wanted]:
        if table.kept:
            return [At(name, InRound(rounds.DrawCard(table.kept[0], now), by))]
        shoe, secret = self._shoe(name), self._held[name].secret
        wanted: list[Wanted] = []
        cut = shoe.commitment.cards - shoe.commitment.behind_cut
        if shoe.left >= cut and table.shoe is not None and not table.shoe.cut_card:
            wanted.append(At(name, ask.ShowCutCard(by, now)))
        if table.setup is not None and table.setup.face_down:
            card = secret.cards[shoe.order[shoe.left]]
            wanted.append(Stepped(name, take(shoe)))
        else:
            shown = show(shoe, secret)
            card = shown.card
            wanted.append(Stepped(name, shown))
        return [*wanted, At(name, InRound(rounds.DrawCard(card, now), by))]

    def _shows(self, name: str) -> list[Wanted]:
        """The proofs of whatever lies face down."""
        shoe = self.desk.shoes.get(name)
        if shoe is None or not shoe.face_down:
            return []
        secret = self._held[name].secret
        return [Stepped(name, show(shoe, secret, place)) for place in sorted(shoe.face_down)]

    def _aborted(self, name: str) -> list[Wanted]:
        """Open a shoe that is not dealt to its end, and say why."""
        secret = self._held[name].secret
        if name in self._spent:
            return [Stepped(name, abort(secret, "the database was restored"))]
        if self._shoe(name).left:
            return [*self._shows(name), Stepped(name, abort(secret, TAKEN_AWAY))]
        return [Stepped(name, abort(secret, UNGIVEN))]

    def end_shoe(self, name: str, by: str, now: int) -> list[Wanted]:
        """Take the committed shoe away, and open it to everybody."""
        shoe, secret = self._shoe(name), self._held[name].secret
        dealt = shoe.left > shoe.commitment.cards - shoe.commitment.behind_cut
        end = opening(secret) if dealt else abort(secret, TAKEN_AWAY)
        left = shoe.commitment.cards - shoe.left
        return [
            *self._shows(name),
            At(name, ask.EndShoe(left, by, now)),
            Stepped(name, end),
        ]

    # --- secrets ----------------------------------------------------------------------------------

    async def recover(self, name: str) -> None:
        """After a restart, decrypt the order of the shoe in use."""
        shoe = self.desk.shoes.get(name)
        if shoe is None or (name in self._held and self._held[name].shoe == shoe.commitment.shoe):
            return
        kept = await self.desk.store.secret_shoe(shoe.commitment.shoe)
        if kept is None:
            raise Refusal("server/shoe-lost", {"shoe": shoe.commitment.shoe})
        self._held[name] = _held(kept.shoe, self._sealer.unseal(kept.shoe, kept.sealed))
        if kept.at <= self._restored and shoe.phase not in OVER:
            self._spent.add(name)


def _has_bets(table: Table) -> bool:
    return any(table.round.by_spot.values()) and table.round.phase not in FINISHED


def only_people(setup: Setup, book: Rulebook) -> Refusal | None:
    """Why the automatic dealer may not deal at a table; None where it may."""
    if book.dealer_clause is not None and not setup.demonstration:
        return Refusal("table/needs-dealer", {"book": book.name}, book.dealer_clause)
    if setup.continuous or not setup.scanner:
        # The server deals a committed order, and alone.
        clause = SHUFFLER if setup.continuous else SCANNER
        return Refusal("server/only-people", {"table": setup.table}, clause)
    return None


def _check_unchanged(arranged: Arranged) -> None:
    """Refuse a book whose file is no longer the one that was approved when the server started."""
    if load(arranged.source).hash != arranged.book.hash:
        raise Refusal("table/book-changed", {"book": arranged.book.name}, "CB4 pre")


def _plain(held: Held) -> bytes:
    return canonical(
        {
            "cards": " ".join(str(card) for card in held.secret.cards),
            "nonces": "".join(nonce.hex() for nonce in held.secret.nonces),
            "seed": held.seed.hex(),
        }
    )


def _held(shoe: str, plain: bytes) -> Held:
    told = json.loads(plain)
    cards = tuple(Card.parse(text) for text in told["cards"].split(" "))
    joined = bytes.fromhex(told["nonces"])
    size = len(joined) // len(cards)
    nonces = tuple(joined[at : at + size] for at in range(0, len(joined), size))
    return Held(shoe, seal_cards(cards, nonces), bytes.fromhex(told["seed"]))
