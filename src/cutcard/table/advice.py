"""Advice: what the book orders when something went wrong, as data.

`advise` says whether an outcome is established, how the cards can be put in
order, which steps are lawful, who takes them, who is offered a choice, and what
each step does to everybody's money. `decide` accepts these steps and no others,
because it asks here.

Advice looks only at cards that lie open, so it tells nobody anything new.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations

from cutcard.odds import Composition
from cutcard.odds.bets import outlook
from cutcard.odds.completions import Seen, completions, possible, possible_as_they_lie
from cutcard.odds.kinds import Kind, count_kinds
from cutcard.refusals import Refusal
from cutcard.round.events import Laid, Settled
from cutcard.round.settling import settle
from cutcard.round.state import Phase, Round
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, in_order, next_side
from cutcard.rules.facts import Value, facts_of
from cutcard.rules.paytable import Line
from cutcard.rules.rulebook import Interruption, Irregularity, Options, Remedy, Role, Rulebook
from cutcard.rules.shoe import FULL_COUP
from cutcard.table.dealing import deal_drawn, fold_on
from cutcard.table.incident import (
    FOREIGN,
    SYSTEM,
    TOGETHER,
    TOO_FEW,
    UNSHUFFLED,
    VOIDING,
    Incident,
    Step,
)
from cutcard.table.state import Table, reported

SHOE_GOES = (FOREIGN, TOO_FEW, UNSHUFFLED)
"""After these the shoe is sealed and a new one comes."""


RETURNED = "CB4 5.12.3"
"""Who takes the bets back does so under this clause."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What somebody gains or loses in the round: at least, on average, at most."""

    least: Fraction
    mean: Fraction
    most: Fraction


Prospects = tuple[dict[str, Prospect], Prospect]
"""Of every patron, and of the house."""


@dataclass(frozen=True)
class Path:
    """A lawful step: who takes it, under which clause, and what comes of it."""

    step: Step
    role: Role
    clause: str
    coup: Coup | None = None
    """The hands after it; None where the round is void or there is none."""

    kept: tuple[Card, ...] = ()
    """Cards that will be dealt first afterwards."""

    order: tuple[Card, ...] = ()
    offered: tuple[str, ...] = ()
    """Patrons who may then go on or have their bets returned."""

    shoe_goes: bool = False
    may_replace_shoe: bool = False
    prospects: Mapping[str, Prospect] | None = None
    """By patron, as the bets lie now; None where the hands follow no rule any more."""

    house: Prospect | None = None
    edges: Mapping[str, Fraction] = field(default_factory=dict)
    """What each bet of the next round is worth to whoever has seen the card kept for it."""

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


def advise(table: Table, incident: Incident, book: Rulebook) -> Advice:
    """What the book orders about an incident, with what each step does to the money."""
    advice = lawful(table, incident, book)
    table = _as_reported(table, incident)
    # Many paths lead to the same hands, and working out what can come of them takes a while.
    known: dict[Coup, Prospects | None] = {}
    paths = tuple(_priced(table, path, book, known) for path in advice.paths)
    return replace(advice, paths=paths)


def lawful(table: Table, incident: Incident, book: Rulebook) -> Advice:
    """The same without the money, which takes longer to work out."""
    entry = entry_of(book, incident.kind)
    table = _as_reported(table, incident)
    under_way = current(table) is not None
    established = settled_bets(table, incident, book) if under_way else ()
    paths = _paths(table, incident, entry, bool(established), book)
    return Advice(
        kind=entry.id,
        clause=entry.clause,
        established=established,
        reconstructed=_in_order(table, incident.drawn, book)[0] if under_way else None,
        paths=tuple(paths),
        option_ms=table.setup.option_ms if table.setup else 0,
    )


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
    return None if table.round.phase in (Phase.IDLE, Phase.VOID) else table.round


# --- what is established --------------------------------------------------------------------------


def settled_bets(table: Table, incident: Incident | None, book: Rulebook) -> tuple[str, ...]:
    """Available bets that are won or lost in every lawful completion of the open cards.

    A push is no outcome, and neither is an Ante that was declined (HOUSE declined ante).
    """
    drawn = () if incident is None or incident.kind == TOGETHER else incident.drawn
    coup, _ = _in_order(table, drawn, book)
    before = len(table.round.coup.dealt)
    seen = [
        card if place in table.face_up or place >= before else None
        for place, card in enumerate(coup.dealt)
    ]
    known = [card for card in seen if card is not None]
    if not known:
        return ()
    placed = {bet.spot for bet in table.round.bets}
    only_placed = table.setup is not None and table.setup.only_placed
    # Won or lost so far; whatever turns out otherwise in some completion is struck off.
    so_far: dict[str, bool | None] = {
        spot: None for spot in book.spots if spot in placed or not only_placed
    }
    met: set[Kind] = set()
    left = _left(table, known)
    lawfully = in_order(coup)
    for kind in possible(left, seen) if lawfully else possible_as_they_lie(left, coup, seen):
        if kind not in met:
            met.add(kind)
            so_far = _still_so(so_far, facts_of(*kind), book)
            if not so_far:
                break
    return tuple(so_far)


