"""The pages: whole at any width, and never wider than the terminal."""

import random
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType

from cutcard.cli import draw, run
from cutcard.roads import parse
from cutcard.roads import roads as read_roads
from cutcard.rulebooks import MORE, clauses, load, rulebooks
from cutcard.rules.cards import DECK, Card
from cutcard.rules.coup import Coup
from cutcard.rules.dealing import deal
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.settlement import settle
from tests.cases import every

WIDTHS = [40, 80, 200]
SHOES = {
    "empty": "",
    "one": "B",
    "ties only": "T" * 30,
    "worked example": "TBBPPPTBPBBBBBBBBPPPPPPPPBPPBPBBPPTTBBBPB",
    "choppy": "BP" * 100,
    "one streak": "B" * 200,
    "two streaks": "B" * 100 + "P" * 100,
    "200 results": "".join(random.Random(200).choices("BPT", (46, 44, 10), k=200)),
}

BOOKS = (*rulebooks(), *rulebooks(MORE))
every_book = every("book", BOOKS, ids=lambda book: book.id)
every_width = every("width", WIDTHS)


def printed(page: RenderableType, width: int) -> str:
    """A page as a terminal of that width shows it, without colours."""
    console = Console(file=StringIO(), width=width, highlight=False, color_system=None)
    console.print(page)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def too_wide(text: str, width: int) -> list[str]:
    return [line for line in text.splitlines() if cell_len(line) > width]


# --- roads


@every_width
@pytest.mark.parametrize("shoe", SHOES.values(), ids=SHOES)
def test_the_roads_fit_the_terminal(shoe: str, width: int) -> None:
    text = printed(draw.roads(read_roads(parse(shoe)), width), width)

    assert too_wide(text, width) == []
    for road in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig"):
        assert road in text


@every_width
@pytest.mark.parametrize("shoe", SHOES.values(), ids=SHOES)
def test_no_row_of_a_road_is_broken_in_two(shoe: str, width: int) -> None:
    """Each frame has its six rows and two borders, so a wrapped row would show as a seventh."""
    text = printed(draw.roads(read_roads(parse(shoe)), width), width)
    rows = [line for line in text.splitlines() if line.startswith("│")]
    tops = [line for line in text.splitlines() if line.startswith("╭")]

    assert len(rows) == 6 * len(tops)


@every_width
def test_the_command_follows_the_width_of_the_terminal(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", str(width))

    assert run(["roads", SHOES["200 results"]]) == 0
    assert too_wide(capsys.readouterr().out, width) == []


@every("width", [1, 5, 10, 20])
def test_a_terminal_too_narrow_for_anything_is_no_error(width: int) -> None:
    assert printed(draw.roads(read_roads(parse(SHOES["200 results"])), width), width)


def test_the_newest_columns_are_kept() -> None:
    text = printed(draw.roads(read_roads(parse("B" * 120 + "P" * 3)), 40), 40)
    bead = text.splitlines()[1:7]

    assert [row.rstrip("│ ").endswith("P") for row in bead[:3]] == [True] * 3


def big_road(shoe: str) -> list[str]:
    """The six rows of the big road as they are drawn."""
    lines = printed(draw.roads(read_roads(parse(shoe)), 200), 200).splitlines()
    start, end = lines[0].index("╭─ Big road"), lines[0].index("╮", lines[0].index("╭─ Big road"))
    return [line[start + 1 : end].strip() for line in lines[1:7]]


def test_ties_are_counted_beside_the_result_they_follow() -> None:
    assert big_road("BTTP")[:2] == ["B2P", "· ·"]


@every("ties", [1, 9, 10, 12, 100])
def test_many_ties_do_not_push_the_next_column_aside(ties: int) -> None:
    """Banker, ties, a streak of two Player wins: both stand in one column."""
    top, second, *_ = big_road("B" + "T" * ties + "PP")

    assert top.index("P") == second.index("P")


# --- books


@every(
    ("book", "width"),
    [*((book, WIDTHS[0]) for book in BOOKS), *((BOOKS[0], width) for width in WIDTHS[1:])],
    ids=lambda one: one.id if isinstance(one, Rulebook) else one,
)
def test_a_book_can_be_shown_at_any_width(book: Rulebook, width: int) -> None:
    """Every book where it is hardest, and one of them where there is room."""
    text = printed(draw.book(book, clauses(book)), width)

    assert too_wide(text, width) == []
    assert "Tableau" in text


@every_width
def test_the_list_of_books_fits(width: int) -> None:
    text = printed(draw.books(rulebooks(), "Rulebooks"), width)

    assert too_wide(text, width) == []
    if width >= 80:
        assert all(f" {book.id} " in text for book in rulebooks())


@every_width
def test_the_coverage_fits(width: int) -> None:
    assert too_wide(printed(draw.coverage(rulebooks(), clauses()), width), width) == []


@every_book
def test_a_patron_reads_every_line_that_settles(book: Rulebook) -> None:
    text = printed(draw.pay_table(book), 200)
    lines = [line for spot in book.spots.values() for line in spot.table.lines]

    assert all(line.clause in text for line in lines)
    assert sum(text.count(f" {line.clause} ") > 0 for line in lines) == len(lines)


def test_the_tableau_is_drawn_as_printed() -> None:
    text = printed(draw.tableau(load("rws-commission")), 80)
    rows = [" ".join(line.split()) for line in text.splitlines()]

    assert "3 D D D D D D D D S D D" in rows
    assert "6 S S S S S S D D S S S" in rows


def test_dependencies_are_told_below_the_pay_table() -> None:
    text = printed(draw.pay_table(load("rws-knockout")), 200)

    assert "Winning Total 7 needs a bet on Player or Banker (KO2 1 Winning Total)." in text
    assert "exactly 2 times as much (KO2 3.4.2), or that bet is lost (KO2 3.4.1)." in text


def test_a_loss_beyond_the_stake_is_told() -> None:
    assert "can lose 9 times its stake" in printed(draw.pay_table(load("online-cow-cow")), 200)


# --- coups and shoes


@every("card", DECK, ids=str)
def test_a_card_shows_its_rank_and_its_suit(card: Card) -> None:
    text = draw.card(card)

    assert text.plain == str(card)[0].replace("T", "10") + card.suit.symbol
    assert (str(text.style) == "red") == (card.suit.value in "dh")


@every(("value", "said", "style"), [(1_234, "+1,234", "green"), (-20, "−20", "red"), (0, "+0", "")])
def test_a_gain_shows_its_sign_as_well_as_its_colour(value: int, said: str, style: str) -> None:
    text = draw.gain(value)

    assert (text.plain, str(text.style)) == (said, style)


@every_width
def test_a_settlement_can_be_shown_at_any_width(width: int) -> None:
    book = load("rws-commission")
    settled = settle(book, "2h 3s 9c / 5d Kc", {"banker": 100, "tie": 20})

    assert too_wide(printed(draw.settlement(book, settled), width), width) == []


@every_width
def test_a_transcript_can_be_shown_at_any_width(width: int) -> None:
    transcript = deal(load("rws-commission"), 7)
    text = printed(draw.transcript(transcript), width)

    assert too_wide(text, width) == []
    assert f"Rounds dealt: {len(transcript.coups)}." in " ".join(text.split())


def test_a_coup_is_shown_with_both_hands() -> None:
    coup = Coup.parse("2h 3s Tc / 5d Kc")

    assert draw.coup(coup).plain == "Player 2♥ 3♠ 10♣ (5)   Banker 5♦ K♣ (5)"
    assert draw.winner(coup).plain == "TIE"
