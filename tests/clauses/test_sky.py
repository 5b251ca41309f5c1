"""SKY, the SkyCity Darwin brochure: Non-Commission and Commission Baccarat, clause by clause."""

import pytest

from cutcard import Coup, Side, Winner, next_side, settle
from cutcard.round import Phase
from cutcard.rulebooks import load
from cutcard.rules.cards import Card, Rank, Suit, parse_cards
from tests.cases import every
from tests.round.scene import Scene, denied, why
from tests.talk import draws, net, nets, refused

NON_COMMISSION, COMMISSION = "skycity-non-commission", "skycity-commission"
BOOKS = (NON_COMMISSION, COMMISSION)

# Three-card hands of every total; against nothing they win, against each other they tie.
CARD = {0: "J", 1: "A", **{points: str(points) for points in range(2, 10)}}


def result(player: int, banker: int) -> str:
    """A coup in which both sides have nothing on two cards and end with these points."""
    return f"Kh Qs {CARD[player]}d / Kc Qd {CARD[banker]}h"


def paid(book: str, coup: str, **bet: int) -> tuple[int, str]:
    """What one bet gains or loses on a coup, and the clause it is settled by."""
    (settled,) = settle(load(book), coup, bet).bets
    return settled.net, settled.clause


def banker_draws_on(banker: int) -> list[int]:
    """Player's third cards, by value, on which Banker draws."""
    return [third for third in range(10) if draws(0, banker, third) is Side.BANKER]


# Non-Commission


@pytest.mark.clause("SKY NC1")
@every("points", range(1, 10))
def test_non_commission_player_pays_even_money(points: int) -> None:
    """With six too: only Banker's six is halved."""
    assert paid(NON_COMMISSION, result(points, 0), player=100) == (100, "SKY NC1")


@pytest.mark.clause("SKY NC1")
@every("points", [1, 2, 3, 4, 5, 7, 8, 9])
def test_non_commission_banker_pays_even_money(points: int) -> None:
    (bet,) = settle(load(NON_COMMISSION), result(0, points), {"banker": 100}).bets

    assert (bet.net, bet.commission, bet.clause) == (100, 0, "SKY NC1")


@pytest.mark.clause("SKY NC1")
def test_non_commission_bets_on_the_other_side_lose_their_stake() -> None:
    assert nets(NON_COMMISSION, result(9, 6), player=100, banker=100) == {
        "player": 100,
        "banker": -100,
    }
    assert nets(NON_COMMISSION, result(5, 7), player=100, banker=100) == {
        "player": -100,
        "banker": 100,
    }


@pytest.mark.clause("SKY NC2")
@every(
    "coup",
    [
        "Kh 2s 3d / 4c 2h",  # a two-card six beats five
        "Kh 2s 3d / Ac 2h 3s",  # a three-card six beats five
        result(0, 6),
    ],
)
def test_banker_six_pays_half(coup: str) -> None:
    (bet,) = settle(load(NON_COMMISSION), coup, {"banker": 100}).bets

    assert (bet.net, bet.commission, bet.clause) == (50, 0, "SKY NC2")


@pytest.mark.clause("SKY NC2")
def test_banker_six_that_does_not_win_pays_nothing() -> None:
    assert net(NON_COMMISSION, result(6, 6), banker=100) == 0
    assert net(NON_COMMISSION, result(7, 6), banker=100) == -100


@pytest.mark.clause("SKY NC2")
def test_half_of_an_odd_stake_is_refused() -> None:
    refusal = refused(NON_COMMISSION, result(0, 6), banker=101)

    assert refusal.code == "bet/off-step"
    assert refusal.params["step"] == 2


@pytest.mark.clause("SKY NC3")
@every("points", range(10))
def test_non_commission_tie_pays_eight_to_one(points: int) -> None:
    assert paid(NON_COMMISSION, result(points, points), tie=10) == (80, "SKY NC3")


