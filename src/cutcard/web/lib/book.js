/**
 * A rulebook from its document: the pay lines, steps and limits that a round is recomputed by.
 *
 * The hash over the document's canonical bytes is checked first, so what is read here is what the
 * log was written under; whether a book is complete was proven when the house loaded it.
 */

import { hex } from "./bytes.js";
import { byCodePoint, canonical } from "./canonical.js";
import { TABLEAU } from "./coup.js";
import { reserveOf, stepOf } from "./paytable.js";
import { fraction, times } from "./rational.js";
import { Refusal } from "./refusal.js";
import { sha256 } from "./sha256.js";
import { isObject, isWhole } from "./wire.js";

/**
 * @typedef {import("./rational.js").Fraction} Fraction
 * @typedef {{follows: string, after_card: number, multiple: bigint, clause: string,
 *   declined: string, fundsTogether: boolean}} Stage
 * @typedef {{id: string, lines: import("./paytable.js").Line[], step: bigint, reserve: bigint,
 *   needs: {any_of: string[], clause: string} | null, stage: Stage | null}} Spot
 * @typedef {{id: string, remedy: string, clause: string, shoeLeaves: boolean}} Irregularity
 * @typedef {{hash: string, name: string, version: string, from: number | null,
 *   approval: boolean, decks: {least: number, most: number}, spots: Map<string, Spot>,
 *   layouts: Map<string, {boxes: number | null, terminals: boolean}>, backBets: boolean,
 *   irregularities: Map<string, Irregularity>, interruption: string, openCards: number,
 *   dealer: string | null}} Book
 */

/** @param {any} document @returns {string} */
export function contentHash(document) {
  return hex(sha256(canonical({ document, tableau: TABLEAU })));
}

/** @param {any} document @param {string[]} documents that may be cited by name @returns {Book} */
export function readBook(document, documents) {
  const own = text(document.document);
  const cited = new Set();
  /** @param {any} node @returns {string} a clause with the name of its document */
  const cite = (node, key = "clause") => {
    const number = text(node[key]);
    const [head] = number.split(" ");
    const other = documents.includes(head);
    cited.add(other ? head : own);
    return other ? number : `${own} ${number}`;
  };
  const spots = new Map(
    Object.keys(document.spot).map((id) => [
      id,
      readSpot(id, document.spot[id], document.bet[id], cite),
    ]),
  );
  const stages = [...spots.values()].flatMap(({ stage }) => (stage === null ? [] : [stage]));
  const { decks, cut, burn, cites, announcements, interruption, layout, limit } = document;
  for (const one of [decks, cut, burn, ...layout, ...limit, ...document.text]) cite(one);
  // Books of earlier logs do not say whether standing patrons may bet behind a seat: they may.
  const backBets = document.back_bets?.who ?? "standing patrons";
  if (document.back_bets !== undefined) cite(document.back_bets);
  for (const way of ["concludes", "voids"]) cite(interruption, way);
  for (const name of ["open", "close"]) cite(announcements[name]);
  for (const topic of Object.keys(cites)) cite(cites, topic);
  const book = {
    hash: contentHash(document),
    name: text(document.name),
    version: text(document.version),
    from: document.effective_from === undefined ? null : moment(document.effective_from),
    approval: document.approval !== undefined,
    decks: { least: count(document.decks.least), most: count(document.decks.most) },
    spots,
    layouts: new Map(
      layout.map((/** @type {any} */ one) => [text(one.id), readLayout(one, cite)]),
    ),
    backBets: backBets === "standing patrons",
    irregularities: new Map(
      document.irregularity.map((/** @type {any} */ one) => [
        text(one.id),
        {
          id: one.id,
          remedy: text(one.remedy),
          clause: cite(one),
          shoeLeaves: one.remedy === "void" && leaves(one),
        },
      ]),
    ),
    interruption: text(document.interruption.policy),
    openCards: stages.reduce((most, { after_card }) => Math.max(most, after_card), 0),
    // Older books do not say that no round opens without a dealer.
    dealer: document.dealer === undefined ? null : cite(document.dealer),
  };
  if ([...cited].sort(byCodePoint).join("\n") !== documents.join("\n")) throw unread("documents");
  return book;
}

