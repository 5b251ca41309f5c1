"""Wording: pay lines as a patron reads them.

The sentences are made from the very lines that settle bets, so what is shown is
always what is paid.
"""

from collections.abc import Mapping
from fractions import Fraction

from cutcard.rules.facts import Value
from cutcard.rules.paytable import Line
from cutcard.rules.rulebook import Rulebook


def odds(line: Line) -> str:
    """What a line pays: `8 to 1`, `1 to 1 less 5% commission`, `push`, `lose 8 times`."""
    if line.odds == 0:
        return "push"
    if line.odds < 0:
        return "lose" if line.odds == -1 else f"lose {-line.odds} times"
    paid = f"{line.odds.numerator} to {line.odds.denominator}"
    return f"{paid} less {percent(line.commission)} commission" if line.commission else paid


def percent(share: Fraction) -> str:
    """A share as a percentage, exact where it can be written so: 1/20 is `5%`."""
    whole = share * 100
    return f"{whole}%" if whole.denominator == 1 else f"{float(whole):g}%"


def when(line: Line) -> str:
    """When a line decides: `Banker wins, Banker 6 points`."""
    if not line.when:
        return "otherwise"
    return ", ".join(_condition(name, values) for name, values in line.when.items())


def _condition(name: str, values: tuple[Value, ...]) -> str:
    if name == "winner":
        return " or ".join("tie" if one == "tie" else f"{str(one).title()} wins" for one in values)
    side, _, what = name.partition("_")
    if isinstance(values[0], bool):
        phrase = f"{side.title()} {what.replace('_', ' ')}"
        return phrase if values[0] else f"no {phrase}"
    listed = "-".join(map(str, values)) if len(values) > 1 else str(values[0])
    if name == "cards":
        return f"{listed} cards in all"
    if name == "margin":
        return f"by {listed}"
    owner = {"winning": "winning hand", "losing": "losing hand"}.get(side, side.title())
    return f"{owner} {listed} {what if listed != '1' else what.removesuffix('s')}"


def dependencies(book: Rulebook) -> list[str]:
    """What a patron must know of bets that depend on others, or can lose more than their stake."""
    said = []
    for spot in book.spots.values():
        if spot.needs is not None:
            others = " or ".join(book.spots[id].label for id in spot.needs.any_of)
            said.append(f"{spot.label} needs a bet on {others} ({spot.needs.clause}).")
        if spot.stage is not None:
            said.append(
                f"{spot.label} follows {book.spots[spot.stage.follows].label} after card "
                f"{spot.stage.after_card}: exactly {spot.stage.multiple} times as much "
                f"({spot.stage.clause}), or that bet is lost ({spot.stage.declined_clause})."
            )
        if spot.reserve > 1:
            said.append(
                f"{spot.label} can lose {spot.reserve} times its stake; that much must be held."
            )
    return said


def facts_in_words(facts: Mapping[str, Value]) -> str:
    """The facts of a coup that a patron cares for, in one line."""
    said = [f"Player {facts['player_points']}, Banker {facts['banker_points']}"]
    said += [
        name.replace("_", " ")
        for name, value in facts.items()
        if value is True and not name.endswith("suited_pair")
    ]
    return ", ".join(said)
