"""The auditor's own shoe and hands: where each card came from, where it went, who has seen it."""

from collections import Counter
from itertools import pairwise

from cutcard.floor.auditor import rules
from cutcard.floor.auditor.memory import Memory, Record
from cutcard.floor.auditor.remedies import MISREAD


class Cards(Memory):
    """From the first card of a shoe to its last, and the cards kept beside it."""

    # --- the shoe ---------------------------------------------------------------------------------

    def _shoe_registered(self, record: Record) -> None:
        self._must(self.shoe is None, "a second shoe on the table")
        name = record["shoe"]
        self._must(name not in self.sealed, f"shoe {name} is sealed and came back")
        full = {rank + suit: self.setup["decks"] for rank in rules.RANKS for suit in rules.SUITS}
        self._must(record["manifest"] == full, f"shoe {name} is not full")
        self.shoe, self.left = Counter(record["manifest"]), sum(record["manifest"].values())
        self.shoe_name, self.seen, self.run = name, Counter(), []
        self.shoes += 1
        self.to_burn, self.cut, self.results, self.on_road = None, False, "", False
        self.earlier = len(self.player) + len(self.banker)
        if not self.under_way:
            # Rounds are counted from one again, so those still to come after a notice are too.
            if self.last_round is not None:
                self.last_round -= self.rounds
            self.rounds = 0

    def _card_exposed(self, record: Record) -> None:
        self._must(self.to_burn is None, "a second card exposed")
        self._take(record["card"])
        self.to_burn = rules.burns(record["card"])
        self._must(self.to_burn == record["to_burn"], f"{record['card']} burns {self.to_burn}")

    def _card_burned(self, record: Record) -> None:
        self.to_burn = (self.to_burn or 0) - 1
        self.left -= 1
        self.run = []
        self._must(record["left_to_burn"] == self.to_burn >= 0, "the burn was counted wrongly")

    def _cut_card_shown(self, record: Record) -> None:  # noqa: ARG002
        self._must(not self.cut, "the cut card came twice")
        self._must(not self.setup["continuous"], "a continuous shuffler has no cut card")
        self.cut = True

    def _shoe_ended(self, record: Record) -> None:
        self._must(not self.under_way, "the shoe ended in the middle of a round")
        missing = self._to_count() - record["left"]
        self._must(record["missing"] == missing, f"{missing} cards are missing from the shoe")
        if missing:
            self.due.append("IncidentReported")
        self.shoe, self.kept = None, []

    def _to_count(self) -> int:
        """How many cards a count should find: in a continuous shuffler all of them."""
        if self.setup["continuous"] and self.edition >= 1:
            return 52 * int(self.setup["decks"])
        return self.left

    def _shoe_removed(self, record: Record) -> None:
        self._must(self.shoe is not None, "a shoe was sealed that was not there")
        self._must(record["shoe"] == self.shoe_name, f"{record['shoe']} is not the shoe in use")
        self.sealed.add(self.shoe_name)
        self.shoe, self.kept = None, []

    def _take(self, card: str) -> None:
        if self.shoe is None:
            self._say(f"{card} came out of no shoe")
            return
        self._out(card)
        self.run = _in_a_row([*self.run, card])

    # --- squeezing --------------------------------------------------------------------------------

    def _squeeze_requested(self, record: Record) -> None:
        is_open = self.setup["book"] in rules.OPEN
        seated = [
            bet for bet in self.bets.values() if is_open or self.seats.get(bet.box) == bet.patron
        ]
        best = max(seated, key=lambda bet: (bet.stake, -bet.order), default=None)
        lawful = best is not None and best.patron == record["patron"]
        to_come = rules.turn(self.player, self.banker) is not None
        in_time = self.phase in ("closed", "dealing") and to_come
        if self.edition >= 1:
            in_time = in_time and self._may_get(record["side"])
        self._must(lawful and in_time, f"{record['patron']} may not squeeze")
        self._forget_squeeze(record)
        self.squeezes.append((record["patron"], record["side"]))

    def _squeeze_answered(self, record: Record) -> None:
        asked = [side for patron, side in self.squeezes if patron == record["patron"]]
        self._must(bool(asked), f"{record['patron']} had not asked")
        due = next((side for side in asked if self._may_get(side)), asked[0] if asked else None)
        self._must(record["side"] == due, f"{record['side']} answered, and {due} was asked first")
        if record["granted"] and self.edition >= 1:
            self._must(self._may_get(record["side"]), "a squeeze of a card that cannot come")
        self._forget_squeeze(record)

    def _forget_squeeze(self, record: Record) -> None:
        """A request is answered or made again; before the first edition a patron had one."""
        self.squeezes = [
            (patron, side)
            for patron, side in self.squeezes
            if patron != record["patron"] or (self.edition >= 1 and side != record["side"])
        ]

    def _may_get(self, side: str) -> bool:
        """Whether a card may still come to a side, now or after the other side's third."""
        mine, theirs = self.player, self.banker
        if side == "banker":
            mine, theirs = theirs, mine
        turn = rules.turn(self.player, self.banker)
        if turn is None or len(mine) == 3:
            return False
        return min(len(mine), len(theirs)) < 2 or turn == side or side == "banker"

    def _cards_opened(self, record: Record) -> None:  # noqa: ARG002
        self.shown = set(range(len(self.dealt())))

    # --- the hands --------------------------------------------------------------------------------

    def _card_dealt(self, record: Record) -> None:
        card = record["card"]
        self._must(self.phase in ("closed", "dealing"), f"{card} dealt: {self.phase}")
        self._must(not self._undecided(), "a card was dealt before every Ante was decided on")
        side = rules.turn(self.player, self.banker)
        wrong = f"{card} went to {record['side']}, should go to {side or 'nobody'}"
        self._must(record["side"] == side, wrong)
        # A card that was kept has been seen, and so have those that are decided on.
        place = self._next_place(side)
        # Where cards lie on the wrong side, a card may come before some that lie there.
        self.shown = {one + (one >= place) for one in self.shown}
        always = rules.DECIDE_AFTER if rules.has_antes(self.book) else 0
        if self.kept or not self.setup["face_down"] or place < always:
            self.shown.add(place)
        out_of_the_shoe = not self.kept
        if self.kept:
            first = self.kept.pop(0)
            self._must(card == first, f"{first} was kept and should have come before {card}")
        else:
            self._must(self.to_burn == 0, f"{card} came before the burn")
            self._take(card)
        if not self.setup["scanner"] and self.incident is None:
            second = record["seen_by"]
            known = self._rank(second or "", record["at"]) >= 0 and second != record["by"]
            self._must(known, f"{card} entered by hand and confirmed by nobody else")
        (self.player if record["side"] == "player" else self.banker).append(card)
        self.phase = "dealing"
        self._decide_next()
        alarms = out_of_the_shoe and self._alarms()
        if self.incident is None and (alarms or self._too_few()):
            self.due.append("IncidentReported")

    def _next_place(self, side: str | None) -> int:
        """Where the next card of a hand comes in dealing order."""
        own, other = self.player, self.banker
        if side != "player":
            own, other = other, own
        return len(own) + min(len(other), len(own) + (side != "player"))

    def _alarms(self) -> bool:
        """Whether the latest cards came in the order of a new deck."""
        enough = self.setup["sentinel"]
        return bool(enough) and len(self.run) >= enough

    def _too_few(self) -> bool:
        none = self.left <= 0 and not self.kept
        return none and rules.turn(self.player, self.banker) is not None

    def _decide_next(self) -> None:
        if self._undecided():
            self.due.append("DecisionsOpened")

    def _cards_kept(self, record: Record) -> None:
        drawn = self.incident["drawn"] if self.incident else []
        if self.incident is not None and self.incident["kind"] == MISREAD:
            drawn = self._left_over()
            for card in record["cards"]:
                self._out(card)
        as_they_came = record["cards"] == drawn or sorted(record["cards"]) == sorted(drawn)
        self._must(as_they_came, f"kept {record['cards']}, but {drawn} were drawn")
        self.kept += record["cards"]

    def _kept_cards_burned(self, record: Record) -> None:
        self._must(record["cards"] == self.kept, f"burned {record['cards']}, kept {self.kept}")
        self.kept = []

    def _coup_corrected(self, record: Record) -> None:
        self._must(self.under_way and self.phase != "betting", "there was nothing to correct")
        self._set(record["coup"])
        self.phase = "dealing"
        self._decide_next()

    def _set(self, coup: Record) -> None:
        """Other hands: as they lie, of the same cards, or with a card that was misread."""
        before, was_open = self.dealt(), self.shown
        self.player, self.banker = [*coup["player"]], [*coup["banker"]]
        now = self.dealt()
        if self.incident is None or self.incident["kind"] != MISREAD:
            # Whoever has seen a card has seen it wherever it lies.
            seen = Counter(before[place] for place in was_open)
            self.shown = {place for place, card in enumerate(now) if _one_of(seen, card)}
            return
        missed = set(range(len(before), len(now)))
        self.shown = {place for place in was_open if place < len(now)} | missed
        if self.shoe is not None:
            self._give_back(before[self.earlier :])
            for card in now[self.earlier :]:
                self._out(card)

    def _out(self, card: str) -> None:
        """A card has left the shoe."""
        assert self.shoe is not None, "whoever calls this has a shoe"
        self.shoe[card] -= 1
        self.seen[card] += 1
        self.left -= 1
        self._must(self.shoe[card] >= 0, f"{card} came out more often than it is in the shoe")

    def _left_over(self) -> list[str]:
        """Cards of this shoe that a correction takes out of hands which are whole without them."""
        if self.shoe is None or rules.turn(self.player, self.banker) is not None:
            return []
        return self.before[max(len(self.dealt()), self.earlier) :]

    def _give_back(self, cards: list[str]) -> None:
        """Cards that were recorded and never came."""
        assert self.shoe is not None, "whoever calls this has a shoe"
        for card in cards:
            self.shoe[card] += 1
            self.seen[card] -= 1
            self.left += 1


def _one_of(seen: Counter[str], card: str) -> bool:
    if seen[card] <= 0:
        return False
    seen[card] -= 1
    return True


def _in_a_row(cards: list[str]) -> list[str]:
    """The longest run at the end of some cards: one suit, rank by rank, up or down."""
    for start in range(len(cards)):
        tail = cards[start:]
        ranks = [rules.RANKS.index(card[0]) for card in tail]
        steps = {later - sooner for sooner, later in pairwise(ranks)}
        if len({card[1] for card in tail}) == 1 and (steps <= {1} or steps <= {-1}):
            return tail
    return []
