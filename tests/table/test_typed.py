"""Wrong types in commands: a refusal with a sentence, and nothing in the log."""

from dataclasses import replace

import pytest

from cutcard.round import commands as rounds
from cutcard.rules.coup import Coup
from cutcard.rules.rulebook import Role
from cutcard.table.commands import (
    ChooseOption,
    Command,
    InRound,
    OpenTable,
    Report,
    Resolve,
    SignOn,
)
from cutcard.table.incident import Step
from tests.table.scene import DEALER, PLAYER_WINS, SUPERVISOR, Scene, denied


def ready() -> Scene:
    scene = Scene().fund(ann=1_000).seat("ann", 1).shoe().open()
    return scene.bet("ann", 1, "player", 200).close()


WRONG: list[Command] = [
    SignOn("dan", "dealer", 1),  # type: ignore[arg-type]
    SignOn("eve", Role.DEALER, None),  # type: ignore[arg-type]
    SignOn("eve", Role.DEALER, -1),
    SignOn("eve", Role.DEALER, True),
    Report("excess or exposed card", DEALER, 1, None),  # type: ignore[arg-type]
    Report("excess or exposed card", DEALER, 1, ("9h",)),  # type: ignore[arg-type]
    ChooseOption("ann", "no", "ann", 1),  # type: ignore[arg-type]
    Resolve("void", SUPERVISOR, 1),  # type: ignore[arg-type]
    Resolve(Step.CORRECT, SUPERVISOR, 1, coup=Coup(("9h",))),  # type: ignore[arg-type]
    InRound(rounds.DrawCard("9h", 1), DEALER),  # type: ignore[arg-type]
    InRound(rounds.PlaceBet("ann", 1, "player", 1.5, 1), "ann"),  # type: ignore[arg-type]
    InRound("settle", DEALER),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("command", WRONG, ids=str)
def test_a_value_of_another_type_is_refused(command: Command) -> None:
    refusal = denied(ready().do, command)

    assert refusal.code == "command/type"
    assert refusal.message()


def test_a_command_of_a_round_says_where_it_belongs() -> None:
    refusal = denied(ready().do, rounds.CallResult(1))  # type: ignore[arg-type]

    assert refusal.code == "command/unknown"
    assert "InRound" in refusal.message()


def test_a_set_up_of_other_types_is_refused_whole() -> None:
    scene = Scene()
    for wrong in ({"option_ms": "x"}, {"limits": ("none",)}, {"boxes": 1.0}):
        setup = replace(scene.setup, **wrong)
        assert denied(scene.do, OpenTable(setup, SUPERVISOR, 1)).code == "command/type"


def test_every_command_of_a_whole_round_passes() -> None:
    assert ready().finish(PLAYER_WINS).stack("ann") == 1_200
