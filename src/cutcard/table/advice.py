"""Advice: what the book orders when something went wrong, as data.

`advise` says whether an outcome is established, how the cards can be put in
order, which steps are lawful, who takes them, who is offered a choice, and what
each step does to everybody's money. `decide` accepts these steps and no others,
because it asks here.

What it says of outcomes and money looks only at cards that lie open, so whoever
decides learns nothing that the table does not show. The hands of a path are the
table's own; who may see them is for the views to say.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import permutations

from cutcard.frozen import replace
from cutcard.refusals import Refusal
from cutcard.round.events import Laid
from cutcard.round.state import Phase, Round
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.rulebook import (
    Interruption,
    Irregularity,
    Options,
    Remedy,
    Role,
    Rulebook,
    ShoeAfter,
)
from cutcard.table.dealing import dealt_on, put_in_order
from cutcard.table.established import settled_bets
from cutcard.table.incident import (
    EXCESS,
    FOREIGN,
    MISCOUNT,
    NEEDS_REASON,
    SYSTEM,
    TOO_FEW,
    UNSHUFFLED,
    VOIDING,
    WRONG_NUMBER,
    Incident,
    Step,
)
from cutcard.table.prospects import Prospect, Prospects, edges, prospects
from cutcard.table.staff import RANK
from cutcard.table.state import Table, reported

SHOE_GOES = (FOREIGN, TOO_FEW, UNSHUFFLED)
"""After these the shoe is sealed and a new one comes, where the book does not say."""


RETURNED = "CB4 5.12.3"
"""Who takes the bets back does so under this clause."""


@dataclass(frozen=True)
class Path:
    """A lawful step: who takes it, under which clause, and what comes of it."""

    step: Step
    role: Role
    clause: str
    coup: Coup | None = None
    """The hands after it; None where the round is void or there is none."""

    kept: tuple[Card, ...] = ()
    """Cards that will be dealt first afterwards; a correction may leave over more."""

    order: tuple[Card, ...] = ()
    offered: tuple[str, ...] = ()
    """Patrons who may then go on or have their bets returned (but see `asked`)."""

    shoe_goes: bool = False
    may_replace_shoe: bool = False
    departs: bool = False
    """Whether the table would take another path, though the step itself is an ordinary one."""

    prospects: Mapping[str, Prospect] | None = None
    """By patron, as the bets lie now; None where the hands follow no rule any more."""

    house: Prospect | None = None
    edges: Mapping[str, Fraction] = field(default_factory=dict)
    """What each bet is worth to whoever has seen the card, in the round that it is kept for."""

    @property
    def needs_reason(self) -> bool:
        """Whether somebody departs from what the table would do, and says why."""
        return self.departs or self.step in NEEDS_REASON

    @property
    def choices(self) -> tuple[str, ...]:
        """The clauses that patrons choose between: to go on, or to have the bets returned."""
        if not self.offered:
            return ()
        put_in_order = self.step in (Step.RECONSTRUCT, Step.ORDER)
        return ("CB4 5.12.2" if put_in_order else "CB4 5.12.1"), RETURNED


@dataclass(frozen=True)
class Advice:
    """Everything to be known about an incident before anybody decides."""

    kind: str
    clause: str
    established: tuple[str, ...]
    """Bets that are won or lost however the round ends."""

    reconstructed: Coup | None
    """The hands by the order of dealing; None where there are no cards."""

    paths: tuple[Path, ...]
    default: str = "return"
    """What becomes of the bets of whoever is offered a choice and makes none."""

    option_ms: int = 0


def advise(table: Table, incident: Incident, book: Rulebook, at: int = 0) -> Advice:
    """What the book orders about an incident, with what each step does to the money.

    Some only act in a role, until a set time; asked without the time, they still do.
    """
    advice = lawful(table, incident, book, at)
    table = _as_reported(table, incident)
    # Many paths lead to the same hands, and working out what can come of them takes a while.
    known: dict[Coup, Prospects | None] = {}
    given = cache(lambda kept: edges(table, kept, book))
    paths = tuple(_priced(table, path, book, known, given) for path in advice.paths)
    return replace(advice, paths=paths)


def lawful(table: Table, incident: Incident, book: Rulebook, at: int = 0) -> Advice:
    """The same without the money, which takes longer to work out."""
    entry = entry_of(book, incident.kind)
    table = _as_reported(table, incident)
    under_way = current(table) is not None
    established = settled_bets(table, incident, book) if under_way else ()
    paths = [
        path
        for path in _paths(table, incident, entry, bool(established), book)
        if path.step is not Step.NO_RULING or not _anybody(table, entry.decides, at)
    ]
    return Advice(
        kind=entry.id,
        clause=entry.clause,
        established=established,
        reconstructed=put_in_order(table, _drawn(incident), book)[0] if under_way else None,
        paths=tuple(paths),
        option_ms=table.setup.option_ms if table.setup else 0,
    )


def _drawn(incident: Incident) -> tuple[Card, ...]:
    """The cards of an incident that can be dealt; a foreign one cannot."""
    return () if incident.kind == FOREIGN else incident.drawn


def _as_reported(table: Table, incident: Incident) -> Table:
    """The table with the incident open, whether anybody has reported it yet or not."""
    return table if table.incident == incident else reported(table, incident)


def entry_of(book: Rulebook, kind: str) -> Irregularity:
    found = book.irregularities.get(kind)
    if found is None:
        known = tuple(book.irregularities)
        raise Refusal("incident/unknown", {"word": kind, "kind": known})
    return found


def current(table: Table) -> Round | None:
    """The round that can still be put right: until the next one opens, also after settlement."""
    over = table.round.phase in (Phase.IDLE, Phase.VOID)
    terms, setup = table.round.terms, table.setup
    # A table that has opened again with another book has nothing to put right by it.
    other = terms is not None and setup is not None and terms.book_hash != setup.book_hash
    return None if over or other else table.round


# --- the lawful steps -----------------------------------------------------------------------------


def _paths(
    table: Table, incident: Incident, entry: Irregularity, established: bool, book: Rulebook
) -> list[Path]:
    found = _ordered(table, incident, entry, established, book)
    by_staff = incident.by != SYSTEM
    if by_staff and not incident.drawn:
        back = _path(Step.RETRACT, entry, coup=_coup(table))
        if entry.remedy is Remedy.RULING and back.coup is None:
            # No round waits for a ruling, so nobody need be fetched who could give one.
            back = replace(back, role=Role.PIT_SUPERVISOR)
        found.append(back)
    return [replace(path, kept=_kept(table, incident, path)) for path in found]


def _kept(table: Table, incident: Incident, path: Path) -> tuple[Card, ...]:
    """What is dealt first after a step, were it kept before or drawn with the incident."""
    if path.step in (Step.RECONSTRUCT, Step.ORDER):
        return path.kept
    if path.shoe_goes or path.step is Step.RULE_BURN:
        return ()
    drawn = () if incident.kind == FOREIGN else incident.drawn
    return (*table.kept, *drawn)


def _ordered(
    table: Table, incident: Incident, entry: Irregularity, established: bool, book: Rulebook
) -> list[Path]:
    """What the book orders, by its remedy."""
    round = current(table)

    def offered(reconstructed: bool, other_hands: bool = False) -> tuple[str, ...]:
        # Once everybody is paid, nobody goes on with that round, unless its hands were other ones.
        if table.round.phase is Phase.SETTLED and not other_hands:
            return ()
        return _offered(table, entry, established, reconstructed, book)

    match entry.remedy:
        case Remedy.VOID:
            return _voids(table, incident, entry)
        case Remedy.CONCLUDE_OR_VOID:
            return [_interrupted(table, entry, established, book)]
        case Remedy.RULING:
            return _rulings(table, incident, entry)
        case _ if round is None:
            return [_path(Step.RECORD, entry)]
        case Remedy.RECONSTRUCT:
            paths = [_reconstruction(table, incident, entry, offered(True), book)]
            if round.phase is not Phase.SETTLED or not next_side(incident.lying or round.coup):
                # Hands that want another card cannot be played on with after the settlement.
                other = incident.lying not in (None, round.coup)
                paths.append(_as_they_lie(table, incident, entry, offered(False, other)))
            return [*paths, *_one_card_too_many(table, incident, book)]
        case Remedy.RECONSTRUCT_OR_VOID:
            return [
                _reconstruction(table, incident, entry, offered(True), book),
                _path(Step.VOID, entry, departs=True),
            ]
        case Remedy.CONTINUE:
            return [_path(Step.CONTINUE, entry, coup=round.coup, offered=offered(False))]
        case Remedy.ORDER_CARDS:
            return _orders(table, incident, entry, offered(True), book)
        case Remedy.RESCAN | Remedy.RESCAN_OR_ENTER:
            return [_path(Step.RESCAN, entry, coup=round.coup)]
        case Remedy.CORRECT if round.coup.dealt:
            return [_path(Step.CORRECT, entry, offered=offered(False, other_hands=True))]
        case _:
            return [_path(Step.RECORD, entry, coup=round.coup)]


def _path(step: Step, entry: Irregularity, **more: object) -> Path:
    return Path(step, entry.decides, entry.clause, **more)  # type: ignore[arg-type]


def _coup(table: Table) -> Coup | None:
    round = current(table)
    return None if round is None else round.coup


def _voids(table: Table, incident: Incident, entry: Irregularity) -> list[Path]:
    goes = table.shoe is not None and _leaves(entry)
    # What is wrong with a shoe concerns no round that was dealt from another.
    own = current(table) is not None and table.rounds == table.round.number
    step = Step.VOID if own else Step.RECORD
    found = [_path(step, entry, shoe_goes=goes)]
    if incident.kind in (UNSHUFFLED, MISCOUNT) and incident.by == SYSTEM:
        # Even a shuffled shoe shows such a run now and then, and cards can be counted again.
        found.append(_path(Step.DISMISS, entry, coup=_coup(table)))
    return found


def _leaves(entry: Irregularity) -> bool:
    """Whether the shoe leaves play; older books do not say, and their logs still replay."""
    return entry.id in SHOE_GOES if entry.shoe is None else entry.shoe is ShoeAfter.LEAVES


def _interrupted(table: Table, entry: Irregularity, established: bool, book: Rulebook) -> Path:
    """What becomes of a round that a fault interrupts: the book's policy leaves no choice."""
    round = current(table)
    if round is None or round.phase is Phase.SETTLED:
        return _path(Step.RECORD, entry, coup=None if round is None else round.coup)
    if round.phase is Phase.DECIDING:
        # Nobody forfeits an Ante because the house could not hear the decision.
        return replace(_path(Step.VOID, entry), clause="HOUSE house fault")
    first_card = book.interruption is Interruption.FIRST_CARD
    goes_on = bool(round.coup.dealt) if first_card else established
    if not goes_on:
        return replace(_path(Step.VOID, entry), clause=book.voids_clause)
    return replace(_path(Step.CONCLUDE, entry, coup=round.coup), clause=book.concludes_clause)


