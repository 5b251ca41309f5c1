"""Views: the single exit for information about a table.

What somebody may see is decided here and nowhere else. No view holds a card that
lies face down, except the one of whoever was granted the squeeze of that hand;
no public or patron's view holds another patron's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from cutcard.roads import Roads, roads
from cutcard.round.events import Laid, Settled
from cutcard.round.excess import Warning, warnings
from cutcard.round.state import Phase
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, Side, next_side
from cutcard.rules.limits import Limit
from cutcard.rules.rulebook import Role, Rulebook
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
    own_bets: tuple[Laid, ...] = ()
    own_results: tuple[Settled, ...] = ()
    own_stack: int | None = None
    own_box: int | None = None
    may_squeeze: bool = False
    bets: tuple[Laid, ...] = ()
    """Every bet with its patron: for staff only."""

    warnings: tuple[Warning, ...] = ()
    seats: Mapping[int, str] | None = None
    staff: tuple[Member, ...] = ()
    cards_left: int | None = None
    to_burn: int | None = None


def view(table: Table, viewer: Viewer, book: Rulebook) -> View:
    """What a viewer may see of a table now."""
    seen = _common(table, viewer)
    if viewer.audience is Audience.PATRON and viewer.name is not None:
        return _for_patron(table, viewer.name, seen)
    if viewer.audience is Audience.STAFF:
        return _for_staff(table, seen, book)
    return View(**seen)  # type: ignore[arg-type]


def _common(table: Table, viewer: Viewer) -> dict[str, object]:
    round, coup = table.round, table.round.coup
    all_open = table.face_up >= len(coup.dealt)
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
        "roads": roads(table.results),
        "layout": Spots(
            {spot: stake for spot, stake in round.by_spot.items() if stake},
            sum(any(stakes.values()) for stakes in round.by_patron.values()),
        ),
        "taken_boxes": tuple(sorted(table.seats)),
        "helpline": table.setup.helpline if table.setup else "",
        "closing_after": table.last_round,
        "next_limits": table.limits,
        "decide_until": round.decide_until,
    }


def _hand(table: Table, coup: Coup, side: Side, viewer: Viewer) -> tuple[Card | None, ...]:
    """A hand as the viewer may see it: face-down cards are None."""
    cards = coup.player if side is Side.PLAYER else coup.banker
    squeezer = table.squeeze.get(side)
    if viewer.audience is Audience.PATRON and squeezer is not None and squeezer == viewer.name:
        return cards
    shown = set(range(table.face_up))
    first = 0 if side is Side.PLAYER else 1
    # Cards one and three are the Player's, two and four the Banker's; thirds come after.
    places = [first, first + 2, len(coup.dealt) - 1]
    if side is Side.PLAYER and len(coup.player) == 3:
        places[2] = 4
    return tuple(
        card if place in shown else FACE_DOWN
        for card, place in zip(cards, places[: len(cards)], strict=True)
    )


def _for_patron(table: Table, patron: str, seen: dict[str, object]) -> View:
    from_round = table.round.settled.bets if table.round.settled else ()
    own = View(**seen)  # type: ignore[arg-type]
    return View(
        **{
            **own.__dict__,
            "own_bets": tuple(bet for bet in table.round.bets if bet.patron == patron),
            "own_results": tuple(one for one in from_round if one.bet.patron == patron),
            "own_stack": table.stacks.get(patron, 0),
            "own_box": table.box_of(patron),
            "may_squeeze": patron in table.squeeze.values(),
        }
    )


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
            "bets": tuple(round.bets),
            "warnings": raised,
            "seats": dict(table.seats),
            "staff": tuple(table.staff.values()),
            "cards_left": table.shoe.left if table.shoe else None,
            "to_burn": table.shoe.to_burn if table.shoe else None,
        }  # type: ignore[arg-type]
    )
