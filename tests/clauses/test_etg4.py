"""ETG4: RWS Non-Commission Baccarat, Electronic Table Game, version 4, clause by clause."""

from itertools import combinations, product

import pytest

from cutcard import Coup, Refusal, Side, Winner, next_side, settle
from cutcard.round import Phase
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards, points
from cutcard.rules.dealing import demonstration_shoe
from cutcard.rules.facts import Hand
from cutcard.rules.rulebook import Interruption, Remedy
from cutcard.rules.shoe import composition, full_shoe
from tests.cases import every
from tests.round.scene import Scene, denied, why
from tests.talk import draws, net, nets, refused

BOOK = "rws-non-commission-etg"

COUNTS = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0, **{str(n): n for n in range(2, 10)}}
"""What each rank counts, as 3.7 says it."""

CARD = {0: "K", 1: "A", **{n: str(n) for n in range(2, 10)}}
"""A rank for each number of points."""


def ends(player: int, banker: int) -> str:
    """A six-card coup that ends on these points: both sides start from nothing and draw."""
    return f"Kh Qs {CARD[player]}d / Tc Jd {CARD[banker]}h"


def cited(coup: str, **stakes: int) -> dict[str, str]:
    """The clause under which each bet was settled."""
    return {bet.spot: bet.clause for bet in settle(load(BOOK), coup, stakes).bets}


def printed(cells: str) -> set[int]:
    """A cell of the Table of Play, as printed: `0-1-8-9`."""
    return {int(cell) for cell in cells.split("-")}


def banker_row(banker: int) -> dict[Side | None, set[int]]:
    """On which third cards a Banker hand draws and stands, whatever made Player draw."""
    row: dict[Side | None, set[int]] = {Side.BANKER: set(), None: set()}
    for third in range(10):
        (answer,) = {draws(player, banker, third) for player in range(6)}
        row[answer].add(third)
    return row


# 1. Definitions


@pytest.mark.clause("ETG4 title")
def test_the_book_says_who_it_is() -> None:
    book = load(BOOK)

    assert book.document == "ETG4"
    assert book.name == "RWS Non-Commission Baccarat (Electronic Table Game)"
    assert book.operator == "Resorts World at Sentosa"
    assert book.version == "4"
    assert book.effective_from == "2016-05-12T23:59+08:00"


@pytest.mark.clause("ETG4 1 Table of Play")
@every(
    ("coup", "code", "side"),
    [
        ("2h 3s / Kd 2c 4h", "coup/card-missing", "player"),
        ("2h 3s 9c / Kd 2c", "coup/card-missing", "banker"),
        ("2h 4s 9c / Kd 7c", "coup/card-too-many", "player"),
        ("2h 4s / Kd 7c 2s", "coup/card-too-many", "banker"),
    ],
    ids=["player 5 stands", "banker 2 stands", "player 6 draws", "banker 7 draws"],
)
def test_nobody_chooses_to_draw_or_to_stand(coup: str, code: str, side: str) -> None:
    refusal = refused(BOOK, coup, player=100)

    assert (refusal.code, refusal.params["side"]) == (code, side)
    assert refusal.clause == "ETG4 3.6"


@pytest.mark.clause("ETG4 1 Table of Play")
def test_player_five_against_banker_two_can_only_draw() -> None:
    assert draws(player=5, banker=2) is Side.PLAYER


@pytest.mark.clause("ETG4 1 Natural")
@every("count", range(10))
def test_a_natural_is_eight_or_nine_on_two_cards(count: int) -> None:
    hand = parse_cards(f"Kh {CARD[count]}s")

    assert Hand.of(hand).natural is (count in (8, 9))


@pytest.mark.clause("ETG4 1 Natural")
@every("coup", ["4h 3s / 2d 3c 4h", "2h 3s 4d / Kd 7c", "2h 3s 3d / Kd 7c"])
def test_three_cards_never_make_a_natural(coup: str) -> None:
    """Eight or nine points after a third card are just points."""
    truth = settle(load(BOOK), coup, {}).facts

    assert truth["winning_points"] in (8, 9)
    assert truth["player_natural"] is truth["banker_natural"] is False


