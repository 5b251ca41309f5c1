"""Rulebooks: what all eight of them hold, and the questions that a book answers."""

import pytest

from cutcard.refusals import Refusal
from cutcard.rulebooks import ids, load, rulebooks
from cutcard.rules.rulebook import Cut, Decks, Interruption, Needs, Stage
from tests.cases import every

CITES = {
    "online-baccarat": ["ONL B1", "ONL B13", "ONL B19", "ONL B14", "ONL B7"],
    "online-cow-cow": ["ONL B1", "ONL B13", "ONL B19", "ONL B14", "ONL CC1"],
    "online-no-commission": ["ONL B1", "ONL B13", "ONL B19", "ONL B14", "ONL NC2"],
    "rws-commission": ["CB4 3.10", "CB4 3.2.1", "CB4 3.12", "CB4 3.13", "CB4 3.7"],
    "rws-knockout": ["KO2 3.5", "KO2 3.8", "KO2 3.7", "KO2 3.8", "KO2 3.3"],
    "rws-non-commission-etg": ["ETG4 3.4", "ETG4 3.7", "ETG4 3.6", "ETG4 3.7", "ETG4 3.3"],
    "skycity-commission": ["HOUSE deal", "SKY values", "SKY deal", "SKY values", "SKY bets"],
    "skycity-non-commission": ["HOUSE deal", "SKY values", "SKY deal", "SKY values", "SKY bets"],
}
"""Where each book orders the deal, the card values, the tableau, the winner and the bets."""

MAIN = ("player", "banker", "tie")
PAIRS = ("player_pair", "banker_pair")
ONLINE = (*MAIN, *PAIRS, "lucky_six", "player_natural", "banker_natural")
TOTALS = tuple(f"winning_total_{points}" for points in ("1_4", "5_6", "7", "8", "9"))

SPOTS = {
    "online-baccarat": ONLINE,
    "online-cow-cow": MAIN,
    "online-no-commission": ONLINE,
    "rws-commission": (*MAIN, *PAIRS),
    "rws-knockout": (
        *MAIN,
        *PAIRS,
        *TOTALS,
        "ante_player",
        "ante_banker",
        "wager_player",
        "wager_banker",
    ),
    "rws-non-commission-etg": (*MAIN, *PAIRS),
    "skycity-commission": MAIN,
    "skycity-non-commission": MAIN,
}


def test_there_are_eight_rule_sets() -> None:
    assert ids() == tuple(sorted(SPOTS))
    assert tuple(book.id for book in rulebooks()) == ids()
    assert len({book.hash for book in rulebooks()}) == 8


@every("book", ids())
def test_where_the_book_says_how_the_game_goes(book: str) -> None:
    topics = ("deal", "values", "tableau", "winner", "bets")

    assert load(book).cites == dict(zip(topics, CITES[book], strict=True))


@every("book", ids())
def test_the_bets_that_the_book_offers(book: str) -> None:
    offered = load(book).spots

    assert tuple(offered) == SPOTS[book]
    assert all(spot.id == id and load(book).spot(id) is spot for id, spot in offered.items())


@every("book", ids())
def test_the_decks_and_the_cut_of_the_book(book: str) -> None:
    decks, cut = load(book).decks, load(book).cut
    online = book.startswith("online")

    assert (decks.least, decks.most, decks.usual) == ((8, 8, 8) if online else (4, 8, 8))
    assert (cut.least, cut.most) == (14, 52)


@every("book", ids())
def test_no_rule_is_without_its_clause(book: str) -> None:
    """A document's name and a number, on every line, limit, layout, remedy and text."""
    rules = load(book)
    clauses = [
        *(line.clause for spot in rules.spots.values() for line in spot.table.lines),
        *(spot.needs.clause for spot in rules.spots.values() if spot.needs),
        *(spot.stage.clause for spot in rules.spots.values() if spot.stage),
        *(spot.stage.declined_clause for spot in rules.spots.values() if spot.stage),
        *(limit.clause for limit in rules.limits),
        *(layout.clause for layout in rules.layouts),
        *(text.clause for text in (*rules.texts, *rules.announcements.values())),
        *(one.clause for one in rules.irregularities.values()),
        *(rules.decks.clause, rules.cut.clause, rules.burn_clause),
        *(rules.concludes_clause, rules.voids_clause),
        *rules.cites.values(),
    ]

    assert {clause.split(" ")[0] for clause in clauses} <= {rules.document, "HOUSE", "CB4"}
    assert all(clause.split(" ")[1] for clause in clauses)


