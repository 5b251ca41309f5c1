// @ts-check
/** One side's cards and points, for whoever only looks on. */

import { computed, each, effect, html, signal } from "./reactive.js";
import { cardName, t } from "./language.js";
import { points } from "./telling.js";
import "./card.js";

/** @param {"player" | "banker"} side @param {() => any} shown */
export function hand(side, shown) {
  const cards = computed(() => shown()?.[side] ?? []);
  const placed = computed(() => cards().map((/** @type {string | null} */ code, /** @type {number} */ place) =>
    ({ code, place, round: shown()?.name })));
  const won = () => ["result", "settled"].includes(shown()?.phase) && shown()?.winner === side;
  return html`<section class=${() => `hand ${side}${won() ? " won" : ""}`} aria-label=${() => t(side)}>
    <header><h3>${() => t(side)}</h3><output class=${() => (cards().length ? "on" : "")}>${() => (cards().length ? points(cards()) ?? "·" : "")}</output></header>
    <div class="cards">${each(placed, (one) => `${one.round}/${one.place}`, (one) => {
      const card = document.createElement("playing-card");
      if (one().place === 2) card.classList.add("third");
      // A card lies face down for a moment, so that turning it can be seen.
      const turned = signal(false);
      requestAnimationFrame(() => turned(true));
      effect(() => {
        const { code } = one();
        if (code) card.setAttribute("code", code);
        card.setAttribute("label", cardName(code));
        card.toggleAttribute("up", turned() && Boolean(code));
      });
      return card;
    })}</div></section>`;
}
