/**
 * Signed heads: Ed25519 by the browser's own cryptography.
 *
 * Only the signature needs it. Where a browser has none, or the page came without TLS, the answer
 * is null, and whoever shows it says that the signature was not checked here.
 */

import { hex, join, utf8 } from "./bytes.js";
import { canonical } from "./canonical.js";

/**
 * @typedef {{head: import("./chain.js").Head, occasion: string, name: string,
 *   at: number | bigint, key: Uint8Array, signature: Uint8Array}} SignedHead
 */

/** @param {SignedHead} signed @returns {Uint8Array} the bytes that were signed */
export function statement({ head, occasion, name, at, key }) {
  const said = [head.table, head.count, hex(head.hash), occasion, name, at, hex(key)];
  return join(utf8("cutcard head 1\n"), canonical(said));
}

/** @type {Promise<boolean> | null} */
let able = null;

/** @returns {Promise<boolean>} whether this browser can check a signature at all */
export function canCheck() {
  able ??= tried();
  return able;
}

/** @returns {Promise<boolean>} */
async function tried() {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) return false;
  try {
    // The base point of the curve: every implementation takes it for a key.
    const base = new Uint8Array(32).fill(0x66);
    base[0] = 0x58;
    await subtle.importKey("raw", base, "Ed25519", false, ["verify"]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a signature is that key's for just this statement; null where it cannot be checked.
 * @param {SignedHead} signed @returns {Promise<boolean | null>}
 */
export async function holds(signed) {
  if (!(await canCheck())) return null;
  const said = statement(signed);
  try {
    const { subtle } = globalThis.crypto;
    const key = await subtle.importKey("raw", join(signed.key), "Ed25519", false, ["verify"]);
    return await subtle.verify("Ed25519", key, join(signed.signature), join(said));
  } catch {
    // What is no key signs nothing.
    return false;
  }
}
