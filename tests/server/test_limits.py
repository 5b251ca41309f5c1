"""The limiter: exact at the edges of its window, and never larger than it may be."""

from hypothesis import given
from hypothesis import strategies as st

from cutcard.server.limits import Limiter


def test_the_window_slides() -> None:
    limiter = Limiter(most=2, window_ms=1000)

    assert [limiter.take("ann", at) for at in (0, 400, 500)] == [0, 0, 500]
    assert limiter.take("ann", 999) == 1
    assert limiter.take("ann", 1000) == 0
    assert limiter.take("ann", 1001) == 399


def test_asking_counts_nothing() -> None:
    limiter = Limiter(most=1, window_ms=1000)

    assert [limiter.wait("ann", 0) for _ in range(3)] == [0, 0, 0]
    assert limiter.take("ann", 0) == 0
    assert limiter.wait("ann", 1) == 999


def test_keys_do_not_count_for_each_other() -> None:
    limiter = Limiter(most=1, window_ms=1000)

    assert [limiter.take(key, 0) for key in ("ann", "ben", "ann")] == [0, 0, 1000]


def test_what_is_given_back_was_never_counted() -> None:
    limiter = Limiter(most=2, window_ms=1000)
    limiter.take("ann", 0)
    limiter.take("ann", 10)

    limiter.give_back("ann", 10)

    assert limiter.take("ann", 20) == 0
    assert limiter.take("ann", 20) == 980


def test_giving_back_what_was_not_taken_changes_nothing() -> None:
    limiter = Limiter(most=1, window_ms=1000)
    limiter.take("ann", 0)

    limiter.give_back("ann", 7)
    limiter.give_back("ben", 0)

    assert limiter.wait("ann", 0) == 1000


def test_a_key_is_forgotten_on_request_and_when_its_time_is_over() -> None:
    limiter = Limiter(most=1, window_ms=1000)
    limiter.take("ann", 0)
    limiter.take("ben", 0)

    limiter.forget("ann")
    limiter.wait("ben", 1000)

    assert len(limiter) == 0


def test_a_flood_of_keys_stays_within_bounds_and_frees_nobody_who_must_wait() -> None:
    limiter = Limiter(most=3, window_ms=60_000, keys=100)
    for at in range(3):
        limiter.take("ann", at)

    for number in range(10_000):
        limiter.take(f"made up {number}", 10)

    assert len(limiter) == 100
    assert limiter.wait("ann", 11) == 59_989


def test_even_keys_that_must_all_wait_stay_within_bounds() -> None:
    limiter = Limiter(most=1, window_ms=60_000, keys=100)

    for number in range(1_000):
        limiter.take(f"made up {number}", number)

    assert len(limiter) == 100
    assert limiter.wait("made up 999", 1_000) > 0


def test_what_is_over_makes_room_first() -> None:
    limiter = Limiter(most=2, window_ms=100, keys=2)
    limiter.take("over", 0)
    limiter.take("over", 0)
    limiter.take("ann", 150)

    limiter.take("ben", 200)
    limiter.take("ann", 200)

    assert limiter.wait("ann", 200) == 50


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30)), max_size=60),
    st.integers(1, 4),
    st.integers(1, 50),
)
def test_it_agrees_with_counting(steps: list[tuple[str, int]], most: int, window: int) -> None:
    limiter, now = Limiter(most, window), 0
    taken: list[tuple[str, int]] = []
    for key, later in steps:
        now += later
        recent = [at for other, at in taken if other == key and at > now - window]

        wait = limiter.take(key, now)

        assert wait == (recent[-most] + window - now if len(recent) >= most else 0)
        if not wait:
            taken.append((key, now))
