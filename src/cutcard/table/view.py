"""Views: the single exit for information about a table.

What somebody may see is decided here and nowhere else. No view holds a card that
lies face down, except the one of whoever was granted the squeeze of that hand;
no public or patron's view holds another patron's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from cutcard.frozen import once
from cutcard.roads import Roads, roads
from cutcard.round.decide import second_stage_cost, undecided
from cutcard.round.events import BetWithdrawn, Laid, RoundSettled, Settled
from cutcard.round.excess import Notice, warnings
from cutcard.round.state import Key, Phase, Round
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, Side, next_side
from cutcard.rules.limits import Limit
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table.incident import Incident
from cutcard.table.meters import Terminal
from cutcard.table.seats import kept_until
from cutcard.table.squeezing import squeezes_to_answer
from cutcard.table.staff import Member
from cutcard.table.state import Table


class Audience(Enum):
    PUBLIC = "public"
    PATRON = "patron"
    STAFF = "staff"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who is looking: anybody, a patron, or a member of staff in a role."""

    audience: Audience
    name: str | None = None
    role: Role | None = None


PUBLIC = Viewer(Audience.PUBLIC)

FACE_DOWN = None
"""Stands for a card that the viewer may not see."""


@dataclass(frozen=True, slots=True)
class Spots:
    """Stakes by spot, and how many patrons they belong to."""

    stakes: Mapping[str, int]
    patrons: int


@dataclass(frozen=True)
class View:
    """A table as somebody may see it."""

    table: str
    open: bool
    round: int
    phase: Phase
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    winner: str | None
    next_side: Side | None
    limits: tuple[Limit, ...]
    last_round: bool
    rounds: int
    shoe: int
    left: int | None
    """How many cards should still be in a committed shoe; None where people deal from the shoe."""

    roads: Roads
    layout: Spots
    """What all patrons together have staked, without their names."""

    taken_boxes: tuple[int, ...]
    helpline: str = ""
    closing_after: int | None = None
    """The round announced as the last, if the table is closing."""

    next_limits: tuple[Limit, ...] = ()
    """In force from the next round on."""

    decide_until: int | None = None
    wrong: str | None = None
    """What went wrong and is being put right: a kind of the book's irregularities."""

    kept: tuple[Card, ...] = ()
    """Cards out of the shoe that will be dealt first, open to everybody."""

    choosing: int = 0
    """How many patrons may still choose after an error."""

    choose_until: int | None = None
    own_option: bool = False
    """Whether the patron may choose now to go on, or to have the bets returned (the default)."""

    void_reason: str | None = None
    """Why the round is void, in the words of whoever voided it; for patrons and staff."""

    void_clause: str | None = None
    own_bets: tuple[Laid, ...] = ()
    own_given_back: tuple[BetWithdrawn, ...] = ()
    """Own bets that the house cut or returned in this round, each with the cause and the clause."""

    own_effective: Mapping[Key, int] = field(default_factory=dict)
    """Own bets that count for less than was placed, because they were apportioned."""

    own_undecided: tuple[Laid, ...] = ()
    """Own first-stage bets that wait for a decision now."""

    own_declined: tuple[Key, ...] = ()
    own_always: bool = False
    own_terminal: Terminal | None = None
    """The terminal of this name, at an electronic table."""

    cannot_continue: tuple[Laid, ...] = ()
    """Own first-stage bets whose second stage the stack could not pay any more (KO2 3.4 funds)."""

    own_results: tuple[Settled, ...] = ()
    own_stack: int | None = None
    own_box: int | None = None
    own_seat_until: int | None = None
    """When the house frees the patron's seat, unless the patron bets."""

    may_squeeze: bool = False
    squeezes: tuple[Side, ...] = ()
    """The sides whose next cards the patron was granted to squeeze."""

    bets: tuple[Laid, ...] = ()
    """Every bet with its patron: for staff only."""

    effective: Mapping[Key, int] = field(default_factory=dict)
    incident: Incident | None = None
    options: Mapping[str, bool | None] = field(default_factory=dict)
    collect: Mapping[str, int] = field(default_factory=dict)
    """What the dealer has to collect: losses of chips that were taken away (KO2 5.3)."""

    squeeze_asked: Mapping[str, Side] = field(default_factory=dict)
    warnings: tuple[Notice, ...] = ()
    seats: Mapping[int, str] | None = None
    terminals: Mapping[str, Terminal] = field(default_factory=dict)
    """Every terminal of an electronic table, by its name."""

    staff: tuple[Member, ...] = ()
    cards_left: int | None = None
    """As `left`."""

    to_burn: int | None = None


