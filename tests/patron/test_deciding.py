"""A patron's wishes through time: tighter at once, looser after a day, shorter never."""

from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.patron import (
    DAY,
    FOREVER,
    HOUR,
    MINUTE,
    AcknowledgeRealityCheck,
    BookResult,
    CancelLoosening,
    Command,
    DepositRecorded,
    EndSession,
    Event,
    Kind,
    LimitTightened,
    Loosening,
    LooseningCancelled,
    LooseningRequested,
    Patron,
    RealityCheckAcknowledged,
    RecordDeposit,
    ResultBooked,
    SelfExclude,
    SelfExcluded,
    SessionEnded,
    SessionStarted,
    SetLimit,
    StartSession,
    TakeTimeOut,
    TimeOutTaken,
    decide,
    evolve,
)
from cutcard.patron.patron import Session
from cutcard.refusals import Refusal
from tests.cases import every

NOON = 1_800_000_000_000
DEPOSIT = Kind.DEPOSIT_DAY


def after(*commands: Command, patron: Patron | None = None) -> Patron:
    """A patron who has asked for these things, one after another."""
    for command in commands:
        patron = reduce(evolve, decide(patron or Patron(), command), patron or Patron())
    return patron or Patron()


def refusal(patron: Patron, command: Command) -> Refusal:
    with pytest.raises(Refusal) as refused:
        decide(patron, command)
    return refused.value


LIMITED = after(SetLimit(DEPOSIT, 500, NOON))


# --- limits


@every("kind", Kind)
def test_a_patron_begins_with_reality_checks_and_without_limits(kind: Kind) -> None:
    usual = 30 * MINUTE if kind is Kind.REALITY_CHECK else None

    assert Patron().limit(kind, NOON) == usual
    assert Patron().loosening(kind, NOON) is None


@every("kind", Kind)
def test_a_first_limit_holds_at_once(kind: Kind) -> None:
    patron = after(SetLimit(kind, MINUTE, NOON))

    changed = [one for one in Kind if patron.limit(one, NOON) != Patron().limit(one, NOON)]
    assert changed == [kind]
    assert patron.limit(kind, NOON) == MINUTE


def test_a_decrease_holds_at_once() -> None:
    assert decide(LIMITED, SetLimit(DEPOSIT, 499, NOON)) == [LimitTightened(DEPOSIT, 499, NOON)]
    assert after(SetLimit(DEPOSIT, 499, NOON), patron=LIMITED).limit(DEPOSIT, NOON) == 499


@every("wish", [501, 10**18, None])
def test_an_increase_or_a_removal_holds_after_exactly_24_hours(wish: int | None) -> None:
    patron = after(SetLimit(DEPOSIT, wish, NOON + 7), patron=LIMITED)
    holds_at = NOON + 7 + 24 * HOUR

    assert patron.limit(DEPOSIT, NOON + 7) == 500
    assert patron.limit(DEPOSIT, holds_at - 1) == 500
    assert patron.limit(DEPOSIT, holds_at) == wish
    assert patron.limit(DEPOSIT, holds_at + 1) == wish


def test_a_waiting_increase_can_be_seen_until_it_holds() -> None:
    patron = after(SetLimit(DEPOSIT, 900, NOON), patron=LIMITED)

    assert patron.loosening(DEPOSIT, NOON) == Loosening(900, NOON + DAY)
    assert patron.loosening(DEPOSIT, NOON + DAY - 1) == Loosening(900, NOON + DAY)
    assert patron.loosening(DEPOSIT, NOON + DAY) is None
    assert patron.loosening(Kind.LOSS_DAY, NOON) is None


@pytest.mark.parametrize("tighter", [400, 500])
def test_whoever_tightens_meanwhile_gets_no_increase(tighter: int) -> None:
    """Asking for the present limit again counts as thinking better of it."""
    patron = after(
        SetLimit(DEPOSIT, 900, NOON), SetLimit(DEPOSIT, tighter, NOON + 1), patron=LIMITED
    )

    assert patron.limit(DEPOSIT, NOON + 100 * DAY) == tighter
    assert patron.loosening(DEPOSIT, NOON + 2) is None


