"""KO2: RWS Non-Commission Knockout Baccarat, version 2, clause by clause."""

from itertools import product

import pytest

from cutcard import Coup, Refusal, Side, facts, settle
from cutcard.round import Phase
from cutcard.round.events import (
    BetWithdrawn,
    DecisionsOpened,
    SecondStageDeclined,
    SecondStagePlaced,
)
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards
from cutcard.rules.dealing import demonstration_shoe
from cutcard.rules.shoe import composition
from tests.cases import every
from tests.round.scene import Scene, denied, why
from tests.talk import draws, net, nets, refused

BOOK = "rws-knockout"

COUNTS = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0, **{str(n): n for n in range(2, 10)}}
"""What each rank counts, as 3.8 says it."""

CARD = {0: "K", 1: "A", **{n: str(n) for n in range(2, 10)}}
"""A rank for each number of points."""

TOTALS = {
    "winning_total_1_4": {1, 2, 3, 4},
    "winning_total_5_6": {5, 6},
    "winning_total_7": {7},
    "winning_total_8": {8},
    "winning_total_9": {9},
}
"""The five Winning Totals and the points that each stands for."""


def ends(player: int, banker: int) -> str:
    """A six-card coup that ends on these points: both sides start from nothing and draw."""
    return f"Kh Qs {CARD[player]}d / Tc Jd {CARD[banker]}h"


def wins(winner: str, points: int, loser: int) -> str:
    """A coup that a side wins with these points against those of the loser."""
    return ends(points, loser) if winner == "player" else ends(loser, points)


def cited(coup: str, **stakes: int) -> dict[str, str]:
    """The clause under which each bet was settled."""
    return {bet.spot: bet.clause for bet in settle(load(BOOK), coup, stakes).bets}


def printed(cells: str) -> set[int]:
    """A cell of a printed table: `0-1-8-9`."""
    return {int(cell) for cell in cells.split("-")}


# 1. Definitions


@pytest.mark.clause("KO2 title")
def test_the_book_says_who_it_is() -> None:
    """No time of day is printed, so the book is in force from the first minute of the day."""
    book = load(BOOK)

    assert book.document == "KO2"
    assert book.name == "RWS Non-Commission Knockout Baccarat"
    assert book.operator == "Resorts World at Sentosa"
    assert book.version == "2"
    assert book.effective_from == "2014-07-30T00:00+08:00"


@pytest.mark.clause("KO2 1 Ante")
@pytest.mark.parametrize("side", ["player", "banker"])
def test_an_ante_is_a_first_bet_that_needs_no_other(side: str) -> None:
    spot = load(BOOK).spots[f"ante_{side}"]

    assert (spot.needs, spot.stage) == (None, None)


@pytest.mark.clause("KO2 1 Ante")
def test_an_ante_is_priced_apart_from_the_bet_on_its_side() -> None:
    """Banker wins on six: the Banker bet is halved, the Ante on Banker is not."""
    assert nets(BOOK, ends(5, 6), banker=50, ante_banker=50, wager_banker=100) == {
        "banker": 25,
        "ante_banker": 50,
        "wager_banker": 100,
    }


@pytest.mark.clause("KO2 1 Wager")
@pytest.mark.parametrize("side", ["player", "banker"])
def test_a_wager_follows_the_ante_of_its_side_after_the_first_card(side: str) -> None:
    stage = load(BOOK).spots[f"wager_{side}"].stage

    assert stage is not None
    assert (stage.follows, stage.after_card, stage.multiple) == (f"ante_{side}", 1, 2)


@pytest.mark.clause("KO2 1 Wager")
@every("wager", [50, 98, 99, 101, 102, 150, 200])
def test_a_wager_is_exactly_twice_the_ante(wager: int) -> None:
    refusal = refused(BOOK, ends(9, 5), ante_player=50, wager_player=wager)

    assert (refusal.code, refusal.params["must"]) == ("bet/wrong-multiple", 100)
    assert refusal.clause == "KO2 3.4.2"
    assert net(BOOK, ends(9, 5), ante_player=50, wager_player=100) == 150


@pytest.mark.clause("KO2 1 Wager")
@pytest.mark.parametrize("side", ["player", "banker"])
def test_a_wager_without_an_ante_is_refused_and_an_ante_without_a_wager_lost(side: str) -> None:
    coup = wins(side, 9, loser=5)
    refusal = refused(BOOK, coup, player=100, banker=100, **{f"wager_{side}": 100})

    assert (refusal.code, refusal.clause) == ("bet/needs-first-bet", "KO2 3.4.2")
    assert nets(BOOK, coup, **{f"ante_{side}": 50}) == {f"ante_{side}": -50}


@pytest.mark.clause("KO2 1 Winning Total")
@every("spot", TOTALS)
def test_a_winning_total_needs_a_bet_on_player_or_banker(spot: str) -> None:
    """Neither alone, nor beside an Ante, a pair or Tie; either main bet will do."""
    aside = {"tie": 10, "player_pair": 10, "ante_player": 50, "wager_player": 100}
    for others in ({}, aside):
        refusal = refused(BOOK, ends(9, 0), **{spot: 10}, **others)
        assert (refusal.code, refusal.clause) == ("bet/needs-main-bet", "KO2 1 Winning Total")

    for main in ("player", "banker"):
        assert set(nets(BOOK, ends(9, 0), **{main: 10, spot: 10})) == {main, spot}


