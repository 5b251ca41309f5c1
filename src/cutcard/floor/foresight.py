"""Foresight: what advice said of everybody's money, held against what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from cutcard.floor.floor import Broken
from cutcard.round.state import FINISHED, Key
from cutcard.table import Table
from cutcard.table.advice import Path
from cutcard.table.prospects import Prospect
from cutcard.table.state import nets

Circumstances = tuple[tuple[int, int, int], dict[Key, int], frozenset[Key]]
"""Which shoe, round and incident; what lies where; which Antes were declined."""


@dataclass(frozen=True)
class Foreseen:
    """What was said, and what it was said of."""

    of: Circumstances
    prospects: Mapping[str, Prospect]
    house: Prospect


class Foresight:
    """The latest advice on money at one table."""

    def __init__(self) -> None:
        self._said: Foreseen | None = None

    def remember(self, table: Table, path: Path) -> None:
        """Somebody took a path of which advice had said what it does to the money."""
        self._said = None
        if path.prospects is not None and path.house is not None:
            self._said = Foreseen(_circumstances(table), path.prospects, path.house)

    def compared(self, table: Table) -> bool:
        """Whether the round is settled as it was foreseen; False where it cannot be told."""
        said, settled = self._said, table.round.settled
        if said is None or settled is None or table.round.phase not in FINISHED:
            return False
        self._said = None
        if _circumstances(table) != said.of:
            return False
        came = {who: net for who, (net, _) in nets(settled.bets).items()}
        every = [(said.house, -sum(came.values()))]
        every += [(one, came.get(who, 0)) for who, one in said.prospects.items()]
        for one, net in every:
            if not one.least <= net <= one.most:
                raise Broken(f"advice said {one} and {net} came of it")
        return True


def _circumstances(table: Table) -> Circumstances:
    stakes = {bet.key: bet.stake for bet in table.round.bets}
    which = table.shoes, table.round.number, table.incidents
    return which, stakes, frozenset(table.round.declined)
