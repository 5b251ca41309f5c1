/** The order in which committed cards are dealt: the one that the patrons' seeds give. */

import { hex, utf8 } from "./bytes.js";
import { canonical } from "./canonical.js";
import { HmacDrbg } from "./drbg.js";
import { Refusal } from "./refusal.js";
import { sha256 } from "./sha256.js";

const WORD = 8;
const WORDS = 1n << 64n;

/** Words beyond one a draw. */
const SPARE = 8;

/**
 * For each place of dealing, the committed position that its card comes from.
 * @param {Uint8Array} commitment the commitment's hash
 * @param {Map<string, Uint8Array>} seeds by giver @param {number} cards @returns {number[]}
 */
export function patronsOrder(commitment, seeds, cards) {
  const named = Object.create(null);
  for (const [giver, seed] of seeds) named[giver] = hex(seed);
  const seed = sha256(utf8("cutcard seeds 1\n"), commitment, canonical(named));
  const drbg = new HmacDrbg(seed, commitment, utf8("cutcard patrons' order 1"));
  return shuffled(cards, drbg.generate(WORD * (cards - 1 + SPARE)));
}

/**
 * Fisher–Yates on 0 … size - 1, with the words of a stream.
 * @param {number} size @param {Uint8Array} stream @returns {number[]}
 */
export function shuffled(size, stream) {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  let at = 0;
  /** @param {bigint} bound @returns {number} */
  const below = (bound) => {
    // The few words left over at the top would favour small numbers; they are thrown away.
    const fair = WORDS - (WORDS % bound);
    for (; at + WORD <= stream.length;) {
      const word = view.getBigUint64(at);
      at += WORD;
      if (word < fair) return Number(word % bound);
    }
    throw new Refusal("fairness/entropy-used-up");
  };
  const order = Array.from({ length: size }, (_, place) => place);
  for (let place = size - 1; place > 0; place -= 1) {
    const other = below(BigInt(place + 1));
    [order[place], order[other]] = [order[other], order[place]];
  }
  return order;
}
