"""Sheets: a certificate written as HTML, one self-contained file, or as Markdown."""

from html import escape

from cutcard.odds.certificate import Block, Certificate, Grid, Heading, Paragraph, Plot

STYLE = """
:root { --ink: #1c2430; --faint: #667085; --rule: #d8dce3; --gold: #9a7b2f; --win: #2e7d5b;
  --push: #c9a227; --lose: #b5473c; --bar: #31527f; --paper: #fffdf8; }
* { box-sizing: border-box; }
html { background: #eceae4; }
body { font: 15px/1.55 Georgia, "Noto Serif", "Songti SC", serif; color: var(--ink); margin: 0; }
main { background: var(--paper); max-width: 62rem; margin: 2rem auto; padding: 3.2rem 3.6rem;
  border-top: 6px double var(--gold); box-shadow: 0 2px 18px #0002; }
header p { margin: 0; letter-spacing: .16em; text-transform: uppercase; font-size: .78rem;
  color: var(--gold); }
h1 { font-size: 2.1rem; line-height: 1.2; margin: .2rem 0 1.4rem; font-weight: 600; }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .8rem; padding-bottom: .3rem;
  border-bottom: 1px solid var(--rule); font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.4rem; margin: 0; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
p { margin: 1rem 0 .6rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; background:
    linear-gradient(90deg, var(--paper) 30%, transparent) 0 0 / 2.5rem 100%,
    linear-gradient(-90deg, var(--paper) 30%, transparent) 100% 0 / 2.5rem 100%,
    linear-gradient(90deg, #0003, transparent) 0 0 / .8rem 100%,
    linear-gradient(-90deg, #0003, transparent) 100% 0 / .8rem 100%;
  background-repeat: no-repeat; background-attachment: local, local, scroll, scroll; }
.many table { font-size: .72rem; }
.many td, .many th { padding-inline: .3rem; }
table { border-collapse: collapse; width: 100%; font-size: .84rem;
  font-variant-numeric: tabular-nums lining-nums; margin: .4rem 0 1rem; }
th { text-align: left; font-weight: 600; color: var(--faint); vertical-align: bottom;
  border-bottom: 1.5px solid var(--ink); padding: .3rem .5rem; }
td { padding: .26rem .5rem; border-bottom: 1px solid var(--rule); vertical-align: top; }
.n { text-align: right; white-space: nowrap; }
figure { margin: 1.2rem 0 1.6rem; overflow-x: auto; }
figcaption { color: var(--faint); font-size: .84rem; text-align: center; margin-top: .3rem; }
svg { width: 100%; min-width: 36rem; height: auto; display: block; }
svg text { font: 12px system-ui, "Noto Sans", sans-serif; fill: var(--ink); }
svg .label { text-anchor: end; }
svg .in { text-anchor: middle; font-size: 11px; }
svg text.win, svg text.lose { fill: #fff; } svg text.push { fill: var(--ink); }
svg .small, svg .rank { text-anchor: middle; font-size: 11px; }
svg .rank { font-weight: 600; }
svg .axis { stroke: var(--faint); stroke-width: 1; }
svg .gain { fill: var(--bar); } svg .loss { fill: var(--lose); }
svg rect.win { fill: var(--win); } svg rect.push { fill: var(--push); }
svg rect.lose { fill: var(--lose); }
@media (max-width: 48rem) { main { margin: 0; padding: 1.4rem 1.1rem; }
  h1 { font-size: 1.6rem; } dl { grid-template-columns: 1fr; } dt { margin-top: .5rem; } }
@media print { html { background: none; } main { box-shadow: none; margin: 0; max-width: none;
  padding: 0; font-size: 11px; } .wide { overflow: visible; background: none; }
  .many table { font-size: 7px; } .many td, .many th { padding: 1px 2px; }
  svg { min-width: 0; } h2 { break-after: avoid; } tr, figure { break-inside: avoid; } }
"""

KIND = "Certificate of exact odds"

MANY = 12
"""Columns beyond which a table is set smaller."""


def html(sheet: Certificate) -> str:
    """One file: style and plots are inside it, and it loads nothing."""
    identity = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in sheet.identity
    )
    body = "\n".join(_html(block) for block in sheet.blocks)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{KIND}: {escape(sheet.title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n<header><p>{KIND}</p><h1>{escape(sheet.title)}</h1>\n"
        f"<dl>{identity}</dl></header>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _html(block: Block) -> str:
    match block:
        case Heading(text):
            return f"<h2>{escape(text)}</h2>"
        case Paragraph(text):
            return f"<p>{_strong(escape(text))}</p>"
        case Plot(caption, svg):
            return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
        case Grid():
            return _html_grid(block)


def _strong(text: str) -> str:
    opening, *rest = text.split("**")
    parts = [opening]
    for place, part in enumerate(rest):
        parts.append(f"<strong>{part}</strong>" if place % 2 == 0 else part)
    return "".join(parts)


def _html_grid(grid: Grid) -> str:
    def cells(row: tuple[str, ...], tag: str) -> str:
        return "".join(
            f'<{tag} class="n">{escape(cell)}</{tag}>'
            if place >= grid.figures
            else f"<{tag}>{escape(cell)}</{tag}>"
            for place, cell in enumerate(row)
        )

    rows = "\n".join(f"<tr>{cells(row, 'td')}</tr>" for row in grid.rows)
    head = f"<thead><tr>{cells(grid.headers, 'th')}</tr></thead>"
    size = "wide many" if len(grid.headers) > MANY else "wide"
    return f'<div class="{size}"><table>{head}\n<tbody>{rows}</tbody></table></div>'


def markdown(sheet: Certificate) -> str:
    """The same without plots, whose figures all stand in the tables."""
    identity = "\n".join(f"- {name}: {value}" for name, value in sheet.identity)
    body = "\n\n".join(_markdown(block) for block in sheet.blocks if not isinstance(block, Plot))
    return f"# {KIND}: {sheet.title}\n\n{identity}\n\n{body}\n"


def _markdown(block: Heading | Paragraph | Grid) -> str:
    match block:
        case Heading(text):
            return f"## {text}"
        case Paragraph(text):
            return text
        case Grid():
            return table(block)


def table(grid: Grid) -> str:
    """A table in Markdown."""
    rule = ["---:" if place >= grid.figures else "---" for place in range(len(grid.headers))]
    lines = (grid.headers, rule, *grid.rows)
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    """One line, in which no bar ends the cell."""
    return " ".join(text.split()).replace("|", "\\|")
