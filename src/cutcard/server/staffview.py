"""A table as its staff see it, made from the staff's view and what the server knows beside it."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from heapq import nlargest
from typing import TypeVar

from cutcard.fairness import VerifiableShoe
from cutcard.frozen import once
from cutcard.refusals.catalogue import word
from cutcard.round.events import Laid, Settled
from cutcard.round.excess import Notice
from cutcard.round.settling import settle
from cutcard.round.state import Phase
from cutcard.rulebooks import clauses
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.server.clockwork import DEALER, OPERATOR
from cutcard.server.dealer import is_committed
from cutcard.server.duties import AT_TABLES
from cutcard.server.prompting import prompt
from cutcard.server.proposals import Proposal
from cutcard.server.staff import Call, Staff
from cutcard.store import Person
from cutcard.table import advise
from cutcard.table.advice import Path, entry_of
from cutcard.table.incident import RULINGS, VOIDING, Incident, Step
from cutcard.table.meters import Terminal
from cutcard.table.prospects import Prospect
from cutcard.table.staff import RANK, Member
from cutcard.table.state import Table
from cutcard.table.terminals import has_terminals
from cutcard.table.view import Audience, Viewer, view
from cutcard.wire import house
from cutcard.wire.shown import limits_shown
from cutcard.wire.staffed import (
    AdviceShown,
    CallingShown,
    CallShown,
    CountShown,
    IncidentShown,
    KindShown,
    LaidShown,
    MemberShown,
    NextShown,
    OptionShown,
    PaidShown,
    PathShown,
    ProposalShown,
    SeatShown,
    StaffShown,
    TerminalsShown,
    WarningShown,
)

T = TypeVar("T")

LISTED = 100
"""Bets, results and patrons of an open table that staff see one by one."""

SEE = AT_TABLES | {"auditor", "operator"}
"""Who may look at a table as staff do."""


def acting(staff: Staff, person: Person) -> tuple[Role, int] | None:
    """The highest role in which somebody acts now at any open table, and until when."""
    now, venue = staff.desk.now(), staff.desk.shown
    tables = [table for name in staff.desk.books if (table := venue.table(name)).open]
    found = [
        (one.role_at(now), one.acting_until)
        for table in tables
        if (one := table.staff.get(person.id)) and one.role.value == person.role
        if one.role_at(now) is not one.role
    ]
    return max(found, key=lambda one: (RANK[one[0]], one[1]), default=None)


def shown(staff: Staff, name: str, person: Person) -> StaffShown:
    """A table as a member of staff sees it now, from what is on disk."""
    desk, now = staff.desk, staff.desk.now()
    table, book = desk.shown.table(name), desk.books[name]
    own = Role(person.role) if person.role in AT_TABLES else None
    member = table.staff.get(person.id) or (Member(person.id, own) if own else None)
    role = member.role_at(now).value if member else person.role
    viewer = Viewer(Audience.STAFF, person.id, own or Role.DEALER)
    committed = is_committed(table, desk.shown_shoes.get(name))
    seen = view(table, viewer, book, committed=committed)
    virtual, automatic = staff.is_virtual(name), staff.clockwork.on[name]
    due = prompt(table, book, now, virtual and not automatic)
    seated = {who: box for box, who in (seen.seats or {}).items()}
    people = {who for who, stack in table.stacks.items() if stack or who in seated}
    bets, paid = list(seen.bets), _settled(table, book)
    if table.setup is not None and table.setup.is_open:
        bets = _largest(bets, lambda one: one.stake)
        paid = _largest(paid, lambda one: abs(one.net))
        rich = _largest(people, lambda who: table.stacks.get(who, 0))
        people = {*rich, *(one.patron for one in bets)}
    call = staff.calls.get(name)
    return StaffShown(
        table=name,
        seq=table.seq,
        you=role,
        here=person.id in table.staff,
        locked=own is not None and staff.locked(person.id, own),
        automatic=automatic,
        leaving=name in staff.clockwork.leaving,
        virtual=virtual,
        next=NextShown(
            act=due.act.value,
            role=due.role.value,
            side=due.side.value if due.side else None,
            number=due.number,
            card=due.card,
            until=due.until,
        ),
        bets=[_laid(staff, one, seen.effective.get(one.key)) for one in bets],
        unlisted=len(seen.bets) - len(bets),
        seats=[_seat(staff, table, box, who) for box, who in sorted((seen.seats or {}).items())],
        standing=[_seat(staff, table, 0, who) for who in sorted(people - set(seated))],
        warnings=[_warning(one) for one in seen.warnings],
        pay=[_paid(staff, one) for one in paid],
        squeeze_asked={who: side.value for who, side in seen.squeeze_asked.items()},
        names={who: staff.name(who) for who in people | set(seen.options)},
        staff=[_member(staff, one, now) for one in seen.staff if one.person != OPERATOR],
        incident=None if seen.incident is None else _incident(staff, seen.incident, book),
        options=[
            OptionShown(patron=who, name=staff.name(who), continues=chosen)
            for who, chosen in seen.options.items()
        ],
        options_until=seen.choose_until,
        proposal=None if (found := staff.proposals.at(name)) is None else _proposal(staff, found),
        lapsed=_lapsed(staff, name),
        next_book=_next_book(staff, name),
        call=None if call is None else _call(staff, call),
        shoe=table.shoe.id if table.shoe else None,
        cards_left=seen.cards_left,
        to_burn=seen.to_burn,
        decks=table.setup.decks if table.setup else book.decks.usual,
        face_up=sorted(table.face_up),
        next_limits=limits_shown(seen.next_limits),
        by_hand=staff.by_hand.get(name) == desk.shown_rounds.get(name, ""),
        continuous=table.setup is not None and table.setup.continuous,
        scanner=table.setup is None or table.setup.scanner,
        counted=None if automatic else _counted(table, desk.shown_shoes.get(name)),
        terminals=_terminals(staff, seen.terminals) if has_terminals(table, book) else None,
    )


def _terminals(staff: Staff, found: Mapping[str, Terminal]) -> TerminalsShown:
    """The terminals of a table in sum; thousands are looked through only when one has changed."""
    own, devices, locked, _ = _counted_terminals(found)
    return TerminalsShown(devices=devices, own=own, locked=locked, calling=calling(staff, found))


def calling(staff: Staff, found: Mapping[str, Terminal]) -> list[CallingShown]:
    """The terminals at which an attendant is wanted, by number; no more than are read."""
    *_, waiting = _counted_terminals(found)
    return [
        CallingShown(terminal=id, name=staff.name(id), number=one.number, own=one.own)
        for id, one in waiting
    ]


Calling = tuple[tuple[str, Terminal], ...]


@once(most=64)
def _counted_terminals(found: Mapping[str, Terminal]) -> tuple[int, int, int, Calling]:
    """How many belong to accounts, stand there as devices and are locked, and which call."""
    there = [one for one in found.values() if not one.removed]
    own = sum(one.own for one in there)
    locked = sum(one.locked is not None for one in there)
    waiting = sorted(
        ((id, one) for id, one in found.items() if one.calling),
        key=lambda both: (both[1].own, both[1].number),
    )
    return own, len(there) - own, locked, tuple(waiting[:LISTED])


def _counted(table: Table, own: VerifiableShoe | None) -> CountShown | None:
    """The count of a shoe that people dealt from: the server's own is counted by nobody."""
    found = table.counted
    if found is None or (own is not None and own.commitment.shoe == found.shoe):
        return None
    return CountShown(
        shoe=found.shoe, expected=found.expected, counted=found.left, missing=found.missing
    )


