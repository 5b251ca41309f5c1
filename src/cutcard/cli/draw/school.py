"""Lessons: the table as it stands, a question with its choices, what is said to the answer."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from cutcard.cli.draw.cards import card, hand
from cutcard.cli.draw.style import BLUE, GREEN, RED, amount, grid
from cutcard.rules.cards import Card, points
from cutcard.school import Felt, Lesson, Question, Quote, Verdict

HIDDEN = "▒▒"
RED_CARD = r"(?:10|[2-9AJQK])[♥♦]"


def school_opening(name: str, seed: int, number: int) -> RenderableType:
    asked = "one question" if number == 1 else f"{number} questions"
    return Group(
        Text.assemble(("Dealer's school: ", "bold"), (name, "bold"), f", {asked}, seed {seed}."),
        Text("Answer with the number of a choice; q ends the drill.", style="dim"),
    )


def lesson(number: int, one: Lesson) -> RenderableType:
    story = [Padding(sentence(said), (0, 0, 0, 2), expand=False) for said in one.story]
    heading = Rule(Text(f"Lesson {number}", style="bold"), align="left", style="dim")
    return Group("", heading, felt(one.felt), *story)


def felt(table: Felt) -> RenderableType:
    """Hands, loose cards and bets."""
    hands = Table.grid(padding=(0, 2))
    hands.add_row("", Text("Player", style=BLUE), _hand(table.player))
    hands.add_row("", Text("Banker", style=RED), _hand(table.banker))
    if table.loose:
        cards = Text(" ").join(map(card, table.loose))
        hands.add_row("", Text("Beside", style="bold"), cards)
    where = Text(f"  Round {table.round}. {table.phase}", style="dim")
    return Group(where, hands, _bets(table))


def _hand(cards: Sequence[Card | None]) -> Text:
    seen = [one for one in cards if one is not None]
    if not cards:
        return Text("no card", style="dim")
    if len(seen) == len(cards):
        return hand(seen, points(seen))
    shown = [Text(HIDDEN, style="dim") if one is None else card(one) for one in cards]
    covered = len(cards) - len(seen)
    said = "one" if covered == 1 else str(covered)
    return Text(" ").join([*shown, Text(f"({said} face down)", style="dim")])


def _bets(table: Felt) -> RenderableType:
    notes = any(bet.note for bet in table.bets)
    boxes = any(bet.box for bet in table.bets)
    drawn = grid("Patron", *(["Box"] if boxes else []), "Bet", "Stake", *([""] if notes else []))
    for column in drawn.columns:
        column.justify = "right" if column.header in ("Box", "Stake") else "left"
    before = None
    for bet in table.bets:
        first = bet.patron != before
        before = bet.patron
        drawn.add_row(
            Text(bet.patron if first else "", style="bold"),
            *([str(bet.box) if first else ""] if boxes else []),
            bet.label,
            amount(bet.stake),
            *([bet.note] if notes else []),
        )
    for name in table.onlookers:
        drawn.add_row(
            Text(name, style="bold"), *([""] if boxes else []), Text("no bet", style="dim"), ""
        )
    return drawn


def question(number: int, of: int, one: Question) -> RenderableType:
    choices = Table.grid(padding=(0, 2))
    for place, choice in enumerate(one.choices, start=1):
        choices.add_row("", Text(str(place), style="bold"), sentence(choice.words))
    asks = sentence(one.asks)
    asks.stylize("bold")
    counted = Text(f"Question {number} of {of}", style="dim")
    return Group("", counted, asks, choices)


def verdict(one: Verdict) -> RenderableType:
    mark, style = ("✓", GREEN) if one.right else ("✗", RED)
    said = Table.grid(padding=(0, 1))
    said.add_row(Text(mark, style=style), sentence(one.says))
    return Group(said, quotes(one.quotes))


def quotes(many: Iterable[Quote]) -> RenderableType:
    listed = Table.grid(padding=(0, 2))
    for one in many:
        clause, text = Text(one.clause, style="bold dim", no_wrap=True), Text(one.text, style="dim")
        listed.add_row("", clause, text)
    return listed


def school_end(answered: int, of: int, right: int, missed: Counter[Quote]) -> RenderableType:
    if answered == 0:
        return Group("", "No question answered.")
    asked = f"{answered} question{'' if answered == 1 else 's'}"
    left = f" Not asked: {of - answered}." if of > answered else ""
    parts: list[RenderableType] = ["", Text(f"{right} of {asked} right.{left}", style="bold")]
    if missed:
        table = grid("Clause", "What it says", title="Read again")
        table.columns[0].no_wrap = True
        for quote, _ in missed.most_common():
            table.add_row(Text(quote.clause, style="bold"), quote.text)
        parts.append(table)
    return Group(*parts)


def sentence(words: str) -> Text:
    """A sentence, its red cards red."""
    text = Text(words)
    text.highlight_regex(RED_CARD, "red")
    return text
