"""The auditor's memory of patrons: it agrees with the engine, and finds what the engine refuses."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard import patron
from cutcard.floor.auditor.people import Person
from cutcard.floor.journal import record
from cutcard.patron import DAY, HOUR, MINUTE, Command, Kind, Patron, evolve
from cutcard.refusals import Refusal
from tests.cases import every

NOON = 1_800_000_000_000


def told(person: Person, event: str, **figures: Any) -> list[str]:
    return person.read({"event": event, **figures})


def playing(**limits: int) -> Person:
    """Somebody who has been playing since noon."""
    person = Person()
    for kind, amount in limits.items():
        assert told(person, "LimitTightened", kind=kind, amount=amount, at=NOON) == []
    assert told(person, "SessionStarted", at=NOON) == []
    return person


def test_reality_checks_come_every_half_hour() -> None:
    person = playing()

    assert person.bets(1, NOON + 30 * MINUTE - 1) == []
    assert person.bets(1, NOON + 30 * MINUTE) == ["bets without having seen a reality check"]


def test_rarer_reality_checks_wait_a_day() -> None:
    rarer = {"kind": "reality_check", "amount": HOUR, "at": NOON}
    assert told(Person(), "LimitTightened", **rarer) == ["reality_check became looser at once"]
    assert told(Person(), "LooseningRequested", effective_at=NOON + DAY - 1, **rarer) == [
        "reality_check becomes looser within a day"
    ]
    person = playing()
    assert told(person, "LooseningRequested", effective_at=NOON + DAY, **rarer) == []
    told(person, "RealityCheckAcknowledged", at=NOON + DAY - 30 * MINUTE)
    assert person.bets(1, NOON + DAY - 1) == []
    assert person.bets(1, NOON + DAY + 30 * MINUTE - 1) == []
    assert person.bets(1, NOON + DAY + 30 * MINUTE) == ["bets without having seen a reality check"]


@every(
    ("kind", "amount", "found"),
    [
        ("reality_check", 61 * MINUTE, "reality_check cannot be 3660000"),
        ("reality_check", 0, "reality_check cannot be 0"),
        ("reality_check", MINUTE + 1, "reality_check cannot be 60001"),
        ("reality_check", None, "wishes reality checks away"),
        ("time_day", DAY + MINUTE, "time_day cannot be 86460000"),
        ("loss_day", -1, "loss_day cannot be -1"),
        ("loss_day", 10**18 + 1, "loss_day cannot be 1000000000000000001"),
    ],
)
def test_limits_have_lawful_sizes(kind: str, amount: int | None, found: str) -> None:
    asked = {"kind": kind, "amount": amount, "effective_at": NOON + DAY, "at": NOON}

    assert told(Person(), "LooseningRequested", **asked) == [found]


@pytest.mark.parametrize(("kind", "amount"), [("loss_day", None), ("time_day", None)])
def test_limits_of_money_and_time_may_go(kind: str, amount: int | None) -> None:
    asked = {"kind": kind, "amount": amount, "effective_at": NOON + DAY, "at": NOON}

    assert told(Person(), "LooseningRequested", **asked) == []
    assert told(Person(), "LooseningCancelled", kind="reality_check", at=NOON) == []


def test_time_is_counted_over_all_sessions() -> None:
    person = playing(time_day=20 * MINUTE)
    told(person, "SessionEnded", at=NOON + 15 * MINUTE)
    assert told(person, "SessionStarted", at=NOON + HOUR) == []

    assert person.bets(1, NOON + HOUR + 5 * MINUTE - 1) == []
    assert person.bets(1, NOON + HOUR + 5 * MINUTE) == ["bets with no time left"]
    told(person, "SessionEnded", at=NOON + HOUR + 5 * MINUTE)
    assert told(person, "SessionStarted", at=NOON + DAY) == ["starts a session with no time left"]


def test_time_comes_back_a_day_later() -> None:
    person = playing(time_day=20 * MINUTE)
    told(person, "SessionEnded", at=NOON + 20 * MINUTE)

    assert told(person, "SessionStarted", at=NOON + DAY + 1) == []


LENGTH = st.sampled_from([MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 4 * HOUR, None])
MONEY = st.sampled_from([0, 5, 20, None])
WISHES = st.one_of(
    st.builds(patron.SetLimit, st.sampled_from(Kind), LENGTH | MONEY, st.just(0)),
    st.builds(patron.CancelLoosening, st.sampled_from(Kind), st.just(0)),
    st.builds(patron.StartSession, st.just(0)),
    st.builds(patron.EndSession, st.just(0)),
    st.builds(patron.AcknowledgeRealityCheck, st.just(0)),
    st.builds(patron.TakeTimeOut, st.just(DAY), st.just(0)),
    st.builds(patron.RecordDeposit, st.integers(1, 9), st.just(0)),
    st.builds(patron.BookResult, st.integers(-9, 9), st.just(0)),
)
WAITS = st.sampled_from([0, 1, MINUTE, 9 * MINUTE, 30 * MINUTE, HOUR, 5 * HOUR, DAY - 1, DAY])


@given(st.lists(st.tuples(WAITS, WISHES, st.integers(1, 9)), max_size=30))
def test_it_lets_pass_what_the_engine_lets_pass_and_nothing_else(
    night: list[tuple[int, Command, int]],
) -> None:
    """Two readings of the same rules, side by side."""
    person, engine, now = Person(), Patron(), NOON
    for wait, wish, stake in night:
        now += wait
        wanted: Any = {**{name: getattr(wish, name) for name in wish.__slots__}, "at": now}
        try:
            events = patron.decide(engine, type(wish)(**wanted))
        except Refusal:
            events = []
        for event in events:
            engine = evolve(engine, event)
            assert person.read(record(0, "patron:ann", event, [])) == []
        try:
            patron.check_bet(engine, stake, now)
        except Refusal:
            assert person.bets(stake, now) != []
        else:
            assert person.bets(stake, now) == []
