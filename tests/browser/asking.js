/** What the tests ask of the library. Values and answers travel as JSON texts. */

import * as anchors from "/lib/anchor.js";
import { apportion, cutAtClose, seatedFirst } from "/lib/apportion.js";
import { readBook } from "/lib/book.js";
import { hex, unhex, utf8 } from "/lib/bytes.js";
import { canonical } from "/lib/canonical.js";
import * as chain from "/lib/chain.js";
import { checkDealt, nextSide } from "/lib/coup.js";
import { HmacDrbg } from "/lib/drbg.js";
import { decimal, exact } from "/lib/exact.js";
import { facts } from "/lib/facts.js";
import { parse, Unreadable } from "/lib/json.js";
import { Ledger } from "/lib/ledger.js";
import * as merkle from "/lib/merkle.js";
import { patronsOrder, shuffled } from "/lib/order.js";
import { verifyPack } from "/lib/pack.js";
import { deciding, pay, reserveOf, stepOf } from "/lib/paytable.js";
import { parseFraction } from "/lib/rational.js";
import { Refusal } from "/lib/refusal.js";
import { resultOf, roads } from "/lib/roads.js";
import { hmac, sha256 } from "/lib/sha256.js";
import { CATEGORIES, ENTRIES, KINDS, WORDS } from "/lib/schema.js";
import { verifyShoe } from "/lib/shoe.js";
import { holds } from "/lib/signing.js";
import { commitmentHash, isCommitted, parseStep, sealOf } from "/lib/steps.js";

const head = ({ table, count, hash }) => ({ table, count, hash: unhex(hash) });

const signed = ({ head: of, occasion, name, at, key, signature }) => ({
  head: head(of),
  occasion,
  name,
  at,
  key: unhex(key),
  signature: unhex(signature),
});

/** A coup from its line, `2h 3s 9c / 5d Kc`. */
const coup = (text) => {
  const [player, banker] = text.split("/").map((hand) => hand.trim().split(" ").filter(Boolean));
  return { player, banker };
};

const payLines = (given) =>
  given.map(({ when, odds, commission, clause }) => ({
    when,
    clause,
    odds: parseFraction(odds),
    commission: parseFraction(commission),
  }));

const bets = (given) =>
  given.map((one) => ({ ...one, stake: BigInt(one.stake), order: BigInt(one.order) }));

const inOrder = (given, shares) => given.map((bet) => shares.get(bet) ?? null);

const QUESTIONS = {
  coup: (text) => {
    const dealt = coup(text);
    const next = nextSide(dealt);
    checkDealt(dealt);
    return { next, facts: facts(dealt), result: resultOf(dealt) };
  },
  paytable: ([given, coups, stake]) => {
    const lines = payLines(given);
    const paid = coups.map((text) => {
      const line = deciding(lines, facts(coup(text)));
      return { ...pay(line, BigInt(stake)), clause: line.clause };
    });
    return { step: stepOf(lines), reserve: reserveOf(lines), paid };
  },
  apportion: ([given, target, minimum, unit, seats]) => {
    const lying = bets(given);
    const share = seats ? seatedFirst : apportion;
    return inOrder(lying, share(lying, BigInt(target), BigInt(minimum), BigInt(unit)));
  },
  close: ([given, limits, apportioning, steps]) => {
    const lying = bets(given);
    const terms = {
      apportioning,
      limits: limits.map((one) => ({ ...one, amount: BigInt(one.amount) })),
    };
    return inOrder(
      lying,
      cutAtClose(lying, terms, (spot) => BigInt(steps[spot])),
    );
  },
  roads,
  decimal: ([text, places]) => decimal(exact(text), places),
  ledger: (batches) => {
    const ledger = new Ledger();
    const refused = batches.map((entries) => {
      try {
        ledger.post(entries);
        return null;
      } catch (refusal) {
        if (refusal instanceof Refusal) return { code: refusal.code, params: refusal.params };
        throw refusal;
      }
    });
    const accounts = [...ledger.accounts].map(([name, { posted, held }]) => [name, [posted, held]]);
    return { refused, accounts: Object.fromEntries(accounts), total: ledger.total() };
  },
  sha256: (text) => hex(sha256(unhex(text))),
  // The browser's own, where it has one.
  agrees: async (text) => {
    const theirs = await crypto.subtle.digest("SHA-256", unhex(text));
    return hex(new Uint8Array(theirs)) === hex(sha256(unhex(text)));
  },
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
  card: ([commitment, shown]) => isCommitted(parseStep(commitment), parseStep(shown)),
  shoe: ([commitment, ...steps]) => {
    const { shoe, findings } = verifyShoe(commitment, steps);
    return {
      findings,
      phase: shoe?.phase ?? null,
      left: shoe?.left ?? 0,
      dealt: shoe?.dealingOrder.join(" ") ?? "",
    };
  },
  pack: async ({ text, bytes, anchors: lines = [], ...hashes }) => {
    const { findings, checked, remarks } = await verifyPack(bytes ? unhex(bytes) : utf8(text), {
      anchors: lines.map(anchors.parseAnchor),
      ...Object.fromEntries(Object.entries(hashes).map(([name, one]) => [name, one.map(unhex)])),
    });
    return {
      findings: findings.map(({ code, record }) => [code, record]),
      checked: checked.map(({ code }) => code),
      remarks: remarks.map(({ code }) => code),
    };
  },
  schema: () => ({ kinds: KINDS, words: WORDS, entries: ENTRIES, categories: CATEGORIES }),
  book: ([document, documents]) => {
    const { hash, spots, from, openCards } = readBook(document, documents);
    return {
      hash,
      from,
      openCards,
      spots: [...spots.values()].map(({ id, step, reserve, lines }) => ({
        id,
        step,
        reserve,
        clauses: lines.map(({ clause }) => clause),
      })),
    };
  },
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