def _reconstruction(
    table: Table,
    incident: Incident,
    entry: Irregularity,
    offered: tuple[str, ...],
    book: Rulebook,
) -> Path:
    coup, kept = put_in_order(table, incident.drawn, book)
    return _path(Step.RECONSTRUCT, entry, coup=coup, kept=kept, offered=offered)


def _as_they_lie(
    table: Table, incident: Incident, entry: Irregularity, offered: tuple[str, ...]
) -> Path:
    """The house alone says that the cards cannot be put in order (CB4 5.7)."""
    coup = incident.lying or table.round.coup
    return _path(Step.PLAY_ON, entry, coup=coup, offered=offered)


def _one_card_too_many(table: Table, incident: Incident, book: Rulebook) -> list[Path]:
    """The void of a round with a wrong number of cards (CB4 5.5.3), whoever found the card.

    The pit says that the cards cannot be put in order, and gives the reason.
    """
    wrong = book.irregularities.get(WRONG_NUMBER)
    if wrong is None or wrong.remedy not in (Remedy.VOID, Remedy.RECONSTRUCT_OR_VOID):
        return []
    # A card that came before the first of the round, or out of the next shoe, is none of its own.
    own = table.rounds == table.round.number and bool(table.round.coup.dealt)
    counts = incident.kind == EXCESS and bool(incident.drawn)
    return [_path(Step.VOID, wrong, departs=True)] if own and counts else []


