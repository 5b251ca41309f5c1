"""Plots as SVG text: no library, the same bytes every time.

Each plot is a small drawing for one page of a certificate. Colours are set by
CSS classes, and every bar carries its figure as text.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from cutcard.odds.pricing import decimal

WIDTH = 720
LABEL = 170
ROW = 26
LEGEND = 22


@dataclass(frozen=True, slots=True)
class Bar:
    """A labelled length with the figure written beside it."""

    label: str
    value: Fraction
    figure: str


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Horizontal bars from a common zero; negative ones grow to the left."""
    low = min(Fraction(0), *(row.value for row in rows))
    high = max(Fraction(0), *(row.value for row in rows))
    span = high - low or Fraction(1)
    room = WIDTH - LABEL - 90

    def across(value: Fraction) -> Fraction:
        return LABEL + (value - low) / span * room

    zero = across(Fraction(0))
    drawn = []
    for place, row in enumerate(rows):
        y = place * ROW
        left, right = sorted((zero, across(row.value)))
        side = "loss" if row.value < 0 else "gain"
        drawn.append(
            f'<text class="label" x="{LABEL - 8}" y="{y + 17}">{escape(row.label)}</text>'
            f'<rect class="{side}" x="{_at(left)}" y="{y + 4}" width="{_at(right - left)}" '
            f'height="{ROW - 8}" rx="2"/>'
            f'<text class="figure" x="{_at(right + 6)}" y="{y + 17}">{escape(row.figure)}</text>'
        )
    height = len(rows) * ROW + 4
    axis = f'<line class="axis" x1="{_at(zero)}" x2="{_at(zero)}" y1="0" y2="{height}"/>'
    return _svg(title, height, axis + "".join(drawn))


def shares(title: str, rows: Sequence[tuple[str, Mapping[str, Fraction]]]) -> str:
    """One bar a row, divided into named shares that add up to one; a legend names them."""
    room = WIDTH - LABEL - 10
    drawn = []
    for place, name in enumerate(rows[0][1]):
        x = LABEL + place * 80
        drawn.append(
            f'<rect class="{name}" x="{x}" y="2" width="12" height="12" rx="2"/>'
            f'<text class="key" x="{x + 18}" y="12">{escape(name)}</text>'
        )
    for place, (label, parts) in enumerate(rows):
        y, at = place * ROW + LEGEND, Fraction(LABEL)
        drawn.append(f'<text class="label" x="{LABEL - 8}" y="{y + 17}">{escape(label)}</text>')
        for name, share in parts.items():
            width = share * room
            drawn.append(
                f'<rect class="{name}" x="{_at(at)}" y="{y + 4}" width="{_at(width)}" '
                f'height="{ROW - 8}"/>'
            )
            if share > Fraction(1, 14):
                middle, figure = _at(at + width / 2), decimal(share * 100, 1)
                drawn.append(f'<text class="in {name}" x="{middle}" y="{y + 17}">{figure}%</text>')
            at += width
    return _svg(title, len(rows) * ROW + LEGEND + 4, "".join(drawn))


def columns(title: str, rows: Sequence[Bar]) -> str:
    """Upright bars around a zero line, for thirteen ranks and the like."""
    height, middle = 166, 74
    most = max(abs(row.value) for row in rows) or Fraction(1)
    pitch = Fraction(WIDTH - 20, len(rows))
    drawn = [f'<line class="axis" x1="10" x2="{WIDTH - 10}" y1="{middle}" y2="{middle}"/>']
    for place, row in enumerate(rows):
        x = 10 + place * pitch
        length = abs(row.value) / most * 48
        top = middle - length if row.value > 0 else Fraction(middle)
        side = "loss" if row.value < 0 else "gain"
        centre = _at(x + pitch / 2)
        figure_y = middle - length - 5 if row.value > 0 else middle + length + 13
        drawn.append(
            f'<rect class="{side}" x="{_at(x + pitch / 5)}" y="{_at(top)}" '
            f'width="{_at(pitch * 3 / 5)}" height="{_at(length)}" rx="2"/>'
            f'<text class="small" x="{centre}" y="{_at(Fraction(figure_y))}">{row.figure}</text>'
            f'<text class="rank" x="{centre}" y="{height - 4}">{escape(row.label)}</text>'
        )
    return _svg(title, height, "".join(drawn))


def _at(value: Fraction | int) -> str:
    return decimal(Fraction(value), 2)


def _svg(title: str, height: int, body: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{body}</svg>"
    )
