"""Moments as books write them, and as a log counts them.

The rules have no clock and need none: a moment is a text in a book, and turning
it into milliseconds since 1970 in UTC is arithmetic.
"""

from re import fullmatch

PATTERN = r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:\d\d))?"
"""A day, or a moment with its distance from UTC, as ISO 8601 writes it."""


def milliseconds(text: str) -> int:
    """A moment in UTC milliseconds; a day begins at midnight UTC.

    >>> milliseconds("1970-01-02")
    86400000
    >>> milliseconds("2016-05-12T23:59+08:00")
    1463068740000
    """
    found = fullmatch(PATTERN, text)
    assert found is not None, f"{text} was checked when its book was read"
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    minutes = (_days(year, month, day) * 24 + hour) * 60 + minute - _offset(found[7])
    return (minutes * 60 + second) * 1000


def written(at: int) -> str:
    """A moment as people write it, in UTC; one that no calendar reaches stays a number.

    >>> written(1463068740000)
    '2016-05-12T15:59:00.000Z'
    """
    if at > milliseconds("9999-12-31T23:59:59Z") + 999:
        return str(at)
    days, left = divmod(at, 86_400_000)
    year, month, day = _date(days)
    hour, left = divmod(left, 3_600_000)
    minute, left = divmod(left, 60_000)
    second, ms = divmod(left, 1000)
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z"


def _offset(zone: str | None) -> int:
    """Minutes that a zone is ahead of UTC."""
    if zone is None or zone == "Z":
        return 0
    ahead = int(zone[1:3]) * 60 + int(zone[4:])
    return -ahead if zone[0] == "-" else ahead


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01; years begin in March here, so that a leap day is a year's last."""
    if month <= 2:
        year, month = year - 1, month + 12
    leaps = year // 4 - year // 100 + year // 400
    return 365 * year + leaps + (153 * (month - 3) + 2) // 5 + day - 719_469


def _date(days: int) -> tuple[int, int, int]:
    """The year, month and day that lie some days after 1970-01-01."""
    # This is never too early a year; going back from it finds the March that was the last.
    year = (days + 719_468) * 400 // 146_097 + 1
    while _days(year, 3, 1) > days:
        year -= 1
    since = days - _days(year, 3, 1)
    month = (5 * since + 2) // 153
    day = since - (153 * month + 2) // 5 + 1
    return (year, month + 3, day) if month < 10 else (year + 1, month - 9, day)
