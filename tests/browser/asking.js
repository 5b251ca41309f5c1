/** What the tests ask of the library. Values and answers travel as JSON texts. */

import * as anchors from "/lib/anchor.js";
import { hex, unhex, utf8 } from "/lib/bytes.js";
import { canonical } from "/lib/canonical.js";
import * as chain from "/lib/chain.js";
import { HmacDrbg } from "/lib/drbg.js";
import { parse, Unreadable } from "/lib/json.js";
import * as merkle from "/lib/merkle.js";
import { patronsOrder, shuffled } from "/lib/order.js";
import { Refusal } from "/lib/refusal.js";
import { agreesWithBrowser, hmac, sha256 } from "/lib/sha256.js";
import { verifyCard, verifyShoe } from "/lib/shoe.js";
import { holds } from "/lib/signing.js";
import { commitmentHash, parseStep, sealOf } from "/lib/steps.js";

const head = ({ table, count, hash }) => ({ table, count, hash: unhex(hash) });

const signed = ({ head: of, occasion, name, at, key, signature }) => ({
  head: head(of), occasion, name, at, key: unhex(key), signature: unhex(signature),
});

const seconds = async (work) => {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
};

const QUESTIONS = {
  sha256: (text) => hex(sha256(unhex(text))),
  agrees: (text) => agreesWithBrowser(unhex(text)),
  hmac: ([key, text]) => hex(hmac(unhex(key), unhex(text))),
  canonical: (value) => hex(canonical(value)),
  read: (text) => hex(canonical(parse(text))),
  start: (table) => hex(chain.start(table)),
  link: ([before, record]) => hex(chain.link(unhex(before), record)),
  audit: async ({ table, entries, heads, keys, anchors: lines }) => {
    const checked = heads.map(signed).map(async (one) => ({ ...one, holds: await holds(one) }));
    return chain.audit(
      table,
      entries.map((one) => ({ ...one, hash: unhex(one.hash) })),
      {
        heads: await Promise.all(checked),
        keys: keys.map(unhex),
        anchors: lines.map(anchors.parseAnchor),
      },
    );
  },
  holds: (one) => holds(signed(one)),
  anchor: (one) => anchors.written(anchors.anchorOf(head(one))),
  parseAnchor: (text) => anchors.parseAnchor(text),
  drbg: (lines) => {
    let drbg = null;
    let bytes = null;
    for (const [verb, ...given] of lines) {
      const [first, ...more] = given.map((one) => (typeof one === "string" ? unhex(one) : one));
      if (verb === "seed") drbg = new HmacDrbg(first, ...more);
      else if (verb === "reseed") drbg.reseed(first, ...more);
      else bytes = drbg.generate(first, ...more);
    }
    return hex(bytes);
  },
  shuffled: ([size, stream]) => shuffled(size, unhex(stream)),
  order: ([commitment, seeds, cards]) => {
    const given = Object.entries(seeds).map(([giver, seed]) => [giver, unhex(seed)]);
    return patronsOrder(unhex(commitment), new Map(given), cards);
  },
  root: (leaves) => hex(merkle.root(leaves.map(unhex))),
  climb: ([leaf, position, leaves, path]) => {
    const found = merkle.climb(unhex(leaf), position, leaves, path.map(unhex));
    return found && hex(found);
  },
  commitment: (record) => hex(commitmentHash(parseStep(record))),
  seal: ([record, giver, seed]) => {
    return hex(sealOf(commitmentHash(parseStep(record)), giver, unhex(seed)));
  },
  step: (record) => parseStep(record).step,
  card: ([commitment, shown]) => verifyCard(commitment, shown),
  shoe: ([commitment, ...steps]) => {
    const { shoe, findings } = verifyShoe(commitment, steps);
    return {
      findings,
      phase: shoe?.phase ?? null,
      left: shoe?.left ?? 0,
      dealt: shoe?.dealingOrder.join(" ") ?? "",
    };
  },
  shoeTime: ([commitment, ...steps]) => seconds(() => verifyShoe(commitment, steps)),
  utf8: (text) => hex(utf8(text)),
};

/** JSON with great numbers as they are. */
function written(value) {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  const pairs = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${written(one)}`);
  return `{${pairs.join(",")}}`;
}

/** @param {string} question @param {string[]} values @returns {Promise<string[]>} */
export async function answers(question, values) {
  const found = [];
  for (const text of values) {
    try {
      found.push(written(await QUESTIONS[question](parse(text))));
    } catch (refusal) {
      if (refusal instanceof Refusal) {
        found.push(written({ refused: refusal.code, params: refusal.params }));
      } else if (refusal instanceof Unreadable) found.push(written({ unreadable: refusal.at }));
      else throw refusal;
    }
  }
  return found;
}
