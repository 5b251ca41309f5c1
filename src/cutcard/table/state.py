"""The state of a table, and how each event changes it.

The table never holds a card that has not been dealt: what it does not know it
cannot leak. Stacks are what patrons can still use; what is staked or reserved
has left them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cutcard.frozen import once, replace
from cutcard.ledger import TransferId, transfer_id
from cutcard.ledger.shelf import Shelf
from cutcard.roads import Result
from cutcard.round import events as in_round
from cutcard.round.state import FINISHED, Key, Phase, Round
from cutcard.round.state import evolve as evolve_round
from cutcard.round.terms import NO_BOX
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, Side
from cutcard.rules.limits import Limit
from cutcard.table import meters
from cutcard.table.events import (
    Acting,
    AttendantCalled,
    AttendantCame,
    CardBurned,
    CardExposed,
    CardsKept,
    CardsOpened,
    ClosingAnnounced,
    CutCardShown,
    Event,
    IncidentReported,
    IncidentResolved,
    KeptCardsBurned,
    LimitsScheduled,
    OptionChosen,
    OptionsClosed,
    OptionsOffered,
    SeatLeft,
    SeatTaken,
    ShoeEnded,
    ShoeRegistered,
    ShoeRemoved,
    SignedOff,
    SignedOn,
    SqueezeAnswered,
    SqueezeRequested,
    StackEmptied,
    StackFilled,
    TableClosed,
    TableOpened,
    TerminalAdded,
    TerminalLocked,
    TerminalRemoved,
    TerminalUnlocked,
)
from cutcard.table.incident import FOREIGN, Incident
from cutcard.table.sentinel import longer
from cutcard.table.setup import Setup
from cutcard.table.staff import Member

HOLDS = 2
"""An event that changes a bet first releases what was held, then holds stake and reserve.

So `table-7:17.0` and `.1` release, `table-7:17.2` holds the stake, `.3` the reserve.
"""


@dataclass(frozen=True)
class Shoe:
    """What is known of the shoe in use: what went in, what has been seen, what was burned."""

    id: str
    manifest: Mapping[Card, int]
    seen: Counter[Card] = field(default_factory=Counter)
    burned: int = 0
    to_burn: int | None = None
    """Cards still to burn; None until the first card has been exposed."""

    cut_card: bool = False
    earlier: int = 0
    """How many cards of the round came out before this shoe was there."""

    run: tuple[Card, ...] = ()
    """The latest cards, as long as they come in the order of a new deck."""

    @property
    def left(self) -> int:
        """How many cards should still be in it."""
        return sum(self.manifest.values()) - self.seen.total() - self.burned

    @property
    def ready(self) -> bool:
        return self.to_burn == 0


@dataclass(frozen=True)
class Table:
    """Where a table stands."""

    setup: Setup | None = None
    seq: int = 0
    """How many events the table has had; also names their ledger entries."""

    open: bool = False
    last_round: int | None = None
    limits: tuple[Limit, ...] = ()
    """In force from the next round on."""

    staff: Mapping[str, Member] = field(default_factory=dict)
    seats: Mapping[int, str] = field(default_factory=dict)
    idle: Mapping[int, int] = field(default_factory=dict)
    """By box, for how long (ms) its patron had let the rounds go by when play last paused.

    Below zero for a patron who sat down since `play_from`.
    """

    play_from: int | None = None
    """Since when play goes on without a pause: a round is under way and nothing is wrong."""

    terminals: meters.Terminals = field(default_factory=meters.Terminals)

    stacks: Shelf[str, int] = field(default_factory=Shelf)
    round: Round = field(default_factory=Round)
    held: Shelf[str, Mapping[Key, int]] = field(default_factory=Shelf)
    """The event in which each bet of a patron took its present amount: it names its transfer."""

    owed: Mapping[str, int] = field(default_factory=dict)
    """What each patron came to owe in this round; whether it is paid, only the ledger knows."""

    shoe: Shoe | None = None
    counted: ShoeEnded | None = None
    """The count with which the latest shoe was taken away, until another one is registered."""

    shoes: int = 0
    rounds: int = 0
    results: tuple[Result, ...] = ()
    """Of this shoe; void rounds are not among them."""

    squeeze: Mapping[Side, str] = field(default_factory=dict)
    squeeze_from: Mapping[Side, int] = field(default_factory=dict)
    """How many cards a side had when its squeeze was granted; its squeezer sees only later ones."""

    squeeze_asked: tuple[tuple[str, Side], ...] = ()
    """Who asked for the squeeze of which side and has no answer yet, the first request first."""

    face_up: frozenset[int] = frozenset()
    """Which cards of the coup have been turned over, counted from 0 in dealing order."""

    incident: Incident | None = None
    """What went wrong and is not resolved; until it is, the table waits."""

    behind: tuple[Incident, ...] = ()
    """What went wrong meanwhile and is put right next."""

    incidents: int = 0
    kept: tuple[Card, ...] = ()
    """Cards out of the shoe that will be dealt first (CB4 5.7)."""

    options: Mapping[str, bool | None] | None = None
    """While patrons may choose: who goes on, who does not, who has not said (None)."""

    options_until: int = 0
    options_clause: str = ""
    bound: frozenset[str] = frozenset()
    """Who chose to go on in this round."""

    def pending(self, key: Key, place: int) -> TransferId:
        """The pending transfer of a bet: its stake (0) or its reserve (1)."""
        assert self.setup is not None, "an open table has a set-up"
        _, patron, _ = key
        return transfer_id(self.setup.table, self.held[patron][key], HOLDS + place)

    def box_of(self, patron: str) -> int | None:
        """The box of a patron's seat, if the patron has one."""
        return _boxes(self.seats).get(patron)

    def bets_in(self, patron: str) -> int | None:
        """Where a patron bets: in the box of the own seat, or in none at an open table."""
        is_open = self.setup is not None and self.setup.is_open
        return NO_BOX if is_open else self.box_of(patron)

    def is_seated(self, patron: str, box: int) -> bool:
        """Whether a patron bets from a seat of the own, as everybody does at an open table."""
        return box == NO_BOX or self.seats.get(box) == patron


