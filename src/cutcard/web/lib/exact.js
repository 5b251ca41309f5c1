// @ts-check
/** Exact fractions, printed: the same digits as the server's own, whatever their length. */

/** @typedef {{over: bigint, under: bigint}} Exact */

/** Read `-3/4` or `2`. @param {string} text @returns {Exact} */
export function exact(text) {
  const [over, under] = text.split("/");
  return { over: BigInt(over), under: BigInt(under ?? 1) };
}

/** To so many places, rounded to the nearest; a half goes to the even digit. @param {Exact} value @param {number} places @param {string} [apart] between thousands */
export function decimal({ over, under }, places, apart = "") {
  const scaled = (over < 0n ? -over : over) * 10n ** BigInt(places);
  let whole = scaled / under;
  const twice = (scaled % under) * 2n;
  if (twice > under || (twice === under && whole % 2n === 1n)) whole += 1n;
  const digits = String(whole).padStart(places + 1, "0");
  const front = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, apart);
  const text = places ? `${front}.${digits.slice(-places)}` : front;
  return over < 0n && whole !== 0n ? `-${text}` : text;
}

/** Per cent of a fraction in words. @param {string} text @param {number} [places] */
export function percentOf(text, places = 4) {
  const { over, under } = exact(text);
  return decimal({ over: over * 100n, under }, places);
}

/** Near enough to draw. @param {string} text */
export function number(text) {
  const { over, under } = exact(text);
  // Both halves may be longer than a float is wide.
  return Number((over * 10n ** 18n) / under) / 1e18;
}

/** The root of a fraction to four places, correctly rounded. @param {string} text */
export function root(text) {
  const { over, under } = exact(text);
  const wanted = (4n * over * 10n ** 8n) / under;
  let low = 0n, high = wanted + 1n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle * middle <= wanted) low = middle;
    else high = middle;
  }
  return decimal({ over: (low + 1n) / 2n, under: 10n ** 4n }, 4);
}
