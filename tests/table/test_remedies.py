"""Remedies: what is reported, what is done about it, and what each step does to the money."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from cutcard.refusals import LANGUAGES, Refusal, sentence
from cutcard.refusals.catalogue import catalogue
from cutcard.round import Entry, Phase
from cutcard.round import commands as rounds
from cutcard.round.decide import decide as decide_round
from cutcard.round.decide import undecided
from cutcard.round.events import (
    BetsReturned,
    CoupCorrected,
    DecisionsOpened,
    RoundVoided,
    SettlementCorrected,
)
from cutcard.rulebooks import load, rulebooks
from cutcard.rules.cards import DECK, parse_cards
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table import Table, decide
from cutcard.table.checks import opened
from cutcard.table.commands import ChooseOption, EndOptions
from cutcard.table.events import (
    CardsKept,
    IncidentReported,
    IncidentResolved,
    KeptCardsBurned,
    OptionChosen,
    OptionsClosed,
    OptionsOffered,
    ShoeRemoved,
)
from cutcard.table.incident import FOUR_EYES, Incident, Step
from cutcard.table.remedies import is_waiting
from tests.cases import every
from tests.table.scene import (
    DEALER,
    SUPERVISOR,
    Scene,
    check_in_step,
    check_replay,
    denied,
    why,
)
from tests.table.test_irregularities import MANAGER, dealt, steps

# --- after the settlement -------------------------------------------------------------------------


def test_a_second_pair_of_eyes_is_somebody_elses() -> None:
    """Whoever resolves cannot confirm it, whatever they may decide alone."""
    scene = dealt("Kh Kd 7s 8c").report("foreign card")
    refused = denied(scene.resolve, Step.VOID, reason="a joker", confirmed_by=SUPERVISOR)

    assert refused == Refusal("staff/same-eyes", {}, FOUR_EYES)
    unknown = denied(scene.resolve, Step.VOID, reason="a joker", confirmed_by="nobody here")
    assert unknown.code == "staff/not-signed-on"
    scene.resolve(Step.VOID, by=SUPERVISOR, reason="a joker", confirmed_by=MANAGER)
    (resolved,) = (one for one in scene.last if isinstance(one, IncidentResolved))
    assert (resolved.by, resolved.confirmed_by) == (SUPERVISOR, MANAGER)


def lying_otherwise(scene: Scene, coup: str) -> Scene:
    """A settled round goes by other hands: those that lay there, nobody knows in which order."""
    scene.report("card to the wrong side", lying=Coup.parse(coup))
    return scene.resolve(Step.PLAY_ON, reason="nobody saw the order")


def returned_late(*patrons: str) -> Scene:
    """Player has won; some take their bets back when the kings turn out to lie otherwise."""
    scene = lying_otherwise(dealt("9h 8c Kh Kd").call().settle(), "9h Kd / 8c Kh")
    for patron in ("ann", "bob"):
        scene.option(patron, patron not in patrons)
    return scene


def test_two_patrons_who_take_back_settled_bets_each_have_their_own() -> None:
    scene = returned_late("ann", "bob")

    assert (scene.stack("ann"), scene.stack("bob"), scene.house) == (1_000, 1_000, 0)
    assert scene.bets == {}
    anew = scene.last[1]
    assert isinstance(anew, SettlementCorrected)
    assert (anew.by, anew.clause, anew.at) == ("bob", "CB4 5.12.3", scene.now)
    check_in_step(scene.table, scene.ledger)
    check_replay(scene.table, scene.log)


def test_a_bet_taken_back_stays_out_when_the_round_is_corrected_afterwards() -> None:
    """Banker had nine and not eight: bob wins, and ann, who took hers back, loses nothing."""
    scene = returned_late("ann").report("misread card")

    scene.resolve(Step.CORRECT, reason="a nine", coup=Coup.parse("8h Kh / 9c Kd"))
    assert (scene.stack("ann"), scene.stack("bob")) == (1_000, 1_190)
    assert scene.bets == {("bob", "banker"): 200}


def test_whoever_took_the_bets_back_is_not_asked_again() -> None:
    scene = lying_otherwise(returned_late("ann"), "9h Kh / 8c Kd")

    assert scene.table.options == {"bob": None}


def test_hands_that_want_another_card_are_not_played_on_with_after_the_settlement() -> None:
    """As the cards lie Player has 3 and must draw, and every bet is paid already."""
    scene = dealt("5h 8c 2d Qs").call().settle()
    scene.report("card to the wrong side", lying=Coup.parse("5h 8c / 2d Qs"))

    assert steps(scene) == [Step.RECONSTRUCT, Step.RETRACT]
    assert denied(scene.resolve, Step.PLAY_ON, reason="x").code == "incident/not-lawful"


def test_hands_that_are_complete_as_they_lie_settle_the_round_anew() -> None:
    """By the order of dealing Banker wins 8 to 7; as the cards lie Player has 8 and Banker 7."""
    scene = dealt("5h 2c 2d 6s").call().settle()
    assert (scene.stack("ann"), scene.stack("bob")) == (900, 1_190)
    scene.report("card to the wrong person", lying=Coup.parse("5h 2d 2c / 6s"))
    assert steps(scene) == [Step.RECONSTRUCT, Step.RETRACT]

    scene.resolve(Step.RETRACT, reason="a slip").report(
        "card to the wrong person", lying=Coup.parse("2c 6s / 5h 2d")
    )
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    assert (scene.stack("ann"), scene.stack("bob"), scene.commission) == (1_100, 800, 0)


def test_there_are_no_hands_to_lie_wrongly_before_a_card_is_dealt() -> None:
    scene = dealt("")

    refused = denied(scene.report, "card to the wrong side", lying=Coup())
    assert why(refused) == ("incident/other-cards", "CB4 5.8.1")


def test_the_last_round_of_a_shoe_is_corrected_after_the_next_shoe_stands_there() -> None:
    """Money moves; the roads and the cards of the new shoe stay as they are."""
    scene = dealt("9h 8c Kh Kd").call().settle().end_shoe().shoe("shoe 2")
    before = scene.table.shoe
    scene.report("misread card").resolve(
        Step.CORRECT, reason="a seven", coup=Coup.parse("7h Kh / 8c Kd")
    )

    assert (scene.stack("ann"), scene.stack("bob")) == (900, 1_190)
    assert (scene.table.results, scene.table.shoe) == ((), before)


@pytest.mark.clause("CB4 5.7")
@pytest.mark.clause("HOUSE exposed card")
@pytest.mark.parametrize("settled", [False, True])
def test_cards_that_a_correction_leaves_over_are_kept_for_the_next_round(settled: bool) -> None:
    """Player's second card was an eight and not a five, so the third cards were never due."""
    scene, over = dealt("Kh 3c 5h Kd 6h 2c"), parse_cards("6h 2c")
    if settled:
        scene.call().settle()
    scene.report("misread card")
    scene.resolve(Step.CORRECT, reason="an eight", coup=Coup.parse("Kh 8h / 3c Kd"))

    assert CardsKept(over, scene.now) in scene.last
    shoe = scene.table.shoe
    assert shoe is not None
    assert (scene.table.kept, shoe.left) == (over, 416 - scene.cards)
    assert [shoe.seen[card] for card in parse_cards("6h 2c 8h 5h")] == [1, 1, 1, 0]
    if not settled:
        scene.call().settle()
    assert (scene.stack("ann"), scene.stack("bob")) == (1_100, 800)
    scene.open().close().deal("6h 2c")
    # These two had left the shoe before, and were counted.
    scene.cards -= 2
    scene.deal("Kc 7s").call().settle().end_shoe()
    assert scene.table.incident is None
    check_replay(scene.table, scene.log)


