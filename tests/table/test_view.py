"""Views: what each viewer sees of a table, and all that nobody may see."""

from collections import Counter
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields

import pytest

from cutcard.round import Entry, Phase
from cutcard.rulebooks import rulebooks
from cutcard.rules.cards import parse_cards
from cutcard.rules.coup import Coup, Side
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table import Table
from cutcard.table.commands import ChangeLimits
from cutcard.table.incident import Step
from cutcard.table.view import PUBLIC, Audience, Spots, View, Viewer, view
from tests.cases import every
from tests.table.scene import (
    BANKER_WINS,
    DEALER,
    HELPLINE,
    PLAYER_WINS,
    SUPERVISOR,
    TABLE,
    TIE,
    Reading,
    Scene,
    check_view,
    viewers,
)

PATRONS = ("p-ann", "p-bob", "p-cho")
STAFF = Viewer(Audience.STAFF, DEALER, Role.DEALER)
FOR_STAFF = {
    "bets",
    "effective",
    "collect",
    "squeeze_asked",
    "warnings",
    "seats",
    "staff",
    "cards_left",
    "to_burn",
}
OWN = {
    "own_bets",
    "own_given_back",
    "own_results",
    "own_stack",
    "own_box",
    "may_squeeze",
    "squeezes",
    "own_effective",
    "own_undecided",
    "own_declined",
    "own_always",
    "cannot_continue",
}


def ready(book: str | Rulebook = "rws-commission", **choices: object) -> Scene:
    """Ann in box 1 and bob in box 2, each with 1,000; cho stands."""
    scene = Scene(book, **choices)
    for patron in PATRONS:
        scene.fund(**{patron: 10_000})
    return scene.seat("p-ann", 1).seat("p-bob", 2).shoe()


def shown(*cards: str) -> tuple[object, ...]:
    """A hand as it is seen: `-` lies face down."""
    return tuple(None if card == "-" else parse_cards(card)[0] for card in cards)


def check_every_view(scene: Scene) -> None:
    reading = Reading(scene.setup.face_down)
    for event in scene.log:
        reading.hear(event)
    for viewer in viewers(PATRONS):
        check_view(scene.seen_by(viewer), viewer, reading.may_see(viewer), PATRONS)


# --- what everybody sees --------------------------------------------------------------------------


def test_everybody_sees_the_table_its_round_its_limits_and_its_cards() -> None:
    limits = (Limit(Kind.MAXIMUM, Scope.BET, ("player",), 700, "HOUSE limits"),)
    scene = ready(limits=limits).open().bet("p-ann", 1, "player", 100).close().deal("Kh Kd 2s")

    seen = scene.seen_by()

    assert (seen.table, seen.open, seen.round, seen.phase) == (TABLE, True, 1, Phase.DEALING)
    assert (seen.player, seen.banker) == (shown("Kh", "2s"), shown("Kd"))
    assert (seen.next_side, seen.winner) == (Side.BANKER, None)
    assert (seen.limits, seen.taken_boxes) == (limits, (1, 2))
    assert (seen.rounds, seen.shoe, seen.last_round) == (1, 1, False)


def test_stakes_are_shown_together_without_names() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100).bet("p-bob", 2, "player", 50)
    scene.bet("p-ann", 1, "tie", 5).bet("p-bob", 2, "banker", 20)
    scene.take_back("p-bob", 2, "banker")

    assert scene.seen_by().layout == Spots({"player": 150, "tie": 5}, 2)


def test_somebody_who_took_everything_back_is_not_counted() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100).take_back("p-ann", 1, "player")

    assert scene.seen_by().layout == Spots({}, 0)


def test_the_winner_is_shown_when_it_has_been_called() -> None:
    scene = ready().open().close().deal("Kh Kd 9s 8c")
    assert (scene.seen_by().winner, scene.seen_by().next_side) == (None, None)

    assert scene.call().seen_by().winner == "player"


