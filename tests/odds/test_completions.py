"""Completions: what can still become of a half-dealt coup, against every order of a few cards."""

from collections import Counter
from itertools import permutations
from math import perm

from cutcard.odds import Composition
from cutcard.odds.completions import completions
from cutcard.odds.kinds import count_kinds
from cutcard.rules.cards import Card, parse_cards
from cutcard.rules.coup import Coup
from cutcard.rules.facts import Hand
from tests.cases import every
from tests.odds.naive import count_every_order, count_kinds_naively, without_suits

TINY_SHOES = [
    "9h 8s 7d 6c 5h 4s Kc",
    "4h 4h 4h 4h 9d 9d Kc",
    "2h 2h 3s 5s 6d 6d Kc",
    "Kh Kh Ks Jd 2c 2c 5d 8s",
]


def beginnings(cards: tuple[Card, ...]) -> list[tuple[Coup, tuple[Card, ...]]]:
    """Coups of up to six cards in the order given, and of the cards turned round."""
    found = [(Coup(), cards)]
    for order in (cards, cards[::-1], (*cards[3:], *cards[:3])):
        for number in range(1, 7):
            coup = Coup.deal(order[:number])
            found.append((coup, order[len(coup.dealt) :]))
    return found


@every("text", TINY_SHOES)
def test_a_tiny_shoe_card_by_card(text: str) -> None:
    for begun, rest in beginnings(parse_cards(text)):
        left, dealt = Composition.of_cards(Counter(rest)), count_every_order(rest, begun)

        assert completions(left, begun.dealt) == dealt, str(begun)
        assert completions(left.by_rank, begun.dealt) == without_suits(dealt), str(begun)


def test_before_the_first_card_they_are_all_the_kinds_there_are() -> None:
    shoe = Composition.parse("A=3,4=5,9=8,T=2,K=4,6=1")

    assert completions(shoe, ()) == count_kinds(shoe) == count_kinds_naively(shoe.ranks)


def test_first_cards_together_are_the_fresh_shoe() -> None:
    """Every first card in turn, as often as the shoe holds it."""
    shoe = Composition.parse("A=3,4=5,9=8,T=2,K=4,6=1")
    added: Counter[object] = Counter()
    for rank, number in shoe.ranks.items():
        if number:
            card = Card.parse(f"{rank.value}s")
            for kind, orders in completions(shoe.without([card]), (card,)).items():
                added[kind] += number * orders

    assert dict(added) == count_kinds(shoe)


@every("number", range(7))
def test_the_orders_are_those_of_the_cards_to_come(number: int) -> None:
    on_table = Coup.deal(parse_cards("Ah 3s 2d Kc 5h 2s")[:number])
    left = Composition.of_decks(8).without(on_table.dealt).by_rank
    orders = sum(completions(left, on_table.dealt).values())

    assert orders == perm(416 - number, 6 - number)


def test_a_finished_coup_has_become_what_it_is() -> None:
    natural = Coup.parse("9h Ks / 2d 3c")
    left = Composition.of_decks(8).without(natural.dealt)
    ((player, banker),) = completions(left, natural.dealt)

    assert (player.points, player.natural, banker.points) == (9, True, 5)


def test_suits_are_known_only_in_a_shoe_given_by_card() -> None:
    twins = Coup.parse("9h 9h / 2d")
    left = Composition.of_decks(8).without(twins.dealt)

    assert {player.suited_pair for player, _ in completions(left, twins.dealt)} == {True}
    assert {player.suited_pair for player, _ in completions(left.by_rank, twins.dealt)} == {False}
    assert {player.pair for player, _ in completions(left.by_rank, twins.dealt)} == {True}


def test_the_shoe_is_not_changed() -> None:
    shoe = Composition.parse("A=3,9=4,K=2")
    completions(shoe, ())

    assert shoe == Composition.parse("A=3,9=4,K=2")


@every("hidden", [(0,), (1,), (0, 2), (1, 3), (0, 1, 2, 3), (4,), (2, 4)])
def test_cards_that_nobody_has_seen_may_be_any(hidden: tuple[int, ...]) -> None:
    """What is hidden goes back into the shoe, and every order that shows the rest is counted."""
    cards = parse_cards("2h 3s 3h 2s 9c Kd 4c 5d")
    coup = Coup.deal(cards)
    dealt = coup.dealt
    seen = [None if place in hidden else card for place, card in enumerate(dealt)]
    left = [*cards[len(dealt) :], *(dealt[place] for place in hidden)]
    counted: Counter[object] = Counter()
    for order in permutations(left, 6 - (len(dealt) - len(hidden))):
        supply = iter(order)
        tried = Coup.deal([next(supply) if card is None else card for card in seen] + list(supply))
        shown = list(zip(seen, tried.dealt, strict=False))
        if len(tried.dealt) >= len(seen) and all(card in (None, now) for card, now in shown):
            counted[Hand.of(tried.player), Hand.of(tried.banker)] += 1

    assert completions(Composition.of_cards(Counter(left)), seen) == dict(counted)
