"""Placing streaks on six rows, drawing them, and showing a part."""

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from cutcard.roads.grid import Cell, Column, Grid, Row, breadth, draw, offset, place, window
from tests.cases import every

# Streaks up to 15 deep, so that tails run under and over one another.
DEPTHS = st.lists(st.integers(min_value=1, max_value=15), max_size=20)


def cell(col: int, row: int) -> Cell:
    return Cell(Column(col), Row(row))


def shoe(depths: list[int]) -> str:
    """Streaks of these depths, Banker first."""
    return "".join("BP"[index % 2] * depth for index, depth in enumerate(depths))


def picture(symbols: str) -> Grid:
    return draw(zip(place(symbols), symbols, strict=True))


def grid(text: str) -> Grid:
    """Six lines as printed in a book; spaces only separate."""
    return tuple(line.replace(" ", "") for line in text.strip().splitlines())


def test_no_symbols_take_no_cells() -> None:
    assert place("") == ()


def test_one_symbol_takes_the_top_left_cell() -> None:
    assert place("B") == (cell(0, 0),)


def test_a_change_starts_the_next_column() -> None:
    assert place("BBPB") == (cell(0, 0), cell(0, 1), cell(1, 0), cell(2, 0))


def test_six_in_a_row_fill_a_column() -> None:
    assert place("BBBBBB") == tuple(cell(0, row) for row in range(6))


def test_the_seventh_turns_right_on_the_last_row() -> None:
    assert place("BBBBBBBB")[5:] == (cell(0, 5), cell(1, 5), cell(2, 5))


def test_any_symbols_are_placed_alike() -> None:
    """The same streaks of winners, letters or numbers take the same cells."""
    assert place([7, 7, None, None, 7]) == place("BBPPB")


def test_a_streak_turns_above_an_older_tail() -> None:
    """B7 leaves one cell of tail under the second column: P5 fits above it, P6 turns."""
    assert place("B" * 7 + "P" * 6)[-2:] == (cell(1, 4), cell(2, 4))


def test_a_streak_beyond_the_tail_runs_down_to_the_last_row() -> None:
    """B7's tail ends in the second column, so the third is free."""
    assert place("B" * 7 + "P" + "B" * 6)[-1] == cell(2, 5)


def test_a_turned_streak_keeps_to_its_row_past_the_end_of_the_older_tail() -> None:
    """The collision of the worked example: B9 P10 B1 P2."""
    assert picture("B" * 9 + "P" * 10 + "BPP") == grid("""
        B P B P . . .
        B P . P . . .
        B P . . . . .
        B P . . . . .
        B P P P P P P
        B B B B . . .
    """)


def test_seven_long_streaks_stack_their_tails_to_the_top_row() -> None:
    """The sixth tail runs along the top, so the seventh streak starts beyond it."""
    assert picture(shoe([9] * 7)) == grid("""
        B P B P B P P P P P P P P P B . . .
        B P B P B B B B B B B B . . B . . .
        B P B P P P P P P P . . . . B . . .
        B P B B B B B B . . . . . . B . . .
        B P P P P P . . . . . . . . B . . .
        B B B B . . . . . . . . . . B B B B
    """)


def test_a_top_row_tail_of_one_cell_moves_the_next_streak_by_one() -> None:
    """B10 P9 B8 P7 B6 leave the sixth streak no room but the top row."""
    cells = place(shoe([10, 9, 8, 7, 6, 2, 1]))

    assert cells[-3:] == (cell(5, 0), cell(6, 0), cell(7, 0))


@given(DEPTHS)
def test_no_two_symbols_share_a_cell_and_all_stay_on_six_rows(depths: list[int]) -> None:
    cells = place(shoe(depths))

    assert len(set(cells)) == len(cells) == sum(depths)
    assert all(0 <= one.row <= 5 and one.col >= 0 for one in cells)


@given(DEPTHS)
def test_each_streak_runs_down_then_right_and_never_down_again(depths: list[int]) -> None:
    symbols = shoe(depths)
    cells = iter(place(symbols))
    older: set[Cell] = set()
    for _, wins in groupby(symbols):
        streak = [next(cells) for _ in wins]
        deepest = streak[-1].row
        down, tail = streak[: deepest + 1], streak[deepest + 1 :]
        start = streak[0].col
        assert down == [cell(start, row) for row in range(deepest + 1)]
        assert tail == [cell(start + 1 + step, deepest) for step in range(len(tail))]
        # It turned only because it had to.
        assert not tail or deepest == 5 or cell(start, deepest + 1) in older
        older.update(streak)


@given(DEPTHS)
def test_each_streak_starts_in_the_first_free_top_cell(depths: list[int]) -> None:
    symbols = shoe(depths)
    cells = place(symbols)
    position = 0
    for depth in depths:
        top = {one.col for one in cells[:position] if one.row == 0}
        assert cells[position] == cell(min(set(range(len(top) + 1)) - top), 0)
        position += depth


@given(DEPTHS, st.integers(min_value=0, max_value=100))
def test_later_symbols_never_move_earlier_ones(depths: list[int], length: int) -> None:
    symbols = shoe(depths)

    assert place(symbols[:length]) == place(symbols)[:length]


def test_an_empty_grid_is_six_empty_rows() -> None:
    assert draw([]) == ("", "", "", "", "", "")


def test_a_grid_is_as_wide_as_its_last_column() -> None:
    assert draw([(cell(2, 1), "R"), (cell(0, 5), "B")]) == (
        "...",
        "..R",
        "...",
        "...",
        "...",
        "B..",
    )


@every(
    ("cells", "columns"),
    [([], 0), ([cell(0, 5)], 1), ([cell(0, 0), cell(3, 2), cell(1, 0)], 4)],
)
def test_breadth_is_counted_to_the_last_column_used(cells: list[Cell], columns: int) -> None:
    """A tail may reach further right than the newest cell."""
    assert breadth(cells) == columns


@every(
    ("columns", "width", "first"),
    [(0, 5, 0), (4, 5, 0), (5, 5, 0), (6, 5, 1), (12, 5, 7), (3, 1, 2), (3, 0, 3)],
)
def test_whole_columns_leave_on_the_left(columns: int, width: int, first: int) -> None:
    assert offset(columns, width) == first


def test_a_window_shows_the_last_columns() -> None:
    shown = ("abcd", "efgh", "ijkl", "mnop", "qrst", "uvwx")

    assert window(shown, 3) == ("bcd", "fgh", "jkl", "nop", "rst", "vwx")
    assert window(shown, 1) == ("d", "h", "l", "p", "t", "x")


@every("width", [4, 5, 9])
def test_a_window_as_wide_as_the_grid_shows_all_of_it(width: int) -> None:
    shown = ("abcd", "efgh", "ijkl", "mnop", "qrst", "uvwx")

    assert window(shown, width) == shown


def test_a_window_on_an_empty_grid_is_empty() -> None:
    assert window(draw([]), 3) == ("",) * 6
