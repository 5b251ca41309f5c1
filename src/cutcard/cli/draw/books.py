"""Rulebooks and their clauses, as a patron would read them."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from cutcard.cli.draw.style import amount, grid
from cutcard.rulebooks import Clause
from cutcard.rules import wording
from cutcard.rules.limits import Kind, Limit
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.tableau import BANKER_TABLE, PLAYER_TABLE


def books(all_books: Iterable[Rulebook], title: str) -> RenderableType:
    table = grid("Id", "Name", "Version", "Decks", "Bets", title=title)
    table.columns[0].no_wrap = True
    for book in all_books:
        bets = str(len(book.spots))
        name = Text(book.id, style="bold")
        table.add_row(name, book.name, book.version, book.decks.allowed, bets)
    return table


def book(one: Rulebook, clauses: Sequence[Clause]) -> RenderableType:
    return Group(
        heading(one),
        pay_table(one),
        limits(one),
        tableau(one),
        procedure(one),
        irregularities(one),
        clause_list(clauses),
    )


def heading(book: Rulebook) -> RenderableType:
    since = f", in force from {book.effective_from}" if book.effective_from else ""
    words = Text.assemble(
        f"{book.operator}, version {book.version}{since}\n",
        f"{book.decks.allowed} decks ({book.decks.clause})   ",
        (f"{book.id}\n{book.hash}", "dim"),
    )
    return Panel(words, title=Text(book.name, style="bold"), title_align="left", expand=False)


def pay_table(book: Rulebook) -> RenderableType:
    table = grid(
        "Bet and its id", "When", "Pays", "Stake in steps of", "Clause", title="What each bet pays"
    )
    for spot in book.spots.values():
        for place, line in enumerate(spot.table.lines):
            first, last = place == 0, line is spot.table.lines[-1]
            table.add_row(
                Text.assemble((spot.label, "bold"), f"\n{spot.id}") if first else "",
                wording.when(line),
                wording.odds(line),
                str(spot.step) if first else "",
                line.clause,
                end_section=last,
            )
    notes = [Padding(Text(said), (0, 0, 0, 2)) for said in wording.dependencies(book)]
    return Group(table, *notes, "")


def limits(book: Rulebook) -> RenderableType:
    table = grid("Limit", "Counted", "Bets", "Amount (minor units)", "Clause", title="Limits")
    for limit in book.limits:
        table.add_row(
            limit.kind.value,
            _counted(limit),
            "all" if limit.spots == tuple(book.spots) else _bets(book, limit),
            amount(limit.amount),
            limit.clause,
        )
    return table


def _counted(limit: Limit) -> str:
    return {"bet": "each bet", "box": "each box", "patron": "each patron", "table": "whole table"}[
        limit.scope.value
    ]


def _bets(book: Rulebook, limit: Limit) -> str:
    joint = " against " if limit.kind is Kind.DIFFERENTIAL else ", "
    return joint.join(book.spots[id].label for id in limit.spots)


def tableau(book: Rulebook) -> RenderableType:
    title = f"Tableau ({book.cites['tableau']}): D draws, S stands, N natural"
    player = grid(title=title)
    for word in PLAYER_TABLE.split()[:11]:
        player.add_column(word, justify="center")
    player.add_row(*map(_cell, PLAYER_TABLE.split()[11:]))
    banker = grid()
    header, *rows = (line.split() for line in BANKER_TABLE.strip().splitlines())
    for word in header:
        banker.add_column(word, justify="center")
    for row in rows:
        banker.add_row(*map(_cell, row))
    note = "P: two-card points of the Player. B: two-card points of the Banker, by the Player's\n"
    note += "third card (ten and pictures 0); column − when the Player stands."
    return Group(player, banker, Padding(Text(note, style="dim"), (0, 0, 1, 2)))


def _cell(letter: str) -> Text:
    return Text(
        letter.replace("-", "−"), style={"D": "bold green", "N": "bold yellow"}.get(letter, "")
    )


def procedure(book: Rulebook) -> RenderableType:
    table = grid("", "", "Clause", title="Procedure")
    for name, said in book.announcements.items():
        table.add_row(f"Betting {name}s", f"“{said.words}”", said.clause)
    table.add_row(
        "Burn", "one card exposed, then its value burned (ten and court 10)", book.burn_clause
    )
    table.add_row(
        "Cut card",
        f"{book.cut.least}–{book.cut.most} cards from the end; the round it appears in is the last",
        book.cut.clause,
    )
    for layout in book.layouts:
        boxes = ["no boxes, any number of patrons"] if layout.is_open else []
        boxes = [f"{layout.boxes} boxes"] if layout.boxes else boxes
        printed = [*layout.areas, *layout.labels.values()]
        table.add_row("Layout", ", ".join([layout.name, *boxes, *printed]), layout.clause)
    both = f"{book.concludes_clause}, {book.voids_clause}"
    table.add_row("Interruption", book.interruption.value, both)
    for text in book.texts:
        table.add_row("The book says", text.words, text.clause)
    return table


def irregularities(book: Rulebook) -> RenderableType:
    table = grid(
        "When", "Remedy", "Decided by", "Patrons' options", "Clause", title="Irregularities"
    )
    for one in book.irregularities.values():
        table.add_row(one.id, one.remedy.value, one.decides.value, one.options.value, one.clause)
    return table


STATE = {"engine": "green", "awaiting": "yellow", "procedure": "blue", "out of scope": "dim"}


def clause_list(clauses: Iterable[Clause]) -> RenderableType:
    table = grid("Clause", "What it says", "Kept by", title="Clauses")
    for clause in clauses:
        table.add_row(clause.citation, clause.text, _kept(clause))
    return table


def _kept(clause: Clause) -> Text:
    words = f"awaits {clause.awaits}" if clause.awaits else clause.kept
    return Text(words, style=STATE[clause.state])


def coverage(all_books: Iterable[Rulebook], clauses: Sequence[Clause]) -> RenderableType:
    table = grid("Rulebook", *STATE, "all", title="Clauses by who keeps them")
    for book in all_books:
        table.add_row(book.id, *_counts([one for one in clauses if book.id in one.books]))
    if table.row_count > 1:
        table.add_section()
        table.add_row(Text("all documents", style="bold"), *_counts(clauses))
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def _counts(clauses: Sequence[Clause]) -> list[str]:
    states = Counter(clause.state for clause in clauses)
    return [str(states[state]) for state in STATE] + [str(len(clauses))]
