"""The state of a table: what each event changes, and that the log alone gives it back."""

from collections import Counter
from dataclasses import FrozenInstanceError, replace

import pytest

from cutcard.ledger import transfer_id
from cutcard.roads import Result
from cutcard.round import Entry, Phase
from cutcard.round.events import CoupCorrected
from cutcard.rules.cards import Card, parse_cards
from cutcard.rules.coup import Coup, Side
from cutcard.rules.rulebook import Role
from cutcard.rules.shoe import composition, full_shoe
from cutcard.table import Table, evolve, fold
from cutcard.table.events import ShoeRegistered, SignedOn, StackFilled, TableClosed, TableOpened
from cutcard.table.incident import Step
from cutcard.table.state import HOLDS, Shoe
from tests.cases import every
from tests.table.scene import (
    BANKER_WINS,
    DEALER,
    PLAYER_WINS,
    SUPERVISOR,
    TABLE,
    TIE,
    Scene,
    check_replay,
    denied,
)


def ready(book: str = "rws-commission", **choices: object) -> Scene:
    scene = Scene(book, **choices).fund(ann=1_000, bob=1_000)
    return scene.seat("ann", 1).seat("bob", 2).shoe()


def test_a_new_table_is_closed_and_empty() -> None:
    table = Table()

    assert (table.setup, table.open, table.seq, table.shoe) == (None, False, 0, None)
    assert table.round.phase is Phase.IDLE
    assert fold([]) == table


def test_a_table_is_never_changed_only_followed_by_another() -> None:
    table = Table()

    after = evolve(table, SignedOn("dan", Role.DEALER, 1))

    assert table.staff == {}
    assert list(after.staff) == ["dan"]
    with pytest.raises(FrozenInstanceError):
        table.open = True  # type: ignore[misc]


def test_every_event_counts_whatever_it_is() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).play(TIE)

    assert scene.table.seq == len(scene.log)
    assert [fold(scene.log[:number]).seq for number in range(5)] == [0, 1, 2, 3, 4]


def test_the_log_alone_gives_the_table_back_from_any_point() -> None:
    scene = ready("rws-knockout", face_down=True).open()
    scene.bet("ann", 1, "ante_player", 100).bet("ann", 1, "player", 50).close().deal("9s")
    scene.choose("ann", 1, "ante_player").finish("9s Ks / Kd 8c").open().void()

    check_replay(scene.table, scene.log)
    for point in range(len(scene.log)):
        assert fold(scene.log[point:], fold(scene.log[:point])) == scene.table


# --- stacks ---------------------------------------------------------------------------------------


def test_money_comes_to_a_patron_whom_the_table_does_not_know_yet() -> None:
    table = evolve(evolve(Table(), StackFilled("zed", 70, 1)), StackFilled("zed", 5, 2))

    assert table.stacks == {"zed": 75}


@every(
    ("spot", "coup", "stack"),
    [
        ("banker", BANKER_WINS, 1_095),
        ("banker", PLAYER_WINS, 900),
        ("banker", TIE, 1_000),
        ("player", PLAYER_WINS, 1_100),
        ("tie", TIE, 1_800),
    ],
)
def test_a_settlement_returns_stake_and_win_to_the_stack(spot: str, coup: str, stack: int) -> None:
    assert ready().open().bet("ann", 1, spot, 100).play(coup).stack("ann") == stack


def test_a_void_returns_every_stake_and_reserve() -> None:
    scene = Scene("online-cow-cow").fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "player", 100).bet("ann", 1, "tie", 50).close().deal("Kh Kd")
    assert scene.stack("ann") == 50

    assert scene.void().stack("ann") == 1_000


def test_an_increase_takes_the_difference_only() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).bet("ann", 1, "player", 300)

    assert scene.stack("ann") == 600


def test_a_rejected_excess_comes_back_at_once() -> None:
    scene = ready(entry=Entry.WARN, limits=Scene().book.limits)
    scene.fund(ann=2_000_000).open().bet("ann", 1, "banker", 1_500_000)
    assert scene.stack("ann") == 501_000

    scene.reject(1)

    assert scene.stack("ann") == 1_001_000
    assert scene.bets == {("ann", "banker"): 1_000_000}


def test_chips_taken_off_after_the_close_win_as_if_there() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).close().removed("ann", 1, "player")
    assert scene.stack("ann") == 1_000

    scene.finish(PLAYER_WINS)

    assert (scene.stack("ann"), scene.owes("ann")) == (1_100, 0)


def test_chips_taken_off_after_the_close_are_owed_when_they_lose() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).close().removed("ann", 1, "player")

    scene.finish(BANKER_WINS)
    assert (scene.stack("ann"), scene.owes("ann")) == (1_000, 100)

    scene.open().bet("ann", 1, "tie", 30).close().removed("ann", 1, "tie").finish(BANKER_WINS)
    assert scene.owes("ann") == 130