@pytest.mark.clause("ETG4 1 Non-Commission")
@every(
    ("coup", "won"),
    [
        ("2h 3s Kd / 2d 4c", 50),
        ("2h 3s Kd / Kc 3d 3h", 50),
        ("2h 3s Kd / 3d 4c", 100),
        ("2h 3s Kd / Kc 3d 4h", 100),
    ],
    ids=["two-card six", "three-card six", "two-card seven", "three-card seven"],
)
def test_banker_pays_even_money_without_commission_but_half_on_six(coup: str, won: int) -> None:
    (bet,) = settle(load(BOOK), coup, {"banker": 100}).bets

    assert (bet.net, bet.commission) == (won, 0)


@pytest.mark.clause("ETG4 1 Pair")
@every(
    ("coup", "won"),
    [
        ("Th Ts 9d / 7c Kd", 110),
        ("Th Kd 9d / 7c Kd", -10),
        ("Kh Ks 9d / 7c Kd", 110),
        ("4c 4c / 7c Kd", 110),
    ],
    ids=["10-10", "10-K", "K-K", "same card twice"],
)
def test_a_pair_is_two_cards_of_one_rank(coup: str, won: int) -> None:
    assert net(BOOK, coup, player_pair=10) == won


@pytest.mark.clause("ETG4 1 Pair")
def test_thirteen_ranks_make_thirteen_pairs_on_either_side() -> None:
    """Every rank beside every rank, in two suits and in one."""
    for one, other, suit in product(COUNTS, COUNTS, "sh"):
        hand = f"{one}s {other}{suit}"
        first, second = hand.split()
        player = Coup.deal(parse_cards(f"{first} 7c {second} Kd 5c 5d"))
        banker = Coup.deal(parse_cards(f"7c {first} Kd {second} 5c 5d"))
        won = 110 if one == other else -10

        assert net(BOOK, str(player), player_pair=10) == won, player
        assert net(BOOK, str(banker), banker_pair=10) == won, banker


@pytest.mark.clause("ETG4 1 Tie")
@every(
    "coup",
    [
        "2h 4s / 3d 3c",
        "3h 4s / 2c Kd 5h",
        "Kh 2s 5d / 3d 4c",
        "Kh Qs Jd / Tc Jd Qh",
        "Kh 8s / 4d 4c",
    ],
    ids=["2 v 2 cards", "2 v 3", "3 v 2", "3 v 3 on nothing", "naturals"],
)
def test_equal_points_tie_whatever_the_number_of_cards(coup: str) -> None:
    assert settle(load(BOOK), coup, {}).facts["winner"] == "tie"


@pytest.mark.clause("ETG4 1 Tie")
@pytest.mark.parametrize(
    ("coup", "winner"), [("2h 4s / 3d 4c", "banker"), ("Kh 9s / Kd 8c", "player")]
)
def test_one_point_apart_is_no_tie(coup: str, winner: str) -> None:
    """Two naturals of different points do not tie either."""
    assert settle(load(BOOK), coup, {}).facts["winner"] == winner


# 2. Mode of Play


@pytest.mark.clause("ETG4 2.2.1")
@every("decks", [4, 5, 6, 7, 8])
def test_four_to_eight_full_decks(decks: int) -> None:
    """Every one of 52 cards as often as there are decks, and nothing else: no joker."""
    kinds = {rank + suit for rank in COUNTS for suit in "cdhs"}
    for cards in (full_shoe(decks), demonstration_shoe(load(BOOK), seed=4, decks=decks).cards):
        held = {str(card): copies for card, copies in composition(cards).items()}

        assert held == dict.fromkeys(kinds, decks)
        assert len(cards) == 52 * decks


@pytest.mark.clause("ETG4 2.2.1")
@every("decks", [1, 3, 9])
def test_three_decks_are_too_few_and_nine_too_many(decks: int) -> None:
    with pytest.raises(Refusal) as caught:
        load(BOOK).check_decks(decks)

    assert caught.value.code == "shoe/decks"
    assert caught.value.clause == "ETG4 2.2.1"


# 3. How to Play


@pytest.mark.clause("ETG4 3.1")
def test_betting_opens_with_place_your_bets() -> None:
    said = load(BOOK).announcements["open"]

    assert (said.words, said.clause) == ("Place Your Bets", "ETG4 3.1")


@pytest.mark.clause("ETG4 3.2")
def test_betting_closes_with_no_more_bets() -> None:
    said = load(BOOK).announcements["close"]

    assert (said.words, said.clause) == ("No More Bets", "ETG4 3.2")


