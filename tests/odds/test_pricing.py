"""Pricing: from counts to worth, and what the wrong readings of a book would cost."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import perm

from cutcard.odds import Composition, odds
from cutcard.odds.kinds import count_kinds
from cutcard.odds.pricing import Cases, Outcome, Price, decimal, price
from cutcard.rulebooks import MORE, load, rulebooks
from cutcard.rules.facts import facts_of
from cutcard.rules.paytable import Line, PayTable
from cutcard.rules.rulebook import Rulebook
from tests.cases import every
from tests.odds.naive import losing_tie, pays, with_each_line, with_lines

BOOKS = (*rulebooks(), *rulebooks(MORE))
every_book = every("book", BOOKS, ids=lambda book: book.id)


@cache
def eight_decks() -> Cases:
    return Cases(count_kinds(Composition.of_decks(8)))


def edge(book: Rulebook, spot: str) -> str:
    """The edge of one bet on a fresh shoe, in percent to six places."""
    return decimal(price(book.spots[spot].table, eight_decks()).edge * 100, 6)


# Decimals


@every(
    ("value", "places", "said"),
    [
        (Fraction(796, 5395) * 100, 6, "14.754402"),
        (Fraction(0), 6, "0.000000"),
        (Fraction(-1, 3), 4, "-0.3333"),
        (Fraction(-1, 10**9), 6, "0.000000"),
        (Fraction(2, 3), 1, "0.7"),
        (Fraction(199_999, 1000), 2, "200.00"),
        (Fraction(-5, 4), 2, "-1.25"),
        (Fraction(12345), 3, "12345.000"),
    ],
)
def test_a_decimal_is_correctly_rounded(value: Fraction, places: int, said: str) -> None:
    assert decimal(value, places) == said


# What a price says


def coin(*outcomes: tuple[str, int]) -> Price:
    line = pays("1")
    return Price(tuple(Outcome((line,), Fraction(net), Fraction(1), n) for net, n in outcomes))


def test_a_price_by_hand() -> None:
    """Three orders win two, one order pushes, four lose one, two lose three."""
    found = coin(("2", 3), ("0", 1), ("-1", 4), ("-3", 2))

    assert (found.win, found.push, found.lose) == (Fraction(3, 10), Fraction(1, 10), Fraction(3, 5))
    assert (found.ev, found.edge, found.rtp) == (Fraction(-2, 5), Fraction(2, 5), Fraction(3, 5))
    assert found.variance == Fraction(34, 10) - Fraction(4, 25)
    assert found.orders == 10


@every_book
def test_every_price_keeps_the_laws(book: Rulebook) -> None:
    for spot in book.spots.values():
        found = price(spot.table, eight_decks())

        assert found.orders == perm(416, 6)
        assert found.win + found.push + found.lose == 1
        assert found.edge == -found.ev
        assert found.rtp == 1 + found.ev
        assert found.edge_of_action * found.action == found.edge


@every_book
def test_every_price_is_the_mean_over_all_kinds(book: Rulebook) -> None:
    """Value and variance directly, each kind settled by the book's own lines."""
    counts, orders = eight_decks().counts, perm(416, 6)
    settled = [(facts_of(*kind), number) for kind, number in counts.items()]
    for spot in book.spots.values():
        found = price(spot.table, eight_decks())
        nets = [(spot.table.line(facts).net, number) for facts, number in settled]
        mean = sum((net * number for net, number in nets), Fraction(0)) / orders
        spread = sum(((net - mean) ** 2 * number for net, number in nets), Fraction(0)) / orders

        assert (found.ev, found.variance) == (mean, spread)
        assert found.win == Fraction(sum(n for net, n in nets if net > 0), orders)
        assert found.push == Fraction(sum(n for net, n in nets if net == 0), orders)


@every_book
def test_the_lines_that_settle_are_the_lines_that_price(book: Rulebook) -> None:
    for spot in book.spots.values():
        found = price(spot.table, eight_decks())

        assert [outcome.lines for outcome in found.outcomes] == [
            (line,) for line in spot.table.lines
        ]
        assert all(outcome.orders > 0 for outcome in found.outcomes)


def test_a_bet_that_risks_its_stake_once_has_one_unit_in_action() -> None:
    for book in BOOKS:
        for spot in book.spots.values():
            manifold = book.id == "online-cow-cow" and spot.id != "tie"
            assert (price(spot.table, eight_decks()).action != 1) == manifold


def test_two_equal_lines_are_priced_apart_and_together_alike() -> None:
    """The first of two lines that say the same decides; the second never comes."""
    twice = PayTable((pays("8", winner="tie"), pays("8", winner="tie"), pays("-1")))

    assert decimal(price(twice, eight_decks()).edge * 100, 6) == "14.359629"


def test_cases_are_gathered_by_any_facts() -> None:
    cases = eight_decks()

    assert sum(cases.of(()).values()) == perm(416, 6)
    assert cases.of(("player_pair",)).keys() == {(True,), (False,)}
    assert cases.of(("cards",)) is cases.of(("cards",)), "gathered once"


