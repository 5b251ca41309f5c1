"""The odds of every book: published figures, and the laws that no figure may break."""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import perm

import pytest

from cutcard.odds import Composition, Odds, effect_of_removal, odds, outlook
from cutcard.odds.pricing import decimal
from cutcard.refusals import Refusal
from cutcard.rulebooks import MORE, load, rulebooks
from cutcard.rules.cards import Card, Rank, parse_cards
from cutcard.rules.coup import Coup
from cutcard.rules.facts import facts
from cutcard.rules.rulebook import Rulebook
from tests.cases import every
from tests.odds.naive import deal_every_order, hard_knockout, pays, with_lines

BOOKS = (*rulebooks(), *rulebooks(MORE))
every_book = every("book", BOOKS, ids=lambda book: book.id)

DEPLETED = Composition.of_decks(8).without(
    parse_cards("9h 9s 9d 8c 8h 7s Ah Ah Ad 5c 5h 6s 6d 4c 4h 4s Kd Kc Qh Js Td 2c 3h 3s")
)


@cache
def fresh(book: str, decks: int = 8) -> Odds:
    return odds(load(book), Composition.of_decks(decks))


# Published edges of the fresh eight-deck shoe, in percent of the bet.
PUBLISHED = """
    rws-commission          player             1.235081
    rws-commission          banker             1.057906
    rws-commission          tie               14.359629
    rws-commission          player_pair       10.361446
    rws-commission          banker_pair       10.361446
    rws-non-commission-etg  player             1.235081
    rws-non-commission-etg  banker             1.458104
    rws-non-commission-etg  tie               14.359629
    rws-non-commission-etg  player_pair       10.361446
    rws-non-commission-etg  banker_pair       10.361446
    skycity-commission      player             1.235081
    skycity-commission      banker             1.057906
    skycity-commission      tie               14.359629
    skycity-non-commission  player             1.235081
    skycity-non-commission  banker             1.458104
    skycity-non-commission  tie               14.359629
    online-baccarat         player             1.235081
    online-baccarat         banker             1.057906
    online-baccarat         tie               14.359629
    online-baccarat         player_pair       10.361446
    online-baccarat         banker_pair       10.361446
    online-baccarat         lucky_six         16.683572
    online-baccarat         player_natural    14.754402
    online-baccarat         banker_natural    14.754402
    online-no-commission    player             1.235081
    online-no-commission    banker             1.458104
    online-no-commission    tie               14.359629
    online-no-commission    player_pair       10.361446
    online-no-commission    banker_pair       10.361446
    online-no-commission    lucky_six         16.683572
    online-no-commission    player_natural    14.754402
    online-no-commission    banker_natural    14.754402
    online-cow-cow          player             4.284453
    online-cow-cow          banker             6.518326
    online-cow-cow          tie               14.359629
    rws-knockout            player             1.235081
    rws-knockout            banker             1.458104
    rws-knockout            tie               14.359629
    rws-knockout            player_pair       10.361446
    rws-knockout            banker_pair       10.361446
    rws-knockout            winning_total_1_4  6.723141
    rws-knockout            winning_total_5_6 16.745149
    rws-knockout            winning_total_7   11.226683
    rws-knockout            winning_total_8    3.597557
    rws-knockout            winning_total_9   18.465874
    rws-knockout            ante_player       10.977740
    rws-knockout            ante_banker        4.721292
"""

# The same to the four places in which other games are published.
PUBLISHED_ELSEWHERE = """
    ez-baccarat  player               1.2351
    ez-baccarat  banker               1.0183
    ez-baccarat  tie                 14.3596
    ez-baccarat  dragon_7             7.6113
    ez-baccarat  panda_8             10.1876
    super-six    player               1.2351
    super-six    banker               1.4581
    super-six    tie                 14.3596
    super-six    super_six           29.9772
    side-bets    player               1.2351
    side-bets    banker               1.0579
    side-bets    tie                  4.8440
    side-bets    dragon_bonus_player  2.6517
    side-bets    dragon_bonus_banker  9.3731
    side-bets    big                  4.3457
    side-bets    small                5.2829
    side-bets    either_pair         13.7099
    side-bets    perfect_pair         8.0470
"""

