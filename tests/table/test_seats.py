"""Seats come free: left, freed by staff, or lost after rounds without a bet."""

import pytest

from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Role
from cutcard.table import fold
from cutcard.table.commands import FreeSeat
from cutcard.table.events import SeatLeft
from cutcard.table.incident import SYSTEM
from cutcard.table.seats import check_room, kept_until, overdue
from cutcard.table.view import Audience, Viewer, view
from tests.table.scene import BANKER_WINS, DEALER, Scene, denied

KEEP = 300_000
"""Five minutes."""

pytestmark = pytest.mark.clause("HOUSE seats")


def seated(book: str = "skycity-commission", **choices: object) -> Scene:
    """Ann and ben sit at a table that keeps a seat for five minutes; bets are open."""
    scene = Scene(book, seat_ms=KEEP, **choices).fund(ann=1_000_000, ben=1_000_000)
    return scene.seat("ann", 1).seat("ben", 2).shoe().open()


def freed(scene: Scene, box: int, by: str = SYSTEM) -> list[SeatLeft]:
    scene.do(FreeSeat(box, by, scene.now))
    return [event for event in scene.last if isinstance(event, SeatLeft)]


def opened_at(scene: Scene) -> int:
    assert scene.table.play_from is not None
    return scene.table.play_from


def test_a_seat_is_lost_after_five_minutes_of_play_without_a_bet() -> None:
    scene = seated()
    until = opened_at(scene) + KEEP

    assert kept_until(scene.table, 1) == until
    scene.now = until - 1
    assert overdue(scene.table, scene.now) == []
    refused = denied(scene.do, FreeSeat(1, SYSTEM, scene.now))
    assert (refused.code, refused.clause) == ("seat/kept", "HOUSE seats")
    scene.now = until
    assert overdue(scene.table, scene.now) == [1, 2]
    assert freed(scene, 1) == [SeatLeft("ann", 1, until, SYSTEM)]
    assert dict(scene.table.seats) == {2: "ben"}
    assert scene.table.stacks["ann"] == 1_000_000


def test_a_patron_who_sits_down_in_the_middle_has_the_whole_time() -> None:
    scene = Scene("skycity-commission", seat_ms=KEEP).fund(ann=1_000_000).shoe().open()
    scene.wait(200_000).seat("ann", 1)
    sat = scene.now

    assert kept_until(scene.table, 1) == sat + KEEP
    # The same when the time is counted over two rounds.
    scene.play(BANKER_WINS)
    over = scene.now
    assert kept_until(scene.table, 1) is None
    scene.wait(1_000_000).open()
    assert kept_until(scene.table, 1) == opened_at(scene) + KEEP - (over - sat)


def test_a_bet_keeps_the_seat_and_the_time_begins_anew_after_it() -> None:
    scene = seated().wait(KEEP - 1_000).bet("ann", 1, "banker", 1_000).wait(10_000)

    assert overdue(scene.table, scene.now) == [2]
    for by in (SYSTEM, DEALER):
        refused = denied(scene.do, FreeSeat(1, by, scene.now))
        assert (refused.code, refused.params["box"]) == ("seat/playing", 1)
    scene.play(BANKER_WINS).wait(60_000).open()
    assert kept_until(scene.table, 1) == opened_at(scene) + KEEP


def test_the_time_begins_anew_when_the_last_bet_is_taken_back() -> None:
    """Ann bets at 4:50 and takes both bets back at 5:20 and 5:30."""
    scene = seated().wait(290_000).bet("ann", 1, "banker", 1_000).bet("ann", 1, "tie", 500)
    scene.wait(30_000).take_back("ann", 1, "banker")
    assert kept_until(scene.table, 1) is None
    scene.wait(10_000).take_back("ann", 1, "tie")

    assert kept_until(scene.table, 1) == scene.now + KEEP
    assert denied(scene.do, FreeSeat(1, SYSTEM, scene.now + KEEP - 1)).code == "seat/kept"
    assert freed(scene.wait(KEEP), 1) == [SeatLeft("ann", 1, scene.now, SYSTEM)]


def test_before_the_first_edition_a_bet_taken_back_was_none() -> None:
    scene = seated(edition=None)
    until = kept_until(scene.table, 1)
    scene.wait(1_000).bet("ann", 1, "banker", 1_000).take_back("ann", 1, "banker")

    assert kept_until(scene.table, 1) == until


def test_no_time_counts_between_rounds() -> None:
    """The dealer's break takes an hour; ann has let one second of play go by."""
    scene = seated().wait(1_000)
    began = opened_at(scene)
    scene.play(BANKER_WINS)
    played = scene.now - began
    scene.wait(3_600_000)

    assert overdue(scene.table, scene.now) == []
    assert denied(scene.do, FreeSeat(1, SYSTEM, scene.now)).code == "seat/kept"
    scene.open()
    assert kept_until(scene.table, 1) == opened_at(scene) + KEEP - played


