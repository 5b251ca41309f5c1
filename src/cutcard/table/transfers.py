"""What each event of a table does to the ledger: the only place that says so.

A stake is a pending transfer from the patron's stack to the layout; so is a
reserve. Settlement posts the stake and hands it on: back to the stack, or to the
house. A void voids. Commission goes to an account of its own.
"""

from collections.abc import Iterator

from cutcard.ledger import (
    Entry,
    Post,
    Transfer,
    TransferId,
    Void,
    commission,
    debt,
    house,
    layout,
    numbered,
    stack,
    transfer_id,
)
from cutcard.round import events as in_round
from cutcard.round.events import Laid, Settled
from cutcard.table.events import Event
from cutcard.table.state import HOLDS, Table, corrections

REASONS = ("stake", "reserve")


def transfers(table: Table, event: Event) -> list[Entry]:
    """The entries of an event, given the table just before it."""
    if table.setup is None:
        return []
    ids = numbered(table.setup.table, table.seq)
    match event:
        case in_round.BetPlaced():
            return [*_changed(table, event.before, event.bet, ids)]
        case in_round.SecondStagePlaced():
            return [*_changed(table, None, event.bet, ids)]
        case in_round.BetWithdrawn():
            return [*_changed(table, event.bet, event.left, ids)]
        case in_round.ChipsRemoved():
            return [*_released(table, event.bet, ids)]
        case in_round.RoundSettled():
            return [entry for one in event.bets for entry in _settled(table, one, ids)]
        case in_round.RoundVoided() | in_round.BetsReturned():
            return [entry for bet in event.returned for entry in _released(table, bet, ids)]
        case in_round.SettlementCorrected():
            return [*_settled_anew(table, event, ids)]
        case _:
            return []


def _name(table: Table) -> str:
    assert table.setup is not None, "only an open table moves money"
    return table.setup.table


def _changed(
    table: Table, before: Laid | None, after: Laid | None, ids: Iterator[TransferId]
) -> Iterator[Entry]:
    """Release what was held for a bet and hold its new amount."""
    if before is not None:
        yield from _released(table, before, ids)
    if after is not None:
        name = _name(table)
        owner, amounts = stack(name, after.patron), (after.stake, after.reserve)
        # Ids only ever grow, and the holds have places of their own, whatever was released.
        for place, (reason, amount) in enumerate(zip(REASONS, amounts, strict=True), HOLDS):
            if amount:
                id = transfer_id(name, table.seq, place)
                yield Transfer(id, owner, layout(name), amount, reason, pending=True)


def _released(table: Table, bet: Laid, ids: Iterator[TransferId]) -> Iterator[Entry]:
    for place, amount in enumerate((bet.stake, bet.reserve)):
        if amount:
            yield Void(next(ids), table.pending(bet.key, place))


def _settled(table: Table, one: Settled, ids: Iterator[TransferId]) -> Iterator[Entry]:
    if one.removed:
        yield from _collected(table, one, ids)
        return
    name, bet = _name(table), one.bet
    owner = stack(name, bet.patron)
    if bet.reserve:
        yield Void(next(ids), table.pending(bet.key, 1))
    yield Post(next(ids), table.pending(bet.key, 0))
    lost = min(one.effective, -one.net) if one.net < 0 else 0
    if bet.stake > lost:
        yield Transfer(next(ids), layout(name), owner, bet.stake - lost, f"returned {one.clause}")
    if lost:
        yield Transfer(next(ids), layout(name), house(name), lost, f"lost {one.clause}")
    if -one.net > lost:
        beyond = -one.net - lost
        yield Transfer(next(ids), owner, house(name), beyond, f"lost beyond stake {one.clause}")
    if one.net > 0:
        yield from _won(name, one, ids)


def _won(name: str, one: Settled, ids: Iterator[TransferId]) -> Iterator[Entry]:
    owner = stack(name, one.bet.patron)
    gross = one.net + one.commission
    yield Transfer(next(ids), house(name), owner, gross, f"won {one.clause}")
    if one.commission:
        reason = f"commission {one.clause}"
        yield Transfer(next(ids), owner, commission(name), one.commission, reason)


def _settled_anew(
    table: Table, event: in_round.SettlementCorrected, ids: Iterator[TransferId]
) -> Iterator[Entry]:
    """What a corrected settlement moves, patron by patron; what a stack cannot pay is owed.

    What was owed for the same round is struck off first.
    """
    name, reason = _name(table), f"corrected {event.clause}"
    for patron, (change, owed, withheld) in corrections(table, event).items():
        # Commission first, so that what is moved after it is the same for winners and losers.
        if withheld < 0:
            yield Transfer(next(ids), commission(name), house(name), -withheld, reason)
        elif withheld > 0:
            yield Transfer(next(ids), house(name), commission(name), withheld, reason)
        if change > 0:
            yield Transfer(next(ids), house(name), stack(name, patron), change, reason)
        elif change < 0:
            yield Transfer(next(ids), stack(name, patron), house(name), -change, reason)
        if owed > 0:
            yield Transfer(next(ids), debt(patron), house(name), owed, reason)
        elif owed < 0:
            yield Transfer(next(ids), house(name), debt(patron), -owed, reason)


def _collected(table: Table, one: Settled, ids: Iterator[TransferId]) -> Iterator[Entry]:
    """A bet whose chips were taken away: won as if there, or owed."""
    name = _name(table)
    if one.net > 0:
        yield from _won(name, one, ids)
    elif one.net < 0:
        owes = debt(one.bet.patron)
        yield Transfer(next(ids), owes, house(name), -one.net, f"owed {one.clause}")