def test_the_cut_card_is_announced_as_the_last_round() -> None:
    scene = ready().open()

    assert not scene.seen_by().last_round
    assert scene.cut_card().seen_by().last_round


def test_roads_show_settled_rounds_of_this_shoe_only() -> None:
    scene = ready().open().play(BANKER_WINS).open().void().open().play(TIE)
    counts = scene.seen_by().roads.counts
    assert (len(scene.seen_by().roads.bead), counts) == (2, scene.seen_by("p-ann").roads.counts)

    assert scene.end_shoe().shoe("shoe 2").seen_by().roads.bead == ()


def test_limits_are_those_of_the_round_and_not_yet_those_of_the_next() -> None:
    limits = (Limit(Kind.MAXIMUM, Scope.BET, ("player",), 700, "HOUSE limits"),)
    scene = ready().open().do(ChangeLimits(limits, SUPERVISOR, 50))

    assert scene.seen_by().limits == ()
    assert scene.play(TIE).open().seen_by().limits == limits


def test_a_table_that_never_opened_can_be_looked_at() -> None:
    scene = Scene()

    seen = view(Table(), PUBLIC, scene.book)

    assert (seen.table, seen.open, seen.phase, seen.shoe) == ("", False, Phase.IDLE, 0)
    assert view(Table(), STAFF, scene.book).cards_left is None


def test_a_view_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        ready().seen_by().round = 7  # type: ignore[misc]


# --- a patron -------------------------------------------------------------------------------------


def test_a_patron_sees_the_own_bets_stack_box_and_results() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100).bet("p-cho", 1, "banker", 40)

    ann, cho = scene.seen_by("p-ann"), scene.seen_by("p-cho")
    assert [(bet.spot, bet.stake) for bet in ann.own_bets] == [("player", 100)]
    assert [(bet.spot, bet.stake) for bet in cho.own_bets] == [("banker", 40)]
    assert (ann.own_stack, ann.own_box) == (9_900, 1)
    assert (cho.own_stack, cho.own_box) == (9_960, None)
    assert ann.own_results == ()

    scene.play(PLAYER_WINS)

    assert [one.net for one in scene.seen_by("p-ann").own_results] == [100]
    assert [one.net for one in scene.seen_by("p-cho").own_results] == [-40]


def test_a_patron_sees_a_bet_that_staff_placed_and_who_placed_it() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100, by=DEALER)

    assert [bet.placed_by for bet in scene.seen_by("p-ann").own_bets] == [DEALER]


def test_a_stranger_has_nothing_here() -> None:
    seen = ready().open().bet("p-ann", 1, "player", 100).seen_by("stranger")

    assert (seen.own_bets, seen.own_stack, seen.own_box) == ((), 0, None)


def test_a_patron_sees_what_everybody_sees_beside_the_own() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100).play(TIE)
    public, ann = scene.seen_by(), scene.seen_by("p-ann")

    same = {field.name for field in fields(View)} - OWN
    assert {name: getattr(ann, name) for name in same} == {
        name: getattr(public, name) for name in same
    }


# --- staff ----------------------------------------------------------------------------------------


def test_staff_see_every_bet_the_seats_each_other_and_the_shoe() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100).bet("p-cho", 1, "tie", 5)

    seen = scene.seen_by(STAFF)

    assert [(bet.patron, bet.stake) for bet in seen.bets] == [("p-ann", 100), ("p-cho", 5)]
    assert seen.seats == {1: "p-ann", 2: "p-bob"}
    assert [member.person for member in seen.staff] == [SUPERVISOR, DEALER]
    assert seen.to_burn == 0


