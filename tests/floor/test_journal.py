"""The journal: engine values in plain ones, and nothing that a file could not hold."""

import json

import pytest

from cutcard.floor.journal import plain, record
from cutcard.ledger import Post, TransferId
from cutcard.patron import Kind, LimitTightened
from cutcard.round.events import CardDealt
from cutcard.rules.cards import parse_cards
from cutcard.rules.coup import Coup, Side
from cutcard.rules.rulebook import Role
from cutcard.table.events import IncidentReported, IncidentResolved
from cutcard.table.incident import Incident, Step
from tests.cases import every

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


@every(
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


def test_an_incident_with_its_cards() -> None:
    found = Incident(3, "card to the wrong side", 7, "dan", (NINE,), Coup.parse("9h / Kc"))

    written = record(1, "table-1", IncidentReported(found, "CB4 5.8.1", 5), [])

    assert written["incident"] == {
        "number": 3,
        "kind": "card to the wrong side",
        "round": 7,
        "by": "dan",
        "drawn": ["9h"],
        "lying": {"player": ["9h"], "banker": ["Kc"]},
        "exposed": None,
        "note": "",
    }
    assert json.loads(json.dumps(written)) == written


def test_a_step_with_who_took_it() -> None:
    taken = IncidentResolved(
        3, Step.PLAY_ON, "unseen", "", "CB4 5.8.1", "pia", Role.PIT_SUPERVISOR, 5
    )

    written = record(1, "table-1", taken, [])

    assert (written["step"], written["role"]) == (Step.PLAY_ON.value, "pit supervisor")
    assert json.loads(json.dumps(written)) == written


def test_what_it_has_no_words_for() -> None:
    with pytest.raises(AssertionError, match="no words"):
        plain(1.5)
