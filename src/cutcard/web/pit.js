// @ts-check
/** The pit: a wall of tables with their alarms, and whatever a supervisor does at one of them. */

import { computed, each, effect, html, signal, untracked } from "./lib/reactive.js";
import { hand } from "./lib/hand.js";
import { closingOf, stateOf } from "./lib/telling.js";
import { date, money, number, t } from "./lib/language.js";
import { tried } from "./lib/dialog.js";
import { part } from "./lib/refused.js";
import { ago, ask, dutyBar, fetched, follow, form, gate, kindName, known, lobby, inspects, question, ranks, reason, role, roleName, said, save, shoeCount, small, stepName, titleOf, unit } from "./duty.js";
import { copilot, options, second } from "./copilot.js";
import { chooseRound } from "./rerun.js";
import { drift } from "./drift.js";
import { acting, patronsPage, peoplePage } from "./people.js";
import { freeSeat, mayFree } from "./seat_panel.js";
import { calledBy } from "./terminals.js";

const ROLES = ["pit supervisor", "pit manager", "shift manager", "operator", "auditor"];
const EVERY = 2000;
/** So many terminals that call are told of one by one; the panel has them all. */
const CALLING = 8;
const TABS = ["wall", "report", "incidents", "shoes", "patrons", "people"];

const wall = signal(/** @type {any} */ (null));
const tab = signal("wall");
const picked = signal(new URLSearchParams(location.search).get("table") ?? "");

async function look() {
  if (!ROLES.includes(role())) return;
  const found = await question("/pit");
  if (found) wall(found);
  else await known();
  document.body.dataset.ready = "yes";
}
effect(() => { if (role()) untracked(look); });
/** One look after the other: a server that is slow to answer is not asked again meanwhile. */
async function keepLooking() {
  await look();
  setTimeout(keepLooking, EVERY);
}
setTimeout(keepLooking, EVERY);
/** Terminals that call are one alarm of a table, however many they are. @param {any[]} alarms */
function together(alarms) {
  const calls = alarms.filter((one) => one.alarm === "attendant").map((one) => one.what);
  return calls.length ? [...alarms.filter((one) => one.alarm !== "attendant"), { alarm: "attendant", calls }] : alarms;
}
const rows = computed(() => (wall()?.tables ?? []).map((/** @type {any} */ one) => ({ ...one, alarms: together(one.alarms) })).sort((/** @type {any} */ one, /** @type {any} */ other) => other.alarms.length - one.alarms.length));

// --- the wall ---

/** Look at one table; on a narrow screen it stands above the wall. @param {string} table */
function pick(table) {
  picked(table);
  queueMicrotask(() => document.querySelector(".one")?.scrollIntoView({ block: "nearest" }));
}

/** The terminals that call at a table, by number or name. @param {string[]} calls */
const callers = (calls) => [calls.slice(0, CALLING).join(", "), calls.length > CALLING && t("alarm.more", { n: calls.length - CALLING })].filter(Boolean).join(" ");

/** @param {() => any} one */
const tile = (one) => html`<li class=${() => `tile${one().alarms.length ? " alarmed" : ""}${picked() === one().table ? " picked" : ""}${one().open ? "" : " shut"}`} data-table=${() => one().table}>
  <button @click=${() => pick(picked() === one().table ? "" : one().table)} aria-pressed=${() => String(picked() === one().table)}>
    <header><h2>${() => one().title}</h2><small>${() => one().round}</small></header>
    <p class="phase">${() => (one().open ? t(`state.${one().phase}`) : t("state.shut"))}${() => (one().closing_after ? ` · ${t("closing.announced")}` : "")}</p>
    <ul class="alarms">${() => one().alarms.map((/** @type {any} */ alarm) => html`<li class=${alarm.alarm}><b>${() => t(`alarm.${alarm.alarm}`)}</b> ${() => (alarm.calls ? callers(alarm.calls) : alarm.alarm === "hold" ? t(alarm.what) : said(alarm.what))}</li>`)}</ul>
    <dl><div><dt>${() => t("dealer")}</dt><dd>${() => (one().automatic ? t("automatic") : one().dealer ?? "–")} <small>${() => (one().dealer && !one().automatic ? ago(one().dealer_since) : "")}${() => (one().locked ? ` · ${t("locked")}` : "")}</small></dd></div>
      <div><dt>${() => t("rate")}</dt><dd>${() => (one().rounds > 1 ? number(one().per_hour) : "–")}</dd></div>
      <div><dt>${() => t("drop")}</dt><dd>${() => money(one().drop)}</dd></div>
      <div><dt>${() => t("win")}</dt><dd class=${() => (one().won < 0 ? "minus" : "")}>${() => money(one().won, true)}</dd></div>
      <div><dt>${() => t(one().is_open ? "boxes.open" : "boxes")}</dt><dd>${() => (one().is_open ? t("playing", { n: one().patrons }) : one().boxes.map((/** @type {any} */ box) => `${box.box}: ${money(box.staked)}`).join(" · ") || "–")}</dd></div>
      <div><dt>${() => t("differential")}</dt><dd>${() => (one().differential ? `${money(one().differential.gap)} / ${money(one().differential.most)}` : "–")}</dd></div></dl></button></li>`;