def test_a_price_as_a_document() -> None:
    document = odds(load("online-baccarat")).bets["player_natural"].document()

    assert document["edge"] == "796/5395"
    assert document["edge_percent"] == "14.754402"
    assert document["ev"] == "-796/5395"
    assert document["rtp"] == "4599/5395"
    assert document["push"] == "0"
    assert document["action"] == "1"
    assert document["edge_of_action_percent"] == "14.754402"
    assert document["orders"] == perm(416, 6)


# Misreadings, and what each would cost


def lucky_six_by_all_cards() -> Rulebook:
    """ "No third card is drawn" read of the whole coup, not of the Banker hand."""
    return with_lines(
        load("online-baccarat"),
        "lucky_six",
        pays("12", winner="banker", banker_points=6, cards=4),
        pays("20", winner="banker", banker_points=6),
        pays("-1"),
    )


def natural(*lines: Line) -> Rulebook:
    return with_lines(load("online-baccarat"), "player_natural", *lines, pays("-1"))


def cow_cow(spot: str, change: Callable[[Line], Line]) -> Rulebook:
    return with_each_line(load("online-cow-cow"), spot, change)


def lose_the_stake_too(line: Line) -> Line:
    return replace(line, odds=line.odds - 1) if line.odds < 0 else line


def without_commission(line: Line) -> Line:
    return replace(line, commission=Fraction(0))


def nine_pays(odds: str) -> Callable[[Line], Line]:
    def changed(line: Line) -> Line:
        is_nine = line.net == Fraction("8.55")
        return pays(odds, **line.when) if is_nine else line

    return changed


def half_on_six_loses() -> Rulebook:
    def changed(line: Line) -> Line:
        return replace(line, odds=-line.odds) if line.odds == Fraction(1, 2) else line

    return with_each_line(load("online-no-commission"), "banker", changed)


def tie_losing_the_multiple() -> Rulebook:
    lost = [pays(f"-{points}", winning_points=points) for points in range(1, 10)]
    return with_lines(load("online-cow-cow"), "tie", pays("8", winner="tie"), *lost)


def winning_total_at(spot: str, odds: str) -> Rulebook:
    return with_each_line(
        load("rws-knockout"), spot, lambda line: pays(odds, **line.when) if line.odds > 0 else line
    )


MISREAD: list[tuple[str, Rulebook, str, str]] = [
    ("Lucky Six by all cards", lucky_six_by_all_cards(), "lucky_six", "-13.113803"),
    (
        "a natural must win, a tie loses",
        natural(pays("7/2", player_natural=True, winner="player")),
        "player_natural",
        "26.834907",
    ),
    (
        "a natural must win, a tie pushes",
        natural(
            pays("7/2", player_natural=True, winner="player"),
            pays("0", winner="tie"),
        ),
        "player_natural",
        "17.319310",
    ),
    ("7 for 2", natural(pays("5/2", player_natural=True)), "player_natural", "33.697868"),
    ("half on six loses half", half_on_six_loses(), "banker", "6.844476"),
    (
        "a pair by rank and suit",
        with_lines(
            load("rws-commission"),
            "player_pair",
            pays("11", player_suited_pair=True),
            pays("-1"),
        ),
        "player_pair",
        "79.759036",
    ),
    ("stake and multiple", cow_cow("player", lose_the_stake_too), "player", "50.144196"),
    ("stake and multiple", cow_cow("banker", lose_the_stake_too), "banker", "51.142987"),
    ("nine without commission", cow_cow("player", without_commission), "player", "-1.234981"),
    ("nine at 8.45", cow_cow("banker", nine_pays("8.45")), "banker", "7.692403"),
    ("a Tie bet losing the multiple", tie_losing_the_multiple(), "tie", "561.144905"),
    (
        "a Winning Total losing on a tie",
        with_each_line(load("rws-knockout"), "winning_total_1_4", losing_tie),
        "winning_total_1_4",
        "16.238738",
    ),
    (
        "5-6 at 3.5",
        winning_total_at("winning_total_5_6", "3.5"),
        "winning_total_5_6",
        "7.527742",
    ),
    ("7 at 4.5", winning_total_at("winning_total_7", "4.5"), "winning_total_7", "3.300911"),
    ("9 at 2.5", winning_total_at("winning_total_9", "2.5"), "winning_total_9", "6.462786"),
]


@every(
    ("book", "spot", "cost"),
    [one[1:] for one in MISREAD],
    ids=[f"{one[0]}, {one[2]}" for one in MISREAD],
)
def test_a_misreading_shows_in_the_edge(book: Rulebook, spot: str, cost: str) -> None:
    assert edge(book, spot) == cost
    assert edge(load(book.id), spot) != cost


def test_a_return_per_resolved_bet_is_another_figure() -> None:
    """98.94 % counts ties; without them it would be 98.83 %."""
    banker = price(load("online-baccarat").spots["banker"].table, eight_decks())

    assert decimal(banker.rtp * 100, 6) == "98.942094"
    assert decimal((1 + banker.ev / (1 - banker.push)) * 100, 6) == "98.830842"
