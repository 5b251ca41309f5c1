"""What goes wrong at a table, and what the book orders: the decision table and the vectors.

Rows and vectors carry the numbers of the specification's sections 7.2 and 7.3.
"""

from fractions import Fraction

import pytest

from cutcard.odds import Composition
from cutcard.odds.bets import outlook
from cutcard.refusals import Refusal
from cutcard.round import Phase
from cutcard.round import events as in_round
from cutcard.rulebooks import load
from cutcard.rules.cards import Card, parse_cards
from cutcard.rules.coup import Coup, Winner
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table.advice import Path
from cutcard.table.events import CardsKept, IncidentReported, IncidentResolved, OptionsOffered
from cutcard.table.incident import SYSTEM, Incident, Step
from tests.cases import every
from tests.table.scene import (
    DEALER,
    SUPERVISOR,
    Scene,
    check_in_step,
    denied,
    only_left,
    why,
)

MANAGER = "sam"
EVERYBODY = ("ann", "bob")


def dealt(cards: str, book: str | Rulebook = "rws-commission", **choices: object) -> Scene:
    """Ann has 100 on Player, bob 200 on Banker; these cards are out."""
    scene = Scene(book, **choices).staff(MANAGER, Role.SHIFT_MANAGER)
    scene.fund(ann=1_000, bob=1_000).seat("ann", 1).seat("bob", 2).shoe().open()
    scene.bet("ann", 1, "player", 100).bet("bob", 2, "banker", 200)
    return scene.close().deal(cards)


def path_of(scene: Scene, step: Step) -> Path:
    return next(path for path in scene.advice().paths if path.step is step)


def steps(scene: Scene) -> list[Step]:
    return [path.step for path in scene.advice().paths]


def card(text: str) -> tuple[Card, ...]:
    return parse_cards(text)


# --- the decision table ---------------------------------------------------------------------------

EARLY, LATER = "2h 6c", "2h 6c 3s Kd"
"""Before the third card nothing is decided where pairs are offered; from then on a pair is."""


def test_row_1_an_exposed_card_before_anything_is_decided_gives_everybody_a_choice() -> None:
    scene = dealt("2h").report("excess or exposed card", drawn=card("6c"))

    path = path_of(scene, Step.RECONSTRUCT)
    assert (path.coup, path.offered, path.clause) == (Coup.parse("2h / 6c"), EVERYBODY, "CB4 5.7")
    assert path_of(scene, Step.PLAY_ON).offered == EVERYBODY
    assert path.choices == ("CB4 5.12.2", "CB4 5.12.3")
    assert path_of(scene, Step.PLAY_ON).choices == ("CB4 5.12.1", "CB4 5.12.3")
    assert (scene.advice().default, scene.advice().option_ms) == ("return", 30_000)


def test_row_2_once_something_is_decided_the_round_is_concluded() -> None:
    scene = dealt(LATER).report("excess or exposed card", drawn=card("7d"))

    assert scene.advice().established == ("player_pair", "banker_pair")
    assert path_of(scene, Step.RECONSTRUCT).offered == ()
    assert path_of(scene, Step.RECONSTRUCT).choices == ()
    assert path_of(scene, Step.PLAY_ON).offered == ()


@pytest.mark.parametrize("kind", ["card to the wrong side", "card to the wrong person"])
def test_rows_3_to_6_cards_on_the_wrong_side_or_with_the_wrong_person(kind: str) -> None:
    """Only where something is decided and the cards are put in order is there no choice."""
    early = dealt(EARLY).report(kind)
    late = dealt(LATER).report(kind)

    assert path_of(early, Step.RECONSTRUCT).offered == EVERYBODY
    assert path_of(early, Step.PLAY_ON).offered == EVERYBODY
    assert path_of(late, Step.RECONSTRUCT).offered == ()
    assert path_of(late, Step.PLAY_ON).offered == EVERYBODY