def test_chips_taken_off_a_push_are_neither_won_nor_owed() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).close().removed("ann", 1, "player")

    scene.finish(TIE)

    assert (scene.stack("ann"), scene.owes("ann")) == (1_000, 0)


def test_chips_taken_off_do_not_come_back_twice_when_the_round_is_void() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).bet("ann", 1, "tie", 10).close()

    scene.removed("ann", 1, "player").void()

    assert scene.stack("ann") == 1_000


def test_cow_cow_loses_what_was_reserved_for_it() -> None:
    """Banker wins with eight: the Player stake loses eight times, beyond what lies there."""
    scene = Scene("online-cow-cow").fund(ann=900).seat("ann", 1).shoe().open()

    scene.bet("ann", 1, "player", 100).play(BANKER_WINS)

    assert scene.stack("ann") == 900 + scene.settled["ann", "player"].net
    assert scene.settled["ann", "player"].net == -800
    assert scene.held("ann") == 0


# --- pending transfers ----------------------------------------------------------------------------


def test_a_bet_knows_the_event_that_holds_its_stake_and_its_reserve() -> None:
    scene = Scene("online-cow-cow").fund(ann=9_000).seat("ann", 1).shoe().open()
    key = (0, "ann", "player")
    scene.bet("ann", 1, "player", 100)
    first = len(scene.log) - 1
    assert scene.table.pending(key, 0) == transfer_id(TABLE, first, HOLDS)
    assert scene.table.pending(key, 1) == transfer_id(TABLE, first, HOLDS + 1)

    scene.bet("ann", 1, "tie", 10).take_back("ann", 1, "player", 40)

    assert scene.table.held == {"ann": {key: first + 2, (0, "ann", "tie"): first + 1}}


def test_a_new_round_holds_nothing() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).play(TIE).open()

    assert scene.table.held == {}


# --- seats and shoes ------------------------------------------------------------------------------


def test_a_box_knows_its_holder_and_a_patron_the_box() -> None:
    scene = ready()

    assert scene.table.seats == {1: "ann", 2: "bob"}
    assert scene.table.box_of("bob") == 2
    assert scene.table.box_of("zed") is None


def test_a_shoe_counts_what_was_seen_and_what_was_burned() -> None:
    scene = Scene().shoe(exposed="7c").open().play(BANKER_WINS)

    shoe = scene.table.shoe
    assert shoe is not None
    assert (shoe.burned, shoe.seen.total(), shoe.left) == (7, 5, 416 - 7 - 5)
    assert shoe.seen[Card.parse("7c")] == 1
    assert scene.cards == 416 - shoe.left


def test_a_shoe_is_ready_when_nothing_is_left_to_burn() -> None:
    manifest = composition(full_shoe(8))

    assert [Shoe("s", manifest, to_burn=left).ready for left in (None, 2, 1, 0)] == [
        False,
        False,
        False,
        True,
    ]


def test_a_void_round_takes_its_cards_out_of_the_shoe_too() -> None:
    scene = ready().open().close().deal("Kh Kd").void()

    assert scene.table.shoe is not None
    assert scene.table.shoe.left == 416 - 2 - 2


def test_rounds_shoes_and_roads_begin_again_with_a_new_shoe() -> None:
    scene = ready().open().play(BANKER_WINS).open().play(TIE)
    assert (scene.table.rounds, scene.table.shoes, len(scene.table.results)) == (2, 1, 2)

    scene.end_shoe()
    assert (scene.table.rounds, scene.table.shoe) == (2, None)
    assert len(scene.table.results) == 2
    scene.shoe("shoe 2").open()

    assert (scene.table.rounds, scene.table.shoes, len(scene.table.results)) == (1, 2, 0)
    assert scene.table.shoe is not None
    assert not scene.table.shoe.cut_card


def test_results_are_those_of_settled_rounds_in_their_order() -> None:
    scene = ready().open().play(BANKER_WINS).open().void().open().play(PLAYER_WINS)

    assert scene.table.results == tuple(
        Result.of(Coup.parse(coup)) for coup in (BANKER_WINS, PLAYER_WINS)
    )
    assert scene.table.rounds == 3


# --- cards face down ------------------------------------------------------------------------------


def test_cards_dealt_face_up_are_open_at_once() -> None:
    scene = ready().open().close()

    assert [scene.deal(card).table.face_up for card in ("Kh", "Kd", "9s")] == [
        {0},
        {0, 1},
        {0, 1, 2},
    ]