@pytest.mark.clause("ETG4 3.3")
def test_five_bets_are_offered() -> None:
    assert {spot.id: spot.label for spot in load(BOOK).spots.values()} == {
        "player": "Player",
        "banker": "Banker",
        "tie": "Tie",
        "player_pair": "Player Pair",
        "banker_pair": "Banker Pair",
    }


@pytest.mark.clause("ETG4 3.3")
def test_any_bets_may_be_taken_together() -> None:
    """Player 7-7 draws a five and beats seven with nine; every choice of the five bets is paid."""
    stakes = {"player": 100, "banker": 100, "tie": 10, "player_pair": 6, "banker_pair": 6}
    won = {"player": 100, "banker": -100, "tie": -10, "player_pair": 66, "banker_pair": -6}

    for number in range(1, 6):
        for chosen in combinations(stakes, number):
            bets = {spot: stakes[spot] for spot in chosen}
            assert nets(BOOK, "7h 7s 5d / Kd 7c", **bets) == {spot: won[spot] for spot in chosen}


@pytest.mark.clause("ETG4 3.3")
@every("spot", ["lucky_six", "winning_total_9", "ante_player"])
def test_no_other_bet_is_offered(spot: str) -> None:
    refusal = refused(BOOK, ends(9, 0), player=100, **{spot: 100})

    assert refusal.code == "bet/not-offered"
    assert refusal.clause == "ETG4 3.3"


@pytest.mark.clause("ETG4 3.3 (b)")
@every(("spot", "won"), [("tie", 80), ("player_pair", 110), ("banker_pair", -10)])
def test_tie_and_pairs_stand_alone(spot: str, won: int) -> None:
    """Player 6-6 draws a five and ties with Banker's seven."""
    assert nets(BOOK, "6h 6s 5d / Kc 7d", **{spot: 10}) == {spot: won}


@pytest.mark.clause("ETG4 3.3 (b)")
def test_tie_and_both_pairs_without_a_main_bet() -> None:
    assert net(BOOK, "6h 6s 5d / Kc 7d", tie=10, player_pair=10, banker_pair=10) == 180


@pytest.mark.clause("ETG4 3.4")
def test_cards_one_and_three_go_to_player_two_and_four_to_banker() -> None:
    four = Coup.deal(parse_cards("7h 2c 7s 9d"))

    assert str(four) == "7h 7s / 2c 9d"
    assert (Hand.of(four.player[:2]).pair, Hand.of(four.banker[:2]).pair) == (True, False)
    assert load(BOOK).cites["deal"] == "ETG4 3.4"


@pytest.mark.clause("ETG4 3.4")
@every(
    ("coup", "player_pair", "banker_pair"),
    [
        ("7h 7s 6d / 2d 4c 6s", 110, -10),
        ("3h 2s 2d / Kd 7c", -10, -10),
        ("3h 2s 3d / Kd 7c", -10, -10),
        ("2h 3s Kd / 2d Ac 2s", -10, -10),
        ("2h 3s Kd / 2d Ac Ah", -10, -10),
        ("7h Ks / 7s Kd", -10, -10),
        ("7h Ks / Ah As 9d", -10, 110),
    ],
    ids=[
        "pair survives the third card",
        "third pairs the second",
        "third pairs the first",
        "banker's third pairs the first",
        "banker's third pairs the second",
        "cards one and two alike",
        "banker pair draws",
    ],
)
def test_the_first_four_cards_alone_decide_the_pairs(
    coup: str, player_pair: int, banker_pair: int
) -> None:
    assert nets(BOOK, coup, player_pair=10, banker_pair=10) == {
        "player_pair": player_pair,
        "banker_pair": banker_pair,
    }


@pytest.mark.clause("ETG4 3.4")
def test_a_lost_pair_is_lost_under_the_clause_of_the_four_cards() -> None:
    assert cited(ends(9, 0), player_pair=10, banker_pair=10) == {
        "player_pair": "ETG4 3.4",
        "banker_pair": "ETG4 3.4",
    }


@pytest.mark.clause("ETG4 3.5")
@pytest.mark.parametrize("player", [6, 7])
def test_banker_draws_to_five_and_stands_from_six_when_player_stands(player: int) -> None:
    drawing = {banker for banker in range(10) if draws(player, banker) is Side.BANKER}
    standing = {banker for banker in range(10) if draws(player, banker) is None}

    assert drawing == {0, 1, 2, 3, 4, 5}
    assert standing == {6, 7, 8, 9}