def test_a_card_that_the_record_had_and_that_never_came_is_not_kept() -> None:
    """The scanner read the Player's five twice; Player still waits for a card."""
    scene = dealt("Kh 3c 5h Kd 5h").report("misread card")
    scene.resolve(Step.CORRECT, reason="read twice", coup=Coup.parse("Kh 5h / 3c Kd"))

    assert scene.table.kept == ()
    assert scene.table.shoe is not None
    assert scene.table.shoe.left == 416 - scene.cards + 1


def test_cards_left_over_of_a_shoe_that_is_gone_are_not_dealt_from_the_next() -> None:
    scene = dealt("Kh 3c 5h Kd 6h 2c").call().settle().end_shoe().shoe("shoe 2")
    before = scene.table.shoe
    scene.report("misread card")

    scene.resolve(Step.CORRECT, reason="an eight", coup=Coup.parse("Kh 8h / 3c Kd"))
    assert (scene.table.kept, scene.table.shoe) == ((), before)


def test_a_correction_may_name_the_last_card_of_its_kind() -> None:
    """Seven of the eight nines of hearts are out, three of them in this round; so is the eighth."""
    scene = dealt("9h 9h 9h 9h").call().settle().open().close().deal("9h 9h 9h 8c").call().settle()
    nines = Coup.parse("9h 9h / 9h 9h")

    scene.report("misread card").resolve(Step.CORRECT, reason="a nine", coup=nines)
    assert scene.table.round.coup == nines
    assert scene.table.shoe is not None
    assert scene.table.shoe.seen[parse_cards("9h")[0]] == 8


