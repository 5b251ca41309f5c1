"""Irregularities, paragraph by paragraph: what each document orders when something goes wrong.

Amounts are minor units. Ann has 100 on Player and bob 200 on Banker, 1,000 each, unless a test
says otherwise; `sam` is the shift manager.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from cutcard.odds import Composition
from cutcard.odds.bets import outlook
from cutcard.round import Phase
from cutcard.round import commands as rounds
from cutcard.round.events import CardDealt, RoundVoided, SettlementCorrected
from cutcard.rulebooks import load, rulebooks
from cutcard.rules.cards import DECK, Card, parse_cards
from cutcard.rules.coup import Coup, Side, Winner, next_side
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table import fold
from cutcard.table.commands import EndOptions, OpenTable, Resolve
from cutcard.table.events import (
    CardsKept,
    IncidentReported,
    IncidentResolved,
    OptionChosen,
    OptionsOffered,
    ShoeRemoved,
)
from cutcard.table.incident import SYSTEM, Step
from cutcard.table.remedies import is_waiting
from cutcard.table.resume import commands as to_resume
from cutcard.table.view import PUBLIC, Audience, Viewer
from tests.cases import every
from tests.table.scene import (
    DEALER,
    PLAYER_WINS,
    SUPERVISOR,
    Scene,
    check_in_step,
    check_replay,
    denied,
    only_left,
    why,
)
from tests.table.test_irregularities import EVERYBODY, MANAGER, card, dealt, path_of, steps

ONLINE = ("online-baccarat", "online-no-commission", "online-cow-cow")
ETG = "rws-non-commission-etg"
NATURAL = "9c 3d Kh 4s"
"""Player has 9, Banker 7, and nobody draws."""

UNDECIDED = "2h 6c"
"""Two cards decide nothing; the third decides the Player Pair."""


def restarted(scene: Scene) -> Scene:
    """The power fails and comes back: the log is read again, and what the book orders is done."""
    scene.table = fold(scene.log)
    for command in to_resume(scene.table, scene.at(), scene.book):
        scene.do(command)
    return scene


def resolved(scene: Scene) -> IncidentResolved:
    """The latest step that was taken."""
    return [event for event in scene.log if isinstance(event, IncidentResolved)][-1]


def found(scene: Scene) -> tuple[str, str]:
    """What is wrong, and who says so."""
    assert scene.table.incident is not None, "nothing is wrong"
    return scene.table.incident.kind, scene.table.incident.by


def money(scene: Scene) -> tuple[int, int]:
    """What ann and bob have; the ledger agrees and the log gives the same table."""
    check_in_step(scene.table, scene.ledger)
    return scene.stack("ann"), scene.stack("bob")


def forty_rounds(book: str) -> Scene:
    """Forty rounds, each won by ann with 20 on Player; all eight sevens of hearts are out."""
    scene = Scene(book).fund(ann=1_000).seat("ann", 1).shoe()
    coups = [f"9{suit} K{suit} / 2{suit} 3{suit}" for suit in "shdc"] + ["8c Qc / 7h 5c"]
    for number in range(40):
        scene.open().bet("ann", 1, "player", 20).play(coups[number % 5])
    return scene


# === CB4: definitions =============================================================================


@pytest.mark.clause("CB4 1.7 (b)")
def test_a_card_drawn_in_excess_is_in_neither_hand() -> None:
    scene = dealt(NATURAL).deal("6h")
    assert scene.table.round.coup == Coup.parse("9c Kh / 3d 4s")

    scene.resolve(Step.RECONSTRUCT).call()

    assert scene.table.round.coup == Coup.parse("9c Kh / 3d 4s")


@pytest.mark.clause("CB4 1.12")
def test_whoever_only_watches_is_given_no_options() -> None:
    """Cho sits there with money and no bet; dev took the bet back before the close."""
    scene = Scene().fund(ann=1_000, cho=1_000, dev=1_000)
    scene.seat("ann", 1).seat("cho", 2).seat("dev", 3).shoe().open()
    scene.bet("ann", 1, "player", 100).bet("dev", 3, "tie", 100).take_back("dev", 3, "tie")
    scene.close().deal(UNDECIDED).report("other dealing error").resolve(Step.CONTINUE)

    assert scene.table.options == {"ann": None}
    for watcher in ("cho", "dev"):
        assert why(denied(scene.option, watcher, False)) == ("option/none", "CB4 5.12")
        assert not scene.seen_by(watcher).own_option


@pytest.mark.clause("CB4 1.15")
def test_reconstruction_puts_cards_back_in_the_order_in_which_they_came() -> None:
    """Laid Banker first: by the order of the scans one and three are Player's all the same."""
    scene = dealt("5h 8c 2d Qs")
    scene.report("card to the wrong side", lying=Coup.parse("8c Qs / 5h 2d"))

    assert scene.advice().reconstructed == Coup.parse("5h 2d / 8c Qs")
    assert scene.resolve(Step.RECONSTRUCT).table.round.coup == Coup.parse("5h 2d / 8c Qs")


# === CB4 5.4: technical interruptions =============================================================


@pytest.mark.clause("CB4 5.4.1")
def test_a_power_failure_after_the_third_card_ends_in_a_result() -> None:
    """Player Pair is lost already, so the round resumes at card four."""
    scene = restarted(dealt("9h 2c Kh"))

    done = resolved(scene)
    assert (done.step, done.clause, done.by) == (Step.CONCLUDE, "CB4 5.4.1", SYSTEM)
    scene.deal("5d").call().settle()
    assert (scene.table.round.winner, *money(scene)) == (Winner.PLAYER, 1_100, 800)


@pytest.mark.clause("CB4 5.4.1")
def test_a_pit_supervisor_too_can_only_let_it_be_concluded() -> None:
    scene = dealt("9h 2c Kh").report("technical interruption", note="lights out")

    assert scene.advice().established == ("player_pair",)
    assert steps(scene) == [Step.CONCLUDE, Step.RETRACT]
    assert denied(scene.resolve, Step.VOID).code == "incident/not-lawful"
    assert denied(scene.resolve, Step.CONCLUDE, DEALER).code == "staff/role"


@pytest.mark.clause("CB4 5.4.2")
@every("cards", ["", "2h", "2h 6c"])
def test_a_power_failure_before_the_third_card_returns_every_bet(cards: str) -> None:
    scene = restarted(dealt(cards))

    assert scene.table.round.phase is Phase.VOID
    assert (*money(scene), scene.house) == (1_000, 1_000, 0)
    (voided,) = (event for event in scene.log if isinstance(event, RoundVoided))
    assert (voided.clause, voided.by) == ("CB4 5.4.2", SYSTEM)


# === CB4 5.5, ETG4 5.1, KO2 5.1: void rounds ======================================================


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param("rws-commission", "CB4 5.5.1", marks=pytest.mark.clause("CB4 5.5.1")),
        pytest.param(ETG, "ETG4 5.1.1", marks=pytest.mark.clause("ETG4 5.1.1")),
        pytest.param("rws-knockout", "KO2 5.1.1", marks=pytest.mark.clause("KO2 5.1.1")),
    ],
)
def test_a_ninth_seven_of_hearts_in_round_41_voids_that_round_alone(book: str, clause: str) -> None:
    scene = forty_rounds(book).open().bet("ann", 1, "player", 100).close().deal("7h")

    assert found(scene) == ("foreign card", SYSTEM)
    assert scene.table.round.coup == Coup(), "it is in no hand"
    scene.resolve(Step.VOID)
    assert (scene.table.round.number, scene.table.round.phase) == (41, Phase.VOID)
    assert (scene.stack("ann"), scene.house) == (1_800, -800)
    assert len(scene.seen_by().roads.bead) == 40
    # The shoe is sealed, and play goes on with another one.
    sealed = [event for event in scene.log if isinstance(event, ShoeRemoved)]
    assert [(event.shoe, event.clause) for event in sealed] == [("shoe 1", clause)]
    assert denied(scene.open).code == "shoe/none"
    assert scene.shoe("shoe 2").open().table.round.number == 1


@pytest.mark.clause("CB4 5.5.1")
def test_a_joker_is_reported_and_voids_the_round() -> None:
    scene = dealt(NATURAL).report("foreign card", note="a joker").resolve(Step.VOID)

    assert (*money(scene), scene.table.shoe) == (1_000, 1_000, None)


@pytest.mark.clause("CB4 5.5.2")
@pytest.mark.parametrize("wrong", [-1, 1])
def test_a_count_of_415_or_417_voids_the_current_round_and_no_earlier_one(wrong: int) -> None:
    scene = dealt("9h 8c Kh Kd").call().settle().open().bet("bob", 2, "banker", 200)
    scene.play(PLAYER_WINS)
    assert money(scene) == (1_100, 600)

    scene.end_shoe(left=416 - scene.cards + wrong)
    assert found(scene) == ("shortage or excess in the shoe", SYSTEM)
    assert isinstance(scene.last[-1], IncidentReported)
    assert scene.last[-1].clause == "CB4 5.5.2"
    scene.resolve(Step.VOID)

    assert (*money(scene), len(scene.table.results)) == (1_100, 800, 1)


MISCOUNT = "shortage or excess in the shoe"


@pytest.mark.clause("CB4 5.5.2")
@every("book", ["rws-commission", ETG, "rws-knockout", "online-baccarat", "skycity-commission"])
def test_a_shoe_reported_short_leaves_play_after_the_void(book: str) -> None:
    """Between two rounds nothing is void that was not dealt from it, and it leaves all the same."""
    scene = dealt(UNDECIDED, book).report(MISCOUNT, note="a card lies on the floor")
    assert path_of(scene, Step.VOID).shoe_goes
    scene.resolve(Step.VOID)

    (voided, removed, done) = scene.last
    assert isinstance(voided, RoundVoided)
    assert removed == ShoeRemoved("shoe 1", "CB4 5.5.2", SUPERVISOR, scene.now)
    assert isinstance(done, IncidentResolved)
    assert (*money(scene), scene.table.shoe) == (1_000, 1_000, None)
    assert denied(scene.open).code == "shoe/none"

    scene.shoe("shoe 2").report(MISCOUNT, note="the second one too").resolve(Step.RECORD)
    assert scene.last[0] == ShoeRemoved("shoe 2", "CB4 5.5.2", SUPERVISOR, scene.now)
    assert scene.shoe("shoe 3").open().table.round.phase is Phase.BETTING
    check_replay(scene.table, scene.log)


