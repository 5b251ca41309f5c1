/** Packs of a table's log, or of one round of it. */

import { parseAnchor, written } from "./anchor.js";
import { contentHash, readBook } from "./book.js";
import { hex, same } from "./bytes.js";
import { canonical } from "./canonical.js";
import { audit, start } from "./chain.js";
import { TABLEAU } from "./coup.js";
import { difference } from "./finding.js";
import { isPart } from "./ledger.js";
import { Proof } from "./proof.js";
import { checkFields, hash, Unpacked } from "./reading.js";
import { Refusal } from "./refusal.js";
import { Replay } from "./replay.js";
import { roads } from "./roads.js";
import { compareBook, compareSeeds, remarkAbort, seeded } from "./shoes.js";
import { holds } from "./signing.js";
import { stripped } from "./text.js";
import { readRecord } from "./wire.js";

/**
 * @typedef {import("./finding.js").Verdict} Verdict
 * @typedef {import("./pack.js").Held} Held
 * @typedef {import("./shoe.js").Shoe} Shoe
 */

const MOST_BOOKS = 8;
const LARGEST_BOOK = 256 * 2 ** 10;
const LONGEST_NAME = 200;
const HOUR = 3_600_000;

/** @type {Record<string, string>} */
const FAULTS = {
  number: "chain/number",
  record: "chain/record",
  value: "chain/value",
  head: "head/other-log",
  anchor: "anchor/other-log",
  short: "chain/short",
  table: "chain/table",
  signature: "head/signature",
  key: "head/key",
};

/** @param {any} pack @param {Verdict} verdict @param {Held} known */
export async function verifyTable(pack, verdict, known) {
  const found = links(pack);
  await verifyChain(pack, found, verdict, known);
  const { before } = found;
  if (before.count !== 0 || !same(before.hash, start(pack.table)))
    verdict.find("chain/start", null);
  const replay = replayed(pack, found, verdict, known, null);
  shoes(replay.proof, verdict, known);
  ended(pack, found, replay, verdict);
}

/** @param {any} pack @param {Verdict} verdict @param {Held} known */
export async function verifyRound(pack, verdict, known) {
  const found = links(pack);
  await verifyChain(pack, found, verdict, known);
  let shoe = null;
  if (pack.shoe !== null) {
    const { commitment, seeds } = checkFields(pack.shoe, { commitment: "object", seeds: "list" });
    shoe = seeded(commitment, seeds, verdict, known);
  } else {
    const [shown] = known.commitments;
    if (shown) verdict.find("shoe/commitment", null, { why: "none" }, hex(shown));
    compareSeeds(new Set(), verdict, known);
  }
  const replay = replayed(pack, found, verdict, known, shoe);
  const claimed = checkFields(pack.round, { shoe: "whole", number: "whole" });
  const name = `${claimed.shoe}/${claimed.number}`;
  const rounds = [...replay.rounds.keys()];
  if (rounds.length !== 1 || rounds[0] !== name) {
    verdict.find("pack/round", null, { round: name, held: rounds.join(", ") });
  }
  ended(pack, found, replay, verdict);
}

/**
 * Every shoe of a table: how each ended, and whether none is missing.
 * @param {Proof} proof @param {Verdict} verdict @param {Held} known
 */
function shoes(proof, verdict, known) {
  proof.finish();
  for (const one of known.commitments) {
    if (!proof.committed.has(hex(one))) {
      verdict.find("shoe/commitment", null, { why: "absent" }, hex(one));
    }
  }
  compareSeeds(proof.given, verdict, known);
  if (proof.committed.size === 0) return;
  const all = proof.shoes;
  const ended = (/** @type {string} */ phase) => all.filter((one) => one.phase === phase).length;
  const [opened, aborted] = [ended("opened"), ended("aborted")];
  const unfinished = all.length - opened - aborted;
  const missing = BigInt(all[all.length - 1].commitment.number) - BigInt(all.length);
  verdict.check("shoes", { shoes: all.length, opened, aborted, unfinished, missing });
  for (const one of all) if (one.phase === "aborted") remarkAbort(one, verdict);
  if (known.commitments.length === 0) {
    const named = [...proof.committed].slice(0, 3).map(([hash, name]) => `${name}: ${hash}`);
    verdict.remark("commitments", { named, count: proof.committed.size });
  }
}

