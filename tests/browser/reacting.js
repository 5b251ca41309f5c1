/** What signals and templates do, case by case: what is found, and what should be. */

import { each, effect, flush, html, onDispose, root, signal, when } from "/lib/reactive.js";

export const CASES = {
  "an effect runs again when a cell that it read changes": () => {
    const cell = signal(1), seen = [];
    effect(() => seen.push(cell()));
    cell(2);
    flush();
    cell(2);
    flush();
    return [seen, [1, 2]];
  },
  "a cell that is read no more wakes nobody": () => {
    const on = signal(true), cell = signal(1);
    let runs = 0;
    effect(() => {
      runs += 1;
      if (on()) cell();
    });
    on(false);
    flush();
    cell(5);
    flush();
    return [runs, 2];
  },
  "several changes are one run": () => {
    const one = signal(1), other = signal(1);
    let runs = 0;
    effect(() => {
      one();
      other();
      runs += 1;
    });
    one(2);
    other(2);
    one(3);
    flush();
    return [runs, 2];
  },
  "what is made within an effect goes with its next run": () => {
    const outer = signal(0), inner = signal(0);
    let runs = 0;
    effect(() => {
      outer();
      effect(() => {
        inner();
        runs += 1;
      });
    });
    outer(1);
    flush();
    outer(2);
    flush();
    runs = 0;
    inner(1);
    flush();
    return [runs, 1];
  },
  "a stopped effect does not run, even if it was due": () => {
    const cell = signal(0);
    let runs = 0;
    const stop = effect(() => {
      cell();
      runs += 1;
    });
    cell(1);
    stop();
    flush();
    return [runs, 1];
  },
  "a row is made once, moved with its key, and disposed of with it": () => {
    const list = signal([{ id: 1, word: "a" }, { id: 2, word: "b" }]);
    const gone = [], box = document.createElement("ul");
    let made = 0;
    box.append(html`${each(list, (one) => one.id, (one) => {
      const { id } = one();
      made += 1;
      onDispose(() => gone.push(id));
      return html`<li>${() => one().word}</li>`;
    })}`);
    const first = box.children[0];
    list([{ id: 2, word: "B" }, { id: 1, word: "A" }]);
    flush();
    const moved = [box.textContent, box.children[1] === first];
    list([{ id: 2, word: "B" }]);
    flush();
    return [[made, moved, gone, box.textContent], [2, ["BA", true], [1], "B"]];
  },
  "a row that was taken out listens to nothing": () => {
    const list = signal([1]), tick = signal(0), box = document.createElement("div");
    let runs = 0;
    const count = () => {
      runs += 1;
      return tick();
    };
    box.append(html`${each(list, (one) => one, () => html`<i>${count}</i>`)}`);
    list([]);
    flush();
    runs = 0;
    tick(1);
    flush();
    return [[runs, box.children.length], [0, 0]];
  },
  "a part that is shown no more listens to nothing": () => {
    const on = signal(true), tick = signal(0), box = document.createElement("div");
    let runs = 0;
    const count = () => {
      runs += 1;
      return tick();
    };
    box.append(html`${() => (on() ? html`<b title=${count}></b>` : null)}`);
    on(false);
    flush();
    runs = 0;
    tick(1);
    flush();
    return [[runs, box.children.length], [0, 0]];
  },
  "a root disposes of everything in it": () => {
    const tick = signal(0);
    let runs = 0, cleaned = 0;
    root((dispose) => {
      onDispose(() => { cleaned += 1; });
      effect(() => {
        tick();
        runs += 1;
      });
      dispose();
    });
    tick(1);
    flush();
    return [[runs, cleaned], [1, 1]];
  },
  "text in a hole stays text": () => {
    const box = document.createElement("p"), text = "<img src=x onerror=alert(1)>";
    box.append(html`${text}`);
    return [[box.children.length, box.textContent], [0, text]];
  },
  "attributes come and go, properties are set, styles are not written": () => {
    const on = signal(true), box = document.createElement("p");
    box.append(html`<input disabled=${() => on()} .value=${"x"} css=${"color: red"}
      class="a ${() => (on() ? "b" : "")}">`);
    const one = box.firstElementChild;
    const before = [one.disabled, one.value, one.className, one.style.color];
    on(false);
    flush();
    return [[...before, one.disabled, one.className], [true, "x", "a b", "red", false, "a "]];
  },
  "when waits for something, once": async () => {
    const cell = signal(0);
    let done = 0;
    const waiting = when(() => cell() > 1).then(() => { done += 1; });
    cell(1);
    flush();
    const early = done;
    cell(2);
    flush();
    await waiting;
    cell(3);
    flush();
    return [[early, done], [0, 1]];
  },
};
