// @ts-check
/** The pit: a wall of tables with their alarms, and whatever a supervisor does at one of them. */

import { computed, each, effect, html, signal, untracked } from "./lib/reactive.js";
import { hand } from "./lib/hand.js";
import { stateOf } from "./lib/telling.js";
import { date, language, money, number, t } from "./lib/language.js";
import { ago, ask, dutyBar, follow, form, gate, lobby, me, question, roleName, save, small, unit } from "./duty.js";
import { copilot, options, second } from "./copilot.js";
import { replayPanel } from "./rerun.js";
import { drift } from "./drift.js";

const ROLES = ["pit supervisor", "pit manager", "shift manager", "operator", "auditor"];
const EVERY = 2000;
const TABS = ["wall", "report", "incidents", "shoes", "patrons", "people"];
const DAY = 86_400_000;

const wall = signal(/** @type {any} */ (null));
const tab = signal("wall");
const picked = signal(new URLSearchParams(location.search).get("table") ?? "");
const kinds = signal(/** @type {Record<string, string>} */ ({}));

async function look() {
  if (me()?.kind === "staff" && ROLES.includes(me().role)) {
    const found = await question("/pit");
    if (found) wall(found);
    document.body.dataset.ready = "yes";
  }
  setTimeout(look, EVERY);
}
effect(() => { if (me()) untracked(async () => { const found = await question("/pit"); if (found) { wall(found); document.body.dataset.ready = "yes"; } }); });
setTimeout(look, EVERY);
effect(() => {
  if (me() && language()) untracked(async () => {
    for (const one of lobby.tables) for (const kind of await question(`/tables/${one.table}/kinds`) ?? []) kinds({ ...kinds(), [kind.kind]: kind.title });
  });
});
const titleOf = (/** @type {string} */ kind) => kinds()[kind] ?? kind;
const rows = computed(() => [...(wall()?.tables ?? [])].sort((one, other) => other.alarms.length - one.alarms.length));

// --- the wall ----------------------------------------------------------------------------------------------------

/** @param {() => any} one */
const tile = (one) => html`<li class=${() => `tile${one().alarms.length ? " alarmed" : ""}${picked() === one().table ? " picked" : ""}${one().open ? "" : " shut"}`} data-table=${() => one().table}>
  <button @click=${() => picked(picked() === one().table ? "" : one().table)} aria-pressed=${() => String(picked() === one().table)}>
    <header><h2>${() => one().title}</h2><small>${() => one().round}</small></header>
    <p class="phase">${() => (one().open ? t(`state.${one().phase}`) : t("state.shut"))}${() => (one().closing_after ? ` · ${t("closing.after", { round: one().closing_after })}` : "")}</p>
    <ul class="alarms">${() => one().alarms.map((/** @type {any} */ alarm) => html`<li class=${alarm.alarm}><b>${() => t(`alarm.${alarm.alarm}`)}</b> ${["incident", "sentinel"].includes(alarm.alarm) ? titleOf(alarm.what) : alarm.what}</li>`)}</ul>
    <dl><div><dt>${() => t("dealer")}</dt><dd>${() => (one().automatic ? t("automatic") : one().dealer ?? "–")} <small>${() => (one().dealer && !one().automatic ? ago(one().dealer_since) : "")}${() => (one().locked ? ` · ${t("locked")}` : "")}</small></dd></div>
      <div><dt>${() => t("rate")}</dt><dd>${() => number(one().per_hour)}</dd></div>
      <div><dt>${() => t("drop")}</dt><dd>${() => money(one().drop)}</dd></div>
      <div><dt>${() => t("win")}</dt><dd class=${() => (one().won < 0 ? "minus" : "")}>${() => money(one().won, true)}</dd></div>
      <div><dt>${() => t("boxes")}</dt><dd>${() => one().boxes.map((/** @type {any} */ box) => `${box.box}: ${money(box.staked)}`).join(" · ") || "–"}</dd></div>
      <div><dt>${() => t("differential")}</dt><dd>${() => (one().differential ? `${money(one().differential.gap)} / ${money(one().differential.most)}` : "–")}</dd></div></dl></button></li>`;

