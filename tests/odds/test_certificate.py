"""The certificate: what stands on it, and that every figure is the engine's."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import perm, sqrt

import pytest

from cutcard.odds import Composition, Odds, odds
from cutcard.odds.certificate import (
    Certificate,
    Grid,
    Heading,
    Paragraph,
    Plot,
    best_odds,
    certificate,
    deviation,
    percent,
)
from cutcard.odds.pricing import Outcome, Price, decimal
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards
from tests.cases import every
from tests.odds.naive import hard_knockout, pays

COW, KNOCKOUT, SKYCITY = "online-cow-cow", "rws-knockout", "skycity-commission"
ORDERS = f"{perm(416, 6):,}"


@cache
def sheet(book: str) -> Certificate:
    return certificate(load(book))


@cache
def priced(book: str) -> Odds:
    return odds(load(book))


def grids(found: Certificate) -> Iterator[Grid]:
    return (block for block in found.blocks if isinstance(block, Grid))


def grid(found: Certificate, *headers: str) -> Grid:
    """The first table whose columns begin so."""
    return next(one for one in grids(found) if one.headers[: len(headers)] == headers)


def words(found: Certificate) -> str:
    return "\n".join(block.text for block in found.blocks if isinstance(block, Paragraph))


every_sheet = every("book", [COW, KNOCKOUT, SKYCITY])


@every_sheet
def test_it_says_what_it_is_about(book: str) -> None:
    identity, found = dict(sheet(book).identity), load(book)

    assert sheet(book).title == found.name
    assert identity["Rule set"] == f"{book}, version {found.version}"
    assert identity["Operator"] == found.operator
    assert identity["Shoe"] == "8 decks, 416 cards"
    assert identity["Orders of six cards"] == ORDERS
    assert identity["Rulebook SHA-256"] == found.hash
    assert "Composition" not in identity


@every_sheet
def test_it_has_its_parts_in_order(book: str) -> None:
    headings = [block.text for block in sheet(book).blocks if isinstance(block, Heading)]
    strategy = ["Strategy"] if book == KNOCKOUT else []

    assert headings == [
        "Summary",
        "Rules",
        "Results",
        "Every bet, line by line",
        *strategy,
        "Effect of removal",
        "Basis",
    ]


@every_sheet
def test_the_summary_tells_every_bet(book: str) -> None:
    summary, found = grid(sheet(book), "Bet", "Best odds"), priced(book)

    for row, (spot, price) in zip(summary.rows, found.bets.items(), strict=True):
        assert row[0] == load(book).spots[spot].label
        assert row[2:5] == tuple(map(percent, (price.win, price.push, price.lose)))
        assert row[5:7] == (percent(price.edge, 6), percent(price.rtp))


@every_sheet
def test_the_lines_of_each_bet_are_counted_in_whole_numbers(book: str) -> None:
    tables = [one for one in grids(sheet(book)) if one.headers[0] == "When"]
    bets = priced(book).bets

    for table, price in zip(tables, bets.values(), strict=True):
        *lines, everything = table.rows
        counted = [int(row[3].replace(",", "")) for row in lines]
        assert sum(counted) == perm(416, 6)
        assert everything == ("All", "", "", ORDERS, "100.000000", decimal(price.ev, 8))
        assert counted == [outcome.orders for outcome in price.outcomes]


def test_the_results_are_the_golden_counts() -> None:
    rows = {row[0]: row[1:] for row in grid(sheet(SKYCITY), "Result").rows}

    assert rows["Player wins"] == ("2,230,518,282,592,256", "44.624661")
    assert rows["Banker wins"] == ("2,292,252,566,437,888", "45.859742")
    assert rows["Tie"] == ("475,627,426,473,216", "9.515597")
    assert [rows[f"{number} cards"][1] for number in (4, 5, 6)] == [
        "37.886849",
        "30.344417",
        "31.768734",
    ]


def test_the_tableau_stands_as_printed() -> None:
    rows = grid(sheet(SKYCITY), "Banker has").rows

    assert " ".join(rows[3]) == "3 D D D D D D D D S D D"
    assert " ".join(grid(sheet(SKYCITY), "Player has").rows[0]).strip() == "D D D D D D S S N N"


def test_the_rules_cite_their_clauses() -> None:
    book = load(KNOCKOUT)
    cited = [*book.cites.values(), book.decks.clause, book.burn_clause, book.cut.clause]

    assert all(clause in words(sheet(KNOCKOUT)) for clause in cited if clause != book.cites["bets"])


def test_manifold_bets_are_also_told_per_unit_of_action() -> None:
    rows = grid(sheet(COW), "Bet", "Mean units in action").rows

    assert rows == (
        ("Player", "6.372697", "4.284453", "0.672314"),
        ("Banker", "6.372697", "6.518326", "1.022852"),
    )
    assert "reserve 9 times the stake" in words(sheet(COW))


def test_the_strategy_covers_every_first_card() -> None:
    table = grid(sheet(KNOCKOUT), "First card")
    rows = {row[0]: row[1:] for row in table.rows}

    assert table.headers == ("First card", "Ante (Player)", "Ante (Banker)")
    assert list(rows) == list("A23456789TJQK")
    assert rows["A"][0] == "continue -0.312591"
    assert rows["9"] == ("continue 0.621318", "continue -0.693956")
    assert "edge 10.977740% of the first bet" in words(sheet(KNOCKOUT))


def test_a_declined_ante_is_told_with_its_clause() -> None:
    found = certificate(hard_knockout(), Composition.of_decks(4))
    rows = {row[0]: row[2] for row in grid(found, "First card").rows}
    cited = {row[2] for one in grids(found) if one.headers[0] == "When" for row in one.rows}

    assert [rank for rank, cell in rows.items() if cell.startswith("decline")] == ["7", "8", "9"]
    assert "KO2 3.4.1" in cited


@every_sheet
def test_effects_of_removal_are_told_for_every_bet_and_rank(book: str) -> None:
    table = grid(sheet(book), "Bet", "A")

    assert table.headers[1:] == tuple("A23456789TJQK")
    assert [row[0] for row in table.rows] == [
        load(book).spots[spot].label for spot in priced(book).bets
    ]


@every_sheet
def test_every_row_has_a_cell_for_every_column(book: str) -> None:
    for one in grids(sheet(book)):
        assert {len(row) for row in one.rows} == {len(one.headers)}
        assert one.figures <= len(one.headers)


@every_sheet
def test_there_is_a_plot_of_the_effects_for_each_bet_that_has_any(book: str) -> None:
    """Pairs of a fresh shoe do not mind which rank leaves it, so theirs would be empty."""
    plots = [block for block in sheet(book).blocks if isinstance(block, Plot)]
    moved = [id for id in priced(book).bets if not id.endswith("_pair")]

    assert len(plots) == 2 + len(moved)
    assert all(plot.caption and plot.svg.startswith("<svg ") for plot in plots)


def test_two_runs_give_the_same_certificate() -> None:
    assert certificate(load(SKYCITY)) == certificate(load(SKYCITY)) == sheet(SKYCITY)


def test_another_shoe_is_told() -> None:
    shoe = Composition.of_decks(8).without(parse_cards("9h 9s Kd"))
    identity = dict(certificate(load(SKYCITY), shoe).identity)

    assert identity["Shoe"] == "413 cards, composition below"
    assert identity["Composition"].startswith("A 32, 2 32,")
    assert "9 30" in identity["Composition"]
    assert identity["Composition"].endswith("K 31")
    assert identity["Orders of six cards"] == f"{perm(413, 6):,}"


def test_ranks_that_are_not_there_have_no_effect() -> None:
    found = certificate(load(KNOCKOUT), Composition.parse("A=8,2=8,3=8,5=8,9=8,K=8"))
    strategy = {row[0]: row[1] for row in grid(found, "First card").rows}

    assert grid(found, "Bet", "A").headers == ("Bet", "A", "2", "3", "5", "9", "K")
    assert strategy["4"] == "–"


def test_a_book_in_force_and_approved_says_so() -> None:
    book = replace(load(SKYCITY), effective_from="2026-01-01T00:00+08:00", approval="CCA 100(1)")
    identity = dict(certificate(book).identity)

    assert identity["In force from"] == "2026-01-01T00:00+08:00"
    assert identity["Approved by"] == "CCA 100(1)"


def test_a_shoe_of_six_cards_has_a_certificate() -> None:
    """It can be priced, so it can be certified, though no card can leave it."""
    found = certificate(load(SKYCITY), Composition.parse("A=2,5=2,9=2"))

    assert dict(found.identity)["Orders of six cards"] == "720"


def test_a_shoe_that_cannot_be_priced_has_none() -> None:
    with pytest.raises(Refusal) as refusal:
        certificate(load(SKYCITY), Composition.parse("A=5"))

    assert refusal.value.code == "odds/too-few-cards"


# Figures in print


def spread(variance: str) -> Price:
    """A bet of that variance: it wins or loses the root of it, as often."""
    root = Fraction(variance)
    line = pays("1")
    ends = [(root, 1), (-root, 1)]
    return Price(tuple(Outcome((line,), net, Fraction(1), number) for net, number in ends))


@every(
    ("root", "said"),
    [
        ("0", "0.0000"),
        ("1", "1.0000"),
        ("0.95115", "0.9512"),
        ("0.95114999", "0.9511"),
        ("2.64129", "2.6413"),
        ("1000.00004", "1000.0000"),
    ],
)
def test_a_deviation_is_rounded_from_the_exact_variance(root: str, said: str) -> None:
    assert deviation(spread(root)) == said


def test_deviations_of_a_book() -> None:
    for price in odds(load(KNOCKOUT)).bets.values():
        assert abs(float(deviation(price)) - sqrt(price.variance)) <= 0.000051


def test_the_best_odds_of_a_bet() -> None:
    def best(book: str, spot: str) -> str:
        return best_odds(load(book).spots[spot], priced(book).bets[spot])

    assert best("online-baccarat", "banker") == "1 to 1 less 5% commission"
    assert best("online-baccarat", "lucky_six") == "20 to 1"
    assert best("online-baccarat", "player_natural") == "7 to 2"
    assert best("rws-knockout", "ante_player") == "5 to 1 with both stages"


def test_the_rules_of_dependent_bets_are_told() -> None:
    text = " ".join(
        block.text for block in sheet("rws-knockout").blocks if isinstance(block, Paragraph)
    )

    assert "Winning Total 9 needs a bet on Player or Banker (KO2 1 Winning Total)." in text
    assert "exactly 2 times as much (KO2 3.4.2), or that bet is lost (KO2 3.4.1)" in text


def test_a_declined_ante_says_after_which_card() -> None:
    shoe = Composition.parse("A=6,9=3,8=1")
    rows = [
        row[0]
        for block in certificate(load("rws-knockout"), shoe).blocks
        if isinstance(block, Grid)
        for row in block.rows
    ]

    assert "declined after first card 8" in rows


def test_a_shoe_by_card_is_told_by_card() -> None:
    book = load("side-bets")
    one = dict(certificate(book, Composition.parse("9h=4,9s=4,8h=8")).identity)
    other = dict(certificate(book, Composition.parse("9h=8,8h=8")).identity)

    assert one["Composition"] == "9h 4, 9s 4, 8h 8"
    assert other["Composition"] == "9h 8, 8h 8"