@pytest.mark.clause("CB4 5.5.2")
def test_a_shoe_that_was_counted_at_its_end_is_gone_already() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle()
    scene.end_shoe(left=416 - scene.cards - 1).resolve(Step.VOID)

    assert not any(isinstance(event, ShoeRemoved) for event in scene.log)
    assert money(scene) == (1_000, 1_000)


@pytest.mark.clause("CB4 5.5.2")
def test_a_book_that_does_not_say_keeps_a_miscounted_shoe_and_no_foreign_card() -> None:
    """So did every log that was written before books could say it."""
    new = load("rws-commission")
    silent = {id: replace(one, shoe=None) for id, one in new.irregularities.items()}
    old = replace(new, irregularities=silent)

    for kind, shoe in ((MISCOUNT, "shoe 1"), ("foreign card", None)):
        scene = dealt(UNDECIDED, old).report(kind).resolve(Step.VOID)
        assert (scene.table.shoe and scene.table.shoe.id) == shoe
        assert money(scene) == (1_000, 1_000)


WRONG_NUMBERS = [
    ("rws-commission", "CB4 5.5.3"),
    (ETG, "ETG4 5.1.2"),
    ("rws-knockout", "KO2 5.1.2"),
]
"""The books that speak of a wrong number of cards, and where."""


def six_with_a_third_card(book: str) -> Scene:
    """Player stands on 6 and is given a card all the same, which the record takes for Banker's.

    Banker wins 8 to 6 with it, and is paid.
    """
    scene = dealt("2h 3c 4d Kd", book).deal("5h").call().settle()
    assert (scene.table.round.winner, scene.stack("ann")) == (Winner.BANKER, 900)
    return scene


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param("rws-commission", "CB4 5.5.3", marks=pytest.mark.clause("CB4 5.5.3")),
        pytest.param(ETG, "ETG4 5.1.2", marks=pytest.mark.clause("ETG4 5.1.2")),
        pytest.param("rws-knockout", "KO2 5.1.2", marks=pytest.mark.clause("KO2 5.1.2")),
    ],
)
def test_a_card_too_many_is_void_before_the_next_round_and_stands_after(
    book: str, clause: str
) -> None:
    scene = six_with_a_third_card(book)
    refused = denied(scene.report, "wrong number of cards", note="swept together")
    assert why(refused) == ("incident/right-number", clause)
    scene.report("wrong number of cards", lying=Coup.parse("2h 4d 5h / 3c Kd"))
    scene.resolve(Step.VOID, reason="the cards are swept together")
    assert resolved(scene).clause == clause
    assert (*money(scene), scene.house, scene.commission) == (1_000, 1_000, 0, 0)

    late = six_with_a_third_card(book).open()
    late.report("wrong number of cards", round=1, note="swept together")
    assert steps(late) == [Step.RECORD, Step.RETRACT]
    late.resolve(Step.RECORD)
    assert late.stack("ann") == 900
    assert late.table.round.phase is Phase.BETTING


@pytest.mark.clause("CB4 5.5.3", "ETG4 5.1.2", "KO2 5.1.2")
@every(("book", "clause"), WRONG_NUMBERS)
def test_cards_that_can_be_put_in_order_are_void_for_a_reason_only(book: str, clause: str) -> None:
    scene = dealt(NATURAL, book).report("wrong number of cards", drawn=card("6h"))
    assert path_of(scene, Step.VOID).needs_reason
    assert not path_of(scene, Step.RECONSTRUCT).needs_reason

    for silent in ("", " "):
        refused = denied(scene.resolve, Step.VOID, reason=silent)
        assert why(refused) == ("incident/no-reason", clause)
    scene.resolve(Step.VOID, reason="nobody saw where it came from")
    assert resolved(scene).reason == "nobody saw where it came from"
    assert money(scene) == (1_000, 1_000)


@pytest.mark.clause("CB4 5.5.3", "ETG4 5.1.2", "KO2 5.1.2")
@every(("book", "clause"), WRONG_NUMBERS)
def test_a_card_that_the_scanner_finds_too_many_may_void_the_round(book: str, clause: str) -> None:
    """Both hands stand on 6, and a nine comes out all the same."""
    scene = dealt("6h 6c Ks Kd", book).deal("9s")
    assert found(scene) == ("excess or exposed card", SYSTEM)
    assert steps(scene) == [Step.RECONSTRUCT, Step.PLAY_ON, Step.VOID]
    path = path_of(scene, Step.VOID)
    assert (path.clause, path.role, path.needs_reason) == (clause, Role.PIT_SUPERVISOR, True)
    assert (path.offered, path.kept, path.shoe_goes) == ((), card("9s"), False)

    assert why(denied(scene.resolve, Step.VOID)) == ("incident/no-reason", clause)
    refused = denied(scene.resolve, Step.VOID, DEALER, reason="swept together")
    assert why(refused) == ("staff/role", clause)
    scene.resolve(Step.VOID, reason="swept together")

    (voided, kept, done) = scene.last
    assert isinstance(voided, RoundVoided)
    assert (voided.clause, voided.reason, voided.by) == (clause, "swept together", SUPERVISOR)
    assert isinstance(kept, CardsKept)
    assert isinstance(done, IncidentResolved)
    assert (*money(scene), scene.house, len(scene.table.results)) == (1_000, 1_000, 0, 0)
    # The nine is out of the shoe, and is the first card of the next round.
    scene.open().bet("ann", 1, "player", 100).play("9s Kh / 2d 3d")
    assert money(scene) == (1_100, 1_000)
    check_replay(scene.table, scene.log)


@pytest.mark.clause("CB4 5.5.3", "ETG4 5.1.2", "KO2 5.1.2")
@every(("book", "clause"), WRONG_NUMBERS)
def test_it_may_do_so_until_the_next_round_also_after_the_settlement(
    book: str, clause: str
) -> None:
    scene = dealt(NATURAL, book).call().settle()
    assert money(scene) == (1_100, 800)
    scene.deal("6h")
    assert steps(scene) == [Step.RECONSTRUCT, Step.PLAY_ON, Step.VOID]

    scene.resolve(Step.VOID, reason="nobody knows which card was the third")
    (corrected, *_) = scene.last
    assert isinstance(corrected, SettlementCorrected)
    assert (corrected.coup, corrected.bets, corrected.clause) == (None, (), clause)
    assert (*money(scene), scene.house, len(scene.table.results)) == (1_000, 1_000, 0, 0)

    late = dealt(NATURAL, book).call().settle().open().deal("6h")
    assert steps(late) == [Step.RECONSTRUCT, Step.PLAY_ON]
    assert denied(late.resolve, Step.VOID, reason="too late").code == "incident/not-lawful"


@pytest.mark.clause("CB4 5.5.3")
@every("book", [book.id for book in rulebooks()])
def test_every_book_has_a_clause_for_it(book: str) -> None:
    """Those that say nothing of it take the house policy."""
    scene = Scene(book).fund(ann=1_000).seat("ann", 1).shoe().open().bet("ann", 1, "player", 100)
    scene.close().deal("6h 6c Ks Kd").deal("9s")

    assert path_of(scene, Step.VOID).clause == dict(WRONG_NUMBERS).get(book, "CB4 5.5.3")


@pytest.mark.clause("CB4 5.5.3")
def test_a_card_that_is_none_of_the_rounds_own_voids_nothing() -> None:
    """One that came while bets are closed and no card is out, and the first of another shoe."""
    before = dealt("")
    before.report("excess or exposed card", drawn=card("9s"))
    assert steps(before) == [Step.RECONSTRUCT, Step.PLAY_ON]

    other = dealt(NATURAL).call().settle().end_shoe().shoe("shoe 2").deal("9s")
    assert found(other) == ("excess or exposed card", SYSTEM)
    assert Step.VOID not in steps(other)


@pytest.mark.clause("CB4 5.5.3", "ETG4 5.1.2", "KO2 5.1.2")
@every("book", ["rws-commission", "rws-non-commission-etg", "rws-knockout"])
def test_a_wrong_number_of_cards_that_can_be_put_in_order_is_not_void(book: str) -> None:
    """Announced without the card that Banker had to draw: it is drawn now, 7 to 3."""
    scene = dealt("4h 2c Ad Ks 8h", book).report("wrong number of cards")

    scene.resolve(Step.RECONSTRUCT).deal("5d").call().settle()
    assert (scene.table.round.winner, scene.stack("ann")) == (Winner.BANKER, 900)


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param("rws-commission", "CB4 5.5.4", marks=pytest.mark.clause("CB4 5.5.4")),
        pytest.param(ETG, "ETG4 5.1.3", marks=pytest.mark.clause("ETG4 5.1.3")),
        pytest.param("rws-knockout", "KO2 5.1.3", marks=pytest.mark.clause("KO2 5.1.3")),
    ],
)
def test_five_cards_and_a_sixth_needed_is_void_and_a_new_shoe_comes(book: str, clause: str) -> None:
    """Player 2 and 2 draws a five, so Banker 3 must draw, and there is nothing to draw."""
    scene = only_left(dealt("", book), 5).deal("2h 3c 2d Kd 5h")

    assert found(scene) == ("insufficient cards", SYSTEM)
    scene.resolve(Step.VOID)
    assert resolved(scene).clause == clause
    assert (*money(scene), scene.table.shoe) == (1_000, 1_000, None)
    assert scene.shoe("shoe 2").open().table.round.phase is Phase.BETTING


@pytest.mark.clause("CB4 5.5.4", "ETG4 5.1.3", "KO2 5.1.3")
def test_six_cards_are_enough_for_every_coup() -> None:
    """Which is why no cut card lies deeper."""
    dice = Random(1913)
    for _ in range(60):
        scene = only_left(dealt("", sentinel=0), 6)
        while next_side(scene.table.round.coup) is not None:
            scene.deal(str(dice.choice(DECK)))
        assert scene.call().table.incident is None


@pytest.mark.clause("CB4 5.5.5")
def test_a_shoe_without_a_record_of_its_shuffle_is_not_taken_up() -> None:
    refused = denied(Scene().register, "shoe 1", " ")

    assert why(refused) == ("shoe/unshuffled", "CB4 5.5.5")


@pytest.mark.clause("CB4 5.5.5")
def test_thirteen_cards_in_the_order_of_a_new_deck_void_the_round_they_end_in() -> None:
    """All spades, ace to king, at a table that raises the alarm at thirteen."""
    scene = Scene(sentinel=13).fund(ann=1_000, bob=1_000).seat("ann", 1).seat("bob", 2).shoe()
    scene.open().bet("ann", 1, "player", 100).play("As 3s 5s / 2s 4s")
    scene.open().bet("bob", 2, "banker", 200).play("6s 8s Ts / 7s 9s")
    assert money(scene) == (1_100, 1_190)
    scene.open().bet("ann", 1, "player", 100).close().deal("Js Qs")
    assert scene.table.incident is None

    scene.deal("Ks")
    assert found(scene) == ("unshuffled cards", SYSTEM)
    scene.resolve(Step.VOID)
    assert (*money(scene), scene.table.shoe) == (1_100, 1_190, None)
    assert resolved(scene).clause == "CB4 5.5.5"


