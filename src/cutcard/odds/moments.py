"""Moments: what a round's bets should bring together, and by how much they vary, exactly.

Bets of one round lose and win together, so the variance of their sum needs every two of
them: the covariances of a book's spots, worked out once from the counted kinds. Of a
shuffled shoe every round is as likely to be any coup as the first one, so the figures of
a fresh shoe are right for all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from cutcard.odds.bets import fresh
from cutcard.odds.composition import Composition
from cutcard.odds.kinds import count_kinds
from cutcard.rules.rulebook import Rulebook


@dataclass(frozen=True)
class Moments:
    """By spot the mean of a unit's net, and by two spots their covariance.

    A bet on which somebody decides after the first card has no figure of its own: it is
    left out, with whatever follows on it.
    """

    means: Mapping[str, Fraction]
    covariances: Mapping[tuple[str, str], Fraction]

    def of(self, stakes: Mapping[str, int]) -> tuple[Fraction, Fraction]:
        """Mean and variance of what patrons net with these stakes in one round."""
        known = {spot: stake for spot, stake in stakes.items() if spot in self.means}
        mean = sum((stake * self.means[spot] for spot, stake in known.items()), Fraction(0))
        variance = sum(
            (
                known[one] * known[two] * self.covariances[one, two]
                for one in known
                for two in known
            ),
            Fraction(0),
        )
        return mean, variance


def moments(book: Rulebook, decks: int) -> Moments:
    """The moments of every bet of a book that nobody decides on."""
    spots = {
        spot.id: spot
        for spot in book.spots.values()
        if spot.stage is None and book.stage_of(spot.id) is None
    }
    counts = count_kinds(fresh(book, Composition.of_decks(decks)))
    every = sum(counts.values())
    # Many kinds net the same on every spot; they are counted together.
    rows: dict[tuple[Fraction, ...], int] = {}
    for kind, ways in counts.items():
        nets = tuple(spot.table.line_of(*kind).net for spot in spots.values())
        rows[nets] = rows.get(nets, 0) + ways
    places = {spot: place for place, spot in enumerate(spots)}
    means = {
        spot: sum((row[at] * ways for row, ways in rows.items()), Fraction(0)) / every
        for spot, at in places.items()
    }
    products = {
        (one, two): sum(
            (row[places[one]] * row[places[two]] * ways for row, ways in rows.items()), Fraction(0)
        )
        / every
        for one, two in product(spots, repeat=2)
    }
    return Moments(
        means, {(one, two): mean - means[one] * means[two] for (one, two), mean in products.items()}
    )