const wallPage = () => html`<section class="wall" aria-label=${() => t("tab.wall")}><ul class="tiles">${each(rows, (one) => one.table, tile)}</ul>
  ${() => (wall()?.large.length ? html`<section class="large"><h2>${() => t("large")}</h2><ul>${() => wall().large.map((/** @type {any} */ one) => html`<li><small>${date(one.at)}</small> <b>${() => t(`alarm.${one.kind}`)}</b> ${one.who} · ${one.table} · ${() => t(one.spot)} ${money(one.amount)}</li>`)}</ul></section>` : null)}</section>`;

// --- one table -----------------------------------------------------------------------------------------------------

/** @param {string} name */
function tablePage(name) {
  const { shown, felt } = follow(name);
  const listed = lobby.tables.find((/** @type {any} */ one) => one.table === name);
  const chart = signal(/** @type {any} */ (null));
  question(`/tables/${name}/figures`).then((found) => chart(found?.chart ?? null));
  const at = { table: name };
  const rounds = computed(() => shown()?.name ?? "");
  return html`<aside class="one" aria-label=${listed?.title ?? name} data-table=${name}>
    <header><h2>${listed?.title ?? name}</h2><p role="status">${() => stateOf(shown())} · ${rounds} · ${() => t(`do.${felt()?.next.act ?? "wait"}`, { n: felt()?.next.number ?? 0, side: felt()?.next.side ? t(felt().next.side) : "", card: felt()?.next.card ?? "", who: "", role: "" })}</p></header>
    ${() => (felt()?.call && !felt().call.answered_by ? html`<p class="called"><b>${() => t("call.from", { who: felt().call.by })}</b> ${felt().call.note} <button class="go" @click=${() => ask({ is: "answer-call", ...at })}>${() => t("call.answer")}</button></p>` : null)}
    ${second(name, felt)}${copilot(name, felt, shown)}${options(name, felt)}
    <div class="hands">${hand("player", shown)}${hand("banker", shown)}</div>
    <p class="kept">${() => (shown()?.kept.length ? html`${t("kept")} ${shown().kept.map(small)}` : "")}</p>
    <nav class="tools" aria-label=${() => t("tools")}>
      <button @click=${() => switchDealer(name, felt())}>${() => t(felt()?.automatic ? "automatic.off" : "automatic.on")}</button>
      <button @click=${() => limits(name, felt(), shown())}>${() => t("limits.change")}</button>
      ${() => (shown()?.open ? html`<button @click=${() => closing(name)}>${() => t("closing")}</button><button disabled=${() => felt()?.next.act !== "close-table"} @click=${() => ask({ is: "close-table", ...at })}>${() => t("closing.now")}</button>`
      : html`<button @click=${() => ask({ is: "open-table", ...at })}>${() => t("opening")}</button>`)}
      <button @click=${() => acting(name, felt())}>${() => t("acting")}</button>
      <button @click=${() => replayPanel(name, rounds())}>${() => t("rerun")}</button>
      <button disabled=${() => !felt()?.here} @click=${() => ask({ is: "sign-off", ...at })}>${() => t("sign_off")}</button></nav>
    <section class="crew"><h3>${() => t("crew")}</h3><ul>${each(() => felt()?.staff ?? [], (one) => one.person, (one) => html`<li>${() => one().name || t("automatic")} <small>${() => roleName(one().role)}${() => (one().acting ? ` → ${roleName(one().acting)} ${date(one().until)}` : "")}${() => (one().locked ? ` · ${t("locked")}` : "")}</small></li>`)}</ul></section>
    <section class="laid"><h3>${() => t("boxes")}</h3><ul>${each(() => felt()?.bets ?? [], (one) => `${one.box}/${one.patron}/${one.spot}`, (one) => html`<li>${() => one().box} · ${() => one().name} · ${() => t(one().spot)} <b>${() => money(one().stake)}</b></li>`)}</ul></section>
    <section class="chart"><h3>${() => t("chart")}</h3>${() => (chart() ? drift(chart()) : null)}</section></aside>`;
}

