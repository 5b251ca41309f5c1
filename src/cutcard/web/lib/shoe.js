/**
 * A verifiable shoe, gone through once more step by step (docs/fairness.md).
 *
 * Nothing here trusts the house: which step may follow which, the seals, the order that the seeds
 * give, every card's path and the opening at the end are all worked out anew.
 */

import { hex, same } from "./bytes.js";
import { burnCount } from "./cards.js";
import { root } from "./merkle.js";
import { patronsOrder } from "./order.js";
import { Refusal } from "./refusal.js";
import {
  cardLeaf,
  cardsOf,
  commitmentHash,
  isCommitted,
  NONCE,
  parseStep,
  sealOf,
} from "./steps.js";
import { stripped } from "./text.js";

/** @typedef {import("./fairness").Commitment} Commitment @typedef {import("./fairness").Phase} Phase */

const MOST_DECKS = 16;
const SEED = 32;

/** Seeds of one shoe at most: one honest giver is enough, and checking must have an end. */
const MOST_GIVERS = 256;

/** Printable ASCII, because what else can be printed depends on whose Unicode is asked. */
const GIVER = /^(?! *$)[ -~]{1,64}$/;
const LONGEST_GIVER = 64;

/** A coup takes at most six cards, and a new shoe loses at most eleven before the first. */
const FULL_COUP = 6;
const FULL_BURN = 11;

/** @type {Record<string, Phase[]>} */
const WHEN = {
  SeedSealed: ["sealing"],
  SeedsClosed: ["sealing"],
  SeedGiven: ["giving"],
  CardShown: ["dealing"],
  CardTaken: ["dealing"],
  ShoeOpened: ["dealing"],
  ShoeAborted: ["sealing", "giving", "dealing"],
};

/** All that is publicly known of one shoe. Each step changes it, or is refused and does not. */
export class Shoe {
  /** @param {Commitment} commitment */
  constructor(commitment) {
    const name = `${commitment.table}/${commitment.number}`;
    if (commitment.number < 1) throw new Refusal("fairness/number", { shoe: name, must: 1 });
    if (commitment.decks < 1 || commitment.decks > MOST_DECKS) {
      throw new Refusal("fairness/decks", { decks: commitment.decks, most: MOST_DECKS });
    }
    this.commitment = commitment;
    /** @type {string | null} */
    this.hashed = null;
    this.name = name;
    this.cards = cardsOf(commitment);
    checkCut(this.cards, commitment.behind_cut);
    /** @type {Phase} */
    this.phase = "sealing";
    /** @type {Map<string, Uint8Array>} */
    this.seals = new Map();
    /** @type {Map<string, Uint8Array>} */
    this.seeds = new Map();
    /** @type {number[]} the committed position of each place, once all seeds are given */
    this.order = [];
    /** So many cards have left the shoe. */
    this.left = 0;
    /** @type {Set<number>} places whose card lies unseen on the layout; burned ones do not */
    this.faceDown = new Set();
    /** @type {Map<number, string>} cards turned up, by place */
    this.shown = new Map();
    /** @type {string[]} every card by position, once the shoe is finished */
    this.opened = [];
    this.reason = "";
  }

  /** @returns {string} the commitment's hash */
  get hash() {
    this.hashed ??= hex(commitmentHash(this.commitment));
    return this.hashed;
  }

  /** @returns {boolean} whether it is open to all */
  get finished() {
    return this.phase === "opened" || this.phase === "aborted";
  }

  /** @returns {string[]} every card by place; nothing until the shoe is opened */
  get dealingOrder() {
    return this.opened.length > 0 ? this.order.map((position) => this.opened[position]) : [];
  }

  /** @returns {number} so many cards must still be burned before the first coup */
  get toBurn() {
    const exposed = this.shown.get(0);
    return exposed === undefined ? 0 : Math.max(0, 1 + burnCount(exposed) - this.left);
  }

  /** @param {number | bigint} place @returns {boolean} */
  isNext(place) {
    return place === this.left && this.left < this.cards;
  }

  /** @param {import("./fairness").Step} step */
  advance(step) {
    if (!WHEN[step.step]?.includes(this.phase)) {
      throw new Refusal("fairness/not-now", { phase: this.phase });
    }
    switch (step.step) {
      case "SeedSealed":
        return this.seal(step);
      case "SeedsClosed":
        return this.close(step);
      case "SeedGiven":
        return this.give(step);
      case "CardShown":
        return this.show(step);
      case "CardTaken":
        return this.take(step);
      case "ShoeOpened": {
        this.checkDealt();
        this.open(step);
        this.phase = "opened";
        return undefined;
      }
      case "ShoeAborted": {
        if (stripped(step.reason) === "") throw new Refusal("fairness/no-reason");
        this.open(step);
        this.phase = "aborted";
        this.reason = step.reason;
        return undefined;
      }
    }
  }

  /** @param {import("./fairness").SeedSealed} step */
  seal({ giver, seal, at }) {
    if (at >= this.commitment.seeds_until) throw new Refusal("fairness/seal-late");
    if (!GIVER.test(giver)) {
      const shown = Array.from(giver.slice(0, 2 * LONGEST_GIVER)).slice(0, LONGEST_GIVER);
      throw new Refusal("fairness/giver", { giver: shown.join("") });
    }
    if (this.seals.has(giver)) throw new Refusal("fairness/seal-twice", { giver });
    if (this.seals.size === MOST_GIVERS) {
      throw new Refusal("fairness/givers", { most: MOST_GIVERS });
    }
    checkSize(seal);
    this.seals.set(giver, seal);
  }

