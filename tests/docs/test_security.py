"""The threat model: whatever it claims to be shown is shown by a test."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECURITY = (ROOT / "docs/security.md").read_text("utf-8")
PACK = (ROOT / "docs/pack.md").read_text("utf-8")
TAMPERINGS = json.loads((ROOT / "tests/golden/packs/tamperings.json").read_text("utf-8"))

CODE = re.compile(r"`([a-z]+/[a-z-]+)`")


def test_what_is_claimed_is_committed_and_found_and_the_other_way_round() -> None:
    claimed = {code for code in CODE.findall(SECURITY) if not code.startswith("tests/")}

    assert claimed == {told["finds"] for told in TAMPERINGS}


def test_the_tests_that_it_names_are_there() -> None:
    for path in re.findall(r"`(tests/[a-z_/.]+)`", SECURITY):
        assert (ROOT / path).exists(), path


def test_every_code_is_in_the_format_document() -> None:
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src/cutcard/pack").glob("*.py"))
    found = re.findall(r'"((?:pack|chain|head|anchor|book|record|shoe|standing)/[a-z-]+)"', source)
    refusals = {"pack/no-round"}
    for code in set(found) - refusals:
        category, name = code.split("/")
        listed = PACK.partition("## Findings")[2]
        row = next(row for row in listed.splitlines() if f"`{category}/" in row)
        assert f"/{name}`" in row, code