@once(most=64)
def _boxes(seats: Mapping[int, str]) -> dict[str, int]:
    """The box of each patron who has a seat."""
    return {holder: box for box, holder in reversed(list(seats.items()))}


def has_bets(table: Table, patron: str) -> bool:
    """Whether a patron has a bet in the latest round."""
    return any(table.round.by_patron.get(patron, {}).values())


PAUSING = (
    in_round.RoundOpened,
    in_round.RoundSettled,
    in_round.RoundVoided,
    IncidentReported,
    IncidentResolved,
    OptionsOffered,
    OptionsClosed,
)
"""The events with which play may begin or pause."""


def evolve(table: Table, event: Event) -> Table:
    """The table after an event."""
    after = replace(_evolve(table, event), seq=table.seq + 1)
    if isinstance(event, PAUSING):
        return _seat_time(table, after, event.at)
    if isinstance(event, in_round.BetWithdrawn | in_round.BetsReturned):
        return _without_bets(table, after, event.at)
    return after


def _seat_time(before: Table, after: Table, at: int) -> Table:
    """Count the time for which seats are kept: only while play goes on."""
    if after.setup is None or after.setup.seat_ms is None:
        return after
    paused = after.incident is not None or after.options is not None
    going = after.round.phase not in FINISHED and not paused
    if going == (before.play_from is not None):
        return after
    if going:
        return replace(after, play_from=at)
    return replace(after, play_from=None, idle=_idle(before, at))


def _without_bets(before: Table, after: Table, at: int) -> Table:
    """The seats of patrons whose last bet is gone are kept for the whole time from here on."""
    setup = after.setup
    if setup is None or setup.seat_ms is None or not setup.keeps(1):
        return after
    anew = 0 if after.play_from is None else after.play_from - at
    gone = {
        box: anew
        for box, patron in after.seats.items()
        if has_bets(before, patron) and not has_bets(after, patron)
    }
    return replace(after, idle={**after.idle, **gone}) if gone else after


def _other_requests(table: Table, patron: str, side: Side) -> tuple[tuple[str, Side], ...]:
    """The requests for a squeeze without this one; before the first edition a patron had one."""
    one_a_side = table.setup is not None and table.setup.keeps(1)
    return tuple(
        (who, of)
        for who, of in table.squeeze_asked
        if who != patron or (one_a_side and of is not side)
    )