def test_rows_7_and_8_a_card_face_up_at_a_face_down_table() -> None:
    early = dealt("2h 6c", face_down=True).report("card face up", exposed=1)
    late = dealt("2h 6c 3s Kd", face_down=True).turn_over().deal("7d")
    late.report("card face up", exposed=4)

    assert steps(early) == [Step.CONTINUE, Step.RETRACT]
    assert path_of(early, Step.CONTINUE).offered == EVERYBODY
    assert path_of(late, Step.CONTINUE).offered == ()


@pytest.mark.parametrize("cards", [EARLY, LATER])
def test_row_9_cards_drawn_together_always_give_a_choice(cards: str) -> None:
    scene = dealt(cards).report("simultaneous cards", drawn=card("4h 9s"))

    orders = [path for path in scene.advice().paths if path.step is Step.ORDER]
    assert [path.order for path in orders] == [card("4h 9s"), card("9s 4h")]
    assert {path.offered for path in orders} == {EVERYBODY}
    assert {(path.role, path.may_replace_shoe) for path in orders} == {(Role.PIT_SUPERVISOR, True)}


@pytest.mark.parametrize("cards", [EARLY, LATER])
def test_row_10_any_other_dealing_error_gives_a_choice(cards: str) -> None:
    scene = dealt(cards).report("other dealing error", note="burned twice")

    assert path_of(scene, Step.CONTINUE).offered == EVERYBODY


@every("kind", ["foreign card", "shortage or excess in the shoe", "insufficient cards"])
@every("cards", [EARLY, LATER])
def test_row_11_what_is_wrong_with_the_cards_themselves_voids_the_round(
    kind: str, cards: str
) -> None:
    scene = only_left(dealt(cards), 0).report(kind)

    assert steps(scene) == [Step.VOID, Step.RETRACT]
    assert path_of(scene, Step.VOID).offered == ()
    scene.resolve(Step.VOID)
    assert (scene.stack("ann"), scene.stack("bob"), scene.house) == (1_000, 1_000, 0)


def test_row_11_a_wrong_number_of_cards_that_cannot_be_put_in_order_voids_the_round() -> None:
    scene = dealt(LATER).report("wrong number of cards")

    assert steps(scene) == [Step.RECONSTRUCT, Step.VOID, Step.RETRACT]
    assert scene.resolve(Step.VOID, reason="swept").table.round.phase is Phase.VOID


def test_row_12_an_interruption_concludes_or_voids_as_the_outcome_is_established() -> None:
    early, late = dealt(EARLY), dealt("2h 6c 3s")

    assert steps(early.report("technical interruption"))[0] is Step.VOID
    assert steps(late.report("technical interruption"))[0] is Step.CONCLUDE


def test_row_13_an_error_noticed_a_round_late_changes_nothing() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle().open()
    scene.report("wrong number of cards", round=1, note="the third card of round 1")

    assert scene.table.incident is not None
    assert scene.table.incident.kind == "noticed a round late"
    assert steps(scene) == [Step.RECORD, Step.RETRACT]
    scene.resolve(Step.RECORD)
    assert (scene.stack("ann"), scene.table.round.phase) == (1_100, Phase.BETTING)


# --- reconstruction vectors -----------------------------------------------------------------------


def test_r1_a_card_drawn_to_a_natural_becomes_the_next_rounds_first() -> None:
    scene = dealt("9c 3d Kh 4s").deal("6h")

    found = Incident(1, "excess or exposed card", 1, SYSTEM, card("6h"))
    assert scene.last == [IncidentReported(found, "CB4 5.7", scene.now)]
    scene.resolve(Step.RECONSTRUCT)
    assert scene.last == [
        CardsKept(card("6h"), scene.now),
        IncidentResolved(
            1,
            Step.RECONSTRUCT,
            "",
            "",
            "CB4 5.7",
            SUPERVISOR,
            Role.PIT_SUPERVISOR,
            scene.now,
        ),
    ]
    scene.call().settle()
    assert (scene.table.round.winner, scene.stack("ann")) == (Winner.PLAYER, 1_100)
    scene.open().close()
    seen = scene.table.shoe
    assert scene.deal("6h").table.round.coup == Coup.parse("6h /")
    # It left the shoe once.
    assert scene.table.shoe == seen


