// @ts-check
/** Patrons and staff in the pit's console: who they are, what limits them, what they may do. */

import { html, signal } from "./lib/reactive.js";
import { post } from "./lib/api.js";
import { date, money, t } from "./lib/language.js";
import { tried } from "./lib/dialog.js";
import { ask, fetched, form, me, purse, reason, roleName, titleOf, unit } from "./duty.js";
import { devices } from "./devices.js";
import { replayPanel } from "./rerun.js";

const DAY = 86_400_000, MINUTE = 60_000, HOUR = 3_600_000;
const AT_TABLES = ["dealer", "pit supervisor", "pit manager", "shift manager"];
const ROLES = [...AT_TABLES, "cashier", "auditor", "operator", "reader"];
/** Who takes people on, gives them a role, and bars them. */
const ARRANGE = ["operator", "shift manager"];
const PROTECT = ["pit manager", "shift manager"];
/** Limits that are lengths of time; the others are money. */
const TIMES = ["time_day", "reality_check"];

// --- patrons ---

/** @param {string} kind @param {number | null} amount */
const limit = (kind, amount) => (amount === null ? t("limit.none") : TIMES.includes(kind) ? t("minutes", { n: amount / MINUTE }) : money(amount));

/** Tighten one of a patron's limits. @param {any} one @param {string} kind */
function tighten(one, kind) {
  const time = TIMES.includes(kind), size = time ? MINUTE : unit;
  return form(() => t("limit.tighten"), [
    { name: "amount", label: () => t(`limit.${kind}`), type: "number", least: time ? 1 : 0, step: time ? 1 : 1 / unit, need: true }, reason,
  ], { about: html`<p>${() => t("limit.now", { amount: limit(kind, one.limits[kind]) })}</p>`,
    act: (given) => ask({ is: "limit-patron", patron: one.patron, kind, amount: Math.round(Number(given.amount) * size), reason: given.reason }) });
}

/** @param {any} one */
const exclude = (one) => form(() => t("exclude.patron"), [{ name: "length", label: () => t("exclude.length"), options: [["184", t("exclude.half")], ["", t("exclude.ever")]] }, reason], {
  act: (given) => ask({ is: "exclude-patron", patron: one.patron, length: given.length ? Number(given.length) * DAY : null, reason: given.reason }) });

/** @param {any} one @param {() => void} again */
const patron = (one, again) => {
  const may = PROTECT.includes(me()?.role);
  return html`<article class="patron">${purse(one)}
    <table class="wide limits"><thead><tr><th scope="col">${() => t("limits")}</th><th scope="col">${() => t("limit.holds")}</th><td></td></tr></thead><tbody>${Object.entries(one.limits).map(([kind, amount]) => html`<tr data-limit=${kind}><th scope="row">${() => t(`limit.${kind}`)}</th><td>${() => limit(kind, /** @type {any} */ (amount))}</td>
      <td>${may ? html`<button class="quiet" @click=${async () => { if (await tighten(one, kind)) again(); }}>${() => t("limit.tighten")}</button>` : null}</td></tr>`)}</tbody></table>
    ${may ? html`<div class="buttons"><button @click=${async () => { if (await exclude(one)) again(); }}>${() => t("exclude.patron")}</button></div>` : null}
    <table><thead><tr><th scope="col">${() => t("round")}</th><th scope="col">${() => t("bet")}</th><th scope="col">${() => t("net")}</th></tr></thead><tbody>${one.rounds.map((/** @type {any} */ played) => html`<tr><th scope="row"><button class="quiet" @click=${() => replayPanel(played.table, played.round)}>${titleOf(played.table)} ${played.round}</button></th><td>${money(played.staked)}</td><td>${money(played.net, true)}</td></tr>`)}</tbody></table></article>`;
};

export const patronsPage = () => {
  const wanted = signal(""), chosen = signal("");
  return html`<section class="sheet"><h2>${() => t("tab.patrons")}</h2><form class="line" @submit=${(/** @type {SubmitEvent} */ event) => { event.preventDefault(); wanted(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name"))); chosen(""); }}><label>${() => t("name")} <input name="name" autocomplete="off"></label><button>${() => t("find")}</button></form>
    ${() => fetched(`/patrons?name=${encodeURIComponent(wanted())}`, (found) => html`<ul class="people">${found.map((/** @type {any} */ one) => html`<li><button class="quiet" aria-pressed=${() => String(chosen() === one.patron)} @click=${() => chosen(one.patron)}>${one.name}</button></li>`)}</ul>`)}
    ${() => (chosen() ? fetched(`/patrons/${chosen()}`, patron) : null)}</section>`;
};