@pytest.mark.clause("CB4 5.5.5")
def test_usually_five_in_order_are_enough_and_the_pit_may_set_the_alarm_aside() -> None:
    scene = dealt("As 2s 3s 4s 5s")

    assert found(scene) == ("unshuffled cards", SYSTEM)
    assert denied(scene.resolve, Step.DISMISS).code == "incident/no-reason"
    scene.resolve(Step.DISMISS, reason="the shuffle is on film").call().settle()
    assert money(scene) == (1_100, 800)


@pytest.mark.clause("CB4 5.5.4", "ETG4 5.1.3", "KO2 5.1.3")
@every(("cards", "needed"), [("", 4), ("2h", 3), ("2h 6c 3s", 1), ("2h 6c 3s Kd", 1)])
def test_insufficient_cards_are_believed_only_where_the_round_cannot_end_with_them(
    cards: str, needed: int
) -> None:
    """Cards that were kept, or came out with the report, are there as well."""
    for left in (needed - 1, needed):
        scene = only_left(dealt(cards), left)
        if left == needed:
            refused = denied(scene.report, "insufficient cards", drawn=card("9h"))
            assert why(refused) == ("incident/cards-enough", "CB4 5.5.4")
            # How many cards there should be is not told: the shoe is counted blind.
            assert refused.params == {"cards": needed}
        else:
            scene.report("insufficient cards")
            assert steps(scene) == [Step.VOID, Step.RETRACT]


@pytest.mark.clause("CB4 5.5.4")
def test_a_round_that_has_all_its_cards_is_not_void_for_want_of_more() -> None:
    scene = only_left(dealt(NATURAL), 0)

    assert denied(scene.report, "insufficient cards").code == "incident/cards-enough"
    scene.call().settle()
    assert denied(scene.report, "insufficient cards").code == "incident/cards-enough"


@pytest.mark.clause("CB4 5.5.3")
@pytest.mark.parametrize("cards", ["", NATURAL])
def test_a_wrong_number_of_cards_is_not_believed_of_hands_that_have_the_right_one(
    cards: str,
) -> None:
    scene = dealt(cards)

    refused = denied(scene.report, "wrong number of cards")
    assert why(refused) == ("incident/right-number", "CB4 5.5.3")
    assert scene.report("wrong number of cards", drawn=card("6h")).table.incident is not None


@pytest.mark.clause("CB4 5.5.5")
@pytest.mark.parametrize("scanned", [False, True])
def test_a_card_too_many_that_ends_the_run_raises_the_alarm_beside_it(scanned: bool) -> None:
    """Two to five of spades lie there, a natural; the six comes after them."""
    scene = dealt("2s 3s 4s 5s")
    if scanned:
        scene.deal("6s")
    else:
        scene.report("excess or exposed card", drawn=card("6s"))
    assert found(scene)[0] == "excess or exposed card"
    assert [(one.kind, one.by) for one in scene.table.behind] == [("unshuffled cards", SYSTEM)]

    scene.resolve(Step.RECONSTRUCT)
    assert found(scene) == ("unshuffled cards", SYSTEM)
    assert steps(scene) == [Step.VOID, Step.DISMISS]
    scene.resolve(Step.VOID)
    assert (*money(scene), scene.table.shoe, scene.table.behind) == (1_000, 1_000, None, ())
    check_replay(scene.table, scene.log)


@pytest.mark.clause("CB4 5.5.5", "CB4 5.12")
@pytest.mark.parametrize("step", [Step.VOID, Step.DISMISS])
def test_patrons_choose_once_the_alarm_is_settled_too(step: Step) -> None:
    scene = dealt("2s", sentinel=2).report("excess or exposed card", drawn=card("3s"))
    scene.resolve(Step.RECONSTRUCT)
    assert scene.table.options == {"ann": None, "bob": None}
    for refused in (denied(scene.option, "ann", True), denied(scene.options_over)):
        assert why(refused) == ("incident/waiting", "CB4 5.5.5")

    scene.resolve(step, reason="the shuffle is on film")
    if step is Step.DISMISS:
        assert scene.table.options_until == scene.now + scene.setup.option_ms
        scene.option("ann", True).option("bob", False)
    assert not is_waiting(scene.table)
    assert money(scene) == ((900, 1_000) if step is Step.DISMISS else (1_000, 1_000))


@pytest.mark.clause("KO2 3.4.2", "CB4 5.7")
def test_a_card_scanned_while_antes_are_decided_is_out_of_the_shoe() -> None:
    """It is kept and dealt next; whoever decides has the whole time again."""
    scene = Scene("rws-knockout").fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "ante_player", 100).close().deal("5h 9d")
    assert found(scene) == ("excess or exposed card", SYSTEM)

    scene.resolve(Step.RECONSTRUCT).option("ann", True)
    assert (scene.table.round.phase, scene.table.kept) == (Phase.DECIDING, card("9d"))
    assert scene.table.round.decide_until == scene.now + scene.setup.decision_ms
    scene.choose("ann", 1, "ante_player").deal("9d")
    assert scene.table.round.coup == Coup.parse("5h / 9d")


VOIDING = (
    "foreign card",
    "shortage or excess in the shoe",
    "wrong number of cards",
    "insufficient cards",
    "unshuffled cards",
)


def reported(scene: Scene, kind: str) -> Scene:
    """What voids a round, where it can be believed."""
    return (only_left(scene, 0) if kind == "insufficient cards" else scene).report(kind)


@pytest.mark.clause("CB4 5.5 tail")
@every("kind", VOIDING)
def test_earlier_rounds_keep_their_outcome_and_their_settlement(kind: str) -> None:
    scene = dealt(NATURAL).call().settle()
    first, beads = list(scene.log), scene.seen_by().roads.bead
    scene.open().bet("ann", 1, "player", 500).close().deal(UNDECIDED)
    reported(scene, kind)

    scene.resolve(Step.VOID, reason="as it was seen")

    assert money(scene) == (1_100, 800)
    assert scene.log[: len(first)] == first
    assert scene.seen_by().roads.bead == beads


@pytest.mark.clause("ETG4 5.1")
@every("kind", ["foreign card", "wrong number of cards", "insufficient cards"])
def test_each_of_the_three_voids_the_round_and_returns_every_stake(kind: str) -> None:
    stakes = {"player": 100, "banker": 100, "tie": 10, "player_pair": 6, "banker_pair": 6}
    scene = Scene("rws-non-commission-etg").fund(ann=1_000).seat("ann", 1).shoe().open()
    for spot, stake in stakes.items():
        scene.bet("ann", 1, spot, stake)
    scene.close().deal("7h 2c 7s Kd")
    assert scene.stack("ann") == 778

    reported(scene, kind).resolve(Step.VOID, reason="as it was seen")

    assert (scene.stack("ann"), scene.house) == (1_000, 0)
    assert scene.table.round.phase is Phase.VOID


def antes() -> Scene:
    """Ante (Player) 50 declined, Ante (Banker) 50 continued with 100, Player 20 and a total."""
    scene = Scene("rws-knockout").fund(ann=1_000, bob=1_000).seat("ann", 1).seat("bob", 2).shoe()
    scene.open().bet("ann", 1, "ante_player", 50).bet("bob", 2, "ante_banker", 50)
    scene.bet("bob", 2, "player", 20).bet("bob", 2, "winning_total_8", 20).close().deal("2h")
    return scene.choose("ann", 1, "ante_player", False).choose("bob", 2, "ante_banker")


@pytest.mark.clause("KO2 5.1")
@every("kind", ["foreign card", "wrong number of cards", "insufficient cards"])
def test_a_void_gives_back_even_an_ante_that_was_declined(kind: str) -> None:
    scene = antes().deal("6c 3s")
    assert money(scene) == (950, 810)

    reported(scene, kind).resolve(Step.VOID, reason="as it was seen")

    assert (*money(scene), scene.house) == (1_000, 1_000, 0)


@pytest.mark.clause("KO2 5.1")
def test_also_after_the_settlement() -> None:
    scene = antes().finish("2h 3s 9c / 6c Kd")
    assert scene.stack("ann") == 950

    scene.report("foreign card", note="found in the discards").resolve(Step.VOID)

    assert (*money(scene), scene.house) == (1_000, 1_000, 0)


# === CB4 5.7: cards in excess, cards exposed ======================================================


@pytest.mark.clause("CB4 5.7")
def test_a_six_drawn_to_a_natural_nine_is_the_next_rounds_first_card() -> None:
    scene = dealt(NATURAL).deal("6h")
    assert found(scene) == ("excess or exposed card", SYSTEM)

    scene.resolve(Step.RECONSTRUCT).call().settle()
    assert (scene.table.round.winner, *money(scene)) == (Winner.PLAYER, 1_100, 800)
    assert scene.open().close().deal("6h").table.round.coup == Coup.parse("6h /")


@pytest.mark.clause("CB4 5.7")
def test_a_second_card_drawn_to_a_natural_waits_behind_the_first() -> None:
    scene = dealt(NATURAL).deal("6h").resolve(Step.RECONSTRUCT).deal("7h")
    assert found(scene) == ("excess or exposed card", SYSTEM)

    scene.resolve(Step.RECONSTRUCT)
    assert scene.table.kept == card("6h 7h")
    scene.call().settle()
    assert (scene.table.round.winner, *money(scene)) == (Winner.PLAYER, 1_100, 800)


@pytest.mark.clause("CB4 5.5.1")
def test_a_ninth_copy_is_found_while_a_card_is_kept() -> None:
    scene = forty_rounds("rws-commission").report("excess or exposed card", drawn=card("8d"))
    scene.resolve(Step.RECONSTRUCT).open().bet("ann", 1, "player", 100).close().deal("7h")

    assert found(scene) == ("foreign card", SYSTEM)
    assert steps(scene) == [Step.VOID]


def at_table() -> Scene:
    return Scene().fund(ann=1_000, bob=1_000).seat("ann", 1).seat("bob", 2).shoe()


