"""The auditor's own incidents: what may be done about them, by whom, and who is asked."""

from collections import Counter

from cutcard.floor.auditor import remedies as own
from cutcard.floor.auditor import rules
from cutcard.floor.auditor.memory import RANKS, Record
from cutcard.floor.auditor.settling import Settling

ANY_TIME = (
    "SignedOn",
    "SignedOff",
    "Acting",
    "LimitsScheduled",
    "ClosingAnnounced",
    "SeatTaken",
    "SeatLeft",
    "TerminalAdded",
    "TerminalRemoved",
    "TerminalLocked",
    "TerminalUnlocked",
    "AttendantCalled",
    "AttendantCame",
    "StackFilled",
    "StackEmptied",
)
"""What goes on while the table waits."""

OF_A_STEP = (
    "RoundVoided",
    "SettlementCorrected",
    "CoupCorrected",
    "CardsKept",
    "KeptCardsBurned",
    "ShoeRemoved",
)
"""What nothing but a step may cause."""

ALSO_OF_A_STEP = ("CardDealt", "DecisionsOpened")
OF_A_CHOICE = ("OptionChosen", "BetsReturned", "SettlementCorrected", "DecisionsClosed")

FOUND = {
    own.FOREIGN: "a card that can still come",
    own.EXCESS: "a card that was wanted",
    own.UNSHUFFLED: "cards in no order",
    own.TOO_FEW: "cards enough",
    own.MISCOUNT: "a count that is right",
    own.INTERRUPTION: "",
}
"""What the table finds by itself, and what it is then wrong about if it did not have to."""