@pytest.mark.clause("HOUSE blind count")
def test_nobody_sees_how_many_cards_a_shoe_should_hold_that_people_deal_from() -> None:
    """In no round and in no role; of the server's own shoe everybody does."""
    scene = ready()
    for _ in range(2):
        for viewer in viewers(PATRONS):
            seen = scene.seen_by(viewer)
            assert (seen.left, seen.cards_left) == (None, None), viewer
        scene.open().play(TIE)

    for viewer in viewers(PATRONS):
        seen = view(scene.table, viewer, scene.book, committed=True)
        staff = viewer.audience is Audience.STAFF
        assert (seen.left, seen.cards_left) == (406, 406 if staff else None), viewer
    scene.end_shoe()
    assert view(scene.table, STAFF, scene.book, committed=True).cards_left is None


def test_the_dealer_sees_how_many_cards_are_left_to_burn() -> None:
    scene = Scene().register()
    assert scene.seen_by(STAFF).to_burn is None

    scene.burn("7c").burn()

    assert scene.seen_by(STAFF).to_burn == 6


def test_staff_are_warned_of_excess_only_while_bets_are_open() -> None:
    scene = ready(entry=Entry.WARN, limits=Scene().book.limits).fund(**{"p-ann": 2_000_000})
    scene.open().bet("p-ann", 1, "banker", 1_500_000).bet("p-bob", 2, "player", 100)

    warned = [(one.code, one.box, one.amount) for one in scene.seen_by(STAFF).warnings]
    assert warned == [("warning/excess", 1, 500_000), ("warning/below-minimum", 2, 29_900)]
    assert scene.seen_by().warnings == ()
    assert scene.seen_by("p-ann").warnings == ()
    assert scene.close().seen_by(STAFF).warnings == ()


@pytest.mark.parametrize("viewer", [PUBLIC, Viewer(Audience.PATRON, "p-ann")])
def test_nobody_else_sees_what_is_for_staff(viewer: Viewer) -> None:
    seen = ready().open().bet("p-ann", 1, "player", 100).seen_by(viewer)

    assert not any(getattr(seen, name) for name in FOR_STAFF)


def test_a_name_alone_makes_no_patron_and_a_role_alone_no_staff() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100)

    public = Viewer(Audience.PUBLIC, "p-ann", Role.SHIFT_MANAGER)
    assert scene.seen_by(public) == scene.seen_by()


# --- face down ------------------------------------------------------------------------------------


def squeezed() -> Scene:
    """Cards face down; ann squeezes Player's hand: `Kh 2s 5s / Kd 3c`, not finished."""
    scene = ready(face_down=True).open().bet("p-ann", 1, "player", 100)
    scene.bet("p-bob", 2, "banker", 80).close().ask("p-ann", Side.PLAYER).answer("p-ann")
    return scene.deal("Kh Kd 2s 3c 5s")


def test_cards_face_down_are_seen_by_nobody_but_the_squeezer() -> None:
    scene = squeezed()

    for viewer in viewers(PATRONS):
        seen = scene.seen_by(viewer)
        own = viewer == Viewer(Audience.PATRON, "p-ann")
        assert seen.player == (shown("Kh", "2s", "5s") if own else shown("-", "-", "-"))
        assert seen.banker == shown("-", "-")
        assert seen.may_squeeze is own
    check_every_view(scene)


def test_how_the_deal_goes_on_is_not_told_before_the_cards_are_open() -> None:
    scene = squeezed()

    assert scene.seen_by().next_side is None
    assert scene.seen_by("p-ann").next_side is None
    assert scene.turn_over().seen_by().next_side is Side.BANKER


def test_a_third_card_dealt_after_the_turn_lies_face_down_alone() -> None:
    scene = ready(face_down=True).open().close().deal("Kh Kd 2s 3c").turn_over().deal("5s")
    assert scene.seen_by().player == shown("Kh", "2s", "-")
    assert scene.seen_by().banker == shown("Kd", "3c")

    scene.turn_over().deal("6d")

    assert scene.seen_by().player == shown("Kh", "2s", "5s")
    assert scene.seen_by().banker == shown("Kd", "3c", "-")


def test_bankers_third_card_lies_face_down_when_player_stands() -> None:
    scene = ready(face_down=True).open().close().deal("Kh Kd 6s 3c").turn_over().deal("5s")

    assert (scene.seen_by().player, scene.seen_by().banker) == (
        shown("Kh", "6s"),
        shown("Kd", "3c", "-"),
    )