# --- what a step writes down ----------------------------------------------------------------------


def test_a_void_names_who_when_why_and_the_shoe_that_goes() -> None:
    """The foreign card itself is kept by nobody."""
    scene = dealt("2h").report("foreign card", drawn=parse_cards("9h")).resolve(Step.VOID)

    bets = scene.laid("ann", 1, "player"), scene.laid("bob", 2, "banker")
    voided = RoundVoided("foreign card", "CB4 5.5.1", SUPERVISOR, bets, (), scene.now)
    removed = ShoeRemoved("shoe 1", "CB4 5.5.1", SUPERVISOR, scene.now)
    assert scene.last[:-1] == [voided, removed]
    assert scene.last[-1] == IncidentResolved(
        number=1,
        step=Step.VOID,
        reason="",
        facts="",
        clause="CB4 5.5.1",
        by=SUPERVISOR,
        role=Role.PIT_SUPERVISOR,
        at=scene.now,
    )


@every(
    ("note", "reason", "told"),
    [("", "", "foreign card"), ("a joker", "", "a joker"), ("x", "y", "y")],
)
def test_a_void_is_for_the_reason_given_else_for_what_was_noted_else_for_the_kind(
    note: str, reason: str, told: str
) -> None:
    scene = dealt("2h").report("foreign card", note=note)

    scene.resolve(Step.VOID, reason=reason)
    assert scene.table.round.void_reason == told


def test_cards_drawn_are_kept_from_the_moment_of_the_step() -> None:
    scene = dealt("2h 6c").report("excess or exposed card", drawn=parse_cards("9s"))

    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    assert scene.last[0] == CardsKept(parse_cards("9s"), scene.now)


def test_kept_cards_are_burned_by_whoever_rules_so() -> None:
    scene = dealt("2h 6c").report("anything else", drawn=parse_cards("9s"), note="a slip")

    scene.resolve(Step.RULE_BURN, MANAGER, reason="burn it", facts="it fell")
    assert scene.last[:-1] == [
        CardsKept(parse_cards("9s"), scene.now),
        KeptCardsBurned(parse_cards("9s"), MANAGER, scene.now),
    ]


def test_hands_played_on_with_are_written_down_with_who_and_when() -> None:
    lying = Coup.parse("6c / 2h")
    scene = dealt("2h 6c").report("card to the wrong side", lying=lying)

    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    assert scene.last[0] == CoupCorrected(lying, "CB4 5.8.1", SUPERVISOR, scene.now)


@pytest.mark.parametrize("step", [Step.PLAY_ON, Step.CORRECT])
def test_a_settlement_put_right_says_why_and_by_whom(step: Step) -> None:
    """Banker won 8 to 7; it is Player who has 8."""
    scene, right = dealt("5h 2c 2d 6s").call().settle(), Coup.parse("2c 6s / 5h 2d")
    if step is Step.CORRECT:
        scene.report("misread card").resolve(step, reason="as I say", coup=right)
    else:
        scene.report("card to the wrong person", lying=right).resolve(step, reason="as I say")

    anew = scene.last[0]
    assert isinstance(anew, SettlementCorrected)
    assert (anew.coup, anew.reason, anew.by, anew.at) == (right, "as I say", SUPERVISOR, scene.now)


# --- a void gives everything back -----------------------------------------------------------------

PATRONS = ("ann", "bob", "cho")
GAP = Limit(Kind.DIFFERENTIAL, Scope.BOX, ("player", "banker"), 200, "CB4 5.1")