def _idle(table: Table, at: int) -> dict[int, int]:
    """For how long the patron of each box has not bet; a bet in the round begins it anew."""
    since = 0 if table.play_from is None else at - table.play_from
    return {
        box: 0 if has_bets(table, patron) else table.idle.get(box, 0) + since
        for box, patron in table.seats.items()
    }


def _evolve(table: Table, event: Event) -> Table:
    match event:
        case TableOpened():
            seats = {box: who for box, who in table.seats.items() if box <= event.setup.boxes}
            opened = replace(table, setup=event.setup, open=True, limits=event.setup.limits)
            return replace(opened, seats=seats, idle={})
        case ClosingAnnounced():
            return replace(table, last_round=event.last_round)
        case TableClosed():
            return replace(table, open=False, last_round=None)
        case SignedOn():
            return _staff(table, Member(event.person, event.role))
        case SignedOff():
            left = {name: one for name, one in table.staff.items() if name != event.person}
            return replace(table, staff=left)
        case Acting():
            member = table.staff[event.person]
            return _staff(table, replace(member, acting=event.role, acting_until=event.until))
        case LimitsScheduled():
            return replace(table, limits=event.limits)
        case SeatTaken():
            seated = replace(table, seats={**table.seats, event.box: event.patron})
            if table.play_from is None:
                return seated
            # Only the time from here on counts.
            new = table.play_from - event.at
            return replace(seated, idle={**table.idle, event.box: new})
        case SeatLeft():
            seats = {box: holder for box, holder in table.seats.items() if box != event.box}
            idle = {box: time for box, time in table.idle.items() if box != event.box}
            return replace(table, seats=seats, idle=idle)
        case TerminalAdded():
            credit = _credit(table, event.terminal)
            return replace(table, terminals=meters.added(table.terminals, event, credit))
        case TerminalRemoved():
            return _terminal(table, event.terminal, removed=True, calling=False)
        case TerminalLocked():
            return _terminal(table, event.terminal, locked=event.reason)
        case TerminalUnlocked():
            return _terminal(table, event.terminal, locked=None)
        case AttendantCalled():
            return _terminal(table, event.terminal, calling=True)
        case AttendantCame():
            return _terminal(table, event.terminal, calling=False)
        case StackFilled():
            after = _stack(table, event.patron, event.amount)
            paid_in = meters.paid_in(table.terminals, event.patron, event.amount)
            return replace(after, terminals=paid_in)
        case StackEmptied():
            after = _stack(table, event.patron, -event.amount)
            paid_out = meters.paid_out(table.terminals, event.patron, event.amount)
            return replace(after, terminals=paid_out)
        case ShoeRegistered():
            shoe = Shoe(event.shoe, event.manifest, earlier=len(table.round.coup.dealt))
            fresh = replace(table, shoe=shoe, shoes=table.shoes + 1, results=(), counted=None)
            if table.round.phase not in FINISHED:
                # A shoe replaced in the middle of a round: the round keeps its number.
                return fresh
            # Rounds are counted from one again, so a closing already announced is too.
            last = None if table.last_round is None else table.last_round - table.rounds
            return replace(fresh, rounds=0, last_round=last)
        case CardExposed():
            run = longer(_in_use(table).run, event.card)
            return _shoe(table, seen=_seen(table, event.card), to_burn=event.to_burn, run=run)
        case CardBurned():
            burned = _in_use(table).burned + 1
            return _shoe(table, burned=burned, to_burn=event.left_to_burn, run=())
        case CutCardShown():
            return _shoe(table, cut_card=True)
        case ShoeEnded():
            return replace(table, shoe=None, kept=(), counted=event)
        case ShoeRemoved():
            return replace(table, shoe=None, kept=())
        case SqueezeRequested():
            asked = (*_other_requests(table, event.patron, event.side), (event.patron, event.side))
            return replace(table, squeeze_asked=asked)
        case SqueezeAnswered():
            others = _other_requests(table, event.patron, event.side)
            answered = replace(table, squeeze_asked=others)
            return _granted(answered, event.side, event.patron) if event.granted else answered
        case CardsOpened():
            return _all_open(table)
        case IncidentReported():
            return reported(table, event.incident)
        case IncidentResolved():
            return replace(table, incident=(*table.behind, None)[0], behind=table.behind[1:])
        case CardsKept():
            return _keep(table, event.cards)
        case KeptCardsBurned():
            return replace(table, kept=table.kept[len(event.cards) :])
        case OptionsOffered():
            waiting: dict[str, bool | None] = dict.fromkeys(event.patrons)
            return replace(
                table, options=waiting, options_until=event.until, options_clause=event.clause
            )
        case OptionChosen():
            chosen = {**(table.options or {}), event.patron: event.continues}
            bound = table.bound | {event.patron} if event.continues else table.bound
            return replace(table, options=chosen, bound=bound)
        case OptionsClosed():
            return replace(table, options=None)
        case _:
            return _after_round_event(table, event)