def test_an_increase_can_be_cancelled_while_it_waits() -> None:
    waiting = after(SetLimit(DEPOSIT, 900, NOON), patron=LIMITED)
    cancel = CancelLoosening(DEPOSIT, NOON + DAY - 1)

    assert decide(waiting, cancel) == [LooseningCancelled(DEPOSIT, NOON + DAY - 1)]
    assert after(cancel, patron=waiting).limit(DEPOSIT, NOON + 9 * DAY) == 500
    assert refusal(after(cancel, patron=waiting), cancel) == Refusal("patron/no-loosening")


def test_an_increase_that_holds_is_cancelled_no_more() -> None:
    waiting = after(SetLimit(DEPOSIT, 900, NOON), patron=LIMITED)

    assert refusal(waiting, CancelLoosening(DEPOSIT, NOON + DAY)) == Refusal("patron/no-loosening")
    assert refusal(waiting, CancelLoosening(Kind.LOSS_DAY, NOON)) == Refusal("patron/no-loosening")


def test_a_second_increase_begins_its_own_24_hours() -> None:
    patron = after(
        SetLimit(DEPOSIT, 900, NOON), SetLimit(DEPOSIT, 800, NOON + HOUR), patron=LIMITED
    )

    assert patron.limit(DEPOSIT, NOON + DAY) == 500
    assert patron.limit(DEPOSIT, NOON + DAY + HOUR - 1) == 500
    assert patron.limit(DEPOSIT, NOON + DAY + HOUR) == 800


def test_an_increase_that_holds_is_the_limit_from_which_the_next_one_counts() -> None:
    raised = after(SetLimit(DEPOSIT, 900, NOON), patron=LIMITED)
    later = NOON + DAY

    assert decide(raised, SetLimit(DEPOSIT, 899, later)) == [LimitTightened(DEPOSIT, 899, later)]
    assert decide(raised, SetLimit(DEPOSIT, 901, later)) == [
        LooseningRequested(DEPOSIT, 901, later + DAY, later)
    ]
    again = after(SetLimit(DEPOSIT, 901, later), patron=raised)
    assert again.limit(DEPOSIT, later + DAY - 1) == 900
    assert again.limit(DEPOSIT, later + DAY) == 901


def test_after_a_removal_a_new_limit_holds_at_once() -> None:
    free = after(SetLimit(DEPOSIT, None, NOON), patron=LIMITED)

    assert after(SetLimit(DEPOSIT, 10**6, NOON + DAY), patron=free).limit(DEPOSIT, NOON + DAY) == (
        10**6
    )
    assert refusal(free, SetLimit(DEPOSIT, None, NOON + DAY)) == Refusal("patron/no-limit")


def test_what_is_not_there_cannot_be_removed() -> None:
    assert refusal(Patron(), SetLimit(DEPOSIT, None, NOON)) == Refusal("patron/no-limit")


def test_limits_of_different_kinds_do_not_touch_each_other() -> None:
    patron = after(
        SetLimit(Kind.LOSS_DAY, 70, NOON),
        SetLimit(DEPOSIT, 900, NOON),
        SetLimit(Kind.LOSS_DAY, 60, NOON),
        SetLimit(Kind.TIME_DAY, HOUR, NOON),
        patron=LIMITED,
    )

    assert patron.limit(DEPOSIT, NOON + DAY) == 900
    assert dict(patron.limits) == {DEPOSIT: 500, Kind.LOSS_DAY: 60, Kind.TIME_DAY: HOUR}


@every("amount", [-1, 10**18 + 1, True, False, 0.5, 1.0, "x", "5"])
def test_what_cannot_be_a_limit(amount: Any) -> None:
    assert refusal(Patron(), SetLimit(DEPOSIT, amount, NOON)) == Refusal(
        "patron/limit", {"amount": amount, "most": 10**18}
    )


@every("amount", [0, 1, 10**18])
def test_a_limit_may_be_nought(amount: int) -> None:
    assert after(SetLimit(DEPOSIT, amount, NOON)).limit(DEPOSIT, NOON) == amount


@every("length", [0, 1, -MINUTE, MINUTE + 1, DAY + MINUTE, True, 0.5, "x"])
def test_what_cannot_be_a_time_limit(length: Any) -> None:
    assert refusal(Patron(), SetLimit(Kind.TIME_DAY, length, NOON)) == Refusal(
        "patron/length", {"most": 1_440}
    )


