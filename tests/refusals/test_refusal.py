"""A refusal: equal to its like, unchanging, and readable in every language."""

from typing import Any

import pytest

from cutcard.refusals import LANGUAGES, Refusal
from tests.cases import every

OFF_STEP = Refusal("bet/off-step", {"spot": "banker", "stake": 30, "step": 20}, "HOUSE step")


def test_a_refusal_carries_code_figures_and_clause() -> None:
    assert OFF_STEP.code == "bet/off-step"
    assert dict(OFF_STEP.params) == {"spot": "banker", "stake": 30, "step": 20}
    assert OFF_STEP.clause == "HOUSE step"


def test_figures_and_clause_may_be_absent() -> None:
    refusal = Refusal("bet/closed")

    assert (dict(refusal.params), refusal.clause) == ({}, None)


def test_equal_cases_are_equal_refusals() -> None:
    again = Refusal("bet/off-step", {"step": 20, "stake": 30, "spot": "banker"}, "HOUSE step")

    assert again == OFF_STEP
    assert hash(again) == hash(OFF_STEP)
    assert {again, OFF_STEP} == {OFF_STEP}


@every(
    "other",
    [
        Refusal("bet/stake", {"spot": "banker", "stake": 30, "step": 20}, "HOUSE step"),
        Refusal("bet/off-step", {"spot": "banker", "stake": 31, "step": 20}, "HOUSE step"),
        Refusal("bet/off-step", {"spot": "banker", "stake": 30, "step": 20}, "HOUSE stake"),
        Refusal("bet/off-step", {"spot": "banker", "stake": 30, "step": 20}),
    ],
    ids=["code", "figures", "clause", "no clause"],
)
def test_another_case_is_another_refusal(other: Refusal) -> None:
    assert other != OFF_STEP


def test_a_refusal_equals_nothing_but_refusals() -> None:
    assert OFF_STEP != "bet/off-step"
    assert ValueError(*OFF_STEP.args) != OFF_STEP


def test_figures_cannot_be_changed_afterwards() -> None:
    given = {"spot": "banker"}
    refusal = Refusal("bet/twice", given)
    given["spot"] = "tie"
    params: Any = refusal.params

    with pytest.raises(TypeError):
        params["spot"] = "tie"

    assert refusal.params["spot"] == "banker"


def test_the_message_is_in_the_language_asked_for() -> None:
    assert {language: OFF_STEP.message(language) for language in LANGUAGES} == {
        "en": "A stake of 30 on Banker would not pay in whole units: use a multiple of 20.",
        "zh-Hans": "庄的注额 30 无法整数派彩：请使用 20 的倍数。",
        "zh-Hant": "莊的注額 30 無法整數派彩：請使用 20 的倍數。",
    }


def test_english_is_spoken_unless_another_language_is_asked_for() -> None:
    assert str(OFF_STEP) == OFF_STEP.message() == OFF_STEP.message("en")


@every("language", ["fr", "zh", "EN", "", "../en", "zh-hans"])
def test_an_unknown_language_is_the_callers_mistake(language: str) -> None:
    with pytest.raises(ValueError, match="no message catalogue for"):
        OFF_STEP.message(language)


def test_the_document_holds_code_message_and_clause() -> None:
    assert OFF_STEP.document() == {
        "code": "bet/off-step",
        "message": "A stake of 30 on Banker would not pay in whole units: use a multiple of 20.",
        "clause": "HOUSE step",
    }


def test_the_document_speaks_the_language_asked_for() -> None:
    unknown = Refusal("roads/unreadable", {"text": "X", "position": 3})

    assert unknown.document("zh-Hans") == {
        "code": "roads/unreadable",
        "message": "第 3 位的“X”不是结果：请写 B、P 或 T。",
        "clause": None,
    }
