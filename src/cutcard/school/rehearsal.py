"""A table for lessons: real commands, real rules, and cards that a seed chose.

Whatever stands on the table of a lesson was put there by `decide`, so a lesson
cannot show what could not happen.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round.decide import undecided
from cutcard.round.state import Phase
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.limits import Kind
from cutcard.rules.moment import milliseconds
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.rules.shoe import (
    FULL_COUP,
    Dice,
    SeededDice,
    burn_count,
    composition,
    full_shoe,
    shuffled,
)
from cutcard.table import Table, decide, fold, setup
from cutcard.table.commands import (
    BurnCard,
    Command,
    FillStack,
    InRound,
    OpenCards,
    OpenTable,
    RegisterShoe,
    Report,
    SignOn,
    TakeSeat,
)
from cutcard.table.events import Event
from cutcard.table.setup import Approval, Setup

T = TypeVar("T")

NAMES = ("Ann", "Ben", "Cho", "Dee", "Eli", "Fay", "Gus", "Hua")
STAKE = 100
"""Stakes are small multiples of this, or of the minimum where that is more."""

STACK = 10**9
"""Nobody in a lesson runs out of money."""

MAIN = ("player", "banker")


def pick(dice: Dice, things: Sequence[T]) -> T:
    return things[dice.below(len(things))]


def staff(role: Role) -> str:
    """Who holds a role at the tables of the school."""
    return role.name.lower()


DEALER = staff(Role.DEALER)


def refused(table: Table, command: Command, book: Rulebook) -> Refusal | None:
    """The refusal that a command would meet, or None where it is lawful."""
    try:
        decide(table, command, book)
    except Refusal as refusal:
        return refusal
    return None


class Rehearsal:
    """A table with staff, patrons, bets and a shoe, all by the dice."""

    def __init__(self, book: Rulebook, dice: SeededDice, **choices: object) -> None:
        self.book = book
        self.dice = dice
        self.table = Table()
        # No book may be played before its time.
        self.now = milliseconds(book.effective_from or "1970-01-01")
        usual: dict[str, object] = {
            "helpline": "the school's office",
            "approval": Approval("for lessons", "first", "second"),
            "sentinel": 0,
        }
        opened = setup(book, "school", **{**usual, **choices})
        for role in Role:
            self.do(SignOn(staff(role), role, self.at()))
        self.do(OpenTable(opened, staff(Role.SHIFT_MANAGER), self.at()))
        self.coming: list[Card] = []
        self.patrons: list[str] = []
        self.onlookers: list[str] = []
        self._shoe(opened.decks)
        self._people(opened)

    def do(self, command: Command) -> list[Event]:
        events = decide(self.table, command, self.book)
        self.table = fold(events, self.table)
        return events

    def at(self) -> int:
        self.now += 1000
        return self.now

    def in_round(self, command: rounds.Command, by: str = DEALER) -> list[Event]:
        return self.do(InRound(command, by))

    # --- before the round

    def _shoe(self, decks: int) -> None:
        self.coming = list(shuffled(full_shoe(decks), self.dice))
        manifest = composition(self.coming)
        self.do(RegisterShoe("shoe 1", manifest, "shuffled in school", DEALER, self.at()))
        exposed = self.coming.pop(0)
        self.do(BurnCard(exposed, DEALER, self.at()))
        for _ in range(burn_count(exposed)):
            self.coming.pop(0)
            self.do(BurnCard(None, DEALER, self.at()))

    def _people(self, opened: Setup) -> None:
        """Two to four patrons who will bet, and now and then somebody who only watches."""
        number = 2 + self.dice.below(3)
        sits = self.dice.below(3) == 0
        first = self.dice.below(len(NAMES))
        names = [NAMES[(first + place) % len(NAMES)] for place in range(number + sits)]
        names = names if opened.is_open else names[: opened.boxes]
        for box, name in enumerate(names, start=1):
            self.fund(name)
            if not opened.is_open:
                self.do(TakeSeat(name, box, self.at()))
        self.patrons, self.onlookers = names[:number], names[number:]

    def fund(self, patron: str) -> None:
        self.do(FillStack(patron, STACK, self.at()))

    # --- bets

    def open(self) -> None:
        setting = self.table.setup
        assert setting is not None, "the table is open"
        terms = setting.terms(self.table.limits, self.book)
        self.in_round(rounds.OpenRound(0, terms, self.at()))

    def bet(self) -> None:
        """Everybody bets on a side or something like it, some on something else too."""
        for patron in self.patrons:
            spots = [
                spot.id
                for spot in self.book.spots.values()
                if spot.stage is None and spot.needs is None
            ]
            mains = [spot for spot in MAIN if spot in spots] or spots
            main = pick(self.dice, mains if self.dice.below(4) else spots)
            self.put(patron, main)
            if self.dice.below(2):
                more = [s.id for s in self.book.spots.values() if s.stage is None and s.id != main]
                self.put(patron, pick(self.dice, more))

    def box(self, patron: str) -> int:
        """Where a patron of this table bets."""
        box = self.table.bets_in(patron)
        assert box is not None, "every patron here has a seat, or needs none"
        return box

    def put(self, patron: str, spot: str) -> None:
        """A bet of some multiple of the unit, if the book takes it from this patron."""
        unit, box = self.unit(spot), self.box(patron)
        for times in dict.fromkeys((pick(self.dice, (1, 1, 2, 3, 5)), 1)):
            wish = InRound(rounds.PlaceBet(patron, box, spot, times * unit, self.at()), patron)
            if refused(self.table, wish, self.book) is None:
                self.do(wish)
                return

    def unit(self, spot: str) -> int:
        """The least stake on a spot that is worth telling."""
        minima = [
            one.amount for one in self.book.limits if one.kind is Kind.MINIMUM and spot in one.spots
        ]
        second = self.book.stage_of(spot)
        step = self.book.spots[spot].step * (second.step if second else 1)
        return -(-max([STAKE, *minima]) // step) * step

    def close(self) -> None:
        self.in_round(rounds.CloseBets(self.at()))

    def begin(self) -> None:
        """A round with bets, closed."""
        self.open()
        self.bet()
        self.close()

    # --- cards

    def look_for(self, wanted: Callable[[Coup], bool]) -> Coup:
        """Have a coup come next that the lesson can use; it says how that coup would end."""
        for start in range(len(self.coming) - FULL_COUP - 2):
            coup = Coup.deal(self.coming[start : start + FULL_COUP])
            if wanted(coup):
                # What is passed over stays in the shoe, for later.
                passed, self.coming = self.coming[:start], self.coming[start:]
                self.coming += passed
                return coup
        raise AssertionError("a shoe holds every sort of coup that a lesson asks for")

    def deal(self, number: int, *, decide_too: bool = True) -> None:
        """So many cards, or as many as the coup takes; Antes are decided on as they come up."""
        for _ in range(number):
            if self.table.incident is not None or self.over:
                return
            self.in_round(rounds.DrawCard(self.coming[0], self.at()))
            self.coming.pop(0)
            if decide_too:
                self.decide_antes()

    def decide_antes(self) -> None:
        if self.table.round.phase is not Phase.DECIDING:
            return
        for bet, _ in undecided(self.table.round, self.book):
            goes_on = self.dice.below(6) > 0
            wish = rounds.ChooseSecondStage(bet.patron, bet.box, bet.spot, goes_on, self.at())
            self.in_round(wish, bet.patron)

    @property
    def over(self) -> bool:
        return next_side(self.table.round.coup) is None

    def play_down(self) -> None:
        """Rounds that nobody bets in, until the cards are too few for one more."""
        while len(self.coming) >= FULL_COUP or next_side(Coup.deal(self.coming)) is None:
            self.open()
            self.close()
            self.deal(FULL_COUP)
            self.call()
            self.settle()

    def turn_over(self) -> None:
        self.do(OpenCards(DEALER, self.at()))

    def call(self) -> None:
        self.in_round(rounds.CallResult(self.at()))

    def settle(self) -> None:
        self.in_round(rounds.SettleRound(self.at()))

    def report(self, kind: str, **more: object) -> None:
        self.do(Report(kind, DEALER, self.at(), **more))  # type: ignore[arg-type]
