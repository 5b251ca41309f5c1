"""`simulate` and `study`: what they answer, for people and for programs."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from cutcard.cli.lab import parse_rounds, speed
from cutcard.refusals import Refusal
from tests.cases import every
from tests.cli.asking import Ask
from tests.lab.conftest import compiled

__all__ = ["compiled"]
"""Whoever is first to use the lab is told to wait; here nobody is."""


def test_a_run_in_json(cutcard: Ask) -> None:
    words = ("simulate", "rws-commission", "--rounds", "1e5", "--seed", "4", "--json")
    document = cutcard(*words).document

    names = "book seed decks cut rounds shoes stopped bets seconds"
    assert list(document) == names.split()
    assert (document["book"], document["seed"], document["cut"]) == ("rws-commission", 4, [14, 52])
    assert document["rounds"] >= 100_000
    banker = document["bets"]["banker"]
    assert Fraction(banker["ev"]) - Fraction(banker["exact_ev"]) == Fraction(banker["difference"])
    assert {**cutcard(*words).document, "seconds": ""} == {**document, "seconds": ""}


def test_a_run_for_people(cutcard: Ask) -> None:
    said = cutcard("simulate", "rws-knockout", "--rounds", "20000", "--rounds-per-shoe", "60")

    assert said.code == 0
    assert "60 rounds a shoe, seed 1" in said.out
    assert "23,040 rounds from 384 shoes, 60.00 a shoe" in said.out
    assert "always continues" in said.out
    assert "Winning Total 9" in said.out


def test_in_a_narrow_terminal_every_bet_has_its_figures(
    cutcard: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("simulate", "rws-commission", "--rounds", "1e5")
    whole = cutcard(*words).out.partition("rounds from")[0].split()
    monkeypatch.setenv("COLUMNS", "40")

    assert {word for word in whole if "─" not in word} <= set(cutcard(*words).out.split())


@every(("rounds", "told"), [(4_883, "9,766"), (499_000, "998,000"), (6 * 10**8, "1,200 million")])
def test_few_rounds_have_a_speed_too(rounds: int, told: str) -> None:
    assert speed(rounds, 0.5) == told


@every(
    ("text", "number"),
    [("7", 7), ("1e9", 10**9), ("1,000,000", 10**6), ("2.5e3", 2500), ("1_000", 1000), ("1.0", 1)],
)
def test_numbers_as_people_write_them(text: str, number: int) -> None:
    assert parse_rounds(text) == number


@every("text", ["", "x", "-5", "1.5", "1e-3", "1e999", "٣", "nan", "inf", "9" * 16])
def test_other_numbers_are_refused(text: str) -> None:
    with pytest.raises(Refusal, match="no whole number"):
        parse_rounds(text)


@every(
    ("words", "code"),
    [
        (("--rounds", "many"), "lab/number"),
        (("--rounds", "0"), "lab/rounds"),
        (("--rounds", "1e30"), "lab/rounds"),
        (("--rounds", "9", "--decks", "3"), "shoe/decks"),
        (("--rounds", "9", "--threads", "0"), "lab/threads"),
        (("--rounds", "9", "--dask", "nowhere"), "lab/cluster-unreachable"),
    ],
)
def test_bad_wishes_are_refused(cutcard: Ask, words: tuple[str, ...], code: str) -> None:
    said = cutcard("simulate", "rws-commission", *words)

    assert said.code == 2
    assert f"[{code}" in said.err
    assert said.out == ""


def test_without_its_packages_the_lab_says_what_to_install(
    cutcard: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cutcard.cli.lab.find_spec", lambda name: None)

    said = cutcard("simulate", "rws-commission", "--rounds", "9")

    assert (said.code, said.out) == (2, "")
    assert 'pip install "cutcard[lab]"' in said.err


def test_nothing_else_imports_the_labs_packages() -> None:
    """Neither the command line nor the server waits for numpy, Numba or Dask to start."""
    asked = (
        "import sys, cutcard.cli, cutcard.server.app, cutcard.server.running, cutcard.client; "
        "cutcard.cli.read_commands('every one'); "
        "print(sorted({'numpy', 'numba', 'llvmlite', 'dask', 'distributed'} & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert said.stdout.strip() == "[]"


# --- studies


STUDIES = {
    "per-hour": ("rws-commission",),
    "distribution": ("rws-commission", "--bet", "player", "--rounds", "20"),
    "ruin": ("rws-commission", "--sessions", "50", "--rounds", "60", "--system", "paroli"),
    "counting": ("rws-commission", "--shoes", "4", "--cut", "300"),
    "cut-card": ("rws-commission", "--shoes", "10", "--cut", "390"),
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_a_table_a_document_and_a_picture(
    cutcard: Ask, name: str, tmp_path: Path
) -> None:
    words = ("study", name, *STUDIES[name])
    picture = tmp_path / "study.svg"

    document = cutcard(*words, "-o", str(picture), "--json").document
    page = cutcard(*words).page

    assert (document["study"], document["book"]) == (name, "rws-commission")
    assert document["picture"] == str(picture)
    assert fromstring(picture.read_text()).tag == "{http://www.w3.org/2000/svg}svg"
    assert ("Player" in page) or ("Paroli" in page)
    assert "RWS Commission Baccarat" in page


@every(
    ("words", "code"),
    [
        (("per-hour", "rws-commission", "--stake", "0"), "lab/stake"),
        (("distribution", "rws-commission", "--bet", "dragon"), "bet/not-offered"),
        (("ruin", "rws-commission", "--system", "luck"), "lab/system"),
        (("ruin", "rws-commission", "--unit", "110"), "bet/off-step"),
        (("counting", "rws-commission", "--shoes", "1"), "lab/shoes"),
        (("cut-card", "nowhere"), "rulebook/"),
        (("per-hour", "rws-commission", "-o", "x.png"), "usage"),
        (("per-hour", "rws-commission", "-o", "/nowhere/x.svg"), "usage"),
        (("astrology", "rws-commission"), "usage"),
    ],
)
def test_a_study_that_cannot_be_made_is_refused(
    cutcard: Ask, words: tuple[str, ...], code: str
) -> None:
    said = cutcard("study", *words)

    assert said.code == 2
    assert f"[{code}" in said.err
    assert "Traceback" not in said.err
