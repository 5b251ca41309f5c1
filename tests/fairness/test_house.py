"""The house's side: nothing of the secret gets out too early."""

import pytest

from cutcard.fairness import Source, advance, prepare, show, take
from cutcard.fairness.order import entropy_needed
from cutcard.refusals import Refusal
from tests.cases import every
from tests.fairness.playing import burned, closed, committed, finished, ready, seeded

PLAYED = ready(committed())


def test_a_secret_does_not_show_when_it_is_printed() -> None:
    assert repr(PLAYED.secret) == "Secret()"


def test_what_is_public_holds_no_undealt_card_and_no_nonce_of_one() -> None:
    played = burned(PLAYED)
    written = repr((played.shoe, played.steps))
    unseen = set(range(52)) - {played.shoe.order[place] for place in played.shoe.shown}

    assert all(repr(played.secret.nonces[position]) not in written for position in unseen)
    assert played.shoe.opened == ()


def test_a_commitment_holds_the_terms_it_was_asked_for() -> None:
    commitment = PLAYED.commitment

    assert (commitment.shoe, commitment.book, commitment.decks) == ("t7/1", "c0ffee", 1)
    assert (commitment.behind_cut, commitment.seeds_until) == (14, 1_000_000)
    assert commitment.root == PLAYED.secret.tree[-1][0]


def test_two_shoes_are_never_alike() -> None:
    source = seeded(3)
    terms = {"table": "t7", "book": "b", "behind_cut": 14, "seeds_until": 1}
    (one, first), (other, second) = (
        prepare(source, number=number, decks=1, **terms)  # type: ignore[arg-type]
        for number in (1, 2)
    )

    assert first.cards != second.cards
    assert one.root != other.root


def test_fresh_entropy_is_drawn_for_each_shoe() -> None:
    asked: list[int] = []
    sound = seeded(1)

    def draw(size: int) -> bytes:
        asked.append(size)
        return sound.take(size)

    source = Source(draw)
    for number in (1, 2):
        prepare(source, table="t", number=number, book="b", decks=8, behind_cut=14, seeds_until=1)

    assert asked == [entropy_needed(8)] * 2


def test_a_dead_source_deals_nothing() -> None:
    with pytest.raises(Refusal) as refused:
        prepare(Source(bytes), table="t", number=1, book="b", decks=8, behind_cut=14, seeds_until=1)

    assert refused.value == Refusal("fairness/entropy-stuck", {"times": 6})


@every("place", [-1, 1, 51, 52])
def test_no_proof_is_made_for_a_card_still_in_the_shoe(place: int) -> None:
    with pytest.raises(Refusal) as refused:
        show(PLAYED.shoe, PLAYED.secret, place)

    assert refused.value == Refusal("fairness/place", {"number": place + 1})


def test_no_proof_is_made_while_cards_are_to_be_burned() -> None:
    shoe = advance(PLAYED.shoe, show(PLAYED.shoe, PLAYED.secret))

    with pytest.raises(Refusal) as refused:
        show(shoe, PLAYED.secret)

    assert refused.value == Refusal("fairness/place", {"number": 2})


def test_no_proof_is_made_before_the_seeds_are_given_or_after_the_end() -> None:
    for played, phase in ((closed(committed()), "giving"), (finished(committed()), "opened")):
        with pytest.raises(Refusal) as refused:
            show(played.shoe, played.secret)

        assert refused.value == Refusal("fairness/not-now", {"phase": phase})


def test_the_next_card_is_taken_or_shown() -> None:
    shoe = burned(PLAYED).shoe

    assert take(shoe).place == shoe.left
    assert show(shoe, PLAYED.secret).place == shoe.left
