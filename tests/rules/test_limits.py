"""Limits: every kind, every scope, and the exact figure where each begins to bind."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.limits import (
    Bet,
    Kind,
    Limit,
    Scope,
    check_bet,
    check_limits,
    check_minimum,
    check_withdrawal,
    differential,
    tightest,
)
from tests.cases import every

CLAUSE = "CB4 3.5"
SIDES = ("player", "banker")


def limit(
    kind: str, scope: str, amount: int, spots: tuple[str, ...] = SIDES, clause: str = CLAUSE
) -> Limit:
    return Limit(Kind(kind), Scope(scope), spots, amount, clause)


def bets(*written: str) -> list[Bet]:
    """Bets written as `patron box spot stake`."""
    words = (one.split() for one in written)
    return [Bet(patron, int(box), spot, int(stake)) for patron, box, spot, stake in words]


def bet(written: str) -> Bet:
    (one,) = bets(written)
    return one


ON_THE_TABLE = bets(
    "ann 1 player 1",
    "ann 1 banker 10",
    "ann 2 player 100",
    "bob 1 player 1000",
    "bob 2 player 10000",
    "bob 2 tie 100000",
)
"""Every combination of patron and box, in powers of ten, so that a sum shows its parts."""


# Whose bets count together


@every(
    ("scope", "ann_in_box_1", "bob_in_box_2"),
    [
        ("bet", 1, 10_000),
        ("box", 1_001, 10_100),
        ("patron", 101, 11_000),
        ("table", 11_101, 11_101),
    ],
)
def test_each_scope_counts_its_own_bets_together(
    scope: str, ann_in_box_1: int, bob_in_box_2: int
) -> None:
    most = limit("maximum", scope, 50_000)

    assert most.room(ON_THE_TABLE, "ann", 1, "player") == 50_000 - ann_in_box_1
    assert most.room(ON_THE_TABLE, "bob", 2, "player") == 50_000 - bob_in_box_2


@every(("scope", "counted"), [("bet", [0, 1]), ("box", [0, 1, 3]), ("patron", [0, 1, 2])])
def test_the_bets_that_count_with_ann_in_box_1(scope: str, counted: list[int]) -> None:
    together = limit("maximum", scope, 1).together(ON_THE_TABLE, "ann", 1)

    assert together == [ON_THE_TABLE[place] for place in counted]
    assert limit("maximum", "table", 1).together(ON_THE_TABLE, "ann", 1) == ON_THE_TABLE


@every(("scope", "gap"), [("bet", 9), ("box", -991), ("patron", -91), ("table", -11_091)])
def test_a_differential_is_enlarged_by_what_stands_on_the_other_side(scope: str, gap: int) -> None:
    """Room on Player is the limit plus Banker less Player, and the reverse on Banker."""
    spread = limit("differential", scope, 20_000)

    assert spread.room(ON_THE_TABLE, "ann", 1, "player") == 20_000 + gap
    assert spread.room(ON_THE_TABLE, "ann", 1, "banker") == 20_000 - gap


def test_a_limit_says_nothing_about_other_spots_and_a_minimum_sets_no_bound() -> None:
    assert limit("maximum", "bet", 100).room([], "ann", 1, "tie") is None
    assert limit("differential", "bet", 100).room([], "ann", 1, "tie") is None
    assert limit("minimum", "bet", 100).room([], "ann", 1, "player") is None


def test_room_may_be_overdrawn() -> None:
    """A limit that was lowered under standing bets: the figure is honest."""
    assert limit("maximum", "bet", 30).room(bets("ann 1 player 50"), "ann", 1, "player") == -20


# The tightest limit


def test_the_tightest_limit_is_the_one_that_leaves_least() -> None:
    wide, narrow = limit("maximum", "bet", 500), limit("maximum", "table", 900)
    standing = bets("bob 2 player 700", "ann 1 player 100")

    # 400 remain to the bet, but only 100 to the table, although its amount is the larger one.
    assert tightest([wide, narrow], standing, "ann", 1, "player") == (narrow, 100)
    assert tightest([narrow, wide], standing, "ann", 1, "player") == (narrow, 100)
    assert tightest([wide, narrow], [], "ann", 1, "player") == (wide, 500)


def test_of_two_equally_tight_limits_the_first_is_named() -> None:
    first, second = limit("maximum", "bet", 500), limit("maximum", "box", 500)

    assert tightest([first, second], [], "ann", 1, "player") == (first, 500)


def test_limits_that_set_no_bound_are_passed_over() -> None:
    least, other = limit("minimum", "bet", 10), limit("maximum", "bet", 10, ("tie",))
    most = limit("maximum", "bet", 500)

    assert tightest([least, other, most], [], "ann", 1, "player") == (most, 500)
    assert tightest([least, other], [], "ann", 1, "player") is None
    assert tightest([], [], "ann", 1, "player") is None


def test_the_room_of_the_tightest_is_never_below_zero() -> None:
    most = limit("maximum", "bet", 30)

    assert tightest([most], bets("ann 1 player 29"), "ann", 1, "player") == (most, 1)
    assert tightest([most], bets("ann 1 player 30"), "ann", 1, "player") == (most, 0)
    assert tightest([most], bets("ann 1 player 31"), "ann", 1, "player") == (most, 0)


# Placing a bet


def refused_bet(limits: list[Limit], standing: list[Bet], new: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        check_bet(limits, standing, bet(new))
    return caught.value


@every("scope", ["bet", "box", "patron", "table"])
def test_a_maximum_is_allowed_and_one_more_is_not(scope: str) -> None:
    most = limit("maximum", scope, 500)
    standing = bets("ann 1 player 100")
    check_bet([most], standing, bet("ann 1 player 400"))

    assert refused_bet([most], standing, "ann 1 player 401") == Refusal(
        "limit/maximum",
        {"spot": "player", "stake": 401, "amount": 500, "scope": scope, "room": 400},
        CLAUSE,
    )


@every("scope", ["bet", "box", "patron", "table"])
def test_a_differential_is_allowed_and_one_more_is_not(scope: str) -> None:
    spread = limit("differential", scope, 500)
    standing = bets("ann 1 player 100", "ann 1 banker 300")
    check_bet([spread], standing, bet("ann 1 player 700"))
    check_bet([spread], standing, bet("ann 1 banker 300"))

    assert refused_bet([spread], standing, "ann 1 player 701") == Refusal(
        "limit/differential",
        {
            "spot": "player",
            "other": "banker",
            "stake": 701,
            "amount": 500,
            "scope": scope,
            "room": 700,
        },
        CLAUSE,
    )
    assert refused_bet([spread], standing, "ann 1 banker 301") == Refusal(
        "limit/differential",
        {
            "spot": "banker",
            "other": "player",
            "stake": 301,
            "amount": 500,
            "scope": scope,
            "room": 300,
        },
        CLAUSE,
    )


def test_a_broken_limit_leaves_no_room_at_all() -> None:
    most = limit("maximum", "bet", 30)

    assert refused_bet([most], bets("ann 1 player 50"), "ann 1 player 1") == Refusal(
        "limit/maximum",
        {"spot": "player", "stake": 1, "amount": 30, "scope": "bet", "room": 0},
        CLAUSE,
    )


def test_the_tightest_limit_refuses_under_its_own_clause() -> None:
    wide = limit("maximum", "bet", 500, clause="ETG4 2.1.1")
    narrow = limit("differential", "box", 200, clause="CB4 5.1")
    refused = refused_bet([wide, narrow], [], "ann 1 player 501")

    assert (refused.code, refused.clause) == ("limit/differential", "CB4 5.1")
    assert refused.params["room"] == 200


def test_a_minimum_is_allowed_and_one_less_is_not() -> None:
    least = limit("minimum", "bet", 50)
    check_bet([least], [], bet("ann 1 player 50"))

    assert refused_bet([least], [], "ann 1 player 49") == Refusal(
        "limit/minimum", {"spot": "player", "stake": 49, "amount": 50}, CLAUSE
    )


def test_an_increase_counts_with_what_the_patron_has_in_that_box_on_that_spot() -> None:
    """Only the bet as a whole must reach the minimum; nobody else's money helps it."""
    least = limit("minimum", "bet", 50)
    check_bet([least], bets("ann 1 player 50"), bet("ann 1 player 1"))
    check_bet([least], bets("ann 1 player 20", "ann 1 player 20"), bet("ann 1 player 10"))

    for elsewhere in ("bob 1 player 50", "ann 2 player 50", "ann 1 banker 50"):
        refused = refused_bet([least], bets(elsewhere), "ann 1 player 49")
        assert refused.params == {"spot": "player", "stake": 49, "amount": 50}


