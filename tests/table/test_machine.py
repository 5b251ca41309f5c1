"""A table under random commands, lawful and not, with its ledger, its views and its replay.

Patrons and staff do whatever comes to their mind, at the right moment or the wrong
one, for themselves or in another's name. Whatever is refused changes nothing;
whatever happens keeps table and ledger in step and leaks nothing.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from cutcard import cage as till
from cutcard.ledger import Ledger, debt, post
from cutcard.refusals import Refusal
from cutcard.round import Entry, Phase
from cutcard.round import commands as rounds
from cutcard.round.events import Laid
from cutcard.round.state import FINISHED
from cutcard.rulebooks import load
from cutcard.rules.cards import DECK, Card
from cutcard.rules.coup import Side, next_side
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Role
from cutcard.table import fold
from cutcard.table.advice import lawful
from cutcard.table.commands import (
    ActAs,
    AnnounceClosing,
    AnswerSqueeze,
    BurnCard,
    ChangeLimits,
    ChooseOption,
    CloseTable,
    Command,
    EmptyStack,
    EndOptions,
    EndShoe,
    InRound,
    LeaveSeat,
    OpenCards,
    OpenTable,
    Report,
    RequestSqueeze,
    Resolve,
    ShowCutCard,
    TakeSeat,
)
from cutcard.table.incident import Step
from cutcard.table.remedies import is_waiting
from cutcard.table.staff import RANK
from cutcard.table.view import PUBLIC, Audience, Viewer
from tests.table.scene import (
    DEALER,
    SUPERVISOR,
    TABLE,
    Reading,
    Scene,
    balances,
    check_in_step,
    check_view,
)

PATRONS = ("p-ann", "p-bob", "p-cho")
LOOKERS = (
    PUBLIC,
    Viewer(Audience.STAFF, DEALER, Role.DEALER),
    *(Viewer(Audience.PATRON, patron) for patron in PATRONS),
)
BOXES = 5

TABLES: dict[str, tuple[str, dict[str, object]]] = {
    "chips, face down": (
        "rws-commission",
        {"entry": Entry.WARN, "face_down": True, "layout": "mini-7", "boxes": 7},
    ),
    "Antes": ("rws-knockout", {"layout": "ko-mini-5", "boxes": 5}),
    "reserves": ("online-cow-cow", {"face_down": True}),
    "terminals": ("rws-non-commission-etg", {"machine": "shuffling machine"}),
    "brochure": ("skycity-commission", {"boxes": BOXES, "entry": Entry.WARN}),
}

KINDS = (
    "anything else",
    "card face up",
    "card to the wrong side",
    "excess or exposed card",
    "foreign card",
    "insufficient cards",
    "misplaced bet",
    "misread card",
    "other dealing error",
    "simultaneous cards",
    "technical interruption",
    "unread card",
    "unshuffled cards",
    "wrong number of cards",
)
WITH_CARDS = ("excess or exposed card", "simultaneous cards", "wrong number of cards")
MANAGER = "sam"
RANKS = (
    (DEALER, Role.DEALER),
    (SUPERVISOR, Role.PIT_SUPERVISOR),
    (MANAGER, Role.SHIFT_MANAGER),
)

# Chips beyond this gap are seen and rejected, or apportioned at the close.
TIGHT = (
    Limit(Kind.DIFFERENTIAL, Scope.BOX, ("player", "banker"), 60_000, "CB4 5.1"),
    Limit(Kind.MINIMUM, Scope.BET, ("player", "banker", "tie"), 2_000, "HOUSE limits"),
)

patrons = st.sampled_from(PATRONS)
places = st.integers(0, 5)
times = st.integers(0, 100_000)
spots = st.sampled_from(("player", "banker", "tie", "player_pair", "ante_player", "dragon"))
boxes = st.integers(0, 3)
people = st.sampled_from((DEALER, DEALER, DEALER, SUPERVISOR, SUPERVISOR, *PATRONS, "stranger"))
cards = st.sampled_from(DECK)
sides = st.sampled_from(list(Side))
# Mostly what a spot's step and minimum allow, sometimes not.
stakes = st.one_of(st.integers(1, 12).map(lambda units: units * 5_000), st.integers(-1, 70_000))


wishes = st.lists(st.tuples(patrons, st.integers(0, 14), st.integers(1, 6)), min_size=2, max_size=8)

Wish = Callable[[Scene], Command]
"""A command once there is a table to give it at."""


@st.composite
def bets_and_choices(draw: st.DrawFn) -> Wish:
    patron, box, stake, at = draw(patrons), draw(boxes), draw(stakes), draw(times)
    spot, by = draw(spots), draw(st.sampled_from((patron, patron, DEALER)))
    yes, side = draw(st.booleans()), draw(sides)
    commands: tuple[rounds.Command, ...] = (
        rounds.PlaceBet(patron, box, spot, stake, at),
        rounds.WithdrawBet(patron, box, spot, at),
        rounds.ChooseSecondStage(patron, box, f"ante_{side.value}", yes, at),
        rounds.ChooseAlways(patron, yes, at),
    )
    command = draw(st.sampled_from(commands))
    return lambda scene: InRound(command, by)


@st.composite
def dealing(draw: st.DrawFn) -> Wish:
    by, at, box = draw(people), draw(times), draw(boxes)
    command: rounds.Command | None = draw(
        st.sampled_from(
            (
                None,
                rounds.CloseBets(at),
                rounds.DrawCard(draw(cards), at),
                rounds.RejectExcess(box, by, at),
                rounds.EndDecisions(at),
                rounds.CallResult(at),
                rounds.SettleRound(at),
            )
        )
    )
    return lambda scene: InRound(
        command or rounds.OpenRound(0, scene.setup.terms((), scene.book), at), by
    )


@st.composite
def table_work(draw: st.DrawFn) -> Wish:
    by, at, patron, side = draw(people), draw(times), draw(patrons), draw(sides)
    box, yes, role = draw(boxes), draw(st.booleans()), draw(st.sampled_from(list(Role)))
    lasts, found, card = draw(st.integers(-1, 50)), draw(st.integers(-1, 1)), draw(cards)
    wish: Wish = draw(
        st.sampled_from(
            (
                lambda scene: TakeSeat(patron, box, at),
                lambda scene: LeaveSeat(patron, at),
                lambda scene: RequestSqueeze(patron, side, at),
                lambda scene: AnswerSqueeze(patron, yes, by, at),
                lambda scene: OpenCards(by, at),
                lambda scene: ShowCutCard(by, at),
                lambda scene: EndShoe(
                    scene.table.shoe.left + found if scene.table.shoe else 0, by, at
                ),
                lambda scene: BurnCard(card if yes else None, by, at),
                lambda scene: ChangeLimits(scene.book.limits if yes else (), by, at),
                lambda scene: ActAs(DEALER, role, at + lasts, by, at),
                lambda scene: AnnounceClosing(scene.table.rounds + 1, by, at),
                lambda scene: CloseTable(by, at),
            )
        )
    )
    return wish


def left_in(scene: Scene) -> int:
    return scene.table.shoe.left if scene.table.shoe else 0


anything = st.one_of(bets_and_choices(), dealing(), table_work())


class Tables(RuleBasedStateMachine):
    """One table of one of several books."""

    @initialize(kind=st.sampled_from(sorted(TABLES)), own_limits=st.booleans())
    def open_for_business(self, kind: str, own_limits: bool) -> None:
        book, choices = TABLES[kind]
        printed = load(book)
        limits = printed.limits if own_limits else TIGHT
        if printed.layouts[0].is_open:
            limits = tuple(
                replace(one, scope=Scope.PATRON) if one.scope is Scope.BOX else one
                for one in limits
            )
        self.scene = Scene(book, **{**choices, "limits": limits})
        self.reading = Reading(self.scene.setup.face_down)
        self.heard = 0
        self.scene.staff(MANAGER, Role.SHIFT_MANAGER)
        for patron in PATRONS:
            self.scene.fund(**{patron: 1_000_000})
        self.scene.seat("p-ann", 1).seat("p-bob", 2).shoe()

    @property
    def phase(self) -> Phase:
        return self.scene.table.round.phase

    def attempt(self, command: Command) -> bool:
        """Whether the table did it; a refusal must change nothing."""
        return self.tried(lambda: self.scene.do(command))

    def tried(self, word: Callable[[], Scene]) -> bool:
        scene = self.scene
        table, shown = scene.table, repr(scene.table)
        ledger, log, entries = scene.ledger, len(scene.log), len(scene.entries)
        try:
            word()
        except Refusal:
            assert scene.table is table
            assert repr(table) == shown
            assert (len(scene.log), len(scene.entries)) == (log, entries)
            assert scene.ledger is ledger
            return False
        # What is done is never undone: the table before it is as it was.
        assert repr(table) == shown
        return True

    def in_round(self, command: rounds.Command, by: str) -> bool:
        return self.attempt(InRound(command, by))

    @property
    def bets(self) -> list[Laid]:
        return list(self.scene.table.round.bets)

    def spot(self, number: int) -> str:
        # Antes come first, or hardly any round would have one.
        names = sorted(self.scene.book.spots, key=lambda name: not name.startswith("ante"))
        return names[number % len(names)]

    # --- rounds as they should be

    @precondition(lambda self: self.phase in FINISHED and not is_waiting(self.scene.table))
    @rule(wishes=wishes)
    def a_new_round(self, wishes: list[tuple[str, int, int]]) -> None:
        """Whatever keeps a round from opening is put right; then patrons put chips down."""
        scene = self.scene
        if scene.table.last_round is not None and scene.table.rounds >= scene.table.last_round:
            assert self.attempt(CloseTable(SUPERVISOR, scene.at()))
        if not scene.table.open:
            assert self.attempt(OpenTable(scene.setup, SUPERVISOR, scene.at()))
        if scene.table.shoe is not None and scene.table.shoe.cut_card:
            scene.end_shoe(scene.table.shoe.left)
        if scene.table.shoe is None:
            scene.shoe(f"shoe {scene.table.shoes + 1}")
        assert self.in_round(self.next_step(DECK[0]), DEALER)
        for wish in wishes:
            self.bet_as_usual(*wish)

    @precondition(lambda self: self.phase in FINISHED and not is_waiting(self.scene.table))
    @rule(wishes=wishes, drawn=st.lists(cards, min_size=9, max_size=9), gone=st.integers(0, 9))
    def a_whole_round(
        self, wishes: list[tuple[str, int, int]], drawn: list[Card], gone: int
    ) -> None:
        """From the first bet to the settlement; sometimes chips vanish on the way."""
        self.a_new_round(wishes)
        self.go_on(drawn[:2])
        if gone < len(self.bets):
            self.chips_are_gone(gone, DEALER)
        self.go_on(drawn)

    @precondition(lambda self: self.phase is Phase.BETTING)
    @rule(wishes=wishes)
    def more_bets(self, wishes: list[tuple[str, int, int]]) -> None:
        for wish in wishes:
            self.bet_as_usual(*wish)

    def bet_as_usual(self, patron: str, number: int, units: int) -> None:
        """A stake that limits and steps allow, in the own box or behind box 1."""
        box = self.scene.table.bets_in(patron)
        box = 1 if box is None else box
        unit = 2_500 if self.scene.book.id == "rws-knockout" else 30_000
        stake, at = units * unit // 20 * 20, self.scene.at()
        self.in_round(rounds.PlaceBet(patron, box, self.spot(number), stake, at), patron)

    @rule(drawn=st.lists(cards, min_size=3, max_size=9))
    def go_on(self, drawn: list[Card]) -> None:
        """The next lawful steps of the round, by the dealer."""
        for card in drawn:
            if self.phase in FINISHED:
                break
            if self.phase is Phase.DECIDING and card.points > 3:
                self.decide(card.points, continues=card.points > 5)
            else:
                self.in_round(self.next_step(card), DEALER)
            self.no_view_leaks()

    def next_step(self, card: Card) -> rounds.Command:
        scene = self.scene
        if self.phase is Phase.DECIDING:
            scene.wait(scene.setup.decision_ms)
            return rounds.EndDecisions(scene.at())
        if self.phase in FINISHED:
            return rounds.OpenRound(0, scene.setup.terms((), scene.book), scene.at())
        if self.phase is Phase.BETTING:
            return rounds.CloseBets(scene.at())
        if self.phase is Phase.RESULT:
            return rounds.SettleRound(scene.at())
        if next_side(scene.table.round.coup) is None:
            return rounds.CallResult(scene.at())
        return rounds.DrawCard(card, scene.at())

    @precondition(lambda self: self.phase is Phase.DECIDING)
    @rule(which=st.integers(0, 9), continues=st.booleans())
    def decide(self, which: int, continues: bool) -> None:
        antes = [bet for bet in self.scene.table.round.bets if bet.spot.startswith("ante")]
        bet, at = antes[which % len(antes)], self.scene.at()
        chosen = rounds.ChooseSecondStage(bet.patron, bet.box, bet.spot, continues, at)
        self.in_round(chosen, bet.patron)

    @precondition(lambda self: self.phase in (Phase.CLOSED, Phase.DEALING))
    @precondition(lambda self: self.scene.setup.face_down)
    @rule(side=sides, granted=st.booleans())
    def squeeze(self, side: Side, granted: bool) -> None:
        """Whoever may, asks; the dealer answers."""
        asked = [
            patron
            for patron in PATRONS
            if self.attempt(RequestSqueeze(patron, side, self.scene.at()))
        ]
        assert len(asked) <= 1
        for patron in asked:
            assert self.attempt(AnswerSqueeze(patron, granted, DEALER, self.scene.at()))

    @precondition(lambda self: self.bets)
    @rule(which=st.integers(0, 20), part=st.one_of(st.none(), stakes))
    def take_back(self, which: int, part: int | None) -> None:
        bet, at = self.bets[which % len(self.bets)], self.scene.at()
        taken = rounds.WithdrawBet(bet.patron, bet.box, bet.spot, at, part)
        self.in_round(taken, bet.patron)

    @precondition(lambda self: self.bets)
    @rule(which=st.integers(0, 20), by=people)
    def chips_are_gone(self, which: int, by: str) -> None:
        bet, at = self.bets[which % len(self.bets)], self.scene.at()
        self.in_round(rounds.ReportRemoved(bet.patron, bet.box, bet.spot, by, at), by)

    # --- money

    @rule(patron=patrons, amount=st.integers(1, 300_000))
    def buy_in(self, patron: str, amount: int) -> None:
        if self.scene.table.open:
            self.scene.fund(**{patron: amount})

    @rule(patron=patrons, amount=st.integers(-1, 1_500_000))
    def cash_out(self, patron: str, amount: int) -> None:
        in_play = self.phase not in FINISHED and any(bet.patron == patron for bet in self.bets)
        if self.attempt(EmptyStack(patron, amount, self.scene.at())):
            assert not in_play
            self.scene.at_cage(till.CashOut(patron, TABLE, amount, in_play, self.scene.at()))

    # --- whatever else comes to anybody's mind

    @rule(wishes=st.lists(anything, min_size=1, max_size=6))
    def anything(self, wishes: list[Wish]) -> None:
        for wish in wishes:
            self.attempt(wish(self.scene))

    @rule(patron=patrons, other=patrons, box=boxes, stake=stakes)
    def bet_with_anothers_money(self, patron: str, other: str, box: int, stake: int) -> None:
        command = rounds.PlaceBet(patron, box, "player", stake, self.scene.at())
        assert not self.in_round(command, other) or patron == other

    # --- when something goes wrong

    @precondition(lambda self: self.scene.table.incident is None)
    @rule(kind=st.sampled_from(KINDS), by=people, drawn=st.lists(cards, max_size=2), turn=places)
    def report(self, kind: str, by: str, drawn: list[Card], turn: int) -> None:
        """Somebody reports something, and mostly somebody puts it right at once."""
        out = tuple(drawn) if kind in WITH_CARDS else ()
        exposed = turn if kind == "card face up" else None
        at = self.scene.at()
        done = self.attempt(Report(kind, by, at, out, exposed=exposed, note="water"))
        assert not done or by in (SUPERVISOR, DEALER)

    @precondition(lambda self: self.scene.table.incident is not None)
    @rule(number=st.integers(0, 9), shoe=st.booleans())
    def put_right(self, number: int, shoe: bool) -> None:
        """Whatever advice offers is done by whom it names, and by nobody below."""
        scene = self.scene
        assert scene.table.incident is not None
        advice = lawful(scene.table, scene.table.incident, scene.book)
        path = advice.paths[number % len(advice.paths)]
        coup = scene.table.round.coup
        if path.step is Step.CORRECT:
            return
        wanted = Resolve(
            step=path.step,
            by={role: name for name, role in RANKS}[path.role],
            at=scene.at(),
            reason="as the book says",
            order=path.order,
            replace_shoe=shoe and path.may_replace_shoe,
            facts="water on the layout",
        )
        below = [name for name, role in RANKS if RANK[role] < RANK[path.role]]
        for name in below:
            acting = scene.table.staff[name].role_at(scene.now)
            if RANK[acting] < RANK[path.role]:
                assert not self.attempt(replace(wanted, by=name))
        assert self.attempt(wanted), "advice offers what decide refuses"
        if path.coup is not None:
            assert scene.table.round.coup == path.coup, (coup, path)
        if path.shoe_goes:
            assert scene.table.shoe is None
        elif path.step is not Step.RULE_BURN and scene.table.shoe is not None:
            assert scene.table.kept == path.kept
        self.look_for_the_shoe()

    def look_for_the_shoe(self) -> None:
        """A sealed shoe is followed by another."""
        if self.scene.table.shoe is None and self.scene.table.open:
            with suppress(Refusal):
                self.scene.shoe(f"shoe {self.scene.table.shoes + 1}")

    @precondition(lambda self: self.scene.table.incident is not None)
    @rule(step=st.sampled_from(list(Step)), order=st.lists(cards, max_size=2))
    def put_right_somehow(self, step: Step, order: list[Card]) -> None:
        """What advice does not offer, nobody may do, not even the shift manager."""
        incident = self.scene.table.incident
        assert incident is not None
        found = lawful(self.scene.table, incident, self.scene.book).paths
        offered = {(path.step, path.order) for path in found}
        wanted = Resolve(step, MANAGER, self.scene.at(), "so I wish", tuple(order), facts="none")
        if (step, tuple(order)) not in offered:
            assert not self.attempt(wanted)

    @precondition(lambda self: self.scene.table.options is not None)
    @rule(patron=patrons, continues=st.booleans(), late=st.integers(0, 3))
    def choose_option(self, patron: str, continues: bool, late: int) -> None:
        if late == 0:
            self.scene.wait(self.scene.setup.option_ms)
            # While something else is wrong nobody's choice ends; afterwards its time begins again.
            undisturbed = self.scene.table.incident is None
            assert self.attempt(EndOptions(DEALER, self.scene.at())) == undisturbed
        else:
            self.attempt(ChooseOption(patron, continues, patron, self.scene.at()))

    # --- what must hold, always

    @rule()
    def crash_and_replay(self) -> None:
        """Nothing is lost when everything but the log is."""
        replayed = fold(self.scene.log)
        assert replayed == self.scene.table
        ledger = post(Ledger(), self.scene.entries)
        assert balances(ledger) == balances(self.scene.ledger)
        assert dict(ledger.pending) == dict(self.scene.ledger.pending)
        self.scene.table, self.scene.ledger = replayed, ledger

    @invariant()
    def table_and_ledger_are_in_step(self) -> None:
        check_in_step(self.scene.table, self.scene.ledger)
        assert sum(self.scene.ledger.balance(debt(patron)) for patron in PATRONS) <= 0

    @invariant()
    def no_view_leaks(self) -> None:
        if self.heard == len(self.scene.log):
            return
        for event in self.scene.log[self.heard :]:
            self.reading.hear(event)
        self.heard = len(self.scene.log)
        for viewer in LOOKERS:
            seen = self.scene.seen_by(viewer)
            check_view(seen, viewer, self.reading.may_see(viewer), PATRONS)

    @invariant()
    def bets_are_of_a_round_and_their_sums_are_right(self) -> None:
        round = self.scene.table.round
        for patron in PATRONS:
            stakes = [bet.stake for bet in round.bets if bet.patron == patron]
            assert sum(stakes) == sum(round.by_patron.get(patron, {}).values())
        assert all(bet.stake > 0 and bet.reserve >= 0 for bet in round.bets)

    def teardown(self) -> None:
        if hasattr(self, "scene"):
            self.crash_and_replay()


TestTables = Tables.TestCase
TestTables.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
