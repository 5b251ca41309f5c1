"""RWS Commission Baccarat, version 4: a case or a few for each clause, in the document's order."""

from dataclasses import replace
from itertools import product

import pytest

from cutcard import Card, Coup, Side, Winner, deal, facts, next_side, settle
from cutcard.refusals import Refusal
from cutcard.round import Entry, Phase, warnings
from cutcard.round.events import RoundVoided
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards
from cutcard.rules.limits import Bet, Kind, Limit, check_bet, differential
from cutcard.rules.shoe import Shoe, composition, deal_shoe, full_shoe
from tests.cases import every
from tests.round.scene import Scene, box_five, denied, why
from tests.talk import draws, net, nets, refused

BOOK = "rws-commission"
RANKS = tuple("A23456789TJQK")

# Three coups without a pair, on which the winner is plain.
BANKER_WINS = "Kh 7s / Kd 8c"
PLAYER_WINS = "Kh 9s / Kd 8c"
TIE = "Kh 8s / Qd 8c"


def cited(coup: str, **stakes: int) -> dict[str, str]:
    """The clause that settled each bet."""
    return {bet.spot: bet.clause for bet in settle(load(BOOK), coup, stakes).bets}


def banker_wins_on(points: int) -> str:
    """Player draws a king to nothing, Banker draws his points."""
    return f"Kh Qs Jd / Kc Qd {'A' if points == 1 else points}h"


def player_wins_on(points: int) -> str:
    """Player draws his points, Banker draws a king to nothing."""
    return f"Kh Qs {'A' if points == 1 else points}h / Kc Qd Jd"


def displayed(minimum: int, greatest_differential: int) -> list[Limit]:
    """The book's limits on the original bets, with the amounts that a table displays."""
    amounts = {Kind.MINIMUM: minimum, Kind.DIFFERENTIAL: greatest_differential}
    limits = [limit for limit in load(BOOK).limits if limit.kind in amounts]
    return [replace(limit, amount=amounts[limit.kind]) for limit in limits]


@pytest.mark.clause("CB4 title")
def test_the_book_says_who_it_is() -> None:
    book = load(BOOK)

    assert book.name == "RWS Commission Baccarat"
    assert book.operator == "Resorts World at Sentosa"
    assert (book.document, book.version) == ("CB4", "4")
    assert book.effective_from == "2019-09-16T08:00+08:00"


@pytest.mark.clause("CB4 1.1")
@every(
    ("coup", "code", "side"),
    [
        ("2h 3s / Kd 7c", "coup/card-missing", "player"),
        ("2h 4s 3d / Kd 7c", "coup/card-too-many", "player"),
        ("2h 3s 4d / Kd 5c", "coup/card-missing", "banker"),
        ("2h 3s 3d / Kd 5c 2s", "coup/card-too-many", "banker"),
    ],
)
def test_nobody_chooses_to_draw_or_to_stand(coup: str, code: str, side: str) -> None:
    """Player stands on 5, draws on 6; Banker's 5 stands against a four, draws against a three."""
    refusal = refused(BOOK, coup, player=100)

    assert (refusal.code, refusal.params["side"]) == (code, side)
    assert refusal.clause == "CB4 3.12"


@pytest.mark.clause("CB4 1.5")
def test_the_differential_is_the_gap_between_banker_and_player() -> None:
    box = [
        Bet("A", 5, "banker", 8_000),
        Bet("B", 5, "banker", 6_000),
        Bet("C", 5, "banker", 350),
        Bet("D", 5, "player", 1_000),
        Bet("E", 5, "banker", 200),
        Bet("E", 5, "tie", 5_000),
    ]

    assert differential(box, "banker", "player") == 14_550 - 1_000 == 13_550


@pytest.mark.clause("CB4 1.5")
def test_the_differential_counts_all_bets_of_the_round_and_has_no_sign() -> None:
    bets = [Bet("A", 1, "player", 900), Bet("B", 2, "banker", 400), Bet("C", 3, "banker", 300)]

    assert differential(bets, "banker", "player") == 200
    assert differential(bets, "player", "banker") == 200
    assert differential([], "banker", "player") == 0


@pytest.mark.clause("CB4 1.7")
def test_burned_cards_belong_to_neither_hand() -> None:
    """A three is exposed and three nines are burned: the first coup begins at the fifth card."""
    cards = parse_cards("3c 9c 9c 9c" + " 7h 2c Kd 6s" * 5)

    first = next(deal_shoe(Shoe(cards, behind_cut=6)))

    assert first.coup == Coup.parse("7h Kd / 2c 6s")


