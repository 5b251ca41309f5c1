"""What steps are bound to: every word of the commitment counts."""

from dataclasses import replace
from typing import Any

from cutcard.fairness import is_committed, seal, show
from cutcard.fairness.steps import leaf
from cutcard.rules.cards import DECK
from tests.cases import every
from tests.fairness.playing import committed, ready

COMMITMENT = committed().commitment
CHANGES: dict[str, Any] = {
    "table": "t8",
    "number": 2,
    "book": "beef",
    "decks": 2,
    "behind_cut": 15,
    "seeds_until": 1,
    "root": bytes(32),
}


@every("name", CHANGES)
def test_a_commitment_is_bound_to_all_its_terms(name: str) -> None:
    """Shoe, rulebook, decks, cut card, cut-off and root: one changed, and it is another."""
    other = replace(COMMITMENT, **{name: CHANGES[name]})

    assert other.hash != COMMITMENT.hash
    assert seal(other, "ann", bytes(32)) != seal(COMMITMENT, "ann", bytes(32))


def test_every_term_is_tried_above() -> None:
    assert set(CHANGES) == set(COMMITMENT.__slots__)


def test_a_leaf_is_bound_to_position_card_and_nonce() -> None:
    nonce, other = bytes(32), bytes([1]) * 32
    leaves = {
        leaf(0, DECK[0], nonce),
        leaf(1, DECK[0], nonce),
        leaf(0, DECK[1], nonce),
        leaf(0, DECK[0], other),
    }

    assert len(leaves) == 4


def test_the_nonce_hides_the_card() -> None:
    """Without one, whoever tries the 52 cards would know what a leaf holds."""
    secret = committed().secret
    hashed = secret.tree[0][0]

    assert hashed not in {leaf(0, card, bytes(32)) for card in DECK}
    assert hashed in {leaf(0, card, secret.nonces[0]) for card in DECK}


@every("position", [-1, 52, 2**32])
def test_a_position_outside_the_shoe_is_not_committed(position: int) -> None:
    played = ready(committed())
    shown = show(played.shoe, played.secret)

    assert is_committed(played.commitment, shown)
    assert not is_committed(played.commitment, replace(shown, position=position))
