"""What staff do: they run the tables, and now and then they err or reach too far.

The shuffled shoe is kept here and never by the table, which is told of each card
as it leaves.
"""

from dataclasses import replace

from cutcard.floor.dice import FloorDice
from cutcard.floor.floor import Floor
from cutcard.floor.mishaps import Mishaps
from cutcard.floor.terminals import Terminals
from cutcard.round import commands as rounds
from cutcard.round.state import FINISHED, Phase
from cutcard.round.terms import Apportioning, Entry
from cutcard.rules.cards import Card
from cutcard.rules.coup import next_side
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.rules.shoe import composition, full_shoe, shuffled
from cutcard.table import Setup, setup
from cutcard.table.commands import (
    ActAs,
    AnnounceClosing,
    AnswerSqueeze,
    BurnCard,
    ChangeLimits,
    CloseTable,
    EndShoe,
    FreeSeat,
    InRound,
    OpenCards,
    OpenTable,
    RegisterShoe,
    ShowCutCard,
    SignOff,
    SignOn,
)
from cutcard.table.incident import SYSTEM
from cutcard.table.seats import overdue
from cutcard.table.setup import Approval, boxes_of
from cutcard.table.terminals import has_terminals

VOID = ("pit ruling", "HOUSE void")


class Crew:
    """The staff of one table, its set-up and its shoe."""

    def __init__(self, floor: Floor, dice: FloorDice, name: str) -> None:
        self.floor, self.dice, self.name = floor, dice, name
        self.book = floor.books[name]
        self.dealers = [f"{name}-dealer", f"{name}-relief"]
        self.supervisor = f"{name}-supervisor"
        self.manager = f"{name}-manager"
        self.cards: list[Card] = []
        self.cut = 0
        self.shoes = 0
        self.setup = self._setup()
        self.mishaps = Mishaps(self)
        self.terminals = Terminals(self)
        self.do(SignOn(self.supervisor, Role.PIT_SUPERVISOR, floor.at))
        self.do(SignOn(self.manager, Role.SHIFT_MANAGER, floor.at))
        self.do(SignOn(self.dealers[0], Role.DEALER, floor.at))
        if self.book.dealer_clause is not None:
            # Somebody tries a machine where the book wants a dealer.
            dealt = replace(self.setup, machine=f"{name}-machine", demonstration=None)
            self.do(OpenTable(dealt, self.supervisor, floor.at))
        self.do(OpenTable(self.setup, self.supervisor, floor.at))
        self.electronic = has_terminals(floor.table(name), self.book)

    def _setup(self) -> Setup:
        layout = self.dice.pick(self.book.layouts)
        live = not self.book.id.startswith("online") and "etg" not in self.book.id
        demonstration = self.dice.one_in(6)
        # Differentials are apportioned where chips lie as they lie, so most such tables do.
        warn = not layout.is_open and self.dice.below(20) < (15 if live else 4)
        return setup(
            self.book,
            self.name,
            layout=layout.id,
            boxes=boxes_of(layout, self.dice.between(3, 12)),
            decks=self.dice.between(self.book.decks.least, self.book.decks.most),
            helpline="1800-858-858",
            entry=Entry.WARN if warn else Entry.REFUSE,
            face_down=self.dice.one_in(2),
            open_boxes=not live or self.dice.one_in(4),
            machine=None if live and not demonstration else f"{self.name}-machine",
            demonstration=demonstration or None,
            continuous=self.dice.one_in(8),
            # Online nobody types a card in (ONL E3).
            scanner=not self.dice.one_in(8) or self.book.id.startswith("online"),
            reserve_second=self.dice.one_in(3),
            approval=Approval("letter 7", "operator", "compliance"),
            apportioning=self.dice.pick(tuple(Apportioning)),
            decision_ms=self.dice.pick((10_000, 90_000)),
            sentinel=self.dice.pick((5, 5, 5, 3, 0)),
            only_placed=self.dice.one_in(3),
            bound=self.dice.one_in(3),
            option_ms=self.dice.pick((8_000, 30_000)),
            seat_ms=None if layout.is_open else self.dice.pick((None, 20_000, 90_000)),
        )

    @property
    def dealer(self) -> str:
        """Who deals: the machine, where there is one."""
        return self.setup.machine or self.dealers[0]

    def do(self, command: object) -> bool:
        return self.floor.at_table(self.name, command)  # type: ignore[arg-type]

    def in_round(self, command: rounds.Command, by: str | None = None) -> bool:
        return self.do(InRound(command, by or self.dealer))

    # --- the ordinary course ----------------------------------------------------------------------

    def go_on(self) -> None:
        """Do the next thing that has to be done."""
        table, at = self.floor.table(self.name), self.floor.at
        phase = table.round.phase
        if not table.open:
            self.do(OpenTable(self.setup, self.supervisor, at))
        elif self.setup.machine is None and self.dealer not in table.staff:
            self._come_back()
        elif phase in FINISHED:
            self._between_rounds()
        elif phase is Phase.BETTING:
            self._close()
        elif phase is Phase.DECIDING:
            # Time passes until nobody can decide any more.
            self.floor.at = max(at, table.round.decide_until or at)
            self.in_round(rounds.EndDecisions(self.floor.at))
        elif phase is Phase.RESULT:
            self.in_round(rounds.SettleRound(at))
            self.mishaps.compare()
        elif next_side(table.round.coup) is None:
            self.in_round(rounds.CallResult(at))
        elif table.shoe is None:
            # The shoe was taken away in the middle of the round.
            self._new_shoe()
        else:
            self._draw()

    def _between_rounds(self) -> None:
        table, at = self.floor.table(self.name), self.floor.at
        if table.shoe is None:
            self._new_shoe()
        elif table.last_round is not None and table.rounds >= table.last_round:
            self.do(CloseTable(self.supervisor, at))
        elif table.shoe.cut_card or not self.cards:
            self.mishaps.in_step()
            wrong = self.dice.pick((-1, 1, 2)) if self.dice.one_in(4) else 0
            self.do(EndShoe(self._counted() + wrong, self.dealer, at))
        else:
            self.in_round(rounds.OpenRound(0, None, at))

    def _counted(self) -> int:
        """A right count: into a continuous shuffler every card goes back first."""
        return 52 * self.setup.decks if self.setup.continuous else len(self.cards)

    def _come_back(self) -> None:
        """No dealer is at the table: a supervisor tries to open a round, then a dealer comes."""
        if self.cards:
            self.in_round(rounds.OpenRound(0, None, self.floor.at), self.supervisor)
        self.do(SignOn(self.dealers[0], Role.DEALER, self.floor.at))

    def _new_shoe(self) -> None:
        at, number = self.floor.at, self.setup.decks
        self.cards = list(shuffled(full_shoe(number), self.dice))
        self.mishaps.new_shoe()
        manifest = composition(self.cards)
        if self.dice.one_in(10):
            manifest[self.cards[0]] -= 1
        self.shoes += 1
        self.cut = self.book.cut.drawn(self.dice)
        if not self.do(RegisterShoe(f"shoe-{self.shoes}", manifest, "by hand", self.dealer, at)):
            return
        self.do(BurnCard(self.cards.pop(0), self.dealer, at))
        shoe = self.floor.table(self.name).shoe
        for _ in range((shoe.to_burn or 0) if shoe else 0):
            del self.cards[0]
            self.do(BurnCard(None, self.dealer, at))

    def _close(self) -> None:
        table, at = self.floor.table(self.name), self.floor.at
        if table.round.terms and table.round.terms.entry is Entry.WARN and self.dice.one_in(3):
            everywhere = self.dice.one_in(3)
            for box in (None,) if everywhere else tuple(table.round.by_box):
                self.in_round(rounds.RejectExcess(box, self.dealer, at))
        self.in_round(rounds.CloseBets(at))

    def _draw(self) -> None:
        table = self.floor.table(self.name)
        short = len(self.cards) <= self.cut
        if short and self.setup.continuous:
            self.cards = list(shuffled(full_shoe(self.setup.decks), self.dice))
        if short and table.shoe is not None and not table.shoe.cut_card:
            self.do(ShowCutCard(self.dealer, self.floor.at))
        if table.kept:
            # It comes first; whoever forgets draws one too many.
            card = self.cards[0] if self.cards and self.dice.one_in(8) else table.kept[0]
            if self.draw(card) and card != table.kept[0]:
                del self.cards[0]
        elif self.draw(self.mishaps.read(self.cards[0])):
            del self.cards[0]

    def draw(self, card: Card) -> bool:
        """Say that a card left the shoe; sometimes nobody confirms it, or nobody had to."""
        typed = self.dice.one_in(6) if self.setup.scanner else not self.dice.one_in(4)
        seen_by = self.supervisor if typed else None
        return self.in_round(rounds.DrawCard(card, self.floor.at, seen_by=seen_by))

    def answer(self) -> None:
        """Grant a squeeze, or not."""
        for asked, _ in self.floor.table(self.name).squeeze_asked:
            answer = AnswerSqueeze(asked, not self.dice.one_in(3), self.dealer, self.floor.at)
            self.do(answer)

    def anybody(self) -> str:
        """Somebody with some role or with none."""
        people = self.dealer, self.supervisor, self.dealers[1], self.manager, "nobody"
        return self.dice.pick(people)

    def come_and_go(self) -> None:
        """The shift manager leaves the table, or comes back to it."""
        if self.manager in self.floor.table(self.name).staff:
            self.do(SignOff(self.manager, self.floor.at))
        else:
            self.do(SignOn(self.manager, Role.SHIFT_MANAGER, self.floor.at))

    def free_seats(self) -> None:
        """The house frees every seat whose time is over; now and then it tries another one."""
        table, at = self.floor.table(self.name), self.floor.at
        boxes = overdue(table, at)
        if self.dice.one_in(10):
            boxes.append(self.dice.between(1, self.setup.boxes or 1))
        for box in boxes:
            self.do(FreeSeat(box, SYSTEM, at))

    # --- the extraordinary ------------------------------------------------------------------------

    def whim(self) -> None:
        """Something out of the ordinary, or out of order."""
        table, at, wish = self.floor.table(self.name), self.floor.at, self.dice.below(17)
        person = self.anybody()
        bets = list(table.round.bets)
        if wish == 0:
            self.dealers.reverse()
            self.do(SignOff(self.dealers[1], at))
            if self.dice.one_in(3):
                self.do(SignOn(self.dealers[0], Role.DEALER, at))
        elif wish == 1:
            self.do(ChangeLimits(self._limits(), person, at))
        elif wish == 2:
            last = table.rounds + self.dice.between(-1, 4)
            self.do(AnnounceClosing(last, person, at))
        elif wish == 3:
            self.do(CloseTable(person, at))
        elif wish == 4:
            self.in_round(rounds.VoidRound(*VOID, "somebody else", at), person)
        elif wish in (5, 6) and bets:
            bet = self.dice.pick(bets)
            gone = rounds.ReportRemoved(bet.patron, bet.box, bet.spot, self.dealer, at)
            self.in_round(gone)
        elif wish == 7:
            role = self.dice.pick(tuple(Role))
            until = at + self.dice.between(-1, 2_000_000)
            self.do(ActAs(self.dealer, role, until, person, at))
        elif wish in (8, 9):
            self.do(AnswerSqueeze("nobody", True, person, at))
            self.answer()
        elif wish == 10:
            self.do(OpenCards(person, at))
        elif wish == 11:
            self.do(FreeSeat(self.dice.pick((*table.seats, 1)), person, at))
        else:
            self._hasty(person)

    def _hasty(self, person: str) -> None:
        """Somebody does the right thing at the wrong time, or the wrong person does it."""
        at, phase = self.floor.at, self.floor.table(self.name).round.phase
        hasty: tuple[rounds.Command, ...] = (
            rounds.SettleRound(at),
            rounds.CallResult(at),
            rounds.EndDecisions(at),
            rounds.OpenRound(0, None, at),
            rounds.RejectExcess(1, person, at),
        )
        if phase not in FINISHED:
            self.in_round(self.dice.pick(hasty), person)
        else:
            self.do(EndShoe(len(self.cards), "nobody", at))
            self.in_round(rounds.CloseBets(at), person)

    def _limits(self) -> tuple[Limit, ...]:
        changed = tuple(self._limit(one) for one in self.book.limits)
        caps = [
            Limit(one.kind, Scope.TABLE, one.spots, one.amount * 2, one.clause)
            for one in changed
            if one.kind is Kind.DIFFERENTIAL and one.scope is Scope.BOX
        ]
        return (*caps, *changed) if self.dice.one_in(2) else changed

    def _limit(self, one: Limit) -> Limit:
        times = self.dice.between(1, 3)
        # Nobody says that a minimum must lie on the step of every spot.
        amount = one.amount * times // 2 + self.dice.pick((0, 0, 7))
        return Limit(one.kind, one.scope, one.spots, amount, one.clause)


def books_for(books: list[Rulebook], number: int) -> dict[str, Rulebook]:
    """So many tables, one for each book in turn."""
    return {f"table-{place + 1}": books[place % len(books)] for place in range(number)}