def test_cards_dealt_face_down_open_with_the_result() -> None:
    scene = ready(face_down=True).open().close().deal("Kh Kd 9s 8c")
    assert scene.table.face_up == set()

    assert scene.call().table.face_up == {0, 1, 2, 3}
    assert scene.settle().open().table.face_up == set()


def test_cards_turned_over_stay_so_and_later_ones_lie_face_down_again() -> None:
    scene = ready(face_down=True).open().close().deal("Kh Kd 2s 3c").turn_over().deal("5s")

    assert scene.table.face_up == {0, 1, 2, 3}


def test_a_void_turns_over_what_was_dealt() -> None:
    assert ready(face_down=True).open().close().deal("Kh Kd").void().table.face_up == {0, 1}


def test_a_squeeze_is_asked_granted_and_over_with_its_round() -> None:
    scene = ready(face_down=True).open().bet("ann", 1, "player", 100).close()
    scene.ask("ann", Side.PLAYER)
    assert (scene.table.squeeze_asked, scene.table.squeeze) == ((("ann", Side.PLAYER),), {})

    scene.answer("ann")
    assert (scene.table.squeeze_asked, scene.table.squeeze) == ((), {Side.PLAYER: "ann"})
    assert scene.table.squeeze_from == {Side.PLAYER: 0}

    scene.finish(PLAYER_WINS).open()
    assert (scene.table.squeeze_asked, scene.table.squeeze) == ((), {})
    assert scene.table.squeeze_from == {}


def test_a_squeeze_counts_from_the_cards_that_the_side_has() -> None:
    scene = ready(face_down=True).open().bet("ann", 1, "player", 100).close().deal("2h 3d Kh")

    scene.ask("ann", Side.PLAYER).answer("ann").ask("ann", Side.BANKER).answer("ann")
    assert scene.table.squeeze_from == {Side.PLAYER: 2, Side.BANKER: 1}


def test_a_squeeze_refused_is_forgotten() -> None:
    scene = ready(face_down=True).open().bet("ann", 1, "player", 100).close()

    scene.ask("ann", Side.PLAYER).answer("ann", granted=False)

    assert (scene.table.squeeze_asked, scene.table.squeeze) == ((), {})


def test_one_patron_may_squeeze_both_sides() -> None:
    scene = ready(face_down=True).open().bet("ann", 1, "player", 100).close()

    scene.ask("ann", Side.PLAYER).answer("ann").ask("ann", Side.BANKER).answer("ann")

    assert scene.table.squeeze == {Side.PLAYER: "ann", Side.BANKER: "ann"}


# --- what outlives a round ------------------------------------------------------------------------


def test_who_always_continues_said_so_for_every_round() -> None:
    scene = ready("rws-knockout").always("ann").open().play(TIE).open()
    assert scene.table.round.always == {"ann"}

    assert scene.always("ann", False).table.round.always == frozenset()


def test_staff_sign_on_again_without_what_they_acted_in() -> None:
    scene = Scene().acting(DEALER, Role.PIT_SUPERVISOR, until=1_000).staff(DEALER, Role.DEALER)

    assert scene.table.staff[DEALER].acting is None


def test_a_round_command_that_is_refused_leaves_no_trace() -> None:
    scene = ready().open()
    before = scene.table

    assert denied(scene.bet, "ann", 1, "player", 0).code == "bet/stake"
    assert scene.table is before


def test_a_table_that_opens_with_fewer_boxes_keeps_the_seats_that_are_left() -> None:
    scene = ready()
    closed = evolve(scene.table, TableClosed(SUPERVISOR, 98))
    assert closed.open is False

    smaller = replace(scene.setup, boxes=1)
    opened = evolve(closed, TableOpened(smaller, SUPERVISOR, 99))
    assert (opened.open, opened.seats, opened.setup) == (True, {1: "ann"}, smaller)


def test_a_shoe_that_comes_in_the_middle_of_a_round_knows_how_many_cards_came_before() -> None:
    scene = ready().open().close().deal("2h 6c 3s")
    manifest = composition(full_shoe(8))

    shoe = evolve(scene.table, ShoeRegistered("shoe 2", manifest, "by hand", DEALER, 99)).shoe
    assert shoe == Shoe("shoe 2", manifest, earlier=3)


@pytest.mark.parametrize(("announced", "left"), [(None, None), (5, 3)])
def test_a_closing_is_counted_from_the_new_shoe_on(announced: int | None, left: int | None) -> None:
    """Two rounds have been played; of five announced, three are left for the next shoe."""
    scene = ready().open().play(TIE).open().play(TIE)
    if announced is not None:
        scene.announce(announced)

    scene.end_shoe().shoe("shoe 2")
    assert (scene.table.rounds, scene.table.last_round) == (0, left)


