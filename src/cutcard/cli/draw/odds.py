"""Exact odds and designs, as tables."""

from collections.abc import Mapping
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.text import Text

from cutcard.cli.draw.style import Figures, grid
from cutcard.odds import Odds
from cutcard.odds.certificate import percent
from cutcard.odds.design import Design, LineDesign
from cutcard.odds.pricing import decimal
from cutcard.rules import wording
from cutcard.rules.cards import Rank


def odds(found: Odds) -> RenderableType:
    title = f"{found.book.name}, {_shoe(found)}: exact, in per cent of a unit bet"
    headers = ("Bet", "Win", "Push", "Lose", "House edge", "RTP", "Variance")
    rows = [
        (
            found.book.spots[id].label,
            percent(price.win),
            percent(price.push),
            percent(price.lose),
            percent(price.edge, 6),
            percent(price.rtp),
            decimal(price.variance, 4),
        )
        for id, price in found.bets.items()
    ]
    return Group(Figures(headers, rows, title), *_action(found), *_strategies(found))


def _shoe(found: Odds) -> str:
    shoe = found.shoe
    return f"{shoe.decks} decks" if shoe.decks else f"{shoe.total} cards"


def _action(found: Odds) -> list[Text]:
    return [
        Text(
            f"{found.book.spots[id].label}: {decimal(price.action, 6)} units in action on average; "
            f"edge {percent(price.edge_of_action, 6)}% per unit of action."
        )
        for id, price in found.bets.items()
        if price.action != 1
    ]


def _strategies(found: Odds) -> list[RenderableType]:
    if not found.decisions:
        return []
    labels = [decision.first.label for decision in found.decisions.values()]
    table = grid("First card", *labels, title="Best decision, and what continuing is worth")
    for rank in Rank:
        cells = []
        for decision in found.decisions.values():
            choice = decision.choices.get(rank.points)
            word = "–" if choice is None else "continue" if choice.continues else "decline"
            cells.append(word if choice is None else f"{word} {decimal(choice.continuing, 6)}")
        table.add_row(rank.value, *cells)
    always = [
        Text(
            f"{decision.first.label}: edge {percent(decision.best.edge, 6)}% under the best "
            f"decision, {percent(decision.always.edge, 6)}% when always continuing."
        )
        for decision in found.decisions.values()
    ]
    return [Text(), table, *always]


def removal(found: Odds, effects: Mapping[str, Mapping[Rank, Fraction]]) -> RenderableType:
    """Changes of the expected value, in percentage points."""
    headers = ("Rank", *(found.book.spots[id].label for id in effects))
    rows = [
        (rank.value, *(percent(one[rank]) if rank in one else "–" for one in effects.values()))
        for rank in Rank
    ]
    said = (
        "What one card of a rank adds to the expected value of a unit bet when it leaves the shoe: "
        "above zero is better for the patron, below zero for the house."
    )
    title = "Effect of removal, percentage points of the expected value"
    return Group(Figures(headers, rows, title), Text(said, style="dim"))


def design(made: Design) -> RenderableType:
    spot = made.book.spots[made.spot]
    head = Text.assemble(
        (f"{spot.label} of {made.book.name}: ", "bold"),
        f"edge {percent(made.edge, 6)}%, aimed at {percent(made.target, 6)}%.",
    )
    return Group(head, *(_line(one) for one in made.lines))


def _line(one: LineDesign) -> RenderableType:
    title = f"{wording.when(one.line)} ({one.line.clause}), now {wording.odds(one.line)}"
    table = grid("Pays", "House edge %", "", title=title)
    table.columns[1].justify = "right"
    marks = (
        (one.line.odds, "now"),
        (one.nearest.odds, "nearest whole odds"),
        (one.nearest_half.odds, "nearest half odds"),
        (one.nearest_hundredth.odds, "nearest to two places"),
    )
    near = (one.nearest, one.nearest_half, one.nearest_hundredth)
    shown = {step.odds: step.edge for step in (*one.steps, *near)}
    for paid in sorted(shown):
        whole = paid.denominator <= 2
        odds = f"{paid.numerator} to {paid.denominator}" if whole else f"{decimal(paid, 2)} to 1"
        said = ", ".join(mark for marked, mark in marks if marked == paid)
        table.add_row(odds, percent(shown[paid], 6), Text(said, style="green"))
    exact = "no odds of this line alone" if one.exact is None else f"{decimal(one.exact, 6)} to 1"
    note = (
        f"Meets the target exactly: {exact}. One unit more lowers the edge by "
        f"{percent(-one.edge_per_step, 6)} points."
    )
    return Group(Text(), table, Text(note, style="dim"))
