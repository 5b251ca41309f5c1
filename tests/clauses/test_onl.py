"""ONL, the online live-dealer rulebook: Baccarat, No Commission and Cow Cow, clause by clause."""

from dataclasses import replace

import pytest

from cutcard import Card, Coup, Side, Winner, deal, next_side, settle
from cutcard.odds import odds
from cutcard.odds.pricing import decimal
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.cards import DECK, Rank, Suit, parse_cards
from cutcard.rules.limits import Bet, Kind, Limit, Scope, check_bet, check_withdrawal, tightest
from cutcard.rules.paytable import PayTable
from cutcard.rules.rulebook import Cut, Decks
from cutcard.rules.settlement import reserve
from cutcard.rules.shoe import Shoe, burn_count, composition, deal_shoe, full_shoe
from tests.cases import every
from tests.talk import draws, net, nets, refused

BACCARAT, NO_COMMISSION, COW_COW = "online-baccarat", "online-no-commission", "online-cow-cow"
BOOKS = (BACCARAT, NO_COMMISSION, COW_COW)
EIGHT_BETS = (BACCARAT, NO_COMMISSION)

# Three-card hands of every total; against nothing they win, against each other they tie.
CARD = {0: "J", 1: "A", **{points: str(points) for points in range(2, 10)}}

LONE_BANKER_SIX = "Kh 2s 3d / 4c 2h"  # two cards beat a Player five
DRAWN_BANKER_SIX = "Kh 2s 3d / Ac 2h 3s"  # three cards beat a Player five


def result(player: int, banker: int) -> str:
    """A coup in which both sides have nothing on two cards and end with these points."""
    return f"Kh Qs {CARD[player]}d / Kc Qd {CARD[banker]}h"


def paid(book: str, coup: str, **bet: int) -> tuple[int, str]:
    """What one bet gains or loses on a coup, and the clause it is settled by."""
    (settled,) = settle(load(book), coup, bet).bets
    return settled.net, settled.clause


def limits(book: str, **amounts: int) -> tuple[Limit, ...]:
    """The book's limits with other amounts, named by kind and scope: `table_maximum=1000`."""
    return tuple(
        replace(limit, amount=amounts.get(f"{limit.scope.value}_{limit.kind.value}", limit.amount))
        for limit in load(book).limits
    )


# Baccarat


@pytest.mark.clause("ONL B1")
@every("book", BOOKS)
def test_cards_fall_player_banker_player_banker(book: str) -> None:
    """Six cards in a row: 1, 3 and 5 lie on Player's side, 2, 4 and 6 on Banker's."""
    coup = Coup.deal(parse_cards("Ah Js 3d 2c 5h Ad"))

    assert coup.player == parse_cards("Ah 3d 5h")
    assert coup.banker == parse_cards("Js 2c Ad")
    assert load(book).cites["deal"] == "ONL B1"


@pytest.mark.clause("ONL B1")
def test_no_side_has_two_of_the_first_four_cards_in_a_row() -> None:
    on_table, order = Coup(), []
    for card in parse_cards("9h 9s Kd Kc"):
        side = next_side(on_table)
        assert side is not None
        order.append(side)
        on_table = on_table.with_card(side, card)

    assert order == [Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER]


@pytest.mark.clause("ONL B1")
@every("book", BOOKS)
def test_a_shoe_deals_its_first_round_in_that_order(book: str) -> None:
    transcript = deal(load(book), seed=7, rounds=1)
    (first,) = transcript.coups
    c1, c2, c3, c4 = transcript.shoe.cards[first.start : first.start + 4]

    assert first.coup.player[:2] == (c1, c3)
    assert first.coup.banker[:2] == (c2, c4)


@pytest.mark.clause("ONL B2")
@every("book", BOOKS)
def test_the_shoe_holds_eight_of_every_card(book: str) -> None:
    shoe = deal(load(book), seed=1, rounds=1).shoe

    assert load(book).decks == Decks(least=8, most=8, usual=8, clause="ONL B2")
    assert len(shoe.cards) == 416
    assert len(composition(shoe.cards)) == 52
    assert set(composition(shoe.cards).values()) == {8}


@pytest.mark.clause("ONL B2")
@every("decks", [1, 4, 6, 7, 9])
@every("book", BOOKS)
def test_any_other_number_of_decks_is_refused(book: str, decks: int) -> None:
    with pytest.raises(Refusal) as caught:
        deal(load(book), seed=1, decks=decks)

    assert caught.value.code == "shoe/decks"
    assert caught.value.clause == "ONL B2"


@pytest.mark.clause("ONL B2")
@every("joker", ["Joker", "Jk", "JK", "X", "★", "🃏"])
def test_there_is_no_joker(joker: str) -> None:
    with pytest.raises(Refusal) as caught:
        Card.parse(joker)

    assert caught.value.code == "card/unreadable"
    assert len(DECK) == 52


@pytest.mark.clause("ONL B3")
@every("suit", Suit)
@every(
    ("exposed", "burned"),
    [
        ("A", 1),
        ("2", 2),
        ("3", 3),
        ("4", 4),
        ("5", 5),
        ("6", 6),
        ("7", 7),
        ("8", 8),
        ("9", 9),
        ("T", 10),
        ("J", 10),
        ("Q", 10),
        ("K", 10),
    ],
)
def test_the_exposed_card_says_how_many_are_burned(exposed: str, burned: int, suit: Suit) -> None:
    assert burn_count(Card(Rank(exposed), suit)) == burned


