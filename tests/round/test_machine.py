"""Rounds under random lawful and unlawful commands, watched by a bystander with a notebook.

The bystander shares no code with the round beyond the settlement of one patron's
bets, which the rules own: it remembers what was placed and asks at the end
whether every bet was settled or returned exactly once.
"""

from collections import Counter
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from cutcard.refusals import Refusal
from cutcard.round import Apportioning, Entry, Phase, Round, Terms, decide, fold
from cutcard.round.commands import (
    CallResult,
    ChooseAlways,
    ChooseSecondStage,
    CloseBets,
    Command,
    DrawCard,
    EndDecisions,
    OpenRound,
    PlaceBet,
    RejectExcess,
    ReportRemoved,
    SettleRound,
    VoidRound,
    WithdrawBet,
)
from cutcard.round.events import (
    BetPlaced,
    Event,
    RoundSettled,
    RoundVoided,
    SecondStageDeclined,
    SecondStagePlaced,
    Settled,
)
from cutcard.rulebooks import load
from cutcard.rules.coup import next_side
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.settlement import settle
from cutcard.rules.shoe import full_shoe

BOOKS = ("rws-knockout", "rws-commission", "online-cow-cow", "online-no-commission")
ANTES = ("ante_player", "ante_banker")
BOXES = 3
MULTIPLE = 2
"""What Knockout asks of a Wager."""

patrons = st.sampled_from(["ann", "bob", "eve"])
boxes = st.integers(1, BOXES) | st.sampled_from([0, BOXES + 1])
stakes = st.sampled_from([20, 40, 60, 100, 200, 400]) | st.sampled_from([0, -20, 1, 7, 50, 10**16])
cards = st.sampled_from(full_shoe(1))

Whose = tuple[int, str, str]


