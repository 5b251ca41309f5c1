"""The vectors of packs: good ones hold, and every tampering is found."""

import json
from pathlib import Path
from typing import Any

from cutcard.chain import parse_anchor
from cutcard.chain.signing import public_key
from cutcard.pack import Verdict, examine
from tests.cases import every
from tests.golden.packs.make import (
    FOLDER,
    KEY,
    committed_packs,
    committed_tamperings,
    files,
    kept_packs,
)
from tests.pack.tampering import applied, encoded

GOOD = committed_packs()
TAMPERINGS: list[dict[str, Any]] = committed_tamperings()
KNOWN = ("keys", "anchors", "commitments", "seeds", "books")


def judged(pack: dict[str, Any], told: dict[str, Any]) -> Verdict:
    return examine(
        encoded(pack),
        keys=[bytes.fromhex(key) for key in told.get("keys", [])],
        anchors=[parse_anchor(text) for text in told.get("anchors", [])],
        commitments=[bytes.fromhex(hash) for hash in told.get("commitments", [])],
        seeds=[bytes.fromhex(seed) for seed in told.get("seeds", [])],
        books=[bytes.fromhex(hash) for hash in told.get("books", [])],
    )


def test_the_files_are_what_the_script_makes() -> None:
    made = files()

    assert {path.name for path in FOLDER.glob("*.json")} == set(made)
    for name, text in made.items():
        assert (FOLDER / name).read_text("utf-8") == text, (
            "run python -m tests.golden.packs.make again"
        )
        assert len(text.encode()) < 200_000, name


@every("path", [*GOOD.values(), *kept_packs().values()], ids=lambda path: path.stem)
def test_a_good_pack_holds(path: Path) -> None:
    verdict = examine(path.read_bytes(), keys=[public_key(KEY)])

    assert verdict.findings == []
    assert verdict.checked


@every("told", TAMPERINGS, ids=lambda told: f"{told['who']} {told['does']}")
def test_a_tampering_is_found(told: dict[str, Any]) -> None:
    pack = json.loads(GOOD[told["pack"]].read_text("utf-8"))

    verdict = judged(applied(pack, told), told)
    codes = [one.code for one in verdict.findings]

    assert told["finds"] in codes
    assert all(str(one).endswith(f"[{one.code}]") for one in verdict.findings)
    if "seal" in told and told["finds"] != "head/key":
        # A forged log is sound in itself: only the rules, or what has left the house, betray it.
        assert [code for code in codes if code.startswith("chain/")] == []


@every(
    "told",
    [told for told in TAMPERINGS if any(name in told for name in KNOWN)],
    ids=lambda told: told["does"],
)
def test_what_is_known_from_elsewhere_is_needed(told: dict[str, Any]) -> None:
    """Without the key, the anchor or the commitment, these would not be found so."""
    pack = json.loads(GOOD[told["pack"]].read_text("utf-8"))

    verdict = judged(applied(pack, told), {})

    assert told["finds"] not in [one.code for one in verdict.findings]
