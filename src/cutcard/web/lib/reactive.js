// @ts-check
/**
 * Signals and templates on nothing but the DOM.
 *
 * A signal is a cell: `s()` reads it, `s(value)` writes it. An effect runs again when a cell that it
 * read changes. Whatever is made while an effect runs belongs to it, and is disposed of before its
 * next run and with it; so a subtree that is taken out leaves nothing behind that listens.
 */

/** @typedef {{run: () => void, sources: Set<Set<Observer>>, owned: Set<() => void>}} Observer */

/** @type {Observer | null} */ let running = null;
/** @type {Set<() => void> | null} */ let owner = null;
/** @type {Set<Observer> | null} */ let due = null;

/** A cell. @template T @param {T} value @returns {{(): T, (next: T): T}} */
export function signal(value) {
  /** @type {Set<Observer>} */ const readers = new Set();
  return (/** @type {T[]} */ ...next) => {
    if (next.length === 0) {
      if (running) {
        readers.add(running);
        running.sources.add(readers);
      }
      return value;
    }
    if (Object.is(value, next[0])) return value;
    value = next[0];
    if (due === null) {
      due = new Set();
      queueMicrotask(flush);
    }
    for (const reader of readers) due.add(reader);
    return value;
  };
}

/** Run every effect that is due, now. */
export function flush() {
  while (due !== null && due.size > 0) {
    const now = due;
    due = new Set();
    for (const observer of now) observer.run();
  }
  due = null;
}

/** @param {Set<() => void>} owned */
function dispose(owned) {
  const all = [...owned];
  owned.clear();
  for (const one of all) one();
}

/** Run something now, and again whenever a cell that it read changes. Returns how to stop it. */
export function effect(/** @type {() => void} */ work) {
  let stopped = false;
  /** @type {Observer} */ const self = {
    sources: new Set(),
    owned: new Set(),
    run() {
      if (stopped) return;
      forget();
      const [was, had] = [running, owner];
      running = self;
      owner = self.owned;
      try {
        work();
      } finally {
        running = was;
        owner = had;
      }
    },
  };
  const forget = () => {
    for (const readers of self.sources) readers.delete(self);
    self.sources.clear();
    dispose(self.owned);
  };
  const stop = () => {
    stopped = true;
    forget();
    due?.delete(self);
  };
  owner?.add(stop);
  self.run();
  return stop;
}

/** A cell computed from others. @template T @param {() => T} work @returns {() => T} */
export function computed(work) {
  /** @type {any} */ let cell = null;
  effect(() => {
    const value = work();
    if (cell === null) cell = signal(value);
    else cell(value);
  });
  return () => cell();
}

/** Read cells without being run again when they change. @template T @param {() => T} work */
export function untracked(work) {
  const was = running;
  running = null;
  try {
    return work();
  } finally {
    running = was;
  }
}

/** As soon as something holds. @param {() => unknown} holds @returns {Promise<void>} */
export function when(holds) {
  return new Promise((done) => root((dispose) => effect(() => {
    if (!holds()) return;
    done();
    queueMicrotask(dispose);
  })));
}

/** Do this when whatever is being made now is disposed of. @param {() => void} work */
export function onDispose(work) {
  owner?.add(work);
}

/** Make something that stands alone. @template T @param {(dispose: () => void) => T} work */
export function root(work) {
  /** @type {Set<() => void>} */ const owned = new Set();
  const [was, had] = [running, owner];
  running = null;
  owner = owned;
  try {
    return work(() => dispose(owned));
  } finally {
    running = was;
    owner = had;
  }
}

// --- templates ---

const templates = new WeakMap();
const HOLE = "hole:";

/** A tagged template as DOM. A function in a hole is live. @param {TemplateStringsArray} strings */
export function html(strings, /** @type {any[]} */ ...values) {
  const fragment = document.importNode(template(strings).content, true);
  const walker = document.createTreeWalker(
    fragment, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    if (node instanceof Comment) {
      if (node.data.startsWith(HOLE)) child(node, values[Number(node.data.slice(HOLE.length))]);
      continue;
    }
    const element = /** @type {Element} */ (node);
    for (const { name, value } of [...element.attributes]) {
      if (value.includes(HOLE)) attribute(element, name, value, values);
    }
  }
  return fragment;
}

