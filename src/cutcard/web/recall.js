// @ts-check
/** What is looked at now and then: rules and odds, rounds that were, and what play has cost. */

import { computed, each, html, onDispose, signal } from "./lib/reactive.js";
import { dialog, tried } from "./lib/dialog.js";
import { get } from "./lib/api.js";
import { cardName, currency, date, money, number, percent, t } from "./lib/language.js";
import { hand } from "./lib/hand.js";
import { dealt as fromShoe } from "./hands.js";
import { fraction } from "./spots.js";
import { why } from "./lib/telling.js";

const ROUNDS_AN_HOUR = 50;
const DAY = 86_400_000;
const BETWEEN_CARDS = 900;

// --- rules and odds ---

/** @param {any} of */
export async function rulesPanel({ name, book, lobby, listed, betting, odds: known }) {
  const odds = known() ?? await tried(() => get(`/tables/${name}/odds`));
  if (odds === null) return null;
  const stake = 100 * 10 ** currency().digits;
  const net = (/** @type {string} */ text) => {
    const value = fraction(text);
    return value === 0 ? t("push") : value < 0 ? t("loses", { times: number(-value) }) : `${number(Math.round(value * 100) / 100)} : 1`;
  };
  const when = (/** @type {any} */ line) => Object.entries(line.when).map(([fact, values]) =>
    `${t(`fact.${fact}`)} ${/** @type {any[]} */ (values).map((one) => (typeof one === "string" ? t(one) : typeof one === "boolean" ? t(one ? "yes" : "no") : number(one))).join(", ")}`).join(" · ") || t("otherwise");
  return dialog(() => t("rules"), () => html`<h3>${book.name}</h3>
    <ul class="sayings" lang="en">${book.texts.map((/** @type {any} */ one) => html`<li>${one.words} <small>${one.clause}</small></li>`)}</ul>
    <div class="scroll" tabindex="0" role="region" aria-label=${() => t("odds")}><table><thead><tr><th>${() => t("bet")}</th><th>${() => t("chance")}</th><th>${() => t("edge")}</th><th>${() => t("per_hour")}</th></tr></thead>
    <tbody>${Object.entries(odds.bets).map(([spot, one]) => html`<tr class=${() => (betting.on(spot) ? "mine" : "")}><th scope="row">${() => t(spot)} <small>${() => (betting.on(spot) ? `${t("bet")} ${money(betting.on(spot))}` : "")}</small></th>
      <td>${() => percent(fraction(/** @type {any} */ (one).win))}</td><td>${() => percent(fraction(/** @type {any} */ (one).edge), 3)}</td>
      <td>${() => money(Math.round(fraction(/** @type {any} */ (one).edge) * stake * ROUNDS_AN_HOUR))}</td></tr>`)}</tbody></table></div>
    <p class="soft">${() => t("per_hour.note", { rounds: ROUNDS_AN_HOUR, amount: money(stake) })}</p>
    <h3>${() => t("pay_table")}</h3>
    <div class="pays">${Object.entries(book.bets).map(([spot, one]) => html`<details><summary>${() => t(spot)}</summary><ul>${
      /** @type {any} */ (one).lines.map((/** @type {any} */ line) => html`<li>${() => when(line)} → <b>${() => net(line.net)}</b> <small>${line.clause}</small></li>`)}</ul></details>`)}</div>
    <h3>${() => t("limits")}</h3>
    <ul>${listed.limits.map((/** @type {any} */ one) => html`<li>${() => t({ minimum: "min", maximum: "max", differential: "differential" }[/** @type {string} */ (one.kind)] ?? "limits")}
      <b>${() => money(one.amount)}</b> ${() => t(`scope.${one.scope}`)} · ${() => one.spots.map((/** @type {string} */ spot) => t(spot)).join(", ")} <small>${one.clause}</small></li>`)}</ul>
    <p class="help">${() => t("helpline")}: ${lobby.helpline}</p>`, { wide: true });
}

// --- the shoe's proof ---

/** @param {import("./proof.js").Proof} proof */
export function proofPanel(proof) {
  return dialog(() => t("proof"), () => html`<p>${() => t("proof.more")}</p>
    <p class="verdict ${() => (proof.wrong() ? "bad" : "good")}">${() => `${proof.wrong() ? "✗" : "✓"} ${proof.words()}`}</p><p><code>${() => proof.wrong()}</code></p>
    <p class="buttons"><a href=${() => `/api/v1/tables/${proof.table}/shoes/${proof.number || 1}`} download="shoe.json">shoe.json</a>
      <a href="/verify.html">${() => t("verify")}</a></p>`);
}

// --- what was ---

export async function historyPanel() {
  const found = await tried(() => get("/me/rounds?most=10"));
  if (found === null) return null;
  const rounds = signal(found.rounds);
  const day = async (/** @type {string} */ text) => {
    const since = text ? new Date(`${text}T00:00`).getTime() : 0;
    const told = await tried(() => get(since ? `/me/rounds?most=200&since=${since}&until=${since + DAY}` : "/me/rounds?most=10"));
    if (told !== null) rounds(told.rounds);
  };
  return dialog(() => t("history"), () => html`
    <label>${() => t("day")}<input type="date" @change=${(/** @type {any} */ event) => day(event.target.value)}></label>
    ${() => (rounds().length ? null : html`<p>${() => t("no_rounds")}</p>`)}
    <ol class="rounds">${each(rounds, (one) => `${one.table}/${one.round}`, (one) => html`<li>
      <div class="head"><b>${() => `${t("round")} ${one().round}`}</b> <span>${() => date(one().at)}</span>
        <b class=${() => (one().net > 0 ? "up" : one().net < 0 ? "down" : "")}>${() => (one().ended === "void" ? t("void") : money(one().net, true))}</b></div>
      <p>${() => (one().winner ? t(one().winner === "tie" ? "is_tie" : "wins", { side: t(one().winner) }) : "")}
        <span class="soft">${() => `${t("player")} ${one().player.map(plain).join(" ")} · ${t("banker")} ${one().banker.map(plain).join(" ")}`}</span></p>
      <ul>${() => one().bets.map((/** @type {any} */ bet) => html`<li>${t(bet.spot)} ${money(bet.stake)} → <b>${money(bet.net, true)}</b>
        <small>${bet.commission ? `${t("commission")} ${money(bet.commission)} · ` : ""}${bet.clause}</small></li>`)}</ul>
      <small>${() => [...one().decided_by_system.map((/** @type {string} */ spot) => `${t(spot)}: ${t("by_system")}`), why(one().reason), one().clause].filter(Boolean).join(" · ")}</small>
      ${() => (one().player.length ? html`<button @click=${() => replay(one())}>▶ ${() => t("replay.show")}</button>` : null)}</li>`)}</ol>`, { wide: true });
}