/** @param {string} table @param {any} felt */
const switchDealer = (table, felt) => ask({ is: "switch-dealer", table, on: !felt?.automatic });

/** @param {string} table @param {any} felt @param {any} shown */
async function limits(table, felt, shown) {
  const now = felt?.next_limits?.length ? felt.next_limits : shown?.limits ?? [];
  const given = await form(() => t("limits.change"), [
    ...now.map((/** @type {any} */ one, /** @type {number} */ place) => ({ name: `limit-${place}`, type: "number", need: true, value: String(one.amount / unit),
      label: () => `${t(one.kind === "minimum" ? "min" : one.kind === "maximum" ? "max" : "differential")} · ${one.spots.map((/** @type {string} */ spot) => t(spot)).join(", ")}` })),
    { name: "reason", label: () => t("reason"), area: true, need: true },
  ], { about: html`<p>${() => t("limits.next")}</p>`, wide: true });
  if (!given) return;
  const changed = now.map((/** @type {any} */ one, /** @type {number} */ place) => ({ kind: one.kind, scope: one.scope, spots: one.spots, amount: Math.round(Number(given[`limit-${place}`]) * unit) }));
  await ask({ is: "change-limits", table, limits: changed, reason: given.reason });
}

/** @param {string} table */
async function closing(table) {
  const given = await form(() => t("closing"), [{ name: "rounds", label: () => t("closing.rounds"), type: "number", value: "3", need: true }, { name: "reason", label: () => t("reason"), area: true }], { about: html`<p>${() => t("closing.text")}</p>` });
  if (given) await ask({ is: "announce-closing", table, rounds: Number(given.rounds), reason: given.reason ?? "" });
}

/** @param {string} table @param {any} felt */
async function acting(table, felt) {
  const given = await form(() => t("acting"), [
    { name: "person", label: () => t("acting.who"), options: (felt?.staff ?? []).filter((/** @type {any} */ one) => one.name).map((/** @type {any} */ one) => [one.person, one.name]) },
    { name: "role", label: () => t("acting.role"), options: ROLES.slice(0, 3).map((one) => [one, roleName(one)]) },
    { name: "hours", label: () => t("acting.hours"), type: "number", value: "1", need: true },
    { name: "reason", label: () => t("reason"), area: true, need: true },
  ]);
  if (given) await ask({ is: "act-as", table, person: given.person, role: given.role, until: Math.round(Date.now() + Number(given.hours) * 3_600_000), reason: given.reason });
}

// --- the other pages -------------------------------------------------------------------------------------------------

/** Something fetched when its tab is opened. @param {string} path @param {(found: any, again: () => void) => any} draw */
function fetched(path, draw) {
  const found = signal(/** @type {any} */ (null));
  const again = async () => found(await question(path));
  again();
  return html`<div class="fetched">${() => (found() === null ? html`<p class="soft">${() => t("stale")}</p>` : draw(found(), again))}</div>`;
}

const reportPage = () => {
  const table = signal(picked() || lobby.tables[0].table);
  return html`<section class="sheet"><header class="line"><h2>${() => t("tab.report")}</h2><select aria-label=${() => t("table")} @change=${(/** @type {any} */ event) => table(event.target.value)}>${lobby.tables.map((/** @type {any} */ one) => html`<option value=${one.table} .selected=${one.table === table()}>${one.title}</option>`)}</select></header>
    ${() => fetched(`/tables/${table()}/figures`, (found) => html`<dl class="meters">${[
      ["rounds", number(found.rounds)], ["void", number(found.void)], ["corrected", number(found.corrected)], ["rate", number(found.per_hour)], ["wagered", money(found.meters.wagered)], ["paid", money(found.meters.paid)],
      ["won", money(found.meters.won, true)], ["commission", money(found.meters.commission)], ["drop", money(found.meters.drop)], ["cashed", money(found.meters.cashed)], ["owed", money(found.meters.owed)],
      ["scans", number(found.scans)], ["by_hand", number(found.by_hand)], ["unread", number(found.unread)], ["shoes", number(found.shoes)]].map(([key, value]) => html`<div data-meter=${key}><dt>${() => t(`report.${key}`)}</dt><dd>${value}</dd></div>`)}</dl>
      <p class="soft">${() => t("report.note")}</p>${drift(found.chart)}
      <table><thead><tr><th scope="col">${() => t("bet")}</th><th scope="col">${() => t("report.wagered")}</th><th scope="col">${() => t("report.won")}</th></tr></thead><tbody>${Object.entries(found.spots).map(([spot, one]) => html`<tr><th scope="row">${() => t(spot)}</th><td>${money(/** @type {any} */ (one).staked)}</td><td>${money(/** @type {any} */ (one).won, true)}</td></tr>`)}</tbody></table>
      <button class="quiet" @click=${() => save(`report-${table()}.json`, found)}>${() => t("export")}</button>`)}</section>`;
};

