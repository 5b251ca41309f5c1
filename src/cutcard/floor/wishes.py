"""What patrons wish: bets good and bad, money in and out, protection from themselves.

A wish knows nothing of whether it is lawful; about half of them are.
"""

from cutcard import cage, ledger, patron
from cutcard.cage import VoucherNumber
from cutcard.floor.dice import FloorDice
from cutcard.floor.floor import Floor
from cutcard.floor.terminals import standing
from cutcard.patron import DAY, HOUR, MINUTE, Kind
from cutcard.round import commands as rounds
from cutcard.round.state import Phase
from cutcard.rules.coup import Side
from cutcard.rules.limits import Kind as LimitKind
from cutcard.rules.limits import Limit
from cutcard.rules.rulebook import Rulebook
from cutcard.table import Table
from cutcard.table.commands import (
    CallAttendant,
    ChooseOption,
    InRound,
    LeaveSeat,
    RequestSqueeze,
    TakeSeat,
)
from cutcard.table.squeezing import highest_bettor
from cutcard.table.terminals import is_device

MAIN = ("player", "banker")
DEPOSITS = (10**4, 10**6, 10**7, 10**7)
TERMINALS = ("kiosk-1", "kiosk-2", "cashier")
LENGTHS = {Kind.TIME_DAY: 4 * HOUR, Kind.REALITY_CHECK: 20 * MINUTE}


