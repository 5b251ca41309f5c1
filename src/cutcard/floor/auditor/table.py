"""The auditor's own table: every event of a table's log, checked against its own memory."""

import re

from cutcard.floor.auditor import rules
from cutcard.floor.auditor.betting import Betting
from cutcard.floor.auditor.incidents import Incidents
from cutcard.floor.auditor.memory import RANKS, Record
from cutcard.floor.auditor.remedies import SYSTEM

SUPERVISED = ("TableOpened", "ClosingAnnounced", "TableClosed", "LimitsScheduled", "RoundVoided")
DEALT_WITH = (
    "ShoeRegistered",
    "CardExposed",
    "CardBurned",
    "CutCardShown",
    "ShoeEnded",
    "SqueezeAnswered",
    "CardsOpened",
    "CardDealt",
    "ChipsRemoved",
)


PAUSES = ("RoundSettled", "RoundVoided", "IncidentReported", "OptionsOffered")
"""With these play pauses."""

LATEST = 2
"""The latest edition of the house's own rules."""

UNBETTING = ("BetWithdrawn", "BetsReturned")
"""With these a patron's last bet may be gone, and the seat is kept for the whole time."""


class TableAudit(Betting, Incidents):
    """What the auditor knows of one table, and how it reads the table's log."""

    def read(self, record: Record) -> list[str]:
        """Check one event; say what is wrong with it."""
        self.found = []
        event = record["event"]
        self._pass_time(record["at"])
        if event in SUPERVISED and record["by"] != SYSTEM:
            self._role(record, "pit supervisor")
        elif event in DEALT_WITH and record["by"] != self.setup.get("machine"):
            self._role(record, "dealer")
        if event != "BetWithdrawn":
            self._rejected_all()
            self._gave_way_all()
        self._in_turn(record)
        if event in PAUSES or (event in UNBETTING and self.edition >= 1):
            self._mark_seats()
        self._check_use(record)
        name = re.sub("(?<=[a-z])(?=[A-Z])", "_", event).lower()
        getattr(self, f"_{name}")(record)
        self._check_credit()
        return self.found

    # --- the table and its people -----------------------------------------------------------------

    def _table_opened(self, record: Record) -> None:
        self._must(not self.open, "opened twice")
        self.setup, self.open = record["setup"], True
        self.limits = self.setup["limits"]
        self.seat_from = dict.fromkeys(self.seats, self.clock)
        self.book = rules.BOOKS.get(self.setup["book"], {})
        self._must(bool(self.book), f"plays by {self.setup['book']}, a book nobody knows")
        if self.setup["book"] in rules.OPEN:
            lawful = self.setup["boxes"] == 0 and self.setup["entry"] == "refuse"
            self._must(lawful, "an open table has no boxes and no chips")
        else:
            self._must(self.setup["boxes"] > 0, "a table without boxes")
        by_machine = self.setup["machine"] is not None and self._wants_dealer()
        for_nothing = bool(self.setup.get("demonstration"))
        self._must(not by_machine or for_nothing, "a machine deals where the book wants a dealer")
        self._must(self.edition <= LATEST, f"nobody knows edition {self.edition}")
        self._check_scopes()
        self._terminals_due()

    def _closing_announced(self, record: Record) -> None:
        self.last_round = record["last_round"]

    def _table_closed(self, record: Record) -> None:  # noqa: ARG002
        self._must(not self.under_way, "closed in the middle of a round")
        announced = self.last_round is not None and self.rounds >= self.last_round
        self._must(announced, "closed before the round that was announced as the last")
        self.open, self.last_round = False, None

    def _signed_on(self, record: Record) -> None:
        self._signed_by(record)
        self.staff[record["person"]] = record["role"], None, 0

    def _signed_off(self, record: Record) -> None:
        self._signed_by(record)
        self.staff.pop(record["person"], None)

    def _signed_by(self, record: Record) -> None:
        """Others are signed on and off by a supervisor who does not stand below them."""
        person, by, at = record["person"], record.get("by"), record["at"]
        if by not in (None, person):
            needed = max(RANKS["pit supervisor"], self._rank(person, at))
            self._must(self._rank(by, at) >= needed, f"{person} signed on or off by {by}")

    def _acting(self, record: Record) -> None:
        self._role(record, record["role"])
        role = self.staff.get(record["person"], ("", None, 0))[0]
        self.staff[record["person"]] = role, record["role"], record["until"]

    def _limits_scheduled(self, record: Record) -> None:
        self.limits = record["limits"]
        self._check_scopes()

    def _check_scopes(self) -> None:
        """No limit is per box where there are no boxes."""
        shared = self.setup["boxes"] == 0 and any(one["scope"] == "box" for one in self.limits)
        self._must(self.edition < 1 or not shared, "a limit per box at a table without boxes")

    def _pass_time(self, at: int) -> None:
        """Let the table's clock go on; a patron with a bet in play is there."""
        if self.under_way and self.incident is None and self.options is None:
            self.clock += at - self.read_at
        self.read_at = at

    def _betting(self, patron: str) -> bool:
        return self.under_way and any(bet.patron == patron for bet in self.bets.values())

    def _mark_seats(self) -> None:
        """The time of a patron who has a bet begins anew."""
        for box, patron in self.seats.items():
            if self._betting(patron):
                self.seat_from[box] = self.clock

    def _seat_taken(self, record: Record) -> None:
        box = record["box"]
        self._must(box not in self.seats, f"seat {box} is taken twice")
        self._must(1 <= box <= self.setup["boxes"], f"there is no seat {box}")
        self._must(record["patron"] not in self.seats.values(), "somebody sits on two seats")
        self._must(not self.misplaced(record["patron"]), f"{record['patron']} sits, a device")
        self.seats[box], self.seat_from[box] = record["patron"], self.clock

    def _seat_left(self, record: Record) -> None:
        box, by = record["box"], record.get("by")
        left, since = self.seats.pop(box, None), self.seat_from.pop(box, 0)
        self._must(left == record["patron"], f"{record['patron']} left a seat of somebody else")
        if by is None:
            return
        self._must(not self._betting(record["patron"]), f"seat {box} was freed under a bet")
        if by != SYSTEM:
            self._role(record, "dealer")
            return
        keep = self.setup.get("seat_ms")
        going = self.under_way and self.incident is None and self.options is None
        over = keep is not None and going and self.clock - since >= keep
        self._must(over, f"seat {box} was freed before its time")

    def has_room(self, patron: str) -> bool:
        """Whether a patron can bet here: from a seat, or without one where that is lawful."""
        book = self.setup["book"]
        if book in rules.OPEN or book in rules.STANDING or self.setup["open_boxes"]:
            return True
        there = patron in self.seats.values() or self.stacks[patron] > 0
        return there or len(self.seats) < self.setup["boxes"]

    def _stack_filled(self, record: Record) -> None:
        self._stack(record["patron"], record["amount"])
        self._paid_in(record["patron"], record["amount"])

    def _stack_emptied(self, record: Record) -> None:
        betting = self._betting(record["patron"])
        self._must(not betting, f"{record['patron']} cashed out with bets in play")
        self._stack(record["patron"], -record["amount"])
        self._paid_out(record["patron"], record["amount"])

    # --- what the table says of itself ------------------------------------------------------------

    def check(self, said: Record) -> list[str]:
        """Compare what the table says of itself after a round."""
        self.found = []
        for patron in {**self.stacks, **said["stacks"]}:
            stands, should = said["stacks"].get(patron, 0), self.stacks[patron]
            self._must(stands == should, f"the stack of {patron} is {stands}, should be {should}")
        roads = f"the roads show {said['results']}, should be {self.results}"
        self._must(said["results"] == self.results, roads)
        self._check_terminals(said["terminals"])
        return self.found