/** The chained records of a pack, and the head before them. @param {any} pack */
function links(pack) {
  const { table } = pack;
  const before = checkFields(pack.before, { number: "whole", hash: "string" });
  const long = Array.from(table.slice(0, 2 * LONGEST_NAME + 2)).length > LONGEST_NAME;
  if (!isPart(table) || stripped(table) === "" || table === "cage" || long) {
    throw new Unpacked("pack/shape", { name: "table" });
  }
  if (before.number < 0) throw new Unpacked("pack/shape", { name: "before" });
  const entries = pack.records.map((/** @type {any} */ given) => {
    const one = checkFields(given, { number: "whole", hash: "string", record: "any" });
    return { number: one.number, record: one.record, hash: hash(one.hash) };
  });
  return { before: { count: before.number, hash: hash(before.hash) }, entries };
}

/**
 * Canonical bytes, chain, signatures, anchors.
 * @param {any} pack @param {any} found @param {Verdict} verdict @param {Held} known
 */
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
  for (const { record, fault } of audit(pack.table, entries, {
    heads: checked,
    keys,
    anchors,
    before,
  })) {
    verdict.find(FAULTS[fault], record);
  }
  verdict.check("chain", { records: entries.length, heads: heads.length, anchors: anchors.length });
  const unchecked = checked.filter((one) => one.holds === null).length;
  if (unchecked > 0) verdict.remark("signature", { heads: unchecked });
  if (known.keys.length === 0 && heads.length > 0) {
    const named = [...new Set(heads.map((/** @type {any} */ one) => hex(one.key)))];
    verdict.remark("key", { keys: named.slice(0, 8) });
  }
}

/** @param {any} given */
function head(given) {
  const one = checkFields(given, {
    table: "string",
    count: "whole",
    hash: "string",
    occasion: "string",
    name: "string",
    at: "whole",
    key: "string",
    signature: "string",
  });
  if (!["round", "day"].includes(one.occasion))
    throw new Unpacked("pack/shape", { name: "occasion" });
  return {
    head: { table: one.table, count: one.count, hash: hash(one.hash) },
    occasion: one.occasion,
    name: one.name,
    at: one.at,
    key: hash(one.key),
    signature: hash(one.signature, 64),
  };
}

/** @param {any[]} given @param {Verdict} verdict */
function readAnchors(given, verdict) {
  return given.flatMap((text) => {
    try {
      if (typeof text !== "string") throw new Refusal("chain/anchor", { text: "–" });
      return [parseAnchor(text)];
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      verdict.find("anchor/unread", null, { refusal: refusal.code, ...refusal.params });
      return [];
    }
  });
}

/**
 * Every event once more, by the books in the pack.
 * @param {any} pack @param {any} found @param {Verdict} verdict @param {Held} known
 * @param {Shoe | null} shoe
 */