def _still_so(
    so_far: Mapping[str, bool | None], truth: Mapping[str, Value], book: Rulebook
) -> dict[str, bool | None]:
    """Of bets that were always won or always lost so far, those that are so once more."""
    nets = {spot: book.spots[spot].table.line(truth).net for spot in so_far}
    return {
        spot: nets[spot] > 0
        for spot, won in so_far.items()
        if nets[spot] != 0 and won in (None, nets[spot] > 0)
    }


def _completions(table: Table, seen: Seen) -> Mapping[Kind, int] | None:
    """Every kind of coup that the cards seen can still become; None where nothing was seen."""
    known = [card for card in seen if card is not None]
    if not known:
        return None
    return completions(_left(table, known), seen)


def _left(table: Table, known: Iterable[Card]) -> Composition:
    """What may still come, as far as anybody can know: all cards but those that lie open."""
    cards = list(known)
    if table.shoe is None:
        decks = table.setup.decks if table.setup else 8
        return Composition.of_decks(decks).without(cards).by_rank
    left = dict(table.shoe.manifest)
    hidden = [
        card for place, card in enumerate(table.round.coup.dealt) if place not in table.face_up
    ]
    for card, number in table.shoe.seen.items():
        left[card] = left.get(card, 0) - number
    for card in hidden:
        left[card] = left.get(card, 0) + 1
    shoe = Composition.of_cards({card: max(0, number) for card, number in left.items()}).by_rank
    if shoe.total < FULL_COUP:
        # Too few to end every coup: any cards of such a shoe may have come.
        return Composition.of_cards(table.shoe.manifest).without(cards).by_rank
    return shoe


# --- the lawful steps -----------------------------------------------------------------------------


def _paths(
    table: Table, incident: Incident, entry: Irregularity, established: bool, book: Rulebook
) -> list[Path]:
    found = _ordered(table, incident, entry, established, book)
    by_staff = incident.by != SYSTEM
    if by_staff and not incident.drawn:
        found.append(_path(Step.RETRACT, entry, coup=_coup(table)))
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

    def offered(reconstructed: bool) -> tuple[str, ...]:
        return _offered(table, entry, established, reconstructed)

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
            put_in_order = _reconstruction(table, incident, entry, offered(True), book)
            if round.phase is Phase.SETTLED and next_side(incident.lying or round.coup):
                # Hands that want another card cannot be played on with after the settlement.
                return [put_in_order]
            return [put_in_order, _as_they_lie(table, incident, entry, offered(False))]
        case Remedy.RECONSTRUCT_OR_VOID:
            return [
                _reconstruction(table, incident, entry, offered(True), book),
                _path(Step.VOID, entry),
            ]
        case Remedy.CONTINUE:
            return [_path(Step.CONTINUE, entry, coup=round.coup, offered=offered(False))]
        case Remedy.ORDER_CARDS:
            return _orders(table, incident, entry, offered(True), book)
        case Remedy.RESCAN | Remedy.RESCAN_OR_ENTER:
            return [_path(Step.RESCAN, entry, coup=round.coup)]
        case Remedy.CORRECT if round.coup.dealt:
            return [_path(Step.CORRECT, entry)]
        case _:
            return [_path(Step.RECORD, entry, coup=round.coup)]


def _path(step: Step, entry: Irregularity, **more: object) -> Path:
    return Path(step, entry.decides, entry.clause, **more)  # type: ignore[arg-type]


def _coup(table: Table) -> Coup | None:
    round = current(table)
    return None if round is None else round.coup


def _voids(table: Table, incident: Incident, entry: Irregularity) -> list[Path]:
    goes = incident.kind in SHOE_GOES and table.shoe is not None
    step = Step.RECORD if current(table) is None else Step.VOID
    found = [_path(step, entry, shoe_goes=goes)]
    if incident.kind == UNSHUFFLED and incident.by == SYSTEM:
        # Even a shuffled shoe shows such a run now and then.
        found.append(_path(Step.DISMISS, entry, coup=_coup(table)))
    return found


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
        return replace(_path(Step.VOID, entry), clause=book.interruption_clause)
    return replace(_path(Step.CONCLUDE, entry, coup=round.coup), clause=book.interruption_clause)


def _in_order(
    table: Table, drawn: tuple[Card, ...], book: Rulebook
) -> tuple[Coup, tuple[Card, ...]]:
    """The hands when the cards drawn are dealt in their order, and the cards left over."""
    after = fold_on(table, deal_drawn(table, drawn, "", 0, book))
    return after.round.coup, after.kept


def _reconstruction(
    table: Table,
    incident: Incident,
    entry: Irregularity,
    offered: tuple[str, ...],
    book: Rulebook,
) -> Path:
    coup, kept = _in_order(table, incident.drawn, book)
    return _path(Step.RECONSTRUCT, entry, coup=coup, kept=kept, offered=offered)