def _staff(table: Table, member: Member) -> Table:
    return replace(table, staff={**table.staff, member.person: member})


def _credit(table: Table, name: str) -> int:
    """What a patron has in the stack and in play."""
    under_way = table.round.phase not in FINISHED
    bets = table.round.bets_of(name) if under_way else ()
    # Chips that were taken away lie in the stack again.
    lying = (_committed(bet) for bet in bets if bet.key not in table.round.removed)
    return table.stacks.get(name, 0) + sum(lying)


def _terminal(table: Table, name: str, **changes: object) -> Table:
    one = replace(table.terminals.by_name[name], **changes)  # type: ignore[arg-type]
    return replace(table, terminals=table.terminals.placed(name, one))


def _stack(table: Table, patron: str, change: int) -> Table:
    return replace(table, stacks=_changed(table.stacks, patron, change))


def _changed(stacks: Shelf[str, int], patron: str, change: int) -> Shelf[str, int]:
    return stacks.placed(patron, stacks.get(patron, 0) + change)


def _in_use(table: Table) -> Shoe:
    assert table.shoe is not None, "cards come from a registered shoe"
    return table.shoe


def _shoe(table: Table, **changes: object) -> Table:
    return replace(table, shoe=replace(_in_use(table), **changes))  # type: ignore[arg-type]


def _seen(table: Table, card: Card) -> Counter[Card]:
    seen = _in_use(table).seen.copy()
    seen[card] += 1
    return seen


def _granted(table: Table, side: Side, patron: str) -> Table:
    """A patron squeezes the cards that a side gets from now on."""
    since = len(table.round.coup.hand(side))
    if table.squeeze.get(side) == patron:
        # Who is granted it again has seen the cards since the first time.
        since = table.squeeze_from[side]
    return replace(
        table,
        squeeze={**table.squeeze, side: patron},
        squeeze_from={**table.squeeze_from, side: since},
    )


def _squeezed_on(table: Table) -> Table:
    """The hands are other ones: only a squeezer from the first card on knows all of them."""
    coup = table.round.coup
    since = {side: one and len(coup.hand(side)) for side, one in table.squeeze_from.items()}
    return replace(table, squeeze_from=since)


def _all_open(table: Table) -> Table:
    return replace(table, face_up=frozenset(range(len(table.round.coup.dealt))))


def reported(table: Table, incident: Incident) -> Table:
    """The table once an incident is known."""
    after = replace(table, incidents=incident.number)
    if table.incident is None:
        after = replace(after, incident=incident)
    else:
        after = replace(after, behind=(*table.behind, incident))
    if incident.exposed is not None:
        turned = {incident.exposed, *(incident.also_exposed or ())}
        after = replace(after, face_up=after.face_up | turned)
    # A foreign card is none of the shoe's.
    if after.shoe is None or incident.kind == FOREIGN:
        return after
    seen, run = after.shoe.seen.copy(), after.shoe.run
    for card in incident.drawn:
        seen[card] += 1
        run = longer(run, card)
    return _shoe(after, seen=seen, run=run)


def _keep(table: Table, cards: tuple[Card, ...]) -> Table:
    """Cards lie beside the shoe: drawn with an incident, or left over by a correction."""
    after = replace(table, kept=(*table.kept, *cards))
    counted = table.incident is None or table.incident.drawn
    if after.shoe is None or counted:
        return after
    return _shoe(after, seen=after.shoe.seen + Counter(cards))


