"""The certificate: all exact figures of a book on one sheet, as a test lab issues it.

The content is made once, as blocks, and written as HTML (with plots) or as
Markdown. Nothing in it depends on the clock or the machine, so two runs give
the same bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from cutcard.odds import plots
from cutcard.odds.bets import Odds, counted, effect_of_removal, odds
from cutcard.odds.composition import Composition
from cutcard.odds.decision import Decision
from cutcard.odds.pricing import Outcome, Price, decimal
from cutcard.rules import wording
from cutcard.rules.cards import Rank
from cutcard.rules.rulebook import Rulebook, Spot
from cutcard.rules.shoe import FULL_COUP
from cutcard.rules.tableau import BANKER_TABLE, PLAYER_TABLE


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; columns from `figures` on hold numbers."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: int


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing whose figures all stand in a table as well."""

    caption: str
    svg: str


Block = Heading | Paragraph | Grid | Plot


@dataclass(frozen=True)
class Certificate:
    """Title, identity and blocks, ready to be written in any form."""

    title: str
    identity: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]


def certificate(book: Rulebook, shoe: Composition | None = None) -> Certificate:
    """The certificate of a book for a fresh shoe, or for the shoe given."""
    found = odds(book, shoe)
    return Certificate(
        title=book.name,
        identity=tuple(_identity(book, found)),
        blocks=(
            *_summary(book, found),
            *_rules(book),
            *_results(found),
            *_bets(book, found),
            *_strategy(book, found),
            *_removal(book, shoe),
            *_basis(),
        ),
    )


def _identity(book: Rulebook, found: Odds) -> Iterator[tuple[str, str]]:
    yield "Rule set", f"{book.id}, version {book.version}"
    yield "Operator", book.operator
    if book.effective_from:
        yield "In force from", book.effective_from
    if book.approval:
        yield "Approved by", book.approval
    decks = found.shoe.decks
    cards = f"{found.shoe.total} cards"
    yield "Shoe", f"{decks} decks, {cards}" if decks else f"{cards}, composition below"
    if not decks:
        # By card where a bet looks at suits, because its figures depend on them.
        by_rank = {rank.value: number for rank, number in found.shoe.ranks.items()}
        by_card = {str(card): number for card, number in (found.shoe.cards or {}).items()}
        known = (by_card or by_rank).items()
        yield "Composition", ", ".join(f"{name} {number}" for name, number in known if number)
    yield "Orders of six cards", f"{next(iter(found.bets.values())).orders:,}"
    yield "Rulebook SHA-256", book.hash


def percent(share: Fraction, places: int = 4) -> str:
    return decimal(share * 100, places)


