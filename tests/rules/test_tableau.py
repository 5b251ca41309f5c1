"""The tableau, against the rule as the books print it in words."""

from itertools import product

import pytest

from cutcard.refusals import Refusal
from cutcard.rulebooks import ids, load
from cutcard.rules.coup import Side
from cutcard.rules.settlement import settle
from cutcard.rules.tableau import (
    BANKER_TABLE,
    PLAYER_TABLE,
    banker_draws,
    is_natural,
    parse,
    player_draws,
)
from tests.cases import every
from tests.talk import draws

NATURALS = {8, 9}
PLAYER_DRAWS_ON = {0, 1, 2, 3, 4, 5}
BANKER_DRAWS_WHEN_PLAYER_STANDS = {0, 1, 2, 3, 4, 5}
BANKER_DRAWS_WHEN_PLAYER_DREW = {
    0: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    1: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    2: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: {6, 7},
    7: set(),
    8: set(),
    9: set(),
}

TABLEAU_CLAUSES = {
    "online-baccarat": "ONL B19",
    "online-cow-cow": "ONL B19",
    "online-no-commission": "ONL B19",
    "rws-commission": "CB4 3.12",
    "rws-knockout": "KO2 3.7",
    "rws-non-commission-etg": "ETG4 3.6",
    "skycity-commission": "SKY deal",
    "skycity-non-commission": "SKY deal",
}


def expected(player: int, banker: int, third: int | None) -> Side | None:
    """The printed rule: who draws next, given two-card points and a third Player card."""
    if player in NATURALS or banker in NATURALS:
        return None
    if third is not None:
        return Side.BANKER if third in BANKER_DRAWS_WHEN_PLAYER_DREW[banker] else None
    if player in PLAYER_DRAWS_ON:
        return Side.PLAYER
    return Side.BANKER if banker in BANKER_DRAWS_WHEN_PLAYER_STANDS else None


def test_who_draws_in_every_case_there_is() -> None:
    """10 × 10 two-card points, each with no third Player card and with the ten there are."""
    cases = list(product(range(10), range(10), [None, *range(10)]))
    wrong = {case: draws(*case) for case in cases if draws(*case) is not expected(*case)}

    assert len(cases) == 1_100
    assert wrong == {}


@every("points", range(10))
def test_player_draws_to_five_and_never_on_a_natural(points: int) -> None:
    assert player_draws(points) is (points <= 5)
    assert is_natural(points) is (points >= 8)


@every("points", range(10))
def test_every_cell_of_the_banker_table(points: int) -> None:
    drawn_on = {third for third in range(10) if banker_draws(points, third)}

    assert drawn_on == BANKER_DRAWS_WHEN_PLAYER_DREW[points]
    assert banker_draws(points, None) is (points <= 5)


def test_the_printed_tables_hold_one_letter_for_every_cell() -> None:
    player, banker = parse(PLAYER_TABLE), parse(BANKER_TABLE)

    assert set(player) == {("-", column) for column in "0123456789"}
    assert set(banker) == set(product("0123456789", "0123456789-"))
    assert set(player.values()) == set(banker.values()) == {"D", "S", "N"}
    # A natural ends the deal, so its rows say N in every column and no other row does.
    assert {row for (row, _), letter in banker.items() if letter == "N"} == {"8", "9"}
    assert all(banker[row, column] == "N" for row in "89" for column in "0123456789-")


def test_a_table_is_read_row_by_row() -> None:
    cells = parse("""
        B  0 1
        5  S D
        6  N S
    """)

    assert cells == {("5", "0"): "S", ("5", "1"): "D", ("6", "0"): "N", ("6", "1"): "S"}


@pytest.mark.parametrize("row", ["5 S", "5 S D D"], ids=["cell missing", "cell too many"])
def test_a_ragged_table_is_an_error_of_ours(row: str) -> None:
    with pytest.raises(ValueError, match="zip"):
        parse(f"B 0 1\n{row}")


def test_every_book_has_its_tableau_clause_here() -> None:
    assert set(TABLEAU_CLAUSES) == set(ids())


@every("book", ids())
@every("banker", range(8))
def test_a_coup_against_the_tableau_is_refused_under_the_books_own_clause(
    book: str, banker: int
) -> None:
    """Player 0 draws each third card in turn; then Banker has a card too few, or too many."""
    letters = "KA23456789"
    assert load(book).cites["tableau"] == TABLEAU_CLAUSES[book]
    for third in range(10):
        drawn = f"Ks Qs {letters[third]}d / Kc {letters[banker]}h"
        must_draw = third in BANKER_DRAWS_WHEN_PLAYER_DREW[banker]
        unlawful = drawn if must_draw else f"{drawn} 2s"
        with pytest.raises(Refusal) as caught:
            settle(load(book), unlawful, {"player": 1})
        assert caught.value.code == f"coup/card-{'missing' if must_draw else 'too-many'}"
        assert caught.value.params["side"] == "banker"
        assert caught.value.clause == TABLEAU_CLAUSES[book]
