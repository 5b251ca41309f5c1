"""Excess: what the dealer is warned of, what is rejected, and what is cut when bets close."""

from dataclasses import replace

import pytest

from cutcard.round import Entry, warnings
from cutcard.round.events import BetsClosed, BetWithdrawn, Effective
from cutcard.round.excess import (
    Heavy,
    Notice,
    above_maximum,
    cut_at_close,
    heavy_sides,
    minimum,
    rejected,
    too_much,
)
from cutcard.rules.limits import Kind, Limit, Scope
from tests.cases import every
from tests.round.scene import Scene, box_five, denied, gap, least, most, why


def table(*limits: object) -> Scene:
    """A table with chips, bets open."""
    return Scene(entry=Entry.WARN, limits=limits).open()  # type: ignore[arg-type]


def warned(scene: Scene) -> list[Notice]:
    return warnings(scene.state, scene.terms, scene.book)


# --- the heavier side -----------------------------------------------------------------------------


def test_the_heavier_side_may_hold_the_lighter_plus_the_limit() -> None:
    scene = box_five()
    (heavy,) = heavy_sides(scene.state.bets, scene.terms.limits)

    assert (heavy.spot, heavy.target, heavy.excess) == ("banker", 1_100_000, 355_000)
    assert [bet.patron for bet in heavy.bets] == ["A", "B", "C", "E"]
    assert heavy.limit.clause == "CB4 5.1"


@pytest.mark.parametrize(("heavy", "light"), [("player", "banker"), ("banker", "player")])
def test_either_side_may_be_the_heavier(heavy: str, light: str) -> None:
    scene = table(gap(100)).bet("ann", 1, heavy, 180).bet("bob", 1, light, 60)
    (side,) = heavy_sides(scene.state.bets, scene.terms.limits)

    assert (side.spot, side.target, side.excess) == (heavy, 160, 20)


def test_exactly_the_limit_is_no_excess() -> None:
    scene = table(gap(100)).bet("ann", 1, "banker", 160).bet("bob", 1, "player", 60)

    assert list(heavy_sides(scene.state.bets, scene.terms.limits)) == []
    assert list(heavy_sides(scene.bet("eve", 1, "banker", 20).state.bets, scene.terms.limits)) != []


def test_equal_sides_are_no_excess_even_without_any_allowance() -> None:
    scene = table(gap(0)).bet("ann", 1, "banker", 160).bet("bob", 1, "player", 160)

    assert list(heavy_sides(scene.state.bets, scene.terms.limits)) == []


def test_other_spots_and_other_limits_make_no_side_heavy() -> None:
    scene = table(gap(100), most(5, "tie"), least(1, "tie")).bet("ann", 1, "tie", 900)

    assert list(heavy_sides(scene.state.bets, scene.terms.limits)) == []


@every(
    ("scope", "sides"),
    [
        (Scope.BET, [("ann", 1)]),
        (Scope.PATRON, [("ann", 1), ("ann", 2)]),
        (Scope.BOX, [("bob", 2), ("ann", 2)]),
        (Scope.TABLE, [("ann", 1), ("bob", 2), ("ann", 2)]),
    ],
)
def test_who_is_counted_together(scope: Scope, sides: list[tuple[str, int]]) -> None:
    """Ann has 200 in box 1 and 100 in box 2, Bob 80 in box 2 and 100 against her in box 1."""
    scene = table(gap(150, scope)).bet("ann", 1, "banker", 200).bet("bob", 1, "player", 100)
    scene.bet("bob", 2, "banker", 80).bet("ann", 2, "banker", 100)
    (heavy,) = heavy_sides(scene.state.bets, scene.terms.limits)

    assert {(bet.patron, bet.box) for bet in heavy.bets} == set(sides)


def test_every_box_beyond_the_limit_is_found() -> None:
    scene = table(gap(100)).bet("ann", 1, "banker", 120).bet("ann", 2, "player", 130)
    scene.bet("ann", 3, "player", 100)

    assert [
        (side.bets[0].box, side.spot, side.excess)
        for side in heavy_sides(scene.state.bets, scene.terms.limits)
    ] == [(1, "banker", 20), (2, "player", 30)]


# --- warnings -------------------------------------------------------------------------------------