def _as_they_lie(
    table: Table, incident: Incident, entry: Irregularity, offered: tuple[str, ...]
) -> Path:
    """The house alone says that the cards cannot be put in order (CB4 5.7)."""
    coup = incident.lying or table.round.coup
    return _path(Step.PLAY_ON, entry, coup=coup, offered=offered)


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
        coup, kept = _in_order(table, order, book)
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
        found += [
            _path(Step.RULE_VOID, entry),
            Path(Step.NO_RULING, Role.PIT_SUPERVISOR, "HOUSE no ruling"),
        ]
    if table.kept or incident.drawn:
        found.append(_path(Step.RULE_BURN, entry, coup=coup))
    return found


def _offered(
    table: Table, entry: Irregularity, established: bool, reconstructed: bool
) -> tuple[str, ...]:
    """Who may choose: everybody with a bet in the round, where the clause gives a choice."""
    withheld = {
        Options.NEVER: True,
        Options.ALWAYS: False,
        Options.UNLESS_ESTABLISHED: established,
        Options.UNLESS_ESTABLISHED_AND_RECONSTRUCTABLE: established and reconstructed,
    }[entry.options]
    if withheld:
        return ()
    bound = table.bound if table.setup is not None and table.setup.bound else frozenset()
    patrons = dict.fromkeys(bet.patron for bet in table.round.bets)
    return tuple(patron for patron in patrons if patron not in bound)


# --- the money ------------------------------------------------------------------------------------


def _priced(table: Table, path: Path, book: Rulebook, known: dict[Coup, Prospects | None]) -> Path:
    if current(table) is None:
        return path
    edges = _edges(table, path, book)
    if path.step in VOIDING:
        nothing = Prospect(Fraction(0), Fraction(0), Fraction(0))
        patrons = {bet.patron: nothing for bet in table.round.bets}
        return replace(path, prospects=patrons, house=nothing, edges=edges)
    if path.coup is not None and path.coup not in known:
        known[path.coup] = _prospects(table, path.coup, book)
    found = None if path.coup is None else known[path.coup]
    if found is None:
        return replace(path, edges=edges)
    return replace(path, prospects=found[0], house=found[1], edges=edges)


def _prospects(table: Table, coup: Coup, book: Rulebook) -> Prospects | None:
    """What everybody gains or loses when the round goes on from these hands."""
    weights = _nets_by_kind(table, coup, book)
    if weights is None:
        return None
    patrons = dict.fromkeys(bet.patron for bet in table.round.bets)
    return (
        {who: _prospect([(nets.get(who, 0), ways) for nets, ways in weights]) for who in patrons},
        _prospect([(-sum(nets.values()), ways) for nets, ways in weights]),
    )


def _prospect(cases: list[tuple[int, int]]) -> Prospect:
    every = sum(ways for _, ways in cases)
    amounts = [net for net, _ in cases]
    mean = Fraction(sum(net * ways for net, ways in cases), every)
    return Prospect(Fraction(min(amounts)), mean, Fraction(max(amounts)))


def _nets_by_kind(
    table: Table, coup: Coup, book: Rulebook
) -> list[tuple[dict[str, int], int]] | None:
    """By every way the coup can end: what each patron nets, and how often."""
    places = range(len(coup.dealt))
    same = coup == table.round.coup
    seen = [
        card if not same or place in table.face_up else None
        for place, card in zip(places, coup.dealt, strict=True)
    ]
    if None not in seen and next_side(coup) is None:
        settled = settle(replace(table.round, coup=coup), book)
        return [(_sums(settled), 1)]
    if not in_order(coup):
        return None
    kinds = _completions(table, seen)
    if kinds is None:
        kinds = count_kinds(_left(table, ()))
    rows = []
    for kind, ways in kinds.items():
        truth = facts_of(*kind)
        lines = {spot: book.spots[spot].table.line(truth) for spot in table.round.by_spot}
        rows.append((_nets(table.round, lines), ways))
    return rows


def _nets(round: Round, lines: Mapping[str, Line]) -> dict[str, int]:
    nets: dict[str, int] = {}
    for bet in round.bets:
        nets[bet.patron] = nets.get(bet.patron, 0) + _net(round, bet, lines[bet.spot])
    return nets


def _net(round: Round, bet: Laid, line: Line) -> int:
    effective = round.effective.get(bet.key, bet.stake)
    return -effective if bet.key in round.declined else int(effective * line.net)


def _sums(settled: Iterable[Settled]) -> dict[str, int]:
    nets: dict[str, int] = {}
    for one in settled:
        nets[one.bet.patron] = nets.get(one.bet.patron, 0) + one.net
    return nets


def _edges(table: Table, path: Path, book: Rulebook) -> dict[str, Fraction]:
    """What a card that everybody has seen makes of the next round's bets (HOUSE exposed card)."""
    goes_on = path.coup is not None and path.step not in VOIDING and next_side(path.coup)
    if not path.kept or goes_on or table.shoe is None:
        return {}
    prices = outlook(book, _left(table, ()), Coup(path.kept[:1]))
    return {spot: price.ev for spot, price in prices.items()}
