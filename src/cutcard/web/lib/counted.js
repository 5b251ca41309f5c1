// @ts-check
/** A payment in chips, as a dealer counts it out. */

import { LADDER } from "./chip.js";

/**
 * How many of each chip make an amount exactly, the largest first, and what is left for coins.
 * @param {number} amount @param {number} unit @returns {{chips: [number, number][], rest: number}}
 */
export function counted(amount, unit) {
  /** @type {[number, number][]} */ const chips = [];
  for (const value of LADDER.map((one) => one * unit).toReversed()) {
    const count = Math.floor(amount / value);
    if (count > 0) chips.push([value, count]);
    amount -= count * value;
  }
  return { chips, rest: amount };
}
