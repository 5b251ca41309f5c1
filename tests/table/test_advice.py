"""Advice: what is established, which steps are lawful, and that nothing else is done."""

import pytest

from cutcard.rules.cards import parse_cards
from cutcard.table.incident import Step
from tests.table.scene import Scene
from tests.table.test_irregularities import dealt, path_of

# --- cards that are dealt first -------------------------------------------------------------------


def with_a_kept_card() -> Scene:
    """The dealer drew to a natural; the six of hearts is the next round's first card."""
    return dealt("9c 3d Kd 4s").deal("6h").resolve(Step.RECONSTRUCT).call().settle()


@pytest.mark.parametrize(
    ("kind", "step"),
    [
        ("technical interruption", Step.VOID),
        ("shortage or excess in the shoe", Step.VOID),
        ("other dealing error", Step.CONTINUE),
        ("misplaced bet", Step.RECORD),
        ("unread card", Step.RESCAN),
        ("anything else", Step.RULE_VOID),
    ],
)
def test_a_kept_card_stays_kept_whatever_else_goes_wrong_and_advice_says_so(
    kind: str, step: Step
) -> None:
    scene = with_a_kept_card().open().close().report(kind)

    assert path_of(scene, step).kept == parse_cards("6h")
    assert path_of(scene, Step.RETRACT).kept == parse_cards("6h")
    scene.resolve(step, "sam", reason="as the book says", facts="as reported")
    assert scene.table.kept == parse_cards("6h")


def test_the_edge_of_a_kept_card_is_shown_also_when_the_round_is_void() -> None:
    scene = with_a_kept_card().open().close().report("technical interruption")

    assert path_of(scene, Step.VOID).edges["player"] > 0
