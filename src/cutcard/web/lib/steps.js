/**
 * The steps of a verifiable shoe, read from plain records.
 *
 * A record has one form only: whatever writing would not have written is refused. Hashes and seeds
 * become bytes here, cards stay the short texts they are.
 */

import { fourBytes, hex, same, unhex, utf8 } from "./bytes.js";
import { canonical } from "./canonical.js";
import { isCard } from "./cards.js";
import { climb, leaf } from "./merkle.js";
import { Refusal } from "./refusal.js";
import { sha256 } from "./sha256.js";

/** @typedef {import("./fairness").Commitment} Commitment @typedef {import("./fairness").CardShown} CardShown */

/** Bytes of the nonce that hides a card in its leaf. */
export const NONCE = 32;

/** Each reader gives null for what it cannot read. @type {Record<string, (value: any) => any>} */
const READ = {
  whole: (value) => (Number.isInteger(value) || typeof value === "bigint" ? value : null),
  text: (value) => (typeof value === "string" ? value : null),
  bytes: unhex,
  card: (value) => (isCard(value) ? value : null),
  cards: (value) => {
    const cards = typeof value === "string" ? value.split(" ") : [];
    return cards.length > 0 && cards.every(isCard) ? cards : null;
  },
  hashes: (value) => {
    const hashes = Array.isArray(value) ? value.map(unhex) : [null];
    return hashes.includes(null) ? null : hashes;
  },
};

/** @type {Record<string, Record<string, string>>} */
const KINDS = {
  Commitment: {
    table: "text",
    number: "whole",
    book: "text",
    decks: "whole",
    behind_cut: "whole",
    seeds_until: "whole",
    root: "bytes",
  },
  SeedSealed: { giver: "text", seal: "bytes", at: "whole" },
  SeedsClosed: { at: "whole" },
  SeedGiven: { giver: "text", seed: "bytes" },
  CardShown: { place: "whole", position: "whole", card: "card", nonce: "bytes", path: "hashes" },
  CardTaken: { place: "whole" },
  ShoeOpened: { cards: "cards", nonces: "hashes" },
  ShoeAborted: { reason: "text", cards: "cards", nonces: "hashes" },
};

/** @param {any} record @returns {any} a commitment or a step */
export function parseStep(record) {
  const kind = typeof record === "object" && record !== null ? record.step : undefined;
  if (typeof kind !== "string" || !Object.hasOwn(KINDS, kind)) throw new Refusal("fairness/record");
  const fields = Object.entries(KINDS[kind]);
  /** @type {Record<string, unknown>} */
  const read = { step: kind };
  for (const [name, reader] of fields) read[name] = READ[reader](record[name]);
  const whole = Object.keys(record).length === fields.length + 1;
  if (!whole || Object.values(read).includes(null)) throw new Refusal("fairness/record");
  return read;
}

/** @param {Commitment} commitment @returns {number} */
export function cardsOf(commitment) {
  return 52 * Number(commitment.decks);
}

/** @param {Commitment} one @returns {Uint8Array} stands for the whole commitment */
export function commitmentHash(one) {
  const terms = [one.table, one.number, one.book, one.decks, one.behind_cut, one.seeds_until];
  return sha256(utf8("cutcard commitment 1\n"), canonical([...terms, hex(one.root)]));
}

/**
 * @param {Uint8Array} bound the commitment's hash @param {string} giver @param {Uint8Array} seed
 */
export function sealOf(bound, giver, seed) {
  return sha256(utf8("cutcard seal 1\n"), bound, canonical([giver, hex(seed)]));
}

/**
 * @param {number} position @param {string} card @param {Uint8Array} nonce
 * @returns {Uint8Array} the hash of one committed card
 */
export function cardLeaf(position, card, nonce) {
  return leaf(fourBytes(position), utf8(card), nonce);
}

/**
 * Whether a card is the one committed at its position: the check a patron does alone.
 * @param {Commitment} commitment @param {CardShown} shown @returns {boolean}
 */
export function isCommitted(commitment, shown) {
  const cards = cardsOf(commitment);
  if (shown.position < 0 || shown.position >= cards) return false;
  if (shown.nonce.length !== NONCE) return false;
  const position = Number(shown.position);
  const found = climb(cardLeaf(position, shown.card, shown.nonce), position, cards, shown.path);
  return found !== null && same(found, commitment.root);
}
