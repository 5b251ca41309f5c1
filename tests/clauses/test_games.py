"""GAMES: more games as data only. Each line by its exact net, each bet by its published edge."""

import pytest

from cutcard.odds import odds
from cutcard.odds.pricing import decimal
from cutcard.rulebooks import load
from tests.cases import every
from tests.talk import net

DRAGON_SEVEN = "Kh 6d / 2c 3d 2s"
PANDA = "2h 3s 3d / 5d Ac"
SMALL_SIX = "2h 3c Tc / 2d 4c"
BIG_SIX = "Ks 2h 3d / 2c 2d 2s"
NATURAL_WIN = "4h 5s / 8d Kc"
NATURAL_TIE = "4h 4s / 8d Kc"


def edge(book: str, spot: str) -> str:
    return decimal(odds(load(book)).bets[spot].edge * 100, 4)


@pytest.mark.clause("GAMES deal")
@every("book", ["ez-baccarat", "super-six", "side-bets"])
def test_the_deal_is_that_of_baccarat_everywhere(book: str) -> None:
    assert edge(book, "player") == "1.2351"


@pytest.mark.clause("GAMES bets")
def test_each_game_offers_its_bets() -> None:
    main = ["player", "banker", "tie"]

    assert list(load("ez-baccarat").spots) == [*main, "dragon_7", "panda_8"]
    assert list(load("super-six").spots) == [*main, "super_six"]
    assert list(load("side-bets").spots) == [
        *main,
        "dragon_bonus_player",
        "dragon_bonus_banker",
        "big",
        "small",
        "either_pair",
        "perfect_pair",
        "lucky_six_12_23",
        "small_tiger",
        "big_tiger",
    ]


@pytest.mark.clause("GAMES even money")
@every("book", ["ez-baccarat", "super-six", "side-bets"])
def test_player_pays_even_money_and_a_tie_pushes(book: str) -> None:
    assert net(book, PANDA, player=100) == 100
    assert net(book, NATURAL_TIE, player=100, banker=100) == 0
    assert net(book, DRAGON_SEVEN, player=100) == -100
    assert net(book, PANDA, banker=100) == -100


@pytest.mark.clause("GAMES commission")
def test_banker_of_the_side_bet_game_pays_commission() -> None:
    assert net("side-bets", DRAGON_SEVEN, banker=100) == 95
    assert edge("side-bets", "banker") == "1.0579"


@pytest.mark.clause("GAMES half on six")
def test_super_six_halves_a_banker_six() -> None:
    assert net("super-six", SMALL_SIX, banker=100) == 50
    assert net("super-six", DRAGON_SEVEN, banker=100) == 100
    assert edge("super-six", "banker") == "1.4581"


@pytest.mark.clause("GAMES tie")
@pytest.mark.parametrize("book", ["ez-baccarat", "super-six"])
def test_tie_pays_eight(book: str) -> None:
    assert net(book, NATURAL_TIE, tie=10) == 80
    assert net(book, PANDA, tie=10) == -10
    assert edge(book, "tie") == "14.3596"


@pytest.mark.clause("GAMES tie nine")
def test_tie_pays_nine() -> None:
    assert net("side-bets", NATURAL_TIE, tie=10) == 90
    assert net("side-bets", PANDA, tie=10) == -10
    assert edge("side-bets", "tie") == "4.8440"


@pytest.mark.clause("GAMES ez banker")
def test_a_winning_three_card_seven_pushes() -> None:
    assert net("ez-baccarat", DRAGON_SEVEN, banker=100) == 0
    assert net("ez-baccarat", BIG_SIX, banker=100) == 100
    assert net("ez-baccarat", "Kh 6d / 3d 4s", banker=100) == 100
    assert edge("ez-baccarat", "banker") == "1.0183"


@pytest.mark.clause("GAMES dragon 7")
def test_dragon_seven_needs_three_cards() -> None:
    assert net("ez-baccarat", DRAGON_SEVEN, dragon_7=10) == 400
    assert net("ez-baccarat", "Kh 6d / 3d 4s", dragon_7=10) == -10
    assert edge("ez-baccarat", "dragon_7") == "7.6113"


