/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104), written out here although browsers have them.
 *
 * Theirs, `crypto.subtle`, is missing wherever a page was not served over TLS or from the same
 * machine, and a casino's own network is just such a place. It also answers later, one promise
 * for each hash, and a shoe needs thousands. This one answers at once; the tests hold it to
 * `crypto.subtle` and to Python.
 */

/**
 * The standard's constants are the first 32 bits behind the point of roots of primes. They are
 * worked out rather than typed, so there is no table to mistype.
 * @param {bigint} prime @param {bigint} degree @returns {number}
 */
function rootBits(prime, degree) {
  const scaled = prime << (32n * degree);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= scaled) low = middle;
    else high = middle;
  }
  return Number(BigInt.asIntN(32, low));
}

/** @param {number} count @returns {bigint[]} */
function firstPrimes(count) {
  /** @type {bigint[]} */
  const found = [];
  for (let number = 2n; found.length < count; number += 1n) {
    if (found.every((prime) => number % prime !== 0n)) found.push(number);
  }
  return found;
}

const PRIMES = firstPrimes(64);
const ROUND = Int32Array.from(PRIMES, (prime) => rootBits(prime, 3n));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => rootBits(prime, 2n));
const BLOCK = 64;
// Signed words, because engines keep those in a register and others in a box.
const SCHEDULE = new Int32Array(64);

/** @param {Uint8Array[]} parts hashed as if they were joined @returns {Uint8Array} 32 bytes */
export function sha256(...parts) {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  // The message, one bit, noughts, and the message's size in 64 bits fill whole blocks.
  const padded = new Uint8Array(Math.ceil((size + 9) / BLOCK) * BLOCK);
  let at = 0;
  for (const part of parts) {
    padded.set(part, at);
    at += part.length;
  }
  padded[size] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, 8n * BigInt(size));

  const state = new Int32Array(START);
  for (let block = 0; block < padded.length; block += BLOCK) compress(state, view, block);

  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  for (let place = 0; place < 8; place += 1) out.setUint32(4 * place, state[place]);
  return digest;
}

/** @param {Int32Array} state @param {DataView} view @param {number} block */
function compress(state, view, block) {
  const w = SCHEDULE;
  for (let t = 0; t < 16; t += 1) w[t] = view.getUint32(block + 4 * t);
  for (let t = 16; t < 64; t += 1) {
    const x = w[t - 15];
    const y = w[t - 2];
    const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = (w[t - 16] + small0 + w[t - 7] + small1) | 0;
  }
  // Written out one by one, since this is where all the time goes.
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let t = 0; t < 64; t += 1) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + big1 + ((e & f) ^ (~e & g)) + ROUND[t] + w[t]) | 0;
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** @param {Uint8Array} key @param {Uint8Array[]} parts @returns {Uint8Array} 32 bytes */
export function hmac(key, ...parts) {
  const short = key.length > BLOCK ? sha256(key) : key;
  const inner = new Uint8Array(BLOCK).fill(0x36);
  const outer = new Uint8Array(BLOCK).fill(0x5c);
  short.forEach((byte, at) => {
    inner[at] ^= byte;
    outer[at] ^= byte;
  });
  return sha256(outer, sha256(inner, ...parts));
}
