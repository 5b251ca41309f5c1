"""Simulation against exact odds, whoever deals and however it is cut into pieces."""

import pickle
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from math import sqrt

import pytest

from cutcard.lab import Simulation, simulate
from cutcard.lab.lanes import LANES
from cutcard.lab.simulation import MOST_ROUNDS, PARTS, deal_task, plan
from cutcard.lab.work import key_of
from cutcard.odds import Composition, odds
from cutcard.odds.kinds import Kind, count_kinds
from cutcard.odds.pricing import Cases, price
from cutcard.refusals import Refusal
from cutcard.rulebooks import MORE, ids, load, rulebooks
from tests.cases import every
from tests.lab.test_lanes import lanes

ROUNDS = 2_000_000


@pytest.fixture(scope="module")
def fixed() -> Simulation:
    return simulate(load("rws-commission"), ROUNDS, 11, rounds_per_shoe=60)


def chi_square(run: Simulation, expected: Mapping[Kind, float]) -> float:
    """How far the counts are from what is expected, in standard deviations of the figure.

    Kinds that are expected less than ten times are looked at together.
    """
    common = {kind for kind, number in expected.items() if number >= 10}
    rare = sum(number for kind, number in expected.items() if kind not in common)
    seen = sum(number for kind, number in run.counts.items() if kind not in common)
    figure = (seen - rare) ** 2 / rare if rare else float(seen)
    for kind in common:
        figure += (run.counts.get(kind, 0) - expected[kind]) ** 2 / expected[kind]
    freedom = len(common) - (not rare)
    return (figure - freedom) / sqrt(2 * freedom)


def test_every_kind_of_coup_comes_as_often_as_it_should(fixed: Simulation) -> None:
    """At a fixed number of rounds a shoe every round has the odds of a fresh shoe."""
    counted = count_kinds(Composition.of_decks(8).by_rank)
    orders = sum(counted.values())
    expected = {kind: number / orders * fixed.rounds for kind, number in counted.items()}

    assert fixed.rounds == sum(fixed.counts.values()) >= ROUNDS
    assert set(fixed.counts) <= set(counted)
    assert abs(chi_square(fixed, expected)) < 4


def test_suited_pairs_come_as_often_as_they_should() -> None:
    run = simulate(load("side-bets"), 300_000, 3, rounds_per_shoe=60)
    counted = count_kinds(Composition.of_decks(8))
    orders = sum(counted.values())
    expected = {kind: number / orders * run.rounds for kind, number in counted.items()}

    assert run.plan.by_card
    assert abs(chi_square(run, expected)) < 4
    assert max(abs(result.errors or 9) for result in run.results.values()) < 4


def test_every_bet_of_every_book_is_settled_on_the_same_counts(fixed: Simulation) -> None:
    for book in (*rulebooks(), *rulebooks(MORE)):
        run = Simulation(book, fixed.plan, fixed.parts, fixed.rounds, fixed.shoes)
        exact = odds(book)
        for spot, result in run.results.items():
            assert result.simulated.orders == fixed.rounds
            if "perfect" not in spot:
                assert abs(result.errors or 9) < 4, (book.id, spot)
            if book.stage_of(spot) is None:
                table = book.spots[spot].table
                assert result.simulated == price(table, Cases(fixed.counts))
                assert result.exact == exact.bets[spot]
            else:
                assert result.exact == exact.decisions[spot].always


def test_rounds_a_shoe_up_to_the_cut_card() -> None:
    """80.48 with the card 14 from the end; the round in which it comes out is the last."""
    run = simulate(load("rws-commission"), ROUNDS, 5, cut=14)

    assert run.shoes % LANES == 0
    assert abs(run.rounds / run.shoes - 80.48) < 0.04