# By decks, to the places in which the clause matrix prints them.
BY_DECKS = """
    bet                                      4        6        8
    rws-commission.player               1.2421   1.2374   1.2351
    rws-commission.banker               1.0517   1.0558   1.0579
    rws-non-commission-etg.banker       1.4482   1.4548   1.4581
    rws-commission.tie                 14.5916  14.4382  14.3596
    rws-commission.player_pair         13.0435  11.2540  10.3614
    online-baccarat.lucky_six          16.7825  16.7163  16.6836
    online-baccarat.player_natural     14.7157  14.7415  14.7544
    online-cow-cow.player               4.3264   4.2984   4.2845
    online-cow-cow.banker               6.4990   6.5119   6.5183
    rws-knockout.winning_total_1_4        6.96     6.80     6.72
    rws-knockout.winning_total_5_6       16.79    16.76    16.75
    rws-knockout.winning_total_7         11.11    11.19    11.23
    rws-knockout.winning_total_8          3.71     3.64     3.60
    rws-knockout.winning_total_9         18.34    18.42    18.47
    rws-knockout.ante_player            10.974   10.977   10.978
    rws-knockout.ante_banker             4.685    4.709    4.721
"""


def rows(table: str) -> list[list[str]]:
    return [line.split() for line in table.strip().splitlines()]


def percent(share: Fraction, like: str) -> str:
    """A share in percent, to as many places as the printed figure has."""
    return decimal(share * 100, len(like.partition(".")[2]))


@every(("book", "spot", "edge"), [*rows(PUBLISHED), *rows(PUBLISHED_ELSEWHERE)])
def test_the_published_edge(book: str, spot: str, edge: str) -> None:
    assert percent(fresh(book).bets[spot].edge, edge) == edge


def test_every_bet_of_the_eight_books_is_published() -> None:
    """All but the second stages, which have no figure of their own."""
    told = {(book, spot) for book, spot, _ in rows(PUBLISHED)}

    assert told == {(book.id, spot) for book in rulebooks() for spot in fresh(book.id).bets}
    assert {spot for book in rulebooks() for spot in book.spots} - {spot for _, spot in told} == {
        "wager_player",
        "wager_banker",
    }


@pytest.mark.parametrize("spot", ["player_natural", "banker_natural"])
def test_natural_exactly(spot: str) -> None:
    assert fresh("online-baccarat").bets[spot].edge == Fraction(796, 5395)


@pytest.mark.parametrize(("spot", "of_action"), [("player", "0.672314"), ("banker", "1.022852")])
def test_cow_cow_per_unit_of_action(spot: str, of_action: str) -> None:
    """A winning hand of k points puts k units into action, won or lost."""
    cow = fresh("online-cow-cow").bets[spot]

    assert decimal(cow.action, 6) == "6.372697"
    assert decimal(cow.edge_of_action * 100, 6) == of_action
    assert fresh("online-cow-cow").bets["tie"].action == 1


@pytest.mark.parametrize(
    ("spot", "of_all"), [("ante_player", "3.659247"), ("ante_banker", "1.573764")]
)
def test_an_ante_of_all_that_is_staked(spot: str, of_all: str) -> None:
    ante = fresh("rws-knockout").bets[spot]

    assert ante.action == 3
    assert ante.edge_of_action * 3 == ante.edge
    assert decimal(ante.edge_of_action * 100, 6) == of_all


@pytest.mark.parametrize("spot", ["ante_player", "ante_banker"])
def test_always_continuing_is_as_good_as_the_best(spot: str) -> None:
    decision = fresh("rws-knockout").decisions[spot]

    assert decision.always.edge == decision.best.edge == fresh("rws-knockout").bets[spot].edge


@every("row", rows(BY_DECKS)[1:], ids=lambda row: row[0])
def test_edges_by_decks(row: list[str]) -> None:
    book, spot = row[0].split(".")

    for decks, edge in zip((4, 6, 8), row[1:], strict=True):
        assert percent(fresh(book, decks).bets[spot].edge, edge) == edge


@pytest.mark.parametrize(
    ("spot", "printed"),
    [
        ("ante_player", ("3.658", "3.659", "3.659")),
        ("ante_banker", ("1.562", "1.570", "1.574")),
    ],
)
def test_antes_of_all_that_is_staked_by_decks(spot: str, printed: tuple[str, ...]) -> None:
    for decks, edge in zip((4, 6, 8), printed, strict=True):
        assert percent(fresh("rws-knockout", decks).bets[spot].edge_of_action, edge) == edge


def test_the_returns_that_cow_cow_publishes() -> None:
    bets = fresh("online-cow-cow").bets

    assert percent(bets["player"].rtp, "95.715547") == "95.715547"
    assert percent(bets["banker"].rtp, "93.481674") == "93.481674"


