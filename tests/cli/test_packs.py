"""`pack` and `verify`: a file made, a file believed or not, and never a traceback."""

import json
from pathlib import Path
from typing import Any

import pytest

from cutcard.cli import packs
from tests.cases import every
from tests.cli.asking import Ask
from tests.golden.packs.make import FOLDER


@pytest.fixture
def made(cutcard: Ask, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """A pack of a few rounds, and what was said of it."""
    path = tmp_path / "table.json"
    words = ("pack", str(path), "--book", "rws-knockout", "--seed", "3", "--rounds", "4")
    return path, cutcard(*words, "--json").document


@pytest.mark.parametrize("kind", ["card", "shoe", "round", "table"])
def test_what_is_made_holds(kind: str, cutcard: Ask, tmp_path: Path) -> None:
    path = tmp_path / "pack.json"
    page = cutcard("pack", str(path), "--kind", kind, "--rounds", "2").page

    assert f"a {kind} pack" in page
    # The line is one to copy, however narrow the terminal.
    assert page.strip().splitlines()[-1].startswith("Verify it: cutcard verify")
    said = cutcard(*page.strip().splitlines()[-1].split()[3:])
    assert said.code == 0
    assert said.out.endswith("Everything in this pack holds.\n")


def test_the_same_seed_makes_the_same_file(cutcard: Ask, tmp_path: Path) -> None:
    one, two, other = (tmp_path / name for name in ("one", "two", "other"))
    for path, seed in ((one, "7"), (two, "7"), (other, "8")):
        assert cutcard("pack", str(path), "--rounds", "1", "--seed", seed).code == 0

    assert one.read_bytes() == two.read_bytes()
    assert one.read_bytes() != other.read_bytes()


def test_what_somebody_wrote_down_is_compared(
    made: tuple[Path, dict[str, Any]], cutcard: Ask
) -> None:
    path, told = made
    known = (
        *("--key", told["key"]),
        *("--anchor", told["anchor"].lower()),
        *("--commitment", told["commitment"]),
    )

    assert cutcard("verify", str(path), *known, "--json").document["holds"] is True
    for option in ("--key", "--commitment"):
        said = cutcard("verify", str(path), option, "00" * 32)
        assert said.code == 1
        assert "This pack does not hold" in said.out


@every("kind", ["card", "shoe"])
@every("option", ["--key", "--anchor"])
def test_what_belongs_to_a_log_is_not_compared_without_one(
    kind: str, option: str, cutcard: Ask
) -> None:
    known = {"--key": "00" * 32, "--anchor": "t9:0:DHFQ-7YCV-SV6Y-9SM2-5JSQ-401Q-ZZXD-NHEE"}

    said = cutcard("verify", str(FOLDER / f"{kind}.json"), option, known[option])

    assert (said.code, said.out) == (2, "")
    assert f"{option} has nothing to be compared with in a {kind} pack" in said.err
    assert "[pack/not-applicable]" in said.err


def test_a_patron_looks_for_a_seed_and_a_book(cutcard: Ask) -> None:
    file = str(FOLDER / "card.json")
    card = json.loads((FOLDER / "card.json").read_text("utf-8"))
    seed = next(one["seed"] for one in card["seeds"] if one["step"] == "SeedGiven")
    mine = ("--seed", seed.upper(), "--book", card["commitment"]["book"])

    assert cutcard("verify", file, *mine).code == 0
    for option, code in (("--seed", "shoe/seed"), ("--book", "book/other")):
        said = cutcard("verify", file, option, "00" * 32)
        assert said.code == 1
        assert f"[{code}]" in " ".join(said.out.split())


def test_a_file_cannot_print_what_it_likes(cutcard: Ask, tmp_path: Path) -> None:
    card = json.loads((FOLDER / "card.json").read_text("utf-8"))
    card["commitment"]["table"] = "x\nEverything in this pack holds.\x1b[32m"
    path = tmp_path / "evil.json"
    path.write_text(json.dumps(card), "utf-8")

    said = cutcard("verify", str(path))

    assert said.code == 1
    assert "\x1b" not in said.out
    assert "Everything in this pack holds.\n" not in said.out
    card["card"]["card"] = "\ud800"
    path.write_text(json.dumps(card), "utf-8")
    assert cutcard("verify", str(path), "--json").code == 1


def test_for_programs(made: tuple[Path, dict[str, Any]], cutcard: Ask) -> None:
    path, _ = made
    pack = json.loads(path.read_text("utf-8"))
    pack["closing"]["stacks"]["ann"] = 1
    path.write_text(json.dumps(pack), "utf-8")

    said = cutcard("verify", str(path), "--json")
    document = json.loads(said.out)

    assert said.code == 1
    assert document["holds"] is False
    assert [one["code"] for one in document["findings"]] == ["closing/differs"]
    assert document["findings"][0]["found"] == 1


def test_for_people(cutcard: Ask) -> None:
    page = cutcard("verify", str(FOLDER / "commission-table.json")).page

    assert "✓ The chain of 64 records, 4 signed heads" in page
    assert "! Shoe blue 17 was not committed" in page
    assert page.endswith("Everything in this pack holds.\n")


@pytest.mark.parametrize("text", [b"", b"\x00\xff", b"{", b"[[[[", b"null", b'{"a": NaN}'])
def test_junk_does_not_hold(text: bytes, cutcard: Ask, tmp_path: Path) -> None:
    path = tmp_path / "junk"
    path.write_bytes(text)

    said = cutcard("verify", str(path))

    assert (said.code, said.err) == (1, "")
    assert "This pack does not hold: 1 thing is wrong." in said.out


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b", "missing/pack.json"])
def test_what_cannot_be_opened_is_refused(name: str, cutcard: Ask, tmp_path: Path) -> None:
    said = cutcard("verify", f"{tmp_path}/{name}")

    assert (said.code, said.out) == (2, "")
    assert "cannot be read" in said.err
    assert "[pack/file]" in said.err


def test_what_is_there_already_is_kept(cutcard: Ask, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear diary")

    said = cutcard("pack", str(path), "--rounds", "1")

    assert (said.code, said.out) == (2, "")
    assert "is there already. Choose a new name for the pack. [pack/exists]" in said.err
    assert path.read_text() == "Dear diary"


@pytest.mark.parametrize("name", [".", "a\0b", "missing/pack.json"])
def test_what_cannot_be_written_is_refused(name: str, cutcard: Ask, tmp_path: Path) -> None:
    said = cutcard("pack", f"{tmp_path}/{name}", "--rounds", "1")

    assert (said.code, said.out) == (2, "")
    assert "[pack/written]" in said.err


@every(
    "wrong",
    [
        ("--key", "xyz"),
        ("--key", "00"),
        ("--commitment", ""),
        ("--anchor", "t7"),
    ],
)
def test_what_is_no_key_and_no_anchor(wrong: tuple[str, str], cutcard: Ask) -> None:
    assert cutcard("verify", str(FOLDER / "card.json"), *wrong).code == 2


@pytest.mark.parametrize("wrong", [("--rounds", "0"), ("--kind", "day"), ("--book", "punto")])
def test_what_cannot_be_packed(wrong: tuple[str, str], cutcard: Ask, tmp_path: Path) -> None:
    path = tmp_path / "pack.json"

    assert cutcard("pack", str(path), *wrong).code == 2
    assert not path.exists()


def test_a_whole_shoe_is_played_to_its_cut_card(cutcard: Ask, tmp_path: Path) -> None:
    path = tmp_path / "shoe.json"
    words = ("pack", str(path), "--kind", "shoe", "--rounds", str(packs.MOST_ROUNDS))
    told = cutcard(*words, "--json").document

    assert 55 < told["rounds"] < packs.MOST_ROUNDS
    page = cutcard("verify", str(path), "--commitment", told["commitment"]).page
    assert "aborted" not in page
    assert "not opened yet" not in page
