/** A verdict as a page: what was checked, what is wrong, and every record, line by line. */

import { json } from "./words.js";

/**
 * @typedef {ReturnType<typeof import("./words.js").speaker>} Words
 * @typedef {import("./lib/finding.js").Verdict} Verdict
 * @typedef {import("./lib/finding.js").Finding} Finding
 * @typedef {{number: number, record: any, findings: Finding[],
 *   mark: "good" | "bad" | "skipped"}} Line
 */

const SYMBOLS = { good: "✓", bad: "✗", skipped: "–" };

/** An element. @param {string} tag @param {Record<string, any>} [given] @param {any[]} inside */
export function make(tag, given = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name in element && typeof value !== "string") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...inside.filter((one) => one !== null));
  return element;
}

/** Text in which hearts and diamonds are red, and hashes are set as such. @param {string} text */
function coloured(text) {
  return text.split(/((?:10|[A2-9JQK])[♥♦]|[0-9a-f]{64})/).map((part, place) => {
    if (place % 2 === 0) return document.createTextNode(part);
    return part.length === 64 ? make("code", {}, part) : make("span", { class: "red" }, part);
  });
}

/** Which findings put a check in doubt, by the first half of their codes. */
const DOUBTS = /** @type {Record<string, string[]>} */ ({
  chain: ["chain", "head", "anchor"],
  book: ["book"],
  cards: ["shoe"],
  shoe: ["shoe"],
  card: ["shoe"],
});

/** @param {boolean} good */
function seal(good) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 48 48");
  svg.setAttribute("aria-hidden", "true");
  const shapes = good ? "M14 25l7 7 13-16" : "M16 16l16 16M32 16L16 32";
  for (const [tag, given] of /** @type {[string, Record<string, string>][]} */ ([
    ["circle", { cx: "24", cy: "24", r: "22", fill: "currentColor" }],
    [
      "path",
      {
        d: shapes,
        fill: "none",
        stroke: "var(--paper)",
        "stroke-width": "4.5",
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      },
    ],
  ])) {
    const shape = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(given)) shape.setAttribute(name, value);
    svg.append(shape);
  }
  return svg;
}

/**
 * @param {Verdict} verdict @param {{name: string, size: number, ms: number}} file
 * @param {any} texts @param {Words} words @returns {Node}
 */
export function result(verdict, file, texts, words) {
  const { findings, checked, remarks, pack } = verdict;
  const good = findings.length === 0;
  const { headings } = texts;
  const aside = make("div", { class: "aside" });
  for (const [name, notes] of /** @type {const} */ ([
    ["checked", checked],
    ["remarks", remarks],
  ])) {
    if (notes.length === 0) continue;
    const lines = notes.map((note) => {
      const doubts = name === "remarks" ? [] : (DOUBTS[note.code] ?? null);
      // Whatever is not named above is in doubt as soon as anything is wrong.
      const wrong = findings.some(({ code }) =>
        (doubts ?? [code.split("/")[0]]).includes(code.split("/")[0]),
      );
      return make(
        "li",
        { class: wrong ? "doubt" : "" },
        ...coloured(words.note(texts[name], note)),
      );
    });
    aside.append(
      make(
        "section",
        {},
        make("h2", {}, headings[name]),
        make("ul", { class: `list ${name}` }, ...lines),
      ),
    );
  }
  const main = make("div", {});
  if (!good) {
    const list = findings.map((one) => make("li", {}, told(one, texts, words, true)));
    main.append(
      make(
        "section",
        {},
        make("h2", {}, headings.findings),
        make("ol", { class: "wrong" }, ...list),
      ),
    );
  }
  if (pack !== null) main.append(lineByLine(verdict, texts, words));
  const whole = document.createDocumentFragment();
  whole.append(banner(verdict, file, texts, words));
  const parts = [aside, main].filter((part) => part.childNodes.length > 0);
  whole.append(make("div", { class: parts.length > 1 ? "columns" : "columns alone" }, ...parts));
  return whole;
}

