"""A real Chromium, and a way to put questions to the verifier that runs in it."""

import asyncio
import json
import os
from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from tests.browser.finding import NotFound, find_chromium
from tests.browser.playing import opened
from tests.browser.serving import Server, serving

# An address bar that nobody sees would be a page of its own beside every page; the last list of
# features holds, so those that Playwright leaves out for the sake of tests are named again.
WITHOUT = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "PaintHolding",
    "Translate",
    "MediaRouter",
    "OptimizationHints",
    "HttpsUpgrades",
    "LensOverlay",
    "DestroyProfileOnBrowserClose",
)
FLAGS = [
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    f"--disable-features={','.join(WITHOUT)}",
]

Ask = Callable[[str, Sequence[object]], list[object]]
"""A question by its name in asking.js, and the values to ask it of."""


def launched(playwright: Playwright) -> Browser:
    """A Chromium that runs, or the reasons why there is none."""
    program = find_chromium()
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    flags = [*FLAGS, "--no-sandbox"] if root else FLAGS
    return playwright.chromium.launch(executable_path=program, args=flags)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        try:
            browser = launched(playwright)
        except NotFound as reason:
            if os.environ.get("CI"):
                pytest.fail(str(reason), pytrace=False)
            print(reason)
            pytest.skip(str(reason))
        loop = asyncio._get_running_loop()
        yield browser
        # The last test of all may have been another's, with a loop of its own (tests/conftest.py).
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture(scope="session")
def web_files() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture(scope="session")
def address(web_files: Server) -> str:
    return web_files.url


@pytest.fixture(scope="session")
def blank_page(browser: Browser, address: str) -> Page:
    """A page that holds nothing but the library; it closes with the browser."""
    page = opened(browser).new_page()
    page.goto(f"{address}/tests/asking.html")
    return page


@pytest.fixture(scope="session")
def ask(blank_page: Page, web_files: Server) -> Ask:
    """Put a question to the browser; one answer for each value, a refusal being an answer too."""

    def ask(question: str, values: Sequence[object]) -> list[object]:
        # Values travel as text, since a page would round great numbers on the way, and by the
        # page's own request: the wire to the browser takes seconds for some megabytes.
        web_files.values = json.dumps([json.dumps(value) for value in values]).encode()
        answer = blank_page.evaluate(
            "async (question) => (await import('/tests/asking.js'))"
            ".answers(question, await (await fetch('/tests/values')).json())",
            question,
        )
        return [json.loads(one) for one in answer]

    return ask