def test_too_much_is_said_before_too_little() -> None:
    """Twenty are below the minimum of 50, but not even twenty may be added."""
    limits = [limit("minimum", "bet", 50), limit("maximum", "table", 10)]

    assert refused_bet(limits, [], "ann 1 player 20").code == "limit/maximum"


def test_a_bet_within_the_maximum_must_still_reach_the_minimum() -> None:
    limits = [limit("maximum", "bet", 500), limit("minimum", "bet", 50)]

    assert refused_bet(limits, [], "ann 1 player 49").code == "limit/minimum"
    check_bet(limits, [], bet("ann 1 player 500"))
    check_bet([], [], bet("ann 1 player 1"))


def test_the_minimum_of_one_spot_is_not_that_of_another() -> None:
    tie, sides = limit("minimum", "bet", 5, ("tie",)), limit("minimum", "bet", 50)
    check_minimum([sides, tie], "tie", 5)
    check_minimum([sides, tie], "lucky_six", 1)
    check_minimum([limit("maximum", "bet", 50)], "player", 1)

    with pytest.raises(Refusal) as caught:
        check_minimum([sides, tie], "tie", 4)
    assert caught.value == Refusal(
        "limit/minimum", {"spot": "tie", "stake": 4, "amount": 5}, CLAUSE
    )


