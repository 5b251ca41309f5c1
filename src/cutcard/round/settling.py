"""Settling: every bet of a round on the facts of its coup.

Apportioned bets win and lose on what they count for, and the rest comes back
whatever the cards say. A declined first stage is lost under the clause by which
it was declined.
"""

from collections.abc import Iterator

from cutcard.round.events import Laid, Settled
from cutcard.round.state import Round
from cutcard.rules.facts import Hand
from cutcard.rules.paytable import Line
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.settlement import pay


def settle(state: Round, book: Rulebook) -> Iterator[Settled]:
    """What becomes of each bet on the layout."""
    kind = Hand.of(state.coup.player), Hand.of(state.coup.banker)
    # One line decides a spot for everybody.
    deciding = {
        spot: book.spots[spot].table.line_of(*kind)
        for spot, stake in state.by_spot.items()
        if stake
    }
    for bet in state.bets:
        yield _settled(state, bet, deciding[bet.spot])


def _settled(state: Round, bet: Laid, line: Line) -> Settled:
    effective = state.effective.get(bet.key, bet.stake)
    removed = bet.key in state.removed
    declined = state.declined.get(bet.key)
    if declined is not None:
        return Settled(bet, effective, -effective, 0, declined, removed)
    paid = pay(line, bet.spot, effective)
    return Settled(bet, effective, paid.net, paid.commission, paid.clause, removed)