const wallPage = () => html`<section class="wall" aria-label=${() => t("tab.wall")}><ul class="tiles">${each(rows, (one) => one.table, tile)}</ul>
  ${() => (wall()?.large.length ? html`<section class="large"><h2>${() => t("large")}</h2><ul>${() => wall().large.map((/** @type {any} */ one) => html`<li><small>${date(one.at)}</small> <b>${() => t(`alarm.${one.kind}`)}</b> ${one.who} · ${titleOf(one.table)} · ${() => t(one.spot)} ${money(one.amount)}</li>`)}</ul></section>` : null)}</section>`;

// --- one table ---

/** @param {string} name */
function tablePage(name) {
  const { shown, felt } = follow(name);
  const [works, supervises, manages] = ["dealer", "pit supervisor", "pit manager"].map((least) => computed(() => ranks(least, felt()?.you ?? "")));
  const chart = signal(/** @type {any} */ (null));
  question(`/tables/${name}/figures`).then((found) => chart(found?.chart ?? null));
  const at = { table: name };
  const row = computed(() => rows().find((one) => one.table === name) ?? null);
  const title = computed(() => row()?.title ?? titleOf(name));
  const rounds = computed(() => shown()?.name ?? "");
  const electronic = computed(() => Boolean(felt()?.terminals));
  return html`<aside class="one" aria-label=${title} data-table=${name}>
    <header><h2>${title}</h2><p role="status">${() => [stateOf(shown()), closingOf(shown()), rounds()].filter(Boolean).join(" · ")} · ${() => t(`do.${felt()?.next.act ?? "wait"}`, { n: felt()?.next.number ?? 0, side: felt()?.next.side ? t(felt().next.side) : "", card: felt()?.next.card ?? "", who: "", role: "" })}</p>
      ${() => (felt()?.next_book ? html`<p class="next-book">${() => t("book.next", { book: felt().next_book })}</p>` : null)}</header>
    ${() => (felt()?.call && !felt().call.answered_by && supervises() ? html`<p class="called"><b>${() => t("call.from", { who: felt().call.by })}</b> ${() => said(felt().call.note)} <button class="go" @click=${() => ask({ is: "answer-call", ...at })}>${() => t("call.answer")}</button></p>` : null)}
    ${() => (electronic() ? terminalsAt(name, felt, { attends: works, supervises }) : null)}
    ${shoeCount(felt)}${second(name, felt)}${copilot(name, felt, shown)}${options(name, felt)}
    <div class="hands">${hand("player", shown)}${hand("banker", shown)}</div>
    <p class="kept">${() => (shown()?.kept.length ? html`${t("kept")} ${shown().kept.map(small)}` : "")}</p>
    <nav class="tools" aria-label=${() => t("tools")}>
      ${() => (supervises() ? html`<button disabled=${() => felt()?.leaving ?? false} @click=${() => switchDealer(name, felt())}>${() => t(felt()?.leaving ? "automatic.leaves" : felt()?.automatic ? "automatic.off" : "automatic.on")}</button>
      <button @click=${() => limits(name, felt(), shown())}>${() => t("limits.change")}</button>
      ${() => (shown()?.open ? html`<button @click=${() => closing(name)}>${() => t("closing")}</button><button disabled=${() => felt()?.next.act !== "close-table"} @click=${() => ask({ is: "close-table", ...at })}>${() => t("closing.now")}</button>`
      : html`<button @click=${() => ask({ is: "open-table", ...at })}>${() => t("opening")}</button>`)}
      ${() => ((row()?.books.length ?? 0) > 1 && manages() ? html`<button @click=${() => chooseBook(name, row())}>${() => t("book.choose")}</button>` : null)}
      ${() => (ranks("pit supervisor") ? html`<button @click=${() => acting(name, (felt()?.staff ?? []).filter((/** @type {any} */ one) => one.name))}>${() => t("acting")}</button>` : null)}` : null)}
      <button @click=${() => chooseRound(name, rounds())}>${() => t("rerun")}</button>
      ${() => (works() ? html`<button disabled=${() => !felt()?.here} @click=${() => ask({ is: "sign-off", ...at })}>${() => t("sign_off")}</button>` : null)}</nav>
    <section class="crew"><h3>${() => t("crew")}</h3><ul>${each(() => felt()?.staff ?? [], (one) => one.person, (one) => html`<li>${() => one().name || t("automatic")} <small>${() => roleName(one().role)}${() => (one().acting ? ` → ${roleName(one().acting)} ${date(one().until)}` : "")}${() => (one().locked ? ` · ${t("locked")}` : "")}</small></li>`)}</ul></section>
    ${() => (felt()?.seats.length ? html`<section class="sat"><h3>${() => t("seats.title")}</h3><ul>${each(() => felt()?.seats ?? [], (one) => `${one.box}/${one.patron}`, (one) => html`<li>${() => one().box} · ${() => one().name} <b>${() => money(one().stack)}</b>
      ${() => (works() && mayFree(felt(), one().patron) ? html`<button class="quiet" @click=${() => freeSeat(name, one())}>${() => t("seat.free")}</button>` : null)}</li>`)}</ul></section>` : null)}
    <section class="laid"><h3>${() => t(row()?.is_open ? "boxes.open" : "boxes")}</h3><ul>${each(() => felt()?.bets ?? [], (one) => `${one.box}/${one.patron}/${one.spot}`, (one) => html`<li>${() => (one().box ? `${one().box} · ` : "")}${() => one().name} · ${() => t(one().spot)} <b>${() => money(one().stake)}</b></li>`)}</ul>${() => (felt()?.unlisted ? html`<p class="soft">${() => t("boxes.more", { n: felt().unlisted })}</p>` : null)}</section>
    <section class="chart"><h3>${() => t("chart")}</h3>${() => (chart() ? drift(chart()) : null)}</section></aside>`;
}

