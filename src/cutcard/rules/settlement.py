"""Settlement: a finished coup and a patron's bets in, money out.

Everything is exact: stakes are whole minor units on their spot's step, so every
win, loss and commission is a whole number too and nothing is ever rounded.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cutcard.refusals import Refusal
from cutcard.rules.coup import Coup, check_dealt
from cutcard.rules.facts import Hand, Value, facts_of
from cutcard.rules.paytable import Line
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.shoe import check_copies

MOST_STAKE = 10**15
"""More minor units than any table has seen; every sum of money fits 64 bits."""


@dataclass(frozen=True, slots=True)
class SettledBet:
    """What became of one bet: `net` is gained or lost, `commission` was withheld from it."""

    spot: str
    stake: int
    net: int
    commission: int
    clause: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """One patron's bets on one coup."""

    book: str
    coup: Coup
    facts: Mapping[str, Value]
    bets: tuple[SettledBet, ...]

    @property
    def net(self) -> int:
        return sum(bet.net for bet in self.bets)

    def document(self) -> dict[str, object]:
        """The settlement as the command line and the API write it."""
        return {
            "book": self.book,
            "coup": str(self.coup),
            "facts": dict(self.facts),
            "bets": [
                {
                    "spot": bet.spot,
                    "stake": bet.stake,
                    "net": bet.net,
                    "commission": bet.commission,
                    "clause": bet.clause,
                }
                for bet in self.bets
            ],
            "net": self.net,
        }


def settle(
    book: Rulebook, coup: Coup | str, bets: Mapping[str, int], decks: int | None = None
) -> Settlement:
    """Settle one patron's bets on a finished coup by the book's pay lines.

    A first-stage bet without its second stage was declined, and is lost.
    """
    finished = Coup.parse(coup) if isinstance(coup, str) else coup
    number = book.decks_for(decks)
    check_dealt(finished, book.cites["tableau"])
    check_copies(finished.dealt, number, book.decks.clause)
    check_bets(book, bets)
    truth = facts_of(Hand.of(finished.player), Hand.of(finished.banker))
    return Settlement(
        book=book.id,
        coup=finished,
        facts=truth,
        bets=tuple(settle_bet(book, spot, stake, bets, truth) for spot, stake in bets.items()),
    )


def settle_bet(
    book: Rulebook, spot: str, stake: int, bets: Mapping[str, int], truth: Mapping[str, Value]
) -> SettledBet:
    """One bet among a patron's bets, settled on the facts of the coup."""
    second = book.stage_of(spot)
    if second is not None and second.stage is not None and second.id not in bets:
        return SettledBet(spot, stake, -stake, 0, second.stage.declined_clause)
    return pay(book.spots[spot].table.line(truth), spot, stake)


def pay(line: Line, spot: str, stake: int) -> SettledBet:
    """What a line does to a stake on its spot's step."""
    net, withheld = stake * line.net, stake * line.withheld
    assert net.denominator == 1, "a stake on its step settles in whole units"
    assert withheld.denominator == 1, "a stake on its step is taxed in whole units"
    return SettledBet(spot, stake, int(net), int(withheld), line.clause)


def check_offered(book: Rulebook, spot: str, stake: int) -> None:
    """Refuse a bet that the book does not offer, or of no possible amount."""
    name = book.spot(spot).name
    # True and 1.0 equal 1, and are no amounts of money.
    if type(stake) is not int:
        raise Refusal("bet/whole", {"spot": name, "stake": str(stake)}, "HOUSE stake")
    if not 0 < stake <= MOST_STAKE:
        raise Refusal(
            "bet/stake", {"spot": name, "stake": stake, "most": MOST_STAKE}, "HOUSE stake"
        )


def check_step(book: Rulebook, spot: str, stake: int) -> None:
    """Refuse a stake that would not settle in whole units."""
    name, step = book.spots[spot].name, book.spots[spot].step
    if stake % step:
        raise Refusal("bet/off-step", {"spot": name, "stake": stake, "step": step}, "HOUSE step")


def check_bets(book: Rulebook, bets: Mapping[str, int]) -> None:
    """Refuse bets that the book does not offer, or not in this combination."""
    for id, stake in bets.items():
        check_offered(book, id, stake)
    for id, stake in bets.items():
        spot = book.spots[id]
        if spot.needs is not None and not any(other in bets for other in spot.needs.any_of):
            raise Refusal(
                "bet/needs-main-bet",
                {
                    "spot": spot.name,
                    "others": tuple(book.spots[other].name for other in spot.needs.any_of),
                },
                spot.needs.clause,
            )
        if spot.stage is not None:
            first = bets.get(spot.stage.follows)
            other = book.spots[spot.stage.follows].name
            if first is None:
                raise Refusal(
                    "bet/needs-first-bet",
                    {"spot": spot.name, "other": other},
                    spot.stage.clause,
                )
            if stake != first * spot.stage.multiple:
                raise Refusal(
                    "bet/wrong-multiple",
                    {
                        "spot": spot.name,
                        "stake": stake,
                        "other": other,
                        "multiple": spot.stage.multiple,
                        "must": first * spot.stage.multiple,
                    },
                    spot.stage.clause,
                )
        # A second stage off its multiple is off it whatever its step, so this comes last.
        check_step(book, id, stake)


def reserve(book: Rulebook, bets: Mapping[str, int]) -> int:
    """What a patron must hold to cover the worst result of every bet, stakes included."""
    return sum(stake * book.spot(spot).reserve for spot, stake in bets.items())
