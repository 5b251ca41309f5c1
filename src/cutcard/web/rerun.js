// @ts-check
/** A round that is over, event by event: what happened, who did it, and the clause behind it. */

import { html, signal } from "./lib/reactive.js";
import { dialog } from "./lib/dialog.js";
import { date, money, t } from "./lib/language.js";
import { form, inspects, kindName, question, said, save, small, stepName } from "./duty.js";

/** Ask which round, and show it. @param {string} table @param {string} [latest] what is likely to be asked for */
export async function chooseRound(table, latest = "") {
  const given = await form(() => t("rerun"), [{ name: "round", label: () => t("round"), value: latest || "1/1", pattern: "\\d+/\\d+", need: true }]);
  if (given) await replayPanel(table, given.round);
}

/** @param {string} table @param {string} round */
export async function replayPanel(table, round) {
  const found = await question(`/tables/${table}/replay/${round}`);
  if (found) await dialog(() => t("rerun.title", { table: `${found.title} · ${found.book}`, round }), () => rerun(found, table), { wide: true });
}

/** @param {any} found @param {string} table */
export function rerun(found, table) {
  const place = signal(found.steps.length);
  const seen = () => found.steps.slice(0, place());
  const cards = (/** @type {string} */ side) => {
    /** @type {any} */ let hands = { player: [], banker: [] };
    for (const { event } of seen()) {
      if (event.is === "CardDealt") hands = { ...hands, [event.side]: [...hands[event.side], event.card] };
      if (event.coup) hands = event.coup;
    }
    return hands[side];
  };
  const named = (/** @type {string} */ who) => said(found.names[who] ?? who);
  return html`<div class="rerun"><div class="line"><button @click=${() => place(0)} aria-label=${() => t("rerun.start")}>|◀</button><button aria-label=${() => t("rerun.back")} @click=${() => place(Math.max(0, place() - 1))}>◀</button>
      <output>${() => `${place()} / ${found.steps.length}`}</output><button aria-label=${() => t("rerun.on")} @click=${() => place(Math.min(found.steps.length, place() + 1))}>▶</button>
      <button class="quiet" @click=${() => save(`${table}-${found.round.replace("/", "-")}.json`, found)}>${() => t("export")}</button>
      ${() => (inspects() ? html`<button class="quiet" @click=${async () => { const pack = await question(`/tables/${table}/pack?round=${found.round}`); if (pack) save(`${table}-${found.round.replace("/", "-")}-pack.json`, pack); }}>${() => t("rerun.pack")}</button>` : null)}</div>
    <p class="both">${() => t("player")} ${() => cards("player").map(small)} · ${() => t("banker")} ${() => cards("banker").map(small)}</p>
    <ol>${found.steps.map((/** @type {any} */ one, /** @type {number} */ at) => html`<li class=${() => (at < place() ? "" : "later")}><small>${one.number} · ${date(one.at)}</small> <b>${() => t(`event.${one.event.is}`)}</b> ${told(one.event, named)}
      ${one.clause ? html`<span class="clause" title=${one.text}>${one.clause}</span>` : null}${one.moved ? html` <small>${money(one.moved)}</small>` : null}${one.text ? html`<br><small class="soft" lang="en">${one.text}</small>` : null}</li>`)}</ol></div>`;
}

/** What an event says beside its name. @param {any} event @param {(who: string) => string} named */
function told(event, named) {
  const bet = event.bet;
  return [event.card ? small(event.card) : null, event.side ? t(event.side) : "", bet ? `${bet.box ? `${bet.box} · ` : ""}${named(bet.patron)} · ${t(bet.spot)} ${money(bet.stake)}` : "",
    event.patron ? named(event.patron) : "", event.by ? named(event.by) : "", event.confirmed_by ? t("confirmed.by", { who: named(event.confirmed_by) }) : "", event.person ? named(event.person) : "", event.step ? stepName(event.step) : "", said(event.reason ?? ""), event.winner ? t(event.winner) : "", event.incident ? kindName(event.incident.kind) : ""]
    .filter(Boolean).map((one) => html`<span>${one}</span> `);
}