/** The terminals of an electronic table: how many, and those that call. @param {string} table @param {() => any} felt @param {{attends: () => boolean, supervises: () => boolean}} may */
function terminalsAt(table, felt, may) {
  const told = () => felt()?.terminals ?? { devices: 0, own: 0, locked: 0, calling: [] };
  const news = computed(() => JSON.stringify(told()));
  const figures = () => ({ devices: number(told().devices), own: number(told().own), locked: number(told().locked) });
  return html`<section class="etg"><header><h3>${() => t("terminals")}</h3><p class="soft">${() => t("terminals.sum", figures())}</p>
      <button class="quiet" @click=${() => tried(async () => (await part(() => import("./terminal_panel.js"))).terminalPanel(table, may, news))}>${() => t("terminals.all")}</button></header>
    <ul>${each(() => told().calling.slice(0, CALLING), (one) => one.terminal, (one) => html`<li class="called" data-calling=${() => one().name}><span><b>${() => calledBy(one(), one().name)}</b> <small>${() => t("terminal.waiting")}</small></span>
      ${() => (may.attends() ? html`<button class="go" @click=${() => ask({ is: "answer-attendant", table, terminal: one().terminal })}>${() => t("terminal.attended")}</button>` : null)}</li>`)}</ul>
    ${() => (told().calling.length > CALLING ? html`<p class="soft">${() => t("terminals.wait", { n: told().calling.length - CALLING })}</p>` : null)}</section>`;
}