@pytest.mark.clause("ETG4 3.6 P0-5")
def test_player_draws_on_nought_to_five() -> None:
    """Every two ranks, against every Banker hand that is no natural."""
    drawing = set()
    for one, other, banker in product(COUNTS, COUNTS, range(8)):
        coup = Coup(parse_cards(f"{one}h {other}s"), parse_cards(f"Kd {CARD[banker]}c"))
        total = (COUNTS[one] + COUNTS[other]) % 10
        assert (next_side(coup) is Side.PLAYER) == (total <= 5), coup
        drawing |= {total} if next_side(coup) is Side.PLAYER else set()
    assert drawing == printed("0-1-2-3-4-5")


@pytest.mark.clause("ETG4 3.6 P6-7")
@pytest.mark.parametrize("player", [6, 7])
def test_player_stands_on_six_and_seven(player: int) -> None:
    """Against nothing to five it is Banker's card at once; six and seven end the deal."""
    for banker in range(6):
        assert draws(player, banker) is Side.BANKER
    for banker in (6, 7):
        assert draws(player, banker) is None


@pytest.mark.clause("ETG4 3.6 nat")
@pytest.mark.parametrize("natural", [8, 9])
def test_a_natural_on_either_side_ends_the_deal(natural: int) -> None:
    for other in range(10):
        assert draws(player=natural, banker=other) is None
        assert draws(player=other, banker=natural) is None


@pytest.mark.clause("ETG4 3.6 nat")
def test_player_with_nothing_loses_to_a_natural_on_four_cards() -> None:
    """Player would draw on nothing, Banker on two; a natural opposite stops both."""
    assert net(BOOK, "Kh Qs / Kd 8c", banker=100) == 100
    for coup, side in (("Kh Qs 9d / Kd 8c", "player"), ("Kh 8s / Kd 2c 9c", "banker")):
        refusal = refused(BOOK, coup, banker=100)
        assert (refusal.code, refusal.params["side"]) == ("coup/card-too-many", side)
        assert refusal.clause == "ETG4 3.6"


@pytest.mark.clause("ETG4 3.6 B0-2")
@every("banker", [0, 1, 2])
def test_banker_nought_to_two_always_draws(banker: int) -> None:
    assert banker_row(banker) == {Side.BANKER: set(range(10)), None: set()}
    assert draws(6, banker) is draws(7, banker) is Side.BANKER
    assert draws(8, banker) is draws(9, banker) is None


@pytest.mark.clause("ETG4 3.6 B3")
def test_banker_three_draws_unless_the_third_card_is_an_eight() -> None:
    row = banker_row(3)

    assert row[Side.BANKER] == printed("0-1-2-3-4-5-6-7-9")
    assert row[None] == printed("8")


@pytest.mark.clause("ETG4 3.6 B4")
def test_banker_four_draws_on_two_to_seven() -> None:
    row = banker_row(4)

    assert row[Side.BANKER] == printed("2-3-4-5-6-7")
    assert row[None] == printed("0-1-8-9")


@pytest.mark.clause("ETG4 3.6 B5")
def test_banker_five_draws_on_four_to_seven() -> None:
    row = banker_row(5)

    assert row[Side.BANKER] == printed("4-5-6-7")
    assert row[None] == printed("0-1-2-3-8-9")


@pytest.mark.clause("ETG4 3.6 B6")
def test_banker_six_draws_on_six_and_seven_only_if_player_drew() -> None:
    row = banker_row(6)

    assert row[Side.BANKER] == printed("6-7")
    assert row[None] == printed("0-1-2-3-4-5-8-9")
    assert draws(6, 6) is draws(7, 6) is None


@pytest.mark.clause("ETG4 3.6 B7")
def test_banker_seven_stands() -> None:
    assert banker_row(7) == {Side.BANKER: set(), None: set(range(10))}
    assert draws(6, 7) is draws(7, 7) is None


@pytest.mark.clause("ETG4 3.7")
def test_the_units_of_the_total_are_the_points() -> None:
    """All hands of two and of three ranks; 9, 7 and 8 make twenty-four, which counts 4."""
    assert points(parse_cards("9h 7s 8d")) == 4
    for size in (2, 3):
        for ranks in product(COUNTS, repeat=size):
            hand = parse_cards(" ".join(f"{rank}h" for rank in ranks))
            assert points(hand) == int(str(sum(COUNTS[rank] for rank in ranks))[-1]), ranks
    assert load(BOOK).cites["values"] == "ETG4 3.7"


