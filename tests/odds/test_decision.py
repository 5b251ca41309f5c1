"""Ante and Wager: one bet with one decision, best for each first card."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from cutcard.odds import Composition, odds
from cutcard.odds.decision import Choice, Decision
from cutcard.odds.pricing import decimal
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.rulebook import Rulebook
from tests.cases import every
from tests.odds.naive import (
    hard_knockout,
    losing_tie,
    pays,
    with_each_line,
    with_lines,
    with_spot,
)

SIDES = ("player", "banker")
every_side = every("side", SIDES)

# What continuing is worth, per unit of Ante, by the value of the first card.
WORTH = """
    card      0      1      2      3      4      5      6      7      8      9
    player -0.312 -0.313 -0.298 -0.277 -0.246 -0.181 -0.102  0.163  0.451  0.621
    banker  0.079  0.077  0.063  0.043  0.087  0.026  0.129 -0.136 -0.524 -0.694
"""


@cache
def decisions(hard: bool = False) -> dict[str, Decision]:
    return dict(odds(hard_knockout() if hard else load("rws-knockout")).decisions)


def worth() -> dict[str, list[str]]:
    rows = [line.split() for line in WORTH.strip().splitlines()]
    return {row[0]: row[1:] for row in rows[1:]}


@every_side
def test_what_continuing_is_worth_after_each_first_card(side: str) -> None:
    choices = decisions()[f"ante_{side}"].choices

    assert [decimal(choices[value].continuing, 3) for value in range(10)] == worth()[side]


@every_side
def test_declining_costs_the_ante(side: str) -> None:
    choices = decisions()[f"ante_{side}"].choices

    assert {choice.declining for choice in choices.values()} == {-1}


@every_side
def test_continuing_is_best_after_every_first_card(side: str) -> None:
    decision = decisions()[f"ante_{side}"]

    assert all(choice.continues for choice in decision.choices.values())
    assert decision.best == decision.always


@pytest.mark.parametrize(
    ("side", "card", "least"), [("player", 1, "-0.313"), ("banker", 9, "-0.694")]
)
def test_the_worst_first_card(side: str, card: int, least: str) -> None:
    choices = decisions()[f"ante_{side}"].choices
    worst = min(choices, key=lambda value: choices[value].continuing)

    assert (worst, decimal(choices[worst].continuing, 3)) == (card, least)


@every_side
def test_three_units_are_staked_when_the_wager_follows(side: str) -> None:
    decision = decisions()[f"ante_{side}"]

    assert decision.best.action == 3
    assert decision.best.edge_of_action == decision.best.edge / 3
    assert (decision.first.id, decision.second.id) == (f"ante_{side}", f"wager_{side}")


@every_side
def test_the_best_price_is_the_mean_of_the_best_choices(side: str) -> None:
    for hard in (False, True):
        decision = decisions(hard)[f"ante_{side}"]
        share = {value: Fraction(4 if value == 0 else 1, 13) for value in range(10)}
        best = sum(
            share[value] * max(choice.continuing, choice.declining)
            for value, choice in decision.choices.items()
        )
        always = sum(share[value] * one.continuing for value, one in decision.choices.items())

        assert (decision.best.ev, decision.always.ev) == (best, always)


@every_side
def test_the_strategy_covers_thirteen_ranks(side: str) -> None:
    document = decisions()[f"ante_{side}"].document()

    assert list(document) == list("A23456789TJQK")
    assert document["T"] == document["K"]
    for row in document.values():
        assert isinstance(row, dict)
        assert (row["decision"], row["decline"]) == ("continue", "-1")
        assert Fraction(row["continue"]) > -1


# A book in which declining is right


def test_declining_is_right_after_a_seven_eight_or_nine() -> None:
    """Banker's Wager never wins here, and against a good first Player card it is better saved."""
    decision = decisions(hard=True)["ante_banker"]
    declined = [value for value, choice in decision.choices.items() if not choice.continues]
    document = decision.document()

    assert declined == [7, 8, 9]
    assert [rank for rank, row in document.items() if row["decision"] == "decline"] == list("789")  # type: ignore[index]
    assert decision.best.ev > decision.always.ev