VOIDS = (
    ("foreign card", Step.VOID),
    ("unshuffled cards", Step.VOID),
    ("shortage or excess in the shoe", Step.VOID),
    ("wrong number of cards", Step.VOID),
    ("anything else", Step.RULE_VOID),
    ("anything else", Step.NO_RULING),
)


def worth(scene: Scene) -> dict[str, int]:
    """What everybody has, less what is owed."""
    return {patron: scene.stack(patron) - scene.owes(patron) for patron in PATRONS}


def a_round_so_far(scene: Scene, dice: Random) -> Scene:
    """Bets of any kind, too many of them, Antes continued and declined, chips taken away, an error
    after which some go on and some do not; and it stops anywhere, also after the settlement.
    """
    spots = [spot.id for spot in scene.book.spots.values() if spot.stage is None]
    scene.open()
    for patron, spot in product(PATRONS, [*dice.sample(spots, 2), "player", "banker"]):
        with suppress(Refusal):
            scene.bet(patron, dice.choice((1, 2)), spot, 20 * dice.randint(1, 20))
    for _ in range(dice.randint(0, 14)):
        one_step(scene, dice)
        if dice.random() < 0.1:
            an_error(scene, dice)
    return scene


def one_step(scene: Scene, dice: Random) -> None:
    round = scene.table.round
    lying = [bet for bet in round.bets if bet.key not in round.removed]
    if round.phase is Phase.BETTING:
        scene.close()
    elif round.phase is Phase.SETTLED:
        return
    elif lying and not opened(scene.table).is_open and dice.random() < 0.15:
        gone = dice.choice(lying)
        scene.removed(gone.patron, gone.box, gone.spot)
    elif round.phase is Phase.DECIDING:
        first = next(bet for bet, _ in undecided(round, scene.book))
        scene.choose(first.patron, first.box, first.spot, dice.random() < 0.5)
    elif next_side(round.coup) is not None:
        scene.deal(str(dice.choice(DECK)))
    elif round.phase is Phase.DEALING:
        scene.call()
    else:
        scene.settle()


def an_error(scene: Scene, dice: Random) -> Scene:
    scene.report("other dealing error").resolve(Step.CONTINUE)
    for patron in PATRONS:
        if patron in (scene.table.options or {}):
            scene.option(patron, dice.random() < 0.7)
    return scene


@every("entry", [Entry.REFUSE, Entry.WARN], ids=["terminals", "chips"])
@every("book", rulebooks(), ids=lambda book: book.id)
def test_after_a_void_everybody_has_what_they_had_before_the_round(
    book: Rulebook, entry: Entry
) -> None:
    """On chips the box's differential is exceeded, so bets are apportioned as well."""
    if book.layouts[0].is_open and entry is Entry.WARN:
        # No chips lie at an open table.
        return
    dice, stopped = Random(f"{book.id} {entry.value}"), set()
    scope = Scope.PATRON if book.layouts[0].is_open else Scope.BOX
    limits = (replace(GAP, scope=scope),)
    scene = Scene(book, entry=entry, limits=limits, sentinel=0, open_boxes=True)
    scene.staff(MANAGER, Role.SHIFT_MANAGER).fund(**dict.fromkeys(PATRONS, 50_000)).seat("ann", 1)
    for number in range(20):
        if scene.table.shoe is None:
            scene.shoe(f"shoe {number}")
        before = worth(scene), scene.house, scene.commission, len(scene.table.results)
        owed = {patron: scene.owes(patron) for patron in PATRONS}
        a_round_so_far(scene, dice)
        stopped.add(scene.table.round.phase)
        after_settlement = scene.table.round.phase is Phase.SETTLED

        kind, step = dice.choice(VOIDS)
        if kind == "wrong number of cards" and not 0 < len(scene.table.round.coup.dealt) < 4:
            # Hands that are whole, or not begun, have the right number.
            kind = "foreign card"
        if after_settlement and step is Step.NO_RULING:
            step = Step.RULE_VOID
        scene.report(kind)
        if step is Step.NO_RULING:
            scene.sign_off(MANAGER).resolve(step, SUPERVISOR, reason="so it is")
            scene.staff(MANAGER, Role.SHIFT_MANAGER)
        else:
            scene.resolve(step, MANAGER, reason="so it is", facts="as seen")

        assert scene.table.round.phase is Phase.VOID
        found = worth(scene), scene.house, scene.commission, len(scene.table.results)
        assert found == before, (number, kind)
        assert {patron: scene.owes(patron) for patron in PATRONS} == owed
        check_in_step(scene.table, scene.ledger)
    assert {Phase.DEALING, Phase.SETTLED} < stopped
    check_replay(scene.table, scene.log)


