// @ts-check
/** What is one tap away from a table: money, rules and odds, history, limits, languages, sound. */

import { each, html, signal, untracked } from "./lib/reactive.js";
import { RefusedError } from "./lib/connection.js";
import { dialog, refusal } from "./lib/dialog.js";
import { get, post } from "./lib/api.js";
import { currency, date, language, LANGUAGES, money, rws, speak, store, stored, t } from "./lib/language.js";
import { setVolume, volumes } from "./lib/sound.js";

/** @typedef {import("./lib/connection.js").Connection} Connection */

const MOST_FAVOURITES = 5;
const DAY = 86_400_000, MINUTE = 60_000;

/** Do something that may be refused. @param {() => Promise<any>} work */
export async function tried(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedError) refusal(error.refused);
    else throw error;
  }
  return null;
}

// --- who one is ----------------------------------------------------------------------------------------------

/** @param {Connection} connection @param {any} lobby */
export function signInPanel(connection, lobby) {
  return dialog(() => t("sign_in"), (close) => {
    const enter = async (/** @type {string} */ path, /** @type {object} */ body) => {
      const told = await tried(() => post(path, body));
      if (told === null) return;
      connection.again();
      close(told);
    };
    return html`<form @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
      enter("/sign-in", { name: form.get("name"), password: form.get("password") });
    }}><label>${() => t("name")}<input name="name" autocomplete="username" required></label>
      <label>${() => t("password")}<input name="password" type="password" autocomplete="current-password" required></label>
      <button class="go">${() => t("sign_in")}</button></form>
      ${lobby.self_service ? html`<hr><button class="go wide" @click=${() => enter("/guests", {})}>${() => t("demo_seat")}</button>` : null}`;
  });
}

// --- money ----------------------------------------------------------------------------------------------------

/** @param {Connection} connection @param {string} table @param {number} [wished] */
export async function moneyPanel(connection, table, wished = 0) {
  const wallet = signal(await get("/me/wallet"));
  const unit = 10 ** currency().digits;
  const amount = signal(Math.min(wallet().wallet, Math.max(wished * 20, 1000 * unit)));
  const voucher = signal(/** @type {any} */ (null));
  const here = () => wallet().stacks.find((/** @type {any} */ one) => one.table === table)?.stack ?? 0;
  let busy = false;
  const act = async (/** @type {object} */ command) => {
    // Money moves once, however often a button is pressed while nothing answers.
    if (busy) return null;
    busy = true;
    try {
      const done = await tried(() => connection.do(command));
      if (done?.voucher) voucher(done.voucher);
      wallet(await get("/me/wallet"));
      return done;
    } finally {
      busy = false;
    }
  };
  return dialog(() => t("money"), (close) => html`
    <dl class="facts"><div><dt>${() => t("wallet")}</dt><dd>${() => money(wallet().wallet)}</dd></div>
      <div><dt>${() => t("stack")}</dt><dd>${() => money(here())}</dd></div></dl>
    <label>${() => t("amount")}<input type="number" min="0" inputmode="decimal" .value=${() => String(amount() / unit)}
      @input=${(/** @type {any} */ event) => amount(Math.round(Number(event.target.value) * unit))}></label>
    <div class="buttons"><button class="go" @click=${async () => { if (await act({ is: "buy-in", table, amount: amount() })) close(true); }}>${() => t("buy_in")}</button>
      <button @click=${() => act({ is: "cash-out", table })}>${() => t("cash_out")}</button>
      <button @click=${() => act({ is: "issue-voucher", table: here() ? table : null, amount: amount() })}>${() => t("voucher_out")}</button></div>
    ${() => (voucher() ? html`<p class="voucher"><b>${voucher().number}</b><br>${money(voucher().amount)} · ${voucher().words}<br>${() => t("valid", { date: date(voucher().expires_at) })}</p>` : null)}
    <form @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const number = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("number")).replace(/\D/g, "");
      act({ is: "redeem-voucher", number, table });
    }}><label>${() => t("voucher_number")}<input name="number" inputmode="numeric" pattern="[0-9 \\-]{18,24}" required></label>
      <button>${() => t("voucher_in")}</button></form>`);
}

// --- one's own limits ---------------------------------------------------------------------------------------------

