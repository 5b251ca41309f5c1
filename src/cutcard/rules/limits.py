"""Limits: how little and how much may be bet, and counted over whom.

One idea carries every book: a limit has a kind (least, most, or greatest
difference between two spots), a scope (one bet, a betting box, a patron, the
whole table) and an amount. All functions are pure: the bets on the layout go in,
a figure or a refusal comes out.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from cutcard.refusals import Refusal


class Kind(Enum):
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    DIFFERENTIAL = "differential"


class Scope(Enum):
    """Whose bets are counted together."""

    BET = "bet"
    BOX = "box"
    PATRON = "patron"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Bet:
    """A stake that a patron has on one spot of one box."""

    patron: str
    box: int
    spot: str
    stake: int


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit. Amounts are integer minor units; a differential is between its two spots."""

    kind: Kind
    scope: Scope
    spots: tuple[str, ...]
    amount: int
    clause: str

    def together(self, bets: Iterable[Bet], patron: str, box: int) -> list[Bet]:
        """The bets that this limit counts together with those of a patron in a box."""
        return [
            bet
            for bet in bets
            if (self.scope in (Scope.TABLE, Scope.BOX) or bet.patron == patron)
            and (self.scope in (Scope.TABLE, Scope.PATRON) or bet.box == box)
        ]

    def room(self, bets: Iterable[Bet], patron: str, box: int, spot: str) -> int | None:
        """How much more the patron may add to a spot; None where this limit sets no bound."""
        if self.kind is Kind.MINIMUM or spot not in self.spots:
            return None
        counted = self.together(bets, patron, box)
        return self.room_beside({one: _staked(counted, one) for one in self.spots}, spot)

    def room_beside(self, stakes: Mapping[str, int], spot: str) -> int | None:
        """The same, where what this limit counts together has been summed up by spot."""
        if self.kind is Kind.MINIMUM or spot not in self.spots:
            return None
        if self.kind is Kind.MAXIMUM:
            return self.amount - stakes.get(spot, 0)
        # What stands on the other side enlarges the limit by the same amount.
        return self.amount + stakes.get(self.other(spot), 0) - stakes.get(spot, 0)

    def other(self, spot: str) -> str:
        """The other of the two spots that a differential is between."""
        one, other = self.spots
        return other if spot == one else one


def _staked(bets: Iterable[Bet], spot: str) -> int:
    return sum(bet.stake for bet in bets if bet.spot == spot)


def tightest(
    limits: Iterable[Limit], bets: Sequence[Bet], patron: str, box: int, spot: str
) -> tuple[Limit, int] | None:
    """The limit that leaves the patron least room on a spot, and that room (never below zero)."""
    bounds = [
        (limit, max(0, room))
        for limit in limits
        if (room := limit.room(bets, patron, box, spot)) is not None
    ]
    return min(bounds, key=lambda bound: bound[1], default=None)


def check_bet(limits: Sequence[Limit], bets: Sequence[Bet], new: Bet) -> None:
    """Refuse a bet, or an increase of one, that a limit does not allow."""
    bound = tightest(limits, bets, new.patron, new.box, new.spot)
    if bound is not None and new.stake > bound[1]:
        limit, room = bound
        raise over(limit, room, new)
    placed = [bet for bet in bets if (bet.patron, bet.box) == (new.patron, new.box)]
    check_minimum(limits, new.spot, new.stake + _staked(placed, new.spot))


def over(limit: Limit, room: int, new: Bet) -> Refusal:
    """The refusal of a bet that is more than a limit leaves room for."""
    if limit.kind is Kind.DIFFERENTIAL:
        return Refusal(
            "limit/differential",
            {
                "spot": new.spot,
                "other": limit.other(new.spot),
                "stake": new.stake,
                "amount": limit.amount,
                "scope": limit.scope.value,
                "room": room,
            },
            limit.clause,
        )
    return Refusal(
        "limit/maximum",
        {
            "spot": new.spot,
            "stake": new.stake,
            "amount": limit.amount,
            "scope": limit.scope.value,
            "room": room,
        },
        limit.clause,
    )


def check_minimum(limits: Iterable[Limit], spot: str, stake: int) -> None:
    """Refuse a stake below the least allowed on its spot."""
    for limit in limits:
        if limit.kind is Kind.MINIMUM and spot in limit.spots and stake < limit.amount:
            raise Refusal(
                "limit/minimum",
                {"spot": spot, "stake": stake, "amount": limit.amount},
                limit.clause,
            )


def check_withdrawal(limits: Sequence[Limit], bets: Sequence[Bet], gone: Bet) -> None:
    """Refuse to take back more than lies there, or so much that the rest breaks a limit."""
    placed = [bet for bet in bets if (bet.patron, bet.box) == (gone.patron, gone.box)]
    left = _staked(placed, gone.spot) - gone.stake
    if left < 0:
        raise Refusal("bet/not-there", {"spot": gone.spot, "stake": gone.stake})
    if left > 0:
        check_minimum(limits, gone.spot, left)
    for limit in limits:
        if limit.kind is not Kind.DIFFERENTIAL or gone.spot not in limit.spots:
            continue
        other = limit.other(gone.spot)
        # Room on the other spot is what may come off this one.
        room = limit.room(bets, gone.patron, gone.box, other)
        if room is not None and gone.stake > room:
            raise Refusal(
                "limit/withdrawal",
                {"spot": gone.spot, "other": other, "amount": limit.amount, "room": max(0, room)},
                limit.clause,
            )


def check_limits(limits: Iterable[Limit], spots: Container[str]) -> None:
    """Refuse limits that no bet could be checked against."""
    for limit in limits:
        whole = type(limit.amount) is int and limit.amount > 0
        two = limit.kind is not Kind.DIFFERENTIAL or len(set(limit.spots)) == 2
        per_bet = limit.kind is not Kind.MINIMUM or limit.scope is Scope.BET
        if not (whole and two and per_bet and all(spot in spots for spot in limit.spots)):
            raise Refusal(
                "limit/impossible",
                {"kind": limit.kind.value, "amount": limit.amount, "others": limit.spots},
                limit.clause,
            )


def differential(bets: Iterable[Bet], one: str, other: str) -> int:
    """The gap between the stakes on two spots."""
    counted = list(bets)
    return abs(_staked(counted, one) - _staked(counted, other))