@pytest.mark.clause("ONL B3")
@every("book", BOOKS)
def test_a_seven_burns_seven_more_and_leaves_408(book: str) -> None:
    """7c is turned over, seven cards go, and the ninth card of the shoe is Player's first."""
    cards = full_shoe(8)
    seven = cards.index(Card.parse("7c"))
    shoe = Shoe(cards[seven:] + cards[:seven], behind_cut=14)
    first = next(deal_shoe(shoe))

    assert shoe.exposed == Card.parse("7c")
    assert shoe.burned == parse_cards("8c 9c Tc Jc Qc Kc Ad")
    assert len(shoe.cards) - first.start == 408
    assert first.coup.player[0] == Card.parse("2d")
    assert load(book).burn_clause == "ONL B3"


@pytest.mark.clause("ONL B3")
@every(("exposed", "gone"), [("Ac", 2), ("9c", 10), ("Tc", 11), ("Kc", 11)])
def test_the_exposed_card_is_not_one_of_the_burned(exposed: str, gone: int) -> None:
    """Two cards leave the shoe after an ace, eleven after a ten or a picture."""
    shoe = Shoe((Card.parse(exposed), *full_shoe(8)), behind_cut=14)

    assert next(deal_shoe(shoe)).start == gone


@pytest.mark.clause("ONL B4")
@every(
    ("behind", "last", "before_cut"),
    [
        (16, 65, 5),  # the cut card comes out before the last card of round 65
        (15, 66, 0),  # before the first card of round 66
        (14, 66, 1),  # position 402: before its second card
        (10, 66, 5),
        (9, 67, 0),
    ],
)
def test_the_round_of_the_cut_card_is_the_last(behind: int, last: int, before_cut: int) -> None:
    """Kings only: eleven leave with the burn, then every round takes six."""
    shoe = Shoe(parse_cards("Kc") * 416, behind_cut=behind)
    rounds = list(deal_shoe(shoe))

    assert len(rounds) == rounds[-1].number == last
    assert shoe.cut_position - rounds[-1].start == before_cut
    assert [dealt.cut_card for dealt in rounds] == [False] * (last - 1) + [True]


@pytest.mark.clause("ONL B4")
def test_the_last_round_is_dealt_to_its_end() -> None:
    """The cut card comes out after one card; the other five are still drawn."""
    *_, last = deal_shoe(Shoe(parse_cards("Kc") * 416, behind_cut=14))

    assert str(last.coup) == "Kc Kc Kc / Kc Kc Kc"
    assert next_side(last.coup) is None


@pytest.mark.clause("ONL B4")
@every("book", BOOKS)
def test_a_dealt_shoe_ends_with_the_cut_card(book: str) -> None:
    transcript = deal(load(book), seed=11)
    *earlier, last = transcript.coups

    assert load(book).cut == Cut(least=14, most=52, clause="ONL B4")
    assert 14 <= transcript.shoe.behind_cut <= 52
    assert not any(dealt.cut_card for dealt in earlier)
    assert last.cut_card
    assert next_side(last.coup) is None
    assert last.start <= transcript.shoe.cut_position < last.start + len(last.coup.dealt)


@pytest.mark.clause("ONL B6")
@every(
    ("coup", "won"),
    [
        (LONE_BANKER_SIX, 120),
        (DRAWN_BANKER_SIX, 200),
        ("Kh 6s / Qd 6c", -10),  # a tie on two-card sixes
        ("Kh 2s 4d / Qc 2h 4s", -10),  # a tie on three-card sixes
        ("Kh 7s / Qd 6c", -10),  # Banker has six and loses
        ("Kh 6s / Qd 5c Kd", -10),  # Player wins with six
        ("Kh 2s 3d / Qd 7c", -10),  # Banker wins with seven
        ("Kh 2s 4d / Qc 2h 3s", -10),  # Player's three-card six beats five
    ],
)
@every(("book", "clause"), [(BACCARAT, "ONL B6"), (NO_COMMISSION, "ONL NC2")])
def test_lucky_six_counts_the_cards_of_banker(book: str, clause: str, coup: str, won: int) -> None:
    """Player has drawn both times; two Banker cards pay 12 to 1, three pay 20 to 1."""
    assert paid(book, coup, lucky_six=10) == (won, clause)


@pytest.mark.clause("ONL B7")
@pytest.mark.parametrize("book", EIGHT_BETS)
def test_eight_bets_are_offered(book: str) -> None:
    assert [(spot.id, spot.label) for spot in load(book).spots.values()] == [
        ("player", "Player"),
        ("banker", "Banker"),
        ("tie", "Tie"),
        ("player_pair", "Player Pair"),
        ("banker_pair", "Banker Pair"),
        ("lucky_six", "Lucky Six"),
        ("player_natural", "Player Natural"),
        ("banker_natural", "Banker Natural"),
    ]


@pytest.mark.clause("ONL B7")
@pytest.mark.parametrize("book", EIGHT_BETS)
def test_all_eight_may_be_placed_at_once(book: str) -> None:
    """Player's natural nine beats a Banker pair of fours, itself a natural."""
    on_all = dict.fromkeys(load(book).spots, 20)

    assert nets(book, "Kh 9s / 4d 4c", **on_all) == {
        "player": 20,
        "banker": -20,
        "tie": -20,
        "player_pair": -20,
        "banker_pair": 220,
        "lucky_six": -20,
        "player_natural": 70,
        "banker_natural": 70,
    }


@pytest.mark.clause("ONL B7")
@pytest.mark.parametrize(("book", "clause"), [(BACCARAT, "ONL B7"), (NO_COMMISSION, "ONL NC2")])
def test_a_ninth_bet_is_not_offered(book: str, clause: str) -> None:
    refusal = refused(book, result(9, 0), winning_total_9=100)

    assert refusal.code == "bet/not-offered"
    assert refusal.clause == clause


@pytest.mark.clause("ONL B8")
@every("points", range(1, 10))
@every(("book", "clause"), [(BACCARAT, "ONL B8"), (NO_COMMISSION, "ONL NC2")])
def test_player_pays_even_money(book: str, clause: str, points: int) -> None:
    assert paid(book, result(points, 0), player=100) == (100, clause)