def _orders(
    table: Table,
    incident: Incident,
    entry: Irregularity,
    offered: tuple[str, ...],
    book: Rulebook,
) -> list[Path]:
    """One path for every order in which the cards may have come (CB4 5.10)."""
    found = []
    for order in dict.fromkeys(permutations(incident.drawn)):
        coup, kept = put_in_order(table, order, book)
        found.append(
            _path(
                Step.ORDER,
                entry,
                coup=coup,
                kept=kept,
                order=order,
                offered=offered,
                may_replace_shoe=table.shoe is not None,
            )
        )
    return found


def _rulings(table: Table, incident: Incident, entry: Irregularity) -> list[Path]:
    coup = _coup(table)
    found = [_path(Step.RULE_CONTINUE, entry, coup=coup)]
    if coup is not None:
        found.append(_path(Step.RULE_VOID, entry))
        # What everybody has been paid for waits for a ruling, however long that takes.
        if table.round.phase is not Phase.SETTLED:
            found.append(Path(Step.NO_RULING, Role.PIT_SUPERVISOR, "HOUSE no ruling"))
    if table.kept or incident.drawn:
        found.append(_path(Step.RULE_BURN, entry, coup=coup))
    return found


def _anybody(table: Table, role: Role, at: int) -> bool:
    """Whether somebody is at the table who may decide in a role."""
    return any(RANK[one.role_at(at)] >= RANK[role] for one in table.staff.values())


