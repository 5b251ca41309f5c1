"""A coup: the cards on the table between the first card and the result.

`next_side` is the whole dealing procedure. The automatic dealer asks it what to
do, the dealer console lights its answer, the simulator follows it, and a card
that it did not ask for is a misdeal.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest

from cutcard.refusals import Refusal
from cutcard.rules.cards import Card, format_cards, parse_cards, points
from cutcard.rules.tableau import banker_draws, is_natural, player_draws


class Side(Enum):
    """A hand on the layout, never a person."""

    PLAYER = "player"
    BANKER = "banker"


class Winner(Enum):
    """How a coup ended."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Coup:
    """Both hands as dealt so far, written Player first: `2h 3s 9c / 5d Kc`.

    >>> Coup.parse("2h 3s 9c / 5d Kc").winner
    <Winner.BANKER: 'banker'>
    """

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Coup":
        """Read the two hands. Whether the tableau allows them is `checked`'s question."""
        hands = text.split("/")
        if len(hands) != 2:
            raise Refusal("coup/unreadable", {"text": text})
        return cls(parse_cards(hands[0]), parse_cards(hands[1]))

    @classmethod
    def deal(cls, cards: Iterable[Card]) -> "Coup":
        """Deal cards in order, each to the side the tableau names, until the coup is over.

        What is left over stays in the iterator; what is missing leaves the coup unfinished.
        """
        coup = cls()
        supply = iter(cards)
        while (side := next_side(coup)) and (card := next(supply, None)):
            coup = coup.with_card(side, card)
        return coup

    def with_card(self, side: Side, card: Card) -> "Coup":
        if side is Side.PLAYER:
            return Coup((*self.player, card), self.banker)
        return Coup(self.player, (*self.banker, card))

    def hand(self, side: Side) -> tuple[Card, ...]:
        return self.player if side is Side.PLAYER else self.banker

    @property
    def dealt(self) -> tuple[Card, ...]:
        """The cards in dealing order: Player, Banker, Player, Banker, then third cards."""
        pairs = zip_longest(self.player, self.banker)
        return tuple([card for pair in pairs for card in pair if card is not None])

    def place(self, side: Side, number: int) -> int:
        """Where a hand's card, counted from 0, comes in dealing order.

        >>> Coup.parse("2h 3s 9c / 5d Kc").place(Side.PLAYER, 2)
        4
        """
        if side is Side.PLAYER:
            return number + min(number, len(self.banker))
        return number + min(number + 1, len(self.player))

    @property
    def player_points(self) -> int:
        return points(self.player)

    @property
    def banker_points(self) -> int:
        return points(self.banker)

    @property
    def winner(self) -> Winner:
        """The side with more points; equal points tie."""
        margin = self.player_points - self.banker_points
        if margin == 0:
            return Winner.TIE
        return Winner.PLAYER if margin > 0 else Winner.BANKER

    def __str__(self) -> str:
        return f"{format_cards(self.player)} / {format_cards(self.banker)}".strip()


def next_side(coup: Coup) -> Side | None:
    """The side that the next card belongs to, or None when the coup is over."""
    if len(coup.player) < 2 or len(coup.banker) < 2:
        # In turn; where cards were misdealt and stay where they lie, the shorter hand is next.
        return Side.PLAYER if len(coup.player) <= len(coup.banker) else Side.BANKER
    player, banker = points(coup.player[:2]), points(coup.banker[:2])
    # Naturals come first: neither side draws against one, whatever its own row says.
    if is_natural(player) or is_natural(banker) or len(coup.banker) == 3:
        return None
    if len(coup.player) == 2 and player_draws(player):
        return Side.PLAYER
    third = coup.player[2].points if len(coup.player) == 3 else None
    return Side.BANKER if banker_draws(banker, third) else None


def may_draw(coup: Coup, side: Side) -> bool:
    """Whether another card may still come to a side.

    >>> may_draw(Coup.parse("6h 5c / Ks Kd"), Side.PLAYER)
    True
    >>> may_draw(Coup.parse("6h Kc / Ks Kd"), Side.PLAYER)
    False
    """
    turn = next_side(coup)
    if turn is None or len(coup.hand(side)) > 2:
        return False
    # Until both sides have two cards nobody knows who draws; then the Player comes first.
    open_yet = len(coup.player) < 2 or len(coup.banker) < 2
    return open_yet or turn is side or side is Side.BANKER


def in_order(coup: Coup) -> bool:
    """Whether every card dealt so far lies where the tableau puts it."""
    try:
        check_dealt(coup, finished=False)
    except Refusal:
        return False
    return True


def check_dealt(coup: Coup, clause: str | None = None, *, finished: bool = True) -> None:
    """Refuse a coup whose cards do not lie where the tableau puts them, or that is not over."""
    lawful = Coup()
    while (side := next_side(lawful)) is not None:
        hand, laid = (
            (coup.player, lawful.player) if side is Side.PLAYER else (coup.banker, lawful.banker)
        )
        if len(hand) == len(laid):
            if not finished:
                break
            raise Refusal("coup/card-missing", {"coup": str(coup), "side": side.value}, clause)
        lawful = lawful.with_card(side, hand[len(laid)])
    for side, hand, laid in (
        (Side.PLAYER, coup.player, lawful.player),
        (Side.BANKER, coup.banker, lawful.banker),
    ):
        if len(hand) > len(laid):
            raise Refusal(
                "coup/card-too-many",
                {"coup": str(coup), "side": side.value, "card": str(hand[len(laid)])},
                clause,
            )
