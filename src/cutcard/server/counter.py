"""The counter: where a command of the API becomes commands of the engine, and an answer.

Each is done once, whatever the network does: an answer is kept under the caller's key in
the same commit as what it answers, and the same key is answered the same.
"""

import asyncio
import hashlib
import json
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from cutcard import cage, patron, wire
from cutcard.cage import VoucherNumber, slip
from cutcard.fairness import SeedGiven, SeedSealed
from cutcard.ledger import wallet
from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round.events import RoundSettled, RoundVoided
from cutcard.rules.coup import Side
from cutcard.server import window
from cutcard.server.clockwork import Clockwork
from cutcard.server.desk import Desk, Stepped, Wanted
from cutcard.server.duties import COMMANDS
from cutcard.server.staff import Staff
from cutcard.server.terminals import AT_DEVICES, DEVICES_ONLY, Accounts
from cutcard.store import Answered, Person
from cutcard.table import commands as ask
from cutcard.table.commands import InRound
from cutcard.table.state import Table
from cutcard.table.terminals import terminal
from cutcard.venue import At, Of
from cutcard.wire import api, house

TERMINAL = "terminal"
DAY = 24 * 60 * 60 * 1000
MOST_SEEDS = 64
"""Seeds that patrons may add to one shoe."""

Told = Callable[[bytes | Refusal], None]
"""Hears a command's answer, or why there is none."""

Laid = tuple[int, str, int]
"""Box, spot and stake of a bet."""

NO_BETS: list[Laid] = []

BETS = api.PlaceBet | api.PlaceBets | api.ChangeBet | api.Rebet
"""Commands that a patron may give too late; whoever does so often is on the pit's wall."""

PASSING = frozenset({"server/stopped", "server/busy", "store/away", "store/fenced"})
"""Refusals that say nothing of the command: the same key may be tried again."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the configuration says of money."""

    self_service: bool = False
    voucher_ms: int = 365 * DAY
    hand_pay: int = 0
    """From this amount on no terminal prints a voucher; 0 is no such amount."""

    digits: int = 2
    major: str = "dollar"
    minor: str = "cent"


@dataclass(slots=True)
class _Known:
    """The answers of one actor: the latest whole, older ones by name."""

    latest: dict[str, Answered] = field(default_factory=dict)
    older: set[str] = field(default_factory=set)


USUAL = Rules()