/** @param {string} table @param {any} felt */
const switchDealer = (table, felt) => ask({ is: "switch-dealer", table, on: !felt?.automatic });

/** @param {string} table @param {any} felt @param {any} shown */
async function limits(table, felt, shown) {
  const now = felt?.next_limits?.length ? felt.next_limits : shown?.limits ?? [];
  await form(() => t("limits.change"), [
    ...now.map((/** @type {any} */ one, /** @type {number} */ place) => ({ name: `limit-${place}`, type: "number", least: 1 / unit, step: 1 / unit, need: true, value: String(one.amount / unit),
      label: () => `${t(one.kind === "minimum" ? "min" : one.kind === "maximum" ? "max" : "differential")} · ${one.spots.map((/** @type {string} */ spot) => t(spot)).join(", ")}` })),
    reason,
  ], { about: html`<p>${() => t("limits.next")}</p>`, wide: true, act: (given) => {
    const changed = now.map((/** @type {any} */ one, /** @type {number} */ place) => ({ kind: one.kind, scope: one.scope, spots: one.spots, amount: Math.round(Number(given[`limit-${place}`]) * unit) }));
    return ask({ is: "change-limits", table, limits: changed, reason: given.reason });
  } });
}

/** @param {string} table */
const closing = (table) => form(() => t("closing"), [{ name: "rounds", label: () => t("closing.rounds"), type: "number", value: "3", need: true }, { name: "reason", label: () => t("reason"), area: true }], {
  about: html`<p>${() => t("closing.text")}</p>`, act: (given) => ask({ is: "announce-closing", table, rounds: Number(given.rounds), reason: given.reason ?? "" }) });

/** Another of the books approved for the table. @param {string} table @param {any} row of the wall */
const chooseBook = (table, row) => form(() => t("book.choose"), [
    { name: "book", label: () => t("book"), options: row.books.map((/** @type {any} */ one) => [one.book, one.name]), value: row.next_book },
    ...(row.open && !row.closing_after ? [{ name: "rounds", label: () => t("closing.rounds"), type: "number", value: "3", need: true }] : []),
    { name: "reason", label: () => t("reason"), area: true, need: true },
  ], { about: html`<p>${() => t("book.text")}</p>`, act: (given) => ask({ is: "choose-book", table, book: given.book, reason: given.reason, ...(given.rounds ? { rounds: Number(given.rounds) } : {}) }) });

// --- the other pages ---

const reportPage = () => {
  const table = signal(picked() || lobby.tables[0].table);
  return html`<section class="sheet"><header class="line"><h2>${() => t("tab.report")}</h2><select aria-label=${() => t("table")} @change=${(/** @type {any} */ event) => table(event.target.value)}>${lobby.tables.map((/** @type {any} */ one) => html`<option value=${one.table} .selected=${one.table === table()}>${one.title}</option>`)}</select></header>
    ${() => fetched(`/tables/${table()}/figures`, (found) => html`<dl class="meters">${[
      ["rounds", number(found.rounds)], ["void", number(found.void)], ["corrected", number(found.corrected)], ["rate", found.rounds > 1 ? number(found.per_hour) : "–"], ["wagered", money(found.meters.wagered)], ["paid", money(found.meters.paid)],
      ["won", money(found.meters.won, true)], ["commission", money(found.meters.commission)], ["drop", money(found.meters.drop)], ["cashed", money(found.meters.cashed)], ["owed", money(found.meters.owed)],
      ["scans", number(found.scans)], ["by_hand", number(found.by_hand)], ["unread", number(found.unread)], ["shoes", number(found.shoes)]].map(([key, value]) => html`<div data-meter=${key}><dt>${() => t(`report.${key}`)}</dt><dd>${value}</dd></div>`)}</dl>
      <p class="soft">${() => t("report.note")}</p>${drift(found.chart)}
      <table><thead><tr><th scope="col">${() => t("bet")}</th><th scope="col">${() => t("report.wagered")}</th><th scope="col">${() => t("win")}</th></tr></thead><tbody>${Object.entries(found.spots).map(([spot, one]) => html`<tr><th scope="row">${() => t(spot)}</th><td>${money(/** @type {any} */ (one).staked)}</td><td>${money(/** @type {any} */ (one).won, true)}</td></tr>`)}</tbody></table>
      <button class="quiet" @click=${() => save(`report-${table()}.json`, found)}>${() => t("export")}</button>`)}</section>`;
};