function replayed(pack, { entries }, verdict, known, shoe) {
  const replay = new Replay(
    pack.table,
    readBooks(pack, verdict, known),
    new Proof(pack.table, verdict, shoe, pack.kind === "table"),
    verdict,
  );
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

/** @param {any} pack @param {Verdict} verdict @param {Held} known */
function readBooks(pack, verdict, known) {
  const good = new Map();
  if (Object.keys(pack.books).length > MOST_BOOKS)
    throw new Unpacked("pack/size", { most: MOST_BOOKS });
  for (const [name, given] of Object.entries(pack.books)) {
    try {
      const book = bookOf(name, given);
      good.set(name, book);
      verdict.check("book", { name: book.name, version: book.version, hash: name });
      compareBook(name, verdict, known);
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
  if (contentHash(one.document) !== name)
    throw new Unpacked("book/hash", { hash: name.slice(0, 64) });
  if (canonical(one.document).length > LARGEST_BOOK) {
    throw new Unpacked("pack/size", { most: LARGEST_BOOK });
  }
  try {
    return readBook(one.document, one.documents);
  } catch (problem) {
    if (!(problem instanceof Refusal || problem instanceof TypeError)) throw problem;
    throw new Unpacked("book/unread", { text: problem.message });
  }
}

/**
 * What the pack says of beginning and end.
 * @param {any} pack @param {any} found @param {Replay} replay @param {Verdict} verdict
 */
function ended(pack, found, replay, verdict) {
  if (replay.whole && replay.table !== null) {
    const opening = { stacks: replay.opening };
    verdict.compare("opening/differs", null, "opening", opening, pack.opening);
    const closing = {
      stacks: replay.stacks(),
      accounts: replay.money.accounts(),
      roads: roads(replay.table.results),
    };
    verdict.compare("closing/differs", null, "closing", closing, pack.closing);
    const rounds = [...replay.rounds.values()].filter(({ end }) => end > 0).length;
    verdict.check("rounds", { rounds });
    if (replay.proof.cards > 0) verdict.check("cards", { cards: replay.proof.cards });
    for (const shoe of replay.proof.uncommitted) verdict.remark("uncommitted", { shoe });
    if (replay.remedies > 0) verdict.remark("remedies");
  }
  signed(pack, found, replay, verdict);
}

/**
 * Whether every round that is over is under a signed head, and each head where it says.
 * @param {any} pack @param {any} found @param {Replay} replay @param {Verdict} verdict
 */
function signed(pack, { before, entries }, replay, verdict) {
  const heads = [...pack.heads].sort(
    (one, other) => order(one.count, other.count) || order(one.at, other.at),
  );
  const covered = heads.at(-1)?.count ?? before.count;
  const opened = [...replay.rounds.values()]
    .map(({ begin }) => begin)
    .sort((one, other) => one - other);
  for (const [name, { end }] of replay.rounds) {
    if (end > covered) {
      verdict.find("head/none", end, { round: name });
      break;
    }
  }
  const seen = new Set();
  /** @type {number | bigint | null} */
  let latest = null;
  for (const { occasion, name, count, at } of heads) {
    const key = JSON.stringify([String(count), occasion, name]);
    if (seen.has(key)) {
      verdict.find("head/twice", count, { round: name });
      continue;
    }
    seen.add(key);
    if (occasion === "day") {
      if (!isDay(name, at)) verdict.find("head/name", count, { why: "day", day: name });
    } else if (replay.whole && !isRound(replay.rounds.get(name), opened, count)) {
      verdict.find("head/name", count, { round: name });
    }
    const told = replay.times.get(count) ?? at;
    const earliest = latest !== null && latest > told ? latest : told;
    if (at < earliest) {
      const ms = BigInt(earliest) - BigInt(at);
      verdict.find("time/backwards", count, { why: "head", ms }, earliest, at);
    }
    latest = at;
  }
  const last = entries.at(-1)?.number ?? before.count;
  if (covered < last) verdict.remark("uncovered", { first: BigInt(covered) + 1n, last });
}

/** @param {any} one @param {any} other @returns {number} */
const order = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Whether a head lies after the end of its round, and before the next is opened.
 * @param {import("./replay.js").Span | undefined} span @param {number[]} opened in order
 * @param {number | bigint} count
 */
function isRound(span, opened, count) {
  if (span === undefined || span.first === 0 || span.first > count) return false;
  let [low, high] = [0, opened.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (opened[middle] > span.begin) high = middle;
    else low = middle + 1;
  }
  return low === opened.length || count < opened[low];
}

/**
 * Whether a day is in the calendar, and a head was signed about then: once the day had begun
 * somewhere on earth, and within the week after.
 * @param {string} name @param {number | bigint} at
 */
function isDay(name, at) {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(name)) return false;
  const midnight = Date.parse(`${name}T00:00:00Z`);
  // Some browsers take the 30th of February for a day in March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(name)) return false;
  return at >= midnight - 14 * HOUR && at < midnight + 8 * 24 * HOUR;
}
