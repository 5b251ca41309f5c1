"""Files made to stall a verifier: the work is bounded, and grows no faster than the file."""

import json
from copy import deepcopy
from typing import Any

import pytest

from cutcard.chain import parse_anchor
from cutcard.pack import examine, replay
from cutcard.pack.croupier import Croupier, private_key
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from tests.golden.packs.make import FOLDER
from tests.pack.crowd import crowd
from tests.pack.tampering import resealed

TABLE = json.loads((FOLDER / "commission-table.json").read_text("utf-8"))


def test_a_crowd_of_six_thousand_is_verified() -> None:
    """That the time grows no faster than the crowd is measured by bench/pack.py."""
    assert examine(json.dumps(crowd(6_000).table_pack()).encode()).findings == []


def test_people_at_a_table_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    table = crowd(20)
    monkeypatch.setattr(replay, "MOST_PEOPLE", 20)

    assert [(one.code, one.record) for one in examine(table.table_pack()).findings] == [
        ("pack/size", 25)
    ]
    monkeypatch.setattr(replay, "MOST_PEOPLE", 21)
    assert examine(table.table_pack()).findings == []


def test_bets_of_a_round_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    table = crowd(0)
    table.commit()
    table.round({"ann": {"banker": 30_000, "tie": 30_000, "player": 30_000}})
    pack = table.table_pack()
    monkeypatch.setattr(replay, "MOST_BETS", 3)
    assert examine(pack).findings == []

    monkeypatch.setattr(replay, "MOST_BETS", 2)
    assert "pack/size" in [one.code for one in examine(pack).findings]


def test_a_head_a_thousand_times_over() -> None:
    pack = deepcopy(TABLE)
    pack["heads"] = [pack["heads"][0]] * 1_000 + pack["heads"][1:]

    found = [one.code for one in examine(pack).findings]

    assert found == ["head/twice"] * 100


def test_remarks_come_to_an_end_too() -> None:
    table = Croupier(load("rws-commission"), 3)
    table.open({"ann": 10**6})
    for _ in range(120):
        table.seeded(("g1",), decks=1)
        table.abort("again")

    verdict = examine(table.table_pack())

    assert verdict.findings == []
    assert len(verdict.remarks) == 100
    assert "120 committed shoes: 0 opened, 120 aborted" in " ".join(verdict.checked)


def test_an_anchor_is_a_line_that_somebody_can_type() -> None:
    for text in (":" + " " * 1_000_000, "t7:1:" * 100_000):
        with pytest.raises(Refusal) as caught:
            parse_anchor(text)
        assert len(str(caught.value)) < 500


@pytest.mark.parametrize("number", [2, 2**62])
def test_a_shoe_of_any_number(number: int) -> None:
    """Between the first shoe and this one there may be more than anybody can count."""
    table = Croupier(load("rws-commission"), 3)
    table.open({"ann": 10**6})
    table.seeded(("g1",), decks=1, number=number)

    verdict = examine(resealed(roundtrip(table.table_pack()), private_key(3)))

    assert [one.code for one in verdict.findings] == ["shoe/missing"]
    assert f"{min(100, number - 1)} missing." in " ".join(verdict.checked)


def roundtrip(pack: object) -> Any:
    return json.loads(json.dumps(pack))
