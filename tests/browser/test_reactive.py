"""Signals and templates: what runs again, what does not, and what is left behind: nothing."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

TEXT = Path(__file__).with_name("reacting.js").read_text(encoding="utf-8")
CASES = re.findall(r'^  "(.+)": (?:async )?\(\) => \{$', TEXT, re.MULTILINE)


@pytest.mark.parametrize("case", CASES)
def test_reactive(blank_page: Page, case: str) -> None:
    found, expected = blank_page.evaluate(
        "(case_) => import('/tests/reacting.js').then(({ CASES }) => CASES[case_]())", case
    )
    assert found == expected


def test_no_case_is_left_out(blank_page: Page) -> None:
    named = blank_page.evaluate(
        "import('/tests/reacting.js').then(({ CASES }) => Object.keys(CASES))"
    )
    assert named == CASES
    assert len(CASES) == 12
