"""Replay: a table's log once more, every event asked for again.

For each event the command that must have caused it is put to the table, and the
answer compared with what the log holds. Where they differ the replay goes on with what
should have been; where it cannot, it begins again at the next standing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from cutcard.fairness import SeedsClosed, SeedSealed
from cutcard.ledger import MOST, Entry
from cutcard.pack.causes import causes
from cutcard.pack.finding import Verdict, compared
from cutcard.pack.money import Money
from cutcard.pack.proof import Proof
from cutcard.refusals import Refusal
from cutcard.round import events as in_round
from cutcard.round.terms import Entry as BetEntry
from cutcard.rules.cards import DECK
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table import Table, decide, evolve, transfers
from cutcard.table import events as at_table
from cutcard.table.commands import OpenTable
from cutcard.table.events import Event
from cutcard.table.remedies import is_waiting
from cutcard.table.staff import Member
from cutcard.wire import (
    Happened,
    Record,
    Standing,
    Stepped,
    name_of,
    plain,
    standing,
    table_at,
    tagged,
)
from cutcard.wire.codec import later

CATEGORIES: Mapping[str, str] = {
    **dict.fromkeys(("TableOpened", "ClosingAnnounced", "TableClosed", "LimitsScheduled"), "table"),
    **dict.fromkeys(("SignedOn", "SignedOff", "Acting"), "staff"),
    **dict.fromkeys(("SeatTaken", "SeatLeft", "StackFilled", "StackEmptied"), "seat"),
    **dict.fromkeys(("TerminalAdded", "TerminalRemoved", "TerminalLocked"), "terminal"),
    **dict.fromkeys(("TerminalUnlocked", "AttendantCalled", "AttendantCame"), "terminal"),
    **dict.fromkeys(("ShoeRegistered", "CardExposed", "CardBurned", "CutCardShown"), "burn"),
    **dict.fromkeys(("ShoeEnded", "ShoeRemoved"), "burn"),
    **dict.fromkeys(("SqueezeRequested", "SqueezeAnswered", "CardsOpened", "CardDealt"), "cards"),
    **dict.fromkeys(("RoundOpened",), "terms"),
    **dict.fromkeys(("BetPlaced", "BetWithdrawn", "ChipsRemoved"), "bet"),
    **dict.fromkeys(("BetsClosed",), "apportionment"),
    **dict.fromkeys(("DecisionsOpened", "DecisionsClosed", "AlwaysChosen"), "decision"),
    **dict.fromkeys(("SecondStagePlaced", "SecondStageDeclined"), "decision"),
    **dict.fromkeys(("ResultCalled",), "result"),
    **dict.fromkeys(("RoundSettled", "SettlementCorrected"), "settlement"),
    **dict.fromkeys(("RoundVoided", "BetsReturned"), "return"),
    **dict.fromkeys(("IncidentReported", "IncidentResolved", "CoupCorrected"), "remedy"),
    **dict.fromkeys(("CardsKept", "KeptCardsBurned"), "remedy"),
    **dict.fromkeys(("OptionsOffered", "OptionChosen", "OptionsClosed"), "remedy"),
}
"""The first half of a finding's code, by the kind of event."""

MOST_PEOPLE = 1_000_000
"""Patrons with a stack, and staff, at one table."""

MOST_BETS = 200_000
"""Bets in one round."""

MOST_COMPARED = 2048
"""Bets in one round where each is held against all others, so that the work grows faster than
the file: chips on a layout, or bets with a second stage."""

BROKEN = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What the engine may raise on a state that it would never have come to by itself."""


class NoBook(Exception):
    """A log played by a book that the pack does not hold."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A record with its number in the log."""

    number: int
    record: Record


@dataclass(slots=True)
class Span:
    """The records of a round: the one that opened it, and those by which it ended.

    It ends a second time where its settlement is corrected; until it has ended, both are 0.
    """

    begin: int
    first: int = 0
    end: int = 0


