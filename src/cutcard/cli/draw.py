"""Drawing: every value of the library as a page for the terminal, in rich.

Nothing here computes anything: words come from the rulebook, figures from the
engine. Colour never carries a meaning alone: a letter or a shape says it too.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from cutcard.roads import (
    ROWS,
    Answer,
    Ask,
    Counts,
    Ring,
    Roads,
    breadth,
    draw,
    offset,
    window,
)
from cutcard.roads.result import LETTERS
from cutcard.rulebooks import Clause
from cutcard.rules import wording
from cutcard.rules.cards import Card, Suit
from cutcard.rules.coup import Coup
from cutcard.rules.dealing import Transcript
from cutcard.rules.limits import Kind, Limit
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.settlement import Settlement
from cutcard.rules.shoe import DealtCoup, Shoe
from cutcard.rules.tableau import BANKER_TABLE, PLAYER_TABLE

RED, BLUE, GREEN = "bold red", "bold blue", "bold green"
WINNER = {"banker": RED, "player": BLUE, "tie": GREEN}
LETTER = {"B": RED, "P": BLUE, "T": GREEN}


def grid(*columns: str, title: str | None = None) -> Table:
    """The one table style of the command line."""
    table = Table(
        *columns, title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD
    )
    table.header_style = "dim"
    return table


def amount(value: int, signed: bool = False) -> str:
    return f"{value:+,}".replace("-", "−") if signed else f"{value:,}"


def gain(value: int) -> Text:
    """A net result; the sign says what the colour says."""
    return Text(amount(value, signed=True), style="green" if value > 0 else "red" if value else "")


# --- cards ----------------------------------------------------------------------------------------


def card(one: Card) -> Text:
    style = "red" if one.suit in (Suit.HEARTS, Suit.DIAMONDS) else ""
    return Text(one.rank.value.replace("T", "10") + one.suit.symbol, style=style)


def hand(cards: Sequence[Card], points: int) -> Text:
    return Text(" ").join([*map(card, cards), Text(f"({points})", style="bold")])


def coup(one: Coup) -> Text:
    return Text.assemble(
        ("Player ", BLUE),
        hand(one.player, one.player_points),
        "   ",
        ("Banker ", RED),
        hand(one.banker, one.banker_points),
    )


def winner(one: Coup) -> Text:
    name = one.winner.value
    return Text(name.upper(), style=WINNER[name])


# --- rulebooks ------------------------------------------------------------------------------------


def book_summary(book: Rulebook) -> dict[str, object]:
    return {
        "id": book.id,
        "name": book.name,
        "document": book.document,
        "operator": book.operator,
        "version": book.version,
        "effective_from": book.effective_from,
        "decks": {"least": book.decks.least, "most": book.decks.most, "usual": book.decks.usual},
        "spots": list(book.spots),
        "hash": book.hash,
    }


def books(all_books: Iterable[Rulebook]) -> RenderableType:
    table = grid("Id", "Name", "Version", "Decks", "Bets")
    table.columns[0].no_wrap = True
    for book in all_books:
        bets = str(len(book.spots))
        table.add_row(f"[bold]{book.id}[/]", book.name, book.version, book.decks.allowed, bets)
    return table


def book_document(book: Rulebook, clauses: Sequence[Clause]) -> dict[str, object]:
    """The whole rulebook as JSON; odds are exact fractions in strings."""
    return {
        **book_summary(book),
        "approval": book.approval,
        "house_policy": book.house_policy,
        "bets": {
            spot.id: {
                "label": spot.label,
                "step": spot.step,
                "reserve": spot.reserve,
                "needs": list(spot.needs.any_of) if spot.needs else None,
                "follows": spot.stage.follows if spot.stage else None,
                "lines": [
                    {
                        "when": {name: list(values) for name, values in line.when.items()},
                        "odds": str(line.odds),
                        "commission": str(line.commission),
                        "net": str(line.net),
                        "clause": line.clause,
                    }
                    for line in spot.table.lines
                ],
            }
            for spot in book.spots.values()
        },
        "limits": [
            {
                "kind": limit.kind.value,
                "scope": limit.scope.value,
                "spots": list(limit.spots),
                "amount": limit.amount,
                "clause": limit.clause,
            }
            for limit in book.limits
        ],
        "tableau": {
            "player": PLAYER_TABLE.strip().splitlines(),
            "banker": BANKER_TABLE.strip().splitlines(),
            "clause": book.cites["tableau"],
        },
        "shoe": {
            "decks_clause": book.decks.clause,
            "burn_clause": book.burn_clause,
            "cut": {"least": book.cut.least, "most": book.cut.most, "clause": book.cut.clause},
        },
        "layouts": [
            {"id": one.id, "name": one.name, "boxes": one.boxes, "clause": one.clause}
            for one in book.layouts
        ],
        "announcements": {
            name: {"words": text.words, "clause": text.clause}
            for name, text in book.announcements.items()
        },
        "interruption": {
            "policy": book.interruption.value,
            "clause": book.interruption_clause,
        },
        "irregularities": [
            {
                "id": one.id,
                "remedy": one.remedy.value,
                "decides": one.decides.value,
                "options": one.options.value,
                "clause": one.clause,
            }
            for one in book.irregularities.values()
        ],
        "texts": [{"words": text.words, "clause": text.clause} for text in book.texts],
        "clauses": [_clause_document(clause) for clause in clauses],
    }


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
    lines = [
        f"{book.operator}, version {book.version}{since}",
        f"{book.decks.allowed} decks ({book.decks.clause})   [dim]{book.id} · {book.hash[:16]}[/]",
    ]
    return Panel("\n".join(lines), title=f"[bold]{book.name}[/]", title_align="left", expand=False)


def pay_table(book: Rulebook) -> RenderableType:
    table = grid("Bet", "When", "Pays", "Stake in steps of", "Clause", title="What each bet pays")
    for spot in book.spots.values():
        for place, line in enumerate(spot.table.lines):
            first, last = place == 0, line is spot.table.lines[-1]
            table.add_row(
                f"[bold]{spot.label}[/]" if first else "",
                wording.when(line),
                wording.odds(line),
                str(spot.step) if first else "",
                line.clause,
                end_section=last,
            )
    notes = [
        Text(
            f"{spot.label} needs a bet on {_labels(book, spot.needs.any_of)} ({spot.needs.clause})."
        )
        for spot in book.spots.values()
        if spot.needs
    ]
    notes += [
        Text(
            f"{spot.label} follows {book.spots[spot.stage.follows].label} after card "
            f"{spot.stage.after_card}: exactly {spot.stage.multiple} times as much "
            f"({spot.stage.clause}), or that bet is lost ({spot.stage.declined_clause})."
        )
        for spot in book.spots.values()
        if spot.stage
    ]
    notes += [
        Text(f"{spot.label} can lose {spot.reserve} times its stake; that much must be held.")
        for spot in book.spots.values()
        if spot.reserve > 1
    ]
    return Group(table, *(Padding(note, (0, 0, 0, 2)) for note in notes), "")


def _labels(book: Rulebook, ids: Iterable[str]) -> str:
    return " or ".join(book.spots[id].label for id in ids)


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
        boxes = f", {layout.boxes} boxes" if layout.boxes else ""
        table.add_row("Layout", f"{layout.name}{boxes}", layout.clause)
    table.add_row("Interruption", book.interruption.value, book.interruption_clause)
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


# --- clauses --------------------------------------------------------------------------------------

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
    table.add_section()
    table.add_row("[bold]all documents[/]", *_counts(clauses))
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def _counts(clauses: Sequence[Clause]) -> list[str]:
    states = Counter(clause.state for clause in clauses)
    return [str(states[state]) for state in STATE] + [str(len(clauses))]


def coverage_document(clauses: Sequence[Clause]) -> dict[str, object]:
    states = Counter(clause.state for clause in clauses)
    return {
        "counts": {state: states[state] for state in STATE},
        "clauses": [_clause_document(clause) for clause in clauses],
    }


def _clause_document(clause: Clause) -> dict[str, object]:
    return {
        "clause": clause.citation,
        "text": clause.text,
        "kept": clause.kept,
        "awaits": clause.awaits,
        "books": list(clause.books),
    }


# --- coups and shoes ------------------------------------------------------------------------------


def settlement(book: Rulebook, settled: Settlement) -> RenderableType:
    head = Text.assemble(coup(settled.coup), "   ", winner(settled.coup))
    said = Text(wording.facts_in_words(settled.facts), style="dim")
    table = grid("Bet", "Stake", "Net", "Commission", "Clause")
    for column in table.columns[1:4]:
        column.justify = "right"
    for bet in settled.bets:
        table.add_row(
            book.spots[bet.spot].label,
            amount(bet.stake),
            gain(bet.net),
            amount(bet.commission) if bet.commission else "",
            bet.clause,
        )
    table.add_section()
    staked = sum(bet.stake for bet in settled.bets)
    table.add_row("[bold]Total[/]", amount(staked), gain(settled.net), "", "")
    return Group(head, said, table)


def transcript(one: Transcript) -> RenderableType:
    table = grid("Round", "Player", "Banker", "Result")
    for dealt in one.coups:
        hands = dealt.coup
        mark = Text("  cut card: last round", style="yellow") if dealt.cut_card else Text()
        table.add_row(
            str(dealt.number),
            hand(hands.player, hands.player_points),
            hand(hands.banker, hands.banker_points),
            Text.assemble(winner(hands), mark),
        )
    return Group(
        shoe_opening(one.book, one.seed, one.shoe),
        table,
        Text(f"{len(one.coups)} rounds dealt, {one.left} cards left in the shoe."),
    )


def shoe_opening(book: str, seed: int, shoe: Shoe) -> RenderableType:
    return Text.assemble(
        (f"{book}, seed {seed}: {len(shoe.cards)} cards. ", "bold"),
        "Exposed ",
        card(shoe.exposed),
        f", {len(shoe.burned)} burned. Cut card before card {shoe.cut_position + 1}.",
    )


# --- roads ----------------------------------------------------------------------------------------

# Shapes differ as well as colours, so that the roads can be read without them.
MARKS = {"big_eye": "○◎", "small": "●◆", "cockroach": "╱╲"}

CELL = 2
FRAME = 4
"""Characters of a cell, and of a panel's frame."""


