"""Entries: ids that carry their place in their writer's log."""

from itertools import islice

import pytest

from cutcard.ledger import TransferId, numbered, transfer_id
from cutcard.ledger.entries import parse_id
from cutcard.refusals import Refusal
from tests.cases import every


def test_an_id_names_its_source_its_event_and_its_place() -> None:
    assert transfer_id("table-7", 17, 2) == "table-7:17.2"
    assert transfer_id("cage", 0) == "cage:0.0"


def test_an_id_is_read_back() -> None:
    assert parse_id(TransferId("table-7:17.2")) == ("table-7", (17, 2))
    assert parse_id(transfer_id("a.b c", 10**18 - 1, 10)) == ("a.b c", (10**18 - 1, 10))


def test_the_entries_of_an_event_are_numbered_from_nought() -> None:
    assert list(islice(numbered("t7", 4), 3)) == ["t7:4.0", "t7:4.1", "t7:4.2"]


@every(
    "text",
    [
        "",
        "t7",
        "t7:",
        "t7:1",
        "t7:1.",
        "t7:.1",
        ":1.0",
        "t7:01.0",
        "t7:1.00",
        "t7:-1.0",
        "t7:+1.0",
        "t7:1.0 ",
        "t7:1.0\n",
        "t7:x.0",
        "t7:1.0.0",
        "t7:٣.0",
        "a:b:1.0",
        "a\nb:1.0",
        f"t7:{10**18}.0",
        "t7:" + "9" * 5000 + ".0",
    ],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_id(TransferId(text))

    assert refused.value == Refusal("ledger/id", {"id": text})


@every(("source", "event", "place"), [("", 1, 0), ("a:b", 1, 0), ("t7", -1, 0), ("t7", 1, -1)])
def test_no_id_can_be_made_that_could_not_be_read(source: str, event: int, place: int) -> None:
    with pytest.raises(Refusal, match="is no transfer id"):
        transfer_id(source, event, place)