@pytest.mark.clause("SKY NC3")
@every("coup", [result(9, 8), result(8, 9), result(1, 0), result(0, 6)])
def test_non_commission_tie_loses_when_a_side_wins(coup: str) -> None:
    assert paid(NON_COMMISSION, coup, tie=10) == (-10, "SKY NC3")


# Commission


@pytest.mark.clause("SKY C1")
@every("points", range(1, 10))
def test_commission_player_pays_even_money(points: int) -> None:
    (bet,) = settle(load(COMMISSION), result(points, 0), {"player": 100}).bets

    assert (bet.net, bet.commission, bet.clause) == (100, 0, "SKY C1")


@pytest.mark.clause("SKY C1")
def test_commission_player_loses_its_stake_to_banker() -> None:
    assert net(COMMISSION, result(6, 7), player=100) == -100


@pytest.mark.clause("SKY C2")
@every("points", range(1, 10))
def test_commission_banker_pays_nineteen_to_twenty(points: int) -> None:
    """With six too: the brochure halves it in the other game only."""
    (bet,) = settle(load(COMMISSION), result(0, points), {"banker": 100}).bets

    assert (bet.net, bet.commission, bet.clause) == (95, 5, "SKY C2")


@pytest.mark.clause("SKY C2")
def test_nineteen_to_twenty_is_exact_on_every_multiple_of_twenty() -> None:
    for twenties in range(1, 101):
        assert net(COMMISSION, result(0, 8), banker=20 * twenties) == 19 * twenties


@pytest.mark.clause("SKY C2")
@every("stake", [1, 10, 19, 21, 110])
def test_a_stake_whose_commission_would_be_rounded_is_refused(stake: int) -> None:
    refusal = refused(COMMISSION, result(0, 8), banker=stake)

    assert refusal.code == "bet/off-step"
    assert refusal.params["step"] == 20


@pytest.mark.clause("SKY C2")
def test_commission_is_taken_from_wins_only() -> None:
    (lost,) = settle(load(COMMISSION), result(9, 8), {"banker": 100}).bets
    (pushed,) = settle(load(COMMISSION), result(8, 8), {"banker": 100}).bets

    assert (lost.net, lost.commission) == (-100, 0)
    assert (pushed.net, pushed.commission) == (0, 0)


@pytest.mark.clause("SKY C3")
@every("points", range(10))
def test_commission_tie_pays_eight_to_one(points: int) -> None:
    assert paid(COMMISSION, result(points, points), tie=10) == (80, "SKY C3")


@pytest.mark.clause("SKY C3")
@every("coup", [result(9, 8), result(8, 9), result(1, 0), result(0, 6)])
def test_commission_tie_loses_when_a_side_wins(coup: str) -> None:
    assert paid(COMMISSION, coup, tie=10) == (-10, "SKY C3")


# The brochure around the games


@pytest.mark.clause("SKY bets")
@pytest.mark.parametrize("book", BOOKS)
def test_three_bets_are_offered(book: str) -> None:
    assert [(spot.id, spot.label) for spot in load(book).spots.values()] == [
        ("player", "Player"),
        ("banker", "Banker"),
        ("tie", "Tie"),
    ]


@pytest.mark.clause("SKY bets")
@pytest.mark.parametrize("book", BOOKS)
def test_a_side_and_the_tie_may_be_bet_together(book: str) -> None:
    """The brochure says "and/or": all three in one round."""
    assert nets(book, result(7, 3), player=20, banker=20, tie=20) == {
        "player": 20,
        "banker": -20,
        "tie": -20,
    }


@pytest.mark.clause("SKY bets")
@every("spot", ["player_pair", "banker_pair", "lucky_six", "player_natural"])
@every("book", BOOKS)
def test_there_are_no_pair_bets(book: str, spot: str) -> None:
    refusal = refused(book, "4h 4s / 4d 4c", **{spot: 20})

    assert refusal.code == "bet/not-offered"
    assert refusal.clause == "SKY bets"


