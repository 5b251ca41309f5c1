"""Design: which odds would give a bet a wanted edge, and what each step of its pay table does.

Each winning line is varied alone, the others as they are. Every figure is exact:
the bet is priced anew with the changed line.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from re import fullmatch

from cutcard.odds.bets import counted, fresh
from cutcard.odds.composition import Composition
from cutcard.odds.pricing import decimal
from cutcard.refusals import Refusal
from cutcard.rules.paytable import Line, PayTable
from cutcard.rules.rulebook import Rulebook

WHOLE, HALF, HUNDREDTH = Fraction(1), Fraction(1, 2), Fraction(1, 100)
NEARBY = Fraction(1, 10**6)
BENDS = 20
AROUND = 3
"""How many steps are shown to either side of the nearest odds."""


@dataclass(frozen=True, slots=True)
class Step:
    """Odds that a line could pay, and the edge the bet would then have."""

    odds: Fraction
    edge: Fraction

    def document(self) -> dict[str, object]:
        return {
            "odds": str(self.odds),
            "edge": str(self.edge),
            "edge_percent": decimal(self.edge * 100, 6),
        }


@dataclass(frozen=True)
class LineDesign:
    """One winning line: its present odds, the odds that meet the target, and those near them.

    `exact` is None where no odds of this line alone can reach the target.
    """

    line: Line
    edge_per_step: Fraction
    exact: Fraction | None
    nearest: Step
    nearest_half: Step
    nearest_hundredth: Step
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Design:
    """A bet's present edge, the edge aimed at, and what each winning line can do about it."""

    book: Rulebook
    spot: str
    target: Fraction
    edge: Fraction
    lines: tuple[LineDesign, ...]

    def document(self) -> dict[str, object]:
        return {
            "book": self.book.id,
            "bet": self.spot,
            "target_edge": str(self.target),
            "edge": str(self.edge),
            "lines": [
                {
                    "clause": one.line.clause,
                    "odds": str(one.line.odds),
                    "edge_per_step": str(one.edge_per_step),
                    "exact": None if one.exact is None else str(one.exact),
                    "nearest": one.nearest.document(),
                    "nearest_half": one.nearest_half.document(),
                    "nearest_hundredth": one.nearest_hundredth.document(),
                    "steps": [step.document() for step in one.steps],
                }
                for one in self.lines
            ],
        }


def parse_target(text: str) -> Fraction:
    """Read `5%`, `0.05` or `1/20`."""
    number = r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?"
    written = fullmatch(
        rf"({number}) ?%|({number})|(-?[0-9]{{1,9}}/[1-9][0-9]{{0,8}})", text.strip()
    )
    if written is None:
        raise Refusal("odds/target", {"text": text})
    share = Fraction(written[1]) / 100 if written[1] else Fraction(written[2] or written[3])
    if not -1 < share < 1:
        raise Refusal("odds/target", {"text": text})
    return share


def design(book: Rulebook, spot: str, target: Fraction, shoe: Composition | None = None) -> Design:
    """What each winning line of a bet would have to pay for a target edge."""
    changed = book.spot(spot)
    # A second stage is priced with the bet it follows.
    priced = changed.stage.follows if changed.stage is not None else spot
    count = counted(fresh(book, shoe))

    def edge(place: int, paid: Fraction) -> Fraction:
        other = _paying(book, spot, place, paid)
        return count.price(other, other.spots[priced]).edge

    winning = [place for place, line in enumerate(changed.table.lines) if line.odds > 0]
    if not winning:
        raise Refusal("odds/no-winning-line", {"spot": spot})
    return Design(
        book=book,
        spot=spot,
        target=target,
        edge=count.price(book, book.spots[priced]).edge,
        lines=tuple(
            _line_design(changed.table.lines[place], partial(edge, place), target)
            for place in winning
        ),
    )


def _line_design(line: Line, edge: Callable[[Fraction], Fraction], target: Fraction) -> LineDesign:
    present = edge(line.odds)
    slope = edge(line.odds + 1) - present
    aim = _meeting(line.odds, edge, target)

    def nearest(unit: Fraction) -> Step:
        paid = max(unit, round(aim / unit) * unit)
        return Step(paid, edge(paid))

    whole = nearest(WHOLE)
    shown = range(max(1, int(whole.odds) - AROUND), int(whole.odds) + AROUND + 1)
    return LineDesign(
        line=line,
        edge_per_step=slope,
        exact=aim if aim > 0 and edge(aim) == target else None,
        nearest=whole,
        nearest_half=nearest(HALF),
        nearest_hundredth=nearest(HUNDREDTH),
        steps=tuple(Step(paid, edge(paid)) for paid in sorted({line.odds, *map(Fraction, shown)})),
    )


def _meeting(start: Fraction, edge: Callable[[Fraction], Fraction], target: Fraction) -> Fraction:
    """The odds at which the edge meets the target, or the nearest that could be found.

    A bet's edge is a straight line of its odds, so one step is enough. Where a second
    stage is sometimes declined it is bent a few times; each further step crosses a bend.
    """
    aim = start
    for _ in range(BENDS):
        here = edge(aim)
        slope = edge(aim + NEARBY) - here
        if here == target or not slope:
            break
        aim = max(NEARBY, aim + (target - here) / slope * NEARBY)
    return aim


def _paying(book: Rulebook, id: str, place: int, paid: Fraction) -> Rulebook:
    """The book with one line of one bet paying other odds."""
    spot = book.spots[id]
    lines = list(spot.table.lines)
    lines[place] = replace(lines[place], odds=paid)
    changed = replace(spot, table=PayTable(tuple(lines)))
    return replace(book, spots={**book.spots, id: changed})