def test_r2_a_fifth_card_on_the_banker_is_the_players() -> None:
    scene = dealt("2h 6c 3s Kd 7d")
    scene.report("card to the wrong side", lying=Coup.parse("2h 3s / 6c Kd 7d"))

    path = path_of(scene, Step.RECONSTRUCT)
    assert (path.coup, path.offered) == (Coup.parse("2h 3s 7d / 6c Kd"), ())
    scene.resolve(Step.RECONSTRUCT).deal("4h").call()
    assert scene.table.round.coup == Coup.parse("2h 3s 7d / 6c Kd 4h")
    assert (scene.table.round.winner, scene.settle().stack("ann")) == (Winner.PLAYER, 1_100)


def test_r3_cards_laid_two_and_two_are_put_in_the_order_of_the_deal() -> None:
    scene = dealt("5h 8c 2d Qs")
    scene.report("card to the wrong side", lying=Coup.parse("5h 8c / 2d Qs"))

    scene.resolve(Step.RECONSTRUCT).call()
    assert scene.table.round.coup == Coup.parse("5h 2d / 8c Qs")
    assert scene.table.round.winner is Winner.BANKER


def test_r3_the_house_may_say_that_they_cannot_and_play_on_as_they_lie() -> None:
    scene = dealt("5h 8c 2d Qs")
    scene.report("card to the wrong side", lying=Coup.parse("5h 8c / 2d Qs"))

    assert denied(scene.resolve, Step.PLAY_ON).code == "incident/no-reason"
    scene.resolve(Step.PLAY_ON, reason="nobody saw the order")
    assert scene.table.round.coup == Coup.parse("5h 8c / 2d Qs")
    assert scene.table.options == {"ann": None, "bob": None}


def test_r4_a_card_to_a_standing_player_goes() -> None:
    scene = dealt("4h 2c 2d 4s").deal("9s").resolve(Step.RECONSTRUCT).call().settle()

    assert scene.table.round.coup == Coup.parse("4h 2d / 2c 4s")
    assert (scene.table.round.winner, scene.table.kept) == (Winner.TIE, card("9s"))
    assert scene.stack("ann") == 1_000


def test_r5_a_missing_card_is_drawn_now() -> None:
    scene = dealt("4h 2c Ad Ks 8h").report("wrong number of cards", note="announced without it")

    scene.resolve(Step.RECONSTRUCT)
    assert denied(scene.call).code == "round/cards-missing"
    scene.deal("5d").call().settle()
    assert (scene.table.round.winner, scene.stack("bob")) == (Winner.BANKER, 1_190)


@pytest.mark.parametrize(
    ("order", "coup", "kept", "winner"),
    [
        ("4h 9s", "Ah 2d 4h / 2c 3s 9s", "", Winner.PLAYER),
        ("9s 4h", "Ah 2d 9s / 2c 3s", "4h", Winner.BANKER),
    ],
)
def test_r6_two_cards_at_once_as_the_supervisor_orders_them(
    order: str, coup: str, kept: str, winner: Winner
) -> None:
    scene = dealt("Ah 2c 2d 3s").report("simultaneous cards", drawn=card("4h 9s"))

    assert why(denied(scene.resolve, Step.ORDER, DEALER, order=card(order))) == (
        "staff/role",
        "CB4 5.10",
    )
    scene.resolve(Step.ORDER, order=card(order))
    assert scene.table.round.coup == Coup.parse(coup)
    assert scene.table.kept == card(kept)
    assert isinstance(scene.last[-1], OptionsOffered)
    scene.option("ann", True).option("bob", True).call()
    assert scene.table.round.winner is winner


# --- options --------------------------------------------------------------------------------------


def test_who_takes_the_bets_back_has_them_all_and_the_others_go_on() -> None:
    scene = dealt(EARLY).report("other dealing error").resolve(Step.CONTINUE)

    scene.option("bob", False)
    assert (scene.stack("bob"), scene.table.round.bet((2, "bob", "banker"))) == (1_000, None)
    assert why(denied(scene.deal, "3s")) == ("option/choosing", "CB4 5.12")
    scene.option("ann", True).deal("7s Kd").call().settle()
    assert (scene.stack("ann"), scene.stack("bob")) == (1_100, 1_000)
    check_in_step(scene.table, scene.ledger)