@pytest.mark.clause("SKY RG1")
@pytest.mark.parametrize("book", BOOKS)
def test_the_book_says_that_gambling_is_entertainment(book: str) -> None:
    said = " ".join(text.words for text in load(book).texts if text.clause == "SKY RG1")

    assert "Gambling is a form of entertainment, not a strategy for financial success." in said


@pytest.mark.clause("SKY RG1")
@pytest.mark.parametrize("book", BOOKS)
def test_the_book_says_that_the_house_supports_responsible_gambling(book: str) -> None:
    """The brochure's next line, in the house's own name."""
    said = " ".join(text.words for text in load(book).texts if text.clause == "SKY RG1")

    assert "skycity darwin supports responsible gambling." in said.lower()


@pytest.mark.clause("SKY RG2")
@pytest.mark.parametrize("book", BOOKS)
def test_the_book_carries_helpline_and_site(book: str) -> None:
    said = [text.words for text in load(book).texts if text.clause == "SKY RG2"]

    assert said == ["Gambling counselling helpline 1800 629 683, www.amity.org.au"]


@pytest.mark.clause("SKY layouts")
@pytest.mark.parametrize("book", BOOKS)
def test_mini_and_midi_are_named_and_their_boxes_left_open(book: str) -> None:
    assert [(one.id, one.name, one.boxes, one.clause) for one in load(book).layouts] == [
        ("mini", "Mini Baccarat Table", None, "SKY layouts"),
        ("midi", "Midi Baccarat Table", None, "SKY layouts"),
    ]


@pytest.mark.clause("SKY values")
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
    assert Card(Rank(rank), suit).points == points


@pytest.mark.clause("SKY values")
@every(
    ("hand", "points"),
    [
        ("9h 6s", 5),  # the brochure's example: 15 is 5
        ("4h 6s", 0),  # ten itself, which the brochure forgets
        ("5h 4s", 9),
        ("9h 2s", 1),
        ("Th Js", 0),
        ("5h 5s Td", 0),
        ("9h 9s 9d", 7),
    ],
)
def test_only_the_last_digit_counts(hand: str, points: int) -> None:
    coup = Coup.parse(f"{hand} / {hand}")

    assert coup.player_points == coup.banker_points == points


@pytest.mark.clause("SKY values")
@every("loser", range(9))
@every("book", BOOKS)
def test_nine_is_best(book: str, loser: int) -> None:
    assert settle(load(book), result(9, loser), {"player": 20}).net == 20
    assert settle(load(book), result(loser, 9), {"player": 20}).net == -20
    assert load(book).cites["values"] == "SKY values"


@pytest.mark.clause("SKY deal")
@every(
    ("cards", "coup"),
    [
        ("Kh 9s 9d 2c 5h 5s", "Kh 9d / 9s 2c"),  # a natural: four cards
        ("Kh Ks 6d 7c 5h 5s", "Kh 6d / Ks 7c"),  # both stand
        ("Kh Ks 6d 5c 4h 5s", "Kh 6d / Ks 5c 4h"),  # only Banker draws
        ("Kh Ks 5d 7c 4h 5s", "Kh 5d 4h / Ks 7c"),  # only Player draws
        ("Kh Ks 5d 3c 8h 5s", "Kh 5d 8h / Ks 3c"),  # Banker 3 stands on an eight
        ("Kh Ks 5d 3c 9h 5s", "Kh 5d 9h / Ks 3c 5s"),  # and draws on a nine
    ],
)
def test_the_dealer_draws_what_the_tableau_says(cards: str, coup: str) -> None:
    assert str(Coup.deal(parse_cards(cards))) == coup


@pytest.mark.clause("SKY deal")
@every(
    ("coup", "code", "side"),
    [
        ("Kh 5s / Kd 7c", "coup/card-missing", "player"),
        ("Kh 6s Ad / Kd 7c", "coup/card-too-many", "player"),
        ("Kh 5s 9d / Kd 3c", "coup/card-missing", "banker"),
        ("Kh 5s 8d / Kd 3c 4h", "coup/card-too-many", "banker"),
        ("Kh 9s / Kd 2c 5d", "coup/card-too-many", "banker"),
    ],
)
@every("book", BOOKS)
def test_nobody_may_draw_or_stand_otherwise(book: str, coup: str, code: str, side: str) -> None:
    refusal = refused(book, coup, tie=20)

    assert (refusal.code, refusal.params["side"]) == (code, side)
    assert refusal.clause == "SKY deal"


