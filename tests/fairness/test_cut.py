"""Why a patron's cut is not enough: an order that is good for the house at almost every cut.

The house arranges eight full decks so that it hardly matters where they are cut.
Odd cards stand at even places and even cards at odd ones: the exposed card burns
an odd or even number of cards, and so the first coup always begins on an odd card.
Two odd neighbours make 0 for Player, two even ones a natural 8 for Banker, and a
coup of four cards leaves everything as it was.
"""

from collections import Counter

import pytest

from cutcard.fairness.order import applied, patrons_order
from cutcard.rules.cards import Card
from cutcard.rules.coup import Winner
from cutcard.rules.shoe import Shoe, composition, deal_shoe, full_shoe

ODD = "5" * 32 + "37" * 32 + "A9" * 32
EVEN = "4" * 32 + "26" * 32 + "T8" * 32
PREPARED = "".join(odd + even for odd, even in zip(ODD, EVEN, strict=True))
PREPARED += "J" * 32 + "Q" * 32 + "K" * 32


def cards(ranks: str) -> tuple[Card, ...]:
    """Cards of these ranks, suits in turn."""
    seen: Counter[str] = Counter()
    found = []
    for rank in ranks:
        found.append(Card.parse(rank + "cdhs"[seen[rank] % 4]))
        seen[rank] += 1
    return tuple(found)


ORDER = cards(PREPARED)


def ahead(order: tuple[Card, ...]) -> int:
    """How many more coups Banker wins than Player in a shoe."""
    winners = Counter(dealt.coup.winner for dealt in deal_shoe(Shoe(order, behind_cut=14)))
    return winners[Winner.BANKER] - winners[Winner.PLAYER]


@pytest.fixture(scope="module")
def by_cut() -> list[int]:
    return [ahead(ORDER[cut:] + ORDER[:cut]) for cut in range(416)]


def test_the_prepared_order_is_eight_full_decks() -> None:
    assert composition(ORDER) == composition(full_shoe(8))


def test_at_384_of_416_cuts_banker_wins_40_coups_more_than_player(by_cut: list[int]) -> None:
    """A patron who cuts wherever he likes bets on Player and is robbed."""
    assert sum(more >= 40 for more in by_cut) == 384


def test_a_random_cut_does_not_help(by_cut: list[int]) -> None:
    """On average over all cuts Banker is 60 coups ahead of some 90; fair would be one."""
    assert sum(by_cut) // len(by_cut) == 60


def test_the_patrons_order_leaves_nothing_of_it() -> None:
    """The same cards, dealt in orders that seeds give: what was prepared is gone."""
    leads = [
        ahead(applied(patrons_order(bytes(32), {"ann": number.to_bytes(32, "big")}, 416), ORDER))
        for number in range(64)
    ]

    assert max(map(abs, leads)) < 30
    # 82 coups with a lead of 0.0124 each make 1; the mean of 64 shoes strays by one more.
    assert -3 < sum(leads) / len(leads) < 5
