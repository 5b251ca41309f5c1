/**
 * Verifying a dispute pack: everything worked out again, without the server that wrote it.
 *
 *     canonical bytes → chain → signed heads, anchors → rulebook → each event by the rules
 *     → cards by the committed shoe → entries, balances → roads
 *
 * Every layer is looked at even if another has failed, because a pack that was changed by hand
 * breaks in one place and a forged one in another. Findings have the codes of `cutcard verify`.
 */

import { parseAnchor, written } from "./anchor.js";
import { contentHash, readBook } from "./book.js";
import { hex, same, unhex } from "./bytes.js";
import { canonical } from "./canonical.js";
import { audit, start } from "./chain.js";
import { TABLEAU } from "./coup.js";
import { difference, Verdict } from "./finding.js";
import { parse, Unreadable } from "./json.js";
import { Proof } from "./proof.js";
import { Refusal } from "./refusal.js";
import { Replay } from "./replay.js";
import { roads } from "./roads.js";
import { Shoe } from "./shoe.js";
import { holds } from "./signing.js";
import { commitmentHash, isCommitted, parseStep } from "./steps.js";
import { isObject, readRecord } from "./wire.js";

/**
 * @typedef {{keys?: Uint8Array[], anchors?: import("./anchor.js").Anchor[],
 *   commitments?: Uint8Array[]}} Known what whoever verifies has from elsewhere than the pack
 * @typedef {Required<Known>} Held
 */

const NAME = "cutcard dispute pack";
const VERSION = 1;
const LARGEST = 64 * 2 ** 20;
const HASH = 32;
const SEEDING = ["SeedSealed", "SeedsClosed", "SeedGiven"];

const LOG = {
  table: "string", books: "object", before: "object", records: "list", heads: "list",
  anchors: "list", opening: "object", closing: "object",
};

/** @type {Record<string, Record<string, string>>} */
const MEMBERS = {
  card: { commitment: "object", seeds: "list", card: "object" },
  shoe: { commitment: "object", steps: "list" },
  table: LOG,
  round: { ...LOG, round: "object", shoe: "any" },
};

/** @type {Record<string, string>} */
const FAULTS = {
  number: "chain/number", record: "chain/record", value: "chain/value", head: "head/other-log",
  anchor: "anchor/other-log", short: "chain/short", table: "chain/table",
  signature: "head/signature", key: "head/key",
};

/** A pack that cannot be read far enough to be verified. */
class Unpacked extends Error {
  /** @param {string} code @param {Record<string, unknown>} [details] */
  constructor(code, details = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/**
 * What was checked in a pack, what is wrong, and what it cannot show by itself.
 * @param {Uint8Array} bytes @param {Known} [known] @returns {Promise<Verdict>}
 */
export async function verifyPack(bytes, known = {}) {
  const verdict = new Verdict();
  const held = { keys: [], anchors: [], commitments: [], ...known };
  try {
    const pack = readPack(bytes);
    verdict.pack = pack;
    await VERIFY[pack.kind](pack, verdict, held);
  } catch (problem) {
    if (!(problem instanceof Unpacked)) throw problem;
    verdict.find(problem.code, null, problem.details);
  }
  return verdict;
}

/** @param {Uint8Array} bytes @returns {any} the pack in a file, its shape checked */
export function readPack(bytes) {
  if (bytes.length > LARGEST) throw new Unpacked("pack/size", { most: LARGEST });
  let pack;
  try {
    pack = parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), { fractions: false });
  } catch (problem) {
    // The decoder throws a TypeError where bytes are no UTF-8.
    if (!(problem instanceof Unreadable || problem instanceof TypeError)) throw problem;
    throw new Unpacked("pack/json", { why: problem.message });
  }
  checkShape(pack);
  return pack;
}

/** @param {any} pack */
function checkShape(pack) {
  if (!isObject(pack) || pack.format !== NAME) throw new Unpacked("pack/format", { name: NAME });
  if (pack.version !== VERSION) throw new Unpacked("pack/version", { version: VERSION });
  const { kind } = pack;
  if (typeof kind !== "string" || !Object.hasOwn(MEMBERS, kind)) throw new Unpacked("pack/kind");
  const { format, version, kind: _, ...given } = pack;
  checkFields(given, MEMBERS[kind]);
  try {
    const { records, ...rest } = pack;
    for (const one of Object.values(rest)) canonical([one]);
  } catch (refusal) {
    if (refusal instanceof Refusal) throw new Unpacked("pack/json", { why: refusal.code });
    throw refusal;
  }
}