@pytest.mark.clause("KO2 1 Winning Total")
def test_a_winning_total_picks_the_points_of_whichever_side_wins() -> None:
    """The patron's Player bet loses, and the total of the winning Banker is paid all the same."""
    assert nets(BOOK, ends(8, 9), player=10, winning_total_8=10, winning_total_9=10) == {
        "player": -10,
        "winning_total_8": -10,
        "winning_total_9": 20,
    }


@pytest.mark.clause("KO2 1 Non-Commission")
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


@pytest.mark.clause("KO2 1 other defs")
@every(
    ("coup", "code"),
    [
        ("2h 3s / Kd 2c 4h", "coup/card-missing"),
        ("2h 3s 9c / Kd 2c", "coup/card-missing"),
        ("2h 4s 9c / Kd 7c", "coup/card-too-many"),
        ("2h 4s / Kd 7c 2s", "coup/card-too-many"),
    ],
    ids=["player 5 stands", "banker 2 stands", "player 6 draws", "banker 7 draws"],
)
def test_nobody_chooses_to_draw_or_to_stand(coup: str, code: str) -> None:
    refusal = refused(BOOK, coup, player=100)

    assert (refusal.code, refusal.clause) == (code, "KO2 3.7")


@pytest.mark.clause("KO2 1 other defs")
@every(
    ("coup", "player", "banker"),
    [
        ("Kh 8s / Kd 9c", True, True),
        ("Kh 7s / Kd 8c", False, True),
        ("4h 5s / Kd 7c", True, False),
        ("4h 3s / 2d 3c 4h", False, False),
        ("2h 3s 3d / Kd 7c", False, False),
    ],
)
def test_a_natural_is_eight_or_nine_on_two_cards(coup: str, player: bool, banker: bool) -> None:
    truth = settle(load(BOOK), coup, {}).facts

    assert (truth["player_natural"], truth["banker_natural"]) == (player, banker)


@pytest.mark.clause("KO2 1 other defs")
def test_thirteen_ranks_make_thirteen_pairs_on_either_side() -> None:
    """Every rank beside every rank, in two suits and in one: 10-10 and K-K pair, 10-K does not."""
    for one, other, suit in product(COUNTS, COUNTS, "sh"):
        first, second = f"{one}s", f"{other}{suit}"
        player = Coup.deal(parse_cards(f"{first} 7c {second} Kd 5c 5d"))
        banker = Coup.deal(parse_cards(f"7c {first} Kd {second} 5c 5d"))
        won = 110 if one == other else -10

        assert net(BOOK, str(player), player_pair=10) == won, player
        assert net(BOOK, str(banker), banker_pair=10) == won, banker


@pytest.mark.clause("KO2 1 other defs")
@every(
    ("coup", "won"),
    [
        ("2h 4s / 3d 3c", 80),
        ("3h 4s / 2c Kd 5h", 80),
        ("Kh Qs Jd / Tc Jd Qh", 80),
        ("2h 4s / 3d 4c", -10),
        ("Kh 9s / Kd 8c", -10),
    ],
    ids=["2 v 2 cards", "2 v 3 cards", "nothing each", "6 v 7", "9 v 8"],
)
def test_equal_points_tie_whatever_the_number_of_cards(coup: str, won: int) -> None:
    assert net(BOOK, coup, tie=10) == won


# 2. Mode of Play


@pytest.mark.clause("KO2 2.1.1")
def test_two_layouts_and_no_other() -> None:
    assert [layout.name for layout in load(BOOK).layouts] == [
        "Bean Baccarat (6 Players)",
        "Mini Baccarat (5 Players)",
    ]


@pytest.mark.clause("KO2 2.1.2")
def test_a_layout_has_a_box_for_each_patron() -> None:
    assert {layout.id: layout.boxes for layout in load(BOOK).layouts} == {
        "ko-bean-6": 6,
        "ko-mini-5": 5,
    }


@pytest.mark.clause("KO2 2.1.3")
def test_fourteen_betting_areas() -> None:
    assert {spot.id: spot.label for spot in load(BOOK).spots.values()} == {
        "player": "Player",
        "banker": "Banker",
        "tie": "Tie",
        "player_pair": "P Pair",
        "banker_pair": "B Pair",
        "winning_total_1_4": "Winning Total 1-2-3-4",
        "winning_total_5_6": "Winning Total 5-6",
        "winning_total_7": "Winning Total 7",
        "winning_total_8": "Winning Total 8",
        "winning_total_9": "Winning Total 9",
        "ante_player": "Ante (Player)",
        "ante_banker": "Ante (Banker)",
        "wager_player": "Wager (Player)",
        "wager_banker": "Wager (Banker)",
    }


@pytest.mark.clause("KO2 2.2.1")
@every("decks", [4, 5, 6, 7, 8])
def test_four_to_eight_full_decks(decks: int) -> None:
    """Every one of 52 cards as often as there are decks, and nothing else: no joker."""
    kinds = {rank + suit for rank in COUNTS for suit in "cdhs"}
    cards = demonstration_shoe(load(BOOK), seed=2, decks=decks).cards

    held = {str(card): copies for card, copies in composition(cards).items()}
    assert held == dict.fromkeys(kinds, decks)
    assert len(cards) == 52 * decks


@pytest.mark.clause("KO2 2.2.1")
@every("decks", [1, 3, 9])
def test_three_decks_are_too_few_and_nine_too_many(decks: int) -> None:
    with pytest.raises(Refusal) as caught:
        load(BOOK).check_decks(decks)

    assert (caught.value.code, caught.value.clause) == ("shoe/decks", "KO2 2.2.1")