/** @param {Connection} connection */
export async function protectionPanel(connection) {
  const own = signal(await get("/me/protection"));
  const unit = 10 ** currency().digits;
  const timed = (/** @type {string} */ kind) => kind === "time_day" || kind === "reality_check";
  const told = (/** @type {string} */ kind, /** @type {number | null} */ amount) =>
    (amount === null ? t("limit.none") : timed(kind) ? t("minutes", { n: amount / MINUTE }) : money(amount));
  const act = async (/** @type {object} */ command) => {
    await tried(() => connection.do(command));
    own(await get("/me/protection"));
  };
  const sure = (/** @type {object} */ command) => dialog(() => t("exclude"), (close) => html`<p>${() => t("exclude.sure")}</p>
    <div class="buttons"><button class="go" @click=${() => close(true)}>${() => t("yes")}</button><button @click=${() => close()}>${() => t("no")}</button></div>`)
    .then((yes) => (yes ? act(command) : null));
  return dialog(() => t("protection"), () => html`<p>${() => t("limit.note")}</p>
    <ul class="limits">${each(() => own().limits, (one) => one.kind, (one) => html`<li><form @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const text = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("amount"));
      const value = Math.round(Number(text) * (timed(one().kind) ? MINUTE : unit));
      act({ is: "set-limit", kind: one().kind, amount: text === "" ? null : value });
    }}><label>${() => t(`limit.${one().kind}`)} <b>${() => told(one().kind, one().amount)}</b>
      <small>${() => (one().wished_from ? t("limit.waits", { amount: told(one().kind, one().wished), date: date(one().wished_from) }) : "")}</small>
      <input name="amount" type="number" min="1" inputmode="numeric"></label><button>${() => t("ok")}</button></form></li>`)}</ul>
    <h3>${() => t("time_out")}</h3><div class="buttons">${[["time_out.day", 1], ["time_out.week", 7], ["time_out.month", 42]].map(([word, days]) =>
      html`<button @click=${() => sure({ is: "take-time-out", length: Number(days) * DAY })}>${() => t(String(word))}</button>`)}</div>
    <h3>${() => t("exclude")}</h3><div class="buttons"><button @click=${() => sure({ is: "self-exclude", length: 184 * DAY })}>${() => t("exclude.half")}</button>
      <button @click=${() => sure({ is: "self-exclude", length: null })}>${() => t("exclude.ever")}</button></div>
    <p class="help">${() => t("helpline")}: ${() => own().helpline}</p>`, { wide: true });
}

let checking = false;

/** A reality check: how long, at what price. It must be seen. @param {Connection} connection */
export async function realityCheck(connection) {
  if (checking) return;
  checking = true;
  try {
    const own = await tried(() => get("/me/protection"));
    if (!own?.check_due) return;
    await dialog(() => t("check.title"), (close) => html`<p>${() => t("check.text", {
      time: t("minutes", { n: Math.floor(own.elapsed / MINUTE) }), net: money(own.net, true) })}</p>
      <div class="buttons"><button class="go" @click=${async () => { await tried(() => connection.do({ is: "acknowledge-reality-check" })); close(); }}>${() => t("check.go")}</button>
        <button @click=${async () => { await tried(() => post("/sign-out")); location.href = "/"; }}>${() => t("check.stop")}</button></div>
      <p class="help">${() => t("helpline")}: ${own.helpline}</p>`, { must: true });
  } finally {
    checking = false;
  }
}

// --- the menu -----------------------------------------------------------------------------------------------------

/** @param {any} of */
export function menu(of) {
  const { connection, name, lobby } = of;
  const patron = () => connection.you()?.kind === "patron";
  return dialog(() => t("menu"), (close) => {
    const then = (/** @type {() => any} */ work) => () => { close(); work(); };
    // Whatever is looked at seldom is fetched when it is.
    const seldom = (/** @type {(recall: typeof import("./recall.js")) => any} */ work) => then(async () => work(await import("./recall.js")));
    return html`<nav class="menu">
      ${() => (patron() ? html`<button @click=${then(() => moneyPanel(connection, name))}>${() => t("money")}</button>
        <button @click=${seldom((recall) => recall.historyPanel())}>${() => t("history")}</button>
        <button @click=${seldom((recall) => recall.meterPanel())}>${() => t("meter")}</button>
        <button @click=${then(() => protectionPanel(connection))}>${() => t("protection")}</button>` : html`<button @click=${then(() => signInPanel(connection, lobby))}>${() => t("sign_in")}</button>`)}
      <button @click=${then(of.seats)}>${() => t("seats.title")}</button>
      <button @click=${seldom((recall) => recall.rulesPanel(of))}>${() => t("rules")}</button>
      <a href="/">${() => t("lobby")}</a></nav>
      ${() => (patron() ? favourites(of, close) : null)}
      ${settings(of)}${languages()}${sound()}
      ${() => (patron() ? html`<button @click=${async () => { await tried(() => post("/sign-out")); connection.again(); close(); }}>${() => t("sign_out")}</button>` : null)}
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
    <label>${() => t("chip.own")}<input type="number" min="0" inputmode="decimal" .value=${wild() ? String(wild() / unit) : ""} @change=${(/** @type {any} */ event) => {
      wild(Math.max(0, Math.round(Number(event.target.value) * unit)));
      store(`chip.${name}`, String(wild()));
    }}></label></fieldset>`;
}

export function languages() {
  return html`<fieldset class="languages"><legend>${() => t("language")}</legend>${Object.entries(LANGUAGES).map(([code, words]) =>
    html`<button lang=${code} aria-pressed=${() => String(language() === code)} @click=${() => speak(/** @type {any} */ (code))}>${words}</button>`)}
    <button aria-pressed=${() => String(rws())} @click=${() => { rws(!rws()); store("labels", rws() ? "rws" : ""); }}>庄 BANKER / 閒 PLAYER</button></fieldset>`;
}

function sound() {
  return html`<fieldset class="sound"><legend>${() => t("sound")}</legend>${Object.entries(volumes).map(([channel, value]) =>
    html`<label>${() => t(channel)}<input type="range" min="0" max="1" step="0.1" .value=${() => String(value())}
      @input=${(/** @type {any} */ event) => setVolume(/** @type {any} */ (channel), Number(event.target.value))}></label>`)}</fieldset>`;
}
