/** Exact fractions. Odds and shares are never rounded, here as little as in Python. */

import { Refusal } from "./refusal.js";

/** @typedef {{top: bigint, bottom: bigint}} Fraction in lowest terms, the bottom above nought */

/** @param {bigint} one @param {bigint} other @returns {bigint} */
function divisor(one, other) {
  return other === 0n ? (one < 0n ? -one : one) : divisor(other, one % other);
}

/** @param {bigint} top @param {bigint} [bottom] @returns {Fraction} */
export function fraction(top, bottom = 1n) {
  const shared = divisor(top, bottom) * (bottom < 0n ? -1n : 1n);
  return { top: top / shared, bottom: bottom / shared };
}

/** @param {Fraction} one @param {Fraction} other @returns {Fraction} */
export function times(one, other) {
  return fraction(one.top * other.top, one.bottom * other.bottom);
}

/** @param {Fraction} one @param {Fraction} other @returns {Fraction} */
export function minus(one, other) {
  return fraction(one.top * other.bottom - other.top * one.bottom, one.bottom * other.bottom);
}

/** @param {bigint} one @param {bigint} other @returns {bigint} the least common multiple */
export function multiple(one, other) {
  return (one / divisor(one, other)) * other;
}

/**
 * Read `2`, `"2"`, `"-1"` or `"19/20"`.
 * @param {unknown} given @returns {Fraction}
 */
export function parseFraction(given) {
  const found = /^(-?[0-9]{1,18})(?:\/([1-9][0-9]{0,17}))?$/.exec(String(given));
  if (found === null) throw new Refusal("pack/fraction", { text: String(given) });
  return fraction(BigInt(found[1]), BigInt(found[2] ?? 1));
}

/** Division that rounds down, also below nought. @param {bigint} one @param {bigint} by */
export function floor(one, by) {
  const whole = one / by;
  return one % by < 0n ? whole - 1n : whole;
}