@pytest.mark.clause("ONL B8")
@pytest.mark.parametrize("book", EIGHT_BETS)
def test_player_pays_no_commission(book: str) -> None:
    (bet,) = settle(load(book), result(9, 3), {"player": 100}).bets

    assert bet.commission == 0


@pytest.mark.clause("ONL B9")
@every("points", range(1, 10))
def test_banker_pays_even_money_less_five_per_cent(points: int) -> None:
    """Also with six: only No Commission halves it."""
    (bet,) = settle(load(BACCARAT), result(0, points), {"banker": 100}).bets

    assert (bet.net, bet.commission, bet.clause) == (95, 5, "ONL B9")


@pytest.mark.clause("ONL B9")
def test_commission_is_taken_from_wins_only() -> None:
    (lost,) = settle(load(BACCARAT), result(9, 3), {"banker": 100}).bets
    (pushed,) = settle(load(BACCARAT), result(5, 5), {"banker": 100}).bets

    assert (lost.net, lost.commission) == (-100, 0)
    assert (pushed.net, pushed.commission) == (0, 0)


@pytest.mark.clause("ONL B9")
@every("stake", [1, 10, 19, 21, 110])
def test_a_stake_whose_commission_would_be_rounded_is_refused(stake: int) -> None:
    refusal = refused(BACCARAT, result(0, 9), banker=stake)

    assert refusal.code == "bet/off-step"
    assert refusal.params["step"] == 20
    assert net(BACCARAT, result(0, 9), banker=20) == 19


@pytest.mark.clause("ONL B10")
@every(
    ("coup", "player_pair", "banker_pair"),
    [
        ("4h 4s / Kd 2c", 110, -10),
        ("Kh 9s / 3d 3c", -10, 110),
        ("4h 4s / 4d 4c", 110, 110),  # both pairs, and a tie
        ("Kh 9s / Kd 9c", -10, -10),
    ],
)
@every(("book", "clause"), [(BACCARAT, "ONL B10"), (NO_COMMISSION, "ONL NC2")])
def test_each_pair_pays_eleven_to_one(
    book: str, clause: str, coup: str, player_pair: int, banker_pair: int
) -> None:
    lost = "ONL B18"

    assert paid(book, coup, player_pair=10) == (player_pair, clause if player_pair > 0 else lost)
    assert paid(book, coup, banker_pair=10) == (banker_pair, clause if banker_pair > 0 else lost)


@pytest.mark.clause("ONL B11")
@every("points", range(10))
@every(
    ("book", "clause"),
    [(BACCARAT, "ONL B11"), (NO_COMMISSION, "ONL NC2"), (COW_COW, "ONL CC6")],
)
def test_tie_pays_eight_to_one(book: str, clause: str, points: int) -> None:
    """In Cow Cow too, whatever the points of the tie."""
    assert paid(book, result(points, points), tie=10) == (80, clause)


@pytest.mark.clause("ONL B12")
@every("points", [8, 9])
@every(("book", "clause"), [(BACCARAT, "ONL B12"), (NO_COMMISSION, "ONL NC2")])
def test_a_natural_pays_seven_to_two(book: str, clause: str, points: int) -> None:
    assert paid(book, f"Kh {points}s / Kd 2c", player_natural=10) == (35, clause)
    assert paid(book, f"Kh 2s / Kd {points}c", banker_natural=10) == (35, clause)


@pytest.mark.clause("ONL B12")
@every("spot", ["player_natural", "banker_natural"])
@every("book", EIGHT_BETS)
def test_an_odd_stake_on_a_natural_is_refused(book: str, spot: str) -> None:
    refusal = refused(book, "Kh 9s / Kd 9c", **{spot: 11})

    assert refusal.code == "bet/off-step"
    assert refusal.params["step"] == 2
    assert net(book, "Kh 9s / Kd 9c", **{spot: 2}) == 7


@pytest.mark.clause("ONL B13")
@every("suit", Suit)
@every(
    ("rank", "points"),
    [
        ("A", 1),
        ("2", 2),
        ("3", 3),
        ("4", 4),
        ("5", 5),
        ("6", 6),
        ("7", 7),
        ("8", 8),
        ("9", 9),
        ("T", 0),
        ("J", 0),
        ("Q", 0),
        ("K", 0),
    ],
)
def test_what_a_card_counts(rank: str, points: int, suit: Suit) -> None:
    """The same in every suit."""
    assert Card(Rank(rank), suit).points == points


@pytest.mark.clause("ONL B13")
@every(
    ("hand", "points"),
    [
        ("8h 7s", 5),  # the book's example: 15 scores 5
        ("4h 6s", 0),
        ("9h 9s", 8),
        ("Th Ks", 0),
        ("Ah Ts", 1),
        ("9h 7s 8d", 4),
        ("5h Ts 5d", 0),
        ("9h 9s 9d", 7),
    ],
)
def test_the_last_digit_of_the_total_counts(hand: str, points: int) -> None:
    coup = Coup.parse(f"{hand} / {hand}")

    assert coup.player_points == coup.banker_points == points


@pytest.mark.clause("ONL B13")
@every("book", BOOKS)
def test_suits_do_not_matter(book: str) -> None:
    """Fifteen against five is a tie in mixed suits as in one."""
    assert load(book).cites["values"] == "ONL B13"
    assert net(book, "8h 7s Kc / Kd 5d", tie=10) == 80
    assert net(book, "8h 7h Kh / Kh 5h", tie=10) == 80