@pytest.mark.clause("SKY deal")
@pytest.mark.parametrize("book", BOOKS)
def test_a_bet_on_the_side_that_the_tableau_beats_is_lost(book: str) -> None:
    assert paid(book, result(3, 8), player=20) == (-20, "SKY deal")
    assert paid(book, result(8, 3), banker=20) == (-20, "SKY deal")


@pytest.mark.clause("SKY examples")
@pytest.mark.parametrize("book", BOOKS)
def test_player_natural_nine_beats_nothing(book: str) -> None:
    coup = Coup.deal(parse_cards("Kh Ks 9d Qc"))

    assert next_side(coup) is None
    assert (coup.player_points, coup.banker_points) == (9, 0)
    assert coup.winner is Winner.PLAYER
    assert nets(book, str(coup), player=20, tie=20) == {"player": 20, "tie": -20}


@pytest.mark.clause("SKY examples")
@pytest.mark.parametrize(("book", "won"), [(NON_COMMISSION, 20), (COMMISSION, 19)])
def test_banker_wins_with_eight(book: str, won: int) -> None:
    coup = Coup.deal(parse_cards("Kh Ks 2d 8c"))

    assert next_side(coup) is None
    assert coup.banker_points == 8
    assert coup.winner is Winner.BANKER
    assert nets(book, str(coup), player=20, banker=20) == {"player": -20, "banker": won}


@pytest.mark.clause("SKY examples")
@pytest.mark.parametrize("book", BOOKS)
def test_six_against_six_is_a_tie(book: str) -> None:
    coup = Coup.deal(parse_cards("Kh Ks 6d 6c"))

    assert next_side(coup) is None
    assert (coup.player_points, coup.banker_points) == (6, 6)
    assert coup.winner is Winner.TIE
    assert nets(book, str(coup), player=20, banker=20, tie=20) == {
        "player": 0,
        "banker": 0,
        "tie": 160,
    }


# The Tableau


@pytest.mark.clause("SKY T-P")
@every("banker", range(8))
@every("player", [0, 1, 2, 3, 4, 5])
def test_player_draws_on_nothing_as_on_one_to_five(player: int, banker: int) -> None:
    assert draws(player, banker) is Side.PLAYER


@pytest.mark.clause("SKY T-P")
@every("hand", ["Kh Qs", "Th Ts", "4h 6s", "5h 5s", "9h As", "2h 8s"])
@every("book", BOOKS)
def test_no_player_nothing_may_stand(book: str, hand: str) -> None:
    refusal = refused(book, f"{hand} / Kd 7c", player=20)

    assert (refusal.code, refusal.params["side"]) == ("coup/card-missing", "player")


@pytest.mark.clause("SKY T-P6-7")
@every("banker", range(8))
@every("player", [6, 7])
def test_player_stands_on_six_and_seven(player: int, banker: int) -> None:
    assert draws(player, banker) is not Side.PLAYER


@pytest.mark.clause("SKY T-P6-7")
@every("points", [6, 7])
@every("book", BOOKS)
def test_player_six_or_seven_with_a_third_card_is_refused(book: str, points: int) -> None:
    refusal = refused(book, f"Kh {points}s Ad / Kd 7c", player=20)

    assert (refusal.code, refusal.params["side"]) == ("coup/card-too-many", "player")


@pytest.mark.clause("SKY T-B3")
def test_banker_three_stands_on_an_eight_only() -> None:
    assert banker_draws_on(3) == [0, 1, 2, 3, 4, 5, 6, 7, 9]