# --- every refusal --------------------------------------------------------------------------------


def refused_return() -> Refusal:
    """Only the round itself can be asked for this; the table asks those who have bets."""
    scene = dealt("2h")
    wanted = rounds.ReturnBets("cho", "CB4 5.12", DEALER, 9)
    with pytest.raises(Refusal) as refused:
        decide_round(scene.table.round, wanted, scene.book)
    return refused.value


def reported(kind: str, cards: str = "2h 6c", **more: object) -> Scene:
    return dealt(cards).report(kind, DEALER, **more)


def choosing() -> Scene:
    return reported("other dealing error").resolve(Step.CONTINUE)


SEVEN = Coup.parse("2h 7c / 6c")

REFUSALS: dict[str, Callable[[], Refusal]] = {
    "incident/unknown": lambda: denied(dealt("2h").report, "meteor strike"),
    "incident/open": lambda: denied(reported("foreign card").report, "foreign card"),
    "incident/waiting": lambda: denied(reported("foreign card").deal, "3s"),
    "incident/round": lambda: denied(dealt("2h").report, "foreign card", round=2),
    "incident/cards-enough": lambda: denied(dealt("2h").report, "insufficient cards"),
    "incident/right-number": lambda: denied(dealt("").report, "wrong number of cards"),
    "incident/together": lambda: denied(
        dealt("2h").report, "simultaneous cards", drawn=parse_cards("4h")
    ),
    "incident/not-hidden": lambda: denied(dealt("2h").report, "card face up", exposed=0),
    "incident/other-cards": lambda: denied(
        dealt("2h 6c").report, "card to the wrong side", lying=SEVEN
    ),
    "incident/none": lambda: denied(dealt("2h").resolve, Step.VOID),
    "incident/not-lawful": lambda: denied(reported("foreign card").resolve, Step.CONTINUE),
    "incident/shoe-stays": lambda: denied(
        reported("other dealing error").resolve, Step.CONTINUE, replace_shoe=True
    ),
    "incident/no-reason": lambda: denied(reported("foreign card").resolve, Step.RETRACT),
    "incident/no-ruling": lambda: denied(
        reported("anything else").resolve, Step.RULE_VOID, MANAGER, reason="void"
    ),
    "incident/no-cards": lambda: denied(
        dealt("2h").report, "misread card", drawn=tuple(parse_cards("9s"))
    ),
    "incident/nothing-to-correct": lambda: denied(
        reported("misread card").resolve, Step.CORRECT, reason="none", coup=None
    ),
    "incident/needed": lambda: denied(
        dealt("2h").in_round, rounds.VoidRound("so I wish", "CB4 5.17", SUPERVISOR, 9), SUPERVISOR
    ),
    "option/no-bets": refused_return,
    "option/none": lambda: denied(dealt("2h").option, "ann", True),
    "option/choosing": lambda: denied(choosing().deal, "3s"),
    "option/chosen": lambda: denied(choosing().option("ann", True).option, "ann", True),
    "option/too-late": lambda: denied(choosing().wait(30_000).option, "ann", True),
    "option/time-left": lambda: denied(choosing().do, EndOptions(DEALER, 99)),
}


def test_every_refusal_about_incidents_and_options_is_here() -> None:
    families = ("incident/", "option/")

    told = {code for code in catalogue("en")["refusal"] if code.startswith(families)}
    assert told == REFUSALS.keys()


@every("code", REFUSALS)
def test_it_is_met_and_says_what_is_wrong(code: str) -> None:
    refused = REFUSALS[code]()

    assert refused.code == code
    for language in LANGUAGES:
        assert "{" not in sentence(code, refused.params, language)