def test_cards_are_turned_over_in_the_order_of_the_deal() -> None:
    scene = ready(face_down=True).open().close().deal("Kh").turn_over().deal("Kd 2s")

    assert (scene.seen_by().player, scene.seen_by().banker) == (shown("Kh", "-"), shown("-"))


def test_a_patron_without_a_name_squeezes_nothing() -> None:
    """Nobody was granted the squeeze, and a terminal that nobody signed on to asks for its view."""
    scene = ready(face_down=True).open().close().deal("Kh Kd")
    nameless = Viewer(Audience.PATRON)

    check_view(scene.seen_by(nameless), nameless, Counter(), PATRONS)


def test_staff_of_the_squeezers_name_see_no_card() -> None:
    scene = squeezed()

    assert scene.seen_by(Viewer(Audience.STAFF, "p-ann", Role.DEALER)).player == shown(
        "-", "-", "-"
    )
    assert scene.seen_by(Viewer(Audience.PUBLIC, "p-ann")).player == shown("-", "-", "-")


def test_the_first_card_of_knockout_is_seen_by_whoever_must_decide_on_it() -> None:
    """Card one goes face up to "Up The Ante", also where the others lie face down (KO2 3.4)."""
    scene = ready("rws-knockout", face_down=True).open()
    scene.bet("p-ann", 1, "ante_player", 100).close().deal("9s")

    assert scene.table.round.phase is Phase.DECIDING
    assert scene.seen_by("p-ann").player == shown("9s")


# --- every view of every audience -----------------------------------------------------------------

STORY: tuple[Callable[[Scene], Scene], ...] = (
    lambda scene: scene,
    lambda scene: scene.open(),
    lambda scene: scene.bet("p-ann", 1, "player", 100).bet("p-bob", 2, "banker", 80),
    lambda scene: scene.bet("p-cho", 1, "tie", 20, by=DEALER),
    lambda scene: scene.close(),
    lambda scene: scene.ask("p-ann", Side.BANKER),
    lambda scene: scene.answer("p-ann"),
    lambda scene: scene.deal("Kh"),
    lambda scene: scene.deal("Kd"),
    lambda scene: scene.deal("2s 3c"),
    lambda scene: scene.turn_over(),
    lambda scene: scene.deal("5s"),
    lambda scene: scene.deal("6d"),
    lambda scene: scene.call(),
    lambda scene: scene.settle(),
    lambda scene: scene.open().bet("p-ann", 1, "player", 100).close().deal("Kh Kd"),
    lambda scene: scene.void(),
)


@every("book", rulebooks(), ids=lambda book: book.id)
def test_no_view_of_any_audience_leaks_at_any_moment_of_a_round(book: Rulebook) -> None:
    scene = ready(book, face_down=True, open_boxes=True)

    for step in STORY:
        check_every_view(step(scene))


def test_a_patron_gone_from_table_and_layout_is_named_nowhere() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100).play(TIE).leave("p-ann")

    check_every_view(scene)


# --- what was added to a view by its own need -----------------------------------------------------


def test_staff_without_a_role_see_what_everybody_sees() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100)

    assert scene.seen_by(Viewer(Audience.STAFF, DEALER)) == scene.seen_by(PUBLIC)


def test_an_apportioned_bet_shows_what_it_counts_for_to_its_owner_and_to_staff() -> None:
    gap = Limit(Kind.DIFFERENTIAL, Scope.BOX, ("player", "banker"), 1_000, "CB4 5.1")
    scene = ready(entry=Entry.WARN, limits=(gap,)).open().bet("p-ann", 1, "player", 3_000).close()

    assert scene.seen_by("p-ann").own_effective == {(1, "p-ann", "player"): 1_000}
    assert scene.seen_by("p-bob").own_effective == {}
    assert scene.seen_by(STAFF).effective == {(1, "p-ann", "player"): 1_000}


