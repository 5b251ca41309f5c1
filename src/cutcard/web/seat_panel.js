// @ts-check
/** Seats at the consoles: staff free the seat of a patron who is not there. */

import { html } from "./lib/reactive.js";
import { money, t } from "./lib/language.js";
import { ask, form } from "./duty.js";

/** @param {string} table @param {{box: number, name: string, stack: number}} seat */
export const freeSeat = (table, seat) => form(() => t("seat.free"), [], {
  does: () => t("seat.free"),
  about: html`<p>${() => t("seat.free.text", { who: seat.name, box: seat.box, amount: money(seat.stack) })}</p>`,
  act: () => ask({ is: "free-seat", table, box: seat.box }),
});

/**
 * Whether a patron has no bet at the table, so that the seat may be freed.
 * @param {any} felt @param {string} patron
 */
export const mayFree = (felt, patron) => !felt.bets.some((/** @type {any} */ one) => one.patron === patron);
