"""Exact odds and designs, as tables."""

from collections.abc import Mapping
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.text import Text

from cutcard.cli.draw.style import grid
from cutcard.odds import Odds
from cutcard.odds.certificate import deviation, percent
from cutcard.odds.design import Design, LineDesign
from cutcard.odds.pricing import decimal
from cutcard.rules import wording
from cutcard.rules.cards import Rank


def odds(found: Odds) -> RenderableType:
    title = f"{found.book.name}, {_shoe(found)}: exact, in per cent of a unit bet"
    table = grid("Bet", "Win", "Push", "Lose", "House edge", "RTP", "Std dev", title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    for id, price in found.bets.items():
        table.add_row(
            Text(found.book.spots[id].label, style="bold"),
            percent(price.win),
            percent(price.push),
            percent(price.lose),
            percent(price.edge, 6),
            percent(price.rtp),
            deviation(price),
        )
    return Group(table, *_action(found), *_strategies(found))


def _shoe(found: Odds) -> str:
    shoe = found.shoe
    return f"{shoe.decks} decks" if shoe.decks else f"{shoe.total} cards"


def _action(found: Odds) -> list[Text]:
    return [
        Text(
            f"{found.book.spots[id].label}: {decimal(price.action, 6)} units in action on average; "
            f"edge {percent(price.edge_of_action, 6)} per unit of action."
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
    return [Text(), table]


def removal(found: Odds, effects: Mapping[str, Mapping[Rank, Fraction]]) -> RenderableType:
    """Changes of the expected value, in percentage points."""
    table = grid("Rank", *(found.book.spots[id].label for id in effects), title="Effect of removal")
    for column in table.columns[1:]:
        column.justify = "right"
    for rank in Rank:
        cells = [percent(change[rank]) if rank in change else "–" for change in effects.values()]
        table.add_row(rank.value, *cells)
    return table


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
    marks = {
        one.line.odds: "now",
        one.nearest_half.odds: "nearest half odds",
        one.nearest.odds: "nearest whole odds",
    }
    shown = {step.odds: step.edge for step in (*one.steps, one.nearest, one.nearest_half)}
    for paid in sorted(shown):
        odds = f"{paid.numerator} to {paid.denominator}"
        table.add_row(odds, percent(shown[paid], 6), Text(marks.get(paid, ""), style="green"))
    exact = "no odds of this line alone" if one.exact is None else f"{decimal(one.exact, 6)} to 1"
    note = (
        f"Meets the target exactly: {exact}. One unit more lowers the edge by "
        f"{percent(-one.edge_per_step, 6)} points."
    )
    return Group(Text(), table, Text(note, style="dim"))