@pytest.mark.clause("ONL B14")
@every("book", BOOKS)
def test_the_printed_example_is_dealt_as_printed(book: str) -> None:
    """A, J, 3, 2, 5, A: Player draws on 4, Banker on 2, and nine beats three."""
    coup = Coup.deal(parse_cards("Ah Js 3d 2c 5h Ad"))

    assert str(coup) == "Ah 3d 5h / Js 2c Ad"
    assert (coup.player_points, coup.banker_points) == (9, 3)
    assert coup.winner is Winner.PLAYER
    assert load(book).cites["winner"] == "ONL B14"


@pytest.mark.clause("ONL B14")
@every("banker", range(10))
@every("player", range(10))
def test_more_points_win(player: int, banker: int) -> None:
    coup = Coup.parse(result(player, banker))

    if player > banker:
        assert coup.winner is Winner.PLAYER
    elif player < banker:
        assert coup.winner is Winner.BANKER
    else:
        assert coup.winner is Winner.TIE


@pytest.mark.clause("ONL B14")
@pytest.mark.parametrize("book", EIGHT_BETS)
def test_a_bet_on_the_other_side_loses_its_stake(book: str) -> None:
    assert paid(book, "Ah 3d 5h / Js 2c Ad", banker=100) == (-100, "ONL B14")
    assert paid(book, result(3, 9), player=100) == (-100, "ONL B14")


@pytest.mark.clause("ONL B15")
@every("coup", [result(9, 8), result(8, 9), result(1, 0), result(0, 1)])
@every("book", BOOKS)
def test_tie_loses_when_a_side_wins(book: str, coup: str) -> None:
    """Once its stake, in Cow Cow too."""
    assert paid(book, coup, tie=10) == (-10, "ONL B15")


@pytest.mark.clause("ONL B16")
@every("points", range(10))
@every(
    ("book", "clause"),
    [(BACCARAT, "ONL B16"), (NO_COMMISSION, "ONL B16"), (COW_COW, "ONL CC6")],
)
def test_player_and_banker_push_on_a_tie(book: str, clause: str, points: int) -> None:
    tie = result(points, points)

    assert paid(book, tie, player=100) == (0, clause)
    assert paid(book, tie, banker=100) == (0, clause)


@pytest.mark.clause("ONL B16")
@pytest.mark.parametrize("book", EIGHT_BETS)
def test_no_other_bet_is_returned_on_a_tie(book: str) -> None:
    """Two-card sixes without a pair: all that was not on the tie is gone."""
    on_all = dict.fromkeys(load(book).spots, 20)

    assert nets(book, "Kh 6s / Qd 6c", **on_all) == {
        "player": 0,
        "banker": 0,
        "tie": 160,
        "player_pair": -20,
        "banker_pair": -20,
        "lucky_six": -20,
        "player_natural": -20,
        "banker_natural": -20,
    }


@pytest.mark.clause("ONL B17")
@every("other", range(10))
@every("natural", [8, 9])
def test_nobody_draws_against_a_natural(natural: int, other: int) -> None:
    assert draws(player=natural, banker=other) is None
    assert draws(player=other, banker=natural) is None


@pytest.mark.clause("ONL B17")
@every("book", BOOKS)
def test_a_card_drawn_after_a_natural_is_refused(book: str) -> None:
    to_player = refused(book, "Kh 2s 5d / Kd 8c", tie=10)
    to_banker = refused(book, "Kh 9s / Kd 2c 5d", tie=10)

    assert (to_player.code, to_player.params["side"]) == ("coup/card-too-many", "player")
    assert (to_banker.code, to_banker.params["side"]) == ("coup/card-too-many", "banker")


@pytest.mark.clause("ONL B17")
@every("points", [8, 9])
@every("book", EIGHT_BETS)
def test_equal_naturals_are_a_tie_and_both_natural_bets_win(book: str, points: int) -> None:
    coup = f"Kh {points}s / Kd {points}c"

    assert nets(book, coup, player=20, banker=20, tie=20, player_natural=20, banker_natural=20) == {
        "player": 0,
        "banker": 0,
        "tie": 160,
        "player_natural": 70,
        "banker_natural": 70,
    }


@pytest.mark.clause("ONL B17")
def test_equal_naturals_are_a_tie_in_cow_cow() -> None:
    assert nets(COW_COW, "Kh 9s / Kd 9c", player=20, banker=20, tie=20) == {
        "player": 0,
        "banker": 0,
        "tie": 160,
    }


@pytest.mark.clause("ONL B17")
@every("book", BOOKS)
def test_natural_nine_beats_natural_eight(book: str) -> None:
    """The printed "natural winner" still compares points."""
    assert settle(load(book), "Kh 9s / Kd 8c", {"player": 20}).net > 0
    assert settle(load(book), "Kh 8s / Kd 9c", {"player": 20}).net < 0


@pytest.mark.clause("ONL B18")
@every(
    ("hand", "pair"),
    [
        ("4h 4s", True),
        ("4h 4h", True),  # the same card from two decks
        ("Th Ts", True),
        ("Kh Ks", True),
        ("Th Ks", False),  # both count nothing, but their ranks differ
        ("Jh Qh", False),
        ("4h 5h", False),
        ("Ah 9s", False),
    ],
)
@every("book", EIGHT_BETS)
def test_a_pair_is_two_cards_of_one_rank(book: str, hand: str, pair: bool) -> None:
    """The other side has a natural, so nobody draws."""
    won = 110 if pair else -10

    assert net(book, f"{hand} / 2d 7c", player_pair=10) == won
    assert net(book, f"2d 7c / {hand}", banker_pair=10) == won


@pytest.mark.clause("ONL B18")
@pytest.mark.parametrize("book", EIGHT_BETS)
def test_a_third_card_neither_makes_nor_breaks_a_pair(book: str) -> None:
    """Player's pair of aces stays one after a five; Banker's 2, 3 is none after another 3."""
    assert nets(book, "Ah As 5d / 2d 3c 3h", player_pair=10, banker_pair=10) == {
        "player_pair": 110,
        "banker_pair": -10,
    }
    assert nets(book, "2d 3c 3h / Ah As 5d", player_pair=10, banker_pair=10) == {
        "player_pair": -10,
        "banker_pair": 110,
    }


