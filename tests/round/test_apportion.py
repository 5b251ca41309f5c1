"""Apportionment: the worked example, the corners of rounding, and what must hold for every box."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from cutcard.round.apportion import Share, apportion, reject, seated_first, total
from tests.cases import every


def line(*stakes: int, seated: int = 1) -> list[Share]:
    """Bets in their order in time; the first so many are seated."""
    return [
        Share((chr(ord("A") + place), 5, "banker"), stake, place < seated, place)
        for place, stake in enumerate(stakes)
    ]


def counts(shares: dict[Share, int]) -> dict[str, int]:
    return {share.key[0]: stake for share, stake in shares.items()}


# The heavier side of clauses.md §6: A seated, then B, C and E standing, D on the other side.
WORKED = [
    Share(("A", 5, "banker"), 8_000, True, 0),
    Share(("B", 5, "banker"), 6_000, False, 1),
    Share(("C", 5, "banker"), 350, False, 2),
    Share(("E", 5, "banker"), 200, False, 4),
]


def test_the_worked_example_cuts_three_quarters() -> None:
    """E is exempt, C is held at the minimum, A and B share the rest."""
    cut = apportion(WORKED, 11_000, 300, 5)

    assert counts(cut) == {"A": 6_000, "B": 4_500, "C": 300, "E": 200}


def test_the_worked_example_with_seated_first() -> None:
    cut = seated_first(WORKED, 11_000, 300, 5)

    assert counts(cut) == {"A": 8_000, "B": 2_500, "C": 300, "E": 200}


def test_the_worked_example_rejected_from_the_back() -> None:
    assert counts(reject(WORKED, 11_000, 5)) == {"A": 8_000, "B": 3_000, "C": 0, "E": 0}


def test_a_bet_of_exactly_the_minimum_is_cut_with_the_others_only_down_to_it() -> None:
    assert counts(apportion(line(300, 900), 800, 300, 1)) == {"A": 300, "B": 500}


def test_a_bet_below_the_minimum_stays_whole_while_a_larger_one_pays_for_it() -> None:
    assert counts(apportion(line(299, 901), 800, 300, 1)) == {"A": 299, "B": 501}


def test_holding_one_bet_may_push_the_next_to_the_minimum_too() -> None:
    """At first only A is below 300; once it is held, B falls below as well."""
    cut = apportion(line(400, 430, 1_000), 1_290, 300, 1)

    assert counts(cut) == {"A": 300, "B": 300, "C": 690}


@every(
    ("unit", "cut"),
    [
        (1, {"A": 67, "B": 67, "C": 66}),
        (2, {"A": 68, "B": 66, "C": 66}),
        (5, {"A": 70, "B": 65, "C": 65}),
        (20, {"A": 80, "B": 60, "C": 60}),
        (50, {"A": 100, "B": 50, "C": 50}),
    ],
)
def test_equal_remainders_go_to_the_seated_and_then_to_the_earlier(
    unit: int, cut: dict[str, int]
) -> None:
    assert counts(apportion(line(100, 100, 100), 200, 0, unit)) == cut


def test_of_standing_bets_the_earlier_has_the_odd_unit() -> None:
    late = Share(("A", 5, "banker"), 100, False, 7)
    early = Share(("B", 5, "banker"), 100, False, 3)

    assert apportion([late, early], 101, 0, 1) == {late: 50, early: 51}


def test_a_seated_bet_has_the_odd_unit_before_an_earlier_standing_one() -> None:
    standing = Share(("A", 5, "banker"), 100, False, 0)
    seated = Share(("B", 5, "banker"), 100, True, 9)

    assert apportion([standing, seated], 101, 0, 1) == {standing: 50, seated: 51}


def test_a_larger_remainder_goes_before_a_seat() -> None:
    """100 of 400 is a quarter: 25, 25.25 and 49.75 of 100 leave one unit for the last."""
    assert counts(apportion(line(100, 101, 199), 100, 0, 1)) == {"A": 25, "B": 25, "C": 50}


def test_several_odd_units_go_to_several_bets_once_each() -> None:
    assert counts(apportion(line(10, 10, 10, 10, 10), 33, 0, 1)) == {
        "A": 7,
        "B": 7,
        "C": 7,
        "D": 6,
        "E": 6,
    }


def test_a_minimum_off_the_unit_is_raised_to_it() -> None:
    """Nobody may fall below 310, and 320 is the least multiple of 20 that is not below."""
    assert counts(apportion(line(400, 2_000), 2_000, 310, 20)) == {"A": 340, "B": 1_660}
    assert counts(apportion(line(400, 4_000), 2_000, 310, 20)) == {"A": 320, "B": 1_680}


def test_a_target_off_the_unit_is_met_from_below() -> None:
    assert counts(apportion(line(400, 400), 619, 300, 20)) == {"A": 300, "B": 300}


def test_forty_minimums_prevail_over_the_limit() -> None:
    """40 × 400 against 10,000: everybody keeps 300, and the house carries 2,000."""
    cut = apportion(line(*[400] * 40), 10_000, 300, 5)

    assert set(cut.values()) == {300}
    assert sum(cut.values()) == 12_000


def test_exempt_bets_beyond_the_target_leave_the_others_their_minimum() -> None:
    assert counts(apportion(line(290, 290, 400), 100, 300, 10)) == {"A": 290, "B": 290, "C": 300}


def test_without_bets_there_is_nothing_to_cut() -> None:
    assert apportion([], 0, 300, 5) == {}
    assert seated_first([], 0, 300, 5) == {}
    assert reject([], 0, 5) == {}


def test_seated_bets_beyond_the_target_are_cut_and_standing_ones_keep_their_minimum() -> None:
    cut = seated_first(line(8_000, 6_000, 400, 200, seated=2), 10_000, 300, 5)

    assert counts(cut) == {"A": 5_430, "B": 4_070, "C": 300, "D": 200}


def test_seated_bets_that_fill_the_target_exactly_count_in_full() -> None:
    assert counts(seated_first(line(600, 400, seated=2), 1_000, 300, 5)) == {"A": 600, "B": 400}


def test_seated_first_without_a_seated_bet_cuts_everybody_alike() -> None:
    bets = line(800, 400, seated=0)

    assert (
        seated_first(bets, 900, 300, 5)
        == apportion(bets, 900, 300, 5)
        == dict(zip(bets, (600, 300), strict=True))
    )


def test_seated_first_without_a_standing_bet_cuts_the_seated_alike() -> None:
    bets = line(800, 400, seated=2)

    assert seated_first(bets, 900, 300, 5) == apportion(bets, 900, 300, 5)


def test_seated_first_holds_standing_bets_on_the_unit() -> None:
    """310 is no multiple of 20: the standing bet counts for 320, as it would without the switch."""
    cut = seated_first(line(2_000, 400), 1_500, 310, 20)

    assert counts(cut) == {"A": 1_180, "B": 320}


def test_a_seated_patron_who_bets_more_never_counts_for_less() -> None:
    """Limit 10,000, somebody standing with 6,000: the seat makes room for that one's minimum."""
    modest = counts(seated_first(line(9_900, 6_000), 10_000, 300, 5))
    bold = counts(seated_first(line(10_100, 6_000), 10_000, 300, 5))

    assert bold == {"A": 9_700, "B": 300}
    assert modest == {"A": 9_700, "B": 300}


