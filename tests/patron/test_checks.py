"""The questions others ask: the exact unit and the exact millisecond where the answer turns."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from cutcard.patron import (
    DAY,
    FOREVER,
    HOUR,
    MINUTE,
    Kind,
    Loosening,
    Patron,
    RealityCheck,
    Session,
    check_bet,
    check_buy_in,
    check_deposit,
    check_withdrawal,
    reality_check,
)
from cutcard.patron.checks import check_time_left
from cutcard.refusals import Refusal
from tests.cases import every

NOON = 1_800_000_000_000
PLAYING = Patron(session=Session(started_at=NOON, checked_at=NOON))


def refusal(check: Callable[..., None], *arguments: Any, **more: Any) -> Refusal:
    with pytest.raises(Refusal) as refused:
        check(*arguments, **more)
    return refused.value


def limited(patron: Patron = PLAYING, **limits: int) -> Patron:
    return replace(patron, limits={Kind(kind): amount for kind, amount in limits.items()})


# --- deposits


def test_without_limits_any_amount_may_be_paid_in() -> None:
    check_deposit(Patron(), 10**18, NOON)


@every(("kind", "hours"), [("deposit_day", 24), ("deposit_week", 168), ("deposit_month", 720)])
def test_a_deposit_may_reach_its_limit_and_not_pass_it(kind: str, hours: int) -> None:
    patron = limited(Patron(deposits=((NOON, 300),)), **{kind: 1_000})

    check_deposit(patron, 700, NOON + 1)
    assert refusal(check_deposit, patron, 701, NOON + 1) == Refusal(
        "patron/deposit-limit", {"amount": 701, "limit": 1_000, "hours": hours, "room": 700}
    )
    check_deposit(patron, 1_000, NOON + hours * HOUR)
    assert refusal(check_deposit, patron, 701, NOON + hours * HOUR - 1).params["room"] == 700


@every(
    ("day", "week", "month", "hours", "room"),
    [
        (100, 200, 300, 24, 100),
        (300, 200, 250, 168, 150),
        (300, 250, 150, 720, 100),
        (500, 200, 150, 720, 100),
        (100, 120, 300, 168, 70),
    ],
)
def test_of_several_limits_the_lowest_applies(
    day: int, week: int, month: int, hours: int, room: int
) -> None:
    """50 were paid in three days ago: they count for the week and the month."""
    patron = limited(
        Patron(deposits=((NOON - 3 * DAY, 50),)),
        deposit_day=day,
        deposit_week=week,
        deposit_month=month,
    )

    check_deposit(patron, room, NOON)
    figures = refusal(check_deposit, patron, room + 1, NOON).params
    assert (figures["hours"], figures["room"]) == (hours, room)


def test_of_equal_limits_the_first_is_named() -> None:
    patron = limited(deposit_day=100, deposit_week=100, deposit_month=100)

    assert str(refusal(check_deposit, patron, 101, NOON)) == (
        "101 is above the personal limit of 100 paid in within 24 hours: 100 remains."
    )


def test_after_a_decrease_there_may_be_no_room_and_never_less() -> None:
    patron = limited(Patron(deposits=((NOON, 300),)), deposit_day=200)

    assert refusal(check_deposit, patron, 1, NOON).params["room"] == 0


def test_a_limit_of_nought_lets_nothing_in() -> None:
    assert refusal(check_deposit, limited(deposit_day=0), 1, NOON).code == "patron/deposit-limit"


def test_an_increase_makes_room_when_it_holds() -> None:
    waiting = replace(
        limited(deposit_day=100), loosenings={Kind.DEPOSIT_DAY: Loosening(200, NOON + DAY)}
    )

    assert refusal(check_deposit, waiting, 101, NOON + DAY - 1).params["limit"] == 100
    check_deposit(waiting, 200, NOON + DAY)
    assert refusal(check_deposit, waiting, 201, NOON + DAY).params["limit"] == 200


def test_losses_and_withdrawals_make_no_room_for_deposits() -> None:
    patron = limited(Patron(deposits=((NOON, 100),), results=((NOON, 90),)), deposit_day=100)

    assert refusal(check_deposit, patron, 1, NOON).code == "patron/deposit-limit"


# --- bets and losses


def test_a_bet_needs_a_session() -> None:
    check_bet(PLAYING, 10**18, NOON)
    assert refusal(check_bet, Patron(), 1, NOON) == Refusal("patron/no-session")


def test_what_may_be_lost_may_reach_the_limit_and_not_pass_it() -> None:
    patron = limited(replace(PLAYING, results=((NOON, -300),)), loss_day=1_000)

    check_bet(patron, 700, NOON)
    assert refusal(check_bet, patron, 701, NOON) == Refusal(
        "patron/loss-limit", {"stake": 701, "limit": 1_000, "room": 700}
    )


def test_bets_in_play_may_be_lost_too() -> None:
    patron = limited(replace(PLAYING, results=((NOON, -300),)), loss_day=1_000)

    check_bet(patron, 500, NOON, in_play=200)
    assert refusal(check_bet, patron, 501, NOON, in_play=200).params["room"] == 500
    assert refusal(check_bet, patron, 1, NOON, in_play=900).params["room"] == 0


def test_winnings_do_not_raise_the_loss_limit() -> None:
    patron = limited(replace(PLAYING, results=((NOON, 5_000),)), loss_day=1_000)

    check_bet(patron, 1_000, NOON)
    assert refusal(check_bet, patron, 1_001, NOON).params["room"] == 1_000


def test_losses_are_forgotten_after_24_hours() -> None:
    began = Session(started_at=NOON + DAY - 5, checked_at=NOON + DAY - 5)
    patron = limited(Patron(session=began, results=((NOON, -900),)), loss_day=1_000)

    assert refusal(check_bet, patron, 101, NOON + DAY - 1).params["room"] == 100
    check_bet(patron, 1_000, NOON + DAY)


def test_a_looser_loss_limit_lets_more_be_lost_when_it_holds() -> None:
    waiting = replace(
        limited(loss_day=100), loosenings={Kind.LOSS_DAY: Loosening(200, NOON + MINUTE)}
    )

    assert refusal(check_bet, waiting, 101, NOON + MINUTE - 1).params["limit"] == 100
    check_bet(waiting, 200, NOON + MINUTE)


# --- time


def test_play_ends_at_its_limit() -> None:
    patron = limited(time_day=20 * MINUTE)

    check_bet(patron, 1, NOON + 20 * MINUTE - 1)
    for late in (0, 1, HOUR):
        assert refusal(check_bet, patron, 1, NOON + 20 * MINUTE + late).code == "patron/time-limit"


def test_a_new_session_makes_no_room() -> None:
    """Fifteen minutes this morning leave five of twenty."""
    early = NOON - 10 * HOUR
    patron = limited(
        replace(PLAYING, sessions=((early, early + 15 * MINUTE),)), time_day=20 * MINUTE
    )

    assert patron.time_left(NOON) == 5 * MINUTE
    assert patron.time_left(NOON + 5 * MINUTE - 1) == 1
    check_bet(patron, 1, NOON + 5 * MINUTE - 1)
    assert patron.time_left(NOON + 5 * MINUTE) == 0
    assert patron.time_left(NOON + 6 * MINUTE) == 0
    assert refusal(check_bet, patron, 1, NOON + 5 * MINUTE).code == "patron/time-limit"


def test_without_a_limit_time_is_not_counted_down() -> None:
    assert PLAYING.time_left(NOON + DAY) is None


@every(
    ("sessions", "limit", "again"),
    [
        # One session: its first millisecond must have left the window.
        (((0, 60),), 60, 1_440),
        (((0, 60),), 50, 1_450),
        # A first session that is too short to make room by itself.
        (((0, 10), (20, 80)), 70, 1_440),
        (((0, 10), (20, 80)), 61, 1_449),
        (((0, 10), (20, 80)), 60, 1_460),
        (((0, 10), (20, 80)), 55, 1_465),
        (((0, 10), (20, 40), (50, 90)), 1, 1_529),
    ],
)
def test_the_refusal_says_when_there_is_time_again(
    sessions: tuple[tuple[int, int], ...], limit: int, again: int
) -> None:
    """Everything in minutes after noon; asked two hours after noon."""
    spells = tuple((NOON + start * MINUTE, NOON + end * MINUTE) for start, end in sessions)
    patron = limited(Patron(sessions=spells), time_day=limit * MINUTE)
    at, opens = NOON + 120 * MINUTE, NOON + again * MINUTE

    assert refusal(check_time_left, patron, at) == Refusal(
        # Part of a minute is a minute still to wait.
        "patron/time-limit",
        {"minutes": limit, "wait": again - 120 + 1},
    )
    assert refusal(check_time_left, patron, opens - MINUTE).params["wait"] == 2
    assert refusal(check_time_left, patron, opens + 1 - MINUTE).params["wait"] == 1
    assert refusal(check_time_left, patron, opens).params["wait"] == 1
    check_time_left(patron, opens + 1)


def test_who_plays_on_is_told_how_long_a_pause_must_be() -> None:
    patron = limited(time_day=20 * MINUTE)
    reached = NOON + 20 * MINUTE

    assert str(refusal(check_bet, patron, 1, reached)) == (
        "The personal limit of 20 minutes of play within 24 hours is reached. "
        "After a pause from now on, there is time again in 1,421 minutes."
    )
    # Whoever stays two minutes longer begins again two minutes later.
    assert refusal(check_bet, patron, 1, reached + 2 * MINUTE).params["wait"] == 1_421


def test_after_a_day_without_play_all_the_time_is_there_again() -> None:
    patron = limited(Patron(sessions=((NOON - HOUR, NOON),)), time_day=20 * MINUTE)

    assert patron.time_left(NOON + DAY - 20 * MINUTE) == 0
    assert patron.time_left(NOON + DAY - MINUTE) == 19 * MINUTE
    assert patron.time_left(NOON + DAY) == 20 * MINUTE


def test_a_looser_time_limit_holds_in_its_time() -> None:
    waiting = replace(
        limited(time_day=MINUTE), loosenings={Kind.TIME_DAY: Loosening(None, NOON + 2 * MINUTE)}
    )

    assert refusal(check_bet, waiting, 1, NOON + 2 * MINUTE - 1).code == "patron/time-limit"
    assert waiting.time_left(NOON + 2 * MINUTE - 1) == 0
    assert waiting.time_left(NOON + 2 * MINUTE) is None
    check_bet(waiting, 1, NOON + 2 * MINUTE)


def test_a_reality_check_is_due_after_exactly_half_an_hour() -> None:
    check_bet(PLAYING, 1, NOON + 30 * MINUTE - 1)
    assert refusal(check_bet, PLAYING, 1, NOON + 30 * MINUTE) == Refusal(
        "patron/reality-check", {"minutes": 30}
    )


def test_once_seen_the_next_one_comes_half_an_hour_later() -> None:
    seen = Patron(session=Session(started_at=NOON, checked_at=NOON + 40 * MINUTE))

    check_bet(seen, 1, NOON + 70 * MINUTE - 1)
    assert refusal(check_bet, seen, 1, NOON + 70 * MINUTE + 59_999) == Refusal(
        "patron/reality-check", {"minutes": 70}
    )


def test_the_reality_check_tells_time_and_price() -> None:
    patron = Patron(session=Session(started_at=NOON, checked_at=NOON + MINUTE, net=-450))
    next_at = NOON + 31 * MINUTE

    assert reality_check(patron, NOON + 5) == RealityCheck(5, -450, False, next_at)
    assert reality_check(patron, next_at - 1) == RealityCheck(31 * MINUTE - 1, -450, False, next_at)
    assert reality_check(patron, next_at) == RealityCheck(31 * MINUTE, -450, True, next_at)


def test_a_shorter_interval_brings_the_reality_check_forward() -> None:
    patron = limited(reality_check=10 * MINUTE)
    seen = reality_check(patron, NOON)

    assert seen == RealityCheck(0, 0, False, NOON + 10 * MINUTE)
    check_bet(patron, 1, NOON + 10 * MINUTE - 1)
    assert refusal(check_bet, patron, 1, NOON + 10 * MINUTE).code == "patron/reality-check"


@every(("holds_after", "next_after"), [(29, 60), (30, 60), (31, 30)], ids=["before", "at", "after"])
def test_the_next_reality_check_knows_of_a_longer_interval(
    holds_after: int, next_after: int
) -> None:
    """Whether the longer interval holds when the shorter one ends decides."""
    holds_at, next_at = NOON + holds_after * MINUTE, NOON + next_after * MINUTE
    patron = replace(PLAYING, loosenings={Kind.REALITY_CHECK: Loosening(HOUR, holds_at)})

    assert reality_check(patron, NOON) == RealityCheck(0, 0, False, next_at)
    check_bet(patron, 1, next_at - 1)
    assert refusal(check_bet, patron, 1, next_at).code == "patron/reality-check"


def test_without_a_session_there_is_no_reality_check() -> None:
    assert reality_check(Patron(), NOON) is None


# --- time-out and self-exclusion

PLAY: list[Callable[[Patron, int], None]] = [
    lambda patron, at: check_bet(patron, 1, at),
    lambda patron, at: check_deposit(patron, 1, at),
    check_buy_in,
]


@every("check", PLAY)
def test_an_excluded_patron_does_not_play(check: Callable[[Patron, int], None]) -> None:
    patron = replace(PLAYING, excluded_until=NOON + 10)

    assert refusal(check, patron, NOON) == Refusal("patron/excluded")
    assert refusal(check, patron, NOON + 9) == Refusal("patron/excluded")
    check(patron, NOON + 10)


@every("check", PLAY)
def test_a_patron_on_time_out_does_not_play(check: Callable[[Patron, int], None]) -> None:
    patron = replace(PLAYING, time_out_until=NOON + 10)

    assert refusal(check, patron, NOON + 9) == Refusal("patron/time-out", {"hours": 1})
    check(patron, NOON + 10)


@every(
    ("left", "hours"),
    [(1, 1), (HOUR - 1, 1), (HOUR, 1), (HOUR + 1, 2), (DAY, 24), (DAY + 1, 25)],
)
def test_a_time_out_says_how_many_hours_are_left(left: int, hours: int) -> None:
    patron = Patron(time_out_until=NOON + left)

    assert refusal(check_buy_in, patron, NOON).params["hours"] == hours


@every("check", PLAY)
def test_the_graver_reason_is_given(check: Callable[[Patron, int], None]) -> None:
    patron = Patron(excluded_until=FOREVER, time_out_until=FOREVER)

    assert refusal(check, patron, NOON) == Refusal("patron/excluded")


def test_exclusion_comes_before_every_limit() -> None:
    patron = limited(Patron(time_out_until=FOREVER), loss_day=0, deposit_day=0)

    assert refusal(check_bet, patron, 1, NOON).code == "patron/time-out"
    assert refusal(check_deposit, patron, 1, NOON).code == "patron/time-out"


@every(
    "patron",
    [
        Patron(),
        Patron(excluded_until=FOREVER),
        Patron(time_out_until=FOREVER),
        limited(deposit_day=0, loss_day=0, time_day=MINUTE),
    ],
)
def test_money_can_always_be_withdrawn(patron: Patron) -> None:
    check_withdrawal(patron, 1, NOON)
    check_withdrawal(patron, 10**18, NOON)


@every("amount", [0, -1, True, 10**18 + 1, 1.0])
@every("check", [check_deposit, check_bet, check_withdrawal])
def test_only_amounts_are_asked_about(check: Callable[..., None], amount: Any) -> None:
    ask = partial(check, PLAYING, amount, NOON)

    assert refusal(ask) == Refusal("patron/amount", {"amount": amount, "least": 1, "most": 10**18})


@every("in_play", [-1, True, 10**18 + 1, 1.0, None])
def test_bets_in_play_are_an_amount_or_nought(in_play: Any) -> None:
    assert refusal(check_bet, PLAYING, 1, NOON, in_play) == Refusal(
        "patron/amount", {"amount": in_play, "least": 0, "most": 10**18}
    )
