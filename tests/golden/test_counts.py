"""Exact counts of the eight-deck shoe, by dealing every coup there is through `next_side`."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from math import perm
from pathlib import Path

from cutcard.rules.cards import parse_cards
from cutcard.rules.coup import Coup, next_side

GOLDEN = Path(__file__).parent / "counts-8-decks.txt"

# One card stands for all of its value: 32 of each from 1 to 9, and 128 tens and pictures.
CARDS = parse_cards("Kh Ah 2h 3h 4h 5h 6h 7h 8h 9h")
COPIES = [128, 32, 32, 32, 32, 32, 32, 32, 32, 32]
SHOE = sum(COPIES)


def ways(coup: Coup) -> int:
    """In how many ways the shoe can give these very values, card after card."""
    left, product_of_choices = list(COPIES), 1
    for card in coup.dealt:
        product_of_choices *= left[card.points]
        left[card.points] -= 1
    return product_of_choices


def finished(coup: Coup) -> Iterator[Coup]:
    """Every way in which a coup may end."""
    side = next_side(coup)
    if side is None:
        yield coup
    else:
        for card in CARDS:
            yield from finished(coup.with_card(side, card))


def counted() -> dict[str, int]:
    """The orders of six cards, by winner."""
    orders = {"banker": 0, "player": 0, "tie": 0}
    hands = list(combinations_with_replacement(CARDS, 2))
    for player, banker in product(hands, repeat=2):
        # Two unlike cards may come in either order, and the result is the same.
        turned = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        for coup in finished(Coup(player, banker)):
            on_table = len(coup.dealt)
            unused = perm(SHOE - on_table, 6 - on_table)
            orders[coup.winner.value] += turned * ways(coup) * unused
    return orders


def golden() -> dict[str, int]:
    lines = (line.split() for line in GOLDEN.read_text(encoding="utf-8").splitlines())
    return {words[0]: int(words[1].replace(",", "")) for words in lines if words[0] != "#"}


def test_the_eight_deck_shoe() -> None:
    orders = counted()

    assert {"orders": sum(orders.values()), **orders} == golden()
    assert sum(orders.values()) == perm(416, 6)
