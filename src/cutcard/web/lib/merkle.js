/** A Merkle tree in RFC 6962's shape: a node without a neighbour moves up as it is. */

import { sha256 } from "./sha256.js";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** @param {Uint8Array[]} parts @returns {Uint8Array} the hash of a leaf */
export function leaf(...parts) {
  return sha256(LEAF, ...parts);
}

/** @param {Uint8Array} left @param {Uint8Array} right @returns {Uint8Array} */
export function node(left, right) {
  return sha256(NODE, left, right);
}

/** @param {Uint8Array[]} leaves at least one @returns {Uint8Array} */
export function root(leaves) {
  let level = leaves;
  while (level.length > 1) {
    const below = level;
    level = [];
    for (let place = 0; place < below.length; place += 2) {
      const alone = place + 1 === below.length;
      level.push(alone ? below[place] : node(below[place], below[place + 1]));
    }
  }
  return level[0];
}

/**
 * The root that a leaf at this position of so many leads to; null if the path does not fit.
 * @param {Uint8Array} leaf @param {number} position @param {number} leaves
 * @param {Uint8Array[]} path @returns {Uint8Array | null}
 */
export function climb(leaf, position, leaves, path) {
  let here = leaf;
  let used = 0;
  for (let [at, wide] = [position, leaves]; wide > 1; at >>= 1, wide = (wide + 1) >> 1) {
    if ((at ^ 1) >= wide) continue;
    if (used === path.length) return null;
    here = at % 2 === 1 ? node(path[used], here) : node(here, path[used]);
    used += 1;
  }
  return used === path.length ? here : null;
}