def test_the_dealer_is_warned_of_the_excess_and_of_the_short_bet() -> None:
    assert warned(box_five()) == [
        Notice("warning/excess", 5, None, "banker", 355_000, "CB4 5.1"),
        Notice("warning/below-minimum", 5, "E", "banker", 10_000, "CB4 5.2"),
    ]


def test_a_single_bet_may_be_the_whole_excess() -> None:
    scene = table(gap(100)).bet("ann", 3, "player", 101)

    assert warned(scene) == [Notice("warning/excess", 3, None, "player", 1, "CB4 5.1")]


def test_a_bet_of_exactly_the_minimum_is_not_short() -> None:
    scene = table(least(300, "player")).bet("ann", 1, "player", 300).bet("bob", 1, "player", 299)

    assert warned(scene) == [Notice("warning/below-minimum", 1, "bob", "player", 1, "CB4 5.2")]


def test_a_terminal_warns_of_nothing() -> None:
    """What it would warn of, it has refused."""
    scene = box_five()

    assert warnings(scene.state, replace(scene.terms, entry=Entry.REFUSE), scene.book) == []


def test_a_short_bet_that_was_raised_is_no_longer_warned_of() -> None:
    scene = table(least(300, "player")).bet("ann", 1, "player", 200)
    assert len(warned(scene)) == 1

    assert warned(scene.bet("ann", 1, "player", 100)) == []


def test_a_bet_above_its_maximum_is_warned_of() -> None:
    """At most 100 may lie on Tie; nobody stops the chips, so somebody must see them."""
    scene = table(most(100, "tie")).bet("ann", 3, "tie", 150).bet("bob", 3, "tie", 100)

    assert warned(scene) == [
        Notice("warning/above-maximum", 3, "ann", "tie", 50, "HOUSE limits"),
    ]


@every(
    ("scope", "patron"),
    [(Scope.BET, "ann"), (Scope.PATRON, "ann"), (Scope.BOX, None), (Scope.TABLE, None)],
)
def test_a_maximum_of_a_box_or_of_the_table_is_nobodys_own(
    scope: Scope, patron: str | None
) -> None:
    scene = table(most(100, "tie", scope=scope)).bet("ann", 2, "tie", 130)

    assert warned(scene) == [
        Notice("warning/above-maximum", 2, patron, "tie", 30, "HOUSE limits"),
    ]
    assert warned(scene.take_back("ann", 2, "tie", 30)) == []


def test_the_books_own_maximum_is_warned_of_under_its_clause() -> None:
    """The book lets 1,000.00 lie on Tie."""
    scene = Scene(entry=Entry.WARN, limits=None).open().bet("ann", 3, "tie", 150_000)

    assert warned(scene) == [
        Notice("warning/above-maximum", 3, "ann", "tie", 50_000, "CB4 3.5"),
    ]


def test_warnings_come_box_by_box() -> None:
    scene = table(gap(100), most(10, "tie"), least(5, "tie"))
    scene.bet("ann", 3, "player", 120).bet("bob", 2, "tie", 12).bet("eve", 1, "tie", 1)

    assert [(one.box, one.code) for one in warned(scene)] == [
        (1, "warning/below-minimum"),
        (2, "warning/above-maximum"),
        (3, "warning/excess"),
    ]


def test_the_highest_minimum_of_a_spot_holds() -> None:
    scene = table(least(20, "player", "tie"), least(300, "player"), gap(5_000), most(9_000, "tie"))

    assert minimum(scene.terms, "player") == 300
    assert minimum(scene.terms, "tie") == 20
    assert minimum(scene.terms, "banker") == 0


# --- rejecting before the close -------------------------------------------------------------------


def test_the_excess_is_rejected_from_the_back() -> None:
    scene = box_five()
    before = {whose: scene.laid(whose, 5, "banker") for whose in "BCE"}
    scene.reject(5)

    assert scene.last == [
        BetWithdrawn(
            before["B"],
            replace(before["B"], stake=300_000, revision=2),
            "excess rejected",
            "CB4 5.1",
            scene.now,
        ),
        BetWithdrawn(before["C"], None, "excess rejected", "CB4 5.1", scene.now),
        BetWithdrawn(before["E"], None, "excess rejected", "CB4 5.1", scene.now),
    ]
    assert scene.bets == {
        ("A", "banker"): 800_000,
        ("B", "banker"): 300_000,
        ("D", "player"): 100_000,
    }