@every("book", ids())
def test_what_an_interruption_does(book: str) -> None:
    online = book.startswith("online")
    rules = load(book)

    assert rules.interruption is (Interruption.FIRST_CARD if online else Interruption.ESTABLISHED)
    both = rules.concludes_clause, rules.voids_clause
    assert both == (("ONL E1", "ONL E2") if online else ("CB4 5.4.1", "CB4 5.4.2"))


def test_only_knockout_ties_bets_to_each_other() -> None:
    tied = {
        (book.id, spot.id) for book in rulebooks() for spot in book.spots.values() if spot.needs
    }
    staged = {
        (book.id, spot.id) for book in rulebooks() for spot in book.spots.values() if spot.stage
    }
    spots = load("rws-knockout").spots

    assert tied == {("rws-knockout", total) for total in TOTALS}
    assert staged == {("rws-knockout", "wager_player"), ("rws-knockout", "wager_banker")}
    assert {spots[total].needs for total in TOTALS} == {
        Needs(("player", "banker"), "KO2 1 Winning Total")
    }
    for side in ("player", "banker"):
        assert spots[f"wager_{side}"].stage == Stage(
            follows=f"ante_{side}",
            after_card=1,
            multiple=2,
            clause="KO2 3.4.2",
            declined_clause="KO2 3.4.1",
            funds_together=True,
        )


def test_a_first_bet_knows_its_second_stage() -> None:
    book = load("rws-knockout")

    assert book.stage_of("ante_player") is book.spots["wager_player"]
    assert book.stage_of("ante_banker") is book.spots["wager_banker"]
    assert book.stage_of("wager_player") is None
    assert book.stage_of("player") is None
    assert load("rws-commission").stage_of("player") is None


def test_a_bet_that_is_not_offered_is_answered_with_those_that_are() -> None:
    with pytest.raises(Refusal) as caught:
        load("rws-commission").spot("lucky_six")

    assert caught.value == Refusal(
        "bet/not-offered",
        {
            "spot": "lucky_six",
            "book": "RWS Commission Baccarat",
            "offered": ("player", "banker", "tie", "player_pair", "banker_pair"),
        },
        "CB4 3.7",
    )


@every("decks", [4, 5, 6, 7, 8])
def test_four_to_eight_decks_are_allowed(decks: int) -> None:
    load("rws-commission").check_decks(decks)


@every(
    ("book", "decks", "allowed", "clause"),
    [
        ("rws-commission", 3, "4–8", "CB4 2.2.1"),
        ("rws-commission", 9, "4–8", "CB4 2.2.1"),
        ("online-baccarat", 7, "8", "ONL B2"),
        ("online-baccarat", 9, "8", "ONL B2"),
        ("skycity-commission", 3, "4–8", "HOUSE decks"),
    ],
)
def test_other_numbers_of_decks_are_refused(
    book: str, decks: int, allowed: str, clause: str
) -> None:
    with pytest.raises(Refusal) as caught:
        load(book).check_decks(decks)

    assert caught.value == Refusal("shoe/decks", {"decks": decks, "allowed": allowed}, clause)


def test_decks_are_written_as_a_span_or_as_one_figure() -> None:
    assert Decks(4, 8, 8, "").allowed == "4–8"
    assert Decks(8, 8, 8, "").allowed == "8"
    assert load("rws-commission").cut == Cut(14, 52, "HOUSE cut")


def test_the_cut_card_is_drawn_evenly_between_both_ends() -> None:
    class Every:
        """Dice that fall on each side in turn."""

        def __init__(self) -> None:
            self.number = -1

        def below(self, bound: int) -> int:
            self.number = (self.number + 1) % bound
            return self.number

    dice = Every()

    assert [Cut(14, 16, "").drawn(dice) for _ in range(4)] == [14, 15, 16, 14]


def test_the_books_content_is_pinned_by_a_hash_of_sixty_four_digits() -> None:
    for book in rulebooks():
        assert len(book.hash) == 64
        assert set(book.hash) <= set("0123456789abcdef")