/** @param {Verdict} verdict @param {any} file @param {any} texts @param {Words} words */
function banner({ findings, pack }, file, texts, words) {
  const good = findings.length === 0;
  const said = texts.verdict;
  const count = findings.length;
  const bad =
    pack === null ? said.unread : count === 1 ? said.bad : words.say(said.badMany, { count });
  const kind = pack === null ? "" : `${texts.kinds[pack.kind]}${texts.stop}`;
  const size = `${words.number(Math.max(1, Math.round(file.size / 1024)))} KB`;
  return make(
    "div",
    { class: `verdict ${good ? "good" : "bad"}` },
    seal(good),
    make("h2", { id: "verdict", tabindex: "-1" }, good ? said.good : bad),
    make("p", {}, good ? said.goodLead : pack === null ? words.finding(findings[0]) : said.badLead),
    make("p", { class: "file" }, kind + words.say(said.file, { ...file, size, ms: file.ms })),
  );
}

/**
 * One finding in full.
 * @param {Finding} one @param {any} texts @param {Words} words @param {boolean} linked
 */
function told(one, texts, words, linked) {
  const { code, record, details, should, found } = one;
  const where = make("p", { class: "where" });
  if (linked && record !== null) {
    where.append(make("a", { href: `#record-${record}` }, `${texts.headings.number} ${record}`));
  }
  where.append(make("code", {}, code));
  const box = make("div", { class: "finding" }, where);
  box.append(make("p", { class: "told" }, ...coloured(words.finding(one))));
  if (details.place) {
    const place = words.say(texts.place, { place: details.place });
    box.append(make("p", { class: "at mono" }, place));
  }
  // Beside its line a finding is only named; it is told in full above.
  if (linked && (should !== null || found !== null)) {
    box.append(
      make(
        "dl",
        {},
        make("dt", {}, texts.headings.should),
        make("dd", {}, make("code", {}, short(should))),
        make("dt", {}, texts.headings.found),
        make("dd", {}, make("code", {}, short(found))),
      ),
    );
  }
  return box;
}

/** @param {unknown} value @returns {string} */
function short(value) {
  const text = json(value);
  return text.length > 160 ? `${text.slice(0, 160)} …` : text;
}

/**
 * Records in groups: what came before the first round, then round by round.
 * @param {Verdict} verdict @returns {{title: string | null, lines: Line[]}[]}
 */
function grouped({ pack, findings, followed }) {
  const steps = [pack.commitment, ...(pack.seeds ?? []), ...(pack.steps ?? []), pack.card];
  const isLog = pack.records !== undefined;
  const records = isLog
    ? pack.records.map((/** @type {any} */ one) => [one.number, one.record])
    : steps.filter((one) => one !== undefined).map((one, place) => [place, one]);
  /** @type {{title: string | null, lines: Line[]}[]} */
  const groups = [];
  const failed = findings.length > 0;
  for (const [number, record] of records) {
    const own = findings.filter((one) => one.record === number);
    const checked = isLog
      ? followed.has(number)
      : pack.kind === "card"
        ? !failed
        : number === 0 || followed.has(number);
    const mark = own.length > 0 ? "bad" : checked ? "good" : "skipped";
    if (groups.length === 0 || record?.standing) groups.push({ title: null, lines: [] });
    const group = groups[groups.length - 1];
    if (record?.event?.is === "RoundOpened") group.title = String(record.event.number);
    group.lines.push({ number, record, findings: own, mark });
  }
  return groups;
}

