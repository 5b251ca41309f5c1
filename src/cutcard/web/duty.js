// @ts-check
/** What every console shares: who is on duty, the table's staff view, asking, refusing, the bar. */

import { computed, effect, html, signal, untracked } from "./lib/reactive.js";
import { Connection, RefusedError } from "./lib/connection.js";
import { dialog, refusal, tried } from "./lib/dialog.js";
import { get, post, trusted } from "./lib/api.js";
import { currency, date, language, learn, money, t } from "./lib/language.js";
import { tongues } from "./lib/page.js";
import { staysAway } from "./lib/away.js";
import { signInPanel } from "./signin.js";

await learn("menu");
await learn("consoles");

export const lobby = await get("/tables");
currency({ code: lobby.currency, digits: lobby.digits });
export const unit = 10 ** lobby.digits;
export const connection = new Connection();
/** Who is signed in, with the role. */
export const me = signal(/** @type {any} */ (null));

/** Ask who one is: roles are lent, and taken back. */
export async function known() {
  const told = await get("/me").catch(() => null);
  if (!told) return;
  trusted(told.csrf);
  me(told);
}
effect(() => {
  if (connection.you()) untracked(known);
  else me(null);
});
export const staff = computed(() => me()?.kind === "staff");

/** Seconds by the server's clock, once a second. */
export const now = signal(connection.now());
setInterval(() => now(connection.now()), 500);

/** Whether a role that was lent is over; whoever lent it may have lent it for longer. */
const over = computed(() => Boolean(me()?.acting) && now() >= me().acting_until);
effect(() => { if (over()) untracked(known); });
/** The role that counts for what one may look at: one's own, or the higher one in which one acts. */
export const role = computed(() => (me()?.acting && !over() ? me().acting : me()?.role ?? ""));
const RANKS = ["dealer", "pit supervisor", "pit manager", "shift manager"];
/** Whether a role may do what another may, at least; auditors and operators only look on. @param {string} least @param {string} [own] */
export const ranks = (least, own = me()?.role) => RANKS.indexOf(own ?? "") >= RANKS.indexOf(least);
/** Whether one is told what patrons and staff have done. */
export const inspects = computed(() => ranks("pit supervisor", role()) || role() === "auditor");
effect(() => { document.documentElement.lang = language(); });

/** Follow a table as staff do. @param {string} name */
export function follow(name) {
  const cell = connection.watch(name);
  return { shown: computed(() => cell()?.shown ?? null), felt: computed(() => cell()?.staff ?? null) };
}

/** A command; what is refused is told in words. @param {object} command @returns {Promise<any>} */
export async function ask(command) {
  try {
    return await connection.do(command);
  } catch (error) {
    if (error instanceof RefusedError) refusal(error.refused);
    else throw error;
  }
  return null;
}

/** A question; null where it is refused. @param {string} path */
export const question = (path) => tried(() => get(path));

// --- time ---

/** @param {number | null | undefined} until */
export const left = (until) => (until ? t("seconds", { n: Math.max(0, Math.ceil((until - now()) / 1000)) }) : "");

/** How long ago, in minutes. @param {number | null | undefined} since */
export const ago = (since) => (since ? t("minutes", { n: Math.max(0, Math.floor((now() - since) / 60_000)) }) : "–");

// --- words ---

/** Irregularities and the steps about them, by their names. */
const trade = signal(/** @type {Record<string, Record<string, string>>} */ ({}));
effect(() => { if (staff() && language()) untracked(async () => trade(await question("/staff/words") ?? {})); });
/** @param {"kind" | "step"} group @param {string} word which may be anything that somebody wrote */
const called = (group, word) => (Object.hasOwn(trade()[group] ?? {}, word) ? trade()[group][word] : word);
/** @param {string} kind of irregularity */
export const kindName = (kind) => called("kind", kind);
/** @param {string} step */
export const stepName = (step) => called("step", step);

/** What the house writes into a log itself. */
const OWN = /** @type {Record<string, string>} */ ({ "automatic dealer": "automatic", "machine": "machine", "operator": "role.operator", "system": "said.system", "command line": "said.command", "entered by hand": "said.hand" });
/** The same with something in it. */
const FILLED = /** @type {[RegExp, string][]} */ ([[/^(\d+) missing$/, "said.missing"], [/^-(\d+) missing$/, "said.surplus"], [/^commitment ([0-9a-f]{64})$/, "said.commitment"]]);
/** A word of the trade in the language chosen; what somebody wrote stays as it is. @param {string} text */
export function said(text) {
  for (const [looks, key] of FILLED) {
    const found = text.match(looks);
    if (found) return t(key, { it: found[1] });
  }
  return Object.hasOwn(OWN, text) ? t(OWN[text]) : stepName(kindName(text));
}
/** @param {string} table */
export const titleOf = (table) => lobby.tables.find((/** @type {any} */ one) => one.table === table)?.title ?? table;