def _corrected(table: Table, after: Table, coup: Coup) -> Table:
    """The coup is another one: the cards seen, and which of them lie open, follow it."""
    before = table.round.coup.dealt
    if Counter(before) == Counter(coup.dealt):
        return replace(after, face_up=_moved(table, coup))
    # A card that was misread lies as it lay; one that was missed lies open now.
    places = set(range(len(coup.dealt)))
    opened = table.face_up | set(range(len(before), len(coup.dealt)))
    after = replace(after, face_up=frozenset(opened & places))
    if after.shoe is None:
        return after
    first, seen = after.shoe.earlier, after.shoe.seen.copy()
    seen.update(coup.dealt[first:])
    seen.subtract(before[first:])
    return _shoe(after, seen=+seen)


def _moved(table: Table, coup: Coup) -> frozenset[int]:
    """Which cards lie open when the same cards lie elsewhere: those that did before."""
    opened = Counter(table.round.coup.dealt[place] for place in table.face_up)
    places = set()
    for place, card in enumerate(coup.dealt):
        if opened[card] > 0:
            opened[card] -= 1
            places.add(place)
    return frozenset(places)


def _after_round_event(table: Table, event: in_round.Event) -> Table:
    after = replace(table, round=evolve_round(table.round, event))
    match event:
        case in_round.RoundOpened():
            opened = replace(after, rounds=event.number, held=Shelf(), face_up=frozenset())
            opened = replace(opened, bound=frozenset(), owed={})
            if opened.shoe is not None:
                opened = _shoe(opened, earlier=0)
            if table.setup is not None and table.setup.continuous:
                # The cards of the round before went back (HOUSE shuffler).
                opened = _shoe(opened, seen=Counter(table.kept))
            return replace(opened, squeeze={}, squeeze_from={}, squeeze_asked=())
        case in_round.BetPlaced():
            before = 0 if event.before is None else _committed(event.before)
            return _hold(after, event.bet, before - _committed(event.bet))
        case in_round.SecondStagePlaced():
            return _hold(after, event.bet, -_committed(event.bet))
        case in_round.BetWithdrawn():
            if event.left is None:
                return _stack(after, event.bet.patron, _committed(event.bet))
            return _hold(after, event.left, _committed(event.bet) - _committed(event.left))
        case in_round.CardDealt():
            return _dealt(table, after, event)
        case in_round.ChipsRemoved():
            return _stack(after, event.bet.patron, _committed(event.bet))
        case in_round.ResultCalled():
            return _all_open(after)
        case in_round.RoundSettled():
            return _settled(after, event.bets)
        case in_round.RoundVoided():
            for bet in event.returned:
                after = _stack(after, bet.patron, _committed(bet))
            return _all_open(after)
        case in_round.CoupCorrected():
            return _squeezed_on(_corrected(table, after, event.coup))
        case in_round.BetsReturned():
            for bet in event.returned:
                after = _stack(after, bet.patron, _committed(bet))
            return after
        case in_round.SettlementCorrected():
            return _settled_anew(table, after, event)
    return after


def _dealt(table: Table, after: Table, event: in_round.CardDealt) -> Table:
    coup = after.round.coup
    hand = coup.player if event.side is Side.PLAYER else coup.banker
    place = coup.place(event.side, len(hand) - 1)
    # Where cards lie on the wrong side, a card of the shorter hand comes before some of the other.
    before = frozenset(one + (one >= place) for one in table.face_up)
    hidden = after.setup is not None and after.setup.face_down
    # The card that is decided on lies face up, also where others do not (KO2 3.4), and a card
    # that was kept has been seen before.
    always = after.round.terms.open_cards if after.round.terms else 0
    opened = frozenset({place}) if not hidden or place < always or table.kept else frozenset()
    after = replace(after, face_up=before | opened)
    if table.kept:
        return replace(after, kept=table.kept[1:])
    run = longer(_in_use(table).run, event.card)
    return _shoe(after, seen=_seen(after, event.card), run=run)


def nets(bets: Iterable[in_round.Settled]) -> dict[str, tuple[int, int]]:
    """What each patron gained or lost, and the commission that was withheld."""
    found: dict[str, tuple[int, int]] = {}
    for one in bets:
        net, commission = found.get(one.bet.patron, (0, 0))
        found[one.bet.patron] = net + one.net, commission + one.commission
    return found