/** @param {Verdict} verdict @param {any} texts @param {Words} words */
function lineByLine(verdict, texts, words) {
  const { headings } = texts;
  const isLog = verdict.pack.records !== undefined;
  const groups = grouped(verdict);
  const section = make("section", { class: "lines" });
  const only = make("input", { type: "checkbox", id: "only" });
  const wrong = groups.some(({ lines }) => lines.some(({ mark }) => mark === "bad"));
  section.append(
    make(
      "div",
      { class: "bar" },
      make("h2", {}, headings.lines),
      wrong ? make("label", { class: "only" }, only, headings.only) : null,
    ),
  );
  for (const [place, { title, lines }] of groups.entries()) {
    const bad = lines.filter(({ mark }) => mark === "bad").length;
    const name = !isLog
      ? headings.steps
      : title === null
        ? headings.before
        : words.say(headings.round, { round: title });
    const tally =
      bad > 0
        ? make("span", { class: "tally bad" }, words.say(headings.wrong, { count: bad }))
        : make("span", { class: "tally" }, words.say(headings.count, { count: lines.length }));
    const rows = lines.map((line) => row(line, texts, words));
    const body = make("tbody", {}, ...rows);
    const head = make(
      "thead",
      {},
      make(
        "tr",
        {},
        ...[headings.number, headings.what, headings.holds].map((one) =>
          make("th", { scope: "col" }, one),
        ),
      ),
    );
    const table = make("table", {}, make("caption", {}, name), head, body);
    // Something to read at once: whatever is wrong, else the first round.
    const open = wrong ? bad > 0 : place === Math.min(1, groups.length - 1);
    const summary = make(
      "summary",
      {},
      make("span", { class: "name" }, name),
      coup(lines, texts, words),
      tally,
    );
    section.append(make("details", { class: "group", open }, summary, table));
  }
  only.addEventListener("change", () => {
    const { checked } = /** @type {HTMLInputElement} */ (only);
    for (const one of section.querySelectorAll("tbody tr")) {
      /** @type {HTMLElement} */ (one).hidden = checked && !one.classList.contains("bad");
    }
    for (const one of section.querySelectorAll(".group")) {
      /** @type {HTMLElement} */ (one).hidden = checked && one.querySelector("tr.bad") === null;
    }
  });
  return section;
}

/**
 * A round's hands and how it ended, for its heading.
 * @param {Line[]} lines @param {any} texts @param {Words} words
 */
function coup(lines, texts, words) {
  const { headings } = texts;
  const events = lines.flatMap(({ record }) => record?.event ?? []);
  const result = events.find(({ is }) => is === "ResultCalled");
  const isVoid = events.some(({ is }) => is === "RoundVoided");
  if (!result && !isVoid) return null;
  const hand = (/** @type {string} */ side) => {
    const cards = events.filter((one) => one.is === "CardDealt" && one.side === side);
    const shown = coloured(cards.map((one) => words.say("{card}", one)).join(" "));
    return make(
      "span",
      { class: "hand" },
      make("span", { class: "side" }, headings[side]),
      " ",
      ...shown,
    );
  };
  const outcome = headings.outcome[result?.winner ?? "void"] ?? "";
  return make(
    "span",
    { class: "coup" },
    hand("player"),
    hand("banker"),
    make("span", { class: "outcome" }, outcome),
  );
}

/** @param {Line} line @param {any} texts @param {Words} words */
function row({ number, record, findings, mark }, texts, words) {
  const raw = make("pre", { tabindex: "0", "aria-label": texts.headings.raw });
  const details = make(
    "details",
    { class: "line" },
    make("summary", {}, ...coloured(words.line(record))),
    raw,
  );
  // A long log has thousands of records; each is written out when somebody asks for it.
  details.addEventListener("toggle", () => {
    if (raw.textContent === "") raw.textContent = json(record, 2);
  });
  return make(
    "tr",
    { id: `record-${number}`, class: mark },
    make("td", {}, String(number)),
    make("td", {}, details, ...findings.map((one) => told(one, texts, words, false))),
    make(
      "td",
      {},
      make("span", { "aria-hidden": "true" }, SYMBOLS[mark]),
      make("span", { class: "unseen" }, texts.marks[mark]),
    ),
  );
}