  /** @param {import("./fairness").SeedsClosed} step */
  close({ at }) {
    const until = this.commitment.seeds_until;
    if (at < until) throw new Refusal("fairness/close-early", { ms: BigInt(until) - BigInt(at) });
    // Without a seed the order would be the house's alone.
    if (this.seals.size === 0) throw new Refusal("fairness/no-seeds");
    this.phase = "giving";
  }

  /** @param {import("./fairness").SeedGiven} step */
  give({ giver, seed }) {
    const sealed = this.seals.get(giver);
    if (sealed === undefined) throw new Refusal("fairness/not-sealed", { giver });
    if (this.seeds.has(giver)) throw new Refusal("fairness/seed-twice", { giver });
    checkSize(seed);
    const bound = commitmentHash(this.commitment);
    if (!same(sealOf(bound, giver, seed), sealed)) {
      throw new Refusal("fairness/seed-differs", { giver });
    }
    this.seeds.set(giver, seed);
    if (this.seeds.size === this.seals.size) {
      this.order = patronsOrder(bound, this.seeds, this.cards);
      this.phase = "dealing";
    }
  }

  /** @param {import("./fairness").CardTaken} step */
  take({ place }) {
    if (!this.isNext(place)) throw placeRefused(place);
    if (place === 0) throw new Refusal("shoe/expose-first");
    if (this.toBurn === 0) {
      // The house knows what comes. A card that it lays aside must not stay unseen.
      if (this.faceDown.size === FULL_COUP) {
        throw new Refusal("fairness/face-down", { most: FULL_COUP });
      }
      this.faceDown.add(Number(place));
    }
    this.left += 1;
  }

  /** @param {import("./fairness").CardShown} step */
  show(step) {
    const place = Number(step.place);
    const following = this.isNext(step.place);
    if (!following && !this.faceDown.has(place)) throw placeRefused(step.place);
    if (this.toBurn > 0) throw new Refusal("shoe/burn-first", { left: this.toBurn });
    const told = { number: place + 1, card: step.card };
    if (step.position !== this.order[place]) throw new Refusal("fairness/position", told);
    if (!isCommitted(this.commitment, step)) throw new Refusal("fairness/not-committed", told);
    if (following) this.left += 1;
    this.faceDown.delete(place);
    this.shown.set(place, step.card);
  }

  /** Whether the shoe has come to its end; else an abort could pass for one. */
  checkDealt() {
    const cut = this.cards - Number(this.commitment.behind_cut);
    if (this.left <= cut) throw new Refusal("fairness/too-early", { left: this.left, cut });
    if (this.faceDown.size > 0) {
      throw new Refusal("fairness/not-shown", { cards: this.faceDown.size });
    }
  }

  /** @param {{cards: string[], nonces: Uint8Array[]}} step */
  open({ cards, nonces }) {
    const refusal = new Refusal("fairness/opening", { shoe: this.name });
    if (cards.length !== this.cards || nonces.length !== this.cards) throw refusal;
    // A nonce that is short, or that other cards have too, hides nothing.
    const different = new Set(nonces.map(hex));
    if (nonces.some((one) => one.length !== NONCE) || different.size < nonces.length) {
      throw new Refusal("fairness/nonces", { shoe: this.name, must: NONCE });
    }
    const leaves = cards.map((card, position) => cardLeaf(position, card, nonces[position]));
    if (!same(root(leaves), this.commitment.root)) throw refusal;
    checkCopies(cards, Number(this.commitment.decks));
    this.opened = cards;
  }
}

/**
 * Go the steps of a shoe once more; the first that does not hold is a finding, and the last.
 * @param {unknown} commitment @param {Iterable<unknown>} steps plain records
 * @returns {{shoe: Shoe | null, findings: import("./fairness").Finding[]}}
 */
export function verifyShoe(commitment, steps) {
  /** @type {Shoe | null} */
  let shoe = null;
  let record = 0;
  try {
    const first = parseStep(commitment);
    if (first.step !== "Commitment") throw new Refusal("fairness/record");
    shoe = new Shoe(first);
    for (const step of steps) {
      record += 1;
      const read = parseStep(step);
      if (read.step === "Commitment") throw new Refusal("fairness/record");
      shoe.advance(read);
    }
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { shoe, findings: [{ record, code: refusal.code, params: refusal.params }] };
  }
  return { shoe, findings: [] };
}

/** @param {number} cards @param {number | bigint} behind */
function checkCut(cards, behind) {
  const most = cards - FULL_BURN - 1;
  if (behind < FULL_COUP || behind > most) {
    throw new Refusal("shoe/cut-out-of-range", { cut: behind, least: FULL_COUP, most });
  }
}

/** @param {string[]} cards @param {number} decks */
function checkCopies(cards, decks) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const card of cards) found.set(card, (found.get(card) ?? 0) + 1);
  // The first of the most frequent, as everywhere.
  const [card, copies] = [...found].reduce((most, one) => (one[1] > most[1] ? one : most));
  if (copies > decks) throw new Refusal("shoe/too-many-copies", { card, copies, decks });
}

/** @param {Uint8Array} given */
function checkSize(given) {
  if (given.length !== SEED)
    throw new Refusal("fairness/size", { bytes: given.length, must: SEED });
}

/** @param {number | bigint} place @returns {Refusal} */
function placeRefused(place) {
  return new Refusal("fairness/place", { number: BigInt(place) + 1n });
}