/** @type {Record<string, (value: any) => boolean>} */
const KINDS = {
  any: () => true,
  string: (value) => typeof value === "string",
  whole: (value) => Number.isInteger(value) || typeof value === "bigint",
  object: isObject,
  list: Array.isArray,
};

/** The members of an object: just these, each of its kind. @param {any} given @param {Record<string, string>} wanted */
function checkFields(given, wanted) {
  const names = Object.keys(wanted);
  const complete = isObject(given) && Object.keys(given).length === names.length;
  for (const name of names) {
    if (!complete || !Object.hasOwn(given, name) || !KINDS[wanted[name]](given[name])) {
      throw new Unpacked("pack/shape", { name });
    }
  }
  return given;
}

/** @param {string} text @param {number} size @returns {Uint8Array} */
function hash(text, size = HASH) {
  const bytes = unhex(text);
  if (bytes?.length !== size) throw new Unpacked("pack/shape", { name: text.slice(0, 70), size });
  return bytes;
}

/** @type {Record<string, (pack: any, verdict: Verdict, known: Held) => void | Promise<void>>} */
const VERIFY = { card: verifyCardPack, shoe: verifyShoePack, round: verifyRound, table: verifyTable };

// --- cards and shoes --------------------------------------------------------------------------------

/** @param {any} pack @param {Verdict} verdict @param {Held} known */
function verifyCardPack(pack, verdict, known) {
  const shoe = seeded(pack.commitment, pack.seeds, verdict, known);
  const shown = step(pack.card);
  if (shown.step !== "CardShown") throw new Unpacked("pack/shape", { name: "card" });
  if (shoe === null) return;
  if (shown.place < 0 || shown.place >= shoe.cards) {
    verdict.find("shoe/step", null, { refusal: "fairness/place", number: BigInt(shown.place) + 1n });
    return;
  }
  const details = { number: shown.place + 1, card: shown.card, shoe: shoe.name };
  // What left the shoe before this card is not in the pack.
  const placed = shown.position === shoe.order[shown.place];
  if (placed && isCommitted(shoe.commitment, shown)) {
    verdict.check("card", { ...details, seeds: shoe.seeds.size });
  } else {
    const refusal = placed ? "fairness/not-committed" : "fairness/position";
    verdict.find("shoe/step", null, { refusal, ...details });
  }
}

/** @param {any} pack @param {Verdict} verdict @param {Held} known */
function verifyShoePack(pack, verdict, known) {
  const commitment = committed(pack.commitment);
  compareCommitment(commitment, verdict, known);
  const steps = pack.steps.map(step);
  let record = 0;
  try {
    const shoe = new Shoe(commitment);
    for (const one of steps) {
      record += 1;
      if (one.step === "Commitment") throw new Refusal("fairness/record");
      shoe.advance(one);
      verdict.followed.add(record);
    }
    const { name, phase, reason, shown } = shoe;
    verdict.check("shoe", { shoe: name, steps: record, cards: shown.size, phase, reason });
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    verdict.find("shoe/step", record, { refusal: refusal.code, ...refusal.params });
  }
}

/**
 * A shoe whose order of dealing is fixed, if what fixes it holds.
 * @param {any} given @param {any[]} seeds @param {Verdict} verdict @param {Held} known
 * @returns {Shoe | null}
 */
function seeded(given, seeds, verdict, known) {
  const commitment = committed(given);
  compareCommitment(commitment, verdict, known);
  try {
    const shoe = new Shoe(commitment);
    for (const one of seeds) {
      const read = step(one);
      if (!SEEDING.includes(read.step)) throw new Unpacked("pack/shape", { name: "seeds" });
      shoe.advance(read);
    }
    if (shoe.phase === "dealing") return shoe;
    verdict.find("shoe/step", null, { refusal: "fairness/no-seeds" });
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    verdict.find("shoe/step", null, { refusal: refusal.code, ...refusal.params });
  }
  return null;
}

/** @param {any} given */
function committed(given) {
  const read = step(given);
  if (read.step !== "Commitment") throw new Unpacked("pack/shape", { name: "commitment" });
  return read;
}

/** @param {any} given */
function step(given) {
  try {
    return parseStep(given);
  } catch (refusal) {
    if (refusal instanceof Refusal) throw new Unpacked("pack/shape", { name: "step" });
    throw refusal;
  }
}

