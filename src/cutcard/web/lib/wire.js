/**
 * Records of a log, read strictly: what would not have been written is refused.
 *
 *     {"format": 1, "event": {"is": "CardDealt", …}, "entries": [{"is": "Transfer", …}, …]}
 *     {"format": 1, "step": {"step": "CardShown", …}}
 *     {"format": 1, "standing": {…}}
 *
 * Records stay plain values; reading only makes sure that they are what they seem to be.
 */

import { isText } from "./canonical.js";
import { isCard } from "./cards.js";
import { Refusal } from "./refusal.js";
import { CATEGORIES, ENTRIES, KINDS, WORDS } from "./schema.js";
import { parseStep } from "./steps.js";

const FORMAT = 1;
const MOST = 2n ** 63n - 1n;
const RESULT =
  /^[BPT] (?:0|[1-9][0-9]{0,17}) (?:0|[1-9][0-9]{0,17})(?: pp)?(?: bp)?(?: pn)?(?: bn)?$/;

/**
 * @typedef {{event: any, entries: any[]}} Happened
 * @typedef {{step: any}} Stepped
 * @typedef {{standing: any}} Stood
 */

/** @param {unknown} value @returns {boolean} whole, and of 64 bits */
export function isWhole(value) {
  if (typeof value === "bigint") return value <= MOST && value >= -MOST - 1n;
  return Number.isInteger(value);
}

/** @param {any} value @returns {boolean} an object, and neither a list nor null */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @type {Record<string, (value: any) => boolean>} */
const SIMPLE = {
  text: (value) => typeof value === "string" && isText(value),
  whole: isWhole,
  flag: (value) => typeof value === "boolean",
  card: isCard,
  result: (value) => typeof value === "string" && RESULT.test(value),
};

/** @type {Map<string, (value: any) => boolean>} */
const TESTS = new Map();

/** @param {string} type as schema.js writes it @returns {(value: any) => boolean} */
function test(type) {
  let found = TESTS.get(type);
  if (found === undefined) {
    found = made(type);
    TESTS.set(type, found);
  }
  return found;
}

/** @param {string} type @returns {(value: any) => boolean} */
function made(type) {
  if (type.endsWith("?")) {
    const inner = test(type.slice(0, -1));
    return (value) => value === null || inner(value);
  }
  if (type.endsWith("*")) {
    const inner = test(type.slice(0, -1));
    return (value) => Array.isArray(value) && value.every(inner);
  }
  if (type.includes("→")) {
    const [key, value] = type.split("→");
    const [isKey, inner] = [key === "whole" ? isNumberKey : test(key), test(value)];
    return (given) =>
      isObject(given) && Object.entries(given).every(([name, one]) => isKey(name) && inner(one));
  }
  if (type in SIMPLE) return SIMPLE[type];
  if (type in WORDS) return (value) => WORDS[type].includes(value);
  const fields = KINDS[type].split(" ").map((field) => field.split(":"));
  const wanted = new Map(fields.map(([name, kind]) => [name.replace("?", ""), kind]));
  const must = fields.map(([name]) => name).filter((name) => !name.endsWith("?"));
  return (value) =>
    isObject(value) &&
    must.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, one]) => wanted.has(name) && test(/** @type {string} */ (wanted.get(name)))(one));
}

/** @param {string} text @returns {boolean} a number that is a key, and so a text */
function isNumberKey(text) {
  return /^(?:0|[1-9][0-9]{0,17})$/.test(text);
}

/** @param {string[]} kinds @param {any} given @returns {boolean} */
function isTagged(kinds, given) {
  if (!isObject(given) || !kinds.includes(given.is)) return false;
  const { is, ...fields } = given;
  return test(is)(fields);
}

/** @param {any} given @returns {Happened | Stepped | Stood} */
export function readRecord(given) {
  if (!isObject(given) || !isWhole(given.format)) throw new Refusal("wire/record");
  if (given.format !== FORMAT) {
    throw new Refusal("wire/format", { number: given.format, known: FORMAT });
  }
  const members = Object.keys(given).sort().join(" ");
  if (members === "entries event format") {
    const fit = isTagged(Object.keys(CATEGORIES), given.event) && Array.isArray(given.entries);
    if (!fit || !given.entries.every((/** @type {any} */ one) => isTagged(ENTRIES, one))) {
      throw new Refusal("wire/record");
    }
    return { event: given.event, entries: given.entries };
  }
  if (members === "format step") return { step: parseStep(given.step) };
  if (members === "format standing" && test("Standing")(given.standing)) {
    return { standing: given.standing };
  }
  throw new Refusal("wire/record");
}
