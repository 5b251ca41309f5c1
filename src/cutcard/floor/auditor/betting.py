"""The auditor's own betting: what may lie where, what is cut, and what is decided on an Ante."""

from collections import Counter
from dataclasses import replace

from cutcard.floor.auditor import limits as own
from cutcard.floor.auditor import rules
from cutcard.floor.auditor.limits import Key, Limit, Lying
from cutcard.floor.auditor.memory import Memory, Record, lying, named

REJECTED = "excess rejected", "excess of the table rejected"
SEATED_FIRST = "seated patrons first"


class Betting(Memory):
    """From "place your bets" to the last decision."""

    def _round_opened(self, record: Record) -> None:
        self._must(not self.under_way, "a round opened before the last was over")
        self._must(self.open, "a round at a closed table")
        self._must(self.to_burn == 0 and self.shoe is not None, "a round before the burn")
        self._must(not self.cut, "a round after the cut card")
        late = self.last_round is not None and self.rounds >= self.last_round
        self._must(not late, "a round after the last one announced")
        if self._wants_dealer() and self.setup["machine"] is None:
            there = any(
                role == "dealer" or (acts == "dealer" and record["at"] < until)
                for role, acts, until in self.staff.values()
            )
            self._must(there, "a round opened and no dealer was signed on")
        self.rounds += 1
        self.number = self.rounds
        self._must(record["number"] == self.rounds, f"round {record['number']} is {self.rounds}")
        terms = record["terms"]
        whole = [one for one in self.limits if one["scope"] == "table" and self.edition >= 2]
        announced = [*(one for one in self.limits if one not in whole), *whole]
        self._must(terms["limits"] == announced, "other limits than announced")
        for name in ("book", "book_hash", "boxes", "entry", "apportioning", "decision_ms"):
            self._must(terms[name] == self.setup[name], f"{name} is not that of the table")
        self._clear()
        if self.setup["continuous"] and self.shoe is not None:
            self.left += sum(self.seen.values())
            self.shoe += self.seen
            self.seen = Counter()
        self.phase = "betting"
        self.terms = [
            Limit(one["kind"], one["scope"], tuple(one["spots"]), one["amount"])
            for one in terms["limits"]
        ]

    def _bet_placed(self, record: Record) -> None:
        bet = lying(record["bet"])
        self._must(self.phase == "betting", f"{named(bet)} accepted while bets are not open")
        lay = self.bets.get(bet.key)
        before = None if record["before"] is None else lying(record["before"])
        self._must(before == lay, f"{named(bet)}: what lay there before is not what it says")
        added = bet.stake - (lay.stake if lay else 0)
        self._must(added > 0, f"{named(bet)} was not increased")
        spot = self.book.get(bet.spot)
        if spot is None or spot.follows is not None:
            self._say(f"{named(bet)} is not offered")
            return
        self._must(added % spot.step == 0, f"{named(bet)} is off its step of {spot.step}")
        self._must(bet.reserve == bet.stake * (spot.worst - 1), f"{named(bet)}: wrong reserve")
        self._placed_where(bet, spot)
        if record["bet"]["placed_by"] is not None:
            staff = self._rank(record["bet"]["placed_by"], record["at"]) >= 0
            self._must(staff, f"{named(bet)} placed by somebody who is no staff")
        self._stack(bet.patron, (lay.held if lay else 0) - bet.held)
        self.bets[bet.key] = bet
        if self.setup["reserve_second"]:
            self._can_continue(bet)
        if self.setup["entry"] == "refuse":
            self._make_room(bet, spot.step)

    def _make_room(self, bet: Lying, step: int) -> None:
        """Within the limits, or once standing patrons have given way to a seated one (CB4 5.1)."""
        if bet.seated:
            self.yielding = own.gives_way(self.terms, [*self.bets.values()], bet, step)
        self.made_room_for = bet
        if not self.yielding:
            self._within_limits(bet)

    def _gave_way(self, record: Record, bet: Lying, stake: int) -> None:
        self._must(record["clause"] == "CB4 5.1", f"{named(bet)} under {record['clause']}")
        line = {key: self.bets[key].order for key in self.yielding}
        last = max(line, key=lambda key: line[key], default=None)
        self._must(bet.key == last, f"{named(bet)} gave way, and {last} should have")
        should = self.yielding.pop(bet.key, None)
        self._must(stake == should, f"{named(bet)} gave way down to {stake}, should be {should}")

    def _gave_way_all(self) -> None:
        for (box, patron, spot), stake in self.yielding.items():
            self._say(f"{spot} of {patron} in box {box} should have given way down to {stake}")
        self.yielding = {}

    def _can_continue(self, bet: Lying) -> None:
        """Whether the patron could still pay the Wagers of every Ante on the table."""
        wagers = sum(
            one.stake * rules.WAGER_MULTIPLE
            for one in self.bets.values()
            if one.patron == bet.patron and rules.second_of(self.book, one.spot)
        )
        left = self.stacks[bet.patron]
        self._must(left >= wagers, f"{named(bet)} leaves {left}, and Wagers will take {wagers}")

    def _placed_where(self, bet: Lying, spot: rules.Spot) -> None:
        if self.setup["book"] in rules.OPEN:
            lawful = bet.box == 0 and bet.seated
            self._must(lawful, f"{named(bet)}: there are no boxes, and everybody is alike")
        else:
            self._in_a_box(bet)
        if spot.needs:
            self._must(self._has(bet.patron, spot.needs), f"{named(bet)} without {spot.needs}")

    def _in_a_box(self, bet: Lying) -> None:
        self._must(1 <= bet.box <= self.setup["boxes"], f"there is no box {bet.box}")
        holder = self.seats.get(bet.box)
        self._must(bet.seated == (holder == bet.patron), f"{named(bet)}: seated or not?")
        if holder != bet.patron and not self.setup["open_boxes"]:
            behind = self.setup["book"] in rules.STANDING
            self._must(behind, f"{named(bet)} in somebody else's box")
            lead = any(one.box == bet.box and one.patron == holder for one in self.bets.values())
            self._must(lead, f"{named(bet)} behind a seat without a bet")

    def _has(self, patron: str, spots: tuple[str, ...]) -> bool:
        return any(one.patron == patron and one.spot in spots for one in self.bets.values())

    def _within_limits(self, bet: Lying) -> None:
        for text in own.broken(self.terms, list(self.bets.values()), bet.patron, bet.box):
            self._say(f"{named(bet)} breaks a limit: {text}")
        least = own.least(self.terms, bet.spot)
        self._must(bet.stake >= least, f"{named(bet)} is below the minimum of {least}")

    def _bet_withdrawn(self, record: Record) -> None:
        bet = lying(record["bet"])
        left = None if record["left"] is None else lying(record["left"])
        self._must(self.phase == "betting", f"{named(bet)} withdrawn while bets are not open")
        self._must(self.bets.get(bet.key) == bet, f"{named(bet)} withdrawn, but does not lie so")
        stake = left.stake if left else 0
        self._must(stake < bet.stake, f"{named(bet)} did not become less")
        if record["cause"] == SEATED_FIRST:
            self._gave_way(record, bet, stake)
        elif record["cause"] in REJECTED:
            self._rejected(bet, stake, None if record["cause"] == REJECTED[1] else bet.box)
        else:
            self._rejected_all()
            self._gave_way_all()
        self._stack(bet.patron, bet.held - (left.held if left else 0))
        self.bets.pop(bet.key, None)
        if left is not None:
            self.bets[bet.key] = left
            step = self.book[bet.spot].step
            self._must(left.stake % step == 0, f"{named(left)} is off its step of {step}")
        if record["cause"] == SEATED_FIRST:
            for text in own.broken(self.terms, [*self.bets.values()], bet.patron, bet.box):
                self._must(bool(self.yielding), f"{named(bet)} gave way, which breaks: {text}")
            if not self.yielding and self.made_room_for is not None:
                self._within_limits(self.made_room_for)
        elif record["cause"] == "needs another bet":
            needs = self.book[bet.spot].needs
            self._must(not self._has(bet.patron, needs), f"{named(bet)} could have stayed")
        elif record["cause"] == "withdrawn" and self.setup["entry"] == "refuse":
            if left is not None:
                self._within_limits(left)
            for text in own.broken(self.terms, list(self.bets.values()), bet.patron, bet.box):
                self._say(f"withdrawing {named(bet)} breaks a limit: {text}")

    def _rejected(self, bet: Lying, stake: int, box: int | None) -> None:
        if not self.rejecting:
            lying = [replace(one) for one in self.bets.values() if box in (None, one.box)]
            limits = [one for one in self.terms if box is None or one.scope in ("box", "bet")]
            own.reject_all(limits, lying, {spot: one.step for spot, one in self.book.items()})
            self.rejecting = {
                one.key: one.stake for one in lying if one.stake < self.bets[one.key].stake
            }
        should = self.rejecting.pop(bet.key, None)
        self._must(stake == should, f"{named(bet)} rejected down to {stake}, should be {should}")

    def _rejected_all(self) -> None:
        for (box, patron, spot), stake in self.rejecting.items():
            self._say(f"{spot} of {patron} in box {box} should have been rejected down to {stake}")
        self.rejecting = {}

    def _bets_closed(self, record: Record) -> None:
        self._must(self.phase == "betting", "bets closed twice")
        for bet in self.bets.values():
            needs = self.book[bet.spot].needs
            lawful = not needs or self._has(bet.patron, needs)
            self._must(lawful, f"{named(bet)} stands without {needs}")
        said = {(one["box"], one["patron"], one["spot"]): one["stake"] for one in record["cut"]}
        should = self._cut() if self.setup["entry"] == "warn" else {}
        if said != should:
            self._say(f"apportioned {_readable(said)}, should be {_readable(should)}")
        self.counts, self.phase = should, "closed"

    def _cut(self) -> dict[Key, int]:
        first = self.setup["apportioning"] == "seated first"
        share = own.seated_first if first else own.apportioned
        counting = {key: replace(bet) for key, bet in self.bets.items()}
        # The limit of a whole table looks at what the limits of its boxes have left, and what it
        # takes may leave the other side of a box too heavy.
        whole = [one for one in self.terms if one.scope == "table"]
        limits = [*(one for one in self.terms if one.scope != "table"), *whole]
        cut = True
        while cut:
            cut = False
            for side in own.heavy(limits, list(counting.values())):
                least, step = own.least(self.terms, side.spot), self.book[side.spot].step
                shares = share(side.bets, side.target, least, step)
                cut = any(stake < counting[key].stake for key, stake in shares.items())
                for key, stake in shares.items():
                    counting[key].stake = stake
                if cut:
                    break
        return {key: bet.stake for key, bet in counting.items() if bet.stake < self.bets[key].stake}

    # --- decisions --------------------------------------------------------------------------------

    def _decisions_opened(self, record: Record) -> None:
        self._must(bool(self._undecided()), "there is nothing to decide on")
        self.phase, self.until, self.short = "deciding", record["until"], None
        should = record["at"] + self.setup["decision_ms"]
        self._must(record["until"] == should, f"decisions until {record['until']}, not {should}")

    def _second_stage_placed(self, record: Record) -> None:
        bet = lying(record["bet"])
        self._must(self.phase == "deciding", f"{named(bet)} while nothing is decided on")
        first = self.bets.get((bet.box, bet.patron, record["first"]))
        if first is None or self.book[bet.spot].follows != record["first"]:
            self._say(f"{named(bet)} follows on no Ante")
            return
        must = first.stake * rules.WAGER_MULTIPLE
        self._must(bet.stake == must, f"{named(bet)} should be {must}")
        undecided = any(one.key == first.key for one in self._undecided())
        self._must(undecided, f"{named(first)} was decided on before")
        if record["by_system"]:
            self._must(self._continues(first.key, record["at"]), f"{named(bet)} by nobody's wish")
        else:
            self._must(record["at"] < self.until, f"{named(bet)} after the time was up")
        self._stack(bet.patron, -bet.held)
        self.bets[bet.key] = bet

    def _second_stage_declined(self, record: Record) -> None:
        key = record["box"], record["patron"], record["spot"]
        name = f"{record['spot']} of {record['patron']}"
        undecided = any(one.key == key for one in self._undecided())
        self._must(self.phase == "deciding" and undecided, f"{name} cannot be declined")
        if record["by_system"]:
            forfeits = not self._continues(key, record["at"])
            self._must(forfeits, f"{name} forfeited against the patron's standing wish")
        else:
            self._must(record["at"] < self.until, f"{name} declined after the time was up")
        self.declined.add(key)

    def _continues(self, key: Key, at: int) -> bool:
        """Whether Antes continue by themselves now: asked for beforehand, and affordable."""
        self._must(at >= self.until, "decided by the system before time was up")
        if self.short is None:
            left, self.short = Counter(self.stacks), set()
            for bet in sorted(self._undecided(), key=lambda bet: bet.order):
                cost = bet.stake * rules.WAGER_MULTIPLE
                if cost > left[bet.patron]:
                    self.short.add(bet.key)
                else:
                    left[bet.patron] -= cost
        return key[1] in self.always and key not in self.short

    def _decisions_closed(self, record: Record) -> None:  # noqa: ARG002
        self._must(not self._undecided(), "decisions closed with an Ante undecided")
        self.phase = "dealing"

    def _always_chosen(self, record: Record) -> None:
        if record["always"]:
            self.always.add(record["patron"])
        else:
            self.always.discard(record["patron"])

    def _chips_removed(self, record: Record) -> None:
        bet = lying(record["bet"])
        lawful = self.phase not in ("idle", "betting", "over")
        self._must(lawful, f"chips of {named(bet)} removed while bets are not closed")
        none_lie = self.setup["boxes"] == 0 and self.edition >= 1
        self._must(not none_lie, f"chips of {named(bet)} removed where none lie")
        there = self.bets.get(bet.key) == bet and bet.key not in self.removed
        self._must(there, f"{named(bet)} removed, but does not lie so")
        self.removed.add(bet.key)
        self._stack(bet.patron, bet.held)


def _readable(cut: dict[Key, int]) -> str:
    return (
        ", ".join(f"{spot} of {who} in {box} to {stake}" for (box, who, spot), stake in cut.items())
        or "nothing"
    )
