"""What waits for a second pair of eyes.

What undoes money that was paid, or puts a card into the record by hand, is proposed by one
person and confirmed by another. One thing waits at a table at a time, and it lapses as soon as
what it is about stands otherwise.
"""

import json
from dataclasses import dataclass

from cutcard.refusals import Refusal
from cutcard.server.desk import Desk
from cutcard.server.standing import stands, subject
from cutcard.store import Significant
from cutcard.table.incident import FOUR_EYES
from cutcard.wire import api, house

PROPOSED, LAPSED = "proposal", "proposal lapsed"
ENDED = frozenset({"staff confirm", "staff decline"})
ARRANGED, LENT = "staff changed", "staff act-as"
NOTES = ENDED | {PROPOSED, LAPSED, ARRANGED, LENT}
"""The significant events from which all this is known after a restart."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that one person wants and a second must confirm."""

    number: int
    table: str
    by: str
    at: int
    command: house.Resolve | house.EnterCard
    about: str
    """What it is about, as it stood then: whatever of that changes makes it void."""

    @property
    def what(self) -> str:
        command = self.command
        return command.step if isinstance(command, house.Resolve) else f"enter {command.card}"

    @property
    def reason(self) -> str:
        return self.command.reason if isinstance(self.command, house.Resolve) else ""

    def document(self) -> str:
        """As a significant event keeps it, for whoever starts again."""
        told = {"number": self.number, "about": self.about}
        return json.dumps({**told, "command": json.loads(api.encode(self.command))})

    @staticmethod
    def recalled(note: Significant) -> "Proposal":
        told = json.loads(note.after)
        command = api.decode_command(json.dumps(told["command"]))
        assert isinstance(command, house.Resolve | house.EnterCard), "only these are proposed"
        # What was proposed before this was kept is about nothing that still stands.
        about = told.get("about", "")
        return Proposal(told["number"], note.where, note.who, note.at, command, about)


class Proposals:
    """By table, what is proposed there; and who gave whom the role to confirm it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._number = 0
        self._waiting: dict[str, Proposal] = {}
        self._made_by: dict[str, str] = {}
        """By member of staff, who gave them the role that is their own."""

        self._lent_by: dict[tuple[str, str], str] = {}
        """By table and member of staff, who lent them a role there."""

        self.lapsed: dict[str, tuple[str, Proposal]] = {}
        """By table the last proposal that came to nothing, and the round in which it did."""

    def hear(self, note: Significant) -> None:
        """Who gave whom a role, now and after a restart."""
        if note.kind == ARRANGED:
            self._made_by[note.where] = note.who
        elif note.kind == LENT:
            self._lent_by[note.where, note.after.split()[0]] = note.who

    def recall(self, note: Significant) -> None:
        """What was proposed before a restart, one note after another."""
        if note.kind == PROPOSED:
            found = self._waiting[note.where] = Proposal.recalled(note)
            self._number = found.number
        elif note.kind == LAPSED or note.kind in ENDED:
            self._waiting.pop(note.where, None)

    # --- what waits -------------------------------------------------------------------------------

    @property
    def tables(self) -> frozenset[str]:
        """Where something waits."""
        return frozenset(self._waiting)

    def at(self, name: str) -> Proposal | None:
        """What waits at a table; nothing that the table has left behind."""
        found = self._waiting.get(name)
        return found if found and found.about == self._subject(name) else None

    def numbered(self, name: str, number: int) -> Proposal:
        found = self.at(name)
        if found is None or found.number != number:
            raise Refusal("staff/no-proposal", {"table": name}, FOUR_EYES)
        return found

    def reason(self, name: str) -> str:
        """Why something is proposed at a table, if anything is."""
        found = self._waiting.get(name)
        return found.reason if found else ""

    def propose(self, name: str, by: str, command: house.Resolve | house.EnterCard) -> str:
        """Let something wait; what that is, in words."""
        before = self.at(name)
        if before is not None and before.by != by:
            raise Refusal("staff/proposal-waits", {"table": name}, FOUR_EYES)
        if before is not None:
            # Whoever proposed something may think better of it, and the log has both.
            self._lapse(name, before)
        self._number += 1
        now = self._desk.now()
        found = Proposal(self._number, name, by, now, command, self._subject(name))
        self._waiting[name] = found
        self.lapsed.pop(name, None)
        self._desk.note(
            Significant(now, PROPOSED, by, name, found.reason, self._stands(name), found.document())
        )
        return f"{PROPOSED} {found.number}: {found.what}"

    def check_second(self, found: Proposal, second: str, lent: bool) -> None:
        """Refuse eyes that are the same, or that owe the role they act in to the first ones."""
        if found.by == second:
            raise Refusal("staff/same-eyes", {}, FOUR_EYES)
        givers = {
            self._made_by.get(second),
            self._lent_by.get((found.table, second)) if lent else None,
        }
        if found.by in givers:
            raise Refusal("staff/own-eyes", {}, FOUR_EYES)

    def end(self, found: Proposal) -> None:
        """It is confirmed, or declined."""
        del self._waiting[found.table]

    def lapses(self, name: str) -> bool:
        """Whether what waited at a table has lapsed, because it stands otherwise now."""
        found = self._waiting[name]
        if name not in self._desk.books:
            del self._waiting[name]
        elif found.about != self._subject(name):
            self._lapse(name, found)
            return True
        return False

    def _lapse(self, name: str, found: Proposal) -> None:
        del self._waiting[name]
        self.lapsed[name] = (self._desk.rounds.get(name, ""), found)
        self._desk.note(
            Significant(
                self._desk.now(),
                LAPSED,
                found.by,
                name,
                found.reason,
                f"proposal {found.number}: {found.what}",
                self._stands(name),
            )
        )

    def _subject(self, name: str) -> str:
        return subject(self._desk.venue.table(name))

    def _stands(self, name: str) -> str:
        return stands(self._desk.venue.table(name), self._desk.rounds.get(name, ""))
