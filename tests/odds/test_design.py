"""Design: odds for a wanted edge, each figure priced anew."""

from dataclasses import replace
from fractions import Fraction

import pytest

from cutcard.odds import Composition, odds
from cutcard.odds.design import Design, design, parse_target
from cutcard.odds.pricing import decimal
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.paytable import Line
from cutcard.rules.rulebook import Rulebook
from tests.cases import every
from tests.odds.naive import hard_knockout, pays, with_each_line, with_lines

FIVE = Fraction(5, 100)


def percent(share: Fraction) -> str:
    return decimal(share * 100, 6)


def paying(book: Rulebook, spot: str, line: Line, paid: Fraction) -> Rulebook:
    """The book with one line of a bet paying other odds."""

    def changed(one: Line) -> Line:
        return replace(one, odds=paid) if one is line else one

    return with_each_line(book, spot, changed)


def priced(made: Design, spot: str, line: Line, paid: Fraction) -> Fraction:
    """The edge that these odds really give; a Wager's is its Ante's."""
    stage = made.book.spots[spot].stage
    book = paying(made.book, spot, line, paid)
    return odds(book).bets[stage.follows if stage else spot].edge


def test_tie_at_five_percent_is_nine_to_one() -> None:
    made = design(load("rws-commission"), "tie", FIVE)
    (line,) = made.lines

    assert (percent(made.edge), made.target) == ("14.359629", FIVE)
    assert line.nearest.odds == 9
    assert percent(line.nearest.edge) == "4.844032"
    assert line.line.odds == 8


def test_the_steps_lie_around_the_nearest_odds_and_hold_the_present_ones() -> None:
    made = design(load("rws-commission"), "tie", FIVE)
    edges = {step.odds: percent(step.edge) for step in made.lines[0].steps}

    assert list(edges) == [6, 7, 8, 9, 10, 11, 12]
    assert (edges[Fraction(8)], edges[Fraction(9)]) == (percent(made.edge), "4.844032")


def test_each_step_changes_the_edge_by_the_chance_of_the_line() -> None:
    made = design(load("rws-commission"), "tie", FIVE)
    (line,) = made.lines
    tie = odds(load("rws-commission")).bets["tie"].win

    assert line.edge_per_step == -tie
    assert {b.edge - a.edge for a, b in zip(line.steps, line.steps[1:], strict=False)} == {-tie}


CASES = [
    ("rws-commission", "player", "1%"),
    ("rws-commission", "banker", "2%"),
    ("rws-commission", "tie", "5%"),
    ("rws-commission", "player_pair", "0%"),
    ("online-baccarat", "lucky_six", "10%"),
    ("online-baccarat", "player_natural", "-3%"),
    ("online-cow-cow", "banker", "1%"),
    ("rws-knockout", "winning_total_5_6", "1/13"),
    ("rws-knockout", "ante_player", "5%"),
    ("rws-knockout", "wager_player", "5%"),
    ("rws-knockout", "wager_banker", "10%"),
    ("side-bets", "perfect_pair", "0.07"),
    ("side-bets", "dragon_bonus_player", "1/30"),
]


@every(("book", "spot", "target"), CASES)
def test_exact_odds_meet_the_target_exactly(book: str, spot: str, target: str) -> None:
    made = design(load(book), spot, parse_target(target))
    winning = [line for line in made.book.spots[spot].table.lines if line.odds > 0]

    assert [one.line for one in made.lines] == winning
    assert any(one.exact is not None for one in made.lines)
    for one in made.lines:
        if one.exact is not None:
            assert one.exact > 0
            assert priced(made, spot, one.line, one.exact) == made.target


@every(("book", "spot", "target"), CASES[2:3] + CASES[8:11])
def test_every_step_is_priced_as_it_would_be_played(book: str, spot: str, target: str) -> None:
    made = design(load(book), spot, parse_target(target))

    for one in made.lines:
        for step in (one.nearest, one.nearest_half, one.steps[0], one.steps[-1]):
            assert priced(made, spot, one.line, step.odds) == step.edge


@every(("book", "spot", "target"), CASES)
def test_no_whole_or_half_odds_are_nearer(book: str, spot: str, target: str) -> None:
    made = design(load(book), spot, parse_target(target))

    for one in made.lines:
        whole = [step for step in one.steps if step.odds.denominator == 1]
        away = [abs(step.edge - made.target) for step in whole]
        assert one.nearest in one.steps
        assert min(away) == abs(one.nearest.edge - made.target)
        assert abs(one.nearest_half.edge - made.target) <= min(away)
        hundredth = abs(one.nearest_hundredth.edge - made.target)
        assert hundredth <= abs(one.nearest_half.edge - made.target)
        assert 100 % one.nearest_hundredth.odds.denominator == 0
        assert one.line.odds in {step.odds for step in one.steps}
        assert (one.nearest.odds.denominator, 2 % one.nearest_half.odds.denominator) == (1, 0)
        assert min(one.nearest.odds, 2 * one.nearest_half.odds) >= 1