@pytest.mark.clause("CB4 1.9")
@every("points", range(10))
def test_a_natural_is_eight_or_nine_on_two_cards_of_either_side(points: int) -> None:
    card = "Kc" if points == 0 else "Ac" if points == 1 else f"{points}c"

    # Against a natural of the other side no hand draws, so each coup here is over.
    assert facts(Coup.parse(f"Kh {card} / Kd 9s"))["player_natural"] is (points in (8, 9))
    assert facts(Coup.parse(f"Kd 9s / Kh {card}"))["banker_natural"] is (points in (8, 9))


@pytest.mark.clause("CB4 1.9")
def test_both_sides_may_have_a_natural() -> None:
    """8 against 9: two naturals, and Banker wins."""
    found = facts(Coup.parse("Kh 8s / 4d 5c"))

    assert (found["player_natural"], found["banker_natural"]) == (True, True)
    assert found["winner"] == "banker"


@pytest.mark.clause("CB4 1.9")
def test_nine_on_three_cards_is_no_natural() -> None:
    found = facts(Coup.parse("Kh 5s 4d / 2d 3c 4h"))

    assert (found["player_points"], found["banker_points"]) == (9, 9)
    assert (found["player_natural"], found["banker_natural"]) == (False, False)


@pytest.mark.clause("CB4 1.10")
def test_only_original_bets_push_on_a_tie() -> None:
    """Naturals of 8, without a pair: Player and Banker stand, the other three are decided."""
    stakes = dict.fromkeys(("player", "banker", "tie", "player_pair", "banker_pair"), 100)

    assert nets(BOOK, TIE, **stakes) == {
        "player": 0,
        "banker": 0,
        "tie": 800,
        "player_pair": -100,
        "banker_pair": -100,
    }


@pytest.mark.clause("CB4 1.13")
@every("second", RANKS)
@every("first", RANKS)
def test_a_pair_is_two_cards_of_one_rank(first: str, second: str) -> None:
    """The other side's natural 9 ends the coup, so all 169 starts can be laid down."""
    pays = 11 if first == second else -1

    assert net(BOOK, f"{first}h {second}s / 9d Kc", player_pair=1) == pays
    assert net(BOOK, f"9d Kc / {first}h {second}s", banker_pair=1) == pays


@pytest.mark.clause("CB4 1.13")
def test_the_suit_of_a_pair_does_not_matter() -> None:
    assert net(BOOK, "4c 4c / 9d Kc", player_pair=1) == 11
    assert net(BOOK, "4c 4d / 9d Kc", player_pair=1) == 11
    assert net(BOOK, "4c 5c / 9d Kc", player_pair=1) == -1


@pytest.mark.clause("CB4 1.14")
@every(
    ("hand", "points"),
    [("Th Ts Td", 0), ("9h 8s", 7), ("4h 5s", 9), ("4h 6s", 0), ("9h 9s 9d", 7), ("9h Ks Ad", 0)],
)
def test_past_nine_the_second_digit_counts(hand: str, points: int) -> None:
    cards = parse_cards(hand)

    assert Coup(player=cards).player_points == points
    assert Coup(banker=cards).banker_points == points


@pytest.mark.clause("CB4 1.14")
def test_points_of_every_hand_of_two_and_of_three_cards() -> None:
    """Counted as 3.2 prints it, with ten as ten; then the second digit, once past nine."""
    face = dict(zip(RANKS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0), strict=True))
    for length in (2, 3):
        for ranks in product(RANKS, repeat=length):
            total = sum(face[rank] for rank in ranks)
            points = int(str(total)[1]) if total > 9 else total
            hand = tuple(Card.parse(rank + "d") for rank in ranks)

            assert Coup(player=hand).player_points == points, ranks


@pytest.mark.clause("CB4 1.19")
@every(
    "coup",
    [
        "Kh 6s / 3d 3c",
        "Kh 9s / 4d 5c",
        "Kh Qs Jd / Kd Qc Jh",
        "2h 3s 9d / 2d 2c",
        "Kh 7s / 2d 3c 2h",
    ],
)
def test_equal_points_tie_however_many_cards(coup: str) -> None:
    assert Coup.parse(coup).winner is Winner.TIE
    assert net(BOOK, coup, tie=10) == 80


@pytest.mark.clause("CB4 1.19")
def test_one_point_apart_is_no_tie() -> None:
    assert net(BOOK, "Kh 6s / 3d 4c", tie=10) == -10
    assert net(BOOK, "Kh 7s / 3d 3c", tie=10) == -10


@pytest.mark.clause("CB4 2.1.1")
def test_four_layouts_and_no_other() -> None:
    assert [one.id for one in load(BOOK).layouts] == ["bean-9", "bean-7", "mini-7", "big-12"]


@pytest.mark.clause("CB4 2.1.1a")
def test_each_layout_has_the_boxes_it_draws() -> None:
    assert {one.id: one.boxes for one in load(BOOK).layouts} == {
        "bean-9": 9,
        "bean-7": 7,
        "mini-7": 7,
        "big-12": 12,
    }