@every("length", [MINUTE, 90 * MINUTE, DAY])
def test_a_time_limit_is_whole_minutes_of_a_day(length: int) -> None:
    assert after(SetLimit(Kind.TIME_DAY, length, NOON)).limit(Kind.TIME_DAY, NOON) == length


def test_a_time_limit_can_be_removed_like_any_other() -> None:
    limited = after(SetLimit(Kind.TIME_DAY, HOUR, NOON), SetLimit(Kind.TIME_DAY, None, NOON))

    assert limited.limit(Kind.TIME_DAY, NOON + DAY - 1) == HOUR
    assert limited.limit(Kind.TIME_DAY, NOON + DAY) is None


@every("kind", ["deposit_day", "x", None, 1, []])
def test_only_kinds_are_limited(kind: Any) -> None:
    assert refusal(Patron(), SetLimit(kind, 1, NOON)) == Refusal("patron/kind")
    assert refusal(Patron(), CancelLoosening(kind, NOON)) == Refusal("patron/kind")


wishes = st.tuples(st.integers(0, 50 * HOUR), st.none() | st.integers(0, 5))


@given(st.lists(wishes, max_size=12))
def test_nothing_loosens_within_24_hours_of_any_wish(
    wished: list[tuple[int, int | None]],
) -> None:
    """However wishes follow each other: tighter at once, and looser only after a quiet day."""
    patron, now, held = Patron(), NOON, None
    for wait, amount in wished:
        now += wait
        limit = patron.limit(DEPOSIT, now)
        assert limit == held or wait >= DAY
        if amount is not None or limit is not None:
            patron = after(SetLimit(DEPOSIT, amount, now), patron=patron)
        held = patron.limit(DEPOSIT, now)
        tightest = [one for one in (limit, amount) if one is not None]
        assert held == min(tightest, default=None)


# --- sessions and reality checks


def test_a_session_begins_and_ends() -> None:
    playing = after(StartSession(NOON))
    assert decide(Patron(), StartSession(NOON)) == [SessionStarted(NOON)]
    assert playing.session == Session(started_at=NOON, checked_at=NOON, net=0)

    assert decide(playing, EndSession(NOON + 5)) == [SessionEnded(NOON + 5)]
    assert after(EndSession(NOON + 5), patron=playing).session is None


def test_there_is_one_session_at_a_time() -> None:
    assert refusal(after(StartSession(NOON)), StartSession(NOON + 1)) == Refusal(
        "patron/session-open"
    )


@pytest.mark.parametrize("command", [EndSession(NOON), AcknowledgeRealityCheck(NOON)])
def test_without_a_session_there_is_nothing_to_end_or_see(command: Command) -> None:
    assert refusal(Patron(), command) == Refusal("patron/no-session")


def test_a_reality_check_that_was_seen_is_remembered() -> None:
    playing = after(StartSession(NOON), BookResult(-5, NOON + 2))
    seen = AcknowledgeRealityCheck(NOON + 9)

    assert decide(playing, seen) == [RealityCheckAcknowledged(NOON + 9)]
    assert after(seen, patron=playing).session == Session(NOON, checked_at=NOON + 9, net=-5)


def reality_checks(length: Any, at: int = NOON) -> SetLimit:
    return SetLimit(Kind.REALITY_CHECK, length, at)


@every("minutes", [1, 29, 30])
def test_reality_checks_become_more_frequent_at_once(minutes: int) -> None:
    wish = reality_checks(minutes * MINUTE)

    assert Patron().interval(NOON) == 1_800_000
    assert decide(Patron(), wish) == [LimitTightened(Kind.REALITY_CHECK, minutes * MINUTE, NOON)]
    assert after(wish).interval(NOON) == minutes * MINUTE


@pytest.mark.parametrize("minutes", [31, 60])
def test_reality_checks_become_rarer_after_exactly_24_hours(minutes: int) -> None:
    patron = after(reality_checks(minutes * MINUTE))

    assert patron.interval(NOON) == 30 * MINUTE
    assert patron.interval(NOON + DAY - 1) == 30 * MINUTE
    assert patron.interval(NOON + DAY) == minutes * MINUTE
    assert patron.loosening(Kind.REALITY_CHECK, NOON) == Loosening(minutes * MINUTE, NOON + DAY)


