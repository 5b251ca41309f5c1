"""The watched source: what stops dealing, and what must not."""

from collections.abc import Callable
from hashlib import sha256
from itertools import count
from math import comb

import pytest

from cutcard.fairness.source import (
    ALPHA_BITS,
    MOST_IN_WINDOW,
    MOST_REPEATED,
    WINDOW,
    Source,
)
from cutcard.refusals import Refusal
from tests.cases import every

STUCK = Refusal("fairness/entropy-stuck", {"times": 6})
LOPSIDED = Refusal("fairness/entropy-lopsided", {"times": 19, "window": 512})


def lively(seed: str = "source") -> Callable[[int], bytes]:
    """A source with nothing wrong, the same on every run."""
    counter = count()

    def draw(size: int) -> bytes:
        blocks = (
            sha256(f"{seed} {next(counter)}".encode()).digest() for _ in range(size // 32 + 1)
        )
        return b"".join(blocks)[:size]

    return draw


def told(source: Source, size: int) -> Refusal | None:
    try:
        source.take(size)
    except Refusal as refusal:
        return refusal
    return None


def given(*parts: bytes) -> Source:
    """A source that gives these parts, one a draw."""
    rest = iter(parts)
    return Source(lambda size: next(rest))


def test_sound_bytes_pass_as_they_are() -> None:
    source, same = Source(lively()), lively()

    assert all(source.take(3432) == same(3432) for _ in range(20))


# --- repetition count


def test_the_repetition_cutoff_is_the_standards_formula() -> None:
    assert MOST_REPEATED == 1 + -(-ALPHA_BITS // 8) == 6


def test_six_equal_bytes_in_a_row_are_a_failure_and_five_are_not() -> None:
    assert told(given(b"abc" + b"x" * 5 + b"def"), 11) is None
    assert told(given(b"abc" + b"x" * 6 + b"de"), 11) == STUCK


def test_the_very_first_bytes_are_counted_as_all_others() -> None:
    assert told(given(b"\x01" * 5), 5) is None
    assert told(given(b"\x01" * 6), 6) == STUCK


def test_a_row_is_counted_over_two_draws() -> None:
    source = given(b"abcxxx", b"xxxdef")

    assert told(source, 6) is None
    assert told(source, 6) == STUCK


# --- adaptive proportion


def test_the_proportion_cutoff_is_the_least_that_the_standard_allows() -> None:
    """1 + the least k with P(binomial(512, 1/256) > k) ≤ 2^-40, in integers."""

    def beyond(k: int) -> int:
        return sum(comb(WINDOW, hits) * 255 ** (WINDOW - hits) for hits in range(k + 1, WINDOW + 1))

    least = next(k for k in range(WINDOW) if beyond(k) << ALPHA_BITS <= 256**WINDOW)

    assert 1 + least == MOST_IN_WINDOW == 19


def test_a_sound_source_is_stopped_once_in_three_hundred_million_shoes() -> None:
    """The chance of either alarm over the 3,432 bytes of a shoe, bounded from above."""
    windows = 1 + 3432 // WINDOW
    hits = sum(
        comb(WINDOW - 1, one) * 255 ** (WINDOW - 1 - one) for one in range(18, WINDOW)
    )  # of 256^511
    alarms = windows * hits * 256**5 + 3432 * 256 ** (WINDOW - 1)

    assert alarms * 300_000_000 < 256 ** (WINDOW + 4)


def filler(size: int) -> bytes:
    """Bytes without an x, none twice in a row."""
    return bytes(place % 100 for place in range(size))


@pytest.mark.parametrize(("times", "failure"), [(18, None), (19, LOPSIDED)])
def test_a_window_may_hold_its_first_byte_eighteen_times(
    times: int, failure: Refusal | None
) -> None:
    drawn = b"".join(b"x" + filler(20) for _ in range(times))

    assert told(given(drawn), len(drawn)) == failure


def test_a_window_ends_after_512_bytes() -> None:
    """The nineteenth is the last byte of the window, or the first of the next."""
    part = b"".join(b"x" + filler(20) for _ in range(18))
    inside = part + filler(WINDOW - 1 - len(part)) + b"x"
    outside = part + filler(WINDOW - len(part)) + b"x"

    assert told(given(inside), WINDOW) == LOPSIDED
    assert told(given(outside), WINDOW + 1) is None


def test_each_window_counts_anew() -> None:
    part = b"".join(b"x" + filler(20) for _ in range(18))
    window = part + filler(WINDOW - len(part))

    assert told(given(window * 3), 3 * WINDOW) is None


def test_a_window_goes_on_in_the_next_draw() -> None:
    half = b"".join(b"x" + filler(20) for _ in range(10))
    source = given(half, half[::-1])

    assert told(source, len(half)) is None
    assert told(source, len(half)) == LOPSIDED


# --- faults that machines make


def test_a_draw_that_begins_as_the_one_before_is_a_failure() -> None:
    """A copied or restored generator gives the same block again; sound entropy never does."""
    one, other = (lively(seed)(64) for seed in "ab")
    again = Refusal("fairness/entropy-repeated", {"bytes": 16})

    source = given(one, other, one, one)
    assert [told(source, 64) for _ in range(4)] == [None, None, None, again]
    assert told(source, 64) == again
    source = given(one, one[:16] + other)
    assert [told(source, size) for size in (64, 80)] == [None, again]
    source = given(one, one[:15] + other)
    assert [told(source, size) for size in (64, 79)] == [None, None]


def test_a_few_bytes_may_come_twice() -> None:
    source = given(b"fifteen bytes..", b"fifteen bytes..")

    assert [told(source, 15), told(source, 15)] == [None, None]


def test_a_draw_that_raises_has_failed_for_good() -> None:
    asked = []

    def draw(size: int) -> bytes:
        asked.append(size)
        if len(asked) == 1:
            raise OSError("no entropy today")
        return lively()(size)

    source = Source(draw)
    failed = Refusal("fairness/entropy-failed", {"why": "OSError"})

    assert [told(source, 32) for _ in range(3)] == [failed] * 3
    assert asked == [32]


# --- failure


@every("drawn", [b"", b"ab", b"abcd"])
def test_a_draw_of_another_length_is_a_failure(drawn: bytes) -> None:
    short = Refusal("fairness/entropy-short", {"bytes": len(drawn), "least": 3})

    assert told(given(drawn), 3) == short


def test_a_failed_source_stays_failed_and_is_not_asked_again() -> None:
    """A source that recovers by itself has still failed; a person must look at it."""
    asked = []

    def draw(size: int) -> bytes:
        asked.append(size)
        return bytes(size) if len(asked) == 1 else lively()(size)

    source = Source(draw)

    assert [told(source, 32) for _ in range(3)] == [STUCK] * 3
    assert asked == [32]