@pytest.mark.clause("CB4 2.2.1")
@every(("decks", "cards"), [(4, 208), (5, 260), (6, 312), (7, 364), (8, 416)])
def test_four_to_eight_full_decks(decks: int, cards: int) -> None:
    dealt = deal(load(BOOK), seed=1, decks=decks)

    assert len(dealt.shoe.cards) == cards
    copies = composition(dealt.shoe.cards)
    assert copies == {Card.parse(rank + suit): decks for rank in RANKS for suit in "cdhs"}


@pytest.mark.clause("CB4 2.2.1")
@every("decks", [0, 1, 3, 9])
def test_three_decks_are_too_few_and_nine_too_many(decks: int) -> None:
    with pytest.raises(Refusal) as refusal:
        deal(load(BOOK), seed=1, decks=decks)

    assert (refusal.value.code, refusal.value.clause) == ("shoe/decks", "CB4 2.2.1")


@pytest.mark.clause("CB4 2.2.1")
def test_a_deck_has_52_cards_and_no_joker() -> None:
    assert len(set(full_shoe(1))) == len(full_shoe(1)) == 52
    with pytest.raises(Refusal, match="no card"):
        Card.parse("Joker")


@pytest.mark.clause("CB4 3.2.1")
def test_an_ace_counts_one() -> None:
    assert [Card.parse("A" + suit).points for suit in "cdhs"] == [1, 1, 1, 1]
    assert net(BOOK, "Ah 8s / Kd 8c", player=100) == 100


@pytest.mark.clause("CB4 3.2.2")
@every("number", range(2, 10))
def test_two_to_nine_count_their_number(number: int) -> None:
    assert {Card.parse(f"{number}{suit}").points for suit in "cdhs"} == {number}


@pytest.mark.clause("CB4 3.2.2")
def test_a_ten_leaves_the_last_digit_as_it_was() -> None:
    """10 + 7 is 17, and counts 7 like a picture with a seven."""
    assert Coup.parse("Th 7s / Kd 7c").player_points == 7
    assert net(BOOK, "Th 7s / Kd 7c", tie=10) == 80


@pytest.mark.clause("CB4 3.2.2")
def test_the_tableau_reads_a_third_card_ten_as_nothing() -> None:
    """Against a ten Banker draws on 3 and stands on 4, as against a king."""
    assert next_side(Coup.parse("2h 3s Td / Kd 3c")) is Side.BANKER
    assert next_side(Coup.parse("2h 3s Td / Kd 4c")) is None


@pytest.mark.clause("CB4 3.2.3")
@every("picture", ["J", "Q", "K"])
def test_pictures_count_nothing(picture: str) -> None:
    assert {Card.parse(picture + suit).points for suit in "cdhs"} == {0}
    assert Coup.parse(f"{picture}h 4s / ").player_points == 4


@pytest.mark.clause("CB4 3.3")
def test_betting_opens_with_the_books_own_words() -> None:
    opened = load(BOOK).announcements["open"]

    assert (opened.words, opened.clause) == ("Place your Bets, please", "CB4 3.3")


@pytest.mark.clause("CB4 3.6")
def test_others_may_use_what_a_patron_leaves_of_a_box() -> None:
    """Seated Ann has 2,000 of 10,000 on Banker: standing Ben may add 8,000, and no more."""
    limits = displayed(300, 10_000)
    box = [Bet("Ann", 4, "banker", 2_000)]

    check_bet(limits, box, Bet("Ben", 4, "banker", 8_000))
    with pytest.raises(Refusal) as refusal:
        check_bet(limits, box, Bet("Ben", 4, "banker", 8_001))

    assert refusal.value.params["room"] == 8_000


@pytest.mark.clause("CB4 3.7")
def test_five_bets_are_offered() -> None:
    assert {spot.id: spot.label for spot in load(BOOK).spots.values()} == {
        "player": "Player",
        "banker": "Banker",
        "tie": "Tie",
        "player_pair": "Player Pair",
        "banker_pair": "Banker Pair",
    }


@pytest.mark.clause("CB4 3.7")
def test_all_five_bets_may_be_mixed_in_one_round() -> None:
    """Both sides at once too: a pair of fours loses 8 to 9."""
    mix = nets(BOOK, "4h 4s / 4d 5c", player=100, banker=100, tie=10, player_pair=5, banker_pair=5)

    assert mix == {"player": -100, "banker": 95, "tie": -10, "player_pair": 55, "banker_pair": -5}


@pytest.mark.clause("CB4 3.7")
@every(
    ("spot", "won"),
    [("player", 20), ("banker", -20), ("tie", -20), ("player_pair", -20), ("banker_pair", 220)],
)
def test_each_bet_stands_alone(spot: str, won: int) -> None:
    """Tie and the pairs need no bet on Player or Banker."""
    assert nets(BOOK, "Kh 9s / 4d 4c", **{spot: 20}) == {spot: won}


