/**
 * Canonical bytes: one record, one spelling (docs/fairness.md, "The log").
 *
 * JSON in UTF-8; null, true, false, whole numbers of 64 bits, texts, lists, objects; no blanks;
 * keys in the order of their code points; only the quote, the backslash and control characters
 * below U+0020 escaped.
 */

import { utf8 } from "./bytes.js";
import { Refusal } from "./refusal.js";

const MOST = 2n ** 63n - 1n;
const DEEPEST = 64;

/** A number that was not written as a whole one: no record may hold it. */
export class Fractional {
  /** @param {string} text as it was written */
  constructor(text) {
    this.text = text;
  }
}

/** @param {unknown} value @returns {Uint8Array} */
export function canonical(value) {
  const text = written(value, 0);
  // Half of a pair of surrogates has no bytes in UTF-8; the encoder would put others in its place.
  if (!isText(text)) throw new Refusal("chain/text");
  return utf8(text);
}

/** @param {string} text @returns {boolean} whether it holds whole characters only */
export function isText(text) {
  return !/[\ud800-\udfff]/u.test(text);
}

/** @param {unknown} value @param {number} depth @returns {string} */
function written(value, depth) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return quoted(value);
  if (typeof value === "bigint" || Number.isInteger(value)) {
    return number(BigInt(/** @type {number | bigint} */ (value)));
  }
  if (typeof value !== "object" || value instanceof Fractional) {
    throw new Refusal("chain/value", { kind: "float" });
  }
  if (depth === DEEPEST) throw new Refusal("chain/deep", { most: DEEPEST });
  if (Array.isArray(value)) return `[${value.map((one) => written(one, depth + 1)).join(",")}]`;
  const named = /** @type {Record<string, unknown>} */ (value);
  const pairs = Object.keys(named)
    .sort(byCodePoint)
    .map((key) => `${quoted(key)}:${written(named[key], depth + 1)}`);
  return `{${pairs.join(",")}}`;
}

/** @param {bigint} value @returns {string} */
function number(value) {
  if (value > MOST || value < -MOST - 1n) throw new Refusal("chain/number", { most: MOST });
  return String(value);
}

/** @type {Record<string, string>} */
const SHORT = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** @param {string} text @returns {string} */
function quoted(text) {
  const escaped = text.replace(
    /["\\\u0000-\u001f]/g,
    (mark) => SHORT[mark] ?? `\\u00${mark.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return `"${escaped}"`;
}

/**
 * The order of code points. JavaScript compares the halves of surrogate pairs instead, and those
 * stand before characters that they should follow.
 * @param {string} one @param {string} other @returns {number}
 */
export function byCodePoint(one, other) {
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at += 1) {
    const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (left !== right) return rank(left) - rank(right);
  }
  return one.length - other.length;
}

/** @param {number} unit @returns {number} halves of pairs moved behind all other units */
function rank(unit) {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
