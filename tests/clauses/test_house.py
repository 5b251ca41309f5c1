"""House policy: what the books leave open, and what each book then does, in the list's order."""

from dataclasses import replace

import pytest

from cutcard import Card, Coup, Rulebook, deal, next_side, settle
from cutcard.odds import Composition, odds
from cutcard.odds.certificate import certificate
from cutcard.odds.pricing import decimal
from cutcard.odds.sheets import markdown
from cutcard.refusals import Refusal
from cutcard.round import Apportioning, Entry, Phase, warnings
from cutcard.round.apportion import Share, apportion
from cutcard.round.events import RoundVoided, SecondStageDeclined, SecondStagePlaced
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards
from cutcard.rules.dealing import demonstration_shoe
from cutcard.rules.limits import Bet, Kind, Limit, Scope, check_bet
from cutcard.rules.rulebook import Interruption
from cutcard.rules.settlement import check_offered, check_step, reserve
from cutcard.rules.shoe import SeededDice, Shoe, burn_count, deal_shoe, full_shoe, shuffled
from tests.cases import every
from tests.round.scene import Scene, box_five, denied, why
from tests.talk import net, nets, refused

RWS = ("rws-commission", "rws-knockout", "rws-non-commission-etg")
ONLINE = ("online-baccarat", "online-cow-cow", "online-no-commission")
SKYCITY = ("skycity-commission", "skycity-non-commission")
BOOKS = (*RWS, *ONLINE, *SKYCITY)

SILENT = ("rws-knockout", "rws-non-commission-etg", *SKYCITY)
"""The books that name no limits, and say nothing of interruptions."""

BANKER_WINS = "Kh 7s / Kd 8c"
TIE = "Kh 8s / Qd 8c"


def amounted(book: str, minimum: int, most: int, differential: int, whole: int) -> list[Limit]:
    """The book's limits with small amounts: of a bet, of both sides apart, of the whole table."""
    amounts = {Kind.MINIMUM: minimum, Kind.MAXIMUM: most, Kind.DIFFERENTIAL: differential}
    return [
        replace(limit, amount=whole if limit.scope is Scope.TABLE else amounts[limit.kind])
        for limit in load(book).limits
    ]


def refusal_of(limits: list[Limit], bets: list[Bet], new: Bet) -> tuple[str, object, str | None]:
    """Why a bet is not taken: code, room that was left, clause."""
    with pytest.raises(Refusal) as refusal:
        check_bet(limits, bets, new)
    return refusal.value.code, refusal.value.params.get("room"), refusal.value.clause


@pytest.mark.clause("HOUSE stake")
@every("stake", [0, -1, -20])
@every("book", BOOKS)
def test_a_stake_is_positive(book: str, stake: int) -> None:
    """On no spot of any book can nothing, or less, be staked."""
    for spot in load(book).spots:
        with pytest.raises(Refusal) as refusal:
            check_offered(load(book), spot, stake)

        assert (refusal.value.code, refusal.value.clause) == ("bet/stake", "HOUSE stake")


@pytest.mark.clause("HOUSE stake")
@every("book", BOOKS)
def test_one_minor_unit_is_a_stake(book: str) -> None:
    assert net(book, TIE, tie=1) == 8
    assert refused(book, TIE, tie=0).clause == "HOUSE stake"


# The least stake of every spot that does not take single units.
STEPS: dict[str, dict[str, int]] = {
    "rws-commission": {"banker": 20},
    "rws-knockout": {"banker": 2, "wager_player": 2, "wager_banker": 2},
    "rws-non-commission-etg": {"banker": 2},
    "online-baccarat": {"banker": 20, "player_natural": 2, "banker_natural": 2},
    "online-cow-cow": {"player": 20, "banker": 20},
    "online-no-commission": {"banker": 2, "player_natural": 2, "banker_natural": 2},
    "skycity-commission": {"banker": 20},
    "skycity-non-commission": {"banker": 2},
}


@pytest.mark.clause("HOUSE step")
@every("book", BOOKS)
def test_steps_follow_from_the_odds(book: str) -> None:
    """Five per cent needs twenties, halves need twos, whole odds nothing."""
    assert {id: spot.step for id, spot in load(book).spots.items() if spot.step > 1} == STEPS[book]


@pytest.mark.clause("HOUSE step")
@every("book", BOOKS)
def test_only_multiples_of_the_step_are_taken(book: str) -> None:
    for spot in load(book).spots:
        step = STEPS[book].get(spot, 1)
        for stake in (step, 2 * step, 7 * step):
            check_step(load(book), spot, stake)
        for short in range(1, step):
            with pytest.raises(Refusal) as refusal:
                check_step(load(book), spot, 3 * step + short)

            assert (refusal.value.code, refusal.value.clause) == ("bet/off-step", "HOUSE step")
            assert refusal.value.params["step"] == step


