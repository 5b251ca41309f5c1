"""The incomplete gamma function against closed forms and printed tables."""

from fractions import Fraction
from math import erfc, exp, factorial, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.fairness.gamma import chi_square_p, normal_p, poisson_p, upper
from tests.cases import every


def e_to_minus(x: Fraction) -> Fraction:
    """e^-x, exact to a hundred digits: the series of e^(x/2^10), turned over and raised."""
    small = x / 2**10
    total = sum((small**power / factorial(power) for power in range(60)), Fraction(0))
    return (1 / total) ** (2**10)


@every("a", [1, 2, 3, 5, 10])
@every("x", [Fraction(1, 10), Fraction(1), Fraction(5, 2), Fraction(9)])
def test_whole_numbers_have_a_closed_form(a: int, x: Fraction) -> None:
    """Q(a, x) = e^-x (1 + x + … + x^(a-1) / (a-1)!), computed in fractions."""
    exact = e_to_minus(x) * sum(x**power / factorial(power) for power in range(a))

    assert upper(a, float(x)) == pytest.approx(float(exact), rel=1e-12)


@every("x", [0.0, 1e-6, 0.3, 1.0, 1.499, 1.501, 4.0, 30.0, 200.0])
def test_one_half_is_the_error_function(x: float) -> None:
    assert upper(0.5, x) == pytest.approx(erfc(sqrt(x)), rel=1e-12, abs=1e-15)


@every(
    ("freedom", "point", "p"),
    [
        (1, 3.841458820694124, 0.05),
        (1, 6.634896601021213, 0.01),
        (5, 11.070497693516351, 0.05),
        (10, 23.209251158954356, 0.01),
        (30, 43.77297182574219, 0.05),
        (100, 135.80672317102676, 0.01),
    ],
)
def test_the_points_of_the_printed_tables(freedom: int, point: float, p: float) -> None:
    assert chi_square_p(point, freedom) == pytest.approx(p, rel=1e-10)


@given(st.integers(1, 30_000))
def test_both_ways_of_computing_meet(freedom: int) -> None:
    """Just below and just above the place where the method changes, the chance hardly does."""
    a = freedom / 2
    below, above = upper(a, (a + 1) * (1 - 1e-9)), upper(a, (a + 1) * (1 + 1e-9))

    assert below > above
    assert below == pytest.approx(above, rel=1e-5)


def test_many_degrees_of_freedom_come_near_the_bell_curve() -> None:
    """Wilson and Hilferty's cube root is good to four digits at 21,165 degrees."""
    freedom, statistic = 21_165, 21_548.04
    third = 2 / (9 * freedom)
    deviations = ((statistic / freedom) ** (1 / 3) - (1 - third)) / sqrt(third)

    assert chi_square_p(statistic, freedom) == pytest.approx(normal_p(deviations) / 2, rel=1e-3)


@given(st.floats(0.5, 1000), st.floats(0, 2000), st.floats(0, 100))
def test_it_is_a_chance_and_falls(a: float, x: float, more: float) -> None:
    assert 0 <= upper(a, x + more) <= upper(a, x) + 1e-12 <= 1 + 1e-12


@every("mean", [0.5, 4.0, 20.0])
@every("count", [0, 1, 5, 30])
def test_a_poisson_count_is_added_up(count: int, mean: float) -> None:
    below = sum(exp(-mean) * mean**number / factorial(number) for number in range(count))

    assert poisson_p(count, mean) == pytest.approx(1 - below, abs=1e-12)


@every(("deviations", "p"), [(0, 1), (1.959963984540054, 0.05), (-2.5758293035489004, 0.01)])
def test_a_normal_deviation_counts_to_both_sides(deviations: float, p: float) -> None:
    assert normal_p(deviations) == pytest.approx(p, rel=1e-12)
