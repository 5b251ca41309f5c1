// @ts-check
/** What is one tap away from a table: history, one's own limits, favourites, languages, sound. */

import { each, html, signal, untracked } from "./lib/reactive.js";
import { dialog, notice, tried } from "./lib/dialog.js";
import { get, post } from "./lib/api.js";
import { date, language, LANGUAGES, money, rws, speak, store, stored, t } from "./lib/language.js";
import { part } from "./lib/refused.js";
import { awayFor, staysAway } from "./lib/away.js";
import { setVolume, volumes } from "./lib/sound.js";
import { amountIn, moneyPanel } from "./money.js";
import { signInPanel } from "./signin.js";

/** @typedef {import("./lib/connection.js").Connection} Connection */

const MOST_FAVOURITES = 5;
const DAY = 86_400_000, MINUTE = 60_000;

// --- one's own limits ---

/** Minutes somebody typed, as milliseconds; null once it is said that they are none. @param {string} text */
function minutesIn(text) {
  const minutes = /^\d{1,6}$/.test(text.trim()) ? Number(text) * MINUTE : null;
  if (minutes === null) notice(t("minutes.bad", { text }), "", "refused");
  return minutes;
}

/** @param {Connection} connection */
export async function protectionPanel(connection) {
  const found = await tried(() => get("/me/protection"));
  if (found === null) return null;
  const own = signal(found);
  const timed = (/** @type {string} */ kind) => kind === "time_day" || kind === "reality_check";
  const told = (/** @type {string} */ kind, /** @type {number | null} */ amount) =>
    (amount === null ? t("limit.none") : timed(kind) ? t("minutes", { n: amount / MINUTE }) : money(amount));
  const act = async (/** @type {object} */ command) => {
    const done = await tried(() => connection.do(command));
    own(await tried(() => get("/me/protection")) ?? own());
    return done;
  };
  const sure = (/** @type {string} */ what, /** @type {string} */ long, /** @type {object} */ command) => dialog(() => `${t(what)}: ${t(long)}`, (close) => html`<p>${() => t("exclude.sure")}</p>
    <div class="buttons"><button class="go" @click=${() => close(true)}>${() => t("yes")}</button><button @click=${() => close()}>${() => t("no")}</button></div>`)
    .then(async (yes) => { if (yes && await act(command)) notice(awayFor(own()).join(" · "), "", "good"); });
  return dialog(() => t("protection"), () => html`${() => staysAway(own())}<p>${() => t("limit.note")}</p>
    <ul class="limits">${each(() => own().limits, (one) => one.kind, (one) => html`<li><form @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const text = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("amount")), { kind } = one();
      const amount = text === "" ? null : timed(kind) ? minutesIn(text) : amountIn(text);
      if (text === "" || amount !== null) act({ is: "set-limit", kind, amount });
    }}><label>${() => t(`limit.${one().kind}`)} <b>${() => told(one().kind, one().amount)}</b>
      <small>${() => (one().wished_from ? t("limit.waits", { amount: told(one().kind, one().wished), date: date(one().wished_from) }) : "")}</small>
      <input name="amount" inputmode="decimal" autocomplete="off"></label><button>${() => t("ok")}</button></form></li>`)}</ul>
    <h3>${() => t("time_out")}</h3><div class="buttons">${[["time_out.day", 1], ["time_out.week", 7], ["time_out.month", 42]].map(([word, days]) =>
      html`<button @click=${() => sure("time_out", String(word), { is: "take-time-out", length: Number(days) * DAY })}>${() => t(String(word))}</button>`)}</div>
    <h3>${() => t("exclude")}</h3><div class="buttons"><button @click=${() => sure("exclude", "exclude.half", { is: "self-exclude", length: 184 * DAY })}>${() => t("exclude.half")}</button>
      <button @click=${() => sure("exclude", "exclude.ever", { is: "self-exclude", length: null })}>${() => t("exclude.ever")}</button></div>
    <p class="help">${() => t("helpline")}: ${() => own().helpline}</p>`, { wide: true });
}

/** Another password of one's own. @param {Connection} connection */
const passwordPanel = (connection) => dialog(() => t("password.own"), (close) => html`<form @submit=${async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
  if (!await tried(() => post("/me/password", { old: given.get("old"), new: given.get("new") }))) return;
  close();
  notice(t("password.done"));
  connection.again();
}}><p>${() => t("password.text")}</p><label>${() => t("password.old")}<input name="old" type="password" autocomplete="current-password" required></label>
  <label>${() => t("password.new")}<input name="new" type="password" autocomplete="new-password" required></label><button class="go">${() => t("ok")}</button></form>`);

// --- the menu ---

