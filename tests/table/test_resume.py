"""Resuming: the log is cut after every event of a round, and the book says what then happens."""

from copy import copy

import pytest

from cutcard.round import Phase
from cutcard.round import events as in_round
from cutcard.rulebooks import rulebooks
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.rulebook import Rulebook
from cutcard.table import decide, evolve, fold, resume, transfers
from cutcard.table.commands import Command, Report, Resolve
from cutcard.table.events import (
    CardsOpened,
    Event,
    IncidentReported,
    IncidentResolved,
)
from cutcard.table.incident import SYSTEM, Step
from cutcard.table.resume import Resumption, resumption
from cutcard.table.resume import commands as to_resume
from tests.cases import every
from tests.table.scene import Scene, check_in_step, check_replay, denied

ONLINE = ("online-baccarat", "online-no-commission", "online-cow-cow")
WITHOUT_PAIRS = ("skycity-commission", "skycity-non-commission")
STACK = 10_000


class Recorded(Scene):
    """A scene that keeps what it was after every single event."""

    def do(self, command: Command) -> "Scene":
        self.last = decide(self.table, self.told(command), self.book)
        for event in self.last:
            self.post(transfers(self.table, event))
            self.table = evolve(self.table, event)
            self.log.append(event)
            self.__dict__.setdefault("cuts", []).append(self.as_it_is())
        return self

    def as_it_is(self) -> Scene:
        """The same table for somebody else to go on with."""
        other = Scene.__new__(Scene)
        other.__dict__ = {**copy(self.__dict__), "log": list(self.log), "entries": []}
        return other

    def cuts_from(self, seq: int) -> list[Scene]:
        cuts: list[Scene] = self.__dict__["cuts"]
        return [cut for cut in cuts if len(cut.log) > seq]


SIX_CARDS = "2h 2d 5h / 3c Kd 4c"
"""Player draws a five to 9; Banker has 3 and draws to 7."""


def with_bets(book: Rulebook, **choices: object) -> Recorded:
    """Three patrons bet on whatever the book offers, and bets are closed."""
    scene = Recorded(book, **choices)
    scene.fund(ann=STACK, bob=STACK, cho=STACK).seat("ann", 1).seat("bob", 2).seat("cho", 3)
    scene.shoe().open().bet("ann", 1, "player", 100).bet("bob", 2, "banker", 200)
    scene.bet("cho", 3, "tie", 40)
    if "player_pair" in book.spots:
        scene.bet("cho", 3, "player_pair", 60)
    if "ante_player" in book.spots:
        scene.bet("ann", 1, "ante_player", 50).bet("bob", 2, "ante_banker", 50)
        scene.bet("ann", 1, "winning_total_9", 20)
    scene.close()
    return scene


def go_on(scene: Scene) -> Scene:
    """Whatever is missing until the round is settled."""
    while scene.table.round.phase is not Phase.SETTLED:
        one_step(scene)
    return scene


def one_step(scene: Scene) -> Scene:
    round = scene.table.round
    if round.phase is Phase.DECIDING:
        scene.choose("ann", 1, "ante_player", True)
        return scene.choose("bob", 2, "ante_banker", False)
    if next_side(round.coup) is not None:
        return scene.deal(str(Coup.parse(SIX_CARDS).dealt[len(round.coup.dealt)]))
    return scene.call() if round.phase is Phase.DEALING else scene.settle()


# --- what the books say, told again from the log alone --------------------------------------------


def number(log: list[Event], kind: type | tuple[type, ...]) -> int:
    return sum(isinstance(event, kind) for event in log)


def ordered(log: list[Event], book: Rulebook, face_down: bool = False) -> Resumption:
    """What the book's policy is, with nothing of the table but its log since the round opened."""
    clause = "ONL E1" if book.id in ONLINE else "CB4 5.4"
    if number(log, IncidentReported) > number(log, IncidentResolved):
        return Resumption(Step.CONTINUE, clause, True)
    if number(log, in_round.RoundSettled):
        return Resumption(Step.RECORD, clause, False)
    if number(log, in_round.DecisionsOpened) > number(log, in_round.DecisionsClosed):
        return Resumption(Step.VOID, "HOUSE house fault", False)
    cards = [event for event in log if isinstance(event, in_round.CardDealt)]
    if book.id in ONLINE:
        goes_on = len(cards) >= 1
    elif book.id in WITHOUT_PAIRS and face_down:
        # Third cards lie face down until the result is called.
        goes_on = number(log, in_round.ResultCalled) > 0
    elif book.id in WITHOUT_PAIRS:
        goes_on = next_side(Coup.deal(event.card for event in cards)) is None
    elif face_down:
        goes_on = number(log, CardsOpened) > 0
    else:
        goes_on = len(cards) >= 3
    concludes, voids = ("ONL E1", "ONL E2") if book.id in ONLINE else ("CB4 5.4.1", "CB4 5.4.2")
    if goes_on:
        return Resumption(Step.CONCLUDE, concludes, False)
    return Resumption(Step.VOID, voids, False)


