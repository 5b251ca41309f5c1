"""Heads of days: named by the calendar, signed about then."""

import json
from typing import Any

from cutcard.pack import verify
from cutcard.rules.moment import milliseconds
from tests.cases import every
from tests.golden.packs.make import FOLDER, KEY
from tests.pack.tampering import resealed

HOUR = 3_600_000
DAYS = {
    "2028-02-29": True,
    "2027-02-29": False,
    "2100-02-29": False,
    "2000-02-29": True,
    "2027-02-28": True,
    "2027-04-31": False,
    "2027-12-31": True,
    "2027-13-01": False,
    "2027-00-10": False,
    "2027-01-00": False,
    "2027-1-01": False,
    "２０２７-01-01": False,
    " 2027-01-01": False,
    "": False,
}
TIMES = {-14 * HOUR - 1: False, -14 * HOUR: True, 0: True, 192 * HOUR - 1: True, 192 * HOUR: False}


def signed(name: str, at: int) -> Any:
    """A table's log whose one head is a day's."""
    pack = json.loads((FOLDER / "cow-cow-table.json").read_text("utf-8"))
    pack["heads"] = [{**pack["heads"][3], "name": name, "at": at}]
    return resealed(pack, KEY)


def cases() -> list[tuple[str, int, bool]]:
    found = []
    for name, good in DAYS.items():
        midnight = milliseconds(name) if name.isascii() and len(name) == 10 else 0
        found.append((name, midnight, good))
    return [*found, *(("2030-06-15", milliseconds("2030-06-15") + at, TIMES[at]) for at in TIMES)]


@every(("name", "at", "good"), cases())
def test_a_day_is_in_the_calendar_and_signed_about_then(name: str, at: int, good: bool) -> None:
    found = [one.code for one in verify(signed(name, at))]

    assert ("head/name" not in found) == good