# 3. How to Play


@pytest.mark.clause("KO2 3.1")
def test_betting_opens_with_place_your_bets_please() -> None:
    said = load(BOOK).announcements["open"]

    assert (said.words, said.clause) == ("Place your bets, please.", "KO2 3.1")


@pytest.mark.clause("KO2 3.2")
def test_betting_closes_with_no_more_bets() -> None:
    said = load(BOOK).announcements["close"]

    assert (said.words, said.clause) == ("No more bets.", "KO2 3.2")


@pytest.mark.clause("KO2 3.3")
def test_twelve_bets_are_offered_before_the_deal() -> None:
    first = {spot.id for spot in load(BOOK).spots.values() if spot.stage is None}

    assert first == {
        *("player", "banker", "tie", "player_pair", "banker_pair"),
        *TOTALS,
        *("ante_player", "ante_banker"),
    }
    assert len(first) == 12


@pytest.mark.clause("KO2 3.3")
def test_any_of_the_twelve_may_be_taken_together() -> None:
    """Player wins nine to five, without a pair; both Antes were declined."""
    twelve = [spot.id for spot in load(BOOK).spots.values() if spot.stage is None]

    assert nets(BOOK, ends(9, 5), **dict.fromkeys(twelve, 10)) == {
        "player": 10,
        "banker": -10,
        "tie": -10,
        "player_pair": -10,
        "banker_pair": -10,
        "winning_total_1_4": -10,
        "winning_total_5_6": -10,
        "winning_total_7": -10,
        "winning_total_8": -10,
        "winning_total_9": 20,
        "ante_player": -10,
        "ante_banker": -10,
    }


@pytest.mark.clause("KO2 3.3")
def test_no_other_bet_is_offered() -> None:
    refusal = refused(BOOK, ends(0, 6), lucky_six=10)

    assert (refusal.code, refusal.clause) == ("bet/not-offered", "KO2 3.3")


@pytest.mark.clause("KO2 3.3 (b)")
@every(
    ("spot", "won"),
    [
        ("player_pair", 110),
        ("banker_pair", -10),
        ("tie", 80),
        ("ante_player", -10),
        ("ante_banker", -10),
    ],
)
def test_pairs_tie_and_antes_stand_alone(spot: str, won: int) -> None:
    """Player 6-6 draws a five and ties with Banker's seven; a lone Ante is a declined one."""
    assert nets(BOOK, "6h 6s 5d / Kc 7d", **{spot: 10}) == {spot: won}


@pytest.mark.clause("KO2 3.3 (b)")
def test_only_the_winning_totals_depend_on_a_main_bet() -> None:
    needs = {spot.id: spot.needs for spot in load(BOOK).spots.values() if spot.needs is not None}

    assert set(needs) == set(TOTALS)
    assert {frozenset(need.any_of) for need in needs.values()} == {frozenset({"player", "banker"})}


@pytest.mark.clause("KO2 3.4.1")
@every("side", ["player", "banker"])
@every("coup", [ends(9, 0), ends(0, 9), ends(4, 4)], ids=["Player wins", "Banker wins", "tie"])
def test_a_declined_ante_is_lost_whatever_the_coup_brings(side: str, coup: str) -> None:
    ante = f"ante_{side}"

    assert nets(BOOK, coup, **{ante: 50}) == {ante: -50}
    assert cited(coup, **{ante: 50}) == {ante: "KO2 3.4.1"}


@pytest.mark.clause("KO2 3.4.2")
@pytest.mark.parametrize(("side", "other"), [("player", "banker"), ("banker", "player")])
def test_a_wager_goes_to_the_side_of_its_ante(side: str, other: str) -> None:
    coup = wins(side, 9, loser=5)
    refusal = refused(BOOK, coup, **{f"ante_{side}": 50, f"wager_{other}": 100})

    assert (refusal.code, refusal.clause) == ("bet/needs-first-bet", "KO2 3.4.2")
    assert refusal.params["other"] == f"ante_{other}"
    assert net(BOOK, coup, **{f"ante_{side}": 50, f"wager_{side}": 100}) == 150


@pytest.mark.clause("KO2 3.4.2")
@pytest.mark.parametrize("side", ["player", "banker"])
def test_once_or_three_times_the_ante_is_no_wager(side: str) -> None:
    for wager in (50, 150):
        bets = {f"ante_{side}": 50, f"wager_{side}": wager}
        assert refused(BOOK, ends(9, 5), **bets).code == "bet/wrong-multiple"


@pytest.mark.clause("KO2 3.4.2")
def test_each_wager_doubles_its_own_ante() -> None:
    """Antes of 50 and 20 are followed by 100 and 40, not the other way round."""
    antes = {"ante_player": 50, "ante_banker": 20}

    assert net(BOOK, ends(9, 5), **antes, wager_player=100, wager_banker=40) == 150 - 60
    refusal = refused(BOOK, ends(9, 5), **antes, wager_player=40, wager_banker=100)
    assert (refusal.code, refusal.params["must"]) == ("bet/wrong-multiple", 100)


@pytest.mark.clause("KO2 3.4 (both)")
@every(
    ("coup", "ante", "wager"),
    [(ends(5, 9), 50, 100), (ends(9, 5), -50, -100), (ends(5, 5), 0, 0)],
    ids=["Banker wins", "Player wins", "tie"],
)
def test_one_ante_is_declined_and_the_other_continued(coup: str, ante: int, wager: int) -> None:
    assert nets(BOOK, coup, ante_player=50, ante_banker=50, wager_banker=100) == {
        "ante_player": -50,
        "ante_banker": ante,
        "wager_banker": wager,
    }


