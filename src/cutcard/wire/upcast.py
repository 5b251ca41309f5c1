"""Upcasters: records of an older format, read as if they had been written today.

Nothing in a log is ever rewritten, so whoever changes what a record looks like raises
`record.FORMAT` and adds here how one of the format before becomes one of the new. They
are applied one after another; a record of the first day is read for ever.
"""

from collections.abc import Callable, Mapping

from cutcard.refusals import Refusal
from cutcard.wire.codec import Plain

UPCASTERS: Mapping[int, Callable[[Plain], Plain]] = {}
"""From each old format to the next one. There is only one format so far."""


def upcast(
    given: Plain, known: int, casters: Mapping[int, Callable[[Plain], Plain]] = UPCASTERS
) -> Plain:
    """A record in the format that is known; refuses one that is newer, or older than any."""
    number = given["format"]
    assert isinstance(number, int), "the format was checked to be a number"
    while number < known and number in casters:
        given = {**casters[number](given), "format": number + 1}
        number += 1
    if number != known:
        raise Refusal("wire/format", {"number": number, "known": known})
    return given
