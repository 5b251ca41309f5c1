"""The two orders: enough entropy, every order reachable, and none of them known too early."""

from itertools import permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutcard.fairness.drbg import HmacDrbg
from cutcard.fairness.order import (
    MOST_DECKS,
    SPARE,
    applied,
    entropy_needed,
    house_order,
    patrons_order,
)
from cutcard.fairness.uniform import WORD
from cutcard.refusals import Refusal
from cutcard.rules.cards import Card, format_cards
from cutcard.rules.shoe import composition, full_shoe
from tests.cases import every
from tests.fairness import second

COMMITMENT = bytes(range(32))
SEEDS = {"ann": bytes([1]) * 32, "bob": bytes([2]) * 32}


def entropy(decks: int, seed: int = 1) -> bytes:
    drbg = HmacDrbg(seed.to_bytes(32, "big"), b"", b"tests of the order")
    return drbg.generate(entropy_needed(decks))


# --- entropy


@every("decks", range(1, MOST_DECKS + 1))
def test_more_entropy_is_drawn_than_there_are_orders(decks: int) -> None:
    """Fresh words alone, without the generator's seed, outnumber the orders by far."""
    fresh_bits = 8 * (entropy_needed(decks) - 48)

    assert factorial(52 * decks) < 2**fresh_bits


def test_a_seed_of_256_bits_would_reach_next_to_no_orders() -> None:
    """log2 416! is 3,024.9; of distinct orders of eight decks there are 2^2229."""
    orders = factorial(416)
    distinct = orders // factorial(8) ** 52

    assert (orders.bit_length(), distinct.bit_length()) == (3025, 2230)
    assert distinct > 2**256 * 2**1900


def test_what_eight_decks_need() -> None:
    assert entropy_needed(8) == 48 + 8 * (415 + 8) == 3432


def test_the_spare_words_run_out_less_than_once_in_2_to_the_300_shoes() -> None:
    """A word is thrown away with a chance below 832 / 2^64, and there are at most 839 words."""
    words = 52 * MOST_DECKS - 1 + SPARE

    # The chance that some SPARE + 1 of all words are thrown away, bounded from above.
    assert (words * 832) ** (SPARE + 1) * 2**300 < 2 ** (64 * (SPARE + 1))


@settings(max_examples=20)
@given(st.permutations(range(104)))
def test_every_order_can_come_from_some_entropy(wanted: list[int]) -> None:
    """For any order at all, here is the entropy that gives it: none is out of reach.

    Fisher–Yates is run backwards to the draws, and the generator's bytes are taken off them.
    """
    deck = full_shoe(2)
    seed = entropy(2)[:48]
    pad = HmacDrbg(seed[:32], seed[32:], b"cutcard house order 1").generate(entropy_needed(2) - 48)
    words = [word.to_bytes(WORD, "big") for word in draws_for(wanted)]
    stream = b"".join(words) + bytes(WORD * SPARE)
    fresh = bytes(one ^ other for one, other in zip(stream, pad, strict=True))

    cards, _ = house_order(2, seed + fresh)

    assert cards == applied(wanted, deck)


def draws_for(wanted: list[int]) -> list[int]:
    """The draws by which a shuffle turns 0, 1, 2, … into what is wanted."""
    order, draws = list(range(len(wanted))), []
    for place in range(len(wanted) - 1, 0, -1):
        other = order.index(wanted[place])
        draws.append(other)
        order[place], order[other] = order[other], order[place]
    return draws


@every("decks", [0, -1, MOST_DECKS + 1, 10**9])
def test_a_number_of_decks_that_cannot_be(decks: int) -> None:
    with pytest.raises(Refusal) as refused:
        entropy_needed(decks)

    assert refused.value == Refusal("fairness/decks", {"decks": decks, "most": 16})


@pytest.mark.parametrize("change", [-1, 1])
def test_entropy_of_another_length_is_refused(change: int) -> None:
    needed = entropy_needed(1)

    with pytest.raises(Refusal) as refused:
        house_order(1, entropy(8)[: needed + change])

    assert refused.value == Refusal(
        "fairness/entropy-short", {"bytes": needed + change, "least": needed}
    )