def test_after_rejecting_nothing_is_left_to_cut() -> None:
    scene = box_five().reject(5)

    assert warned(scene) == []
    assert scene.close().last == [BetsClosed((), scene.now)]


def test_a_box_within_its_differential_has_nothing_to_reject() -> None:
    scene = box_five().bet("F", 4, "player", 100_000)

    assert why(denied(scene.reject, 4)) == ("bet/no-excess", "CB4 5.1")
    assert why(denied(scene.reject, 9)) == ("bet/no-excess", "CB4 5.1")


def test_only_the_named_box_is_cut() -> None:
    scene = table(gap(100)).bet("ann", 1, "banker", 120).bet("bob", 2, "banker", 160)

    assert scene.reject(2).bets == {("ann", "banker"): 120, ("bob", "banker"): 100}
    assert scene.reject(1).bets == {("ann", "banker"): 100, ("bob", "banker"): 100}


def test_what_needs_a_rejected_bet_goes_with_it() -> None:
    """Bob's only main bet is wholly rejected, so his Winning Total cannot stand; Ann's does."""
    scene = Scene("rws-knockout", entry=Entry.WARN, limits=[gap(100)]).open()
    scene.bet("ann", 1, "banker", 100).bet("ann", 1, "winning_total_8", 10)
    scene.bet("bob", 1, "banker", 40, standing=True)
    scene.bet("bob", 1, "winning_total_9", 10, standing=True)
    total_nine = scene.laid("bob", 1, "winning_total_9")
    scene.reject(1)

    assert scene.last[1:] == [
        BetWithdrawn(total_nine, None, "needs another bet", "KO2 1 Winning Total", scene.now)
    ]
    assert scene.bets == {("ann", "banker"): 100, ("ann", "winning_total_8"): 10}


def test_only_boxes_are_rejected() -> None:
    scene = table(gap(100, Scope.PATRON)).bet("ann", 1, "banker", 120)

    assert rejected(scene.state, scene.terms, 1, scene.book) == {}
    assert denied(scene.reject, 1).code == "bet/no-excess"


# --- cutting at the close -------------------------------------------------------------------------


def test_unseen_excess_is_cut_when_bets_close() -> None:
    """D and E count for all they placed, so nothing is said of them."""
    scene = box_five().close()

    assert scene.last == [
        BetsClosed(
            (
                Effective(5, "A", "banker", 600_000),
                Effective(5, "B", "banker", 450_000),
                Effective(5, "C", "banker", 30_000),
            ),
            scene.now,
        )
    ]
    assert scene.state.effective == {
        (5, "A", "banker"): 600_000,
        (5, "B", "banker"): 450_000,
        (5, "C", "banker"): 30_000,
    }


def test_a_terminal_cuts_nothing() -> None:
    scene = box_five()

    assert cut_at_close(scene.state, replace(scene.terms, entry=Entry.REFUSE), scene.book) == {}


def test_shares_lie_on_the_step_of_their_spot() -> None:
    """Banker of the commission book takes multiples of 20, Player single units."""
    banker = table(gap(100)).bet("ann", 1, "banker", 140).bet("bob", 1, "banker", 140).close()
    player = table(gap(101)).bet("ann", 1, "player", 140).bet("bob", 1, "player", 140).close()

    assert banker.state.effective == {(1, "ann", "banker"): 60, (1, "bob", "banker"): 40}
    assert player.state.effective == {(1, "ann", "player"): 51, (1, "bob", "player"): 50}


def test_the_odd_unit_goes_to_the_earlier_bet_in_whichever_box() -> None:
    """Box 1 was bet on first, but its second bet came last: Bob's in box 2 was before it."""
    scene = table(gap(200, Scope.TABLE)).bet("ann", 1, "player", 100)
    scene.bet("bob", 2, "player", 100).bet("eve", 1, "player", 100).close()

    assert scene.state.effective == {
        (1, "ann", "player"): 67,
        (2, "bob", "player"): 67,
        (1, "eve", "player"): 66,
    }


def test_every_heavy_box_is_cut_by_itself() -> None:
    scene = table(gap(100)).bet("ann", 1, "player", 150).bet("ann", 2, "player", 170).close()

    assert scene.state.effective == {(1, "ann", "player"): 100, (2, "ann", "player"): 100}