@pytest.mark.clause("CB4 5.7")
@every(
    ("make", "step"),
    [
        (at_table, Step.RECORD),
        (lambda: at_table().open(), Step.RECONSTRUCT),
        (lambda: dealt(NATURAL).call().settle(), Step.RECONSTRUCT),
        (lambda: dealt(NATURAL).void(), Step.RECORD),
    ],
    ids=["before the first round", "while bets are open", "after the settlement", "after a void"],
)
def test_a_card_that_leaves_the_shoe_when_none_is_wanted_is_kept_and_moves_no_money(
    make: Callable[[], Scene], step: Step
) -> None:
    scene = make()
    before, rounds_before = (*money(scene), scene.house), scene.table.rounds
    scene.deal("9h")
    assert found(scene) == ("excess or exposed card", SYSTEM)

    scene.resolve(step)
    assert (scene.table.options, scene.table.kept) == (None, card("9h"))
    assert (*money(scene), scene.house) == before
    if scene.table.round.phase is not Phase.BETTING:
        scene.open()
        assert scene.table.rounds == rounds_before + 1
    assert scene.close().deal("9h").table.round.coup == Coup.parse("9h /")


@pytest.mark.clause("CB4 5.7.1")
def test_whoever_has_bet_when_a_card_is_seen_too_early_may_take_the_bet_back() -> None:
    scene = at_table().open().bet("ann", 1, "player", 100).deal("9h").resolve(Step.RECONSTRUCT)
    assert scene.table.options == {"ann": None}

    assert money(scene.option("ann", False)) == (1_000, 1_000)
    assert scene.close().deal("9h").table.round.coup == Coup.parse("9h /")


@pytest.mark.clause("HOUSE exposed card")
def test_the_kept_card_is_not_another_one_when_it_is_scanned_too_early() -> None:
    """The nine lies there already: to scan it once more before the close is a slip, no card."""
    scene = at_table().open().deal("9h").resolve(Step.RECONSTRUCT)

    assert why(denied(scene.deal, "9h")) == ("card/bets-open", "CB4 3.8")
    assert scene.table.incident is None


@pytest.mark.clause("CB4 5.5.4")
def test_a_round_whose_only_card_was_kept_cannot_be_completed() -> None:
    scene = only_left(dealt(NATURAL), 1).deal("6h").resolve(Step.RECONSTRUCT).call().settle()
    before = money(scene)
    scene.open().bet("ann", 1, "player", 100).close().deal("6h")
    assert found(scene) == ("insufficient cards", SYSTEM)

    scene.resolve(Step.VOID)
    assert (money(scene), scene.table.shoe) == (before, None)


@pytest.mark.clause("CB4 5.7")
def test_of_two_cards_exposed_the_tableau_takes_what_it_wants_and_the_rest_is_kept() -> None:
    """Player has 5 and takes the seven; Banker 7 stands, so the king is for the next round."""
    scene = dealt("2h 7c 3s Kd").report("excess or exposed card", drawn=card("7d Ks"))

    scene.resolve(Step.RECONSTRUCT)
    assert scene.table.round.coup == Coup.parse("2h 3s 7d / 7c Kd")
    assert scene.table.kept == card("Ks")


@pytest.mark.clause("CB4 5.7 disc")
def test_the_house_alone_says_that_cards_cannot_be_put_in_order_and_says_why() -> None:
    scene = dealt("5h 8c 2d Qs")
    scene.report("card to the wrong side", lying=Coup.parse("5h 8c / 2d Qs"))

    assert why(denied(scene.resolve, Step.PLAY_ON, DEALER, reason="mixed up")) == (
        "staff/role",
        "CB4 5.8.1",
    )
    assert denied(scene.resolve, Step.PLAY_ON, "ann", reason="so I wish").code.startswith("staff/")
    assert denied(scene.resolve, Step.PLAY_ON).code == "incident/no-reason"
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    done = resolved(scene)
    assert (done.by, done.role, done.reason) == (
        SUPERVISOR,
        Role.PIT_SUPERVISOR,
        "nobody saw the order",
    )
    # From there it is the path of 5.12.1: the cards as they lie.
    assert scene.table.round.coup == Coup.parse("5h 8c / 2d Qs")


@pytest.mark.clause("CB4 5.7.1")
@pytest.mark.parametrize(("cards", "offered"), [("2h", EVERYBODY), ("2h 6c 3s Kd", ())])
def test_an_exposed_card_gives_options_after_one_card_and_none_after_four(
    cards: str, offered: tuple[str, ...]
) -> None:
    scene = dealt(cards).report("excess or exposed card", drawn=card("7d"))

    scene.resolve(Step.RECONSTRUCT)
    assert tuple(scene.table.options or ()) == offered


# === CB4 5.8: cards to the wrong side or person ===================================================


@pytest.mark.clause("CB4 5.8.1")
def test_a_fifth_card_on_the_banker_goes_to_the_player_who_had_to_draw() -> None:
    """Five and seven make 2; against a seven, Banker draws on 6."""
    scene = dealt("2h 6c 3s Kd 7d")
    scene.report("card to the wrong side", lying=Coup.parse("2h 3s / 6c Kd 7d"))

    scene.resolve(Step.RECONSTRUCT)
    assert scene.table.round.coup == Coup.parse("2h 3s 7d / 6c Kd")
    assert next_side(scene.table.round.coup) is Side.BANKER
    scene.deal("4h").call().settle()
    assert (scene.table.round.coup.player_points, scene.table.round.coup.banker_points) == (2, 0)
    assert money(scene) == (1_100, 800)


@pytest.mark.clause("CB4 5.8.2")
def test_hands_given_to_the_wrong_squeezers_are_exchanged() -> None:
    """Bob squeezes the Banker hand; whatever he was handed, Banker's cards are two and four."""
    scene = Scene(face_down=True).fund(ann=1_000, bob=1_000).seat("ann", 1).seat("bob", 2).shoe()
    scene.open().bet("ann", 1, "player", 100).bet("bob", 2, "banker", 200).close()
    scene.ask("bob", Side.BANKER).answer("bob").deal("5h 8c 2d Qs")
    scene.report("card to the wrong person", lying=Coup.parse("8c Qs / 5h 2d"))

    path = path_of(scene, Step.RECONSTRUCT)
    assert (path.clause, path.coup) == ("CB4 5.8.2", Coup.parse("5h 2d / 8c Qs"))
    scene.resolve(Step.RECONSTRUCT)
    assert scene.seen_by("bob").banker == card("8c Qs")
    assert scene.seen_by("bob").player == (None, None)
    scene.options_over().turn_over().call()
    assert scene.table.round.winner is Winner.BANKER


@pytest.mark.clause("CB4 5.8 tail")
@every("kind", ["card to the wrong side", "card to the wrong person"])
@every(
    ("cards", "step", "offered"),
    [
        (UNDECIDED, Step.RECONSTRUCT, EVERYBODY),
        (UNDECIDED, Step.PLAY_ON, EVERYBODY),
        ("2h 6c 3s Kd", Step.RECONSTRUCT, ()),
        ("2h 6c 3s Kd", Step.PLAY_ON, EVERYBODY),
    ],
)
def test_only_an_outcome_and_cards_put_in_order_leave_no_options(
    kind: str, cards: str, step: Step, offered: tuple[str, ...]
) -> None:
    """Rows 3 to 6 of the decision table."""
    scene = dealt(cards).report(kind).resolve(step, reason="as the cards lie")

    assert tuple(scene.table.options or ()) == offered


@pytest.mark.clause("CB4 5.8 tail")
@pytest.mark.parametrize("seen", [True, False])
def test_the_cards_are_put_in_order_whether_they_were_seen_or_not(seen: bool) -> None:
    scene = dealt("5h 8c 2d Qs", face_down=True)
    if seen:
        scene.turn_over()
    scene.report("card to the wrong side", lying=Coup.parse("8c Qs / 5h 2d"))

    assert path_of(scene, Step.RECONSTRUCT).coup == Coup.parse("5h 2d / 8c Qs")


# === CB4 5.9: a card face up ======================================================================


@pytest.mark.clause("CB4 5.9")
def test_card_two_face_up_gives_options_and_the_round_goes_on() -> None:
    scene = dealt("9h 2c", face_down=True).report("card face up", exposed=1)
    assert scene.seen_by().banker == card("2c")

    scene.resolve(Step.CONTINUE, DEALER)
    assert scene.table.options == {"ann": None, "bob": None}
    scene.option("ann", True).option("bob", False).deal("Kh 5d").call().settle()
    assert (scene.table.round.winner, *money(scene)) == (Winner.PLAYER, 1_100, 1_000)


@pytest.mark.clause("CB4 5.9")
def test_card_four_face_up_gives_none_once_the_first_three_are_known() -> None:
    scene = dealt("9h 2c Kh", face_down=True).turn_over().deal("5d")
    scene.report("card face up", exposed=3).resolve(Step.CONTINUE, DEALER)

    assert scene.table.options is None
    scene.call().settle()
    assert money(scene) == (1_100, 800)


@pytest.mark.clause("CB4 5.9")
def test_two_cards_face_up_at_once_are_one_error_with_one_choice() -> None:
    """With the first three of the four cards known Player Pair is lost, so nobody chooses."""
    scene = dealt("9h 2c Kh 5d", face_down=True)
    for also in ((0,), (1, 1), (4,)):
        refused = denied(scene.report, "card face up", exposed=0, also_exposed=also)
        assert why(refused) == ("incident/not-hidden", "CB4 5.9")
    assert denied(scene.report, "card face up", also_exposed=(1,)).code == "incident/not-hidden"

    scene.report("card face up", exposed=0, also_exposed=(1,))
    assert (scene.seen_by().player, scene.seen_by().banker) == (
        (*card("9h"), None),
        (*card("2c"), None),
    )
    scene.resolve(Step.CONTINUE, DEALER).option("ann", True).option("bob", True)
    scene.report("card face up", exposed=3, also_exposed=(2,)).resolve(Step.CONTINUE, DEALER)
    assert scene.table.options is None
    assert scene.call().settle().stack("ann") == 1_100
    check_replay(scene.table, scene.log)


# === CB4 5.10: cards drawn together ===============================================================


def stuck_together(cards: str = "Ah 2c 2d 3s") -> Scene:
    """Player has 3 and Banker 5 when the four of hearts and the nine of spades come at once."""
    return dealt(cards).report("simultaneous cards", drawn=card("4h 9s"))