/** @param {any} of */
export function menu(of) {
  const { connection, name, lobby, patron, device, buyIn } = of;
  return dialog(() => t("menu"), (close) => {
    const then = (/** @type {() => any} */ work) => () => { close(); work(); };
    // Whatever is looked at seldom is fetched when it is.
    const seldom = (/** @type {(recall: typeof import("./recall.js")) => any} */ work) => then(() => tried(async () => work(await part(() => import("./recall.js")))));
    return html`<nav class="menu">
      ${() => (patron() ? html`<button @click=${then(() => moneyPanel(connection, name))}>${() => t("money")}</button>
        <button @click=${seldom((recall) => recall.historyPanel())}>${() => t("history")}</button>
        <button @click=${seldom((recall) => recall.meterPanel())}>${() => t("meter")}</button>
        <button @click=${then(() => protectionPanel(connection))}>${() => t("protection")}</button>
        <button @click=${then(() => passwordPanel(connection))}>${() => t("password.own")}</button>`
      : device() ? html`<button @click=${then(buyIn)}>${() => t("stack")}</button>
        <button @click=${seldom((recall) => recall.historyPanel())}>${() => t("history")}</button>` : html`<button @click=${then(() => signInPanel(connection, lobby))}>${() => t("sign_in")}</button>`)}
      ${of.listed.boxes ? html`<button @click=${then(of.seats)}>${() => t("seats.title")}</button>` : null}
      <button @click=${seldom((recall) => recall.rulesPanel(of))}>${() => t("rules")}</button>
      ${() => (device() ? null : html`<a href="/">${() => t("lobby")}</a>`)}</nav>
      ${() => (patron() ? favourites(of, close) : null)}
      ${settings(of)}${languages()}${sound()}
      ${() => (patron() ? html`<button @click=${async () => { if (await tried(() => post("/sign-out"))) { connection.again(); close(); } }}>${() => t("sign_out")}</button>` : null)}
      <p class="help">${() => t("helpline")}: ${lobby.helpline}</p>`;
  });
}

/** Bets that somebody likes to make together, kept in this browser. @param {any} of @param {() => void} close */
function favourites({ name, betting, ready }, close) {
  const kept = signal(/** @type {Record<string, number>[]} */ (JSON.parse(stored(`favourites.${name}`) ?? "[]")));
  const keep = (/** @type {Record<string, number>[]} */ all) => store(`favourites.${name}`, JSON.stringify(kept(all)));
  const told = (/** @type {Record<string, number>} */ one) => Object.entries(one).map(([spot, stake]) => `${t(spot)} ${money(stake)}`).join(", ");
  const use = async (/** @type {Record<string, number>} */ one) => {
    close();
    if (await ready()) betting.several(Object.entries(one).map(([spot, stake]) => ({ spot, stake })));
  };
  return html`<fieldset><legend>${() => t("favourites")}</legend>
    ${each(kept, told, (one) => html`<span class="pair"><button @click=${() => use(one())}>${() => told(one())}</button>
      <button aria-label=${() => `${t("remove")}: ${told(one())}`} @click=${() => keep(untracked(kept).filter((other) => other !== one()))}>×</button></span>`)}
    <button disabled=${() => betting.total() === 0 || kept().length >= MOST_FAVOURITES} @click=${() => keep([...kept(), { ...betting.sure() }])}>${() => t("favourites.keep")}</button></fieldset>`;
}

/** @param {any} of */
function settings({ betting, name, wild, unit }) {
  return html`<fieldset class="ticks"><legend>${() => t("settings")}</legend>
    <label class="tick"><input type="checkbox" .checked=${() => betting.confirms()} @change=${(/** @type {any} */ event) => betting.confirms(event.target.checked)}>${() => t("confirm.mode")}</label>
    <label class="tick"><input type="checkbox" .checked=${stored("keys") !== "no"} @change=${(/** @type {any} */ event) => store("keys", event.target.checked ? "" : "no")}>${() => t("keys")}</label>
    <label>${() => t("chip.own")}<input inputmode="decimal" autocomplete="off" .value=${wild() ? String(wild() / unit) : ""} @change=${(/** @type {any} */ event) => {
      const amount = event.target.value.trim() === "" ? 0 : amountIn(event.target.value);
      if (amount !== null) store(`chip.${name}`, String(wild(amount)));
    }}></label></fieldset>`;
}

function languages() {
  return html`<fieldset class="languages"><legend>${() => t("language")}</legend>${Object.entries(LANGUAGES).map(([code, words]) =>
    html`<button lang=${code} aria-pressed=${() => String(language() === code)} @click=${() => tried(() => speak(/** @type {any} */ (code)))}>${words}</button>`)}
    <button aria-pressed=${() => String(rws())} @click=${() => { rws(!rws()); store("labels", rws() ? "rws" : ""); }}>庄 BANKER / 閒 PLAYER</button></fieldset>`;
}

function sound() {
  return html`<fieldset class="sound"><legend>${() => t("sound")}</legend>${Object.entries(volumes).map(([channel, value]) =>
    html`<label>${() => t(channel)}<input type="range" min="0" max="1" step="0.1" .value=${() => String(value())}
      @input=${(/** @type {any} */ event) => setVolume(/** @type {any} */ (channel), Number(event.target.value))}></label>`)}</fieldset>`;
}