def test_a_patron_sees_which_antes_wait_which_are_lost_and_what_continues_by_itself() -> None:
    scene = ready("rws-knockout").open().always("p-ann")
    scene.bet("p-ann", 1, "ante_player", 100).bet("p-ann", 1, "ante_banker", 50)
    scene.close().deal("9s").choose("p-ann", 1, "ante_banker", continues=False)

    seen = scene.seen_by("p-ann")
    assert [bet.spot for bet in seen.own_undecided] == ["ante_player"]
    assert seen.own_declined == ((1, "p-ann", "ante_banker"),)
    assert (seen.own_always, scene.seen_by("p-bob").own_always) == (True, False)
    assert scene.seen_by("p-bob").own_undecided == ()


def test_the_dealer_sees_whose_losses_to_collect() -> None:
    """Chips of 200 were taken off after the close, and lost."""
    scene = ready().open().bet("p-ann", 1, "banker", 200).bet("p-bob", 2, "player", 100).close()
    scene.removed("p-ann", 1, "banker").removed("p-bob", 2, "player").finish(PLAYER_WINS)

    assert scene.seen_by(STAFF).collect == {"p-ann": 200}


def test_the_dealer_sees_who_asks_to_squeeze() -> None:
    scene = ready(face_down=True).open().bet("p-ann", 1, "player", 100).close()

    assert scene.ask("p-ann", Side.PLAYER).seen_by(STAFF).squeeze_asked == {"p-ann": Side.PLAYER}
    assert scene.answer("p-ann").seen_by(STAFF).squeeze_asked == {}


def test_after_a_void_nothing_lies_on_the_layout() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100).void()

    assert scene.seen_by("p-ann").own_bets == ()
    assert scene.seen_by(PUBLIC).layout == Spots({}, 0)
    assert scene.seen_by(STAFF).bets == ()


@pytest.mark.clause("HOUSE void return")
def test_a_patron_is_told_why_the_round_is_void_and_under_which_clause() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100)
    assert (scene.seen_by("p-ann").void_reason, scene.seen_by("p-ann").void_clause) == (None, None)

    scene.void()
    told = "no shift manager in the house", "HOUSE no ruling"
    for viewer in ("p-ann", STAFF):
        seen = scene.seen_by(viewer)
        assert (seen.void_reason, seen.void_clause) == told
    # Staff write the reason as they like, so it is not for everybody who walks by.
    assert scene.seen_by(PUBLIC).void_reason is None

    scene.open()
    assert (scene.seen_by("p-ann").void_reason, scene.seen_by("p-ann").void_clause) == (None, None)


@pytest.mark.clause("HOUSE void return")
def test_a_patron_is_told_why_a_settled_round_became_void() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100).play(PLAYER_WINS)
    scene.report("foreign card", note="a joker").resolve(Step.VOID)

    seen = scene.seen_by("p-ann")
    assert (seen.phase, seen.void_reason, seen.void_clause) == (Phase.VOID, "a joker", "CB4 5.5.1")


def test_the_card_that_bets_are_decided_on_is_open_even_where_nobody_decides() -> None:
    scene = ready("rws-knockout", face_down=True).open().bet("p-ann", 1, "player", 100).close()

    assert scene.deal("9s 8c").seen_by(PUBLIC).player == shown("9s")
    assert scene.seen_by(PUBLIC).banker == shown("-")


def test_hands_that_stay_on_the_wrong_side_show_the_cards_that_lie_open_and_no_other() -> None:
    """Three cards are Player's and one is Banker's; of them only 8c was turned over."""
    scene = ready(face_down=True).open().close().deal("5h 8c 2d Qs")
    scene.report("card face up", exposed=1).resolve(Step.CONTINUE)
    scene.report("card to the wrong side", lying=Coup.parse("5h 2d 8c / Qs"))
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    assert scene.seen_by().player == shown("-", "-", "8c")
    assert scene.seen_by().banker == shown("-")

    scene.deal("9c")
    assert scene.table.round.coup == Coup.parse("5h 2d 8c / Qs 9c")
    assert scene.seen_by().player == shown("-", "-", "8c")
    assert scene.seen_by().banker == shown("-", "-")


