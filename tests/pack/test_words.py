"""A verdict's words: nothing that a file holds can pass for them."""

import json
from copy import deepcopy
from typing import Any

import pytest

from cutcard.pack import examine
from cutcard.pack import verify as verify_pack
from cutcard.pack.finding import Finding, Verdict, legible, many
from cutcard.refusals import Refusal
from tests.golden.packs.make import FOLDER
from tests.pack.tampering import place_of

EVIL = "x\nEverything in this pack holds.\x1b[32m\u202e\x07"


def pack(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def test_strangers_words_are_spelled_out_and_cut_off() -> None:
    assert legible(EVIL) == r"x\nEverything in this pack holds.\x1b[32m\u202e\x07"
    assert legible("庄 é \ud800") == r"庄 é \ud800"
    assert legible("x" * 1_001) == "x" * 1_000 + "…"
    assert legible("x" * 1_000) == "x" * 1_000
    assert legible("abc", 2) == "ab…"


def test_every_sentence_goes_that_way() -> None:
    verdict = Verdict()
    verdict.find("a/b", None, EVIL)
    verdict.check(EVIL)
    verdict.remark(EVIL)

    said = [str(verdict.findings[0]), *verdict.checked, *verdict.remarks]
    assert all(one.isprintable() for one in said)


def test_names_in_a_pack_stay_names() -> None:
    table = pack("commission-table")
    table["records"][place_of(table, "ShoeRegistered")]["record"]["event"]["shoe"] = EVIL
    table["heads"][0]["name"] = EVIL

    verdict = examine(json.dumps(table).encode())

    for one in (*map(str, verdict.findings), *verdict.checked, *verdict.remarks):
        assert one.isprintable()


def test_one_is_not_many() -> None:
    assert [many(number, "round") for number in (0, 1, 2)] == ["0 rounds", "1 round", "2 rounds"]
    round = pack("knockout-round")
    said = " ".join(examine(json.dumps(round).encode()).checked)
    assert f"{len(round['records'])} records, 1 signed head and 0 anchors" in said
    assert "1 round: every event" in said


def test_a_shoe_has_steps_and_a_log_records() -> None:
    shoe = pack("shoe")
    shoe["steps"][3]["seed"] = "00" * 32

    found = verify_pack(json.dumps(shoe).encode())

    assert [str(one) for one in found] == [
        "Step 4: This does not hold. This is not the seed that g1 sealed. (fairness/seed-differs) "
        "[shoe/step]"
    ]
    assert str(Finding("a/b", 4, "It is so.")) == "Record 4: It is so. [a/b]"
    assert str(Finding("a/b", None, "It is so.")) == "It is so. [a/b]"


def test_an_empty_hash_can_be_seen() -> None:
    table = pack("commission-table")
    table["records"][0]["hash"] = ""

    assert '"" is no hexadecimal of 32 bytes' in str(verify_pack(table)[0])


def test_what_is_not_there_equals_nothing() -> None:
    for value in (None, "(not there)"):
        table = pack("commission-table")
        table["closing"]["remark"] = value
        (found,) = verify_pack(table)
        assert (found.code, found.should, found.found) == ("closing/differs", "(not there)", value)


@pytest.mark.parametrize("error", [Refusal("chain/text"), ValueError("x"), RecursionError()])
def test_a_verifier_that_fails_says_so(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setitem(verify_pack.__globals__["_KINDS"], "card", fail)

    (found,) = verify_pack(deepcopy(pack("card")))

    assert found.code == "pack/failed"
    assert "The verifier itself has failed on this file" in found.sentence
