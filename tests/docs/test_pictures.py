"""The pictures of README and manual: made by a script, small, and none that nobody sees."""

import re
from pathlib import Path

from docs.make_pictures import PICTURES, README

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/playing.md")
MOST_BYTES = 300_000


def test_every_picture_is_made_by_the_script_and_small() -> None:
    assert {one.stem for one in PICTURES.iterdir()} == set(README)
    assert [one.name for one in PICTURES.iterdir() if one.stat().st_size > MOST_BYTES] == []


def test_every_picture_is_seen_somewhere() -> None:
    seen: set[Path] = set()
    for name in PAGES:
        page = ROOT / name
        text = page.read_text(encoding="utf-8")
        seen |= {(page.parent / one).resolve() for one in re.findall(r"[\w/.]+\.jpg", text)}
    assert seen == set(PICTURES.iterdir())
