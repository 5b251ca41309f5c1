"""A situation: a table, what happened at it, and how the round would go on."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from cutcard.round import commands as rounds
from cutcard.round.state import Phase
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.school.rehearsal import DEALER, Rehearsal, refused, staff
from cutcard.table import Table, decide, fold
from cutcard.table.advice import Advice, Path, asked, lawful
from cutcard.table.commands import ChooseOption, Command, InRound, Resolve, SignOff
from cutcard.table.incident import Incident, Step

AFTER = 1000
"""A second passes between two things that happen."""

REASON = "for the lesson"

NOTHING = "nothing wrong"


@dataclass(frozen=True)
class Situation:
    """What a lesson is about. Nobody but the school knows the cards to come."""

    book: Rulebook
    kind: str
    table: Table
    story: tuple[str, ...]
    coming: tuple[Card, ...]
    now: int
    incident: Incident | None
    """What went wrong, whether or not it had to be reported; None where nothing did."""

    onlookers: tuple[str, ...] = ()
    late: rounds.PlaceBet | rounds.WithdrawBet | None = None
    """What a patron did after the close."""

    truth: Coup | None = None
    """The hands as they truly are, where the record is wrong."""

    @cached_property
    def advice(self) -> Advice:
        assert self.incident is not None, "where nothing is wrong there is nothing to advise"
        found = lawful(self.table, self.incident, self.book)
        # Here the true hands are known beforehand, and so is who will be asked.
        paths = (
            replace(path, offered=asked(self.table, path, self.truth, self.book))
            for path in found.paths
        )
        return replace(found, paths=tuple(paths))

    @cached_property
    def unruled(self) -> Advice:
        """The same, were nobody at the table who may rule."""
        assert self.incident is not None, "where nothing is wrong there is nothing to advise"
        return lawful(self.without_manager, self.incident, self.book)

    @property
    def without_manager(self) -> Table:
        """The table while the shift manager is elsewhere."""
        left = SignOff(staff(Role.SHIFT_MANAGER), self.now)
        return fold(decide(self.table, left, self.book), self.table)

    @property
    def coup(self) -> Coup:
        return self.table.round.coup

    @property
    def all_open(self) -> bool:
        return len(self.table.face_up) == len(self.coup.dealt)

    @property
    def patrons(self) -> tuple[str, ...]:
        """Everybody with a bet in the round."""
        return tuple(dict.fromkeys(bet.patron for bet in self.table.round.bets))

    def refuses(self, command: Command) -> bool:
        return refused(self.table, command, self.book) is not None

    def resolve(self, path: Path, by: Role | None = None) -> Resolve:
        """The command by which somebody takes a path."""
        return Resolve(
            step=path.step,
            by=staff(path.role if by is None else by),
            at=self.now + AFTER,
            reason=REASON,
            order=path.order,
            coup=self.truth if path.step is Step.CORRECT else None,
            facts=REASON,
        )

    def after(self, command: Command) -> "Situation":
        """The same table after a command more."""
        events = decide(self.table, command, self.book)
        after = fold(events, self.table)
        return replace(self, table=after, incident=after.incident, now=self.now + AFTER)

    def taken(self, path: Path, leaving: tuple[str, ...] = ()) -> "Situation":
        """The table after a path, and after everybody who may choose has chosen."""
        found = self.after(self.resolve(path)) if self.table.incident is not None else self
        for patron in path.offered:
            wish = ChooseOption(patron, patron not in leaving, patron, found.now + AFTER)
            found = found.after(wish)
        return found

    def played(self) -> "Situation | None":
        """The round dealt to its end and settled; None where somebody has to decide first."""
        found = self
        while found.table.round.phase in (Phase.CLOSED, Phase.DEALING):
            if next_side(found.coup) is None:
                found = found.after(found.by_dealer(rounds.CallResult(found.now + AFTER)))
                continue
            found = found.drawn()
        if found.table.round.phase is Phase.DECIDING:
            return None
        if found.table.round.phase is Phase.RESULT:
            found = found.after(found.by_dealer(rounds.SettleRound(found.now + AFTER)))
        return found

    def drawn(self) -> "Situation":
        """One card more: a card that was kept, or the next of the shoe."""
        kept = self.table.kept
        card = kept[0] if kept else self.coming[0]
        found = self.after(self.by_dealer(rounds.DrawCard(card, self.now + AFTER)))
        return found if kept else replace(found, coming=self.coming[1:])

    def by_dealer(self, command: rounds.Command) -> InRound:
        return InRound(command, DEALER)

    @property
    def nets(self) -> Mapping[str, int]:
        """What everybody won or lost in a round that is settled or void."""
        settled = self.table.round.settled
        nets = dict.fromkeys(self.patrons, 0)
        for one in settled.bets if settled is not None else ():
            nets[one.bet.patron] = nets.get(one.bet.patron, 0) + one.net
        return nets


def end(
    table: Rehearsal,
    kind: str,
    *story: str,
    late: rounds.PlaceBet | rounds.WithdrawBet | None = None,
    truth: Coup | None = None,
) -> Situation:
    """The situation that a rehearsal led to."""
    incident = table.table.incident
    if incident is None and kind != NOTHING:
        incident = Incident(table.table.incidents + 1, kind, table.table.rounds, DEALER)
    return Situation(
        book=table.book,
        kind=kind,
        table=table.table,
        story=story,
        coming=tuple(table.coming),
        now=table.now,
        incident=incident,
        onlookers=tuple(table.onlookers),
        late=late,
        truth=truth,
    )