def stacks(scene: Scene) -> dict[str, int]:
    return {patron: scene.stack(patron) for patron in ("ann", "bob", "cho")}


def opened_at(scene: Scene) -> int:
    """Where in the log the round opened."""
    return next(
        place for place, event in enumerate(scene.log) if isinstance(event, in_round.RoundOpened)
    )


def restarted(cut: Scene, opened: int, face_down: bool = False) -> Resumption:
    """Read the log again, and do what the book orders."""
    wanted = ordered(cut.log[opened:], cut.book, face_down)
    before = cut.table = fold(cut.log)
    assert resume(cut.log, cut.book) == wanted, cut.log[-1]
    for command in to_resume(cut.table, cut.at(), cut.book):
        cut.do(command)
    check_in_step(cut.table, cut.ledger)
    check_replay(cut.table, cut.log)
    if wanted.waits:
        assert [one.kind for one in cut.table.behind] == ["technical interruption"]
    elif wanted.step is Step.RECORD:
        assert cut.table is before, "there is nothing to do"
    if wanted.step is Step.VOID:
        assert stacks(cut) == dict.fromkeys(("ann", "bob", "cho"), STACK)
        assert (cut.house, cut.commission, cut.table.results) == (0, 0, ())
    return wanted


@every("face_down", [False, True], ids=["open", "face down"])
@every("book", rulebooks(), ids=lambda book: book.id)
def test_a_round_cut_after_every_event_is_void_or_concluded_as_the_book_says(
    book: Rulebook, face_down: bool
) -> None:
    """Face down, nothing is known before the four cards are turned over."""
    scene = with_bets(book, face_down=face_down)
    opened, done = opened_at(scene), []
    while face_down and len(scene.table.round.coup.dealt) < 4:
        one_step(scene)
    if face_down:
        scene.turn_over()
    end = stacks(go_on(scene))

    for cut in scene.cuts_from(opened):
        step = restarted(cut, opened, face_down).step
        if step is Step.VOID:
            assert cut.open().table.round.phase is Phase.BETTING
        else:
            assert stacks(go_on(cut)) == end
        done.append(step)

    # Once a round goes on it never turns back.
    order = [Step.VOID, Step.CONCLUDE, Step.RECORD]
    assert set(done) == set(order)
    assert done == sorted(done, key=order.index)


@every("book", rulebooks(), ids=lambda book: book.id)
def test_an_error_that_was_open_is_put_right_and_then_the_round_is_judged(book: Rulebook) -> None:
    """Ann goes on, bob does not, cho says nothing; where the book lets it, the round ends so."""
    scene = with_bets(book)
    opened = opened_at(scene)
    while len(scene.table.round.coup.dealt) < 2:
        one_step(scene)
    error(scene)
    end = stacks(go_on(scene))
    assert (end["bob"], end["cho"]) == (STACK, STACK)

    waited = 0
    for cut in scene.cuts_from(opened):
        choosing = cut.table.options or {}
        # What one command causes is written down together or not at all.
        together = cut.last[-1] is cut.log[-1]
        found = restarted(cut, opened)
        if not (found.waits or choosing) or not together:
            continue
        waited += 1
        if found.waits:
            cut.resolve(Step.CONTINUE)
            choosing = dict.fromkeys(("ann", "bob", "cho"))
            assert denied(cut.option, "ann", True).code == "incident/waiting"
            assert cut.seen_by("ann").own_option is False
            found = resumption(cut.table, book)
            cut.resolve(found.step)
        if book.id not in ONLINE:
            assert (found.step, found.clause) == (Step.VOID, "CB4 5.4.2")
            assert (stacks(cut), cut.table.options) == (dict.fromkeys(end, STACK), None)
            continue
        assert (found.step, found.clause) == (Step.CONCLUDE, "ONL E1")
        waiting = [who for who, chosen in choosing.items() if chosen is None]
        assert cut.table.options == dict.fromkeys(waiting)
        assert cut.table.options_until == cut.now + cut.setup.option_ms, "the whole time again"
        assert stacks(go_on(error(cut))) == end
    assert waited == 4, "reported, offered, and one choice and another"


def error(scene: Scene) -> Scene:
    """An error from wherever it stands to where everybody has chosen."""
    if scene.table.incident is None and scene.table.options is None:
        scene.report("other dealing error")
    if scene.table.incident is not None:
        scene.resolve(Step.CONTINUE)
    for patron, continues in (("ann", True), ("bob", False)):
        if (scene.table.options or {}).get(patron, False) is None:
            scene.option(patron, continues)
    return scene.options_over() if scene.table.options is not None else scene


@every("book", rulebooks(), ids=lambda book: book.id)
def test_between_rounds_there_is_nothing_to_do(book: Rulebook) -> None:
    fresh = Scene(book)
    void = with_bets(book).void()

    for scene in (fresh, fresh.shoe(), void):
        assert resume(scene.log, book).step is Step.RECORD
        assert to_resume(scene.table, scene.at(), book) == []


