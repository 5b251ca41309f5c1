"""The dealer's prompt: at every moment of a table exactly one thing to do, and who does it."""

from dataclasses import replace

import pytest

from cutcard.rules.cards import Card
from cutcard.rules.coup import Side
from cutcard.rules.rulebook import Role
from cutcard.server.prompting import Next, Prompt, prompt
from cutcard.table.incident import Step
from tests.table.scene import ACE, DEALER, MACHINE, Scene

PLAYER, BANKER = Side.PLAYER, Side.BANKER


def due(scene: Scene, later: int = 0) -> Prompt:
    return prompt(scene.table, scene.book, scene.now + later)


def with_shoe(**choices: object) -> Scene:
    return (
        Scene("rws-commission", **choices)
        .fund(ann=1_000_000, ben=1_000_000)
        .seat("ann", 1)
        .seat("ben", 2)
        .shoe()
    )


def closed(**choices: object) -> Scene:
    """Bets on both sides, and no more of them."""
    scene = with_shoe(**choices).open()
    return scene.bet("ann", 1, "banker", 1_000).bet("ben", 2, "player", 1_000).close()


def test_a_new_shoe_is_registered_exposed_and_burned_card_by_card() -> None:
    scene = Scene()
    assert due(scene) == Prompt(Next.REGISTER)
    scene.register()
    assert due(scene) == Prompt(Next.EXPOSE)
    scene.burn("3h")
    for left in (3, 2, 1):
        assert due(scene) == Prompt(Next.BURN, number=left)
        scene.burn()
    assert due(scene) == Prompt(Next.OPEN)


@pytest.mark.clause("CB4 1.4")
def test_a_round_waits_for_a_dealer_where_the_book_wants_one() -> None:
    scene = with_shoe().sign_off(DEALER)
    assert due(scene) == Prompt(Next.DEALER)
    assert due(scene.staff("max", Role.DEALER)) == Prompt(Next.OPEN)

    machine = with_shoe(machine=MACHINE, demonstration=True).sign_off(DEALER)
    assert due(machine) == Prompt(Next.OPEN)


def test_a_coup_is_prompted_card_by_card() -> None:
    """Player 5 draws a six; Banker 6 draws on it."""
    scene = with_shoe()
    scene.open()
    assert due(scene) == Prompt(Next.CLOSE)
    scene.close()
    order = (PLAYER, BANKER, PLAYER, BANKER, PLAYER, BANKER)
    cards = ("2h", "6c", "3s", "Kd", "6s", "2d")
    for number, (side, card) in enumerate(zip(order, cards, strict=True), start=1):
        assert due(scene) == Prompt(Next.DEAL, side=side, number=number)
        scene.deal(card)
    assert due(scene) == Prompt(Next.CALL)
    scene.call()
    assert due(scene) == Prompt(Next.SETTLE)
    scene.settle()
    assert due(scene) == Prompt(Next.OPEN)


def test_after_the_cut_card_the_shoe_goes_once_the_round_is_over() -> None:
    scene = with_shoe().open().cut_card()
    assert due(scene) == Prompt(Next.CLOSE)
    scene.play("Kh 7s / Kd 8c")
    assert due(scene) == Prompt(Next.END_SHOE)


@pytest.mark.clause("CB4 1.6", "HOUSE shuffler")
def test_a_continuous_shuffler_is_never_taken_away_for_a_cut_card() -> None:
    scene = with_shoe(continuous=True, decks=4)
    for _ in range(60):
        assert due(scene) == Prompt(Next.OPEN)
        scene.open().play("9s Kh / 2d 3d")


@pytest.mark.clause("CB4 1.3")
def test_without_a_scanner_a_card_is_entered() -> None:
    """Also the card that lies there from the round before."""
    scene = closed(scanner=False)
    assert due(scene) == Prompt(Next.ENTER, side=PLAYER, number=1)
    scene.table = replace(scene.table, kept=(Card.parse("6h"),))
    assert due(scene) == Prompt(Next.ENTER, side=PLAYER, number=1, card="6h")