@pytest.mark.clause("GAMES panda 8")
def test_panda_eight_needs_three_cards() -> None:
    assert net("ez-baccarat", PANDA, panda_8=10) == 250
    assert net("ez-baccarat", "3h 5s / Kd Ac", panda_8=10) == -10
    assert edge("ez-baccarat", "panda_8") == "10.1876"


@pytest.mark.clause("GAMES super six")
def test_super_six_pays_on_any_banker_six() -> None:
    assert net("super-six", SMALL_SIX, super_six=10) == 120
    assert net("super-six", "Ks 6h / 2c 4s", super_six=10) == -10
    assert edge("super-six", "super_six") == "29.9772"


@pytest.mark.clause("GAMES dragon bonus")
@every(
    ("coup", "pays"),
    [
        (NATURAL_WIN, 10),
        (NATURAL_TIE, 0),
        ("2h 2s 5d / Kd Kc Ts", 300),
        ("2h 2s 4d / Kd Kc Ts", 100),
        ("Kh 7s / Kd Kc Ts", 60),
        ("2h 3s 4d / 5d 5c 2h", 60),
        ("Kh 6s / Kd Kc Ts", 40),
        ("2h 2s Ad / Kd Kc Ts", 20),
        ("2h Ks 2d / Kd Kc Ts", 10),
        ("2h Ks Ad / Kd Kc Ts", -10),
        ("Kh 6s / 2d 4c", -10),
    ],
)
def test_dragon_bonus_pays_by_the_margin(coup: str, pays: int) -> None:
    assert net("side-bets", coup, dragon_bonus_player=10) == pays


@pytest.mark.clause("GAMES dragon bonus")
def test_dragon_bonus_has_its_published_edges() -> None:
    assert edge("side-bets", "dragon_bonus_player") == "2.6517"
    assert edge("side-bets", "dragon_bonus_banker") == "9.3731"


@pytest.mark.clause("GAMES big and small")
def test_big_and_small_look_at_the_number_of_cards() -> None:
    assert net("side-bets", NATURAL_WIN, big=50, small=50) == 75 - 50
    assert net("side-bets", DRAGON_SEVEN, big=50, small=50) == 27 - 50
    assert net("side-bets", PANDA, big=50) == 27
    assert (edge("side-bets", "big"), edge("side-bets", "small")) == ("4.3457", "5.2829")


@pytest.mark.clause("GAMES either pair")
def test_a_pair_on_either_side_is_enough() -> None:
    assert net("side-bets", NATURAL_TIE, either_pair=10) == 50
    assert net("side-bets", "8d Kc / 4h 4s", either_pair=10) == 50
    assert net("side-bets", NATURAL_WIN, either_pair=10) == -10
    assert edge("side-bets", "either_pair") == "13.7099"


@pytest.mark.clause("GAMES perfect pair")
def test_two_perfect_pairs_pay_two_hundred() -> None:
    assert net("side-bets", "4h 4h / 9d 9d", perfect_pair=10) == 2000
    assert net("side-bets", "4h 4h / 9d 9c", perfect_pair=10) == 250
    assert net("side-bets", "9d 9c / 4h 4h", perfect_pair=10) == 250
    assert net("side-bets", NATURAL_TIE, perfect_pair=10) == -10
    assert edge("side-bets", "perfect_pair") == "8.0470"


@pytest.mark.clause("GAMES lucky six")
def test_lucky_six_pays_more_on_three_cards() -> None:
    assert net("side-bets", SMALL_SIX, lucky_six_12_23=10) == 120
    assert net("side-bets", BIG_SIX, lucky_six_12_23=10) == 230
    assert net("side-bets", NATURAL_WIN, lucky_six_12_23=10) == -10


@pytest.mark.clause("GAMES tiger")
def test_the_tigers_part_by_the_number_of_cards() -> None:
    assert net("side-bets", SMALL_SIX, small_tiger=10, big_tiger=10) == 220 - 10
    assert net("side-bets", BIG_SIX, small_tiger=10, big_tiger=10) == 500 - 10
