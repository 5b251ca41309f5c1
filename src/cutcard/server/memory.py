"""What has been: rounds and shoes out of the log, for history, replay and proof."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass

from cutcard import wire
from cutcard.chain import Entry
from cutcard.fairness import CardShown, Commitment, Step
from cutcard.pack.export import Pack, export_card, export_round, export_shoe, export_table
from cutcard.pack.logbook import ENDS
from cutcard.pack.reading import book_of
from cutcard.refusals import Refusal
from cutcard.round import events as in_round
from cutcard.round.state import Round, evolve
from cutcard.server.desk import Desk
from cutcard.store import Kept, Played
from cutcard.table.events import IncidentReported, IncidentResolved
from cutcard.table.incident import INTERRUPTION, Incident
from cutcard.wire.answers import PlayedRound, RoundShown
from cutcard.wire.shown import InterruptedShown, result_shown

RECALLED = 10
"""The last round and nine before it."""

ROUND = in_round.Event


@dataclass(frozen=True, slots=True)
class Recalled:
    """The events of one round, and what the book ordered if a restart interrupted it."""

    events: Sequence[in_round.Event]
    interrupted: InterruptedShown | None


class Memory:
    """Reads what a desk has written."""

    def __init__(self, desk: Desk) -> None:
        self._desk, self._store = desk, desk.store

    # --- rounds -----------------------------------------------------------------------------------

    async def round(self, table: str, name: str) -> Recalled:
        """One round, from its opening to whatever ended it last."""
        opened = await self._store.marked(table, f"round {name}")
        if opened is None:
            raise Refusal("server/no-round", {"table": table, "round": name})
        events: list[in_round.Event] = []
        restarts: set[int] = set()
        cut = None
        async for kept in self._store.every_record(table, opened.number):
            if kept.mark.startswith("round "):
                break
            record = wire.read(json.loads(kept.record))
            match record:
                case wire.Happened(IncidentReported(Incident(number, kind))) if (
                    kind == INTERRUPTION
                ):
                    restarts.add(number)
                case wire.Happened(IncidentResolved() as event) if event.number in restarts:
                    cut = InterruptedShown(event.step.value, event.clause)
                case wire.Happened(event) if isinstance(event, ROUND):
                    events.append(event)
        return Recalled(events, cut)

    async def latest(self, table: str, most: int) -> list[RoundShown]:
        """The last rounds of a table as everybody saw them, the one under way excepted."""
        found = []
        for kept in await self._store.last_marked(table, "round ", most + 1):
            name = kept.mark.removeprefix("round ")
            recalled = await self.round(table, name)
            if _end(recalled.events) is not None:
                found.append(_shown(table, name, recalled))
        return found[:most]

    async def shown(self, table: str, name: str) -> RoundShown:
        """One round as everybody saw it; one that is not over shows no cards."""
        recalled = await self.round(table, name)
        if _end(recalled.events) is None:
            raise Refusal("server/round-open", {"round": name})
        return _shown(table, name, recalled)

    async def own(self, played: Played) -> PlayedRound:
        """A round as it was for a patron who had bets in it."""
        recalled = await self.round(played.log, played.round)
        events = recalled.events
        common = _shown(played.log, played.round, recalled)
        settled = _settled(events)
        mine = [one for one in settled if one.bet.patron == played.patron]
        by_system = [
            _first(event)
            for event in events
            if isinstance(event, in_round.SecondStagePlaced | in_round.SecondStageDeclined)
            and event.by_system
            and _whose(event) == played.patron
        ]
        return PlayedRound(
            table=played.log,
            round=played.round,
            at=played.at,
            ended=played.ended,
            staked=played.staked,
            net=played.net,
            commission=sum(one.commission for one in mine),
            player=common.player,
            banker=common.banker,
            winner=common.winner,
            bets=[result_shown(one) for one in mine],
            decided_by_system=by_system,
            reason=common.reason,
            clause=common.clause,
            interrupted=recalled.interrupted,
        )

    async def history(
        self, patron: str, most: int, since: int = 0, until: int | None = None
    ) -> list[PlayedRound]:
        return [
            await self.own(played)
            for played in await self._store.played(patron, most, since, until)
        ]

    # --- shoes ------------------------------------------------------------------------------------

    async def steps(self, table: str, number: int) -> tuple[Commitment, list[Step]]:
        """A committed shoe and everything that has happened to it."""
        begun = await self._store.marked(table, f"shoe {number}")
        if begun is None:
            raise Refusal("server/no-shoe", {"shoe": f"{table}/{number}"})
        steps: list[Step] = []
        commitment: Commitment | None = None
        async for kept in self._store.every_record(table, begun.number - 1):
            if kept.mark.startswith("shoe ") and commitment is not None:
                break
            record = wire.read(json.loads(kept.record))
            if isinstance(record, wire.Stepped):
                if isinstance(record.step, Commitment):
                    commitment = record.step
                else:
                    steps.append(record.step)
        assert commitment is not None, "the mark is the commitment's"
        return commitment, steps

    async def shoe(self, table: str, number: int) -> Pack:
        """A shoe's proof, as far as it has gone."""
        return export_shoe(*await self.steps(table, number))

    async def card(self, table: str, number: int, place: int) -> Pack:
        """The proof of one card that has been shown."""
        commitment, steps = await self.steps(table, number)
        for step in steps:
            if isinstance(step, CardShown) and step.place == place:
                return export_card(commitment, steps, step)
        raise Refusal("fairness/place", {"number": place + 1})

    # --- packs ------------------------------------------------------------------------------------

    async def pack(self, table: str, name: str | None = None) -> Pack:
        """A dispute pack: the whole log of a table, or one round of it."""
        kept = [one async for one in self._store.every_record(table)]
        heads = await self._store.heads(table)
        archived = await self._store.archived()

        def packed() -> Pack:
            entries, open_round = self._told(table, [_entry(one) for one in kept])
            books = [book_of(one.hash, one.document) for one in archived]
            named = [book for book in books if book.hash in _hashes(entries)]
            if name is None:
                return export_table(table, entries, heads, named)
            if name == open_round:
                raise Refusal("server/round-open", {"round": name})
            shoe, _, number = name.partition("/")
            return export_round(table, entries, heads, named, shoe=int(shoe), number=int(number))

        # A long log takes seconds to read, in which tables must go on.
        return await asyncio.to_thread(packed)

    def _told(self, table: str, entries: list[Entry]) -> tuple[list[Entry], str | None]:
        """The log as far as anybody may read it, and the name of the round that is left out.

        Where cards are dealt face down the log knows them before anybody has seen them, so
        it is told up to the round under way.
        """
        setup = self._desk.shown.table(table).setup
        if setup is None or not setup.face_down:
            return entries, None
        for place in range(len(entries) - 1, -1, -1):
            record = wire.read(entries[place].record)
            if isinstance(record, wire.Happened) and isinstance(record.event, ENDS):
                break
            if isinstance(record, wire.Standing):
                return entries[:place], self._desk.rounds.get(table)
        return entries, None