@pytest.mark.clause("ETG4 3.7")
def test_the_side_with_more_points_wins() -> None:
    """Nine is the highest count, then eight, and so on down."""
    for player, banker in product(range(10), repeat=2):
        winner = Coup.parse(ends(player, banker)).winner
        assert (winner is Winner.PLAYER) == (player > banker)
        assert (winner is Winner.BANKER) == (player < banker)
    assert load(BOOK).cites["winner"] == "ETG4 3.7"


@pytest.mark.clause("ETG4 3.7")
@every(
    ("coup", "lost"),
    [(ends(9, 8), {"banker", "tie"}), (ends(6, 7), {"player", "tie"}), (ends(4, 4), set())],
    ids=["player 9 v 8", "banker 7 v 6", "tie on 4"],
)
def test_the_bets_on_the_losing_side_and_on_tie_are_lost(coup: str, lost: set[str]) -> None:
    bets = settle(load(BOOK), coup, {"player": 100, "banker": 100, "tie": 10}).bets

    assert {bet.spot for bet in bets if bet.clause == "ETG4 3.7"} == lost
    assert {bet.spot for bet in bets if bet.net == -bet.stake} == lost


@pytest.mark.clause("ETG4 3.8")
@every("count", range(10))
def test_player_and_banker_are_returned_on_a_tie(count: int) -> None:
    coup = ends(count, count)

    assert nets(BOOK, coup, player=100, banker=50, tie=10) == {"player": 0, "banker": 0, "tie": 80}
    assert cited(coup, player=100, banker=50) == {"player": "ETG4 3.8", "banker": "ETG4 3.8"}


@pytest.mark.clause("ETG4 3.8")
def test_a_pair_bet_is_not_returned_on_a_tie() -> None:
    assert nets(BOOK, "2h 4s / Kd 6c", player=100, player_pair=10) == {
        "player": 0,
        "player_pair": -10,
    }


# 4. Settlement


@pytest.mark.clause("ETG4 4.1.1 B6")
@every("player", range(6))
def test_banker_on_six_pays_one_to_two(player: int) -> None:
    coup = ends(player, 6)

    assert nets(BOOK, coup, banker=100) == {"banker": 50}
    assert cited(coup, banker=100) == {"banker": "ETG4 4.1.1 B6"}


@pytest.mark.clause("ETG4 4.1.1 B6")
def test_a_stake_that_cannot_be_halved_is_refused() -> None:
    refusal = refused(BOOK, ends(5, 6), banker=101)

    assert (refusal.code, refusal.params["step"]) == ("bet/off-step", 2)


@pytest.mark.clause("ETG4 4.1.1 B")
@every("count", [1, 2, 3, 4, 5, 7, 8, 9])
def test_banker_on_other_points_pays_one_to_one(count: int) -> None:
    coup = ends(count - 1, count)

    assert nets(BOOK, coup, banker=100) == {"banker": 100}
    assert cited(coup, banker=100) == {"banker": "ETG4 4.1.1 B"}


@pytest.mark.clause("ETG4 4.1.1 B")
@pytest.mark.parametrize("coup", ["Kh Qs / Kd 8c", "Kh 8s / Kd 9c"])
def test_a_banker_natural_pays_one_to_one(coup: str) -> None:
    assert net(BOOK, coup, banker=100) == 100


@pytest.mark.clause("ETG4 4.1.1 P")
@every("count", range(1, 10))
def test_player_pays_one_to_one_on_six_as_on_any_points(count: int) -> None:
    coup = ends(count, count - 1)

    assert nets(BOOK, coup, player=101) == {"player": 101}
    assert cited(coup, player=101) == {"player": "ETG4 4.1.1 P"}


@pytest.mark.clause("ETG4 4.1.1 P")
def test_player_on_six_leaves_no_half_to_banker() -> None:
    """Banker's half on six is for a Banker win, not for six points on the table."""
    assert nets(BOOK, ends(7, 6), player=100, banker=100) == {"player": 100, "banker": -100}
    assert nets(BOOK, ends(6, 5), player=100, banker=100) == {"player": 100, "banker": -100}


