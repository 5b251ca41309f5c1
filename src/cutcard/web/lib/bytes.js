/** Bytes, and the two spellings they are met in: hexadecimal and UTF-8. */

/** @param {Uint8Array[]} parts @returns {Uint8Array<ArrayBuffer>} */
export function join(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param {Uint8Array} bytes @returns {string} small hexadecimal */
export function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}

/**
 * Bytes from hexadecimal as it is written here and in no other way: small letters, no blanks.
 * @param {unknown} text @returns {Uint8Array | null} null for anything else
 */
export function unhex(text) {
  if (typeof text !== "string" || !/^(?:[0-9a-f]{2})*$/.test(text)) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  }
  return bytes;
}

const ENCODER = new TextEncoder();

/** @param {string} text @returns {Uint8Array} */
export function utf8(text) {
  return ENCODER.encode(text);
}

/** @param {number} number @returns {Uint8Array} four bytes, the big end first */
export function fourBytes(number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

/** @param {Uint8Array} one @param {Uint8Array} other @returns {boolean} */
export function same(one, other) {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