def view(table: Table, viewer: Viewer, book: Rulebook, *, committed: bool = False) -> View:
    """What a viewer may see of a table now.

    People count the shoe that they deal from without knowing how many cards it should hold
    (HOUSE blind count), so nobody is shown the number. It is shown where the shoe is `committed`:
    then the server deals from it, and nobody counts.
    """
    left = table.shoe.left if table.shoe and committed else None
    seen = _common(table, viewer, left)
    if viewer.audience is Audience.PATRON and viewer.name is not None:
        return _for_patron(table, viewer.name, seen, book)
    if viewer.audience is Audience.STAFF and viewer.role is not None:
        return _for_staff(table, {**seen, "cards_left": left}, book)
    return View(**seen)  # type: ignore[arg-type]


def _common(table: Table, viewer: Viewer, left: int | None) -> dict[str, object]:
    round, coup = table.round, table.round.coup
    all_open = len(table.face_up) >= len(coup.dealt)
    return {
        "table": table.setup.table if table.setup else "",
        "open": table.open,
        "round": round.number,
        "phase": round.phase,
        "player": _hand(table, coup, Side.PLAYER, viewer),
        "banker": _hand(table, coup, Side.BANKER, viewer),
        "winner": round.winner.value if round.winner else None,
        # Whether a third card comes tells something of cards that nobody has turned over.
        "next_side": next_side(coup) if all_open and round.phase is Phase.DEALING else None,
        "limits": round.terms.limits if round.terms else table.limits,
        "last_round": table.shoe is not None and table.shoe.cut_card,
        "rounds": table.rounds,
        "shoe": table.shoes,
        "left": left,
        "roads": _roads(table.results),
        "layout": _layout(round),
        "taken_boxes": _taken(table.seats),
        "helpline": table.setup.helpline if table.setup else "",
        "closing_after": table.last_round,
        "next_limits": table.limits,
        "decide_until": round.decide_until,
        "wrong": table.incident.kind if table.incident else None,
        "kept": table.kept,
        "choosing": sum(chosen is None for chosen in _options(table).values()),
        "choose_until": table.options_until if _options(table) else None,
    }


def _options(table: Table) -> Mapping[str, bool | None]:
    """Who may choose now: nobody while something else is wrong, and everybody again afterwards."""
    return (table.options or {}) if table.incident is None else {}


def _layout(round: Round) -> Spots:
    if round.phase is Phase.VOID:
        return Spots({}, 0)
    return Spots(
        {spot: stake for spot, stake in round.by_spot.items() if stake},
        len(round.own),
    )


# Many look at a table between two changes of these, and all of them see the same.
_roads = once(most=64)(roads)


@once(most=64)
def _taken(seats: Mapping[int, str]) -> tuple[int, ...]:
    return tuple(sorted(seats))


@once(most=64)
def _results(settled: RoundSettled) -> Mapping[str, tuple[Settled, ...]]:
    """What became of each patron's bets."""
    results: dict[str, list[Settled]] = {}
    for one in settled.bets:
        results.setdefault(one.bet.patron, []).append(one)
    return {patron: tuple(own) for patron, own in results.items()}


def _bets(round: Round) -> tuple[Laid, ...]:
    """What lies on the layout; after a void, nothing."""
    return () if round.phase is Phase.VOID else tuple(round.bets)