@pytest.mark.clause("HOUSE step")
@every(
    ("book", "coup", "spot", "stake", "won"),
    [
        ("rws-commission", BANKER_WINS, "banker", 20, 19),
        ("skycity-commission", BANKER_WINS, "banker", 20, 19),
        ("online-baccarat", BANKER_WINS, "banker", 20, 19),
        ("online-cow-cow", "Kh 9s / Kd 8c", "player", 20, 171),
        ("rws-non-commission-etg", "2h 3s Kd / Kd 6c", "banker", 2, 1),
        ("skycity-non-commission", "2h 3s Kd / Kd 6c", "banker", 2, 1),
        ("online-no-commission", BANKER_WINS, "banker_natural", 2, 7),
    ],
)
def test_the_least_stake_pays_in_whole_units(
    book: str, coup: str, spot: str, stake: int, won: int
) -> None:
    """One unit less, and the win would need rounding: it is not taken."""
    assert nets(book, coup, **{spot: stake}) == {spot: won}
    assert refused(book, coup, **{spot: stake - 1}).code == "bet/off-step"


TABLEAU = {
    "rws-commission": "CB4 3.12",
    "rws-knockout": "KO2 3.7",
    "rws-non-commission-etg": "ETG4 3.6",
    "online-baccarat": "ONL B19",
    "online-cow-cow": "ONL B19",
    "online-no-commission": "ONL B19",
    "skycity-commission": "SKY deal",
    "skycity-non-commission": "SKY deal",
}


@pytest.mark.clause("HOUSE coup")
@every(
    ("coup", "side"),
    [
        (" / ", "player"),
        ("9h / Kd", "player"),
        ("9h Ks / Kd", "banker"),
        ("Kh 5s / Kd 7c", "player"),
        ("Kh 5s 2d / Kd 4c", "banker"),
        ("Kh 6s / Kd 5c", "banker"),
    ],
)
@every("book", BOOKS)
def test_a_coup_to_settle_is_complete(book: str, coup: str, side: str) -> None:
    refusal = refused(book, coup, tie=20)

    assert (refusal.code, refusal.params["side"]) == ("coup/card-missing", side)
    assert refusal.clause == TABLEAU[book]


@pytest.mark.clause("HOUSE coup")
@every(
    ("coup", "side", "card"),
    [
        ("Kh 6s 2d / Kd 7c", "player", "2d"),
        ("Kh 5s 2d 3d / Kd 7c", "player", "3d"),
        ("Kh 6s / Kd 6c 3h", "banker", "3h"),
        ("9h Ks / Kd 3c 2h", "banker", "2h"),
    ],
)
@every("book", BOOKS)
def test_a_coup_to_settle_was_dealt_as_the_tableau_orders(
    book: str, coup: str, side: str, card: str
) -> None:
    refusal = refused(book, coup, tie=20)

    assert refusal.code == "coup/card-too-many"
    assert (refusal.params["side"], refusal.params["card"]) == (side, card)
    assert refusal.clause == TABLEAU[book]


@pytest.mark.clause("HOUSE coup")
@every(
    ("book", "clause"),
    [
        ("rws-commission", "CB4 2.2.1"),
        ("rws-knockout", "KO2 2.2.1"),
        ("rws-non-commission-etg", "ETG4 2.2.1"),
        ("skycity-commission", "HOUSE decks"),
        ("skycity-non-commission", "HOUSE decks"),
    ],
)
def test_no_card_comes_more_often_than_the_decks_hold_it(book: str, clause: str) -> None:
    """Five kings of spades tie with nothing: five decks can do it, four cannot."""
    coup = "Ks Ks Ks / Ks Kd Ks"

    assert settle(load(book), coup, {"tie": 10}, decks=5).net == 80
    with pytest.raises(Refusal) as refusal:
        settle(load(book), coup, {"tie": 10}, decks=4)

    assert (refusal.value.code, refusal.value.clause) == ("shoe/too-many-copies", clause)


@pytest.mark.clause("HOUSE coup")
@every("book", BOOKS)
def test_eight_decks_hold_six_equal_cards(book: str) -> None:
    assert net(book, "Ks Ks Ks / Ks Ks Ks", tie=10) == 80


@pytest.mark.clause("HOUSE limits")
@every("book", SILENT)
def test_every_bet_of_a_silent_book_has_a_minimum_and_a_maximum(book: str) -> None:
    """At 10 to 100 a bet: 9 and 101 are refused on every spot, 10 and 100 taken."""
    limits = amounted(book, 10, 100, 0, 0)
    for spot in load(book).spots:
        check_bet(limits, [], Bet("Ann", 1, spot, 10))
        check_bet(limits, [], Bet("Ann", 1, spot, 100))

        assert refusal_of(limits, [], Bet("Ann", 1, spot, 9))[:2] == ("limit/minimum", None)
        assert refusal_of(limits, [], Bet("Ann", 1, spot, 101))[:2] == ("limit/maximum", 100)