def test_a_declined_ante_is_an_outcome_of_its_own() -> None:
    decision = decisions(hard=True)["ante_banker"]
    (lost,) = [one for one in decision.best.outcomes if len(one.lines) == 1]

    assert [lost.net, lost.action] == [-1, 1]
    assert lost.lines[0].clause == "KO2 3.4.1"
    assert Fraction(lost.orders, decision.best.orders) == Fraction(3, 13)
    assert decision.best.orders == decision.always.orders
    assert decision.best.action == Fraction(10, 13) * 3 + Fraction(3, 13)
    assert decision.always.action == 3


def test_the_laws_hold_under_a_mixed_decision() -> None:
    best = decisions(hard=True)["ante_banker"].best

    assert best.win + best.push + best.lose == 1
    assert best.edge == -best.ev == 1 - best.rtp


def test_the_other_ante_is_not_touched() -> None:
    assert decisions(hard=True)["ante_player"].best == decisions()["ante_player"].best


def test_of_two_equal_choices_the_stake_is_saved() -> None:
    assert not Choice(Fraction(-1), Fraction(-1)).continues
    assert Choice(Fraction(-99, 100), Fraction(-1)).continues
    assert not Choice(Fraction(-101, 100), Fraction(-1)).continues


def test_a_wager_that_only_loses_is_never_placed() -> None:
    book = with_lines(load("rws-knockout"), "wager_player", pays("-1"))
    decision = odds(book).decisions["ante_player"]

    assert decision.best.ev == -1
    assert decision.best.lose == decision.best.action == 1
    assert decision.best.variance == 0


def test_a_first_card_that_cannot_come_needs_no_decision() -> None:
    shoe = Composition.parse("A=8,2=8,3=8,5=8,9=8,K=8")
    decision = odds(load("rws-knockout"), shoe).decisions["ante_player"]

    assert list(decision.choices) == [0, 1, 2, 3, 5, 9]
    assert decision.best.orders == 48 * 47 * 46 * 45 * 44 * 43


# Misreadings


def banker_six_halves_the_ante() -> Rulebook:
    book = load("rws-knockout")
    half = pays("1/2", winner="banker", banker_points=6)
    return with_lines(book, "ante_banker", half, *book.spots["ante_banker"].table.lines)


def ties_lose_both_stages() -> Rulebook:
    book = with_each_line(load("rws-knockout"), "ante_player", losing_tie)
    return with_each_line(book, "wager_player", losing_tie)


@pytest.mark.parametrize(
    ("book", "spot", "cost"),
    [
        (banker_six_halves_the_ante(), "ante_banker", "7.414478"),
        (ties_lose_both_stages(), "ante_player", "39.524530"),
    ],
    ids=["half Ante on six", "a tie loses"],
)
def test_a_misreading_shows_in_the_edge(book: Rulebook, spot: str, cost: str) -> None:
    assert decimal(odds(book).bets[spot].edge * 100, 6) == cost


# What cannot be priced


def pair_in(spot: str, fact: str) -> Rulebook:
    book = load("rws-knockout")
    lines = book.spots[spot].table.lines
    return with_lines(book, spot, pays("5", **{fact: True}), *lines)


def after_card(number: int) -> Rulebook:
    book = load("rws-knockout")
    wager = book.spots["wager_player"]
    assert wager.stage is not None
    return with_spot(book, replace(wager, stage=replace(wager.stage, after_card=number)))


@every(
    "book",
    [
        pair_in("wager_player", "player_pair"),
        pair_in("wager_player", "banker_suited_pair"),
        pair_in("ante_player", "player_pair"),
        after_card(2),
        after_card(0),
    ],
    ids=["Wager on a pair", "Wager on a suited pair", "Ante on a pair", "card 2", "card 0"],
)
def test_a_second_stage_on_anything_else_is_refused(book: Rulebook) -> None:
    with pytest.raises(Refusal) as refusal:
        odds(book)

    assert (refusal.value.code, refusal.value.clause) == ("odds/second-stage", "KO2 3.4.2")
    assert refusal.value.params["spot"] == "ante_player"