def roads(board: Roads, width: int) -> RenderableType:
    """All roads, side by side as far as the terminal is wide; the newest columns are kept."""
    shown = (width - FRAME) // CELL
    bead = draw((one.cell, LETTERS[one.result.winner]) for one in board.bead)
    panels = [
        _framed("Bead plate", [[_letter(one) for one in row] for row in window(bead, shown)]),
        _framed("Big road, digits are ties", _rings(board.big, shown)),
    ]
    panels += [
        _framed(name, [[_mark(one, road) for one in row] for row in window(drawn.grid, shown)])
        for name, road, drawn in (
            ("Big eye boy", "big_eye", board.big_eye),
            ("Small road", "small", board.small),
            ("Cockroach pig", "cockroach", board.cockroach),
        )
    ]
    return Group(Columns(panels), _asked(board.ask), _tally(board.counts), "")


def _framed(title: str, rows: Sequence[Sequence[Text]]) -> RenderableType:
    lines = [Text().join(row) for row in rows]
    width = max(len(title) + 2, lines[0].cell_len)
    for line in lines:
        line.pad_right(width - line.cell_len)
    return Panel(Group(*lines), title=title, title_align="left", border_style="dim", expand=False)


def _letter(letter: str) -> Text:
    return Text(letter.replace(".", "·").ljust(CELL), style=LETTER.get(letter, "dim"))


