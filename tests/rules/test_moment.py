"""Moments of books as milliseconds, against the calendar of the standard library."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from cutcard.rules.moment import milliseconds, written
from tests.cases import every

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

moments = st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2400, 1, 1))
zones = st.integers(-14 * 60, 14 * 60).map(lambda ahead: timezone(timedelta(minutes=ahead)))


@given(moments, zones)
def test_a_moment_is_the_one_that_the_calendar_gives(moment: datetime, zone: timezone) -> None:
    there = moment.replace(microsecond=0, tzinfo=zone)

    assert milliseconds(there.isoformat()) == (there - EPOCH) // timedelta(milliseconds=1)


@every(
    ("text", "moment"),
    [
        ("1970-01-01", 0),
        ("1970-01-01T00:00Z", 0),
        ("2019-09-16T08:00+08:00", 1_568_592_000_000),
        ("2000-02-29T23:59:59-00:30", 951_870_599_000),
        ("2014-07-30", 1_406_678_400_000),
    ],
)
def test_a_day_a_minute_or_a_second(text: str, moment: int) -> None:
    assert milliseconds(text) == moment


@given(st.datetimes(min_value=datetime(1970, 1, 1)))
def test_a_moment_is_written_as_the_calendar_writes_it(moment: datetime) -> None:
    at = (moment.replace(tzinfo=UTC) - EPOCH) // timedelta(milliseconds=1)

    assert written(at) == moment.isoformat(timespec="milliseconds") + "Z"


@every(
    ("at", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"),
        (951_868_799_999, "2000-02-29T23:59:59.999Z"),
        (951_868_800_000, "2000-03-01T00:00:00.000Z"),
        (978_307_200_000, "2001-01-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (253_402_300_800_000, "253402300800000"),
        (10**18, "1000000000000000000"),
    ],
)
def test_beyond_the_calendar_a_moment_is_a_number(at: int, text: str) -> None:
    assert written(at) == text