# --- the house's order


def test_the_houses_order_holds_every_card() -> None:
    cards, nonces = house_order(8, entropy(8))

    assert composition(cards) == composition(full_shoe(8))
    assert len(set(nonces)) == 416
    assert {len(nonce) for nonce in nonces} == {32}


def test_the_same_entropy_gives_the_same_order_for_ever() -> None:
    cards, nonces = house_order(1, entropy(1))

    assert format_cards(cards[:8]) == "Tc 6s Ah 2c Qc 3s Qd 8d"
    assert nonces[0].hex()[:16] == "b0e569796be9218b"


@every("place", [0, 31, 47, 55, 455])
def test_every_byte_of_entropy_counts(place: int) -> None:
    """The seed, its nonce, the first and the last word that is surely used."""
    drawn = bytearray(entropy(1))
    before = house_order(1, bytes(drawn))
    drawn[place] ^= 0xFF

    assert house_order(1, bytes(drawn))[0] != before[0]


def test_changed_entropy_of_one_word_changes_one_draw() -> None:
    """Fresh words are laid over the generator's, so the order is as even as they are."""
    drawn = bytearray(entropy(1))
    before, _ = house_order(1, bytes(drawn))
    drawn[48 + 8 * 50 + 7] ^= 1  # the last draw, between the first two places
    after, _ = house_order(1, bytes(drawn))

    assert after == (before[1], before[0], *before[2:])


# --- the patrons' order


def test_the_seeds_give_the_order_that_the_manual_describes() -> None:
    """Written a second time, from the manual alone, it is the same order."""
    named = {"ann": "01" * 32, "bob": "02" * 32}
    joined = second.sha(b"cutcard seeds 1\n", COMMITMENT, second.canonical(named))
    again = second.permutation(joined + COMMITMENT + b"cutcard patrons' order 1", 416)

    assert list(patrons_order(COMMITMENT, SEEDS, 416)) == again


def test_it_does_not_matter_who_comes_first() -> None:
    turned = dict(reversed(SEEDS.items()))

    assert patrons_order(COMMITMENT, turned, 416) == patrons_order(COMMITMENT, SEEDS, 416)


def test_every_seed_giver_and_commitment_counts() -> None:
    orders = {
        patrons_order(COMMITMENT, SEEDS, 52),
        patrons_order(bytes(32), SEEDS, 52),
        patrons_order(COMMITMENT, {**SEEDS, "bob": bytes([3]) * 32}, 52),
        patrons_order(COMMITMENT, {"ann": SEEDS["ann"]}, 52),
        patrons_order(COMMITMENT, {"ann": SEEDS["bob"], "bob": SEEDS["ann"]}, 52),
    }

    assert len(orders) == 5


def test_two_equal_seeds_do_not_cancel_each_other() -> None:
    one, both = {"ann": bytes(32)}, {"ann": bytes(32), "bob": bytes(32)}

    assert patrons_order(COMMITMENT, one, 52) != patrons_order(COMMITMENT, both, 52)


@given(st.dictionaries(st.text(min_size=1), st.binary(min_size=32, max_size=32), min_size=1))
@settings(max_examples=30)
def test_every_position_is_dealt_exactly_once(seeds: dict[str, bytes]) -> None:
    assert sorted(patrons_order(COMMITMENT, seeds, 52)) == list(range(52))


# --- both together


@every("fixed", permutations(range(4)))
def test_whoever_fixes_one_order_has_not_fixed_the_dealt_one(fixed: tuple[int, ...]) -> None:
    """If only one of the two orders is even, the dealt order is: each order exactly once.

    The fixed order may be the house's, prepared at will, or the patrons', agreed among them all.
    """
    every = list(permutations(range(4)))

    assert sorted(applied(theirs, fixed) for theirs in every) == every
    assert sorted(applied(fixed, house) for house in every) == every


def test_a_card_dealt_is_the_one_at_its_position() -> None:
    cards = tuple(Card.parse(text) for text in ("9h", "Ks", "Td"))

    assert format_cards(applied((2, 0, 1), cards)) == "Td 9h Ks"
