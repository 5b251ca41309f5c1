"""What counts against a limit, and for how long."""

from hypothesis import given
from hypothesis import strategies as st

from cutcard.patron import (
    DAY,
    HOUR,
    MINUTE,
    DepositRecorded,
    Kind,
    Patron,
    ResultBooked,
    SessionEnded,
    SessionStarted,
    evolve,
)
from tests.cases import every

NOON = 1_800_000_000_000


def paid_in(*deposits: tuple[int, int]) -> Patron:
    """A patron who paid in so much, so long after noon."""
    patron = Patron()
    for when, amount in deposits:
        patron = evolve(patron, DepositRecorded(amount, NOON + when))
    return patron


def played(*results: tuple[int, int]) -> Patron:
    patron = Patron()
    for when, net in results:
        patron = evolve(patron, ResultBooked(net, NOON + when))
    return patron


@every(
    ("kind", "window"),
    [(Kind.DEPOSIT_DAY, DAY), (Kind.DEPOSIT_WEEK, 7 * DAY), (Kind.DEPOSIT_MONTH, 30 * DAY)],
)
def test_a_deposit_counts_until_exactly_one_window_has_passed(kind: Kind, window: int) -> None:
    patron = paid_in((0, 100))

    assert patron.deposited(kind, NOON) == 100
    assert patron.deposited(kind, NOON + window - 1) == 100
    assert patron.deposited(kind, NOON + window) == 0


def test_deposits_within_a_window_add_up() -> None:
    patron = paid_in((0, 1), (HOUR, 10), (23 * HOUR, 100), (25 * HOUR, 1_000))

    assert patron.deposited(Kind.DEPOSIT_DAY, NOON + 25 * HOUR) == 1_100
    assert patron.deposited(Kind.DEPOSIT_WEEK, NOON + 25 * HOUR) == 1_111


def test_what_no_window_reaches_is_forgotten() -> None:
    patron = paid_in((0, 1), (1, 10), (30 * DAY, 100))

    assert patron.deposits == ((NOON + 1, 10), (NOON + 30 * DAY, 100))


def test_wins_make_up_for_losses() -> None:
    assert played((0, -100), (1, 30)).lost(NOON + 1) == 70
    assert played((0, -100), (1, 100)).lost(NOON + 1) == 0
    assert played((0, -100), (1, 300)).lost(NOON + 1) == 0


def test_a_result_counts_for_exactly_24_hours() -> None:
    patron = played((0, -100), (HOUR, -10))

    assert patron.lost(NOON + DAY - 1) == 110
    assert patron.lost(NOON + DAY) == 10
    assert patron.lost(NOON + DAY + HOUR) == 0


def test_results_older_than_a_day_are_forgotten() -> None:
    assert played((0, -1), (1, -2), (DAY, -4)).results == ((NOON + 1, -2), (NOON + DAY, -4))


def test_a_session_adds_its_own_results_up() -> None:
    patron = played((0, -100))
    for event in (
        SessionStarted(NOON + 1),
        ResultBooked(-20, NOON + 2),
        ResultBooked(5, NOON + 3),
    ):
        patron = evolve(patron, event)

    assert patron.session is not None
    assert patron.session.net == -15
    assert patron.lost(NOON + 3) == 115


def test_a_result_after_the_session_still_counts_as_lost() -> None:
    patron = evolve(Patron(), SessionStarted(NOON))
    patron = evolve(patron, SessionEnded(NOON + 1))
    patron = evolve(patron, ResultBooked(-20, NOON + 2))

    assert patron.session is None
    assert patron.lost(NOON + 2) == 20


# --- time


def sat(*spells: tuple[int, int]) -> Patron:
    """A patron who played in these sessions, from and to so long after noon."""
    patron = Patron()
    for start, end in spells:
        patron = evolve(patron, SessionStarted(NOON + start))
        patron = evolve(patron, SessionEnded(NOON + end))
    return patron


def test_time_is_counted_over_all_sessions_and_this_one() -> None:
    patron = sat((0, HOUR), (2 * HOUR, 2 * HOUR + MINUTE))
    assert patron.played(NOON + 3 * HOUR) == HOUR + MINUTE

    playing = evolve(patron, SessionStarted(NOON + 3 * HOUR))
    assert playing.played(NOON + 3 * HOUR) == HOUR + MINUTE
    assert playing.played(NOON + 3 * HOUR + 7) == HOUR + MINUTE + 7


def test_time_played_is_forgotten_millisecond_by_millisecond() -> None:
    patron = sat((0, HOUR))

    assert patron.played(NOON + DAY) == HOUR
    assert patron.played(NOON + DAY + 1) == HOUR - 1
    assert patron.played(NOON + DAY + HOUR - 1) == 1
    assert patron.played(NOON + DAY + HOUR) == 0
    assert patron.played(NOON + 9 * DAY) == 0


def test_nobody_plays_longer_than_a_day_within_a_day() -> None:
    playing = evolve(Patron(), SessionStarted(NOON))

    assert playing.played(NOON + 3 * DAY) == DAY
    assert evolve(playing, SessionEnded(NOON + 3 * DAY)).sessions == (
        (NOON + 2 * DAY, NOON + 3 * DAY),
    )


def test_sessions_that_no_window_reaches_are_forgotten() -> None:
    assert sat((0, 5), (6, 9), (DAY, DAY + 7)).sessions == (
        (NOON + 7, NOON + 9),
        (NOON + DAY, NOON + DAY + 7),
    )


def test_a_session_without_length_is_not_remembered() -> None:
    assert sat((0, 0), (5, 5)).sessions == ()
    assert sat((5, 4)).sessions == ()


@given(st.lists(st.integers(0, 9 * HOUR), max_size=14), st.integers(0, 30 * HOUR))
def test_time_played_is_what_a_reader_of_the_whole_log_would_count(
    waits: list[int], later: int
) -> None:
    """Nothing that is forgotten was still needed."""
    patron, now, began = Patron(), NOON, None
    spells: list[tuple[int, int]] = []
    for wait in waits:
        now += wait
        if began is None:
            patron, began = evolve(patron, SessionStarted(now)), now
        else:
            patron, spells, began = evolve(patron, SessionEnded(now)), [*spells, (began, now)], None
    now += later
    whole = spells if began is None else [*spells, (began, now)]
    first = now - DAY

    assert patron.played(now) == sum(
        max(0, min(end, now) - max(start, first)) for start, end in whole
    )
