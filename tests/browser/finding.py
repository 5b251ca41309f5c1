"""Finds a Chromium to test in: one on the machine, Playwright's own, or Debian's.

Each way is tried in turn and says why it failed, so that a machine without a
browser tells its owner what would help.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

HEADLESS = "chromium-headless-shell"
NAMES = (
    HEADLESS,
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
PATIENCE = 240
"""Seconds for a download."""


class NotFound(Exception):
    """There is no browser, and these are the reasons."""


def find_chromium() -> Path:
    """The program of a Chromium; fetched, where the machine has none."""
    with alone():
        reasons = []
        for way in (on_the_machine, playwrights_own, debians):
            try:
                return way()
            except NotFound as reason:
                reasons.append(f"  {way.__name__.replace('_', ' ')}: {reason}")
    raise NotFound("There is no Chromium to test in.\n" + "\n".join(reasons))


def on_the_machine(which: Callable[[str], str | None] = shutil.which) -> Path:
    for found in map(which, NAMES):
        if found is not None:
            return Path(found)
    if MAC.exists():
        return MAC
    raise NotFound(f"none of {', '.join(NAMES)} is installed")


def playwrights_own() -> Path:
    """The build that Playwright downloads for itself."""
    from playwright.sync_api import sync_playwright

    run([sys.executable, "-m", "playwright", "install", "chromium"])
    with sync_playwright() as playwright:
        found = Path(playwright.chromium.executable_path)
    # It may have come and yet lack the system's libraries.
    run([str(found), "--version"])
    return found


def debians() -> Path:
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise NotFound("only root can install it, on Debian and Ubuntu")
    run(["apt-get", "update", "--quiet=2"])
    install = ["apt-get", "install", "--yes", "--quiet=2", "fonts-noto-cjk"]
    try:
        # The same engine without windows: three quarters of the processor time.
        run([*install, HEADLESS])
    except NotFound:
        run([*install, "chromium"])
    return on_the_machine()


def run(command: list[str]) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotFound(str(error)) from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise NotFound(f"{command[0]} failed: {said[-1] if said else done.returncode}")


@contextmanager
def alone() -> Iterator[None]:
    """One search at a time, so that two workers do not fetch the same browser at once."""
    with open(Path(tempfile.gettempdir()) / "cutcard-browser.lock", "w", encoding="utf-8") as gate:
        try:
            import fcntl
        except ImportError:
            yield
            return
        fcntl.flock(gate, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    # Whatever is wrong is told by the tests, which look again.
    with suppress(NotFound):
        find_chromium()
