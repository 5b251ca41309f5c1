"""Pictures are whole SVG files, with round numbers on their scales."""

from xml.etree.ElementTree import fromstring

import pytest

from cutcard.lab import distribution, per_hour
from cutcard.lab.pictures import Measured, short, standalone, ticks, whiskers
from cutcard.rulebooks import load
from tests.cases import every


def test_a_picture_is_a_file_of_its_own() -> None:
    for study in (
        distribution(load("rws-commission"), "tie", 50),
        per_hour(load("rws-commission")),
    ):
        sheet = study.sheet()
        drawn = fromstring(standalone(sheet.picture))
        words = [node.text for node in drawn.iter() if node.tag.endswith("text")]
        assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
        assert sheet.title in words


@every(
    ("low", "high", "marks"),
    [
        (-130, 240, [-100, 0, 100, 200]),
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-0.03, 0.05, [-0.02, 0, 0.02, 0.04]),
        (0, 30_000, [0, 10_000, 20_000, 30_000]),
        (5, 5, [5]),
    ],
)
def test_scales_have_round_numbers(low: float, high: float, marks: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(marks)


def test_numbers_of_a_scale_are_short() -> None:
    assert [short(one) for one in (0.30000000000000004, -2.0, 1e6)] == ["0.3", "−2", "1,000,000"]


def test_names_cannot_break_a_picture() -> None:
    drawn = whiskers("a <b>", [Measured("<script>", -1.0, 0.1, "&")], "note")

    assert "<script>" not in drawn
    fromstring(standalone(drawn))
