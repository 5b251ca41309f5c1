"""What API and live connection show of a table, made from its view and nothing else."""

from typing import Any

from msgspec import Struct

from cutcard.roads import Roads
from cutcard.round.events import BetWithdrawn, Laid, Settled
from cutcard.rules.limits import Limit
from cutcard.table.meters import Terminal
from cutcard.table.view import View

PAIRS = {(False, False): ".", (True, False): "B", (False, True): "P", (True, True): "2"}


class LimitShown(Struct, frozen=True):
    kind: str
    scope: str
    spots: list[str]
    amount: int
    clause: str


class BetShown(Struct, frozen=True, omit_defaults=True):
    box: int
    spot: str
    stake: int
    reserve: int = 0
    counts_for: int | None = None
    """Less than the stake, where bets were apportioned."""

    placed_by_staff: bool = False


class ResultShown(Struct, frozen=True, omit_defaults=True):
    """What became of one bet, with the clause that says so."""

    box: int
    spot: str
    stake: int
    net: int
    commission: int
    clause: str


class GivenBackShown(Struct, frozen=True):
    """How much of a bet the house gave back, why, and under which clause."""

    box: int
    spot: str
    amount: int
    cause: str
    clause: str | None


class InterruptedShown(Struct, frozen=True):
    """What the book ordered about a round that a restart interrupted."""

    step: str
    clause: str


class TableShown(Struct, frozen=True):
    """A table as anybody may see it."""

    table: str
    open: bool
    shoe: int
    left: int | None
    """Cards that should still be in a committed shoe; null where people deal from the shoe."""

    round: int
    name: str
    """The round's name, such as 2/17."""

    phase: str
    player: list[str | None]
    """Cards; null lies face down."""

    banker: list[str | None]
    winner: str | None
    next_side: str | None
    until: int | None
    """The time to which a countdown runs."""

    limits: list[LimitShown]
    next_limits: list[LimitShown]
    last_round: bool
    closing_after: int | None
    rounds: int
    stakes: dict[str, int]
    """What all patrons together have staked, by spot."""

    patrons: int
    taken_boxes: list[int]
    helpline: str
    wrong: str | None
    choosing: int
    kept: list[str]
    roads: dict[str, Any]
    pairs: str
    """Of each round in order: "B", "P" or "2" for the pairs it brought, "." for none."""

    counts: dict[str, int]
    interrupted: InterruptedShown | None = None
    """Of this round: whether the house went away in the middle, and what followed."""

    by_hand: bool = False
    """Whether a card of this round could not be read, and was entered by two people."""

    book: str = ""
    """The hash of the rulebook that the table opened with."""


class TerminalShown(Struct, frozen=True):
    """A terminal: its number, what holds it up, and its meters."""

    number: int
    own: bool
    """Whether it belongs to an account; own terminals are counted apart from devices."""

    locked: str | None
    """Why it is locked; null while it is not."""

    calling: bool
    """Whether an attendant was called and has not come."""

    credit: int
    """By the meters: what can be used, and what is in play."""

    paid_in: int
    paid_out: int
    staked: int
    won: int
    lost: int
    rounds: int


class OwnShown(Struct, frozen=True):
    """What a patron sees beside that: the patron's own."""

    table: str
    stack: int
    box: int | None
    bets: list[BetShown]
    given_back: list[GivenBackShown]
    """What the house gave back of them in this round, without being asked to."""

    undecided: list[BetShown]
    declined: list[str]
    always: bool
    cannot_continue: list[str]
    option: bool
    """Whether to choose now: go on, or have the bets returned."""

    squeeze: dict[str, list[str | None]]
    """The hands as the patron may see them alone, while squeezing."""

    results: list[ResultShown]
    squeezes: list[str]
    """The sides whose next cards the patron was granted to squeeze."""

    void_reason: str | None = None
    """Why everything was returned, and under which clause."""

    void_clause: str | None = None
    seat_until: int | None = None
    """When the house frees the patron's seat, unless the patron bets; null while no time counts."""

    terminal: TerminalShown | None = None
    """The terminal at which one plays, at an electronic table."""


