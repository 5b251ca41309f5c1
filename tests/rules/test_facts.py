"""Facts: the vocabulary, and every kind of coup there is."""

from collections.abc import Mapping
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from cutcard.rules.cards import DECK, Card, Rank, Suit
from cutcard.rules.coup import Coup, check_dealt
from cutcard.rules.facts import (
    VOCABULARY,
    Hand,
    Value,
    coups_by_value,
    facts,
    facts_of,
    kinds,
    possible,
    unpaired,
)
from tests.cases import every

SIX_CARDS = st.lists(st.sampled_from(DECK), min_size=6, max_size=6)
POINTS = set(range(10))
YES_NO = {True, False}

VALUES: dict[str, set[Value]] = {
    "winner": {"player", "banker", "tie"},
    "player_points": {*POINTS},
    "banker_points": {*POINTS},
    "winning_points": {None, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    "losing_points": {None, 0, 1, 2, 3, 4, 5, 6, 7, 8},
    "margin": {*POINTS},
    "player_cards": {2, 3},
    "banker_cards": {2, 3},
    "cards": {4, 5, 6},
    "player_natural": {*YES_NO},
    "banker_natural": {*YES_NO},
    "player_pair": {*YES_NO},
    "banker_pair": {*YES_NO},
    "player_suited_pair": {*YES_NO},
    "banker_suited_pair": {*YES_NO},
}
"""Every fact and all that it can be; None where a tie leaves nothing to say."""


def of(coup: str) -> Mapping[str, Value]:
    return facts(Coup.parse(coup))


def test_the_vocabulary_is_closed() -> None:
    assert list(VOCABULARY) == list(VALUES)
    assert all(fact.name == name for name, fact in VOCABULARY.items())
    assert all(fact.meaning.strip() for fact in VOCABULARY.values())


@every("name", VALUES)
def test_every_value_of_a_fact_occurs_and_no_other(name: str) -> None:
    """A rulebook may name each listed value; None is no value that a book can ask for."""
    found = {VOCABULARY[name].of(player, banker) for player, banker in kinds()}

    assert found == VALUES[name]
    assert set(VOCABULARY[name].values) == VALUES[name] - {None}
    assert {value for (value,) in possible((name,))} == VALUES[name]


def test_a_banker_win_after_two_third_cards() -> None:
    assert of("2h 2s 6c / 3d 3c 3h") == {
        "winner": "banker",
        "player_points": 0,
        "banker_points": 9,
        "winning_points": 9,
        "losing_points": 0,
        "margin": 9,
        "player_cards": 3,
        "banker_cards": 3,
        "cards": 6,
        "player_natural": False,
        "banker_natural": False,
        "player_pair": True,
        "banker_pair": True,
        "player_suited_pair": False,
        "banker_suited_pair": False,
    }


def test_a_player_natural_with_a_suited_pair() -> None:
    assert of("4h 4h / Td 3c") == {
        "winner": "player",
        "player_points": 8,
        "banker_points": 3,
        "winning_points": 8,
        "losing_points": 3,
        "margin": 5,
        "player_cards": 2,
        "banker_cards": 2,
        "cards": 4,
        "player_natural": True,
        "banker_natural": False,
        "player_pair": True,
        "banker_pair": False,
        "player_suited_pair": True,
        "banker_suited_pair": False,
    }


def test_a_tie_has_no_winning_and_no_losing_points() -> None:
    assert of("6h Ks / 2d 2d 2s") == {
        "winner": "tie",
        "player_points": 6,
        "banker_points": 6,
        "winning_points": None,
        "losing_points": None,
        "margin": 0,
        "player_cards": 2,
        "banker_cards": 3,
        "cards": 5,
        "player_natural": False,
        "banker_natural": False,
        "player_pair": False,
        "banker_pair": True,
        "player_suited_pair": False,
        "banker_suited_pair": True,
    }


@every(
    ("hand", "pair"),
    [
        ("Th Ts", True),  # the books' own examples: 10, 10
        ("Kh Kd", True),  # and K, K
        ("Kh Qh", False),  # equal in points is not equal in rank
        ("Th Js", False),
        ("7h 7s", True),
        ("7h 3h", False),
        ("Ah Ac", True),
    ],
)
def test_a_pair_is_two_cards_of_one_rank(hand: str, pair: bool) -> None:
    cards = Coup.parse(f"{hand} /").player

    assert Hand.of(cards).pair is pair


def test_eight_or_nine_on_three_cards_is_no_natural() -> None:
    assert of("2h 3s 3c / Kd 2c 7h")["player_natural"] is False
    assert of("2h 3s 3c / Kd 2c 7h")["player_points"] == 8
    assert of("2h 3s 3c / Kd 2c 7h")["banker_natural"] is False
    assert of("2h 3s 3c / Kd 2c 7h")["banker_points"] == 9


@given(SIX_CARDS, st.sampled_from(DECK))
def test_pairs_and_naturals_are_blind_to_the_third_card(cards: list[Card], third: Card) -> None:
    two = Hand.of(tuple(cards[:2]))
    three = Hand.of((*cards[:2], third))

    assert three[2:] == two[2:]
    assert (two.cards, three.cards) == (2, 3)


@given(SIX_CARDS, st.permutations(list(Suit)))
def test_no_fact_but_the_suited_pairs_knows_a_suit(cards: list[Card], suits: list[Suit]) -> None:
    """Each card takes a suit of its own choosing; only suited pairs may notice."""
    coup = Coup.deal(cards)
    recoloured = Coup.deal(
        Card(card.rank, suits[(place + list(Suit).index(card.suit)) % 4])
        for place, card in enumerate(cards)
    )
    blind = [name for name in VOCABULARY if "suited" not in name]

    assert {name: facts(coup)[name] for name in blind} == {
        name: facts(recoloured)[name] for name in blind
    }


def test_the_facts_are_the_same_with_sides_exchanged() -> None:
    """Nothing in the vocabulary favours a side: exchange the hands and every word follows."""
    mirror = {"player": "banker", "banker": "player"}

    def mirrored(name: str) -> str:
        side, _, what = name.partition("_")
        return f"{mirror[side]}_{what}" if side in mirror else name

    for player, banker in kinds():
        there, back = facts_of(player, banker), facts_of(banker, player)
        for name, value in there.items():
            expected = mirror.get(str(value), value) if name == "winner" else value
            assert back[mirrored(name)] == expected


def every_kind() -> set[tuple[Hand, Hand]]:
    """The kinds again, from real ranks and suits and from the rule in words."""
    starts = {
        ((one.points + two.points) % 10, one is two, suited)
        for one, two in product(Rank, repeat=2)
        for suited in ([False, True] if one is two else [False])
    }
    found = set()
    draws_on = {3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: ""}
    for player, banker in product(starts, repeat=2):
        p, b = player[0], banker[0]
        ended = Hand(p, 2, p >= 8, *player[1:]), Hand(b, 2, b >= 8, *banker[1:])
        if p >= 8 or b >= 8 or (p >= 6 and b >= 6):
            found.add(ended)
            continue
        for third in range(10):
            if p >= 6:
                drawn = Hand((b + third) % 10, 3, False, *banker[1:])
                found.add((ended[0], drawn))
                continue
            hand = Hand((p + third) % 10, 3, False, *player[1:])
            if str(third) not in draws_on.get(b, "0123456789"):
                found.add((hand, ended[1]))
                continue
            for last in range(10):
                found.add((hand, Hand((b + last) % 10, 3, False, *banker[1:])))
    return found


def test_the_kinds_are_all_the_coups_there_are() -> None:
    computed_anew = kinds.__wrapped__()

    assert computed_anew == kinds() == every_kind()


def test_the_coups_by_value_are_every_deal_of_every_pair_of_points() -> None:
    """Four cards in 40, five in 12 × 10 and 6 × 29, six in 6 × 51 × 10; none twice."""
    coups = coups_by_value()
    lengths = [len(coup.dealt) for coup in coups]

    assert len(set(coups)) == len(coups)
    assert [lengths.count(cards) for cards in (4, 5, 6)] == [40, 12 * 10 + 6 * 29, 6 * 51 * 10]
    for coup in coups:
        check_dealt(coup)


def test_an_unpaired_hand_keeps_all_but_its_pair() -> None:
    cards = Coup.parse("4h 4h /").player

    assert unpaired(cards) == Hand(8, 2, natural=True, pair=False, suited_pair=False)


@given(SIX_CARDS)
def test_every_coup_is_of_a_known_kind(cards: list[Card]) -> None:
    coup = Coup.deal(cards)

    assert (Hand.of(coup.player), Hand.of(coup.banker)) in kinds()


def test_facts_that_hang_together_are_only_possible_together() -> None:
    assert possible(("winner", "winning_points")) == {
        ("tie", None),
        *product(("player", "banker"), range(1, 10)),
    }
    assert possible(("player_natural", "player_cards")) == {(True, 2), (False, 2), (False, 3)}
    # A natural on either side leaves both hands at two cards.
    assert possible(("banker_natural", "cards")) == {(True, 4), (False, 4), (False, 5), (False, 6)}
    assert possible(("player_pair", "player_suited_pair")) == {
        (False, False),
        (True, False),
        (True, True),
    }
    assert possible(()) == {()}


def test_a_pair_has_an_even_two_card_total() -> None:
    """Odd natural 9 with a pair cannot be; the even natural 8 can."""
    naturals = {hand for hand, _ in kinds() if hand.natural and hand.pair}

    assert {hand.points for hand in naturals} == {8}
    assert {hand.points for hand, _ in kinds() if hand.cards == 2 and hand.pair} == {6, 8, 0, 2, 4}
