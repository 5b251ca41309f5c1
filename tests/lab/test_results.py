"""Results after many rounds and costs an hour are those of exact arithmetic."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from cutcard.lab import distribution, per_hour
from cutcard.odds import Composition, Price, odds
from cutcard.refusals import Refusal
from cutcard.rulebooks import ids, load
from tests.cases import every


def added_up(price: Price, rounds: int) -> dict[Fraction, Fraction]:
    """The readable truth: round by round, in Fractions."""
    found = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        after: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        for net, chance in found.items():
            for one in price.outcomes:
                after[net + one.net] += chance * Fraction(one.orders, price.orders)
        found = dict(after)
    return found


@every(
    ("id", "spot", "rounds"),
    [
        ("rws-commission", "banker", 12),
        ("rws-commission", "player_pair", 8),
        ("online-cow-cow", "player", 3),
        ("rws-knockout", "ante_banker", 5),
        ("rws-commission", "tie", 1),
    ],
)
def test_chances_are_those_of_exact_sums(id: str, spot: str, rounds: int) -> None:
    book = load(id)
    found = distribution(book, spot, rounds)
    truth = {
        net: chance for net, chance in added_up(odds(book).bets[spot], rounds).items() if chance
    }
    places = {round(float(net), 9): place for place, net in enumerate(found.nets)}

    for net, chance in truth.items():
        assert found.chances[places[round(float(net), 9)]] == pytest.approx(
            float(chance), abs=1e-14
        )
    assert found.ahead == pytest.approx(float(sum(c for n, c in truth.items() if n > 0)), abs=1e-13)
    assert found.even == pytest.approx(float(truth.get(Fraction(0), 0)), abs=1e-13)
    assert found.behind == pytest.approx(
        float(sum(c for n, c in truth.items() if n < 0)), abs=1e-13
    )


def test_mean_and_deviation_of_six_hundred_rounds() -> None:
    found = distribution(load("rws-commission"), "banker", 600)

    assert found.mean == 600 * odds(load("rws-commission")).bets["banker"].ev
    assert float((found.nets * found.chances).sum()) == pytest.approx(float(found.mean), abs=1e-9)
    spread = float(np.sqrt(((found.nets - float(found.mean)) ** 2 * found.chances).sum()))
    assert found.deviation == pytest.approx(spread, abs=1e-9)
    assert found.quantile(0.5) == -6.5
    edges, shares = found.columns
    assert len(edges) == len(shares) + 1
    assert 0.998 < sum(shares) <= 1 + 1e-12


def test_a_sheet_holds_the_figures_and_a_picture() -> None:
    sheet = distribution(load("rws-commission"), "banker", 600).sheet()

    assert ("Ahead, %", "39.0580") in sheet.grids[0].rows
    assert sheet.picture.count("<rect") == len(
        distribution(load("rws-commission"), "banker", 600).columns[1]
    )


@every("id", ids())
def test_what_a_patron_pays_an_hour_is_the_edge_of_all_stakes(id: str) -> None:
    book = load(id)
    study = per_hour(book, 200, 60, book.decks.most)
    exact = odds(book, Composition.of_decks(book.decks.most)).bets

    assert {one.spot: one.cost for one in study.hours} == {
        spot: price.edge * 200 * 60 for spot, price in exact.items()
    }
    assert all(0 < one.ahead < 1 for one in study.hours)
    assert len(study.sheet().grids[0].rows) == len(exact)


@every(
    ("spot", "rounds", "decks", "code"),
    [
        ("banker", 0, None, "lab/rounds"),
        ("banker", 100_001, None, "lab/rounds"),
        ("dragon", 10, None, "bet/not-offered"),
        ("wager_banker", 10, None, "lab/second-stage"),
        ("banker", 10, 9, "shoe/decks"),
    ],
)
def test_what_cannot_be_worked_out_is_refused(
    spot: str, rounds: int, decks: int | None, code: str
) -> None:
    with pytest.raises(Refusal) as refused:
        distribution(load("rws-knockout"), spot, rounds, decks)

    assert refused.value.code == code


def test_more_results_than_can_be_told_apart_are_refused() -> None:
    with pytest.raises(Refusal, match="1 to 11,949"):
        distribution(load("online-cow-cow"), "player", 20_000)


@every(("stake", "rounds"), [(0, 70), (-5, 70), (10**19, 70), (100, 0), (100, 1001)])
def test_no_hour_without_stakes_and_rounds(stake: int, rounds: int) -> None:
    with pytest.raises(Refusal, match=r"stake|rounds"):
        per_hour(load("rws-commission"), stake, rounds)