/** A card for those who read. @param {string} code */
const plain = (code) => `${code[0] === "T" ? "10" : code[0]}${{ s: "♠", h: "♥", d: "♦", c: "♣" }[code[1]]}`;

/** A round once more, card by card. @param {any} one */
export function replay(one) {
  const order = [0, 1, 2].flatMap((place) => [["player", one.player[place]], ["banker", one.banker[place]]]).filter(([, code]) => code);
  const dealt = signal(0), running = signal(true), times = signal(0);
  const shown = computed(() => {
    const out = order.slice(0, dealt());
    const of = (/** @type {string} */ side) => out.filter(([whose]) => whose === side).map(([, code]) => code);
    return { name: `replay ${times()}`, player: of("player"), banker: of("banker"), winner: dealt() === order.length ? one.winner : null };
  });
  return dialog(() => `${t("replay")} · ${t("round")} ${one.round}`, () => {
    const timer = setInterval(() => { if (running() && dealt() < order.length) dealt(dealt() + 1); }, BETWEEN_CARDS);
    onDispose(() => clearInterval(timer));
    return html`<div class="replay" data-mark=${() => t("replay")}>${hand("player", shown, fromShoe)}${hand("banker", shown, fromShoe)}</div>
      <p class="state" role="status">${() => (shown().winner ? t(one.winner === "tie" ? "is_tie" : "wins", { side: t(one.winner) })
        : dealt() ? `${t(order[dealt() - 1][0])}: ${cardName(order[dealt() - 1][1])}` : date(one.at))}</p>
      <div class="buttons"><button @click=${() => { times(times() + 1); dealt(0); running(true); }}>${() => t("replay.again")}</button>
        <button @click=${() => { running(false); dealt(Math.min(order.length, dealt() + 1)); }}>${() => t("replay.step")}</button></div>`;
  }, { wide: true });
}

// --- what it has cost ---

/** The share of a normal distribution below a point (Abramowitz and Stegun 7.1.26). @param {number} z */
export function below(z) {
  const at = 1 / (1 + 0.3275911 * Math.abs(z) / Math.SQRT2);
  const rest = ((((1.061405429 * at - 1.453152027) * at + 1.421413741) * at - 0.284496736) * at + 0.254829592) * at * Math.exp(-z * z / 2);
  return z >= 0 ? 1 - rest / 2 : rest / 2;
}

/** @param {any[]} rounds @param {Record<string, any>} odds by table */
export function cost(rounds, odds) {
  let expected = 0, actual = 0, variance = 0, staked = 0;
  for (const one of rounds) {
    for (const bet of one.bets) {
      const priced = odds[one.table]?.bets[bet.spot];
      actual += bet.net;
      staked += bet.stake;
      // A second stage has no price of its own: it is part of the first one's.
      if (!priced) continue;
      expected -= bet.stake * fraction(priced.edge);
      variance += bet.stake ** 2 * fraction(priced.variance);
    }
  }
  return { expected, actual, staked, luck: variance > 0 ? below((actual - expected) / Math.sqrt(variance)) : null };
}

export async function meterPanel() {
  const own = await tried(() => get("/me/protection"));
  if (own === null) return null;
  const since = own.elapsed === null ? 0 : Math.max(0, Date.now() - own.elapsed - 1000);
  const played = (await tried(() => get(`/me/rounds?most=200&since=${since}`)))?.rounds.filter((/** @type {any} */ one) => one.ended === "settled");
  if (!played) return null;
  const tables = [...new Set(played.map((/** @type {any} */ one) => one.table))];
  const priced = await tried(() => Promise.all(tables.map(async (table) => [table, await get(`/tables/${table}/odds`)])));
  if (priced === null) return null;
  const odds = Object.fromEntries(priced);
  const found = cost(played, odds);
  return dialog(() => t("meter"), () => html`
    <dl class="facts"><div><dt>${() => t("meter.rounds")}</dt><dd>${() => number(played.length)}</dd></div>
      <div><dt>${() => t("total_bet")}</dt><dd>${() => money(found.staked)}</dd></div>
      <div><dt>${() => t("meter.expected")}</dt><dd>${() => money(Math.round(found.expected), true)}</dd></div>
      <div><dt>${() => t("meter.actual")}</dt><dd>${() => money(found.actual, true)}</dd></div></dl>
    ${found.luck === null ? html`<p>${() => t("no_rounds")}</p>` : html`<div class="meter" aria-hidden="true"><i css=${`left:${(found.luck * 100).toFixed(1)}%`}></i></div>
      <p>${() => t("meter.luck", { percent: percent(found.luck, 0) })}</p>`}
    <p class="soft">${() => t("meter.note")}</p>`);
}
