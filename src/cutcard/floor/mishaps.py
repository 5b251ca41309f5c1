"""What goes wrong at a table, and how its crew puts it right, lawfully or not.

The shoe in the room stays in step with what is reported: a card that is drawn has
left it, a shoe that is sealed is not dealt from again. A misread card is one that
the record has as another; what it truly was is remembered here.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutcard.floor.floor import Broken
from cutcard.floor.foresight import Foresight
from cutcard.round.state import Phase
from cutcard.rules.cards import DECK, Card
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.rulebook import Role
from cutcard.table import Table
from cutcard.table.advice import Path, advise, lawful
from cutcard.table.commands import EndOptions, Report, Resolve
from cutcard.table.incident import (
    EXCESS,
    FACE_UP,
    FOREIGN,
    INTERRUPTION,
    MISCOUNT,
    SYSTEM,
    TOGETHER,
    TOO_FEW,
    UNREAD,
    Incident,
    Step,
)

if TYPE_CHECKING:
    from cutcard.floor.staff import Crew

MISREAD, WRONG_NUMBER = "misread card", "wrong number of cards"
UNFORESEEN = "anything else"
OFTEN = ("other dealing error", UNFORESEEN, WRONG_NUMBER, MISCOUNT)
WRONG_SIDE = ("card to the wrong side", "card to the wrong person")


@dataclass(frozen=True)
class Misread:
    """A card that the record has as another."""

    shoe: int
    round: int
    place: int
    said: Card
    truly: Card


class Mishaps:
    """The bad luck of one table."""

    def __init__(self, crew: "Crew") -> None:
        self.crew, self.dice = crew, crew.dice
        self.misread: Misread | None = None
        self.foresight = Foresight()

    @property
    def table(self) -> Table:
        return self.crew.floor.table(self.crew.name)

    @property
    def at(self) -> int:
        return self.crew.floor.at

    # --- the shoe ---------------------------------------------------------------------------------

    def new_shoe(self) -> None:
        """A new shoe stands in the room; now and then a part of it was not shuffled."""
        if self.dice.one_in(3):
            cards, first = self.crew.cards, self.dice.below(52)
            run = DECK[first : first + 6]
            for card in run:
                cards.remove(card)
            place = 12 + self.dice.below(25)
            cards[place:place] = run[:: self.dice.pick((1, -1))]

    def read(self, card: Card) -> Card:
        """What the record makes of a card that leaves the shoe: mostly what it is."""
        table = self.table
        if table.shoe is None or not self.dice.one_in(60):
            return card
        said = self.dice.pick(DECK)
        if said == card or table.shoe.seen[said] >= self.crew.setup.decks:
            return card
        place = len(table.round.coup.dealt)
        self.misread = Misread(table.shoes, table.round.number, place, said, card)
        return said

    def in_step(self) -> None:
        """Whether as many cards are in the room's shoe as there should be."""
        shoe = self.table.shoe
        if shoe is None or self.crew.setup.continuous:
            return
        if shoe.left != len(self.crew.cards):
            raise Broken(f"{len(self.crew.cards)} cards in the shoe of {self.crew.name}: {shoe}")

    # --- something goes wrong ---------------------------------------------------------------------

    def happen(self) -> None:
        """Something goes wrong, and mostly somebody says so."""
        wish, coup = self.dice.below(24), self.table.round.coup
        if self.table.kept and self.dice.one_in(3):
            self._report(UNFORESEEN, note="cards lie open")
        elif wish < 3 and self.crew.cards:
            self._out_of_order()
        elif wish < 6 and coup.dealt:
            self._report(self.dice.pick(WRONG_SIDE), lying=self._rearranged(coup))
        elif wish == 6 or (wish > 18 and self._lies_hidden()):
            also = (self._hidden(),) if self.dice.one_in(3) else ()
            self._report(FACE_UP, exposed=self._hidden(), also_exposed=also)
        elif wish < 9:
            self._report_drawn(TOGETHER, self.dice.pick((2, 2, 3, 1)))
        elif wish < 11:
            self._report_drawn(EXCESS, 1)
        elif wish == 11:
            kind = self.dice.pick((WRONG_NUMBER, INTERRUPTION, UNFORESEEN, UNREAD))
            self._report_drawn(kind, self.dice.below(2))
        elif wish == 12:
            drawn = () if self.dice.one_in(2) else (self.dice.pick(DECK),)
            self._report(FOREIGN, drawn=drawn)
        elif wish == 13:
            number = self.table.rounds - self.dice.between(-1, 3)
            shoe = self.table.shoes - self.dice.between(-1, 3) if self.dice.one_in(2) else None
            self._report(self._next_kind(), round=number, shoe=shoe)
        elif wish < 17:
            self._report(self.dice.pick(OFTEN), note="seen")
        else:
            self._report(self._next_kind(), note="seen")

    def _next_kind(self) -> str:
        """Kinds in turn over the whole floor: none is forgotten, however short the night."""
        self.crew.floor.reports += 1
        kinds = sorted(self.crew.book.irregularities)
        return kinds[self.crew.floor.reports % len(kinds)]

    def noticed(self) -> bool:
        """Whether somebody sees that a card was misread."""
        seen = self._truth() is not None and self.dice.one_in(6)
        if seen:
            self.notice()
        return seen

    def notice(self) -> None:
        self._report(MISREAD, note="the camera shows it")

    def out_of_cards(self) -> None:
        """The shoe was taken away in the middle of a round, and no other is at hand."""
        self._report(TOO_FEW, note="no shoe is left")

    def interrupt(self) -> None:
        """The power fails while something is put right, or while patrons choose."""
        self._report(INTERRUPTION, note="dark")

    def _report(self, kind: str, **what: object) -> bool:
        by = self.crew.anybody() if self.dice.one_in(5) else self.crew.dealer
        return self.crew.do(Report(kind, by, self.at, **what))  # type: ignore[arg-type]

    def _report_drawn(self, kind: str, number: int) -> None:
        """Cards came out of the shoe with it."""
        drawn = tuple(self.crew.cards[:number])
        if self._report(kind, drawn=drawn):
            del self.crew.cards[:number]

    def _out_of_order(self) -> None:
        """A card that the procedure did not ask for, or that cannot be in the shoe any more."""
        table, crew = self.table, self.crew
        wants = table.round.phase in (Phase.CLOSED, Phase.DEALING)
        if wants and next_side(table.round.coup) and table.shoe is not None:
            gone = [one for one, seen in table.shoe.seen.items() if seen >= crew.setup.decks]
            for one in gone[:1]:
                crew.draw(one)
        elif table.kept and not self.dice.one_in(3):
            # The card that lies there is scanned once more, and nothing comes of it.
            crew.draw(table.kept[0])
        elif crew.cards[0] not in table.kept[:1] and crew.draw(crew.cards[0]):
            del crew.cards[0]

    def _rearranged(self, coup: Coup) -> Coup | None:
        """The hands as somebody laid them."""
        cards = list(coup.dealt)
        wish = self.dice.below(5)
        if wish == 0:
            return None
        if wish == 1:
            # The last card lies with the other hand.
            last = cards[-1]
            # Played on as they lay, all cards may be one side's.
            if coup.player[-1:] == (last,) and len(coup.player) >= len(coup.banker):
                return Coup(coup.player[:-1], (*coup.banker, last))
            return Coup((*coup.player, last), coup.banker[:-1])
        if wish == 2:
            return Coup(coup.banker, coup.player)
        # Two and two instead of in turn; or anyhow.
        first = 2 if wish == 3 else self.dice.below(4)
        return Coup(tuple(cards[:first]), tuple(cards[first:]))

    def _lies_hidden(self) -> bool:
        return len(self.table.face_up) < len(self.table.round.coup.dealt)

    def _hidden(self) -> int:
        """A card that lies face down; or one that does not."""
        places = range(len(self.table.round.coup.dealt))
        hidden = [place for place in places if place not in self.table.face_up]
        return self.dice.pick(hidden) if hidden else self.dice.between(-1, 6)

    # --- putting it right -------------------------------------------------------------------------

    def put_right(self) -> None:
        """Somebody decides: mostly who may, and what is lawful."""
        table, incident = self.table, self.table.incident
        if incident is None:
            return
        if self.dice.one_in(7):
            self._unlawful()
            return
        if incident.kind == UNFORESEEN and self.dice.one_in(3):
            # Now and then nobody is there who could rule on it.
            self.crew.come_and_go()
            table = self.table
        with_money = self.dice.one_in(8)
        asked = advise if with_money else lawful
        path = self._pick(asked(table, incident, self.crew.book, self.at).paths)
        wanted = self._resolve(path, incident)
        if not self.crew.do(wanted):
            return
        if path.step is Step.CORRECT or self.table.shoe is None:
            self.misread = None
        if with_money:
            self.foresight.remember(self.table, path)
            self.compare()

    def _pick(self, paths: tuple[Path, ...]) -> Path:
        """Any lawful step; what a report was for is seldom taken back."""
        path = self.dice.pick(paths)
        correct = next((one for one in paths if one.step is Step.CORRECT), None)
        if correct is not None:
            back = next((one for one in paths if one.step is Step.RETRACT), correct)
            return correct if self._true_coup() is not None or self.dice.one_in(6) else back
        unruled = next((one for one in paths if one.step is Step.NO_RULING), None)
        if unruled is not None and self.dice.one_in(2):
            return unruled
        burn = next((one for one in paths if one.step is Step.RULE_BURN), None)
        if burn is not None and self.dice.one_in(3):
            return burn
        if path.step is Step.RETRACT and not self.dice.one_in(3):
            return self.dice.pick(paths)
        return path

    def _resolve(self, path: Path, incident: Incident) -> Resolve:
        by = self.crew.anybody() if self.dice.one_in(8) else self._who(path.role)
        if incident.kind == INTERRUPTION and self.dice.one_in(4):
            by = SYSTEM
        silent = self.dice.one_in(12)
        may = path.may_replace_shoe or self.dice.one_in(20)
        return Resolve(
            path.step,
            by,
            self.at,
            reason="" if silent else "as it was seen",
            order=path.order,
            coup=self._true_coup() if path.step is Step.CORRECT else None,
            replace_shoe=may and self.dice.one_in(2),
            facts="" if silent else "what happened",
        )

    def _who(self, role: Role) -> str:
        crew = self.crew
        if role is Role.DEALER:
            return self.dice.pick((crew.dealer, crew.supervisor))
        if role is Role.PIT_SUPERVISOR:
            return self.dice.pick((crew.supervisor, crew.supervisor, crew.manager))
        return crew.manager

    def _unlawful(self) -> None:
        """Somebody does what the book may not order, or calls for choices that nobody has."""
        step = self.dice.pick(tuple(Step))
        wanted = Resolve(step, self.crew.anybody(), self.at, "I wish it", facts="none")
        before = self.table.round.coup
        if self.crew.do(wanted) and self.table.round.coup != before:
            self.misread = None
        if self.dice.one_in(3):
            self.crew.do(EndOptions(self.crew.dealer, self.at))

    def end_options(self) -> None:
        """The time to choose is over; or somebody thinks so."""
        if not self.dice.one_in(4):
            self.crew.floor.at = max(self.at, self.table.options_until)
        self.crew.do(EndOptions(self.crew.dealer, self.at))

    # --- misread cards ----------------------------------------------------------------------------

    def _truth(self) -> list[Card] | None:
        """The cards as they truly are, if one was misread in this round."""
        one, table = self.misread, self.table
        dealt = list(table.round.coup.dealt)
        if one is None or (one.shoe, one.round) != (table.shoes, table.round.number):
            return None
        if one.place >= len(dealt) or dealt[one.place] != one.said:
            return None
        dealt[one.place] = one.truly
        return dealt

    def _true_coup(self) -> Coup | None:
        """The hands with the misread card put right; None where that cannot be."""
        truth, round = self._truth(), self.table.round
        if truth is None or round.phase is Phase.VOID:
            return None
        coup = Coup.deal(truth)
        # A card that is missing once everything is paid comes too late.
        short = round.phase is Phase.SETTLED and next_side(coup) is not None
        return None if short else coup

    # --- what advice said -------------------------------------------------------------------------

    def compare(self) -> None:
        """Where nothing else has changed, everybody has what advice said, at least and at most."""
        self.crew.floor.foreseen += self.foresight.compared(self.table)
