"""Pictures of studies: SVG text, no library, the same bytes every time.

Bars come from the certificate's plots. Here are the drawings that only studies need: bands of
percentiles over time, and the shape of a distribution. `standalone` makes a file of a drawing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor
from re import fullmatch

WIDTH = 720
LEFT, RIGHT, TOP, BOTTOM = 64, 14, 34, 34
MARGIN, HEADING = 14, 30
NEAR = 1e-9

STYLE = """
.paper { fill: #fffdf8; }
text { font: 12px system-ui, "Noto Sans", sans-serif; fill: #1c2430; }
.label, .scale { text-anchor: end; } .under, .small, .rank, .in { text-anchor: middle; }
.scale, .under, .small, .in { font-size: 11px; } .rank, .head { font-weight: 600; }
.axis { stroke: #667085; stroke-width: 1; } .zero { stroke: #b5473c; stroke-dasharray: 4 3; }
.gain, .ahead { fill: #31527f; } .loss, .behind { fill: #b5473c; } .even { fill: #c9a227; }
.band { fill: #31527f; opacity: .2; } .middle { fill: none; stroke: #31527f; stroke-width: 2; }
.whisker { stroke: #1c2430; stroke-width: 1.5; } .grid { stroke: #d8dce3; stroke-width: 1; }
.note { fill: #667085; font-size: 11px; } .heading { font-size: 14px; font-weight: 600; }
"""


def standalone(drawing: str) -> str:
    """A drawing as a file of its own: on paper, with its style, its title above it."""
    opened = fullmatch(r'<svg viewBox="0 0 (\d+) (\d+)"([^>]*)><title>([^<]*)</title>(.*)', drawing)
    assert opened is not None, "every drawing begins with its size and title"
    width, height = int(opened[1]) + 2 * MARGIN, int(opened[2]) + 2 * MARGIN + HEADING
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{-MARGIN} {-MARGIN - HEADING} {width} {height}"{opened[3]}>'
        f"<title>{opened[4]}</title><style>{STYLE}</style>"
        f'<rect class="paper" x="{-MARGIN}" y="{-MARGIN - HEADING}" '
        f'width="{width}" height="{height}"/>'
        f'<text class="heading" x="0" y="{-HEADING + 14}">{opened[4]}</text>{opened[5]}\n'
    )


def svg(title: str, height: int, body: str, width: int = WIDTH) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{body}</svg>"
    )


@dataclass(frozen=True)
class Bands:
    """Percentiles of something over time: pairs from the outermost inwards, and the middle."""

    title: str
    note: str
    at: Sequence[float]
    pairs: Sequence[tuple[Sequence[float], Sequence[float]]]
    middle: Sequence[float]
    zero: float


def bands(title: str, panels: Sequence[Bands], across: int, unit: str, below: str) -> str:
    """One panel for each, all to the same scale."""
    down = -(-len(panels) // across)
    width, height = WIDTH // across, 300 if across == 1 else 200
    low = min(min(one.zero, *lower) for one in panels for lower, _ in one.pairs)
    high = max(max(one.zero, *upper) for one in panels for _, upper in one.pairs)
    drawn = [
        f'<g transform="translate({place % across * width} {place // across * height})">'
        f"{_panel(one, width, height, low, high, unit)}</g>"
        for place, one in enumerate(panels)
    ]
    total = down * height + 18
    drawn.append(f'<text class="under" x="{WIDTH / 2:.0f}" y="{total - 4}">{escape(below)}</text>')
    return svg(title, total, "".join(drawn))


def _panel(one: Bands, width: int, height: int, low: float, high: float, unit: str) -> str:
    last = max(one.at) or 1
    inside = width - LEFT - RIGHT

    def x(value: float) -> float:
        return LEFT + value / last * inside

    def y(value: float) -> float:
        return height - BOTTOM - (value - low) / ((high - low) or 1) * (height - TOP - BOTTOM)

    def path(values: Sequence[float], at: Sequence[float]) -> str:
        return " ".join(f"{x(a):.1f},{y(v):.1f}" for a, v in zip(at, values, strict=True))

    drawn = [
        f'<text class="head" x="{LEFT}" y="14">{escape(one.title)}</text>',
        f'<text class="note" x="{LEFT}" y="28">{escape(one.note)}</text>',
    ]
    for mark in ticks(low, high):
        drawn.append(
            f'<line class="grid" x1="{LEFT}" x2="{width - RIGHT}" y1="{y(mark):.1f}" '
            f'y2="{y(mark):.1f}"/><text class="scale" x="{LEFT - 6}" y="{y(mark) + 4:.1f}">'
            f"{short(mark)}{unit}</text>"
        )
    for lower, upper in one.pairs:
        outline = path(lower, one.at) + " " + path(upper[::-1], one.at[::-1])
        drawn.append(f'<polygon class="band" points="{outline}"/>')
    drawn.append(f'<polyline class="middle" points="{path(one.middle, one.at)}"/>')
    drawn.append(
        f'<line class="zero" x1="{LEFT}" x2="{width - RIGHT}" y1="{y(one.zero):.1f}" '
        f'y2="{y(one.zero):.1f}"/>'
    )
    for mark in (0, last):
        drawn.append(
            f'<text class="under" x="{x(mark):.1f}" y="{height - BOTTOM + 16}">{short(mark)}</text>'
        )
    return "".join(drawn)


def shape(title: str, edges: Sequence[float], shares: Sequence[float], marks: str) -> str:
    """A distribution as columns between edges: red below nought, gold at it, blue above."""
    height = 260
    inside, most = WIDTH - LEFT - RIGHT, max(shares)
    low, high = edges[0], edges[-1]

    def x(value: float) -> float:
        return LEFT + (value - low) / ((high - low) or 1) * inside

    drawn = []
    for left, right, share in zip(edges, edges[1:], shares, strict=False):
        kind = "behind" if right <= 0 else "ahead" if left >= 0 else "even"
        tall = share / most * (height - TOP - BOTTOM)
        drawn.append(
            f'<rect class="{kind}" x="{x(left):.1f}" y="{height - BOTTOM - tall:.1f}" '
            f'width="{max(x(right) - x(left) - 0.6, 0.6):.1f}" height="{tall:.1f}"/>'
        )
    base = height - BOTTOM
    drawn.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{base}" y2="{base}"/>')
    for mark in ticks(low, high):
        told = short(mark, signed=True)
        drawn.append(f'<text class="under" x="{x(mark):.1f}" y="{base + 16}">{told}</text>')
    drawn.append(f'<text class="note" x="{LEFT}" y="14">{escape(marks)}</text>')
    return svg(title, height, "".join(drawn))


@dataclass(frozen=True)
class Measured:
    """A figure that is known to within an error."""

    label: str
    value: float
    error: float
    figure: str


def whiskers(title: str, rows: Sequence[Measured], note: str) -> str:
    """Bars around nought, each with two standard errors either way."""
    label, row, figures = 190, 26, 150
    reach = max(abs(one.value) + 2 * one.error for one in rows) or 1
    middle = label + (WIDTH - label - figures) / 2
    half = (WIDTH - label - figures) / 2

    def x(value: float) -> float:
        return middle + value / reach * half

    height = 24 + row * len(rows)
    drawn = [
        f'<text class="note" x="{label}" y="12">{escape(note)}</text>',
        f'<line class="axis" x1="{middle:.1f}" x2="{middle:.1f}" y1="20" y2="{height}"/>',
    ]
    for place, one in enumerate(rows):
        y = 24 + place * row
        left, right = sorted((x(0), x(one.value)))
        kind = "gain" if one.value > 0 else "loss"
        ends = x(one.value - 2 * one.error), x(one.value + 2 * one.error)
        drawn.append(
            f'<text class="label" x="{label - 8}" y="{y + 15}">{escape(one.label)}</text>'
            f'<rect class="{kind}" x="{left:.1f}" y="{y + 3}" width="{right - left:.1f}" '
            f'height="{row - 10}" rx="2"/>'
            f'<line class="whisker" x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{y + 11}" '
            f'y2="{y + 11}"/>'
            f'<text class="figure" x="{WIDTH - figures + 8}" y="{y + 15}">'
            f"{escape(one.figure)}</text>"
        )
    return svg(title, height, "".join(drawn))


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers between two others.

    >>> ticks(-130, 240)
    [-100.0, 0.0, 100.0, 200.0]
    """
    span = (high - low) or 1
    power = 10.0 ** (len(f"{int(span):d}") - 1) if span >= 1 else 0.1
    while span / power < 1:
        power /= 10
    step = next(
        (power * some for some in (0.1, 0.2, 0.5, 1, 2, 5) if span / (power * some) <= about), power
    )
    # A mark that falls on an end is wanted, however floats see it.
    first, last = ceil(low / step - NEAR), floor(high / step + NEAR)
    return [step * place for place in range(first, last + 1)]


def short(value: float, signed: bool = False) -> str:
    """A number for a scale: no point unless it needs one.

    >>> short(12000), short(-0.5), short(250, signed=True)
    ('12,000', '−0.5', '+250')
    """
    text = f"{value:,.6f}".rstrip("0").rstrip(".").replace("-", "−")
    return f"+{text}" if signed and value > 0 else text