@pytest.mark.clause("KO2 3.4 (both)")
def test_both_antes_are_continued() -> None:
    stakes = {"ante_player": 50, "wager_player": 100, "ante_banker": 50, "wager_banker": 100}

    assert nets(BOOK, ends(9, 6), **stakes) == {
        "ante_player": 50,
        "wager_player": 200,
        "ante_banker": -50,
        "wager_banker": -100,
    }


@pytest.mark.clause("KO2 3.4 tail")
@every("side", ["player", "banker"])
@every(("loser", "won"), [(3, 100), (5, 150), (6, 250)])
def test_a_winning_side_is_paid_on_ante_and_wager(side: str, loser: int, won: int) -> None:
    coup = wins(side, 9, loser)

    assert net(BOOK, coup, **{f"ante_{side}": 50, f"wager_{side}": 100}) == won
    for clause in cited(coup, **{f"ante_{side}": 50, f"wager_{side}": 100}).values():
        assert clause.startswith("KO2 4.1.3 ")


@pytest.mark.clause("KO2 3.5")
def test_the_card_at_up_the_ante_is_players_first() -> None:
    """Then Banker, Player, Banker: 8-8 is a pair of cards one and three."""
    coup = Coup.deal(parse_cards("8h 2c 8d 5s"))

    assert str(coup) == "8h 8d / 2c 5s"
    assert (facts(coup)["player_pair"], facts(coup)["banker_pair"]) == (True, False)
    assert nets(BOOK, str(coup), player_pair=10, banker_pair=10) == {
        "player_pair": 110,
        "banker_pair": -10,
    }
    assert load(BOOK).cites["deal"] == "KO2 3.5"


@pytest.mark.clause("KO2 3.5")
@every(
    ("coup", "player_pair", "banker_pair"),
    [
        ("7h 7s 6d / 2d 4c 6s", 110, -10),
        ("7h Ks / Ah As 9d", -10, 110),
        ("3h 2s 3d / Kd 7c", -10, -10),
        ("2h 3s Kd / 2d Ac Ah", -10, -10),
        ("7h Ks / 7s Kd", -10, -10),
    ],
    ids=["pair draws", "banker pair draws", "third pairs", "banker's third pairs", "across"],
)
def test_the_first_four_cards_alone_decide_the_pairs(
    coup: str, player_pair: int, banker_pair: int
) -> None:
    bets = settle(load(BOOK), coup, {"player_pair": 10, "banker_pair": 10}).bets

    assert [bet.net for bet in bets] == [player_pair, banker_pair]
    assert {bet.clause for bet in bets if bet.net < 0} == {"KO2 3.5"}


@pytest.mark.clause("KO2 3.6")
@every("player", [6, 7])
@every("banker", range(8))
def test_banker_draws_to_five_and_stands_from_six_when_player_stands(
    player: int, banker: int
) -> None:
    """A king changes no points, so the drawn and the undrawn hand differ by the card alone."""
    four, five = f"Kh {player}s / Qd {CARD[banker]}c", f"Kh {player}s / Qd {CARD[banker]}c Ks"
    lawful, unlawful, code = (
        (five, four, "coup/card-missing") if banker <= 5 else (four, five, "coup/card-too-many")
    )

    assert set(nets(BOOK, lawful, player=100)) == {"player"}
    refusal = refused(BOOK, unlawful, player=100)
    assert (refusal.code, refusal.params["side"]) == (code, "banker")
    assert refusal.clause == "KO2 3.7"


@pytest.mark.clause("KO2 3.7")
@every("player", range(10))
def test_players_half_of_the_table_of_play(player: int) -> None:
    """0-1-2-3-4-5 draws, 6-7 stands, and a natural on either side ends the deal."""
    drawing = {banker for banker in range(10) if draws(player, banker) is Side.PLAYER}
    ended = {banker for banker in range(10) if draws(player, banker) is None}

    if player in printed("0-1-2-3-4-5"):
        assert (drawing, ended) == (printed("0-1-2-3-4-5-6-7"), printed("8-9"))
    elif player in printed("6-7"):
        assert (drawing, ended) == (set(), printed("6-7-8-9"))
    else:
        assert (drawing, ended) == (set(), set(range(10)))


@pytest.mark.clause("KO2 3.7")
@every(
    ("banker", "draws_on"),
    [
        (0, "0-1-2-3-4-5-6-7-8-9"),
        (1, "0-1-2-3-4-5-6-7-8-9"),
        (2, "0-1-2-3-4-5-6-7-8-9"),
        (3, "0-1-2-3-4-5-6-7-9"),
        (4, "2-3-4-5-6-7"),
        (5, "4-5-6-7"),
        (6, "6-7"),
        (7, ""),
    ],
)
def test_bankers_half_of_the_table_of_play(banker: int, draws_on: str) -> None:
    """Every third card after every Player hand that draws; the wrong number of cards is refused."""
    drawing = printed(draws_on) if draws_on else set()
    for player, third in product(range(6), range(10)):
        five = f"Jh {CARD[player]}s {CARD[third]}d / Qd {CARD[banker]}c"
        six = f"{five} Ks"
        lawful, unlawful, code = (
            (six, five, "coup/card-missing")
            if third in drawing
            else (five, six, "coup/card-too-many")
        )
        assert settle(load(BOOK), lawful, {}).coup == Coup.parse(lawful)
        refusal = refused(BOOK, unlawful)
        assert (refusal.code, refusal.params["side"]) == (code, "banker"), unlawful
        assert refusal.clause == "KO2 3.7"