# What odds look like


@every_book
def test_every_bet_has_a_price_and_no_second_stage_has_one(book: Rulebook) -> None:
    found = fresh(book.id)

    assert list(found.bets) == [spot.id for spot in book.spots.values() if spot.stage is None]
    for price in found.bets.values():
        assert price.win + price.push + price.lose == 1
        assert price.edge == -price.ev == 1 - price.rtp
        assert price.orders == perm(416, 6)


@every_book
def test_the_usual_shoe_is_meant_unless_told_otherwise(book: Rulebook) -> None:
    found = odds(book)

    assert found.shoe.decks == book.decks.usual == 8
    assert found.document() == fresh(book.id).document()


@every_book
def test_odds_as_a_document(book: Rulebook) -> None:
    document = fresh(book.id).document()
    bets = document["bets"]

    assert isinstance(bets, dict)
    assert (document["book"], document["decks"]) == (book.id, 8)
    assert ("strategy" in document) == (book.id == "rws-knockout")
    for spot, figures in bets.items():
        assert Fraction(figures["edge"]) == -Fraction(figures["ev"])
        assert sum(Fraction(figures[name]) for name in ("win", "push", "lose")) == 1
        assert decimal(Fraction(figures["edge"]) * 100, 6) == figures["edge_percent"]
        assert ("always_continue" in figures) == spot.startswith("ante")


def test_a_composition_is_written_as_a_shoe() -> None:
    document = odds(load("rws-commission"), DEPLETED).document()

    assert "decks" not in document
    assert document["shoe"] == {rank.value: n for rank, n in DEPLETED.ranks.items()}


def test_suits_are_needed_only_where_a_bet_looks_at_them() -> None:
    by_rank = Composition.of_decks(8).by_rank
    with pytest.raises(Refusal) as refusal:
        odds(load("side-bets"), by_rank)

    assert refusal.value.code == "odds/suits-needed"
    assert refusal.value.params["others"] == ("perfect_pair",)
    for book in BOOKS:
        if book.id != "side-bets":
            assert odds(book, by_rank).bets == fresh(book.id).bets


