"""A table told in its own words, with its ledger and its cage in step.

`Scene("rws-commission").fund(ann=1000).seat("ann", 1).shoe().open()` is a table with
a dealer (dan), a pit supervisor (pia), one patron and bets open. Every word is one
command; whatever it causes is posted to the ledger before the table changes.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import ParamSpec

from cutcard import cage as till
from cutcard import ledger as books
from cutcard.ledger import AccountId, Entry, Ledger
from cutcard.ledger.accounts import kind
from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round import events as in_round
from cutcard.round.events import Laid, Settled
from cutcard.round.state import FINISHED
from cutcard.round.terms import NO_BOX
from cutcard.rulebooks import load
from cutcard.rules.cards import Card, parse_cards
from cutcard.rules.coup import Coup, Side
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.rules.shoe import burn_count, composition, full_shoe
from cutcard.table import Table, advise, decide, evolve, fold, setup, transfers
from cutcard.table.advice import Advice
from cutcard.table.commands import (
    ActAs,
    AddTerminal,
    AnnounceClosing,
    AnswerSqueeze,
    BurnCard,
    ChooseOption,
    CloseTable,
    Command,
    EmptyStack,
    EndOptions,
    EndShoe,
    FillStack,
    InRound,
    LeaveSeat,
    LockTerminal,
    OpenCards,
    OpenTable,
    RegisterShoe,
    Report,
    RequestSqueeze,
    Resolve,
    ShowCutCard,
    SignOff,
    SignOn,
    TakeSeat,
    Undoing,
)
from cutcard.table.events import (
    CardsKept,
    CardsOpened,
    Event,
    IncidentReported,
    IncidentResolved,
    KeptCardsBurned,
    ShoeEnded,
    ShoeRemoved,
    SqueezeAnswered,
)
from cutcard.table.incident import Step
from cutcard.table.setup import Approval
from cutcard.table.view import PUBLIC, Audience, View, Viewer, view

Words = ParamSpec("Words")

TABLE = "t1"
DEALER, SUPERVISOR, MACHINE = "dan", "pia", "machine"

BANKER_WINS = "Kh 7s / Kd 8c"
PLAYER_WINS = "Kh 9s / Kd 8c"
TIE = "Kh 8s / Qd 8c"

HELPLINE = "1800 858 858"
APPROVAL = Approval("letter 7", "olga", "carl")

ACE = "Ah"
"""Exposed first, it burns one card only."""


class Scene:
    """A table, its ledger, its cage, its log and its clock."""

    def __init__(self, book: str | Rulebook = "rws-commission", **choices: object) -> None:
        """An open table without limits, unless the choices for its set-up say otherwise."""
        # Times here are small numbers, long before any book was in force.
        self.book = replace(load(book) if isinstance(book, str) else book, effective_from=None)
        self.table = Table()
        self.ledger = Ledger()
        self.cage = till.Cage()
        self.log: list[Event] = []
        self.last: list[Event] = []
        """What the latest command caused."""

        self.entries: list[Entry] = []
        """Everything ever posted, the cage's part too."""

        self.now = 0
        self.cards = 0
        """How many cards have left the shoe."""

        self.staff(SUPERVISOR, Role.PIT_SUPERVISOR).staff(DEALER, Role.DEALER)
        usual: dict[str, object] = {"limits": (), "helpline": HELPLINE, "approval": APPROVAL}
        self.setup = setup(self.book, TABLE, **{**usual, **choices})
        self.do(OpenTable(self.setup, SUPERVISOR, self.at()))

    def do(self, command: Command) -> "Scene":
        self.last = []
        events = decide(self.table, self.told(command), self.book)
        for event in events:
            self.post(transfers(self.table, event))
            self.table = evolve(self.table, event)
            self.log.append(event)
        self.last = events
        return self

    def told(self, command: Command) -> Command:
        """The command with what only the ledger knows, as a venue gives it to a table."""
        if not isinstance(command, Undoing):
            return command
        return replace(command, owing={patron: self.owes(patron) for patron in self.table.owed})

    def post(self, entries: list[Entry]) -> None:
        self.ledger = books.post(self.ledger, entries)
        self.entries += entries

    def at(self) -> int:
        self.now += 1
        return self.now

    def wait(self, ms: int) -> "Scene":
        self.now += ms
        return self

    # --- people and money

    def staff(self, person: str, role: Role) -> "Scene":
        return self.do(SignOn(person, role, self.at()))

    def sign_off(self, person: str) -> "Scene":
        return self.do(SignOff(person, self.at()))

    def acting(self, person: str, role: Role, until: int, by: str = SUPERVISOR) -> "Scene":
        return self.do(ActAs(person, role, until, by, self.at()))

    def at_cage(self, command: till.Command) -> "Scene":
        """A command of the cage, posted; the table hears of it from `fund` and `cash_out` only."""
        for event in till.decide(self.cage, command, self.ledger):
            self.post(till.transfers(event))
            self.cage = till.evolve(self.cage, event)
        return self

    def fund(self, **amounts: int) -> "Scene":
        """Cash in, wallet to stack, stack at the table."""
        for patron, amount in amounts.items():
            self.at_cage(till.Deposit(patron, amount, self.at())).buy_in(patron, amount)
        return self

    def buy_in(self, patron: str, amount: int) -> "Scene":
        self.at_cage(till.BuyIn(patron, TABLE, amount, self.at()))
        return self.do(FillStack(patron, amount, self.at()))

    def cash_out(self, patron: str, amount: int) -> "Scene":
        self.do(EmptyStack(patron, amount, self.at()))
        return self.at_cage(till.CashOut(patron, TABLE, amount, False, self.at()))

    def seat(self, patron: str, box: int) -> "Scene":
        """A seat, where the table has any."""
        return self if self.setup.is_open else self.do(TakeSeat(patron, box, self.at()))

    def box(self, box: int) -> int:
        """A box of which a test speaks; at an open table bets are in none."""
        return NO_BOX if self.setup.is_open else box

    def add(self, terminal: str, number: int | None = None, by: str = SUPERVISOR) -> "Scene":
        """A device of the house stands at an electronic table."""
        return self.do(AddTerminal(terminal, number, by, self.at()))

    def lock(self, terminal: str, reason: str = "spilled coffee") -> "Scene":
        return self.do(LockTerminal(terminal, reason, SUPERVISOR, self.at()))

    def leave(self, patron: str) -> "Scene":
        return self.do(LeaveSeat(patron, self.at()))

    # --- the shoe

    def register(self, shoe: str = "shoe 1", record: str = "shuffled by hand, dan") -> "Scene":
        manifest = composition(full_shoe(self.setup.decks))
        self.cards = 0
        return self.do(RegisterShoe(shoe, manifest, record, DEALER, self.at()))

    def burn(self, card: str | None = None) -> "Scene":
        burned = None if card is None else Card.parse(card)
        self.do(BurnCard(burned, DEALER, self.at()))
        self.cards += 1
        return self

    def shoe(self, shoe: str = "shoe 1", exposed: str = ACE) -> "Scene":
        """Register a shoe and burn what its first card says."""
        self.register(shoe).burn(exposed)
        for _ in range(burn_count(Card.parse(exposed))):
            self.burn()
        return self

    def cut_card(self) -> "Scene":
        return self.do(ShowCutCard(DEALER, self.at()))

    def end_shoe(self, left: int | None = None) -> "Scene":
        """Take the shoe away; the count is right unless told otherwise."""
        right = 52 * self.setup.decks - self.cards
        return self.do(EndShoe(right if left is None else left, DEALER, self.at()))

    # --- the round

    def in_round(self, command: rounds.Command, by: str = DEALER) -> "Scene":
        return self.do(InRound(command, by))

    def open(self, by: str = DEALER) -> "Scene":
        # The table sets number and terms itself, whatever the command says.
        terms = self.setup.terms((), self.book)
        return self.in_round(rounds.OpenRound(0, terms, self.at()), by)

    def bet(self, patron: str, box: int, spot: str, stake: int, by: str | None = None) -> "Scene":
        placed = rounds.PlaceBet(patron, self.box(box), spot, stake, self.at())
        return self.in_round(placed, by or patron)

    def take_back(
        self, patron: str, box: int, spot: str, stake: int | None = None, by: str | None = None
    ) -> "Scene":
        taken = rounds.WithdrawBet(patron, self.box(box), spot, self.at(), stake)
        return self.in_round(taken, by or patron)

    def reject(self, box: int | None) -> "Scene":
        return self.in_round(rounds.RejectExcess(box, DEALER, self.at()))

    def close(self, by: str = DEALER) -> "Scene":
        return self.in_round(rounds.CloseBets(self.at()), by)

    def deal(self, cards: str, by: str = DEALER) -> "Scene":
        """Cards in the order in which they leave the shoe."""
        for card in parse_cards(cards):
            self.in_round(rounds.DrawCard(card, self.at()), by)
            self.cards += 1
        return self

    def choose(
        self, patron: str, box: int, spot: str, continues: bool = True, by: str | None = None
    ) -> "Scene":
        chosen = rounds.ChooseSecondStage(patron, self.box(box), spot, continues, self.at())
        return self.in_round(chosen, by or patron)

    def always(self, patron: str, always: bool = True, by: str | None = None) -> "Scene":
        return self.in_round(rounds.ChooseAlways(patron, always, self.at()), by or patron)

    def time_is_up(self) -> "Scene":
        self.wait(self.setup.decision_ms)
        return self.in_round(rounds.EndDecisions(self.at()))

    def removed(self, patron: str, box: int, spot: str) -> "Scene":
        gone = rounds.ReportRemoved(patron, self.box(box), spot, DEALER, self.at())
        return self.in_round(gone)

    def call(self) -> "Scene":
        return self.in_round(rounds.CallResult(self.at()))

    def settle(self) -> "Scene":
        return self.in_round(rounds.SettleRound(self.at()))

    def report(self, kind: str, by: str = DEALER, **more: object) -> "Scene":
        return self.do(Report(kind, by, self.at(), **more))  # type: ignore[arg-type]

    def resolve(self, step: Step, by: str = SUPERVISOR, **more: object) -> "Scene":
        return self.do(Resolve(step, by, self.at(), **more))  # type: ignore[arg-type]

    def option(self, patron: str, continues: bool, by: str | None = None) -> "Scene":
        return self.do(ChooseOption(patron, continues, by or patron, self.at()))

    def options_over(self) -> "Scene":
        return self.wait(self.setup.option_ms).do(EndOptions(DEALER, self.at()))

    def advice(self) -> Advice:
        assert self.table.incident is not None, "nothing is wrong"
        return advise(self.table, self.table.incident, self.book)

    def wet(self, by: str = DEALER) -> "Scene":
        """Water on the layout, which no paragraph speaks of."""
        return self.report("anything else", by, note="water on the layout")

    def void(self, by: str = SUPERVISOR) -> "Scene":
        """Void the round for water on the layout; nobody is there who could rule on it."""
        if self.table.incident is None:
            self.wet()
        for member in tuple(self.table.staff.values()):
            if member.role is Role.SHIFT_MANAGER:
                self.sign_off(member.person)
        return self.resolve(Step.NO_RULING, by, reason="no shift manager in the house")

    def ask(self, patron: str, side: Side) -> "Scene":
        return self.do(RequestSqueeze(patron, side, self.at()))

    def answer(self, patron: str, granted: bool = True, by: str = DEALER) -> "Scene":
        return self.do(AnswerSqueeze(patron, granted, by, self.at()))

    def turn_over(self) -> "Scene":
        return self.do(OpenCards(DEALER, self.at()))

    def announce(self, last_round: int, by: str = SUPERVISOR) -> "Scene":
        return self.do(AnnounceClosing(last_round, by, self.at()))

    def close_table(self, by: str = SUPERVISOR) -> "Scene":
        return self.do(CloseTable(by, self.at()))

    # --- longer stories

    def finish(self, coup: str) -> "Scene":
        """Deal what is missing of a coup written `2h 3s 9c / 5d Kc`, call it and settle."""
        missing = Coup.parse(coup).dealt[len(self.table.round.coup.dealt) :]
        return self.deal(" ".join(map(str, missing))).call().settle()

    def play(self, coup: str) -> "Scene":
        """Close the bets and play the whole coup."""
        return self.close().finish(coup)

    # --- what can be seen

    def owes(self, patron: str) -> int:
        return -self.ledger.balance(books.debt(patron))

    def stack(self, patron: str) -> int:
        return self.table.stacks.get(patron, 0)

    def held(self, patron: str) -> int:
        return self.ledger.held(books.stack(TABLE, patron))

    @property
    def house(self) -> int:
        return self.ledger.balance(books.house(TABLE))

    @property
    def commission(self) -> int:
        return self.ledger.balance(books.commission(TABLE))

    def laid(self, patron: str, box: int, spot: str) -> Laid:
        bet = self.table.round.bet((self.box(box), patron, spot))
        assert bet is not None, f"{patron} has nothing on {spot} in box {box}"
        return bet

    @property
    def bets(self) -> dict[tuple[str, str], int]:
        """What lies where: stake by patron and spot."""
        return {(bet.patron, bet.spot): bet.stake for bet in self.table.round.bets}

    @property
    def settled(self) -> dict[tuple[str, str], Settled]:
        assert self.table.round.settled is not None, "the round is not settled"
        return {(one.bet.patron, one.bet.spot): one for one in self.table.round.settled.bets}

    def seen_by(self, viewer: Viewer | str = PUBLIC) -> View:
        """A view; a name is a patron's."""
        who = Viewer(Audience.PATRON, viewer) if isinstance(viewer, str) else viewer
        return view(self.table, who, self.book)


