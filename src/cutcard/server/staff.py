"""Staff: who may give which command at a table, and how it is written down.

The table decides what is lawful; here stands who somebody is. A dealer's console locks
after five minutes without a sign of life, what undoes money that was paid needs a second
pair of eyes, and everything that staff do is a significant event: who, why, before, after.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cutcard import patron
from cutcard.pack.proof import COMMITTED
from cutcard.patron.limits import looser
from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round.events import SettlementCorrected
from cutcard.round.state import FINISHED, Phase, Round
from cutcard.rules.cards import DECK, Card
from cutcard.rules.coup import next_side
from cutcard.rules.rulebook import Remedy, Role
from cutcard.server import window
from cutcard.server.checks import SCANNER
from cutcard.server.clockwork import DEALER, OPERATOR, Clockwork
from cutcard.server.dealer import is_committed
from cutcard.server.desk import Desk, Published, Wanted
from cutcard.server.duties import AT_TABLES, DEALING, DECIDING, LEAST, READER
from cutcard.server.notable import shoe_notes, until_told
from cutcard.server.orders import CLAUSE_STAFF, in_round, merged, plainly, resolving
from cutcard.server.proposals import ENDED, NOTES, PROPOSED, Proposals
from cutcard.server.shoes import KINDS, Shoes
from cutcard.server.standing import stands, told
from cutcard.store import Person, Significant
from cutcard.table import commands as ask
from cutcard.table.advice import entry_of
from cutcard.table.commands import InRound
from cutcard.table.incident import EXCESS, UNREAD, Step
from cutcard.table.staff import Member, check_role
from cutcard.table.state import Table
from cutcard.venue import At, Of, decide
from cutcard.wire import house

LOCK_MS = 5 * 60_000
"""A dealer's console locks after so long without a sign of life (GLI-19 C.6.5)."""

CALLED = frozenset({"call", "staff call-supervisor", "staff answer-call"})
RESOLVED = "staff resolve"
LIMITED = "staff limit-patron"
RECALLED = KINDS | CALLED | NOTES | {RESOLVED, LIMITED}
"""The significant events from which all that staff keeps is known after a restart."""

BLIND = "HOUSE blind count"
LATE, LATE_WITHIN_MS = 3, 60 * 60_000
"""So many bets of one patron that came after the close, within an hour, are worth a look."""


@dataclass(frozen=True, slots=True)
class Call:
    """A dealer asks for a supervisor, or a patron for anybody."""

    by: str
    at: int
    note: str
    answered_by: str | None = None