@pytest.mark.clause("CB4 3.7")
@every("spot", ["lucky_six", "player_natural", "ante_player"])
def test_no_other_bet_is_offered(spot: str) -> None:
    refusal = refused(BOOK, PLAYER_WINS, **{spot: 100})

    assert (refusal.code, refusal.clause) == ("bet/not-offered", "CB4 3.7")


@pytest.mark.clause("CB4 3.8")
def test_betting_closes_with_the_books_own_words() -> None:
    closed = load(BOOK).announcements["close"]

    assert (closed.words, closed.clause) == ("No more Bets", "CB4 3.8")


@pytest.mark.clause("CB4 3.10")
def test_cards_one_and_three_are_players_two_and_four_bankers() -> None:
    coup = Coup.deal(parse_cards("7h 2c 7s 9d"))

    assert (coup.player, coup.banker) == (parse_cards("7h 7s"), parse_cards("2c 9d"))
    assert load(BOOK).cites["deal"] == "CB4 3.10"


@pytest.mark.clause("CB4 3.10")
def test_a_pair_survives_the_third_card() -> None:
    """Player 7-7 draws a six and loses the coup; the pair is still paid."""
    coup = "7h 7s 6d / 2c 9d 8h"

    assert nets(BOOK, coup, player=10, player_pair=10, banker_pair=10) == {
        "player": -10,
        "player_pair": 110,
        "banker_pair": -10,
    }


@pytest.mark.clause("CB4 3.10")
def test_a_third_card_makes_no_pair() -> None:
    """Player draws a second two, Banker a second three: neither pair is paid."""
    coup = "Ah 2s 2d / Kd 3c 3h"

    assert nets(BOOK, coup, player_pair=10, banker_pair=10) == {
        "player_pair": -10,
        "banker_pair": -10,
    }
    assert cited(coup, player_pair=10, banker_pair=10) == {
        "player_pair": "CB4 3.10",
        "banker_pair": "CB4 3.10",
    }


@pytest.mark.clause("CB4 3.11")
@pytest.mark.parametrize("player", [6, 7])
def test_when_player_stands_banker_draws_to_five(player: int) -> None:
    after = {banker: draws(player, banker) for banker in range(10)}

    assert [banker for banker, side in after.items() if side is Side.BANKER] == [0, 1, 2, 3, 4, 5]
    assert [banker for banker, side in after.items() if side is None] == [6, 7, 8, 9]


@pytest.mark.clause("CB4 3.12")
@every("banker", range(8))
def test_player_draws_on_nought_to_five_and_stands_on_six_and_seven(banker: int) -> None:
    drawing = [player for player in range(8) if draws(player, banker) is Side.PLAYER]

    assert drawing == [0, 1, 2, 3, 4, 5]


# The Banker's rows as printed: what he draws against, and what he stands against.
PRINTED = {
    3: ("0-1-2-3-4-5-6-7-9", "8"),
    4: ("2-3-4-5-6-7", "0-1-8-9"),
    5: ("4-5-6-7", "0-1-2-3-8-9"),
    6: ("6-7", "0-1-2-3-4-5-8-9"),
}


@pytest.mark.clause("CB4 3.12")
@every("banker", PRINTED)
@every("player", range(6))
def test_banker_three_to_six_by_players_third_card(player: int, banker: int) -> None:
    after = {third: draws(player, banker, third) for third in range(10)}
    draw, stand = (list(map(int, cell.split("-"))) for cell in PRINTED[banker])

    assert [third for third, side in after.items() if side is Side.BANKER] == draw
    assert [third for third, side in after.items() if side is None] == stand


@pytest.mark.clause("CB4 3.12")
@every("third", range(10))
@every("player", range(6))
def test_banker_nought_to_two_draws_and_seven_stands(player: int, third: int) -> None:
    assert [draws(player, banker, third) for banker in (0, 1, 2)] == [Side.BANKER] * 3
    assert draws(player, 7, third) is None


@pytest.mark.clause("CB4 3.12")
@every("other", range(10))
@every("natural", [8, 9])
def test_on_a_natural_neither_side_draws(natural: int, other: int) -> None:
    """Also Banker's 0 to 5 against Player's natural, which 3.11 alone would let draw."""
    assert draws(natural, other) is None
    assert draws(other, natural) is None


@pytest.mark.clause("CB4 3.12")
@every("rank", RANKS)
def test_the_column_is_the_third_card_not_the_new_total(rank: str) -> None:
    """Banker's 5 draws against four, five, six and seven, whatever Player's hand becomes."""
    for start in ("Kh Ks", "2h 3s"):
        after = next_side(Coup.parse(f"{start} {rank}d / Kd 5c"))

        assert after is (Side.BANKER if rank in "4567" else None)


