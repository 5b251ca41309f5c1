/** Blanks and printable characters by Python's lists, which records are judged by. */

const BLANK = "[\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const ENDS = new RegExp(`^${BLANK}+|${BLANK}+$`, "g");
const UNPRINTABLE = /(?! )[\p{C}\p{Z}]/u;

/** @param {string} text @returns {string} without blanks at either end */
export function stripped(text) {
  return text.replace(ENDS, "");
}

/** @param {string} text @returns {boolean} whether every character can be seen */
export function isPrintable(text) {
  return !UNPRINTABLE.test(text);
}
