"""Dealing cards that are out of the shoe already: as far as the tableau takes them, in order."""

from cutcard.round.events import CardDealt, DecisionsOpened
from cutcard.rules.cards import Card, parse_cards
from cutcard.rules.coup import Coup, Side
from cutcard.table.dealing import deal_drawn, dealt_on, put_in_order
from cutcard.table.events import CardsKept
from tests.table.scene import DEALER, Scene
from tests.table.test_irregularities import dealt


def test_cards_are_dealt_by_whoever_deals_them_at_that_moment() -> None:
    """Player has five and Banker six, so of the two cards only the first is taken."""
    scene, drawn = dealt("2h 6c 3s Kd"), parse_cards("9s 4d")

    assert deal_drawn(scene.table, drawn, DEALER, 99, scene.book) == [
        CardsKept(drawn, 99),
        CardDealt(Side.PLAYER, Card.parse("9s"), 99, DEALER),
    ]
    assert deal_drawn(scene.table, (), DEALER, 99, scene.book) == []


def test_what_the_tableau_does_not_take_is_left_over() -> None:
    scene = dealt("2h 6c 3s Kd")

    found = put_in_order(scene.table, parse_cards("9s 4d"), scene.book)
    assert found == (Coup.parse("2h 3s 9s / 6c Kd"), parse_cards("4d"))


def test_dealing_stops_where_an_ante_is_to_be_decided_on() -> None:
    scene = Scene("rws-knockout").fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "ante_player", 100).close()
    drawn = parse_cards("9s 4d")

    assert put_in_order(scene.table, drawn, scene.book) == (Coup.parse("9s /"), drawn[1:])
    until = 99 + scene.setup.decision_ms
    last = deal_drawn(scene.table, drawn, DEALER, 99, scene.book)[-1]
    assert last == DecisionsOpened(until, 99)


def test_kept_cards_go_on_one_by_one_and_the_rest_stays_kept() -> None:
    coup, left = dealt_on(Coup.parse("2h / 6c"), parse_cards("3s Kd 9s 4d 5c"))

    assert (coup, left) == (Coup.parse("2h 3s 9s / 6c Kd"), parse_cards("4d 5c"))
    assert dealt_on(Coup(), ()) == (Coup(), ())
