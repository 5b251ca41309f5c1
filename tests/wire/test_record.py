"""Records: events with their entries, steps, standings; one format, and no guessing."""

from typing import Any

import pytest

from cutcard.ledger import Post, TransferId
from cutcard.pack.croupier import Croupier
from cutcard.refusals import Refusal
from cutcard.round.events import RoundOpened
from cutcard.rulebooks import load
from cutcard.table import fold
from cutcard.table.events import OptionsClosed, TableOpened
from cutcard.wire import Happened, Standing, Stepped, read, standing, table_at, write
from tests.cases import every

POSTED = Post(TransferId("t7:4.0"), TransferId("t7:3.2"))
CLOSED = write(Happened(OptionsClosed(5), (POSTED,)))


def played() -> Croupier:
    table = Croupier(load("rws-knockout"), 1)
    table.open({"ann": 100_000, "ben": 100_000}, decks=4)
    table.commit()
    table.round({"ann": {"banker": 5_000}, "ben": {"ante_player": 2_500}})
    table.round({"ann": {"banker": 5_000}})
    return table


def test_as_it_is_written() -> None:
    assert CLOSED == {
        "format": 1,
        "event": {"is": "OptionsClosed", "at": 5},
        "entries": [{"is": "Post", "id": "t7:4.0", "pending": "t7:3.2", "amount": None}],
    }
    assert read(CLOSED) == Happened(OptionsClosed(5), (POSTED,))


@every(
    "change",
    [
        {"format": "1"},
        {"format": True},
        {"format": None},
        {"entries": None},
        {"entries": [{"is": "Payment"}]},
        {"event": None},
        {"standing": {}},
        {"remark": ""},
    ],
)
def test_anything_else_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as caught:
        read({**CLOSED, **change})

    assert caught.value.code == "wire/record"


@every("given", [None, [], "", 1, {}, {"format": 1}, {"format": 1, "step": 3}])
def test_what_is_no_record(given: object) -> None:
    with pytest.raises(Refusal):
        read(given)


def test_another_format_is_not_guessed_at() -> None:
    with pytest.raises(Refusal) as caught:
        read({**CLOSED, "format": 2})

    assert caught.value == Refusal("wire/format", {"number": 2, "known": 1})


def test_a_whole_log_goes_there_and_back() -> None:
    for entry in played().log.entries:
        assert write(read(entry.record)) == entry.record


def test_a_standing_comes_before_every_round_and_nowhere_else() -> None:
    records = [read(entry.record) for entry in played().log.entries]
    stands = [place for place, one in enumerate(records) if isinstance(one, Standing)]
    opens = [
        place
        for place, one in enumerate(records)
        if isinstance(one, Happened) and isinstance(one.event, RoundOpened)
    ]

    assert len(opens) == 2
    assert stands == [place - 1 for place in opens]


def test_from_a_standing_the_round_goes_on_as_from_the_beginning() -> None:
    table = played()
    records = [read(entry.record) for entry in table.log.entries]
    last = max(place for place, one in enumerate(records) if isinstance(one, Standing))
    stood = records[last]
    assert isinstance(stood, Standing)
    rest: Any = [one.event for one in records[last:] if isinstance(one, Happened)]

    assert fold(rest, table_at(stood)) == table.log.table


def test_a_standing_names_the_commitment_of_the_shoe_in_use_only() -> None:
    table = played()
    shoe = table.log.shoe
    assert shoe is not None

    assert standing(table.log.table, shoe).commitment == shoe.commitment.hash.hex()
    assert standing(table.log.table, shoe).left == shoe.left
    assert standing(table.log.table).commitment is None
    table.end()
    assert standing(table.log.table, table.log.shoe).commitment is None


def test_a_table_that_never_opened_has_no_standing() -> None:
    with pytest.raises(AssertionError, match="was opened"):
        standing(fold([]))


def test_steps_are_the_shoes_own() -> None:
    steps = [read(entry.record) for entry in played().log.entries]

    assert isinstance(steps[0], Happened)
    assert any(isinstance(one, Stepped) for one in steps)
    assert any(isinstance(one, Happened) and isinstance(one.event, TableOpened) for one in steps)
