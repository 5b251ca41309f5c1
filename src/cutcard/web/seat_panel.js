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
