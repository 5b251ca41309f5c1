"""The incomplete gamma function: what chance makes of a chi-square or a count.

Written out so that the evidence needs no numerical library. Series below the
mean, continued fraction above it (Abramowitz and Stegun 6.5.29 and 6.5.31).
"""

from math import erfc, exp, lgamma, log, sqrt

_CLOSE = 1e-16
_TINY = 1e-300


def upper(a: float, x: float) -> float:
    """Q(a, x): the share of the gamma function of a > 0 that lies above x ≥ 0."""
    if x < a + 1:
        return 1 - _series(a, x)
    return _fraction(a, x)


def chi_square_p(statistic: float, freedom: int) -> float:
    """The chance of so great a chi-square or a greater one."""
    return upper(freedom / 2, statistic / 2)


def poisson_p(count: int, mean: float) -> float:
    """The chance of so many events or more where `mean` are expected."""
    return 1 - upper(count, mean) if count else 1.0


def normal_p(deviations: float) -> float:
    """The chance of so great a deviation to either side, counted in standard deviations."""
    return erfc(abs(deviations) / sqrt(2))


def _series(a: float, x: float) -> float:
    if x == 0:
        return 0.0
    term = total = 1 / a
    step = a
    while term > total * _CLOSE:
        step += 1
        term *= x / step
        total += term
    return total * _weight(a, x)


def _fraction(a: float, x: float) -> float:
    """Evaluated from the front by Lentz's method."""
    b = x + 1 - a
    c = 1 / _TINY
    d = 1 / b
    found = d
    step = 0
    change = 0.0
    while abs(change - 1) > _CLOSE * 10:
        step += 1
        part = -step * (step - a)
        b += 2
        d = 1 / (part * d + b)
        c = b + part / c
        change = c * d
        found *= change
    return found * _weight(a, x)


def _weight(a: float, x: float) -> float:
    return exp(a * log(x) - x - lgamma(a))