def test_what_a_restart_does_is_in_the_log_under_the_systems_name() -> None:
    scene = with_bets(rulebooks()[0])
    assert to_resume(scene.table, scene.at(), scene.book) != []
    restarted(scene, opened_at(scene))

    reported, resolved = scene.log[-3], scene.log[-1]
    assert isinstance(reported, IncidentReported)
    assert isinstance(resolved, IncidentResolved)
    assert (reported.incident.by, reported.incident.note) == (SYSTEM, "restarted")
    assert (resolved.by, resolved.role, resolved.step) == (SYSTEM, None, Step.VOID)


def test_nobody_else_resolves_anything_as_the_system() -> None:
    scene = with_bets(rulebooks()[0])

    assert denied(scene.report, "foreign card", SYSTEM).code == "staff/not-signed-on"
    scene.report("foreign card")
    assert denied(scene.resolve, Step.VOID, SYSTEM).code == "staff/not-signed-on"


def waiting(book: str, cards: str = "2h 6c") -> Scene:
    """Ann has 100 on Player, and there is an error to be put right."""
    scene = Scene(book).fund(ann=1_000).seat("ann", 1).shoe().open()
    return scene.bet("ann", 1, "player", 100).close().deal(cards).report("other dealing error")


RESTARTED = Report("technical interruption", "system", 99, note="restarted")


@pytest.mark.clause("CB4 5.4.1", "CB4 5.4.2")
@pytest.mark.parametrize(
    ("book", "clause"), [("rws-commission", "CB4 5.4"), ("online-baccarat", "ONL E1")]
)
def test_a_table_that_waited_for_a_remedy_goes_on_waiting_and_remembers(
    book: str, clause: str
) -> None:
    scene = waiting(book)
    assert resumption(scene.table, scene.book) == Resumption(Step.CONTINUE, clause, True)
    assert to_resume(scene.table, 99, scene.book) == [RESTARTED]

    scene.do(RESTARTED)
    assert scene.table.incident is not None
    assert scene.table.incident.kind == "other dealing error"
    assert to_resume(scene.table, 99, scene.book) == [], "a second cut adds nothing"
    assert denied(scene.report, "technical interruption").code == "incident/open"


def test_a_table_that_waited_after_the_settlement_has_nothing_to_judge() -> None:
    scene = waiting("rws-commission", "").resolve(Step.RETRACT, reason="a slip")
    scene.deal("9h 8c Kh Kd").call().settle().wet()

    assert to_resume(scene.table, 99, scene.book) == []


def test_a_restart_that_was_cut_off_itself_is_taken_up_where_it_was() -> None:
    scene = waiting("rws-commission").resolve(Step.RETRACT, reason="a slip").do(RESTARTED)

    assert resumption(scene.table, scene.book) == Resumption(Step.VOID, "CB4 5.4.2", False)
    assert to_resume(scene.table, 99, scene.book) == [Resolve(Step.VOID, "system", 99, "restarted")]


@pytest.mark.clause("CB4 5.4.1")
def test_staff_too_may_say_that_the_lights_went_out_while_something_was_wrong() -> None:
    """Player Pair is lost already, so the round is concluded, and ann has her time again."""
    scene = waiting("rws-commission", "2h 6c 3s").report("technical interruption", note="dark")
    scene.resolve(Step.CONTINUE)
    assert scene.table.options == {"ann": None}
    until = scene.table.options_until

    scene.wait(500).resolve(Step.CONCLUDE)
    assert scene.table.options_until == until + 501
    scene.option("ann", True).deal("Kd 7h 4h").call().settle()
    assert scene.stack("ann") == 1_100


def test_after_the_settlement_a_cut_gives_those_who_choose_their_time_again() -> None:
    scene = waiting("rws-commission", "").resolve(Step.RETRACT, reason="a slip")
    scene.deal("9h 8c Kh Kd").call().settle()
    scene.report("card to the wrong side", lying=Coup.parse("9h Kd / 8c Kh"))
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    until = scene.table.options_until
    for command in to_resume(scene.table, scene.wait(1_000).now, scene.book):
        scene.do(command)

    assert scene.table.options == {"ann": None}
    assert scene.table.options_until == until + 1_000
    check_replay(scene.table, scene.log)


def test_a_restart_is_reported_and_resolved_in_the_systems_name() -> None:
    scene = Scene().fund(ann=1_000).seat("ann", 1).shoe().open().bet("ann", 1, "player", 100)

    assert to_resume(scene.table, 99, scene.book) == [
        Report("technical interruption", "system", 99, note="restarted"),
        Resolve(Step.VOID, "system", 99, "restarted"),
    ]


def test_after_a_round_there_is_nothing_to_resume() -> None:
    scene = Scene().shoe()
    assert resumption(scene.table, scene.book) == Resumption(Step.RECORD, "CB4 5.4", False)

    scene.open().play("9h Ks / 8c Kd")
    assert resumption(scene.table, scene.book) == Resumption(Step.RECORD, "CB4 5.4", False)
    assert to_resume(scene.table, 99, scene.book) == []