/** A clause as it is quoted: its number, and its sense, which is written in English. @param {string} clause @param {string} text */
export const quote = (clause, text) => html`<blockquote><b>${clause}</b> <span lang="en">${text}</span></blockquote>`;

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} role */
export const roleName = (role) => t(`role.${role}`);

/** A fraction of minor units as money. @param {string} text such as "1234/5" */
export function fraction(text, signed = true) {
  const [over, under = "1"] = text.split("/");
  return money(Math.round(Number(over) / Number(under)), signed);
}

/** @param {string} text a fraction @returns {number} */
export const ratio = (text) => { const [over, under = "1"] = text.split("/"); return Number(over) / Number(under); };

/** A card with its suit as a sign, in its colour. @param {string | null} code */
export function small(code) {
  if (!code) return html`<span class="mini down">${() => t("face_down")}</span>`;
  const signs = /** @type {Record<string, string>} */ ({ s: "♠", h: "♥", d: "♦", c: "♣" });
  const red = code[1] === "h" || code[1] === "d";
  return html`<span class=${`mini${red ? " red" : ""}`}>${code[0] === "T" ? "10" : code[0]}${signs[code[1]]}</span>`;
}

/** Cards from whatever somebody typed, with blanks between them or without. @param {string} text */
export const cardsIn = (text) => text.split(/[\s,]+|(?<=[shdc])/i).filter(Boolean).map((one) => {
  const rank = one.slice(0, -1).toUpperCase();
  return (rank === "10" ? "T" : rank) + one.slice(-1).toLowerCase();
});

/** Both hands from whatever somebody typed, as they are written everywhere. @param {string} text such as "2H 3s / 10d" */
export const handsIn = (text) => text.split("/").map((side) => cardsIn(side).join(" ")).join(" / ");

/** Words that were written in several lines: what is kept of them has no ends of lines. @param {string} text */
export const inOneLine = (text) => text.replace(/\s*[\t\r\n]\s*/g, " ").trim();

const ONE = "(10|[2-9TJQKAtjqka])[shdcSHDC]";
/** What a card, several of them, and both hands look like, for fields that are typed into. */
export const LOOKS = { card: ONE, cards: `\\s*(${ONE}[\\s,]*)+`, hands: `\\s*(${ONE}\\s*)*/\\s*(${ONE}\\s*)*` };
const CARD = new RegExp(`^${ONE}$`);
/** @param {string} text */
export const isCard = (text) => CARD.test(text);

// --- forms ---

/**
 * Ask for some words; null where somebody thinks better of it.
 * @param {() => string} title @param {{name: string, label: () => string, value?: string, area?: boolean, need?: boolean, type?: string, pattern?: string, most?: number, least?: number, step?: number, options?: [string, string][]}[]} fields
 * @param {{does?: () => string, about?: any, wide?: boolean, act?: (given: Record<string, string>) => Promise<any>}} [more]
 *   `act`: what is done with them; where that is refused they stay, and what it came to is answered
 * @returns {Promise<any>}
 */
export function form(title, fields, more = {}) {
  let busy = false;
  return dialog(title, (close) => html`<form @submit=${async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (busy) return;
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const told = (/** @type {string} */ name) => String(given.get(name) ?? "");
    const all = Object.fromEntries(fields.map(({ name, area }) => [name, area ? inOneLine(told(name)) : told(name)]));
    busy = true;
    try {
      const done = await (more.act?.(all) ?? all);
      if (done) close(done);
    } finally {
      busy = false;
    }
  }}>${more.about ?? null}${fields.map((one) => html`<label>${one.label}${one.options
    ? html`<select name=${one.name}>${one.options.map(([value, words]) => html`<option value=${value} selected=${value === (one.value ?? one.options?.[0][0])}>${words}</option>`)}</select>`
    : one.area ? html`<textarea name=${one.name} rows="3" maxlength="500" required=${one.need ?? false}></textarea>`
      : html`<input name=${one.name} type=${one.type ?? "text"} maxlength=${String(one.most ?? 500)} autocomplete="off" .value=${one.value ?? ""} required=${one.need ?? false} pattern=${one.pattern ?? false} title=${one.pattern ? one.label : false} min=${one.type === "number" ? String(one.least ?? 1) : false} step=${one.type === "number" ? String(one.step ?? 1) : false}>`}</label>`)}
    <div class="buttons"><button class="go">${more.does ?? (() => t("ok"))}</button><button type="button" @click=${() => close(null)}>${() => t("cancel")}</button></div></form>`,
  { wide: more.wide }).then((told) => told ?? null);
}