def _largest(things: Iterable[T], size: Callable[[T], int]) -> list[T]:
    """As many as anybody reads, where thousands of patrons may bet."""
    every = list(things)
    return every if len(every) <= LISTED else nlargest(LISTED, every, key=size)


def _laid(staff: Staff, bet: Laid, counts_for: int | None) -> LaidShown:
    return LaidShown(
        box=bet.box,
        patron=bet.patron,
        name=staff.name(bet.patron),
        spot=bet.spot,
        stake=bet.stake,
        reserve=bet.reserve,
        counts_for=counts_for,
        seated=bet.seated,
        placed_by=bet.placed_by and staff.name(bet.placed_by),
    )


def _seat(staff: Staff, table: Table, box: int, who: str) -> SeatShown:
    return SeatShown(box=box, patron=who, name=staff.name(who), stack=table.stacks.get(who, 0))


def _settled(table: Table, book: Rulebook) -> list[Settled]:
    """The pay list: as it will be once the result is called, and as it was after settling."""
    round = table.round
    if round.phase is Phase.RESULT:
        return list(settle(round, book))
    return list(round.settled.bets) if round.phase is Phase.SETTLED and round.settled else []


def _paid(staff: Staff, one: Settled) -> PaidShown:
    return PaidShown(
        box=one.bet.box,
        patron=one.bet.patron,
        name=staff.name(one.bet.patron),
        spot=one.bet.spot,
        stake=one.effective,
        net=one.net,
        commission=one.commission,
        clause=one.clause,
        collect=one.removed and one.net < 0,
    )


