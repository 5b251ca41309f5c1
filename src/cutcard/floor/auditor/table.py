"""The auditor's own table: every event of a table's log, checked against its own memory."""

import re
from collections import Counter
from dataclasses import replace
from typing import Any

from cutcard.floor.auditor import limits as own
from cutcard.floor.auditor import rules
from cutcard.floor.auditor.limits import Key, Limit, Lying

Record = dict[str, Any]

RANKS = {"dealer": 0, "pit supervisor": 1, "pit manager": 2, "shift manager": 3}
SUPERVISED = ("TableOpened", "ClosingAnnounced", "TableClosed", "LimitsScheduled", "RoundVoided")
DEALT_WITH = (
    "ShoeRegistered",
    "CardExposed",
    "CardBurned",
    "CutCardShown",
    "ShoeEnded",
    "SqueezeAnswered",
    "CardsOpened",
    "CardDealt",
    "ChipsRemoved",
)
REJECTED = "excess rejected", "excess of the table rejected"
LETTERS = {"player": "P", "banker": "B", "tie": "T"}


class TableAudit:
    """What the auditor remembers of one table."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.setup: Record = {}
        self.book: dict[str, rules.Spot] = {}
        self.open = False
        self.limits: list[Record] = []
        self.staff: dict[str, tuple[str, str | None, int]] = {}
        self.seats: dict[int, str] = {}
        self.stacks: Counter[str] = Counter()
        self.last_round: int | None = None
        self.rounds = 0
        self.results = ""
        self.shoe: Counter[str] | None = None
        self.left = 0
        self.seen: Counter[str] = Counter()
        """Cards that a continuous shuffler takes back before the next round."""

        self.to_burn: int | None = None
        self.cut = False
        self.phase = "idle"
        self.always: set[str] = set()
        self._clear()

    def _clear(self) -> None:
        self.bets: dict[Key, Lying] = {}
        self.terms: list[Limit] = []
        self.counts: dict[Key, int] = {}
        self.declined: set[Key] = set()
        self.removed: set[Key] = set()
        self.player: list[str] = []
        self.banker: list[str] = []
        self.rejecting: dict[Key, int] = {}
        self.until = 0
        self.short: set[Key] | None = None
        self.squeezer: str | None = None

    def read(self, record: Record) -> list[str]:
        """Check one event; say what is wrong with it."""
        self.found = []
        event = record["event"]
        if event in SUPERVISED:
            self._role(record, "pit supervisor")
        elif event in DEALT_WITH and record["by"] != self.setup.get("machine"):
            self._role(record, "dealer")
        if event != "BetWithdrawn":
            self._rejected_all()
        name = re.sub("(?<=[a-z])(?=[A-Z])", "_", event).lower()
        getattr(self, f"_{name}")(record)
        return self.found

    def at_risk(self, patron: str) -> int:
        """The most that a patron may still lose on bets not yet settled."""
        if self.phase in ("idle", "over"):
            return 0
        return sum(self._worst(bet) for bet in self.bets.values() if bet.patron == patron)

    def _worst(self, bet: Lying) -> int:
        spot = self.book[bet.spot]
        if spot.follows is not None:
            return 0
        more = rules.WAGER_MULTIPLE if rules.second_of(self.book, bet.spot) else 0
        return bet.stake * (spot.worst + more)

    def _say(self, text: str) -> None:
        self.found.append(text)

    def _must(self, lawful: bool, text: str) -> None:
        if not lawful:
            self.found.append(text)

    def _role(self, record: Record, needed: str) -> None:
        self._must(
            self._rank(record["by"], record["at"]) >= RANKS[needed],
            f"{record['event']} by {record['by']}, who is no {needed}",
        )

    def _rank(self, person: str, at: int) -> int:
        role, acting, until = self.staff.get(person, ("", None, 0))
        held = [role] if acting is None or at >= until else [role, acting]
        return max(RANKS.get(one, -1) for one in held)

    def _stack(self, patron: str, change: int) -> None:
        self.stacks[patron] += change
        self._must(self.stacks[patron] >= 0, f"the stack of {patron} is {self.stacks[patron]}")

    # --- the table and its people -----------------------------------------------------------------

    def _table_opened(self, record: Record) -> None:
        self._must(not self.open, "opened twice")
        self.setup, self.open = record["setup"], True
        self.limits = self.setup["limits"]
        self.book = rules.BOOKS.get(self.setup["book"], {})
        self._must(bool(self.book), f"plays by {self.setup['book']}, a book nobody knows")

    def _closing_announced(self, record: Record) -> None:
        self.last_round = record["last_round"]

    def _table_closed(self, record: Record) -> None:  # noqa: ARG002
        self._must(self.phase in ("idle", "over"), "closed in the middle of a round")
        announced = self.last_round is not None and self.rounds >= self.last_round
        self._must(announced, "closed before the round that was announced as the last")
        self.open, self.last_round = False, None

    def _signed_on(self, record: Record) -> None:
        self.staff[record["person"]] = record["role"], None, 0

    def _signed_off(self, record: Record) -> None:
        self.staff.pop(record["person"], None)

    def _acting(self, record: Record) -> None:
        self._role(record, record["role"])
        role = self.staff.get(record["person"], ("", None, 0))[0]
        self.staff[record["person"]] = role, record["role"], record["until"]

    def _limits_scheduled(self, record: Record) -> None:
        self.limits = record["limits"]

    def _seat_taken(self, record: Record) -> None:
        box = record["box"]
        self._must(box not in self.seats, f"seat {box} is taken twice")
        self._must(1 <= box <= self.setup["boxes"], f"there is no seat {box}")
        self._must(record["patron"] not in self.seats.values(), "somebody sits on two seats")
        self.seats[box] = record["patron"]

    def _seat_left(self, record: Record) -> None:
        left = self.seats.pop(record["box"], None)
        self._must(left == record["patron"], f"{record['patron']} left a seat of somebody else")

    def _stack_filled(self, record: Record) -> None:
        self._stack(record["patron"], record["amount"])

    def _stack_emptied(self, record: Record) -> None:
        under_way = self.phase not in ("idle", "over")
        betting = under_way and any(bet.patron == record["patron"] for bet in self.bets.values())
        self._must(not betting, f"{record['patron']} cashed out with bets in play")
        self._stack(record["patron"], -record["amount"])

    # --- the shoe ---------------------------------------------------------------------------------

    def _shoe_registered(self, record: Record) -> None:
        self._must(self.shoe is None, "a second shoe on the table")
        full = {rank + suit: self.setup["decks"] for rank in rules.RANKS for suit in rules.SUITS}
        self._must(record["manifest"] == full, f"shoe {record['shoe']} is not full")
        self.shoe, self.left = Counter(record["manifest"]), sum(record["manifest"].values())
        # Rounds are counted from one again, so those still to come after a notice are too.
        if self.last_round is not None:
            self.last_round -= self.rounds
        self.to_burn, self.cut, self.rounds, self.results = None, False, 0, ""
        self.seen = Counter()

    def _card_exposed(self, record: Record) -> None:
        self._must(self.to_burn is None, "a second card exposed")
        self._take(record["card"])
        self.to_burn = rules.burns(record["card"])
        self._must(self.to_burn == record["to_burn"], f"{record['card']} burns {self.to_burn}")

    def _card_burned(self, record: Record) -> None:
        self.to_burn = (self.to_burn or 0) - 1
        self.left -= 1
        self._must(record["left_to_burn"] == self.to_burn >= 0, "the burn was counted wrongly")

    def _cut_card_shown(self, record: Record) -> None:  # noqa: ARG002
        self._must(not self.cut, "the cut card came twice")
        self._must(not self.setup["continuous"], "a continuous shuffler has no cut card")
        self.cut = True

    def _shoe_ended(self, record: Record) -> None:
        self._must(self.phase in ("idle", "over"), "the shoe ended in the middle of a round")
        missing = self.left - record["left"]
        self._must(record["missing"] == missing, f"{missing} cards are missing from the shoe")
        self.shoe = None

    def _take(self, card: str) -> None:
        if self.shoe is None:
            self._say(f"{card} came out of no shoe")
            return
        self.shoe[card] -= 1
        self.seen[card] += 1
        self.left -= 1
        self._must(self.shoe[card] >= 0, f"{card} came out more often than it is in the shoe")

    def _squeeze_requested(self, record: Record) -> None:
        seated = [bet for bet in self.bets.values() if self.seats.get(bet.box) == bet.patron]
        best = max(seated, key=lambda bet: (bet.stake, -bet.order), default=None)
        lawful = best is not None and best.patron == record["patron"] and not self.player
        self._must(lawful and self.phase == "closed", f"{record['patron']} may not squeeze")
        self.squeezer = record["patron"]

    def _squeeze_answered(self, record: Record) -> None:
        self._must(record["patron"] == self.squeezer, f"{record['patron']} had not asked")

    def _cards_opened(self, record: Record) -> None:
        pass

    # --- betting ----------------------------------------------------------------------------------

    def _round_opened(self, record: Record) -> None:
        self._must(self.phase in ("idle", "over"), "a round opened before the last was over")
        self._must(self.open, "a round at a closed table")
        self._must(self.to_burn == 0 and self.shoe is not None, "a round before the burn")
        self._must(not self.cut, "a round after the cut card")
        late = self.last_round is not None and self.rounds >= self.last_round
        self._must(not late, "a round after the last one announced")
        self.rounds += 1
        self._must(record["number"] == self.rounds, f"round {record['number']} is {self.rounds}")
        terms = record["terms"]
        self._must(terms["limits"] == self.limits, "other limits than announced")
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
        bet = _lying(record["bet"])
        self._must(self.phase == "betting", f"{_named(bet)} accepted while bets are not open")
        lay = self.bets.get(bet.key)
        before = None if record["before"] is None else _lying(record["before"])
        self._must(before == lay, f"{_named(bet)}: what lay there before is not what it says")
        added = bet.stake - (lay.stake if lay else 0)
        self._must(added > 0, f"{_named(bet)} was not increased")
        spot = self.book.get(bet.spot)
        if spot is None or spot.follows is not None:
            self._say(f"{_named(bet)} is not offered")
            return
        self._must(added % spot.step == 0, f"{_named(bet)} is off its step of {spot.step}")
        self._must(bet.reserve == bet.stake * (spot.worst - 1), f"{_named(bet)}: wrong reserve")
        self._placed_where(bet, spot)
        if record["bet"]["placed_by"] is not None:
            staff = self._rank(record["bet"]["placed_by"], record["at"]) >= 0
            self._must(staff, f"{_named(bet)} placed by somebody who is no staff")
        self._stack(bet.patron, (lay.held if lay else 0) - bet.held)
        self.bets[bet.key] = bet
        if self.setup["entry"] == "refuse":
            self._within_limits(bet)

    def _placed_where(self, bet: Lying, spot: rules.Spot) -> None:
        self._must(1 <= bet.box <= self.setup["boxes"], f"there is no box {bet.box}")
        holder = self.seats.get(bet.box)
        self._must(bet.seated == (holder == bet.patron), f"{_named(bet)}: seated or not?")
        if holder != bet.patron and not self.setup["open_boxes"]:
            lead = any(one.box == bet.box and one.patron == holder for one in self.bets.values())
            self._must(lead, f"{_named(bet)} behind a seat without a bet")
        if spot.needs:
            self._must(self._has(bet.patron, spot.needs), f"{_named(bet)} without {spot.needs}")

    def _has(self, patron: str, spots: tuple[str, ...]) -> bool:
        return any(one.patron == patron and one.spot in spots for one in self.bets.values())

    def _within_limits(self, bet: Lying) -> None:
        for text in own.broken(self.terms, list(self.bets.values()), bet.patron, bet.box):
            self._say(f"{_named(bet)} breaks a limit: {text}")
        least = own.least(self.terms, bet.spot)
        self._must(bet.stake >= least, f"{_named(bet)} is below the minimum of {least}")

    def _bet_withdrawn(self, record: Record) -> None:
        bet = _lying(record["bet"])
        left = None if record["left"] is None else _lying(record["left"])
        self._must(self.phase == "betting", f"{_named(bet)} withdrawn while bets are not open")
        self._must(self.bets.get(bet.key) == bet, f"{_named(bet)} withdrawn, but does not lie so")
        stake = left.stake if left else 0
        self._must(stake < bet.stake, f"{_named(bet)} did not become less")
        if record["cause"] in REJECTED:
            self._rejected(bet, stake, None if record["cause"] == REJECTED[1] else bet.box)
        else:
            self._rejected_all()
        self._stack(bet.patron, bet.held - (left.held if left else 0))
        self.bets.pop(bet.key, None)
        if left is not None:
            self.bets[bet.key] = left
            step = self.book[bet.spot].step
            self._must(left.stake % step == 0, f"{_named(left)} is off its step of {step}")
        if record["cause"] == "needs another bet":
            needs = self.book[bet.spot].needs
            self._must(not self._has(bet.patron, needs), f"{_named(bet)} could have stayed")
        elif record["cause"] == "withdrawn" and self.setup["entry"] == "refuse":
            if left is not None:
                self._within_limits(left)
            for text in own.broken(self.terms, list(self.bets.values()), bet.patron, bet.box):
                self._say(f"withdrawing {_named(bet)} breaks a limit: {text}")

    def _rejected(self, bet: Lying, stake: int, box: int | None) -> None:
        if not self.rejecting:
            lying = [replace(one) for one in self.bets.values() if box in (None, one.box)]
            limits = [one for one in self.terms if box is None or one.scope in ("box", "bet")]
            own.reject_all(limits, lying, {spot: one.step for spot, one in self.book.items()})
            self.rejecting = {
                one.key: one.stake for one in lying if one.stake < self.bets[one.key].stake
            }
        should = self.rejecting.pop(bet.key, None)
        self._must(stake == should, f"{_named(bet)} rejected down to {stake}, should be {should}")

    def _rejected_all(self) -> None:
        for (box, patron, spot), stake in self.rejecting.items():
            self._say(f"{spot} of {patron} in box {box} should have been rejected down to {stake}")
        self.rejecting = {}

    def _bets_closed(self, record: Record) -> None:
        self._must(self.phase == "betting", "bets closed twice")
        for bet in self.bets.values():
            needs = self.book[bet.spot].needs
            lawful = not needs or self._has(bet.patron, needs)
            self._must(lawful, f"{_named(bet)} stands without {needs}")
        said = {(one["box"], one["patron"], one["spot"]): one["stake"] for one in record["cut"]}
        should = self._cut() if self.setup["entry"] == "warn" else {}
        if said != should:
            self._say(f"apportioned {_readable(said)}, should be {_readable(should)}")
        self.counts, self.phase = should, "closed"

    def _cut(self) -> dict[Key, int]:
        first = self.setup["apportioning"] == "seated first"
        share = own.seated_first if first else own.apportioned
        counting = {key: replace(bet) for key, bet in self.bets.items()}
        # The limit of a whole table looks at what the limits of its boxes have left.
        whole = [one for one in self.terms if one.scope == "table"]
        for limit in [*(one for one in self.terms if one.scope != "table"), *whole]:
            for side in own.heavy([limit], list(counting.values())):
                least, step = own.least(self.terms, side.spot), self.book[side.spot].step
                for key, stake in share(side.bets, side.target, least, step).items():
                    counting[key].stake = stake
        return {key: bet.stake for key, bet in counting.items() if bet.stake < self.bets[key].stake}

    # --- cards and decisions ----------------------------------------------------------------------

    def _card_dealt(self, record: Record) -> None:
        self._must(self.phase in ("closed", "dealing"), f"{record['card']} dealt: {self.phase}")
        self._must(not self._undecided(), "a card was dealt before every Ante was decided on")
        side = rules.turn(self.player, self.banker)
        wrong = f"{record['card']} went to {record['side']}, should go to {side or 'nobody'}"
        self._must(record["side"] == side, wrong)
        self._take(record["card"])
        if not self.setup["scanner"]:
            second = record["seen_by"]
            known = self._rank(second or "", record["at"]) >= 0 and second != record["by"]
            self._must(known, f"{record['card']} entered by hand and confirmed by nobody else")
        (self.player if record["side"] == "player" else self.banker).append(record["card"])
        self.phase = "dealing"

    def _undecided(self) -> list[Lying]:
        if len(self.player) + len(self.banker) < rules.DECIDE_AFTER:
            return []
        return [
            bet
            for bet in self.bets.values()
            if (second := rules.second_of(self.book, bet.spot))
            and bet.key not in self.declined
            and (bet.box, bet.patron, second) not in self.bets
        ]

    def _decisions_opened(self, record: Record) -> None:
        self._must(bool(self._undecided()), "there is nothing to decide on")
        dealt = len(self.player) + len(self.banker)
        self._must(dealt == rules.DECIDE_AFTER, f"decisions after {dealt} cards")
        self.phase, self.until, self.short = "deciding", record["until"], None
        should = record["at"] + self.setup["decision_ms"]
        self._must(record["until"] == should, f"decisions until {record['until']}, not {should}")

    def _second_stage_placed(self, record: Record) -> None:
        bet = _lying(record["bet"])
        self._must(self.phase == "deciding", f"{_named(bet)} while nothing is decided on")
        first = self.bets.get((bet.box, bet.patron, record["first"]))
        if first is None or self.book[bet.spot].follows != record["first"]:
            self._say(f"{_named(bet)} follows on no Ante")
            return
        must = first.stake * rules.WAGER_MULTIPLE
        self._must(bet.stake == must, f"{_named(bet)} should be {must}")
        undecided = any(one.key == first.key for one in self._undecided())
        self._must(undecided, f"{_named(first)} was decided on before")
        if record["by_system"]:
            self._must(self._continues(first.key, record["at"]), f"{_named(bet)} by nobody's wish")
        else:
            self._must(record["at"] < self.until, f"{_named(bet)} after the time was up")
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
        bet = _lying(record["bet"])
        lawful = self.phase not in ("idle", "betting", "over")
        self._must(lawful, f"chips of {_named(bet)} removed while bets are not closed")
        there = self.bets.get(bet.key) == bet and bet.key not in self.removed
        self._must(there, f"{_named(bet)} removed, but does not lie so")
        self.removed.add(bet.key)
        self._stack(bet.patron, bet.held)

    # --- the end of a round -----------------------------------------------------------------------

    def _result_called(self, record: Record) -> None:
        over = self.phase == "dealing" and rules.turn(self.player, self.banker) is None
        self._must(over, "a result before the coup was over")
        self._must(not self._undecided(), "a result with an Ante undecided")
        coup = rules.outcome(self.player, self.banker)
        said = record["winner"], record["player_points"], record["banker_points"]
        should = coup.winner, coup.player, coup.banker
        self._must(said == should, f"result called {said}, should be {should}")
        self.phase = "result"

    def _round_settled(self, record: Record) -> None:
        self._must(self.phase == "result", "settled without a result")
        coup = rules.outcome(self.player, self.banker)
        times = Counter(_lying(one["bet"]).key for one in record["bets"])
        for key, bet in self.bets.items():
            self._must(times[key] == 1, f"{_named(bet)} settled {times[key]} times")
        for one in record["bets"]:
            bet = _lying(one["bet"])
            if self.bets.get(bet.key) != bet:
                self._say(f"{_named(bet)} settled, but does not lie so")
                continue
            self._settled(one, bet, coup)
        self.results += LETTERS[coup.winner]
        self.phase = "over"

    def _settled(self, one: Record, bet: Lying, coup: rules.Outcome) -> None:
        counts = self.counts.get(bet.key, bet.stake)
        net, commission = self.book[bet.spot].pays(coup)
        if bet.key in self.declined:
            net, commission = rules.LOST
        removed = bet.key in self.removed
        should = {
            "effective": counts,
            "net": counts * net,
            "commission": counts * commission,
            "removed": removed,
        }
        for name, figure in should.items():
            self._must(one[name] == figure, f"{_named(bet)}: {name} {one[name]}, not {figure}")
        if not removed:
            self._stack(bet.patron, bet.held + one["net"])
        elif one["net"] >= 0:
            self._stack(bet.patron, one["net"])

    def _round_voided(self, record: Record) -> None:
        self._must(self.phase not in ("idle", "over"), "there was nothing to void")
        returned = [_lying(bet) for bet in record["returned"]]
        should = [bet for key, bet in self.bets.items() if key not in self.removed]
        if sorted(bet.key for bet in returned) != sorted(bet.key for bet in should):
            self._say("a void did not return exactly the bets on the layout")
        for bet in returned:
            self._must(self.bets.get(bet.key) == bet, f"{_named(bet)} returned, lies otherwise")
            self._stack(bet.patron, bet.held)
        self.phase = "over"

    def check(self, said: Record) -> list[str]:
        """Compare what the table says of itself after a round."""
        self.found = []
        for patron in {**self.stacks, **said["stacks"]}:
            stands, should = said["stacks"].get(patron, 0), self.stacks[patron]
            self._must(stands == should, f"the stack of {patron} is {stands}, should be {should}")
        roads = f"the roads show {said['results']}, should be {self.results}"
        self._must(said["results"] == self.results, roads)
        return self.found


def _lying(bet: Record) -> Lying:
    return Lying(
        bet["box"],
        bet["patron"],
        bet["spot"],
        bet["stake"],
        bet["reserve"],
        bet["seated"],
        bet["order"],
    )


def _named(bet: Lying) -> str:
    return f"{bet.spot} {bet.stake} of {bet.patron} in box {bet.box}"


def _readable(cut: dict[Key, int]) -> str:
    return (
        ", ".join(f"{spot} of {who} in {box} to {stake}" for (box, who, spot), stake in cut.items())
        or "nothing"
    )
