"""Batches of exact odds are, to the integer, the odds that are counted one by one."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest

from cutcard.lab import odds_of_many
from cutcard.lab.ways import bets, kinds
from cutcard.odds import Composition, odds
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.cards import DECK, Rank
from tests.cases import every
from tests.odds.naive import count_kinds_naively

SEED = 20


def by_rank(most: int, dice: Random) -> Composition:
    return Composition({rank: dice.randint(0, most) for rank in Rank})


def some_shoes() -> list[Composition]:
    """Fresh, used, and nearly empty ones."""
    dice = Random(SEED)
    full = Composition.of_decks(8).by_rank
    few = [Composition({**dict.fromkeys(Rank, 0), Rank.NINE: 3, Rank.KING: 3})]
    few += [Composition({**dict.fromkeys(Rank, 0), Rank.TEN: 6})]
    return [full, *(by_rank(most, dice) for most in (32, 16, 4, 2, 1)), *few]


@every("id", ["rws-commission", "rws-knockout", "online-cow-cow"])
def test_a_batch_is_what_is_counted_one_by_one(id: str) -> None:
    book = load(id)
    shoes = some_shoes()
    batch = odds_of_many(book, shoes)

    for place, shoe in enumerate(shoes):
        alone = odds(book, shoe)
        for spot, priced in alone.bets.items():
            found = batch.price(place, spot)
            if spot in alone.decisions:
                assert found.ev == alone.decisions[spot].always.ev
            else:
                assert found == priced
            assert batch.evs(spot)[place] == pytest.approx(float(found.ev), abs=1e-15)


def test_a_batch_is_what_a_walk_over_every_card_counts() -> None:
    """The readable enumeration, of a small shoe."""
    few = {Rank.ACE: 2, Rank.TWO: 1, Rank.SIX: 2, Rank.EIGHT: 2, Rank.TEN: 2, Rank.KING: 3}
    shoe = Composition({**dict.fromkeys(Rank, 0), **few})
    book = load("online-baccarat")
    counted = count_kinds_naively(shoe.ranks)
    batch = odds_of_many(book, [shoe])

    for spot, bet in bets(book).items():
        orders = [0] * len(bet.outcomes)
        for kind, number in counted.items():
            orders[bet.way_of[kinds().index(kind)]] += number
        assert batch.orders[spot][0].tolist() == orders


def test_suits_are_counted_too() -> None:
    dice, book = Random(SEED), load("side-bets")
    used = Composition.of_cards({card: dice.randint(0, 8) for card in DECK})
    shoes = [Composition.of_decks(8), used]
    batch = odds_of_many(book, shoes)

    for place, shoe in enumerate(shoes):
        for spot, priced in odds(book, shoe).bets.items():
            assert batch.price(place, spot) == priced


def test_others_may_count_it() -> None:
    book, dice = load("rws-commission"), Random(SEED)
    shoes = [by_rank(32, dice) for _ in range(2_100)]
    with ThreadPoolExecutor(2) as threads:
        batch = odds_of_many(book, shoes, threads)

    assert len(batch.counted) == 2_100
    assert (batch.counted == odds_of_many(book, shoes).counted).all()


@pytest.mark.parametrize(
    ("shoe", "code"),
    [
        (Composition({**dict.fromkeys(Rank, 0), Rank.ACE: 5}), "odds/too-few-cards"),
        (Composition({**dict.fromkeys(Rank, 4), Rank.ACE: 33}), "odds/too-many-cards"),
    ],
)
def test_a_shoe_that_is_none_is_refused(shoe: Composition, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        odds_of_many(load("rws-commission"), [Composition.of_decks(8), shoe])

    assert refused.value.code == code


def test_no_shoes_are_refused() -> None:
    with pytest.raises(Refusal, match="no shoe"):
        odds_of_many(load("rws-commission"), [])


def test_suits_are_asked_for() -> None:
    with pytest.raises(Refusal) as refused:
        odds_of_many(load("side-bets"), [Composition.of_decks(8).by_rank])

    assert refused.value.code == "odds/suits-needed"


def test_a_bet_that_is_not_offered_is_refused() -> None:
    batch = odds_of_many(load("rws-commission"), [Composition.of_decks(8)])

    with pytest.raises(Refusal, match="offers no bet"):
        batch.evs("dragon")
    assert batch.counted.dtype == np.int64
