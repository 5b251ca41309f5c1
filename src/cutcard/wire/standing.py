"""A standing: where a table stands just before a round opens, as a record of its log.

Whoever is given one round of a log must know what the round began with: the shoe so
far, stacks, seats, limits, staff. So the house writes that down before every round and
signs it with everything else. A standing adds nothing that the records before it do not
say; whoever has them all can see whether it is true.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cutcard.fairness import VerifiableShoe
from cutcard.frozen import LATER, replace
from cutcard.ledger.shelf import Shelf
from cutcard.roads import Result
from cutcard.round.state import Phase, Round
from cutcard.rules.cards import Card
from cutcard.rules.limits import Limit
from cutcard.table.meters import Terminal, terminals_of
from cutcard.table.setup import Setup
from cutcard.table.staff import Member
from cutcard.table.state import Shoe, Table


@dataclass(frozen=True)
class Standing:
    """All of a table that a round which is about to open depends on."""

    seq: int
    setup: Setup
    open: bool
    last_round: int | None
    limits: tuple[Limit, ...]
    staff: Mapping[str, Member]
    seats: Mapping[int, str]
    stacks: Mapping[str, int]
    always: tuple[str, ...]
    """Who always continues a first-stage bet."""

    shoe: Shoe | None
    shoes: int
    rounds: int
    results: tuple[Result, ...]
    incidents: int
    kept: tuple[Card, ...]
    commitment: str | None
    """The hash of the shoe's commitment, where the shoe can be verified."""

    left: int
    """So many cards have left the committed shoe."""

    idle: Mapping[int, int] | None = field(default=None, metadata=LATER)
    """For how long the patron of each seat has not bet, where the table frees seats."""

    terminals: Mapping[str, Terminal] | None = field(default=None, metadata=LATER)
    """Every terminal that ever stood there, at a table of terminals."""


def standing(table: Table, shoe: VerifiableShoe | None = None) -> Standing:
    """Where a table stands between two rounds."""
    assert table.setup is not None, "rounds are played at a table that was opened"
    if shoe is not None and (table.shoe is None or table.shoe.id != shoe.commitment.shoe):
        # It is not the one in use: finished, or not yet registered.
        shoe = None
    return Standing(
        seq=table.seq,
        setup=table.setup,
        open=table.open,
        last_round=table.last_round,
        limits=table.limits,
        staff=table.staff,
        seats=table.seats,
        stacks=table.stacks,
        always=tuple(sorted(table.round.always)),
        shoe=table.shoe and replace(table.shoe, seen=+table.shoe.seen),
        shoes=table.shoes,
        rounds=table.rounds,
        results=table.results,
        incidents=table.incidents,
        kept=table.kept,
        commitment=None if shoe is None else shoe.commitment.hash.hex(),
        left=0 if shoe is None else shoe.left,
        idle=table.idle if table.setup.seat_ms else None,
        terminals=table.terminals.by_name or None,
    )


def table_at(stood: Standing) -> Table:
    """The table as far as the next round depends on it."""
    # The round before is over for good once another opens; only this is left of it.
    over = Round(stood.rounds, Phase.VOID, always=frozenset(stood.always))
    return Table(
        setup=stood.setup,
        seq=stood.seq,
        open=stood.open,
        last_round=stood.last_round,
        limits=stood.limits,
        staff=stood.staff,
        seats=stood.seats,
        stacks=Shelf(stood.stacks),
        round=over,
        shoe=stood.shoe,
        shoes=stood.shoes,
        rounds=stood.rounds,
        results=stood.results,
        incidents=stood.incidents,
        kept=stood.kept,
        idle=stood.idle or {},
        terminals=terminals_of(stood.terminals or {}),
    )