@pytest.mark.clause("HOUSE limits")
@every("book", SILENT)
def test_the_maximum_is_counted_for_each_bet_alone(book: str) -> None:
    """What Ben, or another spot, or Ann's other box holds does not count."""
    limits = amounted(book, 10, 100, 0, 0)
    bets = [
        Bet("Ann", 1, "tie", 60),
        Bet("Ann", 2, "tie", 100),
        Bet("Ann", 1, "player", 100),
        Bet("Ben", 1, "tie", 100),
    ]

    check_bet(limits, bets, Bet("Ann", 1, "tie", 40))
    assert refusal_of(limits, bets, Bet("Ann", 1, "tie", 41))[:2] == ("limit/maximum", 40)


@pytest.mark.clause("HOUSE limits")
@every("book", SILENT)
def test_a_silent_books_limits_cite_house_policy(book: str) -> None:
    """None of these documents prints a limit, so none of their own clauses can be cited."""
    assert {limit.clause for limit in load(book).limits} == {"HOUSE limits"}


@pytest.mark.clause("HOUSE limits")
@every("book", ONLINE)
def test_online_names_no_minimum_and_takes_the_houses(book: str) -> None:
    limits = amounted(book, 10, 1_000, 1_000, 1_000)
    for spot in load(book).spots:
        check_bet(limits, [], Bet("Ann", 1, spot, 10))

        assert refusal_of(limits, [], Bet("Ann", 1, spot, 9)) == (
            "limit/minimum",
            None,
            "HOUSE limits",
        )


@pytest.mark.clause("HOUSE online limits")
@every("book", ONLINE)
def test_online_the_difference_is_counted_for_each_patron(book: str) -> None:
    """Ann's 600 on Player lets her bank 1,600; Ben's 500 on Player does nothing for her."""
    limits = amounted(book, 1, 100, 1_000, 10_000)
    bets = [Bet("Ann", 1, "player", 600), Bet("Ben", 1, "player", 500)]

    check_bet(limits, bets, Bet("Ann", 1, "banker", 1_600))
    assert refusal_of(limits, bets, Bet("Ann", 1, "banker", 1_601)) == (
        "limit/differential",
        1_600,
        "ONL S1",
    )
    assert refusal_of(limits, bets, Bet("Cho", 1, "banker", 1_001))[:2] == (
        "limit/differential",
        1_000,
    )


@pytest.mark.clause("HOUSE online limits")
@every("book", ONLINE)
def test_online_every_other_bet_has_a_limit_of_its_own(book: str) -> None:
    """A full Tie takes nothing from the other spots, nor from Ben's Tie."""
    limits = amounted(book, 1, 100, 1_000, 10_000)
    others = set(load(book).spots) - {"player", "banker"}
    assert "tie" in others
    for spot in others:
        bets = [Bet("Ann", 1, other, 100) for other in others - {spot}]
        bets += [Bet("Ann", 1, spot, 70), Bet("Ben", 1, spot, 100)]

        check_bet(limits, bets, Bet("Ann", 1, spot, 30))
        assert refusal_of(limits, bets, Bet("Ann", 1, spot, 31)) == (
            "limit/maximum",
            30,
            "HOUSE online limits",
        )


@pytest.mark.clause("HOUSE online limits")
@every(
    ("book", "clause"),
    [
        ("online-baccarat", "HOUSE online limits"),
        ("online-cow-cow", "HOUSE online limits"),
        ("online-no-commission", "ONL NC3"),
    ],
)
def test_online_a_cap_for_the_whole_table_is_added(book: str, clause: str) -> None:
    """At 1,000 a table, Ann's 700 leave Ben 300; No Commission prints this rule itself."""
    limits = amounted(book, 1, 5_000, 5_000, 1_000)
    for spot in load(book).spots:
        bets = [Bet("Ann", 0, spot, 700)]
        code = "limit/differential" if spot in ("player", "banker") else "limit/maximum"

        check_bet(limits, bets, Bet("Ben", 0, spot, 300))
        assert refusal_of(limits, bets, Bet("Ben", 0, spot, 400)) == (code, 300, clause)


@pytest.mark.clause("HOUSE online limits")
@pytest.mark.parametrize("book", ["online-baccarat", "online-cow-cow", "online-no-commission"])
def test_the_cap_of_a_table_counts_player_and_banker_by_their_difference(book: str) -> None:
    """Ann's 700 on Banker and Cho's 600 on Player are 100 apart: Ben may add 900 more."""
    limits = amounted(book, 1, 5_000, 5_000, 1_000)
    bets = [Bet("Ann", 0, "banker", 700), Bet("Cho", 0, "player", 600)]

    check_bet(limits, bets, Bet("Ben", 0, "banker", 900))
    code, room, _ = refusal_of(limits, bets, Bet("Ben", 0, "banker", 901))
    assert (code, room) == ("limit/differential", 900)


@pytest.mark.clause("HOUSE cow limits")
@pytest.mark.parametrize("side", ["player", "banker"])
def test_cow_cows_limit_is_about_the_bet(side: str) -> None:
    """At a difference of 500 a bet of 500 is taken, though it may lose 4,500."""
    limits = amounted("online-cow-cow", 20, 100, 500, 500)

    check_bet(limits, [], Bet("Ann", 1, side, 500))
    assert reserve(load("online-cow-cow"), {side: 500}) == 4_500
    assert refusal_of(limits, [], Bet("Ann", 1, side, 520))[1] == 500


