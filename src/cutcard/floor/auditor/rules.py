"""The auditor's own statement of the rules: cards, tableau, pay tables.

Typed from the rulebooks and not from the engine, in another form, so that a
mistake would have to be made twice to go unseen.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

RANKS = "A23456789TJQK"
SUITS = "cdhs"
MOST_CARDS = 6
"""A coup takes no more."""

BANKER_DRAWS_ON = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}
"""The Player's third cards, by value, on which a Banker of so many points draws."""


VALUES = {rank: place if place < 10 else 0 for place, rank in enumerate(RANKS, 1)}


def value(card: str) -> int:
    return VALUES[card[0]]


def total(cards: list[str]) -> int:
    return sum(map(value, cards)) % 10


def burns(card: str) -> int:
    """How many further cards are burned after an exposed one."""
    return value(card) or 10


def turn(player: list[str], banker: list[str]) -> str | None:
    """Whose card comes next; None when the coup is over."""
    if len(player) < 2 or len(banker) < 2:
        # Hands that stay as they were misdealt are filled from the shorter one.
        return "player" if len(player) <= len(banker) else "banker"
    two, other = total(player[:2]), total(banker[:2])
    if max(two, other) >= 8 or len(banker) == 3:
        return None
    if len(player) == 2:
        if two <= 5:
            return "player"
        return "banker" if other <= 5 else None
    return "banker" if str(value(player[2])) in BANKER_DRAWS_ON[other] else None


@dataclass(frozen=True)
class Outcome:
    """All that a pay table may ask about a finished coup."""

    winner: str
    player: int
    banker: int
    player_pair: bool
    banker_pair: bool
    player_natural: bool
    banker_natural: bool
    banker_cards: int

    @property
    def high(self) -> int:
        return max(self.player, self.banker)

    @property
    def low(self) -> int:
        return min(self.player, self.banker)


def outcome(player: list[str], banker: list[str]) -> Outcome:
    one, other = total(player), total(banker)
    return Outcome(
        winner="tie" if one == other else "player" if one > other else "banker",
        player=one,
        banker=other,
        player_pair=player[0][0] == player[1][0],
        banker_pair=banker[0][0] == banker[1][0],
        player_natural=total(player[:2]) >= 8,
        banker_natural=total(banker[:2]) >= 8,
        banker_cards=len(banker),
    )


# --- pay tables -----------------------------------------------------------------------------------

Paid = tuple[Fraction, Fraction]
"""Net won (or, below zero, lost) and commission withheld, per unit staked."""

LOST, PUSH = (Fraction(-1), Fraction(0)), (Fraction(0), Fraction(0))
FIVE_PER_CENT = Fraction(1, 20)


def won(odds: Fraction | int, taxed: Fraction = Fraction(0)) -> Paid:
    return odds * (1 - taxed), odds * taxed


@dataclass(frozen=True)
class Spot:
    """One bet of a book: what it pays, its step, what it can lose, and what it leans on."""

    pays: Callable[[Outcome], Paid]
    step: int = 1
    worst: int = 1
    needs: tuple[str, ...] = ()
    follows: str | None = None


def _side(side: str, odds: Callable[[Outcome], Paid]) -> Callable[[Outcome], Paid]:
    """A bet on a side: pushes on a tie, loses when the other side wins."""

    def pays(coup: Outcome) -> Paid:
        if coup.winner == "tie":
            return PUSH
        return odds(coup) if coup.winner == side else LOST

    return pays


def _if(fact: Callable[[Outcome], bool], odds: Fraction | int) -> Callable[[Outcome], Paid]:
    return lambda coup: won(odds) if fact(coup) else LOST


def _winning_total(points: tuple[int, ...], odds: int) -> Spot:
    def pays(coup: Outcome) -> Paid:
        if coup.winner == "tie":
            return PUSH
        return won(odds) if coup.high in points else LOST

    return Spot(pays, needs=("player", "banker"))


def _cow(side: str) -> Spot:
    """Wins and loses as many times as the winner has points; a nine pays commission."""

    def pays(coup: Outcome) -> Paid:
        if coup.winner == "tie":
            return PUSH
        if coup.winner != side:
            return Fraction(-coup.high), Fraction(0)
        return won(coup.high, FIVE_PER_CENT if coup.high == 9 else Fraction(0))

    return Spot(pays, step=20, worst=9)