def test_everybody_sees_the_helpline() -> None:
    assert ready().seen_by().helpline == HELPLINE
    assert view(Table(), PUBLIC, Scene().book).helpline == ""


def test_everybody_sees_how_many_may_still_choose_and_until_when() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100).bet("p-bob", 2, "banker", 100).close()
    scene.deal("2h 6c").report("other dealing error").resolve(Step.CONTINUE)
    until = scene.now + scene.setup.option_ms
    assert (scene.seen_by().choosing, scene.seen_by().choose_until) == (2, until)
    assert [scene.seen_by(patron).own_option for patron in PATRONS] == [True, True, False]

    scene.option("p-ann", True)
    assert (scene.seen_by().choosing, scene.seen_by().choose_until) == (1, until)
    assert [scene.seen_by(patron).own_option for patron in PATRONS] == [False, True, False]

    scene.option("p-bob", True)
    assert (scene.seen_by().choosing, scene.seen_by().choose_until) == (0, None)


def test_nothing_waits_for_a_decision_before_the_card_is_shown() -> None:
    scene = ready("rws-knockout").open().bet("p-ann", 1, "ante_player", 100)

    assert scene.seen_by("p-ann").own_undecided == ()
    scene.close().deal("9s")
    assert [bet.spot for bet in scene.seen_by("p-ann").own_undecided] == ["ante_player"]


def test_whoever_did_not_bet_has_no_results() -> None:
    scene = ready().open().bet("p-ann", 1, "player", 100).play(PLAYER_WINS)

    assert scene.seen_by("p-bob").own_results == ()


def antes(stack: int) -> Scene:
    """Two Antes of 100 beside a bet of 10; to go on with either costs 200."""
    scene = Scene("rws-knockout").fund(ann=stack).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "player", 10)
    return scene.bet("ann", 1, "ante_player", 100).bet("ann", 1, "ante_banker", 100)


@pytest.mark.clause("KO2 3.4 funds")
@every(
    ("left", "dear"),
    [
        (400, []),
        (399, ["ante_banker"]),
        (200, ["ante_banker"]),
        (199, ["ante_player", "ante_banker"]),
    ],
)
def test_what_is_left_pays_for_the_earlier_ante_first(left: int, dear: list[str]) -> None:
    seen = antes(210 + left).seen_by("ann")

    assert seen.own_stack == left
    assert [bet.spot for bet in seen.cannot_continue] == dear


@pytest.mark.clause("KO2 3.4 funds")
@pytest.mark.parametrize(("continues", "dear"), [(True, ["ante_banker"]), (False, [])])
def test_an_ante_that_is_decided_on_needs_no_money_any_more(
    continues: bool, dear: list[str]
) -> None:
    scene = antes(210 + 350).close().deal("9s")

    scene.choose("ann", 1, "ante_player", continues)
    assert [bet.spot for bet in scene.seen_by("ann").cannot_continue] == dear


def test_the_dealer_collects_all_that_a_patron_lost_and_nothing_for_a_push() -> None:
    scene = ready().open().bet("p-ann", 1, "tie", 20).bet("p-ann", 1, "player_pair", 30)
    scene.bet("p-bob", 2, "tie", 40).bet("p-bob", 2, "player", 100).close()
    scene.removed("p-ann", 1, "tie").removed("p-ann", 1, "player_pair").removed("p-bob", 2, "tie")
    scene.finish(PLAYER_WINS)
    assert scene.seen_by(STAFF).collect == {"p-ann": 50, "p-bob": 40}

    scene.open().bet("p-bob", 2, "player", 100).close().removed("p-bob", 2, "player").finish(TIE)
    assert scene.seen_by(STAFF).collect == {}