@pytest.mark.clause("KO2 3.7")
def test_a_natural_is_decided_on_four_cards() -> None:
    assert net(BOOK, "Kh Qs / Kd 8c", banker=100) == 100
    for coup in ("Kh Qs 9d / Kd 8c", "Kh 8s / Kd 2c 9c"):
        refusal = refused(BOOK, coup, banker=100)
        assert (refusal.code, refusal.clause) == ("coup/card-too-many", "KO2 3.7")


@pytest.mark.clause("KO2 3.8")
def test_the_units_of_the_total_are_the_points() -> None:
    """All hands of two and of three ranks; 9, 7 and 8 make twenty-four, which counts 4."""
    assert Coup.parse("9h 7s 8d / ").player_points == 4
    for size in (2, 3):
        for ranks in product(COUNTS, repeat=size):
            hand = parse_cards(" ".join(f"{rank}h" for rank in ranks))
            units = int(str(sum(COUNTS[rank] for rank in ranks))[-1])
            assert Coup(player=hand).player_points == units, ranks
            assert Coup(banker=hand).banker_points == units, ranks
    assert load(BOOK).cites["values"] == "KO2 3.8"


@pytest.mark.clause("KO2 3.8")
def test_more_points_win_and_the_other_bets_are_lost() -> None:
    """Nine is the highest count, then eight, and so on down."""
    for player, banker in product(range(10), repeat=2):
        bets = settle(
            load(BOOK), ends(player, banker), {"player": 10, "banker": 10, "tie": 10}
        ).bets
        lost = {bet.spot for bet in bets if bet.net == -10}
        beaten = {"player"} if player < banker else {"banker"}

        assert lost == ({*beaten, "tie"} if player != banker else set())
        assert {bet.spot for bet in bets if bet.clause == "KO2 3.8"} == lost
    assert load(BOOK).cites["winner"] == "KO2 3.8"


@pytest.mark.clause("KO2 3.9")
@every("count", range(10))
def test_eleven_bets_push_on_a_tie(count: int) -> None:
    """Even the Winning Total of the tied points: nobody won with them."""
    pushed = {
        "player": 10,
        "banker": 10,
        **dict.fromkeys(TOTALS, 10),
        "ante_player": 50,
        "ante_banker": 20,
        "wager_player": 100,
        "wager_banker": 40,
    }
    assert len(pushed) == 11
    assert nets(BOOK, ends(count, count), **pushed) == dict.fromkeys(pushed, 0)
    assert cited(ends(count, count), **pushed) == dict.fromkeys(pushed, "KO2 3.9")


@pytest.mark.clause("KO2 3.9")
def test_tie_is_paid_and_pairs_are_settled_on_a_tie() -> None:
    """Player 4-4 ties on eight: returned are 100, 10, 50, 100, 90 and 120, and B Pair is lost."""
    stakes = {"player": 100, "winning_total_8": 10, "ante_player": 50, "wager_player": 100}

    assert nets(BOOK, "4h 4s / Kd 8c", **stakes, tie=10, player_pair=10, banker_pair=10) == {
        "player": 0,
        "winning_total_8": 0,
        "ante_player": 0,
        "wager_player": 0,
        "tie": 80,
        "player_pair": 110,
        "banker_pair": -10,
    }


# 4. Settlement


@pytest.mark.clause("KO2 4.1.1")
@every("count", range(1, 10))
def test_banker_pays_half_on_six_and_even_money_otherwise(count: int) -> None:
    coup = ends(count - 1, count)

    assert nets(BOOK, coup, player=100, banker=100) == {
        "player": -100,
        "banker": 50 if count == 6 else 100,
    }
    assert cited(coup, banker=100) == {"banker": "KO2 4.1.1"}


@pytest.mark.clause("KO2 4.1.1")
@every("count", range(1, 10))
def test_player_pays_even_money_on_six_as_on_any_points(count: int) -> None:
    coup = ends(count, count - 1)

    assert nets(BOOK, coup, player=101, banker=100) == {"player": 101, "banker": -100}
    assert cited(coup, player=101) == {"player": "KO2 4.1.1"}


@pytest.mark.clause("KO2 4.1.1")
def test_a_banker_stake_that_cannot_be_halved_is_refused() -> None:
    refusal = refused(BOOK, ends(5, 6), banker=101)

    assert (refusal.code, refusal.params["step"]) == ("bet/off-step", 2)


@pytest.mark.clause("KO2 4.1.1")
@every("count", range(10))
def test_tie_pays_eight_to_one(count: int) -> None:
    assert nets(BOOK, ends(count, count), tie=10) == {"tie": 80}
    assert cited(ends(count, count), tie=10) == {"tie": "KO2 4.1.1"}


@pytest.mark.clause("KO2 4.1.1")
@every("third", [5, 7, 4], ids=["tie", "side wins", "side loses"])
def test_a_pair_pays_eleven_to_one_whichever_side_wins(third: int) -> None:
    for coup, spot in (
        (f"6h 6s {third}d / Kc 7d", "player_pair"),
        (f"Kc 7d / 6h 6s {third}d", "banker_pair"),
    ):
        assert nets(BOOK, coup, **{spot: 10}) == {spot: 110}
        assert cited(coup, **{spot: 10}) == {spot: "KO2 4.1.1"}


