"""The second stage: an Ante and its Wager are one bet with one decision.

After the first card a patron either loses the Ante or adds the Wager. The best
choice for each first card is exact: whichever is worth more. All figures are
per unit of Ante.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from cutcard.odds.pricing import Cases, Outcome, Price
from cutcard.refusals import Refusal
from cutcard.rules.cards import Rank
from cutcard.rules.paytable import Line
from cutcard.rules.rulebook import Rulebook, Spot


@dataclass(frozen=True, slots=True)
class Choice:
    """What continuing is worth after a first card of some value, beside the lost Ante."""

    continuing: Fraction
    declining: Fraction

    @property
    def continues(self) -> bool:
        return self.continuing > self.declining


@dataclass(frozen=True)
class Decision:
    """A first-stage bet priced with its second stage."""

    first: Spot
    second: Spot
    choices: Mapping[int, Choice]
    best: Price
    always: Price

    def document(self) -> dict[str, object]:
        """The decision for each first card, and what either choice is worth."""
        return {
            rank.value: {
                "decision": "continue" if choice.continues else "decline",
                "continue": str(choice.continuing),
                "decline": str(choice.declining),
            }
            for rank in Rank
            if (choice := self.choices.get(rank.points)) is not None
        }


def decide(book: Rulebook, first: Spot, second: Spot, by_card: Mapping[int, Cases]) -> Decision:
    """Price a first-stage bet under the best decision for each first card."""
    stage = second.stage
    assert stage is not None, "only a second stage is decided on"
    looked_at = {*first.table.facts, *second.table.facts}
    if stage.after_card != 1 or any("pair" in fact for fact in looked_at):
        raise Refusal("odds/second-stage", {"spot": first.id, "book": book.name}, stage.clause)
    continued = {
        card: Price(tuple(continuing(first, second, cases)))
        for card, cases in by_card.items()
        if cases.counts
    }
    choices = {card: Choice(price.ev, Fraction(-1)) for card, price in continued.items()}
    lost = Line({}, Fraction(-1), Fraction(0), stage.declined_clause)
    best = [
        price.outcomes
        if choices[card].continues
        else (Outcome((lost,), Fraction(-1), Fraction(1), price.orders),)
        for card, price in continued.items()
    ]
    always = [price.outcomes for price in continued.values()]
    return Decision(first, second, choices, _together(best), _together(always))


def continuing(first: Spot, second: Spot, cases: Cases) -> list[Outcome]:
    """How both stages together can end, when the second one was placed."""
    assert second.stage is not None, "only a second stage is continued with"
    names = tuple(sorted({*first.table.facts, *second.table.facts}))
    multiple = second.stage.multiple
    found = []
    for case, orders in cases.of(names).items():
        facts = dict(zip(names, case, strict=True))
        one, other = first.table.line(facts), second.table.line(facts)
        net = one.net + multiple * other.net
        found.append(Outcome((one, other), net, Fraction(1 + multiple), orders))

    def in_the_books_order(outcome: Outcome) -> tuple[int, int]:
        one, other = outcome.lines
        return first.table.lines.index(one), second.table.lines.index(other)

    return sorted(found, key=in_the_books_order)


def _together(parts: list[tuple[Outcome, ...]]) -> Price:
    """One price from several, ways that end by the same lines counted together."""
    orders: Counter[tuple[int, ...]] = Counter()
    shapes: dict[tuple[int, ...], Outcome] = {}
    # Parts that continue come first, so that declined bets stand at the end.
    for part in sorted(parts, key=lambda part: len(part[0].lines), reverse=True):
        for outcome in part:
            key = tuple(map(id, outcome.lines))
            orders[key] += outcome.orders
            shapes.setdefault(key, outcome)
    return Price(
        tuple(Outcome(one.lines, one.net, one.action, orders[key]) for key, one in shapes.items())
    )
