// @ts-check
/** What is done with cards: they come out of the shoe, are called, and some are held by one patron alone. */

import { sounds } from "./lib/sound.js";
import { t } from "./lib/language.js";
import { points } from "./lib/telling.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const FLIGHT = 420;

/**
 * A card comes out of the shoe, and is turned when it lies there.
 * @param {HTMLElement} card @param {() => void} turn
 */
export function dealt(card, turn) {
  requestAnimationFrame(() => {
    const shoe = document.querySelector(".shoe");
    if (shoe === null || !card.isConnected) return;
    sounds.card();
    if (calm.matches) {
      turn();
      return;
    }
    const from = shoe.getBoundingClientRect(), to = card.getBoundingClientRect();
    card.animate([
      { transform: `translate(${from.left - to.left}px,${from.top - to.top}px) rotate(-58deg) scale(.7)` },
      { transform: card.classList.contains("third") ? "rotate(90deg)" : "none" },
    ], { duration: FLIGHT, easing: "cubic-bezier(.2,.8,.2,1)" });
    setTimeout(turn, FLIGHT);
  });
}

// --- what is said of the cards ---

/** What new cards are called, for those who listen. @param {any} before @param {any} now @returns {string} */
export function called(before, now) {
  const said = [];
  const same = before?.name === now.name;
  for (const side of /** @type {const} */ (["player", "banker"])) {
    const was = same ? before[side].filter(Boolean).length : 0, hand = now[side];
    if (hand.length === 3 && hand[2] && was < 3) {
      said.push(t("draws.card", { side: t(side), card: rank(hand[2]), points: points(hand) ?? "" }));
    } else if (hand.length === 2 && hand.every(Boolean) && was < 2) {
      said.push(t("points", { side: t(side), points: points(hand) ?? "" }));
    }
  }
  return said.join(". ");
}

/** @param {string} code */
const rank = (code) => (/[2-9]/.test(code[0]) ? code[0] : t(`rank.${code[0]}`));

/** The cards that one holds alone. @param {any} own @param {any} shown */
export function held(own, shown) {
  const found = [];
  for (const side of /** @type {const} */ (["player", "banker"])) {
    (own?.squeeze?.[side] ?? []).forEach((/** @type {string | null} */ code, /** @type {number} */ place) => {
      if (code && shown?.[side]?.[place] === null) found.push({ code, side, place, key: `${shown.name}/${side}/${place}` });
    });
  }
  return found;
}
