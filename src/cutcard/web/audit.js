// @ts-check
/** The auditor's view: everything may be read, nothing may be changed. */

import { computed, effect, html, signal, untracked } from "./lib/reactive.js";
import { date, money, number, t } from "./lib/language.js";
import { dutyBar, gate, inspects, lobby, me, question, role, said, save, titleOf, unit } from "./duty.js";
import { calledBy } from "./terminals.js";
import { chooseRound, rerun } from "./rerun.js";

const ROLES = ["auditor", "operator", "pit supervisor", "pit manager", "shift manager"];
const ROUTINE = /^(staff (scan-card|burn-card|open-round|close-bets|call-result|settle-round|turn-cards)|proposal)$/;
/** @param {string} kind of significant event */
const noteName = (kind) => (t(`note.${kind}`) === `note.${kind}` ? kind : t(`note.${kind}`));

const events = signal(/** @type {any[]} */ ([]));
const LARGE = ["large bet", "large win"];
const FOREVER = "9223372036854775807";
const people = signal(/** @type {[string, string][]} */ ([]));
/** Whoever works here, the first of the patrons, and whoever has done something that is shown. */
const names = computed(() => new Map([...people(), ...events().map((one) => /** @type {[string, string]} */ ([one.who, one.name]))]));
/** What stands in a log as people read it: names, times and tables. @param {string} text */
const worded = (text) => titleOf(said(text)).replace(FOREVER, t("exclude.ever"))
  .replace(/\b[pst]-[a-z0-9]+\b/g, (id) => names().get(id) ?? id).replace(/\b1\d{12}\b/g, (at) => date(Number(at)));
const PHASES = "idle|betting|closed|deciding|dealing|result|settled|void";
const STANDS = new RegExp(`^(?:(\\d+/\\d+) )?(${PHASES}|[2-9TJQKA][^,;]* / [^,;]*)((?:, [^,;]+)*)$`);
const TERMINAL = /^terminal (\d+) \(([pt]-[a-z0-9]+)\) ([a-z ]+), (\d+) credit$/;
/** Credit that moved on a terminal, from and to a patron's wallet or for cash. */
const MOVED = /^[a-z0-9-]+ terminal (\d+)(?: (p-[a-z0-9]+))? (\d+ -> \d+)$/;
const NOWHERE = " stands nowhere here";
const COUNTED = /^(\d+) (cards?|burned|to burn)$/;
/** What is told of a table beside its phase. @param {string} text such as "2 cards", "house -95000" or "foreign card" */
function beside(text) {
  const [, n, what] = text.match(COUNTED) ?? [];
  if (n) return t(what.startsWith("card") ? "stood.cards" : `stood.${what}`, { n });
  if (text === "no card exposed") return t("stood.unexposed");
  return text.startsWith("house ") ? t("stood.house", { amount: money(Number(text.slice(6)), true) }) : said(text);
}
/** Where a table stood. @param {string} text such as "1/2 dealing, 2 cards, foreign card" */
function oneStood(text) {
  const [, n, id, state, credit] = text.match(TERMINAL) ?? [];
  if (id) return t("stood.terminal", { which: calledBy({ number: Number(n), own: id.startsWith("p-") }, names().get(id) ?? id), state: t(`terminal.state.${state}`), amount: credit });
  const [, at, patron, moved] = text.match(MOVED) ?? [];
  if (moved) return t("stood.moved", { which: [t("terminal.of", { n: at }), patron && (names().get(patron) ?? patron)].filter(Boolean).join(" · "), moved });
  if (text.endsWith(NOWHERE)) return t("stood.nowhere", { who: worded(text.slice(0, -NOWHERE.length)) });
  const [, round, phase, rest] = text.match(STANDS) ?? [];
  if (!phase) return worded(text);
  const first = PHASES.split("|").includes(phase) ? t(`stood.${round || phase !== "closed" ? phase : "shut"}`) : phase;
  return [round, [first, ...rest.split(", ").slice(1).map(beside)].join(t("stood.and"))].filter(Boolean).join(" ");
}
/** The same behind what was done, as in "confirmed 1 of …; 1/2 void". @param {string} text */
const stood = (text) => text.split("; ").map(oneStood).join("; ");
const all = signal(false);
const wanted = signal("");
const report = signal(/** @type {any} */ (null));
const checking = signal(false);
effect(() => {
  if (!ROLES.includes(role())) return;
  untracked(async () => {
    events(!inspects() ? [] : await question("/significant-events?most=1000") ?? []);
    document.body.dataset.ready = "yes";
    if (!inspects()) return;
    const [staff, patrons, devices] = await Promise.all(["/staff/people", "/patrons", "/terminals"].map(question));
    people([...(devices ?? []).map((/** @type {any} */ one) => [one.terminal, one.name]), ...(staff ?? []).map((/** @type {any} */ one) => [one.person, one.name]), ...(patrons ?? []).map((/** @type {any} */ one) => [one.patron, one.name])]);
  });
});
const listed = computed(() => events().filter((one) => (all() || !ROUTINE.test(one.kind))
  && (!wanted() || [...Object.values(one), noteName(one.kind), worded(one.where), worded(one.why)].some((value) => String(value).includes(wanted())))).slice(0, 300));

