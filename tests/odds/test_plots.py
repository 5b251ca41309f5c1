"""Plots: well-formed drawings for any figures, the same bytes every time."""

from fractions import Fraction
from xml.etree.ElementTree import Element, fromstring

import pytest

from cutcard.odds.plots import LABEL, LEGEND, WIDTH, Bar, bars, columns, shares
from tests.cases import every

VALUES: dict[str, list[str]] = {
    "some": ["1/100", "14/100", "5/100"],
    "all zero": ["0", "0", "0"],
    "one zero": ["0"],
    "negative": ["-1/10", "-3/10"],
    "both": ["-1/10", "0", "3/10"],
    "tiny": ["1/1000000000000", "-1/1000000000000"],
    "huge": ["1000000", "-1"],
}
every_case = every("case", VALUES)


def rows(case: str) -> list[Bar]:
    return [Bar(f"bet {one}", Fraction(one), one) for one in VALUES[case]]


def drawn(svg: str) -> tuple[Element, list[Element]]:
    """The drawing, read as XML, and its bars."""
    root = fromstring(svg)
    return root, list(root.iter("rect"))


def number(element: Element, name: str) -> Fraction:
    return Fraction(element.attrib[name])


@every_case
def test_bars_lie_inside_the_drawing(case: str) -> None:
    root, rects = drawn(bars("Edges", rows(case)))
    _, _, width, height = map(Fraction, root.attrib["viewBox"].split())

    assert len(rects) == len(VALUES[case])
    for rect in rects:
        assert number(rect, "width") >= 0
        assert number(rect, "x") >= LABEL
        assert number(rect, "x") + number(rect, "width") <= width == WIDTH
        assert number(rect, "y") + number(rect, "height") <= height


@every_case
def test_columns_lie_inside_the_drawing(case: str) -> None:
    root, rects = drawn(columns("Effects", rows(case)))
    _, _, width, height = map(Fraction, root.attrib["viewBox"].split())

    assert len(rects) == len(VALUES[case])
    for rect in rects:
        assert number(rect, "height") >= 0
        assert 0 <= number(rect, "x") <= number(rect, "x") + number(rect, "width") <= width
        assert 0 <= number(rect, "y") <= number(rect, "y") + number(rect, "height") <= height


@pytest.mark.parametrize("plot", [bars, columns], ids=["bars", "columns"])
def test_a_loss_is_told_from_a_gain(plot: object) -> None:
    assert callable(plot)
    _, rects = drawn(plot("Both", rows("both")))

    assert [rect.attrib["class"] for rect in rects] == ["loss", "gain", "gain"]


def test_bars_are_as_long_as_their_values() -> None:
    _, (one, two) = drawn(bars("Edges", [Bar("a", Fraction(1), ""), Bar("b", Fraction(2), "")]))

    assert number(two, "width") == 2 * number(one, "width")


def test_negative_bars_end_where_positive_ones_begin() -> None:
    _, (left, _, right) = drawn(bars("Edges", rows("both")))

    assert number(left, "x") + number(left, "width") == number(right, "x")
    assert number(right, "width") == 3 * number(left, "width")


def test_columns_stand_on_and_hang_from_one_line() -> None:
    _, (down, _, up) = drawn(columns("Effects", rows("both")))

    assert number(up, "y") + number(up, "height") == number(down, "y")
    assert number(up, "height") == 3 * number(down, "height")


def shared(svg: str) -> list[Element]:
    """The bars below the legend."""
    return [rect for rect in drawn(svg)[1] if number(rect, "y") >= LEGEND]


def test_shares_fill_the_row() -> None:
    parts = {"win": Fraction(1, 3), "push": Fraction(1, 6), "lose": Fraction(1, 2)}
    rects = shared(shares("Shares", [("Player", parts), ("Tie", parts)]))

    assert [rect.attrib["class"] for rect in rects] == ["win", "push", "lose"] * 2
    assert sum(number(rect, "width") for rect in rects[:3]) == WIDTH - LABEL - 10
    assert number(rects[2], "x") == number(rects[1], "x") + number(rects[1], "width")


def test_a_share_of_nothing_is_drawn_as_nothing() -> None:
    parts = {"win": Fraction(0), "push": Fraction(0), "lose": Fraction(1)}
    rects = shared(shares("Shares", [("Never", parts)]))

    assert [number(rect, "width") for rect in rects] == [0, 0, WIDTH - LABEL - 10]


def test_a_legend_names_the_shares() -> None:
    parts = {"win": Fraction(1, 30), "push": Fraction(1, 30), "lose": Fraction(14, 15)}
    root, _ = drawn(shares("Shares", [("Seldom", parts)]))

    assert [text.text for text in root.iter("text")] == ["win", "push", "lose", "Seldom", "93.3%"]


def test_every_bar_carries_its_figure_as_text() -> None:
    for plot in (bars, columns):
        root, _ = drawn(plot("Edges", [Bar("Player Pair", Fraction(1, 10), "10.36%")]))
        texts = [text.text for text in root.iter("text")]

        assert {"Player Pair", "10.36%"} <= set(texts)


def test_words_are_text_and_never_markup() -> None:
    label = '<b>&"Tie"'
    for svg in (
        bars(label, [Bar(label, Fraction(1), label)]),
        columns(label, [Bar(label, Fraction(1), "1")]),
        shares(label, [(label, {"win": Fraction(1)})]),
    ):
        root, _ = drawn(svg)
        assert root.attrib["aria-label"] == label
        assert root.findtext("title") == label
        assert label in [text.text for text in root.iter("text")]


@every_case
def test_the_same_figures_give_the_same_bytes(case: str) -> None:
    for plot in (bars, columns):
        assert plot("Edges", rows(case)) == plot("Edges", rows(case))