def _hand(table: Table, coup: Coup, side: Side, viewer: Viewer) -> tuple[Card | None, ...]:
    """A hand as the viewer may see it: face-down cards are None."""
    cards = coup.hand(side)
    squeezer = table.squeeze.get(side)
    own = viewer.audience is Audience.PATRON and squeezer is not None and squeezer == viewer.name
    # What was dealt before the squeeze was granted stays hidden from the squeezer too.
    first = table.squeeze_from[side] if own else len(cards)
    return tuple(
        card if number >= first or coup.place(side, number) in table.face_up else FACE_DOWN
        for number, card in enumerate(cards)
    )


def _for_patron(table: Table, patron: str, seen: dict[str, object], book: Rulebook) -> View:
    round = table.round
    own = () if round.phase is Phase.VOID else tuple(round.bets_of(patron))
    options, box = _options(table), table.box_of(patron)
    deciding = undecided(round, book, own) if round.phase is Phase.DECIDING else []
    return View(
        **{
            **seen,
            **_void(round),
            "own_bets": own,
            "own_given_back": tuple(one for one in round.given_back if one.bet.patron == patron),
            "own_effective": {bet.key: stake for bet in own if (stake := _counts(round, bet))},
            "own_undecided": tuple(bet for bet, _ in deciding),
            "own_declined": tuple(bet.key for bet in own if bet.key in round.declined),
            "own_always": patron in round.always,
            "own_terminal": _terminal_of(table, patron),
            "own_option": patron in options and options[patron] is None,
            "cannot_continue": _too_dear(table, patron, own, book),
            "own_results": _results(round.settled).get(patron, ()) if round.settled else (),
            "own_stack": table.stacks.get(patron, 0),
            "own_box": box,
            "own_seat_until": None if box is None else kept_until(table, box),
            "may_squeeze": patron in table.squeeze.values(),
            "squeezes": tuple(side for side, who in table.squeeze.items() if who == patron),
        }  # type: ignore[arg-type]
    )


def _terminal_of(table: Table, patron: str) -> Terminal | None:
    found = table.terminals.get(patron)
    return None if found is None or found.removed else found


def _void(round: Round) -> dict[str, object]:
    """Why everybody has everything back."""
    if round.phase is not Phase.VOID:
        return {}
    return {"void_reason": round.void_reason, "void_clause": round.void_clause}


def _counts(round: Round, bet: Laid) -> int | None:
    return round.effective.get(bet.key)


def _too_dear(table: Table, patron: str, own: tuple[Laid, ...], book: Rulebook) -> tuple[Laid, ...]:
    """First-stage bets still open that the patron could not continue with what is left."""
    if table.round.phase not in (Phase.BETTING, Phase.CLOSED, Phase.DECIDING):
        return ()
    left, dear = table.stacks.get(patron, 0), []
    for bet in sorted(own, key=lambda bet: bet.order):
        second = book.stage_of(bet.spot)
        placed = second and table.round.bet((bet.box, bet.patron, second.id))
        if second is None or placed or bet.key in table.round.declined:
            continue
        cost = second_stage_cost(bet.stake, second)
        if cost > left:
            dear.append(bet)
        else:
            left -= cost
    return tuple(dear)


def _collect(round: Round) -> dict[str, int]:
    owed: dict[str, int] = {}
    for one in round.settled.bets if round.settled else ():
        if one.removed and one.net < 0:
            owed[one.bet.patron] = owed.get(one.bet.patron, 0) - one.net
    return owed


def _for_staff(table: Table, seen: dict[str, object], book: Rulebook) -> View:
    round = table.round
    raised = (
        tuple(warnings(round, round.terms, book))
        if round.phase is Phase.BETTING and round.terms
        else ()
    )
    return View(
        **{
            **seen,
            **_void(round),
            "bets": _bets(round),
            "effective": dict(round.effective),
            "incident": table.incident,
            "options": dict(_options(table)),
            "collect": _collect(round),
            "squeeze_asked": squeezes_to_answer(table),
            "warnings": raised,
            "seats": dict(table.seats),
            "terminals": table.terminals.by_name,
            "staff": tuple(table.staff.values()),
            "to_burn": table.shoe.to_burn if table.shoe else None,
        }  # type: ignore[arg-type]
    )