class Replay:
    """Goes through records one by one."""

    def __init__(
        self, name: str, books: Mapping[str, Rulebook], proof: Proof, verdict: Verdict
    ) -> None:
        self.name, self.books, self.proof, self.verdict = name, books, proof, verdict
        self.table: Table | None = Table()
        """None where the log cannot be followed, until the next standing."""

        self.money = Money(name)
        self.opening: dict[str, int] = {}
        self.whole = True
        """Whether it was followed from the first record to the last."""

        self.rounds: dict[str, Span] = {}
        """The rounds by name."""

        self.times: dict[int, int] = {}
        """By number of a record: the latest time up to it."""

        self._began = False
        self._stood: int | None = None
        self._round = ""

    def run(self, records: Sequence[Numbered]) -> None:
        self._clock(records)
        place = 0
        while place < len(records):
            one = records[place]
            match one.record:
                case Stepped(step):
                    self.proof.step(step, one.number)
                    place += 1
                case Standing():
                    self._stand(one.record, one.number)
                    place += 1
                case Happened():
                    place = self._happened(records, place)
            self._began = True

    def _clock(self, records: Iterable[Numbered]) -> None:
        """Times in one log never go backwards; else every deadline could be met by writing it."""
        last: int | None = None
        for one in records:
            at = _time(one.record)
            if at is not None:
                if last is not None and at < last:
                    told = f"The time here is {last - at} ms before that of an earlier record."
                    self.verdict.find("time/backwards", one.number, told, last, at)
                last = at
            if last is not None:
                self.times[one.number] = last

    # --- standings --------------------------------------------------------------------------------

    def _stand(self, stood: Standing, number: int) -> None:
        if self._stood is not None:
            self._find("standing/misplaced", self._stood, "No round opens after this standing.")
        self._stood = number
        followed = self.table is not None and self._began
        if followed and self._stands(stood, number):
            return
        if self._began:
            self.whole = False
        else:
            self.opening = dict(stood.stacks)
        self.table = None
        if self._possible(stood, number):
            self.table = table_at(stood)
            self.proof.stand(stood, number)

    def _stands(self, stood: Standing, number: int) -> bool:
        """Whether a standing says what the records before it lead to."""
        if self.table is None or self.table.setup is None:
            self._find("standing/differs", number, "No table stands here: it was never opened.")
            return False
        should = standing(self.table, self.proof.shoe)
        if not self.proof.believed:
            should = replace(should, commitment=stood.commitment, left=stood.left)
        return compared(
            self.verdict, "standing/differs", number, "The standing", plain(should), plain(stood)
        )

    def _possible(self, stood: Standing, number: int) -> bool:
        """Whether a table could stand like this at all."""
        try:
            self._check_standing(stood)
        except NoBook as problem:
            self._find("book/missing", number, str(problem))
            return False
        except Refusal as refusal:
            told = f"No table can stand like this. {refusal} ({refusal.code})"
            self._find("standing/impossible", number, told)
            return False
        except BROKEN:
            self._find("standing/impossible", number, "No table can stand like this.")
            return False
        return True

    def _check_standing(self, stood: Standing) -> None:
        book = self._book(stood.setup.book_hash)
        supervisor = {"": Member("", Role.PIT_SUPERVISOR)}
        decide(Table(staff=supervisor), OpenTable(stood.setup, "", 0), book)
        assert stood.setup.table == self.name, "the standing is of another table"
        assert max(len(stood.stacks), len(stood.staff)) <= MOST_PEOPLE
        assert all(0 <= amount <= MOST for amount in stood.stacks.values())
        assert all(1 <= box <= stood.setup.boxes for box in stood.seats)
        assert all(name == member.person for name, member in stood.staff.items())
        assert min(stood.seq, stood.shoes, stood.rounds, stood.incidents, stood.left) >= 0
        devices = [one.number for one in (stood.terminals or {}).values() if not one.own]
        assert len(devices) == len(set(devices)), "no two devices have the same number"
        if stood.shoe is not None:
            manifest = dict.fromkeys(DECK, stood.setup.decks)
            assert dict(stood.shoe.manifest) == manifest, "a shoe holds whole decks"
            assert all(0 < seen <= manifest[card] for card, seen in stood.shoe.seen.items())
            assert stood.shoe.burned >= 0
        self.money = Money(self.name, stood.stacks)

    # --- events -----------------------------------------------------------------------------------

    def _happened(self, records: Sequence[Numbered], place: int) -> int:
        """Check the event at a place and all that come of the same command; where to go on."""
        first = records[place]
        assert isinstance(first.record, Happened), "an event stands here"
        self._check_stood(first.record.event, first.number)
        self._note(first.record.event, first.number)
        if self.table is None:
            return place + 1
        expected = self._expected(records, place)
        if expected is None:
            self._lose()
            return place + 1
        told = _events(records, place, len(expected))
        for done, event in enumerate(expected):
            found = told[done] if done < len(told) else None
            if found is None or type(found[1].event) is not type(event):
                self._missing(event, first.number, found, first=done == 0)
                self._lose()
                return place + max(done, 1)
            number, happened = found
            if done:
                self._note(happened.event, number)
            if not self._compare(event, happened, number):
                self._lose()
                return place + done + 1
        return place + len(expected)

    def _expected(self, records: Sequence[Numbered], place: int) -> list[Event] | None:
        """What should have happened; None where nothing of the kind could."""
        assert self.table is not None, "the log is being followed"
        # Where nothing is wrong, only an account's first money needs a second event: with the
        # money comes a terminal.
        ahead = AHEAD if is_waiting(self.table) else 2
        events: list[Event] = [one.event for _, one in _events(records, place, ahead)]  # type: ignore[misc]
        event, number, best, refused = events[0], records[place].number, None, None
        kind, category = name_of(event), CATEGORIES[name_of(event)]
        try:
            book = self._book(_book_of(self.table, event))
            for command in causes(self.table, events):
                try:
                    expected = decide(self.table, command, book)
                except Refusal as refusal:
                    # What anybody would be refused says more than that nobody was there.
                    if refused is None or not refusal.code.startswith("staff/"):
                        refused = refusal
                    continue
                told = [one.event for _, one in _events(records, place, len(expected))]
                expected = [_as_old(*both) for both in zip_longest(expected, told)]
                if expected and expected == told:
                    return expected
                best = best or expected
        except NoBook as problem:
            self._find("book/missing", number, str(problem))
            return None
        except BROKEN as error:
            sentence = f"{kind} makes no sense here ({type(error).__name__})."
            self._find(f"{category}/refused", number, sentence)
            return None
        if best:
            return best
        if refused is None:
            sentence = f"{kind} follows from nothing that anybody may do here."
        else:
            clause = f", {refused.clause}" if refused.clause else ""
            sentence = f"{kind} was not lawful. {refused} ({refused.code}{clause})"
        self._find(f"{category}/refused", number, sentence)
        return None

    def _missing(
        self, event: Event, cause: int, found: tuple[int, Happened] | None, *, first: bool
    ) -> None:
        kind = name_of(event)
        at, stands = (cause, "nothing") if found is None else (found[0], _kind(found[1]))
        if first and found is not None:
            code = f"{CATEGORIES[stands]}/differs"
            sentence = f"{kind} should stand here, and {stands} does."
        else:
            code = f"{CATEGORIES[kind]}/missing"
            sentence = f"After record {cause} {kind} must follow, and {stands} does."
        self.verdict.find(code, at, sentence, tagged(event), stands)

    def _compare(self, event: Event, found: Happened, number: int) -> bool:
        """One event that should have happened with the one that did, and the money it moves.

        Whether the log can be followed beyond it.
        """
        assert self.table is not None, "the log is being followed"
        kind = name_of(event)
        try:
            entries = transfers(self.table, event)
            if event != found.event:
                code, stands = f"{CATEGORIES[kind]}/differs", plain(found.event)
                compared(self.verdict, code, number, kind, plain(event), stands)
            self._entries(kind, entries, found, number)
            self.proof.happen(self.table, found.event, number)  # type: ignore[arg-type]
            self.money.happen(event, entries)
            self.table = evolve(self.table, event)
        except (Refusal, *BROKEN) as error:
            self._find("ledger/refused", number, f"{kind} cannot be booked: {error}")
            return False
        if _is_crowded(self.table):
            told = "So many people or bets are not followed here."
            self._find("pack/size", number, told)
            return False
        return True

    def _entries(self, kind: str, entries: list[Entry], found: Happened, number: int) -> None:
        if entries == [*found.entries]:
            return
        what, code = f"The entries of {kind}", "entries/differs"
        if len(entries) != len(found.entries):
            # A whole list of entries is too long for a sentence.
            many = f"{what}, how many they are"
            compared(self.verdict, code, number, many, len(entries), len(found.entries))
            return
        should, stands = [tagged(one) for one in entries], [tagged(one) for one in found.entries]
        compared(self.verdict, code, number, what, should, stands)

    # --- odds and ends ----------------------------------------------------------------------------

    def _book(self, hash: str | None) -> Rulebook:
        # Before a table opens nothing depends on its book.
        found = next(iter(self.books.values()), None) if hash is None else self.books.get(hash)
        if found is None:
            raise NoBook(f"The pack holds no rulebook {hash or ''!s:.64}".rstrip() + ".")
        return found

    def _check_stood(self, event: object, number: int) -> None:
        opens = isinstance(event, in_round.RoundOpened)
        if opens and self._stood is None:
            self._find("standing/missing", number, "A round opens, and no standing comes before.")
        if not opens and self._stood is not None:
            self._find("standing/misplaced", self._stood, "No round opens after this standing.")
        self._stood = None

    def _note(self, event: object, number: int) -> None:
        """Remember which records open and end a round."""
        if isinstance(event, in_round.RoundOpened):
            shoes = self.table.shoes if self.table else 0
            self._round = f"{shoes}/{event.number}"
            self.rounds[self._round] = Span(number)
        elif self._round and isinstance(
            event,
            in_round.RoundSettled | in_round.RoundVoided | in_round.SettlementCorrected,
        ):
            span = self.rounds[self._round]
            span.first, span.end = span.first or number, number

    def _lose(self) -> None:
        self.table, self.whole = None, False

    def _find(self, code: str, number: int, sentence: str) -> None:
        self.verdict.find(code, number, sentence)