const incidentsPage = () => html`<section class="sheet">${fetched("/incidents", (found) => html`<header class="line"><h2>${() => t("tab.incidents")}</h2><button class="quiet" @click=${() => save("incidents.json", found)}>${() => t("export")}</button></header>
  <table class="wide"><thead><tr><th scope="col">${() => t("when")}</th><th scope="col">${() => t("table")}</th><th scope="col">${() => t("what")}</th><th scope="col">${() => t("done")}</th><th scope="col">${() => t("reason")}</th></tr></thead><tbody>${found.map((/** @type {any} */ one) => html`<tr><td>${date(one.at)}</td><td>${one.table} ${one.round}</td><td>${titleOf(one.kind)} <small>${one.clause}</small></td><td>${one.step ?? "…"} <small>${one.resolved_clause ?? ""}</small></td><td>${one.reason ?? ""} ${one.facts ?? ""}</td></tr>`)}</tbody></table>
  ${found.length ? null : html`<p class="soft">${() => t("none")}</p>`}`)}</section>`;

const shoesPage = () => html`<section class="sheet">${fetched("/shoes", (found, again) => html`<h2>${() => t("tab.shoes")}</h2><table class="wide"><thead><tr><th scope="col">${() => t("shoe")}</th><th scope="col">${() => t("table")}</th><th scope="col">${() => t("state")}</th><th scope="col">${() => t("when")}</th><th scope="col">${() => t("reason")}</th><td></td></tr></thead><tbody>${found.map((/** @type {any} */ one) => html`<tr class=${one.state}><th scope="row">${one.shoe}</th><td>${one.table}</td><td>${() => t(`shoe.state.${one.state}`)}</td><td>${date(one.at)} <small>${one.by}</small></td><td>${one.why}</td>
  <td>${one.state === "quarantine" ? html`<button class="quiet" @click=${async () => { const given = await form(() => t("shoe.release"), [{ name: "reason", label: () => t("reason"), area: true, need: true }]); if (given && await ask({ is: "release-shoe", shoe: one.shoe, reason: given.reason })) again(); }}>${() => t("shoe.release")}</button>` : null}</td></tr>`)}</tbody></table>`)}</section>`;

