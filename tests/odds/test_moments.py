"""Mean and variance of all bets of a round together, exactly."""

from fractions import Fraction

from cutcard.odds.bets import odds
from cutcard.odds.moments import moments
from cutcard.rulebooks import load


def test_every_spot_has_the_mean_and_variance_of_its_price() -> None:
    book = load("rws-commission")
    found, priced = moments(book, 8), odds(book)

    for spot, price in priced.bets.items():
        assert found.means[spot] == price.ev
        assert found.covariances[spot, spot] == price.variance


def test_bets_of_one_round_vary_together() -> None:
    """100 on each side: what one wins the other loses, but for the commission."""
    found = moments(load("rws-commission"), 8)
    mean, variance = found.of({"player": 100, "banker": 100})
    sides = (found.covariances[one, one] for one in ("player", "banker"))
    apart = 100**2 * sum(sides, Fraction(0))

    assert mean == 100 * (found.means["player"] + found.means["banker"])
    assert 0 < variance < apart * Fraction(1, 100)


def test_what_somebody_decides_on_is_left_out() -> None:
    found = moments(load("rws-knockout"), 8)

    assert "ante_player" not in found.means
    assert "wager_player" not in found.means
    assert found.of({"ante_player": 100}) == (Fraction(0), Fraction(0))