def test_rarer_reality_checks_can_be_cancelled_while_they_are_waited_for() -> None:
    cancel = CancelLoosening(Kind.REALITY_CHECK, NOON + DAY - 1)

    assert refusal(Patron(), cancel) == Refusal("patron/no-loosening")
    assert after(reality_checks(HOUR), cancel).interval(NOON + 9 * DAY) == 30 * MINUTE


def test_whoever_asks_for_the_usual_reality_checks_again_gets_no_rarer_ones() -> None:
    patron = after(reality_checks(HOUR), reality_checks(30 * MINUTE, NOON + 1))

    assert patron.interval(NOON + 9 * DAY) == 30 * MINUTE


@every("length", [0, -MINUTE, 61 * MINUTE, MINUTE + 1, MINUTE - 1, None, True, 1.5, 60_000.0, "5"])
def test_reality_checks_cannot_be_wished_away(length: Any) -> None:
    refused = refusal(Patron(), reality_checks(length))

    assert refused == Refusal("patron/length", {"most": 60})
    assert str(refused) == "That length is not possible: choose whole minutes from 1 to 60."
    assert refusal(after(reality_checks(MINUTE)), reality_checks(length)) == refused


# --- time played


def test_who_has_no_time_left_begins_no_session() -> None:
    patron = after(SetLimit(Kind.TIME_DAY, HOUR, NOON), StartSession(NOON), EndSession(NOON + HOUR))
    refused = Refusal("patron/time-limit", {"minutes": 60, "wait": 1_381})

    assert refusal(patron, StartSession(NOON + HOUR)) == refused
    assert refusal(patron, StartSession(NOON + DAY)).params["wait"] == 1
    assert after(StartSession(NOON + DAY + 1), patron=patron).session is not None


def test_who_ends_in_time_begins_again_with_the_rest() -> None:
    patron = after(
        SetLimit(Kind.TIME_DAY, HOUR, NOON),
        StartSession(NOON),
        EndSession(NOON + HOUR - 1),
        StartSession(NOON + 2 * HOUR),
    )

    assert patron.time_left(NOON + 2 * HOUR) == 1
    assert patron.time_left(NOON + 2 * HOUR + 1) == 0


def test_exclusion_comes_before_the_time_that_is_left() -> None:
    patron = after(
        SetLimit(Kind.TIME_DAY, MINUTE, NOON),
        StartSession(NOON),
        EndSession(NOON + HOUR),
        TakeTimeOut(DAY, NOON + HOUR),
    )

    assert refusal(patron, StartSession(NOON + HOUR)).code == "patron/time-out"


# --- time-out and self-exclusion


@pytest.mark.parametrize("length", [DAY, 42 * DAY])
def test_a_time_out_lasts_a_day_to_six_weeks(length: int) -> None:
    assert decide(Patron(), TakeTimeOut(length, NOON)) == [TimeOutTaken(NOON + length, NOON)]
    assert after(TakeTimeOut(length, NOON)).time_out_until == NOON + length


@every("length", [0, DAY - 1, 42 * DAY + 1, 1.5 * DAY, True, "x", None])
def test_no_other_time_out_is_taken(length: Any) -> None:
    assert refusal(Patron(), TakeTimeOut(length, NOON)) == Refusal(
        "patron/time-out-length", {"least": 24, "most": 42}
    )


@pytest.mark.parametrize("length", [184 * DAY, 5 * 366 * DAY])
def test_a_self_exclusion_lasts_six_months_or_longer(length: int) -> None:
    assert decide(Patron(), SelfExclude(length, NOON)) == [SelfExcluded(NOON + length, NOON)]
    assert after(SelfExclude(length, NOON)).excluded_until == NOON + length


def test_a_self_exclusion_may_be_for_ever() -> None:
    assert after(SelfExclude(None, NOON)).excluded_until == FOREVER == 2**63 - 1
    assert after(SelfExclude(FOREVER, NOON)).excluded_until == FOREVER


@every("length", [0, -1, 184 * DAY - 1, 184.5 * DAY, True, "x"])
def test_no_shorter_self_exclusion_is_taken(length: Any) -> None:
    assert refusal(Patron(), SelfExclude(length, NOON)) == Refusal(
        "patron/exclusion-length", {"least": 184}
    )