class RoundMachine(RuleBasedStateMachine):
    """One table. Every refusal leaves it as it was, and its log alone tells its state."""

    def __init__(self) -> None:
        super().__init__()
        self.state = Round()
        self.log: list[Event] = []
        self.now = 0
        self.number = 0
        self.closed: dict[Whose, int] = {}
        """The bets as they lay when betting closed."""

        self.wagers: dict[Whose, int] = {}
        self.timed_out: set[Whose] = set()

    @initialize(
        book=st.sampled_from(["rws-knockout"] * 3 + [*BOOKS]),
        entry=st.sampled_from(Entry),
        apportioning=st.sampled_from(Apportioning),
        scope=st.sampled_from([Scope.BOX, Scope.PATRON, Scope.TABLE]),
    )
    def sit_down(self, book: str, entry: Entry, apportioning: Apportioning, scope: Scope) -> None:
        self.book: Rulebook = load(book)
        self.sides = ("player", "banker")
        self.gap, self.scope = 200, scope
        others = tuple(spot for spot in self.book.spots if spot not in self.sides)
        self.terms = Terms(
            book=self.book.id,
            book_hash=self.book.hash,
            limits=(
                Limit(Kind.MINIMUM, Scope.BET, tuple(self.book.spots), 40, "HOUSE limits"),
                Limit(Kind.DIFFERENTIAL, scope, self.sides, self.gap, "CB4 5.1"),
                Limit(Kind.MAXIMUM, Scope.BET, others, 100, "HOUSE limits"),
                Limit(Kind.MAXIMUM, Scope.TABLE, ("tie",), 160, "HOUSE limits"),
            ),
            boxes=BOXES,
            entry=entry,
            apportioning=apportioning,
        )
        self.open()

    # --- whatever anybody wants -------------------------------------------------------------------

    def wish(self, command: Command) -> list[Event]:
        """Decide and evolve; a refusal is no events, and changes nothing."""
        before, shown = self.state, repr(self.state)
        try:
            events = decide(before, command, self.book)
        except Refusal:
            events = []
        else:
            assert decide(before, command, self.book) == events, "the same command, the same events"
            assert events, "what is not refused leaves a trace"
        assert repr(self.state) == shown, "deciding changes nothing"
        self.log += events
        self.state = fold(events, before)
        for event in events:
            self.note(before, event)
        return events

    def note(self, before: Round, event: Event) -> None:
        """The bystander's notebook."""
        if isinstance(event, BetPlaced):
            assert before.phase is Phase.BETTING, "no bet is taken after the close"
        elif isinstance(event, SecondStagePlaced):
            first = self.closed[event.bet.box, event.bet.patron, event.first]
            assert before.phase is Phase.DECIDING
            assert event.bet.stake == MULTIPLE * first
            assert event.bet.spot == event.first.replace("ante", "wager")
            assert event.bet.key not in self.wagers, "a second stage is placed once"
            self.wagers[event.bet.key] = event.bet.stake
        elif isinstance(event, SecondStageDeclined) and event.by_system:
            self.timed_out.add((event.box, event.patron, event.spot))
        elif isinstance(event, RoundSettled):
            self.check_settled(event.bets)
        elif isinstance(event, RoundVoided):
            returned = Counter(bet.key for bet in (*event.returned, *event.removed))
            assert returned == Counter(bet.key for bet in before.bets), "all come back, once"
            assert {bet.key for bet in event.removed} == before.removed
            assert all(bet == before.bet(bet.key) for bet in (*event.returned, *event.removed))

    def tick(self, ms: int = 1) -> int:
        self.now += ms
        return self.now

    @rule()
    def open(self) -> None:
        if self.wish(OpenRound(self.number + 1, self.terms, self.tick())):
            self.number += 1
            self.closed, self.wagers, self.timed_out = {}, {}, set()

    @rule(patron=patrons, box=boxes, stake=stakes, seated=st.booleans(), data=st.data())
    def place(self, patron: str, box: int, stake: int, seated: bool, data: st.DataObject) -> None:
        spot = data.draw(st.sampled_from([*self.sides, *self.book.spots, "insurance"]))
        self.wish(PlaceBet(patron, box, spot, stake, self.tick(), seated))

    @rule(data=st.data())
    def bet_a_while(self, data: st.DataObject) -> None:
        """A handful of sensible bets, so that most rounds have some."""
        self.open()
        likely = [*self.sides, *self.sides, *ANTES, *ANTES, *self.book.spots]
        offered = [spot for spot in likely if spot in self.book.spots]
        bets = st.tuples(
            patrons,
            st.integers(1, BOXES),
            st.sampled_from(offered),
            st.sampled_from([40, 60, 100, 400]),
            st.booleans(),
        )
        for patron, box, spot, stake, seated in data.draw(st.lists(bets, min_size=1, max_size=7)):
            self.wish(PlaceBet(patron, box, spot, stake, self.tick(), seated))

    @rule(patron=patrons, box=boxes, stake=st.none() | stakes, data=st.data())
    def take_back(self, patron: str, box: int, stake: int | None, data: st.DataObject) -> None:
        spot = data.draw(st.sampled_from([*self.sides, *self.book.spots]))
        self.wish(WithdrawBet(patron, box, spot, self.tick(), stake))

    @rule(data=st.data(), stake=st.none() | stakes)
    @precondition(lambda self: any(self.state.bets))
    def take_back_what_lies_there(self, data: st.DataObject, stake: int | None) -> None:
        bet = data.draw(st.sampled_from(list(self.state.bets)))
        self.wish(WithdrawBet(bet.patron, bet.box, bet.spot, self.tick(), stake))

    @rule(patron=patrons)
    @precondition(lambda self: any(bet.spot.startswith("winning") for bet in self.state.bets))
    def give_up_the_sides(self, patron: str) -> None:
        """What leant on them must go too."""
        for bet in list(self.state.bets):
            if bet.patron == patron and bet.spot in self.sides:
                self.wish(WithdrawBet(patron, bet.box, bet.spot, self.tick()))

    @rule()
    def reject(self) -> None:
        for box in range(BOXES + 2):
            self.wish(RejectExcess(box, "dan", self.tick()))

    @rule()
    def close(self) -> None:
        if self.wish(CloseBets(self.tick())):
            self.closed = {bet.key: bet.stake for bet in self.state.bets}

    @rule(card=cards)
    def draw(self, card: Any) -> None:
        self.wish(DrawCard(card, self.tick()))

    @rule(continues=st.booleans(), stake=st.none() | stakes, data=st.data())
    @precondition(lambda self: any(self.state.bets))
    def choose(self, continues: bool, stake: int | None, data: st.DataObject) -> None:
        bet = data.draw(st.sampled_from(list(self.state.bets)))
        self.wish(ChooseSecondStage(bet.patron, bet.box, bet.spot, continues, self.tick(), stake))

    @rule(patron=patrons, always=st.sampled_from([True, True, False]))
    def choose_always(self, patron: str, always: bool) -> None:
        self.wish(ChooseAlways(patron, always, self.tick()))

    @rule(ms=st.sampled_from([1, 5_000, 10_000]), short=st.frozensets(patrons, max_size=1))
    def end_decisions(self, ms: int, short: frozenset[str]) -> None:
        keys = frozenset(bet.key for bet in self.state.bets if bet.patron in short)
        self.wish(EndDecisions(self.tick(ms), keys))

    @rule(data=st.data())
    @precondition(lambda self: any(self.state.bets))
    def remove(self, data: st.DataObject) -> None:
        bet = data.draw(st.sampled_from(list(self.state.bets)))
        self.wish(ReportRemoved(bet.patron, bet.box, bet.spot, "dan", self.tick()))

    @rule()
    def call(self) -> None:
        self.wish(CallResult(self.tick()))

    @rule()
    def settle(self) -> None:
        self.wish(SettleRound(self.tick()))

    @rule(really=st.integers(0, 3))
    def void(self, really: int) -> None:
        if not really:
            self.wish(VoidRound("cards on the floor", "CB4 5.15", "pia", self.tick()))

    @rule(data=st.data(), decided=st.sampled_from([True, True, False]))
    def play_on(self, data: st.DataObject, decided: bool) -> None:
        """The rest of the round in one go, so that many rounds come to their end."""
        if not any(self.state.bets):
            self.bet_a_while(data)
        if self.state.phase is Phase.BETTING:
            self.close()
        while self.state.phase in (Phase.CLOSED, Phase.DECIDING, Phase.DEALING):
            if self.state.phase is Phase.DECIDING:
                if not decided:
                    self.wish(EndDecisions(self.tick(10_000)))
                    continue
                for box, patron, spot in self.closed:
                    self.wish(
                        ChooseSecondStage(patron, box, spot, data.draw(st.booleans()), self.tick())
                    )
            elif next_side(self.state.coup):
                assert self.wish(DrawCard(data.draw(cards), self.tick()))
            else:
                assert self.wish(CallResult(self.tick()))
        self.settle()

    # --- what must hold ---------------------------------------------------------------------------

    def check_settled(self, settled: tuple[Settled, ...]) -> None:
        lying = {**self.closed, **self.wagers}
        assert Counter(one.bet.key for one in settled) == Counter(lying.keys()), "all, and once"
        for one in settled:
            assert one.bet.stake == lying[one.bet.key], "as it lay when betting closed"
            assert 0 < one.effective <= one.bet.stake
            assert one.removed == (one.bet.key in self.state.removed)
        by_rules = {
            (*whose, bet.spot): (bet.net, bet.commission, bet.clause)
            for whose in {(one.bet.box, one.bet.patron) for one in settled}
            for bet in settle(self.book, self.state.coup, self.stakes_for_rules(*whose)).bets
        }
        for one in settled:
            net, commission, clause = by_rules[one.bet.key]
            if one.effective == one.bet.stake:
                assert (one.net, one.commission) == (net, commission)
            else:
                share = one.effective, one.bet.stake
                assert one.net * share[1] == net * share[0]
                assert one.commission * share[1] == commission * share[0]
            assert one.clause == ("HOUSE timeout" if one.bet.key in self.timed_out else clause)

    def stakes_for_rules(self, box: int, patron: str) -> dict[str, int]:
        """A patron's bets in a box, beside the bets of other boxes that they may lean on."""
        lying = {**self.closed, **self.wagers}
        own = {
            spot: stake for (at, who, spot), stake in lying.items() if (at, who) == (box, patron)
        }
        leant_on = {
            spot: stake
            for (_, who, spot), stake in lying.items()
            if who == patron and spot in self.sides
        }
        return {**leant_on, **own}

    @invariant()
    def the_log_alone_tells_the_state(self) -> None:
        assert fold(self.log) == self.state

    @invariant()
    def sums_are_the_sums_of_the_bets(self) -> None:
        by_patron: Counter[tuple[str, str]] = Counter()
        by_spot: Counter[str] = Counter()
        for bet in self.state.bets:
            by_patron[bet.patron, bet.spot] += bet.stake
            by_spot[bet.spot] += bet.stake
        kept = {
            (patron, spot): stake
            for patron, own in self.state.by_patron.items()
            for spot, stake in own.items()
            if stake
        }
        assert kept == dict(by_patron)
        assert {spot: stake for spot, stake in self.state.by_spot.items() if stake} == dict(by_spot)

    @invariant()
    def bets_patron_by_patron_are_the_bets_of_the_round(self) -> None:
        bets = list(self.state.bets)
        assert set(self.state.own) == {bet.patron for bet in bets}
        for patron in self.state.own:
            assert self.state.bets_of(patron) == [bet for bet in bets if bet.patron == patron]

    @invariant()
    def bets_lie_in_order_on_their_step(self) -> None:
        bets = list(self.state.bets)
        assert len({bet.order for bet in bets}) == len(bets)
        for bet in bets:
            spot = self.book.spots[bet.spot]
            assert bet.stake > 0
            assert bet.stake % spot.step == 0
            assert bet.reserve == bet.stake * (spot.reserve - 1)
            assert 1 <= bet.box <= BOXES

    @invariant()
    def nothing_is_placed_or_taken_after_the_close(self) -> None:
        if self.state.phase not in (Phase.IDLE, Phase.BETTING, Phase.VOID):
            assert {bet.key: bet.stake for bet in self.state.bets} == {**self.closed, **self.wagers}

    @invariant()
    def nobody_leans_on_a_bet_that_is_gone(self) -> None:
        for bet in self.state.bets:
            needs = self.book.spots[bet.spot].needs
            if needs:
                own = {other.spot for other in self.state.bets if other.patron == bet.patron}
                assert own & set(needs.any_of)

    @invariant()
    def a_terminal_keeps_every_limit(self) -> None:
        if self.state.terms is None or self.terms.entry is not Entry.REFUSE:
            return
        assert self.state.effective == {}
        sums: Counter[tuple[object, str]] = Counter()
        for bet in self.state.bets:
            group = {Scope.BOX: bet.box, Scope.PATRON: bet.patron}.get(self.scope)
            sums[group, bet.spot] += bet.stake
            if bet.spot not in ("wager_player", "wager_banker"):
                assert bet.stake >= 40
                assert bet.spot in self.sides or bet.stake <= 100
        for group, _ in list(sums):
            assert abs(sums[group, "player"] - sums[group, "banker"]) <= self.gap
        assert self.state.by_spot.get("tie", 0) <= 160

    @invariant()
    def a_cut_touches_only_the_two_sides(self) -> None:
        for (box, patron, spot), stake in self.state.effective.items():
            assert spot in self.sides
            assert stake % self.book.spots[spot].step == 0
            assert min(40, self.closed[box, patron, spot]) <= stake < self.closed[box, patron, spot]

    @invariant()
    def only_a_called_round_has_a_winner(self) -> None:
        called = self.state.phase in (Phase.RESULT, Phase.SETTLED)
        assert (self.state.winner is not None) == called
        assert (self.state.settled is not None) == (self.state.phase is Phase.SETTLED)
        if self.state.phase is not Phase.VOID:
            assert (self.state.decide_until is not None) == (self.state.phase is Phase.DECIDING)


TestRounds = RoundMachine.TestCase
TestRounds.settings = settings(max_examples=50, stateful_step_count=40)