def _warning(one: Notice) -> WarningShown:
    return WarningShown(
        code=one.code,
        box=one.box,
        spot=one.spot,
        amount=one.amount,
        clause=one.clause,
    )


def _member(staff: Staff, one: Member, now: int) -> MemberShown:
    acts = one.acting is not None and now < one.acting_until
    return MemberShown(
        person=one.person,
        name="" if one.person == DEALER else staff.name(one.person),
        role=one.role.value,
        acting=one.acting.value if one.acting and acts else None,
        until=one.acting_until if acts else None,
        locked=staff.locked(one.person, one.role),
    )


def _incident(staff: Staff, one: Incident, book: Rulebook) -> IncidentShown:
    entry = entry_of(book, one.kind)
    return IncidentShown(
        number=one.number,
        kind=one.kind,
        round=one.round,
        by=staff.name(one.by),
        drawn=[str(card) for card in one.drawn],
        lying=None if one.lying is None else str(one.lying),
        exposed=one.exposed,
        note=one.note,
        clause=entry.clause,
        decides=entry.decides.value,
    )


def _proposal(staff: Staff, found: Proposal) -> ProposalShown:
    command = found.command
    step = command if isinstance(command, house.Resolve) else None
    return ProposalShown(
        number=found.number,
        by=found.by,
        name=staff.name(found.by),
        at=found.at,
        what=step.step if step else "enter-card",
        reason=found.reason,
        coup=step.coup if step else None,
        card=command.card if isinstance(command, house.EnterCard) else None,
    )


def _lapsed(staff: Staff, name: str) -> ProposalShown | None:
    """What was proposed in this round and came to nothing, because the table went on."""
    round, found = staff.proposals.lapsed.get(name, ("", None))
    same = round == staff.desk.shown_rounds.get(name, "")
    return _proposal(staff, found) if found and same else None


def _next_book(staff: Staff, name: str) -> str | None:
    """The book that the table opens with next, where it is not the one in use."""
    table, chosen = staff.desk.shown.table(name), staff.clockwork.tables[name]
    same = table.setup is not None and table.setup.book_hash == chosen.setup.book_hash
    return None if same else chosen.book.name


def _call(staff: Staff, call: Call) -> CallShown:
    came = call.answered_by
    return CallShown(
        by=staff.name(call.by),
        at=call.at,
        note=call.note,
        answered_by=None if came is None else staff.name(came),
    )


# --- what went wrong ------------------------------------------------------------------------------


