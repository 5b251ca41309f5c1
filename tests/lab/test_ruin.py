"""Betting systems: the compiled sessions are those of plain code, and nobody beats the edge."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from cutcard.lab import Limits, Ruin, ruin
from cutcard.lab.ruin import PLAYED, REACHED, RUINED, flat_ruin, play
from cutcard.lab.shoes import deal_shoes
from cutcard.lab.systems import SYSTEMS, System
from cutcard.lab.ways import bets, exact_prices
from cutcard.lab.work import key_of
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.cards import DECK
from cutcard.rules.coup import Coup
from cutcard.rules.settlement import settle
from tests.cases import every

MONEY = Limits(bankroll=3_000, unit=100, least=100, most=1_000)


def stakes(system: str, results: str, most: int = 10**6) -> list[int]:
    """What a system stakes on a row of results: W wins, L loses, P pushes."""
    one = SYSTEMS[system]
    nets = np.array([[{"W": 1, "L": -1, "P": 0}[letter] for letter in results]])
    found, before = [], 0
    for rounds in range(1, len(results) + 1):
        ends = np.zeros((1, 4), np.int64)
        paths = np.zeros((1, rounds + 1), np.int64)
        limits = (10**6, 1, 1, most, 0)
        row = np.array(one.stakes)
        play(nets[:, :rounds], 1, 1, row, one.win, one.loss, one.wraps, limits, 1, ends, paths)
        found.append(int(ends[0, 1]) - before)
        before = int(ends[0, 1])
    return found


@every(
    ("system", "results", "staked"),
    [
        ("flat", "WLPLW", [1, 1, 1, 1, 1]),
        ("martingale", "LLLWLPL", [1, 2, 4, 8, 1, 2, 2]),
        ("fibonacci", "LLLLWWWL", [1, 1, 2, 3, 5, 2, 1, 1]),
        ("dalembert", "LLWLLWWWW", [1, 2, 3, 2, 3, 4, 3, 2, 1]),
        ("paroli", "WWWWLWPWL", [1, 2, 4, 1, 2, 1, 2, 2, 4]),
        ("1-3-2-6", "WWWWWLWWL", [1, 3, 2, 6, 1, 3, 1, 3, 2]),
    ],
)
def test_systems_stake_as_they_say(system: str, results: str, staked: list[int]) -> None:
    assert stakes(system, results) == staked


def test_a_stake_above_the_maximum_is_placed_at_the_maximum() -> None:
    assert stakes("martingale", "LLLLLW", most=5) == [1, 2, 4, 5, 5, 5]


def session(system: System, coups: list[Coup], money: Limits) -> tuple[int, int, int, int]:
    """The readable truth: one session, settled bet by bet by the book itself."""
    book = load("rws-commission")
    bankroll, staked, place, played = money.bankroll, 0, 0, 0
    for coup in coups:
        stake = min(money.unit * system.stakes[place], money.most, bankroll) // 20 * 20
        if stake < money.least:
            return bankroll, staked, played, RUINED
        net = settle(book, coup, {"banker": stake}).net
        bankroll, staked, played = bankroll + net, staked + stake, played + 1
        place += system.win if net > 0 else system.loss if net < 0 else 0
        if place >= len(system.stakes):
            place = 0 if system.wraps else len(system.stakes) - 1
        place = max(place, 0)
        if money.goal and bankroll >= money.goal:
            return bankroll, staked, played, REACHED
    over = RUINED if bankroll < money.least else PLAYED
    return bankroll, staked, played, over


@pytest.mark.parametrize("goal", [0, 3_500])
def test_sessions_are_those_that_the_book_settles(goal: int) -> None:
    rounds, sessions, shoes = 130, 6, 3
    money = Limits(MONEY.bankroll, MONEY.unit, MONEY.least, MONEY.most, goal)
    study = ruin(load("rws-commission"), "banker", money, rounds, sessions=sessions, seed=4)
    dealt = deal_shoes(key_of(4), 0, sessions * shoes, 8, 14, 52)

    for number in range(sessions):
        coups = [
            Coup.deal(DECK[card] for card in dealt.cards[shoe, start : start + 6])
            for shoe in range(number * shoes, (number + 1) * shoes)
            for start in dealt.starts[shoe, : dealt.rounds[shoe]]
        ]
        for one in study.played:
            assert tuple(one.ends[number]) == session(one.system, coups[:rounds], money)


@pytest.fixture(scope="module")
def study() -> Ruin:
    return ruin(load("rws-commission"), "player", MONEY, 200, sessions=3_000, seed=2)


def test_every_system_loses_the_edge_of_what_it_stakes(study: Ruin) -> None:
    """No system changes what a bet is worth, only how much is staked."""
    for one in study.played:
        lost = float(one.lost_of_staked(MONEY.bankroll) - study.edge)
        assert abs(lost) < 4 * one.lost_error(study.edge, MONEY.bankroll), one.system.id


def test_flat_betting_is_ruined_as_often_as_worked_out(study: Ruin) -> None:
    flat = study.played[0]
    assert study.exact_flat is not None
    error = sqrt(study.exact_flat * (1 - study.exact_flat) / study.sessions)

    assert flat.system.id == "flat"
    assert abs(flat.ruined - study.exact_flat) < 4 * error


def walked(
    money: Limits, rounds: int, name: str = "rws-commission", spot: str = "banker"
) -> tuple[Fraction, Fraction]:
    """Ruin and goal of flat betting, round by round in Fractions."""
    book = load(name)
    price, needed = exact_prices(book, 8)[spot], money.unit * bets(book)[spot].reserve
    going, ruined, reached = {money.bankroll: Fraction(1)}, Fraction(0), Fraction(0)
    for _ in range(rounds):
        after: dict[int, Fraction] = {}
        for have, chance in going.items():
            for one in price.outcomes:
                now = have + int(one.net * money.unit)
                share = chance * Fraction(one.orders, price.orders)
                if money.goal and now >= money.goal:
                    reached += share
                elif now < needed:
                    ruined += share
                else:
                    after[now] = after.get(now, Fraction(0)) + share
        going = after
    return ruined, reached


@every("goal", [0, 500, 410])
def test_ruin_of_flat_betting_is_exact(goal: int) -> None:
    money = Limits(300, 100, 100, 1_000, goal)
    book = load("rws-commission")
    outcomes = exact_prices(book, 8)["banker"].outcomes

    found = flat_ruin(bets(book)["banker"], outcomes, money, 9)

    assert found == pytest.approx(float(walked(money, 9)[0]), abs=1e-14)


@every("rounds", [1, 2, 3])
@every(
    ("name", "spot", "bankroll", "goal"),
    [
        ("rws-commission", "banker", 100, 0),
        ("rws-commission", "banker", 100, 101),
        ("rws-commission", "banker", 100, 150),
        ("rws-commission", "banker", 250, 251),
        ("rws-commission", "tie", 100, 0),
        ("rws-commission", "tie", 100, 300),
        ("rws-commission", "tie", 350, 400),
        ("online-cow-cow", "player", 900, 0),
        ("online-cow-cow", "player", 900, 1_000),
        ("online-cow-cow", "player", 1_100, 1_150),
        ("online-cow-cow", "player", 1_100, 3_000),
    ],
)
def test_one_win_or_loss_may_be_larger_than_the_whole_walk(
    name: str, spot: str, bankroll: int, goal: int, rounds: int
) -> None:
    """A goal nearer than one win, and money for one bet alone."""
    money, book = Limits(bankroll, 100, 100, 1_000, goal), load(name)
    outcomes = exact_prices(book, 8)[spot].outcomes

    found = flat_ruin(bets(book)[spot], outcomes, money, rounds)

    assert found == pytest.approx(float(walked(money, rounds, name, spot)[0]), abs=1e-14)


def test_stakes_that_shrink_have_no_exact_ruin() -> None:
    money = Limits(300, 200, 100, 1_000)
    outcomes = exact_prices(load("rws-commission"), 8)["banker"].outcomes

    assert flat_ruin(bets(load("rws-commission"))["banker"], outcomes, money, 9) is None


def test_a_bet_that_can_lose_nine_times_its_stake_keeps_a_reserve() -> None:
    """Who holds less than nine units cannot bet one at Cow Cow, and never owes anything."""
    study = ruin(
        load("online-cow-cow"), "player", Limits(2_000, 100, 100, 1_000), 100, sessions=200
    )

    for one in study.played:
        assert one.ends[:, 0].min() >= 0
        assert (one.ends[one.ends[:, 3] == RUINED, 0] < 900).all()


def test_the_picture_has_a_panel_for_every_system(study: Ruin) -> None:
    sheet = study.sheet()

    assert [row[0] for row in sheet.grids[0].rows] == [one.name for one in SYSTEMS.values()]
    assert sheet.picture.count('class="middle"') == len(SYSTEMS)


@every(
    ("wishes", "code"),
    [
        ({"spot": "dragon"}, "bet/not-offered"),
        ({"rounds": 0}, "lab/rounds"),
        ({"sessions": 1}, "lab/sessions"),
        ({"systems": ["labouchere"]}, "lab/system"),
        ({"systems": []}, "lab/system"),
        ({"decks": 3}, "shoe/decks"),
        ({"limits": Limits(3_000, 110, 100, 1_000)}, "bet/off-step"),
        ({"limits": Limits(3_000, 100, 50, 1_000)}, "bet/off-step"),
        ({"limits": Limits(3_000, 0, 100, 1_000)}, "lab/stake"),
        ({"limits": Limits(3_000, 100, 200, 1_000)}, "lab/limits"),
        ({"limits": Limits(3_000, 100, 100, 80)}, "lab/limits"),
        ({"limits": Limits(80, 100, 100, 1_000)}, "lab/bankroll"),
        ({"limits": Limits(3_000, 100, 100, 1_000, 3_000)}, "lab/goal"),
    ],
)
def test_what_nobody_could_play_is_refused(wishes: dict[str, object], code: str) -> None:
    asked: dict[str, object] = {"spot": "banker", "limits": MONEY, **wishes}
    with pytest.raises(Refusal) as refused:
        ruin(load("rws-commission"), **asked)  # type: ignore[arg-type]

    assert refused.value.code == code


def test_a_second_stage_is_studied_with_its_first() -> None:
    with pytest.raises(Refusal, match="second stage"):
        ruin(load("rws-knockout"), "wager_banker", MONEY)


def test_at_a_maximum_of_one_unit_every_system_is_flat_betting() -> None:
    """However far a system would go: its stakes are not too long for the machine's numbers."""
    money = Limits(10**12, 2 * 10**7, 2 * 10**7, 2 * 10**7)
    found = ruin(load("rws-commission"), "tie", money, 100, sessions=50)

    assert {tuple(map(tuple, one.ends)) for one in found.played} == {
        tuple(map(tuple, found.played[0].ends))
    }


def test_who_loses_everything_in_the_last_round_is_ruined_too() -> None:
    money = Limits(100, 100, 100, 100)
    found = ruin(load("rws-commission"), "player", money, 1, ["flat"], sessions=500)

    lost = int((found.played[0].ends[:, 0] == 0).sum())
    assert found.document()["systems"]["flat"]["ruined"] == lost  # type: ignore[index]
    assert 150 < lost < 300


def test_more_money_than_can_be_counted_is_refused() -> None:
    money = Limits(10**15, 10**15, 10**15, 10**15)
    with pytest.raises(Refusal, match="fewer rounds"):
        ruin(load("rws-commission"), "tie", money, 20_000, sessions=2)


def test_a_walk_over_too_many_bankrolls_is_not_walked() -> None:
    """Flat betting with a great bankroll is simulated, and no exact ruin is worked out."""
    money = Limits(10**15, 100, 100, 100)
    found = ruin(load("rws-commission"), "banker", money, 5, ["flat"], sessions=2)

    assert (found.exact_flat, found.played[0].ruined) == (None, 0.0)
