"""Settlement: every bet of every book on every kind of result, to the last unit.

The tables below are copied by hand from the printed pay tables, not from the
rulebook files: a wrong figure in a file disagrees with the page here.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.refusals import Refusal
from cutcard.rulebooks import ids, load
from cutcard.rules.cards import DECK, Card, parse_cards
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.facts import Value, facts
from cutcard.rules.paytable import Line
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.settlement import (
    SettledBet,
    Settlement,
    check_bets,
    check_offered,
    pay,
    reserve,
    settle,
)
from tests.cases import every

SIX_CARDS = st.lists(st.sampled_from(DECK), min_size=6, max_size=6)

# The tables: a coup, then the nets of 100 on each spot. A Wager is always twice its Ante, so
# there 200 are staked.

COMMISSION = """
                         player banker   tie
    9h Ks / 8d Kc           100   -100  -100
    8h Ks / 9d Kc          -100     95  -100
    2h 2s 6c / 3d 4c       -100     95  -100
    Kh 2s 3c / Kd 6c       -100     95  -100
    Ah 3s 5d / Jc 2h Ad     100   -100  -100
    Kh 6s / Kd 2c 4h          0      0   800
"""

NON_COMMISSION = """
                         player banker   tie
    9h Ks / 8d Kc           100   -100  -100
    8h Ks / 9d Kc          -100    100  -100
    2h 2s 6c / 3d 4c       -100    100  -100
    Kh 2s 3c / Kd 6c       -100     50  -100
    Kh 2s 3c / Ad 2c 3h    -100     50  -100
    Kh 6s / Kd 5c Th        100   -100  -100
    Kh 6s / Kd 2c 4h          0      0   800
"""

PAIRS = """
                         player_pair banker_pair
    9h Ks / 8d Kc               -100        -100
    2h 2s 6c / 3d 4c            1100        -100
    Th Ts 8c / Kd 7c            1100        -100
    Kh Ks 8c / Kd Kc 7h         1100        1100
    Kh Qs 8c / Td Jc 7h         -100        -100
    8h Ks / 4d 4c               -100        1100
"""

ONLINE_SIDE_BETS = """
                         lucky_six player_natural banker_natural
    9h Ks / 8d Kc             -100            350            350
    8h Ks / 5d 2c             -100            350           -100
    6h Ks / 9d Kc             -100           -100            350
    Kh 2s 3c / Kd 6c          1200           -100           -100
    Kh 6s / Kd 2c 4h          -100           -100           -100
    Kh 2s 3c / Ad 2c 3h       2000           -100           -100
    Kh 6s / Kd 5c Th          -100           -100           -100
    Kh Qs 9c / Td Jc 7h       -100           -100           -100
"""

COW_COW = """
                         player banker   tie
    Kh Qs Ad / Kc Qd Th     100   -100  -100
    Kh Qs 2d / Kc Qd Th     200   -200  -100
    Kh Qs 3d / Kc Qd Th     300   -300  -100
    Kh Qs 4d / Kc Qd Th     400   -400  -100
    Kh Qs 5d / Kc Qd Th     500   -500  -100
    Kh Qs 6d / Kc Qd Th     600   -600  -100
    Kh Qs 7d / Kc Qd Th     700   -700  -100
    Kh Qs 8d / Kc Qd Th     800   -800  -100
    Kh Qs 9d / Kc Qd Th     855   -900  -100
    Kh Qs Td / Kc Qd Ah    -100    100  -100
    Kh Qs Td / Kc Qd 2h    -200    200  -100
    Kh Qs Td / Kc Qd 3h    -300    300  -100
    Kh Qs Td / Kc Qd 4h    -400    400  -100
    Kh Qs Td / Kc Qd 5h    -500    500  -100
    Kh Qs Td / Kc Qd 6h    -600    600  -100
    Kh Qs Td / Kc Qd 7h    -700    700  -100
    Kh Qs Td / Kc Qd 8h    -800    800  -100
    Kh Qs Td / Kc Qd 9h    -900    855  -100
    Ah 2s 5d / Jc 2h Ad     800   -800  -100
    Ah 3s 5d / Jc 2h Ad     855   -900  -100
    Kh 6s / Kd 2c 4h          0      0   800
    9h Ks / 4d 5c             0      0   800