def deviation(price: Price) -> str:
    """Standard deviation to four places, correctly rounded from the exact variance."""
    # The root of four times a number is twice its root: its last bit rounds the half.
    doubled = isqrt(int(4 * price.variance * 10**8))
    return decimal(Fraction((doubled + 1) // 2, 10**4), 4)


def _summary(book: Rulebook, found: Odds) -> Iterator[Block]:
    yield Heading("Summary")
    rows = []
    for id, price in found.bets.items():
        spot = book.spots[id]
        rows.append(
            (
                spot.label,
                best_odds(spot, price),
                percent(price.win),
                percent(price.push),
                percent(price.lose),
                percent(price.edge, 6),
                percent(price.rtp, 4),
                deviation(price),
            )
        )
    headers = ("Bet", "Best odds", "Win %", "Push %", "Lose %", "House edge %", "RTP %", "Std dev")
    yield Grid(headers, tuple(rows), 2)
    labels = {id: book.spots[id].label for id in found.bets}
    yield Plot(
        "House edge of each bet, per unit bet, pushes counted as bets",
        plots.bars(
            "House edge by bet",
            [
                plots.Bar(labels[id], price.edge, f"{percent(price.edge, 4)}%")
                for id, price in found.bets.items()
            ],
        ),
    )
    yield Plot(
        "How often each bet wins, pushes and loses",
        plots.shares(
            "Win, push and loss by bet",
            [
                (labels[id], {"win": price.win, "push": price.push, "lose": price.lose})
                for id, price in found.bets.items()
            ],
        ),
    )
    yield from _action(book, found)


def best_odds(spot: Spot, price: Price) -> str:
    """The best a bet can pay, as the book writes it; with a second stage, what both pay."""
    best = max(price.outcomes, key=lambda outcome: outcome.net)
    if len(best.lines) > 1:
        return f"{best.net} to 1 with both stages"
    return wording.odds(max(spot.table.lines, key=lambda line: line.net))


def _action(book: Rulebook, found: Odds) -> Iterator[Block]:
    """Bets whose stake can grow or be lost manifold, also per unit of action."""
    manifold = {id: price for id, price in found.bets.items() if price.action != 1}
    if manifold:
        yield Paragraph(
            "These bets can put more than their stake into action; their edge is also given per "
            "unit of action, that is per unit staked in all, or won and lost at full odds."
        )
        yield Grid(
            ("Bet", "Mean units in action", "Edge per unit bet %", "Edge per unit of action %"),
            tuple(
                (
                    book.spots[id].label,
                    decimal(price.action, 6),
                    percent(price.edge, 6),
                    percent(price.edge_of_action, 6),
                )
                for id, price in manifold.items()
            ),
            1,
        )


def _rules(book: Rulebook) -> Iterator[Block]:
    yield Heading("Rules")
    yield Paragraph(
        f"Cards one and three go to the Player, two and four to the Banker ({book.cites['deal']}). "
        f"Ace counts 1, two to nine their number, ten and pictures 0; points are the last digit "
        f"of the total ({book.cites['values']}). Third cards follow the tableau "
        f"({book.cites['tableau']}): D draws, S stands, N is a natural, on which neither side "
        f"draws. More points win ({book.cites['winner']})."
    )
    yield from (Paragraph(text) for text in wording.dependencies(book))
    for name, text in (("Player", PLAYER_TABLE), ("Banker", BANKER_TABLE)):
        header, *rows = (line.split() for line in text.strip().splitlines())
        headers = (f"{name} has", *(word.replace("-", "stood") for word in header[1:]))
        shown = tuple(("" if row[0] == "-" else row[0], *row[1:]) for row in rows)
        yield Grid(headers, shown, 1)
    yield Paragraph(
        "Banker columns are the points of the Player's third card; the last is for a Player that "
        f"stands. {book.decks.allowed} decks ({book.decks.clause}). One card is exposed and its "
        f"value burned ({book.burn_clause}); the cut card stands {book.cut.least} to "
        f"{book.cut.most} cards before the end and makes its round the last ({book.cut.clause})."
    )


def _results(found: Odds) -> Iterator[Block]:
    yield Heading("Results")
    cases = counted(found.shoe).cases
    orders = sum(cases.counts.values())
    by_winner, by_cards = cases.of(("winner",)), cases.of(("cards",))
    rows = [
        (f"{name.title()} wins" if name != "tie" else "Tie", by_winner[name,])
        for name in ("player", "banker", "tie")
    ]
    rows += [(f"{number} cards", by_cards[number,]) for number in (4, 5, 6)]
    yield Grid(
        ("Result", "Orders", "Probability %"),
        tuple((name, f"{one:,}", percent(Fraction(one, orders), 6)) for name, one in rows),
        1,
    )


def _bets(book: Rulebook, found: Odds) -> Iterator[Block]:
    yield Heading("Every bet, line by line")
    for id, price in found.bets.items():
        spot = book.spots[id]
        yield Paragraph(
            f"**{spot.label}**, stakes in steps of {spot.step}"
            + (f", reserve {spot.reserve} times the stake" if spot.reserve > 1 else "")
            + f". Expected value {decimal(price.ev, 8)} of a unit bet, exactly {price.ev}; "
            f"variance {decimal(price.variance, 8)}, exactly {price.variance}."
        )
        rows = [
            (
                _when(outcome, found.decisions.get(id)),
                _pays(outcome, found.decisions.get(id)),
                ", ".join(dict.fromkeys(line.clause for line in outcome.lines)),
                f"{outcome.orders:,}",
                percent(Fraction(outcome.orders, price.orders), 6),
                decimal(outcome.net * outcome.orders / price.orders, 8),
            )
            for outcome in price.outcomes
        ]
        rows.append(("All", "", "", f"{price.orders:,}", "100.000000", decimal(price.ev, 8)))
        headers = ("When", "Pays", "Clause", "Orders", "Probability %", "Part of the value")
        yield Grid(headers, tuple(rows), 3)


def _when(outcome: Outcome, decision: Decision | None) -> str:
    if decision is not None and len(outcome.lines) == 1:
        cards = [rank.value for rank in Rank if _declines(decision, rank)]
        return f"declined after first card {', '.join(cards)}"
    # The second stage's condition says all that the first one's does.
    return wording.when(outcome.lines[-1])


def _declines(decision: Decision, rank: Rank) -> bool:
    choice = decision.choices.get(rank.points)
    return choice is not None and not choice.continues


def _pays(outcome: Outcome, decision: Decision | None) -> str:
    if decision is None or len(outcome.lines) == 1:
        return wording.odds(outcome.lines[0])
    one, other = outcome.lines
    return (
        f"{decision.first.label} {wording.odds(one)}, {decision.second.label} {wording.odds(other)}"
    )


def _strategy(book: Rulebook, found: Odds) -> Iterator[Block]:
    if not found.decisions:
        return
    yield Heading("Strategy")
    yield Paragraph(
        "The exact best decision for each first card, and what continuing is worth per unit of the "
        "first bet; declining loses one unit."
    )
    headers = ("First card", *(book.spots[id].label for id in found.decisions))
    rows = []
    for rank in Rank:
        cells = [
            f"{'continue' if choice.continues else 'decline'} {decimal(choice.continuing, 6)}"
            if (choice := decision.choices.get(rank.points))
            else "–"
            for decision in found.decisions.values()
        ]
        rows.append((rank.value, *cells))
    yield Grid(headers, tuple(rows), 1)
    for decision in found.decisions.values():
        best, always = percent(decision.best.edge, 6), percent(decision.always.edge, 6)
        yield Paragraph(
            f"{decision.first.label} with {decision.second.label}: edge {best}% of the first bet "
            f"under the best decision, {always}% when always continuing."
        )


def _removal(book: Rulebook, shoe: Composition | None) -> Iterator[Block]:
    if shoe is not None and shoe.total == FULL_COUP:
        # Less one card such a shoe could not finish every coup.
        return
    yield Heading("Effect of removal")
    yield Paragraph(
        "Change of the expected value of a unit bet, in percentage points, when one card of a rank "
        "leaves the shoe."
    )
    effects = effect_of_removal(book, shoe)
    ranks = [rank for rank in Rank if any(rank in change for change in effects.values())]
    yield Grid(
        ("Bet", *(rank.value for rank in ranks)),
        tuple(
            (book.spots[id].label, *(percent(change[rank], 4) for rank in ranks))
            for id, change in effects.items()
        ),
        1,
    )
    for id, change in effects.items():
        if not any(change.values()):
            continue
        yield Plot(
            f"Effect of removal on {book.spots[id].label}, percentage points by rank",
            plots.columns(
                f"Effect of removal on {book.spots[id].label}",
                [plots.Bar(rank.value, change[rank], percent(change[rank], 3)) for rank in ranks],
            ),
        )


def _basis() -> Iterator[Block]:
    yield Heading("Basis")
    yield Paragraph(
        "Every figure is exact: all orders of six cards are counted in whole numbers, and "
        "probabilities are ratios of those counts; decimals are rounded only in print. Nothing is "
        "simulated. The pay lines above are the ones by which bets are settled. Figures are for "
        "the next coup from the stated shoe, per unit bet, pushes counted as bets. They hold for "
        "every coup that is certain to be dealt; averaged over all coups up to a cut card the "
        "odds differ slightly, because short coups make a shoe last longer."
    )