class Incidents(Settling):
    """From a report to the step that resolves it, and to the last choice that it gives."""

    def _in_turn(self, record: Record) -> None:
        """Whether an event may come now, for all that is open."""
        event = record["event"]
        if self.due:
            due = self.due.pop(0)
            if event != due:
                self._say(f"{event} where {due} should have come")
                self.due = []
            return
        report = event == "IncidentReported" and self._may_come_now(record["incident"])
        if self.incident is not None:
            step = event in OF_A_STEP or event in ALSO_OF_A_STEP
            if step:
                self.taken.append(record)
            other = event in ANY_TIME or report
            lawful = step or event == "IncidentResolved" or (other and not self.taken)
            self._must(lawful, f"{event} while something was wrong")
        elif self.options is not None:
            lawful = event in (*ANY_TIME, *OF_A_CHOICE, "OptionsClosed") or report
            self._must(lawful, f"{event} while patrons were choosing")
        elif event in (*OF_A_STEP, "OptionsOffered"):
            self._say(f"{event} came of no lawful step")

    def _may_come_now(self, incident: Record) -> bool:
        """Whether this may be reported although the table waits: only that it was interrupted."""
        known = [one for one in (self.incident, *self.behind) if one is not None]
        first = all(one["kind"] != own.INTERRUPTION for one in known)
        cards = incident["drawn"] or incident["lying"] or incident["exposed"] is not None
        matters = self.under_way or self.options is not None
        return incident["kind"] == own.INTERRUPTION and first and matters and not cards

    # --- reporting --------------------------------------------------------------------------------

    def _incident_reported(self, record: Record) -> None:
        incident = record["incident"]
        kind, by = incident["kind"], incident["by"]
        self.incidents += 1
        self._must(incident["number"] == self.incidents, "an incident is missing")
        self._must(kind in own.REMEDIES, f"{kind} is no irregularity of any book")
        self._check_round(incident)
        self._check_believable(incident)
        if by == own.SYSTEM:
            self._check_found(incident)
        elif by != self.setup["machine"]:
            known = self._rank(by, record["at"]) >= RANKS["dealer"]
            self._must(known, f"{kind} reported by {by}, who is no dealer")
        if kind != own.FOREIGN and incident["drawn"]:
            for card in incident["drawn"]:
                self._take(card)
            if self._alarms():
                self.due.append("IncidentReported")
        self._check_shown(incident)
        lies = incident["lying"]
        if lies is not None:
            same = sorted([*lies["player"], *lies["banker"]]) == sorted(self.dealt())
            self._must(self.correctable and same, "other cards are said to lie there")
        self.behind.append(incident)
        if self.incident is None:
            self._next_incident()

    def _next_incident(self) -> None:
        """What has waited longest is put right now."""
        self.incident = self.behind.pop(0) if self.behind else None
        if self.incident is None:
            return
        self.remedy, self.taken = own.REMEDIES.get(self.incident["kind"]), []
        self.before = self.dealt()
        self.lay = [*self.player], [*self.banker]
        self.held_back = [*self.kept]
        self.was_settled = self.settled is not None
        self.had_shoe = self.shoe is not None
        self.lawful, self.decided = self._lawful()

    def _check_round(self, incident: Record) -> None:
        # A shoe that has had no round yet follows on one that had.
        present = self.rounds or self.number
        late = incident["kind"] == own.LATE and incident["round"] < present
        if "shoe" in incident:
            latest = self.shoes if self.rounds else self.shoes - 1
            late = incident["kind"] == own.LATE and 1 <= incident["shoe"] < latest
            self._must(late, f"an incident of shoe {incident['shoe']}, which is not over")
        if late:
            cards = incident["drawn"] or incident["lying"] or incident["exposed"] is not None
            self._must(incident["round"] >= 1 and not cards, "cards of a round that is over")
        else:
            number = incident["round"]
            self._must(number == present, f"an incident of round {number} in {present}")

    def _check_believable(self, incident: Record) -> None:
        """What the cards themselves belie, nobody can report."""
        kind, lies = incident["kind"], incident["lying"]
        hands = (self.player, self.banker) if self.correctable else ([], [])
        if kind == own.TOO_FEW:
            there = (self.left if self.shoe is not None else 0) + len(self.kept)
            wanted = max(4 - len(hands[0]) - len(hands[1]), rules.turn(*hands) is not None)
            self._must(there < wanted, f"{there} cards are there, and {wanted} enough")
        if kind == own.WRONG_NUMBER and self.correctable and not incident["drawn"]:
            player, banker = (lies["player"], lies["banker"]) if lies is not None else hands
            right = own.follows_the_tableau(player, banker)
            right &= not (player or banker) or rules.turn(player, banker) is None
            self._must(not right, "a wrong number of cards, which is right")

    def _check_found(self, incident: Record) -> None:
        kind, drawn = incident["kind"], incident["drawn"]
        turn = rules.turn(self.player, self.banker)
        due = self.phase in ("closed", "dealing") and turn is not None and not self.kept
        scanned = len(drawn) == 1 and drawn != self.kept[:1]
        right = {
            own.FOREIGN: scanned and self._all_out(drawn),
            own.EXCESS: scanned and not due,
            own.UNSHUFFLED: self._alarms(),
            own.TOO_FEW: self._too_few(),
            own.MISCOUNT: self.shoe is None,
            own.INTERRUPTION: True,
        }.get(kind, False)
        self._must(right, f"the table found {kind}, and was wrong: {FOUND.get(kind)}")

    def _all_out(self, cards: list[str]) -> bool:
        """Whether each of some cards has come out as often as it is in the shoe."""
        return self.shoe is not None and all(self.shoe[card] <= 0 for card in cards)

    def _check_shown(self, incident: Record) -> None:
        place = incident["exposed"]
        if place is None:
            self._must(incident["kind"] != "card face up", "no card lies face up")
            return
        for turned in (place, *incident.get("also_exposed", [])):
            there = self.correctable and 0 <= turned < len(self.dealt())
            self._must(there and turned not in self.shown, f"card {turned} was not hidden")
            self.shown.add(turned)

    # --- what is lawful ---------------------------------------------------------------------------

    def _lawful(self) -> tuple[tuple[str, ...], bool]:
        """The steps that may be taken about the incident, and whether an outcome is established."""
        assert self.incident is not None, "an incident was just reported"
        incident, remedy = self.incident, self.remedy
        if remedy is None:
            return (), False
        kind, by, drawn = incident["kind"], incident["by"], incident["drawn"]
        asks = remedy.choice.startswith("undecided") or kind == own.INTERRUPTION
        decided = asks and self.correctable and bool(self._established(incident))
        steps = remedy.steps
        if kind == own.INTERRUPTION:
            step, self.clause = self._interrupted(decided)
            steps = (step,)
        elif steps[0] == own.RULE_VOID:
            steps = (own.RULE_ON,)
            steps += (own.RULE_VOID,) if self.correctable else ()
            steps += (own.NO_RULING,) if self.under_way else ()
            steps += (own.RULE_BURN,) if self.kept or drawn else ()
        elif not self.correctable or (steps == (own.CORRECT,) and not self.dealt()):
            steps = (own.RECORD,)
        elif steps == (own.VOID,) and not self.rounds:
            # The last round came out of another shoe.
            steps = (own.RECORD,)
        if kind == own.EXCESS and drawn and self.correctable and self.rounds and self.dealt():
            # Whoever found it, it may be the wrong number of cards that nobody can put right.
            steps += (own.VOID,)
        if kind in (own.UNSHUFFLED, own.MISCOUNT) and by == own.SYSTEM:
            steps += (own.DISMISS,)
        if by != own.SYSTEM and not drawn:
            steps += (own.RETRACT,)
        return steps, decided

    def _interrupted(self, decided: bool) -> tuple[str, str | None]:
        """What becomes of a round that is cut off, and under which clause, where that matters."""
        if not self.under_way:
            return own.RECORD, None
        if self.phase == "deciding":
            return own.VOID, "HOUSE house fault"
        if own.concludes_after_a_card(self.setup["book"]):
            started = self.player or self.banker
            return (own.CONCLUDE, "ONL E1") if started else (own.VOID, "ONL E2")
        return (own.CONCLUDE, "CB4 5.4.1") if decided else (own.VOID, "CB4 5.4.2")

    def _established(self, incident: Record) -> set[str]:
        """Bets that are decided by the cards that lie open, those drawn in their order included."""
        player, banker, shown = [*self.player], [*self.banker], set(self.shown)
        decides_nothing = incident["kind"] in (own.TOGETHER, own.FOREIGN)
        drawn = [] if decides_nothing else incident["drawn"]
        antes = any(rules.second_of(self.book, bet.spot) for bet in self.bets.values())
        dealing = self.phase in ("closed", "dealing")
        for card in [*self.kept, *drawn] if drawn and dealing else []:
            place, side = len(player) + len(banker), rules.turn(player, banker)
            # With the card that Antes are decided on, dealing stops.
            stops = antes and place == rules.DECIDE_AFTER and place > len(self.dealt())
            if side is None or stops:
                break
            shown.add(place)
            (player if side == "player" else banker).append(card)
        placed = {bet.spot for bet in self.bets.values()}
        spots = placed if self.setup["only_placed"] else set(self.book)
        return own.established(self.book, spots, (player, banker), shown, self._unseen())

    def _unseen(self) -> Counter[str]:
        """By rank, all cards that may still come or lie face down, burned ones included."""
        dealt = self.dealt()
        hidden = [card for place, card in enumerate(dealt) if place not in self.shown]
        whole = Counter(
            {rank + suit: self.setup["decks"] for rank in rules.RANKS for suit in rules.SUITS}
        )
        seen = [card for place, card in enumerate(dealt) if place in self.shown]
        left = Counter(self.shoe) if self.shoe is not None else whole - Counter(seen)
        if self.shoe is not None:
            left += Counter(hidden)
            if left.total() < rules.MOST_CARDS:
                left = whole - Counter(seen)
        by_rank: Counter[str] = Counter()
        for card, number in left.items():
            by_rank[card[0]] += max(0, number)
        return by_rank

    # --- resolving --------------------------------------------------------------------------------

    def _incident_resolved(self, record: Record) -> None:
        incident, remedy, step = self.incident, self.remedy, record["step"]
        if incident is None or remedy is None:
            self._say("nothing was wrong that could be resolved")
            return
        self._must(record["number"] == incident["number"], "another incident was resolved")
        known = f"{step!r} about {incident['kind']}, where {self.lawful} are lawful"
        self._must(step in self.lawful, known)
        self._check_signed(record, incident, remedy)
        if incident["kind"] == own.INTERRUPTION and step in (own.CONCLUDE, own.VOID):
            self._check_clause(record, self.clause)
        elif incident["kind"] == own.EXCESS and step == own.VOID:
            self._check_clause(record, own.wrong_number_clause(self.setup["book"]))
        if step == own.NO_RULING:
            ranks = [self._rank(person, record["at"]) for person in self.staff]
            there = any(rank >= RANKS["shift manager"] for rank in ranks)
            self._must(not there, f"{step!r}, although somebody was there who could rule")
        self._check_taken(step, incident, record["by"])
        decided, lay, misled = self.decided, self.lay, self._misled()
        self._next_incident()
        if self.options is not None:
            # Whoever was choosing has nothing to choose any more, or the whole time again.
            self.offer = sorted(who for who, chosen in self.options.items() if chosen is None)
            self.due.append("OptionsOffered" if self.correctable else "OptionsClosed")
            return
        # Whoever has been paid goes on with nothing, unless the hands were other ones.
        goes_on = self.under_way or (self.player, self.banker) != lay
        if own.gives_a_choice(remedy, step, decided) and self.correctable and goes_on:
            free = {bet.patron for bet in self.bets.values()}
            if remedy.choice == own.WHO_DECIDED:
                free = misled
            self.offer = sorted(free - self.bound if self.setup["bound"] else free)
        else:
            self.offer = []
        if self.offer:
            self.due.append("OptionsOffered")
        elif self.phase == "deciding":
            self.due.append("DecisionsOpened")

    def _check_clause(self, record: Record, should: str | None) -> None:
        said = record["clause"]
        self._must(said == should, f"{record['step']!r} under {said}, should be {should}")

    def _misled(self) -> set[str]:
        """Who decided on an Ante by a card that was worth other points than was said."""
        shown, there = (
            rules.total(cards[: rules.DECIDE_AFTER]) for cards in (self.before, self.dealt())
        )
        antes = [bet for bet in self.bets.values() if rules.second_of(self.book, bet.spot)]
        waiting = self._undecided()
        return {bet.patron for bet in antes if bet not in waiting and shown != there}

    def _check_signed(self, record: Record, incident: Record, remedy: own.Remedy) -> None:
        """Whether whoever took the step might, and said what had to be said."""
        step, by = record["step"], record["by"]
        unasked = step == own.RETRACT and not self.correctable
        ruling = own.RULE_VOID in remedy.steps
        needed = remedy.decides
        if step == own.VOID and incident["kind"] == own.EXCESS:
            needed = own.REMEDIES[own.WRONG_NUMBER].decides
        if step == own.NO_RULING or (ruling and unasked):
            needed = "pit supervisor"
        machine = needed == "dealer" and by == self.setup["machine"]
        restart = by == own.SYSTEM and incident["kind"] == own.INTERRUPTION
        if not machine and not restart:
            self._role(record, needed)
        said = None if restart else needed
        self._must(record["role"] == said, f"signed as {record['role']}, not {said}")
        # Cards that can be put in order are, unless somebody says why not.
        instead = step == own.VOID and own.RECONSTRUCT in remedy.steps
        if instead or step in own.SAYS_WHY or step in own.RULINGS:
            self._must(bool(record["reason"].strip()), f"{step!r} without a reason")
        if step in own.RULINGS:
            self._must(bool(record["facts"].strip()), "a ruling without the facts")

    def _check_taken(self, step: str, incident: Record, by: str) -> None:
        """Whether exactly that was done which the step does."""
        did = [one["event"] for one in self.taken if one["event"] != "DecisionsOpened"]
        should = self._should(step, incident)
        if step == own.ORDER and did[-1:] == ["ShoeRemoved"]:
            did = did[:-1]
        self._must(did == should, f"{step!r} did {did}, should be {should}")
        for one in self.taken:
            self._must(one.get("by", by) == by, f"{one['event']} by {one.get('by')}, not {by}")
        coup = next((one["coup"] for one in self.taken if "coup" in one), None)
        if step == own.PLAY_ON and incident["lying"] is not None:
            self._must(coup == incident["lying"], "the hands are not left as they lie")
        elif step == own.CORRECT:
            lawful = own.follows_the_tableau(self.player, self.banker)
            self._must(lawful, "corrected to hands that nobody deals")
            self._must(self.dealt() != self.before, "nothing was corrected")

    def _should(self, step: str, incident: Record) -> list[str]:
        drawn, kind = incident["drawn"], incident["kind"]
        should: list[str] = []
        in_order = step in (own.RECONSTRUCT, own.ORDER)
        if step in own.VOIDS:
            should.append("SettlementCorrected" if self.was_settled else "RoundVoided")
        elif in_order and drawn:
            should += ["CardsKept", *["CardDealt"] * self._dealt_in_order()]
        elif step == own.CORRECT or (step == own.PLAY_ON and incident["lying"] is not None):
            should.append("SettlementCorrected" if self.was_settled else "CoupCorrected")
        if step == own.CORRECT and self._left_over():
            should.append("CardsKept")
        if drawn and kind != own.FOREIGN and not in_order:
            should.append("CardsKept")
        if step == own.RULE_BURN:
            should.append("KeptCardsBurned")
        if kind in own.SEALS and step in (own.VOID, own.RECORD) and self.had_shoe:
            should.append("ShoeRemoved")
        return should

    def _dealt_in_order(self) -> int:
        """How many cards had to be dealt: as many as the tableau took, and not one fewer."""
        dealt = len(self.dealt()) - len(self.before)
        waits = self.phase == "deciding"
        wanted = self.phase in ("closed", "dealing") and rules.turn(self.player, self.banker)
        if self.kept and wanted and not waits:
            self._say(f"{self.kept[0]} should have been dealt to the {wanted}")
        return dealt

    # --- choosing ---------------------------------------------------------------------------------

    def _options_offered(self, record: Record) -> None:
        said = sorted(record["patrons"])
        self._must(said == self.offer, f"a choice for {said}, should be {self.offer}")
        should = record["at"] + self.setup["option_ms"]
        self._must(record["until"] == should, f"to choose until {record['until']}, not {should}")
        self.options, self.choose_until = dict.fromkeys(self.offer), record["until"]

    def _option_chosen(self, record: Record) -> None:
        patron, options = record["patron"], self.options or {}
        free = patron in options and options[patron] is None
        self._must(free, f"{patron} had no choice, or had chosen")
        in_time = record["at"] < self.choose_until
        self._must(in_time != record["by_system"], f"{patron} chose at the wrong time")
        silent = record["by_system"] and record["continues"]
        self._must(not silent, f"{patron} said nothing and is made to go on")
        if record["placed_by"] is not None:
            staff = self._rank(record["placed_by"], record["at"]) >= RANKS["dealer"]
            self._must(staff, f"somebody who is no staff chose for {patron}")
        if self.options is not None:
            self.options[patron] = record["continues"]
        if record["continues"]:
            self.bound.add(patron)
        else:
            self.due.append("SettlementCorrected" if self.settled is not None else "BetsReturned")
        if None not in options.values():
            self.due.append("OptionsClosed")
        elif record["by_system"]:
            # Time is up for everybody at once.
            self.due.append("OptionChosen")

    def _options_closed(self, record: Record) -> None:  # noqa: ARG002
        chosen = self.options is not None and None not in self.options.values()
        self._must(chosen or not self.correctable, "choices closed before everybody had chosen")
        self.options = None
        if self.phase == "deciding":
            self.due.append("DecisionsOpened")
