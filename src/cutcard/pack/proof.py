"""Cards against the shoe that was committed.

A table's log says which card went where; the steps of a verifiable shoe, in the same
log, say which card came next. Both must tell the same cards in the same order, none
skipped, and the cut card where it was committed.
"""

from collections.abc import Iterable
from dataclasses import replace

from cutcard.fairness import (
    CardShown,
    Commitment,
    Phase,
    SeedGiven,
    SeedSealed,
    Step,
    VerifiableShoe,
    advance,
    begin,
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

    def __init__(
        self, table: str, verdict: Verdict, shoe: VerifiableShoe | None = None, *, whole: bool
    ) -> None:
        self.name = table
        self.verdict = verdict
        self.shoe = shoe
        """The shoe that was committed last."""

        self.whole = whole
        """Whether the log is there from its first record on, and so every shoe of the table."""

        self.committed: dict[bytes, str] = {}
        """The name of each shoe by its commitment's hash."""

        self.given: set[bytes] = set()
        """Every seal and every seed."""

        self.cards = 0
        """Cards that the table dealt, each compared with the one that the shoe showed."""

        self.uncommitted: list[str] = []
        """Shoes that came into use without a commitment."""

        self.believed = True
        """Until a step does not hold; after that there is nothing to compare with."""

        self._before: list[VerifiableShoe] = []
        self._in_use: bytes | None = None
        """The hash of the commitment of the shoe on the table; None if it has none."""

        self._over: int | None = None
        """The record by which the committed shoe ended at the table."""

        self._played = 0
        self._waiting: dict[int, tuple[Card, int]] = {}
        """Cards that the table knows and the shoe has not shown yet, by place."""

    def stand(self, stood: Standing, number: int) -> None:
        """Go on from a standing, without what came before it."""
        self._in_use = None
        self._waiting = {}
        if not self.believed:
            return
        if stood.commitment is None:
            if stood.shoe is not None:
                self.uncommitted.append(stood.shoe.id)
            if self.shoe is not None and not self.whole:
                told = "the pack gives a shoe that the standing does not name"
                self._find("shoe/commitment", number, told)
            return
        if self.shoe is None or self.shoe.commitment.hash.hex() != stood.commitment:
            self._find("shoe/commitment", number, "the standing names another commitment")
            self.believed = False
            return
        committed = self.shoe.commitment
        self._fits(
            ("its table", committed.table, self.name),
            ("its name", committed.shoe, stood.shoe.id if stood.shoe else ""),
            ("the number of decks", committed.decks, stood.setup.decks),
            ("the rulebook", committed.book, stood.setup.book_hash),
            number=number,
        )
        self._in_use, self._played = committed.hash, stood.left
        self.shoe = replace(self.shoe, left=stood.left)

    def shoes(self) -> Iterable[VerifiableShoe]:
        """Every shoe that was committed, in the order of their numbers."""
        return (*self._before, *((self.shoe,) if self.shoe else ()))

    def finish(self) -> None:
        """What is wrong at the end of a whole log: a shoe that ended, and was never opened."""
        if self.believed and self._over is not None and self.shoe:
            told = f"shoe {self.shoe.commitment.shoe} ended here, and was never opened"
            self._find("shoe/unopened", self._over, told)

    # --- steps ------------------------------------------------------------------------------------

    def step(self, step: Commitment | Step, number: int) -> None:
        if not self.believed:
            return
        if self.shoe is None and not self.whole and not isinstance(step, Commitment):
            # The shoe is not the one in use, and how it began is not in the pack.
            return
        try:
            self.shoe = self._stepped(step, number)
        except Refusal as refusal:
            sentence = f"this step of the shoe does not hold. {refusal} ({refusal.code})"
            self._find("shoe/step", number, sentence)
            self.believed = False
            return
        if self.shoe.phase in FINISHED:
            self._over = None
        if isinstance(step, SeedSealed):
            self.given.add(step.seal)
        elif isinstance(step, SeedGiven):
            self.given.add(step.seed)
        elif isinstance(step, CardShown) and self._dealing:
            card, told = self._waiting.pop(step.place, (None, 0))
            if card is not None:
                self._compare(step.place, card, told)

    def _stepped(self, step: Commitment | Step, number: int) -> VerifiableShoe:
        if isinstance(step, Commitment):
            return self._begun(step, number)
        if self.shoe is None:
            raise Refusal("fairness/not-now", {"phase": "not committed"})
        return advance(self.shoe, step)

    def _begun(self, step: Commitment, number: int) -> VerifiableShoe:
        """The next shoe. One that is missing or was not opened is found, and checking goes on."""
        if step.table != self.name:
            raise Refusal("fairness/other-table", {"shoe": step.shoe})
        before = self.shoe
        must = before.commitment.number + 1 if before else 1 if self.whole else step.number
        if step.number < must:
            raise Refusal("fairness/number", {"shoe": step.shoe, "must": must})
        begun = begin(step)
        if step.number > must:
            told = f"shoe {step.shoe} is committed, and shoe {must} of this table was never seen"
            self._find("shoe/missing", number, told, must, step.number)
        if before is not None:
            if before.phase not in FINISHED:
                told = f"shoe {before.commitment.shoe} was not opened before the next was committed"
                self._find("shoe/unopened", number, told)
            # How it ended is enough; its cards need not be kept.
            self._before.append(replace(before, order=before.order[:1], shown={}, opened=()))
        self._over = None
        self.committed[step.hash] = step.shoe
        return begun

    @property
    def _dealing(self) -> bool:
        """Whether the shoe that was committed last is the one on the table."""
        return self.believed and self.shoe is not None and self._in_use == self.shoe.commitment.hash

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
                if self._dealing and self.shoe and self.shoe.phase not in FINISHED:
                    self._over = number
                self._in_use = None
            case _:
                pass

    def _registered(self, table: Table, event: ShoeRegistered, number: int) -> None:
        self._played, self._waiting = 0, {}
        self._in_use = None
        shoe = self.shoe
        named = event.shuffle_record.startswith(COMMITTED)
        if not self.believed:
            return
        if not named and (shoe is None or shoe.phase in FINISHED):
            self.uncommitted.append(event.shoe)
            return
        if shoe is None or shoe.phase is not Phase.DEALING:
            self._find("shoe/commitment", number, "the shoe names a commitment that is not there")
            return
        committed = shoe.commitment
        decks = table.setup.decks if table.setup else 0
        book = table.setup.book_hash if table.setup else ""
        self._fits(
            ("its name", committed.shoe, event.shoe),
            ("its commitment", COMMITTED + committed.hash.hex(), event.shuffle_record),
            ("the number of decks", committed.decks, decks),
            ("the rulebook", committed.book, book),
            number=number,
        )
        self._in_use = committed.hash

    def _fits(self, *pairs: tuple[str, object, object], number: int) -> None:
        for what, should, found in pairs:
            if should != found:
                told = f"the shoe is not the one committed: {what} should be {should}, and is"
                self._find("shoe/commitment", number, f"{told} {found}", should, found)

    def _left(self, card: Card, number: int) -> None:
        place, self._played = self._played, self._played + 1
        if self._in_use is None or not self.believed:
            return
        if self._dealing and self.shoe and place in self.shoe.shown:
            self._compare(place, card, number)
        else:
            self._waiting[place] = card, number

    def _compare(self, place: int, card: Card, number: int) -> None:
        assert self.shoe is not None, "a card was shown"
        self.cards += 1
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
        if self._dealing and self.shoe and self.shoe.left != self._played:
            sentence = f"{self.shoe.left} cards have left the shoe, and {self._played} were played"
            self._find("shoe/skipped", number, sentence, self._played, self.shoe.left)
            self._played = self.shoe.left

    def _cut(self, number: int, *, too_late: bool) -> None:
        if not self._dealing or self.shoe is None:
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
