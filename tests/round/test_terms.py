"""Terms: what a round takes along from the moment it opens."""

from dataclasses import FrozenInstanceError

import pytest

from cutcard.round import Apportioning, Entry, Terms


def test_a_table_is_a_terminal_unless_told() -> None:
    terms = Terms("rws-knockout", "hash", (), 6)

    assert terms.entry is Entry.REFUSE
    assert terms.apportioning is Apportioning.ALL
    assert terms.decision_ms == 10_000


def test_terms_cannot_be_changed() -> None:
    terms = Terms("rws-knockout", "hash", (), 6)

    with pytest.raises(FrozenInstanceError):
        terms.boxes = 7  # type: ignore[misc]


def test_policies_are_written_in_words() -> None:
    assert [one.value for one in Entry] == ["refuse", "warn"]
    assert [one.value for one in Apportioning] == ["all", "seated first"]