@pytest.mark.clause("CB4 5.10")
def test_both_orders_of_four_and_nine_are_shown_with_what_comes_of_them() -> None:
    scene = stuck_together()

    orders = {path.order: path for path in scene.advice().paths if path.step is Step.ORDER}
    assert {order: (str(path.coup), path.kept) for order, path in orders.items()} == {
        card("4h 9s"): ("Ah 2d 4h / 2c 3s 9s", ()),
        card("9s 4h"): ("Ah 2d 9s / 2c 3s", card("4h")),
    }
    bob = [path.prospects["bob"].mean for path in orders.values() if path.prospects]
    assert bob == [Fraction(-200), Fraction(190)]


@pytest.mark.clause("CB4 5.10")
@every("role", list(Role))
def test_a_pit_supervisor_or_above_says_which_was_first_and_the_log_says_who(role: Role) -> None:
    scene = stuck_together().staff("max", role)

    if role is Role.DEALER:
        refused = denied(scene.resolve, Step.ORDER, "max", order=card("9s 4h"))
        assert why(refused) == ("staff/role", "CB4 5.10")
        return
    scene.resolve(Step.ORDER, "max", order=card("9s 4h"))
    assert (resolved(scene).by, resolved(scene).role) == ("max", Role.PIT_SUPERVISOR)
    laid = [event for event in scene.last if isinstance(event, CardDealt)]
    assert [(event.side, event.card, event.by) for event in laid] == [
        (Side.PLAYER, Card.parse("9s"), "max")
    ]


@pytest.mark.clause("CB4 5.10")
def test_the_order_must_be_one_of_the_cards_that_came() -> None:
    scene = stuck_together()

    for order in ("4h", "4h 4h", "4h 9s 2c", "9h 4s"):
        assert denied(scene.resolve, Step.ORDER, order=card(order)).code == "incident/not-lawful"


@pytest.mark.clause("CB4 5.10.1")
@every("cards", ["", UNDECIDED, "Ah 2c 2d 3s"])
def test_cards_drawn_together_always_give_options(cards: str) -> None:
    """Also with an outcome established: Player Pair is lost in the last of them."""
    scene = stuck_together(cards).resolve(Step.ORDER, order=card("4h 9s"))

    assert scene.table.options == {"ann": None, "bob": None}


@pytest.mark.clause("CB4 5.10.1")
@pytest.mark.clause("CB4 5.12")
@every(
    ("kind", "step", "drawn"),
    [
        ("simultaneous cards", Step.ORDER, "4h 9s"),
        ("other dealing error", Step.CONTINUE, ""),
        ("wrong number of cards", Step.RECONSTRUCT, "4h"),
        ("excess or exposed card", Step.RECONSTRUCT, "4h"),
        ("card to the wrong side", Step.RECONSTRUCT, ""),
        ("card to the wrong side", Step.PLAY_ON, ""),
        ("card to the wrong person", Step.PLAY_ON, ""),
    ],
)
def test_a_settled_round_is_not_opened_again_by_what_comes_after_it(
    kind: str, step: Step, drawn: str
) -> None:
    """Nobody goes on with it; the cards that came out are the next round's."""
    scene = dealt(NATURAL).call().settle().cash_out("ann", 1_100)
    scene.report(kind, drawn=card(drawn))
    assert path_of(scene, step).offered == ()

    order = card(drawn) if step is Step.ORDER else ()
    scene.resolve(step, reason="as they lie", order=order)
    assert scene.table.options is None
    assert (money(scene), scene.owes("ann"), scene.table.kept) == ((0, 800), 0, card(drawn))
    assert scene.table.round.phase is Phase.SETTLED


@pytest.mark.clause("CB4 5.10.2")
def test_a_pit_supervisor_may_have_the_whole_shoe_replaced() -> None:
    scene = stuck_together()
    order = card("4h 9s")
    assert denied(scene.resolve, Step.ORDER, DEALER, order=order, replace_shoe=True).code == (
        "staff/role"
    )

    scene.resolve(Step.ORDER, order=order, replace_shoe=True)
    sealed = [event for event in scene.last if isinstance(event, ShoeRemoved)]
    assert [(event.shoe, event.by) for event in sealed] == [("shoe 1", SUPERVISOR)]
    scene.option("ann", True).option("bob", True).call().settle()
    assert money(scene) == (1_100, 800)
    # The new shoe is burned as every shoe is.
    scene.register("shoe 2")
    assert denied(scene.open).code == "shoe/burn-first"
    assert scene.burn("Ah").burn().open().table.round.phase is Phase.BETTING


@pytest.mark.clause("CB4 5.10.2")
def test_for_nothing_else_is_a_shoe_replaced() -> None:
    scene = dealt(UNDECIDED).report("other dealing error")

    refused = denied(scene.resolve, Step.CONTINUE, replace_shoe=True)
    assert why(refused) == ("incident/shoe-stays", "CB4 5.12")


# === CB4 5.11: noticed late =======================================================================


@pytest.mark.clause("CB4 5.11")
def test_a_wrong_third_card_of_round_30_noticed_in_round_32_changes_nothing() -> None:
    scene = Scene().staff(MANAGER, Role.SHIFT_MANAGER).fund(ann=10_000).seat("ann", 1).shoe()
    for number in range(31):
        suit = "scdh"[number % 4]
        scene.open().bet("ann", 1, "player", 100).play(f"9{suit} K{suit} / 2{suit} 3{suit}")
    scene.open().bet("ann", 1, "player", 100).close().deal("8h 4c")
    before = scene.table.results, scene.stack("ann"), scene.house

    scene.report("wrong number of cards", round=30, note="a third card to a standing hand")
    incident = scene.table.incident
    assert incident is not None
    assert (incident.round, incident.kind) == (30, "noticed a round late")
    assert denied(scene.resolve, Step.VOID, MANAGER).code == "incident/not-lawful"
    scene.resolve(Step.RECORD)

    assert (scene.table.results, scene.stack("ann"), scene.house) == before
    assert (resolved(scene).clause, resolved(scene).step) == ("CB4 5.11", Step.RECORD)
    scene.deal("Qh Td").call().settle()
    assert scene.stack("ann") == 10_000 + 32 * 100


@pytest.mark.clause("CB4 5.11")
def test_an_error_of_an_earlier_shoe_is_written_down_and_changes_nothing() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle().open().play(PLAYER_WINS).end_shoe()
    scene.shoe("shoe 2").open().bet("ann", 1, "player", 100)
    before = money(scene)
    for shoe, number in ((1, None), (1, 0), (0, 1), (3, 1)):
        refused = denied(scene.report, "wrong number of cards", round=number, shoe=shoe)
        assert refused.code == "incident/round"

    scene.report("wrong number of cards", round=2, shoe=1, note="seen on film")
    incident = scene.table.incident
    assert incident is not None
    assert (incident.kind, incident.round, incident.shoe) == ("noticed a round late", 2, 1)
    assert steps(scene) == [Step.RECORD, Step.RETRACT]
    scene.resolve(Step.RECORD)
    assert (money(scene), scene.table.round.phase) == (before, Phase.BETTING)
    # Of the shoe in use only what has been played can be late.
    scene.report("foreign card", round=1, shoe=2)
    assert scene.table.incident is not None
    assert (scene.table.incident.kind, scene.table.incident.shoe) == ("foreign card", None)


@pytest.mark.clause("CB4 5.11")
def test_the_last_round_of_a_shoe_is_not_late_before_the_next_shoe_has_had_one() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle().end_shoe().shoe("shoe 2")

    scene.report("misread card", round=1, shoe=1)
    scene.resolve(Step.CORRECT, reason="a seven", coup=Coup.parse("7h Kh / 8c Kd"))
    assert money(scene) == (900, 1_190)


@pytest.mark.clause("CB4 5.11")
def test_the_last_round_of_a_closed_table_is_put_right_as_long_as_no_other_opens() -> None:
    scene = dealt("9h 8c Kh Kd").announce(1).call().settle().close_table()
    scene.report("misread card")
    again = OpenTable(scene.setup, SUPERVISOR, scene.at())
    assert denied(scene.do, again).code == "incident/waiting"

    scene.resolve(Step.CORRECT, reason="a seven", coup=Coup.parse("7h Kh / 8c Kd"))
    assert money(scene) == (900, 1_190)
    check_replay(scene.table, scene.log)
    book, scene.book = scene.book, load("rws-knockout")
    assert denied(scene.report, "misread card").code == "round/other-book"
    scene.book = book
    scene.wet().resolve(Step.RULE_VOID, MANAGER, reason="void", facts="water")
    assert money(scene) == (1_000, 1_000)
    assert denied(scene.report, "misread card").code == "table/closed"


# === CB4 5.12: options ============================================================================


def error(cards: str = UNDECIDED, *, bound: bool = False) -> Scene:
    """The dealer burned twice, which no other paragraph speaks of."""
    scene = dealt(cards, bound=bound).report("other dealing error", note="burned twice")
    return scene.resolve(Step.CONTINUE)


@pytest.mark.clause("CB4 5.12")
@every("cards", ["", UNDECIDED, "2h 6c 3s Kd", NATURAL])
def test_any_other_dealing_error_gives_everybody_options(cards: str) -> None:
    """Whatever is established: the paragraph makes no exception."""
    scene = error(cards)

    (offer,) = (event for event in scene.last if isinstance(event, OptionsOffered))
    assert (offer.patrons, offer.clause) == (EVERYBODY, "CB4 5.12")
    assert [scene.seen_by(who).own_option for who in EVERYBODY] == [True, True]


@pytest.mark.clause("CB4 5.12.1")
def test_to_go_on_with_the_cards_as_they_lie() -> None:
    """Three and two as they lie, where the order of dealing would have given 7 and 8."""
    scene = dealt("5h 8c 2d Qs")
    scene.report("card to the wrong side", lying=Coup.parse("5h 8c / 2d Qs"))
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")

    scene.option("ann", True).option("bob", True)
    assert why(denied(scene.take_back, "ann", 1, "player")) == ("bet/closed", "CB4 5.6")
    scene.deal("6s 9d").call().settle()
    assert scene.table.round.coup == Coup.parse("5h 8c 6s / 2d Qs 9d")
    assert money(scene) == (1_100, 800)


@pytest.mark.clause("CB4 5.12.2")
def test_to_go_on_with_the_cards_put_in_order() -> None:
    """Banker's card lay with the Player; back in order it is Banker's, and bets are locked."""
    scene = dealt(UNDECIDED).report("card to the wrong side", lying=Coup.parse("2h 6c /"))
    scene.resolve(Step.RECONSTRUCT)
    assert scene.table.round.coup == Coup.parse("2h / 6c")

    scene.option("ann", True).option("bob", True)
    assert why(denied(scene.take_back, "bob", 2, "banker")) == ("bet/closed", "CB4 5.6")
    scene.deal("7s Kd").call().settle()
    assert (scene.table.round.winner, *money(scene)) == (Winner.PLAYER, 1_100, 800)