@every(
    ("shoe", "code"),
    [
        (Composition.parse("A=5"), "odds/too-few-cards"),
        (Composition.of_decks(9), "odds/too-many-cards"),
        (Composition.parse("A=33"), "odds/too-many-cards"),
    ],
    ids=["five cards", "nine decks", "33 aces"],
)
def test_a_shoe_that_cannot_be_is_refused(shoe: Composition, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        odds(load("rws-commission"), shoe)

    assert refusal.value.code == code


def test_six_cards_are_enough() -> None:
    """Aces only: both sides have three after three cards each."""
    found = odds(load("rws-commission"), Composition.parse("A=6")).bets

    assert [found[spot].ev for spot in ("tie", "player", "player_pair")] == [8, 0, 11]


# Effect of removal


def weighted(book: Rulebook, shoe: Composition) -> dict[str, Fraction]:
    """The mean effect of burning one unseen card, times the cards there are."""
    return {
        spot: sum((shoe.ranks[rank] * change for rank, change in changes.items()), Fraction(0))
        for spot, changes in effect_of_removal(book, shoe).items()
    }


@every_book
def test_a_burned_card_changes_nothing(book: Rulebook) -> None:
    effects = weighted(book, Composition.of_decks(8))

    assert effects == dict.fromkeys(fresh(book.id).bets, Fraction(0))


@pytest.mark.parametrize("book", ["online-baccarat", "rws-knockout"])
def test_a_card_burned_from_a_depleted_shoe_changes_nothing(book: str) -> None:
    assert set(weighted(load(book), DEPLETED).values()) == {Fraction(0)}


def test_a_card_burned_from_a_depleted_shoe_with_suits_changes_nothing() -> None:
    shoe = Composition.parse("4h=5,4s=3,9d=8,9c=1,Kc=2,Ah=4,6s=1")

    assert set(weighted(load("side-bets"), shoe).values()) == {Fraction(0)}


def test_knowing_a_card_can_only_help_a_decision() -> None:
    """Where a decision hangs on the shoe the mean effect is no loss; the other Ante stays as is."""
    shoe = Composition.parse("A=3,2=2,4=3,6=3,7=3,9=4,T=3,K=2")
    effects = weighted(hard_knockout(), shoe)

    assert effects["ante_banker"] >= 0
    assert effects["tie"] == effects["player"] == 0


def test_an_effect_is_the_change_of_the_expected_value() -> None:
    book, shoe = load("rws-commission"), Composition.of_decks(8)
    less = odds(book, shoe.without(parse_cards("5h"))).bets["player"].ev
    effects = effect_of_removal(book, shoe)["player"]

    assert effects[Rank.FIVE] == less - odds(book).bets["player"].ev
    assert effects[Rank.KING] == effects[Rank.TEN]
    assert list(effects) == list(Rank)


def test_a_rank_that_is_not_there_has_no_effect() -> None:
    shoe = Composition.parse("A=8,5=8,9=8,K=8")
    effects = effect_of_removal(load("skycity-commission"), shoe)

    assert [rank.value for rank in effects["player"]] == ["A", "5", "9", "K"]


# From a half-dealt coup


def seen(book: str, coup: str) -> dict[str, Fraction]:
    """Expected values once these cards of a fresh shoe lie on the table."""
    on_table = Coup.parse(coup)
    left = Composition.of_decks(8).without(on_table.dealt)
    return {spot: price.ev for spot, price in outlook(load(book), left, on_table).items()}


@every(
    ("card", "side", "edge"),
    [
        ("9h", "player", "21.5"),
        ("8h", "player", "17.3"),
        ("7h", "player", "7.4"),
        ("6h", "player", "0.8"),
        ("Kh", "banker", "5.5"),
        ("5h", "banker", "1.1"),
    ],
)
def test_the_edge_that_an_exposed_first_card_gives(card: str, side: str, edge: str) -> None:
    assert decimal(seen("rws-commission", f"{card} /")[side] * 100, 1) == edge


@every("rank", "A23456789TJQK")
def test_every_exposed_first_card_gives_somebody_an_edge(rank: str) -> None:
    values = seen("skycity-commission", f"{rank}h /")

    assert max(values["player"], values["banker"]) > 0


@every(
    ("book", "shoe"),
    [
        ("rws-commission", Composition.parse("A=8,4=3,5=6,6=1,8=2,9=9,T=4,K=7")),
        ("rws-knockout", Composition.parse("A=8,2=8,3=7,5=6,6=4,8=2,9=5,T=4,K=7")),
        ("side-bets", Composition.parse("4h=5,4s=3,9d=8,9c=1,Kc=2,Ah=4,6s=1")),
        ("skycity-commission", Composition.of_decks(8)),
    ],
    ids=["by rank", "with an Ante", "by card", "8 decks"],
)
def test_first_cards_average_to_the_fresh_odds(book: str, shoe: Composition) -> None:
    mean: Counter[str] = Counter()
    cards = (
        {Card.parse(f"{rank.value}s"): number for rank, number in shoe.ranks.items()}
        if shoe.cards is None or shoe.decks
        else shoe.cards
    )
    for card, number in cards.items():
        if number:
            known = outlook(load(book), shoe.without([card]), Coup((card,)))
            for spot, price in known.items():
                mean[spot] += Fraction(number, shoe.total) * price.ev  # type: ignore[assignment]

    assert mean == {spot: price.ev for spot, price in odds(load(book), shoe).bets.items()}


def test_before_the_first_card_the_outlook_is_the_odds() -> None:
    shoe = Composition.parse("A=8,4=3,5=6,6=1,8=2,9=9,T=4,K=7")
    book = load("online-baccarat")

    known = {spot: price.ev for spot, price in outlook(book, shoe, Coup()).items()}
    assert known == {spot: price.ev for spot, price in odds(book, shoe).bets.items()}


def mean_net(book: Rulebook, spot: str, coups: list[Coup]) -> Fraction:
    """A bet, with the Wager that follows it, settled on every one of these coups."""
    total = Fraction(0)
    second = book.stage_of(spot)
    for coup in coups:
        told = facts(coup)
        total += book.spots[spot].table.line(told).net
        if second is not None and second.stage is not None:
            total += second.stage.multiple * second.table.line(told).net
    return total / len(coups)


@every("number", range(1, 7))
@every("book", ["rws-knockout", "side-bets", "online-cow-cow"])
def test_an_outlook_card_by_card(book: str, number: int) -> None:
    for text in ("2h 2h 3s Ks 6d 6d Kc 9c", "Kc 5s 4h 4h 9d 9d 9d", "4h 4h 4h 4h 9d Kc 2s"):
        cards = parse_cards(text)
        on_table = Coup.deal(cards[:number])
        rest = cards[len(on_table.dealt) :]
        coups = list(deal_every_order(rest, on_table))
        known = outlook(load(book), Composition.of_cards(Counter(rest)), on_table)

        for spot, price in known.items():
            assert price.ev == mean_net(load(book), spot, coups), (str(on_table), spot)
            assert price.orders == len(coups)


def test_a_pair_is_decided_by_the_third_card() -> None:
    """From there on some bet is always conclusively won or lost."""
    assert seen("rws-commission", "7h 7s / 2d")["player_pair"] == 11
    assert seen("rws-commission", "7h 8s / 2d")["player_pair"] == -1
    assert -1 < seen("rws-commission", "7h / 2d")["player_pair"] < 11


def test_a_player_nine_after_three_cards_cannot_lose() -> None:
    """Banker can only lose or push, which is not yet conclusive."""
    on_table = Coup.parse("9h Ks / 2d")
    left = Composition.of_decks(8).without(on_table.dealt)
    banker = outlook(load("skycity-commission"), left, on_table)["banker"]

    assert banker.win == 0
    assert 0 < banker.push < 1
    assert banker.push + banker.lose == 1


def test_a_finished_coup_leaves_nothing_open() -> None:
    ended = seen("rws-commission", "4h 5s / 8d Kc")

    assert ended == {"player": 1, "banker": -1, "tie": -1, "player_pair": -1, "banker_pair": -1}


@every(
    ("coup", "card"),
    [
        ("9h Ks 2d / 3d 4c", "2d"),
        ("9h Ks / 3d 4c 2h", "2h"),
        ("9h Ks / ", "Ks"),
        (" / 9h", "9h"),
        ("2h 3s / 5d Kc 4d", "4d"),
        ("2h 3s 9c 4c / 5d Kc", "4c"),
    ],
)
def test_a_half_dealt_coup_that_the_tableau_does_not_know_is_refused(coup: str, card: str) -> None:
    with pytest.raises(Refusal) as refusal:
        seen("rws-commission", coup)

    assert (refusal.value.code, refusal.value.clause) == ("coup/card-too-many", "CB4 3.12")
    assert refusal.value.params["card"] == card


def test_too_few_cards_to_finish_are_refused() -> None:
    with pytest.raises(Refusal) as refusal:
        outlook(load("rws-commission"), Composition.parse("A=4"), Coup.parse("9h /"))

    assert refusal.value.code == "odds/too-few-cards"
    assert refusal.value.params["cards"] == 5
    assert outlook(load("rws-commission"), Composition.parse("A=5"), Coup.parse("9h /"))


def test_an_outlook_needs_suits_where_a_bet_looks_at_them() -> None:
    with pytest.raises(Refusal) as refusal:
        outlook(load("side-bets"), Composition.parse("A=8,9=8"), Coup.parse("9h /"))

    assert refusal.value.code == "odds/suits-needed"


# A doctored book


def test_a_bet_that_reads_suits_makes_the_whole_book_look_at_them() -> None:
    suited = pays("11", player_suited_pair=True)
    book = with_lines(load("rws-commission"), "player_pair", suited, pays("-1"))
    found = odds(book)

    assert decimal(found.bets["player_pair"].edge * 100, 6) == "79.759036"
    assert decimal(found.bets["player"].edge * 100, 6) == "1.235081"
    with pytest.raises(Refusal):
        odds(book, Composition.of_decks(8).by_rank)


# --- what nobody should trip over


def test_a_shoe_that_can_only_tie_is_priced() -> None:
    only_ties = odds(load("online-cow-cow"), Composition.parse("T=8")).bets

    assert only_ties["player"].document()["edge_of_action"] == "0"
    assert only_ties["tie"].ev == 8


def test_an_outlook_is_refused_a_shoe_that_no_decks_hold() -> None:
    with pytest.raises(Refusal) as caught:
        outlook(load("rws-commission"), Composition.parse("A=500,9=9"), Coup.parse("9h /"))

    assert caught.value.code == "odds/too-many-cards"


def test_the_outlook_before_the_first_card_is_the_fresh_odds() -> None:
    book = load("side-bets")

    assert outlook(book, Composition.of_decks(8), Coup())["perfect_pair"].ev == (
        odds(book).bets["perfect_pair"].ev
    )


def test_removal_needs_a_card_more() -> None:
    with pytest.raises(Refusal) as caught:
        effect_of_removal(load("rws-commission"), Composition.parse("A=6"))

    assert caught.value == Refusal("odds/removal", {"least": 7, "cards": 6})
