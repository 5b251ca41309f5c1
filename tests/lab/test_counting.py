"""What a counter knows, and what the cut card does: exact values before every round."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

from cutcard.lab import counting, cut_card_effect, odds_of_many
from cutcard.lab.counting import SCALE, certain_rounds, look_through, orders_for, sum_through
from cutcard.lab.shoes import deal_shoes
from cutcard.lab.work import key_of
from cutcard.odds import Composition, odds
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.cards import DECK, Rank
from tests.cases import every

BOOK = load("rws-commission")


def test_values_are_those_of_the_cards_that_nobody_has_seen() -> None:
    """Before some rounds of a shoe: all cards but the exposed one and those of earlier rounds."""
    order = orders_for(BOOK, 3, 8, 8, (14, 14), 0)[0]
    rounds, values = look_through(order)
    dealt = deal_shoes(key_of(8), 0, 3, 8, 14, 14)
    row = int(rounds[0])

    for number in (0, 40, int(rounds[1]) - 1):
        seen = [dealt.cards[1, 0], *dealt.cards[1, dealt.starts[1, 0] : dealt.starts[1, number]]]
        left = Composition.of_decks(8).without(DECK[card] for card in seen)
        for column, price in enumerate(odds(BOOK, left).bets.values()):
            assert abs(Fraction(int(values[row + number, column]), SCALE) - price.ev) < 2e-12


def test_sums_are_those_of_single_rounds() -> None:
    rounds, values = look_through(orders_for(BOOK, 4, 1, 8, (14, 52), 70)[0])
    again, seen, sums = sum_through(orders_for(BOOK, 4, 1, 8, (14, 52), 70)[0])

    assert (rounds == again).all()
    assert seen.tolist() == [max(int(one) - 70, 0) for one in rounds]
    at = 0
    for shoe, some in enumerate(seen):
        assert sums[shoe].tolist() == values[at : at + some].sum(axis=0).tolist()
        at += int(some)


def test_a_counter_gains_what_is_above_nought() -> None:
    study = counting(load("online-baccarat"), 6, 3, cut=14)
    order = orders_for(load("online-baccarat"), 6, 3, 8, (14, 14), 0)[0]
    rounds, values = look_through(order)

    assert study.rounds == int(rounds.sum())
    for column, one in enumerate(study.gains):
        positive = [int(value) for value in values[:, column] if value > 0]
        assert (one.positive, one.value) == (len(positive), sum(positive))
        assert one.best == values[:, column].max()
    assert study.spot == max(study.gains, key=lambda one: one.value).spot
    assert len(study.sheet().grids[0].rows) == len(study.gains)
    assert study.bands[:, 0] == pytest.approx(
        [float(odds(study.book).bets[study.spot].ev)] * 7, abs=0.02
    )


def test_the_cut_card_effect_is_no_accident_of_who_counts() -> None:
    alone = cut_card_effect(BOOK, 60, 5, cut=14, threads=1)
    with ThreadPoolExecutor(2) as threads:
        together = cut_card_effect(BOOK, 60, 5, cut=14, executor=threads)

    assert alone == together
    assert alone.document() == together.document()
    assert alone.certain == 66
    assert "Player" in alone.sheet().picture


def test_rounds_that_are_certain_have_the_odds_of_a_fresh_shoe() -> None:
    """Averaged over every first card, the second coup's odds are the first one's, exactly."""
    fresh = Composition.of_decks(8).by_rank
    batch = odds_of_many(BOOK, [fresh, *(fresh.without_rank(rank) for rank in Rank)])

    for spot in BOOK.spots:
        averaged = sum((batch.price(1 + place, spot).ev for place in range(13)), Fraction(0)) / 13
        assert averaged == batch.price(0, spot).ev


def test_how_many_rounds_are_certain() -> None:
    assert [certain_rounds(8, cut) for cut in (14, 52)] == [66, 59]
    dealt = deal_shoes(1, 0, 5_000, 1, 20, 20)
    assert dealt.rounds.min() >= certain_rounds(1, 20) == 4


def test_told_how_far_it_is() -> None:
    heard: list[float] = []
    counting(BOOK, 120, 1, threads=1, cut=380, told=heard.append)

    assert heard == [1 / 3, 2 / 3, 1.0]


@every(
    ("wishes", "code"),
    [
        ({"shoes": 1}, "lab/shoes"),
        ({"spot": "dragon"}, "bet/not-offered"),
        ({"decks": 9}, "shoe/decks"),
        ({"cut": 2}, "shoe/cut-out-of-range"),
    ],
)
def test_what_cannot_be_counted_is_refused(wishes: dict[str, object], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        counting(BOOK, **wishes)  # type: ignore[arg-type]

    assert refused.value.code == code