@pytest.mark.clause("CB4 3.13")
@every("banker", range(10))
@every("player", range(10))
def test_more_points_win(player: int, banker: int) -> None:
    """Every pair of totals from 0 to 9, each laid down in two cards."""
    second = ("K", "A", *"23456789")
    coup = Coup.parse(f"Kh {second[player]}s / Qd {second[banker]}c")

    winner = {-1: Winner.BANKER, 0: Winner.TIE, 1: Winner.PLAYER}
    assert coup.winner is winner[(player > banker) - (player < banker)]


@pytest.mark.clause("CB4 3.13")
def test_the_losing_side_loses_its_stake() -> None:
    """Nine beats eight, and eight beats seven."""
    assert nets(BOOK, PLAYER_WINS, banker=100, tie=10) == {"banker": -100, "tie": -10}
    assert nets(BOOK, BANKER_WINS, player=100, tie=10) == {"player": -100, "tie": -10}
    assert cited(PLAYER_WINS, banker=100, tie=10) == {"banker": "CB4 3.13", "tie": "CB4 3.13"}
    assert cited(BANKER_WINS, player=100, tie=10) == {"player": "CB4 3.13", "tie": "CB4 3.13"}


@pytest.mark.clause("CB4 3.14")
@every("coup", [TIE, "Kh 6s / 3d 3c", "Kh Qs Jd / Kd Qc Jh"])
def test_a_tie_returns_player_and_banker(coup: str) -> None:
    settled = settle(load(BOOK), coup, {"player": 100, "banker": 60}).bets

    assert [(bet.net, bet.commission, bet.clause) for bet in settled] == [(0, 0, "CB4 3.14")] * 2


@pytest.mark.clause("CB4 4.1.1")
def test_the_house_takes_five_per_cent_of_a_banker_win() -> None:
    """1,000 on Banker wins 950; 50 is commission."""
    (bet,) = settle(load(BOOK), BANKER_WINS, {"banker": 1_000}).bets

    assert (bet.net, bet.commission, bet.clause) == (950, 50, "CB4 4.1.1")


@pytest.mark.clause("CB4 4.1.1")
@every("coup", [BANKER_WINS, PLAYER_WINS, TIE, "4h 4s / 4d 4c"])
def test_no_commission_but_on_a_winning_banker_bet(coup: str) -> None:
    stakes = dict.fromkeys(("player", "banker", "tie", "player_pair", "banker_pair"), 100)

    taken = {bet.spot: bet.commission for bet in settle(load(BOOK), coup, stakes).bets}

    assert taken.pop("banker") == (5 if coup == BANKER_WINS else 0)
    assert set(taken.values()) == {0}


@pytest.mark.clause("CB4 4.1.2 B")
@every("points", range(1, 10))
def test_banker_pays_095_to_1_on_every_total(points: int) -> None:
    """On six as well: this book halves nothing."""
    assert net(BOOK, banker_wins_on(points), banker=300) == 285
    assert net(BOOK, banker_wins_on(points), banker=20) == 19


@pytest.mark.clause("CB4 4.1.2 P")
@every("points", range(1, 10))
def test_player_pays_1_to_1_on_every_total(points: int) -> None:
    assert net(BOOK, player_wins_on(points), player=101) == 101
    assert cited(player_wins_on(points), player=101) == {"player": "CB4 4.1.2"}


@pytest.mark.clause("CB4 4.1.2 T")
@every("coup", [TIE, "Kh 6s / 3d 3c", "Kh Qs Jd / Kd Qc Jh"])
def test_tie_pays_8_to_1(coup: str) -> None:
    assert net(BOOK, coup, tie=10) == 80
    assert cited(coup, tie=10) == {"tie": "CB4 4.1.2"}


@pytest.mark.clause("CB4 4.1.2 pair")
@every(
    ("coup", "player_pair", "banker_pair"),
    [
        ("4h 4s / 4d 5c", 110, -10),
        ("4d 5c / 4h 4s", -10, 110),
        ("4h 4s / 9d 9c", 110, 110),
        ("3h 3s / 5d Ac", 110, -10),
        ("3h 3s / 3d 3c", 110, 110),
        (TIE, -10, -10),
    ],
    ids=["player's loses", "banker's loses", "both", "tie with one", "tie with both", "neither"],
)
def test_each_pair_pays_11_to_1_whoever_wins(coup: str, player_pair: int, banker_pair: int) -> None:
    assert nets(BOOK, coup, player_pair=10, banker_pair=10) == {
        "player_pair": player_pair,
        "banker_pair": banker_pair,
    }


