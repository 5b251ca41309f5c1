"""Where the tests find their browser."""

import sys
from pathlib import Path

import pytest

from tests.browser import finding
from tests.browser.finding import NotFound, find_chromium, on_the_machine, run


def test_a_chromium_on_the_machine_comes_first() -> None:
    known = {"google-chrome": "/opt/chrome", "chromium": "/usr/bin/chromium"}

    assert on_the_machine(known.get) == Path("/usr/bin/chromium")
    known["chromium-headless-shell"] = "/usr/bin/shell"
    assert on_the_machine(known.get) == Path("/usr/bin/shell")


def test_where_there_is_none_every_way_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> Path:
        raise NotFound("no such luck")

    for way in ("on_the_machine", "playwrights_own", "debians"):
        monkeypatch.setattr(finding, way, fails)

    with pytest.raises(NotFound, match="There is no Chromium to test in") as none:
        find_chromium()

    assert str(none.value).count("no such luck") == 3


def test_a_program_that_fails_is_quoted() -> None:
    with pytest.raises(NotFound, match="out of paper"):
        run([sys.executable, "-c", "import sys; sys.exit('out of paper')"])
    with pytest.raises(NotFound):
        run(["/no/such/program"])