/** @param {import("./steps.js").Commitment} commitment @param {Verdict} verdict @param {Held} known */
function compareCommitment(commitment, verdict, { commitments }) {
  const bound = commitmentHash(commitment);
  if (commitments.length === 0) verdict.remark("commitment", { hash: hex(bound) });
  else if (!commitments.some((one) => same(one, bound))) {
    verdict.find("shoe/commitment", null, { why: "known" }, hex(commitments[0]), hex(bound));
  }
}

// --- logs -------------------------------------------------------------------------------------------

/** @param {any} pack @param {Verdict} verdict @param {Held} known */
async function verifyTable(pack, verdict, known) {
  const found = links(pack);
  await verifyChain(pack, found, verdict, known);
  const { before } = found;
  if (before.count !== 0 || !same(before.hash, start(pack.table))) verdict.find("chain/start", null);
  const replay = replayed(pack, found, verdict, null);
  for (const one of known.commitments) {
    if (!replay.proof.committed.has(hex(one))) {
      verdict.find("shoe/commitment", null, { why: "absent" }, hex(one));
    }
  }
  ended(pack, found, replay, verdict);
}

/** @param {any} pack @param {Verdict} verdict @param {Held} known */
async function verifyRound(pack, verdict, known) {
  const found = links(pack);
  await verifyChain(pack, found, verdict, known);
  let shoe = null;
  if (pack.shoe !== null) {
    const { commitment, seeds } = checkFields(pack.shoe, { commitment: "object", seeds: "list" });
    shoe = seeded(commitment, seeds, verdict, known);
  }
  const replay = replayed(pack, found, verdict, shoe);
  const claimed = checkFields(pack.round, { shoe: "whole", number: "whole" });
  const name = `${claimed.shoe}/${claimed.number}`;
  const rounds = [...replay.rounds.keys()];
  if (rounds.length !== 1 || rounds[0] !== name) {
    verdict.find("pack/round", null, { round: name, held: rounds.join(", ") });
  }
  ended(pack, found, replay, verdict);
}

/** The chained records of a pack, and the head before them. @param {any} pack */
function links(pack) {
  const before = checkFields(pack.before, { number: "whole", hash: "string" });
  const entries = pack.records.map((/** @type {any} */ given) => {
    const one = checkFields(given, { number: "whole", hash: "string", record: "any" });
    return { number: one.number, record: one.record, hash: hash(one.hash) };
  });
  return { before: { count: before.number, hash: hash(before.hash) }, entries };
}

/** Canonical bytes, chain, signatures, anchors. @param {any} pack @param {any} found @param {Verdict} verdict @param {Held} known */
async function verifyChain(pack, { before, entries }, verdict, known) {
  const heads = pack.heads.map(head);
  const checked = await Promise.all(
    heads.map(async (/** @type {any} */ one) => ({ ...one, holds: await holds(one) })),
  );
  let anchors = [...readAnchors(pack.anchors, verdict), ...known.anchors];
  if (pack.kind === "round") {
    // What lies before or after the round is not in the pack, and nothing is wrong with that.
    const last = entries.at(-1)?.number ?? before.count;
    const within = (/** @type {any} */ one) =>
      one.table !== pack.table || (one.count >= before.count && one.count <= last);
    for (const one of anchors) if (!within(one)) verdict.remark("anchor", { text: written(one) });
    anchors = anchors.filter(within);
  }
  const keys = known.keys.length > 0 ? known.keys : heads.map((/** @type {any} */ one) => one.key);
  for (const { record, fault } of audit(pack.table, entries, { heads: checked, keys, anchors, before })) {
    verdict.find(FAULTS[fault], record);
  }
  verdict.check("chain", { records: entries.length, heads: heads.length, anchors: anchors.length });
  const unchecked = checked.filter((one) => one.holds === null).length;
  if (unchecked > 0) verdict.remark("signature", { heads: unchecked });
  if (known.keys.length === 0 && heads.length > 0) {
    const named = [...new Set(heads.map((/** @type {any} */ one) => hex(one.key)))];
    verdict.remark("key", { keys: named });
  }
}

/** @param {any} given */
function head(given) {
  const one = checkFields(given, {
    table: "string", count: "whole", hash: "string", occasion: "string", name: "string",
    at: "whole", key: "string", signature: "string",
  });
  if (!["round", "day"].includes(one.occasion)) throw new Unpacked("pack/shape", { name: "occasion" });
  return {
    head: { table: one.table, count: one.count, hash: hash(one.hash) },
    occasion: one.occasion, name: one.name, at: one.at, key: hash(one.key),
    signature: hash(one.signature, 64),
  };
}

