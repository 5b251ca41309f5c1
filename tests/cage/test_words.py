"""Amounts in words, as a voucher prints them."""

from hypothesis import given
from hypothesis import strategies as st

from cutcard.cage import in_words
from cutcard.refusals import LANGUAGES
from tests.cases import every


@every(
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


@every(
    ("amount", "hans", "hant"),
    [
        (0, "零元整", "零元整"),
        (45, "零元肆角伍分", "零元肆角伍分"),
        (5, "零元零伍分", "零元零伍分"),
        (1_040, "壹拾元肆角", "壹拾元肆角"),
        (25_000, "贰佰伍拾元整", "貳佰伍拾元整"),
        (100_100, "壹仟零壹元整", "壹仟零壹元整"),
        (1_005_005, "壹万零伍拾元零伍分", "壹萬零伍拾元零伍分"),
        (100_000_000, "壹佰万元整", "壹佰萬元整"),
        (10_000_203_000, "壹亿零贰仟零叁拾元整", "壹億零貳仟零參拾元整"),
        (10**18, "壹亿亿元整", "壹億億元整"),
    ],
)
def test_an_amount_in_chinese(amount: int, hans: str, hant: str) -> None:
    assert in_words(amount, "dollar", "cent", "zh-Hans") == hans
    assert in_words(amount, "dollar", "cent", "zh-Hant") == hant


def test_money_without_a_part_and_with_a_thousandth() -> None:
    assert in_words(250, "yen", "", digits=0) == "two hundred fifty yens"
    assert in_words(250, "yen", "", "zh-Hans", digits=0) == "贰佰伍拾元整"
    assert in_words(1_405, "dinar", "fil", "zh-Hant", digits=3) == "壹元肆角零伍厘"


SMALL = """
    one two three four five six seven eight nine ten
    eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
"""


@every(("number", "word"), [*enumerate(SMALL.split(), start=1)])
def test_every_small_number_has_its_word(number: int, word: str) -> None:
    assert in_words(number * 100, "pataca", "avo").split(" ")[0] == word


@every(
    ("number", "word"),
    [(30, "thirty"), (40, "forty"), (50, "fifty"), (60, "sixty"), (70, "seventy"), (80, "eighty")],
)
def test_every_ten_has_its_word(number: int, word: str) -> None:
    assert in_words(number * 100, "pataca", "avo") == f"{word} patacas and no avos"


@given(st.integers(0, 10**18), st.integers(0, 10**18))
def test_different_amounts_read_differently(one: int, other: int) -> None:
    for language in LANGUAGES:
        said = [in_words(amount, "dollar", "cent", language) for amount in (one, other)]
        assert (said[0] == said[1]) == (one == other)