"""

# Each Player row wins by one point, so that winning points run from 1 to 9 and losing from 0 to 8.
KNOCKOUT = """
                            P    B    T   PP   BP  1-4  5-6    7    8    9   AP   AB   WP   WB
    Kh Qs Ad / Kc Qd Th   100 -100 -100 -100 -100  700 -100 -100 -100 -100  100 -100  100 -200
    Kh Qs 2d / Kc Qd Ah   100 -100 -100 -100 -100  700 -100 -100 -100 -100  100 -100  100 -200
    Kh Qs 3d / Kc Qd 2h   100 -100 -100 -100 -100  700 -100 -100 -100 -100  100 -100  100 -200
    Kh Qs 4d / Kc Qd 3h   100 -100 -100 -100 -100  700 -100 -100 -100 -100  100 -100  100 -200
    Kh Qs 5d / Kc Qd 4h   100 -100 -100 -100 -100 -100  300 -100 -100 -100  100 -100  200 -200
    Kh Qs 6d / Kc Qd 5h   100 -100 -100 -100 -100 -100  300 -100 -100 -100  100 -100  200 -200
    Kh Qs 7d / Kc Qd 6h   100 -100 -100 -100 -100 -100 -100  400 -100 -100  100 -100  400 -200
    Kh Qs 8d / Kc Qd 7h   100 -100 -100 -100 -100 -100 -100 -100  300 -100  100 -100  400 -200
    Kh Qs 9d / Kc Qd 8h   100 -100 -100 -100 -100 -100 -100 -100 -100  200  100 -100  400 -200
    Kh Qs Td / Kc Qd Ah  -100  100 -100 -100 -100  700 -100 -100 -100 -100 -100  100 -200  100
    Kh Qs Ad / Kc Qd 2h  -100  100 -100 -100 -100  700 -100 -100 -100 -100 -100  100 -200  100
    Kh Qs 2d / Kc Qd 3h  -100  100 -100 -100 -100  700 -100 -100 -100 -100 -100  100 -200  100
    Kh Qs 3d / Kc Qd 4h  -100  100 -100 -100 -100  700 -100 -100 -100 -100 -100  100 -200  100
    Kh Qs 4d / Kc Qd 5h  -100  100 -100 -100 -100 -100  300 -100 -100 -100 -100  100 -200  200
    Kh Qs 5d / Kc Qd 6h  -100   50 -100 -100 -100 -100  300 -100 -100 -100 -100  100 -200  200
    Kh Qs 6d / Kc Qd 7h  -100  100 -100 -100 -100 -100 -100  400 -100 -100 -100  100 -200  400
    Kh Qs 7d / Kc Qd 8h  -100  100 -100 -100 -100 -100 -100 -100  300 -100 -100  100 -200  400
    Kh Qs 8d / Kc Qd 9h  -100  100 -100 -100 -100 -100 -100 -100 -100  200 -100  100 -200  400
    Kh 2s 3c / Kd 6c     -100   50 -100 -100 -100 -100  300 -100 -100 -100 -100  100 -200  200
    Th Ts 8c / Kd 7c      100 -100 -100 1100 -100 -100 -100 -100  300 -100  100 -100  400 -200
    8h Ks / 4d 4c           0    0  800 -100 1100    0    0    0    0    0    0    0    0    0
    Kh 6s / Kd 2c 4h        0    0  800 -100 -100    0    0    0    0    0    0    0    0    0