@pytest.mark.parametrize(
    ("first", "shorter", "same", "longer"),
    [
        (
            TakeTimeOut(10 * DAY, NOON),
            TakeTimeOut(9 * DAY - 1, NOON + DAY),
            TakeTimeOut(9 * DAY, NOON + DAY),
            TakeTimeOut(9 * DAY + 1, NOON + DAY),
        ),
        (
            SelfExclude(200 * DAY, NOON),
            SelfExclude(199 * DAY - 1, NOON + DAY),
            SelfExclude(199 * DAY, NOON + DAY),
            SelfExclude(199 * DAY + 1, NOON + DAY),
        ),
    ],
)
def test_neither_is_ever_shortened(
    first: Command, shorter: Command, same: Command, longer: Command
) -> None:
    away = after(first)

    assert refusal(away, shorter) == Refusal("patron/exclusion-stands")
    assert after(same, patron=away) == away
    assert after(longer, patron=away) != away


def test_for_ever_is_not_shortened() -> None:
    assert refusal(after(SelfExclude(None, NOON)), SelfExclude(1_000 * DAY, NOON)) == Refusal(
        "patron/exclusion-stands"
    )


def test_a_time_out_does_not_touch_a_self_exclusion() -> None:
    patron = after(SelfExclude(200 * DAY, NOON), TakeTimeOut(DAY, NOON))

    assert (patron.excluded_until, patron.time_out_until) == (NOON + 200 * DAY, NOON + DAY)


@pytest.mark.parametrize(
    ("away", "code", "ends"),
    [
        (TakeTimeOut(2 * DAY, NOON), "patron/time-out", NOON + 2 * DAY),
        (SelfExclude(184 * DAY, NOON), "patron/excluded", NOON + 184 * DAY),
    ],
)
def test_no_session_begins_while_the_patron_is_away(away: Command, code: str, ends: int) -> None:
    patron = after(away)

    assert refusal(patron, StartSession(NOON)).code == code
    assert refusal(patron, StartSession(ends - 1)).code == code
    assert after(StartSession(ends), patron=patron).session is not None


def test_who_goes_away_while_playing_can_still_end_the_session() -> None:
    patron = after(StartSession(NOON), SelfExclude(None, NOON + 1), EndSession(NOON + 2))

    assert patron.session is None


def test_the_sentences_say_hours_and_days() -> None:
    assert str(refusal(Patron(), TakeTimeOut(1, NOON))) == (
        "A time-out lasts from 24 hours to 42 days."
    )
    assert str(refusal(Patron(), SelfExclude(1, NOON))) == (
        "A self-exclusion lasts at least 184 days."
    )


# --- what counts


def test_a_deposit_is_checked_and_remembered() -> None:
    assert decide(LIMITED, RecordDeposit(500, NOON)) == [DepositRecorded(500, NOON)]
    assert refusal(LIMITED, RecordDeposit(501, NOON)).code == "patron/deposit-limit"
    assert after(RecordDeposit(500, NOON), patron=LIMITED).deposits == ((NOON, 500),)


@every("net", [None, 1.5, True, "5", 10**18 + 1, -(10**18) - 1])
def test_what_is_no_result(net: Any) -> None:
    assert refusal(Patron(), BookResult(net, NOON)) == Refusal(
        "patron/net", {"net": net, "most": 10**18}
    )


@every("net", [10**18, 0, -(10**18)])
def test_every_sum_may_be_won_or_lost(net: int) -> None:
    assert decide(Patron(), BookResult(net, NOON)) == [ResultBooked(net, NOON)]


def test_a_result_is_never_refused() -> None:
    away = after(StartSession(NOON), SelfExclude(None, NOON + 1))

    assert decide(away, BookResult(-900, NOON + 2)) == [ResultBooked(-900, NOON + 2)]


EVERY_EVENT: list[Event] = [
    event
    for command in (
        SetLimit(DEPOSIT, 500, NOON),
        SetLimit(Kind.REALITY_CHECK, 20 * MINUTE, NOON),
        StartSession(NOON),
        RecordDeposit(100, NOON),
        BookResult(-50, NOON),
    )
    for event in decide(Patron(), command)
]


def test_the_log_alone_gives_the_patron_again() -> None:
    assert reduce(evolve, EVERY_EVENT, Patron()) == reduce(evolve, EVERY_EVENT, Patron())
    assert reduce(evolve, EVERY_EVENT, Patron()).session == Session(NOON, NOON, net=-50)