@pytest.mark.clause("HOUSE cow limits")
def test_cow_cows_minimum_is_about_the_bet() -> None:
    """180 may be lost on 20, but 20 is still below a minimum of 40."""
    limits = amounted("online-cow-cow", 40, 100, 500, 500)

    assert refusal_of(limits, [], Bet("Ann", 1, "player", 20))[0] == "limit/minimum"
    check_bet(limits, [], Bet("Ann", 1, "player", 40))


@pytest.mark.clause("HOUSE differential")
def test_the_differential_is_counted_for_each_box() -> None:
    """Box 1 is full on Banker; Player bets in box 2 make no room in it, those in box 1 do."""
    limits = amounted("rws-commission", 1, 100, 1_000, 0)
    full = Bet("Ann", 1, "banker", 1_000)
    more = Bet("Ben", 1, "banker", 300)

    assert refusal_of(limits, [full], more) == ("limit/differential", 0, "CB4 5.1")
    elsewhere = Bet("Cho", 2, "player", 300)
    assert refusal_of(limits, [full, elsewhere], more)[1] == 0
    check_bet(limits, [full, Bet("Cho", 1, "player", 300)], more)
    check_bet(limits, [full], Bet("Ann", 2, "banker", 1_000))


@pytest.mark.clause("HOUSE differential")
def test_a_cap_for_the_whole_table_may_be_added() -> None:
    """1,000 a box and 1,500 for the table: a second full box finds only 500."""
    box = amounted("rws-commission", 1, 100, 1_000, 0)
    cap = Limit(Kind.DIFFERENTIAL, Scope.TABLE, ("player", "banker"), 1_500, "HOUSE differential")
    bets = [Bet("Ann", 1, "banker", 1_000)]

    check_bet([*box, cap], bets, Bet("Ben", 2, "banker", 500))
    assert refusal_of([*box, cap], bets, Bet("Ben", 2, "banker", 501)) == (
        "limit/differential",
        500,
        "HOUSE differential",
    )


@pytest.mark.clause("HOUSE decks")
@pytest.mark.parametrize("book", SKYCITY)
def test_skycity_deals_four_to_eight_decks(book: str) -> None:
    for decks in (4, 5, 6, 7, 8):
        assert len(deal(load(book), seed=1, decks=decks, rounds=1).shoe.cards) == 52 * decks
    for decks in (3, 9):
        with pytest.raises(Refusal) as refusal:
            deal(load(book), seed=1, decks=decks)

        assert (refusal.value.code, refusal.value.clause) == ("shoe/decks", "HOUSE decks")


@pytest.mark.clause("HOUSE decks")
@pytest.mark.parametrize("book", SKYCITY)
def test_skycity_deals_eight_decks_unless_told_otherwise(book: str) -> None:
    dealt = deal(load(book), seed=1, rounds=1)

    assert (dealt.decks, len(dealt.shoe.cards)) == (8, 416)


@pytest.mark.clause("HOUSE deal")
@pytest.mark.parametrize("book", SKYCITY)
def test_skycity_deals_player_banker_player_banker(book: str) -> None:
    dealt = deal(load(book), seed=1, rounds=20)

    assert len(dealt.coups) == 20
    for one in dealt.coups:
        first, second, third, fourth = dealt.shoe.cards[one.start : one.start + 4]
        assert one.coup.player[:2] == (first, third)
        assert one.coup.banker[:2] == (second, fourth)
    assert load(book).cites["deal"] == "HOUSE deal"


@pytest.mark.clause("HOUSE tie")
@every("coup", [TIE, "Kh 6s / 3d 3c", "Kh Qs Jd / Kd Qc Jh"])
@every("book", SKYCITY)
def test_skycity_ties_push_player_and_banker(book: str, coup: str) -> None:
    """Also on six to six, where Non-Commission Banker has a line of its own for wins."""
    settled = settle(load(book), coup, {"player": 100, "banker": 60}).bets

    assert [(bet.net, bet.commission, bet.clause) for bet in settled] == [(0, 0, "HOUSE tie")] * 2


# How many cards each exposed rank burns: ace to nine their value, ten and pictures ten.
BURNS = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))


@pytest.mark.clause("HOUSE burn")
@every("rank", BURNS)
def test_the_exposed_card_says_how_many_more_are_burned(rank: str) -> None:
    """Two to eleven cards leave the shoe, the exposed one among them."""
    burned = parse_cards("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc")[: BURNS[rank]]
    exposed = Card.parse(rank + "h")
    shoe = Shoe((exposed, *burned, *parse_cards("9h Kc Kd Ks"), *full_shoe(1)), 14)

    assert burn_count(exposed) == BURNS[rank]
    assert (shoe.exposed, shoe.burned) == (exposed, burned)
    first = next(deal_shoe(shoe))
    assert first.start == 1 + BURNS[rank]
    assert first.coup == Coup.parse("9h Kd / Kc Ks")


