"""The odds of a book: every bet it offers, for any shoe, exactly."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from cutcard.odds.completions import completions
from cutcard.odds.composition import Composition, check_enough
from cutcard.odds.decision import Decision, continuing, decide
from cutcard.odds.kinds import count_by_first_card, count_kinds
from cutcard.odds.pricing import Cases, Price, price
from cutcard.refusals import Refusal
from cutcard.rules.cards import Rank
from cutcard.rules.coup import Coup, check_dealt
from cutcard.rules.rulebook import Rulebook, Spot
from cutcard.rules.shoe import FULL_COUP


@dataclass(frozen=True)
class Odds:
    """Every bet of a book for one shoe; a first-stage bet is priced with its second stage."""

    book: Rulebook
    shoe: Composition
    bets: Mapping[str, Price]
    decisions: Mapping[str, Decision]

    def document(self) -> dict[str, object]:
        """The odds as the command line and the API write them."""
        bets = {spot: priced.document() for spot, priced in self.bets.items()}
        for spot, decision in self.decisions.items():
            bets[spot]["always_continue"] = decision.always.document()
        page: dict[str, object] = {"book": self.book.id, **self.shoe.document(), "bets": bets}
        if self.decisions:
            page["strategy"] = {
                spot: decision.document() for spot, decision in self.decisions.items()
            }
        return page


class Counted:
    """A shoe and what has been counted of it, so that many bets can be priced from one count."""

    def __init__(self, shoe: Composition) -> None:
        self.shoe = shoe

    @cached_property
    def cases(self) -> Cases:
        return Cases(count_kinds(self.shoe))

    @cached_property
    def by_first_card(self) -> Mapping[int, Cases]:
        return {card: Cases(counts) for card, counts in count_by_first_card(self.shoe).items()}

    def decision(self, book: Rulebook, first: Spot) -> Decision | None:
        """A first-stage bet under the best decision, or None for any other bet."""
        second = book.stage_of(first.id)
        return None if second is None else decide(book, first, second, self.by_first_card)

    def price(self, book: Rulebook, spot: Spot) -> Price:
        """Any bet but a second stage, which has no price of its own."""
        decision = self.decision(book, spot)
        return price(spot.table, self.cases) if decision is None else decision.best


@lru_cache(maxsize=64)
def counted(shoe: Composition) -> Counted:
    """What has been counted of a shoe; of recent shoes it is known.

    A certificate, its plots and the effect of removal all ask for the same few shoes.
    """
    return Counted(shoe)


def fresh(book: Rulebook, shoe: Composition | None) -> Composition:
    """The shoe to be priced: a fresh one unless told otherwise, checked against the book."""
    left = Composition.of_decks(book.decks.usual) if shoe is None else shoe
    left.check(book.decks.most, book.decks.clause)
    return _known_as_needed(book, left)


def odds(book: Rulebook, shoe: Composition | None = None) -> Odds:
    """Exact odds of every bet of a book, for the next coup from a shoe."""
    count = counted(fresh(book, shoe))
    firsts = [spot for spot in book.spots.values() if spot.stage is None]
    decisions = {spot.id: count.decision(book, spot) for spot in firsts}
    return Odds(
        book=book,
        shoe=count.shoe,
        bets={
            spot.id: decision.best if (decision := decisions[spot.id]) else count.price(book, spot)
            for spot in firsts
        },
        decisions={id: decision for id, decision in decisions.items() if decision},
    )


def outlook(book: Rulebook, shoe: Composition, coup: Coup) -> dict[str, Price]:
    """Every bet, given the cards already on the table; `shoe` is what is left beside them.

    A first-stage bet is here one that continues.
    """
    check_dealt(coup, book.cites["tableau"], finished=False)
    check_enough(shoe.total + len(coup.dealt))
    shoe.check_decks(book.decks.most, book.decks.clause)
    left = _known_as_needed(book, shoe)
    # Before the first card every order is still possible, and counting them is much quicker.
    cases = Cases(completions(left, coup.dealt)) if coup.dealt else counted(left).cases
    seconds = {spot.id: book.stage_of(spot.id) for spot in book.spots.values()}
    return {
        spot.id: price(spot.table, cases)
        if (second := seconds[spot.id]) is None
        else Price(tuple(continuing(spot, second, cases)))
        for spot in book.spots.values()
        if spot.stage is None
    }


def _known_as_needed(book: Rulebook, shoe: Composition) -> Composition:
    """The shoe by card where a bet looks at suits, else by rank, which is quicker."""
    suited = [
        spot.id for spot in book.spots.values() if any("suited" in one for one in spot.table.facts)
    ]
    if not suited:
        return shoe.by_rank
    if shoe.cards is None:
        raise Refusal("odds/suits-needed", {"others": tuple(suited)})
    return shoe


def effect_of_removal(
    book: Rulebook, shoe: Composition | None = None
) -> dict[str, dict[Rank, Fraction]]:
    """How the expected value of each bet changes when one card of a rank leaves the shoe."""
    full = odds(book, shoe)
    if full.shoe.total == FULL_COUP:
        raise Refusal("odds/removal", {"least": FULL_COUP + 1, "cards": full.shoe.total})
    changes: dict[str, dict[Rank, Fraction]] = {spot: {} for spot in full.bets}
    for rank in Rank:
        number = full.shoe.ranks[rank]
        for left, ways in _without_one(full.shoe, rank):
            for spot, priced in odds(book, left).bets.items():
                change = (priced.ev - full.bets[spot].ev) * Fraction(ways, number)
                changes[spot][rank] = changes[spot].get(rank, Fraction(0)) + change
    return changes


def _without_one(shoe: Composition, rank: Rank) -> list[tuple[Composition, int]]:
    """The shoes that one card of a rank can leave behind, and how many such cards there are."""
    if shoe.cards is None:
        return [(shoe.without_rank(rank), shoe.ranks[rank])] if shoe.ranks[rank] else []
    return [
        (shoe.without([card]), number)
        for card, number in shoe.cards.items()
        if card.rank is rank and number
    ]