class Patrons:
    """The people in the room, and the dice that they think with."""

    def __init__(self, floor: Floor, dice: FloorDice, number: int) -> None:
        self.floor, self.dice = floor, dice
        self.came = 0
        self.all: list[str] = []
        self.here = [self._arrive() for _ in range(number)]
        self.vouchers: list[VoucherNumber] = []

    def _arrive(self) -> str:
        self.came += 1
        name = f"patron-{self.came}"
        self.all.append(name)
        # Most are rich enough to play for a night; a few run out of money soon.
        self._deposit(name, self.dice.between(1, 100))
        self.floor.of_patron(name, patron.StartSession(self.floor.at))
        return name

    # --- at a table -------------------------------------------------------------------------------

    def at_table(self, name: str) -> None:
        """Somebody wishes something at a table, whatever is going on there."""
        wish, table = self.dice.below(100), self.floor.table(name)
        who = self._player(table)
        is_open = table.setup is not None and table.setup.is_open
        if table.terminals.by_name and self.dice.one_in(5):
            self._at_terminal(name, table)
        elif wish < 4 or not (table.seats or is_open):
            self.floor.at_table(name, TakeSeat(who, self._box(table, 0), self.floor.at))
        elif wish < 5:
            self.floor.at_table(name, LeaveSeat(who, self.floor.at))
        elif wish < 11:
            self._buy_in(name, who)
        elif wish < 13:
            self._cash_out(name, who, self._part(table.stacks.get(who, 0)))
        elif wish < 22:
            self._withdraw(name, table)
        elif wish < 24:
            self.squeeze(name, table)
        elif wish < 26:
            always = rounds.ChooseAlways(who, not self.dice.one_in(4), self.floor.at)
            self.floor.at_table(name, InRound(always, who))
        elif wish < 27:
            self.choose(name, table)
        elif wish < 31:
            self._take_balance(name, table)
        else:
            self._bet(name, table)

    def _player(self, table: Table) -> str:
        """Somebody who is here; at an electronic table mostly whoever plays at a device."""
        devices = standing(table)
        if devices and self.dice.one_in(6):
            # Somebody plays on where no device stands any more.
            names = table.terminals.by_name
            devices = [name for name in names if is_device(table, name)]
        return self.dice.pick(self.here if not devices or self.dice.one_in(3) else devices)

    def _at_terminal(self, name: str, table: Table) -> None:
        """Somebody wants an attendant, or credit on or off, also where a terminal once stood."""
        devices, wish = standing(table), self.dice.below(5)
        every = list(table.terminals.by_name)
        terminal = self.dice.pick(devices if devices and not self.dice.one_in(3) else every)
        if wish == 0:
            self.floor.at_table(name, CallAttendant(terminal, self.floor.at))
        elif wish == 1:
            self._load(name, terminal)
        else:
            self._cash_out(name, terminal, self._part(table.stacks.get(terminal, 0)))

    def _bet(self, name: str, table: Table) -> None:
        box = self._box(table, 20)
        holder = table.seats.get(box)
        leads = holder is not None and table.round.stakes_of(holder, box)
        # Whoever stands behind a seat mostly waits for its own patron to bet.
        alone = self.dice.one_in(2 if leads else 10)
        who = self._player(table) if holder is None or alone else holder
        if table.stacks.get(who, 0) == 0 and not self.dice.one_in(10):
            self._buy_in(name, who)
        spot = self._spot(self.floor.books[name])
        table = self.floor.table(name)
        stake = self._stake(name, who, spot, table)
        wanted = rounds.PlaceBet(who, box, spot, stake, self.floor.at)
        by = who
        if self.dice.one_in(12):
            by = self.dice.pick((*table.staff, *self.here))
        if not self.floor.at_table(name, InRound(wanted, by)) and not is_device(table, who):
            self._come_round(who)

    def _take_balance(self, name: str, table: Table) -> None:
        """Somebody stands behind a seat with all that its box takes; its patron wants more."""
        led = [box for box, who in table.seats.items() if table.round.stakes_of(who, box)]
        if not led:
            return
        box, spot = self.dice.pick(led), self.dice.pick(MAIN)
        low, step = self._least(table), self.floor.books[name].spots[spot].step
        behind, seated = self.dice.pick(self.here), table.seats[box]
        room = self._room(table, behind, box, spot)
        more = low * self.dice.between(1, 4) + step * self.dice.below(7)
        for who, stake in ((behind, room), (seated, more)):
            if self.floor.table(name).stacks.get(who, 0) < stake:
                self._buy_in(name, who)
            wanted = rounds.PlaceBet(who, box, spot, stake // step * step, self.floor.at)
            self.floor.at_table(name, InRound(wanted, who))

    def _room(self, table: Table, who: str, box: int, spot: str) -> int:
        """How much a patron may still put on a spot."""
        sums = table.round.sums
        rooms = (one.room_beside(sums(one.scope, who, box), spot) for one in self._limits(table))
        return min((room for room in rooms if room is not None), default=0)

    def _come_round(self, who: str) -> None:
        """Somebody who was refused has perhaps only to look at the clock, or to go home."""
        person, at = self.floor.venue.patron(who), self.floor.at
        check = patron.reality_check(person, at)
        if at < max(person.time_out_until, person.excluded_until):
            self._replace(who)
        elif person.time_left(at) == 0:
            self.floor.of_patron(who, patron.EndSession(at))
            self._replace(who)
        elif check is None:
            self.floor.of_patron(who, patron.StartSession(at))
        elif check.due:
            self.floor.of_patron(who, patron.AcknowledgeRealityCheck(at))

    def _replace(self, who: str) -> None:
        """Somebody else comes in for one who may not play; the seats are free again."""
        for name, table in self.floor.venue.tables.items():
            if table.box_of(who) is not None and not self.dice.one_in(4):
                self.floor.at_table(name, LeaveSeat(who, self.floor.at))
        if who in self.here:
            self.here[self.here.index(who)] = self._arrive()

    def _box(self, table: Table, wild: int) -> int:
        boxes = table.setup.boxes if table.setup else 1
        if wild and self.dice.one_in(wild):
            return self.dice.pick((-1, 0, boxes + 1, 10**6))
        if wild and table.seats and not self.dice.one_in(4):
            return self.dice.pick(tuple(table.seats))
        # At an open table there is none.
        return self.dice.between(min(1, boxes), boxes)

    def _spot(self, book: Rulebook) -> str:
        if self.dice.one_in(50):
            return self.dice.pick(("", "dragon_tail", "Player"))
        antes = tuple(spot for spot in book.spots if book.stage_of(spot) is not None)
        if antes and self.dice.one_in(3):
            return self.dice.pick(antes)
        return self.dice.pick(MAIN if self.dice.one_in(3) else tuple(book.spots))

    def _stake(self, name: str, who: str, spot: str, table: Table) -> int:
        """A stake: mostly within the limits and on the step, sometimes anything."""
        limits, low = self._limits(table), self._least(table)
        most = [
            one.amount for one in limits if one.kind is not LimitKind.MINIMUM and spot in one.spots
        ]
        high = min(most, default=low * 100)
        known = self.floor.books[name].spots.get(spot)
        step = known.step if known else 1
        wish = self.dice.below(25)
        if wish == 0:
            return self.dice.pick((0, -step, 10**16, 10**12))
        if wish == 24:
            # All that the patron has here, whatever it is needed for later.
            return min(table.stacks.get(who, 0), high) // step * step
        if wish == 1:
            return low + 1
        if wish == 2:
            return step * self.dice.between(1, 20)
        if wish == 3:
            return high + step
        if wish < 7:
            return high * self.dice.between(1, 5) // 3 // step * step
        amount = low * self.dice.between(1, 12) + step * self.dice.below(7)
        return min(amount, high) // step * step

    def _limits(self, table: Table) -> tuple[Limit, ...]:
        return table.round.terms.limits if table.round.terms else table.limits

    def _least(self, table: Table) -> int:
        least = [one.amount for one in self._limits(table) if one.kind is LimitKind.MINIMUM]
        return max(least, default=100)

    def _withdraw(self, name: str, table: Table) -> None:
        lying = list(table.round.bets)
        if not lying or self.dice.one_in(10):
            who, spot = self.dice.pick(self.here), self.dice.pick(MAIN)
            wanted = rounds.WithdrawBet(who, self._box(table, 9), spot, self.floor.at)
        else:
            main = [bet for bet in lying if bet.spot in MAIN]
            bet = self.dice.pick(main if main and self.dice.one_in(2) else lying)
            part = self.dice.pick((None, bet.stake // 2, bet.stake // 40 * 20, bet.stake + 1, 0))
            wanted = rounds.WithdrawBet(bet.patron, bet.box, bet.spot, self.floor.at, part)
        self.floor.at_table(name, InRound(wanted, self._by(wanted.patron)))

    def _by(self, who: str) -> str:
        """Mostly people look after their own bets."""
        return self.dice.pick(self.here) if self.dice.one_in(15) else who

    def choose(self, name: str, table: Table) -> None:
        """Somebody decides on an Ante, or thinks that there is one."""
        antes = [bet for bet in table.round.bets if bet.spot.startswith("ante")]
        if table.round.phase is not Phase.DECIDING or not antes or self.dice.one_in(10):
            who = self.dice.pick(self.here)
            wanted = rounds.ChooseSecondStage(who, 1, "ante_player", True, self.floor.at)
        else:
            bet = self.dice.pick(antes)
            stake = self.dice.pick((None, None, bet.stake * 2, bet.stake))
            wanted = rounds.ChooseSecondStage(
                bet.patron, bet.box, bet.spot, not self.dice.one_in(4), self.floor.at, stake
            )
        self.floor.at_table(name, InRound(wanted, self._by(wanted.patron)))

    def option(self, name: str, table: Table) -> None:
        """Somebody goes on after an error or takes the bets back, or lets staff say so."""
        waiting = [who for who, chosen in (table.options or {}).items() if chosen is None]
        who = self.dice.pick(waiting if waiting and not self.dice.one_in(10) else self.here)
        by = self.dice.pick((*table.staff, "nobody")) if self.dice.one_in(6) else self._by(who)
        chosen = ChooseOption(who, not self.dice.one_in(3), by, self.floor.at)
        self.floor.at_table(name, chosen)

    def take_all(self, name: str, table: Table) -> None:
        """Somebody who was paid leaves the table with everything, right or wrong."""
        paid = table.round.settled.bets if table.round.settled else ()
        if paid:
            who = self.dice.pick(paid).bet.patron
            self._cash_out(name, who, table.stacks.get(who, 0))

    def squeeze(self, name: str, table: Table) -> None:
        """Somebody asks to turn the cards over; mostly the one who may."""
        bettors = [bet.patron for bet in table.round.bets] or self.here
        best = highest_bettor(table)
        asks = self.dice.pick(bettors) if best is None or self.dice.one_in(4) else best
        side = self.dice.pick((Side.PLAYER, Side.BANKER))
        self.floor.at_table(name, RequestSqueeze(asks, side, self.floor.at))

    # --- money ------------------------------------------------------------------------------------

    def _buy_in(self, name: str, who: str) -> None:
        if is_device(self.floor.table(name), who) and not self.dice.one_in(8):
            self._load(name, who)
            return
        self.floor.at_cage(cage.BuyIn(who, name, self._purse(who), self.floor.at))

    def _cash_out(self, name: str, who: str, amount: int) -> None:
        if is_device(self.floor.table(name), who) and not self.dice.one_in(8):
            self._unload(name, who, amount)
            return
        self.floor.at_cage(cage.CashOut(who, name, amount, False, self.floor.at))

    def _load(self, name: str, terminal: str) -> None:
        """Credit onto a terminal, also an account's own: for cash, from a wallet, by a voucher."""
        who, wish, at = self.dice.pick(self.here), self.dice.below(3), self.floor.at
        amount = self._purse(who)
        if wish < 2:
            payer = who if wish else None
            self.floor.at_cage(cage.LoadTerminal(name, terminal, payer, amount, at))
            return
        number = self._issue(who, None, "kiosk-1", amount)
        self.floor.at_cage(cage.ClaimVoucher(number, terminal, at))
        if not self.floor.at_cage(cage.RedeemVoucher(number, terminal, terminal, name, at)):
            self.floor.at_cage(cage.ReleaseVoucher(number, terminal, at))

    def _unload(self, name: str, terminal: str, amount: int) -> None:
        """Credit off a terminal, whoever put it there: as cash, to a wallet, as a voucher."""
        wish = self.dice.below(3)
        if wish == 2:
            self._issue(terminal, name, terminal, amount)
            return
        payee = self.dice.pick(self.here) if wish else None
        off = cage.UnloadTerminal(name, terminal, payee, amount, False, self.floor.at)
        self.floor.at_cage(off)

    def _purse(self, who: str) -> int:
        """What somebody takes out of the wallet to play; now and then more than there is."""
        wallet = self._wallet(who)
        if wallet < 10**5:
            self._deposit(who, self.dice.between(1, 50))
            wallet = self._wallet(who)
        return wallet + 1 if self.dice.one_in(20) else wallet // self.dice.between(2, 6)

    def _deposit(self, who: str, times: int) -> None:
        amount = times * self.dice.pick(DEPOSITS)
        self.floor.at_cage(cage.Deposit(who, amount, self.floor.at))

    def _wallet(self, who: str) -> int:
        accounts = self.floor.venue.ledger.accounts
        found = accounts.get(ledger.wallet(who))
        return found.available if found else 0

    def _part(self, amount: int) -> int:
        # Whoever leaves a little on the table may find it too little later.
        return self.dice.pick((amount, amount // 2, max(0, amount - 30_000), amount + 1, 0))

    def elsewhere(self) -> None:
        """Somebody wishes something away from the tables."""
        who = self.dice.pick(self.all if self.dice.one_in(5) else self.here)
        wish, at = self.dice.below(100), self.floor.at
        if wish < 20:
            self._deposit(who, self.dice.between(0, 50))
        elif wish < 28:
            self.floor.at_cage(cage.Withdraw(who, self._part(self._wallet(who)), at))
        elif wish < 60:
            self._voucher(who)
        elif wish < 66:
            owed = -self.floor.venue.ledger.balance(ledger.debt(who))
            self.floor.at_cage(cage.PayDebt(who, self._part(owed), at))
        elif wish < 90:
            self._session(who)
        elif wish < 99 or self.dice.one_in(2):
            self._limit(who)
        else:
            self._stop(who)

    def _voucher(self, who: str) -> None:
        wish, at, terminal = self.dice.below(10), self.floor.at, self.dice.pick(TERMINALS)
        known = self.vouchers[-12:]
        if wish < 3 or not known:
            place = self.dice.pick((None, *self.floor.books))
            stacks = self.floor.table(place).stacks if place is not None else {}
            has = self._wallet(who) if place is None else stacks.get(who, 0)
            self._issue(who, place, terminal, self._part(has // 3))
            return
        number = self.dice.pick(known)
        voucher = self.floor.venue.cage.vouchers.get(number)
        claimed = voucher.claimed_by if voucher and voucher.claimed_by else terminal
        place = self.dice.pick((None, *self.floor.books))
        if wish < 5:
            self.floor.at_cage(cage.ClaimVoucher(number, terminal, at))
        elif wish < 7:
            self.floor.at_cage(cage.RedeemVoucher(number, claimed, who, place, at))
        elif wish == 7:
            self.floor.at_cage(cage.ReleaseVoucher(number, claimed, at))
        elif wish == 8:
            self.floor.at_cage(cage.ReprintVoucher(number, terminal, at))
            self.floor.at_cage(cage.ExpireVoucher(number, at))
        else:
            self.floor.at_cage(cage.VoidVoucher(number, claimed, "not printed", at))

    def _issue(self, who: str, place: str | None, terminal: str, amount: int) -> VoucherNumber:
        number = VoucherNumber(f"{len(self.vouchers):09}{self.dice.below(10**9):09}")
        life = self.dice.pick((HOUR, DAY, 30 * DAY))
        wanted = cage.IssueVoucher(
            number=number if not self.dice.one_in(20) else VoucherNumber("7"),
            patron=who,
            table=place,
            amount=amount,
            bets_in_play=False,
            terminal=terminal,
            expires_at=self.floor.at + life,
            at=self.floor.at,
        )
        if self.floor.at_cage(wanted):
            self.vouchers.append(number)
        return number

    # --- protection -------------------------------------------------------------------------------

    def _session(self, who: str) -> None:
        at = self.floor.at
        commands: tuple[patron.Command, ...] = (
            patron.StartSession(at),
            patron.StartSession(at),
            patron.AcknowledgeRealityCheck(at),
            patron.EndSession(at),
            patron.SetLimit(Kind.REALITY_CHECK, self.dice.between(0, 61) * MINUTE, at),
        )
        self.floor.of_patron(who, self.dice.pick(commands))

    def _limit(self, who: str) -> None:
        kind = self.dice.pick(tuple(Kind))
        usual = LENGTHS.get(kind, 10**9)
        amount = self.dice.pick((None, usual, usual // 2, usual * 2, -1))
        wanted: patron.Command = patron.SetLimit(kind, amount, self.floor.at)
        if self.dice.one_in(5):
            wanted = patron.CancelLoosening(kind, self.floor.at)
        self.floor.of_patron(who, wanted)

    def _stop(self, who: str) -> None:
        """Somebody stops for a while or for good, and somebody else comes in."""
        length = self.dice.pick((HOUR, DAY, 2 * DAY, 200 * DAY, None))
        wanted: patron.Command
        if length is not None and length < 100 * DAY:
            wanted = patron.TakeTimeOut(length, self.floor.at)
        else:
            wanted = patron.SelfExclude(length, self.floor.at)
        if self.floor.of_patron(who, wanted) and not self.dice.one_in(3):
            self._replace(who)