def check_total(spot: str, won: int, clause: str) -> None:
    """A total is paid whenever either side wins with its points, and lost on any other win."""
    for side, count in product(("player", "banker"), range(1, 10)):
        for loser in range(count):
            coup = wins(side, count, loser)
            bet = settle(load(BOOK), coup, {spot: 10, "player": 10}).bets[0]
            paid = count in TOTALS[spot]

            assert bet.net == (won if paid else -10), coup
            assert bet.clause == (clause if paid else "KO2 4.1.2"), coup


@pytest.mark.clause("KO2 4.1.2 1-4")
def test_winning_total_one_to_four_pays_seven_to_one() -> None:
    assert nets(BOOK, "2h Ks Qd / Kd 2c 2s", banker=10, winning_total_1_4=10) == {
        "banker": 10,
        "winning_total_1_4": 70,
    }
    check_total("winning_total_1_4", 70, "KO2 4.1.2 1-4")


@pytest.mark.clause("KO2 4.1.2 5-6")
def test_winning_total_five_six_pays_three_to_one() -> None:
    check_total("winning_total_5_6", 30, "KO2 4.1.2 5-6")


@pytest.mark.clause("KO2 4.1.2 7")
def test_winning_total_seven_pays_four_to_one() -> None:
    check_total("winning_total_7", 40, "KO2 4.1.2 7")


@pytest.mark.clause("KO2 4.1.2 8")
def test_winning_total_eight_pays_three_to_one() -> None:
    """With two cards as with three."""
    assert net(BOOK, "Kh 8s / Kd Qc", player=10, winning_total_8=10) == 10 + 30
    check_total("winning_total_8", 30, "KO2 4.1.2 8")


@pytest.mark.clause("KO2 4.1.2 9")
def test_winning_total_nine_pays_two_to_one() -> None:
    """With two cards as with three."""
    assert net(BOOK, "Kh 9s / Kd 8c", player=10, winning_total_9=10) == 10 + 20
    check_total("winning_total_9", 20, "KO2 4.1.2 9")


@pytest.mark.clause("KO2 4.1.3 Ante")
@pytest.mark.parametrize("side", ["player", "banker"])
def test_an_ante_pays_even_money_when_its_side_wins(side: str) -> None:
    """With any points against any, and loses when the other side wins."""
    other = "banker" if side == "player" else "player"
    stakes = {f"ante_{side}": 50, f"wager_{side}": 100}
    for count in range(1, 10):
        for loser in range(count):
            won, lost = (
                settle(load(BOOK), wins(who, count, loser), stakes).bets[0] for who in (side, other)
            )
            assert (won.net, won.clause) == (50, "KO2 4.1.3 Ante")
            assert (lost.net, lost.clause) == (-50, "KO2 4.1.3 lose")


def check_wager(side: str, losers: set[int], won: int, clause: str) -> None:
    """A Wager of 100 is paid by the loser's points alone, whatever the winner has."""
    stakes = {f"ante_{side}": 50, f"wager_{side}": 100}
    for loser in losers:
        for count in range(loser + 1, 10):
            coup = wins(side, count, loser)
            assert nets(BOOK, coup, **stakes)[f"wager_{side}"] == won, coup
            assert cited(coup, **stakes)[f"wager_{side}"] == clause, coup


@pytest.mark.clause("KO2 4.1.3 Wager 0-3")
def test_a_wager_pays_half_against_nought_to_three() -> None:
    """Player wins 5-3 on an Ante of 50: fifty and fifty. Half of twice an Ante is always whole."""
    check_wager("player", printed("0-1-2-3"), 50, "KO2 4.1.3 Wager 0-3")
    assert net(BOOK, ends(5, 3), ante_player=50, wager_player=100) == 100
    assert net(BOOK, ends(5, 3), ante_player=1, wager_player=2) == 2


@pytest.mark.clause("KO2 4.1.3 Wager 4-5")
def test_a_wager_pays_even_money_against_four_and_five() -> None:
    check_wager("player", printed("4-5"), 100, "KO2 4.1.3 Wager 4-5")
    assert net(BOOK, ends(9, 5), ante_player=50, wager_player=100) == 150


@pytest.mark.clause("KO2 4.1.3 Wager 6-8")
def test_a_wager_pays_double_against_six_to_eight() -> None:
    check_wager("player", printed("6-7-8"), 200, "KO2 4.1.3 Wager 6-8")
    assert net(BOOK, ends(9, 6), ante_player=50, wager_player=100) == 250


@pytest.mark.clause("KO2 4.1.3 lose")
@every(("side", "other"), [("player", "banker"), ("banker", "player")])
@every("loser", range(9))
def test_ante_and_wager_are_lost_when_the_other_side_wins(
    side: str, other: str, loser: int
) -> None:
    coup = wins(other, 9, loser)
    ante, wager = f"ante_{side}", f"wager_{side}"

    assert nets(BOOK, coup, **{ante: 50, wager: 100}) == {ante: -50, wager: -100}
    assert set(cited(coup, **{ante: 50, wager: 100}).values()) == {"KO2 4.1.3 lose"}


@pytest.mark.clause("KO2 4.1.3 Banker")
def test_the_banker_wager_is_paid_by_players_losing_points() -> None:
    check_wager("banker", printed("0-1-2-3"), 50, "KO2 4.1.3 Banker")
    check_wager("banker", printed("4-5"), 100, "KO2 4.1.3 Banker")
    check_wager("banker", printed("6-7-8"), 200, "KO2 4.1.3 Banker")