def _as_old(event: Event, told: object) -> Event:
    """What should have happened without the names that an older record does not hold."""
    if type(event) is not type(told):
        return event
    kind: Any = type(event)
    unknown: Any = {name: None for name in later(kind) if getattr(told, name) is None}
    return replace(event, **unknown)


def _is_crowded(table: Table) -> bool:
    if max(len(table.stacks), len(table.staff)) > MOST_PEOPLE:
        return True
    round, most = table.round, MOST_BETS
    if round.terms is not None and (round.terms.entry is BetEntry.WARN or round.terms.open_cards):
        most = MOST_COMPARED
    # Bets are only counted once so many were placed that there may be too many.
    return round.placed > most and sum(map(len, round.own.values())) > most


def _book_of(table: Table, event: Event) -> str | None:
    if isinstance(event, at_table.TableOpened):
        return event.setup.book_hash
    return None if table.setup is None else table.setup.book_hash


AHEAD = 400
"""So many events may come of one command: every bet of a full table, and more."""


def _events(records: Sequence[Numbered], place: int, most: int) -> list[tuple[int, Happened]]:
    """The events from a place on that follow one another directly."""
    found: list[tuple[int, Happened]] = []
    for one in records[place : place + most]:
        if not isinstance(one.record, Happened):
            break
        found.append((one.number, one.record))
    return found


def _time(record: Record) -> int | None:
    """When a record says that it happened, if it does."""
    match record:
        case Happened():
            return record.event.at
        case Stepped(SeedSealed() | SeedsClosed() as step):
            return step.at
    return None


def _kind(happened: Happened) -> str:
    return name_of(happened.event)