def test_a_choice_once_made_stands_and_only_those_with_bets_have_one() -> None:
    scene = dealt(EARLY).fund(cho=500).report("other dealing error").resolve(Step.CONTINUE)

    assert why(denied(scene.option, "cho", False)) == ("option/none", "CB4 5.12")
    scene.option("ann", True)
    assert why(denied(scene.option, "ann", False)) == ("option/chosen", "CB4 5.12")


def test_who_says_nothing_has_the_bets_returned() -> None:
    scene = dealt(EARLY).report("other dealing error").resolve(Step.CONTINUE)

    assert scene.option("ann", True).options_over().stack("bob") == 1_000
    chosen = [event for event in scene.last if type(event).__name__ == "OptionChosen"]
    assert [(one.patron, one.by_system) for one in chosen] == [("bob", True)]  # type: ignore[union-attr]
    assert scene.table.options is None


@pytest.mark.parametrize(("bound", "offered"), [(False, ("ann", "bob")), (True, ())])
def test_a_second_error_gives_new_choices_unless_the_switch_binds(
    bound: bool, offered: tuple[str, ...]
) -> None:
    scene = dealt("2h", bound=bound).report("other dealing error").resolve(Step.CONTINUE)
    scene.option("ann", True).option("bob", True).report("other dealing error")

    assert path_of(scene, Step.CONTINUE).offered == offered


# --- after settlement -----------------------------------------------------------------------------


def test_a_settled_round_is_voided_by_correcting_transfers_until_the_next_one_opens() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle()
    assert (scene.stack("ann"), scene.stack("bob"), scene.house) == (1_100, 800, 100)

    scene.report("unshuffled cards").resolve(Step.VOID)
    assert (scene.stack("ann"), scene.stack("bob"), scene.house) == (1_000, 1_000, 0)
    assert (scene.table.results, scene.table.round.phase) == ((), Phase.VOID)
    check_in_step(scene.table, scene.ledger)


def test_what_a_winner_no_longer_has_is_owed() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle().cash_out("ann", 1_080)

    scene.report("unshuffled cards").resolve(Step.VOID)
    assert (scene.stack("ann"), scene.owes("ann"), scene.stack("bob")) == (0, 80, 1_000)
    assert scene.house == 0


def test_commission_goes_back_with_a_win() -> None:
    scene = dealt("8h 9c Kh Kd").call().settle()
    assert (scene.stack("bob"), scene.commission) == (1_190, 10)

    scene.report("unshuffled cards").resolve(Step.VOID)
    assert (scene.stack("bob"), scene.commission, scene.house) == (1_000, 0, 0)


def test_a_misread_card_is_corrected_and_the_round_settled_anew() -> None:
    """The third card was a seven and not a nine: 7 against 8, and Banker has won."""
    scene = dealt("Kh 8c 9h Kd").call().settle().report("misread card", note="a seven")

    scene.resolve(Step.CORRECT, reason="the camera shows it", coup=Coup.parse("Kh 7h / 8c Kd"))
    assert (scene.stack("ann"), scene.stack("bob"), scene.commission) == (900, 1_190, 10)
    assert [result.winner for result in scene.table.results] == [Winner.BANKER]
    assert scene.table.shoe is not None
    assert (scene.table.shoe.seen[card("9h")[0]], scene.table.shoe.seen[card("7h")[0]]) == (0, 1)
    check_in_step(scene.table, scene.ledger)


def test_a_misread_card_before_the_result_changes_how_the_deal_goes_on() -> None:
    scene = dealt("Kh 3c 9h Kd").report("misread card")

    scene.resolve(Step.CORRECT, reason="a four", coup=Coup.parse("Kh 4h / 3c Kd"))
    scene.deal("2d").deal("5d").call()
    assert scene.table.round.coup == Coup.parse("Kh 4h 2d / 3c Kd 5d")