"""

SHORT = {
    "P": "player",
    "B": "banker",
    "T": "tie",
    "PP": "player_pair",
    "BP": "banker_pair",
    "1-4": "winning_total_1_4",
    "5-6": "winning_total_5_6",
    "7": "winning_total_7",
    "8": "winning_total_8",
    "9": "winning_total_9",
    "AP": "ante_player",
    "AB": "ante_banker",
    "WP": "wager_player",
    "WB": "wager_banker",
}

PRINTED = {
    "online-baccarat": [COMMISSION, PAIRS, ONLINE_SIDE_BETS],
    "online-cow-cow": [COW_COW],
    "online-no-commission": [NON_COMMISSION, PAIRS, ONLINE_SIDE_BETS],
    "rws-commission": [COMMISSION, PAIRS],
    "rws-knockout": [KNOCKOUT],
    "rws-non-commission-etg": [NON_COMMISSION, PAIRS],
    "skycity-commission": [COMMISSION],
    "skycity-non-commission": [NON_COMMISSION],
}


def rows(table: str) -> Iterator[tuple[str, dict[str, int]]]:
    """A printed table, row by row: the coup, and the net on each spot."""
    header, *lines = table.strip().splitlines()
    spots = [SHORT.get(word, word) for word in header.split()]
    for line in lines:
        words = line.split()
        nets = [int(word) for word in words[-len(spots) :]]
        yield " ".join(words[: -len(spots)]), dict(zip(spots, nets, strict=True))


CASES = [
    (book, coup, nets) for book, tables in PRINTED.items() for t in tables for coup, nets in rows(t)
]


@every(("book", "coup", "nets"), CASES, ids=[f"{b} {c}" for b, c, _ in CASES])
def test_every_bet_pays_what_is_printed(book: str, coup: str, nets: dict[str, int]) -> None:
    stakes = {spot: 200 if spot.startswith("wager") else 100 for spot in nets}
    settled = settle(load(book), coup, stakes)

    assert {bet.spot: bet.net for bet in settled.bets} == nets
    assert settled.net == sum(nets.values())


@every("book", ids())
def test_the_printed_tables_reach_every_line_of_every_spot(book: str) -> None:
    """A line that the tables above do not reach could pay anything."""
    reached: dict[str, set[int]] = {spot: set() for spot in load(book).spots}
    for _, coup, nets in (case for case in CASES if case[0] == book):
        truth = facts(Coup.parse(coup))
        for spot in nets:
            table = load(book).spots[spot].table
            reached[spot].add(table.lines.index(table.line(truth)))

    assert reached == {
        id: set(range(len(spot.table.lines))) for id, spot in load(book).spots.items()
    }


# Every line, found by search


@cache
def every_coup() -> tuple[tuple[Coup, Mapping[str, Value]], ...]:
    """A coup for every pair of starting hands, with and without a pair, and all third cards."""
    letters = "TA23456789"
    starts = [("K", letter) for letter in letters] + [(letter, letter) for letter in "AT234"]
    cards = parse_cards(" ".join(f"{letter}h" for letter in letters))

    def finished(coup: Coup) -> Iterator[Coup]:
        side = next_side(coup)
        if side is None:
            yield coup
            return
        for card in cards:
            yield from finished(coup.with_card(side, card))

    return tuple(
        (coup, facts(coup))
        for (p1, p2), (b1, b2) in product(starts, repeat=2)
        for coup in finished(Coup.parse(f"{p1}c {p2}d / {b1}s {b2}c"))
    )


def bets_beside(book: Rulebook, spot: str) -> dict[str, int]:
    """The least bet on a spot, and what the book wants beside it."""
    chosen = book.spot(spot)
    if chosen.needs:
        return {chosen.needs.any_of[0]: 100, spot: chosen.step}
    if chosen.stage:
        return {chosen.stage.follows: chosen.step, spot: chosen.step * chosen.stage.multiple}
    second = book.stage_of(spot)
    if second:
        assert second.stage is not None
        return {spot: second.step, second.id: second.step * second.stage.multiple}
    return {spot: chosen.step}


LINES = [
    (book, spot, number)
    for book in ids()
    for spot in load(book).spots
    for number in range(len(load(book).spots[spot].table.lines))
]


@every(("book", "spot", "number"), LINES)
def test_every_line_settles_the_least_stake_in_whole_units(
    book: str, spot: str, number: int
) -> None:
    rules = load(book)
    table = rules.spots[spot].table
    line = table.lines[number]
    coup = next(coup for coup, truth in every_coup() if table.line(truth) is line)
    bets = bets_beside(rules, spot)
    (settled,) = (bet for bet in settle(rules, coup, bets).bets if bet.spot == spot)
    stake = bets[spot]

    assert settled == SettledBet(
        spot=spot,
        stake=stake,
        net=int(stake * line.odds - stake * line.odds * line.commission),
        commission=int(stake * line.odds * line.commission),
        clause=line.clause,
    )
    assert settled.net == stake * line.net
    assert settled.commission == stake * line.withheld


@every("book", ids())
def test_only_a_banker_win_and_cow_cows_nine_are_taxed(book: str) -> None:
    taxed = {
        (spot, tuple(line.when.items()), line.commission)
        for spot in load(book).spots
        for line in load(book).spots[spot].table.lines
        if line.commission
    }
    five = Fraction(1, 20)

    assert taxed == {
        "online-baccarat": {("banker", (("winner", ("banker",)),), five)},
        "rws-commission": {("banker", (("winner", ("banker",)),), five)},
        "skycity-commission": {("banker", (("winner", ("banker",)),), five)},
        "online-cow-cow": {
            ("player", (("winner", ("player",)), ("winning_points", (9,))), five),
            ("banker", (("winner", ("banker",)), ("winning_points", (9,))), five),
        },
    }.get(book, set())


@every(
    ("book", "coup", "spot", "stake", "net", "commission"),
    [
        ("rws-commission", "Kh 2s 3c / Kd 6c", "banker", 100, 95, 5),
        ("rws-commission", "Kh 2s 3c / Kd 6c", "banker", 20, 19, 1),
        ("online-baccarat", "Kh 2s 3c / Kd 6c", "banker", 40, 38, 2),
        ("skycity-commission", "Kh 2s 3c / Kd 6c", "banker", 2_000, 1_900, 100),
        ("online-cow-cow", "Ah 3s 5d / Jc 2h Ad", "player", 100, 855, 45),
        ("online-cow-cow", "Ah 3s 5d / Jc 2h Ad", "banker", 100, -900, 0),
        ("online-cow-cow", "Ah 2s 5d / Jc 2h Ad", "player", 20, 160, 0),
        ("rws-commission", "Kh 6s / Kd 2c 4h", "banker", 100, 0, 0),
    ],
)
def test_the_commission_is_booked_beside_the_net(
    book: str, coup: str, spot: str, stake: int, net: int, commission: int
) -> None:
    (bet,) = settle(load(book), coup, {spot: stake}).bets

    assert (bet.net, bet.commission) == (net, commission)


# The settlement as a whole


def test_a_settlement_is_written_in_full() -> None:
    settled = settle(load("rws-commission"), "Kh 2s 3c / Kd 6c", {"banker": 100, "tie": 7})

    assert settled.document() == {
        "book": "rws-commission",
        "coup": "Kh 2s 3c / Kd 6c",
        "facts": facts(Coup.parse("Kh 2s 3c / Kd 6c")),
        "bets": [
            {"spot": "banker", "stake": 100, "net": 95, "commission": 5, "clause": "CB4 4.1.1"},
            {"spot": "tie", "stake": 7, "net": -7, "commission": 0, "clause": "CB4 3.13"},
        ],
        "net": 88,
    }


def test_a_coup_may_be_given_in_either_form() -> None:
    text = "Kh 2s 3c / Kd 6c"
    by_text, by_value = (
        settle(load("rws-commission"), coup, {"player": 1}) for coup in (text, Coup.parse(text))
    )

    assert by_text == by_value
    assert by_text.coup == Coup.parse(text)


def test_nobody_bet() -> None:
    settled = settle(load("rws-commission"), "9h Ks / 8d Kc", {})

    assert settled == Settlement(
        "rws-commission", Coup.parse("9h Ks / 8d Kc"), facts(Coup.parse("9h Ks / 8d Kc")), ()
    )
    assert settled.net == 0


@every("side", ["player", "banker"])
@every("coup", ["9h Ks / 2d Kc", "2h Ks / 9d Kc", "Kh 6s / Kd 2c 4h"])
def test_an_ante_without_its_wager_was_declined_and_is_lost(side: str, coup: str) -> None:
    """Whoever wins: even the coup that the Ante would have won, or had returned."""
    (bet,) = settle(load("rws-knockout"), coup, {f"ante_{side}": 70}).bets

    assert bet == SettledBet(f"ante_{side}", 70, -70, 0, "KO2 3.4.1")


def test_declining_one_ante_leaves_the_other_alone() -> None:
    bets = {"ante_player": 10, "ante_banker": 10, "wager_banker": 20}
    settled = settle(load("rws-knockout"), "2h Ks / 9d Kc", bets)

    assert {bet.spot: bet.net for bet in settled.bets} == {
        "ante_player": -10,
        "ante_banker": 10,
        "wager_banker": 10,
    }


HALF_ON_SIX = {
    "online-no-commission",
    "rws-knockout",
    "rws-non-commission-etg",
    "skycity-non-commission",
}
"""The books that take no commission and pay half when Banker wins with six."""


@given(SIX_CARDS, st.integers(1, 50))
def test_money_is_conserved_between_the_sides(cards: list[Card], units: int) -> None:
    """Equal stakes on both sides: what one wins the other loses, but for what a book keeps."""
    coup, stake = Coup.deal(cards), 20 * units
    banker_six = coup.winner.value == "banker" and coup.banker_points == 6
    for book in map(load, ids()):
        settled = settle(book, coup, {"player": stake, "banker": stake})
        halved = banker_six and book.id in HALF_ON_SIX

        withheld = sum(bet.commission for bet in settled.bets)
        assert settled.net + withheld == (-stake // 2 if halved else 0)
        assert settled.net == sum(bet.net for bet in settled.bets)


@given(SIX_CARDS, st.integers(1, 1_000))
def test_nets_grow_with_the_stake_and_never_beyond_the_reserve(
    cards: list[Card], times: int
) -> None:
    coup = Coup.deal(cards)
    for book in map(load, ids()):
        for spot in book.spots:
            least = bets_beside(book, spot)
            many = {id: stake * times for id, stake in least.items()}
            once, often = settle(book, coup, least), settle(book, coup, many)
            assert often.net == once.net * times
            assert -often.net <= reserve(book, many)


@given(SIX_CARDS, st.permutations(DECK))
def test_pairs_are_blind_to_third_cards_and_suits(cards: list[Card], others: list[Card]) -> None:
    """Only the ranks of the first four cards decide a pair, whatever follows them."""
    first_four, follow = cards[:4], others[:2]
    bets = {"player_pair": 1, "banker_pair": 1}
    pair = [first_four[0].rank is first_four[2].rank, first_four[1].rank is first_four[3].rank]

    for rest in (cards[4:], follow):
        settled = settle(load("rws-commission"), Coup.deal([*first_four, *rest]), bets)
        assert [bet.net for bet in settled.bets] == [11 if won else -1 for won in pair]


# Refusals


def refusal(book: str, coup: str, bets: Mapping[str, int], decks: int | None = None) -> Refusal:
    with pytest.raises(Refusal) as caught:
        settle(load(book), coup, bets, decks)
    return caught.value


def test_a_bet_that_the_book_does_not_offer() -> None:
    refused = refusal("skycity-commission", "9h Ks / 8d Kc", {"player": 1, "lucky_six": 1})

    assert refused == Refusal(
        "bet/not-offered",
        {
            "spot": "lucky_six",
            "book": "SkyCity Commission Baccarat",
            "offered": ("player", "banker", "tie"),
        },
        "SKY bets",
    )


@every("stake", [0, -1, -20, 10**15 + 1, 10**15 + 20, 10**30])
def test_a_stake_is_at_least_one_unit_and_at_most_a_thousand_million_million(stake: int) -> None:
    refused = refusal("rws-commission", "9h Ks / 8d Kc", {"banker": stake})

    params = {"spot": "banker", "stake": stake, "most": 10**15}
    assert refused == Refusal("bet/stake", params, "HOUSE stake")
    check_offered(load("rws-commission"), "tie", 1)
    check_offered(load("rws-commission"), "banker", 10**15)


@every("stake", [1, 10, 19, 21, 110])
def test_a_stake_off_its_step_is_refused_with_the_step(stake: int) -> None:
    refused = refusal("rws-commission", "9h Ks / 8d Kc", {"banker": stake})

    assert refused == Refusal(
        "bet/off-step", {"spot": "banker", "stake": stake, "step": 20}, "HOUSE step"
    )


@every("spot", ["1_4", "5_6", "7", "8", "9"])
def test_a_winning_total_needs_player_or_banker_beside_it(spot: str) -> None:
    total = f"winning_total_{spot}"
    refused = refusal("rws-knockout", "9h Ks / 8d Kc", {"tie": 10, total: 10})

    assert refused == Refusal(
        "bet/needs-main-bet",
        {"spot": total, "others": ("player", "banker")},
        "KO2 1 Winning Total",
    )
    for main in ("player", "banker"):
        check_bets(load("rws-knockout"), {total: 10, main: 10})


@pytest.mark.parametrize("side", ["player", "banker"])
def test_a_wager_without_its_ante(side: str) -> None:
    other = "banker" if side == "player" else "player"
    refused = refusal("rws-knockout", "9h Ks / 8d Kc", {f"ante_{other}": 5, f"wager_{side}": 10})

    assert refused == Refusal(
        "bet/needs-first-bet", {"spot": f"wager_{side}", "other": f"ante_{side}"}, "KO2 3.4.2"
    )


@every("stake", [2, 3, 10, 18, 21, 22, 40])
def test_a_wager_is_exactly_twice_its_ante(stake: int) -> None:
    refused = refusal("rws-knockout", "9h Ks / 8d Kc", {"ante_player": 10, "wager_player": stake})

    assert refused == Refusal(
        "bet/wrong-multiple",
        {
            "spot": "wager_player",
            "stake": stake,
            "other": "ante_player",
            "multiple": 2,
            "must": 20,
        },
        "KO2 3.4.2",
    )
    check_bets(load("rws-knockout"), {"ante_player": 10, "wager_player": 20})


@every(
    ("spot", "stake", "code"),
    [
        ("lucky_six", 20, "bet/not-offered"),
        ("banker", 0, "bet/stake"),
        ("banker", 21, "bet/off-step"),
    ],
)
def test_one_stake_is_checked_by_itself(spot: str, stake: int, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        check_bets(load("rws-commission"), {spot: stake})

    assert caught.value.code == code
    assert caught.value.params["spot"] == spot


@every("stake", [100.0, True, "100", Fraction(100)])
def test_a_stake_is_a_whole_number(stake: Any) -> None:
    refused = refusal("rws-commission", "9h Ks / 8d Kc", {"banker": stake})

    assert (refused.code, refused.clause) == ("bet/whole", "HOUSE stake")
    assert "whole number" in str(refused)


def test_every_stake_is_looked_at_before_any_combination() -> None:
    """A Winning Total without its main bet, and no stake at all: the stake speaks first."""
    bets = {"winning_total_7": 10, "wager_player": 0}

    assert refusal("rws-knockout", "9h Ks / 8d Kc", bets).code == "bet/stake"


def test_a_coup_that_the_tableau_does_not_deal() -> None:
    refused = refusal("rws-commission", "9h Ks 2c / 8d Kc", {"player": 1})

    params = {"coup": "9h Ks 2c / 8d Kc", "side": "player", "card": "2c"}
    assert refused == Refusal("coup/card-too-many", params, "CB4 3.12")


def test_more_copies_of_a_card_than_decks() -> None:
    """Five kings of hearts need five decks; eight are usual."""
    coup, bets = "Kh Kh Kh / Kh Kh 2d", {"player": 1}
    refused = refusal("rws-commission", coup, bets, decks=4)

    params = {"card": "Kh", "copies": 5, "decks": 4}
    assert refused == Refusal("shoe/too-many-copies", params, "CB4 2.2.1")
    assert settle(load("rws-commission"), coup, bets, decks=5).net == -1
    assert settle(load("rws-commission"), coup, bets).net == -1


@every("decks", [0, 3, 9])
def test_a_number_of_decks_that_the_book_does_not_allow(decks: int) -> None:
    refused = refusal("rws-commission", "9h Ks / 8d Kc", {"player": 1}, decks=decks)

    assert refused == Refusal("shoe/decks", {"decks": decks, "allowed": "4–8"}, "CB4 2.2.1")


# Lines and reserves


def line(odds: str, commission: str) -> Line:
    return Line({}, Fraction(odds), Fraction(commission), "HOUSE")


def test_a_line_pays_a_stake_on_its_step() -> None:
    assert pay(line("9", "1/20"), "player", 20) == SettledBet("player", 20, 171, 9, "HOUSE")


def test_a_broken_unit_is_an_error_of_ours() -> None:
    with pytest.raises(AssertionError, match=r"^a stake on its step settles in whole units$"):
        pay(line("1/2", "0"), "banker", 1)
    # Here the net would be whole, 1, but of a win of 1½ and a commission of ½.
    with pytest.raises(AssertionError, match=r"^a stake on its step is taxed in whole units$"):
        pay(line("3/2", "1/3"), "banker", 1)


def test_the_reserve_covers_the_worst_of_every_bet() -> None:
    cow_cow, commission = load("online-cow-cow"), load("rws-commission")

    assert reserve(cow_cow, {"player": 100, "banker": 20, "tie": 7}) == 900 + 180 + 7
    assert reserve(commission, {"player": 100, "tie": 7}) == 107
    assert reserve(commission, {}) == 0
    with pytest.raises(Refusal, match="offers no bet"):
        reserve(cow_cow, {"lucky_six": 1})