# As the book prints it: the cards on which Banker stands.
BANKER_STANDS = {
    0: (),
    1: (),
    2: (),
    3: (8,),
    4: (0, 1, 8, 9),
    5: (0, 1, 2, 3, 8, 9),
    6: (0, 1, 2, 3, 4, 5, 8, 9),
    7: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
}

# As ETG4 3.6 prints it: the cards on which Banker draws.
ETG_BANKER_DRAWS = {
    0: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    1: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    2: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    3: (0, 1, 2, 3, 4, 5, 6, 7, 9),
    4: (2, 3, 4, 5, 6, 7),
    5: (4, 5, 6, 7),
    6: (6, 7),
    7: (),
}


@pytest.mark.clause("ONL B19")
@every("banker", range(8))
def test_player_draws_on_five_or_less(banker: int) -> None:
    """Whatever Banker has, a natural apart."""
    for player in (0, 1, 2, 3, 4, 5):
        assert draws(player, banker) is Side.PLAYER
    for player in (6, 7):
        assert draws(player, banker) is not Side.PLAYER


@pytest.mark.clause("ONL B19")
@every("third", range(10))
@every("banker", range(8))
def test_banker_follows_the_printed_table_once_player_drew(banker: int, third: int) -> None:
    """The third card decides, not the points that Player has with it."""
    stands = third in BANKER_STANDS[banker]

    for player in (0, 1, 2, 3, 4, 5):
        assert draws(player, banker, third) is (None if stands else Side.BANKER)


@pytest.mark.clause("ONL B19")
@every("banker", range(8))
def test_banker_draws_on_the_same_cards_as_in_etg4(banker: int) -> None:
    drawn_on = tuple(third for third in range(10) if draws(0, banker, third) is Side.BANKER)

    assert drawn_on == ETG_BANKER_DRAWS[banker]


@pytest.mark.clause("ONL B19")
@every(
    ("coup", "code", "side"),
    [
        ("Kh 5s / Kd 7c", "coup/card-missing", "player"),
        ("Kh 6s Ad / Kd 7c", "coup/card-too-many", "player"),
        ("Kh 5s 9d / Kd 3c", "coup/card-missing", "banker"),
        ("Kh 5s 8d / Kd 3c 4h", "coup/card-too-many", "banker"),
    ],
)
@every("book", BOOKS)
def test_a_coup_against_the_table_is_refused(book: str, coup: str, code: str, side: str) -> None:
    refusal = refused(book, coup, tie=10)

    assert (refusal.code, refusal.params["side"]) == (code, side)
    assert refusal.clause == "ONL B19"


@pytest.mark.clause("ONL B20")
@pytest.mark.parametrize("player", [6, 7])
def test_banker_draws_on_five_or_less_when_player_stands(player: int) -> None:
    for banker in (0, 1, 2, 3, 4, 5):
        assert draws(player, banker) is Side.BANKER
    for banker in (6, 7, 8, 9):
        assert draws(player, banker) is None


@pytest.mark.clause("ONL B20")
@every("book", BOOKS)
def test_a_standing_player_leaves_banker_five_to_draw(book: str) -> None:
    """Banker five against a standing six takes a four; Banker six may take none."""
    assert settle(load(book), "Kh 6s / Kd 5c 4h", {"banker": 20}).net > 0
    assert refused(book, "Kh 6s / Kd 5c", banker=20).code == "coup/card-missing"
    assert refused(book, "Kh 7s / Kd 6c 3h", banker=20).code == "coup/card-too-many"


# Natural bets


@pytest.mark.clause("ONL N1")
@every(
    ("coup", "won"),
    [
        ("Kh 9s / Kd 8c", 35),  # and Banker loses
        ("Kh 8s / Kd 8c", 35),  # and the coup is tied
        ("Kh 2s / Kd 9c", 35),
        ("Kh 2s / 4d 4c", 35),
        ("Kh 9s / Kd 7c", -10),  # only Player has a natural
        ("Kh 6s / Kd 7c", -10),
        ("Kh 2s 2d / Kd 4c 4h", -10),  # eight, but on three cards
        ("Kh 2s 2d / Kd 4c 5h", -10),
    ],
)
@every(("book", "clause"), [(BACCARAT, "ONL B12"), (NO_COMMISSION, "ONL NC2")])
def test_banker_natural_asks_for_two_banker_cards_only(
    book: str, clause: str, coup: str, won: int
) -> None:
    expected = (won, clause if won > 0 else "ONL N1")

    assert paid(book, coup, banker_natural=10) == expected


@pytest.mark.clause("ONL N2")
@every(
    ("coup", "won"),
    [
        ("Kh 8s / Kd 9c", 35),  # and Player loses
        ("Kh 8s / Kd 8c", 35),  # and the coup is tied
        ("Kh 9s / Kd 2c", 35),
        ("4h 4s / Kd 2c", 35),
        ("Kh 7s / Kd 9c", -10),  # only Banker has a natural
        ("Kh 7s / Kd 6c", -10),
        ("Kh 4s 4d / Kd 7c", -10),  # eight, but on three cards
        ("Kh 4s 5d / Kd 7c", -10),
    ],
)
@every(("book", "clause"), [(BACCARAT, "ONL B12"), (NO_COMMISSION, "ONL NC2")])
def test_player_natural_asks_for_two_player_cards_only(
    book: str, clause: str, coup: str, won: int
) -> None:
    expected = (won, clause if won > 0 else "ONL N2")

    assert paid(book, coup, player_natural=10) == expected


