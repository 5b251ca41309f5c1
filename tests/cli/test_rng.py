"""`rng test`: for people, for programs, and when the shuffle or the source is faulty."""

from collections.abc import Iterator

import pytest

from cutcard.cli import rng
from cutcard.rules.shoe import full_shoe
from tests.cases import every
from tests.cli.asking import Ask

ASKED = ("rng", "test", "--shoes", "40")
SEEDED = (*ASKED, "--seed", "c0ffee")


def test_for_people(cutcard: Ask) -> None:
    page = cutcard(*SEEDED).page

    assert "40 shoes of 8 decks from seed c0ffee" in page
    assert "position and card" in page
    assert "No test found the shuffle uneven." in page
    assert "they cannot show" in " ".join(page.split())


def test_for_programs(cutcard: Ask) -> None:
    document = cutcard(*SEEDED, "--json").document

    assert (document["seed"], document["shoes"], document["decks"]) == ("c0ffee", 40, 8)
    assert (document["level"], document["passed"]) == ("0.01", True)
    assert [len(tests) for tests in document["orders"].values()] == [10, 10]
    assert document["orders"]["house"][0]["test"] == "position and card"


def test_the_same_seed_gives_the_same_figures(cutcard: Ask) -> None:
    first = cutcard(*SEEDED, "--json").document

    assert cutcard(*SEEDED, "--json").document == first
    assert cutcard(*ASKED, "--seed", "c0ffef", "--json").document != first


def test_without_a_seed_this_machine_is_tested(
    cutcard: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    steady = rng.source_of("07")

    def urandom(size: int) -> bytes:
        asked.append(size)
        return steady.take(size)

    monkeypatch.setattr("os.urandom", urandom)
    page = cutcard(*ASKED).page

    assert "this machine's entropy" in page
    assert asked == [3432] * 40 + [32] * 80


def test_a_faulty_shuffle_fails(cutcard: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    def unshuffled(_: object, decks: int, shoes: int) -> Iterator[object]:
        return iter([full_shoe(decks)] * shoes)

    monkeypatch.setattr(rng, "house_shoes", unshuffled)

    said = cutcard(*SEEDED)
    assert said.code == 1
    assert "FAILED. Look for the fault" in said.out
    assert '"passed": false' in cutcard(*SEEDED, "--json").out


def test_a_dead_source_is_refused(cutcard: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.urandom", bytes)

    said = cutcard(*ASKED)
    assert said.code == 2
    assert said.err == (
        "The entropy source has failed: one byte came 6 times in a row. [fairness/entropy-stuck]\n"
    )


@every("wrong", [["--shoes", "1"], ["--seed", ""], ["--seed", "abc"], ["--seed", "0g"], ["--seed"]])
def test_refused(cutcard: Ask, wrong: list[str]) -> None:
    said = cutcard("rng", "test", *wrong)

    assert (said.code, said.out) == (2, "")
    assert said.err != ""
