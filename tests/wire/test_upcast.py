"""Old formats are read for ever; newer ones are not guessed at."""

import pytest

from cutcard.patron.events import SessionStarted
from cutcard.refusals import Refusal
from cutcard.wire import Concerning, read, write
from cutcard.wire.upcast import upcast
from tests.cases import every


def test_a_record_of_the_first_format_is_brought_up_step_by_step() -> None:
    casters = {
        1: lambda old: {**old, "by": "unknown"},
        2: lambda old: {**old, "by": old["by"].upper()},
    }

    assert upcast({"format": 1, "at": 5}, 3, casters) == {"format": 3, "at": 5, "by": "UNKNOWN"}
    assert upcast({"format": 3, "at": 5}, 3, casters) == {"format": 3, "at": 5}


@every("number", [0, 2, -1])
def test_what_nobody_can_read_is_refused(number: int) -> None:
    with pytest.raises(Refusal) as caught:
        upcast({"format": number}, 1)

    assert (caught.value.code, caught.value.params["known"]) == ("wire/format", 1)


def test_the_patrons_log_says_whose_each_event_is() -> None:
    record = Concerning("p-abc", SessionStarted(at=5))

    assert write(record) == {
        "format": 1,
        "patron": "p-abc",
        "event": {"is": "SessionStarted", "at": 5},
    }
    assert read(write(record)) == record
    with pytest.raises(Refusal):
        read({**write(record), "patron": 7})
    with pytest.raises(Refusal):
        read({**write(record), "event": {"is": "TableClosed", "by": "x", "at": 1}})
