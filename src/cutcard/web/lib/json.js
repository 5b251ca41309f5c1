/**
 * A reader of JSON that loses nothing.
 *
 * The browser's own reader rounds numbers above 2^53, takes 1.0 for 1 and lets the last of two
 * equal keys win, so a verifier would hash what was never written. Here a whole number is a
 * `number` where that is exact and a `bigint` beyond, any other number is a `Fractional`, which no
 * record may hold, and objects have no prototype.
 */

import { Fractional } from "./canonical.js";

/** Where a text stops being JSON. */
export class Unreadable extends Error {
  /** @param {string} reason @param {number} at */
  constructor(reason, at) {
    super(`${reason} at character ${at + 1}`);
    this.at = at;
  }
}

/** Lists and objects within one another; a text that is deeper is an attack. */
const DEEPEST = 500;
const MOST_DIGITS = 4300;

const BLANK = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const WORDS = /** @type {const} */ ([
  ["null", null],
  ["true", true],
  ["false", false],
]);
/** @type {Record<string, string>} */
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/**
 * @typedef {null | boolean | number | bigint | string | Fractional | any[]
 *   | {[key: string]: any}} Json
 */

/**
 * @param {string} text @param {{fractions?: boolean}} [may] whether numbers need not be whole
 * @returns {Json}
 */
export function parse(text, { fractions = true } = {}) {
  const reader = new Reader(text, fractions);
  const value = reader.value(0);
  reader.blank();
  if (reader.at < text.length) reader.fail("something follows the end");
  return value;
}

/**
 * A whole number as it is kept here.
 * @param {bigint} number @returns {number | bigint}
 */
export function whole(number) {
  const small = Number(number);
  return Number.isSafeInteger(small) ? small : number;
}

class Reader {
  /** @param {string} text @param {boolean} fractions */
  constructor(text, fractions) {
    this.text = text;
    this.fractions = fractions;
    this.at = 0;
  }

  /** @param {string} reason @returns {never} */
  fail(reason) {
    throw new Unreadable(reason, this.at);
  }

  /** @param {RegExp} pattern a sticky one @returns {RegExpExecArray | null} */
  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  blank() {
    this.match(BLANK);
  }

  /** @param {string} mark @returns {boolean} whether it was there */
  take(mark) {
    if (!this.text.startsWith(mark, this.at)) return false;
    this.at += mark.length;
    return true;
  }

  /** @param {number} depth @returns {Json} */
  value(depth) {
    if (depth > DEEPEST) this.fail("too deep");
    this.blank();
    if (this.take("{")) return this.object(depth);
    if (this.take("[")) return this.list(depth);
    if (this.take('"')) return this.string();
    for (const [word, value] of WORDS) if (this.take(word)) return value;
    return this.number();
  }

  /** @returns {number | bigint | Fractional} */
  number() {
    const found = this.match(NUMBER);
    if (found === null) return this.fail("no value");
    if (found[1] !== undefined || found[2] !== undefined) {
      return this.fractions ? new Fractional(found[0]) : this.fail("a number that is not whole");
    }
    if (found[0].length > MOST_DIGITS) this.fail("a number of too many digits");
    // Sixteen characters are below 2^53; only longer ones need the slow way.
    return found[0].length < 16 ? Number(found[0]) || 0 : whole(BigInt(found[0]));
  }

  /** @returns {string} */
  string() {
    let text = "";
    for (;;) {
      text += this.match(PLAIN)?.[0] ?? "";
      if (this.take('"')) return text;
      if (!this.take("\\")) this.fail("a text does not end");
      text += this.escape();
    }
  }

  /** @returns {string} */
  escape() {
    const mark = this.text.charAt(this.at);
    this.at += 1;
    if (mark in ESCAPES) return ESCAPES[mark];
    const digits = this.text.slice(this.at, this.at + 4);
    if (mark !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("no escape");
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  /** @param {number} depth @returns {Json[]} */
  list(depth) {
    /** @type {Json[]} */
    const found = [];
    this.blank();
    if (this.take("]")) return found;
    do {
      found.push(this.value(depth + 1));
      this.blank();
    } while (this.take(","));
    return this.take("]") ? found : this.fail("a list does not end");
  }

  /** @param {number} depth @returns {{[key: string]: Json}} */
  object(depth) {
    /** @type {{[key: string]: Json}} */
    const found = Object.create(null);
    this.blank();
    if (this.take("}")) return found;
    do {
      this.blank();
      if (!this.take('"')) this.fail("no key");
      const key = this.string();
      if (key in found) this.fail("a key stands twice");
      this.blank();
      if (!this.take(":")) this.fail("no colon");
      found[key] = this.value(depth + 1);
      this.blank();
    } while (this.take(","));
    return this.take("}") ? found : this.fail("an object does not end");
  }
}