/** The field that asks why. */
export const reason = { name: "reason", label: () => t("reason"), area: true, need: true };
/** The field for whatever is to be remembered about money. */
export const note = { name: "note", label: () => t("cage.note") };
/** The field that asks for an amount of money. @param {number} [usual] in minor units */
export const amountField = (usual) => ({ name: "amount", label: () => t("amount"), type: "number", least: 1 / unit, step: 1 / unit, need: true, value: usual ? String(usual / unit) : "" });
/** An amount from such a field, in minor units. @param {string} text */
export const minor = (text) => Math.round(Number(text) * unit);

/** @param {() => string} name @param {any} value */
export const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** @param {number} missing below zero, too many */
const difference = (missing) => (missing === 0 ? t("count.right") : t(missing > 0 ? "said.missing" : "said.surplus", { it: Math.abs(missing) }));

/** What the count of the latest shoe came to, until the next shoe. @param {() => any} felt */
export const shoeCount = (felt) => html`${() => (felt()?.counted ? html`<section class="count" aria-label=${() => t("count")}><h2>${() => t("count.of", { shoe: felt().counted.shoe })}</h2>
  <dl>${fact(() => t("count.expected"), felt().counted.expected)}${fact(() => t("count.counted"), felt().counted.counted)}${fact(() => t("count.difference"), () => difference(felt().counted.missing))}</dl></section>` : null)}`;

/** A patron with the money, and what keeps the patron from playing. @param {any} one */
export const purse = (one) => html`<h3>${one.name}</h3>
  <dl class="meters">${fact(() => t("wallet"), money(one.wallet))}${fact(() => t("debt"), money(one.debt))}${Object.entries(one.stacks).map(([table, amount]) => fact(() => titleOf(table), money(Number(amount))))}</dl>
  ${staysAway(one)}`;

/** Have a file written by the browser. @param {string} name @param {any} value */
export function save(name, value) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 1)], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Something fetched when its tab is opened. @param {string} path @param {(found: any, again: () => void) => any} draw */
export function fetched(path, draw) {
  const found = signal(/** @type {any} */ (null));
  const refused = signal(false);
  const again = async () => { found(await question(path)); refused(found() === null); };
  again();
  return html`<div class="fetched">${() => (found() === null ? html`<p class="soft">${() => t(refused() ? "not_shown" : "stale")}</p>` : draw(found(), again))}</div>`;
}

// --- the page ---

const PAGES = [["dealer.html", "dealer"], ["pit.html", "pit"], ["cage.html", "cage"], ["audit.html", "audit"]];

/** @param {string} here @param {any} [middle] what stands in the middle of the bar */
export function dutyBar(here, middle = null) {
  return html`<a class="skip" href="#main">${() => t("skip")}</a>
  <header class="bar"><a class="brand" href="/"><i aria-hidden="true">♦</i> <span>${lobby.venue}</span></a>
    <nav aria-label=${() => t("menu")}>${PAGES.map(([href, word]) => html`<a href=${href} aria-current=${here === href ? "page" : false}>${() => t(`page.${word}`)}</a>`)}</nav>
    ${middle}<div class="end">${tongues()}${() => (me() ? html`<button class="quiet who" @click=${async () => { await tried(() => post("/sign-out")); location.reload(); }}>${() => `${me().name} · ${me().role ? roleName(me().role) : ""}${role() === me().role ? "" : ` → ${roleName(role())}`} · ${t("sign_out")}`}</button>` : null)}</div></header>
  ${() => (connection.online() ? null : html`<p class="banner" role="status">${() => t("offline")}</p>`)}`;
}

/** Whatever is for staff, by the role that counts, or a way to sign in. @param {string[]} roles @param {() => any} content */
export function gate(roles, content) {
  const admitted = computed(() => staff() && roles.includes(role()));
  return html`${() => (admitted() ? untracked(content) : html`<main id="main" class="gate"><h1>${() => t("gate.title")}</h1>
    <p>${() => (me() ? t("gate.not", { role: me().role ? roleName(me().role) : t("gate.patron") }) : t("gate.text"))}</p>
    <button class="go" @click=${async () => { if (me()) await tried(() => post("/sign-out")); await signInPanel(connection, {}); connection.again(); }}>${() => t("sign_in")}</button></main>`)}`;
}

export { date };
