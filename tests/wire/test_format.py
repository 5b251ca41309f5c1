"""The log's format is a promise: written down, true of the engine, and only ever added to."""

from typing import get_args

from cutcard import cage, patron
from cutcard.fairness.record import KINDS as STEPS
from cutcard.fairness.steps import Commitment, Step
from cutcard.ledger import Entry
from cutcard.round import events as in_round
from cutcard.table import events as at_table
from cutcard.wire import kinds, tagged
from tests.cases import every
from tests.wire.format import PROMISED, WRITTEN, names_of, of_the_engine, read, taken_back

ADVICE = "`python -m tests.wire.format` writes down what was added"


def test_what_is_written_down_is_what_the_engine_writes() -> None:
    assert read(WRITTEN) == of_the_engine(), ADVICE


def test_nothing_that_was_promised_is_taken_back() -> None:
    assert [*taken_back(read(PROMISED), of_the_engine())] == []
    assert read(PROMISED) == read(WRITTEN), ADVICE


def test_every_kind_has_a_name_and_no_two_share_one() -> None:
    """A name belongs to one kind for ever, whatever its class is called."""
    listed = {
        **kinds.EVENTS,
        **kinds.ENTRIES,
        **STEPS,
    }
    unions = (at_table.OwnEvent, in_round.Event, cage.Event, patron.Event, Entry, Step)

    assert {*listed.values()} == {*(one for union in unions for one in get_args(union)), Commitment}
    assert len(listed) == len(kinds.EVENTS) + len(kinds.ENTRIES) + len(STEPS)
    promised = read(PROMISED)
    named = names_of(promised[one] for one in ("table", "cage", "patron", "entries", "steps"))
    assert sorted(named) == sorted(listed)


def test_a_class_that_is_called_otherwise_keeps_its_name() -> None:
    kind = at_table.CutCardShown
    kind.__name__ = "YellowCardShown"
    try:
        assert tagged(kind("dana", 7)) == {"is": "CutCardShown", "by": "dana", "at": 7}
    finally:
        kind.__name__ = "CutCardShown"


PARTS = {"parts": {"Coup": "cards:card*"}, "words": {"Side": "player | banker"}}
PROMISE = {"table": {"CardDealt": "side:Side coup:Coup at:whole"}, **PARTS}


@every(
    ("change", "told"),
    [
        ({}, []),
        ({"cage": {"Deposited": "amount:whole"}}, []),
        ({"table": {"CardDealt": "at:whole side:Side coup:Coup by?:text"}}, []),
        ({"words": {"Side": "player | banker | tie"}}, []),
        ({"parts": {"Coup": "cards:card* cut?:Side"}}, []),
        ({"table": {"CardDealt": "side:Side coup:Hands at:whole"},
          "parts": {"Hands": "cards:card*"}}, []),
        ({"table": {}}, ["CardDealt is gone"]),
        ({"table": {"CardDealt": "side:Side coup:Coup at:text"}}, ["CardDealt: at:whole is gone"]),
        ({"table": {"CardDealt": "side:Side coup:Coup at:whole by:text"}},
         ["CardDealt: by:text is new, and older records do not have it"]),
        ({"words": {"Side": "player"}}, ["CardDealt: side:banker is gone"]),
        ({"parts": {"Coup": "cards:card"}}, ["CardDealt: coup.cards:card* is gone"]),
        ({"parts": {"Coup": "cards:card* cut:whole"}},
         ["CardDealt: coup.cut:whole is new, and older records do not have it"]),
    ],
)  # fmt: skip
def test_what_breaks_a_promise_is_told(change: dict[str, dict[str, str]], told: list[str]) -> None:
    assert [*taken_back(PROMISE, {**PROMISE, **change})] == told