/** @param {any} layout @param {(node: any, key?: string) => string} cite */
function readLayout({ boxes, ...layout }, cite) {
  // Older books say nothing of terminals: money lies on accounts there.
  const terminals = layout.terminals !== undefined;
  if (terminals) cite(layout, "terminals");
  if (terminals && boxes !== 0) throw unread(layout.id);
  return { boxes: boxes ?? null, terminals };
}

/** Irregularities that take the shoe away where the book does not say. */
const SHOE_GOES = ["foreign card", "insufficient cards", "unshuffled cards"];

/** @param {any} irregularity @returns {boolean} whether the shoe leaves play after the void */
function leaves({ id, shoe }) {
  return shoe === undefined ? SHOE_GOES.includes(id) : shoe === "leaves";
}

/** @param {string} id @param {any} node @param {any[]} lines @param {(node: any) => string} cite */
function readSpot(id, node, lines, cite) {
  const paid = lines.map((line) => readLine(line, cite));
  return {
    id,
    lines: paid,
    step: stepOf(paid),
    reserve: reserveOf(paid),
    needs:
      node.needs === undefined ? null : { any_of: node.needs.any_of, clause: cite(node.needs) },
    stage:
      node.stage === undefined
        ? null
        : {
            follows: text(node.stage.follows),
            after_card: count(node.stage.after_card),
            multiple: BigInt(count(node.stage.multiple)),
            clause: cite(node.stage),
            declined: cite(node.stage.declined),
            fundsTogether: node.stage.funds === "together",
          },
  };
}

/** @param {any} line @param {(node: any) => string} cite */
function readLine(line, cite) {
  const when = Object.entries(line.when ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) ? value : [value],
  ]);
  const commission =
    line.commission === undefined
      ? fraction(0n)
      : times(decimal(text(line.commission).replace(/ ?%$/, "")), fraction(1n, 100n));
  return {
    when: Object.fromEntries(when),
    odds: odds(text(line.pays)),
    commission,
    clause: cite(line),
  };
}

/** `push`, `lose`, `lose 8`, or odds such as `8:1` or `0.95:1`. @param {string} pays */
function odds(pays) {
  const words = pays.trim().split(/\s+/).join(" ");
  if (words === "push") return fraction(0n);
  const lost = /^lose(?: ([1-9][0-9]{0,2}))?$/.exec(words);
  if (lost !== null) return fraction(-BigInt(lost[1] ?? 1));
  const [won, staked, ...rest] = words.split(/ ?: ?/).map(decimal);
  if (staked === undefined || rest.length > 0 || staked.top === 0n) throw unread(pays);
  return times(won, fraction(staked.bottom, staked.top));
}

/** @param {string} written @returns {Fraction} */
function decimal(written) {
  const found = /^([0-9]{1,9})(?:\.([0-9]{1,9}))?$/.exec(written);
  if (found === null) throw unread(written);
  const behind = found[2] ?? "";
  return fraction(BigInt(found[1] + behind), 10n ** BigInt(behind.length));
}

/** `2014-07-30` or `2014-07-30T00:00+08:00` in UTC milliseconds. @param {any} written */
function moment(written) {
  const day = text(written);
  const at = Date.parse(day.includes("T") ? day : `${day}T00:00Z`);
  if (Number.isNaN(at)) throw unread(day);
  return at;
}

/** @param {any} value @returns {string} */
function text(value) {
  if (typeof value !== "string" || value.trim() === "") throw unread(value);
  return value;
}

/** @param {any} value @returns {number} */
function count(value) {
  if (!Number.isInteger(value) || value < 1) throw unread(value);
  return value;
}

/** @param {any} value @returns {Refusal} */
function unread(value) {
  const shown = isObject(value) || !isWhole(value) ? JSON.stringify(value) : String(value);
  return new Refusal("book/unread", { text: String(shown).slice(0, 60) });
}

/** @param {Book} book @param {string} first @returns {Spot | null} the second stage of a bet */
export function secondOf(book, first) {
  for (const spot of book.spots.values()) if (spot.stage?.follows === first) return spot;
  return null;
}
