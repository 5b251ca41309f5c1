"""`floor`: the report for people and for programs, and what a failure leaves behind."""

import json

import pytest

from cutcard.cli import run
from cutcard.floor import floor as floors

ASKED = ["floor", "--seed", "3", "--rounds", "12"]


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ASKED) == 0
    page = capsys.readouterr().out

    assert "A floor of 8 tables, seed 3" in page
    assert "online-cow-cow" in page
    assert "bet/" in page
    assert "The auditor agrees with every event and every balance." in page


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ASKED, "--tables", "9", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)

    assert (document["seed"], document["rounds"], document["agreed"]) == (3, 12, True)
    assert len(document["tables"]) == 9
    assert sum(table["rounds"] for table in document["tables"].values()) == 12
    assert document["tables"]["table-9"]["book"] == "online-baccarat"


def test_a_failure_says_its_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(floors.Floor, "crash", broken)

    assert run(ASKED) == 1
    page = capsys.readouterr().out
    assert "ZeroDivisionError: a bug" in page
    assert "Again: cutcard floor --seed 3 --rounds 12" in " ".join(page.split())


@pytest.mark.parametrize("wrong", [["--rounds", "0"], ["--tables", "0"], ["--seed", "x"]])
def test_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ASKED, *wrong]) == 2
    assert capsys.readouterr().out == ""