@pytest.mark.clause("HOUSE burn")
@every(
    ("book", "clause"),
    [
        *((book, "HOUSE burn") for book in (*RWS, *SKYCITY)),
        *((book, "ONL B3") for book in ONLINE),
    ],
)
def test_books_without_a_burn_use_the_online_books(book: str, clause: str) -> None:
    """The same seed burns the same cards in every book; online alone prints the rule."""
    dealt = deal(load(book), seed=1, rounds=1)

    burned = BURNS[dealt.shoe.cards[0].rank.value]
    assert dealt.document()["burned"] == burned
    assert dealt.coups[0].start == 1 + burned
    assert load(book).burn_clause == clause


@pytest.mark.clause("HOUSE cut")
@every(("behind_cut", "last"), [(13, 7), (12, 8), (11, 8), (10, 8), (9, 8), (8, 9), (7, 9), (6, 9)])
def test_the_round_in_which_the_cut_card_appears_is_the_last(behind_cut: int, last: int) -> None:
    """Ten coups of four cards: with 8 or 12 behind it, it comes out before a first card."""
    shoe = Shoe(parse_cards("Ah 2c" + " 9h Kc Kd Ks" * 10), behind_cut)

    rounds = list(deal_shoe(shoe))

    assert [one.number for one in rounds] == list(range(1, last + 1))
    assert [one.number for one in rounds if one.cut_card] == [last]
    assert rounds[-1].coup == Coup.parse("9h Kd / Kc Ks")


@pytest.mark.clause("HOUSE cut")
@every(
    ("book", "clause"),
    [
        *((book, "HOUSE cut") for book in (*RWS, *SKYCITY)),
        *((book, "ONL B4") for book in ONLINE),
    ],
)
def test_the_cut_card_lies_14_to_52_from_the_bottom(book: str, clause: str) -> None:
    cut = load(book).cut

    assert (cut.least, cut.most, cut.clause) == (14, 52, clause)
    assert all(14 <= demonstration_shoe(load(book), seed).behind_cut <= 52 for seed in range(20))


@pytest.mark.clause("HOUSE cut")
def test_the_cut_card_may_lie_in_each_of_its_39_places() -> None:
    places = {
        demonstration_shoe(load("rws-commission"), seed, decks=4).behind_cut for seed in range(400)
    }

    assert places == set(range(14, 53))


@pytest.mark.clause("HOUSE short shoe")
def test_five_cards_behind_the_cut_card_are_too_few() -> None:
    cards = full_shoe(4)

    assert Shoe(cards, 6).cut_position == 202
    with pytest.raises(Refusal) as refusal:
        Shoe(cards, 5)

    assert (refusal.value.code, refusal.value.params["least"]) == ("shoe/cut-out-of-range", 6)
    assert refusal.value.clause == "HOUSE short shoe"


@pytest.mark.clause("HOUSE short shoe")
def test_six_cards_behind_the_cut_card_complete_the_longest_round() -> None:
    """Kings only: each round takes six cards, and the last one takes the last six."""
    shoe = Shoe(parse_cards("Kc " * (1 + 10 + 6 * 5)), behind_cut=6)

    *_, last = deal_shoe(shoe)

    assert (last.number, last.cut_card, last.start) == (5, True, len(shoe.cards) - 6)
    assert last.coup == Coup.parse("Kc Kc Kc / Kc Kc Kc")


@pytest.mark.clause("HOUSE short shoe")
@every("seed", range(25))
def test_the_last_round_of_a_shuffled_shoe_is_completed(seed: int) -> None:
    shoe = Shoe(shuffled(full_shoe(4), SeededDice(seed)), behind_cut=6)

    *_, last = deal_shoe(shoe)

    assert len(last.coup.dealt) >= 4
    assert next_side(last.coup) is None


@pytest.mark.clause("HOUSE announcements")
@every("book", [*ONLINE, *SKYCITY])
def test_books_without_announcements_take_the_houses(book: str) -> None:
    said = load(book).announcements

    assert (said["open"].words, said["close"].words) == ("Place your bets", "No more bets")
    assert {text.clause for text in said.values()} == {"HOUSE announcements"}


@pytest.mark.clause("HOUSE announcements")
@every(
    ("book", "opening", "closing"),
    [
        ("rws-commission", "Place your Bets, please", "No more Bets"),
        ("rws-knockout", "Place your bets, please.", "No more bets."),
        ("rws-non-commission-etg", "Place Your Bets", "No More Bets"),
    ],
)
def test_books_with_announcements_keep_their_own(book: str, opening: str, closing: str) -> None:
    said = load(book).announcements

    assert (said["open"].words, said["close"].words) == (opening, closing)
    assert not any(text.clause.startswith("HOUSE") for text in said.values())