def test_a_correction_is_refused_where_the_tableau_or_the_shoe_does_not_allow_it() -> None:
    scene = dealt("Kh 8c 9h Kd").call().settle().report("misread card")

    same = denied(scene.resolve, Step.CORRECT, reason="x", coup=Coup.parse("Kh 9h / 8c Kd"))
    assert same.code == "incident/nothing-to-correct"
    short = denied(scene.resolve, Step.CORRECT, reason="x", coup=Coup.parse("Kh 2h / 3c Kd"))
    assert why(short) == ("coup/card-missing", "HOUSE misread card")
    assert scene.table.shoe is not None
    scene.table.shoe.seen[card("7s")[0]] = 8
    foreign = denied(scene.resolve, Step.CORRECT, reason="x", coup=Coup.parse("Kh 7s / 8c Kd"))
    assert why(foreign) == ("card/foreign", "HOUSE misread card")


# --- what the table finds by itself ---------------------------------------------------------------


def test_five_cards_in_the_order_of_a_new_deck_raise_an_alarm_that_may_be_set_aside() -> None:
    scene = dealt("Ah 2h 3h 4h")
    assert scene.seen_by().wrong is None
    scene.deal("5h")

    assert scene.table.incident is not None
    assert (scene.table.incident.kind, scene.table.incident.by) == ("unshuffled cards", SYSTEM)
    assert steps(scene) == [Step.VOID, Step.DISMISS]
    assert denied(scene.resolve, Step.DISMISS).code == "incident/no-reason"
    scene.resolve(Step.DISMISS, reason="the shuffle is on film").call()
    assert scene.table.round.coup == Coup.parse("Ah 3h 5h / 2h 4h")


def test_a_shoe_that_was_not_shuffled_is_sealed_when_its_round_is_void() -> None:
    scene = dealt("Ah 2h 3h 4h 5h").resolve(Step.VOID)

    assert (scene.table.shoe, scene.table.round.phase) == (None, Phase.VOID)
    assert scene.stack("ann") == 1_000


def test_a_count_that_is_not_right_voids_the_last_round_and_no_other() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle().open().bet("bob", 2, "banker", 200)
    scene.play("9s Ks / 8d Kc").end_shoe(left=401)

    assert scene.table.incident is not None
    assert scene.table.incident.kind == "shortage or excess in the shoe"
    scene.resolve(Step.VOID)
    assert (scene.stack("ann"), scene.stack("bob")) == (1_100, 800)


def test_a_shoe_without_cards_cannot_end_the_round() -> None:
    scene = Scene("rws-commission").fund(ann=1_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "player", 100).close()
    assert scene.table.shoe is not None
    # All but four cards have been burned, which no cut card would allow.
    scene.table.shoe.__dict__["burned"] = 416 - 1 - 4
    scene.deal("2h 3c 2d 3s")

    assert scene.table.incident is not None
    assert scene.table.incident.kind == "insufficient cards"
    assert scene.resolve(Step.VOID).stack("ann") == 1_000


# --- what advice says of money --------------------------------------------------------------------


def test_advice_says_what_each_path_does_to_everybody() -> None:
    scene = dealt("9c 3d Kh 4s").deal("6h")

    path = path_of(scene, Step.RECONSTRUCT)
    assert path.prospects is not None
    assert path.house is not None
    ann, bob = path.prospects["ann"], path.prospects["bob"]
    assert {ann.least, ann.mean, ann.most} == {Fraction(100)}
    assert [bob.mean, path.house.mean] == [Fraction(-200), Fraction(100)]


def test_a_void_is_worth_nothing_to_anybody() -> None:
    scene = dealt(LATER).report("wrong number of cards")

    path = path_of(scene, Step.VOID)
    assert path.prospects is not None
    assert {one.mean for one in path.prospects.values()} == {Fraction(0)}


FIRST_CARDS = [
    ("9h", "player", 215),
    ("8h", "player", 173),
    ("7h", "player", 74),
    ("6h", "player", 8),
    ("Kh", "banker", 55),
    ("5h", "banker", 11),
]
"""A first card that everybody has seen, the bet it helps, and by how much, in tenths of a percent.
"""