class Staff:
    """Everybody who works at the tables."""

    def __init__(self, desk: Desk, clockwork: Clockwork) -> None:
        self.desk, self.clockwork = desk, clockwork
        self.shoes = Shoes()
        self.names: dict[str, str] = {}
        self.calls: dict[str, Call] = {}
        self.proposals = Proposals(desk)
        self.late: dict[tuple[str, str], list[int]] = {}
        """By table and patron, when bets came after the close."""

        self.by_hand: dict[str, str] = {}
        """The latest round of a table in which a card was entered by hand."""

        self.imposed: dict[tuple[str, patron.Kind], int] = {}
        """By patron and kind the limits that the house has set, which no patron loosens."""

        self.changed: list[Callable[[str], None]] = []
        """Hear of what changed at a table without an event of its own."""

        self._seen: dict[str, int] = {}
        self._roles: dict[str, Role] = {}
        self._dealing: set[str] = set()
        """Whoever gave a dealer's command last, dealer or not: their console locks."""

        desk.deciding.append(lambda caused: self.shoes.hear(shoe_notes(caused)))
        desk.listeners.append(self._listen)

    def _listen(self, told: Published) -> None:
        self._check_lapsed(told.tables & self.proposals.tables)

    def recall(self, told: Iterable[Significant]) -> None:
        """What significant events say of shoes, calls and proposals, in the order of time."""
        for one in told:
            self.hear(one)
            name, there = one.where, self.calls.get(one.where)
            self.proposals.recall(one)
            if one.kind == "staff answer-call" and there is not None:
                self.calls[name] = Call(there.by, there.at, there.note, one.who)
            elif one.kind in CALLED:
                self.calls[name] = Call(one.who, one.at, one.why)
            if one.kind in ENDED | {RESOLVED} and not one.after.startswith(PROPOSED):
                self.calls.pop(name, None)
        self._check_lapsed(self.proposals.tables)

    def hear(self, note: Significant) -> None:
        """What is so by what is written down, now and after a restart."""
        self.shoes.hear([note])
        self.proposals.hear(note)
        if note.kind == LIMITED:
            who, kind, *_, amount = note.after.split()
            self.imposed[who, patron.Kind(kind)] = int(amount)

    def check_imposed(self, who: str, kind: patron.Kind, amount: int | None) -> None:
        """Refuse a patron's wish for a looser limit than the house has set."""
        imposed = self.imposed.get((who, kind))
        if imposed is not None and looser(amount, imposed):
            raise Refusal("patron/house-limit")

    def _check_lapsed(self, tables: Iterable[str]) -> None:
        """Once a table stands otherwise, what was proposed there has lapsed, and that is told."""
        for name in tables:
            if self.proposals.lapses(name):
                self._tell(name)

    # --- who is there -----------------------------------------------------------------------------

    def greet(self, person: Person) -> None:
        """Somebody signed in or gave the password again."""
        self.names[person.id] = person.name
        self._seen[person.id] = self.desk.now()

    def leave(self, person: str) -> None:
        """Somebody is barred or has another role: what they were at the tables is over."""
        self._roles.pop(person, None)
        for name in self.desk.books:
            if person in self.desk.venue.table(name).staff:
                self.desk.act(At(name, ask.SignOff(person, self.desk.now())))
                self._tell(name)

    def name(self, person: str) -> str:
        return self.names.get(person, person)

    def locked(self, person: str, own: Role) -> bool:
        """Whether a dealer, or whoever deals, has been away from the console for too long."""
        if person == DEALER or (own is not Role.DEALER and person not in self._dealing):
            return False
        return self.desk.now() - self._seen.get(person, self.clockwork.started) >= LOCK_MS

    def call(self, table: str, patron: str) -> None:
        """A patron asks for somebody to come."""
        self.calls[table] = Call(patron, self.desk.now(), "")
        self.desk.note(Significant(self.desk.now(), "call", patron, table))
        self._tell(table)

    def too_late(self, table: str, patron: str) -> None:
        """A bet came after the close; the third within an hour is noted, and on the wall."""
        now = self.desk.now()
        times = [at for at in self.late.get((table, patron), []) if now - at < LATE_WITHIN_MS]
        self.late[table, patron] = [*times, now][-LATE:]
        if len(times) == LATE - 1:
            why = f"{LATE} bets after the close within {LATE_WITHIN_MS // 60_000} minutes"
            self.desk.note(Significant(now, "late bets", patron, table, why))

    def often_late(self, table: str) -> list[str]:
        """Who keeps betting after the close at a table."""
        now = self.desk.now()
        return [
            who
            for (name, who), times in self.late.items()
            if name == table and sum(now - at < LATE_WITHIN_MS for at in times) >= LATE
        ]

    # --- commands ---------------------------------------------------------------------------------

    def carry_out(self, who: Person, command: house.StaffCommand) -> None:
        """Do what a member of staff asks for, and write down that it was asked for."""
        if who.kind != "staff":
            raise Refusal("server/staff-only")
        table: str = getattr(command, "table", "")
        check_reason(getattr(command, "reason", ""))
        if isinstance(command, window.COMMANDS):
            self._at_window(who, command)
            return
        by, member = self._admitted(who, command, table)
        if table:
            self._check_table(table, command)
        before = self._told(command, table)
        why = self._why(command)
        done = self._done(by, member, command, table)
        if isinstance(command, house.StayAwake | house.SwitchDealer):
            # The first changes nothing; the clockwork writes the second down itself.
            return
        after = done or self._told(command, table)
        kind = f"staff {_tag(command)}"
        note = Significant(self.desk.now(), kind, by, table, why, before, after)
        self.desk.note(note)
        self.hear(note)
        if table:
            self._tell(table)

    def _at_window(self, who: Person, command: window.Command) -> None:
        """Cash and paper at the cage."""
        if who.role not in window.ROLES:
            raise Refusal("staff/role", {"role": "cashier", "own": who.role}, CLAUSE_STAFF)
        patron = window.patron_of(command)
        if patron is not None:
            self._check_patron(patron)
        now = self.desk.now()
        after = window.done(self.desk, who.id, command, now)
        kind = window.kind_of(command)
        where = getattr(command, "table", "")
        self.desk.note(Significant(now, kind, who.id, where, self._why(command), "", after))

    def _check_patron(self, who: str) -> None:
        if not who.startswith("p-") or who not in self.names:
            raise Refusal("staff/no-patron", {"patron": who})

    def _check_device(self, terminal: str) -> None:
        if not terminal.startswith("t-") or terminal not in self.names:
            raise Refusal("terminal/no-device", {"terminal": terminal})

    def _admitted(self, who: Person, command: house.StaffCommand, name: str) -> tuple[str, Member]:
        """Who acts, and as what; refuses whoever may not."""
        table = self.desk.venue.table(name) if name in self.desk.books else Table()
        needed = LEAST[type(command)]
        if who.role == READER and isinstance(command, house.ScanCard):
            return self._for_reader(table)
        if who.role not in AT_TABLES:
            raise Refusal("staff/role", {"role": needed.value, "own": who.role}, CLAUSE_STAFF)
        own = self._roles[who.id] = Role(who.role)
        member = table.staff.get(who.id)
        if member is None or member.role is not own:
            # Somebody's role is what it is now, not what it was when they signed on.
            member = Member(who.id, own)
        check_role(member, needed, self.desk.now(), CLAUSE_STAFF)
        deals = isinstance(command, DEALING)
        if self.locked(who.id, own):
            # Only the password opens the lock; what is no dealer's work is done beside it.
            if own is Role.DEALER or (needed is Role.DEALER and not isinstance(command, DECIDING)):
                raise Refusal("staff/locked", {"minutes": LOCK_MS // 60_000})
            return who.id, member
        if deals:
            self._dealing.add(who.id)
        elif not isinstance(command, house.StayAwake):
            self._dealing.discard(who.id)
        self._seen[who.id] = self.desk.now()
        return who.id, member

    def _for_reader(self, table: Table) -> tuple[str, Member]:
        """A reader scans for the dealer at the table, who must be there."""
        for one in table.staff.values():
            if one.role is Role.DEALER and one.person != DEALER:
                if self.locked(one.person, one.role):
                    break
                self._seen[one.person] = self.desk.now()
                return one.person, one
        raise Refusal("staff/nobody-deals", {}, CLAUSE_STAFF)

    def _check_table(self, name: str, command: house.StaffCommand) -> None:
        if name not in self.desk.books:
            raise Refusal("table/unknown", {"table": name})
        if not isinstance(command, DEALING):
            return
        if self.clockwork.on[name]:
            raise Refusal("staff/automatic", {"table": name})
        table = self.desk.venue.table(name)
        if self.is_virtual(name) and not (
            isinstance(command, house.EndShoe | house.EndOptions) and table.round.phase in FINISHED
        ):
            raise Refusal("shoe/virtual", {"table": name})
        _check_first(table.round, command)

    def is_virtual(self, name: str) -> bool:
        """Whether the shoe in use is the server's own, from which nobody can take a card."""
        return is_committed(self.desk.venue.table(name), self.desk.shoes.get(name))

    def _told(self, command: house.StaffCommand, name: str) -> str:
        """What a command is about, as it stands: told before it and after it."""
        if name not in self.desk.books:
            return ""
        desk, book = self.desk, self.clockwork.tables[name].setup.book
        return told(command, desk.venue.table(name), self._round(name), book, desk.now())

    def _why(self, command: house.StaffCommand) -> str:
        """The reason that was given, or what the command was about."""
        if isinstance(command, house.Confirm | house.Decline):
            return self.proposals.reason(command.table)
        for field in ("reason", "note", "facts", "kind", "step", "shuffle_record"):
            if told := getattr(command, field, ""):
                return str(told)
        return ""

    def _round(self, name: str) -> str:
        """The round under way, by its shoe and number."""
        return self.desk.rounds.get(name, "")

    def _tell(self, table: str) -> None:
        """Nobody hears of anything before it is on disk."""

        def told(refusal: Refusal | None) -> None:
            if refusal is None:
                for hear in self.changed:
                    hear(table)

        self.desk.when_settled(told)

    # --- what each command means ------------------------------------------------------------------

    def _done(self, by: str, member: Member, command: house.StaffCommand, name: str) -> str | None:
        """Do it; what is different after it, where the table's own state does not tell."""
        now = self.desk.now()
        match command:
            case house.StayAwake():
                return None
            case house.SwitchDealer(on=on):
                self._switch(name, on, by)
                return None
            case house.CallSupervisor(note=note):
                self.calls[name] = Call(by, now, note)
                return "called"
            case house.AnswerCall():
                self._answer(name, by)
                return "answered"
            case house.ReleaseShoe(shoe=shoe):
                self.shoes.check_quarantined(shoe)
                return shoe
            case house.LimitPatron() | house.ExcludePatron():
                return self._protect(by, command, now)
            case house.Resolve():
                return self._resolve(name, by, member, command)
            case house.EnterCard(card=card):
                self._check_typing(name, card)
                self.desk.act(*self._present(by, member, command, name, now))
                there = self.desk.venue.table(name).staff.get(by)
                check_role(there, Role.DEALER, now, CLAUSE_STAFF)
                return self.proposals.propose(name, by, command)
            case house.Confirm(proposal=number):
                return self._confirm(name, by, member, number)
            case house.Decline(proposal=number):
                return self._decline(name, by, member, number)
            case house.EndShoe() if self.is_virtual(name):
                self.desk.act(*self.clockwork.end_shoe(name, by, now))
                return None
            case house.OpenTable():
                self.clockwork.reopen(name, by, member.role)
                return None
            case house.ChooseBook():
                return self._choose_book(name, by, member, command)
            case _:
                if isinstance(command, house.AddTerminal):
                    self._check_device(command.terminal)
                wanted = self._wanted(by, command, name, now)
                self.desk.act(*self._present(by, member, command, name, now), *wanted)
                return None

    def _present(
        self, by: str, member: Member, command: house.StaffCommand, name: str, now: int
    ) -> list[Wanted]:
        """A supervisor who acts at a table is there; a dealer signs on before dealing.

        At the same moment: a log's time never goes back.
        """
        leaves = isinstance(command, house.SignOff) and (command.person or by) == by
        if isinstance(command, house.SignOn) or leaves:
            return []
        there = self.desk.venue.table(name).staff.get(by)
        own = self._roles.get(by, member.role)
        if (own is Role.DEALER) if there is None else (there.role is own):
            return []
        return [At(name, ask.SignOn(by, own, now))]

    def _wanted(self, by: str, command: house.StaffCommand, name: str, now: int) -> list[Wanted]:
        round = in_round(command, now)
        if round is not None:
            return [At(name, InRound(round, by))]
        match command:
            case house.SignOn():
                return self._sign_on(name, by, now)
            case house.SignOff(person=person):
                return self._sign_off(name, by, person or by, now)
            case house.ScanCard(card=card):
                return [At(name, self._scanned(name, by, Card.parse(card), now))]
            case house.RegisterShoe():
                return [At(name, self._register(name, by, command, now))]
            case house.EndShoe(left=left):
                return [At(name, ask.EndShoe(self._counted(name, left), by, now))]
            case house.ChangeLimits(limits=given):
                limits = merged(self.desk.venue.table(name).limits, given)
                return [At(name, ask.ChangeLimits(limits, by, now))]
            case house.AnnounceClosing(rounds=more):
                return self._closing(name, by, more, now)
            case house.CloseTable():
                return [*self.clockwork.clearing(name, by, now), At(name, ask.CloseTable(by, now))]
            case house.BetFor() | house.WithdrawFor() | house.DecideFor() | house.ReportRemoved():
                return [At(name, InRound(self._for_patron(name, by, command, now), by))]
            case _:
                return [At(name, plainly(command, by, now))]

    # --- people -----------------------------------------------------------------------------------

    def _sign_on(self, name: str, by: str, now: int) -> list[Wanted]:
        """One dealer at a time: the round goes on, under the next one's name."""
        table = self.desk.venue.table(name)
        role = self._roles[by]
        there = table.staff.get(by)
        if there is not None and there.role is role:
            # Once is enough, and a second time would end a role that somebody lent.
            return []
        gone = [
            one.person
            for one in table.staff.values()
            if role is Role.DEALER and one.role is Role.DEALER and one.person not in (by, DEALER)
        ]
        leaving: list[Wanted] = [At(name, ask.SignOff(one, now)) for one in gone]
        if role is Role.DEALER:
            # Nobody deals at two tables.
            leaving += [
                At(other, ask.SignOff(by, now))
                for other in self.desk.books
                if other != name and by in self.desk.venue.table(other).staff
            ]
        return [*leaving, At(name, ask.SignOn(by, role, now))]

    def _sign_off(self, name: str, by: str, person: str, now: int) -> list[Wanted]:
        if person in (DEALER, OPERATOR):
            raise Refusal("staff/automatic", {"table": name})
        return [At(name, ask.SignOff(person, now, by))]

    def _answer(self, name: str, by: str) -> None:
        call = self.calls.get(name)
        if call is None:
            raise Refusal("staff/no-call", {"table": name})
        self.calls[name] = Call(call.by, call.at, call.note, by)

    def _switch(self, name: str, on: bool, by: str) -> None:
        table = self.desk.venue.table(name)
        if on:
            self.clockwork.check_automatic(name)
        if on and table.shoe is not None and not self.is_virtual(name):
            raise Refusal("shoe/in-use", {"shoe": table.shoe.id})
        self.clockwork.switch(name, on, by)
        self._tell(name)

    def _protect(self, by: str, command: house.LimitPatron | house.ExcludePatron, now: int) -> str:
        who = command.patron
        self._check_patron(who)
        if isinstance(command, house.ExcludePatron):
            self.desk.act(Of(who, patron.SelfExclude(command.length, now, by)))
            return f"{who} excluded {until_told(self.desk.venue.patron(who).excluded_until)}"
        kind = patron.Kind(command.kind)
        held = self.desk.venue.patron(who).limit(kind, now)
        if looser(command.amount, held):
            raise Refusal("staff/only-tighter", {"amount": held or 0})
        self.desk.act(Of(who, patron.SetLimit(kind, command.amount, now)))
        return f"{who} {command.kind} {held} -> {command.amount}"

    # --- cards and shoes --------------------------------------------------------------------------

    def _scanned(self, name: str, by: str, card: Card, now: int) -> ask.Command:
        """A card out of the shoe: dealt where the tableau wants one, else an irregularity."""
        table = self.desk.venue.table(name)
        shoe = table.shoe
        if shoe is not None and shoe.to_burn is None:
            return ask.BurnCard(card, by, now)
        if table.setup is not None and not table.setup.scanner:
            raise Refusal("card/by-hand", {"card": str(card)}, SCANNER)
        early = table.round.phase in (*FINISHED, Phase.BETTING, Phase.DECIDING)
        if early and shoe is not None and shoe.ready and table.incident is None:
            return ask.Report(EXCESS, by, now, (card,), note="scanned while no card was due")
        return InRound(rounds.DrawCard(card, now), by)

    def _register(
        self, name: str, by: str, command: house.RegisterShoe, now: int
    ) -> ask.RegisterShoe:
        shoe = " ".join(command.shoe.split())
        self.shoes.check_free(shoe, name)
        if command.shuffle_record.startswith(COMMITTED):
            # Only the server can say that a shoe is one that it has committed to.
            raise Refusal("shoe/virtual", {"table": name})
        setup = self.desk.venue.table(name).setup
        decks = setup.decks if setup else 0
        full = dict.fromkeys(DECK, decks)
        given = command.manifest
        manifest = full if given is None else {Card.parse(one): n for one, n in given.items()}
        return ask.RegisterShoe(shoe, manifest, command.shuffle_record, by, now)

    def _counted(self, name: str, left: int | None) -> int:
        """The count of a shoe that people deal from; nobody is told before what it should be."""
        shoe = self.desk.venue.table(name).shoe
        if shoe is None:
            raise Refusal("shoe/none", {})
        if left is None:
            raise Refusal("shoe/count-first", {"shoe": shoe.id}, BLIND)
        return left

    def _check_typing(self, name: str, card: str) -> None:
        """Some books let nobody type a card in (ONL E3); the others do where one is due."""
        unread = entry_of(self.desk.books[name], UNREAD)
        if unread.remedy is Remedy.RESCAN:
            raise Refusal("card/no-typing", {}, unread.clause)
        table = self.desk.venue.table(name)
        dealing = table.round.phase in (Phase.CLOSED, Phase.DEALING) and table.options is None
        going = table.incident is None or table.incident.kind == UNREAD
        if not (dealing and going) or next_side(table.round.coup) is None:
            raise Refusal("card/none-due", {"card": card}, unread.clause)

    # --- for a patron -----------------------------------------------------------------------------

    def _for_patron(
        self,
        name: str,
        by: str,
        command: house.BetFor | house.WithdrawFor | house.DecideFor | house.ReportRemoved,
        now: int,
    ) -> rounds.Command:
        who, spot = command.patron, command.spot
        box = command.box or self.desk.venue.table(name).bets_in(who)
        if box is None:
            raise Refusal("seat/none", {})
        match command:
            case house.BetFor(stake=stake):
                return rounds.PlaceBet(who, box, spot, stake, now)
            case house.WithdrawFor(stake=part):
                return rounds.WithdrawBet(who, box, spot, now, part)
            case house.DecideFor(continues=continues):
                return rounds.ChooseSecondStage(who, box, spot, continues, now)
            case house.ReportRemoved():
                return rounds.ReportRemoved(who, box, spot, by, now)

    def _announced(self, name: str, by: str, more: int, now: int) -> Wanted:
        """So many rounds more, the one under way counted."""
        table = self.desk.venue.table(name)
        over = table.rounds if table.round.phase in FINISHED else table.rounds - 1
        return At(name, ask.AnnounceClosing(over + more, by, now))

    def _closing(self, name: str, by: str, more: int, now: int) -> list[Wanted]:
        """The pit closes a table: it stays closed until the pit opens it again."""
        table = self.desk.venue.table(name)
        announced = self._announced(name, by, more, now)
        # The configuration's own hand is off the table as long as its member has signed off.
        off = [At(name, ask.SignOff(OPERATOR, now))] if OPERATOR in table.staff else []
        return [announced, *off]

    def _choose_book(
        self, name: str, by: str, member: Member, command: house.ChooseBook
    ) -> str | None:
        """Another book from the next opening on; patrons of an open table are told before."""
        table, before = self.desk.venue.table(name), self.clockwork.tables[name]
        chosen = self.clockwork.choose(name, command.book)
        same = table.setup is not None and table.setup.book_hash == chosen.setup.book_hash
        if table.open and table.last_round is None and not same:
            now = self.desk.now()
            here = self._present(by, member, command, name, now)
            try:
                self.desk.act(*here, self._announced(name, by, command.rounds, now))
            except Refusal:
                self.clockwork.tables[name] = before
                raise
        return command.book

    # --- four eyes --------------------------------------------------------------------------------

    def _resolve(self, name: str, by: str, member: Member, command: house.Resolve) -> str | None:
        """Take a step, or propose it where it undoes what was paid or changes the record."""
        incident = self.desk.venue.table(name).incident
        if command.incident is not None and (not incident or incident.number != command.incident):
            raise Refusal("staff/stale")
        self.desk.act(*self._present(by, member, command, name, self.desk.now()))
        wanted = At(name, resolving(command, by, self.desk.now()))
        caused = decide(self.desk.venue, wanted, self.desk.books)
        undone = any(isinstance(event, SettlementCorrected) for _, event in caused)
        if undone or command.step == Step.CORRECT.value:
            return self.proposals.propose(name, by, command)
        self.desk.act(wanted)
        self.calls.pop(name, None)
        return None

    def _confirm(self, name: str, second: str, member: Member, number: int) -> str:
        found, now = self.proposals.numbered(name, number), self.desk.now()
        self.proposals.check_second(found, second, member.role_at(now) is not member.role)
        here = self._present(second, member, found.command, name, now)
        match found.command:
            case house.EnterCard(card=card):
                drawn = rounds.DrawCard(Card.parse(card), now, seen_by=second)
                again = self._reread(name, found.by, now)
                self.desk.act(*here, *again, At(name, InRound(drawn, found.by)))
                self.by_hand[name] = self.desk.rounds.get(name, "")
            case house.Resolve() as step:
                self.desk.act(*here, At(name, resolving(step, found.by, now, second)))
        self.proposals.end(found)
        self.calls.pop(name, None)
        stood = stands(self.desk.venue.table(name), self._round(name))
        return f"confirmed {number} of {found.by}: {found.what}; {stood}"

    def _decline(self, name: str, by: str, member: Member, number: int) -> str:
        """Whoever proposed something, or could confirm it, may decline it."""
        found, now = self.proposals.numbered(name, number), self.desk.now()
        if found.by != by and isinstance(found.command, house.Resolve):
            self.desk.act(*self._present(by, member, found.command, name, now))
            wanted = At(name, resolving(found.command, found.by, now, by))
            try:
                decide(self.desk.venue, wanted, self.desk.books)
            except Refusal as refusal:
                if refusal.code == "staff/role":
                    raise
        self.proposals.end(found)
        return f"declined {number} of {found.by}: {found.what}"

    def _reread(self, name: str, by: str, now: int) -> list[Wanted]:
        """The card that could not be read is the one that is entered."""
        incident = self.desk.venue.table(name).incident
        if incident is None or incident.kind != UNREAD:
            return []
        return [At(name, ask.Resolve(Step.RESCAN, by, now, "entered by hand"))]


def _check_first(round: Round, command: house.StaffCommand) -> None:
    """Refuse what has been done already, and say so: a second press is no new mistake."""
    if isinstance(command, house.CallResult) and round.phase is Phase.RESULT:
        raise Refusal("round/called", {"round": round.number})
    if isinstance(command, house.CallResult | house.SettleRound) and round.phase is Phase.SETTLED:
        raise Refusal("round/settled", {"round": round.number})


def check_reason(reason: str) -> None:
    """Refuse a reason that says nothing."""
    if reason and not reason.strip():
        raise Refusal("staff/no-reason")


def _tag(command: house.StaffCommand) -> str:
    return str(type(command).__struct_config__.tag)