@pytest.mark.clause("HOUSE interruption")
@every("book", SILENT)
def test_books_silent_on_interruptions_take_cb4(book: str) -> None:
    taken = load(book)

    assert taken.interruption is Interruption.ESTABLISHED
    assert (taken.concludes_clause, taken.voids_clause) == ("CB4 5.4.1", "CB4 5.4.2")
    assert remedies(taken)["technical interruption"] == ("conclude or void", "never", "CB4 5.4")


@pytest.mark.clause("HOUSE interruption")
@every("book", ONLINE)
def test_the_online_book_is_not_silent_on_interruptions(book: str) -> None:
    taken = load(book)

    assert taken.interruption is Interruption.FIRST_CARD
    assert (taken.concludes_clause, taken.voids_clause) == ("ONL E1", "ONL E2")


def remedies(book: Rulebook) -> dict[str, tuple[str, str, str]]:
    """Of every irregularity: the remedy, when patrons have options, the clause."""
    return {
        id: (one.remedy.value, one.options.value, one.clause)
        for id, one in book.irregularities.items()
    }


# What CB4 5 orders, transcribed from its text.
CB4 = {
    "excess bets": ("refuse", "never", "CB4 5.1"),
    "excess bets unnoticed": ("pro rata", "never", "CB4 5.1.1"),
    "bet below minimum": ("refuse", "never", "CB4 5.2"),
    "bet below minimum unnoticed": ("as placed", "never", "CB4 5.2.1"),
    "patron walked away": ("as placed", "never", "CB4 5.3"),
    "technical interruption": ("conclude or void", "never", "CB4 5.4"),
    "foreign card": ("void", "never", "CB4 5.5.1"),
    "shortage or excess in the shoe": ("void", "never", "CB4 5.5.2"),
    "wrong number of cards": ("reconstruct or void", "unless established", "CB4 5.5.3"),
    "insufficient cards": ("void", "never", "CB4 5.5.4"),
    "unshuffled cards": ("void", "never", "CB4 5.5.5"),
    "late bet": ("refuse", "never", "CB4 5.6"),
    "late withdrawal": ("refuse", "never", "CB4 5.6"),
    "excess or exposed card": ("reconstruct", "unless established", "CB4 5.7"),
    "card to the wrong side": (
        "reconstruct",
        "unless established and reconstructable",
        "CB4 5.8.1",
    ),
    "card to the wrong person": (
        "reconstruct",
        "unless established and reconstructable",
        "CB4 5.8.2",
    ),
    "card face up": ("continue", "unless established", "CB4 5.9"),
    "simultaneous cards": ("order cards", "always", "CB4 5.10"),
    "noticed a round late": ("stands", "never", "CB4 5.11"),
    "other dealing error": ("continue", "always", "CB4 5.12"),
    "misplaced bet": ("as placed", "never", "CB4 5.13"),
    "wrong display": ("stands", "never", "CB4 5.14"),
    "anything else": ("ruling", "never", "CB4 5.17"),
}

# What the other books order themselves.
OWN: dict[str, dict[str, tuple[str, str, str]]] = {
    "rws-non-commission-etg": {
        "foreign card": ("void", "never", "ETG4 5.1.1"),
        "wrong number of cards": ("reconstruct or void", "unless established", "ETG4 5.1.2"),
        "insufficient cards": ("void", "never", "ETG4 5.1.3"),
    },
    "rws-knockout": {
        "foreign card": ("void", "never", "KO2 5.1.1"),
        "wrong number of cards": ("reconstruct or void", "unless established", "KO2 5.1.2"),
        "insufficient cards": ("void", "never", "KO2 5.1.3"),
        "late bet": ("refuse", "never", "KO2 5.2"),
        "late withdrawal": ("as placed", "never", "KO2 5.3"),
    },
    **{
        book: {
            "technical interruption": ("conclude or void", "never", "ONL E1"),
            "unread card": ("rescan", "never", "ONL E3"),
        }
        for book in ONLINE
    },
    **{book: {} for book in SKYCITY},
}


@pytest.mark.clause("HOUSE irregularities")
@every("irregularity", CB4)
def test_what_a_book_does_not_settle_is_settled_by_cb4(irregularity: str) -> None:
    for book, own in OWN.items():
        expected = own.get(irregularity, CB4[irregularity])

        assert remedies(load(book))[irregularity] == expected, book


@pytest.mark.clause("HOUSE irregularities")
@every("book", OWN)
def test_what_a_book_says_itself_goes_first(book: str) -> None:
    found = remedies(load(book))

    assert {id: one for id, one in found.items() if not one[2].startswith(("CB4", "HOUSE"))} == OWN[
        book
    ]
    own = {"unread card", "misread card"}
    assert found.keys() == CB4.keys() | OWN[book].keys() | own


@pytest.mark.clause("HOUSE irregularities")
@every("book", OWN)
def test_the_ranks_that_cb4_names_decide_in_the_other_books_too(book: str) -> None:
    """Simultaneous cards are a Pit Supervisor's, what no clause settles a shift manager's."""
    found = load(book).irregularities

    assert found["excess bets"].decides.value == "dealer"
    assert found["simultaneous cards"].decides.value == "pit supervisor"
    assert found["anything else"].decides.value == "shift manager"


