/** Pay tables: lines that are tried in order; the first that fits the facts decides. */

import { fraction, minus, multiple, times } from "./rational.js";

/**
 * @typedef {import("./rational.js").Fraction} Fraction
 * @typedef {{when: Record<string, unknown[]>, odds: Fraction, commission: Fraction,
 *   clause: string}} Line
 *   `odds` are won per unit staked before commission: nought for a push, less for a loss
 */

/** @param {Line} line @returns {Fraction} commission per unit staked */
const withheld = (line) => times(line.odds, line.commission);

/** @param {Line} line @returns {Fraction} what a unit staked gains or loses */
const net = (line) => minus(line.odds, withheld(line));

/** @param {Line[]} lines @param {Record<string, unknown>} facts @returns {Line | undefined} */
export function deciding(lines, facts) {
  return lines.find(({ when }) =>
    Object.entries(when).every(([name, values]) => values.includes(facts[name])),
  );
}

/** @param {Line[]} lines @returns {bigint} stakes on multiples of this settle in whole units */
export function stepOf(lines) {
  const shares = lines.flatMap((line) => [line.odds, withheld(line)]);
  return shares.reduce((step, share) => multiple(step, share.bottom), 1n);
}

/** @param {Line[]} lines @returns {bigint} the most a unit staked can lose, itself included */
export function reserveOf(lines) {
  return lines.reduce((most, line) => {
    const { top, bottom } = net(line);
    const lost = -top / bottom;
    return lost > most ? lost : most;
  }, 1n);
}

/**
 * What a line does to a stake; null where that is no whole number of units.
 * @param {Line} line @param {bigint} stake @returns {{net: bigint, commission: bigint} | null}
 */
export function pay(line, stake) {
  const staked = fraction(stake);
  const [gained, kept] = [times(staked, net(line)), times(staked, withheld(line))];
  if (gained.bottom !== 1n || kept.bottom !== 1n) return null;
  return { net: gained.top, commission: kept.top };
}