def _entry(kept: Kept) -> Entry:
    return Entry(kept.number, json.loads(kept.record), kept.hash)


def _hashes(entries: Sequence[Entry]) -> set[str]:
    """The books that a log was played by."""
    found = set()
    for entry in entries:
        record = wire.read(entry.record)
        if isinstance(record, wire.Happened) and hasattr(record.event, "setup"):
            found.add(record.event.setup.book_hash)
    return found


def _end(events: Sequence[in_round.Event]) -> in_round.Event | None:
    ends = in_round.RoundSettled | in_round.RoundVoided | in_round.SettlementCorrected
    return next((one for one in reversed(events) if isinstance(one, ends)), None)


def _settled(events: Sequence[in_round.Event]) -> tuple[in_round.Settled, ...]:
    end = _end(events)
    return end.bets if isinstance(end, in_round.RoundSettled | in_round.SettlementCorrected) else ()


def _shown(table: str, name: str, recalled: Recalled) -> RoundShown:
    state, events = Round(), recalled.events
    for event in events:
        state = evolve(state, event)
    end = _end(events)
    void = isinstance(end, in_round.RoundVoided) or (
        isinstance(end, in_round.SettlementCorrected) and end.coup is None
    )
    told = end if isinstance(end, in_round.RoundVoided | in_round.SettlementCorrected) else None
    return RoundShown(
        table=table,
        round=name,
        at=(end or events[0]).at,
        ended=None if end is None else "void" if void else "settled",
        player=[str(card) for card in state.coup.player],
        banker=[str(card) for card in state.coup.banker],
        winner=state.winner.value if state.winner and not void else None,
        reason=told.reason if told else None,
        clause=told.clause if told else None,
        interrupted=recalled.interrupted,
    )


def _whose(event: in_round.SecondStagePlaced | in_round.SecondStageDeclined) -> str:
    return event.bet.patron if isinstance(event, in_round.SecondStagePlaced) else event.patron


def _first(event: in_round.SecondStagePlaced | in_round.SecondStageDeclined) -> str:
    return event.first if isinstance(event, in_round.SecondStagePlaced) else event.spot
