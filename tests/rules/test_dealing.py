"""Dealing a demonstration shoe: the same seed, the same transcript."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.refusals import Refusal
from cutcard.rulebooks import ids, load
from cutcard.rules.cards import format_cards
from cutcard.rules.dealing import deal, demonstration_shoe
from cutcard.rules.shoe import SeededDice, composition, deal_shoe, full_shoe, shuffled
from tests.cases import every

BOOK = load("rws-commission")


class Extreme:
    """Dice that always fall on their least or their greatest number."""

    def __init__(self, greatest: bool) -> None:
        self._greatest = greatest

    def below(self, bound: int) -> int:
        return bound - 1 if self._greatest else 0


@every("book", ids())
def test_every_book_deals_the_same_from_the_same_seed(book: str) -> None:
    once, again, other = (deal(load(book), seed) for seed in (3, 3, 4))

    assert once == again
    assert once.book == book
    assert other.shoe.cards != once.shoe.cards


def test_the_shoe_is_shuffled_first_and_then_cut() -> None:
    """One pair of dice does both, in this order, so that a seed names the whole shoe."""
    dice = SeededDice(11)
    cards = shuffled(full_shoe(8), dice)

    assert demonstration_shoe(BOOK, 11).cards == cards
    assert demonstration_shoe(BOOK, 11).behind_cut == 14 + dice.below(52 - 14 + 1)


@pytest.mark.parametrize(("greatest", "behind"), [(False, 14), (True, 52)])
def test_the_cut_card_stands_between_the_books_bounds_both_included(
    monkeypatch: pytest.MonkeyPatch, greatest: bool, behind: int
) -> None:
    monkeypatch.setattr("cutcard.rules.dealing.SeededDice", lambda seed: Extreme(greatest))

    assert demonstration_shoe(BOOK, 1).behind_cut == behind


def test_every_place_between_the_bounds_is_used() -> None:
    places = {demonstration_shoe(BOOK, seed, decks=4).behind_cut for seed in range(400)}

    assert places == set(range(14, 53))


def test_the_usual_number_of_decks_unless_another_is_asked_for() -> None:
    assert deal(BOOK, 1, rounds=1).decks == 8
    for decks in (4, 5, 8):
        transcript = deal(BOOK, 1, decks, rounds=1)
        assert transcript.decks == decks
        assert isinstance(transcript.decks, int)
        assert set(composition(transcript.shoe.cards).values()) == {decks}


@every("decks", [0, 3, 9])
def test_other_numbers_of_decks_are_refused(decks: int) -> None:
    with pytest.raises(Refusal) as caught:
        deal(BOOK, 1, decks)

    assert caught.value == Refusal("shoe/decks", {"decks": decks, "allowed": "4–8"}, "CB4 2.2.1")


@every("rounds", [1, 2, 10])
def test_the_first_rounds_are_those_of_the_whole_shoe(rounds: int) -> None:
    whole, part = deal(BOOK, 5), deal(BOOK, 5, rounds=rounds)

    assert part.coups == whole.coups[:rounds]
    assert not any(dealt.cut_card for dealt in part.coups)
    assert whole.coups == tuple(deal_shoe(whole.shoe))


@pytest.mark.parametrize("rounds", [1_000, 10**30])
def test_more_rounds_than_the_shoe_holds_end_at_the_cut_card(rounds: int) -> None:
    assert deal(BOOK, 5, rounds=rounds) == deal(BOOK, 5)


@pytest.mark.parametrize("rounds", [0, -1])
def test_no_rounds_cannot_be_dealt(rounds: int) -> None:
    with pytest.raises(Refusal) as caught:
        deal(BOOK, 5, rounds=rounds)

    assert caught.value == Refusal("shoe/rounds", {"rounds": rounds}, None)


def test_a_transcript_is_written_in_full() -> None:
    transcript = deal(BOOK, 7, decks=4, rounds=2)
    shoe, (first, second) = transcript.shoe, transcript.coups

    assert transcript.document() == {
        "book": "rws-commission",
        "seed": 7,
        "decks": 4,
        "cards": 208,
        "exposed": str(shoe.cards[0]),
        "burned": len(shoe.burned),
        "cut_card": 209 - shoe.behind_cut,
        "rounds": [
            {
                "round": number,
                "coup": str(dealt.coup),
                "player": dealt.coup.player_points,
                "banker": dealt.coup.banker_points,
                "winner": dealt.coup.winner.value,
                "cut_card": False,
            }
            for number, dealt in ((1, first), (2, second))
        ],
        "left": 208 - 1 - len(shoe.burned) - len(first.coup.dealt) - len(second.coup.dealt),
    }


@given(st.integers(), st.sampled_from(ids()), st.integers(1, 100))
def test_a_transcript_accounts_for_every_card(seed: int, book: str, rounds: int) -> None:
    transcript = deal(load(book), seed, rounds=rounds)
    dealt = [card for one in transcript.coups for card in one.coup.dealt]
    left = transcript.shoe.cards[len(transcript.shoe.cards) - transcript.left :]
    whole = [transcript.shoe.exposed, *transcript.shoe.burned, *dealt, *left]

    assert format_cards(whole) == format_cards(transcript.shoe.cards)
    assert composition(whole) == composition(full_shoe(8))