const patronsPage = () => {
  const wanted = signal(""), chosen = signal("");
  return html`<section class="sheet"><h2>${() => t("tab.patrons")}</h2><form class="line" @submit=${(/** @type {SubmitEvent} */ event) => { event.preventDefault(); wanted(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name"))); chosen(""); }}><label>${() => t("name")} <input name="name" autocomplete="off"></label><button>${() => t("find")}</button></form>
    ${() => fetched(`/patrons?name=${encodeURIComponent(wanted())}`, (found) => html`<ul class="people">${found.map((/** @type {any} */ one) => html`<li><button class="quiet" @click=${() => chosen(one.patron)}>${one.name}</button></li>`)}</ul>`)}
    ${() => (chosen() ? fetched(`/patrons/${chosen()}`, (one, again) => html`<article class="patron"><h3>${one.name}</h3><dl class="meters"><div><dt>${() => t("wallet")}</dt><dd>${money(one.wallet)}</dd></div><div><dt>${() => t("debt")}</dt><dd>${money(one.debt)}</dd></div>
      ${Object.entries(one.stacks).map(([table, amount]) => html`<div><dt>${table}</dt><dd>${money(/** @type {any} */ (amount))}</dd></div>`)}
      ${Object.entries(one.limits).map(([kind, amount]) => html`<div><dt>${() => t(`limit.${kind}`)}</dt><dd>${amount === null ? t("limit.none") : kind === "time_day" || kind === "reality_check" ? t("minutes", { n: Number(amount) / 60_000 }) : money(Number(amount))}</dd></div>`)}</dl>
      ${one.excluded_for_good || one.excluded_until ? html`<p class="warning">${() => t("excluded", { date: one.excluded_for_good ? t("exclude.ever") : date(one.excluded_until) })}</p>` : null}
      <div class="buttons"><button @click=${async () => { const given = await form(() => t("limit.tighten"), [{ name: "amount", label: () => t("limit.loss_day"), type: "number", need: true }, { name: "reason", label: () => t("reason"), area: true, need: true }]); if (given && await ask({ is: "limit-patron", patron: one.patron, kind: "loss_day", amount: Math.round(Number(given.amount) * unit), reason: given.reason })) again(); }}>${() => t("limit.tighten")}</button>
        <button @click=${async () => { const given = await form(() => t("exclude.patron"), [{ name: "length", label: () => t("exclude"), options: [["184", t("exclude.half")], ["", t("exclude.ever")]] }, { name: "reason", label: () => t("reason"), area: true, need: true }]); if (given && await ask({ is: "exclude-patron", patron: one.patron, length: given.length ? Number(given.length) * DAY : null, reason: given.reason })) again(); }}>${() => t("exclude.patron")}</button></div>
      <table><thead><tr><th scope="col">${() => t("round")}</th><th scope="col">${() => t("bet")}</th><th scope="col">${() => t("net")}</th></tr></thead><tbody>${one.rounds.map((/** @type {any} */ played) => html`<tr><th scope="row"><button class="quiet" @click=${() => replayPanel(played.table, played.round)}>${played.table} ${played.round}</button></th><td>${money(played.staked)}</td><td>${money(played.net, true)}</td></tr>`)}</tbody></table></article>`) : null)}</section>`;
};

const peoplePage = () => html`<section class="sheet">${fetched("/staff/people", (found) => html`<h2>${() => t("tab.people")}</h2><table class="wide"><thead><tr><th scope="col">${() => t("name")}</th><th scope="col">${() => t("acting.role")}</th><th scope="col">${() => t("table")}</th></tr></thead><tbody>${found.map((/** @type {any} */ one) => html`<tr><th scope="row">${one.name}</th><td>${() => roleName(one.role)}${one.barred ? " ✗" : ""}</td><td>${one.at.map((/** @type {any} */ place) => html`<span class="pill">${place.table} · ${() => roleName(place.role)}${place.until ? ` · ${date(place.until)}` : ""}</span>`)}</td></tr>`)}</tbody></table>`)}</section>`;

const PAGES = /** @type {Record<string, () => any>} */ ({ wall: wallPage, report: reportPage, incidents: incidentsPage, shoes: shoesPage, patrons: patronsPage, people: peoplePage });

const pit = () => html`<main id="main" class="floor"><h1 class="sr">${() => t("page.pit")}</h1><nav class="tabs" aria-label=${() => t("page.pit")}>${TABS.map((one) => html`<button aria-pressed=${() => String(tab() === one)} @click=${() => tab(one)}>${() => t(`tab.${one}`)}</button>`)}</nav>
  <div class=${() => `pages${picked() && tab() === "wall" ? " split" : ""}`}><div class="page">${() => untracked(PAGES[tab()])}</div>${() => (picked() && tab() === "wall" ? tablePage(picked()) : null)}</div></main>`;

document.body.append(html`${dutyBar("pit.html")}${gate(ROLES, pit)}`);
effect(() => { document.title = `${t("page.pit")} · ${lobby.venue}`; });
