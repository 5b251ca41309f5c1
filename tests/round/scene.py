"""A round told at the table: `Scene("rws-knockout").open().bet("ann", 1, "player", 100)`.

Every word is one command, decided and evolved. The clock ticks one millisecond
before each, so the first command of a scene comes at 1.
"""

from collections.abc import Callable, Iterable
from typing import ParamSpec

import pytest

from cutcard.refusals import Refusal
from cutcard.round import Apportioning, Entry, Phase, Round, Terms, decide, evolve, fold
from cutcard.round.commands import (
    CallResult,
    ChooseAlways,
    ChooseSecondStage,
    CloseBets,
    Command,
    CorrectCoup,
    DrawCard,
    EndDecisions,
    OpenRound,
    PlaceBet,
    RejectExcess,
    ReportRemoved,
    ReturnBets,
    SettleRound,
    VoidRound,
    WithdrawBet,
)
from cutcard.round.events import Event, Laid, Settled
from cutcard.round.state import Key
from cutcard.rulebooks import load
from cutcard.rules.cards import parse_cards
from cutcard.rules.coup import Coup
from cutcard.rules.limits import Kind, Limit, Scope

Words = ParamSpec("Words")

BANKER_WINS = "Kh 7s / Kd 8c"
PLAYER_WINS = "Kh 9s / Kd 8c"
TIE = "Kh 8s / Qd 8c"

BOXES = 9


def least(amount: int, *spots: str) -> Limit:
    return Limit(Kind.MINIMUM, Scope.BET, spots, amount, "HOUSE limits")


def most(amount: int, *spots: str, scope: Scope = Scope.BET) -> Limit:
    return Limit(Kind.MAXIMUM, scope, spots, amount, "HOUSE limits")


def gap(amount: int, scope: Scope = Scope.BOX) -> Limit:
    """The greatest differential between Player and Banker."""
    return Limit(Kind.DIFFERENTIAL, scope, ("player", "banker"), amount, "CB4 5.1")


