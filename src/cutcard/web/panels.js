// @ts-check
/** What is one tap away from a table: money, rules and odds, history, limits, languages, sound. */

import { each, html, signal } from "./lib/reactive.js";
import { RefusedError } from "./lib/connection.js";
import { dialog, refusal } from "./lib/dialog.js";
import { get, post } from "./lib/api.js";
import { currency, date, language, LANGUAGES, money, percent, rws, speak, store, t } from "./lib/language.js";
import { setVolume, volumes } from "./lib/sound.js";

/** @typedef {import("./lib/connection.js").Connection} Connection */

const ROUNDS_AN_HOUR = 50;
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
  const act = async (/** @type {object} */ command) => {
    const done = await tried(() => connection.do(command));
    if (done?.voucher) voucher(done.voucher);
    wallet(await get("/me/wallet"));
    return done;
  };
  return dialog(() => t("money"), (close) => html`
    <dl class="facts"><div><dt>${() => t("wallet")}</dt><dd>${() => money(wallet().wallet)}</dd></div>
      <div><dt>${() => t("stack")}</dt><dd>${() => money(here())}</dd></div></dl>
    <label>${() => t("amount")}<input type="number" min="0" inputmode="decimal" .value=${() => String(amount() / unit)}
      @input=${(/** @type {any} */ event) => amount(Math.round(Number(event.target.value) * unit))}></label>
    <div class="buttons"><button class="go" @click=${async () => { if (await act({ is: "buy-in", table, amount: amount() })) close(true); }}>${() => t("buy_in")}</button>
      <button @click=${() => act({ is: "cash-out", table })}>${() => t("cash_out")}</button>
      <button @click=${() => act({ is: "issue-voucher", table: here() ? table : null, amount: amount() })}>${() => t("voucher_out")}</button></div>
    ${() => (voucher() ? html`<p class="voucher"><b>${voucher().number}</b><br>${money(voucher().amount)} · ${voucher().words}</p>` : null)}
    <form @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const number = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("number")).replace(/\D/g, "");
      act({ is: "redeem-voucher", number, table });
    }}><label>${() => t("voucher_number")}<input name="number" inputmode="numeric" pattern="[0-9 -]{18,24}" required></label>
      <button>${() => t("voucher_in")}</button></form>`);
}

// --- rules and odds ---------------------------------------------------------------------------------------------

/** @param {any} of */
export async function rulesPanel({ name, book, lobby, listed }) {
  const odds = await get(`/tables/${name}/odds`);
  const stake = 100 * 10 ** currency().digits;
  const share = (/** @type {string} */ text) => {
    const [over, under] = text.split("/");
    return Number(over) / Number(under ?? 1);
  };
  return dialog(() => t("rules"), () => html`<h3>${book.name}</h3>
    <table><thead><tr><th>${() => t("bet")}</th><th>${() => t("chance")}</th><th>${() => t("edge")}</th><th>${() => t("per_hour")}</th></tr></thead>
    <tbody>${Object.entries(odds.bets).map(([spot, one]) => html`<tr><th scope="row">${() => t(spot)}</th>
      <td>${() => percent(share(/** @type {any} */ (one).win))}</td><td>${() => percent(share(/** @type {any} */ (one).edge), 3)}</td>
      <td>${() => money(Math.round(share(/** @type {any} */ (one).edge) * stake * ROUNDS_AN_HOUR))}</td></tr>`)}</tbody></table>
    <p class="soft">${() => t("per_hour.note", { rounds: ROUNDS_AN_HOUR, amount: money(stake) })}</p>
    <h3>${() => t("pay_table")}</h3>
    ${Object.entries(book.bets).map(([spot, one]) => html`<details><summary>${() => t(spot)}</summary><ul>${
      /** @type {any} */ (one).lines.map((/** @type {any} */ line) => html`<li>${Object.entries(line.when).map(([fact, values]) =>
        `${fact}: ${/** @type {any} */ (values).join(", ")}`).join(" · ") || "—"} → <b>${line.net}</b> <small>${line.clause}</small></li>`)}</ul></details>`)}
    <h3>${() => t("limits")}</h3>
    <ul>${listed.limits.map((/** @type {any} */ one) => html`<li>${() => t({ minimum: "min", maximum: "max", differential: "differential" }[/** @type {string} */ (one.kind)] ?? "limits")}
      ${() => money(one.amount)} · ${one.spots.map((/** @type {string} */ spot) => t(spot)).join(", ")} <small>${one.clause}</small></li>`)}</ul>
    <p class="help">${() => t("helpline")}: ${lobby.helpline}</p>`, { wide: true });
}

