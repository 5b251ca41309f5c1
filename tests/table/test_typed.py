"""Wrong types in commands: a refusal with a sentence, and nothing in the log."""

from dataclasses import replace

import pytest

from cutcard.round import commands as rounds
from cutcard.rules.cards import Card
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
    TakeSeat,
)
from cutcard.table.events import SignedOn
from cutcard.table.incident import Step
from tests.cases import every
from tests.table.scene import APPROVAL, DEALER, PLAYER_WINS, SUPERVISOR, Scene, denied


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


@every("command", WRONG, ids=str)
def test_a_value_of_another_type_is_refused(command: Command) -> None:
    refusal = denied(ready().do, command)

    assert refusal.code == "command/type"
    assert refusal.message()


def test_a_command_of_a_round_says_where_it_belongs() -> None:
    refusal = denied(ready().do, rounds.CallResult(1))  # type: ignore[arg-type]

    assert refusal.code == "command/unknown"
    assert "InRound" in refusal.message()
    assert (refusal.params, refusal.clause) == ({"word": "CallResult"}, None)


def test_a_refusal_names_the_command_and_the_field() -> None:
    refusal = denied(ready().do, ChooseOption("ann", "no", "ann", 1))  # type: ignore[arg-type]

    assert refusal.params == {"key": "continues", "word": "ChooseOption"}
    assert refusal.clause is None


@pytest.mark.parametrize("at", [0, 10**18])
def test_time_begins_at_nought_and_fits_64_bits(at: int) -> None:
    assert Scene().do(SignOn("eve", Role.DEALER, at)).last == [SignedOn("eve", Role.DEALER, at)]


@pytest.mark.parametrize("at", [-1, 10**18 + 1])
def test_no_time_lies_beyond_either_end(at: int) -> None:
    refusal = denied(Scene().do, SignOn("eve", Role.DEALER, at))

    assert (refusal.code, refusal.params) == ("command/type", {"key": "at", "word": "SignOn"})


def test_only_time_has_an_end() -> None:
    """Any other number is judged by the rule that it meets."""
    wanted = TakeSeat("ann", -1, 1)

    assert denied(Scene().do, wanted).code == "bet/no-such-box"


def test_a_value_made_of_the_right_fields_is_still_of_another_kind() -> None:
    """A card is no coup and an approval no set-up, whole as they are."""
    scene, nine = Scene(), Card.parse("9h")

    for command, key in (
        (Resolve(Step.CORRECT, SUPERVISOR, 1, coup=nine), "coup"),  # type: ignore[arg-type]
        (OpenTable(APPROVAL, SUPERVISOR, 1), "setup"),  # type: ignore[arg-type]
    ):
        refusal = denied(scene.do, command)
        assert (refusal.code, refusal.params["key"]) == ("command/type", key)


def test_a_set_up_of_other_types_is_refused_whole() -> None:
    scene = Scene()
    for wrong in ({"option_ms": "x"}, {"limits": ("none",)}, {"boxes": 1.0}):
        setup = replace(scene.setup, **wrong)
        assert denied(scene.do, OpenTable(setup, SUPERVISOR, 1)).code == "command/type"


def test_every_command_of_a_whole_round_passes() -> None:
    assert ready().finish(PLAYER_WINS).stack("ann") == 1_200
