"""The threat model: whatever it claims to be shown is shown by a test, row by row."""

import re
from pathlib import Path
from typing import NamedTuple

from tests.cases import every
from tests.golden.test_packs import TAMPERINGS

ROOT = Path(__file__).parents[2]
SECURITY = (ROOT / "docs/security.md").read_text("utf-8")
PACK = (ROOT / "docs/pack.md").read_text("utf-8")

CODE = re.compile(r"`(?!tests/)([a-z]+/[a-z-]+)`")
VECTORS = re.compile(r"vectors of (?:the )?(.+)")


class Row(NamedTuple):
    attack: str
    codes: tuple[str, ...]
    who: str


def rows() -> list[Row]:
    """Every row of a table that claims a code."""
    found = []
    for line in SECURITY.splitlines():
        if line.startswith("| ") and (codes := CODE.findall(line)):
            attack, _, tests, _ = (cell.strip() for cell in line.strip("|").split("|"))
            named = VECTORS.search(tests)
            found.append(Row(attack, tuple(codes), named[1] if named else ""))
    return found


def vectors(row: Row) -> list[int]:
    """The tamperings that a row names: by whom, and under which codes they are found."""
    return [
        number
        for number, told in enumerate(TAMPERINGS)
        if told["who"] == row.who and told["finds"] in row.codes
    ]


@every("row", rows(), ids=lambda row: row.attack)
def test_a_row_claims_what_its_vectors_show(row: Row) -> None:
    """That each vector is found under its code, `tests/golden/test_packs.py` shows."""
    assert row.who, "a row that claims a code says whose vectors show it"
    assert {TAMPERINGS[number]["finds"] for number in vectors(row)} == set(row.codes)


def test_every_vector_is_claimed_in_some_row() -> None:
    claimed = {number for row in rows() for number in vectors(row)}

    assert [told["does"] for number, told in enumerate(TAMPERINGS) if number not in claimed] == []
    assert len({(told["who"], told["does"]) for told in TAMPERINGS}) == len(TAMPERINGS)


def test_the_tests_that_it_names_are_there() -> None:
    for path in re.findall(r"`(tests/[a-z_/.]+)`", SECURITY):
        assert (ROOT / path).exists(), path


def test_every_code_is_in_the_format_document() -> None:
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src/cutcard/pack").glob("*.py"))
    rooms = "pack|chain|head|anchor|book|record|shoe|standing|time|ledger"
    found = re.findall(rf'"((?:{rooms})/[a-z-]+)"', source)
    refusals = {"pack/no-round", "chain/anchor"}
    for code in set(found) - refusals:
        category, name = code.split("/")
        listed = PACK.partition("## Findings")[2]
        named = [row for row in listed.splitlines() if f"`{category}/" in row]
        assert any(f"/{name}`" in row for row in named), code
