"""Editions of the house's own rules: a table keeps those of its set-up, and a log from before none.

Each rule is tried with its edition, and at a table that was opened before it.
"""

from dataclasses import replace
from itertools import permutations

import pytest

from cutcard.refusals import Refusal
from cutcard.round.terms import Entry
from cutcard.rulebooks import load
from cutcard.rules.coup import Side
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.table import setup
from cutcard.table.commands import ChangeLimits, OpenTable
from cutcard.table.events import TerminalAdded
from cutcard.table.setup import EDITION
from cutcard.table.squeezing import squeezes_to_answer
from tests.cases import every
from tests.table.scene import APPROVAL, BANKER_WINS, HELPLINE, SUPERVISOR, TABLE, Scene, denied
from tests.table.test_view import STAFF

ETG = "rws-non-commission-etg"
STANDS, DRAWS = "6h 5c Kc Kd", "6h Ks 2c Kd"
"""Four cards after which Player stands on 6 and Banker draws to 5, and with 8 nobody draws."""


def closed(edition: int | None = EDITION) -> Scene:
    """Ann in box 1 has the highest bet; bets are closed, and no card has left the shoe."""
    scene = Scene(face_down=True, edition=edition).fund(ann=10_000).seat("ann", 1)
    return scene.shoe().open().bet("ann", 1, "banker", 5_000).close()


def test_a_new_table_keeps_the_latest_edition() -> None:
    assert (Scene().setup.edition, EDITION) == (2, 2)
    assert [Scene(edition=one).setup.keeps(1) for one in (None, 1)] == [False, True]


@every("edition", [0, -5, EDITION + 1])
def test_no_table_keeps_an_edition_that_nobody_knows(edition: int) -> None:
    with pytest.raises(Refusal) as refused:
        Scene(edition=edition)

    assert (refused.value.code, refused.value.params["name"]) == ("table/setup", "edition")


@pytest.mark.clause("CB4 3.9")
def test_no_squeeze_is_asked_for_a_side_that_stands() -> None:
    scene = closed().deal(STANDS)

    refused = denied(scene.ask, "ann", Side.PLAYER)
    assert (refused.code, refused.clause) == ("squeeze/too-late", "CB4 3.9")
    scene.ask("ann", Side.BANKER)
    assert squeezes_to_answer(scene.table) == {"ann": Side.BANKER}

    before = closed(edition=None).deal(STANDS).ask("ann", Side.PLAYER)
    assert before.table.squeeze_asked == (("ann", Side.PLAYER),)


@pytest.mark.clause("CB4 3.9")
def test_a_request_lapses_once_its_card_cannot_come() -> None:
    """Ann asks before the first card, nobody answers, and Player stands on its first two."""
    scene = closed().ask("ann", Side.PLAYER)
    scene.deal("6h 5c Kc")
    assert scene.seen_by(STAFF).squeeze_asked == {"ann": Side.PLAYER}
    scene.deal("Kd")

    assert squeezes_to_answer(scene.table) == {} == scene.seen_by(STAFF).squeeze_asked
    assert denied(scene.answer, "ann").code == "squeeze/too-late"
    scene.answer("ann", granted=False)
    assert scene.table.squeeze == {}

    before = closed(edition=None).ask("ann", Side.PLAYER).deal(STANDS)
    assert before.answer("ann").table.squeeze == {Side.PLAYER: "ann"}


def dealt(edition: int | None = EDITION) -> Scene:
    """One round of four cards out of a shuffler of four decks; one card is burned."""
    scene = Scene(continuous=True, decks=4, edition=edition).shoe()
    return scene.open().play(BANKER_WINS)


@pytest.mark.clause("HOUSE shuffler")
def test_a_continuous_shuffler_is_counted_with_every_card_back_in_it() -> None:
    assert dealt().end_shoe(left=208).table.incident is None
    assert dealt().end_shoe(left=207).table.incident is not None

    assert dealt(edition=None).end_shoe(left=208 - 1 - 4).table.incident is None


@pytest.mark.clause("HOUSE open table")
def test_no_chips_are_taken_off_a_table_where_none_lie() -> None:
    scene = Scene(ETG).fund(ann=1_000).shoe().open().bet("ann", 0, "banker", 200).close()

    refused = denied(scene.removed, "ann", 0, "banker")
    assert (refused.code, refused.clause) == ("bet/no-chips", "HOUSE open table")

    before = Scene(ETG, edition=None).fund(ann=1_000).shoe().open()
    before.bet("ann", 0, "banker", 200).close().removed("ann", 0, "banker")
    assert before.table.round.removed == {(0, "ann", "banker")}


@pytest.mark.clause("CB4 3.9")
def test_both_sides_are_asked_for_and_answered_one_after_the_other() -> None:
    scene = closed().ask("ann", Side.PLAYER).ask("ann", Side.BANKER)
    assert scene.seen_by(STAFF).squeeze_asked == {"ann": Side.PLAYER}
    scene.answer("ann")
    assert scene.seen_by(STAFF).squeeze_asked == {"ann": Side.BANKER}
    scene.answer("ann")

    assert scene.table.squeeze == {Side.PLAYER: "ann", Side.BANKER: "ann"}
    assert denied(scene.answer, "ann").code == "squeeze/not-asked"

    before = closed(edition=None).ask("ann", Side.PLAYER).ask("ann", Side.BANKER)
    assert before.answer("ann").table.squeeze == {Side.BANKER: "ann"}


