"""Lessons about limits: too much in a box, and less than the minimum.

The chips lie as they were put, and nobody's terminal has refused them: it is the dealer who
must see it. One box holds a seated patron and others who bet behind the seat.
"""

from collections.abc import Callable, Mapping

from cutcard.round import commands as rounds
from cutcard.round.terms import Entry
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.shoe import SeededDice
from cutcard.school.rehearsal import MAIN, Rehearsal, pick
from cutcard.school.situation import Situation, end

EXCESS_BETS, EXCESS_UNNOTICED = "excess bets", "excess bets unnoticed"
BELOW_MINIMUM, BELOW_UNNOTICED = "bet below minimum", "bet below minimum unnoticed"

MINIMUM, DIFFERENTIAL = 300, 10_000
BOX = 1

HEAVY = ((8_000, 6_000, 360), (7_000, 5_000, 4_000), (9_000, 3_000, 400), (10_000, 5_000, 800))
"""Stakes on the heavier side: the seated patron's, then those behind in their order."""

LIGHT = (0, 600, 1_000)
SMALL = (100, 160, 200)
"""Below the minimum."""


def _table(book: Rulebook, dice: SeededDice) -> Rehearsal:
    limits = (
        Limit(Kind.MINIMUM, Scope.BET, MAIN, MINIMUM, "CB4 3.4"),
        Limit(Kind.DIFFERENTIAL, Scope.BOX, MAIN, DIFFERENTIAL, "CB4 5.1"),
    )
    table = Rehearsal(book, dice, entry=Entry.WARN, limits=limits)
    table.open()
    return table


def _put(table: Rehearsal, patron: str, spot: str, stake: int, box: int = BOX) -> None:
    table.in_round(rounds.PlaceBet(patron, box, spot, stake, table.at()), patron)


def _told() -> str:
    return f"The minimum is {MINIMUM:,}, the maximum differential of a box {DIFFERENTIAL:,}."


def _crowded(book: Rulebook, dice: SeededDice) -> Rehearsal:
    """Box 1 with more on one side than the other side and the differential together."""
    table = _table(book, dice)
    heavy = pick(dice, MAIN)
    light = next(spot for spot in MAIN if spot != heavy)
    behind = ("Kim", "Lou", "May")
    for patron in behind:
        table.fund(patron)
    people = (*table.patrons, *behind)
    stakes = [(heavy, stake) for stake in pick(dice, HEAVY)]
    stakes.append((light, pick(dice, LIGHT)))
    if dice.below(2):
        stakes.append((heavy, pick(dice, SMALL)))
    for patron, (spot, stake) in zip(people, stakes, strict=False):
        if stake:
            _put(table, patron, spot, stake)
    return table


def excess_bets(book: Rulebook, dice: SeededDice) -> Situation:
    table = _crowded(book, dice)
    said = "Before the close the dealer sees that box 1 is beyond it."
    return end(table, EXCESS_BETS, _told(), said)


def excess_bets_unnoticed(book: Rulebook, dice: SeededDice) -> Situation:
    table = _crowded(book, dice)
    table.close()
    said = "Box 1 is beyond it. Nobody saw that before betting closed."
    return end(table, EXCESS_UNNOTICED, _told(), said)


def _with_a_small_bet(book: Rulebook, dice: SeededDice) -> Rehearsal:
    """The first patron bets too little, the others enough."""
    table = _table(book, dice)
    for box, patron in enumerate(table.patrons, start=BOX):
        stake = pick(dice, SMALL) if box == BOX else MINIMUM * pick(dice, (1, 2, 3))
        _put(table, patron, pick(dice, MAIN), stake, box)
    return table


def bet_below_minimum(book: Rulebook, dice: SeededDice) -> Situation:
    table = _with_a_small_bet(book, dice)
    said = f"Before the close the dealer sees that {table.patrons[0]}'s bet is below the minimum."
    return end(table, BELOW_MINIMUM, _told(), said)


def bet_below_minimum_unnoticed(book: Rulebook, dice: SeededDice) -> Situation:
    table = _with_a_small_bet(book, dice)
    table.close()
    said = f"{table.patrons[0]}'s bet is below the minimum. Nobody saw that before betting closed."
    return end(table, BELOW_UNNOTICED, _told(), said)


def can_happen(kind: str, book: Rulebook) -> bool:
    """Whether a table by the book can come to this: with chips, and with bets behind a seat."""
    if kind not in LIMITS:
        return True
    behind = book.back_bets.allowed or kind in (BELOW_MINIMUM, BELOW_UNNOTICED)
    return behind and not book.layouts[0].is_open


LIMITS: Mapping[str, Callable[[Rulebook, SeededDice], Situation]] = {
    EXCESS_BETS: excess_bets,
    EXCESS_UNNOTICED: excess_bets_unnoticed,
    BELOW_MINIMUM: bet_below_minimum,
    BELOW_UNNOTICED: bet_below_minimum_unnoticed,
}
