"""The bead plate: six to a column, ties included."""

from hypothesis import given
from hypothesis import strategies as st

from cutcard.roads.bead import Bead, bead_plate
from cutcard.roads.grid import Cell, Column, Row, breadth, draw, window
from cutcard.roads.result import LETTERS, Result, parse
from cutcard.rules.coup import Winner
from tests.cases import every


def picture(results: tuple[Result, ...]) -> tuple[str, ...]:
    return draw((bead.cell, LETTERS[bead.result.winner]) for bead in bead_plate(results))


def test_the_worked_example(worked: tuple[Result, ...]) -> None:
    assert picture(worked) == (
        "TTBPPBB",
        "BBBPBBB",
        "BPBPPPB",
        "PBBPPPP",
        "PBBPBTB",
        "PBPPPT.",
    )


def test_an_empty_shoe_has_no_beads() -> None:
    assert bead_plate(()) == ()


@every(
    ("round_number", "col", "row"),
    [(1, 0, 0), (2, 0, 1), (6, 0, 5), (7, 1, 0), (12, 1, 5), (13, 2, 0)],
)
def test_a_column_breaks_after_six_rounds(round_number: int, col: int, row: int) -> None:
    newest = bead_plate(parse("T" * round_number))[-1]

    assert newest.cell == Cell(Column(col), Row(row))


@every(("rounds", "columns"), [(5, 1), (6, 1), (7, 2)])
def test_breadth_at_the_column_break(rounds: int, columns: int) -> None:
    assert breadth(bead.cell for bead in bead_plate(parse("B" * rounds))) == columns


def test_a_bead_keeps_its_whole_result() -> None:
    """A tied round's pairs and naturals show here and nowhere else."""
    tied = Result(Winner.TIE, player_pair=True, banker_natural=True, player_points=8)

    assert bead_plate([tied]) == (Bead(Cell(Column(0), Row(0)), tied),)


def test_a_full_plate_drops_a_whole_column() -> None:
    """Thirteen rounds on two columns: the first six go, and no bead changes its row."""
    shoe = "BBBBBB PPPPPP T"

    assert window(picture(parse(shoe)), 2) == ("PT", "P.", "P.", "P.", "P.", "P.")


@given(st.text(alphabet="BPT"))
def test_one_bead_for_each_round_read_down_the_columns(text: str) -> None:
    rows = picture(parse(text))
    columns = zip(*rows, strict=True)

    assert "".join("".join(column) for column in columns).rstrip(".") == text


@given(st.text(alphabet="BPT"), st.integers(min_value=0, max_value=50))
def test_later_rounds_never_move_a_bead(text: str, length: int) -> None:
    assert bead_plate(parse(text[:length])) == bead_plate(parse(text))[:length]