def test_the_result_does_not_depend_on_who_deals() -> None:
    book = load("rws-knockout")
    one = simulate(book, 500_000, 9, threads=1)
    three = simulate(book, 500_000, 9, threads=3)
    with ThreadPoolExecutor(2) as threads:
        others = simulate(book, 500_000, 9, executor=threads)

    assert (one.parts == three.parts).all()
    assert (one.parts == others.parts).all()
    assert one.document() == three.document() == others.document()
    assert simulate(book, 500_000, 10).counts != one.counts


def test_a_task_can_be_sent_to_another_process() -> None:
    order = (plan(load("rws-commission"), 10_000, 9), 1)
    histogram, rounds, shoes = deal_task(order)
    there = deal_task(pickle.loads(pickle.dumps(order)))

    assert (there[0] == histogram).all()
    assert there[1:] == (rounds, shoes)


def test_blocks_are_dealt_once_each() -> None:
    run = simulate(load("rws-commission"), 3 * LANES * 78, "words", cut=14)
    by_block = [lanes(block, 8, 14, 14, 0, key=key_of("words")) for block in range(3)]

    assert run.plan.blocks == 3 == len(run.parts)
    assert run.shoes == 3 * LANES
    assert run.counts == sum(by_block, Counter())


def test_standard_errors_are_taken_over_whole_shoes(fixed: Simulation) -> None:
    """Rounds of a shoe hardly depend on each other, so it is about the error of single rounds."""
    for result in fixed.results.values():
        alone = sqrt(float(result.exact.variance) / fixed.rounds)
        assert result.error is not None
        assert 0.8 < result.error / alone < 1.25
    assert len(fixed.parts) == PARTS


def test_one_part_tells_no_error() -> None:
    run = simulate(load("rws-commission"), 1)

    assert (run.shoes, run.plan.blocks) == (LANES, 1)
    assert {result.error for result in run.results.values()} == {None}
    assert {result.errors for result in run.results.values()} == {None}


def test_an_interrupt_leaves_the_result_so_far() -> None:
    heard: list[tuple[int, float]] = []

    def told(rounds: int, share: float) -> None:
        heard.append((rounds, share))
        if len(heard) == 3:
            raise KeyboardInterrupt

    run = simulate(load("rws-commission"), ROUNDS, threads=1, told=told)

    assert run.stopped
    assert run.document()["stopped"] is True
    assert heard[-1] == (run.rounds, 3 / run.plan.tasks)
    assert run.rounds == sum(run.counts.values()) < ROUNDS


@every("id", ids())
@every("cut", [None, 6, 100, 150])
def test_no_run_falls_short(id: str, cut: int | None) -> None:
    book = load(id)
    for decks in {book.decks.least, book.decks.most}:
        run = simulate(book, 40_000, decks=decks, cut=cut)
        assert 40_000 <= run.rounds < 40_000 * 1.05 + LANES * 82


@every(
    ("wishes", "code"),
    [
        ({"rounds": 0}, "lab/rounds"),
        ({"rounds": MOST_ROUNDS + 1}, "lab/rounds"),
        ({"decks": 9}, "shoe/decks"),
        ({"cut": 5}, "shoe/cut-out-of-range"),
        ({"cut": 405}, "shoe/cut-out-of-range"),
        ({"rounds_per_shoe": 0}, "lab/rounds-per-shoe"),
        ({"rounds_per_shoe": 68}, "lab/rounds-per-shoe"),
        ({"rounds_per_shoe": 60, "cut": 14}, "lab/cut-or-rounds"),
        ({"threads": 0}, "lab/threads"),
        ({"threads": 1025}, "lab/threads"),
    ],
)
def test_what_cannot_be_dealt_is_refused(wishes: dict[str, int], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        simulate(load("rws-commission"), **{"rounds": 1000, **wishes})  # type: ignore[arg-type]

    assert refused.value.code == code


def test_the_longest_fixed_shoe_has_cards_for_every_round() -> None:
    assert plan(load("rws-commission"), 1, rounds_per_shoe=67).fixed == 67
    assert 11 + 6 * 67 <= 416 < 11 + 6 * 68