@pytest.mark.clause("CB4 5.12.3")
def test_to_have_every_bet_of_the_round_returned() -> None:
    """Ann has three bets in two boxes, the pair lost already: all come back at once."""
    scene = Scene().fund(ann=1_000, bob=1_000).seat("ann", 1).seat("bob", 2).shoe().open()
    scene.bet("bob", 2, "banker", 200).bet("ann", 1, "player", 100)
    scene.bet("ann", 1, "player_pair", 50).bet("ann", 2, "tie", 30).close().deal("2h 6c 3s")
    scene.report("other dealing error").resolve(Step.CONTINUE)

    scene.option("ann", False)
    assert (*money(scene), scene.held("ann")) == (1_000, 800, 0)
    assert scene.bets == {("bob", "banker"): 200}
    assert scene.option("bob", True).deal("Kd 7d 4h").call().settle().stack("ann") == 1_000


@pytest.mark.clause("CB4 5.12 tail")
def test_whoever_goes_on_must_accept_every_later_card() -> None:
    scene = error().option("ann", True)
    assert why(denied(scene.option, "ann", False)) == ("option/chosen", "CB4 5.12")

    scene.option("bob", True).deal("3s")
    assert why(denied(scene.option, "ann", False)) == ("option/none", "CB4 5.12")
    assert why(denied(scene.take_back, "ann", 1, "player")) == ("bet/closed", "CB4 5.6")
    scene.deal("Kd Ks").call().settle()
    assert (scene.table.round.winner, *money(scene)) == (Winner.BANKER, 900, 1_190)


@pytest.mark.clause("CB4 5.12 who")
@pytest.mark.parametrize("kept", [10_000, 15_000])
def test_nobodys_choice_changes_anothers_bets(kept: int) -> None:
    """A takes 9,000 back from Player; B's Banker bet is settled in full, without apportioning."""
    gap = Limit(Kind.DIFFERENTIAL, Scope.BOX, ("player", "banker"), 10_000, "CB4 5.1")
    scene = Scene(limits=(gap,)).fund(ann=20_000, bob=20_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "player", 9_000).bet("bob", 1, "banker", kept).close().deal(UNDECIDED)
    scene.report("other dealing error").resolve(Step.CONTINUE)

    scene.option("ann", False).option("bob", True).deal("3s Kd Ks").call().settle()

    one = scene.settled["bob", "banker"]
    assert (one.effective, one.net) == (kept, kept * 95 // 100)
    assert money(scene) == (20_000, 20_000 + kept * 95 // 100)


# === CB4 5.17: what no paragraph settles ==========================================================


@pytest.mark.clause("CB4 5.17")
@pytest.mark.parametrize(
    ("step", "phase"), [(Step.RULE_VOID, Phase.VOID), (Step.RULE_CONTINUE, Phase.DEALING)]
)
def test_a_shift_manager_rules_with_facts_decision_and_name(step: Step, phase: Phase) -> None:
    scene = dealt("2h 6c 3s Kd").wet()
    words = {"facts": "water on the layout", "reason": "the cards are dry and stand"}

    for person in (DEALER, SUPERVISOR):
        assert why(denied(scene.resolve, step, person, **words)) == ("staff/role", "CB4 5.17")
    for missing in words:
        some = {**words, missing: " "}
        refused = denied(scene.resolve, step, MANAGER, **some)
        assert why(refused) == ("incident/no-ruling", "CB4 5.17")
    scene.resolve(step, MANAGER, **words)

    ruling = resolved(scene)
    assert (ruling.facts, ruling.reason) == (words["facts"], words["reason"])
    assert (ruling.by, ruling.role, ruling.clause) == (MANAGER, Role.SHIFT_MANAGER, "CB4 5.17")
    assert scene.table.round.phase is phase
    # What it does to the bets is in the log as well.
    assert money(scene) == ((1_000, 1_000) if phase is Phase.VOID else (900, 800))
    check_replay(scene.table, scene.log)


@pytest.mark.clause("CB4 5.17")
def test_without_a_round_a_report_for_a_ruling_is_taken_back_by_the_pit() -> None:
    """No shift manager is in the house, and nothing waits for one."""
    scene = Scene().shoe().wet()
    assert why(denied(scene.resolve, Step.RETRACT, DEALER, reason="dry")) == (
        "staff/role",
        "CB4 5.17",
    )
    scene.resolve(Step.RETRACT, reason="it was dry")
    assert (resolved(scene).role, scene.open().table.round.number) == (Role.PIT_SUPERVISOR, 1)

    settled = dealt(NATURAL).sign_off(MANAGER).call().settle().wet()
    assert denied(settled.resolve, Step.RETRACT, reason="it was dry").code == "staff/role"


# === CB4 5.14: displays ===========================================================================


@pytest.mark.clause("CB4 5.14")
def test_a_display_that_showed_another_winner_changes_no_result_and_no_payment() -> None:
    """Banker was shown; what stands is what lies there, and the roads are made from that anew."""
    scene = dealt("9h 8c Kh Kd").call().settle()
    before, beads = money(scene), scene.seen_by().roads.bead
    scene.report("wrong display", note="it showed Banker")

    assert steps(scene) == [Step.RECORD, Step.RETRACT]
    for step in (Step.VOID, Step.CORRECT):
        assert why(denied(scene.resolve, step, MANAGER)) == ("incident/not-lawful", "CB4 5.14")
    scene.resolve(Step.RECORD)
    assert [type(event) for event in scene.last] == [IncidentResolved]
    assert (money(scene), scene.table.round.winner) == (before, Winner.PLAYER)
    assert scene.seen_by().roads.bead == beads
    check_replay(scene.table, scene.log)


# === ETG4: where the book is silent ===============================================================


@pytest.mark.clause("ETG4 silence (b)")
def test_a_dealing_machine_that_dies_after_card_two_leaves_a_void_round_and_a_notice() -> None:
    scene = Scene("rws-non-commission-etg", machine="machine").fund(ann=1_000, bob=1_000)
    scene.seat("ann", 1).seat("bob", 2).shoe().open("machine")
    scene.bet("ann", 1, "player", 100).bet("bob", 2, "banker", 200)
    restarted(scene.close("machine").deal("2h 6c", "machine"))

    (voided,) = (event for event in scene.last if isinstance(event, RoundVoided))
    assert (voided.clause, voided.by, voided.reason) == ("CB4 5.4.2", SYSTEM, "restarted")
    assert [(bet.patron, bet.stake) for bet in voided.returned] == [("ann", 100), ("bob", 200)]
    assert money(scene) == (1_000, 1_000)
    patrons = [Viewer(Audience.PATRON, name) for name in EVERYBODY]
    for viewer in (PUBLIC, *patrons):
        assert scene.seen_by(viewer).phase is Phase.VOID
    for viewer in patrons:
        notice = scene.seen_by(viewer)
        assert (notice.void_reason, notice.void_clause) == ("restarted", "CB4 5.4.2")


@pytest.mark.clause("ETG4 silence (b)")
def test_after_card_three_the_machine_goes_on() -> None:
    scene = restarted(dealt("9h 2c Kh", "rws-non-commission-etg"))

    assert (resolved(scene).step, resolved(scene).clause) == (Step.CONCLUDE, "CB4 5.4.1")
    assert scene.deal("5d").call().settle().stack("ann") == 1_100


# === ONL: errors ==================================================================================


def online(book: str, cards: str) -> Scene:
    """Ann has 20 on Player and 10,000 to cover it, bob 20 on Banker."""
    scene = Scene(book).fund(ann=10_000, bob=10_000).seat("ann", 1).seat("bob", 2).shoe().open()
    scene.bet("ann", 1, "player", 20).bet("bob", 2, "banker", 20)
    return scene.close().deal(cards) if cards else scene


@pytest.mark.clause("ONL E1")
@every("book", ONLINE)
@every("out", [1, 2, 3, 4, 5])
def test_a_round_that_has_started_is_played_to_its_end(book: str, out: int) -> None:
    """Nobody bets anew in it, and everybody is paid."""
    cards = parse_cards("2h 6c 3s Kd 4h")
    scene = restarted(online(book, " ".join(map(str, cards[:out]))))

    assert (resolved(scene).step, resolved(scene).clause) == (Step.CONCLUDE, "ONL E1")
    assert denied(scene.bet, "ann", 1, "tie", 20).code == "bet/closed"
    scene.finish("2h 3s 4h / 6c Kd")
    # Nine against six: even money, or 8.55 for one in Cow Cow.
    assert scene.stack("ann") == 10_000 + (171 if book == "online-cow-cow" else 20)


@pytest.mark.clause("ONL E2")
@every("book", ONLINE)
def test_a_round_that_has_not_started_is_cancelled_and_every_stake_returned(book: str) -> None:
    scene = restarted(online(book, ""))

    (voided,) = (event for event in scene.last if isinstance(event, RoundVoided))
    assert (voided.clause, resolved(scene).clause) == ("ONL E2", "ONL E2")
    assert {bet.patron: bet.stake for bet in voided.returned} == {"ann": 20, "bob": 20}
    assert (*money(scene), scene.held("ann")) == (10_000, 10_000, 0)
    assert scene.open().table.round.number == 2


@pytest.mark.clause("ONL E2 (b)")
@every("book", ONLINE)
def test_the_first_card_starts_the_round_and_closing_the_bets_does_not(book: str) -> None:
    before, after = restarted(online(book, "").close()), restarted(online(book, "2h"))

    assert before.table.round.phase is Phase.VOID
    assert after.table.round.phase is Phase.DEALING


@pytest.mark.clause("ONL E3")
@every("book", ONLINE)
def test_a_card_is_scanned_until_it_is_read_and_never_typed(book: str) -> None:
    """Three times it is not read, the fourth time it is."""
    scene = online(book, "2h 6c")
    for _ in range(3):
        scene.report("unread card", note="not read")
        assert steps(scene) == [Step.RESCAN, Step.RETRACT]
        assert why(denied(scene.deal, "3s")) == ("incident/waiting", "ONL E3")
        scene.resolve(Step.RESCAN, DEALER)
        assert (scene.table.round.phase, len(scene.table.round.coup.dealt)) == (Phase.DEALING, 2)
    typed = rounds.DrawCard(Card.parse("3s"), scene.at(), seen_by=SUPERVISOR)
    assert why(denied(scene.in_round, typed)) == ("card/no-typing", "ONL E3")

    scene.deal("3s")

    attempts = [event for event in scene.log if isinstance(event, IncidentReported)]
    assert [event.clause for event in attempts] == ["ONL E3"] * 3
    assert scene.table.round.coup == Coup.parse("2h 3s / 6c")


# === HOUSE: what the books leave open =============================================================


@pytest.mark.clause("HOUSE declined ante")
def test_a_declined_ante_establishes_no_outcome() -> None:
    """The Ante is lost for certain, and still the fault after card two voids the round."""
    scene = antes().deal("6c").report("technical interruption")

    assert scene.advice().established == ()
    scene.resolve(Step.VOID)
    assert (resolved(scene).clause, *money(scene)) == ("CB4 5.4.2", 1_000, 1_000)


@pytest.mark.clause("HOUSE declined ante")
def test_not_even_where_only_placed_bets_count() -> None:
    scene = Scene("rws-knockout", only_placed=True).fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "ante_player", 50).close().deal("2h")
    scene.choose("ann", 1, "ante_player", False).deal("6c 3s").report("technical interruption")

    assert scene.advice().established == ()


@pytest.mark.clause("HOUSE house fault")
def test_a_fault_while_antes_are_decided_forfeits_nobody() -> None:
    """Ann has declined, bob has not answered: the round is void and both have everything."""
    scene = Scene("rws-knockout").fund(ann=1_000, bob=1_000).seat("ann", 1).seat("bob", 2).shoe()
    scene.open().bet("ann", 1, "ante_player", 50).bet("bob", 2, "ante_banker", 50).close()
    scene.deal("2h").choose("ann", 1, "ante_player", False)
    assert scene.table.round.phase is Phase.DECIDING

    restarted(scene.wait(scene.setup.decision_ms))

    assert (resolved(scene).step, resolved(scene).clause) == (Step.VOID, "HOUSE house fault")
    assert (*money(scene), scene.house) == (1_000, 1_000, 0)


@pytest.mark.clause("HOUSE available")
@pytest.mark.parametrize(("only_placed", "step"), [(False, Step.CONCLUDE), (True, Step.VOID)])
def test_an_available_bet_is_offered_and_need_not_be_placed(only_placed: bool, step: Step) -> None:
    """Nobody bets on a pair, which card three decides; a switch counts placed bets alone."""
    scene = dealt("2h 6c 3s", only_placed=only_placed).report("technical interruption")

    assert steps(scene)[0] is step


@pytest.mark.clause("HOUSE available")
def test_with_the_switch_a_placed_pair_counts() -> None:
    scene = Scene(only_placed=True).fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "player_pair", 100).close().deal("2h 6c 3s")

    assert scene.report("technical interruption").advice().established == ("player_pair",)


