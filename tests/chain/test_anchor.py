"""Anchors: short, readable, and told from a forged log when they are only misread."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.chain import Anchor, Head, anchor, parse_anchor, start
from cutcard.refusals import Refusal
from tests.cases import every

HEADS = st.builds(
    Head,
    st.text(
        st.characters(exclude_characters=":", exclude_categories=("Cc", "Cs", "Z")), min_size=1
    ),
    st.integers(0, 10**18 - 1),
    st.binary(min_size=32, max_size=32),
)
LINE = str(anchor(start("t9")))


def test_an_anchor_is_one_short_line() -> None:
    table, count, code = LINE.split(":")

    assert (table, count) == ("t9", "0")
    assert [len(group) for group in code.split("-")] == [4] * 8


def test_the_code_is_the_first_140_bits_of_the_hash() -> None:
    bits = bin(int.from_bytes(b"\x80" + start("t9").hash))[10:150]
    digits = [int(bits[place : place + 5], 2) for place in range(0, 140, 5)]
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

    assert anchor(start("t9")).code == "".join(alphabet[digit] for digit in digits)


@given(HEADS)
def test_what_is_shown_can_be_read_back_and_matches_its_log(head: Head) -> None:
    read = parse_anchor(str(anchor(head)))

    assert read == anchor(head)
    assert read.matches(head.hash)


@given(HEADS, st.integers(0, 139))
def test_another_log_does_not_match(head: Head, bit: int) -> None:
    changed = int.from_bytes(head.hash) ^ 1 << 255 - bit

    assert not anchor(head).matches(changed.to_bytes(32))


@every(
    "typed",
    [
        LINE.lower(),
        LINE.replace("-", ""),
        LINE.replace("-", " - "),
        f"  {LINE}\n",
        LINE.replace(":", " : ", 1),
        LINE.replace("0", "O").replace("t9:O:", "t9:0:").replace("1", "I"),
        LINE.replace("1", "l"),
    ],
)
def test_a_person_may_type_it_as_people_do(typed: str) -> None:
    assert parse_anchor(typed) == anchor(start("t9"))


@every(
    "text",
    [
        "",
        "t9",
        "t9:0",
        "t9:0:",
        LINE[:-1],
        LINE + "0",
        LINE.replace("t9:0", "t9:x"),
        LINE.replace("t9:0", "t9:00"),
        LINE.replace("t9:0", "t9:-1"),
        LINE.replace("t9:0", ":0"),
        LINE[:-1] + "U",
        LINE[:-1] + "庄",
    ],
)
def test_what_is_no_anchor_at_all(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_anchor(text)

    assert refused.value == Refusal("chain/anchor", {"text": text})


@every("place", [0, 1, 3, 5, 13, 38, 43])
def test_one_misread_character_is_a_misreading_and_no_forgery(place: int) -> None:
    """Table, number, code and check: a slip anywhere is found before anybody is accused."""
    typed = LINE[:place] + ("8" if LINE[place] != "8" else "6") + LINE[place + 1 :]
    assert LINE[place].isalnum()

    with pytest.raises(Refusal) as refused:
        parse_anchor(typed)

    assert refused.value == Refusal("chain/misread", {"text": typed})


def test_a_name_that_is_no_text_is_a_misreading_too() -> None:
    typed = LINE.replace("t9", "\ud800")

    with pytest.raises(Refusal) as refused:
        parse_anchor(typed)

    assert refused.value == Refusal("chain/misread", {"text": typed})


def test_a_table_may_have_any_name() -> None:
    for name in ("Salon Privé 7.b", "貴賓廳", "a:b"):
        assert parse_anchor(str(anchor(start(name)))) == Anchor(name, 0, anchor(start(name)).code)