/** @param {any[]} given @param {Verdict} verdict */
function readAnchors(given, verdict) {
  return given.flatMap((text) => {
    try {
      return [parseAnchor(String(text))];
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      verdict.find("anchor/unread", null, { refusal: refusal.code, text: String(text) });
      return [];
    }
  });
}

/** Every event once more, by the books in the pack. @param {any} pack @param {any} found @param {Verdict} verdict @param {Shoe | null} shoe */
function replayed(pack, { entries }, verdict, shoe) {
  const replay = new Replay(pack.table, readBooks(pack, verdict), new Proof(pack.table, verdict, shoe), verdict);
  const records = entries.flatMap((/** @type {any} */ { number, record }) => {
    try {
      return [{ number, record: readRecord(record) }];
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      verdict.find("record/unread", number, { refusal: refusal.code, ...refusal.params });
      return [];
    }
  });
  if (pack.kind === "round" && records[0]?.record.standing === undefined) {
    verdict.find("standing/missing", null);
  } else if (records.length === entries.length) replay.run(records);
  else replay.whole = false;
  return replay;
}

/** @param {any} pack @param {Verdict} verdict */
function readBooks(pack, verdict) {
  const good = new Map();
  for (const [name, given] of Object.entries(pack.books)) {
    try {
      const book = bookOf(name, given);
      good.set(name, book);
      verdict.check("book", { name: book.name, version: book.version });
    } catch (problem) {
      if (!(problem instanceof Unpacked)) throw problem;
      verdict.find(problem.code, null, problem.details);
    }
  }
  return good;
}

/** @param {string} name @param {any} given */
function bookOf(name, given) {
  const one = checkFields(given, { document: "object", tableau: "list", documents: "list" });
  if (difference(TABLEAU, one.tableau, "") !== null) throw new Unpacked("book/tableau");
  const texts = one.documents.every((/** @type {any} */ text) => typeof text === "string");
  if (!texts) throw new Unpacked("book/unread", { text: "documents" });
  if (contentHash(one.document) !== name) throw new Unpacked("book/hash", { hash: name.slice(0, 64) });
  try {
    return readBook(one.document, one.documents);
  } catch (problem) {
    if (!(problem instanceof Refusal || problem instanceof TypeError)) throw problem;
    throw new Unpacked("book/unread", { text: problem.message });
  }
}

/** What the pack says of beginning and end. @param {any} pack @param {any} found @param {Replay} replay @param {Verdict} verdict */
function ended(pack, found, replay, verdict) {
  if (replay.whole && replay.table !== null) {
    const opening = { stacks: replay.opening };
    verdict.compare("opening/differs", null, "opening", opening, pack.opening);
    const closing = {
      stacks: replay.stacks(), accounts: replay.money.accounts(), roads: roads(replay.table.results),
    };
    verdict.compare("closing/differs", null, "closing", closing, pack.closing);
    const rounds = [...replay.rounds.values()].filter(({ end }) => end > 0).length;
    verdict.check("rounds", { rounds });
    if (replay.proof.cards > 0) verdict.check("cards", { cards: replay.proof.cards });
    else if (replay.rounds.size > 0) verdict.remark("uncommitted");
    if (replay.remedies > 0) verdict.remark("remedies");
  }
  signed(pack, found, replay, verdict);
}

/** Whether every round that is over is under a signed head, and each head where it says. @param {any} pack @param {any} found @param {Replay} replay @param {Verdict} verdict */
function signed(pack, { before, entries }, replay, verdict) {
  const counts = pack.heads.map((/** @type {any} */ one) => one.count);
  const covered = counts.length === 0
    ? before.count
    : counts.reduce((/** @type {any} */ most, /** @type {any} */ one) => (one > most ? one : most));
  const opened = [...replay.rounds.values()].map(({ begin }) => begin).sort((one, other) => one - other);
  for (const [name, { end }] of replay.rounds) {
    if (end > covered) {
      verdict.find("head/none", end, { round: name });
      break;
    }
  }
  for (const { occasion, name, count } of pack.heads) {
    if (occasion !== "round" || !replay.whole) continue;
    const { begin, end } = replay.rounds.get(name) ?? { begin: 0, end: 0 };
    const following = opened.find((other) => other > begin);
    const within = count > begin && (following === undefined || count < following);
    if (end === 0 || !within) verdict.find("head/name", count, { round: name });
  }
  const last = entries.at(-1)?.number ?? before.count;
  if (covered < last) verdict.remark("uncovered", { first: BigInt(covered) + 1n, last });
}