TOLD: dict[str, tuple[dict[str, object], str | None]] = {
    "incident/open": ({}, "CB4 5.5.1"),
    "incident/waiting": ({}, "CB4 5.5.1"),
    "incident/round": ({"round": 2}, "CB4 5.5.1"),
    "incident/together": ({"most": 3}, "CB4 5.10"),
    "incident/not-hidden": ({}, "CB4 5.9"),
    "incident/other-cards": ({"coup": "2h 7c / 6c", "dealt": "2h / 6c"}, "CB4 5.8.1"),
    "incident/none": ({}, None),
    "incident/not-lawful": (
        {"step": "go on", "lawful": ("void the round", "take the report back")},
        "CB4 5.5.1",
    ),
    "incident/shoe-stays": ({}, "CB4 5.12"),
    "incident/no-reason": ({"step": "take the report back"}, "CB4 5.5.1"),
    "incident/no-ruling": ({}, "CB4 5.17"),
    "incident/no-cards": ({"kind": "misread card"}, "HOUSE misread card"),
    "incident/nothing-to-correct": ({"coup": "2h / 6c"}, "HOUSE misread card"),
    "option/none": ({}, "CB4 5.12"),
    "option/chosen": ({}, "CB4 5.12"),
    "option/too-late": ({}, "HOUSE options default"),
}


def test_an_unknown_kind_is_refused_with_all_those_that_there_are() -> None:
    refused = REFUSALS["incident/unknown"]()

    kinds = tuple(load("rws-commission").irregularities)
    assert refused.params == {"word": "meteor strike", "kind": kinds}
    assert (kinds[0], len(kinds), refused.clause) == ("excess bets", 25, None)


@every("code", TOLD)
def test_it_tells_the_figures_and_the_clause(code: str) -> None:
    refused = REFUSALS[code]()

    assert (refused.params, refused.clause) == TOLD[code]


@pytest.mark.parametrize("round", [0, -1])
def test_no_round_comes_before_the_first(round: int) -> None:
    refused = denied(dealt("2h").report, "foreign card", round=round)

    assert why(refused) == ("incident/round", "CB4 5.5.1")
    assert refused.params == {"round": round}


def test_what_is_reported_of_the_present_round_is_what_it_is() -> None:
    """Naming the round that is being played makes nothing late."""
    scene = dealt("2h").report("foreign card", round=1)

    assert scene.table.incident == Incident(1, "foreign card", 1, DEALER)
    assert scene.last == [IncidentReported(scene.table.incident, "CB4 5.5.1", scene.now)]


def test_more_than_three_cards_do_not_come_at_once() -> None:
    refused = denied(dealt("2h").report, "simultaneous cards", drawn=parse_cards("4h 9s 2c 3c"))

    assert (refused.code, refused.params) == ("incident/together", {"most": 3})


@pytest.mark.parametrize("cards", ["4h 9s", "4h 9s 2c"])
def test_two_or_three_cards_may_come_at_once(cards: str) -> None:
    scene = dealt("2h").report("simultaneous cards", drawn=parse_cards(cards))

    assert scene.table.incident is not None
    assert scene.table.incident.drawn == parse_cards(cards)


def test_cards_drawn_in_error_are_cards_that_the_shoe_can_hold() -> None:
    """Eight decks hold eight nines of hearts; only a foreign card may be a ninth."""
    scene, nines = dealt("2h"), parse_cards(" ".join(["9h"] * 9))

    scene.report("excess or exposed card", drawn=nines[:8]).resolve(Step.RECONSTRUCT)
    scene = dealt("2h")
    refused = denied(scene.report, "excess or exposed card", drawn=nines)
    assert why(refused) == ("card/foreign", "CB4 5.7")
    assert refused.params == {"card": "9h"}
    scene.report("foreign card", drawn=nines)
    assert scene.table.incident == Incident(1, "foreign card", 1, DEALER, nines)


def test_without_a_shoe_no_card_was_drawn_and_all_else_can_be_reported() -> None:
    scene = Scene()

    refused = denied(scene.report, "excess or exposed card", drawn=parse_cards("9h"))
    assert why(refused) == ("shoe/none", "CB4 5.7")
    scene.report("misplaced bet")
    assert scene.table.incident == Incident(1, "misplaced bet", 0, DEALER)


@pytest.mark.parametrize("kind", ["card face up", "other dealing error"])
def test_a_card_turned_up_is_one_of_those_that_lie_face_down(kind: str) -> None:
    """Two cards lie there, number 0 and number 1."""
    scene = dealt("2h 6c", face_down=True)

    for place in (-1, 2):
        refused = denied(scene.report, kind, exposed=place)
        assert (why(refused), refused.params) == (
            ("incident/not-hidden", scene.book.irregularities[kind].clause),
            {},
        )
    scene.report(kind, exposed=0)
    assert scene.table.face_up == {0}
    scene.resolve(Step.RETRACT, reason="a slip")
    assert denied(scene.report, kind, exposed=0).code == "incident/not-hidden"