# No Commission


@pytest.mark.clause("ONL NC1")
@every(
    ("points", "won"),
    [(1, 100), (2, 100), (3, 100), (4, 100), (5, 100), (6, 50), (7, 100), (8, 100), (9, 100)],
)
def test_banker_pays_even_money_and_half_with_six(points: int, won: int) -> None:
    (bet,) = settle(load(NO_COMMISSION), result(0, points), {"banker": 100}).bets

    assert (bet.net, bet.commission, bet.clause) == (won, 0, "ONL NC1")


@pytest.mark.clause("ONL NC1")
@pytest.mark.parametrize("coup", [LONE_BANKER_SIX, DRAWN_BANKER_SIX])
def test_six_is_halved_on_two_cards_as_on_three(coup: str) -> None:
    """Half is won beside the stake, not lost from it."""
    assert paid(NO_COMMISSION, coup, banker=100) == (50, "ONL NC1")


@pytest.mark.clause("ONL NC1")
def test_a_player_six_is_paid_in_full_and_a_tie_on_six_pushes() -> None:
    assert net(NO_COMMISSION, result(6, 0), player=100) == 100
    assert paid(NO_COMMISSION, result(6, 6), banker=100) == (0, "ONL B16")


@pytest.mark.clause("ONL NC1")
def test_half_of_an_odd_stake_is_refused() -> None:
    refusal = refused(NO_COMMISSION, LONE_BANKER_SIX, banker=101)

    assert refusal.code == "bet/off-step"
    assert refusal.params["step"] == 2
    assert net(NO_COMMISSION, LONE_BANKER_SIX, banker=10) == 5


@pytest.mark.clause("ONL NC2")
def test_no_commission_offers_the_same_eight_bets() -> None:
    assert list(load(NO_COMMISSION).spots) == [
        "player",
        "banker",
        "tie",
        "player_pair",
        "banker_pair",
        "lucky_six",
        "player_natural",
        "banker_natural",
    ]


@pytest.mark.clause("ONL NC2")
@every(
    ("spot", "coup", "won"),
    [
        ("player", result(9, 3), 10),
        ("tie", result(4, 4), 80),
        ("player_pair", "4h 4s / Kd 2c", 110),
        ("banker_pair", "Kh 2s / 4d 4c", 110),
        ("lucky_six", LONE_BANKER_SIX, 120),
        ("lucky_six", DRAWN_BANKER_SIX, 200),
        ("player_natural", "Kh 8s / Kd 9c", 35),
        ("banker_natural", "Kh 9s / Kd 8c", 35),
    ],
)
def test_every_bet_but_banker_pays_as_in_baccarat(spot: str, coup: str, won: int) -> None:
    assert paid(NO_COMMISSION, coup, **{spot: 10}) == (won, "ONL NC2")
    assert net(BACCARAT, coup, **{spot: 10}) == won


@pytest.mark.clause("ONL NC3")
def test_what_others_staked_leaves_less_for_the_next_patron() -> None:
    """Table maximum on Tie 1000: A puts 700, B wants 400 and may have 300."""
    book = limits(NO_COMMISSION, table_maximum=1000, bet_minimum=1)
    a = Bet("A", 1, "tie", 700)
    check_bet(book, [], a)

    with pytest.raises(Refusal) as caught:
        check_bet(book, [a], Bet("B", 2, "tie", 400))

    assert caught.value.code == "limit/maximum"
    assert caught.value.params["scope"] == "table"
    assert caught.value.params["room"] == 300
    assert caught.value.clause == "ONL NC3"
    check_bet(book, [a], Bet("B", 2, "tie", 300))


@pytest.mark.clause("ONL NC3")
@every("spot", [spot for spot in load(NO_COMMISSION).spots if spot not in ("player", "banker")])
def test_every_side_bet_has_a_limit_for_the_whole_table(spot: str) -> None:
    """Two patrons share it, and other spots do not use it up."""
    book = limits(NO_COMMISSION, table_maximum=1000, bet_minimum=1)
    other = "player" if spot == "tie" else "tie"
    placed = [Bet("A", 0, spot, 600), Bet("B", 0, spot, 350), Bet("B", 0, other, 900)]
    bound = tightest(book, placed, "C", 0, spot)

    assert bound is not None
    limit, room = bound
    assert (limit.kind, limit.scope, limit.clause) == (Kind.MAXIMUM, Scope.TABLE, "ONL NC3")
    assert room == 50


@pytest.mark.clause("ONL NC3")
@pytest.mark.parametrize(("spot", "other"), [("player", "banker"), ("banker", "player")])
def test_player_and_banker_have_a_limit_on_the_difference_of_their_sums(
    spot: str, other: str
) -> None:
    """As the Supplementary says: 950 on one and 300 on the other leave room for 350 more."""
    book = limits(NO_COMMISSION, table_differential=1000, bet_minimum=1)
    placed = [Bet("A", 0, spot, 600), Bet("B", 0, spot, 350), Bet("B", 0, other, 300)]
    bound = tightest(book, placed, "C", 0, spot)

    assert bound is not None
    limit, room = bound
    assert (limit.kind, limit.scope, limit.clause) == (Kind.DIFFERENTIAL, Scope.TABLE, "ONL NC3")
    assert room == 350


# Cow Cow


@pytest.mark.clause("ONL CC1")
def test_cow_cow_offers_three_bets() -> None:
    assert [(spot.id, spot.label) for spot in load(COW_COW).spots.values()] == [
        ("player", "Player"),
        ("banker", "Banker"),
        ("tie", "Tie"),
    ]


