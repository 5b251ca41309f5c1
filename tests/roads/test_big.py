"""The big road: logical columns, rings, ties and pairs."""

from hypothesis import given
from hypothesis import strategies as st

from cutcard.roads.big import Ring, Streak, big_road, streaks
from cutcard.roads.grid import Cell, Column, Row, draw
from cutcard.roads.result import LETTERS, Result, parse
from cutcard.rules.coup import Winner
from tests.cases import every

SHOES = st.text(alphabet="BBBPPPT", max_size=90)


def ring(col: int, row: int, winner: Winner | None, ties: int = 0) -> Ring:
    return Ring(Cell(Column(col), Row(row)), winner, ties)


def written(text: str) -> str:
    """Logical columns in short, such as `B2 P3`."""
    return " ".join(f"{LETTERS[one.winner]}{one.depth}" for one in streaks(parse(text)))


def outline(text: str) -> list[tuple[Cell, Winner | None]]:
    """The rings without their ties."""
    return [(one.cell, one.winner) for one in big_road(parse(text))]


def test_the_worked_example(worked: tuple[Result, ...]) -> None:
    """B8 turns at the last row; P8 turns one row higher, above B8's tail."""
    rings = big_road(worked)
    winners = draw((one.cell, LETTERS[one.winner]) for one in rings if one.winner)
    ties = draw((one.cell, str(one.ties)) for one in rings if one.ties)

    assert winners == (
        "BPBPBPBPBPBPBPB",
        "BP..BP.P..BPB..",
        ".P..BP......B..",
        "....BP.........",
        "....BPPPP......",
        "....BBB........",
    )
    assert ties == (
        "1...........",
        "...........2",
        ".1..........",
        "............",
        "............",
        "............",
    )


def test_the_logical_columns_of_the_worked_example(worked: tuple[Result, ...]) -> None:
    short = [f"{LETTERS[one.winner]}{one.depth}" for one in streaks(worked)]

    assert " ".join(short) == "B2 P3 B1 P1 B8 P8 B1 P2 B1 P1 B2 P2 B3 P1 B1"


def test_a_streak_is_as_deep_as_it_is_long() -> None:
    """Nine in a row are nine deep, although only six rows are drawn."""
    assert streaks(parse("BBBBBBBBBPP")) == (Streak(Winner.BANKER, 9), Streak(Winner.PLAYER, 2))


@every(
    ("text", "columns"),
    [("", ""), ("T", ""), ("TB", "B1"), ("BTB", "B2"), ("BTP", "B1 P1"), ("BTTBTPT", "B2 P1")],
)
def test_a_tie_neither_starts_nor_ends_a_column(text: str, columns: str) -> None:
    assert written(text) == columns


def test_an_empty_shoe_has_no_rings() -> None:
    assert big_road(()) == ()


@every(("text", "ties"), [("T", 1), ("TT", 2), ("TTTTTTT", 7)])
def test_a_shoe_of_ties_is_one_cell_without_a_winner(text: str, ties: int) -> None:
    assert big_road(parse(text)) == (ring(0, 0, None, ties),)


def test_ties_before_the_first_win_stay_with_it() -> None:
    assert big_road(parse("TTB")) == (ring(0, 0, Winner.BANKER, 2),)


def test_early_ties_and_later_ties_add_up_on_the_first_ring() -> None:
    assert big_road(parse("TTPTP")) == (ring(0, 0, Winner.PLAYER, 3), ring(0, 1, Winner.PLAYER))


def test_a_tie_marks_the_last_ring() -> None:
    assert big_road(parse("BPTTBT")) == (
        ring(0, 0, Winner.BANKER),
        ring(1, 0, Winner.PLAYER, 2),
        ring(2, 0, Winner.BANKER, 1),
    )


def test_pairs_are_those_of_the_round_that_took_the_cell() -> None:
    rounds = [
        Result(Winner.BANKER, player_pair=True),
        Result(Winner.TIE, player_pair=True, banker_pair=True),
        Result(Winner.BANKER, banker_pair=True),
        Result(Winner.PLAYER, player_pair=True, banker_pair=True),
        Result(Winner.PLAYER),
    ]

    pairs = [(one.player_pair, one.banker_pair) for one in big_road(rounds)]

    assert pairs == [(True, False), (False, True), (True, True), (False, False)]


def test_a_tied_pair_does_not_show_while_there_are_only_ties() -> None:
    assert big_road([Result(Winner.TIE, True, True)]) == (ring(0, 0, None, 1),)


@given(SHOES)
def test_one_ring_for_each_win_in_order_of_play(text: str) -> None:
    wins = [letter for letter in text if letter != "T"]
    rings = big_road(parse(text))

    assert [LETTERS[one.winner] for one in rings if one.winner] == wins
    assert sum(one.ties for one in rings) == text.count("T")
    assert sum(streak.depth for streak in streaks(parse(text))) == len(wins)


@given(SHOES)
def test_ties_move_nothing(text: str) -> None:
    decided = text.replace("T", "")
    if decided:
        assert outline(text) == outline(decided)
        assert written(text) == written(decided)


@given(SHOES)
def test_swapping_the_sides_moves_nothing(text: str) -> None:
    swapped = text.translate(str.maketrans("BP", "PB"))

    assert [cell for cell, _ in outline(swapped)] == [cell for cell, _ in outline(text)]


@given(SHOES, st.integers(min_value=0, max_value=90))
def test_a_prefix_of_the_shoe_draws_a_prefix_of_the_road(text: str, length: int) -> None:
    """Only the ties of the newest ring may still grow."""
    before, after = big_road(parse(text[:length])), big_road(parse(text))
    settled = before[:-1]
    newest = [one for one in before[-1:] if one.winner]

    assert settled == after[: len(settled)]
    for one in newest:
        later = after[len(before) - 1]
        assert (later.cell, later.winner) == (one.cell, one.winner)
        assert later.ties >= one.ties