def test_rejecting_takes_standing_bets_from_the_latest_before_any_seat() -> None:
    bets = [
        Share(("late seat", 5, "banker"), 400, True, 3),
        Share(("first", 5, "banker"), 300, False, 0),
        Share(("second", 5, "banker"), 300, False, 1),
        Share(("early seat", 5, "banker"), 200, True, 2),
    ]

    assert counts(reject(bets, 800, 5)) == {
        "early seat": 200,
        "late seat": 400,
        "first": 200,
        "second": 0,
    }


def test_rejecting_leaves_stakes_on_the_unit() -> None:
    """Room for 350 after A leaves 340 of B, and the last 10 are too few for C."""
    assert counts(reject(line(400, 400, 400), 750, 20)) == {"A": 400, "B": 340, "C": 0}


def test_total_adds_the_stakes() -> None:
    assert total(line(8_000, 350, 200)) == 8_550


# --- what holds for every box ---------------------------------------------------------------------


@st.composite
def boxes(draw: st.DrawFn) -> tuple[list[Share], int, int, int]:
    """The heavier side of some box beyond its differential: bets, target, minimum, unit."""
    unit = draw(st.sampled_from([1, 2, 5, 20]))
    stakes = draw(st.lists(st.integers(1, 60), min_size=1, max_size=8))
    seats = draw(st.lists(st.booleans(), min_size=len(stakes), max_size=len(stakes)))
    orders = draw(st.permutations(range(len(stakes))))
    bets = [
        Share((f"p{place}", 5, "banker"), stake * unit, seated, order)
        for place, (stake, seated, order) in enumerate(zip(stakes, seats, orders, strict=True))
    ]
    target = draw(st.integers(0, total(bets) - 1))
    minimum = draw(st.integers(0, 30 * unit))
    return bets, target, minimum, unit