def corrections(
    table: Table, event: in_round.SettlementCorrected
) -> dict[str, tuple[int, int, int]]:
    """By patron, what a new settlement moves: to the stack (or from it), the debt, the commission.

    A stack pays what it can; the rest is owed. What is struck off a debt comes to no stack.
    """
    moved: dict[str, tuple[int, int, int]] = {}
    for patron, (net, commission) in _changes(table, event).items():
        struck = (event.struck or {}).get(patron, 0)
        change = max(net - struck, -table.stacks.get(patron, 0))
        if net or commission or struck:
            moved[patron] = change, change - net, commission
    return moved


def _changes(table: Table, event: in_round.SettlementCorrected) -> dict[str, tuple[int, int]]:
    """By patron, what a new settlement gives more than the one before, and withholds more."""
    before = nets(table.round.settled.bets if table.round.settled else ())
    after = nets(event.bets)
    changes: dict[str, tuple[int, int]] = {}
    for patron in {**before, **after}:
        (was, withheld), (net, commission) = before.get(patron, (0, 0)), after.get(patron, (0, 0))
        changes[patron] = net - was, commission - withheld
    return changes


def struck_off(
    table: Table, event: in_round.SettlementCorrected, owing: Mapping[str, int]
) -> dict[str, int]:
    """By patron, what a new settlement takes off the debt that the round made, as far as it stands.

    It gives to the debt before the stack. Whoever has no bet in it any more owes nothing for the
    round; what the stack had from it goes back instead. A debt that was paid is not there any more.
    """
    still = nets(event.bets)
    struck: dict[str, int] = {}
    for patron, (net, _) in _changes(table, event).items():
        gives = net if patron in still else net + table.stacks.get(patron, 0)
        amount = min(gives, table.owed.get(patron, 0), owing.get(patron, 0))
        if amount > 0:
            struck[patron] = amount
    return struck


def _settled_anew(table: Table, after: Table, event: in_round.SettlementCorrected) -> Table:
    for patron, (change, owed, _) in corrections(table, event).items():
        after = _owe(_stack(after, patron, change), patron, owed)
        after = replace(after, terminals=meters.corrected(after.terminals, patron, change))
    # The roads of a new shoe do not begin with the last round of the old one.
    on_road = table.rounds == table.round.number
    results = table.results[:-1] if on_road else table.results
    if event.coup is None:
        return replace(after, results=results)
    if on_road:
        results = (*results, Result.of(event.coup))
    return replace(_corrected(table, after, event.coup), results=results)


def _hold(table: Table, bet: in_round.Laid, change: int) -> Table:
    """A bet takes its present amount in this event, out of the stack or back into it."""
    own = {**table.held.get(bet.patron, {}), bet.key: table.seq}
    return replace(
        table,
        stacks=_changed(table.stacks, bet.patron, change),
        held=table.held.placed(bet.patron, own),
    )


def _committed(bet: in_round.Laid) -> int:
    return bet.stake + bet.reserve


def _settled(table: Table, bets: tuple[in_round.Settled, ...]) -> Table:
    stacks, terminals = table.stacks, meters.settled(table.terminals, bets)
    for one in bets:
        # What chips taken off the layout have lost is a debt in the ledger (KO2 5.3).
        back = max(0, one.net) if one.removed else _committed(one.bet) + one.net
        stacks = _changed(stacks, one.bet.patron, back)
        if one.removed and one.net < 0:
            table = _owe(table, one.bet.patron, -one.net)
    results = (*table.results, Result.of(table.round.coup))
    return replace(table, stacks=stacks, terminals=terminals, results=results)


def _owe(table: Table, patron: str, more: int) -> Table:
    """A patron owes more because of this round, or, below zero, less."""
    owed = {**table.owed, patron: table.owed.get(patron, 0) + more}
    return replace(table, owed=owed) if more else table


def fold(events: Iterable[Event], table: Table | None = None) -> Table:
    """The table after many events."""
    after = Table() if table is None else table
    for event in events:
        after = evolve(after, event)
    return after


__all__ = ["Phase", "Shoe", "Table", "evolve", "fold"]