class Counter:
    """Takes commands from everybody who is signed in."""

    LATEST = 64

    def __init__(
        self,
        desk: Desk,
        clockwork: Clockwork,
        rules: Rules = USUAL,
        number: Callable[[], str] = lambda: f"{secrets.randbelow(10**18):018}",
    ) -> None:
        self.desk, self.clockwork, self.rules, self._number = desk, clockwork, rules, number
        self.staff = Staff(desk, clockwork)
        self.accounts = Accounts(desk.now)
        self._known: dict[str, _Known] = {}
        self._under_way: dict[tuple[str, str], bytes] = {}
        """The hash of every command that waits for the disk, by actor and key."""

        self._givers: dict[str, dict[str, str]] = {}

    async def load(self) -> None:
        """Learn which keys are taken."""
        for actor, key in await self.desk.store.answered_since(0):
            self._known.setdefault(actor, _Known()).older.add(key)

    async def forget(self, before: int) -> int:
        """Forget old keys, first on disk and then here."""
        count = await self.desk.store.forget_answers(before)
        if count:
            # Keys that come in while the disk is asked must stay known all the time.
            asked = {actor: set(known.older) for actor, known in self._known.items()}
            await self.desk.settled()
            kept = set(await self.desk.store.answered_since(0))
            for actor, keys in asked.items():
                known = self._known[actor]
                known.older -= {key for key in keys if (actor, key) not in kept}
                for key, answered in [*known.latest.items()]:
                    if answered.at < before:
                        del known.latest[key]
        return count

    def take(self, who: Person, key: str, command: api.Command, body: bytes, told: Told) -> bool:
        """Carry a command out at once, and tell its answer as soon as it is on disk.

        Nearly every command goes this way. False, and nothing done, where something has to be
        waited for first: then `do` does it.
        """
        known = self._known.get(who.id)
        used = known is not None and (key in known.latest or key in known.older)
        if used or (who.id, key) in self._under_way or isinstance(command, api.Rebet):
            return False
        self._begin(who, key, command, hashlib.sha256(body).digest(), told)
        return True

    async def do(self, who: Person, key: str, command: api.Command, body: bytes) -> bytes:
        """Carry a command out once, and return its answer as it is sent."""
        digest = hashlib.sha256(body).digest()
        again = await self._again(who, command) if isinstance(command, api.Rebet) else []
        known = await self._answered(who.id, key, digest)
        if known is not None:
            return known
        done: asyncio.Future[bytes | Refusal] = asyncio.get_running_loop().create_future()
        self._begin(who, key, command, digest, lambda told: _put(done, told), again)
        answer = await done
        if isinstance(answer, Refusal):
            raise answer
        return answer

    def _begin(
        self,
        who: Person,
        key: str,
        command: api.Command,
        digest: bytes,
        told: Told,
        again: list[Laid] = NO_BETS,
    ) -> None:
        """Do it now, and keep the answer in the same commit."""
        try:
            extra = self._carried_out(who, command, again)
            answer = api.encode(self._done(who, key, command, extra))
        except Refusal as refusal:
            if refusal.code in PASSING:
                raise
            if refusal.code == "bet/closed" and isinstance(command, BETS):
                self.staff.too_late(command.table, who.id)
            answer = api.encode(refused(refusal, who.language, self.rules.digits, key))
        actor = who.id
        self._under_way[actor, key] = digest
        self._keep(Answered(actor, key, digest, answer, self.desk.now()))

        def settled(refusal: Refusal | None) -> None:
            del self._under_way[actor, key]
            if refusal is not None:
                # It never came to the disk: whoever tries again finds out what became of it.
                self._known[actor].latest.pop(key, None)
            told(answer if refusal is None else refusal)

        self.desk.when_settled(settled)

    # --- once only --------------------------------------------------------------------------------

    async def _answered(self, actor: str, key: str, digest: bytes) -> bytes | None:
        while (running := self._under_way.get((actor, key))) is not None:
            _same(running, digest)
            await self.desk.settled()
        known = self._known.get(actor)
        if known is None:
            return None
        found = known.latest.get(key)
        if found is not None or key in known.older:
            # Whoever asked first may have gone before it was on disk.
            await self.desk.settled()
        if found is None and key in known.older:
            found = await self.desk.store.answered(actor, key)
        if found is None:
            return None
        _same(found.body, digest)
        return found.answer

    def _keep(self, answered: Answered) -> None:
        self.desk.answer(answered)
        known = self._known.setdefault(answered.actor, _Known())
        known.latest[answered.key] = answered
        if len(known.latest) > self.LATEST:
            eldest = next(iter(known.latest))
            del known.latest[eldest]
            known.older.add(eldest)

    # --- what each command means ------------------------------------------------------------------

    def _carried_out(self, who: Person, command: api.Command, again: list[Laid]) -> str | None:
        """Do it; the number of the voucher that it made, if it made one."""
        if isinstance(command, COMMANDS):
            self.staff.carry_out(who, command)
            return command.number if isinstance(command, house.ReprintVoucher) else None
        if not who.plays:
            raise Refusal("server/patrons-only")
        table = getattr(command, "table", None)
        if table is not None:
            self._check_table(table)
        if who.kind == "terminal":
            self._check_device(who.id, command)
        elif isinstance(command, DEVICES_ONLY):
            raise Refusal("terminal/only-there")
        if isinstance(command, api.Rebet):
            self.desk.act(*self._rebet(who.id, command, again))
            return None
        if isinstance(command, api.CallStaff):
            self._call(command.table, who.id)
            return None
        if isinstance(command, api.OpenNow):
            self.clockwork.open_now(command.table, who.id)
            return None
        if isinstance(command, api.IssueVoucher):
            return self._issue(who.id, command)
        wanted = self._wanted(who.id, command)
        if wanted:
            self.desk.act(*wanted)
        return None

    def _check_table(self, name: str) -> None:
        if name not in self.desk.books:
            raise Refusal("table/unknown", {"table": name})

    def _check_device(self, device: str, command: api.Command) -> None:
        """Refuse what no device does, and what it does only at the table at which it stands."""
        table = getattr(command, "table", None)
        if table is None or not isinstance(command, AT_DEVICES):
            raise Refusal("terminal/not-there")
        terminal(self.desk.venue.table(table), device)

    def _call(self, name: str, who: str) -> None:
        """An attendant for a terminal; at other tables somebody for the table."""
        if self.desk.venue.table(name).terminals.get(who) is None:
            self.staff.call(name, who)
        else:
            self.desk.act(At(name, ask.CallAttendant(who, self.desk.now())))

    def _wanted(self, who: str, command: api.Command) -> list[Wanted]:
        now = self.desk.now()
        match command:
            case api.LoadCredit(table=table, amount=amount):
                return [cage.LoadTerminal(table, who, self.accounts.at(who), amount, now)]
            case api.UnloadCredit(table=table, amount=wished):
                patron = self.accounts.at(who)
                amount = window.all_of(self.desk, table, who) if wished is None else wished
                return [cage.UnloadTerminal(table, who, patron, amount, False, now)]
            case api.Deposit(amount=amount):
                if not self.rules.self_service:
                    raise Refusal("server/no-self-service")
                return [cage.Deposit(who, amount, now)]
            case api.Withdraw(amount=amount):
                if not self.rules.self_service:
                    raise Refusal("server/no-self-service")
                return [cage.Withdraw(who, amount, now)]
            case api.PayDebt(amount=amount):
                return [cage.PayDebt(who, amount, now)]
            case api.BuyIn(table=table, amount=amount):
                return [cage.BuyIn(who, table, amount, now)]
            case api.CashOut(table=table, amount=wished):
                amount = window.all_of(self.desk, table, who) if wished is None else wished
                return [cage.CashOut(who, table, amount, False, now)]
            case api.RedeemVoucher(number=number, table=table_or_none):
                paper = VoucherNumber(number)
                place = self._place(table_or_none, who)
                return [
                    cage.ClaimVoucher(paper, place, now),
                    cage.RedeemVoucher(paper, place, who, table_or_none, now),
                ]
            case api.TakeSeat(table=table, box=box):
                return [At(table, ask.TakeSeat(who, box, now))]
            case api.LeaveSeat(table=table):
                return [At(table, ask.LeaveSeat(who, now))]
            case api.AlwaysContinue(table=table, always=always):
                return [At(table, InRound(rounds.ChooseAlways(who, always, now), who))]
            case api.RequestSqueeze(table=table, side=side):
                return [At(table, ask.RequestSqueeze(who, Side(side), now))]
            case api.ChooseOption(table=table, continues=continues):
                self._check_round(table, command.round)
                return [At(table, ask.ChooseOption(who, continues, who, now))]
            case api.SealSeed(table=table):
                return self._sealed(who, command, now)
            case api.GiveSeed(table=table, giver=giver, seed=seed):
                return [Stepped(table, SeedGiven(giver, bytes.fromhex(seed)))]
            case api.PlaceBets():
                return [
                    wanted
                    for one in command.bets
                    for wanted in self._bet(
                        who,
                        api.PlaceBet(
                            table=command.table,
                            spot=one.spot,
                            stake=one.stake,
                            box=one.box,
                            round=command.round,
                        ),
                        now,
                    )
                ]
            case api.PlaceBet() | api.ChangeBet() | api.WithdrawBet() | api.Decide():
                return self._bet(who, command, now)
            case _:
                return [Of(who, self._wish(who, command, now))]

    def _bet(
        self,
        who: str,
        command: api.PlaceBet | api.ChangeBet | api.WithdrawBet | api.Decide,
        now: int,
    ) -> list[Wanted]:
        self._check_round(command.table, command.round)
        table = self.desk.venue.table(command.table)
        box = command.box or table.bets_in(who)
        if box is None:
            box = _box_of_bet(table, who, command.spot)
        if box is None:
            raise Refusal("seat/none", {})
        name, spot = command.table, command.spot
        match command:
            case api.PlaceBet(stake=stake):
                bet: rounds.Command = rounds.PlaceBet(who, box, spot, stake, now)
            case api.WithdrawBet(stake=part):
                bet = rounds.WithdrawBet(who, box, spot, now, part)
            case api.Decide(continues=continues):
                bet = rounds.ChooseSecondStage(who, box, spot, continues, now)
            case api.ChangeBet(stake=wished):
                laid = table.round.bet((box, who, spot))
                there = laid.stake if laid else 0
                if wished == there:
                    return []
                if wished > there:
                    bet = rounds.PlaceBet(who, box, spot, wished - there, now)
                else:
                    bet = rounds.WithdrawBet(who, box, spot, now, there - wished)
        return [At(name, InRound(bet, who))]

    def _wish(self, who: str, command: api.Command, now: int) -> patron.Command:
        match command:
            case api.SetLimit(kind=kind, amount=amount):
                self.staff.check_imposed(who, patron.Kind(kind), amount)
                return patron.SetLimit(patron.Kind(kind), amount, now)
            case api.CancelLoosening(kind=kind):
                return patron.CancelLoosening(patron.Kind(kind), now)
            case api.TakeTimeOut(length=length):
                return patron.TakeTimeOut(length, now)
            case api.SelfExclude(length=length_or_none):
                return patron.SelfExclude(length_or_none, now)
            case api.AcknowledgeRealityCheck():
                return patron.AcknowledgeRealityCheck(now)
            case _:
                raise AssertionError(f"nobody carries out {command!r}")

    def _check_round(self, name: str, meant: str | None) -> None:
        """A bet that was meant for one round must not fall into another."""
        if meant is not None and meant != self.desk.rounds.get(name):
            raise Refusal("bet/other-round", {"round": meant})

    def _issue(self, who: str, command: api.IssueVoucher) -> str:
        if 0 < self.rules.hand_pay <= command.amount:
            raise Refusal("cage/hand-pay", {"least": self.rules.hand_pay})
        now = self.desk.now()
        number = VoucherNumber(self._number())
        self.desk.act(
            cage.IssueVoucher(
                number,
                who,
                command.table,
                command.amount,
                False,
                self._place(command.table, who),
                now + self.rules.voucher_ms,
                now,
            )
        )
        return number

    def _place(self, name: str | None, who: str) -> str:
        """Where a voucher comes out or goes in, as it is printed on the voucher."""
        found = None if name is None else self.desk.venue.table(name).terminals.get(who)
        return TERMINAL if found is None or found.own else f"{name} terminal {found.number}"

    def _sealed(self, who: str, command: api.SealSeed, now: int) -> list[Wanted]:
        """One seed a patron and shoe: more would only fill the log."""
        shoe = self.desk.shoes.get(command.table)
        if shoe is None:
            raise Refusal("shoe/none", {})
        givers = self._givers.get(shoe.commitment.shoe)
        if givers is None:
            givers = {}
            self._givers = {
                **{name: one for name, one in self._givers.items() if _other(name, command.table)},
                shoe.commitment.shoe: givers,
            }
        if who in givers or len(shoe.seals) > MOST_SEEDS:
            raise Refusal("fairness/seal-twice", {"giver": givers.get(who, command.giver)})
        sealed = SeedSealed(command.giver, bytes.fromhex(command.seal), now)
        self.desk.check(Stepped(command.table, sealed))
        givers[who] = command.giver
        return [Stepped(command.table, sealed)]

    async def _again(self, who: Person, command: api.Rebet) -> list[Laid]:
        known = who.plays and command.table in self.desk.books
        return await self.last_bets(who.id, command.table) if known else []

    def _rebet(self, who: str, command: api.Rebet, bets: list[Laid]) -> list[Wanted]:
        self._check_round(command.table, command.round)
        now, table = self.desk.now(), self.desk.venue.table(command.table)
        if any(table.round.by_patron.get(who, {}).values()):
            raise Refusal("bet/rebet-placed")
        if not bets:
            raise Refusal("bet/no-rebet")
        return [
            At(
                command.table,
                InRound(rounds.PlaceBet(who, box, spot, stake * command.times, now), who),
            )
            for box, spot, stake in bets
        ]

    async def last_bets(self, who: str, name: str) -> list[Laid]:
        """Box, spot and stake of a patron's bets in the last round played at a table."""
        table, book = self.desk.shown.table(name), self.desk.books[name]
        bets = _ended_bets(table, who)
        if not bets:
            for played in await self.desk.store.played(who, 50):
                if played.log == name:
                    (kept,) = await self.desk.store.records(name, played.number - 1, 1)
                    bets = _recorded_bets(wire.read(json.loads(kept.record)), who)
                    break
        return [one for one in bets if book.spots[one[1]].stage is None]

    # --- answers ----------------------------------------------------------------------------------

    def _done(self, person: Person, key: str, command: api.Command, number: str | None) -> api.Done:
        venue, who = self.desk.venue, person.id
        name = getattr(command, "table", None)
        told: dict[str, object] = {}
        if name is not None:
            table = venue.table(name)
            told = {
                "table": name,
                "seq": table.seq,
                "round": self.desk.rounds.get(name),
                "stack": table.stacks.get(who, 0),
            }
            own, spot = table.round.by_patron.get(who, {}), getattr(command, "spot", None)
            if spot is not None:
                told |= {"spot": spot, "stake": own.get(spot, 0)}
            if isinstance(command, BETTING):
                told["bets"] = {spot: stake for spot, stake in own.items() if stake}
        if not isinstance(command, BETTING):
            # A cashier is told what the patron at the window has.
            purse = self._purse(person, command)
            told["wallet"] = None if purse is None else venue.ledger.available(wallet(purse))
        if number is not None:
            told["voucher"] = self.voucher(number, person.language)
        return api.Done(key=key, at=self.desk.now(), **told)  # type: ignore[arg-type]

    def _purse(self, person: Person, command: api.Command) -> str | None:
        """Whose wallet an answer speaks of: the patron's, or that of the patron at the window."""
        if isinstance(command, window.AtWindow | window.Credit):
            return window.patron_of(command)
        return self.accounts.found(person.id) if person.kind == "terminal" else person.id

    def voucher(self, number: str, language: str) -> api.VoucherShown:
        """A voucher as it is printed."""
        found = self.desk.venue.cage.vouchers[VoucherNumber(number)]
        rules = self.rules
        printed = slip(found, rules.major, rules.minor, language, rules.digits)
        return api.VoucherShown(
            number=found.number,
            amount=found.amount,
            words=printed.words,
            state=found.state.value,
            expires_at=found.expires_at,
            reprints=found.reprints,
            issued_at=found.issued_at,
            terminal=found.terminal,
        )


