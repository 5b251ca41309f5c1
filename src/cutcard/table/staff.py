"""Staff: who is at the table, in which role, and who acts in another's.

Dealer, pit supervisor, pit manager and shift manager rank in that order (CB4
1.11, 5.17). A person may act in a higher role until a set time.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cutcard.refusals import Refusal
from cutcard.rules.rulebook import Role

RANK = {role: place for place, role in enumerate(Role)}


@dataclass(frozen=True, slots=True)
class Member:
    """A person signed on at the table, and the role they act in for a while."""

    person: str
    role: Role
    acting: Role | None = None
    acting_until: int = 0

    def role_at(self, at: int) -> Role:
        """The highest role that counts at a moment."""
        if self.acting is None or at >= self.acting_until:
            return self.role
        return max(self.role, self.acting, key=lambda role: RANK[role])


def has_dealer(staff: Mapping[str, Member], at: int) -> bool:
    """Whether anybody is signed on as a dealer, or acts as one (CB4 1.11).

    A person who ranks above a dealer is none without acting as one.
    """
    return any(
        member.role is Role.DEALER or (member.acting is Role.DEALER and at < member.acting_until)
        for member in staff.values()
    )


def check_role(member: Member | None, needed: Role, at: int, clause: str | None) -> None:
    """Refuse what somebody's role does not allow at this moment."""
    _check(None if member is None else member.role_at(at), needed, clause)


def check_own_role(member: Member | None, needed: Role, clause: str | None) -> None:
    """The same, where a role that somebody only acts in does not count."""
    _check(None if member is None else member.role, needed, clause)


def _check(role: Role | None, needed: Role, clause: str | None) -> None:
    if role is None:
        raise Refusal("staff/not-signed-on", {"role": needed.value}, clause)
    if RANK[role] < RANK[needed]:
        raise Refusal("staff/role", {"role": needed.value, "own": role.value}, clause)