@pytest.mark.clause("CB4 3.9")
def test_who_asks_again_has_one_request() -> None:
    scene = closed().ask("ann", Side.PLAYER).ask("ann", Side.PLAYER)

    assert scene.table.squeeze_asked == (("ann", Side.PLAYER),)


@pytest.mark.clause("CB4 3.9")
def test_of_two_requests_the_one_whose_card_may_come_is_answered() -> None:
    """Player stands, so the request for its card has lapsed."""
    scene = closed().ask("ann", Side.PLAYER).ask("ann", Side.BANKER).deal(STANDS)

    assert scene.answer("ann").table.squeeze == {Side.BANKER: "ann"}


@pytest.mark.clause("HOUSE open table")
def test_no_limit_is_per_box_where_there_are_no_boxes() -> None:
    limits = (Limit(Kind.MAXIMUM, Scope.BOX, ("player",), 50_000, "HOUSE limits"),)
    with pytest.raises(Refusal) as refused:
        Scene("online-baccarat", limits=limits)
    assert (refused.value.code, refused.value.clause) == ("limit/no-boxes", "HOUSE open table")

    scene = Scene("online-baccarat")
    change = ChangeLimits(limits, SUPERVISOR, scene.at())
    assert denied(scene.do, change).code == "limit/no-boxes"
    assert Scene("skycity-commission", limits=limits).table.limits == limits
    assert Scene("online-baccarat", limits=limits, edition=None).table.limits == limits


SIDES = ("player", "banker")
BEYOND = tuple(
    Limit(Kind.DIFFERENTIAL, scope, SIDES, most, "CB4 5.1")
    for scope, most in ((Scope.TABLE, 2_000), (Scope.BOX, 1_000))
)


def rejected(edition: int, order: tuple[int, ...]) -> tuple[int, ...]:
    """What is left of four bets, where the boxes were first bet on in some order, by small ties."""
    scene = Scene(limits=BEYOND, entry=Entry.WARN, edition=edition)
    scene.fund(**dict.fromkeys("abcd", 10_000)).shoe().open()
    for box, name in enumerate("abcd", start=1):
        scene.seat(name, box)
    for box in order:
        scene.bet("abcd"[box - 1], box, "tie", 10)
    scene.bet("a", 1, "banker", 1_020).bet("b", 2, "banker", 1_020)
    scene.bet("c", 3, "player", 1_100).bet("d", 4, "banker", 1_200).reject(None)
    return tuple(scene.bets[one] for one in zip("abcd", SPOTS, strict=True))


SPOTS = ("banker", "banker", "player", "banker")


@pytest.mark.clause("CB4 5.1")
def test_what_rejected_excess_leaves_does_not_depend_on_which_box_was_bet_on_first() -> None:
    """Each box has too much by itself, and the table would have too much without that."""
    orders = list(permutations((1, 2, 3, 4)))

    assert {rejected(EDITION, order) for order in orders} == {(1_000, 1_000, 1_000, 1_000)}
    assert {rejected(1, order)[3] for order in orders} == {960, 980, 1_000}


def became(book: str, edition: int | None = EDITION) -> Scene:
    """Eve has taken her credit, ann and bob have some left; the table reopens by another book."""
    first = "skycity-commission" if book == ETG else ETG
    scene = Scene(first, edition=edition)
    if first == ETG:
        scene.add("t-one").fund(**{"t-one": 500})
    scene.fund(bob=500, ann=700, eve=900).cash_out("eve", 900)
    scene.shoe().announce(1).open().play(BANKER_WINS).close_table()
    scene.book = replace(load(book), effective_from=None)
    arranged = setup(
        scene.book, TABLE, limits=(), helpline=HELPLINE, approval=APPROVAL, edition=edition
    )
    scene.setup = arranged
    return scene.do(OpenTable(arranged, SUPERVISOR, scene.at()))


@pytest.mark.clause("HOUSE terminals")
def test_credit_gets_terminals_where_a_table_becomes_electronic() -> None:
    scene = became(ETG)

    added = [event for event in scene.last if isinstance(event, TerminalAdded)]
    assert [(one.terminal, one.number, one.by) for one in added] == [
        ("ann", 1, "ann"),
        ("bob", 2, "bob"),
    ]
    ann = scene.table.terminals.get("ann")
    assert ann is not None
    assert (ann.own, ann.paid_in, ann.credit) == (True, 700, 700)
    scene.lock("ann")
    assert denied(scene.open().bet, "ann", 0, "banker", 100).code == "terminal/locked"

    assert not became(ETG, edition=None).table.terminals.by_name


@pytest.mark.clause("HOUSE terminals")
def test_a_device_neither_sits_nor_bets_where_a_table_is_electronic_no_more() -> None:
    scene = became("skycity-commission")

    refused = denied(scene.seat, "t-one", 1)
    assert (refused.code, refused.clause) == ("terminal/none-here", "ETG4 1 Player Terminal")
    scene.seat("ann", 1).open().bet("ann", 1, "banker", 100)
    assert denied(scene.bet, "t-one", 1, "banker", 100).code == "terminal/none-here"
    assert scene.table.stacks["t-one"] == 500

    assert became("skycity-commission", edition=None).seat("t-one", 1).table.seats == {1: "t-one"}
