"""The venue's shoes: where each one is, and which of them nobody may use.

A shoe that had to be taken away in the middle stays in quarantine until a pit manager
releases it. All of it follows from significant events, so it is known after a restart.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cutcard.refusals import Refusal
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
    """All of them, by name."""

    def __init__(self) -> None:
        self._kept: dict[str, ShoeKept] = {}

    def all(self) -> list[ShoeKept]:
        """Every shoe, the latest first."""
        return sorted(self._kept.values(), key=lambda one: -one.at)

    def hear(self, told: Iterable[Significant]) -> None:
        """Significant events, in the order of time."""
        for one in told:
            if one.kind == RELEASED:
                self.release(one.after, quiet=True)
            elif one.kind in KINDS:
                state = {REGISTERED: "in use", ENDED: "ended", REMOVED: QUARANTINE}[one.kind]
                self._kept[one.after] = ShoeKept(
                    one.after, one.where, state, one.at, one.who, one.why
                )

    def check_free(self, shoe: str, table: str) -> None:
        """Refuse a shoe that is in quarantine, or at another table."""
        found = self._kept.get(shoe)
        if found is None:
            return
        if found.state == QUARANTINE:
            raise Refusal("shoe/quarantine", {"shoe": shoe})
        if found.state == "in use" and found.table != table:
            raise Refusal("shoe/in-use", {"shoe": shoe})

    def release(self, shoe: str, *, quiet: bool = False) -> None:
        found = self._kept.get(shoe)
        if found is None or found.state != QUARANTINE:
            if quiet:
                return
            raise Refusal("shoe/not-quarantined", {"shoe": shoe})
        self._kept[shoe] = replace(found, state="released")