def test_whoever_says_that_a_card_lies_face_up_says_which() -> None:
    assert denied(dealt("2h", face_down=True).report, "card face up").code == "incident/not-hidden"


def test_no_hand_lies_there_with_more_than_three_cards() -> None:
    lying = Coup.parse("5h 8c 2d Qs /")

    refused = denied(dealt("5h 8c 2d Qs").report, "card to the wrong side", lying=lying)
    assert why(refused) == ("incident/other-cards", "CB4 5.8.1")
    assert refused.params == {"coup": "5h 8c 2d Qs /", "dealt": "5h 2d / 8c Qs"}


@pytest.mark.clause("CB4 5.12")
def test_while_patrons_choose_the_table_says_until_when() -> None:
    """Nothing is wrong any more, so nothing is said to be; the clock is in the sentence."""
    scene = dealt("2h 6c")
    scene.now = 1_463_068_740_000
    scene.report("other dealing error").resolve(Step.CONTINUE)

    refused = denied(scene.deal, "3s")
    assert why(refused) == ("option/choosing", "CB4 5.12")
    assert refused.params == {"until": "2016-05-12T15:59:30.002Z"}
    assert str(refused) == (
        "Patrons are choosing whether to go on, until 2016-05-12T15:59:30.002Z; "
        "the table waits for them."
    )


# --- choosing -------------------------------------------------------------------------------------


@pytest.mark.clause("CB4 5.12")
def test_patrons_choose_one_by_one_and_the_last_choice_closes_them() -> None:
    scene = choosing()
    assert is_waiting(scene.table)
    until = scene.now + 30_000
    assert scene.last[-1] == OptionsOffered(("ann", "bob"), until, "CB4 5.12", scene.now)

    first = scene.option("ann", True).now
    assert scene.last == [OptionChosen("ann", True, False, first)]
    assert is_waiting(scene.table)

    last = scene.option("bob", False).now
    chosen, back, closed = scene.last
    assert chosen == OptionChosen("bob", False, False, last)
    assert isinstance(back, BetsReturned)
    assert (back.patron, back.clause, back.at, back.by) == ("bob", "CB4 5.12.3", last, "bob")
    assert closed == OptionsClosed(last, "bob")
    assert not is_waiting(scene.table)


@pytest.mark.clause("CB4 5.12")
def test_hands_told_with_a_step_that_needs_none_change_nothing_of_who_may_choose() -> None:
    scene = dealt("2h 6c").report("other dealing error")
    scene.resolve(Step.CONTINUE, coup=Coup.parse("2h / 6c"))

    offered = OptionsOffered(("ann", "bob"), scene.now + 30_000, "CB4 5.12", scene.now)
    assert scene.last[-1] == offered


@pytest.mark.clause("CB4 5.16")
def test_a_dealer_may_enter_what_a_patron_says_and_is_named_for_it() -> None:
    scene = choosing()
    refused = denied(scene.option, "ann", True, "nobody")
    assert why(refused) == ("staff/not-signed-on", "CB4 5.16")
    assert refused.params == {"role": "dealer"}

    # A dealer who acts as supervisor for a while is a dealer all the same.
    scene.acting(DEALER, Role.PIT_SUPERVISOR, scene.now + 10)
    scene.option("ann", True, DEALER)
    assert scene.last == [OptionChosen("ann", True, False, scene.now, DEALER)]


@pytest.mark.clause("HOUSE options default")
def test_time_to_choose_is_over_at_the_moment_that_was_named() -> None:
    scene = choosing()
    until = scene.table.options_until

    last = ChooseOption("ann", True, "ann", until)
    assert denied(scene.do, last).code == "option/too-late"
    scene.do(replace(last, at=until - 1))
    assert scene.table.options == {"ann": True, "bob": None}


