"""The venue's shoes: where each one is, and which of them nobody may use.

A shoe that had to be taken away in the middle, or whose count failed, stays in quarantine
until a pit manager releases it. All of it follows from significant events, so it is known
after a restart.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cutcard.refusals import Refusal
from cutcard.server.signin import plain
from cutcard.store import Significant

REGISTERED, ENDED, REMOVED = "shoe registered", "shoe ended", "shoe removed"
RELEASED = "staff release-shoe"
KINDS = frozenset({REGISTERED, ENDED, REMOVED, RELEASED})
QUARANTINE = "quarantine"


@dataclass(frozen=True, slots=True)
class ShoeKept:
    """One shoe: in use, ended, or in quarantine."""

    shoe: str
    table: str
    state: str
    at: int
    by: str
    why: str = ""


class Shoes:
    """All of them, by name, however it is typed: a space makes no other shoe."""

    def __init__(self) -> None:
        self._kept: dict[str, ShoeKept] = {}

    def all(self) -> list[ShoeKept]:
        """Every shoe, the latest first."""
        return sorted(self._kept.values(), key=lambda one: -one.at)

    def hear(self, told: Iterable[Significant]) -> None:
        """Significant events, in the order of time."""
        for one in told:
            found = self._quarantined(one.after)
            if one.kind == RELEASED:
                if found is not None:
                    self._kept[_key(one.after)] = replace(
                        found, state="released", at=one.at, by=one.who, why=one.why
                    )
            elif one.kind in KINDS and (found is None or one.kind == REMOVED):
                # Out of quarantine a shoe comes by a release, and by nothing else.
                state = {REGISTERED: "in use", ENDED: "ended", REMOVED: QUARANTINE}[one.kind]
                if one.kind == ENDED and one.why:
                    # Its count failed: cards are missing, or too many.
                    state = QUARANTINE
                self._kept[_key(one.after)] = ShoeKept(
                    one.after, one.where, state, one.at, one.who, one.why
                )

    def check_free(self, shoe: str, table: str) -> None:
        """Refuse a shoe that is in quarantine, or at another table."""
        found = self._kept.get(_key(shoe))
        if found is None:
            return
        if found.state == QUARANTINE:
            raise Refusal("shoe/quarantine", {"shoe": shoe})
        if found.state == "in use" and found.table != table:
            raise Refusal("shoe/in-use", {"shoe": shoe})

    def check_quarantined(self, shoe: str) -> None:
        """Refuse to release a shoe that is not in quarantine."""
        if self._quarantined(shoe) is None:
            raise Refusal("shoe/not-quarantined", {"shoe": shoe})

    def _quarantined(self, shoe: str) -> ShoeKept | None:
        found = self._kept.get(_key(shoe))
        return found if found is not None and found.state == QUARANTINE else None


def _key(shoe: str) -> str:
    return plain(shoe) or shoe
