"""What counts against a limit, and for how long."""

import pytest

from cutcard.patron import (
    DAY,
    HOUR,
    DepositRecorded,
    Kind,
    Patron,
    ResultBooked,
    SessionEnded,
    SessionStarted,
    evolve,
)

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


@pytest.mark.parametrize(
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