def denied(word: Callable[Words, Scene], *args: Words.args, **kwargs: Words.kwargs) -> Refusal:
    """The refusal that a word meets; table, ledger and log are as they were."""
    scene = word.__self__  # type: ignore[attr-defined]
    assert isinstance(scene, Scene)
    before, shown, ledger, log = scene.table, repr(scene.table), scene.ledger, list(scene.log)
    try:
        word(*args, **kwargs)
    except Refusal as refusal:
        assert scene.table is before
        assert repr(scene.table) == shown
        assert scene.ledger is ledger
        assert scene.log == log
        return refusal
    raise AssertionError(f"{word.__name__} was not refused")


def only_left(scene: Scene, cards: int) -> Scene:
    """The same table with so many cards in the shoe, which no cut card would have allowed."""
    shoe = scene.table.shoe
    assert shoe is not None
    scene.table = replace(scene.table, shoe=replace(shoe, burned=shoe.burned + shoe.left - cards))
    return scene


def why(refusal: Refusal) -> tuple[str, str | None]:
    """Code and clause."""
    return refusal.code, refusal.clause


# --- what must hold after every event -------------------------------------------------------------


def check_in_step(table: Table, ledger: Ledger) -> None:
    """The ledger says of every patron what the table says, and nothing was made or lost."""
    assert ledger.total() == 0
    for account, holds in ledger.accounts.items():
        assert holds.held >= 0
        assert kind(account).floor <= holds.available <= kind(account).ceiling, account
    for patron, amount in table.stacks.items():
        assert ledger.available(books.stack(TABLE, patron)) == amount >= 0, patron
    for patron in table.stacks:
        assert ledger.balance(books.debt(patron)) <= 0, patron
    # Stakes are pending, so nothing lies on the layout's own account but during a settlement.
    assert ledger.balance(books.layout(TABLE)) == 0
    on_layout = sum(promised.amount for promised in ledger.pending.values())
    if table.round.phase in FINISHED:
        assert on_layout == 0
    else:
        lying = [bet for bet in table.round.bets if bet.key not in table.round.removed]
        assert on_layout == sum(bet.stake + bet.reserve for bet in lying)


