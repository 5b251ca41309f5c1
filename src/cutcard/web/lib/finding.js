/**
 * Findings: what is wrong in a pack, at which record, what should stand there and what does.
 *
 * Codes and records are those of `cutcard verify`. The words are for whoever shows them: `details`
 * holds the figures for a sentence.
 */

/**
 * @typedef {{code: string, record: number | bigint | null, details: Record<string, unknown>,
 *   should: unknown, found: unknown}} Finding
 * @typedef {{code: string, details: Record<string, unknown>}} Note something checked, or a remark
 */

/** So many findings are told; whoever tampers with more has been found out already. */
const MOST = 100;

/** Stands for a member that is missing: no value in a file equals it, not even null. */
const ABSENT = Symbol("(not there)");

export class Verdict {
  constructor() {
    /** @type {Finding[]} */
    this.findings = [];
    /** @type {Note[]} */
    this.checked = [];
    /** @type {Note[]} what the pack cannot show by itself, or was not looked at here */
    this.remarks = [];
    /** @type {any} the pack itself, once it could be read */
    this.pack = null;
    /** @type {Set<number | bigint>} records that could be followed and were worked out again */
    this.followed = new Set();
  }

  /**
   * @param {string} code @param {number | bigint | null} record
   * @param {Record<string, unknown>} [details] @param {unknown} [should] @param {unknown} [found]
   */
  find(code, record, details = {}, should = null, found = null) {
    if (this.findings.length < MOST) this.findings.push({ code, record, details, should, found });
  }

  /** @param {string} code @param {Record<string, unknown>} [details] */
  check(code, details = {}) {
    if (this.checked.length < MOST) this.checked.push({ code, details });
  }

  /** @param {string} code @param {Record<string, unknown>} [details] */
  remark(code, details = {}) {
    if (this.remarks.length < MOST) this.remarks.push({ code, details });
  }

  /**
   * Whether two plain values are the same; the first difference is told if they are not.
   * @param {string} code @param {number | bigint | null} record @param {string} what
   * @param {unknown} should @param {unknown} found @returns {boolean}
   */
  compare(code, record, what, should, found) {
    const different = difference(should, found, "");
    if (different === null) return true;
    const { place } = different;
    this.find(code, record, { what, place }, told(different.should), told(different.found));
    return false;
  }
}

/**
 * Where two plain values differ first.
 * @param {any} should @param {any} found @param {string} place
 * @returns {{place: string, should: unknown, found: unknown} | null}
 */
export function difference(should, found, place) {
  if (isNamed(should) && isNamed(found)) {
    for (const name of new Set([...Object.keys(should), ...Object.keys(found)])) {
      const below = place === "" ? name : `${place}.${name}`;
      const different = difference(member(should, name), member(found, name), below);
      if (different !== null) return different;
    }
    return null;
  }
  if (Array.isArray(should) && Array.isArray(found) && should.length === found.length) {
    for (const [number, one] of should.entries()) {
      const different = difference(one, found[number], `${place}[${number}]`);
      if (different !== null) return different;
    }
    return null;
  }
  return should === found ? null : { place, should, found };
}

/** @param {any} value @returns {boolean} */
const isNamed = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {any} value @param {string} name @returns {unknown} */
const member = (value, name) => (Object.hasOwn(value, name) ? value[name] : ABSENT);

/** @param {unknown} value @returns {unknown} */
const told = (value) => (value === ABSENT ? ABSENT.description : value);