// --- what was ---------------------------------------------------------------------------------------------------

export async function historyPanel() {
  const rounds = signal((await get("/me/rounds?most=10")).rounds);
  return dialog(() => `${t("history")} · ${t("replay")}`, () => html`
    <label>${() => t("from", { amount: "" })}<input type="date" @change=${async (/** @type {any} */ event) => {
      const since = Date.parse(event.target.value) || 0;
      rounds((await get(`/me/rounds?most=200&since=${since}&until=${since ? since + DAY : Date.now() + DAY}`)).rounds);
    }}></label>
    ${() => (rounds().length ? null : html`<p>${t("no_rounds")}</p>`)}
    <ol class="rounds">${each(rounds, (one) => `${one.table}/${one.round}`, (one) => html`<li>
      <header><b>${() => one().round}</b> <span>${() => date(one().at)}</span>
        <b class=${() => (one().net > 0 ? "up" : one().net < 0 ? "down" : "")}>${() => (one().ended === "void" ? t("void") : money(one().net, true))}</b></header>
      <p>${() => `${t("player")} ${one().player.join(" ")} · ${t("banker")} ${one().banker.join(" ")}`} ${() => (one().winner ? t(one().winner) : "")}</p>
      <ul>${() => one().bets.map((/** @type {any} */ bet) => html`<li>${t(bet.spot)} ${money(bet.stake)} → ${money(bet.net, true)}
        <small>${bet.commission ? `${t("commission")} ${money(bet.commission)} · ` : ""}${bet.clause}</small></li>`)}</ul>
      <small>${() => one().decided_by_system.map((/** @type {string} */ spot) => `${t(spot)}: ${t("by_system")}`).join(", ")} ${() => one().reason ?? ""} ${() => one().clause ?? ""}</small></li>`)}</ol>`, { wide: true });
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

/** A reality check, if one is due. @param {Connection} connection */
protectionPanel.check = async (connection) => {
  const own = await tried(() => get("/me/protection"));
  if (!own?.check_due) return;
  await dialog(() => t("check.title"), (close) => html`<p>${() => t("check.text", {
    time: t("minutes", { n: Math.floor(own.elapsed / MINUTE) }), net: money(own.net, true) })}</p>
    <div class="buttons"><button class="go" @click=${async () => { await tried(() => connection.do({ is: "acknowledge-reality-check" })); close(); }}>${() => t("check.go")}</button>
      <button @click=${async () => { await tried(() => post("/sign-out")); location.href = "/"; }}>${() => t("check.stop")}</button></div>`, { must: true });
};

// --- the menu -----------------------------------------------------------------------------------------------------

/** @param {any} of */
export function menu(of) {
  const { connection, name, lobby } = of;
  const patron = () => connection.you()?.kind === "patron";
  return dialog(() => t("menu"), (close) => {
    const then = (/** @type {() => any} */ work) => () => { close(); work(); };
    return html`<nav class="menu">
      ${() => (patron() ? html`<button @click=${then(() => moneyPanel(connection, name))}>${t("money")}</button>
        <button @click=${then(() => historyPanel())}>${t("history")}</button>
        <button @click=${then(() => protectionPanel(connection))}>${t("protection")}</button>` : html`<button @click=${then(() => signInPanel(connection, lobby))}>${t("sign_in")}</button>`)}
      <button @click=${then(() => rulesPanel(of))}>${() => t("rules")}</button>
      <a href="/">${() => t("lobby")}</a></nav>
      ${languages()}${sound()}
      ${() => (patron() ? html`<button class="quiet" @click=${async () => { await tried(() => post("/sign-out")); connection.again(); close(); }}>${t("sign_out")}</button>` : null)}
      <p class="help">${() => t("helpline")}: ${lobby.helpline}</p>`;
  });
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
