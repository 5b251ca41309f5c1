"""The journal: engine values in plain ones, and nothing that a file could not hold."""

import json

import pytest

from cutcard.floor.journal import plain, record
from cutcard.ledger import Post, TransferId
from cutcard.patron import Kind, LimitTightened
from cutcard.round.events import CardDealt
from cutcard.rules.cards import parse_cards
from cutcard.rules.coup import Side

NINE = parse_cards("9h")[0]


def test_an_event_with_its_entries() -> None:
    posted = Post(TransferId("table-1:4.0"), TransferId("table-1:3.2"))

    written = record(12, "table-1", CardDealt(Side.BANKER, NINE, 5, "deal"), [posted])

    assert written == {
        "n": 12,
        "source": "table-1",
        "event": "CardDealt",
        "side": "banker",
        "card": "9h",
        "at": 5,
        "by": "deal",
        "seen_by": None,
        "entries": [
            {"entry": "Post", "id": "table-1:4.0", "pending": "table-1:3.2", "amount": None}
        ],
    }
    assert json.loads(json.dumps(written)) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, None),
        (True, True),
        ((1, NINE), [1, "9h"]),
        ({NINE: 8}, {"9h": 8}),
        (LimitTightened(Kind.TIME_DAY, 3, 4), {"kind": "time_day", "amount": 3, "at": 4}),
    ],
)
def test_values(value: object, written: object) -> None:
    assert plain(value) == written


def test_what_it_has_no_words_for() -> None:
    with pytest.raises(AssertionError, match="no words"):
        plain(1.5)