@pytest.mark.clause("KO2 4.1.3 Banker")
@every(("player", "wager"), [(0, 50), (3, 50), (4, 100), (5, 100)])
def test_a_banker_six_halves_neither_ante_nor_wager(player: int, wager: int) -> None:
    """Six to five wins fifty and a hundred."""
    assert nets(BOOK, ends(player, 6), ante_banker=50, wager_banker=100) == {
        "ante_banker": 50,
        "wager_banker": wager,
    }


# Appendices


@pytest.mark.clause("KO2 App A")
def test_bean_has_six_boxes_of_fourteen_spots_and_up_the_ante() -> None:
    book = load(BOOK)
    (bean,) = (layout for layout in book.layouts if layout.clause == "KO2 App A")

    assert (bean.id, bean.name) == ("ko-bean-6", "Bean Baccarat (6 Players)")
    assert (bean.boxes, len(book.spots)) == (6, 14)
    assert bean.areas == ("Up The Ante",)


@pytest.mark.clause("KO2 App B")
def test_mini_has_five_boxes_of_fourteen_spots_and_up_the_ante() -> None:
    book = load(BOOK)
    (mini,) = (layout for layout in book.layouts if layout.clause == "KO2 App B")

    assert (mini.id, mini.name) == ("ko-mini-5", "Mini Baccarat (5 Players)")
    assert (mini.boxes, len(book.spots)) == (5, 14)
    assert mini.areas == ("Up The Ante",)


# --- in a round


PLAYER_WINS, PUSH = "Kh 9s / Kd 8c", "Kh 8s / Qd 8c"


def shown(card: str, **antes: int) -> Scene:
    """Ann's Antes in box 1, bets closed and the first card shown."""
    scene = Scene(BOOK).open()
    for spot, stake in antes.items():
        scene.bet("ann", 1, spot, stake)
    return scene.close().deal(card)


@pytest.mark.clause("KO2 1 Ante (b)")
def test_an_ante_is_taken_before_the_first_card_and_not_after_it() -> None:
    scene = Scene(BOOK).open().bet("ann", 1, "ante_player", 50).close().deal("Kh")

    assert why(denied(scene.bet, "bob", 2, "ante_player", 50)) == ("bet/closed", "KO2 5.2")
    assert why(denied(scene.bet, "ann", 1, "ante_player", 50)) == ("bet/closed", "KO2 5.2")
    assert scene.bets == {("ann", "ante_player"): 50}


@pytest.mark.clause("KO2 3.1 (b)")
def test_no_bet_is_taken_before_place_your_bets() -> None:
    scene = Scene(BOOK)

    assert why(denied(scene.bet, "ann", 1, "player", 100)) == ("bet/not-open", "KO2 3.1")
    assert scene.open().bet("ann", 1, "player", 100).bets == {("ann", "player"): 100}


@pytest.mark.clause("KO2 3.2 (b)")
@every("phase", [Phase.CLOSED, Phase.DECIDING, Phase.DEALING, Phase.RESULT])
def test_a_bet_that_arrives_after_no_more_bets_is_refused(phase: Phase) -> None:
    scene = Scene(BOOK).reach(phase)

    assert why(denied(scene.bet, "bob", 2, "player", 100)) == ("bet/closed", "KO2 5.2")


@pytest.mark.clause("KO2 3.3 (c)")
def test_a_winning_total_goes_with_the_bet_it_depends_on() -> None:
    """Player 10 and a Winning Total of 5: undoing Player gives both back, and says why."""
    scene = Scene(BOOK).open().bet("ann", 1, "player", 10).bet("ann", 1, "winning_total_8", 5)
    player, total = scene.laid("ann", 1, "player"), scene.laid("ann", 1, "winning_total_8")
    scene.take_back("ann", 1, "player")

    assert scene.last == [
        BetWithdrawn(player, None, "withdrawn", None, scene.now),
        BetWithdrawn(total, None, "needs another bet", "KO2 1 Winning Total", scene.now),
    ]
    assert sum(scene.state.by_patron["ann"].values()) == 0


@pytest.mark.clause("KO2 3.3 (c)")
def test_a_winning_total_stays_while_the_other_side_carries_it() -> None:
    scene = Scene(BOOK).open().bet("ann", 1, "player", 10).bet("ann", 1, "banker", 10)
    scene.bet("ann", 1, "winning_total_8", 5).take_back("ann", 1, "player")

    assert scene.bets == {("ann", "banker"): 10, ("ann", "winning_total_8"): 5}


@pytest.mark.clause("KO2 3.4")
def test_the_deal_waits_until_everyone_with_an_ante_has_decided() -> None:
    """Four Antes are held, others wait; the card is Player's first, for all to see."""
    scene = Scene(BOOK).open().bet("zoe", 6, "player", 100)
    for box, patron in enumerate(("ann", "bob", "cat", "eve"), 1):
        scene.bet(patron, box, "ante_player", 50)
    scene.close().deal("9s")

    assert str(scene.state.coup) == "9s /"
    assert scene.last[1] == DecisionsOpened(scene.now + 10_000, scene.now)
    for box, patron in enumerate(("ann", "bob", "cat", "eve"), 1):
        assert why(denied(scene.deal, "Kd")) == ("card/decisions-open", "KO2 3.4.2")
        scene.go_on(patron, box, "ante_player")
    assert scene.deal("Kd").state.phase is Phase.DEALING