class Scene:
    """A table at which one round follows another, with its log and its clock."""

    def __init__(
        self,
        book: str = "rws-commission",
        *,
        entry: Entry = Entry.REFUSE,
        limits: Iterable[Limit] | None = (),
        apportioning: Apportioning = Apportioning.ALL,
    ) -> None:
        """The book's own limits where `limits` is None; none at all unless told."""
        self.book = load(book)
        self.terms = Terms(
            book=self.book.id,
            book_hash=self.book.hash,
            limits=self.book.limits if limits is None else tuple(limits),
            boxes=BOXES,
            entry=entry,
            apportioning=apportioning,
        )
        self.state = Round()
        self.log: list[Event] = []
        self.last: list[Event] = []
        """What the latest command caused."""

        self.now = 0

    def do(self, command: Command) -> "Scene":
        self.last = decide(self.state, command, self.book)
        self.log += self.last
        self.state = fold(self.last, self.state)
        return self

    def at(self) -> int:
        self.now += 1
        return self.now

    def wait(self, ms: int) -> "Scene":
        self.now += ms
        return self

    # --- commands

    def open(self, number: int = 1) -> "Scene":
        return self.do(OpenRound(number, self.terms, self.at()))

    def bet(
        self,
        patron: str,
        box: int,
        spot: str,
        stake: int,
        *,
        standing: bool = False,
        by: str | None = None,
    ) -> "Scene":
        return self.do(PlaceBet(patron, box, spot, stake, self.at(), not standing, by))

    def take_back(
        self, patron: str, box: int, spot: str, stake: int | None = None, *, by: str | None = None
    ) -> "Scene":
        return self.do(WithdrawBet(patron, box, spot, self.at(), stake, by))

    def reject(self, box: int | None, by: str = "dan") -> "Scene":
        return self.do(RejectExcess(box, by, self.at()))

    def close(self) -> "Scene":
        return self.do(CloseBets(self.at()))

    def deal(self, cards: str) -> "Scene":
        """Cards in the order in which they leave the shoe."""
        for card in parse_cards(cards):
            self.do(DrawCard(card, self.at()))
        return self

    def go_on(
        self, patron: str, box: int, spot: str, stake: int | None = None, *, by: str | None = None
    ) -> "Scene":
        return self.do(ChooseSecondStage(patron, box, spot, True, self.at(), stake, by))

    def decline(self, patron: str, box: int, spot: str, *, by: str | None = None) -> "Scene":
        return self.do(ChooseSecondStage(patron, box, spot, False, self.at(), placed_by=by))

    def always(self, patron: str, always: bool = True, *, by: str | None = None) -> "Scene":
        return self.do(ChooseAlways(patron, always, self.at(), by))

    def time_is_up(self, *short: Key) -> "Scene":
        return self.do(EndDecisions(self.at(), frozenset(short)))

    def removed(self, patron: str, box: int, spot: str, by: str = "dan") -> "Scene":
        return self.do(ReportRemoved(patron, box, spot, by, self.at()))

    def call(self) -> "Scene":
        return self.do(CallResult(self.at()))

    def settle(self) -> "Scene":
        return self.do(SettleRound(self.at()))

    def void(self, clause: str = "CB4 5.15", reason: str = "cards on the floor") -> "Scene":
        return self.do(VoidRound(reason, clause, "pia", self.at()))

    def correct(self, coup: str, clause: str = "HOUSE misread card") -> "Scene":
        """The hands are these, written `2h 3s 9c / 5d Kc`."""
        return self.do(CorrectCoup(Coup.parse(coup), "misread", clause, "pia", self.at()))

    def give_back(self, patron: str, clause: str = "CB4 5.12.3") -> "Scene":
        """Somebody's bets of the round are all returned."""
        return self.do(ReturnBets(patron, clause, "pia", self.at()))

    # --- longer stories

    def finish(self, coup: str) -> "Scene":
        """Deal what is missing of a coup written `2h 3s 9c / 5d Kc`, call it and settle."""
        for card in Coup.parse(coup).dealt[len(self.state.coup.dealt) :]:
            self.do(DrawCard(card, self.at()))
        return self.call().settle()

    def play(self, coup: str) -> "Scene":
        """Close the bets and play the whole coup."""
        return self.close().finish(coup)

    def reach(self, phase: Phase) -> "Scene":
        """A round of Knockout with Antes and other bets, brought to a phase by its shortest way."""
        story: dict[Phase, Callable[[], Scene]] = {
            Phase.BETTING: self._stocked,
            Phase.CLOSED: self.close,
            Phase.DECIDING: lambda: self.deal("Kh"),
            Phase.DEALING: lambda: self.go_on("ann", 1, "ante_player"),
            Phase.RESULT: lambda: self.deal("Kd 9s 8c").call(),
            Phase.SETTLED: self.settle,
        }
        if phase is Phase.VOID:
            return self._stocked().void()
        for reached, word in story.items():
            if self.state.phase is phase:
                break
            word()
            assert self.state.phase is reached
        return self

    def _stocked(self) -> "Scene":
        return self.open().bet("ann", 1, "player", 100).bet("ann", 1, "ante_player", 50)

    # --- what can be seen

    @property
    def bets(self) -> dict[tuple[str, str], int]:
        """What lies where: stake by patron and spot."""
        return {(bet.patron, bet.spot): bet.stake for bet in self.state.bets}

    def laid(self, patron: str, box: int, spot: str) -> Laid:
        bet = self.state.bet((box, patron, spot))
        assert bet is not None, f"{patron} has nothing on {spot} in box {box}"
        return bet

    @property
    def settled(self) -> dict[tuple[str, str], Settled]:
        assert self.state.settled is not None, "the round is not settled"
        return {(one.bet.patron, one.bet.spot): one for one in self.state.settled.bets}

    @property
    def nets(self) -> dict[tuple[str, str], int]:
        """What each bet gained or lost, by patron and spot."""
        return {whose: one.net for whose, one in self.settled.items()}

    @property
    def counted(self) -> dict[tuple[str, str], int]:
        """What each bet counted for, by patron and spot."""
        return {whose: one.effective for whose, one in self.settled.items()}


def denied(word: Callable[Words, Scene], *args: Words.args, **kwargs: Words.kwargs) -> Refusal:
    """The refusal that a word meets; the round is as it was: `denied(scene.bet, "ann", …)`."""
    scene = word.__self__  # type: ignore[attr-defined]
    assert isinstance(scene, Scene)
    before, shown, log = scene.state, repr(scene.state), list(scene.log)
    with pytest.raises(Refusal) as refusal:
        word(*args, **kwargs)
    assert scene.state is before
    assert (repr(scene.state), scene.log) == (shown, log)
    assert refusal.value.message(), "a refusal has its sentence"
    return refusal.value


def why(refusal: Refusal) -> tuple[str, str | None]:
    """Code and clause."""
    return refusal.code, refusal.clause


def box_five(*, entry: Entry = Entry.WARN, apportioning: Apportioning = Apportioning.ALL) -> Scene:
    """The worked example of CB4 5.1.1: box 5 with 3,550.00 of excess on Banker, bets open.

    Amounts are minor units; the book's own limits are 300.00 and 10,000.00.
    """
    scene = Scene(entry=entry, limits=None, apportioning=apportioning).open()
    scene.bet("A", 5, "banker", 800_000)
    scene.bet("B", 5, "banker", 600_000, standing=True)
    scene.bet("C", 5, "banker", 35_000, standing=True)
    scene.bet("D", 5, "player", 100_000, standing=True)
    return scene.bet("E", 5, "banker", 20_000, standing=True)


def replayed(scene: Scene) -> Round:
    """The state from the log alone."""
    state = Round()
    for event in scene.log:
        state = evolve(state, event)
    return state