def test_four_cards_face_down_are_turned_before_a_third_is_dealt() -> None:
    scene = closed(face_down=True).deal("2h 6c 3s Kd")
    assert due(scene) == Prompt(Next.TURN)
    scene.turn_over()
    assert due(scene) == Prompt(Next.DEAL, side=PLAYER, number=5)


def test_a_squeeze_that_is_asked_for_comes_before_the_first_card() -> None:
    scene = closed(face_down=True).ask("ann", BANKER)
    assert due(scene) == Prompt(Next.SQUEEZE)
    scene.answer("ann")
    assert due(scene) == Prompt(Next.DEAL, side=PLAYER, number=1)


@pytest.mark.clause("CB4 5.7")
def test_what_is_wrong_comes_before_everything() -> None:
    scene = closed().deal("2h").report("excess or exposed card", drawn=(Card.parse("6h"),))
    assert due(scene) == Prompt(Next.RESOLVE, Role.PIT_SUPERVISOR)
    scene.resolve(Step.RECONSTRUCT)
    until = scene.table.options_until
    assert due(scene) == Prompt(Next.OPTIONS, number=2, until=until)
    scene.option("ann", True)
    assert due(scene) == Prompt(Next.OPTIONS, number=1, until=until)
    late = replace(due(scene), act=Next.END_OPTIONS)
    assert due(scene, later=until - scene.now) == late, "the time is over"
    scene.option("ben", True)
    assert due(scene) == Prompt(Next.DEAL, side=PLAYER, number=3), "the excess card was Banker's"


def test_a_kept_card_is_the_first_of_the_next_round() -> None:
    """A natural is over when a fifth card comes: it waits for the next round."""
    scene = closed().deal("9c 3d Kh 4s").report("excess or exposed card", drawn=(Card.parse("6h"),))
    scene.resolve(Step.RECONSTRUCT).call().settle().open().close()
    assert due(scene) == Prompt(Next.KEPT, side=PLAYER, number=1, card="6h")


def test_antes_are_waited_for_until_their_time_is_over() -> None:
    scene = Scene("rws-knockout").fund(ann=1_000_000).seat("ann", 1).shoe().open()
    scene.bet("ann", 1, "ante_player", 10_000).close().deal("2h")
    until = scene.table.round.decide_until
    assert until is not None
    assert due(scene) == Prompt(Next.DECISIONS, number=1, until=until)
    over = Prompt(Next.END_DECISIONS, number=1, until=until)
    assert due(scene, later=until - scene.now) == over


def test_a_shoe_that_went_in_the_middle_of_a_round_is_replaced_first() -> None:
    scene = closed().deal("2h 6c")
    scene.table = replace(scene.table, shoe=None)
    assert due(scene) == Prompt(Next.REGISTER)
    scene.register("shoe 2")
    assert due(scene) == Prompt(Next.EXPOSE)
    scene.burn(ACE)
    assert due(scene) == Prompt(Next.BURN, number=1)


def test_the_pit_closes_and_opens() -> None:
    scene = with_shoe().announce(1).open()
    scene.play("Kh 7s / Kd 8c")
    assert due(scene) == Prompt(Next.CLOSE_TABLE, Role.PIT_SUPERVISOR)
    scene.close_table()
    assert due(scene) == Prompt(Next.OPEN_TABLE, Role.PIT_SUPERVISOR)


def test_a_virtual_shoe_is_finished_by_the_automatic_dealer_and_then_taken_away() -> None:
    """Somebody switched it off: nobody deals from such a shoe by hand."""
    scene = with_shoe()

    def told() -> Prompt:
        return prompt(scene.table, scene.book, scene.now, virtual=True)

    assert told() == Prompt(Next.END_SHOE)
    scene.open()
    assert told() == Prompt(Next.AUTOMATIC, Role.PIT_SUPERVISOR)
