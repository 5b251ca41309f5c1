// @ts-check
/** "Something is wrong": what can be reported at this table, and with which cards. */

import { html } from "./lib/reactive.js";
import { dialog } from "./lib/dialog.js";
import { t } from "./lib/language.js";
import { LOOKS, ask, capital, cardsIn, form, handsIn, quote, roleName } from "./duty.js";

const DRAWN = ["excess or exposed card", "foreign card", "simultaneous cards", "wrong number of cards"];
const LYING = ["card to the wrong side", "card to the wrong person", "wrong number of cards"];
const EXPOSED = ["card face up"];
const FIRST = ["excess or exposed card", "card to the wrong side", "simultaneous cards", "card face up", "wrong number of cards",
  "foreign card", "unread card", "misread card", "other dealing error", "anything else"];

/** @param {any} of */
export async function wrongPanel({ at, kinds, shown, felt, boxes, endShoe }) {
  const chosen = await dialog(() => t("wrong"), (close) => {
    const all = [...kinds()].sort((one, other) => place(one.kind) - place(other.kind));
    return html`<p>${() => t("wrong.text")}</p><ul class="kinds">${all.map((one) => html`<li><button data-kind=${one.kind} @click=${() => close(one)}>
      <b>${one.title}</b><small>${one.clause} · ${() => t("wrong.decides", { role: roleName(one.decides) })}</small></button></li>`)}
      <li><button data-kind="enter" @click=${() => close("enter")}><b>${() => t("enter")}</b><small>${() => t("enter.text")}</small></button></li>
      ${boxes === 0 ? null : html`<li><button data-kind="removed" @click=${() => close("removed")}><b>${() => t("removed")}</b><small>${() => t("removed.text")}</small></button></li>`}
      <li><button data-kind="shoe" @click=${() => close("shoe")}><b>${() => t("shoe.end")}</b><small>${() => t("shoe.end.text")}</small></button></li></ul>`;
  }, { wide: true });
  if (!chosen) return;
  if (chosen === "enter") await enterCard(at);
  else if (chosen === "removed") await removed(at, felt());
  else if (chosen === "shoe") await endShoe();
  else await report(at, chosen, shown());
}

/** @param {string} kind */
const place = (kind) => (FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length);

/** @param {any} at @param {any} kind @param {any} table */
async function report(at, kind, table) {
  const hands = `${(table?.player ?? []).filter(Boolean).join(" ")} / ${(table?.banker ?? []).filter(Boolean).join(" ")}`;
  const dealt = [...(table?.player ?? []).map((/** @type {any} */ one, /** @type {number} */ n) => ["player", one, n]), ...(table?.banker ?? []).map((/** @type {any} */ one, /** @type {number} */ n) => ["banker", one, n])];
  const hidden = /** @type {[string, string][]} */ (dealt.filter(([, one]) => one === null).map(([side, , n]) => [String(order(side, n, table)), `${t(side)} ${Number(n) + 1}`]));
  const fields = [
    ...(DRAWN.includes(kind.kind) ? [{ name: "drawn", label: () => t("wrong.drawn"), pattern: LOOKS.cards, need: kind.kind === "simultaneous cards" }] : []),
    ...(LYING.includes(kind.kind) && hands.length > 3 ? [{ name: "lying", label: () => t("wrong.lying"), pattern: LOOKS.hands, value: hands }] : []),
    ...(EXPOSED.includes(kind.kind) ? [{ name: "exposed", label: () => t("wrong.exposed"), options: hidden }] : []),
    ...(EXPOSED.includes(kind.kind) && hidden.length > 1 ? [{ name: "also", label: () => t("wrong.also"), options: /** @type {[string, string][]} */ ([["", "–"], ...hidden]) }] : []),
    ...(kind.kind === "noticed a round late" ? [{ name: "round", label: () => t("wrong.round"), type: "number", need: true },
      { name: "shoe", label: () => t("wrong.shoe", { shoe: table?.shoe ?? 1 }), type: "number" }] : []),
    { name: "note", label: () => t("wrong.note"), area: true },
  ];
  await form(() => capital(kind.title), fields, { does: () => t("wrong.report"), about: quote(kind.clause, kind.text), act: (given) => ask({ is: "report", ...at, kind: kind.kind, note: given.note ?? "",
    ...(given.drawn ? { drawn: cardsIn(given.drawn) } : {}),
    ...(given.lying && handsIn(given.lying) !== hands ? { lying: handsIn(given.lying) } : {}),
    ...(given.exposed ? { exposed: Number(given.exposed) } : {}),
    ...(given.also ? { also_exposed: [Number(given.also)] } : {}),
    ...(given.round ? { round: Number(given.round) } : {}),
    ...(given.shoe ? { shoe: Number(given.shoe) } : {}) }) });
}

/** The place of a card in the order of dealing. @param {string} side @param {number} number @param {any} table */
const order = (side, number, table) => (number < 2 ? number * 2 + (side === "banker" ? 1 : 0)
  : side === "player" ? 4 : 2 + table.player.length);

/** A card that no reader reads. @param {any} at @param {string} [card] the one that must come next */
export const enterCard = (at, card = "") => form(() => t("enter"), [{ name: "card", label: () => t("reader.card"), pattern: LOOKS.card, need: true, value: card }], { about: html`<p>${() => t("enter.text")}</p>`, does: () => t("enter.ask"),
  act: (given) => ask({ is: "enter-card", ...at, card: cardsIn(given.card)[0] ?? "" }) });

/** @param {any} at @param {any} felt */
async function removed(at, felt) {
  const bets = felt?.bets ?? [];
  const given = await form(() => t("removed"), [{ name: "bet", label: () => t("bet"),
    options: bets.map((/** @type {any} */ one, /** @type {number} */ n) => [String(n), `${one.box ? `${one.box} · ` : ""}${one.name} · ${t(one.spot)}`]) }]);
  const bet = given && bets[Number(given.bet)];
  if (bet) await ask({ is: "report-removed", ...at, patron: bet.patron, box: bet.box, spot: bet.spot });
}