def test_forty_minimums_prevail_over_the_limit() -> None:
    """The house carries 2,000.00 more than its limit."""
    scene = Scene(entry=Entry.WARN, limits=None).open()
    for place in range(40):
        scene.bet(f"p{place}", 5, "banker", 40_000, standing=place > 0)
    scene.close()

    assert set(scene.state.effective.values()) == {30_000}
    assert sum(scene.state.effective.values()) == 1_200_000


@pytest.mark.parametrize("scopes", [(Scope.BOX, Scope.TABLE), (Scope.TABLE, Scope.BOX)])
def test_two_differentials_both_hold_after_the_cut(scopes: tuple[Scope, Scope]) -> None:
    """A box may differ by 100, the table by 180. Box 1 comes first, and then 160 are few enough."""
    amounts = {Scope.BOX: 100, Scope.TABLE: 180}
    scene = table(*(gap(amounts[scope], scope) for scope in scopes))
    scene.bet("ann", 1, "player", 400).bet("bob", 2, "player", 60).close()

    assert scene.state.effective == {(1, "ann", "player"): 100}


def test_a_cut_on_one_side_may_make_the_other_heavy_and_is_followed() -> None:
    """A table-wide cap cuts box 1's Banker, which leaves its Player beyond the box's own limit."""
    box = Limit(Kind.DIFFERENTIAL, Scope.BOX, ("player", "banker"), 2_000, "CB4 5.1")
    whole = replace(box, scope=Scope.TABLE)
    scene = Scene(entry=Entry.WARN, limits=(box, whole)).open()
    scene.bet("ann", 1, "player", 10_000).bet("bob", 1, "banker", 9_000)
    for seat in range(2, 6):
        scene.bet(f"patron-{seat}", seat, "banker", 2_000)
    scene.close()

    lying = [
        replace(bet, stake=scene.state.effective.get(bet.key, bet.stake))
        for bet in scene.state.bets
    ]
    assert list(heavy_sides(lying, (box, whole))) == []


def test_two_differentials_of_a_box_leave_the_tighter_one() -> None:
    wide, tight = (
        Limit(Kind.DIFFERENTIAL, Scope.BOX, ("player", "banker"), most, "CB4 5.1")
        for most in (500, 300)
    )
    for limits in ((wide, tight), (tight, wide)):
        scene = Scene("rws-commission", entry=Entry.WARN, limits=limits).open()
        scene.bet("ann", 1, "player", 700).reject(1)

        assert scene.bets == {("ann", "player"): 300}


def test_what_boxes_have_too_much_together_is_rejected_without_naming_a_box() -> None:
    cap = Limit(Kind.DIFFERENTIAL, Scope.TABLE, ("player", "banker"), 500, "CB4 5.1")
    scene = Scene("rws-commission", entry=Entry.WARN, limits=(cap,)).open()
    scene.bet("ann", 1, "player", 400).bet("bob", 2, "player", 400)

    assert why(denied(scene.reject, 2)) == ("bet/no-excess", "CB4 5.1")
    bob = scene.laid("bob", 2, "player")
    scene.reject(None)

    assert scene.last == [
        BetWithdrawn(
            bob,
            replace(bob, stake=100, revision=2),
            "excess of the table rejected",
            "CB4 5.1",
            scene.now,
        )
    ]
    assert scene.bets == {("ann", "player"): 400, ("bob", "player"): 100}
    assert why(denied(scene.reject, None)) == ("bet/no-excess", "CB4 5.1")


def test_without_naming_a_box_every_box_and_every_patron_is_brought_within_the_limits() -> None:
    """Ann has 90 on Tie over two boxes, Bob 120 on Player in his; 50 and 100 are allowed."""
    scene = table(most(50, "tie", scope=Scope.PATRON), gap(100))
    scene.bet("ann", 1, "tie", 40).bet("bob", 2, "player", 120).bet("ann", 3, "tie", 50)
    scene.reject(None)

    assert [(bet.box, bet.patron, bet.spot, bet.stake) for bet in scene.state.bets] == [
        (1, "ann", "tie", 40),
        (2, "bob", "player", 100),
        (3, "ann", "tie", 10),
    ]


