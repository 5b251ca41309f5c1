/**
 * Reading a pack: any bytes at all go in; a plain value comes out, or the reason why not.
 *
 * Whatever is not there, or of another kind than it should be, is found before anything is worked
 * out from it.
 */

import { unhex } from "./bytes.js";
import { canonical } from "./canonical.js";
import { parse, Unreadable } from "./json.js";
import { Refusal } from "./refusal.js";
import { isObject } from "./wire.js";

const NAME = "cutcard dispute pack";
const VERSION = 1;
const LARGEST = 64 * 2 ** 20;
const HASH = 32;

const LOG = {
  table: "string",
  books: "object",
  before: "object",
  records: "list",
  heads: "list",
  anchors: "list",
  opening: "object",
  closing: "object",
};

/** @type {Record<string, Record<string, string>>} */
const MEMBERS = {
  card: { commitment: "object", seeds: "list", card: "object" },
  shoe: { commitment: "object", steps: "list" },
  table: LOG,
  round: { ...LOG, round: "object", shoe: "any" },
};

/** A pack that cannot be read far enough to be verified. */
export class Unpacked extends Error {
  /** @param {string} code @param {Record<string, unknown>} [details] */
  constructor(code, details = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** @param {Uint8Array} bytes @returns {any} the pack in a file, its shape checked */
export function readPack(bytes) {
  if (bytes.length > LARGEST) throw new Unpacked("pack/size", { most: LARGEST });
  let pack;
  try {
    pack = parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), { fractions: false });
  } catch (problem) {
    // The decoder throws a TypeError where bytes are no UTF-8.
    if (!(problem instanceof Unreadable || problem instanceof TypeError)) throw problem;
    throw new Unpacked("pack/json", { why: problem.message });
  }
  checkShape(pack);
  return pack;
}

/** @param {any} pack */
function checkShape(pack) {
  if (!isObject(pack) || pack.format !== NAME) throw new Unpacked("pack/format", { name: NAME });
  if (pack.version !== VERSION) throw new Unpacked("pack/version", { version: VERSION });
  const { kind } = pack;
  if (typeof kind !== "string" || !Object.hasOwn(MEMBERS, kind)) throw new Unpacked("pack/kind");
  const { format, version, kind: _, ...given } = pack;
  checkFields(given, MEMBERS[kind]);
  try {
    const { records, ...rest } = pack;
    for (const one of Object.values(rest)) canonical([one]);
  } catch (refusal) {
    if (refusal instanceof Refusal) throw new Unpacked("pack/json", { why: refusal.code });
    throw refusal;
  }
}

/** @type {Record<string, (value: any) => boolean>} */
const KINDS = {
  any: () => true,
  string: (value) => typeof value === "string",
  whole: (value) => Number.isInteger(value) || typeof value === "bigint",
  object: isObject,
  list: Array.isArray,
};

/**
 * The members of an object: just these, each of its kind.
 * @param {any} given @param {Record<string, string>} wanted
 */
export function checkFields(given, wanted) {
  const names = Object.keys(wanted);
  const complete = isObject(given) && Object.keys(given).length === names.length;
  for (const name of names) {
    if (!complete || !Object.hasOwn(given, name) || !KINDS[wanted[name]](given[name])) {
      throw new Unpacked("pack/shape", { name });
    }
  }
  return given;
}

/** @param {string} text @param {number} size @returns {Uint8Array} */
export function hash(text, size = HASH) {
  const bytes = unhex(text);
  if (bytes?.length !== size) throw new Unpacked("pack/shape", { name: text.slice(0, 70), size });
  return bytes;
}