@pytest.mark.clause("ETG4 4.1.1 T")
@every("count", range(10))
def test_tie_pays_eight_to_one(count: int) -> None:
    """Ten staked win eighty, and ninety come back."""
    (bet,) = settle(load(BOOK), ends(count, count), {"tie": 10}).bets

    assert (bet.net, bet.stake + bet.net) == (80, 90)
    assert bet.clause == "ETG4 4.1.1 T"


@pytest.mark.clause("ETG4 4.1.1 pair")
@every(
    ("coup", "spot"),
    [
        ("6h 6s 5d / Kc 7d", "player_pair"),
        ("6h 6s 7d / Kc 7d", "player_pair"),
        ("6h 6s 4d / Kc 7d", "player_pair"),
        ("Kc 7d / 6h 6s 5d", "banker_pair"),
        ("Kc 7d / 6h 6s 7d", "banker_pair"),
        ("Kc 7d / 6h 6s 4d", "banker_pair"),
    ],
    ids=[
        "tie",
        "side wins",
        "side loses",
        "tie, Banker",
        "side wins, Banker",
        "side loses, Banker",
    ],
)
def test_a_pair_pays_eleven_to_one_whichever_side_wins(coup: str, spot: str) -> None:
    assert nets(BOOK, coup, **{spot: 10}) == {spot: 110}
    assert cited(coup, **{spot: 10}) == {spot: "ETG4 4.1.1 pair"}


@pytest.mark.clause("ETG4 4.1.1 pair")
def test_both_pairs_may_win_in_one_coup() -> None:
    assert nets(BOOK, "4h 4s / 9d 9c", player_pair=10, banker_pair=20) == {
        "player_pair": 110,
        "banker_pair": 220,
    }


# 5. Irregularities


@pytest.mark.clause("ETG4 silence")
def test_the_house_policy_decides_what_the_book_leaves_unsaid() -> None:
    book = load(BOOK)
    late = book.irregularities["late bet"]

    assert book.house_policy == "rws-commission"
    assert book.interruption is Interruption.ESTABLISHED
    assert (book.concludes_clause, book.voids_clause) == ("CB4 5.4.1", "CB4 5.4.2")
    assert (late.remedy, late.clause) == (Remedy.REFUSE, "CB4 5.6")


@pytest.mark.clause("ETG4 silence")
def test_the_house_policy_decides_nothing_that_the_book_says_itself() -> None:
    own = {one.id: one.clause for one in load(BOOK).irregularities.values() if "ETG4" in one.clause}

    assert own == {
        "foreign card": "ETG4 5.1.1",
        "wrong number of cards": "ETG4 5.1.2",
        "insufficient cards": "ETG4 5.1.3",
    }


# --- in a round


@pytest.mark.clause("ETG4 3.1 (b)")
def test_no_bet_is_taken_before_place_your_bets() -> None:
    scene = Scene(BOOK)

    assert why(denied(scene.bet, "ann", 1, "player", 100)) == ("bet/not-open", "ETG4 3.1")
    assert scene.open().bet("ann", 1, "player", 100).bets == {("ann", "player"): 100}


@pytest.mark.clause("ETG4 3.1 (b)")
def test_between_two_rounds_no_bet_is_taken() -> None:
    scene = Scene(BOOK).open().play(ends(5, 4))

    assert denied(scene.bet, "ann", 1, "player", 100).code == "bet/not-open"


@pytest.mark.clause("ETG4 3.2 (b)")
def test_a_bet_before_the_close_counts_and_one_after_it_never_leaves_the_patron() -> None:
    """The refused bet leaves no event, so there is nothing to debit."""
    scene = Scene(BOOK).open().bet("ann", 1, "player", 100).close()
    events = len(scene.log)

    assert why(denied(scene.bet, "ann", 1, "player", 50)) == ("bet/closed", "CB4 5.6")
    assert denied(scene.bet, "bob", 2, "tie", 50).code == "bet/closed"
    assert len(scene.log) == events
    assert scene.state.by_patron == {"ann": {"player": 100}}
    assert scene.finish(ends(5, 4)).nets == {("ann", "player"): 100}


@pytest.mark.clause("ETG4 3.2 (b)")
def test_nothing_is_dealt_before_no_more_bets() -> None:
    scene = Scene(BOOK).open()

    assert why(denied(scene.deal, "9h")) == ("card/bets-open", "ETG4 3.2")
    assert scene.close().deal("9h").state.phase is Phase.DEALING