@every(("first", "spot", "edge"), FIRST_CARDS)
def test_every_first_card_known_beforehand_gives_somebody_an_edge(
    first: str, spot: str, edge: int
) -> None:
    """Of a fresh shoe of eight decks, by the rules that price every bet."""
    book = load("rws-commission")
    left = Composition.of_decks(8).without(card(first))
    prices = outlook(book, left, Coup(card(first)))

    assert round(prices[spot].ev * 1000) == edge
    assert max(prices, key=lambda one: prices[one].ev) == spot


@every("first", [first for first, _, _ in FIRST_CARDS])
def test_advice_shows_the_edge_that_a_kept_card_gives(first: str) -> None:
    scene = dealt("9c 3d Kd 4s").deal(first)
    seen = ["Ah", "9c", "3d", "Kd", "4s", first]
    left = Composition.of_decks(8).without(parse_cards(" ".join(seen)))
    prices = outlook(scene.book, left, Coup(card(first)))

    edges = path_of(scene, Step.RECONSTRUCT).edges
    assert edges == {spot: price.ev for spot, price in prices.items()}


def test_a_kept_card_is_burned_only_by_a_shift_managers_ruling() -> None:
    scene = dealt("9c 3d Kh 4s").deal("6h").resolve(Step.RECONSTRUCT).call().settle()
    scene.report("anything else", note="6h lies open")

    burn = path_of(scene, Step.RULE_BURN)
    assert burn.role is Role.SHIFT_MANAGER
    words = {"reason": "burn it", "facts": "everybody saw 6h"}
    assert denied(scene.resolve, Step.RULE_BURN, SUPERVISOR, **words).code == "staff/role"
    assert denied(scene.resolve, Step.RULE_BURN, MANAGER).code == "incident/no-ruling"
    assert scene.resolve(Step.RULE_BURN, MANAGER, **words).table.kept == ()


def test_nobody_takes_a_step_that_the_book_does_not_order() -> None:
    scene = dealt(LATER).report("other dealing error")

    with pytest.raises(Refusal) as refused:
        scene.resolve(Step.VOID, MANAGER, reason="I wish it")
    assert why(refused.value) == ("incident/not-lawful", "CB4 5.12")


def test_a_shoe_replaced_in_the_middle_goes_on_with_the_round() -> None:
    scene = dealt("Ah 2c").report("simultaneous cards", drawn=card("2d 3s"))
    scene.resolve(Step.ORDER, order=card("2d 3s"), replace_shoe=True)

    assert scene.table.shoe is None
    scene.option("ann", True).option("bob", True)
    assert denied(scene.deal, "9s").code == "shoe/none"
    scene.register("shoe 2").burn("Ah")
    assert denied(scene.deal, "9s").code == "shoe/burn-first"
    scene.burn().deal("9s").call()
    assert scene.table.round.coup == Coup.parse("Ah 2d 9s / 2c 3s")
    assert in_round.ResultCalled in {type(event) for event in scene.last}


@every("cards", ["5h 3c 2d 4s", "5h 3c 2d Ks 9d", "2h 3c 2d 4s 9d", "2h 2c 2d 4s 6d 5c"])
def test_every_card_of_a_hand_is_found_in_the_order_of_dealing(cards: str) -> None:
    """Turned over one by one, exactly these are seen."""
    scene = dealt(cards, face_down=True)
    coup = scene.table.round.coup
    for place, text in enumerate(cards.split()):
        scene.table.__dict__["face_up"] = frozenset({place})
        seen = scene.seen_by()
        assert [one for one in (*seen.player, *seen.banker) if one] == list(card(text))
    assert coup.dealt == card(cards)


def test_what_advice_says_of_money_tells_nothing_of_cards_that_lie_face_down() -> None:
    """Two tables that look alike, one with a natural under the cards: the advice is the same."""
    natural, nothing = (
        dealt(cards, face_down=True).report("excess or exposed card", drawn=card("6h"))
        for cards in ("9c 3d Kh 4s", "2c 3d 3h 4s")
    )

    for step in (Step.RECONSTRUCT, Step.PLAY_ON):
        one, other = (path_of(scene, step) for scene in (natural, nothing))
        assert (one.prospects is None) == (other.prospects is None)
        assert one.offered == other.offered == EVERYBODY
    unknown = path_of(natural, Step.PLAY_ON).prospects
    assert unknown is not None
    assert (unknown["ann"].least, unknown["ann"].most) == (Fraction(-100), Fraction(100))