@pytest.mark.clause("HOUSE options default")
def test_when_time_is_up_everybody_who_said_nothing_has_the_bets_back() -> None:
    scene = choosing()
    until = scene.table.options_until

    early = denied(scene.do, EndOptions(DEALER, until - 30))
    assert (why(early), early.params) == (
        ("option/time-left", "HOUSE options default"),
        {"ms": 30},
    )
    nobody = denied(scene.do, EndOptions("nobody", until))
    assert why(nobody) == ("staff/not-signed-on", "HOUSE options default")

    scene.acting(DEALER, Role.PIT_SUPERVISOR, until + 10).do(EndOptions(DEALER, until))
    ann, first, bob, second, closed = scene.last
    assert (ann, bob) == (
        OptionChosen("ann", False, True, until),
        OptionChosen("bob", False, True, until),
    )
    returned = [one for one in (first, second) if isinstance(one, BetsReturned)]
    assert [(one.patron, one.by) for one in returned] == [("ann", DEALER), ("bob", DEALER)]
    assert closed == OptionsClosed(until, DEALER)
    assert (scene.stack("ann"), scene.stack("bob")) == (1_000, 1_000)

    over = denied(scene.do, EndOptions(DEALER, until + 1))
    assert (why(over), over.params) == (("option/none", "CB4 5.12"), {})


@pytest.mark.clause("HOUSE options default")
def test_when_time_is_up_after_the_settlement_it_is_undone_for_the_silent() -> None:
    """Player has won and ann was paid; she says nothing and has her stake, no more and no less."""
    scene = lying_otherwise(dealt("9h 8c Kh Kd").call().settle(), "9h Kd / 8c Kh")
    scene.option("bob", True).options_over()

    assert (scene.stack("ann"), scene.stack("bob"), scene.house) == (1_000, 800, 200)
    check_in_step(scene.table, scene.ledger)


@pytest.mark.clause("CB4 5.12")
@pytest.mark.parametrize("silent", [False, True])
def test_whoever_was_deciding_on_an_ante_has_the_whole_time_again(silent: bool) -> None:
    scene = Scene("rws-knockout").fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "ante_player", 100).bet("ann", 1, "player", 100).close().deal("9s")
    scene.fund(bob=1_000).wait(5_000).report("other dealing error").resolve(Step.CONTINUE)

    if silent:
        scene.options_over()
        assert scene.last[-1] == OptionsClosed(scene.now, DEALER)
    else:
        scene.option("ann", True)
        assert scene.last[-2:] == [
            OptionsClosed(scene.now, "ann"),
            DecisionsOpened(scene.now + scene.setup.decision_ms, scene.now),
        ]


def test_at_a_table_that_never_opened_nobody_ends_a_choice() -> None:
    with pytest.raises(Refusal) as refused:
        decide(Table(), EndOptions(DEALER, 1), rulebooks()[0])

    assert why(refused.value) == ("staff/not-signed-on", "HOUSE options default")


@pytest.mark.clause("CB4 5.12")
def test_an_ante_that_goes_on_is_decided_on_again_while_the_silent_one_is_returned() -> None:
    scene = Scene("rws-knockout").fund(ann=1_000, bob=1_000).seat("ann", 1).seat("bob", 2)
    scene.shoe().open().bet("ann", 1, "ante_player", 100).bet("bob", 2, "ante_player", 100)
    scene.close().deal("9s").report("other dealing error").resolve(Step.CONTINUE)

    scene.option("ann", True).options_over()
    assert scene.last[-2:] == [
        OptionsClosed(scene.now, DEALER),
        DecisionsOpened(scene.now + scene.setup.decision_ms, scene.now),
    ]
    assert scene.bets == {("ann", "ante_player"): 100}


def test_only_staff_report_and_the_clause_of_the_kind_says_so() -> None:
    refused = denied(dealt("2h").report, "foreign card", "nobody")

    assert why(refused) == ("staff/not-signed-on", "CB4 5.5.1")


def test_what_is_noticed_a_round_late_is_written_down_without_its_cards() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle().open().close()
    scene.report(
        "card to the wrong side",
        round=1,
        drawn=parse_cards("6h"),
        lying=Coup.parse("9h / 8c"),
        exposed=0,
        note="seen late",
    )

    late = Incident(1, "noticed a round late", 1, DEALER, note="seen late")
    assert scene.table.incident == late
    clause = scene.book.irregularities["noticed a round late"].clause
    assert scene.last == [IncidentReported(late, clause, scene.now)]
