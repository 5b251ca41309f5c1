// @ts-check
/** What interrupts play: an error, a check on reality, coming back from where nothing could be seen, a table that is not there. */

import { html } from "./lib/reactive.js";
import { dialog, notice, tried } from "./lib/dialog.js";
import { get, post } from "./lib/api.js";
import { learn, money, t } from "./lib/language.js";
import { RefusedError } from "./lib/refused.js";
import { points } from "./lib/telling.js";

/** @typedef {import("./lib/connection.js").Connection} Connection */

await learn("menu");

const MINUTE = 60_000;
/** Nobody needs to hear of a moment. */
const BLINK = 1500;

/** What happened while nobody could see it. @param {any} of @param {{name: string, phase: string, at: number}} since */
export async function missed({ name, connection, patron }, since) {
  const order = (/** @type {string} */ one) => one.split("/").reduce((sum, part) => sum * 1_000_000 + Number(part), 0);
  const from = order(since.name) + (["settled", "void"].includes(since.phase) ? 1 : 0);
  const [all, mine] = await Promise.all([get(`/tables/${name}/rounds`), patron() ? get("/me/rounds") : { rounds: [] }]);
  const lines = all.rounds.filter((/** @type {any} */ one) => one.ended && order(one.round) >= from).map((/** @type {any} */ one) => {
    const played = mine.rounds.find((/** @type {any} */ other) => other.table === name && other.round === one.round);
    const ended = one.ended === "void" ? t("state.void") : one.winner === "tie" ? t("is_tie") : t("wins", { side: t(one.winner) });
    const decided = (played?.decided_by_system ?? []).map((/** @type {string} */ spot) => `${t(spot)}: ${t("by_system")}`);
    return [`${t("round")} ${one.round}`, `${ended} ${points(one.player) ?? ""}–${points(one.banker) ?? ""}`,
      ...(played ? [`${t("net")} ${money(played.net, true)}`] : []), ...decided].join(" · ");
  });
  if (lines.length || connection.now() - since.at > BLINK) notice([t("back"), ...lines.reverse()].join("\n"), "", "back");
}

/** After an error a patron chooses. @param {any} of */
export const choice = ({ name, betting, left, ask }) => html`<section class="panel option" aria-label=${() => t("option.title")}>
  <h2>${() => t("option.title")} <span class="left">${left}</span></h2><p>${() => t("option.text")}</p>
  <div class="buttons"><button class="go" @click=${() => ask({ is: "choose-option", table: name, continues: true, round: betting.round })}>${() => t("option.go")}</button>
  <button @click=${() => ask({ is: "choose-option", table: name, continues: false, round: betting.round })}>${() => t("option.return")}</button></div></section>`;

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

/** Where there is no table, that is said, and the way to those there are. @param {Error} error @returns {Promise<any>} */
export async function nowhere(error) {
  if (!(error instanceof RefusedError)) throw error;
  document.body.append(html`<main class="nowhere"><h1>${error.refused.sentence}</h1>
    <p class="buttons"><a class="go" href="/">${() => t("lobby")}</a> <a class="quiet" href=${location.href}>${() => t("again")}</a></p></main>`);
  document.body.dataset.ready = "nowhere";
  return new Promise(() => {});
}
