/**
 * Anchors: a log's head in one short line, such as `t9:0:DHFQ-7YCV-SV6Y-9SM2-5JSQ-401Q-ZZXD-NHEE`.
 */

import { join, utf8 } from "./bytes.js";
import { whole } from "./json.js";
import { Refusal } from "./refusal.js";
import { sha256 } from "./sha256.js";
import { stripped } from "./text.js";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const KEPT = 28;
const CHECK = 4;

/** Characters of a line at most; beyond that nobody typed it. */
const LONGEST = 300;

/** @typedef {{table: string, count: number | bigint, code: string}} Anchor */

/** @param {{table: string, count: number | bigint, hash: Uint8Array}} head @returns {Anchor} */
export function anchorOf(head) {
  return { table: head.table, count: head.count, code: characters(head.hash, KEPT) };
}

/** @param {Anchor} anchor @returns {string} */
export function written(anchor) {
  const code = anchor.code + check(anchor);
  return `${anchor.table}:${anchor.count}:${code.match(/.{4}/g)?.join("-")}`;
}

/** @param {Anchor} anchor @param {Uint8Array | undefined} hash @returns {boolean} */
export function matches(anchor, hash) {
  return hash?.length === 32 && characters(hash, KEPT) === anchor.code;
}

/**
 * Read an anchor that a person typed; blanks, hyphens and small letters do not matter.
 * @param {string} text @returns {Anchor}
 */
export function parseAnchor(text) {
  const marks = Array.from(text.slice(0, 2 * LONGEST + 2));
  if (marks.length > LONGEST) {
    throw new Refusal("chain/anchor", { text: `${marks.slice(0, LONGEST).join("")}…` });
  }
  const found = /^(.+):([^:]*):([^:]+)$/su.exec(stripped(text));
  const number = stripped(found?.[2] ?? "");
  const typed = (found?.[3] ?? "")
    .toUpperCase()
    .replace(/[- ]/g, "")
    .replace(/[IL]/g, "1")
    .replace(/O/g, "0");
  const wellFormed =
    typed.length === KEPT + CHECK && [...typed].every((one) => ALPHABET.includes(one));
  if (found === null || !/^(?:0|[1-9][0-9]{0,17})$/.test(number) || !wellFormed) {
    throw new Refusal("chain/anchor", { text });
  }
  const read = {
    table: stripped(found[1]),
    count: whole(BigInt(number)),
    code: typed.slice(0, KEPT),
  };
  if (check(read) !== typed.slice(KEPT)) throw new Refusal("chain/misread", { text });
  return read;
}

/** @param {Anchor} anchor @returns {string} */
function check({ table, count, code }) {
  const line = join(utf8("cutcard anchor 1\n"), anyText(table), utf8(`:${count}:${code}`));
  return characters(sha256(line), CHECK);
}

/**
 * UTF-8 that also spells half a pair of surrogates, as Python does where it is told to.
 * @param {string} text @returns {Uint8Array}
 */
function anyText(text) {
  const parts = Array.from(text, (mark) => {
    const point = Number(mark.codePointAt(0));
    if (point < 0xd800 || point > 0xdfff) return utf8(mark);
    return Uint8Array.of(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
  });
  return join(...parts);
}

/** The first bits of a hash, five to a character. @param {Uint8Array} hash @param {number} size */
function characters(hash, size) {
  let bits = 0n;
  for (const byte of hash) bits = (bits << 8n) | BigInt(byte);
  bits >>= BigInt(8 * hash.length - 5 * size);
  let text = "";
  for (let place = size - 1; place >= 0; place -= 1) {
    text += ALPHABET[Number((bits >> BigInt(5 * place)) & 31n)];
  }
  return text;
}
