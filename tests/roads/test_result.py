"""Results and the letters they are read from."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.refusals import Refusal
from cutcard.roads.result import LETTERS, Result, parse
from cutcard.rules.coup import Coup, Winner
from tests.cases import every

B, P, T = Result(Winner.BANKER), Result(Winner.PLAYER), Result(Winner.TIE)


def test_letters_are_read_in_order() -> None:
    assert parse("TBBP") == (T, B, B, P)


@every("text", ["TBP", "tbp", "T B P", "T,B,P", " t, B\n,\tp,", "T  B,,P"])
def test_case_and_separators_do_not_matter(text: str) -> None:
    assert parse(text) == (T, B, P)


@every("text", ["", "  ", ",", " ,\n"])
def test_nothing_but_separators_is_an_empty_shoe(text: str) -> None:
    assert parse(text) == ()


@every(
    ("text", "character", "position"),
    [
        ("X", "X", 1),
        ("BPx", "x", 3),
        ("B, P; T", ";", 5),
        ("BB1", "1", 3),
        ("TIE", "I", 2),
        ("B+P", "+", 2),
    ],
)
def test_a_bad_letter_is_refused_as_written_with_its_place(
    text: str, character: str, position: int
) -> None:
    """Separators count towards the position: it is where a reader finds the letter."""
    with pytest.raises(Refusal) as refused:
        parse(text)

    assert refused.value.code == "roads/unreadable"
    assert refused.value.params == {"text": character, "position": position}
    assert refused.value.clause is None


@given(st.text(alphabet="BPT"))
def test_letters_survive_the_way_there_and_back(text: str) -> None:
    assert "".join(LETTERS[result.winner] for result in parse(text)) == text


def test_only_the_winner_needs_saying() -> None:
    assert Result(Winner.TIE) == Result(
        winner=Winner.TIE,
        player_pair=False,
        banker_pair=False,
        player_natural=False,
        banker_natural=False,
        player_points=None,
        banker_points=None,
    )


def test_a_result_is_never_edited() -> None:
    with pytest.raises(FrozenInstanceError):
        B.player_pair = True  # type: ignore[misc]


# --- from a coup


def test_a_coup_gives_its_result() -> None:
    assert Result.of(Coup.parse("7h 7s 6d / 2d 4c 6s")) == Result(
        winner=Winner.BANKER,
        player_pair=True,
        player_points=0,
        banker_points=2,
    )
    assert Result.of(Coup.parse("4h 4s / 9d 9c")) == Result(
        winner=Winner.TIE,
        player_pair=True,
        banker_pair=True,
        player_natural=True,
        banker_natural=True,
        player_points=8,
        banker_points=8,
    )
    assert Result.of(Coup.parse("Kh 9s / 9d 9c")) == Result(
        winner=Winner.PLAYER,
        banker_pair=True,
        player_natural=True,
        banker_natural=True,
        player_points=9,
        banker_points=8,
    )
    assert Result.of(Coup.parse("Kh 7s / Kd 8c")) == Result(
        winner=Winner.BANKER, banker_natural=True, player_points=7, banker_points=8
    )