def limits_shown(limits: tuple[Limit, ...]) -> list[LimitShown]:
    return [
        LimitShown(one.kind.value, one.scope.value, list(one.spots), one.amount, one.clause)
        for one in limits
    ]


def table_shown(
    view: View, name: str, until: int | None, interrupted: InterruptedShown | None = None
) -> TableShown:
    """A public view as it is sent."""
    return TableShown(
        table=view.table,
        open=view.open,
        shoe=view.shoe,
        left=view.left,
        round=view.round,
        name=name,
        phase=view.phase.value,
        player=_cards(view.player),
        banker=_cards(view.banker),
        winner=view.winner,
        next_side=view.next_side.value if view.next_side else None,
        until=until,
        limits=limits_shown(view.limits),
        next_limits=limits_shown(view.next_limits),
        last_round=view.last_round,
        closing_after=view.closing_after,
        rounds=view.rounds,
        stakes=dict(view.layout.stakes),
        patrons=view.layout.patrons,
        taken_boxes=list(view.taken_boxes),
        helpline=view.helpline,
        wrong=view.wrong,
        choosing=view.choosing,
        kept=[str(card) for card in view.kept],
        roads=view.roads.document(),
        pairs=pairs_shown(view.roads),
        counts=counts_shown(view.roads),
        interrupted=interrupted,
    )


def pairs_shown(found: Roads) -> str:
    """The pairs beside the roads: they mark a bead, and the ring of a round that was won."""
    return "".join(PAIRS[bead.result.banker_pair, bead.result.player_pair] for bead in found.bead)


def counts_shown(found: Roads) -> dict[str, int]:
    """How often each result came in this shoe."""
    counts = found.counts
    return {
        "rounds": counts.rounds,
        "banker": counts.banker,
        "player": counts.player,
        "tie": counts.tie,
        "banker_pairs": counts.banker_pairs,
        "player_pairs": counts.player_pairs,
        "naturals": counts.naturals,
    }


def own_shown(view: View) -> OwnShown:
    """A patron's view as it is sent to that patron alone."""
    return OwnShown(
        table=view.table,
        stack=view.own_stack or 0,
        box=view.own_box,
        bets=[_bet(one, view.own_effective.get(one.key)) for one in view.own_bets],
        given_back=[_given_back(one) for one in view.own_given_back],
        undecided=[_bet(one) for one in view.own_undecided],
        declined=[spot for _, _, spot in view.own_declined],
        always=view.own_always,
        cannot_continue=[one.spot for one in view.cannot_continue],
        option=view.own_option,
        squeeze={"player": _cards(view.player), "banker": _cards(view.banker)}
        if view.may_squeeze
        else {},
        results=[result_shown(one) for one in view.own_results],
        squeezes=[side.value for side in view.squeezes],
        void_reason=view.void_reason,
        void_clause=view.void_clause,
        seat_until=view.own_seat_until,
        terminal=None if view.own_terminal is None else terminal_shown(view.own_terminal),
    )


def terminal_shown(one: Terminal) -> TerminalShown:
    return TerminalShown(
        number=one.number,
        own=one.own,
        locked=one.locked,
        calling=one.calling,
        credit=one.credit,
        paid_in=one.paid_in,
        paid_out=one.paid_out,
        staked=one.staked,
        won=one.won,
        lost=one.lost,
        rounds=one.rounds,
    )


def _cards(cards: tuple[Any, ...]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]


def _bet(bet: Laid, counts_for: int | None = None) -> BetShown:
    return BetShown(
        bet.box, bet.spot, bet.stake, bet.reserve, counts_for, bet.placed_by is not None
    )


def _given_back(one: BetWithdrawn) -> GivenBackShown:
    amount = one.bet.stake - (one.left.stake if one.left else 0)
    return GivenBackShown(one.bet.box, one.bet.spot, amount, one.cause, one.clause)


def result_shown(one: Settled) -> ResultShown:
    return ResultShown(
        one.bet.box, one.bet.spot, one.effective, one.net, one.commission, one.clause
    )