const table = signal(lobby.tables[0]?.table ?? "");
const rounds = signal(/** @type {any[]} */ ([]));
const chosen = signal(/** @type {any} */ (null));
effect(() => {
  const name = table();
  if (me()) untracked(async () => rounds((await question(`/tables/${name}/rounds?most=50`))?.rounds ?? []));
});

async function check() {
  checking(true);
  report(await question("/integrity"));
  checking(false);
}

const log = () => html`<section class="sheet wide"><header class="line"><h2>${() => t("significant")}</h2><label class="tick"><input type="checkbox" .checked=${() => all()} @change=${(/** @type {any} */ event) => all(event.target.checked)}> ${() => t("significant.all")}</label>
      <input type="search" aria-label=${() => t("find")} placeholder=${() => t("find")} @input=${(/** @type {any} */ event) => wanted(event.target.value)}>
      <button class="quiet" @click=${() => save("significant-events.json", events())}>${() => t("export")}</button></header>
    ${unit > 1 ? html`<p class="soft">${() => t("audit.raw", { unit: number(unit) })}</p>` : null}
    <div class="scroll" tabindex="0" role="region" aria-label=${() => t("significant")}><table class="wide"><thead><tr>${["when", "what", "who", "table", "reason", "before", "after"].map((key) => html`<th scope="col">${() => t(key)}</th>`)}</tr></thead><tbody>${() => listed().map((one) => html`<tr><td>${date(one.at)}</td><td>${() => noteName(one.kind)}</td><td>${() => said(one.name)}</td><td>${() => worded(one.where)}</td><td>${() => (LARGE.includes(one.kind) ? t(one.why) : worded(one.why))}</td><td data-name=${() => (one.before ? t("before") : false)}>${() => stood(one.before)}</td><td data-name=${() => (one.after ? t("after") : false)}>${() => (LARGE.includes(one.kind) ? money(Number(one.after)) : stood(one.after))}</td></tr>`)}</tbody></table></div></section>`;

const page = () => html`<main id="main" class="floor sheets">
  <section class="sheet"><header class="line"><h1>${() => t("page.audit")}</h1><p class="soft">${() => t("audit.text")}</p></header>
    <h2>${() => t("integrity")}</h2><p>${() => t("integrity.text")}</p>
    <button class="go" disabled=${() => checking()} @click=${check}>${() => t(checking() ? "integrity.running" : "integrity.run")}</button>
    ${() => (report() ? html`<div class="verdict" data-holds=${String(report().holds)}><p class=${report().holds ? "good" : "warning"}><b>${() => t(report().holds ? "integrity.holds" : "integrity.fails", { n: report().findings.length })}</b></p>
      <dl class="meters">${["logs", "records", "rounds", "entries", "accounts", "heads", "sum_of_balances"].map((key) => html`<div><dt>${() => t(`integrity.${key}`)}</dt><dd>${number(report()[key])}</dd></div>`)}</dl>
      <ul>${report().findings.map((/** @type {any} */ one) => html`<li>${one.log} ${one.number ?? ""}: ${one.sentence} <code>${one.code}</code></li>`)}</ul>
      <button class="quiet" @click=${() => save("integrity.json", report())}>${() => t("export")}</button></div>` : null)}</section>
  <section class="sheet"><h2>${() => t("rerun")}</h2><div class="line"><select aria-label=${() => t("table")} @change=${(/** @type {any} */ event) => { table(event.target.value); chosen(null); }}>${lobby.tables.map((/** @type {any} */ one) => html`<option value=${one.table} .selected=${() => one.table === table()}>${one.title}</option>`)}</select>
      <button class="quiet" @click=${() => chooseRound(table(), rounds()[0]?.round)}>${() => t("rerun.which")}</button>
      ${() => (inspects() ? html`<button class="quiet" @click=${async () => { const pack = await question(`/tables/${table()}/pack`); if (pack) save(`${table()}-pack.json`, pack); }}>${() => t("rerun.table")}</button>` : null)}
      <button class="quiet" @click=${async () => { const found = await question(`/tables/${table()}/figures`); if (found) save(`${table()}-figures.json`, found); }}>${() => t("tab.report")}</button></div>
    <ul class="rounds">${() => rounds().map((one) => html`<li><button class="quiet" @click=${async () => chosen(await question(`/tables/${table()}/replay/${one.round}`))}>${one.round} <small>${one.ended === "void" ? t("state.void") : one.winner ? t(one.winner) : ""}</small></button></li>`)}</ul>
    ${() => (chosen() ? rerun(chosen(), table()) : null)}</section>
  ${() => (inspects() ? log() : html`<section class="sheet wide"><h2>${() => t("significant")}</h2><p class="soft">${() => t("inspectors")}</p></section>`)}</main>`;

document.body.append(html`${dutyBar("audit.html")}${gate(ROLES, page)}`);
effect(() => { document.title = `${t("page.audit")} · ${lobby.venue}`; });