/** Who decided about something, and who confirmed it. @param {any} one */
function decided(one) {
  const name = (/** @type {string | null | undefined} */ who) => said(one.names?.[who ?? ""] ?? "");
  return [name(one.resolved_by), name(one.confirmed_by) && t("confirmed.by", { who: name(one.confirmed_by) })].filter(Boolean).join(", ");
}

const incidentsPage = () => html`<section class="sheet">${fetched("/incidents", (found) => html`<header class="line"><h2>${() => t("tab.incidents")}</h2><button class="quiet" @click=${() => save("incidents.json", found)}>${() => t("export")}</button></header>
  <table class="wide"><thead><tr><th scope="col">${() => t("when")}</th><th scope="col">${() => t("table")}</th><th scope="col">${() => t("what")}</th><th scope="col">${() => t("done")}</th><th scope="col">${() => t("who")}</th><th scope="col">${() => t("reason")}</th></tr></thead><tbody>${found.map((/** @type {any} */ one) => html`<tr><td>${date(one.at)}</td><td>${[one.title, one.book].filter(Boolean).join(" · ")} ${one.round}</td><td>${() => kindName(one.kind)} <small>${one.clause}</small></td><td>${() => (one.step ? stepName(one.step) : "…")} <small>${one.resolved_clause ?? ""}</small></td><td>${() => decided(one)}</td><td>${() => said(one.reason ?? "")} ${one.facts ?? ""}</td></tr>`)}</tbody></table>
  ${found.length ? null : html`<p class="soft">${() => t("none")}</p>`}`)}</section>`;

const shoesPage = () => html`<section class="sheet">${fetched("/shoes", (found, again) => html`<h2>${() => t("tab.shoes")}</h2><table class="wide shoes"><thead><tr><th scope="col">${() => t("shoe")}</th><th scope="col">${() => t("table")}</th><th scope="col">${() => t("state")}</th><th scope="col">${() => t("when")}</th><th scope="col">${() => t("reason")}</th><td></td></tr></thead><tbody>${found.map((/** @type {any} */ one) => html`<tr class=${one.state}><th scope="row">${one.shoe}</th><td>${titleOf(one.table)}</td><td>${() => t(`shoe.state.${one.state}`)}</td><td>${date(one.at)} <small>${() => said(one.by)}</small></td><td>${() => said(one.why)}</td>
  <td>${one.state === "quarantine" && ranks("pit manager") ? html`<button class="quiet" @click=${async () => { if (await form(() => t("shoe.release"), [reason], { act: (given) => ask({ is: "release-shoe", shoe: one.shoe, reason: given.reason }) })) again(); }}>${() => t("shoe.release")}</button>` : null}</td></tr>`)}</tbody></table>`)}</section>`;

const PAGES = /** @type {Record<string, () => any>} */ ({ wall: wallPage, report: reportPage, incidents: incidentsPage, shoes: shoesPage, patrons: patronsPage, people: peoplePage });

const pit = () => html`<main id="main" class="floor"><h1 class="sr">${() => t("page.pit")}</h1><nav class="tabs" aria-label=${() => t("page.pit")}>${() => TABS.filter((one) => one !== "patrons" || inspects()).map((one) => html`<button aria-pressed=${() => String(tab() === one)} @click=${() => tab(one)}>${() => t(`tab.${one}`)}</button>`)}</nav>
  <div class=${() => `pages${picked() && tab() === "wall" ? " split" : ""}`}><div class="page">${() => untracked(PAGES[tab()])}</div>${() => (picked() && tab() === "wall" ? tablePage(picked()) : null)}</div></main>`;

document.body.append(html`${dutyBar("pit.html")}${gate(ROLES, pit)}`);
effect(() => { document.title = `${t("page.pit")} · ${lobby.venue}`; });
