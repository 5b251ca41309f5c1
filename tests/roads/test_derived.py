"""The derived roads: the worked example, the boundaries, and a second derivation."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.roads.big import streaks
from cutcard.roads.derived import Derived, DerivedRoad, Mark, derived_road, mark
from cutcard.roads.grid import Cell, Column, Row
from cutcard.roads.result import Result, parse
from tests.cases import every

BIG_EYE, SMALL, COCKROACH = Derived.BIG_EYE, Derived.SMALL, Derived.COCKROACH
EVERY_ROAD = every("road", list(Derived))

SHOES = st.text(alphabet="BBBPPPT", max_size=90)
DEPTHS = st.lists(st.integers(min_value=1, max_value=9), max_size=20)


def derive(text: str, road: Derived) -> str:
    return derived_road(streaks(parse(text)), road).text


def shoe(depths: Sequence[int]) -> str:
    """Streaks of these depths, Banker first."""
    return "".join("BP"[index % 2] * depth for index, depth in enumerate(depths))


def grid(text: str) -> tuple[str, ...]:
    return tuple(line.replace(" ", "") for line in text.strip().splitlines())


def guide(depths: Sequence[int], back: int) -> str:
    """The roads as Chinese guides teach them, by looking at cells.

    Going down: look `back` columns to the left, at the cell beside this one and
    at the cell above that. Both filled or both empty is red, else blue. In a
    new column: compare the lengths of the columns 1 and back + 1 to the left.
    """
    filled = {(column, row) for column, depth in enumerate(depths) for row in range(depth)}
    marks = ""
    for column, depth in enumerate(depths):
        for row in range(depth):
            if row > 0 and column - back >= 0:
                beside = (column - back, row) in filled
                above = (column - back, row - 1) in filled
                marks += "R" if beside == above else "B"
            elif row == 0 and column - 1 - back >= 0:
                even = depths[column - 1] == depths[column - 1 - back]
                marks += "R" if even else "B"
    return marks


WORKED_MARKS = {
    BIG_EYE: "RBBBRBRRRRRRBRRRRRRRRBBBBRBBRRRBBB",
    SMALL: "BBBRRRRRRBBRRRRRRBBRBRBBBBBRBBB",
    COCKROACH: "BRRBRRRRBBRRRRRRBRRBBRRRBBBRBB",
}

WORKED_GRIDS = {
    BIG_EYE: """
        R B R B R B R B R B R B
        . B . . R . R B . B R B
        . B . . R . R B . . R B
        . . . . R . R B . . . .
        . . . . R . R . . . . .
        . . . . R . R R R . . .
    """,
    SMALL: """
        B R B R B R B R B R B
        B R B R B . . . B . B
        B R . R . . . . B . B
        . R . R . . . . B . .
        . R . R . . . . B . .
        . R . R . . . . . . .
    """,
    COCKROACH: """
        B R B R B R B R B R B R B
        . R . R B R . R B R B . B
        . . . R . R . . . R B . .
        . . . R . R . . . . . . .
        . . . . . R . . . . . . .
        . . . . . R . . . . . . .
    """,
}


@EVERY_ROAD
def test_the_worked_example(worked: tuple[Result, ...], road: Derived) -> None:
    derived = derived_road(streaks(worked), road)

    assert derived.text == WORKED_MARKS[road]
    assert derived.grid == grid(WORKED_GRIDS[road])


def test_the_worked_example_has_34_31_and_30_marks(worked: tuple[Result, ...]) -> None:
    assert [len(derived_road(streaks(worked), road).marks) for road in Derived] == [34, 31, 30]


def test_the_first_marks_checked_by_hand() -> None:
    """B2 P3 B1 P1 B3: even, break, uneven, uneven, even, break, straight."""
    assert derive("BB PPP B P BBB", BIG_EYE) == "RBBBRBR"


def test_how_far_each_road_looks_back() -> None:
    assert (BIG_EYE.value, SMALL.value, COCKROACH.value) == (1, 2, 3)


def test_a_road_holds_its_marks_and_their_cells() -> None:
    assert derived_road(streaks(parse("BBPPP")), BIG_EYE) == DerivedRoad(
        marks=(Mark.RED, Mark.BLUE),
        cells=(Cell(Column(0), Row(0)), Cell(Column(1), Row(0))),
    )


@EVERY_ROAD
def test_an_empty_big_road_derives_nothing(road: Derived) -> None:
    empty = derived_road((), road)

    assert (empty.marks, empty.cells, empty.text, empty.grid) == ((), (), "", ("",) * 6)


@pytest.mark.parametrize(
    ("depth", "expected"),
    [(2, Mark.RED), (3, Mark.RED), (4, Mark.BLUE), (5, Mark.RED), (6, Mark.RED)],
)
@EVERY_ROAD
def test_going_down_beside_a_column_three_deep(road: Derived, depth: int, expected: Mark) -> None:
    """Blue exactly one below the end of the compared column; the others are not read."""
    left = [9, 9, 9, 9]
    left[-road.value] = 3

    assert mark(left, depth, road) is expected


@EVERY_ROAD
def test_the_second_win_beside_a_single_one_is_the_break(road: Derived) -> None:
    left = [5, 5, 5, 5]
    left[-road.value] = 1

    assert mark(left, 2, road) is Mark.BLUE
    assert mark(left, 3, road) is Mark.RED


@pytest.mark.parametrize(
    ("ended", "expected"), [(2, Mark.BLUE), (3, Mark.RED), (4, Mark.BLUE), (5, Mark.BLUE)]
)
@EVERY_ROAD
def test_a_new_column_compares_the_two_before_it(road: Derived, ended: int, expected: Mark) -> None:
    """The column just ended against the one that many further left, three deep."""
    left = [9, 9, 9, 9, ended]
    left[-1 - road.value] = 3

    assert mark(left, 1, road) is expected


@EVERY_ROAD
def test_going_down_needs_as_many_columns_as_the_road_looks_back(road: Derived) -> None:
    assert mark([2] * (road.value - 1), 2, road) is None
    assert mark([2] * road.value, 2, road) is Mark.RED


@EVERY_ROAD
def test_a_new_column_needs_one_column_more(road: Derived) -> None:
    assert mark([2] * road.value, 1, road) is None
    assert mark([2] * (road.value + 1), 1, road) is Mark.RED


@every(
    ("road", "text", "marks"),
    [
        (BIG_EYE, "BBBBBB", ""),
        (BIG_EYE, "BP", ""),
        (BIG_EYE, "BPP", "B"),  # second column, second row
        (BIG_EYE, "BBPP", "R"),
        (BIG_EYE, "BPB", "R"),  # else third column, first row
        (SMALL, "BPPP", ""),
        (SMALL, "BPB", ""),
        (SMALL, "BPBB", "B"),  # third column, second row
        (SMALL, "BBPBB", "R"),
        (SMALL, "BPBP", "R"),  # else fourth column, first row
        (COCKROACH, "BPBBB", ""),
        (COCKROACH, "BPBP", ""),
        (COCKROACH, "BPBPP", "B"),  # fourth column, second row
        (COCKROACH, "BBPBPP", "R"),
        (COCKROACH, "BPBPB", "R"),  # else fifth column, first row
    ],
)
def test_the_first_possible_entry(road: Derived, text: str, marks: str) -> None:
    assert derive(text, road) == marks


@every("depth", [5, 6, 7, 8])
def test_a_dragon_tail_counts_its_whole_depth(depth: int) -> None:
    """Two equal streaks are even and the next win breaks, whatever rows are drawn."""
    assert derive("B" * depth + "P" * (depth + 2), BIG_EYE) == "R" * (depth - 1) + "BR"
    assert derive("B" * depth + "P" * depth + "B", BIG_EYE) == "R" * depth


def test_marks_are_drawn_with_a_dragon_tail_of_their_own() -> None:
    assert derived_road(streaks(parse("BP" * 4 + "B")), BIG_EYE).grid == (
        "R.",
        "R.",
        "R.",
        "R.",
        "R.",
        "RR",
    )


@EVERY_ROAD
@given(depths=DEPTHS)
def test_the_guides_cell_by_cell_reading_agrees(road: Derived, depths: list[int]) -> None:
    assert derive(shoe(depths), road) == guide(depths, road.value)


@EVERY_ROAD
@given(text=SHOES)
def test_the_guides_reading_agrees_on_any_shoe(road: Derived, text: str) -> None:
    depths = [streak.depth for streak in streaks(parse(text))]

    assert derive(text, road) == guide(depths, road.value)


@EVERY_ROAD
@given(depths=DEPTHS)
def test_once_begun_a_road_gets_one_mark_for_each_win(road: Derived, depths: list[int]) -> None:
    """Every win after the first one of column k + 1 can be compared."""
    begun = depths[road.value :]

    assert len(derive(shoe(depths), road)) == max(0, sum(begun) - 1)


@EVERY_ROAD
@given(text=SHOES)
def test_ties_are_not_seen(road: Derived, text: str) -> None:
    assert derive(text, road) == derive(text.replace("T", ""), road)


@EVERY_ROAD
@given(text=SHOES)
def test_the_sides_are_alike(road: Derived, text: str) -> None:
    swapped = text.translate(str.maketrans("BP", "PB"))

    assert derive(swapped, road) == derive(text, road)


@EVERY_ROAD
@given(text=SHOES, length=st.integers(min_value=0, max_value=90))
def test_a_prefix_of_the_shoe_derives_a_prefix_of_the_road(
    road: Derived, text: str, length: int
) -> None:
    before = derived_road(streaks(parse(text[:length])), road)
    after = derived_road(streaks(parse(text)), road)

    assert before.marks == after.marks[: len(before.marks)]
    assert before.cells == after.cells[: len(before.cells)]


@EVERY_ROAD
@given(depths=DEPTHS)
def test_no_two_marks_share_a_cell_and_all_stay_on_six_rows(
    road: Derived, depths: list[int]
) -> None:
    derived = derived_road(streaks(parse(shoe(depths))), road)

    assert len(set(derived.cells)) == len(derived.cells) == len(derived.marks)
    assert all(0 <= cell.row <= 5 for cell in derived.cells)