def test_a_foreign_card_establishes_nothing_and_belongs_to_no_hand() -> None:
    scene = dealt("2h 6c").report("foreign card", drawn=card("2s"))

    assert scene.advice().established == ()
    assert scene.advice().reconstructed == Coup.parse("2h / 6c")


# --- what a stranger tried ------------------------------------------------------------------------


def test_what_is_wrong_with_a_shoe_concerns_no_round_of_the_shoe_before() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle().end_shoe().shoe("shoe 2")

    for kind in ("foreign card", "unshuffled cards"):
        scene.report(kind)
        assert steps(scene) == [Step.RECORD, Step.RETRACT]
        scene.resolve(Step.RETRACT, reason="looked again")
    scene.end_shoe(100)
    assert steps(scene) == [Step.RECORD, Step.DISMISS]
    scene.resolve(Step.RECORD)
    assert (scene.stack("ann"), scene.stack("bob")) == (1_100, 800)


def test_a_count_is_set_aside_when_the_cards_were_counted_again() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle().end_shoe(1)

    assert steps(scene) == [Step.VOID, Step.DISMISS]
    scene.resolve(Step.DISMISS, reason="counted again: 410")
    assert scene.stack("ann") == 1_100


def test_no_card_comes_with_a_misread_one() -> None:
    scene = dealt("9h")

    refused = denied(scene.report, "misread card", drawn=card("9s"))
    assert why(refused) == ("incident/no-cards", "HOUSE misread card")


def test_a_card_kept_in_the_middle_of_a_round_counts_as_dealt_in_what_a_path_is_worth() -> None:
    """Two against seven: with the seven of diamonds the Player has 9, whoever deals it when."""
    scene = dealt("2h 7c Ks Kd").report("excess or exposed card", drawn=card("7d"))

    worth = {path.step: path.prospects for path in scene.advice().paths}
    for step in (Step.RECONSTRUCT, Step.PLAY_ON):
        prospects = worth[step]
        assert prospects is not None
        assert prospects["ann"].mean == Fraction(100)


def test_a_paid_round_is_not_voided_for_want_of_a_ruling() -> None:
    scene = dealt("9h 8c Kh Kd").sign_off(MANAGER).wet()
    assert Step.NO_RULING in steps(scene)

    scene = dealt("9h 8c Kh Kd").sign_off(MANAGER).call().settle().wet()
    assert Step.NO_RULING not in steps(scene)


def test_a_round_is_settled_by_its_own_book_and_no_other() -> None:
    scene = dealt("9h 8c Kh Kd").call()
    own, scene.book = scene.book, load("skycity-non-commission")

    assert denied(scene.settle).code == "round/other-book"
    scene.book = own
    assert scene.settle().stack("ann") == 1_100


def test_a_round_of_the_shoe_before_keeps_its_number() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle().end_shoe().shoe("shoe 2")
    scene.report("misread card", round=1)

    assert scene.table.incident is not None
    assert (scene.table.incident.kind, scene.table.incident.round) == ("misread card", 1)


def test_nobody_on_duty_takes_a_seat() -> None:
    assert denied(Scene().seat, DEALER, 1).code == "staff/patron"


def test_where_a_third_card_lies_is_seen_by_everybody() -> None:
    """Of the Player's cards the three and the six lie open; a pair of threes would have stood."""
    scene = Scene("rws-knockout", face_down=True).staff(MANAGER, Role.SHIFT_MANAGER)
    scene.fund(ann=1_000).seat("ann", 1).shoe().open().bet("ann", 1, "player", 100).close()
    scene.deal("3h 8h 9s 4d").report("excess or exposed card", drawn=card("6h"))

    assert scene.advice().established == ("player_pair",)
    assert path_of(scene, Step.RECONSTRUCT).offered == ()