def advice_shown(
    staff: Staff, name: str, book: Rulebook, kind: str | None, language: str
) -> AdviceShown | None:
    """The co-pilot: what the book orders about what is open, or about a kind of thing."""
    table, now = staff.desk.shown.table(name), staff.desk.now()
    incident = table.incident
    if kind is not None and incident is None:
        incident = Incident(table.incidents + 1, kind, table.rounds, "")
    if incident is None:
        return None
    found = advise(table, incident, book, now)
    texts = clause_texts(book)
    settled = table.round.phase is Phase.SETTLED
    hidden = hidden_cards(table)
    hands = found.reconstructed
    return AdviceShown(
        kind=found.kind,
        title=word("kind", found.kind, language),
        clause=found.clause,
        text=texts.get(found.clause, ""),
        established=list(found.established),
        reconstructed=None if hands is None else list(masked(hands, hidden)),
        default=found.default,
        option_ms=found.option_ms,
        paths=[_path(one, texts, hidden, settled, language) for one in found.paths],
        names={who: staff.name(who) for who in {bet.patron for bet in table.round.bets}},
    )


def hidden_cards(table: Table) -> tuple[Card, ...]:
    """The cards that lie face down, which nobody may learn from advice."""
    dealt = table.round.coup.dealt
    return tuple(card for place, card in enumerate(dealt) if place not in table.face_up)


def masked(coup: Coup, hidden: tuple[Card, ...]) -> tuple[list[str | None], list[str | None]]:
    """Both hands, without the cards that lie face down."""
    left = list(hidden)

    def told(cards: tuple[Card, ...]) -> list[str | None]:
        shown: list[str | None] = []
        for card in cards:
            covered = card in left
            if covered:
                left.remove(card)
            shown.append(None if covered else str(card))
        return shown

    return told(coup.player), told(coup.banker)


def _path(
    one: Path, texts: Mapping[str, str], hidden: tuple[Card, ...], settled: bool, language: str
) -> PathShown:
    player, banker = (None, None) if one.coup is None else masked(one.coup, hidden)
    return PathShown(
        step=one.step.value,
        title=word("step", one.step.value, language),
        role=one.role.value,
        clause=one.clause,
        text=texts.get(one.clause, ""),
        player=player,
        banker=banker,
        kept=[str(card) for card in one.kept],
        order=[str(card) for card in one.order],
        offered=list(one.offered),
        shoe_goes=one.shoe_goes,
        may_replace_shoe=one.may_replace_shoe,
        four_eyes=one.step is Step.CORRECT or (settled and one.step in VOIDING),
        needs_reason=one.needs_reason,
        ruling=one.step in RULINGS,
        money=None
        if one.prospects is None
        else {who: _figures(prospect) for who, prospect in one.prospects.items()},
        house=None if one.house is None else _figures(one.house),
        edges={spot: str(edge) for spot, edge in one.edges.items()},
    )


def _figures(one: Prospect) -> list[str]:
    return [str(one.least), str(one.mean), str(one.most)]


@lru_cache(maxsize=64)
def clause_texts(book: Rulebook) -> dict[str, str]:
    """What each clause says, by its citation; a book may cite other books' documents."""
    texts = {one.citation: one.text for one in (*clauses(), *clauses(book))}
    parts: dict[str, list[str]] = {}
    for citation, text in texts.items():
        if whole := citation.rpartition(".")[0]:
            parts.setdefault(whole, []).append(text)
    # A clause that is only a heading says what its parts say.
    return {whole: " ".join(told) for whole, told in parts.items()} | texts


def kinds_shown(book: Rulebook, language: str) -> list[KindShown]:
    """Everything that can be reported at a table of this book."""
    texts = clause_texts(book)
    return [
        KindShown(
            kind=one.id,
            title=word("kind", one.id, language),
            remedy=one.remedy.value,
            decides=one.decides.value,
            clause=one.clause,
            text=texts.get(one.clause, ""),
        )
        for one in book.irregularities.values()
    ]