@pytest.mark.clause("SKY T-B3")
@every("third", ["Td", "Jd", "Qd", "Kd"])
@every(("banker", "draws_to"), [(3, Side.BANKER), (4, None), (5, None), (6, None)])
def test_a_printed_ten_means_any_card_that_counts_nothing(
    banker: int, draws_to: Side | None, third: str
) -> None:
    """Banker 3 draws against it; 4, 5 and 6 stand."""
    assert next_side(Coup.parse(f"Kh 2s {third} / Kc {banker}c")) is draws_to


@pytest.mark.clause("SKY T-B4")
def test_banker_four_draws_on_two_to_seven() -> None:
    assert banker_draws_on(4) == [2, 3, 4, 5, 6, 7]


@pytest.mark.clause("SKY T-B5")
def test_banker_five_draws_on_four_to_seven() -> None:
    assert banker_draws_on(5) == [4, 5, 6, 7]


@pytest.mark.clause("SKY T-B6")
def test_banker_six_draws_on_six_and_seven() -> None:
    assert banker_draws_on(6) == [6, 7]


@pytest.mark.clause("SKY T-B7")
def test_banker_seven_stands() -> None:
    assert banker_draws_on(7) == []
    assert draws(player=6, banker=7) is None
    assert draws(player=7, banker=7) is None


@pytest.mark.clause("SKY T-gap")
@pytest.mark.parametrize("player", [6, 7])
def test_banker_draws_on_five_or_less_when_player_stands(player: int) -> None:
    for banker in (0, 1, 2, 3, 4, 5):
        assert draws(player, banker) is Side.BANKER
    for banker in (6, 7):
        assert draws(player, banker) is None


@pytest.mark.clause("SKY T-gap")
@pytest.mark.parametrize("book", BOOKS)
def test_banker_five_must_draw_against_a_standing_seven(book: str) -> None:
    assert refused(book, "Kh 7s / Kd 5c", player=20).code == "coup/card-missing"
    assert net(book, "Kh 7s / Kd 5c Ah", player=20) == 20
    assert refused(book, "Kh 7s / Kd 6c 3h", player=20).code == "coup/card-too-many"


@pytest.mark.clause("SKY T-B0-2")
@every("banker", [0, 1, 2])
def test_banker_draws_on_two_or_less_whatever_player_drew(banker: int) -> None:
    assert banker_draws_on(banker) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert draws(player=6, banker=banker) is Side.BANKER
    assert draws(player=7, banker=banker) is Side.BANKER


@pytest.mark.clause("SKY T-nat")
@every("other", range(10))
@every("natural", [8, 9])
def test_nobody_draws_after_a_natural(natural: int, other: int) -> None:
    assert draws(player=natural, banker=other) is None
    assert draws(player=other, banker=natural) is None


@pytest.mark.clause("SKY T-nat")
@pytest.mark.parametrize("book", BOOKS)
def test_a_card_drawn_after_a_natural_is_refused(book: str) -> None:
    to_player = refused(book, "Kh 2s 5d / Kd 8c", tie=20)
    to_banker = refused(book, "Kh 9s / Kd 2c 5d", tie=20)

    assert (to_player.code, to_player.params["side"]) == ("coup/card-too-many", "player")
    assert (to_banker.code, to_banker.params["side"]) == ("coup/card-too-many", "banker")


# --- in a round


@pytest.mark.clause("SKY next")
@pytest.mark.parametrize("book", BOOKS)
def test_a_new_round_opens_only_when_the_winners_are_paid(book: str) -> None:
    scene = Scene(book).open().bet("ann", 1, "player", 100).close()
    for card in ("Kh", "Kd", "9s", "8c"):
        assert why(denied(scene.open, 2)) == ("round/not-finished", "HOUSE announcements")
        scene.deal(card)
    scene.call()
    assert denied(scene.open, 2).code == "round/not-finished"
    assert denied(scene.bet, "ann", 1, "player", 100).code == "bet/closed"

    assert scene.settle().nets == {("ann", "player"): 100}
    assert scene.open(2).state.phase is Phase.BETTING