@pytest.mark.clause("CB4 4.1.2 pair")
def test_a_paid_pair_cites_the_pay_table() -> None:
    assert cited("3h 3s / 3d 3c", player_pair=10, banker_pair=10) == {
        "player_pair": "CB4 4.1.2",
        "banker_pair": "CB4 4.1.2",
    }


@pytest.mark.clause("CB4 5.1")
def test_a_box_beyond_the_differential_holds_excess() -> None:
    """Limit 10,000, Banker 14,550 against Player 1,000: 3,550 too much."""
    (limit,) = (one for one in displayed(300, 10_000) if one.kind is Kind.DIFFERENTIAL)
    box = [
        Bet("A", 5, "banker", 8_000),
        Bet("B", 5, "banker", 6_000),
        Bet("C", 5, "banker", 350),
        Bet("D", 5, "player", 1_000),
        Bet("E", 5, "banker", 200),
    ]

    assert limit.room(box, "A", 5, "banker") == -3_550
    assert limit.room(box, "A", 5, "player") == 10_000 + 14_550 - 1_000


@pytest.mark.clause("CB4 5.1")
def test_the_house_rejects_what_is_beyond_the_differential() -> None:
    """8,000 on Banker and 1,000 on Player leave 3,000: so much is taken, a unit more is not."""
    limits = displayed(300, 10_000)
    box = [Bet("A", 5, "banker", 8_000), Bet("D", 5, "player", 1_000)]

    check_bet(limits, box, Bet("B", 5, "banker", 3_000))
    with pytest.raises(Refusal) as refusal:
        check_bet(limits, box, Bet("B", 5, "banker", 3_001))

    assert (refusal.value.code, refusal.value.clause) == ("limit/differential", "CB4 5.1")
    assert refusal.value.params["room"] == 3_000


@pytest.mark.clause("CB4 5.1")
def test_the_differential_binds_player_as_it_does_banker() -> None:
    limits = displayed(300, 10_000)
    box = [Bet("A", 5, "banker", 400)]

    check_bet(limits, box, Bet("B", 5, "player", 10_400))
    with pytest.raises(Refusal, match="10,400 remains"):
        check_bet(limits, box, Bet("B", 5, "player", 10_401))


@pytest.mark.clause("CB4 5.1")
@every("spot", ["tie", "player_pair", "banker_pair"])
def test_tie_and_pairs_are_outside_the_differential(spot: str) -> None:
    check_bet(displayed(300, 10_000), [Bet("A", 5, spot, 9_000)], Bet("A", 5, spot, 2_000))


def layout(id: str) -> tuple[str, int | None, str]:
    """What the book says of one layout: its name, its boxes, its appendix."""
    (found,) = (one for one in load(BOOK).layouts if one.id == id)
    return found.name, found.boxes, found.clause


@pytest.mark.clause("CB4 App A")
def test_the_first_bean_layout_has_nine_boxes() -> None:
    assert layout("bean-9") == ("Bean Baccarat (9 Players)", 9, "CB4 App A")


@pytest.mark.clause("CB4 App B")
def test_the_second_bean_layout_has_seven_boxes() -> None:
    assert layout("bean-7") == ("Bean Baccarat (7 Players)", 7, "CB4 App B")


@pytest.mark.clause("CB4 App C")
def test_the_mini_layout_has_seven_boxes() -> None:
    assert layout("mini-7") == ("Mini Baccarat (7 Players)", 7, "CB4 App C")


@pytest.mark.clause("CB4 App D")
def test_the_big_layout_has_twelve_boxes() -> None:
    assert layout("big-12") == ("Big Baccarat (12 Players)", 12, "CB4 App D")


@pytest.mark.clause("CB4 App D")
def test_the_big_layout_prints_its_own_labels() -> None:
    """Simplified 庄 beside traditional 閒, as the drawing has it; the other three print none."""
    labels = {one.id: dict(one.labels) for one in load(BOOK).layouts}

    assert labels.pop("big-12") == {"banker": "庄 BANKER", "player": "閒 PLAYER"}
    assert set(labels) == {"bean-9", "bean-7", "mini-7"}
    assert not any(labels.values())


# --- in a round


def worked(coup: str) -> dict[str, tuple[int, int]]:
    """The box of the worked example, played to its end: what each counted for, and the net."""
    settled = box_five().play(coup).settled
    return {whose: (one.effective, one.net) for (whose, _), one in settled.items()}


def chips() -> Scene:
    """A table with chips under the book's own limits, bets open: 300.00 and 10,000.00."""
    return Scene(BOOK, entry=Entry.WARN, limits=None).open()


def seen(scene: Scene) -> list[tuple[str, int, str | None, str, int, str | None]]:
    """What the dealer is warned of."""
    found = warnings(scene.state, scene.terms, scene.book)
    return [(one.code, one.box, one.patron, one.spot, one.amount, one.clause) for one in found]