def test_no_time_counts_while_something_is_put_right() -> None:
    scene = seated()
    began = opened_at(scene)
    scene.close().report("foreign card")
    played = scene.now - began
    scene.wait(3_600_000)

    assert (scene.table.play_from, overdue(scene.table, scene.now)) == (None, [])
    assert dict(scene.table.idle) == {1: played, 2: played}


def test_a_table_that_keeps_seats_for_ever_frees_none() -> None:
    scene = Scene("skycity-commission").fund(ann=1_000_000).seat("ann", 1).shoe().open()
    scene.wait(10**10)

    assert (kept_until(scene.table, 1), overdue(scene.table, scene.now)) == (None, [])
    assert denied(scene.do, FreeSeat(1, SYSTEM, scene.now)).code == "seat/kept"


def test_staff_free_a_seat_at_any_time_and_are_named() -> None:
    scene = seated()

    assert freed(scene, 2, DEALER) == [SeatLeft("ben", 2, scene.now, DEALER)]
    empty = denied(scene.do, FreeSeat(2, DEALER, scene.now))
    assert empty == Refusal("seat/empty", {"box": 2})
    by_ann = denied(scene.do, FreeSeat(1, "ann", scene.now))
    assert by_ann == Refusal("staff/not-signed-on", {"role": "dealer"}, "HOUSE roles")
    scene.close().report("foreign card")
    assert freed(scene, 1, DEALER) == [SeatLeft("ann", 1, scene.now, DEALER)]


def test_who_acts_as_a_dealer_frees_a_seat_for_as_long() -> None:
    scene = seated().staff("mia", Role.PIT_MANAGER)
    until = scene.now + 100
    scene.acting(DEALER, Role.PIT_SUPERVISOR, until=until, by="mia")

    assert freed(scene, 1, DEALER) == [SeatLeft("ann", 1, scene.now, DEALER)]
    playing = denied(scene.bet("ben", 2, "banker", 1_000).do, FreeSeat(2, DEALER, scene.now))
    assert playing == Refusal("seat/playing", {"box": 2}, "HOUSE seats")


def test_the_seat_that_came_free_is_taken_by_the_next_patron() -> None:
    scene = seated().wait(KEEP)
    freed(scene, 1)
    scene.fund(cho=1_000).seat("cho", 1)

    assert kept_until(scene.table, 1) == scene.now + KEEP
    scene.seat("ann", 3)
    assert dict(scene.table.seats) == {2: "ben", 1: "cho", 3: "ann"}


def test_time_is_the_same_after_a_restart() -> None:
    scene = seated().wait(1_000).bet("ann", 1, "banker", 1_000).play(BANKER_WINS)
    scene.wait(50).open().wait(70)

    assert fold(scene.log) == scene.table
    assert kept_until(fold(scene.log), 2) == kept_until(scene.table, 2)


def test_a_patron_sees_until_when_the_seat_is_kept() -> None:
    scene = seated()
    seen = view(scene.table, Viewer(Audience.PATRON, "ann"), scene.book)
    stranger = view(scene.table, Viewer(Audience.PATRON, "cho"), scene.book)

    assert (seen.own_box, seen.own_seat_until) == (1, opened_at(scene) + KEEP)
    assert (stranger.own_box, stranger.own_seat_until) == (None, None)


def test_a_full_table_refuses_money_that_could_not_be_bet() -> None:
    """SkyCity's patrons bet from seats only: with every seat taken there is no room for zed."""
    scene = Scene("skycity-commission", boxes=2).fund(ann=1_000, ben=1_000, cho=1_000)
    scene.seat("ann", 1)
    check_room(scene.table, "zed", scene.book)
    scene.seat("ben", 2)

    with pytest.raises(Refusal) as refused:
        check_room(scene.table, "zed", scene.book)
    assert refused.value == Refusal("seat/full", {"boxes": 2}, "HOUSE seats")
    # Ann has a seat and no money any more, cho a unit and no seat.
    scene.cash_out("ann", 1_000).cash_out("cho", 999)
    for there in ("ann", "cho"):
        check_room(scene.table, there, scene.book)


def test_a_full_table_has_room_where_patrons_bet_without_a_seat() -> None:
    behind = Scene("rws-commission", layout="mini-7", boxes=7)
    for box in range(1, 8):
        behind.seat(f"patron-{box}", box)
    shared = Scene("skycity-commission", boxes=1, open_boxes=True).seat("ann", 1)
    nobody = Scene("online-baccarat")

    for scene in (behind, shared, nobody):
        check_room(scene.table, "zed", scene.book)


def test_how_long_a_seat_is_kept_is_at_least_a_millisecond() -> None:
    with pytest.raises(Refusal) as refused:
        Scene("skycity-commission", seat_ms=0)

    assert (refused.value.code, refused.value.params["name"]) == ("table/setup", "seat_ms")


def test_a_supervisor_frees_a_seat_too() -> None:
    scene = seated().staff("max", Role.PIT_MANAGER)

    assert freed(scene, 1, "max") == [SeatLeft("ann", 1, scene.now, "max")]
