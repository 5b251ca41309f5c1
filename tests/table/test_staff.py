"""Staff: who may do what, and who acts in another's place until when."""

from itertools import product

from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Role
from cutcard.table.staff import RANK, Member, check_role
from tests.cases import every

HOUR = 3_600_000


def refusal(member: Member | None, needed: Role, at: int = 0) -> Refusal | None:
    try:
        check_role(member, needed, at, "CB4 1.11")
    except Refusal as refused:
        return refused
    return None


def test_dealer_supervisor_pit_manager_and_shift_manager_rank_in_that_order() -> None:
    assert sorted(Role, key=lambda role: RANK[role]) == [
        Role.DEALER,
        Role.PIT_SUPERVISOR,
        Role.PIT_MANAGER,
        Role.SHIFT_MANAGER,
    ]


@every(("own", "needed"), list(product(Role, Role)))
def test_a_role_may_do_what_its_own_and_every_lower_role_may(own: Role, needed: Role) -> None:
    order = list(Role)
    allowed = order.index(own) >= order.index(needed)

    assert (refusal(Member("dan", own), needed) is None) == allowed


def test_a_refusal_says_which_role_is_needed_and_which_was_there() -> None:
    refused = refusal(Member("dan", Role.DEALER), Role.PIT_MANAGER)

    assert refused == Refusal("staff/role", {"role": "pit manager", "own": "dealer"}, "CB4 1.11")


def test_somebody_who_never_signed_on_has_no_role() -> None:
    assert refusal(None, Role.DEALER) == Refusal(
        "staff/not-signed-on", {"role": "dealer"}, "CB4 1.11"
    )


def test_an_acting_role_counts_until_its_hour_and_not_at_it() -> None:
    six = 6 * HOUR
    dan = Member("dan", Role.DEALER, Role.PIT_SUPERVISOR, six)

    assert dan.role_at(six - 1) is Role.PIT_SUPERVISOR
    assert dan.role_at(six) is Role.DEALER
    assert refusal(dan, Role.PIT_SUPERVISOR, six - 1) is None
    assert refusal(dan, Role.PIT_SUPERVISOR, six) == Refusal(
        "staff/role", {"role": "pit supervisor", "own": "dealer"}, "CB4 1.11"
    )


def test_acting_in_a_lower_role_takes_nothing_away() -> None:
    max_acts = Member("max", Role.PIT_MANAGER, Role.DEALER, HOUR)

    assert max_acts.role_at(0) is Role.PIT_MANAGER


def test_a_member_acts_in_no_other_role_unless_told() -> None:
    dan = Member("dan", Role.DEALER)

    assert [dan.role_at(at) for at in (-1, 0, 1, HOUR)] == [Role.DEALER] * 4