/** @param {TemplateStringsArray} strings @returns {HTMLTemplateElement} */
function template(strings) {
  let found = templates.get(strings);
  if (found === undefined) {
    found = document.createElement("template");
    let text = "";
    strings.forEach((part, place) => {
      if (place > 0) {
        const inside = /<[^>]*$/.test(text);
        text += inside ? `${HOLE}${place - 1};` : `<!--${HOLE}${place - 1}-->`;
      }
      text += part;
    });
    found.innerHTML = text.trim();
    templates.set(strings, found);
  }
  return found;
}

/**
 * `@click` listens, `.value` sets a property, `css` sets style without writing any into the page,
 * anything else is an attribute: false and null take it away.
 * @param {Element} element @param {string} name @param {string} text @param {any[]} values
 */
function attribute(element, name, text, values) {
  const parts = text.split(/hole:(\d+);/);
  const whole = parts.length === 3 && parts[0] === "" && parts[2] === "" ? values[Number(parts[1])] : null;
  const read = (/** @type {any} */ one) => (typeof one === "function" ? one() : one);
  const value = () => (whole !== null ? read(whole)
    : parts.map((part, place) => (place % 2 ? read(values[Number(part)]) : part)).join(""));
  if (name.startsWith("@")) {
    element.removeAttribute(name);
    element.addEventListener(name.slice(1), whole);
  } else if (name.startsWith(".")) {
    element.removeAttribute(name);
    const key = name.slice(1).replace(/-(.)/g, (_, letter) => letter.toUpperCase());
    effect(() => { /** @type {any} */ (element)[key] = value(); });
  } else if (name === "css") {
    element.removeAttribute(name);
    effect(() => { /** @type {HTMLElement} */ (element).style.cssText = value(); });
  } else {
    effect(() => {
      const now = value();
      if (now === false || now === null || now === undefined) element.removeAttribute(name);
      else element.setAttribute(name, now === true ? "" : String(now));
    });
  }
}

/** @param {Comment} mark @param {any} value */
function child(mark, value) {
  /** @type {ChildNode[]} */ let live = [];
  const put = (/** @type {any} */ given) => {
    const next = nodesOf(given);
    if (live.length === 1 && next.length === 1 && live[0] instanceof Text && next[0] instanceof Text) {
      if (live[0].data !== next[0].data) live[0].data = next[0].data;
      return;
    }
    const keep = new Set(next);
    for (const node of live) if (!keep.has(node)) node.remove();
    /** @type {ChildNode} */ let at = mark;
    for (const node of next.toReversed()) {
      if (node.nextSibling !== at || node.parentNode !== at.parentNode) at.before(node);
      at = node;
    }
    live = next;
  };
  if (typeof value === "function") effect(() => put(value()));
  else put(value);
}

/** @param {any} given @returns {ChildNode[]} */
function nodesOf(given) {
  return [given].flat(3).filter((one) => one !== null && one !== undefined && one !== false)
    .flatMap((one) => {
      if (one instanceof DocumentFragment) return [...one.childNodes];
      return [one instanceof Node ? /** @type {ChildNode} */ (one) : document.createTextNode(String(one))];
    });
}

/**
 * A keyed list: a row is made once for each key, kept while the key is there, disposed of after.
 * @template T @param {() => Iterable<T>} list @param {(item: T) => any} key
 * @param {(item: () => T) => any} row `item` is a cell: it changes while the row stays
 */
export function each(list, key, row) {
  /** @type {Map<any, {item: any, nodes: ChildNode[], dispose: () => void}>} */ let rows = new Map();
  onDispose(() => rows.forEach((one) => one.dispose()));
  return () => {
    const next = new Map();
    for (const item of list()) {
      const name = key(item);
      let found = rows.get(name);
      if (found === undefined) {
        found = root((stop) => {
          const cell = signal(item);
          return { item: cell, nodes: nodesOf(row(cell)), dispose: stop };
        });
      } else {
        found.item(item);
      }
      next.set(name, found);
    }
    for (const [name, one] of rows) if (!next.has(name)) one.dispose();
    rows = next;
    return [...next.values()].map((one) => one.nodes);
  };
}