@pytest.mark.clause("CB4 1.16")
def test_a_round_runs_from_the_announcement_until_everybody_is_settled() -> None:
    scene = Scene(BOOK)
    assert scene.state.phase is Phase.IDLE
    scene.open().bet("ann", 1, "player", 100).bet("bob", 2, "banker", 100).close()
    scene.deal("Kh Kd 9s 8c").call()

    assert why(denied(scene.open, 2)) == ("round/not-finished", "CB4 3.3")
    assert scene.settle().nets.keys() == {("ann", "player"), ("bob", "banker")}
    assert scene.open(2).state.number == 2


@pytest.mark.clause("CB4 1.20")
@pytest.mark.parametrize("called", [False, True])
def test_a_void_round_has_no_result(called: bool) -> None:
    """Not even one that was already called."""
    scene = Scene(BOOK).open().bet("ann", 1, "player", 100).close().deal("Kh Kd 9s 8c")
    if called:
        scene.call()
    scene.void("CB4 5.5.1")

    assert (scene.state.phase, scene.state.winner, scene.state.settled) == (Phase.VOID, None, None)
    assert denied(scene.call).code == "round/cards-missing"
    assert denied(scene.settle).code == "round/no-result"


@pytest.mark.clause("CB4 3.3 (b)")
def test_no_bet_is_taken_before_place_your_bets() -> None:
    scene = Scene(BOOK)

    assert why(denied(scene.bet, "ann", 1, "player", 100)) == ("bet/not-open", "CB4 3.3")
    assert scene.open().bet("ann", 1, "player", 100).bets == {("ann", "player"): 100}


@pytest.mark.clause("CB4 3.5 (b)")
@every(
    ("spot", "stake", "code"),
    [
        ("player", 29_999, "limit/minimum"),
        ("banker", 1_000_020, "limit/differential"),
        ("tie", 100_001, "limit/maximum"),
    ],
)
def test_a_terminal_refuses_what_is_outside_the_limits(spot: str, stake: int, code: str) -> None:
    assert denied(Scene(BOOK, limits=None).open().bet, "ann", 1, spot, stake).code == code


@pytest.mark.clause("CB4 3.5 (b)")
@every(
    ("spot", "stake", "by"),
    [("player", 29_999, 1), ("banker", 1_000_020, 20), ("tie", 100_001, 1)],
    ids=["minimum", "differential", "maximum"],
)
def test_at_a_table_with_chips_the_dealer_is_warned_of_it(spot: str, stake: int, by: int) -> None:
    scene = chips().bet("ann", 1, spot, stake)

    assert scene.bets == {("ann", spot): stake}
    assert [(box, on, amount) for _, box, _, on, amount, _ in seen(scene)] == [(1, spot, by)]


@pytest.mark.clause("CB4 3.8 (b)")
@every("cards", ["", "Kh", "Kh Kd 9s 8c"])
def test_no_bet_is_taken_after_no_more_bets(cards: str) -> None:
    scene = Scene(BOOK).open().bet("ann", 1, "player", 100).close().deal(cards)

    assert why(denied(scene.bet, "bob", 2, "tie", 10)) == ("bet/closed", "CB4 5.6")


@pytest.mark.clause("CB4 5.1 (b)")
def test_the_dealer_sees_the_excess_and_rejects_it_from_the_back() -> None:
    """Seated first, then standing in their order: E and C go, and B keeps 3,000.00."""
    scene = box_five()
    assert seen(scene)[0] == ("warning/excess", 5, None, "banker", 355_000, "CB4 5.1")
    scene.reject(5)

    assert scene.bets == {
        ("A", "banker"): 800_000,
        ("B", "banker"): 300_000,
        ("D", "player"): 100_000,
    }
    assert seen(scene) == []
    assert scene.play(BANKER_WINS).nets == {
        ("A", "banker"): 760_000,
        ("B", "banker"): 285_000,
        ("D", "player"): -100_000,
    }


@pytest.mark.clause("CB4 5.1 (b)")
def test_after_the_close_nothing_is_rejected_any_more() -> None:
    assert why(denied(box_five().close().reject, 5)) == ("bet/closed", "CB4 5.6")


@pytest.mark.clause("CB4 5.1.1")
@every(
    ("coup", "a", "b", "d"),
    [
        (BANKER_WINS, 570_000, 427_500, -100_000),
        (PLAYER_WINS, -600_000, -450_000, 100_000),
        (TIE, 0, 0, 0),
    ],
)
def test_unseen_excess_wins_and_loses_in_proportion(coup: str, a: int, b: int, d: int) -> None:
    """Three quarters of 8,000.00 and 6,000.00; the lighter side counts in full."""
    found = worked(coup)

    assert (found["A"], found["B"], found["D"]) == ((600_000, a), (450_000, b), (100_000, d))
    assert sum(counted for whose, (counted, _) in found.items() if whose != "D") == 1_100_000