@pytest.mark.clause("ONL CC1")
@every("spot", ["player_pair", "banker_pair", "lucky_six", "player_natural", "banker_natural"])
def test_cow_cow_refuses_the_other_bets(spot: str) -> None:
    refusal = refused(COW_COW, result(9, 3), **{spot: 100})

    assert refusal.code == "bet/not-offered"
    assert refusal.clause == "ONL CC1"


@pytest.mark.clause("ONL CC2")
@pytest.mark.parametrize("spot", ["player", "banker"])
def test_a_patron_must_hold_nine_times_the_bet(spot: str) -> None:
    """Just what the worst coup takes."""
    worst = {"player": result(0, 9), "banker": result(9, 0)}[spot]

    assert reserve(load(COW_COW), {spot: 100}) == 900
    assert net(COW_COW, worst, **{spot: 100}) == -900


@pytest.mark.clause("ONL CC2")
@pytest.mark.parametrize("spot", ["player", "banker"])
def test_the_nine_is_computed_from_the_pay_table(spot: str) -> None:
    """Were a nine to cost no more than an eight, eight times the bet would do."""
    lines = load(COW_COW).spots[spot].table.lines
    without_nine = PayTable(tuple(line for line in lines if line.odds != -9))

    assert PayTable(lines).reserve == 9
    assert without_nine.reserve == 8


@pytest.mark.clause("ONL CC2")
@every("spot", ["player", "banker", "tie"])
def test_baccarat_asks_for_the_stake_only(spot: str) -> None:
    assert reserve(load(BACCARAT), {spot: 100}) == 100


@pytest.mark.clause("ONL CC2")
def test_the_book_warns_of_nine_times() -> None:
    (warning,) = load(COW_COW).texts

    assert warning.clause == "ONL CC2"
    assert "up to nine times its amount" in warning.words


@pytest.mark.clause("ONL CC2 (b)")
@every(
    ("stakes", "held"),
    [
        ({"player": 50, "tie": 10}, 460),
        ({"banker": 50, "tie": 10}, 460),
        ({"tie": 100}, 100),
        ({"player": 100, "banker": 100}, 1800),  # one side is not set against the other
        ({"player": 100, "banker": 40, "tie": 10}, 1270),
    ],
)
def test_sides_are_held_nine_times_and_tie_once(stakes: dict[str, int], held: int) -> None:
    assert reserve(load(COW_COW), stakes) == held


@pytest.mark.clause("ONL CC2 (b)")
def test_three_against_one_wins_three_times_and_costs_the_tie_bet() -> None:
    bets = {"player": 5_000, "tie": 1_000}

    assert reserve(load(COW_COW), bets) == 46_000
    assert nets(COW_COW, result(3, 1), **bets) == {"player": 15_000, "tie": -1_000}


@pytest.mark.clause("ONL CC3")
@every(("winner", "loser"), [(winner, loser) for winner in range(1, 9) for loser in range(winner)])
def test_a_winning_side_pays_its_points(winner: int, loser: int) -> None:
    """The winner's points, not the margin, and no commission on either side."""
    on_player = settle(load(COW_COW), result(winner, loser), {"player": 100}).bets[0]
    on_banker = settle(load(COW_COW), result(loser, winner), {"banker": 100}).bets[0]

    for bet in (on_player, on_banker):
        assert (bet.net, bet.commission, bet.clause) == (100 * winner, 0, "ONL CC3")


@pytest.mark.clause("ONL CC3")
def test_a_natural_eight_pays_eight() -> None:
    assert paid(COW_COW, "Kh 8s / Kd 2c", player=100) == (800, "ONL CC3")
    assert paid(COW_COW, "Kh 2s / Kd 8c", banker=100) == (800, "ONL CC3")


@pytest.mark.clause("ONL CC4")
@every(
    ("spot", "coup"),
    [
        ("player", result(9, 3)),
        ("player", "Kh 9s / Kd 8c"),
        ("banker", result(3, 9)),
        ("banker", "Kh 8s / Kd 9c"),
    ],
)
def test_nine_pays_nine_less_five_per_cent(spot: str, coup: str) -> None:
    (bet,) = settle(load(COW_COW), coup, {spot: 100}).bets

    assert (bet.net, bet.commission, bet.clause) == (855, 45, "ONL CC4")


@pytest.mark.clause("ONL CC4")
@pytest.mark.parametrize("spot", ["player", "banker"])
def test_a_stake_that_nine_would_round_is_refused(spot: str) -> None:
    refusal = refused(COW_COW, result(5, 4), **{spot: 50})

    assert refusal.code == "bet/off-step"
    assert refusal.params["step"] == 20


@pytest.mark.clause("ONL CC5")
@every("points", range(1, 10))
def test_the_losing_side_loses_the_points_of_the_winner(points: int) -> None:
    """One costs the stake once; nine costs it nine times, with no commission given back."""
    below = points - 1
    on_banker = settle(load(COW_COW), result(points, below), {"banker": 100}).bets[0]
    on_player = settle(load(COW_COW), result(below, points), {"player": 100}).bets[0]

    for bet in (on_banker, on_player):
        assert (bet.net, bet.commission, bet.clause) == (-100 * points, 0, "ONL CC5")


@pytest.mark.clause("ONL CC6")
@every("points", range(10))
def test_a_cow_cow_tie_pushes_both_sides_and_pays_tie_eight(points: int) -> None:
    settled = settle(
        load(COW_COW), result(points, points), {"player": 100, "banker": 100, "tie": 10}
    )

    assert [bet.net for bet in settled.bets] == [0, 0, 80]
    assert {bet.clause for bet in settled.bets} == {"ONL CC6"}


@pytest.mark.clause("ONL CC6")
@every("points", range(1, 10))
def test_a_losing_tie_bet_costs_its_stake_once(points: int) -> None:
    assert net(COW_COW, result(points, 0), tie=10) == -10
    assert net(COW_COW, result(0, points), tie=10) == -10