@pytest.mark.clause("HOUSE published odds")
@every("book", BOOKS)
def test_published_returns_are_for_a_fresh_shoe_with_ties_counted(book: str) -> None:
    """Per unit bet: a tie that returns the stake returns one unit of the one that was bet."""
    found = odds(load(book))

    assert found.shoe.decks == load(book).decks.usual
    assert found.bets == odds(load(book), Composition.of_decks(8)).bets
    for price in found.bets.values():
        assert price.rtp * price.orders == sum((1 + one.net) * one.orders for one in price.outcomes)
        assert price.win + price.push + price.lose == 1
    if book != "online-cow-cow":
        player = found.bets["player"]
        assert player.push == found.bets["tie"].win
        assert player.rtp == 2 * player.win + player.push
        assert decimal(player.rtp * 100, 6) == "98.764919"


@pytest.mark.clause("HOUSE published odds")
def test_cow_cow_says_how_much_a_bet_can_lose() -> None:
    """Returns per unit bet, and beside them that nine units may go."""
    book = load("online-cow-cow")
    found = odds(book)
    page = markdown(certificate(book))

    assert decimal(found.bets["player"].rtp * 100, 6) == "95.715547"
    assert decimal(found.bets["banker"].rtp * 100, 6) == "93.481674"
    assert min(one.net for one in found.bets["player"].outcomes) == -9
    assert any("up to nine times" in text.words for text in book.texts)
    assert "reserve 9 times the stake" in page
    assert "lose 9 times" in page


# --- in a round


def ante(*patrons: str) -> Scene:
    """Everybody has an Ante of 50 on Player in a box of their own; the first card is shown."""
    scene = Scene("rws-knockout").open()
    for box, patron in enumerate(patrons, 1):
        scene.bet(patron, box, "ante_player", 50)
    return scene.close().deal("Kh")


@pytest.mark.clause("HOUSE timeout")
def test_an_ante_without_a_decision_in_time_is_forfeited() -> None:
    """Bob dropped out of the network and Ann stayed silent: the system declines for both."""
    scene = ante("ann", "bob").wait(10_000).time_is_up()

    assert scene.last[:2] == [
        SecondStageDeclined("ann", 1, "ante_player", True, "HOUSE timeout", scene.now),
        SecondStageDeclined("bob", 2, "ante_player", True, "HOUSE timeout", scene.now),
    ]
    assert scene.finish("Kh 9s / Kd 8c").nets == {
        ("ann", "ante_player"): -50,
        ("bob", "ante_player"): -50,
    }


@pytest.mark.clause("HOUSE timeout")
def test_the_book_tells_the_patron_beforehand() -> None:
    texts = [text.words for text in load("rws-knockout").texts if text.clause == "HOUSE timeout"]

    assert any("No decision in time loses the Ante" in words for words in texts)


@pytest.mark.clause("HOUSE always continue")
def test_a_wager_is_placed_only_for_those_who_chose_it_beforehand() -> None:
    scene = ante("ann", "bob").always("ann").wait(10_000).time_is_up()
    placed = [event for event in scene.last if isinstance(event, SecondStagePlaced)]

    assert [(one.bet.patron, one.bet.stake, one.by_system) for one in placed] == [
        ("ann", 100, True)
    ]
    assert scene.state.declined == {(2, "bob", "ante_player"): "HOUSE timeout"}


@pytest.mark.clause("HOUSE always continue")
def test_the_choice_covers_every_ante_and_may_be_taken_back() -> None:
    scene = Scene("rws-knockout").always("ann").open().bet("ann", 1, "ante_player", 50)
    scene.bet("ann", 1, "ante_banker", 30).close().deal("Kh").wait(10_000).time_is_up()
    assert scene.bets["ann", "wager_player"] == 100
    assert scene.bets["ann", "wager_banker"] == 60
    scene.finish(TIE).always("ann", False).open(2).bet("ann", 1, "ante_player", 50)
    scene.close().deal("Kh").wait(10_000).time_is_up()

    assert scene.bets == {("ann", "ante_player"): 50}


@pytest.mark.clause("HOUSE void return")
@every("book", BOOKS)
def test_a_void_round_gives_everything_back(book: str) -> None:
    """One bet on every spot that is open before the deal, at the least multiple of 20."""
    scene = Scene(book).open()
    for spot in load(book).spots.values():
        if spot.stage is None:
            scene.bet("ann", 1, spot.id, 100)
    lying = {bet.spot: (bet.stake, bet.reserve) for bet in scene.state.bets}
    scene.close().void()
    (void,) = scene.last
    assert isinstance(void, RoundVoided)

    assert {bet.spot: (bet.stake, bet.reserve) for bet in void.returned} == lying
    assert {stake for stake, _ in lying.values()} == {100}
    assert scene.state.settled is None