@pytest.mark.clause("CB4 5.1.1 min")
@every(("coup", "net"), [(BANKER_WINS, 28_500), (PLAYER_WINS, -30_000), (TIE, 0)])
def test_the_cut_takes_nobody_below_the_minimum(coup: str, net: int) -> None:
    """C's share of 350.00 would be 263.41; it counts for 300.00."""
    assert worked(coup)["C"] == (30_000, net)


@pytest.mark.clause("CB4 5.1.2")
@every(("coup", "net"), [(BANKER_WINS, 19_000), (PLAYER_WINS, -20_000), (TIE, 0)])
def test_a_short_bet_in_such_a_box_is_not_cut(coup: str, net: int) -> None:
    assert worked(coup)["E"] == (20_000, net)


@pytest.mark.clause("CB4 5.2")
def test_a_short_bet_is_pointed_out_and_may_be_raised_or_taken_back() -> None:
    scene = chips().bet("ann", 4, "player", 20_000)
    warning = ("warning/below-minimum", 4, "ann", "player", 10_000, "CB4 5.2")
    assert seen(scene) == [warning]

    assert seen(scene.bet("ann", 4, "player", 10_000)) == []
    assert seen(scene.take_back("ann", 4, "player", 10_000)) == [warning]
    assert scene.take_back("ann", 4, "player").bets == {}
    assert seen(scene) == []


@pytest.mark.clause("CB4 5.2.1")
@every(("coup", "net"), [(PLAYER_WINS, 20_000), (BANKER_WINS, -20_000), (TIE, 0)])
def test_a_short_bet_that_nobody_saw_stands(coup: str, net: int) -> None:
    scene = chips().bet("ann", 4, "player", 20_000).play(coup)

    assert scene.counted == {("ann", "player"): 20_000}
    assert scene.nets == {("ann", "player"): net}


@pytest.mark.clause("CB4 5.3")
def test_the_bet_of_a_patron_who_walks_away_is_settled() -> None:
    """Ann says nothing more after the close; her win is booked like Bob's."""
    scene = Scene(BOOK).open().bet("ann", 1, "player", 100).bet("bob", 1, "player", 100)

    assert scene.play(PLAYER_WINS).nets == {("ann", "player"): 100, ("bob", "player"): 100}


@pytest.mark.clause("CB4 5.6")
@every("cards", ["", "Kh", "Kh Kd 9s 8c"])
def test_after_no_more_bets_nothing_is_placed_raised_or_taken_back(cards: str) -> None:
    scene = Scene(BOOK).open().bet("ann", 1, "player", 100).close().deal(cards)

    assert why(denied(scene.bet, "ann", 1, "tie", 10)) == ("bet/closed", "CB4 5.6")
    assert why(denied(scene.bet, "ann", 1, "player", 10)) == ("bet/closed", "CB4 5.6")
    assert why(denied(scene.take_back, "ann", 1, "player")) == ("bet/closed", "CB4 5.6")
    assert why(denied(scene.take_back, "ann", 1, "player", 10)) == ("bet/closed", "CB4 5.6")
    assert scene.finish(PLAYER_WINS).nets == {("ann", "player"): 100}


@pytest.mark.clause("CB4 5.13")
def test_bets_settle_by_where_they_lay_at_the_close() -> None:
    """Bob's bet lay in box 2 on Banker; what he tries and what others move later is nothing."""
    scene = chips().bet("bob", 2, "player", 40_000).take_back("bob", 2, "player")
    scene.bet("bob", 2, "banker", 40_000).close()
    denied(scene.bet, "bob", 2, "player", 40_000)
    scene.removed("bob", 2, "banker").finish(PLAYER_WINS)

    assert scene.nets == {("bob", "banker"): -40_000}
    assert scene.settled["bob", "banker"].bet.box == 2


@pytest.mark.clause("CB4 5.15")
def test_a_void_round_returns_every_bet_side_bets_too() -> None:
    """Void after the pair is decided and the excess was cut: all come back as placed."""
    scene = box_five().bet("ann", 1, "player_pair", 30_000).bet("bob", 2, "tie", 30_000).close()
    scene.deal("7h 2c 7s").void()
    (void,) = scene.last
    assert isinstance(void, RoundVoided)

    assert {(bet.patron, bet.spot): bet.stake for bet in void.returned} == {
        ("A", "banker"): 800_000,
        ("B", "banker"): 600_000,
        ("C", "banker"): 35_000,
        ("D", "player"): 100_000,
        ("E", "banker"): 20_000,
        ("ann", "player_pair"): 30_000,
        ("bob", "tie"): 30_000,
    }
    assert void.removed == ()
