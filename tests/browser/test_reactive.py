"""Signals and templates: what runs again, what does not, and what is left behind: nothing."""

from typing import Any

import pytest
from playwright.sync_api import Page

CASES: dict[str, tuple[str, Any]] = {
    "an effect runs again when a cell that it read changes": (
        """const a = signal(1), seen = []; effect(() => seen.push(a())); a(2); flush(); a(2); flush();
        return seen;""",
        [1, 2],
    ),
    "a cell that is read no more wakes nobody": (
        """const on = signal(true), a = signal(1); let runs = 0;
        effect(() => { runs += 1; if (on()) a(); });
        on(false); flush(); a(5); flush(); return runs;""",
        2,
    ),
    "several changes are one run": (
        """const a = signal(1), b = signal(1); let runs = 0;
        effect(() => { a(); b(); runs += 1; }); a(2); b(2); a(3); flush(); return runs;""",
        2,
    ),
    "what is made within an effect goes with its next run": (
        """const outer = signal(0), inner = signal(0); let runs = 0;
        effect(() => { outer(); effect(() => { inner(); runs += 1; }); });
        outer(1); flush(); outer(2); flush(); runs = 0; inner(1); flush(); return runs;""",
        1,
    ),
    "a stopped effect does not run, even if it was due": (
        """const a = signal(0); let runs = 0; const stop = effect(() => { a(); runs += 1; });
        a(1); stop(); flush(); return runs;""",
        1,
    ),
    "a row is made once, moved with its key, and disposed of with it": (
        """const list = signal([{id: 1, n: 'a'}, {id: 2, n: 'b'}]); const gone = [], box = document.createElement('ul');
        let made = 0;
        box.append(html`${each(list, (one) => one.id, (one) => {
          made += 1; const id = one().id; onDispose(() => gone.push(id)); return html`<li>${() => one().n}</li>`; })}`);
        const first = box.children[0];
        list([{id: 2, n: 'B'}, {id: 1, n: 'A'}]); flush();
        const order = box.textContent, kept = box.children[1] === first;
        list([{id: 2, n: 'B'}]); flush(); return [made, order, kept, gone, box.textContent];""",
        [2, "BA", True, [1], "B"],
    ),
    "a row that was taken out listens to nothing": (
        """const list = signal([1]), tick = signal(0); let runs = 0; const box = document.createElement('div');
        box.append(html`${each(list, (one) => one, () => html`<i>${() => { runs += 1; return tick(); }}</i>`)}`);
        list([]); flush(); runs = 0; tick(1); flush(); return [runs, box.children.length];""",
        [0, 0],
    ),
    "a part that is shown no more listens to nothing": (
        """const on = signal(true), tick = signal(0); let runs = 0; const box = document.createElement('div');
        box.append(html`${() => (on() ? html`<b title=${() => { runs += 1; return tick(); }}></b>` : null)}`);
        on(false); flush(); runs = 0; tick(1); flush(); return [runs, box.innerHTML.includes('<b')];""",
        [0, False],
    ),
    "a root disposes of everything in it": (
        """const tick = signal(0); let runs = 0, cleaned = 0;
        root((dispose) => { onDispose(() => { cleaned += 1; }); effect(() => { tick(); runs += 1; }); dispose(); });
        tick(1); flush(); return [runs, cleaned];""",
        [1, 1],
    ),
    "text in a hole stays text": (
        """const box = document.createElement('p'); box.append(html`${'<img onerror=alert(1)>'}`);
        return [box.children.length, box.textContent];""",
        [0, "<img onerror=alert(1)>"],
    ),
    "attributes come and go, properties are set, styles are not written": (
        """const on = signal(true), box = document.createElement('p');
        box.append(html`<input disabled=${() => on()} .value=${'x'} css=${'color: red'} class="a ${() => (on() ? 'b' : '')}">`);
        const one = box.firstElementChild, before = [one.disabled, one.value, one.className, one.style.color];
        on(false); flush(); return [...before, one.disabled, one.className];""",
        [True, "x", "a b", "red", False, "a "],
    ),
    "when waits for something, once": (
        """const a = signal(0); let done = 0; const waiting = when(() => a() > 1).then(() => { done += 1; });
        a(1); flush(); a(2); flush(); await waiting; a(3); flush(); return done;""",
        1,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_reactive(blank_page: Page, case: str) -> None:
    body, expected = CASES[case]
    found = blank_page.evaluate(
        "(body) => import('/lib/reactive.js').then((lib) => new (async () => {}).constructor("
        "...Object.keys(lib), body)(...Object.values(lib)))",
        body,
    )
    assert found == expected
