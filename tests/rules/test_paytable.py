"""Pay tables: lines in order, and what is computed from them."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cutcard.rulebooks import ids, load
from cutcard.rules.cards import DECK, Card
from cutcard.rules.coup import Coup
from cutcard.rules.facts import Value, facts
from cutcard.rules.paytable import Line, PayTable
from tests.cases import every

SIX_CARDS = st.lists(st.sampled_from(DECK), min_size=6, max_size=6)


def line(
    odds: str, commission: str = "0", clause: str = "HOUSE", **when: tuple[Value, ...]
) -> Line:
    return Line(when, Fraction(odds), Fraction(commission), clause)


def test_a_line_fits_when_every_fact_has_one_of_its_values() -> None:
    six = line("12", winner=("banker",), banker_points=(6,))

    assert six.fits({"winner": "banker", "banker_points": 6, "cards": 4})
    assert not six.fits({"winner": "banker", "banker_points": 5, "cards": 4})
    assert not six.fits({"winner": "tie", "banker_points": 6, "cards": 4})
    assert line("1", winner=("player", "banker")).fits({"winner": "banker"})
    assert not line("1", winner=("player", "banker")).fits({"winner": "tie"})


def test_a_line_without_conditions_fits_everything() -> None:
    assert line("-1").fits({"winner": "tie"})


@every(
    ("odds", "commission", "withheld", "net"),
    [
        ("1", "1/20", "1/20", "19/20"),
        ("9", "1/20", "9/20", "171/20"),  # Cow Cow's printed 8.55
        ("8", "0", "0", "8"),
        ("1/2", "0", "0", "1/2"),
        ("0", "0", "0", "0"),
        ("-9", "0", "0", "-9"),
    ],
)
def test_the_commission_is_withheld_from_the_win(
    odds: str, commission: str, withheld: str, net: str
) -> None:
    paid = line(odds, commission)

    assert paid.withheld == Fraction(withheld)
    assert paid.net == Fraction(net)


def test_the_first_line_that_fits_decides() -> None:
    half = line("1/2", winner=("banker",), banker_points=(6,))
    even = line("1", winner=("banker",))
    rest = line("-1")
    table = PayTable((half, even, rest))

    assert table.line({"winner": "banker", "banker_points": 6}) is half
    assert table.line({"winner": "banker", "banker_points": 7}) is even
    assert table.line({"winner": "player", "banker_points": 6}) is rest


@every(
    ("lines", "step", "reserve"),
    [
        ([line("1"), line("0"), line("-1")], 1, 1),
        ([line("1", "1/20"), line("0"), line("-1")], 20, 1),
        ([line("9", "1/20"), line("-9")], 20, 9),
        ([line("7/2"), line("-1")], 2, 1),
        ([line("1/2"), line("1/3"), line("1/4")], 12, 1),  # no line loses: the stake itself
        ([line("-8"), line("-2"), line("3")], 1, 8),
        ([line("6/5", "1/4")], 10, 1),
        ([line("3/2", "1/3")], 2, 1),  # the net of 1 would be whole anyway, win and tax would not
    ],
)
def test_step_and_reserve_are_computed(lines: list[Line], step: int, reserve: int) -> None:
    table = PayTable(tuple(lines))

    assert table.step == step
    assert table.reserve == reserve


def test_the_facts_of_a_table_are_those_its_lines_name() -> None:
    table = PayTable((line("1", winner=("tie",)), line("2", cards=(4,), banker_pair=(True,))))

    assert table.facts == ("banker_pair", "cards", "winner")
    assert PayTable((line("-1"),)).facts == ()


STEPS = {
    "online-baccarat": {"banker": 20, "player_natural": 2, "banker_natural": 2},
    "online-cow-cow": {"player": 20, "banker": 20},
    "online-no-commission": {"banker": 2, "player_natural": 2, "banker_natural": 2},
    "rws-commission": {"banker": 20},
    "rws-knockout": {"banker": 2, "wager_player": 2, "wager_banker": 2},
    "rws-non-commission-etg": {"banker": 2},
    "skycity-commission": {"banker": 20},
    "skycity-non-commission": {"banker": 2},
}
"""The spots whose stakes have a step; all others may be bet in single units."""


@every("book", ids())
def test_the_steps_and_reserves_of_every_book(book: str) -> None:
    spots = load(book).spots

    assert {id: spot.step for id, spot in spots.items() if spot.step != 1} == STEPS[book]
    cow_cow = {"player": 9, "banker": 9} if book == "online-cow-cow" else {}
    assert {id: spot.reserve for id, spot in spots.items() if spot.reserve != 1} == cow_cow


@given(SIX_CARDS)
def test_exactly_one_line_of_every_bet_decides_every_coup(cards: list[Card]) -> None:
    """The first of those that fit; and a bet's other lines then leave it alone."""
    truth = facts(Coup.deal(cards))
    for book in map(load, ids()):
        for spot in book.spots.values():
            fitting = [one for one in spot.table.lines if one.fits(truth)]
            assert fitting
            assert spot.table.line(truth) is fitting[0]
            # A later line may fit too, but only as the rest of an earlier, narrower one.
            assert all(len(one.when) <= len(fitting[0].when) for one in fitting)