def test_a_run_begins_with_the_card_exposed_and_is_cut_by_every_card_burned() -> None:
    exposed = Scene().register().burn("2h")
    first = exposed.table.shoe
    assert first is not None
    assert first.run == parse_cards("2h")

    then = exposed.burn().table.shoe
    assert then is not None
    assert (then.run, then.to_burn) == ((), 1)


def test_with_a_shoe_that_ends_nothing_is_kept_any_more() -> None:
    scene = ready().open().close().deal("9c 3d Kd 4s").deal("6h").resolve(Step.RECONSTRUCT)
    assert scene.table.kept == (Card.parse("6h"),)

    assert scene.call().settle().end_shoe().table.kept == ()


def test_incidents_are_numbered_and_only_whoever_goes_on_is_bound() -> None:
    scene = ready().open().bet("ann", 1, "player", 100).bet("bob", 2, "banker", 100).close()
    scene.deal("2h 6c").report("other dealing error").resolve(Step.CONTINUE)
    scene.option("ann", True).option("bob", False)
    assert (scene.table.incidents, scene.table.bound) == (1, frozenset({"ann"}))

    scene.report("other dealing error")
    assert scene.table.incident is not None
    assert (scene.table.incident.number, scene.table.incidents) == (2, 2)


def test_cards_drawn_in_error_have_left_the_shoe_and_go_on_with_its_run() -> None:
    scene = ready().open().close().deal("2h 5h")
    scene.report("excess or exposed card", drawn=parse_cards("5h 6h 7h"))

    shoe = scene.table.shoe
    assert shoe is not None
    assert [shoe.seen[card] for card in parse_cards("2h 5h 6h 7h")] == [1, 2, 1, 1]
    assert (shoe.run, shoe.left) == (parse_cards("5h 6h 7h"), 416 - 2 - 5)


def test_a_foreign_card_has_not_left_the_shoe() -> None:
    scene = ready().open().close().deal("2h 5h")
    before = scene.table.shoe

    assert scene.report("foreign card", drawn=parse_cards("6h")).table.shoe == before


def corrected(scene: Scene, coup: str, *opened: int) -> frozenset[int]:
    """Which cards lie open when other hands are found than those recorded."""
    before = replace(scene.table, face_up=frozenset(opened))
    found = CoupCorrected(Coup.parse(coup), "HOUSE misread card", SUPERVISOR, 99)
    return evolve(before, found).face_up


def test_a_card_that_was_misread_lies_as_it_lay_and_one_that_was_missed_lies_open() -> None:
    scene = ready().open().close().deal("2h 6c 3s")

    assert corrected(scene, "2h 4s / 6c") == frozenset()
    assert corrected(scene, "2h 4s / 6c", 0, 2) == {0, 2}
    assert corrected(scene, "2h 3s / 6c Kd", 0, 1) == {0, 1, 3}
    assert corrected(scene, "2h / 7c", 0, 2) == {0}


def test_of_equal_cards_as_many_lie_open_elsewhere_as_did_before() -> None:
    """Of three nines two lie open; the six lies face down."""
    scene = ready().open().close().deal("9h 6c 9h 9h")

    assert corrected(scene, "6c 9h / 9h 9h", 0, 2) == {1, 2}
    assert corrected(scene, "6c 9h / 9h 9h", 0) == {1}
    assert corrected(scene, "6c 9h / 9h 9h", 1) == {0}


def test_a_new_round_binds_nobody_and_has_no_squeeze_asked_for() -> None:
    scene = ready(face_down=True).open().bet("ann", 1, "player", 100).close()
    scene.ask("ann", Side.PLAYER).deal("9h 8c Kh Kd").report("other dealing error")
    scene.resolve(Step.CONTINUE).option("ann", True).call().settle()
    assert scene.table.bound == {"ann"}
    assert scene.table.squeeze_asked == (("ann", Side.PLAYER),)

    scene.open()
    assert scene.table.bound == frozenset()
    assert not scene.table.squeeze_asked


def test_a_new_round_comes_whole_out_of_the_shoe_that_is_there() -> None:
    scene = ready().open().close().deal("9h 8c Kh")
    assert scene.table.shoe is not None
    shoe = replace(scene.table.shoe, earlier=3)
    scene.table = replace(scene.table, shoe=shoe)

    scene.deal("Kd").call().settle().open()
    assert scene.table.shoe is not None
    assert scene.table.shoe.earlier == 0


def test_a_shuffler_takes_everything_back_but_a_kept_card() -> None:
    scene = ready(continuous=True).open().close().deal("9c 3d Kd 4s").deal("6h")
    scene.resolve(Step.RECONSTRUCT).call().settle().open()

    assert scene.table.shoe is not None
    assert scene.table.shoe.seen == Counter(parse_cards("6h"))