def floors(bets: Sequence[Share], minimum: int, unit: int) -> dict[Share, int]:
    """What each bet keeps whatever happens: all of a short bet, else the minimum on its unit."""
    kept = -(-minimum // unit) * unit
    return {bet: bet.stake if bet.stake < minimum else kept for bet in bets}


Policy = Callable[[Sequence[Share], int, int, int], dict[Share, int]]
Box = tuple[list[Share], int, int, int]

policies = every("policy", [apportion, seated_first])


@policies
@given(box=boxes())
def test_nobody_counts_for_more_than_was_placed_or_less_than_the_minimum(
    policy: Policy, box: Box
) -> None:
    bets, target, minimum, unit = box
    cut = policy(bets, target, minimum, unit)

    assert cut.keys() == set(bets)
    for bet, stake in cut.items():
        assert min(bet.stake, minimum) <= stake <= bet.stake


@policies
@given(box=boxes())
def test_what_counts_is_on_the_unit(policy: Policy, box: Box) -> None:
    bets, target, minimum, unit = box

    assert {stake % unit for stake in policy(bets, target, minimum, unit).values()} == {0}


@policies
@given(box=boxes())
def test_the_target_is_met_whenever_the_minimums_permit(policy: Policy, box: Box) -> None:
    """Met from below where it is off the unit; otherwise the minimums prevail, and no more."""
    bets, target, minimum, unit = box
    cut, kept = policy(bets, target, minimum, unit), floors(bets, minimum, unit)

    if sum(kept.values()) <= target:
        assert sum(cut.values()) == target // unit * unit
    else:
        assert cut == kept


@policies
@given(box=boxes(), data=st.data())
def test_the_order_in_which_bets_are_listed_changes_nothing(
    policy: Policy, box: Box, data: st.DataObject
) -> None:
    bets, target, minimum, unit = box
    shuffled = data.draw(st.permutations(bets))

    assert policy(shuffled, target, minimum, unit) == policy(bets, target, minimum, unit)


@given(box=boxes())
def test_a_larger_bet_never_counts_for_less(box: Box) -> None:
    bets, target, minimum, unit = box
    cut = apportion(bets, target, minimum, unit)
    ranked = sorted(bets, key=lambda bet: bet.stake)

    for small, large in pairwise(ranked):
        if small.stake < large.stake:
            assert cut[small] <= cut[large]


@given(box=boxes())
def test_shares_are_within_a_unit_of_their_proportion(box: Box) -> None:
    bets, target, _, unit = box
    cut, factor = apportion(bets, target, 0, unit), Fraction(target, total(bets))

    for bet, stake in cut.items():
        assert abs(stake - bet.stake * factor) < unit


@given(box=boxes())
def test_seats_count_in_full_while_they_leave_the_others_their_minimum(box: Box) -> None:
    bets, target, minimum, unit = box
    seated = [bet for bet in bets if bet.seated]
    standing = [bet for bet in bets if not bet.seated]
    cut = seated_first(bets, target, minimum, unit)

    if total(seated) + sum(floors(standing, minimum, unit).values()) <= target:
        assert {bet: cut[bet] for bet in seated} == {bet: bet.stake for bet in seated}


@given(box=boxes(), data=st.data())
def test_rejecting_keeps_the_target_and_takes_from_the_back(box: Box, data: st.DataObject) -> None:
    bets, target, _, unit = box
    kept = reject(data.draw(st.permutations(bets)), target, unit)
    front = sorted(bets, key=lambda bet: (not bet.seated, bet.order))

    assert kept == reject(bets, target, unit)
    assert sum(kept.values()) == target // unit * unit
    assert all(0 <= kept[bet] <= bet.stake for bet in bets)
    assert {stake % unit for stake in kept.values()} == {0}
    for ahead, behind in pairwise(front):
        assert kept[behind] == 0 or kept[ahead] == ahead.stake