def _mark(letter: str, road: str) -> Text:
    shapes = MARKS[road]
    shape, style = {"R": (shapes[0], RED), "B": (shapes[1], BLUE)}.get(letter, ("·", "dim"))
    return Text(shape.ljust(CELL), style=style)


def _rings(rings: Sequence[Ring], shown: int) -> list[list[Text]]:
    columns = breadth(ring.cell for ring in rings)
    first = offset(columns, shown)
    drawn = [[_letter(".") for _ in range(first, columns)] for _ in range(ROWS)]
    for ring in rings:
        if ring.cell.col >= first:
            letter = "·" if ring.winner is None else LETTERS[ring.winner]
            drawn[ring.cell.row][ring.cell.col - first] = Text.assemble(
                (letter, LETTER.get(letter, "dim")), (str(ring.ties or " "), GREEN)
            )
    return drawn


def _asked(ask: Ask) -> Text:
    """What each lower road would receive if Banker or Player came next."""

    def answers(answer: Answer) -> list[Text]:
        roads = (
            ("big_eye", answer.big_eye),
            ("small", answer.small),
            ("cockroach", answer.cockroach),
        )
        return [_mark(mark.value if mark else ".", road) for road, mark in roads]

    return Text.assemble(
        ("If Banker comes next: ", RED),
        *answers(ask.banker),
        ("  if Player: ", BLUE),
        *answers(ask.player),
    )


def _tally(counts: Counts) -> Text:
    red, blue = ("/".join(marks[place] for marks in MARKS.values()) for place in (0, 1))
    return Text.assemble(
        ("Banker ", RED),
        f"{counts.banker}  ",
        ("Player ", BLUE),
        f"{counts.player}  ",
        ("Tie ", GREEN),
        f"{counts.tie}   ",
        (f"{red} red, {blue} blue; history, no forecast", "dim"),
    )


# --- demonstration --------------------------------------------------------------------------------


def demonstration_opening(book: Rulebook, seed: int, shoe: Shoe) -> RenderableType:
    return Group(heading(book), shoe_opening(book.name, seed, shoe), "")


def demonstration_coup(dealt: DealtCoup, settled: Mapping[str, Settlement]) -> RenderableType:
    row = Table.grid(padding=(0, 2))
    for width in (3, 22, 22, 7):
        row.add_column(width=width)
    row.add_row(
        str(dealt.number),
        Text.assemble(("P ", BLUE), hand(dealt.coup.player, dealt.coup.player_points)),
        Text.assemble(("B ", RED), hand(dealt.coup.banker, dealt.coup.banker_points)),
        winner(dealt.coup),
        Text("cut card: last round" if dealt.cut_card else "", style="yellow"),
    )
    patrons = Text("   ").join(_patron(patron, one) for patron, one in settled.items())
    return Group(row, Padding(patrons, (0, 0, 0, 5)))


def _patron(patron: str, settled: Settlement) -> Text:
    spots = "+".join(bet.spot for bet in settled.bets)
    return Text.assemble((f"{patron} {spots} ", "dim"), gain(settled.net))


def demonstration_end(balance: Mapping[str, int], rounds: int) -> RenderableType:
    parts = [Text.assemble(f"{patron} ", gain(net)) for patron, net in balance.items()]
    return Text.assemble(f"After {rounds} rounds: ", Text(", ").join(parts))
