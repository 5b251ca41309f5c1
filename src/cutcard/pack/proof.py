"""Cards against the shoe that was committed.

A table's log says which card went where; the steps of a verifiable shoe, in the same
log, say which card came next. Both must tell the same cards in the same order, none
skipped, and the cut card where it was committed.
"""

from dataclasses import replace

from cutcard.fairness import (
    CardShown,
    Commitment,
    Phase,
    Step,
    VerifiableShoe,
    advance,
    begin,
    succeed,
)
from cutcard.fairness.shoe import FINISHED
from cutcard.pack.finding import Verdict
from cutcard.refusals import Refusal
from cutcard.round.events import CardDealt, ResultCalled, RoundOpened
from cutcard.rules.cards import Card
from cutcard.table import Table
from cutcard.table.events import (
    CardBurned,
    CardExposed,
    CutCardShown,
    Event,
    IncidentReported,
    ShoeEnded,
    ShoeRegistered,
    ShoeRemoved,
)
from cutcard.wire import Standing

COMMITTED = "commitment "
"""How a shuffle record begins that names a commitment; its hash follows."""


class Proof:
    """Follows a shoe's steps and a table's events side by side."""

    def __init__(self, table: str, verdict: Verdict, shoe: VerifiableShoe | None = None) -> None:
        self.name = table
        self.verdict = verdict
        self.shoe = shoe
        self.committed: list[bytes] = []
        self.cards = 0
        """Cards that were checked."""

        self.believed = True
        """Until a step does not hold; after that there is nothing to compare with."""

        self._in_use = False
        self._played = 0
        self._waiting: dict[int, tuple[Card, int]] = {}
        """Cards that the table knows and the shoe has not shown yet, by place."""

    def stand(self, stood: Standing, number: int) -> None:
        """Go on from a standing, without what came before it."""
        self._in_use = False
        self._waiting = {}
        if stood.commitment is None or not self.believed:
            return
        if self.shoe is None or self.shoe.commitment.hash.hex() != stood.commitment:
            self._find("shoe/commitment", number, "the standing names another commitment")
            self.believed = False
            return
        self._in_use, self._played = True, stood.left
        self.shoe = replace(self.shoe, left=stood.left)

    # --- steps ------------------------------------------------------------------------------------

    def step(self, step: Commitment | Step, number: int) -> None:
        if not self.believed:
            return
        try:
            self.shoe = self._stepped(step)
        except Refusal as refusal:
            sentence = f"this step of the shoe does not hold. {refusal} ({refusal.code})"
            self._find("shoe/step", number, sentence)
            self.believed = False
            return
        if isinstance(step, CardShown):
            self.cards += 1
            card, told = self._waiting.pop(step.place, (None, 0))
            if card is not None:
                self._compare(step.place, card, told)

    def _stepped(self, step: Commitment | Step) -> VerifiableShoe:
        if isinstance(step, Commitment):
            self.committed.append(step.hash)
            if step.table != self.name:
                raise Refusal("fairness/other-table", {"shoe": step.shoe})
            return begin(step) if self.shoe is None else succeed(self.shoe, step)
        if self.shoe is None:
            raise Refusal("fairness/not-now", {"phase": "not committed"})
        return advance(self.shoe, step)

    # --- events -----------------------------------------------------------------------------------

    def happen(self, table: Table, event: Event, number: int) -> None:
        """Follow an event, given the table just before it."""
        match event:
            case ShoeRegistered():
                self._registered(table, event, number)
            case CardExposed():
                self._left(event.card, number)
            case CardBurned():
                self._played += 1
            case CardDealt() if not table.kept:
                self._left(event.card, number)
            case IncidentReported():
                for card in event.incident.drawn:
                    self._left(card, number)
            case CutCardShown():
                self._cut(number, too_late=False)
            case ResultCalled():
                self._all_shown(number)
            case RoundOpened():
                self._all_shown(number)
                self._none_skipped(number)
                self._cut(number, too_late=True)
            case ShoeEnded() | ShoeRemoved():
                self._in_use = False
            case _:
                pass

    def _registered(self, table: Table, event: ShoeRegistered, number: int) -> None:
        self._played, self._waiting = 0, {}
        self._in_use = False
        shoe = self.shoe
        named = event.shuffle_record.startswith(COMMITTED)
        if not self.believed or (not named and (shoe is None or shoe.phase in FINISHED)):
            return
        if shoe is None or shoe.phase is not Phase.DEALING:
            self._find("shoe/commitment", number, "the shoe names a commitment that is not there")
            return
        committed = shoe.commitment
        decks = table.setup.decks if table.setup else 0
        book = table.setup.book_hash if table.setup else ""
        for what, should, found in (
            ("its name", committed.shoe, event.shoe),
            ("its commitment", COMMITTED + committed.hash.hex(), event.shuffle_record),
            ("the number of decks", committed.decks, decks),
            ("the rulebook", committed.book, book),
        ):
            if should != found:
                told = f"the shoe is not the one committed: {what} should be {should}, and is"
                self._find("shoe/commitment", number, f"{told} {found}", should, found)
        self._in_use = True

    def _left(self, card: Card, number: int) -> None:
        place, self._played = self._played, self._played + 1
        if not (self._in_use and self.believed and self.shoe):
            return
        if place in self.shoe.shown:
            self._compare(place, card, number)
        else:
            self._waiting[place] = card, number

    def _compare(self, place: int, card: Card, number: int) -> None:
        assert self.shoe is not None, "a card was shown"
        should = str(self.shoe.shown[place])
        if should != str(card):
            sentence = f"card {place + 1} of the shoe is {should}, and {card} was played"
            self._find("shoe/card", number, sentence, should, str(card))

    def _all_shown(self, number: int) -> None:
        for place, (card, told) in self._waiting.items():
            sentence = f"card {place + 1} of the shoe, {card}, was played and never shown"
            self._find("shoe/not-shown", told, f"{sentence} until record {number}")
        self._waiting = {}

    def _none_skipped(self, number: int) -> None:
        if self._in_use and self.believed and self.shoe and self.shoe.left != self._played:
            sentence = f"{self.shoe.left} cards have left the shoe, and {self._played} were played"
            self._find("shoe/skipped", number, sentence, self._played, self.shoe.left)
            self._played = self.shoe.left

    def _cut(self, number: int, *, too_late: bool) -> None:
        if not (self._in_use and self.believed and self.shoe):
            return
        cut = self.shoe.commitment.cards - self.shoe.commitment.behind_cut
        if too_late and self._played > cut:
            sentence = f"the cut card stood before card {cut + 1}, and another round was opened"
        elif not too_late and self._played < cut:
            sentence = f"the cut card stands before card {cut + 1}, and came after {self._played}"
        else:
            return
        self._find("shoe/cut", number, sentence, cut, self._played)

    def _find(
        self, code: str, number: int, sentence: str, should: object = None, found: object = None
    ) -> None:
        whole = f"{sentence[0].upper()}{sentence[1:]}"
        self.verdict.find(
            code, number, whole if whole.endswith(")") else f"{whole}.", should, found
        )