def _offered(
    table: Table, entry: Irregularity, established: bool, reconstructed: bool, book: Rulebook
) -> tuple[str, ...]:
    """Who may choose: everybody with a bet in the round, where the clause gives a choice."""
    withheld = {
        Options.NEVER: True,
        Options.ALWAYS: False,
        Options.UNLESS_ESTABLISHED: established,
        Options.UNLESS_ESTABLISHED_AND_RECONSTRUCTABLE: established and reconstructed,
        Options.WHO_DECIDED: False,
    }[entry.options]
    if withheld:
        return ()
    bound = table.bound if table.setup is not None and table.setup.bound else frozenset()
    round = table.round
    bets = _decided(round, book) if entry.options is Options.WHO_DECIDED else round.bets
    patrons = dict.fromkeys(bet.patron for bet in bets)
    return tuple(patron for patron in patrons if patron not in bound)


def _decided(round: Round, book: Rulebook) -> Iterator[Laid]:
    """First-stage bets that go on or were given up."""
    for bet in round.bets:
        second = book.stage_of(bet.spot)
        if second is not None and (
            bet.key in round.declined or round.bet((bet.box, bet.patron, second.id)) is not None
        ):
            yield bet


def asked(table: Table, path: Path, coup: Coup | None, book: Rulebook) -> tuple[str, ...]:
    """Whom a path offers a choice when these are the true hands, which a record did not show.

    Nobody decided on another card than the record's, if that one is worth as many points.
    """
    if path.step is not Step.CORRECT or coup is None:
        return path.offered
    seen, there = (
        [card.points for card in hands.dealt[: book.open_cards]]
        for hands in (table.round.coup, coup)
    )
    return path.offered if seen != there else ()


# --- the money ------------------------------------------------------------------------------------


def _priced(
    table: Table,
    path: Path,
    book: Rulebook,
    known: dict[Coup, Prospects | None],
    given: Callable[[tuple[Card, ...]], Mapping[str, Fraction]],
) -> Path:
    round = current(table)
    if round is None:
        return replace(path, edges=given(path.kept))
    coup = None if path.step in VOIDING else path.coup
    # A card seen while bets are open is this round's first, and whoever bets has seen it.
    betting = coup is not None and round.phase is Phase.BETTING
    # Kept cards come first: those that this round still takes are as good as dealt.
    coup, for_next_round = (None, path.kept) if coup is None else dealt_on(coup, path.kept)
    goes_on = coup is not None and next_side(coup) is not None
    to_come = () if goes_on else for_next_round
    path = replace(path, edges=given(path.kept if betting else to_come))
    if path.step in VOIDING:
        nothing = Prospect(Fraction(0), Fraction(0), Fraction(0))
        patrons = {bet.patron: nothing for bet in table.round.bets}
        return replace(path, prospects=patrons, house=nothing)
    if coup is not None and coup not in known:
        known[coup] = prospects(table, coup, book)
    found = None if coup is None else known[coup]
    return path if found is None else replace(path, prospects=found[0], house=found[1])
