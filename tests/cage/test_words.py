"""Amounts in words, as a voucher prints them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.cage import in_words


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (0, "no dollars and no cents"),
        (1, "no dollars and one cent"),
        (2, "no dollars and two cents"),
        (99, "no dollars and ninety-nine cents"),
        (100, "one dollar and no cents"),
        (101, "one dollar and one cent"),
        (200, "two dollars and no cents"),
        (1_910, "nineteen dollars and ten cents"),
        (2_020, "twenty dollars and twenty cents"),
        (2_119, "twenty-one dollars and nineteen cents"),
        (9_900, "ninety-nine dollars and no cents"),
        (10_000, "one hundred dollars and no cents"),
        (10_100, "one hundred one dollars and no cents"),
        (12_345, "one hundred twenty-three dollars and forty-five cents"),
        (99_900, "nine hundred ninety-nine dollars and no cents"),
        (100_000, "one thousand dollars and no cents"),
        (100_100, "one thousand one dollars and no cents"),
        (101_100, "one thousand eleven dollars and no cents"),
        (1_200_050, "twelve thousand dollars and fifty cents"),
        (100_000_000, "one million dollars and no cents"),
        (100_000_000_100, "one billion one dollars and no cents"),
        (
            230_000_400_000_00,
            "two hundred thirty billion four hundred thousand dollars and no cents",
        ),
        (10**14, "one trillion dollars and no cents"),
        (10**18, "ten quadrillion dollars and no cents"),
    ],
)
def test_an_amount_in_words(amount: int, words: str) -> None:
    assert in_words(amount, "dollar", "cent") == words


SMALL = """
    one two three four five six seven eight nine ten
    eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
"""


@pytest.mark.parametrize(("number", "word"), [*enumerate(SMALL.split(), start=1)])
def test_every_small_number_has_its_word(number: int, word: str) -> None:
    assert in_words(number * 100, "pataca", "avo").split(" ")[0] == word


@pytest.mark.parametrize(
    ("number", "word"),
    [(30, "thirty"), (40, "forty"), (50, "fifty"), (60, "sixty"), (70, "seventy"), (80, "eighty")],
)
def test_every_ten_has_its_word(number: int, word: str) -> None:
    assert in_words(number * 100, "pataca", "avo") == f"{word} patacas and no avos"


@given(st.integers(0, 10**18), st.integers(0, 10**18))
def test_different_amounts_read_differently(one: int, other: int) -> None:
    same = in_words(one, "dollar", "cent") == in_words(other, "dollar", "cent")

    assert same == (one == other)
