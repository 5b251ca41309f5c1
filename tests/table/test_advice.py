"""Advice: what is established, which steps are lawful, and that nothing else is done."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, product
from random import Random

import pytest

from cutcard.odds import Composition
from cutcard.odds.kinds import count_kinds
from cutcard.rulebooks import load, rulebooks
from cutcard.rules.cards import DECK, Card, Rank, Suit, parse_cards
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.facts import Hand, facts_of
from cutcard.rules.rulebook import Rulebook
from cutcard.table.advice import lawful, settled_bets
from cutcard.table.incident import Step
from tests.table.scene import Scene
from tests.table.test_irregularities import dealt, path_of

# --- cards that are dealt first -------------------------------------------------------------------


def with_a_kept_card() -> Scene:
    """The dealer drew to a natural; the six of hearts is the next round's first card."""
    return dealt("9c 3d Kd 4s").deal("6h").resolve(Step.RECONSTRUCT).call().settle()


@pytest.mark.parametrize(
    ("kind", "step"),
    [
        ("technical interruption", Step.VOID),
        ("shortage or excess in the shoe", Step.VOID),
        ("other dealing error", Step.CONTINUE),
        ("misplaced bet", Step.RECORD),
        ("unread card", Step.RESCAN),
        ("anything else", Step.RULE_VOID),
    ],
)
def test_a_kept_card_stays_kept_whatever_else_goes_wrong_and_advice_says_so(
    kind: str, step: Step
) -> None:
    scene = with_a_kept_card().open().close().report(kind)

    assert scene.table.incident is not None
    paths = lawful(scene.table, scene.table.incident, scene.book).paths
    kept = {path.step: path.kept for path in paths}
    assert kept[step] == kept[Step.RETRACT] == parse_cards("6h")
    scene.resolve(step, "sam", reason="as the book says", facts="as reported")
    assert scene.table.kept == parse_cards("6h")


def test_the_edge_of_a_kept_card_is_shown_also_when_the_round_is_void() -> None:
    scene = with_a_kept_card().open().close().report("technical interruption")

    assert path_of(scene, Step.VOID).edges["player"] > 0


# --- when an outcome is established ---------------------------------------------------------------

MAIN_ONLY = ("skycity-commission", "skycity-non-commission", "online-cow-cow")
"""Books that offer Player, Banker and Tie and nothing else."""

WITH_PAIRS = tuple(book.id for book in rulebooks() if book.id not in MAIN_ONLY)


def endings(coup: Coup) -> Iterator[Coup]:
    """Every end that the tableau can give a coup, one card for each rank."""
    side = next_side(coup)
    if side is None:
        yield coup
        return
    for rank in Rank:
        yield from endings(coup.with_card(side, Card(rank, Suit.CLUBS)))


def some_endings(coup: Coup) -> Iterator[Coup]:
    """A hundred of them by chance, so that what can still change is soon found."""
    dice = Random(str(coup))
    return (Coup.deal([*coup.dealt, *dice.choices(DECK, k=6)]) for _ in range(100))


def decided(coup: Coup, book: Rulebook) -> set[str]:
    """Bets that every ending wins, or that every ending loses."""
    first = outcome(next(endings(coup)), book)
    left = {spot for spot, sign in first.items() if sign != 0}
    if next_side(coup) is None:
        return left
    for end in chain(some_endings(coup), endings(coup)):
        if not left:
            break
        now = outcome(end, book)
        left = {spot for spot in left if now[spot] == first[spot]}
    return left


def outcome(coup: Coup, book: Rulebook) -> dict[str, int]:
    return signs(Hand.of(coup.player), Hand.of(coup.banker), book.id)


@cache
def signs(player: Hand, banker: Hand, book: str) -> dict[str, int]:
    """1 for a bet that wins, -1 for one that loses, 0 for one that is returned."""
    truth = facts_of(player, banker)
    nets = {spot: one.table.line(truth).net for spot, one in load(book).spots.items()}
    return {spot: (net > 0) - (net < 0) for spot, net in nets.items()}


def lengths() -> dict[int, Fraction]:
    """How large a share of all coups of a fresh shoe of eight decks has so many cards."""
    kinds = count_kinds(Composition.of_decks(8))
    orders: Counter[int] = Counter()
    for (player, banker), ways in kinds.items():
        orders[player.cards + banker.cards] += ways
    return {cards: Fraction(ways, orders.total()) for cards, ways in orders.items()}


def test_four_five_or_six_cards_in_these_shares_of_all_coups() -> None:
    share = lengths()

    assert sum(share.values()) == 1
    assert [round(share[cards] * 1_000_000) for cards in (4, 5, 6)] == [378_868, 303_444, 317_687]


@pytest.mark.parametrize("book", MAIN_ONLY)
def test_without_pairs_an_outcome_is_established_when_the_coup_is_over_and_not_before(
    book: str,
) -> None:
    """Whatever the totals: as long as one card is to come, everything can still turn or push."""
    rules = load(book)
    for player, banker in product(VALUES, repeat=2):
        start = Coup(player, banker)
        assert bool(decided(start, rules)) == (next_side(start) is None)
        for third in VALUES:
            if (side := next_side(start)) is not None:
                later = start.with_card(side, third[0])
                assert bool(decided(later, rules)) == (next_side(later) is None)


VALUES = [
    (Card(rank, Suit.CLUBS), Card(Rank.KING if rank is not Rank.KING else Rank.QUEEN, Suit.CLUBS))
    for rank in list(Rank)[:10]
]
"""Two cards for every total, 1 to 9 and 0, and never a pair."""


def test_the_share_of_coups_with_an_outcome_by_the_number_of_cards() -> None:
    """Without pairs 37.9 % at four cards and 68.2 % at five; with pairs all from the third on."""
    share = lengths()
    four, five = share[4], share[4] + share[5]

    assert round(four * 1000) == 379
    assert round(five * 1000) == 682
    assert five + share[6] == 1
    # Of the coups that reach a fifth card, nearly half are over with it.
    assert round(share[5] / (1 - four) * 1000) == 489


@pytest.mark.parametrize("book", WITH_PAIRS)
def test_with_pairs_the_third_card_always_establishes_and_the_second_never(book: str) -> None:
    """Card three makes the Player Pair or not, whatever comes after it."""
    rules = load(book)
    for first in Rank:
        one, two, three = (Card(rank, Suit.HEARTS) for rank in (first, Rank.FIVE, Rank.NINE))
        assert "player_pair" in decided(Coup((one, one), (two,)), rules)
        assert "player_pair" in decided(Coup((one, three), (two,)), rules)
        assert decided(Coup((one,), (three,)), rules) == set()


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_advice_finds_what_is_decided_by_looking_at_every_ending(book: Rulebook) -> None:
    """Card by card, through coups that the dice deal."""
    dice = Random(2016)
    scene = Scene(book, sentinel=0).shoe()
    for _ in range(5):
        scene.open().close()
        while next_side(scene.table.round.coup) is not None:
            scene.deal(str(dice.choice(DECK)))
            coup = scene.table.round.coup
            found = settled_bets(scene.table, None, book)
            assert set(found) == decided(coup, book), coup
            cards = len(coup.dealt)
            always, never = cards >= 3 and book.id in WITH_PAIRS, cards < 3
            assert not (always and not found)
            assert not (never and found)
        scene.call().settle()


def test_before_any_card_nothing_is_established() -> None:
    scene = dealt("")

    assert settled_bets(scene.table, None, scene.book) == ()