def test_a_rejected_side_may_make_the_other_heavy_and_is_followed() -> None:
    """Banker may hold 60, and Player no more than 100 beyond Banker."""
    scene = table(gap(100), most(60, "banker"))
    scene.bet("ann", 1, "player", 200).bet("bob", 1, "banker", 120).reject(1)

    assert scene.bets == {("ann", "player"): 160, ("bob", "banker"): 60}
    assert warned(scene) == []


def test_what_is_left_of_a_rejected_bet_lies_on_its_step() -> None:
    """Banker of the commission book takes multiples of 20: 110 are allowed, 100 stay."""
    scene = table(gap(110)).bet("ann", 1, "banker", 120).reject(1)

    assert scene.bets == {("ann", "banker"): 100}


def test_what_needs_a_rejected_bet_goes_with_it_patron_by_patron() -> None:
    """Ann's seat is cut, but not to nothing; Bob and Cat stand behind her and lose everything."""
    scene = Scene("rws-knockout", entry=Entry.WARN, limits=[gap(100)]).open()
    for patron, stake in (("ann", 140), ("bob", 40), ("cat", 20)):
        scene.bet(patron, 1, "banker", stake, standing=patron != "ann")
        scene.bet(patron, 1, "winning_total_9", 10, standing=patron != "ann")
    bets = {bet.patron: bet for bet in scene.state.bets if bet.spot == "banker"}
    totals = {bet.patron: bet for bet in scene.state.bets if bet.spot != "banker"}
    scene.reject(1)
    needs = "needs another bet", "KO2 1 Winning Total", scene.now

    assert scene.last == [
        BetWithdrawn(
            bets["ann"],
            replace(bets["ann"], stake=100, revision=2),
            "excess rejected",
            "CB4 5.1",
            scene.now,
        ),
        BetWithdrawn(bets["bob"], None, "excess rejected", "CB4 5.1", scene.now),
        BetWithdrawn(bets["cat"], None, "excess rejected", "CB4 5.1", scene.now),
        BetWithdrawn(totals["bob"], None, *needs),
        BetWithdrawn(totals["cat"], None, *needs),
    ]
    assert scene.bets == {("ann", "banker"): 100, ("ann", "winning_total_9"): 10}


def test_too_much_are_heavy_sides_and_then_what_is_above_a_maximum() -> None:
    limits = gap(100), most(10, "tie"), least(5, "tie")
    scene = table(*limits).bet("ann", 1, "tie", 30).bet("bob", 1, "player", 120)
    tie, player = scene.laid("ann", 1, "tie"), scene.laid("bob", 1, "player")

    assert list(too_much(scene.state.bets, iter(limits))) == [
        Heavy(limits[0], "player", (player,), 100),
        Heavy(limits[1], "tie", (tie,), 10),
    ]


@every(
    ("scope", "beyond"),
    [
        (Scope.BET, []),
        (Scope.BOX, [({"ann", "bob"}, {2}, 10)]),
        (Scope.PATRON, [({"ann"}, {1, 2}, 20)]),
        (Scope.TABLE, [({"ann", "bob"}, {1, 2}, 70)]),
    ],
)
def test_who_is_above_a_maximum_together(
    scope: Scope, beyond: list[tuple[set[str], set[int], int]]
) -> None:
    """At most 100: Ann has 60 in each of two boxes, Bob 50 in the second of them."""
    scene = table(most(100, "tie", scope=scope)).bet("ann", 1, "tie", 60)
    scene.bet("ann", 2, "tie", 60).bet("bob", 2, "tie", 50).bet("bob", 1, "player", 500)
    sides = list(above_maximum(scene.state.bets, scene.terms.limits))

    assert [
        ({bet.patron for bet in side.bets}, {bet.box for bet in side.bets}, side.excess)
        for side in sides
    ] == beyond
    assert {side.spot for side in sides} <= {"tie"}


def test_a_maximum_is_rejected_too() -> None:
    most = Limit(Kind.MAXIMUM, Scope.BET, ("tie",), 100, "CB4 3.5")
    scene = Scene("rws-commission", entry=Entry.WARN, limits=(most,)).open()
    scene.bet("ann", 1, "tie", 250).bet("ann", 1, "player", 9_000)

    assert scene.reject(1).bets == {("ann", "tie"): 100, ("ann", "player"): 9_000}
