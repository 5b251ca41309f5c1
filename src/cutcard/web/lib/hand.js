// @ts-check
/** One side's cards and points, as they lie on the table. */

import { computed, each, effect, html, untracked } from "./reactive.js";
import { cardName, t } from "./language.js";
import { points } from "./telling.js";
import "./card.js";

/** A card lies face down for a moment, so that turning it can be seen. @param {HTMLElement} _ @param {() => void} turn */
const atOnce = (_, turn) => requestAnimationFrame(turn);

/**
 * @param {"player" | "banker"} side @param {() => any} shown
 * @param {(card: HTMLElement, turn: () => void) => void} [arrive] how a card comes, before it may be turned
 */
export function hand(side, shown, arrive = atOnce) {
  const cards = computed(() => shown()?.[side] ?? []);
  const placed = computed(() => cards().map((/** @type {string | null} */ code, /** @type {number} */ place) => ({ code, place })));
  const won = () => shown()?.winner === side && ["result", "settled", undefined].includes(shown().phase);
  return html`<div role="group" class=${() => `hand ${side}${won() ? " won" : ""}`} aria-label=${() => t(side)}>
    <header role="presentation"><b>${() => t(side)}</b><output class=${() => (cards().length ? "on" : "")}>${() => (cards().length ? points(cards()) ?? "·" : "")}</output></header>
    <div class="cards">${each(placed, (one) => `${shown()?.name}/${one.place}`, (one) => {
      const card = document.createElement("playing-card");
      let here = false;
      if (one().place === 2) card.classList.add("third");
      effect(() => {
        const { code } = one();
        card.setAttribute("label", cardName(code));
        if (code) card.setAttribute("code", code);
        card.toggleAttribute("up", here && Boolean(code));
      });
      untracked(() => arrive(card, () => {
        here = true;
        card.toggleAttribute("up", card.hasAttribute("code"));
      }));
      return card;
    })}</div></div>`;
}