@pytest.mark.clause("HOUSE void return")
def test_declined_antes_wagers_and_reserves_come_back_too() -> None:
    knockout = Scene("rws-knockout").open().bet("ann", 1, "ante_player", 50)
    knockout.bet("ann", 1, "ante_banker", 50).close().deal("Kh").decline("ann", 1, "ante_player")
    knockout.go_on("ann", 1, "ante_banker").void()
    cow_cow = Scene("online-cow-cow").open().bet("ann", 1, "player", 100).close().void()
    (first,), (second,) = knockout.last, cow_cow.last
    assert isinstance(first, RoundVoided)
    assert isinstance(second, RoundVoided)

    assert {bet.spot: bet.stake for bet in first.returned} == {
        "ante_player": 50,
        "ante_banker": 50,
        "wager_banker": 100,
    }
    assert [(bet.stake, bet.reserve) for bet in second.returned] == [(100, 800)]


@pytest.mark.clause("HOUSE void return")
def test_a_void_after_the_result_keeps_no_commission() -> None:
    scene = Scene("rws-commission").open().bet("ann", 1, "banker", 100).close()
    scene.deal("Kh Kd 7s 8c").call().void()
    (void,) = scene.last
    assert isinstance(void, RoundVoided)

    assert [bet.stake for bet in void.returned] == [100]
    assert scene.state.phase is Phase.VOID
    assert denied(scene.settle).code == "round/no-result"


@pytest.mark.clause("HOUSE at entry")
@every("book", BOOKS)
def test_only_a_table_with_chips_lets_a_short_bet_lie(book: str) -> None:
    terminal = Scene(book, limits=None).open()
    table = Scene(book, entry=Entry.WARN, limits=None).open().bet("ann", 1, "player", 20)
    (warning,) = warnings(table.state, table.terms, table.book)

    assert denied(terminal.bet, "ann", 1, "player", 20).code == "limit/minimum"
    assert (warning.code, warning.patron) == ("warning/below-minimum", "ann")
    assert warnings(terminal.state, terminal.terms, terminal.book) == []


@pytest.mark.clause("HOUSE at entry")
def test_a_terminal_never_has_excess_to_cut() -> None:
    scene = Scene("rws-commission", limits=None).open().bet("ann", 5, "banker", 800_000)
    refusal = denied(scene.bet, "bob", 5, "banker", 600_000, standing=True)
    scene.bet("bob", 5, "banker", 200_000, standing=True).close()

    assert why(refusal) == ("limit/differential", "CB4 5.1")
    assert refusal.params["room"] == 200_000
    assert scene.state.effective == {}


@pytest.mark.clause("HOUSE pro rata")
def test_only_the_short_bet_is_exempt_and_nobody_falls_below_the_minimum() -> None:
    assert box_five().close().state.effective == {
        (5, "A", "banker"): 600_000,
        (5, "B", "banker"): 450_000,
        (5, "C", "banker"): 30_000,
    }


@pytest.mark.clause("HOUSE pro rata")
def test_what_rounding_leaves_goes_by_remainder_then_seat_then_time() -> None:
    def share(name: str, stake: int, seated: bool, order: int) -> Share:
        return Share((name, 1, "banker"), stake, seated, order)

    large, early = share("large", 199, False, 3), share("early", 101, False, 0)
    by_remainder = apportion([share("seat", 100, True, 1), early, large], 100, 0, 1)
    late, seat = share("late", 100, False, 2), share("seat", 100, True, 9)
    third = share("third", 100, False, 1)
    by_seat = apportion([late, third, seat], 200, 0, 1)

    assert by_remainder[large] == 50
    assert (by_seat[seat], by_seat[third], by_seat[late]) == (67, 67, 66)


@pytest.mark.clause("HOUSE pro rata")
def test_forty_minimums_prevail_over_the_limit() -> None:
    """40 × 400.00 on one box: each counts for 300.00, together 2,000.00 beyond the limit."""
    scene = Scene("rws-commission", entry=Entry.WARN, limits=None).open()
    for place in range(40):
        scene.bet(f"p{place}", 5, "banker", 40_000, standing=place > 0)
    counted = scene.play(BANKER_WINS).counted

    assert set(counted.values()) == {30_000}
    assert sum(counted.values()) == 1_200_000


@pytest.mark.clause("HOUSE seated share")
def test_seated_patrons_come_first_in_the_cut_only_by_the_switch() -> None:
    """A is seated: cut like the others by default, whole where the operator says so."""
    usual = box_five().close().state.effective
    switched = box_five(apportioning=Apportioning.SEATED_FIRST).close().state.effective

    assert usual[5, "A", "banker"] == 600_000
    assert switched == {(5, "B", "banker"): 250_000, (5, "C", "banker"): 30_000}


@pytest.mark.clause("HOUSE seated share")
def test_seated_patrons_come_first_when_bets_are_placed() -> None:
    """Rejecting before the close leaves the seat whole whatever the switch says."""
    for apportioning in Apportioning:
        scene = box_five(apportioning=apportioning).reject(5)

        assert scene.bets["A", "banker"] == 800_000
        assert scene.bets["B", "banker"] == 300_000
