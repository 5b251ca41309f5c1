"""What the auditor remembers of one table, and the few questions that everybody asks of it."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from cutcard.floor.auditor import rules
from cutcard.floor.auditor.limits import Key, Limit, Lying
from cutcard.floor.auditor.remedies import Remedy

Record = dict[str, Any]

RANKS = {"dealer": 0, "pit supervisor": 1, "pit manager": 2, "shift manager": 3}
LETTERS = {"player": "P", "banker": "B", "tie": "T"}


class Memory:
    """A table as the auditor has it; what each event does to it is said by subject elsewhere."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.setup: Record = {}
        self.book: dict[str, rules.Spot] = {}
        self.open = False
        self.limits: list[Record] = []
        self.staff: dict[str, tuple[str, str | None, int]] = {}
        self.seats: dict[int, str] = {}
        self.clock = 0
        """For how long (ms) rounds were under way here with nothing wrong, all of them together."""

        self.seat_from: dict[int, int] = {}
        """By box, the clock when its patron sat down or had a bet."""

        self.read_at = 0
        self.stacks: Counter[str] = Counter()
        self.last_round: int | None = None
        self.shoes = self.rounds = self.number = 0
        self.results = ""
        self.shoe: Counter[str] | None = None
        """What nobody has seen yet, burned cards included."""

        self.shoe_name = ""
        self.sealed: set[str] = set()
        self.left = 0
        self.seen: Counter[str] = Counter()
        """Cards that a continuous shuffler takes back before the next round."""

        self.run: list[str] = []
        """The latest cards out of the shoe, as long as they come in the order of a new deck."""

        self.to_burn: int | None = None
        self.cut = False
        self.phase = "idle"
        self.always: set[str] = set()
        self.kept: list[str] = []
        self.due: list[str] = []
        """What must come next, because it is part of what came before."""

        self.incidents = 0
        self.incident: Record | None = None
        self.behind: list[Record] = []
        """What went wrong while something else was being put right."""

        self.remedy: Remedy | None = None
        self.clause: str | None = None
        """Under which an interrupted round must be concluded or void."""

        self.taken: list[Record] = []
        """What was done about the open incident, so far."""

        self.before: list[str] = []
        """The coup when it was reported."""

        self.offer: list[str] = []
        self.options: dict[str, bool | None] | None = None
        self.choose_until = 0
        self._clear()

    def _clear(self) -> None:
        """Forget the round before."""
        self.bets: dict[Key, Lying] = {}
        self.terms: list[Limit] = []
        self.counts: dict[Key, int] = {}
        self.declined: set[Key] = set()
        self.removed: set[Key] = set()
        self.player: list[str] = []
        self.banker: list[str] = []
        self.shown: set[int] = set()
        """Which cards of the coup lie open, counted from 0 in dealing order."""

        self.earlier = 0
        """How many cards of the coup came out of a shoe that is not there any more."""

        self.settled: list[Record] | None = None
        self.owed: Counter[str] = Counter()
        """What each patron came to owe in this round."""

        self.struck: dict[str, int] = {}
        """What the settlement being corrected must take off those debts."""

        self.on_road = False
        """Whether the last result of the roads is this round's."""

        self.rejecting: dict[Key, int] = {}
        self.yielding: dict[Key, int] = {}
        """What standing patrons keep who must give way to a seated bet."""

        self.made_room_for: Lying | None = None
        self.until = 0
        self.short: set[Key] | None = None
        self.squeezes: list[tuple[str, str]] = []
        """Who asked for the squeeze of which side, and has no answer yet."""

        self.bound: set[str] = set()

    # --- saying -----------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        self.found.append(text)

    def _must(self, lawful: bool, text: str) -> None:
        if not lawful:
            self.found.append(text)

    # --- asking -----------------------------------------------------------------------------------

    @property
    def under_way(self) -> bool:
        return self.phase not in ("idle", "over")

    @property
    def correctable(self) -> bool:
        """Whether there is a round that can be put right: also one settled, until the next."""
        return self.under_way or self.settled is not None

    @property
    def edition(self) -> int:
        """Which edition of the house's own rules the table keeps."""
        return int(self.setup.get("edition") or 0)

    def _wants_dealer(self) -> bool:
        return self.setup["book"] in rules.WANT_A_DEALER

    def dealt(self) -> list[str]:
        """The coup in dealing order."""
        return in_order(self.player, self.banker)

    def at_risk(self, patron: str) -> int:
        """The most that a patron may still lose on bets not yet settled."""
        if not self.under_way:
            return 0
        return sum(self._worst(bet) for bet in self.bets.values() if bet.patron == patron)

    def _worst(self, bet: Lying) -> int:
        spot = self.book[bet.spot]
        if spot.follows is not None:
            return 0
        more = rules.WAGER_MULTIPLE if rules.second_of(self.book, bet.spot) else 0
        return bet.stake * (spot.worst + more)

    def _role(self, record: Record, needed: str) -> None:
        self._must(
            self._rank(record["by"], record["at"]) >= RANKS[needed],
            f"{record['event']} by {record['by']}, who is no {needed}",
        )

    def _rank(self, person: str, at: int) -> int:
        role, acting, until = self.staff.get(person, ("", None, 0))
        held = [role] if acting is None or at >= until else [role, acting]
        return max(RANKS.get(one, -1) for one in held)

    def _undecided(self) -> list[Lying]:
        """Antes that nobody has decided on, once the card for it is out."""
        if len(self.player) + len(self.banker) < rules.DECIDE_AFTER:
            return []
        return [
            bet
            for bet in self.bets.values()
            if (second := rules.second_of(self.book, bet.spot))
            and bet.key not in self.declined
            and (bet.box, bet.patron, second) not in self.bets
        ]

    # --- changing ---------------------------------------------------------------------------------

    def _stack(self, patron: str, change: int) -> None:
        self.stacks[patron] += change
        self._must(self.stacks[patron] >= 0, f"the stack of {patron} is {self.stacks[patron]}")


def in_order(player: list[str], banker: list[str]) -> list[str]:
    """Two hands in dealing order: Player, Banker, and so on."""
    places = range(max(len(player), len(banker)))
    return [hand[place] for place in places for hand in (player, banker) if place < len(hand)]


def lying(bet: Record) -> Lying:
    return Lying(
        bet["box"],
        bet["patron"],
        bet["spot"],
        bet["stake"],
        bet["reserve"],
        bet["seated"],
        bet["order"],
    )


def named(bet: Lying) -> str:
    return f"{bet.spot} {bet.stake} of {bet.patron} in box {bet.box}"


def nets(bets: Iterable[Record]) -> dict[str, int]:
    """What each patron won or lost with some settled bets."""
    found: dict[str, int] = {}
    for one in bets:
        patron = one["bet"]["patron"]
        found[patron] = found.get(patron, 0) + one["net"]
    return found