BETTING = (
    api.PlaceBet,
    api.PlaceBets,
    api.ChangeBet,
    api.WithdrawBet,
    api.Rebet,
    api.Decide,
    api.AlwaysContinue,
    api.ChooseOption,
)
"""What touches no wallet."""


def refused(refusal: Refusal, language: str, digits: int, key: str | None = None) -> api.Refused:
    """A refusal as it is sent: figures in minor units, and a sentence as the venue counts."""
    return api.Refused(
        code=refusal.code,
        sentence=refusal.message(language, digits),
        clause=refusal.clause,
        key=key,
        params={name: _simple(value) for name, value in refusal.params.items()},
    )


def _simple(value: object) -> str | int | bool | None:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, list | tuple):
        return ", ".join(str(one) for one in value)
    return str(value)


def _put(done: "asyncio.Future[bytes | Refusal]", told: bytes | Refusal) -> None:
    if not done.done():
        done.set_result(told)


def _same(before: bytes, now: bytes) -> None:
    if before != now:
        raise Refusal("server/key-reused")


def _other(shoe: str, table: str) -> bool:
    return not shoe.startswith(f"{table}/")


def _box_of_bet(table: Table, who: str, spot: str) -> int | None:
    """The box in which a patron's only bet on a spot lies, wherever the patron stands by now."""
    boxes = [bet.box for bet in table.round.bets_of(who) if bet.spot == spot]
    return boxes[0] if len(boxes) == 1 else None


def _ended_bets(table: Table, who: str) -> list[Laid]:
    settled = table.round.settled
    bets = [one.bet for one in settled.bets] if settled else []
    return [(bet.box, bet.spot, bet.stake) for bet in bets if bet.patron == who]


def _recorded_bets(record: wire.Record, who: str) -> list[Laid]:
    event = record.event if isinstance(record, wire.Happened) else None
    bets: Iterable[object] = ()
    if isinstance(event, RoundVoided):
        bets = event.returned
    elif isinstance(event, RoundSettled) or hasattr(event, "bets"):
        bets = [one.bet for one in getattr(event, "bets", ())]
    return [(bet.box, bet.spot, bet.stake) for bet in bets if bet.patron == who]  # type: ignore[attr-defined]
