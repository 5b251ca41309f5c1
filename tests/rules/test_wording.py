"""Wording: pay lines as a patron reads them."""

from dataclasses import replace
from fractions import Fraction

from cutcard.rulebooks import load
from cutcard.rules.coup import Coup
from cutcard.rules.facts import Value, facts
from cutcard.rules.paytable import Line, PayTable
from cutcard.rules.wording import dependencies, facts_in_words, odds, percent, when
from tests.cases import every


@every(
    ("pays", "commission", "words"),
    [
        ("8", "0", "8 to 1"),
        ("1/2", "0", "1 to 2"),
        ("7/2", "0", "7 to 2"),
        ("19/20", "0", "19 to 20"),
        ("1", "1/20", "1 to 1 less 5% commission"),
        ("9", "1/20", "9 to 1 less 5% commission"),
        ("1", "1/40", "1 to 1 less 2.5% commission"),
        ("0", "0", "push"),
        ("-1", "0", "lose"),
        ("-2", "0", "lose 2 times"),
        ("-9", "0", "lose 9 times"),
    ],
)
def test_what_a_line_pays(pays: str, commission: str, words: str) -> None:
    line = Line({}, Fraction(pays), Fraction(commission), "HOUSE")

    assert odds(line) == words


@every(
    ("share", "words"),
    [
        ("1/20", "5%"),
        ("1/40", "2.5%"),
        ("1/8", "12.5%"),
        ("1", "100%"),
        ("1/3", "33.3333%"),
        ("10000", "1000000%"),
    ],
)
def test_a_share_is_a_percentage(share: str, words: str) -> None:
    assert percent(Fraction(share)) == words


CONDITIONS: list[tuple[dict[str, tuple[Value, ...]], str]] = [
    ({}, "otherwise"),
    ({"winner": ("banker",)}, "Banker wins"),
    ({"winner": ("tie",)}, "tie"),
    ({"winner": ("player", "banker")}, "Player wins or Banker wins"),
    ({"winner": ("player", "tie")}, "Player wins or tie"),
    ({"winner": ("banker",), "banker_points": (6,)}, "Banker wins, Banker 6 points"),
    (
        {"winner": ("banker",), "banker_points": (6,), "banker_cards": (2,)},
        "Banker wins, Banker 6 points, Banker 2 cards",
    ),
    ({"player_points": (1,)}, "Player 1 point"),
    ({"player_points": (0,)}, "Player 0 points"),
    ({"winning_points": (1,)}, "winning hand 1 point"),
    ({"winning_points": (1, 2, 3, 4)}, "winning hand 1-2-3-4 points"),
    ({"losing_points": (6, 7, 8)}, "losing hand 6-7-8 points"),
    ({"player_pair": (True,)}, "Player pair"),
    ({"banker_pair": (False,)}, "no Banker pair"),
    ({"player_natural": (True,)}, "Player natural"),
    ({"banker_suited_pair": (True,)}, "Banker suited pair"),
    ({"player_suited_pair": (False,)}, "no Player suited pair"),
    ({"cards": (4,)}, "4 cards in all"),
    ({"cards": (5, 6)}, "5-6 cards in all"),
    ({"margin": (9,)}, "by 9"),
    ({"margin": (4, 5)}, "by 4-5"),
]


@every(("conditions", "words"), CONDITIONS, ids=[words for _, words in CONDITIONS])
def test_when_a_line_decides(conditions: dict[str, tuple[Value, ...]], words: str) -> None:
    assert when(Line(conditions, Fraction(1), Fraction(0), "HOUSE")) == words


def test_the_pay_table_of_lucky_six_as_a_patron_reads_it() -> None:
    lines = load("online-baccarat").spots["lucky_six"].table.lines

    assert [f"{when(one)}: {odds(one)}" for one in lines] == [
        "Banker wins, Banker 6 points, Banker 2 cards: 12 to 1",
        "Banker wins, Banker 6 points, Banker 3 cards: 20 to 1",
        "otherwise: lose",
    ]


@every(
    ("coup", "words"),
    [
        ("2h 3s 9c / 5d Kc", "Player 4, Banker 5"),
        ("9h Ks / 4d 4c", "Player 9, Banker 8, player natural, banker natural, banker pair"),
        ("4h 4h / Td 3c", "Player 8, Banker 3, player natural, player pair"),
    ],
)
def test_the_facts_that_a_patron_cares_for(coup: str, words: str) -> None:
    """A suited pair is a pair; no seed book pays it apart, so it is not said twice."""
    assert facts_in_words(facts(Coup.parse(coup))) == words


# --- what a patron must know of bets that depend on others


def test_dependent_bets_are_told_in_full() -> None:
    said = dependencies(load("rws-knockout"))

    assert said[0] == (
        "Winning Total 1-2-3-4 needs a bet on Player or Banker (KO2 1 Winning Total)."
    )
    assert said[5] == (
        "Wager (Player) follows Ante (Player) after card 1: exactly 2 times as much (KO2 3.4.2), "
        "or that bet is lost (KO2 3.4.1)."
    )
    assert len(said) == 7


def test_a_bet_that_can_lose_more_than_its_stake_says_so() -> None:
    assert dependencies(load("online-cow-cow")) == [
        "Player can lose 9 times its stake; that much must be held.",
        "Banker can lose 9 times its stake; that much must be held.",
    ]
    assert dependencies(load("rws-commission")) == []


def test_a_bet_that_can_lose_twice_its_stake_says_so_too() -> None:
    book = load("skycity-commission")
    twice = PayTable((Line({}, Fraction(-2), Fraction(0), "SKY C3"),))
    risky = replace(book, spots={"tie": replace(book.spots["tie"], table=twice)})

    assert dependencies(risky) == ["Tie can lose 2 times its stake; that much must be held."]
