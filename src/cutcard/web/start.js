/** The start page: every table with its plain state, kept up to date. */

import { make } from "./view.js";

/**
 * @typedef {{table: string, title: string, book_name: string, deals: string, dealing: boolean,
 *   open: boolean, phase: string, until: number | null, shoe: number, round: number, boxes: number,
 *   taken_boxes: number[], patrons: number, winners: string,
 *   limits: {kind: string, scope: string, spots: string[], amount: number}[]}} Table
 * @typedef {{venue: string, currency: string, digits: number, helpline: string, now: number,
 *   tables: Table[]}} Lobby
 */

const PHASES = {
  idle: "Shuffling",
  betting: "Place your bets",
  closed: "No more bets",
  deciding: "Decisions",
  dealing: "Dealing",
  result: "Result",
  settled: "Paid",
  void: "Void",
};
const EVERY = 1000;
const SHOWN = 24;

const list = /** @type {HTMLElement} */ (document.getElementById("tables"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const venue = /** @type {HTMLElement} */ (document.getElementById("venue"));
const helpline = /** @type {HTMLElement} */ (document.getElementById("helpline"));

/** Money in whole units and the rest. @param {number} amount @param {Lobby} lobby */
function money(amount, lobby) {
  const digits = amount % 10 ** lobby.digits ? lobby.digits : 0;
  const value = amount / 10 ** lobby.digits;
  return value.toLocaleString(undefined, { minimumFractionDigits: digits });
}

/** What may be bet, in one line. @param {Table} table @param {Lobby} lobby */
function limits(table, lobby) {
  const of = (/** @type {string} */ kind) =>
    table.limits.filter((one) => one.kind === kind).map((one) => one.amount);
  const least = of("minimum"), most = of("maximum"), gap = of("differential");
  return [
    least.length ? `from ${money(Math.min(...least), lobby)}` : "",
    most.length ? `to ${money(Math.max(...most), lobby)}` : "",
    gap.length ? `difference to ${money(Math.max(...gap), lobby)}` : "",
  ].filter(Boolean).join(", ");
}

/** @param {Table} table @param {Lobby} lobby */
function card(table, lobby) {
  const left = table.until === null ? null : Math.ceil((table.until - lobby.now) / 1000);
  const words = table.open ? PHASES[/** @type {keyof PHASES} */ (table.phase)] : "Closed";
  const beads = [...table.winners].slice(-SHOWN).map((one) =>
    make("span", { class: `bead ${one}`, "aria-hidden": "true" }, one));
  const told = `${table.winners.length} results in this shoe`;
  return make(
    "li", { class: table.open ? "" : "closed" },
    make("h2", {}, make("a", { href: `table.html?table=${table.table}` }, table.title)),
    make("p", { class: "phase" }, words, left !== null && left >= 0
      ? make("span", { class: "left" }, ` ${left} s`) : null),
    make("p", { class: "soft" }, `Shoe ${table.shoe || "–"}, round ${table.round || "–"} · `
      + `${table.taken_boxes.length} of ${table.boxes} seats · ${limits(table, lobby)} `
      + lobby.currency),
    make("p", { class: "beads", title: told }, ...beads),
    make("p", { class: "soft" }, table.deals === "machine" ? "Deals by itself"
      : table.dealing ? "Automatic dealer" : "Dealt by staff"),
  );
}

/** @param {Lobby} lobby */
function show(lobby) {
  document.title = `${lobby.venue} · cutcard`;
  venue.textContent = lobby.venue;
  helpline.textContent = lobby.helpline;
  state.textContent = `${lobby.tables.filter((one) => one.open).length} tables open`;
  list.replaceChildren(...lobby.tables.map((one) => card(one, lobby)));
}

async function refresh() {
  try {
    const answer = await fetch("/api/v1/tables");
    if (!answer.ok) throw new Error(String(answer.status));
    show(await answer.json());
    document.body.classList.remove("stale");
  } catch {
    state.textContent = "No answer from the server. Trying again…";
    document.body.classList.add("stale");
  }
  setTimeout(refresh, EVERY);
}

refresh();