def check_replay(table: Table, log: Iterable[Event]) -> None:
    """The log alone gives the state."""
    assert fold(log) == table


def balances(ledger: Ledger) -> dict[AccountId, tuple[int, int]]:
    return {account: (holds.posted, holds.held) for account, holds in ledger.accounts.items()}


LEAF = (Card, str, int, Enum)


def leaves(thing: object) -> Iterator[object]:
    """Everything inside a view, however deep: fields, keys, items."""
    if thing is None or isinstance(thing, LEAF):
        yield thing
    elif is_dataclass(thing) and not isinstance(thing, type):
        for field in fields(thing):
            yield from leaves(getattr(thing, field.name))
    elif isinstance(thing, Mapping):
        for key, value in thing.items():
            yield from leaves(key)
            yield from leaves(value)
    elif isinstance(thing, list | tuple | set | frozenset):
        for item in thing:
            yield from leaves(item)
    else:
        yield thing


VIEWERS = (
    PUBLIC,
    Viewer(Audience.PUBLIC, "nobody"),
    Viewer(Audience.PATRON, "stranger"),
    *(Viewer(Audience.STAFF, "somebody", role) for role in Role),
)


def viewers(patrons: Iterable[str]) -> tuple[Viewer, ...]:
    """Every audience in every role, and each of the patrons."""
    return (*VIEWERS, *(Viewer(Audience.PATRON, patron) for patron in patrons))


