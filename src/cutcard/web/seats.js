// @ts-check
/** Seats: the layout from above with a seat for each patron who wants one, and what a patron is told of seats. */

import { html } from "./lib/reactive.js";
import { dialog, notice } from "./lib/dialog.js";
import { t } from "./lib/language.js";

/** How far around the table patrons sit, by its kind: half an angle, seen from the middle. */
const HALVES = /** @type {Record<string, number>} */ ({ bean: 1.85, mini: 1.4, midi: 1.6, big: 2.7 });
const USUAL = 1.6, APART = 0.41, ROUND = 42;

/** Where each box lies, in hundredths of the picture. @param {string} layout @param {number} boxes */
export function places(layout, boxes) {
  const kind = Object.keys(HALVES).find((one) => layout.includes(one)) ?? "";
  const half = Math.max(HALVES[kind] ?? USUAL, boxes * APART / 2);
  return Array.from({ length: boxes }, (_, place) => {
    const angle = half * ((2 * place + 1) / boxes - 1);
    return { box: place + 1, x: 50 + ROUND * Math.sin(angle), y: 50 + ROUND * Math.cos(angle) };
  });
}

/** @param {any} of @param {() => any} shown @param {() => any} own */
export function seatsPanel({ name, book, listed, known, ask, leaveSeat }, shown, own) {
  const layout = book.layouts.find((/** @type {any} */ one) => one.id === listed.layout);
  const taken = () => shown()?.taken_boxes ?? [];
  const mine = (/** @type {number} */ box) => own()?.box === box;
  const sit = async (/** @type {number} */ box) => {
    if (!(await known())) return;
    if (mine(box)) await leaveSeat();
    else await ask({ is: "take-seat", table: name, box });
  };
  const word = (/** @type {number} */ box) => (mine(box) ? t("leave") : taken().includes(box) ? t("seat.taken") : t("take_seat", { box }));
  return dialog(() => t("seats.title"), () => html`<div class="boxes ${layout.id}"><p class="dealer">${() => t("dealer")}</p>
    ${places(layout.id, listed.boxes).map(({ box, x, y }) => html`<button class=${() => `box${mine(box) ? " mine" : taken().includes(box) ? " taken" : ""}`} css=${`left:${x.toFixed(1)}%;top:${y.toFixed(1)}%`}
      aria-label=${() => `${t("seat")} ${box}: ${word(box)}`} disabled=${() => taken().includes(box) && !mine(box)} @click=${() => sit(box)}>${box}<small aria-hidden="true">${() => (mine(box) ? "★" : taken().includes(box) ? "●" : "○")}</small></button>`)}</div>
    <p>${layout.name} <small>${layout.clause}</small></p>
    <p class="soft">${() => t("seats", { taken: taken().length, boxes: listed.boxes })}${layout.areas.length ? ` · ${layout.areas.join(", ")}` : ""}</p>`);
}

// --- what a patron is told of seats ---

const CLAUSE = "HOUSE seats";
/** So many seconds before the house frees a seat its patron is warned. */
const WARN = 60;

/** @param {number} boxes */
export const tellFull = (boxes) => notice(t("full.text", { boxes }), CLAUSE);

/** @param {number} box */
export const tellLost = (box) => notice(t("seat.lost", { box }), CLAUSE);

/**
 * Warn of the moment at which the house frees the seat.
 * @param {() => any} own @param {{now: () => number}} clock @param {(words: string) => void} warn
 */
export function watchSeat(own, clock, warn) {
  const looking = setInterval(() => {
    const { box, seat_until: until } = own() ?? {};
    const left = until ? Math.max(0, Math.ceil((until - clock.now()) / 1000)) : Infinity;
    warn(left <= WARN ? t("seat.soon", { n: left, box }) : "");
    if (!until) clearInterval(looking);
  }, 250);
}