def test_a_wager_is_designed_by_the_edge_of_its_ante() -> None:
    made = design(load("rws-knockout"), "wager_player", FIVE)

    assert percent(made.edge) == "10.977740"
    assert [one.line.clause for one in made.lines] == [
        "KO2 4.1.3 Wager 0-3",
        "KO2 4.1.3 Wager 4-5",
        "KO2 4.1.3 Wager 6-8",
    ]
    assert all(one.exact is not None and one.edge_per_step < 0 for one in made.lines)


def test_where_a_line_alone_cannot_reach_the_target_there_are_no_exact_odds() -> None:
    """Even for nothing, a natural win of the Dragon Bonus costs the house less than that."""
    made = design(load("side-bets"), "dragon_bonus_player", Fraction(9, 10))

    assert [one.exact for one in made.lines] == [None] * len(made.lines)
    assert {one.nearest.odds for one in made.lines} == {1}
    assert {one.nearest_half.odds for one in made.lines} == {Fraction(1, 2)}


def test_where_antes_are_declined_odds_that_meet_the_target_are_still_found() -> None:
    """The edge falls faster once continuing is right: a straight line from today's odds misses."""
    book = hard_knockout()
    (ante,) = [line for line in book.spots["ante_banker"].table.lines if line.odds > 0]
    wanted = Fraction(4)
    target = odds(paying(book, "ante_banker", ante, wanted)).bets["ante_banker"].edge
    made = design(book, "ante_banker", target)

    assert made.lines[0].exact == wanted
    assert made.lines[0].nearest.odds == wanted


def test_the_shoe_decides_the_edge() -> None:
    made = design(load("rws-commission"), "tie", FIVE, Composition.of_decks(4))

    assert percent(made.edge) == percent(
        odds(load("rws-commission"), Composition.of_decks(4)).bets["tie"].edge
    )
    assert decimal(made.edge * 100, 4) == "14.5916"


def test_a_line_that_cannot_come_moves_nothing() -> None:
    """Without nines, eights or sevens in the shoe, nobody ever wins with them alone."""
    made = design(load("rws-commission"), "tie", FIVE, Composition.parse("A=6"))
    (line,) = design(load("rws-commission"), "banker", FIVE, Composition.parse("A=6")).lines

    assert made.edge == -8
    assert line.edge_per_step == 0
    assert line.exact is None


def test_a_design_as_a_document() -> None:
    document = design(load("rws-commission"), "tie", FIVE).document()
    lines = document["lines"]
    assert isinstance(lines, list)
    (line,) = lines

    assert list(document) == ["book", "bet", "target_edge", "edge", "lines"]
    assert (document["book"], document["bet"]) == ("rws-commission", "tie")
    assert document["target_edge"] == "1/20"
    assert line["nearest"]["odds"] == "9"
    assert line["nearest"]["edge_percent"] == "4.844032"
    assert Fraction(line["exact"]) == 9 - (FIVE - Fraction(line["nearest"]["edge"])) / -Fraction(
        line["edge_per_step"]
    )
    assert [step["odds"] for step in line["steps"]] == list(map(str, range(6, 13)))


@every(
    ("text", "share"),
    [
        ("5%", FIVE),
        ("0.05", FIVE),
        ("1/20", FIVE),
        (" 5 % ", FIVE),
        ("0", Fraction(0)),
        ("-2.5%", Fraction(-1, 40)),
        ("99.999%", Fraction(99_999, 100_000)),
    ],
)
def test_a_target_is_read_exactly(text: str, share: Fraction) -> None:
    assert parse_target(text) == share


@every(
    "text",
    ["", "%", "five", "5%%", "100%", "-100%", "1", "5", "500%", "1/0", "nan", "inf", "1e400"],
)
def test_what_is_no_edge_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_target(text)

    assert (refusal.value.code, refusal.value.params["text"]) == ("odds/target", text)


def test_a_target_of_endless_digits_is_refused_or_written() -> None:
    """A fraction of more than 4,300 digits is more than Python writes unasked."""
    try:
        target = parse_target("1e-5000")
    except Refusal:
        return
    assert design(load("rws-commission"), "tie", target).document()


def test_a_bet_that_is_not_offered_is_refused() -> None:
    with pytest.raises(Refusal) as refusal:
        design(load("rws-commission"), "lucky_six", FIVE)

    assert (refusal.value.code, refusal.value.clause) == ("bet/not-offered", "CB4 3.7")


def test_a_bet_that_never_wins_is_refused() -> None:
    book = with_lines(load("rws-commission"), "tie", pays("0", winner="tie"), pays("-1"))
    with pytest.raises(Refusal) as refusal:
        design(book, "tie", FIVE)

    assert (refusal.value.code, refusal.value.params["spot"]) == ("odds/no-winning-line", "tie")