# Taking a bet back


def refused_withdrawal(limits: list[Limit], standing: list[Bet], gone: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        check_withdrawal(limits, standing, bet(gone))
    return caught.value


@pytest.mark.parametrize(("spot", "other"), [("player", "banker"), ("banker", "player")])
def test_a_withdrawal_may_open_the_gap_to_the_limit_and_no_further(spot: str, other: str) -> None:
    """800 against 700 under a limit of 300: 200 may come off the 700, and 201 may not."""
    spread = limit("differential", "box", 300, clause="CB4 5.1")
    standing = bets(f"ann 1 {spot} 700", f"bob 1 {other} 800")
    check_withdrawal([spread], standing, bet(f"ann 1 {spot} 200"))

    assert refused_withdrawal([spread], standing, f"ann 1 {spot} 201") == Refusal(
        "limit/withdrawal", {"spot": spot, "other": other, "amount": 300, "room": 200}, "CB4 5.1"
    )


def test_a_withdrawal_from_the_larger_side_may_cross_over() -> None:
    spread = limit("differential", "box", 300)
    standing = bets("ann 1 player 1000", "bob 1 banker 800")
    check_withdrawal([spread], standing, bet("ann 1 player 500"))

    assert refused_withdrawal([spread], standing, "ann 1 player 501").params["room"] == 500


def test_where_the_gap_is_too_wide_already_nothing_may_go() -> None:
    spread = limit("differential", "box", 300)
    standing = bets("ann 1 player 100", "bob 1 banker 800")

    assert refused_withdrawal([spread], standing, "ann 1 player 1").params["room"] == 0
    check_withdrawal([spread], standing, bet("bob 1 banker 1"))


@every(("scope", "allowed"), [("bet", False), ("box", True), ("patron", False), ("table", True)])
def test_each_scope_looks_at_its_own_gap(scope: str, allowed: bool) -> None:
    """Ann's Banker bet leans on her own Player bet, or also on Bob's in the same box."""
    spread = limit("differential", scope, 300)
    standing = bets("ann 1 player 100", "ann 1 banker 400", "bob 1 player 200")

    if allowed:
        check_withdrawal([spread], standing, bet("ann 1 player 100"))
    else:
        assert refused_withdrawal([spread], standing, "ann 1 player 100").params["room"] == 0


def test_only_a_differential_between_these_spots_keeps_a_bet_down() -> None:
    """Other limits, and differentials of other spots, are passed over; later ones still count."""
    idle = [
        limit("maximum", "bet", 1),
        limit("differential", "box", 1, ("tie", "lucky_six")),
    ]
    standing = bets("ann 1 player 700", "bob 1 banker 800", "ann 1 tie 9")
    check_withdrawal(idle, standing, bet("ann 1 player 700"))
    check_withdrawal([limit("differential", "box", 300)], standing, bet("ann 1 tie 9"))

    spread = limit("differential", "box", 300)
    assert refused_withdrawal([*idle, spread], standing, "ann 1 player 201").params["room"] == 200


def test_nobody_takes_back_more_than_lies_there() -> None:
    standing = bets("ann 1 player 700", "bob 1 player 100", "ann 2 player 50")
    check_withdrawal([], standing, bet("ann 1 player 700"))

    assert refused_withdrawal([], standing, "ann 1 player 701") == Refusal(
        "bet/not-there", {"spot": "player", "stake": 701}
    )


def test_what_is_left_of_a_bet_is_the_minimum_or_nothing() -> None:
    least = limit("minimum", "bet", 300)
    standing = bets("ann 1 player 700")
    check_withdrawal([least], standing, bet("ann 1 player 400"))
    check_withdrawal([least], standing, bet("ann 1 player 700"))

    assert refused_withdrawal([least], standing, "ann 1 player 401") == Refusal(
        "limit/minimum", {"spot": "player", "stake": 299, "amount": 300}, CLAUSE
    )
    assert refused_withdrawal([least], standing, "ann 1 player 699").params["stake"] == 1


# The gap itself


def test_the_differential_is_the_gap_between_two_spots() -> None:
    standing = bets("ann 1 player 700", "bob 1 banker 800", "bob 2 banker 50", "ann 1 tie 9")

    assert differential(standing, "player", "banker") == 150
    assert differential(standing, "banker", "player") == 150
    assert differential(iter(standing), "player", "banker") == 150
    assert differential([], "player", "banker") == 0


STANDING = st.lists(
    st.builds(
        Bet,
        patron=st.sampled_from(["ann", "bob"]),
        box=st.integers(1, 2),
        spot=st.sampled_from(["player", "banker", "tie"]),
        stake=st.integers(1, 500),
    ),
    max_size=8,
)


@given(STANDING, st.sampled_from(list(Scope)), st.sampled_from(SIDES), st.integers(1, 900))
def test_a_bet_is_accepted_exactly_when_its_limit_holds_afterwards(
    standing: list[Bet], scope: Scope, spot: str, stake: int
) -> None:
    new = Bet("ann", 1, spot, stake)
    spread = Limit(Kind.DIFFERENTIAL, scope, SIDES, 400, CLAUSE)
    after = spread.together([*standing, new], "ann", 1)
    staked = {side: sum(one.stake for one in after if one.spot == side) for side in SIDES}
    other = "banker" if spot == "player" else "player"
    holds = staked[spot] - staked[other] <= 400

    try:
        check_bet([spread], standing, new)
    except Refusal:
        assert not holds
    else:
        assert holds


# The limits that the books bring


def test_the_online_limit_is_per_patron_and_the_other_sides_bet_enlarges_it() -> None:
    """ONL S1: any bet on Player enlarges the limit of Banker by the same amount."""
    limits = load("online-baccarat").limits
    spread = next(one for one in limits if one.kind is Kind.DIFFERENTIAL)

    assert (spread.scope, spread.spots, spread.clause) == (Scope.PATRON, SIDES, "ONL S1")
    assert tightest(limits, [], "ann", 1, "banker") == (spread, 500_000)
    standing = bets("ann 1 player 100000", "bob 1 player 70000")
    assert tightest(limits, standing, "ann", 1, "banker") == (spread, 600_000)


def test_the_rws_differential_is_per_betting_box() -> None:
    """CB4 5.1: the standing patron fills what the seated one leaves in that box."""
    limits = load("rws-commission").limits
    spread = next(one for one in limits if one.kind is Kind.DIFFERENTIAL)

    assert (spread.scope, spread.spots, spread.clause) == (Scope.BOX, SIDES, "CB4 5.1")
    standing = bets("ann 1 player 600000", "bob 2 player 900000")
    assert tightest(limits, standing, "bob", 1, "player") == (spread, 400_000)


# Limits that no bet could be checked against


SPOTS = ("player", "banker", "tie", "lucky_six")


def impossible(one: Limit) -> Refusal | None:
    try:
        check_limits([limit("maximum", "bet", 1), one], SPOTS)
    except Refusal as refusal:
        return refusal
    return None


def test_possible_limits_are_accepted() -> None:
    assert impossible(limit("minimum", "bet", 1)) is None
    assert impossible(limit("maximum", "table", 1)) is None
    assert impossible(limit("differential", "box", 1)) is None


@every("amount", [0, -1, True, 1.0, "9"])
def test_an_amount_is_a_whole_number_above_zero(amount: int) -> None:
    odd = replace(limit("maximum", "bet", 1), amount=amount)

    assert impossible(odd) == Refusal(
        "limit/impossible",
        {"kind": "maximum", "amount": amount, "others": odd.spots},
        CLAUSE,
    )


@every("spots", [("player",), ("player", "player"), SPOTS[:3]])
def test_a_differential_has_two_spots(spots: tuple[str, ...]) -> None:
    odd = replace(limit("differential", "box", 5), spots=spots)

    assert impossible(odd) == Refusal(
        "limit/impossible", {"kind": "differential", "amount": 5, "others": spots}, CLAUSE
    )


@every("scope", [Scope.BOX, Scope.PATRON, Scope.TABLE])
def test_a_minimum_is_per_bet(scope: Scope) -> None:
    assert impossible(replace(limit("minimum", "bet", 5), scope=scope)) is not None


def test_a_limit_names_spots_of_the_book() -> None:
    assert impossible(replace(limit("maximum", "bet", 5), spots=("player", "nope"))) is not None