@pytest.mark.clause("HOUSE known")
def test_a_card_that_was_scanned_and_lies_face_down_decides_nothing() -> None:
    hidden = dealt("2h 6c 3s Kd", face_down=True).report("technical interruption")
    turned = dealt("2h 6c 3s Kd", face_down=True).turn_over().report("technical interruption")

    assert (hidden.advice().established, steps(hidden)[0]) == ((), Step.VOID)
    assert turned.advice().established == ("player_pair", "banker_pair")
    assert steps(turned)[0] is Step.CONCLUDE


@pytest.mark.clause("HOUSE known")
def test_it_counts_once_it_is_announced() -> None:
    """Player's two cards are known and Banker's are not: only Player Pair is decided."""
    scene = dealt("2h 6c 3s Kd", face_down=True)
    scene.report("card face up", exposed=0).resolve(Step.CONTINUE).options_over()
    scene.report("card face up", exposed=2)

    assert scene.advice().established == ("player_pair",)


@pytest.mark.clause("HOUSE precedence")
@every(
    ("kind", "more"),
    [
        ("excess or exposed card", {"drawn": card("7d")}),
        ("card face up", {"exposed": 4}),
        ("card to the wrong side", {}),
    ],
)
def test_the_special_paragraph_goes_before_the_general_one(
    kind: str, more: dict[str, object]
) -> None:
    """With an outcome established 5.12 would give options; 5.7, 5.8 and 5.9 give none."""
    scene = dealt("2h 6c 3s Kd", face_down=True).turn_over()
    if kind == "card face up":
        scene.deal("7d")
    special = scene.report(kind, DEALER, **more).advice().paths[0]
    general = dealt("2h 6c 3s Kd").report("other dealing error").advice().paths[0]

    assert special.offered == ()
    assert (general.offered, general.clause) == (EVERYBODY, "CB4 5.12")


@pytest.mark.clause("HOUSE exposed card")
def test_the_pit_sees_the_edge_of_a_card_kept_for_the_next_round() -> None:
    """Known beforehand a nine is worth a fifth of the stake to whoever bets on Player."""
    scene = dealt("9c 3d Kd 4s").deal("9h")
    left = Composition.of_decks(8).without(card("Ah 9c 3d Kd 4s 9h"))
    prices = outlook(load("rws-commission"), left, Coup(card("9h")))

    edges = path_of(scene, Step.RECONSTRUCT).edges

    assert edges["player"] == prices["player"].ev
    assert round(edges["player"] * 1000) == 216
    assert scene.resolve(Step.RECONSTRUCT).seen_by().kept == card("9h")


def before_the_first_round() -> Scene:
    return Scene().fund(ann=1_000).seat("ann", 1).shoe()


@pytest.mark.clause("HOUSE exposed card")
@every(
    ("make", "step"),
    [
        (before_the_first_round, Step.RECORD),
        (lambda: before_the_first_round().open(), Step.RECONSTRUCT),
        (lambda: before_the_first_round().open().bet("ann", 1, "player", 100), Step.PLAY_ON),
        (lambda: before_the_first_round().open().void(), Step.RECORD),
    ],
    ids=["before the first round", "betting is open", "a bet lies there", "after a void"],
)
def test_the_pit_sees_the_edge_wherever_somebody_may_bet_on_a_card_seen(
    make: Callable[[], Scene], step: Step
) -> None:
    scene = make().report("excess or exposed card", drawn=card("9h"))
    left = Composition.of_decks(8).without(card("Ah 9h"))
    prices = outlook(load("rws-commission"), left, Coup(card("9h")))

    assert path_of(scene, step).edges == {spot: price.ev for spot, price in prices.items()}


@pytest.mark.clause("HOUSE exposed card")
def test_once_bets_are_closed_a_card_of_this_round_gives_nobody_an_edge() -> None:
    scene = before_the_first_round().open().bet("ann", 1, "player", 100).close()
    scene.report("excess or exposed card", drawn=card("9h"))

    assert path_of(scene, Step.RECONSTRUCT).edges == {}


@pytest.mark.clause("HOUSE exposed card")
def test_it_is_burned_only_by_a_shift_managers_ruling() -> None:
    scene = dealt(NATURAL).deal("6h").resolve(Step.RECONSTRUCT).call().settle()
    assert denied(scene.burn).code == "shoe/burn-done"
    scene.report("anything else", note="6h lies open")
    words = {"reason": "burn it", "facts": "everybody saw 6h"}

    assert why(denied(scene.resolve, Step.RULE_BURN, SUPERVISOR, **words)) == (
        "staff/role",
        "CB4 5.17",
    )
    scene.resolve(Step.RULE_BURN, MANAGER, **words)
    assert scene.table.kept == ()
    assert scene.open().close().deal("2c").table.round.coup == Coup.parse("2c /")


@pytest.mark.clause("HOUSE options default")
def test_whoever_chooses_nothing_in_time_has_the_bets_returned_and_knew_it() -> None:
    scene = error()
    until = scene.now + scene.setup.option_ms
    seen = scene.seen_by("bob")
    assert (seen.own_option, seen.choose_until, seen.choosing) == (True, until, 2)
    assert dealt(UNDECIDED).report("other dealing error").advice().default == "return"

    scene.option("ann", True)
    assert denied(scene.do, EndOptions(DEALER, until - 1)).code == "option/time-left"
    scene.do(EndOptions(DEALER, until))

    chosen = [event for event in scene.last if isinstance(event, OptionChosen)]
    assert [(one.patron, one.continues, one.by_system) for one in chosen] == [("bob", False, True)]
    assert (*money(scene), scene.table.options) == (900, 1_000, None)


@pytest.mark.clause("HOUSE options default")
def test_a_choice_that_comes_too_late_is_none() -> None:
    scene = error()
    scene.wait(scene.setup.option_ms)

    assert why(denied(scene.option, "ann", True)) == ("option/too-late", "HOUSE options default")


@pytest.mark.clause("HOUSE second error")
@pytest.mark.parametrize(("bound", "offered"), [(False, EVERYBODY), (True, ())])
def test_a_second_error_gives_new_options_unless_the_switch_binds(
    bound: bool, offered: tuple[str, ...]
) -> None:
    scene = error(bound=bound).option("ann", True).option("bob", True)
    scene.report("other dealing error", note="burned a third time").resolve(Step.CONTINUE)

    assert tuple(scene.table.options or ()) == offered


@pytest.mark.clause("HOUSE second error")
def test_nobody_is_bound_by_the_round_before() -> None:
    scene = error(NATURAL, bound=True).option("ann", True).option("bob", True).call().settle()
    scene.open().bet("ann", 1, "player", 100).close().report("other dealing error")

    assert path_of(scene, Step.CONTINUE).offered == ("ann",)


@pytest.mark.clause("HOUSE who decides")
@every("book", rulebooks(), ids=lambda book: book.id)
def test_where_no_clause_names_a_rank_the_house_does(book: Rulebook) -> None:
    """The shift manager rules on what no clause foresees (CB4 5.17); the rest is as listed."""
    decide = {
        role: {one.id for one in book.irregularities.values() if one.decides is role}
        for role in Role
    }

    assert decide.pop(Role.SHIFT_MANAGER) == {"anything else"}
    assert decide.pop(Role.DEALER) == {
        "excess bets",
        "bet below minimum",
        "bet below minimum unnoticed",
        "patron walked away",
        "late bet",
        "late withdrawal",
        "card face up",
        "unread card",
    }
    assert decide.pop(Role.PIT_SUPERVISOR) == {
        "excess bets unnoticed",
        "technical interruption",
        "foreign card",
        "shortage or excess in the shoe",
        "wrong number of cards",
        "insufficient cards",
        "unshuffled cards",
        "excess or exposed card",
        "card to the wrong side",
        "card to the wrong person",
        "simultaneous cards",
        "noticed a round late",
        "other dealing error",
        "misplaced bet",
        "wrong display",
        "misread card",
    }
    assert not any(decide.values())


