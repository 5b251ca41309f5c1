"""Steps as plain values: written and read back, in one form only."""

import json

import pytest

from cutcard.chain import canonical
from cutcard.fairness import CardTaken, abort
from cutcard.fairness.record import parse, plain
from cutcard.refusals import Refusal
from tests.cases import every
from tests.fairness.playing import committed, finished

PLAYED = finished(committed())
EVERY = (PLAYED.commitment, *PLAYED.steps, abort(PLAYED.secret, "fire alarm"))


def test_every_step_is_read_back_from_its_canonical_bytes() -> None:
    assert [parse(json.loads(canonical(plain(step)))) for step in EVERY] == list(EVERY)


def test_every_kind_of_step_is_tried_above() -> None:
    assert len({type(step) for step in EVERY}) == 8


def test_a_record_is_plain() -> None:
    assert plain(CardTaken(7)) == {"step": "CardTaken", "place": 7}
    assert plain(PLAYED.commitment) == {
        "step": "Commitment",
        "table": "t7",
        "number": 1,
        "book": "c0ffee",
        "decks": 1,
        "behind_cut": 14,
        "seeds_until": 1_000_000,
        "root": PLAYED.commitment.root.hex(),
    }


@every(
    "record",
    [
        None,
        [],
        "CardTaken",
        {},
        {"step": "CardTaken"},
        {"step": "cardtaken", "place": 7},
        {"step": [], "place": 7},
        {"step": "CardTaken", "place": "7"},
        {"step": "CardTaken", "place": 7.0},
        {"step": "CardTaken", "place": True},
        {"step": "CardTaken", "place": 7, "card": "9h"},
        {"step": "SeedGiven", "giver": 7, "seed": "00"},
        {"step": "SeedGiven", "giver": "ann", "seed": "0"},
        {"step": "SeedGiven", "giver": "ann", "seed": "AA"},
        {"step": "SeedGiven", "giver": "ann", "seed": "aa bb"},
        {"step": "SeedGiven", "giver": "ann", "seed": None},
        {"step": "ShoeOpened", "cards": "10h", "nonces": ["00"]},
        {"step": "ShoeOpened", "cards": "Th  9h", "nonces": ["00"]},
        {"step": "ShoeOpened", "cards": "Xh", "nonces": ["00"]},
        {"step": "ShoeOpened", "cards": [], "nonces": []},
        {"step": "ShoeOpened", "cards": "Th", "nonces": "00"},
    ],
)
def test_whatever_would_not_have_been_written_is_refused(record: object) -> None:
    with pytest.raises(Refusal) as refused:
        parse(record)

    assert refused.value == Refusal("fairness/record")