class Reading:
    """What anybody may know of the cards on the table, read from the log alone."""

    def __init__(self, face_down: bool) -> None:
        self.face_down = face_down
        self.dealt: list[tuple[Side, Card]] = []
        self.opened: set[int] = set()
        self.open_cards = 0
        self.squeezers: dict[Side, tuple[str, int]] = {}
        """Of each side: who squeezes it, and how many cards were out when that was granted."""

        self.kept: list[Card] = []
        """Cards that everybody saw and that will be dealt first."""

        self.reported: tuple[Card, ...] = ()
        """Cards that an incident is about, for staff to see."""

    def hear(self, event: Event) -> None:
        match event:
            case in_round.RoundOpened():
                self.dealt, self.opened, self.squeezers = [], set(), {}
                self.open_cards = event.terms.open_cards
            case in_round.CardDealt():
                place = len(self.dealt)
                self.dealt.append((event.side, event.card))
                # Whoever must decide on a card sees it, and so does everybody else (KO2 3.4).
                if not self.face_down or place < self.open_cards or self.kept:
                    self.opened.add(place)
                self.kept = self.kept[1:]
            case SqueezeAnswered(granted=True):
                who, since = self.squeezers.get(event.side, ("", 0))
                if who != event.patron:
                    who, since = event.patron, len(self.dealt)
                self.squeezers[event.side] = who, since
            case CardsOpened() | in_round.ResultCalled() | in_round.RoundVoided():
                self.opened = set(range(len(self.dealt)))
            case IncidentReported():
                self.reported = event.incident.drawn
                if event.incident.exposed is not None:
                    turned = event.incident.exposed, *(event.incident.also_exposed or ())
                    self.opened.update(turned)
            case IncidentResolved():
                self.reported = ()
            case CardsKept():
                self.kept += event.cards
            case KeptCardsBurned() | ShoeRemoved() | ShoeEnded():
                self.kept = []
            case _:
                pass

    def may_see(self, viewer: Viewer) -> Counter[Card]:
        own = {
            side: since
            for side, (who, since) in self.squeezers.items()
            if viewer.audience is Audience.PATRON and who == viewer.name
        }
        on_table = (
            card
            for place, (side, card) in enumerate(self.dealt)
            if place in self.opened or place >= own.get(side, len(self.dealt))
        )
        staff = viewer.audience is Audience.STAFF and viewer.role is not None
        return Counter([*on_table, *self.kept, *(self.reported if staff else ())])


def check_view(seen: View, viewer: Viewer, may_see: Counter[Card], patrons: Iterable[str]) -> None:
    """A view shows exactly the cards its viewer may see, and no other patron's name."""
    inside = list(leaves(seen))
    assert Counter(card for card in inside if isinstance(card, Card)) == may_see, viewer
    written = repr(seen)
    assert Counter(re.findall(r"Card\('(..)'\)", written)) == Counter(
        str(card) for card in may_see.elements()
    )
    # No card is written anywhere else either, say in a sentence.
    assert not re.search(r"\b[A2-9TJQK][cdhs]\b", re.sub(r"Card\('..'\)", "", written))
    if viewer.audience is not Audience.STAFF:
        others = set(patrons) - {viewer.name if viewer.audience is Audience.PATRON else None}
        texts = [leaf for leaf in inside if isinstance(leaf, str)]
        assert not [name for name in others if any(name in text for text in texts)], viewer
        assert not [name for name in others if name in written], viewer
