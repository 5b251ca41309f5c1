"""Drawing: every value of the library as a page for the terminal, in rich.

Nothing here computes anything: words come from the rulebook, figures from the
engine. Text is never read as markup, because a rulebook's words are its own.
"""

from cutcard.cli.draw.books import book, books, clause_list, coverage, pay_table, tableau
from cutcard.cli.draw.cards import (
    card,
    coup,
    demonstration_coup,
    demonstration_end,
    demonstration_opening,
    settlement,
    transcript,
    winner,
)
from cutcard.cli.draw.roads import roads
from cutcard.cli.draw.style import gain

__all__ = [
    "book",
    "books",
    "card",
    "clause_list",
    "coup",
    "coverage",
    "demonstration_coup",
    "demonstration_end",
    "demonstration_opening",
    "gain",
    "pay_table",
    "roads",
    "settlement",
    "tableau",
    "transcript",
    "winner",
]
