/** HMAC_DRBG with SHA-256 (SP 800-90A Rev. 1, 10.1.2), as far as a verifier needs it. */

import { join } from "./bytes.js";
import { hmac } from "./sha256.js";

const NOTHING = new Uint8Array(0);

export class HmacDrbg {
  /** @param {Uint8Array} entropy @param {Uint8Array} nonce @param {Uint8Array} [personalisation] */
  constructor(entropy, nonce, personalisation = NOTHING) {
    /** @type {Uint8Array} */
    this.key = new Uint8Array(32);
    /** @type {Uint8Array} */
    this.value = new Uint8Array(32).fill(1);
    this.update(join(entropy, nonce, personalisation));
  }

  /** @param {Uint8Array} entropy @param {Uint8Array} [additional] */
  reseed(entropy, additional = NOTHING) {
    this.update(join(entropy, additional));
  }

  /** @param {number} size @param {Uint8Array} [additional] @returns {Uint8Array} */
  generate(size, additional = NOTHING) {
    if (additional.length > 0) this.update(additional);
    const bytes = new Uint8Array(Math.ceil(size / 32) * 32);
    for (let at = 0; at < bytes.length; at += 32) {
      this.value = hmac(this.key, this.value);
      bytes.set(this.value, at);
    }
    this.update(additional);
    return bytes.slice(0, size);
  }

  /** 10.1.2.2: one round, and a second where something was given. @param {Uint8Array} given */
  update(given) {
    for (const mark of given.length > 0 ? [0, 1] : [0]) {
      this.key = hmac(this.key, this.value, Uint8Array.of(mark), given);
      this.value = hmac(this.key, this.value);
    }
  }
}