@pytest.mark.clause("KO2 3.4")
def test_all_other_bets_stay_closed_while_antes_are_decided() -> None:
    scene = Scene(BOOK).reach(Phase.DECIDING)

    assert denied(scene.bet, "ann", 1, "player", 10).code == "bet/closed"
    assert denied(scene.bet, "bob", 2, "tie", 10).code == "bet/closed"
    assert denied(scene.take_back, "ann", 1, "player").code == "bet/closed"


@pytest.mark.clause("KO2 3.4")
def test_nothing_waits_where_nobody_has_an_ante() -> None:
    scene = Scene(BOOK).open().bet("ann", 1, "player", 100).close().deal("9s Kd")

    assert scene.state.phase is Phase.DEALING


@pytest.mark.clause("KO2 3.4 timeout")
def test_no_decision_in_time_loses_the_ante_and_the_log_says_who_decided() -> None:
    scene = shown("Kh", ante_player=50).wait(10_000).time_is_up()
    (declined, _) = scene.last

    assert declined == SecondStageDeclined(
        "ann", 1, "ante_player", True, "HOUSE timeout", scene.now
    )
    assert scene.finish(PLAYER_WINS).nets == {("ann", "ante_player"): -50}


@pytest.mark.clause("KO2 3.4 timeout")
def test_time_left_is_not_cut_short() -> None:
    scene = shown("Kh", ante_player=50).wait(9_000)

    assert denied(scene.time_is_up).code == "decision/time-left"
    assert scene.state.phase is Phase.DECIDING


@pytest.mark.clause("KO2 3.4 timeout")
def test_always_continue_places_the_wager_when_time_is_up() -> None:
    scene = shown("Kh", ante_player=50).always("ann").wait(10_000).time_is_up()
    (placed, _) = scene.last

    assert isinstance(placed, SecondStagePlaced)
    assert (placed.bet.stake, placed.by_system) == (100, True)
    assert scene.finish(PLAYER_WINS).nets == {
        ("ann", "ante_player"): 50,
        ("ann", "wager_player"): 200,
    }


@pytest.mark.clause("KO2 3.4.1")
@pytest.mark.parametrize("coup", [PLAYER_WINS, PUSH])
def test_a_folded_ante_is_lost_whatever_comes_later(coup: str) -> None:
    scene = shown("Kh", ante_player=50).decline("ann", 1, "ante_player").finish(coup)

    assert scene.nets == {("ann", "ante_player"): -50}
    assert scene.settled["ann", "ante_player"].clause == "KO2 3.4.1"


@pytest.mark.clause("KO2 3.4.2")
def test_a_wager_lies_on_the_side_of_its_ante() -> None:
    scene = shown("Kh", ante_player=50)

    assert denied(scene.go_on, "ann", 1, "ante_banker", 100).code == "decision/nothing-to-decide"
    assert scene.go_on("ann", 1, "ante_player", 100).bets == {
        ("ann", "ante_player"): 50,
        ("ann", "wager_player"): 100,
    }


@pytest.mark.clause("KO2 3.4 (both)")
def test_two_antes_are_decided_and_settled_apart() -> None:
    scene = shown("Kh", ante_player=50, ante_banker=50)
    scene.decline("ann", 1, "ante_player").go_on("ann", 1, "ante_banker", 100)

    assert scene.finish("Kh 7s / Kd 8c").nets == {
        ("ann", "ante_player"): -50,
        ("ann", "ante_banker"): 50,
        ("ann", "wager_banker"): 200,
    }


@pytest.mark.clause("KO2 5.2")
def test_a_late_raise_does_not_count() -> None:
    """100 lay at the close and 50 came after it: the round settles on 100."""
    scene = Scene(BOOK).open().bet("ann", 1, "player", 100).close()

    assert why(denied(scene.bet, "ann", 1, "player", 50)) == ("bet/closed", "KO2 5.2")
    assert scene.finish(PLAYER_WINS).nets == {("ann", "player"): 100}


@pytest.mark.clause("KO2 5.2 v 3.4.2")
def test_the_wager_is_the_one_bet_after_the_close() -> None:
    scene = Scene(BOOK).open().bet("ann", 1, "ante_player", 50).bet("bob", 2, "player", 50)
    scene.close()
    assert denied(scene.go_on, "ann", 1, "ante_player", 100).code == "decision/not-now"
    scene.deal("Kh")

    assert denied(scene.bet, "bob", 2, "player", 10).code == "bet/closed"
    assert denied(scene.bet, "ann", 1, "wager_player", 100).code == "bet/closed"
    assert denied(scene.go_on, "bob", 2, "player").code == "decision/nothing-to-decide"
    assert denied(scene.go_on, "ann", 1, "ante_player", 99).params["must"] == 100
    assert scene.go_on("ann", 1, "ante_player", 100).bets[("ann", "wager_player")] == 100
    assert denied(scene.go_on, "ann", 1, "ante_player", 100).code == "decision/not-now"


@pytest.mark.clause("KO2 5.3")
@every(("coup", "net"), [(PLAYER_WINS, -200), ("Kh 7s / Kd 8c", 200), (PUSH, 0)])
def test_chips_taken_away_after_the_close_win_and_lose_as_if_there(coup: str, net: int) -> None:
    scene = Scene(BOOK).open().bet("ann", 1, "banker", 200).close()
    assert why(denied(scene.take_back, "ann", 1, "banker")) == ("bet/closed", "KO2 5.3")
    scene.removed("ann", 1, "banker").finish(coup)

    assert scene.settled["ann", "banker"].net == net
    assert scene.settled["ann", "banker"].removed