def _wager(side: str) -> Spot:
    def odds(coup: Outcome) -> Paid:
        if coup.low <= 3:
            return won(Fraction(1, 2))
        return won(1) if coup.low <= 5 else won(2)

    return Spot(_side(side, odds), step=2, follows=f"ante_{side}")


def _lucky_six(coup: Outcome) -> Paid:
    if coup.winner != "banker" or coup.banker != 6:
        return LOST
    return won(12 if coup.banker_cards == 2 else 20)


EVEN_PLAYER = Spot(_side("player", lambda coup: won(1)))
EVEN_BANKER = Spot(_side("banker", lambda coup: won(1)))
TAXED_BANKER = Spot(_side("banker", lambda coup: won(1, FIVE_PER_CENT)), step=20)
HALF_ON_SIX = Spot(
    _side("banker", lambda coup: won(Fraction(1, 2) if coup.banker == 6 else 1)), step=2
)
TIE = Spot(_if(lambda coup: coup.winner == "tie", 8))
PAIRS = {
    "player_pair": Spot(_if(lambda coup: coup.player_pair, 11)),
    "banker_pair": Spot(_if(lambda coup: coup.banker_pair, 11)),
}
ONLINE_EXTRAS = {
    **PAIRS,
    "lucky_six": Spot(_lucky_six),
    "player_natural": Spot(_if(lambda coup: coup.player_natural, Fraction(7, 2)), step=2),
    "banker_natural": Spot(_if(lambda coup: coup.banker_natural, Fraction(7, 2)), step=2),
}
KNOCKOUT_EXTRAS = {
    **PAIRS,
    "winning_total_1_4": _winning_total((1, 2, 3, 4), 7),
    "winning_total_5_6": _winning_total((5, 6), 3),
    "winning_total_7": _winning_total((7,), 4),
    "winning_total_8": _winning_total((8,), 3),
    "winning_total_9": _winning_total((9,), 2),
    "ante_player": EVEN_PLAYER,
    "ante_banker": EVEN_BANKER,
    "wager_player": _wager("player"),
    "wager_banker": _wager("banker"),
}


def _book(banker: Spot, extras: dict[str, Spot] | None = None) -> dict[str, Spot]:
    return {"player": EVEN_PLAYER, "banker": banker, "tie": TIE, **(extras or {})}


BOOKS: dict[str, dict[str, Spot]] = {
    "online-baccarat": _book(TAXED_BANKER, ONLINE_EXTRAS),
    "online-cow-cow": {"player": _cow("player"), "banker": _cow("banker"), "tie": TIE},
    "online-no-commission": _book(HALF_ON_SIX, ONLINE_EXTRAS),
    "rws-commission": _book(TAXED_BANKER, PAIRS),
    "rws-knockout": _book(HALF_ON_SIX, KNOCKOUT_EXTRAS),
    "rws-non-commission-etg": _book(HALF_ON_SIX, PAIRS),
    "skycity-commission": _book(TAXED_BANKER),
    "skycity-non-commission": _book(HALF_ON_SIX),
}

OPEN = frozenset(
    {"rws-non-commission-etg", "online-baccarat", "online-no-commission", "online-cow-cow"}
)
"""Books that know neither boxes nor seats."""

ELECTRONIC = frozenset({"rws-non-commission-etg"})
"""Books whose credit lies on terminals."""

STANDING = frozenset({"rws-commission"})
"""Books that let standing patrons bet behind a seat."""

WANT_A_DEALER = ("rws-commission", "rws-knockout")
"""Books that open no round unless a dealer is signed on (CB4 1.4, KO2 3.1)."""

WAGER_MULTIPLE = 2
DECIDE_AFTER = 1
"""A Wager is twice its Ante, decided on after the first card."""


def second_of(book: dict[str, Spot], spot: str) -> str | None:
    """The second stage of a spot, if it has one."""
    return next((name for name, one in book.items() if one.follows == spot), None)


def has_antes(book: dict[str, Spot]) -> bool:
    return any(spot.follows is not None for spot in book.values())