@pytest.mark.clause("ONL CC7")
def test_first_printed_example_pays_and_costs_eight() -> None:
    """A, 2, 5 with eight points beats J, 2, A with three."""
    coup = Coup.deal(parse_cards("Ah Js 2d 2c 5h Ad"))

    assert str(coup) == "Ah 2d 5h / Js 2c Ad"
    assert (coup.player_points, coup.banker_points) == (8, 3)
    assert nets(COW_COW, str(coup), player=100, banker=100) == {"player": 800, "banker": -800}


@pytest.mark.clause("ONL CC8")
def test_second_printed_example_pays_eight_fifty_five_and_costs_nine() -> None:
    """A, 3, 5 with nine points beats J, 2, A with three."""
    coup = Coup.deal(parse_cards("Ah Js 3d 2c 5h Ad"))

    assert str(coup) == "Ah 3d 5h / Js 2c Ad"
    assert (coup.player_points, coup.banker_points) == (9, 3)
    assert nets(COW_COW, str(coup), player=100, banker=100) == {"player": 855, "banker": -900}


# Supplementary


@pytest.mark.clause("ONL S1")
@every(("one", "other"), [("player", "banker"), ("banker", "player")])
@every("book", BOOKS)
def test_a_bet_on_one_side_enlarges_the_limit_of_the_other(book: str, one: str, other: str) -> None:
    """Limit 1000: 600 on one side leave 1600 for the other, and 1601 are refused."""
    house = limits(book, patron_differential=1000, bet_minimum=1)
    placed = [Bet("A", 1, one, 600)]
    bound = tightest(house, placed, "A", 1, other)

    assert bound is not None
    assert (bound[0].kind, bound[1]) == (Kind.DIFFERENTIAL, 1600)
    check_bet(house, placed, Bet("A", 1, other, 1600))
    with pytest.raises(Refusal) as caught:
        check_bet(house, placed, Bet("A", 1, other, 1601))
    assert caught.value.code == "limit/differential"
    assert caught.value.params["room"] == 1600
    assert caught.value.clause == "ONL S1"


@pytest.mark.clause("ONL S1")
@every("spot", ["player", "banker"])
@every("book", BOOKS)
def test_with_nothing_on_the_other_side_the_limit_is_the_limit(book: str, spot: str) -> None:
    house = limits(book, patron_differential=1000, bet_minimum=1)
    check_bet(house, [], Bet("A", 1, spot, 1000))
    check_bet(house, [Bet("A", 1, spot, 600)], Bet("A", 1, spot, 400))

    for placed, more in (([], 1001), ([Bet("A", 1, spot, 600)], 401)):
        with pytest.raises(Refusal) as caught:
            check_bet(house, placed, Bet("A", 1, spot, more))
        assert caught.value.code == "limit/differential"
        assert caught.value.clause == "ONL S1"


@pytest.mark.clause("ONL S1")
@every("book", BOOKS)
def test_the_difference_is_each_patrons_own(book: str) -> None:
    """What B has on Player enlarges nothing for A, and what B has on Banker takes nothing away."""
    house = limits(book, patron_differential=1000, bet_minimum=1)
    placed = [Bet("B", 1, "player", 900), Bet("B", 1, "banker", 300)]
    bound = tightest(house, placed, "A", 1, "banker")

    assert bound is not None
    assert (bound[0].kind, bound[1]) == (Kind.DIFFERENTIAL, 1000)


@pytest.mark.clause("ONL S1 (b)")
@every(("one", "other"), [("player", "banker"), ("banker", "player")])
@every("book", BOOKS)
def test_a_bet_that_carries_the_other_side_cannot_be_taken_back(
    book: str, one: str, other: str
) -> None:
    """Limit 1000, 600 against 1600: the 600 must stay."""
    house = limits(book, patron_differential=1000, bet_minimum=1)
    placed = [Bet("A", 1, one, 600), Bet("A", 1, other, 1600)]

    for gone in (600, 1):
        with pytest.raises(Refusal) as caught:
            check_withdrawal(house, placed, Bet("A", 1, one, gone))
        assert caught.value.code == "limit/withdrawal"
        assert caught.value.params["room"] == 0
        assert caught.value.clause == "ONL S1"


@pytest.mark.clause("ONL S1 (b)")
@every("book", BOOKS)
def test_a_bet_may_be_taken_back_as_far_as_the_difference_holds(book: str) -> None:
    """Limit 1000, Player 600, Banker 1500: 100 may come off Player, all of Banker may go."""
    house = limits(book, patron_differential=1000, bet_minimum=1)
    placed = [Bet("A", 1, "player", 600), Bet("A", 1, "banker", 1500), Bet("A", 1, "tie", 50)]
    check_withdrawal(house, placed, Bet("A", 1, "player", 100))
    check_withdrawal(house, placed, Bet("A", 1, "banker", 1500))
    check_withdrawal(house, placed, Bet("A", 1, "tie", 50))

    with pytest.raises(Refusal) as caught:
        check_withdrawal(house, placed, Bet("A", 1, "player", 101))
    assert caught.value.params["room"] == 100


@pytest.mark.clause("ONL S2")
def test_the_published_return_is_the_exact_one_of_the_best_bet() -> None:
    """98.94 %, ties counted: Banker's, and no other bet of Baccarat returns as much."""
    returns = {spot: price.rtp for spot, price in odds(load(BACCARAT)).bets.items()}
    best = max(returns, key=lambda spot: returns[spot])
    (published,) = [text.words for text in load(BACCARAT).texts if text.clause == "ONL S2"]

    assert best == "banker"
    assert decimal(returns[best] * 100, 6) == "98.942094"
    assert published == f"The highest return to player is {decimal(returns[best] * 100, 2)} %."
    assert "98.94 %" in published
