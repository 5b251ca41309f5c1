"""What an update of a lobby with sixty tables costs: `python bench/lobby.py`.

Every table changes phase, clock, seats and road at once. The reference is the browser itself,
which parses and lays out the same markup from nothing in the same run.
"""

import json
import statistics
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.browser.conftest import launched
from tests.browser.playing import opened
from tests.browser.serving import serving
from tests.browser.sixty import floor_of_sixty, lobby_of_sixty

UPDATES = 100
MEASURE = """async ([versions, updates]) => {
  const { show } = await import("/lobby.js");
  const { flush } = await import("/lib/reactive.js");
  const tables = document.querySelector(".tables");
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const spent = { update: [], anew: [] };
  for (let number = 0; number < updates; number += 1) {
    const next = JSON.parse(versions[number % versions.length]);
    const from = performance.now();
    show(next);
    flush();
    document.body.getBoundingClientRect();
    spent.update.push(performance.now() - from);
    await frame();
  }
  const markup = tables.innerHTML;
  for (let number = 0; number < updates; number += 1) {
    const from = performance.now();
    tables.innerHTML = markup;
    document.body.getBoundingClientRect();
    spent.anew.push(performance.now() - from);
    await frame();
  }
  return spent;
}"""


def main() -> None:
    with sync_playwright() as playwright, serving() as server:
        browser = launched(playwright)
        context = opened(browser, viewport={"width": 1440, "height": 900})
        page = lobby_of_sixty(context, f"{server.url}/index.html")
        versions = [json.dumps(floor_of_sixty(version)) for version in range(1, 11)]
        spent = page.evaluate(MEASURE, [versions, UPDATES])
        browser.close()
    update, anew = (statistics.median(spent[name]) for name in ("update", "anew"))
    print(f"update of sixty tables: {update:.1f} ms (median of {UPDATES})")
    print(f"the same markup parsed and laid out from nothing: {anew:.1f} ms")
    print(f"ratio: {update / anew:.2f}")


if __name__ == "__main__":
    main()