// --- staff ---

/** Let somebody act in a role at a table. @param {string} table @param {{person: string, name: string}[]} people */
export function acting(table, people) {
  return form(() => t("acting"), [
    { name: "person", label: () => t("acting.who"), options: people.map((one) => [one.person, one.name]) },
    { name: "role", label: () => t("acting.role"), options: AT_TABLES.slice(1).map((one) => [one, roleName(one)]) },
    { name: "hours", label: () => t("acting.hours"), type: "number", least: 0.25, step: 0.25, value: "1", need: true }, reason,
  ], { about: html`<p>${() => t("acting.text", { table: titleOf(table) })}</p>`, act: (given) => ask({ is: "act-as", table, person: given.person, role: given.role, until: Math.round(Date.now() + Number(given.hours) * HOUR), reason: given.reason }) });
}

const roles = () => /** @type {[string, string][]} */ (ROLES.map((one) => [one, roleName(one)]));

const hire = () => form(() => t("people.add"), [
  { name: "name", label: () => t("name"), most: 64, need: true },
  { name: "password", label: () => t("password"), type: "password", need: true },
  { name: "role", label: () => t("acting.role"), options: roles() }, reason,
], { about: html`<p>${() => t("people.add.text")}</p>`, act: (given) => tried(() => post("/staff/people", given)) });

/** @param {any} one */
const promote = (one) => form(() => t("people.role", { who: one.name }), [{ name: "role", label: () => t("acting.role"), options: roles(), value: one.role }, reason], {
  about: html`<p>${() => t("people.again")}</p>`, act: (given) => tried(() => post(`/staff/people/${one.person}`, given)) });

/** @param {any} one */
const bar = (one) => form(() => t(one.barred ? "people.unbar.who" : "people.bar.who", { who: one.name }), [reason], {
  about: html`<p>${() => t(one.barred ? "people.unbar.text" : "people.bar.text")}</p>`, act: (given) => tried(() => post(`/staff/people/${one.person}`, { barred: !one.barred, reason: given.reason })) });

/** @param {any} one @param {() => void} again */
const member = (one, again) => {
  const arranges = ARRANGE.includes(me()?.role) && one.person !== me()?.id;
  const lends = AT_TABLES.indexOf(me()?.role) > 0;
  const after = (/** @type {Promise<any>} */ work) => work.then((done) => { if (done) again(); });
  return html`<tr class=${one.barred ? "barred" : ""} data-person=${one.name}><th scope="row">${one.name}</th><td>${() => roleName(one.role)}${() => (one.barred ? ` · ${t("people.barred")}` : "")}</td>
    <td>${one.at.map((/** @type {any} */ place) => html`<div class="line"><span class="pill">${titleOf(place.table)} · ${() => roleName(place.role)}${() => (place.until ? ` · ${t("people.until", { date: date(place.until) })}` : "")}</span>
      ${lends && one.person !== me()?.id ? html`<button class="quiet" @click=${() => after(acting(place.table, [one]))}>${() => t("acting")}</button>` : null}</div>`)}</td>
    <td>${arranges ? html`<div class="buttons"><button class="quiet" @click=${() => after(promote(one))}>${() => t("people.change")}</button><button class="quiet" @click=${() => after(bar(one))}>${() => t(one.barred ? "people.unbar" : "people.bar")}</button></div>` : null}</td></tr>`;
};

export const peoplePage = () => html`<section class="sheet">${fetched("/staff/people", (found, again) => html`<header class="line"><h2>${() => t("tab.people")}</h2>${ARRANGE.includes(me()?.role) ? html`<button class="go" @click=${async () => { if (await hire()) again(); }}>${() => t("people.add")}</button>` : html`<p class="soft">${() => t("people.who")}</p>`}</header>
  <table class="wide"><thead><tr><th scope="col">${() => t("name")}</th><th scope="col">${() => t("acting.role")}</th><th scope="col">${() => t("table")}</th><td></td></tr></thead><tbody>${found.map((/** @type {any} */ one) => member(one, again))}</tbody></table>`)}</section>
  ${devices(ARRANGE.includes(me()?.role))}`;
