/**
 * The log's chain: every record bound to all before it, and the audit that finds what was changed.
 *
 *     h_0 = SHA-256("cutcard chain 1 start" LF canonical(table))
 *     h_n = SHA-256("cutcard chain 1 record" LF h_(n-1) canonical(record_n))
 */

import { matches } from "./anchor.js";
import { hex, same, utf8 } from "./bytes.js";
import { canonical } from "./canonical.js";
import { Refusal } from "./refusal.js";
import { sha256 } from "./sha256.js";

const START = utf8("cutcard chain 1 start\n");
const RECORD = utf8("cutcard chain 1 record\n");

/**
 * @typedef {number | bigint} Whole
 * @typedef {{number: Whole, record: unknown, hash: Uint8Array}} Entry
 * @typedef {{table: string, count: Whole, hash: Uint8Array}} Head
 * @typedef {{head: Head, key: Uint8Array, holds: boolean | null}} CheckedHead
 *   `holds` is null where this browser cannot check the signature
 * @typedef {"number" | "record" | "value" | "head" | "anchor" | "short" | "table" | "signature"
 *   | "key"} Fault
 * @typedef {{record: Whole, fault: Fault}} Finding
 */

/** @param {string} table @returns {Uint8Array} the hash of a log that holds nothing yet */
export function start(table) {
  return sha256(START, canonical(table));
}

/** @param {Uint8Array} before @param {unknown} record @returns {Uint8Array} */
export function link(before, record) {
  return sha256(RECORD, before, canonical(record));
}

/**
 * Everything that is wrong in a table's log. A piece from the middle of a log is audited from the
 * head before it, which must be believed unless a signed head or an anchor after it agrees.
 * @param {string} table @param {Entry[]} entries
 * @param {{heads?: CheckedHead[], keys?: Uint8Array[], anchors?: import("./anchor.js").Anchor[],
 *   before?: {count: Whole, hash: Uint8Array}}} told `keys` are the house's public keys
 * @returns {Finding[]}
 */
export function audit(table, entries, { heads = [], keys = [], anchors = [], before } = {}) {
  const { findings, hashes } = follow(before ?? { count: 0, hash: start(table) }, entries);
  const last = [...hashes.keys()].reduce((most, one) => (one > most ? one : most));
  const trusted = new Set(keys.map(hex));
  for (const { head, key, holds } of heads) {
    if (holds === false) findings.push({ record: head.count, fault: "signature" });
    else if (!trusted.has(hex(key))) {
      findings.push({ record: head.count, fault: "key" });
    } else {
      const kept = hashes.get(head.count);
      const agrees = kept !== undefined && same(kept, head.hash);
      findings.push(...compared(table, last, head, agrees, "head"));
    }
  }
  for (const anchor of anchors) {
    const agrees = matches(anchor, hashes.get(anchor.count));
    findings.push(...compared(table, last, anchor, agrees, "anchor"));
  }
  return findings;
}

/**
 * What the chain itself shows, and the hash kept with every record.
 * @param {{count: Whole, hash: Uint8Array}} begin @param {Entry[]} entries
 */
function follow(begin, entries) {
  /** @type {Finding[]} */
  const findings = [];
  let number = BigInt(begin.count);
  let before = begin.hash;
  /** @type {Map<Whole, Uint8Array>} */
  const hashes = new Map([[begin.count, before]]);
  for (const entry of entries) {
    const fault = faultOf(entry, number + 1n, before);
    if (fault !== null) findings.push({ record: entry.number, fault });
    // Going on from what is kept here, one change is one finding and not a thousand.
    number = BigInt(entry.number);
    before = entry.hash;
    hashes.set(entry.number, before);
  }
  return { findings, hashes };
}

/**
 * @param {Entry} entry @param {bigint} number @param {Uint8Array} before @returns {Fault | null}
 */
function faultOf(entry, number, before) {
  if (BigInt(entry.number) !== number) return "number";
  try {
    return same(link(before, entry.record), entry.hash) ? null : "record";
  } catch (refusal) {
    if (refusal instanceof Refusal) return "value";
    throw refusal;
  }
}

/**
 * What a head or an anchor shows.
 * @param {string} table @param {Whole} last the number of the last record
 * @param {{table: string, count: Whole}} told @param {boolean} agrees @param {Fault} fault
 * @returns {Finding[]}
 */
function compared(table, last, told, agrees, fault) {
  if (told.table !== table) return [{ record: told.count, fault: "table" }];
  if (told.count > last) return [{ record: last, fault: "short" }];
  return agrees ? [] : [{ record: told.count, fault }];
}