@pytest.mark.clause("HOUSE who decides")
def test_whoever_stands_above_the_rank_may_decide_too() -> None:
    scene = dealt("2h 6c").report("foreign card", drawn=parse_cards("7h"))
    assert denied(scene.resolve, Step.VOID, DEALER).code == "staff/role"

    assert scene.resolve(Step.VOID, MANAGER).table.round.phase is Phase.VOID


@pytest.mark.clause("HOUSE no ruling")
def test_without_a_ruling_the_round_is_void_and_the_log_says_why() -> None:
    scene = dealt("2h 6c 3s Kd").sign_off(MANAGER).wet()
    assert why(denied(scene.resolve, Step.NO_RULING)) == ("incident/no-reason", "HOUSE no ruling")
    assert denied(scene.resolve, Step.NO_RULING, DEALER, reason="x").code == "staff/role"

    scene.resolve(Step.NO_RULING, reason="no shift manager in the house")

    assert (*money(scene), scene.house) == (1_000, 1_000, 0)
    (voided,) = (event for event in scene.last if isinstance(event, RoundVoided))
    assert (voided.clause, voided.reason) == ("HOUSE no ruling", "no shift manager in the house")


@pytest.mark.clause("HOUSE no ruling")
def test_where_somebody_can_rule_nobody_goes_without_a_ruling() -> None:
    """Water on the layout while a shift manager is at the table: only a ruling will do."""
    scene = dealt("2h 6c 3s Kd").wet()

    assert Step.NO_RULING not in steps(scene)
    refused = denied(scene.resolve, Step.NO_RULING, reason="too much to do")
    assert why(refused) == ("incident/not-lawful", "CB4 5.17")

    scene.sign_off(MANAGER).resolve(Step.NO_RULING, reason="gone home")
    assert scene.table.round.phase is Phase.VOID


@pytest.mark.clause("HOUSE no ruling")
def test_who_acts_as_shift_manager_can_rule_until_the_time_is_over() -> None:
    scene = dealt("2h 6c 3s Kd").wet()
    until = scene.at() + 100
    scene.acting(SUPERVISOR, Role.SHIFT_MANAGER, until, MANAGER).sign_off(MANAGER)

    late = Resolve(Step.NO_RULING, SUPERVISOR, until, "nobody may rule any more")
    assert denied(scene.do, replace(late, at=until - 1)).code == "incident/not-lawful"
    assert scene.do(late).table.round.phase is Phase.VOID


@pytest.mark.clause("HOUSE unread card")
def test_an_unread_card_is_scanned_again_or_typed_in_by_two() -> None:
    scene = dealt("2h 6c").report("unread card").resolve(Step.RESCAN, DEALER)
    typed = rounds.DrawCard(Card.parse("3s"), scene.at())

    alone = replace(typed, seen_by=DEALER)
    assert why(denied(scene.in_round, alone)) == ("card/one-person", "CB4 1.3")
    scene.in_round(replace(typed, seen_by=SUPERVISOR))
    (entered,) = scene.last
    assert isinstance(entered, CardDealt)
    assert (entered.by, entered.seen_by) == (DEALER, SUPERVISOR)


@pytest.mark.clause("HOUSE misread card")
def test_a_pit_supervisor_corrects_the_record_and_the_round_is_settled_anew() -> None:
    """The scanner took a seven for a nine: 7 against 8, so Banker has won."""
    scene = dealt("Kh 8c 9h Kd").call().settle()
    assert (*money(scene), scene.seen_by().roads.counts.player) == (1_100, 800, 1)
    scene.report("misread card", note="a seven")
    truth = {"reason": "the camera shows it", "coup": Coup.parse("Kh 7h / 8c Kd")}

    assert denied(scene.resolve, Step.CORRECT, DEALER, **truth).code == "staff/role"
    scene.resolve(Step.CORRECT, SUPERVISOR, **truth)

    assert (*money(scene), scene.commission) == (900, 1_190, 10)
    counts = scene.seen_by().roads.counts
    assert (counts.player, counts.banker) == (0, 1)


@pytest.mark.clause("HOUSE misread card")
def test_before_the_result_the_round_goes_on_from_the_corrected_hands() -> None:
    """Four and not nine: Player has to draw after all."""
    scene = dealt("Kh 3c 9h Kd").report("misread card")
    assert denied(scene.call).code == "incident/waiting"

    scene.resolve(Step.CORRECT, reason="a four", coup=Coup.parse("Kh 4h / 3c Kd"))
    assert next_side(scene.table.round.coup) is Side.PLAYER
    assert scene.deal("2d 5d").call().table.round.winner is Winner.BANKER


@pytest.mark.clause("CB4 5.13 (b)")
@pytest.mark.parametrize("by", ["ann", DEALER])
def test_a_bet_put_down_wrongly_settles_where_it_lay_whoever_put_it_there(by: str) -> None:
    """Ann meant Player, which wins. The dispute is written down; her Banker bet is lost."""
    scene = Scene("rws-commission").fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "banker", 100, by).close().deal("9h 8c Kh Kd")
    scene.report("misplaced bet", note="she says that she meant Player")
    assert steps(scene) == [Step.RECORD, Step.RETRACT]
    scene.resolve(Step.RECORD).call().settle()

    assert (scene.stack("ann"), scene.house) == (900, 100)
    assert resolved(scene).clause == "CB4 5.13"
    placed = scene.settled["ann", "banker"].bet.placed_by
    assert placed == (DEALER if by == DEALER else None)


def misled(cards: str = "6c 3s Kd") -> Scene:
    """The first card is taken for a two: ann declines her Ante, bob goes on, cho has none."""
    scene = Scene("rws-knockout", boxes=6).fund(ann=1_000, bob=1_000, cho=1_000)
    for box, patron in enumerate(("ann", "bob", "cho"), 1):
        scene.seat(patron, box)
    scene.shoe().open().bet("ann", 1, "ante_player", 50).bet("bob", 2, "ante_banker", 50)
    scene.bet("ann", 1, "tie", 10).bet("cho", 3, "player", 100).close().deal("2h")
    scene.choose("ann", 1, "ante_player", False).choose("bob", 2, "ante_banker")
    return scene.deal(cards)


@pytest.mark.clause("HOUSE misread ante")
def test_who_decided_on_an_ante_by_a_misread_card_goes_on_or_has_the_bets_back() -> None:
    """It was a nine: ann takes everything back, the Ante she gave up included; bob goes on."""
    scene = misled().report("misread card")
    assert path_of(scene, Step.CORRECT).offered == ("ann", "bob")
    scene.resolve(Step.CORRECT, reason="a nine", coup=Coup.parse("9h 3s / 6c Kd"))

    until = scene.now + scene.setup.option_ms
    offered = OptionsOffered(("ann", "bob"), until, "HOUSE misread ante", scene.now)
    assert scene.last[-1] == offered
    assert denied(scene.deal, "7d").code == "option/choosing"
    assert denied(scene.option, "cho", False).code == "option/none"
    assert scene.option("ann", False).stack("ann") == 1_000

    # Player 9, Banker 6: bob's Ante and Wager on Banker are lost, cho's Player has won.
    scene.option("bob", True).deal("7d Kc").call().settle()
    assert (*money(scene), scene.stack("cho"), scene.house) == (1_000, 850, 1_100, 50)


@pytest.mark.clause("HOUSE misread ante")
def test_who_goes_on_after_a_misread_card_goes_on_as_decided() -> None:
    """Ann does not have the Ante back; she loses it and the Tie bet."""
    scene = misled().report("misread card")
    scene.resolve(Step.CORRECT, reason="a nine", coup=Coup.parse("9h 3s / 6c Kd"))
    scene.option("ann", True).options_over()

    assert scene.deal("7d Kc").call().settle().settled["ann", "ante_player"].net == -50
    assert money(scene) == (940, 1_000)


@pytest.mark.clause("HOUSE misread ante")
@every("coup", ["2d 3s / 6c Kd", "2h 3s / 5c Kd", "2h 4s / 6c Kd"])
def test_nobody_is_asked_where_the_card_decided_on_was_worth_the_same(coup: str) -> None:
    """Another suit, or a card that nobody had decided on."""
    scene = misled().report("misread card")
    scene.resolve(Step.CORRECT, reason="seen", coup=Coup.parse(coup))

    assert scene.last == [*scene.last[:1], resolved(scene)]
    assert (scene.table.options, scene.table.round.coup) == (None, Coup.parse(coup))


@pytest.mark.clause("HOUSE misread ante")
def test_a_misread_card_seen_while_antes_are_decided_asks_whoever_had_decided() -> None:
    """Bob has not decided: he sees the true card, and has the whole time for it."""
    scene = Scene("rws-knockout", boxes=6).fund(ann=1_000, bob=1_000).seat("ann", 1).seat("bob", 2)
    scene.shoe().open().bet("ann", 1, "ante_player", 50).bet("bob", 2, "ante_player", 50).close()
    scene.deal("2h").choose("ann", 1, "ante_player", False).report("misread card")

    scene.resolve(Step.CORRECT, reason="a nine", coup=Coup.parse("9h /"))
    assert isinstance(scene.last[-1], OptionsOffered)
    assert scene.last[-1].patrons == ("ann",)
    scene.option("ann", False)
    assert scene.table.round.decide_until == scene.now + scene.setup.decision_ms
    scene.choose("bob", 2, "ante_player").deal("8c Kh Kd").call().settle()
    # Player 9 against 8: the Ante pays 50, the Wager of 100 two to one.
    assert money(scene) == (1_000, 1_250)


@pytest.mark.clause("HOUSE misread ante")
def test_a_misread_ante_card_seen_after_the_settlement_is_undone_for_who_wishes() -> None:
    """The record had Banker win by 6 to 2; with the nine Player wins by 9 to 6."""
    scene = misled("6c 3s Kd 7d Kc").call().settle()
    assert (*money(scene), scene.stack("cho")) == (940, 1_100, 900)
    scene.report("misread card")
    scene.resolve(Step.CORRECT, reason="a nine", coup=Coup.parse("9h 3s 7d / 6c Kd Kc"))
    assert (*money(scene), scene.stack("cho")) == (940, 850, 1_100)

    scene.option("ann", False).option("bob", False)
    assert (*money(scene), scene.stack("cho"), scene.house) == (1_000, 1_000, 1_100, -100)


@pytest.mark.clause("HOUSE misread card")
def test_once_the_next_round_is_open_the_record_stands() -> None:
    scene = dealt("Kh 8c 9h Kd").call().settle().open().report("misread card", round=1)

    assert steps(scene) == [Step.RECORD, Step.RETRACT]
    assert scene.resolve(Step.RECORD).stack("ann") == 1_100
